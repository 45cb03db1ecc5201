/* SPDX-License-Identifier: MIT */
/* Are translations symmetries? They are sums of steps along the axes, so that these are enough. */
#include "topology/translate.h"
#include "verify_internal.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_VERIFY_NONE

/* Step `step`, a node that is 1 in one coordinate and else 0. */
static gfab_status check_step(const gfab_topology *topology, uint32_t step, bool *reached, gfab_verify_report *report)
{
    const size_t nodes = gfab_topology_node_count(topology);
    memset(reached, 0, nodes * sizeof *reached);
    for (uint32_t v = 0; v < nodes; v++) {
        const uint32_t to = gfab_translate_plus(topology, v, step);
        if (to >= nodes || reached[to])
            return gfab_verify_fault(report, GFAB_FAULT_WRONG_TOPOLOGY, 0, NONE, v, NONE,
                                     "the schedule is one tree and its translates; that by node %u is none of %s", step,
                                     gfab_topology_name(topology));
        reached[to] = true;
    }
    for (uint32_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        gfab_arc arc;
        if (!gfab_topology_find_arc(topology, gfab_translate_plus(topology, link.node[0], step),
                                    gfab_translate_plus(topology, link.node[1], step), &arc))
            return gfab_verify_fault(report, GFAB_FAULT_WRONG_TOPOLOGY, 0, l, link.node[0], NONE,
                                     "the schedule is one tree and its translates; that by node %u brings link %u of "
                                     "%s onto no link",
                                     step, l, gfab_topology_name(topology));
    }
    return GFAB_OK;
}

gfab_status gfab_verify_translations(const gfab_topology *topology, gfab_verify_report *report)
{
    GFAB_FREED bool *reached = malloc(gfab_topology_node_count(topology) * sizeof *reached);
    uint32_t step = 1;
    GFAB_NEED(reached);
    for (size_t axis = gfab_topology_dimensions(topology); axis-- > 0;) {
        if (gfab_topology_side(topology, axis) > 1)
            GFAB_TRY(check_step(topology, step, reached, report));
        step *= gfab_topology_side(topology, axis);
    }
    if (step != gfab_topology_node_count(topology))
        return gfab_verify_fault(report, GFAB_FAULT_WRONG_TOPOLOGY, 0, NONE, NONE, NONE,
                                 "the schedule is one tree and its translates; %s has not the axes for them",
                                 gfab_topology_name(topology));
    return GFAB_OK;
}
