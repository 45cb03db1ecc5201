/* SPDX-License-Identifier: MIT */
/* What a user finds by name: auto, then all that it chooses among, gossip first; and what became of names that earlier
 * versions had. */
#include "candidates.h"
#include "collective/collectives.h"

#include <string.h>

const gfab_solver *gfab_solver_at(size_t index)
{
    size_t gossips = 0;
    if (index == 0)
        return &gfab_solver_auto;
    while (gossips < index && gfab_candidate_at(gossips))
        gossips++;
    if (index - 1 < gossips)
        return gfab_candidate_at(index - 1);
    static const gfab_solver *const last[] = {&gfab_solver_part, &gfab_solver_past};
    size_t made = 0;
    index -= 1 + gossips;
    while (made < index && gfab_collective_at(made))
        made++;
    const gfab_solver *solver = gfab_collective_at(made);
    return solver ? solver : index - made < sizeof last / sizeof *last ? last[index - made] : NULL;
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

gfab_status gfab_solver_for_fabric(const gfab_topology *topology, const gfab_model *model, bool wide,
                                   const gfab_solver **solver)
{
    for (size_t i = 0; (*solver = gfab_solver_at(i)); i++) {
        const gfab_solver *one = *solver;
        if (wide ? !one->few_banks : !one->few_programs || !one->few_programs(topology))
            continue;
        const gfab_status status = gfab_solver_applies(one, topology, model, NULL);
        if (status == GFAB_OK || gfab_solver_cut_short(status))
            return status;
    }
    return GFAB_OK;
}
