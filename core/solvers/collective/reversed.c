/* SPDX-License-Identifier: MIT */
/* A gossip read backwards is a reduce-scatter of as many rounds; with the gossip after it, an all-reduce. More blocks
 * than nodes: one such pass after the other, the totals last; or an all-gather of all blocks in the gossip's place. */
#include "collectives.h"
#include "gossip_trees.h"

#include <gossipfab/schedule/bound.h>

/* For all-gathers of more than one block a node: blocks times nodes at most, and how far, as a part, two of them may be
 * above the bound of an all-reduce, and the gossip's copies must be. */
#define MOST_HOLDINGS ((uint64_t)1 << 16)
#define GATHER_PART 16u
#define NEAR_PART 128u

/* All rounds of so many passes must have numbers. */
static gfab_status check_rounds(uint64_t rounds, gfab_diag *diag)
{
    if (rounds > GFAB_MAX_ROUNDS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_ROUNDS);
    return GFAB_OK;
}

/* Copy c of the gossip makes, of the blocks k v .. k v + k - 1 of node v, number k v + c. A total is known hop_rounds
 * before it leaves. */
static gfab_status append_copies(const gfab_schedule *trees, const gfab_model *model,
                                 const gfab_solver_options *options, uint32_t copies, gfab_schedule *schedule,
                                 gfab_diag *diag)
{
    const uint32_t rounds = gfab_schedule_rounds(trees);
    if (options->goal->collective == GFAB_REDUCE_SCATTER && gfab_gossip_trees_repeat(model, copies)) {
        const gfab_status set = gfab_schedule_set_period(schedule, rounds, options->goal->blocks / copies);
        return set == GFAB_OK ? gfab_gossip_trees_append(trees, options, (gfab_gossip_place){0, 1, 0, true}, schedule)
                              : set;
    }
    if (gfab_gossip_trees_repeat(model, copies) && model->hop_rounds == 1) {
        gfab_status set = gfab_schedule_set_period(schedule, 2 * rounds, options->goal->blocks / copies);
        GFAB_THEN(set, gfab_gossip_trees_append(trees, options, (gfab_gossip_place){0, 1, 0, true}, schedule));
        return set == GFAB_OK
                   ? gfab_gossip_trees_append(trees, options, (gfab_gossip_place){rounds, 1, 0, false}, schedule)
                   : set;
    }
    gfab_status status = check_rounds((uint64_t)rounds * copies * 2 + model->hop_rounds, diag);
    for (uint32_t c = 0; c < copies && status == GFAB_OK; c++)
        status = gfab_gossip_trees_append(trees, options, (gfab_gossip_place){c * rounds, copies, c, true}, schedule);
    if (options->goal->collective == GFAB_REDUCE_SCATTER)
        return status;
    const uint32_t totals = copies * rounds + model->hop_rounds - 1;
    for (uint32_t c = 0; c < copies && status == GFAB_OK; c++)
        status = gfab_gossip_trees_append(trees, options, (gfab_gossip_place){totals + c * rounds, copies, c, false},
                                          schedule);
    return status;
}

/* Could an all-gather of all blocks, backwards and then forwards, take fewer rounds than so many? */
static gfab_status may_gather(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, uint64_t rounds, bool *may)
{
    gfab_goal gather = *options->goal;
    gfab_bound least, half;
    gather.collective = GFAB_ALL_GATHER;
    *may = false;
    if (options->goal->collective != GFAB_ALL_REDUCE ||
        gather.blocks * (uint64_t)gfab_topology_node_count(topology) > MOST_HOLDINGS ||
        gfab_solver_applies(&gfab_solver_trees_repeat, topology, model, NULL) != GFAB_OK)
        return GFAB_OK;
    GFAB_TRY(gfab_bound_goal_best(topology, model, options->goal, options->progress, &least));
    GFAB_TRY(gfab_bound_goal_best(topology, model, &gather, options->progress, &half));
    *may = 2 * half.rounds <= least.rounds + least.rounds / GATHER_PART &&
           rounds > least.rounds + least.rounds / NEAR_PART;
    return GFAB_OK;
}

/* By such an all-gather, into an empty schedule, if that takes fewer than so many rounds; else nothing. */
static gfab_status gather(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                          uint64_t rounds, gfab_schedule *schedule, bool *shorter)
{
    gfab_goal goal = *options->goal;
    gfab_solver_options asked = *options;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *made = NULL, *whole = NULL;
    goal.collective = GFAB_ALL_GATHER;
    asked.goal = &goal;
    asked.rounds = 0;
    *shorter = false;
    gfab_status status = gfab_solver_trees_repeat.solve(topology, model, &asked, &made, NULL);
    if (status == GFAB_ERR_UNSUPPORTED)
        return GFAB_OK;
    const uint32_t once = made ? gfab_schedule_rounds(made) : 0, totals = once + model->hop_rounds - 1;
    if (status == GFAB_OK && (uint64_t)once + totals < rounds) {
        *shorter = true;
        status = gfab_schedule_create(topology, model, &whole);
        GFAB_THEN(status, gfab_schedule_set_goal(whole, &goal, NULL));
        GFAB_THEN(status, gfab_schedule_append_all(whole, made));
        GFAB_THEN(status, gfab_gossip_trees_append(whole, options, (gfab_gossip_place){0, 1, 0, true}, schedule));
        GFAB_THEN(status, gfab_gossip_trees_append(whole, options, (gfab_gossip_place){totals, 1, 0, false}, schedule));
    }
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    if (options->goal->blocks % nodes != 0)
        return GFAB_REFUSE(diag, "%u blocks on %zu nodes; it takes multiples of the nodes", options->goal->blocks,
                           nodes);
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *trees = NULL;
    const uint32_t copies = options->goal->blocks / (uint32_t)nodes;
    bool may = false, shorter = false;
    GFAB_TRY(gfab_gossip_trees(topology, model, options, &trees, diag));
    const uint64_t rounds =
        trees ? 2 * (uint64_t)copies * gfab_schedule_rounds(trees) + model->hop_rounds - 1 : UINT64_MAX;
    if (copies > 1)
        GFAB_TRY(may_gather(topology, model, options, rounds, &may));
    if (may)
        GFAB_TRY(gather(topology, model, options, rounds, schedule, &shorter));
    return !shorter ? append_copies(trees, model, options, copies, schedule, diag) : GFAB_OK;
}

GFAB_SOLVE(solve, reversed, build)

const gfab_solver gfab_solver_reversed = {
    .name = "reversed",
    .summary = "a gossip read backwards, which is a reduce-scatter; then, for an all-reduce, the gossip; blocks a "
               "multiple of the nodes",
    .source = "gossipfab, docs/theory/reversed-gossip.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE),
};
