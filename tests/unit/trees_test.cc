// SPDX-License-Identifier: MIT
// Reductions and broadcasts along trees: solver trees. What make returns is verified.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>
#include <map>

namespace
{

uint32_t rounds_of(const std::string &spec, gfab_link_mode mode, gfab_collective collective, uint32_t blocks = 0)
{
    const Topology topology = parse(spec);
    const gfab_goal goal = goal_on(topology, collective, blocks);
    const uint32_t rounds = make("trees", topology, links(mode), goal).rounds();
    EXPECT_GE(rounds, bound_on(topology, links(mode), goal)) << spec;
    return rounds;
}

std::string square(const char *kind, uint32_t n)
{
    return kind + std::to_string(n) + "x" + std::to_string(n);
}

// At most 1.1 times max(count, degree with eccentricity), computed by hand: ceil(n^2 / 2) + 2n - 3 on full-duplex
// meshes, ceil((n^2 - 1) / 2) on tori; half duplex the count bounds n (n + 1) and n^2 - 1 themselves.
TEST(Trees, SquaresOneBlockANode)
{
    for (uint32_t n = 4; n <= extent(6, 8); n++) {
        EXPECT_LE(10 * rounds_of(square("mesh:", n), GFAB_LINK_FULL, GFAB_ALL_REDUCE),
                  11 * ((n * n + 1) / 2 + 2 * n - 3))
            << n;
        EXPECT_LE(10 * rounds_of(square("torus:", n), GFAB_LINK_FULL, GFAB_ALL_REDUCE), 11 * (n * n / 2)) << n;
    }
    for (uint32_t n = 3; n <= extent(6, 8); n++)
        EXPECT_LE(rounds_of(square("mesh:", n), GFAB_LINK_HALF, GFAB_ALL_REDUCE), n * (n + 1) + 1) << n;
    for (const uint32_t n : {4u, 6u})
        EXPECT_EQ(rounds_of(square("torus:", n), GFAB_LINK_HALF, GFAB_ALL_REDUCE), n * n - 1) << n;
}

// One block takes the diameter, 2n - 2, where one node is in the middle, or full duplex four exchange there.
TEST(Trees, OneBlockOnMeshes)
{
    for (uint32_t n = 2; n <= extent(8, 16); n++) {
        EXPECT_EQ(rounds_of(square("mesh:", n), GFAB_LINK_FULL, GFAB_ALL_REDUCE, 1), 2 * n - 2) << n;
        EXPECT_EQ(rounds_of(square("mesh:", n), GFAB_LINK_HALF, GFAB_ALL_REDUCE, 1), n % 2 ? 2 * n - 2 : 2 * n) << n;
    }
    EXPECT_EQ(rounds_of("mesh:3x3", GFAB_LINK_HALF, GFAB_BARRIER), 4u);
}

// The blocks of 196 nodes are more than the work allows: one of four is planned, as the mesh has four symmetries, and
// one of two on a mesh with an odd side. What is made is checked block by block, as everywhere.
TEST(Trees, ImagesOfBlocks)
{
    EXPECT_LE(rounds_of("mesh:14x14", GFAB_LINK_FULL, GFAB_ALL_REDUCE), 127u); // 131 by itself, 123 is the bound
    for (uint32_t side = 15; side <= extent(14, 15); side++)                   // 173 by itself, 131
        EXPECT_LE(rounds_of("mesh:" + std::to_string(side) + "x14", GFAB_LINK_FULL, GFAB_ALL_REDUCE), 137u);
}

// Far from the counts that squares are made for: 1.5 times the bound and 2, 1.25 times from B = N on.
TEST(Trees, AnyNumberOfBlocks)
{
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
        for (const uint32_t blocks : {4u, 8u, 15u, 16u, 17u, 64u}) {
            const Topology mesh = parse("mesh:4x4");
            const gfab_goal goal = goal_on(mesh, GFAB_ALL_REDUCE, blocks);
            const uint64_t bound = bound_on(mesh, links(mode), goal);
            const uint32_t rounds = make("trees", mesh, links(mode), goal).rounds();
            EXPECT_LE(4 * rounds, (blocks < 16 ? 6 : 5) * bound + 8) << mode << " " << blocks;
        }
}

// Every collective on graphs of every kind; on trees there is nothing to choose but when.
TEST(Trees, AnyGraph)
{
    std::vector<const char *> specs{
        "path:2", "path:7", "cycle:5", "graph:5:0-1,0-2,0-3,0-4", "complete:5", "mesh:3x5", "random:n=20,m=30,seed=2"};
    if (extent(0, 1))
        specs.insert(specs.end(), {"debruijn:4", "torus:3x3x3", "torus:4x4+drop-link=0-1"});
    for (const char *spec : specs)
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            const Topology topology = parse(spec);
            const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
            for (const uint32_t blocks : {1u, 2u, nodes - 1, nodes, 4 * nodes})
                EXPECT_GT(rounds_of(spec, mode, GFAB_ALL_REDUCE, blocks), 0u) << spec;
            for (const gfab_collective rooted : {GFAB_BROADCAST, GFAB_REDUCE})
                for (const uint32_t root : {0u, nodes - 1}) {
                    gfab_goal goal = goal_on(topology, rooted, nodes);
                    goal.root = root;
                    EXPECT_TRUE(make("trees", topology, links(mode), goal).schedule) << spec;
                }
            EXPECT_GT(rounds_of(spec, mode, GFAB_REDUCE_SCATTER, 2 * nodes), 0u) << spec;
            EXPECT_GT(rounds_of(spec, mode, GFAB_ALL_GATHER, 2 * nodes), 0u) << spec;
            EXPECT_GT(rounds_of(spec, mode, GFAB_BARRIER), 0u) << spec;
        }
}

// Blocks leave the root one over each link a round: ceil(B / 4) rounds, and the last one's way.
TEST(Trees, BroadcastIsPipelined)
{
    EXPECT_LE(rounds_of("torus:4x4", GFAB_LINK_FULL, GFAB_BROADCAST, 32), 8u + 4u);
    EXPECT_LE(rounds_of("mesh:4x4", GFAB_LINK_FULL, GFAB_REDUCE, 32), 16u + 6u); // node 0 has two links
    EXPECT_EQ(rounds_of("path:6", GFAB_LINK_FULL, GFAB_BROADCAST, 10), 10u + 4u);
}

TEST(Trees, Hops)
{
    const Topology mesh = parse("mesh:3x4");
    for (const uint32_t hop : {2u, 3u, 7u})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_collective collective : {GFAB_ALL_REDUCE, GFAB_REDUCE_SCATTER, GFAB_BROADCAST})
                EXPECT_TRUE(make("trees", mesh, links(mode, hop), goal_on(mesh, collective)).schedule) << hop;
}

TEST(Trees, SameSeedSameSchedule)
{
    const Topology mesh = parse("mesh:4x5");
    const gfab_goal goal = goal_on(mesh, GFAB_ALL_REDUCE);
    EXPECT_EQ(schedule_text(make("trees", mesh, links(GFAB_LINK_FULL), goal).schedule),
              schedule_text(make("trees", mesh, links(GFAB_LINK_FULL), goal).schedule));
}

// Stops within so many reports, wherever that is.
TEST(Trees, IsInterrupted)
{
    const Topology mesh = parse("mesh:6x6");
    const gfab_model model = links(GFAB_LINK_FULL);
    const gfab_goal goal = goal_on(mesh, GFAB_ALL_REDUCE);
    for (int reports = 0; reports < 40; reports += 3)
        expect_interrupted("trees", mesh, model, goal, reports);
}

TEST(Trees, RefusesWhatItDoesNotMake)
{
    const Topology mesh = parse("mesh:3x3"), large = parse("path:8000");
    gfab_model one_port = links(GFAB_LINK_FULL), circuit = one_port;
    one_port.port_mode = GFAB_PORT_ONE;
    circuit.routing = GFAB_ROUTING_CIRCUIT;
    for (const gfab_model &model : {one_port, circuit})
        EXPECT_EQ(make("trees", mesh, model, goal_on(mesh, GFAB_ALL_REDUCE)).status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make("trees", mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_TO_ALL)).status, GFAB_ERR_UNSUPPORTED);
    const Made made = make("trees", large, links(GFAB_LINK_FULL), goal_on(large, GFAB_ALL_REDUCE));
    EXPECT_EQ(made.status, GFAB_ERR_LIMIT);
    EXPECT_NE(made.says.find("8000 blocks on 8000 nodes"), std::string::npos) << made.says;
}

// What is made is checked by a checker that sees each of these.
TEST(Trees, MutantsAreRejected)
{
    const Topology mesh = parse("mesh:3x3");
    const Made made = make("trees", mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_REDUCE));
    const gfab_model slower = links(GFAB_LINK_FULL, 2), half = links(GFAB_LINK_HALF);
    EXPECT_EQ(checked(made.schedule, &slower).fault, GFAB_FAULT_TOKEN_TOO_NEW);
    EXPECT_EQ(checked(made.schedule, &half).fault, GFAB_FAULT_LINK_BUSY);
    const std::vector<Step> steps = steps_of(made.schedule);
    const size_t stored =
        std::find_if(steps.begin(), steps.end(), [](const Step &s) { return s.token < 9; }) - steps.begin();
    std::vector<Step> mutant = steps;
    mutant.erase(mutant.begin());
    EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE);
    mutant = steps;
    mutant[stored].token |= GFAB_COMBINE;
    EXPECT_EQ(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_COUNTED_TWICE);
    mutant = steps;
    mutant.front().token &= ~GFAB_COMBINE;
    EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE);
    mutant = steps;
    mutant.pop_back();
    EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE);
}

} // namespace
