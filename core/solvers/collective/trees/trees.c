/* SPDX-License-Identifier: MIT */
/* Reductions and broadcasts along trees: a plan of trees in time for each number of rounds that is tried.
 * docs/theory/collective-trees.md. */
#include "solvers/collective/collectives.h"
#include "trees_plan.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

/* Cells and slots that a plan may have. */
#define MAX_CELLS ((uint64_t)1 << 25)
#define MAX_SLOTS ((uint64_t)1 << 28)
/* Work for all that is tried: so much a cell, and within these. */
#define WORK_A_CELL 2000u
#define MIN_WORK 2000000u
#define MAX_WORK 150000000u
#define WORK_A_MS 8000u
#define PATIENCE_A_CELL 64u
#define MIN_PATIENCE 100000u
/* Blocks times nodes up to which a schedule is improved with all patience at once, and, where little patience has not
 * been enough, then. */
#define MOST_PATIENT 4096u
#define MOST_PATIENT_THEN 8192u

#define MAX_IMAGES 8u
/* Planned by images are from one block for so many nodes up to so many blocks for one node. */
#define SHORT 2u
#define LONG 4u
#define MAX_VARIANTS 5u
/* Of a way, for a number of rounds. */
#define TRIES 8u

/* Where the roots are, and how the blocks follow each other. */
typedef struct variant {
    gfab_trees_sites sites;
    uint32_t depth; /* of the deepest site */
    bool spread;    /* blocks start one after the other; else all at once */
    bool narrow;    /* at first each root sends a block but once */
    bool owned;     /* a block's site is that of its owner */
} variant;

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_goal goal;
    gfab_trees_shape shape;
    gfab_images images; /* once made */
    uint32_t nodes, channels;
    uint32_t degree; /* the least */
    variant variants[MAX_VARIANTS];
    uint32_t variant_count;
    uint64_t random;
    gfab_trees_budget budget;
    gfab_trees_plan best; /* without missing cells, once it has rounds */
} job;

/* ---- placing ---- */

/* The rounds in which a block's total may be complete, or on a side alone in which its roots may start in the view. */
static bool window(const job *j, const gfab_trees_site *site, uint32_t rounds, uint32_t *first, uint32_t *last)
{
    const uint64_t hop = j->model->hop_rounds, way = site->depth > 0 ? 1 + (site->depth - 1) * hop : 0;
    const bool both = j->shape.in && j->shape.out;
    const uint64_t after = both ? gfab_trees_exchange_rounds(&site->roots, (uint32_t)hop) + site->depth * hop : way - 1;
    *first = both ? (uint32_t)way : 1;
    if (rounds < after)
        return false;
    *last = (uint32_t)(rounds - after);
    return *last >= *first; /* where all nodes are roots the first round is 0, too */
}

/* Rounds that a node of least degree needs for what it takes in of all blocks, or, half duplex, takes in and sends. */
static uint32_t least_span(const job *j)
{
    const uint64_t messages =
        (uint64_t)j->goal.blocks * (j->model->link_mode == GFAB_LINK_HALF && j->shape.in && j->shape.out ? 2 : 1);
    return (uint32_t)((messages + j->degree - 1) / j->degree);
}

/* Block number `block` of the plan's, in a window: evenly, but for rounds kept at both ends where there is room. */
static uint32_t spread_over(const job *j, uint32_t block, uint32_t first, uint32_t last)
{
    const uint32_t length = last - first + 1, span = least_span(j);
    uint32_t margin = length > span ? (length - span) / 2 : 0;
    margin = margin < length / 8 ? margin : length / 8;
    const uint64_t inner = length - 2 * margin;
    return first + margin + (uint32_t)(inner * (2 * (uint64_t)block + 1) / (2 * (uint64_t)j->shape.blocks));
}

/* False where the block finds no place. */
static bool plant(const job *j, const variant *way, gfab_trees_plan *plan, uint32_t block)
{
    const gfab_trees_site *site =
        &way->sites.at[(way->owned ? gfab_goal_owner(&j->goal, j->nodes, block) : block) % way->sites.count];
    const uint32_t hop = j->model->hop_rounds, rounds = plan->rounds;
    const uint32_t exchange = gfab_trees_exchange_rounds(&site->roots, hop);
    uint32_t first, last;
    if (!window(j, site, rounds, &first, &last))
        return false;
    if (!j->shape.in || !j->shape.out) {
        const uint32_t start = way->spread ? spread_over(j, block, first, last) : 1;
        gfab_trees_plant(plan, block, &site->roots, site->distance, start, rounds);
        return true;
    }
    uint32_t done = spread_over(j, block, first, last);
    const uint32_t wanted = done;
    while (!gfab_trees_exchange_enter(plan, block, &site->roots, done + exchange)) {
        done = done == last ? first : done + 1;
        if (done == wanted)
            return false;
    }
    const uint32_t reach = (2 * site->depth + 32) * hop;
    const uint32_t in = rounds + 1 - done, out = done + exchange + hop;
    gfab_trees_plant(plan, 2 * block, &site->roots, site->distance, in, in + reach);
    gfab_trees_plant(plan, 2 * block + 1, &site->roots, site->distance, out, out + reach);
    return true;
}

/* In the order in which trees start in their view; in-trees and out-trees by turns. */
static gfab_status grow_all(const job *j, gfab_trees_plan *plan, bool narrow)
{
    for (uint32_t i = 0; i < j->shape.blocks; i++) {
        if (j->shape.in && j->shape.out) {
            gfab_trees_grow(plan, 2 * i + 1, narrow);
            gfab_trees_grow(plan, 2 * (j->shape.blocks - 1 - i), narrow);
        } else {
            gfab_trees_grow(plan, i, narrow);
        }
        if (i % 64 == 0)
            GFAB_TRY(gfab_solver_report(j->options, "blocks", i, j->shape.blocks));
    }
    return GFAB_OK;
}

/* ---- searching ---- */

/* A plan of so many rounds goes to j->best, if one is found. */
static gfab_status attempt(job *j, const variant *way, uint32_t rounds, bool *found)
{
    gfab_trees_plan plan;
    j->shape.rounds = j->shape.period = rounds;
    gfab_status status = gfab_trees_plan_create(j->topology, j->model, j->shape, gfab_random(&j->random), &plan);
    *found = false;
    bool planted = status == GFAB_OK;
    for (uint32_t block = 0; block < j->shape.blocks && planted; block++)
        planted = plant(j, way, &plan, block);
    if (planted)
        status = grow_all(j, &plan, way->narrow);
    if (planted && status == GFAB_OK && plan.missing > 0)
        status = gfab_trees_repair(&plan, j->options, &j->budget);
    if (planted && status == GFAB_OK && plan.missing == 0) {
        gfab_trees_plan_release(&j->best);
        j->best = plan;
        *found = true;
    } else {
        gfab_trees_plan_release(&plan);
    }
    return status;
}

static void shuffle(job *j, variant *way)
{
    for (uint32_t i = way->owned ? 0 : way->sites.count; i > 1; i--) {
        const uint32_t k = gfab_random_below(&j->random, i);
        const gfab_trees_site site = way->sites.at[i - 1];
        way->sites.at[i - 1] = way->sites.at[k];
        way->sites.at[k] = site;
    }
}

/* Tries all ways for a number of rounds, what was last found good first; a way several times while that is quick. */
static gfab_status try_rounds(job *j, uint32_t rounds, bool *found)
{
    *found = false;
    if ((uint64_t)rounds * j->channels > MAX_SLOTS)
        return GFAB_ERR_LIMIT;
    for (uint32_t i = 0; i < j->variant_count && !*found; i++) {
        const uint64_t before = j->budget.work;
        for (uint32_t k = 0; k < TRIES && !*found; k++) {
            GFAB_TRY(attempt(j, &j->variants[i], rounds, found));
            if (j->budget.work - before > j->budget.patience)
                break;
            if (!*found)
                shuffle(j, &j->variants[i]);
        }
        if (*found) {
            const variant good = j->variants[i];
            j->variants[i] = j->variants[0];
            j->variants[0] = good;
        }
    }
    return GFAB_OK;
}

/* First up from a little above the bound until there is a plan, then by bisection between that and the bound. */
static gfab_status search(job *j, gfab_diag *diag)
{
    const uint64_t most = j->options->rounds ? j->options->rounds : GFAB_MAX_ROUNDS;
    gfab_bound least;
    GFAB_TRY(gfab_bound_goal_best(j->topology, j->model, &j->goal, j->options->progress, &least));
    uint64_t low = least.rounds, high = low + low / 10;
    bool found = false;
    while (!found) {
        high = high < most ? high : most;
        if (low > high)
            return GFAB_REFUSE(diag, "found nothing of at most %u rounds", (uint32_t)most);
        GFAB_TRY(try_rounds(j, (uint32_t)high, &found));
        if (!found) {
            low = high + 1;
            high += high / 8 + 1;
        }
    }
    while (low < high && j->budget.work < j->budget.limit) {
        const uint64_t middle = low + (high - low) / 2;
        GFAB_TRY(try_rounds(j, (uint32_t)middle, &found));
        if (found)
            high = middle;
        else
            low = middle + 1;
    }
    return GFAB_OK;
}

/* ---- setting up ---- */

static gfab_status add_variant(job *j, uint32_t roots, uint32_t slack)
{
    variant *way = &j->variants[j->variant_count++];
    const gfab_status status = gfab_trees_sites_find(j->topology, j->options, roots, slack, &way->sites);
    way->spread = true;
    for (uint32_t i = 0; i < way->sites.count; i++)
        way->depth = way->sites.at[i].depth > way->depth ? way->sites.at[i].depth : way->depth;
    if (status == GFAB_OK && way->sites.count == 0) {
        gfab_trees_sites_release(&way->sites);
        j->variant_count--;
    }
    return status;
}

/* Roots that are chosen: in the middle; where they may be several for a block, there. */
static gfab_status choose_sites(job *j)
{
    GFAB_TRY(add_variant(j, 1, 0));
    const uint32_t depth = j->variants[0].depth;
    GFAB_TRY(add_variant(j, 1, depth / 4 ? depth / 4 : 1));
    const bool exchange = j->model->link_mode == GFAB_LINK_FULL && j->nodes <= 1024;
    for (uint32_t roots = 2; roots <= 4 && exchange; roots += 2)
        GFAB_TRY(add_variant(j, roots, 0));
    return GFAB_OK;
}

/* Roots that are given. */
static gfab_status owned_sites(job *j)
{
    const uint32_t count = gfab_collective_has_root(j->goal.collective) ? 1 : j->nodes;
    GFAB_FREED uint32_t *nodes = malloc(count * sizeof *nodes);
    GFAB_NEED(nodes);
    for (uint32_t i = 0; i < count && nodes; i++)
        nodes[i] = count > 1 ? i : j->goal.root;
    for (uint32_t i = 0; i < 4; i++) {
        variant *way = &j->variants[j->variant_count++];
        GFAB_TRY(gfab_trees_sites_at(j->topology, nodes, count, &way->sites));
        way->spread = i % 2;
        way->narrow = i > 1;
        way->owned = true;
        for (uint32_t k = 0; k < way->sites.count; k++)
            way->depth = way->sites.at[k].depth > way->depth ? way->sites.at[k].depth : way->depth;
    }
    return GFAB_OK;
}

static uint64_t count_cells(const job *j)
{
    return (uint64_t)j->shape.blocks * j->nodes * ((uint64_t)j->shape.in + j->shape.out);
}

/* Where roots are chosen, and where the work that is allowed is too little for all cells, one block of each set of
 * images is planned, if the blocks are so many sets. Not for long vectors, whose schedules repeat, nor for short ones,
 * which want several roots in the middle: those exchange over links that are images of each other. */
static gfab_status use_images(job *j)
{
    const bool chosen = j->shape.in && j->shape.out;
    const uint64_t blocks = j->goal.blocks, nodes = j->nodes;
    if (!chosen || count_cells(j) * WORK_A_CELL <= MAX_WORK || SHORT * blocks < nodes || blocks > LONG * nodes)
        return GFAB_OK;
    const bool full = j->model->link_mode == GFAB_LINK_FULL;
    GFAB_TRY(gfab_images_create(j->topology, full, MAX_IMAGES, &j->images));
    if (j->goal.blocks % j->images.count != 0)
        return GFAB_OK;
    j->shape.images = &j->images;
    j->shape.blocks = j->goal.blocks / j->images.count;
    return GFAB_OK;
}

static gfab_status set_up(job *j)
{
    GFAB_TRY(use_images(j));
    const uint64_t cells = count_cells(j);
    const uint64_t effort = j->options->effort ? j->options->effort : 1;
    uint64_t work = cells * WORK_A_CELL;
    work = work < MIN_WORK ? MIN_WORK : work > MAX_WORK ? MAX_WORK : work;
    uint64_t patience = (PATIENCE_A_CELL * cells + MIN_PATIENCE) * effort;
    const uint64_t most = (uint64_t)WORK_A_MS * j->options->most_ms;
    work = most && most < work * effort ? most : work * effort;
    patience = most && most / 4 < patience ? most / 4 : patience;
    j->budget = (gfab_trees_budget){.limit = work, .patience = patience};
    return j->shape.in && j->shape.out ? choose_sites(j) : owned_sites(j);
}

static gfab_status make(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                        bool soon, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const gfab_collective made = goal.collective;
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .random = options->seed,
             .goal = goal,
             .shape = {.blocks = goal.blocks,
                       .in = gfab_collective_combines(made),
                       .out = made != GFAB_REDUCE && made != GFAB_REDUCE_SCATTER},
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .channels = (uint32_t)(gfab_topology_link_count(topology) << (model->link_mode == GFAB_LINK_FULL)),
             .degree = (uint32_t)gfab_topology_min_degree(topology)};
    if ((uint64_t)goal.blocks * j.nodes > MAX_CELLS / 2)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u blocks on %u nodes; blocks times nodes may be at most %llu",
                         goal.blocks, j.nodes, (unsigned long long)MAX_CELLS / 2);
    gfab_status status = set_up(&j);
    j.budget.soon = soon;
    j.budget.patience /= soon ? 2 : 1;
    GFAB_THEN(status, search(&j, diag));
    GFAB_THEN(status, gfab_trees_emit(&j.best, NULL, options->progress, schedule));
    gfab_trees_plan_release(&j.best);
    gfab_images_release(&j.images);
    for (uint32_t i = 0; i < j.variant_count; i++)
        gfab_trees_sites_release(&j.variants[i].sites);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    return make(topology, model, options, false, schedule, diag);
}

/* Small ones are searched as trees alone would be, from more rounds downwards, so that it never has fewer. */
static gfab_status build_small(const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_solver_options asked = *options;
    asked.rounds = 0;
    GFAB_TRY(make(topology, model, &asked, false, schedule, diag));
    if (gfab_schedule_rounds(schedule) <= options->rounds)
        return GFAB_OK;
    return GFAB_REFUSE(diag, "found nothing of at most %u rounds", options->rounds);
}

static gfab_status build_soon(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const uint64_t holdings = gfab_topology_node_count(topology) * (uint64_t)gfab_schedule_goal(schedule).blocks;
    if (holdings <= MOST_PATIENT)
        return build_small(topology, model, options, schedule, diag);
    const gfab_status status = make(topology, model, options, true, schedule, diag);
    if (status != GFAB_ERR_UNSUPPORTED || holdings > MOST_PATIENT_THEN)
        return status;
    return make(topology, model, options, false, schedule, diag);
}

/* Where there is a schedule already, and options ask for fewer rounds: it gives up where it does not come nearer
 * soon. */
static gfab_status improve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_trees, build_soon, topology, model, options, schedule, diag);
}

GFAB_SOLVE(solve, trees, build)

const gfab_solver gfab_solver_trees = {
    .name = "trees",
    .summary = "every collective but all-to-all, of any number of blocks on any graph, along trees in time; search, no "
               "promise",
    .source = "gossipfab, docs/theory/collective-trees.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) |
                   GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE) | GFAB_MAKES(GFAB_BARRIER),
    .only = GFAB_ONLY_ALL_PORTS | GFAB_ONLY_STORED,
    .work = {.ns = 60000, .nodes = 1, .blocks = 1},
    .improve = improve,
};
