/* SPDX-License-Identifier: MIT */
/* Broadcast and reduce of many blocks, full duplex: block b goes along arborescence b mod k, and enters it in round
 * floor(b / k) + 1. No two arborescences share an arc, so that no two blocks meet.
 * docs/theory/long-vectors/arborescences.md. */
#include "arborescence_packing.h"

#include "solvers/collective/group_moves.h"

#include "base/ascending.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

#define MAX_TREES 4096u
#define MAX_CELLS ((uint64_t)1 << 15) /* trees times nodes: seconds */
#define MAX_CUTS ((uint64_t)1 << 26)  /* nodes times arcs */
/* Of an annealing: steps for each cell, and on top of that. */
#define STEPS_A_CELL 200u
#define LEAST_STEPS 100000u
#define MOST_STEPS 2000000u
/* Annealings of a depth; numbers of trees that are tried. */
#define TRIES 2u
#define MAX_COUNTS 8u

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_goal goal;
    uint32_t root; /* the node */
    uint64_t random;
    gfab_arbor_graph graph;
    gfab_arbor_packing best;
    uint64_t rounds; /* by the best; UINT64_MAX: none yet */
} job;

/* ---- rounds ---- */

/* Blocks after the first group's enter later by a round each; the last way has `depth` arcs. */
static uint64_t count_rounds(const job *j, uint32_t count, uint32_t depth)
{
    return (j->goal.blocks - 1) / count + (uint64_t)(depth - 1) * j->model->hop_rounds + 1;
}

/* ---- trees ---- */

/* Keeps the packing if it is the best; else it is released. */
static void keep(job *j, gfab_arbor_packing *packing, uint64_t rounds)
{
    if (rounds < j->rounds) {
        gfab_arbor_packing_release(&j->best);
        j->best = *packing;
        j->rounds = rounds;
        *packing = (gfab_arbor_packing){0};
    }
    gfab_arbor_packing_release(packing);
}

/* From the least depth up until annealing gets there; the packing stays what it is where that is less deep. */
static gfab_status shorten(job *j, uint32_t least, gfab_arbor_packing *packing)
{
    const uint64_t cells = (uint64_t)packing->count * j->graph.nodes;
    const uint64_t own = STEPS_A_CELL * cells + LEAST_STEPS;
    const uint64_t steps = (own < MOST_STEPS ? own : MOST_STEPS) * (j->options->effort ? j->options->effort : 1);
    const uint32_t depth = gfab_arbor_depth(packing);
    GFAB_AT_END(gfab_arbor_packing_release) gfab_arbor_packing tried = {0};
    GFAB_TRY(gfab_arbor_packing_create(&j->graph, j->root, packing->count, &tried));
    bool reached = false;
    for (uint32_t wanted = least; wanted < depth && !reached; wanted += 1 + (wanted - least) / 4)
        for (uint32_t i = 0; i < TRIES && !reached; i++) {
            gfab_arbor_packing_copy(packing, &tried);
            GFAB_TRY(gfab_arbor_anneal(&tried, wanted, steps, &j->random, j->options, &reached));
        }
    if (reached)
        gfab_arbor_packing_copy(&tried, packing);
    return GFAB_OK;
}

/* So many trees, if they may take fewer rounds than the best so far. */
static gfab_status try_count(job *j, uint32_t count, bool *tried)
{
    uint32_t least;
    gfab_arbor_packing packing;
    gfab_status status = gfab_arbor_least_depth(&j->graph, j->root, count, &least);
    *tried = status == GFAB_OK && count_rounds(j, count, least) < j->rounds;
    if (!*tried)
        return status;
    status = gfab_arbor_packing_create(&j->graph, j->root, count, &packing);
    if (status == GFAB_OK && !gfab_arbor_mesh(j->topology, &packing))
        status = gfab_arbor_grow(&packing, &j->random, j->options);
    GFAB_THEN(status, shorten(j, least, &packing));
    if (status != GFAB_OK) {
        gfab_arbor_packing_release(&packing);
        return status;
    }
    keep(j, &packing, count_rounds(j, count, gfab_arbor_depth(&packing)));
    return GFAB_OK;
}

/* That there is time for. */
static uint32_t most_trees(const gfab_topology *topology)
{
    const uint64_t room = MAX_CELLS / gfab_topology_node_count(topology);
    return (uint32_t)(room < MAX_TREES ? room : MAX_TREES);
}

/* All trees that there are; for few blocks fewer, which need not be as deep. */
static gfab_status search(job *j)
{
    gfab_bound least;
    uint32_t most;
    GFAB_TRY(gfab_bound_goal_best(j->topology, j->model, &j->goal, j->options->progress, &least));
    GFAB_TRY(gfab_arbor_count(&j->graph, j->root, most_trees(j->topology), j->options, &most));
    uint32_t tries = 0;
    for (uint32_t count = most; count > 0 && tries < MAX_COUNTS; count--) {
        bool tried = false;
        if (count <= j->goal.blocks && j->rounds > least.rounds)
            GFAB_TRY(try_count(j, count, &tried));
        tries += tried;
    }
    return GFAB_OK;
}

/* ---- the schedule ---- */

/* The moves of the first group, its blocks by rising depth of their trees. A reduce is a broadcast backwards, each
 * tree's on its own. */
static void list_moves(const job *j, const uint64_t *order, gfab_group_move *moves)
{
    const gfab_arbor_packing *p = &j->best;
    const bool backwards = j->goal.collective == GFAB_REDUCE;
    size_t count = 0;
    for (uint32_t block = 0; block < p->count; block++) {
        const uint32_t tree = (uint32_t)order[block], deepest = (uint32_t)(order[block] >> 32);
        for (uint32_t v = 0; v < j->graph.nodes; v++) {
            const size_t cell = (size_t)tree * j->graph.nodes + v;
            if (v == j->root)
                continue;
            const uint32_t before = backwards ? deepest - p->depth[cell] : p->depth[cell] - 1;
            moves[count++] = (gfab_group_move){.round = 1 + before * j->model->hop_rounds,
                                               .token = block | (backwards ? GFAB_COMBINE : 0),
                                               .arc = j->graph.name[p->parent[cell]] ^ backwards};
        }
    }
}

static gfab_status emit(const job *j, gfab_schedule *schedule)
{
    const size_t count = (size_t)j->best.count * (j->graph.nodes - 1);
    GFAB_FREED gfab_group_move *moves = malloc(count * sizeof *moves);
    GFAB_FREED uint64_t *order = malloc(j->best.count * sizeof *order); /* depth, tree */
    GFAB_NEED(moves && order);
    for (uint32_t tree = 0; tree < j->best.count; tree++)
        order[tree] = (uint64_t)gfab_arbor_tree_depth(&j->best, tree) << 32 | tree;
    qsort(order, j->best.count, sizeof *order, gfab_ascending);
    list_moves(j, order, moves);
    return gfab_group_moves_append(moves, count, 1, j->best.count, schedule);
}

/* ---- the solver ---- */

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .goal = goal,
             .root = gfab_topology_member(topology, goal.root),
             .random = options->seed,
             .rounds = UINT64_MAX};
    gfab_status status =
        gfab_arbor_graph_create(topology, goal.collective == GFAB_REDUCE, most_trees(topology), &j.graph);
    if (status == GFAB_OK && (uint64_t)j.graph.nodes * j.graph.arcs > MAX_CUTS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u nodes with %u arcs; nodes times arcs may be at most %llu",
                           j.graph.nodes, j.graph.arcs, (unsigned long long)MAX_CUTS);
    GFAB_THEN(status, search(&j));
    if (status == GFAB_OK && j.rounds > GFAB_MAX_PLAYED_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_PLAYED_ROUNDS);
    GFAB_THEN(status, emit(&j, schedule));
    gfab_arbor_packing_release(&j.best);
    gfab_arbor_graph_release(&j.graph);
    return status;
}

GFAB_SOLVE(solve, arborescences, build)

const gfab_solver gfab_solver_arborescences = {
    .name = "arborescences",
    .summary = "broadcast and reduce of many blocks, full duplex, weighted and directed links too: as many "
               "arc-disjoint trees as the least cut has links, of little depth; the best rate there is",
    .source = "gossipfab, docs/theory/long-vectors/arborescences.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .knows = GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED,
    .only = GFAB_ONLY_FULL | GFAB_ONLY_ALL_PORTS | GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
};
