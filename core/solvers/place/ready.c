/* SPDX-License-Identifier: MIT */
/* The memory of a list of moves that may go: one heap after the other in one array, each with room for all moves of its
 * resource, and a bucket for each of the rounds ahead that a move can wait for. */
#include "ready.h"

#include <string.h>

void gfab_ready_create(gfab_ready *r, gfab_arena *arena, size_t moves, size_t resources, uint32_t hop)
{
    *r = (gfab_ready){.resources = (uint32_t)resources, .span = hop + 2};
    GFAB_ARRAYS(arena, moves + 1, r->heap, r->next);
    GFAB_ARRAYS(arena, resources + 1, r->start, r->size);
    r->bucket = gfab_arena_zeroed(arena, r->span, sizeof *r->bucket);
    if (r->bucket)
        memset(r->bucket, 0xff, r->span * sizeof *r->bucket);
}

void gfab_ready_cut(gfab_ready *r)
{
    for (uint32_t i = 0; i < r->resources; i++)
        r->start[i + 1] += r->start[i];
}
