// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <gossipfab/schedule/verify.h>
#include <gossipfab/solvers/solver.h>
#include <gtest/gtest.h>

#include <string>

namespace
{

const uint32_t any = 1 << 20;

gfab_model circuit(gfab_link_mode links = GFAB_LINK_FULL, gfab_port_mode ports = GFAB_PORT_ALL)
{
    return {links, ports, any, 1, GFAB_ROUTING_CIRCUIT};
}

const char *const algorithms[] = {"ring",     "bucket",   "halving-doubling",   "rabenseifner", "swing",
                                  "bruck",    "pairwise", "recursive-doubling", "swing-whole",  "dissemination",
                                  "binomial", "chain",    "scatter-ring"};

// The schedule, or NULL with the reason. What is made is verified.
Schedule make(const gfab_topology *topology, const gfab_model &model, gfab_goal goal, const std::string &algorithm,
              gfab_verify_report *report, std::string *says = nullptr)
{
    const gfab_solver *library = gfab_solver_find("library");
    const std::string setting = "algorithm=" + algorithm;
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    options.goal = &goal;
    options.parameters = algorithm.empty() ? nullptr : setting.c_str();
    const gfab_status status = library->solve(topology, &model, &options, &made, &diag);
    EXPECT_EQ(status == GFAB_OK, !!made);
    EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_UNSUPPORTED || status == GFAB_ERR_INVALID) << diag.message;
    if (says)
        *says = diag.message;
    *report = {};
    EXPECT_TRUE(!made || gfab_verify(topology, &model, made, nullptr, report) == GFAB_OK)
        << gfab_topology_name(topology) << ", " << algorithm << ": " << report->message;
    return Schedule(made);
}

// Startups and transfers, counted by hand. n ranks, B blocks of which a message has so many.
TEST(Library, ByHand)
{
    const struct {
        const char *graph;
        gfab_collective collective;
        uint32_t blocks;
        const char *algorithm;
        uint64_t startups, transfers;
    } cases[] = {
        // A ring: n - 1 steps, twice. With two blocks a rank one goes each way round.
        {"cycle:8", GFAB_ALL_GATHER, 8, "ring", 7, 7},
        {"cycle:8", GFAB_REDUCE_SCATTER, 8, "ring", 7, 7},
        {"cycle:8", GFAB_ALL_REDUCE, 8, "ring", 14, 14},
        {"cycle:8", GFAB_ALL_REDUCE, 16, "ring", 14, 14},
        // Rows of 4, then columns of bundles of 4: 3 steps of 1 and 3 of 4.
        {"torus:4x4", GFAB_ALL_GATHER, 16, "bucket", 6, 15},
        {"torus:4x4", GFAB_ALL_GATHER, 64, "bucket", 6, 15},
        {"torus:4x4", GFAB_ALL_REDUCE, 16, "bucket", 12, 30},
        // Hypercubes have a link for each bit: 1 + 2 + 4 blocks.
        {"hypercube:3", GFAB_ALL_GATHER, 8, "halving-doubling", 3, 7},
        {"hypercube:3", GFAB_ALL_REDUCE, 8, "halving-doubling", 6, 14},
        {"hypercube:3", GFAB_ALL_REDUCE, 8, "rabenseifner", 6, 14},
        {"hypercube:3", GFAB_ALL_REDUCE, 4, "recursive-doubling", 3, 12},
        {"hypercube:3", GFAB_BARRIER, 1, "recursive-doubling", 3, 3},
        {"hypercube:3", GFAB_BROADCAST, 5, "binomial", 3, 15},
        {"hypercube:3", GFAB_REDUCE, 5, "binomial", 3, 15},
        // Six ranks: two give their vector to others, and get it back: 1 + 2 + 1.
        {"complete:6", GFAB_ALL_REDUCE, 1, "recursive-doubling", 4, 4},
        {"complete:7", GFAB_ALL_GATHER, 7, "bruck", 3, 6},
        {"complete:7", GFAB_ALL_TO_ALL, 49, "pairwise", 6, 6},
        {"complete:8", GFAB_ALL_TO_ALL, 64, "bruck", 3, 12},
        {"complete:7", GFAB_BARRIER, 1, "dissemination", 3, 3},
        // Swing on a cycle of 8, RS peers 1, -1 and 3 away: 4, 2 and 1 blocks.
        {"complete:8", GFAB_REDUCE_SCATTER, 8, "swing", 3, 7},
        {"cycle:4", GFAB_ALL_REDUCE, 4, "swing", 4, 6},
        {"complete:8", GFAB_ALL_REDUCE, 2, "swing-whole", 3, 6},
        // Block after block down a path of 3 links.
        {"path:4", GFAB_BROADCAST, 5, "chain", 7, 7},
        {"path:4", GFAB_REDUCE, 5, "chain", 7, 7},
        // A scatter of 2 and 1 pieces, then a ring of 3 steps.
        {"complete:4", GFAB_BROADCAST, 4, "scatter-ring", 5, 6},
    };
    for (const auto &c : cases) {
        const Topology topology = parse(c.graph);
        gfab_verify_report report;
        std::string says;
        gfab_goal goal;
        ASSERT_EQ(gfab_goal_of(c.collective, gfab_topology_node_count(topology.get()), &goal, nullptr), GFAB_OK);
        goal.blocks = c.blocks;
        const Schedule made = make(topology.get(), circuit(), goal, c.algorithm, &report, &says);
        ASSERT_NE(made, nullptr) << c.graph << ", " << c.algorithm << ": " << says;
        EXPECT_EQ(report.startups, c.startups) << c.graph << ", " << c.algorithm;
        EXPECT_EQ(report.transfers, c.transfers) << c.graph << ", " << c.algorithm;
    }
}

// Everything that is made is right, and on these graphs every algorithm is made for some collective.
TEST(Library, AllAreVerified)
{
    size_t made[sizeof algorithms / sizeof *algorithms] = {0};
    for (const char *graph : {"torus:4x4", "mesh:2x4", "cycle:7", "hypercube:3", "mesh:3x3+relay=4", "star:3",
                              "path:4+weight=1-2:3", "path:2"})
        for (const gfab_link_mode links : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
                for (int collective = 0; collective < GFAB_COLLECTIVES; collective++)
                    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
                        for (uint32_t each = 1; each <= 3; each += 2) {
                            const Topology topology = parse(graph);
                            const size_t members = gfab_topology_member_count(topology.get());
                            gfab_verify_report report;
                            gfab_goal goal;
                            ASSERT_EQ(gfab_goal_of((gfab_collective)collective, members, &goal, nullptr), GFAB_OK);
                            if (collective != GFAB_BARRIER && collective != GFAB_ALL_TO_ALL)
                                goal.blocks = (uint32_t)members * each;
                            if (gfab_collective_has_root(goal.collective))
                                goal.root = (uint32_t)members - 1;
                            const auto model = circuit(links, ports);
                            made[a] += make(topology.get(), model, goal, algorithms[a], &report) ? 1 : 0;
                        }
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
        EXPECT_GT(made[a], 0u) << algorithms[a];
}

// Without a name it is the best of them.
TEST(Library, TakesTheBest)
{
    const Topology topology = parse("torus:4x4");
    gfab_goal goal;
    ASSERT_EQ(gfab_goal_of(GFAB_ALL_REDUCE, 16, &goal, nullptr), GFAB_OK);
    gfab_verify_report best, one;
    const Schedule made = make(topology.get(), circuit(), goal, "", &best);
    ASSERT_NE(made, nullptr);
    for (const char *algorithm : algorithms)
        if (make(topology.get(), circuit(), goal, algorithm, &one)) {
            EXPECT_LE(best.rounds, one.rounds) << algorithm;
        }
}

TEST(Library, SaysWhatItDoesNotTake)
{
    const Topology topology = parse("cycle:6");
    gfab_goal goal;
    gfab_verify_report report;
    std::string says;
    ASSERT_EQ(gfab_goal_of(GFAB_ALL_REDUCE, 6, &goal, nullptr), GFAB_OK);
    EXPECT_EQ(make(topology.get(), circuit(), goal, "swing", &report, &says), nullptr);
    EXPECT_NE(says.find("powers of two"), std::string::npos) << says;
    EXPECT_EQ(make(topology.get(), circuit(), goal, "pairwise", &report, &says), nullptr);
    EXPECT_NE(says.find("pairwise does not make all-reduce"), std::string::npos) << says;
    EXPECT_EQ(make(topology.get(), circuit(), goal, "rong", &report, &says), nullptr);
    EXPECT_NE(says.find("there are ring, bucket"), std::string::npos) << says;
    gfab_goal odd = goal;
    odd.blocks = 7;
    EXPECT_EQ(make(topology.get(), circuit(), odd, "ring", &report, &says), nullptr);
    EXPECT_NE(says.find("multiples of the 6 ranks"), std::string::npos) << says;
    gfab_model few = circuit();
    few.packet_tokens = 2;
    EXPECT_EQ(make(topology.get(), few, goal, "binomial", &report, &says), nullptr);
    EXPECT_NE(says.find("packets of 6 tokens, more than the 2 allowed"), std::string::npos) << says;
    gfab_model forward = circuit();
    forward.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    EXPECT_NE(make(topology.get(), forward, goal, "ring", &report), nullptr);
    EXPECT_EQ(make(topology.get(), forward, goal, "bruck", &report, &says), nullptr);
    EXPECT_NE(says.find("are not neighbours; take circuit routing"), std::string::npos) << says;
    forward.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(make(topology.get(), forward, goal, "ring", &report, &says), nullptr);
    EXPECT_NE(says.find("with one port is for circuit routing"), std::string::npos) << says;
}

// A message over a path is for the node at its end, not for those on its way. A reduce on 0 - 1 - 2 to 0: 1 tells 0,
// then 2 does, over 1. The checker once followed the first link alone: 0 lacks 2's contribution, it said.
TEST(Library, ThePathsEndCounts)
{
    const Topology topology = parse("path:3");
    const gfab_model model = circuit();
    const gfab_goal goal = {GFAB_REDUCE, 1, 0, false};
    const uint32_t token = GFAB_COMBINE;
    gfab_arc far[2];
    ASSERT_TRUE(gfab_topology_find_arc(topology.get(), 2, 1, &far[0]));
    ASSERT_TRUE(gfab_topology_find_arc(topology.get(), 1, 0, &far[1]));
    for (const bool good : {true, false}) {
        gfab_schedule *made = nullptr;
        gfab_verify_report report;
        ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
        const Schedule schedule(made);
        ASSERT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
        if (!good) { // 2 has told 1: from there its contribution counts, and again over the path
            ASSERT_EQ(gfab_schedule_append_packet(made, 1, far, 1, &token, 1), GFAB_OK);
        }
        ASSERT_EQ(gfab_schedule_append_packet(made, 2, &far[1], 1, &token, 1), GFAB_OK);
        ASSERT_EQ(gfab_schedule_append_packet(made, 3, far, 2, &token, 1), GFAB_OK);
        EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &report), good ? GFAB_OK : GFAB_ERR_FAULT);
        EXPECT_EQ(report.fault, good ? GFAB_FAULT_NONE : GFAB_FAULT_COUNTED_TWICE) << report.message;
        EXPECT_EQ(report.node, good ? UINT32_MAX : 0u) << report.message;
    }
}

} // namespace
