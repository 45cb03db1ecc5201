// SPDX-License-Identifier: MIT
// What `library` makes below switches: steps in which a rank sends to as many others as its links allow, counted by
// hand; and that no verified schedule has fewer startups or transfers than the bounds say.
#include "collective_fixture.h"
#include "extent.h"
#include "switch_fixture.h"

extern "C" {
#include "solvers/collective/library/library_plan.h"
}

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/rate.h>

#include <cmath>

namespace
{

gfab_model any_tokens(gfab_link_mode mode = GFAB_LINK_FULL)
{
    gfab_model model = links(mode);
    model.packet_tokens = 1 << 20;
    return model;
}

// NULL where the algorithm makes none.
Schedule made_by(const char *setting, const Topology &topology, const gfab_model &model, const gfab_goal &goal)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    options.parameters = setting;
    const gfab_status status = gfab_solver_find("library")->solve(topology.get(), &model, &options, &made, &diag);
    EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_UNSUPPORTED) << diag.message;
    return Schedule(made);
}

// Transfers are the blocks over the busiest link for its weight, round by round, in `parts` of a block.
TEST(SwitchSteps, ByHand)
{
    const struct {
        std::string graph;
        const char *setting;
        gfab_collective collective;
        uint32_t blocks;
        uint64_t startups, transfers, parts;
    } cases[] = {
        // 9 ranks send to 8 others, then 8 to 7 in blocks of 9: 8 / 18 + 63 / 18.
        {below_switches(72, 1, 18), "algorithm=recursive-exchange", GFAB_ALL_GATHER, 72, 2, 71, 18},
        {below_switches(72, 1, 18), "algorithm=recursive-exchange", GFAB_REDUCE_SCATTER, 72, 2, 71, 18},
        {below_switches(72, 1, 18), "algorithm=recursive-exchange", GFAB_ALL_REDUCE, 72, 4, 142, 18},
        // Whole vectors: 8 / 18 and 7 / 18.
        {below_switches(72, 1, 18), "algorithm=recursive-multiplying", GFAB_ALL_REDUCE, 1, 2, 15, 18},
        {below_switches(72, 18, 1), "algorithm=recursive-multiplying", GFAB_ALL_REDUCE, 1, 2, 2, 1},
        {below_switches(8, 1, 9), "algorithm=recursive-multiplying", GFAB_ALL_REDUCE, 1, 1, 7, 9},
        {below_switches(8, 1, 1), "algorithm=recursive-multiplying", GFAB_ALL_REDUCE, 1, 3, 3, 1},
        {below_switches(8, 1, 9), "algorithm=k-nomial", GFAB_BROADCAST, 1, 1, 7, 9},
        {below_switches(8, 1, 3), "algorithm=k-nomial", GFAB_REDUCE, 1, 2, 4, 3},
        // A share of an eighth to each of 7, then everybody's to everybody.
        {below_switches(8, 1, 9), "algorithm=scatter-exchange", GFAB_BROADCAST, 8, 2, 14, 9},
        {below_switches(8, 1, 9), "algorithm=scatter-exchange", GFAB_REDUCE, 8, 2, 14, 9},
        // Two boxes of 8: across and in the box. A broadcast's eighths: in the box, across, in both boxes.
        {"machine:h100x2", "algorithm=recursive-multiplying", GFAB_ALL_REDUCE, 1, 2, 16, 9},
        {"machine:h100x2", "algorithm=recursive-exchange", GFAB_ALL_GATHER, 16, 2, 23, 9},
        // Of 12 blocks 11 go across, then one to all 8 of the other box; at that time the 11 are handed round.
        {"machine:h100x2", "algorithm=pipelined-2", GFAB_ALL_GATHER, 192, 2, 99 + 77, 9},
        {"machine:h100x2", "algorithm=pipelined-2", GFAB_ALL_REDUCE, 192, 4, 2 * (99 + 77), 9},
        {"machine:h100x2", "algorithm=k-nomial", GFAB_BROADCAST, 1, 2, 16, 9},
        {"machine:h100x2", "algorithm=scatter-exchange", GFAB_BROADCAST, 8, 3, 23, 9},
        // 9 new blocks in each of 4 steps, but for one. In boxes 1 crosses in the first step and in the last, 8 in
        // the others, and goes round a step later.
        {below_switches(8, 1, 9), "algorithm=rarest-first", GFAB_BROADCAST, 35, 5, 5, 1},
        {below_switches(8, 1, 9), "algorithm=rarest-first", GFAB_REDUCE, 35, 5, 5, 1},
        {"machine:h100x2", "algorithm=rarest-first", GFAB_BROADCAST, 42, 7, 7, 1},
        {"machine:h100x2", "algorithm=rarest-first", GFAB_REDUCE, 82, 12, 12, 1},
        {"machine:a100x2+relay=16-19:switch", "algorithm=rarest-first", GFAB_BROADCAST, 42, 7, 7, 1}, // on rails
        // B - 1 + log2(N), rounded up; nothing waits for a link of the fat-tree.
        {below_switches(8, 1, 1), "algorithm=circulant", GFAB_BROADCAST, 37, 39, 39, 1},
        {below_switches(11, 1, 1), "algorithm=circulant", GFAB_BROADCAST, 20, 23, 23, 1},
        {below_switches(11, 1, 1), "algorithm=circulant", GFAB_REDUCE, 20, 23, 23, 1},
        {"fat-tree:4+relays=switch", "algorithm=circulant", GFAB_BROADCAST, 37, 40, 40, 1},
        {"fat-tree:4+relays=switch", "algorithm=circulant", GFAB_REDUCE, 37, 40, 40, 1},
        // Four boxes: the cards send to one other at a time.
        {"machine:h100x4", "algorithm=recursive-multiplying", GFAB_ALL_REDUCE, 1, 3, 25, 9},
        {"machine:h100x4", "algorithm=hierarchical-doubling", GFAB_ALL_REDUCE, 8, 4, 32, 9},
    };
    for (const auto &c : cases) {
        const Topology topology = parse(c.graph);
        const Schedule made = made_by(c.setting, topology, any_tokens(), goal_on(topology, c.collective, c.blocks));
        ASSERT_TRUE(made) << c.graph << " " << c.setting;
        const gfab_verify_report report = checked(made);
        EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << report.message;
        EXPECT_EQ(report.startups, c.startups) << c.graph << " " << c.setting;
        EXPECT_EQ(report.link_transfers * c.parts, c.transfers * report.link_parts) << c.graph << " " << c.setting;
    }
}

// The cheapest with a startup is that by the busiest links: in two steps 2 x (5 + 7 / 9), in one 5 + 8 x 7 / 9. By the
// longest packets it would be the other one, 2 x (5 + 1) and 5 + 8.
TEST(SwitchSteps, WithAStartupLinksAreShared)
{
    const Topology t = parse(below_switches(8, 1, 9));
    const gfab_model model = any_tokens();
    const gfab_goal goal = goal_on(t, GFAB_ALL_REDUCE, 8);
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    options.linear = true;
    for (const uint32_t startup : {5u, 4u}) {
        gfab_schedule *made = nullptr;
        options.startup = {startup, 1};
        ASSERT_EQ(gfab_solve(gfab_solver_find("auto"), t.get(), &model, &options, &made, nullptr, nullptr), GFAB_OK);
        EXPECT_EQ(checked(Schedule(made)).startups, startup == 5 ? 1u : 2u);
    }
}

// Are startups and transfers of a schedule at least what the bounds say? Counts those that meet both.
void expect_not_below(const Topology &topology, const gfab_model &model, const Schedule &made, uint32_t *met)
{
    const gfab_goal goal = gfab_schedule_goal(made.get());
    const gfab_verify_report report = checked(made);
    ASSERT_EQ(report.fault, GFAB_FAULT_NONE) << gfab_topology_spec(topology.get()) << ": " << report.message;
    gfab_startup_bound bound;
    ASSERT_EQ(gfab_bound_startups(topology.get(), &model, &goal, nullptr, &bound), GFAB_OK);
    EXPECT_GE(report.startups, bound.startups)
        << gfab_topology_spec(topology.get()) << gfab_schedule_solver(made.get());
    gfab_certificate certificate{};
    gfab_ratio rate{};
    bool tight;
    ASSERT_EQ(gfab_rate(topology.get(), model.link_mode, &goal, nullptr, &certificate, &tight), GFAB_OK);
    ASSERT_EQ(gfab_certificate_rate(&certificate, 1, &rate), GFAB_OK);
    gfab_pipeline_bound pipeline{};
    ASSERT_EQ(gfab_bound_pipeline(topology.get(), &model, &goal, &certificate, &pipeline), GFAB_OK);
    gfab_certificate_release(&certificate);
    const double transfers = (double)report.link_transfers / report.link_parts / goal.blocks;
    EXPECT_GE(transfers * 1.000001, gfab_pipeline_transfers(&pipeline, report.startups))
        << gfab_topology_spec(topology.get()) << gfab_schedule_solver(made.get()) << " " << report.startups;
    EXPECT_GE(transfers * 1.000001, (double)rate.numerator / (double)rate.denominator)
        << gfab_topology_spec(topology.get()) << gfab_collective_name(goal.collective);
    if (report.startups == 1 && bound.single.denominator) {
        EXPECT_GE(transfers * 1.000001, (double)bound.single.numerator / (double)bound.single.denominator)
            << gfab_topology_spec(topology.get());
    }
    *met += report.startups == bound.startups;
}

// As many planes by links of weight 1 carry what one switch does by links of that weight: Koenig's colours (1916).
TEST(SwitchSteps, PlanesAreAsOneSwitch)
{
    const struct {
        uint32_t members, planes, blocks, rounds;
    } table[] = {{8, 4, 20, 7}, {9, 8, 32, 5}, {24, 6, 40, 9}, {72, 18, 56, 5}, {72, 18, 196, 13}};
    for (const auto &row : table)
        for (const bool apart : {false, true}) {
            const Topology t = parse(below_switches(row.members, apart ? row.planes : 1, apart ? 1 : row.planes));
            for (const gfab_collective c : {GFAB_BROADCAST, GFAB_REDUCE}) {
                const Schedule made =
                    made_by("algorithm=rarest-first", t, links(GFAB_LINK_FULL), goal_on(t, c, row.blocks));
                ASSERT_TRUE(made);
                EXPECT_EQ(checked(made).fault, GFAB_FAULT_NONE) << checked(made).message;
                EXPECT_EQ(gfab_schedule_rounds(made.get()), row.rounds) << row.members << " " << apart;
            }
        }
}

// All that `library` makes on boxes of boxes is valid, from every root, and not below the bounds.
TEST(SwitchSteps, NothingIsBelowTheBounds)
{
    std::mt19937 random(3);
    uint32_t made = 0, met = 0;
    for (uint32_t i = 0; i < extent(60, 2000); i++) {
        const std::string spec =
            i % 3 ? two_levels(random) : below_switches(2 + random() % 11, 1 + random() % 2, 1 + random() % 6);
        gfab_topology *parsed = nullptr;
        if (gfab_topology_parse(spec.c_str(), &parsed, nullptr) != GFAB_OK) // two upper switches, not connected
            continue;
        const Topology t(parsed);
        const uint32_t members = gfab_topology_member_count(t.get());
        const gfab_library_algorithm *a;
        for (size_t k = 0; (a = gfab_library_at(k)); k++)
            for (const gfab_collective c :
                 {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST, GFAB_REDUCE}) {
                const gfab_model model = any_tokens(random() % 4 ? GFAB_LINK_FULL : GFAB_LINK_HALF);
                gfab_goal goal = goal_on(t, c, members * (1 + random() % 3));
                goal.root = gfab_collective_has_root(c) ? random() % members : 0;
                if (a->whole && !(a->collectives & GFAB_MAKES(GFAB_ALL_GATHER)) && random() % 2)
                    goal.blocks = 1;
                if (!(a->collectives & GFAB_MAKES(c)))
                    continue;
                const Schedule schedule = made_by(a->setting, t, model, goal);
                if (!schedule)
                    continue;
                expect_not_below(t, model, schedule, &met);
                made++;
            }
    }
    EXPECT_GE(made, extent(1500, 50000));
    EXPECT_GE(10 * met, made) << met << " of " << made; // they are of use
}

// Pipelines of all solvers, on graphs of all kinds: in few rounds none has as few transfers as in many.
TEST(SwitchSteps, NoPipelineIsBelowTheBound)
{
    std::mt19937 random(9);
    uint32_t met = 0, near = 0, made = 0;
    for (uint32_t i = 0; i < extent(20, 800); i++) {
        const std::string drawn[] = {"machine:h100x2",
                                     "mesh:3x4",
                                     "torus:4x4",
                                     "cycle:7",
                                     "path:5",
                                     "hypercube:3",
                                     "graph:4:0>1,1>2,2>3,3>0,0-2+weight=0-1:3",
                                     "fat-tree:2",
                                     two_levels(random),
                                     below_switches(2 + random() % 7, 1 + random() % 2, 1 + random() % 6)};
        gfab_topology *parsed = nullptr;
        if (gfab_topology_parse(drawn[i % 10].c_str(), &parsed, nullptr) != GFAB_OK)
            continue;
        const Topology t(parsed);
        gfab_model model = links(random() % 4 ? GFAB_LINK_FULL : GFAB_LINK_HALF);
        gfab_goal goal = goal_on(t, random() % 2 ? GFAB_BROADCAST : GFAB_REDUCE, 1 + random() % 40);
        goal.root = random() % gfab_topology_member_count(parsed);
        const Made one = make("auto", t, model, goal);
        if (!one.schedule)
            continue;
        made++;
        expect_not_below(t, model, unrolled(one.schedule), &met);
        gfab_certificate certificate{};
        gfab_pipeline_bound bound{};
        bool tight;
        ASSERT_EQ(gfab_rate(parsed, model.link_mode, &goal, nullptr, &certificate, &tight), GFAB_OK);
        ASSERT_EQ(gfab_bound_pipeline(parsed, &model, &goal, &certificate, &bound), GFAB_OK);
        gfab_certificate_release(&certificate);
        const double least = gfab_pipeline_transfers(&bound, one.rounds());
        EXPECT_LE(gfab_pipeline_transfers(&bound, one.rounds() + 1), least);
        near += one.rounds() <= 1.2 * least * goal.blocks + 1;
    }
    EXPECT_GE(made, extent(15, 500));
    EXPECT_GE(2 * near, made) << near << " of " << made; // it says much
}

// 1 / (g - (g - d) / T) where as much leaves the root as comes to a member; where more does rounds can grow.
TEST(SwitchSteps, PipelineByHand)
{
    const struct {
        std::string graph;
        gfab_collective collective;
        uint64_t startups;
        double transfers;
    } rows[] = {
        {below_switches(8, 1, 9), GFAB_BROADCAST, 1, 7.0 / 9},
        {below_switches(8, 1, 9), GFAB_REDUCE, 2, 1 / (9 - (9 - 9.0 / 7) / 2)},
        {below_switches(8, 1, 9), GFAB_REDUCE, 1000000, 1 / (9 - (9 - 9.0 / 7) / 1e6)},
        // The last node is three hops away: two rounds are one, and 2 are 3 / 2.
        {"path:4", GFAB_BROADCAST, 2, 1 / (1 - 1 / 1.5)},
        {"path:4", GFAB_BROADCAST, 3, 1 / (1 - 1 / 2.0)},
        {"path:4", GFAB_REDUCE, 5, 1 / (1 - 1 / 3.0)},
        // The other box takes in 8, of which the root sends 1, and the root sends 10. Of its GPUs each takes in 10,
        // of which 1 comes across; that crosses and goes round takes two rounds.
        {"machine:h100x2", GFAB_BROADCAST, 1, 15.0 / 10},
        {"machine:h100x2", GFAB_BROADCAST, 4, 1 / (10 - (10 - 1) / 2.5)},
        {"machine:h100x2", GFAB_BROADCAST, 10, 1 / (8 - 2 / (std::pow(9.0 / 7, 10) - 1))},
        {"machine:h100x2", GFAB_REDUCE, 10, 1 / (8 - 2 / (std::pow(9.0 / 7, 10) - 1))},
        {"path:4", GFAB_ALL_REDUCE, 1, 0},
    };
    for (const auto &row : rows) {
        const Topology t = parse(row.graph);
        const gfab_model model = any_tokens();
        const gfab_goal goal = goal_on(t, row.collective);
        gfab_certificate certificate{};
        gfab_pipeline_bound bound{};
        bool tight;
        ASSERT_EQ(gfab_rate(t.get(), GFAB_LINK_FULL, &goal, nullptr, &certificate, &tight), GFAB_OK);
        ASSERT_EQ(gfab_bound_pipeline(t.get(), &model, &goal, &certificate, &bound), GFAB_OK);
        gfab_certificate_release(&certificate);
        EXPECT_NEAR(gfab_pipeline_transfers(&bound, row.startups), row.transfers, 1e-9)
            << row.graph << " " << row.startups;
    }
}

// What is known grows by a factor of 1 + w a round; a total comes in one round where N - 1 messages do.
TEST(SwitchSteps, Startups)
{
    const struct {
        uint32_t members, weight;
        gfab_collective collective;
        gfab_link_mode mode;
        uint64_t startups, numerator, denominator;
    } rows[] = {{72, 18, GFAB_ALL_GATHER, GFAB_LINK_FULL, 2, 0, 0},
                {20, 18, GFAB_ALL_GATHER, GFAB_LINK_FULL, 2, 0, 0},
                {19, 18, GFAB_REDUCE_SCATTER, GFAB_LINK_FULL, 1, 0, 0},
                {8, 1, GFAB_ALL_GATHER, GFAB_LINK_FULL, 3, 0, 0},
                {9, 1, GFAB_REDUCE_SCATTER, GFAB_LINK_FULL, 4, 0, 0},
                {8, 7, GFAB_ALL_REDUCE, GFAB_LINK_FULL, 1, 7, 7},
                {8, 6, GFAB_ALL_REDUCE, GFAB_LINK_FULL, 2, 0, 0},
                {8, 9, GFAB_BROADCAST, GFAB_LINK_HALF, 1, 7, 9},
                {8, 3, GFAB_REDUCE, GFAB_LINK_FULL, 2, 0, 0}};
    for (const auto &row : rows) {
        const Topology t = parse(below_switches(row.members, 1, row.weight));
        const gfab_model model = any_tokens(row.mode);
        const gfab_goal goal = goal_on(t, row.collective);
        gfab_startup_bound bound;
        ASSERT_EQ(gfab_bound_startups(t.get(), &model, &goal, nullptr, &bound), GFAB_OK);
        EXPECT_EQ(bound.startups, row.startups) << row.members << " " << row.weight;
        EXPECT_EQ(bound.single.numerator, row.numerator) << row.members << " " << row.weight;
        EXPECT_EQ(bound.single.denominator, row.denominator) << row.members << " " << row.weight;
    }
}

} // namespace
