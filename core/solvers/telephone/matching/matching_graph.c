/* SPDX-License-Identifier: MIT */
/* What every run of the matching heuristic needs of a graph: neighbours, all distances, classes of links. */
#include "matching_state.h"

#include "base/sets.h"

#include <stdlib.h>
#include <string.h>

/* Looking for cycles of 4 is left out where it would take more steps than this: in dense graphs. */
#define CLASS_STEPS ((uint64_t)1 << 31)

static gfab_status connect(gfab_matching_graph *g, const gfab_topology *topology)
{
    g->ends = gfab_arena_zeroed2(&g->arena, 2, g->links, sizeof *g->ends);
    g->start = gfab_arena_zeroed(&g->arena, g->nodes + 1, sizeof *g->start);
    g->peer = gfab_arena_zeroed2(&g->arena, 2, g->links, sizeof *g->peer);
    g->by = gfab_arena_zeroed2(&g->arena, 2, g->links, sizeof *g->by);
    GFAB_NEED(!g->arena.failed);
    for (size_t l = 0; l < g->links; l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        g->ends[2 * l] = link.node[0];
        g->ends[2 * l + 1] = link.node[1];
    }
    size_t at = 0;
    for (size_t v = 0; v < g->nodes; v++) {
        g->start[v] = at;
        GFAB_EACH_PORT(port, topology, v) {
            g->peer[at] = port->peer;
            g->by[at++] = port->link;
        }
    }
    g->start[g->nodes] = at;
    return GFAB_OK;
}

typedef struct distance_loop {
    gfab_matching_graph *g;
    uint32_t *queue[GFAB_MAX_WORKERS];
    uint8_t *row[GFAB_MAX_WORKERS];
    uint32_t farthest[GFAB_MAX_WORKERS];
} distance_loop;

/* The distances from a node, by breadth-first search, into its row of every tile; above GFAB_MATCHING_FAR - 1 nothing
 * but that they are is known. */
static void distances_from(void *context, unsigned worker, size_t node)
{
    distance_loop *loop = context;
    gfab_matching_graph *g = loop->g;
    uint32_t *queue = loop->queue[worker];
    uint8_t *row = loop->row[worker];
    size_t head = 0, tail = 0;
    memset(row, GFAB_MATCHING_FAR, g->nodes);
    row[node] = 0;
    queue[tail++] = (uint32_t)node;
    while (head < tail) {
        const uint32_t v = queue[head++];
        const uint8_t next = (uint8_t)(row[v] + 1);
        if (next > loop->farthest[worker])
            loop->farthest[worker] = next;
        if (next == GFAB_MATCHING_FAR)
            return;
        for (size_t i = g->start[v]; i < g->start[v + 1]; i++)
            if (row[g->peer[i]] == GFAB_MATCHING_FAR) {
                row[g->peer[i]] = next;
                queue[tail++] = g->peer[i];
            }
    }
    for (size_t t = 0; t < g->tiles; t++)
        memcpy(g->distance + (t * g->nodes + node) * GFAB_TILE, row + t * GFAB_TILE, GFAB_TILE);
}

/* The table of distances, or none where they do not fit in bytes. */
static gfab_status measure(gfab_matching_graph *g, unsigned workers)
{
    distance_loop loop = {.g = g};
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    GFAB_FREED uint8_t *distance = malloc(g->padded * g->nodes);
    for (unsigned w = 0; w < workers; w++) {
        loop.queue[w] = gfab_arena_zeroed(&arena, g->nodes, sizeof *loop.queue[w]);
        loop.row[w] = gfab_arena_zeroed(&arena, g->padded, 1);
    }
    GFAB_NEED(distance && !arena.failed);
    g->distance = distance;
    gfab_parallel_for(workers, g->nodes, distances_from, &loop);
    uint32_t beyond = 0; /* one more than the diameter */
    for (unsigned w = 0; w < workers; w++)
        beyond = loop.farthest[w] > beyond ? loop.farthest[w] : beyond;
    g->distance = NULL;
    if (beyond >= GFAB_MATCHING_FAR)
        return GFAB_OK;
    g->distance = gfab_take_at(&distance);
    g->diameter = beyond - 1;
    return GFAB_OK;
}

/* Joins, for each path e - a - b - c that a link closes to a cycle, the links e - c and a - b; the lower number becomes
 * the class. In hypercubes, meshes and tori the classes are the dimensions, or parts of them. */
static void join_opposite(gfab_matching_graph *g, uint32_t *link_to)
{
    for (size_t v = 0; v < g->nodes; v++)
        link_to[v] = UINT32_MAX;
    for (size_t l = 0; l < g->links; l++) {
        const uint32_t a = g->ends[2 * l], b = g->ends[2 * l + 1];
        for (size_t i = g->start[b]; i < g->start[b + 1]; i++) {
            const uint32_t c = g->peer[i];
            if (c == a)
                continue;
            for (size_t j = g->start[c]; j < g->start[c + 1]; j++)
                link_to[g->peer[j]] = g->by[j];
            for (size_t j = g->start[a]; j < g->start[a + 1]; j++) {
                const uint32_t other = link_to[g->peer[j]];
                if (g->peer[j] == b || other == UINT32_MAX)
                    continue;
                gfab_sets_join(g->link_class, (uint32_t)l, other);
            }
            for (size_t j = g->start[c]; j < g->start[c + 1]; j++)
                link_to[g->peer[j]] = UINT32_MAX;
        }
    }
}

static gfab_status classify(gfab_matching_graph *g)
{
    GFAB_FREED uint32_t *link_to = malloc(g->nodes * sizeof *link_to);
    g->link_class = gfab_arena_zeroed(&g->arena, g->links, sizeof *g->link_class);
    GFAB_NEED(link_to && g->link_class);
    uint64_t steps = 0;
    for (size_t l = 0; l < g->links; l++) {
        const uint32_t a = g->ends[2 * l], b = g->ends[2 * l + 1];
        g->link_class[l] = (uint32_t)l;
        steps += (g->start[b + 1] - g->start[b]) * (g->start[a + 1] - g->start[a] + g->start[b + 1] - g->start[b]);
    }
    if (steps <= CLASS_STEPS)
        join_opposite(g, link_to);
    for (size_t l = 0; l < g->links; l++)
        g->link_class[l] = gfab_set_of(g->link_class, (uint32_t)l);
    return GFAB_OK;
}

gfab_status gfab_matching_graph_init(gfab_matching_graph *g, const gfab_topology *topology, bool table,
                                     unsigned workers)
{
    memset(g, 0, sizeof *g);
    g->nodes = gfab_topology_node_count(topology);
    g->links = gfab_topology_link_count(topology);
    g->tiles = (g->nodes + GFAB_TILE - 1) / GFAB_TILE;
    g->padded = g->tiles * GFAB_TILE;
    GFAB_TRY(connect(g, topology));
    GFAB_TRY(classify(g));
    return table && g->nodes <= GFAB_MATCHING_TABLE_NODES ? measure(g, workers) : GFAB_OK;
}

void gfab_matching_graph_free(gfab_matching_graph *g)
{
    gfab_arena_release(&g->arena);
    free(g->distance);
}
