/* SPDX-License-Identifier: MIT */
/* A thread block's operations fall into phases, between which all its threads meet (nop, barrier). In a phase thread i
 * does the i-th signal or wait of every operation, one after the other; data is moved by all threads, each its part, so
 * that nothing says when it is done before the phase ends. */
#include "make.h"

#include "base/divisor.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_CELLS ((uint64_t)1 << 26)

/* ---- signals and waits ---- */

/* The last step waits for a counter, once more than before. */
static void wait_for(gfab_gpu_maker *m, uint32_t counter, int64_t first, uint32_t lane, const char *what)
{
    if (m->status != GFAB_OK)
        return;
    gfab_gpu_waiter *w = &m->waiters[counter];
    if (w->count && (w->block != m->block || (w->phase == m->phase && w->lane != lane)))
        m->status = GFAB_REFUSE(
            m->diag, "GPU %u: two threads wait for one %s (thread blocks %u and %u); which of them goes on is not said",
            m->rank, what, w->block, m->block);
    *w = (gfab_gpu_waiter){m->block, m->phase, lane, w->count + 1};
    gfab_gpu_make_guard(m, counter, (int64_t)w->count - first);
    gfab_gpu_make_push(m, &m->blockers, &m->blocker_count, &m->blocker_room, (uint32_t)m->e->count - 1);
}

static uint32_t inbound(const gfab_gpu_maker *m, uint32_t rank, gfab_gpu_channel type, size_t channel)
{
    return m->channel_base[2 * rank + type] + (uint32_t)channel;
}

/* The last step, a relaxed signal, is counted behind the thread block's signal before it, and behind all of the launch
 * before: those have been sent when this launch begins, and one counter takes them in that order. */
static void chain_signal(gfab_gpu_maker *m, uint32_t former)
{
    for (; former != GFAB_GPU_NONE && m->status == GFAB_OK; former = m->e->at[former].former) {
        const gfab_gpu_event *signal = &m->e->at[former];
        if (signal->launch + 1 < m->launch)
            return;
        if (signal->launch == m->launch && signal->block != m->block)
            continue;
        gfab_gpu_make_marked_pred(m, former, GFAB_GPU_CHAIN);
        if (signal->launch == m->launch)
            return;
    }
}

/* A signal's counter is at the other end of its channel. */
static void give_signal(gfab_gpu_maker *m, gfab_gpu_channel type, uint32_t channel)
{
    const size_t other = gfab_gpu_paired(m->e->plan, m->rank, type, channel);
    if (other == SIZE_MAX || m->status != GFAB_OK)
        return;
    const uint32_t counter = inbound(m, m->e->plan->gpus[m->rank].peers[type][channel], type, other);
    if (gfab_gpu_make_last(m)->relaxed)
        chain_signal(m, m->signals[counter]);
    gfab_gpu_make_give(m, counter);
    if (m->status != GFAB_OK)
        return;
    gfab_gpu_make_last(m)->former = m->signals[counter];
    m->signals[counter] = (uint32_t)m->e->count - 1;
}

/* What a port does behind what it has been given before, on this channel. */
static void queue_behind(gfab_gpu_maker *m, uint32_t channel, uint32_t issue, gfab_gpu_event_kind kind)
{
    if (m->status != GFAB_OK)
        return;
    const uint32_t own = inbound(m, m->rank, GFAB_GPU_PORT, channel), tail = m->tails[own];
    const gfab_gpu_event *before = tail == GFAB_GPU_NONE ? NULL : &m->e->at[tail];
    const uint32_t lane = m->e->at[issue].lane;
    if (before && (before->block != m->block || (before->phase == m->phase && before->lane != lane)))
        m->status = GFAB_REFUSE(
            m->diag, "GPU %u: two threads use one port channel (thread blocks %u and %u); in which order is not said",
            m->rank, before->block, m->block);
    const uint32_t event = gfab_gpu_make_event(m, kind);
    if (m->status != GFAB_OK)
        return;
    gfab_gpu_make_last(m)->queued = true;
    gfab_gpu_make_last(m)->lane = lane;
    gfab_gpu_make_pred(m, issue, false);
    gfab_gpu_make_pred(m, tail, false);
    m->tails[own] = event;
}

static void add_signals(gfab_gpu_maker *m, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    for (size_t i = 0; i < gfab_gpu_lanes(m->e->plan, op->channel_count) && m->status == GFAB_OK; i++) {
        const uint32_t channel = block->channels[op->channel][op->channels[i]];
        const uint32_t issue = gfab_gpu_make_step(m, i);
        if (op->channel == GFAB_GPU_PORT)
            queue_behind(m, channel, issue, GFAB_GPU_STEP);
        else if (m->status == GFAB_OK)
            gfab_gpu_make_last(m)->relaxed = op->kind == GFAB_GPU_RELAXED_SIGNAL;
        give_signal(m, op->channel, channel);
    }
}

static void add_waits(gfab_gpu_maker *m, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    for (size_t i = 0; i < gfab_gpu_lanes(m->e->plan, op->channel_count) && m->status == GFAB_OK; i++) {
        gfab_gpu_make_step(m, i);
        if (m->status == GFAB_OK)
            gfab_gpu_make_last(m)->relaxed = op->kind == GFAB_GPU_RELAXED_WAIT && op->channel == GFAB_GPU_MEMORY;
        wait_for(m, inbound(m, m->rank, op->channel, block->channels[op->channel][op->channels[i]]), 0, (uint32_t)i,
                 "channel");
    }
}

static void add_semaphores(gfab_gpu_maker *m, const gfab_gpu_op *op)
{
    for (size_t i = 0; i < gfab_gpu_lanes(m->e->plan, op->semaphore_count) && m->status == GFAB_OK; i++) {
        const uint32_t counter = m->semaphore_base[m->rank] + op->semaphores[i];
        gfab_gpu_make_step(m, i);
        if (op->kind == GFAB_GPU_RELEASE)
            gfab_gpu_make_give(m, counter);
        else
            wait_for(m, counter, m->e->plan->gpus[m->rank].semaphores[op->semaphores[i]], (uint32_t)i, "semaphore");
    }
}

static void add_barrier(gfab_gpu_maker *m, const gfab_gpu_op *op)
{
    uint32_t event = gfab_gpu_make_join(m);
    const uint32_t counter = m->barrier_base[m->rank] + op->barrier;
    if (op->thread_blocks != 1 && m->status == GFAB_OK) {
        uint32_t *users = &m->barrier_users[m->rank * GFAB_GPU_BARRIERS + op->barrier];
        uint32_t *uses = &m->barrier_uses[m->block_number * GFAB_GPU_BARRIERS + op->barrier];
        *users += *uses == 0;
        if (*users > op->thread_blocks)
            m->status = GFAB_REFUSE(
                m->diag,
                "GPU %u: %u thread blocks meet at barrier %u, which counts %u; which of them go on is not said",
                m->rank, *users, op->barrier, op->thread_blocks);
        gfab_gpu_make_give(m, counter);
        event = gfab_gpu_make_event(m, GFAB_GPU_JOIN);
        gfab_gpu_make_pred(m, event - 1, false);
        gfab_gpu_make_guard(m, counter, (int64_t)++ * uses * op->thread_blocks);
    }
    gfab_gpu_make_begin_phase(m, event);
}

/* ---- data ---- */

static uint64_t cell_of(const gfab_gpu_maker *m, const gfab_gpu_range *range)
{
    return m->e->bases[3 * range->rank + range->region] + range->at / m->e->grain;
}

static void find_grain(gfab_gpu_maker *m, const gfab_gpu_part *part)
{
    m->e->grain = gfab_common_divisor(m->e->grain, part->length);
    for (size_t i = 0; i < part->sources + part->targets; i++)
        m->e->grain =
            gfab_common_divisor(m->e->grain, part->ranges[i].packets ? part->ranges[i].at / 2 : part->ranges[i].at);
}

/* The last event moves a part, or `count` cells of it from `first` on, to targets from..past. */
static void add_part(gfab_gpu_maker *m, const gfab_gpu_part *part, uint64_t first, uint64_t count, size_t from,
                     size_t past)
{
    for (size_t i = 0; i < part->sources + part->targets && m->status == GFAB_OK; i++) {
        const gfab_gpu_range *range = &part->ranges[i];
        const bool target = i >= part->sources;
        const uint64_t cell = cell_of(m, range) + first * (range->packets ? 2 : 1);
        if (target && (i - part->sources < from || i - part->sources >= past))
            continue;
        gfab_gpu_make_access(m, cell, count, range->packets, target);
        for (uint64_t c = 0; range->packets && target && c < count; c++)
            gfab_gpu_make_give(m, gfab_gpu_make_counter(m, cell + 2 * c));
    }
}

static bool reads_packets(const gfab_gpu_part *part)
{
    for (size_t i = 0; i < part->sources; i++)
        if (part->ranges[i].packets)
            return true;
    return false;
}

/* All threads move a part; where it waits for packets, cell by cell. */
static void add_moves(gfab_gpu_maker *m, const gfab_gpu_part *part, size_t targets)
{
    const uint64_t cells = part->length / m->e->grain;
    const bool waits = reads_packets(part);
    const size_t blockers = m->blocker_count;
    for (uint64_t c = 0; c < cells && m->status == GFAB_OK; c += waits ? 1 : cells) {
        m->blocker_count = blockers;
        const uint32_t event = gfab_gpu_make_data(m);
        if (waits && c) /* a thread that has both waits for this one first */
            gfab_gpu_make_pred(m, event - 1, true);
        for (size_t i = 0; i < part->sources && waits; i++)
            if (part->ranges[i].packets)
                gfab_gpu_make_guard(m, gfab_gpu_make_counter(m, cell_of(m, &part->ranges[i]) + 2 * c), 1);
        add_part(m, part, c, waits ? 1 : cells, 0, targets);
    }
    for (uint64_t c = 0; waits && c < cells; c++)
        gfab_gpu_make_push(m, &m->blockers, &m->blocker_count, &m->blocker_room, (uint32_t)(m->e->count - cells + c));
}

/* The i-th thread gives the i-th target, or the i-th part, to a port. */
static void add_port(gfab_gpu_maker *m, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    const bool one = op->kind == GFAB_GPU_READ_PUT_PACKETS;
    for (size_t i = 0; i < gfab_gpu_lanes(m->e->plan, op->targets) && m->status == GFAB_OK; i++) {
        const gfab_gpu_part *part = &m->parts.at[one ? 0 : i];
        const uint32_t channel = block->channels[GFAB_GPU_PORT][op->channels[i]], issue = gfab_gpu_make_step(m, i);
        queue_behind(m, channel, issue, GFAB_GPU_DATA);
        add_part(m, part, 0, part->length / m->e->grain, one ? i : 0, one ? i + 1 : 1);
        if (op->kind == GFAB_GPU_PUT || op->kind == GFAB_GPU_PUT_PACKETS || one)
            continue;
        queue_behind(m, channel, issue, GFAB_GPU_STEP);
        give_signal(m, GFAB_GPU_PORT, channel);
        if (op->kind == GFAB_GPU_PUT_SIGNAL_FLUSH) {
            const uint32_t tail = (uint32_t)m->e->count - 1;
            gfab_gpu_make_step(m, i);
            gfab_gpu_make_pred(m, tail, false);
        }
    }
}

static void add_moving(gfab_gpu_maker *m, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    const gfab_gpu_where where = {m->rank, m->block, op, m->e->chunk, 0, UINT64_MAX, m->launch};
    gfab_gpu_where at = where;
    if (m->iteration != GFAB_GPU_NONE) {
        const gfab_gpu_op *pipeline = op;
        while (pipeline->kind != GFAB_GPU_PIPELINE)
            pipeline--;
        at.unit = pipeline->unit;
        at.offset = (uint64_t)m->iteration * pipeline->unit;
    }
    m->status = gfab_gpu_plan_parts(m->e->plan, &at, &m->parts, m->diag);
    for (size_t i = 0; i < m->parts.count && m->dry && m->status == GFAB_OK; i++)
        find_grain(m, &m->parts.at[i]);
    if (m->dry || m->status != GFAB_OK)
        return;
    if (op->channel == GFAB_GPU_PORT && op->kind == GFAB_GPU_READ_PUT_PACKETS) {
        add_moves(m, &m->parts.at[0], 0);
        gfab_gpu_make_begin_phase(m, gfab_gpu_make_join(m));
    }
    if (op->channel == GFAB_GPU_PORT && op->targets)
        add_port(m, op, block);
    else
        for (size_t i = 0; i < m->parts.count && m->status == GFAB_OK; i++)
            add_moves(m, &m->parts.at[i], SIZE_MAX);
}

/* ---- everything ---- */

static void add_step(gfab_gpu_maker *m, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    switch (op->kind) {
    case GFAB_GPU_NOP:
        gfab_gpu_make_begin_phase(m, gfab_gpu_make_join(m));
        break;
    case GFAB_GPU_BARRIER:
        add_barrier(m, op);
        break;
    case GFAB_GPU_SIGNAL:
    case GFAB_GPU_RELAXED_SIGNAL:
        add_signals(m, op, block);
        break;
    case GFAB_GPU_WAIT:
    case GFAB_GPU_RELAXED_WAIT:
        add_waits(m, op, block);
        break;
    case GFAB_GPU_ACQUIRE:
    case GFAB_GPU_RELEASE:
        add_semaphores(m, op);
        break;
    default:
        break; /* a flush, which waits for as many channels as it has targets: none */
    }
}

static void add_op(gfab_gpu_maker *m, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    if (op->sources)
        add_moving(m, op, block);
    else if (!m->dry)
        add_step(m, op, block);
    if (!m->dry && m->e->plan->threads == 1) /* which does one operation behind the other */
        gfab_gpu_make_begin_phase(m, gfab_gpu_make_join(m));
}

static void add_block(gfab_gpu_maker *m, const gfab_gpu_block *block, uint32_t begin)
{
    const gfab_gpu_op *ops = m->e->plan->ops + block->ops;
    m->iteration = GFAB_GPU_NONE;
    gfab_gpu_make_begin_phase(m, begin);
    for (size_t i = 0; i < block->op_count && m->status == GFAB_OK; i++) {
        m->op = (uint32_t)i;
        if (ops[i].kind != GFAB_GPU_PIPELINE) {
            add_op(m, &ops[i], block);
            continue;
        }
        const uint64_t iterations = gfab_gpu_iterations(&ops[i], m->e->chunk);
        for (m->iteration = 0; m->iteration < iterations && m->status == GFAB_OK; m->iteration++)
            for (uint32_t j = 1; j <= ops[i].inner; j++) {
                m->op = (uint32_t)i + j;
                add_op(m, &ops[i + j], block);
            }
        m->iteration = GFAB_GPU_NONE;
        i += ops[i].inner;
    }
}

static void add_host(gfab_gpu_maker *m, gfab_gpu_event_kind kind, uint32_t pred)
{
    const gfab_gpu_plan *plan = m->e->plan;
    m->block = m->op = m->iteration = GFAB_GPU_NONE;
    gfab_gpu_make_event(m, kind);
    gfab_gpu_make_pred(m, pred, false);
    for (int b = 0; b < 2; b++) {
        const bool output = b == 1;
        const gfab_gpu_range range = gfab_gpu_user_range(plan, m->rank, (gfab_gpu_buffer)b, m->e->chunk);
        if (m->status != GFAB_OK || (kind == GFAB_GPU_HOST_END && !output))
            continue;
        /* In place the whole of the buffer is written once. */
        const uint64_t bytes = plan->in_place && kind == GFAB_GPU_HOST_BEGIN
                                   ? gfab_gpu_region_bytes(plan, m->rank, 0, m->e->chunk)
                                   : plan->gpus[m->rank].chunks[b] * m->e->chunk;
        if (plan->in_place && kind == GFAB_GPU_HOST_BEGIN && output)
            continue;
        const gfab_gpu_range whole = {m->rank, range.region, false, kind == GFAB_GPU_HOST_BEGIN ? 0 : range.at};
        gfab_gpu_make_access(m, cell_of(m, &whole), bytes / m->e->grain, false, kind == GFAB_GPU_HOST_BEGIN);
    }
}

static void add_launch(gfab_gpu_maker *m, uint32_t *ends)
{
    const gfab_gpu_plan *plan = m->e->plan;
    m->block_number = 0;
    for (m->rank = 0; m->rank < plan->gpu_count && m->status == GFAB_OK; m->rank++) {
        const gfab_gpu *gpu = &plan->gpus[m->rank];
        uint32_t *joins = NULL;
        size_t count = 0, room = 0;
        add_host(m, GFAB_GPU_HOST_BEGIN, ends[m->rank]);
        const uint32_t begin = (uint32_t)m->e->count - 1;
        for (m->block = 0; m->block < gpu->block_count && m->status == GFAB_OK; m->block++, m->block_number++) {
            add_block(m, &gpu->blocks[m->block], begin);
            if (!m->dry)
                gfab_gpu_make_push(m, &joins, &count, &room, gfab_gpu_make_join(m));
        }
        add_host(m, GFAB_GPU_HOST_END, begin);
        for (size_t i = 0; i < count; i++)
            gfab_gpu_make_pred(m, joins[i], false);
        ends[m->rank] = (uint32_t)m->e->count - 1;
        free(joins);
    }
}

/* The cells, as large as they can be. */
static void lay_out(gfab_gpu_maker *m)
{
    gfab_gpu_events *e = m->e;
    const gfab_gpu_plan *plan = e->plan;
    uint64_t cells = 0;
    e->grain = e->chunk;
    m->dry = true;
    for (m->rank = 0; m->rank < plan->gpu_count; m->rank++)
        for (m->block = 0; m->block < plan->gpus[m->rank].block_count && m->status == GFAB_OK; m->block++)
            add_block(m, &plan->gpus[m->rank].blocks[m->block], GFAB_GPU_NONE);
    m->dry = false;
    for (uint32_t r = 0; r < plan->gpu_count; r++)
        for (int region = 0; region < 3; region++) {
            e->bases[3 * r + (size_t)region] = cells;
            cells += gfab_gpu_region_bytes(plan, r, region, e->chunk) / e->grain;
        }
    e->bases[3 * plan->gpu_count] = cells;
    if (m->status == GFAB_OK && cells * e->launches > MOST_CELLS)
        m->status = gfab_fail(m->diag, 0, GFAB_ERR_LIMIT, "%" PRIu64 " pieces of memory; %" PRIu64 " are checked",
                              cells * e->launches, MOST_CELLS);
}

/* Counters of channels, semaphores and barriers. */
static void number_counters(gfab_gpu_maker *m)
{
    const gfab_gpu_plan *plan = m->e->plan;
    uint32_t count = 0;
    for (size_t r = 0; r < plan->gpu_count; r++) {
        for (size_t type = 0; type < 2; type++) {
            m->channel_base[2 * r + type] = count;
            count += (uint32_t)plan->gpus[r].peer_count[type];
        }
        m->semaphore_base[r] = count;
        count += (uint32_t)plan->gpus[r].semaphore_count;
        m->barrier_base[r] = count;
        count += GFAB_GPU_BARRIERS;
    }
    m->e->counters = m->e->lasting = count;
}

gfab_status gfab_gpu_events_make(const gfab_gpu_plan *plan, uint64_t chunk, uint32_t launches, gfab_gpu_events *events,
                                 gfab_diag *diag)
{
    const size_t ranks = plan->gpu_count;
    gfab_gpu_maker m = {.e = events, .diag = diag, .iteration = GFAB_GPU_NONE};
    *events = (gfab_gpu_events){.plan = plan, .chunk = chunk, .launches = launches};
    events->bases = calloc(3 * ranks + 1, sizeof *events->bases);
    m.channel_base = gfab_arena_zeroed2(&m.arena, 2, ranks, sizeof *m.channel_base);
    GFAB_ARRAYS(&m.arena, ranks, m.semaphore_base, m.barrier_base);
    m.barrier_users = gfab_arena_zeroed2(&m.arena, ranks, GFAB_GPU_BARRIERS, sizeof *m.barrier_users);
    m.barrier_uses = gfab_arena_zeroed(&m.arena, (gfab_gpu_plan_thread_blocks(plan) + 1) * GFAB_GPU_BARRIERS,
                                       sizeof *m.barrier_uses);
    if (!m.arena.failed)
        number_counters(&m);
    GFAB_ARRAYS(&m.arena, events->counters + 1, m.waiters, m.tails, m.signals);
    GFAB_FREED uint32_t *ends = malloc(ranks * sizeof *ends);
    if (!events->bases || m.arena.failed || !ends)
        m.status = gfab_gpu_no_memory(diag);
    for (size_t i = 0; m.status == GFAB_OK && i <= events->counters; i++)
        m.tails[i] = m.signals[i] = GFAB_GPU_NONE;
    for (size_t r = 0; m.status == GFAB_OK && r < ranks; r++)
        ends[r] = GFAB_GPU_NONE;
    if (m.status == GFAB_OK)
        lay_out(&m);
    for (m.launch = 0; m.launch < launches && m.status == GFAB_OK; m.launch++)
        add_launch(&m, ends);
    gfab_gpu_parts_release(&m.parts);
    gfab_arena_release(&m.arena);
    GFAB_FREE(m.open, m.blockers);
    return m.status;
}
