/* SPDX-License-Identifier: MIT */
/* What a node does of a program that is the same in every round, as wiring: docs/guide/streams.md, "A word a cycle". */
#ifndef GOSSIPFAB_FLOWS_H
#define GOSSIPFAB_FLOWS_H

#include <gossipfab/fabric/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One of each of the lanes `in` is combined into one, which goes out over all lanes `out`; a bit a lane, 0: there is no
 * such flow. */
typedef struct gfab_stream_flow {
    uint64_t in, out;
} gfab_stream_flow;

#define GFAB_MAX_FLOWS 2u /* of a node: in an all-reduce the way in and the way out */
#define GFAB_MAX_FLOW_LANES 64u

/* Of a relay, in a legal image whose layout has word streams. UNSUPPORTED above GFAB_MAX_FLOWS and where a lane is in
 * two of them, LIMIT above GFAB_MAX_FLOW_LANES. */
gfab_status gfab_image_flows(const gfab_image *image, size_t node, gfab_stream_flow flows[GFAB_MAX_FLOWS],
                             gfab_diag *diag);

/* Cycles from a word that comes in to the one that it goes out with. */
uint32_t gfab_stream_flow_cycles(const gfab_stream_flow *flow);

#ifdef __cplusplus
}
#endif

#endif
