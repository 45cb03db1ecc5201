/* SPDX-License-Identifier: MIT */
/* A full-duplex schedule in half duplex: its packets, in their order, each in the first round in which it may go and
 * finds room. A link of weight w carries w packets a round there, both ways together. So a round becomes two where the
 * weights are even, as the edges of a graph of degree 2 w are two parts of degree w each (Petersen 1891), and up to
 * three where they are 1: three members on one switch, each of which sends to the next one, take three rounds, since
 * two packets would meet on a link. What the first packets leave free later ones take, a round or several after it.
 *
 * Nothing that a node does changes. Of a block every packet leaves after those that came in earlier rounds, and comes
 * after those that left by then: so what is combined, or stored in its place, stays the same. Packets of a round that
 * wait for each other, as two nodes do that exchange their sums, go in one round; where a contribution may count twice,
 * they need not. */
#include "halves.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Entries of a table: links times rounds, nodes times blocks. */
#define MOST_CELLS ((size_t)1 << 26)

typedef struct placed {
    uint32_t round;    /* 0: none yet */
    uint32_t token;    /* with GFAB_COMBINE where it is combined */
    uint32_t from, to; /* node * blocks + block */
    uint32_t length;
    size_t first; /* of its path */
} placed;

typedef struct halves {
    const gfab_topology *topology;
    const gfab_model *model;
    bool early; /* a contribution may count twice, and what comes leaves a node free to send in the next round */
    placed *list;
    gfab_arc *arcs;
    size_t count, room, arc_count, arc_room;
    /* [node * blocks + block]: when the last packet came, and left; how many of the round that is being placed are to
     * leave. */
    uint32_t *came, *left, *waiting;
    uint32_t *used; /* [round][arc] */
    uint32_t *open; /* [arc]: before this round there is no room */
    uint32_t rounds;
    size_t round_room;
    gfab_arena arena;
} halves;

static size_t arcs_of(const halves *h)
{
    return 2 * gfab_topology_link_count(h->topology);
}

static gfab_status grow_rounds(halves *h, uint32_t round)
{
    if (round < h->round_room)
        return GFAB_OK;
    const size_t arcs = arcs_of(h), room = 2 * (size_t)round + 64;
    uint32_t *used = room < MOST_CELLS / arcs ? realloc(h->used, room * arcs * sizeof *used) : NULL;
    if (!used)
        return room < MOST_CELLS / arcs ? GFAB_ERR_NO_MEMORY : GFAB_ERR_LIMIT;
    memset(used + h->round_room * arcs, 0, (room - h->round_room) * arcs * sizeof *used);
    h->used = used;
    h->round_room = room;
    return GFAB_OK;
}

/* Room for one more packet over an arc in a round. */
static bool has_room(const halves *h, uint32_t round, gfab_arc arc)
{
    const uint32_t *used = h->used + round * arcs_of(h);
    return used[arc] < gfab_topology_arc_weight(h->topology, arc) &&
           used[arc] + used[arc ^ 1] < gfab_topology_weight(h->topology, arc / 2);
}

static void put(halves *h, const placed *p, uint32_t round, bool in)
{
    uint32_t *used = h->used + round * arcs_of(h);
    for (uint32_t i = 0; i < p->length; i++)
        used[h->arcs[p->first + i]] += in ? 1 : UINT32_MAX;
}

static bool fits(const halves *h, const placed *p, uint32_t round)
{
    bool room = true;
    for (uint32_t i = 0; i < p->length && room; i++)
        room = has_room(h, round, h->arcs[p->first + i]);
    return room;
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* May it come before what leaves its end leaves there? That has more contributions in it then. */
static bool may_be_early(const halves *h, const placed *p)
{
    return h->early && p->token & GFAB_COMBINE;
}

/* The first round in which a packet may go, and in which no link of its way is full. */
static uint32_t earliest(halves *h, const placed *p)
{
    const uint32_t came = h->came[p->from], left = may_be_early(h, p) ? 0 : h->left[p->to];
    uint32_t round = later(came ? came + h->model->hop_rounds : 1, later(left, h->came[p->to] + 1));
    for (uint32_t i = 0; i < p->length; i++) {
        const gfab_arc arc = h->arcs[p->first + i];
        uint32_t *open = &h->open[arc];
        while (*open < h->round_room && !has_room(h, *open, arc))
            ++*open;
        round = later(round, *open);
    }
    return round;
}

static bool is_of(const placed *p, uint32_t token)
{
    return !p->round && (p->token & ~GFAB_COMBINE) == (token & ~GFAB_COMBINE);
}

/* Do all packets of the token find room in the round? They have it then. */
static bool put_all(halves *h, const placed *begin, const placed *end, uint32_t round)
{
    const placed *p = begin;
    for (; p < end && (!is_of(p, begin->token) || fits(h, p, round)); p++)
        if (is_of(p, begin->token))
            put(h, p, round, true);
    for (const placed *k = begin; k < p && p < end; k++)
        if (is_of(k, begin->token))
            put(h, k, round, false);
    return p == end;
}

/* The packets from the first one on that have its token and no round yet get one, together. */
static gfab_status place(halves *h, placed *begin, placed *end)
{
    const uint32_t token = begin->token;
    uint32_t round = 1;
    for (const placed *p = begin; p < end; p++)
        if (is_of(p, token))
            round = later(round, earliest(h, p));
    gfab_status status = grow_rounds(h, round);
    while (status == GFAB_OK && !put_all(h, begin, end, round)) {
        const bool empty = round > h->rounds;
        status = empty ? GFAB_ERR_UNSUPPORTED : grow_rounds(h, ++round);
    }
    for (placed *p = begin; p < end && status == GFAB_OK; p++)
        if (is_of(p, token)) {
            p->round = round;
            h->left[p->from] = later(h->left[p->from], round);
            h->waiting[p->from]--;
        }
    h->rounds = later(h->rounds, round);
    return status;
}

/* The packets of a round: first those to nodes that have sent what they had of the block; where each waits for another,
 * those of a block together. */
static gfab_status place_round(halves *h, placed *begin, placed *end)
{
    for (const placed *p = begin; p < end; p++)
        h->waiting[p->from]++;
    for (placed *first = begin; first < end;) {
        bool placed_some = false;
        for (placed *p = first; p < end; p++)
            if (!p->round && (!h->waiting[p->to] || may_be_early(h, p))) {
                GFAB_TRY(place(h, p, p + 1));
                placed_some = true;
            }
        while (first < end && first->round)
            first++;
        if (first < end && !placed_some)
            GFAB_TRY(place(h, first, end));
    }
    for (const placed *p = begin; p < end; p++)
        h->came[p->to] = later(h->came[p->to], p->round);
    return GFAB_OK;
}

static gfab_status read_round(halves *h, const gfab_schedule *full, uint32_t round, uint32_t blocks)
{
    gfab_packet_iter it = gfab_schedule_round(full, round);
    for (gfab_packet packet; gfab_packet_next(&it, &packet);) {
        const size_t length = packet.arc_count;
        if (packet.token_count != 1)
            return GFAB_ERR_UNSUPPORTED;
        GFAB_NEED(gfab_grow(&h->list, h->count, &h->room, sizeof *h->list));
        const uint32_t block = packet.tokens[0] & ~GFAB_COMBINE;
        h->list[h->count++] =
            (placed){.token = packet.tokens[0],
                     .from = gfab_topology_arc_from(h->topology, packet.arcs[0]) * blocks + block,
                     .to = gfab_topology_arc_to(h->topology, packet.arcs[length - 1]) * blocks + block,
                     .length = (uint32_t)length,
                     .first = h->arc_count};
        for (size_t i = 0; i < length; i++) {
            GFAB_NEED(gfab_grow(&h->arcs, h->arc_count, &h->arc_room, sizeof *h->arcs));
            h->arcs[h->arc_count++] = packet.arcs[i];
        }
    }
    return GFAB_OK;
}

static int by_round(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

gfab_status gfab_halves_build(const gfab_schedule *full, const gfab_solver_options *options, gfab_schedule *schedule,
                              gfab_diag *diag)
{
    halves h = {.topology = gfab_schedule_topology(full), .model = gfab_schedule_model(schedule)};
    h.early = gfab_schedule_goal(full).idempotent && h.model->hop_rounds == 1;
    const uint32_t blocks = (uint32_t)gfab_schedule_token_count(full), rounds = gfab_schedule_rounds(full);
    const size_t cells = gfab_topology_node_count(h.topology) * blocks;
    gfab_status status = cells > MOST_CELLS ? GFAB_ERR_LIMIT : gfab_schedule_check_listed(full, diag);
    if (status == GFAB_OK) {
        GFAB_ARRAYS(&h.arena, cells, h.came, h.left, h.waiting);
        h.open = gfab_arena_zeroed(&h.arena, arcs_of(&h), sizeof *h.open);
        status = h.arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    }
    for (uint32_t round = 1; round <= rounds && status == GFAB_OK; round++) {
        const size_t first = h.count;
        status = gfab_solver_report(options, "rounds in half duplex", round - 1, rounds);
        GFAB_THEN(status, read_round(&h, full, round, blocks));
        GFAB_THEN(status, place_round(&h, h.list + first, h.list + h.count));
    }
    if (status == GFAB_OK && h.count)
        qsort(h.list, h.count, sizeof *h.list, by_round);
    for (size_t i = 0; i < h.count && status == GFAB_OK; i++)
        status = gfab_schedule_append_packet(schedule, h.list[i].round, h.arcs + h.list[i].first, h.list[i].length,
                                             &h.list[i].token, 1);
    if (status == GFAB_ERR_LIMIT)
        gfab_fail(diag, 0, status, "too many rounds or blocks for packets to be placed anew in half duplex");
    else if (status == GFAB_ERR_UNSUPPORTED)
        gfab_fail(diag, 0, status, "what two nodes exchange in a round finds no room in one in half duplex");
    gfab_arena_release(&h.arena);
    GFAB_FREE(h.list, h.arcs, h.used);
    return status;
}
