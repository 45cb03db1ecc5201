/* SPDX-License-Identifier: MIT */
/* Private to auto. */
#ifndef GOSSIPFAB_SOLVERS_HALVES_H
#define GOSSIPFAB_SOLVERS_HALVES_H

#include "solvers/solvers.h"

/* Fills an empty schedule of half-duplex links, whose goal is set, with the packets of a full-duplex one: each of one
 * token, in rounds of their own. LIMIT where there would be too many rounds, or too much to keep; UNSUPPORTED where
 * packets that have to go at once find no room in a round; NO_MEMORY. */
gfab_status gfab_halves_build(const gfab_schedule *full, const gfab_solver_options *options, gfab_schedule *schedule,
                              gfab_diag *diag);

#endif
