/* SPDX-License-Identifier: MIT */
/* A node that its tree does not reach is given the cheapest way in time from the tree to it, over free slots, which
 * cost nothing, and slots of other trees' messages, which then have to go elsewhere: those of leaves cost little, and a
 * message costs the more the more often it was hard to place. That is the negotiation of congestion by which wires are
 * routed on FPGAs (McMurchie & Ebeling 1995), in time as well as in space. */
#include "base/grow.h"
#include "base/heap.h"
#include "trees_plan.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>

#define NONE GFAB_TREES_NONE
/* A message that others follow on costs more than a leaf's, and grows dear faster. */
#define LEAF_COST 1u
#define INNER_COST 20u
#define INNER_FACTOR 4u
/* A message is not driven out again for so many steps, and up to as many more. */
#define REST 10u
/* Work between two reports: a few milliseconds. */
#define REPORT_WORK 20000u

/* That the goal is reached if a node is reached and may send in a round: at what cost, and over which arc next. */
typedef struct state {
    uint32_t cost;
    uint32_t run; /* the search that it is of */
    uint32_t next;
    gfab_arc arc; /* NONE: the node waits for a round */
} state;

/* Of a cell. */
typedef struct past {
    uint32_t weight;     /* how often it was hard to place */
    uint32_t rests_till; /* a step */
} past;

typedef struct step {
    uint32_t node, round;
    gfab_arc arc;
} step;

typedef struct repair {
    gfab_trees_plan *plan;
    uint32_t *lost; /* cells not reached, and some that were reached since */
    size_t lost_count, lost_capacity;
    past *pasts; /* [cells] */
    uint32_t step;
    state *states; /* [(round - start) << node_bits | node] */
    uint32_t node_bits, run;
    gfab_heap_entry *heap; /* cost, state */
    size_t heap_count, heap_capacity;
    step *way; /* [nodes] */
    uint32_t way_count;
    uint64_t work;
    bool failed; /* no memory */
    gfab_arena arena;
} repair;

static void lose(repair *r, uint32_t cell)
{
    if (!gfab_grow(&r->lost, r->lost_count, &r->lost_capacity, sizeof *r->lost)) {
        r->failed = true;
        return;
    }
    r->lost[r->lost_count++] = cell;
}

/* A node and all that hangs on it; it is the last one in the list. Children are found from the top down. */
static void lose_subtree(repair *r, uint32_t tree, uint32_t node)
{
    gfab_trees_plan *p = r->plan;
    const size_t first = r->lost_count;
    lose(r, tree * p->nodes + node);
    for (size_t i = first; i < r->lost_count; i++) {
        const uint32_t parent = r->lost[i] % p->nodes;
        GFAB_EACH_PORT(port, p->topology, parent) {
            const gfab_trees_cell *cell = &p->cells[(size_t)tree * p->nodes + port->peer];
            if (cell->ready && cell->arc == gfab_trees_arc_out(port))
                lose(r, tree * p->nodes + port->peer);
        }
        gfab_trees_detach(p, tree, parent);
    }
    for (size_t i = first, k = r->lost_count; i + 1 < k; i++) {
        const uint32_t swapped = r->lost[i];
        r->lost[i] = r->lost[--k];
        r->lost[k] = swapped;
    }
}

/* Another free slot for a message, so that all that follow on it can stay. */
static bool move(gfab_trees_plan *p, uint32_t cell)
{
    const uint32_t tree = cell / p->nodes, node = cell % p->nodes, deadline = gfab_trees_deadline(p, tree, node);
    size_t count;
    const gfab_port *ports = gfab_topology_ports(p->topology, node, &count);
    const size_t first = gfab_random_below(&p->random, (uint32_t)count);
    for (size_t k = 0; k < count; k++) {
        const gfab_port *port = &ports[(first + k) % count];
        const gfab_trees_cell *peer = &p->cells[(size_t)tree * p->nodes + port->peer];
        const gfab_arc arc = gfab_trees_arc_in(port);
        const uint32_t round = peer->ready ? gfab_trees_first_free(p, tree, arc, peer->ready, deadline) : 0;
        if (round) {
            gfab_trees_detach(p, tree, node);
            gfab_trees_attach(p, tree, arc, round);
            return true;
        }
    }
    return false;
}

/* Of a slot in the view of tree that leads to a state; NONE: not to be had, or of no use. What is known of the state is
 * asked before whose the slot is: owners lie far apart in memory. */
static uint32_t price(const repair *r, uint32_t tree, gfab_arc arc, uint32_t view_round, const state *known,
                      uint32_t cost)
{
    const gfab_trees_plan *p = r->plan;
    const uint32_t channel = gfab_trees_channel(p, tree, arc), round = gfab_trees_round(p, tree, view_round);
    if (gfab_trees_is_free(p, channel, round))
        return 0;
    if (known->run == r->run && known->cost <= cost + LEAF_COST)
        return NONE;
    const uint32_t cell = gfab_trees_owner(p, channel, round);
    if (cell >= p->cell_count || cell - tree * p->nodes < p->nodes || r->pasts[cell].rests_till > r->step)
        return NONE;
    const uint32_t weight = r->pasts[cell].weight;
    return p->children[cell] == 0 ? LEAF_COST + weight : INNER_COST + INNER_FACTOR * weight;
}

static void push(repair *r, uint32_t cost, uint32_t from)
{
    if (r->heap_count == r->heap_capacity) {
        gfab_heap_entry *heap = realloc(r->heap, 2 * r->heap_capacity * sizeof *heap);
        r->failed = !heap;
        if (!heap)
            return;
        r->heap = heap;
        r->heap_capacity *= 2;
    }
    gfab_heap_push(r->heap, &r->heap_count, cost, from);
}

/* The state of a node in a round, if it can lead on at less than it is known to; NULL if not, or if the block cannot be
 * there. */
static inline state *better(const repair *r, const gfab_trees_tree *tree, uint32_t node, uint32_t round, uint32_t cost)
{
    if (round < tree->start + (uint64_t)r->plan->hop * tree->distance[node])
        return NULL;
    state *known = &r->states[(round - tree->start) << r->node_bits | node];
    return known->run == r->run && known->cost <= cost ? NULL : known;
}

/* Notes a state that leads to `next`. */
static void note(repair *r, state *known, uint32_t cost, uint32_t next, gfab_arc arc)
{
    *known = (state){cost, r->run, next, arc};
    push(r, cost, (uint32_t)(known - r->states));
}

/* The cheapest way from the tree to a node, searched backwards in time from its last round: Dijkstra's algorithm by
 * cost. The state that it starts from; NONE where there is no way. */
static uint32_t search(repair *r, uint32_t tree, uint32_t goal, uint32_t *last)
{
    const gfab_trees_plan *p = r->plan;
    const gfab_trees_tree *t = &p->trees[tree];
    const gfab_trees_cell *cells = p->cells + (size_t)tree * p->nodes;
    r->run++;
    r->heap_count = 0;
    state *known = better(r, t, goal, t->last + p->hop, 0);
    *last = (t->last + p->hop - t->start) << r->node_bits | goal;
    if (known)
        note(r, known, 0, NONE, NONE);
    while (r->heap_count > 0 && !r->failed) {
        const gfab_heap_entry top = gfab_heap_pop(r->heap, &r->heap_count);
        const uint32_t from = top.item, paid = (uint32_t)top.key;
        if (r->states[from].cost < paid)
            continue;
        const uint32_t node = from & ((1u << r->node_bits) - 1), round = t->start + (from >> r->node_bits);
        r->work++;
        if (cells[node].ready && cells[node].ready <= round)
            return from;
        if (round == t->start)
            continue;
        if ((known = better(r, t, node, round - 1, paid)))
            note(r, known, paid, from, NONE);
        if (round < t->start + p->hop)
            continue;
        GFAB_EACH_PORT(port, p->topology, node) {
            if (!(known = better(r, t, port->peer, round - p->hop, paid)))
                continue;
            const gfab_arc arc = gfab_trees_arc_in(port);
            const uint32_t cost = price(r, tree, arc, round - p->hop, known, paid);
            if (cost != NONE && (known->run != r->run || paid + cost < known->cost))
                note(r, known, paid + cost, from, arc);
        }
    }
    return NONE;
}

/* The steps from one state on to the last. A node that it comes to twice waits there from the first time on. */
static void collect(repair *r, uint32_t tree, uint32_t at, uint32_t last)
{
    const gfab_trees_plan *p = r->plan;
    r->way_count = 0;
    for (; at != last; at = r->states[at].next) {
        const gfab_arc arc = r->states[at].arc;
        if (arc == NONE)
            continue;
        uint32_t i = 0;
        while (i < r->way_count && r->way[i].node != p->to[arc])
            i++;
        if (i == r->way_count)
            r->way[i] = (step){p->to[arc], p->trees[tree].start + (at >> r->node_bits), arc};
        r->way_count = i + 1;
    }
}

/* Takes the way: the free slots first, lest a message that is moved out of the way gets into one of them. A node on the
 * way that was reached later is reached earlier now, and what follows on it stays. */
static void take(repair *r, uint32_t tree)
{
    gfab_trees_plan *p = r->plan;
    for (int free_ones = 1; free_ones >= 0; free_ones--)
        for (uint32_t i = 0; i < r->way_count; i++) {
            const step *s = &r->way[i];
            const gfab_trees_cell *cell = &p->cells[(size_t)tree * p->nodes + s->node];
            if (cell->ready == s->round + p->hop && cell->arc == s->arc)
                continue;
            const uint32_t channel = gfab_trees_channel(p, tree, s->arc), at = gfab_trees_round(p, tree, s->round);
            if (!gfab_trees_is_free(p, channel, at)) {
                if (free_ones)
                    continue;
                const uint32_t other = gfab_trees_owner(p, channel, at);
                if (!move(p, other))
                    lose_subtree(r, other / p->nodes, other % p->nodes);
            }
            if (cell->ready)
                gfab_trees_detach(p, tree, s->node);
            gfab_trees_attach(p, tree, s->arc, s->round);
            r->pasts[(size_t)tree * p->nodes + s->node].rests_till =
                r->step + REST + gfab_random_below(&p->random, REST);
        }
}

static bool reach(repair *r, uint32_t cell)
{
    const uint32_t tree = cell / r->plan->nodes;
    uint32_t last;
    const uint32_t first = search(r, tree, cell % r->plan->nodes, &last);
    r->pasts[cell].weight++;
    if (first == NONE)
        return false;
    collect(r, tree, first, last);
    take(r, tree);
    return true;
}

static gfab_status repair_init(repair *r, gfab_trees_plan *plan)
{
    uint32_t longest = 0;
    for (uint32_t t = 0; t < plan->tree_count; t++) {
        const uint32_t length = plan->trees[t].last + plan->hop + 1 - plan->trees[t].start;
        longest = length > longest ? length : longest;
    }
    *r = (repair){.plan = plan, .lost_capacity = plan->missing + 1, .heap_capacity = 1024};
    while (plan->nodes > 1u << r->node_bits)
        r->node_bits++;
    if ((uint64_t)longest << r->node_bits >= NONE)
        return GFAB_ERR_LIMIT;
    r->lost = malloc(r->lost_capacity * sizeof *r->lost);
    r->pasts = gfab_arena_zeroed(&r->arena, plan->cell_count, sizeof *r->pasts);
    r->states = gfab_arena_zeroed(&r->arena, (size_t)longest << r->node_bits, sizeof *r->states);
    r->heap = malloc(r->heap_capacity * sizeof *r->heap);
    r->way = gfab_arena_zeroed(&r->arena, plan->nodes, sizeof *r->way);
    GFAB_NEED(r->lost && !r->arena.failed && r->heap && r->way);
    for (uint32_t cell = 0; cell < plan->cell_count; cell++)
        if (!plan->cells[cell].ready)
            lose(r, cell);
    return GFAB_OK;
}

/* Mostly what was lost last, the node before what hung on it; now and then another. */
static size_t choose(repair *r)
{
    uint64_t *random = &r->plan->random;
    return gfab_random_below(random, 4) ? r->lost_count - 1 : gfab_random_below(random, (uint32_t)r->lost_count);
}

gfab_status gfab_trees_repair(gfab_trees_plan *plan, const gfab_solver_options *options, gfab_trees_budget *budget)
{
    repair r;
    gfab_status status = repair_init(&r, plan);
    uint64_t least = plan->missing, improved = 0, reported = 0;
    while (status == GFAB_OK && plan->missing > 0 && r.work <= improved + budget->patience &&
           budget->work + r.work < budget->limit) {
        const size_t i = choose(&r);
        const uint32_t cell = r.lost[i];
        r.step++;
        r.work++;
        if (plan->cells[cell].ready || reach(&r, cell))
            r.lost[i] = r.lost[--r.lost_count];
        if (plan->missing < (budget->soon ? least - least / 4 : least)) {
            least = plan->missing;
            improved = r.work;
        }
        if (r.failed) {
            status = GFAB_ERR_NO_MEMORY;
        } else if (r.work >= reported + REPORT_WORK) {
            reported = r.work;
            status = gfab_solver_report(options, "work", budget->work + r.work, budget->limit);
        }
    }
    budget->work += r.work;
    free(r.lost);
    gfab_arena_release(&r.arena);
    free(r.heap);
    return status;
}
