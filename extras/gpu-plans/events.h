/* SPDX-License-Identifier: MIT */
/* Private: all that happens in a few launches of a plan, and what it waits for (docs/theory/gpu-plans.md). */
#ifndef GOSSIPFAB_PLANS_EVENTS_H
#define GOSSIPFAB_PLANS_EVENTS_H

#include "plan.h"

#include <gossipfab/base/arena.h>

typedef enum gfab_gpu_event_kind {
    GFAB_GPU_HOST_BEGIN, /* the user writes the buffers, and launches */
    GFAB_GPU_HOST_END,   /* the launch is over, and the user reads the output */
    GFAB_GPU_JOIN,       /* the threads of a thread block meet */
    GFAB_GPU_STEP,       /* a signal, a wait, something given to a port */
    GFAB_GPU_DATA        /* data is read and written */
} gfab_gpu_event_kind;

typedef struct gfab_gpu_event {
    gfab_gpu_event_kind kind;
    uint32_t rank, block, op; /* op: within the thread block */
    uint32_t launch, iteration, phase, lane;
    bool queued;                /* done by a port, not by the thread block */
    bool relaxed;               /* a signal or a wait that orders no data */
    uint32_t former;            /* the signal before it on its counter, or UINT32_MAX */
    size_t preds, pred_count;   /* in gfab_gpu_events.preds */
    size_t guards, guard_count; /* in .guards */
    size_t gives, give_count;   /* in .gives: counters that it adds 1 to */
    size_t accesses;            /* in .accesses: the sources first */
    uint32_t sources, targets;
} gfab_gpu_event;

/* So many cells of data from this one on; packets take two cells for each. */
typedef struct gfab_gpu_access {
    uint64_t cell, cells;
    bool packets;
} gfab_gpu_access;

/* An event waits until a counter has reached a value. */
typedef struct gfab_gpu_guard {
    uint32_t event, counter;
    int64_t target;
} gfab_gpu_guard;

/* In preds: it may have to wait, need not; of a relaxed signal, one that its counter always gets before it. */
#define GFAB_GPU_SOFT ((uint32_t)1 << 31)
#define GFAB_GPU_CHAIN ((uint32_t)1 << 30)
#define GFAB_GPU_EVENT (GFAB_GPU_CHAIN - 1) /* the event itself */

typedef struct gfab_gpu_events {
    const gfab_gpu_plan *plan;
    uint64_t chunk, grain; /* bytes of a chunk, of a cell */
    uint32_t launches;
    uint64_t first_launch; /* so many are before them */
    gfab_gpu_event *at;
    size_t count, room;
    uint32_t *preds;
    size_t pred_count, pred_room;
    gfab_gpu_guard *guards;
    size_t guard_count, guard_room;
    uint32_t *gives;
    size_t give_count, give_room;
    gfab_gpu_access *accesses;
    size_t access_count, access_room;
    uint64_t *bases;            /* [3 * rank + region]: its first cell; one more at the end: all cells */
    uint32_t counters, lasting; /* of channels, semaphores and barriers: the first ones; each launch goes on counting */
} gfab_gpu_events;

/* What happens in so many launches. LIMIT, UNSUPPORTED, NO_MEMORY; to be released also after an error. */
gfab_status gfab_gpu_events_make(const gfab_gpu_plan *plan, uint64_t chunk, uint32_t launches, gfab_gpu_events *events,
                                 gfab_diag *diag);
void gfab_gpu_events_release(gfab_gpu_events *events);
/* A line about an event: "GPU 1, thread block 0, operation 3: put". */
void gfab_gpu_event_text(const gfab_gpu_events *events, size_t event, char *text, size_t size);

/* ---- check.c ---- */

/* As gfab_gpu_plan_check, of one length of a chunk. */
gfab_status gfab_gpu_check_length(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                                  gfab_gpu_report *report, gfab_diag *diag);

/* ---- order.c ---- */

/* Goes on as far as can be, with an event held back. */
typedef struct gfab_gpu_order {
    const gfab_gpu_events *events;
    size_t *succs; /* [event]: of .successors */
    uint32_t *successors;
    size_t *waiters; /* [counter]: of .waiting, which are in the order of their targets */
    gfab_gpu_guard *waiting;
    uint32_t *needs, *queue;
    int64_t *counts;
    size_t *next;
    bool *done;
    size_t done_count; /* and queue[0 .. done_count) is the order */
    bool any_relaxed;
    gfab_arena arena;
} gfab_gpu_order;

#define GFAB_GPU_NO_EVENT SIZE_MAX

gfab_status gfab_gpu_order_begin(gfab_gpu_order *order, const gfab_gpu_events *events, gfab_diag *diag);
GFAB_HOLDS_ARENA(gfab_gpu_order)
/* soft: what may have to wait does. strict: relaxed signals and waits order nothing but the values of their counters: a
 * relaxed signal counts once those that its counter always gets before it do. */
void gfab_gpu_order_run(gfab_gpu_order *order, size_t withheld, bool soft, bool strict);

/* ---- before.c ---- */

typedef struct gfab_gpu_before {
    const gfab_gpu_events *events;
    const uint32_t *line;     /* all events in one order that can be */
    size_t *first;            /* [counter]: of .givers */
    uint32_t *givers, *place; /* place: [event]: its bit, or UINT32_MAX */
    uint64_t *bits;           /* [event]: those of the events looked for that it always comes behind */
    gfab_arena arena;
} gfab_gpu_before;

/* named: every wait is for events that can be named; else find() says nothing. NO_MEMORY. */
gfab_status gfab_gpu_before_begin(gfab_gpu_before *before, const gfab_gpu_events *events, const uint32_t *line,
                                  bool *named, gfab_diag *diag);
GFAB_HOLDS_ARENA(gfab_gpu_before)
/* Looks for what comes behind each of the first few events of a list, and says how many those are; strict as above. */
size_t gfab_gpu_before_find(gfab_gpu_before *before, const uint32_t *events, size_t count, bool strict);
/* Does an event always come behind one of them? */
bool gfab_gpu_is_before(const gfab_gpu_before *before, uint32_t first, uint32_t second);

#endif
