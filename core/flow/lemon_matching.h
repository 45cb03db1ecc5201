/* SPDX-License-Identifier: MIT */
/* Maximum-weight matchings of general graphs by LEMON, behind a C interface. */
#ifndef GOSSIPFAB_LEMON_MATCHING_H
#define GOSSIPFAB_LEMON_MATCHING_H

#include <gossipfab/base/status.h>

#include <stdint.h>

GFAB_C_BEGIN

#define GFAB_NO_MATE UINT32_MAX
/* Weights are below this: LEMON's dual variables are four times as large. */
#define GFAB_MATCHING_MAX_WEIGHT ((uint64_t)1 << 58)

/* What proves that no matching is heavier: each link has at most as much weight as its two nodes and the sets that have
 * both of them in, so that a matching has at most that of all nodes and (size - 1) / 2 times that of each set, all of
 * them of odd sizes. In quarters of the weights' unit. */
typedef struct gfab_matching_dual {
    uint64_t *node; /* [nodes] */
    size_t sets;
    uint64_t *set;    /* [sets] */
    size_t *from;     /* [sets + 1]: where its nodes are */
    uint32_t *member; /* the nodes of all sets */
} gfab_matching_dual;
void gfab_matching_dual_release(gfab_matching_dual *dual);

/* mate[node] of a matching of highest total weight, GFAB_NO_MATE for a node without; links of weight 0 are left out.
 * ends: two nodes a link. The same input gives the same matching. O(nodes * links * log nodes) by LEMON's account.
 * dual, unless NULL, gets the proof, to be released. NO_MEMORY. */
gfab_status gfab_lemon_matching(size_t nodes, size_t links, const uint32_t *ends, const uint64_t *weights,
                                uint32_t *mate, gfab_matching_dual *dual);

GFAB_C_END
#endif
