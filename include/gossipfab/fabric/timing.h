/* SPDX-License-Identifier: MIT */
/* Cycles: how long rounds, hops and drains of a fabric are. Law and proofs: docs/reference/fabric-timing.md. */
#ifndef GOSSIPFAB_TIMING_H
#define GOSSIPFAB_TIMING_H

#include <gossipfab/fabric/layout.h>

GFAB_C_BEGIN

/* The timing of a fabric for a token width and a link width. */
typedef struct gfab_timing {
    uint32_t lanes;            /* K */
    uint32_t token_bits;       /* W */
    uint32_t parts;            /* P */
    uint32_t part_bits;        /* W / P */
    uint32_t link_bits;        /* L */
    uint32_t token_flits;      /* of a part: W / (P L) */
    uint32_t words;            /* words of K flits a part takes in the store, padding included: F / K, >= 2 */
    uint32_t word_bits;        /* K * L */
    uint32_t cycles_per_round; /* F: W / (P L) rounded up to a multiple of K, at least 2 K */
    uint32_t direct;           /* 1 where words == 2: the store's output drives the link without a register between */
    uint32_t skewed;           /* 1 where some node has a skew */
    uint32_t registered;       /* 1 where what came in waits a cycle before it is written: F >= 2 K + 2 + l + skewed; of
                                * wide nodes: before it is combined by sum, and, or, xor, in place of before its link */
    uint32_t overhead_cycles;  /* c: a gossip of R rounds without gaps takes R * F + c cycles */
    uint32_t latency_cycles;   /* l: registers on every link, each direction; 0 .. GFAB_MAX_LATENCY */
    uint32_t paths;            /* 1 where nodes pass flits on */
    uint32_t wires;      /* 2 where a link has a set of wires for each direction (full duplex, or l > 0), else 1 */
    uint32_t wide;       /* 1: a wide fabric: words are single flits, F = W / L, lanes take no turns */
    uint32_t hop_rounds; /* a token received in round t can be sent from round t + hop_rounds on; 1 unless wide */
    uint32_t merges;     /* A: chained operators: most contributions that a node adds to what it has of a block in a
                          * round, and modules in a bank's chain; else 0 */
    uint32_t operator_cycles; /* D, latency of each of them */
} gfab_timing;

#define GFAB_MAX_LATENCY 15u
#define GFAB_MAX_OPERATOR_CYCLES 15u
#define GFAB_BFLOAT16_BITS 16u

typedef struct gfab_timing_options {
    uint32_t token_bits;      /* W */
    uint32_t link_bits;       /* L */
    uint32_t latency_cycles;  /* l: registers on every link */
    uint32_t hop_rounds;      /* wide nodes: rounds that a hop may take at most; 0: the timing chooses. Else ignored */
    uint32_t merges;          /* A, of a chained operator: 1 to the lanes; 0: as many as there are lanes */
    uint32_t operator_cycles; /* D, likewise: 0 .. GFAB_MAX_OPERATOR_CYCLES; 0 of any other operator */
} gfab_timing_options;

/* Narrow nodes: c = max(2, K + (1 - direct) + skewed + l + registered). With l > 0 a round is longer where that is what
 * it takes for a token of one round to be there in the next, F >= 2 K + 1 + l + skewed.
 * Wide ones: a hop takes 2 + l cycles, or 3 + l with a register between store and link, or link and operator, for a
 * faster clock: that where hop_rounds rounds allow it. hop_rounds 0 chooses: with the register where both ends of a
 * link share its wires, so that the clock does not pay for joining them, and where it costs no round. F = W / L, c =
 * max(2, 2 - direct + registered + l).
 * A chained operator adds A D cycles to the hop and to c; with D > 0 a round is as long as a hop at least, so that
 * hop_rounds is 1.
 * INVALID unless the layout's parts divide token_bits >= 1 and link_bits >= 1 divides a part, where GFAB_BFLOAT16_BITS
 * does not divide link_bits for that operator, and for merges or operator_cycles that the layout's operator does not
 * have; LIMIT where token_bits > 4096, link_bits > 1024, latency_cycles > GFAB_MAX_LATENCY or operator_cycles >
 * GFAB_MAX_OPERATOR_CYCLES; UNSUPPORTED with paths where K = 1, and where a hop takes more than hop_rounds rounds. */
gfab_status gfab_timing_compute(const gfab_layout *layout, const gfab_timing_options *options, gfab_timing *timing,
                                gfab_diag *diag);
/* The same for a layout with these options (NULL: the default), which is not kept. Errors: also the layout's. */
gfab_status gfab_timing_of(const gfab_topology *topology, const gfab_layout_options *layout_options,
                           const gfab_timing_options *options, gfab_timing *timing, gfab_diag *diag);

/* With paths: how long the gap after a round must be at least whose longest path has so many links (>= 1), for all
 * that it sent to be written when the next begins: 2 K - 3 + x + links (1 + l), where x = 1 - direct. */
uint64_t gfab_timing_drain_cycles(const gfab_timing *timing, size_t links);
/* What a lane of a node that passes flits on is set to for a round; docs/reference/rom-format.md, "Paths". */
typedef struct gfab_path {
    uint32_t source; /* what the lane puts out: 0 what it sends itself; 1 + a what comes in on lane a */
    uint32_t tap;    /* cycles by which what comes in is delayed, 0 .. K - 1 */
    uint32_t wait;   /* turns to write that pass before the first word of it */
} gfab_path;

/* With paths: how lane `to` of the last node must be set for what lane `from` of the first one sends over a path of so
 * many links (>= 1). Law: docs/reference/fabric-timing.md, "Paths". source is 0. */
gfab_path gfab_path_over(const gfab_timing *timing, uint32_t from, uint32_t to, size_t links);
/* A D: cycles from where what arrives meets what a bank has to where the result is written. */
uint32_t gfab_timing_combine_cycles(const gfab_timing *timing);
/* R * F + c: clock edges from the one that samples i_start = 1 to the one that samples o_done = 1, where no round has a
 * gap. */
uint64_t gfab_timing_gossip_cycles(const gfab_timing *timing, uint32_t rounds);

GFAB_C_END
#endif
