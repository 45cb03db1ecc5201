/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same everywhere: splitmix64 (Steele, Lea & Flood 2014). */
#ifndef GOSSIPFAB_RANDOM_H
#define GOSSIPFAB_RANDOM_H

#include <stdint.h>

static inline uint64_t gfab_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A state for a part of a search: so a part has the same luck whatever was searched before it. */
static inline uint64_t gfab_random_of(uint64_t seed, uint64_t part)
{
    uint64_t state = seed ^ (part + 1) * 0x9e3779b97f4a7c15u;
    return gfab_random(&state);
}

/* A number below bound. */
static inline uint32_t gfab_random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(((gfab_random(state) >> 32) * bound) >> 32);
}

#endif
