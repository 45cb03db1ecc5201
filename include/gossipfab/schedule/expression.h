/* SPDX-License-Identifier: MIT */
/* In which order a schedule adds up a block: the bracketing of its partial results. It is a function of the schedule
 * alone, never of data, time or length, so that a sum has the same bits in every run, whatever the operator. In a
 * schedule that repeats block b goes the way of the block of group 0 that it is of its group: of a broadcast, reduce or
 * all-reduce b modulo the group. */
#ifndef GOSSIPFAB_EXPRESSION_H
#define GOSSIPFAB_EXPRESSION_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* Terms of one block. Term v < N is node v's contribution; every other one is (left + right), both of them earlier. */
typedef struct gfab_expression gfab_expression;

/* Where several messages are combined in one round they apply in rising order of the receiver's directions
 * (gfab_topology_direction): ((old + first) + second). The schedule must be good (gfab_verify). Errors: INVALID where
 * there is no such block (of any length: all are there, but in a reduce-scatter, where those of a group are),
 * UNSUPPORTED where the collective combines nothing or contributions may count more than once, NO_MEMORY. */
gfab_status gfab_expression_create(const gfab_schedule *schedule, uint32_t block, gfab_expression **expression,
                                   gfab_diag *diag);
void gfab_expression_destroy(gfab_expression *expression);

size_t gfab_expression_term_count(const gfab_expression *expression);
/* False for a contribution, and for no term. */
bool gfab_expression_term(const gfab_expression *expression, uint32_t term, uint32_t *left, uint32_t *right);
#define GFAB_NO_TERM UINT32_MAX
/* The term that a node has after the last round; GFAB_NO_TERM for no such node. */
uint32_t gfab_expression_result(const gfab_expression *expression, uint32_t node);

/* Writes a term as text, such as ((n0 + n1) + (n5 + n4)), without a line's end. INVALID for no such term; NO_MEMORY;
 * what failed to be written is for ferror to tell. */
gfab_status gfab_expression_write(const gfab_expression *expression, uint32_t term, FILE *file);

/* Is every block added up in one bracketing, at every node that wants it? What commutes counts as the same: (a + b) is
 * (b + a). FAULT, with two that differ; errors of gfab_expression_create. */
gfab_status gfab_expression_check_one(const gfab_schedule *schedule, gfab_diag *diag);

/* All messages of a schedule of blocks, block by block, each block's in the order in which they apply, of which its
 * expression is made: (*messages)[0 .. *count - 1], for the caller to free. NO_MEMORY. */
gfab_status gfab_schedule_messages(const gfab_schedule *schedule, gfab_message **messages, size_t *count);

GFAB_C_END
#endif
