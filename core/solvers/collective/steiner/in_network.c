/* SPDX-License-Identifier: MIT */
/* Collectives past switches that copy or combine within the round, as NVLink SHARP and InfiniBand's SHARP do: all of a
 * block in one round, over a tree of such switches that all members hang on. Up the tree it is combined, down it is
 * copied, so that over each link of the tree it goes once each way at most. Nothing waits for anything, and what is
 * left is to fill rounds: block after block, on the first tree that has room, until no tree has. Where an all-reduce's
 * way up and way down are too much for a link's round, or no switch does both, totals come to a member first and leave
 * it in later rounds. There is a tree for every switch as its root, breadth first, so that planes side by side and the
 * spines of a Clos network each get their own.
 *
 * An example: 8 GPUs on one switch by links of weight 9 make an all-reduce of 9 blocks in a round. Every GPU sends its
 * part of each block once, and gets each sum once. In-network reduction is Mellanox's SHARP (Graham et al. 2016), whose
 * aggregation trees these are; filling rounds from several of them is ours. */
#include "solvers/solvers.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/goal.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MAX_NODES 4096u
#define MOST_TREES 64u
#define MOST_PACKETS ((uint64_t)1 << 23) /* of a schedule, or of its group */
#define MOST_LISTED ((uint64_t)1 << 18)  /* beyond it the first rounds repeat, where they may */
#define MOST_PATH 64u

/* A tree: its nodes breadth first from its root, and each one's arc to its parent. */
typedef struct tree {
    uint32_t *order, *depth;
    gfab_arc *up;
    uint32_t count;
} tree;

typedef struct plan {
    const gfab_topology *topology;
    const gfab_solver_options *options;
    gfab_goal goal;
    uint32_t nodes, members;
    bool half, spreads, sums;
    uint32_t after; /* rounds before the first one here */
    tree trees[MOST_TREES];
    uint32_t tree_count;
    uint32_t *load;             /* [arcs]: of the round that is filled */
    uint32_t *senders, *takers; /* [node]: of a block, in the subtree */
    uint32_t *turn;             /* [block of a group]: the round, from 0, in which it goes */
    const tree **over;          /* [block of a group]: its tree */
    uint32_t owners;            /* members, or 1 */
    gfab_arena arena;
} plan;

static uint32_t parent(const plan *p, const tree *t, uint32_t v)
{
    return gfab_topology_arc_to(p->topology, t->up[v]);
}

/* Does the switch do what the collective takes? */
static bool serves(const plan *p, uint32_t v)
{
    return gfab_topology_is_switch(p->topology, v) && (!p->spreads || gfab_topology_copies(p->topology, v)) &&
           (!p->sums || gfab_topology_combines(p->topology, v));
}

/* Breadth first past such switches, over links that go both ways; does it come to all members? */
static bool grow(const plan *p, uint32_t root, tree *t)
{
    uint32_t members = 0;
    for (uint32_t v = 0; v < p->nodes; v++)
        t->depth[v] = NONE;
    t->depth[root] = 0;
    t->order[0] = root;
    t->count = 1;
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t v = t->order[i];
        size_t degree;
        const gfab_port *ports = gfab_topology_ports(p->topology, v, &degree);
        members += !gfab_topology_is_relay(p->topology, v);
        for (size_t k = 0; k < degree && serves(p, v); k++) {
            const gfab_arc out = 2 * ports[k].link + ports[k].end;
            const uint32_t peer = ports[k].peer;
            if (t->depth[peer] != NONE || !gfab_topology_arc_weight(p->topology, out) ||
                !gfab_topology_arc_weight(p->topology, out ^ 1) ||
                (gfab_topology_is_relay(p->topology, peer) && !serves(p, peer)))
                continue;
            t->depth[peer] = t->depth[v] + 1;
            t->up[peer] = out ^ 1;
            t->order[t->count++] = peer;
        }
    }
    return members == p->members && 2 * (uint64_t)t->depth[t->order[t->count - 1]] <= MOST_PATH;
}

static gfab_status grow_all(plan *p, gfab_diag *diag)
{
    for (uint32_t v = 0; v < p->nodes && p->tree_count < MOST_TREES; v++) {
        tree *t = &p->trees[p->tree_count];
        if (!serves(p, v))
            continue;
        if (!t->order)
            GFAB_ARRAYS(&p->arena, p->nodes, t->order, t->depth, t->up);
        if (p->arena.failed)
            return GFAB_ERR_NO_MEMORY;
        p->tree_count += grow(p, v, t);
    }
    if (p->tree_count > 0)
        return GFAB_OK;
    return GFAB_REFUSE(diag, "%s has no tree of switches that %s, with all members on it",
                       gfab_topology_name(p->topology),
                       p->spreads && p->sums ? "copy and combine"
                       : p->spreads          ? "copy"
                                             : "combine");
}

/* ---- filling rounds ---- */

/* Who sends something of a block of this owner, and who wants it. */
static bool sends(const plan *p, uint32_t v, uint32_t owner)
{
    return !gfab_topology_is_relay(p->topology, v) && (p->sums || gfab_topology_rank(p->topology, v) == owner);
}

static bool takes(const plan *p, uint32_t v, uint32_t owner)
{
    return !gfab_topology_is_relay(p->topology, v) && (p->spreads || gfab_topology_rank(p->topology, v) == owner);
}

static bool has_room(const plan *p, gfab_arc arc)
{
    if (p->half)
        return p->load[arc] + p->load[arc ^ 1] <= gfab_topology_weight(p->topology, arc / 2);
    return p->load[arc] <= gfab_topology_arc_weight(p->topology, arc);
}

/* Adds a block of this owner to what the tree's links carry, or takes it away; is there room for it? */
static bool charge(plan *p, const tree *t, uint32_t owner, uint32_t more)
{
    bool room = true;
    memset(p->senders, 0, p->nodes * sizeof *p->senders);
    memset(p->takers, 0, p->nodes * sizeof *p->takers);
    const uint32_t all_send = p->sums ? p->members : 1, all_take = p->spreads ? p->members : 1;
    for (uint32_t i = t->count; i-- > 1;) {
        const uint32_t v = t->order[i], to = parent(p, t, v);
        p->senders[v] += sends(p, v, owner);
        p->takers[v] += takes(p, v, owner);
        p->senders[to] += p->senders[v];
        p->takers[to] += p->takers[v];
        const bool up = p->senders[v] > 0 && p->takers[v]<all_take, down = p->takers[v]> 0 && p->senders[v] < all_send;
        p->load[t->up[v]] += up ? more : 0;
        p->load[t->up[v] ^ 1] += down ? more : 0;
        room = room && (!up || has_room(p, t->up[v])) && (!down || has_room(p, t->up[v] ^ 1));
    }
    return room;
}

/* The first tree from one on that takes a block of this owner in this round; NULL. */
static const tree *find_tree(plan *p, uint32_t owner, uint32_t from)
{
    for (uint32_t i = 0; i < p->tree_count; i++) {
        const tree *t = &p->trees[(from + i) % p->tree_count];
        if (charge(p, t, owner, 1))
            return t;
        (void)charge(p, t, owner, UINT32_MAX); /* less by one */
    }
    return NULL;
}

/* Fills rounds with `each` blocks of every owner, block by block of an owner as they are numbered; *rounds gets how
 * many, or where `one` only the first is filled, *filled with so many. */
static gfab_status fill(plan *p, uint32_t each, bool one, uint32_t *rounds, uint32_t *filled)
{
    const uint32_t arcs = 2 * (uint32_t)gfab_topology_link_count(p->topology);
    GFAB_FREED uint32_t *done = calloc(p->owners, sizeof *done);
    const uint32_t all = each * p->owners;
    uint32_t at = 0;
    if (!done)
        return GFAB_ERR_NO_MEMORY;
    *filled = 0;
    for (*rounds = 0; *filled < all && !(one && *rounds); ++*rounds) {
        const uint32_t before = *filled;
        memset(p->load, 0, arcs * sizeof *p->load);
        for (uint32_t idle = 0; idle < p->owners && *filled < all; at = (at + 1) % p->owners) {
            const uint32_t owner = p->owners > 1 ? at : p->goal.root;
            const tree *t = done[at] < each ? find_tree(p, owner, *filled % p->tree_count) : NULL;
            idle = t ? 0 : idle + 1;
            if (!t)
                continue;
            p->over[at * each + done[at]] = t;
            p->turn[at * each + done[at]++] = *rounds;
            ++*filled;
        }
        if (*filled == before)
            return GFAB_ERR_UNSUPPORTED;
        GFAB_TRY(gfab_solver_report(p->options, "blocks", *filled, all));
    }
    return GFAB_OK;
}

/* ---- packets ---- */

/* A block from one member to another along its tree. */
static gfab_status append_path(const plan *p, uint32_t block, uint32_t from, uint32_t to, gfab_schedule *schedule)
{
    const tree *t = p->over[block];
    const uint32_t token = block | (p->sums ? GFAB_COMBINE : 0);
    gfab_arc arcs[2 * MOST_PATH];
    uint32_t count = 0, back = 2 * MOST_PATH;
    while (from != to)
        if (t->depth[from] >= t->depth[to]) {
            arcs[count++] = t->up[from];
            from = parent(p, t, from);
        } else {
            arcs[--back] = t->up[to] ^ 1;
            to = parent(p, t, to);
        }
    memmove(arcs + count, arcs + back, (2 * MOST_PATH - back) * sizeof *arcs);
    return gfab_schedule_append_packet(schedule, p->after + p->turn[block] + 1, arcs, count + 2 * MOST_PATH - back,
                                       &token, 1);
}

static gfab_status append_block(const plan *p, uint32_t block, uint32_t owner, gfab_schedule *schedule)
{
    for (uint32_t s = 0; s < p->members; s++) {
        const uint32_t from = gfab_topology_member(p->topology, s);
        for (uint32_t r = 0; sends(p, from, owner) && r < p->members; r++) {
            const uint32_t to = gfab_topology_member(p->topology, r);
            if (r != s && takes(p, to, owner))
                GFAB_TRY(append_path(p, block, from, to, schedule));
        }
    }
    return GFAB_OK;
}

static gfab_status append_all(const plan *p, uint32_t each, uint32_t rounds, gfab_schedule *schedule)
{
    const uint32_t count = each * p->owners;
    GFAB_FREED uint32_t *start = calloc((size_t)rounds + 2, sizeof *start),
                        *list = calloc((size_t)count + 1, sizeof *list);
    if (!start || !list)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t b = 0; b < count; b++)
        start[p->turn[b] + 2]++;
    for (uint32_t r = 2; r < rounds + 2; r++)
        start[r] += start[r - 1];
    for (uint32_t b = 0; b < count; b++)
        list[start[p->turn[b] + 1]++] = b;
    for (uint32_t i = 0; i < count; i++)
        GFAB_TRY(append_block(p, list[i], p->owners > 1 ? list[i] / each : p->goal.root, schedule));
    return GFAB_OK;
}

static gfab_status open(plan *p, gfab_diag *diag)
{
    const size_t arcs = 2 * gfab_topology_link_count(p->topology);
    const uint64_t pairs = (uint64_t)(p->sums ? p->members : 1) * (p->spreads ? p->members : 1);
    if (pairs > MOST_PACKETS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a block is %" PRIu64 " packets; in-network lists at most %" PRIu64,
                         pairs, MOST_PACKETS);
    p->load = gfab_arena_zeroed(&p->arena, arcs, sizeof *p->load);
    GFAB_ARRAYS(&p->arena, p->nodes, p->senders, p->takers);
    const uint32_t most = p->goal.blocks > p->members ? p->goal.blocks : p->members;
    GFAB_ARRAYS(&p->arena, most, p->turn, p->over);
    return p->arena.failed ? GFAB_ERR_NO_MEMORY : grow_all(p, diag);
}

/* All blocks as they are; or, where these are many or of any number, the blocks of one round, or one of each owner,
 * which repeat. */
static gfab_status make(plan *p, gfab_schedule *schedule, gfab_diag *diag)
{
    const uint64_t pairs = (uint64_t)(p->sums ? p->members : 1) * (p->spreads ? p->members : 1);
    const bool owned = p->owners > 1, any = p->options->any_length;
    const bool one_part = p->after == 0 && (p->spreads || p->goal.collective != GFAB_ALL_REDUCE);
    const bool repeats = any || (!owned && one_part && pairs * p->goal.blocks > MOST_LISTED);
    uint32_t each = owned && repeats ? 1 : p->goal.blocks / p->owners, rounds, filled;
    gfab_status status = fill(p, each, repeats && !owned, &rounds, &filled);
    if (status == GFAB_ERR_UNSUPPORTED)
        return gfab_fail(diag, 0, status, "%s: a block does not fit in a round of half-duplex links of weight 1",
                         gfab_topology_name(p->topology));
    if (status == GFAB_OK && repeats && !owned)
        each = filled;
    if (status == GFAB_OK && pairs * filled > MOST_PACKETS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                           "%" PRIu32 " blocks are %" PRIu64 " packets; in-network lists at most %" PRIu64, filled,
                           pairs * filled, MOST_PACKETS);
    if (repeats)
        GFAB_THEN(status, gfab_schedule_set_period(schedule, rounds, each * p->owners));
    GFAB_THEN(status, append_all(p, each, rounds, schedule));
    return status;
}

/* Some blocks' rounds, behind `after` earlier ones. */
static gfab_status build_part(plan p, uint32_t after, gfab_schedule *schedule, gfab_diag *diag)
{
    p.after = after;
    gfab_status status = open(&p, diag);
    GFAB_THEN(status, make(&p, schedule, diag));
    gfab_arena_release(&p.arena);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const gfab_collective c = goal.collective;
    const bool owned = c == GFAB_ALL_GATHER || c == GFAB_REDUCE_SCATTER;
    const uint32_t members = (uint32_t)gfab_topology_member_count(topology);
    plan p = {.topology = topology,
              .options = options,
              .goal = goal,
              .nodes = (uint32_t)gfab_topology_node_count(topology),
              .members = members,
              .owners = owned ? members : 1,
              .half = model->link_mode == GFAB_LINK_HALF,
              .spreads = gfab_collective_spreads(c),
              .sums = gfab_collective_combines(c)};
    gfab_status status = build_part(p, 0, schedule, diag);
    if (status != GFAB_ERR_UNSUPPORTED || !p.spreads || !p.sums || options->any_length)
        return status;
    p.spreads = false; /* in two rounds: the total at a member first */
    status = build_part(p, 0, schedule, diag);
    p.spreads = true;
    p.sums = false;
    GFAB_THEN(status, build_part(p, gfab_schedule_rounds(schedule) + model->hop_rounds - 1, schedule, diag));
    return status;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    if (!(gfab_topology_marks(topology) & GFAB_MARK_HELPING))
        return GFAB_REFUSE(diag, "in-network is for graphs with switches that copy or combine");
    if (model->port_mode == GFAB_PORT_ONE && !gfab_topology_has_single_links(topology))
        return GFAB_REFUSE(diag, "in-network, with one port, is for nodes that have one link each, unlike those of %s",
                           gfab_topology_name(topology));
    return GFAB_OK;
}

GFAB_SOLVE(solve, in_network, build)

const gfab_solver gfab_solver_in_network = {
    .name = "in-network",
    .summary = "switches that copy or combine, as SHARP's: each block in one round, over a tree of them; it repeats",
    .source = "gossipfab, docs/theory/long-vectors/switches.md",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES_ALL & ~GFAB_MAKES(GFAB_ALL_TO_ALL),
    .repeats = true,
    .knows = GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED | GFAB_MARK_LIMITED | GFAB_MARK_SWITCHES |
             GFAB_MARK_HELPING,
    .only = GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
    .most_nodes = MAX_NODES,
};
