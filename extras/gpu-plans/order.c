/* SPDX-License-Identifier: MIT */
/* Counters only grow and nothing that could go on ever has to stop, so that one run, which does whatever can be done,
 * does all that any run can do. */
#include "events.h"

#include <stdlib.h>
#include <string.h>

static int compare_guards(const void *a, const void *b)
{
    const gfab_gpu_guard *x = a, *y = b;
    if (x->counter != y->counter)
        return x->counter < y->counter ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

static void link_events(gfab_gpu_order *o)
{
    const gfab_gpu_events *e = o->events;
    for (size_t i = 0; i < e->pred_count; i++)
        o->succs[(e->preds[i] & GFAB_GPU_EVENT) + 1]++;
    for (size_t i = 0; i < e->count; i++)
        o->succs[i + 1] += o->succs[i];
    size_t *fill = o->next; /* as room */
    memcpy(fill, o->succs, e->count * sizeof *fill);
    for (size_t i = 0; i < e->count; i++)
        for (size_t p = 0; p < e->at[i].pred_count; p++) {
            const uint32_t pred = e->preds[e->at[i].preds + p];
            o->successors[fill[pred & GFAB_GPU_EVENT]++] = (uint32_t)i | (pred & ~GFAB_GPU_EVENT);
        }
    if (e->guard_count) {
        memcpy(o->waiting, e->guards, e->guard_count * sizeof *o->waiting);
        qsort(o->waiting, e->guard_count, sizeof *o->waiting, compare_guards);
    }
    for (size_t i = 0; i < e->guard_count; i++)
        o->waiters[o->waiting[i].counter + 1]++;
    for (size_t c = 0; c < e->counters; c++)
        o->waiters[c + 1] += o->waiters[c];
    for (size_t i = 0; i < e->count; i++)
        o->any_relaxed |= e->at[i].relaxed;
}

gfab_status gfab_gpu_order_begin(gfab_gpu_order *order, const gfab_gpu_events *events, gfab_diag *diag)
{
    const size_t n = events->count + 1, counters = (size_t)events->counters + 1;
    const size_t most = n > counters ? n : counters;
    *order = (gfab_gpu_order){.events = events};
    order->succs = gfab_arena_zeroed(&order->arena, n + 1, sizeof *order->succs);
    order->successors = gfab_arena_zeroed(&order->arena, events->pred_count + 1, sizeof *order->successors);
    order->waiters = gfab_arena_zeroed(&order->arena, counters + 1, sizeof *order->waiters);
    order->waiting = gfab_arena_zeroed(&order->arena, events->guard_count + 1, sizeof *order->waiting);
    GFAB_ARRAYS(&order->arena, n, order->needs, order->queue, order->done);
    order->counts = gfab_arena_zeroed(&order->arena, counters, sizeof *order->counts);
    order->next = gfab_arena_zeroed(&order->arena, most, sizeof *order->next);
    if (order->arena.failed) {
        gfab_gpu_order_release(order);
        return gfab_gpu_no_memory(diag);
    }
    link_events(order);
    return GFAB_OK;
}

static void met(gfab_gpu_order *o, size_t event, size_t *past)
{
    if (--o->needs[event] == 0)
        o->queue[(*past)++] = (uint32_t)event;
}

/* Does an event wait for one before it, by this mark? */
static bool waits_for(const gfab_gpu_order *o, size_t event, uint32_t mark, bool soft, bool strict)
{
    const bool signals = strict && o->events->at[event].relaxed && o->events->at[event].give_count;
    return signals ? mark & GFAB_GPU_CHAIN : !(mark & GFAB_GPU_CHAIN) && (soft || !(mark & GFAB_GPU_SOFT));
}

static bool orders_nothing(const gfab_gpu_order *o, size_t event, bool strict)
{
    return strict && o->events->at[event].relaxed;
}

/* What a counter's value lets go on. */
static void let_go(gfab_gpu_order *o, size_t counter, bool strict, size_t *past)
{
    for (; o->next[counter] < o->waiters[counter + 1]; o->next[counter]++) {
        const gfab_gpu_guard *guard = &o->waiting[o->next[counter]];
        if (guard->target > o->counts[counter])
            break;
        if (!orders_nothing(o, guard->event, strict)) /* else it was let go at the start */
            met(o, guard->event, past);
    }
}

void gfab_gpu_order_run(gfab_gpu_order *o, size_t withheld, bool soft, bool strict)
{
    const gfab_gpu_events *e = o->events;
    size_t past = 0;
    memset(o->done, 0, e->count);
    for (size_t i = 0; i < e->count; i++) {
        const gfab_gpu_event *event = &e->at[i];
        uint32_t needs = orders_nothing(o, i, strict) ? 0 : (uint32_t)event->guard_count;
        for (size_t p = 0; p < event->pred_count; p++)
            needs += waits_for(o, i, e->preds[event->preds + p], soft, strict);
        o->needs[i] = needs + 1;
    }
    for (size_t i = 0; i < e->count; i++)
        met(o, i, &past);
    for (size_t c = 0; c < e->counters; c++) {
        o->counts[c] = 0;
        o->next[c] = o->waiters[c];
        let_go(o, c, strict, &past);
    }
    size_t at = 0;
    o->done_count = 0;
    for (; at < past; at++) {
        const uint32_t i = o->queue[at];
        if (i == withheld)
            continue;
        o->done[i] = true;
        o->queue[o->done_count++] = i;
        for (size_t s = o->succs[i]; s < o->succs[i + 1]; s++)
            if (waits_for(o, o->successors[s] & GFAB_GPU_EVENT, o->successors[s], soft, strict))
                met(o, o->successors[s] & GFAB_GPU_EVENT, &past);
        for (size_t g = 0; g < e->at[i].give_count; g++) {
            const uint32_t counter = e->gives[e->at[i].gives + g];
            o->counts[counter]++;
            let_go(o, counter, strict, &past);
        }
    }
}
