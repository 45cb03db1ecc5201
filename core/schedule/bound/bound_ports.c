/* SPDX-License-Identifier: MIT */
/* The bound in rounds that follows from the best rate with one port: what the messages of a certificate weigh, over
 * what a round's matching carries of them. Some rounds carry less.
 *
 * - The first ones of a broadcast: a message comes from a node that has something. These are nodes that something can
 *   have come to, and at most twice as many after a round as before; each of them sends over one link. What enters the
 *   root's part is none that counts.
 * - The last ones of a broadcast and an all-gather. A certificate counts the first message of a block that enters a
 *   part. If a member of the part is D links away from what is outside, then that message is no later than round
 *   R - D + 1 of R.
 *
 * Both are counted for the certificate that the game ends with, and, where there is a root, for that of all messages
 * alike: many certificates may say the same of a long vector, and that of a few nodes beside the root says little of
 * the first rounds.
 *
 * Reduces and reduce-scatters are the same backwards in time. Example: a broadcast of 100 blocks on complete:8, half
 * duplex, has 700 messages, 4 a round; the first two rounds carry 1 and 2, so that it takes 2 + ceil(697 / 4) = 177
 * rounds, two more than 700 / 4. */
#include "bound_internal.h"

#include "base/ascending.h"
#include "flow/lemon_matching.h"
#include "rate/port_rate.h"

#include <gossipfab/base/arena.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct few {
    uint64_t rounds, weight; /* the first or last rounds, and what these carry at most */
} few;

/* Everything is seen as in a broadcast: a reduce's and a reduce-scatter's arcs are turned round, and its rounds. */
typedef struct ramp {
    const gfab_topology *topology;
    const gfab_certificate *c;
    size_t nodes, links;
    bool turned, rooted;
    uint32_t root;
    uint32_t *distance; /* [nodes]: from the root */
    uint32_t *deep;     /* [terms * nodes]: D of the node's part; UINT32_MAX: no member is in it */
    uint32_t *queue, *mate, *ends;
    uint64_t *weight; /* [links] */
    uint64_t *sends;  /* [nodes]: the most over one link, as in a broadcast; sorted */
    gfab_arena arena;
} ramp;

/* A link's end that a message comes from, as in a broadcast. */
static uint32_t tail_of(const ramp *r, gfab_arc arc)
{
    return r->ends[arc ^ r->turned];
}

/* D of all parts of a term: how far its nodes are from the nearest one outside, and the farthest member. */
static gfab_status find_deep(ramp *r, const gfab_certificate *term, uint32_t *deep)
{
    uint32_t *near = malloc(r->nodes * sizeof *near), *most = calloc(term->parts, sizeof *most);
    bool changed = near && most;
    for (size_t v = 0; v < r->nodes && changed; v++)
        near[v] = UINT32_MAX - 1;
    while (changed) {
        changed = false;
        for (gfab_arc arc = 0; arc < 2 * r->links; arc++) {
            const uint32_t from = tail_of(r, arc), to = tail_of(r, arc ^ 1);
            const uint32_t there = term->part[from] != term->part[to] ? 1 : near[from] + 1;
            if (gfab_topology_arc_weight(r->topology, arc) && there < near[to]) {
                near[to] = there;
                changed = true;
            }
        }
    }
    for (size_t v = 0; v < r->nodes && near && most; v++)
        if (!gfab_topology_is_relay(r->topology, (uint32_t)v) && near[v] > most[term->part[v]])
            most[term->part[v]] = near[v];
    for (size_t v = 0; v < r->nodes && near && most; v++)
        deep[v] = most[term->part[v]] ? most[term->part[v]] : UINT32_MAX;
    const bool done = near && most;
    free(near);
    free(most);
    return done ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static gfab_status open(ramp *r)
{
    const gfab_port_certificate *ports = r->c->ports;
    r->distance = gfab_arena_zeroed(&r->arena, r->nodes, sizeof *r->distance);
    r->deep = gfab_arena_zeroed2(&r->arena, ports->terms, r->nodes, sizeof *r->deep);
    r->queue = gfab_arena_zeroed(&r->arena, r->nodes, sizeof *r->queue);
    r->mate = gfab_arena_zeroed(&r->arena, r->nodes, sizeof *r->mate);
    r->ends = gfab_arena_zeroed2(&r->arena, 2, r->links, sizeof *r->ends);
    r->weight = gfab_arena_zeroed(&r->arena, r->links, sizeof *r->weight);
    r->sends = gfab_arena_zeroed(&r->arena, r->nodes, sizeof *r->sends);
    gfab_status status = r->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    for (gfab_arc arc = 0; arc < 2 * r->links && status == GFAB_OK; arc++)
        r->ends[arc] = gfab_topology_link(r->topology, arc / 2).node[arc % 2];
    for (uint32_t i = 0; i < ports->terms && status == GFAB_OK; i++)
        status = find_deep(r, &ports->term[i], r->deep + i * r->nodes);
    if (status == GFAB_OK && r->rooted)
        (r->turned ? gfab_topology_distances_to : gfab_topology_distances)(r->topology, r->root, r->distance, r->queue);
    return status;
}

/* What an arc's messages may weigh in a round: something has come so many links far, and so many rounds are left. */
static uint64_t carry_over(const ramp *r, gfab_arc arc, uint32_t far, uint32_t left)
{
    const gfab_port_certificate *ports = r->c->ports;
    const uint32_t from = tail_of(r, arc), to = tail_of(r, arc ^ 1);
    const uint64_t room = r->c->link_mode == GFAB_LINK_FULL ? gfab_topology_arc_weight(r->topology, arc)
                                                            : gfab_topology_weight(r->topology, arc / 2);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ports->terms && (!r->rooted || r->distance[from] <= far); i++) {
        const uint32_t *part = ports->term[i].part;
        const bool enters = part[from] != part[to] && !(r->rooted && part[to] == part[r->root]) &&
                            !(ports->term[i].cut && part[r->turned ? to : from] != 0);
        if (enters && r->deep[i * r->nodes + to] <= left)
            sum += ports->factor[i] * room;
    }
    return sum;
}

/* What a round carries at most, if so many nodes have something: each of them sends over one link. */
static gfab_status carry(ramp *r, uint32_t far, uint32_t left, uint64_t informed, uint64_t *most)
{
    const bool full = r->c->link_mode == GFAB_LINK_FULL;
    uint64_t sum = 0, sent = 0;
    memset(r->sends, 0, r->nodes * sizeof *r->sends);
    for (size_t l = 0; l < r->links; l++) {
        uint64_t way[2];
        for (uint32_t i = 0; i < 2; i++) {
            const gfab_arc arc = (gfab_arc)(2 * l + i);
            uint64_t *sends = &r->sends[tail_of(r, arc)];
            way[i] = carry_over(r, arc, far, left);
            *sends = way[i] > *sends ? way[i] : *sends;
        }
        const uint64_t both = full ? way[0] + way[1] : way[0] > way[1] ? way[0] : way[1];
        r->weight[l] = both < GFAB_MATCHING_MAX_WEIGHT ? both : 0;
    }
    const gfab_status status = gfab_lemon_matching(r->nodes, r->links, r->ends, r->weight, r->mate, NULL);
    for (size_t l = 0; l < r->links && status == GFAB_OK; l++)
        sum += r->mate[r->ends[2 * l]] == r->ends[2 * l + 1] ? r->weight[l] : 0;
    qsort(r->sends, r->nodes, sizeof *r->sends, gfab_descending);
    for (size_t v = 0; v < r->nodes && v < informed; v++)
        sent += r->sends[v];
    *most = sent < sum ? sent : sum;
    return status;
}

/* The rounds at one end that carry less than others do, of packets of one token. */
static gfab_status find_few(ramp *r, bool late, few *ends)
{
    gfab_status status = GFAB_OK;
    for (uint32_t k = 0; k < r->nodes && status == GFAB_OK; k++) {
        uint64_t most = 0;
        status = late ? carry(r, UINT32_MAX, k + 1, UINT64_MAX, &most)
                      : carry(r, k, UINT32_MAX - 1, k < 32 ? (uint64_t)1 << k : UINT64_MAX, &most);
        if (status != GFAB_OK || most >= r->c->capacity)
            break;
        ends->weight += most;
        ends->rounds++;
    }
    return status;
}

/* first: of a broadcast as it is seen. */
static gfab_status find_ramps(const gfab_topology *topology, const gfab_certificate *c, few *first, few *last)
{
    const gfab_collective collective = c->goal.collective;
    ramp r = {.topology = topology,
              .c = c,
              .nodes = gfab_topology_node_count(topology),
              .links = gfab_topology_link_count(topology),
              .turned = gfab_collective_combines(collective),
              .rooted = gfab_collective_has_root(collective)};
    r.root = r.rooted ? gfab_topology_member(topology, c->goal.root) : 0;
    gfab_status status = open(&r);
    if (r.rooted)
        GFAB_THEN(status, find_few(&r, false, first));
    GFAB_THEN(status, find_few(&r, true, last));
    gfab_arena_release(&r.arena);
    return status;
}

/* The bound that a certificate is, in rounds. alike: all messages weigh the same, and it says no more than the count
 * does but for the first and last rounds. */
static gfab_status add_certificate(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                   const gfab_goal *goal, const gfab_certificate *c, bool alike)
{
    few first = {0, 0}, last = {0, 0};
    gfab_status status = GFAB_OK;
    if (model->packet_tokens == 1 && goal->collective != GFAB_ALL_REDUCE)
        status = find_ramps(topology, c, &first, &last);
    if (gfab_collective_combines(goal->collective)) {
        const few swap = first; /* backwards in time */
        first = last;
        last = swap;
    }
    const char *name = alike ? "start" : "matchings", *source = "Edmonds 1965; gossipfab, docs/theory/one-port.md";
    const char *weights = alike ? "all alike" : "gossipfab bound --certificate names the weights";
    const uint64_t groups = goal->blocks / c->goal.blocks, room = c->capacity * model->packet_tokens;
    const uint64_t weight = c->demand <= UINT64_MAX / groups ? groups * c->demand : 0;
    const uint64_t some = first.weight + last.weight, rounds = first.rounds + last.rounds;
    if (status != GFAB_OK || room / model->packet_tokens != c->capacity)
        return status;
    if (weight > some && rounds)
        gfab_bound_add(list, name, rounds + gfab_divide_up(weight - some, room), source,
                       "A round's links are a matching, which carries %" PRIu64 " of messages that weigh %" PRIu64
                       " together (%s); the first %" PRIu64 " and the last %" PRIu64
                       " rounds carry no more than %" PRIu64 ".",
                       room, weight, weights, first.rounds, last.rounds, some);
    else if (!alike)
        gfab_bound_add(list, name, gfab_divide_up(weight, room), source,
                       "A round's links are a matching, which carries %" PRIu64 " of messages that weigh %" PRIu64
                       " together; %s.",
                       room, weight, weights);
    return status;
}

/* A broadcast's messages, each of the same weight: half duplex what goes between nodes; full duplex what enters each
 * node but the root, so that nothing that enters the root counts. Of a reduce what leaves them. */
static gfab_status count_alike(const gfab_topology *topology, gfab_certificate *c)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology), root = c->goal.root;
    const bool full = c->link_mode == GFAB_LINK_FULL, out = c->goal.collective == GFAB_REDUCE;
    gfab_port_certificate *ports = c->ports;
    ports->term = calloc(nodes, sizeof *ports->term);
    ports->factor = calloc(nodes, sizeof *ports->factor);
    if (!ports->term || !ports->factor)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < (full ? nodes : 1); i++) {
        if (full && i == root)
            continue;
        gfab_certificate *term = &ports->term[ports->terms];
        *term = (gfab_certificate){.goal = c->goal, .link_mode = c->link_mode, .cut = full, .parts = full ? 2 : nodes};
        term->part = calloc(nodes, sizeof *term->part);
        ports->factor[ports->terms++] = 1;
        if (!term->part)
            return GFAB_ERR_NO_MEMORY;
        for (uint32_t v = 0; v < nodes; v++)
            term->part[v] = full ? (v == i) != out : v;
    }
    return GFAB_OK;
}

/* Where many certificates say the same of long vectors, the one that the game ends with may be of a few nodes, which
 * are soon at work. So the first rounds are held against that of all messages, too. */
static gfab_status add_alike(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                             const gfab_goal *goal)
{
    const size_t links = gfab_topology_link_count(topology);
    gfab_certificate c = {.goal = *goal, .link_mode = model->link_mode, .ports = calloc(1, sizeof *c.ports)};
    uint32_t *ends = malloc(2 * links * sizeof *ends);
    c.goal.blocks = 1;
    for (gfab_arc arc = 0; arc < 2 * links && ends; arc++)
        ends[arc] = gfab_topology_link(topology, arc / 2).node[arc % 2];
    gfab_status status = ends && c.ports ? count_alike(topology, &c) : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_port_weigh(topology, ends, c.ports));
    GFAB_THEN(status, gfab_certificate_count(topology, &c, &c.demand, &c.capacity));
    GFAB_THEN(status, add_certificate(list, topology, model, goal, &c, true));
    gfab_certificate_release(&c);
    free(ends);
    return status == GFAB_ERR_LIMIT ? GFAB_OK : status;
}

gfab_status gfab_bound_add_ports(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                 const gfab_goal *goal, const gfab_progress *progress)
{
    gfab_certificate c;
    bool tight;
    const bool rooted = gfab_collective_has_root(goal->collective) && model->packet_tokens == 1;
    if (gfab_topology_node_count(topology) * gfab_topology_link_count(topology) > GFAB_BOUND_MAX_PORTS)
        return GFAB_OK;
    const double known = rooted ? 0 : (double)list->bounds[0].rounds * model->packet_tokens / goal->blocks;
    gfab_status status =
        gfab_port_rate(topology, model->link_mode, goal, known, GFAB_PORT_FEW_STEPS, progress, &c, &tight, NULL);
    if (status != GFAB_OK)
        return status == GFAB_ERR_UNSUPPORTED || status == GFAB_ERR_LIMIT ? GFAB_OK : status;
    status = add_certificate(list, topology, model, goal, &c, false);
    if (rooted && gfab_topology_is_plain(topology))
        GFAB_THEN(status, add_alike(list, topology, model, goal));
    gfab_certificate_release(&c);
    return status;
}
