/* SPDX-License-Identifier: MIT */
/* What the solvers share that look for telephone gossips invariant under a group; private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_TELEPHONE_H
#define GOSSIPFAB_SOLVERS_TELEPHONE_H

#include "solvers/solvers.h"

#include "topology/symmetry.h"

/* An invariant schedule: for each round the link orbits in use. */
typedef struct gfab_rounds {
    uint32_t *orbits; /* round r from 0: orbits[start[r]] .. orbits[start[r + 1] - 1] */
    uint32_t *start;  /* [rounds + 1] */
    uint32_t rounds;
} gfab_rounds;

/* Room for so many rounds of a matching each, no orbits yet; NO_MEMORY. To be released whatever is returned. */
gfab_status gfab_rounds_create(const gfab_symmetry *symmetry, uint32_t rounds, gfab_rounds *made);
void gfab_rounds_release(gfab_rounds *rounds);
/* Fills an empty schedule with what the matchings exchange. */
gfab_status gfab_rounds_write(const gfab_rounds *rounds, const gfab_symmetry *symmetry, gfab_schedule *schedule);

/* For `applies`: UNSUPPORTED unless a packet can hold all that another node lacks. */
gfab_status gfab_telephone_check(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag);

/* The group that the setting symmetry= names, else the one given. UNSUPPORTED where no gossip is invariant
 * under it. As gfab_symmetry_create. */
gfab_status gfab_telephone_symmetry(const gfab_topology *topology, const gfab_solver_options *options,
                                    const char *otherwise, gfab_symmetry *symmetry, gfab_diag *diag);

#endif
