/* SPDX-License-Identifier: MIT */
/* Meshes and tori of any dimension. */
#include "topology_internal.h"
#include "translate.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void write_name(gfab_topology *topology)
{
    const bool torus = topology->kind == GFAB_TOPOLOGY_TORUS;
    const char *family_name = torus ? "torus" : "mesh";
    if (topology->dimensions == 1 && !torus)
        family_name = "path";
    if (topology->dimensions == 1 && torus && topology->sides[0] >= 3)
        family_name = "cycle";
    size_t length = (size_t)snprintf(topology->name, GFAB_NAME_BYTES, "%s:", family_name);
    for (size_t d = 0; d < topology->dimensions; d++)
        length += (size_t)snprintf(topology->name + length, GFAB_NAME_BYTES - length, d ? "x%u" : "%u",
                                   (unsigned)topology->sides[d]);
    assert(length < GFAB_NAME_BYTES);
}

/* Links of a line of this many nodes. */
static size_t line_links(gfab_topology_kind kind, uint32_t side)
{
    return kind == GFAB_TOPOLOGY_TORUS && side >= 3 ? side : side - 1;
}

static void write_links(gfab_topology *topology)
{
    size_t link = 0;
    size_t stride = 1;
    for (size_t d = topology->dimensions; d-- > 0; stride *= topology->sides[d]) {
        const size_t side = topology->sides[d];
        const size_t count = line_links(topology->kind, topology->sides[d]);
        for (size_t block = 0; block < topology->node_count; block += stride * side)
            for (size_t line = block; line < block + stride; line++)
                for (size_t c = 0; c < count; c++) {
                    topology->links[link].node[0] = (uint32_t)(line + c * stride);
                    topology->links[link].node[1] = (uint32_t)(line + (c + 1) % side * stride);
                    link++;
                }
    }
    assert(link == topology->link_count);
}

gfab_status gfab_topology_create_grid(gfab_topology_kind kind, size_t dimensions, const uint32_t *sides,
                                      gfab_topology **topology, gfab_diag *diag)
{
    if (kind != GFAB_TOPOLOGY_MESH && kind != GFAB_TOPOLOGY_TORUS)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "unknown kind of topology %d", (int)kind);
    if (dimensions < 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a grid needs at least one side");
    if (dimensions > GFAB_MAX_DIMENSIONS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%zu dimensions; at most %d are supported", dimensions,
                         GFAB_MAX_DIMENSIONS);
    for (size_t d = 0; d < dimensions; d++)
        if (sides[d] == 0)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a side of 0; every side must be at least 1");
    size_t nodes = 1;
    for (size_t d = 0; d < dimensions; d++) {
        if (sides[d] > GFAB_MAX_NODES / nodes)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
        nodes *= sides[d];
    }
    if (nodes == 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "one node in all; a gossip needs at least 2");

    /* At most GFAB_MAX_DIMENSIONS * GFAB_MAX_NODES = 2^27 links: products with small sizes cannot overflow. */
    size_t links = 0;
    for (size_t d = 0; d < dimensions; d++)
        links += nodes / sides[d] * line_links(kind, sides[d]);
    gfab_topology *t = gfab_topology_new(nodes, links);
    if (!t)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for a topology of %zu nodes", nodes);
    t->kind = kind;
    t->dimensions = dimensions;
    memcpy(t->sides, sides, dimensions * sizeof *sides);
    write_name(t);
    write_links(t);
    if (gfab_topology_connect(t) != GFAB_OK) {
        gfab_topology_destroy(t);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for a topology of %zu nodes", nodes);
    }
    *topology = t;
    return GFAB_OK;
}

/* The direction of the first port along an axis; that of the port to the next node where the axis has two. */
static uint32_t first_direction(const gfab_topology *topology, size_t axis)
{
    uint32_t directions = 0;
    for (size_t before = 0; before < axis; before++)
        directions += topology->sides[before] > 2 ? 2 : topology->sides[before] == 2;
    return directions;
}

uint32_t gfab_topology_direction(const gfab_topology *topology, size_t node, uint32_t port)
{
    size_t count, stride = 1;
    const gfab_port *ports = gfab_topology_ports(topology, node, &count);
    assert(port < count);
    if (topology->kind == GFAB_TOPOLOGY_GRAPH)
        return port;
    for (size_t axis = topology->dimensions; axis-- > 0; stride *= topology->sides[axis]) {
        const size_t side = topology->sides[axis];
        const size_t from = node / stride % side, to = ports[port].peer / stride % side;
        if (from == to)
            continue;
        const bool previous = topology->kind == GFAB_TOPOLOGY_TORUS ? to != (from + 1) % side : to < from;
        return first_direction(topology, axis) + (side > 2 && previous);
    }
    return port; /* not reached: both ends of a link differ in one coordinate */
}

uint32_t gfab_topology_arrival(const gfab_topology *topology, gfab_arc arc)
{
    const uint32_t to = gfab_topology_arc_to(topology, arc);
    return gfab_topology_direction(topology, to, gfab_topology_port_of(topology, to, arc / 2));
}

/* ---- translations ---- */

/* Coordinate by coordinate, from the last one on. */
static uint32_t translate(const gfab_topology *topology, uint32_t a, uint32_t b, bool minus)
{
    uint32_t sum = 0;
    uint32_t stride = 1;
    for (size_t i = gfab_topology_dimensions(topology); i-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, i);
        const uint32_t step = minus ? side - b % side : b % side;
        sum += (a % side + step) % side * stride;
        a /= side;
        b /= side;
        stride *= side;
    }
    return sum;
}

uint32_t gfab_translate_plus(const gfab_topology *topology, uint32_t a, uint32_t b)
{
    return translate(topology, a, b, false);
}

uint32_t gfab_translate_minus(const gfab_topology *topology, uint32_t a, uint32_t b)
{
    return translate(topology, a, b, true);
}

gfab_arc gfab_translate_arc(const gfab_topology *topology, gfab_arc arc, uint32_t from)
{
    const uint32_t by = translate(topology, from, gfab_topology_arc_from(topology, arc), true);
    gfab_arc moved = 0; /* the link is there: a torus looks the same from all nodes */
    (void)gfab_topology_find_arc(topology, from, translate(topology, gfab_topology_arc_to(topology, arc), by, false),
                                 &moved);
    return moved;
}
