/* SPDX-License-Identifier: MIT */
/* Slots that are reused: where, how many, where the host loads blocks, and where it finds them. */
#include "layout_internal.h"

#include "base/tells.h"

#include <assert.h>

static bool is_relay(const gfab_layout *layout, size_t node)
{
    return gfab_topology_is_relay(layout->topology, node);
}

uint32_t gfab_layout_node_slots(const gfab_layout *layout, size_t node)
{
    const uint32_t set = layout->relay_slots[node];
    return set ? set : (uint32_t)gfab_layout_slot_count(layout);
}

gfab_status gfab_layout_set_node_slots(gfab_layout *layout, size_t node, uint32_t slots)
{
    if (!is_relay(layout, node) || slots == 0 || slots > gfab_layout_slot_count(layout))
        return GFAB_ERR_INVALID;
    layout->relay_slots[node] = slots;
    return GFAB_OK;
}

bool gfab_layout_reuses_slots(const gfab_layout *layout, size_t node)
{
    return layout->places || is_relay(layout, node);
}

gfab_status gfab_layout_allocate(gfab_layout *layout, const gfab_goal *goal, uint32_t slots)
{
    const gfab_topology *topology = layout->topology;
    const size_t nodes = gfab_topology_node_count(topology), members = gfab_topology_member_count(topology);
    const uint32_t most_held = gfab_goal_most(goal, members, gfab_goal_held_count);
    const uint32_t most_wanted = gfab_goal_most(goal, members, gfab_goal_wanted_count);
    const uint32_t loads = most_held ? most_held : 1, wanted = most_wanted ? most_wanted : 1;
    assert(layout->options.blocks == goal->blocks && !layout->options.wide && !gfab_layout_combines(layout));
    if (slots < loads || slots < wanted)
        return GFAB_ERR_INVALID;
    layout->places = gfab_arena_zeroed(&layout->arena, nodes * (size_t)wanted, sizeof *layout->places);
    GFAB_NEED(layout->places);
    layout->goal = *goal;
    layout->slots = slots;
    layout->loads = loads;
    layout->place_count = wanted;
    return GFAB_OK;
}

const gfab_goal *gfab_layout_goal(const gfab_layout *layout)
{
    return layout->places ? &layout->goal : NULL;
}

GFAB_TELLS(uint32_t, gfab_layout_load_count, gfab_layout, loads)
GFAB_TELLS(uint32_t, gfab_layout_place_count, gfab_layout, place_count)

uint32_t gfab_layout_place(const gfab_layout *layout, size_t node, uint32_t index)
{
    assert(index < layout->place_count);
    return layout->places[node * layout->place_count + index];
}

void gfab_layout_set_place(gfab_layout *layout, size_t node, uint32_t index, uint32_t slot)
{
    assert(index < layout->place_count && slot < layout->slots);
    layout->places[node * layout->place_count + index] = slot;
}
