/* SPDX-License-Identifier: MIT */
/* All-to-all: the way that fits the graph; any graph's, if it is not at the bound. */
#include "routes.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

/* Moves of a schedule: one takes some 40 bytes while it is made. */
#define MAX_MOVES ((uint64_t)1 << 25)

/* LIMIT where shortest paths have more links than a schedule may have moves. */
static gfab_status check_moves(const gfab_topology *topology, const gfab_solver_options *options, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *distance = malloc(nodes * sizeof *distance), *work = malloc(nodes * sizeof *work);
    gfab_status status = distance && work ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    uint64_t moves = 0;
    for (uint32_t from = 0; from < nodes && status == GFAB_OK && moves <= MAX_MOVES; from++) {
        gfab_topology_distances(topology, from, distance, work);
        for (size_t to = 0; to < nodes; to++)
            moves += distance[to];
        status = gfab_solver_report(options, "distances", from, nodes);
    }
    if (moves > MAX_MOVES)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "routes: an all-to-all on %s has more than 2^25 moves",
                           gfab_topology_name(topology));
    return status == GFAB_OK || moves > MAX_MOVES ? status
                                                  : gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    static const gfab_solver_build builds[] = {gfab_routes_torus, gfab_routes_halves, gfab_routes_axes,
                                               gfab_routes_graph};
    gfab_bound least;
    *schedule = NULL;
    GFAB_TRY(gfab_solver_applies(&gfab_solver_routes, topology, model, diag));
    GFAB_TRY(gfab_solver_check_options(&gfab_solver_routes, options, diag));
    GFAB_TRY(check_moves(topology, options, diag));
    gfab_status status = gfab_bound_goal_best(topology, model, options->goal, options->progress, &least);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "routes: %s", gfab_status_string(status));
    *schedule = NULL;
    const size_t count = sizeof builds / sizeof *builds;
    for (size_t i = model->port_mode == GFAB_PORT_ONE ? count - 1 : 0; i < count; i++) {
        gfab_schedule *made = NULL;
        if (*schedule && gfab_schedule_rounds(*schedule) <= least.rounds)
            break;
        status = gfab_solver_run(&gfab_solver_routes, builds[i], topology, model, options, &made, diag);
        if (gfab_solver_cut_short(status))
            return GFAB_LEAVE(status, gfab_schedule_destroy, schedule);
        gfab_solver_keep_shorter(made, schedule);
    }
    return *schedule ? GFAB_OK : status;
}

const gfab_solver gfab_solver_routes = {
    .name = "routes",
    .summary = "all-to-all along shortest paths: an open shop on tori, axis by axis on meshes, farthest first on any "
               "graph",
    .source = "gossipfab, docs/theory/all-to-all.md",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_TO_ALL),
    .knows = GFAB_MARK_DIRECTED,
};
