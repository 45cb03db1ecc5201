/* SPDX-License-Identifier: MIT */
/* An all-reduce of k N + r blocks, r below N: one of k N, for which `reversed` and `packing` often meet the bound, and
 * one of r after it. On torus:7x9, full duplex, 787 blocks take 372 + 19 rounds; the bound is 388. */
#include "collectives.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

/* Blocks times nodes; longer vectors have a schedule that repeats, of which two cannot be joined. */
#define MOST_HOLDINGS ((uint64_t)1 << 16)

/* The shortest that those of a list make, asked in turn until one meets the bound. NULL, and the last status, where
 * none makes any. */
static gfab_status shortest(const gfab_solver *const *list, uint32_t blocks, const gfab_topology *topology,
                            const gfab_model *model, const gfab_solver_options *options, gfab_schedule **best,
                            gfab_diag *diag)
{
    gfab_goal goal = *options->goal;
    gfab_solver_options asked = *options;
    gfab_bound least;
    goal.blocks = blocks;
    asked.goal = &goal;
    asked.rounds = 0;
    *best = NULL;
    gfab_status status = gfab_bound_goal_best(topology, model, &goal, options->progress, &least);
    if (status != GFAB_OK)
        return status;
    for (; *list && !(*best && gfab_schedule_rounds(*best) <= least.rounds); list++) {
        gfab_schedule *made = NULL;
        status = (*list)->solve(topology, model, &asked, &made, diag);
        if (gfab_solver_cut_short(status)) {
            gfab_schedule_destroy(*best);
            *best = NULL;
            return status;
        }
        const bool better = made && (!*best || gfab_schedule_rounds(made) < gfab_schedule_rounds(*best));
        gfab_schedule_destroy(better ? *best : made);
        *best = better ? made : *best;
    }
    return *best ? GFAB_OK : status;
}

/* The packets of `from` behind the rounds that are there, its blocks numbered from `first` on. */
static gfab_status append_behind(gfab_schedule *schedule, const gfab_schedule *from, uint32_t first)
{
    const uint32_t before = gfab_schedule_rounds(schedule), rounds = gfab_schedule_rounds(from);
    uint32_t *tokens = malloc(gfab_schedule_model(from)->packet_tokens * sizeof *tokens);
    gfab_status status = tokens ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t round = 1; round <= rounds && status == GFAB_OK; round++) {
        gfab_packet packet;
        gfab_packet_iter it = gfab_schedule_round(from, round);
        while (status == GFAB_OK && gfab_packet_next(&it, &packet)) {
            for (size_t i = 0; i < packet.token_count; i++)
                tokens[i] = packet.tokens[i] + first; /* below GFAB_COMBINE, which stays */
            status = gfab_schedule_append_packet(schedule, before + round, packet.arcs, packet.arc_count, tokens,
                                                 packet.token_count);
        }
    }
    free(tokens);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    static const gfab_solver *const whole[] = {&gfab_solver_reversed, &gfab_solver_packing, NULL};
    static const gfab_solver *const rest[] = {&gfab_solver_trees, NULL};
    const uint32_t nodes = (uint32_t)gfab_topology_member_count(topology), blocks = options->goal->blocks;
    if (blocks < nodes || blocks % nodes == 0 || (uint64_t)nodes * blocks > MOST_HOLDINGS)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "it takes more blocks than nodes, no multiple of them, and blocks times nodes up to %llu",
                         (unsigned long long)MOST_HOLDINGS);
    gfab_schedule *parts[2] = {NULL, NULL};
    gfab_status status = shortest(whole, blocks - blocks % nodes, topology, model, options, &parts[0], diag);
    if (status == GFAB_OK)
        status = shortest(rest, blocks % nodes, topology, model, options, &parts[1], diag);
    if (status == GFAB_OK)
        status = gfab_schedule_append_all(schedule, parts[0]);
    if (status == GFAB_OK)
        status = append_behind(schedule, parts[1], blocks - blocks % nodes);
    for (size_t i = 0; i < 2; i++)
        gfab_schedule_destroy(parts[i]);
    if (status == GFAB_OK && options->rounds && gfab_schedule_rounds(schedule) > options->rounds)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "no schedule of %u rounds was found", options->rounds);
    return status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_joined, build, topology, model, options, schedule, diag);
}

const gfab_solver gfab_solver_joined = {
    .name = "joined",
    .summary = "an all-reduce of more blocks than nodes, no multiple of them: one of the multiple, the rest behind it",
    .source = "gossipfab, docs/theory/long-vectors/tree-packing.md",
    .applies = gfab_solver_check,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE),
};
