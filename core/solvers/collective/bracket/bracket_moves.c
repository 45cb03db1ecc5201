/* SPDX-License-Identifier: MIT */
/* Single blocks over single links. Every block is added up in the same bracketing, over links of its own choice: who
 * has a term is chosen from the whole down. Moves then get rounds one by one, those with most moves behind them first,
 * each the first in which its link is free; modulo a period where the schedule repeats. */
#include "bracket.h"
#include "solvers/collective/group_moves.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MOST_MOVES ((uint64_t)1 << 19)
#define MOST_PERIOD 4096u

/* A move, and what it waits for: what its sender sends has to be there, and what its receiver has, too, before. */
typedef struct move {
    gfab_arc arc;
    uint32_t block;
    uint32_t had;    /* the move by which the sender got it */
    uint32_t before; /* the move that the receiver combines before */
    uint32_t behind; /* moves on the longest chain that waits for it */
    uint32_t round;
    bool combine;
} move;

typedef struct planner {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_bracket *bracket;
    const gfab_bracket_hosts *hosts;
    gfab_goal goal; /* of the blocks that are planned */
    bool back;      /* totals go back the way that contributions came */
    uint32_t nodes;
    move *moves;
    uint32_t count;
    uint32_t *load;                     /* [arc]: moves so far */
    uint32_t *chosen;                   /* [node]: blocks whose total it has first */
    uint32_t *host, *by;                /* [term] of a block: who has it; the move that made it */
    uint32_t *distance, *work, *parent; /* [node] */
    uint32_t *arrived;                  /* [node]: the move by which the total came */
    uint32_t *use, *partner;            /* [round][arc], [round][node] */
    uint32_t rounds_room;
    gfab_arena arena;
} planner;

static uint32_t add_move(planner *p, gfab_arc arc, uint32_t block, uint32_t had, uint32_t before, bool combine)
{
    p->moves[p->count] = (move){arc, block, had, before, 0, 0, combine};
    p->load[arc]++;
    return p->count++;
}

/* ---- who has what ---- */

/* The node that wants a block's total, or NONE: an all-reduce has it anywhere. */
static uint32_t wanting(const planner *p, uint32_t block)
{
    if (p->goal.collective == GFAB_REDUCE)
        return p->goal.root;
    return p->goal.collective == GFAB_BARRIER ? NONE : gfab_goal_owner(&p->goal, p->nodes, block);
}

/* Of the nodes that can have the whole the nearest to who wants it, of those the one with fewest blocks; of a single
 * block in an all-reduce the one that is nearest to all. */
static uint32_t choose_last(planner *p, uint32_t block)
{
    const uint32_t whole = gfab_bracket_root(p->bracket);
    const bool anywhere = p->goal.blocks == 1 && p->goal.collective != GFAB_REDUCE;
    const uint32_t wants = anywhere ? 0 : wanting(p, block);
    uint32_t best = NONE, least = NONE;
    if (!anywhere)
        gfab_topology_distances_to(p->topology, wants, p->distance, p->work);
    for (uint32_t v = 0; v < p->nodes; v++) {
        if (!gfab_bracket_can(p->bracket, p->hosts, whole, v))
            continue;
        uint32_t far = anywhere ? 0 : p->distance[v];
        if (anywhere) {
            gfab_topology_distances(p->topology, v, p->distance, p->work);
            far = p->distance[p->work[p->nodes - 1]];
        }
        if (best == NONE || far < least || (far == least && p->chosen[v] < p->chosen[best])) {
            best = v;
            least = far;
        }
    }
    p->chosen[best]++;
    return best;
}

/* The neighbour that brings a host the other part: over the link with least to carry. */
static gfab_arc choose_source(const planner *p, uint32_t host, uint32_t part)
{
    gfab_arc best = NONE;
    GFAB_EACH_PORT(port, p->topology, host) {
        const gfab_arc arc = 2 * port->link + !port->end;
        if (gfab_bracket_can(p->bracket, p->hosts, part, port->peer) && (best == NONE || p->load[arc] < p->load[best]))
            best = arc;
    }
    return best;
}

/* From the whole down who has each term and from whom it comes; then from the contributions up the moves. */
static void plan_sums(planner *p, uint32_t block, uint32_t last)
{
    const gfab_bracket *b = p->bracket;
    gfab_arc *arcs = p->by; /* of a term: until its move is there */
    p->host[gfab_bracket_root(b)] = last;
    for (uint32_t t = gfab_bracket_root(b); t >= b->leaves; t--) {
        const uint32_t *pair = b->pairs[t - b->leaves];
        const bool left = gfab_bracket_has(b, pair[0], p->host[t]);
        arcs[t] = choose_source(p, p->host[t], pair[left]);
        p->load[arcs[t]]++;
        p->host[pair[!left]] = p->host[t];
        p->host[pair[left]] = gfab_topology_arc_from(p->topology, arcs[t]);
    }
    for (uint32_t t = 0; t < b->leaves; t++)
        p->by[t] = NONE;
    for (uint32_t t = b->leaves; t <= gfab_bracket_root(b); t++) {
        const uint32_t *pair = b->pairs[t - b->leaves];
        const bool left = p->host[pair[0]] == p->host[t];
        p->load[arcs[t]]--;
        p->by[t] = add_move(p, arcs[t], block, p->by[pair[left]], p->by[pair[!left]], true);
    }
}

/* ---- totals on their way out ---- */

/* The arc that brings a node the total: back from where it sent its part, or from the neighbour that is nearer to the
 * last sum, over the link with least to carry. */
static gfab_arc choose_parent(const planner *p, uint32_t node)
{
    gfab_arc best = NONE;
    GFAB_EACH_PORT(port, p->topology, node) {
        const gfab_arc arc = 2 * port->link + !port->end;
        if (p->distance[port->peer] + 1 == p->distance[node] && (best == NONE || p->load[arc] < p->load[best]))
            best = arc;
    }
    return best;
}

/* A path to the one node that wants it. */
static void plan_path(planner *p, uint32_t block, uint32_t last, uint32_t wants)
{
    uint32_t had = p->by[gfab_bracket_root(p->bracket)], at = wants, length = 0;
    gfab_topology_distances(p->topology, last, p->distance, p->work);
    for (; at != last; at = gfab_topology_arc_from(p->topology, p->parent[length - 1]))
        p->parent[length++] = choose_parent(p, at);
    while (length > 0)
        had = add_move(p, p->parent[--length], block, had, NONE, false);
}

/* To all: breadth first from the last sum, or back along the sums. */
static void plan_spread(planner *p, uint32_t block, uint32_t last)
{
    const gfab_bracket *b = p->bracket;
    p->arrived[last] = p->by[gfab_bracket_root(b)];
    if (p->back) {
        for (uint32_t t = gfab_bracket_root(b); t >= b->leaves; t--) {
            const gfab_arc arc = p->moves[p->by[t]].arc ^ 1;
            const uint32_t from = gfab_topology_arc_from(p->topology, arc), to = gfab_topology_arc_to(p->topology, arc);
            p->arrived[to] = add_move(p, arc, block, p->arrived[from], NONE, false);
        }
        return;
    }
    gfab_topology_distances(p->topology, last, p->distance, p->work);
    for (uint32_t i = 1; i < p->nodes; i++) {
        const gfab_arc arc = choose_parent(p, p->work[i]);
        const uint32_t from = gfab_topology_arc_from(p->topology, arc);
        p->arrived[p->work[i]] = add_move(p, arc, block, p->arrived[from], NONE, false);
    }
}

static void plan_block(planner *p, uint32_t block)
{
    const uint32_t last = choose_last(p, block);
    plan_sums(p, block, last);
    if (p->goal.collective == GFAB_ALL_REDUCE || p->goal.collective == GFAB_BARRIER)
        plan_spread(p, block, last);
    else
        plan_path(p, block, last, wanting(p, block));
}

/* ---- rounds ---- */

/* Room for a round, and what is in it. */
static bool reach(planner *p, uint32_t round)
{
    const size_t arcs = 2 * gfab_topology_link_count(p->topology);
    if (round < p->rounds_room)
        return true;
    const uint32_t room = 2 * round + 64;
    uint32_t *use = realloc(p->use, room * arcs * sizeof *use);
    p->use = use ? use : p->use;
    uint32_t *partner = realloc(p->partner, room * (size_t)p->nodes * sizeof *partner);
    p->partner = partner ? partner : p->partner;
    if (!use || !partner)
        return false;
    memset(use + p->rounds_room * arcs, 0, (room - p->rounds_room) * arcs * sizeof *use);
    memset(partner + p->rounds_room * (size_t)p->nodes, 0,
           (room - p->rounds_room) * (size_t)p->nodes * sizeof *partner);
    p->rounds_room = room;
    return true;
}

/* Takes the arc in a round if that is free: the link in half duplex, the two nodes' ports where they have one. */
static bool take(planner *p, gfab_arc arc, uint32_t round)
{
    const bool half = p->model->link_mode == GFAB_LINK_HALF, one = p->model->port_mode == GFAB_PORT_ONE;
    const uint32_t from = gfab_topology_arc_from(p->topology, arc), to = gfab_topology_arc_to(p->topology, arc);
    uint32_t *use = p->use + round * 2 * gfab_topology_link_count(p->topology) + (half ? arc / 2 * 2 : arc);
    uint32_t *partner = p->partner + round * (size_t)p->nodes;
    if (*use >= (one ? 1 : gfab_topology_weight(p->topology, arc / 2)))
        return false;
    if (one && ((partner[from] && partner[from] != to + 1) || (partner[to] && partner[to] != from + 1)))
        return false;
    ++*use;
    partner[from] = to + 1;
    partner[to] = from + 1;
    return true;
}

static uint32_t earliest(const planner *p, const move *m)
{
    uint32_t round = m->had == NONE ? 1 : p->moves[m->had].round + p->model->hop_rounds;
    if (m->before != NONE) {
        const move *before = &p->moves[m->before];
        const bool behind =
            gfab_topology_arrival(p->topology, m->arc) > gfab_topology_arrival(p->topology, before->arc);
        const uint32_t then = before->round + !behind;
        round = then > round ? then : round;
    }
    return round;
}

/* With a period a move's round counts modulo that. NO_MEMORY; UNSUPPORTED where a period is too short. */
static gfab_status give_rounds(planner *p, const uint32_t *order, uint32_t period)
{
    p->rounds_room = 0;
    GFAB_FREE(p->use, p->partner);
    p->use = p->partner = NULL;
    for (uint32_t i = 0; i < p->count; i++) {
        move *m = &p->moves[order[i]];
        const uint32_t first = earliest(p, m);
        m->round = first;
        for (;; m->round++) {
            if (period && m->round - first == period)
                return GFAB_ERR_UNSUPPORTED;
            const uint32_t at = period ? m->round % period : m->round;
            GFAB_NEED(reach(p, at));
            if (take(p, m->arc, at))
                break;
        }
    }
    return GFAB_OK;
}

/* The moves by what is behind them, most first, of equals the first: each comes after what it waits for. */
static uint32_t *sort_moves(planner *p)
{
    uint32_t most = 0, *order = malloc((p->count + (size_t)1) * sizeof *order);
    for (uint32_t i = p->count; i-- > 0;) {
        const move *m = &p->moves[i];
        if (m->had != NONE && p->moves[m->had].behind <= m->behind)
            p->moves[m->had].behind = m->behind + 1;
        if (m->before != NONE && p->moves[m->before].behind <= m->behind)
            p->moves[m->before].behind = m->behind + 1;
        most = m->behind > most ? m->behind : most;
    }
    GFAB_FREED uint32_t *start = calloc(most + (size_t)2, sizeof *start);
    for (uint32_t i = 0; order && start && i < p->count; i++)
        start[most - p->moves[i].behind + 1]++;
    for (uint32_t i = 0; order && start && i < most; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; order && start && i < p->count; i++)
        order[start[most - p->moves[i].behind]++] = i;
    if (!start) {
        free(order);
        order = NULL;
    }
    return order;
}

/* The most that a link has to carry of the blocks that are planned: no period is shorter. */
static uint32_t least_period(const planner *p)
{
    const bool half = p->model->link_mode == GFAB_LINK_HALF;
    uint32_t most = 1;
    for (uint32_t l = 0; l < gfab_topology_link_count(p->topology); l++) {
        const uint32_t there = p->load[2 * l], back = p->load[2 * l + 1];
        const uint32_t weight = p->model->port_mode == GFAB_PORT_ONE ? 1 : gfab_topology_weight(p->topology, l);
        const uint32_t sum = half ? there + back : there > back ? there : back;
        most = (sum + weight - 1) / weight > most ? (sum + weight - 1) / weight : most;
    }
    return most;
}

static gfab_status append(const planner *p, uint32_t period, gfab_schedule *schedule)
{
    GFAB_FREED gfab_group_move *moves = malloc((p->count + (size_t)1) * sizeof *moves);
    for (uint32_t i = 0; moves && i < p->count; i++) {
        const move *m = &p->moves[i];
        moves[i] = (gfab_group_move){m->round, m->block | (m->combine ? GFAB_COMBINE : 0), m->arc};
    }
    GFAB_NEED(moves);
    return gfab_group_moves_append(moves, p->count, period, p->goal.blocks, schedule);
}

/* ---- one plan ---- */

static void planner_free(planner *p)
{
    gfab_arena_release(&p->arena);
    GFAB_FREE(p->use, p->partner);
}

static bool planner_init(planner *p)
{
    const size_t n = p->nodes, links = gfab_topology_link_count(p->topology);
    p->moves = gfab_arena_zeroed(&p->arena, 2 * n * p->goal.blocks, sizeof *p->moves);
    p->load = gfab_arena_zeroed2(&p->arena, 2, links, sizeof *p->load);
    p->chosen = gfab_arena_zeroed(&p->arena, n, sizeof *p->chosen);
    p->host = gfab_arena_zeroed2(&p->arena, 2, n, sizeof *p->host);
    p->by = gfab_arena_zeroed2(&p->arena, 2, n, sizeof *p->by);
    GFAB_ARRAYS(&p->arena, n, p->distance, p->work, p->parent, p->arrived);
    return !p->arena.failed;
}

/* A schedule of the goal's blocks, or of a group of as many that repeats. */
static gfab_status make(planner *p, const gfab_goal *whole, gfab_schedule **made, gfab_diag *diag)
{
    const bool repeats = p->goal.blocks < whole->blocks;
    uint32_t *order = NULL, period = 0;
    gfab_status status = planner_init(p) ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t block = 0; block < p->goal.blocks && status == GFAB_OK; block++)
        plan_block(p, block);
    if (status == GFAB_OK && !(order = sort_moves(p)))
        status = GFAB_ERR_NO_MEMORY;
    period = status == GFAB_OK && repeats ? least_period(p) : 0;
    GFAB_THEN(status, give_rounds(p, order, period));
    for (; status == GFAB_ERR_UNSUPPORTED && period < MOST_PERIOD; status = give_rounds(p, order, period))
        period++;
    free(order);
    if (status == GFAB_ERR_UNSUPPORTED)
        status = gfab_fail(diag, 0, status, "no period of at most %u rounds is long enough", MOST_PERIOD);
    GFAB_THEN(status, gfab_schedule_create(p->topology, p->model, made));
    GFAB_THEN(status, gfab_schedule_set_goal(*made, whole, diag));
    GFAB_THEN(status, append(p, period, *made));
    return GFAB_LEAVE(status, gfab_schedule_destroy, made);
}

/* ---- the best of several ---- */

/* Blocks that are planned: all, where they are few; one, and one for each node, where they repeat. */
static bool takes(const planner *p, const gfab_goal *whole, uint32_t blocks)
{
    const bool shared = whole->collective == GFAB_REDUCE_SCATTER;
    if (blocks > whole->blocks || 2ull * p->nodes * blocks > MOST_MOVES || (shared && blocks % p->nodes))
        return false;
    return blocks == whole->blocks || whole->collective != GFAB_BARRIER;
}

gfab_status gfab_bracket_moves(const gfab_solver_options *options, const gfab_bracket *bracket, gfab_schedule *schedule,
                               gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const gfab_model *model = gfab_schedule_model(schedule);
    const gfab_goal whole = *options->goal;
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    const uint32_t groups[] = {whole.blocks, 1, nodes};
    GFAB_AT_END(gfab_bracket_hosts_release) gfab_bracket_hosts hosts = {0};
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *best = NULL;
    gfab_status status = gfab_bracket_find_hosts(topology, bracket, &hosts, diag);
    for (int i = 0; i < 6 && status == GFAB_OK; i++) {
        planner p = {topology, model, bracket, &hosts, whole, i % 2, .nodes = nodes};
        gfab_schedule *made = NULL;
        p.goal.blocks = groups[i / 2];
        if (!takes(&p, &whole, p.goal.blocks) || (i / 2 > 0 && p.goal.blocks == whole.blocks))
            continue;
        status = make(&p, &whole, &made, diag);
        planner_free(&p);
        if (status == GFAB_ERR_UNSUPPORTED)
            status = GFAB_OK;
        bool better;
        const gfab_status kept = gfab_solver_keep(made, options, &best, &better);
        status = status == GFAB_OK ? kept : status;
        GFAB_THEN(status, gfab_solver_report(options, "plans", (uint64_t)i + 1, 6));
    }
    if (status == GFAB_OK && !best)
        status = GFAB_REFUSE(diag, "too many blocks for a schedule that does not repeat");
    GFAB_THEN(status, gfab_solver_copy_rounds(best, NULL, NULL, schedule));
    return status;
}
