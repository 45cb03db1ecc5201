// SPDX-License-Identifier: MIT
#include "fixture.h"
#include "optimum_search.h"

#include <gossipfab/schedule/bound.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
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

// Degree 3: 1, 1 + 1, 1 + 1 + 2, then the sum of the last two: 2, 4, 8, 14, 24, 40, ... nodes know a token.
TEST(Bound, ATokenSpreadsNoFasterThanDegreesAllow)
{
    EXPECT_EQ(named("ccc:3", with(f_one, 1000, 1), "spread"), 5u); // 24 nodes
    EXPECT_EQ(named("ccc:3+drop-node=0", with(f_one, 1000, 1), "spread"), 5u);
    EXPECT_EQ(named("knoedel:3,40", with(f_one, 1000, 1), "spread"), 6u);
    EXPECT_EQ(named("knoedel:3,42", with(f_one, 1000, 1), "spread"), 7u);
    EXPECT_EQ(named("path:9", with(f_one, 1000, 1), "spread"), 5u); // 2, 4, 6, 8, 10
    EXPECT_EQ(named("path:9", with(f_one, 1000, 2), "spread"), 8u); // 2, 3, then one more a round: a hop is two rounds
    EXPECT_EQ(named("complete:64", with(f_one, 1000, 1), "spread"), 6u);
    EXPECT_EQ(named("complete:65", with(f_one, 1000, 1), "spread"), 7u);
    EXPECT_EQ(named("complete:300", with(f_one, 1000, 1), "spread"), 9u);
    EXPECT_EQ(named("ccc:3", with(f_all, 1000, 1), "spread"), 0u);
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
