/* SPDX-License-Identifier: MIT */
/* What the makers of relative trees share. */
#ifndef GOSSIPFAB_RELATIVE_TREE_INTERNAL_H
#define GOSSIPFAB_RELATIVE_TREE_INTERNAL_H

#include <gossipfab/solvers/relative_tree.h>

struct gfab_relative_tree {
    uint32_t rounds;
    size_t class_count;
    size_t step_count;
    gfab_relative_step *steps;
    uint32_t *round_start; /* steps of round r: round_start[r - 1] .. round_start[r] */
};

/* A tree of no rounds yet, with room for one step a node. NULL where memory is short. */
gfab_relative_tree *gfab_relative_tree_allocate(size_t class_count, size_t nodes);
/* Fills round_start from rounds and steps. NO_MEMORY. */
gfab_status gfab_relative_tree_index(gfab_relative_tree *tree);

#endif
