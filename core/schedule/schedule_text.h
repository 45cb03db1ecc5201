/* SPDX-License-Identifier: MIT */
/* Private: what the writer and the reader of schedules have to agree on (docs/reference/schedule-format.md). */
#ifndef GOSSIPFAB_SCHEDULE_TEXT_H
#define GOSSIPFAB_SCHEDULE_TEXT_H

#define GFAB_SCHEDULE_FORMAT 1 /* the version, in the first line */
#define GFAB_SCHEDULE_CSV_HEADER "round,from,to,token"

#endif
