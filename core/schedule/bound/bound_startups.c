/* SPDX-License-Identifier: MIT */
/* Rounds that start messages, at least, whatever the packets: hops that something has to go, and where blocks move as
 * they are how fast what a node knows can grow. A node whose links weigh w takes in w times the longest packet, which
 * carries no more than what its sender knows: so the most that any node knows grows by a factor of 1 + w. (Of a
 * reduce-scatter the same holds backwards.) An example: on a switch with links of weight 18, 72 members' blocks are
 * known to all after two rounds at the earliest, as 1 + 18 < 72 <= 19^2.
 *
 * Ours: of one round alone also what it has to carry. Nothing is combined on the way then, and nobody helps the root:
 * a total takes N - 1 messages into every member, a broadcast N - 1 out of the root, each as long as the vector. Not
 * past switches that copy or combine: they help within the round. */
#include "bound_internal.h"

#include "base/progress.h"

#include <stdlib.h>

/* From or to the root, else between the two members farthest apart. */
static gfab_status find_hops(const gfab_topology *topology, const gfab_goal *goal, const gfab_progress *progress,
                             uint64_t *hops)
{
    const size_t nodes = gfab_topology_node_count(topology);
    const uint32_t members = (uint32_t)gfab_topology_member_count(topology);
    GFAB_FREED uint32_t *work = malloc(3 * nodes * sizeof *work);
    const bool to = goal->collective == GFAB_REDUCE, rooted = gfab_collective_has_root(goal->collective);
    const uint32_t first = rooted ? goal->root : 0, end = rooted ? goal->root + 1 : members;
    gfab_status status = work ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    *hops = 0;
    for (uint32_t i = first; i < end && status == GFAB_OK; i++) {
        gfab_topology_hops(topology, gfab_topology_member(topology, i), to, work, work + nodes);
        for (uint32_t k = 0; k < members; k++) {
            const uint32_t far = work[gfab_topology_member(topology, k)];
            *hops = far > *hops ? far : *hops;
        }
        GFAB_THEN(status, gfab_progress_report(progress, "bounds", i, members));
    }
    return status;
}

/* What the links of a node carry in a round: the most, or the least, of all that store or of the members alone. */
static uint64_t find_width(const gfab_topology *topology, const gfab_model *model, gfab_way way, bool least)
{
    const bool one = model->port_mode == GFAB_PORT_ONE;
    uint64_t found = least ? UINT64_MAX : 0;
    for (uint32_t v = 0; v < gfab_topology_node_count(topology); v++) {
        if (least ? gfab_topology_is_relay(topology, v) : gfab_topology_is_switch(topology, v))
            continue;
        const uint64_t width =
            gfab_bound_width(topology, v, one, model->link_mode == GFAB_LINK_HALF ? GFAB_WAY_EITHER : way);
        found = least == (width < found) ? width : found;
    }
    return found;
}

/* Rounds until a node can know all that the members know, if what is known grows by so many widths of it a round. */
static uint64_t rounds_to_know(uint64_t members, uint64_t width)
{
    uint64_t rounds = 0;
    for (uint64_t known = 1; known < members && width > 0; rounds++)
        known = known > members / (1 + width) ? members : known * (1 + width);
    return rounds;
}

gfab_status gfab_bound_startups(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                                const gfab_progress *progress, gfab_startup_bound *bound)
{
    const uint64_t members = gfab_topology_member_count(topology);
    const bool one = model->port_mode == GFAB_PORT_ONE, half = model->link_mode == GFAB_LINK_HALF;
    const uint32_t root = gfab_topology_member(topology, goal->root);
    *bound = (gfab_startup_bound){.startups = 1};
    if (model->routing == GFAB_ROUTING_STORE_AND_FORWARD) /* a path of circuits starts once */
        GFAB_TRY(find_hops(topology, goal, progress, &bound->startups));
    uint64_t width = UINT64_MAX;
    switch (goal->collective) {
    case GFAB_ALL_GATHER:
    case GFAB_REDUCE_SCATTER:
        width = find_width(topology, model, goal->collective == GFAB_ALL_GATHER ? GFAB_WAY_IN : GFAB_WAY_OUT, false);
        const uint64_t rounds = rounds_to_know(members, width);
        bound->startups = rounds > bound->startups ? rounds : bound->startups;
        return GFAB_OK;
    case GFAB_ALL_REDUCE:
        width = find_width(topology, model, GFAB_WAY_IN, true);
        break;
    case GFAB_BROADCAST:
    case GFAB_REDUCE:
        width = gfab_bound_width(topology, root, one,
                                 half                                 ? GFAB_WAY_EITHER
                                 : goal->collective == GFAB_BROADCAST ? GFAB_WAY_OUT
                                                                      : GFAB_WAY_IN);
        break;
    case GFAB_ALL_TO_ALL:
    case GFAB_BARRIER:
        return GFAB_OK;
    }
    if (goal->idempotent || bound->startups != 1 || members < 2 || gfab_topology_marks(topology) & GFAB_MARK_HELPING)
        return GFAB_OK;
    if (width < members - 1)
        bound->startups = 2;
    else
        bound->single = (gfab_ratio){members - 1, width};
    return GFAB_OK;
}
