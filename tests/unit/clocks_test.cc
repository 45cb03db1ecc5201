// SPDX-License-Identifier: MIT
// Chips with clocks of their own: the least latency, the buffers and the slack, at the edges of what
// docs/reference/own-clocks.md derives, with gaps that make a gossip as long as is asked.
#include "fixture.h"

#include <vector>

namespace
{

class Clocks : public testing::Test
{
  protected:
    // One round, one link used, l registers on every link, and a gap so that a gossip takes so many cycles.
    Machine machine(const char *spec, uint32_t latency, uint64_t cycles, bool full = true)
    {
        topology = parse(spec);
        layout = layout_of(topology, full_duplex(full));
        const Schedule schedule = schedule_on(topology);
        append(schedule, 1, 0, 1, 0);
        gfab_timing timing{};
        EXPECT_EQ(compute(layout, {8, 2, latency, 0, 0, 0}, &timing, nullptr), GFAB_OK);
        const uint64_t gap = cycles - gfab_timing_gossip_cycles(&timing, 1);
        gfab_program *lowered = nullptr;
        EXPECT_EQ(gfab_program_lower(schedule.get(), layout.get(), nullptr, gap, nullptr, &lowered, nullptr), GFAB_OK);
        program.reset(lowered);
        image = assemble(program);
        Machine made = machine_of(image, timing);
        EXPECT_EQ(gfab_machine_cycles(made.get()), cycles);
        return made;
    }
    gfab_status check(const Machine &of, const std::vector<uint32_t> &chips, uint32_t count,
                      uint32_t *parents = nullptr)
    {
        diag = gfab_diag{};
        return gfab_chip_clocks_compute(of.get(), chips.data(), count, &clocks, parents, &diag);
    }
    bool says(const std::string &text) const { return std::string(diag.message).find(text) != std::string::npos; }

    Topology topology;
    Layout layout;
    Program program;
    Image image;
    gfab_chip_clocks clocks{};
    gfab_diag diag{};
};

// 8.625 + 2e-4 (N + T + 2 l) <= l with T = l + 1: the most that each latency is enough for.
TEST_F(Clocks, LatencyAtItsEdges)
{
    for (uint64_t latency = 9; latency <= GFAB_MAX_LATENCY; latency++) {
        const uint64_t most = (10000 * latency - 86250) / 2 - (latency + 1) - 2 * latency;
        const uint32_t l = static_cast<uint32_t>(latency);
        EXPECT_EQ(check(machine("path:2", l, most), {0, 1}, 2), GFAB_OK) << l << ": " << diag.message;
        const bool last = latency == GFAB_MAX_LATENCY;
        EXPECT_EQ(check(machine("path:2", l, most + 1), {0, 1}, 2), last ? GFAB_ERR_LIMIT : GFAB_ERR_INVALID);
        EXPECT_TRUE(last ? says("drift 7 cycles apart") : says("of " + std::to_string(l + 1) + " cycles or more"))
            << diag.message;
    }
    EXPECT_EQ(check(machine("path:2", 8, 100), {0, 1}, 2), GFAB_ERR_INVALID);
    EXPECT_TRUE(says("of 9 cycles or more in this fabric, not 8")) << diag.message;
    EXPECT_EQ(check(machine("path:2", 0, 100), {0, 1}, 2), GFAB_ERR_INVALID);
    EXPECT_TRUE(says("of 9 cycles or more in this fabric, not 0")) << diag.message;
}

// D >= l + 0.875 + drift; the drift of N + 10 + 18 cycles is 0.125 where that is 625, and 1.125 where it is 5625.
TEST_F(Clocks, EntriesAtTheirEdges)
{
    struct {
        uint32_t latency;
        uint64_t cycles;
        uint32_t entries;
    } const edges[] = {{9, 597, 10}, {9, 598, 11}, {10, 5594, 12}, {10, 5595, 13}, {15, 31829, 23}};
    for (const auto &edge : edges) {
        ASSERT_EQ(check(machine("path:2", edge.latency, edge.cycles), {0, 1}, 2), GFAB_OK) << diag.message;
        EXPECT_EQ(clocks.entries, edge.entries) << edge.cycles;
    }
}

TEST_F(Clocks, SlackGrowsWithTheDistance)
{
    const Machine ring = machine("cycle:5", 9, 200);
    uint32_t parents[5];
    ASSERT_EQ(check(ring, {0, 1, 2, 3, 4}, 5, parents), GFAB_OK) << diag.message;
    EXPECT_EQ(std::vector<uint32_t>(parents, parents + 5), (std::vector<uint32_t>{0, 0, 1, 4, 0}));
    EXPECT_EQ(clocks.cables, 5u);
    EXPECT_EQ(clocks.hops, 2u);
    EXPECT_EQ(clocks.entries, 10u);
    EXPECT_EQ(clocks.tail_cycles, 2u * 10u);
    EXPECT_EQ(clocks.rest_cycles, 5u * 3u + 1u); // a cycle of drift at most
    EXPECT_EQ(clocks.slack_cycles, 20u + 1u + 16u + 2u);
    EXPECT_EQ(clocks.cycles, 200u + 39u);
    // Two links between the same chips are one cable; node 0 need not be on chip 0.
    ASSERT_EQ(check(ring, {1, 1, 0, 0, 1}, 2, parents), GFAB_OK) << diag.message;
    EXPECT_EQ(clocks.cables, 1u);
    EXPECT_EQ(clocks.hops, 1u);
    EXPECT_EQ(parents[1], 0u);
}

TEST_F(Clocks, HalfDuplexIsForOneClock)
{
    EXPECT_EQ(check(machine("path:2", 9, 100, false), {0, 1}, 2), GFAB_ERR_UNSUPPORTED);
    EXPECT_TRUE(says("not with half-duplex links")) << diag.message;
}

} // namespace
