/* SPDX-License-Identifier: MIT */
/* List scheduling of blocks along their paths. */
#include "routes.h"

#include "solvers/place/ready.h"

#include "base/ascending.h"

#include <stdlib.h>

typedef struct list {
    const gfab_topology *topology;
    const gfab_routes *routes;
    const gfab_model *model;
    size_t arcs, moved;
    gfab_ready ready; /* blocks by the arc that they take next: the lowest rank, then number first */
    size_t *at;       /* [blocks]: where its path goes on */
    uint64_t *calls;  /* [arcs]: one port: the rank of an arc's most urgent block, arc */
    uint32_t *busy;   /* [nodes]: the last round in which it had a call */
    gfab_arena arena;
} list;
GFAB_HOLDS_ARENA(list)

gfab_status gfab_routes_reserve(gfab_routes *routes)
{
    const size_t moves = routes->start[routes->blocks];
    routes->arcs = malloc((moves + 1) * sizeof *routes->arcs);
    routes->rank = malloc((moves + 1) * sizeof *routes->rank);
    return routes->arcs && routes->rank ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

void gfab_routes_release(gfab_routes *routes)
{
    GFAB_FREE(routes->start, routes->arcs, routes->rank);
}

static void push(list *l, uint32_t block)
{
    const uint64_t rank = l->routes->rank[l->at[block]];
    gfab_ready_push(&l->ready, l->routes->arcs[l->at[block]], rank << 32 | block, block);
}

/* The most urgent block moves over the arc; where it has further to go it may leave hop_rounds later. */
static gfab_status move(list *l, uint32_t round, gfab_arc arc, gfab_schedule *schedule)
{
    const uint32_t block = gfab_ready_pop(&l->ready, arc);
    l->moved++;
    if (++l->at[block] < l->routes->start[block + 1])
        gfab_ready_allow(&l->ready, block, round + l->model->hop_rounds);
    return schedule ? gfab_schedule_append(schedule, round, arc, block) : GFAB_OK;
}

/* One round of a link. */
static gfab_status use_link(list *l, uint32_t round, gfab_arc forward, gfab_schedule *schedule)
{
    const gfab_arc first = forward ^ (round % 2 == 0), second = first ^ 1;
    const bool full = l->model->link_mode == GFAB_LINK_FULL;
    const bool has_first = l->ready.size[first] > 0, has_second = l->ready.size[second] > 0;
    GFAB_TRY(has_first ? move(l, round, first, schedule) : GFAB_OK);
    return has_second && (full || !has_first) ? move(l, round, second, schedule) : GFAB_OK;
}

static gfab_status use_all(list *l, uint32_t round, gfab_schedule *schedule)
{
    for (gfab_arc arc = 0; arc < l->arcs; arc += 2)
        GFAB_TRY(use_link(l, round, arc, schedule));
    return GFAB_OK;
}

/* One port: links in the order of their most urgent blocks, where both nodes are free. A link in half duplex goes the
 * way of that block. */
static gfab_status use_ports(list *l, uint32_t round, gfab_schedule *schedule)
{
    const bool full = l->model->link_mode == GFAB_LINK_FULL;
    size_t count = 0;
    for (gfab_arc arc = 0; arc < l->arcs; arc++)
        if (l->ready.size[arc] > 0)
            l->calls[count++] = l->ready.heap[l->ready.start[arc]].key >> 32 << 32 | arc;
    if (count > 0)
        qsort(l->calls, count, sizeof *l->calls, gfab_ascending);
    for (size_t i = 0; i < count; i++) {
        const gfab_arc arc = (gfab_arc)l->calls[i];
        const gfab_link link = gfab_topology_link(l->topology, arc / 2);
        if (l->busy[link.node[0]] == round || l->busy[link.node[1]] == round)
            continue;
        l->busy[link.node[0]] = l->busy[link.node[1]] = round;
        GFAB_TRY(move(l, round, arc, schedule));
        if (full && l->ready.size[arc ^ 1] > 0)
            GFAB_TRY(move(l, round, arc ^ 1, schedule));
    }
    return GFAB_OK;
}

static gfab_status run(list *l, const gfab_solver_options *options, uint32_t *rounds, gfab_schedule *schedule)
{
    size_t left = l->routes->start[l->routes->blocks];
    const size_t total = left;
    for (uint32_t b = 0; b < l->routes->blocks; b++)
        if (l->at[b] < l->routes->start[b + 1])
            push(l, b);
    for (uint32_t round = 1; left; round++) {
        for (uint32_t b = gfab_ready_due(&l->ready, round); b != GFAB_READY_NONE; b = l->ready.next[b])
            push(l, b);
        GFAB_TRY((l->model->port_mode == GFAB_PORT_ONE ? use_ports : use_all)(l, round, schedule));
        left = total - l->moved;
        *rounds = round;
        GFAB_TRY(round > GFAB_MAX_ROUNDS - l->model->hop_rounds
                     ? GFAB_ERR_LIMIT
                     : gfab_solver_report(options, "moves", total - left, total));
    }
    return GFAB_OK;
}

gfab_status gfab_routes_list(const gfab_topology *topology, const gfab_model *model, const gfab_routes *routes,
                             const gfab_solver_options *options, uint32_t *rounds, gfab_schedule *schedule)
{
    const size_t moves = routes->start[routes->blocks];
    GFAB_AT_END(list_release)
    list l = {.topology = topology, .routes = routes, .model = model, .arcs = 2 * gfab_topology_link_count(topology)};
    gfab_ready_create(&l.ready, &l.arena, moves + routes->blocks, l.arcs, model->hop_rounds);
    l.at = gfab_arena_zeroed(&l.arena, routes->blocks, sizeof *l.at);
    l.calls = gfab_arena_zeroed(&l.arena, l.arcs, sizeof *l.calls);
    l.busy = gfab_arena_zeroed(&l.arena, gfab_topology_node_count(topology), sizeof *l.busy);
    gfab_status status = l.arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    *rounds = 0;
    if (status == GFAB_OK) {
        for (size_t i = 0; i < moves; i++)
            gfab_ready_count(&l.ready, routes->arcs[i]);
        gfab_ready_cut(&l.ready);
        for (size_t b = 0; b < routes->blocks; b++)
            l.at[b] = routes->start[b];
        status = run(&l, options, rounds, schedule);
    }
    return status;
}
