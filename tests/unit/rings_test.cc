// SPDX-License-Identifier: MIT
// Rings of every family and size, each checked as Hamiltonian and disjoint, by a checker that refuses what is neither;
// and the collectives along them: solver rings.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace
{

const char *const solver = "rings";

using Ring = std::vector<uint32_t>;

struct Found {
    uint32_t count = 0; // 0: none
    std::vector<Ring> rings;
    std::string says; // why there is none
};

// Checked by the library's checker.
Found find(const std::string &spec, bool one_way, uint64_t seed = 1)
{
    const Topology topology = parse(spec);
    gfab_rings_options options{};
    options.one_way = one_way;
    options.seed = seed;
    gfab_rings rings{};
    gfab_diag diag{};
    Found found;
    const gfab_status status = gfab_rings_find(topology.get(), &options, &rings, &diag);
    if (status == GFAB_OK) {
        EXPECT_EQ(gfab_rings_check(topology.get(), &rings, one_way, &diag), GFAB_OK) << spec << ": " << diag.message;
        EXPECT_NE(std::string(rings.how), "");
        found.count = rings.count;
        for (uint32_t i = 0; i < rings.count; i++)
            found.rings.emplace_back(rings.node + size_t(i) * rings.nodes, rings.node + size_t(i + 1) * rings.nodes);
    } else {
        EXPECT_EQ(status, GFAB_ERR_UNSUPPORTED) << spec;
        EXPECT_EQ(rings.node, nullptr);
        found.says = diag.message;
    }
    gfab_rings_release(&rings);
    return found;
}

// So many cycles whose links are all different; each makes two rings in full duplex.
void expect_cycles(const std::string &spec, uint32_t cycles)
{
    EXPECT_EQ(find(spec, true).count, cycles) << spec;
    EXPECT_EQ(find(spec, false).count, 2 * cycles) << spec;
}

std::string torus(const std::vector<uint32_t> &sides)
{
    std::string spec = sides.size() == 1 ? "cycle:" : "torus:";
    for (size_t i = 0; i < sides.size(); i++)
        spec += (i ? "x" : "") + std::to_string(sides[i]);
    return spec;
}

// All tori of so many axes of sides from `least` up, with so many nodes at most; of more than two axes those whose
// sides rise, and the same the other way round.
void each_torus(size_t axes, uint32_t least, uint32_t nodes, std::vector<uint32_t> sides,
                const std::function<void(const std::vector<uint32_t> &)> &visit)
{
    if (sides.size() == axes) {
        visit(sides);
        std::reverse(sides.begin(), sides.end());
        if (axes > 2)
            visit(sides);
        return;
    }
    sides.push_back(axes > 2 && !sides.empty() ? sides.back() : least);
    for (; sides.back() <= nodes; sides.back()++)
        each_torus(axes, least, nodes / sides.back(), sides, visit);
}

// ---- how many there are ----

TEST(Rings, ToriOfTwoAxes)
{
    each_torus(2, 3, extent(400, 1024), {}, [](const auto &sides) { expect_cycles(torus(sides), 2); });
    for (const char *spec : {"torus:32x32", "torus:3x341", "torus:64x16", "torus:31x33"})
        expect_cycles(spec, 2);
}

TEST(Rings, ToriOfMoreAxes)
{
    each_torus(1, 3, 64, {}, [](const auto &sides) { expect_cycles(torus(sides), 1); });
    each_torus(3, 3, extent(125, 1024), {}, [](const auto &sides) { expect_cycles(torus(sides), 3); });
    each_torus(4, 3, extent(144, 1024), {}, [](const auto &sides) { expect_cycles(torus(sides), 4); });
    each_torus(5, 3, extent(243, 1024), {}, [](const auto &sides) { expect_cycles(torus(sides), 5); });
    expect_cycles("torus:10x10x10", 3);
    expect_cycles("torus:4x4x4x4x4", 5);
    expect_cycles("torus:3x3x3x3x3x3", 6);
}

// Two sides of 2 are a cycle of 4, a third one is gone across once in each ring; sides of 1 are nothing.
TEST(Rings, ShortSides)
{
    for (const auto &[spec, cycles] : std::vector<std::pair<const char *, uint32_t>>{
             {"torus:2x2", 1}, {"torus:1x5", 1}, {"torus:2x2x5", 2}, {"torus:2x5x2x1x4", 3}, {"torus:2x2x2x2", 2}})
        expect_cycles(spec, cycles);
    for (const char *spec : {"torus:2x4", "torus:2x3", "torus:5x2", "torus:2x2x2"})
        EXPECT_EQ(find(spec, true).count, 1u) << spec;
    EXPECT_EQ(find("torus:2x2x2x3x3", true).count, 3u);
}

TEST(Rings, Hypercubes)
{
    for (uint32_t bits = 2; bits <= extent(10, 12); bits++)
        EXPECT_EQ(find("hypercube:" + std::to_string(bits), true).count, bits / 2) << bits;
    for (uint32_t bits = 2; bits <= extent(10, 12); bits += 2)
        EXPECT_EQ(find("hypercube:" + std::to_string(bits), false).count, bits) << bits;
}

// Of odd dimension no division says how many: of 3 there are 2, of 5 all 5, no two of which need be opposite.
TEST(Rings, HypercubesOfOddDimension)
{
    EXPECT_EQ(find("hypercube:3", false).count, 2u);
    const Found five = find("hypercube:5", false);
    EXPECT_EQ(five.count, 5u);
    EXPECT_GE(find("hypercube:7", false).count, 6u);
}

TEST(Rings, CompleteGraphs)
{
    for (uint32_t nodes = 3; nodes <= extent(33, 64); nodes++) {
        const std::string spec = "complete:" + std::to_string(nodes);
        EXPECT_EQ(find(spec, true).count, (nodes - 1) / 2) << spec;
        EXPECT_EQ(find(spec, false).count, nodes == 4 || nodes == 6 ? nodes - 2 : nodes - 1) << spec; // Tillson 1980
    }
}

TEST(Rings, Meshes)
{
    for (uint32_t rows = 2; rows <= extent(12, 32); rows++)
        for (uint32_t columns = 2; columns <= extent(12, 32); columns++) {
            const std::string spec = "mesh:" + std::to_string(rows) + "x" + std::to_string(columns);
            if (rows * columns % 2 == 0) {
                expect_cycles(spec, 1);
            } else {
                EXPECT_NE(find(spec, true).says.find("both kinds by turns"), std::string::npos) << spec;
            }
        }
    EXPECT_EQ(find("mesh:3x4x5", true).count, 1u);
    EXPECT_EQ(find("mesh:1x3x4", true).count, 1u);
    EXPECT_EQ(find("mesh:4x4x4x4", true).count, 2u);
    for (const char *spec : {"mesh:4x4x4", "mesh:3x4x5"}) // three links at a corner, three rings
        EXPECT_EQ(find(spec, false).count, 3u) << spec;
}

// A cycle a step, but for one of half way round, with which a search may find one direction more.
TEST(Rings, Circulants)
{
    for (const auto &[spec, cycles] : {std::pair{"circulant:16,1,8", 1u},
                                       {"circulant:16,1,7", 2u},
                                       {"circulant:3,1", 1u},
                                       {"circulant:12,2,3", 2u},
                                       {"circulant:64,1,2,3", 3u},
                                       {"circulant:7,1,2,3", 3u},
                                       {"circulant:35,5,7", 2u},
                                       {"circulant:30,6,10,15", 2u}})
        EXPECT_EQ(find(spec, true).count, cycles) << spec;
    EXPECT_EQ(find("circulant:64,1,2,3", false).count, 6u);
}

TEST(Rings, TwistedTori)
{
    for (uint32_t rows = 3; rows <= extent(6, 16); rows++)
        for (uint32_t columns = 3; columns <= extent(7, 16); columns++)
            for (uint32_t twist = 0; twist < columns; twist++)
                expect_cycles("twisted-torus:" + std::to_string(rows) + "x" + std::to_string(columns) + "," +
                                  std::to_string(twist),
                              2);
    expect_cycles("twisted-torus:32x32,16", 2);
}

// By search: rings in half duplex, in full.
TEST(Rings, OtherGraphs)
{
    const struct {
        const char *spec;
        uint32_t half, full;
    } graphs[] = {{"butterfly:4", 2, 4},
                  {"star:5", 2, 4},
                  {"pancake:5", 2, 4},
                  {"debruijn:5", 1, 2},
                  {"knoedel:5", 1, 5},
                  {"torus:8x8+drop-link=0-1", 1, 3},
                  {"graph:4:0-1,1-2,2-3,0-3,0-2", 1, 2}};
    for (const auto &graph : graphs) {
        EXPECT_GE(find(graph.spec, true).count, graph.half) << graph.spec;
        EXPECT_GE(find(graph.spec, false).count, graph.full) << graph.spec;
    }
}

TEST(Rings, NoneAndWhy)
{
    const std::pair<const char *, const char *> none[] = {
        {"path:5", "node 0 has one link"},
        {"mesh:3x5", "one of 7 nodes with one of the other 8"},
        {"torus:4x4+drop-node=3", "one of 7 nodes with one of the other 8"},
        {"mesh:3x3+weight=0-1:2", "weighted links"},
        {"fat-tree:4", "relays"},
        {"graph:5:0-1,0-2,1-2,2-3,2-4,3-4", "found no ring"}}; // two triangles that share a node
    for (const auto &[spec, why] : none)
        EXPECT_NE(find(spec, true).says.find(why), std::string::npos) << spec << ": " << find(spec, true).says;
}

TEST(Rings, SameSeedSameRings)
{
    for (const char *spec : {"random:n=64,m=256,seed=5", "torus:4x4x4", "complete:12"})
        EXPECT_EQ(find(spec, false, 7).rings, find(spec, false, 7).rings) << spec;
}

// ---- the checker ----

std::string refusal(const Topology &topology, std::vector<Ring> rings, bool one_way)
{
    std::vector<uint32_t> nodes;
    for (const Ring &ring : rings)
        nodes.insert(nodes.end(), ring.begin(), ring.end());
    const gfab_rings made{static_cast<uint32_t>(rings.size()), static_cast<uint32_t>(rings[0].size()), nodes.data(),
                          "a test"};
    gfab_diag diag{};
    return gfab_rings_check(topology.get(), &made, one_way, &diag) == GFAB_OK ? "" : diag.message;
}

TEST(Rings, CheckerRefusesMutants)
{
    const Topology grid = parse("torus:4x4");
    const std::vector<Ring> good = find("torus:4x4", true).rings;
    ASSERT_EQ(refusal(grid, good, true), "");
    const auto mutant = [&](const std::function<void(std::vector<Ring> &)> &change) {
        std::vector<Ring> rings = good;
        change(rings);
        return refusal(grid, rings, true);
    };
    const auto expect = [](const std::string &says, const char *words) {
        EXPECT_NE(says.find(words), std::string::npos) << says;
    };
    expect(mutant([](auto &r) { r[0][3] = r[0][1]; }), "visits node");
    expect(mutant([](auto &r) { std::swap(r[0][0], r[0][8]); }), "no link");
    expect(mutant([](auto &r) { r[1] = r[0]; }), "share the link");
    expect(mutant([](auto &r) { r[0][7] = 16; }), "there is no node 16");
    expect(mutant([](auto &r) { r[0].pop_back(), r[1].pop_back(); }), "rings of 15 nodes on 16");
    std::vector<Ring> opposite{good[0], good[0]};
    std::reverse(opposite[1].begin(), opposite[1].end());
    EXPECT_EQ(refusal(grid, opposite, false), "");
    expect(refusal(grid, opposite, true), "share the link");
}

// ---- collectives along them ----

const gfab_collective collectives[] = {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST,
                                       GFAB_REDUCE};

// Blocks that go round at once: so many rings, with a block of each node.
gfab_goal groups(const Topology &topology, gfab_collective collective, uint32_t rings, uint32_t count)
{
    const auto nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
    return goal_on(topology, collective, count * rings * (gfab_collective_has_root(collective) ? 1 : nodes));
}

// Thirty sizes: the bound itself, verified. On meshes all-reduces have a higher rate than rings.
TEST(RingsSolver, MeetsTheBound)
{
    std::vector<std::pair<const char *, uint32_t>> graphs{
        {"torus:3x3", 2},   {"torus:3x4", 2},     {"torus:4x4", 2},   {"torus:5x7", 2},   {"torus:6x10", 2},
        {"torus:8x8", 2},   {"torus:9x4", 2},     {"torus:3x17", 2},  {"torus:3x3x3", 3}, {"torus:4x3x5", 3},
        {"torus:4x4x4", 3}, {"torus:3x3x3x3", 4}, {"hypercube:2", 1}, {"hypercube:4", 2}, {"hypercube:6", 3},
        {"complete:5", 2},  {"complete:9", 4},    {"cycle:3", 1},     {"cycle:16", 1},    {"twisted-torus:4x6,2", 2},
        {"mesh:2x2", 1},    {"mesh:2x5", 1},      {"mesh:4x4", 1},    {"mesh:3x6", 1},    {"mesh:8x8", 1}};
    if (extent(0, 1))
        graphs.insert(graphs.end(), {{"torus:32x32", 2},
                                     {"torus:10x10x10", 3},
                                     {"torus:21x47", 2},
                                     {"torus:16x64", 2},
                                     {"hypercube:8", 4},
                                     {"hypercube:10", 5},
                                     {"mesh:32x32", 1}});
    for (const auto &[spec, cycles] : graphs)
        for (const gfab_collective collective : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE}) {
            const Topology topology = parse(spec);
            const gfab_goal goal = groups(topology, collective, 2 * cycles, 3);
            const Made made = make(solver, topology, links(GFAB_LINK_FULL), goal);
            ASSERT_TRUE(made.schedule) << spec << ": " << made.says;
            EXPECT_GT(gfab_schedule_period(made.schedule.get()), 0u);
            if (collective != GFAB_ALL_REDUCE || std::string(spec).find("mesh") != 0) {
                EXPECT_EQ(made.rounds(), bound_on(topology, links(GFAB_LINK_FULL), goal)) << spec << " " << collective;
            }
        }
}

// Half duplex no link turns round, and tori are at the bound all the same.
TEST(RingsSolver, HalfDuplexLinksGoOneWay)
{
    for (const auto &[spec, cycles] :
         {std::pair{"torus:4x4", 2u}, {"torus:3x5", 2u}, {"hypercube:4", 2u}, {"mesh:4x4", 1u}, {"hypercube:3", 1u}})
        for (const gfab_collective collective : collectives) {
            const Topology topology = parse(spec);
            const gfab_goal goal = groups(topology, collective, cycles, 2);
            const Made made = make(solver, topology, links(GFAB_LINK_HALF), goal);
            ASSERT_TRUE(made.schedule) << spec << ": " << made.says;
            std::set<gfab_arc> used;
            for (const Step &step : steps_of(made.schedule))
                used.insert(step.arc);
            for (const gfab_arc arc : used)
                EXPECT_EQ(used.count(arc ^ 1), 0u) << spec;
            const bool shared = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
            if (shared && std::string(spec).find("torus") == 0) {
                EXPECT_EQ(made.rounds(), bound_on(topology, links(GFAB_LINK_HALF), goal)) << spec;
            }
        }
}

// One block a node in as many parts as there are rings: 15 rounds of a quarter each are 3.75, and whole blocks take 4.
TEST(RingsSolver, GossipInParts)
{
    const Topology topology = parse("torus:4x4");
    const gfab_model model = links(GFAB_LINK_FULL);
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &diag), GFAB_OK) << diag.message;
    const Schedule schedule(made);
    const gfab_verify_report report = checked(schedule);
    EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << report.message;
    EXPECT_EQ(report.parts, 4u);
    EXPECT_EQ(report.transfers, 15u);
    gfab_bound bound;
    ASSERT_EQ(gfab_bound_schedule(made, nullptr, &bound), GFAB_OK);
    EXPECT_EQ(bound.rounds, 15u); // of parts
}

// Hops of several rounds: arcs never wait. Vectors that end within a group are right, too.
TEST(RingsSolver, HopsAndLengths)
{
    const Topology topology = parse("torus:3x4");
    for (const uint32_t hop : {1u, 2u, 5u})
        for (const gfab_collective collective : collectives) {
            const bool rooted = gfab_collective_has_root(collective);
            const gfab_goal goal = groups(topology, collective, 4 * (rooted ? 1 : hop), 3);
            const Made made = make(solver, topology, links(GFAB_LINK_FULL, hop), goal);
            ASSERT_TRUE(made.schedule) << made.says;
            if (!rooted) {
                EXPECT_EQ(made.rounds(), bound_on(topology, links(GFAB_LINK_FULL, hop), goal)) << collective;
            }
            const uint32_t unit = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER ? 12 : 1;
            for (uint32_t blocks = unit; blocks <= 8 * unit + 50 / unit; blocks += unit)
                EXPECT_TRUE(
                    make(solver, topology, links(GFAB_LINK_FULL, hop), goal_on(topology, collective, blocks)).schedule)
                    << blocks;
        }
}

// Along each ring from the root, or to it: as many blocks a round as rings.
TEST(RingsSolver, BroadcastAndReduce)
{
    for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE})
        for (const uint32_t root : {0u, 5u, 15u}) {
            const Topology topology = parse("torus:4x4");
            gfab_goal goal = goal_on(topology, collective, 400);
            goal.root = root;
            EXPECT_EQ(make(solver, topology, links(GFAB_LINK_FULL), goal).rounds(), 400 / 4 + 16 - 2u);
            EXPECT_EQ(make(solver, topology, links(GFAB_LINK_HALF), goal).rounds(), 400 / 2 + 16 - 2u);
        }
}

// auto takes rings where they are shorter, and what is shorter where they are not.
TEST(RingsSolver, AutoTakesTheShorter)
{
    const struct {
        const char *spec;
        gfab_link_mode mode;
        uint32_t each;
        bool rings;
    } cases[] = {{"torus:8x8", GFAB_LINK_FULL, 4, true},
                 {"hypercube:5", GFAB_LINK_FULL, 5, true},
                 {"mesh:4x4", GFAB_LINK_HALF, 30, false},     // 15 rounds a block, and 10
                 {"hypercube:3", GFAB_LINK_FULL, 30, false}}; // 3.5 rounds a block, and 7/3
    for (const auto &c : cases) {
        const Topology topology = parse(c.spec);
        const gfab_goal goal = goal_on(topology, GFAB_ALL_GATHER, c.each * gfab_topology_node_count(topology.get()));
        const Made made = make("auto", topology, links(c.mode), goal),
                   own = make(solver, topology, links(c.mode), goal);
        ASSERT_TRUE(made.schedule && own.schedule);
        EXPECT_EQ(std::string(gfab_schedule_solver(made.schedule.get())) == solver, c.rings) << c.spec;
        EXPECT_EQ(own.rounds() == bound_on(topology, links(c.mode), goal), c.rings) << c.spec;
    }
}

TEST(RingsSolver, IsInterrupted)
{
    const Topology topology = parse("torus:4x4x4");
    for (int reports = 0; reports < 30; reports += 7)
        expect_interrupted(solver, topology, links(GFAB_LINK_FULL), goal_on(topology, GFAB_ALL_REDUCE, 384), reports);
}

TEST(RingsSolver, RefusesWhatItDoesNotMake)
{
    const Topology grid = parse("torus:4x4"), odd = parse("mesh:3x3");
    gfab_model one_port = links(GFAB_LINK_FULL), circuit = one_port, packets = one_port;
    one_port.port_mode = GFAB_PORT_ONE;
    circuit.routing = GFAB_ROUTING_CIRCUIT;
    packets.packet_tokens = 2;
    const gfab_goal goal = goal_on(grid, GFAB_ALL_REDUCE, 64);
    for (const gfab_model &model : {one_port, circuit, packets})
        EXPECT_EQ(make(solver, grid, model, goal).status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(make(solver, grid, links(GFAB_LINK_FULL), goal_on(grid, GFAB_ALL_TO_ALL)).status, GFAB_ERR_UNSUPPORTED);
    const Made none = make(solver, odd, links(GFAB_LINK_FULL), goal_on(odd, GFAB_ALL_REDUCE, 18));
    EXPECT_EQ(none.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(none.says.find("no ring goes through all nodes"), std::string::npos) << none.says;
    const Topology large = parse("torus:100x100");
    EXPECT_EQ(make(solver, large, links(GFAB_LINK_FULL), goal_on(large, GFAB_ALL_GATHER, 40000)).status,
              GFAB_ERR_LIMIT);
}

} // namespace
