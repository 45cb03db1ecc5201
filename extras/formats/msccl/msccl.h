/* SPDX-License-Identifier: MIT */
/* Private to MSCCL's reader and writer: what both know of the format, and a file as it is read. Limits are those of
 * msccl-executor-nccl: msccl_struct.h, msccl_parser.h. */
#ifndef GOSSIPFAB_FORMATS_MSCCL_H
#define GOSSIPFAB_FORMATS_MSCCL_H

#include "formats/formats.h"

#define GFAB_MSCCL_STEPS 256     /* of a thread block */
#define GFAB_MSCCL_ELEMENTS 4096 /* that it keeps for one GPU */
#define GFAB_MSCCL_NODES 1024    /* elements within an element */
#define GFAB_MSCCL_COUNT 72      /* a step moves fewer chunks */

/* A comment that starts so has the head of a schedule behind it. */
#define GFAB_MSCCL_HEAD "gossipfab, the schedule without its rounds:\n"

/* MSCCL's name; NULL where it has none. Static. */
const char *gfab_msccl_collective(gfab_collective collective);

typedef enum gfab_msccl_type {
    GFAB_MSCCL_SEND,
    GFAB_MSCCL_RECV,
    GFAB_MSCCL_RECV_COPY_SEND,
    GFAB_MSCCL_RECV_REDUCE_SEND,
    GFAB_MSCCL_RECV_REDUCE_COPY,
    GFAB_MSCCL_RECV_REDUCE_COPY_SEND,
    GFAB_MSCCL_COPY,
    GFAB_MSCCL_REDUCE,
    GFAB_MSCCL_NOP
} gfab_msccl_type;

typedef struct gfab_msccl_step {
    gfab_msccl_type type;
    uint8_t source_buffer, target_buffer; /* 0 input, 1 output, 2 scratch */
    int32_t source, target, count;
    int32_t dep_tb, dep_step;     /* -1: none */
    bool has_dep;                 /* it says so when it is done */
    bool awaited;                 /* and a step waits for that */
    uint32_t number;              /* of those that are awaited */
    uint32_t flag;                /* the step that it waits for + 1: the first from deps on that says so; 0: none */
    uint32_t block, round, place; /* as gossipfab writes them; round 0: it did not */
    size_t line;
} gfab_msccl_step;

typedef struct gfab_msccl_tb {
    uint32_t gpu;
    int32_t send, recv; /* peers, -1: none */
    uint32_t channel;
    size_t first_step, step_count;
    size_t line;
} gfab_msccl_tb;

typedef struct gfab_msccl_gpu {
    uint32_t chunks[3]; /* of the buffers */
    size_t first_tb, tb_count;
    size_t line; /* 0: it is not there */
} gfab_msccl_gpu;

typedef struct gfab_msccl {
    gfab_diag *diag;
    char *head;  /* NULL: not a file of ours */
    bool found;  /* <algo> */
    bool custom; /* coll="custom": what is to come out is not said */
    gfab_collective collective;
    uint32_t nodes, chunks;   /* GPUs; chunks a loop */
    bool in_place, both_ways; /* both: in place and out of place */
    uint32_t slots;           /* messages that a connection holds, */
    uint32_t fill;            /* and the fewest chunks of a step that each has, where the step has so many */
    gfab_msccl_gpu *gpus;     /* [nodes] */
    gfab_msccl_tb *tbs;
    size_t tb_count, tb_capacity;
    gfab_msccl_step *steps;
    size_t step_count, step_capacity;
} gfab_msccl;

#define GFAB_MSCCL_NONE UINT32_MAX

/* A chunk of a step, carried out. Messages are numbered as they are sent. */
typedef struct gfab_msccl_event {
    uint32_t tb, step, part; /* of all thread blocks, of all steps; the chunk of the step */
    uint32_t sent, received; /* GFAB_MSCCL_NONE: none */
} gfab_msccl_event;

/* What happened in one run, and where memory is. */
typedef struct gfab_msccl_log {
    gfab_msccl_event *at;
    size_t count, room;
    uint32_t messages, flags;
    uint64_t (*base)[4]; /* [GPU]: where its buffers start in cells; the last: its memory */
    uint64_t *end;       /* [GPU]: behind it */
} gfab_msccl_log;

/* Does a step read (source), or write, its place in a buffer? */
bool gfab_msccl_uses(gfab_msccl_type type, bool source);
bool gfab_msccl_sends(gfab_msccl_type type);
bool gfab_msccl_receives(gfab_msccl_type type);

/* The file, checked as far as single elements go; release it even where this fails. */
gfab_status gfab_msccl_parse(FILE *file, gfab_msccl *m);
void gfab_msccl_release(gfab_msccl *m);

/* The thread block of another GPU that takes what this one sends, or sends what this one takes; NULL with a line in
 * the diagnostic where there is none, or several. */
const gfab_msccl_tb *gfab_msccl_partner(const gfab_msccl *m, const gfab_msccl_tb *tb, bool sends);
/* Carries a file out, and gives what was sent, in order, with the contributions in it. FAULT where a GPU does not end
 * with what it is to have, waits for ever, or where that depends on which of its thread blocks is first. */
gfab_status gfab_msccl_run(gfab_msccl *m, const gfab_goal *goal, gfab_sets *sets, gfab_moves *moves);
/* The last of these. */
gfab_status gfab_msccl_check_order(const gfab_msccl *m, const gfab_msccl_log *log);

#endif
