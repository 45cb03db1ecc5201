/* SPDX-License-Identifier: MIT */
/* The comb round by round, for meshes whose schedule would not fit in memory; private to core/solvers/all_port. */
#ifndef GOSSIPFAB_SOLVERS_COMB_H
#define GOSSIPFAB_SOLVERS_COMB_H

#include <gossipfab/solvers/solver.h>

GFAB_C_BEGIN

/* A packet of one token over one link. */
typedef struct gfab_comb_move {
    gfab_arc arc;
    uint32_t token;
} gfab_comb_move;

/* Takes a schedule round by round, rounds rising from 1. moves are borrowed for the call; what it returns other than
 * GFAB_OK stops the solver, which returns the same. */
typedef struct gfab_comb_sink {
    gfab_status (*round)(void *context, uint32_t round, const gfab_comb_move *moves, size_t count);
    void *context;
} gfab_comb_sink;

/* The moves of the schedule that the solver comb makes, which are not kept. Errors: the solver's, the sink's. */
gfab_status gfab_comb_stream(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             const gfab_comb_sink *sink, gfab_diag *diag);

GFAB_C_END
#endif
