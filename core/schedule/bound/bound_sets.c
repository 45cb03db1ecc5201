/* SPDX-License-Identifier: MIT */
/* Half duplex, links that differ in their two ways: sets of nodes of which each takes in, or sends, as many messages.
 * An example: two nodes that are joined both ways, with one more link into each, have three links for what both take
 * in, because a message between them comes to one of the two. A partition says less: it counts all links between parts,
 * and those out of the two nodes carry nothing to them.
 *
 * Let each node of a set U take in m messages, none of them in the first lambda (d - 1) rounds, d being the links to
 * the nearest node of U from where they start. In a round a link carries no more to nodes of U than the greater of its
 * arcs to such nodes. Let c(U) be the sum of that over all links: R >= lambda (d - 1) + ceil(m |U| / c(U)). Backwards
 * in time the same holds of what nodes send. The set with the greatest |U| / c(U) is found by discrete Newton steps:
 * where p / q is the greatest so far, the set with the greatest q |U| - p c(U) is a side of a least cut. Each node is
 * worth q, and wants the links into it, which cost p times what they carry; what both arcs carry is paid once. (Frank's
 * theorem on orientations, J. Combinatorial Theory B 28, 1980, has such sets; the rounds are ours.) */
#include "bound_internal.h"

#include "flow/flow.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST ((uint64_t)1 << 57)
#define MOST_SETS 64u

typedef struct search {
    const gfab_topology *topology;
    bool out;           /* nodes send */
    uint32_t *distance; /* [nodes]: where a node's messages start, or end, or farther; 0: it needs none */
    bool *in;           /* [nodes]: the set */
    uint64_t count, room;
    gfab_flow flow; /* nodes, then links, a source, a sink */
    gfab_arena arena;
} search;

static void release(search *s)
{
    gfab_flow_release(&s->flow);
    gfab_arena_release(&s->arena);
}

/* What a link carries to the node at an end of it, or from it. */
static uint64_t carries(const search *s, size_t link, uint32_t end)
{
    return gfab_topology_arc_weight(s->topology, (gfab_arc)(2 * link + (end == s->out)));
}

static void count_set(search *s)
{
    s->count = s->room = 0;
    for (size_t v = 0; v < gfab_topology_node_count(s->topology); v++)
        s->count += s->in[v];
    for (size_t link = 0; link < gfab_topology_link_count(s->topology); link++) {
        const gfab_link ends = gfab_topology_link(s->topology, link);
        const uint64_t first = s->in[ends.node[0]] ? carries(s, link, 0) : 0,
                       second = s->in[ends.node[1]] ? carries(s, link, 1) : 0;
        s->room += first > second ? first : second;
    }
}

/* Nodes that are so far away or farther are worth q each. */
static gfab_status open_flow(search *s, uint32_t least, uint64_t p, uint64_t q)
{
    const size_t nodes = gfab_topology_node_count(s->topology), links = gfab_topology_link_count(s->topology);
    const uint32_t source = (uint32_t)(nodes + links), sink = source + 1;
    gfab_flow_release(&s->flow);
    GFAB_TRY(gfab_flow_create(nodes + links + 2, nodes + 4 * links, &s->flow));
    for (uint32_t v = 0; v < nodes; v++)
        gfab_flow_add(&s->flow, source, v, s->distance[v] >= least ? q : 0, 0);
    for (uint32_t l = 0; l < links; l++) {
        const gfab_link ends = gfab_topology_link(s->topology, l);
        const uint64_t first = carries(s, l, 0), second = carries(s, l, 1), both = first < second ? first : second;
        gfab_flow_add(&s->flow, (uint32_t)nodes + l, sink, p * both, 0);
        for (uint32_t end = 0; end < 2; end++)
            gfab_flow_add(&s->flow, ends.node[end], (uint32_t)nodes + l, GFAB_FLOW_MOST, 0);
        gfab_flow_add(&s->flow, ends.node[first < second], sink, p * ((first > second ? first : second) - both), 0);
    }
    return GFAB_OK;
}

/* The set with the greatest count / room of nodes that are so far away or farther; without any its count is 0. */
static gfab_status find_set(search *s, uint32_t least)
{
    const size_t nodes = gfab_topology_node_count(s->topology);
    const uint32_t source = (uint32_t)(nodes + gfab_topology_link_count(s->topology));
    for (size_t v = 0; v < nodes; v++)
        s->in[v] = s->distance[v] >= least;
    count_set(s);
    const uint64_t all = s->count;
    for (bool better = all > 0; better;) {
        GFAB_TRY(open_flow(s, least, s->count, s->room));
        better = gfab_flow_run(&s->flow, source, source + 1, all * s->room) < all * s->room;
        for (uint32_t v = 0; v < nodes && better; v++)
            s->in[v] = s->distance[v] >= least && gfab_flow_on_source_side(&s->flow, v);
        if (better)
            count_set(s);
    }
    return GFAB_OK;
}

static uint32_t nearest(const search *s)
{
    uint32_t least = UINT32_MAX;
    for (size_t v = 0; v < gfab_topology_node_count(s->topology); v++)
        least = s->in[v] && s->distance[v] < least ? s->distance[v] : least;
    return least;
}

static gfab_status look_at(search *s, const gfab_model *model, uint64_t messages, gfab_bound_list *list)
{
    gfab_bound best = {.rounds = 0};
    uint32_t least = 1;
    for (uint32_t i = 0; i < MOST_SETS; i++) {
        GFAB_TRY(find_set(s, least));
        if (s->count == 0)
            break;
        least = nearest(s);
        const uint64_t wait = (uint64_t)model->hop_rounds * (least - 1), room = s->room * model->packet_tokens;
        const uint64_t rounds = wait + gfab_divide_up(messages * s->count, room);
        if (rounds > best.rounds) {
            gfab_bound_list one = {&best, 0};
            gfab_bound_add(&one, "set", rounds, "this project: proof in core/schedule/bound/bound_sets.c",
                           "%" PRIu64 " nodes %s %" PRIu64 " messages each: %sat most %" PRIu64 " a round together.",
                           s->count, s->out ? "send" : "take in", messages,
                           gfab_bound_wait(s->out ? "last" : "first", wait).text, room);
        }
        least++;
    }
    if (best.rounds)
        gfab_bound_add(list, best.name, best.rounds, best.source, "%s", best.argument);
    return GFAB_OK;
}

/* Every member takes in, or sends, as many messages; the root none. */
static void set_distances(search *s, const gfab_goal *goal, uint32_t *scratch)
{
    const bool rooted = gfab_collective_has_root(goal->collective);
    const uint32_t root = gfab_topology_member(s->topology, goal->root);
    if (rooted)
        gfab_topology_hops(s->topology, root, s->out, s->distance, scratch);
    for (uint32_t v = 0; v < gfab_topology_node_count(s->topology); v++)
        s->distance[v] = gfab_topology_is_relay(s->topology, v) ? 0 : rooted ? s->distance[v] : 1;
}

gfab_status gfab_bound_add_sets(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                const gfab_goal *goal)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const uint64_t members = gfab_topology_member_count(topology), each = goal->blocks / members;
    const bool owned = goal->collective == GFAB_ALL_GATHER || goal->collective == GFAB_REDUCE_SCATTER;
    const bool backwards = goal->collective == GFAB_REDUCE || goal->collective == GFAB_REDUCE_SCATTER;
    GFAB_AT_END(release) search s = {.topology = topology};
    if (model->link_mode == GFAB_LINK_FULL || !gfab_topology_is_directed(topology) || members < 2 ||
        goal->collective == GFAB_ALL_TO_ALL || nodes * links > GFAB_BOUND_MAX_RATE ||
        links * gfab_bound_widest(topology) > MOST / nodes)
        return GFAB_OK;
    uint32_t *scratch = gfab_arena_zeroed(&s.arena, 2 * nodes, sizeof *scratch);
    s.distance = gfab_arena_zeroed(&s.arena, nodes, sizeof *s.distance);
    s.in = gfab_arena_zeroed(&s.arena, nodes, sizeof *s.in);
    GFAB_NEED(!s.arena.failed);
    for (uint32_t way = 0; way < 2; way++) {
        s.out = way;
        set_distances(&s, goal, scratch);
        if (goal->collective == GFAB_ALL_REDUCE || goal->collective == GFAB_BARRIER || s.out == backwards)
            GFAB_TRY(look_at(&s, model, owned ? goal->blocks - each : goal->blocks, list));
    }
    return GFAB_OK;
}
