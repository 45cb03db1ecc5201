/* SPDX-License-Identifier: MIT */
/* All-to-all on meshes and tori: each block goes along one axis after the other. Which comes first is shared out so
 * that all axes are at work all the time, and every line has as many blocks from any of its nodes to any other; on a
 * line the block with farthest to go is first. */
#include "routes.h"

#include <stdlib.h>

typedef struct grid {
    const gfab_topology *topology;
    bool wraps;  /* a torus */
    size_t axes; /* sides of 1 left out */
    uint32_t side[GFAB_MAX_DIMENSIONS], stride[GFAB_MAX_DIMENSIONS];
    uint32_t longest; /* of the sides */
} grid;

static grid measure(const gfab_topology *topology)
{
    grid g = {.topology = topology, .wraps = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS};
    uint32_t stride = 1;
    for (size_t i = gfab_topology_dimensions(topology); i-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, i);
        if (side > 1) {
            g.side[g.axes] = side;
            g.stride[g.axes++] = stride;
        }
        g.longest = side > g.longest ? side : g.longest;
        stride *= side;
    }
    return g;
}

static uint32_t coordinate(const grid *g, size_t axis, uint32_t node)
{
    return node / g->stride[axis] % g->side[axis];
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
static size_t first_axis(const grid *g, uint32_t from, uint32_t to)
{
    if (g->axes == 2) {
        for (size_t axis = 0; axis < 2; axis++)
            if (g->side[axis] % 2 && coordinate(g, axis, from) == coordinate(g, axis, to))
                return 1 - axis;
        return half_bit(g->side[0], coordinate(g, 0, from), coordinate(g, 0, to)) ^
               half_bit(g->side[1], coordinate(g, 1, from), coordinate(g, 1, to));
    }
    size_t sum = 0;
    for (size_t axis = 0; axis < g->axes; axis++)
        sum += coordinate(g, axis, from) + coordinate(g, axis, to);
    return sum % g->axes;
}

/* Steps along an axis, and whether they go up. Of half a torus side there are as many either way: half of the nodes of
 * a line go up. */
static uint32_t length(const grid *g, size_t axis, uint32_t from, uint32_t to, bool *up)
{
    const uint32_t a = coordinate(g, axis, from), b = coordinate(g, axis, to), side = g->side[axis];
    *up = a < b;
    if (!g->wraps)
        return *up ? b - a : a - b;
    const uint32_t way = (b + side - a) % side;
    *up = 2 * way < side;
    if (2 * way == side) {
        uint32_t sum = a;
        for (size_t other = 0; other < g->axes; other++)
            sum += other == axis ? 0 : coordinate(g, other, from) + coordinate(g, other, to);
        *up = sum % 2 == 0;
    }
    return *up ? way : side - way;
}

/* A block of an earlier leg goes before one of a later leg, then the one with farthest to go on this leg. */
static void walk(const grid *g, uint32_t from, uint32_t to, gfab_arc *arcs, uint32_t *rank)
{
    const size_t first = first_axis(g, from, to);
    uint32_t node = from;
    for (size_t leg = 0; leg < g->axes; leg++) {
        const size_t axis = (first + leg) % g->axes;
        bool up;
        for (uint32_t left = length(g, axis, from, to, &up); left; left--) {
            const uint32_t at = coordinate(g, axis, node), side = g->side[axis];
            const uint32_t next = node - at * g->stride[axis] + (at + (up ? 1 : side - 1)) % side * g->stride[axis];
            gfab_topology_find_arc(g->topology, node, next, arcs++);
            *rank++ = (uint32_t)leg * g->longest + g->longest - left;
            node = next;
        }
    }
}

static gfab_status fill(const grid *g, uint32_t nodes, const gfab_solver_options *options, gfab_routes *routes)
{
    routes->start = malloc((routes->blocks + 1) * sizeof *routes->start);
    GFAB_NEED(routes->start);
    routes->start[0] = 0;
    for (size_t b = 0; b < routes->blocks; b++) {
        size_t steps = 0;
        bool up;
        for (size_t axis = 0; axis < g->axes; axis++)
            steps += length(g, axis, (uint32_t)(b / nodes), (uint32_t)(b % nodes), &up);
        routes->start[b + 1] = routes->start[b] + steps;
    }
    GFAB_TRY(gfab_routes_reserve(routes));
    for (uint32_t u = 0; u < nodes; u++) {
        for (uint32_t v = 0; v < nodes; v++) {
            const size_t start = routes->start[(size_t)u * nodes + v];
            walk(g, u, v, routes->arcs + start, routes->rank + start);
        }
        GFAB_TRY(gfab_solver_report(options, "paths", u, nodes));
    }
    return GFAB_OK;
}

gfab_status gfab_routes_axes(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    if (gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH)
        return GFAB_REFUSE(diag, "neither mesh nor torus");
    const grid g = measure(topology);
    GFAB_AT_END(gfab_routes_release) gfab_routes routes = {.blocks = (size_t)nodes * nodes};
    uint32_t rounds;
    GFAB_TRY(fill(&g, nodes, options, &routes));
    return gfab_routes_list(topology, model, &routes, options, &rounds, schedule);
}
