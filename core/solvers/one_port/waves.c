/* SPDX-License-Identifier: MIT */
/* One port: waves around one Hamiltonian cycle. Of even length N, its links are coloured by turns, and each colour is a
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
 * round 3 again 0 and 1, and 2 and 3.
 *
 * Of odd length one node has no call in a round, and that gap goes on by one place a round: K N rounds for K blocks a
 * node, half duplex twice as many, which is the count bound of an odd number of nodes (append_odd_wave). Ours;
 * docs/theory/one-port.md. */
#include "solvers/collective/group_moves.h"
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
    gfab_group_move *moves;  /* of an odd number of nodes */
    size_t count;
} job;

static bool open_ahead(uint32_t place, uint32_t round)
{
    return (place + round) % 2 == 1;
}

/* A message over the link that is `gone` links on from a place, ahead or backwards. What is combined, a sum, comes, and
 * goes the other way. */
static gfab_status append(const job *j, uint32_t round, uint32_t place, uint32_t gone, bool ahead, uint32_t token)
{
    const uint32_t link = ahead ? place + gone : place + 2 * j->nodes - 1 - gone;
    const gfab_arc arc = j->ahead[link % j->nodes] ^ (ahead == !!(token & GFAB_COMBINE));
    return gfab_schedule_append(j->schedule, round, arc, token);
}

/* ---- every node has blocks ---- */

/* What a node does in the phase that begins in a round: its block's sum comes, or its block goes round. */
static gfab_status append_wave(const job *j, uint32_t first, uint32_t step, uint32_t place, bool comes, uint32_t block)
{
    const uint32_t gone = comes ? j->nodes - 2 - step : step;
    return append(j, first + step, place, gone, open_ahead(place, first), block | (comes ? GFAB_COMBINE : 0));
}

/* All waves of a step of a phase: half duplex those of every second node. Blocks are numbered node by node where they
 * are owned, else place by place; half duplex an all-reduce has those of even places alone. */
static gfab_status append_step(const job *j, uint32_t phase, uint32_t step, bool comes, uint32_t each)
{
    const uint32_t first = 1 + phase * (j->nodes - 1);
    const bool both = j->sums && j->shares;
    for (uint32_t place = 0; place < j->nodes; place++) {
        if (!j->full && place % 2 != (both ? 0 : phase % 2))
            continue;
        const uint32_t block = both ? (j->full ? place : place / 2) : j->node[place] * each + (j->full ? phase : 0);
        if (block < j->group)
            GFAB_TRY(append_wave(j, first, step, place, comes, block));
    }
    return GFAB_OK;
}

/* ---- an odd number of nodes ---- */

/* A message of round t. Half duplex a round is two: what goes ahead, and then what goes back. */
static gfab_group_move odd_move(const job *j, uint32_t t, uint32_t place, bool ahead, uint32_t block)
{
    const uint32_t n = j->nodes;
    return (gfab_group_move){j->full ? t : 2 * t - ahead, block,
                             ahead ? j->ahead[place] : j->ahead[(place + n - 1) % n] ^ 1};
}

/* Round t leaves one place without a call, `gap` + t; from there on places are paired, so that one at an odd distance
 * from the gap calls ahead, one at an even distance back. What goes ahead stays at its distance, and is never held up:
 * it is round after N - 1 rounds. What goes back waits one round where it meets the gap. This is the wave that leaves a
 * place in round t, as far as it comes before round `end`; how many links it has gone. */
static size_t odd_wave(job *j, uint32_t place, uint32_t gap, uint32_t t, uint32_t end, uint32_t block)
{
    const uint32_t n = j->nodes, distance = (place + 2 * n - (gap + t) % n) % n;
    const bool ahead = distance % 2 == 1;
    size_t gone = 0;
    for (uint32_t at = place; gone + 1 < n && t < end; t++) {
        if (!ahead && at == (gap + t) % n)
            continue;
        j->moves[j->count++] = odd_move(j, t, at, ahead, block);
        gone++;
        at = ahead ? (at + 1) % n : (at + n - 1) % n;
    }
    return gone;
}

/* Every node's wave leaves in round 1, or in the next one where the node has no call, and ends in round N. Back from
 * the places 0, 2 .. N - 3 it meets the gap twice, and is one link short: the place ahead of where it began gets it in
 * round N, in which nothing else is left to go ahead. */
static void odd_from_all(job *j, uint32_t blocks)
{
    const uint32_t n = j->nodes;
    for (uint32_t place = 0; place < n; place++) {
        const uint32_t block = j->node[place];
        if (block >= blocks)
            continue;
        if (odd_wave(j, place, n - 1, 1, n + 1, block) + 1 < n)
            j->moves[j->count++] = odd_move(j, n, place, true, block);
    }
}

/* The root starts a wave in each of N - 1 rounds, ahead and back by turns, and has no call in the next one. */
static void odd_from_root(job *j, uint32_t blocks)
{
    for (uint32_t block = 0; block + 1 < j->nodes && block < blocks; block++)
        (void)odd_wave(j, 0, 0, block + 1, UINT32_MAX, block);
}

/* What is told goes forward in time, sums backward and before that. */
static gfab_status append_odd(job *j, bool rooted)
{
    const gfab_goal goal = gfab_schedule_goal(j->schedule);
    const size_t most = (size_t)j->nodes * (j->nodes - 1);
    GFAB_FREED gfab_group_move *moves = j->moves = malloc(2 * most * sizeof *moves);
    GFAB_NEED(moves);
    (rooted ? odd_from_root : odd_from_all)(j, goal.blocks);
    const size_t told = j->count;
    uint32_t last = 0;
    for (size_t i = 0; i < told; i++)
        last = moves[i].round > last ? moves[i].round : last;
    j->group = rooted ? j->nodes - 1 : j->nodes;
    const uint32_t blocks = goal.blocks < j->group ? goal.blocks : j->group;
    for (size_t i = 0; i < told && j->sums; i++) {
        const uint32_t block = rooted ? blocks - 1 - moves[i].token : moves[i].token; /* what is sent first first */
        const gfab_group_move sum = {last + 1 - moves[i].round, block | GFAB_COMBINE, moves[i].arc ^ 1};
        if (j->shares) {
            moves[j->count] = moves[i];
            moves[j->count++].round += last;
        }
        moves[i] = sum;
    }
    const uint32_t period = (j->sums && j->shares ? 2 : 1) * (j->full ? 1 : 2) * j->nodes;
    return gfab_group_moves_append(moves, j->count, goal.blocks > j->group ? period : 0, j->group, j->schedule);
}

/* ---- an even number of nodes ---- */

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
    GFAB_TRY(once ? GFAB_OK : gfab_schedule_set_period(j->schedule, 2 * (j->nodes - 1), j->group));
    for (uint32_t phase = 0; phase < phases; phase++)
        for (uint32_t step = 0; step + 1 < j->nodes; step++) {
            GFAB_TRY(gfab_solver_report(j->options, "steps", step, j->nodes - 1));
            GFAB_TRY(append_step(j, phase, step, both ? phase == 0 : j->sums, each));
        }
    return GFAB_OK;
}

/* ---- a root has all blocks, or gets their sums ---- */

/* Two blocks, one ahead and one a round later backwards, or half duplex one alone. */
static gfab_status append_rooted(job *j)
{
    const gfab_goal goal = gfab_schedule_goal(j->schedule);
    const uint32_t group = j->full ? 2 : 1;
    GFAB_TRY(goal.blocks > group ? gfab_schedule_set_period(j->schedule, 2, group) : GFAB_OK);
    for (uint32_t round = 1; round <= j->nodes; round++)
        for (uint32_t block = 0; block < group && block < goal.blocks; block++) {
            const uint32_t step = round - 1 - block;
            if (round > block && step + 1 < j->nodes)
                GFAB_TRY(append(j, round, 0, j->sums ? j->nodes - 2 - step : step, open_ahead(0, 1 + block),
                                block | (j->sums ? GFAB_COMBINE : 0)));
        }
    return GFAB_OK;
}

/* ---- the cycle ---- */

static gfab_status place_nodes(job *j, const gfab_topology *topology, const gfab_rings *rings, uint32_t root)
{
    uint32_t at = 0;
    while (rings->node[at] != root)
        at++;
    j->node = malloc(j->nodes * sizeof *j->node);
    j->ahead = malloc(j->nodes * sizeof *j->ahead);
    GFAB_NEED(j->node && j->ahead);
    for (uint32_t place = 0; place < j->nodes; place++)
        j->node[place] = rings->node[(at + place) % j->nodes];
    for (uint32_t place = 0; place < j->nodes; place++)
        if (!gfab_topology_find_arc(topology, j->node[place], j->node[(place + 1) % j->nodes], &j->ahead[place]))
            return GFAB_ERR_FAULT;
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool rooted = gfab_collective_has_root(goal.collective);
    const gfab_rings_options how = {
        .one_way = true, .seed = options->seed, .effort = options->effort, .progress = options->progress};
    GFAB_AT_END(gfab_rings_release) gfab_rings rings = {0};
    job j = {.options = options,
             .schedule = schedule,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .full = model->link_mode == GFAB_LINK_FULL,
             .sums = gfab_collective_combines(goal.collective),
             .shares = goal.collective != GFAB_REDUCE_SCATTER && goal.collective != GFAB_REDUCE};
    gfab_status status = gfab_rings_find(topology, &how, &rings, diag);
    GFAB_THEN(status, place_nodes(&j, topology, &rings, rooted ? goal.root : rings.node[0]));
    GFAB_THEN(status, j.nodes % 2 ? append_odd(&j, rooted) : rooted ? append_rooted(&j) : append_phases(&j));
    GFAB_FREE(j.node, j.ahead);
    return status;
}

GFAB_SOLVE(solve, waves, build)

const gfab_solver gfab_solver_waves = {
    .name = "waves",
    .summary = "one port: along one Hamiltonian cycle, all nodes but at most one at work in every round: all-gather, "
               "reduce-scatter and all-reduce at the count bound; of even length long broadcasts and reduces too",
    .source = "gossipfab, docs/theory/one-port.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) |
                   GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .only = GFAB_ONLY_ONE_PORT | GFAB_ONLY_SINGLE | GFAB_ONLY_ONE_ROUND | GFAB_ONLY_STORED,
};
