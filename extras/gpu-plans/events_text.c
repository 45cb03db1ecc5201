/* SPDX-License-Identifier: MIT */
/* Events in words, for the witness of a fault: "GPU 1, thread block 0, operation 3: wait". It is apart from how events
 * are made and searched, which needs no text. */
#include "events.h"

#include <inttypes.h>

void gfab_gpu_events_release(gfab_gpu_events *events)
{
    GFAB_FREE(events->at, events->preds, events->guards, events->gives, events->accesses, events->bases);
    *events = (gfab_gpu_events){0};
}

void gfab_gpu_event_text(const gfab_gpu_events *events, size_t event, char *text, size_t size)
{
    static const char *const host[] = {"the user writes its buffers, and launches",
                                       "its launch ends, the output is read"};
    const gfab_gpu_event *e = &events->at[event];
    char launch[48] = "", iteration[48] = "";
    if (events->launches > 1)
        snprintf(launch, sizeof launch, "launch %" PRIu64 ", ", events->first_launch + e->launch + 1);
    if (e->iteration != UINT32_MAX)
        snprintf(iteration, sizeof iteration, ", round %u of its pipeline", e->iteration + 1);
    if (e->kind == GFAB_GPU_HOST_BEGIN || e->kind == GFAB_GPU_HOST_END) {
        snprintf(text, size, "%sGPU %u: %s", launch, e->rank, host[e->kind == GFAB_GPU_HOST_END]);
        return;
    }
    const gfab_gpu_op *op = &events->plan->ops[events->plan->gpus[e->rank].blocks[e->block].ops + e->op];
    snprintf(text, size, "%sGPU %u, thread block %u, operation %u%s: %s%s", launch, e->rank, e->block, e->op, iteration,
             gfab_gpu_op_names[op->kind], e->queued ? ", by the port" : "");
}
