/* SPDX-License-Identifier: MIT */
/* One link a node and round: round by round a matching of calls, the most useful first, in many tries with other
 * weights. Blocks that move as they are go to who lacks them alone, so that each goes along a tree; backwards that is a
 * reduction, and backwards and then forwards an all-reduce. A barrier may be a gossip whose packets take all tokens:
 * each packet is one message.
 *
 * Where there are many blocks it matters less which block goes than that neighbours keep having something for each
 * other. So there a round is the heaviest matching, and an arc weighs the logarithm of its *lead*: how many blocks its
 * tail has that its head lacks. Example: on random:n=9,m=20,seed=124551739, half duplex, a reduce of 144 blocks takes
 * 290 rounds, the bound. That the difference of queues is a good weight is Tassiulas & Ephremides (1992), for
 * broadcasts Massoulie, Twigg, Gkantsidis & Rodriguez (2007).
 *
 * Leads alone do not see that a link between two nodes is needed in every second round, say, as each link of a path is.
 * The best rate says which share of all rounds each link has (core/rate/port_rate.c). So a link gets its share as a
 * *credit* in each round, pays one for a call, and in some of the tries weighs the more, the more credit it has (as
 * deficit round robin, Shreedhar & Varghese 1995). Example: on random:n=8,m=10,seed=35842860, half duplex, a broadcast
 * of 144 blocks takes 290 rounds by leads and shares; by leads alone 300. docs/theory/one-port.md. */
#include "collectives.h"
#include "group_moves.h"

#include "base/ascending.h"
#include "base/random.h"
#include "flow/lemon_matching.h"
#include "rate/port_rate.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/bound.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HOLDINGS ((uint64_t)1 << 20) /* nodes times blocks */
#define MAX_NODES 1024u
/* Tries, and the (link, block) pairs that all of them look at, where --effort is not given. */
#define TRIES 4000u
#define WORK ((uint64_t)1 << 26)
#define MAX_WORK ((uint64_t)1 << 28) /* of the first try, about: seconds */
/* Of a call's worth: nodes that it brings the block nearer to, nodes that lack it, chance; and in every second try
 * whether the round is one for nodes this far from the block's start, which take in and pass on by turns. */
#define MAX_WEIGHT 8u
#define CHANCE 16u
/* Of a round by leads: the weight of the longest lead, and what a node and a link of a matching cost beside a block. */
#define LEAD_UNIT 1024u
#define MATCHING_WORK 8u
#define MANY_BLOCKS 4u
#define MOST_SHARED ((size_t)1 << 13) /* nodes times links of a graph whose best rate is asked for */
#define LONG 8u                       /* blocks a node from which on shares are asked for */
#define WEIGHTS 4u
#define SHARES 3u /* what a share may weigh beside the longest lead: a third, as much, 3 times */

/* What tries go by: each call's use, the leads of arcs, or leads and links' shares. */
typedef enum kind { USEFUL, BY_LEADS, BY_SHARES } kind;

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_goal goal;
    uint32_t nodes, links, blocks;
    bool full, leads, shared; /* leads: tries by leads, too; shared: shares are known */
    uint64_t random, work;
    uint32_t least;     /* rounds of one way, at least */
    uint32_t *distance; /* [nodes * nodes] */
    uint32_t *start;    /* [blocks] */
    /* Of a try: */
    uint32_t *ready;  /* [nodes * blocks]: from when on a node may send the block; 0: it lacks it */
    uint32_t *lacks;  /* [blocks]: nodes that lack it */
    uint32_t *chosen; /* [2 * links]: the block that is worth most over an arc; blocks: none */
    uint64_t *key;    /* [links]: worth, link */
    uint32_t *busy;   /* [nodes]: the last round in which it had a call */
    /* Of a try by leads: */
    uint32_t *lead;    /* [2 * links]: blocks that the tail has and the head lacks */
    uint32_t *missing; /* [nodes]: blocks that it lacks */
    uint32_t *worth;   /* [blocks + 1]: of a lead */
    uint64_t *weight;  /* [links] */
    uint32_t *ends;    /* [2 * links]: their nodes */
    uint32_t *mate;    /* [nodes] */
    double *share;     /* [links]: of all rounds, at the best rate */
    double *credit;    /* [links]: calls that it should have had by its share, less those that it had */
    gfab_group_move *moves, *best;
    uint32_t rounds; /* of the best; UINT32_MAX: none yet */
    gfab_arena arena;
} job;

/* ---- what a call is worth ---- */

/* Nodes that lack the block and are nearer to `to` than to `from`. */
static uint32_t reach(const job *j, uint32_t from, uint32_t to, uint32_t block)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < j->nodes; v++)
        count += j->ready[(size_t)v * j->blocks + block] == 0 &&
                 j->distance[(size_t)to * j->nodes + v] < j->distance[(size_t)from * j->nodes + v];
    return count;
}

/* The block that an arc had best carry in this round, and what that is worth; 0 where there is none. */
static uint64_t choose(job *j, gfab_arc arc, uint32_t round, const uint32_t *weight)
{
    const uint32_t from = gfab_topology_arc_from(j->topology, arc), to = gfab_topology_arc_to(j->topology, arc);
    uint64_t best = 0;
    j->chosen[arc] = j->blocks;
    for (uint32_t block = 0; block < j->blocks; block++) {
        const uint32_t ready = j->ready[(size_t)from * j->blocks + block];
        j->work++;
        if (ready == 0 || ready > round || j->ready[(size_t)to * j->blocks + block])
            continue;
        j->work += j->nodes;
        const uint32_t depth = j->distance[(size_t)j->start[block] * j->nodes + from];
        const uint64_t worth =
            CHANCE * ((uint64_t)weight[0] * reach(j, from, to, block) + (uint64_t)weight[1] * j->lacks[block] +
                      (uint64_t)weight[3] * ((round + depth) % 2)) +
            1 + gfab_random_below(&j->random, CHANCE * (1 + weight[2]));
        if (worth > best) {
            best = worth;
            j->chosen[arc] = block;
        }
    }
    return best;
}

/* ---- the most useful first ---- */

static void call(job *j, gfab_arc arc, uint32_t round, size_t *count)
{
    const uint32_t block = j->chosen[arc], to = gfab_topology_arc_to(j->topology, arc);
    if (block == j->blocks)
        return;
    j->moves[(*count)++] = (gfab_group_move){round, block, arc};
    j->ready[(size_t)to * j->blocks + block] = round + j->model->hop_rounds;
    j->lacks[block]--;
}

/* A matching of this round's calls. */
static void call_all(job *j, uint32_t round, const uint32_t *weight, size_t *count)
{
    size_t keys = 0;
    for (uint32_t l = 0; l < j->links; l++) {
        const uint64_t there = choose(j, 2 * l, round, weight), back = choose(j, 2 * l + 1, round, weight);
        if (!j->full)
            j->chosen[2 * l + (there >= back)] = j->blocks;
        const uint64_t worth = j->full ? there + back : there >= back ? there : back;
        if (worth)
            j->key[keys++] = worth << 32 | l;
    }
    qsort(j->key, keys, sizeof *j->key, gfab_descending);
    for (size_t i = 0; i < keys; i++) {
        const uint32_t l = (uint32_t)j->key[i];
        const gfab_link link = gfab_topology_link(j->topology, l);
        if (j->busy[link.node[0]] == round || j->busy[link.node[1]] == round)
            continue;
        j->busy[link.node[0]] = j->busy[link.node[1]] = round;
        call(j, 2 * l, round, count);
        call(j, 2 * l + 1, round, count);
    }
}

/* ---- by leads ---- */

static void learn(job *j, uint32_t node, uint32_t block, uint32_t ready)
{
    j->ready[(size_t)node * j->blocks + block] = ready;
    j->missing[node]--;
    GFAB_EACH_PORT(port, j->topology, node) {
        const gfab_arc there = 2 * port->link + port->end;
        if (j->ready[(size_t)port->peer * j->blocks + block])
            j->lead[there ^ 1]--;
        else
            j->lead[there]++;
    }
}

/* What a call over an arc weighs: its lead; `need`: what the head lacks, too; `any`: that it is a call. */
static uint64_t weigh(const job *j, gfab_arc arc, uint32_t need, uint32_t any)
{
    if (j->lead[arc] == 0)
        return 0;
    return 1 + j->worth[j->lead[arc]] + any * (LEAD_UNIT / 4) +
           (uint64_t)need * (LEAD_UNIT / 2) * j->missing[j->ends[arc ^ 1]] / j->blocks;
}

/* The block that most nodes lack, of those that an arc may carry; by chance of equals. */
static uint32_t rarest(job *j, gfab_arc arc, uint32_t round)
{
    const uint32_t *from = j->ready + (size_t)j->ends[arc] * j->blocks;
    const uint32_t *to = j->ready + (size_t)j->ends[arc ^ 1] * j->blocks;
    uint32_t best = j->blocks, most = 0, equals = 0;
    for (uint32_t block = 0; block < j->blocks; block++) {
        if (from[block] == 0 || from[block] > round || to[block] || j->lacks[block] < most)
            continue;
        equals = j->lacks[block] > most ? 1 : equals + 1;
        most = j->lacks[block];
        if (gfab_random_below(&j->random, equals) == 0)
            best = block;
    }
    j->lacks[best]--;
    return best;
}

/* The heaviest matching of a round, by weights for need, any, chance and shares. */
static gfab_status call_heaviest(job *j, uint32_t round, const uint32_t *by, size_t *count)
{
    static const double weight_of[SHARES] = {LEAD_UNIT / 3, LEAD_UNIT, 3 * LEAD_UNIT};
    const size_t before = *count;
    for (uint32_t l = 0; l < j->links; l++) {
        const uint64_t there = weigh(j, 2 * l, by[0], by[1]), back = weigh(j, 2 * l + 1, by[0], by[1]);
        const uint64_t sum = j->full ? there + back : there > back ? there : back;
        j->credit[l] += j->share[l];
        const double worth = fmax(1, (double)sum + (j->shared ? weight_of[by[3]] * j->credit[l] : 0));
        j->weight[l] = sum ? CHANCE * (uint64_t)worth + gfab_random_below(&j->random, CHANCE * (1 + by[2])) : 0;
    }
    GFAB_TRY(gfab_lemon_matching(j->nodes, j->links, j->ends, j->weight, j->mate, NULL));
    for (uint32_t l = 0; l < j->links; l++) {
        const uint32_t *end = j->ends + 2 * (size_t)l;
        if (j->mate[end[0]] != end[1] || j->weight[l] == 0 || j->busy[end[0]] == round)
            continue;
        const bool back = weigh(j, 2 * l + 1, by[0], by[1]) > weigh(j, 2 * l, by[0], by[1]);
        j->busy[end[0]] = round;
        j->credit[l]--;
        for (uint32_t way = 0; way < 2; way++)
            if (j->lead[2 * l + way] && (j->full || way == back))
                j->moves[(*count)++] = (gfab_group_move){round, rarest(j, 2 * l + way, round), 2 * l + way};
    }
    for (size_t i = before; i < *count; i++)
        learn(j, j->ends[j->moves[i].arc ^ 1], j->moves[i].token, round + 1);
    j->work += (uint64_t)j->nodes * (j->blocks + MATCHING_WORK * j->links);
    return GFAB_OK;
}

/* ---- tries ---- */

static void begin(job *j, bool leads)
{
    memset(j->ready, 0, (size_t)j->nodes * j->blocks * sizeof *j->ready);
    memset(j->busy, 0, j->nodes * sizeof *j->busy);
    memset(j->lead, 0, 2 * (size_t)j->links * sizeof *j->lead);
    memset(j->credit, 0, j->links * sizeof *j->credit);
    for (uint32_t v = 0; v < j->nodes; v++)
        j->missing[v] = j->blocks;
    for (uint32_t block = 0; block < j->blocks; block++) {
        j->lacks[block] = j->nodes - 1;
        if (leads)
            learn(j, j->start[block], block, 1);
        else
            j->ready[(size_t)j->start[block] * j->blocks + block] = 1;
    }
}

static gfab_status attempt(job *j, bool leads, const uint32_t *weight)
{
    const size_t all = (size_t)j->blocks * (j->nodes - 1);
    size_t count = 0;
    uint32_t round = 0;
    begin(j, leads);
    while (count < all && round + 1 < j->rounds) {
        if (leads)
            GFAB_TRY(call_heaviest(j, ++round, weight, &count));
        else
            call_all(j, ++round, weight, &count);
        GFAB_TRY(gfab_solver_report(j->options, "messages", count, all));
    }
    if (count == all && round < j->rounds) {
        gfab_group_move *swap = j->best;
        j->best = j->moves;
        j->moves = swap;
        j->rounds = round;
    }
    return GFAB_OK;
}

/* The weights of a try. By shares: by each weight of these, then by chance, and by turns by what was the best. */
static void draw(job *j, kind how, uint32_t attempts, const uint32_t *best, uint32_t *weight)
{
    if (how == BY_SHARES && attempts >= SHARES && attempts % 2) {
        memcpy(weight, best, WEIGHTS * sizeof *weight);
        return;
    }
    for (uint32_t k = 0; k < WEIGHTS; k++)
        if (how != USEFUL && (how == BY_SHARES ? attempts < SHARES : attempts < 2))
            weight[k] = how == BY_LEADS && k == 0 ? attempts : 0;
        else
            weight[k] = gfab_random_below(&j->random, how == USEFUL ? MAX_WEIGHT : 3);
    if (how == USEFUL)
        weight[3] *= attempts % 2 * j->nodes;
    else
        weight[3] = how == BY_LEADS ? 0 : attempts < SHARES ? attempts : weight[3];
}

/* Tries of one kind, by chance. */
static gfab_status search(job *j, kind how)
{
    const uint32_t effort = j->options->effort;
    uint32_t best[WEIGHTS] = {0};
    j->work = 0;
    for (uint32_t i = 0; i < (effort ? effort : TRIES) && j->rounds > j->least; i++) {
        const uint32_t before = j->rounds;
        uint32_t weight[WEIGHTS];
        draw(j, how, i, best, weight);
        if (i > 0 && !effort && j->work > WORK)
            break;
        GFAB_TRY(attempt(j, how != USEFUL, weight));
        if (j->rounds < before)
            memcpy(best, weight, sizeof best);
    }
    return GFAB_OK;
}

/* The links' shares of all rounds at the best rate of blocks that start at a root, or at their owners. */
static gfab_status find_shares(job *j, uint32_t root)
{
    const bool rooted = root < j->nodes;
    const gfab_goal goal = {
        .collective = rooted ? GFAB_BROADCAST : GFAB_ALL_GATHER, .blocks = j->blocks, .root = rooted ? root : 0};
    GFAB_AT_END(gfab_certificate_release) gfab_certificate c = {0};
    gfab_port_mix mix[2];
    bool tight;
    j->shared = false;
    if ((size_t)j->nodes * j->links > MOST_SHARED || (!rooted && j->blocks % j->nodes))
        return GFAB_OK;
    const gfab_status status = gfab_port_rate(j->topology, j->model->link_mode, &goal, 0, GFAB_PORT_FEW_STEPS,
                                              j->options->progress, &c, &tight, mix);
    if (status != GFAB_OK)
        return gfab_solver_cut_short(status) ? status : GFAB_OK;
    j->shared = true;
    gfab_port_mix_shares(&mix[0], j->share);
    gfab_port_mix_release(&mix[0]);
    gfab_port_mix_release(&mix[1]);
    return GFAB_OK;
}

/* By leads where there are blocks enough and a hop takes a round; by shares where there are many and the best rate is
 * known. */
static gfab_status search_all(job *j, bool shares, uint32_t root)
{
    const bool fits = j->least <= MAX_WORK / ((uint64_t)2 * j->links * j->blocks + 1);
    for (uint32_t block = 0; block < j->blocks; block++)
        j->start[block] = root < j->nodes ? root : gfab_goal_owner(&j->goal, j->nodes, block);
    if (shares) {
        const bool many = j->leads && j->blocks >= LONG * j->nodes;
        GFAB_TRY(many && j->rounds > j->least ? find_shares(j, root) : GFAB_OK);
        return many && j->shared ? search(j, BY_SHARES) : GFAB_OK;
    }
    if (fits)
        GFAB_TRY(search(j, USEFUL));
    return j->leads ? search(j, BY_LEADS) : GFAB_OK;
}

/* ---- the schedule ---- */

static bool allocate(job *j)
{
    const size_t cells = (size_t)j->nodes * j->blocks;
    j->distance = gfab_arena_zeroed2(&j->arena, j->nodes, j->nodes, sizeof *j->distance);
    GFAB_ARRAYS(&j->arena, j->blocks, j->start, j->lacks);
    j->ready = gfab_arena_zeroed(&j->arena, cells, sizeof *j->ready);
    GFAB_ARRAYS(&j->arena, 2 * (size_t)j->links, j->chosen, j->lead, j->ends);
    GFAB_ARRAYS(&j->arena, j->links, j->key, j->weight, j->share, j->credit);
    GFAB_ARRAYS(&j->arena, j->nodes, j->busy, j->missing, j->mate);
    j->worth = gfab_arena_zeroed(&j->arena, (size_t)j->blocks + 1, sizeof *j->worth);
    j->moves = malloc(cells * sizeof *j->moves);
    j->best = malloc(cells * sizeof *j->best);
    return !j->arena.failed && j->moves && j->best;
}

static void release(job *j)
{
    gfab_arena_release(&j->arena);
    GFAB_FREE(j->moves, j->best);
}

/* A node from which no other one is farther than need be. */
static uint32_t middle(const job *j)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t v = 0; v < j->nodes; v++) {
        uint32_t far = 0;
        for (uint32_t u = 0; u < j->nodes; u++)
            far = j->distance[(size_t)v * j->nodes + u] > far ? j->distance[(size_t)v * j->nodes + u] : far;
        best = far < least ? v : best;
        least = far < least ? far : least;
    }
    return best;
}

/* An all-reduce has its totals at their owners, or all of them in the middle: both are tried. */
static gfab_status solve_trees(job *j)
{
    const bool anywhere = j->goal.collective == GFAB_ALL_REDUCE || j->goal.collective == GFAB_BARRIER;
    const bool rooted = anywhere || gfab_collective_has_root(j->goal.collective);
    for (uint32_t v = 0; v < j->nodes; v++)
        gfab_topology_distances(j->topology, v, j->distance + (size_t)v * j->nodes, j->busy);
    for (gfab_arc arc = 0; arc < 2 * j->links; arc++)
        j->ends[arc] = gfab_topology_arc_from(j->topology, arc);
    for (uint32_t lead = 0; lead <= j->blocks; lead++)
        j->worth[lead] = (uint32_t)lround(LEAD_UNIT * log1p(lead) / log1p(j->blocks));
    const uint32_t root = anywhere ? middle(j) : rooted ? j->goal.root : UINT32_MAX;
    for (int shares = 0; shares < 2; shares++) {
        GFAB_TRY(search_all(j, shares, root));
        if (anywhere && j->blocks > 1)
            GFAB_TRY(search_all(j, shares, UINT32_MAX));
    }
    return GFAB_OK;
}

/* A barrier where one round a hop: who is told of a node's arrival is told of all that the sender knows. *shorter: in
 * fewer rounds than along trees. */
static gfab_status solve_barrier(const job *j, gfab_schedule *schedule, bool *shorter, gfab_diag *diag)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *gossip = NULL;
    gfab_model model = *j->model;
    gfab_solver_options options = *j->options;
    model.packet_tokens = j->nodes;
    options.goal = NULL;
    options.parameters = NULL;
    options.linear = false;
    gfab_status status = gfab_solver_auto_gossip.solve(j->topology, &model, &options, &gossip, diag);
    *shorter = status == GFAB_OK && gfab_schedule_rounds(gossip) < 2 * j->rounds;
    if (status != GFAB_OK && !gfab_solver_cut_short(status)) /* the trees may still have as few rounds as asked for */
        return GFAB_OK;
    for (uint32_t round = 1; *shorter && status == GFAB_OK && round <= gfab_schedule_rounds(gossip); round++) {
        gfab_packet_iter packets = gfab_schedule_round(gossip, round);
        for (gfab_packet packet; status == GFAB_OK && gfab_packet_next(&packets, &packet);)
            status = gfab_schedule_append(schedule, round, packet.arcs[0], 0 | GFAB_COMBINE);
    }
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    GFAB_AT_END(release)
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .goal = goal,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .links = (uint32_t)gfab_topology_link_count(topology),
             .blocks = goal.blocks,
             .full = model->link_mode == GFAB_LINK_FULL,
             .random = options->seed,
             .rounds = UINT32_MAX};
    if (j.nodes > MAX_NODES || (uint64_t)j.nodes * j.blocks > MAX_HOLDINGS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "%u blocks on %u nodes; calls takes up to %u nodes and %llu blocks "
                         "times nodes",
                         j.blocks, j.nodes, MAX_NODES, (unsigned long long)MAX_HOLDINGS);
    gfab_model single = *model; /* a call moves one block */
    single.packet_tokens = 1;
    gfab_bound least;
    GFAB_TRY(gfab_bound_goal_best(topology, &single, &goal, options->progress, &least));
    j.least = (uint32_t)least.rounds / (goal.collective == GFAB_ALL_REDUCE || goal.collective == GFAB_BARRIER ? 2 : 1);
    j.leads = model->hop_rounds == 1 && j.blocks >= MANY_BLOCKS;
    const uint64_t useful = (uint64_t)2 * j.links * j.blocks + 1;
    const uint64_t heaviest = (uint64_t)j.nodes * (j.blocks + MATCHING_WORK * j.links);
    if (!j.leads && j.least > MAX_WORK / useful)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "%u blocks over %u links in at least %u rounds; calls takes up to %llu blocks times links "
                         "times rounds",
                         j.blocks, j.links, j.least, (unsigned long long)MAX_WORK / 2);
    if (j.leads && j.least > MAX_WORK / heaviest)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "%u blocks on %u nodes with %u links in at least %u rounds; calls takes up to %llu rounds "
                         "times nodes times the sum of blocks and %u for each link",
                         j.blocks, j.nodes, j.links, j.least, (unsigned long long)MAX_WORK, MATCHING_WORK);
    GFAB_NEED(allocate(&j));
    GFAB_TRY(solve_trees(&j));
    const bool exchange = goal.collective == GFAB_ALL_REDUCE || goal.collective == GFAB_BARRIER;
    bool told = false;
    if (exchange && goal.blocks == 1 && goal.idempotent && model->hop_rounds == 1)
        GFAB_TRY(solve_barrier(&j, schedule, &told, diag));
    return !told
               ? gfab_group_moves_trees(j.best, (size_t)j.blocks * (j.nodes - 1), j.rounds, model->hop_rounds, schedule)
               : GFAB_OK;
}

GFAB_SOLVE(solve, calls, build)

const gfab_solver gfab_solver_calls = {
    .name = "calls",
    .summary = "one port: all collectives but all-to-all, round by round a matching of useful calls, many tries; a "
               "barrier by telephone gossip",
    .source = "gossipfab, docs/theory/one-port.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) |
                   GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE) | GFAB_MAKES(GFAB_BARRIER),
    .only = GFAB_ONLY_ONE_PORT | GFAB_ONLY_STORED,
    .work = {.ns = 150, .nodes = 1, .blocks = 2},
};
