/* SPDX-License-Identifier: MIT */
/* Lower bounds on the rounds of a gossip, each with the argument it rests on. */
#ifndef GOSSIPFAB_BOUND_H
#define GOSSIPFAB_BOUND_H

#include <gossipfab/model.h>
#include <gossipfab/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gfab_bound {
    const char *name;   /* "count", "diameter", "degree", "path", "cut", ...; static */
    uint64_t rounds;
    char argument[320]; /* one sentence with the numbers put in */
    const char *source; /* paper and section, or "folklore"; static */
} gfab_bound;

#define GFAB_MAX_BOUNDS 16

/* All bounds that apply to gossip on topology under model, best (highest)
 * first; at least one applies to every topology and model. *count <= GFAB_MAX_BOUNDS. */
gfab_status gfab_bound_all(const gfab_topology *topology, const gfab_model *model, gfab_bound *bounds, size_t *count);
/* The best of them. */
gfab_status gfab_bound_best(const gfab_topology *topology, const gfab_model *model, gfab_bound *bound);

#ifdef __cplusplus
}
#endif
#endif
