/* SPDX-License-Identifier: MIT */
/* One port: a long vector along one spanning tree of few edges a node, each edge in rounds of its own of a period. The
 * colours of the edges are bettered by threshold accepting. docs/theory/long-vectors/one-tree.md. */
#include "../collectives.h"
#include "base/random.h"
#include "port_tree.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

#define MAX_NODES 1024u
/* Periods that are tried from the least one on for which there is a tree, trees for each, exchanges of colours for each
 * of these and within that many looks at a node. */
#define PERIODS 8u
#define TREES 8u
#define TRIES 1000u
#define WORK ((uint64_t)1 << 19)
#define REPORT_TRIES 256u

typedef struct job {
    const gfab_solver_options *options;
    const gfab_topology *topology;
    gfab_goal goal;
    gfab_port_tree tree;
    uint32_t root;        /* of a broadcast or reduce, or a node in the middle */
    uint64_t least, best; /* rounds of all blocks, at least and so far; UINT64_MAX: none yet */
    uint32_t period;      /* of the best */
    gfab_group_move *moves;
    size_t count;
} job;

static uint64_t rounds_of(const job *j, uint32_t one_block)
{
    return (uint64_t)(j->goal.blocks - 1) * j->tree.period + one_block;
}

/* The last round weighs most. *rounds gets it. */
static uint64_t weigh(job *j, uint32_t *rounds)
{
    uint64_t sum;
    *rounds = gfab_port_tree_rounds(&j->tree, &sum);
    const uint64_t all = rounds_of(j, *rounds);
    if (all < j->best) {
        j->best = all;
        j->period = j->tree.period;
        j->count = gfab_port_tree_moves(&j->tree, j->moves);
    }
    return (uint64_t)4 * j->tree.nodes * *rounds + sum;
}

/* A try: another round to begin with, another root, or two colours that change places; taken back where it makes blocks
 * end later by more than the limit. Returns what the tree weighs then. */
static uint64_t attempt(job *j, uint64_t before, uint64_t limit)
{
    gfab_port_tree *t = &j->tree;
    const uint32_t kind = gfab_random_below(&t->random, 8), node = gfab_random_below(&t->random, t->nodes);
    const uint32_t a = gfab_random_below(&t->random, t->period), shift = t->shift, root = t->root;
    const uint32_t b = (a + 1 + gfab_random_below(&t->random, t->period - 1)) % t->period;
    const bool moves = kind == 1 && t->up && t->down;
    uint32_t rounds;
    if (kind == 0)
        t->shift = a;
    else if (moves)
        gfab_port_tree_hang(t, gfab_port_tree_other(t, t->at[(size_t)root * t->most + node % t->degree[root]], root));
    else
        gfab_port_tree_swap(t, node, a, b);
    const uint64_t after = weigh(j, &rounds);
    if (after <= before + limit)
        return after;
    t->shift = shift;
    if (moves)
        gfab_port_tree_hang(t, root);
    else if (kind != 0)
        gfab_port_tree_swap(t, node, a, b);
    return before;
}

static gfab_status anneal(job *j)
{
    gfab_port_tree *t = &j->tree;
    const uint64_t effort = j->options->effort ? j->options->effort : 1;
    const uint64_t tries = (t->nodes < WORK / TRIES ? TRIES : WORK / t->nodes) * effort;
    uint32_t rounds;
    uint64_t now = weigh(j, &rounds);
    for (uint64_t i = 0; i < tries && t->period > 1 && j->best > j->least; i++) {
        const uint64_t limit = (uint64_t)4 * t->nodes * t->period * (tries - i) / tries;
        if (i % REPORT_TRIES == 0)
            GFAB_TRY(gfab_solver_report(j->options, "tries", i, tries));
        now = attempt(j, now, (gfab_random(&t->random) >> 40) * limit >> 24);
    }
    return GFAB_OK;
}

/* Hangs the tree at the middle of its longest way. */
static void centre(gfab_port_tree *t)
{
    uint32_t length = 0, v;
    gfab_port_tree_hang(t, 0);
    gfab_port_tree_hang(t, t->order[t->nodes - 1]);
    for (v = t->order[t->nodes - 1]; v != t->root; v = gfab_port_tree_other(t, t->parent[v], v))
        length++;
    v = t->order[t->nodes - 1];
    for (uint32_t i = 0; i < length / 2; i++)
        v = gfab_port_tree_other(t, t->parent[v], v);
    gfab_port_tree_hang(t, v);
}

/* Trees that fit in the period. *made: is there one? */
static gfab_status try_period(job *j, uint32_t period, bool *made)
{
    gfab_port_tree *t = &j->tree;
    *made = false;
    for (uint32_t i = 0; i < TREES && j->best > j->least; i++) {
        const uint32_t start = i == 0 ? j->root : gfab_random_below(&t->random, t->nodes);
        if (!gfab_port_tree_grow(t, start, period / t->slots))
            break;
        *made = true;
        centre(t);
        if (!t->up || !t->down)
            gfab_port_tree_hang(t, j->root);
        gfab_port_tree_paint(t, period);
        GFAB_TRY(anneal(j));
    }
    return GFAB_OK;
}

static gfab_status search(job *j)
{
    gfab_port_tree *t = &j->tree;
    const uint32_t longest = t->most * t->slots;
    uint32_t first = 0;
    for (uint32_t period = t->slots; period <= longest && j->best > j->least; period++) {
        if ((first && period >= first + PERIODS) || (uint64_t)(j->goal.blocks - 1) * period >= j->best)
            break;
        bool made;
        GFAB_TRY(try_period(j, period, &made));
        first = made && !first ? period : first;
    }
    return GFAB_OK;
}

/* A node from which no other one is farther than need be, or where a broadcast or a reduce has its root. */
static uint32_t find_root(job *j)
{
    uint32_t best = 0, least = UINT32_MAX;
    if (gfab_collective_has_root(j->goal.collective))
        return j->goal.root;
    for (uint32_t v = 0; v < j->tree.nodes; v++) {
        gfab_topology_distances(j->topology, v, j->tree.rise, j->tree.order);
        const uint32_t far = j->tree.rise[j->tree.order[j->tree.nodes - 1]];
        best = far < least ? v : best;
        least = far < least ? far : least;
    }
    return best;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    job j = {.options = options, .topology = topology, .goal = gfab_schedule_goal(schedule), .best = UINT64_MAX};
    gfab_bound least = {.rounds = 0};
    GFAB_TRY(gfab_bound_goal_best(topology, model, &j.goal, options->progress, &least));
    j.least = least.rounds;
    j.moves = malloc(2 * gfab_topology_node_count(topology) * sizeof *j.moves);
    gfab_status status = gfab_port_tree_create(topology, model, j.goal.collective, options->seed, &j.tree);
    if (!j.moves)
        status = GFAB_ERR_NO_MEMORY;
    if (status == GFAB_OK) {
        j.root = find_root(&j);
        status = search(&j);
    }
    if (status == GFAB_OK && j.best > GFAB_MAX_ROUNDS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_ROUNDS);
    GFAB_THEN(status, gfab_group_moves_append(j.moves, j.count, j.period, 1, schedule));
    gfab_port_tree_release(&j.tree);
    free(j.moves);
    return status;
}

GFAB_SOLVE(solve, one_tree, build)

const gfab_solver gfab_solver_one_tree = {
    .name = "one-tree",
    .summary = "one port: an all-reduce, a broadcast or a reduce of many blocks along one tree of few edges a node; it "
               "repeats",
    .source = "gossipfab, docs/theory/long-vectors/one-tree.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .only = GFAB_ONLY_ONE_PORT | GFAB_ONLY_STORED,
    .most_nodes = MAX_NODES,
};
