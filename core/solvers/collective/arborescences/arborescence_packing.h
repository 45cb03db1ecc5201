/* SPDX-License-Identifier: MIT */
/* Arc-disjoint arborescences: trees out of one root that reach every node and share no arc. Private to this folder. */
#ifndef GOSSIPFAB_SOLVERS_ARBORESCENCE_PACKING_H
#define GOSSIPFAB_SOLVERS_ARBORESCENCE_PACKING_H

#include "solvers/solvers.h"

#define GFAB_ARBOR_NONE UINT32_MAX

/* A directed graph. An arc carries one block a round: a link of weight w is w parallel arcs each way. */
typedef struct gfab_arbor_graph {
    uint32_t nodes, arcs;
    uint32_t *from, *to;     /* [arcs] */
    gfab_arc *name;          /* [arcs]: the topology's */
    uint32_t *first_in, *in; /* arcs into node v: in[first_in[v] .. first_in[v + 1] - 1] */
    uint32_t *first_out, *out;
    gfab_arena arena;
} gfab_arbor_graph;

/* So many trees, and where each arc is. */
typedef struct gfab_arbor_packing {
    const gfab_arbor_graph *graph;
    uint32_t root, count;
    uint32_t *owner;  /* [arcs]: the tree that uses the arc; NONE */
    uint32_t *parent; /* [count * nodes]: the arc by which the tree reaches the node; NONE at the root */
    uint32_t *depth;  /* [count * nodes]: arcs from the root; NONE where the tree has not come to yet */
} gfab_arbor_packing;

/* backwards: each arc stands for the one that goes the other way. Of a great weight at most `most` parallel arcs are
 * made. NO_MEMORY; LIMIT above 2^24 arcs. To be released
 * after any status. */
gfab_status gfab_arbor_graph_create(const gfab_topology *topology, bool backwards, uint32_t most,
                                    gfab_arbor_graph *graph);
GFAB_HOLDS_ARENA(gfab_arbor_graph)
/* Without the nodes from `nodes` on, and their arcs. */
void gfab_arbor_graph_keep(gfab_arbor_graph *graph, uint32_t nodes);

/* How many arc-disjoint arborescences there are out of root, but at most `most`: the least cut between the root and any
 * other node (Edmonds 1973). NO_MEMORY; INTERRUPTED. */
gfab_status gfab_arbor_count(const gfab_arbor_graph *graph, uint32_t root, uint32_t most,
                             const gfab_solver_options *options, uint32_t *count);
/* No packing of so many trees has less depth. NO_MEMORY. */
gfab_status gfab_arbor_least_depth(const gfab_arbor_graph *graph, uint32_t root, uint32_t count, uint32_t *least);

/* Without any tree; to be released after any status. NO_MEMORY. */
gfab_status gfab_arbor_packing_create(const gfab_arbor_graph *graph, uint32_t root, uint32_t count,
                                      gfab_arbor_packing *packing);
void gfab_arbor_packing_release(gfab_arbor_packing *packing);
/* Of the same graph, root and count. */
void gfab_arbor_packing_copy(const gfab_arbor_packing *from, gfab_arbor_packing *to);
/* Arcs from the root to the farthest node in a tree; in the deepest. */
uint32_t gfab_arbor_tree_depth(const gfab_arbor_packing *packing, uint32_t tree);
uint32_t gfab_arbor_depth(const gfab_arbor_packing *packing);

/* Grows all trees of an empty packing side by side, each shallow where the others leave room; count must be no more
 * than gfab_arbor_count says. NO_MEMORY; INTERRUPTED. */
gfab_status gfab_arbor_grow(gfab_arbor_packing *packing, uint64_t *random, const gfab_solver_options *options);
/* Exchanges arcs until no tree is deeper than `depth`, or so many steps have been made: *reached says which. NO_MEMORY;
 * INTERRUPTED. */
gfab_status gfab_arbor_anneal(gfab_arbor_packing *packing, uint32_t depth, uint64_t steps, uint64_t *random,
                              const gfab_solver_options *options, bool *reached);
/* Fills an empty packing of a mesh, a tree for each axis of side 2 and up: none is deeper than max(ecc, m + 2), where
 * ecc is the root's distance to the farthest node, and m that but for the axis along which it is least. False where the
 * graph is no mesh, or count is another. */
bool gfab_arbor_mesh(const gfab_topology *topology, gfab_arbor_packing *packing);

#endif
