/* SPDX-License-Identifier: MIT */
/* The cycle models of ring fabrics: what rtl/ring/gfab_ring.v and rtl/ring/gfab_ring_reduce.v do, in every cycle and
 * bit. */
#ifndef GOSSIPFAB_RING_MODEL_H
#define GOSSIPFAB_RING_MODEL_H

#include <gossipfab/fabric/ring.h>

GFAB_C_BEGIN

typedef struct gfab_ring_model gfab_ring_model;

/* Idle, with stores of zeros. fabric is borrowed. NO_MEMORY. */
gfab_status gfab_ring_model_create(const gfab_ring_fabric *fabric, gfab_ring_model **model, gfab_diag *diag);
void gfab_ring_model_destroy(gfab_ring_model *model);

/* Inputs of the coming cycle; they are gone behind it, but for what is read. load: a word of the node's own token,
 * R flits, little-endian; while busy is 0. read: flit i of a token is number {i / R, i % R}. Of tokens side by side, K
 * of them, `ring` below is which of them. */
void gfab_ring_model_reset(gfab_ring_model *model);
void gfab_ring_model_start(gfab_ring_model *model);
void gfab_ring_model_load(gfab_ring_model *model, uint32_t node, uint32_t word, const uint8_t *data);
void gfab_ring_model_read(gfab_ring_model *model, uint32_t node, uint32_t token, uint32_t word, uint32_t ring);
void gfab_ring_model_step(gfab_ring_model *model); /* the cycle, and the edge that ends it */

/* Outputs in the coming cycle. */
bool gfab_ring_model_busy(const gfab_ring_model *model);
bool gfab_ring_model_done(const gfab_ring_model *model);
/* What was read two cycles before, a flit; NULL where it was written at the same edge: then it may be anything. */
const uint8_t *gfab_ring_model_read_data(const gfab_ring_model *model, uint32_t node);
bool gfab_ring_model_drives(const gfab_ring_model *model); /* words are on the arcs, */
const uint8_t *gfab_ring_model_link(const gfab_ring_model *model, uint32_t node, uint32_t ring); /* and come in so */
/* Is a word written to the node's store at the edge to come, where, and its flit of a ring? */
bool gfab_ring_model_writes(const gfab_ring_model *model, uint32_t node, uint32_t *distance, uint32_t *word);
const uint8_t *gfab_ring_model_write_data(const gfab_ring_model *model, uint32_t node, uint32_t ring);

/* The same of one that combines. A flit is L bits, little-endian. */
typedef struct gfab_ring_reduce_model gfab_ring_reduce_model;
typedef struct gfab_ring_block {
    uint32_t home, round, ring; /* as a block's number has them, below N, rounds and R */
} gfab_ring_block;

gfab_status gfab_ring_reduce_model_create(const gfab_ring_fabric *fabric, gfab_ring_reduce_model **model,
                                          gfab_diag *diag);
void gfab_ring_reduce_model_destroy(gfab_ring_reduce_model *model);
void gfab_ring_reduce_model_reset(gfab_ring_reduce_model *model);
void gfab_ring_reduce_model_start(gfab_ring_reduce_model *model);
void gfab_ring_reduce_model_load(gfab_ring_reduce_model *model, uint32_t node, gfab_ring_block block, uint32_t flit,
                                 const uint8_t *data);
void gfab_ring_reduce_model_read(gfab_ring_reduce_model *model, uint32_t node, gfab_ring_block block, uint32_t flit);
void gfab_ring_reduce_model_step(gfab_ring_reduce_model *model);

bool gfab_ring_reduce_model_busy(const gfab_ring_reduce_model *model);
bool gfab_ring_reduce_model_done(const gfab_ring_reduce_model *model);
bool gfab_ring_reduce_model_drives(const gfab_ring_reduce_model *model); /* totals are to be written next */
/* Into data, in the coming cycle: what was read 2 cycles before, false where it may be anything; what comes in
 * over an arc; what stands before a ring's store. */
bool gfab_ring_reduce_model_read_data(const gfab_ring_reduce_model *model, uint32_t node, uint8_t *data);
void gfab_ring_reduce_model_link(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring, uint8_t *data);
void gfab_ring_reduce_model_write_data(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring,
                                       uint8_t *data);
/* Is a flit written to the ring's store at the edge to come, and where, {distance, round, flit}? */
bool gfab_ring_reduce_model_writes(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring,
                                   uint32_t *address);

GFAB_C_END
#endif
