/* SPDX-License-Identifier: MIT */
/* Where slots are reused, at relays and in layouts with places: is what is sent the block that the next node
 * takes it for, and does every block that is wanted arrive, and stay? Rule 9 of docs/reference/rom-format.md. What is
 * in every slot is followed from the start of each program on. Other nodes' slots have their blocks at all times. */
#include "base/progress.h"
#include "fabric/image_internal.h"

#include <gossipfab/base/arena.h>
#include <string.h>

#define NOTHING UINT32_MAX

typedef struct stores {
    const gfab_image *image;
    const gfab_layout *layout;
    size_t nodes, lanes, slots;
    size_t *first;   /* by node: of its slots among all that are reused; `slots` in all */
    uint32_t *has;   /* first[node] + slot: the block */
    uint32_t *since; /* likewise: the round in which it was stored */
    uint32_t *sent;  /* node * lanes + lane: the block that is on the way from there in a round */
    gfab_arena arena;
} stores;
GFAB_HOLDS_ARENA(stores)

/* An op, and where it is. */
typedef struct place {
    size_t node, round, lane;
    gfab_op op;
} place;

static gfab_status fault(const place *at, const char *text, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %zu, lane %zu: %s", at->node, at->round, at->lane, text);
}

/* At the start of a program only what the goal of a layout with places says is there. */
static void load(stores *s)
{
    const gfab_topology *topology = gfab_layout_topology(s->layout);
    const size_t members = gfab_topology_member_count(topology);
    const gfab_goal *goal = gfab_layout_goal(s->layout);
    memset(s->has, 0xff, s->slots * sizeof *s->has);
    memset(s->since, 0, s->slots * sizeof *s->since);
    for (size_t node = 0; goal && node < s->nodes; node++) {
        const uint32_t rank = gfab_topology_rank(topology, (uint32_t)node);
        const uint32_t held = gfab_goal_held_count(goal, members, rank);
        for (uint32_t i = 0; i < held; i++)
            s->has[s->first[node] + i] = gfab_goal_held(goal, members, rank, i);
    }
}

static gfab_status send(stores *s, const place *at, gfab_diag *diag)
{
    uint32_t *sent = &s->sent[at->node * s->lanes + at->lane];
    *sent = at->op.slot;
    if (!gfab_layout_reuses_slots(s->layout, at->node))
        return GFAB_OK;
    *sent = s->has[s->first[at->node] + at->op.slot];
    if (*sent != NOTHING)
        return GFAB_OK;
    char text[80];
    snprintf(text, sizeof text, "slot %u is sent, but nothing is in it", (unsigned)at->op.slot);
    return fault(at, text, diag);
}

/* What arrives in a lane: what the other end of its link sends, or that of the path that it passes on. Paths of a
 * checked image end. */
static uint32_t arriving(const stores *s, const place *at)
{
    size_t node = at->node, lane = at->lane;
    for (;;) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(gfab_layout_topology(s->layout), node, &count);
        const gfab_port port = ports[gfab_layout_port(s->layout, node, lane)];
        node = port.peer;
        lane = gfab_layout_lane(s->layout, port.peer, port.peer_port);
        const uint32_t source =
            gfab_layout_paths(s->layout) ? gfab_image_path(s->image, node, at->round, lane).source : 0;
        if (source == 0)
            return s->sent[node * s->lanes + lane];
        lane = source - 1;
    }
}

/* Where slots are reused; a block that is combined is there once, as it was stored last. */
static gfab_status store(stores *s, const place *at, uint32_t block, gfab_diag *diag)
{
    uint32_t *has = s->has + s->first[at->node], *since = s->since + s->first[at->node];
    const uint32_t slot = at->op.slot;
    if (since[slot] == at->round && has[slot] != block) {
        char text[80];
        snprintf(text, sizeof text, "block %u for slot %u, which gets block %u in the same round", (unsigned)block,
                 (unsigned)slot, (unsigned)has[slot]);
        return fault(at, text, diag);
    }
    for (uint32_t i = 0; gfab_layout_combines(s->layout) && i < gfab_layout_node_slots(s->layout, at->node); i++)
        if (has[i] == block)
            has[i] = NOTHING;
    has[slot] = block;
    since[slot] = (uint32_t)at->round;
    return GFAB_OK;
}

/* Is it of the block that the slot has? */
static gfab_status compare(const stores *s, const place *at, uint32_t block, gfab_diag *diag)
{
    const bool reused = gfab_layout_reuses_slots(s->layout, at->node);
    const uint32_t has = reused ? s->has[s->first[at->node] + at->op.slot] : at->op.slot;
    char text[120];
    if (has == block)
        return GFAB_OK;
    if (has == NOTHING)
        snprintf(text, sizeof text, "combine slot %u, but nothing is in it", (unsigned)at->op.slot);
    else
        snprintf(text, sizeof text, "%s slot %u, %s block %u, but what arrives is block %u",
                 gfab_op_kind_name(at->op.kind), (unsigned)at->op.slot, reused ? "which has" : "for", (unsigned)has,
                 (unsigned)block);
    return fault(at, text, diag);
}

/* What all nodes do with ops of one kind in a round. */
static gfab_status follow(stores *s, size_t round, gfab_op_kind kind, gfab_diag *diag)
{
    const uint32_t half = kind == GFAB_OP_SEND ? 0 : gfab_layout_halves(s->layout) - 1;
    for (size_t i = 0; i < s->nodes * s->lanes; i++) {
        place at = {.node = i / s->lanes, .round = round, .lane = i % s->lanes};
        at.op = gfab_image_op(s->image, at.node, round, at.lane, half);
        if (at.op.kind != kind)
            continue;
        if (kind == GFAB_OP_SEND)
            GFAB_TRY(send(s, &at, diag));
        else if (kind == GFAB_OP_RECV && gfab_layout_reuses_slots(s->layout, at.node))
            GFAB_TRY(store(s, &at, arriving(s, &at), diag));
        else
            GFAB_TRY(compare(s, &at, arriving(s, &at), diag));
    }
    return GFAB_OK;
}

static gfab_status find_wanted(const stores *s, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(s->layout);
    const size_t members = gfab_topology_member_count(topology);
    const gfab_goal *goal = gfab_layout_goal(s->layout);
    for (size_t node = 0; goal && node < s->nodes; node++) {
        const uint32_t rank = gfab_topology_rank(topology, (uint32_t)node);
        const uint32_t wanted = gfab_goal_wanted_count(goal, members, rank);
        for (uint32_t i = 0; i < wanted; i++) {
            const uint32_t block = gfab_goal_wanted(goal, members, rank, i);
            const uint32_t slot = gfab_layout_place(s->layout, node, i), has = s->has[s->first[node] + slot];
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

static gfab_status follow_program(stores *s, size_t program, const gfab_progress *progress, gfab_diag *diag)
{
    static const gfab_op_kind order[] = {GFAB_OP_SEND, GFAB_OP_RECV, GFAB_OP_COMBINE};
    const size_t first = (size_t)gfab_image_first_round(s->image, program) + 1;
    const size_t rounds = gfab_image_rounds(s->image, program);
    load(s);
    for (size_t i = 0; i < rounds; i++) {
        GFAB_TRY(gfab_progress_report(progress, "rounds of blocks followed", i, rounds));
        for (size_t kind = 0; kind < sizeof order / sizeof *order; kind++)
            GFAB_TRY(follow(s, first + i, order[kind], diag));
    }
    return find_wanted(s, diag);
}

/* Where the slots of each node are. */
static void number_slots(stores *s)
{
    for (size_t node = 0; node < s->nodes; node++) {
        s->first[node] = s->slots;
        if (gfab_layout_reuses_slots(s->layout, node))
            s->slots += gfab_layout_node_slots(s->layout, node);
    }
}

gfab_status gfab_check_places(const gfab_image *image, const gfab_progress *progress, gfab_diag *diag)
{
    GFAB_AT_END(stores_release)
    stores s = {.image = image,
                .layout = image->layout,
                .nodes = gfab_topology_node_count(gfab_layout_topology(image->layout)),
                .lanes = gfab_layout_lane_count(image->layout)};
    s.first = gfab_arena_zeroed(&s.arena, s.nodes, sizeof *s.first);
    if (s.first)
        number_slots(&s);
    GFAB_ARRAYS(&s.arena, s.slots + 1, s.has, s.since);
    s.sent = gfab_arena_zeroed(&s.arena, s.nodes * s.lanes, sizeof *s.sent);
    if (s.arena.failed)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the slots of %zu nodes", s.nodes);
    for (size_t program = 0; program < image->program_count; program++)
        GFAB_TRY(follow_program(&s, program, progress, diag));
    return GFAB_OK;
}
