// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <cstring>

TEST(Timing, OverheadIsThatOfTheTable)
{
    const struct {
        const char *spec;
        uint32_t lanes, longer, direct;
    } rows[] = {{"path:2", 1, 2, 2},      {"path:5", 2, 4, 2},     {"cycle:5", 2, 4, 3},   {"cycle:6", 2, 4, 2},
                {"mesh:3x4", 4, 6, 4},    {"torus:4x4", 4, 6, 4},  {"torus:5x3", 4, 7, 5}, {"mesh:3x3x3", 6, 8, 6},
                {"torus:4x4x4", 6, 8, 6}, {"torus:3x3x3", 6, 9, 7}};
    for (const auto &row : rows) {
        const Topology topology = parse(row.spec);
        const Layout layout = layout_of(topology);
        const gfab_timing direct = timing_of(layout, 2 * row.lanes, 1);
        EXPECT_EQ(direct.lanes, row.lanes) << row.spec;
        EXPECT_EQ(direct.direct, 1u) << row.spec;
        EXPECT_EQ(direct.cycles_per_round, 2 * row.lanes) << row.spec;
        EXPECT_EQ(direct.overhead_cycles, row.direct) << row.spec;
        const gfab_timing longer = timing_of(layout, 2 * row.lanes + 1, 1);
        EXPECT_EQ(longer.direct, 0u) << row.spec;
        EXPECT_EQ(longer.cycles_per_round, 3 * row.lanes) << row.spec;
        EXPECT_EQ(longer.overhead_cycles, row.longer) << row.spec;
        EXPECT_EQ(gfab_timing_gossip_cycles(&longer, 7), 7u * 3 * row.lanes + row.longer) << row.spec;
    }
}

TEST(Timing, RoundsAreWholeWords)
{
    const Topology topology = parse("mesh:4x4");
    const Layout layout = layout_of(topology);
    const gfab_timing t = timing_of(layout, 32, 2);
    EXPECT_EQ(t.token_flits, 16u);
    EXPECT_EQ(t.words, 4u);
    EXPECT_EQ(t.word_bits, 8u);
    EXPECT_EQ(t.cycles_per_round, 16u);
    EXPECT_EQ(t.skewed, 0u);
    EXPECT_EQ(timing_of(layout, 8, 8).cycles_per_round, 8u); // one flit, padded to the least round
    EXPECT_EQ(timing_of(layout, 18, 2).cycles_per_round, 12u);
    EXPECT_EQ(gfab_timing_gossip_cycles(&t, 0), 6u);
    EXPECT_EQ(gfab_timing_gossip_cycles(&t, UINT32_MAX), 16 * uint64_t{UINT32_MAX} + 6);
}

TEST(Timing, WidthsOutOfRangeAreRefused)
{
    const Topology topology = parse("path:3");
    const Layout layout = layout_of(topology);
    gfab_timing t;
    gfab_diag diag{};
    EXPECT_EQ(compute(layout, {0, 1, 0, 0, 0, 0}, &t, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "token bits must be at least 1");
    EXPECT_EQ(compute(layout, {1, 0, 0, 0, 0, 0}, &t, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "link bits must be at least 1");
    EXPECT_EQ(compute(layout, {33, 2, 0, 0, 0, 0}, &t, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "token bits 33 are not a multiple of link bits 2");
    EXPECT_EQ(compute(layout, {4, 8, 0, 0, 0, 0}, &t, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(compute(layout, {4096, 1024, 0, 0, 0, 0}, &t, &diag), GFAB_OK);
    EXPECT_EQ(compute(layout, {4097, 1, 0, 0, 0, 0}, &t, &diag), GFAB_ERR_LIMIT);
    EXPECT_EQ(compute(layout, {2050, 1025, 0, 0, 0, 0}, &t, &diag), GFAB_ERR_LIMIT);
    EXPECT_EQ(compute(layout, {33, 2, 0, 0, 0, 0}, &t, nullptr), GFAB_ERR_INVALID);
}

TEST(Timing, LatencyLengthensRoundsJustEnough)
{
    const struct {
        const char *spec;
        uint32_t token_bits, link_bits, latency, words, overhead;
    } rows[] = {
        {"cycle:6", 8, 2, 0, 2, 2},  {"cycle:6", 8, 2, 1, 3, 4},     {"cycle:6", 8, 2, 2, 4, 6},
        {"cycle:5", 8, 2, 1, 4, 6},  {"cycle:5", 64, 2, 15, 16, 20}, {"mesh:4x4", 32, 2, 3, 4, 9},
        {"mesh:4x4", 8, 2, 3, 3, 8}, {"mesh:4x4", 8, 2, 4, 4, 10},   {"torus:3x3", 8, 2, 15, 7, 22},
    };
    for (const auto &row : rows) {
        const Topology topology = parse(row.spec);
        const Layout layout = layout_of(topology);
        gfab_timing t{};
        gfab_diag diag{};
        ASSERT_EQ(compute(layout, {row.token_bits, row.link_bits, row.latency, 0, 0, 0}, &t, &diag), GFAB_OK)
            << diag.message;
        EXPECT_EQ(t.words, row.words) << row.spec << " " << row.latency;
        EXPECT_EQ(t.overhead_cycles, row.overhead) << row.spec << " " << row.latency;
        EXPECT_EQ(t.wires, row.latency ? 2u : 1u);
        EXPECT_EQ(t.latency_cycles, row.latency);
    }
    const Topology topology = parse("cycle:6");
    const Layout layout = layout_of(topology);
    gfab_timing t{};
    gfab_diag diag{};
    EXPECT_EQ(compute(layout, {8, 2, 16, 0, 0, 0}, &t, &diag), GFAB_ERR_LIMIT);
    EXPECT_STREQ(diag.message, "link latency 16: at most 15 cycles");
}

// The one call for a layout that is not kept gives what the two calls give.
TEST(Timing, OfOptionsIsThatOfTheirLayout)
{
    const Topology topology = parse("torus:3x3");
    const gfab_timing_options options = {24, 2, 1, 0, 0, 0};
    for (const gfab_layout_options &shape : {in_parts(1), full_duplex(), in_parts(3), with_paths(2), wide_nodes()}) {
        gfab_timing direct{}, made{};
        gfab_diag diag{};
        ASSERT_EQ(gfab_timing_of(topology.get(), &shape, &options, &made, &diag), GFAB_OK) << diag.message;
        ASSERT_EQ(compute(layout_of(topology, shape), options, &direct, &diag), GFAB_OK) << diag.message;
        EXPECT_EQ(std::memcmp(&direct, &made, sizeof made), 0);
    }
    gfab_timing kept{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_timing_of(topology.get(), nullptr, &options, &kept, &diag), GFAB_OK) << "half duplex, whole tokens";
    EXPECT_EQ(kept.parts, 1u);
    const gfab_timing before = kept;
    const gfab_layout_options none = in_parts(0);
    EXPECT_EQ(gfab_timing_of(topology.get(), &none, &options, &kept, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(std::memcmp(&before, &kept, sizeof kept), 0) << "left as it was";
}
