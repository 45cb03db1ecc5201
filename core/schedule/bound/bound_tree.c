/* SPDX-License-Identifier: MIT */
/* One port, trees: the fewest rounds in which some node can tell all others. A node tells its subtrees in falling order
 * of the rounds they take from then on. Slater, Cockayne & Hedetniemi, Information dissemination in trees (1981):
 * leaves take none; of the nodes with one neighbour that has no number yet the one with the lowest number is taken
 * away, and its neighbour has one subtree more, so far the slowest; the last one left needs the fewest. */
#include "bound_internal.h"

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct pruning {
    const gfab_topology *topology;
    uint32_t *rounds; /* [node]: to tell the subtrees taken away */
    uint32_t *left;   /* [node]: neighbours not taken away; 0 of a node that is */
    uint32_t *first;  /* [rounds]: a list of the nodes with one such neighbour */
    uint32_t *next;   /* [node]: in its list */
} pruning;

static void offer(pruning *p, uint32_t node)
{
    p->next[node] = p->first[p->rounds[node]];
    p->first[p->rounds[node]] = node;
}

/* The neighbour's other subtrees are each told a round later. */
static void take_away(pruning *p, uint32_t node, uint32_t rounds)
{
    size_t count;
    const gfab_port *port = gfab_topology_ports(p->topology, node, &count);
    while (p->left[port->peer] == 0)
        port++;
    const uint32_t to = port->peer;
    p->left[node] = 0;
    p->rounds[to] = (p->rounds[to] > rounds ? p->rounds[to] : rounds) + 1;
    if (--p->left[to] == 1)
        offer(p, to);
}

static uint32_t prune(pruning *p)
{
    const size_t nodes = gfab_topology_node_count(p->topology);
    for (size_t v = 0; v < nodes; v++) {
        size_t degree;
        (void)gfab_topology_ports(p->topology, v, &degree);
        p->rounds[v] = 0;
        p->left[v] = (uint32_t)degree;
        p->first[v] = NONE;
    }
    for (size_t v = 0; v < nodes; v++)
        if (p->left[v] == 1)
            offer(p, (uint32_t)v);
    size_t taken = 0;
    for (uint32_t rounds = 0;; rounds++)
        while (p->first[rounds] != NONE) {
            const uint32_t node = p->first[rounds];
            p->first[rounds] = p->next[node];
            if (++taken == nodes)
                return p->rounds[node];
            take_away(p, node, rounds);
        }
}

bool gfab_bound_is_tree(const gfab_topology *topology)
{
    const size_t nodes = gfab_topology_node_count(topology);
    return nodes > 1 && gfab_topology_link_count(topology) == nodes - 1;
}

gfab_status gfab_bound_tree_broadcast(const gfab_topology *topology, uint32_t *rounds)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *memory = malloc(4 * nodes * sizeof *memory);
    GFAB_NEED(memory);
    pruning p = {topology, memory, memory + nodes, memory + 2 * nodes, memory + 3 * nodes};
    *rounds = prune(&p);
    return GFAB_OK;
}
