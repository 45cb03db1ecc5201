/* SPDX-License-Identifier: MIT */
/* One port: waves around one Hamiltonian cycle of even length. Its links are coloured by turns, and each colour is a
 * perfect matching: in odd rounds the links i, i + 1 of even i carry something, in even rounds those of odd i, so that
 * every node makes a call in every round. A message that goes on around the cycle finds its link open in each round: a
 * *wave*. A node whose link ahead is open when a phase of N - 1 rounds begins starts its wave ahead, the others start
 * theirs backwards; after N - 1 links a wave has told all nodes, and the next phase begins in the round after.
 *
 *   full duplex   N waves a phase, one from each node: K blocks a node take K (N - 1) rounds
 *   half duplex   N / 2 waves a phase, all one way: 2 K (N - 1) rounds
 *
 * A reduce-scatter is the same backwards in time, an all-reduce both. That is the count bound: in every round as many
 * blocks arrive as one port a node allows. A broadcast starts a wave at the root in every round, ahead and backwards by
 * turns (half duplex in every second one): B + N - 2 rounds. On cycle:4, full duplex, with one block a node, 0 and 1
 * exchange what they have in round 1, and so do 2 and 3; in round 2 0 and 3, and 1 and 2, exchange what they got; in
 * round 3 again 0 and 1, and 2 and 3. Ours; docs/theory/one-port.md. */
#include "solvers/solvers.h"

#include <gossipfab/topology/rings.h>
#include <stdlib.h>

typedef struct job {
    const gfab_solver_options *options;
    gfab_schedule *schedule;
    uint32_t nodes;
    uint32_t *node;          /* by place on the cycle; a root has place 0 */
    gfab_arc *ahead;         /* by place: to the next place; the other way its reverse */
    bool full, sums, shares; /* whether contributions are added up on the way to owners, and what owners have is told */
    uint32_t group;          /* blocks */
} job;

static bool open_ahead(uint32_t place, uint32_t round)
{
    return (place + round) % 2 == 1;
}

/* A message over the link that is `gone` links on from a place, ahead or backwards; as a sum comes, not goes, the other
 * way. */
static gfab_status append(const job *j, uint32_t round, uint32_t place, uint32_t gone, bool ahead, bool comes,
                          uint32_t block)
{
    const uint32_t link = ahead ? place + gone : place + 2 * j->nodes - 1 - gone;
    const gfab_arc arc = j->ahead[link % j->nodes] ^ (ahead == comes);
    return gfab_schedule_append(j->schedule, round, arc, block | (comes ? GFAB_COMBINE : 0));
}

/* ---- every node has blocks ---- */

/* What a node does in the phase that begins in a round: its block's sum comes, or its block goes round. */
static gfab_status append_wave(const job *j, uint32_t first, uint32_t step, uint32_t place, bool comes, uint32_t block)
{
    const uint32_t gone = comes ? j->nodes - 2 - step : step;
    return append(j, first + step, place, gone, open_ahead(place, first), comes, block);
}

/* All waves of a step of a phase: half duplex those of every second node. Blocks are numbered node by node where they
 * are owned, else place by place; half duplex an all-reduce has those of even places alone. */
static gfab_status append_step(const job *j, uint32_t phase, uint32_t step, bool comes, uint32_t each)
{
    const uint32_t first = 1 + phase * (j->nodes - 1);
    const bool both = j->sums && j->shares;
    gfab_status status = GFAB_OK;
    for (uint32_t place = 0; place < j->nodes && status == GFAB_OK; place++) {
        if (!j->full && place % 2 != (both ? 0 : phase % 2))
            continue;
        const uint32_t block = both ? (j->full ? place : place / 2) : j->node[place] * each + (j->full ? phase : 0);
        if (block < j->group)
            status = append_wave(j, first, step, place, comes, block);
    }
    return status;
}

/* Two phases, or one where each node has one block and full duplex. */
static gfab_status append_phases(job *j)
{
    const gfab_goal goal = gfab_schedule_goal(j->schedule);
    const bool both = j->sums && j->shares;
    const uint32_t all = j->full ? j->nodes : j->nodes / 2;
    const bool once = both ? goal.blocks <= all : goal.blocks <= (j->full ? 2 : 1) * j->nodes;
    const uint32_t each = both ? 0 : !j->full || goal.blocks <= j->nodes ? 1 : 2;
    const uint32_t phases = both || !j->full ? 2 : each;
    j->group = once ? goal.blocks : both ? all : each * j->nodes;
    gfab_status status = once ? GFAB_OK : gfab_schedule_set_period(j->schedule, 2 * (j->nodes - 1), j->group);
    for (uint32_t phase = 0; phase < phases && status == GFAB_OK; phase++)
        for (uint32_t step = 0; step + 1 < j->nodes && status == GFAB_OK; step++) {
            status = gfab_solver_report(j->options, "steps", step, j->nodes - 1);
            if (status == GFAB_OK)
                status = append_step(j, phase, step, both ? phase == 0 : j->sums, each);
        }
    return status;
}

/* ---- a root has all blocks, or gets their sums ---- */

/* Two blocks, one ahead and one a round later backwards, or half duplex one alone. */
static gfab_status append_rooted(job *j)
{
    const gfab_goal goal = gfab_schedule_goal(j->schedule);
    const uint32_t group = j->full ? 2 : 1;
    gfab_status status = goal.blocks > group ? gfab_schedule_set_period(j->schedule, 2, group) : GFAB_OK;
    for (uint32_t round = 1; round <= j->nodes && status == GFAB_OK; round++)
        for (uint32_t block = 0; block < group && block < goal.blocks && status == GFAB_OK; block++) {
            const uint32_t step = round - 1 - block;
            if (round > block && step + 1 < j->nodes)
                status =
                    append(j, round, 0, j->sums ? j->nodes - 2 - step : step, open_ahead(0, 1 + block), j->sums, block);
        }
    return status;
}

/* ---- the cycle ---- */

static gfab_status place_nodes(job *j, const gfab_topology *topology, const gfab_rings *rings, uint32_t root)
{
    uint32_t at = 0;
    while (rings->node[at] != root)
        at++;
    j->node = malloc(j->nodes * sizeof *j->node);
    j->ahead = malloc(j->nodes * sizeof *j->ahead);
    if (!j->node || !j->ahead)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t place = 0; place < j->nodes; place++)
        j->node[place] = rings->node[(at + place) % j->nodes];
    for (uint32_t place = 0; place < j->nodes; place++)
        if (!gfab_topology_find_arc(topology, j->node[place], j->node[(place + 1) % j->nodes], &j->ahead[place]))
            return GFAB_ERR_FAULT;
    return GFAB_OK;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    const size_t nodes = gfab_topology_node_count(topology);
    if (nodes % 2 == 0)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "waves is for an even number of nodes; %s has %zu",
                     gfab_topology_name(topology), nodes);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool rooted = gfab_collective_has_root(goal.collective);
    const gfab_rings_options how = {
        .one_way = true, .seed = options->seed, .effort = options->effort, .progress = options->progress};
    gfab_rings rings = {0};
    job j = {.options = options,
             .schedule = schedule,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .full = model->link_mode == GFAB_LINK_FULL,
             .sums = gfab_collective_combines(goal.collective),
             .shares = goal.collective != GFAB_REDUCE_SCATTER && goal.collective != GFAB_REDUCE};
    gfab_status status = gfab_rings_find(topology, &how, &rings, diag);
    if (status == GFAB_OK)
        status = place_nodes(&j, topology, &rings, rooted ? goal.root : rings.node[0]);
    if (status == GFAB_OK)
        status = rooted ? append_rooted(&j) : append_phases(&j);
    gfab_rings_release(&rings);
    free(j.node);
    free(j.ahead);
    return status;
}

GFAB_SOLVE(solve, waves, build)

const gfab_solver gfab_solver_waves = {
    .name = "waves",
    .summary = "one port: along one Hamiltonian cycle of even length, every node at work in every round: all-gather, "
               "reduce-scatter and all-reduce at the count bound, long broadcasts and reduces",
    .source = "gossipfab, docs/theory/one-port.md",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) |
                   GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .only = GFAB_ONLY_ONE_PORT | GFAB_ONLY_SINGLE | GFAB_ONLY_ONE_ROUND | GFAB_ONLY_STORED,
};
