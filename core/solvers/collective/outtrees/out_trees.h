/* SPDX-License-Identifier: MIT */
/* Trees that lead from their roots to all members, by way of relays, and share the arcs of a directed graph; private to
 * this folder. */
#ifndef GOSSIPFAB_SOLVERS_OUT_TREES_H
#define GOSSIPFAB_SOLVERS_OUT_TREES_H

#include "solvers/solvers.h"

#define GFAB_OUT_NONE UINT32_MAX

/* ---- graphs with relays split off ---- */

/* An arc of the topology, or, from member to member, two arcs that meet at a relay. */
typedef struct gfab_out_arc {
    uint32_t from, to;
    uint32_t room;          /* how many trees it can be in */
    uint32_t length;        /* arcs of the topology */
    uint32_t first, second; /* the two arcs that it is made of; second NONE: first is the topology's */
} gfab_out_arc;

typedef struct gfab_out_graph {
    const gfab_topology *topology;
    uint32_t nodes;
    gfab_out_arc *arcs;
    uint32_t count, capacity;
    bool *target;  /* [nodes]: trees come to it: the members, and relays that are not split off */
    uint64_t work; /* arcs of all flows that were asked for */
} gfab_out_graph;

/* How many trees are to have each node as their root: [nodes]; 0 at relays. */
typedef const uint32_t *gfab_out_supply;

/* The topology's arcs, each with room for `share` times its weight. To be released, after an error too. LIMIT where
 * that is 2^31 or more; NO_MEMORY. */
gfab_status gfab_out_graph_create(const gfab_topology *topology, uint32_t share, gfab_out_graph *graph);
void gfab_out_graph_release(gfab_out_graph *graph);
/* Relays that all trees can come to, as well as to the members, become targets. Of the others all room is taken and
 * given to arcs past them, so that so many trees fit after it if they did before; these must have as much room in as
 * out. FAULT where the trees do not fit; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_split(gfab_out_graph *graph, gfab_out_supply supply, const gfab_solver_options *options);

/* ---- trees ---- */

/* So many equal trees. */
typedef struct gfab_out_tree {
    uint32_t root, copies;
    uint32_t *parent; /* [nodes]: the arc into it; NONE: the root, or not reached */
    uint32_t *depth;  /* [nodes]: arcs of the topology from the root; NONE: not reached */
} gfab_out_tree;

typedef struct gfab_out_forest {
    uint32_t nodes;
    gfab_out_tree *trees;
    uint32_t count, capacity;
    uint64_t work; /* arcs of all flows that were asked for */
} gfab_out_forest;

/* Grows the trees that supply asks for side by side, each shallow where the others leave room. FAULT where they do not
 * fit. To be released, after an error too. NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_grow(gfab_out_graph *graph, gfab_out_supply supply, uint64_t *random,
                          const gfab_solver_options *options, gfab_out_forest *forest);
/* Parents become arcs of the topology, over relays too, each node reached once and by as few arcs as the tree has; what
 * leads to no member is left out. NO_MEMORY. */
gfab_status gfab_out_unfold(const gfab_out_graph *graph, gfab_out_forest *forest);
void gfab_out_forest_release(gfab_out_forest *forest);
/* In place of all of that on large graphs: trees of the topology's arcs that share them evenly, not at the best rate
 * for certain. *period: rounds that would do at best, or more; gets more where an arc has no room for its trees then.
 * To be released, after an error too. LIMIT; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_balance(const gfab_topology *topology, gfab_out_supply supply, uint32_t *period, uint64_t *random,
                             const gfab_solver_options *options, gfab_out_forest *forest);

/* ---- rounds ---- */

/* One block goes along each copy of each tree. In rounds that are the same modulo the period no arc carries more than
 * its weight. */
typedef struct gfab_out_plan {
    const gfab_topology *topology;
    const gfab_out_forest *forest; /* unfolded */
    uint32_t period, hop;          /* period 0: rounds are never the same */
    bool lone;                     /* what a relay sends last of a block goes alone: backwards it comes first */
    uint32_t blocks;               /* the copies of tree after tree */
    uint32_t *tree;                /* [blocks] */
    uint32_t *round;               /* [blocks * nodes]: of the move into the node; 0: none */
    uint32_t *first, *last;        /* [blocks]: rounds of its moves */
} gfab_out_plan;

/* To be released, after an error too. NO_MEMORY. */
gfab_status gfab_out_plan_create(const gfab_topology *topology, const gfab_out_forest *forest, uint32_t period,
                                 uint32_t hop, bool lone, gfab_out_plan *plan);
void gfab_out_plan_release(gfab_out_plan *plan);
/* Gives every move a round: on each arc what has the longest way before it, and on top of that the highest bonus
 * [blocks], goes first. NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_plan_run(gfab_out_plan *plan, const uint32_t *bonus, uint64_t *random,
                              const gfab_solver_options *options);

#endif
