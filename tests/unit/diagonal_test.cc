// SPDX-License-Identifier: MIT
// The d-dimensional diagonal: every projection along an axis is a bijection, in every subgrid; and what is not one.
#include "fixture.h"
#include "solvers/startup/diagonal.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

namespace
{

bool is_on_diagonal(const std::vector<uint32_t> &point, uint32_t side)
{
    return std::accumulate(point.begin(), point.end(), uint64_t{0}) % side == 0;
}

struct Set {
    std::vector<uint32_t> sides;
    std::vector<bool> has;
    size_t points = 1;

    explicit Set(std::vector<uint32_t> grid) : sides(std::move(grid))
    {
        for (uint32_t side : sides)
            points *= side;
        has.resize(points);
    }
    std::vector<uint32_t> point(size_t index) const
    {
        std::vector<uint32_t> at(sides.size());
        for (size_t axis = sides.size(); axis-- > 0; index /= sides[axis])
            at[axis] = static_cast<uint32_t>(index % sides[axis]);
        return at;
    }
    // A window of `side` nodes slides along the line; what does not hold one point everywhere is told.
    std::string check_line(size_t stride, uint32_t side, size_t axis, size_t line) const
    {
        int count = 0;
        for (uint32_t i = 0; i < sides[axis]; i++) {
            count += has[line + i * stride];
            if (i >= side)
                count -= has[line + (i - side) * stride];
            if (i + 1 >= side && count != 1)
                return "along axis " + std::to_string(axis) + ", on the line from point " + std::to_string(line) +
                       ", coordinates " + std::to_string(i + 1 - side) + " to " + std::to_string(i) + " hold " +
                       std::to_string(count) + " points";
        }
        return "";
    }
    // On every line of the grid, along every axis, any `side` consecutive nodes hold exactly one point, which is to say
    // that in every subgrid of this side all projections are bijections.
    std::string check(uint32_t side) const
    {
        size_t stride = 1;
        std::string fault;
        for (size_t axis = sides.size(); axis-- > 0; stride *= sides[axis])
            for (size_t at = 0; at < points && fault.empty(); at++)
                if (at / stride % sides[axis] == 0)
                    fault = check_line(stride, side, axis, at);
        return fault;
    }
};

Set diagonal_of(const std::vector<uint32_t> &sides, uint32_t side)
{
    Set set(sides);
    for (size_t i = 0; i < set.points; i++)
        set.has[i] = is_on_diagonal(set.point(i), side);
    return set;
}

// By hand, from the definition: the projection along each axis of the set within the one subgrid that is the grid
// itself.
void expect_bijections(const Set &set)
{
    for (size_t axis = 0; axis < set.sides.size(); axis++) {
        std::vector<std::vector<uint32_t>> seen;
        for (size_t i = 0; i < set.points; i++)
            if (set.has[i]) {
                std::vector<uint32_t> shadow = set.point(i);
                shadow.erase(shadow.begin() + static_cast<std::ptrdiff_t>(axis));
                seen.push_back(shadow);
            }
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end()) << "two points in one place, axis " << axis;
        EXPECT_EQ(seen.size(), set.points / set.sides[axis]) << "axis " << axis;
    }
}

} // namespace

TEST(Diagonal, ProjectionsOfACubeAreBijections)
{
    for (uint32_t side : {1, 2, 3, 4, 5, 6, 9})
        for (size_t dimensions : {1, 2, 3, 4}) {
            SCOPED_TRACE(std::to_string(side) + "^" + std::to_string(dimensions));
            const Set set = diagonal_of(std::vector<uint32_t>(dimensions, side), side);
            expect_bijections(set);
            EXPECT_EQ(set.check(side), "");
        }
}

TEST(Diagonal, HoldsInEverySubgridOfAGridOfAnySides)
{
    for (const auto &sides : std::deque<std::vector<uint32_t>>{{9, 9}, {4, 6}, {7, 5}, {3, 5, 4}, {4, 4, 4, 4}, {8}})
        for (uint32_t side = 1; side <= *std::min_element(sides.begin(), sides.end()); side++)
            EXPECT_EQ(diagonal_of(sides, side).check(side), "") << side;
}

TEST(Diagonal, ThePaperOfFourByFour)
{
    // Sixteen towers on a 4 x 4 x 4 board, none of which takes another.
    const Set set = diagonal_of({4, 4, 4}, 4);
    EXPECT_EQ(std::count(set.has.begin(), set.has.end(), true), 16);
    EXPECT_TRUE(is_on_diagonal({1, 2, 1}, 4));
    EXPECT_FALSE(is_on_diagonal({1, 2, 2}, 4));
}

TEST(Diagonal, FirstIsWhereALineMeetsIt)
{
    const std::vector<uint32_t> sides = {6, 7, 5};
    Set all(sides);
    for (uint32_t side : {1, 2, 3, 4, 5})
        for (size_t i = 0; i < all.points; i++)
            for (size_t axis = 0; axis < sides.size(); axis++) {
                std::vector<uint32_t> at = all.point(i);
                const uint32_t first = gfab_diagonal_first(3, at.data(), axis, side);
                ASSERT_LT(first, side);
                for (at[axis] = 0; at[axis] < sides[axis]; at[axis]++)
                    ASSERT_EQ(is_on_diagonal(at, side), at[axis] % side == first);
            }
}

// Mutants, each of which has the right number of points.
TEST(Diagonal, RejectsSetsThatAreNone)
{
    Set moved = diagonal_of({4, 4, 4}, 4);
    std::vector<bool>::swap(moved.has[0], moved.has[1]);
    EXPECT_EQ(moved.check(4), "along axis 1, on the line from point 0, coordinates 0 to 3 hold 0 points");

    // x0 = x1 is one in two dimensions; with x2 free two of the three views overlap.
    Set flat({3, 3, 3});
    for (size_t i = 0; i < flat.points; i++)
        flat.has[i] = flat.point(i)[0] == flat.point(i)[1];
    EXPECT_EQ(flat.check(3), "along axis 2, on the line from point 0, coordinates 0 to 2 hold 3 points");

    // x0 + 2 x1 + x2 = 0 is none where 2 divides the side, and one where it does not.
    for (uint32_t side : {4, 5}) {
        Set twice({side, side, side});
        for (size_t i = 0; i < twice.points; i++) {
            const auto p = twice.point(i);
            twice.has[i] = (p[0] + 2 * p[1] + p[2]) % side == 0;
        }
        EXPECT_EQ(twice.check(side).empty(), side == 5);
    }

    // Right in aligned subgrids alone: the mirrored half.
    Set mirrored({2, 4});
    for (size_t i = 0; i < mirrored.points; i++) {
        const auto p = mirrored.point(i);
        mirrored.has[i] = p[1] < 2 ? p[0] == p[1] : p[0] == 3 - p[1];
    }
    EXPECT_EQ(mirrored.check(2), "along axis 1, on the line from point 0, coordinates 1 to 2 hold 0 points");
}
