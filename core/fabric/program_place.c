/* SPDX-License-Identifier: MIT */
/* Slots that are handed out anew. What a node starts with has slots 0, 1, ...; what arrives gets the lowest slot whose
 * block is not needed after that round: it was sent for the last time, in this round at the latest, and the node does
 * not want it. A round's sends read every word before the same word of what arrives is written, so that a slot may be
 * taken in the round in which it is sent for the last time. At any time no more slots are in use than blocks that are
 * needed, and so their number is the least for slots 0, 1, ... (intervals on a line are coloured in the order in which
 * they begin). */
#include "program_internal.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define FOR_GOOD UINT32_MAX

typedef struct handing_out {
    const gfab_program *from;
    gfab_program *to; /* NULL while slots are counted */
    gfab_layout *layout;
    const gfab_goal *goal;
    size_t members;
    uint32_t *last;  /* [block]: the last round in which the node needs it */
    uint32_t *slot;  /* [block], or NONE */
    uint32_t *until; /* [slot]: the last round in which what it has is needed */
    uint32_t slots, room;
} handing_out;

/* The lowest slot that is free in a round; NONE where memory runs out. */
static uint32_t take_slot(handing_out *h, uint32_t round)
{
    uint32_t slot = 0;
    while (slot < h->slots && h->until[slot] > round)
        slot++;
    if (slot == h->room) {
        uint32_t *more = realloc(h->until, 2 * (size_t)h->room * sizeof *more);
        if (!more)
            return NONE;
        h->until = more;
        h->room *= 2;
    }
    if (slot == h->slots)
        h->slots++;
    return slot;
}

static gfab_status keep(handing_out *h, uint32_t block, uint32_t round)
{
    const uint32_t slot = take_slot(h, round);
    if (slot == NONE)
        return GFAB_ERR_NO_MEMORY;
    h->until[slot] = h->last[block] > round ? h->last[block] : round + 1; /* nobody needs it: until it is there */
    h->slot[block] = slot;
    return GFAB_OK;
}

/* The last rounds of all blocks that pass through a node. */
static void look_ahead(handing_out *h, size_t node, uint32_t rank)
{
    const gfab_program *p = h->from;
    memset(h->last, 0, h->goal->blocks * sizeof *h->last);
    memset(h->slot, 0xff, h->goal->blocks * sizeof *h->slot);
    for (uint32_t round = 1; round <= p->rounds; round++)
        for (size_t lane = 0; lane < p->lanes; lane++) {
            const gfab_op op = gfab_program_half(p, node, round, lane, 0);
            if (op.kind == GFAB_OP_SEND)
                h->last[op.slot] = round;
        }
    const uint32_t wanted = gfab_goal_wanted_count(h->goal, h->members, rank);
    for (uint32_t i = 0; i < wanted; i++)
        h->last[gfab_goal_wanted(h->goal, h->members, rank, i)] = FOR_GOOD;
}

/* One op; what is sent in a round goes before what is received in it. */
static gfab_status rename_op(handing_out *h, size_t node, uint32_t round, size_t lane, uint32_t half, bool sends,
                             gfab_diag *diag)
{
    gfab_op op = gfab_program_half(h->from, node, round, lane, half);
    if (op.kind != (sends ? GFAB_OP_SEND : GFAB_OP_RECV))
        return GFAB_OK;
    const uint32_t block = op.slot;
    if (!sends && keep(h, block, round) != GFAB_OK)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of node %zu", node);
    if (h->slot[block] == NONE)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: block %u is sent, but it is not there", node,
                         (unsigned)round, (unsigned)block);
    op.slot = h->slot[block];
    if (h->to)
        gfab_program_set_half(h->to, node, round, lane, half, op);
    return GFAB_OK;
}

static gfab_status hand_out(handing_out *h, size_t node, gfab_diag *diag)
{
    const uint32_t rank = gfab_topology_rank(gfab_layout_topology(h->from->layout), (uint32_t)node);
    const uint32_t held = gfab_goal_held_count(h->goal, h->members, rank);
    const uint32_t wanted = gfab_goal_wanted_count(h->goal, h->members, rank);
    gfab_status status = GFAB_OK;
    look_ahead(h, node, rank);
    memset(h->until, 0, h->slots * sizeof *h->until);
    for (uint32_t i = 0; i < held && status == GFAB_OK; i++) /* in slots 0, 1, ... */
        status = keep(h, gfab_goal_held(h->goal, h->members, rank, i), 0);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for the slots of node %zu", node);
    for (uint32_t round = 1; round <= h->from->rounds; round++)
        for (uint32_t pass = 0; pass < 2; pass++)
            for (size_t lane = 0; lane < h->from->lanes && status == GFAB_OK; lane++)
                status = rename_op(h, node, round, lane, pass ? h->from->halves - 1 : 0, pass == 0, diag);
    for (uint32_t i = 0; i < wanted && status == GFAB_OK; i++) {
        const uint32_t block = gfab_goal_wanted(h->goal, h->members, rank, i);
        if (h->slot[block] == NONE)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu: block %u never comes", node, (unsigned)block);
        if (h->to)
            gfab_layout_set_place(h->layout, node, i, h->slot[block]);
    }
    return status;
}

static gfab_status hand_out_all(handing_out *h, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(h->from->layout));
    gfab_status status = GFAB_OK;
    for (size_t node = 0; node < nodes && status == GFAB_OK; node++)
        status = hand_out(h, node, diag);
    return status;
}

gfab_status gfab_program_place(const gfab_program *program, const gfab_goal *goal, gfab_layout *layout,
                               gfab_program **placed, gfab_diag *diag)
{
    handing_out h = {.from = program, .layout = layout, .goal = goal, .room = 64};
    h.members = gfab_topology_member_count(gfab_layout_topology(layout));
    h.last = malloc(goal->blocks * sizeof *h.last);
    h.slot = malloc(goal->blocks * sizeof *h.slot);
    h.until = malloc(h.room * sizeof *h.until);
    gfab_program *made = NULL;
    gfab_status status = h.last && h.slot && h.until ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    if (status != GFAB_OK)
        gfab_fail(diag, 0, status, "out of memory for the slots of %u blocks", (unsigned)goal->blocks);
    else
        status = hand_out_all(&h, diag);
    if (status == GFAB_OK && ((status = gfab_layout_give_places(layout, goal, h.slots)) != GFAB_OK ||
                              (status = gfab_program_create(layout, program->rounds, &made)) != GFAB_OK))
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    if (status == GFAB_OK) {
        memcpy(made->gaps, program->gaps, program->rounds * sizeof *made->gaps);
        h.to = made;
        status = hand_out_all(&h, diag);
    }
    free(h.last);
    free(h.slot);
    free(h.until);
    if (status == GFAB_OK)
        *placed = made;
    else
        gfab_program_destroy(made);
    return status;
}
