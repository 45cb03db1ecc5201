/* SPDX-License-Identifier: MIT */
/* Maximum flow and least cut between two nodes of a network whose arcs each have a capacity of their own. */
#ifndef GOSSIPFAB_FLOW_H
#define GOSSIPFAB_FLOW_H

#include <gossipfab/base/arena.h>
#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than any flow: sums of capacities stay below it. */
#define GFAB_FLOW_MOST ((uint64_t)1 << 62)

typedef struct gfab_flow {
    gfab_arena arena;
    size_t nodes;
    size_t arcs; /* twice as many as were added: each has its partner in the other direction beside it */
    size_t room;
    uint32_t *to;       /* [arcs] */
    uint32_t *next;     /* [arcs]: further arcs out of the same node */
    uint64_t *capacity; /* [arcs] */
    uint64_t *left;     /* [arcs]: of the capacity */
    uint32_t *head;     /* [nodes]: the first arc out of it */
    uint32_t *level;    /* [nodes]: links from the source; of the nodes in reached alone, of others none */
    uint32_t *reached;  /* [nodes]: those that the last search came to, the nearest first */
    size_t reached_count;
    uint32_t *at;   /* [nodes]: the arc that is tried; scratch */
    uint32_t *path; /* [nodes]: scratch */
} gfab_flow;

/* A network of so many nodes, with room for so many calls of gfab_flow_add. To be released, after an error too.
 * NO_MEMORY. */
gfab_status gfab_flow_create(size_t nodes, size_t room, gfab_flow *flow);
GFAB_HOLDS_ARENA(gfab_flow)

/* An arc each way between two nodes. Its number is 2 * calls so far; the arc back is that + 1. */
uint32_t gfab_flow_add(gfab_flow *flow, uint32_t from, uint32_t to, uint64_t there, uint64_t back);
/* Another capacity for an arc. */
void gfab_flow_set(gfab_flow *flow, uint32_t arc, uint64_t capacity);
/* The same, and what flows over it, where its partner has no capacity. */
void gfab_flow_hold(gfab_flow *flow, uint32_t arc, uint64_t capacity, uint64_t flowing);
/* What flows over an arc whose partner has no capacity. */
uint64_t gfab_flow_over(const gfab_flow *flow, uint32_t arc);

/* The most that flows from source to sink, which differ, but no more than limit: a run ends once that is reached. Every
 * run starts anew. */
uint64_t gfab_flow_run(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit);
/* Nothing flows. */
void gfab_flow_clear(gfab_flow *flow);
/* The same beside what flows already, in the capacities that are left; what it needs is a search around both nodes, not
 * the whole network. So a flow to one sink is turned into one to a sink near by: by a flow from the old sink to it. */
uint64_t gfab_flow_push(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit);
/* Takes back as much of what flows from source to sink, but no more than limit; likewise. */
uint64_t gfab_flow_take_back(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit);
/* After a run or a push that did not reach its limit: is the node on the source's side of the least cut that is nearest
 * to the source? The nodes in reached are. */
bool gfab_flow_on_source_side(const gfab_flow *flow, uint32_t node);

#endif
