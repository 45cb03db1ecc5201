/* SPDX-License-Identifier: MIT */
/* How fast one token can spread where nodes use one port at a time. Of a node informed in round t child i is informed
 * in round t + lambda - 1 + i, of the root in round i; a node at a distance of d is d or more such steps from the root;
 * and no more nodes are e steps away than there are ways to choose e children's numbers. Klasing, Monien, Peine and
 * Stoehr count so for large butterflies and de Bruijn graphs; here the nodes of the graph at hand are counted.
 * docs/theory/telephone-bounds.md has the argument and what it gives. */
#include "bound_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Rounds that a way may lose over the quickest of as many steps. Nothing is claimed of what is near enough to the root
 * to be told over slower ways. */
#define WINDOW 64
/* More than nodes; WINDOW and steps times as much fit. */
#define ENOUGH ((uint64_t)1 << 32)
/* Nodes, arcs and counts that the searches from all roots together look at, or a little more. */
#define MOST_VISITS ((uint64_t)1 << 24)

typedef struct search {
    const gfab_topology *topology;
    uint64_t lambda;
    uint64_t degree; /* the highest */
    uint32_t *distances;
    uint32_t *order;
    uint64_t *far;   /* [distance]: nodes that are as far from the root, or farther */
    uint64_t *reach; /* [steps]: nodes that can be told over so many steps; UINT64_MAX: not counted */
} search;

/* Fills s->reach for a round; the last entry is that of the steps returned. */
static size_t count_reach(const search *s, uint64_t root_degree, uint64_t round)
{
    uint64_t ways[WINDOW]; /* [j]: ways of e steps that lose j rounds */
    for (uint64_t j = 0; j < WINDOW; j++)
        ways[j] = j < root_degree;
    const size_t steps = (size_t)((round - 1) / s->lambda + 1);
    for (size_t e = 1; e <= steps; e++) {
        const uint64_t spare = round - 1 - s->lambda * (e - 1);
        uint64_t told = 0, next = 0, longer[WINDOW];
        for (uint64_t j = 0; j < WINDOW; j++) {
            told += j <= spare ? ways[j] : 0;
            next += ways[j];
            if (j + 1 >= s->degree) /* the step to the last of the degree - 1 children is behind */
                next -= ways[j + 1 - s->degree];
            longer[j] = next < ENOUGH ? next : ENOUGH;
        }
        s->reach[e] = spare < WINDOW ? told : UINT64_MAX;
        for (uint64_t j = 0; j < WINDOW; j++)
            ways[j] = longer[j];
    }
    return steps;
}

/* Whether all nodes can know the token in round spread->rounds, for all that is counted here; where not, why. */
static bool is_possible(const search *s, uint32_t longest, uint64_t root_degree, gfab_spread *spread)
{
    uint64_t told = 0;
    for (size_t e = count_reach(s, root_degree, spread->rounds); e > 0 && s->reach[e] != UINT64_MAX; e--) {
        told = told + s->reach[e] < ENOUGH ? told + s->reach[e] : ENOUGH;
        if (e <= longest && told < s->far[e]) {
            spread->distance = (uint32_t)e;
            spread->far = s->far[e];
            spread->told = told;
            return false;
        }
    }
    return true;
}

static void spread_from(const search *s, uint32_t root, gfab_spread *spread)
{
    const size_t nodes = gfab_topology_node_count(s->topology);
    size_t root_degree;
    (void)gfab_topology_ports(s->topology, root, &root_degree);
    gfab_topology_distances(s->topology, root, s->distances, s->order);
    const uint32_t longest = s->distances[s->order[nodes - 1]];
    for (size_t i = nodes; i-- > 0;)
        s->far[s->distances[s->order[i]]] = nodes - i;
    *spread = (gfab_spread){.root = root, .distance = longest, .far = s->far[longest], .degree = s->degree};
    if (longest == 0)
        return;
    spread->rounds = 1 + s->lambda * (longest - 1);
    while (!is_possible(s, longest, root_degree, spread))
        spread->rounds++;
}

/* What fails is destroyed, too. */
static gfab_status create(search *s, const gfab_topology *topology, uint64_t lambda)
{
    const size_t nodes = gfab_topology_node_count(topology);
    *s = (search){.topology = topology, .lambda = lambda, .degree = gfab_topology_max_degree(topology)};
    s->distances = malloc(2 * nodes * sizeof *s->distances);
    s->far = malloc((2 * nodes + WINDOW + 2) * sizeof *s->far);
    GFAB_NEED(s->distances && s->far);
    s->order = s->distances + nodes;
    s->reach = s->far + nodes;
    return GFAB_OK;
}

static void destroy(search *s)
{
    free(s->distances);
    free(s->far);
}

gfab_status gfab_bound_spread_from(const gfab_topology *topology, uint64_t lambda, uint32_t root, gfab_spread *spread)
{
    GFAB_AT_END(destroy) search s = {0};
    GFAB_TRY(create(&s, topology, lambda));
    spread_from(&s, root, spread);
    return GFAB_OK;
}

/* Nodes of a torus are alike, and on a mesh node 0 is a corner. Elsewhere every node is a root, in large graphs as many
 * as MOST_VISITS allows, from node 0 on: the farthest from all others in de Bruijn and shuffle-exchange graphs. */
gfab_status gfab_bound_spread(const gfab_topology *topology, uint64_t lambda, gfab_spread *spread)
{
    const size_t nodes = gfab_topology_node_count(topology);
    const bool grid = gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_GRAPH;
    GFAB_AT_END(destroy) search s = {0};
    GFAB_TRY(create(&s, topology, lambda));
    spread_from(&s, 0, spread);
    uint64_t visits = 0;
    for (uint32_t root = 1; root < nodes && !grid && visits < MOST_VISITS; root++) {
        gfab_spread other;
        spread_from(&s, root, &other);
        if (other.rounds > spread->rounds)
            *spread = other;
        visits += nodes + 2 * gfab_topology_link_count(topology) + WINDOW * (other.rounds / lambda + 1);
    }
    return GFAB_OK;
}

void gfab_bound_of_spread(const gfab_spread *spread, gfab_bound *bound)
{
    *bound = (gfab_bound){
        .name = "spread",
        .rounds = spread->rounds,
        .source = "Klasing, Monien, Peine & Stoehr 1994; docs/theory/telephone-bounds.md",
    };
    (void)snprintf(bound->argument, sizeof bound->argument,
                   "A node tells one neighbour a round, and %" PRIu64
                   " at most besides the one that told it. So of %" PRIu64 " node%s that are %" PRIu32
                   " or more links from node %" PRIu32 " at most %" PRIu64 " can know its token in round %" PRIu64 ".",
                   spread->degree - 1, spread->far, spread->far == 1 ? "" : "s", spread->distance, spread->root,
                   spread->told, spread->rounds - 1);
}
