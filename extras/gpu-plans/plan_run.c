/* SPDX-License-Identifier: MIT */
/* A thread for each thread block, which does its operations one after the other: one of the orders that the executor
 * may take. Counters are behind one lock; packets carry their launch beside each 4 bytes of data, as on a GPU. */
#define _POSIX_C_SOURCE 200809L
#include "plan.h"

#include <gossipfab/base/arena.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS 4096
#define STACK_BYTES ((size_t)256 << 10)

typedef struct machine {
    const gfab_gpu_plan *plan;
    uint64_t chunk;
    uint32_t launches;
    unsigned char *(*regions)[3]; /* [rank] */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t **inbound[2], **expected[2]; /* by type of channel, [rank][channel] */
    int64_t **semaphores;                /* [rank] */
    uint64_t (*barriers)[GFAB_GPU_BARRIERS];
    uint32_t *ended; /* [rank]: thread blocks that have, of all launches */
    atomic_ullong steps;
    atomic_bool stop;
    gfab_arena arena;
} machine;

typedef struct worker {
    machine *m;
    uint32_t rank, block, launch;
    uint64_t uses[GFAB_GPU_BARRIERS];
    gfab_gpu_parts parts;
    pthread_t thread;
    bool failed;
} worker;

/* ---- waiting; with the lock ---- */

/* Until *value is at least `least`; false where all is to stop. */
static bool wait_until(machine *m, const int64_t *value, int64_t least)
{
    while (*value < least && !m->stop)
        pthread_cond_wait(&m->changed, &m->lock);
    return !m->stop;
}

static void add_one(machine *m, int64_t *value)
{
    ++*value;
    pthread_cond_broadcast(&m->changed);
}

static void signal_peer(machine *m, uint32_t rank, gfab_gpu_channel type, uint32_t channel)
{
    const size_t other = gfab_gpu_paired(m->plan, rank, type, channel);
    if (other != SIZE_MAX)
        add_one(m, &m->inbound[type][m->plan->gpus[rank].peers[type][channel]][other]);
}

/* ---- data ---- */

/* A packet: two words of data, each with its launch above it. */
static bool read_packet(const machine *m, const unsigned char *at, uint32_t launch, uint32_t words[2])
{
    const _Atomic(uint64_t) *packet = (const void *)at;
    for (int i = 0; i < 2; i++) {
        uint64_t word = atomic_load_explicit(&packet[i], memory_order_acquire);
        while (word >> 32 != launch) {
            if (m->stop)
                return false;
            sched_yield();
            word = atomic_load_explicit(&packet[i], memory_order_acquire);
        }
        words[i] = (uint32_t)word;
    }
    return true;
}

static void write_packet(unsigned char *at, uint32_t launch, const uint32_t words[2])
{
    _Atomic(uint64_t) *packet = (void *)at;
    for (int i = 0; i < 2; i++)
        atomic_store_explicit(&packet[i], (uint64_t)launch << 32 | words[i], memory_order_release);
}

static bool move_part(const worker *w, const gfab_gpu_part *part)
{
    const uint32_t launch = w->launch + 1;
    for (uint64_t at = 0; at < part->length; at += 8) {
        uint32_t sum[2] = {0, 0}, words[2];
        for (size_t i = 0; i < part->sources + part->targets; i++) {
            const gfab_gpu_range *range = &part->ranges[i];
            unsigned char *here = w->m->regions[range->rank][range->region] + range->at + at * (range->packets ? 2 : 1);
            if (i >= part->sources) {
                if (range->packets)
                    write_packet(here, launch, sum);
                else
                    memcpy(here, sum, sizeof sum);
                continue;
            }
            if (!range->packets)
                memcpy(words, here, sizeof words);
            else if (!read_packet(w->m, here, launch, words))
                return false;
            sum[0] += words[0];
            sum[1] += words[1];
        }
    }
    return true;
}

/* ---- operations ---- */

static bool do_step(worker *w, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    machine *m = w->m;
    bool on = true;
    const bool waits = op->kind == GFAB_GPU_WAIT || op->kind == GFAB_GPU_RELAXED_WAIT;
    const bool signals = op->sources || op->kind == GFAB_GPU_SIGNAL || op->kind == GFAB_GPU_RELAXED_SIGNAL;
    const size_t channels = gfab_gpu_lanes(m->plan, op->sources ? op->targets : op->channel_count);
    for (size_t i = 0; i < channels && on && (waits || signals); i++) {
        const uint32_t channel = block->channels[op->channel][op->channels[i]];
        if (waits)
            on =
                wait_until(m, &m->inbound[op->channel][w->rank][channel], ++m->expected[op->channel][w->rank][channel]);
        else
            signal_peer(m, w->rank, op->channel, channel);
    }
    for (size_t i = 0; i < gfab_gpu_lanes(m->plan, op->semaphore_count) && on; i++) {
        int64_t *semaphore = &m->semaphores[w->rank][op->semaphores[i]];
        if (op->kind == GFAB_GPU_RELEASE)
            add_one(m, semaphore);
        else if ((on = wait_until(m, semaphore, 1)))
            --*semaphore;
    }
    if (op->kind == GFAB_GPU_BARRIER && op->thread_blocks > 1) {
        uint64_t *count = &m->barriers[w->rank][op->barrier];
        const uint64_t target = ++w->uses[op->barrier] * op->thread_blocks;
        ++*count;
        pthread_cond_broadcast(&m->changed);
        while (*count < target && !m->stop)
            pthread_cond_wait(&m->changed, &m->lock);
        on = !m->stop;
    }
    return on;
}

static bool do_op(worker *w, const gfab_gpu_op *op, const gfab_gpu_op *pipeline, uint32_t iteration)
{
    machine *m = w->m;
    const gfab_gpu_block *block = &m->plan->gpus[w->rank].blocks[w->block];
    gfab_gpu_where where = {w->rank, w->block, op, m->chunk, 0, UINT64_MAX, w->launch};
    if (pipeline) {
        where.unit = pipeline->unit;
        where.offset = (uint64_t)iteration * pipeline->unit;
    }
    w->parts.count = 0;
    if (op->sources && gfab_gpu_plan_parts(m->plan, &where, &w->parts, NULL) != GFAB_OK) {
        w->failed = true;
        return false;
    }
    for (size_t i = 0; i < w->parts.count; i++)
        if (!move_part(w, &w->parts.at[i]))
            return false;
    const bool signals =
        op->sources == 0 ||
        ((op->kind == GFAB_GPU_PUT_SIGNAL || op->kind == GFAB_GPU_PUT_SIGNAL_FLUSH) && op->channel == GFAB_GPU_PORT);
    m->steps++;
    if (!signals)
        return !m->stop;
    pthread_mutex_lock(&m->lock);
    const bool on = do_step(w, op, block);
    pthread_mutex_unlock(&m->lock);
    return on;
}

static bool do_block(worker *w)
{
    const gfab_gpu_block *block = &w->m->plan->gpus[w->rank].blocks[w->block];
    const gfab_gpu_op *ops = w->m->plan->ops + block->ops;
    for (size_t i = 0; i < block->op_count; i += 1 + ops[i].inner) {
        const bool loops = ops[i].kind == GFAB_GPU_PIPELINE;
        const uint64_t iterations = loops ? gfab_gpu_iterations(&ops[i], w->m->chunk) : 0;
        if (!loops && !do_op(w, &ops[i], NULL, 0))
            return false;
        for (uint32_t k = 0; k < iterations; k++)
            for (uint32_t j = 1; j <= ops[i].inner; j++)
                if (!do_op(w, &ops[i + j], &ops[i], k))
                    return false;
    }
    return true;
}

/* A GPU's next launch begins when all its thread blocks have ended the one before. */
static void *work(void *context)
{
    worker *w = context;
    machine *m = w->m;
    bool on = true;
    for (w->launch = 0; w->launch < m->launches && on; w->launch++) {
        on = do_block(w);
        pthread_mutex_lock(&m->lock);
        m->ended[w->rank]++;
        pthread_cond_broadcast(&m->changed);
        while (on && m->ended[w->rank] < (w->launch + 1) * m->plan->gpus[w->rank].block_count && !m->stop)
            pthread_cond_wait(&m->changed, &m->lock);
        on = on && !m->stop;
        pthread_mutex_unlock(&m->lock);
    }
    if (w->failed)
        m->stop = true;
    return NULL;
}

/* ---- all ---- */

static int64_t **make_rows(const gfab_gpu_plan *plan, int type, bool *good)
{
    int64_t **rows = calloc(plan->gpu_count, sizeof *rows);
    for (size_t r = 0; rows && r < plan->gpu_count; r++) {
        const gfab_gpu *gpu = &plan->gpus[r];
        const size_t count = type < 2 ? gpu->peer_count[type] : gpu->semaphore_count;
        rows[r] = calloc(count + 1, sizeof **rows);
        *good &= !!rows[r];
        for (size_t i = 0; rows[r] && type == 2 && i < count; i++)
            rows[r][i] = gpu->semaphores[i];
    }
    *good &= !!rows;
    return rows;
}

static void free_rows(const gfab_gpu_plan *plan, int64_t **rows)
{
    for (size_t r = 0; rows && r < plan->gpu_count; r++)
        free(rows[r]);
    free(rows);
}

static bool make_memory(machine *m, void *const *inputs, void *const *outputs)
{
    const gfab_gpu_plan *plan = m->plan;
    bool good = true;
    for (int type = 0; type < 2; type++) {
        m->inbound[type] = make_rows(plan, type, &good);
        m->expected[type] = make_rows(plan, type, &good);
    }
    m->semaphores = make_rows(plan, 2, &good);
    GFAB_ARRAYS(&m->arena, plan->gpu_count, m->barriers, m->ended, m->regions);
    for (uint32_t r = 0; m->regions && r < plan->gpu_count; r++) {
        const bool in_output = plan->in_place && plan->goal == GFAB_GPU_ALL_GATHER;
        m->regions[r][0] = in_output ? outputs[r] : inputs[r];
        m->regions[r][1] = outputs[r];
        m->regions[r][2] = calloc(gfab_gpu_region_bytes(plan, r, 2, m->chunk) + 16, 1);
        good &= !!m->regions[r][2];
    }
    return good && !m->arena.failed;
}

static void free_memory(machine *m)
{
    for (int type = 0; type < 2; type++) {
        free_rows(m->plan, m->inbound[type]);
        free_rows(m->plan, m->expected[type]);
    }
    free_rows(m->plan, m->semaphores);
    for (size_t r = 0; m->regions && r < m->plan->gpu_count; r++)
        free(m->regions[r][2]);
    gfab_arena_release(&m->arena);
}

/* Ends all where no step is done for so long; returns once all thread blocks have ended. */
static bool watch(machine *m, uint32_t seconds)
{
    const size_t all = gfab_gpu_plan_thread_blocks(m->plan) * m->launches;
    unsigned long long steps = 0;
    unsigned idle = 0;
    for (;;) {
        size_t ended = 0;
        pthread_mutex_lock(&m->lock);
        for (size_t r = 0; r < m->plan->gpu_count; r++)
            ended += m->ended[r];
        pthread_mutex_unlock(&m->lock);
        if (ended >= all || m->stop)
            return true;
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
        const unsigned long long now = m->steps;
        idle = now == steps ? idle + 1 : 0;
        steps = now;
        if (seconds && idle > 1000 * seconds)
            return false;
    }
}

static gfab_status run_workers(machine *m, worker *workers, uint32_t seconds, gfab_diag *diag)
{
    size_t count = 0;
    pthread_attr_t attributes;
    bool started = true, ended = true, failed = false;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (uint32_t r = 0; r < m->plan->gpu_count; r++)
        for (uint32_t b = 0; b < m->plan->gpus[r].block_count && started; b++) {
            workers[count] = (worker){.m = m, .rank = r, .block = b};
            started = pthread_create(&workers[count].thread, &attributes, work, &workers[count]) == 0;
            count += started;
        }
    pthread_attr_destroy(&attributes);
    if (started)
        ended = watch(m, seconds);
    pthread_mutex_lock(&m->lock);
    m->stop |= !started || !ended;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    for (size_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        failed |= workers[i].failed;
        gfab_gpu_parts_release(&workers[i].parts);
    }
    if (!started || failed)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory, or of threads");
    return ended ? GFAB_OK
                 : gfab_fail(diag, 0, GFAB_ERR_INTERRUPTED, "no thread block goes on, for %u seconds", seconds);
}

gfab_status gfab_gpu_plan_run(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options, void *const *inputs,
                              void *const *outputs, uint32_t seconds, gfab_diag *diag)
{
    machine m = {.plan = plan};
    const size_t count = gfab_gpu_plan_thread_blocks(plan);
    gfab_status status = gfab_gpu_plan_chunk(plan, options, &m.chunk, diag);
    if (status == GFAB_OK && count > MOST_THREADS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%zu thread blocks; %d are run", count, MOST_THREADS);
    if (status != GFAB_OK)
        return status;
    m.launches = options && options->launches ? options->launches : 1;
    pthread_mutex_init(&m.lock, NULL);
    pthread_cond_init(&m.changed, NULL);
    worker *workers = calloc(count + 1, sizeof *workers);
    status = make_memory(&m, inputs, outputs) && workers ? run_workers(&m, workers, seconds, diag)
                                                         : gfab_gpu_no_memory(diag);
    free(workers);
    free_memory(&m);
    pthread_cond_destroy(&m.changed);
    pthread_mutex_destroy(&m.lock);
    return status;
}
