/* SPDX-License-Identifier: MIT */
/* An all-gather in groups and across them in a given number of steps, in which the links of both are busy at once. Each
 * rank has k blocks. A block goes across to the ranks of the same place in the other groups in one step, and is handed
 * round there in a later one; in its own group it is handed round in any step. Or it goes straight to everybody in the
 * other groups, in one step. Which blocks go when is chosen so that the busiest links of all steps carry least.
 *
 * An example: two boxes of 8 GPUs, links of weight 9 in a box and 1 across, 2 steps, 11 blocks a rank. Ten blocks go
 * across in the first step and are handed round in the second, in which the last block goes to all 8 GPUs of the other
 * box: 10 and 8 blocks over a card. `hierarchical` hands round 11 x 7 / 9 after 11.
 *
 * Pipelines of hierarchical collectives are folklore; the choice of the steps by descent is ours. */
#include "library_plan.h"

#define MOST_STEPS 9u
#define MOST_BLOCKS 64u

/* Of a block: when it goes across and when it is handed round there, or in the same step when it goes straight to all;
 * when it is handed round in its own group. */
typedef struct way {
    uint32_t across, round, own;
} way;

typedef struct choice {
    const gfab_library_ranks *at;
    uint32_t steps, blocks, side, groups;
    way ways[MOST_BLOCKS];
} choice;

/* What the links carry in all steps, times both levels' ports; less is better, and of equals what is spread evenly. A
 * step has one round where no link carries more than its weight times the longest message. */
static uint64_t cost_of(const choice *c)
{
    uint64_t far[MOST_STEPS] = {0}, near[MOST_STEPS] = {0}, longest[MOST_STEPS] = {0}, sum = 0, squares = 0;
    uint64_t across[MOST_STEPS] = {0}, straight[MOST_STEPS] = {0};
    const uint64_t others = c->groups - 1;
    for (uint32_t b = 0; b < c->blocks; b++) {
        const way *w = &c->ways[b];
        near[w->own]++;
        across[w->across]++;
        straight[w->across] += w->across == w->round;
        near[w->round] += w->across == w->round ? 0 : others;
    }
    for (uint32_t t = 0; t < c->steps; t++) {
        far[t] = others * (across[t] + straight[t] * (c->side - 1));
        longest[t] = near[t] > across[t] ? near[t] : across[t];
        const uint64_t outer = far[t] * c->at->ports[0], inner = near[t] * (c->side - 1) * c->at->ports[1];
        sum += (outer > inner ? outer : inner) + (far[t] > longest[t] * c->at->ports[1] ? (uint64_t)1 << 26 : 0);
        squares += outer * outer + inner * inner;
    }
    return sum << 32 | (squares < UINT32_MAX ? squares : UINT32_MAX);
}

/* Tries all ways of a block. */
static bool improve(choice *c, uint32_t block, uint64_t *least)
{
    way best = c->ways[block];
    const uint64_t before = *least;
    for (uint32_t across = 0; across < c->steps; across++)
        for (uint32_t round = across; round < c->steps; round++)
            for (uint32_t own = 0; own < c->steps; own++) {
                c->ways[block] = (way){across, round, own};
                const uint64_t cost = cost_of(c);
                if (cost < *least) {
                    *least = cost;
                    best = c->ways[block];
                }
            }
    c->ways[block] = best;
    return *least < before;
}

static void choose(choice *c)
{
    for (uint32_t b = 0; b < c->blocks; b++) {
        const uint32_t across = b * (c->steps - 1) / c->blocks;
        c->ways[b] = (way){across, across + 1, b * c->steps / c->blocks};
    }
    uint64_t least = cost_of(c);
    for (bool better = true; better;) {
        better = false;
        for (uint32_t b = 0; b < c->blocks; b++)
            better = improve(c, b, &least) || better;
    }
}

/* ---- messages ---- */

static gfab_status carry(const choice *c, uint32_t origin, uint32_t block, gfab_library_plan *plan)
{
    return gfab_library_carry(plan, c->at->rank[origin] * c->blocks + block);
}

/* In a group: what is one's own, and what came from the same place of other groups. */
static gfab_status hand_round(const choice *c, uint32_t step, uint32_t place, uint32_t to, gfab_library_plan *plan)
{
    GFAB_TRY(gfab_library_send(plan, c->at->rank[place], c->at->rank[to]));
    for (uint32_t origin = place % c->side; origin < c->at->ranks; origin += c->side)
        for (uint32_t b = 0; b < c->blocks; b++) {
            const way *w = &c->ways[b];
            if (origin == place ? w->own == step : w->round == step && w->across < step)
                GFAB_TRY(carry(c, origin, b, plan));
        }
    return GFAB_OK;
}

/* To another group: to the same place all of the step, to others what goes straight to everybody. */
static gfab_status send_across(const choice *c, uint32_t step, uint32_t place, uint32_t to, gfab_library_plan *plan)
{
    const bool same = place % c->side == to % c->side;
    GFAB_TRY(gfab_library_send(plan, c->at->rank[place], c->at->rank[to]));
    for (uint32_t b = 0; b < c->blocks; b++)
        if (c->ways[b].across == step && (same || c->ways[b].round == step))
            GFAB_TRY(carry(c, place, b, plan));
    return GFAB_OK;
}

static gfab_status send_step(const choice *c, uint32_t step, gfab_library_plan *plan)
{
    const uint32_t ranks = c->at->ranks, side = c->side;
    gfab_status status = GFAB_OK;
    for (uint32_t d = 1; d < ranks; d++)
        for (uint32_t place = 0; place < ranks && status == GFAB_OK; place++) {
            const uint32_t group = place / side * side, by = d % side, far = d / side * side;
            const uint32_t to = (group + far) % ranks + (place + by) % side;
            status = far ? send_across(c, step, place, to, plan) : hand_round(c, step, place, to, plan);
        }
    return status == GFAB_OK ? gfab_library_end_step(plan) : status;
}

gfab_status gfab_library_plan_pipelined(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                        gfab_diag *diag)
{
    choice c = {.at = at, .steps = at->steps, .blocks = goal->blocks / at->ranks, .side = at->within[0]};
    if (at->levels != 2 || c.side - 1 > at->ports[0])
        return GFAB_REFUSE(
            diag, "%s is for groups of equal size, of one level, whose ranks send to all others of them at once",
            plan->name);
    if (c.blocks < c.steps || c.blocks > MOST_BLOCKS)
        return GFAB_REFUSE(diag, "%s is for %u to %u blocks a rank, not for %u", plan->name, c.steps, MOST_BLOCKS,
                           c.blocks);
    c.groups = at->ranks / c.side;
    choose(&c);
    for (uint32_t step = 0; step < c.steps; step++)
        GFAB_TRY(send_step(&c, step, plan));
    return GFAB_OK;
}
