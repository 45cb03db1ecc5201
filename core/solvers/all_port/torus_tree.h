/* SPDX-License-Identifier: MIT */
/* What torus-tree and torus-bank share; private to core/solvers/all_port. */
#ifndef GOSSIPFAB_SOLVERS_TORUS_TREE_H
#define GOSSIPFAB_SOLVERS_TORUS_TREE_H

#include "relative_tree.h"
#include "solvers/solvers.h"

/* Every node takes every step of the tree: the gossip, into an empty schedule. */
gfab_status gfab_relative_tree_expand(const gfab_topology *topology, const gfab_relative_tree *tree,
                                      const gfab_solver_options *options, gfab_schedule *schedule);

#endif
