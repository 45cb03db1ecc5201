/* SPDX-License-Identifier: MIT */
/* What the two ways of replanning share. Private to core/solvers/collective/replan. */
#ifndef GOSSIPFAB_SOLVERS_REPLAN_PLAN_H
#define GOSSIPFAB_SOLVERS_REPLAN_PLAN_H

#include "solvers/collective/group_moves.h"

#include <gossipfab/solvers/replan.h>

#define GFAB_REPLAN_NONE UINT32_MAX

/* A packet of the old schedule. */
typedef struct gfab_replan_move {
    uint32_t round, block;
    uint32_t from, to; /* nodes that are left; NONE: it has died */
    gfab_arc arc;      /* of the graph that is left; NONE: it has died */
    bool combine;
} gfab_replan_move;

typedef struct gfab_replan_job {
    const gfab_schedule *before;
    const gfab_topology *left;
    const gfab_progress *progress;
    uint32_t *number; /* [nodes before]: the node's number in what is left; NONE: it has died */
    gfab_model model;
    gfab_goal goal;  /* of all blocks; of many, where it is one of any length */
    uint32_t period; /* 0: it does not repeat */
    uint32_t group;  /* blocks */
    uint32_t rounds; /* of the moves */
    uint32_t nodes, links;
    bool punctual;           /* of one tree a block: keep only moves for which their round has room */
    gfab_replan_move *moves; /* by rising rounds */
    size_t count;
} gfab_replan_job;

/* The old schedule on what is left, packet by packet, and under its solver's name. FAULT where it is not right there;
 * the schedule is NULL then. NO_MEMORY; INTERRUPTED. */
gfab_status gfab_replan_stay(const gfab_replan_job *job, gfab_schedule **after);
/* How many moves the old schedule has, and how many of them are over links that their block takes in the new one, too.
 * NO_MEMORY; INTERRUPTED. */
gfab_status gfab_replan_count(const gfab_replan_job *job, const gfab_schedule *after, gfab_replan_report *report);

/* What a way has brought. */
typedef struct gfab_replan_outcome {
    uint64_t kept; /* moves */
    bool dropped;  /* a block found no room */
} gfab_replan_outcome;

/* One way, with each group of the old schedule taken so many times: the more, the less is lost where some block of it
 * finds no room. A schedule that does not repeat is taken once. Errors as gfab_replan. */
typedef gfab_status gfab_replan_way(const gfab_replan_job *job, uint32_t copies, gfab_schedule *after,
                                    gfab_replan_outcome *outcome, gfab_diag *diag);
/* All collectives but all-reduce and barrier: each block goes along one tree, one way. */
gfab_replan_way gfab_replan_trees;
/* All-reduce and barrier: each block goes up a tree and comes down again. */
gfab_replan_way gfab_replan_forest;
/* The same where it does not repeat: up one tree and down another. UNSUPPORTED with relays. */
gfab_replan_way gfab_replan_halves;

#endif
