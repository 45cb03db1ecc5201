/* SPDX-License-Identifier: MIT */
/* Private: how events are made, one after the other. What is added goes to the last one. */
#ifndef GOSSIPFAB_PLANS_MAKE_H
#define GOSSIPFAB_PLANS_MAKE_H

#include "events.h"

#include <gossipfab/base/arena.h>

#define GFAB_GPU_NONE UINT32_MAX
#define GFAB_GPU_LANES 16 /* threads that do steps of their own */

/* Of a counter: who waits for it. */
typedef struct gfab_gpu_waiter {
    uint32_t block, phase, lane;
    uint32_t count;
} gfab_gpu_waiter;

typedef struct gfab_gpu_maker {
    gfab_gpu_events *e;
    gfab_diag *diag;
    gfab_status status;
    gfab_gpu_parts parts;
    gfab_gpu_waiter *waiters; /* [counter] of channels and semaphores */
    uint32_t *channel_base;   /* [2 * rank + type]: its first counter */
    uint32_t *semaphore_base, *barrier_base;
    uint32_t *packet_counter; /* [cell * launches + launch]; NULL before there are packets */
    uint32_t *signals;        /* [counter]: the last one */
    uint32_t *tails;          /* [counter of a port channel]: the last that its queue has, by the sender's channel */
    uint32_t *barrier_users;  /* [16 * rank + barrier] */
    uint32_t *barrier_uses;   /* [16 * block_number + barrier] */
    bool dry;                 /* looks for the grain alone */
    /* of the thread block at hand: */
    uint32_t rank, block, launch, iteration, op, phase, start;
    uint32_t lane_last[GFAB_GPU_LANES];
    uint32_t *open; /* events of the phase */
    size_t open_count, open_room;
    uint32_t *blockers; /* waits, and what waits for packets */
    size_t blocker_count, blocker_room;
    uint32_t phases;       /* of all */
    uint32_t block_number; /* of all */
    gfab_arena arena;
} gfab_gpu_maker;

/* Every call is nothing after an error. An event is GFAB_GPU_NONE then, and where there is none. */
void gfab_gpu_make_push(gfab_gpu_maker *m, uint32_t **array, size_t *count, size_t *room, uint32_t value);
gfab_gpu_event *gfab_gpu_make_last(gfab_gpu_maker *m);
uint32_t gfab_gpu_make_event(gfab_gpu_maker *m, gfab_gpu_event_kind kind);
void gfab_gpu_make_marked_pred(gfab_gpu_maker *m, uint32_t pred, uint32_t mark);
void gfab_gpu_make_pred(gfab_gpu_maker *m, uint32_t pred, bool soft);
void gfab_gpu_make_guard(gfab_gpu_maker *m, uint32_t counter, int64_t target);
void gfab_gpu_make_give(gfab_gpu_maker *m, uint32_t counter);
void gfab_gpu_make_access(gfab_gpu_maker *m, uint64_t cell, uint64_t cells, bool packets, bool target);
/* The counter of a packet in this launch: 1 once it is there. */
uint32_t gfab_gpu_make_counter(gfab_gpu_maker *m, uint64_t cell);
/* A thread's step, behind its former one of this phase; something that all threads do; where they meet. */
uint32_t gfab_gpu_make_step(gfab_gpu_maker *m, size_t lane);
uint32_t gfab_gpu_make_data(gfab_gpu_maker *m);
uint32_t gfab_gpu_make_join(gfab_gpu_maker *m);
void gfab_gpu_make_begin_phase(gfab_gpu_maker *m, uint32_t start);

#endif
