// SPDX-License-Identifier: MIT
// The solver "search" on all that it is meant for: with GFAB_TESTS_LARGE.
#include "search_fixture.h"

namespace {

class Rows : public testing::TestWithParam<uint32_t> {};

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

TEST(SearchLarge, SquareMeshesMeetTheBound)
{
    for (uint32_t n = 21; n <= 32; n++)
        expect_search(grid("mesh", n, n), half);
    expect_search("mesh:48x48", half);
    expect_search("mesh:64x64", half);
}

} // namespace
