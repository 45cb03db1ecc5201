/* SPDX-License-Identifier: MIT */
/* Trees of arcs past relays become trees of the topology's arcs. Where all relays copy, a relay gets a block once.
 * Where some do not, whatever goes past relays that were split off goes by itself: a chain of cells, one for each relay
 * that it passes, so that a relay can be in a tree many times. */
#include "out_trees.h"

#include "base/divisor.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/rate.h>

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE

/* What is worked with: a tree's arcs and those of one of its arcs. */
typedef struct unfolder {
    const gfab_out_graph *graph;
    const gfab_topology *topology;
    uint32_t n;
    bool *used, *needed; /* [arcs], [n] */
    uint32_t *stack;     /* [graph arcs + 1] */
    gfab_arc *list;      /* the same */
    uint32_t *queue;     /* [n] */
    gfab_arena arena;
} unfolder;
GFAB_HOLDS_ARENA(unfolder)

uint32_t gfab_out_list_arcs(const gfab_out_graph *graph, uint32_t arc, uint32_t *stack, gfab_arc *list)
{
    uint32_t height = 0, count = 0;
    stack[height++] = arc;
    while (height > 0) {
        const gfab_out_arc *top = &graph->arcs[stack[--height]];
        if (top->second == NONE) {
            list[count++] = top->first;
        } else {
            stack[height++] = top->second;
            stack[height++] = top->first;
        }
    }
    return count;
}

/* The tree of shortest ways over the used arcs; queue gets its nodes by their depth, *reached how many. */
static void hang(const gfab_topology *topology, const bool *used, gfab_out_tree *tree, uint32_t *queue,
                 uint32_t *reached)
{
    uint32_t last = 0;
    queue[last++] = tree->root;
    tree->depth[tree->root] = 0;
    for (uint32_t first = 0; first < last; first++) {
        const uint32_t v = queue[first];
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, v, &count);
        for (size_t i = 0; i < count; i++) {
            const gfab_arc arc = 2 * ports[i].link + ports[i].end;
            if (!used[arc] || tree->depth[ports[i].peer] != NONE)
                continue;
            tree->depth[ports[i].peer] = tree->depth[v] + 1;
            tree->parent[ports[i].peer] = arc;
            queue[last++] = ports[i].peer;
        }
    }
    *reached = last;
}

/* Relays that lead to nobody are left out, from the last one on. */
static void prune(const gfab_topology *topology, gfab_out_tree *tree, const uint32_t *queue, uint32_t reached,
                  bool *needed)
{
    memset(needed, 0, gfab_topology_node_count(topology) * sizeof *needed);
    for (uint32_t i = reached; i-- > 1;) {
        const uint32_t v = queue[i];
        if (gfab_topology_is_relay(topology, v) && !needed[v])
            tree->parent[v] = tree->depth[v] = NONE;
        else
            needed[gfab_topology_arc_from(topology, tree->parent[v])] = true;
    }
}

static void unfold_merged(unfolder *u, gfab_out_tree *tree)
{
    uint32_t reached;
    memset(u->used, 0, 2 * gfab_topology_link_count(u->topology) * sizeof *u->used);
    for (uint32_t v = 0; v < u->n; v++) {
        const uint32_t count =
            tree->parent[v] == NONE ? 0 : gfab_out_list_arcs(u->graph, tree->parent[v], u->stack, u->list);
        for (uint32_t i = 0; i < count; i++)
            u->used[u->list[i]] = true;
    }
    for (uint32_t v = 0; v < u->n; v++)
        tree->parent[v] = tree->depth[v] = NONE;
    hang(u->topology, u->used, tree, u->queue, &reached);
    prune(u->topology, tree, u->queue, reached, u->needed);
}

/* ---- chains ---- */

/* Relays that the tree's arcs go past, each as often as they do. */
static uint32_t count_passes(const gfab_out_graph *graph, const gfab_out_tree *tree)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        count += tree->parent[v] == NONE ? 0 : graph->arcs[tree->parent[v]].length - 1;
    return count;
}

/* The way to a node, without what comes back to a node where it was; how many arcs. */
static uint32_t list_way(unfolder *u, const gfab_out_tree *tree, uint32_t v)
{
    const uint32_t count =
        tree->parent[v] == NONE ? 0 : gfab_out_list_arcs(u->graph, tree->parent[v], u->stack, u->list);
    const uint32_t start = count ? gfab_topology_arc_from(u->topology, u->list[0]) : NONE;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t to = gfab_topology_arc_to(u->topology, u->list[i]);
        uint32_t k = 0;
        while (k < kept && gfab_topology_arc_to(u->topology, u->list[k]) != to)
            k++;
        if (k == kept && to != start)
            u->list[k] = u->list[i];
        kept = to == start ? 0 : k + 1;
    }
    return kept;
}

/* Relays that lead to nobody are left out, with the chains to them. */
static void prune_chains(unfolder *u, uint32_t *parent, uint32_t *before)
{
    for (bool more = true; more;) {
        more = false;
        memset(u->needed, 0, u->n * sizeof *u->needed);
        for (uint32_t v = 0; v < u->n; v++) {
            uint32_t from = before[v];
            while (from != NONE && from >= u->n)
                from = before[from];
            if (from != NONE)
                u->needed[from] = true;
        }
        for (uint32_t v = 0; v < u->n; v++) {
            if (parent[v] == NONE || u->needed[v] || !gfab_topology_is_relay(u->topology, v))
                continue;
            more = true;
            for (uint32_t cell = v, next; cell != NONE && (cell == v || cell >= u->n); cell = next) {
                next = before[cell];
                parent[cell] = before[cell] = NONE;
            }
        }
    }
}

static gfab_status unfold_chains(unfolder *u, gfab_out_tree *tree, uint32_t cells)
{
    uint32_t *parent = malloc(2 * (size_t)cells * sizeof *parent), *before = parent + cells, next = u->n;
    if (!parent)
        return GFAB_ERR_NO_MEMORY;
    memset(parent, 0xff, 2 * (size_t)cells * sizeof *parent);
    for (uint32_t v = 0; v < u->n; v++) {
        const uint32_t count = list_way(u, tree, v);
        uint32_t from = count ? gfab_topology_arc_from(u->topology, u->list[0]) : NONE;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t cell = i + 1 < count ? next++ : v;
            parent[cell] = u->list[i];
            before[cell] = from;
            from = cell;
        }
    }
    prune_chains(u, parent, before);
    free(tree->parent);
    tree->parent = parent;
    tree->before = before;
    tree->depth = NULL;
    return GFAB_OK;
}

/* Parents become arcs of the topology, over relays too, each node reached once and by as few arcs as the tree has; what
 * leads to no member is left out. Where some relay does not copy, relays that were split off are in chains.
 * NO_MEMORY. */
static gfab_status unfold(const gfab_out_graph *graph, gfab_out_forest *forest)
{
    const gfab_topology *topology = graph->topology;
    const size_t arcs = 2 * gfab_topology_link_count(topology), n = graph->nodes;
    const bool chains = gfab_topology_marks(topology) & GFAB_MARK_LIMITED;
    GFAB_AT_END(unfolder_release) unfolder u = {.graph = graph, .topology = topology, .n = graph->nodes};
    u.used = gfab_arena_zeroed(&u.arena, arcs, sizeof *u.used);
    u.needed = gfab_arena_zeroed(&u.arena, n, sizeof *u.needed);
    u.stack = gfab_arena_zeroed(&u.arena, ((size_t)graph->count + 1), sizeof *u.stack);
    u.list = gfab_arena_zeroed(&u.arena, ((size_t)graph->count + 1), sizeof *u.list);
    u.queue = gfab_arena_zeroed(&u.arena, n, sizeof *u.queue);
    gfab_status status = u.arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    uint32_t passes = 0;
    for (uint32_t t = 0; t < forest->count && chains; t++) {
        const uint32_t count = count_passes(graph, &forest->trees[t]);
        passes = count > passes ? count : passes;
    }
    forest->cells = forest->nodes + passes;
    for (uint32_t t = 0; t < forest->count && status == GFAB_OK; t++)
        if (chains)
            status = unfold_chains(&u, &forest->trees[t], forest->cells);
        else
            unfold_merged(&u, &forest->trees[t]);
    return status;
}

gfab_status gfab_out_pack(const gfab_topology *topology, const uint32_t *weight, uint32_t share, gfab_out_supply supply,
                          const gfab_out_growth *growth, gfab_out_forest *forest)
{
    GFAB_AT_END(gfab_out_graph_release) gfab_out_graph graph = {0};
    gfab_status status = gfab_out_graph_create(topology, weight, share, &graph);
    GFAB_THEN(status, gfab_out_split(&graph, supply, growth->options));
    GFAB_THEN(status, gfab_out_grow(&graph, supply, growth->random, growth->options, forest));
    GFAB_THEN(status, unfold(&graph, forest));
    *growth->work += forest->work + graph.work;
    return status;
}

gfab_status gfab_out_find_rate(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal,
                               const gfab_solver_options *options, gfab_out_rate *rate)
{
    GFAB_AT_END(gfab_certificate_release) gfab_certificate c = {0};
    GFAB_TRY(gfab_rate(topology, link_mode, goal, options->progress, &c, &rate->tight));
    const uint64_t divisor = gfab_common_divisor(c.demand, c.capacity);
    rate->trees = c.capacity / divisor;
    rate->rounds = c.demand / divisor;
    return GFAB_OK;
}
