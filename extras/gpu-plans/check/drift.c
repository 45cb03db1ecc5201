/* SPDX-License-Identifier: MIT */
/* From a few launches to all of them, by the counts of one launch: what a channel or a semaphore gets, and how often
 * it is waited for. As often: later launches are like the first ones. More: from some launch on no wait on it waits, so
 * that the events are those without it. Less: it runs out (docs/theory/gpu-plans.md, "All launches"). */
#include "gpu-plans/check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a counter: what it gets in a launch, how many waits on it there are, and what it begins with. */
typedef struct balance {
    uint64_t gets, waits, first;
} balance;

/* Says which counter it is, and what it begins with. */
static void name_counter(const gfab_gpu_plan *plan, uint32_t counter, const balance *b, char *text, size_t size)
{
    size_t at = counter, rank = 0;
    const gfab_gpu *gpu = plan->gpus;
    while (at >= gpu->peer_count[0] + gpu->peer_count[1] + gpu->semaphore_count + GFAB_GPU_BARRIERS) {
        at -= gpu->peer_count[0] + gpu->peer_count[1] + gpu->semaphore_count + GFAB_GPU_BARRIERS;
        gpu = &plan->gpus[++rank];
    }
    for (int type = 0; type < 2; type++) {
        if (at < gpu->peer_count[type]) {
            snprintf(text, size,
                     "on %s channel %zu GPU %zu gets %" PRIu64 " signals of GPU %u in each launch, and waits %" PRIu64
                     " times",
                     gfab_gpu_channel_names[type], at, rank, b->gets, gpu->peers[type][at], b->waits);
            return;
        }
        at -= gpu->peer_count[type];
    }
    snprintf(text, size,
             "semaphore %zu of GPU %zu, which begins with %" PRIu64 ", is released %" PRIu64
             " times in each launch, and acquired %" PRIu64 " times",
             at, rank, b->first, b->gets, b->waits);
}

static balance *count_balances(const gfab_gpu_events *e)
{
    balance *all = calloc((size_t)e->lasting + 1, sizeof *all);
    for (size_t i = 0; all && i < e->give_count; i++)
        if (e->gives[i] < e->lasting)
            all[e->gives[i]].gets++;
    for (size_t i = 0; all && i < e->guard_count; i++)
        if (e->guards[i].counter < e->lasting)
            all[e->guards[i].counter].waits++;
    uint32_t at = 0;
    for (size_t r = 0; all && r < e->plan->gpu_count; r++) {
        const gfab_gpu *gpu = &e->plan->gpus[r];
        at += (uint32_t)(gpu->peer_count[0] + gpu->peer_count[1]);
        for (size_t s = 0; s < gpu->semaphore_count; s++)
            all[at++].first = (uint64_t)gpu->semaphores[s];
        at += GFAB_GPU_BARRIERS;
    }
    for (uint32_t c = 0; all && c < e->lasting; c++) {
        all[c].gets /= e->launches;
        all[c].waits /= e->launches;
    }
    return all;
}

/* So many launches before as many others begin in which no wait on it waits, whoever is how far. */
static uint64_t launches_until_free(const balance *b, uint32_t launches)
{
    const uint64_t wanted = launches * b->waits, each = b->gets - b->waits;
    return wanted > b->first ? (wanted - b->first + each - 1) / each : 0;
}

/* The events are those of the launches behind so many: there the waits with a surplus wait for nothing. */
static void drop_waits(gfab_gpu_events *e, const balance *all, uint64_t launches_before)
{
    e->first_launch = launches_before;
    for (size_t i = 0; i < e->guard_count; i++) {
        const uint32_t c = e->guards[i].counter;
        if (c < e->lasting && all[c].gets > all[c].waits)
            e->guards[i].target = 0;
    }
}

gfab_status gfab_gpu_drift_find(gfab_gpu_events *e, gfab_gpu_drift *drift, gfab_diag *diag)
{
    uint32_t which = 0;
    GFAB_FREED balance *all = count_balances(e);
    *drift = (gfab_gpu_drift){0};
    if (!all)
        return gfab_gpu_no_memory(diag);
    for (uint32_t c = 0; c < e->lasting; c++) {
        const balance *b = &all[c];
        const uint64_t last = b->gets < b->waits ? b->first / (b->waits - b->gets) + 1 : 0;
        const uint64_t passes = b->waits && b->gets > b->waits ? launches_until_free(b, e->launches) : 0;
        if (last ? !drift->hangs || last < drift->hangs : !drift->hangs && passes > drift->passes)
            which = c;
        if (last && (!drift->hangs || last < drift->hangs))
            drift->hangs = last;
        if (passes > drift->passes)
            drift->passes = passes;
    }
    if (drift->hangs || drift->passes)
        name_counter(e->plan, which, &all[which], drift->why, sizeof drift->why);
    drift->passes += e->plan->doubled && drift->passes % 2; /* the same half of the scratch buffer */
    if (!drift->hangs && drift->passes)
        drop_waits(e, all, drift->passes);
    return GFAB_OK;
}
