/* SPDX-License-Identifier: MIT */
/* Costs r + s of rounds, compared exactly. A startup r is a fraction such as 1/3, and two solvers may differ by less
 * than a double can tell, so that all sums are in 128 bits and no floating point is used. The order of solvers in
 * `advise` is then the same on every machine. */
#include <gossipfab/schedule/cost.h>

#include "base/divisor.h"
#include "base/number.h"

#define MOST ((uint64_t)1000000000)

__extension__ typedef unsigned __int128 u128;

static gfab_ratio reduced(uint64_t numerator, uint64_t denominator)
{
    const uint64_t divisor = gfab_common_divisor(numerator, denominator);
    return (gfab_ratio){numerator / divisor, denominator / divisor};
}

gfab_status gfab_ratio_parse(const char *text, gfab_ratio *ratio, gfab_diag *diag)
{
    const char *at = text;
    uint64_t whole = 0;
    uint64_t numerator = 0;
    uint64_t denominator = 1;
    bool good = gfab_number_read(&at, MOST, &whole) == GFAB_NUMBER_OK;
    numerator = whole;
    if (good && *at == '/') {
        at++;
        good = gfab_number_read(&at, MOST, &denominator) == GFAB_NUMBER_OK && denominator > 0;
    } else if (good && *at == '.') {
        at++;
        good = *at != '\0';
        for (; *at >= '0' && *at <= '9' && good; at++) {
            good = denominator < MOST;
            denominator *= 10;
            numerator = 10 * numerator + (uint64_t)(*at - '0');
        }
    }
    if (good && *at == '\0') {
        const gfab_ratio r = reduced(numerator, denominator);
        if (r.numerator <= MOST && r.denominator <= MOST) {
            *ratio = r;
            return GFAB_OK;
        }
    }
    return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                     "\"%.40s\" is not a number such as 50, 0.25 or 1/3, in lowest terms of parts up to 10^9", text);
}

int gfab_ratio_compare(gfab_ratio a, gfab_ratio b)
{
    const u128 left = (u128)a.numerator * b.denominator;
    const u128 right = (u128)b.numerator * a.denominator;
    return (left > right) - (left < right);
}

/* The numerator over parts * denominator: below 2^95 as startups < 2^32 and transfers * parts < 2^62. */
static u128 scaled(const gfab_cost *cost, gfab_ratio startup)
{
    return (u128)cost->startups * startup.numerator * cost->parts + (u128)cost->transfers * startup.denominator;
}

gfab_status gfab_cost_total(const gfab_cost *cost, gfab_ratio startup, gfab_ratio *total)
{
    const u128 sum = scaled(cost, startup);
    const uint64_t unit = cost->parts * startup.denominator;
    const uint64_t divisor = gfab_common_divisor(unit, (uint64_t)(sum % unit));
    if (sum / divisor > UINT64_MAX)
        return GFAB_ERR_LIMIT;
    *total = (gfab_ratio){(uint64_t)(sum / divisor), unit / divisor};
    return GFAB_OK;
}

int gfab_cost_compare(const gfab_cost *a, const gfab_cost *b, gfab_ratio startup)
{
    const u128 left = scaled(a, startup) * b->parts;
    const u128 right = scaled(b, startup) * a->parts;
    return (left > right) - (left < right);
}
