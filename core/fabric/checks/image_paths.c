/* SPDX-License-Identifier: MIT */
/* Are paths legal? Each is followed from its sender, as a flit would go. */
#include "base/progress.h"
#include "fabric/image_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct check {
    const gfab_image *image;
    const gfab_timing *timing;
    const gfab_layout *layout;
    const gfab_topology *topology;
    size_t nodes;
    size_t lanes;
    uint8_t *reached; /* node * lanes + lane: bit 0: what comes in on it; bit 1: what it passes on, or sends */
    gfab_diag *diag;
} check;

static gfab_status fault(const check *c, size_t node, size_t round, size_t lane, const char *text)
{
    return gfab_fail(c->diag, 0, GFAB_ERR_FAULT, "node %zu, round %zu, lane %zu: %s", node, round, lane, text);
}

/* A word that is to be 0 where the node does not have the lane, and in range elsewhere. */
static gfab_status check_word(const check *c, size_t node, size_t round, size_t lane)
{
    const gfab_path path = gfab_image_path(c->image, node, round, lane);
    const bool present = lane < c->lanes && gfab_layout_port(c->layout, node, lane) != GFAB_NO_PORT;
    if (!present && (path.source || path.tap || path.wait))
        return fault(c, node, round, lane, "a path in a lane that the node does not have");
    if (path.source > c->lanes || path.tap >= c->lanes ||
        (path.source && gfab_layout_port(c->layout, node, path.source - 1) == GFAB_NO_PORT))
        return fault(c, node, round, lane, "a path from a lane that the node does not have");
    if (path.source == lane + 1)
        return fault(c, node, round, lane, "a path that turns back");
    if (path.source && gfab_image_op(c->image, node, round, lane, 0).kind == GFAB_OP_SEND)
        return fault(c, node, round, lane, "passes and sends");
    return GFAB_OK;
}

/* The lane that passes on what comes in on `lane`, or the number of lanes. Two would be seen by whoever counts. */
static size_t passed_to(const check *c, size_t node, size_t round, size_t lane)
{
    size_t out = 0;
    while (out < c->lanes && gfab_image_path(c->image, node, round, out).source != lane + 1)
        out++;
    return out;
}

typedef struct lane_end {
    size_t node, lane;
} lane_end;

/* Marks the path of what a lane puts out, and goes to its end: where it comes in and is not passed on. 0 links where it
 * runs in a circle. */
static size_t follow(const check *c, size_t round, lane_end *at)
{
    size_t links = 0;
    for (;;) {
        size_t count;
        if (c->reached[at->node * c->lanes + at->lane] & 2)
            return 0;
        c->reached[at->node * c->lanes + at->lane] |= 2;
        const gfab_port port =
            gfab_topology_ports(c->topology, at->node, &count)[gfab_layout_port(c->layout, at->node, at->lane)];
        *at = (lane_end){port.peer, gfab_layout_lane(c->layout, port.peer, port.peer_port)};
        c->reached[at->node * c->lanes + at->lane] |= 1;
        links++;
        const size_t out = passed_to(c, at->node, round, at->lane);
        if (out == c->lanes)
            return links;
        at->lane = out;
    }
}

static gfab_status check_arrival(const check *c, size_t round, lane_end from, lane_end to, size_t links)
{
    const gfab_op sent = gfab_image_op(c->image, from.node, round, from.lane, 0);
    const gfab_op received = gfab_image_op(c->image, to.node, round, to.lane, 1);
    const gfab_path path = gfab_image_path(c->image, to.node, round, to.lane);
    const gfab_path expected = gfab_path_over(c->timing, (uint32_t)from.lane, (uint32_t)to.lane, links);
    /* Of a slot that is reused, gfab_check_places knows what it has. */
    const bool reused = gfab_layout_reuses_slots(c->layout, from.node) || gfab_layout_reuses_slots(c->layout, to.node);
    char text[160];
    if (received.kind != GFAB_OP_RECV || (!reused && gfab_layout_token(c->layout, to.node, received.slot) !=
                                                         gfab_layout_token(c->layout, from.node, sent.slot))) {
        snprintf(text, sizeof text, "send slot %u, but %s slot %u at the path's end, node %zu, lane %zu",
                 (unsigned)sent.slot, gfab_op_kind_name(received.kind), (unsigned)received.slot, to.node, to.lane);
        return fault(c, from.node, round, from.lane, text);
    }
    if (path.tap != expected.tap || path.wait != expected.wait) {
        snprintf(text, sizeof text, "tap %u and wait %u, but over %zu links it takes tap %u and wait %u",
                 (unsigned)path.tap, (unsigned)path.wait, links, (unsigned)expected.tap, (unsigned)expected.wait);
        return fault(c, to.node, round, to.lane, text);
    }
    return GFAB_OK;
}

/* One round; *longest gets the links of its longest path, if that is more. first: of the rounds without a gap
 * between, in which everybody who sends at all does. */
static gfab_status check_round(const check *c, size_t round, bool first, size_t *longest)
{
    memset(c->reached, 0, c->nodes * c->lanes);
    for (size_t node = 0; node < c->nodes; node++)
        for (size_t lane = 0; lane < gfab_image_lane_stride(c->image); lane++)
            GFAB_TRY(check_word(c, node, round, lane));
    for (size_t node = 0; node < c->nodes; node++)
        for (size_t lane = 0; lane < c->lanes; lane++) {
            const lane_end from = {node, lane};
            lane_end to = from;
            if (gfab_image_op(c->image, node, round, lane, 0).kind != GFAB_OP_SEND)
                continue;
            const size_t links = follow(c, round, &to);
            if (links == 0)
                return fault(c, node, round, lane, "a path that meets another, or itself");
            GFAB_TRY(check_arrival(c, round, from, to, links));
            if (links > *longest)
                *longest = links;
        }
    for (size_t node = 0; node < c->nodes; node++)
        for (size_t lane = 0; lane < c->lanes; lane++) {
            const uint8_t reached = c->reached[node * c->lanes + lane];
            const gfab_path path = gfab_image_path(c->image, node, round, lane);
            if (first && path.source && !(reached & 2))
                return fault(c, node, round, lane, "a path that nobody sends on");
            else if (gfab_image_op(c->image, node, round, lane, 1).kind == GFAB_OP_RECV &&
                     (!(reached & 1) || passed_to(c, node, round, lane) < c->lanes))
                return fault(c, node, round, lane, "receives what nobody sends to it");
        }
    return GFAB_OK;
}

static gfab_status check_same_paths(const check *c, size_t round)
{
    for (size_t node = 0; node < c->nodes; node++)
        for (size_t lane = 0; lane < c->lanes; lane++) {
            const gfab_path a = gfab_image_path(c->image, node, round, lane);
            const gfab_path b = gfab_image_path(c->image, node, round + 1, lane);
            if (a.source != b.source || a.tap != b.tap || a.wait != b.wait)
                return fault(c, node, round + 1, lane, "another path without a gap before");
        }
    return GFAB_OK;
}

gfab_status gfab_check_paths(const gfab_image *image, const gfab_timing *timing, size_t begin, size_t halt,
                             const gfab_progress *progress, gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    check c = {
        .image = image, .timing = timing, .layout = layout, .topology = gfab_layout_topology(layout), .diag = diag};
    gfab_status status = GFAB_OK;
    size_t longest = 1;
    bool first = true;
    c.nodes = gfab_topology_node_count(c.topology);
    c.lanes = gfab_layout_lane_count(layout);
    c.reached = calloc(c.nodes, c.lanes);
    GFAB_NEED_TOLD(c.reached, diag);
    for (size_t round = begin; round < halt && status == GFAB_OK; round++) {
        const uint32_t gap = gfab_image_gap(image, round);
        status = gfab_progress_report(progress, "rounds of images compared", round - begin, halt - begin);
        GFAB_THEN(status, check_round(&c, round, first, &longest));
        if (status == GFAB_OK && gap == 0)
            status = round + 1 == halt ? gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %zu: no gap before the halt", round)
                                       : check_same_paths(&c, round);
        else if (status == GFAB_OK && gap < gfab_timing_drain_cycles(timing, longest))
            status =
                gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %zu: a gap of %u cycles, but a path of %zu links takes %llu",
                          round, (unsigned)gap, longest, (unsigned long long)gfab_timing_drain_cycles(timing, longest));
        first = gap != 0;
        longest = first ? 1 : longest;
    }
    free(c.reached);
    return status;
}
