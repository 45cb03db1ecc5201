// SPDX-License-Identifier: MIT
// One port: waves around a cycle, at the count bound; recursive doubling; the bound by doubling.
#include "collective_fixture.h"
#include "extent.h"

extern "C" {
#include "base/random.h"
}

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

// Of an odd number of nodes one has no call: N rounds a block of every node in the place of N - 1.
TEST(OnePort, WavesOfOddLengthMeetTheCountBound)
{
    std::vector<std::string> specs = {"torus:3x3", "torus:3x5", "complete:5", "graph:5:0-1,1-2,2-3,3-4,4-0,0-2,1-3"};
    for (uint32_t n = 3; n <= extent(23, 63); n += 2)
        specs.push_back("cycle:" + std::to_string(n));
    for (const std::string &spec : specs) {
        const Topology topology = parse(spec);
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const uint32_t each : {1u, 2u, 16u})
                for (const gfab_collective made : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE}) {
                    const uint32_t rounds =
                        (mode == GFAB_LINK_HALF ? 2 : 1) * (made == GFAB_ALL_REDUCE ? 2 : 1) * each * nodes;
                    const gfab_goal goal = goal_on(topology, made, each * nodes);
                    EXPECT_EQ(make("waves", topology, one_port(mode), goal).rounds(), rounds)
                        << spec << " " << mode << " " << each << " " << gfab_collective_name(made);
                    EXPECT_EQ(bound_on(topology, one_port(mode), goal), rounds) << spec;
                }
    }
}

// Full duplex N - 1 blocks leave an odd cycle's root in N rounds, and the last one is round within N + 1 more.
TEST(OnePort, WavesOfOddLengthFromARoot)
{
    for (uint32_t n = 3; n <= extent(15, 63); n += 2) {
        const Topology cycle = parse("cycle:" + std::to_string(n));
        for (const gfab_collective made : {GFAB_BROADCAST, GFAB_REDUCE})
            for (const uint32_t blocks : {1u, 2u, n - 1, n, 100u}) {
                gfab_goal goal = goal_on(cycle, made, blocks), more = goal_on(cycle, made, blocks + n - 1);
                goal.root = more.root = n / 3;
                const uint32_t rounds = make("waves", cycle, one_port(GFAB_LINK_FULL), goal).rounds();
                EXPECT_LE(rounds, (blocks + n - 2) / (n - 1) * n + n + 1) << n << " " << blocks;
                if (blocks >= n - 1) {
                    EXPECT_EQ(make("waves", cycle, one_port(GFAB_LINK_FULL), more).rounds(), rounds + n) << n;
                }
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
    EXPECT_EQ(make("waves", odd, one_port(GFAB_LINK_FULL), goal_on(odd, GFAB_ALL_GATHER)).status, GFAB_ERR_UNSUPPORTED);
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

// Any graph, relays and weights too: verified, and no more than a half above the bound for 16 blocks a node. The first
// four in both modes, the others in one, four of each by turns: 300 in both would take 17 minutes.
TEST(OnePort, TurnsOnRandomGraphs)
{
    uint64_t random = 7;
    for (uint32_t i = 0; i < extent(4, 300); i++) {
        const uint32_t nodes = 5 + gfab_random_below(&random, extent(6, 16));
        std::string spec = "graph:" + std::to_string(nodes) + ":";
        std::string suffixes = i % 4 == 1 ? "+relay=" + std::to_string(gfab_random_below(&random, nodes)) : "";
        for (uint32_t v = 1; v < nodes; v++) {
            const uint32_t tree = gfab_random_below(&random, v);
            for (uint32_t u = 0; u < v; u++)
                if (u == tree || gfab_random_below(&random, 4) == 0) {
                    const std::string ends = std::to_string(u) + "-" + std::to_string(v);
                    spec += (spec.back() == ':' ? "" : ",") + ends;
                    if (i % 4 == 2 && v % 2)
                        suffixes += "+weight=" + ends + ":2";
                }
        }
        const Topology topology = parse(spec + suffixes);
        const auto members = static_cast<uint32_t>(gfab_topology_member_count(topology.get()));
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_collective made :
                 {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST, GFAB_REDUCE}) {
                if (i >= 4 && (mode == GFAB_LINK_FULL) != (i / 4 % 2 == 1))
                    continue;
                gfab_goal goal = goal_on(topology, made, 16 * members);
                goal.root = gfab_collective_has_root(made) ? gfab_random_below(&random, members) : 0;
                const uint64_t least = bound_on(topology, one_port(mode), goal);
                const uint32_t rounds = make("turns", topology, one_port(mode), goal).rounds();
                EXPECT_GE(rounds, least) << spec << suffixes;
                if (!gfab_topology_has_relays(topology.get())) {
                    EXPECT_LE(2 * rounds, 3 * least) << spec << suffixes << gfab_collective_name(made);
                }
            }
    }
}

TEST(OnePort, TurnsOnMachines)
{
    const Topology box = parse("machine:dgx1"), boxes = parse("machine:mi250x2");
    const gfab_goal scatter = goal_on(box, GFAB_REDUCE_SCATTER, 8000), cast = goal_on(boxes, GFAB_BROADCAST, 512);
    EXPECT_EQ(make("turns", box, one_port(GFAB_LINK_FULL), scatter).rounds(), 3500u);
    EXPECT_LE(make("turns", boxes, one_port(GFAB_LINK_HALF), cast).rounds(), 160u);
}

// A hop that takes three rounds, and a number of blocks that is no multiple of a group.
TEST(OnePort, TurnsWithLongHops)
{
    const Topology graph = parse("graph:6:0-1,1-2,0-2,2-3,3-4,4-5,3-5");
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
        for (const gfab_collective made : {GFAB_ALL_REDUCE, GFAB_BROADCAST, GFAB_REDUCE})
            for (const uint32_t blocks : {1u, 7u, 101u}) {
                gfab_model model = one_port(mode);
                model.hop_rounds = 3;
                EXPECT_GT(make("turns", graph, model, goal_on(graph, made, blocks)).rounds(), 0u);
            }
}

TEST(OnePort, WhatTurnsRefuse)
{
    const Topology large = parse("mesh:20x20"), directed = parse("cycle:4+weight=0-1:2/1");
    EXPECT_EQ(make("turns", large, one_port(GFAB_LINK_FULL), goal_on(large, GFAB_ALL_REDUCE)).status, GFAB_ERR_LIMIT);
    EXPECT_EQ(make("turns", directed, one_port(GFAB_LINK_FULL), goal_on(directed, GFAB_ALL_REDUCE)).status,
              GFAB_ERR_UNSUPPORTED);
}

// A beam search: what it makes is verified, for each collective that it makes, and no tree goes twice into a node.
TEST(OnePort, BeamOnRandomGraphs)
{
    uint64_t random = 53;
    for (uint32_t i = 0; i < extent(3, 60); i++) {
        const uint32_t nodes = 5 + i % 4;
        gfab_topology *made = nullptr;
        const std::string spec = "random:n=" + std::to_string(nodes) + ",m=" + std::to_string(nodes + 2 + i % 3) +
                                 ",seed=" + std::to_string(i + 1);
        if (gfab_topology_parse(spec.c_str(), &made, nullptr) != GFAB_OK)
            continue; // not connected
        const Topology topology(made);
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_collective wanted : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_BROADCAST, GFAB_REDUCE}) {
                gfab_goal goal = goal_on(topology, wanted, 2 * nodes);
                goal.root = gfab_collective_has_root(wanted) ? gfab_random_below(&random, nodes) : 0;
                const uint64_t least = bound_on(topology, one_port(mode), goal);
                const Made schedule = make("calls-beam", topology, one_port(mode), goal, 1);
                EXPECT_EQ(schedule.status, GFAB_OK) << spec;
                EXPECT_GE(schedule.rounds(), least) << spec;
                EXPECT_LE(4 * schedule.rounds(), 5 * least) << spec << gfab_collective_name(wanted);
            }
    }
}

// At the bound, where calls and waves are 1 and 5 rounds above it. A reduce is a broadcast backwards.
TEST(OnePort, BeamAtTheBound)
{
    const Topology graph = parse("random:n=10,m=24,seed=1");
    for (const gfab_collective wanted : {GFAB_BROADCAST, GFAB_REDUCE})
        EXPECT_EQ(make("calls-beam", graph, one_port(GFAB_LINK_FULL), goal_on(graph, wanted, 80)).rounds(), 83u);
}

TEST(OnePort, WhatBeamRefuses)
{
    const Topology large = parse("mesh:5x13"), small = parse("complete:10"), dense = parse("complete:64");
    EXPECT_EQ(make("calls-beam", large, one_port(GFAB_LINK_FULL), goal_on(large, GFAB_BROADCAST, 65)).status,
              GFAB_ERR_LIMIT);
    for (const uint32_t blocks : {9u, 1025u})
        EXPECT_EQ(make("calls-beam", small, one_port(GFAB_LINK_FULL), goal_on(small, GFAB_BROADCAST, blocks)).status,
                  GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make("calls-beam", dense, one_port(GFAB_LINK_HALF), goal_on(dense, GFAB_BROADCAST, 512)).status,
              GFAB_ERR_UNSUPPORTED);
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
