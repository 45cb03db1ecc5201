/* SPDX-License-Identifier: MIT */
/* Lower bounds on the rounds of a broadcast from one node: the distance of the farthest node, and how fast a token can
 * spread where nodes use one port at a time. */
#include "bound_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* new_in[t % RING] is the most nodes that can be new to the token in round t. Degrees are cut at RING - 1: with so many
 * links all nodes know the token long before. */
bool gfab_bound_spread(uint64_t nodes, uint64_t root_degree, uint64_t degree, uint64_t lambda, uint64_t *round)
{
    enum { RING = 64 };
    const uint64_t cut = degree < RING - 1 ? degree : RING - 1;
    if (degree < 2 || lambda > RING - cut)
        return false;
    uint64_t new_in[RING] = {0};
    uint64_t knows = 1;
    for (*round = 0; knows < nodes;) {
        uint64_t fresh = ++*round <= root_degree;
        for (uint64_t back = lambda; back < lambda + cut - 1 && back < *round; back++)
            fresh += new_in[(*round - back) % RING];
        new_in[*round % RING] = fresh;
        knows += fresh;
    }
    return true;
}

/* The distance of the node farthest from root. */
static gfab_status measure(const gfab_topology *topology, uint32_t root, uint32_t *farthest, uint32_t *distance)
{
    const size_t nodes = gfab_topology_node_count(topology);
    uint32_t *distances = malloc(2 * nodes * sizeof *distances);
    if (!distances)
        return GFAB_ERR_NO_MEMORY;
    gfab_topology_distances(topology, root, distances, distances + nodes);
    *farthest = root;
    for (size_t v = 0; v < nodes; v++)
        if (distances[v] > distances[*farthest])
            *farthest = (uint32_t)v;
    *distance = distances[*farthest];
    free(distances);
    return GFAB_OK;
}

gfab_status gfab_bound_broadcast(const gfab_topology *topology, const gfab_model *model, uint32_t root,
                                 gfab_bound *bound)
{
    const uint64_t nodes = gfab_topology_node_count(topology);
    const bool circuit = model->routing == GFAB_ROUTING_CIRCUIT, one = model->port_mode == GFAB_PORT_ONE;
    uint32_t farthest = root, distance = 0;
    size_t root_degree;
    gfab_status status = gfab_model_check(model, NULL);
    if (status == GFAB_OK && !circuit)
        status = measure(topology, root, &farthest, &distance);
    if (status != GFAB_OK)
        return status;
    (void)gfab_topology_ports(topology, root, &root_degree);
    const uint64_t most = gfab_topology_max_degree(topology);
    uint64_t round = 0, knows = 1;
    if (circuit) { /* a packet may come from anywhere */
        const uint64_t packets = one ? 1 : most;
        for (; knows < nodes; round++)
            knows += packets * knows;
        *bound = (gfab_bound){.name = "growth", .rounds = round, .source = "folklore"};
        (void)snprintf(bound->argument, sizeof bound->argument,
                       "A node that knows the token tells at most %" PRIu64 " others in a round, so that %" PRIu64
                       " nodes know it in round %" PRIu64 " at the earliest.",
                       packets, nodes, round);
        return GFAB_OK;
    }
    *bound = (gfab_bound){.name = "distance",
                          .rounds = distance ? (distance - 1) * (uint64_t)model->hop_rounds + 1 : 0,
                          .source = "folklore"};
    (void)snprintf(bound->argument, sizeof bound->argument,
                   "Node %" PRIu32 " is %" PRIu32 " link%s from node %" PRIu32
                   ", and a token crosses one every %" PRIu32 " round%s.",
                   farthest, distance, distance == 1 ? "" : "s", root, model->hop_rounds,
                   model->hop_rounds == 1 ? "" : "s");
    if (one && gfab_bound_spread(nodes, root_degree, most, model->hop_rounds, &round) && round > bound->rounds) {
        *bound = (gfab_bound){.name = "spread", .rounds = round, .source = "Liestman & Peters 1988"};
        (void)snprintf(bound->argument, sizeof bound->argument,
                       "Node %" PRIu32
                       " passes its token on to at most %zu others, one a round, any other node to %" PRIu64
                       " more, so that %" PRIu64 " nodes know it in round %" PRIu64 " at the earliest.",
                       root, root_degree, most - 1, nodes, round);
    }
    return GFAB_OK;
}
