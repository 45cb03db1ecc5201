/* SPDX-License-Identifier: MIT */
/* Another schedule for a graph in which a link has died or become slow, made of the old one: what still works stays.
 *
 *     gfab_topology_parse("torus:8x8+drop-link=3-4", &left, &diag);
 *     gfab_replan(schedule, left, NULL, &replanned, &report, &diag);
 *
 * docs/theory/replanning.md. */
#ifndef GOSSIPFAB_REPLAN_H
#define GOSSIPFAB_REPLAN_H

#include <gossipfab/schedule/schedule.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of the packets of the old schedule; of a repeating one those of its one group. */
typedef struct gfab_replan_report {
    uint64_t moves; /* of the old schedule */
    uint64_t kept;  /* of them: those over links that their block takes in the new schedule, too */
} gfab_replan_report;

/* A schedule on `left` that does what `before` does, under the same model: with the same goal, one that repeats where
 * that repeats, of any length where that is. left has the nodes and relays of before's topology under the same numbers,
 * and any links and weights that leave it connected; it is borrowed and must outlive the result, which is the caller's.
 * Whether before is right is not looked at, and so the result should be verified. Errors: UNSUPPORTED where the nodes
 * differ, for one-port models, paths of several links and packets of several tokens, and for an all-gather that does
 * not start with as many tokens at each member; LIMIT where the schedule is too large; NO_MEMORY; INTERRUPTED by
 * progress, which may be NULL. */
gfab_status gfab_replan(const gfab_schedule *before, const gfab_topology *left, const gfab_progress *progress,
                        gfab_schedule **after, gfab_replan_report *report, gfab_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
