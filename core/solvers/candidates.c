/* SPDX-License-Identifier: MIT */
/* The table of solvers of gossip, without auto, which chooses among them. */
#include "candidates.h"

#include <string.h>

/* Of two closed forms that promise the same, auto takes the earlier one. torus-tree comes first: its programs
 * are few. */
static const gfab_solver *const table[] = {&gfab_solver_torus_tree,
                                           &gfab_solver_torus_bank,
                                           &gfab_solver_comb,
                                           &gfab_solver_lau_zhang,
                                           &gfab_solver_fujita_yamashita,
                                           &gfab_solver_record,
                                           &gfab_solver_sat,
                                           &gfab_solver_anneal,
                                           &gfab_solver_symmetric,
                                           &gfab_solver_search,
                                           &gfab_solver_colouring,
                                           &gfab_solver_exhaustive,
                                           &gfab_solver_greedy,
                                           &gfab_solver_mesh_telephone,
                                           &gfab_solver_approach1,
                                           &gfab_solver_approach2,
                                           &gfab_solver_circgo,
                                           &gfab_solver_highdimgo,
                                           &gfab_solver_torgo,
                                           &gfab_solver_cubgo,
                                           &gfab_solver_ring,
                                           &gfab_solver_doubling,
                                           &gfab_solver_bruck,
                                           &gfab_solver_neighbour,
                                           &gfab_solver_matching,
                                           &gfab_solver_broadcast};

const gfab_solver *gfab_candidate_at(size_t index)
{
    return index < sizeof table / sizeof *table ? table[index] : NULL;
}

const gfab_solver *gfab_candidate_find(const char *name)
{
    const gfab_solver *solver;
    for (size_t i = 0; (solver = gfab_candidate_at(i)); i++)
        if (!strcmp(solver->name, name))
            return solver;
    return NULL;
}
