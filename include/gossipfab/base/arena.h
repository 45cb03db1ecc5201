/* SPDX-License-Identifier: MIT */
/* Memory that is given back all at once. A struct with many arrays takes them one after the other, asks once at the end
 * whether all are there, and has one release in place of a list of frees:
 *
 *     p->from = gfab_arena_zeroed(&p->arena, arcs, sizeof *p->from);
 *     p->to = gfab_arena_zeroed(&p->arena, arcs, sizeof *p->to);
 *     if (p->arena.failed)
 *         return GFAB_ERR_NO_MEMORY; // the release of p gives back what there is
 *
 * Each block is an allocation of its own, so that a sanitizer sees where one ends. */
#ifndef GOSSIPFAB_ARENA_H
#define GOSSIPFAB_ARENA_H

#include <gossipfab/base/linkage.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

GFAB_C_BEGIN

typedef struct gfab_arena {
    struct gfab_arena_block *last;
    bool failed; /* a block could not be had: nothing is given from then on */
} gfab_arena;

/* A block of count times size bytes, all 0, aligned for everything; none of them may be 0 bytes that are written. NULL
 * where memory runs out, the product does not fit, or one before it failed. */
void *gfab_arena_zeroed(gfab_arena *arena, size_t count, size_t size);
/* The same for count * each blocks of that size. */
void *gfab_arena_zeroed2(gfab_arena *arena, size_t count, size_t each, size_t size);
/* Arrays of so many elements each, up to nine, all 0, and NULL as above:
 *
 *     GFAB_ARRAYS(&p->arena, arcs, p->from, p->to); */
#define GFAB_ARRAYS(arena, count, ...) GFAB_ARRAYS_BY(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1)(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_BY(a, b, c, d, e, f, g, h, i, number, ...) GFAB_ARRAYS_##number
#define GFAB_ARRAYS_1(arena, count, a) ((a) = gfab_arena_zeroed(arena, count, sizeof *(a)))
#define GFAB_ARRAYS_2(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_1(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_3(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_2(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_4(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_3(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_5(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_4(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_6(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_5(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_7(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_6(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_8(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_7(arena, count, __VA_ARGS__)
#define GFAB_ARRAYS_9(arena, count, a, ...) GFAB_ARRAYS_1(arena, count, a), GFAB_ARRAYS_8(arena, count, __VA_ARGS__)
/* Gives all blocks back; the arena is empty and has not failed then. */
void gfab_arena_release(gfab_arena *arena);
/* Defines TYPE_release, for GFAB_AT_END(TYPE_release), of a struct whose member `arena` has all that it holds: it is
 * empty from then on. */
#define GFAB_HOLDS_ARENA(type)                    \
    static inline void type##_release(type *held) \
    {                                             \
        gfab_arena_release(&held->arena);         \
        memset(held, 0, sizeof *held);            \
    }

GFAB_C_END
#endif
