/* SPDX-License-Identifier: MIT */
/* The end of a vector that is no whole number of groups. A group that is not whole takes nearly as long as a whole one,
 * because its blocks keep the rounds that they have in a group. So the last whole groups and the rest, the tail, get
 * trees and rounds of their own, in what the groups before them leave free: 17 blocks in 16 rounds in place of 15 and
 * 15. Where blocks go inwards the tail comes first. Such a schedule does not repeat: it is for short vectors. Ours. */
#include "out_trees.h"

#include <stdlib.h>

#define PARTS 4u                          /* a head repeats so often at least */
#define MOST_HOLDINGS ((uint64_t)1 << 19) /* blocks times nodes: of a schedule that is written out */

void gfab_out_head_release(gfab_out_head *head)
{
    free(head->moves);
    *head = (gfab_out_head){0};
}

bool gfab_out_head_may(uint64_t blocks, uint64_t trees, uint64_t holdings)
{
    return blocks >= PARTS * trees && holdings <= MOST_HOLDINGS;
}

bool gfab_out_head_improves(const gfab_out_head *head, const gfab_out_head *other)
{
    if (!head->moves || !other->period)
        return other->period;
    const uint64_t here = (uint64_t)head->period * other->trees, there = (uint64_t)other->period * head->trees;
    return there != here ? there < here : gfab_out_head_span(other) < gfab_out_head_span(head);
}

static gfab_group_move turned(gfab_group_move move, uint64_t end, bool backwards)
{
    return backwards ? (gfab_group_move){(uint32_t)(end + 1 - move.round), move.token, move.arc ^ 1} : move;
}

static uint32_t last_round(const gfab_group_move *moves, size_t count)
{
    uint32_t end = 0;
    for (size_t i = 0; i < count; i++)
        end = moves[i].round > end ? moves[i].round : end;
    return end;
}

void gfab_out_head_take(gfab_out_head *head, const gfab_out_head *other, bool backwards)
{
    gfab_out_head_release(head);
    *head = *other;
    head->end = last_round(head->moves, head->count);
    for (size_t i = 0; i < head->count; i++)
        head->moves[i] = turned(head->moves[i], head->end, backwards);
}

uint64_t gfab_out_head_cut(gfab_out_head *head, uint64_t blocks, uint32_t groups)
{
    const uint64_t whole = head->moves ? blocks / head->trees : 0;
    head->groups = whole > groups ? whole - groups : 0;
    return head->groups ? blocks - head->groups * head->trees : 0;
}

uint32_t gfab_out_head_span(const gfab_out_head *head)
{
    return head && head->end > head->period ? head->end - head->period : 0;
}

void gfab_out_head_count(const gfab_out_head *head, uint32_t *taken)
{
    const uint32_t span = gfab_out_head_span(head);
    for (size_t i = 0; span && i < head->count; i++) {
        uint32_t round = head->moves[i].round;
        for (uint64_t group = 0; group < head->groups && round > head->period; group++) {
            round -= head->period;
            taken[(size_t)head->moves[i].arc * span + round - 1]++;
        }
    }
}

uint64_t gfab_out_head_rounds(const gfab_out_head *head, uint32_t tail)
{
    const uint32_t span = gfab_out_head_span(head);
    return head->groups * head->period + (tail > span ? tail : span);
}

/* A block of a group, or of a tail, becomes one of the whole vector. */
static uint32_t renumber(uint32_t token, uint64_t trees, uint32_t blocks, uint64_t before)
{
    const uint32_t block = token & ~GFAB_COMBINE;
    return (uint32_t)(block / trees * blocks + before + block % trees) | (token & GFAB_COMBINE);
}

gfab_status gfab_out_tail_join(gfab_out_head *head, uint64_t groups, uint32_t blocks, bool backwards,
                               gfab_group_move **moves, size_t *count)
{
    head->groups = groups;
    const uint32_t tail = last_round(*moves, *count);
    const uint64_t end = gfab_out_head_rounds(head, tail), before = groups * head->trees;
    gfab_group_move *all = malloc((groups * head->count + *count) * sizeof *all);
    size_t at = 0;
    GFAB_NEED(all);
    for (size_t i = 0; i < groups * head->count; i++) {
        const uint64_t group = i / head->count;
        gfab_group_move move = head->moves[i % head->count];
        move.round += (uint32_t)(group * head->period);
        move.token = renumber(move.token, head->trees, blocks, group * head->trees);
        all[at++] = turned(move, end, backwards);
    }
    for (size_t i = 0; i < *count; i++) {
        gfab_group_move move = turned((*moves)[i], tail, backwards);
        move.round += (uint32_t)(groups * head->period);
        move.token = renumber(move.token, blocks - before, blocks, before);
        all[at++] = turned(move, end, backwards);
    }
    free(*moves);
    *moves = all;
    *count = at;
    return GFAB_OK;
}
