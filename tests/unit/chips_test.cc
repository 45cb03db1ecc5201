// SPDX-License-Identifier: MIT
// Fabrics on several chips: what gfab_fabric_write takes and refuses, above all too few dead cycles.
#include "fixture.h"

#include <filesystem>
#include <vector>

namespace
{

constexpr uint32_t kLatency = 15;

// Two nodes, a chip each: round 1 one way, round 2 the other, with gaps to be chosen after both.
class Chips : public testing::Test
{
  protected:
    void SetUp() override
    {
        folder = std::filesystem::path(testing::TempDir()) /
                 (std::string("gfab_chips_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder);
        append(schedule, 1, 0, 1, 0);
        append(schedule, 2, 1, 0, 1);
        gfab_program *made = nullptr;
        ASSERT_EQ(gfab_program_lower(schedule.get(), layout.get(), nullptr, 2 * kLatency, nullptr, &made, nullptr),
                  GFAB_OK);
        program.reset(made);
        gfab_image *assembled = nullptr;
        ASSERT_EQ(gfab_program_assemble(program.get(), 0, nullptr, &assembled, nullptr), GFAB_OK);
        image.reset(assembled);
        ASSERT_EQ(compute(layout, {8, 2, kLatency, 0, 0, 0}, &timing, nullptr), GFAB_OK);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    gfab_status write(const std::vector<uint32_t> &chips, uint32_t chip_count)
    {
        const std::string name = folder.string();
        gfab_fabric_options options{};
        options.directory = name.c_str();
        options.solver = "";
        options.force = true;
        options.chips = chips.data();
        options.chip_count = chip_count;
        diag = gfab_diag{};
        const gfab_status status = gfab_fabric_write(machine_of(image, timing).get(), &options, &diag);
        EXPECT_EQ(std::filesystem::exists(folder / "gossip_chip_1.v"), status == GFAB_OK) << diag.message;
        std::filesystem::remove_all(folder);
        return status;
    }
    gfab_status write_with_gaps(uint32_t first, uint32_t second)
    {
        gfab_image_set_gap(image.get(), 1, first);
        gfab_image_set_gap(image.get(), 2, second);
        return write({0, 1}, 2);
    }
    std::string said() const { return diag.message; }

    std::filesystem::path folder;
    Topology topology = parse("path:2");
    Layout layout = layout_of(topology);
    Schedule schedule = schedule_on(topology);
    Program program;
    Image image;
    gfab_timing timing{};
    gfab_diag diag{};
};

TEST_F(Chips, DeadCyclesWithinAGossip)
{
    EXPECT_EQ(write_with_gaps(30, 30), GFAB_OK) << said();
    EXPECT_EQ(write_with_gaps(29, 30), GFAB_ERR_INVALID);
    EXPECT_NE(said().find("round 2: the link of nodes 0 and 1, "), std::string::npos) << said();
    EXPECT_NE(said().find("after 29 dead cycles, not 2 x 15"), std::string::npos) << said();
    EXPECT_EQ(write_with_gaps(0, 30), GFAB_ERR_INVALID);
}

// From a gossip's last round to the first of one that starts at once lie its last gap and c cycles.
TEST_F(Chips, DeadCyclesBetweenGossips)
{
    const uint32_t least = 2 * kLatency - timing.overhead_cycles;
    ASSERT_EQ(timing.overhead_cycles, 1 + 1 + kLatency); // K + 1 + l
    EXPECT_EQ(write_with_gaps(30, least), GFAB_OK) << said();
    EXPECT_EQ(write_with_gaps(30, least - 1), GFAB_ERR_INVALID);
    EXPECT_NE(said().find("round 1: "), std::string::npos) << said();
}

// Pads for each way: nothing is turned round.
TEST_F(Chips, FullDuplexNeedsNoDeadCycles)
{
    layout = layout_of(topology, full_duplex());
    gfab_program *made = nullptr;
    ASSERT_EQ(gfab_program_lower(schedule.get(), layout.get(), nullptr, 0, nullptr, &made, nullptr), GFAB_OK);
    program.reset(made);
    gfab_image *assembled = nullptr;
    ASSERT_EQ(gfab_program_assemble(program.get(), 0, nullptr, &assembled, nullptr), GFAB_OK);
    image.reset(assembled);
    for (const uint32_t latency : {0u, 1u, 2u, kLatency}) {
        ASSERT_EQ(compute(layout, {8, 2, latency, 0, 0, 0}, &timing, nullptr), GFAB_OK);
        EXPECT_EQ(write({0, 1}, 2), latency < 2 ? GFAB_ERR_INVALID : GFAB_OK) << latency << ": " << said();
    }
}

TEST_F(Chips, EveryNodeOnAChipAndEveryChipWithANode)
{
    EXPECT_EQ(write({0, 2}, 2), GFAB_ERR_INVALID);
    EXPECT_NE(said().find("node 1 is on chip 2"), std::string::npos) << said();
    EXPECT_EQ(write({0, 1}, 3), GFAB_ERR_INVALID);
    EXPECT_NE(said().find("chip 2 has no nodes"), std::string::npos) << said();
    EXPECT_EQ(write({0, 0}, 1), GFAB_ERR_INVALID);
    EXPECT_NE(said().find("two or more"), std::string::npos) << said();
}

} // namespace
