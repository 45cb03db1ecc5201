/* SPDX-License-Identifier: MIT */
/* Private to the sources of the colouring layer. */
#ifndef GOSSIPFAB_COLOURING_INTERNAL_H
#define GOSSIPFAB_COLOURING_INTERNAL_H

#include <gossipfab/telephone/matchings.h>

/* Tokens whose spread stands for that of all: one of each orbit of nodes under the permutations that keep every
 * matching (the lowest of it); all nodes where there are many orbits. origin has room for all nodes. UNSUPPORTED where
 * the matchings together do not connect all nodes; NO_MEMORY. */
gfab_status gfab_matchings_origins(const gfab_matchings *matchings, uint32_t *origin, size_t *count);

#endif
