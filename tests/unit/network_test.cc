// SPDX-License-Identifier: MIT
// Fat-trees, dragonflies, twisted tori, Kautz graphs, and machines by name: their shape, what is published of them, and
// schedules on each.
#include "marked_fixture.h"

namespace
{

struct Shape {
    const char *spec;
    size_t nodes, members, links, least, most;
    uint32_t diameter;
};

TEST(Network, Shapes)
{
    const Shape table[] = {
        {"twisted-torus:4x6,2", 24, 24, 48, 4, 4, 4}, {"twisted-torus:4x8,4", 32, 32, 64, 4, 4, 4},
        {"twisted-torus:3x3,0", 9, 9, 18, 4, 4, 2},   {"fat-tree:2", 7, 2, 6, 1, 2, 6},
        {"fat-tree:4", 36, 16, 48, 1, 4, 6},          {"fat-tree:6", 99, 54, 162, 1, 6, 6},
        {"dragonfly:1,2,1", 12, 6, 12, 1, 3, 5},      {"dragonfly:2,4,2", 108, 72, 162, 1, 7, 5},
        {"dragonfly:1,1,1", 4, 2, 3, 1, 2, 3},        {"kautz:2,3", 12, 12, 21, 3, 4, 3},
        {"kautz:3,2", 12, 12, 30, 5, 5, 2},           {"kautz:4,1", 5, 5, 10, 4, 4, 1},
        {"machine:dgx1", 8, 8, 16, 4, 4, 2},          {"machine:a100x2", 20, 16, 32, 2, 8, 4},
        {"machine:h100x2", 19, 16, 32, 2, 16, 4},     {"machine:nvl72", 90, 72, 1296, 18, 72, 2},
        {"machine:h100x4", 37, 32, 64, 2, 32, 4},     {"machine:mi250x2", 33, 32, 88, 4, 32, 0},
        {"machine:ndv2x2", 16, 16, 34, 4, 5, 0},      {"circulant:16,1,8", 16, 16, 24, 3, 3, 4},
        {"circulant:12,2,3", 12, 12, 24, 4, 4, 2},    {"circulant:3,1", 3, 3, 3, 2, 2, 1},
    };
    for (const Shape &s : table) {
        const Topology topology = parse(s.spec), again = parse(gfab_topology_spec(topology.get()));
        const gfab_topology *t = topology.get();
        EXPECT_STREQ(gfab_topology_spec(t), s.spec);
        EXPECT_TRUE(gfab_topology_equal(t, again.get())) << s.spec;
        EXPECT_EQ(gfab_topology_node_count(t), s.nodes) << s.spec;
        EXPECT_EQ(gfab_topology_member_count(t), s.members) << s.spec;
        EXPECT_EQ(gfab_topology_link_count(t), s.links) << s.spec;
        EXPECT_EQ(gfab_topology_min_degree(t), s.least) << s.spec;
        EXPECT_EQ(gfab_topology_max_degree(t), s.most) << s.spec;
        uint32_t diameter = 0;
        ASSERT_EQ(gfab_topology_diameter(t, nullptr, &diameter), GFAB_OK);
        EXPECT_TRUE(!s.diameter || diameter == s.diameter) << s.spec << ": " << diameter;
    }
}

TEST(Network, BadSpecs)
{
    const BadSpec table[] = {
        {"twisted-torus:4x6", GFAB_ERR_PARSE, "write twisted-torus:AxB,S"},
        {"twisted-torus:2x6,1", GFAB_ERR_INVALID, "sides of at least 3"},
        {"twisted-torus:4x6,6", GFAB_ERR_INVALID, "a twist is below B"},
        {"twisted-torus:4x6,2,1", GFAB_ERR_PARSE, "unexpected \",1\""},
        {"twisted-torus:5000x5000,2", GFAB_ERR_LIMIT, "too large"},
        {"fat-tree:5", GFAB_ERR_INVALID, "an even number"},
        {"fat-tree:0", GFAB_ERR_INVALID, "at least 2"},
        {"fat-tree:", GFAB_ERR_PARSE, "write fat-tree:K"},
        {"fat-tree:16000000", GFAB_ERR_LIMIT, "too large"},
        {"dragonfly:1,2", GFAB_ERR_PARSE, "write dragonfly:P,A,H"},
        {"dragonfly:0,2,1", GFAB_ERR_INVALID, "at least 1"},
        {"dragonfly:16000000,16000000,16000000", GFAB_ERR_LIMIT, "too large"},
        {"kautz:2,0", GFAB_ERR_INVALID, "at least 1"},
        {"kautz:2,99", GFAB_ERR_LIMIT, "too large"},
        {"circulant:16", GFAB_ERR_PARSE, "write circulant:N,A,B,.."},
        {"circulant:16,", GFAB_ERR_PARSE, "a number is expected"},
        {"circulant:16,1x2", GFAB_ERR_PARSE, "a number is expected at \"x2\""},
        {"circulant:16,1,1", GFAB_ERR_INVALID, "rise"},
        {"circulant:16,5,3", GFAB_ERR_INVALID, "rise"},
        {"circulant:16,9", GFAB_ERR_INVALID, "N / 2 at most"},
        {"circulant:2,1", GFAB_ERR_INVALID, "3 nodes or more"},
        {"circulant:16,2,4", GFAB_ERR_INVALID, "connected"},
        {"circulant:60,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", GFAB_ERR_PARSE, "unexpected"},
        {"circulant:16000000,1,2,3,4", GFAB_ERR_LIMIT, "too large"},
        {"machine:dgx2", GFAB_ERR_PARSE,
         "known are a100x2, dgx1, h100x2, h100x4, mi250x2, ndv2x2, nvl72, and file:PATH"},
        {"machine:", GFAB_ERR_PARSE, "no such machine"},
    };
    for (const BadSpec &bad : table)
        expect_refused(bad);
}

// A twist moves where columns close; a Kautz arc goes from a word to what follows its first letter.
TEST(Network, LinksAreWhereTheyBelong)
{
    gfab_arc arc = 0;
    const Topology twisted = parse("twisted-torus:4x6,2");
    EXPECT_TRUE(gfab_topology_find_arc(twisted.get(), 3 * 6 + 5, 1, &arc));
    EXPECT_FALSE(gfab_topology_find_arc(twisted.get(), 3 * 6 + 5, 5, &arc));
    const Topology plain = parse("twisted-torus:4x6,0"), torus = parse("torus:4x6");
    EXPECT_EQ(gfab_topology_link_count(plain.get()), gfab_topology_link_count(torus.get()));
    for (size_t l = 0; l < gfab_topology_link_count(torus.get()); l++) {
        const gfab_link link = gfab_topology_link(torus.get(), l);
        EXPECT_TRUE(gfab_topology_find_arc(plain.get(), link.node[0], link.node[1], &arc));
    }
    // Words by hand, in lexicographic order.
    std::vector<std::string> words;
    for (char a = '0'; a < '3'; a++)
        for (char b = '0'; b < '3'; b++)
            for (char c = '0'; c < '3'; c++)
                if (a != b && b != c)
                    words.push_back({a, b, c});
    const Topology kautz = parse("kautz:2,3");
    ASSERT_EQ(words.size(), gfab_topology_node_count(kautz.get()));
    for (uint32_t v = 0; v < words.size(); v++)
        for (uint32_t u = 0; u < words.size(); u++) {
            const bool follows = words[v].substr(1) == words[u].substr(0, 2);
            const bool goes =
                gfab_topology_find_arc(kautz.get(), v, u, &arc) && gfab_topology_arc_weight(kautz.get(), arc);
            EXPECT_EQ(goes, follows) << words[v] << " " << words[u];
        }
}

// What the files say against what is known of the machines: a V100 has six NVLinks; and the rates that ForestColl
// (GB/s, A100 and MI250) and TE-CCL (40 ms for 1 GB) give as the optimum of an all-gather. unit: GB/s of a packet a
// round.
TEST(Network, MachinesHaveThePublishedRates)
{
    const Topology dgx = parse("machine:dgx1");
    for (uint32_t v = 0; v < 8; v++) {
        size_t degree = 0;
        const gfab_port *ports = gfab_topology_ports(dgx.get(), v, &degree);
        uint32_t links_of_gpu = 0;
        for (size_t i = 0; i < degree; i++)
            links_of_gpu += gfab_topology_weight(dgx.get(), ports[i].link);
        EXPECT_EQ(links_of_gpu, 6u);
    }
    const struct {
        const char *spec;
        double unit, rate;
    } table[] = {{"machine:a100x2", 25, 346.67}, {"machine:mi250x2", 2, 354.13}, {"machine:ndv2x2", 12.5, 25}};
    for (const auto &m : table) {
        const Topology topology = parse(m.spec);
        const gfab_goal goal = goal_on(topology, GFAB_ALL_GATHER);
        gfab_certificate c;
        bool tight = false;
        gfab_ratio rounds;
        ASSERT_EQ(gfab_rate(topology.get(), GFAB_LINK_FULL, &goal, nullptr, &c, &tight), GFAB_OK);
        ASSERT_EQ(gfab_certificate_rate(&c, 1, &rounds), GFAB_OK);
        gfab_certificate_release(&c);
        EXPECT_TRUE(tight) << m.spec;
        EXPECT_NEAR(m.unit * static_cast<double>(rounds.denominator) / static_cast<double>(rounds.numerator), m.rate,
                    0.01)
            << m.spec;
    }
}

// A schedule of every collective, verified, not below its bound; suffixes go on a machine as on any graph.
TEST(Network, SchedulesOnEach)
{
    for (const char *spec :
         {"twisted-torus:3x4,1", "fat-tree:4", "dragonfly:1,2,1", "kautz:2,2", "machine:dgx1", "machine:a100x2",
          "machine:h100x4", "machine:ndv2x2", "machine:dgx1+drop-link=0-4+relay=7"}) {
        const Topology topology = parse(spec);
        for (const gfab_collective collective : all_collectives) {
            const gfab_model model = links(GFAB_LINK_FULL);
            const gfab_goal goal = goal_on(topology, collective);
            const Made made = make("auto", topology, model, goal, 1);
            EXPECT_EQ(made.status, GFAB_OK) << spec << " " << gfab_collective_name(collective) << ": " << made.says;
            EXPECT_GE(made.rounds(), bound_on(topology, model, goal))
                << spec << " " << gfab_collective_name(collective);
        }
    }
}

// A graph that is a fat-tree without relays is not taken for one: its switches would be members.
TEST(Network, NotRecognised)
{
    const Topology tree = parse("fat-tree:2");
    std::string spec = "graph:7:";
    for (size_t l = 0; l < gfab_topology_link_count(tree.get()); l++) {
        const gfab_link link = gfab_topology_link(tree.get(), l);
        spec += (l ? "," : "") + std::to_string(link.node[0]) + "-" + std::to_string(link.node[1]);
    }
    gfab_recognition found;
    ASSERT_EQ(gfab_topology_recognise(parse(spec).get(), nullptr, &found), GFAB_OK);
    for (size_t i = 0; i < found.count; i++)
        EXPECT_FALSE(gfab_topology_has_relays(found.at[i].topology));
    gfab_recognition_release(&found);
}

} // namespace
