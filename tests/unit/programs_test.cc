// SPDX-License-Identifier: MIT
// Several programs in one fabric: where they lie in the ROMs, what is refused, and that the C model plays each.
#include "collective_fixture.h"

#include <gossipfab/cmodel/cmodel.h>
#include <gossipfab/fabric/compile.h>
#include <gossipfab/fabric/program.h>

#include <cstring>
#include <random>

namespace
{

// Schedules for one fabric, and what is made of them.
struct Several {
    Topology topology;
    std::vector<Schedule> schedules;
    gfab_machine_options options = gfab_machine_options_default();
    gfab_diag diag{};

    explicit Several(const std::string &spec, gfab_store store = GFAB_STORE_NARROW) : topology(parse(spec))
    {
        options.store = store;
        if (store == GFAB_STORE_WIDE)
            options.link_bits = 16;
    }
    Several &with(gfab_collective collective, uint32_t blocks = 0)
    {
        gfab_goal goal = goal_on(topology, collective, blocks);
        goal.idempotent = false;
        if (collective == GFAB_ALL_GATHER)
            return with_gossip();
        schedules.push_back(make("auto", topology, links(GFAB_LINK_HALF), goal).schedule);
        return *this;
    }
    Several &with_gossip()
    {
        const gfab_solver_options how = gfab_solver_options_default();
        const gfab_model model = gfab_model_default();
        gfab_schedule *made = nullptr;
        EXPECT_EQ(gfab_solver_find("auto")->solve(topology.get(), &model, &how, &made, nullptr), GFAB_OK);
        schedules.emplace_back(made);
        return *this;
    }
    Machine machine(gfab_status expected = GFAB_OK)
    {
        gfab_plan plan;
        gfab_machine *made = nullptr;
        std::vector<const gfab_schedule *> all;
        for (const Schedule &schedule : schedules)
            all.push_back(schedule.get());
        const gfab_model model = gfab_model_default();
        EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
        EXPECT_EQ(gfab_machine_compile_all(&plan, all.data(), all.size(), &made, &diag), expected) << diag.message;
        return Machine(made);
    }
};

std::vector<uint32_t> first_rounds(const gfab_machine *machine)
{
    std::vector<uint32_t> rounds;
    for (size_t i = 0; i < gfab_machine_program_count(machine); i++)
        rounds.push_back(gfab_machine_program_at(machine, i)->first_round);
    return rounds;
}

// Loads random blocks, in wide nodes those that the program starts with, plays it, and compares what it promises with
// sums.
void play(gfab_cmodel *cmodel, const gfab_machine *machine, size_t program, std::mt19937_64 *random)
{
    const gfab_goal goal = gfab_machine_program_at(machine, program)->goal;
    const auto nodes = static_cast<uint32_t>(gfab_topology_node_count(gfab_machine_topology(machine)));
    std::vector<uint32_t> totals(goal.blocks, 0);
    gfab_cmodel_set_program(cmodel, program);
    for (uint32_t node = 0; node < nodes; node++)
        for (uint32_t block = 0; block < gfab_layout_blocks(gfab_machine_layout(machine)); block++) {
            const auto value = static_cast<uint32_t>((*random)());
            uint8_t token[4];
            std::memcpy(token, &value, sizeof token);
            const bool holds = block < goal.blocks && gfab_goal_holds(&goal, nodes, node, block);
            ASSERT_EQ(gfab_cmodel_load_block(cmodel, node, block, token),
                      holds || !gfab_machine_banks(machine) ? GFAB_OK : GFAB_ERR_INVALID);
            if (holds)
                totals[block] += value;
        }
    uint64_t cycles = 0;
    ASSERT_EQ(gfab_cmodel_run(cmodel, 100000, nullptr, &cycles), GFAB_OK);
    EXPECT_EQ(cycles, gfab_machine_program_at(machine, program)->cycles) << program;
    for (uint32_t node = 0; node < nodes; node++)
        for (uint32_t block = 0; block < goal.blocks; block++) {
            uint32_t value = 0;
            if (gfab_goal_wants(&goal, nodes, node, block)) {
                gfab_cmodel_read_token(cmodel, node, block, reinterpret_cast<uint8_t *>(&value));
                EXPECT_EQ(value, totals[block]) << program << " node " << node << " block " << block;
            }
        }
}

} // namespace

TEST(Programs, OneThatAnotherEndsWithIsNotThereTwice)
{
    Several mesh("mesh:3x3");
    const Machine machine = mesh.with_gossip().with(GFAB_ALL_REDUCE).with(GFAB_BARRIER).with_gossip().machine();
    ASSERT_TRUE(machine);
    EXPECT_EQ(first_rounds(machine.get()), (std::vector<uint32_t>{6, 0, 13, 6}));
    EXPECT_EQ(gfab_machine_program_at(machine.get(), 1)->rounds, 12u);
    EXPECT_EQ(gfab_machine_round_bits(machine.get()), 5u);
    EXPECT_EQ(gfab_layout_slot_count(gfab_machine_layout(machine.get())), 9u);
    EXPECT_EQ(gfab_machine_check(machine.get(), nullptr), GFAB_OK);
    // One that differs in one move is.
    Several other("mesh:3x3");
    other.schedules.push_back(
        make("trees", other.topology, links(GFAB_LINK_HALF), goal_on(other.topology, GFAB_ALL_REDUCE)).schedule);
    const Machine apart = other.with_gossip().machine();
    ASSERT_TRUE(apart);
    EXPECT_EQ(first_rounds(apart.get())[1], gfab_machine_program_at(apart.get(), 0)->rounds + 1);
}

// Wide nodes: each has rounds, loads and places of its own, and the check says which program is at fault.
TEST(Programs, WideOnesAreCheckedOneByOne)
{
    Several several("mesh:2x3", GFAB_STORE_WIDE);
    several.with_gossip().with(GFAB_ALL_REDUCE).with(GFAB_BROADCAST, 2);
    const Machine machine = several.machine();
    ASSERT_TRUE(machine);
    const gfab_banks *banks = gfab_machine_banks(machine.get());
    ASSERT_EQ(gfab_banks_program_count(banks), 3u);
    uint32_t next = 0;
    for (size_t i = 0; i < 3; i++) {
        EXPECT_EQ(gfab_banks_first_round(banks, i), next);
        next += gfab_machine_program_at(machine.get(), i)->rounds + 1;
        EXPECT_EQ(gfab_banks_halt(banks, i), next);
    }
    EXPECT_EQ(gfab_banks_load_count(banks), 3u * 8);
    EXPECT_EQ(gfab_banks_first_load(banks, 2), 16u);
    EXPECT_EQ(gfab_banks_first_place(banks, 1), 8u);
    auto *mutant = const_cast<gfab_banks *>(banks); // the machine's own
    const auto fault = [&] {
        return gfab_machine_check(machine.get(), &several.diag) == GFAB_OK ? std::string() : several.diag.message;
    };
    ASSERT_EQ(fault(), "");
    for (size_t program = 0; program < 3; program++) {
        const std::string name = "program " + std::to_string(program);
        const uint32_t place = gfab_banks_first_place(banks, program), halt = gfab_banks_halt(banks, program);
        const uint32_t bank = gfab_banks_bank(banks, 4, place), address = gfab_banks_address(banks, 4, place);
        gfab_banks_set_place(mutant, 4, place, bank, address ^ 1);
        EXPECT_EQ(fault().rfind(name + ": node 4: block 0 is not in bank", 0), 0u) << fault();
        gfab_banks_set_place(mutant, 4, place, bank, address);
        gfab_banks_set_halt(mutant, program, halt + 1); // into the next one, or idle rounds
        EXPECT_EQ(fault() == "", program == 2) << name;
        gfab_banks_set_halt(mutant, program, halt - 1); // its last round comes behind it
        EXPECT_EQ(fault().rfind(name + ": node ", 0), 0u) << fault();
        gfab_banks_set_halt(mutant, program, 0);
        EXPECT_NE(fault().find("has no halt of its own"), std::string::npos) << fault();
        gfab_banks_set_halt(mutant, program, halt);
    }
    EXPECT_EQ(fault(), "");
}

TEST(Programs, TheModelPlaysEachInAnyOrder)
{
    std::mt19937_64 random(1);
    for (const auto &[spec, store] : {std::pair{"mesh:3x3", GFAB_STORE_NARROW},
                                      {"torus:3x3", GFAB_STORE_NARROW},
                                      {"cycle:5", GFAB_STORE_NARROW},
                                      {"path:2", GFAB_STORE_NARROW},
                                      {"mesh:3x3", GFAB_STORE_WIDE},
                                      {"torus:3x3", GFAB_STORE_WIDE},
                                      {"path:2", GFAB_STORE_WIDE}}) {
        Several several(spec, store);
        several.with_gossip().with(GFAB_ALL_REDUCE).with(GFAB_BARRIER).with(GFAB_REDUCE, 3).with(GFAB_BROADCAST, 2);
        const Machine machine = several.machine();
        ASSERT_TRUE(machine) << spec;
        gfab_cmodel *made = nullptr;
        ASSERT_EQ(gfab_cmodel_create(machine.get(), nullptr, &made), GFAB_OK);
        const Cmodel cmodel(made);
        for (int i = 0; i < 25; i++)
            play(made, machine.get(), random() % several.schedules.size(), &random);
        for (int i = 0; i < 3; i++) // the same again
            play(made, machine.get(), 1, &random);
    }
}

// i_program counts in the cycle before the start and in no other; while a program runs a start does nothing.
TEST(Programs, CountACycleBeforeTheStart)
{
    Several several("mesh:2x2");
    const Machine machine = several.with_gossip().with(GFAB_ALL_REDUCE).machine();
    ASSERT_TRUE(machine);
    gfab_cmodel *m = nullptr;
    ASSERT_EQ(gfab_cmodel_create(machine.get(), nullptr, &m), GFAB_OK);
    const Cmodel cmodel(m);
    const auto step = [&](size_t program, bool start) {
        gfab_cmodel_set_program(m, program);
        gfab_cmodel_set_start(m, start);
        gfab_cmodel_step(m);
    };
    step(1, false);
    for (const size_t program : {size_t{1}, size_t{0}, size_t{1}, size_t{1}, size_t{0}, size_t{0}}) {
        const uint64_t cycles = gfab_machine_program_at(machine.get(), program)->cycles;
        static const size_t next[] = {0, 1, 1, 0, 0, 2}; // 2: there is none, so 0
        static size_t at = 0;
        step(1 - program, true);
        for (uint64_t cycle = 1; cycle < cycles; cycle++) {
            EXPECT_FALSE(gfab_cmodel_done(m)) << cycle;
            step(cycle + 1 == cycles ? next[at] : cycle % 2, cycle + 1 != cycles);
        }
        EXPECT_TRUE(gfab_cmodel_done(m));
        at++;
    }
}

TEST(Programs, ImagesThatAreNotLegalAreRefused)
{
    Several mesh("mesh:3x3");
    const Machine machine = mesh.with(GFAB_ALL_REDUCE).with(GFAB_BARRIER).machine();
    ASSERT_TRUE(machine);
    const gfab_timing *timing = gfab_machine_timing(machine.get());
    const gfab_layout *layout = gfab_machine_layout(machine.get());
    const gfab_image *right = gfab_machine_image(machine.get());
    gfab_program *all[2];
    for (size_t i = 0; i < 2; i++)
        ASSERT_EQ(gfab_program_lower(mesh.schedules[i].get(), layout, timing, 0, nullptr, &all[i], nullptr), GFAB_OK);
    const Program owned[2] = {Program(all[0]), Program(all[1])};
    EXPECT_EQ(gfab_program_check_all(all, 2, right, nullptr, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_program_check_all(all, 1, right, nullptr, nullptr), GFAB_ERR_FAULT);

    gfab_image *image = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_program_assemble_all(all, 2, 0, nullptr, &image, nullptr), GFAB_OK);
    const Image made(image);
    const uint32_t begin = gfab_image_first_round(image, 1);
    const auto refused = [&](std::vector<uint32_t> first, const char *words) {
        ASSERT_EQ(gfab_image_set_programs(image, first.data(), first.size(), nullptr), GFAB_OK);
        EXPECT_EQ(gfab_image_check(image, timing, nullptr, nullptr, &diag), GFAB_ERR_FAULT);
        EXPECT_NE(std::string(diag.message).find(words), std::string::npos) << diag.message;
        EXPECT_EQ(gfab_program_check_all(all, 2, image, nullptr, nullptr), GFAB_ERR_FAULT);
    };
    refused({0, begin + 1}, "of no program"); // begins a round late
    refused({1, begin}, "of no program");
    refused({0, begin - 1}, "but the gossip halts"); // in the other's halt
    refused({0}, "halts in round");                  // nobody plays the second
    refused({0, begin + gfab_machine_program_at(machine.get(), 1)->rounds + 1}, "no halt");
    const uint32_t both[] = {0, begin};
    ASSERT_EQ(gfab_image_set_programs(image, both, 2, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_image_check(image, timing, nullptr, nullptr, &diag), GFAB_OK) << diag.message;
    gfab_image_set_halt(image, begin, false);
    EXPECT_EQ(gfab_image_check(image, timing, nullptr, nullptr, &diag), GFAB_OK) << diag.message; // a longer program
    EXPECT_EQ(gfab_program_check_all(all, 2, image, nullptr, nullptr), GFAB_ERR_FAULT);
}

TEST(Programs, NumbersAndLimitsAreChecked)
{
    Several mesh("mesh:2x2");
    mesh.with_gossip();
    const Machine machine = mesh.machine();
    const gfab_image *image = gfab_machine_image(machine.get());
    gfab_diag diag{};
    gfab_image *other = nullptr;
    ASSERT_EQ(gfab_image_create(gfab_image_layout(image), 2, &other, nullptr), GFAB_OK);
    const Image owned(other);
    const uint32_t beyond[] = {4};
    EXPECT_EQ(gfab_image_set_programs(other, beyond, 1, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "program 0 begins in round 4 of 2^2");
    EXPECT_EQ(gfab_image_set_programs(other, beyond, 0, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "0 programs: 1 to 16");
    for (size_t i = 1; i <= GFAB_MAX_PROGRAMS; i++)
        mesh.with_gossip();
    mesh.machine(GFAB_ERR_INVALID);
    EXPECT_STREQ(mesh.diag.message, "17 schedules for one fabric: 1 to 16");
    mesh.schedules.pop_back();
    EXPECT_TRUE(mesh.machine()); // 16 of them, in the rounds of one
    EXPECT_EQ(gfab_machine_round_bits(mesh.machine().get()), 2u);
}

// The gossip of a graph, twice in the ROMs of one layout.
struct Twice {
    Several gossip;
    Layout layout;
    gfab_timing timing{};
    Program program;
    Image image; // null where something failed, which is told
    Twice(const char *spec, const gfab_layout_options &options, uint32_t token_bits) : gossip(spec)
    {
        gossip.with_gossip();
        gfab_layout *made = nullptr;
        EXPECT_EQ(gfab_layout_create(gossip.topology.get(), &options, &made, nullptr), GFAB_OK);
        layout.reset(made);
        const gfab_timing_options widths = {token_bits, 2, 0, 0, 0, 0};
        EXPECT_EQ(gfab_timing_compute(made, &widths, &timing, nullptr), GFAB_OK);
        gfab_program *lowered = nullptr;
        EXPECT_EQ(gfab_program_lower(gossip.schedules[0].get(), made, &timing, 0, nullptr, &lowered, nullptr), GFAB_OK);
        program.reset(lowered);
        const gfab_program *both[] = {lowered, lowered};
        gfab_image *assembled = nullptr;
        EXPECT_EQ(gfab_program_assemble_all(both, 2, 0, nullptr, &assembled, nullptr), GFAB_OK);
        image.reset(assembled);
    }
};

// A program's sum is that of its own rounds, so that with protection programs share none.
TEST(Programs, WithProtectionEachHasASumOfItsOwn)
{
    gfab_layout_options options = gfab_layout_options_default();
    options.protect = GFAB_PROTECT_DETECT;
    const Twice twice("mesh:3x3", options, 32);
    ASSERT_TRUE(twice.image);
    gfab_image *const image = twice.image.get();
    const gfab_program *const program = twice.program.get();
    EXPECT_EQ(gfab_image_first_round(image, 1), gfab_program_rounds(program) + 1);
    EXPECT_EQ(gfab_image_check(image, &twice.timing, nullptr, nullptr, nullptr), GFAB_OK);
    // A program that is the end of another must have its sum.
    for (uint32_t first = 1; first < 5; first++) {
        const uint32_t rounds[] = {0, gfab_program_rounds(program) + 1, first};
        bool odd = false;
        for (size_t node = 0; node < 9; node++) {
            uint32_t ones = 0;
            for (uint32_t at = 0; at < first * gfab_image_lane_stride(image); at++)
                ones ^= gfab_image_word(image, node, at);
            odd = odd || __builtin_parity(ones);
        }
        ASSERT_EQ(gfab_image_set_programs(image, rounds, 3, nullptr), GFAB_OK);
        EXPECT_EQ(gfab_image_check(image, &twice.timing, nullptr, nullptr, nullptr), odd ? GFAB_ERR_FAULT : GFAB_OK);
    }
}

// Paths are looked at in each program, from its first round on; programs with paths share no rounds.
TEST(Programs, PathsAreCheckedInEachOfThem)
{
    gfab_layout_options options = gfab_layout_options_default();
    options.paths = options.full_duplex = true;
    const Twice twice("cycle:5", options, 16);
    ASSERT_TRUE(twice.image);
    gfab_image *const image = twice.image.get();
    const gfab_program *const program = twice.program.get();
    gfab_diag diag{};
    EXPECT_EQ(gfab_image_first_round(image, 1), gfab_program_rounds(program) + 1);
    EXPECT_EQ(gfab_image_check(image, &twice.timing, nullptr, nullptr, &diag), GFAB_OK) << diag.message;
    const gfab_program *const programs[] = {program, program};
    EXPECT_EQ(gfab_program_check_all(programs, 2, image, nullptr, nullptr), GFAB_OK);
    for (size_t i = 0; i < 2; i++) {
        const uint32_t first = gfab_image_first_round(image, i) + 1, last = first + gfab_program_rounds(program) - 1;
        size_t lane = 0;
        while (gfab_image_op(image, 0, first, lane, 1).kind != GFAB_OP_RECV)
            lane++;
        const gfab_path right = gfab_image_path(image, 0, first, lane);
        gfab_path wrong = right;
        wrong.wait ^= 1;
        gfab_image_set_path(image, 0, first, lane, wrong);
        EXPECT_EQ(gfab_image_check(image, &twice.timing, nullptr, nullptr, &diag), GFAB_ERR_FAULT) << i;
        gfab_image_set_path(image, 0, first, lane, right);
        const uint32_t gap = gfab_image_gap(image, last);
        gfab_image_set_gap(image, last, 0);
        EXPECT_EQ(gfab_image_check(image, &twice.timing, nullptr, nullptr, &diag), GFAB_ERR_FAULT) << i;
        EXPECT_NE(std::string(diag.message).find("no gap before the halt"), std::string::npos) << diag.message;
        gfab_image_set_gap(image, last, gap);
    }
    EXPECT_EQ(gfab_image_check(image, &twice.timing, nullptr, nullptr, &diag), GFAB_OK) << diag.message;
}
