/* SPDX-License-Identifier: MIT */
/* Private: counting bits in loops that do little else. */
#ifndef GOSSIPFAB_BITS_H
#define GOSSIPFAB_BITS_H

#include <stdint.h>

/* Before a function: it is compiled twice, and the machine takes the one with its own instruction where it has that. */
#if defined __x86_64__ && defined __gnu_linux__ && defined __GNUC__ && !defined __clang__
#define GFAB_COUNTS_BITS __attribute__((target_clones("popcnt", "default")))
#else
#define GFAB_COUNTS_BITS
#endif

static inline uint32_t gfab_count_bits(uint64_t bits)
{
#ifdef __GNUC__
    return (uint32_t)__builtin_popcountll(bits);
#else
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
#endif
}

#endif
