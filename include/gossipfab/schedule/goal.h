/* SPDX-License-Identifier: MIT */
/* What a schedule is for: a collective operation, over how many blocks, from or to which root.
 *
 * A vector has B blocks, numbered from 0. all-gather, broadcast and all-to-all move blocks as they are: what a node
 * receives it stores. The others add up contributions: a message is a partial result of one block, and a node stores it
 * or combines it with the partial result that it has. docs/theory/collectives.md has the rules and the bounds.
 *
 * Where a topology has relays, "nodes" is its number of members and "node" a member's rank, here and in the root and
 * the owners of blocks (gfab_topology_rank). GFAB_NO_RANK, or any other number that no member has, holds nothing and
 * wants nothing. */
#ifndef GOSSIPFAB_GOAL_H
#define GOSSIPFAB_GOAL_H

#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

typedef enum gfab_collective {
    GFAB_ALL_GATHER,     /* block b starts at its owner, every node wants it: gossip */
    GFAB_REDUCE_SCATTER, /* every node has a contribution to every block, its owner wants the total */
    GFAB_ALL_REDUCE,     /* the same, and every node wants the total */
    GFAB_BROADCAST,      /* all blocks start at the root, every node wants them */
    GFAB_REDUCE,         /* every node has a contribution to every block, the root wants the totals */
    GFAB_BARRIER,        /* an all-reduce of one block, idempotent unless it is combined by sums */
    GFAB_ALL_TO_ALL      /* block u N + v starts at node u, and node v wants it */
} gfab_collective;

typedef struct gfab_goal {
    gfab_collective collective;
    uint32_t blocks; /* B, below 2^31. all-gather, reduce-scatter: a multiple of N; barrier 1; all-to-all N^2 */
    uint32_t root;   /* of a broadcast or a reduce; else 0 */
    bool idempotent; /* and, or, min, max: a contribution may count more than once. Only where contributions are
                      * combined; a barrier's may by default */
} gfab_goal;

#define GFAB_COLLECTIVES (GFAB_ALL_TO_ALL + 1)

/* "all-gather", "reduce-scatter", ... "unknown" for no such value. Static. Parsing gives GFAB_ERR_PARSE. */
const char *gfab_collective_name(gfab_collective collective);
/* What it does, as a clause. "unknown" for no such value. Static. */
const char *gfab_collective_summary(gfab_collective collective);
gfab_status gfab_collective_parse(const char *text, gfab_collective *collective, gfab_diag *diag);
/* Are there contributions that are combined? */
bool gfab_collective_combines(gfab_collective collective);
/* Do all members end up with the same blocks, as in an all-gather, a broadcast, an all-reduce and a barrier? */
bool gfab_collective_spreads(gfab_collective collective);
/* Does it have a root? */
bool gfab_collective_has_root(gfab_collective collective);

/* all-gather of one block a node. */
gfab_goal gfab_goal_default(size_t nodes);
/* The collective with the fewest blocks that it needs on so many nodes: N for all-gather, reduce-scatter and
 * all-reduce, N^2 for all-to-all, else 1; root 0. LIMIT where N^2 is 2^31 or more. */
gfab_status gfab_goal_of(gfab_collective collective, size_t nodes, gfab_goal *goal, gfab_diag *diag);
/* INVALID where there is no such collective, for 0 nodes, and where blocks, root or idempotent are not as above; LIMIT
 * at 2^31 blocks or more. What is below, but for names, takes goals that this says OK of. */
gfab_status gfab_goal_check(const gfab_goal *goal, size_t nodes, gfab_diag *diag);
bool gfab_goal_equal(const gfab_goal *a, const gfab_goal *b);

/* The node that a block belongs to: all-gather, reduce-scatter and all-reduce floor(block N / B); broadcast, reduce and
 * barrier the root; all-to-all the node that wants it. */
uint32_t gfab_goal_owner(const gfab_goal *goal, size_t nodes, uint32_t block);
/* Does the node hold the block, or a contribution to it, before round 1? */
bool gfab_goal_holds(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t block);
/* Does it want the block, or its total, in the end? */
bool gfab_goal_wants(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t block);
/* The same of a node of a graph, by its rank among the members: a relay holds and wants nothing. */
bool gfab_goal_node_holds(const gfab_goal *goal, const gfab_topology *topology, uint32_t node, uint32_t block);
bool gfab_goal_node_wants(const gfab_goal *goal, const gfab_topology *topology, uint32_t node, uint32_t block);
/* The blocks that gfab_goal_holds and gfab_goal_wants are true of: how many, and the index-th, from 0, in rising order.
 * In an all-to-all the index is the other node. */
uint32_t gfab_goal_held_count(const gfab_goal *goal, size_t nodes, uint32_t node);
uint32_t gfab_goal_held(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t index);
uint32_t gfab_goal_wanted_count(const gfab_goal *goal, size_t nodes, uint32_t node);
uint32_t gfab_goal_wanted(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t index);
/* The most of a node, of all nodes; count is gfab_goal_held_count or gfab_goal_wanted_count. */
uint32_t gfab_goal_most(const gfab_goal *goal, size_t nodes, uint32_t (*count)(const gfab_goal *, size_t, uint32_t));

/* A message of one block in one round: what a node had of it before the round comes to another one, which stores it or
 * combines it with what it has. */
typedef struct gfab_message {
    uint32_t block, from, to;
    bool combine;
    bool opens; /* it is the block's first in its round */
} gfab_message;

GFAB_C_END
#endif
