/* SPDX-License-Identifier: MIT */
/* What the solvers share, private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_SOLVERS_H
#define GOSSIPFAB_SOLVERS_SOLVERS_H

#include "parameters.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/solvers/solver.h>

/* More nodes than this are refused by every solver: a gossip has N (N - 1) moves. */
#define GFAB_SOLVER_MAX_NODES ((size_t)1 << 14)

extern const gfab_solver gfab_solver_lau_zhang;
extern const gfab_solver gfab_solver_fujita_yamashita;
extern const gfab_solver gfab_solver_greedy;
extern const gfab_solver gfab_solver_search;
extern const gfab_solver gfab_solver_symmetric;
extern const gfab_solver gfab_solver_auto;
extern const gfab_solver gfab_solver_auto_gossip;
extern const gfab_solver gfab_solver_broadcast;
extern const gfab_solver gfab_solver_torus_tree;
extern const gfab_solver gfab_solver_torus_bank;
extern const gfab_solver gfab_solver_comb;
extern const gfab_solver gfab_solver_matching;
extern const gfab_solver gfab_solver_colouring;
extern const gfab_solver gfab_solver_exhaustive;
extern const gfab_solver gfab_solver_approach1;
extern const gfab_solver gfab_solver_approach2;
extern const gfab_solver gfab_solver_circgo;
extern const gfab_solver gfab_solver_ring;
extern const gfab_solver gfab_solver_doubling;
extern const gfab_solver gfab_solver_bruck;
extern const gfab_solver gfab_solver_neighbour;
extern const gfab_solver gfab_solver_highdimgo;
extern const gfab_solver gfab_solver_torgo;
extern const gfab_solver gfab_solver_cubgo;
extern const gfab_solver gfab_solver_mesh_telephone;
extern const gfab_solver gfab_solver_record;
extern const gfab_solver gfab_solver_sat;
extern const gfab_solver gfab_solver_anneal;
extern const gfab_solver gfab_solver_arborescences;
extern const gfab_solver gfab_solver_calls;
extern const gfab_solver gfab_solver_reversed;
extern const gfab_solver gfab_solver_repeated;
extern const gfab_solver gfab_solver_joined;
extern const gfab_solver gfab_solver_routes;
extern const gfab_solver gfab_solver_flood;
extern const gfab_solver gfab_solver_axes;
extern const gfab_solver gfab_solver_bracket;
extern const gfab_solver gfab_solver_library;
extern const gfab_solver gfab_solver_host_tree;
extern const gfab_solver gfab_solver_in_network;
extern const gfab_solver gfab_solver_one_tree;
extern const gfab_solver gfab_solver_out_trees;
extern const gfab_solver gfab_solver_in_out_trees;
extern const gfab_solver gfab_solver_packing;
extern const gfab_solver gfab_solver_part;
extern const gfab_solver gfab_solver_past;
extern const gfab_solver gfab_solver_trees;
extern const gfab_solver gfab_solver_trees_repeat;
extern const gfab_solver gfab_solver_steiner;
extern const gfab_solver gfab_solver_rings;
extern const gfab_solver gfab_solver_waves;
extern const gfab_solver gfab_solver_exchanges;
extern const gfab_solver gfab_solver_turns;
extern const gfab_solver gfab_solver_beam;

/* What a topology is once its sides of 1 are left out. A torus of side 2 has no
 * wrap-around links, so that 2x2 is a square mesh and 2 a path in either kind. */
typedef enum gfab_shape_kind {
    GFAB_SHAPE_OTHER,
    GFAB_SHAPE_PATH,
    GFAB_SHAPE_CYCLE,
    GFAB_SHAPE_SQUARE_MESH,
    GFAB_SHAPE_SQUARE_TORUS,
    GFAB_SHAPE_MESH /* of two sides that differ */
} gfab_shape_kind;

typedef struct gfab_shape {
    gfab_shape_kind kind;
    uint32_t side;  /* nodes in a line: a row, in a mesh of two sides */
    uint32_t lines; /* 1, or rows */
} gfab_shape;

gfab_shape gfab_solver_shape(const gfab_topology *topology);

/* Is the model one of those that GFAB_ONLY_.. names? */
bool gfab_solver_is_for(uint32_t only, const gfab_model *model);

/* Did a call end for want of memory, or because the caller wants to stop? Any other failure of a solver's applies,
 * formula or cost says that it does not take what was asked: the next one may. These two say nothing about it. */
bool gfab_solver_cut_short(gfab_status status);

/* What a schedule costs, as gfab_verify sums it: rounds with a packet, and the tokens of each round's longest one. */
gfab_cost gfab_solver_schedule_cost(const gfab_schedule *schedule);
/* Is a better than b, which may be NULL: cheaper where the options' startup counts, else of fewer rounds? Where links
 * are shared, as past switches, a round costs what the link with most to carry for its weight takes. NO_MEMORY. */
gfab_status gfab_solver_compare(const gfab_schedule *a, const gfab_schedule *b, const gfab_solver_options *options,
                                bool *better);
/* What was made, which may be NULL, takes the place of *best if it is better; the other one is destroyed. NO_MEMORY. */
gfab_status gfab_solver_keep(gfab_schedule *made, const gfab_solver_options *options, gfab_schedule **best,
                             bool *better);

/* The same by rounds alone. */
void gfab_solver_keep_shorter(gfab_schedule *made, gfab_schedule **best);

/* Appends all that a schedule has, or where it repeats its period, to one of perhaps another graph, whose goal is set;
 * arc[] and token[] (NULL: they keep their numbers) say which is which. */
gfab_status gfab_solver_copy_rounds(const gfab_schedule *made, const gfab_arc *arc, const uint32_t *token,
                                    gfab_schedule *schedule);

/* Reports done of total units of what; INTERRUPTED if the caller wants to stop. */
gfab_status gfab_solver_report(const gfab_solver_options *options, const char *what, uint64_t done, uint64_t total);

/* Fills an empty schedule. */
typedef gfab_status (*gfab_solver_build)(const gfab_topology *topology, const gfab_model *model,
                                         const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag);

/* The frame of every solve: checks that solver applies, creates the schedule, has it filled, names it after solver.
 * On failure *schedule is NULL. */
gfab_status gfab_solver_run(const gfab_solver *solver, gfab_solver_build build, const gfab_topology *topology,
                            const gfab_model *model, const gfab_solver_options *options, gfab_schedule **schedule,
                            gfab_diag *diag);
/* Defines the solve of the row gfab_solver_<id>: the frame with its build. */
#define GFAB_SOLVE(solve, id, build)                                                                        \
    static gfab_status solve(const gfab_topology *topology, const gfab_model *model,                        \
                             const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag) \
    {                                                                                                       \
        return gfab_solver_run(&gfab_solver_##id, build, topology, model, options, schedule, diag);         \
    }

#endif
