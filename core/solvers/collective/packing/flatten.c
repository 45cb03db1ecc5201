/* SPDX-License-Identifier: MIT */
/* Flatter trees by local exchange: a node hangs itself on another neighbour, and where that edge's class has no room
 * left, a tree that has an edge of it takes one of the class that became free in its place. */
#include "base/random.h"
#include "forest.h"

#include <string.h>

#define NONE GFAB_FOREST_NONE

/* An exchange: tree[i] gives out[i] for in[i]. Where there are two, the second gives an edge of the class of in[0] for
 * one of that of out[0]. */
typedef struct trial {
    uint32_t count;
    uint32_t tree[2], out[2], in[2];
} trial;

/* Is the node below, or is it, the given one? */
static bool is_below(const gfab_forest *f, uint32_t tree, uint32_t node, uint32_t top)
{
    const size_t base = (size_t)tree * f->nodes;
    while (f->depth[base + node] > f->depth[base + top])
        node = gfab_forest_other(f, f->up[base + node], node);
    return node == top;
}

/* What a deep tree costs. */
static uint64_t weigh(const gfab_forest *f, uint32_t tree)
{
    const uint32_t *depth = f->depth + (size_t)tree * f->nodes;
    uint64_t sum = 0;
    for (uint32_t v = 0; v < f->nodes; v++)
        sum += (uint64_t)depth[v] * depth[v] * depth[v];
    return sum;
}

/* The edge out in the place of the edge in would leave the tree one: exactly one end of out is below in. */
static bool can_replace(const gfab_forest *f, uint32_t tree, uint32_t in, uint32_t out)
{
    const size_t base = (size_t)tree * f->nodes;
    const uint32_t lower = f->up[base + f->end[2 * in]] == in ? f->end[2 * in] : f->end[2 * in + 1];
    return is_below(f, tree, f->end[2 * out], lower) != is_below(f, tree, f->end[2 * out + 1], lower);
}

/* One that a tree has, or does not have, of a class, from any one on; NONE. */
static uint32_t pick(gfab_forest *f, uint32_t tree, uint32_t class, bool has)
{
    const uint32_t from = f->images->from[class], count = f->images->from[class + 1] - from;
    const uint32_t first = gfab_random_below(&f->random, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t edge = f->images->list[from + (first + i) % count];
        if (f->has[(size_t)tree * f->edges + edge] == has)
            return edge;
    }
    return NONE;
}

/* At random; false where what was drawn is no exchange. */
static bool draw(gfab_forest *f, trial *t)
{
    const uint32_t tree = gfab_random_below(&f->random, f->trees), v = gfab_random_below(&f->random, f->nodes);
    const uint32_t *class = f->images->link_class;
    size_t count;
    const gfab_port *ports = gfab_topology_ports(f->topology, v, &count);
    const gfab_port *port = &ports[gfab_random_below(&f->random, (uint32_t)count)];
    const uint32_t out = f->up[(size_t)tree * f->nodes + v], in = port->link;
    *t = (trial){1, {tree, NONE}, {out, NONE}, {in, NONE}};
    if (out == NONE || f->has[(size_t)tree * f->edges + in] || is_below(f, tree, port->peer, v))
        return false;
    if (class[in] == class[out] || f->left[class[in]])
        return true;
    uint32_t other = gfab_random_below(&f->random, f->trees);
    for (uint32_t i = 0; i < f->trees; i++, other = (other + 1) % f->trees) {
        t->out[1] = other == tree ? NONE : pick(f, other, class[in], true);
        if (t->out[1] != NONE)
            break;
    }
    t->count = 2;
    t->tree[1] = other;
    t->in[1] = t->out[1] == NONE ? NONE : pick(f, other, class[out], false);
    return t->in[1] != NONE && can_replace(f, other, t->out[1], t->in[1]);
}

static void swap_edges(gfab_forest *f, const trial *t, bool there)
{
    for (uint32_t i = 0; i < t->count; i++) {
        bool *has = f->has + (size_t)t->tree[i] * f->edges;
        has[t->out[i]] = !there;
        has[t->in[i]] = there;
    }
    if (t->count == 1) {
        *gfab_forest_left(f, t->in[0]) += there ? -1u : 1u;
        *gfab_forest_left(f, t->out[0]) += there ? 1u : -1u;
    }
}

/* Keeps it if the trees are no deeper after it. */
static void attempt(gfab_forest *f, const trial *t)
{
    const uint32_t count = t->count;
    const size_t row = f->nodes * sizeof *f->up;
    uint64_t before = 0, after = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t base = (size_t)t->tree[i] * f->nodes;
        before += weigh(f, t->tree[i]);
        memcpy(f->old + 2 * (size_t)i * f->nodes, f->up + base, row);
        memcpy(f->old + (2 * (size_t)i + 1) * f->nodes, f->depth + base, row);
    }
    swap_edges(f, t, true);
    for (uint32_t i = 0; i < count; i++) {
        gfab_forest_hang(f, t->tree[i]);
        after += weigh(f, t->tree[i]);
    }
    if (after <= before)
        return;
    swap_edges(f, t, false);
    for (uint32_t i = 0; i < count; i++) {
        const size_t base = (size_t)t->tree[i] * f->nodes;
        memcpy(f->up + base, f->old + 2 * (size_t)i * f->nodes, row);
        memcpy(f->depth + base, f->old + (2 * (size_t)i + 1) * f->nodes, row);
    }
}

void gfab_forest_flatten(gfab_forest *forest, uint64_t tries)
{
    trial t;
    for (uint64_t i = 0; i < tries; i++)
        if (draw(forest, &t))
            attempt(forest, &t);
}
