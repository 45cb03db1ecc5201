/* SPDX-License-Identifier: MIT */
/* Colours for links, no two alike at a node; private to core/. */
#ifndef GOSSIPFAB_EDGE_COLOURING_H
#define GOSSIPFAB_EDGE_COLOURING_H

#include <gossipfab/topology/topology.h>

/* Gives each link a colour, colour[link count], so that no two links of a node have the same: 0 to the highest degree
 * less one, and the highest degree itself on some graphs (Vizing's theorem; Misra & Gries, A constructive proof of
 * Vizing's theorem, 1992). That one more is never used on a bipartite graph, a mesh, or a torus with an even number of
 * nodes. In meshes and tori the colours go by axis: the last axis has 0 and 1. GFAB_ERR_NO_MEMORY. */
gfab_status gfab_edge_colour(const gfab_topology *topology, uint32_t *colour);

#endif
