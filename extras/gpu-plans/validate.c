/* SPDX-License-Identifier: MIT */
/* What the executor takes for granted of a plan, and what of its operations is carried out. */
#include "plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Places of the operations that move data: L of the GPU itself, R of another, G of a switch's group; the last one any
 * number of times where a star follows. NULL: no places. */
static const char *const shapes[GFAB_GPU_KINDS][2] = {
    [GFAB_GPU_PUT] = {"L*", "R*"},
    [GFAB_GPU_PUT_SIGNAL] = {"L*", "R*"},
    [GFAB_GPU_PUT_SIGNAL_FLUSH] = {"L*", "R*"},
    [GFAB_GPU_GET] = {"R*", "L*"},
    [GFAB_GPU_COPY] = {"L", "L"},
    [GFAB_GPU_REDUCE] = {"LL*", "L"},
    [GFAB_GPU_REDUCE_SEND] = {"LL*", "LR*"},
    [GFAB_GPU_READ_REDUCE] = {"LR*", "L"},
    [GFAB_GPU_READ_REDUCE_SEND] = {"LR*", "LR*"},
    [GFAB_GPU_PUT_PACKETS] = {"L*", "R*"},
    [GFAB_GPU_READ_PUT_PACKETS] = {"L", "R*"},
    [GFAB_GPU_REDUCE_SEND_PACKETS] = {"LL*", "LR*"},
    [GFAB_GPU_COPY_PACKETS] = {"L", "L"},
    [GFAB_GPU_UNPACK_PACKETS] = {"L", "L"},
    [GFAB_GPU_REDUCE_PACKETS] = {"LL*", "L"},
    [GFAB_GPU_REDUCE_COPY_PACKETS] = {"LL*", "LL"},
    [GFAB_GPU_REDUCE_COPY_SEND_PACKETS] = {"LL*", "LLR*"},
    [GFAB_GPU_GROUP_REDUCE] = {"G", "G"},
    [GFAB_GPU_GROUP_STORE] = {"L", "G"},
    [GFAB_GPU_GROUP_STORE_PACKETS] = {"L", "G"},
};

static bool has_shape(const char *shape, const gfab_gpu_place *places, size_t count)
{
    static const char letters[] = "LRG";
    size_t i = 0;
    for (; shape && *shape && *shape != '*'; shape++) {
        if (shape[1] == '*') {
            while (i < count && letters[places[i].reach] == *shape)
                i++;
            return i == count;
        }
        if (i == count || letters[places[i++].reach] != *shape)
            return false;
    }
    return i == count;
}

typedef struct place_of_op {
    const gfab_gpu_plan *plan;
    gfab_diag *diag;
    size_t rank, block, op;
} place_of_op;

#define BAD(status, ...) bad(p, status, __VA_ARGS__)
static gfab_status bad(const place_of_op *p, gfab_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
static gfab_status bad(const place_of_op *p, gfab_status status, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return gfab_fail(p->diag, 0, status, "gpus[%zu].threadblocks[%zu], operation %zu: %s", p->rank, p->block, p->op,
                     text);
}

static gfab_status check_places(const place_of_op *p, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    const gfab_gpu_place *places = p->plan->places + op->places;
    if (!has_shape(shapes[op->kind][0], places, op->sources) ||
        !has_shape(shapes[op->kind][1], places + op->sources, op->targets))
        return BAD(GFAB_ERR_UNSUPPORTED, "%s with other sources or targets than the executor looks at",
                   gfab_gpu_op_names[op->kind]);
    const char *shape = shapes[op->kind][1];
    const bool one_to_one =
        shapes[op->kind][0] && strlen(shapes[op->kind][0]) == 2 && shape[1] == '*' && shapes[op->kind][0][1] == '*';
    if (one_to_one && op->sources != op->targets)
        return BAD(GFAB_ERR_UNSUPPORTED, "%s of %u sources to %u targets", gfab_gpu_op_names[op->kind], op->sources,
                   op->targets);
    for (size_t i = 0; i < (size_t)op->sources + op->targets; i++) {
        if (places[i].reach == GFAB_GPU_REMOTE &&
            (op->channel > GFAB_GPU_PORT || places[i].id >= block->buffer_count[op->channel]))
            return BAD(GFAB_ERR_PARSE, "the thread block has no remote buffer %u by its channels", places[i].id);
        if (places[i].reach == GFAB_GPU_GROUP && places[i].id >= block->channel_count[GFAB_GPU_SWITCH])
            return BAD(GFAB_ERR_PARSE, "the thread block has no switch channel %u", places[i].id);
    }
    return GFAB_OK;
}

/* By which channels an operation is carried out: 1 memory, 2 port. */
static unsigned ways(gfab_gpu_kind kind)
{
    switch (kind) {
    case GFAB_GPU_PUT:
    case GFAB_GPU_PUT_SIGNAL:
    case GFAB_GPU_PUT_SIGNAL_FLUSH:
    case GFAB_GPU_PUT_PACKETS:
    case GFAB_GPU_READ_PUT_PACKETS:
    case GFAB_GPU_SIGNAL:
    case GFAB_GPU_WAIT:
        return 3;
    case GFAB_GPU_RELAXED_SIGNAL:
    case GFAB_GPU_RELAXED_WAIT:
        return 3;
    case GFAB_GPU_FLUSH:
        return 2;
    case GFAB_GPU_GET:
    case GFAB_GPU_READ_REDUCE:
    case GFAB_GPU_READ_REDUCE_SEND:
    case GFAB_GPU_REDUCE_SEND:
    case GFAB_GPU_REDUCE_SEND_PACKETS:
    case GFAB_GPU_REDUCE_COPY_SEND_PACKETS:
        return 1;
    default:
        return 0;
    }
}

static gfab_status check_channels(const place_of_op *p, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    const unsigned by = ways(op->kind);
    if (!by)
        return GFAB_OK;
    if (op->channel > GFAB_GPU_PORT || !(by & 1u << op->channel))
        return BAD(GFAB_ERR_UNSUPPORTED, "%s by a channel by which the executor does not carry it out",
                   gfab_gpu_op_names[op->kind]);
    const bool looks = !shapes[op->kind][0] || op->channel == GFAB_GPU_PORT;
    for (size_t i = 0; i < op->channel_count && looks; i++) {
        if (op->channels[i] >= block->channel_count[op->channel])
            return BAD(GFAB_ERR_PARSE, "the thread block has no %s channel %u", gfab_gpu_channel_names[op->channel],
                       op->channels[i]);
        for (size_t j = 0; j < i; j++)
            if (op->channels[j] == op->channels[i])
                return BAD(GFAB_ERR_UNSUPPORTED, "a channel twice in one operation");
    }
    if (op->channel == GFAB_GPU_PORT && op->channel_count < op->targets)
        return BAD(GFAB_ERR_PARSE, "%u targets and %u channels", op->targets, op->channel_count);
    return GFAB_OK;
}

static gfab_status check_op(const place_of_op *p, const gfab_gpu_op *op, const gfab_gpu_block *block)
{
    GFAB_TRY(check_channels(p, op, block));
    GFAB_TRY(check_places(p, op, block));
    for (size_t i = 0; i < op->semaphore_count; i++)
        if (op->semaphores[i] >= p->plan->gpus[p->rank].semaphore_count)
            return BAD(GFAB_ERR_PARSE, "the GPU has no semaphore %u", op->semaphores[i]);
    return GFAB_OK;
}

/* A switch's group has the GPU in it, and every other one of it has the same group. */
static gfab_status check_group(const gfab_gpu_plan *plan, size_t rank, const gfab_gpu_group *group, gfab_diag *diag)
{
    bool within = false;
    for (size_t i = 0; i < group->rank_count; i++) {
        const gfab_gpu *other = &plan->gpus[group->ranks[i]];
        bool same = false;
        within |= group->ranks[i] == rank;
        for (size_t g = 0; g < other->group_count && !same; g++)
            same = other->groups[g].buffer == group->buffer && other->groups[g].rank_count == group->rank_count &&
                   memcmp(other->groups[g].ranks, group->ranks, group->rank_count * sizeof *group->ranks) == 0;
        if (!same)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "gpus[%zu]: GPU %u has not the same group at the switch", rank,
                             group->ranks[i]);
    }
    return within ? GFAB_OK
                  : gfab_fail(diag, 0, GFAB_ERR_PARSE, "gpus[%zu]: a group at the switch without the GPU", rank);
}

/* As many chunks as the collective has. */
static gfab_status check_chunks(const gfab_gpu_plan *plan, size_t rank, gfab_diag *diag)
{
    const uint64_t in = plan->gpus[rank].chunks[0], out = plan->gpus[rank].chunks[1], n = plan->gpu_count;
    const uint32_t *first = plan->gpus[0].chunks;
    bool right = in == first[0] && out == first[1];
    switch (plan->goal) {
    case GFAB_GPU_ALL_GATHER:
        right &= out == n * in;
        break;
    case GFAB_GPU_REDUCE_SCATTER:
        right &= in == n * out;
        break;
    case GFAB_GPU_ALL_TO_ALL:
        right &= in == out && in % n == 0;
        break;
    case GFAB_GPU_NO_GOAL:
        right = true;
        break;
    default:
        right &= in == out;
        break;
    }
    if (in == 0 || out == 0)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                         "gpus[%zu]: no chunks in input or output, which the executor divides by", rank);
    return right ? GFAB_OK
                 : gfab_fail(diag, 0, GFAB_ERR_PARSE, "gpus[%zu]: no %s has %llu chunks of input and %llu of output",
                             rank, plan->collective, (unsigned long long)in, (unsigned long long)out);
}

gfab_status gfab_gpu_plan_validate(const gfab_gpu_plan *plan, gfab_diag *diag)
{
    for (size_t r = 0; r < plan->gpu_count; r++) {
        const gfab_gpu *gpu = &plan->gpus[r];
        GFAB_TRY(check_chunks(plan, r, diag));
        for (size_t g = 0; g < gpu->group_count; g++)
            GFAB_TRY(check_group(plan, r, &gpu->groups[g], diag));
        for (size_t t = 0; t < gpu->block_count; t++)
            for (size_t i = 0; i < gpu->blocks[t].op_count; i++) {
                const place_of_op p = {plan, diag, r, t, i};
                GFAB_TRY(check_op(&p, &plan->ops[gpu->blocks[t].ops + i], &gpu->blocks[t]));
            }
    }
    return GFAB_OK;
}
