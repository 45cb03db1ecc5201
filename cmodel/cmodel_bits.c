/* SPDX-License-Identifier: MIT */
/* Bits of words, and the test pattern. */
#include "cmodel_state.h"

void gfab_cmodel_or_bits(uint8_t *to, size_t to_bit, const uint8_t *from, size_t from_bit, size_t count)
{
    while (count > 0) {
        const size_t to_at = to_bit % 8;
        const size_t from_at = from_bit % 8;
        size_t step = 8 - (to_at > from_at ? to_at : from_at);
        if (step > count)
            step = count;
        const unsigned bits = (unsigned)from[from_bit / 8] >> from_at & ((1u << step) - 1);
        to[to_bit / 8] |= (uint8_t)(bits << to_at);
        to_bit += step;
        from_bit += step;
        count -= step;
    }
}

/* The first output of SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014) from state
 * x; all modulo 2^64. */
static uint64_t splitmix64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Byte i of node v's token is byte i mod 8, least significant first, of splitmix64(seed * 2^32 + v * 64 + i / 8). */
void gfab_token_pattern(uint64_t seed, uint32_t node, uint32_t token_bits, uint8_t *token)
{
    const size_t bytes = ((size_t)token_bits + 7) / 8;
    for (size_t i = 0; i < bytes; i++)
        token[i] = (uint8_t)(splitmix64((seed << 32) + (uint64_t)node * 64 + i / 8) >> 8 * (i % 8));
    if (token_bits % 8)
        token[bytes - 1] &= (uint8_t)((1u << token_bits % 8) - 1);
}
