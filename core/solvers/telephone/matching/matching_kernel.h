/* SPDX-License-Identifier: MIT */
/* The inner loops of the matching heuristic's weights, private to matching*.c: one tile of columns at a time, in
 * whole numbers, so that every variant gives the same result. */
#ifndef GOSSIPFAB_SOLVERS_MATCHING_KERNEL_H
#define GOSSIPFAB_SOLVERS_MATCHING_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* Columns of a tile. A tile of the distance matrix has a row of this many bytes for each node and, up to about 8000
 * nodes, stays in the second-level cache. */
#define GFAB_TILE 128u
#define GFAB_TILE_PLANES 3u

/* In all three: rows are the tile's, list[count] says which of them to go through. */
typedef struct gfab_matching_kernel {
    const char *name; /* "portable", "avx2", "avx512" */
    /* counts[v] += sum of add[i] over the listed rows whose byte v is want[v], at most 65535. */
    void (*count)(const uint8_t *rows, const uint32_t *list, const uint8_t *add, size_t count, const uint8_t *want,
                  uint16_t *counts);
    /* sums[i] += sum of the values of the columns v in which row list[i] is want[v]. A value is planes[0][v] +
     * 256 planes[1][v] + 65536 planes[2][v]. */
    void (*sum)(const uint8_t *rows, const uint32_t *list, size_t count, const uint8_t *want,
                const uint8_t planes[GFAB_TILE_PLANES][GFAB_TILE], uint64_t *sums);
    /* far[v] = least of itself and the listed rows' bytes v. */
    void (*lower)(const uint8_t *rows, const uint32_t *list, size_t count, uint8_t *far);
} gfab_matching_kernel;

/* The fastest that this processor has, or, where name is not NULL, the one of that name; NULL where the processor does
 * not have it. Static. */
const gfab_matching_kernel *gfab_matching_kernel_find(const char *name);

#endif
