/* SPDX-License-Identifier: MIT */
/* Schedules as constant tables in C, which a small run time carries out over three callbacks, without an operating
 * system: docs/guide/small.md. */
#ifndef GOSSIPFAB_C_PLAN_H
#define GOSSIPFAB_C_PLAN_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* One C file with the plans of all ranks, each compiled alone by -DGFAB_RANK=V. A schedule that repeats is a table of
 * its one group. UNSUPPORTED where a packet goes over several links; LIMIT above 65535 nodes, blocks of a group, or
 * blocks under way at a node; IO; NO_MEMORY. The schedule must be good (gfab_verify). */
gfab_status gfab_c_plan_write(const gfab_schedule *schedule, FILE *file, gfab_diag *diag);

/* The files of the run time that such a plan is compiled with, "gfab_carry.c" and "gfab_carry.h": the name of the
 * index-th, NULL past the end, and its text, of *size bytes. Static. */
const char *gfab_c_plan_file(size_t index, const char **text, size_t *size);

GFAB_C_END
#endif
