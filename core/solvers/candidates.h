/* SPDX-License-Identifier: MIT */
/* The solvers of gossip that auto chooses among, private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_CANDIDATES_H
#define GOSSIPFAB_SOLVERS_CANDIDATES_H

#include "solvers.h"

/* In the table's order; NULL past the end. */
const gfab_solver *gfab_candidate_at(size_t index);
/* NULL where none has this name. */
const gfab_solver *gfab_candidate_find(const char *name);

#endif
