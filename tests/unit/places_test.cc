// SPDX-License-Identifier: MIT
// Slots that are reused: how many, what the check of images says of them, and the C model.
#include "fixture.h"

#include <algorithm>
#include <string>
#include <vector>

namespace
{

struct Fabric {
    Topology topology;
    gfab_goal goal{};
    gfab_plan plan{};
    Schedule schedule;
    Machine machine;
    uint32_t nodes;
    size_t members;

    explicit Fabric(const char *spec, bool full, uint32_t latency = 0) : topology(parse(spec))
    {
        gfab_diag diag{};
        nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        members = gfab_topology_member_count(topology.get());
        EXPECT_EQ(gfab_goal_of(GFAB_ALL_TO_ALL, members, &goal, nullptr), GFAB_OK);
        gfab_machine_options options = gfab_machine_options_default();
        options.token_bits = 16;
        options.link_bits = 2;
        options.latency_cycles = latency;
        options.store = GFAB_STORE_NARROW;
        options.blocks = goal.blocks;
        gfab_model model = gfab_model_default();
        model.link_mode = full ? GFAB_LINK_FULL : GFAB_LINK_HALF;
        EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
        gfab_solver_options solving = gfab_solver_options_default();
        solving.goal = &goal;
        gfab_schedule *made = nullptr;
        EXPECT_EQ(gfab_solver_find("auto")->solve(topology.get(), &plan.model, &solving, &made, &diag), GFAB_OK)
            << diag.message;
        schedule.reset(made);
        gfab_machine *compiled = nullptr;
        EXPECT_EQ(gfab_machine_compile(&plan, schedule.get(), &compiled, &diag), GFAB_OK) << spec << diag.message;
        machine.reset(compiled);
    }
    const gfab_layout *layout() const { return gfab_machine_layout(machine.get()); }
    const gfab_image *image() const { return gfab_machine_image(machine.get()); }
    uint32_t rank(uint32_t node) const { return gfab_topology_rank(topology.get(), node); }
    uint32_t half() const { return gfab_layout_halves(layout()) - 1; } // of an op, which receives

    std::string check(const gfab_image *of) const
    {
        gfab_diag diag{};
        const gfab_status status = gfab_image_check(of, gfab_machine_timing(machine.get()), nullptr, nullptr, &diag);
        EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_FAULT);
        return status == GFAB_OK ? "" : diag.message;
    }

    // Wanted blocks that a machine does not end with.
    size_t wrong(const gfab_machine *of, uint64_t seed) const
    {
        gfab_cmodel *made = nullptr;
        EXPECT_EQ(gfab_cmodel_create(of, nullptr, &made), GFAB_OK);
        const Cmodel cmodel(made);
        uint8_t token[2], right[2];
        size_t count = 0;
        uint64_t cycles = 0;
        for (uint32_t node = 0; node < nodes; node++)
            for (uint32_t block = 0; block < goal.blocks; block++) {
                gfab_token_pattern(seed, block, 16, token);
                EXPECT_EQ(gfab_cmodel_load_block(made, node, block, token),
                          gfab_goal_holds(&goal, members, rank(node), block) ? GFAB_OK : GFAB_ERR_INVALID);
            }
        EXPECT_EQ(gfab_cmodel_run(made, 100000, nullptr, &cycles), GFAB_OK);
        for (uint32_t node = 0; node < nodes; node++)
            for (uint32_t block = 0; block < goal.blocks; block++) {
                if (!gfab_goal_wants(&goal, members, rank(node), block))
                    continue;
                gfab_token_pattern(seed, block, 16, right);
                gfab_cmodel_read_token(made, node, block, token);
                count += token[0] != right[0] || token[1] != right[1];
            }
        return count;
    }

    // The most blocks that a node needs between two rounds, by the schedule: those that it has, and will send or wants.
    size_t most_needed() const
    {
        const uint32_t rounds = gfab_schedule_rounds(schedule.get());
        size_t most = 0;
        for (uint32_t node = 0; node < nodes; node++) {
            std::vector<uint32_t> came(goal.blocks, UINT32_MAX), last(goal.blocks, 0);
            for (uint32_t block = 0; block < goal.blocks; block++)
                if (gfab_goal_holds(&goal, members, rank(node), block))
                    came[block] = 0;
            for (uint32_t round = 1; round <= rounds; round++) {
                gfab_packet_iter packets = gfab_schedule_round(schedule.get(), round);
                for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
                    if (gfab_topology_arc_to(topology.get(), packet.arcs[0]) == node)
                        came[packet.tokens[0]] = round;
                    if (gfab_topology_arc_from(topology.get(), packet.arcs[0]) == node)
                        last[packet.tokens[0]] = round;
                }
            }
            for (uint32_t after = 0; after <= rounds; after++) {
                size_t needed = 0;
                for (uint32_t block = 0; block < goal.blocks; block++)
                    needed += came[block] <= after &&
                              (last[block] > after || gfab_goal_wants(&goal, members, rank(node), block) ||
                               (after == 0 && came[block] == 0));
                most = std::max(most, needed);
            }
        }
        return most;
    }
};

TEST(Places, AStoreHasTheFewestSlots)
{
    const struct {
        const char *spec;
        bool full;
        uint32_t latency;
        size_t slots;
    } rows[] = {{"torus:4x4", true, 0, 16},      {"torus:4x4", false, 0, 16},
                {"torus:3x3", true, 1, 9},       {"mesh:4x4", false, 0, 0},
                {"cycle:5", true, 0, 5},         {"path:2", true, 0, 0},
                {"star:4+relay=0", false, 0, 0}, {"random:n=8,m=14,seed=1", true, 3, 0}};
    for (const auto &row : rows) {
        SCOPED_TRACE(row.spec);
        const Fabric f(row.spec, row.full, row.latency);
        EXPECT_EQ(gfab_layout_slot_count(f.layout()), f.most_needed());
        EXPECT_LT(gfab_layout_slot_count(f.layout()), f.goal.blocks);
        if (row.slots != 0) {
            EXPECT_EQ(gfab_layout_slot_count(f.layout()), row.slots);
        }
        EXPECT_EQ(f.check(f.image()), "");
        for (uint64_t seed = 1; seed <= 2; seed++)
            EXPECT_EQ(f.wrong(f.machine.get(), seed), 0u);
    }
}

// Every received block in every other slot: the check refuses it, and blocks are not where they should be.
TEST(Places, AnotherSlotIsRefused)
{
    for (const bool full : {false, true}) {
        const Fabric f("mesh:2x3", full);
        const uint32_t slots = static_cast<uint32_t>(gfab_layout_slot_count(f.layout()));
        const uint32_t shift = full ? gfab_image_op_bits(f.image()) / 2 + 2 : 2;
        const uint64_t mask = ((uint64_t{1} << gfab_image_slot_bits(f.image())) - 1) << shift;
        const Image copy = copy_of(f.image(), f.layout());
        gfab_image *image = copy.get();
        size_t changed = 0;
        ASSERT_EQ(f.check(image), "");
        for (size_t node = 0; node < f.nodes; node++)
            for (size_t index = 0; index < gfab_image_word_count(image); index++) {
                const size_t stride = gfab_image_lane_stride(image), round = index / stride + 1, lane = index % stride;
                const uint64_t word = gfab_image_word(image, node, index);
                const gfab_op op = gfab_image_op(image, node, round, lane, f.half());
                for (uint64_t slot = 0; slot < slots && op.kind == GFAB_OP_RECV; slot++) {
                    if (slot == op.slot)
                        continue;
                    gfab_image_set_word(image, node, index, (word & ~mask) | slot << shift);
                    gfab_machine *made = nullptr;
                    ASSERT_EQ(gfab_machine_create(image, nullptr, gfab_machine_timing(f.machine.get()), &made),
                              GFAB_OK);
                    const Machine machine(made);
                    EXPECT_NE(f.check(image), "") << node << " " << round << " " << lane << " " << slot;
                    EXPECT_GT(f.wrong(made, 7), 0u) << node << " " << round << " " << lane << " " << slot;
                    changed++;
                }
                gfab_image_set_word(image, node, index, word);
            }
        EXPECT_GT(changed, 100u);
    }
}

TEST(Places, TheCheckNamesWhatIsWrong)
{
    const Fabric f("cycle:5", true);
    gfab_layout *made = nullptr;
    gfab_layout_options options = gfab_layout_options_default();
    options.full_duplex = true;
    options.blocks = 25;
    ASSERT_EQ(gfab_layout_create(f.topology.get(), &options, &made, nullptr), GFAB_OK);
    const Layout layout(made);
    EXPECT_EQ(gfab_layout_goal(made), nullptr);
    EXPECT_EQ(gfab_layout_allocate(made, &f.goal, 4), GFAB_ERR_INVALID); // 5 to load
    ASSERT_EQ(gfab_layout_allocate(made, &f.goal, 5), GFAB_OK);
    EXPECT_EQ(gfab_layout_load_count(made), 5u);
    gfab_diag diag{};
    for (size_t node = 0; node < 5; node++) {
        const File file(std::tmpfile());
        ASSERT_EQ(gfab_layout_write_places(f.layout(), 3, node, file.get(), nullptr), GFAB_OK);
        std::rewind(file.get());
        ASSERT_EQ(gfab_layout_read_places(made, 3, node, file.get(), &diag), GFAB_OK) << diag.message;
        for (uint32_t i = 0; i < 5; i++)
            EXPECT_EQ(gfab_layout_place(made, node, i), gfab_layout_place(f.layout(), node, i));
    }
    for (const auto &[text, words] :
         std::vector<std::pair<std::string, std::string>>{{"0\n1\n2\n3\n", "4 words"},
                                                          {"0\n1\n2\n3\n5\n", "slot 5 of only 5"},
                                                          {"0\n1\n2\n3\n4\n0\n", "more than 5"}}) {
        const File file(fmemopen(const_cast<char *>(text.data()), text.size(), "r"));
        EXPECT_EQ(gfab_layout_read_places(made, 3, 0, file.get(), &diag), GFAB_ERR_PARSE);
        EXPECT_NE(std::string(diag.message).find(words), std::string::npos) << diag.message;
    }

    const Image copy = copy_of(f.image(), made);
    const gfab_image *image = copy.get();
    for (uint32_t i = 0; i < 5; i++)
        gfab_layout_set_place(made, 0, i, gfab_layout_place(f.layout(), 0, i));
    EXPECT_EQ(f.check(image), "");
    const uint32_t right = gfab_layout_place(made, 2, 1), other = gfab_layout_place(made, 2, 3);
    gfab_layout_set_place(made, 2, 1, other);
    EXPECT_EQ(f.check(image),
              "node 2: block 7 should be in slot " + std::to_string(other) + " in the end, but block 17 is");
    gfab_layout_set_place(made, 2, 1, right);
    EXPECT_EQ(f.check(image), "");
}

// A place of a protected fabric has an odd number of ones.
TEST(Places, ProtectedPlacesHaveACheckBit)
{
    const Topology path = parse("path:2");
    gfab_goal goal{};
    ASSERT_EQ(gfab_goal_of(GFAB_ALL_TO_ALL, 2, &goal, nullptr), GFAB_OK);
    gfab_layout_options options = gfab_layout_options_default();
    options.blocks = 4;
    options.protect = GFAB_PROTECT_DETECT;
    gfab_layout *made = nullptr;
    ASSERT_EQ(gfab_layout_create(path.get(), &options, &made, nullptr), GFAB_OK);
    const Layout layout(made);
    ASSERT_EQ(gfab_layout_allocate(made, &goal, 3), GFAB_OK);
    gfab_layout_set_place(made, 0, 0, 0);
    gfab_layout_set_place(made, 0, 1, 2);
    char text[16] = "";
    const File file(fmemopen(text, sizeof text, "w+"));
    ASSERT_EQ(gfab_layout_write_places(made, 2, 0, file.get(), nullptr), GFAB_OK);
    EXPECT_STREQ(text, "4\n2\n");
    gfab_diag diag{};
    for (const auto &[words, status] : std::vector<std::pair<std::string, gfab_status>>{
             {"4\n2\n", GFAB_OK}, {"4\n6\n", GFAB_ERR_PARSE}, {"0\n2\n", GFAB_ERR_PARSE}}) {
        const File from(fmemopen(const_cast<char *>(words.data()), words.size(), "r"));
        EXPECT_EQ(gfab_layout_read_places(made, 2, 0, from.get(), &diag), status) << words;
    }
    EXPECT_STREQ(diag.message, "an even number of ones, in a place with a check bit");
}

// Programs that no schedule gives.
TEST(Places, ProgramsThatLackABlock)
{
    const Topology path = parse("path:2");
    gfab_goal goal{};
    ASSERT_EQ(gfab_goal_of(GFAB_ALL_TO_ALL, 2, &goal, nullptr), GFAB_OK);
    gfab_layout_options options = gfab_layout_options_default();
    options.blocks = 4;
    for (const bool never : {false, true}) {
        gfab_layout *blocks = nullptr, *places = nullptr;
        ASSERT_EQ(gfab_layout_create(path.get(), &options, &blocks, nullptr), GFAB_OK);
        const Layout from(blocks);
        ASSERT_EQ(gfab_layout_create(path.get(), &options, &places, nullptr), GFAB_OK);
        const Layout to(places);
        gfab_program *made = nullptr, *placed = nullptr;
        ASSERT_EQ(gfab_program_create(blocks, 1, &made), GFAB_OK);
        const Program program(made);
        if (!never)
            gfab_program_set_half(made, 0, 1, 0, 0, {GFAB_OP_SEND, 2}); // which starts at node 1
        gfab_diag diag{};
        const gfab_program *programs[] = {made, made};
        EXPECT_EQ(gfab_program_allocate(programs, 1, &goal, places, &placed, &diag), GFAB_ERR_FAULT);
        EXPECT_STREQ(diag.message,
                     never ? "node 0: block 2 never comes" : "node 0, round 1: block 2 is sent, but it is not there");
        EXPECT_EQ(gfab_program_allocate(programs, 2, &goal, places, &placed, &diag), GFAB_ERR_INVALID);
    }
}

} // namespace
