// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <fstream>
#include <sstream>
#include <vector>

namespace
{

gfab_status lower_status(const Schedule &schedule, const Layout &layout, std::string *message)
{
    gfab_program *program = nullptr;
    gfab_diag diag{};
    const gfab_status status = gfab_program_lower(schedule.get(), layout.get(), nullptr, 0, nullptr, &program, &diag);
    gfab_program_destroy(program);
    *message = diag.message;
    return status;
}

gfab_status raise_status(const Program &program, std::string *message)
{
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    const gfab_status status = gfab_program_raise(program.get(), &schedule, &diag);
    gfab_schedule_destroy(schedule);
    *message = diag.message;
    return status;
}

gfab_status disassemble_status(const Image &image, std::string *message)
{
    gfab_program *program = nullptr;
    gfab_diag diag{};
    const gfab_status status = gfab_program_disassemble(image.get(), nullptr, &program, &diag);
    gfab_program_destroy(program);
    *message = diag.message;
    return status;
}

std::string file_text(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Words worked out by hand from docs/reference/rom-format.md, not by any program.
void expect_golden(const std::string &name, uint32_t rounds)
{
    const std::string folder = GFAB_SOURCE_DIR "/tests/golden/" + name;
    File file(std::fopen((folder + "/schedule.gfs").c_str(), "rb"));
    ASSERT_TRUE(file);
    gfab_topology *read_topology = nullptr;
    gfab_schedule *read_schedule = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_schedule_read(file.get(), nullptr, &read_topology, &read_schedule, &diag), GFAB_OK) << diag.message;
    const Topology topology(read_topology);
    const Schedule schedule(read_schedule);
    const Layout layout = layout_of(topology);
    const Program program = lower(schedule, layout);
    EXPECT_EQ(gfab_program_rounds(program.get()), rounds);
    const Image image = assemble(program);
    for (size_t node = 0; node < gfab_topology_node_count(topology.get()); node++)
        EXPECT_EQ(image_text(image, node), file_text(folder + "/program_" + std::to_string(node) + ".hex"))
            << name << ", node " << node;
    const File sequence(std::tmpfile());
    EXPECT_EQ(gfab_image_write_sequence(image.get(), sequence.get(), nullptr), GFAB_OK);
    std::string words(static_cast<size_t>(std::ftell(sequence.get())), '\0');
    std::rewind(sequence.get());
    EXPECT_EQ(std::fread(words.data(), 1, words.size(), sequence.get()), words.size());
    EXPECT_EQ(words, file_text(folder + "/sequence.hex")) << name;
    const gfab_timing timing = timing_of(layout, 32, 2);
    uint32_t checked = 0;
    EXPECT_EQ(gfab_image_check(image.get(), &timing, nullptr, &checked, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(checked, rounds);
}

} // namespace

TEST(Golden, KindAndSlotFieldsSwapped)
{
    expect_golden("kind_and_slot_fields_swapped", 3);
}

TEST(Golden, LaneStrideNotAPowerOfTwo)
{
    expect_golden("lane_stride_not_a_power_of_two", 2);
}

TEST(Golden, LanesPackedWhereAPortIsMissing)
{
    expect_golden("lanes_packed_where_a_port_is_missing", 4);
}

TEST(Program, ThereAndBackAgain)
{
    for (const char *spec :
         {"path:2", "path:5", "cycle:5", "mesh:3x4", "mesh:2x1x3", "torus:3x3", "torus:3x4", "mesh:3x3x3"}) {
        const Topology topology = parse(spec);
        const Layout layout = layout_of(topology);
        const Schedule schedule = gossip_on(topology);
        const Program program = lower(schedule, layout);
        const Image image = assemble(program);
        gfab_program *read = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_program_disassemble(image.get(), nullptr, &read, &diag), GFAB_OK) << diag.message;
        const Program back(read);
        EXPECT_EQ(gfab_program_rounds(back.get()), gfab_schedule_rounds(schedule.get()));
        gfab_schedule *raised = nullptr;
        ASSERT_EQ(gfab_program_raise(back.get(), &raised, &diag), GFAB_OK) << diag.message;
        const Schedule again(raised);
        gfab_schedule_set_solver(again.get(), gfab_schedule_solver(schedule.get()));
        EXPECT_EQ(schedule_text(again), schedule_text(schedule)) << spec;
    }
}

TEST(Program, StricterModelsAreLowered)
{
    const Topology topology = parse("mesh:3x3");
    const Layout layout = layout_of(topology);
    const Schedule schedule =
        gossip_on(topology, {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 2, GFAB_ROUTING_STORE_AND_FORWARD});
    std::string message;
    EXPECT_EQ(lower_status(schedule, layout, &message), GFAB_OK) << message;
    const Schedule roomy = schedule_on(topology, {GFAB_LINK_HALF, GFAB_PORT_ALL, 4, 1, GFAB_ROUTING_STORE_AND_FORWARD});
    append(roomy, 1, 0, 1, 0);
    EXPECT_EQ(lower_status(roomy, layout, &message), GFAB_OK) << message;
}

TEST(Program, WhatTheHardwareDoesNotDoIsRefusedByName)
{
    const Topology topology = parse("mesh:3x3");
    const Layout layout = layout_of(topology);
    std::string message;

    const Schedule full = schedule_on(topology, {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD});
    EXPECT_EQ(lower_status(full, layout, &message), GFAB_ERR_INVALID);
    EXPECT_EQ(message.find("link-mode full"), 0u) << message;

    gfab_arc arcs[2];
    ASSERT_TRUE(gfab_topology_find_arc(topology.get(), 0, 1, &arcs[0]));
    ASSERT_TRUE(gfab_topology_find_arc(topology.get(), 1, 2, &arcs[1]));
    const uint32_t tokens[] = {0, 3};
    const Schedule circuit = schedule_on(topology);
    ASSERT_EQ(gfab_schedule_append_packet(circuit.get(), 1, arcs, 2, tokens, 1), GFAB_OK);
    EXPECT_EQ(lower_status(circuit, layout, &message), GFAB_ERR_INVALID);
    EXPECT_EQ(message.find("paths"), 0u) << message;
}

TEST(Program, APacketOfSeveralTokensTakesARoundForEach)
{
    const Topology topology = parse("path:3");
    const Layout layout = layout_of(topology);
    const Schedule schedule =
        schedule_on(topology, {GFAB_LINK_HALF, GFAB_PORT_ALL, 3, 1, GFAB_ROUTING_STORE_AND_FORWARD});
    gfab_arc arc = 0;
    ASSERT_TRUE(gfab_topology_find_arc(topology.get(), 1, 0, &arc));
    append(schedule, 1, 1, 0, 1);
    const uint32_t tokens[] = {2, 0, 1};
    ASSERT_EQ(gfab_schedule_append_packet(schedule.get(), 2, &arc, 1, tokens, 3), GFAB_OK);
    append(schedule, 2, 2, 1, 2);
    append(schedule, 4, 1, 2, 0);
    gfab_program *made = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_program_lower(schedule.get(), layout.get(), nullptr, 7, nullptr, &made, &diag), GFAB_OK)
        << diag.message;
    const Program program(made);
    ASSERT_EQ(gfab_program_rounds(made), 6u);
    const uint32_t lane = gfab_layout_lane(layout.get(), 0, 0);
    const uint32_t received[] = {1, 2, 0, 1};
    for (uint32_t round = 1; round <= 4; round++) {
        EXPECT_EQ(gfab_program_op(made, 0, round, lane).kind, GFAB_OP_RECV) << round;
        EXPECT_EQ(gfab_program_op(made, 0, round, lane).slot, received[round - 1]) << round;
    }
    EXPECT_EQ(gfab_program_op(made, 0, 5, lane).kind, GFAB_OP_IDLE) << "round 3 of the schedule is empty";
    const uint32_t end = gfab_layout_lane(layout.get(), 2, 0);
    EXPECT_EQ(gfab_program_op(made, 2, 2, end).kind, GFAB_OP_SEND);
    EXPECT_EQ(gfab_program_op(made, 2, 3, end).kind, GFAB_OP_IDLE);
    EXPECT_EQ(gfab_program_op(made, 2, 6, end).kind, GFAB_OP_RECV);
    const uint32_t gaps[] = {7, 0, 0, 7, 7, 7};
    for (uint32_t round = 1; round <= 6; round++)
        EXPECT_EQ(gfab_program_gap(made, round), gaps[round - 1]) << round;

    const Image image = assemble(program);
    EXPECT_EQ(gfab_image_gap_bits(image.get()), 3u);
    EXPECT_EQ(gfab_image_gap_cycles(image.get(), 0), 28u);
    gfab_program *read = nullptr;
    ASSERT_EQ(gfab_program_disassemble(image.get(), nullptr, &read, &diag), GFAB_OK) << diag.message;
    const Program back(read);
    for (uint32_t round = 1; round <= 6; round++)
        EXPECT_EQ(gfab_program_gap(read, round), gaps[round - 1]) << round;
    gfab_program *none = nullptr;
    EXPECT_EQ(gfab_program_lower(schedule.get(), layout.get(), nullptr, 1u << 24, nullptr, &none, &diag),
              GFAB_ERR_LIMIT);
}

TEST(Program, FullDuplexThereAndBackAgain)
{
    for (const char *spec : {"path:2", "cycle:5", "mesh:3x4", "torus:3x3", "hypercube:3"}) {
        const Topology topology = parse(spec);
        const Layout layout = layout_of(topology, full_duplex());
        const Schedule schedule =
            gossip_on(topology, {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD});
        const Image image = assemble(lower(schedule, layout));
        EXPECT_EQ(gfab_image_op_bits(image.get()), 2 * (gfab_image_slot_bits(image.get()) + 2));
        gfab_program *read = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_program_disassemble(image.get(), nullptr, &read, &diag), GFAB_OK) << diag.message;
        const Program back(read);
        gfab_schedule *raised = nullptr;
        ASSERT_EQ(gfab_program_raise(back.get(), &raised, &diag), GFAB_OK) << diag.message;
        const Schedule again(raised);
        gfab_schedule_set_solver(again.get(), gfab_schedule_solver(schedule.get()));
        EXPECT_EQ(schedule_text(again), schedule_text(schedule)) << spec;
        gfab_program_set_half(read, 0, 1, gfab_layout_lane(layout.get(), 0, 0), 1, {GFAB_OP_SEND, 0});
        std::string message;
        EXPECT_EQ(raise_status(back, &message), GFAB_ERR_FAULT);
        EXPECT_NE(message.find("in the other half"), std::string::npos) << message;
    }
}

// A layout with paths, and the program of one packet of two tokens over three links and one over a single link.
struct Paths {
    Topology topology = parse("cycle:6");
    Layout layout = layout_of(topology, with_paths());
    Schedule schedule = schedule_on(topology, {GFAB_LINK_FULL, GFAB_PORT_ALL, 2, 1, GFAB_ROUTING_CIRCUIT});
    gfab_timing timing{};
    gfab_diag diag{};

    Paths()
    {
        timing = timing_of(layout, 16, 2);
        const uint32_t tokens[] = {0, 0};
        packet(1, {0, 1, 2, 3}, tokens, 1);
        packet(1, {4, 3}, tokens + 1, 0);
    }
    void packet(uint32_t round, std::vector<uint32_t> nodes, const uint32_t *tokens, size_t count)
    {
        std::vector<gfab_arc> arcs(nodes.size() - 1);
        for (size_t i = 0; i + 1 < nodes.size(); i++)
            ASSERT_TRUE(gfab_topology_find_arc(topology.get(), nodes[i], nodes[i + 1], &arcs[i]));
        const uint32_t own = nodes[0];
        ASSERT_EQ(gfab_schedule_append_packet(schedule.get(), round, arcs.data(), arcs.size(), count ? tokens : &own,
                                              count ? count : 1),
                  GFAB_OK);
    }
    gfab_status lower(Program *program)
    {
        gfab_program *made = nullptr;
        const gfab_status status = gfab_program_lower(schedule.get(), layout.get(), &timing, 5, nullptr, &made, &diag);
        program->reset(made);
        return status;
    }
    gfab_status check(const Program &program)
    {
        return gfab_image_check(assemble(program).get(), &timing, nullptr, nullptr, &diag);
    }
    uint32_t lane(uint32_t from, uint32_t to) const
    {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology.get(), from, &count);
        uint32_t port = 0;
        while (ports[port].peer != to)
            port++;
        return gfab_layout_lane(layout.get(), from, port);
    }
};

TEST(ProgramPaths, AreLoweredAndRaised)
{
    Paths p;
    Program program;
    ASSERT_EQ(p.lower(&program), GFAB_OK) << p.diag.message;
    EXPECT_EQ(gfab_program_path(program.get(), 1, 1, p.lane(1, 2)).source, p.lane(1, 0) + 1);
    EXPECT_EQ(gfab_program_path(program.get(), 2, 1, p.lane(2, 3)).source, p.lane(2, 1) + 1);
    EXPECT_EQ(gfab_program_path(program.get(), 0, 1, p.lane(0, 1)).source, 0u);
    EXPECT_EQ(gfab_program_gap(program.get(), 1), 5 + gfab_timing_drain_cycles(&p.timing, 3));
    EXPECT_EQ(p.check(program), GFAB_OK) << p.diag.message;
    gfab_program *read = nullptr;
    ASSERT_EQ(gfab_program_disassemble(assemble(program).get(), nullptr, &read, &p.diag), GFAB_OK);
    const Program back(read);
    gfab_schedule *raised = nullptr;
    ASSERT_EQ(gfab_program_raise(back.get(), &raised, &p.diag), GFAB_OK) << p.diag.message;
    const Schedule again(raised);
    gfab_packet packet;
    gfab_packet_iter it = gfab_schedule_round(raised, 1);
    size_t links = 0;
    while (gfab_packet_next(&it, &packet))
        links += packet.arc_count;
    EXPECT_EQ(links, 4u);

    const uint32_t token = 1;
    p.packet(1, {1, 2}, &token, 1); // the path goes over this link
    EXPECT_EQ(p.lower(&program), GFAB_ERR_FAULT);
    EXPECT_STREQ(p.diag.message, "round 1: the link from node 1 to 2 is used twice");
}

TEST(ProgramPaths, AnImageWithOtherGapsOrPathsIsRefused)
{
    Paths p;
    Program program;
    ASSERT_EQ(p.lower(&program), GFAB_OK) << p.diag.message;
    const Image image = assemble(program);
    EXPECT_EQ(gfab_program_check_image(program.get(), image.get(), nullptr, &p.diag), GFAB_OK) << p.diag.message;
    gfab_path path = gfab_image_path(image.get(), 2, 1, 0);
    path.tap ^= 1;
    gfab_image_set_path(image.get(), 2, 1, 0, path);
    EXPECT_EQ(gfab_program_check_image(program.get(), image.get(), nullptr, &p.diag), GFAB_ERR_FAULT);
    EXPECT_STREQ(p.diag.message, "the image has other gaps or paths than the program");
    path.tap ^= 1;
    gfab_image_set_path(image.get(), 2, 1, 0, path);
    EXPECT_EQ(gfab_program_check_image(program.get(), image.get(), nullptr, &p.diag), GFAB_OK) << p.diag.message;
    gfab_image_set_gap(image.get(), 1, gfab_image_gap(image.get(), 1) ^ 1);
    EXPECT_EQ(gfab_program_check_image(program.get(), image.get(), nullptr, &p.diag), GFAB_ERR_FAULT);
}

TEST(ProgramPaths, WhatIsNotAPathIsSeenInTheImage)
{
    Paths p;
    Program program;
    ASSERT_EQ(p.lower(&program), GFAB_OK);
    const auto mutant = [&](uint32_t node, uint32_t lane, gfab_path path, const char *text) {
        const gfab_path was = gfab_program_path(program.get(), node, 1, lane);
        gfab_program_set_path(program.get(), node, 1, lane, path);
        EXPECT_EQ(p.check(program), GFAB_ERR_FAULT) << text;
        EXPECT_NE(std::string(p.diag.message).find(text), std::string::npos) << p.diag.message;
        gfab_program_set_path(program.get(), node, 1, lane, was);
    };
    const uint32_t in = p.lane(3, 2);
    const gfab_path right = gfab_program_path(program.get(), 3, 1, in);
    mutant(3, in, {0, (right.tap + 1) % 2, right.wait}, "it takes tap");
    mutant(3, in, {0, right.tap, right.wait + 1}, "it takes tap");
    mutant(2, p.lane(2, 3), {0, 0, 0}, "at the path's end");
    mutant(2, p.lane(2, 3), {p.lane(2, 3) + 1, 0, 0}, "turns back");
    mutant(4, p.lane(4, 3), {p.lane(4, 5) + 1, 0, 0}, "passes and sends");
    mutant(5, p.lane(5, 0), {p.lane(5, 4) + 1, 0, 0}, "nobody sends on");
    mutant(3, p.lane(3, 4), {p.lane(3, 2) + 1, 0, 0}, "at the path's end");
    gfab_program_set_half(program.get(), 5, 1, p.lane(5, 0), 1, {GFAB_OP_RECV, 2});
    EXPECT_EQ(p.check(program), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(p.diag.message).find("receives what nobody sends"), std::string::npos) << p.diag.message;
    gfab_program_set_half(program.get(), 5, 1, p.lane(5, 0), 1, {GFAB_OP_IDLE, 0});
    gfab_program_set_gap(program.get(), 1, static_cast<uint32_t>(gfab_timing_drain_cycles(&p.timing, 3)) - 1);
    EXPECT_EQ(p.check(program), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(p.diag.message).find("a path of 3 links takes"), std::string::npos) << p.diag.message;
    gfab_program_set_gap(program.get(), 1, 0);
    EXPECT_EQ(p.check(program), GFAB_ERR_FAULT);
    EXPECT_STREQ(p.diag.message, "round 1: no gap before the halt");
}

TEST(ProgramPaths, RoundsOfOnePacketAreSetAlike)
{
    Paths p;
    const uint32_t tokens[] = {5, 0};
    p.packet(2, {5, 0}, tokens, 1);
    p.packet(3, {0, 5, 4}, tokens, 2);
    Program program;
    ASSERT_EQ(p.lower(&program), GFAB_OK) << p.diag.message;
    ASSERT_EQ(gfab_program_rounds(program.get()), 4u);
    EXPECT_EQ(p.check(program), GFAB_OK) << p.diag.message;
    gfab_program_set_path(program.get(), 5, 4, p.lane(5, 4), {0, 0, 0});
    EXPECT_EQ(p.check(program), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(p.diag.message).find("another path without a gap before"), std::string::npos)
        << p.diag.message;
}

TEST(ProgramPaths, TapsAndWaitsBringWordsToTheirTurn)
{
    Paths p;
    for (const uint32_t latency : {0u, 1u, 4u}) {
        ASSERT_EQ(compute(p.layout, {64, 2, latency, 0, 0, 0}, &p.timing, &p.diag), GFAB_OK);
        p.timing.lanes = 6;
        for (uint32_t from = 0; from < 6; from++)
            for (uint32_t to = 0; to < 6; to++)
                for (uint32_t links = 1; links < 20; links++) {
                    const gfab_path path = gfab_path_over(&p.timing, from, to, links);
                    EXPECT_LT(path.tap, 6u);
                    EXPECT_EQ(from + (links - 1) * (1 + latency) + path.tap, to + 6 * path.wait);
                }
    }
}

TEST(Program, ADirectionIsUsedOnceInARound)
{
    const Topology topology = parse("path:3");
    const Layout layout = layout_of(topology, full_duplex());
    const Schedule schedule =
        schedule_on(topology, {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD});
    append(schedule, 1, 0, 1, 0);
    append(schedule, 1, 1, 0, 1);
    std::string message;
    EXPECT_EQ(lower_status(schedule, layout, &message), GFAB_OK) << message;
    append(schedule, 1, 1, 0, 2);
    EXPECT_EQ(lower_status(schedule, layout, &message), GFAB_ERR_FAULT);
    EXPECT_EQ(message, "round 1: the link from node 1 to 0 is used twice");
}

TEST(Program, FaultySchedulesAreNotLowered)
{
    const Topology topology = parse("mesh:3x3");
    const Layout layout = layout_of(topology);
    std::string message;

    const Schedule twice = schedule_on(topology);
    append(twice, 2, 0, 1, 0);
    append(twice, 2, 1, 0, 1);
    EXPECT_EQ(lower_status(twice, layout, &message), GFAB_ERR_FAULT);
    EXPECT_EQ(message, "round 2: the link of nodes 1 and 0 is used twice");

    const Topology other = parse("torus:3x3");
    EXPECT_EQ(lower_status(schedule_on(other), layout, &message), GFAB_ERR_INVALID);
    EXPECT_EQ(message, "the schedule is for torus:3x3, the layout is for mesh:3x3");
}

TEST(Program, RaiseSeesEndsThatDisagree)
{
    const Topology topology = parse("path:3");
    const Layout layout = layout_of(topology);
    const Schedule schedule = gossip_on(topology);
    const struct {
        size_t node, lane;
        gfab_op op;
        const char *text;
    } mutants[] = {
        {0, 0, {GFAB_OP_SEND, 1}, "node 0, round 1, lane 0: send 1, but recv 0 at the other end, node 1"},
        {0, 0, {GFAB_OP_RECV, 0}, "node 0, round 1, lane 0: recv 0, but recv 0 at the other end, node 1"},
        {0, 0, {GFAB_OP_IDLE, 0}, "node 1, round 1, lane 0: recv 0, but idle 0 at the other end, node 0"},
        {0, 0, {GFAB_OP_COMBINE, 0}, "node 0, round 1, lane 0: combine 0, but a gossip combines nothing"},
        {2, 0, {GFAB_OP_SEND, 2}, "node 2, round 1, lane 0: send 2, but the node does not have the lane"},
    };
    std::string message;
    const Schedule first = schedule_on(topology);
    append(first, 1, 0, 1, 0);
    const Program good = lower(first, layout);
    EXPECT_EQ(raise_status(good, &message), GFAB_OK) << message;
    for (const auto &mutant : mutants) {
        const Program program = lower(first, layout);
        gfab_program_set_half(program.get(), mutant.node, 1, mutant.lane, 0, mutant.op);
        EXPECT_EQ(raise_status(program, &message), GFAB_ERR_FAULT);
        EXPECT_EQ(message, mutant.text);
    }
}

TEST(Program, RoundBitsHoldTheHalt)
{
    const Topology topology = parse("path:2");
    const Layout layout = layout_of(topology);
    for (uint32_t rounds = 0; rounds <= 9; rounds++) {
        gfab_program *made = nullptr;
        ASSERT_EQ(gfab_program_create(layout.get(), rounds, &made), GFAB_OK);
        const Program program(made);
        const Image image = assemble(program);
        const uint32_t bits = gfab_image_round_bits(image.get());
        EXPECT_GE(1u << bits, rounds + 1);
        EXPECT_TRUE(bits == 1 || 1u << (bits - 1) < rounds + 1);
        EXPECT_TRUE(gfab_image_halts(image.get(), rounds + 1));
        EXPECT_EQ(gfab_image_round_bits(assemble(program, 6).get()), 6u);
    }
    gfab_program *made = nullptr;
    ASSERT_EQ(gfab_program_create(layout.get(), 4, &made), GFAB_OK);
    const Program program(made);
    gfab_image *image = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_program_assemble(program.get(), 2, nullptr, &image, &diag), GFAB_ERR_LIMIT);
    EXPECT_STREQ(diag.message, "2 round bits are too few: 4 rounds and the halt need 3");
}

TEST(Program, DisassembleWantsAHalt)
{
    const Topology topology = parse("path:3");
    const Layout layout = layout_of(topology);
    const Image image = assemble(lower(gossip_on(topology), layout));
    std::string message;
    EXPECT_EQ(disassemble_status(image, &message), GFAB_OK);
    gfab_image_set_halt(image.get(), 4, false);
    EXPECT_EQ(disassemble_status(image, &message), GFAB_ERR_FAULT);
    EXPECT_EQ(message, "no halt in any round");
}

// What gfab_machine_compile holds its images against: any bit that is another is seen.
TEST(Program, AnImageThatSaysSomethingElseIsRefused)
{
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
        const Topology topology = parse("mesh:3x3");
        const Layout layout = layout_of(topology, full_duplex(mode == GFAB_LINK_FULL));
        const Program program =
            lower(gossip_on(topology, {mode, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD}), layout);
        const Image image = assemble(program);
        gfab_diag diag{};
        EXPECT_EQ(gfab_program_check_image(program.get(), image.get(), nullptr, &diag), GFAB_OK) << diag.message;
        const size_t words = gfab_program_rounds(program.get()) * gfab_image_lane_stride(image.get());
        for (size_t node = 0; node < 9; node++)
            for (size_t index = 0; index < words; index++)
                for (uint32_t bit = 0; bit < gfab_image_op_bits(image.get()); bit++) {
                    const uint32_t word = gfab_image_word(image.get(), node, index);
                    gfab_image_set_word(image.get(), node, index, word ^ 1u << bit);
                    EXPECT_EQ(gfab_program_check_image(program.get(), image.get(), nullptr, &diag), GFAB_ERR_FAULT)
                        << node << " " << index << " " << bit;
                    gfab_image_set_word(image.get(), node, index, word);
                }
        gfab_image_set_word(image.get(), 4, 0, gfab_image_word(image.get(), 4, 0) ^ 4);
        EXPECT_EQ(gfab_program_check_image(program.get(), image.get(), nullptr, &diag), GFAB_ERR_FAULT);
        EXPECT_EQ(std::string(diag.message).find("node 4, round 1, lane 0: the image says "), 0u) << diag.message;
    }
}
