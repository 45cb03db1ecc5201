/* SPDX-License-Identifier: MIT */
/* All-to-all: four ways to make it, and what they share; private to core/solvers/collective.
 * docs/theory/all-to-all.md has the proofs. */
#ifndef GOSSIPFAB_SOLVERS_ROUTES_H
#define GOSSIPFAB_SOLVERS_ROUTES_H

#include "solvers/solvers.h"

/* A solver's build functions (gfab_solver_build): UNSUPPORTED where the topology is none for it. */
gfab_status gfab_routes_torus(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag);
gfab_status gfab_routes_halves(const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag);
gfab_status gfab_routes_axes(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_schedule *schedule, gfab_diag *diag);
gfab_status gfab_routes_graph(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag);

/* The path of every block, arc after arc, and what is urgent: of the blocks that wait for an arc the one with the
 * lowest rank goes first, of equals the one with the lowest number. */
typedef struct gfab_routes {
    size_t blocks;
    size_t *start;  /* [blocks + 1]: where a block's path starts in arcs */
    gfab_arc *arcs; /* [start[blocks]] */
    uint32_t *rank; /* [start[blocks]]: the block's when it waits for that arc */
} gfab_routes;

/* Room for paths whose start is already filled in: arcs and rank. NO_MEMORY. */
gfab_status gfab_routes_reserve(gfab_routes *routes);
void gfab_routes_release(gfab_routes *routes);

/* Round by round each arc takes the most urgent block that waits for it; the two arcs of a half-duplex link have odd
 * and even rounds, and one that has nothing to send leaves its round to the other. *rounds is how many that takes;
 * schedule, which may be NULL, gets the moves. */
gfab_status gfab_routes_list(const gfab_topology *topology, const gfab_model *model, const gfab_routes *routes,
                             const gfab_solver_options *options, uint32_t *rounds, gfab_schedule *schedule);

#endif
