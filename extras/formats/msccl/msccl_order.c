/* SPDX-License-Identifier: MIT */
/* Whether the order of the steps of a GPU matters where nothing says it: of two that use one chunk, one of which writes
 * there, one has to come before the other in every run.
 *
 * Nothing in a program branches, and what can happen at some time can happen later, so what comes before what is the
 * same in all runs, and is read off one: a step comes behind those before it in its thread block, behind what sent what
 * it receives, and behind what it waits for. A clock says for each thread block of a GPU how much of it comes before;
 * Mattern, Virtual time and global states of distributed systems, 1989. A GPU at a time, as the clocks of all together
 * would take too much room. */
#include "msccl.h"

#include <gossipfab/base/arena.h>
#include <string.h>

/* The last use of a chunk by a thread block; when is its number there, from 1. */
typedef struct use {
    uint32_t when, step;
} use;

typedef struct order {
    const gfab_msccl *m;
    const gfab_msccl_log *log;
    size_t first, width; /* the GPU's thread blocks */
    uint64_t cell;       /* the first one of its memory */
    uint32_t *now;       /* [thread block * width + i] */
    uint32_t *sent;      /* [message * width + i] */
    uint32_t *flags;     /* [flag * width + i] */
    use *reads;          /* [cell * width + i]: since the chunk was written */
    use *writes;         /* [cell] */
    uint32_t *writers;   /* [cell] */
    gfab_arena arena;
} order;
GFAB_HOLDS_ARENA(order)

static void join(const order *o, uint32_t *clock, const uint32_t *other)
{
    for (size_t i = 0; i < o->width; i++)
        clock[i] = other[i] > clock[i] ? other[i] : clock[i];
}

static gfab_status say(const order *o, size_t tb, uint32_t step, size_t other, const use *before)
{
    const gfab_msccl_step *s = &o->m->steps[step], *b = &o->m->steps[before->step];
    return gfab_fail(o->m->diag, s->line, GFAB_ERR_FAULT,
                     "GPU %u, step %zu of thread block %zu: a chunk that step %zu of thread block %zu (line %zu) uses, "
                     "too, one of them writes it, and nothing orders them",
                     o->m->tbs[tb].gpu, step - o->m->tbs[tb].first_step, tb - o->first,
                     before->step - o->m->tbs[o->first + other].first_step, other, b->line);
}

static gfab_status use_cell(order *o, size_t tb, uint32_t step, uint64_t cell, bool writes)
{
    const size_t own = tb - o->first, c = (size_t)(cell - o->cell);
    const uint32_t *clock = &o->now[tb * o->width];
    use *reads = &o->reads[c * o->width];
    if (o->writes[c].when > clock[o->writers[c]])
        return say(o, tb, step, o->writers[c], &o->writes[c]);
    for (size_t i = 0; i < o->width && writes; i++)
        if (reads[i].when > clock[i])
            return say(o, tb, step, i, &reads[i]);
    if (writes) {
        memset(reads, 0, o->width * sizeof *reads);
        o->writes[c] = (use){clock[own], step};
        o->writers[c] = (uint32_t)own;
    } else
        reads[own] = (use){clock[own], step};
    return GFAB_OK;
}

static gfab_status follow(order *o, const gfab_msccl_event *e)
{
    const gfab_msccl_step *s = &o->m->steps[e->step];
    uint32_t *clock = &o->now[e->tb * o->width];
    if (e->part == 0 && s->flag)
        join(o, clock, &o->flags[o->m->steps[s->flag - 1].number * o->width]);
    if (e->received != GFAB_MSCCL_NONE)
        join(o, clock, &o->sent[e->received * o->width]);
    if (e->tb >= o->first && e->tb < o->first + o->width) {
        const uint64_t *base = o->log->base[o->m->tbs[e->tb].gpu];
        clock[e->tb - o->first]++;
        if (gfab_msccl_uses(s->type, true))
            GFAB_TRY(use_cell(o, e->tb, e->step, base[s->source_buffer] + (uint32_t)s->source + e->part, false));
        if (gfab_msccl_uses(s->type, false))
            GFAB_TRY(use_cell(o, e->tb, e->step, base[s->target_buffer] + (uint32_t)s->target + e->part, true));
    }
    if (e->sent != GFAB_MSCCL_NONE)
        memcpy(&o->sent[e->sent * o->width], clock, o->width * sizeof *clock);
    if (s->awaited && e->part + 1 >= (uint32_t)s->count)
        memcpy(&o->flags[s->number * o->width], clock, o->width * sizeof *clock);
    return GFAB_OK;
}

static gfab_status check_gpu(const gfab_msccl *m, const gfab_msccl_log *log, uint32_t gpu)
{
    const size_t width = m->gpus[gpu].tb_count, cells = (size_t)(log->end[gpu] - log->base[gpu][3]);
    GFAB_AT_END(order_release)
    order o = {.m = m, .log = log, .first = m->gpus[gpu].first_tb, .width = width, .cell = log->base[gpu][3]};
    if (width < 2)
        return GFAB_OK;
    o.now = gfab_arena_zeroed2(&o.arena, m->tb_count, width, sizeof *o.now);
    o.sent = gfab_arena_zeroed(&o.arena, (log->messages + 1) * width, sizeof *o.sent);
    o.flags = gfab_arena_zeroed(&o.arena, (log->flags + 1) * width, sizeof *o.flags);
    o.reads = gfab_arena_zeroed(&o.arena, (cells + 1) * width, sizeof *o.reads);
    GFAB_ARRAYS(&o.arena, cells + 1, o.writes, o.writers);
    GFAB_NEED_TOLD(!o.arena.failed, m->diag);
    for (size_t i = 0; i < log->count; i++)
        GFAB_TRY(follow(&o, &log->at[i]));
    return GFAB_OK;
}

gfab_status gfab_msccl_check_order(const gfab_msccl *m, const gfab_msccl_log *log)
{
    for (uint32_t v = 0; v < m->nodes; v++)
        GFAB_TRY(check_gpu(m, log, v));
    return GFAB_OK;
}
