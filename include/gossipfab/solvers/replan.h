/* SPDX-License-Identifier: MIT */
/* Another schedule for a graph in which something has died or become slow, made of the old one: what still works stays.
 *
 *     gfab_topology_change(torus, "+drop-link=3-4", &left, NULL, &diag);
 *     gfab_replan(schedule, left, NULL, NULL, &replanned, &report, &diag);
 *
 * docs/theory/replanning.md. */
#ifndef GOSSIPFAB_REPLAN_H
#define GOSSIPFAB_REPLAN_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* How the new schedule came about. */
typedef enum gfab_replan_how {
    GFAB_REPLAN_STAYS,  /* nothing that the old one uses has changed: it is the old one, packet by packet */
    GFAB_REPLAN_MENDED, /* what still works is as it was, the rest is new */
    GFAB_REPLAN_ANEW    /* a solver made it, which gfab_schedule_solver names */
} gfab_replan_how;

/* What became of the packets of the old schedule; of a repeating one those of its one group. */
typedef struct gfab_replan_report {
    gfab_replan_how how;
    uint64_t moves; /* of the old schedule: tokens over links */
    uint64_t kept;  /* of them: those over links that their block takes in the new schedule, too */
} gfab_replan_report;

/* A schedule on `left` that does what `before` does, under the same model: one that repeats where that repeats, of any
 * length where that is. left is borrowed and must outlive the result, which is the caller's. `nodes` says for each node
 * of left which one of before's topology it is, rising (gfab_topology_change); NULL: they have the same numbers. A
 * relay is a relay there, a member a member. Where members have died the goal is the same one of those that are left:
 * as many blocks in all, or of each node, the root under its new number.
 *
 * Where before is right on left, it comes back with its own solver's name. Else what works of it is kept, which is
 * done for all ports, store-and-forward routing, links that go both ways, and packets of one token. All-reduces and
 * barriers that do not repeat, and whatever is not mended, are made anew if that is little work, which is counted,
 * not timed; the shorter of the two is taken. Whether before is right is not looked at, and so the result
 * should be verified.
 *
 * Errors: UNSUPPORTED where the old root has died, members became relays or the other way round, or it can be neither
 * mended nor made anew; LIMIT where the schedule is too large; NO_MEMORY; INTERRUPTED by progress, which
 * may be NULL. */
gfab_status gfab_replan(const gfab_schedule *before, const gfab_topology *left, const uint32_t *nodes,
                        const gfab_progress *progress, gfab_schedule **after, gfab_replan_report *report,
                        gfab_diag *diag);

GFAB_C_END
#endif
