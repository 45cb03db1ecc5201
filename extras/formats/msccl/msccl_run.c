/* SPDX-License-Identifier: MIT */
/* MSCCL's programs, carried out with sets of contributions for data: every thread block in turn, as far as what it
 * waits for is there. As counts of messages, of free places and of steps done only grow, a run that stops shows that
 * every run stops, and one that does not that none does (docs/theory/gpu-plans.md). The chunks of a step go in as many
 * messages as at the greatest length of a call: fewer and longer ones wait for less. */
#include "msccl.h"

#include "base/grow.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>

#define MAX_CELLS ((uint64_t)1 << 26)

/* A chunk, in a buffer or on its way. */
typedef struct cell {
    uint32_t block;
    uint32_t set;  /* 0: nothing yet */
    uint32_t left; /* on its way: chunks of the message from here on */
    uint32_t message;
} cell;

typedef struct queue {
    cell *at;
    size_t first, count, capacity;
    uint32_t messages; /* that take a place on the way */
} queue;

typedef struct run {
    gfab_msccl *m;
    gfab_goal goal;
    gfab_sets *sets;
    gfab_moves *moves;
    uint32_t each, cut; /* blocks of an owner; chunks of an all-to-all's block, else 1 */
    gfab_msccl_log log;
    cell *cells;
    size_t *at;               /* [thread block]: the next step */
    uint32_t *part;           /* [thread block]: its chunks that are done */
    queue *queues;            /* [thread block]: what is on its way to it */
    const gfab_msccl_tb **to; /* [thread block]: that takes what it sends */
    gfab_arena arena;
} run;

#define FAULT(r, step, ...) gfab_fail((r)->m->diag, (step)->line, GFAB_ERR_FAULT, __VA_ARGS__)

/* ---- buffers ---- */

/* Chunks that a GPU's buffer has by what the file is for, or by what it says, whichever is more. */
static uint64_t room_of(const run *r, uint32_t gpu, int buffer)
{
    uint64_t room = buffer == 2 ? 0 : r->m->chunks;
    if ((r->goal.collective == GFAB_ALL_GATHER && buffer == 0) ||
        (r->goal.collective == GFAB_REDUCE_SCATTER && buffer == 1))
        room = r->each;
    return room > r->m->gpus[gpu].chunks[buffer] ? room : r->m->gpus[gpu].chunks[buffer];
}

/* Places the buffers of a GPU from a cell on; returns the first cell behind them. In place, input and output share
 * memory; the smaller one is the part of the other that is the GPU's own. */
static uint64_t place_buffers(run *r, uint32_t gpu, uint64_t from)
{
    const bool gathers = r->goal.collective == GFAB_ALL_GATHER;
    const bool parted = gathers || r->goal.collective == GFAB_REDUCE_SCATTER;
    const uint64_t rooms[2] = {room_of(r, gpu, 0), room_of(r, gpu, 1)};
    uint64_t *base = r->log.base[gpu];
    uint64_t end = from;
    base[0] = base[1] = base[3] = from;
    if (r->m->in_place && parted)
        base[gathers ? 0 : 1] += (uint64_t)gpu * r->each;
    if (!r->m->in_place)
        base[1] += rooms[0];
    for (int b = 0; b < 2; b++)
        end = base[b] + rooms[b] > end ? base[b] + rooms[b] : end;
    base[2] = end;
    return r->log.end[gpu] = end + room_of(r, gpu, 2);
}

/* The block at an offset of a GPU's input, or output. */
static uint32_t block_at(const run *r, uint32_t gpu, uint32_t offset, bool output)
{
    if (r->goal.collective == GFAB_ALL_TO_ALL)
        return (output ? offset / r->cut * r->m->nodes + gpu : gpu * r->m->nodes + offset / r->cut) * r->cut +
               offset % r->cut;
    if (r->goal.collective == (output ? GFAB_REDUCE_SCATTER : GFAB_ALL_GATHER))
        return gpu * r->each + offset;
    return offset;
}

static uint32_t blocks_in(const run *r, bool output)
{
    if (r->goal.collective == (output ? GFAB_REDUCE_SCATTER : GFAB_ALL_GATHER))
        return r->each;
    return r->m->chunks;
}

static gfab_status begin(run *r)
{
    const gfab_msccl *m = r->m;
    uint64_t cells = 0;
    r->log.base = malloc(m->nodes * sizeof *r->log.base);
    r->log.end = malloc(m->nodes * sizeof *r->log.end);
    r->at = calloc(m->tb_count + 1, sizeof *r->at);
    GFAB_ARRAYS(&r->arena, m->tb_count + 1, r->part, r->queues);
    r->to = calloc(m->tb_count + 1, sizeof *r->to);
    GFAB_NEED_TOLD(r->log.base && r->log.end && r->at && !r->arena.failed && r->to, m->diag);
    for (uint32_t v = 0; v < m->nodes; v++)
        cells = place_buffers(r, v, cells);
    if (cells > MAX_CELLS)
        return gfab_fail(m->diag, 0, GFAB_ERR_LIMIT, "%llu chunks in all buffers; at most %llu are supported",
                         (unsigned long long)cells, (unsigned long long)MAX_CELLS);
    r->cells = gfab_arena_zeroed(&r->arena, cells + 1, sizeof *r->cells);
    GFAB_NEED_TOLD(r->cells, m->diag);
    for (uint32_t v = 0; v < m->nodes; v++)
        for (uint32_t i = 0; i < blocks_in(r, false); i++) {
            const uint32_t block = block_at(r, v, i, false);
            if (gfab_goal_holds(&r->goal, m->nodes, v, block / r->cut))
                r->cells[r->log.base[v][0] + i] = (cell){.block = block, .set = gfab_sets_single(r->sets, v)};
        }
    return GFAB_OK;
}

/* What each step waits for: the executor's flag grows to the number of a step that has one, and is never less again. */
static gfab_status find_flags(run *r)
{
    gfab_msccl *m = r->m;
    r->log.flags = 0;
    for (size_t i = 0; i < m->step_count; i++)
        m->steps[i].awaited = false;
    for (size_t t = 0; t < m->tb_count; t++)
        for (size_t i = 0; i < m->tbs[t].step_count; i++) {
            gfab_msccl_step *s = &m->steps[m->tbs[t].first_step + i];
            s->flag = 0;
            if (s->dep_tb < 0)
                continue;
            const gfab_msccl_tb *tb = &m->tbs[m->gpus[m->tbs[t].gpu].first_tb + (size_t)s->dep_tb];
            size_t at = (size_t)s->dep_step;
            while (at < tb->step_count && !m->steps[tb->first_step + at].has_dep)
                at++;
            if (at == tb->step_count)
                return FAULT(r, s, "GPU %u waits for step %d of thread block %d, which says hasdep=\"0\"", tb->gpu,
                             s->dep_step, s->dep_tb);
            gfab_msccl_step *other = &m->steps[tb->first_step + at];
            s->flag = (uint32_t)(tb->first_step + at) + 1;
            if (!other->awaited)
                other->number = r->log.flags++;
            other->awaited = true;
        }
    return GFAB_OK;
}

/* ---- steps ---- */

static gfab_status push(run *r, queue *q, cell c)
{
    GFAB_NEED_TOLD(gfab_grow(&q->at, q->count, &q->capacity, sizeof *q->at), r->m->diag);
    q->at[q->count++] = c;
    return GFAB_OK;
}

/* Is a chunk, of so many from here on, the first of a message? */
static bool starts_message(const run *r, const gfab_msccl_step *s, uint32_t left)
{
    return ((uint32_t)s->count - left) % r->m->fill == 0;
}

static gfab_status send(run *r, const gfab_msccl_tb *tb, const gfab_msccl_step *s, cell c, uint32_t left)
{
    if (c.set == 0)
        return FAULT(r, s, "GPU %u sends GPU %d a chunk in which there is nothing yet", tb->gpu, tb->send);
    const gfab_move move = {.from = tb->gpu, .to = (uint32_t)tb->send, .block = c.block, .set = c.set};
    gfab_moves_push(r->moves, &move);
    queue *q = &r->queues[r->to[tb - r->m->tbs] - r->m->tbs];
    c.left = left;
    c.message = r->log.messages++;
    q->messages += starts_message(r, s, left);
    return push(r, q, c);
}

static gfab_status receive(run *r, const gfab_msccl_tb *tb, const gfab_msccl_step *s, uint32_t left, cell *c)
{
    queue *q = &r->queues[tb - r->m->tbs];
    *c = q->at[q->first++];
    q->messages -= left == 1 || starts_message(r, s, left - 1);
    return c->left == left
               ? GFAB_OK
               : FAULT(r, s, "GPU %u takes %u chunks more of a message that has %u more", tb->gpu, left, c->left);
}

/* a becomes both. */
static gfab_status reduce(run *r, const gfab_msccl_tb *tb, const gfab_msccl_step *s, cell *a, cell b)
{
    if (a->set == 0 || b.set == 0)
        return FAULT(r, s, "GPU %u reduces a chunk in which there is nothing yet", tb->gpu);
    if (a->block != b.block)
        return FAULT(r, s, "GPU %u reduces block %u with block %u", tb->gpu, a->block, b.block);
    if (!gfab_collective_combines(r->goal.collective))
        return FAULT(r, s, "GPU %u reduces; nothing is combined in this collective", tb->gpu);
    if (!gfab_sets_disjoint(r->sets, a->set, b.set))
        return FAULT(r, s, "GPU %u reduces two parts of block %u that share a contribution", tb->gpu, a->block);
    a->set = gfab_sets_union(r->sets, a->set, b.set);
    return GFAB_OK;
}

/* One chunk of a step. */
static gfab_status do_chunk(run *r, const gfab_msccl_tb *tb, const gfab_msccl_step *s, uint32_t i)
{
    const uint64_t *base = r->log.base[tb->gpu];
    cell *source = s->source < 0 ? NULL : &r->cells[base[s->source_buffer] + (uint32_t)s->source + i];
    cell *target = s->target < 0 ? NULL : &r->cells[base[s->target_buffer] + (uint32_t)s->target + i];
    const uint32_t left = (uint32_t)s->count - i;
    cell c = {0};
    GFAB_TRY(gfab_msccl_receives(s->type) ? receive(r, tb, s, left, &c) : GFAB_OK);
    if (r->m->custom) /* whatever there is */
        return gfab_msccl_sends(s->type) ? send(r, tb, s, (cell){.set = 1}, left) : GFAB_OK;
    switch (s->type) {
    case GFAB_MSCCL_SEND:
        return send(r, tb, s, *source, left);
    case GFAB_MSCCL_RECV:
        *target = c;
        return GFAB_OK;
    case GFAB_MSCCL_RECV_COPY_SEND:
        *target = c;
        return send(r, tb, s, c, left);
    case GFAB_MSCCL_RECV_REDUCE_SEND:
        GFAB_TRY(reduce(r, tb, s, &c, *source));
        return send(r, tb, s, c, left);
    case GFAB_MSCCL_RECV_REDUCE_COPY:
    case GFAB_MSCCL_RECV_REDUCE_COPY_SEND:
        GFAB_TRY(reduce(r, tb, s, &c, *source));
        *target = c;
        return s->type == GFAB_MSCCL_RECV_REDUCE_COPY ? GFAB_OK : send(r, tb, s, c, left);
    case GFAB_MSCCL_COPY:
        *target = *source;
        return GFAB_OK;
    case GFAB_MSCCL_REDUCE:
        return reduce(r, tb, s, target, *source);
    case GFAB_MSCCL_NOP:
        break;
    }
    return GFAB_OK;
}

/* What keeps a thread block from its next chunk; NULL: nothing. */
static const char *wait_of(const run *r, size_t t, const gfab_msccl_step *s)
{
    const queue *q = &r->queues[t];
    if (r->part[t] == 0 && s->flag) {
        const gfab_msccl_tb *other = &r->m->tbs[r->m->gpus[r->m->tbs[t].gpu].first_tb + (size_t)s->dep_tb];
        if (other->first_step + r->at[other - r->m->tbs] < s->flag)
            return "for another thread block";
    }
    if (gfab_msccl_receives(s->type) && q->count == q->first)
        return "for what comes";
    if (!gfab_msccl_sends(s->type) || !starts_message(r, s, (uint32_t)s->count - r->part[t]))
        return NULL;
    q = &r->queues[r->to[t] - r->m->tbs];
    return q->messages < r->m->slots ? NULL : "for a free place on the way to its peer";
}

/* The next chunk of a thread block, with its place in the log. */
static gfab_status go_on(run *r, size_t t, const gfab_msccl_step *s)
{
    const queue *q = &r->queues[t];
    const uint32_t messages = r->log.messages;
    GFAB_NEED_TOLD(gfab_grow(&r->log.at, r->log.count, &r->log.room, sizeof *r->log.at), r->m->diag);
    r->log.at[r->log.count++] = (gfab_msccl_event){
        (uint32_t)t, (uint32_t)(s - r->m->steps), r->part[t], gfab_msccl_sends(s->type) ? messages : GFAB_MSCCL_NONE,
        gfab_msccl_receives(s->type) ? q->at[q->first].message : GFAB_MSCCL_NONE};
    GFAB_TRY(s->count ? do_chunk(r, &r->m->tbs[t], s, r->part[t]) : GFAB_OK);
    if (++r->part[t] >= (uint32_t)s->count) {
        r->part[t] = 0;
        r->at[t]++;
    }
    return GFAB_OK;
}

/* A step of every thread block that can go on, as far as it can. */
static gfab_status sweep(run *r, bool *moved, bool *left)
{
    *moved = *left = false;
    for (size_t t = 0; t < r->m->tb_count; t++) {
        const gfab_msccl_tb *tb = &r->m->tbs[t];
        const size_t at = r->at[t];
        if (at == tb->step_count)
            continue;
        const gfab_msccl_step *s = &r->m->steps[tb->first_step + at];
        *left = true;
        if (gfab_msccl_sends(s->type) && !r->to[t] && !(r->to[t] = gfab_msccl_partner(r->m, tb, true)))
            return GFAB_ERR_PARSE;
        while (r->at[t] == at && !wait_of(r, t, s)) {
            GFAB_TRY(go_on(r, t, s));
            *moved = true;
        }
    }
    return GFAB_OK;
}

/* ---- the end ---- */

static gfab_status check_output(run *r)
{
    const gfab_msccl *m = r->m;
    uint32_t full = 0;
    for (uint32_t v = 0; v < m->nodes && gfab_collective_combines(r->goal.collective); v++)
        full = gfab_sets_union(r->sets, full, gfab_sets_single(r->sets, v));
    for (uint32_t v = 0; v < m->nodes && !r->sets->failed; v++)
        for (uint32_t i = 0; i < blocks_in(r, true); i++) {
            const uint32_t block = block_at(r, v, i, true);
            const cell *c = &r->cells[r->log.base[v][1] + i];
            if (!gfab_goal_wants(&r->goal, m->nodes, v, block / r->cut))
                continue;
            if (c->set == 0 || c->block != block)
                return gfab_fail(m->diag, 0, GFAB_ERR_FAULT, "GPU %u ends without block %u in chunk %u of its output",
                                 v, block, i);
            if (full && c->set != full)
                return gfab_fail(m->diag, 0, GFAB_ERR_FAULT,
                                 "GPU %u ends without GPU %u's contribution in chunk %u of its output", v,
                                 gfab_sets_lacking(r->sets, full, c->set), i);
        }
    return GFAB_OK;
}

static gfab_status carry_out(run *r)
{
    bool moved = true, left = true;
    GFAB_TRY(begin(r));
    GFAB_TRY(find_flags(r));
    while (moved && left)
        GFAB_TRY(sweep(r, &moved, &left));
    for (size_t t = 0; t < r->m->tb_count; t++) {
        const gfab_msccl_tb *tb = &r->m->tbs[t];
        if (r->at[t] == tb->step_count)
            continue;
        const gfab_msccl_step *s = &r->m->steps[tb->first_step + r->at[t]];
        return FAULT(r, s, "GPU %u waits here for ever, %s", tb->gpu, wait_of(r, t, s));
    }
    if (!r->m->custom)
        GFAB_TRY(check_output(r));
    GFAB_NEED_TOLD(!r->sets->failed && !r->moves->failed, r->m->diag);
    return gfab_msccl_check_order(r->m, &r->log);
}

static gfab_status run_once(gfab_msccl *m, const gfab_goal *goal, gfab_sets *sets, gfab_moves *moves)
{
    run r = {.m = m, .goal = *goal, .sets = sets, .moves = moves, .each = m->chunks / m->nodes, .cut = 1};
    if (goal->collective == GFAB_ALL_TO_ALL)
        r.cut = r.each;
    const gfab_status status = carry_out(&r);
    for (size_t t = 0; t < m->tb_count && r.queues; t++)
        free(r.queues[t].at);
    GFAB_FREE(r.log.at, r.log.base, r.log.end);
    gfab_arena_release(&r.arena);
    GFAB_FREE(r.at, r.to);
    return status;
}

gfab_status gfab_msccl_run(gfab_msccl *m, const gfab_goal *goal, gfab_sets *sets, gfab_moves *moves)
{
    const size_t before = moves->count;
    if (m->both_ways) {
        m->in_place = true;
        GFAB_TRY(run_once(m, goal, sets, moves));
        moves->count = before;
        m->in_place = false;
    }
    return run_once(m, goal, sets, moves);
}
