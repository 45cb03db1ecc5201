/* SPDX-License-Identifier: MIT */
#include "topology_internal.h"

#include "base/number.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
     GFAB_TOPOLOGY_MESH,
     GFAB_MAX_DIMENSIONS,
     1},
    {{"torus", "torus:AxB[xC...]", "a grid that wraps around in every dimension"},
     GFAB_TOPOLOGY_TORUS,
     GFAB_MAX_DIMENSIONS,
     1},
};

#define GRIDS (sizeof families / sizeof families[0])

/* Graphs given link by link. */
static const gfab_topology_family given[] = {
    {"graph", "graph:N:U-V,...", "N nodes and the links between them"},
    {"file", "file:PATH", "a graph from an edge list, DOT or METIS file"},
};

const gfab_topology_family *gfab_topology_family_at(size_t index)
{
    if (index < GRIDS)
        return &families[index].text;
    const gfab_topology_family *graph;
    size_t graphs = 0;
    while ((graph = gfab_graph_family_at(graphs)) && graphs != index - GRIDS)
        graphs++;
    if (graph)
        return graph;
    index -= GRIDS + graphs;
    return index < sizeof given / sizeof given[0] ? &given[index] : NULL;
}

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

gfab_topology *gfab_topology_new(size_t nodes, size_t links)
{
    gfab_topology *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->node_count = nodes;
    t->link_count = links;
    t->links = malloc((links + 1) * sizeof *t->links);
    t->ports = malloc((2 * links + 1) * sizeof *t->ports);
    t->port_start = malloc((nodes + 1) * sizeof *t->port_start);
    if (t->links && t->ports && t->port_start)
        return t;
    gfab_topology_destroy(t);
    return NULL;
}

/* Links come in rising order, so each node's ports do, too. */
gfab_status gfab_topology_connect(gfab_topology *topology)
{
    const size_t nodes = topology->node_count;
    size_t *next = malloc(nodes * sizeof *next);
    if (!next)
        return GFAB_ERR_NO_MEMORY;
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
    free(next);
    return GFAB_OK;
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

static gfab_status parse_grid(const family *f, const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    const char *grammar = f->text.grammar;
    uint32_t sides[GFAB_MAX_DIMENSIONS];
    size_t count = 0;
    const char *at = strchr(spec, ':');
    do {
        at++;
        if (count == f->max_sides) {
            if (f->max_sides == 1)
                return gfab_fail(diag, 0, GFAB_ERR_PARSE, "one number is expected; write %s", grammar);
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "at most %d dimensions are supported", GFAB_MAX_DIMENSIONS);
        }
        uint64_t side = 0;
        switch (gfab_number_read(&at, GFAB_MAX_NODES, &side)) {
        case GFAB_NUMBER_OK:
            break;
        case GFAB_NUMBER_NONE:
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number is expected at \"%.20s\"; write %s", at, grammar);
        case GFAB_NUMBER_ZERO:
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number has a leading zero");
        case GFAB_NUMBER_OVERFLOW:
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
        }
        sides[count++] = (uint32_t)side;
    } while (*at == 'x');
    if (*at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unexpected \"%.20s\"; write %s", at, grammar);
    if (f->min_side > 1 && sides[0] < f->min_side)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a %s needs at least %u nodes", f->text.name,
                         (unsigned)f->min_side);
    return gfab_topology_create_grid(f->kind, count, sides, topology, diag);
}

/* The topology of a spec without suffixes, without the spec in messages. */
static gfab_status parse_family(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    const char *colon = strchr(spec, ':');
    const size_t length = colon ? (size_t)(colon - spec) : strlen(spec);
    const gfab_topology_family *f;
    size_t index = 0;
    while ((f = gfab_topology_family_at(index)) && (strlen(f->name) != length || memcmp(f->name, spec, length) != 0))
        index++;
    if (!f)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                         "unknown family \"%.*s\"; known are mesh:AxB, torus:AxB, file:PATH and what gossipfab list "
                         "topologies has",
                         (int)(length < 40 ? length : 40), spec);
    if (!colon)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "sizes are missing; write %s", f->grammar);
    if (index < GRIDS)
        return parse_grid(&families[index], spec, topology, diag);
    if (f == &given[0])
        return gfab_graph_list_parse(spec, topology, diag);
    if (f == &given[1])
        return gfab_graph_file_read(colon + 1, topology, diag);
    return gfab_graph_family_parse(index - GRIDS, spec, topology, diag);
}

/* The base without the links of the suffixes. */
static gfab_status parse_dropped(const char *spec, const char *suffixes, gfab_topology **topology, gfab_diag *diag)
{
    const size_t length = (size_t)(suffixes - spec);
    char *base_spec = malloc(length + 1);
    gfab_topology *base = NULL;
    if (!base_spec)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    memcpy(base_spec, spec, length);
    base_spec[length] = '\0';
    gfab_status status = parse_family(base_spec, &base, diag);
    if (status == GFAB_OK)
        status = gfab_graph_drop(base, suffixes, topology, diag);
    free(base_spec);
    gfab_topology_destroy(base);
    return status;
}

gfab_status gfab_topology_parse(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    gfab_diag inner = {0, ""};
    const char *suffixes = strstr(spec, "+drop-");
    gfab_topology *made = NULL;
    const gfab_status status =
        suffixes ? parse_dropped(spec, suffixes, &made, &inner) : parse_family(spec, &made, &inner);
    if (status != GFAB_OK && inner.line)
        return gfab_fail(diag, inner.line, status, "%s", inner.message);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "topology \"%.80s\": %s", spec, inner.message);
    *topology = made;
    return GFAB_OK;
}

void gfab_topology_destroy(gfab_topology *topology)
{
    if (!topology)
        return;
    free(topology->links);
    free(topology->ports);
    free(topology->port_start);
    free(topology->spec);
    free(topology);
}

const char *gfab_topology_name(const gfab_topology *topology)
{
    return topology->name;
}

const char *gfab_topology_spec(const gfab_topology *topology)
{
    return topology->spec ? topology->spec : topology->name;
}

/* Equal as numbered graphs: the same links between the same nodes, whatever they are called. */
bool gfab_topology_equal(const gfab_topology *a, const gfab_topology *b)
{
    return a == b || (a->node_count == b->node_count && a->link_count == b->link_count &&
                      memcmp(a->links, b->links, a->link_count * sizeof *a->links) == 0);
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

/* Bounds of every node's eccentricity, from the nodes searched so far: Takes and Kosters, Determining the diameter of
 * small world networks (2011). In turn the node that may be the most eccentric and the one that may be the least. */
static uint32_t search_diameter(const gfab_topology *topology, uint32_t *distances, uint32_t *work, uint32_t *most,
                                uint32_t *least)
{
    const size_t nodes = topology->node_count;
    uint32_t low = 0; /* the diameter is at least this */
    size_t next = 0;
    for (size_t v = 0; v < nodes; v++) {
        most[v] = UINT32_MAX;
        least[v] = 0;
    }
    for (bool far = true;; far = !far) {
        gfab_topology_distances(topology, (uint32_t)next, distances, work);
        const uint32_t own = distances[work[nodes - 1]];
        if (own > low)
            low = own;
        most[next] = 0; /* done */
        size_t best = nodes;
        for (size_t v = 0; v < nodes; v++) {
            const uint32_t d = distances[v], back = own - d > d ? own - d : d;
            if (own + d < most[v])
                most[v] = own + d;
            if (back > least[v])
                least[v] = back;
            if (most[v] > low && (best == nodes || (far ? most[v] > most[best] : least[v] < least[best])))
                best = v;
        }
        if (best == nodes)
            return low;
        next = best;
    }
}

/* Distances in a grid are sums over the axes, so the longest is the sum of the longest. */
gfab_status gfab_topology_diameter(const gfab_topology *topology, uint32_t *diameter)
{
    const size_t nodes = topology->node_count;
    if (topology->kind != GFAB_TOPOLOGY_GRAPH) {
        *diameter = 0;
        for (size_t d = 0; d < topology->dimensions; d++)
            *diameter += topology->kind == GFAB_TOPOLOGY_TORUS ? topology->sides[d] / 2 : topology->sides[d] - 1;
        return GFAB_OK;
    }
    if (topology->diameter_rule == GFAB_DIAMETER_KNOWN) {
        *diameter = topology->diameter;
        return GFAB_OK;
    }
    uint32_t *distances = malloc(4 * nodes * sizeof *distances);
    if (!distances)
        return GFAB_ERR_NO_MEMORY;
    uint32_t *work = distances + nodes;
    if (topology->diameter_rule == GFAB_DIAMETER_SAME) {
        gfab_topology_distances(topology, 0, distances, work);
        *diameter = distances[work[nodes - 1]];
    } else
        *diameter = search_diameter(topology, distances, work, work + nodes, work + 2 * nodes);
    free(distances);
    return GFAB_OK;
}
