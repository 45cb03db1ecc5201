// SPDX-License-Identifier: MIT
// Graphs that are neither meshes nor tori: families, files, dropped links, and what the library makes of them.
#include "extras.h"
#include "graph_file_fixture.h"
#include "graph_rejects.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace
{

std::set<uint32_t> peers(const Topology &t, size_t node)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(t.get(), node, &count);
    std::set<uint32_t> result;
    for (size_t i = 0; i < count; i++)
        result.insert(ports[i].peer);
    EXPECT_EQ(result.size(), count);
    return result;
}

uint32_t diameter_of(const Topology &t)
{
    uint32_t diameter = 0;
    EXPECT_EQ(gfab_topology_diameter(t.get(), nullptr, &diameter), GFAB_OK);
    return diameter;
}

uint32_t longest_distance(const Topology &t)
{
    const size_t n = gfab_topology_node_count(t.get());
    std::vector<uint32_t> distances(n), work(n);
    uint32_t longest = 0;
    for (uint32_t v = 0; v < n; v++) {
        gfab_topology_distances(t.get(), v, distances.data(), work.data());
        longest = std::max(longest, *std::max_element(distances.begin(), distances.end()));
    }
    return longest;
}

struct Known {
    const char *spec;
    size_t nodes, links, min_degree, max_degree;
    uint32_t diameter;
};

// Nodes and links: Beier and Sibeyn, section 2. Diameters: hypercube K; Knoedel ceil((K + 2) / 2) (Fertin, Raspaud
// 2004); CCC 2K + floor(K / 2) - 2, of K = 3 it is 6; butterfly floor(3K / 2); de Bruijn K; shuffle-exchange 2K - 1;
// star floor(3 (K - 1) / 2); the pancake numbers 1, 3, 4, 5, 7.
const Known known[] = {
    {"complete:2", 2, 1, 1, 1, 1},
    {"complete:9", 9, 36, 8, 8, 1},
    {"hypercube:1", 2, 1, 1, 1, 1},
    {"hypercube:4", 16, 32, 4, 4, 4},
    {"hypercube:9", 512, 2304, 9, 9, 9},
    {"knoedel:1", 2, 1, 1, 1, 1},
    {"knoedel:3", 8, 12, 3, 3, 3},
    {"knoedel:4", 16, 32, 4, 4, 3},
    {"knoedel:5", 32, 80, 5, 5, 4},
    {"knoedel:9", 512, 2304, 9, 9, 6},
    {"knoedel:3,10", 10, 15, 3, 3, 3},
    {"knoedel:2,10", 10, 10, 2, 2, 5},
    {"ccc:3", 24, 36, 3, 3, 6},
    {"ccc:4", 64, 96, 3, 3, 8},
    {"ccc:5", 160, 240, 3, 3, 10},
    {"ccc:7", 896, 1344, 3, 3, 15},
    {"butterfly:3", 24, 48, 4, 4, 4},
    {"butterfly:4", 64, 128, 4, 4, 6},
    {"butterfly:7", 896, 1792, 4, 4, 10},
    {"debruijn:1", 2, 1, 1, 1, 1},
    {"debruijn:3", 8, 13, 2, 4, 3},
    {"debruijn:4", 16, 29, 2, 4, 4},
    {"debruijn:8", 256, 509, 2, 4, 8},
    {"shuffle-exchange:1", 2, 1, 1, 1, 1},
    {"shuffle-exchange:3", 8, 10, 1, 3, 5},
    {"shuffle-exchange:4", 16, 21, 1, 3, 7},
    {"shuffle-exchange:7", 128, 190, 1, 3, 13},
    {"star:3", 6, 6, 2, 2, 3},
    {"star:4", 24, 36, 3, 3, 4},
    {"star:5", 120, 240, 4, 4, 6},
    {"star:6", 720, 1800, 5, 5, 7},
    {"pancake:3", 6, 6, 2, 2, 3},
    {"pancake:4", 24, 36, 3, 3, 4},
    {"pancake:5", 120, 240, 4, 4, 5},
    {"pancake:6", 720, 1800, 5, 5, 7},
};

TEST(Graph, FamiliesHaveTheKnownSizesDegreesAndDiameters)
{
    for (const Known &k : known) {
        const Topology t = parse(k.spec);
        EXPECT_EQ(gfab_topology_get_kind(t.get()), GFAB_TOPOLOGY_GRAPH);
        EXPECT_EQ(gfab_topology_dimensions(t.get()), 0u);
        EXPECT_EQ(gfab_topology_node_count(t.get()), k.nodes) << k.spec;
        EXPECT_EQ(gfab_topology_link_count(t.get()), k.links) << k.spec;
        EXPECT_EQ(gfab_topology_min_degree(t.get()), k.min_degree) << k.spec;
        EXPECT_EQ(gfab_topology_max_degree(t.get()), k.max_degree) << k.spec;
        EXPECT_EQ(diameter_of(t), k.diameter) << k.spec;
        EXPECT_EQ(longest_distance(t), k.diameter) << k.spec;
        EXPECT_STREQ(gfab_topology_spec(t.get()), k.spec);
        EXPECT_STREQ(gfab_topology_name(t.get()), k.spec);
        Links links = links_of(t);
        EXPECT_TRUE(std::is_sorted(links.begin(), links.end())) << k.spec;
        EXPECT_EQ(std::set<Links::value_type>(links.begin(), links.end()).size(), k.links) << k.spec;
        for (const auto &[a, b] : links)
            EXPECT_LT(a, b) << k.spec;
    }
}

TEST(Graph, NodesAreNumberedAsDocumented)
{
    EXPECT_EQ(peers(parse("hypercube:4"), 5), (std::set<uint32_t>{1, 4, 7, 13}));
    EXPECT_EQ(peers(parse("knoedel:3"), 1), (std::set<uint32_t>{5, 6, 4}));
    EXPECT_EQ(peers(parse("ccc:3"), 0), (std::set<uint32_t>{1, 2, 3}));
    EXPECT_EQ(peers(parse("ccc:3"), 7), (std::set<uint32_t>{6, 8, 1}));           // (2, 1): cross to (0, 1)
    EXPECT_EQ(peers(parse("butterfly:3"), 0), (std::set<uint32_t>{1, 2, 4, 14})); // (0, 0) from (4, 2)
    EXPECT_EQ(peers(parse("debruijn:3"), 3), (std::set<uint32_t>{1, 5, 6, 7}));
    EXPECT_EQ(peers(parse("debruijn:3"), 0), (std::set<uint32_t>{1, 4}));
    EXPECT_EQ(peers(parse("shuffle-exchange:3"), 3), (std::set<uint32_t>{2, 5, 6}));
    EXPECT_EQ(peers(parse("star:4"), 0), (std::set<uint32_t>{6, 14, 21}));    // 1023, 2103, 3120
    EXPECT_EQ(peers(parse("pancake:4"), 0), (std::set<uint32_t>{6, 14, 23})); // 1023, 2103, 3210
}

TEST(Graph, RandomGraphsAreFixedByTheirSeedAndEvenlySpread)
{
    EXPECT_TRUE(gfab_topology_equal(parse("random:n=24,m=40,seed=1").get(), parse("random:n=24,m=40,seed=1").get()));
    EXPECT_FALSE(gfab_topology_equal(parse("random:n=24,m=40,seed=1").get(), parse("random:n=24,m=40,seed=2").get()));
    EXPECT_TRUE(gfab_topology_equal(parse("random:n=9,m=36,seed=5").get(), parse("complete:9").get()));
    EXPECT_EQ(gfab_topology_link_count(parse("random:n=2000,m=20000,seed=18446744073709551615").get()), 20000u);
    // 3 of the 6 pairs of 4 nodes: 20 sets, 16 of them connected, about 100 times each.
    std::map<Links, int> seen;
    int refused = 0;
    for (int seed = 0; seed < 2000; seed++) {
        gfab_topology *t = nullptr;
        gfab_diag diag{};
        const std::string spec = "random:n=4,m=3,seed=" + std::to_string(seed);
        if (gfab_topology_parse(spec.c_str(), &t, &diag) == GFAB_OK)
            seen[links_of(Topology(t))]++;
        else {
            refused++;
            EXPECT_NE(std::string(diag.message).find("not connected"), std::string::npos) << diag.message;
        }
    }
    EXPECT_EQ(seen.size(), 16u);
    EXPECT_NEAR(refused, 400, 80);
    for (const auto &[links, count] : seen)
        EXPECT_NEAR(count, 100, 40);
}

TEST(Graph, DiameterOfGraphsOfWhichNothingIsKnown)
{
    for (int n = 2; n <= 40; n++)
        for (int extra : {0, 1, 3, 10, 40}) {
            const int links = std::min(n - 1 + extra, n * (n - 1) / 2);
            // A path through all and chords, so that it is connected.
            std::string spec = "graph:" + std::to_string(n) + ":";
            for (int v = 1; v < n; v++)
                spec += (v > 1 ? "," : "") + std::to_string(v - 1) + "-" + std::to_string(v);
            std::set<std::pair<int, int>> chords;
            uint32_t state = static_cast<uint32_t>(n * 100 + extra);
            while (static_cast<int>(chords.size()) < links - (n - 1)) {
                state = state * 1664525 + 1013904223;
                const int a = static_cast<int>(state >> 8) % n, b = static_cast<int>(state >> 20) % n;
                if (std::abs(a - b) > 1)
                    chords.insert(std::minmax(a, b));
            }
            for (const auto &[a, b] : chords)
                spec += "," + std::to_string(a) + "-" + std::to_string(b);
            const Topology t = parse(spec);
            EXPECT_EQ(diameter_of(t), longest_distance(t)) << spec;
        }
}

TEST(Graph, DroppedLinksLeaveTheOthersInOrder)
{
    const Topology whole = parse("mesh:3x3"), part = parse("mesh:3x3+drop-link=4-1+drop-link=7-8");
    Links expected = links_of(whole);
    expected.erase(std::find(expected.begin(), expected.end(), Links::value_type{1, 4}));
    expected.erase(std::find(expected.begin(), expected.end(), Links::value_type{7, 8}));
    EXPECT_EQ(links_of(part), expected);
    EXPECT_EQ(gfab_topology_get_kind(part.get()), GFAB_TOPOLOGY_GRAPH);
    EXPECT_STREQ(gfab_topology_spec(part.get()), "mesh:3x3+drop-link=1-4+drop-link=7-8");
    EXPECT_TRUE(gfab_topology_equal(part.get(), parse(gfab_topology_spec(part.get())).get()));
    EXPECT_EQ(diameter_of(parse("cycle:9+drop-link=8-0")), 8u);
    EXPECT_EQ(diameter_of(parse("complete:5+drop-link=0-1")), 2u);
    // The grid without its middle is a ring; nodes 5 to 8 become 4 to 7.
    const Topology ring = parse("mesh:3x3+drop-node=4");
    EXPECT_STREQ(gfab_topology_spec(ring.get()), "mesh:3x3+drop-node=4");
    EXPECT_EQ(gfab_topology_node_count(ring.get()), 8u);
    EXPECT_EQ(gfab_topology_link_count(ring.get()), 8u);
    EXPECT_EQ(gfab_topology_max_degree(ring.get()), 2u);
    gfab_arc arc = 0;
    EXPECT_TRUE(gfab_topology_find_arc(ring.get(), 2, 4, &arc)); // 2 and 5 of the grid
    EXPECT_TRUE(gfab_topology_find_arc(ring.get(), 6, 7, &arc)); // 7 and 8
    // Numbers are those before any drop, whatever the order.
    const Topology first = parse("mesh:4x4+drop-node=5+drop-link=10-11"),
                   last = parse("mesh:4x4+drop-link=11-10+drop-node=5");
    EXPECT_TRUE(gfab_topology_equal(first.get(), last.get()));
    EXPECT_STREQ(gfab_topology_spec(last.get()), "mesh:4x4+drop-link=10-11+drop-node=5");
    EXPECT_TRUE(gfab_topology_equal(parse("mesh:3x3+drop-node=0+drop-node=1").get(),
                                    parse("mesh:3x3+drop-node=1+drop-node=0").get()));
    EXPECT_STREQ(gfab_topology_spec(parse("graph:4:0-1,1-2,2-3,3-0+drop-node=1").get()), "graph:3:0-2,1-2");
    const Topology listed = parse("graph:4:0-1,1-2,2-3,3-0+drop-link=3-2");
    EXPECT_STREQ(gfab_topology_spec(listed.get()), "graph:4:0-1,0-3,1-2");
}

TEST(Graph, LongSpecsHaveShortNames)
{
    std::string spec = "torus:9x9";
    for (int v = 0; v < 12; v++)
        spec += "+drop-link=" + std::to_string(6 * v) + "-" + std::to_string(6 * v + 1);
    const Topology t = parse(spec);
    EXPECT_EQ(gfab_topology_spec(t.get()), spec);
    EXPECT_EQ(gfab_topology_name(t.get()), spec.substr(0, 60) + "...");
    EXPECT_EQ(gfab_topology_link_count(t.get()), 150u);
}

TEST(Graph, BadSpecsAreRefusedInOneClearLine)
{
    WANTS_EXTRA(graphs);
    const BadSpec bad[] = {
        {"complete", GFAB_ERR_PARSE, "write complete:N"},
        {"complete:", GFAB_ERR_PARSE, "a number is expected"},
        {"complete:1", GFAB_ERR_INVALID, "at least 2"},
        {"complete:8193", GFAB_ERR_LIMIT, "at most 8192"},
        {"complete:99999999999999999999", GFAB_ERR_LIMIT, "at most 8192"},
        {"hypercube:0", GFAB_ERR_INVALID, "at least 1"},
        {"hypercube:04", GFAB_ERR_PARSE, "leading zero"},
        {"hypercube:4x4", GFAB_ERR_PARSE, "unexpected \"x4\""},
        {"hypercube:22", GFAB_ERR_LIMIT, "at most 21"},
        {"ccc:2", GFAB_ERR_INVALID, "at least 3"},
        {"butterfly:2", GFAB_ERR_INVALID, "at least 3"},
        {"butterfly:20", GFAB_ERR_LIMIT, "at most 19"},
        {"debruijn:25", GFAB_ERR_LIMIT, "at most 24"},
        {"star:1", GFAB_ERR_INVALID, "at least 2"},
        {"pancake:11", GFAB_ERR_LIMIT, "at most 10"},
        {"knoedel:3,", GFAB_ERR_PARSE, "two numbers"},
        {"knoedel:3,9", GFAB_ERR_INVALID, "even number"},
        {"knoedel:4,10", GFAB_ERR_INVALID, "log2"},
        {"knoedel:1,10", GFAB_ERR_INVALID, "from 2"},
        {"knoedel:0,10", GFAB_ERR_INVALID, "from 2"},
        {"knoedel:4000000000,10", GFAB_ERR_INVALID, "log2"},
        {"knoedel:2,4000000000", GFAB_ERR_LIMIT, "nodes"},
        {"knoedel:24,16777216", GFAB_ERR_LIMIT, "links"},
        {"random:5", GFAB_ERR_PARSE, "write random:n=N,m=M,seed=S"},
        {"random:n=5,m=6", GFAB_ERR_PARSE, "write random:n=N,m=M,seed=S"},
        {"random:n=5,m=6,seed=1,", GFAB_ERR_PARSE, "write random:n=N,m=M,seed=S"},
        {"random:n=1,m=0,seed=1", GFAB_ERR_INVALID, "one node"},
        {"random:n=5,m=3,seed=1", GFAB_ERR_INVALID, "4 to 10 links"},
        {"random:n=5,m=11,seed=1", GFAB_ERR_INVALID, "4 to 10 links"},
        {"random:n=99999999,m=99999999,seed=1", GFAB_ERR_LIMIT, "nodes"},
        {"random:n=100,m=99,seed=1", GFAB_ERR_INVALID, "take another seed"},
        {"graph:4", GFAB_ERR_PARSE, "write graph:N:U-V"},
        {"graph:4:", GFAB_ERR_PARSE, "a link U-V is expected"},
        {"graph:4:0-1,", GFAB_ERR_PARSE, "a link U-V is expected"},
        {"graph:4:0-1,1_2", GFAB_ERR_PARSE, "at \"1_2\""},
        {"graph:4:0-1;1-2", GFAB_ERR_PARSE, "unexpected \";1-2\""},
        {"graph:4:0-4", GFAB_ERR_INVALID, "node 4 does not exist"},
        {"graph:4:0-1,2-2", GFAB_ERR_INVALID, "2-2 is a loop"},
        {"graph:4:0-1,1-2,2-3,2-1", GFAB_ERR_INVALID, "1-2 is doubled"},
        {"graph:4:0-1,1-2", GFAB_ERR_INVALID, "node 3 has no link"},
        {"graph:4:0-1,2-3", GFAB_ERR_INVALID, "no way from node 0 to node 2"},
        {"graph:1:0-0", GFAB_ERR_INVALID, "one node in all"},
        {"graph:0:0-0", GFAB_ERR_INVALID, "no nodes"},
        {"graph:99999999:0-1", GFAB_ERR_LIMIT, "too many nodes"},
        {"file:", GFAB_ERR_PARSE, "write file:PATH"},
        {"file:/no/such/file", GFAB_ERR_IO, "No such file"},
        {"file:/", GFAB_ERR_IO, "it is a folder; give a file"},
        {"mesh:4x4+drop-link=0-5", GFAB_ERR_INVALID, "no link 0-5 to drop"},
        {"mesh:4x4+drop-link=0-16", GFAB_ERR_INVALID, "node 16 does not exist"},
        {"mesh:4x4+drop-link=0-1+drop-link=1-0", GFAB_ERR_INVALID, "dropped twice"},
        {"mesh:4x4+drop-link=0-1+drop-link=0-4", GFAB_ERR_INVALID, "node 0 has no link"},
        {"mesh:4x4+drop-link=0", GFAB_ERR_PARSE, "a link U-V is expected"},
        {"mesh:2x2+drop-link=1", GFAB_ERR_PARSE, "a link U-V is expected at \"1\""},
        {"mesh:4x4+drop-link=0-1x", GFAB_ERR_PARSE, "unexpected \"x\""},
        {"mesh:4x4+drop-node=16", GFAB_ERR_INVALID, "node 16 does not exist"},
        {"mesh:4x4+drop-node=5+drop-node=5", GFAB_ERR_INVALID, "node 5 is dropped twice"},
        {"mesh:4x4+drop-node=5+drop-link=5-6", GFAB_ERR_INVALID, "5-6 is dropped twice"},
        {"mesh:4x4+drop-node=x", GFAB_ERR_PARSE, "a node is expected"},
        {"path:4+drop-node=1", GFAB_ERR_INVALID, "not connected"},
        {"path:2+drop-node=1", GFAB_ERR_INVALID, "one node in all"},
        {"mesh:4x4+drop-row=1", GFAB_ERR_PARSE, "only +drop-link=U-V, +drop-node=V,"},
        {"path:4+drop-link=1-2", GFAB_ERR_INVALID, "no way from node 0 to node 2"},
        {"mesh:4y4+drop-link=1-2", GFAB_ERR_PARSE, "unexpected \"y4\""},
    };
    std::for_each(std::begin(bad), std::end(bad), expect_refused);
}

// Behind each text lies a page that cannot be read.
TEST(Graph, NoSpecIsReadPastItsEnd)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    ASSERT_EQ(mprotect(static_cast<char *>(pages) + page, page, PROT_NONE), 0);
    for (const std::string spec :
         {"mesh:2x2+drop-link=0-1+drop-node=3", "graph:4:0-1,1-2,2-3", "torus:3x4x5", "debruijn:3+drop-link=0-1"})
        for (size_t length = 0; length <= spec.size(); length++) {
            char *text = static_cast<char *>(pages) + page - length - 1;
            std::memcpy(text, spec.substr(0, length).c_str(), length + 1);
            gfab_topology *topology = nullptr;
            gfab_diag diag{};
            if (gfab_topology_parse(text, &topology, &diag) == GFAB_OK)
                gfab_topology_destroy(topology);
            else
                EXPECT_STRNE(diag.message, "") << text;
        }
    munmap(pages, 2 * page);
}

// ---- files ----

TEST(GraphFile, AllFormsOfOneGraphAreEqual)
{
    WANTS_EXTRA(graphs);
    const Topology want = parse("graph:4:0-1,0-3,1-2,2-3");
    const std::pair<const char *, const char *> files[] = {
        {"a.txt", "0 1\n1 2\n2 3\n3 0\n"},
        {"b.txt", "# a ring\n\n3\t2 # the first\n  0 3\r\n1 0\n2 1"},
        {"c.dot", "graph { 0 -- 1 -- 2 -- 3; 3 -- 0 }"},
        {"d.gv",
         "# made by hand\nstrict GRAPH \"a ring\" {\n  node [shape=\"]\", x=1] [y=2]\n rankdir = LR\n graph[a=b]\n"
         "  a -- b [label=\"a -- c\"]; // one\n  b -- \"c\" /* two\n */ c -- d\n  d--a;\n}\n"},
        {"e.list", "/* DOT by content */ graph{3;2;1;0;2--3;2--1;0--3;0--1}"},
        {"f.graph", "% a ring\n4 4\n2 4\n1 3\n% node 3\n 2 4\n1 3"},
        {"g.metis", "4 4 000\n4 2\n3 1\n4 2\n3 1\n\n% end\n"},
    };
    for (const auto &[name, text] : files) {
        const Topology t = parse(write_file(name, text));
        ASSERT_NE(t, nullptr) << name;
        EXPECT_TRUE(gfab_topology_equal(t.get(), want.get())) << name << ": " << gfab_topology_spec(t.get());
        const std::string named = std::string(name) == "d.gv" ? "+names=a,b,c,d" : "";
        EXPECT_EQ(gfab_topology_spec(t.get()), "graph:4:0-1,0-3,1-2,2-3" + named) << name;
        EXPECT_EQ(std::string(gfab_topology_name(t.get())), std::string("file:graph_test_") + name);
    }
    // Names are numbered as they appear, numbers are numbers, 007 is a name.
    EXPECT_STREQ(gfab_topology_spec(parse(write_file("n.dot", "graph{c--a;a--b}")).get()),
                 "graph:3:0-1,1-2+names=c,a,b");
    EXPECT_STREQ(gfab_topology_spec(parse(write_file("n.dot", "graph{2--0;0--1}")).get()), "graph:3:0-1,0-2");
    EXPECT_STREQ(gfab_topology_spec(parse(write_file("n.dot", "graph{02--0;0--1}")).get()),
                 "graph:3:0-1,1-2+names=02,0,1");
}

TEST(GraphFile, NamesAreSafeInEveryText)
{
    WANTS_EXTRA(graphs);
    const Topology t = parse(write_file("odd \"name\\%;.txt", "0 1\n"));
    EXPECT_STREQ(gfab_topology_name(t.get()), "file:graph_test_odd__name___.txt");
    const Topology long_one = parse(write_file(std::string(150, 'n'), "0 1\n"));
    EXPECT_LT(std::string(gfab_topology_name(long_one.get())).size(), 64u);
    const Topology dropped = parse(write_file("ring.txt", "0 1\n1 2\n2 0\n") + "+drop-link=0-1");
    EXPECT_STREQ(gfab_topology_name(dropped.get()), "file:graph_test_ring.txt+drop-link=0-1");
    EXPECT_STREQ(gfab_topology_spec(dropped.get()), "graph:3:0-2,1-2");
}

TEST(GraphFile, LargeFiles)
{
    WANTS_EXTRA(graphs);
    std::string list, dot = "graph {", metis = "20000 19999\n";
    for (int v = 1; v < 20000; v++) {
        list += std::to_string(v) + " " + std::to_string(v - 1) + "\n";
        dot += " n" + std::to_string(v - 1) + " -- n" + std::to_string(v) + ";\n";
    }
    dot += "}";
    for (int v = 1; v <= 20000; v++)
        metis += (v > 1 ? std::to_string(v - 1) + " " : "") + (v < 20000 ? std::to_string(v + 1) : "") + "\n";
    const Topology path = parse("path:20000");
    EXPECT_TRUE(gfab_topology_equal(parse(write_file("large.txt", list)).get(), path.get()));
    EXPECT_TRUE(gfab_topology_equal(parse(write_file("large.dot", dot)).get(), path.get()));
    EXPECT_TRUE(gfab_topology_equal(parse(write_file("large.graph", metis)).get(), path.get()));
    EXPECT_EQ(diameter_of(parse(write_file("large.txt", list))), 19999u);
}

TEST(GraphFile, BadFilesAreRefusedWithTheirLine)
{
    WANTS_EXTRA(graphs);
    const std::string folder = GFAB_SOURCE_DIR "/tests/reject/graphs/";
    std::set<std::string> expected, found;
    for (const Reject &r : rejects) {
        expected.insert(r.file);
        gfab_topology *t = nullptr;
        gfab_diag diag{};
        EXPECT_EQ(gfab_topology_parse(("file:" + folder + r.file).c_str(), &t, &diag), r.status) << r.file;
        EXPECT_EQ(t, nullptr);
        EXPECT_EQ(diag.line, r.line) << r.file << ": " << diag.message;
        EXPECT_NE(std::string(diag.message).find(r.words), std::string::npos) << r.file << ": " << diag.message;
    }
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        found.insert(entry.path().filename().string());
    EXPECT_EQ(found, expected);
}

// Cut off anywhere, or with any byte changed, a file is read or refused.
TEST(GraphFile, DamagedFilesDoNoHarm)
{
    WANTS_EXTRA(graphs);
    const std::vector<std::pair<const char *, std::string>> files = {
        {"damaged.dot", "graph g { a -- b [x=\"y\"]; b -- c /* */ c -- a }"},
        {"damaged.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n"},
        {"damaged.txt", "0 1\n1 2 # x\n2 0\n"},
        {"damaged.graphml", "<graphml><graph edgedefault='undirected'><edge source='1' target='0'/></graph></graphml>"},
        {"damaged.json", R"({"fpgas": {"a:b": "", "b:b": ""}, "connections": {"a:b:0": "b:b:0"}})"},
    };
    expect_no_harm(files, {'\0', '\n', '{', '"', '9', '-', '/', '[', '\xff'});
}

// ---- the rest of the library ----

TEST(Graph, ASchedulesFileHasTheGraphInItself)
{
    WANTS_EXTRA(graphs);
    const std::string spec = write_file("gone.txt", "0 1\n1 2\n2 0\n2 3\n");
    const Topology t = parse(spec);
    const Schedule schedule = gossip_on(t);
    const std::string text = schedule_text(schedule);
    EXPECT_NE(text.find("\ntopology graph:4:0-1,0-2,1-2,2-3\n"), std::string::npos) << text;
    std::filesystem::remove(spec.substr(5));
    for (const std::string &topology : {std::string("graph:4:0-1,0-2,1-2,2-3"), std::string("mesh:3x3+drop-link=0-1"),
                                        std::string("random:n=9,m=12,seed=4"), std::string("ccc:3")}) {
        const Topology own = parse(topology);
        const std::string written = schedule_text(gossip_on(own));
        const File file(std::tmpfile());
        std::fwrite(written.data(), 1, written.size(), file.get());
        std::rewind(file.get());
        gfab_topology *read = nullptr;
        gfab_schedule *back = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_schedule_read(file.get(), nullptr, &read, &back, &diag), GFAB_OK) << diag.message;
        const Topology owned_topology(read);
        const Schedule owned(back);
        EXPECT_TRUE(gfab_topology_equal(read, own.get())) << topology;
        EXPECT_EQ(schedule_text(owned), written);
    }
}

gfab_verify_report check(const Topology &t, const gfab_model &model, const gfab_schedule *schedule)
{
    gfab_verify_report report{};
    gfab_verify(t.get(), &model, schedule, nullptr, &report);
    return report;
}

TEST(Graph, SolversThatNeedNoGeometryTakeAnyGraphAndMeetTheBounds)
{
    for (const char *spec : {"debruijn:3", "random:n=12,m=20,seed=2", "mesh:3x3+drop-link=3-4", "complete:5",
                             "graph:5:0-1,0-2,0-3,0-4", "shuffle-exchange:3"})
        for (const char *name : {"auto", "greedy", "search"})
            for (int kind = 0; kind < 8; kind++) {
                gfab_model model = gfab_model_default();
                model.link_mode = kind & 1 ? GFAB_LINK_FULL : GFAB_LINK_HALF;
                model.port_mode = kind & 2 ? GFAB_PORT_ONE : GFAB_PORT_ALL;
                model.packet_tokens = kind & 4 ? 3 : 1;
                const Topology t = parse(spec);
                const gfab_solver *solver = gfab_solver_find(name);
                if (gfab_solver_applies(solver, t.get(), &model, nullptr) != GFAB_OK) {
                    EXPECT_TRUE(std::string(name) == "search" && model.port_mode == GFAB_PORT_ONE) << spec;
                    continue;
                }
                gfab_solver_options options = gfab_solver_options_default();
                options.effort = 1;
                gfab_schedule *made = nullptr;
                gfab_diag diag{};
                ASSERT_EQ(solver->solve(t.get(), &model, &options, &made, &diag), GFAB_OK)
                    << spec << ": " << diag.message;
                const Schedule schedule(made);
                const gfab_verify_report report = check(t, model, made);
                EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << spec << " " << name << ": " << report.message;
                gfab_bound bound;
                ASSERT_EQ(gfab_bound_best(t.get(), &model, nullptr, &bound), GFAB_OK);
                EXPECT_GE(report.rounds, bound.rounds) << spec << " " << name << " " << bound.name;
            }
}

// A graph is not taken for the mesh or torus that it is equal to.
TEST(Graph, WhatNeedsGeometryRefusesGraphs)
{
    const gfab_model model = gfab_model_default();
    for (const char *spec : {"graph:4:0-1,1-2,2-3", "graph:4:0-1,0-3,1-2,2-3", "hypercube:4", "star:3"}) {
        const Topology t = parse(spec);
        for (const char *name : {"lau-zhang", "comb", "fujita-yamashita", "torus-tree", "symmetric"}) {
            gfab_diag diag{};
            EXPECT_EQ(gfab_solver_applies(gfab_solver_find(name), t.get(), &model, &diag), GFAB_ERR_UNSUPPORTED)
                << spec << " " << name;
            EXPECT_NE(std::string(diag.message).find(spec), std::string::npos) << diag.message;
            uint64_t rounds = 0;
            const auto formula = gfab_solver_find(name)->formula;
            EXPECT_FALSE(formula && formula(t.get(), &model, &rounds) == GFAB_OK) << spec << " " << name;
        }
        gfab_bound bounds[GFAB_MAX_BOUNDS];
        size_t count = 0;
        ASSERT_EQ(gfab_bound_all(t.get(), &model, nullptr, bounds, &count), GFAB_OK);
        EXPECT_GE(count, 3u);
        for (size_t i = 0; i < count; i++)
            for (const char *name : {"cut", "path", "parity"})
                EXPECT_STRNE(bounds[i].name, name) << spec;
        const Layout layout = layout_of(t);
        EXPECT_EQ(layout_status(t, in_frame(GFAB_FRAME_RELATIVE), nullptr), GFAB_ERR_UNSUPPORTED);
        EXPECT_EQ(layout_status(t, in_frame(GFAB_FRAME_ROTATED), nullptr), GFAB_ERR_UNSUPPORTED);
        EXPECT_EQ(layout_status(t, in_frame(GFAB_FRAME_ABSOLUTE), nullptr), GFAB_OK);
        for (uint32_t node = 0; node < gfab_topology_node_count(t.get()); node++) {
            EXPECT_EQ(gfab_layout_turns(layout.get(), node), 0u);
            EXPECT_EQ(gfab_layout_slot(layout.get(), node, 1), 1u);
            EXPECT_EQ(gfab_layout_token(layout.get(), node, 1), 1u);
        }
    }
}

} // namespace
