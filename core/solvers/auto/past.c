/* SPDX-License-Identifier: MIT */
/* Switches are split off, and what is left is a graph of members, for which there are solvers. A move over one of its
 * arcs is a packet past switches here: of the moves that an arc carries in a round the first take its first path, as
 * many as that has a share for, the next ones the second path, and so on. Rounds stay as they are. Of a schedule that
 * repeats, rounds that are the same modulo the period are one round in this. */
#include "past.h"

#include "halves.h"
#include "solvers/collective/outtrees/out_members.h"

#include <gossipfab/schedule/bound.h>
#include <stdlib.h>

#define MOST_TURNS 12u
/* Half duplex: many turns come near to the best rate, with few of them blocks wait less. Each time other fillings. */
static const uint32_t half_turns[] = {48, 16, 8};

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

/* FAULT where an arc carries more than its paths do; of these, where rounds take turns, those of the round's turn. */
static gfab_status choose_paths(const gfab_out_members *m, uint32_t shift, placed *list, size_t count)
{
    const gfab_out_path *path = NULL, *end = NULL;
    const uint32_t turns = m->turns.count;
    uint32_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || list[i].residue != list[i - 1].residue || list[i].arc != list[i - 1].arc) {
            path = m->paths + m->first[list[i].arc];
            end = m->paths + m->first[list[i].arc + 1];
            left = path < end ? path->share : 0;
        }
        while (path < end && (left == 0 || (m->turns.weight && path->turn != (list[i].residue + shift) % turns)))
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
    GFAB_FREED placed *list = NULL;
    size_t count = 0;
    gfab_status status = period ? GFAB_OK : gfab_schedule_check_listed(made, NULL);
    GFAB_THEN(status, list_packets(made, rounds, &list, &count));
    if (status == GFAB_OK) {
        qsort(list, count, sizeof *list, by_residue);
        status = GFAB_ERR_FAULT;
        for (uint32_t shift = 0; shift < m->turns.count && status == GFAB_ERR_FAULT; shift++)
            status = choose_paths(m, shift, list, count); /* backwards any turn may be the first one */
        qsort(list, count, sizeof *list, by_order);
    }
    if (status == GFAB_OK && period)
        status = gfab_schedule_set_period(schedule, period, gfab_schedule_group(made));
    for (size_t i = 0; i < count && status == GFAB_OK; i++)
        status = gfab_schedule_append_packet(schedule, list[i].round, m->arcs + list[i].path->first,
                                             list[i].path->length, &list[i].token, 1);
    return status;
}

/* Where rounds take turns: trees alone, which know of that. */
static gfab_status make_in_turns(const gfab_out_members *m, const gfab_model *model, const gfab_solver_options *options,
                                 gfab_schedule **made, gfab_diag *diag)
{
    gfab_model full = *model;
    full.link_mode = GFAB_LINK_FULL; /* in each turn an arc has what it may carry to itself */
    full.port_mode = GFAB_PORT_ALL;
    gfab_status status = gfab_schedule_create(m->topology, &full, made);
    GFAB_THEN(status, gfab_schedule_set_goal(*made, options->goal, diag));
    GFAB_THEN(status, gfab_out_build(m->topology, &full, options, &m->turns, *made, diag));
    return GFAB_LEAVE(status, gfab_schedule_destroy, made);
}

/* The graph of members, and a schedule there. */
typedef struct small {
    gfab_out_members members;
    gfab_schedule *made;
} small;

static void release(small *s)
{
    gfab_schedule_destroy(s->made);
    gfab_out_members_release(&s->members);
    *s = (small){.made = NULL};
}

/* What is asked, on the graph with its switches. */
typedef struct question {
    const gfab_solver *by;
    const gfab_topology *topology;
    const gfab_model *model;
    gfab_solver_options options;
} question;

/* In at most so many turns; 0: with all weights. */
static gfab_status make_small(const question *q, uint32_t most_turns, small *s, gfab_diag *diag)
{
    gfab_solver_options options = q->options;
    GFAB_AT_END(gfab_recognition_release) gfab_recognition recognition = {0};
    gfab_status status = gfab_out_members_create(q->topology, q->model, most_turns, &options, &s->members, diag);
    if (status == GFAB_ERR_INVALID)
        status = GFAB_REFUSE(diag, "%s is not connected without its switches", gfab_topology_name(q->topology));
    if (status == GFAB_OK && gfab_topology_is_plain(s->members.topology))
        status = gfab_topology_recognise(s->members.topology, options.progress, &recognition);
    options.recognition = &recognition;
    if (status == GFAB_OK)
        status = s->members.turns.weight
                     ? make_in_turns(&s->members, q->model, &options, &s->made, diag)
                     : gfab_solve(q->by, s->members.topology, q->model, &options, &s->made, NULL, diag);
    return status;
}

/* Where switches are not balanced, both ways: in turns, and with all weights. */
gfab_status gfab_past_build(const gfab_solver *by, const gfab_topology *topology, const gfab_model *model,
                            const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool trees = gfab_solver_out_trees.collectives & GFAB_MAKES(goal.collective);
    question q = {by, topology, model, *options};
    GFAB_AT_END(release) small whole = {.made = NULL}, turned = {.made = NULL};
    bool better = false;
    q.options.goal = &goal;
    gfab_status status = make_small(&q, trees ? MOST_TURNS : 0, &turned, diag);
    if (trees && !gfab_solver_cut_short(status) && (turned.members.turns.weight || !turned.made)) {
        const gfab_status alone = make_small(&q, 0, &whole, diag);
        status = gfab_solver_cut_short(alone) ? alone : alone == GFAB_OK || status == GFAB_OK ? GFAB_OK : status;
        if (status == GFAB_OK && whole.made && turned.made && !q.options.any_length)
            status = gfab_solver_compare(whole.made, turned.made, &q.options, &better);
    }
    if (status == GFAB_OK)
        status = better || !turned.made ? bring_back(&whole.members, whole.made, schedule)
                                        : bring_back(&turned.members, turned.made, schedule);
    return status;
}

/* ---- half duplex ---- */

static gfab_status create_like(const gfab_schedule *schedule, gfab_schedule **other)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    GFAB_TRY(gfab_schedule_create(gfab_schedule_topology(schedule), gfab_schedule_model(schedule), other));
    return gfab_schedule_set_goal(*other, &goal, NULL);
}

/* Trees, of links that go one way and the other by turns; where it does not repeat, with all packets as early as they
 * may go. */
static gfab_status make_half(const gfab_goal *goal, uint32_t most_turns, const gfab_solver_options *options,
                             gfab_schedule *schedule, gfab_diag *diag)
{
    question q = {NULL, gfab_schedule_topology(schedule), gfab_schedule_model(schedule), *options};
    GFAB_AT_END(release) small turned = {.made = NULL};
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *late = NULL;
    q.options.goal = goal;
    if (!(gfab_solver_out_trees.collectives & GFAB_MAKES(goal->collective)))
        return GFAB_REFUSE(diag,
                           "in half duplex it repeats all-gathers, reduce-scatters, broadcasts and reduces alone");
    GFAB_TRY(make_small(&q, most_turns, &turned, diag));
    GFAB_TRY(create_like(schedule, &late));
    GFAB_TRY(bring_back(&turned.members, turned.made, options->any_length ? schedule : late));
    return options->any_length ? GFAB_OK : gfab_halves_build(late, options, schedule, diag);
}

gfab_status gfab_past_build_half(const gfab_schedule *full, const gfab_solver_options *options, gfab_schedule *schedule,
                                 gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *best = NULL;
    gfab_bound bound = {.rounds = 0};
    if (!full)
        return make_half(&goal, half_turns[0], options, schedule, diag);
    gfab_status first = GFAB_OK; /* where nothing is made, why the packets got no rounds */
    gfab_status status = gfab_bound_goal_best(gfab_schedule_topology(schedule), gfab_schedule_model(schedule), &goal,
                                              options->progress, &bound);
    for (size_t i = 0; i <= sizeof half_turns / sizeof *half_turns && !gfab_solver_cut_short(status); i++) {
        gfab_schedule *made = NULL;
        gfab_solver_options other = *options;
        bool better;
        other.seed += i;
        if (best && gfab_schedule_rounds(best) <= bound.rounds)
            break;
        status = create_like(schedule, &made);
        GFAB_THEN(status, i == 0 ? gfab_halves_build(full, options, made, diag)
                                 : make_half(&goal, half_turns[i - 1], &other, made, NULL));
        first = i == 0 ? status : first;
        if (status == GFAB_OK)
            status = gfab_solver_keep(made, options, &best, &better);
        else
            gfab_schedule_destroy(made);
    }
    status = best || gfab_solver_cut_short(status) ? status : first;
    if (best && !gfab_solver_cut_short(status))
        status = gfab_solver_copy_rounds(best, NULL, NULL, schedule);
    return status;
}
