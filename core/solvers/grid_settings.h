/* SPDX-License-Identifier: MIT */
/* What the settings of highdimgo, torgo and cubgo share; private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_GRID_SETTINGS_H
#define GOSSIPFAB_SOLVERS_GRID_SETTINGS_H

#include "grid.h"

/* What the price is to be made small for: the startup asked for; rounds first, where none is. */
gfab_ratio gfab_grid_startup(const gfab_solver_options *options);

/* The cheapest plan for one grid; plan is the caller's. */
typedef gfab_status (*gfab_grid_planner)(const gfab_grid *grid, const gfab_solver_options *options, void *plan,
                                         gfab_cost *cost, gfab_diag *diag);

/* What is planned, and the best of it. */
typedef struct gfab_grid_choice {
    gfab_grid_planner planner;
    void *plan, *spare; /* the best plan, and room for another: plan_size bytes each */
    size_t plan_size;
    gfab_grid grid; /* of the best plan */
    gfab_cost cost;
    bool found;
} gfab_grid_choice;

/* Plans for every grid that the settings allow (shares, cut, first axis) and keeps the cheapest, of equals the
 * first: colours or black and white nodes before one share, and whole ones before halves. Where none does: status and
 * message of the last one tried, before it was cut further. */
gfab_status gfab_grid_choose(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_grid_choice *choice, gfab_diag *diag);

#endif
