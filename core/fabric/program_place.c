/* SPDX-License-Identifier: MIT */
/* Slots that are handed out anew: at the nodes of an all-to-all, and at relays. What a node starts with has slots 0,
 * 1, ...; what is stored gets the lowest slot of which nothing is needed after that round: what it has was sent for
 * the last time, in this round at the latest, and the node does not want it. A round's sends read every word before the
 * same word of what arrives is written, so that a slot may be taken in the round in which it is sent for the last time.
 * What is combined stays where the first contribution was stored, up to the last time that it is sent, or combined: a
 * slot gets nothing stored in a round in which something is combined in it. At any time no more slots are in use than
 * blocks that are needed, and so their number is the least for slots 0, 1, ... (intervals on a line are coloured in the
 * order in which they begin). */
#include "program_internal.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define FOR_GOOD UINT32_MAX

typedef struct handing_out {
    const gfab_program *from;
    gfab_program *to; /* NULL while slots are counted */
    gfab_layout *layout;
    const gfab_goal *goal; /* NULL: at relays alone, which hold nothing and want nothing */
    size_t members;
    uint32_t *need;  /* [block]: looking back, the last round in which what is there now is needed */
    uint32_t *end;   /* [(round - 1) * lanes + lane]: what `need` is of what is stored there */
    uint32_t *slot;  /* [block], or NONE */
    uint32_t *since; /* [block]: the round in which it was stored there */
    uint32_t *until; /* [slot]: the last round in which what it has is needed */
    uint32_t *most;  /* [node]: slots that it takes in one of the programs */
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

/* What is needed up to the round `end` is stored; what arrives more than once in a round goes into one slot. */
static gfab_status keep(handing_out *h, uint32_t block, uint32_t round, uint32_t end)
{
    if (h->slot[block] != NONE && h->since[block] == round)
        return GFAB_OK;
    const uint32_t slot = take_slot(h, round);
    if (slot == NONE)
        return GFAB_ERR_NO_MEMORY;
    h->until[slot] = end > round ? end : round + 1; /* nobody needs it: until it is there */
    h->slot[block] = slot;
    h->since[block] = round;
    return GFAB_OK;
}

static gfab_op op_of(const handing_out *h, size_t node, uint32_t round, size_t lane, bool sends)
{
    return gfab_program_half(h->from, node, round, lane, sends ? 0 : h->from->halves - 1);
}

static void need_until(handing_out *h, uint32_t block, uint32_t round)
{
    if (h->need[block] < round)
        h->need[block] = round;
}

/* Looks back through a round: up to when is needed what it stores, and what is there before it? */
static void look_back(handing_out *h, size_t node, uint32_t round)
{
    const size_t lanes = h->from->lanes;
    for (size_t lane = 0; lane < lanes; lane++) {
        const gfab_op op = op_of(h, node, round, lane, false);
        if (op.kind == GFAB_OP_RECV)
            h->end[(round - 1) * lanes + lane] = h->need[op.slot];
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        const gfab_op op = op_of(h, node, round, lane, false);
        if (op.kind == GFAB_OP_RECV)
            h->need[op.slot] = 0;
        else if (op.kind == GFAB_OP_COMBINE)
            need_until(h, op.slot, round + 1);
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        const gfab_op op = op_of(h, node, round, lane, true);
        if (op.kind == GFAB_OP_SEND)
            need_until(h, op.slot, round);
    }
}

static gfab_status not_there(size_t node, uint32_t round, gfab_op op, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: block %u is %s, but it is not there", node,
                     (unsigned)round, (unsigned)op.slot, op.kind == GFAB_OP_SEND ? "sent" : "combined");
}

/* One op; what is sent in a round goes before what is received in it. */
static gfab_status rename_op(handing_out *h, size_t node, uint32_t round, size_t lane, bool sends, gfab_diag *diag)
{
    gfab_op op = op_of(h, node, round, lane, sends);
    if (op.kind == GFAB_OP_IDLE || (op.kind == GFAB_OP_SEND) != sends)
        return GFAB_OK;
    if (op.kind == GFAB_OP_RECV && keep(h, op.slot, round, h->end[(round - 1) * h->from->lanes + lane]) != GFAB_OK)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of node %zu", node);
    if (h->slot[op.slot] == NONE)
        return not_there(node, round, op, diag);
    op.slot = h->slot[op.slot];
    if (h->to)
        gfab_program_set_half(h->to, node, round, lane, sends ? 0 : h->from->halves - 1, op);
    return GFAB_OK;
}

/* What the node starts with, in slots 0, 1, ... */
static gfab_status keep_held(handing_out *h, size_t node, uint32_t rank, gfab_diag *diag)
{
    const uint32_t held = h->goal ? gfab_goal_held_count(h->goal, h->members, rank) : 0;
    for (uint32_t i = 0; i < held; i++) {
        const uint32_t block = gfab_goal_held(h->goal, h->members, rank, i);
        if (keep(h, block, 0, h->need[block]) != GFAB_OK)
            return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of node %zu", node);
    }
    return GFAB_OK;
}

static gfab_status place_wanted(const handing_out *h, size_t node, uint32_t rank, gfab_diag *diag)
{
    const uint32_t wanted = h->goal ? gfab_goal_wanted_count(h->goal, h->members, rank) : 0;
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t block = gfab_goal_wanted(h->goal, h->members, rank, i);
        if (h->slot[block] == NONE)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu: block %u never comes", node, (unsigned)block);
        if (h->to)
            gfab_layout_set_place(h->layout, node, i, h->slot[block]);
    }
    return GFAB_OK;
}

/* One node. */
static gfab_status hand_out(handing_out *h, size_t node, gfab_diag *diag)
{
    const size_t blocks = gfab_layout_blocks(h->from->layout);
    const uint32_t rank = gfab_topology_rank(gfab_layout_topology(h->from->layout), (uint32_t)node);
    const uint32_t wanted = h->goal ? gfab_goal_wanted_count(h->goal, h->members, rank) : 0;
    memset(h->need, 0, blocks * sizeof *h->need);
    memset(h->slot, 0xff, blocks * sizeof *h->slot);
    h->slots = 0;
    for (uint32_t i = 0; i < wanted; i++)
        h->need[gfab_goal_wanted(h->goal, h->members, rank, i)] = FOR_GOOD;
    for (uint32_t round = h->from->rounds; round > 0; round--)
        look_back(h, node, round);
    gfab_status status = keep_held(h, node, rank, diag);
    for (uint32_t round = 1; round <= h->from->rounds; round++)
        for (uint32_t pass = 0; pass < 2; pass++)
            for (size_t lane = 0; lane < h->from->lanes && status == GFAB_OK; lane++)
                status = rename_op(h, node, round, lane, pass == 0, diag);
    if (h->most[node] < h->slots)
        h->most[node] = h->slots;
    return status == GFAB_OK ? place_wanted(h, node, rank, diag) : status;
}

/* A node of which slots stay as they are. */
static void copy_node(const handing_out *h, size_t node)
{
    for (uint32_t round = 1; round <= h->from->rounds; round++)
        for (size_t lane = 0; lane < h->from->lanes; lane++)
            for (uint32_t half = 0; half < h->from->halves; half++)
                gfab_program_set_half(h->to, node, round, lane, half,
                                      gfab_program_half(h->from, node, round, lane, half));
}

static size_t node_count(const handing_out *h)
{
    return gfab_topology_node_count(gfab_layout_topology(h->layout));
}

/* All nodes of all programs; into placed, unless it is NULL. */
static gfab_status hand_out_all(handing_out *h, const gfab_program *const *programs, size_t count,
                                gfab_program *const *placed, gfab_diag *diag)
{
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < count; i++) {
        h->from = programs[i];
        h->to = placed ? placed[i] : NULL;
        for (size_t node = 0; node < node_count(h) && status == GFAB_OK; node++)
            if (h->goal || gfab_layout_hands_out(h->layout, node))
                status = hand_out(h, node, diag);
            else if (h->to)
                copy_node(h, node);
    }
    return status;
}

/* As many as were counted; a relay that nothing passes has one, which is empty. */
static gfab_status give_slots(const handing_out *h)
{
    uint32_t most = 0;
    for (size_t node = 0; node < node_count(h); node++)
        most = h->most[node] > most ? h->most[node] : most;
    gfab_status status = h->goal ? gfab_layout_give_places(h->layout, h->goal, most) : GFAB_OK;
    for (size_t node = 0; node < node_count(h) && status == GFAB_OK; node++)
        if (gfab_topology_is_relay(gfab_layout_topology(h->layout), node))
            status = gfab_layout_set_node_slots(h->layout, node, h->most[node] ? h->most[node] : 1);
    return status;
}

/* Programs as long as these, to be filled. */
static gfab_status create_placed(const handing_out *h, const gfab_program *const *programs, size_t count,
                                 gfab_program **placed)
{
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < count && status == GFAB_OK; i++) {
        status = gfab_program_create(h->layout, programs[i]->rounds, &placed[i]);
        if (status == GFAB_OK)
            memcpy(placed[i]->gaps, programs[i]->gaps, programs[i]->rounds * sizeof *placed[i]->gaps);
    }
    return status;
}

/* Room for all of it. */
static bool open_tables(handing_out *h, const gfab_program *const *programs, size_t count)
{
    const size_t blocks = gfab_layout_blocks(h->layout);
    size_t ops = 1;
    for (size_t i = 0; i < count; i++)
        if (programs[i]->rounds * programs[i]->lanes > ops)
            ops = programs[i]->rounds * programs[i]->lanes;
    h->room = 64;
    h->need = malloc(blocks * sizeof *h->need);
    h->slot = malloc(blocks * sizeof *h->slot);
    h->since = malloc(blocks * sizeof *h->since);
    h->until = malloc(h->room * sizeof *h->until);
    h->end = malloc(ops * sizeof *h->end);
    h->most = calloc(node_count(h), sizeof *h->most);
    return h->need && h->slot && h->since && h->until && h->end && h->most;
}

static void close_tables(const handing_out *h)
{
    free(h->need);
    free(h->slot);
    free(h->since);
    free(h->until);
    free(h->end);
    free(h->most);
}

gfab_status gfab_program_place(const gfab_program *const *programs, size_t count, const gfab_goal *goal,
                               gfab_layout *layout, gfab_program **placed, gfab_diag *diag)
{
    handing_out h = {.layout = layout, .goal = goal};
    gfab_program *made[GFAB_MAX_PROGRAMS] = {NULL};
    if (count == 0 || count > (goal ? 1 : GFAB_MAX_PROGRAMS))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%zu programs: 1 to %u, or 1 of an all-to-all", count,
                         GFAB_MAX_PROGRAMS);
    h.members = gfab_topology_member_count(gfab_layout_topology(layout));
    gfab_status status = GFAB_OK;
    if (!open_tables(&h, programs, count))
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of %u blocks",
                           (unsigned)gfab_layout_blocks(layout));
    if (status == GFAB_OK)
        status = hand_out_all(&h, programs, count, NULL, diag);
    if (status == GFAB_OK &&
        ((status = give_slots(&h)) != GFAB_OK || (status = create_placed(&h, programs, count, made)) != GFAB_OK))
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    if (status == GFAB_OK)
        status = hand_out_all(&h, programs, count, made, diag);
    close_tables(&h);
    for (size_t i = 0; i < count; i++)
        if (status == GFAB_OK)
            placed[i] = made[i];
        else
            gfab_program_destroy(made[i]);
    return status;
}
