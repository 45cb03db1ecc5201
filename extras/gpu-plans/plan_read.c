/* SPDX-License-Identifier: MIT */
/* The JSON of MSCCL++'s executor (src/core/executor/execution_plan.cc). What is wrong is named by its place. */
#include "plan.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    gfab_gpu_plan *plan;
    gfab_diag *diag;
    gfab_status status; /* the first error; all that is read after it is nothing */
    char where[160];
} reader;

static void stop(reader *r, gfab_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
static void stop(reader *r, gfab_status status, const char *format, ...)
{
    char text[256];
    va_list arguments;
    if (r->status != GFAB_OK)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->status = gfab_fail(r->diag, 0, status, "%s%s%s", r->where, *r->where ? ": " : "", text);
}

static void *allocate(reader *r, size_t count, size_t size)
{
    void *got = r->status == GFAB_OK ? calloc(count ? count : 1, size) : NULL;
    if (!got && r->status == GFAB_OK)
        r->status = gfab_gpu_no_memory(r->diag);
    return got;
}

/* A member that must be there, unless missing says what stands for it; NULL after an error. */
static const json_t *get(reader *r, const json_t *object, const char *key, bool needed)
{
    const json_t *value = json_object_get(object, key);
    if (!value && needed)
        stop(r, GFAB_ERR_PARSE, "\"%s\" is missing", key);
    return r->status == GFAB_OK ? value : NULL;
}

static uint64_t to_number(reader *r, const json_t *value, const char *key, uint64_t most)
{
    const json_int_t is = json_integer_value(value);
    if (r->status == GFAB_OK && (!json_is_integer(value) || is < 0 || (uint64_t)is > most))
        stop(r, GFAB_ERR_PARSE, "%s: a whole number from 0 to %" PRIu64 " is expected", key, most);
    return r->status == GFAB_OK ? (uint64_t)is : 0;
}

static uint32_t get_number(reader *r, const json_t *object, const char *key, uint32_t most)
{
    const json_t *value = get(r, object, key, true);
    return value ? (uint32_t)to_number(r, value, key, most) : 0;
}

static uint64_t get_number_or(reader *r, const json_t *object, const char *key, uint64_t most, uint64_t missing)
{
    const json_t *value = get(r, object, key, false);
    return value ? to_number(r, value, key, most) : missing;
}

static bool get_flag(reader *r, const json_t *object, const char *key, bool needed)
{
    const json_t *value = get(r, object, key, needed);
    if (value && !json_is_boolean(value))
        stop(r, GFAB_ERR_PARSE, "%s: true or false is expected", key);
    return value && json_is_true(value);
}

static const char *get_text(reader *r, const json_t *object, const char *key)
{
    const json_t *value = get(r, object, key, true);
    if (value && !json_is_string(value))
        stop(r, GFAB_ERR_PARSE, "%s: a text is expected", key);
    return r->status == GFAB_OK ? json_string_value(value) : "";
}

/* An array of at most so many; NULL, which has no elements, where it may be missing and is. */
static const json_t *get_array(reader *r, const json_t *object, const char *key, size_t most, bool needed)
{
    const json_t *value = get(r, object, key, needed);
    if (value && !json_is_array(value))
        stop(r, GFAB_ERR_PARSE, "%s: an array is expected", key);
    else if (value && json_array_size(value) > most)
        stop(r, GFAB_ERR_LIMIT, "%s: %zu elements; there is room for %zu", key, json_array_size(value), most);
    return r->status == GFAB_OK ? value : NULL;
}

static gfab_gpu_buffer get_buffer(reader *r, const json_t *object, const char *key)
{
    const char *text = get_text(r, object, key);
    const char *at = text[0] && !text[1] ? strchr(gfab_gpu_buffer_names, text[0]) : NULL;
    if (!at)
        stop(r, GFAB_ERR_PARSE, "%s: a buffer is \"i\", \"o\" or \"s\"", key);
    return at ? (gfab_gpu_buffer)(at - gfab_gpu_buffer_names) : GFAB_GPU_INPUT;
}

static gfab_gpu_channel to_channel(reader *r, const json_t *value, const char *key)
{
    for (int type = 0; type < 3; type++)
        if (json_is_string(value) && strcmp(json_string_value(value), gfab_gpu_channel_names[type]) == 0)
            return (gfab_gpu_channel)type;
    if (json_is_string(value) && strcmp(json_string_value(value), "none") == 0)
        return GFAB_GPU_NO_CHANNEL;
    stop(r, GFAB_ERR_PARSE, "%s: a channel is \"memory\", \"port\", \"switch\" or \"none\"", key);
    return GFAB_GPU_NO_CHANNEL;
}

static gfab_gpu_channel get_channel(reader *r, const json_t *object, const char *key)
{
    return to_channel(r, get(r, object, key, true), key);
}

/* ---- operations ---- */

static gfab_gpu_kind get_kind(reader *r, const json_t *object)
{
    const char *text = get_text(r, object, "name");
    for (int kind = 0; kind < GFAB_GPU_KINDS; kind++)
        if (strcmp(gfab_gpu_op_names[kind], text) == 0)
            return (gfab_gpu_kind)kind;
    stop(r, GFAB_ERR_UNSUPPORTED, "no operation of MSCCL++'s executor: \"%.40s\"", text);
    return GFAB_GPU_NOP;
}

static uint8_t read_places(reader *r, const json_t *object, const char *key)
{
    const json_t *list = get_array(r, object, key, GFAB_GPU_OP_PLACES, false);
    for (size_t i = 0; i < json_array_size(list) && r->status == GFAB_OK; i++) {
        const json_t *value = json_array_get(list, i);
        gfab_gpu_place place = {.index = get_number(r, value, "index", GFAB_GPU_CHUNKS),
                                .size = get_number(r, value, "size", GFAB_GPU_CHUNKS)};
        if (json_object_get(value, "buffer_id")) {
            place.reach = GFAB_GPU_REMOTE;
            place.id = get_number(r, value, "buffer_id", GFAB_GPU_BLOCK_CHANNELS - 1);
        } else if (json_object_get(value, "switch_channel_id")) {
            place.reach = GFAB_GPU_GROUP;
            place.id = get_number(r, value, "switch_channel_id", GFAB_GPU_BLOCK_CHANNELS - 1);
        } else {
            place.buffer = get_buffer(r, value, "type");
        }
        gfab_gpu_place *at = gfab_gpu_plan_add_place(r->plan);
        if (!at)
            r->status = gfab_gpu_no_memory(r->diag);
        else
            *at = place;
    }
    return (uint8_t)json_array_size(list);
}

static uint8_t read_bytes(reader *r, const json_t *object, const char *key, uint8_t *to, size_t room, uint32_t most)
{
    const json_t *list = get_array(r, object, key, room, false);
    for (size_t i = 0; i < json_array_size(list) && r->status == GFAB_OK; i++)
        to[i] = (uint8_t)to_number(r, json_array_get(list, i), key, most);
    return (uint8_t)json_array_size(list);
}

static void read_slice(reader *r, const json_t *object, gfab_gpu_op *op)
{
    op->slice = get_number(r, object, "tb_id", 4095);
    op->slices = get_number(r, object, "tbg_size", 4096);
    if (r->status == GFAB_OK && op->slice >= op->slices)
        stop(r, GFAB_ERR_PARSE, "tbg_info: tb_id is not below tbg_size");
}

static void read_op(reader *r, const json_t *object, bool within)
{
    gfab_gpu_op op = {.channel = GFAB_GPU_NO_CHANNEL, .places = r->plan->place_count, .slices = 1};
    op.kind = get_kind(r, object);
    const json_t *sum = json_object_get(object, "reduce_op"), *context = json_object_get(object, "iter_context");
    if (sum && (!json_is_string(sum) || strcmp(json_string_value(sum), "sum") != 0))
        stop(r, GFAB_ERR_UNSUPPORTED, "reduce_op other than \"sum\": the executor adds up, whatever the plan says");
    if (json_object_get(object, "channel_type"))
        op.channel = get_channel(r, object, "channel_type");
    op.channel_count =
        read_bytes(r, object, "channel_ids", op.channels, GFAB_GPU_OP_CHANNELS, GFAB_GPU_BLOCK_CHANNELS - 1);
    op.sources = read_places(r, object, "src_buff");
    op.targets = read_places(r, object, "dst_buff");
    op.semaphore_count = read_bytes(r, object, "semaphore_ids", op.semaphores, GFAB_GPU_OP_SEMAPHORES, 255);
    if (json_object_get(object, "tbg_info"))
        read_slice(r, json_object_get(object, "tbg_info"), &op);
    if (op.kind == GFAB_GPU_BARRIER) {
        op.barrier = get_number(r, object, "barrier_id", GFAB_GPU_BARRIERS - 1);
        op.thread_blocks = get_number(r, object, "num_threadblocks", 4096);
    }
    const json_t *inner = op.kind == GFAB_GPU_PIPELINE ? get_array(r, object, "ops", GFAB_GPU_OPS, true) : NULL;
    if (op.kind == GFAB_GPU_PIPELINE) {
        if (within)
            stop(r, GFAB_ERR_UNSUPPORTED, "a pipeline in a pipeline: the executor does not carry it out");
        op.unit = get_number(r, context, "unit_size", UINT32_MAX);
        op.chunks = get_number(r, context, "num_chunks", GFAB_GPU_CHUNKS);
        op.inner = (uint32_t)json_array_size(inner);
        if (op.unit == 0)
            stop(r, GFAB_ERR_PARSE, "iter_context: unit_size is 0");
    }
    gfab_gpu_op *at = r->status == GFAB_OK ? gfab_gpu_plan_add_op(r->plan) : NULL;
    if (!at && r->status == GFAB_OK)
        r->status = gfab_gpu_no_memory(r->diag);
    if (at)
        *at = op;
    for (size_t i = 0; i < json_array_size(inner) && r->status == GFAB_OK; i++)
        read_op(r, json_array_get(inner, i), true);
}

/* ---- thread blocks ---- */

static void read_block_channels(reader *r, const json_t *object, const gfab_gpu *gpu, gfab_gpu_block *block)
{
    const json_t *list = get_array(r, object, "channels", 4 * GFAB_GPU_BLOCK_CHANNELS, true);
    for (size_t i = 0; i < json_array_size(list) && r->status == GFAB_OK; i++) {
        const json_t *entry = json_array_get(list, i);
        const gfab_gpu_channel type = get_channel(r, entry, "channel_type");
        const json_t *ids = get_array(r, entry, "channel_ids", GFAB_GPU_BLOCK_CHANNELS, true);
        for (size_t j = 0; j < json_array_size(ids) && r->status == GFAB_OK && type != GFAB_GPU_NO_CHANNEL; j++) {
            const size_t count = type == GFAB_GPU_SWITCH ? gpu->group_count : gpu->peer_count[type];
            const uint64_t id = to_number(r, json_array_get(ids, j), "channel_ids", UINT32_MAX);
            if (r->status == GFAB_OK && id >= count)
                stop(r, GFAB_ERR_PARSE, "%s channel %" PRIu64 ": the GPU has %zu", gfab_gpu_channel_names[type], id,
                     count);
            else if (block->channel_count[type] == GFAB_GPU_BLOCK_CHANNELS)
                stop(r, GFAB_ERR_LIMIT, "more than %d %s channels", GFAB_GPU_BLOCK_CHANNELS,
                     gfab_gpu_channel_names[type]);
            else
                block->channels[type][block->channel_count[type]++] = (uint32_t)id;
        }
    }
}

static void read_block_buffers(reader *r, const json_t *object, const gfab_gpu *gpu, gfab_gpu_block *block)
{
    const json_t *list = get_array(r, object, "remote_buffer_refs", 4 * GFAB_GPU_BLOCK_CHANNELS, false);
    for (size_t i = 0; i < json_array_size(list) && r->status == GFAB_OK; i++) {
        const json_t *entry = json_array_get(list, i);
        const gfab_gpu_channel type = get_channel(r, entry, "access_channel_type");
        const json_t *ids = get_array(r, entry, "remote_buffer_ids", GFAB_GPU_BLOCK_CHANNELS, true);
        for (size_t j = 0; j < json_array_size(ids) && r->status == GFAB_OK && type <= GFAB_GPU_PORT; j++) {
            const uint64_t id = to_number(r, json_array_get(ids, j), "remote_buffer_ids", UINT32_MAX);
            if (r->status == GFAB_OK && (id >= gpu->remote_count || !gpu->remotes[id].by[type]))
                stop(r, GFAB_ERR_PARSE, "remote buffer %" PRIu64 ": the GPU has none by %s channels", id,
                     gfab_gpu_channel_names[type]);
            else if (block->buffer_count[type] == GFAB_GPU_BLOCK_CHANNELS)
                stop(r, GFAB_ERR_LIMIT, "more than %d remote buffers", GFAB_GPU_BLOCK_CHANNELS);
            else
                block->buffers[type][block->buffer_count[type]++] = (uint32_t)id;
        }
    }
}

static void read_blocks(reader *r, const json_t *object, size_t rank, gfab_gpu *gpu)
{
    const json_t *list = get_array(r, object, "threadblocks", 4096, true);
    gpu->blocks = allocate(r, json_array_size(list), sizeof *gpu->blocks);
    for (size_t t = 0; t < json_array_size(list) && r->status == GFAB_OK; t++) {
        const json_t *entry = json_array_get(list, t);
        gfab_gpu_block *block = &gpu->blocks[gpu->block_count++];
        snprintf(r->where, sizeof r->where, "gpus[%zu].threadblocks[%zu]", rank, t);
        if (get_number(r, entry, "id", UINT32_MAX) != t)
            stop(r, GFAB_ERR_PARSE, "its id is not its place in the list, which the executor goes by");
        read_block_channels(r, entry, gpu, block);
        read_block_buffers(r, entry, gpu, block);
        block->ops = r->plan->op_count;
        const json_t *ops = get_array(r, entry, "ops", SIZE_MAX, true);
        for (size_t i = 0; i < json_array_size(ops) && r->status == GFAB_OK; i++) {
            snprintf(r->where, sizeof r->where, "gpus[%zu].threadblocks[%zu].ops[%zu]", rank, t, i);
            read_op(r, json_array_get(ops, i), false);
        }
        block->op_count = r->plan->op_count - block->ops;
        snprintf(r->where, sizeof r->where, "gpus[%zu].threadblocks[%zu]", rank, t);
        if (block->op_count > GFAB_GPU_OPS)
            stop(r, GFAB_ERR_LIMIT, "%zu operations; the executor has room for %d", block->op_count, GFAB_GPU_OPS);
    }
}

/* ---- GPUs ---- */

static void read_group(reader *r, const json_t *entry, gfab_gpu_buffer buffer, gfab_gpu_group *group)
{
    const json_t *ranks = get_array(r, entry, "ranks", r->plan->gpu_count, true);
    group->buffer = buffer;
    group->chunks = get_number(r, entry, "size", GFAB_GPU_CHUNKS);
    group->ranks = allocate(r, json_array_size(ranks), sizeof *group->ranks);
    for (size_t i = 0; i < json_array_size(ranks) && r->status == GFAB_OK; i++) {
        group->ranks[i] = (uint32_t)to_number(r, json_array_get(ranks, i), "ranks", r->plan->gpu_count - 1);
        for (size_t j = 0; j < i; j++)
            if (group->ranks[j] == group->ranks[i])
                stop(r, GFAB_ERR_PARSE, "ranks: %u stands twice", group->ranks[i]);
    }
    group->rank_count = json_array_size(ranks);
}

static void read_channels(reader *r, const json_t *object, size_t rank, gfab_gpu *gpu)
{
    const json_t *list = get_array(r, object, "channels", SIZE_MAX, true);
    size_t room[3] = {0, 0, 0};
    for (int fill = 0; fill <= 1 && r->status == GFAB_OK; fill++) {
        for (size_t i = 0; i < json_array_size(list) && r->status == GFAB_OK; i++) {
            const json_t *entry = json_array_get(list, i);
            const gfab_gpu_channel type = get_channel(r, entry, "channel_type");
            if (type == GFAB_GPU_NO_CHANNEL)
                continue;
            const bool group = type == GFAB_GPU_SWITCH;
            const json_t *to = get_array(r, entry, group ? "rank_groups" : "connected_to", UINT16_MAX, true);
            for (size_t j = 0; j < json_array_size(to) && fill && r->status == GFAB_OK; j++) {
                const json_t *one = json_array_get(to, j);
                if (group) {
                    read_group(r, one, get_buffer(r, entry, "buffer_type"), &gpu->groups[gpu->group_count++]);
                    continue;
                }
                const uint64_t peer = to_number(r, one, "connected_to", r->plan->gpu_count - 1);
                if (peer == rank)
                    stop(r, GFAB_ERR_UNSUPPORTED, "a channel from a GPU to itself");
                gpu->peers[type][gpu->peer_count[type]++] = (uint32_t)peer;
            }
            room[type] += fill ? 0 : json_array_size(to);
        }
        if (fill)
            break;
        gpu->peers[0] = allocate(r, room[0], sizeof *gpu->peers[0]);
        gpu->peers[1] = allocate(r, room[1], sizeof *gpu->peers[1]);
        gpu->groups = allocate(r, room[2], sizeof *gpu->groups);
    }
}

static void read_remotes(reader *r, const json_t *object, size_t rank, gfab_gpu *gpu)
{
    const json_t *list = get_array(r, object, "remote_buffers", UINT16_MAX, true);
    gpu->remotes = allocate(r, json_array_size(list), sizeof *gpu->remotes);
    for (size_t i = 0; i < json_array_size(list) && r->status == GFAB_OK; i++) {
        const json_t *entry = json_array_get(list, i);
        const json_t *types = get_array(r, entry, "access_channel_types", 4, true);
        gfab_gpu_remote *remote = &gpu->remotes[gpu->remote_count++];
        remote->rank = get_number(r, entry, "rank", (uint32_t)r->plan->gpu_count - 1);
        remote->buffer = get_buffer(r, entry, "type");
        if (remote->rank == rank)
            stop(r, GFAB_ERR_UNSUPPORTED, "remote_buffers: a buffer of the GPU itself");
        for (size_t j = 0; j < json_array_size(types) && r->status == GFAB_OK; j++) {
            const gfab_gpu_channel type = to_channel(r, json_array_get(types, j), "access_channel_types");
            if (type <= GFAB_GPU_PORT)
                remote->by[type] = true;
        }
    }
}

static void read_gpu(reader *r, const json_t *object, size_t rank)
{
    static const char *const chunks[3] = {"input_chunks", "output_chunks", "scratch_chunks"};
    gfab_gpu *gpu = &r->plan->gpus[rank];
    snprintf(r->where, sizeof r->where, "gpus[%zu]", rank);
    if (get_number(r, object, "id", UINT32_MAX) != rank)
        stop(r, GFAB_ERR_PARSE, "its id is not its place in the list, which the executor goes by");
    for (int b = 0; b < 3; b++)
        gpu->chunks[b] = get_number(r, object, chunks[b], GFAB_GPU_CHUNKS);
    read_channels(r, object, rank, gpu);
    read_remotes(r, object, rank, gpu);
    const json_t *list = get_array(r, object, "semaphores", 256, false);
    gpu->semaphores = allocate(r, json_array_size(list), sizeof *gpu->semaphores);
    for (size_t i = 0; i < json_array_size(list) && r->status == GFAB_OK; i++)
        gpu->semaphores[gpu->semaphore_count++] =
            (int32_t)get_number(r, json_array_get(list, i), "init_value", INT32_MAX);
    read_blocks(r, object, rank, gpu);
}

bool gfab_gpu_plan_is(const json_t *json)
{
    return json_object_get(json, "gpus") && json_object_get(json, "protocol");
}

static void read_all(reader *r, const json_t *json)
{
    const json_t *gpus = get_array(r, json, "gpus", GFAB_GPU_RANKS, true);
    const char *name = get_text(r, json, "name"), *collective = get_text(r, json, "collective");
    const char *protocol = get_text(r, json, "protocol");
    if (r->status == GFAB_OK && json_array_size(gpus) == 0)
        stop(r, GFAB_ERR_PARSE, "gpus: there is none");
    if (strcmp(protocol, "LL") != 0 && strcmp(protocol, "Simple") != 0)
        stop(r, GFAB_ERR_UNSUPPORTED, "protocol \"%.40s\": neither Simple nor LL", protocol);
    if (r->status != GFAB_OK)
        return;
    gfab_gpu_plan *plan = r->plan = gfab_gpu_plan_create(json_array_size(gpus), name, collective);
    if (!plan) {
        r->status = gfab_gpu_no_memory(r->diag);
        return;
    }
    plan->packets = strcmp(protocol, "LL") == 0;
    plan->in_place = get_flag(r, json, "inplace", true);
    plan->shares = get_flag(r, json, "reuse_resources", false);
    plan->doubled = get_flag(r, json, "use_double_scratch_buffer", false);
    plan->threads = (uint32_t)get_number_or(r, json, "num_threads_per_block", 1024, 1024);
    if (plan->threads == 0)
        stop(r, GFAB_ERR_PARSE, "num_threads_per_block: a whole number from 1 to 1024 is expected");
    plan->alignment = (uint32_t)get_number_or(r, json, "buffer_alignment", 1 << 20, 16);
    plan->least = get_number_or(r, json, "min_message_size", INT64_MAX, 0);
    plan->most = get_number_or(r, json, "max_message_size", INT64_MAX, INT64_MAX);
    plan->most = plan->most == INT64_MAX ? UINT64_MAX : plan->most;
    plan->root = (uint32_t)get_number_or(r, json, "root", json_array_size(gpus) - 1, 0);
    if (json_object_get(json, "gossipfab")) {
        const char *head = get_text(r, json, "gossipfab");
        plan->head = allocate(r, strlen(head) + 1, 1);
        if (plan->head)
            memcpy(plan->head, head, strlen(head) + 1);
    }
    if (r->status == GFAB_OK && (plan->alignment == 0 || plan->alignment % 16 != 0))
        stop(r, GFAB_ERR_UNSUPPORTED, "buffer_alignment %u: no multiple of 16, the bytes that the kernel moves at once",
             plan->alignment);
    for (size_t rank = 0; rank < json_array_size(gpus) && r->status == GFAB_OK; rank++)
        read_gpu(r, json_array_get(gpus, rank), rank);
}

gfab_status gfab_gpu_plan_parse(const json_t *json, gfab_gpu_plan **plan, gfab_diag *diag)
{
    reader r = {NULL, diag, GFAB_OK, ""};
    read_all(&r, json);
    if (r.status == GFAB_OK)
        r.status = gfab_gpu_plan_validate(r.plan, diag);
    if (r.status != GFAB_OK) {
        gfab_gpu_plan_destroy(r.plan);
        r.plan = NULL;
    }
    *plan = r.plan;
    return r.status;
}
