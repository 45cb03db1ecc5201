/* SPDX-License-Identifier: MIT */
/* The bound in rounds that follows from the best rate. Of a broadcast or a reduce with windows: every block crosses the
 * cut after it, or the farthest contribution, can have come to it, and before it is too late for the farthest node on
 * the other side, or the root. */
#include "bound_internal.h"

#include <gossipfab/schedule/rate.h>

#include <inttypes.h>
#include <stdlib.h>

/* Does the link go from the port's node, or to it? */
static bool goes(const gfab_topology *topology, const gfab_port *port, bool to)
{
    return gfab_topology_arc_weight(topology, (2 * port->link + port->end) ^ to) > 0;
}

/* Arcs from what is behind the cut, on side 0, to where it is crossed; or from there to what is in front of it: the
 * root, or the farthest member. */
static uint32_t look_behind(const gfab_topology *topology, const gfab_certificate *c, uint32_t side, bool root,
                            uint32_t *distance, uint32_t *queue)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    size_t head = 0, tail = 0;
    uint32_t far = 0;
    for (uint32_t v = 0; v < nodes; v++)
        distance[v] = UINT32_MAX;
    for (uint32_t v = 0; v < nodes; v++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, v, &count);
        for (size_t i = 0; i < count && c->part[v] == side && distance[v]; i++)
            if (c->part[ports[i].peer] != side && goes(topology, &ports[i], side == 1)) {
                distance[v] = 0;
                queue[tail++] = v;
            }
    }
    for (; head < tail; head++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, queue[head], &count);
        for (size_t i = 0; i < count; i++)
            if (distance[ports[i].peer] == UINT32_MAX && goes(topology, &ports[i], side == 0)) {
                distance[ports[i].peer] = distance[queue[head]] + 1;
                queue[tail++] = ports[i].peer;
            }
    }
    if (root)
        return distance[gfab_topology_member(topology, c->goal.root)];
    for (uint32_t v = 0; v < nodes; v++)
        if (c->part[v] == side && !gfab_topology_is_relay(topology, v) && distance[v] > far)
            far = distance[v];
    return far;
}

/* Rounds in which no block can cross. */
static gfab_status find_window(const gfab_topology *topology, const gfab_certificate *c, uint64_t lambda,
                               uint64_t *window)
{
    const size_t nodes = gfab_topology_node_count(topology);
    *window = 0;
    if (!c->cut || !gfab_collective_has_root(c->goal.collective) ||
        gfab_topology_marks(topology) & GFAB_MARK_SWITCHES) /* links are no hops there */
        return GFAB_OK;
    GFAB_FREED uint32_t *work = malloc(2 * nodes * sizeof *work);
    GFAB_NEED(work);
    const bool from_root = c->goal.collective == GFAB_BROADCAST;
    *window = lambda * look_behind(topology, c, 0, from_root, work, work + nodes);
    *window += lambda * look_behind(topology, c, 1, !from_root, work, work + nodes);
    return GFAB_OK;
}

gfab_status gfab_bound_add_rate(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                const gfab_goal *goal, const gfab_progress *progress)
{
    gfab_certificate c;
    bool tight;
    uint64_t window;
    if (gfab_topology_node_count(topology) * gfab_topology_link_count(topology) > GFAB_BOUND_MAX_RATE)
        return GFAB_OK;
    gfab_status status = gfab_rate(topology, model->link_mode, goal, progress, &c, &tight);
    if (status == GFAB_ERR_UNSUPPORTED || status == GFAB_ERR_LIMIT)
        return GFAB_OK;
    if (status == GFAB_OK && (status = find_window(topology, &c, model->hop_rounds, &window)) == GFAB_OK) {
        const uint64_t messages = goal->blocks / c.goal.blocks * c.demand, room = c.capacity * model->packet_tokens;
        gfab_bound_add(list, "rate", window + gfab_divide_up(messages, room),
                       c.cut ? "folklore; ForestColl (arXiv:2402.06787)" : "Nash-Williams 1961, Tutte 1961",
                       "%" PRIu64 " messages %s, %" PRIu64 " a round%s; gossipfab bound --certificate names %s.",
                       messages, c.cut ? "cross the narrowest cut" : "go between the parts of the weakest partition",
                       room, window ? ", of those that are not too soon or too late" : "",
                       c.cut ? "its sides" : "them");
    }
    if (status == GFAB_OK || status == GFAB_ERR_NO_MEMORY)
        gfab_certificate_release(&c);
    return status;
}
