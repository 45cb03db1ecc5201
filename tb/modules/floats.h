// SPDX-License-Identifier: MIT
// Sums of two numbers by the processor's float, which the C model and gfab_float_add are held against.
#ifndef GFAB_TB_FLOATS_H
#define GFAB_TB_FLOATS_H

#include <cmath>
#include <cstdint>
#include <cstring>

inline float float_of_bits(uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline float float_of_bfloat16(uint32_t number)
{
    return float_of_bits(number << 16);
}

// The bits of a + b; any NaN is this one.
inline uint32_t float32_by_float(uint32_t a, uint32_t b)
{
    const float sum = float_of_bits(a) + float_of_bits(b);
    if (std::isnan(sum))
        return 0x7fc00000;
    uint32_t bits;
    std::memcpy(&bits, &sum, sizeof bits);
    return bits;
}

// The sum of two numbers of 8 bits, rounded to float's 24 bits and then to 8, is the sum rounded once: 24 >= 2 * 8 + 2
// (Figueroa, When is double rounding innocuous?, 1995), and what float rounds at all is normal in bfloat16, which has
// the same exponents.
inline uint16_t bfloat16_by_float(uint32_t a, uint32_t b)
{
    const uint32_t bits = float32_by_float(a << 16, b << 16);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
