/* SPDX-License-Identifier: MIT */
#include <gossipfab/topology.h>

#include "number.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 128 /* "torus:" and 8 sides of at most 8 digits fit easily */

struct gfab_topology {
    gfab_topology_kind kind;
    size_t dimensions;
    uint32_t sides[GFAB_MAX_DIMENSIONS];
    char name[NAME_BYTES];
    size_t node_count;
    size_t link_count;
    size_t min_degree;
    size_t max_degree;
    gfab_link *links;
    gfab_port *ports;   /* of all nodes, one node after the other */
    size_t *port_start; /* node_count + 1 */
};

typedef struct family {
    gfab_topology_family text;
    gfab_topology_kind kind;
    size_t max_sides;
    uint32_t min_side;
} family;

static const family families[] = {
    {{"path", "path:N", "N nodes in a row"}, GFAB_TOPOLOGY_MESH, 1, 1},
    {{"cycle", "cycle:N", "N nodes in a ring, N at least 3"}, GFAB_TOPOLOGY_TORUS, 1, 3},
    {{"mesh", "mesh:AxB[xC...]", "a grid of A rows by B columns, or of more dimensions"},
     GFAB_TOPOLOGY_MESH, GFAB_MAX_DIMENSIONS, 1},
    {{"torus", "torus:AxB[xC...]", "a grid that wraps around in every dimension"},
     GFAB_TOPOLOGY_TORUS, GFAB_MAX_DIMENSIONS, 1},
};

const gfab_topology_family *gfab_topology_family_at(size_t index)
{
    return index < sizeof families / sizeof families[0] ? &families[index].text : NULL;
}

static void write_name(gfab_topology *topology)
{
    const bool torus = topology->kind == GFAB_TOPOLOGY_TORUS;
    const char *family_name = torus ? "torus" : "mesh";
    if (topology->dimensions == 1 && !torus)
        family_name = "path";
    if (topology->dimensions == 1 && torus && topology->sides[0] >= 3)
        family_name = "cycle";
    size_t length = (size_t)snprintf(topology->name, NAME_BYTES, "%s:", family_name);
    for (size_t d = 0; d < topology->dimensions; d++)
        length += (size_t)snprintf(topology->name + length, NAME_BYTES - length, d ? "x%u" : "%u",
                                   (unsigned)topology->sides[d]);
    assert(length < NAME_BYTES);
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

/* Fills ports, port_start and the degrees from links; links come in rising
 * order, so each node's ports do, too. next[node_count] is scratch. */
static void write_ports(gfab_topology *topology, size_t *next)
{
    const size_t nodes = topology->node_count;
    memset(topology->port_start, 0, (nodes + 1) * sizeof *topology->port_start);
    for (size_t l = 0; l < topology->link_count; l++)
        for (size_t end = 0; end < 2; end++)
            topology->port_start[topology->links[l].node[end] + 1]++;
    topology->min_degree = SIZE_MAX;
    topology->max_degree = 0;
    for (size_t v = 0; v < nodes; v++) {
        const size_t degree = topology->port_start[v + 1];
        if (degree < topology->min_degree)
            topology->min_degree = degree;
        if (degree > topology->max_degree)
            topology->max_degree = degree;
        topology->port_start[v + 1] += topology->port_start[v];
        next[v] = topology->port_start[v];
    }
    for (size_t l = 0; l < topology->link_count; l++) {
        const gfab_link link = topology->links[l];
        const size_t at[2] = {next[link.node[0]]++, next[link.node[1]]++};
        for (size_t end = 0; end < 2; end++) {
            gfab_port *port = &topology->ports[at[end]];
            port->link = (uint32_t)l;
            port->end = (uint32_t)end;
            port->peer = link.node[1 - end];
            port->peer_port = (uint32_t)(at[1 - end] - topology->port_start[port->peer]);
        }
    }
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

    gfab_topology *t = calloc(1, sizeof *t);
    if (!t)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    t->kind = kind;
    t->dimensions = dimensions;
    memcpy(t->sides, sides, dimensions * sizeof *sides);
    t->node_count = nodes;
    /* At most GFAB_MAX_DIMENSIONS * GFAB_MAX_NODES = 2^27 links: products with small sizes cannot overflow. */
    for (size_t d = 0; d < dimensions; d++)
        t->link_count += nodes / sides[d] * line_links(kind, sides[d]);
    write_name(t);
    t->links = malloc(t->link_count * sizeof *t->links);
    t->ports = malloc(2 * t->link_count * sizeof *t->ports);
    t->port_start = malloc((nodes + 1) * sizeof *t->port_start);
    size_t *next = malloc(nodes * sizeof *next);
    if (!t->links || !t->ports || !t->port_start || !next) {
        free(next);
        gfab_topology_destroy(t);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for a topology of %zu nodes", nodes);
    }
    write_links(t);
    write_ports(t, next);
    free(next);
    *topology = t;
    return GFAB_OK;
}

gfab_status gfab_topology_parse(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    const char *colon = strchr(spec, ':');
    const size_t name_length = colon ? (size_t)(colon - spec) : strlen(spec);
    const family *f = NULL;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strlen(families[i].text.name) == name_length && memcmp(families[i].text.name, spec, name_length) == 0)
            f = &families[i];
    if (!f)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                         "topology \"%.80s\": unknown family \"%.*s\"; known are path:N, cycle:N, mesh:AxB, torus:AxB",
                         spec, (int)(name_length < 40 ? name_length : 40), spec);
    const char *grammar = f->text.grammar;
    if (!colon)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "topology \"%.80s\": sizes are missing; write %s", spec, grammar);

    uint32_t sides[GFAB_MAX_DIMENSIONS];
    size_t count = 0;
    const char *at = colon;
    do {
        at++;
        if (count == f->max_sides) {
            if (f->max_sides == 1)
                return gfab_fail(diag, 0, GFAB_ERR_PARSE, "topology \"%.80s\": one number is expected; write %s",
                                 spec, grammar);
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "topology \"%.80s\": at most %d dimensions are supported",
                             spec, GFAB_MAX_DIMENSIONS);
        }
        uint64_t side = 0;
        switch (gfab_number_read(&at, GFAB_MAX_NODES, &side)) {
        case GFAB_NUMBER_OK: break;
        case GFAB_NUMBER_NONE:
            return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                             "topology \"%.80s\": a number is expected at \"%.20s\"; write %s", spec, at, grammar);
        case GFAB_NUMBER_ZERO:
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "topology \"%.80s\": a number has a leading zero", spec);
        case GFAB_NUMBER_OVERFLOW:
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "topology \"%.80s\": too many nodes; at most %zu are supported",
                             spec, GFAB_MAX_NODES);
        }
        sides[count++] = (uint32_t)side;
    } while (*at == 'x');
    if (*at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "topology \"%.80s\": unexpected \"%.20s\"; write %s", spec, at,
                         grammar);
    if (f->min_side > 1 && sides[0] < f->min_side)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "topology \"%.80s\": a %s needs at least %u nodes", spec,
                         f->text.name, (unsigned)f->min_side);
    gfab_diag inner = {0, ""};
    const gfab_status status = gfab_topology_create_grid(f->kind, count, sides, topology, &inner);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "topology \"%.80s\": %s", spec, inner.message);
    return GFAB_OK;
}

void gfab_topology_destroy(gfab_topology *topology)
{
    if (!topology)
        return;
    free(topology->links);
    free(topology->ports);
    free(topology->port_start);
    free(topology);
}

const char *gfab_topology_name(const gfab_topology *topology)
{
    return topology->name;
}

/* Equal as numbered graphs: the same links between the same nodes, whatever they are called. */
bool gfab_topology_equal(const gfab_topology *a, const gfab_topology *b)
{
    return a == b
           || (a->node_count == b->node_count && a->link_count == b->link_count
               && memcmp(a->links, b->links, a->link_count * sizeof *a->links) == 0);
}

size_t gfab_topology_node_count(const gfab_topology *topology)
{
    return topology->node_count;
}

size_t gfab_topology_link_count(const gfab_topology *topology)
{
    return topology->link_count;
}

gfab_link gfab_topology_link(const gfab_topology *topology, size_t link)
{
    assert(link < topology->link_count);
    return topology->links[link];
}

size_t gfab_topology_max_degree(const gfab_topology *topology)
{
    return topology->max_degree;
}

size_t gfab_topology_min_degree(const gfab_topology *topology)
{
    return topology->min_degree;
}

const gfab_port *gfab_topology_ports(const gfab_topology *topology, size_t node, size_t *count)
{
    assert(node < topology->node_count);
    *count = topology->port_start[node + 1] - topology->port_start[node];
    return topology->ports + topology->port_start[node];
}

bool gfab_topology_find_arc(const gfab_topology *topology, uint32_t from, uint32_t to, gfab_arc *arc)
{
    if (from >= topology->node_count)
        return false;
    size_t count;
    const gfab_port *ports = gfab_topology_ports(topology, from, &count);
    for (size_t i = 0; i < count; i++)
        if (ports[i].peer == to) {
            *arc = 2 * ports[i].link + ports[i].end;
            return true;
        }
    return false;
}

uint32_t gfab_topology_arc_from(const gfab_topology *topology, gfab_arc arc)
{
    assert(arc / 2 < topology->link_count);
    return topology->links[arc / 2].node[arc % 2];
}

uint32_t gfab_topology_arc_to(const gfab_topology *topology, gfab_arc arc)
{
    assert(arc / 2 < topology->link_count);
    return topology->links[arc / 2].node[1 - arc % 2];
}

gfab_topology_kind gfab_topology_get_kind(const gfab_topology *topology)
{
    return topology->kind;
}

size_t gfab_topology_dimensions(const gfab_topology *topology)
{
    return topology->dimensions;
}

uint32_t gfab_topology_side(const gfab_topology *topology, size_t dimension)
{
    assert(dimension < topology->dimensions);
    return topology->sides[dimension];
}

/* Breadth-first search. */
void gfab_topology_distances(const gfab_topology *topology, uint32_t from, uint32_t *distances, uint32_t *work)
{
    for (size_t v = 0; v < topology->node_count; v++)
        distances[v] = UINT32_MAX;
    size_t head = 0;
    size_t tail = 0;
    distances[from] = 0;
    work[tail++] = from;
    while (head < tail) {
        const uint32_t node = work[head++];
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, node, &count);
        for (size_t i = 0; i < count; i++)
            if (distances[ports[i].peer] == UINT32_MAX) {
                distances[ports[i].peer] = distances[node] + 1;
                work[tail++] = ports[i].peer;
            }
    }
}

/* Distances in a grid are sums over the axes, so the longest is the sum of the longest. */
gfab_status gfab_topology_diameter(const gfab_topology *topology, uint32_t *diameter)
{
    uint32_t sum = 0;
    for (size_t d = 0; d < topology->dimensions; d++)
        sum += topology->kind == GFAB_TOPOLOGY_TORUS ? topology->sides[d] / 2 : topology->sides[d] - 1;
    *diameter = sum;
    return GFAB_OK;
}
