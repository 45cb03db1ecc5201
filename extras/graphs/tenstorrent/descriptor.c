/* SPDX-License-Identifier: MIT */
/* Tenstorrent's mesh graph descriptors, of either notation: text.c and yaml.c read them, mesh.c makes their links. */
#include "graphs/tenstorrent/mesh.h"

gfab_status gfab_graph_read_tenstorrent_mesh(gfab_graph_text *t, gfab_graph_links *g)
{
    gfab_tt_reader r = {.t = t, .g = g, .blocks = {NULL, 0, 0}, .parts = NULL, .count = 0, .room = 0};
    t->at = t->bytes;
    gfab_status status = gfab_blocks_read(t, &r.blocks);
    if (status == GFAB_OK)
        status = gfab_block_find(&r.blocks, 0, "ChipSpec") ? gfab_tt_read_yaml(&r) : gfab_tt_read_text(&r);
    if (g->how.parallel == GFAB_PARALLEL_REFUSED)
        g->how.parallel = GFAB_PARALLEL_ADDED;
    gfab_blocks_release(&r.blocks);
    free(r.parts);
    return status;
}
