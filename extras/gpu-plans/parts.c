/* SPDX-License-Identifier: MIT */
/* Where operations read and write, as src/core/include/execution_kernel.hpp of MSCCL++ has it: with the offsets of a
 * get taken the other way round, the first source's buffer for all of a put, packets of twice the bytes, and the second
 * half of a double scratch buffer in every second launch for what is local or packets. */
#include "plan.h"

#include "base/grow.h"

#include <inttypes.h>

#define MOST_ROUNDS UINT16_MAX               /* of a pipeline, which the executor counts in 16 bits */
#define MOST_CHUNK_BYTES ((uint64_t)1 << 31) /* the executor counts bytes in 32 bits */

/* ---- buffers ---- */

static uint64_t scratch_half(const gfab_gpu_plan *plan, uint32_t rank, uint64_t chunk)
{
    return plan->gpus[rank].chunks[GFAB_GPU_SCRATCH] * chunk * (plan->packets ? 2 : 1);
}

gfab_gpu_range gfab_gpu_user_range(const gfab_gpu_plan *plan, uint32_t rank, gfab_gpu_buffer buffer, uint64_t chunk)
{
    gfab_gpu_range range = {.rank = rank, .region = (uint8_t)buffer};
    if (plan->in_place && buffer != GFAB_GPU_SCRATCH) {
        const gfab_gpu *gpu = &plan->gpus[rank];
        range.region = 0;
        if (plan->goal == GFAB_GPU_ALL_GATHER && buffer == GFAB_GPU_INPUT)
            range.at = rank * gpu->chunks[GFAB_GPU_INPUT] * chunk;
        if (plan->goal == GFAB_GPU_REDUCE_SCATTER && buffer == GFAB_GPU_OUTPUT)
            range.at = rank * gpu->chunks[GFAB_GPU_OUTPUT] * chunk;
    }
    return range;
}

uint64_t gfab_gpu_region_bytes(const gfab_gpu_plan *plan, uint32_t rank, int region, uint64_t chunk)
{
    const uint32_t *chunks = plan->gpus[rank].chunks;
    if (region == 2)
        return scratch_half(plan, rank, chunk) * (plan->doubled ? 2 : 1);
    if (!plan->in_place)
        return chunks[region] * chunk;
    return region == 1 ? 0 : chunk * (chunks[0] > chunks[1] ? chunks[0] : chunks[1]);
}

uint64_t gfab_gpu_iterations(const gfab_gpu_op *pipeline, uint64_t chunk)
{
    const uint64_t bytes = pipeline->chunks * chunk;
    return (bytes + pipeline->unit - 1) / pipeline->unit;
}

uint32_t gfab_gpu_lanes(const gfab_gpu_plan *plan, uint32_t count)
{
    return count < plan->threads ? count : plan->threads;
}

static gfab_status check_pipelines(const gfab_gpu_plan *plan, uint64_t chunk, gfab_diag *diag)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        const gfab_gpu_op *op = &plan->ops[i];
        const uint64_t rounds = op->kind == GFAB_GPU_PIPELINE ? gfab_gpu_iterations(op, chunk) : 0;
        if (rounds > MOST_ROUNDS)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                             "chunks of %" PRIu64 " bytes: a pipeline of %" PRIu64
                             " rounds; the executor counts up to %u",
                             chunk, rounds, MOST_ROUNDS);
    }
    return GFAB_OK;
}

gfab_status gfab_gpu_plan_chunk(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options, uint64_t *chunk,
                                gfab_diag *diag)
{
    *chunk = options && options->chunk_bytes ? options->chunk_bytes : gfab_gpu_plan_chunk_bytes(plan);
    if (*chunk % plan->alignment != 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%" PRIu64 " bytes of a chunk are no multiple of the plan's %u",
                         *chunk, plan->alignment);
    for (size_t r = 0; r < plan->gpu_count; r++) {
        const uint32_t *chunks = plan->gpus[r].chunks;
        for (int b = 0; b < 3; b++)
            if (*chunk > MOST_CHUNK_BYTES || 4 * (uint64_t)chunks[b] * *chunk > UINT32_MAX)
                return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                                 "chunks of %" PRIu64 " bytes: a buffer of GPU %zu is beyond 2^32 bytes", *chunk, r);
        if (plan->shares && chunks[2] && chunks[2] * *chunk > GFAB_GPU_SHARED_SCRATCH / (plan->doubled ? 2 : 1))
            return GFAB_REFUSE(diag,
                               "reuse_resources with chunks of %" PRIu64
                               " bytes: beyond the shared scratch buffer, whose "
                               "parts would be used again",
                               *chunk);
    }
    return check_pipelines(plan, *chunk, diag);
}

size_t gfab_gpu_paired(const gfab_gpu_plan *plan, uint32_t rank, gfab_gpu_channel type, size_t channel)
{
    const gfab_gpu *gpu = &plan->gpus[rank];
    const uint32_t peer = gpu->peers[type][channel];
    size_t nth = 0;
    for (size_t c = 0; c < channel; c++)
        nth += gpu->peers[type][c] == peer;
    const gfab_gpu *other = &plan->gpus[peer];
    for (size_t c = 0; c < other->peer_count[type]; c++)
        if (other->peers[type][c] == rank && nth-- == 0)
            return c;
    return SIZE_MAX;
}

/* ---- the parts of an operation ---- */

typedef struct maker {
    const gfab_gpu_plan *plan;
    const gfab_gpu_where *where;
    gfab_gpu_parts *parts;
    gfab_diag *diag;
    gfab_status status;
    uint64_t half;      /* of the scratch buffer, in this launch */
    bool moves_by_port; /* what it reads locally is given by its address in memory */
} maker;

static uint64_t slice_at(const gfab_gpu_plan *plan, uint64_t size, uint32_t slice, uint32_t slices)
{
    const uint64_t units = size / plan->alignment, each = units / slices, rest = units % slices;
    return (slice * each + (slice < rest ? slice : rest)) * plan->alignment;
}

/* Bytes of a place, of this thread block of a group, in this round of a pipeline. */
static uint64_t length_of(maker *m, const gfab_gpu_place *place, bool packets)
{
    const gfab_gpu_op *op = m->where->op;
    const uint64_t all = place->size * m->where->chunk;
    const uint64_t size =
        slice_at(m->plan, all, op->slice + 1, op->slices) - slice_at(m->plan, all, op->slice, op->slices);
    if (packets)
        return size;
    if (m->where->offset > size) {
        if (m->status == GFAB_OK)
            m->status = GFAB_REFUSE(m->diag, "GPU %u, thread block %u: a pipeline goes on behind the end of its %s",
                                    m->where->rank, m->where->block, gfab_gpu_op_names[op->kind]);
        return 0;
    }
    return size - m->where->offset < m->where->unit ? size - m->where->offset : m->where->unit;
}

static void begin(maker *m, uint64_t length)
{
    gfab_gpu_parts *parts = m->parts;
    gfab_gpu_part *grown =
        m->status == GFAB_OK ? gfab_grown(parts->at, parts->count, &parts->room, sizeof *grown) : NULL;
    if (m->status == GFAB_OK && !grown)
        m->status = gfab_gpu_no_memory(m->diag);
    if (m->status != GFAB_OK)
        return;
    parts->at = grown;
    parts->at[parts->count++] = (gfab_gpu_part){.length = length};
}

static void add_range(maker *m, gfab_gpu_range range, bool target)
{
    gfab_gpu_parts *parts = m->parts;
    gfab_gpu_range *grown = NULL;
    if (m->status == GFAB_OK)
        grown = gfab_grown(parts->ranges, parts->range_count, &parts->range_room, sizeof *grown);
    if (m->status == GFAB_OK && !grown)
        m->status = gfab_gpu_no_memory(m->diag);
    if (m->status != GFAB_OK)
        return;
    parts->ranges = grown;
    parts->ranges[parts->range_count++] = range;
    gfab_gpu_part *part = &parts->at[parts->count - 1];
    part->sources += !target;
    part->targets += target;
}

/* A part of an operation: so long as the place, from `index` chunks on in a buffer of a rank. */
typedef struct stretch {
    const gfab_gpu_place *sized;
    uint32_t rank;
    gfab_gpu_buffer buffer;
    uint32_t index;
    bool packets;
    bool half; /* the scratch buffer's other half, where the launch has that */
} stretch;

static void add_at(maker *m, const stretch *s, bool target)
{
    const uint32_t rank = s->rank;
    const gfab_gpu_buffer buffer = s->buffer;
    const bool packets = s->packets;
    const gfab_gpu_op *op = m->where->op;
    const uint64_t chunk = m->where->chunk,
                   length = m->status == GFAB_OK ? m->parts->at[m->parts->count - 1].length : 0;
    gfab_gpu_range range = gfab_gpu_user_range(m->plan, rank, buffer, chunk);
    uint64_t at = s->index * chunk + slice_at(m->plan, s->sized->size * chunk, op->slice, op->slices);
    at += packets ? 0 : m->where->offset;
    const uint64_t factor = packets ? 2 : 1;
    /* The half is of the GPU that goes there, not of the one whose buffer it is. */
    const uint64_t before = s->half && buffer == GFAB_GPU_SCRATCH ? m->half : 0;
    uint64_t room = m->plan->gpus[rank].chunks[buffer] * chunk;
    if (buffer == GFAB_GPU_SCRATCH)
        room = before ? gfab_gpu_region_bytes(m->plan, rank, 2, chunk) : scratch_half(m->plan, rank, chunk);
    if (m->status == GFAB_OK && before + (at + length) * factor > room) {
        m->status =
            gfab_fail(m->diag, 0, GFAB_ERR_LIMIT,
                      "GPU %u, thread block %u: %s goes %s byte %" PRIu64 " of buffer %c of GPU %u, which has %" PRIu64,
                      m->where->rank, m->where->block, gfab_gpu_op_names[op->kind], target ? "to" : "from",
                      before + (at + length) * factor, gfab_gpu_buffer_names[buffer], rank, room);
        return;
    }
    range.packets = packets;
    range.at += at * factor + before;
    add_range(m, range, target);
}

/* A place as it stands; of a switch, that of every GPU of the group. */
static void add_place(maker *m, const gfab_gpu_place *place, uint32_t index, bool packets, bool target)
{
    const gfab_gpu *gpu = &m->plan->gpus[m->where->rank];
    const gfab_gpu_block *block = &gpu->blocks[m->where->block];
    stretch s = {place, m->where->rank, place->buffer, index, packets, packets};
    if (place->reach == GFAB_GPU_REMOTE) {
        const gfab_gpu_remote *remote = &gpu->remotes[block->buffers[m->where->op->channel][place->id]];
        s.rank = remote->rank;
        s.buffer = remote->buffer;
        add_at(m, &s, target);
    } else if (place->reach == GFAB_GPU_GROUP) {
        const gfab_gpu_group *group = &gpu->groups[block->channels[GFAB_GPU_SWITCH][place->id]];
        s.buffer = group->buffer;
        for (size_t i = 0; i < group->rank_count; i++) {
            s.rank = group->ranks[i];
            add_at(m, &s, target);
        }
    } else {
        s.half = packets || !m->moves_by_port;
        add_at(m, &s, target);
    }
}

/* The i-th source goes to the i-th target. */
static void pairs(maker *m, const gfab_gpu_place *from, const gfab_gpu_place *to)
{
    const gfab_gpu_op *op = m->where->op;
    const bool put_packets = op->kind == GFAB_GPU_PUT_PACKETS, by_port = op->channel == GFAB_GPU_PORT;
    const size_t count = by_port ? gfab_gpu_lanes(m->plan, op->targets) : op->targets;
    m->moves_by_port = by_port;
    for (size_t i = 0; i < count; i++) {
        if (op->kind == GFAB_GPU_GET) {
            begin(m, length_of(m, &from[i], false));
            add_place(m, &from[i], to[i].index, false, false);
            add_place(m, &to[i], from[i].index, false, true);
            continue;
        }
        gfab_gpu_place source = from[i];
        if (!by_port)
            source.buffer = from[0].buffer;
        begin(m, length_of(m, put_packets ? &from[i] : &to[i], put_packets));
        add_place(m, &source, source.index, put_packets && by_port, false);
        add_place(m, &to[i], to[i].index, put_packets, true);
    }
}

/* All sources, added up, go to all targets: of each kind the first so many are plain data, the others packets. */
static void together(maker *m, const gfab_gpu_place *from, const gfab_gpu_place *to, size_t plain_from, size_t plain_to)
{
    const gfab_gpu_op *op = m->where->op;
    begin(m, length_of(m, from, plain_from < op->sources || plain_to < op->targets));
    for (size_t i = 0; i < op->sources; i++) {
        gfab_gpu_place place = from[i];
        if (i >= plain_from && op->kind != GFAB_GPU_GROUP_STORE_PACKETS)
            place.buffer = GFAB_GPU_SCRATCH; /* where packets are read from, whatever the plan says */
        add_place(m, &place, place.index, i >= plain_from, false);
    }
    const size_t count = op->channel == GFAB_GPU_PORT ? gfab_gpu_lanes(m->plan, op->targets) : op->targets;
    for (size_t i = 0; i < count; i++)
        add_place(m, &to[i], to[i].index, i >= plain_to, true);
}

/* How many sources, or targets, are plain; packets are behind them. */
static size_t plain_places(gfab_gpu_kind kind, bool targets)
{
    switch (kind) {
    case GFAB_GPU_READ_PUT_PACKETS:
    case GFAB_GPU_GROUP_STORE_PACKETS:
        return 0;
    case GFAB_GPU_UNPACK_PACKETS:
        return targets ? SIZE_MAX : 0;
    case GFAB_GPU_COPY_PACKETS:
        return targets ? 0 : SIZE_MAX;
    case GFAB_GPU_REDUCE_PACKETS:
    case GFAB_GPU_REDUCE_SEND_PACKETS:
    case GFAB_GPU_REDUCE_COPY_PACKETS:
    case GFAB_GPU_REDUCE_COPY_SEND_PACKETS:
        return 1;
    default:
        return SIZE_MAX;
    }
}

gfab_status gfab_gpu_plan_parts(const gfab_gpu_plan *plan, const gfab_gpu_where *where, gfab_gpu_parts *parts,
                                gfab_diag *diag)
{
    const gfab_gpu_op *op = where->op;
    const gfab_gpu_place *from = plan->places + op->places, *to = from + op->sources;
    maker m = {.plan = plan, .where = where, .parts = parts, .diag = diag};
    parts->count = parts->range_count = 0;
    if (plan->doubled && where->launch % 2 == 1)
        m.half = scratch_half(plan, where->rank, where->chunk);
    if (op->sources == 0)
        return GFAB_OK;
    const bool one_to_one = op->kind == GFAB_GPU_PUT || op->kind == GFAB_GPU_PUT_SIGNAL || op->kind == GFAB_GPU_GET ||
                            op->kind == GFAB_GPU_PUT_SIGNAL_FLUSH || op->kind == GFAB_GPU_PUT_PACKETS;
    if (one_to_one)
        pairs(&m, from, to);
    else
        together(&m, from, to, plain_places(op->kind, false), plain_places(op->kind, true));
    size_t at = 0;
    for (size_t i = 0; i < parts->count; i++) {
        parts->at[i].ranges = parts->range_count ? parts->ranges + at : NULL;
        at += parts->at[i].sources + parts->at[i].targets;
    }
    return m.status;
}

void gfab_gpu_parts_release(gfab_gpu_parts *parts)
{
    GFAB_FREE(parts->at, parts->ranges);
    *parts = (gfab_gpu_parts){0};
}
