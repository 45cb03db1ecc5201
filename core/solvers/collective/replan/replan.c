/* SPDX-License-Identifier: MIT */
/* What still works of a schedule, and the rest anew. docs/theory/replanning.md. */
#include "replan_plan.h"

#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

/* A group that is taken several times has so many rounds, or more. */
#define LONG_PERIOD 32u
#define MAX_MOVES ((uint64_t)1 << 24)
#define MAX_CELLS ((uint64_t)1 << 26)
/* In the place of any number of blocks: so many groups. */
#define MANY_GROUPS 1024u

static bool keeps_nodes(const gfab_topology *a, const gfab_topology *b)
{
    const size_t nodes = gfab_topology_node_count(a);
    if (nodes != gfab_topology_node_count(b))
        return false;
    for (size_t v = 0; v < nodes; v++)
        if (gfab_topology_is_relay(a, v) != gfab_topology_is_relay(b, v))
            return false;
    return true;
}

static gfab_status check(const gfab_schedule *before, const gfab_topology *left, gfab_diag *diag)
{
    const gfab_model *model = gfab_schedule_model(before);
    const gfab_goal goal = gfab_schedule_goal(before);
    const uint64_t kept =
        gfab_schedule_translated(before) ? gfab_schedule_packet_count(before) : gfab_schedule_kept_count(before);
    if (!keeps_nodes(gfab_schedule_topology(before), left))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "a plan is kept where links change; other nodes, or other relays, need a new one");
    if ((gfab_topology_marks(gfab_schedule_topology(before)) | gfab_topology_marks(left)) & GFAB_MARK_LIMITED)
        return gfab_fail(
            diag, 0, GFAB_ERR_UNSUPPORTED,
            "%s has relays that do not copy or combine; plans are kept for relays that do both, make a new one",
            gfab_topology_name(left));
    if (gfab_topology_is_directed(gfab_schedule_topology(before)) || gfab_topology_is_directed(left))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "%s has directed links; plans are kept for links that go both ways, make a new one",
                         gfab_topology_name(left));
    if (model->port_mode != GFAB_PORT_ALL || model->routing != GFAB_ROUTING_STORE_AND_FORWARD ||
        model->packet_tokens != 1)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "plans are kept for all ports, store-and-forward routing and 1 token a packet; make a new "
                         "one for this model");
    if (goal.collective == GFAB_ALL_GATHER && !gfab_schedule_load(before))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "the nodes do not start with as many tokens each; make a new plan for such a load");
    if (kept > MAX_MOVES || (uint64_t)gfab_schedule_group(before) * gfab_topology_node_count(left) > MAX_CELLS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%llu moves; plans of up to %llu are kept", (unsigned long long)kept,
                         (unsigned long long)MAX_MOVES);
    return GFAB_OK;
}

static gfab_status read_moves(gfab_replan_job *j)
{
    const gfab_topology *whole = gfab_schedule_topology(j->before);
    const size_t room = (size_t)(gfab_schedule_translated(j->before) ? gfab_schedule_packet_count(j->before)
                                                                     : gfab_schedule_kept_count(j->before));
    gfab_status status = GFAB_OK;
    j->moves = malloc((room + 1) * sizeof *j->moves);
    if (!j->moves)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t round = 1; round <= j->rounds && status == GFAB_OK; round++) {
        gfab_packet_iter packets =
            j->period ? gfab_schedule_kept_round(j->before, round) : gfab_schedule_round(j->before, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet) && j->count < room;) {
            gfab_replan_move *m = &j->moves[j->count++];
            *m = (gfab_replan_move){.round = round,
                                    .block = packet.tokens[0] & ~GFAB_COMBINE,
                                    .from = gfab_topology_arc_from(whole, packet.arcs[0]),
                                    .to = gfab_topology_arc_to(whole, packet.arcs[0]),
                                    .combine = packet.tokens[0] & GFAB_COMBINE};
            if (!gfab_topology_find_arc(j->left, m->from, m->to, &m->arc))
                m->arc = GFAB_REPLAN_NONE;
        }
        status = gfab_progress_report(j->progress, "rounds", round, j->rounds);
    }
    return status;
}

static gfab_status attempt(const gfab_replan_job *j, uint32_t copies, gfab_schedule **made, uint64_t *kept,
                           bool *dropped, gfab_diag *diag)
{
    const bool both_ways = j->goal.collective == GFAB_ALL_REDUCE || j->goal.collective == GFAB_BARRIER;
    gfab_status status = gfab_schedule_create(j->left, &j->model, made);
    if (status == GFAB_OK)
        status = gfab_schedule_set_goal(*made, &j->goal, diag);
    if (status == GFAB_OK)
        status = gfab_schedule_set_solver(*made, "replan");
    if (status == GFAB_OK)
        status = (both_ways ? gfab_replan_forest : gfab_replan_trees)(j, copies, *made, kept, dropped, diag);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(*made);
        *made = NULL;
    }
    return status;
}

/* As it is. Where that lost some of a short group, with several of its groups as one, too; where a schedule that does
 * not repeat became longer, also with other ways in the place of moves that would be late. */
static gfab_status choose(const gfab_replan_job *j, gfab_schedule **after, uint64_t *kept, gfab_diag *diag)
{
    gfab_schedule *more = NULL;
    uint64_t more_kept = 0;
    bool dropped = false, again;
    gfab_replan_job other = *j;
    gfab_status status = attempt(j, 1, after, kept, &dropped, diag);
    const bool lost = status == GFAB_OK ? dropped : !gfab_solver_cut_short(status);
    other.punctual = j->period == 0;
    const bool worth =
        j->period ? lost && j->period <= LONG_PERIOD / 2 : *after && gfab_schedule_rounds(*after) > j->rounds;
    if (!worth)
        return status;
    const uint32_t copies = j->period ? (LONG_PERIOD + j->period - 1) / j->period : 1;
    const gfab_status tried = attempt(&other, copies, &more, &more_kept, &again, NULL);
    if (gfab_solver_cut_short(tried)) {
        gfab_schedule_destroy(*after);
        *after = NULL;
        return tried;
    }
    if (more && (!*after || gfab_schedule_rounds(more) < gfab_schedule_rounds(*after))) {
        gfab_schedule *swap = *after;
        *after = more;
        more = swap;
        *kept = more_kept;
        status = GFAB_OK;
    }
    gfab_schedule_destroy(more);
    return status;
}

gfab_status gfab_replan(const gfab_schedule *before, const gfab_topology *left, const gfab_progress *progress,
                        gfab_schedule **after, gfab_replan_report *report, gfab_diag *diag)
{
    *after = NULL;
    *report = (gfab_replan_report){0};
    gfab_status status = check(before, left, diag);
    if (status != GFAB_OK)
        return status;
    gfab_replan_job j = {.before = before,
                         .left = left,
                         .progress = progress,
                         .model = *gfab_schedule_model(before),
                         .goal = gfab_schedule_goal(before),
                         .period = gfab_schedule_period(before),
                         .group = gfab_schedule_group(before),
                         .rounds = gfab_schedule_kept_rounds(before),
                         .nodes = (uint32_t)gfab_topology_node_count(left),
                         .links = (uint32_t)gfab_topology_link_count(left)};
    if (gfab_schedule_any_length(before))
        j.goal.blocks = j.group * (MANY_GROUPS < INT32_MAX / j.group ? MANY_GROUPS : INT32_MAX / j.group);
    gfab_diag reason = {0, ""};
    status = read_moves(&j);
    if (status == GFAB_OK)
        status = choose(&j, after, &report->kept, &reason);
    if (status == GFAB_OK && gfab_schedule_any_length(before))
        status = gfab_schedule_set_any_length(*after);
    report->moves = j.count;
    free(j.moves);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(*after);
        *after = NULL;
        return gfab_fail(diag, 0, status, "%s", reason.message[0] ? reason.message : gfab_status_string(status));
    }
    return GFAB_OK;
}
