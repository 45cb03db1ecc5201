/* SPDX-License-Identifier: MIT */
/* Private to auto. */
#ifndef GOSSIPFAB_SOLVERS_PAST_H
#define GOSSIPFAB_SOLVERS_PAST_H

#include "solvers/solvers.h"

/* Fills an empty schedule by what a solver makes on the graph without its switches. Errors: the solver's;
 * UNSUPPORTED where that graph is not connected. */
gfab_status gfab_past_build(const gfab_solver *by, const gfab_topology *topology, const gfab_model *model,
                            const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag);
/* Fills an empty schedule in half duplex, whose goal is set: with a full-duplex one, whose packets get other rounds, or
 * with trees of links that take turns, whichever is better. NULL: with such trees, which may repeat. UNSUPPORTED where
 * neither can be; LIMIT; NO_MEMORY. */
gfab_status gfab_past_build_half(const gfab_schedule *full, const gfab_solver_options *options, gfab_schedule *schedule,
                                 gfab_diag *diag);

#endif
