// SPDX-License-Identifier: MIT
// What a ring fabric does as a schedule: valid, in as many rounds as it has steps that carry something.
#include <gossipfab/gossipfab.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace
{

struct Row {
    const char *topology;
    bool full;
    uint32_t token_bits, link_bits;
    gfab_collective collective;
    uint32_t blocks;
    uint32_t rounds;
    uint64_t moves;
};

const Row rows[] = {
    {"mesh:4x4", true, 32, 2, GFAB_ALL_GATHER, 0, 15, 2 * 16 * 15},
    {"cycle:16", false, 32, 16, GFAB_ALL_GATHER, 0, 15, 16 * 15},
    {"torus:4x4", false, 32, 8, GFAB_ALL_GATHER, 0, 15, 2 * 16 * 15},
    {"torus:5x7", true, 33, 3, GFAB_ALL_GATHER, 0, 34, 4 * 35 * 34},
    {"circulant:16,1,8", true, 32, 64, GFAB_ALL_GATHER, 0, 8, 16 + 16 * 7},
    {"circulant:64,1,16,32", true, 32, 128, GFAB_ALL_GATHER, 0, 16, 3 * 64 + 64 * 15},
    {"torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 64, 30, 64 * 30},
    {"torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 192, 90, 64 * 90},
    {"cycle:4", true, 40, 40, GFAB_ALL_REDUCE, 3, 6, 8 * 6},
    {"mesh:2x4", true, 32, 16, GFAB_REDUCE_SCATTER, 32, 14, 16 * 14},
};

class PlayedRing : public testing::TestWithParam<Row>
{
  protected:
    gfab_diag diag{};
    gfab_topology *topology = nullptr;
    gfab_ring_fabric fabric{};
    gfab_schedule *schedule = nullptr;

    void SetUp() override
    {
        const Row &row = GetParam();
        const bool gathers = row.collective == GFAB_ALL_GATHER;
        gfab_ring_options options{};
        options.token_bits = row.token_bits;
        options.link_bits = row.link_bits;
        options.full_duplex = row.full;
        options.collective = row.collective;
        options.blocks = row.blocks;
        options.combines = gathers ? GFAB_OPERATOR_NONE : GFAB_OPERATOR_SUM;
        ASSERT_EQ(gfab_topology_parse(row.topology, &topology, &diag), GFAB_OK) << diag.message;
        ASSERT_EQ(gfab_ring_fabric_plan(topology, &options, &fabric, &diag), GFAB_OK) << diag.message;
        ASSERT_EQ(gfab_player_ring_schedule(&fabric, &schedule), GFAB_OK);
    }
    void TearDown() override
    {
        gfab_schedule_destroy(schedule);
        gfab_ring_fabric_release(&fabric);
        gfab_topology_destroy(topology);
    }
};

TEST_P(PlayedRing, IsASchedule)
{
    gfab_verify_report report;
    EXPECT_EQ(gfab_verify(topology, gfab_schedule_model(schedule), schedule, nullptr, &report), GFAB_OK)
        << GetParam().topology << ": " << report.message;
    EXPECT_EQ(report.redundant, 0u);
    EXPECT_EQ(gfab_schedule_rounds(schedule), GetParam().rounds);
    EXPECT_EQ(gfab_schedule_move_count(schedule), GetParam().moves);
}

INSTANTIATE_TEST_SUITE_P(Rows, PlayedRing, testing::ValuesIn(rows));

TEST(PlayedRingLimit, ManyMovesAreRefused)
{
    gfab_diag diag{};
    gfab_topology *topology = nullptr;
    gfab_ring_fabric fabric{};
    gfab_schedule *schedule = nullptr;
    gfab_ring_options options{};
    options.token_bits = options.link_bits = 32;
    ASSERT_EQ(gfab_topology_parse("cycle:2048", &topology, &diag), GFAB_OK) << diag.message;
    ASSERT_EQ(gfab_ring_fabric_plan(topology, &options, &fabric, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(gfab_player_ring_schedule(&fabric, &schedule), GFAB_ERR_LIMIT); /* 2^22 moves */
    EXPECT_EQ(schedule, nullptr);
    gfab_ring_fabric_release(&fabric);
    gfab_topology_destroy(topology);
}

} // namespace
