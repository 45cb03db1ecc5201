/* SPDX-License-Identifier: MIT */
/* Sums as what they consist of: a sorted list of (input, how often). Adding two is a merge of two sorted lists. So a
 * plan that adds an input twice, 2 x0 + x1, is told from a right one, which a set of contributions could not do, and
 * the order in which GPUs add does not matter. */
#include "values.h"

#include "base/grow.h"

#include <gossipfab/base/status.h>

static void add_term(gfab_gpu_values *v, uint64_t source, uint32_t times)
{
    gfab_gpu_term *grown = v->failed ? NULL : gfab_grown(v->terms, v->term_count, &v->term_room, sizeof *grown);
    v->failed |= !grown;
    if (!grown)
        return;
    v->terms = grown;
    grown[v->term_count++] = (gfab_gpu_term){source, times};
}

/* The terms since the last value are one. */
static uint32_t close_value(gfab_gpu_values *v)
{
    size_t *grown = v->failed ? NULL : gfab_grown(v->first, v->count + 1, &v->room, sizeof *grown);
    v->failed |= !grown || v->count >= UINT32_MAX - 1;
    if (v->failed)
        return 0;
    v->first = grown;
    grown[++v->count] = v->term_count;
    return (uint32_t)v->count - 1;
}

void gfab_gpu_values_begin(gfab_gpu_values *v)
{
    *v = (gfab_gpu_values){0};
    v->first = gfab_grown(NULL, 0, &v->room, sizeof *v->first);
    v->failed = !v->first;
    if (!v->failed)
        v->first[0] = 0;
    gfab_gpu_values_single(v, GFAB_GPU_UNKNOWN);
}

void gfab_gpu_values_end(gfab_gpu_values *v)
{
    GFAB_FREE(v->terms, v->first);
    *v = (gfab_gpu_values){0};
}

uint32_t gfab_gpu_values_single(gfab_gpu_values *v, uint64_t source)
{
    add_term(v, source, 1);
    return close_value(v);
}

const gfab_gpu_term *gfab_gpu_values_terms(const gfab_gpu_values *v, uint32_t value, size_t *count)
{
    *count = v->first[value + 1] - v->first[value];
    return v->terms + v->first[value];
}

uint32_t gfab_gpu_values_sum(gfab_gpu_values *v, uint32_t a, uint32_t b)
{
    if (v->failed)
        return 0;
    size_t i = v->first[a], j = v->first[b];
    const size_t past_i = v->first[a + 1], past_j = v->first[b + 1];
    while (!v->failed && (i < past_i || j < past_j)) {
        const gfab_gpu_term x = i < past_i ? v->terms[i] : (gfab_gpu_term){GFAB_GPU_UNKNOWN, 0};
        const gfab_gpu_term y = j < past_j ? v->terms[j] : (gfab_gpu_term){GFAB_GPU_UNKNOWN, 0};
        const bool take_x = i < past_i && (j == past_j || x.source <= y.source);
        const bool take_y = j < past_j && (i == past_i || y.source <= x.source);
        add_term(v, take_x ? x.source : y.source, (take_x ? x.times : 0) + (take_y ? y.times : 0));
        i += take_x;
        j += take_y;
    }
    return close_value(v);
}
