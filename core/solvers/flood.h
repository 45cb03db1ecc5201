/* SPDX-License-Identifier: MIT */
/* Gossip by matchings: who meets tells all. Private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_FLOOD_H
#define GOSSIPFAB_SOLVERS_FLOOD_H

#include "solvers.h"

typedef struct gfab_flood {
    gfab_schedule *schedule;
    size_t nodes, words; /* words of a set of tokens */
    uint32_t round;      /* the last one done */
    uint64_t *known;     /* [node * words + word] */
    uint32_t *tokens;    /* scratch */
} gfab_flood;

/* schedule: empty, one token a node; borrowed. NO_MEMORY. To be released whatever is returned. */
gfab_status gfab_flood_create(gfab_schedule *schedule, gfab_flood *flood);
void gfab_flood_release(gfab_flood *flood);
/* A round in which each node and its partner (itself: none) send each other all that the other lacks. Returns as
 * gfab_schedule_append_packet; INVALID where partners have no link. */
gfab_status gfab_flood_round(gfab_flood *flood, const uint32_t *partner);
/* Whether every node has every token. */
bool gfab_flood_complete(const gfab_flood *flood);

/* INVALID for a model that gfab_model_check refuses, LIMIT above GFAB_SOLVER_MAX_NODES, UNSUPPORTED unless the model is
 * that of the telephone: full-duplex links, one port, packets that hold all that a node can lack, one round a hop,
 * store-and-forward. name is the solver's, for the message. */
gfab_status gfab_flood_check(const gfab_topology *topology, const gfab_model *model, const char *name,
                             gfab_diag *diag);

#endif
