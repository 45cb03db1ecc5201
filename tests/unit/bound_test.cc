// SPDX-License-Identifier: MIT
#include "fixture.h"
#include "optimum_search.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/prove.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace
{

std::vector<gfab_bound> all(const std::string &spec, const gfab_model &m)
{
    const Topology t = parse(spec);
    std::vector<gfab_bound> bounds(GFAB_MAX_BOUNDS);
    size_t count = 0;
    EXPECT_EQ(gfab_bound_all(t.get(), &m, nullptr, bounds.data(), &count), GFAB_OK);
    EXPECT_LE(count, static_cast<size_t>(GFAB_MAX_BOUNDS));
    bounds.resize(count);
    return bounds;
}

// The rounds of the bound of a name; 0 where it does not apply.
uint64_t named(const std::string &spec, const gfab_model &m, const std::string &name)
{
    for (const gfab_bound &b : all(spec, m))
        if (name == b.name)
            return b.rounds;
    return 0;
}

uint64_t best(const std::string &spec, const gfab_model &m)
{
    const Topology t = parse(spec);
    gfab_bound b;
    EXPECT_EQ(gfab_bound_best(t.get(), &m, nullptr, &b), GFAB_OK);
    return b.rounds;
}

const gfab_model h_all = {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model h_one = {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model f_all = {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model f_one = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};

gfab_model with(gfab_model m, uint32_t p, uint32_t lambda)
{
    m.packet_tokens = p;
    m.hop_rounds = lambda;
    return m;
}

// No bound may exceed the optimum, whatever the model.
class BoundOptimumTest : public testing::TestWithParam<std::string>
{
};

TEST_P(BoundOptimumTest, NoBoundExceedsTheOptimum)
{
    const std::string spec = GetParam();
    const Topology t = parse(spec);
    for (const gfab_model &mode : {h_all, h_one, f_all, f_one})
        for (uint32_t p = 1; p <= 3; p++)
            for (uint32_t lambda = 1; lambda <= 2; lambda++) {
                const gfab_model m = with(mode, p, lambda);
                const uint64_t optimum = OptimumSearch(t.get(), m).optimum();
                for (const gfab_bound &b : all(spec, m))
                    EXPECT_LE(b.rounds, optimum) << spec << " " << gfab_model_symbol(&m) << " p " << p << " lambda "
                                                 << lambda << " " << b.name << ": " << b.argument;
            }
}

INSTANTIATE_TEST_SUITE_P(Tiny, BoundOptimumTest,
                         testing::Values("path:2", "path:3", "path:4", "path:5", "cycle:3", "mesh:2x2"),
                         [](const testing::TestParamInfo<std::string> &tested) {
                             std::string name = tested.param;
                             std::replace(name.begin(), name.end(), ':', '_');
                             return name;
                         });

// Where a bound is the optimum, a lower one would be a step back.
TEST(Bound, MeetsTheOptimumOfTinyGraphs)
{
    const struct {
        const char *spec;
        gfab_model model;
    } tight[] = {{"path:2", h_all},
                 {"path:2", h_one},
                 {"path:2", f_all},
                 {"path:2", f_one},
                 {"path:3", h_all},
                 {"path:3", f_all},
                 {"path:4", h_all},
                 {"path:4", f_all},
                 {"cycle:3", h_all},
                 {"cycle:3", h_one},
                 {"cycle:3", f_all},
                 {"cycle:3", f_one},
                 {"mesh:2x2", h_all},
                 {"mesh:2x2", h_one},
                 {"mesh:2x2", f_all},
                 {"mesh:2x2", f_one},
                 {"mesh:2x2", with(h_all, 2, 1)},
                 {"mesh:2x2", with(f_one, 2, 1)},
                 {"path:4", with(h_all, 1, 2)},
                 {"path:2", with(h_all, 1, 2)}};
    for (const auto &c : tight) {
        const Topology t = parse(c.spec);
        EXPECT_EQ(best(c.spec, c.model), OptimumSearch(t.get(), c.model).optimum())
            << c.spec << " " << gfab_model_symbol(&c.model);
    }
}

TEST(Bound, CountByHand)
{
    EXPECT_EQ(named("mesh:4x4", h_all, "count"), 10u);             // 240 / 24
    EXPECT_EQ(named("mesh:4x4", f_all, "count"), 5u);              // 240 / 48
    EXPECT_EQ(named("mesh:4x4", h_one, "count"), 30u);             // 240 / 8
    EXPECT_EQ(named("mesh:4x4", f_one, "count"), 15u);             // 240 / 16
    EXPECT_EQ(named("mesh:3x3", h_one, "count"), 18u);             // 72 / 4
    EXPECT_EQ(named("mesh:3x3", f_one, "count"), 9u);              // 72 / 8
    EXPECT_EQ(named("mesh:4x4", with(h_all, 4, 1), "count"), 4u);  // 1 + 216 / 96, rounded up
    EXPECT_EQ(named("mesh:4x4", with(h_all, 1, 2), "count"), 10u); // 2 + (240 - 48) / 24
    EXPECT_EQ(named("mesh:4x4", with(h_all, 1, 3), "count"), 11u); // 3 + (240 - 48) / 24: 48 arcs, each once
    EXPECT_EQ(named("mesh:4x4", with(f_all, 1, 2), "count"), 6u);  // 2 + (240 - 48) / 48
    EXPECT_EQ(named("cycle:3", with(f_all, 2, 5), "count"), 1u);   // all are neighbours
}

TEST(Bound, DegreeByHand)
{
    EXPECT_EQ(named("mesh:4x4", h_all, "degree"), 8u); // 15 in, 1 out, over 2 links
    EXPECT_EQ(named("mesh:4x4", f_all, "degree"), 8u); // 15 / 2, rounded up
    EXPECT_EQ(named("mesh:3x5", h_all, "degree"), 8u); // 15 uses of 2 links
    EXPECT_EQ(named("mesh:3x5", f_all, "degree"), 7u); // 14 / 2
    EXPECT_EQ(named("mesh:4x4", h_one, "degree"), 16u);
    EXPECT_EQ(named("mesh:4x4", f_one, "degree"), 15u);
    EXPECT_EQ(named("path:9", f_all, "degree"), 8u);
    EXPECT_EQ(named("path:9", h_all, "degree"), 9u);
    EXPECT_EQ(named("mesh:4x4", with(f_all, 2, 1), "degree"), 5u); // 2 in round 1, then 13 by fours
    EXPECT_EQ(named("mesh:4x4", with(h_all, 2, 1), "degree"), 5u); // 1 in round 1, then 14 by fours
    EXPECT_EQ(named("mesh:4x4", with(h_all, 2, 2), "degree"), 6u); // 2 in rounds 1 and 2, then 13 by fours
    EXPECT_EQ(named("cycle:3", h_all, "degree"), 2u);
    EXPECT_EQ(named("cycle:3", f_all, "degree"), 1u);
}

TEST(Bound, DiameterByHand)
{
    EXPECT_EQ(named("mesh:4x4", f_all, "diameter"), 6u);
    EXPECT_EQ(named("torus:5x7", f_one, "diameter"), 5u);
    EXPECT_EQ(named("mesh:4x4", with(f_all, 1, 3), "diameter"), 16u); // 1 + 3 * 5
    EXPECT_EQ(named("path:2", with(f_all, 1, 9), "diameter"), 1u);
    EXPECT_EQ(named("path:9", with(f_all, 1, UINT32_MAX), "diameter"), 1 + 7 * uint64_t{UINT32_MAX});
}

TEST(Bound, GrowthByHand)
{
    EXPECT_EQ(named("torus:3x3x3x3", with(f_one, 100, 1), "growth"), 8u); // 64 < 81 <= 128, and 81 is odd
    EXPECT_EQ(named("mesh:4x4", with(f_one, 100, 1), "growth"), 4u);
    EXPECT_EQ(named("mesh:4x4", with(h_one, 100, 1), "growth"), 5u);
    EXPECT_EQ(named("mesh:4x4", with(f_one, 3, 1), "growth"), 6u); // 1, 2, 4, 7, 10, 13, 16
    EXPECT_EQ(named("mesh:4x4", with(h_all, 100, 1), "growth"), 0u);
}

TEST(Bound, PathsAndMeshesByHand)
{
    for (uint64_t n = 2; n <= 64; n++)
        EXPECT_EQ(best("path:" + std::to_string(n), h_all), 3 * n / 2 - 1) << n;
    EXPECT_EQ(best("mesh:1x9", h_all), 12u);
    EXPECT_EQ(best("mesh:9x1x1", h_all), 12u);
    EXPECT_EQ(named("path:9", with(h_all, 1, 3), "path"), 18u); // 9 + 3 * 3
    EXPECT_EQ(named("mesh:2x9", h_all, "cut"), 13u);
    EXPECT_EQ(named("mesh:9x2", h_all, "cut"), 13u);
    EXPECT_EQ(named("mesh:2x40", h_all, "cut"), 60u);
    EXPECT_EQ(named("mesh:4x4", with(h_all, 1, 3), "cut"), 8u); // 4 + 1 + 3
    for (uint64_t n = 2; n <= 64; n++) {
        const std::string side = std::to_string(n);
        EXPECT_EQ(best("mesh:" + side + "x" + side, h_all), n * (n + 1) / 2) << n;
        if (n >= 3) { // no wrap-around link, no torus
            EXPECT_EQ(best("torus:" + side + "x" + side, h_all), n * n / 2) << n;
            EXPECT_EQ(named("torus:" + side + "x" + side, h_all, "cut"), 0u) << n;
            EXPECT_EQ(named("cycle:" + side, h_all, "path"), 0u) << n;
        }
    }
    EXPECT_EQ(named("torus:2x2", h_all, "cut"), 3u);
    EXPECT_EQ(named("torus:2x5", h_all, "cut"), 0u);
}

TEST(Bound, CutAndPathAreClaimedOnlyWhereProved)
{
    for (const char *spec : {"path:9", "mesh:3x9"})
        for (const gfab_model &m : {f_all, f_one, with(h_all, 2, 1), with(h_one, 2, 1)}) {
            EXPECT_EQ(named(spec, m, "path"), 0u);
            EXPECT_EQ(named(spec, m, "cut"), 0u);
        }
}

TEST(Bound, ParityIsOneAboveCountAndOnlyWhereProved)
{
    const gfab_model two = with(h_all, 2, 1);
    for (uint64_t n = 2; n <= 22; n++) {
        const std::string spec = "mesh:" + std::to_string(n) + "x" + std::to_string(n);
        EXPECT_EQ(named(spec, two, "parity"), n % 4 == 2 ? named(spec, two, "count") + 1 : 0u) << n;
    }
    EXPECT_EQ(named("mesh:6x1x6", two, "parity"), 12u);
    for (const char *spec : {"mesh:6x10", "mesh:6x6x6", "torus:6x6", "path:6", "path:36"})
        EXPECT_EQ(named(spec, two, "parity"), 0u) << spec;
    for (const gfab_model &m : {h_all, with(h_one, 2, 1), with(f_all, 2, 1), with(h_all, 3, 1), with(h_all, 2, 2)})
        EXPECT_EQ(named("mesh:6x6", m, "parity"), 0u);
}

// By hand: the ways over which nodes can be told.
TEST(Bound, ATokenSpreadsNoFasterThanDegreesAllow)
{
    EXPECT_EQ(named("ccc:3", with(f_one, 1000, 1), "spread"), 0u);   // 6 is the diameter
    EXPECT_EQ(named("cycle:9", with(f_one, 1000, 1), "spread"), 5u); // two nodes at a distance of 4
    EXPECT_EQ(named("cycle:9", with(f_one, 1000, 3), "spread"), 11u);
    EXPECT_EQ(named("cycle:8", with(f_one, 1000, 1), "spread"), 0u);
    EXPECT_EQ(named("torus:5x5", with(h_one, 1000, 1), "spread"), 5u); // four nodes at 4, one of them told in round 4
    EXPECT_EQ(named("complete:64", with(f_one, 1000, 1), "spread"), 6u);
    EXPECT_EQ(named("complete:65", with(f_one, 1000, 1), "spread"), 7u);
    EXPECT_EQ(named("complete:300", with(f_one, 1000, 1), "spread"), 9u);
    EXPECT_EQ(named("complete:65", with(f_one, 1000, UINT32_MAX), "spread"), 64u); // only its own node tells
    EXPECT_EQ(named("ccc:4", with(f_all, 1000, 1), "spread"), 0u);
}

// Beier & Sibeyn, Table 5: 9 for k = 4, then ceil(5k/2) - 2.
TEST(Bound, CubeConnectedCyclesAsPublished)
{
    EXPECT_EQ(best("ccc:4", with(f_one, 1 << 24, 1)), 9u);
    for (uint64_t k = 5; k <= 11; k++)
        EXPECT_EQ(best("ccc:" + std::to_string(k), with(f_one, 1 << 24, 1)), (5 * k + 1) / 2 - 2) << k;
}

// Where neither the diameter nor the degree alone says as much.
TEST(Bound, DistanceAndDegreeTogether)
{
    const uint64_t debruijn[] = {4, 5, 6, 8, 9, 10, 12, 13};
    for (uint64_t k = 3; k <= 10; k++)
        EXPECT_EQ(best("debruijn:" + std::to_string(k), with(f_one, 1 << 24, 1)), debruijn[k - 3]) << k;
    const uint64_t butterfly[] = {5, 7, 8, 10, 11, 13, 15, 16};
    for (uint64_t k = 3; k <= 10; k++)
        EXPECT_EQ(best("butterfly:" + std::to_string(k), with(f_one, 1 << 24, 1)), butterfly[k - 3]) << k;
}

// The fewest rounds of a broadcast, by trying every set of calls, lambda = 1.
uint64_t broadcast_optimum(const gfab_topology *t, uint32_t root)
{
    const size_t links = gfab_topology_link_count(t);
    const uint32_t full = (1u << gfab_topology_node_count(t)) - 1;
    std::vector<bool> seen(full + 1);
    std::vector<uint32_t> frontier = {1u << root};
    for (uint64_t rounds = 0;; rounds++) {
        std::vector<uint32_t> next;
        const std::function<void(uint32_t, size_t, uint32_t, uint32_t)> call = [&](uint32_t held, size_t link,
                                                                                   uint32_t busy, uint32_t after) {
            if (link == links) {
                if (!seen[after])
                    next.push_back(after);
                seen[after] = true;
                return;
            }
            call(held, link + 1, busy, after);
            const gfab_link l = gfab_topology_link(t, link);
            const uint32_t ends = 1u << l.node[0] | 1u << l.node[1];
            if (!(busy & ends) && (held & ends))
                call(held, link + 1, busy | ends, after | ends);
        };
        for (const uint32_t held : frontier) {
            if (held == full)
                return rounds;
            call(held, 0, 0, held);
        }
        frontier = next;
    }
}

TEST(Bound, NoBroadcastIsShorter)
{
    size_t tight = 0, roots = 0;
    for (const char *spec : {"cycle:7", "mesh:3x3", "debruijn:3", "shuffle-exchange:3", "complete:6", "knoedel:2,8",
                             "random:n=8,m=9,seed=1", "random:n=8,m=12,seed=2", "random:n=9,m=10,seed=3",
                             "random:n=9,m=14,seed=4", "graph:7:0-1,0-2,0-3,0-4,0-5,0-6"}) {
        const Topology t = parse(spec);
        for (uint32_t root = 0; root < gfab_topology_node_count(t.get()); root++, roots++) {
            gfab_bound bound;
            ASSERT_EQ(gfab_bound_broadcast(t.get(), &f_one, root, &bound), GFAB_OK);
            const uint64_t optimum = broadcast_optimum(t.get(), root);
            EXPECT_LE(bound.rounds, optimum) << spec << " from " << root << ": " << bound.argument;
            tight += bound.rounds == optimum;
        }
    }
    EXPECT_GT(4 * tight, 3 * roots); // a bound of 0 would pass the above
}

gfab_bound bound_of_load(const gfab_topology *t, const gfab_model &m, const std::vector<uint32_t> &load)
{
    gfab_schedule *made = nullptr;
    gfab_bound bound = {};
    EXPECT_EQ(gfab_schedule_create(t, &m, &made), GFAB_OK);
    const std::unique_ptr<gfab_schedule, decltype(&gfab_schedule_destroy)> schedule(made, gfab_schedule_destroy);
    EXPECT_EQ(gfab_schedule_set_load(made, load.data(), 1), GFAB_OK);
    EXPECT_EQ(gfab_bound_schedule(made, nullptr, &bound), GFAB_OK);
    return bound;
}

TEST(Bound, NoUnevenLoadTakesFewerRounds)
{
    size_t tight = 0, cases = 0;
    for (const char *spec : {"path:3", "cycle:3", "path:4", "graph:4:0-1,0-2,0-3", "cycle:4"}) {
        const Topology t = parse(spec);
        const size_t nodes = gfab_topology_node_count(t.get());
        for (const gfab_model &mode : {h_all, h_one, f_all, f_one})
            for (const std::pair<uint32_t, uint32_t> &size : {std::pair(1u, 1u), {2u, 1u}, {1u, 2u}})
                for (uint32_t number = 1; number < (1u << 2 * nodes); number += nodes == 3 ? 1 : 7) {
                    std::vector<uint32_t> load(nodes);
                    uint32_t sum = 0;
                    for (size_t v = 0; v < nodes; v++)
                        sum += load[v] = number >> 2 * v & 3;
                    if (sum > (nodes == 3 ? 5u : 4u))
                        continue;
                    const gfab_model m = with(mode, size.first, size.second);
                    const gfab_bound bound = bound_of_load(t.get(), m, load);
                    const uint64_t optimum = OptimumSearch(t.get(), m, load).optimum();
                    EXPECT_LE(bound.rounds, optimum) << spec << " " << number << ": " << bound.argument;
                    cases++;
                    tight += bound.rounds == optimum;
                }
    }
    EXPECT_GT(2 * tight, cases) << tight << " of " << cases; // a bound of 0 would pass the above
    EXPECT_EQ(bound_of_load(parse("path:4").get(), f_all, {7, 0, 0, 0}).rounds, 9u);
    EXPECT_EQ(bound_of_load(parse("path:4").get(), f_all, {7, 1, 1, 1}).rounds, 9u);
}

// A tree without a root as text: the least over all roots of its subtrees' sorted texts.
std::string shape(const std::vector<std::vector<uint32_t>> &tree)
{
    const std::function<std::string(uint32_t, uint32_t)> below = [&](uint32_t node, uint32_t parent) {
        std::vector<std::string> parts;
        for (const uint32_t child : tree[node])
            if (child != parent)
                parts.push_back(below(child, node));
        std::sort(parts.begin(), parts.end());
        std::string text = "(";
        for (const std::string &part : parts)
            text += part;
        return text + ")";
    };
    std::string least;
    for (uint32_t root = 0; root < tree.size(); root++) {
        const std::string text = below(root, root);
        if (least.empty() || text < least)
            least = text;
    }
    return least;
}

// One of each shape. Node v hangs under a node of a lower number.
std::vector<std::string> trees(uint32_t nodes)
{
    std::vector<std::string> specs;
    std::set<std::string> shapes;
    std::vector<uint32_t> parent(nodes, 0);
    const std::function<void(uint32_t)> hang = [&](uint32_t v) {
        for (uint32_t p = 0; v < nodes && p < v; p++) {
            parent[v] = p;
            hang(v + 1);
        }
        if (v < nodes)
            return;
        std::vector<std::vector<uint32_t>> tree(nodes);
        std::string spec = "graph:" + std::to_string(nodes) + ":";
        for (uint32_t w = 1; w < nodes; w++) {
            tree[w].push_back(parent[w]);
            tree[parent[w]].push_back(w);
            spec += (w > 1 ? "," : "") + std::to_string(parent[w]) + "-" + std::to_string(w);
        }
        if (shapes.insert(shape(tree)).second)
            specs.push_back(spec);
    };
    hang(1);
    return specs;
}

gfab_prove_answer ask(const gfab_topology *t, const gfab_model &m, uint64_t rounds)
{
    const gfab_prove_options options = gfab_prove_options_default();
    gfab_prove_report report{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_prove_rounds(t, &m, static_cast<uint32_t>(rounds), &options, &report, nullptr, &diag), GFAB_OK)
        << diag.message;
    return report.answer;
}

// SAT: so many rounds do on every tree, one less does not.
TEST(Bound, TreesAreExact)
{
    const size_t counts[] = {1, 1, 2, 3, 6, 11, 23}; // of trees without names
    for (uint32_t nodes = 2; nodes <= 8; nodes++) {
        const std::vector<std::string> specs = trees(nodes);
        EXPECT_EQ(specs.size(), counts[nodes - 2]);
        for (const std::string &spec : specs)
            for (const gfab_model &m : {with(f_one, nodes, 1), with(h_one, nodes, 1)}) {
                const Topology t = parse(spec);
                const uint64_t rounds = named(spec, m, "tree");
                EXPECT_EQ(best(spec, m), rounds) << spec;
                EXPECT_EQ(ask(t.get(), m, rounds), GFAB_PROVE_POSSIBLE) << spec << " " << gfab_model_symbol(&m);
                if (rounds > 1) {
                    EXPECT_EQ(ask(t.get(), m, rounds - 1), GFAB_PROVE_IMPOSSIBLE)
                        << spec << " " << gfab_model_symbol(&m);
                }
            }
    }
}

TEST(Bound, TreesByHand)
{
    std::string star = "graph:31:0-1";
    for (int leaf = 2; leaf <= 30; leaf++)
        star += ",0-" + std::to_string(leaf);
    EXPECT_EQ(named(star, with(f_one, 31, 1), "tree"), 59u);
    EXPECT_EQ(named(star, with(h_one, 31, 1), "tree"), 60u);
    EXPECT_EQ(named(star, with(f_one, 31, 5), "tree"), 59u);
    EXPECT_EQ(named(star, with(f_all, 31, 1), "tree"), 0u);
    EXPECT_EQ(named("path:9", with(f_one, 9, 1), "tree"), 9u); // 5 rounds from the middle: it tells one side later
    EXPECT_EQ(named("path:10", with(f_one, 10, 1), "tree"), 9u);
    EXPECT_EQ(named("path:50000", with(f_one, 50000, 1), "tree"), 49999u);
    EXPECT_EQ(named("cycle:9", with(f_one, 9, 1), "tree"), 0u);
}

TEST(Bound, EveryListIsSortedAndEveryArgumentIsASentence)
{
    for (const char *spec : {"path:2", "cycle:5", "mesh:6x6", "torus:64x64", "mesh:3x3x3", "path:50000"})
        for (const gfab_model &mode : {h_all, h_one, f_all, f_one})
            for (const uint32_t p : {1u, 2u, UINT32_MAX})
                for (const uint32_t lambda : {1u, 2u, UINT32_MAX}) {
                    const std::vector<gfab_bound> bounds = all(spec, with(mode, p, lambda));
                    ASSERT_GE(bounds.size(), 3u);
                    for (size_t i = 0; i < bounds.size(); i++) {
                        const std::string argument = bounds[i].argument;
                        EXPECT_EQ(argument.back(), '.') << argument;
                        EXPECT_LT(argument.size(), sizeof bounds[i].argument - 1) << argument;
                        EXPECT_GT(std::strlen(bounds[i].source), 0u);
                        EXPECT_GE(bounds[i].rounds, 1u);
                        if (i > 0) {
                            EXPECT_GE(bounds[i - 1].rounds, bounds[i].rounds);
                        }
                    }
                    EXPECT_EQ(best(spec, with(mode, p, lambda)), bounds[0].rounds);
                }
}

TEST(Bound, ABadModelIsRefused)
{
    const Topology t = parse("path:3");
    const gfab_model bad = with(h_all, 0, 1);
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count = 0;
    EXPECT_EQ(gfab_bound_all(t.get(), &bad, nullptr, bounds, &count), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_bound_best(t.get(), &bad, nullptr, bounds), GFAB_ERR_INVALID);
}

} // namespace
