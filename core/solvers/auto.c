/* SPDX-License-Identifier: MIT */
/* What is taken where no solver is named. Gossip has many solvers, and auto_gossip knows what each promises; for the
 * other collectives all that make it are asked in turn. */
#include "auto_best.h"
#include "candidates.h"
#include "collective/collectives.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/verify.h>

#include <stdio.h>
#include <string.h>

/* On so large a graph, in nodes times blocks, what is this part above the bound, or less, is good enough. */
#define LARGE_HOLDINGS ((uint64_t)1 << 19)
#define NEAR_PART 32u
/* So many blocks a node, and more holdings, are a long vector: what plans each block by itself makes no shorter
 * schedule than one that repeats, in minutes. */
#define LONG 4u
#define LONG_PART 256u /* above the bound: of an all-reduce that repeats, packing may have a better one */
#define SMALL_HOLDINGS ((uint64_t)1 << 12)
#define LONG_HOLDINGS ((uint64_t)1 << 16)
#define PACKED_HOLDINGS ((uint64_t)1 << 14) /* of a long all-reduce, for which there is packing */

static bool owned(gfab_collective collective)
{
    return collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
}

/* Are so many blocks a long vector? */
static bool is_long(uint64_t blocks, uint64_t nodes)
{
    return blocks >= LONG * nodes;
}

/* Is it of no use, or not worth minutes, to ask further solvers for fewer rounds? */
static bool good_enough(const gfab_schedule *made, uint64_t least)
{
    const uint64_t rounds = gfab_schedule_rounds(made);
    const uint64_t nodes = gfab_topology_node_count(gfab_schedule_topology(made));
    const gfab_goal goal = gfab_schedule_goal(made);
    const bool repeats = gfab_schedule_period(made) > 0;
    const bool large = nodes * goal.blocks >= LARGE_HOLDINGS && !repeats;
    if (repeats && !owned(goal.collective) && is_long(goal.blocks, nodes) && nodes * goal.blocks > LONG_HOLDINGS)
        return goal.collective != GFAB_ALL_REDUCE || rounds <= least + least / LONG_PART;
    return rounds <= least + (large ? least / NEAR_PART : 0);
}

/* Has a solver nothing to add to what is there? What plans every block has not for long vectors; packing, whose first
 * and last blocks take long, and what joins it to others not for short ones; trees of two kinds where one is enough. */
static bool is_hopeless(const gfab_solver *solver, const gfab_topology *topology, const gfab_schedule *made)
{
    const uint64_t nodes = gfab_topology_node_count(topology), blocks = gfab_schedule_goal(made).blocks;
    if (solver == &gfab_solver_packing ||
        (solver == &gfab_solver_joined && !owned(gfab_schedule_goal(made).collective)))
        return gfab_topology_is_plain(topology) && !is_long(blocks, nodes);
    if (solver == &gfab_solver_out_trees)
        return gfab_topology_is_plain(topology) && blocks < 2 * nodes;
    if (solver == &gfab_solver_in_out_trees)
        return gfab_topology_is_plain(topology);
    if (solver == &gfab_solver_steiner && gfab_topology_is_plain(topology) && nodes * blocks > SMALL_HOLDINGS)
        return true; /* there are others for plain graphs, and it tries hard */
    if (solver != &gfab_solver_trees && solver != &gfab_solver_steiner)
        return false;
    const bool packed = gfab_schedule_goal(made).collective == GFAB_ALL_REDUCE && is_long(blocks, nodes);
    return gfab_schedule_period(made) > 0 && nodes * blocks > (packed ? PACKED_HOLDINGS : LONG_HOLDINGS);
}

/* Destroys a schedule that is faulty; FAULT then, with the reason in diag and in options->faulty. */
static gfab_status check(const char *name, const gfab_topology *topology, const gfab_model *model,
                         const gfab_solver_options *options, gfab_schedule **made, gfab_diag *diag)
{
    gfab_verify_report report;
    gfab_diag why;
    const gfab_status status = gfab_verify(topology, model, *made, options->progress, &report);
    if (status == GFAB_OK)
        return status;
    gfab_fail(&why, 0, status, "%s: the schedule is faulty: %s: %s", name, gfab_fault_name(report.fault),
              report.message);
    gfab_schedule_destroy(*made);
    *made = NULL;
    if (status != GFAB_ERR_FAULT)
        return status;
    if (options->faulty && options->faulty->message[0] == '\0')
        *options->faulty = why;
    if (diag)
        *diag = why;
    return status;
}

/* What a candidate makes, once it has been checked: a FAULT is its own, and others may do better. Trees are asked only
 * for less than there is, on large graphs with little patience. */
static gfab_status try_one(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                           const gfab_solver_options *options, const gfab_schedule *best, gfab_schedule **made,
                           gfab_diag *diag)
{
    gfab_solver_options shorter = *options;
    const bool improves = best && !options->linear && solver == &gfab_solver_trees && gfab_schedule_rounds(best) > 1;
    const bool soon = improves && gfab_topology_node_count(topology) * options->goal->blocks > SMALL_HOLDINGS;
    if (improves)
        shorter.rounds = gfab_schedule_rounds(best) - 1;
    const gfab_status status = (soon ? gfab_trees_improve : solver->solve)(topology, model, &shorter, made, diag);
    if (status != GFAB_OK || !gfab_solver_is_better(*made, best, options))
        return status;
    return check(solver->name, topology, model, options, made, diag);
}

/* Why solvers made nothing, a reason once. One that does not begin with its solver gets the name, if that is given. */
typedef struct reasons {
    size_t count;
    gfab_diag told;
} reasons;

static void add_reason(reasons *r, const char *solver, const char *why)
{
    const size_t length = strlen(r->told.message), name = strlen(solver);
    if (strstr(r->told.message, why))
        return;
    const bool named = strncmp(why, solver, name) == 0;
    const int more = snprintf(r->told.message + length, sizeof r->told.message - length, "%s%s%s%s",
                              r->count ? "; " : "", named ? "" : solver, named || name == 0 ? "" : ": ", why);
    if (more > 0 && (size_t)more < sizeof r->told.message - length)
        r->count++;
    else
        r->told.message[length] = '\0'; /* no room for it */
}

/* What is told where nothing is made: that a solver went wrong; else why those that are for such a graph and model made
 * nothing, fewer rounds than there are, say; else what each is for. */
typedef struct failure {
    gfab_status status;
    reasons wrong, tried, refused;
} failure;

static void note_failure(failure *f, const gfab_solver *solver, bool applies, gfab_status status, const gfab_diag *why)
{
    const bool wrong = status != GFAB_ERR_UNSUPPORTED;
    f->status = wrong ? status : f->status;
    add_reason(wrong     ? &f->wrong
               : applies ? &f->tried
                         : &f->refused,
               wrong || !applies ? "" : solver->name, why->message);
}

static gfab_status tell_failure(const failure *f, const gfab_topology *topology, const gfab_goal *goal, gfab_diag *diag)
{
    const reasons *r = f->wrong.count ? &f->wrong : f->tried.count ? &f->tried : &f->refused;
    if (r->count == 1)
        return gfab_fail(diag, 0, f->status, "%s", r->told.message);
    return gfab_fail(diag, 0, f->status, "no solver makes this %s on %.60s%s%.400s",
                     gfab_collective_name(goal->collective), gfab_topology_name(topology), r->count ? ": " : "",
                     r->told.message);
}

gfab_status gfab_auto_best(gfab_solver_table *table, const gfab_topology *topology, const gfab_model *model,
                           const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_solver *solver;
    gfab_schedule *best = NULL;
    failure failed = {.status = GFAB_ERR_UNSUPPORTED};
    gfab_bound least;
    const gfab_status bound = gfab_bound_goal_best(topology, model, options->goal, options->progress, &least);
    if (bound != GFAB_OK)
        return gfab_fail(diag, 0, bound, "%s", gfab_status_string(bound));
    if (options->rounds && options->rounds < least.rounds)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "no schedule has fewer than %llu rounds here (%s bound); %u were asked for",
                         (unsigned long long)least.rounds, least.name, options->rounds);
    for (size_t i = 0; (solver = table(i)); i++) {
        gfab_schedule *made = NULL;
        gfab_diag why = {0, ""};
        if (!(solver->collectives & GFAB_MAKES(options->goal->collective)) || solver->on_request)
            continue; /* one bracketing is asked for by name: others have fewer rounds */
        if (best && !options->linear && good_enough(best, least.rounds))
            break;
        if (best && !options->linear && is_hopeless(solver, topology, best))
            continue;
        const gfab_status status = try_one(solver, topology, model, options, best, &made, &why);
        if (gfab_solver_cut_short(status)) {
            gfab_schedule_destroy(best);
            return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
        }
        if (status != GFAB_OK)
            note_failure(&failed, solver, solver->applies(topology, model, NULL) == GFAB_OK, status, &why);
        const bool better = made && gfab_solver_is_better(made, best, options);
        gfab_schedule_destroy(better ? best : made);
        best = better ? made : best;
    }
    *schedule = best;
    return best ? GFAB_OK : tell_failure(&failed, topology, options->goal, diag);
}

/* A gossip of single tokens on a small graph, above the bound: the solvers of collectives that are quick there may be
 * shorter. */
static gfab_status shorten_gossip(const gfab_topology *topology, const gfab_model *model,
                                  const gfab_solver_options *options, gfab_schedule **schedule)
{
    static const gfab_solver *const quick[] = {&gfab_solver_calls, &gfab_solver_steiner};
    const size_t nodes = gfab_topology_node_count(topology);
    const gfab_solver *by = gfab_candidate_find(gfab_schedule_solver(*schedule));
    const gfab_goal gossip = gfab_goal_default(nodes);
    gfab_solver_options asked = *options;
    gfab_bound least;
    if (options->linear || options->load || model->packet_tokens > 1 || nodes * nodes > SMALL_HOLDINGS ||
        (by && by->exact))
        return GFAB_OK;
    asked.goal = &gossip;
    asked.parameters = NULL;
    gfab_status status = gfab_bound_best(topology, model, options->progress, &least);
    for (size_t i = 0; i < sizeof quick / sizeof *quick && status == GFAB_OK; i++) {
        gfab_schedule *made = NULL;
        if (gfab_schedule_rounds(*schedule) <= least.rounds)
            break;
        const gfab_status tried = try_one(quick[i], topology, model, &asked, *schedule, &made, NULL);
        const bool better = made && gfab_solver_is_better(made, *schedule, options);
        gfab_schedule_destroy(better ? *schedule : made);
        *schedule = better ? made : *schedule;
        status = gfab_solver_cut_short(tried) ? tried : GFAB_OK;
    }
    return status;
}

gfab_status gfab_auto_gossip_by(const gfab_solver *gossip, const gfab_topology *topology, const gfab_model *model,
                                const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    const gfab_goal goal = gfab_goal_default(nodes);
    gfab_solver_options asked = *options;
    gfab_status status = gossip->solve(topology, model, options, schedule, diag);
    if (status != GFAB_OK || nodes * nodes > LARGE_HOLDINGS)
        return status;
    status = check(gfab_schedule_solver(*schedule), topology, model, options, schedule, diag);
    if (status != GFAB_ERR_FAULT || options->load)
        return status;
    asked.goal = &goal;
    asked.parameters = NULL;
    return gfab_auto_best(gfab_collective_at, topology, model, &asked, schedule, NULL) == GFAB_OK ? GFAB_OK : status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    *schedule = NULL;
    gfab_status status = gfab_solver_check_options(&gfab_solver_auto, options, diag);
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(topology));
    const bool other = options->goal && !gfab_goal_equal(options->goal, &gossip);
    if (status == GFAB_OK && options->load && !gfab_topology_is_plain(topology))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "%s has relays, weighted or directed links: there no solver takes what each node starts with; "
                         "a broadcast, --collective broadcast, or a gossip of several blocks a member can be made",
                         gfab_topology_name(topology));
    if (status == GFAB_OK && (other || !gfab_topology_is_plain(topology))) {
        gfab_solver_options asked = *options;
        asked.goal = other ? options->goal : &gossip;
        status = gfab_goal_check(asked.goal, gfab_topology_member_count(topology), diag);
        return status == GFAB_OK ? gfab_auto_best(gfab_collective_at, topology, model, &asked, schedule, diag) : status;
    }
    gfab_solver_options plain = *options;
    plain.goal = NULL;
    if (status == GFAB_OK)
        status = gfab_auto_gossip_by(&gfab_solver_auto_gossip, topology, model, &plain, schedule, diag);
    if (status != GFAB_OK)
        return status;
    status = shorten_gossip(topology, model, &plain, schedule);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(*schedule);
        *schedule = NULL;
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    }
    return status;
}

/* Where no gossip is made a broadcast may be: solve knows which is asked for. */
static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const bool stored = model->routing == GFAB_ROUTING_STORE_AND_FORWARD;
    if (!gfab_topology_is_plain(topology))
        return (stored ? &gfab_solver_steiner : &gfab_solver_library)->applies(topology, model, diag);
    return gfab_solver_auto_gossip.applies(topology, model, diag);
}

static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    if (!gfab_topology_is_plain(topology))
        return GFAB_ERR_UNSUPPORTED;
    return gfab_solver_auto_gossip.formula(topology, model, rounds);
}

static gfab_status auto_cost(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_cost *cost, gfab_diag *diag)
{
    const gfab_status status = gfab_solver_check_plain(topology, diag);
    if (status != GFAB_OK)
        return status;
    return gfab_solver_auto_gossip.cost(topology, model, options, cost, diag);
}

const gfab_solver gfab_solver_auto = {
    .name = "auto",
    .summary = "the default: a record; a closed form or comb at the lower bound; else exhaustive, search, or for one "
               "port mesh-telephone, matching and colouring: the shortest found; with a startup the cheapest of all; a "
               "broadcast by broadcast; other collectives: the best of all that make them",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .cost = auto_cost,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) |
                   GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE) | GFAB_MAKES(GFAB_BARRIER) |
                   GFAB_MAKES(GFAB_ALL_TO_ALL),
    .takes_load = true,
    .repeats = true,
};
