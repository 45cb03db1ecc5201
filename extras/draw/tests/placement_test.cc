// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <gossipfab/draw/placement.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace
{

struct Destroy {
    void operator()(gfab_placement *placement) const { gfab_placement_destroy(placement); }
};
using Placement = std::unique_ptr<gfab_placement, Destroy>;

Placement place(const gfab_topology *topology)
{
    gfab_placement *placement = nullptr;
    EXPECT_EQ(gfab_placement_create(topology, &placement, nullptr), GFAB_OK);
    return Placement(placement);
}

double distance(gfab_place a, gfab_place b)
{
    return std::hypot(a.x - b.x, a.y - b.y) / GFAB_PLACEMENT_UNIT;
}

/* Are all nodes at least so far from each other, in units, and within the picture? */
bool apart(const std::vector<gfab_place> &nodes, gfab_place size, double least)
{
    for (size_t i = 0; i < nodes.size(); i++) {
        if (nodes[i].x < 0 || nodes[i].y < 0 || nodes[i].x > size.x || nodes[i].y > size.y)
            return false;
        for (size_t j = 0; j < i; j++)
            if (distance(nodes[i], nodes[j]) < least)
                return false;
    }
    return true;
}

std::vector<gfab_place> nodes_of(const gfab_topology *topology, const gfab_placement *placement)
{
    return {placement->nodes, placement->nodes + gfab_topology_node_count(topology)};
}

TEST(Placement, GridsAreGrids)
{
    const auto topology = parse("torus:3x4");
    const auto placement = place(topology.get());
    for (int v = 0; v < 12; v++) {
        EXPECT_EQ(placement->nodes[v].x, v % 4 * GFAB_PLACEMENT_UNIT);
        EXPECT_EQ(placement->nodes[v].y, v / 4 * GFAB_PLACEMENT_UNIT);
    }
    EXPECT_EQ(placement->size.x, 3 * GFAB_PLACEMENT_UNIT);
    EXPECT_EQ(placement->size.y, 2 * GFAB_PLACEMENT_UNIT);
    for (size_t l = 0; l < gfab_topology_link_count(topology.get()); l++) { // round the edge to the right, and down
        const gfab_link link = gfab_topology_link(topology.get(), l);
        const bool across = link.node[0] / 4 == link.node[1] / 4, wraps = link.node[0] > link.node[1];
        EXPECT_EQ(placement->stubs[l].x > 0, wraps && across) << l;
        EXPECT_EQ(placement->stubs[l].y > 0, wraps && !across) << l;
    }
}

TEST(Placement, LinksAreDrawnWholeOrAsStubs)
{
    for (const char *spec : {"path:9", "path:40", "cycle:3", "cycle:30", "mesh:1x9", "mesh:4x5", "torus:2x5", "torus:2",
                             "mesh:3x3x3", "torus:3x4x5", "torus:2x2x2x2", "mesh:2x1x3x2"}) {
        const auto topology = parse(spec);
        const auto placement = place(topology.get());
        EXPECT_TRUE(apart(nodes_of(topology.get(), placement.get()), placement->size, 0.999)) << spec;
        for (size_t l = 0; l < gfab_topology_link_count(topology.get()); l++) {
            const gfab_link link = gfab_topology_link(topology.get(), l);
            const double length = distance(placement->nodes[link.node[0]], placement->nodes[link.node[1]]);
            if (placement->stubs[l].x == 0 && placement->stubs[l].y == 0)
                EXPECT_NEAR(length, 1, 0.002) << spec << " link " << l; // places of a circle are rounded
            else
                EXPECT_GT(length, 1.5) << spec << " link " << l;
        }
    }
}

TEST(Placement, HypercubesAreToriWithSidesOfFour)
{
    for (const char *spec : {"hypercube:4", "hypercube:5", "hypercube:8", "hypercube:8+drop-link=0-1", "hypercube:9"}) {
        const auto topology = parse(spec);
        const auto placement = place(topology.get());
        const auto nodes = nodes_of(topology.get(), placement.get());
        EXPECT_TRUE(apart(nodes, placement->size, 1)) << spec;
        size_t straight = 0;
        for (size_t l = 0; l < gfab_topology_link_count(topology.get()); l++) {
            const gfab_link link = gfab_topology_link(topology.get(), l);
            if (placement->stubs[l].x == 0 && placement->stubs[l].y == 0) {
                EXPECT_EQ(distance(nodes[link.node[0]], nodes[link.node[1]]), 1) << spec << " " << l;
                straight++;
            } else if (placement->stubs[l].x == 0 || placement->stubs[l].y == 0) { // out of the grid, at both ends
                for (int end = 0; end < 2; end++) {
                    const gfab_place at = nodes[link.node[end]], way = placement->stubs[l];
                    const auto sign = [end](int32_t v) { return (end == 0 ? 1 : -1) * ((v > 0) - (v < 0)); };
                    const gfab_place beside = {at.x + sign(way.x) * GFAB_PLACEMENT_UNIT,
                                               at.y + sign(way.y) * GFAB_PLACEMENT_UNIT};
                    for (const gfab_place &node : nodes)
                        EXPECT_GT(distance(node, beside), 0.4) << spec << " " << l;
                }
            }
        }
        // Three of the four links of each row and column of four.
        const size_t lines = 2 * gfab_topology_node_count(topology.get()) / 4;
        EXPECT_EQ(straight, 3 * lines - (std::string(spec).find('+') != std::string::npos)) << spec;
    }
    // Of a mutilated one the numbers mean nothing.
    const auto topology = parse("hypercube:5+drop-node=31");
    const auto placement = place(topology.get());
    for (size_t l = 0; l < gfab_topology_link_count(topology.get()); l++)
        EXPECT_TRUE(placement->stubs[l].x == 0 && placement->stubs[l].y == 0);
}

TEST(Placement, OtherGraphsSpreadOut)
{
    for (const char *spec : {"hypercube:3", "debruijn:5", "star:4", "ccc:4", "graph:5:0-1,1-2,2-3,3-4,4-0,0-2"}) {
        const auto topology = parse(spec);
        const auto placement = place(topology.get()), again = place(topology.get());
        const auto nodes = nodes_of(topology.get(), placement.get());
        EXPECT_TRUE(apart(nodes, placement->size, 0.5)) << spec;
        EXPECT_GE(placement->size.x, placement->size.y * 0.8) << spec;
        double links = 0, pairs = 0;
        for (size_t l = 0; l < gfab_topology_link_count(topology.get()); l++) {
            const gfab_link link = gfab_topology_link(topology.get(), l);
            links += distance(nodes[link.node[0]], nodes[link.node[1]]);
        }
        for (size_t i = 0; i < nodes.size(); i++) {
            EXPECT_EQ(nodes[i].x, again->nodes[i].x) << spec;
            EXPECT_EQ(nodes[i].y, again->nodes[i].y) << spec;
            for (size_t j = 0; j < i; j++)
                pairs += distance(nodes[i], nodes[j]);
        }
        const double all = static_cast<double>(nodes.size() * (nodes.size() - 1)) / 2;
        const double mean_link = links / static_cast<double>(gfab_topology_link_count(topology.get()));
        EXPECT_LT(mean_link, pairs / all) << spec; // neighbours are nearer than others
        EXPECT_LT(mean_link, 2) << spec;
    }
}

/* Does every link go to the row above or below, and do members alone stand in the lowest? */
bool in_rows(const gfab_topology *topology, const std::vector<gfab_place> &nodes, gfab_place size)
{
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        if (nodes[link.node[0]].y == nodes[link.node[1]].y)
            return false;
    }
    for (size_t v = 0; v < nodes.size(); v++)
        if ((nodes[v].y == size.y) == gfab_topology_is_relay(topology, static_cast<uint32_t>(v)))
            return false;
    return true;
}

TEST(Placement, TreesOfSwitchesHaveTheirMembersBelow)
{
    for (const char *spec : {"fat-tree:4", "machine:h100x2", "machine:a100x2", "graph:5:0-3,1-3,2-4,3-4+relay=3,4"}) {
        const auto topology = parse(spec);
        const auto placement = place(topology.get());
        const auto nodes = nodes_of(topology.get(), placement.get());
        EXPECT_TRUE(apart(nodes, placement->size, 0.6)) << spec;
        EXPECT_EQ(in_rows(topology.get(), nodes, placement->size), std::string(spec).find("graph") != 0) << spec;
    }
    const auto topology = parse("fat-tree:4"); // a leaf stands above the middle of its two hosts
    const auto placement = place(topology.get());
    for (int leaf = 0; leaf < 8; leaf++)
        EXPECT_NEAR(placement->nodes[16 + leaf].x,
                    (placement->nodes[2 * leaf].x + placement->nodes[2 * leaf + 1].x) / 2.0, 1);
    auto mixed = nodes_of(topology.get(), placement.get()); // a switch in the row of the members
    std::swap(mixed[0], mixed[16]);
    EXPECT_FALSE(in_rows(topology.get(), mixed, placement->size));
}

TEST(Placement, NodesInOnePlaceAreRejected)
{
    EXPECT_TRUE(apart({{0, 0}, {1000, 0}}, {1000, 0}, 1));
    EXPECT_FALSE(apart({{0, 0}, {400, 0}}, {1000, 0}, 0.5));
    EXPECT_FALSE(apart({{0, 0}, {1000, 0}}, {900, 0}, 0.5));
}

TEST(Placement, TooManyNodesAreRefused)
{
    gfab_diag diag = {0, ""};
    gfab_placement *placement = nullptr;
    const auto topology = parse("path:4097");
    EXPECT_EQ(gfab_placement_create(topology.get(), &placement, &diag), GFAB_ERR_LIMIT);
    EXPECT_EQ(placement, nullptr);
    EXPECT_STREQ(diag.message, "path:4097 has 4097 nodes: pictures have at most 4096");
}

} // namespace
