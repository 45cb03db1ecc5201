/* SPDX-License-Identifier: MIT */
/* All-reduces of long vectors on any graph: directed and weighted links, relays. Each block is reduced along a tree
 * into some root and goes out along another. Loads decide on both, and on the root; or flows, with as many roots at
 * every member, so that it is a reduce-scatter and the all-gather behind it.
 * docs/theory/long-vectors/in-out-trees.md. */
#include "base/ascending.h"
#include "base/random.h"
#include "out_trees.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

#define MAX_NODES 2048u
#define MAX_GROWTH ((uint64_t)1 << 26) /* by flows: nodes squared times members times diameter: a second or so */
/* Pairs times nodes of a group: seconds. */
#define MAX_CELLS ((uint64_t)1 << 17)
#define MAX_SHAPES 32u
#define MAX_SHARE (1u << 16)
/* Pairs are grown over and over, each with so many roots beside its own, until so many passes brought nothing. */
#define VAIN_PASSES 3u
#define ROOTS 3u
#define NEAR_PART 256u /* above the least period: near enough */
/* Where --effort is not given: groups, as long as trees were grown over so many arcs, and until so many in a row were
 * made again in vain. */
#define WORK ((uint64_t)1 << 24)
#define FEW_WORK (WORK >> 7) /* as long as this is not spent, a group's trees are grown anew for a shorter period */
#define VAIN_TRIES 4u
#define RUNS 6u
#define TAILS 4u /* forests for the end of a vector; half as many where these bring nothing */
/* Of vectors of so many blocks a member, as long as so many parts of the bound are missing, so many times the effort:
 * rounds that are lost in every group. */
#define LONG 4u
#define FAR_PARTS 128u
#define FAR_EFFORT 4u

/* So many pairs of trees, a block each; by flows where the shares are not 0. */
typedef struct shape {
    uint32_t pairs, tries;
    uint32_t share[2]; /* inwards and outwards */
    uint64_t rounds;   /* at least; once it was tried what came out */
} shape;

typedef struct job {
    const gfab_topology *topology, *reversed;
    const gfab_model *model;
    const gfab_solver_options *options;
    uint32_t nodes, arcs, members;
    uint64_t blocks;
    uint64_t up, down; /* up blocks take down rounds, at best */
    bool by_loads;
    bool by_flows;               /* with the next */
    uint64_t trees[2], share[2]; /* so many trees a member fit in so many rounds, inwards and outwards */
    uint64_t least;              /* the bound */
    uint64_t random, work;
    shape shapes[MAX_SHAPES];
    uint32_t shape_count;
    uint64_t best; /* rounds; UINT64_MAX: none yet */
    uint32_t best_pairs, best_period;
    gfab_group_move *moves;
    size_t move_count;
    gfab_out_head head;   /* what repeats best; before the tail that is being made so many groups, 0: none is */
    uint64_t best_groups; /* before the tail that the moves are; 0: they are none */
} job;

/* ---- pairs of trees ---- */

/* A pair from a root, in the place of the one that the forest has there, if its arcs cost less. */
static void try_root(job *j, gfab_out_loads *loads, gfab_out_tree *pair, gfab_out_tree *scratch, uint32_t root,
                     uint64_t *least)
{
    scratch[0].root = scratch[1].root = root;
    const uint64_t cost =
        gfab_out_loads_grow(loads, &scratch[0], true) + gfab_out_loads_grow(loads, &scratch[1], false);
    gfab_out_loads_take(loads, &scratch[0]);
    gfab_out_loads_take(loads, &scratch[1]);
    j->work += 2 * (uint64_t)j->arcs;
    for (uint32_t i = 0; i < 2 && cost < *least; i++) {
        const gfab_out_tree old = pair[i];
        pair[i] = scratch[i];
        scratch[i] = old;
    }
    *least = cost < *least ? cost : *least;
}

static void regrow(job *j, gfab_out_loads *loads, gfab_out_tree *pair, gfab_out_tree *scratch, bool first)
{
    uint64_t least = UINT64_MAX;
    if (!first)
        for (uint32_t i = 0; i < 2; i++)
            gfab_out_loads_take(loads, &pair[i]);
    try_root(j, loads, pair, scratch, pair->root, &least);
    for (uint32_t i = 0; i < ROOTS; i++)
        try_root(j, loads, pair, scratch, (uint32_t)gfab_random_below(&j->random, j->nodes), &least);
    for (uint32_t i = 0; i < 2; i++)
        gfab_out_loads_put(loads, &pair[i]);
}

/* *period: rounds in which all arcs have room for the pairs. */
static gfab_status grow_pairs(job *j, uint32_t pairs, uint32_t *period, gfab_out_forest *forest)
{
    const uint32_t least = (uint32_t)((pairs * j->down + j->up - 1) / j->up);
    GFAB_AT_END(gfab_out_forest_release) gfab_out_forest scratch = {.nodes = j->nodes};
    GFAB_AT_END(gfab_out_loads_release) gfab_out_loads loads = {0};
    gfab_status status =
        gfab_out_loads_create(j->topology, j->model->link_mode == GFAB_LINK_HALF, least, &j->random, &loads);
    *forest = (gfab_out_forest){.nodes = j->nodes, .cells = j->nodes};
    for (uint32_t i = 0; i < 2 * pairs && status == GFAB_OK; i++)
        status = gfab_out_forest_add(forest, (uint32_t)((uint64_t)(i / 2) * j->nodes / pairs), 1);
    for (uint32_t i = 0; i < 2 && status == GFAB_OK; i++)
        status = gfab_out_forest_add(&scratch, 0, 1);
    for (uint32_t pass = 0, vain = 0, best = UINT32_MAX; vain < VAIN_PASSES && status == GFAB_OK; pass = 1) {
        for (uint32_t p = 0; p < pairs && status == GFAB_OK; p++) {
            regrow(j, &loads, &forest->trees[2 * p], scratch.trees, pass == 0);
            status = gfab_solver_report(j->options, "trees", p, pairs);
        }
        *period = gfab_out_loads_rounds(&loads);
        vain = *period < best ? 0 : vain + 1;
        best = *period < best ? *period : best;
        if (*period <= least + least / NEAR_PART || (vain > 0 && *period == best && best == least + 1))
            break;
    }
    return status;
}

/* The same, anew as long as there is a shorter period and the pairs are few: the shortest. */
static gfab_status grow_short(job *j, uint32_t pairs, uint32_t *period, gfab_out_forest *forest)
{
    const uint64_t least = (pairs * j->down + j->up - 1) / j->up, before = j->work;
    GFAB_TRY(grow_pairs(j, pairs, period, forest));
    while (*period > least && j->work - before < FEW_WORK) {
        GFAB_AT_END(gfab_out_forest_release) gfab_out_forest other = {0};
        uint32_t found = UINT32_MAX;
        GFAB_TRY(grow_pairs(j, pairs, &found, &other));
        if (found < *period) {
            const gfab_out_forest longer = *forest;
            *forest = other;
            other = longer;
            *period = found;
        }
    }
    return GFAB_OK;
}

/* ---- a group's moves ---- */

/* order[] gets last round, block; blocks are numbered in that order. Returns the last round of all blocks of the
 * vector. */
static uint64_t count_rounds(const job *j, const gfab_out_plan *plan, uint64_t *order)
{
    const uint64_t groups = (j->blocks + plan->blocks - 1) / plan->blocks,
                   rest = j->blocks - (groups - 1) * plan->blocks;
    for (uint32_t block = 0; block < plan->blocks; block++)
        order[block] = (uint64_t)plan->last[block] << 32 | block;
    qsort(order, plan->blocks, sizeof *order, gfab_ascending);
    if (plan->head)
        return gfab_out_head_rounds(plan->head, (uint32_t)(order[plan->blocks - 1] >> 32));
    const uint64_t whole = groups > 1 ? (groups - 2) * plan->period + (order[plan->blocks - 1] >> 32) : 0,
                   latest = (groups - 1) * plan->period + (order[rest - 1] >> 32);
    return whole > latest ? whole : latest;
}

/* A block's moves as the i-th of the group. What comes first to a relay is stored there. */
static void list_moves(const job *j, const gfab_out_plan *plan, uint32_t block, uint32_t i, uint32_t *first,
                       gfab_out_head *group)
{
    const gfab_out_tree *pair = &plan->forest->trees[plan->tree[block]];
    const uint32_t *round = plan->round + (size_t)block * plan->cells;
    const uint32_t cells = plan->cells / 2;
    for (uint32_t c = 0; c < cells; c++)
        first[c] = c >= j->nodes || gfab_topology_is_relay(j->topology, c) ? UINT32_MAX : 0;
    for (uint32_t c = 0; c < cells; c++)
        if (round[c]) {
            uint32_t *early = &first[gfab_out_behind(j->topology, pair, c)];
            *early = round[c] < *early ? round[c] : *early;
        }
    for (uint32_t cell = 0; cell < plan->cells; cell++) {
        const bool inwards = cell < cells;
        const gfab_arc arc = pair[!inwards].parent[cell % cells];
        if (round[cell] == 0)
            continue;
        const bool combine = inwards && first[gfab_out_behind(j->topology, pair, cell)] != round[cell];
        group->moves[group->count++] =
            (gfab_group_move){.round = round[cell], .token = i | (combine ? GFAB_COMBINE : 0), .arc = arc};
    }
}

static gfab_status list_all(const job *j, const gfab_out_plan *plan, const uint64_t *order, uint32_t *first,
                            gfab_out_head *group)
{
    group->moves = malloc((size_t)plan->blocks * plan->cells * sizeof *group->moves);
    GFAB_NEED(group->moves);
    for (uint32_t i = 0; i < plan->blocks && i < j->blocks; i++)
        list_moves(j, plan, (uint32_t)order[i], i, first, group);
    return GFAB_OK;
}

static gfab_status keep(job *j, const gfab_out_plan *plan, const uint64_t *order, uint32_t *first)
{
    gfab_out_head group = {.count = 0};
    GFAB_TRY(list_all(j, plan, order, first, &group));
    free(j->moves);
    j->moves = group.moves;
    j->move_count = group.count;
    j->best_pairs = plan->head ? (uint32_t)j->blocks : plan->blocks;
    j->best_period = plan->period;
    j->best_groups = plan->head ? plan->head->groups : 0;
    return GFAB_OK;
}

/* For a tail, what repeats. */
static gfab_status keep_head(job *j, const gfab_out_plan *plan, const uint64_t *order, uint32_t *first)
{
    gfab_out_head group = {
        .period = plan->period, .trees = plan->blocks, .end = (uint32_t)(order[plan->blocks - 1] >> 32)};
    if (j->options->any_length || !gfab_out_head_may(j->blocks, plan->blocks, j->blocks * 2 * j->nodes) ||
        !gfab_out_head_improves(&j->head, &group))
        return GFAB_OK;
    GFAB_TRY(list_all(j, plan, order, first, &group));
    gfab_out_head_take(&j->head, &group, false);
    return GFAB_OK;
}

/* Rounds for a forest, several times: blocks that were late go first the next time. */
static gfab_status plan_rounds(job *j, shape *s, const gfab_out_forest *forest, uint32_t period)
{
    GFAB_AT_END(gfab_out_plan_release) gfab_out_plan plan = {0};
    gfab_status status = gfab_out_plan_create(j->topology, forest, GFAB_PAIR_WAYS, j->model,
                                              s->pairs < j->blocks && !j->head.groups ? period : 0, &plan);
    plan.head = j->head.groups ? &j->head : NULL;
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    uint64_t *order = gfab_arena_zeroed(&arena, plan.blocks, sizeof *order), least = UINT64_MAX;
    uint32_t *bonus = gfab_arena_zeroed(&arena, plan.blocks, sizeof *bonus);
    uint32_t *first = gfab_arena_zeroed(&arena, plan.cells, sizeof *first);
    status = arena.failed ? GFAB_ERR_NO_MEMORY : status;
    for (uint32_t i = 0; i < RUNS && j->best > j->least && status == GFAB_OK; i++) {
        status = gfab_out_plan_run(&plan, bonus, &j->random, j->options);
        if (status != GFAB_OK)
            break;
        const uint64_t rounds = count_rounds(j, &plan, order);
        least = rounds < least ? rounds : least;
        if (rounds < j->best) {
            j->best = rounds;
            status = keep(j, &plan, order, first);
        }
        GFAB_THEN(status, keep_head(j, &plan, order, first));
        for (uint32_t b = 0; b < plan.blocks; b++)
            bonus[b] += plan.last[b] == order[plan.blocks - 1] >> 32;
    }
    s->rounds = s->tries && s->rounds < least ? s->rounds : least;
    return status;
}

/* ---- searching ---- */

static void add_shape(job *j, uint64_t pairs)
{
    const uint64_t groups = (j->blocks + pairs - 1) / pairs, period = (pairs * j->down + j->up - 1) / j->up;
    if (pairs == 0 || pairs > j->blocks || j->shape_count == MAX_SHAPES ||
        (j->shape_count > 0 && pairs * j->nodes > MAX_CELLS))
        return;
    for (uint32_t i = 0; i < j->shape_count; i++)
        if (j->shapes[i].pairs == pairs && !j->shapes[i].share[0])
            return;
    j->shapes[j->shape_count++] = (shape){.pairs = (uint32_t)pairs, .rounds = groups * period};
}

/* So many trees a member, by flows. */
static void add_flows(job *j, uint64_t trees)
{
    const uint64_t pairs = trees * j->members, groups = (j->blocks + pairs - 1) / pairs;
    uint64_t share[2];
    for (uint32_t i = 0; i < 2; i++)
        share[i] = (trees * j->share[i] + j->trees[i] - 1) / j->trees[i];
    if (share[0] > MAX_SHARE || share[1] > MAX_SHARE || j->shape_count == MAX_SHAPES ||
        (trees > 1 && (pairs * j->nodes > 2 * MAX_CELLS || groups == 0 || pairs >= j->blocks + j->members)))
        return;
    for (uint32_t i = 0; i < j->shape_count; i++)
        if (j->shapes[i].pairs == pairs)
            return;
    j->shapes[j->shape_count++] = (shape){.pairs = (uint32_t)pairs,
                                          .share = {(uint32_t)share[0], (uint32_t)share[1]},
                                          .rounds = groups * (share[0] + share[1])};
}

/* More and more blocks of a group, and all of them. */
static void list_shapes(job *j)
{
    for (uint64_t trees = 1; trees <= 8 && j->by_flows; trees *= 2)
        add_flows(j, trees);
    for (uint32_t i = 0; i < 2 && j->by_flows; i++)
        add_flows(j, j->trees[i]);
    if (j->by_flows && !j->options->any_length)
        add_flows(j, (j->blocks + j->members - 1) / j->members);
    if (!j->by_loads)
        return;
    add_shape(j, 1);
    for (uint64_t times = 1; times <= 4; times++)
        add_shape(j, j->up * times);
    for (uint64_t pairs = 2; pairs <= 1024; pairs *= 2) {
        add_shape(j, pairs);
        add_shape(j, pairs + pairs / 2);
    }
    if (!j->options->any_length)
        add_shape(j, j->blocks);
}

static gfab_status attempt(job *j, shape *s)
{
    const gfab_topology *const graphs[2] = {j->reversed, j->topology};
    const gfab_out_growth growth = {j->options, &j->random, &j->work};
    GFAB_AT_END(gfab_out_forest_release) gfab_out_forest forest = {0};
    uint32_t period = 0;
    j->random = gfab_random_of(j->options->seed, (uint64_t)s->pairs << 32 | s->tries);
    if (s->share[0])
        GFAB_TRY(gfab_out_pair(graphs, s->pairs / j->members, s->share, &growth, &period, &forest));
    else
        GFAB_TRY(grow_short(j, s->pairs, &period, &forest));
    GFAB_TRY(plan_rounds(j, s, &forest, period));
    s->tries++;
    return GFAB_OK;
}

static bool promises_more(const shape *s, const shape *other)
{
    if ((s->tries == 0) != (other->tries == 0))
        return s->tries == 0;
    return s->rounds + s->tries < other->rounds + other->tries;
}

static uint64_t effort_of(const job *j)
{
    const bool far = j->blocks / LONG >= j->members && j->best - j->least > j->least / FAR_PARTS;
    return (j->options->effort ? j->options->effort : 1) * (uint64_t)(far ? FAR_EFFORT : 1);
}

/* Every candidate once, from the one that promises most; then those that came out best, the less tried first. */
static gfab_status search(job *j)
{
    list_shapes(j);
    for (uint32_t vain = 0; vain < VAIN_TRIES * effort_of(j) && j->best > j->least;) {
        const uint64_t before = j->best;
        shape *next = NULL;
        if (before != UINT64_MAX && j->work > WORK * effort_of(j))
            break;
        for (uint32_t k = 0; k < j->shape_count; k++) {
            shape *s = &j->shapes[k];
            if ((s->tries > 0 || s->rounds < j->best) && (!next || promises_more(s, next)))
                next = s;
        }
        if (!next)
            break;
        vain = next->tries ? vain + 1 : 0;
        GFAB_TRY(attempt(j, next));
        vain = j->best < before ? 0 : vain;
    }
    return GFAB_OK;
}

/* The last groups have trees and rounds of their own. */
static gfab_status add_tail(job *j)
{
    const uint64_t before = j->best;
    for (uint32_t i = 0; i < TAILS && j->best > j->least && j->by_loads && (i < 2 || j->best < before); i++) {
        shape tail = {.pairs = (uint32_t)gfab_out_head_cut(&j->head, j->blocks, 1 + i / 2), .tries = i};
        if (tail.pairs)
            GFAB_TRY(attempt(j, &tail));
    }
    j->head.groups = 0;
    return GFAB_OK;
}

/* ---- the solver ---- */

static gfab_status find_rate(job *j)
{
    const gfab_goal goal = {.collective = GFAB_ALL_REDUCE, .blocks = 1};
    gfab_out_rate rate = {0};
    const gfab_status status = gfab_out_find_rate(j->topology, j->model->link_mode, &goal, j->options, &rate);
    j->down = rate.rounds;
    j->up = rate.trees;
    return status;
}

/* Trees at the best rates of a reduce-scatter and of an all-gather: in full duplex, and where relays send as much as
 * they take in. */
static gfab_status find_flows(job *j)
{
    const gfab_goal goal = {.collective = GFAB_ALL_GATHER, .blocks = j->members};
    uint32_t diameter = 0;
    GFAB_TRY(gfab_topology_diameter(j->topology, j->options->progress, &diameter));
    j->by_flows =
        j->model->link_mode == GFAB_LINK_FULL && (uint64_t)j->nodes * j->nodes * j->members * diameter <= MAX_GROWTH;
    for (uint32_t i = 0; i < 2 && j->by_flows; i++) {
        gfab_out_rate rate;
        GFAB_TRY(gfab_out_find_rate(i ? j->topology : j->reversed, GFAB_LINK_FULL, &goal, j->options, &rate));
        j->trees[i] = rate.trees;
        j->share[i] = rate.rounds;
        j->by_flows = rate.tight;
    }
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .arcs = 2 * (uint32_t)gfab_topology_link_count(topology),
             .members = (uint32_t)gfab_topology_member_count(topology),
             .by_loads = !(gfab_topology_marks(topology) & GFAB_MARK_LIMITED),
             .blocks = goal.blocks,
             .random = options->seed,
             .best = UINT64_MAX};
    gfab_bound bound = {.rounds = 0};
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *reversed = NULL;
    GFAB_TRY(gfab_topology_reverse(topology, &reversed));
    j.reversed = reversed;
    GFAB_TRY(gfab_bound_goal_best(topology, model, &goal, options->progress, &bound));
    j.least = bound.rounds;
    GFAB_TRY(find_rate(&j));
    GFAB_TRY(find_flows(&j));
    if (!j.by_loads && !j.by_flows)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "%s has relays that do not copy or combine: in-out-trees is then for full-duplex links, for "
                         "relays that send as much as they take in, and for some hundred nodes",
                         gfab_topology_name(topology));
    gfab_status status = search(&j);
    GFAB_THEN(status, add_tail(&j));
    if (status == GFAB_OK && j.best > GFAB_MAX_PLAYED_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_PLAYED_ROUNDS);
    if (status == GFAB_OK && j.best_groups)
        status = gfab_out_tail_join(&j.head, j.best_groups, (uint32_t)j.blocks, false, &j.moves, &j.move_count);
    GFAB_THEN(status, gfab_group_moves_append(j.moves, j.move_count, j.best_period, j.best_pairs, schedule));
    free(j.moves);
    gfab_out_head_release(&j.head);
    return status;
}

GFAB_SOLVE(solve, in_out_trees, build)

const gfab_solver gfab_solver_in_out_trees = {
    .name = "in-out-trees",
    .summary = "an all-reduce of a long vector, or a barrier, on any graph, directed links and switches too: a tree "
               "into a root and one out of it for each block, by loads or by flows; it repeats",
    .source = "gossipfab, docs/theory/long-vectors/in-out-trees.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_BARRIER),
    .repeats = true,
    .knows = GFAB_MARKS_STORED,
    .only = GFAB_ONLY_ALL_PORTS | GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
    .most_nodes = MAX_NODES,
};
