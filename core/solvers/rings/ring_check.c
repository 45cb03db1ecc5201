/* SPDX-License-Identifier: MIT */
/* Are these rings? Counted node by node and link by link, by what knows nothing of how they are found. */
#include <gossipfab/topology/rings.h>

#include <stdlib.h>

typedef struct check {
    const gfab_topology *topology;
    const gfab_rings *rings;
    bool one_way;
    uint32_t *seen, *used; /* [node], [arc]: by which ring, counted from 1 */
} check;

static gfab_status check_ring(const check *c, uint32_t ring, gfab_diag *diag)
{
    const gfab_topology *topology = c->topology;
    const gfab_rings *rings = c->rings;
    uint32_t *seen = c->seen, *used = c->used;
    const uint32_t *node = rings->node + (size_t)ring * rings->nodes;
    for (uint32_t i = 0; i < rings->nodes; i++) {
        if (node[i] >= rings->nodes)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "ring %u: there is no node %u", ring, node[i]);
        if (seen[node[i]] == ring + 1)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "ring %u visits node %u twice", ring, node[i]);
        seen[node[i]] = ring + 1;
    }
    for (uint32_t i = 0; i < rings->nodes; i++) {
        const uint32_t from = node[i], to = node[i + 1 < rings->nodes ? i + 1 : 0];
        gfab_arc arc;
        if (!gfab_topology_find_arc(topology, from, to, &arc) || gfab_topology_arc_weight(topology, arc) == 0)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "ring %u: there is no link from node %u to node %u", ring, from,
                             to);
        const uint32_t other = used[arc] ? used[arc] : c->one_way ? used[arc ^ 1] : 0;
        if (other)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "rings %u and %u share the link from node %u to node %u",
                             other - 1, ring, from, to);
        used[arc] = ring + 1;
    }
    return GFAB_OK;
}

gfab_status gfab_rings_check(const gfab_topology *topology, const gfab_rings *rings, bool one_way, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    if (rings->nodes != nodes)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "rings of %u nodes on %zu", rings->nodes, nodes);
    GFAB_FREED uint32_t *seen = calloc(nodes, sizeof *seen);
    GFAB_FREED uint32_t *used = calloc(2 * gfab_topology_link_count(topology) + 1, sizeof *used);
    GFAB_NEED_TOLD(seen && used, diag);
    const check c = {topology, rings, one_way, seen, used};
    for (uint32_t ring = 0; ring < rings->count; ring++)
        GFAB_TRY(check_ring(&c, ring, diag));
    return GFAB_OK;
}
