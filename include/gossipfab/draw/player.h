/* SPDX-License-Identifier: MIT */
/* The player: one HTML file that plays schedules in a browser, with all that it needs in it. docs/guide/player.md says
 * what it shows, and what the data in it are. */
#ifndef GOSSIPFAB_PLAYER_H
#define GOSSIPFAB_PLAYER_H

#include <gossipfab/fabric/machine.h>
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
    const gfab_machine *machine; /* whose program k plays schedule k, for its ROM words; NULL: there are none. They are
                                  * left out, too, for packets of several tokens, and where they are more than
                                  * GFAB_MAX_PLAYED_MOVES, 32 bits of a wide node's word counting as one */
    bool timing;                 /* also the machine's: cycles beside rounds */
} gfab_player;

/* LIMIT where there are more moves than GFAB_MAX_PLAYED_MOVES or GFAB_MAX_PLAYED_SETS, or more nodes than
 * GFAB_MAX_PLACED_NODES (gossipfab/draw/placement.h). O(moves). */
gfab_status gfab_player_check(const gfab_player *player, gfab_diag *diag);

/* Writes the page. Errors: those of gfab_player_check; NO_MEMORY; IO. Same inputs, same bytes. */
gfab_status gfab_player_write(const gfab_player *player, FILE *file, gfab_diag *diag);

GFAB_C_END
#endif
