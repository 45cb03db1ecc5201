/* SPDX-License-Identifier: MIT */
/* A gossip read backwards is a reduce-scatter of as many rounds; with the gossip after it, an all-reduce. More blocks
 * than nodes: one such pass after the other, the totals last. */
#include "gossip_trees.h"

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
        return set == GFAB_OK ? gfab_gossip_trees_append_reversed(trees, options, 0, 1, 0, schedule) : set;
    }
    if (gfab_gossip_trees_repeat(model, copies) && model->hop_rounds == 1) {
        gfab_status set = gfab_schedule_set_period(schedule, 2 * rounds, options->goal->blocks / copies);
        if (set == GFAB_OK)
            set = gfab_gossip_trees_append_reversed(trees, options, 0, 1, 0, schedule);
        return set == GFAB_OK ? gfab_gossip_trees_append(trees, options, rounds, 1, 0, schedule) : set;
    }
    gfab_status status = check_rounds((uint64_t)rounds * copies * 2 + model->hop_rounds, diag);
    for (uint32_t c = 0; c < copies && status == GFAB_OK; c++)
        status = gfab_gossip_trees_append_reversed(trees, options, c * rounds, copies, c, schedule);
    if (options->goal->collective == GFAB_REDUCE_SCATTER)
        return status;
    const uint32_t totals = copies * rounds + model->hop_rounds - 1;
    for (uint32_t c = 0; c < copies && status == GFAB_OK; c++)
        status = gfab_gossip_trees_append(trees, options, totals + c * rounds, copies, c, schedule);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    if (options->goal->blocks % nodes != 0)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "%u blocks on %zu nodes; it takes multiples of the nodes",
                         options->goal->blocks, nodes);
    gfab_schedule *trees = NULL;
    gfab_status status = gfab_gossip_trees(topology, model, options, &trees, diag);
    if (status == GFAB_OK)
        status = append_copies(trees, model, options, options->goal->blocks / (uint32_t)nodes, schedule, diag);
    gfab_schedule_destroy(trees);
    return status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_reversed, build, topology, model, options, schedule, diag);
}

const gfab_solver gfab_solver_reversed = {
    .name = "reversed",
    .summary = "a gossip read backwards, which is a reduce-scatter; then, for an all-reduce, the gossip; blocks a "
               "multiple of the nodes",
    .source = "gossipfab, docs/theory/reversed-gossip.md",
    .applies = gfab_solver_check,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE),
};
