/* SPDX-License-Identifier: MIT */
/* What every list scheduler keeps: which moves may go in a round, by the resource that they take - an arc, a link - and
 * of each resource the most urgent first. A solver goes through the rounds, and says what a move waits for and whether
 * there is room:
 *
 *     for (move = gfab_ready_due(r, round); move != GFAB_READY_NONE; move = next) {
 *         next = r->next[move];
 *         gfab_ready_push(r, resource[move], key[move], move);
 *     }
 *     while (r->size[resource] > 0 && has_room(resource, round))
 *         go(gfab_ready_pop(r, resource)); // it allows what waited for it: gfab_ready_allow(r, after, round + hop)
 *
 * Private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_READY_H
#define GOSSIPFAB_SOLVERS_READY_H

#include "base/heap.h"

#include <gossipfab/base/arena.h>

#define GFAB_READY_NONE UINT32_MAX

typedef struct gfab_ready {
    gfab_heap_entry *heap; /* [moves]: a heap for each resource; the lowest key is the most urgent */
    size_t *start, *size;  /* [resources + 1]: where a resource's heap is; [resources]: moves in it */
    uint32_t *bucket;      /* [span]: the first move that may go from a round on, by the round modulo that */
    uint32_t *next;        /* [moves]: the next one of its bucket */
    uint32_t resources, span;
} gfab_ready;

/* A move may be allowed hop + 1 rounds ahead at most. Whether there was memory says the arena, which keeps it all. */
void gfab_ready_create(gfab_ready *r, gfab_arena *arena, size_t moves, size_t resources, uint32_t hop);

/* Counts a move of the resource; once all are counted gfab_ready_cut makes room for each in its resource's heap. */
static inline void gfab_ready_count(gfab_ready *r, uint32_t resource)
{
    r->start[resource + 1]++;
}

void gfab_ready_cut(gfab_ready *r);

/* The move joins its bucket: it may go from the round on. */
static inline void gfab_ready_allow(gfab_ready *r, uint32_t move, uint32_t round)
{
    uint32_t *bucket = &r->bucket[round % r->span];
    r->next[move] = *bucket;
    *bucket = move;
}

/* The first of those that may go from this round on, of which there are then no more; the others by next[]. */
static inline uint32_t gfab_ready_due(gfab_ready *r, uint32_t round)
{
    const uint32_t move = r->bucket[round % r->span];
    r->bucket[round % r->span] = GFAB_READY_NONE;
    return move;
}

static inline void gfab_ready_push(gfab_ready *r, uint32_t resource, uint64_t key, uint32_t move)
{
    gfab_heap_push(r->heap + r->start[resource], &r->size[resource], key, move);
}

/* The resource's most urgent move. */
static inline uint32_t gfab_ready_pop(gfab_ready *r, uint32_t resource)
{
    return gfab_heap_pop(r->heap + r->start[resource], &r->size[resource]).item;
}

#endif
