/* SPDX-License-Identifier: MIT */
/* Links named in a spec: graph:N:U-V,..., and those that +drop-link=U-V and +drop-node=V take away. */
#include "topology_internal.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "U-V": two node numbers. */
static gfab_status read_pair(const char **at, size_t nodes, uint64_t pair[2], gfab_diag *diag)
{
    const char *start = *at;
    for (int end = 0; end < 2; end++) {
        if (end == 1 && **at != '-') /* stays there: it may be the end of the text */
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link U-V is expected at \"%.20s\"", start);
        *at += end;
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
