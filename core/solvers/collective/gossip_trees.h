/* SPDX-License-Identifier: MIT */
/* A gossip in which each token moves along a tree, forwards and backwards; private to core/solvers/collective. */
#ifndef GOSSIPFAB_SOLVERS_GOSSIP_TREES_H
#define GOSSIPFAB_SOLVERS_GOSSIP_TREES_H

#include "solvers/solvers.h"

/* The gossip of auto_gossip, or with one port the shorter of that and of calls, without what arrives where it is
 * already: each node gets each other node's token once. Owned by the caller. */
gfab_status gfab_gossip_trees(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule **trees, gfab_diag *diag);

typedef struct gfab_gossip_place {
    uint32_t after;         /* so many rounds */
    uint32_t stride, first; /* token v is block v * stride + first */
    bool backwards;         /* last round first, each packet from its end to its start, combined; else stored */
} gfab_gossip_place;

/* Appends it to schedule. */
gfab_status gfab_gossip_trees_append(const gfab_schedule *trees, const gfab_solver_options *options,
                                     gfab_gossip_place place, gfab_schedule *schedule);

/* May copies of it be kept as one that repeats? Packets have one token and go over one link then. */
static inline bool gfab_gossip_trees_repeat(const gfab_model *model, uint32_t copies)
{
    return copies > 1 && model->packet_tokens == 1 && model->routing == GFAB_ROUTING_STORE_AND_FORWARD;
}

#endif
