/* SPDX-License-Identifier: MIT */
/* One port, many blocks: a beam search over what nodes have after each round. `calls` goes round by round, too, but
 * takes the first matching that it finds; what that loses - a pair of nodes without anything for each other - is lost
 * for good. Here some dozens of states are kept. Each is followed by a few matchings, with weights that are drawn, and
 * of all that come out those are kept that can still end in the fewest rounds.
 *
 * Which these are the best rate's certificate says (core/rate/port_rate.c): a round carries no more than so much of its
 * weight, so what is left to carry takes so many rounds at least. Likewise what all nodes lack, what one node lacks,
 * and how often a block's holders have to double. Beside the greatest of these a state is the better, the more
 * neighbours have something for each other, and the more evenly nodes lack blocks. One that cannot end in fewer rounds
 * than are known is left out, so that a try in vain ends soon. Example: on random:n=18,m=52,seed=631410834, full
 * duplex, a reduce of 342 blocks takes 346 rounds, the bound; by `calls` 349.
 *
 * Beam search is Lowerre's (1976); that a certificate says which state is near the end is ours. Blocks go along trees,
 * from a root or from their owners; backwards in time these are reductions. docs/theory/one-port.md. */
#include "beam.h"

#include "base/random.h"

#include <gossipfab/schedule/bound.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BLOCKS 1024u
#define MOST_WIDTH 64u
#define LEAST_WIDTH 16u
#define WORK ((uint64_t)7 << 23) /* of tries where --effort is not given: states times nodes times links, about */
#define STATE 64u                /* of that a state is, beside nodes times links */
#define TRIES 32u
#define MORE 8u /* times as much may a single try take where it is */

/* ---- the beam ---- */

static int compare(const void *a, const void *b)
{
    const gfab_beam_state *const *x = a, *const *y = b;
    if ((*x)->score != (*y)->score)
        return (*x)->score > (*y)->score ? -1 : 1;
    return (*x)->number < (*y)->number ? -1 : 1;
}

static bool are_equal(const gfab_beam *b, const gfab_beam_state *x, const gfab_beam_state *y)
{
    return x->left == y->left && memcmp(x->holders, y->holders, b->blocks * sizeof *x->holders) == 0;
}

/* Keeps the best of the states that came out, and how they came to be. */
static void keep(gfab_beam *b, uint32_t round, uint32_t count, uint32_t width)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        b->order[i] = &b->after[i];
    qsort(b->order, count, sizeof(gfab_beam_state *), compare);
    for (uint32_t i = 0; i < count && kept < width; i++) {
        gfab_beam_state *s = b->order[i];
        bool known = s->score <= -INFINITY;
        for (uint32_t k = 0; k < kept && !known; k++)
            known = are_equal(b, b->order[k], s);
        if (known)
            continue;
        b->order[kept] = s;
        gfab_beam_kept *step = &b->steps[(size_t)round * MOST_WIDTH + kept++];
        *step = (gfab_beam_kept){.from = s->from, .count = s->moves};
        memcpy(b->past + ((size_t)round * MOST_WIDTH + kept - 1) * b->nodes, s->move, s->moves * sizeof *s->move);
    }
    for (uint32_t k = 0; k < kept; k++)
        gfab_beam_copy(b, b->order[k], &b->now[k]);
    b->kept = kept;
}

/* A try: the schedule is the best from now on, where it has fewer rounds than are known. */
static gfab_status attempt(gfab_beam *b, const gfab_solver_options *options, uint32_t width)
{
    uint32_t round = 0;
    gfab_beam_begin(b);
    b->kept = 1;
    while (b->kept > 0 && b->now[0].left > 0) {
        const uint32_t times = b->kept == 1 ? width : GFAB_BEAM_EACH;
        const uint32_t count = b->kept * times;
        GFAB_TRY(gfab_solver_report(options, "rounds", round, b->most));
        for (uint32_t i = 0; i < count; i++) {
            if (i % times == 0)
                gfab_beam_look(b, &b->now[i / times]);
            b->after[i].number = i;
            b->after[i].from = i / times;
            gfab_beam_step(b, &b->now[i / times], round + 1, &b->after[i]);
            b->work += (uint64_t)b->nodes * b->links + STATE;
        }
        keep(b, ++round, count, width);
    }
    if (b->kept == 0)
        return GFAB_OK;
    b->most = round - 1;
    b->count = 0;
    for (uint32_t at = 0; round > 0; round--) {
        const gfab_beam_kept *step = &b->steps[(size_t)round * MOST_WIDTH + at];
        const gfab_beam_move *move = b->past + ((size_t)round * MOST_WIDTH + at) * b->nodes;
        for (uint32_t i = 0; i < step->count; i++)
            b->best[b->count++] = (gfab_group_move){round, move[i].block, move[i].arc};
        at = step->from;
    }
    return GFAB_OK;
}

/* Tries of growing width, each without links' shares and with them, until a schedule is at the bound. */
static gfab_status search(gfab_beam *b, const gfab_solver_options *options, uint32_t least)
{
    uint32_t width = LEAST_WIDTH;
    for (uint32_t i = 0; b->most >= least; i++) {
        const uint64_t more = ((uint64_t)b->nodes * b->links + STATE) * GFAB_BEAM_EACH * width * b->most;
        if (i > 0 && (options->effort ? i >= options->effort : i >= TRIES || b->work + more > WORK))
            break;
        b->likes_shares = i % 2 ? 2 : 0;
        b->likes_variety = i % 3 == 0 ? 1 : 2 * gfab_random_below(&b->random, 1024) / 1024.0;
        b->likes_even = i % 3 == 0 ? 3 : 6 * gfab_random_below(&b->random, 1024) / 1024.0;
        GFAB_TRY(attempt(b, options, width));
        width = i % 2 && width < MOST_WIDTH ? 2 * width : width;
    }
    return GFAB_OK;
}

/* ---- the schedule ---- */

/* Whether a try is seconds of work at most. */
static gfab_status check_size(const gfab_topology *topology, const gfab_goal *goal, bool patient, uint32_t least,
                              gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const uint64_t most = (patient ? MORE * WORK : WORK) / (GFAB_BEAM_EACH * LEAST_WIDTH);
    if (goal->blocks > MOST_BLOCKS || goal->blocks < nodes)
        return GFAB_REFUSE(diag, "%u blocks on %zu nodes; calls-beam takes one a node at least, and up to %u",
                           goal->blocks, nodes, MOST_BLOCKS);
    if (links * nodes * least > most)
        return gfab_fail(
            diag, 0, GFAB_ERR_UNSUPPORTED,
            "%zu nodes with %zu links in at least %u rounds; calls-beam takes up to %llu nodes times links "
            "times rounds",
            nodes, links, least, (unsigned long long)most);
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool rooted = gfab_collective_has_root(goal.collective);
    gfab_bound bound;
    GFAB_TRY(gfab_bound_goal_best(topology, model, &goal, options->progress, &bound));
    const uint32_t least = (uint32_t)bound.rounds, asked = options->rounds ? options->rounds : least + least / 2;
    gfab_beam b = {.topology = topology,
                   .model = model,
                   .progress = options->progress,
                   .blocks = goal.blocks,
                   .root = rooted ? goal.root : 0,
                   .owned = !rooted,
                   .most = asked,
                   .random = options->seed};
    GFAB_TRY(check_size(topology, &goal, options->effort > 0, least, diag));
    if (b.owned && goal.blocks % gfab_topology_node_count(topology) != 0)
        return GFAB_REFUSE(diag, "calls-beam takes as many blocks of each node");
    gfab_status status = gfab_beam_open(&b, asked, MOST_WIDTH);
    GFAB_THEN(status, search(&b, options, least));
    gfab_beam_close(&b);
    if (status == GFAB_OK && b.most < asked)
        status = gfab_group_moves_trees(b.best, b.count, b.most + 1, 1, schedule);
    else if (status == GFAB_OK)
        status = GFAB_REFUSE(diag, "calls-beam found no schedule of %u rounds or fewer", asked);
    free(b.best);
    return status;
}

GFAB_SOLVE(solve, beam, build)

/* With so few rounds asked for other states are kept: mostly better ones. Where that does not end at the bound it is
 * tried without, so that the shorter of both is made. */
static gfab_status improve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           gfab_schedule **schedule, gfab_diag *diag)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *best = NULL;
    gfab_schedule *other = NULL;
    gfab_solver_options any = *options;
    gfab_bound bound = {.rounds = 0};
    any.rounds = 0;
    gfab_status status = solve(topology, model, options, &best, diag);
    if (best) {
        const gfab_goal goal = gfab_schedule_goal(best);
        GFAB_TRY(gfab_bound_goal_best(topology, model, &goal, options->progress, &bound));
    }
    if (!gfab_solver_cut_short(status) && (!best || gfab_schedule_rounds(best) > bound.rounds)) {
        bool better;
        const gfab_status second = solve(topology, model, &any, &other, diag);
        status = gfab_solver_cut_short(second) || !best ? second : status;
        if (other)
            GFAB_TRY(gfab_solver_keep(other, options, &best, &better));
    }
    if (status == GFAB_OK) {
        *schedule = best;
        best = NULL;
    }
    return status;
}

const gfab_solver gfab_solver_beam = {
    .name = "calls-beam",
    .summary = "one port, many blocks: a beam search over what nodes have, those states first that can end soonest by "
               "the best rate's certificate",
    .source = "gossipfab, docs/theory/one-port.md; beam search: Lowerre 1976",
    .solve = solve,
    .improve = improve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_BROADCAST) |
                   GFAB_MAKES(GFAB_REDUCE),
    .only = GFAB_ONLY_ONE_PORT | GFAB_ONLY_SINGLE | GFAB_ONLY_ONE_ROUND | GFAB_ONLY_STORED,
    .most_nodes = GFAB_BEAM_NODES,
};
