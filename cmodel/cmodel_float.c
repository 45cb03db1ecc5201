/* SPDX-License-Identifier: MIT */
/* Sums of float32 and bfloat16 numbers: a sign, 8 bits of exponent, 23 or 7 bits of fraction, as IEEE 754's formats
 * have them. In integers, as gfab_float_add.v does it, and not by way of float, so that tests can hold either against
 * the other. */
#include "cmodel_state.h"

#define GUARD_BITS 32u /* below the last bit of the larger number; 3 would do, with what is lost below as the last */

/* A number without its sign: significand * 2^(exponent - 127 - fraction), exponent >= 1. */
static uint32_t exponent_of(uint32_t magnitude, uint32_t fraction)
{
    return magnitude >> fraction ? magnitude >> fraction : 1;
}

static uint64_t significand_of(uint32_t magnitude, uint32_t fraction)
{
    const uint32_t leading = UINT32_C(1) << fraction;
    return (magnitude & (leading - 1)) | (magnitude >> fraction ? leading : 0);
}

/* The magnitude nearest to total * 2^(exponent - 127 - fraction - GUARD_BITS); total is not 0. */
static uint32_t round_to_even(uint64_t total, uint32_t exponent, uint32_t fraction)
{
    const uint32_t infinite = UINT32_C(0xff) << fraction;
    uint32_t top = 63;
    while (!(total >> top))
        top--;
    /* The least exponent at which the significand has its leading bit, or is less at exponent 1, which subnormals
     * share. */
    const uint32_t leading = exponent + top;
    const uint32_t rounded = leading > GUARD_BITS + fraction ? leading - GUARD_BITS - fraction : 1;
    const int drop = (int)(GUARD_BITS + rounded) - (int)exponent;
    if (drop <= 0) /* it is exact: large differences are of numbers of nearly the same exponent */
        return ((rounded - 1) << fraction) + (uint32_t)(total << -drop);
    const uint32_t kept = (uint32_t)(total >> drop);
    const uint64_t half = UINT64_C(1) << (drop - 1), rest = total & (2 * half - 1);
    const uint32_t up = rest > half || (rest == half && (kept & 1));
    const uint32_t magnitude = ((rounded - 1) << fraction) + kept + up; /* a carry goes on into the exponent */
    return magnitude < infinite ? magnitude : infinite;
}

static uint32_t sum_of(uint32_t a, uint32_t b, uint32_t fraction)
{
    const uint32_t sign = UINT32_C(1) << (fraction + 8), infinite = UINT32_C(0xff) << fraction;
    const bool swap = (b & ~sign) > (a & ~sign);
    const uint32_t large = swap ? b : a, small = swap ? a : b;
    const uint32_t high = large & ~sign, low = small & ~sign;
    const bool differ = (large ^ small) & sign;
    if (high > infinite || (low == infinite && differ))
        return infinite | UINT32_C(1) << (fraction - 1);
    if (high == infinite)
        return large;
    const uint32_t distance = exponent_of(high, fraction) - exponent_of(low, fraction);
    const uint64_t augend = significand_of(high, fraction) << GUARD_BITS;
    const uint64_t whole = significand_of(low, fraction) << GUARD_BITS;
    const uint32_t shift = distance < 63 ? distance : 63;
    const uint64_t addend = whole >> shift | (whole & ((UINT64_C(1) << shift) - 1) ? 1 : 0);
    const uint64_t total = differ ? augend - addend : augend + addend;
    if (total == 0)
        return differ ? 0 : large & sign;
    return (large & sign) | round_to_even(total, exponent_of(high, fraction), fraction);
}

uint16_t gfab_bfloat16_sum(uint16_t a, uint16_t b)
{
    return (uint16_t)sum_of(a, b, 7);
}

static uint32_t number_at(const uint8_t *bytes, uint32_t count)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        number |= (uint32_t)bytes[i] << 8 * i;
    return number;
}

static void add_numbers(uint32_t fraction, uint32_t bits, uint8_t *total, const uint8_t *flit)
{
    const uint32_t bytes = (fraction + 9) / 8;
    for (uint32_t at = 0; at + bytes <= bits / 8; at += bytes) {
        const uint32_t sum = sum_of(number_at(total + at, bytes), number_at(flit + at, bytes), fraction);
        for (uint32_t i = 0; i < bytes; i++)
            total[at + i] = (uint8_t)(sum >> 8 * i);
    }
}

void gfab_bfloat16_sums(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit)
{
    (void)context;
    add_numbers(7, bits, total, flit);
}

void gfab_float32_sums(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit)
{
    (void)context;
    add_numbers(23, bits, total, flit);
}
