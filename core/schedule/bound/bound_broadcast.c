/* SPDX-License-Identifier: MIT */
/* Lower bounds on the rounds of a broadcast from one node: the distance of the farthest node, and where nodes use one
 * port at a time how fast a token can spread. */
#include "bound_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The distance of the member farthest from root. */
static gfab_status measure(const gfab_topology *topology, uint32_t root, uint32_t *farthest, uint32_t *distance)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *distances = malloc(3 * nodes * sizeof *distances);
    GFAB_NEED(distances);
    gfab_topology_hops(topology, root, false, distances, distances + nodes);
    *farthest = root;
    for (uint32_t v = 0; v < nodes; v++)
        if (!gfab_topology_is_relay(topology, v) && distances[v] > distances[*farthest])
            *farthest = v;
    *distance = distances[*farthest];
    return GFAB_OK;
}

gfab_status gfab_bound_broadcast(const gfab_topology *topology, const gfab_model *model, uint32_t root,
                                 gfab_bound *bound)
{
    const uint64_t nodes = gfab_topology_member_count(topology);
    const bool circuit = model->routing == GFAB_ROUTING_CIRCUIT, one = model->port_mode == GFAB_PORT_ONE;
    uint32_t farthest = root, distance = 0;
    GFAB_TRY(gfab_model_check(model, NULL));
    if (!circuit)
        GFAB_TRY(measure(topology, root, &farthest, &distance));
    uint64_t most = 0;
    for (uint32_t v = 0; circuit && !one && v < gfab_topology_node_count(topology); v++) {
        const uint64_t width = gfab_bound_width(topology, v, false, GFAB_WAY_OUT);
        most = width > most ? width : most;
    }
    uint64_t round = 0, knows = 1;
    if (circuit) { /* a packet may come from anywhere */
        const uint64_t packets = one ? gfab_bound_widest(topology) : most;
        for (; knows < nodes; round++)
            knows += packets * knows; /* a relay that knows counts as much as a member */
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
    if (!one || !gfab_topology_is_plain(topology))
        return GFAB_OK;
    gfab_spread spread;
    GFAB_TRY(gfab_bound_spread_from(topology, model->hop_rounds, root, &spread));
    if (spread.rounds > bound->rounds)
        gfab_bound_of_spread(&spread, bound);
    return GFAB_OK;
}
