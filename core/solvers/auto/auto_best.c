/* SPDX-License-Identifier: MIT */
/* The choice among the rows of a table. All that make the goal are asked in the table's order, quickest first, until
 * a schedule meets the bound. What a row tells of itself decides, once there is a schedule: one that would take too
 * long, or is for longer vectors, is passed over; one that can look for fewer rounds than there are does that. */
#include "auto_best.h"
#include "solvers/candidates.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/verify.h>

#include <stdio.h>
#include <string.h>

/* Of a row's own estimate, where the best is so many parts of the bound above it, or more; else less in proportion. */
#define MOST_NS ((uint64_t)4000000000)
#define FAR_PARTS 20u
/* Blocks times nodes of a gossip that is verified here; larger ones are left to the caller to verify. */
#define MOST_VERIFIED ((uint64_t)1 << 19)

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

/* The goal, and what has been made for it. */
typedef struct contest {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_schedule *best;
    bool settled; /* none is better */
    gfab_bound least;
    failure failed;
} contest;

/* A solver of gossip has no collectives in its row. */
static bool makes(const gfab_solver *solver, const gfab_topology *topology, const gfab_goal *goal)
{
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(topology));
    return solver->collectives ? solver->collectives & GFAB_MAKES(goal->collective) : gfab_goal_equal(goal, &gossip);
}

/* About how long a row takes, in nanoseconds. */
static uint64_t time_of(const gfab_solver *solver, uint64_t nodes, uint64_t blocks)
{
    uint64_t ns = solver->work.ns;
    for (uint32_t i = 0; i < solver->work.nodes + solver->work.blocks; i++) {
        const uint64_t times = i < solver->work.nodes ? nodes : blocks;
        ns = ns > UINT64_MAX / times ? UINT64_MAX : ns * times;
    }
    return ns;
}

/* How long a row may take for what there may be to gain. */
static uint64_t worth(const contest *c)
{
    const uint64_t gap = FAR_PARTS * (gfab_schedule_rounds(c->best) - c->least.rounds);
    return c->options->linear || gap >= c->least.rounds ? MOST_NS : MOST_NS / c->least.rounds * gap;
}

/* Is there a schedule, and has the row, for what it takes, nothing to add to it? */
static bool is_passed_over(const contest *c, const gfab_solver *solver)
{
    const uint64_t nodes = gfab_topology_node_count(c->topology), blocks = c->options->goal->blocks;
    const gfab_collective made = c->options->goal->collective;
    const bool owned = made == GFAB_ALL_GATHER || made == GFAB_REDUCE_SCATTER;
    if (!c->best)
        return false;
    return time_of(solver, nodes, blocks) > worth(c) ||
           (gfab_topology_is_plain(c->topology) && !owned && blocks < solver->long_from * nodes);
}

/* Asks one row, and keeps what it makes, once that has been checked, where it is better. A failure is its own, and
 * others may do better: only NO_MEMORY and INTERRUPTED end it. */
static gfab_status ask(contest *c, const gfab_solver *solver)
{
    gfab_solver_options asked = *c->options;
    gfab_schedule *made = NULL;
    gfab_diag why = {0, ""};
    const bool improves = c->best && solver->improve && !asked.linear && gfab_schedule_rounds(c->best) > 1;
    if (improves)
        asked.rounds = gfab_schedule_rounds(c->best) - 1;
    if (!solver->collectives)
        asked.goal = NULL;
    gfab_status status = (improves ? solver->improve : solver->solve)(c->topology, c->model, &asked, &made, &why);
    bool better = false;
    GFAB_THEN(status, gfab_solver_compare(made, c->best, &asked, &better));
    const uint64_t holdings = (uint64_t)c->options->goal->blocks * gfab_topology_node_count(c->topology);
    if (better && (solver->collectives || holdings <= MOST_VERIFIED))
        status = check(solver->collectives ? solver->name : gfab_schedule_solver(made), c->topology, c->model, &asked,
                       &made, &why);
    if (gfab_solver_cut_short(status)) {
        gfab_schedule_destroy(made);
        return status;
    }
    if (status != GFAB_OK)
        note_failure(&c->failed, solver, gfab_solver_applies(solver, c->topology, c->model, NULL) == GFAB_OK, status,
                     &why);
    if (status == GFAB_OK && better) {
        const gfab_solver *by = gfab_candidate_find(gfab_schedule_solver(made));
        gfab_schedule_destroy(c->best);
        c->best = made;
        c->settled = !asked.linear && (gfab_schedule_rounds(made) <= c->least.rounds || (by && by->exact));
        made = NULL;
    }
    gfab_schedule_destroy(made);
    return GFAB_OK;
}

gfab_status gfab_auto_best(gfab_solver_table *table, const gfab_topology *topology, const gfab_model *model,
                           const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_solver *solver;
    contest c = {.topology = topology, .model = model, .options = options, .failed = {.status = GFAB_ERR_UNSUPPORTED}};
    gfab_status status = gfab_bound_goal_best(topology, model, options->goal, options->progress, &c.least);
    *schedule = NULL;
    GFAB_TRY(gfab_told(status, diag));
    if (options->rounds && options->rounds < c.least.rounds)
        return GFAB_REFUSE(diag, "no schedule has fewer than %llu rounds here (%s bound); %u were asked for",
                           (unsigned long long)c.least.rounds, c.least.name, options->rounds);
    for (size_t i = 0; status == GFAB_OK && !c.settled && (solver = table(i)); i++)
        if (makes(solver, topology, options->goal) && !solver->on_request && !is_passed_over(&c, solver))
            status = ask(&c, solver);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(c.best);
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    }
    *schedule = c.best;
    return c.best ? GFAB_OK : tell_failure(&c.failed, topology, options->goal, diag);
}
