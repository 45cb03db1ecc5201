/* SPDX-License-Identifier: MIT */
/* Schedules for what a graph contains, private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_PART_H
#define GOSSIPFAB_SOLVERS_PART_H

#include "solvers/solvers.h"

/* Fills an empty schedule with the best that a solver makes of its goal, options->goal, on the graph without relays,
 * one-way links or weights, or without several of these. UNSUPPORTED where it makes nothing there. */
gfab_status gfab_part_build(const gfab_solver *by, const gfab_topology *topology, const gfab_model *model,
                            const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag);

#endif
