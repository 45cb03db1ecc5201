/* SPDX-License-Identifier: MIT */
/* Gossip on one line of a mesh or torus, a phase of mesh_telephone.c; private to it. */
#ifndef GOSSIPFAB_SOLVERS_MESH_LINE_H
#define GOSSIPFAB_SOLVERS_MESH_LINE_H

#include "solvers/solvers.h"

/* A superpacket that a position sends to the next or the one before in a round. */
typedef struct gfab_mesh_transfer {
    uint32_t round; /* of the phase, from 1 */
    uint32_t from, to, packet;
} gfab_mesh_transfer;

typedef struct gfab_mesh_line {
    size_t length;
    bool cycle;
    bool twins;         /* two cycles of an odd length side by side: positions 0 .. length / 2 - 1 and the others */
    bool first_is_free; /* the partners of round 1 know each other's superpackets already: the round is left out */
    size_t most;        /* superpackets to a node in a round */
    uint32_t rounds;
    gfab_mesh_transfer *at;
    size_t count, capacity;
} gfab_mesh_line;

/* The partner of a position in a round, or the position itself. Even cycles and paths use the two matchings in turn;
 * in an odd cycle position r is idle in round r and the others are matched in the one way left. */
size_t gfab_mesh_line_partner(const gfab_mesh_line *g, uint32_t round, size_t position);
/* Plays the rounds until every position knows every superpacket: fills rounds and at, which is the caller's to free,
 * whatever is returned. */
gfab_status gfab_mesh_line_play(gfab_mesh_line *g);
/* The same for twins, which want more than two superpackets in the last round: the least `most` that makes do with
 * n/2 + 2 rounds. */
gfab_status gfab_mesh_line_play_twins(gfab_mesh_line *g);

#endif
