/* SPDX-License-Identifier: MIT */
/* An all-gather of several blocks a node: the gossip of one, so many times. */
#include "gossip_trees.h"

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    if (!options->goal || options->goal->blocks == nodes)
        return GFAB_REFUSE(diag, "it takes more blocks than one a node");
    const uint32_t copies = options->goal->blocks / (uint32_t)nodes;
    const bool repeats = gfab_gossip_trees_repeat(model, copies);
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *trees = NULL;
    gfab_status status = gfab_gossip_trees(topology, model, options, &trees, diag);
    const uint32_t rounds = trees ? gfab_schedule_rounds(trees) : 0;
    if (status == GFAB_OK && repeats)
        status = gfab_schedule_set_period(schedule, rounds, (uint32_t)nodes);
    else if ((uint64_t)rounds * copies > GFAB_MAX_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_ROUNDS);
    if (status == GFAB_OK && repeats)
        status = gfab_gossip_trees_append(trees, options, (gfab_gossip_place){0, 1, 0, false}, schedule);
    for (uint32_t c = 0; c < copies && status == GFAB_OK && !repeats; c++)
        status = gfab_gossip_trees_append(trees, options, (gfab_gossip_place){c * rounds, copies, c, false}, schedule);
    return status;
}

GFAB_SOLVE(solve, repeated, build)

const gfab_solver gfab_solver_repeated = {
    .name = "repeated",
    .summary = "an all-gather of several blocks a node: the gossip of one block a node, so many times",
    .source = "gossipfab, docs/theory/reversed-gossip.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER),
};
