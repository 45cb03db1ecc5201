/* SPDX-License-Identifier: MIT */
/* Rings: directed Hamiltonian cycles of a graph that share no arc. What goes along them uses every arc of every ring in
 * every step. docs/theory/rings.md. */
#ifndef GOSSIPFAB_RINGS_H
#define GOSSIPFAB_RINGS_H

#include <gossipfab/base/status.h>
#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

/* Ring i visits node[i * nodes], node[i * nodes + 1], .. in this order, and goes back to the first of them. */
typedef struct gfab_rings {
    uint32_t count;
    uint32_t nodes;
    uint32_t *node;
    const char *how; /* what they come from: "a product of cycles", "search", ..; static */
} gfab_rings;

typedef struct gfab_rings_options {
    bool one_way;                  /* no two rings share a link; else they share no arc */
    uint64_t seed;                 /* of a search; same seed, same rings */
    uint32_t effort;               /* a search works so many times as long; 0: as 1 */
    const gfab_progress *progress; /* may be NULL */
} gfab_rings_options;

/* As many rings as are found: on the families of docs/theory/rings.md as many as there can be, elsewhere what a search
 * finds in some tenths of a second, by work that is counted. On GFAB_OK *rings, of one ring at least, is the caller's,
 * to be released. UNSUPPORTED where none is found, with the reason where there can be none; for relays, weights,
 * directed and parallel links; NO_MEMORY; INTERRUPTED by progress. */
gfab_status gfab_rings_find(const gfab_topology *topology, const gfab_rings_options *options, gfab_rings *rings,
                            gfab_diag *diag);
void gfab_rings_release(gfab_rings *rings);

/* Is each of them a cycle along links that visits every node once, and do no two share an arc, or with one_way a link?
 * FAULT with the place in diag where not; NO_MEMORY. It knows nothing of how rings are found. */
gfab_status gfab_rings_check(const gfab_topology *topology, const gfab_rings *rings, bool one_way, gfab_diag *diag);

GFAB_C_END
#endif
