/* SPDX-License-Identifier: MIT */
/* Blocks are chained by a header in front of each, which keeps what is behind it aligned for everything. */
#include <gossipfab/base/arena.h>

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

struct gfab_arena_block {
    struct gfab_arena_block *before;
};

enum {
    HEADER =
        alignof(max_align_t) > sizeof(struct gfab_arena_block) ? alignof(max_align_t) : sizeof(struct gfab_arena_block)
};

void *gfab_arena_zeroed(gfab_arena *arena, size_t count, size_t size)
{
    const bool fits = size == 0 || count <= (SIZE_MAX - HEADER) / size;
    struct gfab_arena_block *block = fits && !arena->failed ? calloc(1, HEADER + count * size) : NULL;
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    block->before = arena->last;
    arena->last = block;
    return (char *)block + HEADER;
}

void *gfab_arena_zeroed2(gfab_arena *arena, size_t count, size_t each, size_t size)
{
    if (each != 0 && count > SIZE_MAX / each) {
        arena->failed = true;
        return NULL;
    }
    return gfab_arena_zeroed(arena, count * each, size);
}

void gfab_arena_release(gfab_arena *arena)
{
    while (arena->last) {
        struct gfab_arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    arena->failed = false;
}
