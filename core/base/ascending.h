/* SPDX-License-Identifier: MIT */
/* Private: the order of numbers, for qsort and bsearch. */
#ifndef GOSSIPFAB_ASCENDING_H
#define GOSSIPFAB_ASCENDING_H

#include <stdint.h>

/* Of two uint64_t the lesser first. */
static inline int gfab_ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The same, the highest first. */
static inline int gfab_descending(const void *a, const void *b)
{
    return gfab_ascending(b, a);
}

/* Of uint32_t. */
static inline int gfab_ascending32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

#endif
