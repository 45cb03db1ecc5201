/* SPDX-License-Identifier: MIT */
/* Many blocks: trees in time for a group of them, which repeats with a period. A slot of the group's plan is a channel
 * in all rounds that are the same modulo the period, so that a group may begin before the one before it has ended.
 * docs/theory/long-vectors/arborescences.md. */
#include "trees_plan.h"

#include "solvers/collective/group_moves.h"

#include "base/ascending.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

#define NONE GFAB_TREES_NONE
/* Groups that are looked at: so many blocks, times the nodes where each node has its own. */
#define MAX_GROUP 32u
#define MAX_OWN_GROUP 16u
#define MANY_NODES 1024u /* from here on fewer are looked at: a bound takes its time */
#define MAX_LARGE_GROUP 4u
/* The slope of the bounds, in rounds a group, is read between so many groups and twice that. */
#define MANY_GROUPS 4096u
/* Groups that are tried, and periods of each, at most. */
#define TRIED_GROUPS 6u
#define TRIED_PERIODS 4u
/* Passes over them, the second, with four times the patience, for so many blocks a node, and unless what is found is
 * less than this part above the bound. */
#define PASSES 2u
#define LONG 4u
#define NEAR_PART 64u
#define EQUAL_PART 128u /* groups whose rounds differ by less are tried by size */
#define TRIES 4u
#define MAX_CELLS ((uint64_t)1 << 23)
/* Work, in (node, round) pairs: of all that is tried, and for a cell until a repair is given up. */
#define WORK 25000000u
#define SHARES 4u /* until a plan is found for a group, such a part of it at most */
#define PATIENCE_A_CELL 64u
#define MIN_PATIENCE 100000u

/* A size of the group, and what the bounds say of it. The last group may have fewer blocks: those of its owners' blocks
 * that are there are to end so early that all ends in `total` rounds. */
typedef struct choice {
    uint32_t group, period;
    uint32_t part;   /* of the last group's blocks those of one owner; */
    uint32_t each;   /* of any group's */
    uint64_t before; /* groups before the last one */
    uint64_t total;  /* rounds of all blocks, at least */
} choice;

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_goal goal;
    uint32_t nodes;
    bool backwards, rooted;
    gfab_trees_sites sites;
    uint64_t random;
    gfab_trees_budget budget;
    gfab_trees_plan best; /* without missing cells, once total is not UINT64_MAX */
    uint32_t best_group;
    uint64_t total; /* rounds of all blocks by the best */
} job;

/* ---- plans ---- */

/* The rounds in which a tree's first and last messages go. */
static void find_ends(const gfab_trees_plan *plan, uint32_t tree, uint32_t *first, uint32_t *last)
{
    const gfab_trees_cell *cells = plan->cells + (size_t)tree * plan->nodes;
    *first = UINT32_MAX;
    *last = 0;
    for (uint32_t v = 0; v < plan->nodes; v++) {
        if (cells[v].arc == NONE)
            continue;
        const uint32_t round = gfab_trees_round(plan, tree, cells[v].ready - plan->hop);
        *first = round < *first ? round : *first;
        *last = round > *last ? round : *last;
    }
}

/* In how many rounds from the first message on all blocks are where they are wanted. */
static uint64_t total_of(const choice *c, const gfab_trees_plan *plan)
{
    uint64_t total = 0;
    uint32_t begin = UINT32_MAX;
    for (uint32_t block = 0; block < c->group; block++) {
        uint32_t first, last;
        find_ends(plan, block, &first, &last);
        const uint64_t end = (c->before - (c->before > 0 && block % c->each >= c->part)) * c->period + last;
        total = end > total ? end : total;
        begin = first < begin ? first : begin;
    }
    return total + 1 - begin;
}

/* A plan by which all blocks take so many rounds, if one is found. */
static gfab_status attempt(job *j, const choice *c, uint64_t total, bool in_turn, bool *found)
{
    const gfab_goal group = {.collective = j->goal.collective, .blocks = c->group, .root = j->goal.root};
    const uint32_t early = (uint32_t)(total - c->before * c->period);
    const uint32_t rounds = c->part < c->each ? early + c->period : early;
    const gfab_trees_shape shape = {.blocks = c->group,
                                    .in = j->backwards,
                                    .out = !j->backwards,
                                    .rounds = rounds,
                                    .period = c->period < rounds ? c->period : rounds};
    const bool narrow = gfab_random_below(&j->random, 2);
    const uint32_t owners = c->group / c->each;
    gfab_trees_plan plan;
    gfab_status status = gfab_trees_plan_create(j->topology, j->model, shape, gfab_random(&j->random), &plan);
    *found = false;
    plan.in_turn = in_turn;
    for (uint32_t block = 0; block < c->group && status == GFAB_OK; block++) {
        const gfab_trees_site *site = &j->sites.at[j->rooted ? 0 : gfab_goal_owner(&group, j->nodes, block)];
        const uint32_t end = block % c->each < c->part ? early : rounds;
        gfab_trees_plant(&plan, block, &site->roots, site->distance, j->backwards ? rounds + 1 - end : 1,
                         j->backwards ? rounds : end);
        plan.trees[block].turn = block % c->each;
    }
    for (uint32_t i = 0; i < c->group && status == GFAB_OK; i++) { /* each owner's first block, then the second .. */
        gfab_trees_grow(&plan, i % owners * c->each + i / owners, j->rooted || narrow);
        if (i % 64 == 0)
            status = gfab_solver_report(j->options, "blocks", i, c->group);
    }
    if (status == GFAB_OK && plan.missing > 0)
        status = gfab_trees_repair(&plan, j->options, &j->budget);
    *found = status == GFAB_OK && plan.missing == 0;
    if (*found && total_of(c, &plan) < j->total) {
        j->total = total_of(c, &plan);
        gfab_trees_plan_release(&j->best);
        j->best = plan;
        j->best_group = c->group;
    } else {
        gfab_trees_plan_release(&plan);
    }
    return status;
}

static gfab_status try_total(job *j, const choice *c, uint64_t total, bool *found)
{
    const uint64_t before = j->budget.work;
    *found = false;
    for (uint32_t i = 0; i < TRIES && !*found && j->budget.work < j->budget.limit; i++) {
        if (j->budget.work - before > j->budget.patience)
            break;
        GFAB_TRY(attempt(j, c, total, i == 0, found));
    }
    return GFAB_OK;
}

/* A period: many rounds first, then as few as there are, looked for near the least. */
static gfab_status try_period(job *j, const choice *c, uint64_t share, bool *found)
{
    uint64_t low = c->total, high = 2 * low - c->before * c->period + c->period;
    const uint64_t limit = j->budget.limit;
    j->budget.limit = share < limit ? share : limit;
    gfab_status status = try_total(j, c, high, found);
    j->budget.limit = limit;
    if (!*found)
        return status;
    high = j->total < high ? j->total : high;
    while (status == GFAB_OK && low < high && j->budget.work < j->budget.limit) {
        const uint64_t middle = low + (high - low) / 4;
        bool fewer;
        status = try_total(j, c, middle, &fewer);
        if (fewer)
            high = middle;
        else
            low = middle + 1;
    }
    return status;
}

/* ---- which group ---- */

static gfab_status bound_of(const job *j, uint64_t blocks, uint64_t *rounds)
{
    gfab_bound least;
    gfab_goal goal = j->goal;
    goal.blocks = (uint32_t)blocks;
    GFAB_TRY(gfab_bound_goal_best(j->topology, j->model, &goal, j->options->progress, &least));
    *rounds = least.rounds;
    return GFAB_OK;
}

/* The least rounds of all blocks with this period. */
static void set_total(choice *c, uint64_t own, uint64_t part)
{
    c->total = c->before * c->period + part;
    if (c->before > 0 && (c->before - 1) * c->period + own > c->total)
        c->total = (c->before - 1) * c->period + own;
}

/* What the bounds say of a group. */
static gfab_status weigh(const job *j, uint32_t unit, uint32_t each, choice *c)
{
    uint64_t own = 0, part = 0, many = 0, more = 0;
    *c = (choice){.group = unit * each, .each = each};
    c->before = (j->goal.blocks - 1) / c->group;
    c->part = (uint32_t)((j->goal.blocks - c->before * c->group) / unit);
    GFAB_TRY(bound_of(j, c->group, &own));
    GFAB_TRY(bound_of(j, (uint64_t)c->part * unit, &part));
    GFAB_TRY(bound_of(j, (uint64_t)c->group * MANY_GROUPS, &many));
    GFAB_TRY(bound_of(j, (uint64_t)c->group * 2 * MANY_GROUPS, &more));
    c->period = (uint32_t)((more - many + MANY_GROUPS - 1) / MANY_GROUPS);
    c->period += c->period == 0;
    set_total(c, own, part);
    return GFAB_OK;
}

static int compare_groups(const void *a, const void *b)
{
    const choice *x = a, *y = b;
    return (x->group > y->group) - (x->group < y->group);
}

static int compare_choices(const void *a, const void *b)
{
    const choice *x = a, *y = b;
    if (x->total != y->total)
        return x->total < y->total ? -1 : 1;
    return compare_groups(a, b);
}

/* Of those whose rounds are nearly the least the small ones, whose plans are found sooner, come first. */
static void put_small_first(choice *choices, uint32_t count)
{
    uint32_t near = 0;
    while (near < count && choices[near].total <= choices[0].total + choices[0].total / EQUAL_PART)
        near++;
    qsort(choices, near, sizeof *choices, compare_groups);
}

/* Tries a group with its least period, then longer ones until there is a plan; in later passes more patiently. */
static gfab_status try_group(job *j, choice c, uint64_t least, uint32_t pass)
{
    const uint64_t cells = (uint64_t)c.group * j->nodes;
    const uint64_t share = j->budget.work + j->budget.limit / SHARES;
    bool found = false;
    j->budget.patience = (PATIENCE_A_CELL * cells + MIN_PATIENCE) * (j->options->effort ? j->options->effort : 1)
                         << 2 * pass;
    for (uint32_t k = 0; k < TRIED_PERIODS && !found && j->total > least; k++) {
        if (c.total >= j->total || j->budget.work >= j->budget.limit || j->budget.work >= share)
            break;
        GFAB_TRY(try_period(j, &c, share, &found));
        c.period++;
        c.total += c.before;
    }
    return GFAB_OK;
}

static gfab_status search(job *j, gfab_diag *diag)
{
    const uint32_t unit = j->rooted ? 1 : j->nodes;
    const uint32_t most = j->nodes > MANY_NODES ? MAX_LARGE_GROUP : j->rooted ? MAX_GROUP : MAX_OWN_GROUP;
    choice choices[MAX_GROUP];
    uint32_t count = 0;
    uint64_t least;
    GFAB_TRY(bound_of(j, j->goal.blocks, &least));
    for (uint32_t i = 1; i <= most; i++) {
        const uint64_t group = (uint64_t)i * unit;
        if (group >= j->goal.blocks || group * j->nodes > MAX_CELLS || group * 2 * MANY_GROUPS > INT32_MAX)
            break;
        GFAB_TRY(weigh(j, unit, i, &choices[count++]));
    }
    if (count == 0)
        return GFAB_REFUSE(diag, "%u blocks are too few, or the graph is too large", j->goal.blocks);
    if (count > 0)
        qsort(choices, count, sizeof *choices, compare_choices);
    if (!j->rooted)
        put_small_first(choices, count);
    const uint32_t tried = count < TRIED_GROUPS ? count : TRIED_GROUPS;
    const uint32_t passes = j->goal.blocks / j->nodes < LONG ? 1 : PASSES;
    for (uint32_t pass = 0; pass < passes && (pass == 0 || j->total > least + least / NEAR_PART); pass++)
        for (uint32_t i = 0; i < tried; i++)
            GFAB_TRY(try_group(j, choices[i], least, pass));
    if (j->total == UINT64_MAX)
        return GFAB_REFUSE(diag, "found no group that repeats so quickly");
    return GFAB_OK;
}

/* ---- the schedule ---- */

/* The moves of the group. Of the blocks of one owner those that end earlier come first. */
static void list_moves(const job *j, uint64_t *order, gfab_group_move *moves)
{
    const gfab_trees_plan *plan = &j->best;
    const uint32_t each = j->rooted ? j->best_group : j->best_group / j->nodes;
    uint32_t first = UINT32_MAX;
    size_t count = 0;
    for (uint32_t block = 0; block < j->best_group; block++)
        order[block] = block;
    for (uint32_t cell = 0; cell < plan->cell_count; cell++) {
        if (plan->cells[cell].arc == NONE)
            continue;
        const uint32_t block = cell / plan->nodes;
        const uint32_t round = gfab_trees_round(plan, block, plan->cells[cell].ready - plan->hop);
        if (order[block] >> 32 < round)
            order[block] = (uint64_t)round << 32 | block;
        first = round < first ? round : first;
        moves[count++] = (gfab_group_move){round, block, plan->cells[cell].arc ^ j->backwards};
    }
    for (uint32_t i = 0; i < j->best_group; i += each)
        qsort(order + i, each, sizeof *order, gfab_ascending);
    uint32_t *number = (uint32_t *)(order + j->best_group);
    for (uint32_t i = 0; i < j->best_group; i++)
        number[(uint32_t)order[i]] = i;
    for (size_t i = 0; i < count; i++) {
        moves[i].round -= first - 1;
        moves[i].token = number[moves[i].token] | (j->backwards ? GFAB_COMBINE : 0);
    }
}

static gfab_status emit(const job *j, gfab_schedule *schedule)
{
    const size_t count = (size_t)j->best_group * (j->nodes - 1);
    GFAB_FREED gfab_group_move *moves = malloc(count * sizeof *moves);
    GFAB_FREED uint64_t *order = malloc(j->best_group * (sizeof *order + sizeof(uint32_t)));
    GFAB_NEED(moves && order);
    list_moves(j, order, moves);
    return gfab_group_moves_append(moves, count, j->best.period, j->best_group, schedule);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .goal = goal,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .backwards = gfab_collective_combines(goal.collective),
             .rooted = gfab_collective_has_root(goal.collective),
             .random = options->seed,
             .budget = {.limit = (uint64_t)WORK * (options->effort ? options->effort : 1)},
             .total = UINT64_MAX};
    const uint32_t roots = j.rooted ? 1 : j.nodes;
    GFAB_FREED uint32_t *nodes = malloc(roots * sizeof *nodes);
    for (uint32_t i = 0; nodes && i < roots; i++)
        nodes[i] = j.rooted ? goal.root : i;
    gfab_status status = nodes ? gfab_trees_sites_at(topology, nodes, roots, &j.sites) : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, search(&j, diag));
    if (status == GFAB_OK && j.total > GFAB_MAX_PLAYED_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_PLAYED_ROUNDS);
    GFAB_THEN(status, emit(&j, schedule));
    gfab_trees_plan_release(&j.best);
    gfab_trees_sites_release(&j.sites);
    return status;
}

GFAB_SOLVE(solve, trees_repeat, build)

const gfab_solver gfab_solver_trees_repeat = {
    .name = "trees-repeat",
    .summary =
        "many blocks, but for all-reduce and all-to-all: trees in time for a group of them that repeats; search, "
        "no promise",
    .source = "gossipfab, docs/theory/long-vectors/arborescences.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_BROADCAST) |
                   GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .only = GFAB_ONLY_ALL_PORTS | GFAB_ONLY_STORED | GFAB_ONLY_SINGLE,
};
