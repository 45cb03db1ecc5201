/* SPDX-License-Identifier: MIT */
/* CaDiCaL for C. It is C++: where memory runs out it throws, which must not reach C; and its own C interface collects
 * what is learned in memory that it does not look whether it got. */
#ifndef GOSSIPFAB_CADICAL_GUARD_H
#define GOSSIPFAB_CADICAL_GUARD_H

#include <gossipfab/base/status.h>

GFAB_C_BEGIN

typedef struct gfab_cadical gfab_cadical;

/* What a solver calls back, with state; either may be NULL. terminate: not 0 to stop. learn: a literal of a clause that
 * is learned, 0 at its end. */
typedef struct gfab_cadical_watch {
    void *state;
    int (*terminate)(void *state);
    void (*learn)(void *state, int literal);
} gfab_cadical_watch;

/* Each gives NO_MEMORY in place of an exception. After that the solver is not fit for anything, not even for its
 * release, which frees what was never made: its memory is lost. */
gfab_status gfab_cadical_create(const gfab_cadical_watch *watch, gfab_cadical **solver); /* NULL on failure */
gfab_status gfab_cadical_set_option(gfab_cadical *solver, const char *name, int value);
gfab_status gfab_cadical_add(gfab_cadical *solver, int literal);
/* *answer: 10 satisfiable, 20 not, 0 unknown: stopped, or after most_conflicts; below 0: any number. */
gfab_status gfab_cadical_solve(gfab_cadical *solver, int most_conflicts, int *answer);
/* After 10: above 0 where the literal is true. Allocates nothing. */
int gfab_cadical_value(gfab_cadical *solver, int literal);
/* Takes NULL; does nothing where status is NO_MEMORY. */
void gfab_cadical_release(gfab_cadical *solver, gfab_status status);

GFAB_C_END
#endif
