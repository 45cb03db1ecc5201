/* SPDX-License-Identifier: MIT */
/* Where rounds count: the shortest schedule that this library finds: a record, else a closed form that meets the lower
 * bound, else the comb if that does, else, for a telephone gossip on a small graph, the shortest there is, else a
 * search, or with one port a telephone heuristic. Where the linear cost counts: the cheapest of all solvers. */
#include "candidates.h"

#include <gossipfab/schedule/bound.h>

/* For the colouring heuristic, as its --effort: a second or two. */
#define COLOURING_EFFORT 5u

/* The limit of nodes: greedy's, but torus-tree has none, its schedules can be kept as one tree. */
static gfab_status check(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const bool large = gfab_topology_node_count(topology) > GFAB_SOLVER_MAX_NODES;
    if (large && gfab_solver_applies(&gfab_solver_torus_tree, topology, model, NULL) == GFAB_OK)
        return GFAB_OK;
    return gfab_solver_applies(&gfab_solver_greedy, topology, model, diag);
}

/* A solver that does not apply, or has no formula here, is passed over; one that has no memory to tell is not. */
static bool passed_over(gfab_status status)
{
    return status != GFAB_OK && !gfab_solver_cut_short(status);
}

/* The rounds that a solver promises: by its formula, or as the startups of its cost where rounds are all that
 * counts; UINT64_MAX where it promises none. */
static gfab_status promise(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                           uint64_t *rounds)
{
    *rounds = UINT64_MAX;
    gfab_status status = gfab_solver_applies(solver, topology, model, NULL);
    if (status != GFAB_OK)
        return passed_over(status) ? GFAB_OK : status;
    if (solver->formula) {
        status = solver->formula(topology, model, rounds);
    } else if (solver->cost) {
        const gfab_solver_options options = gfab_solver_options_default();
        gfab_cost cost;
        status = solver->cost(topology, model, &options, &cost, NULL);
        if (status == GFAB_OK)
            *rounds = cost.startups;
    }
    return passed_over(status) ? GFAB_OK : status;
}

/* The solver whose closed formula promises fewest rounds, the earlier of two equals; NULL and UINT64_MAX if none
 * promises any. */
static gfab_status closed_form(const gfab_topology *topology, const gfab_model *model, const gfab_solver **closed,
                               uint64_t *rounds)
{
    const gfab_solver *solver;
    *closed = NULL;
    *rounds = UINT64_MAX;
    for (size_t i = 0; (solver = gfab_candidate_at(i)); i++) {
        uint64_t promised;
        GFAB_TRY(promise(solver, topology, model, &promised));
        if (promised < *rounds) {
            *closed = solver;
            *rounds = promised;
        }
    }
    return GFAB_OK;
}

/* No search can do with fewer rounds than *least. A bound is known wherever a solver applies. */
static gfab_status least_rounds(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                                uint64_t *least)
{
    gfab_bound bound;
    GFAB_TRY(gfab_bound_best(topology, model, progress, &bound));
    *least = bound.rounds;
    return GFAB_OK;
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
    uint64_t least;
    gfab_status found = least_rounds(topology, model, options->progress, &least);
    *schedule = comb;
    if (found == GFAB_OK && comb && (options->rounds || rounds <= least))
        return status;
    GFAB_THEN(found, gfab_solver_applies(&gfab_solver_search, topology, model, NULL));
    if (gfab_solver_cut_short(found)) {
        gfab_schedule_destroy(comb);
        *schedule = NULL;
        return found;
    }
    if (found != GFAB_OK)
        return status;
    gfab_solver_options shorter = *options;
    if (comb && rounds - 1 <= least)
        shorter.rounds = rounds - 1;
    status = gfab_solver_search.solve(topology, model, &shorter, &searched, diag);
    if (comb && (status == GFAB_OK || passed_over(status)) &&
        (status != GFAB_OK || gfab_schedule_rounds(searched) >= rounds)) {
        gfab_schedule_destroy(searched);
        return GFAB_OK;
    }
    gfab_schedule_destroy(comb);
    *schedule = searched;
    return status;
}

/* The solver with the lowest cost that can be told beforehand, the first in the table of equals; NULL if there is
 * none. */
static gfab_status cheapest_told(const gfab_topology *topology, const gfab_model *model,
                                 const gfab_solver_options *options, const gfab_solver **cheapest, gfab_cost *cost)
{
    const gfab_solver *solver;
    *cheapest = NULL;
    for (size_t i = 0; (solver = gfab_candidate_at(i)); i++) {
        gfab_cost told;
        if (!solver->cost)
            continue;
        gfab_status status = gfab_solver_applies(solver, topology, model, NULL);
        GFAB_THEN(status, solver->cost(topology, model, options, &told, NULL));
        if (status != GFAB_OK && !passed_over(status))
            return status;
        if (status != GFAB_OK || (options->rounds && told.startups > options->rounds))
            continue;
        if (!*cheapest || gfab_cost_compare(&told, cost, options->startup) < 0) {
            *cheapest = solver;
            *cost = told;
        }
        GFAB_TRY(gfab_solver_report(options, "solvers", i, i + 1));
    }
    return GFAB_OK;
}

/* What no schedule of packets over one link each costs less than; only such ones come from solvers that tell no
 * cost. Its rounds obey the bound for all ports, store-and-forward; each round of s tokens could be s rounds of one. */
static gfab_status least_stepwise(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                                  gfab_cost *cost)
{
    gfab_model whole = *model, single;
    whole.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    whole.port_mode = GFAB_PORT_ALL;
    whole.hop_rounds = 1;
    single = whole;
    single.packet_tokens = 1;
    uint64_t rounds, transfers;
    GFAB_TRY(least_rounds(topology, &whole, progress, &rounds));
    GFAB_TRY(least_rounds(topology, &single, progress, &transfers));
    *cost = (gfab_cost){.startups = rounds, .transfers = transfers, .parts = 1};
    return GFAB_OK;
}

/* May a solver that tells no cost make something cheaper, as far as is known without running it? UNSUPPORTED if not:
 * with one token a packet a promise of rounds is one of cost. */
static gfab_status can_win(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                           gfab_ratio startup, const gfab_cost *cost)
{
    uint64_t rounds;
    if (model->packet_tokens > 1 || !solver->formula)
        return GFAB_OK;
    const gfab_status status = solver->formula(topology, model, &rounds);
    if (status != GFAB_OK)
        return passed_over(status) ? GFAB_OK : status;
    const gfab_cost promised = {.startups = rounds, .transfers = rounds, .parts = 1};
    return gfab_cost_compare(&promised, cost, startup) < 0 ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
}

/* The cheapest: of the solvers that tell their cost by that; the others are run, as long as they can still win. */
static gfab_status solve_linear(const gfab_topology *topology, const gfab_model *model,
                                const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_solver *told, *solver;
    gfab_cost cost, least;
    gfab_status status = cheapest_told(topology, model, options, &told, &cost);
    const bool bounded = !options->load;
    if (status == GFAB_OK && bounded)
        status = least_stepwise(topology, model, options->progress, &least);
    gfab_schedule *best = NULL;
    gfab_diag reason = {0, ""};
    for (size_t i = 0; status == GFAB_OK && (solver = gfab_candidate_at(i)); i++) {
        if (bounded && (told || best) && gfab_cost_compare(&cost, &least, options->startup) <= 0)
            break;
        const bool exhaustive = solver == &gfab_solver_exhaustive;
        if (solver->cost || (solver->on_request && !exhaustive) || solver->broadcasts)
            continue;
        gfab_schedule *made = NULL;
        gfab_solver_options asked = *options;
        asked.effort = exhaustive && !asked.effort ? 1 : asked.effort; /* without one it may take minutes */
        status = gfab_solver_applies(solver, topology, model, NULL);
        if (status == GFAB_OK && (told || best))
            status = can_win(solver, topology, model, options->startup, &cost);
        GFAB_THEN(status, solver->solve(topology, model, &asked, &made, &reason));
        if (gfab_solver_cut_short(status))
            break;
        status = GFAB_OK;
        if (!made)
            continue;
        const gfab_cost made_cost = gfab_solver_schedule_cost(made);
        if ((told || best) && gfab_cost_compare(&made_cost, &cost, options->startup) >= 0) {
            gfab_schedule_destroy(made);
            continue;
        }
        gfab_schedule_destroy(best);
        best = made;
        cost = made_cost;
        told = NULL;
    }
    if (status != GFAB_OK) {
        gfab_schedule_destroy(best);
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    }
    if (told)
        return told->solve(topology, model, options, schedule, diag);
    if (!best)
        return GFAB_REFUSE(diag, "%s", reason.message[0] ? reason.message : "no solver makes such a schedule here");
    *schedule = best;
    return GFAB_OK;
}

/* Known where no solver that does not tell its cost can do better. */
static gfab_status auto_cost(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_cost *cost, gfab_diag *diag)
{
    gfab_status status = check(topology, model, diag);
    GFAB_THEN(status, gfab_solver_check_options(&gfab_solver_auto_gossip, options, diag));
    if (status != GFAB_OK)
        return status;
    const gfab_solver *told = NULL;
    gfab_cost least;
    if (options->linear && !options->load && (status = cheapest_told(topology, model, options, &told, cost)) != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    if (told && (status = least_stepwise(topology, model, options->progress, &least)) != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    if (!told || gfab_cost_compare(cost, &least, options->startup) > 0)
        return GFAB_REFUSE(diag, "auto knows its cost here only when it has run");
    return GFAB_OK;
}

/* Keeps the shorter of *best (may be NULL) and what a solver makes, which is asked for fewer rounds than that. */
static gfab_status try_shorter(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule **best, gfab_diag *diag)
{
    gfab_schedule *made = NULL;
    gfab_solver_options shorter = *options;
    gfab_status status = GFAB_OK;
    if (*best) {
        uint64_t least;
        status = least_rounds(topology, model, options->progress, &least);
        if (options->rounds || (status == GFAB_OK && gfab_schedule_rounds(*best) <= least))
            return GFAB_OK;
        shorter.rounds = gfab_schedule_rounds(*best) - 1;
    }
    if (solver == &gfab_solver_colouring && !options->effort)
        shorter.effort = COLOURING_EFFORT;
    GFAB_THEN(status, gfab_solver_applies(solver, topology, model, diag));
    GFAB_THEN(status, solver->solve(topology, model, &shorter, &made, diag));
    if (made || gfab_solver_cut_short(status)) {
        gfab_schedule_destroy(*best);
        *best = made;
    }
    return *best ? GFAB_OK : status;
}

/* One port: the solvers for the telephone model in the order of the time they take, until one meets the bound. */
static gfab_status solve_one_port(const gfab_topology *topology, const gfab_model *model,
                                  const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    static const gfab_solver *const solvers[] = {&gfab_solver_mesh_telephone, &gfab_solver_matching,
                                                 &gfab_solver_colouring, &gfab_solver_greedy};
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        status = try_shorter(solvers[i], topology, model, options, schedule, diag);
        if (gfab_solver_cut_short(status))
            return status;
    }
    return status;
}

/* A load: broadcasts have a solver of their own; for others there is the matching heuristic. */
static gfab_status solve_load(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    uint64_t tokens = 0;
    for (size_t v = 0; v < nodes; v++)
        tokens += options->load[v];
    const gfab_solver *solver = tokens == 1 ? &gfab_solver_broadcast : &gfab_solver_matching;
    return solver->solve(topology, model, options, schedule, diag);
}

/* Where no closed form is known to be the best: the shortest there is on a small graph, else what is found. */
static gfab_status solve_open(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_status status = gfab_solver_applies(&gfab_solver_exhaustive, topology, model, NULL);
    if (status == GFAB_OK)
        return gfab_solver_exhaustive.solve(topology, model, options, schedule, diag);
    if (passed_over(status) && (status = gfab_solver_applies(&gfab_solver_search, topology, model, NULL)) == GFAB_OK)
        return gfab_solver_search.solve(topology, model, options, schedule, diag);
    return passed_over(status) ? solve_one_port(topology, model, options, schedule, diag) : status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    *schedule = NULL;
    GFAB_TRY(gfab_solver_check_options(&gfab_solver_auto_gossip, options, diag));
    if (options->load)
        return solve_load(topology, model, options, schedule, diag);
    GFAB_TRY(check(topology, model, diag));
    if (options->linear)
        return solve_linear(topology, model, options, schedule, diag);
    uint64_t promised, least = 0;
    const gfab_solver *closed = NULL;
    gfab_status status = gfab_solver_record.formula(topology, model, &promised);
    if (status == GFAB_OK && (!options->rounds || promised <= options->rounds))
        return gfab_solver_record.solve(topology, model, options, schedule, diag);
    if (!gfab_solver_cut_short(status))
        status = closed_form(topology, model, &closed, &promised);
    if (status == GFAB_OK && closed)
        status = least_rounds(topology, model, options->progress, &least);
    GFAB_TRY(gfab_told(status, diag));
    const bool large = gfab_topology_node_count(topology) > GFAB_SOLVER_MAX_NODES;
    if (closed && (promised <= options->rounds || promised <= least || large))
        return closed->solve(topology, model, options, schedule, diag);
    if (!closed && (status = gfab_solver_applies(&gfab_solver_comb, topology, model, NULL)) == GFAB_OK)
        return solve_comb_first(topology, model, options, schedule, diag);
    if (!gfab_solver_cut_short(status))
        status = solve_open(topology, model, options, schedule, diag);
    if (status != GFAB_OK || gfab_schedule_rounds(*schedule) <= promised)
        return status;
    gfab_schedule_destroy(*schedule);
    return closed->solve(topology, model, options, schedule, diag);
}

/* Where no gossip is made a broadcast may be: solve knows which is asked for. */
static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const gfab_status broadcasts = gfab_solver_applies(&gfab_solver_broadcast, topology, model, NULL);
    if (gfab_solver_cut_short(broadcasts))
        return gfab_fail(diag, 0, broadcasts, "%s", gfab_status_string(broadcasts));
    return broadcasts == GFAB_OK ? GFAB_OK : check(topology, model, diag);
}

static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    const gfab_solver *closed;
    uint64_t least;
    gfab_status status = closed_form(topology, model, &closed, rounds);
    GFAB_THEN(status, closed ? least_rounds(topology, model, NULL, &least) : GFAB_ERR_UNSUPPORTED);
    return status == GFAB_OK && *rounds > least ? GFAB_ERR_UNSUPPORTED : status;
}

const gfab_solver gfab_solver_auto_gossip = {
    .name = "auto",
    .summary = "a record; a closed form or comb at the lower bound; else exhaustive, search, or for one "
               "port mesh-telephone, matching and colouring: the shortest found; with a startup the cheapest of all; a "
               "broadcast by broadcast",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .cost = auto_cost,
    .knows = GFAB_MARK_DIRECTED, /* as greedy does */
    .most_nodes = SIZE_MAX,
    .takes_load = true,
};
