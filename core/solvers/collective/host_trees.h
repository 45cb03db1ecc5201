/* SPDX-License-Identifier: MIT */
/* Several trees for hosts; private to host-tree. */
#ifndef GOSSIPFAB_SOLVERS_HOST_TREES_H
#define GOSSIPFAB_SOLVERS_HOST_TREES_H

#include "solvers/solvers.h"

/* Groups of `words` blocks, at least 2, each along a tree of its own, into an empty schedule of a broadcast or reduce.
 * UNSUPPORTED where there are not so many trees. */
gfab_status gfab_host_trees_build(const gfab_topology *topology, uint32_t words, const gfab_solver_options *options,
                                  gfab_schedule *schedule, gfab_diag *diag);

#endif
