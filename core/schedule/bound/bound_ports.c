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
 * Both are counted for the certificate that the game ends with, and, where there is a root, for those of messages that
 * weigh the same, between all nodes or between larger parts: many certificates may say the same of a long vector, and
 * that of a few nodes beside the root says little of the first rounds.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MERGED 2048u /* nodes times links of a graph whose parts are tried */

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
GFAB_HOLDS_ARENA(ramp)

/* A link's end that a message comes from, as in a broadcast. */
static uint32_t tail_of(const ramp *r, gfab_arc arc)
{
    return r->ends[arc ^ r->turned];
}

/* D of all parts of a term: how far its nodes are from the nearest one outside, and the farthest member. */
static gfab_status find_deep(ramp *r, const gfab_certificate *term, uint32_t *deep)
{
    GFAB_FREED uint32_t *near = malloc(r->nodes * sizeof *near), *most = calloc(term->parts, sizeof *most);
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
    GFAB_TRY(r->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK);
    for (gfab_arc arc = 0; arc < 2 * r->links; arc++)
        r->ends[arc] = gfab_topology_link(r->topology, arc / 2).node[arc % 2];
    for (uint32_t i = 0; i < ports->terms; i++)
        GFAB_TRY(find_deep(r, &ports->term[i], r->deep + i * r->nodes));
    if (r->rooted)
        (r->turned ? gfab_topology_distances_to : gfab_topology_distances)(r->topology, r->root, r->distance, r->queue);
    return GFAB_OK;
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
    GFAB_TRY(gfab_lemon_matching(r->nodes, r->links, r->ends, r->weight, r->mate, NULL));
    for (size_t l = 0; l < r->links; l++)
        sum += r->mate[r->ends[2 * l]] == r->ends[2 * l + 1] ? r->weight[l] : 0;
    qsort(r->sends, r->nodes, sizeof *r->sends, gfab_descending);
    for (size_t v = 0; v < r->nodes && v < informed; v++)
        sent += r->sends[v];
    *most = sent < sum ? sent : sum;
    return GFAB_OK;
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
    GFAB_AT_END(ramp_release)
    ramp r = {.topology = topology,
              .c = c,
              .nodes = gfab_topology_node_count(topology),
              .links = gfab_topology_link_count(topology),
              .turned = gfab_collective_combines(collective),
              .rooted = gfab_collective_has_root(collective)};
    r.root = r.rooted ? gfab_topology_member(topology, c->goal.root) : 0;
    GFAB_TRY(open(&r));
    if (r.rooted)
        GFAB_TRY(find_few(&r, false, first));
    return find_few(&r, true, last);
}

/* A certificate's bound: what the first and the last rounds carry, all messages, and what any round carries. */
typedef struct claim {
    few first, last;
    uint64_t weight, room;
    uint32_t parts; /* of messages that weigh the same; 0: they do not */
    double rounds;  /* before they are rounded up */
} claim;

static gfab_status make_claim(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                              const gfab_certificate *c, claim *said)
{
    const uint64_t groups = goal->blocks / c->goal.blocks;
    *said = (claim){.weight = c->demand <= UINT64_MAX / groups ? groups * c->demand : 0,
                    .room = c->capacity * model->packet_tokens};
    if (said->room / model->packet_tokens != c->capacity)
        return GFAB_ERR_LIMIT;
    if (model->packet_tokens == 1 && goal->collective != GFAB_ALL_REDUCE)
        GFAB_TRY(find_ramps(topology, c, &said->first, &said->last));
    if (gfab_collective_combines(goal->collective)) {
        const few swap = said->first; /* backwards in time */
        said->first = said->last;
        said->last = swap;
    }
    const uint64_t some = said->first.weight + said->last.weight;
    if (said->weight > some)
        said->rounds = (double)(said->first.rounds + said->last.rounds) + (double)(said->weight - some) / said->room;
    return GFAB_OK;
}

/* The bound in rounds. Where messages weigh the same it is for the first and last rounds that it is made. */
static void add_claim(gfab_bound_list *list, const claim *said, size_t nodes)
{
    const bool alike = said->parts > 0;
    const char *name = alike ? "start" : "matchings", *source = "Edmonds 1965; gossipfab, docs/theory/one-port.md";
    char weights[64] = "gossipfab bound --certificate names the weights";
    if (alike)
        snprintf(weights, sizeof weights, said->parts < nodes ? "all alike, between %u parts" : "all alike",
                 said->parts);
    const few *first = &said->first, *last = &said->last;
    const uint64_t some = first->weight + last->weight, rounds = first->rounds + last->rounds;
    if (said->weight > some && rounds)
        gfab_bound_add(list, name, rounds + gfab_divide_up(said->weight - some, said->room), source,
                       "A round's links are a matching, which carries %" PRIu64 " of messages that weigh %" PRIu64
                       " together (%s); the first %" PRIu64 " and the last %" PRIu64
                       " rounds carry no more than %" PRIu64 ".",
                       said->room, said->weight, weights, first->rounds, last->rounds, some);
    else if (!alike)
        gfab_bound_add(list, name, gfab_divide_up(said->weight, said->room), source,
                       "A round's links are a matching, which carries %" PRIu64 " of messages that weigh %" PRIu64
                       " together; %s.",
                       said->room, said->weight, weights);
}

/* A broadcast's messages between parts of the nodes, each of the same weight: half duplex what goes between any two,
 * full duplex what enters each part but the root's, so that nothing that enters that one counts. Of a reduce what
 * leaves them. */
static gfab_status count_alike(const gfab_topology *topology, const uint32_t *part, uint32_t parts, gfab_certificate *c)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology), root = part[c->goal.root];
    const bool full = c->link_mode == GFAB_LINK_FULL, out = c->goal.collective == GFAB_REDUCE;
    gfab_port_certificate *ports = c->ports;
    ports->term = calloc(parts, sizeof *ports->term);
    ports->factor = calloc(parts, sizeof *ports->factor);
    GFAB_NEED(ports->term && ports->factor);
    for (uint32_t i = 0; i < (full ? parts : 1); i++) {
        if (full && i == root)
            continue;
        gfab_certificate *term = &ports->term[ports->terms];
        *term = (gfab_certificate){.goal = c->goal, .link_mode = c->link_mode, .cut = full, .parts = full ? 2 : parts};
        term->part = calloc(nodes, sizeof *term->part);
        ports->factor[ports->terms++] = 1;
        GFAB_NEED(term->part);
        for (uint32_t v = 0; v < nodes; v++)
            term->part[v] = full ? (part[v] == i) != out : part[v];
    }
    return GFAB_OK;
}

typedef struct asked {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_goal *goal;
    size_t nodes, links;
    uint32_t *ends; /* two nodes a link */
} asked;

/* What is said of so many parts. */
static gfab_status claim_alike(const asked *a, const uint32_t *part, uint32_t parts, claim *said)
{
    GFAB_AT_END(gfab_certificate_release)
    gfab_certificate c = {.goal = *a->goal, .link_mode = a->model->link_mode, .ports = calloc(1, sizeof *c.ports)};
    c.goal.blocks = 1;
    *said = (claim){.rounds = 0};
    gfab_status status = c.ports ? count_alike(a->topology, part, parts, &c) : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_port_weigh(a->topology, a->ends, c.ports));
    GFAB_THEN(status, gfab_certificate_count(a->topology, &c, &c.demand, &c.capacity));
    GFAB_THEN(status, make_claim(a->topology, a->model, a->goal, &c, said));
    said->parts = parts;
    return status;
}

/* Two parts become one: `from` goes, and the last number with it. */
static void merge(size_t nodes, uint32_t into, uint32_t from, uint32_t parts, const uint32_t *part, uint32_t *merged)
{
    for (size_t v = 0; v < nodes; v++) {
        merged[v] = part[v] == from ? into : part[v];
        merged[v] = merged[v] == parts - 1 && from != parts - 1 ? from : merged[v];
    }
}

/* Merges the two parts whose union says most, if that is more than what is said: the link between them, or as many as
 * there are links. */
static gfab_status find_merge(const asked *a, const uint32_t *part, uint32_t parts, uint32_t *merged, claim *best,
                              size_t *link)
{
    *link = a->links;
    for (size_t l = 0; l < a->links; l++) {
        const uint32_t into = part[a->ends[2 * l]], from = part[a->ends[2 * l + 1]];
        claim said;
        if (into == from)
            continue;
        merge(a->nodes, into, from, parts, part, merged);
        GFAB_TRY(claim_alike(a, merged, parts - 1, &said));
        if (said.rounds > best->rounds) {
            *best = said;
            *link = l;
        }
    }
    return GFAB_OK;
}

/* Where many certificates say the same of long vectors, the one that the game ends with may be of a few nodes, which
 * are soon at work. So the first rounds are held against that of all messages, too; and against that of the messages
 * between fewer parts, as long as that says more. */
static gfab_status add_alike(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                             const gfab_goal *goal)
{
    asked a = {.topology = topology,
               .model = model,
               .goal = goal,
               .nodes = gfab_topology_node_count(topology),
               .links = gfab_topology_link_count(topology)};
    uint32_t parts = (uint32_t)a.nodes;
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    uint32_t *part = gfab_arena_zeroed(&arena, a.nodes, sizeof *part);
    uint32_t *merged = gfab_arena_zeroed(&arena, a.nodes, sizeof *merged);
    claim best = {.rounds = 0};
    a.ends = gfab_arena_zeroed2(&arena, 2, a.links, sizeof *a.ends);
    gfab_status status = arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    for (gfab_arc arc = 0; arc < 2 * a.links && status == GFAB_OK; arc++)
        a.ends[arc] = gfab_topology_link(topology, arc / 2).node[arc % 2];
    for (uint32_t v = 0; v < a.nodes && status == GFAB_OK; v++)
        part[v] = v;
    GFAB_THEN(status, claim_alike(&a, part, parts, &best));
    for (bool more = a.nodes * a.links <= MOST_MERGED; more && parts > 2 && status == GFAB_OK;) {
        size_t link;
        status = find_merge(&a, part, parts, merged, &best, &link);
        more = status == GFAB_OK && link < a.links;
        if (!more)
            continue;
        merge(a.nodes, part[a.ends[2 * link]], part[a.ends[2 * link + 1]], parts--, part, merged);
        memcpy(part, merged, a.nodes * sizeof *part);
    }
    if (status == GFAB_OK)
        add_claim(list, &best, a.nodes);
    return status == GFAB_ERR_LIMIT ? GFAB_OK : status;
}

gfab_status gfab_bound_add_ports(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                 const gfab_goal *goal, const gfab_progress *progress)
{
    GFAB_AT_END(gfab_certificate_release) gfab_certificate c = {0};
    bool tight;
    const bool rooted = gfab_collective_has_root(goal->collective) && model->packet_tokens == 1;
    if (gfab_topology_node_count(topology) * gfab_topology_link_count(topology) > GFAB_BOUND_MAX_PORTS)
        return GFAB_OK;
    const double known = rooted ? 0 : (double)list->bounds[0].rounds * model->packet_tokens / goal->blocks;
    gfab_status status =
        gfab_port_rate(topology, model->link_mode, goal, known, GFAB_PORT_FEW_STEPS, progress, &c, &tight, NULL);
    if (status != GFAB_OK)
        return status == GFAB_ERR_UNSUPPORTED || status == GFAB_ERR_LIMIT ? GFAB_OK : status;
    claim said;
    status = make_claim(topology, model, goal, &c, &said);
    if (status == GFAB_OK)
        add_claim(list, &said, 0);
    else if (status == GFAB_ERR_LIMIT)
        status = GFAB_OK;
    if (rooted && gfab_topology_is_plain(topology))
        GFAB_THEN(status, add_alike(list, topology, model, goal));
    return status;
}
