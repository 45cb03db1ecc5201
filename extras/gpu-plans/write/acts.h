/* SPDX-License-Identifier: MIT */
/* Private to the writer of MSCCL++'s plans: what GPUs do, from a schedule, and as operations of thread blocks. */
#ifndef GOSSIPFAB_FORMATS_ACTS_H
#define GOSSIPFAB_FORMATS_ACTS_H

#include "formats/formats.h"

#include <gossipfab/base/arena.h>

#include "gpu-plans/plan.h"

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
    uint32_t relay; /* of SENDS: by a store to all of this relay's GPUs at once; else GFAB_NO_RANK */
    uint32_t peer;
    chunk from, more, to; /* more: is added */
    uint32_t block;       /* of SENDS */
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
    bool in_place, multicast;
    uint32_t slices;              /* thread blocks that share a chunk */
    gfab_byte_range range;        /* lengths that it is for; end 0: all */
    uint32_t nodes, blocks, each; /* nodes: GPUs; each: blocks of one */
    gfab_moves moves;
    held *where;       /* [node * blocks + block]; relays too */
    held *comes;       /* [move of a round]: to a relay */
    uint32_t *scratch; /* [node]: pieces in use */
    act *acts;
    size_t count, room;
    size_t multicasts; /* acts that one store does */
    gfab_gpu_plan *plan;
    gfab_arena arena;
} maker;

/* MSCCL++'s name; NULL where it has none. Static. */
const char *gfab_mscclpp_collective(gfab_collective collective);
/* The GPUs that a relay is linked with, in order, and how many; ranks may be NULL. */
size_t gfab_mscclpp_gpus_at(const gfab_topology *topology, uint32_t relay, uint32_t *ranks);
/* The plan of the acts, in m; or its status. */
void gfab_mscclpp_make_plan(maker *m);

#endif
