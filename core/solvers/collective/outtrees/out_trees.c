/* SPDX-License-Identifier: MIT */
/* All-gather, reduce-scatter, broadcast and reduce of long vectors on any graph: directed and weighted links, and
 * relays that, in full duplex, send as much as they take in. There trees at the best rate there is; in half duplex, as
 * on large graphs, trees that share the links evenly: on cycle:16 they broadcast 1024 blocks in 967 rounds, 7 above the
 * bound. docs/theory/long-vectors/out-trees.md. */
#include "out_trees.h"

#include "base/ascending.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

#define MAX_NODES 2048u
#define MAX_GROWTH ((uint64_t)1 << 28) /* nodes squared times roots times diameter: seconds */
/* Trees times nodes of a group: seconds. */
#define MAX_CELLS ((uint64_t)1 << 18)
#define MAX_PERIOD ((uint64_t)1 << 16)
/* Candidates that are listed, and how many of these are made. */
#define MAX_SHAPES 64u
#define MADE_SHAPES 16u
/* Where all blocks are one group its trees may have so many rounds more than they need: then they are shallower. */
#define MAX_SLACK 8u
#define SLACK_PART 256u /* on large graphs a period may be so much longer, or eight times that: its moves end sooner */
/* Where --effort is not given: forests, as long as all flows had so many arcs and all runs so many moves. */
#define FORESTS 48u
#define WORK ((uint64_t)1 << 24)
/* Rounds for a forest: first tries, and all of them where these are this part above the best, or less. */
#define FIRST_RUNS 3u
#define RUNS 12u
#define NEAR_PART 64u
#define TAILS 4u /* forests for the end of a vector; half as many where these bring nothing */
/* For fewer links in the longest way of a block, in as many rounds: forests for so many holdings, while all flows had
 * this part of the arcs. */
#define SHORT_HOLDINGS 1024u
#define SHORT_PART 4u

/* So many trees a root on arcs with the room of so many rounds. */
typedef struct shape {
    uint32_t trees, period;
    uint32_t tries;
    uint64_t rounds; /* at least; once it was tried what came out */
} shape;

typedef struct job {
    const gfab_topology *topology; /* of a reduction reversed */
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_goal goal;
    const gfab_out_turns *turns;       /* NULL: none */
    uint32_t *room;                    /* [arcs]: what the turns of a shape's rounds carry; NULL */
    uint32_t nodes, members, together; /* rounds of all turns: what repeats does so after that, or some times that */
    bool backwards, owned;             /* a reduction; blocks belong to members */
    bool half;                         /* half duplex without turns: loads, too */
    bool large;                        /* for flows: one tree a root, and loads in their place */
    uint64_t blocks;                   /* a root */
    uint64_t up, down;                 /* up trees a root fit in down rounds of all turns, at best */
    uint64_t least;                    /* the bound */
    uint64_t random, work;
    uint32_t *supply; /* [nodes] */
    shape shapes[MAX_SHAPES];
    uint32_t shape_count;
    uint64_t best; /* rounds; UINT64_MAX: none yet */
    uint32_t best_trees, best_period;
    uint32_t best_steps, diameter; /* links of its longest way; of two members at most */
    bool shortens;                 /* as many rounds will do, if the longest way has fewer links */
    gfab_group_move *moves;
    size_t move_count;
    gfab_out_head head;   /* what repeats best; before the tail that is being made so many groups, 0: none is */
    uint64_t best_groups; /* before the tail that the moves are; 0: they are none */
    gfab_arena arena;     /* of supply and room */
} job;
GFAB_HOLDS_ARENA(job)

/* ---- shapes ---- */

/* Rounds that so many trees a root need. */
static uint64_t rounds_of(const job *j, uint64_t trees)
{
    return (trees * j->down * j->together + j->up - 1) / j->up;
}

/* The same, in whole turns. */
static uint64_t period_of(const job *j, uint64_t trees)
{
    return (trees * j->down + j->up - 1) / j->up * j->together;
}

static void add_shape(job *j, uint64_t trees, uint64_t period)
{
    const uint64_t roots = j->owned ? j->members : 1;
    if (trees == 0 || trees > j->blocks || period > MAX_PERIOD || j->shape_count == MAX_SHAPES)
        return;
    if (j->shape_count > 0 && !j->large && trees * roots * j->nodes > MAX_CELLS)
        return;
    for (uint32_t i = 0; i < j->shape_count; i++)
        if (j->shapes[i].trees == trees && j->shapes[i].period == period)
            return;
    const uint64_t before = (j->blocks - 1) / trees; /* groups */
    const uint64_t rounds = before * period + rounds_of(j, j->blocks - before * trees);
    j->shapes[j->shape_count++] = (shape){(uint32_t)trees, (uint32_t)period, 0, rounds};
}

static int compare_shapes(const void *a, const void *b)
{
    const shape *x = a, *y = b;
    if (x->rounds != y->rounds)
        return x->rounds < y->rounds ? -1 : 1;
    if (x->trees != y->trees)
        return x->trees > y->trees ? -1 : 1;
    return (x->period > y->period) - (x->period < y->period);
}

/* All blocks at once; the best rate itself; and fewer trees whose rate is near it. */
static void list_shapes(job *j)
{
    uint64_t best_trees = 0, best_times = 1;
    add_shape(j, 1, period_of(j, 1));
    for (uint64_t part = SLACK_PART; part >= SLACK_PART / 8 && j->large; part /= 8)
        add_shape(j, 1, period_of(j, 1) + period_of(j, 1) / part + 1);
    if (j->large)
        return;
    for (uint64_t times = 1; times <= j->down; times++) {
        const uint64_t trees = times * j->up / j->down;
        if (trees * best_times <= best_trees * times)
            continue;
        add_shape(j, trees, period_of(j, trees));
        best_trees = trees;
        best_times = times;
    }
    for (uint64_t times = 2; times <= 4; times++)
        add_shape(j, j->up * times, period_of(j, j->up * times));
    for (uint64_t groups = 1; groups <= 8 && !j->options->any_length; groups++)
        add_shape(j, (j->blocks + groups - 1) / groups, period_of(j, (j->blocks + groups - 1) / groups));
    for (uint64_t slack = 0; slack <= MAX_SLACK && !j->options->any_length; slack += slack ? slack : 1)
        add_shape(j, j->blocks, rounds_of(j, j->blocks) + slack);
    qsort(j->shapes, j->shape_count, sizeof *j->shapes, compare_shapes);
}

/* ---- a group's moves ---- */

/* Backwards a block's rounds are counted from the end, as many periods earlier as there are before its first move. */
static uint64_t turn(const gfab_out_plan *plan, uint32_t block, uint32_t end, uint32_t round)
{
    const uint32_t before = end - plan->last[block];
    return end + 1 - round - (plan->period ? before - before % plan->period : 0);
}

/* What every block is numbered as among those of its root, by the round in which it ends; order[] gets root, last
 * round, block. */
static void sort_blocks(const job *j, const gfab_out_plan *plan, uint32_t end, uint64_t *order)
{
    for (uint32_t block = 0; block < plan->blocks; block++) {
        const uint64_t last = j->backwards ? turn(plan, block, end, plan->first[block]) : plan->last[block];
        const uint64_t root = gfab_topology_rank(j->topology, plan->forest->trees[plan->tree[block]].root);
        order[block] = (j->owned ? root : 0) << 50 | last << 26 | block;
    }
    qsort(order, plan->blocks, sizeof *order, gfab_ascending);
}

static uint32_t find_end(const gfab_out_plan *plan)
{
    uint32_t end = 0;
    for (uint32_t block = 0; block < plan->blocks; block++)
        end = plan->last[block] > end ? plan->last[block] : end;
    return end;
}

/* The last round of all blocks of the vector. */
static uint64_t count_rounds(const job *j, uint32_t trees, const gfab_out_plan *plan, uint64_t *order)
{
    const uint32_t end = find_end(plan);
    const uint64_t groups = (j->blocks + trees - 1) / trees, rest = j->blocks - (groups - 1) * trees;
    uint64_t all = 0, part = 0;
    sort_blocks(j, plan, end, order);
    if (plan->head)
        return gfab_out_head_rounds(plan->head, end);
    for (uint32_t i = 0; i < plan->blocks; i++) {
        const uint64_t last = order[i] >> 26 & 0xffffff;
        all = last > all ? last : all;
        part = i % trees < rest && last > part ? last : part;
    }
    const uint64_t whole = groups > 1 ? (groups - 2) * plan->period + all : 0;
    const uint64_t latest = (groups - 1) * plan->period + part;
    return whole > latest ? whole : latest;
}

/* A block's moves as the i-th of the group. Backwards the last that a relay sends is the first that comes to it: it is
 * stored. */
static void list_moves(const job *j, const gfab_out_plan *plan, uint32_t block, uint32_t i, uint32_t *latest,
                       gfab_out_head *group)
{
    const gfab_out_tree *tree = &plan->forest->trees[plan->tree[block]];
    const uint32_t *round = plan->round + (size_t)block * plan->cells;
    for (uint32_t c = 0; c < plan->cells; c++)
        latest[c] = 0;
    for (uint32_t c = 0; c < plan->cells; c++)
        if (round[c]) {
            uint32_t *late = &latest[gfab_out_before(j->topology, tree, c)];
            *late = round[c] > *late ? round[c] : *late;
        }
    for (uint32_t v = 0; v < plan->cells; v++) {
        if (round[v] == 0)
            continue;
        const uint32_t from = gfab_out_before(j->topology, tree, v);
        const bool opens = round[v] == latest[from] &&
                           gfab_topology_is_relay(j->topology, gfab_topology_arc_from(j->topology, tree->parent[v]));
        group->moves[group->count++] =
            (gfab_group_move){.round = j->backwards ? (uint32_t)turn(plan, block, group->end, round[v]) : round[v],
                              .token = i | (j->backwards && !opens ? GFAB_COMBINE : 0),
                              .arc = tree->parent[v] ^ j->backwards};
    }
}

/* Links of the longest way in a forest; as if none were long where it is in chains. */
static uint32_t count_steps(const gfab_out_forest *forest)
{
    uint32_t most = 0;
    for (uint32_t t = 0; t < forest->count; t++)
        for (uint32_t v = 0; v < forest->nodes && forest->trees[t].depth; v++) {
            const uint32_t depth = forest->trees[t].depth[v];
            most = depth != GFAB_OUT_NONE && depth > most ? depth : most;
        }
    return most;
}

static gfab_status list_all(const job *j, const gfab_out_plan *plan, const uint64_t *order, uint32_t *latest,
                            gfab_out_head *group)
{
    group->end = find_end(plan);
    group->moves = malloc((size_t)plan->blocks * plan->cells * sizeof *group->moves);
    GFAB_NEED(group->moves);
    for (uint32_t i = 0; i < plan->blocks; i++)
        list_moves(j, plan, order[i] & 0x3ffffff, i, latest, group);
    return GFAB_OK;
}

static gfab_status keep(job *j, uint32_t trees, const gfab_out_plan *plan, const uint64_t *order, uint32_t *latest)
{
    gfab_out_head group = {.trees = trees};
    GFAB_TRY(list_all(j, plan, order, latest, &group));
    free(j->moves);
    j->moves = group.moves;
    j->move_count = group.count;
    j->best_trees = plan->head ? (uint32_t)j->blocks : trees;
    j->best_period = plan->period;
    j->best_steps = count_steps(plan->forest);
    j->best_groups = plan->head ? plan->head->groups : 0;
    return GFAB_OK;
}

/* Could groups of so many trees a root go before a tail? */
static bool may_have_head(const job *j, uint64_t trees)
{
    const uint64_t roots = j->owned ? j->members : 1;
    return !j->options->any_length && !j->turns && !j->large && trees * roots * j->nodes <= MAX_CELLS &&
           gfab_out_head_may(j->blocks, trees, j->blocks * roots * j->nodes);
}

/* For a tail, what repeats. */
static gfab_status keep_head(job *j, uint32_t trees, const gfab_out_plan *plan, const uint64_t *order, uint32_t *latest)
{
    gfab_out_head group = {.period = plan->period, .trees = trees, .end = find_end(plan)};
    if (!may_have_head(j, trees) || !gfab_out_head_improves(&j->head, &group))
        return GFAB_OK;
    GFAB_TRY(list_all(j, plan, order, latest, &group));
    gfab_out_head_take(&j->head, &group, j->backwards);
    return GFAB_OK;
}

/* Would a plan of so many rounds, whose longest way has so many links, be kept? */
static bool improves(const job *j, uint64_t rounds, uint32_t steps)
{
    return rounds < j->best || (j->shortens && rounds == j->best && steps < j->best_steps);
}

/* Rounds for a forest, several times: blocks that were late go first the next time. */
static gfab_status plan_rounds(job *j, shape *s, const gfab_out_forest *forest)
{
    GFAB_AT_END(gfab_out_plan_release) gfab_out_plan plan = {0};
    const uint32_t period = s->trees < j->blocks && !j->head.groups ? s->period : 0;
    gfab_status status = gfab_out_plan_create(j->topology, forest, j->backwards ? GFAB_BACK_WAYS : GFAB_OUT_WAYS,
                                              j->model, period, &plan);
    plan.turns = j->turns;
    plan.head = j->head.groups ? &j->head : NULL;
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    uint64_t *order = gfab_arena_zeroed(&arena, plan.blocks, sizeof *order), least = UINT64_MAX;
    uint32_t *bonus = gfab_arena_zeroed(&arena, plan.blocks, sizeof *bonus);
    uint32_t *latest = gfab_arena_zeroed(&arena, plan.cells, sizeof *latest);
    status = arena.failed ? GFAB_ERR_NO_MEMORY : status;
    const uint32_t runs = j->large ? FIRST_RUNS : RUNS, steps = count_steps(forest);
    for (uint32_t i = 0; i < runs && improves(j, j->least, steps) && status == GFAB_OK; i++) {
        if (i >= FIRST_RUNS && least > j->best + j->best / NEAR_PART)
            break;
        status = gfab_out_plan_run(&plan, bonus, &j->random, j->options);
        if (status != GFAB_OK)
            break;
        const uint64_t rounds = count_rounds(j, s->trees, &plan, order);
        least = rounds < least ? rounds : least;
        if (improves(j, rounds, steps)) {
            j->best = rounds;
            status = keep(j, s->trees, &plan, order, latest);
        }
        GFAB_THEN(status, keep_head(j, s->trees, &plan, order, latest));
        const uint32_t end = find_end(&plan);
        for (uint32_t b = 0; b < plan.blocks; b++)
            bonus[b] += plan.last[b] == end;
        j->work += 2 * (uint64_t)plan.blocks * j->members;
    }
    s->rounds = s->tries && s->rounds < least ? s->rounds : least;
    return status;
}

/* ---- searching ---- */

/* What the arcs carry in the first rounds of a plan; backwards they are turned round, and the turns. */
static gfab_status find_room(job *j, uint32_t rounds)
{
    const size_t arcs = 2 * gfab_topology_link_count(j->topology);
    uint64_t most = 0;
    for (size_t arc = 0; arc < arcs; arc++) {
        uint64_t room = 0;
        for (uint32_t r = 1; r <= j->together; r++) {
            const uint32_t turn = (j->backwards ? j->together - r : r) % j->together;
            const uint64_t times = rounds / j->together + (r <= rounds % j->together);
            room += times * j->turns->weight[turn * arcs + (arc ^ j->backwards)];
        }
        most = room > most ? room : most;
        j->room[arc] = (uint32_t)room;
    }
    return most > INT32_MAX ? GFAB_ERR_LIMIT : GFAB_OK;
}

/* Where part of the turns is not enough, though the rate is, the shape takes the most rounds. */
static gfab_status attempt(job *j, shape *s)
{
    const gfab_out_growth growth = {j->options, &j->random, &j->work};
    GFAB_AT_END(gfab_out_forest_release) gfab_out_forest forest = {0};
    gfab_status status = j->turns ? find_room(j, s->period) : GFAB_OK;
    for (uint32_t v = 0; v < j->nodes; v++)
        j->supply[v] = gfab_topology_is_relay(j->topology, v) ? 0 : j->owned ? s->trees : 0;
    if (!j->owned)
        j->supply[gfab_topology_member(j->topology, j->goal.root)] = s->trees;
    if (j->large || j->half)
        status = gfab_out_share_loads(j->topology, (gfab_out_balance){j->half, j->half && s->tries % 2}, j->supply,
                                      &s->period, &growth, &forest);
    else if (status == GFAB_OK)
        status = gfab_out_pack(j->topology, j->room, j->turns ? 1 : s->period, j->supply, &growth, &forest);
    const bool lacks = status == GFAB_ERR_FAULT && s->period % j->together > 0;
    GFAB_THEN(status, plan_rounds(j, s, &forest));
    s->rounds = lacks ? UINT32_MAX : s->rounds;
    s->tries++;
    return lacks ? GFAB_OK : status;
}

/* Every candidate once, from the one that promises most; then those that came out best, the less tried first. */
static gfab_status search(job *j)
{
    const uint32_t effort = j->options->effort ? j->options->effort : 1;
    list_shapes(j);
    for (uint32_t i = 0; i < FORESTS * effort && j->best > j->least; i++) {
        shape *next = NULL;
        if (i > 0 && (j->large ? i == j->shape_count : j->work > WORK * effort))
            break;
        for (uint32_t k = 0; k < j->shape_count && k < MADE_SHAPES; k++) {
            shape *s = &j->shapes[k];
            const bool better = !next || (s->tries == 0 && next->tries > 0) ||
                                (next->tries > 0 && s->rounds + s->tries < next->rounds + next->tries);
            if (better && (s->tries > 0 || s->rounds < j->best))
                next = s;
        }
        if (!next)
            break;
        GFAB_TRY(attempt(j, next));
    }
    return GFAB_OK;
}

/* The last groups have trees and rounds of their own, behind groups of the best rate if there are some. */
static gfab_status add_tail(job *j)
{
    const uint64_t before = j->best;
    for (uint64_t times = 1; times <= 4 && j->best > j->least; times++) {
        shape head = {(uint32_t)(times * j->up), (uint32_t)period_of(j, times * j->up), (uint32_t)times, UINT64_MAX};
        if ((!j->head.moves || j->head.period * j->up > j->down * j->head.trees) && may_have_head(j, times * j->up))
            GFAB_TRY(attempt(j, &head));
    }
    for (uint32_t i = 0; i < TAILS && j->best > j->least && (i < 2 || j->best < before); i++) {
        const uint64_t trees = gfab_out_head_cut(&j->head, j->blocks, 1 + i / 2);
        shape tail = {(uint32_t)trees, (uint32_t)rounds_of(j, trees), i, UINT64_MAX};
        if (trees)
            GFAB_TRY(attempt(j, &tail));
    }
    j->head.groups = 0;
    return GFAB_OK;
}

/* Of a short vector that takes the fewest rounds: more forests, for one whose longest way has fewer links. */
static gfab_status shorten(job *j)
{
    const uint64_t holdings = j->blocks * (j->owned ? j->members : 1) * j->nodes;
    const uint32_t effort = j->options->effort ? j->options->effort : 1;
    shape whole = {.trees = (uint32_t)j->blocks, .period = (uint32_t)rounds_of(j, j->blocks)};
    j->shortens =
        !j->large && j->best == j->least && j->best_period == 0 && j->best_groups == 0 && holdings <= SHORT_HOLDINGS;
    j->work = 0;
    while (j->shortens && j->best_steps > j->diameter && j->work < WORK / SHORT_PART * effort)
        GFAB_TRY(attempt(j, &whole));
    return GFAB_OK;
}

/* ---- the solver ---- */

/* What all turns carry is not what a round does: no bound is asked. */
static gfab_status find_turns(job *j)
{
    const size_t arcs = 2 * gfab_topology_link_count(j->topology);
    j->room = gfab_arena_zeroed(&j->arena, arcs, sizeof *j->room);
    if (!j->room)
        return GFAB_ERR_NO_MEMORY;
    j->up = j->turns->trees;
    j->down = j->turns->rounds;
    j->least = j->blocks * j->down * j->turns->count / j->up + 1;
    return GFAB_OK;
}

static gfab_status find_rate(job *j, gfab_diag *diag)
{
    gfab_out_rate rate;
    gfab_goal goal = j->goal;
    goal.collective = j->owned ? GFAB_ALL_GATHER : GFAB_BROADCAST;
    goal.idempotent = false;
    GFAB_TRY(gfab_out_find_rate(j->topology, j->model->link_mode, &goal, j->options, &rate));
    j->up = rate.trees;
    j->down = rate.rounds;
    if (!rate.tight && !j->half)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "a relay of %s takes in more or less than it sends",
                         gfab_topology_name(j->topology));
    return GFAB_OK;
}

gfab_status gfab_out_build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           const gfab_out_turns *turns, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    gfab_topology *reversed = NULL;
    GFAB_AT_END(job_release)
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .goal = goal,
             .turns = turns,
             .together = turns ? turns->count : 1,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .members = (uint32_t)gfab_topology_member_count(topology),
             .half = model->link_mode == GFAB_LINK_HALF && !turns,
             .backwards = gfab_collective_combines(goal.collective),
             .owned = goal.collective == GFAB_ALL_GATHER || goal.collective == GFAB_REDUCE_SCATTER,
             .random = options->seed,
             .best = UINT64_MAX};
    gfab_bound bound = {.rounds = 0};
    j.blocks = j.owned ? goal.blocks / j.members : goal.blocks;
    j.supply = gfab_arena_zeroed(&j.arena, j.nodes, sizeof *j.supply);
    gfab_status status = j.supply ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_topology_diameter(topology, options->progress, &j.diameter));
    j.large = (uint64_t)j.nodes * j.nodes * (j.owned ? j.members : 1) * j.diameter > MAX_GROWTH;
    if (j.backwards)
        GFAB_THEN(status, gfab_topology_reverse(topology, &reversed));
    GFAB_THEN(status, gfab_bound_goal_best(topology, model, &goal, options->progress, &bound));
    j.least = bound.rounds;
    j.topology = reversed ? reversed : topology;
    if (status == GFAB_OK && (j.large || j.half) && gfab_topology_marks(topology) & GFAB_MARK_LIMITED)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                           "%s is too large, or half duplex, for trees past relays that do not copy or combine",
                           gfab_topology_name(topology));
    GFAB_THEN(status, turns ? find_turns(&j) : find_rate(&j, diag));
    GFAB_THEN(status, search(&j));
    GFAB_THEN(status, add_tail(&j));
    GFAB_THEN(status, shorten(&j));
    if (status == GFAB_OK && j.best > GFAB_MAX_PLAYED_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_PLAYED_ROUNDS);
    if (status == GFAB_OK && j.best_groups)
        status = gfab_out_tail_join(&j.head, j.best_groups, (uint32_t)j.blocks, j.backwards, &j.moves, &j.move_count);
    GFAB_THEN(status, gfab_group_moves_append(j.moves, j.move_count, j.best_period,
                                              j.best_trees * (j.owned ? j.members : 1), schedule));
    free(j.moves);
    gfab_out_head_release(&j.head);
    gfab_topology_destroy(reversed);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    return gfab_out_build(topology, model, options, NULL, schedule, diag);
}

GFAB_SOLVE(solve, out_trees, build)

const gfab_solver gfab_solver_out_trees = {
    .name = "out-trees",
    .summary =
        "all-gather, reduce-scatter, broadcast and reduce of long vectors on any graph with switches: trees that "
        "share the links, in full duplex at the best rate there is; it repeats",
    .source = "gossipfab, docs/theory/long-vectors/out-trees.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_BROADCAST) |
                   GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .knows = GFAB_MARKS_STORED,
    .only = GFAB_ONLY_ALL_PORTS | GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
    .most_nodes = MAX_NODES,
};
