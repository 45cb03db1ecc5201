/* SPDX-License-Identifier: MIT */
/* Time slots: which of a node's K lanes each port is, and what follows for the
 * fabric's timing. Law and proofs: docs/reference/fabric-timing.md.
 *
 * K lanes, K the highest degree of the topology. A port's lane is the cycle (mod
 * K) in which it has the store's read and write port to itself, so the ports of a node have
 * different lanes. Where both ends of a link have the same lane nothing more is
 * needed; that is a proper colouring of the links with K colours, and exists
 * for meshes and even tori. Otherwise (odd cycles and tori) a few links are
 * skewed: lane 0 at one end, lane j > 0 at the other, and the node with lane
 * 0 aligns with j registers on the way out and K - j on the way in. Vizing's
 * theorem gives such lanes for every graph. */
#ifndef GOSSIPFAB_LAYOUT_H
#define GOSSIPFAB_LAYOUT_H

#include <gossipfab/topology/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GFAB_NO_PORT UINT32_MAX

typedef struct gfab_layout gfab_layout;

/* topology is borrowed and must outlive the result. NO_MEMORY. */
gfab_status gfab_layout_create(const gfab_topology *topology, gfab_layout **slots);
/* Lanes for a wide fabric, whose ports all work at once: no turns, no skews. In meshes and tori lanes are directions
 * (crossbar.h), in other graphs ports in the topology's order. */
gfab_status gfab_layout_create_wide(const gfab_topology *topology, gfab_layout **slots);
void gfab_layout_destroy(gfab_layout *slots);

const gfab_topology *gfab_layout_topology(const gfab_layout *slots);
size_t gfab_layout_lane_count(const gfab_layout *slots); /* K */
uint32_t gfab_layout_lane(const gfab_layout *slots, size_t node, size_t port);
/* The port that has this lane, or GFAB_NO_PORT. */
uint32_t gfab_layout_port(const gfab_layout *slots, size_t node, size_t lane);
/* 0, or the lane j > 0 that the other end of this node's lane 0 link has. */
uint32_t gfab_layout_skew(const gfab_layout *slots, size_t node);
bool gfab_layout_any_skew(const gfab_layout *slots);
bool gfab_layout_wide(const gfab_layout *slots);

/* What the ports do. Half duplex after create: in a round a port sends or receives. Full duplex: it may do both, so
 * that an op has two halves and a link a set of wires for each direction. */
void gfab_layout_set_full_duplex(gfab_layout *slots, bool full_duplex);
bool gfab_layout_full_duplex(const gfab_layout *slots);
uint32_t gfab_layout_halves(const gfab_layout *slots); /* of an op: 1 or 2 */
/* Nodes that pass flits on, so that a packet follows a path of several links in a round (wormhole routing). Full duplex
 * then. No lane is skewed: what comes in is delayed as each round needs it. Not after create. */
void gfab_layout_set_paths(gfab_layout *slots, bool paths);
bool gfab_layout_paths(const gfab_layout *slots);

/* How many parts, P, a token is cut in; 1 after create. A part is what the fabric moves: W / P bits, with a slot of its
 * own in every store and rounds of its own length. UNSUPPORTED above 1 for wide slots; INVALID for 0; LIMIT above 2^31
 * - 1 parts in all. */
gfab_status gfab_layout_set_parts(gfab_layout *slots, uint32_t parts, gfab_diag *diag);
uint32_t gfab_layout_parts(const gfab_layout *slots);
size_t gfab_layout_slot_count(const gfab_layout *slots); /* N P, of a store */

/* How a node's store numbers its slots; what is said of tokens here holds for each part, in slot
 * P s + part, s the slot that its whole token would have. */
typedef enum gfab_frame {
    GFAB_FRAME_ABSOLUTE, /* slot = origin of the token, the same in every node */
    GFAB_FRAME_RELATIVE, /* torus: slot = origin - node, coordinate by coordinate modulo the sides, numbered as nodes
                          * are; the node's own token is in slot 0. A schedule that is the same for all nodes up to
                          * translation then gives the same program to all nodes, up to the order of lanes. */
    GFAB_FRAME_ROTATED   /* n x n mesh: slot = origin, turned by the quarter turns that bring the node into the first
                          * floor(n/2) rows and ceil(n/2) columns (none for the centre). A schedule that stays the same
                          * under quarter turns then gives the four turns of a node the same program, up to the order
                          * of lanes. */
} gfab_frame;

/* "absolute", "relative", "rotated". Static. */
const char *gfab_frame_name(gfab_frame frame);
/* ABSOLUTE after create. UNSUPPORTED where the topology has no translations (RELATIVE, anything but a torus) or no
 * quarter turns (ROTATED, anything but a mesh of two equal sides). */
gfab_status gfab_layout_set_frame(gfab_layout *slots, gfab_frame frame, gfab_diag *diag);
gfab_frame gfab_layout_frame(const gfab_layout *slots);
/* ROTATED: the quarter turns, clockwise (row 0 to the last column), 0..3, by which the node's slots are turned. */
uint32_t gfab_layout_turns(const gfab_layout *slots, size_t node);
/* Slot of part `token` % P of the token that started at node `token` / P, in node's store; and the token of a slot.
 * Inverse of each other. */
uint32_t gfab_layout_slot(const gfab_layout *slots, size_t node, uint32_t token);
uint32_t gfab_layout_token(const gfab_layout *slots, size_t node, uint32_t slot);

/* The fabric's timing for a token width and a link width. */
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
    uint32_t overhead_cycles;  /* c: a gossip of R rounds without gaps takes R * F + c cycles */
    uint32_t latency_cycles;   /* l: registers on every link, each direction; 0 .. GFAB_MAX_LATENCY */
    uint32_t paths;            /* 1 where nodes pass flits on */
    uint32_t wires;      /* 2 where a link has a set of wires for each direction (full duplex, or l > 0), else 1 */
    uint32_t wide;       /* 1: a wide fabric: words are single flits, F = W / L, lanes take no turns */
    uint32_t hop_rounds; /* a token received in round t can be sent from round t + hop_rounds on; 1 unless wide */
} gfab_timing;

#define GFAB_MAX_LATENCY 15u

/* INVALID unless the slots' parts divide token_bits >= 1 and link_bits >= 1 divides a part; LIMIT where token_bits >
 * 4096 or link_bits > 1024; UNSUPPORTED with paths where K = 1. c = max(2, K + (1 - direct) + skewed). Links without
 * latency. */
gfab_status gfab_timing_compute(const gfab_layout *slots, uint32_t token_bits, uint32_t link_bits, gfab_timing *timing,
                                gfab_diag *diag);
/* The same with l cycles of latency on every link; LIMIT above GFAB_MAX_LATENCY. With l > 0 a round is longer where
 * that is what it takes for a token of one round to be there in the next, F >= 2 K + 1 + l + skewed, and c is longer by
 * l. */
gfab_status gfab_timing_compute_latency(const gfab_layout *slots, uint32_t token_bits, uint32_t link_bits,
                                        uint32_t latency_cycles, gfab_timing *timing, gfab_diag *diag);
/* For wide lanes. A hop takes 2 + l cycles, or 3 + l with a register between store and link, for a faster clock: that
 * where hop_rounds rounds allow it. hop_rounds 0 chooses: with the register where both ends of a link share its wires,
 * so that the clock does not pay for joining them, and where it costs no round. F = W / L, c = max(2, 2 - direct + l).
 * Errors as above; UNSUPPORTED where a hop takes more than hop_rounds rounds. */
gfab_status gfab_timing_compute_wide(const gfab_layout *slots, uint32_t token_bits, uint32_t link_bits,
                                     uint32_t latency_cycles, uint32_t hop_rounds, gfab_timing *timing,
                                     gfab_diag *diag);
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
/* R * F + c: clock edges from the one that samples i_start = 1 to the one that samples o_done = 1, where no round has a
 * gap. */
uint64_t gfab_timing_gossip_cycles(const gfab_timing *timing, uint32_t rounds);

#ifdef __cplusplus
}
#endif
#endif
