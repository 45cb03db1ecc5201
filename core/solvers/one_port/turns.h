/* SPDX-License-Identifier: MIT */
/* Trees whose links take turns, for one port; private to core/solvers. */
#ifndef GOSSIPFAB_TURNS_H
#define GOSSIPFAB_TURNS_H

#include "solvers/collective/group_moves.h"

#include <gossipfab/schedule/schedule.h>

/* So many matchings, one after the other, again and again. */
typedef struct gfab_turns {
    const gfab_topology *topology;
    uint32_t links, length;
    bool *open; /* [length * links] */
} gfab_turns;

/* The ways of blocks. The moves of way w are from[w] .. from[w + 1] - 1; a move goes once all moves of its way that
 * come to its sender in an earlier step have come. */
typedef struct gfab_ways {
    uint32_t count;
    uint32_t *from; /* [count + 1] */
    struct gfab_way_move {
        gfab_arc arc;
        uint32_t step;
        bool down; /* of a block or a total, not of a part of one */
    } * moves;
    size_t from_room, room;
} gfab_ways;

void gfab_ways_release(gfab_ways *ways);

/* The ways of the goal's blocks where link l carries weight[l] packets in a round with all ports: what schedules there
 * are for that, without their rounds. Of owned blocks there are as many ways for each owner, one owner after the other.
 * With `span` the ways are trees that span the members, used from the root or the owner, or up and down. *rounds: of
 * how many rounds these ways are all that links carry. UNSUPPORTED where there are none; NO_MEMORY, INTERRUPTED. */
gfab_status gfab_ways_find(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal, bool span,
                           const uint32_t *weight, const gfab_solver_options *options, gfab_ways *ways,
                           uint32_t *rounds);

/* How moves are put in order. */
typedef struct gfab_turns_rule {
    uint32_t period;    /* no link is used twice in rounds that are the same modulo it; 0: all blocks, no turns, but in
                         * each round the matching whose nodes have most to do */
    double pace;        /* rounds from a block to the next; 0: all begin at once */
    uint32_t link_wait; /* rounds that a link of a block's way takes, about */
    uint64_t noise;     /* the seed of what is added by chance; 0: nothing */
} gfab_turns_rule;

/* Rounds for all moves of blocks 0 .. count - 1, where block b goes way[b]. moves[] gets them, by blocks and their
 * order in the way; *last the last round. LIMIT; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_turns_list(const gfab_turns *turns, const gfab_model *model, const gfab_ways *ways,
                            const uint32_t *way, uint32_t count, const gfab_turns_rule *rule,
                            const gfab_solver_options *options, gfab_group_move *moves, uint32_t *last);

#endif
