/* SPDX-License-Identifier: MIT */
/* Spanning trees that share the edges of a graph; private to core/solvers. */
#ifndef GOSSIPFAB_FOREST_H
#define GOSSIPFAB_FOREST_H

#include "images.h"

#include <gossipfab/base/arena.h>

#define GFAB_FOREST_NONE UINT32_MAX

/* So many trees on the nodes of a graph, each with a root; the edges of a class are together in no more trees than the
 * class has room for. */
typedef struct gfab_forest {
    const gfab_topology *topology;
    const gfab_images *images;
    uint32_t nodes, edges, trees;
    uint32_t missing; /* edges that the trees lack; 0: each spans the graph */
    uint32_t *end;    /* [2 * edges]: the ends of an edge */
    uint32_t *left;   /* [classes]: how many more times a tree may have an edge of it */
    uint32_t *root;   /* [trees] */
    uint32_t *up;     /* [trees * nodes]: the edge towards the root; NONE for a root, or a node not in the tree */
    uint32_t *depth;  /* [trees * nodes]: edges to the root, or to the highest node of its part of the tree */
    bool *has;        /* [trees * edges] */
    uint32_t *queue;  /* [edges + nodes]: scratch */
    uint32_t *mark;   /* [edges + nodes]: scratch */
    uint32_t *from;   /* [edges]: scratch */
    uint32_t *out;    /* [edges]: scratch */
    uint32_t *old;    /* [4 * nodes]: scratch */
    uint64_t random;
    gfab_arena arena;
} gfab_forest;

/* So many trees without an edge, each with a root among the middle nodes of the graph, by turns. room[class] is how
 * many edges of a class the trees may have, each tree counted. To be released, after an error too. NO_MEMORY. */
gfab_status gfab_forest_create(const gfab_images *images, uint32_t trees, const uint32_t *room, uint64_t seed,
                               gfab_forest *forest);
GFAB_HOLDS_ARENA(gfab_forest)

/* Grows all trees from their roots, layer by layer, over the edges that have most room left. */
void gfab_forest_grow(gfab_forest *forest);
/* Adds an edge to a tree, others changing places where that is needed. False where that is impossible: so many spanning
 * trees do not fit, or not so that all their images do. */
bool gfab_forest_augment(gfab_forest *forest);
/* Parents and depths of a tree anew, from the edges that it has: from its root, then from the lowest node of each part
 * that is not joined to it. */
void gfab_forest_hang(gfab_forest *forest, uint32_t tree);
/* Makes trees that span the graph flatter, by so many tries of exchanging edges. */
void gfab_forest_flatten(gfab_forest *forest, uint64_t tries);
/* Puts each root in the middle of its tree. */
void gfab_forest_centre(gfab_forest *forest);
/* Takes relays that are leaves out of trees that span the graph: they are of no use there. `missing` stays 0. */
void gfab_forest_prune(gfab_forest *forest);

static inline uint32_t *gfab_forest_left(const gfab_forest *forest, uint32_t edge)
{
    return &forest->left[forest->images->link_class[edge]];
}

static inline uint32_t gfab_forest_other(const gfab_forest *forest, uint32_t edge, uint32_t node)
{
    return forest->end[2 * edge] ^ forest->end[2 * edge + 1] ^ node;
}

#endif
