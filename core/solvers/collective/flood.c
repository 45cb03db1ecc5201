/* SPDX-License-Identifier: MIT */
/* One block and an operator for which a contribution may count more than once: each node tells its neighbours all it
 * has, as long as they lack any of it. With full-duplex links that takes as many rounds as the longest distance. A
 * half-duplex link goes the way that brings more; or all go towards a node in the middle first, then away from it. */
#include "solvers/solvers.h"

#include "base/bits.h"
#include "base/random.h"

#include <gossipfab/schedule/bound.h>

#include <string.h>

/* Work at half-duplex schedules, in words that are compared, unless the caller says how many tries. */
#define WORK ((uint64_t)1 << 25)

typedef struct flood {
    const gfab_topology *topology;
    const gfab_model *model;
    uint32_t nodes;
    size_t words;
    uint64_t *now, *next;      /* [nodes][words]: whose contributions a node has, before and after a round */
    uint32_t *distance, *work; /* [nodes]; distance is that from the middle */
    uint32_t radius;           /* the greatest distance from the middle; 0: each link goes as it likes */
    uint64_t random;
    gfab_arena arena;
} flood;
GFAB_HOLDS_ARENA(flood)

/* How many contributions a node has that another lacks. */
GFAB_COUNTS_BITS static uint32_t lead(const uint64_t *from, const uint64_t *to, size_t words)
{
    uint32_t count = 0;
    for (size_t w = 0; w < words; w++)
        count += gfab_count_bits(from[w] & ~to[w]);
    return count;
}

/* Of the two directions of a half-duplex link the one that is used in a step, if both would bring something. */
static int choose(flood *f, const gfab_link *link, const uint32_t leads[2], uint32_t step)
{
    const uint32_t a = f->distance[link->node[0]], b = f->distance[link->node[1]];
    if (f->radius && a != b)
        return (a > b) == (step < f->radius) ? 0 : 1;
    if (leads[0] != leads[1])
        return leads[0] > leads[1] ? 0 : 1;
    return (int)gfab_random_below(&f->random, 2);
}

/* Sends over all links that bring something; *moves is how many do. */
static gfab_status take_step(flood *f, uint32_t step, size_t *moves, gfab_schedule *schedule)
{
    const size_t links = gfab_topology_link_count(f->topology);
    const uint32_t round = 1 + step * f->model->hop_rounds;
    *moves = 0;
    memcpy(f->next, f->now, f->nodes * f->words * sizeof *f->next);
    for (size_t l = 0; l < links; l++) {
        const gfab_link link = gfab_topology_link(f->topology, l);
        uint32_t leads[2];
        for (int end = 0; end < 2; end++)
            leads[end] =
                gfab_topology_arc_weight(f->topology, (gfab_arc)(2 * l + (size_t)end))
                    ? lead(f->now + link.node[end] * f->words, f->now + link.node[1 - end] * f->words, f->words)
                    : 0;
        if (f->model->link_mode == GFAB_LINK_HALF && leads[0] && leads[1])
            leads[1 - choose(f, &link, leads, step)] = 0;
        for (int end = 0; end < 2; end++) {
            if (!leads[end])
                continue;
            for (size_t w = 0; w < f->words; w++)
                f->next[link.node[1 - end] * f->words + w] |= f->now[link.node[end] * f->words + w];
            (*moves)++;
            if (schedule)
                GFAB_TRY(gfab_schedule_append(schedule, round, (gfab_arc)(2 * l + (size_t)end), GFAB_COMBINE));
        }
    }
    uint64_t *swap = f->now;
    f->now = f->next;
    f->next = swap;
    return GFAB_OK;
}

/* All steps; it ends where no node has what a neighbour lacks: in a connected graph all have everything then. */
static gfab_status run(flood *f, const gfab_solver_options *options, uint32_t *steps, gfab_schedule *schedule)
{
    memset(f->now, 0, f->nodes * f->words * sizeof *f->now);
    for (uint32_t v = 0; v < f->nodes; v++)
        f->now[v * f->words + v / 64] |= (uint64_t)1 << v % 64;
    size_t moves = 1;
    for (*steps = 0; moves; ++*steps) {
        if ((uint64_t)*steps * f->model->hop_rounds >= GFAB_MAX_ROUNDS)
            return GFAB_ERR_LIMIT;
        GFAB_TRY(take_step(f, *steps, &moves, schedule));
        GFAB_TRY(gfab_solver_report(options, "steps", *steps, 2 * (uint64_t)f->nodes));
    }
    --*steps; /* the last had no move */
    return GFAB_OK;
}

/* Fills in the distances from a node with the smallest greatest one, and that. */
static gfab_status find_middle(flood *f, const gfab_solver_options *options)
{
    uint32_t middle = 0;
    f->radius = UINT32_MAX;
    for (uint32_t v = 0; v < f->nodes; v++) {
        uint32_t farthest = 0;
        gfab_topology_distances(f->topology, v, f->distance, f->work);
        for (uint32_t u = 0; u < f->nodes; u++)
            farthest = f->distance[u] > farthest ? f->distance[u] : farthest;
        if (farthest < f->radius) {
            f->radius = farthest;
            middle = v;
        }
        GFAB_TRY(gfab_solver_report(options, "distances", v, f->nodes));
    }
    gfab_topology_distances(f->topology, middle, f->distance, f->work);
    return GFAB_OK;
}

/* By way of the middle, then some tries with chance, until one meets the bound. The best is made once more. */
static gfab_status run_best(flood *f, const gfab_solver_options *options, uint64_t bound, gfab_schedule *schedule)
{
    uint32_t steps, radius, fewest;
    GFAB_TRY(find_middle(f, options));
    uint64_t best = 0;
    radius = f->radius;
    GFAB_TRY(run(f, options, &fewest, NULL));
    const uint64_t each = (uint64_t)fewest * gfab_topology_link_count(f->topology) * (f->words + 7);
    const uint64_t tries = options->effort ? options->effort : WORK / each + 1;
    f->radius = 0;
    for (uint64_t i = 0; i < tries && (fewest - 1) * (uint64_t)f->model->hop_rounds + 1 > bound; i++) {
        const uint64_t random = f->random;
        GFAB_TRY(run(f, options, &steps, NULL));
        if (steps < fewest) {
            fewest = steps;
            best = random;
            radius = 0;
        }
    }
    f->random = best;
    f->radius = radius;
    return run(f, options, &steps, schedule);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    if (options->goal->blocks != 1 || !options->goal->idempotent)
        return GFAB_REFUSE(diag, "it takes one block, and an operator that is idempotent");
    gfab_bound least;
    gfab_status status = gfab_bound_goal_best(topology, model, options->goal, options->progress, &least);
    if (status != GFAB_OK)
        return status;
    const size_t nodes = gfab_topology_node_count(topology), words = (nodes + 63) / 64;
    GFAB_AT_END(flood_release)
    flood f = {.topology = topology, .model = model, .nodes = (uint32_t)nodes, .words = words, .random = options->seed};
    f.now = gfab_arena_zeroed2(&f.arena, nodes, words, sizeof *f.now);
    f.next = gfab_arena_zeroed2(&f.arena, nodes, words, sizeof *f.next);
    GFAB_ARRAYS(&f.arena, nodes, f.distance, f.work);
    uint32_t steps;
    if (f.arena.failed)
        status = GFAB_ERR_NO_MEMORY;
    else if (model->link_mode == GFAB_LINK_FULL)
        status = run(&f, options, &steps, schedule);
    else
        status = run_best(&f, options, least.rounds, schedule);
    return status;
}

GFAB_SOLVE(solve, flood, build)

const gfab_solver gfab_solver_flood = {
    .name = "flood",
    .summary = "one block, idempotent: each node tells its neighbours all it has; full duplex in as many rounds as the "
               "longest distance",
    .source = "gossipfab, docs/theory/reversed-gossip.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_BARRIER),
    .knows = GFAB_MARK_DIRECTED,
    .only = GFAB_ONLY_ALL_PORTS,
};
