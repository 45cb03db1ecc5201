/* SPDX-License-Identifier: MIT */
#include <gossipfab/program.h>

#include "word_array.h"

#include <assert.h>

/* Ops are kept round by round, node by node, lane by lane, half by half, as words of half an op. */
struct gfab_program {
    const gfab_slots *slots;
    size_t nodes;
    size_t lanes;
    uint32_t halves;
    uint32_t rounds;
    word_array ops;
    uint32_t *pauses; /* by round, from 0 */
};

gfab_status gfab_program_create(const gfab_slots *slots, uint32_t rounds, gfab_program **program)
{
    gfab_program *result = calloc(1, sizeof *result);
    if (!result)
        return GFAB_ERR_NO_MEMORY;
    result->slots = slots;
    result->nodes = gfab_topology_node_count(gfab_slots_topology(slots));
    result->lanes = gfab_slots_lane_count(slots);
    result->halves = gfab_slots_halves(slots);
    result->rounds = rounds;
    const gfab_op highest = {GFAB_OP_HALT, (uint32_t)(result->nodes - 1)};
    const size_t count = word_array_product(word_array_product(result->nodes, result->lanes * result->halves), rounds);
    if (word_array_product(count, sizeof(uint32_t)) != SIZE_MAX)
        result->ops = word_array_create(count, gfab_op_encode(highest) > UINT16_MAX ? 32 : 16);
    result->pauses = calloc(rounds ? rounds : 1, sizeof *result->pauses);
    if (!result->ops.at.data || !result->pauses) {
        gfab_program_destroy(result);
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
    free(program->pauses);
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

static size_t place(const gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half)
{
    assert(node < program->nodes && round >= 1 && round <= program->rounds && lane < program->lanes &&
           half < program->halves);
    return (((size_t)(round - 1) * program->nodes + node) * program->lanes + lane) * program->halves + half;
}

gfab_op gfab_program_half(const gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half)
{
    return gfab_op_decode(word_array_get(&program->ops, place(program, node, round, lane, half)));
}

void gfab_program_set_half(gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half, gfab_op op)
{
    assert(op.slot < program->nodes);
    word_array_set(&program->ops, place(program, node, round, lane, half), gfab_op_encode(op));
}

gfab_op gfab_program_op(const gfab_program *program, size_t node, uint32_t round, size_t lane)
{
    return gfab_program_half(program, node, round, lane, 0);
}

void gfab_program_set_op(gfab_program *program, size_t node, uint32_t round, size_t lane, gfab_op op)
{
    gfab_program_set_half(program, node, round, lane, 0, op);
}

uint32_t gfab_program_pause(const gfab_program *program, uint32_t round)
{
    assert(round >= 1 && round <= program->rounds);
    return program->pauses[round - 1];
}

void gfab_program_set_pause(gfab_program *program, uint32_t round, uint32_t cycles)
{
    assert(round >= 1 && round <= program->rounds);
    program->pauses[round - 1] = cycles;
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

/* Writes the packet's tokens into the program's rounds from `first` on. round is the schedule's. */
static gfab_status lower_packet(gfab_program *program, uint32_t round, uint32_t first, const gfab_packet *packet,
                                gfab_diag *diag)
{
    const gfab_topology *topology = gfab_slots_topology(program->slots);
    if (packet->arc_count == 0 || packet->token_count == 0)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: a packet without a %s", (unsigned)round,
                         packet->arc_count ? "token" : "link");
    const uint32_t nodes[2] = {gfab_topology_arc_from(topology, packet->arcs[0]),
                               gfab_topology_arc_to(topology, packet->arcs[0])};
    if (packet->arc_count > 1)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "paths: the hardware moves a packet over one link a round; round %u has %zu from node %u",
                         (unsigned)round, packet->arc_count, (unsigned)nodes[0]);
    const gfab_op_kind kinds[2] = {GFAB_OP_SEND, GFAB_OP_RECV};
    for (uint32_t end = 0; end < 2; end++) {
        const uint32_t port = port_of_link(topology, nodes[end], packet->arcs[0] / 2);
        const uint32_t lane = gfab_slots_lane(program->slots, nodes[end], port);
        const uint32_t half = program->halves == 2 ? end : 0;
        for (uint32_t i = 0; i < packet->token_count; i++) {
            const gfab_op op = {kinds[end], gfab_slots_slot(program->slots, nodes[end], packet->tokens[i])};
            if (gfab_program_half(program, nodes[end], first + i, lane, half).kind != GFAB_OP_IDLE)
                return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                                 program->halves == 2 ? "round %u: the link from node %u to %u is used twice"
                                                      : "round %u: the link of nodes %u and %u is used twice",
                                 (unsigned)round, (unsigned)nodes[0], (unsigned)nodes[1]);
            gfab_program_set_half(program, nodes[end], first + i, lane, half, op);
        }
    }
    return GFAB_OK;
}

/* Tokens of the round's longest packet, at least 1. */
static uint64_t longest_packet(const gfab_schedule *schedule, uint32_t round)
{
    gfab_packet_iter it = gfab_schedule_round(schedule, round);
    gfab_packet packet;
    uint64_t longest = 1;
    while (gfab_packet_next(&it, &packet))
        if (packet.token_count > longest)
            longest = packet.token_count;
    return longest;
}

gfab_status gfab_program_lower(const gfab_schedule *schedule, const gfab_slots *slots, gfab_program **program,
                               gfab_diag *diag)
{
    return gfab_program_lower_gap(schedule, slots, 0, program, diag);
}

gfab_status gfab_program_lower_gap(const gfab_schedule *schedule, const gfab_slots *slots, uint32_t gap_cycles,
                                   gfab_program **program, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_slots_topology(slots);
    if (!gfab_topology_equal(topology, gfab_schedule_topology(schedule)))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule is for %s, the slots are for %s",
                         gfab_topology_name(gfab_schedule_topology(schedule)), gfab_topology_name(topology));
    if (gfab_schedule_model(schedule)->link_mode == GFAB_LINK_FULL && !gfab_slots_full_duplex(slots))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "link-mode full: the schedule is full duplex, the ports are not");
    if (gap_cycles >> GFAB_MAX_PAUSE_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a gap of %u cycles: at most %u", (unsigned)gap_cycles,
                         (1u << GFAB_MAX_PAUSE_BITS) - 1);
    uint64_t rounds = 0;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++)
        rounds += longest_packet(schedule, round);
    if (rounds > GFAB_MAX_ROUNDS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "programs of %llu rounds: at most %u", (unsigned long long)rounds,
                         (unsigned)GFAB_MAX_ROUNDS);
    if (!gfab_schedule_even_load(schedule) || gfab_schedule_parts(schedule) != 1)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "load: the hardware starts with one token in each node");
    gfab_program *result;
    gfab_status status = gfab_program_create(slots, (uint32_t)rounds, &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for programs of %u rounds", (unsigned)rounds);
    uint32_t first = 1;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule) && status == GFAB_OK; round++) {
        gfab_packet_iter it = gfab_schedule_round(schedule, round);
        gfab_packet packet;
        while (status == GFAB_OK && gfab_packet_next(&it, &packet))
            status = lower_packet(result, round, first, &packet, diag);
        first += (uint32_t)longest_packet(schedule, round);
        gfab_program_set_pause(result, first - 1, gap_cycles);
    }
    if (status == GFAB_OK)
        *program = result;
    else
        gfab_program_destroy(result);
    return status;
}

/* Appends what one port sends in a round. Each port is looked at from its own node, so that a disagreement is
 * seen from one end or the other. */
static gfab_status raise_op(const gfab_program *program, uint32_t round, uint32_t node, size_t lane, uint32_t half,
                            gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_slots_topology(program->slots);
    const gfab_op op = gfab_program_half(program, node, round, lane, half);
    const uint32_t index = gfab_slots_port(program->slots, node, lane);
    const bool wrong_half = program->halves == 2 && op.kind == (half ? GFAB_OP_SEND : GFAB_OP_RECV);
    if (op.kind == GFAB_OP_IDLE)
        return GFAB_OK;
    if (op.kind == GFAB_OP_HALT || wrong_half || index == GFAB_NO_PORT || op.slot >= program->nodes)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %u, round %u, lane %zu: %s %u, %s", (unsigned)node,
                         (unsigned)round, lane, gfab_op_kind_name(op.kind), (unsigned)op.slot,
                         op.kind == GFAB_OP_HALT ? "but the program goes on"
                         : wrong_half            ? "but in the other half"
                         : index == GFAB_NO_PORT ? "but the node does not have the lane"
                                                 : "but there is no such token");
    size_t count;
    const gfab_port port = gfab_topology_ports(topology, node, &count)[index];
    const uint32_t peer_lane = gfab_slots_lane(program->slots, port.peer, port.peer_port);
    const uint32_t peer_half = program->halves == 2 ? 1 - half : 0;
    const gfab_op peer = gfab_program_half(program, port.peer, round, peer_lane, peer_half);
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
    gfab_model model = gfab_model_default();
    gfab_schedule *result;
    if (program->halves == 2)
        model.link_mode = GFAB_LINK_FULL;
    gfab_status status = gfab_schedule_create(gfab_slots_topology(program->slots), &model, &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    for (uint32_t round = 1; round <= program->rounds && status == GFAB_OK; round++)
        for (uint32_t node = 0; node < program->nodes && status == GFAB_OK; node++)
            for (size_t op = 0; op < program->lanes * program->halves && status == GFAB_OK; op++)
                status = raise_op(program, round, node, op / program->halves, (uint32_t)(op % program->halves), result,
                                  diag);
    if (status == GFAB_OK)
        *schedule = result;
    else
        gfab_schedule_destroy(result);
    return status;
}

/* Bits of the program's longest pause. */
static uint32_t pause_bits(const gfab_program *program)
{
    uint32_t longest = 0;
    uint32_t bits = 0;
    for (uint32_t round = 1; round <= program->rounds; round++)
        longest |= gfab_program_pause(program, round);
    while (bits < 32 && (uint64_t)longest >> bits)
        bits++;
    return bits;
}

static void fill_image(const gfab_program *program, gfab_image *image)
{
    const size_t stride = gfab_image_lane_stride(image);
    const uint32_t half_bits = gfab_image_op_bits(image) / program->halves;
    for (uint32_t round = 1; round <= program->rounds; round++) {
        for (size_t node = 0; node < program->nodes; node++)
            for (size_t lane = 0; lane < program->lanes; lane++) {
                uint32_t word = gfab_op_encode(gfab_program_half(program, node, round, lane, 0));
                if (program->halves == 2)
                    word |= gfab_op_encode(gfab_program_half(program, node, round, lane, 1)) << half_bits;
                gfab_image_set_word(image, node, (round - 1) * stride + lane, word);
            }
        gfab_image_set_pause(image, round, gfab_program_pause(program, round));
    }
    const gfab_op halt = {GFAB_OP_HALT, 0};
    for (size_t node = 0; node < program->nodes; node++)
        gfab_image_set_word(image, node, program->rounds * stride, gfab_op_encode(halt));
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
    gfab_status status = gfab_image_create(program->slots, round_bits ? round_bits : needed, &result, diag);
    if (status != GFAB_OK)
        return status;
    status = gfab_image_set_pause_bits(result, pause_bits(program), diag);
    if (status == GFAB_OK) {
        fill_image(program, result);
        *image = result;
    } else
        gfab_image_destroy(result);
    return status;
}

/* Index of the first halt in lane 0, that is the number of rounds; or the number of rounds that the ROM holds. */
static uint32_t find_halt(const gfab_image *image, size_t node)
{
    const uint32_t held = (uint32_t)1 << gfab_image_round_bits(image);
    uint32_t rounds = 0;
    while (rounds < held && gfab_image_op(image, node, rounds + 1, 0, 0).kind != GFAB_OP_HALT)
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
    for (uint32_t round = 1; round <= rounds; round++) {
        for (size_t node = 0; node < nodes; node++)
            for (size_t lane = 0; lane < result->lanes; lane++)
                for (uint32_t half = 0; half < result->halves; half++)
                    word_array_set(&result->ops, place(result, node, round, lane, half),
                                   gfab_op_encode(gfab_image_op(image, node, round, lane, half)));
        gfab_program_set_pause(result, round, gfab_image_pause(image, round));
    }
    *program = result;
    return GFAB_OK;
}
