/* SPDX-License-Identifier: MIT */
/* Colours for links, no two alike at a node. Two methods follow each other. A link first tries the first `degree`
 * colours with one exchange along a chain of two colours, which is Konig's proof (1916) and always succeeds on
 * bipartite graphs. What is left is coloured by fans (Misra & Gries 1992), which may use one colour more.
 *
 * What is ours is the order on meshes and tori: axis by axis, cycles of odd length first. So only tori with an odd
 * number of nodes need the additional colour, and no colouring could avoid it there. */
#include "edge_colouring.h"

#include <assert.h>
#include <string.h>

#define NONE GFAB_NO_COLOUR

static void put(gfab_edge_colouring *c, uint32_t link, uint32_t colour)
{
    const gfab_link ends = gfab_topology_link(c->topology, link);
    *gfab_edge_at(c, ends.node[0], colour) = link;
    *gfab_edge_at(c, ends.node[1], colour) = link;
    c->colour[link] = colour;
}

static void take(gfab_edge_colouring *c, uint32_t link)
{
    const gfab_link ends = gfab_topology_link(c->topology, link);
    *gfab_edge_at(c, ends.node[0], c->colour[link]) = NONE;
    *gfab_edge_at(c, ends.node[1], c->colour[link]) = NONE;
    c->colour[link] = NONE;
}

/* The chain from node: its link of colour `first`, the next of colour `second`, and so on to the end, which is
 * returned. `second` is free at node, so that it is a path. */
static uint32_t chain_end(const gfab_edge_colouring *c, uint32_t node, uint32_t first, uint32_t second)
{
    uint32_t colour = first;
    for (uint32_t link; (link = *gfab_edge_at(c, node, colour)) != NONE; colour = first + second - colour)
        node = gfab_edge_end(c, link, node);
    return node;
}

/* Exchanges the two colours along that chain. */
static void chain_flip(gfab_edge_colouring *c, uint32_t node, uint32_t first, uint32_t second)
{
    for (uint32_t colour = first;;) {
        const uint32_t link = *gfab_edge_at(c, node, colour);
        const uint32_t swap = *gfab_edge_at(c, node, first);
        *gfab_edge_at(c, node, first) = *gfab_edge_at(c, node, second);
        *gfab_edge_at(c, node, second) = swap;
        if (link == NONE)
            return;
        colour = first + second - colour;
        c->colour[link] = colour;
        node = gfab_edge_end(c, link, node);
    }
}

static uint32_t free_colour(const gfab_edge_colouring *c, uint32_t node)
{
    uint32_t colour = 0;
    while (!gfab_edge_is_free(c, node, colour))
        colour++;
    assert(colour <= c->degree);
    return colour;
}

/* Colours a link with one of `degree` + 1 colours, whatever its neighbours have: Misra and Gries, A constructive
 * proof of Vizing's theorem (1992). */
static void put_by_fan(gfab_edge_colouring *c, uint32_t link)
{
    const uint32_t centre = gfab_topology_link(c->topology, link).node[0];
    size_t port_count;
    const gfab_port *ports = gfab_topology_ports(c->topology, centre, &port_count);
    size_t count = 0;
    uint32_t last = gfab_edge_end(c, link, centre);
    c->fan[count++] = link;
    for (size_t p = 0; p < port_count; p++) { /* a maximal fan: each link's colour is free at the node before */
        const uint32_t next = ports[p].link;
        bool taken = c->colour[next] == NONE;
        for (size_t i = 0; i < count && !taken; i++)
            taken = c->fan[i] == next;
        if (taken || !gfab_edge_is_free(c, last, c->colour[next]))
            continue;
        c->fan[count++] = next;
        last = ports[p].peer;
        p = SIZE_MAX; /* from the first port again */
    }
    const uint32_t d = free_colour(c, last);
    if (!gfab_edge_is_free(c, centre, d))
        chain_flip(c, centre, d, free_colour(c, centre));
    /* The flip may break the fan; up to the break, some node has d free. */
    size_t use = 0;
    while (!gfab_edge_is_free(c, gfab_edge_end(c, c->fan[use], centre), d)) {
        use++;
        assert(use < count && gfab_edge_is_free(c, gfab_edge_end(c, c->fan[use - 1], centre), c->colour[c->fan[use]]));
    }
    for (size_t i = 0; i < use; i++) {
        const uint32_t colour = c->colour[c->fan[i + 1]];
        take(c, c->fan[i + 1]);
        put(c, c->fan[i], colour);
    }
    put(c, c->fan[use], d);
}

/* Colours a link, with one of the first `degree` colours where that takes no more than one chain of two colours.
 * On a bipartite graph such a chain never joins the link's ends, so that `degree` colours do (Koenig 1916). */
static void put_link(gfab_edge_colouring *c, uint32_t link, uint32_t preferred)
{
    const gfab_link ends = gfab_topology_link(c->topology, link);
    const uint32_t u = ends.node[0];
    const uint32_t v = ends.node[1];
    for (uint32_t i = 0; i < c->degree; i++) {
        const uint32_t colour = (preferred + i) % c->degree;
        if (gfab_edge_is_free(c, u, colour) && gfab_edge_is_free(c, v, colour)) {
            put(c, link, colour);
            return;
        }
    }
    for (uint32_t a = 0; a < c->degree; a++)
        for (uint32_t b = 0; gfab_edge_is_free(c, u, a) && b < c->degree; b++)
            if (gfab_edge_is_free(c, v, b) && chain_end(c, v, a, b) != u) {
                chain_flip(c, v, a, b);
                put(c, link, a);
                return;
            }
    if (gfab_edge_is_free(c, u, c->degree) && gfab_edge_is_free(c, v, c->degree))
        put(c, link, c->degree);
    else
        put_by_fan(c, link);
}

/* Colours all links; in a mesh or torus axis by axis. Axis a, counted from the last, prefers colours 2a and 2a + 1,
 * fewer where lines are short, and gets them wherever sides are even or open. Cycles of odd length come first: their
 * third colour is then one of a later axis, whose lines take what is left, the same at all of their nodes. So the only
 * grids that need more than `degree` colours are tori with an odd number of nodes, where no
 * colouring can do with less. */
static void put_all(gfab_edge_colouring *c)
{
    const gfab_topology *topology = c->topology;
    const bool torus = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS;
    const size_t nodes = gfab_topology_node_count(topology);
    if (gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH) {
        for (size_t link = 0; link < gfab_topology_link_count(topology); link++)
            put_link(c, (uint32_t)link, 0);
        return;
    }
    for (int odd_cycles = 1; odd_cycles >= 0; odd_cycles--) {
        size_t link = 0;
        uint32_t preferred = 0;
        for (size_t d = gfab_topology_dimensions(topology); d-- > 0;) {
            const uint32_t side = gfab_topology_side(topology, d);
            const bool cycle = torus && side >= 3;
            const uint32_t line_links = cycle ? side : side - 1;
            const size_t end = link + nodes / side * line_links;
            for (; link < end; link++)
                if ((cycle && side % 2 == 1) == (odd_cycles == 1))
                    put_link(c, (uint32_t)link, preferred);
            preferred += line_links < 2 ? line_links : 2;
        }
        assert(link == gfab_topology_link_count(topology));
    }
}

gfab_status gfab_edge_colour(const gfab_topology *topology, gfab_edge_colouring *c)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const size_t degree = gfab_topology_max_degree(topology);
    *c = (gfab_edge_colouring){.topology = topology, .degree = (uint32_t)degree};
    c->at = gfab_arena_zeroed2(&c->arena, nodes, degree + 1, sizeof *c->at);
    c->colour = gfab_arena_zeroed(&c->arena, links, sizeof *c->colour);
    c->fan = gfab_arena_zeroed(&c->arena, degree, sizeof *c->fan);
    GFAB_NEED(!c->arena.failed);
    memset(c->at, 0xff, nodes * (degree + 1) * sizeof *c->at);
    memset(c->colour, 0xff, links * sizeof *c->colour);
    put_all(c);
    return GFAB_OK;
}
