// SPDX-License-Identifier: MIT
// The solvers "search" and "torus-tree" on all that they are meant for: with GFAB_TESTS_LARGE.
#include "search_fixture.h"

namespace
{

class Rows : public testing::TestWithParam<uint32_t>
{
};

INSTANTIATE_TEST_SUITE_P(All, Rows, testing::Range(3u, 21u));

TEST_P(Rows, EveryMeshMeetsTheBound)
{
    for (uint32_t n = GetParam(); n <= 20; n++)
        expect_search(grid("mesh", GetParam(), n), half);
}

TEST_P(Rows, EveryTorusMeetsTheBoundHalfAndFull)
{
    for (uint32_t n = GetParam(); n <= 20; n++) {
        expect_search(grid("torus", GetParam(), n), half);
        expect_search(grid("torus", GetParam(), n), full);
    }
}

TEST_P(Rows, SeveralTokensAPacket)
{
    expect_search(grid("mesh", GetParam(), GetParam()), model_of(GFAB_LINK_HALF, 2), 1);
    expect_search(grid("mesh", GetParam(), GetParam()), model_of(GFAB_LINK_HALF, 4), 2);
}

class TorusRows : public testing::TestWithParam<uint32_t>
{
};

INSTANTIATE_TEST_SUITE_P(All, TorusRows, testing::Range(3u, 65u));

// Whole schedules; optimal_test checks the trees, with the sides in either order.
TEST_P(TorusRows, EveryTreesScheduleMeetsTheBoundHalfAndFull)
{
    const uint32_t m = GetParam();
    for (uint32_t n = m; n <= 64; n++) {
        const std::string spec = grid("torus", m, n);
        for (const gfab_model &model : {half, full})
            expect_solver("torus-tree", spec, model);
        EXPECT_EQ(bound_of(parse(spec), half), m * n / 2) << spec;
        EXPECT_EQ(bound_of(parse(spec), full), (m * n + 2) / 4) << spec;
    }
}

TEST(SearchLarge, SquareMeshesMeetTheBound)
{
    for (uint32_t n = 21; n <= 32; n++)
        expect_search(grid("mesh", n, n), half);
    expect_search("mesh:48x48", half);
    expect_search("mesh:64x64", half);
}

} // namespace
