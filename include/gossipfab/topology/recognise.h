/* SPDX-License-Identifier: MIT */
/* Graphs in disguise: a graph that is a mesh, a torus or one of the families of gfab_topology_family_at, but under
 * other numbers. docs/reference/recognition.md. */
#ifndef GOSSIPFAB_RECOGNISE_H
#define GOSSIPFAB_RECOGNISE_H

#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

/* Larger graphs are not looked at, nor more names of one graph taken down, nor more ways tried to lay a graph on a
 * family's. */
#define GFAB_RECOGNISE_MAX_NODES ((size_t)1 << 14)
#define GFAB_RECOGNISE_MAX_NAMES 8
#define GFAB_RECOGNISE_MAX_TRIES 64

/* What a graph is. */
typedef struct gfab_likeness {
    gfab_topology *topology; /* of a family */
    uint32_t *image;         /* [nodes]: which of its nodes each node of the graph is */
} gfab_likeness;

typedef struct gfab_recognition {
    gfab_likeness at[GFAB_RECOGNISE_MAX_NAMES]; /* more than one where families share a graph: hypercube:4, torus:4x4 */
    size_t count;
    bool gave_up; /* none was found, and not all were ruled out within GFAB_RECOGNISE_MAX_NODES and _TRIES */
} gfab_recognition;

/* Looks for the topology among the meshes, tori and families with as many nodes; random graphs aside. Only a graph
 * given by its links, graph:... or file:..., or left by +drop-..., is looked at: any other has its name. The same
 * input, the same result. On GFAB_OK to be released. NO_MEMORY; INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_topology_recognise(const gfab_topology *topology, const gfab_progress *progress,
                                    gfab_recognition *recognition);
/* Leaves it empty. */
void gfab_recognition_release(gfab_recognition *recognition);

/* Does image, of as many nodes as from has, turn from into to: each node into another one, links into links, and no
 * link left over? NO_MEMORY. */
gfab_status gfab_topology_is_image(const gfab_topology *from, const gfab_topology *to, const uint32_t *image,
                                   bool *is_image);

GFAB_C_END
#endif
