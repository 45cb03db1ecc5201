/* SPDX-License-Identifier: MIT */
/* What nodes in parts prove, counted block by block from what a collective is. Nothing here knows how certificates are
 * found. */
#include "certificate_ports.h"

#include <stdlib.h>

/* Of a block, who holds it or wants it: its owner, and every other member. These are all alike but in an all-to-all. */
typedef struct who {
    bool owner, other;
} who;

/* The members of each part, and in how many parts there are some; the part of the block's owner. */
typedef struct parts {
    uint32_t *members;
    uint64_t inhabited;
    uint32_t owner;
} parts;

static bool is_in(const parts *p, uint32_t part, who w)
{
    const bool owner = part == p->owner;
    return (owner && w.owner) || (p->members[part] > owner && w.other);
}

/* Messages of a block that go out of part 0: one, if what is inside is wanted outside and not there. */
static uint64_t count_out(const gfab_certificate *c, const parts *p, who holds, who wants)
{
    const bool outside_has = !gfab_collective_combines(c->goal.collective) && is_in(p, 1, holds);
    return is_in(p, 0, holds) && is_in(p, 1, wants) && !outside_has;
}

/* Messages of a block between parts, each taken as one node. Where blocks move as they are one enters each part that
 * wants it and does not have it. Where they are combined every part that has a contribution, but one, sends before a
 * total can be, and every part that wants it, but one, gets it after that. */
static uint64_t count_between(const gfab_certificate *c, const parts *p, who holds, who wants)
{
    const uint64_t others = p->inhabited - 1; /* parts but for the owner's */
    const bool has = is_in(p, p->owner, holds), wanted = is_in(p, p->owner, wants);
    const uint64_t have = others * holds.other + has, want = others * wants.other + wanted;
    if (gfab_collective_combines(c->goal.collective))
        return have - 1 + want - 1;
    return others * (wants.other && !holds.other) + (wanted && !has);
}

/* What a link carries out of parts, or into them, in a round. */
static uint64_t link_room(const gfab_topology *topology, const gfab_certificate *c, size_t link, bool inwards)
{
    const gfab_link ends = gfab_topology_link(topology, link);
    const uint32_t from = c->part[ends.node[0]], to = c->part[ends.node[1]];
    const uint64_t there = gfab_topology_arc_weight(topology, (gfab_arc)(2 * link));
    const uint64_t back = gfab_topology_arc_weight(topology, (gfab_arc)(2 * link + 1));
    const bool leaves = (inwards ? to : from) != GFAB_NO_PART, returns = (inwards ? from : to) != GFAB_NO_PART;
    if (from == to)
        return 0;
    if (c->cut)
        return from == 0 ? there : back;
    if (c->link_mode == GFAB_LINK_FULL)
        return leaves * there + returns * back;
    return gfab_topology_weight(topology, link) * (leaves + returns); /* both ways share the link's room */
}

/* Is a node in no part? */
static bool has_outside(const gfab_topology *topology, const gfab_certificate *c)
{
    bool outside = false;
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++)
        outside = outside || c->part[v] == GFAB_NO_PART;
    return outside;
}

/* Half duplex, every node in a part: both ends of what goes between two parts are at its link. */
static uint64_t ends_at_link(const gfab_certificate *c)
{
    return c->link_mode == GFAB_LINK_HALF && !c->cut ? 2 : 1;
}

uint64_t gfab_certificate_link(const gfab_topology *topology, const gfab_certificate *c, size_t link)
{
    return link_room(topology, c, link, false) / ends_at_link(c);
}

static uint64_t count_capacity(const gfab_topology *topology, const gfab_certificate *c)
{
    uint64_t out = 0, in = 0;
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        out += link_room(topology, c, link, false);
        in += link_room(topology, c, link, true);
    }
    return (out < in ? out : in) / (has_outside(topology, c) ? 1 : ends_at_link(c));
}

gfab_status gfab_certificate_count_parts(const gfab_topology *topology, const gfab_certificate *c, uint64_t *demand,
                                         uint64_t *capacity)
{
    const uint32_t members = (uint32_t)gfab_topology_member_count(topology);
    if (c->goal.collective == GFAB_ALL_TO_ALL)
        return GFAB_ERR_UNSUPPORTED;
    parts p = {.members = calloc(c->parts, sizeof *p.members)};
    GFAB_NEED(p.members);
    for (uint32_t i = 0; i < members; i++)
        p.inhabited += p.members[c->part[gfab_topology_member(topology, i)]]++ == 0;
    *demand = 0;
    for (uint32_t block = 0; block < c->goal.blocks; block++) {
        const uint32_t owner = gfab_goal_owner(&c->goal, members, block), other = (owner + 1) % members;
        const who holds = {gfab_goal_holds(&c->goal, members, owner, block),
                           gfab_goal_holds(&c->goal, members, other, block)};
        const who wants = {gfab_goal_wants(&c->goal, members, owner, block),
                           gfab_goal_wants(&c->goal, members, other, block)};
        p.owner = c->part[gfab_topology_member(topology, owner)];
        *demand += (c->cut ? count_out : count_between)(c, &p, holds, wants);
    }
    free(p.members);
    *demand *= has_outside(topology, c) ? ends_at_link(c) : 1;
    *capacity = count_capacity(topology, c);
    return GFAB_OK;
}
