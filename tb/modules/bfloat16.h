// SPDX-License-Identifier: MIT
// The sum of two bfloat16 numbers by the processor's float, which the C model and gfab_bfloat16_add are held against.
#ifndef GFAB_TB_BFLOAT16_H
#define GFAB_TB_BFLOAT16_H

#include <cmath>
#include <cstdint>
#include <cstring>

inline float float_of_bfloat16(uint32_t number)
{
    const uint32_t bits = number << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// The sum of two numbers of 8 bits, rounded to float's 24 bits and then to 8, is the sum rounded once: 24 >= 2 * 8 + 2
// (Figueroa, When is double rounding innocuous?, 1995), and what float rounds at all is normal in bfloat16, which has
// the same exponents.
inline uint16_t bfloat16_by_float(uint16_t a, uint16_t b)
{
    const float sum = float_of_bfloat16(a) + float_of_bfloat16(b);
    if (std::isnan(sum))
        return 0x7fc0;
    uint32_t bits;
    std::memcpy(&bits, &sum, sizeof bits);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
