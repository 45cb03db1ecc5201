/* SPDX-License-Identifier: MIT */
/* The linear cost of a schedule: a round in which the longest packet has s tokens costs r + s, where r = startup time /
 * transfer time of one token (Sibeyn, Juurlink & Rao, section 2); Beier & Sibeyn's 1 + tau s is the same divided by r =
 * 1 / tau. All exact: a cost is two whole numbers, and r is a fraction. */
#ifndef GOSSIPFAB_COST_H
#define GOSSIPFAB_COST_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stdint.h>

GFAB_C_BEGIN

/* numerator / denominator, in lowest terms, denominator >= 1. */
typedef struct gfab_ratio {
    uint64_t numerator;
    uint64_t denominator;
} gfab_ratio;

/* "50", "0.25" or "1/3": a fraction whose parts, in lowest terms, are at most 10^9. PARSE. */
gfab_status gfab_ratio_parse(const char *text, gfab_ratio *ratio, gfab_diag *diag);
/* Below 0, 0, above 0 as a is less than, equal to, more than b. Exact. */
int gfab_ratio_compare(gfab_ratio a, gfab_ratio b);

typedef struct gfab_cost {
    uint64_t startups;  /* rounds that start messages */
    uint64_t transfers; /* sum over the rounds of the longest packet, in parts of a token; below 2^62 / parts */
    uint32_t parts;     /* what a token is cut in, >= 1: a part takes 1 / parts of a token's transfer */
} gfab_cost;

/* startups * r + transfers / parts, in units of one token's transfer. LIMIT where it does not fit. */
gfab_status gfab_cost_total(const gfab_cost *cost, gfab_ratio startup, gfab_ratio *total);
/* Below 0, 0, above 0 as a costs less than, as much as, more than b at this startup. Exact for startups < 2^32. */
int gfab_cost_compare(const gfab_cost *a, const gfab_cost *b, gfab_ratio startup);

GFAB_C_END
#endif
