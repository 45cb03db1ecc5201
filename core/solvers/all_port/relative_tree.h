/* SPDX-License-Identifier: MIT */
/* A gossip on a torus that is the same for every node: one broadcast tree, grown from node 0, and its translates.
 *
 * An offset is a node's place seen from a token's origin, numbered as the node at that place seen from node 0. Links
 * fall into classes: one per axis where links are half duplex, one per axis and direction where they are full duplex
 * (an axis of side 2 has one direction, an axis of side 1 no class). In a round each class takes at most one step, and
 * then all nodes take it at once: each node v sends the token of node v - from along the axis. So every link of the
 * class is used at most once in the round, whatever the tree: there is nothing to resolve.
 * docs/theory/optimal-gossip.md. Private to core/solvers/all_port. */
#ifndef GOSSIPFAB_SOLVERS_RELATIVE_TREE_H
#define GOSSIPFAB_SOLVERS_RELATIVE_TREE_H

#include <gossipfab/fabric/crossbar.h>
#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* The token moves from offset `from` to offset `to`, the next one along the axis (direction 0) or the previous one
 * (direction 1), cyclically. */
typedef struct gfab_relative_step {
    uint32_t round; /* from 1 */
    uint32_t from;
    uint32_t to;
    uint8_t axis;
    uint8_t direction;
    uint8_t link_class; /* axis by axis, direction 0 before 1 */
} gfab_relative_step;

typedef struct gfab_relative_tree {
    uint32_t rounds;
    size_t class_count;
    size_t step_count;
    gfab_relative_step *steps; /* one for each offset but 0, by rising round, then class */
} gfab_relative_tree;

/* OK if a tree can be made: a torus with sides of 1 and of 3 or more (of 2, too, where links are full duplex), all
 * ports, one token a packet. Otherwise UNSUPPORTED, or INVALID for a model that is not valid. */
gfab_status gfab_relative_tree_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag);

/* Makes the tree, in O(N) time and memory for a given number of axes; owned by the caller, keeps nothing of topology.
 * Errors: those of applies; LIMIT above GFAB_MAX_ROUNDS; NO_MEMORY. Its rounds are the count bound,
 * ceil((N - 1) / classes), on every torus of two axes with hop_rounds = 1. */
gfab_status gfab_relative_tree_create(const gfab_topology *topology, const gfab_model *model, gfab_relative_tree **tree,
                                      gfab_diag *diag);
/* Makes a tree that fits a crossbar (of the torus, not GFAB_CROSSBAR_FULL): two different tokens that leave a node in a
 * round are in different banks. The sides must be those the crossbar needs, and for AXES links half duplex. Grown at
 * random from seed, a try; UNSUPPORTED where that gets stuck or takes more than most_rounds. Other errors as above. */
gfab_status gfab_relative_tree_create_banked(const gfab_topology *topology, const gfab_model *model,
                                             const gfab_crossbar *crossbar, uint64_t seed, uint32_t most_rounds,
                                             gfab_relative_tree **tree);
void gfab_relative_tree_destroy(gfab_relative_tree *tree);

/* A tree of no rounds yet, with room for one step a node. NULL where memory is short. */
gfab_relative_tree *gfab_relative_tree_allocate(size_t class_count, size_t nodes);

GFAB_C_END
#endif
