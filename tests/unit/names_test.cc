// SPDX-License-Identifier: MIT
// What nodes are called: in files, in the canonical text, behind a topology, and where there is a fault.
#include "extras.h"
#include "marked_fixture.h"

#include <random>
#include <string>
#include <vector>

namespace
{

std::string called(const gfab_topology *topology)
{
    std::string all;
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
        const char *name = gfab_topology_node_name(topology, v);
        all += (v ? "|" : "") + std::string(name ? name : "-");
    }
    return all;
}

TEST(Names, FilesGiveThem)
{
    WANTS_EXTRA(graphs);
    const Topology dot = read_file("a.dot", "graph { leaf [relay=true]; b0g0 -- leaf -- \"b 1,+:=-g\"; 7 -- leaf }");
    EXPECT_EQ(called(dot.get()), "leaf|b0g0|b 1,+:=-g|7");
    EXPECT_STREQ(gfab_topology_spec(dot.get()), "graph:4:0-1,0-2,0-3+relay=0+names=leaf,b0g0,b=201=2C=2B:=3D-g,7");
    EXPECT_EQ(called(read_file("b.dot", "graph { 0 -- 1 -- 2 }").get()), "-|-|-");
    EXPECT_FALSE(gfab_topology_has_names(read_file("b.dot", "graph { 0 -- 1 -- 2 }").get()));
    EXPECT_EQ(called(read_file("a.gml", "graph [ node [ id 5 ] node [ id 9 ] edge [ source 5 target 9 ] ]").get()),
              "5|9");
    // Labels of all, or none: two alike say nothing.
    const std::string ends = "edge [ source 0 target 1 ] edge [ source 1 target 2 ] ]";
    EXPECT_EQ(called(read_file("l.gml", "graph [ node [ id 0 label \"Oslo\" ] node [ id 1 label \"Bern\" ] node [ id 2 "
                                        "label \"Rome\" ] " +
                                            ends)
                         .get()),
              "Oslo|Bern|Rome");
    EXPECT_EQ(called(read_file("l.gml", "graph [ node [ id 0 label \"Oslo\" ] node [ id 1 label \"Oslo\" ] node [ id 2 "
                                        "label \"Rome\" ] " +
                                            ends)
                         .get()),
              "-|-|-");
    // No name: a control character, bytes that are no UTF-8.
    EXPECT_EQ(called(read_file("c.dot", "graph { \"a\tb\" -- \"\xff\" -- \"\xc3\xa9\" }").get()), "-|-|\xc3\xa9");
}

TEST(Names, AreAPartOfTheCanonicalText)
{
    WANTS_EXTRA(graphs);
    for (const char *spec : {"graph:3:0-1,1-2+names=a,b,c", "graph:3:0-1,1-2+names=a,,c", "mesh:2x2+names=a,b,c,d",
                             "graph:3:0-1,1-2+relay=1+weight=0-1:2+names=x=20y,.,/-:",
                             "mesh:2x2+drop-node=1+names=a,b,c,d", "graph:2:0-1+names=a-=2Db,=C3=A9"}) {
        const Topology topology = parse(spec), again = parse(gfab_topology_spec(topology.get()));
        EXPECT_STREQ(gfab_topology_spec(topology.get()), spec);
        EXPECT_EQ(called(topology.get()), called(again.get()));
        EXPECT_TRUE(gfab_topology_equal(topology.get(), again.get()));
    }
    // Names make no other graph.
    EXPECT_TRUE(gfab_topology_equal(parse("mesh:2x2+names=a,b,c,d").get(), parse("mesh:2x2").get()));
    EXPECT_EQ(called(parse("mesh:2x2+names=a,b,c,d+drop-node=b").get()), "a|c|d");
    EXPECT_EQ(called(parse("graph:2:0-1+names=1,0").get()), "1|0");
    EXPECT_EQ(called(parse("graph:3:0-1,1-2+names=1,,").get()), "-|-|-"); // 1 is node 1
}

TEST(Names, StandForNumbers)
{
    WANTS_EXTRA(graphs);
    const Topology topology = parse("graph:4:0-1,0-2,0-3+names=leaf,b0-g0,b0-g1,b:2");
    const std::string base = gfab_topology_spec(topology.get());
    const std::pair<const char *, const char *> same[] = {
        {"+relay=leaf", "+relay=0"},
        {"+relay=leaf:switch", "+relay=0:switch"},
        {"+members=b0-g0-b:2", "+members=1-3"},
        {"+members=b0-g1,b0-g0,b:2", "+members=1-3"},
        {"+weight=b0-g0-leaf:3/4", "+weight=1-0:3/4"},
        {"+weight=b:2-leaf:7", "+weight=3-0:7"},
        {"+drop-node=b:2", "+drop-node=3"},
    };
    for (const auto &[names, numbers] : same)
        EXPECT_STREQ(gfab_topology_spec(parse((base + names).c_str()).get()),
                     gfab_topology_spec(parse((base + numbers).c_str()).get()))
            << names;
    // The text of a family keeps its suffixes, with numbers.
    EXPECT_STREQ(gfab_topology_spec(parse("cycle:4+names=a,bb,c,d+drop-link=d-a+relay=bb").get()),
                 "cycle:4+names=a,bb,c,d+drop-link=0-3+relay=1");
    uint32_t node = 9;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_find_node(topology.get(), "b0-g1", &node, &diag), GFAB_OK);
    EXPECT_EQ(node, 2u);
    EXPECT_EQ(gfab_topology_find_node(topology.get(), "3", &node, &diag), GFAB_OK);
    EXPECT_EQ(node, 3u);
    for (const char *none : {"b0-g", "b0-g11", "4", "", "leaf,"})
        EXPECT_NE(gfab_topology_find_node(topology.get(), none, &node, &diag), GFAB_OK) << none;
}

TEST(Names, OfWhatIsLeft)
{
    WANTS_EXTRA(graphs);
    const Topology whole = parse("graph:5:0-1,0-2,0-3,0-4,1-2+names=s,a,b,c,d+drop-node=b");
    gfab_topology *left = nullptr;
    uint32_t *numbers = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_topology_change(whole.get(), "+drop-node=c", &left, &numbers, &diag), GFAB_OK) << diag.message;
    const Topology owned(left);
    EXPECT_EQ(called(left), "s|a|d");
    EXPECT_EQ(numbers[0], 0u);
    EXPECT_EQ(numbers[1], 1u);
    EXPECT_EQ(numbers[2], 3u);
    std::free(numbers);
}

TEST(Names, FaultsAreNamed)
{
    WANTS_EXTRA(graphs);
    for (const BadSpec &bad : std::vector<BadSpec>{
             {"mesh:2x2+names=a,b", GFAB_ERR_INVALID, "+names= lists 2 names; there are 4 nodes"},
             {"mesh:2x2+names=a,b,c,a", GFAB_ERR_INVALID, "two nodes are called a"},
             {"mesh:2x2+names=a,b,c,d+names=a,b,c,d", GFAB_ERR_INVALID, "+names= is there twice"},
             {"mesh:2x2+names=a,b,c,=4", GFAB_ERR_PARSE, "two hexadecimal digits"},
             {"mesh:2x2+names=a,b,c,=00", GFAB_ERR_INVALID, "NUL"},
             {"mesh:2x2+names=a,b,c,=FF", GFAB_ERR_INVALID, "UTF-8"},
             {"mesh:2x2+names=a,b,c,=0A", GFAB_ERR_INVALID, "control"},
             {"mesh:2x2+names=a,b,c,d+relay=e", GFAB_ERR_INVALID, "no node is called \"e\""},
             {"mesh:2x2+names=a,b,c,d+relay=4", GFAB_ERR_INVALID, "node 4 does not exist"},
             {"mesh:2x2+names=a,b,c,d+drop-link=a-d", GFAB_ERR_INVALID, "there is no link 0-3 to drop"},
             {"mesh:2x2+names=a,b,c,d+relay=a,a", GFAB_ERR_INVALID, "node 0 is named as a relay twice"}})
        expect_refused(bad);
}

// What any names become can be read again, and finds the same nodes.
TEST(Names, AnyComeBack)
{
    WANTS_EXTRA(graphs);
    std::mt19937 random(7);
    const std::string letters = "ab-,+:=/ .\"'%1\xc3\xa9";
    for (int i = 0; i < 300; i++) {
        std::string text = "digraph {\n";
        for (int v = 0; v < 5; v++) {
            std::string name = "n" + std::to_string(v);
            for (uint32_t k = random() % 5; k > 0; k--) {
                const char c = letters[random() % (letters.size() - 2)];
                name += c == '"' ? '\'' : c;
            }
            name += random() % 2 ? "\xc3\xa9" : "";
            text += " hub -> \"" + name + "\"; \"" + name + "\" -> hub\n";
        }
        const Topology topology = read_file("any.dot", text + "}\n");
        const Topology again = parse(gfab_topology_spec(topology.get()));
        EXPECT_EQ(called(topology.get()), called(again.get())) << text;
        for (uint32_t v = 0, node = 9; v < 6; v++) {
            gfab_diag diag{};
            EXPECT_EQ(gfab_topology_find_node(topology.get(), gfab_topology_node_name(topology.get(), v), &node, &diag),
                      GFAB_OK)
                << diag.message;
            EXPECT_EQ(node, v);
        }
    }
}

} // namespace
