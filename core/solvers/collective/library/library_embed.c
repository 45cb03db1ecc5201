/* SPDX-License-Identifier: MIT */
/* Paths and rounds for the messages of a step. A round is filled with the messages that still wait, farthest first:
 * each takes a shortest path of links that are free in that round, if there is one. Where links are shared a link of
 * weight w has room for w times the blocks of the round's longest message, which goes first.
 *
 * Where switches stand side by side the messages of a round are the links of a bipartite graph, and the switches their
 * colours. Where none is left for a message, two switches change places along a chain (Koenig 1916). So a round has
 * whatever the links of its nodes carry. */
#include "library_plan.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define FAR UINT16_MAX
#define NONE SIZE_MAX

typedef struct network {
    const gfab_topology *topology;
    const gfab_model *model;
    size_t nodes;
    bool shared, stored;            /* switches; store-and-forward: a path passes switches alone */
    uint32_t longest;               /* shared: blocks of the round's longest message; else 1 */
    uint16_t *distance;             /* [rank][node]: to the rank's node; FAR: there is no way */
    uint64_t *used;                 /* of an arc, or, in half duplex, of arc 2 l for link l: packets in this round, or
                                     * blocks where links are shared */
    uint32_t *sends, *takes;        /* of a node in this round: packets that begin and end there */
    uint32_t *queue, *seen, search; /* of the search for a path: nodes, and when they were seen last */
    gfab_arc *came;                 /* the arc that a node was reached by */
    size_t *order;                  /* of a step's messages, farthest first */
    size_t *first, *next; /* [arcs], [2 * messages]: of this round's messages over one switch those over an arc; NONE */
    size_t *chain;        /* messages that change places */
    gfab_arena arena;
} network;
GFAB_HOLDS_ARENA(network)

/* May a path go on from here? */
static bool passes(const network *w, uint32_t node)
{
    return !w->stored || gfab_topology_is_switch(w->topology, node);
}

/* Links from each node to one, backwards from there. */
static void find_distances(network *w, uint32_t to, uint16_t *distance)
{
    size_t head = 0, tail = 0;
    for (size_t v = 0; v < w->nodes; v++)
        distance[v] = FAR;
    distance[to] = 0;
    for (w->queue[tail++] = to; head < tail; head++) {
        const uint32_t v = w->queue[head];
        size_t count;
        const gfab_port *ports = gfab_topology_ports(w->topology, v, &count);
        for (size_t i = 0; i < count && (v == to || passes(w, v)); i++)
            if (distance[ports[i].peer] == FAR) {
                distance[ports[i].peer] = (uint16_t)(distance[v] + 1);
                w->queue[tail++] = ports[i].peer;
            }
    }
}

static gfab_status network_init(network *w, const gfab_topology *topology, const gfab_model *model,
                                const gfab_library_plan *plan)
{
    const size_t nodes = gfab_topology_node_count(topology);
    size_t most = 0;
    for (size_t s = 0; s < plan->step_count; s++)
        most = plan->steps[s + 1] - plan->steps[s] > most ? plan->steps[s + 1] - plan->steps[s] : most;
    *w = (network){.topology = topology,
                   .model = model,
                   .nodes = nodes,
                   .shared = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES,
                   .stored = model->routing == GFAB_ROUTING_STORE_AND_FORWARD,
                   .longest = 1};
    w->distance = gfab_arena_zeroed2(&w->arena, plan->ranks, nodes, sizeof *w->distance);
    w->used = gfab_arena_zeroed(&w->arena, 2 * gfab_topology_link_count(topology), sizeof *w->used);
    GFAB_ARRAYS(&w->arena, nodes, w->sends, w->takes);
    w->queue = gfab_arena_zeroed2(&w->arena, 2, nodes, sizeof *w->queue);
    GFAB_ARRAYS(&w->arena, nodes, w->seen, w->came);
    GFAB_ARRAYS(&w->arena, most + 1, w->order, w->chain);
    w->first = gfab_arena_zeroed(&w->arena, 2 * gfab_topology_link_count(topology), sizeof *w->first);
    w->next = gfab_arena_zeroed(&w->arena, 2 * (plan->message_count + 1), sizeof *w->next);
    GFAB_NEED(!w->arena.failed);
    for (uint32_t r = 0; r < plan->ranks; r++)
        find_distances(w, gfab_topology_member(topology, r), w->distance + r * nodes);
    return GFAB_OK;
}

static uint64_t *use_of(network *w, gfab_arc arc)
{
    return &w->used[w->model->link_mode == GFAB_LINK_HALF ? arc / 2 * 2 : arc];
}

/* May a packet begin or end there in this round? Half duplex: a node does one of the two. */
static bool has_port(const network *w, uint32_t from, uint32_t to)
{
    const bool half = w->model->link_mode == GFAB_LINK_HALF;
    if (w->model->port_mode == GFAB_PORT_ALL)
        return true;
    return !w->sends[from] && !w->takes[to] && !(half && (w->takes[from] || w->sends[to]));
}

/* A shortest path of free links, breadth first over the links that come nearer; false where there is none. Its links
 * are then those by which the nodes were reached, from `to` back. */
static bool find_path(network *w, uint32_t from, uint32_t to, uint32_t blocks, const uint16_t *distance)
{
    size_t head = 0, tail = 0;
    w->queue[tail++] = from;
    w->seen[from] = ++w->search;
    while (head < tail) {
        const uint32_t v = w->queue[head++];
        if (v == to)
            return true;
        size_t count;
        const gfab_port *ports = gfab_topology_ports(w->topology, v, &count);
        gfab_arc last = 0;
        const bool ends = distance[v] == 1 && gfab_topology_find_arc(w->topology, v, to, &last);
        for (size_t i = 0; i < (ends ? 1 : count); i++) {
            const gfab_arc arc = ends ? last : 2 * ports[i].link + ports[i].end;
            const uint32_t next = ends ? to : ports[i].peer;
            const uint64_t room = gfab_topology_weight(w->topology, arc / 2) * (uint64_t)w->longest;
            if (distance[next] + 1 != distance[v] || w->seen[next] == w->search || *use_of(w, arc) + blocks > room ||
                (next != to && !passes(w, next)))
                continue;
            w->seen[next] = w->search;
            w->came[next] = arc;
            w->queue[tail++] = next;
        }
    }
    return false;
}

/* The path that was found, as a message's way. */
static gfab_status take_path(network *w, uint32_t from, uint32_t to, uint32_t blocks, uint32_t length, uint32_t round,
                             gfab_library_embedding *e, gfab_library_way *way)
{
    while (e->arc_count + length > e->arc_room) {
        const size_t room = e->arc_room ? 2 * e->arc_room : 256;
        gfab_arc *arcs = realloc(e->arcs, room * sizeof *arcs);
        GFAB_NEED(arcs);
        e->arcs = arcs;
        e->arc_room = room;
    }
    *way = (gfab_library_way){round, length, e->arc_count};
    for (uint32_t v = to, i = length; i-- > 0; v = gfab_topology_arc_from(w->topology, w->came[v])) {
        e->arcs[e->arc_count + i] = w->came[v];
        *use_of(w, w->came[v]) += blocks;
    }
    e->arc_count += length;
    w->sends[from]++;
    w->takes[to]++;
    return GFAB_OK;
}

/* ---- switches side by side ---- */

/* The round's messages over one switch are listed at both of their arcs, or taken off the lists. */
static void list_message(network *w, const gfab_arc *arcs, size_t message, bool on)
{
    for (size_t end = 0; end < 2; end++) {
        size_t *at = &w->first[arcs[end]];
        while (!on && *at != message)
            at = &w->next[2 * *at + end];
        const size_t behind = on ? *at : w->next[2 * message + end];
        w->next[2 * message + end] = behind;
        *at = on ? message : behind;
    }
}

/* A message goes over another switch; false where it has no link to it. */
static bool change_switch(network *w, const gfab_library_message *m, size_t message, uint32_t by, gfab_arc *arcs)
{
    gfab_arc to[2];
    if (!gfab_topology_find_arc(w->topology, gfab_topology_arc_from(w->topology, arcs[0]), by, &to[0]) ||
        !gfab_topology_find_arc(w->topology, by, gfab_topology_arc_to(w->topology, arcs[1]), &to[1]))
        return false;
    list_message(w, arcs, message, false);
    for (uint32_t end = 0; end < 2; end++) {
        *use_of(w, arcs[end]) -= m->count;
        arcs[end] = to[end];
        *use_of(w, arcs[end]) += m->count;
    }
    list_message(w, arcs, message, true);
    return true;
}

static bool has_room(network *w, gfab_arc arc, uint32_t blocks)
{
    return *use_of(w, arc) + blocks <= gfab_topology_weight(w->topology, arc / 2) * (uint64_t)w->longest;
}

/* The first over the arc, which it has as this end, of as many blocks, and not in the chain yet; NONE. */
static size_t find_next(const network *w, const gfab_library_plan *plan, gfab_arc arc, uint32_t end, uint32_t blocks,
                        size_t count)
{
    for (size_t message = w->first[arc]; message != NONE; message = w->next[2 * message + end]) {
        size_t i = 0;
        while (i < count && w->chain[i] != message)
            i++;
        if (i == count && plan->messages[message].count == blocks)
            return message;
    }
    return NONE;
}

/* A message is to go over way[0] to a switch, and on over way[1], which is full: messages go over switch b in its
 * place, and others from b over this one, a chain, each because of the one before, until no arc has too much. Where it
 * does not end so all of it is undone. */
static bool make_room(network *w, const gfab_library_plan *plan, gfab_library_embedding *e, const gfab_arc way[2],
                      uint32_t b, uint32_t blocks)
{
    const uint32_t a = gfab_topology_arc_from(w->topology, way[1]);
    gfab_arc arc = way[1];
    size_t count = 0;
    *use_of(w, way[0]) += blocks;
    *use_of(w, way[1]) += blocks;
    while (!has_room(w, arc, 0)) {
        const size_t message = find_next(w, plan, arc, 1 - count % 2, blocks, count);
        gfab_arc *arcs = message == NONE ? NULL : e->arcs + e->ways[message].first;
        if (!arcs || !change_switch(w, &plan->messages[message], message, count % 2 ? a : b, arcs))
            break;
        arc = arcs[count % 2];
        w->chain[count++] = message;
    }
    const bool made = has_room(w, arc, 0);
    while (!made && count-- > 0)
        change_switch(w, &plan->messages[w->chain[count]], w->chain[count], count % 2 ? b : a,
                      e->arcs + e->ways[w->chain[count]].first);
    *use_of(w, way[0]) -= blocks;
    *use_of(w, way[1]) -= blocks;
    return made;
}

/* A path over a switch, where others make room: the switch has room for what the sender sends, another one for what the
 * receiver takes. */
static bool find_place(network *w, const gfab_library_plan *plan, gfab_library_embedding *e, size_t message)
{
    const gfab_library_message *m = &plan->messages[message];
    const uint32_t from = gfab_topology_member(w->topology, m->from), to = gfab_topology_member(w->topology, m->to);
    size_t outs, ins;
    const gfab_port *out = gfab_topology_ports(w->topology, from, &outs);
    const gfab_port *in = gfab_topology_ports(w->topology, to, &ins);
    for (size_t i = 0; i < outs; i++) {
        gfab_arc way[2] = {2 * out[i].link + out[i].end};
        if (!has_room(w, way[0], m->count) || !gfab_topology_find_arc(w->topology, out[i].peer, to, &way[1]))
            continue;
        for (size_t k = 0; k < ins; k++)
            if (in[k].peer != out[i].peer && has_room(w, (2 * in[k].link + in[k].end) ^ 1, m->count) &&
                make_room(w, plan, e, way, in[k].peer, m->count)) {
                w->came[out[i].peer] = way[0];
                w->came[to] = way[1];
                return true;
            }
    }
    return false;
}

/* Are the step's messages between the same ranks as those of the step before, and as long where links are shared? Then
 * they take the same ways. */
static bool repeats(const network *w, const gfab_library_plan *plan, size_t step)
{
    if (step == 0 || plan->steps[step + 1] - plan->steps[step] != plan->steps[step] - plan->steps[step - 1])
        return false;
    for (size_t i = plan->steps[step], k = plan->steps[step - 1]; i < plan->steps[step + 1]; i++, k++)
        if (plan->messages[i].from != plan->messages[k].from || plan->messages[i].to != plan->messages[k].to ||
            (w->shared && plan->messages[i].count != plan->messages[k].count))
            return false;
    return true;
}

static uint32_t length_of(const network *w, const gfab_library_message *m)
{
    return w->distance[m->to * w->nodes + gfab_topology_member(w->topology, m->from)];
}

/* The step's messages, farthest first; of equals the first. Where links are shared those of most blocks before that. */
static void sort_messages(network *w, const gfab_library_plan *plan, size_t step)
{
    const size_t first = plan->steps[step], end = plan->steps[step + 1];
    uint32_t longest = 0;
    size_t at = 0;
    for (size_t i = first; i < end; i++)
        longest = length_of(w, &plan->messages[i]) > longest ? length_of(w, &plan->messages[i]) : longest;
    for (uint32_t blocks = UINT32_MAX, less = 0; blocks > 0; blocks = less, less = 0) {
        for (size_t i = first; i < end && w->shared; i++) {
            const uint32_t count = plan->messages[i].count;
            less = count < blocks && count > less ? count : less;
        }
        for (uint32_t length = longest; length > 0 && (!w->shared || blocks < UINT32_MAX); length--)
            for (size_t i = first; i < end; i++)
                if (length_of(w, &plan->messages[i]) == length && (!w->shared || plan->messages[i].count == blocks))
                    w->order[at++] = i;
    }
}

/* One round, of the first so many of the order: those that still wait stay, *waiting gets their number. */
static gfab_status fill_round(network *w, const gfab_library_plan *plan, uint32_t round, size_t *waiting,
                              gfab_library_embedding *e)
{
    const size_t count = *waiting;
    memset(w->used, 0, 2 * gfab_topology_link_count(w->topology) * sizeof *w->used);
    memset(w->sends, 0, w->nodes * sizeof *w->sends);
    memset(w->takes, 0, w->nodes * sizeof *w->takes);
    memset(w->first, 0xff, 2 * gfab_topology_link_count(w->topology) * sizeof *w->first);
    *waiting = 0;
    for (size_t i = 0; i < count; i++) {
        const gfab_library_message *m = &plan->messages[w->order[i]];
        const uint32_t from = gfab_topology_member(w->topology, m->from);
        const uint32_t to = gfab_topology_member(w->topology, m->to);
        const uint16_t *distance = w->distance + m->to * w->nodes;
        const uint32_t blocks = w->shared ? m->count : 1;
        w->longest = i == 0 ? blocks : w->longest;
        const bool beside = w->shared && w->stored && distance[from] == 2; /* there may be a switch beside */
        if (has_port(w, from, to) &&
            (find_path(w, from, to, blocks, distance) || (beside && find_place(w, plan, e, w->order[i])))) {
            GFAB_TRY(take_path(w, from, to, blocks, distance[from], round, e, &e->ways[w->order[i]]));
            if (beside)
                list_message(w, e->arcs + e->ways[w->order[i]].first, w->order[i], true);
        } else {
            w->order[(*waiting)++] = w->order[i];
        }
    }
    return GFAB_OK;
}

static gfab_status embed_step(network *w, const gfab_library_plan *plan, size_t step, gfab_library_embedding *e)
{
    size_t waiting = plan->steps[step + 1] - plan->steps[step];
    sort_messages(w, plan, step);
    for (uint32_t round = 0; waiting > 0; round++) {
        GFAB_TRY(fill_round(w, plan, round, &waiting, e));
        e->rounds[step] = round + 1;
    }
    return GFAB_OK;
}

static gfab_status check_lengths(const network *w, const gfab_library_plan *plan, gfab_diag *diag)
{
    for (size_t i = 0; i < plan->message_count && w->stored; i++) {
        const gfab_library_message *m = &plan->messages[i];
        if (length_of(w, m) == FAR)
            return GFAB_REFUSE(diag, "nodes %u and %u are not neighbours%s; take circuit routing",
                               gfab_topology_member(w->topology, m->from), gfab_topology_member(w->topology, m->to),
                               w->shared ? ", nor are switches alone between them" : "");
    }
    return GFAB_OK;
}

gfab_status gfab_library_embed(const gfab_topology *topology, const gfab_model *model, const gfab_library_plan *plan,
                               const gfab_solver_options *options, gfab_library_embedding *embedding, gfab_diag *diag)
{
    GFAB_AT_END(network_release) network w = {0};
    *embedding = (gfab_library_embedding){.ways = calloc(plan->message_count + 1, sizeof *embedding->ways),
                                          .rounds = calloc(plan->step_count + 1, sizeof *embedding->rounds)};
    gfab_status status = network_init(&w, topology, model, plan);
    if (!embedding->ways || !embedding->rounds)
        status = GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, check_lengths(&w, plan, diag));
    for (size_t s = 0; s < plan->step_count && status == GFAB_OK; s++) {
        const size_t count = plan->steps[s + 1] - plan->steps[s];
        if (repeats(&w, plan, s)) {
            memcpy(embedding->ways + plan->steps[s], embedding->ways + plan->steps[s - 1],
                   count * sizeof *embedding->ways);
            embedding->rounds[s] = embedding->rounds[s - 1];
        } else {
            status = embed_step(&w, plan, s, embedding);
        }
        GFAB_THEN(status, gfab_solver_report(options, "steps", s + 1, plan->step_count));
    }
    return status;
}

void gfab_library_embedding_release(gfab_library_embedding *embedding)
{
    GFAB_FREE(embedding->ways, embedding->arcs, embedding->rounds);
}
