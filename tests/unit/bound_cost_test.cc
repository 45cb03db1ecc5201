// SPDX-License-Identifier: MIT
#include "startup_fixture.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/cost.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace
{

const uint32_t many = 1 << 20;
const gfab_model worm_full = {GFAB_LINK_FULL, GFAB_PORT_ALL, many, 1, GFAB_ROUTING_CIRCUIT};
const gfab_model worm_half = {GFAB_LINK_HALF, GFAB_PORT_ALL, many, 1, GFAB_ROUTING_CIRCUIT};
const gfab_model store_full = {GFAB_LINK_FULL, GFAB_PORT_ALL, many, 1, GFAB_ROUTING_STORE_AND_FORWARD};

gfab_model one_port(gfab_model m)
{
    m.port_mode = GFAB_PORT_ONE;
    return m;
}

bool operator==(const gfab_ratio &a, const gfab_ratio &b)
{
    return a.numerator == b.numerator && a.denominator == b.denominator;
}

std::string text(const gfab_ratio &r)
{
    return std::to_string(r.numerator) + "/" + std::to_string(r.denominator);
}

std::vector<gfab_cost_bound> all(const std::string &spec, const gfab_model &m, gfab_ratio startup)
{
    const Topology t = parse(spec);
    std::vector<gfab_cost_bound> bounds(GFAB_MAX_COST_BOUNDS);
    size_t count = 0;
    EXPECT_EQ(gfab_bound_cost_all(t.get(), &m, startup, nullptr, bounds.data(), &count), GFAB_OK) << spec;
    EXPECT_LE(count, static_cast<size_t>(GFAB_MAX_COST_BOUNDS));
    bounds.resize(count);
    return bounds;
}

// The cost of the bound of a name; "" where it is not there.
std::string named(const std::string &spec, const gfab_model &m, const std::string &name, gfab_ratio startup)
{
    for (const gfab_cost_bound &b : all(spec, m, startup))
        if (name == b.name)
            return text(b.cost);
    return "";
}

// Theorem 2: CircGo costs n ln n / ln(n / r) up to a constant. Corollary 1: no more than a constant times the least.
TEST(BoundCost, CircGoIsWithinAConstantOfTheorem2)
{
    for (const uint32_t n : {27u, 64u, 81u, 243u, 500u, 729u}) {
        const Topology ring = parse("cycle:" + std::to_string(n));
        const gfab_model model = circuit();
        for (uint32_t r = 1; r <= n / 3; r = r * 2 + 1) {
            const double cost = Ask{"circgo", std::to_string(r), ""}.total(ring);
            EXPECT_LT(cost, 2.34 * n * std::log(n) / std::log(double{1} * n / r)) << n << ", r " << r;
            gfab_cost_bound bound{};
            ASSERT_EQ(gfab_bound_cost_best(ring.get(), &model, {r, 1}, nullptr, &bound), GFAB_OK);
            const double least = double(bound.cost.numerator) / double(bound.cost.denominator);
            EXPECT_GE(cost, least) << n << ", r " << r;
            EXPECT_LT(cost, 2.34 * least) << n << ", r " << r;
        }
    }
}

TEST(BoundCost, DataByHand)
{
    const gfab_ratio r = {7, 1};
    EXPECT_EQ(named("cycle:9", worm_full, "data", r), "4/1");             // 8 over 2 links
    EXPECT_EQ(named("cycle:8", worm_full, "data", r), "7/2");             // parts of tokens
    EXPECT_EQ(named("cycle:9", worm_half, "data", r), "8/1");             // 72 over 9 links; a node alone: 9 / 2
    EXPECT_EQ(named("path:9", worm_full, "data", r), "8/1");              // the end
    EXPECT_EQ(named("path:9", worm_half, "data", r), "9/1");              // it sends its own, too
    EXPECT_EQ(named("torus:27x27", worm_full, "data", r), "182/1");       // approach 11' needs just this
    EXPECT_EQ(named("cycle:9", one_port(worm_full), "data", r), "8/1");   // from one node while sending to another
    EXPECT_EQ(named("cycle:9", one_port(store_full), "data", r), "9/1");  // one node of nine is left over
    EXPECT_EQ(named("cycle:9", one_port(worm_half), "data", r), "18/1");  // 72 over 4 pairs
    EXPECT_EQ(named("mesh:4x4", one_port(worm_half), "data", r), "30/1"); // 240 over 8 pairs
}

TEST(BoundCost, StartupsByHand)
{
    const gfab_ratio r = {5, 2};
    EXPECT_EQ(named("cycle:729", worm_full, "startups", r), "15/1"); // 3^6
    EXPECT_EQ(named("cycle:730", worm_full, "startups", r), "35/2");
    EXPECT_EQ(named("torus:25x25", worm_full, "startups", r), "10/1");           // 5^4
    EXPECT_EQ(named("cycle:64", one_port(worm_full), "startups", r), "15/1");    // 2^6
    EXPECT_EQ(named("cycle:9", store_full, "startups", r), "10/1");              // diameter 4
    EXPECT_EQ(named("torus:25x25", worm_full, "startups and data", r), "166/1"); // 10 + 624 / 4
    gfab_model two = worm_full;
    two.packet_tokens = 2;
    EXPECT_EQ(named("cycle:9", two, "startups", r), "15/2"); // packets of 2: 1, 3, 7, 11
    two.hop_rounds = 5;                                      // an idle round costs nothing
    EXPECT_EQ(named("cycle:9", two, "startups", r), "15/2");
}

// Fewest links that one token crosses until all of a gap's nodes have it, by trying every place for the packet from the
// left and the one from the right; open: there is no holder at the right. No label in sight.
class Crossings
{
  public:
    static constexpr uint64_t never = UINT64_MAX / 8;

    uint64_t closed(unsigned gap, unsigned rounds)
    {
        if (gap <= 1)
            return 0;
        if (rounds == 0)
            return never;
        uint64_t &known = known_[{gap, rounds}];
        if (known == 0) {
            known = never;
            for (unsigned x = 0; x < gap; x++)
                for (unsigned y = 0; x + y <= gap; y++)
                    known = std::min(known, x + y + closed(x, rounds - 1) + closed(gap - x - y, rounds - 1) +
                                                closed(y, rounds - 1));
        }
        return known;
    }

    uint64_t open(unsigned gap, unsigned rounds)
    {
        if (gap == 0)
            return 0;
        if (rounds == 0)
            return never;
        uint64_t &known = open_[{gap, rounds}];
        if (known == 0) {
            known = never;
            for (unsigned x = 0; x <= gap; x++)
                known = std::min(known, x + closed(x, rounds - 1) + open(gap - x, rounds - 1));
        }
        return known;
    }

  private:
    std::map<std::pair<unsigned, unsigned>, uint64_t> known_, open_;
};

// What the mixed bound is to be, from crossings of all tokens over `arcs` packets a round.
template <typename Sum> gfab_ratio expected(unsigned n, uint64_t arcs, gfab_ratio data, gfab_ratio startup, Sum sum)
{
    gfab_ratio best = {UINT64_MAX, 1};
    for (unsigned rounds = 1; rounds <= n; rounds++) {
        const uint64_t crossings = sum(rounds);
        if (crossings >= Crossings::never)
            continue;
        const gfab_cost by_crossings = {rounds, crossings, static_cast<uint32_t>(arcs)};
        const gfab_cost by_data = {rounds, data.numerator, static_cast<uint32_t>(data.denominator)};
        gfab_ratio a, b;
        EXPECT_EQ(gfab_cost_total(&by_crossings, startup, &a), GFAB_OK);
        EXPECT_EQ(gfab_cost_total(&by_data, startup, &b), GFAB_OK);
        const gfab_ratio higher = gfab_ratio_compare(a, b) > 0 ? a : b;
        if (gfab_ratio_compare(higher, best) < 0)
            best = higher;
    }
    return best;
}

TEST(BoundCost, MixedIsTheLeastThatOneTokenCanDo)
{
    Crossings crossings;
    for (const gfab_ratio startup : {gfab_ratio{0, 1}, {1, 10}, {1, 1}, {7, 2}, {20, 1}, {1000, 1}})
        for (unsigned n = 3; n <= 30; n++) {
            const std::string side = std::to_string(n);
            const auto ring = [&](unsigned rounds) {
                const uint64_t one = crossings.closed(n, rounds);
                return one >= Crossings::never ? one : n * one;
            };
            const auto path = [&](unsigned rounds) {
                uint64_t sum = 0;
                for (unsigned i = 0; i < n; i++) {
                    const uint64_t one = crossings.open(i, rounds) + crossings.open(n - 1 - i, rounds);
                    if (one >= Crossings::never)
                        return one;
                    sum += one;
                }
                return sum;
            };
            EXPECT_EQ(text(all("cycle:" + side, worm_full, startup)[0].cost),
                      text(expected(n, 2 * n, {n - 1, 2}, startup, ring)))
                << n << " r " << text(startup);
            EXPECT_EQ(text(all("cycle:" + side, worm_half, startup)[0].cost),
                      text(expected(n, n, {n - 1, 1}, startup, ring)))
                << n << " r " << text(startup);
            EXPECT_EQ(text(all("path:" + side, worm_full, startup)[0].cost),
                      text(expected(n, 2 * (n - 1), {n - 1, 1}, startup, path)))
                << n << " r " << text(startup);
        }
}

TEST(BoundCost, MixedByHand)
{
    // 6 rounds cut the ring in thirds and cross 2/3 of it each time: S = 729 * 6 / 3; 364 rounds cross each link once.
    const std::vector<gfab_cost_bound> large = all("cycle:729", worm_full, {100000, 1});
    EXPECT_STREQ(large[0].name, "mixed");
    EXPECT_EQ(large[0].startups, 6u);
    EXPECT_TRUE((large[0].transfers == gfab_ratio{1458, 1}));
    const std::vector<gfab_cost_bound> small = all("cycle:729", worm_full, {0, 1});
    EXPECT_EQ(text(small[0].cost), "364/1");
    EXPECT_EQ(named("cycle:729", store_full, "mixed", {50, 1}), ""); // 364 rounds anyway
    EXPECT_EQ(named("torus:9x9", worm_full, "mixed", {50, 1}), "");
    EXPECT_EQ(named("cycle:70000", worm_full, "mixed", {50, 1}), "");
}

// What is made costs no less, whoever made it.
TEST(BoundCost, NoScheduleIsBelow)
{
    gfab_model two = gfab_model_default();
    two.packet_tokens = 2;
    gfab_model full = gfab_model_default();
    full.link_mode = GFAB_LINK_FULL;
    for (const char *spec : {"cycle:3", "cycle:8", "path:7", "mesh:3x4", "torus:5x5", "hypercube:4", "mesh:2x2"})
        for (const gfab_model &m :
             {gfab_model_default(), two, full, store_full, one_port(store_full), one_port(full)}) {
            const Topology t = parse(spec);
            const Schedule s = gossip_on(t, m);
            gfab_verify_report report;
            ASSERT_EQ(gfab_verify(t.get(), &m, s.get(), nullptr, &report), GFAB_OK);
            for (const gfab_ratio startup : {gfab_ratio{0, 1}, {1, 3}, {40, 1}}) {
                const gfab_cost cost = {report.startups, report.transfers, report.parts};
                gfab_ratio total;
                ASSERT_EQ(gfab_cost_total(&cost, startup, &total), GFAB_OK);
                for (const gfab_cost_bound &b : all(spec, m, startup))
                    EXPECT_LE(gfab_ratio_compare(b.cost, total), 0)
                        << spec << " " << gfab_model_symbol(&m) << " p " << m.packet_tokens << " " << b.name << " "
                        << text(b.cost) << " against " << text(total);
            }
        }
}

// Least where the solver knows what a startup costs: on rings and arrays the mixed bound is what it is held against.
TEST(BoundCost, NoSolverMadeForStartupsIsBelow)
{
    size_t held = 0;
    for (const char *spec :
         {"cycle:9", "cycle:26", "cycle:27", "path:9", "path:28", "torus:9x9", "torus:3x5", "mesh:4x6", "torus:4x4x4"})
        for (const gfab_model &m : {worm_full, one_port(worm_full)})
            for (const gfab_ratio startup : {gfab_ratio{1, 10}, {3, 1}, {20, 1}, {500, 1}})
                for (size_t i = 0; const gfab_solver *solver = gfab_solver_at(i); i++) {
                    const Topology t = parse(spec);
                    gfab_solver_options options = gfab_solver_options_default();
                    options.startup = startup;
                    options.linear = true;
                    gfab_cost cost;
                    gfab_ratio total;
                    if (!solver->cost || gfab_solver_applies(solver, t.get(), &m, nullptr) != GFAB_OK ||
                        solver->cost(t.get(), &m, &options, &cost, nullptr) != GFAB_OK)
                        continue;
                    ASSERT_EQ(gfab_cost_total(&cost, startup, &total), GFAB_OK);
                    held++;
                    for (const gfab_cost_bound &b : all(spec, m, startup))
                        EXPECT_LE(gfab_ratio_compare(b.cost, total), 0)
                            << solver->name << " on " << spec << " " << gfab_model_symbol(&m) << " r " << text(startup)
                            << " " << b.name << " " << text(b.cost) << " against " << text(total);
                }
    EXPECT_GT(held, 100u);
}

TEST(BoundCost, SortedAndEveryArgumentIsASentence)
{
    for (const char *spec : {"path:2", "cycle:5", "cycle:4096", "path:4096", "torus:16x16x16", "star:5", "mesh:2x40"})
        for (const gfab_model &m : {worm_full, worm_half, store_full, one_port(worm_full), one_port(worm_half)})
            for (const gfab_ratio startup : {gfab_ratio{0, 1}, {1, 999999937}, {17, 3}, {1000000000, 1}}) {
                const std::vector<gfab_cost_bound> bounds = all(spec, m, startup);
                ASSERT_GE(bounds.size(), 3u);
                for (size_t i = 0; i < bounds.size(); i++) {
                    const std::string argument = bounds[i].argument;
                    EXPECT_EQ(argument.back(), '.') << argument;
                    EXPECT_LT(argument.size(), sizeof bounds[i].argument - 1) << argument;
                    EXPECT_NE(bounds[i].source[0], '\0');
                    if (i > 0) {
                        EXPECT_GE(gfab_ratio_compare(bounds[i - 1].cost, bounds[i].cost), 0);
                    }
                }
                const Topology t = parse(spec);
                gfab_cost_bound best;
                ASSERT_EQ(gfab_bound_cost_best(t.get(), &m, startup, nullptr, &best), GFAB_OK);
                EXPECT_TRUE(best.cost == bounds[0].cost);
            }
}

TEST(BoundCost, ABadModelIsRefused)
{
    const Topology t = parse("path:3");
    gfab_model bad = worm_full;
    bad.hop_rounds = 0;
    gfab_cost_bound bounds[GFAB_MAX_COST_BOUNDS];
    size_t count = 0;
    EXPECT_EQ(gfab_bound_cost_all(t.get(), &bad, {1, 1}, nullptr, bounds, &count), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_bound_cost_best(t.get(), &bad, {1, 1}, nullptr, bounds), GFAB_ERR_INVALID);
}

} // namespace
