/* SPDX-License-Identifier: MIT */
/* All-reduces of long vectors, on any graph: spanning trees that share the links evenly, each used both ways, in a
 * schedule that repeats. docs/theory/long-vectors/tree-packing.md. */
#include "../collectives.h"
#include "forest.h"
#include "pipeline.h"
#include "rate/strength.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

#define NONE GFAB_FOREST_NONE
#define MAX_NODES 4096u
/* Of a packing. */
#define MAX_SHARES 256u
#define MAX_CELLS ((uint64_t)1 << 18)
/* So small a packing is tried even if it is no better in the long run. */
#define SMALL_CELLS ((uint64_t)1 << 10)
/* Groups of symmetries; trees that each come with all their images, of the largest group. */
#define MAX_GROUPS 8u
#define MAX_BASES 4u
#define SMALLER_BASES 3u
#define MAX_SHAPES (MAX_SHARES + MAX_GROUPS * MAX_BASES)
/* Trees with their images are made several times, with other choices: so many cells in all, and within this. */
#define SEED_CELLS ((uint64_t)1 << 10)
#define MAX_SEEDS 6u
/* The first tries are this part of all; the others follow where the rounds are this part above the best, or less. */
#define FIRST_PART 8u
#define NEAR_PART 64u
/* Exchanges of edges for each cell, exchanges of rounds for each cell and within these. */
#define FLATTEN_TRIES 60u
#define ANNEAL_TRIES 100u
#define MIN_ANNEAL_TRIES ((uint64_t)1 << 14)
#define MAX_ANNEAL_TRIES ((uint64_t)1 << 19)
/* Where --effort is not given: an end once the rounds are no more than these parts of the bound and of the nodes above
 * the bound, or once all tries have looked at so many nodes, times the square of the graph's and within the other:
 * seconds. */
#define GOOD_PART 128u
#define GOOD_NODES 4u
#define WORK ((uint64_t)1 << 15)
#define MAX_WORK ((uint64_t)1 << 28)
#define WORK_A_MS ((uint64_t)1 << 16)

/* So many trees, each with its images, on so many rounds. */
typedef struct shape {
    const gfab_images *images;
    uint32_t share, trees;
    uint32_t times;  /* made so often */
    uint64_t rounds; /* at best, so far; UINT64_MAX: not made, or not possible */
    uint64_t hope;   /* rounds if a group takes a period */
} shape;

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    uint32_t nodes, links, blocks;
    gfab_parts strength;            /* the trees that fit: crossing / 2 / (count - 1) */
    gfab_images groups[MAX_GROUPS]; /* the largest first; the last has one symmetry */
    uint32_t group_count;
    shape shapes[MAX_SHAPES];
    uint32_t shape_count;
    uint64_t least; /* the bound */
    uint64_t best;  /* rounds; 0: none yet */
    uint64_t work, most_work;
    gfab_pipeline pipeline;
    gfab_forest forest;
} job;

/* ---- trees ---- */

/* How often the trees may have an edge of each class, where the images of all are in no more rounds than `share` times
 * a link's weight. NULL: no memory. */
static uint32_t *find_room(const gfab_images *images, uint32_t share)
{
    uint32_t *room = malloc(images->link_classes * sizeof *room);
    for (uint32_t c = 0; c < images->link_classes && room; c++) {
        const uint64_t weight = gfab_topology_weight(images->topology, images->list[images->from[c]]);
        room[c] = (uint32_t)(share * weight * (images->from[c + 1] - images->from[c]) / images->count);
    }
    return room;
}

/* Trees of `share` rounds in each of which a link could be in as many trees as its weight. *made is false where so many
 * do not fit, which where each tree is alone cannot be: strength says that they fit. */
static gfab_status make_trees(job *j, const gfab_images *images, uint32_t share, uint32_t trees, uint64_t seed,
                              bool *made)
{
    GFAB_FREED uint32_t *room = find_room(images, share);
    gfab_forest *f = &j->forest;
    gfab_status status = room ? gfab_forest_create(images, trees, room, seed, f) : GFAB_ERR_NO_MEMORY;
    *made = false;
    if (status != GFAB_OK)
        return status;
    gfab_forest_grow(f);
    for (uint32_t tree = 0; tree < trees; tree++)
        gfab_forest_hang(f, tree);
    while (f->missing && status == GFAB_OK) {
        if (!gfab_forest_augment(f))
            return images->count > 1 ? GFAB_OK : GFAB_ERR_FAULT;
        status = gfab_solver_report(j->options, "edges", (uint64_t)trees * (j->nodes - 1) - f->missing,
                                    (uint64_t)trees * (j->nodes - 1));
    }
    gfab_forest_centre(f);
    for (uint32_t i = 0; i < FLATTEN_TRIES && (i == 0 || j->work < j->most_work) && status == GFAB_OK; i++) {
        gfab_forest_flatten(f, (uint64_t)trees * j->nodes);
        j->work += (uint64_t)trees * j->nodes * j->nodes / 4;
        status = gfab_solver_report(j->options, "exchanges", i, FLATTEN_TRIES);
    }
    gfab_forest_centre(f);
    gfab_forest_prune(f);
    *made = true;
    return status;
}

/* ---- one packing ---- */

/* Rounds for its moves, and a part of the tries. */
static gfab_status begin(job *j, uint32_t early, uint64_t tries, uint64_t *rounds)
{
    gfab_pipeline_run(&j->pipeline, early);
    GFAB_TRY(gfab_pipeline_anneal(&j->pipeline, j->blocks, tries / FIRST_PART, j->options->progress));
    j->work += tries / FIRST_PART * j->nodes;
    return gfab_pipeline_rounds(&j->pipeline, j->blocks, rounds);
}

/* Where the last group is not whole its blocks go before all others, or they do not: as is better. Most of the tries
 * are made only where they are asked for, and the first of them lead near the best so far. */
static gfab_status pipeline(job *j, uint64_t tries, bool all, uint64_t *rounds)
{
    gfab_pipeline *p = &j->pipeline;
    const uint32_t rest = gfab_pipeline_rest(p, j->blocks);
    gfab_status status = begin(j, 0, tries, rounds);
    if (status == GFAB_OK && *rounds > j->least && rest < p->trees) {
        const uint64_t plain = *rounds;
        uint32_t *saved = gfab_pipeline_save(p);
        status = saved ? begin(j, rest, tries, rounds) : GFAB_ERR_NO_MEMORY;
        if (status == GFAB_OK && plain <= *rounds) {
            gfab_pipeline_restore(p, saved);
            *rounds = plain;
        }
        free(saved);
    }
    if (status != GFAB_OK || !all || *rounds <= j->least || (j->best && *rounds > j->best + j->best / NEAR_PART))
        return status;
    j->work += tries * j->nodes;
    status = gfab_pipeline_anneal(p, j->blocks, tries, j->options->progress);
    return status == GFAB_OK ? gfab_pipeline_rounds(p, j->blocks, rounds) : status;
}

/* One packing; it is kept if its schedule is the shortest so far. *made is false where so many trees do not fit. */
static gfab_status attempt(job *j, shape *s, bool all, bool *made)
{
    const bool half = j->model->link_mode == GFAB_LINK_HALF;
    const gfab_forest old_forest = j->forest;
    const gfab_pipeline old_pipeline = j->pipeline;
    const uint64_t seed = j->options->seed + s->times++;
    uint64_t tries = (uint64_t)s->trees * j->nodes * ANNEAL_TRIES, rounds = UINT64_MAX;
    tries = tries < MAX_ANNEAL_TRIES ? tries : MAX_ANNEAL_TRIES;
    tries = tries > MIN_ANNEAL_TRIES ? tries : MIN_ANNEAL_TRIES;
    j->forest = (gfab_forest){0};
    j->pipeline = (gfab_pipeline){0};
    gfab_status status = make_trees(j, s->images, s->share, s->trees, seed, made);
    if (status == GFAB_OK && *made)
        status = gfab_pipeline_create(s->images, j->model, s->trees, half ? 2 * s->share : s->share, j->forest.up,
                                      &j->pipeline);
    j->pipeline.random = seed;
    if (status == GFAB_OK && *made)
        status = pipeline(j, tries * (j->options->effort ? j->options->effort : 1), all, &rounds);
    GFAB_AT_END(gfab_forest_release) gfab_forest worse_forest = old_forest;
    GFAB_AT_END(gfab_pipeline_release) gfab_pipeline worse_pipeline = old_pipeline;
    if (!*made || (j->best && (status != GFAB_OK || rounds >= j->best))) {
        worse_forest = j->forest;
        worse_pipeline = j->pipeline;
        j->forest = old_forest;
        j->pipeline = old_pipeline;
    } else {
        j->best = rounds;
    }
    s->rounds = rounds < s->rounds ? rounds : s->rounds;
    return status;
}

/* ---- searching ---- */

static void add_shape(job *j, const gfab_images *images, uint64_t share, uint64_t trees)
{
    const uint64_t period = j->model->link_mode == GFAB_LINK_HALF ? 2 * share : share, group = trees * images->count;
    if (j->shape_count < MAX_SHAPES)
        j->shapes[j->shape_count++] = (shape){.images = images,
                                              .share = (uint32_t)share,
                                              .trees = (uint32_t)trees,
                                              .rounds = UINT64_MAX,
                                              .hope = (j->blocks + group) * period / group};
}

static int compare_shapes(const void *a, const void *b)
{
    const shape *x = a, *y = b;
    if (x->hope != y->hope)
        return x->hope < y->hope ? -1 : 1;
    return x->trees < y->trees ? -1 : x->trees > y->trees;
}

/* A few trees, each with all its images. Smaller groups of symmetries are for where a group of blocks is not whole: the
 * last. */
static void list_images(job *j, const gfab_images *images)
{
    const uint64_t count = images->count, step = (j->groups[0].count + count - 1) / count;
    const uint64_t bases = images == j->groups ? MAX_BASES : SMALLER_BASES;
    for (uint64_t trees = step; trees <= bases * step; trees += step) {
        if (trees > step && (trees * count > j->blocks || trees * j->nodes > MAX_CELLS))
            break;
        add_shape(j, images,
                  (2 * trees * count * (j->strength.count - 1) + j->strength.crossing - 1) / j->strength.crossing,
                  trees);
    }
}

/* Of trees for themselves more and more, none of a lower rate than one before: short periods are quick to fill, long
 * ones come nearer to the strength. Those of which most can be hoped come first. */
static void list_alone(job *j)
{
    const uint32_t first = j->shape_count;
    uint64_t best_trees = 0, best_share = 1;
    for (uint64_t share = 1; share <= MAX_SHARES; share++) {
        const uint64_t trees = share * j->strength.crossing / 2 / (j->strength.count - 1);
        const bool small = trees * j->nodes <= SMALL_CELLS;
        if (trees * best_share < best_trees * share + !small)
            continue;
        if (share > 1 && (trees * j->nodes > MAX_CELLS || trees / 4 > j->blocks))
            break;
        add_shape(j, &j->groups[j->group_count - 1], share, trees);
        best_share = share;
        best_trees = trees;
    }
    qsort(j->shapes + first, j->shape_count - first, sizeof *j->shapes, compare_shapes);
}

/* Trees with their images that in the long run take more rounds than the first of the trees for themselves go behind
 * all these, which begin at first. */
static void put_back(job *j, uint32_t first)
{
    shape late[MAX_GROUPS * MAX_BASES];
    uint32_t early_count = 0, late_count = 0;
    const shape alone = j->shapes[first];
    for (uint32_t i = 0; i < j->shape_count; i++) {
        const shape s = j->shapes[i];
        const uint64_t group = (uint64_t)s.trees * s.images->count;
        if (i < first && s.share * (uint64_t)alone.trees > alone.share * group)
            late[late_count++] = s;
        else
            j->shapes[early_count++] = s;
    }
    for (uint32_t i = 0; i < late_count; i++)
        j->shapes[early_count + i] = late[i];
}

/* Could so many blocks in every so many rounds be shorter than what there is? */
static bool may_help(const job *j, const shape *s)
{
    const uint64_t period = j->model->link_mode == GFAB_LINK_HALF ? 2 * (uint64_t)s->share : s->share;
    return !j->best || j->blocks * period / ((uint64_t)s->trees * s->images->count) < j->best;
}

static bool is_done(const job *j)
{
    if (!j->best || j->best <= j->least)
        return j->best > 0;
    const uint64_t part = j->least / GOOD_PART, few = j->nodes / GOOD_NODES;
    return j->work >= j->most_work || (!j->options->effort && j->best <= j->least + (part < few ? part : few));
}

/* The one that came out best, where one that was made often counts as worse. */
static shape *choose(job *j)
{
    shape *best = NULL;
    for (uint32_t i = 0; i < j->shape_count; i++) {
        shape *s = &j->shapes[i];
        const uint64_t part = 1 + j->best / (4 * NEAR_PART);
        if (s->rounds != UINT64_MAX && may_help(j, s) &&
            (!best || s->rounds + s->times * part < best->rounds + best->times * part))
            best = s;
    }
    return best;
}

/* A candidate for the first time; trees with their images, which are few, several times. Where these do not fit on as
 * few rounds as strength allows they may on one more. */
static gfab_status try_first(job *j, shape *s)
{
    const bool alone = s->images->count == 1;
    const uint64_t seeds = alone ? 1 : SEED_CELLS / ((uint64_t)s->trees * j->nodes);
    for (uint64_t i = 0; i <= seeds && i < MAX_SEEDS && may_help(j, s) && !is_done(j); i++) {
        bool made;
        GFAB_TRY(attempt(j, s, !alone, &made));
        if (made)
            continue;
        s->share++;
        i = 0;
        if (s->times > 1)
            break;
    }
    return GFAB_OK;
}

/* All candidates, then the best of them again. */
static gfab_status search(job *j)
{
    for (uint32_t i = 0; i + 1 < j->group_count; i++)
        list_images(j, &j->groups[i]);
    const uint32_t images = j->shape_count;
    list_alone(j);
    put_back(j, images);
    for (uint32_t i = 0; i < j->shape_count && !is_done(j); i++)
        GFAB_TRY(try_first(j, &j->shapes[i]));
    for (shape *s = NULL; !is_done(j) && (s = choose(j));) {
        bool made;
        GFAB_TRY(attempt(j, s, true, &made));
    }
    return GFAB_OK;
}

/* ---- the solver ---- */

static gfab_status find_strength(job *j)
{
    GFAB_FREED gfab_edge *edges = malloc(j->links * sizeof *edges);
    GFAB_NEED(edges && j->strength.part);
    for (uint32_t l = 0; l < j->links && edges; l++) {
        const gfab_link link = gfab_topology_link(j->topology, l);
        const uint32_t weight = gfab_topology_weight(j->topology, l);
        edges[l] = (gfab_edge){{link.node[0], link.node[1]}, {weight, weight}};
    }
    return gfab_strength(j->nodes, j->nodes, edges, j->links, j->options->progress, &j->strength);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .links = (uint32_t)gfab_topology_link_count(topology),
             .blocks = goal.blocks};
    j.strength.part = malloc(j.nodes * sizeof *j.strength.part);
    gfab_bound bound = {.rounds = 0};
    gfab_status status = find_strength(&j);
    GFAB_THEN(status, gfab_bound_goal_best(topology, model, &goal, options->progress, &bound));
    j.least = bound.rounds;
    j.most_work = WORK * j.nodes * j.nodes;
    j.most_work = (j.most_work < MAX_WORK ? j.most_work : MAX_WORK) * (options->effort ? options->effort : 1);
    if (options->most_ms && options->most_ms * WORK_A_MS < j.most_work)
        j.most_work = options->most_ms * WORK_A_MS;
    const bool full = model->link_mode == GFAB_LINK_FULL;
    for (uint32_t most = j.nodes; most > 0 && status == GFAB_OK; most = j.groups[j.group_count++].count - 1) {
        if (j.group_count + 1 == MAX_GROUPS)
            most = 1;
        status = gfab_images_create(topology, full, most, &j.groups[j.group_count]);
    }
    GFAB_THEN(status, search(&j));
    if (status == GFAB_OK && j.best > GFAB_MAX_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_ROUNDS);
    GFAB_THEN(status, gfab_pipeline_emit(&j.pipeline, true, schedule));
    free(j.strength.part);
    gfab_pipeline_release(&j.pipeline);
    gfab_forest_release(&j.forest);
    for (uint32_t i = 0; i < j.group_count; i++)
        gfab_images_release(&j.groups[i]);
    return status;
}

GFAB_SOLVE(solve, packing, build)

const gfab_solver gfab_solver_packing = {
    .name = "packing",
    .summary = "an all-reduce of a long vector on any graph: spanning trees that share the links, at the best rate "
               "there is; it repeats",
    .source = "gossipfab, docs/theory/long-vectors/tree-packing.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE),
    .repeats = true,
    .knows = GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS,
    .only = GFAB_ONLY_ALL_PORTS | GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
    .most_nodes = MAX_NODES,
    .long_from = 4,
};
