/* SPDX-License-Identifier: MIT */
/* CaDiCaL's calls that may allocate. It is C++: where memory runs out it throws, which must not reach C. */
#ifndef GOSSIPFAB_CADICAL_GUARD_H
#define GOSSIPFAB_CADICAL_GUARD_H

#include <ccadical.h>
#include <gossipfab/base/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each gives NO_MEMORY in place of an exception. After that the solver is not fit for anything, not even for its
 * release, which frees what was never made: its memory is lost. */
gfab_status gfab_cadical_create(CCaDiCaL **solver); /* owned by the caller; NULL on failure */
gfab_status gfab_cadical_set_option(CCaDiCaL *solver, const char *name, int value);
gfab_status gfab_cadical_add(CCaDiCaL *solver, int literal);
/* *answer as ccadical_solve: 10, 20 or 0. After 10 ccadical_val allocates nothing. */
gfab_status gfab_cadical_solve(CCaDiCaL *solver, int *answer);
/* Takes NULL; does nothing where status is NO_MEMORY. */
void gfab_cadical_release(CCaDiCaL *solver, gfab_status status);

#ifdef __cplusplus
}
#endif
#endif
