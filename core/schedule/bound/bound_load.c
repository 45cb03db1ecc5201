/* SPDX-License-Identifier: MIT */
/* What no schedule for what nodes start with takes fewer rounds than. Nodes may start with unequal numbers of tokens:
 * load[v] of node v, T in all. Every member ends with all T. lambda is hop_rounds; w is what a node's links bring in
 * a round at most, x what they carry where each is used one way.
 *   count: T (N - 1) messages, one into each member for each token that it has not, over all that links carry;
 *   degree: into v come the f tokens that start d or more links away, none in the first lambda (d - 1) rounds:
 *     R >= lambda (d - 1) + ceil(f / w); a circuit has no hops to wait for: d = 1;
 *     half duplex, v also sends its own at least once each: R >= ceil(T / x). */
#include "bound_internal.h"

#include "base/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct load {
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    const gfab_model *model;
    uint64_t tokens; /* T */
    uint32_t least;  /* whole tokens of the member that starts with fewest */
    bool full, circuit;
    uint32_t *distances; /* [3 nodes] */
    uint64_t *far;       /* [nodes + 1]: tokens from so far away, or farther */
} load;

static uint32_t load_of(const gfab_schedule *schedule, size_t node)
{
    return gfab_schedule_first_token(schedule, node + 1) - gfab_schedule_first_token(schedule, node);
}

static bool is_higher(uint64_t rounds, const gfab_bound *best)
{
    return !best->name || rounds > best->rounds;
}

static void count_all(const load *l, gfab_bound *best)
{
    const uint64_t members = gfab_topology_member_count(l->topology);
    if (members == 1)
        return;
    const uint64_t room = gfab_bound_room(l->topology, l->model), messages = l->tokens * (members - 1);
    const uint64_t rounds = gfab_divide_up(messages, room);
    if (is_higher(rounds, best))
        gfab_bound_add(&(gfab_bound_list){best, 0}, "count", rounds, "folklore",
                       "%" PRIu64 " token%s to move: %" PRIu64 " messages over one link each, N - 1 a token, and a "
                       "round has room for %" PRIu64 ".",
                       l->tokens, gfab_plural(l->tokens), messages, room);
}

/* Tokens by the links between where they start and node v. */
static void sort_tokens(const load *l, uint32_t v)
{
    const size_t nodes = gfab_topology_node_count(l->topology);
    memset(l->far, 0, (nodes + 1) * sizeof *l->far);
    if (!l->circuit)
        gfab_topology_hops(l->topology, v, true, l->distances, l->distances + nodes);
    for (uint32_t u = 0; u < nodes; u++) {
        const uint32_t tokens = load_of(l->schedule, u);
        if (u != v && tokens)
            l->far[l->circuit ? 1 : l->distances[u]] += tokens;
    }
}

static void look_at(const load *l, uint32_t v, gfab_bound *best)
{
    const size_t nodes = gfab_topology_node_count(l->topology);
    const bool one = l->model->port_mode == GFAB_PORT_ONE;
    const uint64_t width = gfab_bound_width(l->topology, v, one, GFAB_WAY_IN) * l->model->packet_tokens;
    const uint64_t both = gfab_bound_width(l->topology, v, one, GFAB_WAY_EITHER) * l->model->packet_tokens;
    sort_tokens(l, v);
    for (size_t d = nodes; d-- > 1;) {
        l->far[d] += l->far[d + 1];
        const uint64_t wait = (uint64_t)l->model->hop_rounds * (d - 1);
        const uint64_t rounds = l->far[d] ? wait + gfab_divide_up(l->far[d], width) : 0;
        if (l->far[d] && is_higher(rounds, best))
            gfab_bound_add(&(gfab_bound_list){best, 0}, "degree", rounds, "folklore",
                           "Node %" PRIu32 " takes in %" PRIu64 " token%s from %zu or more links away: %sat most "
                           "%" PRIu64 " a round.",
                           v, l->far[d], gfab_plural(l->far[d]), d, gfab_bound_wait("first", wait).text, width);
    }
    if (l->full || nodes == 1)
        return;
    const uint64_t rounds = gfab_divide_up(l->tokens, both);
    if (is_higher(rounds, best))
        gfab_bound_add(&(gfab_bound_list){best, 0}, "degree", rounds, "folklore",
                       "%" PRIu64 " tokens enter or leave node %" PRIu32 ", at most %" PRIu64 " a round.", l->tokens, v,
                       both);
}

/* Nodes that start with tokens where not all do: a broadcast from each. */
static gfab_status add_broadcasts(const load *l, const gfab_progress *progress, gfab_bound *best)
{
    const size_t nodes = gfab_topology_node_count(l->topology);
    for (size_t v = 0; v < nodes; v++) {
        gfab_bound bound;
        if (!load_of(l->schedule, v))
            continue;
        GFAB_TRY(gfab_bound_broadcast(l->topology, l->model, (uint32_t)v, &bound));
        GFAB_TRY(gfab_progress_report(progress, "bounds", v, nodes));
        if (is_higher(bound.rounds, best))
            *best = bound;
    }
    return GFAB_OK;
}

static gfab_status look_around(load *l, const gfab_progress *progress, gfab_bound *best)
{
    const size_t nodes = gfab_topology_node_count(l->topology), step = nodes / GFAB_BOUND_MAX_SOURCES + 1;
    GFAB_FREED uint32_t *distances = malloc(3 * nodes * sizeof *distances);
    GFAB_FREED uint64_t *far = malloc((nodes + 1) * sizeof *far);
    GFAB_NEED(distances && far);
    l->distances = distances;
    l->far = far;
    for (size_t v = 0; v < nodes; v += step) {
        if (!gfab_topology_is_relay(l->topology, v))
            look_at(l, (uint32_t)v, best);
        GFAB_TRY(gfab_progress_report(progress, "bounds", v, nodes));
    }
    return GFAB_OK;
}

/* Parts are tokens, too, of which a packet takes no more: so as many blocks as there are parts. */
static gfab_status count_parts(const load *l, const gfab_progress *progress, gfab_bound *best)
{
    const gfab_goal goal = {.collective = GFAB_ALL_GATHER, .blocks = (uint32_t)l->tokens};
    gfab_bound bound;
    GFAB_TRY(gfab_bound_goal_best(l->topology, l->model, &goal, progress, &bound));
    if (is_higher(bound.rounds, best))
        *best = bound;
    return GFAB_OK;
}

gfab_status gfab_bound_schedule(const gfab_schedule *schedule, const gfab_progress *progress, gfab_bound *best)
{
    const gfab_model *model = gfab_schedule_model(schedule);
    gfab_goal goal = gfab_schedule_goal(schedule);
    load l = {.schedule = schedule,
              .topology = gfab_schedule_topology(schedule),
              .model = model,
              .tokens = gfab_schedule_token_count(schedule),
              .least = UINT32_MAX,
              .full = model->link_mode == GFAB_LINK_FULL,
              .circuit = model->routing == GFAB_ROUTING_CIRCUIT};
    if (goal.collective != GFAB_ALL_GATHER || gfab_schedule_period(schedule))
        return gfab_bound_goal_best(l.topology, model, &goal, progress, best);
    for (size_t v = 0; v < gfab_topology_node_count(l.topology); v++)
        if (!gfab_topology_is_relay(l.topology, v) && load_of(schedule, v) / gfab_schedule_parts(schedule) < l.least)
            l.least = load_of(schedule, v) / gfab_schedule_parts(schedule);
    *best = (gfab_bound){.name = NULL};
    goal.blocks = l.least * (uint32_t)gfab_topology_member_count(l.topology);
    if (l.least)
        GFAB_TRY(gfab_bound_goal_best(l.topology, model, &goal, progress, best));
    else
        GFAB_TRY(add_broadcasts(&l, progress, best));
    if (gfab_schedule_parts(schedule) > 1 && gfab_schedule_even_load(schedule))
        GFAB_TRY(count_parts(&l, progress, best));
    if (gfab_schedule_parts(schedule) > 1 || goal.blocks == l.tokens)
        return GFAB_OK;
    count_all(&l, best);
    return look_around(&l, progress, best);
}
