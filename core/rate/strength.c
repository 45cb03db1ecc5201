/* SPDX-License-Identifier: MIT */
/* The strength of a graph by discrete Newton steps. Each asks: of all partitions, which one has the least
 * q crossing - p (count - 1), where p / q is the ratio of the best partition so far? That is a sum of a submodular
 * function over the parts, h(S) = q d(S) - 2 p with d(S) the weights that leave S, and is least where the greatest
 * vector x with x(S) <= h(S) for all S is (Dilworth's truncation): x is found node by node, with a least cut each
 * (Cunningham, J. ACM 32 (1985); Barahona, Operations Research Letters 12 (1992)). */
#include "strength.h"

#include "flow/flow.h"

#include <stdlib.h>

#define MOST ((uint64_t)1 << 57)
#define NONE UINT32_MAX

typedef struct search {
    size_t nodes, count;
    const gfab_edge *edges;
    gfab_flow flow;   /* the graph's nodes, then a sink */
    uint32_t *leader; /* [nodes]: of its part, as far as is known */
    uint32_t *number; /* [nodes]: scratch */
    const gfab_progress *progress;
} search;

/* Arcs that a node has beside the edges. */
static uint32_t arc_to_sink(const search *s, uint32_t v)
{
    return (uint32_t)(2 * (s->count + v));
}

static gfab_status open(search *s, size_t nodes, const gfab_edge *edges, size_t count, const gfab_progress *progress)
{
    *s = (search){.nodes = nodes, .count = count, .edges = edges, .progress = progress};
    uint64_t sum = 1;
    for (size_t e = 0; e < count; e++)
        sum += edges[e].weight;
    if (sum >= MOST / nodes)
        return GFAB_ERR_LIMIT;
    s->leader = malloc(nodes * sizeof *s->leader);
    s->number = malloc(nodes * sizeof *s->number);
    const gfab_status status = gfab_flow_create(nodes + 1, count + nodes, &s->flow);
    if (status != GFAB_OK || !s->leader || !s->number)
        return GFAB_ERR_NO_MEMORY;
    for (size_t e = 0; e < count; e++)
        gfab_flow_add(&s->flow, edges[e].node[0], edges[e].node[1], 0, 0);
    for (uint32_t v = 0; v < nodes; v++)
        gfab_flow_add(&s->flow, v, (uint32_t)nodes, 0, 0);
    return GFAB_OK;
}

static void release(search *s)
{
    gfab_flow_release(&s->flow);
    free(s->leader);
    free(s->number);
}

/* Counts a partition that leader gives. */
static void count_parts(const search *s, const uint32_t *leader, gfab_parts *parts)
{
    parts->count = 0;
    parts->crossing = 0;
    for (size_t v = 0; v < s->nodes; v++)
        s->number[v] = NONE;
    for (size_t v = 0; v < s->nodes; v++) {
        if (s->number[leader[v]] == NONE)
            s->number[leader[v]] = parts->count++;
        parts->part[v] = s->number[leader[v]];
    }
    for (size_t e = 0; e < s->count; e++)
        if (parts->part[s->edges[e].node[0]] != parts->part[s->edges[e].node[1]])
            parts->crossing += s->edges[e].weight;
}

/* Node v, those before it being done: x[v] is what the set around it that has least room leaves, and that set, which
 * has no room left, becomes part of one part. Nodes that are not done take whatever flows to them; node u that is done
 * supplies x[u], all of which flows, or takes up to -x[u]. What flowed to v has to go on now. The most that can
 * flow from v, less what came to it, is what leaves the set; x[v] is that without 2 p, which is taken back. */
static void add_node(search *s, uint32_t v, uint64_t p)
{
    const uint32_t sink = (uint32_t)s->nodes, own = arc_to_sink(s, v);
    const uint64_t came = gfab_flow_over(&s->flow, own);
    gfab_flow_hold(&s->flow, own, 0, 0);
    const uint64_t room = gfab_flow_push(&s->flow, v, sink, GFAB_FLOW_MOST);
    s->leader[v] = v;
    for (size_t i = 0; i < s->flow.reached_count; i++) {
        const uint32_t old = s->leader[s->flow.reached[i]];
        for (uint32_t w = 0; w < v && old != v; w++)
            s->leader[w] = s->leader[w] == old ? v : s->leader[w];
    }
    const uint64_t excess = room < 2 * p ? 0 : room - 2 * p;
    (void)gfab_flow_take_back(&s->flow, v, sink, room - excess);
    if (came + 2 * p > room) /* x[v] < 0 */
        gfab_flow_hold(&s->flow, own, came + 2 * p - room, came - excess);
}

/* The least partition for p / q, in leader. */
static gfab_status step(search *s, uint64_t p, uint64_t q, uint64_t done)
{
    for (size_t e = 0; e < s->count; e++) {
        const bool loop = s->edges[e].node[0] == s->edges[e].node[1];
        const uint64_t capacity = loop ? 0 : q * s->edges[e].weight;
        gfab_flow_set(&s->flow, (uint32_t)(2 * e), capacity);
        gfab_flow_set(&s->flow, (uint32_t)(2 * e + 1), capacity);
    }
    for (uint32_t v = 0; v < s->nodes; v++)
        gfab_flow_set(&s->flow, arc_to_sink(s, v), GFAB_FLOW_MOST);
    gfab_flow_clear(&s->flow);
    for (uint32_t v = 0; v < s->nodes; v++) {
        if (s->progress && !s->progress->report(s->progress->context, "parts", done + v, done + s->nodes))
            return GFAB_ERR_INTERRUPTED;
        add_node(s, v, p);
    }
    return GFAB_OK;
}

gfab_status gfab_strength(size_t nodes, const gfab_edge *edges, size_t count, const gfab_progress *progress,
                          gfab_parts *parts)
{
    search s;
    gfab_status status = open(&s, nodes, edges, count, progress);
    bool better = status == GFAB_OK;
    for (uint32_t v = 0; v < nodes && better; v++)
        s.leader[v] = v;
    for (uint64_t done = 0; better; done += nodes) {
        count_parts(&s, s.leader, parts);
        const uint64_t p = parts->crossing, q = parts->count - 1;
        status = step(&s, p, q, done);
        uint64_t crossing = 0;
        uint32_t found = 0;
        for (uint32_t v = 0; v < nodes && status == GFAB_OK; v++)
            found += s.leader[v] == v;
        for (size_t e = 0; e < count && status == GFAB_OK; e++)
            if (s.leader[edges[e].node[0]] != s.leader[edges[e].node[1]])
                crossing += edges[e].weight;
        better = status == GFAB_OK && found > 1 && q * crossing < p * (found - 1);
    }
    release(&s);
    return status;
}
