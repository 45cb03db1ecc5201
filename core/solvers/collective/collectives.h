/* SPDX-License-Identifier: MIT */
/* The solvers of collectives other than gossip, private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_COLLECTIVES_H
#define GOSSIPFAB_SOLVERS_COLLECTIVES_H

#include "solvers/solvers.h"

/* In the table's order; NULL past the end. Each has its collectives set. */
const gfab_solver *gfab_collective_at(size_t index);

#endif
