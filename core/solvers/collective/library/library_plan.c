/* SPDX-License-Identifier: MIT */
/* The notebook in which the algorithms of message-passing libraries write their steps: this rank sends that rank these
 * blocks. It knows neither links nor rounds. So an algorithm is written down as its paper has it, over ranks, and is
 * placed on the graph later. Arrays double as they grow; messages that carry nothing are dropped at the end of a step,
 * since with few blocks many ranks have nothing to send. */
#include "library_plan.h"

#include "base/grow.h"

gfab_status gfab_library_send(gfab_library_plan *plan, uint32_t from, uint32_t to)
{
    if (!gfab_grow(&plan->messages, plan->message_count, &plan->message_room, sizeof *plan->messages))
        return GFAB_ERR_NO_MEMORY;
    plan->messages[plan->message_count++] = (gfab_library_message){from, to, 0, plan->block_count};
    return GFAB_OK;
}

gfab_status gfab_library_carry(gfab_library_plan *plan, uint32_t block)
{
    if (!gfab_grow(&plan->blocks, plan->block_count, &plan->block_room, sizeof *plan->blocks))
        return GFAB_ERR_NO_MEMORY;
    plan->blocks[plan->block_count++] = block;
    plan->messages[plan->message_count - 1].count++;
    return GFAB_OK;
}

gfab_status gfab_library_end_step(gfab_library_plan *plan)
{
    if (!gfab_grow(&plan->steps, plan->step_count + 1, &plan->step_room, sizeof *plan->steps))
        return GFAB_ERR_NO_MEMORY;
    if (plan->step_count == 0)
        plan->steps[0] = 0;
    /* Messages that turned out to carry nothing are none. */
    size_t kept = plan->steps[plan->step_count];
    for (size_t i = kept; i < plan->message_count; i++)
        if (plan->messages[i].count > 0)
            plan->messages[kept++] = plan->messages[i];
    plan->message_count = kept;
    if (kept > plan->steps[plan->step_count])
        plan->steps[++plan->step_count] = kept;
    return GFAB_OK;
}

void gfab_library_release(gfab_library_plan *plan)
{
    free(plan->messages);
    free(plan->blocks);
    free(plan->steps);
}

gfab_library_ranks gfab_library_ranks_of(const gfab_topology *topology)
{
    gfab_library_ranks at = {.ranks = (uint32_t)gfab_topology_member_count(topology)};
    const bool grid = gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_GRAPH && !gfab_topology_has_relays(topology);
    uint32_t stride = 1;
    for (size_t axis = grid ? gfab_topology_dimensions(topology) : 0; axis-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, axis);
        if (side > 1) {
            at.side[at.axes] = side;
            at.stride[at.axes++] = stride;
        }
        stride *= side;
    }
    if (at.axes == 0) {
        at.axes = 1;
        at.side[0] = at.ranks;
        at.stride[0] = 1;
    }
    return at;
}
