/* SPDX-License-Identifier: MIT */
/* Gossip between the rows of a mesh of two odd sides in strips of two columns and one of three: Beier & Sibeyn, Lemmas
 * 3 and 4. */
#ifndef GOSSIPFAB_SOLVERS_ODD_MESH_H
#define GOSSIPFAB_SOLVERS_ODD_MESH_H

#include "solvers/solvers.h"

typedef struct gfab_odd_mesh {
    const gfab_topology *topology;
    const gfab_solver_options *options;
    size_t columns, rows;             /* odd, 3 or more; one is the other's line in the topology */
    size_t column_stride, row_stride; /* of node numbers */
    /* Nodes of a class know the same, known[start[c]] .. known[start[c + 1] - 1]. With more than three columns the
     * classes are the rows. */
    const uint32_t *class_of, *start, *known;
    gfab_cost before;   /* of what the schedule has already */
    gfab_ratio startup; /* what the cost is compared at */
} gfab_odd_mesh;

/* Appends the strips' rounds to the schedule, if there is a way to do that for less than `limit` in all; NULL: for
 * anything. *found: whether there is. NO_MEMORY, INTERRUPTED. */
gfab_status gfab_odd_mesh_build(const gfab_odd_mesh *mesh, const gfab_cost *limit, gfab_schedule *schedule,
                                bool *found);

#endif
