/* SPDX-License-Identifier: MIT */
/* Sums of bfloat16 numbers: a sign, 8 bits of exponent, 7 bits of fraction, as IEEE 754's formats have them. In
 * integers, as gfab_bfloat16_add.v does it, and not by way of float, so that tests can hold either against the other.
 */
#include "cmodel_state.h"

#define SIGN 0x8000u
#define INFINITE 0x7f80u
#define NOT_A_NUMBER 0x7fc0u
#define GUARD_BITS 16u /* below the last bit of the larger number; 3 would do, with what is lost below as the last */

/* A number without its sign: significand * 2^(exponent - 134), exponent >= 1. */
static uint32_t exponent_of(uint32_t magnitude)
{
    return magnitude >> 7 ? magnitude >> 7 : 1;
}

static uint32_t significand_of(uint32_t magnitude)
{
    return (magnitude & 0x7f) | (magnitude >> 7 ? 0x80u : 0);
}

/* The magnitude nearest to total * 2^(exponent - 134 - GUARD_BITS); total is not 0. */
static uint32_t round_to_even(uint32_t total, uint32_t exponent)
{
    uint32_t top = 31;
    while (!(total >> top))
        top--;
    /* The least exponent at which the significand has 8 bits, or fewer at exponent 1, which subnormals share. */
    const uint32_t leading = exponent + top;
    const uint32_t rounded = leading > GUARD_BITS + 7 ? leading - GUARD_BITS - 7 : 1;
    const int drop = (int)(GUARD_BITS + rounded) - (int)exponent;
    if (drop <= 0) /* it is exact: large differences are of numbers of nearly the same exponent */
        return (rounded - 1) * 128 + (total << -drop);
    const uint32_t kept = total >> drop, half = (uint32_t)1 << (drop - 1), rest = total & (2 * half - 1);
    const uint32_t up = rest > half || (rest == half && (kept & 1));
    const uint32_t magnitude = (rounded - 1) * 128 + kept + up; /* a carry goes on into the exponent */
    return magnitude < INFINITE ? magnitude : INFINITE;
}

uint16_t gfab_bfloat16_sum(uint16_t a, uint16_t b)
{
    const bool swap = (b & ~SIGN) > (a & ~SIGN);
    const uint32_t large = swap ? b : a, small = swap ? a : b;
    const uint32_t high = large & ~SIGN, low = small & ~SIGN;
    const bool differ = (large ^ small) & SIGN;
    if (high > INFINITE || (low == INFINITE && differ))
        return NOT_A_NUMBER;
    if (high == INFINITE)
        return (uint16_t)large;
    const uint32_t distance = exponent_of(high) - exponent_of(low);
    const uint32_t augend = significand_of(high) << GUARD_BITS, whole = significand_of(low) << GUARD_BITS;
    const uint32_t shift = distance < 31 ? distance : 31;
    const uint32_t addend = whole >> shift | (whole & (((uint32_t)1 << shift) - 1) ? 1 : 0);
    const uint32_t total = differ ? augend - addend : augend + addend;
    if (total == 0)
        return differ ? 0 : (uint16_t)(large & SIGN);
    return (uint16_t)((large & SIGN) | round_to_even(total, exponent_of(high)));
}

void gfab_bfloat16_sums(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit)
{
    (void)context;
    for (uint32_t byte = 0; byte < bits / 8; byte += 2) {
        const uint32_t a = total[byte] | (uint32_t)total[byte + 1] << 8;
        const uint32_t b = flit[byte] | (uint32_t)flit[byte + 1] << 8;
        const uint16_t sum = gfab_bfloat16_sum((uint16_t)a, (uint16_t)b);
        total[byte] = (uint8_t)sum;
        total[byte + 1] = (uint8_t)(sum >> 8);
    }
}
