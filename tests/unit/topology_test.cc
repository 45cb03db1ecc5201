// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace
{

Links links(const gfab_topology *t)
{
    Links result;
    for (size_t l = 0; l < gfab_topology_link_count(t); l++) {
        const gfab_link link = gfab_topology_link(t, l);
        result.emplace_back(link.node[0], link.node[1]);
    }
    return result;
}

const char *const samples[] = {"path:2",       "path:9",    "cycle:3",     "cycle:8",     "mesh:1x9",
                               "mesh:9x1",     "mesh:2x2",  "mesh:2x5",    "mesh:4x4",    "mesh:3x3x3",
                               "mesh:2x1x3x2", "torus:2x2", "torus:1x5",   "torus:2x5",   "torus:5x7",
                               "torus:3x3x3",  "torus:2",   "torus:2x2x2", "torus:4x3x2", "mesh:2x2x2x2x2x2x2x2"};

TEST(Topology, LinksAreNumberedAsDocumented)
{
    EXPECT_EQ(links(parse("path:3").get()), (Links{{0, 1}, {1, 2}}));
    EXPECT_EQ(links(parse("cycle:3").get()), (Links{{0, 1}, {1, 2}, {2, 0}}));
    // Last axis first: the rows, then the columns.
    EXPECT_EQ(links(parse("mesh:2x3").get()), (Links{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}}));
    EXPECT_EQ(links(parse("torus:3x3").get()), (Links{{0, 1},
                                                      {1, 2},
                                                      {2, 0},
                                                      {3, 4},
                                                      {4, 5},
                                                      {5, 3},
                                                      {6, 7},
                                                      {7, 8},
                                                      {8, 6},
                                                      {0, 3},
                                                      {3, 6},
                                                      {6, 0},
                                                      {1, 4},
                                                      {4, 7},
                                                      {7, 1},
                                                      {2, 5},
                                                      {5, 8},
                                                      {8, 2}}));
    EXPECT_EQ(links(parse("torus:2x3").get()),
              (Links{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}));
    EXPECT_EQ(links(parse("mesh:2x2x2").get()),
              (Links{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}));
}

TEST(Topology, CountsAndShape)
{
    const Topology t = parse("torus:5x7");
    EXPECT_EQ(gfab_topology_node_count(t.get()), 35u);
    EXPECT_EQ(gfab_topology_link_count(t.get()), 70u);
    EXPECT_EQ(gfab_topology_get_kind(t.get()), GFAB_TOPOLOGY_TORUS);
    EXPECT_EQ(gfab_topology_dimensions(t.get()), 2u);
    EXPECT_EQ(gfab_topology_side(t.get(), 0), 5u);
    EXPECT_EQ(gfab_topology_side(t.get(), 1), 7u);
    const Topology m = parse("mesh:3x3x3");
    EXPECT_EQ(gfab_topology_link_count(m.get()), 54u);
    EXPECT_EQ(gfab_topology_max_degree(m.get()), 6u);
    EXPECT_EQ(gfab_topology_min_degree(m.get()), 3u);
    EXPECT_EQ(gfab_topology_link_count(parse("mesh:64x64").get()), 8064u);
}

TEST(Topology, LinksAreSimpleAndConnectNeighbours)
{
    for (const char *spec : samples) {
        const Topology t = parse(spec);
        std::set<std::pair<uint32_t, uint32_t>> seen;
        for (const auto &[a, b] : links(t.get())) {
            EXPECT_NE(a, b) << spec;
            EXPECT_TRUE(seen.insert(std::minmax(a, b)).second) << spec;
        }
    }
}

TEST(Topology, PortsAreTheLinksInRisingOrder)
{
    for (const char *spec : samples) {
        const Topology t = parse(spec);
        size_t ends = 0, min_degree = SIZE_MAX, max_degree = 0;
        for (size_t v = 0; v < gfab_topology_node_count(t.get()); v++) {
            size_t count;
            const gfab_port *ports = gfab_topology_ports(t.get(), v, &count);
            ends += count;
            min_degree = std::min(min_degree, count);
            max_degree = std::max(max_degree, count);
            for (size_t i = 0; i < count; i++) {
                const gfab_link link = gfab_topology_link(t.get(), ports[i].link);
                EXPECT_EQ(link.node[ports[i].end], v) << spec;
                EXPECT_EQ(link.node[1 - ports[i].end], ports[i].peer) << spec;
                size_t peer_count;
                const gfab_port *peer = gfab_topology_ports(t.get(), ports[i].peer, &peer_count);
                ASSERT_LT(ports[i].peer_port, peer_count) << spec;
                EXPECT_EQ(peer[ports[i].peer_port].link, ports[i].link) << spec;
                EXPECT_EQ(peer[ports[i].peer_port].peer_port, i) << spec;
                if (i > 0) {
                    EXPECT_LT(ports[i - 1].link, ports[i].link) << spec;
                }
            }
        }
        EXPECT_EQ(ends, 2 * gfab_topology_link_count(t.get())) << spec;
        EXPECT_EQ(min_degree, gfab_topology_min_degree(t.get())) << spec;
        EXPECT_EQ(max_degree, gfab_topology_max_degree(t.get())) << spec;
    }
}

TEST(Topology, ArcsAreFoundFromBothEnds)
{
    const Topology t = parse("torus:3x4");
    for (size_t l = 0; l < gfab_topology_link_count(t.get()); l++) {
        const gfab_link link = gfab_topology_link(t.get(), l);
        for (uint32_t d = 0; d < 2; d++) {
            gfab_arc arc = 0;
            ASSERT_TRUE(gfab_topology_find_arc(t.get(), link.node[d], link.node[1 - d], &arc));
            EXPECT_EQ(arc, 2 * l + d);
            EXPECT_EQ(gfab_topology_arc_from(t.get(), arc), link.node[d]);
            EXPECT_EQ(gfab_topology_arc_to(t.get(), arc), link.node[1 - d]);
        }
    }
    gfab_arc arc = 77;
    EXPECT_FALSE(gfab_topology_find_arc(t.get(), 0, 5, &arc));
    EXPECT_FALSE(gfab_topology_find_arc(t.get(), 0, 0, &arc));
    EXPECT_FALSE(gfab_topology_find_arc(t.get(), 12, 0, &arc));
    EXPECT_EQ(arc, 77u);
}

TEST(Topology, NamesAreCanonicalAndReadBack)
{
    const std::pair<const char *, const char *> names[] = {{"mesh:9", "path:9"},     {"torus:9", "cycle:9"},
                                                           {"torus:2", "torus:2"},   {"path:9", "path:9"},
                                                           {"mesh:1x9", "mesh:1x9"}, {"torus:3x3x3", "torus:3x3x3"}};
    for (const auto &[spec, name] : names)
        EXPECT_STREQ(gfab_topology_name(parse(spec).get()), name);
    for (const char *spec : samples) {
        const Topology t = parse(spec);
        const Topology back = parse(gfab_topology_name(t.get()));
        EXPECT_STREQ(gfab_topology_name(back.get()), gfab_topology_name(t.get()));
        EXPECT_TRUE(gfab_topology_equal(t.get(), back.get()));
    }
}

TEST(Topology, EqualMeansTheSameNumberedGraph)
{
    EXPECT_TRUE(gfab_topology_equal(parse("mesh:1x9").get(), parse("path:9").get()));
    EXPECT_TRUE(gfab_topology_equal(parse("torus:2x2").get(), parse("mesh:2x2").get()));
    EXPECT_FALSE(gfab_topology_equal(parse("mesh:2x3").get(), parse("mesh:3x2").get()));
    EXPECT_FALSE(gfab_topology_equal(parse("cycle:4").get(), parse("mesh:2x2").get()));
    EXPECT_FALSE(gfab_topology_equal(parse("path:4").get(), parse("path:5").get()));
}

TEST(Topology, DiameterIsTheLongestDistance)
{
    for (const char *spec : samples) {
        const Topology t = parse(spec);
        const size_t n = gfab_topology_node_count(t.get());
        std::vector<uint32_t> distances(n), work(n);
        uint32_t longest = 0;
        for (uint32_t v = 0; v < n; v++) {
            gfab_topology_distances(t.get(), v, distances.data(), work.data());
            EXPECT_EQ(distances[v], 0u);
            longest = std::max(longest, *std::max_element(distances.begin(), distances.end()));
        }
        uint32_t diameter = 0;
        EXPECT_EQ(gfab_topology_diameter(t.get(), nullptr, &diameter), GFAB_OK);
        EXPECT_EQ(diameter, longest) << spec;
    }
}

TEST(Topology, DistancesByHand)
{
    const Topology t = parse("torus:4x5");
    uint32_t distances[20], work[20];
    gfab_topology_distances(t.get(), 0, distances, work);
    const uint32_t expected[20] = {0, 1, 2, 2, 1, 1, 2, 3, 3, 2, 2, 3, 4, 4, 3, 1, 2, 3, 3, 2};
    for (int v = 0; v < 20; v++)
        EXPECT_EQ(distances[v], expected[v]) << v;
}

TEST(Topology, BadSpecsAreRefusedInOneClearLine)
{
    const BadSpec bad[] = {
        {"", GFAB_ERR_PARSE, "unknown family"},
        {"mesh", GFAB_ERR_PARSE, "write mesh:AxB"},
        {"mesh:", GFAB_ERR_PARSE, "a number is expected"},
        {"mesh:4x", GFAB_ERR_PARSE, "a number is expected"},
        {"mesh:x4", GFAB_ERR_PARSE, "at \"x4\""},
        {"mesh:4X4", GFAB_ERR_PARSE, "unexpected \"X4\""},
        {"mesh:4x4 ", GFAB_ERR_PARSE, "unexpected \" \""},
        {"mesh: 4x4", GFAB_ERR_PARSE, "a number is expected"},
        {"mesh:-4x4", GFAB_ERR_PARSE, "at \"-4x4\""},
        {"mesh:+4x4", GFAB_ERR_PARSE, "at \"+4x4\""},
        {"mesh:04x4", GFAB_ERR_PARSE, "leading zero"},
        {"mesh:4.0x4", GFAB_ERR_PARSE, "unexpected \".0x4\""},
        {"Mesh:4x4", GFAB_ERR_PARSE, "unknown family \"Mesh\""},
        {"blob:3", GFAB_ERR_PARSE, "unknown family \"blob\""},
        {"meshes:4x4", GFAB_ERR_PARSE, "unknown family"},
        {"path:3x3", GFAB_ERR_PARSE, "one number"},
        {"cycle:3x3", GFAB_ERR_PARSE, "one number"},
        {"path:0", GFAB_ERR_INVALID, "a side of 0"},
        {"mesh:0x4", GFAB_ERR_INVALID, "a side of 0"},
        {"mesh:100000x0", GFAB_ERR_INVALID, "a side of 0"},
        {"path:1", GFAB_ERR_INVALID, "one node"},
        {"torus:1x1x1", GFAB_ERR_INVALID, "one node"},
        {"cycle:2", GFAB_ERR_INVALID, "at least 3"},
        {"mesh:100000x100000", GFAB_ERR_LIMIT, "mesh:100000x100000"},
        {"mesh:16777217x1", GFAB_ERR_LIMIT, "at most 16777216"},
        {"path:99999999999999999999999", GFAB_ERR_LIMIT, "at most 16777216"},
        {"mesh:65536x65536x65536x65536", GFAB_ERR_LIMIT, "at most 16777216"},
        {"mesh:1x1x1x1x1x1x1x1x2", GFAB_ERR_LIMIT, "at most 8 dimensions"},
    };
    for (const BadSpec &b : bad)
        expect_refused(b);
    gfab_topology *t = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_parse(std::string(100000, 'm').c_str(), &t, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(gfab_topology_parse("mesh:4\n4", &t, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(std::string(diag.message).find('\n'), std::string::npos);
}

TEST(Topology, GridsFromSidesAreTheSameAndAreChecked)
{
    const uint32_t sides[9] = {2, 3, 4, 1, 1, 1, 1, 1, 1};
    gfab_topology *t = nullptr;
    ASSERT_EQ(gfab_topology_create_grid(GFAB_TOPOLOGY_TORUS, 3, sides, &t, nullptr), GFAB_OK);
    const Topology owned(t);
    EXPECT_STREQ(gfab_topology_name(t), "torus:2x3x4");
    EXPECT_TRUE(gfab_topology_equal(t, parse("torus:2x3x4").get()));
    t = nullptr;
    EXPECT_EQ(gfab_topology_create_grid(GFAB_TOPOLOGY_MESH, 0, sides, &t, nullptr), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_topology_create_grid(GFAB_TOPOLOGY_MESH, 9, sides, &t, nullptr), GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_topology_create_grid(static_cast<gfab_topology_kind>(2), 2, sides, &t, nullptr), GFAB_ERR_INVALID);
    EXPECT_EQ(t, nullptr);
    gfab_topology_destroy(nullptr);
}

TEST(Topology, FamiliesAreListedAndTheirGrammarNamesThem)
{
    std::vector<std::string> names;
    for (size_t i = 0; gfab_topology_family_at(i); i++) {
        const gfab_topology_family *f = gfab_topology_family_at(i);
        names.push_back(f->name);
        EXPECT_EQ(std::string(f->grammar).rfind(names.back() + ":", 0), 0u);
        EXPECT_NE(std::string(f->summary), "");
    }
    EXPECT_EQ(names, (std::vector<std::string>{
                         "path",      "cycle",   "mesh",          "torus",    "complete",         "hypercube",
                         "knoedel",   "ccc",     "butterfly",     "debruijn", "shuffle-exchange", "star",
                         "pancake",   "random",  "twisted-torus", "fat-tree", "dragonfly",        "kautz",
                         "circulant", "machine", "graph",         "file",     "cluster"}));
}

} // namespace
