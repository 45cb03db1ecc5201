/* SPDX-License-Identifier: MIT */
/* Collectives of long vectors along rings, Hamiltonian cycles that share no arc: in every step a node passes on what it
 * got in the step before, and every arc of every ring carries a block. With R rings a group has R blocks of every node,
 * one for each ring, and repeats when they have gone round. A block goes from its owner, N - 1 arcs; in a
 * reduce-scatter to it; in an all-reduce to it and from it; from the root or to it in a broadcast or a reduce. Where
 * hops take several rounds as many blocks follow each other, so that arcs never wait. Where no number of blocks is
 * asked for, gossip cuts each node's one in as many parts. The way of a block along one ring is Patarasuk & Yuan's
 * (2009), and older; which rings, in rings_find.c. docs/theory/rings.md. */
#include "solvers/solvers.h"

#include <gossipfab/topology/rings.h>
#include <stdlib.h>

#define MAX_MOVES ((uint64_t)1 << 25) /* of a group */

typedef struct job {
    const gfab_solver_options *options;
    gfab_schedule *schedule;
    gfab_collective collective;
    gfab_rings rings;
    gfab_arc *arc;   /* [ring * nodes + i]: to its i-th node from the one before */
    uint32_t *root;  /* [ring]: where the root stands on it */
    uint32_t places; /* where blocks begin or end on a ring: one for a root, else all */
    uint32_t turns;  /* blocks that a place has for each ring, a round after each other */
    uint32_t steps;  /* arcs that a block goes, */
    uint32_t sums;   /* of which these first ones carry sums on the way to where they end */
    uint32_t hop;
    uint32_t group; /* blocks */
    uint32_t each;  /* of one owner; of all where no block has one */
    bool owned;
} job;

/* ---- what moves ---- */

/* The block that begins or ends at a place of a ring, and has this turn there; UINT32_MAX where there are not so many.
 * They are numbered so that a vector that ends within a group uses all rings alike. */
static uint32_t block_at(const job *j, uint32_t turn, uint32_t ring, uint32_t place, uint32_t node)
{
    const uint32_t before = j->owned ? turn : turn * j->places + place;
    const uint64_t block = (uint64_t)before * j->rings.count + ring;
    return block >= j->each ? UINT32_MAX : (uint32_t)block + (j->owned ? node * j->each : 0);
}

/* All moves of a step along a ring. What begins at place p is at place p + s after s arcs; a sum that ends there has
 * begun at place p + 1. */
static gfab_status append_step(const job *j, uint32_t step, uint32_t turn, uint32_t ring)
{
    const uint32_t nodes = j->rings.nodes, *node = j->rings.node + (size_t)ring * nodes;
    const bool combines = step < j->sums;
    const uint32_t gone = combines ? step + 1 : step - j->sums;
    for (uint32_t i = 0; i < j->places; i++) {
        const uint32_t place = j->root[ring] + i, at = place < nodes ? place : place - nodes;
        const uint32_t block = block_at(j, turn, ring, i, node[at]);
        const gfab_arc arc = j->arc[(size_t)ring * nodes + (at + gone + 1) % nodes];
        if (block != UINT32_MAX)
            GFAB_TRY(gfab_schedule_append(j->schedule, 1 + step * j->hop + turn, arc,
                                          block | (combines ? GFAB_COMBINE : 0)));
    }
    return GFAB_OK;
}

static gfab_status append_group(const job *j)
{
    for (uint32_t step = 0; step < j->steps; step++) {
        GFAB_TRY(gfab_solver_report(j->options, "steps", step, j->steps));
        for (uint32_t turn = 0; turn < j->turns; turn++)
            for (uint32_t ring = 0; ring < j->rings.count; ring++)
                GFAB_TRY(append_step(j, step, turn, ring));
    }
    return GFAB_OK;
}

/* ---- rings ---- */

static gfab_status place_rings(job *j, const gfab_topology *topology, bool rooted)
{
    const uint32_t nodes = j->rings.nodes, root = gfab_schedule_goal(j->schedule).root;
    j->arc = malloc((size_t)j->rings.count * nodes * sizeof *j->arc);
    j->root = calloc(j->rings.count, sizeof *j->root);
    GFAB_NEED(j->arc && j->root);
    for (uint32_t ring = 0; ring < j->rings.count; ring++) {
        const uint32_t *node = j->rings.node + (size_t)ring * nodes;
        for (uint32_t i = 0; i < nodes; i++) {
            if (rooted && node[i] == root)
                j->root[ring] = i;
            if (!gfab_topology_find_arc(topology, node[i ? i - 1 : nodes - 1], node[i],
                                        &j->arc[(size_t)ring * nodes + i]))
                return GFAB_ERR_FAULT;
        }
    }
    return GFAB_OK;
}

/* Is a group too large? */
static gfab_status check_moves(uint64_t group, uint64_t steps, gfab_diag *diag)
{
    if (group * steps <= MAX_MOVES)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a group of %llu blocks makes %llu moves; at most %llu are supported",
                     (unsigned long long)group, (unsigned long long)(group * steps), (unsigned long long)MAX_MOVES);
}

/* The group, and how often it repeats: when all arcs are free again, which for a root is in the next round. */
static gfab_status set_group(job *j, bool rooted, gfab_diag *diag)
{
    const uint32_t nodes = j->rings.nodes;
    const gfab_goal goal = gfab_schedule_goal(j->schedule);
    const bool combines = gfab_collective_combines(j->collective);
    j->owned = j->collective == GFAB_ALL_GATHER || j->collective == GFAB_REDUCE_SCATTER;
    j->places = rooted ? 1 : nodes;
    j->turns = rooted ? 1 : j->hop;
    j->sums = combines ? nodes - 1 : 0;
    j->steps = j->collective == GFAB_ALL_REDUCE ? 2 * (nodes - 1) : nodes - 1;
    const uint64_t group = (uint64_t)j->rings.count * j->places * j->turns;
    GFAB_TRY(check_moves(group, j->steps, diag));
    const bool cut = !j->options->goal;
    j->group = cut || group < goal.blocks ? (uint32_t)group : goal.blocks;
    j->each = j->owned ? j->group / nodes : j->group;
    if (cut)
        return gfab_schedule_set_load(j->schedule, NULL, j->each);
    if (goal.blocks == j->group)
        return GFAB_OK;
    return gfab_schedule_set_period(j->schedule, rooted ? 1 : j->hop * j->steps, j->group);
}

/* ---- the solver ---- */

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_collective collective = gfab_schedule_goal(schedule).collective;
    const bool rooted = gfab_collective_has_root(collective);
    const gfab_rings_options how = {.one_way = model->link_mode == GFAB_LINK_HALF,
                                    .seed = options->seed,
                                    .effort = options->effort,
                                    .progress = options->progress};
    job j = {.options = options, .schedule = schedule, .collective = collective, .hop = model->hop_rounds};
    const uint64_t nodes = gfab_topology_node_count(topology);
    gfab_status status = check_moves(rooted ? 1 : nodes, nodes - 1, diag); /* of one ring, at least */
    GFAB_THEN(status, gfab_rings_find(topology, &how, &j.rings, diag));
    GFAB_THEN(status, place_rings(&j, topology, rooted));
    GFAB_THEN(status, set_group(&j, rooted, diag));
    GFAB_THEN(status, append_group(&j));
    gfab_rings_release(&j.rings);
    GFAB_FREE(j.arc, j.root);
    return status;
}

GFAB_SOLVE(solve, rings, build)

const gfab_solver gfab_solver_rings = {
    .name = "rings",
    .summary = "long vectors along Hamiltonian cycles that share no arc: all-gather, reduce-scatter and all-reduce at "
               "the bound on tori of sides 3 and up, hypercubes of even dimension, complete graphs (all ports, p = 1)",
    .source = "Kotzig 1973; Aubert & Schneider 1982; Walecki (Lucas 1892); gossipfab, docs/theory/rings.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) |
                   GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .only = GFAB_ONLY_ALL_PORTS | GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
};
