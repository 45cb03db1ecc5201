/* SPDX-License-Identifier: MIT */
#ifndef GOSSIPFAB_PLAYER_INTERNAL_H
#define GOSSIPFAB_PLAYER_INTERNAL_H

#include <gossipfab/draw/placement.h>
#include <gossipfab/draw/player.h>

/* A file of core/draw/player/, embedded when the library is built. */
typedef struct gfab_embedded {
    const char *path; /* relative to the root of the sources; the last has none */
    const unsigned char *bytes;
    size_t size;
} gfab_embedded;

/* The page first, then what it is filled with. */
extern const gfab_embedded gfab_player_files[];

/* The data as JSON without a '<', so that nothing in it ends a script. NO_MEMORY; IO. */
gfab_status gfab_player_write_data(const gfab_player *player, const gfab_placement *placement, FILE *file);

#endif
