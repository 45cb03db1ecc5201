/* SPDX-License-Identifier: MIT */
/* Private to core: what links carry in a round past switches that copy or combine. */
#ifndef GOSSIPFAB_SCHEDULE_MERGED_H
#define GOSSIPFAB_SCHEDULE_MERGED_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* Begins as {0}; used for round after round. */
typedef struct gfab_merged {
    uint32_t *load;  /* packet by packet in the round's order, arc by arc: so many of its tokens count on the arc */
    uint32_t *first; /* [packet]: where its loads begin */
    void *items, *uses;
    size_t room[4];
} gfab_merged;

/* Counts the tokens of a round's packets on each arc of their paths (docs/theory/long-vectors/switches.md, "Switches
 * that copy or combine"). A packet's token counts 1 on an arc; where others with this token are one message with it
 * there, it counts 1 at the first of them and 0 at the others. NO_MEMORY. Time O(u log u) for u tokens on arcs. */
gfab_status gfab_merged_count(gfab_merged *merged, const gfab_topology *topology, gfab_packet_iter round);
void gfab_merged_release(gfab_merged *merged);

GFAB_C_END
#endif
