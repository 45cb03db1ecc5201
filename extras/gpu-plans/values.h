/* SPDX-License-Identifier: MIT */
/* Private: sums of inputs, each kept once a sum: which inputs, and how often. */
#ifndef GOSSIPFAB_PLANS_VALUES_H
#define GOSSIPFAB_PLANS_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GFAB_GPU_UNKNOWN UINT64_MAX /* a term: what was there before; the value 0 is it alone */

typedef struct gfab_gpu_term {
    uint64_t source;
    uint32_t times;
} gfab_gpu_term;

typedef struct gfab_gpu_values {
    gfab_gpu_term *terms;
    size_t term_count, term_room;
    size_t *first; /* [value]: of .terms; one more at the end */
    size_t count, room;
    bool failed; /* memory ran out; all values since are 0 */
} gfab_gpu_values;

void gfab_gpu_values_begin(gfab_gpu_values *values);
void gfab_gpu_values_end(gfab_gpu_values *values);
uint32_t gfab_gpu_values_single(gfab_gpu_values *values, uint64_t source);
uint32_t gfab_gpu_values_sum(gfab_gpu_values *values, uint32_t a, uint32_t b);
/* Its terms, by rising source. */
const gfab_gpu_term *gfab_gpu_values_terms(const gfab_gpu_values *values, uint32_t value, size_t *count);

#endif
