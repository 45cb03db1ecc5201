/* SPDX-License-Identifier: MIT */
/* Private: GPU plans. */
#ifndef GOSSIPFAB_PLANS_PLAN_H
#define GOSSIPFAB_PLANS_PLAN_H

#include <gossipfab/formats/gpu_plan.h>

/* What the executor has room for. */
#define GFAB_GPU_BLOCK_CHANNELS 16 /* of a type, in a thread block; remote buffers too */
#define GFAB_GPU_OP_CHANNELS 8
#define GFAB_GPU_OP_PLACES 10
#define GFAB_GPU_OPS 64 /* of a thread block */
#define GFAB_GPU_BARRIERS 16
#define GFAB_GPU_OP_SEMAPHORES 16
#define GFAB_GPU_SHARED_SCRATCH ((uint64_t)1 << 26) /* bytes of the scratch buffer that plans share */
/* What is read at all. */
#define GFAB_GPU_RANKS 4096
#define GFAB_GPU_CHUNKS ((uint32_t)1 << 20)

typedef enum gfab_gpu_buffer { GFAB_GPU_INPUT, GFAB_GPU_OUTPUT, GFAB_GPU_SCRATCH } gfab_gpu_buffer;
typedef enum gfab_gpu_channel { GFAB_GPU_MEMORY, GFAB_GPU_PORT, GFAB_GPU_SWITCH, GFAB_GPU_NO_CHANNEL } gfab_gpu_channel;
typedef enum gfab_gpu_reach { GFAB_GPU_LOCAL, GFAB_GPU_REMOTE, GFAB_GPU_GROUP } gfab_gpu_reach;

typedef enum gfab_gpu_kind {
    GFAB_GPU_NOP,
    GFAB_GPU_BARRIER,
    GFAB_GPU_PUT,
    GFAB_GPU_PUT_SIGNAL,
    GFAB_GPU_PUT_SIGNAL_FLUSH,
    GFAB_GPU_GET,
    GFAB_GPU_COPY,
    GFAB_GPU_SIGNAL,
    GFAB_GPU_WAIT,
    GFAB_GPU_FLUSH,
    GFAB_GPU_REDUCE,
    GFAB_GPU_REDUCE_SEND,
    GFAB_GPU_READ_REDUCE,
    GFAB_GPU_READ_REDUCE_SEND,
    GFAB_GPU_PUT_PACKETS,
    GFAB_GPU_READ_PUT_PACKETS,
    GFAB_GPU_REDUCE_SEND_PACKETS,
    GFAB_GPU_COPY_PACKETS,
    GFAB_GPU_UNPACK_PACKETS,
    GFAB_GPU_REDUCE_PACKETS,
    GFAB_GPU_REDUCE_COPY_PACKETS,
    GFAB_GPU_REDUCE_COPY_SEND_PACKETS,
    GFAB_GPU_GROUP_REDUCE,
    GFAB_GPU_GROUP_STORE,
    GFAB_GPU_GROUP_STORE_PACKETS,
    GFAB_GPU_RELAXED_SIGNAL,
    GFAB_GPU_RELAXED_WAIT,
    GFAB_GPU_PIPELINE,
    GFAB_GPU_ACQUIRE,
    GFAB_GPU_RELEASE,
    GFAB_GPU_KINDS
} gfab_gpu_kind;

/* A place of an operation, in chunks. */
typedef struct gfab_gpu_place {
    gfab_gpu_reach reach;
    gfab_gpu_buffer buffer; /* where it is local */
    uint32_t id;            /* else: of the thread block's remote buffers, or of its switch channels */
    uint32_t index, size;
} gfab_gpu_place;

typedef struct gfab_gpu_op {
    gfab_gpu_kind kind;
    gfab_gpu_channel channel;
    uint8_t channels[GFAB_GPU_OP_CHANNELS]; /* of the thread block's */
    uint8_t channel_count, sources, targets;
    size_t places;          /* the first of the sources, which the targets follow */
    uint32_t slice, slices; /* of its thread block group */
    uint32_t barrier, thread_blocks;
    uint8_t semaphores[GFAB_GPU_OP_SEMAPHORES];
    uint8_t semaphore_count;
    uint32_t unit, chunks, inner; /* of a pipeline: bytes, chunks, operations, which follow it */
} gfab_gpu_op;

typedef struct gfab_gpu_block {
    uint32_t channels[3][GFAB_GPU_BLOCK_CHANNELS]; /* of the rank's, by type */
    uint32_t channel_count[3];
    uint32_t buffers[2][GFAB_GPU_BLOCK_CHANNELS]; /* of the rank's remote buffers */
    uint32_t buffer_count[2];
    size_t ops, op_count;
} gfab_gpu_block;

typedef struct gfab_gpu_remote {
    uint32_t rank;
    gfab_gpu_buffer buffer;
    bool by[2]; /* memory channels, port channels */
} gfab_gpu_remote;

typedef struct gfab_gpu_group {
    gfab_gpu_buffer buffer;
    uint32_t chunks, *ranks;
    size_t rank_count;
} gfab_gpu_group;

typedef struct gfab_gpu {
    uint32_t chunks[3]; /* by gfab_gpu_buffer */
    uint32_t *peers[2]; /* of memory and port channels */
    size_t peer_count[2];
    gfab_gpu_group *groups;
    size_t group_count;
    gfab_gpu_remote *remotes;
    size_t remote_count;
    int32_t *semaphores; /* first values */
    size_t semaphore_count;
    gfab_gpu_block *blocks;
    size_t block_count;
} gfab_gpu;

/* What is to come out, by the collective's name. */
typedef enum gfab_gpu_goal {
    GFAB_GPU_NO_GOAL,
    GFAB_GPU_ALL_GATHER,
    GFAB_GPU_ALL_REDUCE,
    GFAB_GPU_REDUCE_SCATTER,
    GFAB_GPU_ALL_TO_ALL,
    GFAB_GPU_BROADCAST,
    GFAB_GPU_REDUCE_TO_ROOT,
    GFAB_GPU_SEND_RECV
} gfab_gpu_goal;

struct gfab_gpu_plan {
    char *name, *collective, *head; /* head: gossipfab's own, or NULL */
    gfab_gpu_goal goal;
    uint32_t root;
    bool packets, in_place, shares, doubled; /* protocol LL; reuse_resources; use_double_scratch_buffer */
    uint32_t threads, alignment;
    uint64_t least, most; /* bytes of a message */
    gfab_gpu *gpus;
    size_t gpu_count;
    gfab_gpu_op *ops;
    size_t op_count, op_room;
    gfab_gpu_place *places;
    size_t place_count, place_room;
};

extern const char *const gfab_gpu_op_names[GFAB_GPU_KINDS];
extern const char *const gfab_gpu_channel_names[3];
extern const char gfab_gpu_buffer_names[];

gfab_gpu_plan *gfab_gpu_plan_create(size_t ranks, const char *name, const char *collective);
gfab_gpu_op *gfab_gpu_plan_add_op(gfab_gpu_plan *plan);
gfab_gpu_place *gfab_gpu_plan_add_place(gfab_gpu_plan *plan);
/* What can only be said of a whole plan: INVALID places, LIMIT, UNSUPPORTED. */
gfab_status gfab_gpu_plan_validate(const gfab_gpu_plan *plan, gfab_diag *diag);
gfab_status gfab_gpu_no_memory(gfab_diag *diag);

/* ---- where operations read and write: parts.c ---- */

/* Bytes of a rank's memory. Packets have as many bytes again, of flags, so that a range of `length` bytes of data
 * takes twice as many from `at` on. */
typedef struct gfab_gpu_range {
    uint32_t rank;
    uint8_t region; /* 0: the user's buffer, or the input where there are two; 1: the output; 2: scratch */
    bool packets;
    uint64_t at;
} gfab_gpu_range;

/* What is written, to each of the targets, is the sum of what is read at the sources. */
typedef struct gfab_gpu_part {
    uint64_t length; /* bytes of data */
    const gfab_gpu_range *ranges;
    size_t sources, targets;
} gfab_gpu_part;

typedef struct gfab_gpu_parts {
    gfab_gpu_part *at;
    size_t count, room;
    gfab_gpu_range *ranges;
    size_t range_count, range_room;
} gfab_gpu_parts;

/* Where an operation of a thread block stands, and when. */
typedef struct gfab_gpu_where {
    uint32_t rank, block;
    const gfab_gpu_op *op;
    uint64_t chunk;  /* bytes */
    uint64_t offset; /* in a pipeline: bytes behind the places' own */
    uint64_t unit;   /* UINT64_MAX: no pipeline */
    uint32_t launch;
} gfab_gpu_where;

/* The parts of an operation, each independent of the others; of a port put the i-th goes over the i-th channel. They
 * are valid until the next call. LIMIT where a place lies beyond its buffer. */
gfab_status gfab_gpu_plan_parts(const gfab_gpu_plan *plan, const gfab_gpu_where *where, gfab_gpu_parts *parts,
                                gfab_diag *diag);
void gfab_gpu_parts_release(gfab_gpu_parts *parts);
/* Bytes of a region of a rank; scratch with both halves. */
uint64_t gfab_gpu_region_bytes(const gfab_gpu_plan *plan, uint32_t rank, int region, uint64_t chunk);
/* Where a rank's input, or output, begins. */
gfab_gpu_range gfab_gpu_user_range(const gfab_gpu_plan *plan, uint32_t rank, gfab_gpu_buffer buffer, uint64_t chunk);
uint64_t gfab_gpu_iterations(const gfab_gpu_op *pipeline, uint64_t chunk);
/* Of so many channels, semaphores or places of which each is a thread's, those that a thread is there for. */
uint32_t gfab_gpu_lanes(const gfab_gpu_plan *plan, uint32_t count);
/* Bytes of a chunk, by the options or as the plan has it. INVALID; LIMIT, UNSUPPORTED of that length. */
gfab_status gfab_gpu_plan_chunk(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options, uint64_t *chunk,
                                gfab_diag *diag);
/* Where the j-th of rank r's channels (of a type) to a peer ends: the peer's j-th to r; SIZE_MAX where it has none. */
size_t gfab_gpu_paired(const gfab_gpu_plan *plan, uint32_t rank, gfab_gpu_channel type, size_t channel);

#endif
