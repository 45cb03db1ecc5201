/* SPDX-License-Identifier: MIT */
/* What is known of nodes and links besides the graph: which nodes only relay, how many packets a link carries. */
#include "topology_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranks of members, members of ranks. */
static gfab_status set_relays(gfab_topology *t, const bool *relay, gfab_diag *diag)
{
    size_t members = 0;
    for (size_t v = 0; v < t->node_count; v++)
        members += !relay[v];
    if (members == t->node_count)
        return GFAB_OK;
    if (members < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: all other nodes are relays; a gossip needs at least 2 members",
                         members ? "one member" : "no member");
    t->rank = malloc(t->node_count * sizeof *t->rank);
    t->member = malloc(members * sizeof *t->member);
    if (!t->rank || !t->member)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    t->member_count = 0;
    for (size_t v = 0; v < t->node_count; v++) {
        t->rank[v] = relay[v] ? GFAB_NO_RANK : (uint32_t)t->member_count;
        if (!relay[v])
            t->member[t->member_count++] = (uint32_t)v;
    }
    return GFAB_OK;
}

static gfab_status set_weights(gfab_topology *t, const uint32_t *weight, gfab_diag *diag)
{
    bool plain = true;
    for (size_t l = 0; l < t->link_count; l++)
        plain = plain && weight[l] == 1;
    if (plain)
        return GFAB_OK;
    t->weight = malloc(t->link_count * sizeof *t->weight);
    if (!t->weight)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    memcpy(t->weight, weight, t->link_count * sizeof *t->weight);
    return GFAB_OK;
}

/* The suffixes of a graph that lists its links: +relay=, nodes in ranges, and a +weight= for each heavier link. At most
 * eight digits and a separator a node, twice that and five more digits a link. */
static gfab_status list_marks(gfab_topology *t, gfab_diag *diag)
{
    const size_t length = strlen(t->spec);
    const size_t relays = t->rank ? t->node_count - t->member_count : 0;
    char *spec = realloc(t->spec, length + 16 + 18 * relays + (t->weight ? 48 * t->link_count : 0));
    if (!spec)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    t->spec = spec;
    char *at = spec + length;
    const char *separator = "+relay=";
    for (size_t v = 0, last; v < t->node_count; v = last + 1) {
        for (last = v;
             relays && t->rank[v] == GFAB_NO_RANK && last + 1 < t->node_count && t->rank[last + 1] == GFAB_NO_RANK;)
            last++;
        if (!relays || t->rank[v] != GFAB_NO_RANK)
            continue;
        at += sprintf(at, last > v ? "%s%zu-%zu" : "%s%zu", separator, v, last);
        separator = ",";
    }
    for (size_t l = 0; t->weight && l < t->link_count; l++)
        if (t->weight[l] > 1)
            at += sprintf(at, "+weight=%" PRIu32 "-%" PRIu32 ":%" PRIu32, t->links[l].node[0], t->links[l].node[1],
                          t->weight[l]);
    return GFAB_OK;
}

gfab_status gfab_topology_mark(gfab_topology *topology, const bool *relay, const uint32_t *weight, gfab_diag *diag)
{
    gfab_status status = relay ? set_relays(topology, relay, diag) : GFAB_OK;
    if (status == GFAB_OK && weight)
        status = set_weights(topology, weight, diag);
    if (status == GFAB_OK && topology->listed && (topology->rank || topology->weight))
        status = list_marks(topology, diag);
    return status;
}

bool gfab_topology_same_marks(const gfab_topology *a, const gfab_topology *b)
{
    for (size_t v = 0; (a->rank || b->rank) && v < a->node_count; v++)
        if (gfab_topology_rank(a, (uint32_t)v) != gfab_topology_rank(b, (uint32_t)v))
            return false;
    for (size_t l = 0; (a->weight || b->weight) && l < a->link_count; l++)
        if (gfab_topology_weight(a, l) != gfab_topology_weight(b, l))
            return false;
    return true;
}

size_t gfab_topology_member_count(const gfab_topology *topology)
{
    return topology->rank ? topology->member_count : topology->node_count;
}

uint32_t gfab_topology_rank(const gfab_topology *topology, uint32_t node)
{
    assert(node < topology->node_count);
    return topology->rank ? topology->rank[node] : node;
}

bool gfab_topology_is_relay(const gfab_topology *topology, size_t node)
{
    return gfab_topology_rank(topology, (uint32_t)node) == GFAB_NO_RANK;
}

uint32_t gfab_topology_member(const gfab_topology *topology, uint32_t rank)
{
    assert(rank < gfab_topology_member_count(topology));
    return topology->rank ? topology->member[rank] : rank;
}

uint32_t gfab_topology_weight(const gfab_topology *topology, size_t link)
{
    assert(link < topology->link_count);
    return topology->weight ? topology->weight[link] : 1;
}

bool gfab_topology_has_relays(const gfab_topology *topology)
{
    return topology->rank;
}

bool gfab_topology_has_weights(const gfab_topology *topology)
{
    return topology->weight;
}

bool gfab_topology_is_plain(const gfab_topology *topology)
{
    return !topology->rank && !topology->weight;
}
