/* SPDX-License-Identifier: MIT */
/* HighDimGo's plans, private to core/solvers: for the solver of that name, and for cubgo where only a = n is
 * possible. */
#ifndef GOSSIPFAB_SOLVERS_HIGHDIMGO_H
#define GOSSIPFAB_SOLVERS_HIGHDIMGO_H

#include "circgo_plan.h"
#include "solvers/grid.h"

typedef enum gfab_highdimgo_form {
    GFAB_HIGHDIMGO_BEST, /* the cheapest of the others */
    GFAB_HIGHDIMGO_APPROACH1,
    GFAB_HIGHDIMGO_APPROACH2,
    GFAB_HIGHDIMGO_CIRCGO
} gfab_highdimgo_form;

/* What a phase must keep to. */
typedef struct gfab_highdimgo_wish {
    gfab_highdimgo_form form;
    uint32_t a; /* CIRCGO: bridgeheads to begin with, and pieces of a gap in every level; 0: free */
    uint32_t b; /* CIRCGO: rounds of every level; 0: free. With a or b messages are the paper's */
} gfab_highdimgo_wish;

typedef struct gfab_highdimgo_recipe {
    gfab_circgo_recipe phases[GFAB_MAX_DIMENSIONS][GFAB_MAX_DIMENSIONS]; /* [phase][share], of the shares priced */
} gfab_highdimgo_recipe;

/* The cheapest plans that keep to the wishes (one a phase), and what they cost together: by formula where all shares
 * have lines alike, else from the plans on one line each. startup in units of one token's transfer. INVALID where
 * nothing keeps to the wishes, UNSUPPORTED where a packet would be too long; LIMIT; NO_MEMORY. */
gfab_status gfab_highdimgo_best(const gfab_grid *grid, const gfab_highdimgo_wish *wishes, gfab_ratio startup,
                                gfab_highdimgo_recipe *recipe, gfab_cost *cost, gfab_diag *diag);
/* Sends their packets; total: rounds, for progress. */
gfab_status gfab_highdimgo_send(gfab_grid_writer *writer, const gfab_highdimgo_recipe *recipe,
                                const gfab_solver_options *options, uint64_t total);

#endif
