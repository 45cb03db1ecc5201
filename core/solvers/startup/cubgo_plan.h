/* SPDX-License-Identifier: MIT */
/* TorGoS, CubGoS and CubGo' of Sibeyn, Juurlink & Rao, sections 5.2 and 6.2, on meshes and tori of any sides: their
 * parameters, their price by formula, the search for the best, and their packets. docs/theory/startup-cost-tori.md
 * derives it all.
 *
 * Bridgeheads are the diagonal of side `cell`. A level makes the diagonal denser by its factor; after the last one
 * the side is 1, and every node is a bridgehead. */
#ifndef GOSSIPFAB_SOLVERS_CUBGO_PLAN_H
#define GOSSIPFAB_SOLVERS_CUBGO_PLAN_H

#include "solvers/grid.h"

#define GFAB_CUBGO_MAX_LEVELS 24 /* a side is below 2^24 */

typedef struct gfab_cubgo_level {
    uint32_t factor; /* a, >= 2 */
    uint32_t rounds; /* b, of phase 4a */
} gfab_cubgo_level;

typedef struct gfab_cubgo_recipe {
    uint32_t cell; /* g to start with: the product of the factors */
    uint32_t level_count;
    gfab_cubgo_level levels[GFAB_CUBGO_MAX_LEVELS];
} gfab_cubgo_recipe;

/* What a search must keep to; 0 stands for any. */
typedef struct gfab_cubgo_wish {
    uint32_t cell;
    uint32_t factor_count; /* with factors_given: exactly these, first level first */
    bool factors_given;
    uint32_t factors[GFAB_CUBGO_MAX_LEVELS];
    uint32_t rounds[GFAB_CUBGO_MAX_LEVELS]; /* b; one stands for all levels, more need factors */
    uint32_t rounds_count;
} gfab_cubgo_wish;

/* The price of a recipe by formula. INVALID where it does not fit the grid, UNSUPPORTED where a packet is longer than
 * grid->longest. */
gfab_status gfab_cubgo_cost(const gfab_grid *grid, const gfab_cubgo_recipe *recipe, gfab_cost *cost, gfab_diag *diag);
/* The cheapest recipe that keeps to the wish, startup in units of one token's transfer. INVALID where nothing keeps to
 * the wish, UNSUPPORTED where nothing does within grid->longest; NO_MEMORY. */
gfab_status gfab_cubgo_best(const gfab_grid *grid, const gfab_cubgo_wish *wish, gfab_ratio startup,
                            gfab_cubgo_recipe *recipe, gfab_diag *diag);
/* Sends the packets of a recipe that gfab_cubgo_cost takes. */
gfab_status gfab_cubgo_send(gfab_grid_writer *writer, const gfab_cubgo_recipe *recipe,
                            const gfab_solver_options *options);

/* A phase: what all shares do at the same time, each along an axis of its own. The next begins when all have ended. */
typedef enum gfab_cubgo_kind {
    /* 1: in rows, to the bridgehead of each cell */
    GFAB_CUBGO_GATHER,
    /* 2: the cells go round among a row's bridgeheads */
    GFAB_CUBGO_SPREAD,
    /* 3, for axis `turn`: what bridgeheads hold goes round among those of a line */
    GFAB_CUBGO_COLUMN,
    /* 4a: new bridgeheads in rows learn what the old ones next to them know, in messages, pipelined */
    GFAB_CUBGO_FILL,
    /* 4b, for axis `turn`: what bridgeheads hold goes to those on the line that have other residues */
    GFAB_CUBGO_REFILL
} gfab_cubgo_kind;

typedef struct gfab_cubgo_phase {
    gfab_cubgo_kind kind;
    size_t turn;     /* the axis of share s is gfab_grid_axis(grid, s, turn); rows have turn 0 */
    uint32_t cell;   /* g: when the phase begins, of the bridgeheads that hold what was made by then */
    uint32_t factor; /* a; the new side is cell / factor. 1 in phases 1 to 3 */
    uint32_t rounds; /* b of FILL */
} gfab_cubgo_phase;

/* Phase number `index`, from 0; false past the last. */
bool gfab_cubgo_phase_at(const gfab_grid *grid, const gfab_cubgo_recipe *recipe, size_t index, gfab_cubgo_phase *phase);
/* The phase's price in a share. */
void gfab_cubgo_phase_runs(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share, gfab_grid_runs *runs);
/* Messages k of a FILL of b rounds in a share: 2b + 2 - a where new bridgeheads are served from both sides, b + 2 - a
 * where from one; 0 if even one message does not fit. */
uint64_t gfab_cubgo_messages(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share);
/* Of `total` pieces cut in k messages, the pieces before message i = 1 .. k + 1: lengths differ by one at most.
 * One-sided fills send the long ones first; two-sided ones in the middle of the order, so that the first rounds have
 * short ones alone. */
uint64_t gfab_cubgo_message_begin(uint64_t total, uint64_t messages, bool two_sided, uint64_t i);
/* The node's bridgeheads in a row are served from both sides. */
static inline bool gfab_cubgo_two_sided(const gfab_grid *grid, size_t axis)
{
    return grid->wraps[axis] && !grid->one_port;
}
/* Rounds before round t of a gathering have brought in this many positions of an arm: (base^(t-1) - 1) / (base - 1). */
static inline uint64_t gfab_cubgo_gathered(const gfab_grid *grid, uint32_t rounds)
{
    uint64_t reached = 0;
    for (uint32_t t = 0; t < rounds; t++)
        reached = reached * (grid->one_port ? 2 : 3) + 1;
    return reached;
}

#endif
