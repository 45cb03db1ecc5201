/* SPDX-License-Identifier: MIT */
/* For which lengths of a chunk a verdict holds. Without thread block groups and pipelines it is the same for all: every
 * place is whole chunks. The k-th of s slices of c chunks of e units begins at k c e / s units, or up to s / 4 behind.
 * So with L, the least common multiple of all s, two such places come in one order once e > L s / 4 for the largest s,
 * and how far apart they are where they belong together depends on e mod L: lengths up to L s / 4 + L show all. */
#include "gpu-plans/events.h"

#include "base/divisor.h"

#define MOST_EVENTS ((size_t)1 << 19) /* in all, but for the first length */

typedef struct groups {
    uint64_t common, largest; /* L, s */
    bool pipelines, uneven;   /* uneven: places of one operation that are cut otherwise */
} groups;

static groups look(const gfab_gpu_plan *plan)
{
    groups g = {1, 1, false, false};
    for (size_t i = 0; i < plan->op_count; i++) {
        const gfab_gpu_op *op = &plan->ops[i];
        const gfab_gpu_place *places = plan->places + op->places;
        g.pipelines |= op->kind == GFAB_GPU_PIPELINE;
        g.largest = op->slices > g.largest ? op->slices : g.largest;
        if (g.common < MOST_EVENTS)
            g.common *= op->slices / gfab_common_divisor(g.common, op->slices);
        for (size_t p = 1; op->slices > 1 && p < (size_t)op->sources + op->targets; p++)
            g.uneven |= places[p].size != places[0].size;
    }
    return g;
}

gfab_status gfab_gpu_plan_check(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                                gfab_gpu_report *report, gfab_diag *diag)
{
    const groups g = look(plan);
    gfab_status status = gfab_gpu_check_length(plan, options, report, diag);
    if (status != GFAB_OK || report->fault != GFAB_GPU_GOOD || (options && options->chunk_bytes))
        return status;
    report->every_length = !g.pipelines && !g.uneven;
    const uint64_t most = g.largest == 1 ? 0 : g.common * ((g.largest + 3) / 4 + 1);
    size_t events = 0;
    for (uint64_t units = 1; units <= most && report->every_length; units++) {
        const gfab_gpu_plan_options longer = {.chunk_bytes = units * plan->alignment};
        gfab_gpu_report other;
        status = gfab_gpu_check_length(plan, &longer, &other, diag);
        if (status != GFAB_OK || other.fault != GFAB_GPU_GOOD) {
            *report = other;
            return status;
        }
        events += other.events;
        report->every_length = events < MOST_EVENTS;
    }
    return GFAB_OK;
}
