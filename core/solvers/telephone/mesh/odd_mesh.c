/* SPDX-License-Identifier: MIT */
/* Lemmas 3 and 4. The strip of columns 0 and 1 is three wide in its first k rows, k odd, and so has one node more than
 * its ring; the next strips are three wide in the rows below, at most k - 1 of them each, and the last ones nowhere
 * (Figure 2; k = rows: Figure 1). The first strip needs most; what its packets hold is found by playing it with one
 * limit for all rounds of the ring, the least that does, for every way to share out the rests. The others keep to its
 * packets' sizes. */
#include "odd_mesh.h"

#include "strip.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 3 }; /* columns of a strip */

/* How long each of `count` nodes rests, all alike as far as can be. Each rests an even number of rounds, but the last
 * one: so a node that comes back has already passed on what its neighbours on the ring wait for. `longer` of them, the
 * first or the last ones, rest 2 rounds more. False where the last would rest for long or not at all. */
static bool set_rests(uint32_t rounds, uint32_t count, uint32_t longer, bool first, uint32_t *rest)
{
    const uint32_t even = rounds / count / 2 * 2;
    uint32_t sum = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        rest[i] = even + ((first ? i < longer : i + 1 + longer >= count) ? 2 : 0);
        sum += rest[i];
    }
    if (sum >= rounds || rounds - sum > even + 4)
        return false;
    rest[count - 1] = rounds - sum;
    return true;
}

typedef struct choice {
    size_t wide;     /* k */
    uint32_t rounds; /* on the ring */
    uint32_t shift;
    gfab_strip_share share;
    uint32_t *longest; /* [rounds + 1] */
    uint32_t *rest;
    gfab_cost cost; /* of the whole */
} choice;

typedef struct search {
    const gfab_odd_mesh *mesh;
    const gfab_cost *limit;
    size_t strips;
    size_t tokens;
    size_t missing;    /* tokens that the node lacks that lacks most */
    size_t largest;    /* class */
    uint32_t *classes; /* [2][nodes of a strip]: of the first strip and of another */
    uint32_t *most;    /* [rounds]: scratch, as the lists that follow */
    uint32_t *longest, *other, *rest;
    choice best;
    bool found;
} search;

static gfab_strip_shape shape_of(const gfab_odd_mesh *m, size_t wide, size_t number)
{
    if (number == 0)
        return (gfab_strip_shape){m->rows, 0, wide};
    const size_t from = wide + (number - 1) * (wide - 1);
    const size_t to = from + wide - 1;
    return (gfab_strip_shape){m->rows, from < m->rows ? from : m->rows, to < m->rows ? to : m->rows};
}

static uint32_t mesh_node(const gfab_odd_mesh *m, const gfab_strip *strip, size_t number, uint32_t node)
{
    return (uint32_t)(strip->row[node] * m->row_stride + (2 * number + strip->column[node]) * m->column_stride);
}

/* The strips of different shapes: the first, those with wide rows, one without. All others are like the last one. */
static size_t shapes(const search *s, size_t wide)
{
    size_t n = 1;
    while (n < s->strips && shape_of(s->mesh, wide, n - 1).wide_to < s->mesh->rows)
        n++;
    return n < s->strips ? n + 1 : n;
}

/* Whether so many rounds and steps more are allowed, and cheaper than the limit and what has been found. */
static bool improves(const search *s, uint32_t rounds, uint64_t steps)
{
    gfab_cost cost = s->mesh->before;
    cost.startups += rounds;
    cost.transfers += steps;
    if (s->mesh->options->rounds && cost.startups > s->mesh->options->rounds)
        return false;
    const gfab_cost *least = s->found ? &s->best.cost : s->limit;
    return !least || gfab_cost_compare(&cost, least, s->mesh->startup) < 0;
}

/* The strip, and the classes of its nodes. To be released whatever is returned. */
static gfab_status open_strip(const search *s, size_t wide, size_t number, gfab_strip *strip, gfab_strip_start *start)
{
    const gfab_odd_mesh *m = s->mesh;
    uint32_t *classes = s->classes + (number > 0) * WIDEST * m->rows;
    *start = (gfab_strip_start){s->tokens, classes, m->start, m->known};
    GFAB_TRY(gfab_strip_create(shape_of(m, wide, number), strip));
    for (size_t v = 0; v < strip->nodes; v++)
        classes[v] = m->class_of[mesh_node(m, strip, number, (uint32_t)v)];
    return GFAB_OK;
}

/* A strip that is not the first, with packets of at most what the first one's hold: any way to share out what its rows
 * know that does. */
static gfab_status play_other(const search *s, const choice *c, size_t number, const uint32_t *most,
                              gfab_strip_packets *packets, bool *complete)
{
    GFAB_AT_END(gfab_strip_release) gfab_strip strip = {0};
    gfab_strip_start start;
    gfab_status status = open_strip(s, c->wide, number, &strip, &start);
    *complete = false;
    for (uint32_t way = 0; way < 2 * GFAB_STRIP_SHARES && status == GFAB_OK && !*complete; way++) {
        const gfab_strip_plan plan = {c->rounds, way % 2, (gfab_strip_share)(way / 2), NULL, most};
        if (packets)
            packets->count = packets->used = 0;
        status = gfab_strip_play(&strip, &start, &plan, complete, s->other, packets);
    }
    return status;
}

/* Plays the first strip with s->most and s->rest, and keeps the choice if it is the cheapest and the others keep up. */
static gfab_status consider(search *s, const gfab_strip *strip, const gfab_strip_start *start, choice c, bool *complete)
{
    const gfab_strip_plan plan = {c.rounds, c.shift, c.share, s->rest, s->most};
    GFAB_TRY(gfab_strip_play(strip, start, &plan, complete, s->longest, NULL));
    if (!*complete)
        return GFAB_OK;
    uint64_t steps = 0;
    for (uint32_t round = 0; round <= c.rounds; round++)
        steps += s->longest[round];
    const uint32_t rounds = c.rounds + (s->longest[c.rounds] > 0);
    bool keeps_up = improves(s, rounds, steps);
    const size_t count = shapes(s, c.wide);
    for (size_t number = 1; number < count && keeps_up; number++)
        GFAB_TRY(play_other(s, &c, number, s->longest, NULL, &keeps_up));
    if (!keeps_up)
        return GFAB_OK;
    c.cost = s->mesh->before;
    c.cost.startups += rounds;
    c.cost.transfers += steps;
    c.longest = s->best.longest;
    c.rest = s->best.rest;
    memcpy(c.longest, s->longest, (c.rounds + 1) * sizeof *c.longest);
    memcpy(c.rest, s->rest, strip->resting * sizeof *c.rest);
    s->best = c;
    s->found = true;
    return GFAB_OK;
}

/* With packets of at most `limit` tokens, every way to share out the rests and what the rows know. */
static gfab_status try_limit(search *s, const gfab_strip *strip, const gfab_strip_start *start, choice c,
                             uint32_t limit, bool *any)
{
    const uint32_t count = c.wide < (c.rounds + 1) / 2 ? (uint32_t)c.wide : (c.rounds + 1) / 2;
    GFAB_TRY(gfab_solver_report(s->mesh->options, "strips", s->mesh->rows - c.wide, s->mesh->rows));
    for (uint32_t round = 0; round < c.rounds; round++)
        s->most[round] = limit;
    s->most[c.rounds] = UINT32_MAX;
    for (uint32_t longer = 0; longer < 2 * count; longer++) {
        if (!set_rests(c.rounds, count, longer / 2, longer % 2, s->rest))
            continue;
        uint32_t longest = 0;
        for (uint32_t i = 0; i < count; i++)
            longest = s->rest[i] > longest ? s->rest[i] : longest;
        for (uint32_t way = 0; way < 2 * GFAB_STRIP_SHARES; way++) {
            /* While it rests, but for round 1, a node gets nothing. */
            if (!improves(s, c.rounds, s->missing + (uint64_t)(longest - 1) * limit))
                break;
            c.shift = way % 2;
            c.share = (gfab_strip_share)(way / 2);
            bool complete = false;
            GFAB_TRY(consider(s, strip, start, c, &complete));
            *any = *any || complete;
        }
    }
    return GFAB_OK;
}

/* As many rounds as it takes to go round the ring, and one more; the least limit that does. */
static gfab_status try_width(search *s, size_t wide)
{
    GFAB_AT_END(gfab_strip_release) gfab_strip strip = {0};
    gfab_strip_start start;
    GFAB_TRY(open_strip(s, wide, 0, &strip, &start));
    const uint32_t least = (uint32_t)(strip.ring_length / 2);
    for (uint32_t rounds = least; rounds <= least + 1; rounds++) {
        const choice c = {.wide = wide, .rounds = rounds};
        size_t limit = (s->missing + rounds - 1) / rounds;
        limit += limit == 0;
        for (bool any = false; !any && limit <= s->largest + 1; limit++)
            GFAB_TRY(try_limit(s, &strip, &start, c, (uint32_t)limit, &any));
    }
    return GFAB_OK;
}

/* Every k for which the wide rows of all strips make up the mesh; the largest first, which needs the fewest steps: then
 * little of the rest is worth a try. */
static gfab_status find(search *s)
{
    const gfab_odd_mesh *m = s->mesh;
    for (size_t wide = m->rows; wide >= 3; wide -= 2)
        if (shape_of(m, wide, s->strips - 1).wide_to == m->rows &&
            improves(s, (uint32_t)(m->rows + wide / 2), s->missing))
            GFAB_TRY(try_width(s, wide));
    return GFAB_OK;
}

/* ---- the schedule ---- */

static gfab_status append_round(const search *s, uint32_t round, const gfab_strip *strips,
                                const gfab_strip_packets *packets, size_t *next, gfab_schedule *schedule)
{
    const gfab_odd_mesh *m = s->mesh;
    const size_t count = shapes(s, s->best.wide);
    for (size_t number = 0; number < s->strips; number++) {
        const size_t like = number < count ? number : count - 1;
        size_t i = next[like];
        for (; i < packets[like].count && packets[like].at[i].round == round; i++) {
            const gfab_strip_packet *p = &packets[like].at[i];
            gfab_arc arc = 0;
            if (!gfab_topology_find_arc(m->topology, mesh_node(m, &strips[like], number, p->from),
                                        mesh_node(m, &strips[like], number, p->to), &arc))
                return GFAB_ERR_INVALID;
            GFAB_TRY(gfab_schedule_append_packet(schedule, (uint32_t)m->before.startups + round, &arc, 1,
                                                 packets[like].tokens + p->first, p->count));
        }
        if (number + 1 < count || number + 1 == s->strips) /* the last that sends this */
            next[like] = i;
    }
    return GFAB_OK;
}

static gfab_status append_strips(search *s, gfab_schedule *schedule)
{
    const choice *c = &s->best;
    const size_t count = shapes(s, c->wide);
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    gfab_strip *strips = gfab_arena_zeroed(&arena, count, sizeof *strips);
    gfab_strip_packets *packets = gfab_arena_zeroed(&arena, count, sizeof *packets);
    size_t *next = gfab_arena_zeroed(&arena, count, sizeof *next);
    gfab_status status = arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    bool complete = true;
    for (size_t number = 0; number < count && status == GFAB_OK; number++) {
        gfab_strip_start start;
        status = open_strip(s, c->wide, number, &strips[number], &start);
        const gfab_strip_plan plan = {c->rounds, c->shift, c->share, c->rest, c->longest};
        if (status == GFAB_OK && number == 0)
            status = gfab_strip_play(&strips[0], &start, &plan, &complete, s->other, &packets[0]);
        else if (status == GFAB_OK)
            status = play_other(s, c, number, c->longest, &packets[number], &complete);
        if (status == GFAB_OK && !complete)
            status = GFAB_ERR_INVALID;
    }
    for (uint32_t round = 1; round <= c->rounds + 1 && status == GFAB_OK; round++)
        status = append_round(s, round, strips, packets, next, schedule);
    for (size_t number = 0; number < count && !arena.failed; number++) {
        gfab_strip_release(&strips[number]);
        gfab_strip_packets_release(&packets[number]);
    }
    return status;
}

gfab_status gfab_odd_mesh_build(const gfab_odd_mesh *mesh, const gfab_cost *limit, gfab_schedule *schedule, bool *found)
{
    search s = {
        .mesh = mesh, .limit = limit, .strips = mesh->columns / 2, .tokens = gfab_schedule_token_count(schedule)};
    *found = false;
    size_t least = s.tokens;
    for (size_t v = 0; v < mesh->columns * mesh->rows; v++) {
        const size_t size = mesh->start[mesh->class_of[v] + 1] - mesh->start[mesh->class_of[v]];
        least = size < least ? size : least;
        s.largest = size > s.largest ? size : s.largest;
    }
    s.missing = s.tokens - least;
    const size_t rounds = 2 * mesh->rows + 2; /* a ring has up to (3 rows + 1) / 2, and there is one more */
    GFAB_FREED uint32_t *lists = malloc((2 * WIDEST * mesh->rows + 6 * rounds) * sizeof *lists);
    GFAB_NEED(lists);
    s.classes = lists;
    s.most = lists + 2 * WIDEST * mesh->rows;
    s.longest = s.most + rounds;
    s.other = s.longest + rounds;
    s.rest = s.other + rounds;
    s.best.longest = s.rest + rounds;
    s.best.rest = s.best.longest + rounds;
    GFAB_TRY(find(&s));
    if (s.found)
        GFAB_TRY(append_strips(&s, schedule));
    *found = s.found;
    return GFAB_OK;
}
