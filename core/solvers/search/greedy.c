/* SPDX-License-Identifier: MIT */
/* Solver `greedy`: gossip on any graph and model, good but seldom optimal. In each round the links are visited in a
 * random order, and each sends the token that the fewest nodes hold. In half duplex a link must choose a direction: the
 * one that fills its packet better, else the one that lags behind its share. In a mesh the link behind c of n columns
 * should point onwards in c/n of the rounds, so that every node receives at the same rate. The shares are ours; rarest
 * first is the rule by which BitTorrent chooses pieces (Cohen 2003). */
#include "solvers/place/fifo.h"
#include "solvers/solvers.h"

#include "base/random.h"

#include <stdlib.h>

/* Tokens looked at for one place in a packet. Fewer leave more deliveries to the end. */
#define SAMPLE 48
/* Weights of a direction's lag behind its target share and of what its receiver still lacks: 1 to 0.3. */
#define LAG_WEIGHT 10
#define LACK_WEIGHT 3

typedef struct candidate {
    uint64_t key; /* smaller is better */
    uint32_t token;
} candidate;

typedef struct greedy {
    const gfab_topology *topology;
    const gfab_model *model;
    gfab_schedule *schedule;
    uint64_t random;
    size_t nodes;
    size_t links;
    size_t words;           /* of a bit set of tokens */
    size_t packet;          /* most tokens in a packet, at most nodes */
    uint64_t *held;         /* [node * words]: got by now, moves chosen in this round included */
    uint64_t *ready;        /* the part of held that may leave in this round */
    uint32_t *holders;      /* per token: nodes that hold it */
    uint32_t *lacks;        /* per node: tokens it does not hold */
    uint64_t *uses;         /* per arc */
    uint32_t *share[2];     /* per link: target share of direction 0 is share[0] / share[1] */
    uint32_t *order;        /* the links, shuffled each round */
    uint32_t *busy;         /* per node: last round in which it used a link; for one-port nodes */
    candidate *candidates;  /* [nodes] */
    uint32_t *tokens;       /* [packet] */
    gfab_fifo on_their_way; /* triples (round from which it may leave, node, token), rounds rising */
    uint64_t missing;       /* deliveries still to make */
    gfab_arena arena;
} greedy;

static size_t random_below(greedy *g, size_t bound)
{
    return (size_t)(gfab_random(&g->random) % bound);
}

static bool has(const greedy *g, const uint64_t *set, size_t node, uint32_t token)
{
    return set[node * g->words + token / 64] >> (token % 64) & 1;
}

static void add(const greedy *g, uint64_t *set, size_t node, uint32_t token)
{
    set[node * g->words + token / 64] |= (uint64_t)1 << (token % 64);
}

/* The share of rounds in which a link should point from node[0] to node[1]: in a mesh c / side for the link behind
 * the first c coordinates, which makes every node receive at the same rate; else 1/2. */
static void set_shares(greedy *g)
{
    const bool mesh = gfab_topology_get_kind(g->topology) == GFAB_TOPOLOGY_MESH;
    for (size_t l = 0; l < g->links; l++) {
        const gfab_link link = gfab_topology_link(g->topology, l);
        g->share[0][l] = 1;
        g->share[1][l] = 2;
        uint32_t stride = 1;
        for (size_t d = gfab_topology_dimensions(g->topology); mesh && d-- > 0;) {
            const uint32_t side = gfab_topology_side(g->topology, d);
            const uint32_t a = link.node[0] / stride % side, b = link.node[1] / stride % side;
            if (a != b) {
                g->share[0][l] = a + 1;
                g->share[1][l] = side;
            }
            stride *= side;
        }
    }
}

/* Tokens that one end of a link could send the other now, counted up to a packet. */
static size_t count_useful(const greedy *g, size_t from, size_t to)
{
    size_t count = 0;
    const uint64_t *ready = g->ready + from * g->words, *held = g->held + to * g->words;
    for (size_t w = 0; w < g->words && count < g->packet; w++)
        for (uint64_t bits = ready[w] & ~held[w]; bits && count < g->packet; bits &= bits - 1)
            count++;
    return count;
}

/* Rarest first; among equals the token that most of the receiver's neighbours lack. */
static uint64_t token_key(const greedy *g, size_t to, uint32_t token)
{
    size_t degree, holding = 0;
    const gfab_port *ports = gfab_topology_ports(g->topology, to, &degree);
    for (size_t i = 0; i < degree; i++)
        holding += has(g, g->held, ports[i].peer, token);
    return (uint64_t)g->holders[token] * (degree + 1) + holding;
}

/* Sends over an arc the best tokens of a sample that starts at a random place. */
static gfab_status send_packet(greedy *g, uint32_t round, gfab_arc arc)
{
    const size_t from = gfab_topology_arc_from(g->topology, arc), to = gfab_topology_arc_to(g->topology, arc);
    const size_t limit = g->packet > SAMPLE / 2 ? g->nodes : SAMPLE;
    const size_t start = random_below(g, g->words);
    size_t count = 0, size = 0;
    for (size_t i = 0; i < g->words && count < limit; i++) {
        const size_t w = (start + i) % g->words;
        uint64_t bits = g->ready[from * g->words + w] & ~g->held[to * g->words + w];
        for (; bits && count < limit; bits &= bits - 1) {
            const uint32_t token = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
            g->candidates[count++] = (candidate){token_key(g, to, token), token};
        }
    }
    for (; size < g->packet && size < count; size++) {
        size_t best = size;
        for (size_t i = size + 1; i < count; i++)
            if (g->candidates[i].key < g->candidates[best].key)
                best = i;
        const candidate chosen = g->candidates[best];
        g->candidates[best] = g->candidates[size];
        g->candidates[size] = chosen;
        g->tokens[size] = chosen.token;
    }
    GFAB_TRY(gfab_schedule_append_packet(g->schedule, round, &arc, 1, g->tokens, size));
    for (size_t i = 0; i < size; i++) {
        add(g, g->held, to, g->tokens[i]);
        g->holders[g->tokens[i]]++;
        GFAB_TRY(gfab_fifo_push(&g->on_their_way, round + g->model->hop_rounds));
        GFAB_TRY(gfab_fifo_push(&g->on_their_way, (uint32_t)to));
        GFAB_TRY(gfab_fifo_push(&g->on_their_way, g->tokens[i]));
    }
    g->uses[arc]++;
    g->lacks[to] -= (uint32_t)size;
    g->missing -= size;
    return GFAB_OK;
}

/* How much a direction of a link deserves the round, times the denominator of the link's share: its lag behind the
 * share, and what its receiver lacks. */
static int64_t score(const greedy *g, uint32_t round, gfab_arc arc)
{
    const size_t link = arc / 2;
    const int64_t denominator = g->share[1][link];
    const int64_t share = arc % 2 ? denominator - g->share[0][link] : g->share[0][link];
    const int64_t lag = share * round - denominator * (int64_t)g->uses[arc];
    return LAG_WEIGHT * lag + LACK_WEIGHT * denominator * g->lacks[gfab_topology_arc_to(g->topology, arc)];
}

/* Uses a link in a round if that helps; of two directions that exclude each other, the one that fills the packet
 * better, then the one with the higher score. */
static gfab_status use_link(greedy *g, uint32_t round, size_t link)
{
    const gfab_link ends = gfab_topology_link(g->topology, link);
    const bool one_port = g->model->port_mode == GFAB_PORT_ONE;
    if (one_port && (g->busy[ends.node[0]] == round || g->busy[ends.node[1]] == round))
        return GFAB_OK;
    const gfab_arc arcs[2] = {(gfab_arc)(2 * link), (gfab_arc)(2 * link + 1)};
    bool use[2];
    size_t useful[2];
    for (size_t d = 0; d < 2; d++) {
        useful[d] = count_useful(g, ends.node[d], ends.node[1 - d]);
        use[d] = useful[d] > 0 && gfab_topology_arc_weight(g->topology, arcs[d]);
    }
    if (use[0] && use[1] && g->model->link_mode == GFAB_LINK_HALF) {
        const bool forward =
            useful[0] != useful[1] ? useful[0] > useful[1] : score(g, round, arcs[0]) >= score(g, round, arcs[1]);
        use[forward ? 1 : 0] = false;
    }
    for (size_t d = 0; d < 2; d++) {
        if (!use[d])
            continue;
        g->busy[ends.node[0]] = g->busy[ends.node[1]] = round;
        GFAB_TRY(send_packet(g, round, arcs[d]));
    }
    return GFAB_OK;
}

/* Tokens that may leave from this round on. */
static void release(greedy *g, uint32_t round)
{
    while (g->on_their_way.count && gfab_fifo_first(&g->on_their_way) <= round) {
        gfab_fifo_pop(&g->on_their_way);
        const uint32_t node = gfab_fifo_pop(&g->on_their_way);
        add(g, g->ready, node, gfab_fifo_pop(&g->on_their_way));
    }
}

static void shuffle(greedy *g)
{
    for (size_t i = g->links; i > 1; i--) {
        const size_t j = random_below(g, i);
        const uint32_t link = g->order[i - 1];
        g->order[i - 1] = g->order[j];
        g->order[j] = link;
    }
}

/* Round by round. It ends: every token sent is one that its receiver lacks, so each round with a move brings the end
 * nearer, and a round without one means that no node holds a ready token that a neighbour lacks. Then either tokens
 * are on their way, and the next round is the one in which the first of them is ready, or all held tokens are ready,
 * neighbours hold the same, and in a connected graph that is everything. */
static gfab_status run(greedy *g, const gfab_solver_options *options, gfab_diag *diag)
{
    const uint64_t total = g->missing;
    for (uint32_t round = 1; g->missing;) {
        if (round > UINT32_MAX - g->model->hop_rounds)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the schedule has too many rounds");
        const uint64_t before = g->missing;
        gfab_status status = GFAB_OK;
        release(g, round);
        shuffle(g);
        for (size_t i = 0; i < g->links && status == GFAB_OK; i++)
            status = use_link(g, round, g->order[i]);
        GFAB_THEN(status, gfab_solver_report(options, "deliveries", total - g->missing, total));
        if (status != GFAB_OK)
            return status;
        if (g->missing < before)
            round++;
        else if (g->on_their_way.count)
            round = gfab_fifo_first(&g->on_their_way);
        else
            return GFAB_REFUSE(diag, "the topology is not connected");
    }
    return GFAB_OK;
}

static gfab_status allocate(greedy *g)
{
    g->held = gfab_arena_zeroed2(&g->arena, g->nodes, g->words, sizeof *g->held);
    g->ready = gfab_arena_zeroed2(&g->arena, g->nodes, g->words, sizeof *g->ready);
    GFAB_ARRAYS(&g->arena, g->nodes, g->holders, g->lacks);
    g->uses = gfab_arena_zeroed2(&g->arena, g->links, 2, sizeof *g->uses);
    GFAB_ARRAYS(&g->arena, g->links, g->share[0], g->share[1], g->order);
    GFAB_ARRAYS(&g->arena, g->nodes, g->busy, g->candidates);
    g->tokens = gfab_arena_zeroed(&g->arena, g->packet, sizeof *g->tokens);
    return g->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    greedy g = {.topology = topology,
                .model = model,
                .schedule = schedule,
                .random = options->seed,
                .nodes = nodes,
                .links = gfab_topology_link_count(topology),
                .words = (nodes + 63) / 64,
                .packet = model->packet_tokens < nodes ? model->packet_tokens : nodes,
                .missing = (uint64_t)nodes * (nodes - 1)};
    gfab_status status = allocate(&g);
    if (status == GFAB_OK) {
        for (uint32_t v = 0; v < nodes; v++) {
            add(&g, g.held, v, v);
            add(&g, g.ready, v, v);
            g.holders[v] = 1;
            g.lacks[v] = (uint32_t)nodes - 1;
        }
        for (uint32_t l = 0; l < g.links; l++)
            g.order[l] = l;
        set_shares(&g);
        status = run(&g, options, diag);
    }
    gfab_arena_release(&g.arena);
    free(g.on_their_way.items);
    return status;
}

GFAB_SOLVE(solve, greedy, build)

const gfab_solver gfab_solver_greedy = {
    .name = "greedy",
    .summary = "round by round, rarest token first; any topology, any model, no promise of its rounds",
    .source = "gossipfab",
    .solve = solve,
    .knows = GFAB_MARK_DIRECTED,
};
