/* SPDX-License-Identifier: MIT */
/* The graph that is left once all switches are split off: what stores, with links of whole weights, each arc of which
 * is some paths past switches with a share of its weight. Shares of all paths over a link are its weight together, or
 * less. So whatever fits this graph in a round fits the topology, and no solver needs to know of switches. (Mader 1978;
 * Bang-Jensen, Frank & Jackson 1995; ForestColl, arXiv:2402.06787, splits off switches of its trees.) Ours: whole
 * weights, so that a round of the one is a round of the other.
 *
 * What can be split off without a loss of the best rate is found by flows. Where that fails, as it may with whole
 * weights, or would take long, the rest is split off all the same. */
#include "out_members.h"
#include "out_trees.h"

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
    free(m->first);
    free(m->paths);
    free(m->arcs);
    *m = (gfab_out_members){0};
}

/* Trees that are to fit: as many from each root, and rounds in which they do. */
static gfab_status find_supply(const gfab_topology *topology, const gfab_goal *goal, const gfab_solver_options *options,
                               uint32_t *supply, uint32_t *unit, bool *tight)
{
    gfab_goal out = *goal;
    uint64_t trees = 1, rounds = 1;
    const bool rooted = gfab_collective_has_root(goal->collective);
    out.collective = rooted ? GFAB_BROADCAST : GFAB_ALL_GATHER;
    out.idempotent = false;
    const gfab_status status = gfab_out_rate(topology, &out, options, &trees, &rounds, tight);
    if (status == GFAB_ERR_LIMIT || status == GFAB_ERR_UNSUPPORTED || trees > INT32_MAX || rounds > INT32_MAX) {
        *tight = false;
        trees = rounds = 1;
    } else if (status != GFAB_OK) {
        return status;
    }
    *unit = (uint32_t)rounds;
    for (uint32_t v = 0; v < gfab_topology_node_count(topology); v++)
        supply[v] = gfab_topology_is_relay(topology, v) || (rooted && gfab_topology_rank(topology, v) != goal->root)
                        ? 0
                        : (uint32_t)trees;
    return GFAB_OK;
}

static gfab_status split(const gfab_topology *topology, const uint32_t *supply, uint32_t unit, bool loose,
                         const gfab_solver_options *options, gfab_out_graph *graph)
{
    gfab_status status = gfab_out_graph_create(topology, unit, graph);
    graph->unit = unit;
    graph->loose = loose;
    GFAB_THEN(status, gfab_out_split(graph, supply, options));
    return status;
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
static gfab_status number_arcs(const gfab_topology *topology, const gfab_out_graph *graph, numbered *n)
{
    uint32_t stores = 0;
    n->number = malloc(graph->nodes * sizeof *n->number);
    n->key = malloc(((size_t)graph->count + 1) * sizeof *n->key);
    if (!n->number || !n->key)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; v < graph->nodes; v++)
        n->number[v] = gfab_topology_is_switch(topology, v) ? NONE : stores++;
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

/* "graph:N:U-V,..+relay=V:KIND..+weight=U-V:W/X..", from which the graph is made. */
static gfab_status make_graph(const gfab_topology *topology, const gfab_out_graph *graph, const numbered *n,
                              gfab_topology **made, gfab_diag *diag)
{
    const size_t room = 64 + 96 * n->count + 32 * (size_t)graph->nodes;
    char *spec = malloc(room), *links = NULL, *weights = NULL;
    uint32_t stores = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        stores += n->number[v] != NONE;
    weights = malloc(room);
    if (!spec || !weights) {
        free(spec);
        free(weights);
        return GFAB_ERR_NO_MEMORY;
    }
    links = spec + sprintf(spec, "graph:%" PRIu32 ":", stores);
    char *at = weights;
    *at = '\0';
    for (size_t i = 0; i < n->count; i++) {
        const uint64_t pair = n->key[i] >> 32, from = pair >> 16, to = pair & 0xffff;
        const uint64_t there = weight_between(graph, n, from, to), back = weight_between(graph, n, to, from);
        if ((i && n->key[i - 1] >> 32 == pair) || (from > to && back)) /* a link once, from its lower node */
            continue;
        links += sprintf(links, "%s%" PRIu64 "-%" PRIu64, links[-1] == ':' ? "" : ",", from, to);
        if (there != 1 || back != 1)
            at += sprintf(at, "+weight=%" PRIu64 "-%" PRIu64 ":%" PRIu64 "/%" PRIu64, from, to, there, back);
    }
    for (uint32_t v = 0; v < graph->nodes; v++) {
        const uint32_t relay = gfab_topology_relay(topology, v);
        if (relay && n->number[v] != NONE)
            links += sprintf(links, "+relay=%" PRIu32 "%s%s", n->number[v], relay == GFAB_RELAY_DOES_ALL ? "" : ":",
                             relay == GFAB_RELAY_DOES_ALL ? "" : gfab_topology_relay_name(relay));
    }
    memcpy(links, weights, (size_t)(at - weights) + 1);
    const gfab_status status = gfab_topology_parse(spec, made, diag);
    free(spec);
    free(weights);
    return status;
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

/* Each arc's paths, with what they carry a round. */
static gfab_status list_paths(const gfab_topology *topology, const gfab_out_graph *graph, const numbered *n,
                              gfab_out_members *m)
{
    const size_t arcs = 2 * gfab_topology_link_count(m->topology);
    uint32_t *stack = malloc(((size_t)graph->count + 1) * sizeof *stack);
    gfab_arc *list = malloc(((size_t)graph->count + 1) * sizeof *list);
    size_t links = 0, at = 0;
    for (size_t i = 0; i < n->count; i++)
        links += graph->arcs[(uint32_t)n->key[i]].length;
    m->first = calloc(arcs + 1, sizeof *m->first);
    m->paths = malloc((n->count + 1) * sizeof *m->paths);
    m->arcs = malloc((links + 1) * sizeof *m->arcs);
    const bool good = stack && list && m->first && m->paths && m->arcs;
    for (size_t arc = 0; arc < arcs && good; arc++) {
        const uint64_t pair = (uint64_t)gfab_topology_arc_from(m->topology, (gfab_arc)arc) << 16 |
                              gfab_topology_arc_to(m->topology, (gfab_arc)arc);
        size_t low = first_of(n, pair);
        m->first[arc + 1] = m->first[arc];
        for (; low < n->count && n->key[low] >> 32 == pair; low++) {
            const uint32_t of = (uint32_t)n->key[low];
            const uint32_t count = without_loops(topology, list, gfab_out_list_arcs(graph, of, stack, list));
            memcpy(m->arcs + at, list, count * sizeof *list);
            m->paths[m->first[arc + 1]++] = (gfab_out_path){graph->arcs[of].room / graph->unit, count, at};
            at += count;
        }
    }
    free(stack);
    free(list);
    return good ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_out_members_create(const gfab_topology *topology, const gfab_goal *goal,
                                    const gfab_solver_options *options, gfab_out_members *members, gfab_diag *diag)
{
    const uint64_t nodes = gfab_topology_node_count(topology), stores = gfab_topology_member_count(topology);
    uint32_t *supply = malloc(nodes * sizeof *supply), unit = 1;
    gfab_out_graph graph = {0};
    numbered n = {0};
    bool tight = false;
    *members = (gfab_out_members){0};
    gfab_status status = supply ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, find_supply(topology, goal, options, supply, &unit, &tight));
    tight = tight && nodes * (nodes - stores) * stores <= MOST_FLOWS;
    GFAB_THEN(status, split(topology, supply, unit, !tight, options, &graph));
    if (status == GFAB_ERR_FAULT) {
        gfab_out_graph_release(&graph);
        status = split(topology, supply, unit, true, options, &graph);
    }
    GFAB_THEN(status, number_arcs(topology, &graph, &n));
    GFAB_THEN(status, make_graph(topology, &graph, &n, &members->topology, diag));
    GFAB_THEN(status, list_paths(topology, &graph, &n, members));
    if (status != GFAB_OK)
        gfab_out_members_release(members);
    gfab_out_graph_release(&graph);
    free(n.number);
    free(n.key);
    free(supply);
    return status;
}
