/* SPDX-License-Identifier: MIT */
/* Private: what a check has at hand: check.c, witness.c, drift.c. */
#ifndef GOSSIPFAB_PLANS_CHECK_H
#define GOSSIPFAB_PLANS_CHECK_H

#include "gpu-plans/events.h"
#include "gpu-plans/values.h"

/* An access that has to be over before another begins. */
typedef struct gfab_gpu_pair {
    uint32_t first, second;
    bool writes; /* the first one */
    uint64_t cell;
} gfab_gpu_pair;

typedef struct gfab_gpu_reading {
    uint32_t event, next;
} gfab_gpu_reading;

typedef struct gfab_gpu_checker {
    const gfab_gpu_plan *plan;
    gfab_gpu_events events;
    gfab_gpu_order order;
    gfab_gpu_report *report;
    gfab_diag *diag;
    gfab_status status;
    uint32_t *line; /* all events in one order */
    gfab_gpu_pair *pairs;
    size_t pair_count, pair_room;
    /* of every cell: */
    uint32_t *writer;         /* the last one, or NONE */
    uint32_t *readings;       /* since, or NONE */
    uint32_t *value, *packet; /* packet: of launch - 1, or 0 */
    gfab_gpu_reading *reading;
    size_t reading_count, reading_room;
    gfab_gpu_values values;
    char data_fault[640];
    uint64_t data_launch;
} gfab_gpu_checker;

/* False after an error, and where the memory is NULL: the status is NO_MEMORY then. */
bool gfab_gpu_check_have(gfab_gpu_checker *c, const void *memory);

/* ---- witness.c ---- */

/* Which byte of which buffer a cell is. */
void gfab_gpu_cell_text(const gfab_gpu_checker *c, uint64_t cell, char *text, size_t size);
/* The report of a fault, with its steps: of a run that has held back the first of a pair; of one that has got stuck. */
void gfab_gpu_tell_race(gfab_gpu_checker *c, const gfab_gpu_pair *p);
void gfab_gpu_tell_deadlock(gfab_gpu_checker *c);

/* ---- drift.c ---- */

/* What the launches beyond those that are looked at bring, where a counter is given more, or less, in a launch than is
 * waited for. 0: none. */
typedef struct gfab_gpu_drift {
    uint64_t hangs;  /* in this launch, counted from 1, at the latest a wait has nothing left to wait for */
    uint64_t passes; /* so many launches before the first where no wait on a counter with a surplus waits */
    char why[240];   /* the counter that it is for */
} gfab_gpu_drift;

/* Of events all of which can be done. Where none hangs and there are `passes`, the events are those of the launches
 * behind them then: waits on a counter with a surplus wait for nothing. NO_MEMORY. */
gfab_status gfab_gpu_drift_find(gfab_gpu_events *events, gfab_gpu_drift *drift, gfab_diag *diag);

#endif
