/* SPDX-License-Identifier: MIT */
/* What lau-zhang and fujita-yamashita share; private to core/solvers/all_port. */
#ifndef GOSSIPFAB_SOLVERS_LAU_ZHANG_H
#define GOSSIPFAB_SOLVERS_LAU_ZHANG_H

#include "solvers/solvers.h"

/* The gossip of Lau & Zhang 2002, figures 1 and 3, on a path (grid false) or a square mesh (grid true). */
typedef struct gfab_lau_zhang_line {
    uint32_t side;         /* nodes in a line, >= 2 */
    bool grid;             /* a side x side mesh in two phases; else a path in phase 2 alone */
    uint32_t centre;       /* position of the centre node: links towards it are preferred */
    uint32_t phase2_round; /* the first round in which phase 2 may use a link */
    uint64_t rounds;       /* expected, for progress */
} gfab_lau_zhang_line;

gfab_status gfab_lau_zhang_line_gossip(const gfab_topology *topology, const gfab_lau_zhang_line *line,
                                       const gfab_solver_options *options, gfab_schedule *schedule);

/* Lau & Zhang 2002, section 4, on a square torus of side >= 3. */
gfab_status gfab_lau_zhang_torus(const gfab_topology *topology, uint32_t side, uint64_t rounds,
                                 const gfab_solver_options *options, gfab_schedule *schedule);

#endif
