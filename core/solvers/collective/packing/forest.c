/* SPDX-License-Identifier: MIT */
/* Trees that are grown, and completed by exchanges: a common base of two matroids, the union of graphic ones and the
 * room of the classes. */
#include "forest.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_FOREST_NONE

/* ---- setting up ---- */

/* Nodes by their distance to the farthest node, in queue; how many have the least goes to *middle. */
static gfab_status find_middle(gfab_forest *f, uint32_t *middle)
{
    GFAB_FREED uint32_t *distances = malloc(2 * (size_t)f->nodes * sizeof *distances);
    uint32_t least = NONE;
    *middle = 0;
    for (uint32_t v = 0; v < f->nodes && distances; v++) {
        uint32_t far = 0;
        gfab_topology_distances(f->topology, v, distances, distances + f->nodes);
        for (uint32_t u = 0; u < f->nodes; u++)
            far = distances[u] > far ? distances[u] : far;
        if (far < least)
            *middle = 0;
        least = far < least ? far : least;
        if (far == least)
            f->queue[(*middle)++] = v;
    }
    return distances ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_forest_create(const gfab_images *images, uint32_t trees, const uint32_t *room, uint64_t seed,
                               gfab_forest *forest)
{
    const gfab_topology *topology = images->topology;
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    const uint32_t edges = (uint32_t)gfab_topology_link_count(topology);
    const size_t cells = (size_t)trees * nodes;
    gfab_forest *f = forest;
    *f = (gfab_forest){.topology = topology,
                       .images = images,
                       .nodes = nodes,
                       .edges = edges,
                       .trees = trees,
                       .missing = trees * (nodes - 1),
                       .random = seed};
    f->end = gfab_arena_zeroed(&f->arena, 2 * (size_t)edges, sizeof *f->end);
    f->left = gfab_arena_zeroed(&f->arena, images->link_classes, sizeof *f->left);
    f->root = gfab_arena_zeroed(&f->arena, trees, sizeof *f->root);
    GFAB_ARRAYS(&f->arena, cells, f->up, f->depth);
    f->has = gfab_arena_zeroed2(&f->arena, trees, edges, sizeof *f->has);
    GFAB_ARRAYS(&f->arena, ((size_t)edges + nodes), f->queue, f->mark);
    GFAB_ARRAYS(&f->arena, edges, f->from, f->out);
    f->old = gfab_arena_zeroed(&f->arena, 4 * (size_t)nodes, sizeof *f->old);
    GFAB_NEED(!f->arena.failed);
    memcpy(f->left, room, images->link_classes * sizeof *room);
    for (uint32_t e = 0; e < edges; e++) {
        const gfab_link link = gfab_topology_link(topology, e);
        f->end[2 * e] = link.node[0];
        f->end[2 * e + 1] = link.node[1];
    }
    for (size_t i = 0; i < cells; i++)
        f->up[i] = NONE;
    uint32_t middle;
    GFAB_TRY(find_middle(f, &middle));
    for (uint32_t t = 0; t < trees; t++)
        f->root[t] = f->queue[(uint64_t)t * middle / trees % middle];
    return GFAB_OK;
}

/* Edges on the longest way from the root of a tree. */
static uint32_t height_of(const gfab_forest *forest, uint32_t tree)
{
    uint32_t height = 0;
    for (uint32_t v = 0; v < forest->nodes; v++)
        if (forest->depth[(size_t)tree * forest->nodes + v] > height)
            height = forest->depth[(size_t)tree * forest->nodes + v];
    return height;
}

/* ---- growing ---- */

/* A node that is not in the tree joins it below one of the layer above, if an edge has room. */
static void join(gfab_forest *f, uint32_t tree, uint32_t v, uint32_t layer)
{
    const size_t base = (size_t)tree * f->nodes;
    size_t count;
    const gfab_port *ports = gfab_topology_ports(f->topology, v, &count);
    const size_t first = gfab_random_below(&f->random, (uint32_t)count);
    uint32_t best = NONE;
    for (size_t i = 0; i < count; i++) {
        const gfab_port *port = &ports[(first + i) % count];
        const bool in = port->peer == f->root[tree] || f->up[base + port->peer] != NONE;
        if (!in || f->depth[base + port->peer] >= layer || *gfab_forest_left(f, port->link) == 0)
            continue;
        if (best == NONE || *gfab_forest_left(f, port->link) > *gfab_forest_left(f, best))
            best = port->link;
    }
    if (best == NONE)
        return;
    f->up[base + v] = best;
    f->depth[base + v] = f->depth[base + gfab_forest_other(f, best, v)] + 1;
    f->has[(size_t)tree * f->edges + best] = true;
    --*gfab_forest_left(f, best);
    f->missing--;
}

void gfab_forest_grow(gfab_forest *f)
{
    uint32_t before = 0, idle = 0;
    for (uint32_t layer = 1; f->missing && idle < 2; layer++) {
        before = f->missing;
        for (uint32_t i = 0; i < f->nodes; i++)
            f->queue[i] = i;
        for (uint32_t i = f->nodes; i > 1; i--) {
            const uint32_t k = gfab_random_below(&f->random, i), swap = f->queue[i - 1];
            f->queue[i - 1] = f->queue[k];
            f->queue[k] = swap;
        }
        for (uint32_t i = 0; i < f->nodes; i++) {
            const uint32_t v = f->queue[i], first = gfab_random_below(&f->random, f->trees);
            for (uint32_t k = 0; k < f->trees; k++) {
                const uint32_t tree = (first + k) % f->trees;
                if (v != f->root[tree] && f->up[(size_t)tree * f->nodes + v] == NONE)
                    join(f, tree, v, layer);
            }
        }
        idle = f->missing == before ? idle + 1 : 0;
    }
}

/* ---- completing ---- */

void gfab_forest_hang(gfab_forest *f, uint32_t tree)
{
    const size_t base = (size_t)tree * f->nodes;
    const bool *has = f->has + (size_t)tree * f->edges;
    uint32_t *seen = f->mark + f->edges, *queue = f->queue + f->edges;
    memset(seen, 0, f->nodes * sizeof *seen);
    for (uint32_t i = 0; i <= f->nodes; i++) {
        const uint32_t start = i == 0 ? f->root[tree] : i - 1;
        uint32_t head = 0, tail = 0;
        if (seen[start])
            continue;
        seen[start] = 1;
        f->up[base + start] = NONE;
        f->depth[base + start] = 0;
        for (queue[tail++] = start; head < tail; head++) {
            GFAB_EACH_PORT(port, f->topology, queue[head]) {
                const uint32_t u = port->peer;
                if (!has[port->link] || seen[u])
                    continue;
                seen[u] = 1;
                f->up[base + u] = port->link;
                f->depth[base + u] = f->depth[base + queue[head]] + 1;
                queue[tail++] = u;
            }
        }
    }
}

/* Offers an edge to a tree that does not have it. True where it joins two parts of the tree. Else the classes of the
 * edges of the circle that it closes are marked as ones whose room it could take. */
static bool offer(gfab_forest *f, uint32_t tree, uint32_t edge, uint32_t *tail)
{
    const size_t base = (size_t)tree * f->nodes;
    uint32_t a = f->end[2 * edge], b = f->end[2 * edge + 1];
    while (a != b) {
        if (f->depth[base + a] < f->depth[base + b] || f->up[base + a] == NONE) {
            const uint32_t swap = a;
            a = b;
            b = swap;
        }
        const uint32_t e = f->up[base + a];
        if (e == NONE)
            return true;
        const uint32_t class = f->images->link_class[e];
        if (f->mark[class] == NONE) {
            f->mark[class] = tree;
            f->from[class] = edge;
            f->out[class] = e;
            f->queue[(*tail)++] = class;
        }
        a = gfab_forest_other(f, e, a);
    }
    return false;
}

/* The edge joins two parts of the tree. Where its class had no room left an edge of it leaves another tree, for the
 * edge that offered itself to that one, and so on. */
static void carry_out(gfab_forest *f, uint32_t tree, uint32_t edge)
{
    for (;;) {
        const uint32_t class = f->images->link_class[edge], old = f->mark[class], from = f->from[class];
        f->has[(size_t)tree * f->edges + edge] = true;
        if (from == NONE) {
            f->left[class]--;
            f->missing--;
            gfab_forest_hang(f, tree);
            return;
        }
        f->has[(size_t)old * f->edges + f->out[class]] = false;
        gfab_forest_hang(f, tree);
        tree = old;
        edge = from;
    }
}

/* A shortest chain of exchanges (Edmonds 1968; Roskind & Tarjan, Mathematics of Operations Research 10 (1985)): from
 * the edges of classes with room left to those whose room they could take, and on to one that joins two parts of a
 * tree. */
bool gfab_forest_augment(gfab_forest *f)
{
    const gfab_images *images = f->images;
    uint32_t tail = 0;
    for (uint32_t c = 0; c < images->link_classes; c++) {
        f->mark[c] = f->left[c] ? f->trees : NONE;
        f->from[c] = NONE;
        if (f->left[c])
            f->queue[tail++] = c;
    }
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t class = f->queue[head], first = gfab_random_below(&f->random, f->trees);
        for (uint32_t i = images->from[class]; i < images->from[class + 1]; i++)
            for (uint32_t k = 0; k < f->trees; k++) {
                const uint32_t tree = (first + k) % f->trees, edge = images->list[i];
                if (f->has[(size_t)tree * f->edges + edge])
                    continue;
                if (offer(f, tree, edge, &tail)) {
                    carry_out(f, tree, edge);
                    return true;
                }
            }
    }
    return false;
}

/* ---- the middle ---- */

/* The node farthest from the root is one end of a longest way; hung from there the deepest node is the other. */
void gfab_forest_centre(gfab_forest *f)
{
    for (uint32_t tree = 0; tree < f->trees; tree++) {
        const uint32_t *up = f->up + (size_t)tree * f->nodes, *depth = f->depth + (size_t)tree * f->nodes;
        const uint32_t old = f->root[tree], height = height_of(f, tree);
        uint32_t end = 0;
        while (depth[end] < height)
            end++;
        f->root[tree] = end;
        gfab_forest_hang(f, tree);
        const uint32_t length = height_of(f, tree);
        uint32_t middle = 0;
        while (depth[middle] < length)
            middle++;
        for (uint32_t i = 0; i < length / 2; i++)
            middle = gfab_forest_other(f, up[middle], middle);
        f->root[tree] = (length + 1) / 2 < height ? middle : old;
        gfab_forest_hang(f, tree);
    }
}

/* ---- relays ---- */

void gfab_forest_prune(gfab_forest *f)
{
    bool changed = gfab_topology_has_relays(f->topology);
    while (changed) {
        changed = false;
        for (uint32_t tree = 0; tree < f->trees; tree++) {
            uint32_t *up = f->up + (size_t)tree * f->nodes, *degree = f->mark;
            memset(degree, 0, f->nodes * sizeof *degree);
            for (uint32_t v = 0; v < f->nodes; v++)
                if (up[v] != NONE) {
                    degree[v]++;
                    degree[gfab_forest_other(f, up[v], v)]++;
                }
            for (uint32_t v = 0; v < f->nodes; v++)
                if (up[v] != NONE && degree[v] == 1 && gfab_topology_is_relay(f->topology, v)) {
                    f->has[(size_t)tree * f->edges + up[v]] = false;
                    ++*gfab_forest_left(f, up[v]);
                    up[v] = NONE;
                    changed = true;
                }
        }
    }
}
