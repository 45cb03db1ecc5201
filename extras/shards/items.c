/* SPDX-License-Identifier: MIT */
/* Work items of a search. Whatever the order in which they are settled, the end is the same: what an item has depends
 * on its number alone; the best is by a total order of (rounds, item); and what is above an item that is good enough
 * is not even kept as settled, since who did it and who did not is chance. */
#define _POSIX_C_SOURCE 200809L
#include "items_internal.h"

#include "base/tells.h"

#include <gossipfab/schedule/verify.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- create ---- */

static gfab_status check_question(const gfab_items_question *q, gfab_diag *diag)
{
    if (q->first < 1 || q->first > q->last || q->last > GFAB_ITEMS_LAST)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "items %" PRIu64 " to %" PRIu64 ": from 1 on, and rising", q->first,
                         q->last);
    if (q->last - q->first >= GFAB_ITEMS_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "items %" PRIu64 " to %" PRIu64 "; a search has at most %d", q->first,
                         q->last, GFAB_ITEMS_MAX);
    if (q->effort < 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "an effort of 0; an item has at least one try");
    return GFAB_OK;
}

static gfab_solver_options options_of(const gfab_items *items, const gfab_goal *goal, uint64_t item)
{
    gfab_solver_options options = gfab_solver_options_default();
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(items->topology));
    options.seed = item;
    options.effort = items->question.effort;
    options.rounds = items->question.rounds;
    options.parameters = items->question.parameters;
    options.goal = gfab_goal_equal(goal, &gossip) ? NULL : goal;
    options.recognition = &items->recognition;
    return options;
}

/* The solver takes the topology, or one that it is under other numbers. */
static gfab_status check_solver(const gfab_items *items, const gfab_model *model, const gfab_goal *goal,
                                gfab_diag *diag)
{
    const gfab_solver *solver = items->question.solver;
    const gfab_solver_options options = options_of(items, goal, items->question.first);
    GFAB_TRY(gfab_solver_check_options(solver, &options, diag));
    for (size_t i = 0; i < items->recognition.count; i++)
        if (gfab_solver_applies(solver, items->recognition.at[i].topology, model, NULL) == GFAB_OK)
            return GFAB_OK;
    GFAB_TRY(gfab_solver_applies(solver, items->topology, model, diag));
    if (items->question.rounds && items->question.rounds < items->bound.rounds)
        return GFAB_REFUSE(diag, "%u rounds are below the lower bound of %" PRIu64 ", %s", items->question.rounds,
                           items->bound.rounds, items->bound.name);
    return GFAB_OK;
}

static gfab_status fill(gfab_items *items, const gfab_model *model, const gfab_goal *goal,
                        const gfab_progress *progress, gfab_diag *diag)
{
    const gfab_items_question *q = &items->question;
    if (q->parameters) {
        items->parameters = strdup(q->parameters);
        items->question.parameters = items->parameters;
        GFAB_NEED(items->parameters);
    }
    items->settled = calloc((q->last - q->first) / 64 + 1, sizeof *items->settled);
    GFAB_NEED(items->settled);
    gfab_status status = gfab_schedule_create(items->topology, model, &items->empty);
    GFAB_THEN(status, gfab_schedule_set_goal(items->empty, goal, diag));
    GFAB_THEN(status, gfab_bound_goal_best(items->topology, model, goal, progress, &items->bound));
    GFAB_THEN(status, gfab_topology_recognise(items->topology, progress, &items->recognition));
    return status == GFAB_OK ? check_solver(items, model, goal, diag) : status;
}

gfab_status gfab_items_create(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                              const gfab_items_question *question, const gfab_progress *progress, gfab_items **items,
                              gfab_diag *diag)
{
    *items = NULL;
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(topology));
    GFAB_TRY(check_question(question, diag));
    GFAB_TRY(gfab_model_check(model, diag));
    gfab_items *made = calloc(1, sizeof *made);
    GFAB_NEED_TOLD(made, diag);
    made->topology = topology;
    made->question = *question;
    gfab_status status = fill(made, model, goal ? goal : &gossip, progress, diag);
    if (status != GFAB_OK) {
        gfab_items_destroy(made);
        if (diag && !diag->message[0])
            gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
        return status;
    }
    *items = made;
    return GFAB_OK;
}

void gfab_items_destroy(gfab_items *items)
{
    if (!items)
        return;
    gfab_schedule_destroy(items->best);
    gfab_schedule_destroy(items->empty);
    gfab_recognition_release(&items->recognition);
    GFAB_FREE(items->settled, items->parameters, items);
}

/* ---- what is there ---- */

GFAB_TELLS(gfab_items_question, gfab_items_asked, gfab_items, question)
GFAB_TELLS(const gfab_topology *, gfab_items_topology, gfab_items, topology)

const gfab_bound *gfab_items_bound(const gfab_items *items)
{
    return &items->bound;
}

const gfab_schedule *gfab_items_best(const gfab_items *items, uint64_t *item)
{
    *item = items->best ? items->best_item : 0;
    return items->best;
}

/* A number of rounds that nobody has to improve on. */
static uint32_t enough(const gfab_items *items)
{
    return items->question.rounds ? items->question.rounds : (uint32_t)items->bound.rounds;
}

uint64_t gfab_items_limit(const gfab_items *items)
{
    const bool final = items->best && gfab_schedule_rounds(items->best) <= enough(items);
    return final ? items->best_item : items->question.last;
}

uint64_t gfab_items_next(const gfab_items *items, uint64_t from)
{
    uint64_t item = from < items->question.first ? items->question.first : from;
    const uint64_t limit = gfab_items_limit(items);
    while (item <= limit && gfab_items_is_settled(items, item))
        item++;
    return item <= limit ? item : 0;
}

uint64_t gfab_items_settled(const gfab_items *items)
{
    uint64_t count = 0;
    for (uint64_t word = 0; word <= (items->question.last - items->question.first) / 64; word++)
        count += (uint64_t)__builtin_popcountll(items->settled[word]);
    return count;
}

/* ---- work ---- */

gfab_status gfab_items_run(const gfab_items *items, uint64_t item, const gfab_progress *progress,
                           gfab_schedule **schedule, gfab_diag *diag)
{
    *schedule = NULL;
    if (item < items->question.first || item > items->question.last)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "there is no item %" PRIu64, item);
    const gfab_goal goal = gfab_schedule_goal(items->empty);
    gfab_solver_options options = options_of(items, &goal, item);
    options.progress = progress;
    const gfab_status status = gfab_solve(items->question.solver, items->topology, gfab_schedule_model(items->empty),
                                          &options, schedule, NULL, diag);
    return status == GFAB_ERR_UNSUPPORTED ? GFAB_OK : status;
}

/* A copy over the items' own topology. INVALID where it is for another question. */
static gfab_status copy(const gfab_items *items, const gfab_schedule *from, gfab_schedule **copied)
{
    const gfab_goal goal = gfab_schedule_goal(items->empty), its = gfab_schedule_goal(from);
    gfab_schedule *made = NULL;
    *copied = NULL;
    if (!gfab_topology_equal(items->topology, gfab_schedule_topology(from)) || !gfab_goal_equal(&goal, &its) ||
        !gfab_schedule_even_load(from) != !gfab_schedule_even_load(items->empty) ||
        gfab_schedule_parts(from) != gfab_schedule_parts(items->empty))
        return GFAB_ERR_INVALID;
    gfab_status status = gfab_schedule_create(items->topology, gfab_schedule_model(items->empty), &made);
    GFAB_THEN(status, gfab_schedule_set_goal(made, &goal, NULL));
    GFAB_THEN(status, gfab_schedule_set_solver(made, gfab_schedule_solver(from)));
    GFAB_THEN(status, gfab_schedule_append_all(made, from));
    return GFAB_HAND_OVER(status, made, gfab_schedule_destroy, copied);
}

/* Fewest rounds, but none are better than enough; then the lowest item. */
static bool is_better(const gfab_items *items, uint64_t item, uint32_t rounds)
{
    if (!items->best)
        return true;
    const uint32_t floor = enough(items), now = gfab_schedule_rounds(items->best);
    const uint32_t a = rounds > floor ? rounds : floor, b = now > floor ? now : floor;
    return a < b || (a == b && item < items->best_item);
}

static void note(gfab_items *items, uint64_t item)
{
    const uint64_t at = item - items->question.first;
    if (item <= gfab_items_limit(items))
        items->settled[at / 64] |= (uint64_t)1 << at % 64;
}

/* Takes the schedule, and forgets what can't win any more. */
static void take(gfab_items *items, uint64_t item, gfab_schedule *schedule)
{
    gfab_schedule_destroy(items->best);
    items->best = schedule;
    items->best_item = item;
    const uint64_t count = items->question.last - items->question.first + 1;
    for (uint64_t at = gfab_items_limit(items) - items->question.first + 1; at < count; at++)
        items->settled[at / 64] &= ~((uint64_t)1 << at % 64);
}

gfab_status gfab_items_settle(gfab_items *items, uint64_t item, const gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_schedule *own = NULL;
    gfab_verify_report report;
    if (item < items->question.first || item > items->question.last)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "there is no item %" PRIu64, item);
    if (schedule && is_better(items, item, gfab_schedule_rounds(schedule))) {
        gfab_status status = copy(items, schedule, &own);
        if (status != GFAB_OK)
            return gfab_fail(diag, 0, status, "item %" PRIu64 ": %s", item,
                             status == GFAB_ERR_INVALID ? "its schedule is of another question" : "out of memory");
        status = gfab_verify(items->topology, gfab_schedule_model(items->empty), own, NULL, &report);
        if (status == GFAB_OK && items->question.rounds && report.rounds > items->question.rounds)
            status = gfab_fail(diag, 0, GFAB_ERR_FAULT, "item %" PRIu64 ": %u rounds, more than the %u asked for", item,
                               report.rounds, items->question.rounds);
        else if (status != GFAB_OK)
            gfab_fail(diag, 0, status, "item %" PRIu64 ": %s", item,
                      status == GFAB_ERR_FAULT ? report.message : "out of memory");
        if (status != GFAB_OK) {
            gfab_schedule_destroy(own);
            return status;
        }
        take(items, item, own);
    }
    note(items, item);
    return GFAB_OK;
}

/* ---- merge ---- */

static bool same_model(const gfab_model *a, const gfab_model *b)
{
    return a->link_mode == b->link_mode && a->port_mode == b->port_mode && a->packet_tokens == b->packet_tokens &&
           a->hop_rounds == b->hop_rounds && a->routing == b->routing;
}

/* What is different between two questions; NULL where nothing is. */
static const char *find_difference(const gfab_items *a, const gfab_items *b)
{
    const gfab_goal goal = gfab_schedule_goal(a->empty), other = gfab_schedule_goal(b->empty);
    const char *p = a->parameters ? a->parameters : "", *q = b->parameters ? b->parameters : "";
    if (strcmp(gfab_topology_spec(a->topology), gfab_topology_spec(b->topology)) != 0)
        return "topologies";
    if (!same_model(gfab_schedule_model(a->empty), gfab_schedule_model(b->empty)))
        return "models";
    return !gfab_goal_equal(&goal, &other)                                                  ? "goals"
           : a->question.solver != b->question.solver                                       ? "solvers"
           : strcmp(p, q) != 0                                                              ? "solver options"
           : a->question.effort != b->question.effort                                       ? "efforts"
           : a->question.rounds != b->question.rounds                                       ? "rounds"
           : a->question.first != b->question.first || a->question.last != b->question.last ? "items"
                                                                                            : NULL;
}

gfab_status gfab_items_merge(gfab_items *into, const gfab_items *from, gfab_diag *diag)
{
    const char *difference = find_difference(into, from);
    if (difference)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "another search: the %s are different", difference);
    if (into->best && from->best && into->best_item == from->best_item &&
        gfab_schedule_rounds(into->best) != gfab_schedule_rounds(from->best))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "item %" PRIu64 " has %u rounds here and %u there", into->best_item,
                         gfab_schedule_rounds(from->best), gfab_schedule_rounds(into->best));
    GFAB_TRY(from->best ? gfab_items_settle(into, from->best_item, from->best, diag) : GFAB_OK);
    for (uint64_t item = from->question.first; item <= gfab_items_limit(from); item++)
        if (gfab_items_is_settled(from, item))
            note(into, item);
    return GFAB_OK;
}
