/* SPDX-License-Identifier: MIT */
/* The trees and quotas of the comb (docs/theory/optimal-gossip.md, sections 2 and 7), private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_COMB_PLAN_H
#define GOSSIPFAB_SOLVERS_COMB_PLAN_H

#include "solvers/solvers.h"

/* Lines: rows 0 .. rows - 1, then columns. */
typedef struct gfab_comb_plan {
    uint32_t rows, columns;
    uint8_t *tree;        /* [token]: 2 if its trunk is a column, 0 if it is a row, + the parity of its spines */
    uint32_t *own;        /* [2 * line + parity]: tokens whose trunk is the line, by the parity of their spines */
    uint32_t total[2][2]; /* [trunk is a column][parity]: tokens */
    int64_t *change;      /* [line]: for gfab_comb_plan_balance */
    gfab_arena arena;
} gfab_comb_plan;

/* Starts of gfab_comb_plan_balance. */
#define GFAB_COMB_STARTS 32u

/* The plan's memory, for a mesh of sides >= 2; on failure gfab_comb_plan_free is still due. */
gfab_status gfab_comb_plan_init(gfab_comb_plan *plan, uint32_t rows, uint32_t columns);
void gfab_comb_plan_free(gfab_comb_plan *plan);

/* The trees of the square mesh, which are proved to take n(n + 1) / 2 rounds. */
void gfab_comb_plan_square(gfab_comb_plan *plan);

/* Trees of which no link of any line has to carry more than rounds tokens; false if this start leads to none. Of the
 * starts, the later half also moves trunks. */
bool gfab_comb_plan_balance(gfab_comb_plan *plan, uint32_t start, uint64_t rounds);

/* How many teeth come to each position of a line from below (over the link before it) and from above. */
void gfab_comb_plan_quotas(const gfab_comb_plan *plan, uint32_t line, uint32_t *from_below, uint32_t *from_above);

static inline bool gfab_comb_is_column(const gfab_comb_plan *plan, uint32_t line)
{
    return line >= plan->rows;
}

/* Of a line among the rows, or among the columns. */
static inline uint32_t gfab_comb_number(const gfab_comb_plan *plan, uint32_t line)
{
    return gfab_comb_is_column(plan, line) ? line - plan->rows : line;
}

/* Positions of a line. */
static inline uint32_t gfab_comb_length(const gfab_comb_plan *plan, uint32_t line)
{
    return gfab_comb_is_column(plan, line) ? plan->rows : plan->columns;
}

static inline bool gfab_comb_trunk_is_column(const gfab_comb_plan *plan, uint32_t token)
{
    return plan->tree[token] >= 2;
}

static inline uint32_t gfab_comb_spine_parity(const gfab_comb_plan *plan, uint32_t token)
{
    return plan->tree[token] % 2;
}

#endif
