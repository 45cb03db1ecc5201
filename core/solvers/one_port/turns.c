/* SPDX-License-Identifier: MIT */
/* One port, any graph, relays and weights too. The best rate says for which share of all rounds each link is open, and
 * by which matchings (core/rate/port_rate.c). So many rounds of these, by turns, make of the graph one for all ports,
 * where a link carries a packet for each of its turns. Its trees, at the best rate there is with all ports, are the
 * ways of the blocks; then each link takes, in its turns, what has the longest way before it. Example: on path:4 the
 * outer two links and the middle one have every second round each, and a broadcast takes 2 B + 1 rounds for B blocks:
 * block b goes over the three links in the rounds 2 b + 1, 2 b + 2 and 2 b + 3. Of few turns the shares are near those
 * of the best rate only, of many the first blocks wait long: several numbers of them are tried. What is reduced goes
 * backwards in time. Ours; docs/theory/one-port.md. */
#include "turns.h"

#include "base/ascending.h"
#include "base/divisor.h"
#include "base/random.h"
#include "rate/port_rate.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/rate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIZE ((size_t)1 << 15) /* nodes times links */
#define MOST_TURNS 96u
#define MOST_TRIED 6u /* numbers of turns */
#define ORDERS 6u     /* of the turns */
#define MOST_MOVES ((uint64_t)1 << 19)
/* Moves, or eighths of a round, times nodes and links; in a millisecond. */
#define MOST_WORK ((uint64_t)1 << 19)
#define WORK_A_MS ((uint64_t)1 << 9)
#define MOST_FITS ((uint64_t)1 << 25)
#define ANY_GROUPS 64u
/* Rounds that a number of turns costs beside what they carry, times that: where all blocks begin at once, and else. */
#define SHORT_WAIT 0.05
#define LONG_WAIT 2.0

typedef struct found {
    uint64_t rounds; /* 0: nothing yet */
    gfab_arena arena;
    gfab_group_move *moves;
    bool *down; /* [count]: a move of a block or a total, not of a part of one */
    size_t count;
    uint32_t period, group, last;
} found;
GFAB_HOLDS_ARENA(found)

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_goal goal, forward; /* what is asked for; what is made, before it is turned in time */
    uint32_t nodes, links, members;
    bool span, owned, any;
    uint64_t least, work, most_work, random; /* most_work: for now */
    gfab_port_mix mix[2];                    /* shares of matchings, and matchings in turn */
    found best;
    gfab_arena arena; /* of a number of turns, and of what comes last */
} job;

/* So many turns, and the rounds that may be hoped for with them. */
typedef struct number {
    const gfab_port_mix *mix;
    uint32_t turns;
    double hope;
} number;

/* ---- turns ---- */

/* How many turns each matching has: shares of so many, whole. */
static void count_turns(const job *j, const number *n, uint32_t *count)
{
    const gfab_port_mix *mix = n->mix;
    uint32_t left = n->turns;
    for (size_t m = 0; mix == &j->mix[1] && m < mix->count; m++)
        count[m] = m < n->turns;
    for (size_t m = 0; mix == &j->mix[0] && m < mix->count; m++) {
        const uint32_t whole = (uint32_t)floor(mix->share[m] * n->turns + 1e-6);
        count[m] = whole < left ? whole : left;
        left -= count[m];
    }
    for (; mix == &j->mix[0] && left > 0; left--) {
        size_t most = 0;
        for (size_t m = 1; m < mix->count; m++)
            if (mix->share[m] * n->turns - count[m] > mix->share[most] * n->turns - count[most])
                most = m;
        count[most]++;
    }
}

/* Packets of a link in so many turns. A relay that no turn is for hangs by one link, which is of no use: every node has
 * to be come to. */
static void find_weights(const job *j, const number *n, const uint32_t *count, uint32_t *weight)
{
    for (gfab_arc arc = 0; arc < 2 * j->links; arc++) {
        weight[arc] = 0;
        for (size_t m = 0; m < n->mix->count; m++)
            if (n->mix->uses[m * j->links + arc / 2])
                weight[arc] += count[m] * gfab_topology_arc_weight(j->topology, arc);
    }
    for (uint32_t v = 0; v < j->nodes; v++) {
        size_t ports;
        uint64_t sum = 0;
        const gfab_port *port = gfab_topology_ports(j->topology, v, &ports);
        for (size_t i = 0; i < ports; i++)
            sum += weight[2 * port[i].link];
        if (gfab_topology_is_relay(j->topology, v) && sum == 0)
            weight[2 * port->link] = weight[2 * port->link + 1] = n->turns;
    }
}

/* What a number of turns promises. */
static gfab_status hope_for(const job *j, number *n, uint32_t *count, uint32_t *weight)
{
    const double wait = j->owned ? SHORT_WAIT : LONG_WAIT;
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *wide = NULL;
    GFAB_FREED uint32_t *link = NULL;
    gfab_certificate c;
    bool tight;
    count_turns(j, n, count);
    find_weights(j, n, count, weight);
    n->hope = INFINITY;
    gfab_status status = gfab_topology_weigh(j->topology, weight, &wide, &link);
    GFAB_THEN(status, gfab_rate(wide, j->model->link_mode, &j->forward, j->options->progress, &c, &tight));
    if (status == GFAB_OK) {
        n->hope = ((double)c.demand / (double)c.capacity / c.goal.blocks * j->goal.blocks + wait) * n->turns;
        gfab_certificate_release(&c);
    }
    return gfab_solver_cut_short(status) ? status : GFAB_OK;
}

/* The best numbers, the best first, by turns of the one mix and of the other; of equals those of fewer turns. */
static gfab_status find_numbers(job *j, number *best)
{
    const size_t most = j->mix[0].count > j->mix[1].count ? j->mix[0].count : j->mix[1].count;
    uint32_t *count = gfab_arena_zeroed(&j->arena, most, sizeof *count);
    uint32_t *weight = gfab_arena_zeroed(&j->arena, 2 * (size_t)j->links, sizeof *weight);
    GFAB_NEED(!j->arena.failed);
    for (uint32_t i = 0; i < MOST_TRIED; i++)
        best[i] = (number){NULL, 0, INFINITY};
    for (uint32_t k = 2; k < 2 * MOST_TURNS; k++) {
        number n = {&j->mix[k % 2], k / 2, 0};
        if (k % 2 && n.turns > n.mix->count)
            continue;
        GFAB_TRY(hope_for(j, &n, count, weight));
        for (uint32_t i = k % 2; i < MOST_TRIED; i += 2)
            if (n.hope < best[i].hope) {
                const number swap = best[i];
                best[i] = n;
                n = swap;
            }
    }
    return GFAB_OK;
}

/* The turns of a matching are spread over all: the first time evenly, then by chance. */
static gfab_status order_turns(job *j, const gfab_port_mix *mix, const uint32_t *count, bool even, gfab_turns *turns)
{
    uint64_t *key = gfab_arena_zeroed(&j->arena, turns->length, sizeof *key);
    uint32_t at = 0;
    GFAB_NEED(key);
    for (size_t m = 0; m < mix->count; m++)
        for (uint32_t i = 0; i < count[m]; i++)
            key[at++] = (even ? ((2 * (uint64_t)i + 1) << 31) / count[m] : gfab_random(&j->random) >> 32) << 16 | m;
    qsort(key, turns->length, sizeof *key, gfab_ascending);
    for (uint32_t i = 0; i < turns->length; i++)
        memcpy(turns->open + (size_t)i * j->links, mix->uses + (key[i] & 0xffff) * j->links,
               j->links * sizeof *turns->open);
    return GFAB_OK;
}

/* ---- a schedule ---- */

/* What one more block that goes a way adds to the squares of what links carry, each in parts of what it can. */
static double cost_of(const job *j, const gfab_ways *ways, uint32_t way, const uint32_t *weight, const uint32_t *load)
{
    const uint32_t both = j->model->link_mode == GFAB_LINK_HALF ? 1 : 0; /* its two ways are one */
    double cost = 0;
    for (uint32_t m = ways->from[way]; m < ways->from[way + 1]; m++)
        cost += (2.0 * load[ways->moves[m].arc & ~both] + 1) / (weight[ways->moves[m].arc] + 1e-3);
    return cost;
}

/* Blocks of an owner that are fewer than its ways, or what is left of them once all have been used as often as each
 * other: one by one, and owner by owner, the way that fits best to those before. */
static gfab_status fit_ways(job *j, const gfab_ways *ways, const uint32_t *weight, uint32_t blocks, uint32_t mine,
                            uint32_t *way)
{
    const uint32_t owners = j->owned ? j->members : 1, both = j->model->link_mode == GFAB_LINK_HALF ? 1 : 0;
    uint32_t *load = gfab_arena_zeroed(&j->arena, 2 * (size_t)j->links, sizeof *load);
    bool *used = gfab_arena_zeroed(&j->arena, ways->count, sizeof *used);
    GFAB_NEED(!j->arena.failed);
    for (uint32_t b = blocks / mine * mine; b < blocks; b++)
        for (uint32_t v = 0; v < owners; v++) {
            uint32_t best = UINT32_MAX;
            double least = INFINITY;
            for (uint32_t w = v * mine; w < (v + 1) * mine; w++) {
                const double cost = used[w] ? INFINITY : cost_of(j, ways, w, weight, load);
                if (cost < least) {
                    least = cost;
                    best = w;
                }
            }
            used[best] = true;
            way[v * blocks + b] = best;
            for (uint32_t m = ways->from[best]; m < ways->from[best + 1]; m++)
                load[ways->moves[m].arc & ~both]++;
        }
    return GFAB_OK;
}

/* Which way each block of a group goes: that of as few blocks as use all ways as often as each other, or of all blocks.
 * *times: how often that is. NULL without memory. */
static uint32_t *choose_ways(job *j, const gfab_ways *ways, const uint32_t *weight, bool all, uint32_t *group,
                             uint32_t *times)
{
    const uint32_t each = j->owned ? j->members : 1, mine = ways->count / each;
    uint32_t *way, blocks = mine; /* of an owner */
    *times = 1;
    if (j->owned && j->span) { /* every tree is each owner's, and used by all together */
        blocks = mine / (uint32_t)gfab_common_divisor(mine, j->members);
        *times = blocks * j->members / mine;
    }
    if (all)
        blocks = j->goal.blocks / each;
    *group = blocks * each;
    way = gfab_arena_zeroed(&j->arena, *group, sizeof *way);
    for (uint32_t b = 0; b < *group && way; b++)
        way[b] = b / blocks * mine + (j->span ? b : b % blocks) % mine;
    const uint64_t work = (uint64_t)(blocks % mine) * each * mine * j->nodes;
    const bool fit = way && all && j->owned && !j->span && work < MOST_FITS;
    return !fit || fit_ways(j, ways, weight, blocks, mine, way) == GFAB_OK ? way : NULL;
}

static uint64_t moves_of(const gfab_ways *ways, const uint32_t *way, uint32_t group)
{
    uint64_t moves = 0;
    for (uint32_t b = 0; b < group; b++)
        moves += ways->from[way[b] + 1] - ways->from[way[b]];
    return moves;
}

/* Rounds for a group; it is kept where it is the shortest so far. */
static gfab_status try_rule(job *j, const gfab_turns *turns, const gfab_ways *ways, const uint32_t *way, uint32_t group,
                            const gfab_turns_rule *rule)
{
    GFAB_AT_END(found_release)
    found made = {.count = moves_of(ways, way, group), .period = rule->period, .group = group};
    GFAB_ARRAYS(&made.arena, made.count, made.moves, made.down);
    gfab_status status = made.arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    GFAB_THEN(status, gfab_turns_list(turns, j->model, ways, way, group, rule, j->options, made.moves, &made.last));
    const uint64_t groups = j->any ? ANY_GROUPS : (j->goal.blocks + group - 1) / group;
    made.rounds = made.last + (groups - 1) * rule->period;
    j->work += rule->period ? made.count : (uint64_t)made.last * j->links * j->nodes / 8;
    if (status == GFAB_OK && (j->best.rounds == 0 || made.rounds < j->best.rounds)) {
        size_t i = 0;
        for (uint32_t b = 0; b < group; b++)
            for (uint32_t m = ways->from[way[b]]; m < ways->from[way[b] + 1]; m++)
                made.down[i++] = ways->moves[m].down;
        const found before = j->best;
        j->best = made;
        made = before;
    }
    return status;
}

static bool is_done(const job *j)
{
    return j->best.rounds > 0 && (j->best.rounds <= j->least || j->work >= j->most_work);
}

/* One group that repeats, and all blocks, in several orders of the turns. */
static gfab_status try_ways(job *j, const number *n, gfab_turns *turns, const uint32_t *count, const uint32_t *weight,
                            const gfab_ways *ways, uint32_t rounds)
{
    const bool both = j->goal.collective == GFAB_ALL_REDUCE && j->model->link_mode == GFAB_LINK_HALF;
    for (int all = 0; all < (j->any ? 1 : 2); all++) {
        uint32_t group, times;
        const uint32_t *way = choose_ways(j, ways, weight, all, &group, &times);
        GFAB_NEED(way);
        const bool fits = moves_of(ways, way, group) <= MOST_MOVES && (all || j->any || group <= j->goal.blocks);
        const uint32_t period = turns->length * rounds * times * (both ? 2 : 1);
        const double pace = all && !j->owned ? (double)period / ways->count : 0;
        for (uint32_t i = 0; fits && i < ORDERS && !is_done(j); i++) {
            const gfab_turns_rule rule = {.period = all ? 0 : period,
                                          .pace = pace,
                                          .link_wait = all ? 1u << i % 3 : 1,
                                          .noise = all && i > 2 ? gfab_random(&j->random) : 0};
            GFAB_TRY(order_turns(j, n->mix, count, i == 0, turns));
            GFAB_TRY(try_rule(j, turns, ways, way, group, &rule));
        }
    }
    return GFAB_OK;
}

static gfab_status try_number(job *j, const number *n)
{
    gfab_turns turns = {.topology = j->topology, .links = j->links, .length = n->turns};
    GFAB_AT_END(gfab_ways_release) gfab_ways ways = {0};
    uint32_t rounds = 0, *count = gfab_arena_zeroed(&j->arena, n->mix->count, sizeof *count);
    uint32_t *weight = gfab_arena_zeroed(&j->arena, 2 * (size_t)j->links, sizeof *weight);
    turns.open = gfab_arena_zeroed2(&j->arena, n->turns, j->links, sizeof *turns.open);
    GFAB_NEED(!j->arena.failed);
    count_turns(j, n, count);
    find_weights(j, n, count, weight);
    gfab_status status =
        gfab_ways_find(j->topology, j->model, &j->forward, j->span, weight, j->options, &ways, &rounds);
    GFAB_THEN(status, try_ways(j, n, &turns, count, weight, &ways, rounds));
    gfab_arena_release(&j->arena);
    return gfab_solver_cut_short(status) ? status : GFAB_OK;
}

/* ---- into the schedule ---- */

static int compare_moves(const void *a, const void *b)
{
    const gfab_group_move *x = a, *y = b;
    return x->round != y->round ? (x->round < y->round ? -1 : 1) : (x->arc > y->arc) - (x->arc < y->arc);
}

/* Which messages are combined: sums, but for the first one that comes to a relay. Moves by rounds. */
static gfab_status mark_sums(job *j)
{
    gfab_group_move *moves = j->best.moves;
    bool *has = gfab_arena_zeroed2(&j->arena, j->best.group, j->nodes, sizeof *has);
    GFAB_NEED(has);
    for (size_t i = 0; i < j->best.count; i++) {
        const uint32_t to = gfab_topology_arc_to(j->topology, moves[i].arc);
        bool *here = &has[(size_t)moves[i].token * j->nodes + to];
        if (!j->best.down[i] && (*here || !gfab_topology_is_relay(j->topology, to)))
            moves[i].token |= GFAB_COMBINE;
        *here = true;
    }
    return GFAB_OK;
}

/* Blocks by their last rounds, but for those that have owners. */
static gfab_status number_blocks(job *j)
{
    const found *best = &j->best;
    uint64_t *last = gfab_arena_zeroed(&j->arena, best->group, sizeof *last);
    uint32_t *rank = gfab_arena_zeroed(&j->arena, best->group, sizeof *rank);
    GFAB_NEED(!j->arena.failed);
    for (const gfab_group_move *move = best->moves; move < best->moves + best->count; move++)
        last[move->token] = move->round > last[move->token] ? move->round : last[move->token];
    for (uint32_t b = 0; b < best->group; b++)
        last[b] = last[b] << 32 | b;
    qsort(last, best->group, sizeof *last, gfab_ascending);
    for (uint32_t b = 0; b < best->group; b++)
        rank[(uint32_t)last[b]] = b;
    for (size_t i = 0; i < best->count; i++)
        best->moves[i].token = rank[best->moves[i].token];
    return GFAB_OK;
}

typedef struct sorted {
    gfab_group_move move;
    bool down;
} sorted;

static int compare_sorted(const void *a, const void *b)
{
    return compare_moves(&((const sorted *)a)->move, &((const sorted *)b)->move);
}

static gfab_status emit(job *j, gfab_schedule *schedule)
{
    found *best = &j->best;
    const bool back = j->goal.collective != j->forward.collective;
    sorted *list = gfab_arena_zeroed(&j->arena, best->count, sizeof *list);
    GFAB_NEED(list);
    for (size_t i = 0; i < best->count; i++) {
        const gfab_group_move *move = &best->moves[i];
        list[i] = (sorted){*move, !back && best->down[i]};
        if (back)
            list[i].move = (gfab_group_move){best->last + 1 - move->round, move->token, move->arc ^ 1};
    }
    qsort(list, best->count, sizeof *list, compare_sorted);
    for (size_t i = 0; i < best->count; i++) {
        best->moves[i] = list[i].move;
        best->down[i] = list[i].down;
    }
    if (!j->owned)
        GFAB_TRY(number_blocks(j));
    if (gfab_collective_combines(j->goal.collective))
        GFAB_TRY(mark_sums(j));
    return gfab_group_moves_append(best->moves, best->count, best->period, best->group, schedule);
}

/* ---- the solver ---- */

static gfab_status search(job *j)
{
    GFAB_AT_END(gfab_certificate_release) gfab_certificate c = {0};
    gfab_bound bound;
    bool tight;
    number numbers[MOST_TRIED];
    GFAB_TRY(gfab_bound_goal_best(j->topology, j->model, &j->goal, j->options->progress, &bound));
    GFAB_TRY(gfab_port_rate(j->topology, j->model->link_mode, &j->forward, 0, GFAB_PORT_STEPS, j->options->progress, &c,
                            &tight, j->mix));
    const uint64_t work = j->most_work;
    j->least = bound.rounds;
    GFAB_TRY(find_numbers(j, numbers));
    for (uint32_t i = 0; i < MOST_TRIED && numbers[i].turns; i++)
        if ((j->most_work = work * (i + 1) / MOST_TRIED) && !is_done(j))
            GFAB_TRY(try_number(j, &numbers[i]));
    return j->best.rounds == 0 ? GFAB_ERR_UNSUPPORTED : GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    job j = {.topology = topology,
             .model = model,
             .options = options,
             .goal = gfab_schedule_goal(schedule),
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .links = (uint32_t)gfab_topology_link_count(topology),
             .members = (uint32_t)gfab_topology_member_count(topology),
             .any = options->any_length,
             .random = options->seed};
    const gfab_collective made = j.goal.collective;
    j.forward = j.goal;
    j.forward.collective = made == GFAB_REDUCE ? GFAB_BROADCAST : made == GFAB_REDUCE_SCATTER ? GFAB_ALL_GATHER : made;
    j.span = model->link_mode == GFAB_LINK_HALF || made == GFAB_ALL_REDUCE;
    j.owned = j.forward.collective == GFAB_ALL_GATHER;
    j.most_work = options->most_ms ? options->most_ms * WORK_A_MS : MOST_WORK;
    j.most_work *= options->effort ? options->effort : 1;
    gfab_status status = search(&j);
    if (status == GFAB_ERR_UNSUPPORTED)
        status = gfab_fail(diag, 0, status, "turns finds no trees on %s", gfab_topology_name(topology));
    GFAB_THEN(status, emit(&j, schedule));
    gfab_port_mix_release(&j.mix[0]);
    gfab_port_mix_release(&j.mix[1]);
    gfab_arena_release(&j.best.arena);
    gfab_arena_release(&j.arena);
    return status;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    if (nodes * links <= MOST_SIZE)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "turns is for up to %zu nodes times links; %s has %zu", MOST_SIZE,
                     gfab_topology_name(topology), nodes * links);
}

GFAB_SOLVE(solve, turns, build)

const gfab_solver gfab_solver_turns = {
    .name = "turns",
    .summary = "one port: trees at the best rate there is on any graph, whose links take turns; it repeats",
    .source = "gossipfab, docs/theory/one-port.md",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) |
                   GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE),
    .repeats = true,
    .knows = GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS,
    .only = GFAB_ONLY_ONE_PORT | GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
    .long_from = 1,
};
