/* SPDX-License-Identifier: MIT */
/* Private: permutations of few symbols, as star and pancake graphs number their nodes. */
#ifndef GOSSIPFAB_PERMUTATION_H
#define GOSSIPFAB_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GFAB_MAX_SYMBOLS 10

/* Where a permutation of 0 .. k - 1 stands among all in lexicographic order (Lehmer). */
static inline size_t gfab_permutation_rank(const uint8_t *symbols, uint32_t k)
{
    size_t rank = 0;
    for (uint32_t i = 0; i < k; i++) {
        uint32_t smaller = 0;
        for (uint32_t j = i + 1; j < k; j++)
            smaller += symbols[j] < symbols[i];
        rank = rank * (k - i) + smaller;
    }
    return rank;
}

static inline void gfab_permutation_swap(uint8_t *symbols, uint32_t a, uint32_t b)
{
    const uint8_t symbol = symbols[a];
    symbols[a] = symbols[b];
    symbols[b] = symbol;
}

static inline void gfab_permutation_reverse(uint8_t *symbols, uint32_t from, uint32_t to)
{
    for (; from < to; from++, to--)
        gfab_permutation_swap(symbols, from, to);
}

/* The rank of the neighbour along generator c, 1 to k - 1: symbols 0 to c are reversed in a pancake graph; symbols 0
 * and c change places in a star graph. */
static inline size_t gfab_permutation_neighbour(const uint8_t *symbols, uint32_t k, uint32_t c, int pancake)
{
    uint8_t other[GFAB_MAX_SYMBOLS] = {0};
    memcpy(other, symbols, k);
    if (pancake)
        gfab_permutation_reverse(other, 0, c);
    else
        gfab_permutation_swap(other, 0, c);
    return gfab_permutation_rank(other, k);
}

/* The next permutation in lexicographic order; 0 past the last. */
static inline int gfab_permutation_next(uint8_t *symbols, uint32_t k)
{
    uint32_t i = k - 1;
    while (i > 0 && symbols[i - 1] > symbols[i])
        i--;
    if (i == 0)
        return 0;
    uint32_t j = k - 1;
    while (symbols[j] < symbols[i - 1])
        j--;
    gfab_permutation_swap(symbols, i - 1, j);
    gfab_permutation_reverse(symbols, i, k - 1);
    return 1;
}

#endif
