/* SPDX-License-Identifier: MIT */
#include <gossipfab/program.h>

#include "word_array.h"

#include <assert.h>

/* Ops are kept round by round, node by node, lane by lane, as ROM words. */
struct gfab_program {
    const gfab_slots *slots;
    size_t nodes;
    size_t lanes;
    uint32_t rounds;
    word_array ops;
};

gfab_status gfab_program_create(const gfab_slots *slots, uint32_t rounds, gfab_program **program)
{
    gfab_program *result = calloc(1, sizeof *result);
    if (!result)
        return GFAB_ERR_NO_MEMORY;
    result->slots = slots;
    result->nodes = gfab_topology_node_count(gfab_slots_topology(slots));
    result->lanes = gfab_slots_lane_count(slots);
    result->rounds = rounds;
    const gfab_op highest = {GFAB_OP_HALT, (uint32_t)(result->nodes - 1)};
    const size_t count = word_array_product(word_array_product(result->nodes, result->lanes), rounds);
    if (word_array_product(count, sizeof(uint32_t)) != SIZE_MAX)
        result->ops = word_array_create(count, gfab_op_encode(highest) > UINT16_MAX ? 32 : 16);
    if (!result->ops.at.data) {
        free(result);
        return GFAB_ERR_NO_MEMORY;
    }
    *program = result;
    return GFAB_OK;
}

void gfab_program_destroy(gfab_program *program)
{
    if (!program)
        return;
    free(program->ops.at.data);
    free(program);
}

const gfab_slots *gfab_program_slots(const gfab_program *program)
{
    return program->slots;
}

uint32_t gfab_program_rounds(const gfab_program *program)
{
    return program->rounds;
}

static size_t place(const gfab_program *program, size_t node, uint32_t round, size_t lane)
{
    assert(node < program->nodes && round >= 1 && round <= program->rounds && lane < program->lanes);
    return ((size_t)(round - 1) * program->nodes + node) * program->lanes + lane;
}

gfab_op gfab_program_op(const gfab_program *program, size_t node, uint32_t round, size_t lane)
{
    return gfab_op_decode(word_array_get(&program->ops, place(program, node, round, lane)));
}

void gfab_program_set_op(gfab_program *program, size_t node, uint32_t round, size_t lane, gfab_op op)
{
    assert(op.slot < program->nodes);
    word_array_set(&program->ops, place(program, node, round, lane), gfab_op_encode(op));
}

/* The port of node whose link this is. */
static uint32_t port_of_link(const gfab_topology *topology, uint32_t node, uint32_t link)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(topology, node, &count);
    uint32_t port = 0;
    while (ports[port].link != link)
        port++;
    assert(port < count);
    return port;
}

static gfab_status lower_packet(gfab_program *program, uint32_t round, const gfab_packet *packet, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_slots_topology(program->slots);
    if (packet->arc_count == 0 || packet->token_count == 0)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: a packet without a %s", (unsigned)round,
                         packet->arc_count ? "token" : "link");
    const uint32_t nodes[2] = {gfab_topology_arc_from(topology, packet->arcs[0]),
                               gfab_topology_arc_to(topology, packet->arcs[0])};
    if (packet->token_count > 1)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "packet-tokens: the hardware moves one token a packet; round %u has %zu in one from node %u",
                         (unsigned)round, packet->token_count, (unsigned)nodes[0]);
    if (packet->arc_count > 1)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "paths: the hardware moves a packet over one link a round; round %u has %zu from node %u",
                         (unsigned)round, packet->arc_count, (unsigned)nodes[0]);
    const gfab_op_kind kinds[2] = {GFAB_OP_SEND, GFAB_OP_RECV};
    for (int end = 0; end < 2; end++) {
        const gfab_op op = {kinds[end], gfab_slots_slot(program->slots, nodes[end], packet->tokens[0])};
        const uint32_t port = port_of_link(topology, nodes[end], packet->arcs[0] / 2);
        const uint32_t lane = gfab_slots_lane(program->slots, nodes[end], port);
        if (gfab_program_op(program, nodes[end], round, lane).kind != GFAB_OP_IDLE)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: the link of nodes %u and %u is used twice",
                             (unsigned)round, (unsigned)nodes[0], (unsigned)nodes[1]);
        gfab_program_set_op(program, nodes[end], round, lane, op);
    }
    return GFAB_OK;
}

gfab_status gfab_program_lower(const gfab_schedule *schedule, const gfab_slots *slots, gfab_program **program,
                               gfab_diag *diag)
{
    const gfab_topology *topology = gfab_slots_topology(slots);
    if (!gfab_topology_equal(topology, gfab_schedule_topology(schedule)))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule is for %s, the slots are for %s",
                         gfab_topology_name(gfab_schedule_topology(schedule)), gfab_topology_name(topology));
    if (gfab_schedule_model(schedule)->link_mode == GFAB_LINK_FULL)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "link-mode full: the hardware's links are half duplex");
    if (!gfab_schedule_even_load(schedule) || gfab_schedule_parts(schedule) != 1)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "load: the hardware starts with one token in each node");
    gfab_program *result;
    gfab_status status = gfab_program_create(slots, gfab_schedule_rounds(schedule), &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for programs of %u rounds",
                         (unsigned)gfab_schedule_rounds(schedule));
    for (uint32_t round = 1; round <= result->rounds && status == GFAB_OK; round++) {
        gfab_packet_iter it = gfab_schedule_round(schedule, round);
        gfab_packet packet;
        while (status == GFAB_OK && gfab_packet_next(&it, &packet))
            status = lower_packet(result, round, &packet, diag);
    }
    if (status == GFAB_OK)
        *program = result;
    else
        gfab_program_destroy(result);
    return status;
}

/* Appends what one port sends in a round. Each port is looked at from its own node, so that a disagreement is
 * seen from one end or the other. */
static gfab_status raise_op(const gfab_program *program, uint32_t round, uint32_t node, size_t lane,
                            gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_slots_topology(program->slots);
    const gfab_op op = gfab_program_op(program, node, round, lane);
    const uint32_t index = gfab_slots_port(program->slots, node, lane);
    if (op.kind == GFAB_OP_IDLE)
        return GFAB_OK;
    if (op.kind == GFAB_OP_HALT || index == GFAB_NO_PORT || op.slot >= program->nodes)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %u, round %u, lane %zu: %s %u, %s", (unsigned)node,
                         (unsigned)round, lane, gfab_op_kind_name(op.kind), (unsigned)op.slot,
                         op.kind == GFAB_OP_HALT  ? "but the program goes on"
                         : index == GFAB_NO_PORT ? "but the node does not have the lane"
                                                  : "but there is no such token");
    size_t count;
    const gfab_port port = gfab_topology_ports(topology, node, &count)[index];
    const uint32_t peer_lane = gfab_slots_lane(program->slots, port.peer, port.peer_port);
    const gfab_op peer = gfab_program_op(program, port.peer, round, peer_lane);
    const gfab_op_kind expected = op.kind == GFAB_OP_SEND ? GFAB_OP_RECV : GFAB_OP_SEND;
    const uint32_t token = gfab_slots_token(program->slots, node, op.slot);
    if (peer.kind != expected || gfab_slots_token(program->slots, port.peer, peer.slot) != token)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                         "node %u, round %u, lane %zu: %s %u, but %s %u at the other end, node %u", (unsigned)node,
                         (unsigned)round, lane, gfab_op_kind_name(op.kind), (unsigned)op.slot,
                         gfab_op_kind_name(peer.kind), (unsigned)peer.slot, (unsigned)port.peer);
    if (op.kind == GFAB_OP_RECV)
        return GFAB_OK;
    const gfab_status status = gfab_schedule_append(schedule, round, 2 * port.link + port.end, token);
    return status == GFAB_OK ? status : gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
}

gfab_status gfab_program_raise(const gfab_program *program, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_model model = gfab_model_default();
    gfab_schedule *result;
    gfab_status status = gfab_schedule_create(gfab_slots_topology(program->slots), &model, &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    for (uint32_t round = 1; round <= program->rounds && status == GFAB_OK; round++)
        for (uint32_t node = 0; node < program->nodes && status == GFAB_OK; node++)
            for (size_t lane = 0; lane < program->lanes && status == GFAB_OK; lane++)
                status = raise_op(program, round, node, lane, result, diag);
    if (status == GFAB_OK)
        *schedule = result;
    else
        gfab_schedule_destroy(result);
    return status;
}

gfab_status gfab_program_assemble(const gfab_program *program, uint32_t round_bits, gfab_image **image,
                                  gfab_diag *diag)
{
    uint32_t needed = 1;
    while (needed < 32 && (uint64_t)1 << needed < (uint64_t)program->rounds + 1)
        needed++;
    if (round_bits != 0 && round_bits < needed)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u round bits are too few: %u rounds and the halt need %u",
                         (unsigned)round_bits, (unsigned)program->rounds, (unsigned)needed);
    gfab_image *result;
    const gfab_status status = gfab_image_create(program->slots, round_bits ? round_bits : needed, &result, diag);
    if (status != GFAB_OK)
        return status;
    const size_t stride = gfab_image_lane_stride(result);
    for (uint32_t round = 1; round <= program->rounds; round++)
        for (size_t node = 0; node < program->nodes; node++)
            for (size_t lane = 0; lane < program->lanes; lane++)
                gfab_image_set_word(result, node, (round - 1) * stride + lane,
                                    gfab_op_encode(gfab_program_op(program, node, round, lane)));
    const gfab_op halt = {GFAB_OP_HALT, 0};
    for (size_t node = 0; node < program->nodes; node++)
        gfab_image_set_word(result, node, program->rounds * stride, gfab_op_encode(halt));
    *image = result;
    return GFAB_OK;
}

/* Index of the first halt in lane 0, that is the number of rounds; or the number of rounds that the ROM holds. */
static uint32_t find_halt(const gfab_image *image, size_t node)
{
    const size_t stride = gfab_image_lane_stride(image);
    const uint32_t held = (uint32_t)1 << gfab_image_round_bits(image);
    uint32_t rounds = 0;
    while (rounds < held && gfab_op_decode(gfab_image_word(image, node, rounds * stride)).kind != GFAB_OP_HALT)
        rounds++;
    return rounds;
}

gfab_status gfab_program_disassemble(const gfab_image *image, gfab_program **program, gfab_diag *diag)
{
    const gfab_slots *slots = gfab_image_slots(image);
    const size_t nodes = gfab_topology_node_count(gfab_slots_topology(slots));
    const uint32_t rounds = find_halt(image, 0);
    for (size_t node = 0; node < nodes; node++) {
        const uint32_t own = find_halt(image, node);
        if (own >> gfab_image_round_bits(image))
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu: no halt in lane 0 of any round", node);
        if (own != rounds)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu halts after %u rounds, node 0 after %u", node,
                             (unsigned)own, (unsigned)rounds);
    }
    gfab_program *result;
    const gfab_status status = gfab_program_create(slots, rounds, &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for programs of %u rounds", (unsigned)rounds);
    const size_t stride = gfab_image_lane_stride(image);
    for (uint32_t round = 1; round <= rounds; round++)
        for (size_t node = 0; node < nodes; node++)
            for (size_t lane = 0; lane < result->lanes; lane++)
                word_array_set(&result->ops, place(result, node, round, lane),
                               gfab_image_word(image, node, (round - 1) * stride + lane));
    *program = result;
    return GFAB_OK;
}
