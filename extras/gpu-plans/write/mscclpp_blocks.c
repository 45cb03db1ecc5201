/* SPDX-License-Identifier: MIT */
/* Puts what each GPU does into thread blocks: operations of MSCCL++, in as few blocks as have room for them. */
#include "acts.h"

#include <stdlib.h>
#include <string.h>

static int compare_acts(const void *a, const void *b)
{
    const act *x = a, *y = b;
    const uint32_t keys[][2] = {{x->rank, y->rank},   {x->group, y->group},
                                {x->round, y->round}, {(uint32_t)x->kind, (uint32_t)y->kind},
                                {x->relay, y->relay}, {x->from >> 30, y->from >> 30},
                                {x->peer, y->peer},   {x->to, y->to},
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
    if (kind == GFAB_GPU_PUT || kind == GFAB_GPU_REDUCE || kind == GFAB_GPU_COPY || kind == GFAB_GPU_GROUP_STORE) {
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

/* ---- one store to all of a relay's GPUs ---- */

size_t gfab_mscclpp_gpus_at(const gfab_topology *topology, uint32_t relay, uint32_t *ranks)
{
    size_t count, gpus = 0;
    const gfab_port *ports = gfab_topology_ports(topology, relay, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t rank = gfab_topology_rank(topology, ports[i].peer);
        if (rank != GFAB_NO_RANK && ranks)
            ranks[gpus] = rank;
        gpus += rank != GFAB_NO_RANK;
    }
    return gpus;
}

/* Which of a GPU's groups has these GPUs; group_count: none. */
static size_t find_group(const gfab_gpu *gpu, gfab_gpu_buffer buffer, const uint32_t *ranks, size_t count)
{
    size_t g = 0;
    while (g < gpu->group_count && (gpu->groups[g].buffer != buffer || gpu->groups[g].rank_count != count ||
                                    memcmp(gpu->groups[g].ranks, ranks, count * sizeof *ranks) != 0))
        g++;
    return g;
}

/* Each GPU of a relay has the group of all of them. */
static bool add_group(maker *m, uint32_t relay, gfab_gpu_buffer buffer, uint32_t *ranks)
{
    const size_t count = gfab_mscclpp_gpus_at(m->topology, relay, ranks);
    for (size_t i = 0; i < count; i++) {
        gfab_gpu *gpu = &m->plan->gpus[ranks[i]];
        if (find_group(gpu, buffer, ranks, count) < gpu->group_count)
            continue;
        gfab_gpu_group *grown = realloc(gpu->groups, (gpu->group_count + 1) * sizeof *grown);
        if (!grown)
            return false;
        gpu->groups = grown;
        uint32_t *own = malloc(count * sizeof *own);
        if (!own)
            return false;
        memcpy(own, ranks, count * sizeof *own);
        grown[gpu->group_count++] = (gfab_gpu_group){buffer, gpu->chunks[buffer], own, count};
    }
    return true;
}

static void add_groups(maker *m)
{
    uint32_t *ranks = malloc((m->nodes + (size_t)1) * sizeof *ranks);
    bool good = ranks;
    for (size_t i = 0; i < m->count && good; i++)
        if (m->acts[i].relay != GFAB_NO_RANK)
            good = add_group(m, m->acts[i].relay, (gfab_gpu_buffer)(m->acts[i].to >> 30), ranks);
    free(ranks);
    if (!good && m->status == GFAB_OK)
        m->status = gfab_format_no_memory(m->diag);
}

/* The places of a store: of the GPU itself, and of all of the group. */
static void put_store(writer *w, const act *a)
{
    gfab_gpu_op *op = put_op(w, GFAB_GPU_GROUP_STORE);
    GFAB_FREED uint32_t *ranks = malloc((w->m->nodes + (size_t)1) * sizeof *ranks);
    if (!ranks && w->m->status == GFAB_OK)
        w->m->status = gfab_format_no_memory(w->m->diag);
    if (op && ranks) {
        const size_t count = gfab_mscclpp_gpus_at(w->m->topology, a->relay, ranks);
        const size_t group = find_group(w->gpu, (gfab_gpu_buffer)(a->to >> 30), ranks, count);
        op->channel = GFAB_GPU_SWITCH;
        op->sources = op->targets = 1;
        put_place(w, a->from, w->rank);
        put_place(w, a->to, w->rank);
        if (w->m->status == GFAB_OK) {
            gfab_gpu_place *to = &w->m->plan->places[w->m->plan->place_count - 1];
            to->reach = GFAB_GPU_GROUP;
            to->id = find_or_add(w, w->block->channels[GFAB_GPU_SWITCH], &w->block->channel_count[GFAB_GPU_SWITCH],
                                 (uint32_t)group);
        }
    }
}

/* Stores of a round, each once; how many of the acts they do. */
static size_t put_stores(writer *w, const act *acts, size_t count)
{
    size_t i = 0;
    for (; i < count && acts[i].relay != GFAB_NO_RANK && w->m->status == GFAB_OK; i++) {
        bool done = false;
        for (size_t j = 0; j < i && !done; j++)
            done = acts[j].relay == acts[i].relay && acts[j].from == acts[i].from && acts[j].to == acts[i].to;
        if (!done)
            put_store(w, &acts[i]);
    }
    return i;
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
    const size_t stored = copies + put_stores(w, acts + copies, sends - copies);
    if (stored > copies && sends > stored) /* in place a store also writes what is put */
        put_nop(w);
    put_sends(w, acts + stored, sends - stored);
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

const char *gfab_mscclpp_collective(gfab_collective collective)
{
    static const char *const names[GFAB_COLLECTIVES] = {
        [GFAB_ALL_GATHER] = "allgather", [GFAB_REDUCE_SCATTER] = "reducescatter",
        [GFAB_ALL_REDUCE] = "allreduce", [GFAB_BROADCAST] = "broadcast",
        [GFAB_REDUCE] = "reduce",        [GFAB_ALL_TO_ALL] = "alltoall"};
    return names[collective];
}

/* "gossipfab", and which of the machine's GPUs the ranks are. */
static gfab_gpu_plan *create_plan(const maker *m)
{
    const uint32_t named = gfab_topology_has_names(m->topology) ? m->nodes : 0;
    size_t size = 64;
    for (uint32_t r = 0; r < named; r++) {
        const char *called = gfab_topology_node_name(m->topology, gfab_topology_member(m->topology, r));
        size += 16 + (called ? strlen(called) : 0);
    }
    char *name = malloc(size), *at = name;
    if (!name)
        return NULL;
    at += sprintf(at, "gossipfab");
    for (uint32_t r = 0; r < named; r++) {
        const uint32_t node = gfab_topology_member(m->topology, r);
        const char *called = gfab_topology_node_name(m->topology, node);
        at += sprintf(at, "%s", r ? "," : ", ranks ");
        at += called ? sprintf(at, "%s", called) : sprintf(at, "%u", node);
    }
    gfab_gpu_plan *plan = gfab_gpu_plan_create(m->nodes, name, gfab_mscclpp_collective(m->goal.collective));
    free(name);
    return plan;
}

static gfab_gpu_plan *begin_plan(maker *m, uint32_t thread_blocks)
{
    gfab_gpu_plan *plan = create_plan(m);
    bool good = plan;
    for (uint32_t v = 0; v < m->nodes && good; v++) {
        gfab_gpu *gpu = &plan->gpus[v];
        const bool gathers = m->goal.collective == GFAB_ALL_GATHER,
                   scatters = m->goal.collective == GFAB_REDUCE_SCATTER;
        const uint32_t all = m->goal.collective == GFAB_ALL_TO_ALL ? m->nodes : m->blocks;
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
    if (m->status == GFAB_OK)
        add_groups(m);
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

void gfab_mscclpp_make_plan(maker *m)
{
    uint32_t groups = 0;
    GFAB_FREED act *acts = malloc((m->count + 1) * sizeof *acts);
    if (!acts)
        m->status = gfab_format_no_memory(m->diag);
    for (size_t i = 0; i < m->count; i++)
        groups = m->acts[i].group >= groups ? m->acts[i].group + 1 : groups;
    for (uint32_t t = 1; m->status == GFAB_OK && !m->plan; t = t * 2 > groups && t < groups ? groups : t * 2) {
        if (t > groups && t > 1)
            m->status = GFAB_REFUSE(m->diag,
                                    "a block alone takes a GPU more than %d operations, or %d channels or buffers, "
                                    "which is all that MSCCL++ has for a thread block",
                                    GFAB_GPU_OPS, GFAB_GPU_BLOCK_CHANNELS);
        else if (!put_plan(m, acts, t) && m->status == GFAB_OK) {
            gfab_gpu_plan_destroy(m->plan);
            m->plan = NULL;
        }
    }
}
