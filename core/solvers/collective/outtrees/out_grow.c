/* SPDX-License-Identifier: MIT */
/* All trees side by side, level by level, equal trees as one for as long as they stay equal. Edmonds' theorem on
 * branchings (1973; Schrijver 2003, theorem 53.1), where trees may have different roots: trees that have come to the
 * node sets R_1 .. R_k can be completed if and only if every set X of nodes has at least as much room in as there are i
 * with no node of X in R_i. As a flow to every node from a source that sends a unit by way of each tree. Arcs into y
 * that are taken lessen sets alone that y is in, so that one flow to y says whether they may be. What of that flow goes
 * from a node that a tree has come to over one arc to y can be taken all at once: the rest of the flow shows that the
 * others still fit. */
#include "base/grow.h"
#include "base/random.h"
#include "flow/flow.h"
#include "out_trees.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE

typedef struct growth {
    gfab_out_graph *graph;
    gfab_out_forest *forest;
    const gfab_solver_options *options;
    uint64_t *random;
    uint64_t cells, missing; /* of copies and targets */
    uint32_t *first_in, *in; /* arcs into node v: in[first_in[v] .. first_in[v + 1] - 1] */
    gfab_flow flow;          /* to a node */
    uint32_t *at;            /* [trees * nodes]: the flow's arc from a tree to a node; NONE */
    uint32_t *arc_at;        /* [arcs]: of an arc with room */
    size_t room;             /* of at */
    gfab_arena arena;
} growth;

/* ---- forests ---- */

gfab_status gfab_out_forest_add(gfab_out_forest *f, uint32_t root, uint32_t copies)
{
    if (!gfab_grow(&f->trees, f->count, &f->capacity, sizeof *f->trees))
        return GFAB_ERR_NO_MEMORY;
    gfab_out_tree *tree = &f->trees[f->count];
    *tree = (gfab_out_tree){.root = root, .copies = copies};
    tree->parent = malloc(2 * (size_t)f->nodes * sizeof *tree->parent);
    if (!tree->parent)
        return GFAB_ERR_NO_MEMORY;
    tree->depth = tree->parent + f->nodes;
    f->count++;
    for (uint32_t v = 0; v < 2 * f->nodes; v++)
        tree->parent[v] = NONE;
    tree->depth[root] = 0;
    return GFAB_OK;
}

void gfab_out_forest_release(gfab_out_forest *forest)
{
    for (uint32_t i = 0; i < forest->count; i++)
        free(forest->trees[i].parent);
    free(forest->trees);
    *forest = (gfab_out_forest){0};
}

/* ---- flows ---- */

static gfab_status make_room(growth *g)
{
    const size_t wanted = (size_t)g->forest->count * g->graph->nodes;
    if (wanted > g->room) {
        uint32_t *at = realloc(g->at, 2 * wanted * sizeof *at);
        if (!at)
            return GFAB_ERR_NO_MEMORY;
        g->at = at;
        g->room = 2 * wanted;
    }
    return GFAB_OK;
}

/* From a tree to each node that it has come to; what was added last is tried first: nodes that can send at this level,
 * from any one on. */
static void add_ways(growth *g, uint32_t t, uint32_t level)
{
    const gfab_out_tree *tree = &g->forest->trees[t];
    const uint32_t n = g->graph->nodes, shift = gfab_random_below(g->random, n);
    uint32_t *at = g->at + (size_t)t * n;
    for (int near = 0; near < 2; near++)
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t v = (i + shift) % n;
            if (tree->depth[v] != NONE && (tree->depth[v] < level) == near)
                at[v] = gfab_flow_add(&g->flow, n + 1 + t, v, tree->copies, 0);
        }
}

/* The flow to a node of all that has still to come to it; *lack is what cannot. */
static gfab_status run_flow(growth *g, uint32_t node, uint32_t level, uint64_t *lack)
{
    const uint32_t n = g->graph->nodes, source = n;
    uint64_t wanted = 0;
    size_t arcs = (size_t)g->graph->count + g->forest->count * ((size_t)n + 1);
    gfab_flow_release(&g->flow);
    gfab_status status = gfab_flow_create((size_t)n + 1 + g->forest->count, arcs, &g->flow);
    GFAB_THEN(status, make_room(g));
    if (status != GFAB_OK)
        return status;
    memset(g->at, 0xff, (size_t)g->forest->count * n * sizeof *g->at);
    for (uint32_t t = 0; t < g->forest->count; t++) {
        const gfab_out_tree *tree = &g->forest->trees[t];
        if (tree->depth[node] != NONE)
            continue;
        wanted += tree->copies;
        gfab_flow_add(&g->flow, source, n + 1 + t, tree->copies, 0);
        add_ways(g, t, level);
    }
    for (uint32_t i = 0; i < g->graph->count; i++) {
        const gfab_out_arc *arc = &g->graph->arcs[i];
        g->arc_at[i] = arc->room ? gfab_flow_add(&g->flow, arc->from, arc->to, arc->room, 0) : NONE;
    }
    g->forest->work += g->flow.arcs;
    *lack = wanted ? wanted - gfab_flow_run(&g->flow, source, node, wanted) : 0;
    return status;
}

static uint32_t flow_on(const growth *g, uint32_t arc)
{
    return arc == NONE ? 0 : (uint32_t)(g->flow.capacity[arc] - g->flow.left[arc]);
}

/* ---- taking arcs ---- */

/* So many copies of a tree take an arc; they part from the others, unless all do. */
static gfab_status take(growth *g, uint32_t t, uint32_t arc, uint32_t amount)
{
    const gfab_out_arc *a = &g->graph->arcs[arc];
    const uint32_t old = t;
    if (g->forest->trees[t].copies > amount) {
        GFAB_TRY(gfab_out_forest_add(g->forest, g->forest->trees[t].root, amount));
        g->forest->trees[old].copies -= amount;
        t = g->forest->count - 1;
        memcpy(g->forest->trees[t].parent, g->forest->trees[old].parent,
               2 * (size_t)g->graph->nodes * sizeof *g->forest->trees[t].parent);
    }
    g->forest->trees[t].parent[a->to] = arc;
    g->forest->trees[t].depth[a->to] = g->forest->trees[t].depth[a->from] + a->length;
    g->graph->arcs[arc].room -= amount;
    g->missing -= amount;
    return GFAB_OK;
}

/* Can a tree take the arc and reach its end at this level, or before? */
static bool can_take(const growth *g, uint32_t t, uint32_t arc, uint32_t level)
{
    const gfab_out_arc *a = &g->graph->arcs[arc];
    const uint32_t *depth = g->forest->trees[t].depth;
    return a->room && depth[a->to] == NONE && depth[a->from] != NONE && depth[a->from] + a->length <= level;
}

/* Is there an arc that some tree could take to the node? */
static bool has_offers(const growth *g, uint32_t node, uint32_t level)
{
    for (uint32_t i = g->first_in[node]; i < g->first_in[node + 1]; i++)
        for (uint32_t t = 0; t < g->forest->count; t++)
            if (can_take(g, t, g->in[i], level))
                return true;
    return false;
}

/* All that a flow to the node shows at once. */
static gfab_status visit(growth *g, uint32_t node, uint32_t level)
{
    const uint32_t trees = g->forest->count;
    uint64_t lack = 0;
    if (!has_offers(g, node, level))
        return GFAB_OK;
    gfab_status status = run_flow(g, node, level, &lack);
    if (status != GFAB_OK || lack > 0)
        return status ? status : GFAB_ERR_FAULT;
    for (uint32_t i = g->first_in[node]; i < g->first_in[node + 1]; i++) {
        const uint32_t arc = g->in[i], from = g->graph->arcs[arc].from;
        uint32_t flow = flow_on(g, g->arc_at[arc]);
        for (uint32_t t = 0; t < trees && flow > 0 && status == GFAB_OK; t++) {
            const uint32_t way = g->at[(size_t)t * g->graph->nodes + from], here = flow_on(g, way);
            const uint32_t amount = here < flow ? here : flow;
            if (amount == 0 || !can_take(g, t, arc, level))
                continue;
            flow -= amount;
            g->flow.left[way] += amount;
            status = take(g, t, arc, amount);
        }
    }
    return status;
}

/* Each arc and tree by itself, with a flow of its own: what is not taken then never can be. */
static gfab_status visit_each(growth *g, uint32_t node, uint32_t level)
{
    for (uint32_t i = g->first_in[node]; i < g->first_in[node + 1]; i++)
        for (uint32_t t = 0; t < g->forest->count; t++) {
            const uint32_t arc = g->in[i];
            if (!can_take(g, t, arc, level))
                continue;
            const uint32_t room = g->graph->arcs[arc].room, copies = g->forest->trees[t].copies;
            uint32_t amount = room < copies ? room : copies;
            uint64_t lack = 0;
            g->graph->arcs[arc].room -= amount;
            g->forest->trees[t].copies -= amount;
            GFAB_TRY(run_flow(g, node, level, &lack));
            g->graph->arcs[arc].room += amount;
            g->forest->trees[t].copies += amount;
            amount = lack < amount ? amount - (uint32_t)lack : 0;
            if (amount > 0)
                GFAB_TRY(take(g, t, arc, amount));
        }
    return GFAB_OK;
}

/* ---- growing ---- */

static gfab_status open(growth *g, gfab_out_supply supply)
{
    const uint32_t n = g->graph->nodes;
    uint32_t targets = 0;
    for (uint32_t v = 0; v < n; v++)
        targets += g->graph->target[v];
    for (uint32_t v = 0; v < n; v++)
        if (supply[v]) {
            GFAB_TRY(gfab_out_forest_add(g->forest, v, supply[v]));
            g->cells += (uint64_t)supply[v] * (targets - 1);
        }
    g->missing = g->cells;
    g->first_in = gfab_arena_zeroed(&g->arena, (size_t)n + 1, sizeof *g->first_in);
    g->in = gfab_arena_zeroed(&g->arena, g->graph->count, sizeof *g->in);
    g->arc_at = gfab_arena_zeroed(&g->arena, g->graph->count, sizeof *g->arc_at);
    if (g->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < g->graph->count; i++)
        g->first_in[g->graph->arcs[i].to]++;
    for (uint32_t v = 1; v <= n; v++)
        g->first_in[v] += g->first_in[v - 1];
    for (uint32_t i = g->graph->count; i-- > 0;)
        g->in[--g->first_in[g->graph->arcs[i].to]] = i;
    return GFAB_OK;
}

/* All nodes once, in any order. */
static gfab_status pass(growth *g, uint32_t level, bool each, uint32_t *order)
{
    const uint32_t n = g->graph->nodes;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = gfab_random_below(g->random, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (g->graph->target[order[i]])
            GFAB_TRY((each ? visit_each : visit)(g, order[i], level));
        GFAB_TRY(gfab_solver_report(g->options, "branches", g->cells - g->missing, g->cells));
    }
    return GFAB_OK;
}

gfab_status gfab_out_grow(gfab_out_graph *graph, gfab_out_supply supply, uint64_t *random,
                          const gfab_solver_options *options, gfab_out_forest *forest)
{
    growth g = {.graph = graph, .forest = forest, .options = options, .random = random};
    uint32_t *order = malloc(graph->nodes * sizeof *order), longest = 0, deepest = 0;
    *forest = (gfab_out_forest){.nodes = graph->nodes, .cells = graph->nodes};
    gfab_status status = order ? open(&g, supply) : GFAB_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < graph->count; i++)
        longest = graph->arcs[i].length > longest ? graph->arcs[i].length : longest;
    for (uint32_t level = 1; g.missing > 0 && status == GFAB_OK; level++) {
        const uint64_t before = g.missing;
        status = pass(&g, level, false, order);
        if (g.missing < before)
            deepest = level;
        if (status != GFAB_OK || level < deepest + longest)
            continue;
        status = pass(&g, level, true, order); /* where flows show no more */
        if (status == GFAB_OK && g.missing == before)
            status = GFAB_ERR_FAULT;
        deepest = level;
    }
    gfab_flow_release(&g.flow);
    free(order);
    gfab_arena_release(&g.arena);
    free(g.at);
    return status;
}
