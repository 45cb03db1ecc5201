/* SPDX-License-Identifier: MIT */
/* Messages between any two ranks, a step for each height of the bracketing: what two terms have is added in the step of
 * their sum. As in Rabenseifner 2004 each block goes to its owner, a part of the vector in each message; or, as in
 * recursive doubling, whole vectors are exchanged and everyone has the sum. With the bracketing binary and a power of
 * two ranks it is these two; but here any bracketing will do, and both have the same. */
#include "bracket.h"
#include "solvers/collective/library/library_plan.h"

#include <stdlib.h>

#define MOST_TRIES 1e9

/* A message of one block. */
typedef struct piece {
    uint32_t height, from, to, block;
} piece;

static int compare(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->height != y->height)
        return x->height > y->height ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* The leaf of a part that stands where a leaf of the other part does; ways around where it is shorter. */
static uint32_t opposite(const gfab_bracket *b, uint32_t part, uint32_t other, uint32_t leaf)
{
    const uint32_t size = b->end[other] - b->first[other];
    return b->order[b->first[other] + (b->place[leaf] - b->first[part]) % size];
}

/* The total on its way back: who has a term of the block sends it to who brings the other part of the sum. */
static size_t add_block(const gfab_bracket *b, uint32_t block, uint32_t last, uint32_t *host, piece *pieces)
{
    size_t count = 0;
    host[gfab_bracket_root(b)] = last;
    for (uint32_t t = gfab_bracket_root(b); t >= b->leaves; t--) {
        const uint32_t *pair = b->pairs[t - b->leaves];
        const bool left = gfab_bracket_has(b, pair[0], host[t]);
        host[pair[!left]] = host[t];
        host[pair[left]] = opposite(b, pair[!left], pair[left], host[t]);
        pieces[count++] = (piece){b->height[t], host[t], host[pair[left]], block};
    }
    return count;
}

/* All blocks' messages, from the highest sum down: one message from one rank to another in a step, of at most `most`
 * blocks. */
static gfab_status send_pieces(const piece *pieces, size_t count, uint32_t most, gfab_library_plan *plan)
{
    gfab_status status = GFAB_OK;
    uint32_t carried = 0;
    for (size_t i = 0; i < count && status == GFAB_OK; i++) {
        const piece *at = &pieces[i], *before = i ? at - 1 : NULL;
        if (before && before->height != at->height)
            status = gfab_library_end_step(plan);
        if (!before || before->height != at->height || before->from != at->from || before->to != at->to ||
            carried == most) {
            carried = 0;
            GFAB_THEN(status, gfab_library_send(plan, at->from, at->to));
        }
        carried++;
        GFAB_THEN(status, gfab_library_carry(plan, at->block));
    }
    return status == GFAB_OK ? gfab_library_end_step(plan) : status;
}

static gfab_status plan_parts(const gfab_bracket *b, const gfab_goal *goal, uint32_t most, gfab_library_plan *plan)
{
    const size_t each = b->leaves - 1;
    GFAB_FREED piece *pieces = malloc((each * goal->blocks + 1) * sizeof *pieces);
    GFAB_FREED uint32_t *host = malloc(2 * (size_t)b->leaves * sizeof *host);
    GFAB_NEED(pieces && host);
    size_t count = 0;
    for (uint32_t block = 0; block < goal->blocks; block++)
        count += add_block(b, block, gfab_goal_owner(goal, b->leaves, block), host, pieces + count);
    plan->kind = GFAB_LIBRARY_SPREAD;
    qsort(pieces, count, sizeof *pieces, compare);
    return send_pieces(pieces, count, most, plan);
}

/* Each rank of a part gets the other part's vector. */
static gfab_status exchange(const gfab_bracket *b, uint32_t part, uint32_t other, const gfab_goal *goal,
                            gfab_library_plan *plan)
{
    for (uint32_t i = b->first[part]; i < b->end[part]; i++) {
        GFAB_TRY(gfab_library_send(plan, opposite(b, part, other, b->order[i]), b->order[i]));
        for (uint32_t block = 0; block < goal->blocks; block++)
            GFAB_TRY(gfab_library_carry(plan, block));
    }
    return GFAB_OK;
}

static gfab_status plan_whole(const gfab_bracket *b, const gfab_goal *goal, gfab_library_plan *plan)
{
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    plan->out = SIZE_MAX;
    plan->together = true;
    for (uint32_t h = 1; h <= b->height[gfab_bracket_root(b)]; h++) {
        for (uint32_t t = b->leaves; t <= gfab_bracket_root(b); t++) {
            const uint32_t *pair = b->pairs[t - b->leaves];
            if (b->height[t] != h)
                continue;
            GFAB_TRY(exchange(b, pair[0], pair[1], goal, plan));
            GFAB_TRY(exchange(b, pair[1], pair[0], goal, plan));
        }
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}

/* Messages are given rounds one by one, all that wait being tried in each: too many of a step over few links take too
 * long. */
static bool is_too_long(const gfab_topology *topology, const gfab_library_plan *plan)
{
    const double links = (double)gfab_topology_link_count(topology);
    double tries = 0;
    for (size_t s = 0; s < plan->step_count; s++) {
        const double messages = (double)(plan->steps[s + 1] - plan->steps[s]);
        tries += messages * messages / links;
    }
    return tries > MOST_TRIES;
}

gfab_status gfab_bracket_steps(const gfab_solver_options *options, const gfab_bracket *bracket, bool whole,
                               gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const gfab_model *model = gfab_schedule_model(schedule);
    const gfab_goal goal = *options->goal;
    const bool all = goal.collective == GFAB_ALL_REDUCE || goal.collective == GFAB_BARRIER;
    GFAB_AT_END(gfab_library_release) gfab_library_plan plan = {.name = "bracket", .ranks = bracket->leaves};
    if (whole && !all)
        return GFAB_REFUSE(diag, "whole vectors are exchanged in an all-reduce alone");
    if (options->any_length || (uint64_t)goal.blocks * bracket->leaves > (1u << 22))
        return GFAB_REFUSE(diag, "too many blocks for a schedule that does not repeat");
    GFAB_TRY(whole ? plan_whole(bracket, &goal, &plan) : plan_parts(bracket, &goal, model->packet_tokens, &plan));
    if (is_too_long(topology, &plan))
        return GFAB_REFUSE(diag, "too many blocks for a schedule that does not repeat");
    return gfab_library_append(topology, model, &plan, options, schedule, diag);
}
