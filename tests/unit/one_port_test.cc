// SPDX-License-Identifier: MIT
// One port: waves around an even cycle, at the count bound; recursive doubling; the bound by doubling.
#include "collective_fixture.h"
#include "extent.h"

namespace
{

gfab_model one_port(gfab_link_mode mode)
{
    gfab_model model = links(mode);
    model.port_mode = GFAB_PORT_ONE;
    return model;
}

// Every mesh and torus of two axes with an even side, every hypercube, every cycle of even length, to so many nodes.
std::vector<std::string> even_graphs(uint32_t most)
{
    std::vector<std::string> specs;
    for (uint32_t a = 2; a * 2 <= most; a++)
        for (uint32_t b = a; a * b <= most; b++) {
            if (a % 2 && b % 2)
                continue;
            specs.push_back("mesh:" + std::to_string(a) + "x" + std::to_string(b));
            if (a > 2)
                specs.push_back("torus:" + std::to_string(a) + "x" + std::to_string(b));
        }
    for (uint32_t k = 2; 1u << k <= most; k++)
        specs.push_back("hypercube:" + std::to_string(k));
    for (uint32_t n = 4; n <= most; n += 2)
        specs.push_back("cycle:" + std::to_string(n));
    return specs;
}

// So many arrive in a round: half duplex one for each second node, full duplex one for each. Each of N nodes wants
// N - 1 blocks a block of its own; a total takes as many on the way to a node, and as many from it.
TEST(OnePort, WavesMeetTheCountBound)
{
    for (const std::string &spec : even_graphs(extent(24, 64))) {
        const Topology topology = parse(spec);
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const uint32_t each : {1u, 2u, 3u, 16u})
                for (const gfab_collective made : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE}) {
                    const uint32_t rounds =
                        (mode == GFAB_LINK_HALF ? 2 : 1) * (made == GFAB_ALL_REDUCE ? 2 : 1) * each * (nodes - 1);
                    const gfab_goal goal = goal_on(topology, made, each * nodes);
                    EXPECT_EQ(make("waves", topology, one_port(mode), goal).rounds(), rounds)
                        << spec << " " << mode << " " << each << " " << gfab_collective_name(made);
                }
    }
}

// An all-reduce of any number of blocks: the last phases have fewer waves.
TEST(OnePort, WavesOfAnyNumberOfBlocks)
{
    const Topology mesh = parse("mesh:3x4");
    for (uint32_t blocks = 1; blocks <= 40; blocks++) {
        const gfab_goal goal = goal_on(mesh, GFAB_ALL_REDUCE, blocks);
        EXPECT_EQ(make("waves", mesh, one_port(GFAB_LINK_FULL), goal).rounds(), (blocks + 11) / 12 * 22) << blocks;
        EXPECT_EQ(make("waves", mesh, one_port(GFAB_LINK_HALF), goal).rounds(), (blocks + 5) / 6 * 22) << blocks;
    }
}

// Full duplex a block leaves the root in every round, half duplex in every second one; the last one goes N - 1 links.
TEST(OnePort, WavesFromARoot)
{
    for (const std::string &spec : even_graphs(extent(16, 64))) {
        const Topology topology = parse(spec);
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        for (const gfab_collective made : {GFAB_BROADCAST, GFAB_REDUCE})
            for (const uint32_t blocks : {1u, 2u, 3u, 100u}) {
                gfab_goal goal = goal_on(topology, made, blocks);
                goal.root = nodes / 3;
                EXPECT_EQ(make("waves", topology, one_port(GFAB_LINK_FULL), goal).rounds(), blocks + nodes - 2) << spec;
                EXPECT_EQ(make("waves", topology, one_port(GFAB_LINK_HALF), goal).rounds(), 2 * blocks + nodes - 3)
                    << spec;
            }
    }
}

TEST(OnePort, WhatWavesRefuse)
{
    const Topology odd = parse("mesh:3x5"), star = parse("graph:4:0-1,0-2,0-3"), even = parse("mesh:2x3");
    const Made by_odd = make("waves", odd, one_port(GFAB_LINK_FULL), goal_on(odd, GFAB_ALL_GATHER));
    EXPECT_EQ(by_odd.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(by_odd.says.find("an even number of nodes; mesh:3x5 has 15"), std::string::npos) << by_odd.says;
    EXPECT_EQ(make("waves", star, one_port(GFAB_LINK_FULL), goal_on(star, GFAB_ALL_GATHER)).status,
              GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make("waves", even, links(GFAB_LINK_FULL), goal_on(even, GFAB_ALL_GATHER)).status, GFAB_ERR_UNSUPPORTED);
}

// k rounds on hypercube:k, one block after the other with one port, k at once with all; half the rounds of a tree.
TEST(OnePort, Exchanges)
{
    for (uint32_t k = 1; k <= extent(6, 8); k++) {
        const Topology cube = parse("hypercube:" + std::to_string(k));
        for (const uint32_t blocks : {1u, 2u, k, k + 1}) {
            const gfab_goal goal = goal_on(cube, GFAB_ALL_REDUCE, blocks);
            EXPECT_EQ(make("exchanges", cube, one_port(GFAB_LINK_FULL), goal).rounds(), blocks * k) << k;
            EXPECT_EQ(make("exchanges", cube, links(GFAB_LINK_FULL), goal).rounds(), (blocks + k - 1) / k * k) << k;
        }
    }
    const Topology mesh = parse("mesh:4x4"), complete = parse("complete:8");
    EXPECT_EQ(make("exchanges", complete, one_port(GFAB_LINK_FULL), goal_on(complete, GFAB_ALL_REDUCE, 1)).rounds(),
              3u);
    const Made refused = make("exchanges", mesh, one_port(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_REDUCE, 1));
    EXPECT_EQ(refused.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(refused.says.find("in mesh:4x4 0 and 2 have none"), std::string::npos) << refused.says;
}

// B - 1 + ceil(log2 N): met by exchanges on a complete graph, where distances say 1.
TEST(OnePort, BoundByDoubling)
{
    for (const uint32_t nodes : {2u, 3u, 4u, 5u, 8u, 9u, 16u, 17u}) {
        const Topology complete = parse("complete:" + std::to_string(nodes));
        uint32_t steps = 0;
        while (1u << steps < nodes)
            steps++;
        for (const uint32_t blocks : {1u, 2u, 7u})
            for (const gfab_collective made : {GFAB_BROADCAST, GFAB_REDUCE})
                EXPECT_GE(bound_on(complete, one_port(GFAB_LINK_FULL), goal_on(complete, made, blocks)),
                          blocks - 1 + steps)
                    << nodes << " " << blocks;
        EXPECT_GE(bound_on(complete, one_port(GFAB_LINK_FULL), goal_on(complete, GFAB_ALL_REDUCE, 1)), steps) << nodes;
    }
}

// What is made is checked by a checker that sees each of these.
TEST(OnePort, MutantsAreRejected)
{
    const Topology mesh = parse("mesh:2x3");
    const Made made = make("waves", mesh, one_port(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_REDUCE));
    const std::vector<Step> steps = steps_of(made.schedule);
    for (size_t i = 0; i < steps.size(); i += 7) {
        std::vector<Step> mutant = steps;
        mutant.erase(mutant.begin() + static_cast<long>(i));
        EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE) << i;
        mutant = steps;
        mutant[i].token ^= GFAB_COMBINE;
        EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE) << i;
    }
}

} // namespace
