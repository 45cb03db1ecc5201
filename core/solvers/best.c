/* SPDX-License-Identifier: MIT */
/* The shortest schedule that this library finds: a closed form that meets the lower bound, else the comb if that does,
 * else, for a telephone gossip on a small graph, the shortest there is, else a search. */
#include "solvers.h"

#include <gossipfab/bound.h>
#include <string.h>

/* The solver whose closed formula promises fewest rounds, the earlier of two equals; NULL if none promises any. */
static const gfab_solver *closed_form(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    const gfab_solver *closed = NULL, *solver;
    *rounds = UINT64_MAX;
    for (size_t i = 0; (solver = gfab_solver_at(i)) != NULL; i++) {
        uint64_t promised;
        if (solver != &gfab_solver_best && strcmp(solver->name, "auto") != 0 && solver->formula &&
            solver->applies(topology, model, NULL) == GFAB_OK && solver->formula(topology, model, &promised) &&
            promised < *rounds) {
            closed = solver;
            *rounds = promised;
        }
    }
    return closed;
}

/* A closed form that no search can better. */
static bool is_optimal(const gfab_topology *topology, const gfab_model *model, uint64_t rounds)
{
    gfab_bound bound;
    return gfab_bound_best(topology, model, &bound) == GFAB_OK && rounds <= bound.rounds;
}

/* Where comb applies but promises nothing it is tried first: it is quick, and mostly at the bound. If it is not, a
 * search may do better, but need not go on where it can't. */
static gfab_status solve_comb_first(const gfab_topology *topology, const gfab_model *model,
                                    const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_schedule *comb = NULL, *searched = NULL;
    gfab_status status = gfab_solver_comb.solve(topology, model, options, &comb, diag);
    if (status != GFAB_OK && status != GFAB_ERR_UNSUPPORTED)
        return status;
    const uint32_t rounds = comb ? gfab_schedule_rounds(comb) : UINT32_MAX;
    *schedule = comb;
    if ((comb && (options->rounds || is_optimal(topology, model, rounds))) ||
        gfab_solver_search.applies(topology, model, NULL) != GFAB_OK)
        return status;
    gfab_solver_options shorter = *options;
    if (comb && is_optimal(topology, model, rounds - 1))
        shorter.rounds = rounds - 1;
    status = gfab_solver_search.solve(topology, model, &shorter, &searched, diag);
    if (comb && status != GFAB_ERR_INTERRUPTED && (status != GFAB_OK || gfab_schedule_rounds(searched) >= rounds)) {
        gfab_schedule_destroy(searched);
        return GFAB_OK;
    }
    gfab_schedule_destroy(comb);
    *schedule = searched;
    return status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    *schedule = NULL;
    gfab_status status = gfab_solver_check(topology, model, diag);
    if (status != GFAB_OK)
        return status;
    uint64_t promised;
    const gfab_solver *closed = closed_form(topology, model, &promised);
    if (closed && (promised <= options->rounds || is_optimal(topology, model, promised)))
        return closed->solve(topology, model, options, schedule, diag);
    if (!closed && gfab_solver_comb.applies(topology, model, NULL) == GFAB_OK)
        return solve_comb_first(topology, model, options, schedule, diag);
    if (gfab_solver_exhaustive.applies(topology, model, NULL) == GFAB_OK) {
        gfab_solver_options fewest = *options;
        fewest.linear = false; /* the least cost can take it very long */
        return gfab_solver_exhaustive.solve(topology, model, &fewest, schedule, diag);
    }
    const bool searches = gfab_solver_search.applies(topology, model, NULL) == GFAB_OK;
    const gfab_solver *open = searches ? &gfab_solver_search : &gfab_solver_greedy;
    status = open->solve(topology, model, options, schedule, diag);
    if (status != GFAB_OK || gfab_schedule_rounds(*schedule) <= promised)
        return status;
    gfab_schedule_destroy(*schedule);
    return closed->solve(topology, model, options, schedule, diag);
}

static bool formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    return closed_form(topology, model, rounds) && is_optimal(topology, model, *rounds);
}

const gfab_solver gfab_solver_best = {
    .name = "best",
    .summary = "a closed form or comb that meets the lower bound, else exhaustive, search or greedy: the shortest found",
    .source = "gossipfab, docs/optimal-gossip.md",
    .applies = gfab_solver_check,
    .solve = solve,
    .formula = formula,
};
