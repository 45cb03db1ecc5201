// SPDX-License-Identifier: MIT
// Clusters: hosts by copies of a graph, and what lies between them. The expected graph is listed here, node by node,
// from texts of the two parts.
#include "extras.h"
#include "graph_file_fixture.h"
#include "marked_fixture.h"

namespace
{

struct Part {
    std::vector<bool> relay;
    std::vector<std::array<uint32_t, 4>> links; // two nodes, weights each way

    std::string spec() const
    {
        std::string text = "graph:" + std::to_string(relay.size()) + ":", marks, relays;
        for (const auto &l : links) {
            const std::string link = std::to_string(l[0]) + "-" + std::to_string(l[1]);
            text += (&l == &links[0] ? "" : ",") + link;
            marks += "+weight=" + link + ":" + std::to_string(l[2]) + "/" + std::to_string(l[3]);
        }
        for (size_t v = 0; v < relay.size(); v++)
            if (relay[v])
                relays += (relays.empty() ? "+relay=" : ",") + std::to_string(v);
        return text + marks + relays;
    }
};

// A tree and a few links, of which the last nodes are relays.
Part draw(std::mt19937 &random, uint32_t members, uint32_t relays)
{
    Part part;
    const uint32_t nodes = members + relays;
    std::set<std::pair<uint32_t, uint32_t>> edges;
    for (uint32_t v = 1; v < nodes; v++)
        edges.emplace(random() % v, v);
    for (int extra = 0; extra < 3; extra++) {
        const uint32_t a = random() % nodes, b = random() % nodes;
        if (a != b)
            edges.emplace(std::min(a, b), std::max(a, b));
    }
    for (uint32_t v = 0; v < nodes; v++)
        part.relay.push_back(false);
    for (uint32_t left = relays; left > 0;) { // anywhere
        const uint32_t v = random() % nodes;
        left -= !part.relay[v];
        part.relay[v] = true;
    }
    for (const auto &[a, b] : edges) {
        const uint32_t there = 1 + random() % 4, back = 1 + random() % 4;
        part.links.push_back({a, b, there, back});
    }
    return part;
}

// The number of a node of a copy, counted from scratch.
uint32_t number(const Part &host, uint32_t copies, uint32_t copy, uint32_t node)
{
    const auto members = (uint32_t)std::count(host.relay.begin(), host.relay.end(), false);
    const auto relays = (uint32_t)host.relay.size() - members;
    const auto before = (uint32_t)std::count(host.relay.begin(), host.relay.begin() + node, host.relay[node]);
    return host.relay[node] ? copies * members + copy * relays + before : copy * members + before;
}

TEST(Cluster, IsItsPartsPutTogether)
{
    std::mt19937 random(2026);
    for (int round = 0; round < 200; round++) {
        const uint32_t copies = 2 + random() % 4;
        const Part host = draw(random, 1 + random() % 4, random() % 3 + (round % 2)),
                   fabric = draw(random, copies, random() % 3);
        if (host.relay.size() < 2)
            continue;
        std::vector<bool> out(host.relay.size(), false);
        std::string through;
        for (uint32_t v = 0; v < out.size(); v++) {
            out[v] = round % 3 ? !host.relay[v] : random() % 2 || v == 0;
            if (out[v])
                through += (through.empty() ? "+through=" : ",") + std::to_string(v);
        }
        // A host of one member is no topology of its own: two are the least, which relays do not count among.
        if (std::count(host.relay.begin(), host.relay.end(), false) < 2)
            continue;
        const auto nodes = (uint32_t)host.relay.size();
        Part all;
        all.relay.assign(copies * nodes + (fabric.relay.size() - copies), false);
        for (uint32_t c = 0; c < copies; c++)
            for (uint32_t v = 0; v < nodes; v++)
                all.relay[number(host, copies, c, v)] = host.relay[v];
        uint32_t members = 0, relays = 0;
        std::vector<uint32_t> place;
        for (const bool relay : fabric.relay)
            place.push_back(relay ? copies * nodes + relays++ : members++);
        for (size_t v = copies * nodes; v < all.relay.size(); v++)
            all.relay[v] = true;
        for (uint32_t c = 0; c < copies; c++)
            for (const auto &l : host.links)
                all.links.push_back({number(host, copies, c, l[0]), number(host, copies, c, l[1]), l[2], l[3]});
        for (const auto &l : fabric.links) {
            const bool hosts[] = {!fabric.relay[l[0]], !fabric.relay[l[1]]};
            for (uint32_t v = 0; v < nodes; v++)
                if (hosts[0] || hosts[1] ? out[v] : v == 0)
                    all.links.push_back({hosts[0] ? number(host, copies, place[l[0]], v) : place[l[0]],
                                         hosts[1] ? number(host, copies, place[l[1]], v) : place[l[1]], l[2], l[3]});
        }
        const std::string spec = "cluster:" + host.spec() + (round % 3 ? "" : through) + "+below=" + fabric.spec();
        const Topology made = parse(spec), expected = parse(all.spec());
        EXPECT_TRUE(gfab_topology_equal(made.get(), expected.get())) << spec << "\n" << all.spec();
        const Topology again = parse(gfab_topology_spec(made.get()));
        EXPECT_TRUE(gfab_topology_equal(made.get(), again.get())) << spec;
    }
}

// The machines of the families are clusters of their boxes, number by number.
TEST(Cluster, IsTheMachine)
{
    const std::string box = "graph:9:0-8,1-8,2-8,3-8,4-8,5-8,6-8,7-8+relay=8:switch+weight=0-8:9+weight=1-8:9"
                            "+weight=2-8:9+weight=3-8:9+weight=4-8:9+weight=5-8:9+weight=6-8:9+weight=7-8:9";
    const Topology two = parse("cluster:2x" + box), machine = parse("machine:h100x2");
    EXPECT_TRUE(gfab_topology_equal(two.get(), machine.get()));
    EXPECT_STREQ(gfab_topology_node_name(two.get(), 9), "h1/1");
    EXPECT_STREQ(gfab_topology_node_name(two.get(), 18), "switch");
    // Rails: two tori of 2 x 2 hosts each, and the links within the hosts.
    const Topology rails = parse("cluster:path:2+below=torus:3x3");
    EXPECT_EQ(gfab_topology_link_count(rails.get()), 9u + 2 * 18);
}

TEST(Cluster, NamesAndBandwidths)
{
    WANTS_EXTRA(graphs);
    const std::string host =
        write_file("host.dot", "graph { g0 -- sw [bandwidth=\"900Gbps\"]; g1 -- sw [bandwidth=\"900Gbps\"];"
                               " sw [relay=switch] }");
    const std::string fabric =
        write_file("fabric.dot", "graph { n7 -- leaf [bandwidth=\"400Gbps\"]; leaf [relay=switch];"
                                 " n9 -- leaf [bandwidth=\"400Gbps\"] }");
    const Topology t = parse("cluster:" + host + "+below=" + fabric);
    uint32_t node = 0, leaf = 0;
    gfab_arc arc = 0;
    ASSERT_EQ(gfab_topology_find_node(t.get(), "n9/g1", &node, nullptr), GFAB_OK);
    ASSERT_EQ(gfab_topology_find_node(t.get(), "leaf", &leaf, nullptr), GFAB_OK);
    EXPECT_EQ(node, 3u);
    ASSERT_TRUE(gfab_topology_find_arc(t.get(), node, leaf, &arc));
    EXPECT_EQ(gfab_topology_arc_weight(t.get(), arc), 4u); // of 100 Gbit/s
    ASSERT_EQ(gfab_topology_find_node(t.get(), "n9/sw", &leaf, nullptr), GFAB_OK);
    ASSERT_TRUE(gfab_topology_find_arc(t.get(), node, leaf, &arc));
    EXPECT_EQ(gfab_topology_arc_weight(t.get(), arc), 9u);
    EXPECT_STREQ(gfab_topology_note(t.get()), "a link of weight 1 carries 100 Gbit/s, which is 12.5 GB/s");
    // A file by its name alone, and a host's node by its own.
    const Topology short_way = parse("cluster:" + host.substr(5) + "+through=g0+below=" + fabric.substr(5));
    EXPECT_EQ(gfab_topology_link_count(short_way.get()), 4u + 2);
    // What a suffix makes of a part has its rate still.
    const Topology changed = parse("cluster:" + host + "+relay=sw+below=" + fabric);
    EXPECT_FALSE(gfab_topology_is_switch(changed.get(), 4));
    EXPECT_NE(gfab_topology_note(changed.get()), nullptr);
    const std::string slow =
        write_file("slow.dot", "graph { a -- b [bandwidth=\"1bps\"]; b -- c [bandwidth=\"1bps\"] }");
    gfab_topology *none = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_parse(("cluster:2xpath:2+below=" + fabric).c_str(), &none, &diag), GFAB_ERR_INVALID);
    EXPECT_NE(std::string(diag.message).find("the links of the fabric have bandwidths with a unit, those of the host"),
              std::string::npos)
        << diag.message;
    EXPECT_EQ(gfab_topology_parse(("cluster:" + host + "+below=" + slow).c_str(), &none, &diag), GFAB_ERR_LIMIT);
    EXPECT_NE(std::string(diag.message).find("bandwidths so far apart"), std::string::npos) << diag.message;
}

TEST(Cluster, BadSpecs)
{
    WANTS_EXTRA(graphs);
    const std::string damaged = write_file("damaged.dot", "graph {\n a -- \n}");
    const std::string in_line = "cluster:path:2+below=" + damaged;
    const BadSpec table[] = {
        {"cluster:", GFAB_ERR_PARSE, "the host: it is missing; write cluster:NxHOST or cluster:HOST+below=FABRIC"},
        {"cluster:2x", GFAB_ERR_PARSE, "the host: it is missing"},
        {"cluster:path:2+below=", GFAB_ERR_PARSE, "the fabric: it is missing"},
        {"cluster:path:2", GFAB_ERR_INVALID, "how many hosts? write cluster:NxHOST"},
        {"cluster:1xpath:2", GFAB_ERR_INVALID, "how many hosts?"},
        {"cluster:3xpath:2+below=path:2", GFAB_ERR_INVALID, "3 hosts, but what they hang on has 2 members"},
        {"cluster:2xnone", GFAB_ERR_IO, "the host: cannot read the file"},
        {"cluster:2xpath:0", GFAB_ERR_INVALID, "the host: a side of 0"},
        {"cluster:2xpath:2+relay=9", GFAB_ERR_INVALID, "the host: "},
        {"cluster:2xpath:2+through=2", GFAB_ERR_INVALID, "node 2 does not exist"},
        {"cluster:2xpath:2+through=", GFAB_ERR_PARSE, "nodes of the host, such as 3,5-7"},
        {"cluster:2xpath:2+through=1-0", GFAB_ERR_PARSE, "nodes of the host, such as 3,5-7"},
        {"cluster:2xpath:2+through=0;", GFAB_ERR_PARSE, "+through=: unexpected \";\""},
        {"cluster:2xcluster:2xpath:2", GFAB_ERR_UNSUPPORTED, "a cluster as a part of another"},
        {"cluster:2xpath:2+weight=0-1:2+split", GFAB_ERR_UNSUPPORTED, "links side by side"},
        {"cluster:9999999xpath:99", GFAB_ERR_LIMIT, "are too many"},
        {"cluster:99999999xpath:99", GFAB_ERR_IO, "the host: cannot read the file"},
        {in_line.c_str(), GFAB_ERR_PARSE, "the fabric, line 3: "},
    };
    for (const BadSpec &bad : table)
        expect_refused(bad);
}

} // namespace
