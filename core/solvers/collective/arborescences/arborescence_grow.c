/* SPDX-License-Identifier: MIT */
/* All trees side by side, level by level. Edmonds' theorem on branchings (1973; Schrijver 2003, theorem 53.1): trees
 * that have come to the node sets R_1 .. R_k can be completed with arcs that no tree has if and only if every set X of
 * nodes has at least as many of these arcs coming in as there are i with no node of X in R_i. As a flow: a source sends
 * one unit by way of each tree to any node that the tree has come to; every node must be able to get k units. An arc
 * into v that goes to a tree lessens sets alone that v is in, and so one flow to v says whether the tree may have it.
 *
 * What a tree was refused once it is refused for ever: the set that refused it stays tight. So each level looks at the
 * arcs out of the level before alone. */
#include "arborescence_packing.h"

#include "base/grow.h"
#include "base/random.h"
#include "flow/flow.h"

#include <stdlib.h>

#define NONE GFAB_ARBOR_NONE

typedef struct growth {
    gfab_arbor_packing *packing;
    gfab_flow
        flow; /* graph arc a: arc 2 a; tree t has come to v: 2 (arcs + t (nodes + 1) + v), or is there: v = nodes */
    uint64_t *offers; /* tree, arc: of a level */
    size_t offer_count, offer_room;
    uint32_t missing;
} growth;

static uint32_t arc_of(const growth *g, uint32_t tree, uint32_t node)
{
    return 2 * (g->packing->graph->arcs + tree * (g->packing->graph->nodes + 1) + node);
}

static gfab_status open_growth(growth *g)
{
    const gfab_arbor_graph *graph = g->packing->graph;
    const uint32_t nodes = graph->nodes, count = g->packing->count, source = nodes + count;
    const uint64_t room = graph->arcs + (uint64_t)count * (nodes + 1);
    if (room > UINT32_MAX / 4)
        return GFAB_ERR_LIMIT;
    GFAB_TRY(gfab_flow_create(nodes + count + 1, room, &g->flow));
    for (uint32_t arc = 0; arc < graph->arcs; arc++)
        gfab_flow_add(&g->flow, graph->from[arc], graph->to[arc], 1, 0);
    for (uint32_t tree = 0; tree < count; tree++) {
        for (uint32_t v = 0; v < nodes; v++)
            gfab_flow_add(&g->flow, nodes + tree, v, v == g->packing->root, 0);
        gfab_flow_add(&g->flow, source, nodes + tree, 1, 0);
    }
    g->missing = count * (nodes - 1);
    return GFAB_OK;
}

/* Gives an arc to a tree, if all trees can be completed then. */
static void take(growth *g, uint32_t tree, uint32_t arc)
{
    gfab_arbor_packing *p = g->packing;
    const uint32_t nodes = p->graph->nodes, from = p->graph->from[arc], to = p->graph->to[arc];
    gfab_flow_set(&g->flow, 2 * arc, 0);
    gfab_flow_set(&g->flow, arc_of(g, tree, to), 1);
    if (gfab_flow_run(&g->flow, nodes + p->count, to, p->count) < p->count) {
        gfab_flow_set(&g->flow, 2 * arc, 1);
        gfab_flow_set(&g->flow, arc_of(g, tree, to), 0);
        return;
    }
    p->owner[arc] = tree;
    p->parent[(size_t)tree * nodes + to] = arc;
    p->depth[(size_t)tree * nodes + to] = p->depth[(size_t)tree * nodes + from] + 1;
    g->missing--;
}

static gfab_status offer(growth *g, uint32_t tree, uint32_t arc)
{
    GFAB_NEED(gfab_grow(&g->offers, g->offer_count, &g->offer_room, sizeof *g->offers));
    g->offers[g->offer_count++] = (uint64_t)tree << 32 | arc;
    return GFAB_OK;
}

/* All arcs that might bring a tree to nodes of this level, in any order. */
static gfab_status list_offers(growth *g, uint32_t level, uint64_t *random)
{
    const gfab_arbor_packing *p = g->packing;
    const gfab_arbor_graph *graph = p->graph;
    g->offer_count = 0;
    for (uint32_t tree = 0; tree < p->count; tree++) {
        const uint32_t *depth = p->depth + (size_t)tree * graph->nodes;
        for (uint32_t arc = 0; arc < graph->arcs; arc++)
            if (p->owner[arc] == NONE && depth[graph->from[arc]] == level - 1 && depth[graph->to[arc]] == NONE)
                GFAB_TRY(offer(g, tree, arc));
    }
    for (size_t i = g->offer_count; i > 1; i--) {
        const size_t k = gfab_random_below(random, (uint32_t)i);
        const uint64_t swapped = g->offers[i - 1];
        g->offers[i - 1] = g->offers[k];
        g->offers[k] = swapped;
    }
    return GFAB_OK;
}

gfab_status gfab_arbor_grow(gfab_arbor_packing *packing, uint64_t *random, const gfab_solver_options *options)
{
    growth g = {.packing = packing};
    gfab_status status = open_growth(&g);
    const uint32_t cells = packing->count * (packing->graph->nodes - 1);
    for (uint32_t level = 1; g.missing > 0 && status == GFAB_OK; level++) {
        status = list_offers(&g, level, random);
        for (size_t i = 0; i < g.offer_count && status == GFAB_OK; i++) {
            const uint32_t tree = (uint32_t)(g.offers[i] >> 32), arc = (uint32_t)g.offers[i];
            const uint32_t to = packing->graph->to[arc];
            if (packing->owner[arc] == NONE && packing->depth[(size_t)tree * packing->graph->nodes + to] == NONE)
                take(&g, tree, arc);
            if (i % 16 == 0)
                status = gfab_solver_report(options, "arcs", cells - g.missing, cells);
        }
    }
    gfab_flow_release(&g.flow);
    free(g.offers);
    return status;
}
