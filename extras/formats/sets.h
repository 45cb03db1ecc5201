/* SPDX-License-Identifier: MIT */
/* Private: sets of nodes, each kept once, so that equal ones have one number. 0 is the empty set. */
#ifndef GOSSIPFAB_FORMATS_SETS_H
#define GOSSIPFAB_FORMATS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gfab_sets {
    size_t words; /* of a set */
    uint64_t *bits;
    size_t count, capacity;
    uint32_t *table; /* number of a set + 1, 0: free; found by hashing */
    size_t table_size;
    bool failed; /* memory ran out; all numbers since are 0 */
} gfab_sets;

void gfab_sets_begin(gfab_sets *sets, size_t nodes);
void gfab_sets_end(gfab_sets *sets);

uint32_t gfab_sets_single(gfab_sets *sets, uint32_t node);
uint32_t gfab_sets_union(gfab_sets *sets, uint32_t a, uint32_t b);
bool gfab_sets_disjoint(const gfab_sets *sets, uint32_t a, uint32_t b);
/* Is all of a in b? */
bool gfab_sets_within(const gfab_sets *sets, uint32_t a, uint32_t b);
/* A node that is in a and not in b, which must be there. */
uint32_t gfab_sets_lacking(const gfab_sets *sets, uint32_t a, uint32_t b);

#endif
