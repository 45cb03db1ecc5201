/* SPDX-License-Identifier: MIT */
/* A graph without its switches; private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_OUT_MEMBERS_H
#define GOSSIPFAB_SOLVERS_OUT_MEMBERS_H

#include "out_trees.h"

/* Arcs of the topology past switches, arcs[first ..], which carry `share` packets a round of what goes over an arc; in
 * one turn, where rounds take turns. */
typedef struct gfab_out_path {
    uint32_t share, length, turn;
    size_t first;
} gfab_out_path;

typedef struct gfab_out_members {
    gfab_arena arena;
    gfab_topology *topology; /* the nodes that store, in their order, so that members keep their ranks */
    size_t *first;           /* [arcs + 1] of its arcs' paths; their shares are its weight together, or more */
    gfab_out_path *paths;
    gfab_arc *arcs;
    gfab_out_turns turns; /* weight NULL: the graph's weights are those of every round; else their sum in so many, and
                           * where that is nothing 1 */
} gfab_out_members;

/* The graph for options->goal: it has the topology's best rate where that could be kept, in at most so many turns; 0:
 * in none, with all weights. Half duplex: rounds take turns always, and UNSUPPORTED where none were found. To be
 * released, after an error too. INVALID where it is not connected; LIMIT; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_members_create(const gfab_topology *topology, const gfab_model *model, uint32_t most_turns,
                                    const gfab_solver_options *options, gfab_out_members *members, gfab_diag *diag);
/* What arcs carry in each turn, counted by their paths. NO_MEMORY. */
gfab_status gfab_out_weigh_turns(gfab_out_members *members);
/* Gives each path, of a unit, its turn, so that no arc of the topology carries more than its weight in any, and counts
 * what arcs carry in each turn. FAULT where none was found; NO_MEMORY. */
gfab_status gfab_out_take_turns(const gfab_topology *topology, gfab_out_members *members);
void gfab_out_members_release(gfab_out_members *members);

#endif
