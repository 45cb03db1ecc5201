/* SPDX-License-Identifier: MIT */
/* All-to-all on any graph: shortest paths that share the links out, farthest first. The paths are chosen again and
 * again, each time knowing all others; the shortest schedule is kept. */
#include "routes.h"

#include "base/random.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

/* Moves that are looked at, about, unless the caller says how many tries. */
#define WORK ((uint64_t)1 << 22)
#define MIN_TRIES 3u
#define MAX_TRIES 100u
/* What an arc costs beyond a few random units: the eighth power of its load, so that the busiest count most. With one
 * port that of its busier node counts. */
#define UNIT_BITS 16

typedef struct paths {
    const gfab_topology *topology;
    uint32_t nodes;
    size_t arcs;
    gfab_routes now, best;
    uint32_t *distance; /* [nodes]: to the node that paths are being chosen to */
    uint32_t *order;    /* [nodes]: by that distance */
    uint32_t *work;     /* [nodes] */
    uint64_t *cost;     /* [nodes]: of the way to that node */
    gfab_arc *next;     /* [nodes]: its first arc */
    bool one_port;
    uint32_t *load;  /* [arcs]: paths over it */
    uint32_t *calls; /* [nodes]: paths over its links */
    uint64_t random;
    gfab_arena arena;
} paths;

static uint32_t load_of(const paths *p, gfab_arc arc)
{
    if (!p->one_port)
        return p->load[arc];
    const gfab_link link = gfab_topology_link(p->topology, arc / 2);
    const uint32_t a = p->calls[link.node[0]], b = p->calls[link.node[1]];
    return a > b ? a : b;
}

/* One path more, or less, over an arc. */
static void count(paths *p, gfab_arc arc, uint32_t change)
{
    const gfab_link link = gfab_topology_link(p->topology, arc / 2);
    p->load[arc] += change;
    p->calls[link.node[0]] += change;
    p->calls[link.node[1]] += change;
}

static uint64_t weigh(paths *p, gfab_arc arc, uint32_t busiest)
{
    uint64_t weight = busiest ? ((uint64_t)load_of(p, arc) << UNIT_BITS) / busiest : 0;
    for (int i = 0; i < 3; i++)
        weight = weight * weight >> UNIT_BITS;
    return weight + gfab_random_below(&p->random, 64);
}

/* Nodes by their distance, which is below nodes. */
static void sort(paths *p)
{
    memset(p->work, 0, p->nodes * sizeof *p->work);
    for (uint32_t v = 0; v < p->nodes; v++)
        if (p->distance[v] + 1 < p->nodes)
            p->work[p->distance[v] + 1]++;
    for (uint32_t d = 1; d < p->nodes; d++)
        p->work[d] += p->work[d - 1];
    for (uint32_t v = 0; v < p->nodes; v++)
        p->order[p->work[p->distance[v]]++] = v;
}

/* For each node the cheapest of the shortest paths to one. */
static void choose(paths *p, uint32_t to)
{
    uint32_t busiest = 0;
    for (size_t a = 0; a < p->arcs; a++)
        busiest = load_of(p, (gfab_arc)a) > busiest ? load_of(p, (gfab_arc)a) : busiest;
    gfab_topology_distances_to(p->topology, to, p->distance, p->work);
    sort(p);
    p->cost[to] = 0;
    for (uint32_t i = 1; i < p->nodes; i++) {
        const uint32_t node = p->order[i];
        p->cost[node] = UINT64_MAX;
        GFAB_EACH_PORT(port, p->topology, node) {
            const gfab_arc arc = 2 * port->link + port->end;
            if (p->distance[port->peer] >= p->distance[node] || !gfab_topology_arc_weight(p->topology, arc))
                continue;
            const uint64_t cost = p->cost[port->peer] + weigh(p, arc, busiest);
            if (cost < p->cost[node]) {
                p->cost[node] = cost;
                p->next[node] = arc;
            }
        }
    }
}

/* Chooses all paths, in place of those of the try before. The farther a block has to go the lower its rank; of equals
 * any. */
static gfab_status choose_all(paths *p, bool first, const gfab_solver_options *options)
{
    const gfab_routes *r = &p->now;
    for (uint32_t to = 0; to < p->nodes; to++) {
        GFAB_TRY(gfab_solver_report(options, "paths", to, p->nodes));
        for (uint32_t from = 0; from < p->nodes && !first; from++) {
            const size_t block = (size_t)from * p->nodes + to;
            for (size_t i = r->start[block]; i < r->start[block + 1]; i++)
                count(p, r->arcs[i], UINT32_MAX);
        }
        choose(p, to);
        for (uint32_t from = 0; from < p->nodes; from++) {
            size_t i = r->start[(size_t)from * p->nodes + to];
            for (uint32_t node = from; node != to; node = gfab_topology_arc_to(p->topology, p->next[node])) {
                r->arcs[i] = p->next[node];
                r->rank[i++] = (UINT16_MAX - p->distance[node]) << 16 | gfab_random_below(&p->random, 1u << 16);
                count(p, p->next[node], 1);
            }
        }
    }
    return GFAB_OK;
}

static gfab_status set_starts(paths *p, gfab_routes *r, const gfab_solver_options *options)
{
    gfab_status status = GFAB_OK;
    r->blocks = (size_t)p->nodes * p->nodes;
    if (!(r->start = calloc(r->blocks + 1, sizeof *r->start)))
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t from = 0; from < p->nodes && status == GFAB_OK; from++) {
        gfab_topology_distances(p->topology, from, p->distance, p->work);
        for (uint32_t to = 0; to < p->nodes; to++) {
            const size_t block = (size_t)from * p->nodes + to;
            r->start[block + 1] = r->start[block] + p->distance[to];
        }
        status = gfab_solver_report(options, "distances", from, p->nodes);
    }
    return status == GFAB_OK ? gfab_routes_reserve(r) : status;
}

static gfab_status allocate(paths *p, const gfab_solver_options *options)
{
    GFAB_ARRAYS(&p->arena, p->nodes, p->distance, p->order, p->work, p->cost, p->next, p->calls);
    p->load = gfab_arena_zeroed(&p->arena, p->arcs, sizeof *p->load);
    GFAB_NEED(!p->arena.failed);
    GFAB_TRY(set_starts(p, &p->now, options));
    return set_starts(p, &p->best, options);
}

static gfab_status run(paths *p, const gfab_model *model, const gfab_solver_options *options, gfab_schedule *schedule)
{
    const size_t moves = p->now.start[p->now.blocks];
    const uint64_t usual = WORK / moves < MIN_TRIES ? MIN_TRIES : WORK / moves < MAX_TRIES ? WORK / moves : MAX_TRIES;
    const uint64_t tries = options->effort ? options->effort : usual;
    uint32_t rounds, fewest = UINT32_MAX;
    for (uint64_t i = 0; i < tries; i++) {
        GFAB_TRY(choose_all(p, i == 0, options));
        GFAB_TRY(gfab_routes_list(p->topology, model, &p->now, options, &rounds, NULL));
        if (rounds < fewest) {
            fewest = rounds;
            memcpy(p->best.arcs, p->now.arcs, moves * sizeof *p->now.arcs);
            memcpy(p->best.rank, p->now.rank, moves * sizeof *p->now.rank);
        }
    }
    return gfab_routes_list(p->topology, model, &p->best, options, &rounds, schedule);
}

gfab_status gfab_routes_graph(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    (void)diag;
    paths p = {.topology = topology,
               .nodes = (uint32_t)gfab_topology_node_count(topology),
               .arcs = 2 * gfab_topology_link_count(topology),
               .one_port = model->port_mode == GFAB_PORT_ONE,
               .random = options->seed};
    gfab_status status = allocate(&p, options);
    GFAB_THEN(status, run(&p, model, options, schedule));
    gfab_routes_release(&p.now);
    gfab_routes_release(&p.best);
    gfab_arena_release(&p.arena);
    return status;
}
