/* SPDX-License-Identifier: MIT */
/* Gossip on a square mesh that stays the same under quarter turns: four nodes then share a program. It is the search of
 * search.c with every move made in all four orientations at once (docs/theory/optimal-gossip.md, Symmetric schedules).
 * */
#include "search_state.h"

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    if (gfab_solver_shape(topology).kind != GFAB_SHAPE_SQUARE_MESH)
        return GFAB_REFUSE(diag, "symmetric is for square meshes, not for %s", gfab_topology_name(topology));
    return gfab_solver_applies(&gfab_solver_search, topology, model, diag);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    return gfab_search_build(topology, model, options, 4, schedule, diag);
}

GFAB_SOLVE(solve, symmetric, build)

/* With an odd side no two nodes read their lanes in the same order, so that each keeps its ROM; with 2 there is nothing
 * to gain. On every even side to 24 the bound is met (test unit.symmetric), on the last in a quarter of a second. */
static bool few_programs(const gfab_topology *topology)
{
    const gfab_shape shape = gfab_solver_shape(topology);
    return shape.kind == GFAB_SHAPE_SQUARE_MESH && shape.side % 2 == 0 && shape.side >= 4 && shape.side <= 24;
}

const gfab_solver gfab_solver_symmetric = {
    .name = "symmetric",
    .summary = "square meshes, the same under quarter turns, so that four nodes share a program; search, no promise",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .only = GFAB_ONLY_H_STAR,
    .few_programs = few_programs,
};
