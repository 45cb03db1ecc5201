/* SPDX-License-Identifier: MIT */
/* A spanning tree whose edges have rounds of their own in every period, one port; private to core/solvers. */
#ifndef GOSSIPFAB_PORT_TREE_H
#define GOSSIPFAB_PORT_TREE_H

#include "solvers/collective/group_moves.h"

#include <gossipfab/base/arena.h>

#define GFAB_PORT_TREE_NONE UINT32_MAX

/* Edge e of the tree has the slots 2 e and, where a period needs it twice, 2 e + 1. A slot's colour is its round in the
 * period, up to a shift that is the same for all. Slots that share a node differ in colour, so that a node uses one
 * link at a time, whatever follows a period later. */
typedef struct gfab_port_tree {
    const gfab_topology *topology;
    uint32_t nodes, links, hop;
    bool up, down;  /* blocks come together at the root; they go out from it */
    bool exchanges; /* full duplex and both: two nodes may send each other what they have */
    uint32_t slots; /* of an edge in a period: 1, or 2 where up and down have one each */
    uint32_t most;  /* the most links of a node */
    uint32_t period, shift, root;
    uint32_t *link;   /* [nodes - 1]: the edges */
    uint32_t *degree; /* [nodes]: edges at a node */
    uint32_t *at;     /* [nodes * most]: which */
    uint32_t *colour; /* [2 * nodes] */
    uint32_t *slot;   /* [nodes * 2 * most]: the slot of a node that has a colour, node * period + colour; NONE: none */
    uint32_t *order;  /* [nodes]: from the root outwards */
    uint32_t *parent; /* [nodes]: the edge towards the root; NONE at it */
    uint32_t *rise;   /* [nodes]: the round of the move up from a node */
    uint32_t *fall;   /* [nodes]: of the move down to it */
    uint32_t *chain;  /* [2 * nodes]: scratch */
    uint32_t *part;   /* [nodes]: scratch */
    uint64_t random;
    gfab_arena arena;
} gfab_port_tree;

/* For an all-reduce, a broadcast or a reduce. To be released, after an error too. NO_MEMORY. */
gfab_status gfab_port_tree_create(const gfab_topology *topology, const gfab_model *model, gfab_collective collective,
                                  uint64_t seed, gfab_port_tree *tree);
GFAB_HOLDS_ARENA(gfab_port_tree)

/* A tree with at most so many edges (>= 1) at a node, made by chance. False where none was found. */
bool gfab_port_tree_grow(gfab_port_tree *tree, uint32_t start, uint32_t most_edges);
/* Colours for its slots in a period that no node has more slots than, by chance. */
void gfab_port_tree_paint(gfab_port_tree *tree, uint32_t period);
/* Makes a node the root. */
void gfab_port_tree_hang(gfab_port_tree *tree, uint32_t root);
/* Two colours change places along the slots of both that hang together at the node. Twice is as before. */
void gfab_port_tree_swap(gfab_port_tree *tree, uint32_t node, uint32_t a, uint32_t b);

/* The rounds of one block. Returns the last one; *sum gets the sum of all. */
uint32_t gfab_port_tree_rounds(gfab_port_tree *tree, uint64_t *sum);
/* The moves of the block, of which there are 2 * (nodes - 1) at most, with the rounds that were found last. */
size_t gfab_port_tree_moves(const gfab_port_tree *tree, gfab_group_move *moves);

static inline uint32_t gfab_port_tree_other(const gfab_port_tree *t, uint32_t edge, uint32_t node)
{
    const gfab_link link = gfab_topology_link(t->topology, t->link[edge]);
    return link.node[0] ^ link.node[1] ^ node;
}

#endif
