/* SPDX-License-Identifier: MIT */
/* Flatter trees by local exchange: a node hangs itself on another neighbour, and where that edge has no room left, a
 * tree that has it takes the edge that became free in its place. */
#include "base/random.h"
#include "forest.h"

#include <string.h>

#define NONE GFAB_FOREST_NONE

/* An exchange: tree[0] gives out for in, tree[1], unless NONE, in for out. */
typedef struct trial {
    uint32_t tree[2];
    uint32_t out, in;
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

/* At random; false where what was drawn is no exchange. */
static bool draw(gfab_forest *f, trial *t)
{
    const uint32_t tree = gfab_random_below(&f->random, f->trees), v = gfab_random_below(&f->random, f->nodes);
    size_t count;
    const gfab_port *ports = gfab_topology_ports(f->topology, v, &count);
    const gfab_port *port = &ports[gfab_random_below(&f->random, (uint32_t)count)];
    *t = (trial){{tree, NONE}, f->up[(size_t)tree * f->nodes + v], port->link};
    if (t->out == NONE || f->has[(size_t)tree * f->edges + port->link] || is_below(f, tree, port->peer, v))
        return false;
    if (f->left[port->link])
        return true;
    uint32_t other = gfab_random_below(&f->random, f->trees);
    for (uint32_t i = 0; i < f->trees && !f->has[(size_t)other * f->edges + t->in]; i++)
        other = (other + 1) % f->trees;
    t->tree[1] = other;
    return !f->has[(size_t)other * f->edges + t->out] && can_replace(f, other, t->in, t->out);
}

static void swap_edges(gfab_forest *f, const trial *t, bool there)
{
    const uint32_t count = t->tree[1] == NONE ? 1 : 2;
    for (uint32_t i = 0; i < count; i++) {
        bool *has = f->has + (size_t)t->tree[i] * f->edges;
        has[t->out] = (i == 1) == there;
        has[t->in] = (i == 0) == there;
    }
    if (count == 1) {
        f->left[t->in] += there ? -1u : 1u;
        f->left[t->out] += there ? 1u : -1u;
    }
}

/* Keeps it if the trees are no deeper after it. */
static void attempt(gfab_forest *f, const trial *t)
{
    const uint32_t count = t->tree[1] == NONE ? 1 : 2;
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
