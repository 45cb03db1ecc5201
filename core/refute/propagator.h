/* SPDX-License-Identifier: MIT */
/* Private: clauses, and what follows from them by unit propagation. */
#ifndef GOSSIPFAB_REFUTE_PROPAGATOR_H
#define GOSSIPFAB_REFUTE_PROPAGATOR_H

#include <gossipfab/base/arena.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gfab_watchers {
    size_t *clauses; /* where they start */
    size_t count, room;
} gfab_watchers;

/* All zero but for variables at first. */
typedef struct gfab_propagator {
    int variables;
    int *pool; /* clauses of two literals or more, the first two of which are watched, each ended by 0 */
    size_t length, room;
    gfab_watchers *watching; /* [literal's index] */
    signed char *value;      /* [variable]: 1 true, -1 false, else 0 */
    int *trail;              /* [variables]: true literals; those below fixed follow without assumptions */
    size_t trailed, propagated, fixed;
    bool refuted; /* so does a contradiction */
    bool failed;  /* out of memory */
    gfab_arena arena;
} gfab_propagator;

/* False where memory runs out. */
bool gfab_propagator_open(gfab_propagator *p);
void gfab_propagator_close(gfab_propagator *p);
/* Adds a clause that holds, while there are no assumptions, and what follows from it. Sets failed. */
void gfab_propagator_add(gfab_propagator *p, const int *literals, size_t count);
/* Takes a literal as true, with all that follows: false on a contradiction. To be undone. */
bool gfab_propagator_assume(gfab_propagator *p, int literal);
/* Back to so many true literals (trailed, as it was before an assumption). */
void gfab_propagator_undo(gfab_propagator *p, size_t trailed);
/* Appends to an array; false where memory runs out. */
bool gfab_push_int(int **array, size_t *length, size_t *room, int value);

#endif
