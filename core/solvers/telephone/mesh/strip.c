/* SPDX-License-Identifier: MIT */
/* A strip's ring, and gossip on it. Of what is new to its partner a node sends what has the furthest to go that way,
 * and of that what it has learned last: tokens then pass along the ring without a stop, and a node that comes back from
 * its rest does not hold the others up by what it has missed. The last round is a matching in which every node that
 * lacks something has a partner that knows it, by LEMON. */
#include "strip.h"

#include "base/ascending.h"
#include "base/grow.h"

#include "flow/lemon_matching.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

/* ---- the ring ---- */

enum { WIDEST = 3 };

/* index[row * WIDEST + column]: the node there. */
static uint32_t node_at(const uint32_t *index, size_t row, size_t column)
{
    return index[row * WIDEST + column];
}

/* Down one side and up the other. An odd number of wide rows, on top: node (0,2) left out, columns 1 and 2 in turns
 * down, column 0 up. An even number: columns 1 and 0 in turns down, changing over in the last two wide rows. */
static void lay_ring(const gfab_strip_shape *s, const uint32_t *index, uint32_t *ring)
{
    const size_t wide = s->wide_to - s->wide_from;
    size_t n = 0;
    if (wide % 2) {
        ring[n++] = node_at(index, 0, 1);
        for (size_t r = 1; r < s->rows; r++) {
            if (r < wide)
                ring[n++] = node_at(index, r, r % 2 ? 1 : 2);
            ring[n++] = node_at(index, r, r < wide && r % 2 ? 2 : 1);
        }
        for (size_t r = s->rows; r-- > 0;)
            ring[n++] = node_at(index, r, 0);
        return;
    }
    for (size_t r = 0; r < s->wide_from; r++)
        ring[n++] = node_at(index, r, 1);
    for (size_t r = s->wide_from; r < s->wide_to; r += 2) {
        ring[n++] = node_at(index, r, 1);
        ring[n++] = node_at(index, r, 0);
        ring[n++] = node_at(index, r + 1, 0);
        if (r + 2 < s->wide_to)
            ring[n++] = node_at(index, r + 1, 1);
    }
    for (size_t r = s->wide_to; r < s->rows; r++)
        ring[n++] = node_at(index, r, 0);
    for (size_t r = s->rows; r-- > 0;) {
        if (r >= s->wide_to || (wide > 0 && r + 1 == s->wide_to))
            ring[n++] = node_at(index, r, 1);
        if (r < s->wide_to)
            ring[n++] = node_at(index, r, 2);
    }
}

gfab_status gfab_strip_create(gfab_strip_shape shape, gfab_strip *strip)
{
    const size_t wide = shape.wide_to - shape.wide_from;
    const size_t nodes = 2 * shape.rows + wide;
    *strip = (gfab_strip){.nodes = nodes, .ring_length = nodes - wide % 2, .resting = wide % 2 ? wide : 0};
    GFAB_ARRAYS(&strip->arena, nodes, strip->row, strip->column, strip->ring);
    strip->rests = gfab_arena_zeroed(&strip->arena, strip->resting + 1, sizeof *strip->rests);
    strip->ends = gfab_arena_zeroed2(&strip->arena, 4, nodes, sizeof *strip->ends);
    GFAB_FREED uint32_t *index = malloc(shape.rows * WIDEST * sizeof *index);
    GFAB_NEED(!strip->arena.failed && index);
    memset(index, 0xff, shape.rows * WIDEST * sizeof *index);
    uint32_t n = 0;
    for (size_t r = 0; r < shape.rows; r++)
        for (size_t c = 0; c < WIDEST; c++) {
            if ((c == 0 && r < shape.wide_from) || (c == 2 && r >= shape.wide_to))
                continue;
            strip->row[n] = (uint32_t)r;
            strip->column[n] = (uint32_t)c;
            index[r * WIDEST + c] = n;
            const uint32_t beside[2] = {c > 0 ? node_at(index, r, c - 1) : UINT32_MAX,
                                        r > 0 ? node_at(index, r - 1, c) : UINT32_MAX};
            for (int k = 0; k < 2; k++)
                if (beside[k] != UINT32_MAX) {
                    strip->ends[2 * strip->links] = beside[k];
                    strip->ends[2 * strip->links + 1] = n;
                    strip->links++;
                }
            n++;
        }
    lay_ring(&shape, index, strip->ring);
    for (size_t i = 0; i < strip->resting; i++)
        strip->rests[i] = node_at(index, i, i % 2 ? 1 : 2);
    return GFAB_OK;
}

/* ---- packets ---- */

void gfab_strip_packets_release(gfab_strip_packets *packets)
{
    GFAB_FREE(packets->at, packets->tokens);
    *packets = (gfab_strip_packets){0};
}

static gfab_status push_packet(gfab_strip_packets *list, uint32_t round, uint32_t from, uint32_t to,
                               const uint32_t *tokens, size_t count)
{
    GFAB_NEED(gfab_grow(&list->at, list->count, &list->capacity, sizeof *list->at));
    if (list->room - list->used < count) {
        const size_t room = 2 * (list->used + count);
        uint32_t *grown = realloc(list->tokens, room * sizeof *grown);
        GFAB_NEED(grown);
        list->tokens = grown;
        list->room = room;
    }
    memcpy(list->tokens + list->used, tokens, count * sizeof *tokens);
    list->at[list->count++] = (gfab_strip_packet){round, from, to, list->used, count};
    list->used += count;
    return GFAB_OK;
}

/* ---- play ---- */

/* In since[]: the token is unknown; it is known, but another node's to send. */
#define UNKNOWN UINT32_MAX
#define ASIDE (UINT32_MAX - 1)

typedef struct play {
    const gfab_strip *strip;
    size_t tokens;
    uint32_t *since; /* [node * tokens + token] the round in which it was learned, 0 from the start */
    uint32_t *ring;
    uint64_t *keys;   /* [tokens] scratch */
    uint32_t *chosen; /* [tokens] scratch */
    uint32_t *mate;
    uint64_t *weights;
    gfab_strip_packets round_packets;
    gfab_arena arena;
} play;

static void share_out(play *p, const gfab_strip_start *start, gfab_strip_share share)
{
    const gfab_strip *strip = p->strip;
    memset(p->since, 0xff, strip->nodes * p->tokens * sizeof *p->since);
    for (size_t v = 0; v < strip->nodes; v++) {
        const uint32_t class = start->class_of[v];
        size_t members = 0, rank = 0;
        bool gives = true;
        for (size_t w = 0; w < strip->nodes; w++) {
            bool sends = start->class_of[w] == class;
            for (size_t i = 0; i < strip->resting && share == GFAB_STRIP_RING; i++)
                sends = sends && strip->rests[i] != w;
            rank += sends && w < v;
            members += sends;
            if (w == v)
                gives = sends;
        }
        const uint32_t *known = start->known + start->start[class];
        const size_t count = start->start[class + 1] - start->start[class];
        size_t from = 0, to = count;
        if (share != GFAB_STRIP_ALL) {
            from = gives ? count * rank / members : 0;
            to = gives ? count * (rank + 1) / members : 0;
        }
        for (size_t i = 0; i < count; i++)
            p->since[v * p->tokens + known[i]] = i >= from && i < to ? 0 : ASIDE;
    }
}

/* How many nodes from position `at` on, in the direction of step, have yet to learn the token. */
static size_t way_to_go(const play *p, size_t at, size_t step, uint32_t token)
{
    const size_t length = p->strip->ring_length;
    size_t n = 0;
    for (; n < length; n++) {
        const uint32_t since = p->since[p->ring[at] * p->tokens + token];
        if (since != UNKNOWN && since != ASIDE)
            break;
        at += step;
        if (at >= length)
            at -= length;
    }
    return n;
}

/* What the node at position `at` sends to the next one in the direction of step: at most `most` tokens. */
static gfab_status send(play *p, uint32_t round, size_t at, size_t step, uint32_t most)
{
    const size_t to = (at + step) % p->strip->ring_length;
    const uint32_t *mine = p->since + p->ring[at] * p->tokens;
    uint32_t *theirs = p->since + p->ring[to] * p->tokens;
    size_t count = 0;
    for (size_t q = 0; q < p->tokens; q++)
        if (mine[q] < round && theirs[q] == ASIDE)
            theirs[q] = round; /* not sent: it is known there */
        else if (mine[q] < round && theirs[q] == UNKNOWN) {
            const uint64_t way = way_to_go(p, to, step, (uint32_t)q);
            p->keys[count++] = (0xffff - way) << 48 | (uint64_t)(0xffff - mine[q]) << 32 | q;
        }
    qsort(p->keys, count, sizeof *p->keys, gfab_ascending);
    if (count > most)
        count = most;
    for (size_t i = 0; i < count; i++)
        p->chosen[i] = (uint32_t)p->keys[i];
    return count ? push_packet(&p->round_packets, round, p->ring[at], p->ring[to], p->chosen, count) : GFAB_OK;
}

/* The round's packets arrive. */
static gfab_status deliver(play *p, uint32_t *longest, gfab_strip_packets *packets)
{
    *longest = 0;
    for (size_t i = 0; i < p->round_packets.count; i++) {
        const gfab_strip_packet *sent = &p->round_packets.at[i];
        const uint32_t *tokens = p->round_packets.tokens + sent->first;
        for (size_t k = 0; k < sent->count; k++)
            p->since[sent->to * p->tokens + tokens[k]] = sent->round;
        if (sent->count > *longest)
            *longest = (uint32_t)sent->count;
        if (packets)
            GFAB_TRY(push_packet(packets, sent->round, sent->from, sent->to, tokens, sent->count));
    }
    p->round_packets.count = p->round_packets.used = 0;
    return GFAB_OK;
}

/* Of the two ends of a link, how many lack something, all of which the other knows; 0 if there is one whom the other
 * cannot help. */
static uint64_t help(const play *p, const uint32_t *ends)
{
    uint64_t helped = 0;
    for (int k = 0; k < 2; k++) {
        const uint32_t *mine = p->since + ends[k] * p->tokens, *theirs = p->since + ends[1 - k] * p->tokens;
        bool lacks = false;
        for (size_t q = 0; q < p->tokens; q++) {
            if (mine[q] == UNKNOWN && theirs[q] == UNKNOWN)
                return 0;
            lacks = lacks || mine[q] == UNKNOWN;
        }
        helped += lacks;
    }
    return helped;
}

/* The round after the ring's: *complete if there is a matching that leaves nobody without a token, and packets of at
 * most `most` do. */
static gfab_status finish(play *p, uint32_t round, uint32_t most, bool *complete)
{
    const gfab_strip *strip = p->strip;
    uint64_t lacking = 0, helped = 0;
    size_t longest = 0;
    for (size_t v = 0; v < strip->nodes; v++) {
        size_t count = 0;
        for (size_t q = 0; q < p->tokens; q++)
            count += p->since[v * p->tokens + q] == UNKNOWN;
        lacking += count > 0;
        longest = count > longest ? count : longest;
    }
    *complete = lacking == 0;
    if (lacking == 0 || longest > most)
        return GFAB_OK;
    for (size_t i = 0; i < strip->links; i++)
        p->weights[i] = help(p, strip->ends + 2 * i);
    GFAB_TRY(gfab_lemon_matching(strip->nodes, strip->links, strip->ends, p->weights, p->mate, NULL));
    for (size_t i = 0; i < strip->links; i++) {
        const uint32_t *ends = strip->ends + 2 * i;
        if (p->mate[ends[0]] != ends[1])
            continue;
        helped += p->weights[i];
        for (int k = 0; k < 2; k++) {
            size_t count = 0;
            for (size_t q = 0; q < p->tokens; q++)
                if (p->since[ends[1 - k] * p->tokens + q] == UNKNOWN)
                    p->chosen[count++] = (uint32_t)q;
            if (count > 0)
                GFAB_TRY(push_packet(&p->round_packets, round, ends[k], ends[1 - k], p->chosen, count));
        }
    }
    *complete = helped == lacking;
    return GFAB_OK;
}

static gfab_status play_rounds(play *p, const gfab_strip_plan *plan, bool *complete, uint32_t *longest,
                               gfab_strip_packets *packets)
{
    const gfab_strip *strip = p->strip;
    const size_t length = strip->ring_length;
    gfab_status status = GFAB_OK;
    uint32_t until = strip->resting ? plan->rest[0] : plan->rounds; /* the last round before the next one rests */
    size_t turn = 0;
    for (uint32_t round = 1; round <= plan->rounds && status == GFAB_OK; round++) {
        if (round > until) {
            turn++;
            for (size_t i = 0; i < length; i++)
                if (p->ring[i] == strip->rests[turn])
                    p->ring[i] = strip->rests[turn - 1];
            until += plan->rest[turn];
        }
        for (size_t at = (round + plan->shift) % 2; at < length && status == GFAB_OK; at += 2) {
            status = send(p, round, at, 1, plan->most[round - 1]);
            GFAB_THEN(status, send(p, round, (at + 1) % length, length - 1, plan->most[round - 1]));
        }
        GFAB_THEN(status, deliver(p, &longest[round - 1], packets));
    }
    GFAB_THEN(status, finish(p, plan->rounds + 1, plan->most[plan->rounds], complete));
    return status == GFAB_OK ? deliver(p, &longest[plan->rounds], packets) : status;
}

gfab_status gfab_strip_play(const gfab_strip *strip, const gfab_strip_start *start, const gfab_strip_plan *plan,
                            bool *complete, uint32_t *longest, gfab_strip_packets *packets)
{
    play p = {.strip = strip, .tokens = start->tokens};
    *complete = false;
    p.since = gfab_arena_zeroed(&p.arena, strip->nodes * p.tokens + 1, sizeof *p.since);
    p.ring = gfab_arena_zeroed(&p.arena, strip->ring_length, sizeof *p.ring);
    GFAB_ARRAYS(&p.arena, p.tokens + 1, p.keys, p.chosen);
    p.mate = gfab_arena_zeroed(&p.arena, strip->nodes, sizeof *p.mate);
    p.weights = gfab_arena_zeroed(&p.arena, strip->links, sizeof *p.weights);
    gfab_status status = GFAB_ERR_NO_MEMORY;
    if (!p.arena.failed) {
        memcpy(p.ring, strip->ring, strip->ring_length * sizeof *p.ring);
        share_out(&p, start, plan->share);
        status = play_rounds(&p, plan, complete, longest, packets);
    }
    gfab_strip_packets_release(&p.round_packets);
    gfab_arena_release(&p.arena);
    return status;
}
