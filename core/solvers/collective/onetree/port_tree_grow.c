/* SPDX-License-Identifier: MIT */
/* A spanning tree of few edges a node. It grows layer by layer; what it does not come to stays as parts of its own, and
 * these are joined by turning edges, as in Posa's search for Hamiltonian paths (Discrete Mathematics 14, 1976): a node
 * with an edge to spare takes one to a node that has none, which gives up another one. */
#include "port_tree.h"

#include "base/random.h"

#define NONE GFAB_PORT_TREE_NONE
/* Turns of edges for each node. */
#define TURNS 200u
#define MAX_TURNS ((uint64_t)1 << 24) /* times nodes */

typedef struct forest {
    gfab_port_tree *t;
    uint32_t most, edges;
    uint32_t free_edge; /* the entry of link[] that the next edge gets */
} forest;

static void join(forest *f, uint32_t link)
{
    gfab_port_tree *t = f->t;
    const gfab_link ends = gfab_topology_link(t->topology, link);
    t->link[f->free_edge] = link;
    for (int i = 0; i < 2; i++)
        t->at[ends.node[i] * t->most + t->degree[ends.node[i]]++] = f->free_edge;
    f->edges++;
    f->free_edge = f->edges;
}

static void drop(gfab_port_tree *t, uint32_t node, uint32_t edge)
{
    uint32_t *at = t->at + (size_t)node * t->most, i = 0;
    while (at[i] != edge)
        i++;
    at[i] = at[--t->degree[node]];
}

static void cut(forest *f, uint32_t edge)
{
    const gfab_link ends = gfab_topology_link(f->t->topology, f->t->link[edge]);
    drop(f->t, ends.node[0], edge);
    drop(f->t, ends.node[1], edge);
    f->edges--;
    f->free_edge = edge;
}

/* Marks what hangs together with the node: part[v] is the edge by which v was come to, and the node itself has `nodes`.
 * NONE elsewhere. */
static void mark(gfab_port_tree *t, uint32_t node)
{
    uint32_t count = 1;
    for (uint32_t v = 0; v < t->nodes; v++)
        t->part[v] = NONE;
    t->part[node] = t->nodes;
    t->order[0] = node;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < t->degree[t->order[i]]; k++) {
            const uint32_t edge = t->at[t->order[i] * t->most + k];
            const uint32_t v = gfab_port_tree_other(t, edge, t->order[i]);
            if (t->part[v] != NONE)
                continue;
            t->part[v] = edge;
            t->order[count++] = v;
        }
}

/* Layer by layer from a node, each node over its links in an order by chance. */
static void spread(forest *f, uint32_t start)
{
    gfab_port_tree *t = f->t;
    uint32_t count = 1;
    for (uint32_t v = 0; v < t->nodes; v++)
        t->part[v] = NONE;
    t->part[start] = 0;
    t->order[0] = start;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = t->order[i];
        size_t ports;
        const gfab_port *port = gfab_topology_ports(t->topology, v, &ports);
        const size_t first = gfab_random_below(&t->random, (uint32_t)ports);
        for (size_t p = 0; p < ports && t->degree[v] < f->most; p++) {
            const gfab_port *to = &port[(first + p) % ports];
            if (t->part[to->peer] != NONE)
                continue;
            t->part[to->peer] = 0;
            join(f, to->link);
            t->order[count++] = to->peer;
        }
    }
}

/* A node with an edge to spare takes one to another node by chance, which gives up one where it has none to spare: in
 * the same part that on the way between both, so that no part falls apart. */
static void turn(forest *f)
{
    gfab_port_tree *t = f->t;
    const uint32_t a = gfab_random_below(&t->random, t->nodes);
    if (t->degree[a] >= f->most)
        return;
    size_t ports;
    const gfab_port *port = gfab_topology_ports(t->topology, a, &ports);
    port += gfab_random_below(&t->random, (uint32_t)ports);
    const uint32_t b = port->peer;
    for (uint32_t i = 0; i < t->degree[a]; i++)
        if (t->link[t->at[a * t->most + i]] == port->link)
            return;
    mark(t, a);
    const bool apart = t->part[b] == NONE;
    if (apart && t->degree[b] < f->most) {
        join(f, port->link);
        return;
    }
    cut(f, apart ? t->at[b * t->most + gfab_random_below(&t->random, t->degree[b])] : t->part[b]);
    join(f, port->link);
}

bool gfab_port_tree_grow(gfab_port_tree *t, uint32_t start, uint32_t most_edges)
{
    forest f = {.t = t, .most = most_edges};
    uint64_t turns = (uint64_t)TURNS * t->nodes;
    turns = turns < MAX_TURNS / t->nodes ? turns : MAX_TURNS / t->nodes;
    for (uint32_t v = 0; v < t->nodes; v++)
        t->degree[v] = 0;
    spread(&f, start);
    for (uint64_t i = 0; i < turns && f.edges < t->nodes - 1; i++)
        turn(&f);
    return f.edges == t->nodes - 1;
}
