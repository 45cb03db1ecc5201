/* SPDX-License-Identifier: MIT */
/* The table of solvers. */
#include "solvers.h"

#include <string.h>

static gfab_status auto_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    return gfab_solver_best.applies(topology, model, diag);
}

static gfab_status auto_solve(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_best.solve(topology, model, options, schedule, diag);
}

static bool auto_formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    return gfab_solver_best.formula(topology, model, rounds);
}

static gfab_status auto_cost(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_cost *cost, gfab_diag *diag)
{
    return gfab_solver_best.cost(topology, model, options, cost, diag);
}

static const gfab_solver solver_auto = {
    .name = "auto",
    .summary = "the default: best",
    .source = "gossipfab",
    .applies = auto_applies,
    .solve = auto_solve,
    .formula = auto_formula,
    .cost = auto_cost,
    .takes_load = true,
};

/* Of two closed forms that promise the same, best takes the earlier one. torus-tree comes first: its programs
 * are few. */
static const gfab_solver *const table[] = {&solver_auto,
                                           &gfab_solver_best,
                                           &gfab_solver_torus_tree,
                                           &gfab_solver_torus_bank,
                                           &gfab_solver_comb,
                                           &gfab_solver_lau_zhang,
                                           &gfab_solver_fujita_yamashita,
                                           &gfab_solver_record,
                                           &gfab_solver_sat,
                                           &gfab_solver_anneal,
                                           &gfab_solver_beam,
                                           &gfab_solver_symmetric,
                                           &gfab_solver_search,
                                           &gfab_solver_colouring,
                                           &gfab_solver_exhaustive,
                                           &gfab_solver_greedy,
                                           &gfab_solver_beier_sibeyn,
                                           &gfab_solver_approach1,
                                           &gfab_solver_approach2,
                                           &gfab_solver_circgo,
                                           &gfab_solver_highdimgo,
                                           &gfab_solver_torgo,
                                           &gfab_solver_cubgo,
                                           &gfab_solver_ring,
                                           &gfab_solver_doubling,
                                           &gfab_solver_bruck,
                                           &gfab_solver_neighbour,
                                           &gfab_solver_matching,
                                           &gfab_solver_broadcast};

const gfab_solver *gfab_solver_at(size_t index)
{
    return index < sizeof table / sizeof *table ? table[index] : NULL;
}

const gfab_solver *gfab_solver_find(const char *name)
{
    const gfab_solver *solver;
    for (size_t i = 0; (solver = gfab_solver_at(i)); i++)
        if (!strcmp(solver->name, name))
            return solver;
    return NULL;
}

const gfab_solver *gfab_solver_for_banks(const gfab_topology *topology, const gfab_model *model)
{
    const gfab_solver *solver;
    for (size_t i = 0; (solver = gfab_solver_at(i)); i++)
        if (solver->few_banks && solver->applies(topology, model, NULL) == GFAB_OK)
            return solver;
    return NULL;
}
