/* SPDX-License-Identifier: MIT */
/* The solvers of collectives other than gossip, private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_COLLECTIVES_H
#define GOSSIPFAB_SOLVERS_COLLECTIVES_H

#include "solvers/solvers.h"

/* In the table's order; NULL past the end. Each has its collectives set. */
const gfab_solver *gfab_collective_at(size_t index);

/* gfab_solver_trees where there is a schedule already, and options ask for fewer rounds: it gives up where it does not
 * come nearer soon. */
gfab_status gfab_trees_improve(const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag);

#endif
