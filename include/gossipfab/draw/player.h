/* SPDX-License-Identifier: MIT */
/* The player: one HTML file that plays schedules in a browser, with all that it needs in it. docs/guide/player.md says
 * what it shows, and what the data in it are. */
#ifndef GOSSIPFAB_PLAYER_H
#define GOSSIPFAB_PLAYER_H

#include <gossipfab/fabric/machine.h>
#include <gossipfab/fabric/ring.h>
#include <gossipfab/schedule/schedule.h>
#include <stdio.h>

GFAB_C_BEGIN

/* Link uses of all schedules together, and, where contributions are combined, nodes times link uses. */
#define GFAB_MAX_PLAYED_MOVES ((uint64_t)1 << 21)
#define GFAB_MAX_PLAYED_SETS ((uint64_t)1 << 27)

/* What is played. All borrowed, all schedules of one topology. */
typedef struct gfab_player {
    const gfab_schedule *const *schedules; /* that gfab_verify accepts; the page checks them again */
    const uint64_t *bounds;                /* of each a lower bound on its rounds, 0 if unknown */
    size_t count;                          /* 1 at least */
    const gfab_machine *machine;  /* whose program k plays schedule k, for its ROM words; NULL: there are none. They are
                                  * left out, too, for packets of several tokens, and where they are more than
                                  * GFAB_MAX_PLAYED_MOVES, 32 bits of a wide node's word counting as one */
    bool timing;                  /* also the machine's: cycles beside rounds */
    const gfab_ring_fabric *ring; /* in place of a machine: the only schedule is gfab_player_ring_schedule's. The page
                                   * shows stores by address, what all nodes write in a round, and cycles. NULL: none */
} gfab_player;

/* LIMIT where there are more moves than GFAB_MAX_PLAYED_MOVES or GFAB_MAX_PLAYED_SETS, or more nodes than
 * GFAB_MAX_PLACED_NODES (gossipfab/draw/placement.h). O(moves). */
gfab_status gfab_player_check(const gfab_player *player, gfab_diag *diag);

/* Writes the page. Errors: those of gfab_player_check; NO_MEMORY; IO. Same inputs, same bytes. */
gfab_status gfab_player_write(const gfab_player *player, FILE *file, gfab_diag *diag);

/* What a ring fabric does, round by round, for the topology that it was planned for. That must outlive the schedule. In
 * a round every node gets on each ring one part of a token, or one block. With K tokens side by side round 1 goes over
 * the chords. Blocks are numbered {home, round, ring}; those that there is room for are among them. On GFAB_OK the
 * schedule is the caller's. LIMIT where it has more moves than GFAB_MAX_PLAYED_MOVES; NO_MEMORY. */
gfab_status gfab_player_ring_schedule(const gfab_ring_fabric *ring, gfab_schedule **schedule);

GFAB_C_END
#endif
