/* SPDX-License-Identifier: MIT */
/* Programs that loop, of schedules that repeat. The program is the steady state alone, a body that is played again and
 * again: what a round of it does is what all groups do in it that could be on their way. How that begins and ends needs
 * no rounds of its own: then some of these groups are idle, hosts send nothing for them, and what comes of them is not
 * kept.
 *
 * A block is in a slot of its relay from the round in which it is stored up to that in which it is sent for the last
 * time, t rounds later; in that very round the slot may be stored into again. Groups begin every P rounds, so that
 * ceil(t / P) slots, taken by turns, are enough: group g has number g modulo that. So that slots are constants in the
 * ROM a body has F groups, F the most of these numbers, and each is rounded up to a divisor of F. A host keeps nothing:
 * in its ops the slot is the age of the block's group: how many have begun behind it. */
#include "image_internal.h"
#include "program_internal.h"
#include <gossipfab/base/arena.h>
#include <gossipfab/fabric/flows.h>

#include "base/grow.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A block of a group at a node, in rounds of group 0: from one in which it is stored to the last in which it is sent.
 * In an all-reduce it may come twice, what is added up on the way in, and the total. */
typedef struct stay {
    uint32_t node;
    uint32_t from, to;
    uint32_t turns;  /* slots, taken by turns, from .. */
    uint32_t first;  /* .. this one on */
    uint32_t before; /* the one of the same block there before, or NONE */
} stay;

struct gfab_loop {
    gfab_arena arena;
    const gfab_schedule *schedule;
    uint32_t period, bodies, ages, slots;
    uint32_t blocks; /* of a group */
    size_t nodes;
    stay *stays;
    size_t count, room;
    uint32_t *latest;     /* [node * blocks + block]: a stay, or NONE */
    uint32_t *node_slots; /* [node] */
};

/* Has every member one link, to a relay, and are they behind all relays, as +hosts makes them? */
static gfab_status check_hosts(const gfab_topology *topology, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    const uint32_t first = nodes - (uint32_t)gfab_topology_member_count(topology);
    for (uint32_t v = first; v < nodes; v++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, v, &count);
        if (gfab_topology_is_relay(topology, v) || count != 1 || !gfab_topology_is_relay(topology, ports[0].peer))
            return GFAB_REFUSE(diag,
                               "streams: node %u is no host, a member with one link to a relay, behind all relays; "
                               "give --stream, or +hosts",
                               (unsigned)v);
    }
    return GFAB_OK;
}

static gfab_status check_schedule(const gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    if (!gfab_schedule_period(schedule) || !gfab_schedule_any_length(schedule))
        return GFAB_REFUSE(diag, "streams: the schedule is not one for any number of blocks; give --blocks any");
    if (goal.collective != GFAB_BROADCAST && goal.collective != GFAB_REDUCE && goal.collective != GFAB_ALL_REDUCE)
        return GFAB_REFUSE(diag,
                           "streams: of %s blocks come in another order than that in which they are given; give "
                           "broadcast, reduce or all-reduce",
                           gfab_collective_name(goal.collective));
    if (gfab_schedule_model(schedule)->hop_rounds != 1)
        return GFAB_REFUSE(diag, "streams: the schedule has hops of %u rounds, narrow nodes 1",
                           (unsigned)gfab_schedule_model(schedule)->hop_rounds);
    return check_hosts(gfab_schedule_topology(schedule), diag);
}

/* The stay of a block that a node has at the start of a round, or gets in it; NULL: none. */
static stay *stay_at(const gfab_loop *loop, uint32_t node, uint32_t block, uint32_t round, bool gets)
{
    uint32_t i = loop->latest[(size_t)node * loop->blocks + block];
    while (i != NONE && (gets ? loop->stays[i].from != round : loop->stays[i].from >= round))
        i = loop->stays[i].before;
    return i == NONE ? NULL : &loop->stays[i];
}

/* What is stored in a round. */
static gfab_status begin_stay(gfab_loop *loop, uint32_t node, uint32_t block, uint32_t round)
{
    uint32_t *latest = &loop->latest[(size_t)node * loop->blocks + block];
    GFAB_NEED(gfab_grow(&loop->stays, loop->count, &loop->room, sizeof *loop->stays));
    loop->stays[loop->count] = (stay){.node = node, .from = round, .to = round + 1, .before = *latest};
    *latest = (uint32_t)loop->count++;
    return GFAB_OK;
}

/* From when to when blocks are at relays. */
static gfab_status find_stays(gfab_loop *loop, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(loop->schedule);
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(loop->schedule); round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(loop->schedule, round);
        for (gfab_packet p; gfab_packet_next(&packets, &p);) {
            const uint32_t block = p.tokens[0] & ~GFAB_COMBINE;
            const uint32_t from = gfab_topology_arc_from(topology, p.arcs[0]);
            const uint32_t to = gfab_topology_arc_to(topology, p.arcs[0]);
            const bool combines = p.tokens[0] & GFAB_COMBINE;
            stay *left = stay_at(loop, from, block, round, false), *come = stay_at(loop, to, block, round, false);
            const bool lost = (gfab_topology_is_relay(topology, from) && !left) ||
                              (gfab_topology_is_relay(topology, to) && combines && !come);
            if (lost)
                return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                                 "round %u: block %u goes from node %u to %u, but is not there", (unsigned)round,
                                 (unsigned)block, (unsigned)from, (unsigned)to);
            if (left && left->to < round)
                left->to = round;
            if (combines && come)
                come->to = round + 1;
            if (!combines && gfab_topology_is_relay(topology, to) && !stay_at(loop, to, block, round, true) &&
                begin_stay(loop, to, block, round) != GFAB_OK)
                return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of node %u", (unsigned)to);
        }
    }
    return GFAB_OK;
}

/* How many groups a body has, and which slots blocks have. */
static gfab_status number_slots(gfab_loop *loop, gfab_diag *diag)
{
    for (size_t i = 0; i < loop->count; i++) {
        stay *at = &loop->stays[i];
        at->turns = (at->to - at->from + loop->period - 1) / loop->period;
        loop->bodies = at->turns > loop->bodies ? at->turns : loop->bodies;
    }
    if ((uint64_t)loop->bodies * loop->period > GFAB_MAX_ROUNDS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "streams: a body of %u groups of %u rounds", (unsigned)loop->bodies,
                         (unsigned)loop->period);
    for (size_t i = 0; i < loop->count; i++) {
        stay *at = &loop->stays[i];
        while (loop->bodies % at->turns)
            at->turns++;
        at->first = loop->node_slots[at->node];
        loop->node_slots[at->node] += at->turns;
    }
    loop->slots = loop->ages > 2 ? loop->ages : 2;
    for (uint32_t v = 0; v < loop->nodes; v++) {
        loop->slots = loop->node_slots[v] > loop->slots ? loop->node_slots[v] : loop->slots;
        if (!loop->node_slots[v] && gfab_topology_is_relay(gfab_schedule_topology(loop->schedule), v))
            loop->node_slots[v] = 1; /* nothing passes it */
    }
    return GFAB_OK;
}

gfab_status gfab_loop_create(const gfab_schedule *schedule, gfab_loop **loop, gfab_diag *diag)
{
    GFAB_TRY(check_schedule(schedule, diag));
    gfab_loop *made = calloc(1, sizeof *made);
    GFAB_NEED_TOLD(made, diag);
    *made = (gfab_loop){.schedule = schedule,
                        .period = gfab_schedule_period(schedule),
                        .bodies = 1,
                        .blocks = gfab_schedule_group(schedule),
                        .nodes = gfab_topology_node_count(gfab_schedule_topology(schedule))};
    made->ages = (gfab_schedule_kept_rounds(schedule) + made->period - 1) / made->period;
    made->latest = gfab_arena_zeroed2(&made->arena, made->nodes, made->blocks, sizeof *made->latest);
    made->node_slots = gfab_arena_zeroed(&made->arena, made->nodes, sizeof *made->node_slots);
    gfab_status status = GFAB_OK;
    for (size_t i = 0; made->latest && i < made->nodes * made->blocks; i++)
        made->latest[i] = NONE;
    if (made->arena.failed)
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of %zu nodes", made->nodes);
    GFAB_THEN(status, find_stays(made, diag));
    GFAB_THEN(status, number_slots(made, diag));
    return GFAB_HAND_OVER(status, made, gfab_loop_destroy, loop);
}

void gfab_loop_destroy(gfab_loop *loop)
{
    if (!loop)
        return;
    free(loop->stays);
    gfab_arena_release(&loop->arena);
    free(loop);
}

uint32_t gfab_loop_slots(const gfab_loop *loop)
{
    return loop->slots;
}

/* The slot of a block of the group that began `age` groups before the one that begins in or before a round of the
 * body, as it is in the op of a node: a host keeps nothing. */
static uint32_t slot_at(const gfab_loop *loop, const stay *at, uint32_t round, uint32_t age)
{
    const uint32_t now = (round - 1) / loop->period; /* of the body */
    return at ? at->first + (now + loop->bodies - age % loop->bodies) % at->turns : age;
}

/* A move of group 0, by all groups of the body. */
static gfab_status lower_move(const gfab_loop *loop, gfab_program *program, const gfab_packet *p, uint32_t round,
                              gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(loop->schedule);
    const uint32_t node[2] = {gfab_topology_arc_from(topology, p->arcs[0]), gfab_topology_arc_to(topology, p->arcs[0])};
    const uint32_t age = (round - 1) / loop->period, block = p->tokens[0] & ~GFAB_COMBINE;
    const bool combines = p->tokens[0] & GFAB_COMBINE;
    const gfab_op_kind kind[2] = {GFAB_OP_SEND, combines ? GFAB_OP_COMBINE : GFAB_OP_RECV};
    const stay *at[2] = {stay_at(loop, node[0], block, round, false), stay_at(loop, node[1], block, round, !combines)};
    for (uint32_t now = 0; now < loop->bodies; now++) {
        const uint32_t played = now * loop->period + (round - 1) % loop->period + 1;
        for (uint32_t end = 0; end < 2; end++)
            GFAB_TRY(gfab_program_set_end(program, played, p->arcs[0], end,
                                          (gfab_op){kind[end], slot_at(loop, at[end], played, age)}, diag));
    }
    return GFAB_OK;
}

gfab_status gfab_loop_lower(const gfab_loop *loop, gfab_layout *layout, gfab_program **program, gfab_diag *diag)
{
    gfab_program *made;
    gfab_status status = gfab_program_create(layout, loop->bodies * loop->period, &made);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for programs of %u rounds",
                         (unsigned)(loop->bodies * loop->period));
    made->period = loop->period;
    for (size_t v = 0; v < loop->nodes; v++)
        if (loop->node_slots[v])
            (void)gfab_layout_set_node_slots(layout, v, loop->node_slots[v]);
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(loop->schedule); round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(loop->schedule, round);
        for (gfab_packet p; status == GFAB_OK && gfab_packet_next(&packets, &p);)
            status = lower_move(loop, made, &p, round, diag);
    }
    return GFAB_HAND_OVER(status, made, gfab_program_destroy, program);
}

/* The lane over which a block comes from a node, as flows count them. */
static uint32_t lane_from(const gfab_layout *layout, const gfab_message *message)
{
    const gfab_topology *topology = gfab_layout_topology(layout);
    size_t count, port = 0;
    const gfab_port *ports = gfab_topology_ports(topology, message->to, &count);
    while (port + 1 < count && ports[port].peer != message->from)
        port++;
    return message->block > 0 && !gfab_topology_is_relay(topology, message->from)
               ? (uint32_t)gfab_layout_lane_count(layout) - 1 + message->block
               : gfab_layout_lane(layout, message->to, port);
}

/* A node takes operands in one order. Is it the schedule's? */
static gfab_status check_operands(const gfab_image *image, uint32_t node, const gfab_message *messages, size_t count,
                                  gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    uint32_t lanes[GFAB_MAX_FLOW_LANES];
    size_t operands, next = 0;
    gfab_image_operands(image, node, lanes, &operands);
    for (size_t i = 0; i < count; i++) {
        if (messages[i].to != node)
            continue;
        const uint32_t lane = lane_from(layout, &messages[i]);
        for (next = messages[i].combine ? next : 0; !messages[i].combine && next < operands && lanes[next] != lane;)
            next++;
        if (next >= operands || lanes[next++] != lane)
            return GFAB_REFUSE(diag,
                               "--operator %s: node %u would not combine in the order of the schedule, since what "
                               "comes in one round comes in the order of lanes",
                               gfab_operator_name(gfab_layout_operator(layout)), (unsigned)node);
    }
    return GFAB_OK;
}

/* Does nothing come back over a link between relays over which a message goes? */
static gfab_status check_way(const gfab_topology *topology, const gfab_message *message, const gfab_message *messages,
                             size_t count, gfab_diag *diag)
{
    if (!gfab_topology_is_relay(topology, message->from) || !gfab_topology_is_relay(topology, message->to))
        return GFAB_OK;
    for (size_t i = 0; i < count; i++)
        if (messages[i].from == message->to && messages[i].to == message->from)
            return GFAB_REFUSE(diag,
                               "half-duplex links: not with streams of a word a cycle in which words go both ways, as "
                               "between nodes %u and %u; give --link-mode full, or one word a beat",
                               (unsigned)message->from, (unsigned)message->to);
    return GFAB_OK;
}

gfab_status gfab_check_words(const gfab_image *image, bool half_links, const gfab_message *messages, size_t count,
                             gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const gfab_topology *topology = gfab_layout_topology(layout);
    gfab_status status = GFAB_OK;
    for (uint32_t node = 0;
         gfab_operator_is_chained(gfab_layout_operator(layout)) && !status && node < gfab_topology_node_count(topology);
         node++)
        if (gfab_topology_is_relay(topology, node))
            status = check_operands(image, node, messages, count, diag);
    for (size_t i = 0; half_links && !gfab_layout_alternates(layout) && !status && i < count; i++)
        status = check_way(topology, &messages[i], messages, count, diag);
    return status || !gfab_layout_alternates(layout) ? status : gfab_image_check_alternates(image, diag);
}
