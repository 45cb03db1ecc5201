/* SPDX-License-Identifier: MIT */
/* All-to-all on meshes: each block goes along one axis after the other. Which comes first is shared out so that all axes
 * are at work all the time, and every line has as many blocks from any of its nodes to any other; on a line the block
 * with farthest to go is first. */
#include "routes.h"

#include <stdlib.h>

typedef struct mesh {
    const gfab_topology *topology;
    size_t axes; /* sides of 1 left out */
    uint32_t side[GFAB_MAX_DIMENSIONS], stride[GFAB_MAX_DIMENSIONS];
    uint32_t longest; /* of the sides */
} mesh;

static mesh measure(const gfab_topology *topology)
{
    mesh m = {.topology = topology};
    uint32_t stride = 1;
    for (size_t i = gfab_topology_dimensions(topology); i-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, i);
        if (side > 1) {
            m.side[m.axes] = side;
            m.stride[m.axes++] = stride;
        }
        m.longest = side > m.longest ? side : m.longest;
        stride *= side;
    }
    return m;
}

static uint32_t coordinate(const mesh *m, size_t axis, uint32_t node)
{
    return node / m->stride[axis] % m->side[axis];
}

/* Of the ways from a coordinate to each other one, half have this bit, and half of those to a coordinate from each
 * other one; where the side is even, of the way from a coordinate to itself and those to others together. */
static uint32_t half_bit(uint32_t side, uint32_t from, uint32_t to)
{
    if (side % 2 == 0)
        return (from + to) % 2;
    const uint32_t up = (to + side - from) % side;
    return up >= 1 && up <= side / 2;
}

/* The axis that a block's path starts with; the others follow in cyclic order, and take their turn even where the block
 * has no way to go along one of them. */
static size_t first_axis(const mesh *m, uint32_t from, uint32_t to)
{
    if (m->axes == 2) {
        for (size_t axis = 0; axis < 2; axis++)
            if (m->side[axis] % 2 && coordinate(m, axis, from) == coordinate(m, axis, to))
                return 1 - axis;
        return half_bit(m->side[0], coordinate(m, 0, from), coordinate(m, 0, to)) ^
               half_bit(m->side[1], coordinate(m, 1, from), coordinate(m, 1, to));
    }
    size_t sum = 0;
    for (size_t axis = 0; axis < m->axes; axis++)
        sum += coordinate(m, axis, from) + coordinate(m, axis, to);
    return sum % m->axes;
}

static uint32_t distance(const mesh *m, uint32_t from, uint32_t to)
{
    uint32_t sum = 0;
    for (size_t axis = 0; axis < m->axes; axis++)
        sum += (uint32_t)abs((int)coordinate(m, axis, from) - (int)coordinate(m, axis, to));
    return sum;
}

/* A block of an earlier leg goes before one of a later leg, then the one with farthest to go on this leg. */
static void walk(const mesh *m, uint32_t from, uint32_t to, gfab_arc *arcs, uint32_t *rank)
{
    const size_t first = first_axis(m, from, to);
    uint32_t node = from;
    for (size_t leg = 0; leg < m->axes; leg++) {
        const size_t axis = (first + leg) % m->axes;
        uint32_t at = coordinate(m, axis, node);
        const uint32_t end = coordinate(m, axis, to);
        const bool rises = at < end;
        for (; at != end; at = rises ? at + 1 : at - 1) {
            const uint32_t next = rises ? node + m->stride[axis] : node - m->stride[axis];
            gfab_topology_find_arc(m->topology, node, next, arcs++);
            *rank++ = (uint32_t)leg * m->longest + m->longest - (rises ? end - at : at - end);
            node = next;
        }
    }
}

static gfab_status fill(const mesh *m, uint32_t nodes, const gfab_solver_options *options, gfab_routes *routes)
{
    routes->start = malloc((routes->blocks + 1) * sizeof *routes->start);
    if (!routes->start)
        return GFAB_ERR_NO_MEMORY;
    routes->start[0] = 0;
    for (size_t b = 0; b < routes->blocks; b++)
        routes->start[b + 1] = routes->start[b] + distance(m, (uint32_t)(b / nodes), (uint32_t)(b % nodes));
    gfab_status status = gfab_routes_reserve(routes);
    for (uint32_t u = 0; u < nodes && status == GFAB_OK; u++) {
        for (uint32_t v = 0; v < nodes; v++) {
            const size_t start = routes->start[(size_t)u * nodes + v];
            walk(m, u, v, routes->arcs + start, routes->rank + start);
        }
        status = gfab_solver_report(options, "paths", u, nodes);
    }
    return status;
}

gfab_status gfab_routes_mesh(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    if (gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_MESH)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "no mesh");
    const mesh m = measure(topology);
    gfab_routes routes = {.blocks = (size_t)nodes * nodes};
    uint32_t rounds;
    gfab_status status = fill(&m, nodes, options, &routes);
    if (status == GFAB_OK)
        status = gfab_routes_list(topology, model, &routes, options, &rounds, schedule);
    gfab_routes_release(&routes);
    return status;
}
