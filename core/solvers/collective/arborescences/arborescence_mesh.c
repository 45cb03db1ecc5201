/* SPDX-License-Identifier: MIT */
/* A mesh of D axes of side 2 and up has D arc-disjoint arborescences out of any root; on the hypercube they are those
 * of Johnsson & Ho (IEEE Trans. Computers 38, 1989). Let S be the axes along which node v is off the root. Tree i
 * reaches v
 *   - where i is in S by a step away from the root, along the axis of S before i, in the circle of all axes: so it goes
 *     along axis i first, then i + 1, ..;
 *   - where i is not in S by a step along axis i back to the root's coordinate, from v's neighbour on that axis.
 * Of the arcs into v those away from the root are along axes of S, a different one for each i in S, and those back
 * along the axes not in S: no two trees share one. The first kind is as deep as v is far, the second 2 deeper, and v is
 * then no farther than nodes get without axis i. */
#include "arborescence_packing.h"

#define MAX_AXES GFAB_MAX_DIMENSIONS

typedef struct mesh {
    uint32_t count;
    uint32_t side[MAX_AXES], stride[MAX_AXES]; /* of axes of side 2 and up */
    uint32_t root;
} mesh;

static bool list_axes(const gfab_topology *topology, mesh *m)
{
    const gfab_topology_kind kind = gfab_topology_get_kind(topology);
    uint32_t stride = 1;
    if (kind == GFAB_TOPOLOGY_GRAPH)
        return false;
    for (size_t axis = gfab_topology_dimensions(topology); axis-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, axis);
        if (kind == GFAB_TOPOLOGY_TORUS && side > 2)
            return false;
        if (side > 1) {
            m->side[m->count] = side;
            m->stride[m->count++] = stride;
        }
        stride *= side;
    }
    return true;
}

static uint32_t place(const mesh *m, uint32_t node, uint32_t axis)
{
    return node / m->stride[axis] % m->side[axis];
}

static uint32_t parent_of(const mesh *m, uint32_t tree, uint32_t node)
{
    const uint32_t stride = m->stride[tree];
    uint32_t axis = tree;
    if (place(m, node, tree) == place(m, m->root, tree))
        return place(m, node, tree) + 1 < m->side[tree] ? node + stride : node - stride;
    do
        axis = (axis + m->count - 1) % m->count;
    while (place(m, node, axis) == place(m, m->root, axis));
    return place(m, node, axis) > place(m, m->root, axis) ? node - m->stride[axis] : node + m->stride[axis];
}

bool gfab_arbor_mesh(const gfab_topology *topology, gfab_arbor_packing *packing)
{
    const gfab_arbor_graph *graph = packing->graph;
    mesh m = {.root = packing->root};
    if (!list_axes(topology, &m) || m.count != packing->count)
        return false;
    for (uint32_t tree = 0; tree < m.count; tree++) {
        uint32_t *parent = packing->parent + (size_t)tree * graph->nodes;
        uint32_t *depth = packing->depth + (size_t)tree * graph->nodes;
        for (uint32_t v = 0; v < graph->nodes; v++) {
            if (v == m.root)
                continue;
            const uint32_t from = parent_of(&m, tree, v);
            for (uint32_t i = graph->first_in[v]; i < graph->first_in[v + 1]; i++)
                if (graph->from[graph->in[i]] == from)
                    parent[v] = graph->in[i];
            packing->owner[parent[v]] = tree;
            depth[v] = 0;
            for (uint32_t u = v; u != m.root; u = parent_of(&m, tree, u))
                depth[v]++;
        }
    }
    return true;
}
