/* SPDX-License-Identifier: MIT */
/* Where a block's total may be made: single nodes, pairs of neighbours, or cycles of four nodes that exchange what
 * they have. The farther the farthest node is, the longer the tree takes, so that only sites of almost the least depth
 * are kept. On a path of 9 nodes that is its middle node, depth 4; where more are as good, they are taken evenly
 * spread. */
#include "trees_plan.h"

#include <stdlib.h>
#include <string.h>

/* More sites than these give nothing. */
#define MAX_SITES 256u
/* More sets of nodes than these are not looked at. */
#define MAX_SETS ((size_t)1 << 15)

typedef struct sets {
    gfab_trees_roots *at;
    size_t count;
} sets;

static void add(sets *s, uint32_t count, const uint32_t *nodes)
{
    if (s->count == MAX_SETS)
        return;
    gfab_trees_roots *roots = &s->at[s->count++];
    roots->count = count;
    memcpy(roots->node, nodes, count * sizeof *nodes);
}

/* Each cycle of four nodes once: from its lowest node over the lower of that node's two neighbours on it. */
static void add_squares(const gfab_topology *topology, uint32_t a, sets *s)
{
    size_t around_a, around_b;
    const gfab_port *of_a = gfab_topology_ports(topology, a, &around_a);
    for (size_t i = 0; i < around_a; i++) {
        const uint32_t b = of_a[i].peer;
        const gfab_port *of_b = gfab_topology_ports(topology, b, &around_b);
        for (size_t k = 0; k < around_a; k++) {
            const uint32_t d = of_a[k].peer;
            if (b < a || d <= b)
                continue;
            for (size_t m = 0; m < around_b && s->count < MAX_SETS; m++) {
                const uint32_t c = of_b[m].peer;
                gfab_arc arc;
                if (c > a && c != d && gfab_topology_find_arc(topology, c, d, &arc))
                    add(s, 4, (const uint32_t[]){a, b, d, c});
            }
        }
    }
}

/* All nodes, all links, or all squares. */
static void add_sets(const gfab_topology *topology, uint32_t roots, sets *s)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    for (uint32_t v = 0; v < nodes && roots == 1; v++)
        add(s, 1, &v);
    for (size_t link = 0; link < links && roots == 2; link++)
        add(s, 2, gfab_topology_link(topology, link).node);
    for (uint32_t v = 0; v < nodes && roots == 4; v++)
        add_squares(topology, v, s);
}

/* distances[nodes] from the nearest of the roots; the largest. work has 2 * nodes entries. */
static uint32_t measure(const gfab_topology *topology, const gfab_trees_roots *roots, uint32_t *distances,
                        uint32_t *work)
{
    const size_t nodes = gfab_topology_node_count(topology);
    uint32_t depth = 0;
    gfab_topology_distances(topology, roots->node[0], distances, work);
    for (uint32_t i = 1; i < roots->count; i++) {
        gfab_topology_distances(topology, roots->node[i], work + nodes, work);
        for (size_t v = 0; v < nodes; v++)
            distances[v] = work[nodes + v] < distances[v] ? work[nodes + v] : distances[v];
    }
    for (size_t v = 0; v < nodes; v++)
        depth = distances[v] > depth ? distances[v] : depth;
    return depth;
}

static gfab_status measure_all(const gfab_topology *topology, const gfab_solver_options *options, const sets *s,
                               uint32_t *depths)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *work = malloc(3 * nodes * sizeof *work);
    GFAB_NEED(work);
    for (size_t i = 0; i < s->count; i++) {
        depths[i] = measure(topology, &s->at[i], work + 2 * nodes, work);
        if (i % 256 == 0)
            GFAB_TRY(gfab_solver_report(options, "roots", i, s->count));
    }
    return GFAB_OK;
}

static gfab_status keep(const gfab_topology *topology, const sets *s, gfab_trees_sites *sites)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *work = malloc(2 * nodes * sizeof *work);
    sites->at = calloc(s->count, sizeof *sites->at);
    GFAB_NEED(work && sites->at);
    while (sites->count < s->count) {
        gfab_trees_site *site = &sites->at[sites->count];
        site->roots = s->at[sites->count];
        site->distance = malloc(nodes * sizeof *site->distance);
        GFAB_NEED(site->distance);
        site->depth = measure(topology, &site->roots, site->distance, work);
        sites->count++;
    }
    return GFAB_OK;
}

gfab_status gfab_trees_sites_find(const gfab_topology *topology, const gfab_solver_options *options, uint32_t roots,
                                  uint32_t slack, gfab_trees_sites *sites)
{
    *sites = (gfab_trees_sites){0};
    GFAB_FREED gfab_trees_roots *at = malloc(MAX_SETS * sizeof *at);
    GFAB_FREED uint32_t *depths = malloc(MAX_SETS * sizeof *depths);
    GFAB_NEED(at && depths);
    sets s = {at, 0};
    add_sets(topology, roots, &s);
    GFAB_TRY(measure_all(topology, options, &s, depths));
    if (s.count == 0)
        return GFAB_OK;
    uint32_t least = depths[0];
    size_t near = 0, kept = 0;
    for (size_t i = 0; i < s.count; i++)
        least = depths[i] < least ? depths[i] : least;
    for (size_t i = 0; i < s.count; i++)
        if (depths[i] <= least + slack)
            s.at[near++] = s.at[i];
    for (; kept < near && kept < MAX_SITES; kept++) /* spread evenly over those */
        s.at[kept] = s.at[near > MAX_SITES ? kept * near / MAX_SITES : kept];
    s.count = kept;
    return keep(topology, &s, sites);
}

gfab_status gfab_trees_sites_at(const gfab_topology *topology, const uint32_t *nodes, uint32_t count,
                                gfab_trees_sites *sites)
{
    *sites = (gfab_trees_sites){0};
    sets s = {malloc(count * sizeof *s.at), count};
    GFAB_NEED(s.at);
    for (uint32_t i = 0; i < count; i++)
        s.at[i] = (gfab_trees_roots){1, {nodes[i]}};
    const gfab_status status = keep(topology, &s, sites);
    free(s.at);
    return status;
}

void gfab_trees_sites_release(gfab_trees_sites *sites)
{
    for (uint32_t i = 0; i < sites->count; i++)
        free(sites->at[i].distance);
    free(sites->at);
    *sites = (gfab_trees_sites){0};
}
