/* SPDX-License-Identifier: MIT */
/* The table of the solvers of collectives other than gossip. A new one is a row here, and its place in the table
 * counts. */
#include "collectives.h"

/* Of two schedules of as many rounds auto takes that of the earlier one; the quickest come first. */
static const gfab_solver *const table[] = {
    &gfab_solver_reversed,     &gfab_solver_repeated,     &gfab_solver_flood,     &gfab_solver_routes,
    &gfab_solver_waves,        &gfab_solver_exchanges,    &gfab_solver_axes,      &gfab_solver_arborescences,
    &gfab_solver_trees_repeat, &gfab_solver_rings,        &gfab_solver_out_trees, &gfab_solver_packing,
    &gfab_solver_joined,       &gfab_solver_in_out_trees, &gfab_solver_one_tree,  &gfab_solver_turns,
    &gfab_solver_trees,        &gfab_solver_beam,         &gfab_solver_calls,     &gfab_solver_library,
    &gfab_solver_steiner,      &gfab_solver_bracket,      &gfab_solver_host_tree, &gfab_solver_in_network};

const gfab_solver *gfab_collective_at(size_t index)
{
    return index < sizeof table / sizeof *table ? table[index] : NULL;
}
