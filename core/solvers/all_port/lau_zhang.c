/* SPDX-License-Identifier: MIT */
/* Solver `lau-zhang`: Lau & Zhang, Fast Gossiping in Square Meshes/Tori with Bounded-Size Packets, 2002, for
 * half-duplex links and one token a packet. This file knows the shapes: which of the paper's algorithms a topology
 * takes, and how many rounds its theorems promise. Paths and square meshes are in lau_zhang_line.c, square tori in
 * lau_zhang_torus.c. The cycle is here, because all of it is one rule: every node sends on what it got last. So a
 * cycle of n nodes takes n - 1 rounds, and the 2 x 2 mesh, a cycle of 4, takes 3. */
#include "lau_zhang.h"

/* Theorems 1 (as its proof and table 1 have it), 2 and 3, section 3.5, and the path and cycle of section 3.2 and 4.1
 * with one token a node. */
static bool shape_rounds(gfab_shape shape, uint64_t *rounds)
{
    const uint64_t n = shape.side;
    switch (shape.kind) {
    case GFAB_SHAPE_PATH:
        *rounds = 3 * n / 2 - 1;
        return true;
    case GFAB_SHAPE_CYCLE:
        *rounds = n - 1;
        return true;
    case GFAB_SHAPE_SQUARE_MESH:
        *rounds = n == 3 ? 6 : (n * n + 2 * n - 1) / 2;
        return true;
    case GFAB_SHAPE_SQUARE_TORUS:
        *rounds = n % 2 ? (n * n + 1) / 2 + 1 : n * n / 2;
        return true;
    case GFAB_SHAPE_MESH:
    case GFAB_SHAPE_OTHER:
        break;
    }
    return false;
}

static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    const bool told = gfab_solver_is_for(GFAB_ONLY_H_STAR, model) && shape_rounds(gfab_solver_shape(topology), rounds);
    return told ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    uint64_t rounds;
    if (!shape_rounds(gfab_solver_shape(topology), &rounds))
        return GFAB_REFUSE(diag, "lau-zhang is for paths, cycles, square meshes and square tori, not for %s",
                           gfab_topology_name(topology));
    return GFAB_OK;
}

/* Every node sends on to its successor what it got last (section 4.1 with one token a node). cycle[] lists the nodes
 * in the order of travel; NULL stands for 0, 1, 2, ... */
static gfab_status cycle_gossip(const gfab_topology *topology, uint32_t length, const uint32_t *cycle, uint64_t rounds,
                                const gfab_solver_options *options, gfab_schedule *schedule)
{
    for (uint32_t round = 1; round < length; round++) {
        for (uint32_t i = 0; i < length; i++) {
            const uint32_t next = (i + 1) % length, origin = (i + length - (round - 1)) % length;
            gfab_arc arc;
            if (!gfab_topology_find_arc(topology, cycle ? cycle[i] : i, cycle ? cycle[next] : next, &arc))
                return GFAB_ERR_INVALID;
            GFAB_TRY(gfab_schedule_append(schedule, round, arc, cycle ? cycle[origin] : origin));
        }
        GFAB_TRY(gfab_solver_report(options, "rounds", round, rounds));
    }
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    static const uint32_t square[4] = {0, 1, 3, 2};
    const gfab_shape shape = gfab_solver_shape(topology);
    uint64_t rounds = 0;
    (void)model;
    (void)diag;
    shape_rounds(shape, &rounds);
    const gfab_lau_zhang_line plan = {.side = shape.side,
                                      .grid = shape.kind == GFAB_SHAPE_SQUARE_MESH,
                                      .centre = shape.side / 2,
                                      .phase2_round = 1,
                                      .rounds = rounds};
    switch (shape.kind) {
    case GFAB_SHAPE_CYCLE:
        return cycle_gossip(topology, shape.side, NULL, rounds, options, schedule);
    case GFAB_SHAPE_SQUARE_TORUS:
        return gfab_lau_zhang_torus(topology, shape.side, rounds, options, schedule);
    case GFAB_SHAPE_SQUARE_MESH:
        if (shape.side == 2) /* section 3.5: a cycle of four nodes */
            return cycle_gossip(topology, 4, square, rounds, options, schedule);
        return gfab_lau_zhang_line_gossip(topology, &plan, options, schedule);
    case GFAB_SHAPE_PATH:
        return gfab_lau_zhang_line_gossip(topology, &plan, options, schedule);
    case GFAB_SHAPE_MESH:
    case GFAB_SHAPE_OTHER:
        break;
    }
    return GFAB_ERR_UNSUPPORTED;
}

GFAB_SOLVE(solve, lau_zhang, build)

const gfab_solver gfab_solver_lau_zhang = {
    .name = "lau-zhang",
    .summary = "two overlapping phases on square meshes, two on tori; paths, cycles (half, all, p = 1)",
    .source = "Lau & Zhang, Fast Gossiping in Square Meshes/Tori with Bounded-Size Packets, 2002, sections 3 and 4",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .only = GFAB_ONLY_H_STAR,
};
