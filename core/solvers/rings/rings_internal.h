/* SPDX-License-Identifier: MIT */
/* How rings are found; private to core/solvers/rings. */
#ifndef GOSSIPFAB_RINGS_INTERNAL_H
#define GOSSIPFAB_RINGS_INTERNAL_H

#include <gossipfab/base/arena.h>
#include <gossipfab/topology/rings.h>

#define GFAB_RINGS_NONE UINT32_MAX

/* Room for so many rings of so many nodes. */
gfab_status gfab_rings_create(uint32_t count, uint32_t nodes, gfab_rings *rings);

/* ---- by formula: cycles, each of which can be gone along both ways ---- */

/* Of the product of `axes` cycles of these sides, 3 or more, as many; nodes are row-major, the last axis fastest. */
gfab_status gfab_rings_product(const uint32_t *sides, size_t axes, const gfab_rings_options *options,
                               gfab_rings *rings);
/* Of a torus of any sides: those of 2 are taken two by two as a cycle of 4, and a last one makes no ring more. */
gfab_status gfab_rings_torus(const uint32_t *sides, size_t axes, const gfab_rings_options *options, gfab_rings *rings);
/* The one of a mesh of these sides, whose product is even; two of them at least are above 1. */
gfab_status gfab_rings_mesh(const uint32_t *sides, size_t axes, gfab_rings *rings);
/* The two of a torus of so many rows and columns, whose columns close `twist` columns farther; none where they are not
 * found in time. */
gfab_status gfab_rings_twisted(uint32_t rows, uint32_t columns, uint32_t twist, const gfab_rings_options *options,
                               gfab_rings *rings);
/* Of a circulant of these steps, rising, each below nodes / 2, as many; none where they are not found in time. */
gfab_status gfab_rings_circulant(uint32_t nodes, const uint32_t *steps, uint32_t count,
                                 const gfab_rings_options *options, gfab_rings *rings);
/* (n - 1) / 2 of the complete graph of n >= 3 nodes, rounded down. */
gfab_status gfab_rings_complete(uint32_t nodes, gfab_rings *rings);

/* ---- by switches ---- */

/* Edges in colours, each a factor: every node has two edges of the colour, or directed one that leaves and one that
 * enters. Edges of the colour `count` are spare. Directed, node v is spot v where edges leave, nodes + v where they
 * enter, so that every edge joins two spots in either kind, and a spot has one edge of a colour then, not two. */
typedef struct gfab_ring_factors {
    uint32_t nodes, spots, count, edges;
    bool directed;
    uint32_t *end;    /* [2 * edge]: where it leaves, and the other end */
    uint32_t *colour; /* [edge] */
    uint32_t *at;     /* [2 * (colour * spots + spot)]: its edges; NONE behind the last */
    uint32_t *first;  /* [spots + 1]: into .. */
    uint32_t *around; /* edges at a spot */
    uint32_t *cycles; /* [colour] */
    uint32_t *cycle;  /* [colour * nodes + node]: which of the colour's, by its lowest node, .. */
    uint32_t *place;  /* .. and where on it */
    uint64_t work;    /* nodes that were counted, trails that were looked at */
    gfab_arena arena;
} gfab_ring_factors;

/* Edges and spots without colours: all are spare. Takes end[2 * edges] over, also where it fails. */
gfab_status gfab_ring_factors_create(uint32_t nodes, uint32_t count, bool directed, uint32_t *end, uint32_t edges,
                                     gfab_ring_factors *factors);
void gfab_ring_factors_release(gfab_ring_factors *factors);
/* An edge gets another colour, which its two spots have room for. */
void gfab_ring_factors_paint(gfab_ring_factors *factors, uint32_t edge, uint32_t colour);
/* The cycles of a colour that every spot has. */
void gfab_ring_factors_count(gfab_ring_factors *factors, uint32_t colour);

/* Exchanges edges between factors until each is one cycle, or until so much work is done: *all says which. */
gfab_status gfab_ring_switches(gfab_ring_factors *factors, uint64_t most_work, const gfab_rings_options *options,
                               bool *all);
/* Of `count` factors of so many undirected edges each, one after the other in end, which is taken over, the rings that
 * switches make of them; none where that takes more work. */
gfab_status gfab_rings_of_factors(uint32_t nodes, uint32_t count, uint32_t *end, uint64_t most_work,
                                  const gfab_rings_options *options, gfab_rings *rings);
/* The cycles, where each factor is one. */
gfab_status gfab_ring_factors_rings(const gfab_ring_factors *factors, gfab_rings *rings);

/* So many rings of any graph; rings->count is 0 where they are not found. Directed: no two need be opposite. */
gfab_status gfab_rings_search(const gfab_topology *topology, uint32_t count, bool directed,
                              const gfab_rings_options *options, gfab_rings *rings);

#endif
