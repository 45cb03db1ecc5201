/* SPDX-License-Identifier: MIT */
/* The choice among all solvers of a table, private to core/solvers and its tests. */
#ifndef GOSSIPFAB_SOLVERS_AUTO_BEST_H
#define GOSSIPFAB_SOLVERS_AUTO_BEST_H

#include "solvers/solvers.h"

GFAB_C_BEGIN

/* A table of solvers: that number index, NULL past the end. */
typedef const gfab_solver *gfab_solver_table(size_t index);

/* The best schedule that the table's solvers make of options->goal, each asked in turn; where rounds count, until one
 * meets the bound. A row without collectives gathers one block a node. Every schedule is verified before it is kept. A
 * solver that fails, or makes a faulty schedule, is passed over; where none is left the status and message say which
 * failed and why. NO_MEMORY and INTERRUPTED end it. */
gfab_status gfab_auto_best(gfab_solver_table *table, const gfab_topology *topology, const gfab_model *model,
                           const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag);

GFAB_C_END
#endif
