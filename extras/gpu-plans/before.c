/* SPDX-License-Identifier: MIT */
/* Where every wait is for events that can be named, what an event comes behind is reached along edges: by sets of bits,
 * for many events at once, in place of a run for each. */
#include "events.h"

#include <string.h>

#define WORDS 64 /* of a set: events at once */

/* Of two events that add to a counter: does the one always come before the other? */
static bool in_turn(const gfab_gpu_event *a, const gfab_gpu_event *b)
{
    return a->rank == b->rank && a->block == b->block && a->queued == b->queued &&
           (a->launch != b->launch || a->phase != b->phase || (a->lane == b->lane && a->kind == GFAB_GPU_STEP));
}

/* Thread blocks that a barrier counts; 0 where an event does not wait for one. */
static size_t barrier_of(const gfab_gpu_events *e, size_t event)
{
    const gfab_gpu_event *at = &e->at[event];
    if (at->kind != GFAB_GPU_JOIN)
        return 0;
    return e->plan->ops[e->plan->gpus[at->rank].blocks[at->block].ops + at->op].thread_blocks;
}

/* Is each guard for events that can be named? */
static bool all_named(const gfab_gpu_before *b)
{
    const gfab_gpu_events *e = b->events;
    for (size_t i = 0; i < e->guard_count; i++) {
        const gfab_gpu_guard *guard = &e->guards[i];
        if (guard->target <= 0 || barrier_of(e, guard->event))
            continue;
        for (size_t g = b->first[guard->counter] + 1; g < b->first[guard->counter + 1]; g++)
            if (!in_turn(&e->at[b->givers[g - 1]], &e->at[b->givers[g]]))
                return false;
    }
    return true;
}

gfab_status gfab_gpu_before_begin(gfab_gpu_before *b, const gfab_gpu_events *e, const uint32_t *line, bool *named,
                                  gfab_diag *diag)
{
    *b = (gfab_gpu_before){.events = e, .line = line};
    b->first = gfab_arena_zeroed(&b->arena, (size_t)e->counters + 3, sizeof *b->first);
    b->givers = gfab_arena_zeroed(&b->arena, e->give_count + 1, sizeof *b->givers);
    b->place = gfab_arena_zeroed(&b->arena, e->count + 1, sizeof *b->place);
    b->bits = gfab_arena_zeroed2(&b->arena, e->count, WORDS, sizeof *b->bits);
    if (b->arena.failed) {
        gfab_gpu_before_release(b);
        return gfab_gpu_no_memory(diag);
    }
    size_t *past = b->first + 1; /* of a counter: past those that are filled in; in the end the first of the next one */
    for (size_t i = 0; i < e->give_count; i++)
        past[e->gives[i] + 1]++;
    for (size_t c = 1; c <= e->counters; c++)
        past[c] += past[c - 1];
    for (size_t i = 0; i < e->count; i++) {
        const gfab_gpu_event *event = &e->at[line[i]];
        for (size_t g = 0; g < event->give_count; g++)
            b->givers[past[e->gives[event->gives + g]]++] = line[i];
    }
    *named = all_named(b);
    return GFAB_OK;
}

static void unite(const gfab_gpu_before *b, uint64_t *bits, uint32_t other)
{
    const uint64_t *more = b->bits + (size_t)other * WORDS;
    for (size_t w = 0; w < WORDS; w++)
        bits[w] |= more[w];
    if (b->place[other] != UINT32_MAX)
        bits[b->place[other] / 64] |= (uint64_t)1 << b->place[other] % 64;
}

/* The events that a guard waits for: of a counter in turn the last one is enough, of a barrier the arrivals. */
static void unite_guard(const gfab_gpu_before *b, uint64_t *bits, const gfab_gpu_guard *guard, bool strict)
{
    const gfab_gpu_events *e = b->events;
    if (guard->target <= 0 || (strict && e->at[guard->event].relaxed))
        return;
    const uint32_t *givers = b->givers + b->first[guard->counter];
    const size_t together = barrier_of(e, guard->event);
    size_t last = (size_t)guard->target;
    while (strict && !together && last > 0 && e->at[givers[last - 1]].relaxed)
        last--;
    const size_t named = together ? together : 1;
    for (size_t i = last > named ? last - named : 0; i < last; i++)
        unite(b, bits, givers[i]);
}

size_t gfab_gpu_before_find(gfab_gpu_before *b, const uint32_t *events, size_t count, bool strict)
{
    const gfab_gpu_events *e = b->events;
    const size_t some = count < WORDS * 64 ? count : WORDS * 64;
    memset(b->place, 0xff, e->count * sizeof *b->place);
    memset(b->bits, 0, e->count * WORDS * sizeof *b->bits);
    for (size_t i = 0; i < some; i++)
        b->place[events[i]] = (uint32_t)i;
    for (size_t i = 0; i < e->count; i++) {
        const gfab_gpu_event *event = &e->at[b->line[i]];
        uint64_t *bits = b->bits + (size_t)b->line[i] * WORDS;
        for (size_t p = 0; p < event->pred_count; p++)
            if (e->preds[event->preds + p] <= GFAB_GPU_EVENT)
                unite(b, bits, e->preds[event->preds + p]);
        for (size_t g = 0; g < event->guard_count; g++)
            unite_guard(b, bits, &e->guards[event->guards + g], strict);
    }
    return some;
}

bool gfab_gpu_is_before(const gfab_gpu_before *b, uint32_t first, uint32_t second)
{
    return b->bits[(size_t)second * WORDS + b->place[first] / 64] >> b->place[first] % 64 & 1;
}
