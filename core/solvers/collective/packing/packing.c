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
/* Small packings are made several times, with other choices: so many cells in all, and within this. */
#define SEED_CELLS ((uint64_t)1 << 10)
#define MAX_SEEDS 16u
/* The first tries are this part of all; the others follow where the rounds are this part above the best, or less. */
#define FIRST_PART 8u
#define NEAR_PART 64u
/* Exchanges of edges for each cell, exchanges of rounds for each cell and within this, where --effort is not given. */
#define FLATTEN_TRIES 60u
#define ANNEAL_TRIES 100u
#define MAX_ANNEAL_TRIES ((uint64_t)1 << 19)

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    uint32_t nodes, links, blocks;
    gfab_parts strength; /* the trees that fit: crossing / (count - 1) */
    uint64_t least;      /* the bound */
    uint64_t best;       /* rounds; 0: none yet */
    gfab_pipeline pipeline;
    gfab_forest forest;
} job;

/* ---- trees ---- */

/* Trees of `share` rounds in each of which a link could be in as many trees as its weight. */
static gfab_status make_trees(job *j, uint32_t share, uint32_t trees, uint64_t seed)
{
    uint32_t *room = malloc(j->links * sizeof *room);
    gfab_forest *f = &j->forest;
    gfab_status status = room ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t l = 0; l < j->links && room; l++)
        room[l] = share * gfab_topology_weight(j->topology, l);
    if (status == GFAB_OK)
        status = gfab_forest_create(j->topology, trees, room, seed, f);
    free(room);
    if (status != GFAB_OK)
        return status;
    gfab_forest_grow(f);
    for (uint32_t tree = 0; tree < trees; tree++)
        gfab_forest_hang(f, tree);
    while (f->missing && status == GFAB_OK) {
        if (!gfab_forest_augment(f))
            return GFAB_ERR_FAULT; /* strength says that they fit */
        status = gfab_solver_report(j->options, "edges", (uint64_t)trees * (j->nodes - 1) - f->missing,
                                    (uint64_t)trees * (j->nodes - 1));
    }
    gfab_forest_centre(f);
    for (uint32_t i = 0; i < FLATTEN_TRIES && status == GFAB_OK; i++) {
        gfab_forest_flatten(f, (uint64_t)trees * j->nodes);
        status = gfab_solver_report(j->options, "exchanges", i, FLATTEN_TRIES);
    }
    gfab_forest_centre(f);
    gfab_forest_prune(f);
    return status;
}

/* ---- searching ---- */

/* Rounds for its moves. Most of the tries are made only where the first of them lead near the best so far. */
static gfab_status pipeline(job *j, uint64_t tries, uint64_t *rounds)
{
    gfab_pipeline *p = &j->pipeline;
    gfab_pipeline_run(p);
    gfab_status status = gfab_pipeline_anneal(p, j->blocks, tries / FIRST_PART, j->options->progress);
    if (status == GFAB_OK)
        status = gfab_pipeline_rounds(p, j->blocks, rounds);
    if (status != GFAB_OK || *rounds <= j->least || (j->best && *rounds > j->best + j->best / NEAR_PART))
        return status;
    status = gfab_pipeline_anneal(p, j->blocks, tries, j->options->progress);
    return status == GFAB_OK ? gfab_pipeline_rounds(p, j->blocks, rounds) : status;
}

/* One packing; it is kept if its schedule is the shortest so far. */
static gfab_status attempt(job *j, uint32_t share, uint32_t trees, uint64_t seed)
{
    const bool half = j->model->link_mode == GFAB_LINK_HALF;
    const gfab_forest old_forest = j->forest;
    const gfab_pipeline old_pipeline = j->pipeline;
    uint64_t tries = (uint64_t)trees * j->nodes * ANNEAL_TRIES, rounds = 0;
    tries = tries < MAX_ANNEAL_TRIES ? tries : MAX_ANNEAL_TRIES;
    j->forest = (gfab_forest){0};
    j->pipeline = (gfab_pipeline){0};
    gfab_status status = make_trees(j, share, trees, seed);
    if (status == GFAB_OK)
        status = gfab_pipeline_create(j->topology, j->model, trees, half ? 2 * share : share, j->forest.up, seed,
                                      &j->pipeline);
    if (status == GFAB_OK)
        status = pipeline(j, tries * (j->options->effort ? j->options->effort : 1), &rounds);
    gfab_forest worse_forest = old_forest;
    gfab_pipeline worse_pipeline = old_pipeline;
    if (j->best && (status != GFAB_OK || rounds >= j->best)) {
        worse_forest = j->forest;
        worse_pipeline = j->pipeline;
        j->forest = old_forest;
        j->pipeline = old_pipeline;
    } else {
        j->best = rounds;
    }
    gfab_pipeline_release(&worse_pipeline);
    gfab_forest_release(&worse_forest);
    return status;
}

static uint64_t trees_on(const job *j, uint64_t share)
{
    return share * j->strength.crossing / (j->strength.count - 1);
}

/* Could so many blocks in every so many rounds be shorter than what there is? */
static bool may_help(const job *j, uint64_t share, uint64_t trees)
{
    const uint64_t period = j->model->link_mode == GFAB_LINK_HALF ? 2 * share : share;
    return !j->best || (j->best > j->least && j->blocks * period / trees < j->best);
}

/* Packings of more and more trees, none of a lower rate than one before, are candidates: short periods are quick to
 * fill, long ones come nearer to the strength. Those with most trees are made first. */
static gfab_status search(job *j)
{
    uint64_t shares[MAX_SHARES], count = 0, best_trees = 0, best_share = 1;
    gfab_status status = GFAB_OK;
    for (uint64_t share = 1; share <= MAX_SHARES; share++) {
        const uint64_t trees = trees_on(j, share);
        const bool small = trees * j->nodes <= SMALL_CELLS;
        if (trees * best_share < best_trees * share + !small)
            continue;
        if (share > 1 && (trees * j->nodes > MAX_CELLS || trees / 4 > j->blocks))
            break;
        shares[count++] = best_share = share;
        best_trees = trees;
    }
    while (count > 0 && status == GFAB_OK) {
        const uint64_t share = shares[--count], trees = trees_on(j, share);
        const uint64_t seeds = SEED_CELLS / (trees * j->nodes);
        for (uint64_t i = 0; i < (seeds > 1 ? seeds : 1) && i < MAX_SEEDS && status == GFAB_OK; i++)
            if (may_help(j, share, trees))
                status = attempt(j, (uint32_t)share, (uint32_t)trees, j->options->seed + i);
    }
    return status;
}

/* ---- the solver ---- */

static gfab_status find_strength(job *j)
{
    gfab_edge *edges = malloc(j->links * sizeof *edges);
    gfab_status status = edges && j->strength.part ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t l = 0; l < j->links && edges; l++) {
        const gfab_link link = gfab_topology_link(j->topology, l);
        edges[l] = (gfab_edge){{link.node[0], link.node[1]}, gfab_topology_weight(j->topology, l)};
    }
    if (status == GFAB_OK)
        status = gfab_strength(j->nodes, edges, j->links, j->options->progress, &j->strength);
    free(edges);
    return status;
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
    if (status == GFAB_OK)
        status = gfab_bound_goal_best(topology, model, &goal, options->progress, &bound);
    j.least = bound.rounds;
    if (status == GFAB_OK)
        status = search(&j);
    if (status == GFAB_OK && j.best > GFAB_MAX_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_ROUNDS);
    if (status == GFAB_OK)
        status = gfab_pipeline_emit(&j.pipeline, true, schedule);
    free(j.strength.part);
    gfab_pipeline_release(&j.pipeline);
    gfab_forest_release(&j.forest);
    return status;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const gfab_status status = gfab_solver_check_marks(topology, model, GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS, diag);
    if (status != GFAB_OK)
        return status;
    if (model->port_mode != GFAB_PORT_ALL || model->routing != GFAB_ROUTING_STORE_AND_FORWARD ||
        model->packet_tokens != 1)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "packing is for all ports, store-and-forward routing and 1 token a packet");
    if (gfab_topology_node_count(topology) > MAX_NODES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s has %zu nodes; packing takes at most %u",
                         gfab_topology_name(topology), gfab_topology_node_count(topology), MAX_NODES);
    return GFAB_OK;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_packing, build, topology, model, options, schedule, diag);
}

const gfab_solver gfab_solver_packing = {
    .name = "packing",
    .summary = "an all-reduce of a long vector on any graph: spanning trees that share the links, at the best rate "
               "there is; it repeats",
    .source = "gossipfab, docs/theory/long-vectors/tree-packing.md",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE),
    .repeats = true,
};
