/* SPDX-License-Identifier: MIT */
/* The end of a search: a lost delivery takes a slot, the one it drives out looks for another, until one finds room
 * (docs/theory/optimal-gossip.md, Search). These are the augmenting paths of bipartite matching, of deliveries with
 * slots, but for this: when a delivery may be made depends on when others are, so a path is checked again as it is
 * applied. */
#include "search_state.h"

#include <gossipfab/base/arena.h>
#include <string.h>

/* Rounds looked at for each port. */
#define SAMPLE 24
/* Deliveries looked at, and found, before a path is given up; the hash table of those found. */
#define PATH_TRIES 4000u
#define PATH_NODES 32000u
#define TABLE_SIZE 65536u
#define NONE UINT32_MAX

typedef struct place {
    gfab_arc arc;
    uint32_t round; /* 0: nowhere */
} place;

/* A delivery that has to look for another slot because that of parent takes its own. */
typedef struct node {
    uint32_t delivery;
    uint32_t orbit;
    uint32_t parent; /* NONE for the lost delivery */
    uint32_t next;   /* in the list of its distance */
    uint32_t entry;  /* in the hash table */
} node;

typedef struct repair {
    gfab_search *s;
    node *nodes; /* [node_capacity]: found in this search */
    uint32_t node_count;
    uint32_t node_capacity;
    uint32_t *table; /* hash table of indices into nodes, plus one; a power of two of them */
    uint32_t table_mask;
    uint32_t *heads;    /* [distance]: lists of nodes still to look at */
    uint32_t *distance; /* [node of the graph]: links to one that could receive in a slot with room */
    uint32_t *queue;    /* [nodes of the graph]: scratch, as path */
    uint32_t *path;
    gfab_arena arena;
} repair;
GFAB_HOLDS_ARENA(repair)

static uint32_t first_out(const gfab_search *s, uint32_t token, uint32_t v)
{
    const uint16_t *came = s->came + (size_t)token * s->nodes;
    const uint16_t *by = s->by + (size_t)token * s->nodes;
    uint32_t first = GFAB_SEARCH_NEVER;
    for (uint32_t i = 0; i < s->degree[v]; i++) {
        const gfab_port *port = &s->ports[v][i];
        if (by[port->peer] == port->peer_port && came[port->peer] < first)
            first = came[port->peer];
    }
    return first;
}

/* The last round in which v may receive token, as it has to pass it on. */
static uint32_t latest(const gfab_search *s, uint32_t token, uint32_t v)
{
    const uint32_t first = first_out(s, token, v);
    if (first == GFAB_SEARCH_NEVER)
        return s->rounds;
    return first > s->lambda ? first - s->lambda : 0;
}

/* The first round in which a node may send token; past the last if none. */
static uint32_t earliest(const gfab_search *s, uint32_t token, uint32_t from)
{
    const uint32_t came = s->came[(size_t)token * s->nodes + from];
    return came == 0 ? 1 : came + s->lambda;
}

static place place_of(const gfab_search *s, uint32_t delivery)
{
    if (s->by[delivery] == GFAB_SEARCH_NO_PORT)
        return (place){0, 0};
    const gfab_port *port = &s->ports[delivery % s->nodes][s->by[delivery]];
    return (place){gfab_search_in_arc(port), s->came[delivery]};
}

static void set_room(gfab_search *s, gfab_arc arc, uint32_t round, bool room)
{
    uint64_t *word = &s->room[(size_t)arc * s->round_words + round / 64];
    const uint64_t bit = (uint64_t)1 << (round % 64);
    if (((*word & bit) != 0) == room)
        return;
    *word ^= bit;
    if (s->room_count[arc] == !room)
        s->arcs_in[s->arc_to[arc]] += room ? 1 : UINT32_MAX;
    s->room_count[arc] += room ? 1 : UINT32_MAX;
}

static bool has_room(const gfab_search *s, gfab_arc arc, uint32_t round)
{
    return s->room[(size_t)arc * s->round_words + round / 64] >> (round % 64) & 1;
}

/* Brings room up to date with a slot. */
static void update_room(gfab_search *s, gfab_arc arc, uint32_t round)
{
    const uint16_t *slot = gfab_search_slot(s, arc, round);
    const bool more = !slot[s->packet - 1];
    for (uint32_t d = 0; d < 2; d++) {
        const gfab_arc other = arc ^ d;
        if (d == 0 || !s->full)
            set_room(s, other, round, more && (!slot[0] || (slot[0] - 1u) % 2 == other % 2));
    }
}

static void take_out_one(gfab_search *s, uint32_t delivery, place at)
{
    uint16_t *slot = gfab_search_slot(s, at.arc, at.round);
    const uint32_t token = delivery / s->nodes;
    uint32_t i = 0, last = s->packet - 1;
    while ((slot[i] - 1u) / 2 != token)
        i++;
    while (!slot[last])
        last--;
    slot[i] = slot[last];
    slot[last] = 0;
    s->came[delivery] = GFAB_SEARCH_NEVER;
    s->by[delivery] = GFAB_SEARCH_NO_PORT;
    update_room(s, at.arc, at.round);
}

static void put_in_one(gfab_search *s, uint32_t delivery, place at)
{
    uint16_t *slot = gfab_search_slot(s, at.arc, at.round);
    const uint32_t token = delivery / s->nodes;
    uint32_t i = 0;
    while (slot[i])
        i++;
    slot[i] = (uint16_t)(1 + 2 * token + at.arc % 2);
    s->came[delivery] = (uint16_t)at.round;
    s->by[delivery] = s->port_to[at.arc];
    update_room(s, at.arc, at.round);
}

static void take_out(gfab_search *s, uint32_t delivery, place at)
{
    for (uint32_t turn = 0; turn < s->turns; turn++) {
        take_out_one(s, delivery, at);
        delivery = gfab_search_turned_delivery(s, delivery);
        at.arc = s->arc_turned[at.arc];
    }
}

static void put_in(gfab_search *s, uint32_t delivery, place at)
{
    for (uint32_t turn = 0; turn < s->turns; turn++) {
        put_in_one(s, delivery, at);
        delivery = gfab_search_turned_delivery(s, delivery);
        at.arc = s->arc_turned[at.arc];
    }
}

/* A round from..to in which an arc has room; 0 if there is none. */
static uint32_t find_room(const gfab_search *s, gfab_arc arc, uint32_t from, uint32_t to)
{
    if (!s->room_count[arc])
        return 0;
    const uint64_t *words = s->room + (size_t)arc * s->round_words;
    for (uint32_t w = from / 64; w <= to / 64; w++) {
        uint64_t bits = words[w];
        if (w == from / 64)
            bits &= UINT64_MAX << (from % 64);
        if (bits) {
            const uint32_t round = w * 64 + (uint32_t)__builtin_ctzll(bits);
            return round <= to ? round : 0;
        }
    }
    return 0;
}

/* Makes a delivery in another slot, which has room; false if the rules do not allow it. */
static bool move(gfab_search *s, uint32_t delivery, place to)
{
    const uint32_t token = delivery / s->nodes, v = delivery % s->nodes;
    if (!has_room(s, to.arc, to.round) || to.round < earliest(s, token, s->arc_from[to.arc]) ||
        to.round > latest(s, token, v))
        return false;
    const place from = place_of(s, delivery);
    if (from.round)
        take_out(s, delivery, from);
    put_in(s, delivery, to);
    return true;
}

/* Links from each node to one that has an arc with room coming in. */
static void set_distances(repair *r)
{
    const gfab_search *s = r->s;
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->nodes; v++) {
        r->distance[v] = s->arcs_in[v] ? 0 : NONE;
        if (s->arcs_in[v])
            r->queue[count++] = v;
    }
    for (uint32_t i = 0; i < count && count < s->nodes; i++) {
        const uint32_t v = r->queue[i];
        for (uint32_t p = 0; p < s->degree[v]; p++) {
            const uint32_t peer = s->ports[v][p].peer;
            if (r->distance[peer] == NONE) {
                r->distance[peer] = r->distance[v] + 1;
                r->queue[count++] = peer;
            }
        }
    }
}

/* Adds a delivery to those to look at, unless it has been seen; false if there is no place for it. */
static bool push(repair *r, uint32_t delivery, uint32_t parent)
{
    const uint32_t orbit = gfab_search_orbit(r->s, delivery);
    uint32_t at = (uint32_t)(orbit * 0x9e3779b1u) >> 8 & r->table_mask;
    for (; r->table[at]; at = (at + 1) & r->table_mask)
        if (r->nodes[r->table[at] - 1].orbit == orbit)
            return true;
    if (r->node_count == r->node_capacity)
        return false;
    const uint32_t index = r->node_count++;
    const uint32_t distance = r->distance[delivery % r->s->nodes];
    r->nodes[index] = (node){delivery, orbit, parent, r->heads[distance], at};
    r->heads[distance] = index;
    r->table[at] = index + 1;
    return true;
}

/* The deliveries that would have to leave a slot for one over arc. */
static void push_victims(repair *r, gfab_arc arc, uint32_t round, uint32_t parent)
{
    const gfab_search *s = r->s;
    const uint16_t *slot = gfab_search_slot(s, arc, round);
    const bool same = slot[0] && (slot[0] - 1u) % 2 == arc % 2;
    if (!same && s->packet > 1 && slot[1])
        return;
    for (uint32_t i = 0; i < s->packet && slot[i]; i++)
        push(r, (slot[i] - 1u) / 2 * s->nodes + s->arc_to[same ? arc : arc ^ 1], parent);
}

/* Looks at all that a delivery could do up to round limit: gives a place with room, or pushes those it would drive
 * out. */
static place expand(repair *r, uint32_t index, uint32_t limit)
{
    gfab_search *s = r->s;
    const uint32_t delivery = r->nodes[index].delivery, token = delivery / s->nodes, v = delivery % s->nodes;
    const uint32_t last = latest(s, token, v), to = last < limit ? last : limit;
    const gfab_port *ports = s->ports[v];
    const uint32_t degree = s->degree[v];
    for (uint32_t p = 0; p < degree; p++) {
        const uint32_t from = earliest(s, token, ports[p].peer);
        const gfab_arc arc = gfab_search_in_arc(&ports[p]);
        const uint32_t round = from <= to ? find_room(s, arc, from, to) : 0;
        if (round)
            return (place){arc, round};
    }
    for (uint32_t p = 0; p < degree; p++) {
        const uint32_t from = earliest(s, token, ports[p].peer);
        const gfab_arc arc = gfab_search_in_arc(&ports[p]);
        if (from > to)
            continue;
        if (to - from < SAMPLE)
            for (uint32_t round = from; round <= to; round++)
                push_victims(r, arc, round, index);
        else
            for (uint32_t i = 0; i < SAMPLE; i++)
                push_victims(r, arc, from + gfab_search_below(s, to - from + 1), index);
    }
    return (place){0, 0};
}

/* Moves deliveries one by one from the end with room backwards. Where one can't go, it stops; what has been moved
 * stays moved, and the room is elsewhere. */
static bool apply(repair *r, uint32_t index, place to)
{
    gfab_search *s = r->s;
    for (;;) {
        const node *at = &r->nodes[index];
        const place from = place_of(s, at->delivery);
        if (!move(s, at->delivery, to))
            return false;
        if (at->parent == NONE)
            return true;
        const uint32_t v = r->nodes[at->parent].delivery % s->nodes;
        to = (place){s->arc_to[from.arc] == v ? from.arc : from.arc ^ 1, from.round};
        index = at->parent;
    }
}

/* Makes a delivery in a round up to limit, with the moves of others that this takes. Best first, by distance to where
 * there is room. */
static bool augment(repair *r, uint32_t delivery, uint32_t limit, uint64_t *steps)
{
    const uint32_t nodes = r->s->nodes;
    for (uint32_t i = 0; i < r->node_count; i++)
        r->table[r->nodes[i].entry] = 0;
    r->node_count = 0;
    set_distances(r);
    for (uint32_t d = 0; d < nodes; d++)
        r->heads[d] = NONE;
    if (r->distance[delivery % nodes] == NONE)
        return false;
    push(r, delivery, NONE);
    for (uint32_t d = 0, tries = 0; d < nodes && tries < PATH_TRIES && *steps;) {
        const uint32_t index = r->heads[d];
        if (index == NONE) {
            d++;
            continue;
        }
        r->heads[d] = r->nodes[index].next;
        tries++;
        --*steps;
        const place to = expand(r, index, index == 0 ? limit : r->s->rounds);
        if (to.round)
            return apply(r, index, to);
        d = 0;
    }
    return false;
}

/* A random step that loses nothing: a lost delivery drives out one that nobody depends on. */
static void wander(repair *r, uint32_t *lost)
{
    gfab_search *s = r->s;
    const uint32_t token = *lost / s->nodes, v = *lost % s->nodes;
    const gfab_port *port = &s->ports[v][gfab_search_below(s, s->degree[v])];
    const uint32_t from = earliest(s, token, port->peer);
    if (from > s->rounds)
        return;
    const gfab_arc arc = gfab_search_in_arc(port);
    const uint32_t round = from + gfab_search_below(s, s->rounds - from + 1);
    const uint16_t *slot = gfab_search_slot(s, arc, round);
    uint32_t count = 0;
    while (count < s->packet && slot[count])
        count++;
    if (!count)
        return;
    const bool same = (slot[0] - 1u) % 2 == arc % 2;
    if (!same && count > 1)
        return;
    const gfab_arc victim_arc = same ? arc : arc ^ 1;
    const uint32_t victim = (slot[gfab_search_below(s, count)] - 1u) / 2 * s->nodes + s->arc_to[victim_arc];
    if (first_out(s, victim / s->nodes, victim % s->nodes) != GFAB_SEARCH_NEVER)
        return;
    take_out(s, victim, (place){victim_arc, round});
    put_in(s, *lost, (place){arc, round});
    *lost = victim;
}

/* Makes the deliveries that bring a lost token to a neighbour earlier where it can, so that the lost one gets more
 * rounds to choose from. */
static void advance(repair *r, uint32_t lost, uint64_t *steps)
{
    gfab_search *s = r->s;
    const uint32_t token = lost / s->nodes, v = lost % s->nodes;
    uint32_t at = s->ports[v][gfab_search_below(s, s->degree[v])].peer;
    uint32_t count = 0;
    for (;;) {
        const uint32_t delivery = token * s->nodes + at;
        if (s->by[delivery] == GFAB_SEARCH_NO_PORT)
            break;
        r->path[count++] = at;
        at = s->ports[at][s->by[delivery]].peer;
    }
    while (count > 0) {
        const uint32_t delivery = token * s->nodes + r->path[--count];
        if (s->came[delivery] > 1)
            augment(r, delivery, s->came[delivery] - 1u, steps);
    }
}

static void find_all_room(gfab_search *s)
{
    memset(s->room, 0, (size_t)s->arcs * s->round_words * sizeof *s->room);
    memset(s->room_count, 0, s->arcs * sizeof *s->room_count);
    memset(s->arcs_in, 0, s->nodes * sizeof *s->arcs_in);
    for (gfab_arc arc = 0; arc < s->arcs; arc += s->full ? 1 : 2)
        for (uint32_t round = 1; round <= s->rounds; round++)
            update_room(s, arc, round);
}

static gfab_status run(repair *r, uint64_t steps)
{
    gfab_search *s = r->s;
    const uint64_t total = (uint64_t)s->nodes * (s->nodes - 1) / s->turns;
    uint32_t at = 0, failures = 0;
    while (s->missing && steps) {
        if (at >= s->missing)
            at = 0;
        steps--;
        if (augment(r, s->lost[at], s->rounds, &steps)) {
            s->lost[at] = s->lost[--s->missing];
            failures = 0;
        } else {
            at++;
            failures++;
        }
        GFAB_TRY(gfab_solver_report(s->options, "deliveries", total - s->missing, total));
        if (failures >= s->missing && s->missing) {
            failures = 0;
            for (uint32_t i = 0; i < s->missing; i++)
                if (gfab_search_random(s) % 2)
                    wander(r, &s->lost[i]);
                else
                    advance(r, s->lost[i], &steps);
        }
    }
    return GFAB_OK;
}

gfab_status gfab_search_repair(gfab_search *s, uint64_t steps)
{
    GFAB_AT_END(repair_release) repair r = {.s = s, .node_capacity = PATH_NODES, .table_mask = TABLE_SIZE - 1};
    r.nodes = gfab_arena_zeroed(&r.arena, r.node_capacity, sizeof *r.nodes);
    r.table = gfab_arena_zeroed(&r.arena, TABLE_SIZE, sizeof *r.table);
    GFAB_ARRAYS(&r.arena, s->nodes, r.heads, r.distance, r.queue, r.path);
    GFAB_NEED(!r.arena.failed);
    find_all_room(s);
    return run(&r, steps);
}
