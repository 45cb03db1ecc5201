// SPDX-License-Identifier: MIT
// A few blocks on meshes and tori: solver axes. What make returns is verified.
#include "collective_fixture.h"

namespace
{

uint32_t rounds_of(const std::string &spec, gfab_link_mode mode, uint32_t blocks)
{
    const Topology topology = parse(spec);
    return make("axes", topology, links(mode), goal_on(topology, GFAB_ALL_REDUCE, blocks)).rounds();
}

// On cycles of even sides full duplex the diameter, which no other schedule beats; half duplex what SAT proves to be
// the least on the cycle, 3, 4, 6 for 4, 6, 8 nodes, for each axis.
TEST(Axes, Tori)
{
    for (const uint32_t n : {4u, 6u, 8u}) {
        const std::string torus = "torus:" + std::to_string(n) + "x" + std::to_string(n);
        EXPECT_EQ(rounds_of(torus, GFAB_LINK_FULL, 1), n);
        EXPECT_EQ(rounds_of(torus, GFAB_LINK_FULL, 2), n);
        EXPECT_EQ(rounds_of(torus, GFAB_LINK_HALF, 2), n == 8 ? 12 : n + 2);
    }
    EXPECT_EQ(rounds_of("torus:8x8", GFAB_LINK_FULL, 4), 8u);
    EXPECT_EQ(rounds_of("torus:4x4x4", GFAB_LINK_FULL, 3), 6u);
    EXPECT_EQ(rounds_of("torus:3x8", GFAB_LINK_FULL, 1), 1u + 4u);
    EXPECT_EQ(rounds_of("torus:2x1x4", GFAB_LINK_FULL, 1), 1u + 2u);
}

// Together in n/2 rounds, the total of one block on a cycle, and back in n/2: with that many blocks for each axis,
// where half duplex every second place has one and full duplex every one.
TEST(Axes, SpreadBlocks)
{
    EXPECT_EQ(rounds_of("torus:8x8", GFAB_LINK_HALF, 8), 4u + 6u + 4u);
    EXPECT_EQ(rounds_of("torus:8x8", GFAB_LINK_FULL, 16), 4u + 4u + 4u);
    EXPECT_EQ(rounds_of("torus:8x6", GFAB_LINK_FULL, 12), 4u + 4u + 4u);
    EXPECT_EQ(rounds_of("torus:5x5", GFAB_LINK_FULL, 10), 2u + 3u + 2u);
    for (const char *spec : {"torus:4x4", "torus:3x6"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const uint32_t blocks : {3u, 6u})
                for (const uint32_t hop : {1u, 3u}) {
                    const Topology topology = parse(spec);
                    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, blocks);
                    EXPECT_GT(make("axes", topology, links(mode, hop), goal).rounds(), 0u) << spec << " " << blocks;
                }
}

TEST(Axes, Meshes)
{
    for (uint32_t n = 2; n <= 8; n++) {
        const std::string mesh = "mesh:" + std::to_string(n) + "x" + std::to_string(n);
        EXPECT_EQ(rounds_of(mesh, GFAB_LINK_FULL, 2), 2 * n - 2);
        EXPECT_EQ(rounds_of(mesh, GFAB_LINK_HALF, 2), n % 2 ? 2 * n - 2 : 2 * n);
    }
    EXPECT_EQ(rounds_of("path:5", GFAB_LINK_HALF, 1), 4u);
    EXPECT_EQ(rounds_of("mesh:2x3x5", GFAB_LINK_FULL, 1), 1u + 2u + 4u);
}

// Groups of several blocks, and groups that differ; all that is asked is that verify takes them, and the last phase
// follows the first by a hop.
TEST(Axes, BlocksAndHops)
{
    for (const char *spec : {"torus:3x5", "mesh:4x3", "torus:2x4"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (uint32_t blocks = 1; blocks <= 8; blocks++)
                EXPECT_GT(rounds_of(spec, mode, blocks), 0u) << spec << " " << blocks;
    const Topology torus = parse("torus:3x3");
    for (const uint32_t hop : {2u, 5u})
        EXPECT_EQ(make("axes", torus, links(GFAB_LINK_FULL, hop), goal_on(torus, GFAB_BARRIER)).rounds(), 1 + hop);
}

TEST(Axes, RefusesWhatItDoesNotMake)
{
    const Topology mesh = parse("mesh:3x3"), graph = parse("debruijn:3");
    const Made made = make("axes", mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_REDUCE, 9));
    EXPECT_EQ(made.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(made.says.find("9 blocks; at most 8"), std::string::npos) << made.says;
    EXPECT_EQ(make("axes", graph, links(GFAB_LINK_FULL), goal_on(graph, GFAB_BARRIER)).status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make("axes", mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_REDUCE)).status, GFAB_ERR_UNSUPPORTED);
}

TEST(Axes, MutantsAreRejected)
{
    const Topology torus = parse("torus:4x4");
    const Made made = make("axes", torus, links(GFAB_LINK_FULL), goal_on(torus, GFAB_ALL_REDUCE, 1));
    std::vector<Step> mutant = steps_of(made.schedule);
    mutant.pop_back();
    EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE);
    const gfab_model slower = links(GFAB_LINK_FULL, 2);
    EXPECT_EQ(checked(made.schedule, &slower).fault, GFAB_FAULT_TOKEN_TOO_NEW);
}

} // namespace
