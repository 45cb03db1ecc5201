/* SPDX-License-Identifier: MIT */
/* Graphs from lists of links: sorted, checked, named. */
#include "topology_internal.h"

#include "base/number.h"

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
    edges->at[edges->count++] = (gfab_edge){{(uint32_t)from, (uint32_t)to}, (uint32_t)line};
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
    gfab_edge *sorted = malloc((edges->count + 1) * sizeof *sorted);
    size_t *start = malloc((nodes + 1) * sizeof *start);
    if (!sorted || !start || edges->failed) {
        free(sorted);
        free(start);
        return GFAB_ERR_NO_MEMORY;
    }
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
    free(sorted);
    free(start);
    return GFAB_OK;
}

static bool same_link(const gfab_edge *a, const gfab_edge *b)
{
    return lower(a) == lower(b) && higher(a) == higher(b);
}

/* Equal links stand together in the order of their lines; the one that a reader of the file meets first is named. */
gfab_status gfab_edges_check_simple(const gfab_edges *edges, gfab_diag *diag)
{
    const gfab_edge *again = NULL;
    for (size_t i = 1; i < edges->count; i++)
        if (same_link(&edges->at[i - 1], &edges->at[i]) && (!again || edges->at[i].line < again->line))
            again = &edges->at[i];
    if (!again)
        return GFAB_OK;
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
    uint32_t *distances = malloc(2 * nodes * sizeof *distances);
    if (!distances)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    gfab_topology_distances(topology, 0, distances, distances + nodes);
    size_t v = 0;
    while (v < nodes && distances[v] != UINT32_MAX)
        v++;
    free(distances);
    if (v == nodes)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "not connected: there is no way from node 0 to node %zu", v);
}

static char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
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
        t->spec = spec ? copy_text(spec) : list_links(t);
        status = t->spec ? gfab_topology_connect(t) : GFAB_ERR_NO_MEMORY;
    }
    if (status != GFAB_OK)
        gfab_fail(diag, 0, status, "out of memory for a topology of %zu nodes", nodes);
    else {
        snprintf(t->name, sizeof t->name, "%.*s%s", LONGEST_NAME, t->spec, strlen(t->spec) > LONGEST_NAME ? "..." : "");
        status = check_connected(t, diag);
    }
    if (status != GFAB_OK) {
        gfab_topology_destroy(t);
        return status;
    }
    *topology = t;
    return GFAB_OK;
}

/* "U-V": two node numbers. */
static gfab_status read_pair(const char **at, size_t nodes, uint64_t pair[2], gfab_diag *diag)
{
    const char *start = *at;
    for (int end = 0; end < 2; end++) {
        if (end == 1 && *(*at)++ != '-')
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link U-V is expected at \"%.20s\"", start);
        if (gfab_number_read(at, UINT32_MAX, &pair[end]) != GFAB_NUMBER_OK)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link U-V is expected at \"%.20s\"", start);
        if (pair[end] >= nodes)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %" PRIu64 " does not exist; nodes are 0 to %zu",
                             pair[end], nodes - 1);
    }
    return GFAB_OK;
}

static gfab_status read_list(const char *at, gfab_edges *edges, size_t *nodes, gfab_diag *diag)
{
    uint64_t count = 0;
    const gfab_number_status number = gfab_number_read(&at, GFAB_MAX_NODES, &count);
    if (number == GFAB_NUMBER_OVERFLOW)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
    if (number != GFAB_NUMBER_OK || *at != ':')
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number of nodes and a colon are expected; write graph:N:U-V,...");
    *nodes = (size_t)count;
    if (count < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s; a gossip needs at least 2",
                         count ? "one node in all" : "no nodes");
    do {
        uint64_t pair[2] = {0, 0};
        at++;
        const gfab_status status = read_pair(&at, *nodes, pair, diag);
        if (status != GFAB_OK)
            return status;
        if (pair[0] == pair[1])
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link %" PRIu64 "-%" PRIu64 " is a loop", pair[0], pair[1]);
        if (edges->count == GFAB_MAX_GRAPH_LINKS)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many links; at most %zu are supported",
                             GFAB_MAX_GRAPH_LINKS);
        const bool falls = pair[0] > pair[1];
        gfab_edges_push(edges, pair[falls], pair[!falls], 0);
    } while (*at == ',');
    if (*at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unexpected \"%.20s\"; write graph:N:U-V,...", at);
    return GFAB_OK;
}

gfab_status gfab_graph_list_parse(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    gfab_edges edges = {0};
    size_t nodes = 0;
    gfab_status status = read_list(strchr(spec, ':') + 1, &edges, &nodes, diag);
    if (status == GFAB_OK && (status = gfab_edges_sort(&edges, nodes)) != GFAB_OK)
        gfab_fail(diag, 0, status, "out of memory");
    if (status == GFAB_OK)
        status = gfab_edges_check_simple(&edges, diag);
    if (status == GFAB_OK)
        status = gfab_graph_create(nodes, &edges, NULL, topology, diag);
    free(edges.at);
    return status;
}

/* What the suffixes take out of a topology. */
typedef struct dropped {
    bool *nodes;
    bool *links;
} dropped;

static gfab_status drop_link(const gfab_topology *base, uint32_t link, dropped *d, gfab_diag *diag)
{
    if (d->links[link])
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link %" PRIu32 "-%" PRIu32 " is dropped twice",
                         base->links[link].node[0], base->links[link].node[1]);
    d->links[link] = true;
    return GFAB_OK;
}

/* "+drop-link=U-V"; writes it, lower node first, to *text. */
static gfab_status read_dropped_link(const gfab_topology *base, const char **at, dropped *d, char **text,
                                     gfab_diag *diag)
{
    uint64_t pair[2] = {0, 0};
    gfab_arc arc = 0;
    gfab_status status = read_pair(at, base->node_count, pair, diag);
    if (status != GFAB_OK)
        return status;
    if (!gfab_topology_find_arc(base, (uint32_t)pair[0], (uint32_t)pair[1], &arc))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "there is no link %" PRIu64 "-%" PRIu64 " to drop", pair[0],
                         pair[1]);
    const bool falls = pair[0] > pair[1];
    *text += sprintf(*text, "%" PRIu64 "-%" PRIu64, pair[falls], pair[!falls]);
    return drop_link(base, arc / 2, d, diag);
}

/* "+drop-node=V": the node and all its links. */
static gfab_status read_dropped_node(const gfab_topology *base, const char **at, dropped *d, char **text,
                                     gfab_diag *diag)
{
    uint64_t node = 0;
    if (gfab_number_read(at, UINT32_MAX, &node) != GFAB_NUMBER_OK)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a node is expected at \"%.20s\"", *at);
    if (node >= base->node_count)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %" PRIu64 " does not exist; nodes are 0 to %zu", node,
                         base->node_count - 1);
    if (d->nodes[node])
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %" PRIu64 " is dropped twice", node);
    d->nodes[node] = true;
    *text += sprintf(*text, "%" PRIu64, node);
    size_t count;
    const gfab_port *ports = gfab_topology_ports(base, (size_t)node, &count);
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < count && status == GFAB_OK; i++)
        if (!d->nodes[ports[i].peer]) /* else the link went with that node */
            status = drop_link(base, ports[i].link, d, diag);
    return status;
}

/* Marks what the suffixes name; writes them in their canonical form to text. */
static gfab_status mark_dropped(const gfab_topology *base, const char *at, dropped *d, char *text, gfab_diag *diag)
{
    static const char link[] = "+drop-link=";
    static const char node[] = "+drop-node=";
    gfab_status status = GFAB_OK;
    while (*at && status == GFAB_OK) {
        const bool is_link = strncmp(at, link, sizeof link - 1) == 0;
        if (!is_link && strncmp(at, node, sizeof node - 1) != 0)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                             "unexpected \"%.20s\"; only +drop-link=U-V and +drop-node=V can follow", at);
        at += sizeof link - 1; /* the two words are equally long */
        text += sprintf(text, "%s", is_link ? link : node);
        status = (is_link ? read_dropped_link : read_dropped_node)(base, &at, d, &text, diag);
    }
    return status;
}

/* The links that are left, between nodes numbered anew in their order; the number of nodes that are left. */
static size_t push_left(const gfab_topology *base, const dropped *d, uint32_t *number, gfab_edges *edges)
{
    uint32_t left = 0;
    for (size_t v = 0; v < base->node_count; v++) {
        number[v] = left;
        left += !d->nodes[v];
    }
    for (size_t l = 0; l < base->link_count; l++)
        if (!d->links[l])
            gfab_edges_push(edges, number[base->links[l].node[0]], number[base->links[l].node[1]], 0);
    return left;
}

gfab_status gfab_graph_drop(const gfab_topology *base, const char *suffixes, gfab_topology **topology, gfab_diag *diag)
{
    const char *base_spec = gfab_topology_spec(base);
    const size_t base_length = strlen(base_spec);
    dropped d = {calloc(base->node_count, sizeof *d.nodes), calloc(base->link_count, sizeof *d.links)};
    uint32_t *number = malloc(base->node_count * sizeof *number);
    char *spec = malloc(base_length + strlen(suffixes) + 1);
    gfab_edges edges = {0};
    gfab_topology *t = NULL;
    gfab_status status = GFAB_ERR_NO_MEMORY;
    if (d.nodes && d.links && number && spec) {
        memcpy(spec, base_spec, base_length + 1);
        status = mark_dropped(base, suffixes, &d, spec + base_length, diag);
        const size_t nodes = status == GFAB_OK ? push_left(base, &d, number, &edges) : 0;
        if (edges.failed)
            status = GFAB_ERR_NO_MEMORY;
        if (status == GFAB_OK)
            status = gfab_graph_create(nodes, &edges, base->listed ? NULL : spec, &t, diag);
    }
    if (status == GFAB_ERR_NO_MEMORY)
        gfab_fail(diag, 0, status, "out of memory");
    if (status == GFAB_OK && base->listed)
        snprintf(t->name, sizeof t->name, "%.63s%.60s", base->name, spec + base_length);
    free(d.nodes);
    free(d.links);
    free(number);
    free(spec);
    free(edges.at);
    *topology = t;
    return status;
}
