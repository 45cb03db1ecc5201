/* SPDX-License-Identifier: MIT */
/* A plan for GPUs in memory: ranks, thread blocks, operations and the places that they read and write, in arrays that
 * all of the plan share. It is what the reader of MSCCL++'s JSON makes, and a converted schedule; the check, the run
 * and the writer only see this. What the executor takes for granted of a plan is in validate.c. */
#include "plan.h"

#include "base/divisor.h"
#include "base/grow.h"
#include "base/tells.h"

#include <stdlib.h>
#include <string.h>

const char *const gfab_gpu_op_names[GFAB_GPU_KINDS] = {
    "nop",       "barrier",   "put",     "pws",      "pwsf",        "get",        "copy",  "signal",
    "wait",      "flush",     "re",      "res",      "rre",         "rres",       "ppkt",  "rppkt",
    "respkt",    "cpkt",      "upkt",    "repkt",    "recpkt",      "recspkt",    "glres", "gstore",
    "gstorepkt", "rlxsignal", "rlxwait", "pipeline", "sem_acquire", "sem_release"};
const char *const gfab_gpu_channel_names[3] = {"memory", "port", "switch"};
const char gfab_gpu_buffer_names[] = "ios";

static const struct {
    const char *name;
    gfab_gpu_goal goal;
} goals[] = {
    {"allgather", GFAB_GPU_ALL_GATHER}, {"allreduce", GFAB_GPU_ALL_REDUCE}, {"reducescatter", GFAB_GPU_REDUCE_SCATTER},
    {"alltoall", GFAB_GPU_ALL_TO_ALL},  {"broadcast", GFAB_GPU_BROADCAST},  {"reduce", GFAB_GPU_REDUCE_TO_ROOT},
    {"sendrecv", GFAB_GPU_SEND_RECV},
};

gfab_status gfab_gpu_no_memory(gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
}

static char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

gfab_gpu_plan *gfab_gpu_plan_create(size_t ranks, const char *name, const char *collective)
{
    gfab_gpu_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    *plan = (gfab_gpu_plan){.threads = 1024, .alignment = 16, .most = UINT64_MAX, .gpu_count = ranks};
    plan->gpus = calloc(ranks, sizeof *plan->gpus);
    plan->ops = gfab_grown(NULL, 0, &plan->op_room, sizeof *plan->ops);
    plan->places = gfab_grown(NULL, 0, &plan->place_room, sizeof *plan->places);
    plan->name = copy_text(name);
    plan->collective = copy_text(collective);
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        if (strcmp(goals[i].name, collective) == 0)
            plan->goal = goals[i].goal;
    if (plan->gpus && plan->ops && plan->places && plan->name && plan->collective)
        return plan;
    gfab_gpu_plan_destroy(plan);
    return NULL;
}

void gfab_gpu_plan_destroy(gfab_gpu_plan *plan)
{
    for (size_t r = 0; plan && plan->gpus && r < plan->gpu_count; r++) {
        gfab_gpu *gpu = &plan->gpus[r];
        for (size_t g = 0; gpu->groups && g < gpu->group_count; g++)
            free(gpu->groups[g].ranks);
        GFAB_FREE(gpu->groups, gpu->peers[0], gpu->peers[1], gpu->remotes, gpu->semaphores, gpu->blocks);
    }
    if (!plan)
        return;
    GFAB_FREE(plan->gpus, plan->name, plan->collective, plan->head, plan->ops, plan->places, plan);
}

gfab_gpu_op *gfab_gpu_plan_add_op(gfab_gpu_plan *plan)
{
    if (!gfab_grow(&plan->ops, plan->op_count, &plan->op_room, sizeof *plan->ops))
        return NULL;
    plan->ops[plan->op_count] = (gfab_gpu_op){.channel = GFAB_GPU_NO_CHANNEL, .places = plan->place_count, .slices = 1};
    return &plan->ops[plan->op_count++];
}

gfab_gpu_place *gfab_gpu_plan_add_place(gfab_gpu_plan *plan)
{
    if (!gfab_grow(&plan->places, plan->place_count, &plan->place_room, sizeof *plan->places))
        return NULL;
    plan->places[plan->place_count] = (gfab_gpu_place){.size = 1};
    return &plan->places[plan->place_count++];
}

GFAB_TELLS(const char *, gfab_gpu_plan_name, gfab_gpu_plan, name)
GFAB_TELLS(const char *, gfab_gpu_plan_collective, gfab_gpu_plan, collective)
GFAB_TELLS(bool, gfab_gpu_plan_in_place, gfab_gpu_plan, in_place)
GFAB_TELLS(bool, gfab_gpu_plan_is_doubled, gfab_gpu_plan, doubled)

bool gfab_gpu_plan_has_goal(const gfab_gpu_plan *plan)
{
    return plan->goal != GFAB_GPU_NO_GOAL;
}

GFAB_TELLS(size_t, gfab_gpu_plan_ranks, gfab_gpu_plan, gpu_count)

size_t gfab_gpu_plan_thread_blocks(const gfab_gpu_plan *plan)
{
    size_t count = 0;
    for (size_t r = 0; r < plan->gpu_count; r++)
        count += plan->gpus[r].block_count;
    return count;
}

GFAB_TELLS(size_t, gfab_gpu_plan_operations, gfab_gpu_plan, op_count)

uint32_t gfab_gpu_plan_launches(const gfab_gpu_plan *plan)
{
    bool even = true;
    for (size_t r = 0; r < plan->gpu_count; r++)
        even &= plan->gpus[r].chunks[GFAB_GPU_SCRATCH] == plan->gpus[0].chunks[GFAB_GPU_SCRATCH];
    return !plan->doubled ? 2 : even ? 3 : 4;
}

uint64_t gfab_gpu_plan_input_bytes(const gfab_gpu_plan *plan, size_t rank, uint64_t chunk_bytes)
{
    return plan->gpus[rank].chunks[GFAB_GPU_INPUT] * chunk_bytes;
}

uint64_t gfab_gpu_plan_output_bytes(const gfab_gpu_plan *plan, size_t rank, uint64_t chunk_bytes)
{
    return plan->gpus[rank].chunks[GFAB_GPU_OUTPUT] * chunk_bytes;
}

uint64_t gfab_gpu_plan_chunk_bytes(const gfab_gpu_plan *plan)
{
    uint64_t slices = 1, unit = 0;
    for (size_t i = 0; i < plan->op_count; i++) {
        const gfab_gpu_op *op = &plan->ops[i];
        if (op->slices && slices < 4096)
            slices = slices / gfab_common_divisor(slices, op->slices) * op->slices;
        if (op->kind == GFAB_GPU_PIPELINE && op->unit > unit)
            unit = op->unit;
    }
    const uint64_t least = slices * plan->alignment, want = 3 * unit;
    return want ? (want + least - 1) / least * least : least;
}
