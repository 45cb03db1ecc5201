/* SPDX-License-Identifier: MIT */
/* Splitting off relays. An arc into a relay and one out of it, each with room g, become one arc past it: so many trees
 * that reach all targets still fit if every set of nodes without some target has as much room out of it as its members
 * have trees to send. Where a relay has as much room in as out there is always a pair that can be split off
 * (Bang-Jensen, Frank & Jackson, SIAM J. Discrete Math. 8 (1995)); ForestColl (arXiv:2402.06787) finds how much by
 * flows. Here a whole list of pairs is split off at once, as evenly as possible and past shortest ways first, and a
 * binary search finds how much of the list can be.
 *
 * Of switches whole weights are split off, so that what is left is a graph of whole weights: pairs that have least room
 * between them come first, so that what hangs on several switches is joined to more others. */
#include "flow/flow.h"
#include "out_trees.h"

#include "base/grow.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE
#define MOST (GFAB_FLOW_MOST >> 8)

/* ---- graphs ---- */

gfab_status gfab_out_graph_add(gfab_out_graph *g, gfab_out_arc arc)
{
    if (!gfab_grow(&g->arcs, g->count, &g->capacity, sizeof *g->arcs))
        return GFAB_ERR_NO_MEMORY;
    g->arcs[g->count++] = arc;
    return GFAB_OK;
}

gfab_status gfab_out_graph_create(const gfab_topology *topology, const uint32_t *weight, uint32_t share,
                                  gfab_out_graph *graph)
{
    const size_t nodes = gfab_topology_node_count(topology);
    *graph = (gfab_out_graph){.topology = topology, .nodes = (uint32_t)nodes};
    graph->target = malloc(nodes * sizeof *graph->target);
    gfab_status status = graph->target ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (size_t v = 0; v < nodes && graph->target; v++)
        graph->target[v] = !gfab_topology_is_relay(topology, v);
    for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology) && status == GFAB_OK; arc++) {
        const uint64_t room = share * (uint64_t)(weight ? weight[arc] : gfab_topology_arc_weight(topology, arc));
        const uint32_t from = gfab_topology_arc_from(topology, arc), to = gfab_topology_arc_to(topology, arc);
        if (room > INT32_MAX)
            return GFAB_ERR_LIMIT;
        if (room > 0)
            status = gfab_out_graph_add(graph, (gfab_out_arc){from, to, (uint32_t)room, 1, arc, NONE, NONE});
    }
    return status;
}

void gfab_out_graph_release(gfab_out_graph *graph)
{
    free(graph->arcs);
    free(graph->target);
    *graph = (gfab_out_graph){0};
}

/* ---- splitting ---- */

/* So much past the relay, from one node to another. */
typedef struct pair {
    uint32_t from, to, amount;
} pair;

typedef struct splitter {
    gfab_out_graph *graph;
    gfab_out_supply supply;
    const gfab_solver_options *options;
    uint32_t n, relay;
    uint64_t wanted;    /* by each member */
    int64_t *room;      /* [n * n]: from node to node */
    uint32_t *distance; /* [n * n] */
    bool *dead;         /* [n * n]: pairs of which no more can be split off */
    int64_t *listed;    /* [n * n]: of whole pairs, while they are listed */
    int64_t *in, *out;  /* [n]: of the relay, while pairs are listed */
    uint32_t turn;      /* relays that were split off: each begins its pairs a place further */
    uint32_t *targets;  /* by how lately they refused something */
    uint32_t target_count;
    pair *pairs;
    size_t pair_count, pair_room;
    gfab_flow flow;
    gfab_arena arena;
} splitter;

static int64_t *room_of(const splitter *s, uint32_t from, uint32_t to)
{
    return &s->room[(size_t)from * s->n + to];
}

static void count_pair(const splitter *s, const pair *p, int64_t amount)
{
    *room_of(s, p->from, s->relay) -= amount;
    *room_of(s, s->relay, p->to) -= amount;
    if (p->from != p->to)
        *room_of(s, p->from, p->to) += amount;
}

/* Nodes n and n + 1 are the source, which supplies the members, and the sink. together[0] and [1] are on the source's
 * side, apart[0] and [1] on the sink's; NONE: anywhere. */
static gfab_status open_flow(splitter *s, const uint32_t together[2], const uint32_t apart[2])
{
    const uint32_t source = s->n, sink = s->n + 1;
    gfab_flow_release(&s->flow);
    GFAB_TRY(gfab_flow_create((size_t)s->n + 2, (size_t)s->n * s->n + 2 * (size_t)s->n, &s->flow));
    for (uint32_t v = 0; v < s->n; v++) {
        const bool here = together && (v == together[0] || v == together[1]);
        const bool there = apart && (v == apart[0] || v == apart[1]);
        gfab_flow_add(&s->flow, source, v, here ? MOST : s->supply[v], 0);
        gfab_flow_add(&s->flow, v, sink, there ? MOST : 0, 0);
    }
    for (uint32_t v = 0; v < s->n; v++)
        for (uint32_t u = 0; u < v; u++)
            if (*room_of(s, u, v) || *room_of(s, v, u))
                gfab_flow_add(&s->flow, u, v, (uint64_t)*room_of(s, u, v), (uint64_t)*room_of(s, v, u));
    return GFAB_OK;
}

/* How much more than is wanted can reach every target, but no more than `most`: less than 0 where not all is. */
static int64_t find_slack(splitter *s, const uint32_t together[2], const uint32_t apart[2], uint64_t most,
                          gfab_status *status)
{
    uint64_t least = s->wanted + most;
    *status = open_flow(s, together, apart);
    for (uint32_t i = 0; i < s->target_count && *status == GFAB_OK && least > (together ? s->wanted : 0); i++) {
        const uint32_t v = s->targets[i];
        const bool forced = apart && (v == apart[0] || v == apart[1]);
        if (together && (v == together[0] || v == together[1]))
            continue;
        gfab_flow_set(&s->flow, 4 * v + 2, MOST);
        const uint64_t flow = gfab_flow_run(&s->flow, s->n, s->n + 1, least);
        s->graph->work += s->flow.arcs;
        gfab_flow_set(&s->flow, 4 * v + 2, forced ? MOST : 0);
        if (flow < least) {
            least = flow;
            memmove(s->targets + 1, s->targets, i * sizeof *s->targets);
            s->targets[0] = v;
        }
        if (!together && flow < s->wanted)
            break;
    }
    return (int64_t)least - (int64_t)s->wanted;
}

/* What of a pair can be split off: sets with both ends and without the relay lose room, and so do sets with the relay
 * alone. */
static gfab_status find_amount(splitter *s, pair *p)
{
    const uint32_t both[2] = {p->from, p->to}, relay[2] = {s->relay, NONE};
    gfab_status status;
    int64_t slack = find_slack(s, both, relay, p->amount, &status);
    if (status == GFAB_OK && slack > 0)
        slack = find_slack(s, relay, both, (uint64_t)slack, &status);
    p->amount = slack > 0 ? (uint32_t)slack : 0;
    if (s->graph->unit)
        p->amount -= p->amount % s->graph->unit;
    return status;
}

/* ---- lists of pairs ---- */

static gfab_status list_pair(splitter *s, uint32_t from, uint32_t to, int64_t amount)
{
    if (!gfab_grow(&s->pairs, s->pair_count, &s->pair_room, sizeof *s->pairs))
        return GFAB_ERR_NO_MEMORY;
    s->pairs[s->pair_count++] = (pair){from, to, (uint32_t)amount};
    s->in[from] -= amount;
    s->out[to] -= amount;
    return GFAB_OK;
}

/* May the pair be split off at this stage? At first past shortest ways alone, last of all from a node to itself. */
static bool suits(const splitter *s, uint32_t from, uint32_t to, int stage)
{
    const uint32_t *d = s->distance;
    const bool shortest =
        d[(size_t)from * s->n + to] == d[(size_t)from * s->n + s->relay] + d[(size_t)s->relay * s->n + to];
    const bool stays = stage == 0 ? from != to && shortest : stage == 1 ? from != to : true;
    return stays && !s->dead[(size_t)from * s->n + to];
}

/* All that the relay's arcs have room for, in small shares of each pair by turns. */
static gfab_status list_pairs(splitter *s, int stage)
{
    int64_t total = 0, share = 1;
    uint32_t others = 0;
    s->pair_count = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        s->in[v] = *room_of(s, v, s->relay);
        s->out[v] = *room_of(s, s->relay, v);
        total += s->out[v];
        others += s->out[v] > 0;
    }
    if (others > 1)
        share = total / others / (2 * (int64_t)(others - 1));
    share = share > 0 ? share : 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t shift = 0; shift < s->n; shift++)
            for (uint32_t from = 0; from < s->n; from++) {
                const uint32_t to = (from + shift) % s->n;
                int64_t amount = s->in[from] < s->out[to] ? s->in[from] : s->out[to];
                if (amount <= 0 || !suits(s, from, to, stage))
                    continue;
                amount = amount < share ? amount : share;
                GFAB_TRY(list_pair(s, from, to, amount));
                more = true;
            }
    }
    return GFAB_OK;
}

/* Whole units by turns, to those between which there is least room. */
static gfab_status list_whole_pairs(splitter *s, int stage)
{
    const int64_t unit = s->graph->unit;
    uint32_t *who = s->targets + s->n, count = 0;
    int64_t total = 0, step, most = 0;
    s->pair_count = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        s->in[v] = *room_of(s, v, s->relay);
        s->out[v] = *room_of(s, s->relay, v);
        total += s->out[v];
        if (s->in[v] || s->out[v])
            who[count++] = v;
    }
    step = count > 1 ? total / unit / count / (count - 1) / 2 * unit : 0;
    step = step > unit ? step : unit;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            most = *room_of(s, who[i], who[k]) > most ? *room_of(s, who[i], who[k]) : most;
    for (int64_t level = 0; level <= most + total; level += step) {
        bool left = false;
        for (uint32_t shift = 0; shift < count; shift++)
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t from = who[i], to = who[(i + shift + s->turn + 1) % count];
                int64_t amount = s->in[from] < s->out[to] ? s->in[from] : s->out[to];
                if (amount <= 0 || !suits(s, from, to, stage))
                    continue;
                left = true;
                if (s->listed[(size_t)from * s->n + to] + *room_of(s, from, to) > level)
                    continue;
                amount = amount < step ? amount : step;
                s->listed[(size_t)from * s->n + to] += amount;
                GFAB_TRY(list_pair(s, from, to, amount));
            }
        if (!left)
            break;
    }
    for (size_t i = 0; i < s->pair_count; i++)
        s->listed[(size_t)s->pairs[i].from * s->n + s->pairs[i].to] = 0;
    return GFAB_OK;
}

/* ---- carrying out ---- */

/* The shortest arc with room left from one node to another. */
static uint32_t find_arc(const gfab_out_graph *g, uint32_t from, uint32_t to)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < g->count; i++) {
        const gfab_out_arc *arc = &g->arcs[i];
        if (arc->from == from && arc->to == to && arc->room && (best == NONE || arc->length < g->arcs[best].length))
            best = i;
    }
    return best;
}

static gfab_status split_off(splitter *s, const pair *p)
{
    gfab_out_graph *g = s->graph;
    count_pair(s, p, p->amount);
    for (uint32_t left = p->amount; left > 0;) {
        const uint32_t first = find_arc(g, p->from, s->relay), second = find_arc(g, s->relay, p->to);
        uint32_t amount = g->arcs[first].room < g->arcs[second].room ? g->arcs[first].room : g->arcs[second].room;
        amount = amount < left ? amount : left;
        left -= amount;
        g->arcs[first].room -= amount;
        g->arcs[second].room -= amount;
        if (p->from == p->to)
            continue;
        uint32_t same = 0;
        while (same < g->count && !(g->arcs[same].first == first && g->arcs[same].second == second))
            same++;
        if (same < g->count)
            g->arcs[same].room += amount;
        else
            GFAB_TRY(gfab_out_graph_add(g, (gfab_out_arc){p->from, p->to, amount,
                                                          g->arcs[first].length + g->arcs[second].length, first, second,
                                                          NONE}));
    }
    return GFAB_OK;
}

/* Do all trees fit once the first so many pairs are split off, too? */
static bool fits(splitter *s, size_t first, size_t end, gfab_status *status)
{
    for (size_t i = first; i < end; i++)
        count_pair(s, &s->pairs[i], s->pairs[i].amount);
    const bool good = find_slack(s, NULL, NULL, 0, status) >= 0;
    for (size_t i = first; i < end; i++)
        count_pair(s, &s->pairs[i], -(int64_t)s->pairs[i].amount);
    return good;
}

/* As many of the list as can be: of the pair after these what can be, and no more of it ever. The list goes on then. */
static gfab_status take_pairs(splitter *s)
{
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < s->pair_count && s->graph->loose && status == GFAB_OK; i++)
        status = split_off(s, &s->pairs[i]);
    for (size_t done = 0; done < s->pair_count && !s->graph->loose && status == GFAB_OK;) {
        size_t good = done, bad = s->pair_count + 1, tried = s->pair_count;
        while (good + 1 < bad && status == GFAB_OK) {
            if (fits(s, done, tried, &status))
                good = tried;
            else
                bad = tried;
            tried = good + (bad - good) / 2;
        }
        for (; done < good && status == GFAB_OK; done++)
            status = split_off(s, &s->pairs[done]);
        if (done == s->pair_count || status != GFAB_OK)
            break;
        pair *last = &s->pairs[done++];
        if (!s->dead[(size_t)last->from * s->n + last->to])
            status = find_amount(s, last);
        else
            last->amount = 0;
        s->dead[(size_t)last->from * s->n + last->to] = true;
        if (status == GFAB_OK && last->amount > 0)
            status = split_off(s, last);
        for (size_t i = done; i < s->pair_count; i++)
            if (s->pairs[i].from == last->from && s->pairs[i].to == last->to)
                s->pairs[i].amount = 0;
    }
    return status;
}

static bool is_done(const splitter *s)
{
    int64_t left = 0;
    for (uint32_t v = 0; v < s->n; v++)
        left += *room_of(s, v, s->relay) + *room_of(s, s->relay, v);
    return left == 0;
}

static gfab_status split_relay(splitter *s, uint32_t relay)
{
    gfab_status status = GFAB_OK;
    s->relay = relay;
    memset(s->dead, 0, (size_t)s->n * s->n * sizeof *s->dead);
    for (int stage = 0; stage < 3 && status == GFAB_OK && !is_done(s);) {
        status = s->graph->unit ? list_whole_pairs(s, stage) : list_pairs(s, stage);
        if (s->pair_count == 0)
            stage++;
        else if (status == GFAB_OK)
            status = take_pairs(s);
    }
    s->turn++;
    return status == GFAB_OK && !s->graph->loose && !is_done(s) ? GFAB_ERR_FAULT : status;
}

static gfab_status open(splitter *s)
{
    const gfab_topology *topology = s->graph->topology;
    const size_t cells = (size_t)s->n * s->n;
    s->room = gfab_arena_zeroed(&s->arena, cells, sizeof *s->room);
    s->distance = gfab_arena_zeroed(&s->arena, cells, sizeof *s->distance);
    s->dead = gfab_arena_zeroed(&s->arena, cells, sizeof *s->dead);
    s->listed = gfab_arena_zeroed(&s->arena, s->graph->unit ? cells : 1, sizeof *s->listed);
    s->in = gfab_arena_zeroed(&s->arena, s->n, sizeof *s->in);
    s->out = gfab_arena_zeroed(&s->arena, s->n, sizeof *s->out);
    s->targets = gfab_arena_zeroed(&s->arena, 2 * (size_t)s->n, sizeof *s->targets);
    if (s->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < s->graph->count; i++)
        *room_of(s, s->graph->arcs[i].from, s->graph->arcs[i].to) += s->graph->arcs[i].room;
    for (uint32_t v = 0; v < s->n; v++) {
        gfab_topology_distances(topology, v, s->distance + (size_t)v * s->n, s->targets + s->n);
        s->wanted += s->supply[v];
        if (s->graph->target[v])
            s->targets[s->target_count++] = v;
    }
    return GFAB_OK;
}

/* Relays that copy, and to which all that is wanted can come. */
static gfab_status find_targets(splitter *s)
{
    GFAB_TRY(open_flow(s, NULL, NULL));
    for (uint32_t v = 0; v < s->n; v++) {
        if (s->graph->target[v] || !gfab_topology_copies(s->graph->topology, v))
            continue;
        gfab_flow_set(&s->flow, 4 * v + 2, MOST);
        s->graph->target[v] = gfab_flow_run(&s->flow, s->n, s->n + 1, s->wanted) == s->wanted;
        gfab_flow_set(&s->flow, 4 * v + 2, 0);
        s->graph->work += s->flow.arcs;
        if (s->graph->target[v])
            s->targets[s->target_count++] = v;
    }
    return GFAB_OK;
}

gfab_status gfab_out_split(gfab_out_graph *graph, gfab_out_supply supply, const gfab_solver_options *options)
{
    splitter s = {.graph = graph, .supply = supply, .options = options, .n = graph->nodes};
    if (!gfab_topology_has_relays(graph->topology))
        return GFAB_OK;
    gfab_status status = open(&s);
    if (!graph->unit)
        GFAB_THEN(status, find_targets(&s));
    for (uint32_t v = 0; v < s.n && status == GFAB_OK; v++)
        if (graph->unit ? gfab_topology_is_switch(graph->topology, v) : !graph->target[v]) {
            status = split_relay(&s, v);
            GFAB_THEN(status, gfab_solver_report(options, "relays", v, s.n));
        }
    gfab_flow_release(&s.flow);
    gfab_arena_release(&s.arena);
    free(s.pairs);
    return status;
}
