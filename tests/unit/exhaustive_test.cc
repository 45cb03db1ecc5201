// SPDX-License-Identifier: MIT
// The exhaustive search: the fewest rounds of telephone gossips, against a reference that knows no tricks.
#include "fixture.h"

#include <array>
#include <set>
#include <string>
#include <vector>

namespace
{

gfab_model telephone(const Topology &topology)
{
    return {GFAB_LINK_FULL, GFAB_PORT_ONE, static_cast<uint32_t>(gfab_topology_node_count(topology.get())), 1,
            GFAB_ROUTING_STORE_AND_FORWARD};
}

struct Solved {
    gfab_status status;
    gfab_verify_report report;
    std::string message;
};

Solved solve(const Topology &topology, const gfab_solver_options &options, const char *solver = "exhaustive")
{
    const gfab_model model = telephone(topology);
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    Solved solved{};
    solved.status = gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &diag);
    solved.message = diag.message;
    const Schedule schedule(made);
    if (made) {
        EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &solved.report), GFAB_OK) << solved.report.message;
        EXPECT_EQ(solved.report.redundant, 0u);
    }
    return solved;
}

uint32_t rounds_of(const std::string &spec, const char *solver = "exhaustive")
{
    const Solved solved = solve(parse(spec), gfab_solver_options_default(), solver);
    EXPECT_EQ(solved.status, GFAB_OK) << spec << ": " << solved.message;
    return solved.report.rounds;
}

// Breadth first over the states of all nodes, by every matching.
class Reference
{
  public:
    Reference(size_t nodes, std::vector<std::array<size_t, 2>> links) : nodes_(nodes), links_(std::move(links)) {}

    uint32_t rounds()
    {
        std::vector<uint8_t> start, complete(nodes_, static_cast<uint8_t>((1u << nodes_) - 1));
        for (size_t v = 0; v < nodes_; v++)
            start.push_back(static_cast<uint8_t>(1u << v));
        std::set<std::vector<uint8_t>> now{start};
        uint32_t rounds = 0;
        while (now.count(complete) == 0) {
            next_.clear();
            for (const auto &state : now)
                extend(state, 0, 0);
            now.swap(next_);
            rounds++;
        }
        return rounds;
    }

  private:
    void extend(std::vector<uint8_t> state, size_t link, unsigned busy)
    {
        if (link == links_.size()) {
            next_.insert(state);
            return;
        }
        extend(state, link + 1, busy);
        const auto [a, b] = links_[link];
        if ((busy >> a & 1) == 0 && (busy >> b & 1) == 0) {
            state[a] = state[b] = state[a] | state[b];
            extend(state, link + 1, busy | 1u << a | 1u << b);
        }
    }

    size_t nodes_;
    std::vector<std::array<size_t, 2>> links_;
    std::set<std::vector<uint8_t>> next_;
};

// The graph of n nodes with the links whose bits are set; "" where it is not connected.
std::string graph(size_t n, unsigned bits, std::vector<std::array<size_t, 2>> &links)
{
    std::string text;
    std::vector<size_t> part(n);
    for (size_t v = 0; v < n; v++)
        part[v] = v;
    links.clear();
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++, bits >>= 1)
            if (bits & 1) {
                links.push_back({a, b});
                text += (text.empty() ? "" : ",") + std::to_string(a) + "-" + std::to_string(b);
                const size_t from = part[a], to = part[b];
                for (size_t &p : part)
                    p = p == from ? to : p;
            }
    for (size_t v = 1; v < n; v++)
        if (part[v] != part[0])
            return "";
    return "graph:" + std::to_string(n) + ":" + text;
}

void expect_reference(size_t nodes, unsigned step)
{
    for (unsigned bits = 1; bits < 1u << (nodes * (nodes - 1) / 2); bits += step) {
        std::vector<std::array<size_t, 2>> links;
        const std::string spec = graph(nodes, bits, links);
        if (spec.empty())
            continue;
        const uint32_t rounds = rounds_of(spec);
        EXPECT_EQ(rounds, Reference(nodes, links).rounds()) << spec;
        gfab_solver_options fewer = gfab_solver_options_default();
        fewer.rounds = rounds - 1;
        EXPECT_TRUE(fewer.rounds == 0 || solve(parse(spec), fewer).status == GFAB_ERR_UNSUPPORTED) << spec;
    }
}

TEST(Exhaustive, AllGraphsOfFourNodes)
{
    expect_reference(4, 1);
}

TEST(Exhaustive, SomeGraphsOfFiveAndSixNodes)
{
    expect_reference(5, 5);
    expect_reference(6, 1021);
}

TEST(Exhaustive, PathsAndCycles)
{
    for (uint32_t n = 3; n <= 20; n++) { // Beier & Sibeyn, Lemma 1; optimal but for the odd cycles of 3, which have 3
        EXPECT_EQ(rounds_of("path:" + std::to_string(n)), n % 2 ? n : n - 1) << n;
        EXPECT_EQ(rounds_of("cycle:" + std::to_string(n)), n == 3 ? 3 : n % 2 ? n / 2 + 2 : n / 2) << n;
    }
}

TEST(Exhaustive, CompleteGraphs)
{
    const uint32_t rounds[] = {1, 3, 2, 4, 3, 4, 3}; // ceil(log2 n), one more for odd n (Knoedel 1975)
    for (uint32_t n = 2; n <= 8; n++)
        EXPECT_EQ(rounds_of("complete:" + std::to_string(n)), rounds[n - 2]) << n;
}

TEST(Exhaustive, Trees)
{
    std::string star, binary;
    for (int i = 1; i < 20; i++)
        star += (i > 1 ? ",0-" : "0-") + std::to_string(i);
    for (int i = 1; i < 15; i++)
        binary += (i > 1 ? "," : "") + std::to_string((i - 1) / 2) + "-" + std::to_string(i);
    EXPECT_EQ(rounds_of("graph:20:" + star), 37u); // all but one of the leaves call the centre twice
    EXPECT_EQ(rounds_of("graph:15:" + binary), 11u);
}

TEST(Exhaustive, NetworksOfThePaper)
{
    EXPECT_EQ(rounds_of("mesh:3x3"), 5u);
    EXPECT_EQ(rounds_of("mesh:4x4"), 6u);
    EXPECT_EQ(rounds_of("hypercube:3"), 3u);
    EXPECT_EQ(rounds_of("star:3"), 3u);
    EXPECT_EQ(rounds_of("debruijn:4"), 6u);         // 5 is impossible, as by SAT
    EXPECT_EQ(rounds_of("shuffle-exchange:4"), 7u); // 6 is impossible, as by SAT
}

// What the search alone takes long for, SAT decides.
TEST(Exhaustive, SparseGraph)
{
    EXPECT_EQ(rounds_of("random:n=20,m=25,seed=7"), 11u);
}

TEST(Exhaustive, LeastLinearCost)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.linear = true;
    options.startup = {50, 1};
    const Solved mesh = solve(parse("mesh:3x3"), options);
    ASSERT_EQ(mesh.status, GFAB_OK) << mesh.message;
    EXPECT_EQ(mesh.report.rounds, 5u); // Beier & Sibeyn, after Lemma 2: R = 5 and S = 11, which is optimal
    EXPECT_EQ(mesh.report.transfers, 11u);
    options.startup = {1, 1};
    const Solved path = solve(parse("path:5"), options);
    ASSERT_EQ(path.status, GFAB_OK) << path.message;
    EXPECT_EQ(path.report.rounds, 5u); // Lemma 1: n + tau (2 n - 3)
    EXPECT_EQ(path.report.transfers, 7u);
    options.startup = {0, 1};
    const Solved triangle = solve(parse("cycle:3"), options);
    ASSERT_EQ(triangle.status, GFAB_OK) << triangle.message;
    EXPECT_EQ(triangle.report.transfers, 3u);
}

TEST(Exhaustive, BestTakesIt)
{
    EXPECT_EQ(rounds_of("debruijn:4", "auto"), 6u);
}

// With a startup, too: auto asks it with an effort, by which it ends soon, and is never dearer where that is enough.
TEST(Exhaustive, BestIsNoDearer)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.linear = true;
    for (const char *spec : {"mesh:3x3", "mesh:4x4", "hypercube:3", "graph:6:0-1,0-2,1-2,2-3,3-4,3-5"})
        for (const uint32_t startup : {1u, 100u}) {
            options.startup = {startup, 1};
            options.effort = 1;
            const Solved least = solve(parse(spec), options);
            options.effort = 0;
            const Solved best = solve(parse(spec), options, "auto");
            ASSERT_EQ(least.status, GFAB_OK) << least.message;
            ASSERT_EQ(best.status, GFAB_OK) << best.message;
            EXPECT_LE(best.report.rounds * startup + best.report.transfers,
                      least.report.rounds * startup + least.report.transfers)
                << spec << ", startup " << startup;
        }
    options.startup = {100, 1};
    EXPECT_EQ(solve(parse("mesh:4x4"), options, "auto").report.transfers, 17u); // in 6 rounds
}

TEST(Exhaustive, RefusesWhatItCannot)
{
    const gfab_solver *exhaustive = gfab_solver_find("exhaustive");
    gfab_diag diag{};
    for (const char *spec : {"cycle:21", "hypercube:4", "complete:9"}) {
        const Topology topology = parse(spec);
        const gfab_model model = telephone(topology);
        EXPECT_EQ(gfab_solver_applies(exhaustive, topology.get(), &model, &diag), GFAB_ERR_UNSUPPORTED) << spec;
    }
    const Topology mesh = parse("mesh:3x3");
    gfab_model model = telephone(mesh);
    model.packet_tokens = 7;
    EXPECT_EQ(gfab_solver_applies(exhaustive, mesh.get(), &model, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.message, "telephone gossip is for packets of any size: here of up to 8 tokens, not 7");
    gfab_solver_options options = gfab_solver_options_default();
    options.rounds = 4;
    EXPECT_EQ(solve(mesh, options).status, GFAB_ERR_UNSUPPORTED);
    const gfab_progress stop = {[](void *, const char *, unsigned long long, unsigned long long) { return 0; },
                                nullptr};
    options = gfab_solver_options_default();
    options.progress = &stop;
    EXPECT_EQ(solve(parse("random:n=20,m=25,seed=7"), options).status, GFAB_ERR_INTERRUPTED);
}

} // namespace
