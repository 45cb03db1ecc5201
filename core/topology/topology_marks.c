/* SPDX-License-Identifier: MIT */
/* What is known of nodes and links besides the graph: which nodes only relay, how many packets a link carries each
 * way. */
#include "topology_internal.h"

#include "base/tells.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gfab_relay_kind kinds[] = {{"true", GFAB_RELAY_DOES_ALL},
                                        {"copy", GFAB_RELAYS | GFAB_RELAY_COPIES},
                                        {"combine", GFAB_RELAYS | GFAB_RELAY_COMBINES},
                                        {"forward", GFAB_RELAYS},
                                        {"switch", GFAB_SWITCH},
                                        {"switch:copy", GFAB_SWITCH | GFAB_RELAY_COPIES},
                                        {"switch:combine", GFAB_SWITCH | GFAB_RELAY_COMBINES},
                                        {"switch:copy-combine", GFAB_SWITCH | GFAB_RELAY_DOES_ALL}};
#define KINDS (sizeof kinds / sizeof *kinds)

const gfab_relay_kind *gfab_relay_kind_at(size_t index)
{
    return index < KINDS ? &kinds[index] : NULL;
}

const char *gfab_topology_relay_name(uint32_t relay)
{
    size_t k = 0;
    while (kinds[k].relay != relay)
        k++;
    return kinds[k].word;
}

/* Ranks of members, members of ranks; what relays do, where one of them does not do all. */
static gfab_status set_relays(gfab_topology *t, const uint8_t *relay, gfab_diag *diag)
{
    size_t members = 0;
    bool limited = false;
    for (size_t v = 0; v < t->node_count; v++) {
        members += !relay[v];
        limited = limited || (relay[v] && relay[v] != GFAB_RELAY_DOES_ALL);
    }
    if (members == t->node_count)
        return GFAB_OK;
    if (members < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: all other nodes are relays; a gossip needs at least 2 members",
                         members ? "one member" : "no member");
    t->rank = gfab_arena_zeroed(&t->arena, t->node_count, sizeof *t->rank);
    t->member = gfab_arena_zeroed(&t->arena, members, sizeof *t->member);
    t->relay = limited ? gfab_arena_zeroed(&t->arena, t->node_count, sizeof *t->relay) : NULL;
    GFAB_NEED_TOLD(!t->arena.failed, diag);
    if (limited)
        memcpy(t->relay, relay, t->node_count * sizeof *t->relay);
    t->member_count = 0;
    for (size_t v = 0; v < t->node_count; v++) {
        t->rank[v] = relay[v] ? GFAB_NO_RANK : (uint32_t)t->member_count;
        if (!relay[v])
            t->member[t->member_count++] = (uint32_t)v;
    }
    return GFAB_OK;
}

/* Has node 0 a way to every node, and each of them one to it? */
static gfab_status check_ways(const gfab_topology *t, gfab_diag *diag)
{
    GFAB_FREED uint32_t *distances = malloc(2 * t->node_count * sizeof *distances);
    GFAB_NEED_TOLD(distances, diag);
    for (int back = 0; back < 2; back++) {
        (back ? gfab_topology_distances_to : gfab_topology_distances)(t, 0, distances, distances + t->node_count);
        size_t v = 0;
        while (v < t->node_count && distances[v] != UINT32_MAX)
            v++;
        if (v < t->node_count)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                             "not connected both ways: there is no way from node %zu to node %zu", back ? v : 0,
                             back ? 0 : v);
    }
    return GFAB_OK;
}

static gfab_status set_weights(gfab_topology *t, const uint32_t *weight, gfab_diag *diag)
{
    const size_t arcs = 2 * t->link_count;
    bool plain = true;
    for (size_t arc = 0; arc < arcs; arc++) {
        plain = plain && weight[arc] == 1;
        t->directed = t->directed || weight[arc] != weight[arc ^ 1];
    }
    if (plain)
        return GFAB_OK;
    t->weight = gfab_arena_zeroed(&t->arena, arcs, sizeof *t->weight);
    GFAB_NEED_TOLD(t->weight, diag);
    memcpy(t->weight, weight, arcs * sizeof *t->weight);
    return t->directed ? check_ways(t, diag) : GFAB_OK;
}

/* +relay=, nodes in ranges, once for each kind of relays. */
static char *list_relays(const gfab_topology *t, char *at)
{
    for (size_t k = 0; k < KINDS; k++) {
        const char *separator = "+relay=";
        for (size_t v = 0, last; v < t->node_count; v = last + 1) {
            last = v;
            if (gfab_topology_relay(t, v) != kinds[k].relay)
                continue;
            while (last + 1 < t->node_count && gfab_topology_relay(t, last + 1) == kinds[k].relay)
                last++;
            at += sprintf(at, last > v ? "%s%zu-%zu" : "%s%zu", separator, v, last);
            separator = ",";
        }
        if (*separator == ',' && kinds[k].relay != GFAB_RELAY_DOES_ALL)
            at += sprintf(at, ":%s", kinds[k].word);
    }
    return at;
}

/* The suffixes of a graph that lists its links: +relay=, and a +weight= for each link that does not weigh 1 both ways.
 * At most eight digits and a separator a node, twice that and two more numbers a link. */
static gfab_status list_marks(gfab_topology *t, gfab_diag *diag)
{
    const size_t length = strlen(t->spec);
    const size_t relays = t->rank ? t->node_count - t->member_count : 0;
    char *spec = realloc(t->spec, length + 160 + 18 * relays + (t->weight ? 48 * t->link_count : 0));
    GFAB_NEED_TOLD(spec, diag);
    t->spec = spec;
    char *at = list_relays(t, spec + length);
    for (size_t l = 0; t->weight && l < t->link_count; l++) {
        const uint32_t *weight = &t->weight[2 * l];
        if (weight[0] == 1 && weight[1] == 1)
            continue;
        at += sprintf(at, "+weight=%" PRIu32 "-%" PRIu32 ":%" PRIu32, t->links[l].node[0], t->links[l].node[1],
                      weight[0]);
        if (weight[0] != weight[1])
            at += sprintf(at, "/%" PRIu32, weight[1]);
    }
    return GFAB_OK;
}

gfab_status gfab_topology_mark(gfab_topology *topology, const uint8_t *relay, const uint32_t *weight, gfab_diag *diag)
{
    GFAB_TRY(relay ? set_relays(topology, relay, diag) : GFAB_OK);
    if (weight)
        GFAB_TRY(set_weights(topology, weight, diag));
    return topology->listed && (topology->rank || topology->weight) ? list_marks(topology, diag) : GFAB_OK;
}

static bool have_same_marks(const gfab_topology *a, const gfab_topology *b)
{
    for (size_t v = 0; (a->rank || b->rank) && v < a->node_count; v++)
        if (gfab_topology_relay(a, v) != gfab_topology_relay(b, v))
            return false;
    for (size_t arc = 0; (a->weight || b->weight) && arc < 2 * a->link_count; arc++)
        if (gfab_topology_arc_weight(a, (gfab_arc)arc) != gfab_topology_arc_weight(b, (gfab_arc)arc))
            return false;
    return true;
}

/* Equal as numbered graphs: the same links between the same nodes, of the same kinds, whatever they are called. */
bool gfab_topology_equal(const gfab_topology *a, const gfab_topology *b)
{
    return a == b || (a->node_count == b->node_count && a->link_count == b->link_count &&
                      memcmp(a->links, b->links, a->link_count * sizeof *a->links) == 0 && have_same_marks(a, b));
}

size_t gfab_topology_member_count(const gfab_topology *topology)
{
    return topology->rank ? topology->member_count : topology->node_count;
}

uint32_t gfab_topology_rank(const gfab_topology *topology, uint32_t node)
{
    assert(node < topology->node_count);
    return topology->rank ? topology->rank[node] : node;
}

bool gfab_topology_is_relay(const gfab_topology *topology, size_t node)
{
    return gfab_topology_rank(topology, (uint32_t)node) == GFAB_NO_RANK;
}

uint32_t gfab_topology_relay(const gfab_topology *topology, size_t node)
{
    if (!gfab_topology_is_relay(topology, node))
        return 0;
    return topology->relay ? topology->relay[node] : GFAB_RELAY_DOES_ALL;
}

bool gfab_topology_is_switch(const gfab_topology *topology, size_t node)
{
    return topology->relay && topology->relay[node] & GFAB_RELAY_SWITCHES;
}

bool gfab_topology_is_passive(const gfab_topology *topology, size_t node)
{
    return topology->relay && topology->relay[node] == GFAB_SWITCH;
}

bool gfab_topology_copies(const gfab_topology *topology, size_t node)
{
    return !topology->relay || !topology->relay[node] || topology->relay[node] & GFAB_RELAY_COPIES;
}

bool gfab_topology_combines(const gfab_topology *topology, size_t node)
{
    return !topology->relay || !topology->relay[node] || topology->relay[node] & GFAB_RELAY_COMBINES;
}

uint32_t gfab_topology_member(const gfab_topology *topology, uint32_t rank)
{
    assert(rank < gfab_topology_member_count(topology));
    return topology->rank ? topology->member[rank] : rank;
}

uint32_t gfab_topology_arc_weight(const gfab_topology *topology, gfab_arc arc)
{
    assert(arc / 2 < topology->link_count);
    return topology->weight ? topology->weight[arc] : 1;
}

uint32_t gfab_topology_weight(const gfab_topology *topology, size_t link)
{
    assert(link < topology->link_count);
    if (!topology->weight)
        return 1;
    const uint32_t *weight = &topology->weight[2 * link];
    return weight[0] > weight[1] ? weight[0] : weight[1];
}

GFAB_TELLS(bool, gfab_topology_has_relays, gfab_topology, rank)

uint32_t gfab_topology_marks(const gfab_topology *topology)
{
    uint32_t marks = (topology->rank ? GFAB_MARK_RELAYS : 0) | (topology->directed ? GFAB_MARK_DIRECTED : 0) |
                     (topology->parallel ? GFAB_MARK_PARALLEL : 0);
    for (size_t v = 0; topology->relay && v < topology->node_count; v++)
        if (topology->relay[v])
            marks |= topology->relay[v] == GFAB_SWITCH           ? GFAB_MARK_SWITCHES
                     : topology->relay[v] & GFAB_RELAY_SWITCHES  ? GFAB_MARK_SWITCHES | GFAB_MARK_HELPING
                     : topology->relay[v] != GFAB_RELAY_DOES_ALL ? GFAB_MARK_LIMITED
                                                                 : 0;
    for (size_t arc = 0; topology->weight && arc < 2 * topology->link_count && !(marks & GFAB_MARK_WEIGHTS); arc++)
        marks |= topology->weight[arc] > 1 ? GFAB_MARK_WEIGHTS : 0;
    return marks;
}

const char *gfab_topology_marks_name(uint32_t marks)
{
    return marks & GFAB_MARK_HELPING    ? "switches that copy or combine"
           : marks & GFAB_MARK_SWITCHES ? "switches"
           : marks & GFAB_MARK_RELAYS   ? "relays"
           : marks & GFAB_MARK_WEIGHTS  ? "weighted links"
           : marks & GFAB_MARK_DIRECTED ? "directed links"
           : marks & GFAB_MARK_LIMITED  ? "relays that do not copy or combine"
           : marks                      ? "parallel links"
                                        : NULL;
}

bool gfab_topology_has_weights(const gfab_topology *topology)
{
    return gfab_topology_marks(topology) & GFAB_MARK_WEIGHTS;
}

GFAB_TELLS(bool, gfab_topology_is_directed, gfab_topology, directed)

bool gfab_topology_has_single_links(const gfab_topology *topology)
{
    bool single = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES;
    for (size_t v = 0; v < topology->node_count && single; v++) {
        size_t links;
        gfab_topology_ports(topology, v, &links);
        single = links == 1 || gfab_topology_is_switch(topology, v);
    }
    return single;
}

bool gfab_topology_is_plain(const gfab_topology *topology)
{
    return !topology->rank && !topology->weight && !topology->parallel;
}

/* What a relay does, backwards in time. */
static uint8_t turned(uint32_t relay)
{
    return (uint8_t)((relay & GFAB_SWITCH) | (relay & GFAB_RELAY_COPIES ? GFAB_RELAY_COMBINES : 0) |
                     (relay & GFAB_RELAY_COMBINES ? GFAB_RELAY_COPIES : 0));
}

/* The same nodes and links, listed, with these marks, but for links of no weight; weight[] is of those that are left
 * then. link[] gets their numbers; NULL: nobody asks. */
static gfab_status copy_graph(const gfab_topology *topology, const uint8_t *relay, uint32_t *weight,
                              gfab_topology **copy, uint32_t *link)
{
    GFAB_AT_END(gfab_edges_release) gfab_edges edges = {0};
    *copy = NULL;
    for (size_t l = 0, left = 0; l < topology->link_count; l++) {
        if (!weight[2 * l] && !weight[2 * l + 1])
            continue;
        gfab_edges_push(&edges, topology->links[l].node[0], topology->links[l].node[1], 0);
        weight[2 * left] = weight[2 * l];
        weight[2 * left + 1] = weight[2 * l + 1];
        if (link)
            link[left] = (uint32_t)l;
        left++;
    }
    gfab_topology *t = NULL;
    gfab_status status = edges.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    GFAB_THEN(status, gfab_graph_create(topology->node_count, &edges, NULL, &t, NULL));
    GFAB_THEN(status, gfab_topology_mark(t, relay, weight, NULL));
    return GFAB_HAND_OVER(status, t, gfab_topology_destroy, copy);
}

gfab_status gfab_topology_reverse(const gfab_topology *topology, gfab_topology **reversed)
{
    GFAB_FREED uint8_t *relay = calloc(topology->node_count, sizeof *relay);
    GFAB_FREED uint32_t *weight = malloc(2 * topology->link_count * sizeof *weight);
    *reversed = NULL;
    GFAB_NEED(relay && weight);
    for (size_t v = 0; v < topology->node_count; v++)
        relay[v] = turned(gfab_topology_relay(topology, v));
    for (size_t arc = 0; arc < 2 * topology->link_count; arc++)
        weight[arc] = gfab_topology_arc_weight(topology, (gfab_arc)arc ^ 1);
    return copy_graph(topology, relay, weight, reversed, NULL);
}

gfab_status gfab_topology_weigh(const gfab_topology *topology, const uint32_t *weight, gfab_topology **weighed,
                                uint32_t **link)
{
    const size_t arcs = 2 * topology->link_count;
    GFAB_FREED uint8_t *relay = malloc(topology->node_count * sizeof *relay);
    GFAB_FREED uint32_t *left = malloc(arcs * sizeof *left), *number = malloc(arcs * sizeof *number);
    *weighed = NULL;
    *link = NULL;
    GFAB_NEED(relay && left && number);
    for (size_t v = 0; v < topology->node_count; v++)
        relay[v] = (uint8_t)gfab_topology_relay(topology, v);
    memcpy(left, weight, arcs * sizeof *left);
    GFAB_TRY(copy_graph(topology, relay, left, weighed, number));
    *link = number;
    number = NULL;
    return GFAB_OK;
}

/* What is left of a link's weights: 0 and 0 where it is left out. */
static void weights_left(const gfab_topology *t, size_t link, uint32_t marks, uint32_t weight[2])
{
    for (uint32_t way = 0; way < 2; way++)
        weight[way] = gfab_topology_arc_weight(t, (gfab_arc)(2 * link + way));
    if (marks & GFAB_MARK_DIRECTED)
        weight[0] = weight[1] = weight[0] < weight[1] ? weight[0] : weight[1];
    for (uint32_t way = 0; way < 2 && marks & GFAB_MARK_WEIGHTS; way++)
        weight[way] = weight[way] > 0;
}

/* The links that are left, with their numbers and weights there and here. */
static void push_links_left(const gfab_topology *t, uint32_t marks, const uint32_t *number, gfab_edges *edges,
                            uint32_t *link, uint32_t *weight)
{
    for (size_t l = 0; l < t->link_count; l++) {
        const gfab_link *ends = &t->links[l];
        const bool doubled = l > 0 && memcmp(ends, ends - 1, sizeof *ends) == 0;
        uint32_t *left = &weight[2 * edges->count];
        if (number[ends->node[0]] == UINT32_MAX || number[ends->node[1]] == UINT32_MAX ||
            (doubled && marks & GFAB_MARK_WEIGHTS))
            continue;
        weights_left(t, l, marks, left);
        if (!left[0] && !left[1])
            continue;
        link[edges->count] = (uint32_t)l;
        gfab_edges_push(edges, number[ends->node[0]], number[ends->node[1]], 0);
    }
}

gfab_status gfab_topology_without(const gfab_topology *topology, uint32_t marks, gfab_topology **part, uint32_t **node,
                                  uint32_t **link, gfab_diag *diag)
{
    const gfab_topology *whole = topology;
    GFAB_AT_END(gfab_edges_release) gfab_edges edges = {0};
    size_t nodes = 0;
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    uint8_t *relay = gfab_arena_zeroed(&arena, whole->node_count, sizeof *relay);
    uint32_t *number = gfab_arena_zeroed(&arena, whole->node_count, sizeof *number);
    uint32_t *weight = gfab_arena_zeroed2(&arena, whole->link_count + 1, 2, sizeof *weight);
    GFAB_FREED uint32_t *node_of = malloc(whole->node_count * sizeof *node_of);
    GFAB_FREED uint32_t *link_of = malloc((whole->link_count + 1) * sizeof *link_of);
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *made = NULL;
    *part = NULL;
    *node = *link = NULL;
    GFAB_NEED(!arena.failed && node_of && link_of);
    for (size_t v = 0; v < whole->node_count; v++) {
        number[v] = UINT32_MAX;
        if (marks & GFAB_MARK_RELAYS && gfab_topology_is_relay(whole, v))
            continue;
        relay[nodes] = (uint8_t)gfab_topology_relay(whole, v);
        node_of[nodes] = (uint32_t)v;
        number[v] = (uint32_t)nodes++;
    }
    push_links_left(whole, marks, number, &edges, link_of, weight);
    GFAB_NEED(!edges.failed);
    GFAB_TRY(gfab_graph_create(nodes, &edges, NULL, &made, diag));
    GFAB_TRY(gfab_topology_mark(made, relay, weight, diag));
    for (size_t l = 1; l < edges.count; l++)
        made->parallel = made->parallel || memcmp(&made->links[l - 1], &made->links[l], sizeof *made->links) == 0;
    *part = gfab_take_at(&made);
    *node = gfab_take_at(&node_of);
    *link = gfab_take_at(&link_of);
    return GFAB_OK;
}

/* Level by level: what a switch passes on joins its own level, the rest the next one. */
void gfab_topology_hops(const gfab_topology *topology, uint32_t node, bool to, uint32_t *distances, uint32_t *work)
{
    const size_t nodes = topology->node_count;
    uint32_t *level = work, *next = work + nodes;
    size_t count = 1, waiting = 0;
    for (size_t v = 0; v < nodes; v++)
        distances[v] = UINT32_MAX;
    distances[node] = 0;
    level[0] = node;
    for (uint32_t d = 0; count > 0; d++) {
        while (count > 0) {
            const uint32_t v = level[--count];
            GFAB_EACH_PORT(port, topology, v) {
                const uint32_t peer = port->peer, hop = !gfab_topology_is_switch(topology, to ? peer : v);
                const gfab_arc arc = (2 * port->link + port->end) ^ (gfab_arc)to;
                if (distances[peer] <= d + hop || !gfab_topology_arc_weight(topology, arc))
                    continue;
                if (hop)
                    next[waiting++] = peer;
                else
                    level[count++] = peer;
                distances[peer] = d + hop;
            }
        }
        for (; waiting > 0; waiting--)
            if (distances[next[waiting - 1]] == d + 1)
                level[count++] = next[waiting - 1];
    }
}
