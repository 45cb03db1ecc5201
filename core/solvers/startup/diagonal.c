/* SPDX-License-Identifier: MIT */
#include "diagonal.h"

/* The sum over all axes but one (dimensions: over all), modulo side. */
static uint32_t sum_without(size_t dimensions, const uint32_t *point, size_t axis, uint32_t side)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < dimensions; i++)
        if (i != axis)
            sum += point[i] % side;
    return (uint32_t)(sum % side);
}

bool gfab_diagonal_has(size_t dimensions, const uint32_t *point, uint32_t side)
{
    return sum_without(dimensions, point, dimensions, side) == 0;
}

uint32_t gfab_diagonal_first(size_t dimensions, const uint32_t *point, size_t axis, uint32_t side)
{
    return (side - sum_without(dimensions, point, axis, side)) % side;
}

/* A window of `side` nodes slides along the line; count is what it holds. */
static gfab_status check_line(const bool *has, size_t stride, uint32_t length, uint32_t side, size_t axis, size_t line,
                              gfab_diag *diag)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < length; i++) {
        count += has[i * stride];
        if (i >= side)
            count -= has[(i - side) * stride];
        if (i + 1 >= side && count != 1)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "along axis %zu, on the line from point %zu, coordinates %u to %u hold %u points, not one",
                             axis, line, i + 1 - side, i, count);
    }
    return GFAB_OK;
}

gfab_status gfab_diagonal_check(size_t dimensions, const uint32_t *sides, uint32_t side, const bool *has,
                                gfab_diag *diag)
{
    size_t points = 1;
    for (size_t i = 0; i < dimensions; i++) {
        if (side < 1 || side > sides[i])
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a diagonal of side %u does not fit side %u of the grid", side,
                             sides[i]);
        points *= sides[i];
    }
    size_t stride = 1;
    for (size_t axis = dimensions; axis-- > 0; stride *= sides[axis])
        for (size_t at = 0; at < points; at++) {
            if (at / stride % sides[axis] != 0)
                continue;
            const gfab_status status = check_line(has + at, stride, sides[axis], side, axis, at, diag);
            if (status != GFAB_OK)
                return status;
        }
    return GFAB_OK;
}
