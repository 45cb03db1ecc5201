/* SPDX-License-Identifier: MIT */
/* What stands in for this extra where a build is without it. */
#include <gossipfab/draw/player.h>

gfab_status gfab_player_check(const gfab_player *player, gfab_diag *diag)
{
    (void)player;
    return GFAB_REFUSE(diag, "this gossipfab writes no player: it was built without the extra draw (GFAB_EXTRAS)");
}

gfab_status gfab_player_write(const gfab_player *player, FILE *file, gfab_diag *diag)
{
    (void)file;
    return gfab_player_check(player, diag);
}

gfab_status gfab_player_ring_schedule(const gfab_ring_fabric *ring, gfab_schedule **schedule)
{
    (void)ring;
    (void)schedule;
    return GFAB_ERR_UNSUPPORTED;
}
