/* SPDX-License-Identifier: MIT */
/* The best rate with one port, and the matchings that it takes; private to core/. */
#ifndef GOSSIPFAB_PORT_RATE_H
#define GOSSIPFAB_PORT_RATE_H

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/certificate.h>

/* Matchings, each for a share of all rounds. */
typedef struct gfab_port_mix {
    gfab_arena arena;
    size_t links, count;
    bool *uses;    /* [count * links] */
    double *share; /* [count]; their sum is 1 */
} gfab_port_mix;
GFAB_HOLDS_ARENA(gfab_port_mix)
/* share[link]: of all rounds. */
void gfab_port_mix_shares(const gfab_port_mix *mix, double *share);

#define GFAB_PORT_TURNS 48u

/* Steps after which the search has nearly always ended; and so many for a quick one. */
#define GFAB_PORT_STEPS 400u
#define GFAB_PORT_FEW_STEPS 64u

/* Finds the certificate of one port that says most, up to rounding, and matchings by which links carry as much. Of a
 * graph with parallel links, an all-to-all or a barrier UNSUPPORTED. Gives up with UNSUPPORTED, too, where the
 * certificate cannot say more than `known` rounds a block; 0: nothing is known. On GFAB_OK all are the caller's; mix
 * may be NULL, else mix[0] is these matchings, and mix[1] has GFAB_PORT_TURNS of them one after the other, any first of
 * which come near the rate. *tight as gfab_rate. The search ends after so many steps: with what is the best by then.
 * LIMIT where weights are too large; NO_MEMORY; INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_port_rate(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal, double known,
                           uint32_t most_steps, const gfab_progress *progress, gfab_certificate *certificate,
                           bool *tight, gfab_port_mix *mix);

/* Weights of nodes and odd sets for the terms and factors that a certificate has, the least in all. ends: two nodes a
 * link. Changes the factors, all by the same number, so that all are whole. LIMIT where they are too large;
 * NO_MEMORY. */
gfab_status gfab_port_weigh(const gfab_topology *topology, const uint32_t *ends, gfab_port_certificate *ports);

#endif
