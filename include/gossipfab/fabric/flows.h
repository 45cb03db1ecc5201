/* SPDX-License-Identifier: MIT */
/* What a node does of a program that is the same in every period, as wiring: docs/guide/streams.md, "A word a
 * cycle". */
#ifndef GOSSIPFAB_FLOWS_H
#define GOSSIPFAB_FLOWS_H

#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/timing.h>

GFAB_C_BEGIN

/* One of each of the lanes `in` is combined into one, which goes out over all lanes `out`; a bit a lane, 0: there is no
 * such flow. Hosts have a lane for each of their words: lane K - 1 + w is word w, 1 or more, of the node's host, whose
 * word 0 has the lane of its link. */
typedef struct gfab_stream_flow {
    uint64_t in, out;
} gfab_stream_flow;

#define GFAB_MAX_FLOWS 4u /* of a node: of an all-reduce the way in and the way out, else one a word */
#define GFAB_MAX_FLOW_LANES 64u

/* Words that a host gives, or takes, in a cycle: blocks of a group. Of a legal image whose layout has word streams. */
uint32_t gfab_image_host_words(const gfab_image *image);

/* Where a host has several words, each along a tree of its own: bits of the number of words that can wait until the
 * others are there. timing: of the image's layout. */
uint32_t gfab_image_queue_bits(const gfab_image *image, const gfab_timing *timing);

/* Of a relay; in a layout that alternates the way to where all meet comes first. UNSUPPORTED above GFAB_MAX_FLOWS and
 * where a lane is in two of them, LIMIT above GFAB_MAX_FLOW_LANES. */
gfab_status gfab_image_flows(const gfab_image *image, size_t node, gfab_stream_flow flows[GFAB_MAX_FLOWS],
                             gfab_diag *diag);

/* With operator gather: over which lanes a relay's flow of several takes the words of a group, in the order of the
 * hosts that gave them; all lanes are of one flow. *count 0 where the relay has no such flow; room for as many as there
 * are hosts. Of an image that gfab_image_flows takes. */
void gfab_image_turns(const gfab_image *image, size_t node, uint32_t *lanes, size_t *count);

/* With a chained operator: in which order a relay takes the words of its lanes, flow by flow: first that which its
 * program stores, then those that are combined with it. Likewise. */
void gfab_image_operands(const gfab_image *image, size_t node, uint32_t *lanes, size_t *count);

/* A sum of wider words is made in two parts, the upper one a cycle behind, in stream flows that add up. */
#define GFAB_STREAM_WHOLE_BITS 16u

/* Cycles from a word that comes in to the one that it goes out with, in the layout; timing: the layout's. */
uint32_t gfab_stream_flow_cycles(const gfab_layout *layout, const gfab_stream_flow *flow, const gfab_timing *timing);

GFAB_C_END

#endif
