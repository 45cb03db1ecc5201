/* SPDX-License-Identifier: MIT */
/* Matchings of a graph, kept as each node's partner: itself where it has none. A set of them is what a sequence such
 * as "0121" picks from, a matching a round. How good matchings are found is in the files beside this one. */
#include "matchings_internal.h"

#include "base/tells.h"

#include <assert.h>
#include <stdlib.h>

gfab_status gfab_matchings_reserve(gfab_matchings *m, size_t count)
{
    if (count > SIZE_MAX / sizeof *m->partner / m->nodes)
        return GFAB_ERR_NO_MEMORY;
    uint32_t *grown = realloc(m->partner, count * m->nodes * sizeof *grown);
    GFAB_NEED(grown);
    m->partner = grown;
    for (; m->count < count; m->count++)
        for (size_t v = 0; v < m->nodes; v++)
            m->partner[m->count * m->nodes + v] = (uint32_t)v;
    return GFAB_OK;
}

void gfab_matchings_put(gfab_matchings *m, size_t index, size_t a, size_t b)
{
    uint32_t *partner = m->partner + index * m->nodes;
    assert(a != b && (partner[a] == a || partner[a] == b) && (partner[b] == b || partner[b] == a));
    partner[a] = (uint32_t)b;
    partner[b] = (uint32_t)a;
}

void gfab_matchings_complete(gfab_matchings *m, size_t index)
{
    const uint32_t *partner = m->partner + index * m->nodes;
    for (size_t l = 0; l < gfab_topology_link_count(m->topology); l++) {
        const gfab_link link = gfab_topology_link(m->topology, l);
        if (partner[link.node[0]] == link.node[0] && partner[link.node[1]] == link.node[1])
            gfab_matchings_put(m, index, link.node[0], link.node[1]);
    }
}

void gfab_matchings_destroy(gfab_matchings *matchings)
{
    if (!matchings)
        return;
    GFAB_FREE(matchings->partner, matchings);
}

GFAB_TELLS(const gfab_topology *, gfab_matchings_topology, gfab_matchings, topology)
GFAB_TELLS(size_t, gfab_matchings_count, gfab_matchings, count)

const uint32_t *gfab_matchings_partners(const gfab_matchings *matchings, size_t index)
{
    return matchings->partner + index * matchings->nodes;
}
