/* SPDX-License-Identifier: MIT */
/* All-to-all on any graph: shortest paths that share the links out, farthest first. */
#include "routes.h"

#include "base/random.h"

#include <stdlib.h>

/* How often all paths are chosen anew, knowing the others, and how often they are scheduled, with other blocks first of
 * those that are equally far from where they go. */
#define PASSES 8u
#define TRIES 8u

typedef struct paths {
    const gfab_topology *topology;
    uint32_t nodes;
    gfab_routes routes;
    uint32_t *distance; /* [nodes]: to the node that paths are being chosen to */
    uint32_t *work;     /* [nodes] */
    uint32_t *load;     /* [arcs]: paths over it */
    uint64_t random;
} paths;

/* From where it starts, always over the arc with the fewest paths so far of those that lead nearer; any of equals. */
static void choose(paths *p, uint32_t from, gfab_arc *arcs)
{
    for (uint32_t node = from; p->distance[node]; arcs++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(p->topology, node, &count);
        uint32_t ties = 0, next = node;
        for (size_t i = 0; i < count; i++) {
            const gfab_arc arc = 2 * ports[i].link + ports[i].end;
            if (p->distance[ports[i].peer] >= p->distance[node] || (ties && p->load[arc] > p->load[*arcs]))
                continue;
            ties = ties && p->load[arc] == p->load[*arcs] ? ties + 1 : 1;
            if (ties > 1 && gfab_random_below(&p->random, ties) > 0)
                continue;
            *arcs = arc;
            next = ports[i].peer;
        }
        p->load[*arcs]++;
        node = next;
    }
}

/* Chooses all paths, in place of those of the pass before. */
static gfab_status pass(paths *p, bool first, const gfab_solver_options *options)
{
    gfab_routes *r = &p->routes;
    for (uint32_t to = 0; to < p->nodes; to++) {
        const gfab_status status = gfab_solver_report(options, "paths", to, p->nodes);
        if (status != GFAB_OK)
            return status;
        gfab_topology_distances(p->topology, to, p->distance, p->work);
        for (uint32_t from = 0; from < p->nodes; from++) {
            const size_t block = (size_t)from * p->nodes + to;
            for (size_t i = r->start[block]; !first && i < r->start[block + 1]; i++)
                p->load[r->arcs[i]]--;
            choose(p, from, r->arcs + r->start[block]);
        }
    }
    return GFAB_OK;
}

/* The farther to go the lower; of equals any. */
static void set_ranks(paths *p)
{
    const gfab_routes *r = &p->routes;
    for (size_t b = 0; b < r->blocks; b++)
        for (size_t i = r->start[b]; i < r->start[b + 1]; i++) {
            const uint32_t left = (uint32_t)(r->start[b + 1] - i);
            r->rank[i] = (UINT16_MAX - left) << 16 | gfab_random_below(&p->random, 1u << 16);
        }
}

static gfab_status set_starts(paths *p, const gfab_solver_options *options)
{
    gfab_routes *r = &p->routes;
    gfab_status status = GFAB_OK;
    r->blocks = (size_t)p->nodes * p->nodes;
    r->start = calloc(r->blocks + 1, sizeof *r->start);
    p->distance = malloc(p->nodes * sizeof *p->distance);
    p->work = malloc(p->nodes * sizeof *p->work);
    p->load = calloc(2 * gfab_topology_link_count(p->topology), sizeof *p->load);
    if (!r->start || !p->distance || !p->work || !p->load)
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

/* The random numbers of the best try once more, for the schedule. */
static gfab_status schedule_best(paths *p, const gfab_model *model, const gfab_solver_options *options,
                                 gfab_schedule *schedule)
{
    const uint32_t tries = options->effort ? options->effort : TRIES;
    uint32_t rounds, fewest = UINT32_MAX;
    uint64_t best = p->random;
    gfab_status status = GFAB_OK;
    for (uint32_t i = 0; i < tries && status == GFAB_OK; i++) {
        const uint64_t random = p->random;
        set_ranks(p);
        status = gfab_routes_list(p->topology, model, &p->routes, options, &rounds, NULL);
        if (rounds < fewest) {
            fewest = rounds;
            best = random;
        }
    }
    p->random = best;
    set_ranks(p);
    return status == GFAB_OK ? gfab_routes_list(p->topology, model, &p->routes, options, &rounds, schedule) : status;
}

gfab_status gfab_routes_graph(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    (void)diag;
    paths p = {.topology = topology, .nodes = (uint32_t)gfab_topology_node_count(topology), .random = options->seed};
    gfab_status status = set_starts(&p, options);
    for (uint32_t i = 0; i < PASSES && status == GFAB_OK; i++)
        status = pass(&p, i == 0, options);
    if (status == GFAB_OK)
        status = schedule_best(&p, model, options, schedule);
    gfab_routes_release(&p.routes);
    free(p.distance);
    free(p.work);
    free(p.load);
    return status;
}
