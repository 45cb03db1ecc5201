/* SPDX-License-Identifier: MIT */
/* From a schedule to programs and back. */
#include "program_internal.h"
#include "topology/translate.h"

/* The rounds of a program that a round of a schedule becomes. */
typedef struct span {
    uint32_t round; /* the schedule's */
    uint32_t first; /* the program's */
    uint32_t count; /* tokens of its longest packet, at least 1 */
    size_t links;   /* of its longest path, at least 1 */
} span;

static uint32_t lane_of_arc(const gfab_program *program, gfab_arc arc, bool at_end)
{
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    const uint32_t node = at_end ? gfab_topology_arc_to(topology, arc) : gfab_topology_arc_from(topology, arc);
    return gfab_layout_lane(program->layout, node, gfab_topology_port_of(topology, node, arc / 2));
}

static gfab_status used_twice(const gfab_program *program, uint32_t round, gfab_arc arc, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                     program->halves == 2 ? "round %u: the link from node %u to %u is used twice"
                                          : "round %u: the link of nodes %u and %u is used twice",
                     (unsigned)round, (unsigned)gfab_topology_arc_from(topology, arc),
                     (unsigned)gfab_topology_arc_to(topology, arc));
}

/* Sets the nodes between, and the last one's tap and wait, in all rounds of the span. */
static gfab_status lower_path(gfab_program *program, const span *at, const gfab_packet *packet,
                              const gfab_timing *timing, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    for (size_t i = 1; i < packet->arc_count; i++) {
        const uint32_t node = gfab_topology_arc_from(topology, packet->arcs[i]);
        const uint32_t in = lane_of_arc(program, packet->arcs[i - 1], true);
        const uint32_t out = lane_of_arc(program, packet->arcs[i], false);
        gfab_path path = gfab_program_path(program, node, at->first, out);
        if (gfab_topology_arc_to(topology, packet->arcs[i - 1]) != node)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: a packet's links do not join up", (unsigned)at->round);
        if (path.source || gfab_program_op(program, node, at->first, out).kind != GFAB_OP_IDLE)
            return used_twice(program, at->round, packet->arcs[i], diag);
        path.source = in + 1;
        for (uint32_t r = 0; r < at->count; r++)
            gfab_program_set_path(program, node, at->first + r, out, path);
    }
    const gfab_arc last = packet->arcs[packet->arc_count - 1];
    const uint32_t node = gfab_topology_arc_to(topology, last);
    const uint32_t lane = lane_of_arc(program, last, true);
    gfab_path path = gfab_path_over(timing, lane_of_arc(program, packet->arcs[0], false), lane, packet->arc_count);
    path.source = gfab_program_path(program, node, at->first, lane).source;
    for (uint32_t r = 0; r < at->count; r++)
        gfab_program_set_path(program, node, at->first + r, lane, path);
    return GFAB_OK;
}

gfab_status gfab_program_set_end(gfab_program *program, uint32_t round, gfab_arc arc, uint32_t end, gfab_op op,
                                 gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    const uint32_t node = end ? gfab_topology_arc_to(topology, arc) : gfab_topology_arc_from(topology, arc);
    const uint32_t lane = lane_of_arc(program, arc, end == 1);
    const uint32_t half = program->halves == 2 ? end : 0;
    if (gfab_program_half(program, node, round, lane, half).kind != GFAB_OP_IDLE)
        return used_twice(program, round, arc, diag);
    gfab_program_set_half(program, node, round, lane, half, op);
    return GFAB_OK;
}

/* What one end of a packet's path does: end 0 sends over arc, the first, end 1 receives over it, the last. */
static gfab_status lower_end(gfab_program *program, const span *at, const gfab_packet *packet, gfab_arc arc,
                             uint32_t end, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    const uint32_t node = end ? gfab_topology_arc_to(topology, arc) : gfab_topology_arc_from(topology, arc);
    const uint32_t lane = lane_of_arc(program, arc, end == 1);
    const uint32_t half = program->halves == 2 ? end : 0;
    for (uint32_t i = 0; i < packet->token_count; i++) {
        const bool combines = packet->tokens[i] & GFAB_COMBINE;
        if (combines && !gfab_layout_combines(program->layout))
            return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                             "operator none: in round %u node %u is to combine what it receives", (unsigned)at->round,
                             (unsigned)gfab_topology_arc_to(topology, packet->arcs[packet->arc_count - 1]));
        const gfab_op op = {end == 0   ? GFAB_OP_SEND
                            : combines ? GFAB_OP_COMBINE
                                       : GFAB_OP_RECV,
                            gfab_layout_slot(program->layout, node, packet->tokens[i] & ~GFAB_COMBINE)};
        const bool passes = end == 0 && program->paths && gfab_program_path(program, node, at->first, lane).source != 0;
        if (passes || gfab_program_half(program, node, at->first + i, lane, half).kind != GFAB_OP_IDLE)
            return used_twice(program, at->round, arc, diag);
        gfab_program_set_half(program, node, at->first + i, lane, half, op);
    }
    return GFAB_OK;
}

static gfab_status lower_packet(gfab_program *program, const span *at, const gfab_packet *packet,
                                const gfab_timing *timing, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    if (packet->arc_count == 0 || packet->token_count == 0)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: a packet without a %s", (unsigned)at->round,
                         packet->arc_count ? "token" : "link");
    if (packet->arc_count > 1 && !program->paths)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "paths: the fabric moves a packet over one link a round; round %u has %zu from node %u",
                         (unsigned)at->round, packet->arc_count,
                         (unsigned)gfab_topology_arc_from(topology, packet->arcs[0]));
    gfab_status status = lower_end(program, at, packet, packet->arcs[0], 0, diag);
    GFAB_THEN(status, lower_end(program, at, packet, packet->arcs[packet->arc_count - 1], 1, diag));
    return status == GFAB_OK && program->paths ? lower_path(program, at, packet, timing, diag) : status;
}

/* Of a packet that stands for its translates, in a layout where nodes are alike: for the first node of each kind the
 * translate that it sends and the one that it receives. Other nodes of the kind do the same with the same slots. */
static gfab_status lower_translates(gfab_program *program, const span *at, const gfab_packet *packet, gfab_diag *diag)
{
    const gfab_topology *t = gfab_layout_topology(program->layout);
    const uint32_t from = gfab_topology_arc_from(t, packet->arcs[0]), to = gfab_topology_arc_to(t, packet->arcs[0]);
    for (size_t i = 0; i < 2 * program->kinds; i++) {
        const uint32_t end = (uint32_t)(i % 2), node = (uint32_t)gfab_layout_kind_node(program->layout, i / 2);
        const uint32_t token = gfab_translate_minus(t, node, end ? to : from);
        const gfab_arc arc = gfab_translate_arc(t, packet->arcs[0], gfab_translate_plus(t, from, token));
        const gfab_packet translate = {&arc, 1, &token, 1};
        GFAB_TRY(lower_end(program, at, &translate, arc, end, diag));
    }
    return GFAB_OK;
}

static span measure_round(const gfab_schedule *schedule, uint32_t round, uint32_t first)
{
    span at = {.round = round, .first = first, .count = 1, .links = 1};
    gfab_packet_iter it = gfab_schedule_kept_round(schedule, round);
    for (gfab_packet packet; gfab_packet_next(&it, &packet);) {
        if (packet.token_count > at.count)
            at.count = (uint32_t)packet.token_count;
        if (packet.arc_count > at.links)
            at.links = packet.arc_count;
    }
    return at;
}

/* Does the layout's store have the blocks of the schedule's goal, and an operator for it? */
static gfab_status check_goal(const gfab_schedule *schedule, const gfab_layout *layout, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const uint32_t blocks = gfab_layout_blocks(layout);
    const gfab_operator op = gfab_layout_operator(layout);
    if (blocks == 0 && goal.collective != GFAB_ALL_GATHER)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: the layout is for all-gather",
                         gfab_collective_name(goal.collective));
    if (blocks != 0 && blocks < goal.blocks)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule has %u blocks, the layout %u", (unsigned)goal.blocks,
                         (unsigned)blocks);
    if (goal.idempotent && !gfab_operator_is_idempotent(op))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "operator %s: in this schedule a contribution may count more than once; give and, or, min, "
                         "max, umin or umax",
                         gfab_operator_name(op));
    return GFAB_OK;
}

/* Does every node of an all-gather start with what it does in hardware: one token, or, where stores have slots for
 * blocks, the same number of them? */
static bool has_equal_loads(const gfab_schedule *schedule, const gfab_layout *layout)
{
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(layout));
    const size_t each = gfab_layout_blocks(layout) ? gfab_schedule_token_count(schedule) / nodes : 1;
    if (gfab_schedule_even_load(schedule))
        return true;
    for (size_t node = 0; node <= nodes; node++)
        if (gfab_schedule_first_token(schedule, node) != node * each)
            return false;
    return true;
}

/* Is the schedule one for this layout? */
static gfab_status check_schedule(const gfab_schedule *schedule, const gfab_layout *layout, const gfab_timing *timing,
                                  gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(layout);
    if (!gfab_topology_equal(topology, gfab_schedule_topology(schedule)))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule is for %s, the layout is for %s",
                         gfab_topology_name(gfab_schedule_topology(schedule)), gfab_topology_name(topology));
    if (gfab_schedule_model(schedule)->link_mode == GFAB_LINK_FULL && !gfab_layout_full_duplex(layout))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "link-mode full: the schedule is full duplex, the ports are not");
    if (gfab_layout_paths(layout) && !timing)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "paths: they depend on the fabric's timing");
    if (gfab_layout_alike(layout) && !gfab_schedule_translated(schedule))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "alike: nodes differ in a schedule that is not kept as one tree");
    GFAB_TRY(check_goal(schedule, layout, diag));
    if (!gfab_layout_alike(layout))
        GFAB_TRY(gfab_schedule_check_listed(schedule, diag));
    if (gfab_schedule_goal(schedule).collective == GFAB_ALL_GATHER && !has_equal_loads(schedule, layout))
        return GFAB_REFUSE(diag, "load: the hardware starts with one token in each node");
    const uint32_t parts = gfab_layout_blocks(layout) ? 1 : gfab_schedule_parts(schedule); /* blocks are parts */
    if (parts != gfab_layout_parts(layout))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "parts: the schedule cuts tokens in %u, the layout in %u",
                         (unsigned)parts, (unsigned)gfab_layout_parts(layout));
    uint64_t rounds = 0;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++) {
        const uint32_t count = measure_round(schedule, round, 0).count;
        if (count > 1 && gfab_layout_blocks(layout)) /* the second would be sent when the first has arrived */
            return GFAB_REFUSE(diag, "round %u: a packet of %u blocks; the hardware moves one", (unsigned)round,
                               (unsigned)count);
        rounds += count;
    }
    if (rounds > GFAB_MAX_ROUNDS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "programs of %llu rounds: at most %u", (unsigned long long)rounds,
                         (unsigned)GFAB_MAX_ROUNDS);
    return GFAB_OK;
}

gfab_status gfab_program_lower(const gfab_schedule *schedule, const gfab_layout *layout, const gfab_timing *timing,
                               uint64_t gap_cycles, const gfab_progress *progress, gfab_program **program,
                               gfab_diag *diag)
{
    GFAB_TRY(check_schedule(schedule, layout, timing, diag));
    const bool alike = gfab_layout_alike(layout);
    uint32_t rounds = 0;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++)
        rounds += measure_round(schedule, round, 0).count;
    gfab_program *result;
    gfab_status status = gfab_program_create(layout, rounds, &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for programs of %u rounds", (unsigned)rounds);
    uint32_t first = 1;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule) && status == GFAB_OK; round++) {
        const span at = measure_round(schedule, round, first);
        gfab_packet_iter it = alike ? gfab_schedule_kept_round(schedule, round) : gfab_schedule_round(schedule, round);
        gfab_packet packet;
        while (status == GFAB_OK && gfab_packet_next(&it, &packet))
            status =
                alike ? lower_translates(result, &at, &packet, diag) : lower_packet(result, &at, &packet, timing, diag);
        first += at.count;
        const uint64_t gap = gap_cycles + (result->paths ? gfab_timing_drain_cycles(timing, at.links) : 0);
        if (status == GFAB_OK && (gap_cycles >> GFAB_MAX_GAP_BITS || gap >> GFAB_MAX_GAP_BITS))
            status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "round %u: a gap of %llu cycles, at most %u", (unsigned)round,
                               (unsigned long long)gap, (1u << GFAB_MAX_GAP_BITS) - 1);
        if (status == GFAB_OK)
            gfab_program_set_gap(result, first - 1, (uint32_t)gap);
        if (status == GFAB_OK && progress && !progress->report(progress->context, "lowered rounds", first - 1, rounds))
            status = gfab_fail(diag, 0, GFAB_ERR_INTERRUPTED, "interrupted");
    }
    return GFAB_HAND_OVER(status, result, gfab_program_destroy, program);
}

typedef struct raising {
    const gfab_program *program;
    gfab_schedule *schedule;
    gfab_arc *arcs;
    size_t most; /* arcs that there is room for, as many as there are */
} raising;

/* A lane of a node, and which half of it. */
typedef struct lane_end {
    uint32_t node;
    size_t lane;
    uint32_t half;
} lane_end;

/* The other end of what a lane sends (forwards) or receives in a round: *at becomes that end, over one link or, with
 * paths, over as many as the lanes between pass it on. Gives the number of links, whose arcs, from the sender on where
 * it goes forwards, it stores; `most` + 1 where there are more than that. */
static size_t follow(const raising *r, uint32_t round, bool forwards, lane_end *at)
{
    const gfab_program *program = r->program;
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    for (size_t links = 1; links <= r->most; links++) {
        size_t count;
        const uint32_t index = gfab_layout_port(program->layout, at->node, at->lane);
        const gfab_port port = gfab_topology_ports(topology, at->node, &count)[index];
        r->arcs[links - 1] = 2 * port.link + port.end;
        at->node = port.peer;
        at->lane = gfab_layout_lane(program->layout, port.peer, port.peer_port);
        size_t next = program->lanes;
        if (program->paths && !forwards) {
            const uint32_t source = gfab_program_path(program, at->node, round, at->lane).source;
            next = source ? source - 1 : program->lanes;
        } else if (program->paths)
            for (next = 0; next < program->lanes; next++)
                if (gfab_program_path(program, at->node, round, next).source == at->lane + 1)
                    break;
        if (next >= program->lanes || gfab_layout_port(program->layout, at->node, next) == GFAB_NO_PORT)
            return links;
        at->lane = next;
    }
    return r->most + 1;
}

/* Appends what one port sends in a round. Each port is looked at from its own node, so that a disagreement is
 * seen from one end or the other. */
static gfab_status raise_op(const raising *r, uint32_t round, lane_end at, gfab_diag *diag)
{
    const gfab_program *program = r->program;
    const gfab_op op = gfab_program_half(program, at.node, round, at.lane, at.half);
    const uint32_t index = gfab_layout_port(program->layout, at.node, at.lane);
    const bool wrong_half = program->halves == 2 && op.kind == (at.half ? GFAB_OP_SEND : GFAB_OP_RECV);
    if (op.kind == GFAB_OP_IDLE)
        return GFAB_OK;
    if (op.kind == GFAB_OP_COMBINE || wrong_half || index == GFAB_NO_PORT ||
        op.slot >= gfab_layout_slot_count(program->layout))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %u, round %u, lane %zu: %s %u, %s", (unsigned)at.node,
                         (unsigned)round, at.lane, gfab_op_kind_name(op.kind), (unsigned)op.slot,
                         op.kind == GFAB_OP_COMBINE ? "but a gossip combines nothing"
                         : wrong_half               ? "but in the other half"
                         : index == GFAB_NO_PORT    ? "but the node does not have the lane"
                                                    : "but there is no such token");
    lane_end end = at;
    const size_t links = follow(r, round, op.kind == GFAB_OP_SEND, &end);
    const gfab_op peer = gfab_program_half(program, end.node, round, end.lane, program->halves == 2 ? 1 - at.half : 0);
    const gfab_op_kind expected = op.kind == GFAB_OP_SEND ? GFAB_OP_RECV : GFAB_OP_SEND;
    const uint32_t token = gfab_layout_token(program->layout, at.node, op.slot);
    if (links > r->most || peer.kind != expected || gfab_layout_token(program->layout, end.node, peer.slot) != token)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                         "node %u, round %u, lane %zu: %s %u, but %s %u at the other end, node %u", (unsigned)at.node,
                         (unsigned)round, at.lane, gfab_op_kind_name(op.kind), (unsigned)op.slot,
                         gfab_op_kind_name(peer.kind), (unsigned)peer.slot, (unsigned)end.node);
    if (op.kind == GFAB_OP_RECV)
        return GFAB_OK;
    return gfab_told(gfab_schedule_append_packet(r->schedule, round, r->arcs, links, &token, 1), diag);
}

gfab_status gfab_program_raise(const gfab_program *program, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(program->layout);
    const size_t most = program->paths ? 2 * gfab_topology_link_count(topology) : 1;
    gfab_model model = gfab_model_default();
    gfab_schedule *result = NULL;
    if (program->halves == 2)
        model.link_mode = GFAB_LINK_FULL;
    if (program->paths)
        model.routing = GFAB_ROUTING_CIRCUIT;
    if (gfab_layout_blocks(program->layout))
        return GFAB_REFUSE(diag, "programs of blocks do not say which collective they are for");
    GFAB_FREED gfab_arc *arcs = malloc(most * sizeof *arcs);
    gfab_status status = arcs ? gfab_schedule_create(topology, &model, &result) : GFAB_ERR_NO_MEMORY;
    if (status == GFAB_OK && gfab_layout_parts(program->layout) > 1)
        status = gfab_schedule_set_load(result, NULL, gfab_layout_parts(program->layout));
    if (status != GFAB_OK) {
        gfab_schedule_destroy(result);
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    }
    const raising r = {program, result, arcs, most};
    for (uint32_t round = 1; round <= program->rounds && status == GFAB_OK; round++)
        for (uint32_t node = 0; node < gfab_topology_node_count(topology) && status == GFAB_OK; node++)
            for (size_t op = 0; op < program->lanes * program->halves && status == GFAB_OK; op++) {
                const lane_end at = {node, op / program->halves, (uint32_t)(op % program->halves)};
                status = raise_op(&r, round, at, diag);
            }
    return GFAB_HAND_OVER(status, result, gfab_schedule_destroy, schedule);
}
