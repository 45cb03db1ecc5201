/* SPDX-License-Identifier: MIT */
/* Slots are allocated, and reused: at the nodes of an all-to-all, and at relays. What a node starts with has slots 0,
 * 1, ...; what is stored gets the lowest slot of which nothing is needed after that round: what it has was sent for
 * the last time, in this round at the latest, and the node does not want it. A round's sends read every word before the
 * same word of what arrives is written, so that a slot may be taken in the round in which it is sent for the last time.
 * What is combined stays where the first contribution was stored, up to the last time that it is sent, or combined: a
 * slot gets nothing stored in a round in which something is combined in it. At any time no more slots are in use than
 * blocks that are needed, and so their number is the least for slots 0, 1, ... (intervals on a line are coloured in the
 * order in which they begin). */
#include "program_internal.h"

#include "base/grow.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define FOR_GOOD UINT32_MAX

typedef struct allocation {
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
    uint32_t slots;
    size_t room;
    gfab_arena arena;
} allocation;

/* The lowest slot that is free in a round; NONE where memory runs out. */
static uint32_t allocate_slot(allocation *a, uint32_t round)
{
    uint32_t slot = 0;
    while (slot < a->slots && a->until[slot] > round)
        slot++;
    if (!gfab_grow(&a->until, slot, &a->room, sizeof *a->until))
        return NONE;
    if (slot == a->slots)
        a->slots++;
    return slot;
}

/* What is needed up to the round `end` is stored; what arrives more than once in a round goes into one slot. */
static gfab_status keep(allocation *a, uint32_t block, uint32_t round, uint32_t end)
{
    if (a->slot[block] != NONE && a->since[block] == round)
        return GFAB_OK;
    const uint32_t slot = allocate_slot(a, round);
    if (slot == NONE)
        return GFAB_ERR_NO_MEMORY;
    a->until[slot] = end > round ? end : round + 1; /* nobody needs it: until it is there */
    a->slot[block] = slot;
    a->since[block] = round;
    return GFAB_OK;
}

static gfab_op op_of(const allocation *a, size_t node, uint32_t round, size_t lane, bool sends)
{
    return gfab_program_half(a->from, node, round, lane, sends ? 0 : a->from->halves - 1);
}

static void need_until(allocation *a, uint32_t block, uint32_t round)
{
    if (a->need[block] < round)
        a->need[block] = round;
}

/* Looks back through a round: up to when is needed what it stores, and what is there before it? */
static void look_back(allocation *a, size_t node, uint32_t round)
{
    const size_t lanes = a->from->lanes;
    for (size_t lane = 0; lane < lanes; lane++) {
        const gfab_op op = op_of(a, node, round, lane, false);
        if (op.kind == GFAB_OP_RECV)
            a->end[(round - 1) * lanes + lane] = a->need[op.slot];
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        const gfab_op op = op_of(a, node, round, lane, false);
        if (op.kind == GFAB_OP_RECV)
            a->need[op.slot] = 0;
        else if (op.kind == GFAB_OP_COMBINE)
            need_until(a, op.slot, round + 1);
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        const gfab_op op = op_of(a, node, round, lane, true);
        if (op.kind == GFAB_OP_SEND)
            need_until(a, op.slot, round);
    }
}

static gfab_status not_there(size_t node, uint32_t round, gfab_op op, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: block %u is %s, but it is not there", node,
                     (unsigned)round, (unsigned)op.slot, op.kind == GFAB_OP_SEND ? "sent" : "combined");
}

/* One op; what is sent in a round goes before what is received in it. */
static gfab_status rename_op(allocation *a, size_t node, uint32_t round, size_t lane, bool sends, gfab_diag *diag)
{
    gfab_op op = op_of(a, node, round, lane, sends);
    if (op.kind == GFAB_OP_IDLE || (op.kind == GFAB_OP_SEND) != sends)
        return GFAB_OK;
    if (op.kind == GFAB_OP_RECV && keep(a, op.slot, round, a->end[(round - 1) * a->from->lanes + lane]) != GFAB_OK)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of node %zu", node);
    if (a->slot[op.slot] == NONE)
        return not_there(node, round, op, diag);
    op.slot = a->slot[op.slot];
    if (a->to)
        gfab_program_set_half(a->to, node, round, lane, sends ? 0 : a->from->halves - 1, op);
    return GFAB_OK;
}

/* What the node starts with, in slots 0, 1, ... */
static gfab_status keep_held(allocation *a, size_t node, uint32_t rank, gfab_diag *diag)
{
    const uint32_t held = a->goal ? gfab_goal_held_count(a->goal, a->members, rank) : 0;
    for (uint32_t i = 0; i < held; i++) {
        const uint32_t block = gfab_goal_held(a->goal, a->members, rank, i);
        if (keep(a, block, 0, a->need[block]) != GFAB_OK)
            return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of node %zu", node);
    }
    return GFAB_OK;
}

static gfab_status place_wanted(const allocation *a, size_t node, uint32_t rank, gfab_diag *diag)
{
    const uint32_t wanted = a->goal ? gfab_goal_wanted_count(a->goal, a->members, rank) : 0;
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t block = gfab_goal_wanted(a->goal, a->members, rank, i);
        if (a->slot[block] == NONE)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu: block %u never comes", node, (unsigned)block);
        if (a->to)
            gfab_layout_set_place(a->layout, node, i, a->slot[block]);
    }
    return GFAB_OK;
}

/* One node. */
static gfab_status allocate_node(allocation *a, size_t node, gfab_diag *diag)
{
    const size_t blocks = gfab_layout_blocks(a->from->layout);
    const uint32_t rank = gfab_topology_rank(gfab_layout_topology(a->from->layout), (uint32_t)node);
    const uint32_t wanted = a->goal ? gfab_goal_wanted_count(a->goal, a->members, rank) : 0;
    memset(a->need, 0, blocks * sizeof *a->need);
    memset(a->slot, 0xff, blocks * sizeof *a->slot);
    a->slots = 0;
    for (uint32_t i = 0; i < wanted; i++)
        a->need[gfab_goal_wanted(a->goal, a->members, rank, i)] = FOR_GOOD;
    for (uint32_t round = a->from->rounds; round > 0; round--)
        look_back(a, node, round);
    GFAB_TRY(keep_held(a, node, rank, diag));
    for (uint32_t round = 1; round <= a->from->rounds; round++)
        for (uint32_t pass = 0; pass < 2; pass++)
            for (size_t lane = 0; lane < a->from->lanes; lane++)
                GFAB_TRY(rename_op(a, node, round, lane, pass == 0, diag));
    if (a->most[node] < a->slots)
        a->most[node] = a->slots;
    return place_wanted(a, node, rank, diag);
}

/* A node of which slots stay as they are. */
static void copy_node(const allocation *a, size_t node)
{
    for (uint32_t round = 1; round <= a->from->rounds; round++)
        for (size_t lane = 0; lane < a->from->lanes; lane++)
            for (uint32_t half = 0; half < a->from->halves; half++)
                gfab_program_set_half(a->to, node, round, lane, half,
                                      gfab_program_half(a->from, node, round, lane, half));
}

static size_t node_count(const allocation *a)
{
    return gfab_topology_node_count(gfab_layout_topology(a->layout));
}

/* All nodes of all programs; into placed, unless it is NULL. */
static gfab_status allocate_all(allocation *a, const gfab_program *const *programs, size_t count,
                                gfab_program *const *placed, gfab_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        a->from = programs[i];
        a->to = placed ? placed[i] : NULL;
        for (size_t node = 0; node < node_count(a); node++)
            if (a->goal || gfab_layout_reuses_slots(a->layout, node))
                GFAB_TRY(allocate_node(a, node, diag));
            else if (a->to)
                copy_node(a, node);
    }
    return GFAB_OK;
}

/* As many as were counted; a relay that nothing passes has one, which is empty. */
static gfab_status set_slots(const allocation *a)
{
    uint32_t most = 0;
    for (size_t node = 0; node < node_count(a); node++)
        most = a->most[node] > most ? a->most[node] : most;
    GFAB_TRY(a->goal ? gfab_layout_allocate(a->layout, a->goal, most) : GFAB_OK);
    for (size_t node = 0; node < node_count(a); node++)
        if (gfab_topology_is_relay(gfab_layout_topology(a->layout), node))
            GFAB_TRY(gfab_layout_set_node_slots(a->layout, node, a->most[node] ? a->most[node] : 1));
    return GFAB_OK;
}

/* Programs as long as these, to be filled. */
static gfab_status create_placed(const allocation *a, const gfab_program *const *programs, size_t count,
                                 gfab_program **placed)
{
    for (size_t i = 0; i < count; i++) {
        const gfab_program *program = programs[i];
        GFAB_TRY(gfab_program_create(a->layout, program->rounds, &placed[i]));
        memcpy(placed[i]->gaps, program->gaps, program->rounds * sizeof *placed[i]->gaps);
        if (program->paths)
            memcpy(placed[i]->paths, program->paths,
                   program->rounds * program->kinds * program->lanes * sizeof *placed[i]->paths);
    }
    return GFAB_OK;
}

/* Room for all of it. */
static bool open_tables(allocation *a, const gfab_program *const *programs, size_t count)
{
    const size_t blocks = gfab_layout_blocks(a->layout);
    size_t ops = 1;
    for (size_t i = 0; i < count; i++)
        if (programs[i]->rounds * programs[i]->lanes > ops)
            ops = programs[i]->rounds * programs[i]->lanes;
    a->need = gfab_arena_zeroed(&a->arena, blocks, sizeof *a->need);
    a->slot = malloc(blocks * sizeof *a->slot);
    a->since = gfab_arena_zeroed(&a->arena, blocks, sizeof *a->since);
    a->end = gfab_arena_zeroed(&a->arena, ops, sizeof *a->end);
    a->most = gfab_arena_zeroed(&a->arena, node_count(a), sizeof *a->most);
    return a->slot && !a->arena.failed;
}

static void close_tables(allocation *a)
{
    gfab_arena_release(&a->arena);
    GFAB_FREE(a->slot, a->until);
}

/* In a layout that has its slots already: are they enough? */
static gfab_status check_slots(const allocation *a, gfab_diag *diag)
{
    for (size_t node = 0; node < node_count(a); node++)
        if (a->most[node] > gfab_layout_node_slots(a->layout, node))
            return gfab_fail(
                diag, 0, GFAB_ERR_LIMIT,
                "relay %zu would keep %u blocks at a time, and has %u slots; generate it with --relay-slots %u", node,
                (unsigned)a->most[node], (unsigned)gfab_layout_node_slots(a->layout, node), (unsigned)a->most[node]);
    return GFAB_OK;
}

static gfab_status allocate(allocation *a, const gfab_program *const *programs, size_t count, bool fixed,
                            gfab_program **placed, gfab_diag *diag)
{
    gfab_program *made[GFAB_MAX_PROGRAMS] = {NULL};
    gfab_status status = GFAB_OK;
    a->members = gfab_topology_member_count(gfab_layout_topology(a->layout));
    if (!open_tables(a, programs, count))
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of %u blocks",
                           (unsigned)gfab_layout_blocks(a->layout));
    GFAB_THEN(status, allocate_all(a, programs, count, NULL, diag));
    if (status == GFAB_OK && fixed)
        status = check_slots(a, diag);
    else if (status == GFAB_OK && (status = set_slots(a)) != GFAB_OK)
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    GFAB_THEN(status, gfab_told(create_placed(a, programs, count, made), diag));
    GFAB_THEN(status, allocate_all(a, programs, count, made, diag));
    close_tables(a);
    for (size_t i = 0; i < count; i++)
        if (status == GFAB_OK)
            placed[i] = made[i];
        else
            gfab_program_destroy(made[i]);
    return status;
}

gfab_status gfab_program_allocate(const gfab_program *const *programs, size_t count, const gfab_goal *goal,
                                  gfab_layout *layout, gfab_program **placed, gfab_diag *diag)
{
    allocation a = {.layout = layout, .goal = goal};
    if (count == 0 || count > (goal ? 1 : GFAB_MAX_PROGRAMS))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%zu programs: 1 to %u, or 1 of an all-to-all", count,
                         GFAB_MAX_PROGRAMS);
    return allocate(&a, programs, count, false, placed, diag);
}

gfab_status gfab_program_allocate_again(const gfab_program *program, gfab_program **placed, gfab_diag *diag)
{
    allocation a = {.layout = (gfab_layout *)program->layout}; /* which stays as it is */
    return allocate(&a, &program, 1, true, placed, diag);
}
