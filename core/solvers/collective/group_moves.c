/* SPDX-License-Identifier: MIT */
/* The end of solvers that plan in any order: they collect moves (round, arc, block), and these become a schedule,
 * which wants them sorted. A plan of one group that repeats becomes a schedule with a period where more blocks are
 * asked for than the group has: moves of 5 blocks every 7 rounds serve 500 blocks. */
#include "group_moves.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const gfab_group_move *x = a, *y = b;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    if (x->arc != y->arc)
        return x->arc < y->arc ? -1 : 1;
    return (x->token > y->token) - (x->token < y->token);
}

/* What repeats has one token a packet. For a model of longer packets the groups are written out. */
static gfab_status append_written_out(gfab_group_move *moves, size_t count, uint32_t period, uint32_t group,
                                      gfab_schedule *schedule)
{
    gfab_model model = *gfab_schedule_model(schedule);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *single = NULL;
    model.packet_tokens = 1;
    GFAB_TRY(gfab_schedule_create(gfab_schedule_topology(schedule), &model, &single));
    GFAB_TRY(gfab_schedule_set_goal(single, &goal, NULL));
    GFAB_TRY(gfab_group_moves_append(moves, count, period, group, single));
    return gfab_schedule_append_all(schedule, single);
}

gfab_status gfab_group_moves_append(gfab_group_move *moves, size_t count, uint32_t period, uint32_t group,
                                    gfab_schedule *schedule)
{
    const bool repeats = gfab_schedule_goal(schedule).blocks > group;
    if (repeats && gfab_schedule_model(schedule)->packet_tokens != 1)
        return append_written_out(moves, count, period, group, schedule);
    if (repeats)
        GFAB_TRY(gfab_schedule_set_period(schedule, period, group));
    if (count > 0)
        qsort(moves, count, sizeof *moves, compare);
    for (size_t i = 0; i < count; i++)
        GFAB_TRY(gfab_schedule_append(schedule, moves[i].round, moves[i].arc, moves[i].token));
    return GFAB_OK;
}

gfab_status gfab_group_moves_trees(const gfab_group_move *moves, size_t count, uint32_t rounds, uint32_t hop_rounds,
                                   gfab_schedule *schedule)
{
    const gfab_collective collective = gfab_schedule_goal(schedule).collective;
    const bool back = gfab_collective_combines(collective);
    const bool forth = collective != GFAB_REDUCE && collective != GFAB_REDUCE_SCATTER;
    const uint32_t after = back ? rounds + hop_rounds - 1 : 0;
    GFAB_FREED gfab_group_move *all = malloc(2 * count * sizeof *all);
    size_t at = 0;
    GFAB_NEED(all);
    for (size_t i = 0; i < count && back; i++)
        all[at++] = (gfab_group_move){rounds + 1 - moves[i].round, moves[i].token | GFAB_COMBINE, moves[i].arc ^ 1u};
    for (size_t i = 0; i < count && forth; i++)
        all[at++] = (gfab_group_move){after + moves[i].round, moves[i].token, moves[i].arc};
    return gfab_group_moves_append(all, at, 0, UINT32_MAX, schedule);
}
