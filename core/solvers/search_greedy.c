/* SPDX-License-Identifier: MIT */
/* The start of a search: rounds filled one after the other, rarest token first (docs/optimal-gossip.md, Search). */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* Shares and weights are in units of 1 / ONE. */
#define ONE 65536

typedef struct style {
    uint32_t sample;           /* tokens looked at for one place in a packet */
    int64_t lack_weight;       /* of what the receiver lacks, against a lag of one behind the target */
    uint32_t holder_weight;    /* of a token's holders */
    uint32_t neighbour_weight; /* of the receiver's neighbours that hold it */
    int32_t front_weight;      /* of each place along the long side that a token has yet to reach, if this is on the way */
    bool inward_first;         /* links of the long side point to the middle until that share is used up */
} style;

typedef struct greedy {
    gfab_search *s;
    style style;
    uint32_t words;
    uint64_t *held;    /* [node * words]: got by now, moves chosen in this round included */
    uint64_t *ready;   /* the part of held that may leave in this round */
    uint32_t *holders; /* [token] */
    uint32_t *lacks;   /* [node]: tokens it does not hold */
    uint32_t *uses;    /* [arc] */
    uint32_t *share;   /* [link]: target share of direction 0 */
    uint8_t *inward;   /* [link]: 0 or 1, the direction to the middle of the long side; 2 for none */
    uint8_t *colour;   /* [node]: of a two-colouring, if there is one */
    uint32_t *order;   /* the links, shuffled each round */
    uint32_t *place;   /* [node]: along the long side */
    uint32_t *front[2]; /* [token]: lowest and highest place of its holders */
    uint32_t long_side;
} greedy;

static bool has(const greedy *g, const uint64_t *set, uint32_t node, uint32_t token)
{
    return set[(size_t)node * g->words + token / 64] >> (token % 64) & 1;
}

static void add(const greedy *g, uint64_t *set, uint32_t node, uint32_t token)
{
    set[(size_t)node * g->words + token / 64] |= (uint64_t)1 << (token % 64);
}

/* The share of rounds in which a link should point from node[0] to node[1]: in a mesh c / side for the link behind
 * the first c coordinates, which makes every node receive at the same rate; else 1/2. */
static void set_shares(greedy *g)
{
    const gfab_topology *topology = g->s->topology;
    const bool mesh = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_MESH;
    uint32_t long_stride = 1;
    g->long_side = 1;
    uint32_t stride = 1;
    for (size_t d = gfab_topology_dimensions(topology); d-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, d);
        if (side > g->long_side) {
            g->long_side = side;
            long_stride = stride;
        }
        stride *= side;
    }
    for (uint32_t v = 0; v < g->s->nodes; v++)
        g->place[v] = v / long_stride % g->long_side;
    for (uint32_t l = 0; l < g->s->arcs / 2; l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        g->share[l] = ONE / 2;
        g->inward[l] = 2;
        stride = 1;
        for (size_t d = gfab_topology_dimensions(topology); mesh && d-- > 0;) {
            const uint32_t side = gfab_topology_side(topology, d);
            const uint32_t a = link.node[0] / stride % side, b = link.node[1] / stride % side;
            if (a != b) {
                g->share[l] = (uint32_t)((uint64_t)(a + 1) * ONE / side);
                if (stride == long_stride && 2 * (a + 1) != side)
                    g->inward[l] = 2 * (a + 1) > side;
            }
            stride *= side;
        }
    }
}

/* Colours by distance from node 0. */
static gfab_status set_colours(greedy *g)
{
    uint32_t *distances = calloc(2 * (size_t)g->s->nodes, sizeof *distances);
    if (!distances)
        return GFAB_ERR_NO_MEMORY;
    gfab_topology_distances(g->s->topology, 0, distances, distances + g->s->nodes);
    for (uint32_t v = 0; v < g->s->nodes; v++)
        g->colour[v] = distances[v] % 2;
    free(distances);
    return GFAB_OK;
}

/* Smaller is better. */
static int64_t token_key(const greedy *g, uint32_t to, uint32_t token)
{
    const gfab_search *s = g->s;
    int64_t holding = 0;
    for (uint32_t i = 0; i < s->degree[to]; i++)
        holding += has(g, g->held, s->ports[to][i].peer, token);
    int64_t key = (int64_t)g->style.holder_weight * g->holders[token] + g->style.neighbour_weight * holding;
    if (g->style.front_weight) {
        if (g->place[to] < g->front[0][token])
            key -= (int64_t)g->style.front_weight * g->front[0][token];
        else if (g->place[to] > g->front[1][token])
            key -= (int64_t)g->style.front_weight * (g->long_side - 1 - g->front[1][token]);
    }
    return key;
}

/* The best tokens for a packet over an arc, best first, of a sample that starts at a random place; how many. */
static uint32_t choose(greedy *g, uint32_t from, uint32_t to, uint32_t *tokens)
{
    const uint32_t packet = g->s->packet, sample = g->style.sample + 2 * (packet - 1);
    const uint64_t *ready = g->ready + (size_t)from * g->words, *held = g->held + (size_t)to * g->words;
    int64_t keys[GFAB_SEARCH_MAX_PACKET];
    uint32_t seen = 0, count = 0;
    uint32_t w = gfab_search_below(g->s, g->words);
    for (uint32_t i = 0; i < g->words && seen < sample; i++, w = w + 1 < g->words ? w + 1 : 0) {
        for (uint64_t bits = ready[w] & ~held[w]; bits && seen < sample; bits &= bits - 1, seen++) {
            const uint32_t token = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (count == packet && !g->style.front_weight &&
                (int64_t)g->style.holder_weight * g->holders[token] >= keys[count - 1])
                continue;
            const int64_t key = token_key(g, to, token);
            if (count == packet && key >= keys[count - 1])
                continue;
            uint32_t at = count < packet ? count++ : count - 1;
            for (; at > 0 && keys[at - 1] > key; at--) {
                keys[at] = keys[at - 1];
                tokens[at] = tokens[at - 1];
            }
            keys[at] = key;
            tokens[at] = token;
        }
    }
    return count;
}

static void send(greedy *g, uint32_t round, gfab_arc arc, const uint32_t *tokens, uint32_t count)
{
    gfab_search *s = g->s;
    const uint32_t to = s->arc_to[arc];
    const gfab_port *ports = s->ports[to];
    uint8_t port = 0;
    while (ports[port].link != arc / 2)
        port++;
    uint16_t *slot = gfab_search_slot(s, arc, round);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t token = tokens[i];
        const size_t delivery = (size_t)token * s->nodes + to;
        s->came[delivery] = (uint16_t)round;
        s->by[delivery] = port;
        slot[i] = (uint16_t)(1 + 2 * token + arc % 2);
        add(g, g->held, to, token);
        g->holders[token]++;
        if (g->place[to] < g->front[0][token])
            g->front[0][token] = g->place[to];
        if (g->place[to] > g->front[1][token])
            g->front[1][token] = g->place[to];
    }
    g->uses[arc]++;
    g->lacks[to] -= count;
    s->missing -= count;
}

/* How far behind its target a direction of a link is. */
static int64_t lag(const greedy *g, uint32_t round, gfab_arc arc)
{
    const uint32_t link = arc / 2;
    const int64_t share = arc % 2 ? ONE - (int64_t)g->share[link] : g->share[link];
    int64_t target = share * round;
    if (g->style.inward_first && g->inward[link] < 2) {
        const bool inward = g->inward[link] == arc % 2;
        const int64_t rounds = g->s->rounds, all = (inward ? share : ONE - share) * rounds;
        const int64_t behind = all / rounds * g->long_side / ONE;
        int64_t in = (int64_t)round * ONE / 2;
        if (round > 2 * behind && rounds > 2 * behind)
            in = behind * ONE + (round - 2 * behind) * (all - behind * ONE) / (rounds - 2 * behind);
        target = inward ? in : (int64_t)round * ONE - in;
    }
    return target - ONE * (int64_t)g->uses[arc];
}

/* Half duplex: true if direction 0 comes first. In packets of several tokens the direction that fills more of the
 * packet; nodes of one colour receive in round 1 and those of the other in round 2, so that they have much to give
 * after that. */
static bool forward_first(greedy *g, uint32_t round, uint32_t link)
{
    const gfab_search *s = g->s;
    const gfab_arc arc = 2 * link;
    const uint32_t a = s->arc_from[arc], b = s->arc_to[arc];
    if (s->packet > 1) {
        if (round <= 2 && g->colour[a] != g->colour[b])
            return g->colour[b] == round % 2;
        uint32_t ab = 0, ba = 0;
        const uint64_t *ra = g->ready + (size_t)a * g->words, *rb = g->ready + (size_t)b * g->words;
        const uint64_t *ha = g->held + (size_t)a * g->words, *hb = g->held + (size_t)b * g->words;
        for (uint32_t w = 0; w < g->words && (ab < s->packet || ba < s->packet); w++) {
            ab += (uint32_t)__builtin_popcountll(ra[w] & ~hb[w]);
            ba += (uint32_t)__builtin_popcountll(rb[w] & ~ha[w]);
        }
        ab = ab < s->packet ? ab : s->packet;
        ba = ba < s->packet ? ba : s->packet;
        if (ab != ba)
            return ab > ba;
    }
    const int64_t score = lag(g, round, arc) - lag(g, round, arc + 1) +
                          g->style.lack_weight * ((int64_t)g->lacks[b] - (int64_t)g->lacks[a]);
    return score != 0 ? score > 0 : gfab_search_random(g->s) % 2;
}

static void use_link(greedy *g, uint32_t round, uint32_t link)
{
    const gfab_search *s = g->s;
    uint32_t tokens[GFAB_SEARCH_MAX_PACKET];
    const gfab_arc first = 2 * link + (s->full || forward_first(g, round, link) ? 0 : 1);
    for (uint32_t d = 0; d < 2; d++) {
        const gfab_arc arc = first ^ d;
        const uint32_t count = choose(g, s->arc_from[arc], s->arc_to[arc], tokens);
        if (!count)
            continue;
        send(g, round, arc, tokens, count);
        if (!s->full)
            return;
    }
}

/* What came lambda rounds ago may leave from this round on. */
static void release(greedy *g, uint32_t round)
{
    const gfab_search *s = g->s;
    if (round <= s->lambda)
        return;
    for (uint32_t c = 0; c < s->channels; c++) {
        const uint16_t *slot = s->slots + ((size_t)c * (s->rounds + 1) + round - s->lambda) * s->packet;
        for (uint32_t i = 0; i < s->packet && slot[i]; i++) {
            const gfab_arc arc = s->full ? c : 2 * c + (slot[i] - 1) % 2;
            add(g, g->ready, s->arc_to[arc], (uint32_t)(slot[i] - 1) / 2);
        }
    }
}

static void shuffle(greedy *g)
{
    for (uint32_t i = g->s->arcs / 2; i > 1; i--) {
        const uint32_t j = gfab_search_below(g->s, i), link = g->order[i - 1];
        g->order[i - 1] = g->order[j];
        g->order[j] = link;
    }
}

static gfab_status run(greedy *g)
{
    gfab_search *s = g->s;
    const uint64_t total = s->missing;
    for (uint32_t round = 1; round <= s->rounds && s->missing; round++) {
        release(g, round);
        shuffle(g);
        for (uint32_t i = 0; i < s->arcs / 2; i++)
            use_link(g, round, g->order[i]);
        const gfab_status status = gfab_solver_report(s->options, "deliveries", total - s->missing, total);
        if (status != GFAB_OK)
            return status;
    }
    return GFAB_OK;
}

static gfab_status allocate(greedy *g)
{
    const size_t nodes = g->s->nodes, links = g->s->arcs / 2;
    g->held = calloc(nodes * g->words, sizeof *g->held);
    g->ready = calloc(nodes * g->words, sizeof *g->ready);
    g->holders = calloc(nodes, sizeof *g->holders);
    g->lacks = calloc(nodes, sizeof *g->lacks);
    g->uses = calloc(2 * links, sizeof *g->uses);
    g->share = calloc(links, sizeof *g->share);
    g->inward = calloc(links, sizeof *g->inward);
    g->colour = calloc(nodes, sizeof *g->colour);
    g->order = calloc(links, sizeof *g->order);
    g->place = calloc(nodes, sizeof *g->place);
    g->front[0] = calloc(nodes, sizeof *g->front[0]);
    g->front[1] = calloc(nodes, sizeof *g->front[1]);
    return g->held && g->ready && g->holders && g->lacks && g->uses && g->share && g->inward && g->colour &&
                   g->order && g->place && g->front[0] && g->front[1]
               ? GFAB_OK
               : GFAB_ERR_NO_MEMORY;
}

static void release_memory(greedy *g)
{
    free(g->held);
    free(g->ready);
    free(g->holders);
    free(g->lacks);
    free(g->uses);
    free(g->share);
    free(g->inward);
    free(g->colour);
    free(g->order);
    free(g->place);
    free(g->front[0]);
    free(g->front[1]);
}

static gfab_status list_lost(gfab_search *s)
{
    if (s->missing > s->lost_capacity) {
        uint32_t *lost = realloc(s->lost, s->missing * sizeof *lost);
        if (!lost)
            return GFAB_ERR_NO_MEMORY;
        s->lost = lost;
        s->lost_capacity = s->missing;
    }
    size_t count = 0;
    for (size_t i = 0; count < s->missing; i++)
        if (s->came[i] == GFAB_SEARCH_NEVER)
            s->lost[count++] = (uint32_t)i;
    return GFAB_OK;
}

gfab_status gfab_search_greedy(gfab_search *s, uint32_t which)
{
    static const style styles[] = {
        {.sample = 16, .lack_weight = ONE * 3 / 10, .holder_weight = 16, .neighbour_weight = 1},
        {.sample = 4096, .lack_weight = 3 * ONE, .holder_weight = 1, .neighbour_weight = 3, .front_weight = 4,
         .inward_first = true},
    };
    greedy g = {.s = s, .style = styles[which], .words = (s->nodes + 63) / 64};
    gfab_status status = allocate(&g);
    if (status == GFAB_OK)
        status = set_colours(&g);
    if (status == GFAB_OK) {
        set_shares(&g);
        for (uint32_t token = 0; token < s->nodes; token++) {
            const uint32_t home = s->home[token];
            add(&g, g.held, home, token);
            add(&g, g.ready, home, token);
            s->came[(size_t)token * s->nodes + home] = 0;
            g.holders[token] = 1;
            g.lacks[home] = s->nodes - 1;
            g.front[0][token] = g.front[1][token] = g.place[home];
        }
        for (uint32_t l = 0; l < s->arcs / 2; l++)
            g.order[l] = l;
        s->missing = s->nodes * (s->nodes - 1);
        status = run(&g);
    }
    release_memory(&g);
    return status == GFAB_OK ? list_lost(s) : status;
}
