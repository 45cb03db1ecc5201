/* SPDX-License-Identifier: MIT */
/* Colours for links, no two alike at a node; private to core/. */
#ifndef GOSSIPFAB_EDGE_COLOURING_H
#define GOSSIPFAB_EDGE_COLOURING_H

#include <gossipfab/base/arena.h>
#include <gossipfab/topology/topology.h>

/* at[node * (degree + 1) + colour] is the node's link of that colour, or GFAB_NO_COLOUR. */
typedef struct gfab_edge_colouring {
    const gfab_topology *topology;
    uint32_t degree; /* the highest of a node */
    uint32_t *at;
    uint32_t *colour; /* by link; GFAB_NO_COLOUR: not yet coloured */
    uint32_t *fan;    /* scratch, degree links */
    gfab_arena arena;
} gfab_edge_colouring;
GFAB_HOLDS_ARENA(gfab_edge_colouring)

#define GFAB_NO_COLOUR UINT32_MAX

/* Gives each link a colour, so that no two links of a node have the same: 0 to the highest degree less one, and the
 * highest degree itself on some graphs (Vizing's theorem; Misra & Gries, A constructive proof of Vizing's theorem,
 * 1992). That one more is never used on a bipartite graph, a mesh, or a torus with an even number of nodes. In meshes
 * and tori the colours go by axis: the last axis has 0 and 1. GFAB_ERR_NO_MEMORY; to be released in any case. */
gfab_status gfab_edge_colour(const gfab_topology *topology, gfab_edge_colouring *c);

static inline uint32_t *gfab_edge_at(const gfab_edge_colouring *c, uint32_t node, uint32_t colour)
{
    return &c->at[(size_t)node * (c->degree + 1) + colour];
}

static inline bool gfab_edge_is_free(const gfab_edge_colouring *c, uint32_t node, uint32_t colour)
{
    return *gfab_edge_at(c, node, colour) == GFAB_NO_COLOUR;
}

static inline uint32_t gfab_edge_end(const gfab_edge_colouring *c, uint32_t link, uint32_t node)
{
    const gfab_link ends = gfab_topology_link(c->topology, link);
    return ends.node[ends.node[0] == node];
}

#endif
