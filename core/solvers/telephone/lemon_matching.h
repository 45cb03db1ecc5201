/* SPDX-License-Identifier: MIT */
/* Maximum-weight matchings of general graphs by LEMON, behind a C interface. */
#ifndef GOSSIPFAB_SOLVERS_LEMON_MATCHING_H
#define GOSSIPFAB_SOLVERS_LEMON_MATCHING_H

#include <gossipfab/base/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GFAB_NO_MATE UINT32_MAX
/* Weights are below this: LEMON's dual variables are four times as large. */
#define GFAB_MATCHING_MAX_WEIGHT ((uint64_t)1 << 58)

/* mate[node] of a matching of highest total weight, GFAB_NO_MATE for a node without; links of weight 0 are left out.
 * ends: two nodes a link. The same input gives the same matching. O(nodes * links * log nodes) by LEMON's account.
 * NO_MEMORY. */
gfab_status gfab_lemon_matching(size_t nodes, size_t links, const uint32_t *ends, const uint64_t *weights,
                                uint32_t *mate);

#ifdef __cplusplus
}
#endif
#endif
