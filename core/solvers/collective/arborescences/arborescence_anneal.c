/* SPDX-License-Identifier: MIT */
/* Less depth by exchanges: a tree reaches a node by another arc, and the tree that had this arc by the one that the
 * first gave up, if neither closes a circle then. The penalty is the sum of the squares by which nodes are too deep.
 * Simulated annealing; nodes on the way to one that is too deep are looked at most. In whole numbers, so that every
 * machine makes the same. */
#include "arborescence_packing.h"

#include "base/random.h"

#include <stdlib.h>

#define NONE GFAB_ARBOR_NONE
/* A temperature, in 1 / 64, times ln 2: from 4 down to 0.15 in so many stages. */
#define START_HEAT 177u
#define STAGES 50u
#define REPORT_STEPS 4096u

typedef struct annealing {
    gfab_arbor_packing *packing;
    uint32_t limit; /* depth */
    uint64_t penalty;
    uint64_t random;
    uint32_t *stack; /* [nodes] */
    uint64_t *deep;  /* tree, node: too deep when it was listed; [count * nodes] */
    uint32_t deep_count;
} annealing;

/* An exchange: tree reaches its node by `gained` in place of `given`. */
typedef struct exchange {
    uint32_t node, tree, given, gained, other; /* other: the tree that had gained; NONE */
} exchange;

static uint64_t excess(const annealing *a, uint32_t depth)
{
    const uint64_t over = depth > a->limit ? depth - a->limit : 0;
    return over * over;
}

static uint32_t *depths(const annealing *a, uint32_t tree)
{
    return a->packing->depth + (size_t)tree * a->packing->graph->nodes;
}

static uint32_t *parents(const annealing *a, uint32_t tree)
{
    return a->packing->parent + (size_t)tree * a->packing->graph->nodes;
}

/* Is the node on the tree's way to another, or that itself? */
static bool is_above(const annealing *a, uint32_t tree, uint32_t node, uint32_t below)
{
    const uint32_t *depth = depths(a, tree), *parent = parents(a, tree);
    while (depth[below] > depth[node])
        below = a->packing->graph->from[parent[below]];
    return below == node;
}

/* Brings a node and all that hangs on it to its parent's depth and on. */
static void settle(annealing *a, uint32_t tree, uint32_t node)
{
    const gfab_arbor_packing *p = a->packing;
    const gfab_arbor_graph *graph = p->graph;
    uint32_t *depth = depths(a, tree);
    const uint32_t *parent = parents(a, tree);
    const uint32_t down = depth[graph->from[parent[node]]] + 1 - depth[node]; /* modulo 2^32 */
    uint32_t count = 0;
    if (down == 0)
        return;
    a->stack[count++] = node;
    while (count > 0) {
        const uint32_t v = a->stack[--count];
        a->penalty -= excess(a, depth[v]);
        depth[v] += down;
        a->penalty += excess(a, depth[v]);
        for (uint32_t i = graph->first_out[v]; i < graph->first_out[v + 1]; i++)
            if (p->owner[graph->out[i]] == tree)
                a->stack[count++] = graph->to[graph->out[i]];
    }
}

static void apply(annealing *a, const exchange *e)
{
    gfab_arbor_packing *p = a->packing;
    p->owner[e->gained] = e->tree;
    p->owner[e->given] = e->other;
    parents(a, e->tree)[e->node] = e->gained;
    settle(a, e->tree, e->node);
    if (e->other != NONE) {
        parents(a, e->other)[e->node] = e->given;
        settle(a, e->other, e->node);
    }
}

/* exp(-worse / temperature) against chance: -log2 of a random number, in 1 / 256, by its first bits. */
static bool accept(annealing *a, uint64_t worse, uint32_t heat)
{
    uint64_t random = gfab_random(&a->random) | 1;
    uint64_t bits = 0;
    for (; !(random >> 63); random <<= 1)
        bits += 256;
    bits += 255 - (random << 1 >> 56);
    return worse * 256 * 64 <= heat * bits;
}

static void list_deep(annealing *a)
{
    const uint32_t nodes = a->packing->graph->nodes;
    a->deep_count = 0;
    for (uint32_t tree = 0; tree < a->packing->count; tree++)
        for (uint32_t v = 0; v < nodes; v++)
            if (depths(a, tree)[v] > a->limit)
                a->deep[a->deep_count++] = (uint64_t)tree << 32 | v;
}

/* False where the exchange that chance has chosen is none. */
static bool choose(annealing *a, exchange *e)
{
    const gfab_arbor_packing *p = a->packing;
    const gfab_arbor_graph *graph = p->graph;
    if (a->deep_count > 0 && gfab_random_below(&a->random, 4)) {
        const uint64_t deep = a->deep[gfab_random_below(&a->random, a->deep_count)];
        e->tree = (uint32_t)(deep >> 32);
        e->node = (uint32_t)deep;
        for (uint32_t up = gfab_random_below(&a->random, depths(a, e->tree)[e->node]); up > 0; up--)
            e->node = graph->from[parents(a, e->tree)[e->node]];
    } else {
        e->tree = gfab_random_below(&a->random, p->count);
        e->node = gfab_random_below(&a->random, graph->nodes);
        if (e->node == p->root)
            return false;
    }
    const uint32_t first = graph->first_in[e->node], arcs = graph->first_in[e->node + 1] - first;
    e->given = parents(a, e->tree)[e->node];
    e->gained = graph->in[first + gfab_random_below(&a->random, arcs)];
    e->other = p->owner[e->gained];
    return e->other != e->tree && !is_above(a, e->tree, e->node, graph->from[e->gained]) &&
           (e->other == NONE || !is_above(a, e->other, e->node, graph->from[e->given]));
}

static void step(annealing *a, uint32_t heat)
{
    exchange e;
    if (!choose(a, &e))
        return;
    const uint64_t before = a->penalty;
    apply(a, &e);
    if (a->penalty <= before || accept(a, a->penalty - before, heat))
        return;
    apply(a, &(exchange){e.node, e.tree, e.gained, e.given, e.other}); /* back */
}

gfab_status gfab_arbor_anneal(gfab_arbor_packing *packing, uint32_t depth, uint64_t steps, uint64_t *random,
                              const gfab_solver_options *options, bool *reached)
{
    const uint32_t nodes = packing->graph->nodes, cells = packing->count * nodes;
    const uint64_t relist = cells / 16 > 64 ? cells / 16 : 64;
    GFAB_FREED uint32_t *stack = malloc(nodes * sizeof *stack);
    GFAB_FREED uint64_t *deep = malloc(cells * sizeof *deep);
    GFAB_NEED(stack && deep);
    annealing a = {.packing = packing, .limit = depth, .random = gfab_random(random), .stack = stack, .deep = deep};
    for (uint32_t cell = 0; cell < cells; cell++)
        a.penalty += excess(&a, packing->depth[cell]);
    uint32_t heat = START_HEAT;
    for (uint64_t i = 0; i < steps && a.penalty > 0; i++) {
        if (i % relist == 0)
            list_deep(&a);
        if (i % (steps / STAGES + 1) == steps / STAGES)
            heat -= heat / 16;
        step(&a, heat);
        if (i % REPORT_STEPS == 0)
            GFAB_TRY(gfab_solver_report(options, "steps", i, steps));
    }
    *reached = a.penalty == 0;
    return GFAB_OK;
}
