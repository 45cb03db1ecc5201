/* SPDX-License-Identifier: MIT */
/* Plans for MSCCL++. The blocks of a schedule go their ways independently of each other, so that a thread block has
 * some of them, on all GPUs the same ones, and channels of its own: nothing waits for another thread block. Data is put
 * into the other GPU's memory, where nobody reads it before: a block that is there for the first time at its place, any
 * other in a piece of the scratch buffer that is for it alone. So an order of rounds is enough: in each what goes out,
 * a signal, what comes in, and what is added up. A GPU begins by saying to those that send to it that it has begun.
 * Relays are switches: past them one GPU puts data to another. Where it is asked for, and a relay sends a block to all
 * its other GPUs in a round, one store does so. */
#include "acts.h"

#include <gossipfab/formats/mscclpp.h>

#include "base/grow.h"

#include <stdlib.h>

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
        m->status = GFAB_REFUSE(m->diag, "node %u gets its own block %u back from a relay", v->to, v->block);
    const bool past = gfab_topology_rank(m->topology, v->from) == GFAB_NO_RANK;
    add_act(m, (act){from.rank, group, from.round, SENDS, past ? v->from : GFAB_NO_RANK, rank, from.at, NO_CHUNK, to,
                     v->block});
    add_act(m, (act){rank, group, from.round, RECEIVES, GFAB_NO_RANK, from.rank, v->to, v->combine ? to : NO_CHUNK,
                     v->block, 0});
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
    add_act(m, (act){a.rank, a.group, round, ADDS, GFAB_NO_RANK, 0, is->at, came, sum, block});
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
            m->status = GFAB_REFUSE(m->diag, "relay %u adds up; in MSCCL++ only GPUs do", v->to);
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

/* Those that send the same from a GPU, at once, past a relay, to one place: side by side. */
static int compare_sends(const void *a, const void *b)
{
    const act *x = *(act *const *)a, *y = *(act *const *)b;
    const uint32_t keys[][2] = {
        {x->rank, y->rank}, {x->round, y->round}, {x->relay, y->relay}, {x->from, y->from}, {x->to, y->to}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Do they go to all other GPUs of their relay? */
static bool is_multicast(const maker *m, const act *a, size_t count)
{
    gfab_arc arc;
    return m->multicast && a->to >> 30 != GFAB_GPU_SCRATCH &&
           gfab_topology_find_arc(m->topology, gfab_topology_member(m->topology, a->rank), a->relay, &arc) &&
           count + 1 == gfab_mscclpp_gpus_at(m->topology, a->relay, NULL);
}

/* What does not go to all of a relay's GPUs is put one by one. */
static void find_multicasts(maker *m)
{
    size_t past = 0;
    GFAB_FREED act **sends = m->status == GFAB_OK ? malloc((m->count + 1) * sizeof *sends) : NULL;
    if (!sends && m->status == GFAB_OK)
        m->status = gfab_format_no_memory(m->diag);
    for (size_t i = 0; i < m->count && sends; i++)
        if (m->acts[i].relay != GFAB_NO_RANK)
            sends[past++] = &m->acts[i];
    if (past)
        qsort(sends, past, sizeof *sends, compare_sends);
    for (size_t i = 0, same; i < past; i += same) {
        for (same = 1; i + same < past && compare_sends(&sends[i], &sends[i + same]) == 0;)
            same++;
        const bool stored = is_multicast(m, sends[i], same);
        m->multicasts += stored;
        if (stored) /* that the sender has it there, too, needs no copy */
            *held_at(m, gfab_topology_member(m->topology, sends[i]->rank), sends[i]->block) = (held){0, 0, NO_CHUNK};
        for (size_t j = 0; j < same && !stored; j++)
            sends[i + j]->relay = GFAB_NO_RANK;
    }
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
    find_multicasts(m);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t b = 0; b < m->blocks; b++) {
            const uint32_t rank = gfab_topology_rank(m->topology, v);
            const chunk is = held_at(m, v, b)->at;
            if (rank == GFAB_NO_RANK || !wants(m, rank, b) || is == last_place(m, rank, b) || is == NO_CHUNK)
                continue;
            const uint32_t round = is == first_place(m, rank, b) ? FIRST : LAST;
            if (round == LAST || !m->in_place)
                add_act(m, (act){rank, group_of(m, b), round, COPIES, GFAB_NO_RANK, 0, is, NO_CHUNK,
                                 last_place(m, rank, b), b});
        }
}

static gfab_status check(const maker *m)
{
    if (!gfab_mscclpp_collective(m->goal.collective))
        return GFAB_REFUSE(m->diag, "MSCCL++ has no %s", gfab_collective_name(m->goal.collective));
    if (m->goal.idempotent)
        return GFAB_REFUSE(m->diag, "MSCCL++ adds up; here contributions may count twice");
    if (gfab_schedule_model(m->schedule)->hop_rounds != 1)
        return GFAB_REFUSE(m->diag, "a hop takes %u rounds; with MSCCL++ it is one",
                           gfab_schedule_model(m->schedule)->hop_rounds);
    if (m->goal.collective == GFAB_ALL_GATHER && !gfab_schedule_load(m->schedule))
        return GFAB_REFUSE(m->diag, "MSCCL++'s all-gather has as many blocks at every node; here they differ");
    if (m->nodes > GFAB_GPU_RANKS || m->blocks > GFAB_GPU_CHUNKS)
        return GFAB_REFUSE(m->diag, "%u nodes and %u blocks; at most %d and %u are written", m->nodes, m->blocks,
                           GFAB_GPU_RANKS, GFAB_GPU_CHUNKS);
    return GFAB_OK;
}

/* The maker says what the plan is to be. */
static gfab_status write_plan(maker m, FILE *file)
{
    gfab_diag *diag = m.diag;
    if (m.slices < 1 || m.slices > GFAB_MSCCLPP_SHARED)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u thread blocks share a chunk; 1 to %d can", m.slices,
                         GFAB_MSCCLPP_SHARED);
    m.goal = gfab_schedule_goal(m.schedule);
    m.topology = gfab_schedule_topology(m.schedule);
    m.nodes = (uint32_t)gfab_topology_member_count(m.topology);
    m.blocks = (uint32_t)gfab_schedule_token_count(m.schedule);
    m.each = m.blocks / m.nodes;
    m.status = check(&m);
    if (m.status == GFAB_OK)
        m.status = gfab_moves_of(m.schedule, &m.moves, diag);
    m.where = gfab_arena_zeroed(&m.arena, (gfab_topology_node_count(m.topology) * m.blocks + 1), sizeof *m.where);
    m.comes = gfab_arena_zeroed(&m.arena, m.moves.count + 1, sizeof *m.comes);
    m.scratch = gfab_arena_zeroed(&m.arena, m.nodes, sizeof *m.scratch);
    if (m.status == GFAB_OK && m.arena.failed)
        m.status = gfab_format_no_memory(diag);
    if (m.status == GFAB_OK)
        plan_rounds(&m);
    if (m.status == GFAB_OK && m.multicast && !m.multicasts)
        m.status = GFAB_REFUSE(diag, "no relay sends a block to all its other GPUs, to the same place, in a round");
    if (m.status == GFAB_OK)
        gfab_mscclpp_make_plan(&m);
    if (m.status == GFAB_OK && m.range.end) {
        m.plan->least = m.range.least;
        m.plan->most = m.range.end; /* the library's own comparison is bytes < max_message_size */
    }
    if (m.status == GFAB_OK)
        m.status = gfab_gpu_plan_validate(m.plan, diag);
    if (m.status == GFAB_OK)
        m.status = gfab_gpu_plan_write(m.plan, file, diag);
    gfab_gpu_plan_destroy(m.plan);
    gfab_moves_release(&m.moves);
    gfab_arena_release(&m.arena);
    free(m.acts);
    return m.status;
}

gfab_status gfab_mscclpp_write_shared(const gfab_schedule *schedule, bool in_place, uint32_t thread_blocks,
                                      bool multicast, FILE *file, gfab_diag *diag)
{
    return write_plan(
        (maker){
            .schedule = schedule, .in_place = in_place, .slices = thread_blocks, .multicast = multicast, .diag = diag},
        file);
}

gfab_status gfab_mscclpp_write_range(const gfab_schedule *schedule, gfab_byte_range range, FILE *file, gfab_diag *diag)
{
    return write_plan((maker){.schedule = schedule, .in_place = true, .slices = 1, .range = range, .diag = diag}, file);
}

gfab_status gfab_mscclpp_write_range_apart(const gfab_schedule *schedule, gfab_byte_range range, FILE *file,
                                           gfab_diag *diag)
{
    return write_plan((maker){.schedule = schedule, .slices = 1, .range = range, .diag = diag}, file);
}

gfab_status gfab_mscclpp_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                               gfab_diag *diag)
{
    (void)progress;
    return gfab_mscclpp_write_shared(schedule, true, 1, false, file, diag);
}

gfab_status gfab_mscclpp_write_apart(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                     gfab_diag *diag)
{
    (void)progress;
    return gfab_mscclpp_write_shared(schedule, false, 1, false, file, diag);
}
