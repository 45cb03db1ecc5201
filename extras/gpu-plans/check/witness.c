/* SPDX-License-Identifier: MIT */
/* Witnesses: of a race the steps that lead to one access without the other, of a deadlock all that waits. */
#define _POSIX_C_SOURCE 200809L
#include "gpu-plans/check/check.h"

#include <gossipfab/base/text.h>

#include <inttypes.h>
#include <stdlib.h>

#define MOST_STEPS 40 /* of a witness */

bool gfab_gpu_check_have(gfab_gpu_checker *c, const void *memory)
{
    if (!memory && c->status == GFAB_OK)
        c->status = gfab_gpu_no_memory(c->diag);
    return c->status == GFAB_OK;
}

/* Which byte of which buffer a cell is. */
void gfab_gpu_cell_text(const gfab_gpu_checker *c, uint64_t cell, char *text, size_t size)
{
    static const char *const regions[2][3] = {{"its input", "its output", "its scratch buffer"},
                                              {"its buffer", "", "its scratch buffer"}};
    const uint64_t *bases = c->events.bases;
    size_t at = 0;
    while (bases[at + 1] <= cell)
        at++;
    snprintf(text, size, "GPU %zu, byte %" PRIu64 " of %s", at / 3, (cell - bases[at]) * c->events.grain,
             regions[c->plan->in_place][at % 3]);
}

static void put_event(const gfab_gpu_checker *c, FILE *file, size_t event)
{
    char text[256];
    gfab_gpu_event_text(&c->events, event, text, sizeof text);
    fprintf(file, "%s\n", text);
}

/* Marks, in a run, what had to be done before an event. */
static bool *before(gfab_gpu_checker *c, size_t event)
{
    const gfab_gpu_events *e = &c->events;
    bool *needed = calloc(e->count, sizeof *needed);
    GFAB_FREED int64_t *need = calloc((size_t)e->counters + 1, sizeof *need);
    if (!gfab_gpu_check_have(c, needed) || !gfab_gpu_check_have(c, need)) {
        free(needed);
        return NULL;
    }
    needed[event] = true;
    for (size_t at = c->order.done_count; at-- > 0;) {
        const gfab_gpu_event *one = &e->at[c->order.queue[at]];
        bool *wanted = &needed[c->order.queue[at]];
        for (size_t g = 0; g < one->give_count; g++) {
            const uint32_t counter = e->gives[one->gives + g];
            *wanted |= c->order.counts[counter]-- <= need[counter];
        }
        for (size_t p = 0; p < one->pred_count && *wanted; p++)
            if (!(e->preds[one->preds + p] & ~GFAB_GPU_EVENT))
                needed[e->preds[one->preds + p]] = true;
        for (size_t g = 0; g < one->guard_count && *wanted; g++) {
            const gfab_gpu_guard *guard = &e->guards[one->guards + g];
            need[guard->counter] = guard->target > need[guard->counter] ? guard->target : need[guard->counter];
        }
    }
    return needed;
}

/* What is done, in a run that holds an event back, until another one begins. */
void gfab_gpu_tell_race(gfab_gpu_checker *c, const gfab_gpu_pair *p)
{
    char first[200], second[200], cell[96];
    gfab_gpu_event_text(&c->events, p->first, first, sizeof first);
    gfab_gpu_event_text(&c->events, p->second, second, sizeof second);
    gfab_gpu_cell_text(c, p->cell, cell, sizeof cell);
    c->report->fault = GFAB_GPU_RACE;
    c->report->launch = c->events.first_launch + c->events.at[p->second].launch + 1;
    snprintf(c->report->message, sizeof c->report->message, "%s: nothing orders (%s), which %s there, and (%s)", cell,
             first, p->writes ? "writes" : "reads", second);
    GFAB_FREED bool *needed = before(c, p->second);
    size_t size = 0, total = 0, shown = 0;
    FILE *file = needed ? open_memstream(&c->report->steps, &size) : NULL;
    if (!gfab_gpu_check_have(c, file))
        return;
    for (size_t at = 0; at < c->order.done_count; at++)
        total += needed[c->order.queue[at]] && c->events.at[c->order.queue[at]].kind != GFAB_GPU_JOIN;
    for (size_t at = 0; at < c->order.done_count; at++) {
        const uint32_t event = c->order.queue[at];
        if (!needed[event] || c->events.at[event].kind == GFAB_GPU_JOIN || event == p->second)
            continue;
        if (shown++ + MOST_STEPS >= total)
            put_event(c, file, event);
        else if (shown == 1)
            fprintf(file, "(%zu steps before)\n", total - MOST_STEPS);
    }
    put_event(c, file, p->second);
    fprintf(file, "and not yet: %s\n", first);
    if (!gfab_memory_close(file, &c->report->steps))
        gfab_gpu_check_have(c, NULL);
}

/* What waits though all that it comes after is done. */
void gfab_gpu_tell_deadlock(gfab_gpu_checker *c)
{
    const gfab_gpu_events *e = &c->events;
    size_t size = 0, stuck = 0;
    char text[200];
    FILE *file = open_memstream(&c->report->steps, &size);
    if (!gfab_gpu_check_have(c, file))
        return;
    c->report->fault = GFAB_GPU_DEADLOCK;
    for (size_t i = 0; i < e->count; i++) {
        const gfab_gpu_event *one = &e->at[i];
        const gfab_gpu_guard *guard = NULL;
        bool behind = c->order.done[i] || !one->guard_count;
        for (size_t p = 0; p < one->pred_count; p++)
            behind |= !c->order.done[e->preds[one->preds + p] & GFAB_GPU_EVENT];
        for (size_t g = 0; g < one->guard_count && !behind && !guard; g++)
            if (c->order.counts[e->guards[one->guards + g].counter] < e->guards[one->guards + g].target)
                guard = &e->guards[one->guards + g];
        if (!guard)
            continue;
        gfab_gpu_event_text(e, i, text, sizeof text);
        fprintf(file, "%s: %" PRId64 " of %" PRId64 " have come\n", text, c->order.counts[guard->counter],
                guard->target);
        if (stuck++ > 0)
            continue;
        c->report->launch = c->events.first_launch + one->launch + 1;
        snprintf(c->report->message, sizeof c->report->message, "%s waits for ever", text);
    }
    if (!gfab_memory_close(file, &c->report->steps))
        gfab_gpu_check_have(c, NULL);
}
