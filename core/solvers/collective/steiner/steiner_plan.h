/* SPDX-License-Identifier: MIT */
/* Steiner trees of blocks, private to steiner*.c: which message goes over which link, and what it waits for.
 *
 * A tree joins all members, and relays where they are on the way. A block's contributions go up an in-tree to its root,
 * the total goes down an out-tree from there; a block that only moves has an out-tree from where it starts. A *gate* is
 * a node of a tree: once all messages that the gate waits for have come, those that leave it may go. */
#ifndef GOSSIPFAB_SOLVERS_STEINER_PLAN_H
#define GOSSIPFAB_SOLVERS_STEINER_PLAN_H

#include "solvers/solvers.h"

typedef struct gfab_steiner_gate {
    uint32_t pending;      /* messages that have not come */
    uint32_t first, count; /* the messages that leave: move[first .. first + count - 1] */
    bool stores_first;     /* a relay on the way up: its first message comes alone in its round, and is stored */
    uint32_t seen;         /* the round of that message; 0: not yet */
} gfab_steiner_gate;

typedef struct gfab_steiner_move {
    gfab_arc arc;
    uint32_t block;
    uint32_t into; /* the gate */
    uint32_t tail; /* the longest way from here to the end, in messages, this one among them */
    bool combine;  /* on the way up */
} gfab_steiner_move;

typedef struct gfab_steiner_plan {
    gfab_steiner_move *moves;
    size_t move_count, move_capacity;
    gfab_steiner_gate *gates;
    size_t gate_count, gate_capacity;
} gfab_steiner_plan;

/* Builds plans; all arrays are scratch. */
typedef struct gfab_steiner_builder {
    const gfab_topology *topology;
    gfab_goal goal;
    uint64_t random;
    uint32_t nodes, members;
    uint32_t *farthest; /* [nodes]: arcs from the farthest member */
    uint32_t *deepest;  /* [nodes]: arcs to the farthest member */
    uint32_t *distance, *work;
    uint64_t *load;      /* [arcs]: messages of this plan */
    uint32_t *parent;    /* [nodes]: port to the parent, in the tree being grown */
    bool *needed;        /* [nodes] */
    uint32_t *tree;      /* the tree's nodes, the root first, no node before its parent */
    uint32_t tree_count; /* of them */
    uint32_t *gate;      /* [nodes]: of the tree's nodes */
    uint32_t *height, *depth, *children;
    uint64_t *key; /* [nodes]: of trees by load */
    gfab_arena arena;
} gfab_steiner_builder;

/* Which trees a plan has. */
typedef struct gfab_steiner_style {
    bool by_load;   /* else of shortest ways */
    bool spread;    /* shortest ways: links with little to carry first, before nodes that are there already */
    bool both_ways; /* half duplex: what a link carries the other way counts */
    uint32_t slack; /* a total's root may be so many links farther from the members than the best node */
    uint32_t hurry; /* by load: 1024 for a link that is a round's messages less behind and a link less deep */
} gfab_steiner_style;

/* NO_MEMORY. To be released on any status. */
gfab_status gfab_steiner_open(gfab_steiner_builder *b, const gfab_topology *topology, const gfab_goal *goal,
                              uint64_t seed);
void gfab_steiner_close(gfab_steiner_builder *b);
/* Makes another plan, in place of what is there. NO_MEMORY. */
gfab_status gfab_steiner_make(gfab_steiner_builder *b, const gfab_steiner_style *style, gfab_steiner_plan *plan);
void gfab_steiner_release(gfab_steiner_plan *plan);

#endif
