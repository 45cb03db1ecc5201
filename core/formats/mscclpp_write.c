/* SPDX-License-Identifier: MIT */
/* Plans for MSCCL++. The blocks of a schedule go their ways independently of each other, so that a thread block has
 * some of them, on all GPUs the same ones, and channels of its own: nothing waits for another thread block. Data is put
 * into the other GPU's memory, where nobody reads it before: a block that is there for the first time at its place, any
 * other in a piece of the scratch buffer that is for it alone. So an order of rounds is enough: in each what goes out,
 * a signal, what comes in, and what is added up. A GPU begins by saying to those that send to it that it has begun.
 * Relays are switches: past them one GPU puts data to another. */
#include "formats.h"

#include <gossipfab/formats/mscclpp.h>

#include "plans/plan.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

#define FIRST 0 /* the rounds of what is copied before and behind all others */
#define LAST UINT32_MAX
#define TOGETHER 8 /* places of an operation */

/* A chunk: its buffer in the upper two bits. */
typedef uint32_t chunk;
#define NO_CHUNK UINT32_MAX
#define CHUNK(buffer, index) ((uint32_t)(buffer) << 30 | (index))
#define INDEX(c) ((c) & (((uint32_t)1 << 30) - 1))

typedef enum act_kind { COPIES, SENDS, RECEIVES, ADDS } act_kind;

/* What a GPU does in a round. */
typedef struct act {
    uint32_t rank, group, round;
    act_kind kind;
    uint32_t peer;
    chunk from, more, to; /* more: is added */
} act;

/* What a node has of a block: at a GPU its own chunk; at a relay that of the GPU that sent it, and in which round. */
typedef struct held {
    uint32_t rank, round;
    chunk at; /* or NO_CHUNK */
} held;

typedef struct maker {
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    gfab_goal goal;
    gfab_diag *diag;
    gfab_status status;
    bool in_place;
    uint32_t slices;              /* thread blocks that share a chunk */
    uint32_t nodes, blocks, each; /* nodes: GPUs; each: blocks of one */
    gfab_moves moves;
    held *where;       /* [node * blocks + block]; relays too */
    held *comes;       /* [move of a round]: to a relay */
    uint32_t *scratch; /* [node]: pieces in use */
    act *acts;
    size_t count, room;
    gfab_gpu_plan *plan;
} maker;

static void add_act(maker *m, act a)
{
    act *grown = m->status == GFAB_OK ? gfab_grown(m->acts, m->count, &m->room, sizeof *grown) : NULL;
    if (!grown && m->status == GFAB_OK)
        m->status = gfab_format_no_memory(m->diag);
    if (m->status != GFAB_OK)
        return;
    m->acts = grown;
    grown[m->count++] = a;
}

/* Blocks that one thread block has to have: of an all-to-all those that two nodes exchange, since in place the one's
 * place is the other's. */
static uint32_t group_of(const maker *m, uint32_t block)
{
    if (m->goal.collective != GFAB_ALL_TO_ALL)
        return block;
    const uint32_t u = block / m->nodes, v = block % m->nodes;
    return u < v ? u * m->nodes + v : v * m->nodes + u;
}

static bool is_all_to_all(const maker *m)
{
    return m->goal.collective == GFAB_ALL_TO_ALL;
}

/* Where a node has what it starts with. */
static chunk first_place(const maker *m, uint32_t node, uint32_t block)
{
    if (is_all_to_all(m))
        return CHUNK(GFAB_GPU_INPUT, block % m->nodes);
    if (m->goal.collective != GFAB_ALL_GATHER)
        return CHUNK(GFAB_GPU_INPUT, block);
    return m->in_place ? CHUNK(GFAB_GPU_OUTPUT, block) : CHUNK(GFAB_GPU_INPUT, block - node * m->each);
}

/* Where a node is to have a block, or its total, in the end. */
static chunk last_place(const maker *m, uint32_t node, uint32_t block)
{
    if (m->goal.collective == GFAB_REDUCE_SCATTER)
        return m->in_place ? CHUNK(GFAB_GPU_INPUT, block) : CHUNK(GFAB_GPU_OUTPUT, block - node * m->each);
    if (is_all_to_all(m))
        return CHUNK(m->in_place ? GFAB_GPU_INPUT : GFAB_GPU_OUTPUT, block / m->nodes);
    if (m->in_place && m->goal.collective != GFAB_ALL_GATHER)
        return CHUNK(GFAB_GPU_INPUT, block);
    return CHUNK(GFAB_GPU_OUTPUT, block);
}

static bool wants(const maker *m, uint32_t node, uint32_t block)
{
    return gfab_goal_wants(&m->goal, m->nodes, node, block);
}

/* ---- which chunks: in the order of the rounds ---- */

/* Where a block is put that comes to a GPU. */
static chunk place_for(maker *m, uint32_t rank, uint32_t block)
{
    const bool moves_alone = !gfab_collective_combines(m->goal.collective);
    if (moves_alone && wants(m, rank, block) && !(is_all_to_all(m) && m->in_place))
        return last_place(m, rank, block);
    return CHUNK(GFAB_GPU_SCRATCH, m->scratch[rank]++);
}

static held *held_at(maker *m, uint32_t node, uint32_t block)
{
    return &m->where[(size_t)node * m->blocks + block];
}

/* What a GPU has sent to another in a round, perhaps by relays, comes there in a later one: it is waited for at once,
 * as the signals are counted, and only used then. */
static void deliver(maker *m, const gfab_move *v, held from)
{
    const uint32_t rank = gfab_topology_rank(m->topology, v->to), group = group_of(m, v->block);
    const chunk to = place_for(m, rank, v->block);
    if (from.rank == rank && m->status == GFAB_OK)
        m->status = gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED, "node %u gets its own block %u back from a relay",
                              v->to, v->block);
    add_act(m, (act){from.rank, group, from.round, SENDS, rank, from.at, NO_CHUNK, to});
    add_act(m, (act){rank, group, from.round, RECEIVES, from.rank, v->to, v->combine ? to : NO_CHUNK, v->block});
    if (!gfab_collective_combines(m->goal.collective))
        *held_at(m, v->to, v->block) = (held){rank, 0, to};
}

/* What has come is now what the GPU has, or is added to it. */
static void take(maker *m, act a, chunk came, uint32_t round)
{
    const uint32_t block = a.to;
    held *is = held_at(m, a.from, block);
    if (a.more == NO_CHUNK || is->at == NO_CHUNK) {
        *is = (held){a.rank, 0, came};
        return;
    }
    chunk sum = is->at;
    if (!m->in_place && sum == first_place(m, a.rank, block))
        sum = wants(m, a.rank, block) ? last_place(m, a.rank, block) : came;
    add_act(m, (act){a.rank, a.group, round, ADDS, 0, is->at, came, sum});
    is->at = sum;
}

/* One round: all that is sent is what was there before it. */
static void plan_round(maker *m, const gfab_move *moves, size_t count)
{
    const bool moves_alone = !gfab_collective_combines(m->goal.collective);
    const size_t first = m->count;
    for (size_t i = 0; i < count && m->status == GFAB_OK; i++) {
        const gfab_move *v = &moves[i];
        const bool relay = gfab_topology_rank(m->topology, v->to) == GFAB_NO_RANK;
        const held *is = held_at(m, v->to, v->block);
        held from = *held_at(m, v->from, v->block);
        m->comes[i].at = NO_CHUNK;
        if (gfab_topology_rank(m->topology, v->from) != GFAB_NO_RANK)
            from.round = v->round;
        if (relay && v->combine && is->at != NO_CHUNK)
            m->status = gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED, "relay %u adds up; in MSCCL++ only GPUs do", v->to);
        else if (moves_alone && is->at != NO_CHUNK) /* it has the block already, or gets it in this round */
            continue;
        else if (relay)
            m->comes[i] = from;
        else
            deliver(m, v, from);
    }
    for (size_t i = 0; i < count && m->status == GFAB_OK; i++)
        if (m->comes[i].at != NO_CHUNK)
            *held_at(m, moves[i].to, moves[i].block) = m->comes[i];
    const size_t past = m->count;
    for (size_t i = first; i < past && m->status == GFAB_OK && !moves_alone; i++)
        if (m->acts[i].kind == RECEIVES)
            take(m, m->acts[i], m->acts[i - 1].to, moves->round);
}

static void plan_rounds(maker *m)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(m->topology);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t b = 0; b < m->blocks; b++) {
            const uint32_t rank = gfab_topology_rank(m->topology, v);
            const bool holds = gfab_moves_holds(m->schedule, v, b);
            *held_at(m, v, b) = (held){rank, 0, holds ? first_place(m, rank, b) : NO_CHUNK};
        }
    for (size_t i = 0, count; i < m->moves.count; i += count) {
        for (count = 1; i + count < m->moves.count && m->moves.at[i + count].round == m->moves.at[i].round;)
            count++;
        plan_round(m, &m->moves.at[i], count);
    }
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t b = 0; b < m->blocks; b++) {
            const uint32_t rank = gfab_topology_rank(m->topology, v);
            const chunk is = held_at(m, v, b)->at;
            if (rank == GFAB_NO_RANK || !wants(m, rank, b) || is == last_place(m, rank, b) || is == NO_CHUNK)
                continue;
            const uint32_t round = is == first_place(m, rank, b) ? FIRST : LAST;
            if (round == LAST || !m->in_place)
                add_act(m, (act){rank, group_of(m, b), round, COPIES, 0, is, NO_CHUNK, last_place(m, rank, b)});
        }
}

static int compare_acts(const void *a, const void *b)
{
    const act *x = a, *y = b;
    const uint32_t keys[][2] = {{x->rank, y->rank},
                                {x->group, y->group},
                                {x->round, y->round},
                                {(uint32_t)x->kind, (uint32_t)y->kind},
                                {x->from >> 30, y->from >> 30},
                                {x->peer, y->peer},
                                {x->to, y->to},
                                {x->more, y->more}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* ---- a thread block ---- */

typedef struct writer {
    maker *m;
    gfab_gpu *gpu;
    gfab_gpu_block *block;
    uint32_t rank, slice;
    bool full; /* it does not fit */
} writer;

static gfab_gpu_op *put_op(writer *w, gfab_gpu_kind kind)
{
    gfab_gpu_op *op = w->m->status == GFAB_OK ? gfab_gpu_plan_add_op(w->m->plan) : NULL;
    if (!op) {
        if (w->m->status == GFAB_OK)
            w->m->status = gfab_format_no_memory(w->m->diag);
        return NULL;
    }
    op->kind = kind;
    if (kind == GFAB_GPU_PUT || kind == GFAB_GPU_REDUCE || kind == GFAB_GPU_COPY) {
        op->slice = w->slice;
        op->slices = w->m->slices;
    }
    w->block->op_count++;
    w->full |= w->block->op_count > GFAB_GPU_OPS;
    return op;
}

static void put_nop(writer *w)
{
    if (w->block->op_count && w->m->plan->ops[w->m->plan->op_count - 1].kind != GFAB_GPU_NOP)
        put_op(w, GFAB_GPU_NOP);
}

static uint32_t find_or_add(writer *w, uint32_t *list, uint32_t *count, uint32_t value)
{
    for (uint32_t i = 0; i < *count; i++)
        if (list[i] == value)
            return i;
    if (*count == GFAB_GPU_BLOCK_CHANNELS) {
        w->full = true;
        return 0;
    }
    list[*count] = value;
    return (*count)++;
}

/* The thread block's channel to a GPU. */
static uint32_t channel_to(writer *w, uint32_t peer)
{
    uint32_t *count = &w->block->channel_count[GFAB_GPU_MEMORY];
    for (uint32_t i = 0; i < *count; i++)
        if (w->gpu->peers[0][w->block->channels[0][i]] == peer)
            return i;
    if (*count == GFAB_GPU_BLOCK_CHANNELS) {
        w->full = true;
        return 0;
    }
    w->gpu->peers[0][w->gpu->peer_count[0]] = peer;
    return find_or_add(w, w->block->channels[0], count, (uint32_t)w->gpu->peer_count[0]++);
}

static void put_place(writer *w, chunk c, uint32_t peer)
{
    gfab_gpu_place *place = w->m->status == GFAB_OK ? gfab_gpu_plan_add_place(w->m->plan) : NULL;
    if (!place) {
        if (w->m->status == GFAB_OK)
            w->m->status = gfab_format_no_memory(w->m->diag);
        return;
    }
    *place = (gfab_gpu_place){.buffer = (gfab_gpu_buffer)(c >> 30), .index = INDEX(c), .size = 1};
    if (peer == w->rank)
        return;
    size_t remote = 0;
    while (remote < w->gpu->remote_count &&
           (w->gpu->remotes[remote].rank != peer || w->gpu->remotes[remote].buffer != place->buffer))
        remote++;
    if (remote == w->gpu->remote_count)
        w->gpu->remotes[w->gpu->remote_count++] = (gfab_gpu_remote){peer, place->buffer, {true, false}};
    place->reach = GFAB_GPU_REMOTE;
    place->id = find_or_add(w, w->block->buffers[0], &w->block->buffer_count[0], (uint32_t)remote);
}

/* Signals to, or waits for, the peers of acts of a kind: each once. */
static void put_steps(writer *w, const act *acts, size_t count, act_kind of, gfab_gpu_kind kind)
{
    uint8_t channels[GFAB_GPU_BLOCK_CHANNELS];
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        if (acts[i].kind != of)
            continue;
        const uint8_t channel = (uint8_t)channel_to(w, acts[i].peer);
        while (j < known && channels[j] != channel)
            j++;
        if (j == known && known < GFAB_GPU_BLOCK_CHANNELS)
            channels[known++] = channel;
    }
    for (size_t at = 0; at < known; at += GFAB_GPU_OP_CHANNELS) {
        const size_t some = known - at < GFAB_GPU_OP_CHANNELS ? known - at : GFAB_GPU_OP_CHANNELS;
        gfab_gpu_op *op = put_op(w, kind);
        if (!op)
            return;
        op->channel = GFAB_GPU_MEMORY;
        op->channel_count = (uint8_t)some;
        memcpy(op->channels, channels + at, some);
    }
}

/* What goes out, up to eight chunks of one buffer at once. */
static void put_sends(writer *w, const act *acts, size_t count)
{
    for (size_t i = 0, some; i < count && w->m->status == GFAB_OK; i += some) {
        for (some = 1; some < TOGETHER && i + some < count && acts[i + some].from >> 30 == acts[i].from >> 30;)
            some++;
        gfab_gpu_op *op = put_op(w, GFAB_GPU_PUT);
        if (!op)
            return;
        op->channel = GFAB_GPU_MEMORY;
        op->sources = op->targets = (uint8_t)some;
        for (size_t j = 0; j < 2 * some; j++)
            put_place(w, j < some ? acts[i + j].from : acts[i + j - some].to,
                      j < some ? w->rank : acts[i + j - some].peer);
    }
}

static void put_local(writer *w, const act *a)
{
    gfab_gpu_op *op = put_op(w, a->kind == ADDS ? GFAB_GPU_REDUCE : GFAB_GPU_COPY);
    if (!op)
        return;
    op->sources = a->kind == ADDS ? 2 : 1;
    op->targets = 1;
    put_place(w, a->from, w->rank);
    if (a->kind == ADDS)
        put_place(w, a->more, w->rank);
    put_place(w, a->to, w->rank);
}

static size_t of_kind(const act *acts, size_t count, act_kind kind, size_t from)
{
    while (from < count && acts[from].kind == kind)
        from++;
    return from;
}

/* All of one round. */
static void put_round(writer *w, const act *acts, size_t count)
{
    const size_t copies = of_kind(acts, count, COPIES, 0), sends = of_kind(acts, count, SENDS, copies);
    const size_t receives = of_kind(acts, count, RECEIVES, sends);
    if (copies && acts->round == LAST)
        put_nop(w);
    for (size_t i = 0; i < copies; i++)
        put_local(w, &acts[i]);
    put_sends(w, acts + copies, sends - copies);
    if (sends > copies)
        put_nop(w);
    put_steps(w, acts, count, SENDS, GFAB_GPU_SIGNAL);
    put_steps(w, acts, count, RECEIVES, GFAB_GPU_WAIT);
    if (receives > sends)
        put_nop(w);
    for (size_t i = receives, since = receives; i < count; i++) {
        for (size_t j = since; j < i; j++)
            if (acts[i].to == acts[j].to) { /* the same sum again */
                put_nop(w);
                since = i;
            }
        put_local(w, &acts[i]);
    }
    if (count > receives)
        put_nop(w);
}

/* A thread block's acts, in order. */
static void put_block(writer *w, const act *acts, size_t count)
{
    w->block->ops = w->m->plan->op_count;
    put_steps(w, acts, count, RECEIVES, GFAB_GPU_SIGNAL);
    put_steps(w, acts, count, SENDS, GFAB_GPU_WAIT);
    put_nop(w);
    for (size_t i = 0, some; i < count && w->m->status == GFAB_OK && !w->full; i += some) {
        for (some = 1; i + some < count && acts[i + some].round == acts[i].round;)
            some++;
        put_round(w, acts + i, some);
    }
}

/* ---- the plan ---- */

static const char *collective_name(gfab_collective collective)
{
    static const char *const names[GFAB_COLLECTIVES] = {
        [GFAB_ALL_GATHER] = "allgather", [GFAB_REDUCE_SCATTER] = "reducescatter",
        [GFAB_ALL_REDUCE] = "allreduce", [GFAB_BROADCAST] = "broadcast",
        [GFAB_REDUCE] = "reduce",        [GFAB_ALL_TO_ALL] = "alltoall"};
    return names[collective];
}

static gfab_gpu_plan *begin_plan(maker *m, uint32_t thread_blocks)
{
    gfab_gpu_plan *plan = gfab_gpu_plan_create(m->nodes, "gossipfab", collective_name(m->goal.collective));
    bool good = plan;
    for (uint32_t v = 0; v < m->nodes && good; v++) {
        gfab_gpu *gpu = &plan->gpus[v];
        const bool gathers = m->goal.collective == GFAB_ALL_GATHER,
                   scatters = m->goal.collective == GFAB_REDUCE_SCATTER;
        const uint32_t all = is_all_to_all(m) ? m->nodes : m->blocks;
        gpu->chunks[GFAB_GPU_INPUT] = gathers ? m->each : all;
        gpu->chunks[GFAB_GPU_OUTPUT] = scatters ? m->each : all;
        gpu->chunks[GFAB_GPU_SCRATCH] = m->scratch[v];
        gpu->peers[0] = calloc((size_t)thread_blocks * m->slices * m->nodes + 1, sizeof *gpu->peers[0]);
        gpu->remotes = calloc(3 * (size_t)m->nodes, sizeof *gpu->remotes);
        gpu->blocks = calloc((size_t)thread_blocks * m->slices, sizeof *gpu->blocks);
        good = gpu->peers[0] && gpu->remotes && gpu->blocks;
    }
    if (good) {
        plan->in_place = m->in_place;
        plan->root = m->goal.root;
        return plan;
    }
    gfab_gpu_plan_destroy(plan);
    m->status = gfab_format_no_memory(m->diag);
    return NULL;
}

/* With so many thread blocks for each GPU; false where one does not fit. */
static bool put_plan(maker *m, act *acts, uint32_t thread_blocks)
{
    bool full = false;
    for (size_t i = 0; i < m->count; i++) {
        acts[i] = m->acts[i];
        acts[i].group %= thread_blocks;
    }
    if (m->count)
        qsort(acts, m->count, sizeof *acts, compare_acts);
    m->plan = begin_plan(m, thread_blocks);
    size_t at = 0;
    for (uint32_t v = 0; v < m->nodes && m->status == GFAB_OK && !full; v++)
        for (uint32_t t = 0; t < thread_blocks && m->status == GFAB_OK && !full; t++) {
            const size_t first = at;
            while (at < m->count && acts[at].rank == v && acts[at].group == t)
                at++;
            for (uint32_t slice = 0; slice < m->slices && m->status == GFAB_OK && !full; slice++) {
                gfab_gpu *gpu = &m->plan->gpus[v];
                writer w = {m, gpu, &gpu->blocks[gpu->block_count++], v, slice, false};
                put_block(&w, acts + first, at - first);
                full = w.full;
            }
        }
    return !full;
}

static void make_plan(maker *m)
{
    uint32_t groups = 0;
    act *acts = malloc((m->count + 1) * sizeof *acts);
    if (!acts)
        m->status = gfab_format_no_memory(m->diag);
    for (size_t i = 0; i < m->count; i++)
        groups = m->acts[i].group >= groups ? m->acts[i].group + 1 : groups;
    for (uint32_t t = 1; m->status == GFAB_OK && !m->plan; t = t * 2 > groups && t < groups ? groups : t * 2) {
        if (t > groups && t > 1)
            m->status = gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED,
                                  "a block alone takes a GPU more than %d operations, or %d channels or buffers, which "
                                  "is all that MSCCL++ has for a thread block",
                                  GFAB_GPU_OPS, GFAB_GPU_BLOCK_CHANNELS);
        else if (!put_plan(m, acts, t) && m->status == GFAB_OK) {
            gfab_gpu_plan_destroy(m->plan);
            m->plan = NULL;
        }
    }
    free(acts);
}

static gfab_status check(const maker *m)
{
    if (!collective_name(m->goal.collective))
        return gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED, "MSCCL++ has no %s",
                         gfab_collective_name(m->goal.collective));
    if (m->goal.idempotent)
        return gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED, "MSCCL++ adds up; here contributions may count twice");
    if (gfab_schedule_model(m->schedule)->hop_rounds != 1)
        return gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED, "a hop takes %u rounds; with MSCCL++ it is one",
                         gfab_schedule_model(m->schedule)->hop_rounds);
    for (uint32_t v = 0; v < gfab_topology_node_count(m->topology) && m->goal.collective == GFAB_ALL_GATHER; v++) {
        const uint32_t rank = gfab_topology_rank(m->topology, v), first = gfab_schedule_first_token(m->schedule, v);
        if (rank != GFAB_NO_RANK &&
            (first != rank * m->each || gfab_schedule_first_token(m->schedule, (size_t)v + 1) != first + m->each))
            return gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED,
                             "MSCCL++'s all-gather has as many blocks at every node; here they differ");
    }
    if (m->nodes > GFAB_GPU_RANKS || m->blocks > GFAB_GPU_CHUNKS)
        return gfab_fail(m->diag, 0, GFAB_ERR_UNSUPPORTED, "%u nodes and %u blocks; at most %d and %u are written",
                         m->nodes, m->blocks, GFAB_GPU_RANKS, GFAB_GPU_CHUNKS);
    return GFAB_OK;
}

gfab_status gfab_mscclpp_write_shared(const gfab_schedule *schedule, bool in_place, uint32_t thread_blocks, FILE *file,
                                      gfab_diag *diag)
{
    maker m = {.schedule = schedule,
               .diag = diag,
               .in_place = in_place,
               .slices = thread_blocks,
               .goal = gfab_schedule_goal(schedule)};
    if (thread_blocks < 1 || thread_blocks > GFAB_MSCCLPP_SHARED)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u thread blocks share a chunk; 1 to %d can", thread_blocks,
                         GFAB_MSCCLPP_SHARED);
    m.topology = gfab_schedule_topology(schedule);
    m.nodes = (uint32_t)gfab_topology_member_count(m.topology);
    m.blocks = (uint32_t)gfab_schedule_token_count(schedule);
    m.each = m.blocks / m.nodes;
    m.status = check(&m);
    if (m.status == GFAB_OK)
        m.status = gfab_moves_of(schedule, &m.moves, diag);
    m.where = malloc((gfab_topology_node_count(m.topology) * m.blocks + 1) * sizeof *m.where);
    m.comes = malloc((m.moves.count + 1) * sizeof *m.comes);
    m.scratch = calloc(m.nodes, sizeof *m.scratch);
    if (m.status == GFAB_OK && (!m.where || !m.comes || !m.scratch))
        m.status = gfab_format_no_memory(diag);
    if (m.status == GFAB_OK)
        plan_rounds(&m);
    if (m.status == GFAB_OK)
        make_plan(&m);
    if (m.status == GFAB_OK)
        m.status = gfab_gpu_plan_validate(m.plan, diag);
    if (m.status == GFAB_OK)
        m.status = gfab_gpu_plan_write(m.plan, file, diag);
    gfab_gpu_plan_destroy(m.plan);
    gfab_moves_release(&m.moves);
    free(m.where);
    free(m.comes);
    free(m.scratch);
    free(m.acts);
    return m.status;
}

gfab_status gfab_mscclpp_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                               gfab_diag *diag)
{
    (void)progress;
    return gfab_mscclpp_write_shared(schedule, true, 1, file, diag);
}

gfab_status gfab_mscclpp_write_apart(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                     gfab_diag *diag)
{
    (void)progress;
    return gfab_mscclpp_write_shared(schedule, false, 1, file, diag);
}
