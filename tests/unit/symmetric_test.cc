// SPDX-License-Identifier: MIT
// Schedules that stay the same under quarter turns, stores that number tokens turned with their node, and the programs
// that four nodes then share.
#include "search_fixture.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace
{

std::string square(uint32_t n)
{
    return grid("mesh", n, n);
}

// Row r, column c to row c, column n - 1 - r.
uint32_t turned(uint32_t n, uint32_t node)
{
    return node % n * n + (n - 1 - node / n);
}

Schedule solve(const Topology &topology, const char *solver, gfab_solver_options options)
{
    const gfab_model model = gfab_model_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &diag), GFAB_OK) << diag.message;
    return Schedule(made);
}

using Move = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>; // round, from, to, token

std::set<Move> moves_of(const Schedule &schedule)
{
    std::set<Move> moves;
    const gfab_topology *topology = gfab_schedule_topology(schedule.get());
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule.get()); round++) {
        gfab_packet_iter it = gfab_schedule_round(schedule.get(), round);
        gfab_packet packet;
        while (gfab_packet_next(&it, &packet))
            moves.insert({round, gfab_topology_arc_from(topology, packet.arcs[0]),
                          gfab_topology_arc_to(topology, packet.arcs[0]), packet.tokens[0]});
    }
    return moves;
}

bool is_symmetric(uint32_t n, const std::set<Move> &moves)
{
    return std::all_of(moves.begin(), moves.end(), [&](const Move &move) {
        const auto [round, from, to, token] = move;
        return moves.count({round, turned(n, from), turned(n, to), turned(n, token)}) == 1;
    });
}

void expect_symmetric(uint32_t n, uint64_t seed)
{
    SCOPED_TRACE(square(n) + ", seed " + std::to_string(seed));
    const gfab_model model = gfab_model_default();
    const Topology topology = parse(square(n));
    gfab_solver_options options = gfab_solver_options_default();
    options.seed = seed;
    const Schedule schedule = solve(topology, "symmetric", options);
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(topology.get(), &model, schedule.get(), nullptr, &report), GFAB_OK) << report.message;
    EXPECT_EQ(report.rounds, n * (n + 1) / 2);
    EXPECT_EQ(report.redundant, 0u);
    EXPECT_STREQ(gfab_schedule_solver(schedule.get()), "symmetric");
    EXPECT_TRUE(is_symmetric(n, moves_of(schedule)));
}

TEST(Symmetric, MeetsTheCountBound)
{
    for (uint32_t n = 2; n <= 24; n++)
        expect_symmetric(n, 1);
    expect_symmetric(32, 1);
    for (uint64_t seed = 2; seed <= 9; seed++)
        for (uint32_t n = 2; n <= 8; n++)
            expect_symmetric(n, seed);
}

// Of each side that MeetsTheCountBound has, so that it costs no round.
TEST(Symmetric, IsTakenForNarrowFabricsOfEvenSides)
{
    gfab_model half = gfab_model_default(), full = half;
    full.link_mode = GFAB_LINK_FULL;
    const gfab_solver *solver = nullptr;
    for (uint32_t n = 2; n <= 26; n++) {
        const bool taken = n % 2 == 0 && n >= 4 && n <= 24;
        ASSERT_EQ(gfab_solver_for_fabric(parse(square(n)).get(), &half, false, &solver), GFAB_OK);
        EXPECT_EQ(solver, taken ? gfab_solver_find("symmetric") : nullptr) << n;
    }
    for (const char *spec : {"mesh:4x6", "torus:4x4", "mesh:4x4+drop-link=5-6"}) {
        ASSERT_EQ(gfab_solver_for_fabric(parse(spec).get(), &half, false, &solver), GFAB_OK);
        EXPECT_EQ(solver, nullptr) << spec;
    }
    ASSERT_EQ(gfab_solver_for_fabric(parse("mesh:4x4").get(), &full, false, &solver), GFAB_OK);
    EXPECT_EQ(solver, nullptr);
}

TEST(Symmetric, WhatIsNotSymmetricIsSeen)
{
    const Topology topology = parse("mesh:4x4");
    const gfab_solver_options options = gfab_solver_options_default();
    EXPECT_FALSE(is_symmetric(4, moves_of(solve(topology, "greedy", options))));
    std::set<Move> moves = moves_of(solve(topology, "symmetric", options));
    moves.erase(moves.begin());
    EXPECT_FALSE(is_symmetric(4, moves));
}

TEST(Symmetric, TheSeedDecides)
{
    const Topology topology = parse("mesh:7x7");
    gfab_solver_options options = gfab_solver_options_default();
    const std::string first = schedule_text(solve(topology, "symmetric", options));
    EXPECT_EQ(schedule_text(solve(topology, "symmetric", options)), first);
    options.seed = 2;
    EXPECT_NE(schedule_text(solve(topology, "symmetric", options)), first);
}

TEST(Symmetric, RefusesWhatItIsNotFor)
{
    const gfab_solver *solver = gfab_solver_find("symmetric");
    ASSERT_NE(solver, nullptr);
    for (const char *spec : {"mesh:3x4", "path:5", "torus:4x4", "mesh:3x3x3"})
        EXPECT_EQ(gfab_solver_applies(solver, parse(spec).get(), &half, nullptr), GFAB_ERR_UNSUPPORTED) << spec;
    const Topology topology = parse("mesh:4x4");
    for (const gfab_model &model : {full, model_of(GFAB_LINK_HALF, 2), model_of(GFAB_LINK_HALF, 1, 2)})
        EXPECT_EQ(gfab_solver_applies(solver, topology.get(), &model, nullptr), GFAB_ERR_UNSUPPORTED);
    gfab_solver_options options = gfab_solver_options_default();
    options.rounds = 9;
    gfab_schedule *none = nullptr;
    EXPECT_EQ(solver->solve(topology.get(), &half, &options, &none, nullptr), GFAB_ERR_UNSUPPORTED);
}

// ---- Layouts ----

TEST(Rotated, SlotsAndTokensAreInverse)
{
    for (uint32_t n = 2; n <= 9; n++) {
        const Topology topology = parse(square(n));
        const Layout layout = layout_of(topology, in_frame(GFAB_FRAME_ROTATED));
        EXPECT_EQ(gfab_layout_frame(layout.get()), GFAB_FRAME_ROTATED);
        std::vector<uint32_t> quarter(4);
        for (uint32_t node = 0; node < n * n; node++) {
            quarter[gfab_layout_turns(layout.get(), node)]++;
            std::vector<bool> used(n * n);
            for (uint32_t token = 0; token < n * n; token++) {
                const uint32_t slot = gfab_layout_slot(layout.get(), node, token);
                ASSERT_LT(slot, n * n);
                ASSERT_FALSE(used[slot]);
                used[slot] = true;
                ASSERT_EQ(gfab_layout_token(layout.get(), node, slot), token);
                if (2 * node != n * n - 1) { // all but the centre
                    ASSERT_EQ(gfab_layout_slot(layout.get(), turned(n, node), turned(n, token)), slot);
                }
            }
            const uint32_t own = gfab_layout_slot(layout.get(), node, node);
            EXPECT_TRUE((own / n < n / 2 && own % n < (n + 1) / 2) || 2 * node == n * n - 1) << n << ": " << node;
        }
        const uint32_t each = n * n / 4;
        EXPECT_EQ(quarter, (std::vector<uint32_t>{each + n % 2, each, each, each}));
    }
}

TEST(Rotated, OnlyOnSquareMeshes)
{
    EXPECT_STREQ(gfab_frame_name(GFAB_FRAME_ROTATED), "rotated");
    for (const char *spec : {"mesh:3x4", "torus:4x4", "path:4", "mesh:3x3x3", "mesh:3x1x3"}) {
        const Topology topology = parse(spec);
        const Layout layout = layout_of(topology);
        gfab_diag diag{};
        EXPECT_EQ(layout_status(topology, in_frame(GFAB_FRAME_ROTATED), &diag), GFAB_ERR_UNSUPPORTED) << spec;
        EXPECT_EQ(gfab_layout_frame(layout.get()), GFAB_FRAME_ABSOLUTE);
        EXPECT_EQ(gfab_layout_turns(layout.get(), 1), 0u);
    }
}

// What docs/reference/rom-format.md says of the lanes of square meshes.
TEST(Rotated, LanesPermuteUnderQuarterTurns)
{
    for (uint32_t n = 2; n <= 9; n++) {
        const std::vector<uint32_t> turn = n == 2       ? std::vector<uint32_t>{1, 0}
                                           : n % 2 == 0 ? std::vector<uint32_t>{2, 3, 0, 1}
                                                        : std::vector<uint32_t>{2, 3, 1, 0};
        const Topology topology = parse(square(n));
        const Layout layout = layout_of(topology);
        for (uint32_t node = 0; node < n * n; node++) {
            size_t count;
            const gfab_port *ports = gfab_topology_ports(topology.get(), node, &count);
            for (size_t port = 0; port < count; port++) {
                gfab_arc arc;
                ASSERT_TRUE(gfab_topology_find_arc(topology.get(), turned(n, node), turned(n, ports[port].peer), &arc));
                size_t other_count, other = 0;
                const gfab_port *others = gfab_topology_ports(topology.get(), turned(n, node), &other_count);
                while (others[other].link != arc / 2)
                    other++;
                EXPECT_EQ(gfab_layout_lane(layout.get(), turned(n, node), other),
                          turn[gfab_layout_lane(layout.get(), node, port)])
                    << n << ": node " << node << " port " << port;
            }
        }
    }
}

// ---- Programs ----

using Sharing = Owner<gfab_sharing, gfab_sharing_destroy>;

Sharing share(const Image &image)
{
    gfab_sharing *sharing = nullptr;
    EXPECT_EQ(gfab_sharing_create(image.get(), &sharing), GFAB_OK);
    return Sharing(sharing);
}

// What image.h promises, but that no two different ones are the same; "" or what is not so.
std::string fault(const gfab_sharing &shared, const Image &image)
{
    const gfab_layout *layout = gfab_image_layout(image.get());
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(layout)), count = gfab_layout_lane_count(layout);
    const size_t stride = gfab_image_lane_stride(image.get());
    using Lanes = std::vector<uint32_t>;
    std::set<std::pair<uint32_t, Lanes>> orders;
    const auto lanes_of = [&](size_t node) {
        return Lanes(shared.lanes + node * count, shared.lanes + (node + 1) * count);
    };
    for (size_t node = 0; node < nodes; node++) {
        const uint32_t program = shared.program[node], rom = shared.rom[node];
        if (program > node || shared.program[program] != program)
            return "not the first program";
        const bool is_new = orders.insert({program, lanes_of(node)}).second;
        if (is_new != (rom == node) || rom > node || shared.program[rom] != program || lanes_of(rom) != lanes_of(node))
            return "not the first ROM";
        std::set<uint8_t> used;
        for (size_t lane = 0; lane < count; lane++) {
            const uint8_t from = shared.lanes[node * count + lane];
            if (from >= count || !used.insert(from).second)
                return "not a permutation";
            for (size_t row = 0; row < gfab_image_word_count(image.get()); row += stride) {
                const uint32_t own = gfab_image_word(image.get(), node, row + lane);
                const uint32_t other = gfab_image_word(image.get(), program, row + from);
                if (own != other)
                    return "another program";
            }
        }
    }
    return std::set<uint32_t>(shared.program, shared.program + nodes).size() == shared.programs &&
                   orders.size() == shared.roms
               ? ""
               : "another number";
}

Image image_of(const Layout &layout, const Topology &topology, const char *solver)
{
    return assemble(lower(solve(topology, solver, gfab_solver_options_default()), layout));
}

TEST(Rotated, FourNodesShareAProgram)
{
    for (uint32_t n = 2; n <= 9; n++) {
        const Topology topology = parse(square(n));
        const Layout layout = layout_of(topology, in_frame(GFAB_FRAME_ROTATED));
        const Image image = image_of(layout, topology, "symmetric");
        const Sharing shared = share(image);
        EXPECT_EQ(fault(*shared, image), "");
        EXPECT_EQ(shared->programs, n * n / 4 + n % 2) << n;
        EXPECT_EQ(shared->roms, n % 2 ? n * n : n * n / 2)
            << n; // half a turn leaves the lanes of even sides as they are
        for (uint32_t node = 0; node < n * n; node++)
            if (2 * node != n * n - 1) {
                EXPECT_EQ(shared->program[node], shared->program[turned(n, node)]) << n << ": " << node;
            }
    }
}

TEST(Rotated, RaisesToTheScheduleItCameFrom)
{
    const Topology topology = parse("mesh:5x5");
    const Layout layout = layout_of(topology, in_frame(GFAB_FRAME_ROTATED));
    const Schedule schedule = solve(topology, "symmetric", gfab_solver_options_default());
    const Program program = lower(schedule, layout);
    gfab_schedule *raised = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_program_raise(program.get(), &raised, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(moves_of(Schedule(raised)), moves_of(schedule));
    const gfab_timing timing = timing_of(layout, 32, 2);
    EXPECT_EQ(gfab_image_check(assemble(program).get(), &timing, nullptr, nullptr, &diag), GFAB_OK) << diag.message;
}

TEST(SamePrograms, NoneWhereTheScheduleIsNotSymmetric)
{
    const Topology topology = parse("mesh:6x6");
    const Layout layout = layout_of(topology, in_frame(GFAB_FRAME_ROTATED));
    EXPECT_EQ(share(image_of(layout, topology, "greedy"))->programs, 36u);
}

TEST(SamePrograms, NoneInTheAbsoluteFrame)
{
    const Topology topology = parse("mesh:4x4");
    const Layout layout = layout_of(topology);
    Image image;
    gfab_image *empty = nullptr;
    ASSERT_EQ(gfab_image_create(layout.get(), 3, &empty, nullptr), GFAB_OK);
    image.reset(empty);
    const Sharing shared = share(image);
    EXPECT_EQ(fault(*shared, image), "");
    EXPECT_EQ(shared->programs, 16u);
    EXPECT_EQ(shared->roms, 16u);
}

TEST(SamePrograms, FewOnATorus)
{
    const struct {
        const char *spec;
        size_t programs;
    } rows[] = {{"torus:4x4", 4}, {"torus:8x6", 4}, {"torus:5x5", 8}, {"cycle:6", 2}};
    for (const auto &row : rows) {
        const Topology topology = parse(row.spec);
        const Layout layout = layout_of(topology, in_frame(GFAB_FRAME_RELATIVE));
        const Image image = image_of(layout, topology, "torus-tree");
        const Sharing shared = share(image);
        EXPECT_EQ(fault(*shared, image), "") << row.spec;
        EXPECT_EQ(shared->programs, row.programs) << row.spec;
        EXPECT_EQ(shared->roms, row.programs) << row.spec;
    }
}

TEST(SamePrograms, OneOtherWordIsAnotherProgram)
{
    const Topology topology = parse("mesh:4x4");
    const Layout layout = layout_of(topology, in_frame(GFAB_FRAME_ROTATED));
    const Image image = image_of(layout, topology, "symmetric");
    const Sharing good = share(image);
    ASSERT_EQ(good->programs, 4u);
    for (size_t node = 0; node < 16; node++)
        for (size_t index = 0; index < 10 * gfab_image_lane_stride(image.get()); index++) {
            const uint32_t word = gfab_image_word(image.get(), node, index);
            if (gfab_op_decode(word).kind == GFAB_OP_IDLE)
                continue;
            gfab_image_set_word(image.get(), node, index, word ^ 4);
            EXPECT_EQ(fault(*good, image), "another program");
            const Sharing shared = share(image);
            EXPECT_EQ(shared->programs, 5u) << node << ", " << index;
            EXPECT_EQ(fault(*shared, image), "");
            gfab_image_set_word(image.get(), node, index, word);
        }
}

} // namespace
