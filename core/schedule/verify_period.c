/* SPDX-License-Identifier: MIT */
/* The checker's entry, and its argument for schedules that repeat (docs/theory/long-vectors/periodic.md): group 0 alone
 * is replayed, and then the moves of all its rounds that are the same modulo the period are held to the rules of one
 * round. Everything takes time and memory in what is kept. */
#include "verify_internal.h"

#include "base/progress.h"
#include "schedule/merged.h"

#include <gossipfab/base/arena.h>
#include <stdio.h>
#include <string.h>

#define NONE GFAB_VERIFY_NONE

/* What uses a link, one way of it, or a node in the rounds of a residue. */
typedef struct use {
    uint32_t turn;         /* the residue's */
    uint32_t count;        /* moves */
    uint32_t round, block; /* of the first one, in group 0 */
    uint32_t link;
} use;

typedef struct fold {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_schedule *schedule;
    uint32_t period, groups;
    uint32_t turn;        /* a number for the residue */
    uint32_t covered;     /* of its rounds so many are counted as startups, or are without a packet */
    use *arcs;            /* [arcs]: one way */
    use *links;           /* [links]: both ways together */
    use *ports;           /* one-port: 2 * node; of circuits that start there, and 2 * node + 1 of those that end */
    uint64_t *link_moves; /* in all rounds that are played */
    size_t farthest;      /* links of the longest path */
    bool helping;         /* some switch copies or combines: packets of a round may count once on a link */
    gfab_merged merged;
    gfab_verify_report *report;
} fold;

/* The entry of an array, as the residue's. */
static use *use_at(const fold *f, use *uses, uint32_t index)
{
    if (uses[index].turn != f->turn)
        uses[index] = (use){.turn = f->turn};
    return &uses[index];
}

/* A block over an arc in a round. */
typedef struct move {
    uint32_t round, block;
    gfab_arc arc;
} move;

/* Group 0 makes a move, and in the same round a later group the one that is entered in `other`, which meets it at a
 * node. Of several such faults the earliest stays. */
static void clash(fold *f, gfab_fault what, const use *other, move own, uint32_t node)
{
    const gfab_arc arc = own.arc;
    const uint32_t link = arc / 2, round = own.round, block = own.block;
    const bool one_way = f->model->link_mode == GFAB_LINK_FULL ||
                         gfab_topology_arc_weight(f->topology, arc) < gfab_topology_weight(f->topology, link);
    gfab_verify_report *report = f->report;
    if (report->fault != GFAB_FAULT_NONE && report->round <= round)
        return;
    char rule[64] = "the model allows one port";
    if (what == GFAB_FAULT_LINK_BUSY)
        (void)snprintf(rule, sizeof rule, "the link carries %u in a round%s",
                       one_way ? gfab_topology_arc_weight(f->topology, arc) : gfab_topology_weight(f->topology, link),
                       one_way ? " in this direction" : "");
    (void)gfab_verify_fault(report, what, round, link, node, block,
                            "round %u, link %u, node %u to %u: block %u of group 0 and, over link %u, block %u of "
                            "group %u, whose round %u it is, meet at node %u: both are round %u modulo the period %u; "
                            "%s",
                            round, link, gfab_topology_arc_from(f->topology, arc),
                            gfab_topology_arc_to(f->topology, arc), block, other->link, other->block,
                            (round - other->round) / f->period, other->round, node, round % f->period, f->period, rule);
}

static void fold_arc(fold *f, gfab_arc arc, uint32_t block, uint32_t round)
{
    const bool half = f->model->link_mode == GFAB_LINK_HALF;
    const uint32_t link = arc / 2;
    use *const carried[2] = {use_at(f, f->arcs, arc), use_at(f, f->links, link)};
    const uint32_t room[2] = {gfab_topology_arc_weight(f->topology, arc), gfab_topology_weight(f->topology, link)};
    const uint32_t full = carried[0]->count == room[0] ? 0 : half && carried[1]->count == room[1] ? 1 : 2;
    if (full < 2)
        clash(f, GFAB_FAULT_LINK_BUSY, carried[full], (move){round, block, arc},
              gfab_topology_arc_from(f->topology, arc));
    for (int i = 0; i < 2; i++)
        if (carried[i]->count++ == 0)
            *carried[i] = (use){f->turn, 1, round, block, link};
}

/* The rules of gfab_verify_listed for packets of one round, for those of the residue. */
static void fold_packet(fold *f, const gfab_packet *packet, const uint32_t *load, uint32_t round)
{
    const bool half = f->model->link_mode == GFAB_LINK_HALF, circuit = f->model->routing == GFAB_ROUTING_CIRCUIT;
    const gfab_arc arcs[2] = {packet->arcs[0], packet->arcs[packet->arc_count - 1]};
    const uint32_t block = packet->tokens[0] & ~GFAB_COMBINE;
    const uint32_t ends[2] = {gfab_topology_arc_from(f->topology, arcs[0]), gfab_topology_arc_to(f->topology, arcs[1])};
    for (size_t i = 0; i < packet->arc_count; i++)
        if (!load || load[i])
            fold_arc(f, packet->arcs[i], block, round);
    for (uint32_t i = 0; i < 2 && f->model->port_mode == GFAB_PORT_ONE; i++) {
        const uint32_t link = arcs[i] / 2;
        use *port = use_at(f, f->ports, 2 * ends[i] + (circuit && !half ? i : 0));
        if (port->count == 0)
            *port = (use){f->turn, 1, round, block, link};
        else if (circuit || port->link != link)
            clash(f, GFAB_FAULT_PORT_BUSY, port, (move){round, block, arcs[i]}, ends[i]);
    }
}

static bool in_last(const gfab_schedule *schedule, const gfab_packet *packet)
{
    const uint32_t group = gfab_schedule_group_count(schedule) - 1;
    return gfab_schedule_block_in(schedule, group, packet->tokens[0] & ~GFAB_COMBINE) != NONE;
}

/* The residue's index-th round, from 0; those before it were here. A packet is played by all groups, or by all but the
 * last where that has not its block. */
static gfab_status fold_round(fold *f, uint32_t round, uint32_t index)
{
    gfab_packet_iter packets = gfab_schedule_kept_round(f->schedule, round);
    uint32_t groups = 0;
    GFAB_TRY(f->helping ? gfab_merged_count(&f->merged, f->topology, packets) : GFAB_OK);
    const uint32_t *load = f->helping ? f->merged.load : NULL;
    for (gfab_packet packet; gfab_packet_next(&packets, &packet); load += load ? packet.arc_count : 0) {
        const uint32_t played = in_last(f->schedule, &packet) ? f->groups : f->groups - 1;
        for (size_t i = 0; i < packet.arc_count; i++)
            f->link_moves[packet.arcs[i] / 2] += load && !load[i] ? 0 : played;
        f->farthest = packet.arc_count > f->farthest ? packet.arc_count : f->farthest;
        groups = played > groups ? played : groups;
        fold_packet(f, &packet, load, round);
    }
    const uint32_t first = index > f->covered ? index : f->covered, end = index + groups;
    if (end <= first)
        return GFAB_OK;
    f->report->startups += end - first;
    f->covered = end;
    return GFAB_OK;
}

/* All residues, one after the other. */
static gfab_status fold_rounds(fold *f, const gfab_progress *progress)
{
    const uint32_t rounds = gfab_schedule_kept_rounds(f->schedule);
    for (uint32_t start = 1; start <= f->period && start <= rounds; start++) {
        f->turn = start;
        f->covered = 0;
        for (uint64_t round = start, index = 0; round <= rounds; round += f->period, index++)
            GFAB_TRY(fold_round(f, (uint32_t)round, (uint32_t)index));
        GFAB_TRY(gfab_progress_report(progress, "verified rounds of the period", start, f->period));
    }
    return GFAB_OK;
}

/* Replays group 0 by itself, as a schedule that does not repeat; or its blocks alone that the last group has. */
static gfab_status replay_group(const gfab_topology *topology, const gfab_model *model, const gfab_schedule *schedule,
                                bool last_alone, const gfab_progress *progress, gfab_verify_report *report)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *alone = NULL;
    gfab_goal goal = gfab_schedule_goal(schedule);
    goal.blocks = gfab_schedule_group(schedule);
    GFAB_TRY(gfab_schedule_create(gfab_schedule_topology(schedule), gfab_schedule_model(schedule), &alone));
    GFAB_TRY(gfab_schedule_set_goal(alone, &goal, NULL));
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(schedule); round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(schedule, round);
        for (gfab_packet p; gfab_packet_next(&packets, &p);)
            if (!last_alone || in_last(schedule, &p))
                GFAB_TRY(gfab_schedule_append_packet(alone, round, p.arcs, p.arc_count, p.tokens, 1));
    }
    return gfab_verify_listed(topology, model, alone, progress, report);
}

/* The second half of the argument; report has what group 0 alone brought. */
static gfab_status verify_residues(const gfab_topology *topology, const gfab_model *model,
                                   const gfab_schedule *schedule, const gfab_progress *progress,
                                   gfab_verify_report *report)
{
    const size_t links = gfab_topology_link_count(topology);
    fold f = {.topology = topology,
              .model = model,
              .schedule = schedule,
              .period = gfab_schedule_period(schedule),
              .groups = gfab_schedule_group_count(schedule),
              .helping = gfab_topology_marks(topology) & GFAB_MARK_HELPING,
              .report = report};
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    f.arcs = gfab_arena_zeroed2(&arena, 2, links, sizeof *f.arcs);
    f.links = gfab_arena_zeroed(&arena, links, sizeof *f.links);
    f.ports = gfab_arena_zeroed2(&arena, 2, gfab_topology_node_count(topology), sizeof *f.ports);
    f.link_moves = gfab_arena_zeroed(&arena, links, sizeof *f.link_moves);
    gfab_status status = GFAB_ERR_NO_MEMORY;
    if (!arena.failed) {
        report->startups = report->max_link_moves = 0;
        report->min_link_moves = UINT64_MAX;
        report->moves = 0;
        status = fold_rounds(&f, progress);
        for (size_t l = 0; l < links; l++) {
            report->moves += f.link_moves[l];
            if (f.link_moves[l] > report->max_link_moves)
                report->max_link_moves = f.link_moves[l];
            if (f.link_moves[l] < report->min_link_moves)
                report->min_link_moves = f.link_moves[l];
        }
        report->transfers = report->startups; /* one token each, over links of weight 1 at worst */
        report->link_transfers = report->startups;
        report->link_parts = 1;
        report->path_links = report->startups * f.farthest;
    }
    gfab_merged_release(&f.merged);
    return status == GFAB_OK && report->fault != GFAB_FAULT_NONE ? GFAB_ERR_FAULT : status;
}

/* What group 0's report says of it alone, as of all groups that are played. */
static gfab_status count_all(const gfab_topology *topology, const gfab_model *model, const gfab_schedule *schedule,
                             const gfab_progress *progress, gfab_verify_report *report)
{
    report->rounds = gfab_schedule_rounds(schedule);
    if (!(gfab_topology_marks(topology) & GFAB_MARK_HELPING)) /* else they are counted link by link */
        report->moves = gfab_schedule_move_count(schedule);
    if (report->redundant == 0)
        return GFAB_OK;
    gfab_verify_report last;
    const gfab_status status = replay_group(topology, model, schedule, true, progress, &last);
    report->redundant = report->redundant * (gfab_schedule_group_count(schedule) - 1) + last.redundant;
    return status == GFAB_ERR_FAULT ? GFAB_OK : status; /* the other blocks are missing */
}

gfab_status gfab_verify(const gfab_topology *topology, const gfab_model *model, const gfab_schedule *schedule,
                        const gfab_progress *progress, gfab_verify_report *report)
{
    if (!gfab_schedule_period(schedule))
        return gfab_verify_listed(topology, model, schedule, progress, report);
    gfab_status status = replay_group(topology, model, schedule, false, progress, report);
    if (status == GFAB_ERR_FAULT && report->fault != GFAB_FAULT_WRONG_TOPOLOGY) {
        char message[sizeof report->message];
        memcpy(message, report->message, sizeof message);
        (void)snprintf(report->message, sizeof report->message, "group 0 alone: %.*s", (int)sizeof message - 17,
                       message);
    }
    GFAB_THEN(status, verify_residues(topology, model, schedule, progress, report));
    if (status != GFAB_OK && status != GFAB_ERR_FAULT)
        return status;
    const gfab_status counted = count_all(topology, model, schedule, progress, report);
    return counted == GFAB_OK ? status : counted;
}
