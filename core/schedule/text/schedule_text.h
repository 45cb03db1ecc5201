/* SPDX-License-Identifier: MIT */
/* Private: what the writer and the reader of schedules have to agree on (docs/reference/schedule-format.md). */
#ifndef GOSSIPFAB_SCHEDULE_TEXT_H
#define GOSSIPFAB_SCHEDULE_TEXT_H

/* The version, in the first line: of an all-gather, of any goal, of an all-gather kept as one tree, of one group that
 * repeats. */
#define GFAB_SCHEDULE_FORMAT 1
#define GFAB_SCHEDULE_GOAL_FORMAT 2
#define GFAB_SCHEDULE_TREE_FORMAT 3
#define GFAB_SCHEDULE_PERIOD_FORMAT 4
#define GFAB_SCHEDULE_CSV_HEADER "round,from,to,token"
#define GFAB_SCHEDULE_CSV_GOAL_HEADER "round,from,to,block,combine"

#endif
