// SPDX-License-Identifier: MIT
// All-reduces by packed spanning trees: how many fit, against every partition; schedules, against the bounds.
#include "collective_fixture.h"
#include "extent.h"

extern "C" {
#include "base/random.h"
#include "rate/strength.h"
#include "solvers/collective/packing/forest.h"
}

#include <algorithm>
#include <functional>

namespace
{

struct Graph {
    uint32_t nodes;
    std::vector<gfab_edge> edges;
};

// The graph on so many nodes that has the pairs of nodes whose bits are set, in order.
Graph graph_of(uint32_t nodes, uint32_t bits)
{
    Graph graph{nodes, {}};
    uint32_t bit = 0;
    for (uint32_t v = 1; v < nodes; v++)
        for (uint32_t u = 0; u < v; u++)
            if (bits >> bit++ & 1)
                graph.edges.push_back({{u, v}, {1, 1}});
    return graph;
}

bool is_connected(const Graph &graph)
{
    uint32_t seen = 1;
    for (uint32_t i = 0; i < graph.nodes; i++)
        for (const gfab_edge &e : graph.edges)
            if ((seen >> e.node[0] & 1) || (seen >> e.node[1] & 1))
                seen |= 1u << e.node[0] | 1u << e.node[1];
    return seen == (1u << graph.nodes) - 1;
}

uint64_t crossing(const Graph &graph, const std::vector<uint32_t> &part)
{
    uint64_t sum = 0;
    for (const gfab_edge &e : graph.edges)
        sum += part[e.node[0]] != part[e.node[1]] ? e.weight[0] + e.weight[1] : 0;
    return sum;
}

// The least crossing / (parts - 1) of all partitions.
std::pair<uint64_t, uint64_t> least_ratio(const Graph &graph)
{
    std::pair<uint64_t, uint64_t> least{UINT32_MAX, 1};
    std::vector<uint32_t> part(graph.nodes);
    std::function<void(uint32_t, uint32_t)> extend = [&](uint32_t v, uint32_t parts) {
        if (v == graph.nodes) {
            const uint64_t across = crossing(graph, part);
            if (parts > 1 && across * least.second < least.first * (parts - 1))
                least = {across, parts - 1};
            return;
        }
        for (part[v] = 0; part[v] <= parts; part[v]++)
            extend(v + 1, std::max(parts, part[v] + 1));
    };
    extend(0, 0);
    return least;
}

void expect_least(const Graph &graph)
{
    std::vector<uint32_t> part(graph.nodes);
    gfab_parts found{0, 0, part.data()};
    ASSERT_EQ(gfab_strength(graph.nodes, graph.nodes, graph.edges.data(), graph.edges.size(), nullptr, &found),
              GFAB_OK);
    const auto least = least_ratio(graph);
    EXPECT_EQ(found.crossing * least.second, least.first * (found.count - 1));
    EXPECT_EQ(found.crossing, crossing(graph, part));
    EXPECT_EQ(found.count, *std::max_element(part.begin(), part.end()) + 1);
}

TEST(Strength, IsTheLeastOfAllPartitionsOfSmallGraphs)
{
    for (uint32_t nodes = 2; nodes <= 5; nodes++)
        for (uint32_t bits = 0; bits < 1u << nodes * (nodes - 1) / 2; bits++)
            if (is_connected(graph_of(nodes, bits)))
                expect_least(graph_of(nodes, bits));
}

TEST(Strength, IsTheLeastWithWeightsParallelEdgesAndLoops)
{
    uint64_t random = 3;
    for (int i = 0; i < 500; i++) {
        Graph graph{2 + gfab_random_below(&random, 6), {}};
        for (uint32_t v = 1; v < graph.nodes; v++)
            graph.edges.push_back({{v, gfab_random_below(&random, v)}, 1 + gfab_random_below(&random, 9)});
        for (uint32_t k = gfab_random_below(&random, 9); k > 0; k--)
            graph.edges.push_back({{gfab_random_below(&random, graph.nodes), gfab_random_below(&random, graph.nodes)},
                                   1 + gfab_random_below(&random, 9)});
        expect_least(graph);
    }
}

// As many trees as fit, each edge in no more than it has room for; one more fits nowhere.
void expect_packed(const char *spec, uint32_t share)
{
    const Topology topology = parse(spec);
    const Links links = links_of(topology);
    Graph graph{static_cast<uint32_t>(gfab_topology_node_count(topology.get())), {}};
    for (const auto &link : links)
        graph.edges.push_back({{link.first, link.second}, {1, 1}});
    std::vector<uint32_t> part(graph.nodes), room(links.size(), share);
    gfab_parts found{0, 0, part.data()};
    ASSERT_EQ(gfab_strength(graph.nodes, graph.nodes, graph.edges.data(), links.size(), nullptr, &found), GFAB_OK);
    const uint32_t fit = static_cast<uint32_t>(share * found.crossing / 2 / (found.count - 1));
    gfab_images alone;
    ASSERT_EQ(gfab_images_create(topology.get(), true, 1, &alone), GFAB_OK);
    ASSERT_EQ(alone.count, 1u);
    for (uint32_t trees = fit; trees <= fit + 1; trees++) {
        gfab_forest forest;
        ASSERT_EQ(gfab_forest_create(&alone, trees, room.data(), 1, &forest), GFAB_OK);
        gfab_forest_grow(&forest);
        for (uint32_t tree = 0; tree < trees; tree++)
            gfab_forest_hang(&forest, tree);
        while (forest.missing && gfab_forest_augment(&forest)) {
        }
        EXPECT_EQ(forest.missing == 0, trees == fit) << spec << ", " << trees << " trees";
        for (size_t l = 0; l < links.size(); l++) {
            uint32_t uses = 0;
            for (uint32_t tree = 0; tree < trees; tree++)
                uses += forest.has[tree * links.size() + l];
            EXPECT_EQ(uses + forest.left[l], share);
        }
        gfab_forest_release(&forest);
    }
    gfab_images_release(&alone);
}

// A group of symmetries, every one another renumbering that keeps the links; none but the first leaves a resource where
// it is.
void expect_images(const char *spec, bool full, uint32_t most, uint32_t count)
{
    const Topology topology = parse(spec);
    gfab_images images;
    ASSERT_EQ(gfab_images_create(topology.get(), full, most, &images), GFAB_OK);
    EXPECT_EQ(images.count, count) << spec;
    std::vector<std::vector<uint32_t>> rows;
    for (uint32_t h = 0; h < images.count; h++) {
        const uint32_t *row = images.node + static_cast<size_t>(h) * images.nodes;
        rows.emplace_back(row, row + images.nodes);
        std::vector<uint32_t> sorted = rows.back();
        std::sort(sorted.begin(), sorted.end());
        for (uint32_t v = 0; v < images.nodes; v++)
            ASSERT_EQ(sorted[v], v) << spec;
        for (gfab_arc arc = 0; arc < 2 * images.links; arc++) {
            const gfab_arc image = gfab_images_arc(&images, h, arc);
            EXPECT_EQ(gfab_topology_arc_from(topology.get(), image), row[gfab_topology_arc_from(topology.get(), arc)]);
            EXPECT_EQ(gfab_topology_arc_to(topology.get(), image), row[gfab_topology_arc_to(topology.get(), arc)]);
            EXPECT_EQ(images.arc_class[image], images.arc_class[arc]);
            EXPECT_EQ(images.link_class[image / 2], images.link_class[arc / 2]);
            EXPECT_TRUE(h == 0 || (full ? image != arc : image / 2 != arc / 2)) << spec << ", " << h << ", arc " << arc;
        }
    }
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(std::unique(rows.begin(), rows.end()), rows.end()) << spec;
    gfab_images_release(&images);
}

TEST(Images, AreGroupsThatLeaveNoResourceWhereItIs)
{
    for (const bool full : {false, true}) {
        expect_images("torus:4x6", full, 24, 24);
        expect_images("torus:4x6", full, 23, 12);
        expect_images("cycle:9", full, 9, 9);
        expect_images("cycle:9", full, 8, 3);
        expect_images("hypercube:4", full, 16, full ? 16 : 8);
        expect_images("torus:2x5", full, 10, full ? 10 : 5);
        expect_images("mesh:4x4", full, 16, full ? 4 : 2);
        expect_images("mesh:3x4", full, 12, full ? 2 : 1);
        expect_images("complete:5", full, 5, 5);
        expect_images("mesh:2x3", full, 6, full ? 2 : 1);
        expect_images("torus:4x6+weight=0-1:2", full, 24, 1);
        expect_images("random:n=20,m=50,seed=3", full, 20, 1);
    }
}

TEST(Forest, HasAsManyTreesAsFit)
{
    expect_packed("mesh:4x4", 5);
    expect_packed("mesh:3x5", 7);
    expect_packed("cycle:9", 8);
    expect_packed("torus:4x4", 7);
    expect_packed("hypercube:4", 15);
    expect_packed("random:n=20,m=50,seed=3", 4);
}

uint32_t diameter_of(const Topology &topology)
{
    uint32_t diameter = 0;
    EXPECT_EQ(gfab_topology_diameter(topology.get(), nullptr, &diameter), GFAB_OK);
    return diameter;
}

// At most 1.01 times the bound and two diameters.
void expect_near(const char *spec, uint32_t blocks, gfab_link_mode mode)
{
    const Topology topology = parse(spec);
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, blocks);
    const Made made = make("packing", topology, links(mode), goal);
    ASSERT_EQ(made.status, GFAB_OK) << made.says;
    const uint64_t bound = bound_on(topology, links(mode), goal);
    EXPECT_LE(100 * static_cast<uint64_t>(made.rounds()), 101 * bound + 200 * diameter_of(topology))
        << spec << ", " << blocks << " blocks: " << made.rounds() << " rounds, bound " << bound;
}

TEST(Packing, IsNearTheBoundOnLongVectors)
{
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
        expect_near("mesh:4x4", 512, mode);
        expect_near("mesh:3x5", 120, mode);
        if (extent(0, 1))
            expect_near("mesh:8x8", 512, mode);
        expect_near("torus:4x4", 128, mode);
        expect_near("hypercube:4", 128, mode);
        expect_near("cycle:16", 128, mode);
        expect_near("path:7", 56, mode);
        if (extent(0, 1))
            expect_near("cycle:64", 513, mode);
        expect_near("torus:8x8", 768, mode);
        expect_near("machine:dgx1", 384, mode); // its symmetries' images alone take 132 rounds, not 116
    }
}

// With all their images two trees are enough: the bound itself.
TEST(Packing, MeetsTheBoundOnToriAndHypercubes)
{
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
        for (const char *spec : {"torus:4x4", "torus:4x4x4", "hypercube:6", "cycle:64"}) {
            const Topology topology = parse(spec);
            const auto nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
            const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, 8 * nodes);
            const Made made = make("packing", topology, links(mode), goal);
            ASSERT_EQ(made.status, GFAB_OK) << made.says;
            EXPECT_EQ(made.rounds(), bound_on(topology, links(mode), goal)) << spec;
        }
}

// Every connected graph of 4 nodes, every number of blocks up to a few groups, both modes, a longer hop: what is made
// is verified, and never shorter than the bound.
TEST(Packing, IsRightOnAllSmallGraphs)
{
    for (uint32_t bits = 0; bits < 64; bits++) {
        const Graph graph = graph_of(4, bits);
        if (!is_connected(graph) || bits % extent(4, 1) != extent(3, 0)) // 14 graphs where time is short, else all
            continue;
        std::string spec = "graph:4:";
        for (const gfab_edge &e : graph.edges)
            spec += (spec.back() == ':' ? "" : ",") + std::to_string(e.node[0]) + "-" + std::to_string(e.node[1]);
        const Topology topology = parse(spec);
        for (uint32_t blocks = 1; blocks <= 13; blocks += 3)
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
                const gfab_model model = links(mode, 1 + blocks % 2);
                const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, blocks);
                const Made made = make("packing", topology, model, goal);
                ASSERT_EQ(made.status, GFAB_OK) << made.says;
                EXPECT_GE(made.rounds(), bound_on(topology, model, goal));
            }
    }
}

// A star of eight members around a relay, and others: one tree is all that a member's only link allows.
TEST(Packing, TakesRelaysAndWeights)
{
    const Topology star = parse("graph:9:0-8,1-8,2-8,3-8,4-8,5-8,6-8,7-8+relay=8");
    const Made made = make("packing", star, links(GFAB_LINK_FULL), goal_on(star, GFAB_ALL_REDUCE, 64));
    ASSERT_EQ(made.status, GFAB_OK) << made.says;
    EXPECT_LE(made.rounds(), 64u + 8u + 4u);
    for (const char *spec : {"path:4+weight=1-2:3", "mesh:4x4+relay=5,6", "mesh:3x3+relay=4+weight=0-1:2",
                             "cycle:6+weight=0-1:4+weight=3-4:2", "mesh:4x4+members=0,3,12,15"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            const Topology topology = parse(spec);
            EXPECT_EQ(make("packing", topology, links(mode), goal_on(topology, GFAB_ALL_REDUCE, 40)).status, GFAB_OK)
                << spec;
        }
}

TEST(Packing, KeepsOneGroupWhateverTheLength)
{
    const Topology topology = parse("mesh:4x4");
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, 640000);
    const gfab_model model = links(GFAB_LINK_FULL);
    options.goal = &goal;
    ASSERT_EQ(gfab_solver_find("packing")->solve(topology.get(), &model, &options, &made, &diag), GFAB_OK);
    const Schedule schedule(made);
    EXPECT_EQ(gfab_schedule_period(made), 5u);
    EXPECT_EQ(gfab_schedule_group(made), 8u);
    EXPECT_EQ(gfab_schedule_kept_count(made), 8u * 30u);
    EXPECT_LE(gfab_schedule_rounds(made), 400000u + 12u);
}

TEST(Packing, RefusesWhatItIsNotFor)
{
    const Topology topology = parse("mesh:3x3");
    gfab_model model = links(GFAB_LINK_FULL);
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, 9), other = goal_on(topology, GFAB_BROADCAST, 9);
    EXPECT_EQ(make("packing", topology, model, other).status, GFAB_ERR_UNSUPPORTED);
    model.packet_tokens = 2;
    EXPECT_EQ(make("packing", topology, model, goal).status, GFAB_ERR_UNSUPPORTED);
    model = links(GFAB_LINK_FULL);
    model.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(make("packing", topology, model, goal).status, GFAB_ERR_UNSUPPORTED);
}

} // namespace
