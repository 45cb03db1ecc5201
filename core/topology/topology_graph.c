/* SPDX-License-Identifier: MIT */
/* Graphs from lists of links: sorted, checked, named. */
#include "topology_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gfab_edges_push(gfab_edges *edges, size_t from, size_t to, size_t line)
{
    if (edges->failed)
        return;
    if (edges->count == edges->capacity) {
        /* Link numbers are limited to far below SIZE_MAX / sizeof (gfab_edge). */
        const size_t capacity = edges->capacity ? 2 * edges->capacity : 64;
        gfab_edge *grown = realloc(edges->at, capacity * sizeof *grown);
        if (!grown) {
            edges->failed = true;
            return;
        }
        edges->at = grown;
        edges->capacity = capacity;
    }
    edges->at[edges->count++] = (gfab_edge){{(uint32_t)from, (uint32_t)to}, (uint32_t)line, {1, 1}};
}

void gfab_edges_release(gfab_edges *edges)
{
    free(edges->at);
    *edges = (gfab_edges){0};
}

static uint32_t lower(const gfab_edge *edge)
{
    return edge->node[0] < edge->node[1] ? edge->node[0] : edge->node[1];
}

static uint32_t higher(const gfab_edge *edge)
{
    return edge->node[0] < edge->node[1] ? edge->node[1] : edge->node[0];
}

/* Two stable counting sorts, by the higher node, then by the lower one. */
gfab_status gfab_edges_sort(gfab_edges *edges, size_t nodes)
{
    GFAB_FREED gfab_edge *sorted = malloc((edges->count + 1) * sizeof *sorted);
    GFAB_FREED size_t *start = malloc((nodes + 1) * sizeof *start);
    GFAB_NEED(sorted && start && !edges->failed);
    for (int pass = 0; pass < 2; pass++) {
        memset(start, 0, (nodes + 1) * sizeof *start);
        for (size_t i = 0; i < edges->count; i++)
            start[(pass ? lower(&edges->at[i]) : higher(&edges->at[i])) + 1]++;
        for (size_t v = 0; v < nodes; v++)
            start[v + 1] += start[v];
        for (size_t i = 0; i < edges->count; i++)
            sorted[start[pass ? lower(&edges->at[i]) : higher(&edges->at[i])]++] = edges->at[i];
        gfab_edge *swap = edges->at;
        edges->at = sorted;
        sorted = swap;
        edges->capacity = edges->count + 1;
    }
    return GFAB_OK;
}

static bool same_link(const gfab_edge *a, const gfab_edge *b)
{
    return lower(a) == lower(b) && higher(a) == higher(b);
}

/* The lower node comes first. */
static void turn(gfab_edge *edge)
{
    if (edge->node[0] > edge->node[1])
        *edge = (gfab_edge){{edge->node[1], edge->node[0]}, edge->line, {edge->weight[1], edge->weight[0]}};
}

/* Is each of them the way that the other does not go? */
static bool are_opposite(const gfab_edge *a, const gfab_edge *b)
{
    return same_link(a, b) && !(a->weight[0] && b->weight[0]) && !(a->weight[1] && b->weight[1]);
}

/* Equal links stand together in the order of their lines; the one that a reader of the file meets first is named. */
gfab_status gfab_edges_simplify(gfab_edges *edges, gfab_diag *diag)
{
    const gfab_edge *again = NULL;
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i++)
        turn(&edges->at[i]);
    for (size_t i = 1; i < edges->count; i++)
        if (same_link(&edges->at[i - 1], &edges->at[i]) &&
            (!are_opposite(&edges->at[i - 1], &edges->at[i]) ||
             (i > 1 && same_link(&edges->at[i - 2], &edges->at[i]))) &&
            (!again || edges->at[i].line < again->line))
            again = &edges->at[i];
    for (size_t i = 0; i < edges->count && !again; i++)
        if (count && are_opposite(&edges->at[count - 1], &edges->at[i]))
            for (int way = 0; way < 2; way++)
                edges->at[count - 1].weight[way] += edges->at[i].weight[way];
        else
            edges->at[count++] = edges->at[i];
    if (!again) {
        edges->count = count;
        return GFAB_OK;
    }
    const uint32_t first = again[-1].line;
    if (first)
        return gfab_fail(diag, again->line, GFAB_ERR_INVALID,
                         "the link %" PRIu32 "-%" PRIu32 " is doubled: it stands in line %" PRIu32 " already",
                         lower(again), higher(again), first);
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link %" PRIu32 "-%" PRIu32 " is doubled", lower(again),
                     higher(again));
}

static gfab_status check_connected(const gfab_topology *topology, gfab_diag *diag)
{
    const size_t nodes = topology->node_count;
    for (size_t v = 0; topology->min_degree == 0 && v < nodes; v++) {
        size_t count;
        gfab_topology_ports(topology, v, &count);
        if (count == 0)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "not connected: node %zu has no link; nodes are 0 to %zu", v,
                             nodes - 1);
    }
    GFAB_FREED uint32_t *distances = malloc(2 * nodes * sizeof *distances);
    GFAB_NEED_TOLD(distances, diag);
    gfab_topology_distances(topology, 0, distances, distances + nodes);
    size_t v = 0;
    while (v < nodes && distances[v] != UINT32_MAX)
        v++;
    if (v == nodes)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "not connected: there is no way from node 0 to node %zu", v);
}

char *gfab_topology_copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void gfab_topology_call(gfab_topology *topology, const char *prefix, const char *text)
{
    snprintf(topology->name, sizeof topology->name, "%s%.55s", prefix, text);
    for (char *c = topology->name; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') &&
            !strchr(":,=+-._", *c))
            *c = '_';
}

/* At most eight digits and a separator a node. */
static char *list_links(const gfab_topology *topology)
{
    char *spec = malloc(64 + 18 * topology->link_count);
    if (!spec)
        return NULL;
    size_t at = (size_t)sprintf(spec, "graph:%zu:", topology->node_count);
    for (size_t l = 0; l < topology->link_count; l++)
        at += (size_t)sprintf(spec + at, l ? ",%" PRIu32 "-%" PRIu32 : "%" PRIu32 "-%" PRIu32,
                              topology->links[l].node[0], topology->links[l].node[1]);
    char *shrunk = realloc(spec, at + 1);
    return shrunk ? shrunk : spec;
}

gfab_status gfab_graph_create(size_t nodes, const gfab_edges *edges, const char *spec, gfab_topology **topology,
                              gfab_diag *diag)
{
    enum { LONGEST_NAME = 60 };
    if (nodes < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s; a gossip needs at least 2",
                         nodes ? "one node in all" : "no nodes");
    if (nodes > GFAB_MAX_NODES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
    if (edges->count > GFAB_MAX_GRAPH_LINKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many links; at most %zu are supported", GFAB_MAX_GRAPH_LINKS);
    gfab_topology *t = gfab_topology_new(nodes, edges->count);
    gfab_status status = t ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    if (status == GFAB_OK) {
        t->kind = GFAB_TOPOLOGY_GRAPH;
        for (size_t l = 0; l < edges->count; l++)
            t->links[l] = (gfab_link){{edges->at[l].node[0], edges->at[l].node[1]}};
        t->listed = !spec;
        t->spec = spec ? gfab_topology_copy_text(spec) : list_links(t);
        status = t->spec ? gfab_topology_connect(t) : GFAB_ERR_NO_MEMORY;
    }
    if (status != GFAB_OK)
        gfab_fail(diag, 0, status, "out of memory for a topology of %zu nodes", nodes);
    else {
        snprintf(t->name, sizeof t->name, "%.*s%s", LONGEST_NAME, t->spec, strlen(t->spec) > LONGEST_NAME ? "..." : "");
        status = check_connected(t, diag);
    }
    return GFAB_HAND_OVER(status, t, gfab_topology_destroy, topology);
}
