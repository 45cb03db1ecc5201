/* SPDX-License-Identifier: MIT */
/* How many spanning trees fit into a graph, as a fraction, and what stands in the way of more; private to core. */
#ifndef GOSSIPFAB_STRENGTH_H
#define GOSSIPFAB_STRENGTH_H

#include <gossipfab/schedule/certificate.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gfab_edge {
    uint32_t node[2];
    uint32_t weight[2]; /* from node[0], and from node[1] */
} gfab_edge;

/* The nodes in parts, numbered from 0 in the order of their lowest nodes. */
typedef struct gfab_parts {
    uint64_t crossing; /* the weights out of all parts: of an edge between two of them both */
    uint32_t count;    /* of parts */
    uint32_t *part;    /* [nodes]: the caller's; of a node behind the members GFAB_NO_PART: none */
} gfab_parts;

/* The partition of the members, nodes 0 .. members - 1, in 2 parts or more with the least crossing / (count - 1). Of
 * the nodes behind them each is in a part where less leaves that with it. Where all are members and weights are the
 * same both ways, half of that are the spanning trees that can be packed, as fractions (Nash-Williams 1961, Tutte
 * 1961). There are 2 members or more, and the graph is connected; loops do not count. NO_MEMORY; INTERRUPTED by
 * progress, which may be NULL; LIMIT where the sum of all weights times the nodes is 2^57 or more. */
gfab_status gfab_strength(size_t members, size_t nodes, const gfab_edge *edges, size_t count,
                          const gfab_progress *progress, gfab_parts *parts);

#endif
