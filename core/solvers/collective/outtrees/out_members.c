/* SPDX-License-Identifier: MIT */
/* The graph that is left once all switches are split off: what stores, with links of whole weights, each arc of which
 * is some paths past switches with a share of its weight. Shares of all paths over a link are its weight together, or
 * less. So whatever fits this graph in a round fits the topology, and no solver needs to know of switches. (Mader 1978;
 * Bang-Jensen, Frank & Jackson 1995; ForestColl, arXiv:2402.06787, splits off switches of its trees.) Ours: whole
 * weights, so that a round of the one is a round of the other.
 *
 * What can be split off without a loss of the best rate is found by flows. Where switches send more than they take in,
 * or less, part of the weights is taken, in rounds that take turns (out_trim.c). Where all that fails, as it may with
 * whole weights, or would take long, the rest is split off all the same. */
#include "out_members.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE
/* Nodes times switches times targets up to which flows say what can be split off. */
#define MOST_FLOWS ((uint64_t)1 << 16)

void gfab_out_members_release(gfab_out_members *m)
{
    gfab_topology_destroy(m->topology);
    gfab_arena_release(&m->arena);
    *m = (gfab_out_members){0};
}

/* What is asked of the machine, whose arcs are turned round where contributions come in. */
typedef struct plan {
    const gfab_topology *machine;
    gfab_goal out;
    const gfab_solver_options *options;
    uint32_t most_turns;
    bool rooted, tight, half, turns;
    gfab_out_trimmed trimmed;
    uint32_t *weight; /* [arcs]: where part of the weights is taken; NULL: all */
    uint32_t *supply; /* [nodes] */
    gfab_arena arena;
} plan;
GFAB_HOLDS_ARENA(plan)

/* Trees that are to fit: as many from each root, and rounds in which they do. Switches that are not balanced are
 * trimmed, unless that would take long. */
static gfab_status find_supply(plan *p)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(p->machine);
    gfab_out_trimmed *t = &p->trimmed;
    *t = (gfab_out_trimmed){1, NULL, 1, 1};
    p->supply = gfab_arena_zeroed(&p->arena, nodes, sizeof *p->supply);
    if (!p->supply)
        return GFAB_ERR_NO_MEMORY;
    gfab_out_rate rate = {0};
    gfab_status status = gfab_out_find_rate(p->machine, GFAB_LINK_FULL, &p->out, p->options, &rate);
    t->trees = rate.trees;
    t->rounds = rate.rounds;
    p->tight = rate.tight;
    if (status == GFAB_OK && !p->tight && p->most_turns) {
        t->weight = p->weight =
            gfab_arena_zeroed(&p->arena, 2 * gfab_topology_link_count(p->machine), sizeof *p->weight);
        status = p->weight ? gfab_out_trim(p->machine, &p->out, p->most_turns, p->options, t) : GFAB_ERR_NO_MEMORY;
        p->tight = status == GFAB_OK;
    }
    if (status == GFAB_ERR_LIMIT || status == GFAB_ERR_UNSUPPORTED || t->trees > INT32_MAX || t->rounds > INT32_MAX) {
        p->weight = NULL;
        p->tight = false;
        *t = (gfab_out_trimmed){1, NULL, 1, 1};
    } else if (status != GFAB_OK) {
        return status;
    }
    for (uint32_t v = 0; v < nodes; v++) {
        const bool root = !p->rooted || gfab_topology_rank(p->machine, v) == p->out.root;
        p->supply[v] = gfab_topology_is_relay(p->machine, v) || !root ? 0 : (uint32_t)t->trees;
    }
    return GFAB_OK;
}

static gfab_status split(const plan *p, bool loose, gfab_out_graph *graph)
{
    const uint32_t unit = (uint32_t)p->trimmed.rounds;
    GFAB_TRY(gfab_out_graph_create(p->machine, p->weight, unit, graph));
    graph->unit = unit;
    graph->loose = loose;
    return gfab_out_split(graph, p->supply, p->options);
}

/* ---- the graph ---- */

typedef struct numbered {
    uint32_t *number; /* [nodes]: among those that store */
    uint64_t *key;    /* [arcs with room]: from, to, the arc of the split graph */
    size_t count;
} numbered;

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The arcs that are left, those between the same nodes together. */
static gfab_status number_arcs(plan *p, const gfab_out_graph *graph, numbered *n)
{
    uint32_t stores = 0;
    n->number = gfab_arena_zeroed(&p->arena, graph->nodes, sizeof *n->number);
    n->key = gfab_arena_zeroed(&p->arena, (size_t)graph->count + 1, sizeof *n->key);
    if (p->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; v < graph->nodes; v++)
        n->number[v] = gfab_topology_is_switch(p->machine, v) ? NONE : stores++;
    if (stores > (uint32_t)1 << 16 || graph->count > (uint32_t)1 << 31)
        return GFAB_ERR_LIMIT;
    for (uint32_t i = 0; i < graph->count; i++) {
        const gfab_out_arc *a = &graph->arcs[i];
        if (a->room && n->number[a->from] != NONE && n->number[a->to] != NONE)
            n->key[n->count++] = (uint64_t)n->number[a->from] << 48 | (uint64_t)n->number[a->to] << 32 | i;
    }
    qsort(n->key, n->count, sizeof *n->key, compare);
    return GFAB_OK;
}

/* Where the pair's arcs begin, or would. */
static size_t first_of(const numbered *n, uint64_t pair)
{
    size_t low = 0, high = n->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (n->key[middle] >> 32 < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t weight_between(const gfab_out_graph *graph, const numbered *n, uint64_t from, uint64_t to)
{
    const uint64_t pair = from << 16 | to;
    uint64_t weight = 0;
    size_t low = first_of(n, pair);
    for (; low < n->count && n->key[low] >> 32 == pair; low++)
        weight += graph->arcs[(uint32_t)n->key[low]].room / graph->unit;
    return weight < GFAB_MAX_WEIGHT ? weight : GFAB_MAX_WEIGHT;
}

/* "graph:N:U-V,..+relay=V:KIND..+weight=U-V:W/X..", from which the graph is made. In turns no weight is 0, so that
 * all nodes can send to all others. */
static gfab_status make_graph(plan *p, const gfab_out_graph *graph, const numbered *n, gfab_topology **made,
                              gfab_diag *diag)
{
    const size_t room = 64 + 96 * n->count + 32 * (size_t)graph->nodes;
    char *spec = gfab_arena_zeroed(&p->arena, room, 1), *weights = gfab_arena_zeroed(&p->arena, room, 1);
    const bool both_ways = p->turns;
    uint32_t stores = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        stores += n->number[v] != NONE;
    if (p->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    char *links = spec + sprintf(spec, "graph:%" PRIu32 ":", stores);
    char *at = weights;
    for (size_t i = 0; i < n->count; i++) {
        const uint64_t pair = n->key[i] >> 32, from = pair >> 16, to = pair & 0xffff;
        uint64_t there = weight_between(graph, n, from, to), back = weight_between(graph, n, to, from);
        if ((i && n->key[i - 1] >> 32 == pair) || (from > to && back)) /* a link once, from its lower node */
            continue;
        links += sprintf(links, "%s%" PRIu64 "-%" PRIu64, links[-1] == ':' ? "" : ",", from, to);
        there += both_ways && !there;
        back += both_ways && !back;
        if (there != 1 || back != 1)
            at += sprintf(at, "+weight=%" PRIu64 "-%" PRIu64 ":%" PRIu64 "/%" PRIu64, from, to, there, back);
    }
    for (uint32_t v = 0; v < graph->nodes; v++) {
        const uint32_t relay = gfab_topology_relay(p->machine, v);
        if (relay && n->number[v] != NONE)
            links += sprintf(links, "+relay=%" PRIu32 "%s%s", n->number[v], relay == GFAB_RELAY_DOES_ALL ? "" : ":",
                             relay == GFAB_RELAY_DOES_ALL ? "" : gfab_topology_relay_name(relay));
    }
    memcpy(links, weights, (size_t)(at - weights) + 1);
    return gfab_topology_parse(spec, made, diag);
}

/* ---- paths ---- */

/* Without what comes back to a switch where it was: that only leaves room. */
static uint32_t without_loops(const gfab_topology *topology, gfab_arc *list, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t to = gfab_topology_arc_to(topology, list[i]);
        uint32_t k = 0;
        while (k < kept && gfab_topology_arc_to(topology, list[k]) != to)
            k++;
        if (k == kept)
            list[k] = list[i];
        kept = k + 1;
    }
    return kept;
}

/* Each arc's paths, with what they carry a round; where rounds take turns a path for each unit of that. */
static gfab_status list_paths(plan *p, const gfab_out_graph *graph, const numbered *n, gfab_out_members *m)
{
    const size_t arcs = 2 * gfab_topology_link_count(m->topology);
    const bool turns = p->turns;
    uint32_t *stack = gfab_arena_zeroed(&p->arena, (size_t)graph->count + 1, sizeof *stack);
    gfab_arc *list = gfab_arena_zeroed(&p->arena, (size_t)graph->count + 1, sizeof *list);
    size_t links = 0, paths = n->count, at = 0;
    for (size_t i = 0; i < n->count; i++) {
        links += graph->arcs[(uint32_t)n->key[i]].length;
        paths += turns ? graph->arcs[(uint32_t)n->key[i]].room / graph->unit : 0;
    }
    m->first = gfab_arena_zeroed(&m->arena, arcs + 1, sizeof *m->first);
    m->paths = gfab_arena_zeroed(&m->arena, paths + 1, sizeof *m->paths);
    m->arcs = gfab_arena_zeroed(&m->arena, links + 1, sizeof *m->arcs);
    if (p->arena.failed || m->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    for (size_t arc = 0; arc < arcs; arc++) {
        const uint64_t pair = (uint64_t)gfab_topology_arc_from(m->topology, (gfab_arc)arc) << 16 |
                              gfab_topology_arc_to(m->topology, (gfab_arc)arc);
        size_t low = first_of(n, pair);
        m->first[arc + 1] = m->first[arc];
        for (; low < n->count && n->key[low] >> 32 == pair; low++) {
            const uint32_t of = (uint32_t)n->key[low];
            const uint32_t count = without_loops(p->machine, list, gfab_out_list_arcs(graph, of, stack, list));
            uint32_t share = graph->arcs[of].room / graph->unit;
            memcpy(m->arcs + at, list, count * sizeof *list);
            for (; share > 0; share = turns ? share - 1 : 0)
                m->paths[m->first[arc + 1]++] = (gfab_out_path){turns ? 1 : share, count, graph->arcs[of].turn, at};
            at += count;
        }
    }
    return GFAB_OK;
}

/* Paths and weights the other way, as the machine is: arcs turned round keep their links. */
static gfab_status turn_back(gfab_out_members *m)
{
    const size_t arcs = 2 * gfab_topology_link_count(m->topology);
    gfab_topology *turned = NULL;
    size_t *first = gfab_arena_zeroed(&m->arena, arcs + 1, sizeof *first);
    gfab_out_path *paths = gfab_arena_zeroed(&m->arena, m->first[arcs] + 1, sizeof *paths);
    if (m->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    GFAB_TRY(gfab_topology_reverse(m->topology, &turned));
    for (size_t arc = 0, at = 0; arc <= arcs; arc++) {
        first[arc] = at;
        for (size_t i = arc < arcs ? m->first[arc ^ 1] : 0; arc < arcs && i < m->first[(arc ^ 1) + 1]; i++)
            paths[at++] = m->paths[i];
    }
    for (size_t i = 0; i < m->first[arcs]; i++) {
        gfab_arc *list = m->arcs + m->paths[i].first;
        const bool same = i > 0 && m->paths[i - 1].first == m->paths[i].first; /* of several units of a path one */
        for (uint32_t k = 0, end = m->paths[i].length; k < (end + 1) / 2 && !same; k++) {
            const gfab_arc swap = list[k] ^ 1;
            list[k] = list[end - 1 - k] ^ 1;
            list[end - 1 - k] = swap;
        }
    }
    for (size_t i = 0; m->turns.weight && i < m->turns.count * arcs; i += 2) {
        const uint32_t swap = m->turns.weight[i];
        m->turns.weight[i] = m->turns.weight[i + 1];
        m->turns.weight[i + 1] = swap;
    }
    gfab_topology_destroy(m->topology);
    m->first = first;
    m->paths = paths;
    m->topology = turned;
    return GFAB_OK;
}

static gfab_status make(plan *p, bool loose, gfab_out_members *members, gfab_diag *diag)
{
    GFAB_AT_END(gfab_out_graph_release) gfab_out_graph graph = {0};
    numbered n = {0};
    gfab_status status = p->half ? gfab_out_share(p->machine, &p->out, p->most_turns, p->options, &p->trimmed, &graph)
                                 : split(p, loose, &graph);
    p->turns = p->half || p->weight;
    members->turns = (gfab_out_turns){p->trimmed.turns, NULL, p->trimmed.trees, p->trimmed.rounds};
    GFAB_THEN(status, number_arcs(p, &graph, &n));
    GFAB_THEN(status, make_graph(p, &graph, &n, &members->topology, diag));
    GFAB_THEN(status, list_paths(p, &graph, &n, members));
    if (p->turns)
        GFAB_THEN(status, p->half ? gfab_out_weigh_turns(members) : gfab_out_take_turns(p->machine, members));
    return status;
}

gfab_status gfab_out_members_create(const gfab_topology *topology, const gfab_model *model, uint32_t most_turns,
                                    const gfab_solver_options *options, gfab_out_members *members, gfab_diag *diag)
{
    const gfab_goal *goal = options->goal;
    const uint64_t nodes = gfab_topology_node_count(topology), stores = gfab_topology_member_count(topology);
    const bool inwards = goal->collective == GFAB_REDUCE || goal->collective == GFAB_REDUCE_SCATTER;
    const bool turned = inwards && (gfab_topology_is_directed(topology) || model->link_mode == GFAB_LINK_HALF);
    gfab_topology *reversed = NULL;
    GFAB_AT_END(plan_release)
    plan p = {.machine = topology, .out = *goal, .options = options, .most_turns = most_turns};
    p.half = model->link_mode == GFAB_LINK_HALF;
    p.rooted = gfab_collective_has_root(goal->collective);
    p.out.collective = p.rooted ? GFAB_BROADCAST : GFAB_ALL_GATHER;
    p.out.idempotent = false;
    *members = (gfab_out_members){0};
    gfab_status status = turned ? gfab_topology_reverse(topology, &reversed) : GFAB_OK;
    p.machine = turned ? reversed : topology;
    if (!p.half)
        GFAB_THEN(status, find_supply(&p));
    const bool loose = !p.tight || nodes * (nodes - stores) * stores > MOST_FLOWS;
    GFAB_THEN(status, make(&p, loose, members, diag));
    if (status == GFAB_ERR_FAULT && !loose) { /* all weights, however much of the rate is lost */
        p.weight = NULL;
        p.trimmed.turns = 1;
        gfab_out_members_release(members);
        status = make(&p, true, members, diag);
    }
    if (turned)
        GFAB_THEN(status, turn_back(members));
    if (status != GFAB_OK)
        gfab_out_members_release(members);
    gfab_topology_destroy(reversed);
    return status;
}
