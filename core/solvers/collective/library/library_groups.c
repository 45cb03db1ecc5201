/* SPDX-License-Identifier: MIT */
/* Which ranks stand close together: boxes of GPUs, racks of boxes. Members that links of some weight or more hold
 * together are a group; the lower the weight, the larger the groups, so that groups have groups in them. Where that
 * leaves all members in one group or each alone, members on the same small switch are one, then those that larger ones
 * join; and where that does, too, members few links apart. A level counts where its groups are of equal size. An
 * example: in two boxes of 8 GPUs, which hang on an NVSwitch each by links of weight 9 and on one switch by links of
 * weight 1, there are two levels: 8 ranks a box, 2 boxes. */
#include "library_plan.h"

#include "base/sets.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct grouping {
    const gfab_topology *topology;
    uint32_t nodes, ranks;
    uint32_t *group, *before;     /* [ranks]: of a rank, at this level and the one below */
    uint32_t *size, *of;          /* [nodes]: scratch */
    uint32_t *distance, *work;    /* [nodes], [2 * nodes] */
    uint32_t count, count_before; /* groups */
} grouping;

static void join(uint32_t *of, uint32_t u, uint32_t v)
{
    of[gfab_set_of(of, u)] = gfab_set_of(of, v);
}

/* What holds nodes together. */
typedef enum holds { BY_WEIGHT, BY_DEGREE, BY_DISTANCE } holds;

static size_t degree_of(const gfab_topology *topology, uint32_t node)
{
    size_t degree;
    (void)gfab_topology_ports(topology, node, &degree);
    return degree;
}

/* A link is one that holds: of so much weight, or at a relay of so many links or fewer. */
static bool link_holds(const grouping *g, size_t link, holds by, uint32_t limit)
{
    const gfab_link ends = gfab_topology_link(g->topology, link);
    if (by == BY_WEIGHT)
        return gfab_topology_weight(g->topology, link) >= limit;
    for (int end = 0; end < 2; end++)
        if (gfab_topology_is_relay(g->topology, ends.node[end]) && degree_of(g->topology, ends.node[end]) <= limit)
            return true;
    return false;
}

/* Nodes that such links hold together, or members at most so far apart. */
static void hold(grouping *g, holds by, uint32_t limit)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        g->of[v] = v;
    for (size_t l = 0; by != BY_DISTANCE && l < gfab_topology_link_count(g->topology); l++)
        if (link_holds(g, l, by, limit))
            join(g->of, gfab_topology_link(g->topology, l).node[0], gfab_topology_link(g->topology, l).node[1]);
    for (uint32_t r = 0; by == BY_DISTANCE && r < g->ranks; r++) {
        const uint32_t u = gfab_topology_member(g->topology, r);
        gfab_topology_distances(g->topology, u, g->distance, g->work);
        for (uint32_t s = 0; s < g->ranks; s++)
            if (g->distance[gfab_topology_member(g->topology, s)] <= limit)
                join(g->of, u, gfab_topology_member(g->topology, s));
    }
}

/* The groups of what is held together; false where they are not of one size, or no larger than those before. */
static bool number_groups(grouping *g)
{
    g->count = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        g->size[v] = 0;
    for (uint32_t r = 0; r < g->ranks; r++)
        g->size[gfab_set_of(g->of, gfab_topology_member(g->topology, r))]++;
    const uint32_t size = g->size[gfab_set_of(g->of, gfab_topology_member(g->topology, 0))];
    memset(g->work, 0xff, g->nodes * sizeof *g->work);
    for (uint32_t r = 0; r < g->ranks; r++) {
        const uint32_t top = gfab_set_of(g->of, gfab_topology_member(g->topology, r));
        if (g->size[top] != size)
            return false;
        g->work[top] = g->work[top] == NONE ? g->count++ : g->work[top];
        g->group[r] = g->work[top];
    }
    return g->count < g->count_before;
}

/* A level more; its groups become places: those of a group stay together, in their order. */
static void add_level(grouping *g, gfab_library_ranks *at, uint32_t *places)
{
    const uint32_t size = g->ranks / g->count;
    uint32_t *filled = g->work;
    at->within[at->levels++] = g->count_before / g->count;
    memset(filled, 0, g->count * sizeof *filled);
    for (uint32_t p = 0; p < g->ranks; p++) {
        const uint32_t of = g->group[at->rank[p]];
        places[of * size + filled[of]++] = at->rank[p];
    }
    memcpy(at->rank, places, g->ranks * sizeof *places);
    g->count_before = g->count;
}

static void try_level(grouping *g, gfab_library_ranks *at, holds by, uint32_t limit)
{
    hold(g, by, limit);
    if (number_groups(g) && at->levels < GFAB_MAX_DIMENSIONS)
        add_level(g, at, g->before);
}

/* The next lower weight of a link. */
static uint32_t lower_weight(const gfab_topology *topology, uint32_t than)
{
    uint32_t weight = 0;
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const uint32_t w = gfab_topology_weight(topology, l);
        weight = w < than && w > weight ? w : weight;
    }
    return weight;
}

static void begin_levels(grouping *g, gfab_library_ranks *at)
{
    at->levels = 0;
    g->count_before = g->ranks;
    for (uint32_t p = 0; p < g->ranks; p++)
        at->rank[p] = p;
}

static void find_levels(grouping *g, gfab_library_ranks *at)
{
    uint32_t most = 0;
    for (uint32_t weight = lower_weight(g->topology, NONE); weight; weight = lower_weight(g->topology, weight))
        try_level(g, at, BY_WEIGHT, weight);
    if (at->levels > 1)
        return;
    begin_levels(g, at); /* all weights alike, or of no use */
    for (uint32_t degree = 1; degree <= gfab_topology_max_degree(g->topology); degree++)
        try_level(g, at, BY_DEGREE, degree);
    if (at->levels > 1)
        return;
    begin_levels(g, at);
    gfab_topology_distances(g->topology, gfab_topology_member(g->topology, 0), g->distance, g->work);
    for (uint32_t r = 0; r < g->ranks; r++) {
        const uint32_t far = g->distance[gfab_topology_member(g->topology, r)];
        most = far > most ? far : most;
    }
    for (uint32_t apart = 1; apart <= most && g->count_before > 1; apart++)
        try_level(g, at, BY_DISTANCE, apart);
    if (g->count_before > 1) {
        for (uint32_t v = 0; v < g->nodes; v++)
            g->of[v] = 0;
        if (number_groups(g))
            add_level(g, at, g->before);
    }
}

/* ---- ports ---- */

/* At which level alone two places differ; levels: at none or several. */
static uint32_t level_between(const gfab_library_ranks *at, uint32_t a, uint32_t b)
{
    uint32_t found = at->levels;
    for (uint32_t level = 0; level < at->levels; level++) {
        if (a % at->within[level] != b % at->within[level]) {
            if (found < at->levels)
                return at->levels;
            found = level;
        }
        a /= at->within[level];
        b /= at->within[level];
    }
    return found;
}

/* At which levels are others that an arc leads to, past relays alone? As bits; bit at->levels: all that differ at
 * several levels are among them. */
static uint32_t levels_behind(grouping *g, const gfab_library_ranks *at, uint32_t place, uint32_t first)
{
    uint32_t head = 0, tail = 0, levels = 0, several = at->ranks;
    for (uint32_t level = 0; level < at->levels; level++)
        several -= at->within[level] - 1; /* and the place itself */
    memset(g->of, 0, g->nodes * sizeof *g->of);
    g->work[tail++] = first;
    g->of[first] = 1;
    while (head < tail) {
        const uint32_t v = g->work[head++];
        size_t count;
        const gfab_port *ports = gfab_topology_ports(g->topology, v, &count);
        if (!gfab_topology_is_relay(g->topology, v)) {
            const uint32_t level = level_between(at, place, g->before[gfab_topology_rank(g->topology, v)]);
            if (level < at->levels || --several == 0)
                levels |= (uint32_t)1 << level;
            continue;
        }
        for (size_t i = 0; i < count; i++)
            if (!g->of[ports[i].peer] && gfab_topology_arc_weight(g->topology, 2 * ports[i].link + ports[i].end)) {
                g->of[ports[i].peer] = 1;
                g->work[tail++] = ports[i].peer;
            }
    }
    return levels;
}

/* The weights of a rank's links by which others of each level are reached; of the first and the last rank the less. */
static void find_ports(grouping *g, gfab_library_ranks *at)
{
    for (uint32_t p = 0; p < at->ranks; p++)
        g->before[at->rank[p]] = p;
    for (uint32_t p = 0; p<at->ranks; p += at->ranks> 1 ? at->ranks - 1 : 1) {
        uint32_t found[GFAB_MAX_DIMENSIONS] = {0};
        GFAB_EACH_PORT(port, g->topology, gfab_topology_member(g->topology, at->rank[p])) {
            const uint32_t levels = levels_behind(g, at, p, port->peer);
            at->crosses = at->crosses || (uint64_t)levels >> at->levels & 1;
            for (uint32_t level = 0; level < at->levels; level++)
                if (levels >> level & 1)
                    found[level] += gfab_topology_arc_weight(g->topology, 2 * port->link + port->end);
        }
        for (uint32_t level = 0; level < at->levels; level++)
            at->ports[level] = p == 0 || found[level] < at->ports[level] ? found[level] : at->ports[level];
    }
    for (uint32_t level = 0; level < at->levels; level++)
        at->ports[level] = at->ports[level] ? at->ports[level] : 1;
}

gfab_status gfab_library_find_groups(const gfab_topology *topology, gfab_library_ranks *at)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *all = malloc((2 * (size_t)at->ranks + 5 * (size_t)nodes) * sizeof *all);
    at->rank = malloc(at->ranks * sizeof *at->rank);
    GFAB_NEED(all && at->rank);
    grouping g = {.topology = topology,
                  .nodes = nodes,
                  .ranks = at->ranks,
                  .group = all,
                  .before = all + at->ranks,
                  .size = all + 2 * (size_t)at->ranks,
                  .count_before = at->ranks};
    g.of = g.size + nodes;
    g.distance = g.of + nodes;
    g.work = g.distance + nodes;
    begin_levels(&g, at);
    find_levels(&g, at);
    find_ports(&g, at);
    return GFAB_OK;
}
