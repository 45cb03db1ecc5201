/* SPDX-License-Identifier: MIT */
/* What a topology is, once made: nodes, links, ports, distances. */
#include "base/progress.h"
#include "base/tells.h"
#include "topology_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

gfab_topology *gfab_topology_new(size_t nodes, size_t links)
{
    gfab_topology *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->node_count = nodes;
    t->link_count = links;
    t->links = gfab_arena_zeroed(&t->arena, links + 1, sizeof *t->links);
    t->ports = gfab_arena_zeroed(&t->arena, 2 * links + 1, sizeof *t->ports);
    t->port_start = gfab_arena_zeroed(&t->arena, nodes + 1, sizeof *t->port_start);
    if (!t->arena.failed)
        return t;
    gfab_topology_destroy(t);
    return NULL;
}

void gfab_topology_destroy(gfab_topology *topology)
{
    if (!topology)
        return;
    gfab_arena_release(&topology->arena);
    GFAB_FREE(topology->names, topology->note, topology->spec, topology);
}

void gfab_topology_at_end(gfab_topology **topology)
{
    gfab_topology_destroy(*topology);
}

/* Links come in rising order, so each node's ports do, too. */
gfab_status gfab_topology_connect(gfab_topology *topology)
{
    const size_t nodes = topology->node_count;
    GFAB_FREED size_t *next = malloc(nodes * sizeof *next);
    GFAB_NEED(next);
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
    return GFAB_OK;
}

GFAB_TELLS(const char *, gfab_topology_name, gfab_topology, name)

const char *gfab_topology_spec(const gfab_topology *topology)
{
    return topology->spec ? topology->spec : topology->name;
}

GFAB_TELLS(size_t, gfab_topology_node_count, gfab_topology, node_count)
GFAB_TELLS(size_t, gfab_topology_link_count, gfab_topology, link_count)

gfab_link gfab_topology_link(const gfab_topology *topology, size_t link)
{
    assert(link < topology->link_count);
    return topology->links[link];
}

GFAB_TELLS(size_t, gfab_topology_max_degree, gfab_topology, max_degree)
GFAB_TELLS(size_t, gfab_topology_min_degree, gfab_topology, min_degree)

const gfab_port *gfab_topology_ports(const gfab_topology *topology, size_t node, size_t *count)
{
    assert(node < topology->node_count);
    *count = topology->port_start[node + 1] - topology->port_start[node];
    return topology->ports + topology->port_start[node];
}

const gfab_port *gfab_topology_first_port(const gfab_topology *topology, size_t node)
{
    assert(node <= topology->node_count);
    return topology->ports + topology->port_start[node];
}

uint32_t gfab_topology_port_of(const gfab_topology *topology, size_t node, size_t link)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(topology, node, &count);
    uint32_t port = 0;
    while (ports[port].link != link)
        port++;
    assert(port < count);
    return port;
}

bool gfab_topology_find_arc(const gfab_topology *topology, uint32_t from, uint32_t to, gfab_arc *arc)
{
    if (from >= topology->node_count)
        return false;
    GFAB_EACH_PORT(port, topology, from)
        if (port->peer == to) {
            *arc = 2 * port->link + port->end;
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

GFAB_TELLS(gfab_topology_kind, gfab_topology_get_kind, gfab_topology, kind)
GFAB_TELLS(size_t, gfab_topology_dimensions, gfab_topology, dimensions)

uint32_t gfab_topology_side(const gfab_topology *topology, size_t dimension)
{
    assert(dimension < topology->dimensions);
    return topology->sides[dimension];
}

/* Breadth-first search along the arcs, or against them. */
static void search(const gfab_topology *topology, uint32_t from, bool against, uint32_t *distances, uint32_t *work)
{
    const uint32_t *weight = topology->directed ? topology->weight : NULL;
    for (size_t v = 0; v < topology->node_count; v++)
        distances[v] = UINT32_MAX;
    size_t head = 0;
    size_t tail = 0;
    distances[from] = 0;
    work[tail++] = from;
    while (head < tail) {
        const uint32_t node = work[head++];
        GFAB_EACH_PORT(port, topology, node)
            if (distances[port->peer] == UINT32_MAX && (!weight || weight[(2 * port->link + port->end) ^ against])) {
                distances[port->peer] = distances[node] + 1;
                work[tail++] = port->peer;
            }
    }
}

void gfab_topology_distances(const gfab_topology *topology, uint32_t from, uint32_t *distances, uint32_t *work)
{
    search(topology, from, false, distances, work);
}

void gfab_topology_distances_to(const gfab_topology *topology, uint32_t to, uint32_t *distances, uint32_t *work)
{
    search(topology, to, true, distances, work);
}

/* Bounds of every node's eccentricity, from the nodes searched so far: Takes and Kosters, Determining the diameter of
 * small world networks (2011). In turn the node that may be the most eccentric and the one that may be the least. Room
 * for 4 numbers a node, or where the graph is directed 5, for the distances to the node that is searched. */
static gfab_status search_diameter(const gfab_topology *topology, const gfab_progress *progress, uint32_t *distances,
                                   uint32_t *diameter)
{
    const size_t nodes = topology->node_count;
    uint32_t *work = distances + nodes, *most = work + nodes, *least = most + nodes;
    uint32_t *there = topology->directed ? least + nodes : distances;
    uint32_t low = 0; /* the diameter is at least this */
    size_t next = 0;
    for (size_t v = 0; v < nodes; v++) {
        most[v] = UINT32_MAX;
        least[v] = 0;
    }
    bool far = true;
    for (size_t searches = 0;; searches++, far = !far) {
        GFAB_TRY(gfab_progress_report(progress, "breadth-first searches", searches, 0));
        if (topology->directed)
            gfab_topology_distances_to(topology, (uint32_t)next, there, work);
        gfab_topology_distances(topology, (uint32_t)next, distances, work);
        const uint32_t own = distances[work[nodes - 1]];
        if (own > low)
            low = own;
        most[next] = 0; /* done */
        size_t best = nodes;
        for (size_t v = 0; v < nodes; v++) {
            const uint32_t d = there[v], rest = own - distances[v], back = rest > d ? rest : d;
            if (own + d < most[v])
                most[v] = own + d;
            if (back > least[v])
                least[v] = back;
            if (most[v] > low && (best == nodes || (far ? most[v] > most[best] : least[v] < least[best])))
                best = v;
        }
        if (best == nodes) {
            *diameter = low;
            return GFAB_OK;
        }
        next = best;
    }
}

/* Distances in a grid are sums over the axes, so the longest is the sum of the longest. */
gfab_status gfab_topology_diameter(const gfab_topology *topology, const gfab_progress *progress, uint32_t *diameter)
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
    GFAB_FREED uint32_t *distances = malloc((4 + (size_t)topology->directed) * nodes * sizeof *distances);
    GFAB_NEED(distances);
    if (topology->diameter_rule == GFAB_DIAMETER_SAME) {
        gfab_topology_distances(topology, 0, distances, distances + nodes);
        *diameter = distances[distances[2 * nodes - 1]];
    } else
        GFAB_TRY(search_diameter(topology, progress, distances, diameter));
    return GFAB_OK;
}
