/* SPDX-License-Identifier: MIT */
/* List scheduling of blocks along their paths. */
#include "routes.h"

#include "solvers/fifo.h"

#include "base/ascending.h"

#include <stdlib.h>

typedef struct list {
    const gfab_topology *topology;
    const gfab_routes *routes;
    const gfab_model *model;
    size_t arcs, moved;
    size_t *heap_start;   /* [arcs + 1]: an arc's heap has room for all blocks that ever pass it */
    size_t *heap_size;    /* [arcs] */
    uint64_t *heaps;      /* rank, then block: the lowest first */
    size_t *at;           /* [blocks]: where its path goes on */
    uint64_t *calls;      /* [arcs]: one port: the rank of an arc's most urgent block, arc */
    uint32_t *busy;       /* [nodes]: the last round in which it had a call */
    gfab_fifo on_the_way; /* round and block, in the order of the rounds from which they may leave */
} list;

gfab_status gfab_routes_reserve(gfab_routes *routes)
{
    const size_t moves = routes->start[routes->blocks];
    routes->arcs = malloc((moves + 1) * sizeof *routes->arcs);
    routes->rank = malloc((moves + 1) * sizeof *routes->rank);
    return routes->arcs && routes->rank ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

void gfab_routes_release(gfab_routes *routes)
{
    free(routes->start);
    free(routes->arcs);
    free(routes->rank);
}

static void push(list *l, uint32_t block)
{
    const gfab_arc arc = l->routes->arcs[l->at[block]];
    const uint64_t key = (uint64_t)l->routes->rank[l->at[block]] << 32 | block;
    uint64_t *heap = l->heaps + l->heap_start[arc];
    size_t i = l->heap_size[arc]++;
    for (; i && heap[(i - 1) / 2] > key; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = key;
}

/* The arc's heap must not be empty. */
static uint32_t pop(list *l, gfab_arc arc)
{
    uint64_t *heap = l->heaps + l->heap_start[arc];
    const uint64_t first = heap[0];
    const size_t size = --l->heap_size[arc];
    const uint64_t key = heap[size];
    size_t i = 0;
    for (size_t child = 1; child < size; child = 2 * i + 1) {
        if (child + 1 < size && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= key)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = key;
    return (uint32_t)first;
}

/* The most urgent block moves over the arc; where it has further to go it may leave hop_rounds later. */
static gfab_status move(list *l, uint32_t round, gfab_arc arc, gfab_schedule *schedule)
{
    const uint32_t block = pop(l, arc);
    l->moved++;
    gfab_status status = schedule ? gfab_schedule_append(schedule, round, arc, block) : GFAB_OK;
    if (++l->at[block] == l->routes->start[block + 1] || status != GFAB_OK)
        return status;
    status = gfab_fifo_push(&l->on_the_way, round + l->model->hop_rounds);
    return status == GFAB_OK ? gfab_fifo_push(&l->on_the_way, block) : status;
}

/* One round of a link. */
static gfab_status use_link(list *l, uint32_t round, gfab_arc forward, gfab_schedule *schedule)
{
    const gfab_arc first = forward ^ (round % 2 == 0), second = first ^ 1;
    const bool full = l->model->link_mode == GFAB_LINK_FULL;
    const bool has_first = l->heap_size[first] > 0, has_second = l->heap_size[second] > 0;
    gfab_status status = has_first ? move(l, round, first, schedule) : GFAB_OK;
    if (status == GFAB_OK && has_second && (full || !has_first))
        status = move(l, round, second, schedule);
    return status;
}

static gfab_status use_all(list *l, uint32_t round, gfab_schedule *schedule)
{
    gfab_status status = GFAB_OK;
    for (gfab_arc arc = 0; arc < l->arcs && status == GFAB_OK; arc += 2)
        status = use_link(l, round, arc, schedule);
    return status;
}

/* One port: links in the order of their most urgent blocks, where both nodes are free. A link in half duplex goes the
 * way of that block. */
static gfab_status use_ports(list *l, uint32_t round, gfab_schedule *schedule)
{
    const bool full = l->model->link_mode == GFAB_LINK_FULL;
    size_t count = 0;
    gfab_status status = GFAB_OK;
    for (gfab_arc arc = 0; arc < l->arcs; arc++)
        if (l->heap_size[arc] > 0)
            l->calls[count++] = (l->heaps[l->heap_start[arc]] >> 32) << 32 | arc;
    if (count > 0)
        qsort(l->calls, count, sizeof *l->calls, gfab_ascending);
    for (size_t i = 0; i < count && status == GFAB_OK; i++) {
        const gfab_arc arc = (gfab_arc)l->calls[i];
        const gfab_link link = gfab_topology_link(l->topology, arc / 2);
        if (l->busy[link.node[0]] == round || l->busy[link.node[1]] == round)
            continue;
        l->busy[link.node[0]] = l->busy[link.node[1]] = round;
        status = move(l, round, arc, schedule);
        if (status == GFAB_OK && full && l->heap_size[arc ^ 1] > 0)
            status = move(l, round, arc ^ 1, schedule);
    }
    return status;
}

static gfab_status run(list *l, const gfab_solver_options *options, uint32_t *rounds, gfab_schedule *schedule)
{
    gfab_status status = GFAB_OK;
    size_t left = l->routes->start[l->routes->blocks];
    const size_t total = left;
    for (uint32_t b = 0; b < l->routes->blocks; b++)
        if (l->at[b] < l->routes->start[b + 1])
            push(l, b);
    for (uint32_t round = 1; left && status == GFAB_OK; round++) {
        while (l->on_the_way.count && gfab_fifo_first(&l->on_the_way) <= round) {
            gfab_fifo_pop(&l->on_the_way);
            push(l, gfab_fifo_pop(&l->on_the_way));
        }
        status = (l->model->port_mode == GFAB_PORT_ONE ? use_ports : use_all)(l, round, schedule);
        left = total - l->moved;
        *rounds = round;
        if (status == GFAB_OK)
            status = round > GFAB_MAX_ROUNDS - l->model->hop_rounds
                         ? GFAB_ERR_LIMIT
                         : gfab_solver_report(options, "moves", total - left, total);
    }
    return status;
}

gfab_status gfab_routes_list(const gfab_topology *topology, const gfab_model *model, const gfab_routes *routes,
                             const gfab_solver_options *options, uint32_t *rounds, gfab_schedule *schedule)
{
    const size_t moves = routes->start[routes->blocks];
    list l = {.topology = topology, .routes = routes, .model = model, .arcs = 2 * gfab_topology_link_count(topology)};
    l.heap_start = calloc(l.arcs + 1, sizeof *l.heap_start);
    l.heap_size = calloc(l.arcs, sizeof *l.heap_size);
    l.heaps = malloc((moves + 1) * sizeof *l.heaps);
    l.at = malloc(routes->blocks * sizeof *l.at);
    l.calls = malloc(l.arcs * sizeof *l.calls);
    l.busy = calloc(gfab_topology_node_count(topology), sizeof *l.busy);
    gfab_status status =
        l.heap_start && l.heap_size && l.heaps && l.at && l.calls && l.busy ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    *rounds = 0;
    if (status == GFAB_OK) {
        for (size_t i = 0; i < moves; i++)
            l.heap_start[routes->arcs[i] + 1]++;
        for (size_t a = 0; a < l.arcs; a++)
            l.heap_start[a + 1] += l.heap_start[a];
        for (size_t b = 0; b < routes->blocks; b++)
            l.at[b] = routes->start[b];
        status = run(&l, options, rounds, schedule);
    }
    free(l.heap_start);
    free(l.heap_size);
    free(l.heaps);
    free(l.at);
    free(l.calls);
    free(l.busy);
    free(l.on_the_way.items);
    return status;
}
