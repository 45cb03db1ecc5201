/* SPDX-License-Identifier: MIT */
/* What a certificate proves, counted block by block from what a collective is. Nothing here knows how certificates are
 * found. */
#include <gossipfab/schedule/certificate.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void gfab_certificate_release(gfab_certificate *certificate)
{
    free(certificate->part);
    certificate->part = NULL;
}

/* Messages of a block that go out of part 0: one, if what is inside is wanted outside and not there. */
static uint64_t count_out(const gfab_certificate *c, const bool *holds, const bool *wants)
{
    const bool outside_has = !gfab_collective_combines(c->goal.collective) && holds[1];
    return holds[0] && wants[1] && !outside_has;
}

/* Messages of a block between parts, each taken as one node. Where blocks move as they are one enters each part that
 * wants it and does not have it. Where they are combined every part that has a contribution, but one, sends before a
 * total can be, and every part that wants it, but one, gets it after that. */
static uint64_t count_between(const gfab_certificate *c, const bool *holds, const bool *wants)
{
    uint64_t have = 0, want = 0, lack = 0;
    for (uint32_t i = 0; i < c->parts; i++) {
        have += holds[i];
        want += wants[i];
        lack += wants[i] && !holds[i];
    }
    return gfab_collective_combines(c->goal.collective) ? have - 1 + want - 1 : lack;
}

gfab_status gfab_certificate_count(const gfab_topology *topology, const gfab_certificate *c, uint64_t *demand,
                                   uint64_t *capacity)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    if (c->goal.collective == GFAB_ALL_TO_ALL)
        return GFAB_ERR_UNSUPPORTED;
    bool *holds = malloc(2 * (size_t)c->parts * sizeof *holds), *wants = holds ? holds + c->parts : NULL;
    if (!holds)
        return GFAB_ERR_NO_MEMORY;
    *demand = *capacity = 0;
    for (uint32_t block = 0; block < c->goal.blocks; block++) {
        memset(holds, 0, 2 * (size_t)c->parts * sizeof *holds);
        for (uint32_t v = 0; v < nodes; v++) {
            holds[c->part[v]] |= gfab_goal_node_holds(&c->goal, topology, v, block);
            wants[c->part[v]] |= gfab_goal_node_wants(&c->goal, topology, v, block);
        }
        *demand += (c->cut ? count_out : count_between)(c, holds, wants);
    }
    free(holds);
    for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology); arc++) {
        const uint32_t from = c->part[gfab_topology_arc_from(topology, arc)];
        const uint32_t to = c->part[gfab_topology_arc_to(topology, arc)];
        if (from == to || (c->cut && from != 0))
            continue;
        if (c->cut || c->link_mode == GFAB_LINK_FULL)
            *capacity += gfab_topology_arc_weight(topology, arc);
        else if (arc % 2 == 0) /* both ways share the link's room */
            *capacity += gfab_topology_weight(topology, arc / 2);
    }
    return GFAB_OK;
}

gfab_status gfab_certificate_check(const gfab_topology *topology, const gfab_certificate *c, gfab_diag *diag)
{
    uint64_t demand, capacity;
    const gfab_status status = gfab_certificate_count(topology, c, &demand, &capacity);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    if (demand != c->demand)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                         "demand %" PRIu64 ": %" PRIu64 " messages have to go between these parts", c->demand, demand);
    if (capacity != c->capacity)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                         "capacity %" PRIu64 ": the links between these parts carry %" PRIu64 " a round", c->capacity,
                         capacity);
    return GFAB_OK;
}
