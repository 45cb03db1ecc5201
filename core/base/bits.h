/* SPDX-License-Identifier: MIT */
/* Private: counting bits. */
#ifndef GOSSIPFAB_BITS_H
#define GOSSIPFAB_BITS_H

#include <stdint.h>

/* Before a function: it is compiled twice, and the machine takes the one with its own instruction where it has that.
 * ThreadSanitizer crashes in what takes it, which runs before it is ready. */
#if defined __x86_64__ && defined __gnu_linux__ && defined __GNUC__ && !defined __clang__ && \
    !defined __SANITIZE_THREAD__
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

/* Bits that number count things from 0, at least 1. */
static inline uint32_t gfab_bits_for(uint32_t count)
{
    uint32_t bits = 1;
    while ((uint64_t)1 << bits < count)
        bits++;
    return bits;
}

#endif
