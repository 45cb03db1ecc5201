/* SPDX-License-Identifier: MIT */
/* Private: is one graph another one under other numbers? */
#ifndef GOSSIPFAB_ISOMORPHISM_H
#define GOSSIPFAB_ISOMORPHISM_H

#include <gossipfab/topology/topology.h>

typedef enum gfab_isomorphism {
    GFAB_ISOMORPHISM_NONE,
    GFAB_ISOMORPHISM_FOUND,
    GFAB_ISOMORPHISM_OPEN /* none found in GFAB_RECOGNISE_MAX_TRIES */
} gfab_isomorphism;

/* Of two connected graphs with as many nodes and links, fewer than 2^19 nodes. all_alike: any node of `to` turns into
 * any other by a symmetry. image[nodes] is set where FOUND. NO_MEMORY; INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_isomorphism_find(const gfab_topology *from, const gfab_topology *to, bool all_alike,
                                  const gfab_progress *progress, uint32_t *image, gfab_isomorphism *result);

#endif
