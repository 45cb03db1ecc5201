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

gfab_status gfab_group_moves_append(gfab_group_move *moves, size_t count, uint32_t period, uint32_t group,
                                    gfab_schedule *schedule)
{
    if (gfab_schedule_goal(schedule).blocks > group)
        GFAB_TRY(gfab_schedule_set_period(schedule, period, group));
    if (count > 0)
        qsort(moves, count, sizeof *moves, compare);
    for (size_t i = 0; i < count; i++)
        GFAB_TRY(gfab_schedule_append(schedule, moves[i].round, moves[i].arc, moves[i].token));
    return GFAB_OK;
}
