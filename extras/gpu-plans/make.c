/* SPDX-License-Identifier: MIT */
/* How events are added, one after the other: the arrays that grow, and the rules that hold for every kind of
 * operation. In a phase each of 16 lanes does its own steps in order; data is moved by all threads together; a join
 * waits for all of them. What each kind of operation adds is in events.c, which calls these. After an error every call
 * does nothing, so that a maker of events need not ask after each. */
#include "make.h"

#include "base/grow.h"

#define MOST_EVENTS ((size_t)1 << 20) /* below GFAB_GPU_CHAIN */

static void *grown_or_failed(gfab_gpu_maker *m, void *grown)
{
    if (!grown)
        m->status = gfab_gpu_no_memory(m->diag);
    return grown;
}

/* An array with room for one more; NULL after an error. */
#define GROWN(array, count, room) \
    (m->status == GFAB_OK ? grown_or_failed(m, gfab_grown(array, count, &(room), sizeof *(array))) : NULL)

void gfab_gpu_make_push(gfab_gpu_maker *m, uint32_t **array, size_t *count, size_t *room, uint32_t value)
{
    uint32_t *grown = GROWN(*array, *count, *room);
    if (!grown)
        return;
    *array = grown;
    grown[(*count)++] = value;
}

/* ---- an event; what is added goes to the last one ---- */

gfab_gpu_event *gfab_gpu_make_last(gfab_gpu_maker *m)
{
    return &m->e->at[m->e->count - 1];
}

uint32_t gfab_gpu_make_event(gfab_gpu_maker *m, gfab_gpu_event_kind kind)
{
    gfab_gpu_events *e = m->e;
    if (m->status == GFAB_OK && e->count == MOST_EVENTS)
        m->status = gfab_fail(m->diag, 0, GFAB_ERR_LIMIT, "more than %zu events", MOST_EVENTS);
    gfab_gpu_event *grown = GROWN(e->at, e->count, e->room);
    if (!grown)
        return GFAB_GPU_NONE;
    e->at = grown;
    e->at[e->count] = (gfab_gpu_event){.kind = kind,
                                       .rank = m->rank,
                                       .block = m->block,
                                       .op = m->op,
                                       .launch = m->launch,
                                       .iteration = m->iteration,
                                       .phase = m->phase,
                                       .former = GFAB_GPU_NONE,
                                       .preds = e->pred_count,
                                       .guards = e->guard_count,
                                       .gives = e->give_count,
                                       .accesses = e->access_count};
    return (uint32_t)e->count++;
}

void gfab_gpu_make_marked_pred(gfab_gpu_maker *m, uint32_t pred, uint32_t mark)
{
    if (pred == GFAB_GPU_NONE)
        return;
    gfab_gpu_make_push(m, &m->e->preds, &m->e->pred_count, &m->e->pred_room, pred | mark);
    if (m->status == GFAB_OK)
        gfab_gpu_make_last(m)->pred_count++;
}

void gfab_gpu_make_pred(gfab_gpu_maker *m, uint32_t pred, bool soft)
{
    gfab_gpu_make_marked_pred(m, pred, soft ? GFAB_GPU_SOFT : 0);
}

void gfab_gpu_make_guard(gfab_gpu_maker *m, uint32_t counter, int64_t target)
{
    gfab_gpu_events *e = m->e;
    gfab_gpu_guard *grown = GROWN(e->guards, e->guard_count, e->guard_room);
    if (!grown)
        return;
    e->guards = grown;
    grown[e->guard_count++] = (gfab_gpu_guard){(uint32_t)e->count - 1, counter, target};
    gfab_gpu_make_last(m)->guard_count++;
}

void gfab_gpu_make_give(gfab_gpu_maker *m, uint32_t counter)
{
    gfab_gpu_make_push(m, &m->e->gives, &m->e->give_count, &m->e->give_room, counter);
    if (m->status == GFAB_OK)
        gfab_gpu_make_last(m)->give_count++;
}

void gfab_gpu_make_access(gfab_gpu_maker *m, uint64_t cell, uint64_t cells, bool packets, bool target)
{
    gfab_gpu_events *e = m->e;
    gfab_gpu_access *grown = GROWN(e->accesses, e->access_count, e->access_room);
    if (!grown)
        return;
    e->accesses = grown;
    grown[e->access_count++] = (gfab_gpu_access){cell, cells, packets};
    gfab_gpu_make_last(m)->sources += !target;
    gfab_gpu_make_last(m)->targets += target;
}

/* The counter of a packet in a launch: 1 once it is there. */
uint32_t gfab_gpu_make_counter(gfab_gpu_maker *m, uint64_t cell)
{
    const uint64_t cells = m->e->bases[3 * m->e->plan->gpu_count];
    if (!m->packet_counter && m->status == GFAB_OK) {
        m->packet_counter = gfab_arena_zeroed2(&m->arena, cells, m->e->launches, sizeof *m->packet_counter);
        if (!m->packet_counter)
            m->status = gfab_gpu_no_memory(m->diag);
    }
    if (m->status != GFAB_OK)
        return 0;
    uint32_t *counter = &m->packet_counter[cell * m->e->launches + m->launch];
    if (!*counter)
        *counter = m->e->counters++;
    return *counter;
}

/* ---- phases ---- */

static void note_open(gfab_gpu_maker *m, uint32_t event)
{
    gfab_gpu_make_push(m, &m->open, &m->open_count, &m->open_room, event);
}

/* A thread's step, behind its former one of this phase. */
uint32_t gfab_gpu_make_step(gfab_gpu_maker *m, size_t lane)
{
    const uint32_t event = gfab_gpu_make_event(m, GFAB_GPU_STEP);
    gfab_gpu_make_pred(m, m->start, false);
    gfab_gpu_make_pred(m, m->lane_last[lane], false);
    for (size_t i = 0; i < m->blocker_count; i++)
        if (m->status == GFAB_OK && m->e->at[m->blockers[i]].kind == GFAB_GPU_DATA)
            gfab_gpu_make_pred(m, m->blockers[i], true);
    if (m->status == GFAB_OK)
        m->e->at[event].lane = (uint32_t)lane;
    m->lane_last[lane] = event;
    note_open(m, event);
    return event;
}

/* Something that all threads do. */
uint32_t gfab_gpu_make_data(gfab_gpu_maker *m)
{
    const uint32_t event = gfab_gpu_make_event(m, GFAB_GPU_DATA);
    gfab_gpu_make_pred(m, m->start, false);
    for (size_t i = 0; i < m->blocker_count; i++)
        gfab_gpu_make_pred(m, m->blockers[i], true);
    note_open(m, event);
    return event;
}

uint32_t gfab_gpu_make_join(gfab_gpu_maker *m)
{
    const uint32_t event = gfab_gpu_make_event(m, GFAB_GPU_JOIN);
    gfab_gpu_make_pred(m, m->start, false);
    for (size_t i = 0; i < m->open_count; i++)
        gfab_gpu_make_pred(m, m->open[i], false);
    return event;
}

void gfab_gpu_make_begin_phase(gfab_gpu_maker *m, uint32_t start)
{
    m->start = start;
    m->phase = m->phases++;
    m->open_count = m->blocker_count = 0;
    for (size_t lane = 0; lane < GFAB_GPU_LANES; lane++)
        m->lane_last[lane] = GFAB_GPU_NONE;
}
