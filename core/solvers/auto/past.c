/* SPDX-License-Identifier: MIT */
/* Switches are split off, and what is left is a graph of members, for which there are solvers. A move over one of its
 * arcs is a packet past switches here: of the moves that an arc carries in a round the first take its first path, as
 * many as that has a share for, the next ones the second path, and so on. Rounds stay as they are. Of a schedule that
 * repeats, rounds that are the same modulo the period are one round in this. */
#include "past.h"

#include "solvers/collective/outtrees/out_members.h"

#include <stdlib.h>

/* A kept packet of the small graph, and the path that it takes here. */
typedef struct placed {
    uint32_t round, residue;
    gfab_arc arc;
    uint32_t order; /* in the schedule */
    uint32_t token;
    const gfab_out_path *path;
} placed;

static int by_residue(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->residue != y->residue)
        return x->residue < y->residue ? -1 : 1;
    if (x->arc != y->arc)
        return x->arc < y->arc ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static int by_order(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

static gfab_packet_iter packets_of(const gfab_schedule *made, uint32_t round)
{
    return gfab_schedule_period(made) ? gfab_schedule_kept_round(made, round) : gfab_schedule_round(made, round);
}

static gfab_status list_packets(const gfab_schedule *made, uint32_t rounds, placed **list, size_t *count)
{
    const uint32_t period = gfab_schedule_period(made);
    const uint64_t most = period ? gfab_schedule_kept_count(made) : gfab_schedule_packet_count(made);
    gfab_packet packet;
    *count = 0;
    *list = most < SIZE_MAX / sizeof **list ? malloc((size_t)(most + 1) * sizeof **list) : NULL;
    for (uint32_t round = 1; round <= rounds && *list; round++)
        for (gfab_packet_iter it = packets_of(made, round); gfab_packet_next(&it, &packet); ++*count) {
            if (packet.arc_count != 1 || packet.token_count != 1)
                return GFAB_ERR_UNSUPPORTED;
            (*list)[*count] = (placed){.round = round,
                                       .residue = period ? round % period : round,
                                       .arc = packet.arcs[0],
                                       .order = (uint32_t)*count,
                                       .token = packet.tokens[0]};
        }
    return *list ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* FAULT where an arc carries more than its paths do. */
static gfab_status choose_paths(const gfab_out_members *m, placed *list, size_t count)
{
    const gfab_out_path *path = NULL, *end = NULL;
    uint32_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || list[i].residue != list[i - 1].residue || list[i].arc != list[i - 1].arc) {
            path = m->paths + m->first[list[i].arc];
            end = m->paths + m->first[list[i].arc + 1];
            left = path < end ? path->share : 0;
        }
        while (path < end && left == 0)
            left = ++path < end ? path->share : 0;
        if (path >= end)
            return GFAB_ERR_FAULT;
        list[i].path = path;
        left--;
    }
    return GFAB_OK;
}

static gfab_status bring_back(const gfab_out_members *m, const gfab_schedule *made, gfab_schedule *schedule)
{
    const uint32_t period = gfab_schedule_period(made);
    const uint32_t rounds = period ? gfab_schedule_kept_rounds(made) : gfab_schedule_rounds(made);
    placed *list = NULL;
    size_t count = 0;
    gfab_status status = period ? GFAB_OK : gfab_schedule_check_listed(made, NULL);
    GFAB_THEN(status, list_packets(made, rounds, &list, &count));
    if (status == GFAB_OK) {
        qsort(list, count, sizeof *list, by_residue);
        status = choose_paths(m, list, count);
        qsort(list, count, sizeof *list, by_order);
    }
    if (status == GFAB_OK && period)
        status = gfab_schedule_set_period(schedule, period, gfab_schedule_group(made));
    for (size_t i = 0; i < count && status == GFAB_OK; i++)
        status = gfab_schedule_append_packet(schedule, list[i].round, m->arcs + list[i].path->first,
                                             list[i].path->length, &list[i].token, 1);
    free(list);
    return status;
}

gfab_status gfab_past_build(const gfab_solver *by, const gfab_topology *topology, const gfab_model *model,
                            const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    gfab_solver_options asked = *options;
    gfab_out_members members;
    gfab_recognition recognition = {0};
    gfab_schedule *made = NULL;
    asked.goal = &goal;
    gfab_status status = gfab_out_members_create(topology, &goal, options, &members, diag);
    if (status == GFAB_ERR_INVALID)
        status = gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "%s is not connected without its switches",
                           gfab_topology_name(topology));
    if (status == GFAB_OK && gfab_topology_is_plain(members.topology))
        status = gfab_topology_recognise(members.topology, options->progress, &recognition);
    asked.recognition = &recognition;
    GFAB_THEN(status, gfab_solve(by, members.topology, model, &asked, &made, NULL, diag));
    GFAB_THEN(status, bring_back(&members, made, schedule));
    gfab_schedule_destroy(made);
    gfab_recognition_release(&recognition);
    gfab_out_members_release(&members);
    return status;
}
