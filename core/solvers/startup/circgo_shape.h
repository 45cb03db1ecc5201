/* SPDX-License-Identifier: MIT */
/* What pricing, building and searching a plan on a line share; private to circgo_*.c. */
#ifndef GOSSIPFAB_SOLVERS_CIRCGO_SHAPE_H
#define GOSSIPFAB_SOLVERS_CIRCGO_SHAPE_H

#include "circgo_plan.h"

/* Where the heads are, as far as prices depend on it. */
typedef struct gfab_circgo_spacing {
    uint32_t gap;    /* G: no two neighbouring heads are further apart, and no end of a path reaches beyond G / 2 */
    uint32_t inner;  /* the longest gap between two heads; 0 where there is one head on a path. One-port: the longest
                      * stretch from a head up to the next, or to the path's end */
    uint32_t end[2]; /* positions beyond the first and the last head of a path; 0 on a cycle and one-port */
} gfab_circgo_spacing;

typedef struct gfab_circgo_level_shape {
    uint32_t pieces;     /* what the longest inner gap is split in; 1: there is none to split */
    uint32_t new_end[2]; /* new heads beyond the first and the last one */
    uint32_t reach[2];   /* and how far they are spread over the end */
    uint32_t beyond;     /* the larger of new_end */
    uint32_t span;       /* most positions from the first to the last new head of a gap or end */
    uint32_t messages;   /* k */
    uint32_t rounds;     /* b */
    bool spared;         /* new heads are spared their own items */
} gfab_circgo_level_shape;

static inline uint32_t gfab_circgo_divide_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

static inline uint32_t gfab_circgo_total(const gfab_circgo_line *line)
{
    return line->nodes * line->items;
}

/* floor(i * length / parts). */
static inline uint32_t gfab_circgo_split(uint32_t i, uint32_t length, uint32_t parts)
{
    return (uint32_t)((uint64_t)i * length / parts);
}

/* Position of head i, and where its cell begins; cell number `heads` begins at nodes. */
uint32_t gfab_circgo_head(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads, uint32_t i);
uint32_t gfab_circgo_cell(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads, uint32_t i);
/* The most positions to one side of a head in its cell: what gathering moves over one link. */
uint32_t gfab_circgo_arm(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads);
gfab_circgo_spacing gfab_circgo_start(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads);
static inline bool gfab_circgo_complete(const gfab_circgo_spacing *spacing)
{
    return spacing->inner <= 1 && !spacing->end[0] && !spacing->end[1];
}

/* The geometry of a level that splits gaps in `pieces` (messages, rounds and spared are left 0), and the spacing
 * after it. */
gfab_circgo_level_shape gfab_circgo_split_level(const gfab_circgo_line *line, gfab_circgo_spacing *spacing,
                                                uint32_t pieces);
/* The fewest rounds for k messages; the most messages for b rounds, 0 where not even one fits. */
uint32_t gfab_circgo_fewest_rounds(const gfab_circgo_line *line, const gfab_circgo_level_shape *level,
                                   uint32_t messages);
uint32_t gfab_circgo_most_messages(const gfab_circgo_line *line, const gfab_circgo_level_shape *level, uint32_t rounds);
/* Sets messages, rounds and spared. */
void gfab_circgo_set_messages(const gfab_circgo_line *line, gfab_circgo_level_shape *level, uint32_t messages,
                              bool spare);
/* What is cut in messages, not counting what every receiver is spared. */
uint32_t gfab_circgo_level_items(const gfab_circgo_line *line, const gfab_circgo_level_shape *level);
uint64_t gfab_circgo_level_transfers(const gfab_circgo_line *line, const gfab_circgo_level_shape *level);
/* Of `total` items cut in k, the long messages: numbers first .. first + count - 1 of 1 .. k; the others are one item
 * shorter. count 0: all are equal. */
void gfab_circgo_long_messages(uint32_t total, uint32_t messages, uint32_t *first, uint32_t *count);
/* Gathering and the exchange among heads: startups and transfers. */
void gfab_circgo_first_steps(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads, gfab_cost *cost);

#endif
