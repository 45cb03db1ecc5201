/* SPDX-License-Identifier: MIT */
/* The strength of a graph by discrete Newton steps. Each asks: of all partitions, which one has the least
 * q crossing - p (count - 1), where p / q is the ratio of the best partition so far? That is a sum of a submodular
 * function over the parts, h(S) = q d(S) - p with d(S) the weights that leave S, and is least where the greatest
 * vector x with x(S) <= h(S) for all S is (Dilworth's truncation): x is found node by node, with a least cut each
 * (Cunningham, J. ACM 32 (1985); Barahona, Operations Research Letters 12 (1992)).
 *
 * Ours: nodes that are in any part or in none, as switches are. d(S) is then the least that leaves S with some of them;
 * the flows find it all the same, and the part that they are in is looked up in the end, by a least cut a part. */
#include "strength.h"

#include "flow/flow.h"

#include "base/progress.h"

#include <string.h>

#define MOST ((uint64_t)1 << 57)
#define NONE UINT32_MAX

typedef struct search {
    size_t members, nodes, count;
    const gfab_edge *edges;
    gfab_arena arena;
    gfab_flow flow;   /* the graph's nodes, then a sink, and a source of parts */
    uint32_t *leader; /* [members]: of its part, as far as is known */
    uint32_t *number; /* [members]: scratch */
    uint32_t *part;   /* [nodes]: of the partition that is tried */
    const gfab_progress *progress;
} search;

/* Arcs that a member has beside the edges. */
static uint32_t arc_to_sink(const search *s, uint32_t v)
{
    return (uint32_t)(2 * (s->count + v));
}

static uint32_t arc_from_source(const search *s, uint32_t v)
{
    return (uint32_t)(2 * (s->count + s->members + v));
}

static gfab_status open(search *s)
{
    uint64_t sum = 1;
    for (size_t e = 0; e < s->count; e++)
        sum += s->edges[e].weight[0] > s->edges[e].weight[1] ? s->edges[e].weight[0] : s->edges[e].weight[1];
    if (sum >= MOST / s->nodes)
        return GFAB_ERR_LIMIT;
    GFAB_ARRAYS(&s->arena, s->members, s->leader, s->number);
    s->part = gfab_arena_zeroed(&s->arena, s->nodes, sizeof *s->part);
    GFAB_NEED(!s->arena.failed);
    GFAB_TRY(gfab_flow_create(s->nodes + 2, s->count + 2 * s->members, &s->flow));
    for (size_t e = 0; e < s->count; e++)
        gfab_flow_add(&s->flow, s->edges[e].node[0], s->edges[e].node[1], 0, 0);
    for (uint32_t v = 0; v < s->members; v++)
        gfab_flow_add(&s->flow, v, (uint32_t)s->nodes, 0, 0);
    for (uint32_t v = 0; v < s->members; v++)
        gfab_flow_add(&s->flow, (uint32_t)s->nodes + 1, v, 0, 0);
    return GFAB_OK;
}

static void release(search *s)
{
    gfab_flow_release(&s->flow);
    gfab_arena_release(&s->arena);
}

/* Nothing flows, and edges have room for q times their weights. */
static void set_edges(search *s, uint64_t q)
{
    for (size_t e = 0; e < s->count; e++)
        for (uint32_t way = 0; way < 2; way++) {
            const bool loop = s->edges[e].node[0] == s->edges[e].node[1];
            gfab_flow_set(&s->flow, (uint32_t)(2 * e + way), loop ? 0 : q * s->edges[e].weight[way]);
        }
}

/* Nodes that are no members go to the part around which less leaves with them than without. */
static void place_others(search *s, gfab_parts *parts)
{
    const uint32_t sink = (uint32_t)s->nodes;
    if (s->members == s->nodes)
        return;
    set_edges(s, 1);
    for (uint32_t part = 0; part < parts->count; part++) {
        for (uint32_t v = 0; v < s->members; v++) {
            gfab_flow_set(&s->flow, arc_to_sink(s, v), parts->part[v] == part ? 0 : GFAB_FLOW_MOST);
            gfab_flow_set(&s->flow, arc_from_source(s, v), parts->part[v] == part ? GFAB_FLOW_MOST : 0);
        }
        (void)gfab_flow_run(&s->flow, sink + 1, sink, GFAB_FLOW_MOST);
        for (size_t v = s->members; v < s->nodes; v++)
            if (parts->part[v] == GFAB_NO_PART && gfab_flow_on_source_side(&s->flow, (uint32_t)v))
                parts->part[v] = part;
    }
    for (uint32_t v = 0; v < s->members; v++)
        gfab_flow_set(&s->flow, arc_from_source(s, v), 0);
}

/* Counts a partition that leader gives. */
static void count_parts(search *s, gfab_parts *parts)
{
    parts->count = 0;
    parts->crossing = 0;
    for (size_t v = 0; v < s->members; v++)
        s->number[v] = NONE;
    for (size_t v = 0; v < s->members; v++) {
        if (s->number[s->leader[v]] == NONE)
            s->number[s->leader[v]] = parts->count++;
        parts->part[v] = s->number[s->leader[v]];
    }
    for (size_t v = s->members; v < s->nodes; v++)
        parts->part[v] = GFAB_NO_PART;
    place_others(s, parts);
    for (size_t e = 0; e < s->count; e++) {
        const uint32_t from = parts->part[s->edges[e].node[0]], to = parts->part[s->edges[e].node[1]];
        if (from != to)
            parts->crossing += (from != GFAB_NO_PART ? s->edges[e].weight[0] : 0) +
                               (uint64_t)(to != GFAB_NO_PART ? s->edges[e].weight[1] : 0);
    }
}

/* Node v, those before it being done: x[v] is what the set around it that has least room leaves, and that set, which
 * has no room left, becomes part of one part. Nodes that are not done take whatever flows to them; node u that is done
 * supplies x[u], all of which flows, or takes up to -x[u]. What flowed to v has to go on now. The most that can
 * flow from v, less what came to it, is what leaves the set; x[v] is that without p, which is taken back. */
static void add_node(search *s, uint32_t v, uint64_t p)
{
    const uint32_t sink = (uint32_t)s->nodes, own = arc_to_sink(s, v);
    const uint64_t came = gfab_flow_over(&s->flow, own);
    gfab_flow_hold(&s->flow, own, 0, 0);
    const uint64_t room = gfab_flow_push(&s->flow, v, sink, GFAB_FLOW_MOST);
    s->leader[v] = v;
    for (size_t i = 0; i < s->flow.reached_count; i++) {
        if (s->flow.reached[i] >= s->members)
            continue;
        const uint32_t old = s->leader[s->flow.reached[i]];
        for (uint32_t w = 0; w < v && old != v; w++)
            s->leader[w] = s->leader[w] == old ? v : s->leader[w];
    }
    const uint64_t excess = room < p ? 0 : room - p;
    (void)gfab_flow_take_back(&s->flow, v, sink, room - excess);
    if (came + p > room) /* x[v] < 0 */
        gfab_flow_hold(&s->flow, own, came + p - room, came - excess);
}

/* The least partition for p / q, in leader. */
static gfab_status step(search *s, uint64_t p, uint64_t q, uint64_t done)
{
    set_edges(s, q);
    for (uint32_t v = 0; v < s->members; v++)
        gfab_flow_set(&s->flow, arc_to_sink(s, v), GFAB_FLOW_MOST);
    gfab_flow_clear(&s->flow);
    for (uint32_t v = 0; v < s->members; v++) {
        GFAB_TRY(gfab_progress_report(s->progress, "parts", done + v, done + s->members));
        add_node(s, v, p);
    }
    return GFAB_OK;
}

gfab_status gfab_strength(size_t members, size_t nodes, const gfab_edge *edges, size_t count,
                          const gfab_progress *progress, gfab_parts *parts)
{
    GFAB_AT_END(release)
    search s = {.members = members, .nodes = nodes, .count = count, .edges = edges, .progress = progress};
    gfab_status status = open(&s);
    gfab_parts tried = {.part = s.part};
    for (uint32_t v = 0; v < members && status == GFAB_OK; v++)
        s.leader[v] = v;
    if (status == GFAB_OK)
        count_parts(&s, parts);
    bool better = status == GFAB_OK;
    for (uint64_t done = 0; better; done += members) {
        const uint64_t p = parts->crossing, q = parts->count - 1;
        status = step(&s, p, q, done);
        if (status == GFAB_OK)
            count_parts(&s, &tried);
        better = status == GFAB_OK && tried.count > 1 && q * tried.crossing < p * (tried.count - 1);
        if (better) {
            memcpy(parts->part, tried.part, nodes * sizeof *parts->part);
            parts->count = tried.count;
            parts->crossing = tried.crossing;
        }
    }
    return status;
}
