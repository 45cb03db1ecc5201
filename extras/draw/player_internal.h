/* SPDX-License-Identifier: MIT */
#ifndef GOSSIPFAB_PLAYER_INTERNAL_H
#define GOSSIPFAB_PLAYER_INTERNAL_H

#include "base/embedded.h"

#include <gossipfab/draw/placement.h>
#include <gossipfab/draw/player.h>

/* Those of extras/draw/player/: the page first, then what it is filled with. */
extern const gfab_embedded gfab_player_files[];

/* The data as JSON without a '<', so that nothing in it ends a script. NO_MEMORY; IO. */
gfab_status gfab_player_write_data(const gfab_player *player, const gfab_placement *placement, FILE *file);

/* The ring fabric's part of the data: its rings, its nodes in their order, and the cycles after each round. */
void gfab_player_put_ring(const gfab_ring_fabric *ring, uint32_t rounds, FILE *file);

#endif
