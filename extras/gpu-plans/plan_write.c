/* SPDX-License-Identifier: MIT */
/* Writes a plan as the JSON of MSCCL++'s executor. There is a function for each part of the file, from the whole down
 * to a place in a buffer. Text is printed as the plan is walked, and not from a tree of JSON values, so that no second
 * copy of the plan is in memory. plan_read.c, beside it, reads the same form. */
#include "plan.h"

#include "base/reason.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

static const char *comma(size_t index)
{
    return index ? ", " : "";
}

static bool put_text(FILE *file, const char *text)
{
    json_t *value = json_string(text);
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        fputs(quoted, file);
    free(quoted);
    json_decref(value);
    return quoted;
}

static void put_numbers(FILE *file, const uint32_t *numbers, size_t count)
{
    fputc('[', file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%u", comma(i), numbers[i]);
    fputc(']', file);
}

static void put_bytes(FILE *file, const char *key, const uint8_t *bytes, size_t count)
{
    fprintf(file, ", \"%s\": [", key);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%u", comma(i), bytes[i]);
    fputc(']', file);
}

/* ---- operations ---- */

static void put_places(const gfab_gpu_plan *plan, FILE *file, const char *key, size_t first, size_t count)
{
    fprintf(file, ", \"%s\": [", key);
    for (size_t i = 0; i < count; i++) {
        const gfab_gpu_place *place = &plan->places[first + i];
        fprintf(file, "%s{", comma(i));
        if (place->reach == GFAB_GPU_LOCAL)
            fprintf(file, "\"type\": \"%c\"", gfab_gpu_buffer_names[place->buffer]);
        else
            fprintf(file, "\"%s\": %u", place->reach == GFAB_GPU_REMOTE ? "buffer_id" : "switch_channel_id", place->id);
        fprintf(file, ", \"index\": %u, \"size\": %u}", place->index, place->size);
    }
    fputc(']', file);
}

static void put_op(const gfab_gpu_plan *plan, FILE *file, const gfab_gpu_op *op)
{
    fprintf(file, "{\"name\": \"%s\"", gfab_gpu_op_names[op->kind]);
    if (op->sources || op->targets) {
        put_places(plan, file, "src_buff", op->places, op->sources);
        put_places(plan, file, "dst_buff", op->places + op->sources, op->targets);
    }
    if (op->channel_count)
        put_bytes(file, "channel_ids", op->channels, op->channel_count);
    if (op->channel != GFAB_GPU_NO_CHANNEL)
        fprintf(file, ", \"channel_type\": \"%s\"", gfab_gpu_channel_names[op->channel]);
    if (op->semaphore_count)
        put_bytes(file, "semaphore_ids", op->semaphores, op->semaphore_count);
    if (op->slices > 1)
        fprintf(file, ", \"tbg_info\": {\"tb_id\": %u, \"tbg_size\": %u}", op->slice, op->slices);
    if (op->kind == GFAB_GPU_BARRIER)
        fprintf(file, ", \"barrier_id\": %u, \"num_threadblocks\": %u", op->barrier, op->thread_blocks);
    if (op->kind == GFAB_GPU_PIPELINE) {
        fprintf(file, ", \"iter_context\": {\"unit_size\": %u, \"num_chunks\": %u}, \"ops\": [", op->unit, op->chunks);
        for (uint32_t i = 1; i <= op->inner; i++) {
            fputs(comma(i - 1), file);
            put_op(plan, file, op + i);
        }
        fputc(']', file);
    }
    fputc('}', file);
}

/* ---- GPUs ---- */

static void put_block(const gfab_gpu_plan *plan, FILE *file, const gfab_gpu_block *block, size_t id)
{
    const gfab_gpu_op *ops = plan->ops + block->ops;
    size_t lists = 0;
    fprintf(file, "{\"id\": %zu, \"ops\": [", id);
    for (size_t i = 0; i < block->op_count; i += 1 + ops[i].inner) {
        fprintf(file, "%s\n        ", i ? "," : "");
        put_op(plan, file, &ops[i]);
    }
    fputs("],\n      \"channels\": [", file);
    for (int type = 0; type < 3; type++)
        if (block->channel_count[type]) {
            fprintf(file, "%s{\"channel_type\": \"%s\", \"channel_ids\": ", comma(lists++),
                    gfab_gpu_channel_names[type]);
            put_numbers(file, block->channels[type], block->channel_count[type]);
            fputc('}', file);
        }
    lists = 0;
    fputs("],\n      \"remote_buffer_refs\": [", file);
    for (int type = 0; type < 2; type++)
        if (block->buffer_count[type]) {
            fprintf(file, "%s{\"access_channel_type\": \"%s\", \"remote_buffer_ids\": ", comma(lists++),
                    gfab_gpu_channel_names[type]);
            put_numbers(file, block->buffers[type], block->buffer_count[type]);
            fputc('}', file);
        }
    fputs("]}", file);
}

static void put_channels(FILE *file, const gfab_gpu *gpu)
{
    size_t lists = 0;
    fputs("\"channels\": [", file);
    for (int type = 0; type < 2; type++)
        if (gpu->peer_count[type]) {
            fprintf(file, "%s{\"channel_type\": \"%s\", \"connected_to\": ", comma(lists++),
                    gfab_gpu_channel_names[type]);
            put_numbers(file, gpu->peers[type], gpu->peer_count[type]);
            fputc('}', file);
        }
    for (size_t i = 0; i < gpu->group_count; i++) {
        const gfab_gpu_group *group = &gpu->groups[i];
        fprintf(
            file,
            "%s{\"channel_type\": \"switch\", \"buffer_type\": \"%c\", \"rank_groups\": [{\"size\": %u, \"ranks\": ",
            comma(lists++), gfab_gpu_buffer_names[group->buffer], group->chunks);
        put_numbers(file, group->ranks, group->rank_count);
        fputs("}]}", file);
    }
    fputc(']', file);
}

static void put_gpu(const gfab_gpu_plan *plan, FILE *file, size_t id)
{
    const gfab_gpu *gpu = &plan->gpus[id];
    fprintf(
        file,
        "    {\"id\": %zu, \"input_chunks\": %u, \"output_chunks\": %u, \"scratch_chunks\": %u, \"threadblocks\": [",
        id, gpu->chunks[0], gpu->chunks[1], gpu->chunks[2]);
    for (size_t i = 0; i < gpu->block_count; i++) {
        fprintf(file, "%s\n      ", i ? "," : "");
        put_block(plan, file, &gpu->blocks[i], i);
    }
    fputs("],\n      ", file);
    put_channels(file, gpu);
    fputs(",\n      \"remote_buffers\": [", file);
    for (size_t i = 0; i < gpu->remote_count; i++) {
        const gfab_gpu_remote *remote = &gpu->remotes[i];
        fprintf(file, "%s{\"rank\": %u, \"type\": \"%c\", \"access_channel_types\": [%s%s%s]}", comma(i), remote->rank,
                gfab_gpu_buffer_names[remote->buffer], remote->by[0] ? "\"memory\"" : "",
                remote->by[0] && remote->by[1] ? ", " : "", remote->by[1] ? "\"port\"" : "");
    }
    fputs("],\n      \"semaphores\": [", file);
    for (size_t i = 0; i < gpu->semaphore_count; i++)
        fprintf(file, "%s{\"init_value\": %d}", comma(i), gpu->semaphores[i]);
    fputs("]}", file);
}

gfab_status gfab_gpu_plan_write(const gfab_gpu_plan *plan, FILE *file, gfab_diag *diag)
{
    bool good = true;
    fputs("{\"name\": ", file);
    good &= put_text(file, plan->name);
    fputs(", \"collective\": ", file);
    good &= put_text(file, plan->collective);
    fprintf(file, ", \"protocol\": \"%s\", \"inplace\": %s, \"reuse_resources\": %s,\n",
            plan->packets ? "LL" : "Simple", plan->in_place ? "true" : "false", plan->shares ? "true" : "false");
    if (plan->root)
        fprintf(file, "  \"root\": %u,\n", plan->root);
    if (plan->head) {
        fputs("  \"gossipfab\": ", file);
        good &= put_text(file, plan->head);
        fputs(",\n", file);
    }
    fputs("  \"gpus\": [\n", file);
    for (size_t r = 0; r < plan->gpu_count; r++) {
        fputs(r ? ",\n" : "", file);
        put_gpu(plan, file, r);
    }
    fprintf(file,
            "],\n  \"num_threads_per_block\": %u, \"use_double_scratch_buffer\": %s, \"buffer_alignment\": %u,\n"
            "  \"min_message_size\": %" PRIu64 ", \"max_message_size\": %" PRIu64 "}\n",
            plan->threads, plan->doubled ? "true" : "false", plan->alignment, plan->least, plan->most);
    errno = 0;
    if (fflush(file) != 0 || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the plan: %s", gfab_stream_reason());
    return good ? GFAB_OK : gfab_gpu_no_memory(diag);
}
