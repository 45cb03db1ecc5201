/* SPDX-License-Identifier: MIT */
/* How many spanning trees fit into a graph, as a fraction, and what stands in the way of more; private to core. */
#ifndef GOSSIPFAB_STRENGTH_H
#define GOSSIPFAB_STRENGTH_H

#include <gossipfab/base/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gfab_edge {
    uint32_t node[2];
    uint32_t weight; /* >= 1 */
} gfab_edge;

/* The nodes in parts, numbered from 0 in the order of their lowest nodes. */
typedef struct gfab_parts {
    uint64_t crossing; /* the weights of all edges between parts */
    uint32_t count;    /* of parts */
    uint32_t *part;    /* [nodes]: the caller's */
} gfab_parts;

/* The partition of 2 parts or more with the least crossing / (count - 1): so many spanning trees can be packed, as
 * fractions, and no more (Nash-Williams 1961, Tutte 1961). The graph has 2 nodes or more and is connected; loops do not
 * count. NO_MEMORY; INTERRUPTED by progress, which may be NULL; LIMIT where the sum of all weights times the nodes is
 * 2^57 or more. */
gfab_status gfab_strength(size_t nodes, const gfab_edge *edges, size_t count, const gfab_progress *progress,
                          gfab_parts *parts);

#endif
