/* SPDX-License-Identifier: MIT */
/* What bounds need to know of relays and weighted links: how many packets a round carries, how many relays a block has
 * to visit, and cuts around each member. */
#include "bound_internal.h"

#include "base/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Packets that all links together carry in a round: full, their arcs, else one way of each; the most that an arc
 * does. */
static uint64_t capacity_of(const gfab_topology *topology, bool full)
{
    uint64_t capacity = 0;
    for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology); arc++)
        if (full)
            capacity += gfab_topology_arc_weight(topology, arc);
        else if (arc % 2 == 0)
            capacity += gfab_topology_weight(topology, arc / 2);
    return capacity;
}

uint64_t gfab_bound_widest(const gfab_topology *topology)
{
    uint64_t widest = 0;
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++)
        widest = gfab_topology_weight(topology, l) > widest ? gfab_topology_weight(topology, l) : widest;
    return widest;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The room of what stores: a message past switches leaves one of their nodes over a link of its own, and comes to
 * another. Half duplex, what leaves and what comes share a link to a switch, and a link between two nodes has both ends
 * of a message: so many ends, two of which are a message. */
static gfab_bound_ends room_at_ends(const gfab_topology *topology)
{
    gfab_bound_ends room = {0};
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        const uint64_t stores[2] = {!gfab_topology_is_switch(topology, link.node[0]),
                                    !gfab_topology_is_switch(topology, link.node[1])};
        room.both += (stores[0] + stores[1]) * gfab_topology_weight(topology, l);
        for (uint32_t way = 0; way < 2; way++) {
            room.out += stores[way] * gfab_topology_arc_weight(topology, (gfab_arc)(2 * l + way));
            room.in += stores[!way] * gfab_topology_arc_weight(topology, (gfab_arc)(2 * l + way));
        }
    }
    return room;
}

/* Nodes that are no switches. */
static uint64_t count_storing(const gfab_topology *topology)
{
    uint64_t storing = 0;
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++)
        storing += !gfab_topology_is_switch(topology, v);
    return storing;
}

gfab_bound_ends gfab_bound_room_at_ends(const gfab_topology *topology, const gfab_model *model)
{
    const uint64_t ports = count_storing(topology) * gfab_bound_widest(topology), tokens = model->packet_tokens;
    gfab_bound_ends room = room_at_ends(topology);
    if (model->port_mode == GFAB_PORT_ONE)
        room = (gfab_bound_ends){least_of(room.out, ports), least_of(room.in, ports), least_of(room.both, ports)};
    return (gfab_bound_ends){room.out * tokens, room.in * tokens, room.both * tokens};
}

uint64_t gfab_bound_room(const gfab_topology *topology, const gfab_model *model)
{
    const bool full = model->link_mode == GFAB_LINK_FULL;
    const bool switches = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES;
    uint64_t capacity;
    if (switches) {
        const gfab_bound_ends ends = room_at_ends(topology);
        capacity = full ? least_of(ends.out, ends.in) : ends.both / 2;
    } else
        capacity = capacity_of(topology, full);
    /* past a switch a node takes part in the calls of several others: no pairs, but ends */
    const uint64_t storing = count_storing(topology);
    const uint64_t pairs = (switches ? (full ? storing : (storing + 1) / 2) : (full ? 2 : 1) * (storing / 2)) *
                           gfab_bound_widest(topology);
    return (model->port_mode == GFAB_PORT_ONE && pairs < capacity ? pairs : capacity) * model->packet_tokens;
}

uint64_t gfab_bound_width(const gfab_topology *topology, uint32_t node, bool one, gfab_way way)
{
    size_t degree;
    const gfab_port *ports = gfab_topology_ports(topology, node, &degree);
    uint64_t width = 0;
    for (size_t i = 0; i < degree; i++) {
        const gfab_arc out = 2 * ports[i].link + ports[i].end;
        const uint64_t weight = way == GFAB_WAY_EITHER ? gfab_topology_weight(topology, ports[i].link)
                                                       : gfab_topology_arc_weight(topology, out ^ (way == GFAB_WAY_IN));
        width = !one ? width + weight : weight > width ? weight : width;
    }
    return width;
}

/* Groups of members that links between members hold together. */
static gfab_status count_groups(const gfab_topology *topology, uint64_t *groups)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *queue = malloc(nodes * sizeof *queue);
    GFAB_FREED bool *seen = calloc(nodes, sizeof *seen);
    *groups = 0;
    for (uint32_t start = 0; queue && seen && start < nodes; start++) {
        size_t head = 0, tail = 0;
        if (seen[start] || gfab_topology_is_relay(topology, start))
            continue;
        ++*groups;
        seen[start] = true;
        for (queue[tail++] = start; head < tail; head++) {
            size_t degree;
            const gfab_port *ports = gfab_topology_ports(topology, queue[head], &degree);
            for (size_t i = 0; i < degree; i++)
                if (!seen[ports[i].peer] && !gfab_topology_is_relay(topology, ports[i].peer)) {
                    seen[ports[i].peer] = true;
                    queue[tail++] = ports[i].peer;
                }
        }
    }
    const bool good = queue && seen;
    return good ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* What joins all members holds a relay for each group but one, or fewer as a relay of d links joins d groups: it saves
 * d - 1 of them. */
gfab_status gfab_bound_relays(const gfab_topology *topology, uint64_t *relays)
{
    uint64_t groups, most = 2;
    *relays = 0; /* past switches groups are joined by nobody */
    if (!gfab_topology_has_relays(topology) || gfab_topology_marks(topology) & GFAB_MARK_SWITCHES)
        return GFAB_OK;
    GFAB_TRY(count_groups(topology, &groups));
    for (uint32_t v = 0; v < gfab_topology_node_count(topology); v++) {
        size_t degree;
        (void)gfab_topology_ports(topology, v, &degree);
        if (gfab_topology_is_relay(topology, v) && degree > most)
            most = degree;
    }
    *relays = gfab_divide_up(groups - 1, most - 1);
    return GFAB_OK;
}

/* A cut: so many members inside, packets that its links carry in a round one way. */
typedef struct cut {
    uint64_t rounds, messages, room;
    uint32_t node, distance;
} cut;

/* Blocks that have to leave the inside, and enter it. */
static void crossing(const gfab_goal *goal, uint64_t members, uint64_t inside, bool root, uint64_t *out, uint64_t *in)
{
    const uint64_t each = goal->blocks / members, outside = members - inside;
    *out = *in = 0;
    switch (goal->collective) {
    case GFAB_ALL_GATHER:
    case GFAB_REDUCE_SCATTER:
        *out = (goal->collective == GFAB_ALL_GATHER ? inside : outside) * each;
        *in = (goal->collective == GFAB_ALL_GATHER ? outside : inside) * each;
        break;
    case GFAB_ALL_REDUCE:
    case GFAB_BARRIER:
        *out = *in = goal->blocks;
        break;
    case GFAB_BROADCAST:
        *(root ? out : in) = goal->blocks;
        break;
    case GFAB_REDUCE:
        *(root ? in : out) = goal->blocks;
        break;
    case GFAB_ALL_TO_ALL:
        *out = *in = inside * outside;
        break;
    }
}

/* By distance from a node: members, and what links carry from what is no farther to the rest, back, and one way of
 * each. An arc that leads several steps back counts at each; what it adds at d and takes away farther out is summed up.
 */
typedef struct rings {
    uint64_t *inside, *room[3]; /* [nodes] each; room by gfab_way */
    cut best;                   /* so far */
} rings;

static void add_link(const gfab_topology *topology, size_t link, const uint32_t *distances, rings *r)
{
    const gfab_link ends = gfab_topology_link(topology, link);
    const bool falls = distances[ends.node[0]] > distances[ends.node[1]];
    const uint32_t near = distances[ends.node[falls]], far = distances[ends.node[!falls]];
    const uint64_t weights[3] = {
        [GFAB_WAY_OUT] = gfab_topology_arc_weight(topology, (gfab_arc)(2 * link + falls)),
        [GFAB_WAY_IN] = gfab_topology_arc_weight(topology, (gfab_arc)(2 * link + !falls)),
        [GFAB_WAY_EITHER] = gfab_topology_weight(topology, link),
    };
    for (int way = 0; way < 3; way++) {
        r->room[way][near] += weights[way];
        r->room[way][far] -= weights[way];
    }
}

static void try_cut(uint64_t messages, uint64_t room, uint32_t v, uint32_t distance, cut *best)
{
    const uint64_t rounds = gfab_divide_up(messages, room);
    if (rounds > best->rounds)
        *best = (cut){rounds, messages, room, v, distance};
}

/* The cuts between what is at most d arcs from v and the rest, for each d. */
static void look_around(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal, uint32_t v,
                        const uint32_t *distances, rings *r)
{
    const size_t nodes = gfab_topology_node_count(topology);
    const uint64_t members = gfab_topology_member_count(topology), tokens = model->packet_tokens;
    const uint32_t root = distances[gfab_topology_member(topology, goal->root)];
    memset(r->inside, 0, 4 * nodes * sizeof *r->inside); /* and the rooms, which stand behind it */
    for (uint32_t u = 0; u < nodes; u++)
        r->inside[distances[u]] += !gfab_topology_is_relay(topology, u);
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++)
        add_link(topology, l, distances, r);
    uint64_t so_far = 0, room[3] = {0, 0, 0};
    for (uint32_t d = 0; (so_far += r->inside[d]) < members; d++) {
        uint64_t out, in;
        crossing(goal, members, so_far, root <= d, &out, &in);
        for (int way = 0; way < 3; way++)
            room[way] += r->room[way][d] * tokens;
        const bool turned = in > out; /* of two that say as much, that of more messages */
        if (model->link_mode == GFAB_LINK_HALF)
            try_cut(out + in, room[GFAB_WAY_EITHER], v, d, &r->best);
        try_cut(turned ? in : out, room[turned ? GFAB_WAY_IN : GFAB_WAY_OUT], v, d, &r->best);
        try_cut(turned ? out : in, room[turned ? GFAB_WAY_OUT : GFAB_WAY_IN], v, d, &r->best);
    }
}

gfab_status gfab_bound_add_cuts(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                const gfab_goal *goal, const gfab_progress *progress)
{
    const size_t nodes = gfab_topology_node_count(topology), members = gfab_topology_member_count(topology);
    GFAB_FREED uint32_t *distances = malloc(2 * nodes * sizeof *distances);
    GFAB_FREED uint64_t *counts = malloc(4 * nodes * sizeof *counts);
    rings r = {.inside = counts};
    GFAB_NEED(distances && counts);
    for (size_t way = 0; way < 3; way++)
        r.room[way] = counts + (way + 1) * nodes;
    const size_t step = members / GFAB_BOUND_MAX_SOURCES + 1;
    for (size_t rank = 0; rank < members; rank += step) {
        const uint32_t v = gfab_topology_member(topology, (uint32_t)rank);
        gfab_topology_distances(topology, v, distances, distances + nodes);
        look_around(topology, model, goal, v, distances, &r);
        GFAB_TRY(gfab_progress_report(progress, "bounds", rank, members));
    }
    const cut best = r.best;
    if (best.rounds) {
        char around[64] = "";
        if (best.distance > 0)
            snprintf(around, sizeof around, "the nodes up to %" PRIu32 " link%s from ", best.distance,
                     gfab_plural(best.distance));
        gfab_bound_add(list, "cut", best.rounds, "folklore",
                       "%" PRIu64 " message%s must go between %snode %" PRIu32 " and all others%s, at most %" PRIu64
                       " a round.",
                       best.messages, gfab_plural(best.messages), around, best.node,
                       model->link_mode == GFAB_LINK_HALF ? "" : " in one direction", best.room);
    }
    return GFAB_OK;
}
