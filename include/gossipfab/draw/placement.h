/* SPDX-License-Identifier: MIT */
/* Where the nodes of a graph stand in a picture, the same on every machine.
 *
 * A path is a row, or several where it is long, one forth, one back; a cycle is a circle. A mesh or torus of two
 * dimensions is a grid; of more, the last two are a grid, and the others number its copies, across and down by turns. A
 * hypercube of 4 bits or more is drawn as the torus that it is, with sides of 4.
 * Any other graph is drawn so that nodes are as far from each other as there are links between them, as well as the
 * plane lets them (stress, lowered by stochastic gradient descent: Zheng, Pawar & Goodman 2018). */
#ifndef GOSSIPFAB_PLACEMENT_H
#define GOSSIPFAB_PLACEMENT_H

#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

#define GFAB_MAX_PLACED_NODES ((size_t)4096)

/* The distance of neighbours in a grid; about that of neighbours elsewhere. */
#define GFAB_PLACEMENT_UNIT 1000

/* A place, or a way to go: x to the right, y down. */
typedef struct gfab_place {
    int32_t x, y;
} gfab_place;

typedef struct gfab_placement {
    gfab_place *nodes; /* by node, from 0 to size */
    gfab_place *stubs; /* by link: 0, 0 for a straight line. Else the link leaves node[0] this way and this far from
                        * what is drawn of the node, reaches node[1] likewise, going on the same way, and is not drawn
                        * between: a torus's way round, and between grids */
    gfab_place size;
} gfab_placement;

/* LIMIT above GFAB_MAX_PLACED_NODES; NO_MEMORY. Then destroy it. */
gfab_status gfab_placement_create(const gfab_topology *topology, gfab_placement **placement, gfab_diag *diag);
void gfab_placement_destroy(gfab_placement *placement);

GFAB_C_END
#endif
