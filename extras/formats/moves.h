/* SPDX-License-Identifier: MIT */
/* Private: what moves, as a list, between schedules and the formats of other tools. */
#ifndef GOSSIPFAB_FORMATS_MOVES_H
#define GOSSIPFAB_FORMATS_MOVES_H

#include <gossipfab/schedule/schedule.h>

#include "formats/sets.h"

/* One block over one link, or past switches. */
typedef struct gfab_move {
    uint32_t round, from, to, block;
    uint32_t place; /* in its packet */
    uint32_t set;   /* before it has a round: whose contributions it carries */
    bool combine;   /* the receiver combines it with what it has */
} gfab_move;

typedef struct gfab_moves {
    gfab_move *at;
    size_t count, capacity;
    bool failed; /* memory ran out */
} gfab_moves;

void gfab_moves_push(gfab_moves *moves, const gfab_move *move);
void gfab_moves_release(gfab_moves *moves);

/* All of a schedule's, by round, sender, receiver, place; past switches from member to member. UNSUPPORTED where a
 * packet goes over several links otherwise. */
gfab_status gfab_moves_of(const gfab_schedule *schedule, gfab_moves *moves, gfab_diag *diag);
/* The same, but of a schedule that repeats those of its one group. */
gfab_status gfab_moves_of_group(const gfab_schedule *schedule, gfab_moves *moves, gfab_diag *diag);
/* Relays as switches: for each move the one by which a member sent what it carries, itself without relays; in firsts,
 * which is the caller's to free. UNSUPPORTED where a relay adds up. */
gfab_status gfab_moves_past_relays(const gfab_schedule *schedule, const gfab_moves *moves, const gfab_move ***firsts,
                                   gfab_diag *diag);
/* Appends moves that have their rounds to an empty schedule; sorts them. The moves of a link in a round are a packet.
 * INVALID where the topology has no such link. */
gfab_status gfab_moves_append(gfab_moves *moves, gfab_schedule *schedule, gfab_diag *diag);

/* Does the node have the block, or a contribution to it, before round 1? */
bool gfab_moves_holds(const gfab_schedule *schedule, uint32_t node, uint32_t block);
/* Gives rounds to moves that have none, each as early as it can be: it carries what its sender has, its link and its
 * ports are free, the receiver has sent what it is to send before, and the model is kept; of several that want a link
 * the first in the list goes first. Also says which are combined. UNSUPPORTED where no order of them gives every
 * sender what it is to send; LIMIT; INTERRUPTED. */
gfab_status gfab_moves_time(gfab_moves *moves, gfab_sets *sets, const gfab_schedule *schedule,
                            const gfab_progress *progress, gfab_diag *diag);

#endif
