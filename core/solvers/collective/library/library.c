/* SPDX-License-Identifier: MIT */
/* What message-passing libraries do, as schedules that can be held against the others: rings, halving and doubling,
 * Rabenseifner, Bruck, Swing .., on any graph, whose ranks are its members in their order. Steps come one after the
 * other; the messages of a step that want the same link take rounds one after the other.
 * docs/theory/library-algorithms.md. */
#include "library_plan.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* A table of distances has so many entries at most. */
#define MOST_NODES 2048u

/* Room for a packet that is written. */
typedef struct writer {
    const gfab_library_plan *plan;
    const gfab_library_embedding *embedding;
    const gfab_solver_options *options;
    gfab_schedule *schedule;
    uint32_t *tokens;
    gfab_arc *arcs;
    uint32_t rounds; /* that are written */
} writer;

static gfab_status write_message(writer *w, size_t message, uint32_t round, bool back, bool combine)
{
    const gfab_library_message *m = &w->plan->messages[message];
    const gfab_library_way *way = &w->embedding->ways[message];
    for (uint32_t i = 0; i < m->count; i++)
        w->tokens[i] = w->plan->blocks[m->first + i] | (combine ? GFAB_COMBINE : 0);
    for (uint32_t i = 0; i < way->length; i++)
        w->arcs[i] =
            back ? w->embedding->arcs[way->first + way->length - 1 - i] ^ 1 : w->embedding->arcs[way->first + i];
    return gfab_schedule_append_packet(w->schedule, round, w->arcs, way->length, w->tokens, m->count);
}

/* Of two ranks that exchange whole vectors the one whose message goes in a later round has the total by then. */
static bool is_later(const gfab_library_plan *plan, const gfab_library_embedding *e, size_t step, size_t message)
{
    const gfab_library_message *m = &plan->messages[message];
    for (size_t i = plan->steps[step]; i < plan->steps[step + 1]; i++)
        if (plan->messages[i].from == m->to && plan->messages[i].to == m->from &&
            plan->blocks[plan->messages[i].first] == plan->blocks[m->first])
            return e->ways[i].round < e->ways[message].round;
    return false;
}

/* All steps, forwards or backwards, after what is written. */
static gfab_status write_steps(writer *w, bool back)
{
    const gfab_library_plan *plan = w->plan;
    for (size_t i = 0; i < plan->step_count; i++) {
        const size_t step = back ? plan->step_count - 1 - i : i;
        const uint32_t rounds = w->embedding->rounds[step];
        for (uint32_t r = 0; r < rounds; r++) {
            w->rounds++;
            for (size_t m = plan->steps[step]; m < plan->steps[step + 1]; m++) {
                bool combine = back;
                if (w->embedding->ways[m].round != (back ? rounds - 1 - r : r))
                    continue;
                if (plan->kind == GFAB_LIBRARY_EXCHANGE)
                    combine = step < plan->out && !is_later(plan, w->embedding, step, m);
                GFAB_TRY(write_message(w, m, w->rounds, back, combine));
            }
        }
    }
    return GFAB_OK;
}

static uint32_t longest_message(const gfab_library_plan *plan)
{
    uint32_t longest = 0;
    for (size_t i = 0; i < plan->message_count; i++)
        longest = plan->messages[i].count > longest ? plan->messages[i].count : longest;
    return longest;
}

static gfab_status write_all(writer *w, const gfab_goal *goal, gfab_diag *diag)
{
    const bool collects = w->plan->kind == GFAB_LIBRARY_SPREAD && gfab_collective_combines(goal->collective);
    const bool spreads = !collects || goal->collective == GFAB_ALL_REDUCE || goal->collective == GFAB_BARRIER;
    uint64_t rounds = 0;
    size_t longest = 1;
    for (size_t i = 0; i < w->plan->step_count; i++)
        rounds += 2 * (uint64_t)w->embedding->rounds[i];
    if (rounds > GFAB_MAX_ROUNDS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_ROUNDS);
    for (size_t i = 0; i < w->plan->message_count; i++)
        longest = w->embedding->ways[i].length > longest ? w->embedding->ways[i].length : longest;
    GFAB_FREED uint32_t *tokens = malloc((longest_message(w->plan) + (size_t)1) * sizeof *tokens);
    GFAB_FREED gfab_arc *arcs = malloc(longest * sizeof *arcs);
    GFAB_NEED(tokens && arcs);
    w->tokens = tokens;
    w->arcs = arcs;
    if (collects)
        GFAB_TRY(write_steps(w, true));
    return spreads ? write_steps(w, false) : GFAB_OK;
}

/* Does every message of a step go in its first round? */
static bool is_together(const gfab_library_plan *plan, const gfab_library_embedding *embedding)
{
    for (size_t step = 0; step < plan->step_count; step++)
        if (embedding->rounds[step] > 1)
            return false;
    return true;
}

/* Do members hang on several switches, so that parts of a message may go side by side? */
static bool has_planes(const gfab_topology *topology)
{
    bool found = false;
    for (uint32_t r = 0; r < gfab_topology_member_count(topology) && !found; r++) {
        size_t switches = 0;
        GFAB_EACH_PORT(port, topology, gfab_topology_member(topology, r))
            switches += gfab_topology_is_switch(topology, port->peer);
        found = switches > 1;
    }
    return found;
}

static uint64_t count_rounds(const gfab_library_plan *plan, const gfab_library_embedding *e)
{
    uint64_t rounds = 0;
    for (size_t i = 0; i < plan->step_count; i++)
        rounds += e->rounds[i];
    return rounds;
}

/* With messages in parts, if that takes no more rounds: *plan and *embedding are that then. */
static gfab_status try_parts(const gfab_topology *topology, const gfab_model *model, gfab_library_plan *plan,
                             const gfab_solver_options *options, gfab_library_embedding *embedding, gfab_diag *diag)
{
    gfab_library_embedding parts = {.ways = NULL};
    gfab_library_plan cut = {.ranks = 0};
    if (!has_planes(topology))
        return GFAB_OK;
    gfab_status status = gfab_library_cut(plan, topology, &cut);
    if (status == GFAB_OK && cut.message_count > plan->message_count)
        status = gfab_library_embed(topology, model, &cut, options, &parts, diag);
    if (status == GFAB_OK && parts.ways && count_rounds(&cut, &parts) <= count_rounds(plan, embedding)) {
        const gfab_library_embedding swap = *embedding;
        const gfab_library_plan whole = *plan;
        *embedding = parts;
        *plan = cut;
        parts = swap;
        cut = whole;
    }
    gfab_library_embedding_release(&parts);
    GFAB_FREE(cut.messages, cut.steps);
    return status;
}

gfab_status gfab_library_append(const gfab_topology *topology, const gfab_model *model, gfab_library_plan *plan,
                                const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    GFAB_AT_END(gfab_library_embedding_release) gfab_library_embedding embedding = {.ways = NULL};
    if (longest_message(plan) > model->packet_tokens)
        return GFAB_REFUSE(diag, "%s sends packets of %u tokens, more than the %u allowed", plan->name,
                           longest_message(plan), model->packet_tokens);
    GFAB_TRY(gfab_library_embed(topology, model, plan, options, &embedding, diag));
    GFAB_TRY(try_parts(topology, model, plan, options, &embedding, diag));
    if (plan->together && !is_together(plan, &embedding))
        return GFAB_REFUSE(diag, "whole vectors that are exchanged do not find links of their own");
    writer w = {.plan = plan, .embedding = &embedding, .options = options, .schedule = schedule};
    return write_all(&w, &goal, diag);
}

/* One algorithm's schedule into an empty one. */
static gfab_status make(const gfab_library_algorithm *algorithm, const gfab_topology *topology, const gfab_model *model,
                        const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    gfab_library_ranks at = {.ranks = (uint32_t)gfab_topology_member_count(topology)};
    GFAB_AT_END(gfab_library_release)
    gfab_library_plan plan = {.name = algorithm->name, .kind = GFAB_LIBRARY_SPREAD, .ranks = at.ranks};
    if (!(algorithm->collectives & GFAB_MAKES(goal.collective)))
        return GFAB_REFUSE(diag, "%s does not make %s", algorithm->name, gfab_collective_name(goal.collective));
    if (algorithm->past && !gfab_topology_has_relays(topology))
        return GFAB_REFUSE(diag, "%s is for members below switches or other relays", algorithm->name);
    if (!algorithm->whole && goal.blocks % at.ranks != 0)
        return GFAB_REFUSE(diag, "%s cuts the vector in multiples of the %u ranks; this is %u blocks", algorithm->name,
                           at.ranks, goal.blocks);
    gfab_status status = gfab_library_ranks_of(topology, model, &at);
    at.steps = algorithm->steps;
    GFAB_THEN(status, algorithm->plan(&at, &goal, &plan, diag));
    GFAB_THEN(status, gfab_library_append(topology, model, &plan, options, schedule, diag));
    free(at.rank);
    return status;
}

static gfab_status library_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const bool switches = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES;
    if (model->routing == GFAB_ROUTING_STORE_AND_FORWARD && model->packet_tokens == 1 && !switches)
        return GFAB_REFUSE(diag, "library is for circuit routing, packets of several tokens or switches");
    if (model->routing == GFAB_ROUTING_STORE_AND_FORWARD && model->port_mode == GFAB_PORT_ONE)
        return GFAB_REFUSE(diag, "library with one port is for circuit routing");
    return GFAB_OK;
}

static bool is_named(const char *parameters, const char *name)
{
    size_t length;
    const char *value = gfab_parameter(parameters, "algorithm", &length);
    return !value || gfab_is_name(value, length, name);
}

/* INVALID where the setting names none. */
static gfab_status check_name(const char *parameters, gfab_diag *diag)
{
    size_t length;
    const char *value = gfab_parameter(parameters, "algorithm", &length);
    const gfab_library_algorithm *a;
    char names[512] = "";
    for (size_t i = 0; (a = gfab_library_at(i)); i++) {
        if (is_named(parameters, a->name))
            return GFAB_OK;
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", a->name);
    }
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "algorithm=%.*s: there are %s", (int)length, value, names);
}

/* A schedule of the algorithm, as gfab_solver_run makes them. */
static gfab_status build_one(const gfab_library_algorithm *algorithm, const gfab_topology *topology,
                             const gfab_model *model, const gfab_solver_options *options, const gfab_goal *goal,
                             gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_status status = gfab_schedule_create(topology, model, schedule);
    GFAB_THEN(status, gfab_schedule_set_goal(*schedule, goal, diag));
    GFAB_THEN(status, make(algorithm, topology, model, options, *schedule, diag));
    return GFAB_LEAVE(status, gfab_schedule_destroy, schedule);
}

/* The one that is named, or the best of all. */
static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = options->goal ? *options->goal : gfab_goal_default(gfab_topology_member_count(topology));
    const gfab_library_algorithm *a;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *best = NULL;
    gfab_diag reason = {0, "no algorithm fits"};
    gfab_status status = check_name(options->parameters, diag);
    for (size_t i = 0; (a = gfab_library_at(i)) && status == GFAB_OK; i++) {
        gfab_schedule *made = NULL;
        gfab_diag why = {0, ""};
        if (!is_named(options->parameters, a->name))
            continue;
        const gfab_status tried = build_one(a, topology, model, options, &goal, &made, &why);
        if (gfab_solver_cut_short(tried))
            status = tried;
        else if (tried != GFAB_OK)
            reason = why;
        bool better;
        const gfab_status kept = gfab_solver_keep(made, options, &best, &better);
        status = status == GFAB_OK ? kept : status;
    }
    if (status == GFAB_OK && best)
        status = gfab_schedule_append_all(schedule, best);
    else if (status == GFAB_OK)
        status = GFAB_REFUSE(diag, "%s", reason.message);
    return status;
}

GFAB_SOLVE(solve, library, build)

static const char *const parameters[] = {"algorithm", NULL};

const gfab_solver gfab_solver_library = {
    .name = "library",
    .summary =
        "what message-passing libraries use: ring, bucket, halving-doubling, rabenseifner, swing, bruck, pairwise, "
        "recursive-doubling, dissemination, binomial, chain, scatter-ring, direct, hierarchical, rings, "
        "recursive-exchange, k-nomial, rarest-first, circulant; "
        "the best, or algorithm=NAME",
    .source = "Thakur, Rabenseifner & Gropp 2005; Bruck et al. 1997; De Sensi et al. 2024 (Swing)",
    .applies = library_applies,
    .solve = solve,
    .collectives = GFAB_MAKES_ALL,
    .minds_startup = true,
    .parameters = parameters,
    .knows = GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS | GFAB_MARK_SWITCHES | GFAB_MARK_HELPING,
    .only = GFAB_ONLY_ONE_ROUND,
    .most_nodes = MOST_NODES,
};
