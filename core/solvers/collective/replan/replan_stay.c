/* SPDX-License-Identifier: MIT */
/* An old schedule on another graph, packet by packet; and what two schedules have in common. */
#include "replan_plan.h"

#include "base/ascending.h"
#include "base/grow.h"
#include "base/progress.h"

#include <gossipfab/schedule/verify.h>

#include <stdlib.h>

#define NONE GFAB_REPLAN_NONE

/* An arc of the old graph in what is left; NONE where it has died. */
static gfab_arc arc_left(const gfab_replan_job *j, gfab_arc arc)
{
    const gfab_topology *whole = gfab_schedule_topology(j->before);
    const uint32_t from = j->number[gfab_topology_arc_from(whole, arc)];
    const uint32_t to = j->number[gfab_topology_arc_to(whole, arc)];
    gfab_arc left;
    if (from == NONE || to == NONE || !gfab_topology_find_arc(j->left, from, to, &left))
        return NONE;
    return left;
}

/* ---- staying ---- */

/* One packet; FAULT where one of its links has died. A graph that is the same has the same arcs: two nodes may have
 * several. */
static gfab_status append(const gfab_replan_job *j, bool same, uint32_t round, const gfab_packet *packet,
                          gfab_arc *arcs, gfab_schedule *after)
{
    for (size_t i = 0; i < packet->arc_count; i++) {
        arcs[i] = same ? packet->arcs[i] : arc_left(j, packet->arcs[i]);
        if (arcs[i] == NONE)
            return GFAB_ERR_FAULT;
    }
    return gfab_schedule_append_packet(after, round, arcs, packet->arc_count, packet->tokens, packet->token_count);
}

/* Links of the longest way. */
static size_t longest_way(const gfab_schedule *s, bool kept)
{
    size_t most = 1;
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(s); round++) {
        gfab_packet_iter it = kept ? gfab_schedule_kept_round(s, round) : gfab_schedule_round(s, round);
        for (gfab_packet packet; gfab_packet_next(&it, &packet);)
            most = packet.arc_count > most ? packet.arc_count : most;
    }
    return most;
}

static gfab_status copy(const gfab_replan_job *j, gfab_schedule *after)
{
    const gfab_schedule *before = j->before;
    const bool same = gfab_topology_equal(gfab_schedule_topology(before), j->left);
    bool kept = j->period > 0;
    gfab_status status = kept ? gfab_schedule_set_period(after, j->period, gfab_schedule_group(before)) : GFAB_OK;
    if (gfab_schedule_translated(before)) {
        kept = gfab_schedule_set_translated(after) == GFAB_OK; /* where it still is a torus */
        status = kept ? GFAB_OK : gfab_schedule_check_listed(before, NULL);
    }
    GFAB_FREED gfab_arc *arcs = malloc(longest_way(before, kept) * sizeof *arcs);
    GFAB_NEED(arcs);
    for (uint32_t round = 1; round <= j->rounds && status == GFAB_OK; round++) {
        gfab_packet_iter it = kept ? gfab_schedule_kept_round(before, round) : gfab_schedule_round(before, round);
        for (gfab_packet packet; status == GFAB_OK && gfab_packet_next(&it, &packet);)
            status = append(j, same, round, &packet, arcs, after);
        GFAB_THEN(status, gfab_progress_report(j->progress, "rounds", round, j->rounds));
    }
    if (status == GFAB_OK && gfab_schedule_any_length(before))
        status = gfab_schedule_set_any_length(after);
    return status;
}

gfab_status gfab_replan_stay(const gfab_replan_job *job, gfab_schedule **after)
{
    gfab_verify_report report;
    const gfab_topology *whole = gfab_schedule_topology(job->before);
    *after = NULL;
    const bool gossip = gfab_schedule_goal(job->before).collective == GFAB_ALL_GATHER;
    if (gfab_topology_member_count(whole) != gfab_topology_member_count(job->left) ||
        (gossip && gfab_topology_node_count(whole) != job->nodes && !gfab_schedule_even_load(job->before)))
        return GFAB_ERR_FAULT;
    gfab_status status = gfab_schedule_create_like(job->before, job->left, after);
    GFAB_THEN(status, copy(job, *after));
    GFAB_THEN(status, gfab_verify(job->left, &job->model, *after, job->progress, &report));
    if (status != GFAB_OK) {
        gfab_schedule_destroy(*after);
        *after = NULL;
    }
    return gfab_solver_cut_short(status) || status == GFAB_OK ? status : GFAB_ERR_FAULT;
}

/* ---- in common ---- */

/* Each move as a number, its block and its arc in what is left; moves over what has died are counted alone. */
typedef struct moves {
    uint64_t *key;
    size_t count, room;
    uint64_t all;
} moves;

static gfab_status add(moves *m, uint32_t token, gfab_arc arc)
{
    m->all++;
    if (arc == NONE)
        return GFAB_OK;
    GFAB_NEED(gfab_grow(&m->key, m->count, &m->room, sizeof *m->key));
    m->key[m->count++] = (uint64_t)(token & ~GFAB_COMBINE) << 32 | arc;
    return GFAB_OK;
}

static gfab_status list(const gfab_replan_job *j, const gfab_schedule *s, moves *m)
{
    const bool kept = gfab_schedule_period(s) > 0, old = s == j->before;
    const uint32_t rounds = gfab_schedule_kept_rounds(s);
    for (uint32_t round = 1; round <= rounds; round++) {
        gfab_packet_iter it = kept ? gfab_schedule_kept_round(s, round) : gfab_schedule_round(s, round);
        for (gfab_packet packet; gfab_packet_next(&it, &packet);)
            for (size_t i = 0; i < packet.token_count; i++)
                for (size_t k = 0; k < packet.arc_count; k++)
                    GFAB_TRY(add(m, packet.tokens[i], old ? arc_left(j, packet.arcs[k]) : packet.arcs[k]));
        GFAB_TRY(gfab_progress_report(j->progress, "rounds", round, rounds));
    }
    qsort(m->key, m->count, sizeof *m->key, gfab_ascending);
    return GFAB_OK;
}

gfab_status gfab_replan_count(const gfab_replan_job *job, const gfab_schedule *after, gfab_replan_report *report)
{
    moves old = {NULL, 0, 0, 0}, now = {NULL, 0, 0, 0};
    gfab_status status = list(job, job->before, &old);
    GFAB_THEN(status, list(job, after, &now));
    report->moves = old.all;
    report->kept = 0;
    for (size_t i = 0, k = 0; i < old.count && status == GFAB_OK; i++) {
        while (k < now.count && now.key[k] < old.key[i])
            k++;
        report->kept += k < now.count && now.key[k] == old.key[i];
    }
    GFAB_FREE(old.key, now.key);
    return status;
}
