/* SPDX-License-Identifier: MIT */
/* The d-dimensional diagonal: the points of a grid whose coordinates sum to 0 modulo a side g. In every g x ... x g
 * subgrid, wherever it lies, the projection along each axis is a bijection between the diagonal's points and the
 * subgrid's face: seen along an axis the diagonal is a full view without overlap. What runs along one axis onto the
 * diagonal can leave it along another, all lines at once. Sibeyn, Juurlink & Rao, section 6.1. */
#ifndef GOSSIPFAB_SOLVERS_DIAGONAL_H
#define GOSSIPFAB_SOLVERS_DIAGONAL_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is point[0 .. dimensions - 1] on the diagonal of this side (>= 1)? */
bool gfab_diagonal_has(size_t dimensions, const uint32_t *point, uint32_t side);

/* The line through point along axis meets the diagonal at this coordinate, which is below side, and at every side-th
 * one from there on. point[axis] itself does not matter. */
uint32_t gfab_diagonal_first(size_t dimensions, const uint32_t *point, size_t axis, uint32_t side);

/* Checks a set of points against what makes a diagonal: on every line of the grid, along every axis, any `side`
 * consecutive nodes hold exactly one point of the set, which is to say that in every subgrid of this side all
 * projections are bijections. has: a flag for each point, row-major, last coordinate fastest. OK; FAULT with axis, line
 * and place in diag; INVALID unless 1 <= side <= every one of sides[0 .. dimensions - 1]. */
gfab_status gfab_diagonal_check(size_t dimensions, const uint32_t *sides, uint32_t side, const bool *has,
                                gfab_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
