/* SPDX-License-Identifier: MIT */
/* Private: the greatest common divisor. */
#ifndef GOSSIPFAB_DIVISOR_H
#define GOSSIPFAB_DIVISOR_H

#include <stdint.h>

/* Of a and 0: a. */
static inline uint64_t gfab_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
