/* SPDX-License-Identifier: MIT */
/* Lower bounds on the rounds of any collective. All rest on messages that a block needs: over the whole graph, into and
 * out of one node, over a cut. lambda is hop_rounds, p packet_tokens.
 *
 * Windows. What node z has reaches v, d links away, in round 1 + lambda (d - 1) at the earliest. So where v wants
 * something of z in each of m blocks, m messages reach v from that round on: R >= lambda (d - 1) + ceil(m / w), w being
 * the messages that v takes in a round. Backwards in time the same holds of what leaves z. Half duplex, what comes in
 * and what leaves share the links. Ways and widths are those of arcs: into v and out of it they may differ.
 *
 * Switches: a link of the above is a hop, from what stores to what stores, past any number of switches. Where switches
 * copy, a message that leaves a node may come to several; where they combine, several that leave may come as one. */
#include "bound_internal.h"

#include "base/progress.h"

#include <inttypes.h>
#include <stdlib.h>

/* Messages into and out of a node, by the distance that makes their window. */
typedef struct needs {
    uint64_t *in;  /* [distance]: messages that cannot come sooner than from so far away; in[d] counts all >= d */
    uint64_t *out; /* likewise, that cannot leave later */
    const uint32_t *from, *to; /* [nodes]: distances of each node to this one, and of this one to each */
    uint32_t far_in, far_out;  /* the greatest of members' */
} needs;

typedef struct context {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_goal *goal;
    uint64_t nodes, lambda, tokens;
    uint64_t members; /* N */
    uint64_t relays;  /* that everything that joins all members holds, at least */
    uint32_t root;    /* its node */
    bool full;
    uint64_t each; /* blocks of a member, where blocks belong to members */
} context;

/* The best that was found at a node. */
typedef struct found {
    uint64_t rounds, messages, distance, width;
    uint32_t node;
    enum { FOUND_IN, FOUND_OUT, FOUND_BOTH } way;
} found;

/* One-way messages that all blocks need, one into each member but one and each relay on the way. A total that all have:
 * as many until somebody has it first, and as many after, as in a gossip of one-way calls. */
static gfab_status count_messages(const context *c, const gfab_progress *progress, uint64_t *messages)
{
    const uint64_t joined = c->members - 1 + (c->model->routing == GFAB_ROUTING_CIRCUIT ? 0 : c->relays);
    const uint64_t tree = c->goal->blocks * joined;
    *messages = tree;
    if (c->goal->collective == GFAB_ALL_REDUCE || c->goal->collective == GFAB_BARRIER)
        *messages = 2 * tree;
    if (c->goal->collective != GFAB_ALL_TO_ALL || c->model->routing == GFAB_ROUTING_CIRCUIT)
        return GFAB_OK;
    GFAB_FREED uint32_t *distances = malloc(3 * c->nodes * sizeof *distances);
    gfab_status status = distances ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    *messages = 0;
    for (uint32_t u = 0; u < c->members && status == GFAB_OK; u++) {
        gfab_topology_hops(c->topology, gfab_topology_member(c->topology, u), false, distances, distances + c->nodes);
        for (uint32_t v = 0; v < c->members; v++)
            *messages += distances[gfab_topology_member(c->topology, v)];
        status = gfab_progress_report(progress, "bounds", u, c->members);
    }
    return status;
}

/* Past switches that copy a block leaves once who has it first, and of a total everybody once; past those that combine
 * it comes once to who wants the total, and of one that all want to everybody once. */
static gfab_bound_ends count_ends(const context *c, uint64_t messages)
{
    const gfab_collective collective = c->goal->collective;
    const bool spreads = gfab_collective_spreads(collective), sums = gfab_collective_combines(collective);
    const uint64_t least = c->members > 1 ? (uint64_t)c->goal->blocks * (spreads && sums ? c->members : 1) : 0;
    bool copies = false, combines = false;
    for (uint32_t v = 0; v < c->nodes; v++)
        if (gfab_topology_is_switch(c->topology, v)) {
            copies = copies || gfab_topology_copies(c->topology, v);
            combines = combines || gfab_topology_combines(c->topology, v);
        }
    const gfab_bound_ends ends = {copies && spreads ? least : messages, combines && sums ? least : messages, 0};
    return (gfab_bound_ends){ends.out, ends.in, ends.out + ends.in};
}

/* Switches that copy or combine. */
static void add_ends(gfab_bound_list *list, const context *c, uint64_t messages)
{
    const gfab_bound_ends ends = count_ends(c, messages), room = gfab_bound_room_at_ends(c->topology, c->model);
    const uint64_t out = gfab_divide_up(ends.out, room.out), in = gfab_divide_up(ends.in, room.in);
    const uint64_t both = gfab_divide_up(ends.both, room.both);
    if (!c->full && both >= out && both >= in)
        gfab_bound_add(list, "count", both, "folklore",
                       "%" PRIu64 " messages leave members or come to them, and a round has room for %" PRIu64 ".",
                       ends.both, room.both);
    else
        gfab_bound_add(list, "count", out > in ? out : in, "folklore",
                       "%" PRIu64 " messages %s members, and a round has room for %" PRIu64 ".",
                       out > in ? ends.out : ends.in, out > in ? "leave" : "come to", out > in ? room.out : room.in);
}

static gfab_status add_count(gfab_bound_list *list, const context *c, const gfab_progress *progress)
{
    const uint64_t room = gfab_bound_room(c->topology, c->model);
    const char *relays = c->relays && c->model->routing != GFAB_ROUTING_CIRCUIT ? " and more for relays" : "";
    uint64_t messages;
    GFAB_TRY(count_messages(c, progress, &messages));
    const bool all = c->goal->collective == GFAB_ALL_REDUCE || c->goal->collective == GFAB_BARRIER;
    if (gfab_topology_marks(c->topology) & GFAB_MARK_HELPING)
        add_ends(list, c, messages);
    else
        gfab_bound_add(list, "count", gfab_divide_up(messages, room),
                       all ? "Harary & Schwenk 1974, for one-way calls" : "folklore",
                       "%" PRIu32 " block%s to move: %" PRIu64
                       " messages over one link each%s%s, and a round has room for "
                       "%" PRIu64 ".",
                       c->goal->blocks, gfab_plural(c->goal->blocks), messages,
                       all                                      ? ", 2 N - 2 a block"
                       : c->goal->collective == GFAB_ALL_TO_ALL ? ", the sum of all distances"
                                                                : ", N - 1 a block",
                       c->goal->collective == GFAB_ALL_TO_ALL ? "" : relays, room);
    return GFAB_OK;
}

/* What node v needs, of and for another one. */
static void add_pair(const context *c, needs *n, uint32_t v, uint32_t other)
{
    const gfab_goal *goal = c->goal;
    const uint32_t from = n->from[other], to = n->to[other], far_in = n->far_in, far_out = n->far_out;
    switch (goal->collective) {
    case GFAB_ALL_GATHER:
        n->in[from] += c->each;
        n->out[far_out] = c->each;
        break;
    case GFAB_REDUCE_SCATTER:
        n->out[to] += c->each;
        n->in[far_in] = c->each;
        break;
    case GFAB_ALL_REDUCE:
    case GFAB_BARRIER:
        n->in[far_in] = n->out[far_out] = goal->blocks;
        break;
    case GFAB_BROADCAST:
        if (v == c->root)
            n->out[far_out] = goal->blocks;
        if (other == c->root)
            n->in[from] = goal->blocks;
        break;
    case GFAB_REDUCE:
        if (v == c->root)
            n->in[far_in] = goal->blocks;
        if (other == c->root)
            n->out[to] = goal->blocks;
        break;
    case GFAB_ALL_TO_ALL:
        n->in[from]++;
        n->out[to]++;
        break;
    }
}

static void keep(found *best, found candidate)
{
    if (candidate.rounds > best->rounds)
        *best = candidate;
}

static uint64_t width_of(const context *c, uint32_t v, gfab_way way)
{
    return gfab_bound_width(c->topology, v, c->model->port_mode == GFAB_PORT_ONE, way) * c->tokens;
}

static void look_at(const context *c, needs *n, uint32_t v, found *best)
{
    const uint64_t width_in = width_of(c, v, GFAB_WAY_IN), width_out = width_of(c, v, GFAB_WAY_OUT);
    n->far_in = n->far_out = 0;
    for (uint32_t i = 0; i < c->members; i++) {
        const uint32_t u = gfab_topology_member(c->topology, i);
        n->far_in = n->from[u] > n->far_in ? n->from[u] : n->far_in;
        n->far_out = n->to[u] > n->far_out ? n->to[u] : n->far_out;
    }
    const uint32_t farthest = n->far_in > n->far_out ? n->far_in : n->far_out;
    for (uint32_t d = 0; d <= farthest; d++)
        n->in[d] = n->out[d] = 0;
    for (uint32_t i = 0; i < c->members; i++) {
        const uint32_t u = gfab_topology_member(c->topology, i);
        if (u != v)
            add_pair(c, n, v, u);
    }
    uint64_t in = 0, out = 0;
    for (uint32_t d = farthest; d >= 1; d--) {
        const uint64_t wait = c->lambda * (d - 1);
        in += n->in[d];
        out += n->out[d];
        if (in)
            keep(best, (found){wait + gfab_divide_up(in, width_in), in, d, width_in, v, FOUND_IN});
        if (out)
            keep(best, (found){wait + gfab_divide_up(out, width_out), out, d, width_out, v, FOUND_OUT});
    }
    const uint64_t width = width_of(c, v, GFAB_WAY_EITHER);
    if (!c->full)
        keep(best, (found){gfab_divide_up(in + out, width), in + out, 1, width, v, FOUND_BOTH});
}

/* *apart gets the most links between two members that were seen. */
static gfab_status add_degree(gfab_bound_list *list, const context *c, const gfab_progress *progress, uint32_t *apart)
{
    const bool directed = gfab_topology_is_directed(c->topology);
    GFAB_FREED uint32_t *distances = malloc(4 * c->nodes * sizeof *distances);
    GFAB_FREED uint64_t *counts = malloc(2 * c->nodes * sizeof *counts);
    GFAB_NEED(distances && counts);
    const uint64_t step = gfab_divide_up(c->members, GFAB_BOUND_MAX_SOURCES);
    found best = {.rounds = 0};
    *apart = 0;
    for (uint64_t i = 0; i < c->members; i += step) {
        const uint32_t v = gfab_topology_member(c->topology, (uint32_t)i);
        uint32_t *from = directed ? distances + 3 * c->nodes : distances;
        needs n = {.in = counts, .out = counts + c->nodes, .from = from, .to = distances};
        if (directed)
            gfab_topology_hops(c->topology, v, true, from, distances + c->nodes);
        gfab_topology_hops(c->topology, v, false, distances, distances + c->nodes);
        look_at(c, &n, v, &best);
        *apart = n.far_in > *apart ? n.far_in : *apart;
        *apart = n.far_out > *apart ? n.far_out : *apart;
        GFAB_TRY(gfab_progress_report(progress, "bounds", i, c->members));
    }
    if (best.rounds == 0)
        return GFAB_OK;
    if (best.way == FOUND_BOTH)
        gfab_bound_add(list, "degree", best.rounds, "folklore",
                       "%" PRIu64 " messages enter or leave node %" PRIu32 ", at most %" PRIu64 " a round.",
                       best.messages, best.node, best.width);
    else
        gfab_bound_add(list, "degree", best.rounds, "this project: proof in core/schedule/bound/bound_goal.c",
                       "Node %" PRIu32 " %s %" PRIu64 " message%s with something %s %" PRIu64
                       " link%s away%s: %sat most %" PRIu64 " a round.",
                       best.node, best.way == FOUND_IN ? "takes in" : "sends", best.messages,
                       gfab_plural(best.messages), best.way == FOUND_IN ? "from" : "for", best.distance,
                       gfab_plural(best.distance), best.distance == 1 ? "" : " or farther",
                       gfab_bound_wait(best.way == FOUND_IN ? "first" : "last", c->lambda * (best.distance - 1)).text,
                       best.width);
    return GFAB_OK;
}

/* A mesh or torus, cut across the middle of an axis: on either side `below` and `above` coordinates. Each block that
 * has to cross in one direction needs a message that crosses after what is farthest behind the cut can be there, and
 * before it is too late for what is farthest in front of it. */
static void add_cut(gfab_bound_list *list, const context *c, size_t axis)
{
    const gfab_goal *goal = c->goal;
    const uint64_t side = gfab_topology_side(c->topology, axis);
    const bool ring = gfab_topology_get_kind(c->topology) == GFAB_TOPOLOGY_TORUS && side > 2;
    const uint64_t lines = c->nodes / side, low = side / 2 * lines, high = c->nodes - low;
    const uint64_t room = (ring ? 2 : 1) * lines * c->tokens;
    uint64_t up = 0, down = 0; /* blocks that cross from low to high, and back */
    uint64_t window = 0;       /* rounds in which none of them can */
    const uint64_t below = ring ? (side / 2 + 1) / 2 : side / 2;
    const uint64_t above = ring ? (side - side / 2 + 1) / 2 : side - side / 2;
    switch (goal->collective) {
    case GFAB_ALL_GATHER:
    case GFAB_REDUCE_SCATTER:
        up = low * c->each;
        down = high * c->each;
        break;
    case GFAB_ALL_REDUCE:
    case GFAB_BARRIER:
        up = down = goal->blocks;
        window = c->lambda * (below + above - 2);
        break;
    case GFAB_BROADCAST:
    case GFAB_REDUCE:
        up = goal->blocks;
        break;
    case GFAB_ALL_TO_ALL:
        up = down = low * high;
        break;
    }
    /* Half duplex, messages of both directions share the rounds that either of them may take. */
    const uint64_t shorter = below < above ? below : above;
    const uint64_t one_way = window + gfab_divide_up(up > down ? up : down, room);
    const uint64_t both = (window ? 2 * c->lambda * (shorter - 1) : 0) + gfab_divide_up(up + down, room);
    const bool two = !c->full && both >= one_way;
    gfab_bound_add(list, "cut", two ? both : one_way, "folklore",
                   "%" PRIu64 " messages cross the middle of axis %zu%s, %" PRIu64 " a round%s.",
                   two         ? up + down
                   : up > down ? up
                               : down,
                   axis, two ? " in both directions" : " in one direction", room,
                   window ? ", of those that are not too soon or too late" : "");
}

static void add_distance(gfab_bound_list *list, const context *c, uint32_t diameter)
{
    const uint64_t rounds = 1 + c->lambda * (diameter - 1);
    gfab_bound_add(list, "diameter", rounds, "folklore",
                   "Two %s are %" PRIu32 " link%s apart, and one wants something of the other.",
                   gfab_topology_has_relays(c->topology) ? "members" : "nodes", diameter, gfab_plural(diameter));
}

/* With one port a node makes one call a round, so that those who know something of a block are at most twice as many
 * after a round as before. A node that has to tell all others something of each block first tells of the last one in
 * round ceil(B / p) at the earliest; backwards in time the same holds of a node that wants something of all. So
 * R >= ceil(B / p) - 1 + ceil(log2 N). Weights let a link carry several messages a round, and are left out, as are
 * switches that copy or combine. */
static void add_doubling(gfab_bound_list *list, const context *c)
{
    const bool owned = c->goal->collective == GFAB_ALL_GATHER || c->goal->collective == GFAB_REDUCE_SCATTER;
    const uint64_t blocks = owned ? c->each : c->goal->blocks;
    uint64_t steps = 0;
    while ((uint64_t)1 << steps < c->members)
        steps++;
    if (c->model->port_mode != GFAB_PORT_ONE || c->goal->collective == GFAB_ALL_TO_ALL ||
        (gfab_topology_marks(c->topology) & (GFAB_MARK_WEIGHTS | GFAB_MARK_HELPING)) || blocks == 0)
        return;
    gfab_bound_add(list, "doubling", gfab_divide_up(blocks, c->tokens) - 1 + steps, "folklore",
                   "A node that tells all others of %" PRIu64 " block%s begins with the last one in round %" PRIu64
                   " at the earliest, and in a round those who know of it at most double: %" PRIu64
                   " rounds for %" PRIu64 " nodes.",
                   blocks, gfab_plural(blocks), gfab_divide_up(blocks, c->tokens), steps, c->members);
}

/* Bounds for packets that are stored at each node: a circuit has no hops to wait for. */
static gfab_status add_stepwise(gfab_bound_list *list, const context *c, const gfab_progress *progress)
{
    uint32_t apart;
    gfab_status status = add_degree(list, c, progress, &apart);
    for (size_t d = 0; d < gfab_topology_dimensions(c->topology) && status == GFAB_OK; d++)
        if (gfab_topology_side(c->topology, d) > 1)
            add_cut(list, c, d);
    const bool plain = gfab_topology_is_plain(c->topology);
    if (status == GFAB_OK && !plain)
        status = gfab_bound_add_cuts(list, c->topology, c->model, c->goal, progress);
    GFAB_THEN(status, gfab_bound_add_sets(list, c->topology, c->model, c->goal));
    GFAB_THEN(status, gfab_bound_add_rate(list, c->topology, c->model, c->goal, progress));
    if (status != GFAB_OK || gfab_collective_has_root(c->goal->collective))
        return status;
    if (!plain || (status = gfab_topology_diameter(c->topology, progress, &apart)) == GFAB_OK)
        add_distance(list, c, apart);
    return status;
}

/* The ways by which contributions come to their owners, read backwards, are those of a gossip: its best bound, where
 * that says more. docs/theory/reversed-gossip.md. */
static gfab_status add_backwards(gfab_bound_list *list, const context *c, const gfab_progress *progress)
{
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count;
    GFAB_TRY(gfab_bound_gossip(c->topology, c->model, progress, bounds, &count));
    if (bounds[0].rounds > list->bounds[0].rounds)
        gfab_bound_add(list, bounds[0].name, bounds[0].rounds, bounds[0].source, "Read backwards it is a gossip. %s",
                       bounds[0].argument);
    return GFAB_OK;
}

gfab_status gfab_bound_goal(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                            const gfab_progress *progress, gfab_bound *bounds, size_t *count)
{
    const size_t members = gfab_topology_member_count(topology);
    GFAB_TRY(gfab_goal_check(goal, members, NULL));
    GFAB_TRY(gfab_model_check(model, NULL));
    const gfab_goal gossip = gfab_goal_default(members);
    gfab_model all_ports = *model;
    all_ports.port_mode = GFAB_PORT_ALL;
    if (model->port_mode == GFAB_PORT_ONE && model->routing == GFAB_ROUTING_STORE_AND_FORWARD &&
        gfab_topology_has_single_links(topology))
        model = &all_ports;
    if (gfab_goal_equal(goal, &gossip) && gfab_topology_is_plain(topology))
        return gfab_bound_gossip(topology, model, progress, bounds, count);
    context c = {.topology = topology,
                 .model = model,
                 .goal = goal,
                 .nodes = gfab_topology_node_count(topology),
                 .lambda = model->hop_rounds,
                 .tokens = model->packet_tokens,
                 .members = members,
                 .root = gfab_topology_member(topology, goal->root),
                 .full = model->link_mode == GFAB_LINK_FULL,
                 .each = goal->blocks / members};
    gfab_bound_list list = {bounds, 0};
    GFAB_TRY(gfab_bound_relays(topology, &c.relays));
    GFAB_TRY(add_count(&list, &c, progress));
    if (model->routing != GFAB_ROUTING_CIRCUIT)
        GFAB_TRY(add_stepwise(&list, &c, progress));
    add_doubling(&list, &c);
    if (model->port_mode == GFAB_PORT_ONE && model->routing != GFAB_ROUTING_CIRCUIT)
        GFAB_TRY(gfab_bound_add_ports(&list, topology, model, goal, progress));
    if (goal->collective == GFAB_REDUCE_SCATTER && c.each == 1 && gfab_topology_is_plain(topology))
        GFAB_TRY(add_backwards(&list, &c, progress));
    *count = list.count;
    return GFAB_OK;
}

gfab_status gfab_bound_all(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                           gfab_bound *bounds, size_t *count)
{
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(topology));
    return gfab_bound_goal(topology, model, &gossip, progress, bounds, count);
}

gfab_status gfab_bound_best(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                            gfab_bound *bound)
{
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count;
    GFAB_TRY(gfab_bound_all(topology, model, progress, bounds, &count));
    *bound = bounds[0];
    return GFAB_OK;
}

gfab_status gfab_bound_goal_best(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                                 const gfab_progress *progress, gfab_bound *bound)
{
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count;
    GFAB_TRY(gfab_bound_goal(topology, model, goal, progress, bounds, &count));
    *bound = bounds[0];
    return GFAB_OK;
}
