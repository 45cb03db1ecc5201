/* SPDX-License-Identifier: MIT */
/* Moves in any order, put into a schedule; private to core/solvers/collective. */
#ifndef GOSSIPFAB_SOLVERS_GROUP_MOVES_H
#define GOSSIPFAB_SOLVERS_GROUP_MOVES_H

#include "solvers/solvers.h"

typedef struct gfab_group_move {
    uint32_t round, token; /* with GFAB_COMBINE where it is combined */
    gfab_arc arc;
} gfab_group_move;

/* Appends the moves of the blocks 0 .. group - 1 to an empty schedule, by round and arc: as one group that repeats each
 * `period` rounds where the goal has more blocks (written out where packets may have several tokens), else as they are.
 * Sorts the moves. Errors: those of gfab_schedule_set_period, gfab_schedule_append and gfab_schedule_append_all. */
gfab_status gfab_group_moves_append(gfab_group_move *moves, size_t count, uint32_t period, uint32_t group,
                                    gfab_schedule *schedule);

/* Appends moves of so many rounds by which each block goes along a tree from its start, once into each node: as they
 * are, backwards where totals are wanted, or backwards and then forwards of an all-reduce. NO_MEMORY; the errors of
 * gfab_schedule_append. */
gfab_status gfab_group_moves_trees(const gfab_group_move *moves, size_t count, uint32_t rounds, uint32_t hop_rounds,
                                   gfab_schedule *schedule);

#endif
