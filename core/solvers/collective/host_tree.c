/* SPDX-License-Identifier: MIT */
/* Broadcast, reduce and all-reduce of any length where each member has one link, as a host has: over it a block goes in
 * a round and one comes, which is all that there is to share. So one tree is as good as many, a block a round, and one
 * of least depth from the middle of the graph is as quick as there is: docs/theory/long-vectors/host-tree.md. */
#include "solvers/collective/group_moves.h"
#include "solvers/collective/host_trees.h"
#include "solvers/parameters.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/goal.h>

#include <stdlib.h>

#define MAX_NODES 4096u
#define MAX_WORDS 4u
#define NONE UINT32_MAX

/* A tree from its middle, a relay: every node's way there. */
typedef struct plan {
    const gfab_topology *topology;
    gfab_goal goal;
    uint32_t nodes;
    uint32_t *order;    /* by distance from the middle, nearest first */
    gfab_arc *up;       /* [node]: to the next node on the way to the middle */
    uint32_t *distance; /* [node] */
    bool *in, *out;     /* [node]: something comes from there, or goes there, over that way */
    uint32_t *sent;     /* [node]: the round in which it sends on its way in */
    gfab_group_move *moves;
    size_t move_count;
    gfab_arena arena;
} plan;
GFAB_HOLDS_ARENA(plan)

static uint32_t parent(const plan *p, uint32_t v)
{
    return gfab_topology_arc_to(p->topology, p->up[v]);
}

/* Breadth first. */
static void grow(plan *p, uint32_t middle)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->nodes; v++)
        p->distance[v] = NONE;
    p->distance[middle] = 0;
    p->order[count++] = middle;
    for (uint32_t i = 0; i < count; i++) {
        GFAB_EACH_PORT(port, p->topology, p->order[i]) {
            const uint32_t v = port->peer;
            if (p->distance[v] != NONE)
                continue;
            p->distance[v] = p->distance[p->order[i]] + 1;
            p->up[v] = 2 * port->link + 1u - port->end;
            p->order[count++] = v;
        }
    }
}

/* Whose blocks come in, and who wants them in the end. */
static void mark(plan *p)
{
    const size_t members = gfab_topology_member_count(p->topology);
    const bool combines = gfab_collective_combines(p->goal.collective);
    for (uint32_t v = 0; v < p->nodes; v++) {
        const uint32_t rank = gfab_topology_rank(p->topology, v);
        const bool member = !gfab_topology_is_relay(p->topology, v);
        const bool root = member && rank == p->goal.root;
        p->in[v] = member && (combines || root);
        p->out[v] = member && gfab_goal_wants(&p->goal, members, rank, 0) && (combines || !root);
    }
    for (uint32_t i = p->nodes; i-- > 1;) {
        const uint32_t v = p->order[i], to = parent(p, v);
        p->in[to] |= p->in[v];
        p->out[to] |= p->out[v];
    }
}

/* The rounds in which what comes in is sent, as early as may be; gives that in which all of it is in the middle. What a
 * relay gets first comes alone: then it is a child's that may send earlier than the others, or these wait. */
static uint32_t send_early(plan *p, uint32_t *first, uint32_t *count, uint32_t *last)
{
    for (uint32_t v = 0; v < p->nodes; v++) {
        first[v] = NONE;
        count[v] = last[v] = 0;
    }
    for (uint32_t i = p->nodes; i-- > 0;) {
        const uint32_t v = p->order[i];
        if (!p->in[v])
            continue;
        /* first: the earliest that comes, count: how many come in that round, last: the latest */
        const uint32_t ready = count[v] > 1 && last[v] == first[v] ? last[v] + 1 : last[v];
        if (i == 0)
            return ready;
        p->sent[v] = ready + 1;
        const uint32_t to = parent(p, v);
        if (p->sent[v] < first[to]) {
            first[to] = p->sent[v];
            count[to] = 0;
        }
        count[to] += p->sent[v] == first[to];
        last[to] = p->sent[v] > last[to] ? p->sent[v] : last[to];
    }
    return 0;
}

/* The same as late as may be, so that blocks are on their way for a short time: all that comes to a node comes in the
 * round before it sends, but for the first, which is there a round earlier. */
static void send_late(plan *p, uint32_t ready, uint32_t *first)
{
    uint32_t *number = first; /* children that come in, then the one that comes first */
    for (uint32_t v = 0; v < p->nodes; v++)
        number[v] = 0;
    for (uint32_t i = 1; i < p->nodes; i++)
        number[parent(p, p->order[i])] += p->in[p->order[i]];
    for (uint32_t v = 0; v < p->nodes; v++)
        number[v] = number[v] > 1 ? v : NONE; /* v: that is not yet known */
    for (uint32_t i = 1; i < p->nodes; i++) {
        const uint32_t v = p->order[i], to = parent(p, v);
        if (p->in[v] && number[to] != NONE && (number[to] == to || p->sent[v] < p->sent[number[to]]))
            number[to] = v;
    }
    for (uint32_t i = 1; i < p->nodes; i++) {
        const uint32_t v = p->order[i], to = parent(p, v);
        if (p->in[v])
            p->sent[v] = (to == p->order[0] ? ready : p->sent[to] - 1) - (number[to] == v);
    }
}

static void move(plan *p, uint32_t round, gfab_arc arc, bool combine)
{
    p->moves[p->move_count++] = (gfab_group_move){round, combine ? GFAB_COMBINE : 0, arc};
}

/* All moves of the tree that has this middle; gives its rounds. */
static uint32_t make(plan *p, uint32_t middle, uint32_t *scratch)
{
    uint32_t rounds = 0;
    p->move_count = 0;
    grow(p, middle);
    mark(p);
    const uint32_t ready = send_early(p, scratch, scratch + p->nodes, scratch + 2 * (size_t)p->nodes);
    send_late(p, ready, scratch);
    for (uint32_t i = 1; i < p->nodes; i++) {
        const uint32_t v = p->order[i], to = parent(p, v);
        if (p->in[v])
            move(p, p->sent[v], p->up[v], scratch[to] != NONE && scratch[to] != v);
        if (p->out[v]) {
            move(p, ready + p->distance[v], p->up[v] ^ 1, false);
            rounds = ready + p->distance[v] > rounds ? ready + p->distance[v] : rounds;
        }
    }
    return rounds;
}

/* The middle of fewest rounds; of a broadcast and a reduce it is beside the root. */
static uint32_t find_middle(plan *p, uint32_t *scratch)
{
    uint32_t best = NONE, least = NONE;
    const bool rooted = gfab_collective_has_root(p->goal.collective);
    size_t count;
    if (rooted)
        return gfab_topology_ports(p->topology, gfab_topology_member(p->topology, p->goal.root), &count)[0].peer;
    for (uint32_t v = 0; v < p->nodes; v++) {
        if (!gfab_topology_is_relay(p->topology, v))
            continue;
        const uint32_t rounds = make(p, v, scratch);
        if (rounds < least) {
            least = rounds;
            best = v;
        }
    }
    return best;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    uint64_t words = 1;
    gfab_status status = gfab_parameter_number(options->parameters, "words", 1, MAX_WORDS, &words, diag);
    if (status != GFAB_OK || words > 1)
        return status ? status : gfab_host_trees_build(topology, (uint32_t)words, options, schedule, diag);
    GFAB_AT_END(plan_release) plan p = {.topology = topology, .goal = gfab_schedule_goal(schedule), .nodes = nodes};
    GFAB_ARRAYS(&p.arena, nodes, p.order, p.up, p.distance, p.in, p.out, p.sent);
    p.moves = gfab_arena_zeroed(&p.arena, 2 * (size_t)nodes, sizeof *p.moves);
    GFAB_FREED uint32_t *scratch = malloc(3 * (size_t)nodes * sizeof *scratch);
    (void)model;
    status = GFAB_ERR_NO_MEMORY;
    if (!p.arena.failed && scratch) {
        make(&p, find_middle(&p, scratch), scratch);
        status = gfab_group_moves_append(p.moves, p.move_count, 1, 1, schedule);
    }
    return status;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    for (uint32_t rank = 0; rank < gfab_topology_member_count(topology); rank++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, gfab_topology_member(topology, rank), &count);
        if (count > 1 || !gfab_topology_is_relay(topology, ports[0].peer))
            return gfab_fail(
                diag, 0, GFAB_ERR_UNSUPPORTED,
                "%s: host-tree is for graphs whose members have one link each, to a relay, as +hosts makes "
                "them",
                gfab_topology_name(topology));
    }
    return GFAB_OK;
}

GFAB_SOLVE(solve, host_tree, build)

static const char *const parameters[] = {"words", NULL};

const gfab_solver gfab_solver_host_tree = {
    .name = "host-tree",
    .summary =
        "broadcast, reduce and all-reduce of any length where each member has one link, full duplex: one tree, a "
        "block a round; it repeats",
    .source = "gossipfab, docs/theory/long-vectors/host-tree.md",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE) | GFAB_MAKES(GFAB_ALL_REDUCE),
    .repeats = true,
    .parameters = parameters,
    .knows = GFAB_MARK_RELAYS,
    .only = GFAB_ONLY_FULL | GFAB_ONLY_ALL_PORTS | GFAB_ONLY_SINGLE | GFAB_ONLY_ONE_ROUND | GFAB_ONLY_STORED,
    .most_nodes = MAX_NODES,
};
