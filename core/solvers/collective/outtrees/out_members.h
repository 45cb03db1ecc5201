/* SPDX-License-Identifier: MIT */
/* A graph without its switches; private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_OUT_MEMBERS_H
#define GOSSIPFAB_SOLVERS_OUT_MEMBERS_H

#include <gossipfab/solvers/solver.h>

/* Arcs of the topology past switches, arcs[first ..], which carry `share` packets a round of what goes over an arc. */
typedef struct gfab_out_path {
    uint32_t share, length;
    size_t first;
} gfab_out_path;

typedef struct gfab_out_members {
    gfab_topology *topology; /* the nodes that store, in their order, so that members keep their ranks */
    size_t *first;           /* [arcs + 1] of its arcs' paths; their shares are its weight together, or more */
    gfab_out_path *paths;
    gfab_arc *arcs;
} gfab_out_members;

/* The graph for a goal, full duplex: it has the topology's best rate where that could be kept. To be released, after an
 * error too. INVALID where it is not connected; LIMIT; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_members_create(const gfab_topology *topology, const gfab_goal *goal,
                                    const gfab_solver_options *options, gfab_out_members *members, gfab_diag *diag);
void gfab_out_members_release(gfab_out_members *members);

#endif
