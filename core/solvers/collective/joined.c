/* SPDX-License-Identifier: MIT */
/* Schedules behind each other. An all-reduce of k N + r blocks, r below N: one of k N, for which `reversed` and
 * `packing` often meet the bound, and one of r after it. On torus:7x9, full duplex, 787 blocks take 372 + 19 rounds;
 * the bound is 388. An all-gather or reduce-scatter of k d + r blocks a node, d the least degree, full duplex: k of
 * d, which take N - 1 rounds where they meet the bound, and one of r. On torus:2x31 7 blocks a node take 61 + 61 +
 * 21 rounds, the bound. */
#include "collectives.h"
#include "gossip_trees.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

/* Blocks times nodes; longer vectors have a schedule that repeats, of which two cannot be joined. */
#define MOST_HOLDINGS ((uint64_t)1 << 16)
#define MOST_REDUCED ((uint64_t)1 << 20) /* of an all-reduce, whose parts take as long for any number of blocks */
/* So many times the effort, and so many times that, where a part misses the bound, on graphs of so many nodes. */
#define HARDER 4u
#define HARDER_TRIES 4u
#define MOST_NODES 64u

/* A goal of fewer blocks than are asked for, who may make it, and its bound. */
typedef struct part {
    const gfab_solver *const *by; /* up to NULL */
    gfab_goal goal;
    uint64_t least;
} part;

static gfab_status find_part(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             uint32_t blocks, part *p)
{
    gfab_bound least = {.rounds = 0};
    p->goal = *options->goal;
    p->goal.blocks = blocks;
    GFAB_TRY(gfab_bound_goal_best(topology, model, &p->goal, options->progress, &least));
    p->least = least.rounds;
    return GFAB_OK;
}

/* The shortest that its solvers make, asked in turn until one meets the bound. NULL, and the last status, where none
 * makes any. */
static gfab_status shortest(const part *p, const gfab_topology *topology, const gfab_model *model,
                            const gfab_solver_options *options, gfab_schedule **best, gfab_diag *diag)
{
    const gfab_solver *const *list = p->by;
    gfab_solver_options asked = *options;
    gfab_status status = GFAB_ERR_UNSUPPORTED;
    asked.goal = &p->goal;
    asked.rounds = 0;
    *best = NULL;
    for (; *list && !(*best && gfab_schedule_rounds(*best) <= p->least); list++) {
        gfab_schedule *made = NULL;
        if (!((*list)->collectives & GFAB_MAKES(p->goal.collective)))
            continue;
        status = (*list)->solve(topology, model, &asked, &made, diag);
        if (gfab_solver_cut_short(status)) {
            gfab_schedule_destroy(*best);
            *best = NULL;
            return status;
        }
        gfab_solver_keep_shorter(made, best);
    }
    return *best ? GFAB_OK : status;
}

/* The packets of `from` behind the rounds that are there. Its blocks are `each` of every owner (or all of one),
 * which are numbered from `first` on among the owner's `of`. */
static gfab_status append_behind(gfab_schedule *schedule, const gfab_schedule *from, uint32_t first, uint32_t each,
                                 uint32_t of)
{
    const uint32_t before = gfab_schedule_rounds(schedule), rounds = gfab_schedule_rounds(from);
    GFAB_FREED uint32_t *tokens = malloc(gfab_schedule_model(from)->packet_tokens * sizeof *tokens);
    if (!tokens)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t round = 1; round <= rounds; round++) {
        gfab_packet packet;
        gfab_packet_iter it = gfab_schedule_round(from, round);
        while (gfab_packet_next(&it, &packet)) {
            for (size_t i = 0; i < packet.token_count; i++) {
                const uint32_t block = packet.tokens[i] & ~GFAB_COMBINE;
                tokens[i] = (packet.tokens[i] & GFAB_COMBINE) | (block / each * of + block % each + first);
            }
            GFAB_TRY(gfab_schedule_append_packet(schedule, before + round, packet.arcs, packet.arc_count, tokens,
                                                 packet.token_count));
        }
    }
    return GFAB_OK;
}

/* So many blocks of every node: by the solvers of few blocks first, and where these miss the bound with more effort. */
static gfab_status make_part(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             part *p, gfab_schedule **made_part, gfab_diag *diag)
{
    static const gfab_solver *const list[] = {&gfab_solver_reversed, &gfab_solver_repeated,  &gfab_solver_trees_repeat,
                                              &gfab_solver_trees,    &gfab_solver_out_trees, NULL};
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    const bool gossip = p->goal.collective == GFAB_ALL_GATHER && p->goal.blocks == nodes;
    gfab_solver_options harder = *options;
    harder.goal = &p->goal;
    p->by = list;
    harder.effort = HARDER * (options->effort ? options->effort : 1);
    GFAB_TRY(gossip ? gfab_gossip_trees(topology, model, options, made_part, diag)
                    : shortest(p, topology, model, options, made_part, diag));
    for (uint32_t i = 0; i < HARDER_TRIES && nodes <= MOST_NODES; i++) {
        gfab_schedule *made = NULL;
        if (gfab_schedule_rounds(*made_part) <= p->least)
            break;
        harder.seed++;
        const gfab_status tried = gfab_solver_out_trees.solve(topology, model, &harder, &made, diag);
        gfab_solver_keep_shorter(made, made_part);
        GFAB_TRY(gfab_solver_cut_short(tried) ? tried : GFAB_OK);
    }
    return GFAB_OK;
}

/* All-gathers and reduce-scatters: as often as many blocks of every node as its least degree, and the rest. */
static gfab_status build_owned(const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology), each = options->goal->blocks / nodes;
    const uint32_t whole = (uint32_t)gfab_topology_min_degree(topology), rest = each % whole;
    if (model->link_mode != GFAB_LINK_FULL || model->port_mode != GFAB_PORT_ALL || each < whole || each < 2 ||
        (uint64_t)nodes * options->goal->blocks > MOST_HOLDINGS)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "it takes at least as many blocks of every node as the least degree, in full duplex with all "
                         "ports, and blocks times nodes up to %llu",
                         (unsigned long long)MOST_HOLDINGS);
    part all, most, last = {.least = 0};
    gfab_status status = find_part(topology, model, options, each * nodes, &all);
    GFAB_THEN(status, find_part(topology, model, options, whole * nodes, &most));
    if (status == GFAB_OK && rest > 0)
        status = find_part(topology, model, options, rest * nodes, &last);
    if (status != GFAB_OK)
        return status;
    const uint64_t rounds = each / whole * most.least + last.least;
    if (rounds > all.least)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "its parts would take %llu rounds, above the bound, %llu",
                         (unsigned long long)rounds, (unsigned long long)all.least);
    gfab_schedule *parts[2] = {NULL, NULL};
    status = make_part(topology, model, options, &most, &parts[0], diag);
    if (status == GFAB_OK && rest > 0)
        status = make_part(topology, model, options, &last, &parts[1], diag);
    for (uint32_t first = 0; first + whole <= each && status == GFAB_OK; first += whole)
        status = append_behind(schedule, parts[0], first, whole, each);
    if (status == GFAB_OK && rest > 0)
        status = append_behind(schedule, parts[1], each - rest, rest, each);
    for (size_t i = 0; i < 2; i++)
        gfab_schedule_destroy(parts[i]);
    return status;
}

/* The parts of an all-reduce, `rest` blocks behind the others; NULL where one is not made. */
static gfab_status make_two(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                            uint32_t rest, gfab_schedule *parts[2], gfab_diag *diag)
{
    static const gfab_solver *const lists[2][3] = {{&gfab_solver_reversed, &gfab_solver_packing, NULL},
                                                   {&gfab_solver_in_out_trees, &gfab_solver_trees, NULL}};
    const uint32_t blocks[2] = {options->goal->blocks - rest, rest};
    part p[2] = {{.by = lists[0]}, {.by = lists[1]}};
    parts[0] = parts[1] = NULL;
    for (size_t i = 0; i < 2; i++)
        GFAB_TRY(find_part(topology, model, options, blocks[i], &p[i]));
    if (options->rounds && p[0].least + p[1].least > options->rounds)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "no schedule of %u rounds was found", options->rounds);
    for (size_t i = 0; i < 2; i++)
        GFAB_TRY(shortest(&p[i], topology, model, options, &parts[i], diag));
    return GFAB_OK;
}

/* Of k N + r blocks the last r, or the last N + r: these leave fewer links idle. */
static gfab_status build_all_reduce(const gfab_topology *topology, const gfab_model *model,
                                    const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_member_count(topology), blocks = options->goal->blocks;
    if (blocks < nodes || blocks % nodes == 0 || (uint64_t)nodes * blocks > MOST_REDUCED)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "it takes more blocks than nodes, no multiple of them, and blocks times nodes up to %llu",
                         (unsigned long long)MOST_REDUCED);
    gfab_schedule *best[2] = {NULL, NULL};
    gfab_status status = GFAB_ERR_UNSUPPORTED;
    uint32_t rest = 0;
    for (uint32_t some = blocks % nodes; some < blocks && some < 2 * nodes; some += nodes) {
        gfab_schedule *made[2];
        const gfab_status tried = make_two(topology, model, options, some, made, diag);
        const bool better =
            tried == GFAB_OK && (!rest || gfab_schedule_rounds(made[0]) + gfab_schedule_rounds(made[1]) <
                                              gfab_schedule_rounds(best[0]) + gfab_schedule_rounds(best[1]));
        for (size_t i = 0; i < 2; i++) {
            gfab_schedule_destroy(better ? best[i] : made[i]);
            best[i] = better ? made[i] : best[i];
        }
        rest = better ? some : rest;
        status = rest && !gfab_solver_cut_short(tried) ? GFAB_OK : tried;
        if (gfab_solver_cut_short(tried))
            break;
    }
    GFAB_THEN(status, gfab_schedule_append_all(schedule, best[0]));
    GFAB_THEN(status, append_behind(schedule, best[1], blocks - rest, blocks, blocks));
    for (size_t i = 0; i < 2; i++)
        gfab_schedule_destroy(best[i]);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    if (!options->goal)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "it takes more blocks than one a node");
    const bool reduces = options->goal->collective == GFAB_ALL_REDUCE;
    GFAB_TRY((reduces ? build_all_reduce : build_owned)(topology, model, options, schedule, diag));
    if (options->rounds && gfab_schedule_rounds(schedule) > options->rounds)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "no schedule of %u rounds was found", options->rounds);
    return GFAB_OK;
}

GFAB_SOLVE(solve, joined, build)

const gfab_solver gfab_solver_joined = {
    .name = "joined",
    .summary = "an all-reduce of more blocks than nodes, no multiple of them: one of the multiple, the rest behind it; "
               "all-gathers and reduce-scatters of several blocks a node, in parts that meet the bound",
    .source = "gossipfab, docs/theory/long-vectors/tree-packing.md",
    .solve = solve,
    .improve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER),
    .long_from = 4,
};
