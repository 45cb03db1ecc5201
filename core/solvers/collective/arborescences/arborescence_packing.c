/* SPDX-License-Identifier: MIT */
/* Graphs and packings as plain arrays; how many trees there are, and how deep they must be. */
#include "arborescence_packing.h"

#include "base/ascending.h"

#include "flow/flow.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_ARBOR_NONE
#define MAX_ARCS ((uint64_t)1 << 24)

/* Lists of arcs by their node, at one end. */
static void list_arcs(uint32_t nodes, uint32_t arcs, const uint32_t *node, uint32_t *first, uint32_t *list)
{
    memset(first, 0, ((size_t)nodes + 1) * sizeof *first);
    for (uint32_t arc = 0; arc < arcs; arc++)
        first[node[arc]]++;
    for (uint32_t v = 1; v <= nodes; v++)
        first[v] += first[v - 1];
    for (uint32_t arc = arcs; arc-- > 0;)
        list[--first[node[arc]]] = arc;
}

gfab_status gfab_arbor_graph_create(const gfab_topology *topology, bool backwards, uint32_t most,
                                    gfab_arbor_graph *graph)
{
    const size_t links = gfab_topology_link_count(topology), nodes = gfab_topology_node_count(topology);
    uint64_t arcs = 0;
    *graph = (gfab_arbor_graph){.nodes = (uint32_t)nodes};
    for (gfab_arc arc = 0; arc < 2 * links; arc++) {
        const uint32_t weight = gfab_topology_arc_weight(topology, arc);
        arcs += weight < most ? weight : most;
    }
    if (arcs > MAX_ARCS)
        return GFAB_ERR_LIMIT;
    GFAB_ARRAYS(&graph->arena, (size_t)arcs, graph->from, graph->to, graph->name, graph->in, graph->out);
    GFAB_ARRAYS(&graph->arena, nodes + 1, graph->first_in, graph->first_out);
    GFAB_NEED(!graph->arena.failed);
    for (gfab_arc arc = 0; arc < 2 * links; arc++) {
        const uint32_t weight = gfab_topology_arc_weight(topology, arc ^ backwards);
        for (uint32_t i = 0; i < weight && i < most; i++) {
            graph->from[graph->arcs] = gfab_topology_arc_from(topology, arc);
            graph->to[graph->arcs] = gfab_topology_arc_to(topology, arc);
            graph->name[graph->arcs++] = arc;
        }
    }
    list_arcs(graph->nodes, graph->arcs, graph->to, graph->first_in, graph->in);
    list_arcs(graph->nodes, graph->arcs, graph->from, graph->first_out, graph->out);
    return GFAB_OK;
}

void gfab_arbor_graph_keep(gfab_arbor_graph *graph, uint32_t nodes)
{
    uint32_t kept = 0;
    for (uint32_t arc = 0; arc < graph->arcs; arc++)
        if (graph->from[arc] < nodes && graph->to[arc] < nodes) {
            graph->from[kept] = graph->from[arc];
            graph->to[kept] = graph->to[arc];
            graph->name[kept++] = graph->name[arc];
        }
    graph->nodes = nodes;
    graph->arcs = kept;
    list_arcs(nodes, kept, graph->to, graph->first_in, graph->in);
    list_arcs(nodes, kept, graph->from, graph->first_out, graph->out);
}

gfab_status gfab_arbor_count(const gfab_arbor_graph *graph, uint32_t root, uint32_t most,
                             const gfab_solver_options *options, uint32_t *count)
{
    GFAB_AT_END(gfab_flow_release) gfab_flow flow = {0};
    gfab_status status = gfab_flow_create(graph->nodes, graph->arcs, &flow);
    for (uint32_t arc = 0; arc < graph->arcs && status == GFAB_OK; arc++)
        gfab_flow_add(&flow, graph->from[arc], graph->to[arc], 1, 0);
    *count = most;
    for (uint32_t v = 0; v < graph->nodes && status == GFAB_OK; v++) {
        if (v != root)
            *count = (uint32_t)gfab_flow_run(&flow, root, v, *count);
        status = gfab_solver_report(options, "cuts", v, graph->nodes);
    }
    return status;
}

/* ---- the least depth ---- */

/* Arcs from a node to each node, not by way of `without`. Returns those to the farthest; NONE where one is not reached.
 */
static uint32_t find_distances(const gfab_arbor_graph *graph, uint32_t from, uint32_t without, uint32_t *distance,
                               uint32_t *queue)
{
    uint32_t first = 0, last = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        distance[v] = NONE;
    distance[from] = 0;
    queue[last++] = from;
    while (first < last) {
        const uint32_t v = queue[first++];
        for (uint32_t i = graph->first_out[v]; i < graph->first_out[v + 1]; i++) {
            const uint32_t to = graph->to[graph->out[i]];
            if (to == without || distance[to] != NONE)
                continue;
            distance[to] = distance[v] + 1;
            queue[last++] = to;
        }
    }
    return last + (without != NONE) == graph->nodes ? distance[queue[last - 1]] : NONE;
}

/* Each tree has an arc of its own into a node; and, if there are no more than trees, one alone out of the root, with
 * its own way on from there. */
gfab_status gfab_arbor_least_depth(const gfab_arbor_graph *graph, uint32_t root, uint32_t count, uint32_t *least)
{
    GFAB_FREED uint32_t *distance = malloc(graph->nodes * sizeof *distance),
                        *queue = malloc(graph->nodes * sizeof *queue);
    GFAB_FREED uint32_t *away = malloc(graph->nodes * sizeof *away), *ways = malloc(graph->arcs * sizeof *ways);
    GFAB_NEED(distance && queue && away && ways);
    *least = find_distances(graph, root, NONE, distance, queue);
    for (uint32_t v = 0; v < graph->nodes; v++) {
        const uint32_t first = graph->first_in[v], arcs = graph->first_in[v + 1] - first;
        for (uint32_t i = 0; i < arcs; i++)
            ways[i] = distance[graph->from[graph->in[first + i]]] + 1;
        qsort(ways, arcs, sizeof *ways, gfab_ascending32);
        if (v != root && ways[count - 1] > *least)
            *least = ways[count - 1];
    }
    const uint32_t first = graph->first_out[root], arcs = graph->first_out[root + 1] - first;
    for (uint32_t i = 0; i < arcs && arcs == count; i++) {
        const uint32_t way = find_distances(graph, graph->to[graph->out[first + i]], root, away, queue);
        if (way != NONE && way + 1 > *least)
            *least = way + 1;
    }
    return GFAB_OK;
}

/* ---- packings ---- */

gfab_status gfab_arbor_packing_create(const gfab_arbor_graph *graph, uint32_t root, uint32_t count,
                                      gfab_arbor_packing *packing)
{
    const size_t cells = (size_t)count * graph->nodes;
    *packing = (gfab_arbor_packing){.graph = graph,
                                    .root = root,
                                    .count = count,
                                    .owner = malloc(graph->arcs * sizeof *packing->owner),
                                    .parent = malloc(cells * sizeof *packing->parent),
                                    .depth = malloc(cells * sizeof *packing->depth)};
    GFAB_NEED(packing->owner && packing->parent && packing->depth);
    for (uint32_t arc = 0; arc < graph->arcs; arc++)
        packing->owner[arc] = NONE;
    for (size_t cell = 0; cell < cells; cell++)
        packing->parent[cell] = packing->depth[cell] = NONE;
    for (uint32_t tree = 0; tree < count; tree++)
        packing->depth[(size_t)tree * graph->nodes + root] = 0;
    return GFAB_OK;
}

void gfab_arbor_packing_release(gfab_arbor_packing *packing)
{
    GFAB_FREE(packing->owner, packing->parent, packing->depth);
    *packing = (gfab_arbor_packing){0};
}

void gfab_arbor_packing_copy(const gfab_arbor_packing *from, gfab_arbor_packing *to)
{
    const size_t cells = (size_t)from->count * from->graph->nodes;
    memcpy(to->owner, from->owner, from->graph->arcs * sizeof *to->owner);
    memcpy(to->parent, from->parent, cells * sizeof *to->parent);
    memcpy(to->depth, from->depth, cells * sizeof *to->depth);
}

uint32_t gfab_arbor_tree_depth(const gfab_arbor_packing *packing, uint32_t tree)
{
    const uint32_t nodes = packing->graph->nodes, *depth = packing->depth + (size_t)tree * nodes;
    uint32_t deepest = 0;
    for (uint32_t v = 0; v < nodes; v++)
        deepest = depth[v] > deepest ? depth[v] : deepest;
    return deepest;
}

uint32_t gfab_arbor_depth(const gfab_arbor_packing *packing)
{
    uint32_t deepest = 0;
    for (uint32_t tree = 0; tree < packing->count; tree++) {
        const uint32_t depth = gfab_arbor_tree_depth(packing, tree);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}
