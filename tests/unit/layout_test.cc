// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <algorithm>
#include <vector>

namespace
{

// Lanes as a table, so that the checker below can be given a wrong one.
struct Table {
    std::vector<std::vector<uint32_t>> lane; // node, port
    std::vector<uint32_t> skew;
};

Table table_of(const Layout &layout)
{
    const gfab_topology *topology = gfab_layout_topology(layout.get());
    Table table;
    for (size_t node = 0; node < gfab_topology_node_count(topology); node++) {
        size_t count;
        gfab_topology_ports(topology, node, &count);
        table.lane.emplace_back();
        for (size_t port = 0; port < count; port++)
            table.lane.back().push_back(gfab_layout_lane(layout.get(), node, port));
        table.skew.push_back(gfab_layout_skew(layout.get(), node));
    }
    return table;
}

// What layout.h promises; "" or the first thing that is not so.
std::string fault(const gfab_topology *topology, const Table &table)
{
    const size_t lanes = gfab_topology_max_degree(topology);
    for (size_t node = 0; node < table.lane.size(); node++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, node, &count);
        std::vector<bool> used(lanes, false);
        uint32_t skew = 0;
        for (size_t port = 0; port < count; port++) {
            const uint32_t lane = table.lane[node][port];
            const uint32_t other = table.lane[ports[port].peer][ports[port].peer_port];
            if (lane >= lanes)
                return "lane too high";
            if (used[lane])
                return "lane twice";
            used[lane] = true;
            if (lane != other && lane != 0 && other != 0)
                return "ends differ and neither is 0";
            if (lane != other && lane == 0)
                skew = other;
        }
        if (table.skew[node] != skew)
            return "wrong skew";
    }
    return "";
}

void expect_good(const std::string &spec, bool skewed)
{
    const Topology topology = parse(spec);
    const Layout layout = layout_of(topology);
    EXPECT_EQ(fault(topology.get(), table_of(layout)), "") << spec;
    EXPECT_EQ(gfab_layout_any_skew(layout.get()), skewed) << spec;
    EXPECT_EQ(gfab_layout_lane_count(layout.get()), gfab_topology_max_degree(topology.get())) << spec;
    for (size_t node = 0; node < gfab_topology_node_count(topology.get()); node++) {
        size_t count;
        gfab_topology_ports(topology.get(), node, &count);
        size_t present = 0;
        for (size_t lane = 0; lane < gfab_layout_lane_count(layout.get()); lane++) {
            const uint32_t port = gfab_layout_port(layout.get(), node, lane);
            if (port == GFAB_NO_PORT)
                continue;
            present++;
            ASSERT_LT(port, count) << spec;
            EXPECT_EQ(gfab_layout_lane(layout.get(), node, port), lane) << spec;
        }
        EXPECT_EQ(present, count) << spec;
    }
}

std::string text(uint32_t number)
{
    return std::to_string(number);
}

// A torus with an odd number of nodes has K / 2 links too many for K matchings; every other grid can do without
// skew.
bool needs_skew(uint32_t a, uint32_t b, uint32_t c)
{
    return a * b * c % 2 == 1;
}

} // namespace

TEST(Layout, PathsAndCycles)
{
    for (uint32_t n = 2; n <= 40; n++)
        expect_good("path:" + text(n), false);
    for (uint32_t n = 3; n <= 40; n++)
        expect_good("cycle:" + text(n), n % 2 == 1);
}

TEST(Layout, MeshesAndToriOfTwoDimensions)
{
    for (uint32_t a = 1; a <= 12; a++)
        for (uint32_t b = 1; b <= 12; b++) {
            if (a * b == 1)
                continue;
            expect_good("mesh:" + text(a) + "x" + text(b), false);
            expect_good("torus:" + text(a) + "x" + text(b), needs_skew(a, b, 1));
        }
}

TEST(Layout, MeshesAndToriOfMoreDimensions)
{
    for (uint32_t a = 1; a <= 5; a++)
        for (uint32_t b = 1; b <= 5; b++)
            for (uint32_t c = 2; c <= 5; c++) {
                const std::string sides = text(a) + "x" + text(b) + "x" + text(c);
                expect_good("mesh:" + sides, false);
                expect_good("torus:" + sides, needs_skew(a, b, c));
            }
    expect_good("torus:3x3x3x3", true);
    expect_good("torus:3x3x2x3x2", false);
    expect_good("mesh:2x2x2x2x2x2x2x2", false);
}

TEST(Layout, LargeOnesTakeNoTime)
{
    expect_good("mesh:64x64", false);
    expect_good("torus:64x64", false);
    expect_good("torus:64x63", false);
    expect_good("torus:63x63", true);
    expect_good("torus:15x15x15", true);
}

// Any graph: links in rising number, K + 1 colours by Misra and Gries where there is no chain of two that helps.
TEST(Layout, AnyGraph)
{
    for (const char *spec :
         {"hypercube:6", "knoedel:5", "mesh:4x4+drop-link=5-6", "star:4", "pancake:4", "graph:2:0-1"})
        expect_good(spec, false);
    expect_good("graph:10:0-1,1-2,2-3,3-4,0-4,0-5,1-6,2-7,3-8,4-9,5-7,7-9,6-9,6-8,5-8", true); // the Petersen graph
    for (const char *spec :
         {"ccc:3", "ccc:5", "butterfly:3", "debruijn:6", "shuffle-exchange:6", "complete:6", "complete:12"}) {
        const Topology topology = parse(spec);
        EXPECT_EQ(fault(topology.get(), table_of(layout_of(topology))), "") << spec;
    }
    for (uint32_t n = 3; n <= 21; n += 2)
        expect_good("complete:" + text(n), true);
    for (uint32_t n = 5; n <= 24; n++)
        for (uint32_t seed = 1; seed <= 30; seed++) {
            const std::string spec = "random:n=" + text(n) + ",m=" + text(n * (n - 1) / 3) + ",seed=" + text(seed);
            gfab_topology *t = nullptr;
            if (gfab_topology_parse(spec.c_str(), &t, nullptr) != GFAB_OK)
                continue;
            const Topology topology(t);
            EXPECT_EQ(fault(topology.get(), table_of(layout_of(topology))), "") << spec;
        }
}

TEST(Layout, FewLinksOfAnOddTorusAreSkewed)
{
    const Topology topology = parse("torus:63x63");
    const Layout layout = layout_of(topology);
    size_t skewed = 0;
    for (size_t node = 0; node < gfab_topology_node_count(topology.get()); node++)
        skewed += gfab_layout_skew(layout.get(), node) != 0;
    EXPECT_LE(skewed, 2u * 63u); // of 7938 links
}

TEST(Layout, AxesHaveTwoLanesByParityOfTheLowerCoordinate)
{
    const Topology topology = parse("mesh:4x5");
    const Layout layout = layout_of(topology);
    for (uint32_t node = 0; node < 20; node++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology.get(), node, &count);
        for (size_t port = 0; port < count; port++) {
            const uint32_t lower = std::min(node, ports[port].peer);
            const bool row = lower / 5 == std::max(node, ports[port].peer) / 5;
            EXPECT_EQ(gfab_layout_lane(layout.get(), node, port), row ? lower % 5 % 2 : 2 + lower / 5 % 2);
        }
    }
}

TEST(Layout, CheckerSeesWrongTables)
{
    const Topology topology = parse("torus:3x3");
    const Table good = table_of(layout_of(topology));
    ASSERT_EQ(fault(topology.get(), good), "");

    Table high = good;
    high.lane[0][0] = 4;
    EXPECT_EQ(fault(topology.get(), high), "lane too high");
    Table twice = good;
    twice.lane[0][1] = twice.lane[0][0];
    EXPECT_EQ(fault(topology.get(), twice), "lane twice");
    Table differ = good;
    for (uint32_t &lane : differ.lane[4])
        lane = lane == 1 ? 2 : lane == 2 ? 1 : lane;
    EXPECT_EQ(fault(topology.get(), differ), "ends differ and neither is 0");
    for (size_t node = 0; node < 9; node++) {
        Table skew = good;
        skew.skew[node] ^= 1;
        EXPECT_EQ(fault(topology.get(), skew), "wrong skew");
    }
}
