/* SPDX-License-Identifier: MIT */
/* What every solver does alike, so that a solver's file has its algorithm alone: the checks of model, options and the
 * graph's marks (relays, weights, directions), and the frame around its `build`: an empty schedule with the right
 * goal, and a failure with the solver's name in front. A schedule of more rounds than were asked for is refused here,
 * too. */
#include "solvers.h"

#include "schedule/merged.h"

#include "base/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a token, where links are shared: most weights divide it. */
#define SHARED_PARTS 5040u

gfab_solver_options gfab_solver_options_default(void)
{
    return (gfab_solver_options){.seed = 1, .startup = {0, 1}};
}

gfab_shape gfab_solver_shape(const gfab_topology *topology)
{
    const bool torus = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS; /* a graph has no axes: OTHER */
    uint32_t sides[2] = {0, 0};
    size_t axes = 0;
    for (size_t i = 0; i < gfab_topology_dimensions(topology); i++) {
        const uint32_t side = gfab_topology_side(topology, i);
        if (side == 1)
            continue;
        if (axes == 2)
            return (gfab_shape){GFAB_SHAPE_OTHER, 0, 0};
        sides[axes++] = side;
    }
    const bool wraps = torus && sides[0] > 2;
    if (axes == 1)
        return (gfab_shape){wraps ? GFAB_SHAPE_CYCLE : GFAB_SHAPE_PATH, sides[0], 1};
    if (axes == 2 && sides[0] == sides[1])
        return (gfab_shape){wraps ? GFAB_SHAPE_SQUARE_TORUS : GFAB_SHAPE_SQUARE_MESH, sides[1], sides[0]};
    if (axes == 2 && !torus)
        return (gfab_shape){GFAB_SHAPE_MESH, sides[1], sides[0]};
    return (gfab_shape){GFAB_SHAPE_OTHER, 0, 0};
}

bool gfab_solver_is_for(uint32_t only, const gfab_model *model)
{
    const bool full = model->link_mode == GFAB_LINK_FULL, all = model->port_mode == GFAB_PORT_ALL;
    const bool stored = model->routing == GFAB_ROUTING_STORE_AND_FORWARD;
    const uint32_t is = (full ? GFAB_ONLY_FULL : GFAB_ONLY_HALF) | (all ? GFAB_ONLY_ALL_PORTS : GFAB_ONLY_ONE_PORT) |
                        (model->packet_tokens == 1 ? GFAB_ONLY_SINGLE : 0) |
                        (model->hop_rounds == 1 ? GFAB_ONLY_ONE_ROUND : 0) |
                        (stored ? GFAB_ONLY_STORED : GFAB_ONLY_CIRCUIT);
    return (only & ~is) == 0;
}

/* The words of GFAB_ONLY_... */
static gfab_status fail_model(const gfab_solver *solver, gfab_diag *diag)
{
    static const char *const words[] = {
        "full-duplex links", "half-duplex links",         "all ports",      "one port", "1 token a packet",
        "1 round a hop",     "store-and-forward routing", "circuit routing"};
    char list[200] = "";
    for (uint32_t i = 0, left = solver->only; left; i++) {
        if (!(left & 1u << i))
            continue;
        left &= ~(1u << i);
        const size_t length = strlen(list);
        (void)snprintf(list + length, sizeof list - length, "%s%s", length == 0 ? "" : left ? ", " : " and ", words[i]);
    }
    return GFAB_REFUSE(diag, "%s is for %s", solver->name, list);
}

gfab_status gfab_solver_applies(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                                gfab_diag *diag)
{
    const uint32_t marks = gfab_topology_marks(topology) & ~solver->knows;
    const size_t nodes = gfab_topology_node_count(topology);
    const size_t most = solver->most_nodes ? solver->most_nodes : GFAB_SOLVER_MAX_NODES;
    if (marks)
        return GFAB_REFUSE(diag, "%s has %s, which %s does not take; gossipfab list solvers says which solvers do",
                           gfab_topology_name(topology), gfab_topology_marks_name(marks), solver->name);
    GFAB_TRY(gfab_model_check(model, diag));
    if (!gfab_solver_is_for(solver->only, model))
        return fail_model(solver, diag);
    if (nodes > most && !solver->most_nodes)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s has %zu nodes; solvers take at most %zu",
                         gfab_topology_name(topology), nodes, most);
    if (nodes > most)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s has %zu nodes; %s takes at most %zu",
                         gfab_topology_name(topology), nodes, solver->name, most);
    return solver->applies ? solver->applies(topology, model, diag) : GFAB_OK;
}

gfab_status gfab_solver_check_options(const gfab_solver *solver, const gfab_solver_options *options, gfab_diag *diag)
{
    gfab_diag reason = {0, ""};
    if (gfab_parameters_check(options->parameters, solver->parameters, &reason) != GFAB_OK)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: %s", solver->name, reason.message);
    const uint32_t made = solver->collectives ? solver->collectives : GFAB_MAKES(GFAB_ALL_GATHER);
    const gfab_collective wanted = options->goal ? options->goal->collective : GFAB_ALL_GATHER;
    if (options->load && options->goal)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: a load and a goal; give one of them", solver->name);
    if (options->any_length && !solver->repeats)
        return GFAB_REFUSE(diag, "%s makes no schedules that repeat, for any number of blocks", solver->name);
    if (!(made & GFAB_MAKES(wanted)))
        return GFAB_REFUSE(diag, "%s does not make %s", solver->name, gfab_collective_name(wanted));
    if (options->load && !solver->takes_load)
        return GFAB_REFUSE(diag, "%s makes gossip alone: one token starts at each node", solver->name);
    if (!options->load && solver->broadcasts)
        return GFAB_REFUSE(diag, "%s makes broadcasts alone: one token at one node, none elsewhere", solver->name);
    return GFAB_OK;
}

bool gfab_solver_cut_short(gfab_status status)
{
    return status == GFAB_ERR_NO_MEMORY || status == GFAB_ERR_INTERRUPTED;
}

gfab_cost gfab_solver_schedule_cost(const gfab_schedule *schedule)
{
    gfab_cost cost = {.parts = gfab_schedule_parts(schedule)};
    const bool repeats = gfab_schedule_period(schedule) > 0; /* each packet of one token: the first says it all */
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++) {
        gfab_packet_iter packets =
            repeats ? gfab_schedule_round(schedule, round) : gfab_schedule_kept_round(schedule, round);
        size_t longest = 0;
        for (gfab_packet packet; !(repeats && longest) && gfab_packet_next(&packets, &packet);)
            longest = packet.token_count > longest ? packet.token_count : longest;
        cost.startups += longest > 0;
        cost.transfers += longest;
    }
    return cost;
}

/* The same where links are shared: of each round the link that has most to carry for its weight, in `parts` of a token.
 * used: [arcs], all 0; load: what counts past switches that copy or combine, or NULL. */
static uint64_t busiest_link(const gfab_schedule *schedule, uint32_t round, uint32_t parts, const uint32_t *load,
                             uint64_t *used)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const bool half = gfab_schedule_model(schedule)->link_mode == GFAB_LINK_HALF;
    uint64_t busiest = 0;
    for (int clear = 0; clear < 2; clear++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(schedule, round);
        const uint32_t *at = load;
        for (gfab_packet packet; gfab_packet_next(&packets, &packet); at += at ? packet.arc_count : 0)
            for (size_t i = 0; i < packet.arc_count; i++) {
                const gfab_arc arc = half ? packet.arcs[i] / 2 * 2 : packet.arcs[i];
                const uint64_t weight =
                    half ? gfab_topology_weight(topology, arc / 2) : gfab_topology_arc_weight(topology, arc);
                used[arc] = clear ? 0 : used[arc] + (at ? at[i] : packet.token_count);
                const uint64_t carries = (used[arc] * parts + weight - 1) / weight;
                busiest = carries > busiest ? carries : busiest;
            }
    }
    return busiest;
}

static gfab_status shared_cost(const gfab_schedule *schedule, gfab_cost *cost)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    *cost = gfab_solver_schedule_cost(schedule);
    if (!(gfab_topology_marks(topology) & GFAB_MARK_SWITCHES) || gfab_schedule_period(schedule))
        return GFAB_OK;
    GFAB_FREED uint64_t *used = calloc(2 * gfab_topology_link_count(topology), sizeof *used);
    GFAB_NEED(used);
    const bool helping = gfab_topology_marks(topology) & GFAB_MARK_HELPING;
    GFAB_AT_END(gfab_merged_release) gfab_merged merged = {0};
    gfab_status status = GFAB_OK;
    cost->transfers = 0;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule) && status == GFAB_OK; round++) {
        if (helping)
            status = gfab_merged_count(&merged, topology, gfab_schedule_kept_round(schedule, round));
        if (status == GFAB_OK)
            cost->transfers += busiest_link(schedule, round, SHARED_PARTS, merged.load, used);
    }
    cost->parts *= SHARED_PARTS;
    return status;
}

gfab_status gfab_solver_compare(const gfab_schedule *a, const gfab_schedule *b, const gfab_solver_options *options,
                                bool *better)
{
    gfab_cost cost_a = {0}, cost_b = {0};
    *better = !b || (!options->linear && gfab_schedule_rounds(a) < gfab_schedule_rounds(b));
    if (!b || !options->linear)
        return GFAB_OK;
    GFAB_TRY(shared_cost(a, &cost_a));
    GFAB_TRY(shared_cost(b, &cost_b));
    *better = gfab_cost_compare(&cost_a, &cost_b, options->startup) < 0;
    return GFAB_OK;
}

gfab_status gfab_solver_keep(gfab_schedule *made, const gfab_solver_options *options, gfab_schedule **best,
                             bool *better)
{
    *better = false;
    const gfab_status status = made ? gfab_solver_compare(made, *best, options, better) : GFAB_OK;
    gfab_schedule_destroy(*better ? *best : made);
    *best = *better ? made : *best;
    return status;
}

void gfab_solver_keep_shorter(gfab_schedule *made, gfab_schedule **best)
{
    const bool better = made && (!*best || gfab_schedule_rounds(made) < gfab_schedule_rounds(*best));
    gfab_schedule_destroy(better ? *best : made);
    *best = better ? made : *best;
}

gfab_status gfab_solver_report(const gfab_solver_options *options, const char *what, uint64_t done, uint64_t total)
{
    return gfab_progress_report(options->progress, what, done, total);
}

/* The reason behind the solver's name. One that asks others may get a reason of its own, which has the name already. */
static gfab_status give_reason(const gfab_solver *solver, gfab_status status, const gfab_diag *reason, gfab_diag *diag)
{
    const size_t length = strlen(solver->name);
    if (strncmp(reason->message, solver->name, length) == 0 && strncmp(reason->message + length, ": ", 2) == 0)
        return gfab_fail(diag, 0, status, "%s", reason->message);
    return gfab_fail(diag, 0, status, "%s: %s", solver->name,
                     reason->message[0] ? reason->message : gfab_status_string(status));
}

gfab_status gfab_solver_run(const gfab_solver *solver, gfab_solver_build build, const gfab_topology *topology,
                            const gfab_model *model, const gfab_solver_options *options, gfab_schedule **schedule,
                            gfab_diag *diag)
{
    *schedule = NULL;
    GFAB_TRY(gfab_solver_applies(solver, topology, model, diag));
    GFAB_TRY(gfab_solver_check_options(solver, options, diag));
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *made = NULL;
    gfab_status status = gfab_schedule_create(topology, model, &made);
    GFAB_THEN(status, gfab_schedule_set_solver(made, solver->name));
    gfab_diag reason = {0, ""};
    if (options->load)
        GFAB_THEN(status, gfab_schedule_set_load(made, options->load, 1));
    if (options->goal)
        GFAB_THEN(status, gfab_schedule_set_goal(made, options->goal, &reason));
    if (status != GFAB_OK)
        return give_reason(solver, status, &reason, diag);
    if (!solver->collectives && options->goal && options->goal->blocks != gfab_topology_member_count(topology))
        return GFAB_REFUSE(diag, "%s gathers one block a node; this is %u blocks on %zu nodes", solver->name,
                           options->goal->blocks, gfab_topology_node_count(topology));
    status = build(topology, model, options, made, &reason);
    if (status != GFAB_OK)
        return give_reason(solver, status, &reason, diag);
    if (options->rounds && gfab_schedule_rounds(made) > options->rounds)
        return GFAB_REFUSE(diag, "%s makes %u rounds here, more than the %u asked for", solver->name,
                           gfab_schedule_rounds(made), options->rounds);
    *schedule = gfab_take_at(&made);
    return GFAB_OK;
}
