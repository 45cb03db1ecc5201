/* SPDX-License-Identifier: MIT */
/* Half duplex past switches: which ways links go in which rounds. A round is filled with paths from member to member
 * past switches, so that no link carries more than its weight, both ways together; rounds are filled differently, by
 * turns. Which fillings, and how often: a game (McMahan, Gordon & Blum 2003, double oracle, as in
 * core/rate/port_rate.c). One player chooses a filling, the other one a set of nodes, and gets what the filling lets
 * out of it, for each block that has to get out. By chance the fillings carry as many blocks a round as the sets let
 * out at most. The best set against given fillings is the certificate of gfab_rate on the graph of members. A good
 * filling against given sets is searched: paths that gain most for their length come in, some of them leave, others
 * come in (Shaw 1998, large neighbourhoods), by chance those that gain most, however long they are.
 *
 * Ours: fillings in place of a linear program over links. Three members on one switch by links of weight 1 have room
 * for one message a round, and not for one and a half as their links alone would say. No filling has more. */
#include "base/divisor.h"
#include "base/grow.h"
#include "base/random.h"
#include "flow/game.h"
#include "out_trees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE
#define MOST 128u /* fillings, and sets */
#define NEAR 1e-4
#define FINE 1073741824.0
#define MOST_SIZE ((uint64_t)1 << 16) /* members times arcs, and paths times nodes */
#define WORK ((uint64_t)1 << 19)      /* members times arcs of all searches for a filling */
#define MOST_CHANGES 300u
#define MOST_LENGTH 8u
#define STEEP 4.0

/* A path past switches; its ends as numbers among nodes that store. */
typedef struct way {
    uint32_t from, to, length;
    gfab_arc arc[MOST_LENGTH];
} way;

typedef struct filling {
    size_t first;
    uint32_t count; /* of ways */
} filling;

typedef struct share {
    const gfab_topology *topology;
    const gfab_goal *goal;
    const gfab_solver_options *options;
    gfab_topology *pairs; /* what stores, with a link between two where a path leads past switches */
    uint32_t *pair_of;    /* [stores * stores]: its arc; NONE */
    uint32_t nodes, stores, arcs, pair_arcs;
    uint32_t *number, *store; /* [nodes]: among what stores, NONE: a switch; [stores] */
    uint64_t random;
    /* fillings and sets */
    filling fillings[MOST];
    way *ways;
    size_t way_count, way_room;
    uint32_t filling_count, set_count;
    bool *set;                            /* [MOST * stores] */
    uint64_t *need;                       /* [MOST]: so many of what is carried out of it are a block */
    double *payoff, *by_set, *by_filling; /* [MOST * MOST], [MOST], [MOST] */
    double *gain, *noisy, *carry;         /* [stores * stores] */
    /* the round that is being filled */
    uint32_t *link_room, *arc_room; /* [links], [arcs] */
    uint32_t *came, *depth, *queue; /* [stores * nodes]: the arc into it, arcs to it; [nodes] */
    bool *valid;                    /* [stores] */
    way *now, *best;                /* [most] */
    uint32_t now_count, best_count, most;
    bool by_length;   /* paths come in that gain most for their length, else those that gain most */
    uint32_t *weight; /* [pair_arcs]: scratch */
    gfab_arena arena;
} share;

/* ---- a round ---- */

static bool has_room(const share *s, gfab_arc arc)
{
    return s->arc_room[arc] && s->link_room[arc / 2];
}

/* Shortest paths with room from what stores on, past switches. */
static void find_paths(share *s, uint32_t from)
{
    uint32_t *came = s->came + (size_t)from * s->nodes, *depth = s->depth + (size_t)from * s->nodes;
    uint32_t head = 0, tail = 0;
    memset(came, 0xff, s->nodes * sizeof *came);
    s->queue[tail++] = s->store[from];
    depth[s->store[from]] = 0;
    while (head < tail) {
        const uint32_t u = s->queue[head++];
        size_t count;
        const gfab_port *ports = gfab_topology_ports(s->topology, u, &count);
        const size_t shift = count ? gfab_random_below(&s->random, (uint32_t)count) : 0;
        for (size_t i = 0; i < count; i++) {
            const gfab_arc arc = 2 * ports[(i + shift) % count].link + ports[(i + shift) % count].end;
            const uint32_t v = gfab_topology_arc_to(s->topology, arc);
            if (came[v] != NONE || v == s->store[from] || !has_room(s, arc))
                continue;
            came[v] = arc;
            depth[v] = depth[u] + 1;
            if (s->number[v] == NONE && depth[v] < MOST_LENGTH)
                s->queue[tail++] = v;
        }
    }
    s->valid[from] = true;
}

static void count_way(share *s, const way *w, uint32_t more)
{
    for (uint32_t i = 0; i < w->length; i++) {
        s->arc_room[w->arc[i]] += more;
        s->link_room[w->arc[i] / 2] += more;
    }
}

/* The path found last; false where it has no room any more. */
static bool add_way(share *s, uint32_t from, uint32_t to)
{
    const uint32_t *came = s->came + (size_t)from * s->nodes;
    const uint32_t length = s->depth[(size_t)from * s->nodes + s->store[to]];
    way *w = &s->now[s->now_count];
    *w = (way){from, to, length, {0}};
    uint32_t v = s->store[to];
    for (uint32_t i = length; i-- > 0; v = gfab_topology_arc_from(s->topology, came[v])) {
        if (!has_room(s, came[v]))
            return false;
        w->arc[i] = came[v];
    }
    count_way(s, w, UINT32_MAX);
    s->now_count++;
    return true;
}

/* Paths come in as long as there is room, the one that gains most first, or most for its length. */
static void add_ways(share *s)
{
    memset(s->valid, 0, s->stores * sizeof *s->valid);
    while (s->now_count < s->most) {
        double best = 0;
        uint32_t from = 0, to = 0;
        for (uint32_t u = 0; u < s->stores; u++) {
            if (!s->valid[u])
                find_paths(s, u);
            for (uint32_t v = 0; v < s->stores; v++) {
                const size_t at = (size_t)u * s->nodes + s->store[v];
                if (u == v || s->came[at] == NONE)
                    continue;
                const double score = s->noisy[u * s->stores + v] / (s->by_length ? s->depth[at] : 1);
                if (score > best) {
                    best = score;
                    from = u;
                    to = v;
                }
            }
        }
        if (best <= 0)
            return;
        s->valid[from] = add_way(s, from, to);
    }
}

static double gain_of(const share *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->now_count; i++)
        sum += s->gain[s->now[i].from * s->stores + s->now[i].to];
    return sum;
}

static void drop_ways(share *s)
{
    for (uint32_t left = 1 + gfab_random_below(&s->random, 3); left > 0 && s->now_count > 0; left--) {
        way *w = &s->now[gfab_random_below(&s->random, s->now_count)];
        count_way(s, w, 1);
        *w = s->now[--s->now_count];
    }
}

static void clear_round(share *s)
{
    for (gfab_arc arc = 0; arc < s->arcs; arc++) {
        s->arc_room[arc] = gfab_topology_arc_weight(s->topology, arc);
        s->link_room[arc / 2] = gfab_topology_weight(s->topology, arc / 2);
    }
    s->now_count = 0;
}

static void keep_round(share *s)
{
    memcpy(s->best, s->now, s->now_count * sizeof *s->now);
    s->best_count = s->now_count;
}

static void take_back(share *s)
{
    clear_round(s);
    memcpy(s->now, s->best, s->best_count * sizeof *s->now);
    for (s->now_count = 0; s->now_count < s->best_count; s->now_count++)
        count_way(s, &s->now[s->now_count], UINT32_MAX);
}

static gfab_status add_filling(share *s)
{
    s->fillings[s->filling_count++] = (filling){s->way_count, s->best_count};
    for (uint32_t i = 0; i < s->best_count; i++) {
        if (!gfab_grow(&s->ways, s->way_count, &s->way_room, sizeof *s->ways))
            return GFAB_ERR_NO_MEMORY;
        s->ways[s->way_count++] = s->best[i];
    }
    return GFAB_OK;
}

/* A filling that gains much by gain[], from the best one on that there is; *sum is what it gains. */
static gfab_status find_filling(share *s, double *sum)
{
    const uint32_t cells = s->stores * s->stores;
    const uint64_t work = 1 + (uint64_t)s->stores * s->arcs, tries = WORK / work;
    double before = 0;
    uint32_t old = NONE;
    for (uint32_t k = 0; k < s->filling_count; k++) {
        double all = 0;
        for (uint32_t i = 0; i < s->fillings[k].count; i++) {
            const way *w = &s->ways[s->fillings[k].first + i];
            all += s->gain[w->from * s->stores + w->to];
        }
        if (all > before) {
            before = all;
            old = k;
        }
    }
    clear_round(s);
    memcpy(s->noisy, s->gain, cells * sizeof *s->noisy);
    s->by_length = true;
    add_ways(s);
    keep_round(s);
    *sum = gain_of(s);
    if (old != NONE && before > *sum) {
        s->best_count = s->fillings[old].count;
        memcpy(s->best, s->ways + s->fillings[old].first, s->best_count * sizeof *s->best);
        *sum = before;
    }
    take_back(s);
    for (uint32_t i = 0; i < MOST_CHANGES && i < tries; i++) {
        for (uint32_t k = 0; k < cells; k++)
            s->noisy[k] = s->gain[k] * (1 + gfab_random_below(&s->random, 1024) / 1024.0);
        s->by_length = gfab_random_below(&s->random, 2);
        drop_ways(s);
        add_ways(s);
        const double now = gain_of(s);
        if (now >= *sum) {
            *sum = now;
            keep_round(s);
        } else {
            take_back(s);
        }
    }
    return add_filling(s);
}

/* ---- sets ---- */

static double carried(const share *s, uint32_t set, uint32_t k)
{
    const bool *in = s->set + (size_t)set * s->stores;
    double sum = 0;
    for (uint32_t i = 0; i < s->fillings[k].count; i++) {
        const way *w = &s->ways[s->fillings[k].first + i];
        sum += in[w->from] && !in[w->to];
    }
    return sum / (double)s->need[set];
}

/* The set out of which least is carried, where pairs carry so much, comes in. */
static gfab_status add_set(share *s)
{
    gfab_certificate c;
    bool *set = s->set + (size_t)s->set_count * s->stores;
    double most = 0;
    for (uint32_t i = 0; i < s->stores * s->stores; i++)
        most = fmax(most, s->carry[i]);
    memset(s->weight, 0, s->pair_arcs * sizeof *s->weight);
    for (uint32_t i = 0; i < s->stores * s->stores; i++) /* what carries nothing stays a little: all is connected */
        if (s->pair_of[i] != NONE)
            s->weight[s->pair_of[i]] = 1 + (uint32_t)(s->carry[i] / most * FINE);
    const gfab_status status = gfab_out_least_set(s->pairs, s->weight, s->goal, s->options, &c);
    for (uint32_t v = 0; v < s->stores && status == GFAB_OK; v++)
        set[v] = c.part[v] == 0;
    if (status == GFAB_OK)
        s->need[s->set_count++] = c.demand;
    gfab_certificate_release(&c);
    return status;
}

/* ---- the game ---- */

/* What a message from one node to another gains against the sets by chance. */
static void find_gains(share *s)
{
    memset(s->gain, 0, (size_t)s->stores * s->stores * sizeof *s->gain);
    for (uint32_t i = 0; i < s->set_count; i++) {
        const bool *in = s->set + (size_t)i * s->stores;
        for (uint32_t u = 0; u < s->stores && s->by_set[i] > 0; u++)
            for (uint32_t v = 0; v < s->stores && in[u]; v++)
                s->gain[u * s->stores + v] += in[v] ? 0 : s->by_set[i] / (double)s->need[i];
    }
}

static void find_carry(share *s)
{
    memset(s->carry, 0, (size_t)s->stores * s->stores * sizeof *s->carry);
    for (uint32_t k = 0; k < s->filling_count; k++)
        for (uint32_t i = 0; i < s->fillings[k].count; i++) {
            const way *w = &s->ways[s->fillings[k].first + i];
            s->carry[w->from * s->stores + w->to] += s->by_filling[k];
        }
}

/* The last set's best filling. UNSUPPORTED where none carries anything out of it. */
static gfab_status answer_set(share *s)
{
    double sum;
    memset(s->by_set, 0, MOST * sizeof *s->by_set);
    s->by_set[s->set_count - 1] = 1;
    find_gains(s);
    GFAB_TRY(find_filling(s, &sum));
    return sum > 0 ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
}

/* The game of what there is, and one more of each; *more: they help. */
static gfab_status step(share *s, double *value, bool *more)
{
    const uint32_t fillings = s->filling_count, set = s->set_count;
    double most = 0, least = 0, alone = 0;
    for (uint32_t i = 0; i < set; i++)
        for (uint32_t k = 0; k < fillings; k++)
            s->payoff[i * fillings + k] = carried(s, i, k);
    GFAB_TRY(gfab_game_solve(set, fillings, s->payoff, s->by_set, s->by_filling, value));
    s->by_filling[fillings] = 0;
    find_carry(s);
    find_gains(s);
    GFAB_TRY(find_filling(s, &most));
    GFAB_TRY(add_set(s));
    for (uint32_t k = 0; k <= fillings; k++) {
        const double one = carried(s, set, k);
        least += k < fillings ? s->by_filling[k] * one : 0;
        alone = fmax(alone, one);
    }
    *more = most > *value * (1 + NEAR) || least < *value * (1 - NEAR);
    return alone > 0 ? GFAB_OK : answer_set(s);
}

/* ---- turns ---- */

/* How often of `turns` rounds each filling: what the game says, rounded down, and for each round that is left the one
 * that helps the sets most out of which least is carried. */
static void count_turns(const share *s, uint32_t turns, double value, uint32_t *times)
{
    double sum[MOST] = {0};
    uint32_t left = turns;
    for (uint32_t k = 0; k < s->filling_count; k++) {
        times[k] = (uint32_t)floor(s->by_filling[k] * turns + 1e-6);
        times[k] = times[k] < left ? times[k] : left;
        left -= times[k];
        for (uint32_t i = 0; i < s->set_count; i++)
            sum[i] += times[k] * s->payoff[i * MOST + k];
    }
    for (; left > 0; left--) {
        double best = INFINITY;
        uint32_t chosen = 0;
        for (uint32_t k = 0; k < s->filling_count; k++) {
            double all = 0;
            for (uint32_t i = 0; i < s->set_count; i++)
                all += exp(STEEP * (turns - (sum[i] + s->payoff[i * MOST + k]) / value));
            if (all < best) {
                best = all;
                chosen = k;
            }
        }
        times[chosen]++;
        for (uint32_t i = 0; i < s->set_count; i++)
            sum[i] += s->payoff[i * MOST + chosen];
    }
}

/* So many trees fit in so many rounds of all turns. */
static gfab_status find_trees(share *s, const uint32_t *times, uint64_t *trees, uint64_t *rounds)
{
    const uint32_t sets = s->set_count;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < s->filling_count; k++)
        s->by_filling[k] = times[k];
    find_carry(s);
    GFAB_TRY(add_set(s));
    for (uint32_t u = 0; u < s->stores; u++)
        for (uint32_t v = 0; v < s->stores; v++)
            if (s->set[(size_t)sets * s->stores + u] && !s->set[(size_t)sets * s->stores + v])
                sum += (uint64_t)(s->carry[u * s->stores + v] + 0.5);
    s->set_count = sets;
    const uint64_t divisor = gfab_common_divisor(sum, s->need[sets]);
    *trees = sum / divisor;
    *rounds = s->need[sets] / divisor;
    return GFAB_OK;
}

/* The fewest turns that carry the most, or come nearest to it. */
static gfab_status choose_turns(share *s, double value, uint32_t most_turns, uint32_t *times, gfab_out_trimmed *trimmed)
{
    uint32_t now[MOST];
    double best = 0, by[MOST];
    memcpy(by, s->by_filling, sizeof by);
    for (uint32_t i = 0; i < s->set_count; i++)
        for (uint32_t k = 0; k < s->filling_count; k++)
            s->payoff[i * MOST + k] = carried(s, i, k);
    for (uint32_t turns = 1; turns <= most_turns && best < value * (1 - NEAR); turns++) {
        uint64_t trees, rounds;
        memcpy(s->by_filling, by, sizeof by);
        count_turns(s, turns, value, now);
        GFAB_TRY(find_trees(s, now, &trees, &rounds));
        const double rate = (double)trees / (double)rounds / turns;
        if (rate <= best * (1 + 4 * NEAR))
            continue;
        best = rate;
        memcpy(times, now, sizeof now);
        *trimmed = (gfab_out_trimmed){turns, NULL, trees, rounds};
    }
    return best > 0 ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
}

/* ---- the graph ---- */

/* Each way of each turn as an arc of its own, made of the topology's; a filling's turns are spread. */
static gfab_status list_ways(share *s, uint32_t turns, const uint32_t *times, gfab_out_graph *graph)
{
    uint32_t done[MOST] = {0};
    GFAB_TRY(gfab_out_graph_create(s->topology, NULL, 1, graph));
    graph->unit = 1;
    for (gfab_arc arc = 0; arc < graph->count; arc++)
        s->arc_room[graph->arcs[arc].first] = arc;
    for (uint32_t i = 0; i < graph->count; i++)
        graph->arcs[i].room = 0;
    for (uint32_t t = 0; t < turns; t++) {
        uint32_t chosen = 0;
        double most = -INFINITY;
        for (uint32_t k = 0; k < s->filling_count; k++) {
            const double late = (double)times[k] * (t + 1) / turns - done[k];
            if (done[k] < times[k] && late > most) {
                most = late;
                chosen = k;
            }
        }
        done[chosen]++;
        for (uint32_t i = 0; i < s->fillings[chosen].count; i++) {
            const way *w = &s->ways[s->fillings[chosen].first + i];
            uint32_t so_far = s->arc_room[w->arc[0]];
            for (uint32_t k = 1; k < w->length; k++) {
                const uint32_t next = s->arc_room[w->arc[k]];
                GFAB_TRY(gfab_out_graph_add(
                    graph, (gfab_out_arc){graph->arcs[so_far].from, graph->arcs[next].to, 0, k + 1, so_far, next, t}));
                so_far = graph->count - 1;
            }
            if (w->length == 1) {
                gfab_out_arc alone = graph->arcs[so_far];
                so_far = graph->count;
                GFAB_TRY(gfab_out_graph_add(graph, alone));
            }
            graph->arcs[so_far].room = 1;
            graph->arcs[so_far].turn = t;
        }
    }
    return GFAB_OK;
}

/* "graph:N:U-V,.." of all pairs between which a path leads. */
static gfab_status make_pairs(share *s)
{
    char *spec = malloc(64 + 24 * (size_t)s->stores * s->stores);
    if (!spec)
        return GFAB_ERR_NO_MEMORY;
    char *at = spec + sprintf(spec, "graph:%u:", s->stores);
    clear_round(s);
    for (uint32_t u = 0; u < s->stores; u++)
        find_paths(s, u);
    for (uint32_t u = 0; u < s->stores; u++)
        for (uint32_t v = u + 1; v < s->stores; v++)
            if (s->came[(size_t)u * s->nodes + s->store[v]] != NONE ||
                s->came[(size_t)v * s->nodes + s->store[u]] != NONE)
                at += sprintf(at, "%s%u-%u", at[-1] == ':' ? "" : ",", u, v);
    const gfab_status status = gfab_topology_parse(spec, &s->pairs, NULL);
    free(spec);
    for (uint32_t u = 0; u < s->stores && status == GFAB_OK; u++)
        for (uint32_t v = 0; v < s->stores; v++) {
            gfab_arc *arc = &s->pair_of[u * s->stores + v];
            if (u == v || s->came[(size_t)u * s->nodes + s->store[v]] == NONE ||
                !gfab_topology_find_arc(s->pairs, u, v, arc))
                *arc = NONE;
        }
    s->pair_arcs = status == GFAB_OK ? 2 * (uint32_t)gfab_topology_link_count(s->pairs) : 0;
    return status;
}

static gfab_status open(share *s)
{
    const size_t cells = (size_t)MOST * MOST;
    uint64_t most = 0;
    s->number = gfab_arena_zeroed(&s->arena, s->nodes, sizeof *s->number);
    s->store = gfab_arena_zeroed(&s->arena, s->nodes, sizeof *s->store);
    if (s->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; v < s->nodes; v++) {
        const bool passes = gfab_topology_is_switch(s->topology, v);
        if (gfab_topology_is_relay(s->topology, v) && !passes)
            return GFAB_ERR_UNSUPPORTED;
        s->number[v] = passes ? NONE : s->stores;
        if (!passes)
            s->store[s->stores++] = v;
    }
    for (gfab_arc arc = 0; arc < s->arcs; arc++)
        if (s->number[gfab_topology_arc_from(s->topology, arc)] != NONE)
            most += gfab_topology_arc_weight(s->topology, arc);
    if (most * s->nodes > MOST_SIZE || (uint64_t)s->stores * s->arcs > MOST_SIZE)
        return GFAB_ERR_UNSUPPORTED;
    s->most = (uint32_t)most;
    s->set = gfab_arena_zeroed2(&s->arena, MOST, s->stores, sizeof *s->set);
    s->need = gfab_arena_zeroed(&s->arena, MOST, sizeof *s->need);
    s->payoff = gfab_arena_zeroed(&s->arena, cells, sizeof *s->payoff);
    s->by_set = gfab_arena_zeroed(&s->arena, MOST, sizeof *s->by_set);
    s->by_filling = gfab_arena_zeroed(&s->arena, MOST, sizeof *s->by_filling);
    s->pair_of = gfab_arena_zeroed2(&s->arena, s->stores, s->stores, sizeof *s->pair_of);
    s->gain = gfab_arena_zeroed2(&s->arena, s->stores, s->stores, sizeof *s->gain);
    s->noisy = gfab_arena_zeroed2(&s->arena, s->stores, s->stores, sizeof *s->noisy);
    s->carry = gfab_arena_zeroed2(&s->arena, s->stores, s->stores, sizeof *s->carry);
    s->weight = gfab_arena_zeroed2(&s->arena, s->stores, s->stores, sizeof *s->weight);
    s->link_room = gfab_arena_zeroed(&s->arena, s->arcs, sizeof *s->link_room);
    s->arc_room = gfab_arena_zeroed(&s->arena, s->arcs, sizeof *s->arc_room);
    s->came = gfab_arena_zeroed2(&s->arena, s->stores, s->nodes, sizeof *s->came);
    s->depth = gfab_arena_zeroed2(&s->arena, s->stores, s->nodes, sizeof *s->depth);
    s->queue = gfab_arena_zeroed(&s->arena, s->nodes, sizeof *s->queue);
    s->valid = gfab_arena_zeroed(&s->arena, s->stores, sizeof *s->valid);
    s->now = gfab_arena_zeroed(&s->arena, s->most + 1, sizeof *s->now);
    s->best = gfab_arena_zeroed(&s->arena, s->most + 1, sizeof *s->best);
    return s->arena.failed ? GFAB_ERR_NO_MEMORY : make_pairs(s);
}

/* The first filling, and the set that lets out least of it. */
static gfab_status begin(share *s)
{
    double sum;
    for (uint32_t i = 0; i < s->stores * s->stores; i++)
        s->gain[i] = s->pair_of[i] != NONE;
    GFAB_TRY(find_filling(s, &sum));
    s->by_filling[0] = 1;
    find_carry(s);
    GFAB_TRY(add_set(s));
    return answer_set(s);
}

gfab_status gfab_out_share(const gfab_topology *topology, const gfab_goal *goal, uint32_t most_turns,
                           const gfab_solver_options *options, gfab_out_trimmed *trimmed, gfab_out_graph *graph)
{
    share s = {.topology = topology,
               .goal = goal,
               .options = options,
               .arcs = 2 * (uint32_t)gfab_topology_link_count(topology),
               .nodes = (uint32_t)gfab_topology_node_count(topology),
               .random = options->seed};
    uint32_t times[MOST] = {0};
    double value = 0;
    gfab_status status = open(&s);
    GFAB_THEN(status, begin(&s));
    for (bool more = true; more && status == GFAB_OK && s.filling_count + 3 < MOST && s.set_count + 1 < MOST;) {
        status = step(&s, &value, &more);
        GFAB_THEN(status, gfab_solver_report(options, "fillings", s.filling_count, MOST));
    }
    GFAB_THEN(status, choose_turns(&s, value, most_turns, times, trimmed));
    GFAB_THEN(status, list_ways(&s, trimmed->turns, times, graph));
    gfab_topology_destroy(s.pairs);
    gfab_arena_release(&s.arena);
    free(s.ways);
    return status;
}
