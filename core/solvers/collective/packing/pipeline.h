/* SPDX-License-Identifier: MIT */
/* Rounds for the moves of trees whose blocks follow each other a period apart; private to core/solvers. */
#ifndef GOSSIPFAB_PIPELINE_H
#define GOSSIPFAB_PIPELINE_H

#include "images.h"
#include "solvers/place/ready.h"

#include <gossipfab/schedule/model.h>
#include <gossipfab/schedule/schedule.h>

#define GFAB_PIPELINE_NONE UINT32_MAX

/* A group of blocks, each of which is reduced up a tree to its root and comes down again, a move over each edge each
 * way. In rounds that are the same modulo the period no link carries more than its weight, so that groups can follow
 * each other a period apart.
 *
 * A cell is a node in a tree, tree * nodes + node. Move 2 * cell goes up from it, 2 * cell + 1 down to it. Where a
 * tree's longest way has an odd number of links and these are full duplex, there is no need to meet at one node: the
 * two nodes in the middle send each other what they have in one round, and both have the total.
 *
 * A tree stands for all its images, a block each, which move in the same rounds. */
typedef struct gfab_pipeline {
    const gfab_topology *topology;
    const gfab_images *images;
    uint32_t nodes, trees, cells, period, hop;
    uint32_t resources; /* classes of arcs in full duplex, of links in half duplex */
    bool full;
    uint32_t *weight;             /* [resources] */
    const uint32_t *up;           /* [cells]: the edge towards the root; NONE for a root or a node not in the tree */
    uint32_t *parent;             /* [cells]: a cell; NONE where up is */
    uint32_t *child_from, *child; /* [cells + 1], [cells]: the children of a cell */
    uint32_t *twin;               /* [trees]: the child that the root exchanges with; NONE: none */
    uint32_t *resource;           /* [2 * cells]: of a move */
    uint32_t *tail;               /* [2 * cells]: links from its own to the end of its block */
    uint32_t *round;              /* [2 * cells]: the best so far; only of moves that there are */
    uint32_t *last;               /* [trees]: the last round of its blocks */
    uint64_t random;
    /* A try's: */
    uint32_t *key;   /* [2 * cells]: of two moves that could go the one with the higher key goes */
    uint32_t *wait;  /* [cells]: moves that have to come to the node first */
    uint32_t *first; /* [cells]: the round of the first message that came up to it */
    uint32_t *meet;  /* [trees]: how many of root and twin are not ready for their exchange; then since when
                       * they are */
    uint32_t *pair;  /* [trees]: exchanges that could take place */
    uint32_t pairs;
    uint32_t *used;   /* [resources * period] */
    gfab_ready ready; /* moves that could go */
    gfab_arena arena;
} gfab_pipeline;

/* Images and trees are borrowed; every tree has 2 nodes or more. To be released, after an error too. NO_MEMORY. */
gfab_status gfab_pipeline_create(const gfab_images *images, const gfab_model *model, uint32_t trees, uint32_t period,
                                 const uint32_t *up, gfab_pipeline *pipeline);
GFAB_HOLDS_ARENA(gfab_pipeline)

/* How many trees the last group of so many blocks (>= 1) has. */
uint32_t gfab_pipeline_rest(const gfab_pipeline *pipeline, uint32_t blocks);
/* Gives every move a round: link by link what has the longest way before it goes first, and before all others what is
 * of one of the first `early` trees. */
void gfab_pipeline_run(gfab_pipeline *pipeline, uint32_t early);
/* The rounds that all moves have, and what brings them back: to be freed; NULL: no memory. */
uint32_t *gfab_pipeline_save(const gfab_pipeline *pipeline);
void gfab_pipeline_restore(gfab_pipeline *pipeline, const uint32_t *saved);
/* Betters them by so many tries of exchanging rounds between moves of one link, so that the last round of so many
 * blocks comes earlier, never later. NO_MEMORY; INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_pipeline_anneal(gfab_pipeline *pipeline, uint32_t blocks, uint64_t tries,
                                 const gfab_progress *progress);

/* The last round of so many blocks (>= 1), where those of a group are numbered by their last rounds. NO_MEMORY. */
gfab_status gfab_pipeline_rounds(const gfab_pipeline *pipeline, uint32_t blocks, uint64_t *rounds);

/* The moves as packets of an empty schedule: as one group that repeats, or as they are. Blocks are numbered by the
 * rounds in which they end. Errors: those of gfab_schedule_set_period and gfab_schedule_append. */
gfab_status gfab_pipeline_emit(const gfab_pipeline *pipeline, bool repeats, gfab_schedule *schedule);

/* The arc of a move. */
gfab_arc gfab_pipeline_arc(const gfab_pipeline *pipeline, uint32_t move);
/* Is the cell one that exchanges with its parent? */
static inline bool gfab_pipeline_is_twin(const gfab_pipeline *p, uint32_t cell)
{
    return p->twin[cell / p->nodes] == cell;
}

#endif
