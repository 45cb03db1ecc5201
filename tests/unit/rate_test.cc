// SPDX-License-Identifier: MIT
// Best rates: certificates against every set of nodes and every partition of small graphs; checks, and mutants.
#include "collective_fixture.h"

extern "C" {
#include "base/random.h"
}

#include <algorithm>
#include <functional>

namespace
{

struct Found {
    gfab_certificate certificate;
    bool tight;
    ~Found() { gfab_certificate_release(&certificate); }
};

gfab_goal unit_of(const Topology &topology, gfab_collective collective, uint32_t root = 0)
{
    gfab_goal goal = goal_on(topology, collective);
    goal.root = root;
    if (collective == GFAB_ALL_REDUCE)
        goal.blocks = 1;
    return goal;
}

void find(const Topology &topology, gfab_link_mode mode, const gfab_goal &goal, Found *found)
{
    ASSERT_EQ(gfab_rate(topology.get(), mode, &goal, nullptr, &found->certificate, &found->tight), GFAB_OK);
    gfab_diag diag{};
    EXPECT_EQ(gfab_certificate_check(topology.get(), &found->certificate, &diag), GFAB_OK) << diag.message;
}

// The most that any certificate of its kind says: all partitions, or all cuts.
void expect_best(const Topology &topology, gfab_link_mode mode, const gfab_goal &goal)
{
    Found found{};
    find(topology, mode, goal, &found);
    gfab_certificate other = found.certificate;
    std::vector<uint32_t> part(gfab_topology_node_count(topology.get()));
    other.part = part.data();
    std::function<void(size_t, uint32_t)> extend = [&](size_t v, uint32_t parts) {
        if (v == part.size()) {
            other.parts = parts;
            for (int side = 0; side < 2 && parts > 1; side++) {
                uint64_t demand = 0, capacity = 0;
                ASSERT_EQ(gfab_certificate_count(topology.get(), &other, &demand, &capacity), GFAB_OK);
                EXPECT_LE(demand * found.certificate.capacity, found.certificate.demand * capacity)
                    << gfab_topology_spec(topology.get()) << ' ' << gfab_collective_name(goal.collective);
                if (other.cut)
                    for (uint32_t &p : part)
                        p ^= 1;
            }
            return;
        }
        for (uint32_t p = 0; p <= std::min(parts, other.cut ? 1u : UINT32_MAX); p++) {
            part[v] = p;
            extend(v + 1, std::max(parts, p + 1));
        }
        part[v] = GFAB_NO_PART;
        if (!other.cut && gfab_topology_is_switch(topology.get(), static_cast<uint32_t>(v)))
            extend(v + 1, parts);
    };
    extend(0, 0);
}

const gfab_collective all[] = {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST, GFAB_REDUCE};

std::string random_graph(uint64_t *random, bool relays, const char *kind = "")
{
    const uint32_t nodes = 3 + gfab_random_below(random, 4);
    std::string links, suffixes;
    for (uint32_t v = 1; v < nodes; v++) {
        const uint32_t tree = gfab_random_below(random, v);
        for (uint32_t u = 0; u < v; u++)
            if (u == tree || gfab_random_below(random, 2)) {
                links += (links.empty() ? "" : ",") + std::to_string(u) + "-" + std::to_string(v);
                suffixes += "+weight=" + std::to_string(u) + "-" + std::to_string(v) + ":" +
                            std::to_string(1 + gfab_random_below(random, 8));
            }
    }
    if (relays)
        suffixes += "+relay=" + std::to_string(gfab_random_below(random, nodes)) + kind;
    return "graph:" + std::to_string(nodes) + ":" + links + suffixes;
}

TEST(Rate, IsTheMostThatAnyCutOrPartitionSays)
{
    uint64_t random = 5;
    for (int i = 0; i < 40; i++) {
        const Topology topology = parse(random_graph(&random, i % 4 == 3));
        for (const gfab_collective collective : all)
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
                const gfab_goal goal = unit_of(topology, collective, i % 2);
                Found found{};
                find(topology, mode, goal, &found);
                if (found.tight)
                    expect_best(topology, mode, goal);
            }
    }
}

// A switch is in the part where less leaves that with it, or in none.
TEST(Rate, PartitionsLeaveSwitchesOut)
{
    uint64_t random = 8;
    for (int i = 0; i < 40; i++) {
        const Topology topology = parse(random_graph(&random, true, ":switch"));
        for (const gfab_collective collective : all)
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
                const gfab_goal goal = unit_of(topology, collective, i % 2);
                Found found{};
                find(topology, mode, goal, &found);
                if (!found.certificate.cut)
                    expect_best(topology, mode, goal);
            }
    }
}

// Directed: what comes to the parts may be less than what leaves them.
TEST(Rate, PartitionsCountTheLesserOfBothWays)
{
    const char *out = "graph:4:0-3,1-3,2-3+relay=3:switch+weight=0-3:1/5+weight=1-3:1/5+weight=2-3:1/5";
    const char *in = "graph:4:0-3,1-3,2-3+relay=3:switch+weight=0-3:5/1+weight=1-3:5/1+weight=2-3:5/1";
    for (const char *spec : {out, in}) {
        const Topology topology = parse(spec);
        Found found{};
        find(topology, GFAB_LINK_FULL, unit_of(topology, GFAB_ALL_REDUCE), &found);
        EXPECT_EQ(found.certificate.demand, 4u);
        EXPECT_EQ(found.certificate.capacity, 3u);
    }
}

uint64_t rounds_a_unit(const char *spec, gfab_link_mode mode, gfab_collective collective, uint64_t times)
{
    const Topology topology = parse(spec);
    Found found{};
    find(topology, mode, unit_of(topology, collective), &found);
    EXPECT_EQ(times * found.certificate.demand % found.certificate.capacity, 0u);
    return times * found.certificate.demand / found.certificate.capacity;
}

TEST(Rate, OfKnownGraphs)
{
    EXPECT_EQ(rounds_a_unit("mesh:4x4", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 24), 15u);
    EXPECT_EQ(rounds_a_unit("mesh:8x8", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 112), 63u);
    EXPECT_EQ(rounds_a_unit("mesh:4x4", GFAB_LINK_HALF, GFAB_ALL_REDUCE, 24), 30u);
    EXPECT_EQ(rounds_a_unit("mesh:4x4", GFAB_LINK_HALF, GFAB_BROADCAST, 24), 15u);
    EXPECT_EQ(rounds_a_unit("mesh:4x4", GFAB_LINK_FULL, GFAB_BROADCAST, 2), 1u);
    EXPECT_EQ(rounds_a_unit("torus:4x4", GFAB_LINK_FULL, GFAB_BROADCAST, 4), 1u);
    EXPECT_EQ(rounds_a_unit("cycle:8", GFAB_LINK_FULL, GFAB_ALL_GATHER, 2), 7u);
    EXPECT_EQ(rounds_a_unit("cycle:8", GFAB_LINK_FULL, GFAB_REDUCE_SCATTER, 2), 7u);
    EXPECT_EQ(rounds_a_unit("graph:5:0-4,1-4,2-4,3-4+relay=4", GFAB_LINK_FULL, GFAB_ALL_GATHER, 1), 3u);
    EXPECT_EQ(rounds_a_unit("graph:5:0-4,1-4,2-4,3-4+relay=4", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 1), 1u);
    EXPECT_EQ(rounds_a_unit("graph:5:0-4,1-4,2-4,3-4+relay=4:switch", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 2), 3u);
    EXPECT_EQ(rounds_a_unit("graph:5:0-4,1-4,2-4,3-4+relay=4:switch", GFAB_LINK_HALF, GFAB_ALL_REDUCE, 1), 3u);
    EXPECT_EQ(rounds_a_unit("machine:h100x2", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 16), 3u);
}

TEST(Rate, RefusesWhatHasNone)
{
    const Topology topology = parse("cycle:4");
    Found found{};
    const gfab_goal goal = goal_on(topology, GFAB_ALL_TO_ALL), barrier = goal_on(topology, GFAB_BARRIER);
    EXPECT_EQ(gfab_rate(topology.get(), GFAB_LINK_FULL, &goal, nullptr, &found.certificate, &found.tight),
              GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(gfab_rate(topology.get(), GFAB_LINK_FULL, &barrier, nullptr, &found.certificate, &found.tight),
              GFAB_ERR_UNSUPPORTED);
}

TEST(Certificate, RejectsMutants)
{
    uint64_t random = 9;
    for (int i = 0; i < 30; i++) {
        const Topology topology = parse(random_graph(&random, i % 3 == 2, ":switch"));
        for (const gfab_collective collective : all)
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
                Found found{};
                find(topology, mode, unit_of(topology, collective), &found);
                gfab_certificate mutant = found.certificate;
                gfab_diag diag{};
                mutant.demand++;
                EXPECT_EQ(gfab_certificate_check(topology.get(), &mutant, &diag), GFAB_ERR_FAULT);
                mutant = found.certificate;
                mutant.capacity--;
                EXPECT_EQ(gfab_certificate_check(topology.get(), &mutant, &diag), GFAB_ERR_FAULT);
                mutant = found.certificate;
                mutant.link_mode = mode == GFAB_LINK_HALF ? GFAB_LINK_FULL : GFAB_LINK_HALF;
                if (!mutant.cut) {
                    EXPECT_EQ(gfab_certificate_check(topology.get(), &mutant, &diag), GFAB_ERR_FAULT);
                }
            }
    }
}

// The demand of a certificate by the definition: node by node of every block.
uint64_t count_by_definition(const Topology &topology, const gfab_certificate &c)
{
    uint64_t demand = 0;
    const bool combines = gfab_collective_combines(c.goal.collective);
    for (uint32_t block = 0; block < c.goal.blocks; block++) {
        std::vector<bool> holds(c.parts), wants(c.parts);
        for (uint32_t v = 0; v < gfab_topology_node_count(topology.get()); v++) {
            if (c.part[v] == GFAB_NO_PART)
                continue;
            holds[c.part[v]] = holds[c.part[v]] || gfab_goal_node_holds(&c.goal, topology.get(), v, block);
            wants[c.part[v]] = wants[c.part[v]] || gfab_goal_node_wants(&c.goal, topology.get(), v, block);
        }
        if (c.cut) {
            demand += holds[0] && wants[1] && (combines || !holds[1]);
            continue;
        }
        const auto have = std::count(holds.begin(), holds.end(), true);
        const auto want = std::count(wants.begin(), wants.end(), true);
        uint64_t lack = 0;
        for (uint32_t p = 0; p < c.parts; p++)
            lack += wants[p] && !holds[p];
        demand += combines ? static_cast<uint64_t>(have - 1 + want - 1) : lack;
    }
    const bool outside = std::count(c.part, c.part + gfab_topology_node_count(topology.get()), GFAB_NO_PART) > 0;
    return outside && c.link_mode == GFAB_LINK_HALF ? 2 * demand : demand; // ends of messages
}

// Parts are drawn: some with relays alone, some with one member, which may own a block.
TEST(Certificate, CountsWhatTheDefinitionSays)
{
    uint64_t random = 4;
    for (int i = 0; i < 300; i++) {
        const Topology topology = parse(i % 2   ? random_graph(&random, false)
                                        : i % 4 ? "mesh:3x3+relay=4"
                                                : "mesh:3x3+relay=8:switch");
        const auto nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        for (const gfab_collective collective : all) {
            std::vector<uint32_t> part(nodes);
            gfab_certificate c{};
            c.goal = unit_of(topology, collective);
            c.goal.root = gfab_collective_has_root(collective) ? i % gfab_topology_member_count(topology.get()) : 0;
            c.cut = i % 3 == 0;
            c.link_mode = i % 8 < 4 ? GFAB_LINK_HALF : GFAB_LINK_FULL;
            c.parts = c.cut ? 2 : 2 + static_cast<uint32_t>(gfab_random_below(&random, nodes - 1));
            for (uint32_t v = 0; v < nodes; v++)
                part[v] = v < c.parts ? v : static_cast<uint32_t>(gfab_random_below(&random, c.parts));
            if (i % 4 == 0 && !c.cut && c.parts < nodes)
                part[nodes - 1] = GFAB_NO_PART;
            c.part = part.data();
            uint64_t demand = 0, capacity = 0;
            ASSERT_EQ(gfab_certificate_count(topology.get(), &c, &demand, &capacity), GFAB_OK);
            EXPECT_EQ(demand, count_by_definition(topology, c)) << gfab_topology_spec(topology.get()) << collective;
        }
    }
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

gfab_status read_back(const std::string &text, std::string *again, gfab_diag *diag)
{
    const File file(std::tmpfile());
    std::fwrite(text.data(), 1, text.size(), file.get());
    std::rewind(file.get());
    gfab_topology *topology = nullptr;
    gfab_certificate certificate{};
    gfab_status status = gfab_certificate_read(file.get(), &topology, &certificate, diag);
    const Topology owner(topology);
    if (status == GFAB_OK) {
        *again = text_of(owner, certificate);
        status = gfab_certificate_check(topology, &certificate, diag);
    }
    gfab_certificate_release(&certificate);
    return status;
}

// So many blocks of so many nodes took a minute when each node was asked for each block.
TEST(Certificate, OfManyNodesIsCountedAtOnce)
{
    std::string again;
    gfab_diag diag{};
    const std::string text = "gossipfab-certificate 1\ntopology path:1048576\nlink-mode full\ncollective all-gather\n"
                             "root 0\nkind cut\nblocks 1048576\ndemand 1\ncapacity 1\npart 0\npart 1-1048575\n";
    EXPECT_EQ(read_back(text, &again, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(again, text);
}

TEST(Certificate, IsReadAsItWasWritten)
{
    for (const char *spec : {"mesh:4x4", "mesh:3x3+relay=4+weight=0-1:3", "path:5", "machine:h100x2"})
        for (const gfab_collective collective : all) {
            const Topology topology = parse(spec);
            Found found{};
            find(topology, GFAB_LINK_FULL, unit_of(topology, collective), &found);
            const std::string text = text_of(topology, found.certificate);
            std::string again;
            gfab_diag diag{};
            EXPECT_EQ(read_back(text, &again, &diag), GFAB_OK) << diag.message;
            EXPECT_EQ(again, text);
        }
}

// A text with one thing changed, and what is said of it.
struct Bad {
    const char *from, *to;
    size_t line;
    const char *words;
};

TEST(Certificate, TextThatIsWrongIsRefused)
{
    const Topology topology = parse("path:3");
    Found found{};
    find(topology, GFAB_LINK_FULL, unit_of(topology, GFAB_ALL_REDUCE), &found);
    const std::string text = text_of(topology, found.certificate);
    const Bad bad[] = {{"certificate 1", "certificate 2", 1, "expected 'gossipfab-certificate 1'"},
                       {"path:3", "path:x", 2, "path:x"},
                       {"path:3", "file:x.dot", 2, "expected its links"},
                       {"mode full", "mode ful", 3, "ful"},
                       {"all-reduce", "all-to-all", 7, "no such certificate"},
                       {"root 0", "root 1", 7, "no such certificate"},
                       {"kind partition", "kind cut", 13, "expected 2"},
                       {"kind partition", "kind x", 6, "expected cut, partition or matchings"},
                       {"blocks 1", "blocks 2", 7, "no such certificate"},
                       {"demand 4", "demand -4", 8, "expected a number"},
                       {"part 1\n", "part 1-2\n", 12, "node 2 is in two parts"},
                       {"part 1\n", "part 3\n", 11, "rising nodes from 0 to 2"},
                       {"part 1\n", "part 1 \n", 11, "end of the line"},
                       {"part 1\n", "", 12, "node 1 is in no part"},
                       {"part 2\n", "part 2", 12, "does not end in LF"},
                       {"capacity", "room", 9, "expected 'capacity ...'"}};
    for (const Bad &b : bad) {
        std::string changed = text, again;
        const size_t at = changed.find(b.from);
        ASSERT_NE(at, std::string::npos) << b.from << " in\n" << text;
        changed.replace(at, std::string(b.from).size(), b.to);
        gfab_diag diag{};
        EXPECT_NE(read_back(changed, &again, &diag), GFAB_OK) << b.to;
        EXPECT_EQ(diag.line, b.line) << b.to << ": " << diag.message;
        EXPECT_NE(std::string(diag.message).find(b.words), std::string::npos) << diag.message;
    }
    for (size_t length = 0; length < text.size(); length++) {
        std::string again;
        gfab_diag diag{};
        EXPECT_NE(read_back(text.substr(0, length), &again, &diag), GFAB_OK) << length;
    }
}

// Weak in one place: the count over all links says less than the rate.
TEST(Rate, IsAmongTheBounds)
{
    const Topology barbell = parse("graph:8:0-1,0-2,0-3,1-2,1-3,2-3,3-4,4-5,4-6,4-7,5-6,5-7,6-7");
    EXPECT_EQ(bound_on(barbell, links(GFAB_LINK_HALF), goal_on(barbell, GFAB_ALL_REDUCE, 100)), 200u);
    EXPECT_GE(bound_on(barbell, links(GFAB_LINK_FULL), goal_on(barbell, GFAB_BROADCAST, 100)), 102u);
}

} // namespace
