/* SPDX-License-Identifier: MIT */
/* Schedules behind each other. An all-reduce of k N + r blocks, r below N: one of k N, for which `reversed` and
 * `packing` often meet the bound, and one of r after it. On torus:7x9, full duplex, 787 blocks take 372 + 19 rounds;
 * the bound is 388. Or a few blocks with which all links are in use in all rounds, for which `trees` often meets the
 * bound, again and again: on mesh:4x16, half duplex, 1024 blocks are 7 times 132, 154 rounds each, and 100 in 117, the
 * bound. An all-gather or reduce-scatter of k d + r blocks a node, d the least degree, full duplex: k of d, which take
 * N - 1 rounds where they meet the bound, and one of r. On torus:2x31 7 blocks a node take 61 + 61 + 21 rounds, the
 * bound. */
#include "base/divisor.h"
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
/* Of an all-reduce: so many blocks a node, or a few more, in a part that comes again and again; its blocks times nodes;
 * and ways of splitting it. */
#define EVEN_PART 2u
#define MOST_EVEN 16384u
#define MOST_SPLITS 3u

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
        gfab_packet_iter it = gfab_schedule_round(from, round);
        for (gfab_packet packet; gfab_packet_next(&it, &packet);) {
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
        return GFAB_REFUSE(diag,
                           "it takes at least as many blocks of every node as the least degree, in full duplex with "
                           "all ports, and blocks times nodes up to %llu",
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
        return GFAB_REFUSE(diag, "its parts would take %llu rounds, above the bound, %llu", (unsigned long long)rounds,
                           (unsigned long long)all.least);
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

/* An all-reduce in parts: `times` of so many blocks, and the rest behind them. */
typedef struct split {
    uint32_t whole, times, rest;
} split;

/* Blocks of a part that comes again and again: with so many all links can be in use in all rounds. 0: there is no such
 * part. */
static uint32_t even_blocks(const gfab_topology *topology, const gfab_model *model)
{
    const uint64_t members = gfab_topology_member_count(topology);
    uint64_t slots = 0;
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++)
        slots += (model->link_mode == GFAB_LINK_FULL ? 2u : 1u) * (uint64_t)gfab_topology_weight(topology, link);
    if (slots == 0)
        return 0;
    const uint64_t unit = slots / gfab_common_divisor(slots, 2 * (members - 1));
    const uint64_t even = (EVEN_PART * members + unit - 1) / unit * unit;
    return even * members <= MOST_EVEN ? (uint32_t)even : 0;
}

/* An even part several times, and about as many blocks as it has. Of k N + r blocks the last r, or the last N + r:
 * these leave fewer links idle. */
static uint32_t list_splits(const gfab_topology *topology, const gfab_model *model, uint32_t blocks, split *list)
{
    const uint32_t nodes = (uint32_t)gfab_topology_member_count(topology), even = even_blocks(topology, model);
    uint32_t count = 0;
    if (even && blocks >= 2 * even) {
        const uint32_t times = (blocks - even / 2) / even;
        list[count++] = (split){even, times, blocks - times * even};
    }
    for (uint32_t some = blocks % nodes; some > 0 && some < blocks && some < 2 * nodes; some += nodes)
        list[count++] = (split){blocks - some, 1, some};
    return count;
}

/* The parts of an all-reduce; NULL where one is not made. */
static gfab_status make_two(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                            const split *s, gfab_schedule *parts[2], gfab_diag *diag)
{
    static const gfab_solver *const once[] = {&gfab_solver_reversed, &gfab_solver_packing, NULL};
    static const gfab_solver *const often[] = {&gfab_solver_reversed, &gfab_solver_trees, NULL};
    static const gfab_solver *const rest[] = {&gfab_solver_in_out_trees, &gfab_solver_trees, NULL};
    const uint32_t blocks[2] = {s->whole, s->rest};
    part p[2] = {{.by = s->times > 1 ? often : once}, {.by = s->times > 1 ? often : rest}};
    parts[0] = parts[1] = NULL;
    for (size_t i = 0; i < 2; i++)
        GFAB_TRY(find_part(topology, model, options, blocks[i], &p[i]));
    if (options->rounds && s->times * p[0].least + p[1].least > options->rounds)
        return GFAB_REFUSE(diag, "no schedule of %u rounds was found", options->rounds);
    gfab_solver_options harder = *options;
    harder.effort = (s->times > 1 ? HARDER : 1) * (options->effort ? options->effort : 1);
    GFAB_TRY(shortest(&p[0], topology, model, &harder, &parts[0], diag));
    const uint32_t rounds = gfab_schedule_rounds(parts[0]);
    if ((s->times > 1 && rounds > p[0].least) || (options->rounds && s->times * rounds + p[1].least > options->rounds))
        return GFAB_REFUSE(diag, "no schedule of %u rounds was found", options->rounds);
    return shortest(&p[1], topology, model, &harder, &parts[1], diag);
}

static uint64_t rounds_of_split(const split *s, gfab_schedule *const parts[2])
{
    return s->times * (uint64_t)gfab_schedule_rounds(parts[0]) + gfab_schedule_rounds(parts[1]);
}

static gfab_status build_all_reduce(const gfab_topology *topology, const gfab_model *model,
                                    const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_member_count(topology), blocks = options->goal->blocks;
    split list[MOST_SPLITS], found = {0};
    const uint32_t count = list_splits(topology, model, blocks, list);
    if (blocks < nodes || count == 0 || (uint64_t)nodes * blocks > MOST_REDUCED)
        return GFAB_REFUSE(
            diag, "it takes more blocks than nodes, no multiple of them or many, and blocks times nodes up to %llu",
            (unsigned long long)MOST_REDUCED);
    gfab_schedule *best[2] = {NULL, NULL};
    part all;
    gfab_status status = find_part(topology, model, options, blocks, &all);
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < count && status == GFAB_OK && least > all.least; i++) {
        gfab_schedule *made[2];
        const gfab_status tried = make_two(topology, model, options, &list[i], made, diag);
        const bool better = tried == GFAB_OK && rounds_of_split(&list[i], made) < least;
        for (size_t k = 0; k < 2; k++) {
            gfab_schedule_destroy(better ? best[k] : made[k]);
            best[k] = better ? made[k] : best[k];
        }
        found = better ? list[i] : found;
        least = better ? rounds_of_split(&found, best) : least;
        status = gfab_solver_cut_short(tried) ? tried : GFAB_OK;
    }
    status = status == GFAB_OK && !best[1] ? GFAB_ERR_UNSUPPORTED : status;
    for (uint32_t i = 0; i < found.times && status == GFAB_OK; i++)
        status = append_behind(schedule, best[0], i * found.whole, blocks, blocks);
    GFAB_THEN(status, append_behind(schedule, best[1], blocks - found.rest, blocks, blocks));
    for (size_t i = 0; i < 2; i++)
        gfab_schedule_destroy(best[i]);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    if (!options->goal)
        return GFAB_REFUSE(diag, "it takes more blocks than one a node");
    const bool reduces = options->goal->collective == GFAB_ALL_REDUCE;
    GFAB_TRY((reduces ? build_all_reduce : build_owned)(topology, model, options, schedule, diag));
    if (options->rounds && gfab_schedule_rounds(schedule) > options->rounds)
        return GFAB_REFUSE(diag, "no schedule of %u rounds was found", options->rounds);
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
