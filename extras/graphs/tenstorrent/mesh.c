/* SPDX-License-Identifier: MIT */
/* Tenstorrent's mesh graph descriptors (tt-metal): meshes of chips, in which a link weighs its channels, and channels
 * between the meshes. A descriptor may name the chips that such channels join. Where it names only the meshes, any of
 * their chips may have them, as its schema says; here they are dealt: the next channel joins the chips of the two
 * meshes whose turn it is. So all chips of a mesh have about as many, which is what one would wire, and the same file
 * always gives the same graph. */
#include "graphs/tenstorrent/mesh.h"

#include "base/grow.h"

#include <inttypes.h>

enum { MAX_PARTS = 1 << 16 };

size_t gfab_tt_next(const gfab_tt_reader *r, size_t parent, size_t last)
{
    const size_t next = last == parent ? parent + 1 : r->parts[last].end;
    return next < r->parts[parent].end ? next : r->count;
}

gfab_status gfab_tt_part_new(gfab_tt_reader *r, char kind, gfab_graph_word name, uint64_t id)
{
    if (r->count == MAX_PARTS)
        return FAIL(r->t, GFAB_ERR_LIMIT, "more than %d meshes and groups of them", MAX_PARTS);
    GFAB_NEED_TOLD(gfab_grow(&r->parts, r->count, &r->room, sizeof *r->parts), r->t->diag);
    r->parts[r->count] =
        (gfab_tt_part){.kind = kind, .name = name, .id = id, .end = r->count + 1, .first = r->g->nodes, .dealt = 0};
    r->count++;
    return GFAB_OK;
}

static gfab_status name_chips(gfab_tt_reader *r, const gfab_tt_part *part, const char *path)
{
    for (size_t c = 0; path && c < part->chips; c++) {
        char name[256];
        const int length = snprintf(name, sizeof name, "%s%c%" PRIu64 "D%zu", path, part->kind, part->id, c);
        GFAB_TRY(gfab_graph_call(r->g, r->t, part->first + c, name, (size_t)length));
    }
    return GFAB_OK;
}

gfab_status gfab_tt_mesh_link(gfab_tt_reader *r, const gfab_tt_mesh *mesh, const char *path)
{
    gfab_tt_part *part = &r->parts[r->count - 1];
    uint64_t chips = 1;
    for (size_t d = 0; d < mesh->dimensions; d++)
        chips = chips > GFAB_MAX_NODES ? chips : chips * mesh->sides[d];
    if (chips > GFAB_MAX_NODES || r->g->nodes + chips > GFAB_MAX_NODES)
        return FAIL(r->t, GFAB_ERR_LIMIT, "more than %zu chips", (size_t)GFAB_MAX_NODES);
    part->chips = (size_t)chips;
    r->g->nodes += part->chips;
    for (size_t v = 0; v < part->chips; v++) {
        size_t step = part->chips;
        for (size_t d = 0; d < mesh->dimensions; d++) {
            const size_t side = (size_t)mesh->sides[d];
            step /= side;
            const size_t at = v / step % side, from = part->first + v;
            const bool last = at + 1 == side;
            if (!last || (mesh->ring[d] && side > 2))
                GFAB_TRY(gfab_graph_text_link(r->t, r->g, from, last ? from - at * step : from + step, false,
                                              mesh->channels, NULL));
        }
        if (part->kind == 'S')
            gfab_edges_push(&r->g->relays, part->first + v, GFAB_SWITCH, 0);
    }
    return name_chips(r, part, path);
}

/* The chip of the next channel. */
static size_t next_chip(gfab_tt_reader *r, const gfab_tt_end *end)
{
    gfab_tt_part *part = &r->parts[end->part];
    return part->first + (end->any ? part->dealt++ % part->chips : end->chip);
}

gfab_status gfab_tt_connect(gfab_tt_reader *r, gfab_tt_end from, gfab_tt_end to, uint64_t channels, bool one_way)
{
    if (from.part == to.part && (from.any || to.any))
        return FAIL(r->t, GFAB_ERR_INVALID, "channels from a mesh to itself, and not between two chips of it");
    if (r->parts[from.part].chips == 0 || r->parts[to.part].chips == 0)
        return FAIL(r->t, GFAB_ERR_INVALID, "channels from or to a group without chips");
    for (uint64_t i = 0; i < channels; i++) {
        const size_t a = next_chip(r, &from), b = next_chip(r, &to);
        GFAB_TRY(gfab_graph_text_link(r->t, r->g, a, b, one_way, 1, NULL));
    }
    r->g->dealt += from.any || to.any ? (size_t)channels : 0;
    return GFAB_OK;
}
