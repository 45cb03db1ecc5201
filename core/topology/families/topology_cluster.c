/* SPDX-License-Identifier: MIT */
/* A cluster out of its parts. Who buys 64 like machines has a file of one (NCCL's XML), and a file of what lies between
 * them (Slurm's topology.conf, ibnetdiscover), but none of all GPUs. Each member of the fabric's graph becomes a copy
 * of the host's; what the fabric links with that member is linked with each of the host's nodes that have a way out.
 * Where the fabric links two members with each other, the nodes of the same place in both hosts are linked, as rails
 * are.
 *
 * Nodes: the members of all hosts, host by host; then the relays of all hosts; then those of the fabric. So the number
 * of a GPU is its rank. Names are HOST/NODE, such as n3/b0g2, where a host without a name is h3. */
#include "topology_cluster.h"

#include "base/divisor.h"
#include "topology/dot/graph_text.h"

#include <gossipfab/base/arena.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct builder {
    const gfab_topology *host, *fabric;
    size_t copies;
    bool *out;            /* [node of the host] */
    uint32_t *at;         /* [node of the host]: its place among the members, or among the relays */
    uint32_t *place;      /* [node of the fabric]: likewise */
    uint64_t scale[2];    /* of weights: the host's, the fabric's */
    gfab_graph_text text; /* of nothing: for names */
    gfab_graph_links links;
    gfab_arena arena;
} builder;

/* ---- what is asked for ---- */

/* Nodes and ranges of them: 0-7,nic. */
static gfab_status read_out(builder *b, const char *at, gfab_diag *diag)
{
    const char *const *names = (const char *const *)b->host->names, *start = at;
    for (bool more = true; more; at += more) {
        uint32_t ends[2] = {0, 0};
        bool range = false;
        const gfab_status status = gfab_topology_read_range(names, b->host->node_count, &at, ends, &range, diag);
        if (status == GFAB_ERR_PARSE)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                             "+through=: nodes of the host, such as 3,5-7, are expected at "
                             "\"%.20s\"",
                             start);
        if (status != GFAB_OK)
            return status;
        for (uint32_t v = ends[0]; v <= ends[1]; v++)
            b->out[v] = true;
        more = *at == ',';
    }
    return *at ? gfab_fail(diag, 0, GFAB_ERR_PARSE, "+through=: unexpected \"%.20s\"", at) : GFAB_OK;
}

static gfab_status check(const gfab_cluster *c, gfab_diag *diag)
{
    const size_t members = c->fabric ? gfab_topology_member_count(c->fabric) : 0;
    if (!c->fabric && c->copies < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "how many hosts? write cluster:NxHOST with N of at least 2, or cluster:HOST+below=FABRIC");
    if (c->fabric && c->copies && c->copies != members)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%" PRIu32 " hosts, but what they hang on has %zu members",
                         c->copies, members);
    if (c->host->parallel || (c->fabric && c->fabric->parallel))
        return GFAB_REFUSE(diag, "links side by side (+split) in a part of a cluster");
    if (c->fabric && !c->host->rate_unit != !c->fabric->rate_unit)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "the links of the %s have bandwidths with a unit, those of the %s have none; both or neither",
                         c->host->rate_unit ? "host" : "fabric", c->host->rate_unit ? "fabric" : "host");
    return GFAB_OK;
}

/* The place of each node among its like. */
static void number(const gfab_topology *t, uint32_t *at)
{
    uint32_t relays = 0;
    for (size_t v = 0; v < t->node_count; v++)
        at[v] = gfab_topology_is_relay(t, v) ? relays++ : gfab_topology_rank(t, (uint32_t)v);
}

static gfab_status open(builder *b, const gfab_cluster *c, gfab_diag *diag)
{
    *b = (builder){.host = c->host, .fabric = c->fabric, .scale = {1, 1}, .text = {.diag = diag}};
    GFAB_TRY(check(c, diag));
    b->copies = c->fabric ? gfab_topology_member_count(c->fabric) : c->copies;
    if (b->copies * c->host->node_count > GFAB_MAX_NODES || b->copies * c->host->link_count > GFAB_MAX_GRAPH_LINKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%zu hosts of %zu nodes are too many; at most %zu nodes in all",
                         b->copies, c->host->node_count, GFAB_MAX_NODES);
    GFAB_ARRAYS(&b->arena, c->host->node_count, b->out, b->at);
    b->place = gfab_arena_zeroed(&b->arena, c->fabric ? c->fabric->node_count : 1, sizeof *b->place);
    GFAB_NEED_TOLD(!b->arena.failed, diag);
    number(c->host, b->at);
    if (c->fabric)
        number(c->fabric, b->place);
    if (c->through)
        return read_out(b, c->through, diag);
    for (size_t v = 0; v < c->host->node_count; v++)
        b->out[v] = !gfab_topology_is_relay(c->host, v);
    return GFAB_OK;
}

/* ---- nodes ---- */

static size_t node_of(const builder *b, size_t copy, size_t v)
{
    const size_t members = gfab_topology_member_count(b->host), relays = b->host->node_count - members;
    return gfab_topology_is_relay(b->host, v) ? b->copies * members + copy * relays + b->at[v]
                                              : copy * members + b->at[v];
}

static size_t relay_of(const builder *b, size_t v)
{
    return b->copies * b->host->node_count + b->place[v];
}

static void write_name(const gfab_topology *t, size_t v, const char *prefix, char *text, size_t size)
{
    const char *name = gfab_topology_node_name(t, v);
    if (name)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s%zu", prefix, v);
}

static gfab_status add_node(builder *b, size_t node, const char *name, uint32_t relay)
{
    if (relay)
        gfab_edges_push(&b->links.relays, node, relay, 0);
    return gfab_graph_call(&b->links, &b->text, node, name, strlen(name));
}

/* The nodes of a host, which is this node of the fabric. */
static gfab_status add_host(builder *b, size_t copy)
{
    char host[GFAB_MAX_NODE_NAME + 1], node[GFAB_MAX_NODE_NAME + 1], name[2 * GFAB_MAX_NODE_NAME + 2];
    if (b->fabric)
        write_name(b->fabric, gfab_topology_member(b->fabric, (uint32_t)copy), "h", host, sizeof host);
    else
        snprintf(host, sizeof host, "h%zu", copy);
    for (size_t v = 0; v < b->host->node_count; v++) {
        write_name(b->host, v, "", node, sizeof node);
        snprintf(name, sizeof name, "%s/%s", host, node);
        GFAB_TRY(add_node(b, node_of(b, copy, v), name, gfab_topology_relay(b->host, v)));
    }
    return GFAB_OK;
}

static gfab_status add_nodes(builder *b)
{
    char name[GFAB_MAX_NODE_NAME + 1];
    b->links.nodes = b->copies * b->host->node_count + 1;
    for (size_t copy = 0; copy < b->copies; copy++)
        GFAB_TRY(add_host(b, copy));
    if (!b->fabric)
        return add_node(b, b->copies * b->host->node_count, "switch", GFAB_SWITCH);
    b->links.nodes += b->fabric->node_count - b->copies - 1;
    for (size_t v = 0; v < b->fabric->node_count; v++) {
        write_name(b->fabric, v, "s", name, sizeof name);
        if (gfab_topology_is_relay(b->fabric, v))
            GFAB_TRY(add_node(b, relay_of(b, v), name, gfab_topology_relay(b->fabric, v)));
    }
    return GFAB_OK;
}

/* ---- links ---- */

/* From the link's first end to its second one, with its weights. */
static gfab_status add_link(builder *b, size_t from, size_t to, const gfab_topology *t, size_t link)
{
    gfab_edges *edges = &b->links.edges;
    gfab_edges_push(edges, from, to, 0);
    for (size_t way = 0; way < 2 && !edges->failed; way++) {
        const uint64_t weight = b->scale[t == b->fabric] * gfab_topology_arc_weight(t, (gfab_arc)(2 * link + way));
        if (weight > GFAB_MAX_WEIGHT)
            return gfab_fail(b->text.diag, 0, GFAB_ERR_LIMIT,
                             "bandwidths so far apart, or so uneven, that a link would weigh %" PRIu64 "; at most %u",
                             weight, GFAB_MAX_WEIGHT);
        edges->at[edges->count - 1].weight[way] = (uint32_t)weight;
    }
    return edges->count > GFAB_MAX_GRAPH_LINKS
               ? gfab_fail(b->text.diag, 0, GFAB_ERR_LIMIT, "too many links; at most %zu", GFAB_MAX_GRAPH_LINKS)
               : GFAB_OK;
}

/* A link of the fabric: of each node that has a way out, where an end is a host. */
static gfab_status add_fabric_link(builder *b, size_t link)
{
    const gfab_topology *t = b->fabric;
    const uint32_t *end = t->links[link].node;
    const bool hosts[] = {!gfab_topology_is_relay(t, end[0]), !gfab_topology_is_relay(t, end[1])};
    if (!hosts[0] && !hosts[1])
        return add_link(b, relay_of(b, end[0]), relay_of(b, end[1]), t, link);
    for (size_t v = 0; v < b->host->node_count; v++)
        if (b->out[v])
            GFAB_TRY(add_link(b, hosts[0] ? node_of(b, b->place[end[0]], v) : relay_of(b, end[0]),
                              hosts[1] ? node_of(b, b->place[end[1]], v) : relay_of(b, end[1]), t, link));
    return GFAB_OK;
}

static gfab_status add_links(builder *b)
{
    for (size_t copy = 0; copy < b->copies; copy++) {
        for (size_t l = 0; l < b->host->link_count; l++)
            GFAB_TRY(add_link(b, node_of(b, copy, b->host->links[l].node[0]),
                              node_of(b, copy, b->host->links[l].node[1]), b->host, l));
        for (size_t v = 0; !b->fabric && v < b->host->node_count; v++)
            if (b->out[v])
                gfab_edges_push(&b->links.edges, node_of(b, copy, v), b->copies * b->host->node_count, 0);
    }
    for (size_t l = 0; b->fabric && l < b->fabric->link_count; l++)
        GFAB_TRY(add_fabric_link(b, l));
    return GFAB_OK;
}

gfab_status gfab_cluster_make(const gfab_cluster *cluster, gfab_topology **topology, gfab_diag *diag)
{
    builder b;
    gfab_status status = open(&b, cluster, diag);
    if (status == GFAB_OK && cluster->host->rate_unit) {
        const uint64_t host = cluster->host->rate_unit, fabric = b.fabric ? b.fabric->rate_unit : host;
        b.links.rate_unit = gfab_common_divisor(host, fabric);
        b.scale[0] = host / b.links.rate_unit;
        b.scale[1] = fabric / b.links.rate_unit;
    }
    GFAB_THEN(status, add_nodes(&b));
    GFAB_THEN(status, add_links(&b));
    GFAB_THEN(status, gfab_graph_links_make(&b.links, NULL, topology, diag));
    gfab_graph_links_release(&b.links);
    gfab_arena_release(&b.arena);
    return status;
}
