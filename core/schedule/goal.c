/* SPDX-License-Identifier: MIT */
/* What each collective is: which node holds which block at the start, and which wants it at the end. All the rest of
 * the library asks these few functions, so that a collective is defined in one place. For example on 4 nodes block 6
 * of an all-to-all, 16 blocks, starts at node 6 / 4 = 1 and is wanted by node 6 mod 4 = 2. */
#include <gossipfab/schedule/goal.h>

#include "base/names.h"

#include <inttypes.h>
#include <string.h>

#define MAX_BLOCKS ((uint64_t)1 << 31) /* and below */

static const char *const names[] = {"all-gather", "reduce-scatter", "all-reduce", "broadcast",
                                    "reduce",     "barrier",        "all-to-all"};

const char *gfab_collective_name(gfab_collective collective)
{
    return GFAB_NAME_OF(names, collective);
}

const char *gfab_collective_summary(gfab_collective collective)
{
    static const char *const summaries[GFAB_COLLECTIVES] = {
        "every node ends with every node's blocks: gossip",
        "every node adds to every block; each block's total is wanted by its owner",
        "every node adds to every block; every node ends with all totals",
        "every node ends with the root's blocks",
        "every node adds to every block; the root ends with all totals",
        "nobody is done before all have begun: an all-reduce of one block, by and or or",
        "every node has a block for every node",
    };
    return GFAB_NAME_OF(summaries, collective);
}

gfab_status gfab_collective_parse(const char *text, gfab_collective *collective, gfab_diag *diag)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *collective = (gfab_collective)i;
            return GFAB_OK;
        }
    return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                     "unknown collective \"%s\": all-gather, reduce-scatter, all-reduce, broadcast, reduce, barrier or "
                     "all-to-all",
                     text);
}

bool gfab_collective_combines(gfab_collective collective)
{
    return collective == GFAB_REDUCE_SCATTER || collective == GFAB_ALL_REDUCE || collective == GFAB_REDUCE ||
           collective == GFAB_BARRIER;
}

bool gfab_collective_spreads(gfab_collective collective)
{
    return collective == GFAB_ALL_GATHER || collective == GFAB_BROADCAST || collective == GFAB_ALL_REDUCE ||
           collective == GFAB_BARRIER;
}

bool gfab_collective_has_root(gfab_collective collective)
{
    return collective == GFAB_BROADCAST || collective == GFAB_REDUCE;
}

gfab_goal gfab_goal_default(size_t nodes)
{
    return (gfab_goal){GFAB_ALL_GATHER, (uint32_t)nodes, 0, false};
}

gfab_status gfab_goal_of(gfab_collective collective, size_t nodes, gfab_goal *goal, gfab_diag *diag)
{
    uint64_t blocks = 1;
    if (collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER || collective == GFAB_ALL_REDUCE)
        blocks = nodes;
    else if (collective == GFAB_ALL_TO_ALL)
        blocks = (uint64_t)nodes * nodes;
    if (blocks >= MAX_BLOCKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "all-to-all on %zu nodes has %" PRIu64 " blocks; fewer than 2^31 are "
                         "supported",
                         nodes, blocks);
    *goal = (gfab_goal){collective, (uint32_t)blocks, 0, collective == GFAB_BARRIER};
    return GFAB_OK;
}

gfab_status gfab_goal_check(const gfab_goal *goal, size_t nodes, gfab_diag *diag)
{
    const char *name = gfab_collective_name(goal->collective);
    const bool shared = goal->collective == GFAB_ALL_GATHER || goal->collective == GFAB_REDUCE_SCATTER;
    if ((size_t)goal->collective >= GFAB_COLLECTIVES)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "there is no collective of number %u; they are 0 to %u",
                         (unsigned)goal->collective, (unsigned)GFAB_COLLECTIVES - 1);
    if (nodes == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s on 0 nodes; at least 1", name);
    if (goal->blocks < 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s of 0 blocks; at least 1", name);
    if (goal->blocks >= MAX_BLOCKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s of %u blocks; fewer than 2^31 are supported", name, goal->blocks);
    if (shared && goal->blocks % nodes != 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s of %u blocks on %zu nodes; a multiple of the nodes", name,
                         goal->blocks, nodes);
    if (goal->collective == GFAB_BARRIER && goal->blocks != 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a barrier of %u blocks; it has 1", goal->blocks);
    if (goal->collective == GFAB_ALL_TO_ALL && goal->blocks != (uint64_t)nodes * nodes)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "all-to-all of %u blocks on %zu nodes; it has %" PRIu64,
                         goal->blocks, nodes, (uint64_t)nodes * nodes);
    if (goal->root && !gfab_collective_has_root(goal->collective))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s has no root; broadcast and reduce have one", name);
    if (goal->root >= nodes)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "root %u does not exist; roots are 0 to %zu", goal->root,
                         nodes - 1);
    if (goal->idempotent && !gfab_collective_combines(goal->collective))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s combines nothing: there is no operator to be idempotent", name);
    return GFAB_OK;
}

bool gfab_goal_equal(const gfab_goal *a, const gfab_goal *b)
{
    return a->collective == b->collective && a->blocks == b->blocks && a->root == b->root &&
           a->idempotent == b->idempotent;
}

uint32_t gfab_goal_owner(const gfab_goal *goal, size_t nodes, uint32_t block)
{
    if (goal->collective == GFAB_ALL_TO_ALL)
        return (uint32_t)(block % nodes);
    if (goal->collective == GFAB_ALL_GATHER || goal->collective == GFAB_REDUCE_SCATTER ||
        goal->collective == GFAB_ALL_REDUCE)
        return (uint32_t)((uint64_t)block * nodes / goal->blocks);
    return goal->root;
}

bool gfab_goal_holds(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t block)
{
    if (node >= nodes)
        return false;
    if (goal->collective == GFAB_ALL_TO_ALL)
        return block / nodes == node;
    return gfab_collective_combines(goal->collective) || gfab_goal_owner(goal, nodes, block) == node;
}

bool gfab_goal_wants(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t block)
{
    if (node >= nodes)
        return false;
    return gfab_collective_spreads(goal->collective) || gfab_goal_owner(goal, nodes, block) == node;
}

bool gfab_goal_node_holds(const gfab_goal *goal, const gfab_topology *topology, uint32_t node, uint32_t block)
{
    return gfab_goal_holds(goal, gfab_topology_member_count(topology), gfab_topology_rank(topology, node), block);
}

bool gfab_goal_node_wants(const gfab_goal *goal, const gfab_topology *topology, uint32_t node, uint32_t block)
{
    return gfab_goal_wants(goal, gfab_topology_member_count(topology), gfab_topology_rank(topology, node), block);
}

/* Blocks of a node, of a goal that shares them out evenly. In an all-to-all there are N of N^2. */
static uint32_t share(const gfab_goal *goal, size_t nodes)
{
    return (uint32_t)(goal->blocks / nodes);
}

uint32_t gfab_goal_held_count(const gfab_goal *goal, size_t nodes, uint32_t node)
{
    if (node >= nodes)
        return 0;
    switch (goal->collective) {
    case GFAB_ALL_GATHER:
        return share(goal, nodes);
    case GFAB_ALL_TO_ALL:
        return (uint32_t)nodes;
    case GFAB_BROADCAST:
        return node == goal->root ? goal->blocks : 0;
    default:
        return goal->blocks;
    }
}

uint32_t gfab_goal_held(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t index)
{
    const bool own = goal->collective == GFAB_ALL_GATHER || goal->collective == GFAB_ALL_TO_ALL;
    return own ? node * share(goal, nodes) + index : index;
}

uint32_t gfab_goal_wanted_count(const gfab_goal *goal, size_t nodes, uint32_t node)
{
    if (node >= nodes)
        return 0;
    switch (goal->collective) {
    case GFAB_REDUCE_SCATTER:
        return share(goal, nodes);
    case GFAB_ALL_TO_ALL:
        return (uint32_t)nodes;
    case GFAB_REDUCE:
        return node == goal->root ? goal->blocks : 0;
    default:
        return goal->blocks;
    }
}

uint32_t gfab_goal_wanted(const gfab_goal *goal, size_t nodes, uint32_t node, uint32_t index)
{
    if (goal->collective == GFAB_ALL_TO_ALL)
        return index * (uint32_t)nodes + node;
    return goal->collective == GFAB_REDUCE_SCATTER ? node * share(goal, nodes) + index : index;
}

uint32_t gfab_goal_most(const gfab_goal *goal, size_t nodes, uint32_t (*count)(const gfab_goal *, size_t, uint32_t))
{
    uint32_t most = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        const uint32_t here = count(goal, nodes, node);
        most = here > most ? here : most;
    }
    return most;
}
