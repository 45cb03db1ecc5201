// SPDX-License-Identifier: MIT
// Collectives where a node uses one link a round: solver calls, and what auto takes there. What make returns is
// verified.
#include "collective_fixture.h"
#include "extent.h"

namespace
{

gfab_model one_port(gfab_link_mode mode, uint32_t hop_rounds = 1)
{
    gfab_model model = links(mode, hop_rounds);
    model.port_mode = GFAB_PORT_ONE;
    return model;
}

// In a complete graph all that know call all that do not; backwards for a reduce. A barrier in full duplex is an
// exchange along four dimensions.
TEST(Calls, CompleteGraph)
{
    const Topology complete = parse("complete:16");
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
        for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE})
            EXPECT_EQ(make("auto", complete, one_port(mode), goal_on(complete, collective, 1)).rounds(), 4u);
    EXPECT_EQ(make("auto", complete, one_port(GFAB_LINK_FULL), goal_on(complete, GFAB_BARRIER)).rounds(), 4u);
    EXPECT_LE(make("auto", complete, one_port(GFAB_LINK_HALF), goal_on(complete, GFAB_BARRIER)).rounds(), 8u);
}

// Many blocks follow each other: in the path every second round one.
TEST(Calls, ManyBlocks)
{
    const Topology path = parse("path:5"), complete = parse("complete:6");
    for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE}) {
        for (const uint32_t blocks : {2u, 6u, 20u})
            EXPECT_LE(make("calls", path, one_port(GFAB_LINK_HALF), goal_on(path, collective, blocks)).rounds(),
                      4 + 2 * (blocks - 1));
        EXPECT_LE(make("auto", complete, one_port(GFAB_LINK_FULL), goal_on(complete, collective, 6)).rounds(), 8u);
    }
}

// Links get their shares of the best rate: by leads alone these are 111 and 300 rounds.
TEST(Calls, LinksHaveTheirShares)
{
    const Topology full = parse("random:n=6,m=10,seed=687734372"), half = parse("random:n=8,m=10,seed=35842860");
    EXPECT_EQ(make("calls", full, one_port(GFAB_LINK_FULL), goal_on(full, GFAB_REDUCE, 108)).rounds(), 110u);
    EXPECT_LE(make("calls", half, one_port(GFAB_LINK_HALF), goal_on(half, GFAB_BROADCAST, 144)).rounds(), 290u);
}

// auto is never longer than calls, nor than steiner.
TEST(Calls, AutoIsNoLonger)
{
    std::vector<const char *> specs{"cycle:6", "mesh:2x3", "graph:5:0-1,0-2,0-3,0-4", "complete:5"};
    if (extent(0, 1))
        specs.push_back("petersen");
    for (const char *spec : specs) {
        const Topology topology =
            parse(std::string(spec) == "petersen" ? "graph:10:0-1,1-2,2-3,3-4,0-4,0-5,1-6,2-7,3-8,"
                                                    "4-9,5-7,7-9,6-9,6-8,5-8"
                                                  : spec);
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (int c = 0; c < GFAB_COLLECTIVES; c++) {
                const gfab_goal goal = goal_on(topology, static_cast<gfab_collective>(c));
                const gfab_model model = one_port(mode);
                const uint32_t best = make("auto", topology, model, goal).rounds();
                EXPECT_LE(best, make("steiner", topology, model, goal).rounds()) << spec << " " << c;
                if (c != GFAB_ALL_TO_ALL) {
                    EXPECT_LE(best, make("calls", topology, model, goal).rounds()) << spec << " " << c;
                }
            }
    }
}

// All that it takes is right, with hops of two rounds too.
TEST(Calls, RandomGraphs)
{
    for (uint32_t seed = 1; seed <= extent(6, 200); seed++) {
        const uint32_t nodes = 5 + seed % 6;
        gfab_topology *made = nullptr;
        const std::string spec =
            "random:n=" + std::to_string(nodes) + ",m=" + std::to_string(nodes + 3) + ",seed=" + std::to_string(seed);
        if (gfab_topology_parse(spec.c_str(), &made, nullptr) != GFAB_OK)
            continue;
        const Topology topology(made);
        for (int c = 0; c < GFAB_ALL_TO_ALL; c++) {
            const gfab_collective collective = static_cast<gfab_collective>(c);
            gfab_goal goal = goal_on(topology, collective, collective == GFAB_BARRIER ? 1 : seed % 3 * nodes);
            if (gfab_collective_has_root(collective))
                goal.root = seed % nodes;
            const gfab_model model = one_port(seed % 2 ? GFAB_LINK_HALF : GFAB_LINK_FULL, 1 + seed % 4 / 3);
            const Made calls = make("calls", topology, model, goal, 10);
            EXPECT_EQ(calls.status, GFAB_OK) << calls.says;
            EXPECT_GE(calls.rounds(), bound_on(topology, model, goal));
        }
    }
}

TEST(Calls, Refused)
{
    const Topology mesh = parse("mesh:2x2");
    EXPECT_EQ(make("calls", mesh, links(GFAB_LINK_HALF), goal_on(mesh, GFAB_BROADCAST)).status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make("calls", mesh, one_port(GFAB_LINK_HALF), goal_on(mesh, GFAB_ALL_TO_ALL)).status,
              GFAB_ERR_UNSUPPORTED);
}

} // namespace
