/* SPDX-License-Identifier: MIT */
/* Where slots are handed out anew: does every block arrive, and stay until it is needed no more? Rule 9 of
 * docs/reference/rom-format.md. What is in every slot is followed from the loads on. */
#include "base/progress.h"
#include "image_internal.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING UINT32_MAX

typedef struct stores {
    const gfab_image *image;
    size_t nodes, lanes, slots;
    uint32_t *has;  /* node * slots + slot: the block */
    uint32_t *sent; /* node * lanes + lane: the block that is on the way from there in a round */
} stores;

static void load(stores *s)
{
    const gfab_topology *topology = gfab_layout_topology(s->image->layout);
    const size_t members = gfab_topology_member_count(topology);
    const gfab_goal *goal = gfab_layout_goal(s->image->layout);
    memset(s->has, 0xff, s->nodes * s->slots * sizeof *s->has);
    for (size_t node = 0; node < s->nodes; node++) {
        const uint32_t rank = gfab_topology_rank(topology, (uint32_t)node);
        const uint32_t held = gfab_goal_held_count(goal, members, rank);
        for (uint32_t i = 0; i < held; i++)
            s->has[node * s->slots + i] = gfab_goal_held(goal, members, rank, i);
    }
}

static gfab_status send(stores *s, size_t round, gfab_diag *diag)
{
    for (size_t i = 0; i < s->nodes * s->lanes; i++) {
        const size_t node = i / s->lanes, lane = i % s->lanes;
        const gfab_op op = gfab_image_op(s->image, node, round, lane, 0);
        s->sent[i] = NOTHING;
        if (op.kind != GFAB_OP_SEND)
            continue;
        s->sent[i] = s->has[node * s->slots + op.slot];
        if (s->sent[i] == NOTHING)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "node %zu, round %zu, lane %zu: slot %u is sent, but nothing is in it", node, round, lane,
                             (unsigned)op.slot);
    }
    return GFAB_OK;
}

static void receive(stores *s, size_t round)
{
    const gfab_layout *layout = s->image->layout;
    const uint32_t half = gfab_layout_halves(layout) - 1;
    for (size_t i = 0; i < s->nodes * s->lanes; i++) {
        const size_t node = i / s->lanes, lane = i % s->lanes;
        const gfab_op op = gfab_image_op(s->image, node, round, lane, half);
        size_t count;
        if (op.kind != GFAB_OP_RECV)
            continue;
        const gfab_port *ports = gfab_topology_ports(gfab_layout_topology(layout), node, &count);
        const gfab_port port = ports[gfab_layout_port(layout, node, lane)];
        const size_t from = port.peer * s->lanes + gfab_layout_lane(layout, port.peer, port.peer_port);
        s->has[node * s->slots + op.slot] = s->sent[from];
    }
}

static gfab_status find_wanted(const stores *s, gfab_diag *diag)
{
    const gfab_layout *layout = s->image->layout;
    const gfab_topology *topology = gfab_layout_topology(layout);
    const size_t members = gfab_topology_member_count(topology);
    const gfab_goal *goal = gfab_layout_goal(layout);
    for (size_t node = 0; node < s->nodes; node++) {
        const uint32_t rank = gfab_topology_rank(topology, (uint32_t)node);
        const uint32_t wanted = gfab_goal_wanted_count(goal, members, rank);
        for (uint32_t i = 0; i < wanted; i++) {
            const uint32_t block = gfab_goal_wanted(goal, members, rank, i), slot = gfab_layout_place(layout, node, i);
            const uint32_t has = s->has[node * s->slots + slot];
            if (has == block)
                continue;
            if (has == NOTHING)
                return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                                 "node %zu: block %u should be in slot %u in the end, but nothing is", node,
                                 (unsigned)block, (unsigned)slot);
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "node %zu: block %u should be in slot %u in the end, but block %u is", node,
                             (unsigned)block, (unsigned)slot, (unsigned)has);
        }
    }
    return GFAB_OK;
}

gfab_status gfab_check_places(const gfab_image *image, size_t halt, const gfab_progress *progress, gfab_diag *diag)
{
    stores s = {.image = image,
                .nodes = gfab_topology_node_count(gfab_layout_topology(image->layout)),
                .lanes = gfab_layout_lane_count(image->layout),
                .slots = gfab_layout_slot_count(image->layout)};
    s.has = malloc(word_array_product(s.nodes * s.slots, sizeof *s.has));
    s.sent = malloc(s.nodes * s.lanes * sizeof *s.sent);
    gfab_status status = GFAB_OK;
    if (!s.has || !s.sent)
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of %zu nodes", s.nodes);
    else
        load(&s);
    for (size_t round = 1; round < halt && status == GFAB_OK; round++) {
        status = gfab_progress_report(progress, "rounds of blocks followed", round - 1, halt - 1);
        if (status == GFAB_OK)
            status = send(&s, round, diag);
        if (status == GFAB_OK)
            receive(&s, round);
    }
    if (status == GFAB_OK)
        status = find_wanted(&s, diag);
    free(s.has);
    free(s.sent);
    return status;
}
