/* SPDX-License-Identifier: MIT */
/* The start of a search: rounds filled one after the other, rarest token first (docs/theory/optimal-gossip.md, Search).
 * */
#include "search_state.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

/* Shares and weights are in units of 1 / ONE. */
#define ONE 65536
/* Of a rank, against a holder: more than there can be. */
#define RANK_WEIGHT ((int64_t)1 << 32)

/* A slack of this many hops or more is as good as any. */
#define FAR 4
/* Over all nodes, until what each link carries either way is balanced. */
#define MAX_SWEEPS 1000u
/* Above this the slack, which takes a table of all pairs, is not looked at. */
#define MAX_SLACK_NODES 4096u
/* Links given packets between two reports, and the one at a round's end. */
#define LINKS_A_REPORT 4096u

typedef struct style {
    uint32_t sample;      /* tokens looked at for one place in a packet, those that go first left out */
    int64_t lack_weight;  /* of what the receiver lacks, against a lag of one behind the target */
    uint32_t peer_weight; /* of a neighbour of the receiver that holds the token, against a holder anywhere */
    bool line_first;      /* tokens go first along the line of the long side that they start on */
    bool slack_first;     /* tokens go first that can barely reach the farthest node in time */
} style;

typedef struct greedy {
    gfab_search *s;
    style style;
    uint32_t words;
    uint64_t *held;       /* [node * words]: got by now, moves chosen in this round included */
    uint64_t *ready;      /* the part of held that may leave in this round */
    uint64_t *line_homes; /* [node * words]: with line_first, the tokens that start on the node's line */
    uint16_t *depth;      /* [token * nodes + node]: with slack_first, how far shortest paths go on from the node */
    uint32_t *holders;    /* [token] */
    uint64_t *holder_set; /* [token * words]: where dense, the nodes that hold it */
    uint64_t *peer_set;   /* [node * words]: where dense, its neighbours */
    uint32_t *lacks;      /* [node]: tokens it does not hold */
    uint32_t *uses;       /* [arc] */
    uint32_t *share;      /* [link]: target share of direction 0 */
    uint32_t *behind;     /* [link]: in a mesh, for links along the long side, places behind its outer end, else 0 */
    uint8_t *inward;      /* [link]: the direction to the middle, where behind is not 0 */
    uint8_t *colour;      /* [node]: of a two-colouring, if there is one */
    uint32_t *order;      /* the links, shuffled each round; one of each four that are turns of each other */
    uint32_t order_count;
    bool dense; /* some node has more neighbours than a set has words, which are then quicker to count in */
    gfab_arena arena;
} greedy;
GFAB_HOLDS_ARENA(greedy)

/* What goes into a packet. */
typedef struct choice {
    uint32_t count;
    int32_t rank; /* of the best token: lower goes first, whatever the targets say */
    uint32_t tokens[GFAB_SEARCH_MAX_PACKET];
    int64_t keys[GFAB_SEARCH_MAX_PACKET]; /* smaller is better */
} choice;

static bool has(const greedy *g, const uint64_t *set, uint32_t node, uint32_t token)
{
    return set[(size_t)node * g->words + token / 64] >> (token % 64) & 1;
}

static void add(const greedy *g, uint64_t *set, uint32_t node, uint32_t token)
{
    set[(size_t)node * g->words + token / 64] |= (uint64_t)1 << (token % 64);
}

/* A node has got a token. */
static void hold(greedy *g, uint32_t node, uint32_t token)
{
    add(g, g->held, node, token);
    g->holders[token]++;
    if (g->dense)
        add(g, g->holder_set, token, node);
}

static int64_t as_share(int64_t share)
{
    return share < 0 ? 0 : share > ONE ? ONE : share;
}

/* The share of rounds in which a link should point from node[0] to node[1]: in a mesh c / side for the link behind
 * the first c coordinates, which makes every node receive at the same rate; else 1/2. */
static void set_shares(greedy *g, uint32_t long_stride, uint32_t long_side)
{
    const gfab_topology *topology = g->s->topology;
    const bool mesh = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_MESH;
    for (uint32_t l = 0; l < g->s->arcs / 2; l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        g->share[l] = ONE / 2;
        uint32_t stride = 1;
        for (size_t d = gfab_topology_dimensions(topology); mesh && d-- > 0;) {
            const uint32_t side = gfab_topology_side(topology, d);
            const uint32_t a = link.node[0] / stride % side, b = link.node[1] / stride % side;
            if (a != b) {
                const uint32_t before = a + 1, after = side - before;
                g->share[l] = (uint32_t)((uint64_t)before * ONE / side);
                if (g->style.line_first && stride == long_stride && side == long_side && before != after) {
                    g->inward[l] = before > after;
                    g->behind[l] = before < after ? before : after;
                }
            }
            stride *= side;
        }
    }
}

/* What a node gets in a round over all its links: of each a half, and as much as it pulls more than the other end. */
static int64_t inflow(const greedy *g, const int64_t *pull, uint32_t v)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < g->s->degree[v]; i++)
        sum += as_share(ONE / 2 + pull[v] - pull[g->s->ports[v][i].peer]);
    return sum;
}

/* Half duplex, graphs without a formula: a node that would get less than it needs raises its pull, which takes from its
 * neighbours, until no node lacks anything. So what narrow places need comes from far away, a little over each link, as
 * currents spread in a network of resistors. */
static gfab_status balance_shares(greedy *g)
{
    const gfab_search *s = g->s;
    const int64_t need = ((int64_t)s->nodes - 1) * ONE / ((int64_t)s->rounds * s->packet);
    GFAB_FREED int64_t *pull = calloc(s->nodes, sizeof *pull);
    GFAB_NEED(pull);
    bool changed = true;
    for (uint32_t sweep = 0; sweep < MAX_SWEEPS && changed; sweep++) {
        changed = false;
        for (uint32_t v = 0; v < s->nodes; v++) {
            const int64_t lacking = (need - inflow(g, pull, v)) / (int64_t)s->degree[v];
            if (lacking > 0)
                pull[v] += lacking;
            changed = changed || lacking > 0;
        }
    }
    for (uint32_t l = 0; l < s->arcs / 2; l++)
        g->share[l] = (uint32_t)as_share(ONE / 2 + pull[s->arc_to[2 * l]] - pull[s->arc_from[2 * l]]);
    return GFAB_OK;
}

static void set_lines(greedy *g, uint32_t long_stride, uint32_t long_side)
{
    const gfab_search *s = g->s;
    for (uint32_t token = 0; token < s->nodes; token++) {
        const uint32_t home = s->home[token], first = home - home / long_stride % long_side * long_stride;
        for (uint32_t i = 0; i < long_side; i++)
            add(g, g->line_homes, first + i * long_stride, token);
    }
}

static gfab_status set_geometry(greedy *g)
{
    const gfab_topology *topology = g->s->topology;
    gfab_status status = GFAB_OK;
    uint32_t long_stride = 1, long_side = 1, stride = 1;
    for (size_t d = gfab_topology_dimensions(topology); d-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, d);
        if (side > long_side) {
            long_side = side;
            long_stride = stride;
        }
        stride *= side;
    }
    set_shares(g, long_stride, long_side);
    if (gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH && !g->s->full)
        status = balance_shares(g);
    if (status != GFAB_OK)
        return status;
    if (g->style.line_first)
        set_lines(g, long_stride, long_side);
    GFAB_FREED uint32_t *distances = calloc(2 * (size_t)g->s->nodes, sizeof *distances);
    GFAB_NEED(distances);
    uint32_t *order = distances + g->s->nodes;
    gfab_topology_distances(topology, 0, distances, order);
    for (uint32_t v = 0; v < g->s->nodes; v++)
        g->colour[v] = distances[v] % 2;
    return GFAB_OK;
}

/* From the farthest node on: a node's depth is one more than that of the next on a shortest path. */
static gfab_status set_depths(greedy *g)
{
    const gfab_search *s = g->s;
    const size_t nodes = s->nodes;
    GFAB_FREED uint32_t *distances = calloc(3 * nodes, sizeof *distances);
    GFAB_NEED(distances);
    uint32_t *order = distances + nodes, *starts = order + nodes;
    for (uint32_t token = 0; token < s->nodes; token++) {
        uint16_t *depth = g->depth + token * nodes;
        gfab_topology_distances(s->topology, s->home[token], distances, order);
        memset(starts, 0, nodes * sizeof *starts);
        for (uint32_t v = 0; v < s->nodes; v++)
            if (distances[v] + 1 < s->nodes)
                starts[distances[v] + 1]++;
        for (uint32_t d = 1; d < s->nodes; d++)
            starts[d] += starts[d - 1];
        for (uint32_t v = 0; v < s->nodes; v++)
            order[starts[distances[v]]++] = v;
        for (uint32_t i = s->nodes; i-- > 0;) {
            const uint32_t v = order[i];
            for (uint32_t p = 0; p < s->degree[v]; p++) {
                const uint32_t peer = s->ports[v][p].peer;
                if (distances[peer] == distances[v] + 1 && depth[v] <= depth[peer])
                    depth[v] = depth[peer] + 1;
            }
        }
        GFAB_TRY(gfab_solver_report(s->options, "depths", token, s->nodes));
    }
    return GFAB_OK;
}

/* The neighbours of a node that hold a token. */
static uint32_t count_peers(const greedy *g, uint32_t to, uint32_t token)
{
    const gfab_search *s = g->s;
    uint32_t peers = 0;
    if (s->degree[to] > g->words) {
        const uint64_t *holders = g->holder_set + (size_t)token * g->words;
        const uint64_t *next = g->peer_set + (size_t)to * g->words;
        for (uint32_t w = 0; w < g->words; w++)
            peers += (uint32_t)__builtin_popcountll(holders[w] & next[w]);
        return peers;
    }
    for (uint32_t i = 0; i < s->degree[to]; i++)
        peers += has(g, g->held, s->ports[to][i].peer, token);
    return peers;
}

/* Smaller is better. */
static int64_t token_key(const greedy *g, uint32_t to, uint32_t token)
{
    const uint32_t peers = count_peers(g, to, token);
    return (int64_t)g->holders[token] + (int64_t)g->style.peer_weight * peers;
}

/* Offers a token for a packet. */
static void offer(const greedy *g, choice *chosen, uint32_t to, uint32_t token, int32_t rank)
{
    const uint32_t packet = g->s->packet;
    const int64_t base = (int64_t)rank * RANK_WEIGHT;
    if (chosen->count == packet && base + (int64_t)g->holders[token] >= chosen->keys[packet - 1])
        return;
    const int64_t key = base + token_key(g, to, token);
    if (chosen->count == packet && key >= chosen->keys[packet - 1])
        return;
    uint32_t at = chosen->count < packet ? chosen->count++ : packet - 1;
    for (; at > 0 && chosen->keys[at - 1] > key; at--) {
        chosen->keys[at] = chosen->keys[at - 1];
        chosen->tokens[at] = chosen->tokens[at - 1];
    }
    chosen->keys[at] = key;
    chosen->tokens[at] = token;
    if (at == 0)
        chosen->rank = rank;
}

/* The best tokens for a packet over an arc, best first, of those that go first and a sample of the others, which
 * starts at a random place. */
static void choose(greedy *g, uint32_t round, gfab_arc arc, choice *chosen)
{
    const gfab_search *s = g->s;
    const uint32_t from = s->arc_from[arc], to = s->arc_to[arc], sample = g->style.sample + 2 * (s->packet - 1);
    const uint64_t *ready = g->ready + (size_t)from * g->words, *held = g->held + (size_t)to * g->words;
    const uint64_t *line = g->style.line_first ? g->line_homes + (size_t)to * g->words : NULL;
    chosen->count = 0;
    chosen->rank = INT32_MAX;
    for (uint32_t w = 0; line && w < g->words; w++)
        for (uint64_t bits = ready[w] & ~held[w] & line[w]; bits; bits &= bits - 1)
            offer(g, chosen, to, w * 64 + (uint32_t)__builtin_ctzll(bits), 0);
    if (chosen->count == s->packet)
        return;
    uint32_t seen = 0, w = gfab_search_below(g->s, g->words);
    for (uint32_t i = 0; i < g->words && seen < sample; i++, w = w + 1 < g->words ? w + 1 : 0) {
        for (uint64_t bits = ready[w] & ~held[w] & (line ? ~line[w] : UINT64_MAX); bits && seen < sample;
             bits &= bits - 1, seen++) {
            const uint32_t token = w * 64 + (uint32_t)__builtin_ctzll(bits);
            int32_t rank = FAR;
            if (g->style.slack_first) {
                const uint16_t *depth = g->depth + (size_t)token * s->nodes;
                const int32_t slack = (int32_t)(s->rounds - round) - (int32_t)(s->lambda * depth[to]);
                if (depth[to] < depth[from] && slack < FAR * (int32_t)s->lambda)
                    rank = slack / (int32_t)s->lambda;
            }
            offer(g, chosen, to, token, rank);
        }
    }
}

static void send_one(greedy *g, uint32_t round, gfab_arc arc, const choice *chosen)
{
    gfab_search *s = g->s;
    const uint32_t to = s->arc_to[arc];
    uint16_t *slot = gfab_search_slot(s, arc, round);
    for (uint32_t i = 0; i < chosen->count; i++) {
        const uint32_t token = chosen->tokens[i];
        const size_t delivery = (size_t)token * s->nodes + to;
        s->came[delivery] = (uint16_t)round;
        s->by[delivery] = s->port_to[arc];
        slot[i] = (uint16_t)(1 + 2 * token + arc % 2);
        hold(g, to, token);
    }
    g->uses[arc]++;
    g->lacks[to] -= chosen->count;
}

static void send(greedy *g, uint32_t round, gfab_arc arc, choice *chosen)
{
    const gfab_search *s = g->s;
    for (uint32_t turn = 0; turn < s->turns && chosen->count; turn++) {
        send_one(g, round, arc, chosen);
        arc = s->arc_turned[arc];
        for (uint32_t i = 0; i < chosen->count; i++)
            chosen->tokens[i] = s->token_turned[chosen->tokens[i]];
    }
    g->s->missing -= chosen->count;
}

/* How much direction 0 of a link is behind its target, less the same for direction 1. The target is its share of the
 * rounds, but half of the first one: a node that mostly receives has to send its own token early, too. With line_first,
 * though, a link of the long side gives half of the rounds to each direction until all that starts behind it can have
 * passed, and spreads what is left over the rounds that are left: those tokens have the longest way to go, and the ends
 * of the long side would starve if everything went to the middle first. */
static int64_t lag(const greedy *g, uint32_t round, uint32_t link)
{
    const int64_t rounds = g->s->rounds, behind = g->behind[link];
    int64_t target = (int64_t)g->share[link] * (round - 1) + ONE / 2;
    if (behind) {
        const bool inward = g->inward[link] == 0;
        const int64_t all = (inward ? g->share[link] : ONE - (int64_t)g->share[link]) * rounds;
        int64_t in = (int64_t)round * ONE / 2;
        if (round > 2 * behind)
            in = behind * ONE + (round - 2 * behind) * (all - behind * ONE) / (rounds - 2 * behind);
        target = inward ? in : (int64_t)round * ONE - in;
    }
    const int64_t forward = target - ONE * (int64_t)g->uses[2 * link];
    const int64_t backward = (int64_t)round * ONE - target - ONE * (int64_t)g->uses[2 * link + 1];
    return forward - backward;
}

/* True if direction 0 of a link is further behind its target, or its receiver further behind. */
static bool forward_due(greedy *g, uint32_t round, uint32_t link)
{
    const int64_t lacks = (int64_t)g->lacks[g->s->arc_to[2 * link]] - (int64_t)g->lacks[g->s->arc_from[2 * link]];
    const int64_t score = lag(g, round, link) + g->style.lack_weight * lacks;
    return score != 0 ? score > 0 : gfab_search_random(g->s) % 2;
}

/* Half duplex: the direction to use of two. Nodes of one colour receive in round 1 and those of the other in round 2
 * where packets hold several tokens, so that there is much to give after that; then what goes first decides, then the
 * fuller packet. */
static uint32_t choose_direction(greedy *g, uint32_t round, uint32_t link, const choice *choices)
{
    const gfab_search *s = g->s;
    const uint32_t a = s->arc_from[2 * link], b = s->arc_to[2 * link];
    if (!choices[0].count || !choices[1].count)
        return !choices[0].count;
    if (s->packet > 1 && round <= 2 && g->colour[a] != g->colour[b])
        return g->colour[b] != round % 2;
    if (choices[0].rank != choices[1].rank)
        return choices[0].rank > choices[1].rank;
    if (choices[0].count != choices[1].count)
        return choices[0].count < choices[1].count;
    return !forward_due(g, round, link);
}

static void use_link(greedy *g, uint32_t round, uint32_t link)
{
    const gfab_search *s = g->s;
    choice choices[2];
    if (s->full || s->packet > 1 || g->style.line_first || g->style.slack_first) {
        choose(g, round, 2 * link, &choices[0]);
        choose(g, round, 2 * link + 1, &choices[1]);
        const uint32_t d = s->full ? 0 : choose_direction(g, round, link, choices);
        send(g, round, 2 * link + d, &choices[d]);
        if (s->full)
            send(g, round, 2 * link + 1, &choices[1]);
    } else {
        gfab_arc arc = 2 * link + !forward_due(g, round, link);
        choose(g, round, arc, &choices[0]);
        if (!choices[0].count)
            choose(g, round, arc ^= 1, &choices[0]);
        send(g, round, arc, &choices[0]);
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
    for (uint32_t i = g->order_count; i > 1; i--) {
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
        for (uint32_t i = 0; i < g->order_count; i++) {
            use_link(g, round, g->order[i]);
            if (i % LINKS_A_REPORT != LINKS_A_REPORT - 1 && i != g->order_count - 1)
                continue;
            GFAB_TRY(gfab_solver_report(s->options, "deliveries", total - s->missing, total));
        }
    }
    return GFAB_OK;
}

static gfab_status allocate(greedy *g)
{
    const size_t nodes = g->s->nodes, links = g->s->arcs / 2, sets = nodes * g->words;
    GFAB_ARRAYS(&g->arena, sets, g->held, g->ready);
    g->line_homes = gfab_arena_zeroed(&g->arena, g->style.line_first ? sets : 1, sizeof *g->line_homes);
    g->depth = gfab_arena_zeroed(&g->arena, g->style.slack_first ? nodes * nodes : 1, sizeof *g->depth);
    GFAB_ARRAYS(&g->arena, nodes, g->holders, g->lacks);
    GFAB_ARRAYS(&g->arena, g->dense ? sets : 1, g->holder_set, g->peer_set);
    g->uses = gfab_arena_zeroed2(&g->arena, 2, links, sizeof *g->uses);
    GFAB_ARRAYS(&g->arena, links, g->share, g->behind, g->inward, g->order);
    g->colour = gfab_arena_zeroed(&g->arena, nodes, sizeof *g->colour);
    return g->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

static gfab_status list_lost(gfab_search *s)
{
    if (s->missing > s->lost_capacity) {
        uint32_t *lost = realloc(s->lost, s->missing * sizeof *lost);
        GFAB_NEED(lost);
        s->lost = lost;
        s->lost_capacity = s->missing;
    }
    size_t count = 0;
    for (uint32_t i = 0; count < s->missing; i++)
        if (s->came[i] == GFAB_SEARCH_NEVER && gfab_search_orbit(s, i) == i)
            s->lost[count++] = i;
    return GFAB_OK;
}

enum { PLAIN, LINE, LINE_EVEN, SLACK, PLAIN_EVEN, STYLES };

/* Every weighting has its turn; which comes first depends on what usually is in short supply. Slots: then the plain
 * one, which is also the quickest. Time, in long meshes: then tokens keep to their lines. Time, where packets are large
 * or hops slow: then the slack decides. */
uint32_t gfab_search_style_of(const gfab_search *s, uint32_t try, bool far_apart)
{
    static const uint8_t orders[3][STYLES] = {{PLAIN, LINE, LINE_EVEN, PLAIN_EVEN, SLACK},
                                              {LINE, LINE_EVEN, PLAIN, SLACK, PLAIN_EVEN},
                                              {SLACK, LINE, LINE_EVEN, PLAIN, PLAIN_EVEN}};
    uint32_t long_side = 1;
    for (size_t d = 0; d < gfab_topology_dimensions(s->topology); d++)
        if (gfab_topology_side(s->topology, d) > long_side)
            long_side = gfab_topology_side(s->topology, d);
    if (s->turns > 1) /* lines of one axis are no use: a turn swaps the axes */
        return try % 2 ? PLAIN_EVEN : PLAIN;
    const bool plain = s->packet == 1 && s->lambda == 1 && (uint64_t)long_side * long_side < 2 * (uint64_t)s->nodes;
    const uint32_t which = orders[far_apart && s->lambda > 1 ? 2 : plain ? 0 : 1][try % STYLES];
    return which == SLACK && s->nodes > MAX_SLACK_NODES ? PLAIN : which;
}

/* Is this link the lowest of its turns? */
static bool is_first_turn(const gfab_search *s, uint32_t link)
{
    gfab_arc arc = 2 * link;
    for (uint32_t turn = 1; turn < s->turns; turn++) {
        arc = s->arc_turned[arc];
        if (arc / 2 < link)
            return false;
    }
    return true;
}

gfab_status gfab_search_greedy(gfab_search *s, uint32_t which)
{
    static const style styles[STYLES] = {
        [PLAIN] = {.sample = 16, .lack_weight = ONE * 3 / 10, .peer_weight = 1},
        [LINE] = {.sample = 64, .lack_weight = ONE * 3 / 10, .peer_weight = 3, .line_first = true},
        [LINE_EVEN] = {.sample = 64, .lack_weight = ONE, .peer_weight = 1, .line_first = true},
        [SLACK] = {.sample = 64, .lack_weight = ONE * 3 / 10, .peer_weight = 3, .slack_first = true},
        [PLAIN_EVEN] = {.sample = 64, .lack_weight = ONE, .peer_weight = 3},
    };
    greedy g = {.s = s, .style = styles[which], .words = (s->nodes + 63) / 64};
    g.dense = gfab_topology_max_degree(s->topology) > g.words;
    gfab_status status = allocate(&g);
    GFAB_THEN(status, set_geometry(&g));
    if (status == GFAB_OK && g.style.slack_first)
        status = set_depths(&g);
    if (status == GFAB_OK) {
        for (uint32_t token = 0; token < s->nodes; token++) {
            const uint32_t home = s->home[token];
            hold(&g, home, token);
            add(&g, g.ready, home, token);
            s->came[(size_t)token * s->nodes + home] = 0;
            g.lacks[home] = s->nodes - 1;
        }
        for (gfab_arc arc = 0; g.dense && arc < s->arcs; arc++)
            add(&g, g.peer_set, s->arc_from[arc], s->arc_to[arc]);
        for (uint32_t l = 0; l < s->arcs / 2; l++)
            if (is_first_turn(s, l))
                g.order[g.order_count++] = l;
        s->missing = s->nodes * (s->nodes - 1) / s->turns;
        status = run(&g);
    }
    greedy_release(&g);
    return status == GFAB_OK ? list_lost(s) : status;
}
