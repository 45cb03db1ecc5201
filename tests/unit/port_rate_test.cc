// SPDX-License-Identifier: MIT
// The best rate with one port: certificates against every matching of small graphs and the definition of what they
// count; their checker, and mutants; small games; bounds that no schedule is below.
#include "collective_fixture.h"
#include "extent.h"

extern "C" {
#include "base/random.h"
#include "flow/game.h"
}

#include <algorithm>
#include <functional>

namespace
{

const gfab_collective all[] = {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST, GFAB_REDUCE};

struct Found {
    gfab_certificate certificate{};
    bool tight = false;
    ~Found() { gfab_certificate_release(&certificate); }
};

gfab_goal unit_of(const Topology &topology, gfab_collective collective)
{
    gfab_goal goal = goal_on(topology, collective);
    if (collective == GFAB_ALL_REDUCE)
        goal.blocks = 1;
    return goal;
}

void find(const Topology &topology, gfab_link_mode mode, gfab_collective collective, Found *found)
{
    const gfab_goal goal = unit_of(topology, collective);
    gfab_diag diag{};
    ASSERT_EQ(gfab_rate_one_port(topology.get(), mode, &goal, nullptr, &found->certificate, &found->tight), GFAB_OK);
    EXPECT_EQ(gfab_certificate_check(topology.get(), &found->certificate, &diag), GFAB_OK) << diag.message;
}

std::string random_graph(uint64_t *random, bool relays)
{
    const uint32_t nodes = 3 + gfab_random_below(random, 5);
    std::string links, suffixes;
    for (uint32_t v = 1; v < nodes; v++) {
        const uint32_t tree = gfab_random_below(random, v);
        for (uint32_t u = 0; u < v; u++)
            if (u == tree || gfab_random_below(random, 3) == 0) {
                const std::string ends = std::to_string(u) + "-" + std::to_string(v);
                links += (links.empty() ? "" : ",") + ends;
                if (gfab_random_below(random, 3) == 0)
                    suffixes += "+weight=" + ends + ":" + std::to_string(2 + gfab_random_below(random, 3));
            }
    }
    if (relays)
        suffixes += "+relay=" + std::to_string(gfab_random_below(random, nodes));
    return "graph:" + std::to_string(nodes) + ":" + links + suffixes;
}

// What a link carries of the messages that a term counts, by what cuts and partitions are.
uint64_t carries(const Topology &topology, const gfab_certificate &term, uint32_t link)
{
    uint64_t there[2] = {0, 0};
    for (uint32_t way = 0; way < 2; way++) {
        const gfab_arc arc = 2 * link + way;
        const uint32_t from = term.part[gfab_topology_arc_from(topology.get(), arc)];
        const uint32_t to = term.part[gfab_topology_arc_to(topology.get(), arc)];
        if (from != to && (!term.cut || from == 0))
            there[way] = gfab_topology_arc_weight(topology.get(), arc);
    }
    return term.link_mode == GFAB_LINK_HALF && !term.cut ? std::max(there[0], there[1]) : there[0] + there[1];
}

// The heaviest matching, by trying all.
uint64_t heaviest(const Topology &topology, const gfab_certificate &c)
{
    const auto links = static_cast<uint32_t>(gfab_topology_link_count(topology.get()));
    std::vector<bool> used(gfab_topology_node_count(topology.get()));
    std::function<uint64_t(uint32_t)> most = [&](uint32_t link) -> uint64_t {
        if (link == links)
            return 0;
        uint64_t best = most(link + 1);
        const gfab_link ends = gfab_topology_link(topology.get(), link);
        if (used[ends.node[0]] || used[ends.node[1]])
            return best;
        uint64_t weight = 0;
        for (uint32_t i = 0; i < c.ports->terms; i++)
            weight += c.ports->factor[i] * carries(topology, c.ports->term[i], link);
        used[ends.node[0]] = used[ends.node[1]] = true;
        best = std::max(best, weight + most(link + 1));
        used[ends.node[0]] = used[ends.node[1]] = false;
        return best;
    };
    return most(0);
}

TEST(Game, OfKnownValue)
{
    double row[3], column[3], value = 0;
    const double pennies[] = {1, 0, 0, 1}, dominated[] = {2, 3, 1, 2}, paper[] = {1, 0, 2, 2, 1, 0, 0, 2, 1};
    ASSERT_EQ(gfab_game_solve(2, 2, pennies, row, column, &value), GFAB_OK);
    EXPECT_NEAR(value, 0.5, 1e-9);
    EXPECT_NEAR(row[0], 0.5, 1e-9);
    EXPECT_NEAR(column[1], 0.5, 1e-9);
    ASSERT_EQ(gfab_game_solve(2, 2, dominated, row, column, &value), GFAB_OK);
    EXPECT_NEAR(value, 2, 1e-9);
    EXPECT_NEAR(row[1], 1, 1e-9);
    EXPECT_NEAR(column[1], 1, 1e-9);
    ASSERT_EQ(gfab_game_solve(3, 3, paper, row, column, &value), GFAB_OK);
    EXPECT_NEAR(value, 1, 1e-9);
    EXPECT_NEAR(row[2], 1.0 / 3, 1e-9);
}

// Neither player does better against the other's shares than the value.
TEST(Game, SharesAreBestAgainstEachOther)
{
    uint64_t random = 3;
    for (int i = 0; i < 60; i++) {
        const size_t rows = 1 + gfab_random_below(&random, 12), columns = 1 + gfab_random_below(&random, 12);
        std::vector<double> payoff(rows * columns), row(rows), column(columns);
        for (size_t k = 0; k < payoff.size(); k++)
            payoff[k] = k % columns == 0 ? 1 + gfab_random_below(&random, 5) : gfab_random_below(&random, 4);
        double value = 0;
        ASSERT_EQ(gfab_game_solve(rows, columns, payoff.data(), row.data(), column.data(), &value), GFAB_OK);
        for (size_t r = 0; r < rows; r++) {
            double paid = 0;
            for (size_t c = 0; c < columns; c++)
                paid += column[c] * payoff[r * columns + c];
            EXPECT_GE(paid, value - 1e-6);
        }
        for (size_t c = 0; c < columns; c++) {
            double paid = 0;
            for (size_t r = 0; r < rows; r++)
                paid += row[r] * payoff[r * columns + c];
            EXPECT_LE(paid, value + 1e-6);
        }
    }
}

// No matching carries more than a certificate says, and one carries as much.
TEST(PortRate, CapacityIsThatOfTheHeaviestMatching)
{
    uint64_t random = 11;
    for (int i = 0; i < 40; i++) {
        const Topology topology = parse(random_graph(&random, i % 4 == 3));
        for (const gfab_collective collective : all)
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
                Found found;
                find(topology, mode, collective, &found);
                EXPECT_EQ(found.certificate.capacity, heaviest(topology, found.certificate))
                    << gfab_topology_spec(topology.get()) << ' ' << gfab_collective_name(collective);
            }
    }
}

// Trees whose links take turns come as near to it as one likes: so it is no more than the best rate, and no less.
TEST(PortRate, IsMet)
{
    uint64_t random = 17;
    for (uint32_t i = 0; i < extent(3, 40); i++) {
        const Topology topology = parse(random_graph(&random, false));
        for (const gfab_collective collective : all)
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
                Found found;
                find(topology, mode, collective, &found);
                const gfab_certificate &c = found.certificate;
                gfab_model model = links(mode);
                model.port_mode = GFAB_PORT_ONE;
                const auto members = static_cast<uint32_t>(gfab_topology_member_count(topology.get()));
                const uint32_t blocks = 120 * members;
                const Made made = make("turns", topology, model, goal_on(topology, collective, blocks));
                const double best =
                    static_cast<double>(c.demand) / static_cast<double>(c.capacity) * blocks / c.goal.blocks;
                EXPECT_GE(made.rounds(), best - 0.01) << gfab_topology_spec(topology.get());
                EXPECT_LE(made.rounds(), 1.1 * best)
                    << gfab_topology_spec(topology.get()) << ' ' << gfab_collective_name(collective) << mode;
            }
    }
}

double rate_of(const char *spec, gfab_link_mode mode, gfab_collective collective)
{
    const Topology topology = parse(spec);
    Found found;
    find(topology, mode, collective, &found);
    return static_cast<double>(found.certificate.demand) / static_cast<double>(found.certificate.capacity);
}

// By hand. On cycle:5 a round has two links: ports alone would let it have five halves. Where a bridge joins two
// triangles, node 2 has two links or more of every tree, one of them in a round.
TEST(PortRate, OfKnownGraphs)
{
    EXPECT_NEAR(rate_of("path:4", GFAB_LINK_HALF, GFAB_BROADCAST), 2, 1e-9);
    EXPECT_NEAR(rate_of("cycle:5", GFAB_LINK_HALF, GFAB_BROADCAST), 2, 1e-9);
    EXPECT_NEAR(rate_of("cycle:5", GFAB_LINK_FULL, GFAB_ALL_GATHER), 5, 1e-9);
    EXPECT_NEAR(rate_of("cycle:6", GFAB_LINK_FULL, GFAB_ALL_GATHER), 5, 1e-9);
    EXPECT_NEAR(rate_of("mesh:8x8", GFAB_LINK_HALF, GFAB_ALL_GATHER), 126, 1e-6);
    EXPECT_NEAR(rate_of("graph:4:0-1,0-2,0-3", GFAB_LINK_HALF, GFAB_ALL_REDUCE), 6, 1e-9);
    EXPECT_NEAR(rate_of("graph:5:0-4,1-4,2-4,3-4+relay=4", GFAB_LINK_HALF, GFAB_BROADCAST), 3, 1.001);
    EXPECT_NEAR(rate_of("graph:6:0-1,1-2,0-2,2-3,3-4,4-5,3-5", GFAB_LINK_HALF, GFAB_ALL_REDUCE), 4, 1e-9);
}

std::string text_of(const Topology &topology, const gfab_certificate &certificate)
{
    const File file(std::tmpfile());
    EXPECT_EQ(gfab_certificate_write(topology.get(), &certificate, file.get()), GFAB_OK);
    std::rewind(file.get());
    std::string text;
    for (int c; (c = std::fgetc(file.get())) != EOF;)
        text += static_cast<char>(c);
    return text;
}

// The status of reading a text, or of checking what was read.
gfab_status read_back(const std::string &text, std::string *again, gfab_diag *diag)
{
    const File file(std::tmpfile());
    std::fwrite(text.data(), 1, text.size(), file.get());
    std::rewind(file.get());
    gfab_topology *topology = nullptr;
    Found found;
    gfab_status status = gfab_certificate_read(file.get(), &topology, &found.certificate, diag);
    const Topology owner(topology);
    if (status == GFAB_OK) {
        *again = text_of(owner, found.certificate);
        status = gfab_certificate_check(topology, &found.certificate, diag);
    }
    return status;
}

TEST(PortCertificate, IsReadAsItWasWritten)
{
    uint64_t random = 23;
    for (int i = 0; i < 20; i++) {
        const Topology topology = parse(random_graph(&random, i % 4 == 3));
        Found found;
        find(topology, i % 2 ? GFAB_LINK_FULL : GFAB_LINK_HALF, all[i % 5], &found);
        const std::string text = text_of(topology, found.certificate);
        std::string again;
        gfab_diag diag{};
        EXPECT_EQ(read_back(text, &again, &diag), GFAB_OK) << diag.message << text;
        EXPECT_EQ(again, text);
    }
}

struct Bad {
    const char *from, *to;
    gfab_status status;
    const char *words;
};

// On cycle:5 the odd set is all of it: 4 messages of a block, 2 links a round.
TEST(PortCertificate, MutantsAreRejected)
{
    const std::string text = "gossipfab-certificate 1\ntopology cycle:5\nlink-mode half\ncollective broadcast\nroot 0\n"
                             "kind matchings\nblocks 1\ndemand 4\ncapacity 2\npartition 1\npart 0\npart 1\npart 2\n"
                             "part 3\npart 4\nodd 1 0-4\n";
    std::string again;
    gfab_diag good{};
    ASSERT_EQ(read_back(text, &again, &good), GFAB_OK) << good.message;
    ASSERT_EQ(again, text);
    const Bad bad[] = {{"demand 4", "demand 5", GFAB_ERR_FAULT, "demand 5"},
                       {"capacity 2", "capacity 1", GFAB_ERR_FAULT, "capacity 1"},
                       {"partition 1", "partition 2", GFAB_ERR_FAULT, "link 0-1 carries 2"},
                       {"odd 1 0-4", "odd 1 0-3", GFAB_ERR_FAULT, "not odd"},
                       {"odd 1 0-4", "odd 1 0-2", GFAB_ERR_FAULT, "carries 1"},
                       {"odd 1 0-4\n", "", GFAB_ERR_FAULT, "carries 1"},
                       {"odd 1 0-4", "nodes 1 0", GFAB_ERR_FAULT, "carries 1"},
                       {"odd 1 0-4", "odd 0 0-4", GFAB_ERR_PARSE, "above 0"},
                       {"odd 1 0-4", "odd 1 0-5", GFAB_ERR_PARSE, "rising nodes"},
                       {"odd 1 0-4", "odd 1 0-4\nnodes 1 0", GFAB_ERR_PARSE, "in this order"},
                       {"odd 1 0-4", "nodes 1 0\nnodes 2 0,1", GFAB_ERR_PARSE, "two weights"},
                       {"partition 1\n", "partition 0\n", GFAB_ERR_PARSE, "above 0"},
                       {"partition 1\n", "cut 1\n", GFAB_ERR_PARSE, "5 parts; expected 2"},
                       {"partition 1\n", "", GFAB_ERR_PARSE, "'cut ...' or 'partition ...'"},
                       {"part 4\n", "", GFAB_ERR_PARSE, "node 4 is in no part"},
                       {"partition 1\n", "partition 18446744073709551615\n", GFAB_ERR_LIMIT, ""},
                       {"matchings", "matching", GFAB_ERR_PARSE, "cut, partition or matchings"}};
    for (const Bad &b : bad) {
        std::string changed = text;
        const size_t at = changed.find(b.from);
        ASSERT_NE(at, std::string::npos) << b.from;
        changed.replace(at, std::string(b.from).size(), b.to);
        gfab_diag diag{};
        EXPECT_EQ(read_back(changed, &again, &diag), b.status) << b.to << ": " << diag.message;
        EXPECT_NE(std::string(diag.message).find(b.words), std::string::npos) << b.to << ": " << diag.message;
    }
}

TEST(PortCertificate, RandomMutantsAreRejected)
{
    uint64_t random = 31;
    for (int i = 0; i < 30; i++) {
        const Topology topology = parse(random_graph(&random, false));
        Found found;
        find(topology, i % 2 ? GFAB_LINK_FULL : GFAB_LINK_HALF, all[i % 5], &found);
        gfab_certificate &c = found.certificate;
        gfab_diag diag{};
        const auto refuses = [&] { return gfab_certificate_check(topology.get(), &c, &diag) == GFAB_ERR_FAULT; };
        c.ports->factor[0]++;
        EXPECT_TRUE(refuses());
        c.ports->factor[0]--;
        for (size_t v = 0; v < gfab_topology_node_count(topology.get()); v++)
            if (c.ports->node[v]) {
                c.ports->node[v]--; /* the sum is another one, and a link may have too little */
                c.capacity--;
                EXPECT_TRUE(refuses());
                c.ports->node[v]++;
                c.capacity++;
            }
        c.ports->sets = 0;
        c.capacity--;
        EXPECT_TRUE(refuses());
        c.capacity++;
    }
}

// The strongest solvers there are, on small graphs of few blocks, where the first and the last rounds count.
TEST(PortRate, NoScheduleIsBelowTheBounds)
{
    uint64_t random = 41;
    for (int i = 0; i < 30; i++) {
        const Topology topology = parse(random_graph(&random, false));
        const auto nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        for (const gfab_collective collective : all)
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
                const uint32_t some = 1 + gfab_random_below(&random, 6);
                const bool owned = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
                gfab_goal goal = goal_on(topology, collective, owned ? (1 + some / 3) * nodes : some);
                gfab_model model = links(mode);
                model.port_mode = GFAB_PORT_ONE;
                goal.root = gfab_collective_has_root(collective) ? gfab_random_below(&random, nodes) : 0;
                EXPECT_GE(make("steiner", topology, model, goal).rounds(), bound_on(topology, model, goal));
                if (gfab_topology_is_plain(topology.get())) {
                    EXPECT_GE(make("calls", topology, model, goal).rounds(), bound_on(topology, model, goal));
                }
            }
    }
}

// In a broadcast of 100 blocks 700 messages, 4 a round; 1 and 2 in the first two rounds.
TEST(PortRate, FirstRoundsOfABroadcastCarryLess)
{
    gfab_model model = links(GFAB_LINK_HALF);
    model.port_mode = GFAB_PORT_ONE;
    const Topology complete = parse("complete:8"), path = parse("path:4");
    EXPECT_EQ(bound_on(complete, model, goal_on(complete, GFAB_BROADCAST, 100)), 177u);
    EXPECT_EQ(bound_on(complete, model, goal_on(complete, GFAB_REDUCE, 100)), 177u);
    EXPECT_EQ(bound_on(path, model, goal_on(path, GFAB_BROADCAST, 100)), 201u);
    EXPECT_EQ(make("turns", path, model, goal_on(path, GFAB_BROADCAST, 100)).rounds(), 201u);
}

// Of the certificates that say 2 rounds a block here the game ends with that of a node beside the root, of which the
// first rounds take nothing. Of all messages they carry 1 and 2 instead of 3 and 3: 239 rounds, which is met.
TEST(PortRate, FirstRoundsCountForAllMessages)
{
    gfab_model model = links(GFAB_LINK_HALF);
    model.port_mode = GFAB_PORT_ONE;
    const Topology topology = parse("random:n=7,m=13,seed=157181670");
    for (const gfab_collective made : {GFAB_BROADCAST, GFAB_REDUCE})
        EXPECT_EQ(bound_on(topology, model, goal_on(topology, made, 119)), 239u);
    EXPECT_EQ(make("calls", topology, model, goal_on(topology, GFAB_BROADCAST, 119)).rounds(), 239u);
}

// complete:7 and a node that hangs by node 6, which has to be in all 2 B rounds. The six messages of a block that come
// to the others, 3 a round, take as long, and the first two rounds carry 1 and 2. All seven messages say less.
TEST(PortRate, FirstRoundsCountForParts)
{
    gfab_model model = links(GFAB_LINK_HALF);
    model.port_mode = GFAB_PORT_ONE;
    std::string spec = "graph:8:6-7";
    for (int u = 0; u < 7; u++)
        for (int v = u + 1; v < 7; v++)
            spec += "," + std::to_string(u) + "-" + std::to_string(v);
    const Topology topology = parse(spec.c_str());
    for (const uint32_t blocks : {8u, 64u})
        for (const gfab_collective made : {GFAB_BROADCAST, GFAB_REDUCE})
            EXPECT_EQ(bound_on(topology, model, goal_on(topology, made, blocks)), 2 * blocks + 1) << blocks;
    EXPECT_EQ(make("calls", topology, model, goal_on(topology, GFAB_BROADCAST, 8)).rounds(), 17u);
}

// A node that has something sends over one link: of 9 terms the first rounds carry less than 8.
TEST(PortRate, EachNodeSendsOverOneLink)
{
    gfab_model model = links(GFAB_LINK_FULL);
    model.port_mode = GFAB_PORT_ONE;
    const Topology complete = parse("complete:7");
    EXPECT_EQ(bound_on(complete, model, goal_on(complete, GFAB_BROADCAST, 119)), 141u);
    EXPECT_EQ(bound_on(complete, model, goal_on(complete, GFAB_REDUCE, 119)), 141u);
}

// What goes down a path of 5 nodes over its second link has two more links before it: on none of the last two rounds.
TEST(PortRate, LastRoundsOfABroadcastCarryLess)
{
    gfab_model model = links(GFAB_LINK_FULL);
    model.port_mode = GFAB_PORT_ONE;
    const Topology path = parse("path:5");
    for (const uint32_t blocks : {2u, 5u, 100u})
        for (const gfab_collective made : {GFAB_BROADCAST, GFAB_REDUCE}) {
            EXPECT_EQ(bound_on(path, model, goal_on(path, made, blocks)), 2 * blocks + 2) << blocks;
            EXPECT_EQ(make("turns", path, model, goal_on(path, made, blocks)).rounds(), 2 * blocks + 2) << blocks;
        }
}

} // namespace
