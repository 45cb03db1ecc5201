/* SPDX-License-Identifier: MIT */
/* Private to the sources of the matchings layer. */
#ifndef GOSSIPFAB_MATCHINGS_INTERNAL_H
#define GOSSIPFAB_MATCHINGS_INTERNAL_H

#include <gossipfab/telephone/matchings.h>

struct gfab_matchings {
    const gfab_topology *topology;
    size_t nodes;
    size_t count;
    uint32_t *partner; /* [index * nodes + node] */
};

/* Makes room for count matchings without a link. NO_MEMORY. */
gfab_status gfab_matchings_reserve(gfab_matchings *m, size_t count);
/* Puts a link of the topology into a matching. */
void gfab_matchings_put(gfab_matchings *m, size_t index, size_t a, size_t b);
/* Adds to a matching the links that fit beside those it has, lowest first. */
void gfab_matchings_complete(gfab_matchings *m, size_t index);

/* Those of a family; UNSUPPORTED, with nothing reserved, where the topology is of none. NO_MEMORY, LIMIT. */
gfab_status gfab_matchings_natural(gfab_matchings *m, gfab_diag *diag);
/* Star graphs: those, and for each doubling of what has been heard one that depends on the nodes' first symbols.
 * INVALID for other graphs; NO_MEMORY. */
gfab_status gfab_matchings_symbols(gfab_matchings *m, gfab_diag *diag);

const gfab_topology *gfab_matchings_topology(const gfab_matchings *matchings);

#endif
