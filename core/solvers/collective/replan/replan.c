/* SPDX-License-Identifier: MIT */
/* Another schedule for what is left of a graph: the old one where nothing hit it; else what still works of it, and the
 * rest anew; or a plan made anew, where that is quick and shorter. docs/theory/replanning.md. */
#include "replan_plan.h"

#include <gossipfab/topology/recognise.h>

#include "base/progress.h"

#include <assert.h>
#include <stdlib.h>

/* A group that is taken several times has so many rounds, or more. */
#define LONG_PERIOD 32u
#define MAX_MOVES ((uint64_t)1 << 24)
#define MAX_CELLS ((uint64_t)1 << 26)
/* What is made anew in about a second: nodes times blocks, nodes, and the part of a solver. What repeats and is no
 * longer than that is mended as if it did not repeat. */
#define QUICK_HOLDINGS ((uint64_t)1 << 13)
#define QUICK_NODES 512u
#define MOST_MS 300u
#define NONE GFAB_REPLAN_NONE
/* In the place of any number of blocks: so many groups. */
#define MANY_GROUPS 1024u

/* ---- nodes and goals ---- */

/* The number of each old node in what is left. */
static gfab_status number_nodes(gfab_replan_job *j, const uint32_t *nodes, gfab_diag *diag)
{
    const gfab_topology *whole = gfab_schedule_topology(j->before);
    const uint32_t count = (uint32_t)gfab_topology_node_count(whole);
    if (!nodes && count != j->nodes)
        return GFAB_REFUSE(diag, "%u nodes were planned for, and %u are left", count, j->nodes);
    j->number = malloc(count * sizeof *j->number);
    GFAB_NEED(j->number);
    for (uint32_t v = 0; v < count; v++)
        j->number[v] = NONE;
    for (uint32_t v = 0; v < j->nodes; v++) {
        const uint32_t old = nodes ? nodes[v] : v;
        assert(!nodes || v == 0 || nodes[v - 1] < old);
        if (old >= count || gfab_topology_is_relay(whole, old) != gfab_topology_is_relay(j->left, v))
            return GFAB_REFUSE(diag,
                               "members and relays stay what they are where a plan is kept; make a new one for others");
        j->number[old] = v;
    }
    return GFAB_OK;
}

/* What is left to do: the old goal where all members live. */
static gfab_status find_goal(gfab_replan_job *j, gfab_diag *diag)
{
    const gfab_topology *whole = gfab_schedule_topology(j->before);
    const uint64_t old = gfab_topology_member_count(whole), members = gfab_topology_member_count(j->left);
    j->goal = gfab_schedule_goal(j->before);
    if (old == members)
        return GFAB_OK;
    const gfab_collective collective = j->goal.collective;
    if (collective == GFAB_ALL_GATHER && !gfab_schedule_load(j->before))
        return GFAB_REFUSE(diag, "the nodes do not start with as many tokens each; make a new plan for such a load");
    if (collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER)
        j->goal.blocks = (uint32_t)(j->goal.blocks / old * members);
    if (collective == GFAB_ALL_TO_ALL)
        j->goal.blocks = (uint32_t)(members * members);
    if (!gfab_collective_has_root(collective))
        return GFAB_OK;
    const uint32_t root = gfab_topology_member(whole, j->goal.root);
    if (j->number[root] == NONE)
        return GFAB_REFUSE(diag, "node %u, the root, has died: make a new plan with another root", root);
    j->goal.root = gfab_topology_rank(j->left, j->number[root]);
    return GFAB_OK;
}

/* ---- mending ---- */

static bool both_ways(const gfab_replan_job *j)
{
    return j->goal.collective == GFAB_ALL_REDUCE || j->goal.collective == GFAB_BARRIER;
}

/* Is it a schedule that can be mended? */
static gfab_status check(const gfab_replan_job *j, gfab_diag *diag)
{
    const gfab_schedule *before = j->before;
    const gfab_topology *whole = gfab_schedule_topology(before), *left = j->left;
    const uint64_t kept = j->period ? gfab_schedule_kept_count(before) : gfab_schedule_packet_count(before);
    if (gfab_topology_member_count(whole) != gfab_topology_member_count(left) && !both_ways(j))
        return GFAB_REFUSE(diag,
                           "where a member has died all-reduces and barriers are kept; make a new plan for others");
    if ((gfab_topology_marks(whole) | gfab_topology_marks(left)) & GFAB_MARK_LIMITED)
        return gfab_fail(
            diag, 0, GFAB_ERR_UNSUPPORTED,
            "%s has relays that do not copy or combine; plans are kept for relays that do both, make a new one",
            gfab_topology_name(left));
    if ((gfab_topology_marks(whole) | gfab_topology_marks(left)) & GFAB_MARK_SWITCHES)
        return GFAB_REFUSE(diag, "%s has switches; plans are kept for relays that store, make a new one",
                           gfab_topology_name(left));
    if (gfab_topology_is_directed(whole) || gfab_topology_is_directed(left))
        return GFAB_REFUSE(diag, "%s has directed links; plans are kept for links that go both ways, make a new one",
                           gfab_topology_name(left));
    if (j->model.port_mode != GFAB_PORT_ALL || j->model.routing != GFAB_ROUTING_STORE_AND_FORWARD ||
        j->model.packet_tokens != 1)
        return GFAB_REFUSE(diag, "plans are kept for all ports, store-and-forward routing and 1 token a packet; make a "
                                 "new one for this model");
    if (j->goal.collective == GFAB_ALL_GATHER && !gfab_schedule_load(before))
        return GFAB_REFUSE(diag, "the nodes do not start with as many tokens each; make a new plan for such a load");
    if (kept > MAX_MOVES || (uint64_t)j->group * j->nodes > MAX_CELLS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%llu moves; plans of up to %llu are kept", (unsigned long long)kept,
                         (unsigned long long)MAX_MOVES);
    return GFAB_OK;
}

static gfab_status read_moves(gfab_replan_job *j, gfab_diag *diag)
{
    const gfab_topology *whole = gfab_schedule_topology(j->before);
    const size_t room =
        (size_t)(j->period ? gfab_schedule_kept_count(j->before) : gfab_schedule_packet_count(j->before));
    j->moves = malloc((room + 1) * sizeof *j->moves);
    GFAB_NEED(j->moves);
    for (uint32_t round = 1; round <= j->rounds; round++) {
        gfab_packet_iter packets =
            j->period ? gfab_schedule_kept_round(j->before, round) : gfab_schedule_round(j->before, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet) && j->count < room;) {
            if (packet.token_count != 1 || packet.arc_count != 1)
                return GFAB_REFUSE(diag,
                                   "round %u has a packet of %zu tokens over %zu links; plans are kept of 1 over 1",
                                   round, packet.token_count, packet.arc_count);
            gfab_replan_move *m = &j->moves[j->count++];
            *m = (gfab_replan_move){.round = round,
                                    .block = packet.tokens[0] & ~GFAB_COMBINE,
                                    .from = j->number[gfab_topology_arc_from(whole, packet.arcs[0])],
                                    .to = j->number[gfab_topology_arc_to(whole, packet.arcs[0])],
                                    .combine = packet.tokens[0] & GFAB_COMBINE};
            if (m->from == NONE || m->to == NONE || !gfab_topology_find_arc(j->left, m->from, m->to, &m->arc))
                m->arc = NONE;
        }
        GFAB_TRY(gfab_progress_report(j->progress, "rounds", round, j->rounds));
    }
    return GFAB_OK;
}

static gfab_status attempt(const gfab_replan_job *j, gfab_replan_way *way, uint32_t copies, gfab_schedule **made,
                           gfab_replan_outcome *outcome, gfab_diag *diag)
{
    gfab_status status = gfab_schedule_create(j->left, &j->model, made);
    GFAB_THEN(status, gfab_schedule_set_goal(*made, &j->goal, diag));
    GFAB_THEN(status, gfab_schedule_set_solver(*made, "replan"));
    GFAB_THEN(status, way(j, copies, *made, outcome, diag));
    return GFAB_LEAVE(status, gfab_schedule_destroy, made);
}

static void swap_schedules(gfab_schedule **a, gfab_schedule **b)
{
    gfab_schedule *swap = *a;
    *a = *b;
    *b = swap;
}

/* Is a made anew shorter than b? Of those for any number of blocks by what a block takes, then by the first group. */
static bool is_shorter(const gfab_schedule *a, const gfab_schedule *b)
{
    if (gfab_schedule_any_length(a) && gfab_schedule_any_length(b)) {
        const uint64_t x = (uint64_t)gfab_schedule_period(a) * gfab_schedule_group(b);
        const uint64_t y = (uint64_t)gfab_schedule_period(b) * gfab_schedule_group(a);
        if (x != y)
            return x < y;
    }
    return gfab_schedule_rounds(a) < gfab_schedule_rounds(b);
}

/* One way more: it is taken where it is shorter than what there is, if there is any. outcome: what is kept by the one
 * that is taken, and whether this way dropped a block. */
static gfab_status also(const gfab_replan_job *j, gfab_replan_way *way, uint32_t copies, gfab_schedule **after,
                        gfab_replan_outcome *outcome, gfab_diag *diag)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *more = NULL;
    gfab_replan_outcome this_way = {0};
    const gfab_status status = attempt(j, way, copies, &more, &this_way, *after ? NULL : diag);
    outcome->dropped = this_way.dropped;
    if (more && (!*after || is_shorter(more, *after))) {
        swap_schedules(&more, after);
        outcome->kept = this_way.kept;
    }
    return gfab_solver_cut_short(status) || !*after ? status : GFAB_OK;
}

/* Where the blocks' trees are mended that of a short group loses much with one of its blocks: so with several of its
 * groups as one, too. One that does not repeat may become longer: so also with other ways in the place of moves that
 * would be late. An all-reduce that does not repeat, or not often, is two halves where it can be. */
static gfab_status mend(const gfab_replan_job *j, gfab_schedule **after, gfab_replan_outcome *outcome, gfab_diag *diag)
{
    gfab_replan_way *way = both_ways(j) ? gfab_replan_forest : gfab_replan_trees;
    gfab_replan_job other = *j;
    gfab_status status = GFAB_OK;
    if (both_ways(j) && !j->period) {
        status = also(j, gfab_replan_halves, 1, after, outcome, diag);
        if (gfab_solver_cut_short(status) || (*after && gfab_schedule_rounds(*after) <= j->rounds))
            return status;
    }
    status = also(j, way, 1, after, outcome, diag);
    if (gfab_solver_cut_short(status) || (both_ways(j) && !j->period))
        return status;
    other.punctual = j->period == 0;
    if (other.punctual && *after && gfab_schedule_rounds(*after) > j->rounds)
        return also(&other, way, 1, after, outcome, diag);
    if (j->period && j->period <= LONG_PERIOD / 2 && (outcome->dropped || !*after))
        return also(&other, way, (LONG_PERIOD + j->period - 1) / j->period, after, outcome, diag);
    return status;
}

/* ---- anew ---- */

/* Is a plan made anew little work? Of one for any number of blocks a group counts. */
static bool is_quick(const gfab_replan_job *j)
{
    const uint64_t blocks = gfab_schedule_any_length(j->before) ? j->group : j->goal.blocks;
    return j->nodes <= QUICK_NODES && j->nodes * blocks <= QUICK_HOLDINGS;
}

static gfab_status make_anew(const gfab_replan_job *j, gfab_schedule **made, gfab_diag *diag)
{
    gfab_solver_options options = gfab_solver_options_default();
    GFAB_AT_END(gfab_recognition_release) gfab_recognition recognition = {0};
    GFAB_TRY(gfab_topology_recognise(j->left, j->progress, &recognition));
    options.progress = j->progress;
    options.goal = &j->goal;
    options.any_length = gfab_schedule_any_length(j->before);
    options.recognition = &recognition;
    options.most_ms = MOST_MS;
    return gfab_solve(&gfab_solver_auto, j->left, &j->model, &options, made, NULL, diag);
}

/* Mended; what has become longer by it is made anew, too, if that is quick, and the shorter of the two is taken; an
 * all-reduce or barrier in any case. Those for any number of blocks lose little where they are mended. */
static gfab_status mend_or_make(gfab_replan_job *j, gfab_schedule **after, gfab_replan_report *report, gfab_diag *diag)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *anew = NULL;
    gfab_replan_outcome outcome = {0};
    gfab_status status = check(j, diag);
    GFAB_THEN(status, read_moves(j, diag));
    GFAB_THEN(status, mend(j, after, &outcome, diag));
    report->kept = outcome.kept;
    if (status == GFAB_OK && gfab_schedule_any_length(j->before))
        status = gfab_schedule_set_any_length(*after);
    const bool mended = status == GFAB_OK;
    const bool longer = mended && gfab_schedule_rounds(*after) > gfab_schedule_rounds(j->before);
    const bool stays = mended && (gfab_schedule_any_length(j->before) || (!both_ways(j) && !longer));
    if (gfab_solver_cut_short(status) || stays || !is_quick(j))
        return status;
    const gfab_status made = make_anew(j, &anew, mended ? NULL : diag);
    if (gfab_solver_cut_short(made) || (made != GFAB_OK && !mended))
        return made;
    report->how = GFAB_REPLAN_MENDED;
    if (made == GFAB_OK && (!mended || is_shorter(anew, *after))) {
        swap_schedules(&anew, after);
        report->how = GFAB_REPLAN_ANEW;
    }
    return GFAB_OK;
}

static gfab_status replan(gfab_replan_job *j, const uint32_t *nodes, gfab_schedule **after, gfab_replan_report *report,
                          gfab_diag *diag)
{
    gfab_status status = number_nodes(j, nodes, diag);
    GFAB_THEN(status, find_goal(j, diag));
    GFAB_THEN(status, gfab_replan_stay(j, after));
    if (status == GFAB_OK) {
        report->how = GFAB_REPLAN_STAYS;
    } else if (status == GFAB_ERR_FAULT) {
        report->how = GFAB_REPLAN_MENDED;
        if (both_ways(j) && !gfab_schedule_any_length(j->before) &&
            (uint64_t)j->nodes * j->goal.blocks <= QUICK_HOLDINGS) {
            j->period = 0;
            j->group = j->goal.blocks;
            j->rounds = gfab_schedule_rounds(j->before);
        }
        if (gfab_schedule_any_length(j->before))
            j->goal.blocks = j->group * (MANY_GROUPS < INT32_MAX / j->group ? MANY_GROUPS : INT32_MAX / j->group);
        status = mend_or_make(j, after, report, diag);
    }
    const bool listed = !gfab_schedule_translated(j->before);
    if (status == GFAB_OK && listed && report->how != GFAB_REPLAN_MENDED)
        return gfab_replan_count(j, *after, report);
    report->moves = listed ? j->count : gfab_schedule_packet_count(j->before);
    if (report->how == GFAB_REPLAN_STAYS)
        report->kept = report->moves;
    return status;
}

gfab_status gfab_replan(const gfab_schedule *before, const gfab_topology *left, const uint32_t *nodes,
                        const gfab_progress *progress, gfab_schedule **after, gfab_replan_report *report,
                        gfab_diag *diag)
{
    *after = NULL;
    *report = (gfab_replan_report){.how = GFAB_REPLAN_STAYS};
    gfab_replan_job j = {.before = before,
                         .left = left,
                         .progress = progress,
                         .model = *gfab_schedule_model(before),
                         .period = gfab_schedule_period(before),
                         .group = gfab_schedule_group(before),
                         .rounds = gfab_schedule_kept_rounds(before),
                         .nodes = (uint32_t)gfab_topology_node_count(left),
                         .links = (uint32_t)gfab_topology_link_count(left)};
    gfab_diag reason = {0, ""};
    const gfab_status status = replan(&j, nodes, after, report, &reason);
    GFAB_FREE(j.moves, j.number);
    if (status == GFAB_OK)
        return GFAB_OK;
    gfab_schedule_destroy(*after);
    *after = NULL;
    return gfab_fail(diag, 0, status, "%s", reason.message[0] ? reason.message : gfab_status_string(status));
}
