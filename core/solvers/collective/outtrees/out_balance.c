/* SPDX-License-Identifier: MIT */
/* Trees on graphs that are too large for flows: one root after the other, each tree grown by the arc that costs least.
 * An arc costs the fourth power of its load, so that trees spread, and what is far from the root a little. A few times
 * over each tree is taken out and grown anew beside the others. */
#include "base/random.h"
#include "out_trees.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE

#define PASSES 8u
#define NEAR_PART 256u  /* above the least period: near enough */
#define UNIT 1024u      /* of a load that fills an arc */
#define MOST_LOAD 4095u /* in units; its fourth power, less COST_SHIFT bits, has 36 */
#define COST_SHIFT 12
#define STEP_BITS 21 /* what an arc farther from the root costs: 1/128 of a full arc's cost */
#define NOISE_BITS 12
#define ARC_BITS 24 /* of an entry of the heap: cost, arc */

typedef struct balance {
    const gfab_topology *topology;
    uint32_t n, arcs, period;
    uint32_t *load;  /* [arcs]: trees that have it */
    uint64_t *heap;  /* [arcs]: cost << ARC_BITS | arc */
    uint32_t *order; /* [n]: as they were reached */
    uint32_t *below; /* [n]: arcs of the tree from a node */
    uint64_t *random;
} balance;

static void push(balance *b, size_t *count, uint64_t entry)
{
    size_t at = (*count)++;
    for (; at > 0 && b->heap[(at - 1) / 2] > entry; at = (at - 1) / 2)
        b->heap[at] = b->heap[(at - 1) / 2];
    b->heap[at] = entry;
}

static uint64_t pop(balance *b, size_t *count)
{
    const uint64_t top = b->heap[0], entry = b->heap[--*count];
    size_t at = 0;
    for (size_t child = 1; child < *count; child = 2 * at + 1) {
        child += child + 1 < *count && b->heap[child + 1] < b->heap[child];
        if (b->heap[child] >= entry)
            break;
        b->heap[at] = b->heap[child];
        at = child;
    }
    b->heap[at] = entry;
    return top;
}

static uint64_t cost(const balance *b, gfab_arc arc, uint32_t depth)
{
    const uint64_t room = (uint64_t)b->period * gfab_topology_arc_weight(b->topology, arc);
    const uint64_t units = (uint64_t)b->load[arc] * UNIT / room, load = units < MOST_LOAD ? units : MOST_LOAD;
    return (load * load * load * load >> COST_SHIFT) + ((uint64_t)depth << STEP_BITS) +
           (gfab_random(b->random) >> (64 - NOISE_BITS));
}

static void offer_arcs(balance *b, const gfab_out_tree *tree, uint32_t node, size_t *count)
{
    size_t degree;
    const gfab_port *ports = gfab_topology_ports(b->topology, node, &degree);
    for (size_t i = 0; i < degree; i++) {
        const gfab_arc arc = 2 * ports[i].link + ports[i].end;
        if (tree->depth[ports[i].peer] == NONE && gfab_topology_arc_weight(b->topology, arc))
            push(b, count, cost(b, arc, tree->depth[node]) << ARC_BITS | arc);
    }
}

/* What leads to no member is left out. */
static void prune(balance *b, gfab_out_tree *tree, uint32_t reached)
{
    memset(b->below, 0, b->n * sizeof *b->below);
    for (uint32_t i = reached; i-- > 1;) {
        const uint32_t v = b->order[i];
        if (gfab_topology_is_relay(b->topology, v) && !b->below[v]) {
            tree->parent[v] = tree->depth[v] = NONE;
        } else {
            b->below[gfab_topology_arc_from(b->topology, tree->parent[v])]++;
            b->load[tree->parent[v]]++;
        }
    }
}

static void grow(balance *b, gfab_out_tree *tree)
{
    const size_t members = gfab_topology_member_count(b->topology);
    size_t count = 0, found = 1;
    uint32_t reached = 0;
    memset(tree->parent, 0xff, b->n * sizeof *tree->parent);
    memset(tree->depth, 0xff, b->n * sizeof *tree->depth);
    tree->depth[tree->root] = 0;
    b->order[reached++] = tree->root;
    offer_arcs(b, tree, tree->root, &count);
    while (found < members && count > 0) {
        const gfab_arc arc = (gfab_arc)(pop(b, &count) & (((uint64_t)1 << ARC_BITS) - 1));
        const uint32_t from = gfab_topology_arc_from(b->topology, arc),
                       to = gfab_topology_arc_from(b->topology, arc ^ 1);
        if (tree->depth[to] != NONE)
            continue;
        tree->parent[to] = arc;
        tree->depth[to] = tree->depth[from] + 1;
        b->order[reached++] = to;
        found += !gfab_topology_is_relay(b->topology, to);
        offer_arcs(b, tree, to, &count);
    }
    prune(b, tree, reached);
}

static void take_out(balance *b, const gfab_out_tree *tree)
{
    for (uint32_t v = 0; v < b->n; v++)
        if (tree->parent[v] != NONE)
            b->load[tree->parent[v]]--;
}

/* Rounds in which every arc has room for its trees. */
static uint32_t rounds_of(const balance *b)
{
    uint32_t most = 1;
    for (gfab_arc arc = 0; arc < b->arcs; arc++) {
        const uint32_t weight = gfab_topology_arc_weight(b->topology, arc);
        const uint32_t rounds = weight ? (b->load[arc] + weight - 1) / weight : 0;
        most = rounds > most ? rounds : most;
    }
    return most;
}

static gfab_status add_trees(balance *b, gfab_out_supply supply, gfab_out_forest *forest)
{
    for (uint32_t v = 0; v < b->n; v++)
        forest->capacity += supply[v];
    forest->trees = calloc(forest->capacity, sizeof *forest->trees);
    for (uint32_t v = 0; v < b->n && forest->trees; v++)
        for (uint32_t i = 0; i < supply[v]; i++) {
            gfab_out_tree *tree = &forest->trees[forest->count++];
            *tree = (gfab_out_tree){v, 1, malloc(2 * (size_t)b->n * sizeof *tree->parent), NULL};
            if (!tree->parent)
                return GFAB_ERR_NO_MEMORY;
            tree->depth = tree->parent + b->n;
        }
    return forest->trees ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_out_balance(const gfab_topology *topology, gfab_out_supply supply, uint32_t *period, uint64_t *random,
                             const gfab_solver_options *options, gfab_out_forest *forest)
{
    const uint32_t n = (uint32_t)gfab_topology_node_count(topology), least = *period;
    balance b = {.topology = topology,
                 .n = n,
                 .arcs = 2 * (uint32_t)gfab_topology_link_count(topology),
                 .period = least,
                 .random = random};
    *forest = (gfab_out_forest){.nodes = n};
    if (b.arcs >> ARC_BITS)
        return GFAB_ERR_LIMIT;
    b.load = calloc(b.arcs, sizeof *b.load);
    b.heap = malloc(b.arcs * sizeof *b.heap);
    b.order = malloc(n * sizeof *b.order);
    b.below = malloc(n * sizeof *b.below);
    gfab_status status = b.load && b.heap && b.order && b.below ? add_trees(&b, supply, forest) : GFAB_ERR_NO_MEMORY;
    for (uint32_t pass = 0; pass < PASSES && status == GFAB_OK; pass++) {
        for (uint32_t t = 0; t < forest->count && status == GFAB_OK; t++) {
            if (pass)
                take_out(&b, &forest->trees[t]);
            grow(&b, &forest->trees[t]);
            status = gfab_solver_report(options, "trees", (uint64_t)pass * forest->count + t,
                                        (uint64_t)PASSES * forest->count);
        }
        const uint32_t rounds = rounds_of(&b);
        *period = rounds > least ? rounds : least;
        if (*period <= least + least / NEAR_PART)
            break;
    }
    free(b.load);
    free(b.heap);
    free(b.order);
    free(b.below);
    return status;
}
