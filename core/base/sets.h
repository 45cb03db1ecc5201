/* SPDX-License-Identifier: MIT */
/* Private: disjoint sets of numbers, as trees; each number starts as its own set. */
#ifndef GOSSIPFAB_BASE_SETS_H
#define GOSSIPFAB_BASE_SETS_H

#include <stdint.h>

/* The number that leads the set that this one is in. Paths are halved on the way (Tarjan & van Leeuwen 1984). */
static inline uint32_t gfab_set_of(uint32_t *sets, uint32_t member)
{
    while (sets[member] != member)
        member = sets[member] = sets[sets[member]];
    return member;
}

/* Two sets become one, led by the lower number of the two that led them. */
static inline void gfab_sets_join(uint32_t *sets, uint32_t a, uint32_t b)
{
    a = gfab_set_of(sets, a);
    b = gfab_set_of(sets, b);
    sets[a > b ? a : b] = a > b ? b : a;
}

#endif
