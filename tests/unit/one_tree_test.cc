// SPDX-License-Identifier: MIT
// One port: long vectors along one tree of few edges a node. What make returns is verified, and played out.
#include "collective_fixture.h"
#include "extent.h"

extern "C" {
#include "solvers/collective/onetree/port_tree.h"
}

#include <algorithm>

namespace
{

gfab_model one_port(gfab_link_mode mode, uint32_t hop_rounds = 1)
{
    gfab_model model = links(mode, hop_rounds);
    model.port_mode = GFAB_PORT_ONE;
    return model;
}

struct PortTree {
    PortTree(const Topology &topology, const gfab_model &model, gfab_collective collective, uint64_t seed)
    {
        EXPECT_EQ(gfab_port_tree_create(topology.get(), &model, collective, seed, &tree), GFAB_OK);
    }
    ~PortTree() { gfab_port_tree_release(&tree); }
    gfab_port_tree tree{};
};

// The centre of a star has the leaves by turns: the last leaf of a block exchanges, and the others get the total in the
// next period. That is the optimum: the last block that comes in has three leaves to go to.
TEST(OneTree, Star)
{
    const Topology star = parse("graph:5:0-1,0-2,0-3,0-4");
    for (const uint32_t blocks : {1u, 2u, 5u, 100u})
        EXPECT_EQ(make("one-tree", star, one_port(GFAB_LINK_FULL), goal_on(star, GFAB_ALL_REDUCE, blocks)).rounds(),
                  4 * blocks + 3);
}

// A path takes in and passes on by turns: period 2, or 4 where both ways share the rounds.
TEST(OneTree, Path)
{
    const Topology path = parse("path:5");
    const auto rounds = [&](gfab_link_mode mode, gfab_collective collective, uint32_t blocks) {
        return make("one-tree", path, one_port(mode), goal_on(path, collective, blocks)).rounds();
    };
    for (const uint32_t blocks : {1u, 5u, 1000u}) {
        EXPECT_EQ(rounds(GFAB_LINK_FULL, GFAB_ALL_REDUCE, blocks), 2 * blocks + 3);
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            EXPECT_EQ(rounds(mode, GFAB_BROADCAST, blocks), 2 * blocks + 2);
            EXPECT_EQ(rounds(mode, GFAB_REDUCE, blocks), 2 * blocks + 2);
        }
    }
    EXPECT_LE(rounds(GFAB_LINK_HALF, GFAB_ALL_REDUCE, 1000), 4u * 999 + 12);
}

// Meshes, tori and hypercubes have Hamiltonian paths, which are found: long vectors take 2 rounds a block.
TEST(OneTree, HamiltonianPaths)
{
    for (const char *spec : {"mesh:4x4", "mesh:3x5", "torus:5x5", "hypercube:4", "mesh:8x8"}) {
        const Topology topology = parse(spec);
        const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, 10000);
        EXPECT_LE(make("one-tree", topology, one_port(GFAB_LINK_FULL), goal).rounds(), 20000u + 150) << spec;
        EXPECT_LE(make("one-tree", topology, one_port(GFAB_LINK_HALF), goal).rounds(), 40000u + 300) << spec;
    }
}

// Two colours that change places leave no node with two slots of one colour, and twice is as before.
TEST(OneTree, Colours)
{
    const Topology topology = parse("mesh:4x5");
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
        PortTree made(topology, one_port(mode), GFAB_ALL_REDUCE, 7);
        gfab_port_tree &t = made.tree;
        ASSERT_TRUE(gfab_port_tree_grow(&t, 0, 3));
        gfab_port_tree_hang(&t, 0);
        gfab_port_tree_paint(&t, 3 * t.slots + 1);
        const size_t slots = (t.nodes - 1) * 2;
        for (uint32_t i = 0; i < 500; i++) {
            const uint32_t node = i % t.nodes, a = i % t.period, b = (a + 1 + i / 7 % (t.period - 1)) % t.period;
            const std::vector<uint32_t> before(t.colour, t.colour + slots);
            gfab_port_tree_swap(&t, node, a, b);
            const std::vector<uint32_t> after(t.colour, t.colour + slots);
            for (uint32_t v = 0; v < t.nodes; v++) {
                std::vector<uint32_t> seen;
                for (uint32_t k = 0; k < t.degree[v] * t.slots; k++) {
                    const uint32_t slot = 2 * t.at[v * t.most + k / t.slots] + k % t.slots;
                    seen.push_back(t.colour[slot]);
                    EXPECT_EQ(t.slot[v * t.period + t.colour[slot]], slot);
                }
                std::sort(seen.begin(), seen.end());
                EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
            }
            if (i % 2 == 0) {
                gfab_port_tree_swap(&t, node, a, b);
                for (size_t s = 0; s < slots; s += 3 - t.slots)
                    EXPECT_EQ(t.colour[s], before[s]);
            } else if (t.slot[node * t.period + a] != GFAB_PORT_TREE_NONE) {
                EXPECT_NE(before, after);
            }
        }
    }
}

// All that it takes is right, with hops of two rounds too, and not below the bound.
TEST(OneTree, RandomGraphs)
{
    for (uint32_t seed = 1; seed <= extent(12, 300); seed++) {
        const uint32_t nodes = 3 + seed % 9;
        gfab_topology *made = nullptr;
        const std::string spec =
            "random:n=" + std::to_string(nodes) + ",m=" + std::to_string(nodes + 2) + ",seed=" + std::to_string(seed);
        if (gfab_topology_parse(spec.c_str(), &made, nullptr) != GFAB_OK)
            continue;
        const Topology topology(made);
        for (const gfab_collective collective : {GFAB_ALL_REDUCE, GFAB_BROADCAST, GFAB_REDUCE}) {
            gfab_goal goal = goal_on(topology, collective, 1 + seed % 20);
            if (gfab_collective_has_root(collective))
                goal.root = seed % nodes;
            const gfab_model model = one_port(seed % 2 ? GFAB_LINK_HALF : GFAB_LINK_FULL, 1 + seed % 4 / 3);
            const Made tree = make("one-tree", topology, model, goal);
            EXPECT_EQ(tree.status, GFAB_OK) << tree.says;
            EXPECT_GE(tree.rounds(), bound_on(topology, model, goal));
        }
    }
}

TEST(OneTree, Refused)
{
    const Topology mesh = parse("mesh:2x2"), relay = parse("mesh:3x3+relay=4");
    EXPECT_EQ(make("one-tree", mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_REDUCE)).status,
              GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make("one-tree", mesh, one_port(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_GATHER)).status,
              GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make("one-tree", relay, one_port(GFAB_LINK_FULL), goal_on(relay, GFAB_ALL_REDUCE)).status,
              GFAB_ERR_UNSUPPORTED);
}

} // namespace
