// SPDX-License-Identifier: MIT
// Broadcast and reduce along arc-disjoint arborescences: solver arborescences. What make returns is verified.
#include "collective_fixture.h"
#include "extent.h"

extern "C" {
#include "base/random.h"
#include "solvers/collective/arborescences/arborescence_packing.h"
}

#include <algorithm>

namespace
{

const char *const solver = "arborescences";

std::string grid(const char *kind, uint32_t rows, uint32_t columns)
{
    return std::string(kind) + ":" + std::to_string(rows) + "x" + std::to_string(columns);
}

uint32_t eccentricity(const Topology &topology, uint32_t root)
{
    std::vector<uint32_t> distance(gfab_topology_node_count(topology.get())), work(distance.size());
    gfab_topology_distances(topology.get(), root, distance.data(), work.data());
    return *std::max_element(distance.begin(), distance.end());
}

gfab_goal rooted(gfab_collective collective, uint32_t blocks, uint32_t root)
{
    gfab_goal goal{};
    goal.collective = collective;
    goal.blocks = blocks;
    goal.root = root;
    return goal;
}

uint32_t rounds_of(const Topology &topology, const gfab_goal &goal, uint32_t hop = 1)
{
    const Made made = make(solver, topology, links(GFAB_LINK_FULL, hop), goal);
    EXPECT_TRUE(made.schedule) << gfab_topology_spec(topology.get()) << ": " << made.says;
    return made.rounds();
}

// The smallest cut between the root and any other node, by paths that are looked for one at a time.
uint32_t least_cut(const Topology &topology, uint32_t root)
{
    const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
    const uint32_t links = static_cast<uint32_t>(gfab_topology_link_count(topology.get()));
    uint32_t least = UINT32_MAX;
    for (uint32_t sink = 0; sink < nodes; sink++) {
        if (sink == root)
            continue;
        std::vector<std::vector<uint32_t>> left(nodes, std::vector<uint32_t>(nodes));
        for (uint32_t l = 0; l < links; l++) {
            const gfab_link link = gfab_topology_link(topology.get(), l);
            left[link.node[0]][link.node[1]] = left[link.node[1]][link.node[0]] =
                gfab_topology_weight(topology.get(), l);
        }
        for (uint32_t flow = 0;; flow++) {
            std::vector<uint32_t> from(nodes, UINT32_MAX), queue{root};
            from[root] = root;
            for (size_t i = 0; i < queue.size() && from[sink] == UINT32_MAX; i++)
                for (uint32_t v = 0; v < nodes; v++)
                    if (left[queue[i]][v] && from[v] == UINT32_MAX) {
                        from[v] = queue[i];
                        queue.push_back(v);
                    }
            if (from[sink] == UINT32_MAX) {
                least = std::min(least, flow);
                break;
            }
            for (uint32_t v = sink; v != root; v = from[v]) {
                left[from[v]][v]--;
                left[v][from[v]]++;
            }
        }
    }
    return least;
}

// ceil(B / 2) + ecc - 1, which is the bound "degree" where the root is in a corner; one more with sides of 2 and 3.
void check_mesh(uint32_t rows, uint32_t columns)
{
    const Topology mesh = parse(grid("mesh", rows, columns));
    for (uint32_t root = 0; root < rows * columns; root++)
        for (const uint32_t blocks : {64u, 256u, 1024u}) {
            if (blocks > extent(64, 1024))
                continue;
            const uint32_t most = blocks / 2 + eccentricity(mesh, root) - 1 + (std::min(rows, columns) < 4);
            for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE})
                EXPECT_LE(rounds_of(mesh, rooted(collective, blocks, root)), most)
                    << rows << "x" << columns << " root " << root << ", " << blocks;
        }
}

TEST(Arborescences, Meshes)
{
    for (uint32_t rows = 2; rows <= extent(5, 9); rows++)
        for (uint32_t columns = rows; columns <= extent(6, 16); columns++)
            check_mesh(rows, columns);
}

TEST(Arborescences, LargeMeshes)
{
    for (uint32_t rows = extent(16, 10); rows <= 16; rows++)
        for (uint32_t columns = rows; columns <= 16; columns++) {
            if (extent(0, 1)) {
                check_mesh(rows, columns);
                continue;
            }
            const Topology mesh = parse(grid("mesh", rows, columns));
            EXPECT_EQ(rounds_of(mesh, rooted(GFAB_BROADCAST, 64, 0)), 32 + rows + columns - 2 - 1);
        }
}

// Two above the bound "degree" at most: ceil(B / 4) + ecc - 1. All nodes of a torus are alike.
TEST(Arborescences, Tori)
{
    for (uint32_t rows = 4; rows <= extent(9, 16); rows++)
        for (uint32_t columns = rows; columns <= extent(9, 16); columns++) {
            const Topology torus = parse(grid("torus", rows, columns));
            for (const uint32_t blocks : {64u, 256u, 1024u})
                for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE}) {
                    const uint32_t bound = blocks / 4 + rows / 2 + columns / 2 - 1;
                    if (blocks > extent(64, 1024))
                        continue;
                    const uint32_t rounds = rounds_of(torus, rooted(collective, blocks, 0));
                    EXPECT_LE(rounds, bound + 2) << rows << "x" << columns << ", " << blocks;
                    EXPECT_GE(rounds, bound);
                }
        }
    const Topology torus = parse("torus:8x8");
    for (uint32_t root = 0; root < 64; root += extent(21, 1))
        EXPECT_LE(rounds_of(torus, rooted(GFAB_BROADCAST, 64, root)), 16u + 8u + 1u) << root;
}

// On the hypercube of D axes D trees of depth D + 1 (Johnsson & Ho), whether it is given as a mesh or as a graph.
TEST(Arborescences, Hypercubes)
{
    for (uint32_t axes = 2; axes <= extent(5, 8); axes++) {
        std::string mesh = "mesh:2";
        for (uint32_t i = 1; i < axes; i++)
            mesh += "x2";
        for (const std::string &spec : {mesh, "hypercube:" + std::to_string(axes)})
            EXPECT_LE(rounds_of(parse(spec), rooted(GFAB_BROADCAST, 10 * axes, 1)), 10 + axes + 1 - 1) << spec;
    }
}

// As many blocks a round as the least cut lets through, and no number that it is told: more blocks, as many more
// rounds.
TEST(Arborescences, AnyGraphAtTheLeastCut)
{
    uint64_t random = 3;
    uint32_t graphs = 0;
    for (uint32_t i = 0; i < extent(12, 100); i++) {
        const uint32_t nodes = 3 + gfab_random_below(&random, extent(10, 30));
        std::string spec = "random:n=" + std::to_string(nodes) +
                           ",m=" + std::to_string(std::min(2 * nodes, nodes * (nodes - 1) / 2)) +
                           ",seed=" + std::to_string(i + 1);
        gfab_topology *made = nullptr;
        if (gfab_topology_parse(spec.c_str(), &made, nullptr) != GFAB_OK)
            continue; // not connected: a few of the large form
        const Topology plain(made);
        graphs++;
        for (size_t l = 0; l < gfab_topology_link_count(plain.get()); l++) {
            const gfab_link link = gfab_topology_link(plain.get(), l);
            spec += "+weight=" + std::to_string(link.node[0]) + "-" + std::to_string(link.node[1]) + ":" +
                    std::to_string(1 + gfab_random_below(&random, 8));
        }
        const Topology topology = parse(spec);
        const uint32_t root = gfab_random_below(&random, nodes), cut = least_cut(topology, root);
        for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE}) {
            const uint32_t many = rounds_of(topology, rooted(collective, 200 * cut, root));
            EXPECT_EQ(rounds_of(topology, rooted(collective, 300 * cut, root)), many + 100) << spec;
            EXPECT_LE(many, 200 - 1 + 2 * eccentricity(topology, root) + 2) << spec << ", root " << root;
        }
    }
    EXPECT_GE(graphs, extent(12, 80));
}

// Few blocks go along fewer trees, which are less deep: one block in as many rounds as the root is far from a node.
TEST(Arborescences, FewBlocks)
{
    for (const char *spec : {"torus:8x8", "mesh:5x7", "complete:6", "debruijn:4"}) {
        const Topology topology = parse(spec);
        EXPECT_EQ(rounds_of(topology, rooted(GFAB_BROADCAST, 1, 0)), eccentricity(topology, 0)) << spec;
        uint32_t before = 0;
        for (uint32_t blocks = 1; blocks < 20; blocks++) {
            const uint32_t rounds = rounds_of(topology, rooted(GFAB_REDUCE, blocks, 0));
            EXPECT_GE(rounds, bound_on(topology, links(GFAB_LINK_FULL), rooted(GFAB_REDUCE, blocks, 0)));
            EXPECT_GE(rounds + 2, before);
            before = rounds;
        }
    }
}

// A path of L links takes (L - 1) hops and a round; blocks still follow each other by a round.
TEST(Arborescences, Hops)
{
    const Topology mesh = parse("mesh:4x4");
    for (const uint32_t hop : {2u, 3u, 7u})
        EXPECT_EQ(rounds_of(mesh, rooted(GFAB_BROADCAST, 64, 0), hop), 31 + 5 * hop + 1) << hop;
}

// The group is kept once: its packets, and what it takes to make it, are the same for any number of blocks.
TEST(Arborescences, KeptAsOneGroup)
{
    const Topology torus = parse("torus:8x8");
    const gfab_model model = links(GFAB_LINK_FULL);
    for (const uint32_t blocks : {640u, 640000u, 2000000001u}) {
        const gfab_goal goal = rooted(GFAB_BROADCAST, blocks, 9);
        gfab_solver_options options = gfab_solver_options_default();
        options.goal = &goal;
        gfab_schedule *made = nullptr;
        ASSERT_EQ(gfab_solver_find(solver)->solve(torus.get(), &model, &options, &made, nullptr), GFAB_OK);
        const Schedule schedule(made);
        EXPECT_EQ(gfab_schedule_period(made), 1u);
        EXPECT_EQ(gfab_schedule_group(made), 4u);
        EXPECT_EQ(gfab_schedule_kept_count(made), 4u * 63u);
        EXPECT_LE(gfab_schedule_rounds(made), (blocks + 3) / 4 + 8);
        EXPECT_EQ(checked(schedule).fault, GFAB_FAULT_NONE);
        EXPECT_EQ(gfab_schedule_set_blocks(made, 103), GFAB_OK);
        EXPECT_EQ(checked(schedule).fault, GFAB_FAULT_NONE);
        EXPECT_EQ(checked(unrolled(schedule)).fault, GFAB_FAULT_NONE);
    }
}

// What growing and annealing leave: k trees, each node reached once by each, depths right, no arc twice.
TEST(Arborescences, PackingsAreDisjoint)
{
    for (const char *spec : {"torus:5x6", "mesh:4x4", "complete:7", "random:n=30,m=90,seed=4", "debruijn:4",
                             "graph:4:0-1,1-2,2-3,0-3+weight=0-1:3+weight=0-3:2"}) {
        const Topology topology = parse(spec);
        gfab_solver_options options = gfab_solver_options_default();
        gfab_arbor_graph graph;
        ASSERT_EQ(gfab_arbor_graph_create(topology.get(), false, 100, &graph), GFAB_OK);
        uint32_t count;
        uint64_t random = 5;
        ASSERT_EQ(gfab_arbor_count(&graph, 2, 100, &options, &count), GFAB_OK);
        EXPECT_EQ(count, least_cut(topology, 2)) << spec;
        gfab_arbor_packing packing;
        ASSERT_EQ(gfab_arbor_packing_create(&graph, 2, count, &packing), GFAB_OK);
        ASSERT_EQ(gfab_arbor_grow(&packing, &random, &options), GFAB_OK);
        for (uint32_t wanted = 40; wanted > 0; wanted /= 2) {
            bool reached;
            ASSERT_EQ(gfab_arbor_anneal(&packing, wanted, 5000, &random, &options, &reached), GFAB_OK);
            EXPECT_EQ(reached, gfab_arbor_depth(&packing) <= wanted);
            std::vector<uint32_t> owner(graph.arcs, GFAB_ARBOR_NONE);
            for (uint32_t tree = 0; tree < count; tree++)
                for (uint32_t v = 0; v < graph.nodes; v++) {
                    const size_t cell = tree * graph.nodes + v;
                    const uint32_t arc = packing.parent[cell];
                    if (v == 2) {
                        EXPECT_EQ(packing.depth[cell], 0u);
                        continue;
                    }
                    ASSERT_LT(arc, graph.arcs);
                    EXPECT_EQ(owner[arc], GFAB_ARBOR_NONE);
                    owner[arc] = tree;
                    EXPECT_EQ(graph.to[arc], v);
                    EXPECT_EQ(packing.depth[cell], packing.depth[tree * graph.nodes + graph.from[arc]] + 1);
                }
            EXPECT_TRUE(std::equal(owner.begin(), owner.end(), packing.owner)) << spec;
        }
        uint32_t least;
        ASSERT_EQ(gfab_arbor_least_depth(&graph, 2, count, &least), GFAB_OK);
        EXPECT_LE(least, gfab_arbor_depth(&packing)) << spec;
        gfab_arbor_packing_release(&packing);
        gfab_arbor_graph_release(&graph);
    }
}

TEST(Arborescences, SameSeedSameSchedule)
{
    const Topology torus = parse("torus:5x6");
    const gfab_goal goal = rooted(GFAB_BROADCAST, 4, 3);
    EXPECT_EQ(schedule_text(make(solver, torus, links(GFAB_LINK_FULL), goal).schedule),
              schedule_text(make(solver, torus, links(GFAB_LINK_FULL), goal).schedule));
}

TEST(Arborescences, IsInterrupted)
{
    const Topology torus = parse("torus:7x7");
    const gfab_model model = links(GFAB_LINK_FULL);
    const gfab_goal goal = rooted(GFAB_BROADCAST, 40, 0);
    for (int reports = 0; reports < 90; reports += 6)
        expect_interrupted(solver, torus, model, goal, reports);
}

TEST(Arborescences, RefusesWhatItDoesNotMake)
{
    const Topology mesh = parse("mesh:3x3"), relays = parse("mesh:3x3+relay=4");
    gfab_model one_port = links(GFAB_LINK_FULL), circuit = one_port, packets = one_port;
    one_port.port_mode = GFAB_PORT_ONE;
    circuit.routing = GFAB_ROUTING_CIRCUIT;
    packets.packet_tokens = 2;
    const gfab_goal goal = rooted(GFAB_BROADCAST, 8, 0);
    for (const gfab_model &model : {one_port, circuit, packets, links(GFAB_LINK_HALF)})
        EXPECT_EQ(make(solver, mesh, model, goal).status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make(solver, mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_REDUCE)).status, GFAB_ERR_UNSUPPORTED);
    const Made made = make(solver, relays, links(GFAB_LINK_FULL), goal);
    EXPECT_EQ(made.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(made.says.find("has relays"), std::string::npos) << made.says;
    const Made large = make(solver, parse("mesh:100x100"), links(GFAB_LINK_FULL), goal);
    EXPECT_EQ(large.status, GFAB_ERR_LIMIT);
    EXPECT_NE(large.says.find("10000 nodes with 39600 arcs"), std::string::npos) << large.says;
}

} // namespace
