/* SPDX-License-Identifier: MIT */
/* Lower bounds on the rounds and on the linear cost of a gossip, each with the argument it rests on. */
#ifndef GOSSIPFAB_BOUND_H
#define GOSSIPFAB_BOUND_H

#include <gossipfab/schedule/certificate.h>
#include <gossipfab/schedule/cost.h>
#include <gossipfab/schedule/goal.h>
#include <gossipfab/schedule/model.h>
#include <gossipfab/schedule/schedule.h>
#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

typedef struct gfab_bound {
    const char *name; /* "count", "diameter", "degree", "path", "cut", ...; static */
    uint64_t rounds;
    char argument[320]; /* one sentence with the numbers put in */
    const char *source; /* paper and section, or "folklore"; static */
} gfab_bound;

#define GFAB_MAX_BOUNDS 16

/* All bounds that apply to gossip on topology under model, best (highest)
 * first; at least one applies to every topology and model. *count <= GFAB_MAX_BOUNDS. INTERRUPTED by progress, which
 * may be NULL. */
gfab_status gfab_bound_all(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                           gfab_bound *bounds, size_t *count);
/* The best of them. */
gfab_status gfab_bound_best(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                            gfab_bound *bound);

/* All bounds that apply to a goal, whatever its collective, as above; of an all-gather of one block a node those of
 * gfab_bound_all. They hold for operators that are idempotent, too. docs/theory/collectives.md derives them. Errors
 * also those of gfab_goal_check. */
gfab_status gfab_bound_goal(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                            const gfab_progress *progress, gfab_bound *bounds, size_t *count);

/* The best of them. */
gfab_status gfab_bound_goal_best(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                                 const gfab_progress *progress, gfab_bound *bound);

/* Of a schedule of any packets. */
typedef struct gfab_startup_bound {
    uint64_t startups; /* rounds with a packet, at least */
    gfab_ratio single; /* of a schedule with one startup: of the whole vector, what a link has to carry for its weight;
                        * denominator 0: not known, or no schedule has just one */
} gfab_startup_bound;

/* NO_MEMORY; INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_bound_startups(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                                const gfab_progress *progress, gfab_startup_bound *bound);

/* What the first and the last rounds of a pipeline cost a broadcast or a reduce of a long vector. In a round of a
 * transfer `slow` and `fast` vectors leave the root and come to one of several ends, whichever is which, and `direct`
 * come to it straight from the root; `window` rounds count as one. bound_pipeline.c derives it. */
typedef struct gfab_pipeline_end {
    double slow, fast, direct;
    uint64_t window;
} gfab_pipeline_end;
typedef struct gfab_pipeline_bound {
    gfab_pipeline_end ends[4];
    size_t count; /* 0: nothing is known, as of other collectives */
} gfab_pipeline_bound;

/* With the certificate of the goal's best rate. NO_MEMORY. */
gfab_status gfab_bound_pipeline(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                                const gfab_certificate *certificate, gfab_pipeline_bound *bound);
/* Transfers of the whole vector, at least, in so many rounds with a packet, 1 or more; infinite where they are too few.
 * They are convex in the rounds. Up to rounding. */
double gfab_pipeline_transfers(const gfab_pipeline_bound *bound, uint64_t startups);

/* The best bound on the rounds of a broadcast: one token, at node root, and none elsewhere. Packets of any size. */
gfab_status gfab_bound_broadcast(const gfab_topology *topology, const gfab_model *model, uint32_t root,
                                 gfab_bound *bound);

/* The best bound on the rounds of any schedule for the goal of this one, under its model and with what its nodes start
 * with, which need not be even (gfab_schedule_set_load): of a gossip on path:4 of 7 tokens, all at one end, 9. */
gfab_status gfab_bound_schedule(const gfab_schedule *schedule, const gfab_progress *progress, gfab_bound *bound);

/* Where a topology has relays or weighted links the bounds on rounds are about its members and weights; there are none
 * on the cost (UNSUPPORTED).
 *
 * On the linear cost of gossipfab/schedule/cost.h: no schedule of the model costs less, whatever it cuts tokens in. */
typedef struct gfab_cost_bound {
    const char *name;  /* "startups", "data", "startups and data", "mixed"; static */
    uint64_t startups; /* cost = startups * r + transfers */
    gfab_ratio transfers;
    gfab_ratio cost;    /* in units of one token's transfer */
    char argument[320]; /* one sentence with the numbers put in */
    const char *source; /* paper and section, or "folklore"; static */
} gfab_cost_bound;

#define GFAB_MAX_COST_BOUNDS 4

/* All that apply at r = startup, best (highest) first; at least one. Rings and linear arrays of up to 2^16 nodes have
 * "mixed", where it is above the others. LIMIT where a cost does not fit gfab_ratio. docs/theory/cost-bounds.md derives
 * them. */
gfab_status gfab_bound_cost_all(const gfab_topology *topology, const gfab_model *model, gfab_ratio startup,
                                const gfab_progress *progress, gfab_cost_bound *bounds, size_t *count);
/* The best of them. */
gfab_status gfab_bound_cost_best(const gfab_topology *topology, const gfab_model *model, gfab_ratio startup,
                                 const gfab_progress *progress, gfab_cost_bound *bound);

GFAB_C_END
#endif
