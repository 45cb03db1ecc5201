/* SPDX-License-Identifier: MIT */
/* What a user finds by name: auto, then all that it chooses among; and what became of names that earlier versions had.
 */
#include "candidates.h"

#include <string.h>

const gfab_solver *gfab_solver_at(size_t index)
{
    return index == 0 ? &gfab_solver_auto : gfab_candidate_at(index - 1);
}

const gfab_solver *gfab_solver_find(const char *name)
{
    const gfab_solver *solver;
    for (size_t i = 0; (solver = gfab_solver_at(i)); i++)
        if (!strcmp(solver->name, name))
            return solver;
    return NULL;
}

const char *gfab_solver_successor(const char *name)
{
    static const struct {
        const char *former, *now;
    } table[] = {{"best", "auto"}, {"beam", "anneal"}, {"beier-sibeyn", "mesh-telephone"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].former, name))
            return table[i].now;
    return NULL;
}

gfab_status gfab_solver_for_banks(const gfab_topology *topology, const gfab_model *model, const gfab_solver **solver)
{
    for (size_t i = 0; (*solver = gfab_solver_at(i)); i++) {
        const gfab_status status = (*solver)->few_banks ? (*solver)->applies(topology, model, NULL) : GFAB_OK;
        if (gfab_solver_cut_short(status))
            return status;
        if ((*solver)->few_banks && status == GFAB_OK)
            break;
    }
    return GFAB_OK;
}
