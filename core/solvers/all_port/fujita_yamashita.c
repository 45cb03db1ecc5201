/* SPDX-License-Identifier: MIT */
/* Solver `fujita-yamashita`: gossip on a square mesh in two phases, as Lau & Zhang 2002 compare themselves with it
 * (their section 1 and table 1). The algorithm is Fujita & Yamashita's; what we have of it are its rounds and its
 * phases, so that the second phase is rebuilt from the time that it takes (below). Both phases run in the machinery of
 * lau_zhang_line.c with other settings: the centre of a line is its end, and phase 2 waits until phase 1 is over. */
#include "lau_zhang.h"

/* Lau & Zhang 2002, section 1 and table 1: n^2/2 + 2n - 3 (n even), n^2/2 + 2n - 5/2 (n odd). Table 1 gives none for
 * n = 2 and 3, but the two phases take just that there, too: 3 and 8. */
static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    const gfab_shape shape = gfab_solver_shape(topology);
    const uint64_t n = shape.side;
    if (!gfab_solver_is_for(GFAB_ONLY_H_STAR, model) || shape.kind != GFAB_SHAPE_SQUARE_MESH)
        return GFAB_ERR_UNSUPPORTED;
    *rounds = (n * n + 4 * n - 5) / 2;
    return GFAB_OK;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    if (gfab_solver_shape(topology).kind != GFAB_SHAPE_SQUARE_MESH)
        return GFAB_REFUSE(diag, "fujita-yamashita is for square meshes, not for %s", gfab_topology_name(topology));
    return GFAB_OK;
}

/* Phase 1 takes n - 1 rounds, and phase 2 starts when it is over. Their path gossip is known here only by its time,
 * which the total gives away: with S tokens in the heaviest line (n^2/2, or (n^2 + 1)/2 for odd n) it is S + n - 2,
 * where Lau & Zhang's needs S + floor(n/2) - 1. S + n - 2 is what gathering at an end of the line takes: every link
 * sends right until all from its left has passed, then left. The last link is so busy for S rounds, and the last
 * token over it has n - 2 links more to go. It is figure 3 with the centre at position n - 1. */
static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t side = gfab_solver_shape(topology).side;
    gfab_lau_zhang_line plan = {.side = side, .grid = true, .centre = side - 1, .phase2_round = side};
    GFAB_TRY(formula(topology, model, &plan.rounds));
    (void)diag;
    return gfab_lau_zhang_line_gossip(topology, &plan, options, schedule);
}

GFAB_SOLVE(solve, fujita_yamashita, build)

const gfab_solver gfab_solver_fujita_yamashita = {
    .name = "fujita-yamashita",
    .summary = "two phases one after the other on square meshes, the baseline (half, all, p = 1)",
    .source = "Fujita & Yamashita, Fast Gossiping on Square Mesh Computers, 1993, as told by Lau & Zhang 2002",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .only = GFAB_ONLY_H_STAR,
};
