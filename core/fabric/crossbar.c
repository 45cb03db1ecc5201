/* SPDX-License-Identifier: MIT */
/* Which lanes of a wide node reach which banks of its store, for each of the four kinds of crossbar. They are rules of
 * a line or two and not tables. Whoever places tokens in banks, checks wide programs or wires the crossbar asks them
 * here. */
#include <gossipfab/fabric/crossbar.h>

#include "base/names.h"

const char *gfab_crossbar_name(gfab_crossbar_kind kind)
{
    static const char *const names[] = {"full", "axes", "arrival", "pinwheel"};
    return GFAB_NAME_OF(names, kind);
}

/* Axes of a torus with a side of more than 1; 0 where there is one of 2, or no torus. */
static uint32_t long_axes(const gfab_topology *topology)
{
    uint32_t axes = 0;
    if (gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_TORUS)
        return 0;
    for (size_t axis = 0; axis < gfab_topology_dimensions(topology); axis++) {
        const uint32_t side = gfab_topology_side(topology, axis);
        if (side == 2)
            return 0;
        axes += side > 2;
    }
    return axes;
}

gfab_status gfab_crossbar_make(const gfab_topology *topology, gfab_crossbar_kind kind, uint32_t banks,
                               gfab_crossbar *crossbar, gfab_diag *diag)
{
    const uint32_t lanes = (uint32_t)gfab_topology_max_degree(topology);
    const uint32_t axes = long_axes(topology);
    const char *needs = NULL;
    switch (kind) {
    case GFAB_CROSSBAR_FULL:
        if (banks == 0)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "banks must be at least 1");
        break;
    case GFAB_CROSSBAR_AXES:
        needs = axes == 0 ? "a torus with sides of 1 and of 3 or more" : NULL;
        banks = lanes / 2;
        break;
    case GFAB_CROSSBAR_ARRIVAL:
        needs = lanes < 2 ? "nodes with two links or more" : NULL;
        banks = lanes;
        break;
    case GFAB_CROSSBAR_PINWHEEL:
        needs = axes != 2 ? "a torus with two sides of 3 or more and no other but 1" : NULL;
        banks = lanes;
        break;
    }
    if (needs)
        return GFAB_REFUSE(diag, "crossbar %s needs %s; %s has not", gfab_crossbar_name(kind), needs,
                           gfab_topology_name(topology));
    *crossbar = (gfab_crossbar){kind, lanes, banks};
    return GFAB_OK;
}

bool gfab_crossbar_takes(const gfab_crossbar *crossbar, uint32_t lane, uint32_t bank)
{
    switch (crossbar->kind) {
    case GFAB_CROSSBAR_FULL:
        return true;
    case GFAB_CROSSBAR_AXES:
        return bank == lane / 2;
    case GFAB_CROSSBAR_ARRIVAL:
    case GFAB_CROSSBAR_PINWHEEL:
        return bank == lane;
    }
    return false;
}

bool gfab_crossbar_gives(const gfab_crossbar *crossbar, uint32_t lane, uint32_t bank)
{
    /* The bank of what goes straight on in the lane's direction is that of the opposite lane. What turns right into
     * direction 0 came in direction 3, and so by lane 2. */
    static const uint8_t right_turn[] = {2, 3, 1, 0};
    switch (crossbar->kind) {
    case GFAB_CROSSBAR_FULL:
    case GFAB_CROSSBAR_AXES:
        return true;
    case GFAB_CROSSBAR_ARRIVAL:
        return bank != lane;
    case GFAB_CROSSBAR_PINWHEEL:
        return bank == (lane ^ 1) || bank == right_turn[lane];
    }
    return false;
}

bool gfab_crossbar_holds_own(const gfab_crossbar *crossbar, uint32_t bank)
{
    const bool two = crossbar->kind == GFAB_CROSSBAR_ARRIVAL || crossbar->kind == GFAB_CROSSBAR_PINWHEEL;
    return bank == 0 || (two && bank == 1);
}
