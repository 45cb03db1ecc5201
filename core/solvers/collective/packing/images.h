/* SPDX-License-Identifier: MIT */
/* Symmetries of a graph under which all images of a tree share its links evenly; private to core/solvers. */
#ifndef GOSSIPFAB_IMAGES_H
#define GOSSIPFAB_IMAGES_H

#include <gossipfab/base/arena.h>
#include <gossipfab/base/status.h>
#include <gossipfab/topology/topology.h>
#include <stddef.h>

/* A group of symmetries. Links that are images of each other are one class, and so are arcs. No symmetry but the first
 * leaves a resource where it is (an arc in full duplex, a link in half duplex), so that of all images of a move every
 * resource of its class has one. */
typedef struct gfab_images {
    const gfab_topology *topology;
    uint32_t nodes, links;
    uint32_t count;       /* of symmetries; the first leaves every node where it is */
    uint32_t *node;       /* [count * nodes]: the image of a node */
    uint32_t *link_class; /* [links]: numbered by their lowest links */
    uint32_t *arc_class;  /* [2 * links] */
    uint32_t link_classes, arc_classes;
    uint32_t *list, *from; /* [links], [link_classes + 1]: the links of a class */
    gfab_arena arena;
} gfab_images;

/* The largest group that is known for the graph and has no more symmetries than that: 1 is the one that every graph
 * has. To be released, after an error too. NO_MEMORY. */
gfab_status gfab_images_create(const gfab_topology *topology, bool full, uint32_t most, gfab_images *images);
GFAB_HOLDS_ARENA(gfab_images)

/* Where a symmetry takes an arc. */
gfab_arc gfab_images_arc(const gfab_images *images, uint32_t symmetry, gfab_arc arc);

#endif
