/* SPDX-License-Identifier: MIT */
/* The d-dimensional diagonal: the points of a grid whose coordinates sum to 0 modulo a side g. In every g x ... x g
 * subgrid, wherever it lies, the projection along each axis is a bijection between the diagonal's points and the
 * subgrid's face: seen along an axis the diagonal is a full view without overlap. What runs along one axis onto the
 * diagonal can leave it along another, all lines at once. Sibeyn, Juurlink & Rao, section 6.1; diagonal_test checks
 * it. */
#ifndef GOSSIPFAB_SOLVERS_DIAGONAL_H
#define GOSSIPFAB_SOLVERS_DIAGONAL_H

#include <stddef.h>
#include <stdint.h>

/* The line through point[0 .. dimensions - 1] along axis meets the diagonal of this side (>= 1) at this coordinate,
 * which is below side, and at every side-th one from there on. point[axis] itself does not matter. */
static inline uint32_t gfab_diagonal_first(size_t dimensions, const uint32_t *point, size_t axis, uint32_t side)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < dimensions; i++)
        if (i != axis)
            sum += point[i] % side;
    return (uint32_t)((side - sum % side) % side);
}

#endif
