// SPDX-License-Identifier: MIT
// Collectives of blocks in wide nodes: where blocks are kept, the check of it, and the C model.
#include "fixture.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace
{

using Banks = Owner<gfab_banks, gfab_banks_destroy>;

gfab_goal goal_of(gfab_collective collective, size_t nodes, uint32_t blocks = 0, uint32_t root = 0)
{
    gfab_goal goal;
    EXPECT_EQ(gfab_goal_of(collective, nodes, &goal, nullptr), GFAB_OK);
    goal.blocks = blocks != 0 ? blocks : goal.blocks;
    goal.root = root;
    return goal;
}

// All blocks of the root to one neighbour after the other, in the order of a breadth-first search; a block a round.
Schedule pipelined_broadcast(const Topology &topology, const gfab_model &model, const gfab_goal &goal)
{
    Schedule schedule = schedule_on(topology, model);
    EXPECT_EQ(gfab_schedule_set_goal(schedule.get(), &goal, nullptr), GFAB_OK);
    std::vector<uint32_t> order = {goal.root};
    std::vector<int> depth(gfab_topology_node_count(topology.get()), -1), parent(depth);
    depth[goal.root] = 0;
    for (size_t i = 0; i < order.size(); i++) {
        size_t count = 0;
        const gfab_port *ports = gfab_topology_ports(topology.get(), order[i], &count);
        for (size_t p = 0; p < count; p++)
            if (depth[ports[p].peer] < 0) {
                depth[ports[p].peer] = depth[order[i]] + 1;
                parent[ports[p].peer] = static_cast<int>(order[i]);
                order.push_back(ports[p].peer);
            }
    }
    const uint32_t deepest = static_cast<uint32_t>(depth[order.back()]);
    for (uint32_t round = 1; round <= (deepest - 1) * model.hop_rounds + goal.blocks; round++)
        for (uint32_t block = 0; block < goal.blocks; block++)
            for (uint32_t node : order)
                if (node != goal.root && round == block + 1 + static_cast<uint32_t>(depth[node] - 1) * model.hop_rounds)
                    append(schedule, round, static_cast<uint32_t>(parent[node]), node, block);
    return schedule;
}

struct Row {
    const char *spec;
    gfab_collective collective;
    bool full;
    uint32_t token_bits, link_bits, latency, blocks, root;
    gfab_operator combines = GFAB_OPERATOR_NONE;
};

const Row rows[] = {{"torus:4x4", GFAB_ALL_TO_ALL, true, 32, 32, 0, 0, 0},
                    {"torus:4x4", GFAB_ALL_TO_ALL, false, 8, 4, 0, 0, 0},
                    {"mesh:2x3", GFAB_ALL_TO_ALL, true, 7, 7, 1, 0, 0},
                    {"cycle:5", GFAB_ALL_TO_ALL, false, 130, 65, 0, 0, 0},
                    {"random:n=8,m=14,seed=1", GFAB_ALL_TO_ALL, true, 12, 4, 3, 0, 0},
                    {"mesh:3x3", GFAB_BROADCAST, false, 8, 8, 0, 20, 4},
                    {"path:4", GFAB_BROADCAST, true, 9, 3, 2, 1, 3},
                    {"torus:3x3", GFAB_BROADCAST, true, 8, 8, 0, 5, 7},
                    {"torus:4x4", GFAB_ALL_REDUCE, false, 32, 32, 0, 0, 0, GFAB_OPERATOR_SUM},
                    {"mesh:3x3", GFAB_ALL_REDUCE, true, 21, 7, 1, 0, 0, GFAB_OPERATOR_SUM},
                    {"cycle:5", GFAB_REDUCE_SCATTER, true, 130, 65, 0, 0, 0, GFAB_OPERATOR_SUM},
                    {"random:n=8,m=14,seed=1", GFAB_ALL_REDUCE, false, 9, 3, 0, 0, 0, GFAB_OPERATOR_AND},
                    {"torus:3x3", GFAB_REDUCE_SCATTER, false, 8, 8, 0, 0, 0, GFAB_OPERATOR_XOR},
                    {"path:3", GFAB_ALL_REDUCE, true, 8, 4, 2, 0, 0, GFAB_OPERATOR_OR}};

struct Fabric {
    Topology topology;
    gfab_goal goal;
    gfab_plan plan{};
    Schedule schedule;
    Machine machine;
    uint32_t nodes;

    explicit Fabric(const Row &row) : topology(parse(row.spec))
    {
        gfab_diag diag{};
        nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        goal = goal_of(row.collective, nodes, row.blocks, row.root);
        gfab_machine_options options = gfab_machine_options_default();
        options.token_bits = row.token_bits;
        options.link_bits = row.link_bits;
        options.latency_cycles = row.latency;
        options.store = GFAB_STORE_WIDE;
        options.combines = row.combines;
        options.blocks = goal.blocks;
        gfab_model model = gfab_model_default();
        model.link_mode = row.full ? GFAB_LINK_FULL : GFAB_LINK_HALF;
        model.hop_rounds = 0;
        EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
        if (row.collective == GFAB_BROADCAST) {
            schedule = pipelined_broadcast(topology, plan.model, goal);
        } else {
            gfab_solver_options solving = gfab_solver_options_default();
            solving.goal = &goal;
            gfab_schedule *made = nullptr;
            EXPECT_EQ(gfab_solver_find("auto")->solve(topology.get(), &plan.model, &solving, &made, &diag), GFAB_OK)
                << diag.message;
            schedule.reset(made);
        }
        gfab_machine *made = nullptr;
        EXPECT_EQ(gfab_machine_compile(&plan, schedule.get(), &made, &diag), GFAB_OK) << row.spec << diag.message;
        machine.reset(made);
    }
    const gfab_banks *banks() const { return gfab_machine_banks(machine.get()); }

    // What a block is in the end, where it is wanted.
    std::vector<uint8_t> result(const Row &row, uint64_t seed, uint32_t block) const
    {
        std::vector<uint8_t> total, token((row.token_bits + 7) / 8);
        for (uint32_t node = 0; node < nodes; node++) {
            if (!gfab_goal_holds(&goal, nodes, node, block))
                continue;
            gfab_token_pattern(seed, node * goal.blocks + block, row.token_bits, token.data());
            if (total.empty())
                total = token;
            else
                gfab_token_combine(row.combines, row.token_bits, total.data(), token.data());
        }
        return total;
    }

    // Programs that can be changed, read back from their files.
    Banks copy() const
    {
        gfab_banks *made = nullptr;
        const gfab_banks_use use = gfab_banks_use_of(&goal, gfab_banks_address_bits(banks()));
        EXPECT_EQ(gfab_banks_create(gfab_banks_layout(banks()), gfab_banks_crossbar(banks()),
                                    gfab_banks_round_bits(banks()), &use, &made, nullptr),
                  GFAB_OK);
        gfab_banks_set_halt(made, 0, gfab_banks_halt(banks(), 0));
        for (size_t node = 0; node < nodes; node++) {
            transfer(gfab_banks_write_program, gfab_banks_read_program, made, node);
            transfer(gfab_banks_write_places, gfab_banks_read_places, made, node);
            transfer(gfab_banks_write_loads, gfab_banks_read_loads, made, node);
        }
        return Banks(made);
    }
    std::string check(const Banks &banks) const
    {
        gfab_diag diag{};
        const gfab_status status = gfab_banks_check(banks.get(), gfab_machine_timing(machine.get()), nullptr, &diag);
        EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_FAULT);
        return status == GFAB_OK ? "" : diag.message;
    }

  private:
    void transfer(gfab_status (*write)(const gfab_banks *, size_t, FILE *, gfab_diag *),
                  gfab_status (*read)(gfab_banks *, size_t, FILE *, gfab_diag *), gfab_banks *to, size_t node) const
    {
        gfab_diag diag{};
        const File file(std::tmpfile());
        EXPECT_EQ(write(banks(), node, file.get(), nullptr), GFAB_OK);
        std::rewind(file.get());
        EXPECT_EQ(read(to, node, file.get(), &diag), GFAB_OK) << diag.line << diag.message;
    }
};

} // namespace

TEST(Blocks, HeldAndWantedAreThoseOfTheGoal)
{
    for (gfab_collective collective : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST,
                                       GFAB_REDUCE, GFAB_BARRIER, GFAB_ALL_TO_ALL}) {
        const uint32_t nodes = 6;
        gfab_goal goal = goal_of(collective, nodes);
        if (collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER)
            goal.blocks = 3 * nodes;
        if (gfab_collective_has_root(collective)) {
            goal.blocks = 5;
            goal.root = 2;
        }
        for (uint32_t node = 0; node < nodes; node++) {
            std::vector<uint32_t> holds, wants, held, wanted;
            for (uint32_t block = 0; block < goal.blocks; block++) {
                if (gfab_goal_holds(&goal, nodes, node, block))
                    holds.push_back(block);
                if (gfab_goal_wants(&goal, nodes, node, block))
                    wants.push_back(block);
            }
            for (uint32_t i = 0; i < gfab_goal_held_count(&goal, nodes, node); i++)
                held.push_back(gfab_goal_held(&goal, nodes, node, i));
            for (uint32_t i = 0; i < gfab_goal_wanted_count(&goal, nodes, node); i++)
                wanted.push_back(gfab_goal_wanted(&goal, nodes, node, i));
            EXPECT_EQ(held, holds) << gfab_collective_name(collective) << " node " << node;
            EXPECT_EQ(wanted, wants) << gfab_collective_name(collective) << " node " << node;
        }
    }
}

// One cell for each block that a node has at any time, and as many banks as lanes: an all-to-all's block arrives once
// and leaves once, so that banks are the colours of the edges of a bipartite graph.
TEST(Blocks, EveryBlockHasACellOfItsOwn)
{
    for (const Row &row : rows) {
        const Fabric fabric(row);
        const gfab_banks *banks = fabric.banks();
        EXPECT_EQ(gfab_machine_check(fabric.machine.get(), nullptr), GFAB_OK);
        if (row.combines == GFAB_OPERATOR_NONE) {
            EXPECT_LE(gfab_banks_crossbar(banks)->banks, gfab_topology_max_degree(fabric.topology.get())) << row.spec;
        }
        for (uint32_t node = 0; node < fabric.nodes; node++) {
            std::set<std::pair<uint32_t, uint32_t>> cells;
            size_t count = gfab_goal_held_count(&fabric.goal, fabric.nodes, node);
            for (uint32_t i = 0; i < count; i++)
                cells.emplace(gfab_banks_load_bank(banks, node, i), gfab_banks_load_address(banks, node, i));
            for (uint32_t round = 1; round < gfab_banks_halt(banks, 0); round++)
                for (uint32_t bank = 0; bank < gfab_banks_crossbar(banks)->banks; bank++)
                    if (row.combines != GFAB_OPERATOR_NONE
                            ? gfab_banks_lanes(banks, node, round, bank) != 0
                            : gfab_banks_store(banks, node, round, bank) != GFAB_NO_LANE) {
                        cells.emplace(bank, round);
                        count++;
                    }
            EXPECT_EQ(cells.size(), count) << row.spec << " node " << node;
        }
    }
}

// The least of what its bound says: 8 rounds, and 2 cycles to begin and end.
TEST(Blocks, AllToAllOnTheTorusTakesTenCycles)
{
    const Fabric fabric(rows[0]);
    EXPECT_EQ(gfab_machine_cycles(fabric.machine.get()), 10U);
    EXPECT_EQ(gfab_banks_crossbar(fabric.banks())->banks, 4U);
    EXPECT_EQ(gfab_banks_address_bits(fabric.banks()), 4U);
}

TEST(Blocks, ModelPlaysThem)
{
    for (const Row &row : rows) {
        const Fabric fabric(row);
        gfab_cmodel *created = nullptr;
        ASSERT_EQ(gfab_cmodel_create(fabric.machine.get(), nullptr, &created), GFAB_OK);
        const Cmodel cmodel(created);
        std::vector<uint8_t> token((row.token_bits + 7) / 8), expected(token);
        EXPECT_EQ(gfab_cmodel_load_token(created, 0, token.data()), GFAB_ERR_INVALID);
        for (uint64_t seed = 1; seed <= 2; seed++) {
            for (uint32_t node = 0; node < fabric.nodes; node++)
                for (uint32_t block = 0; block < fabric.goal.blocks; block++) {
                    const bool holds = gfab_goal_holds(&fabric.goal, fabric.nodes, node, block);
                    gfab_token_pattern(seed, node * fabric.goal.blocks + block, row.token_bits, token.data());
                    ASSERT_EQ(gfab_cmodel_load_block(created, node, block, token.data()),
                              holds ? GFAB_OK : GFAB_ERR_INVALID);
                }
            for (int again = 0; again < 2; again++) { // what was loaded is still there
                uint64_t cycles = 0;
                ASSERT_EQ(gfab_cmodel_run(created, 10000, nullptr, &cycles), GFAB_OK);
                EXPECT_EQ(cycles, gfab_machine_cycles(fabric.machine.get())) << row.spec;
                for (uint32_t node = 0; node < fabric.nodes; node++)
                    for (uint32_t i = 0; i < gfab_goal_wanted_count(&fabric.goal, fabric.nodes, node); i++) {
                        const uint32_t block = gfab_goal_wanted(&fabric.goal, fabric.nodes, node, i);
                        expected = fabric.result(row, seed, block);
                        gfab_cmodel_read_token(created, node, block, token.data());
                        ASSERT_EQ(token, expected) << row.spec << " node " << node << " block " << block;
                    }
            }
        }
    }
}

// Every single change of where blocks are loaded, read, sent from or stored is refused.
TEST(Blocks, CheckRefusesMutants)
{
    for (const Row &row : {rows[0], rows[3], rows[5]}) {
        const Fabric fabric(row);
        const Banks copy = fabric.copy();
        gfab_banks *b = copy.get();
        ASSERT_EQ(fabric.check(copy), "") << row.spec;
        const uint32_t banks = gfab_banks_crossbar(b)->banks, lanes = gfab_banks_crossbar(b)->lanes;
        const uint32_t addresses = 1U << gfab_banks_address_bits(b), node = 4;
        for (uint32_t i = 0; i < gfab_goal_held_count(&fabric.goal, fabric.nodes, node); i++) {
            const uint32_t bank = gfab_banks_load_bank(b, node, i), address = gfab_banks_load_address(b, node, i);
            gfab_banks_set_load(b, node, i, bank, (address + 1) % addresses);
            EXPECT_NE(fabric.check(copy), "") << row.spec << " block " << i;
            gfab_banks_set_load(b, node, i, (bank + 1) % banks, address);
            EXPECT_EQ(fabric.check(copy) == "", banks == 1) << row.spec << " block " << i;
            gfab_banks_set_load(b, node, i, bank, address);
        }
        for (uint32_t i = 0; i < gfab_goal_wanted_count(&fabric.goal, fabric.nodes, node); i++) {
            const uint32_t bank = gfab_banks_bank(b, node, i), address = gfab_banks_address(b, node, i);
            gfab_banks_set_place(b, node, i, bank, (address + 1) % addresses);
            EXPECT_NE(fabric.check(copy).find("is not in bank"), std::string::npos) << row.spec << " block " << i;
            gfab_banks_set_place(b, node, i, bank, address);
        }
        for (uint32_t round = 1; round <= gfab_banks_halt(b, 0); round++) {
            for (uint32_t bank = 0; bank < banks; bank++) {
                const uint32_t address = gfab_banks_read(b, node, round, bank);
                gfab_banks_set_read(b, node, round, bank, (address + 1) % addresses);
                EXPECT_NE(fabric.check(copy), "") << row.spec << " round " << round << " bank " << bank;
                gfab_banks_set_read(b, node, round, bank, address);
                const uint32_t lane = gfab_banks_store(b, node, round, bank);
                gfab_banks_set_store(b, node, round, bank, lane == GFAB_NO_LANE ? 0 : GFAB_NO_LANE);
                EXPECT_NE(fabric.check(copy), "") << row.spec << " round " << round << " bank " << bank;
                gfab_banks_set_store(b, node, round, bank, lane);
            }
            for (uint32_t lane = 0; lane < lanes; lane++) {
                const uint32_t bank = gfab_banks_send(b, node, round, lane);
                gfab_banks_set_send(b, node, round, lane, bank == GFAB_NO_BANK ? 0 : GFAB_NO_BANK);
                EXPECT_NE(fabric.check(copy), "") << row.spec << " round " << round << " lane " << lane;
                gfab_banks_set_send(b, node, round, lane, bank);
            }
        }
        EXPECT_EQ(fabric.check(copy), "") << row.spec;
    }
}

// The same for what is combined: every lane more or less, every other old word.
TEST(Blocks, CheckRefusesMutantsOfCombining)
{
    for (const Row &row : {rows[8], rows[10]}) {
        const Fabric fabric(row);
        const Banks copy = fabric.copy();
        gfab_banks *b = copy.get();
        ASSERT_EQ(fabric.check(copy), "") << row.spec;
        const uint32_t banks = gfab_banks_crossbar(b)->banks, lanes = gfab_banks_crossbar(b)->lanes;
        const uint32_t addresses = 1U << gfab_banks_address_bits(b), node = 4;
        for (uint32_t round = 1; round <= gfab_banks_halt(b, 0); round++)
            for (uint32_t bank = 0; bank < banks; bank++) {
                const uint32_t taken = gfab_banks_lanes(b, node, round, bank);
                for (uint32_t lane = 0; lane < lanes; lane++) {
                    gfab_banks_set_lanes(b, node, round, bank, taken ^ 1U << lane);
                    EXPECT_NE(fabric.check(copy), "") << row.spec << " round " << round << " lane " << lane;
                }
                gfab_banks_set_lanes(b, node, round, bank, taken);
                const uint32_t old = gfab_banks_old(b, node, round, bank);
                gfab_banks_set_old(b, node, round, bank, old == GFAB_NO_ADDRESS ? 0 : (old + 1) % addresses);
                EXPECT_NE(fabric.check(copy), "") << row.spec << " round " << round << " bank " << bank;
                if (old != GFAB_NO_ADDRESS) {
                    gfab_banks_set_old(b, node, round, bank, GFAB_NO_ADDRESS);
                    EXPECT_NE(fabric.check(copy), "") << row.spec << " round " << round << " bank " << bank;
                }
                gfab_banks_set_old(b, node, round, bank, old);
            }
        EXPECT_EQ(fabric.check(copy), "") << row.spec;
    }
}

// A contribution that would count twice, by name: what a node combines first it combines again.
TEST(Blocks, NoContributionCountsTwice)
{
    const Topology topology = parse("path:2");
    gfab_goal goal = goal_of(GFAB_REDUCE, 2, 1, 0);
    gfab_machine_options options = gfab_machine_options_default();
    options.token_bits = options.link_bits = 8;
    options.store = GFAB_STORE_WIDE;
    gfab_model model = gfab_model_default();
    model.hop_rounds = 0;
    gfab_plan plan{};
    gfab_diag diag{};
    ASSERT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK);
    for (gfab_operator combines : {GFAB_OPERATOR_SUM, GFAB_OPERATOR_OR}) {
        const Schedule schedule = schedule_on(topology, plan.model);
        goal.idempotent = combines == GFAB_OPERATOR_OR;
        ASSERT_EQ(gfab_schedule_set_goal(schedule.get(), &goal, nullptr), GFAB_OK);
        append(schedule, 1, 1, 0, 0 | GFAB_COMBINE);
        append(schedule, 2, 1, 0, 0 | GFAB_COMBINE);
        plan.options.combines = combines;
        gfab_machine *made = nullptr;
        const gfab_status status = gfab_machine_compile(&plan, schedule.get(), &made, &diag);
        const Machine machine(made);
        EXPECT_EQ(status, combines == GFAB_OPERATOR_SUM ? GFAB_ERR_FAULT : GFAB_OK);
        if (combines == GFAB_OPERATOR_SUM) {
            EXPECT_NE(std::string(diag.message).find("contribution of node 1 to block 0 counts twice"),
                      std::string::npos)
                << diag.message;
        }
    }
}

// The two ways of losing a block, by name: two loaded to one cell, one loaded where another arrives.
TEST(Blocks, NothingIsOverwritten)
{
    const Fabric fabric(rows[0]);
    const Banks copy = fabric.copy();
    gfab_banks *b = copy.get();
    const uint32_t bank = gfab_banks_load_bank(b, 0, 1), address = gfab_banks_load_address(b, 0, 1);
    gfab_banks_set_load(b, 0, 2, bank, address);
    EXPECT_NE(fabric.check(copy).find("both loaded"), std::string::npos) << fabric.check(copy);
    uint32_t round = 1;
    while (gfab_banks_store(b, 0, round, bank) == GFAB_NO_LANE)
        round++;
    const Banks other = fabric.copy();
    gfab_banks_set_load(other.get(), 0, 0, bank, round); // its own block for itself, which never leaves
    EXPECT_NE(fabric.check(other).find("stores over block 0, which was loaded"), std::string::npos)
        << fabric.check(other);
}

// Protected, the fabric is there twice: cycles, ROMs and places as without, no check bits. Where a node has nothing to
// read, or less than another, the table says all the same where something is.
TEST(Blocks, TwinsHaveNoChecksAndReadWhatIsThere)
{
    for (const Row &row :
         {rows[2], rows[5], rows[11], rows[12], Row{"mesh:2x3", GFAB_REDUCE, true, 8, 8, 0, 2, 3, GFAB_OPERATOR_XOR}}) {
        const Fabric fabric(row);
        gfab_plan plan = fabric.plan;
        plan.options.protect = GFAB_PROTECT_DETECT;
        gfab_machine *made = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_machine_compile(&plan, fabric.schedule.get(), &made, &diag), GFAB_OK) << diag.message;
        const Machine twins(made);
        EXPECT_FALSE(gfab_layout_has_twins(gfab_machine_layout(fabric.machine.get())));
        EXPECT_TRUE(gfab_layout_has_twins(gfab_machine_layout(made)));
        EXPECT_FALSE(gfab_layout_has_checks(gfab_machine_layout(made)));
        EXPECT_EQ(gfab_machine_cycles(made), gfab_machine_cycles(fabric.machine.get()));
        EXPECT_EQ(gfab_machine_rom_bits(made), gfab_machine_rom_bits(fabric.machine.get()));
        const gfab_banks *banks = gfab_machine_banks(made);
        bool idle =
            false; // of a node that wants nothing no word is compared (gfab_twin_guard): it has no place to read
        for (uint32_t node = 0; node < fabric.nodes; node++) {
            const uint32_t wanted = gfab_goal_wanted_count(&fabric.goal, fabric.nodes, node);
            idle |= wanted == 0;
            for (uint32_t i = 0; wanted > 0 && i < gfab_banks_place_count(banks); i++) {
                const bool there = i < wanted;
                EXPECT_EQ(gfab_banks_bank(banks, node, i),
                          there ? gfab_banks_bank(fabric.banks(), node, i) : gfab_banks_bank(banks, node, 0))
                    << row.spec << " node " << node << " place " << i;
                EXPECT_EQ(gfab_banks_address(banks, node, i),
                          there ? gfab_banks_address(fabric.banks(), node, i) : gfab_banks_address(banks, node, 0))
                    << row.spec << " node " << node << " place " << i;
            }
        }
        EXPECT_EQ(idle, row.collective == GFAB_REDUCE) << row.spec;
    }
}

TEST(Blocks, WhatIsNotSupportedIsRefused)
{
    const Fabric fabric(rows[0]);
    gfab_diag diag{};
    EXPECT_EQ(gfab_banks_create(gfab_banks_layout(fabric.banks()), gfab_banks_crossbar(fabric.banks()), 4, nullptr,
                                nullptr, &diag),
              GFAB_ERR_INVALID);
    const gfab_banks_use narrow = gfab_banks_use_of(&fabric.goal, 3);
    EXPECT_EQ(gfab_banks_create(gfab_banks_layout(fabric.banks()), gfab_banks_crossbar(fabric.banks()), 4, &narrow,
                                nullptr, &diag),
              GFAB_ERR_INVALID);
}
