/* SPDX-License-Identifier: MIT */
/* Pairs of trees at the best rates of an all-gather and of a reduce-scatter: those out of the members by flows on the
 * graph, those into them by flows on the reversed graph. */
#include "out_trees.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE

/* A tree with so many cells, in a forest of such; backwards: of the reversed graph, each arc turned. */
static gfab_status add_tree(gfab_out_forest *forest, const gfab_out_tree *tree, uint32_t cells, uint32_t copies,
                            bool backwards)
{
    GFAB_TRY(gfab_out_forest_add(forest, tree->root, copies));
    gfab_out_tree *added = &forest->trees[forest->count - 1];
    uint32_t *parent = malloc(2 * (size_t)forest->cells * sizeof *parent);
    if (!parent)
        return GFAB_ERR_NO_MEMORY;
    memset(parent, 0xff, 2 * (size_t)forest->cells * sizeof *parent);
    for (uint32_t c = 0; c < cells; c++)
        parent[c] = tree->parent[c] == NONE ? NONE : tree->parent[c] ^ backwards;
    if (tree->before)
        memcpy(parent + forest->cells, tree->before, cells * sizeof *parent);
    free(added->parent);
    added->parent = parent;
    added->before = tree->before ? parent + forest->cells : NULL;
    added->depth = NULL;
    return GFAB_OK;
}

/* Trees into a root and out of it, as many copies of each as both have left. */
static gfab_status pair_trees(gfab_out_forest *in, gfab_out_forest *out, gfab_out_forest *forest)
{
    for (uint32_t t = 0; t < out->count; t++)
        for (uint32_t i = 0; i < in->count && out->trees[t].copies > 0; i++) {
            gfab_out_tree *a = &in->trees[i], *b = &out->trees[t];
            const uint32_t copies = a->copies < b->copies ? a->copies : b->copies;
            if (a->root != b->root || copies == 0)
                continue;
            a->copies -= copies;
            b->copies -= copies;
            GFAB_TRY(add_tree(forest, a, in->cells, copies, true));
            GFAB_TRY(add_tree(forest, b, out->cells, copies, false));
        }
    return GFAB_OK;
}

/* Rounds in which every arc has room for the trees that it is in. */
static gfab_status find_period(const gfab_topology *topology, const gfab_out_forest *forest, uint32_t *period)
{
    const size_t arcs = 2 * gfab_topology_link_count(topology);
    GFAB_FREED uint64_t *load = calloc(arcs, sizeof *load);
    uint64_t most = 1;
    if (!load)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t t = 0; t < forest->count; t++)
        for (uint32_t c = 0; c < forest->cells; c++)
            if (forest->trees[t].parent[c] != NONE)
                load[forest->trees[t].parent[c]] += forest->trees[t].copies;
    for (gfab_arc arc = 0; arc < arcs; arc++) {
        const uint64_t weight = gfab_topology_arc_weight(topology, arc);
        const uint64_t rounds = load[arc] ? (load[arc] + weight - 1) / weight : 0;
        most = rounds > most ? rounds : most;
    }
    *period = (uint32_t)most;
    return GFAB_OK;
}

gfab_status gfab_out_pair(const gfab_topology *const graphs[2], uint32_t trees, const uint32_t share[2],
                          const gfab_out_growth *growth, uint32_t *period, gfab_out_forest *forest)
{
    const gfab_topology *topology = graphs[1];
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    GFAB_AT_END(gfab_out_forest_release) gfab_out_forest in = {0}, out = {0};
    GFAB_FREED uint32_t *supply = malloc(nodes * sizeof *supply);
    gfab_status status = supply ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; v < nodes && supply; v++)
        supply[v] = gfab_topology_is_relay(topology, v) ? 0 : trees;
    GFAB_THEN(status, gfab_out_pack(graphs[0], NULL, share[0], supply, growth, &in));
    GFAB_THEN(status, gfab_out_pack(topology, NULL, share[1], supply, growth, &out));
    *forest = (gfab_out_forest){.nodes = nodes, .cells = in.cells > out.cells ? in.cells : out.cells};
    GFAB_THEN(status, pair_trees(&in, &out, forest));
    GFAB_THEN(status, find_period(topology, forest, period));
    return status;
}
