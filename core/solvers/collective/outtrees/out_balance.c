/* SPDX-License-Identifier: MIT */
/* Trees on graphs that are too large for flows: one root after the other, each tree grown by the arc that costs least.
 * An arc costs the fourth power of its load, so that trees spread, and what is far from the root a little. A few times
 * over each tree is taken out and grown anew beside the others. */
#include "base/random.h"
#include "out_trees.h"

#include <string.h>

#define NONE GFAB_OUT_NONE

#define PASSES 8u
#define NEAR_PART 256u  /* above the least period: near enough */
#define UNIT 1024u      /* of a load that fills an arc */
#define MOST_LOAD 4095u /* in units; its fourth power, less COST_SHIFT bits, has 36 */
#define COST_SHIFT 12
#define STEP_BITS 21 /* what an arc farther from the root costs: 1/128 of a full arc's cost */
#define NOISE_BITS 12
#define ARC_BITS 24 /* of an entry of the heap: cost, arc */

gfab_status gfab_out_loads_create(const gfab_topology *topology, bool half, uint32_t period, uint64_t *random,
                                  gfab_out_loads *loads)
{
    const uint32_t n = (uint32_t)gfab_topology_node_count(topology),
                   arcs = 2 * (uint32_t)gfab_topology_link_count(topology);
    *loads =
        (gfab_out_loads){.topology = topology, .half = half, .n = n, .arcs = arcs, .period = period, .random = random};
    if (arcs >> ARC_BITS)
        return GFAB_ERR_LIMIT;
    loads->load = gfab_arena_zeroed(&loads->arena, arcs, sizeof *loads->load);
    loads->heap = gfab_arena_zeroed(&loads->arena, arcs, sizeof *loads->heap);
    loads->order = gfab_arena_zeroed(&loads->arena, n, sizeof *loads->order);
    loads->below = gfab_arena_zeroed(&loads->arena, n, sizeof *loads->below);
    return loads->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

void gfab_out_loads_release(gfab_out_loads *loads)
{
    gfab_arena_release(&loads->arena);
    *loads = (gfab_out_loads){0};
}

static uint64_t units(const gfab_out_loads *b, uint32_t load, uint32_t weight)
{
    const uint64_t part = (uint64_t)load * UNIT / ((uint64_t)b->period * weight);
    return part < MOST_LOAD ? part : MOST_LOAD;
}

static uint64_t cost(const gfab_out_loads *b, gfab_arc arc)
{
    uint64_t load = units(b, b->load[arc], gfab_topology_arc_weight(b->topology, arc));
    if (b->half) {
        const uint64_t both = units(b, b->load[arc] + b->load[arc ^ 1], gfab_topology_weight(b->topology, arc / 2));
        load = both > load ? both : load;
    }
    return load * load * load * load >> COST_SHIFT;
}

static void offer_arcs(gfab_out_loads *b, const gfab_out_tree *tree, bool inwards, uint32_t node, size_t *count)
{
    size_t degree;
    const gfab_port *ports = gfab_topology_ports(b->topology, node, &degree);
    for (size_t i = 0; i < degree; i++) {
        const gfab_arc arc = (2 * ports[i].link + ports[i].end) ^ inwards;
        if (tree->depth[ports[i].peer] == NONE && gfab_topology_arc_weight(b->topology, arc)) {
            const uint64_t noise = gfab_random(b->random) >> (64 - NOISE_BITS);
            const uint64_t all = cost(b, arc) + ((uint64_t)tree->depth[node] << STEP_BITS >> b->flat) + noise;
            gfab_heap_push(b->heap, count, all << ARC_BITS | arc, arc);
        }
    }
}

/* What leads to no member is left out. Returns what the others cost. */
static uint64_t prune(gfab_out_loads *b, gfab_out_tree *tree, bool inwards, uint32_t reached)
{
    uint64_t costs = 0;
    memset(b->below, 0, b->n * sizeof *b->below);
    for (uint32_t i = reached; i-- > 1;) {
        const uint32_t v = b->order[i], arc = tree->parent[v];
        if (gfab_topology_is_relay(b->topology, v) && !b->below[v]) {
            tree->parent[v] = tree->depth[v] = NONE;
        } else {
            b->below[gfab_topology_arc_from(b->topology, arc ^ inwards)]++;
            costs += cost(b, arc);
            b->load[arc]++;
        }
    }
    return costs;
}

uint64_t gfab_out_loads_grow(gfab_out_loads *loads, gfab_out_tree *tree, bool inwards)
{
    const size_t members = gfab_topology_member_count(loads->topology);
    size_t count = 0, found = !gfab_topology_is_relay(loads->topology, tree->root);
    uint32_t reached = 0;
    memset(tree->parent, 0xff, loads->n * sizeof *tree->parent);
    memset(tree->depth, 0xff, loads->n * sizeof *tree->depth);
    tree->depth[tree->root] = 0;
    loads->order[reached++] = tree->root;
    offer_arcs(loads, tree, inwards, tree->root, &count);
    while (found < members && count > 0) {
        const gfab_arc arc = gfab_heap_pop(loads->heap, &count).item;
        const uint32_t from = gfab_topology_arc_from(loads->topology, arc ^ inwards),
                       to = gfab_topology_arc_from(loads->topology, arc ^ !inwards);
        if (tree->depth[to] != NONE)
            continue;
        tree->parent[to] = arc;
        tree->depth[to] = tree->depth[from] + 1;
        loads->order[reached++] = to;
        found += !gfab_topology_is_relay(loads->topology, to);
        offer_arcs(loads, tree, inwards, to, &count);
    }
    return prune(loads, tree, inwards, reached);
}

void gfab_out_loads_take(gfab_out_loads *loads, const gfab_out_tree *tree)
{
    for (uint32_t v = 0; v < loads->n; v++)
        if (tree->parent[v] != NONE)
            loads->load[tree->parent[v]]--;
}

void gfab_out_loads_put(gfab_out_loads *loads, const gfab_out_tree *tree)
{
    for (uint32_t v = 0; v < loads->n; v++)
        if (tree->parent[v] != NONE)
            loads->load[tree->parent[v]]++;
}

uint32_t gfab_out_loads_rounds(const gfab_out_loads *loads)
{
    uint32_t most = 1;
    for (gfab_arc arc = 0; arc < loads->arcs; arc++) {
        const uint32_t weight = gfab_topology_arc_weight(loads->topology, arc), load = loads->load[arc],
                       both = loads->half ? load + loads->load[arc ^ 1] : 0,
                       of_both = gfab_topology_weight(loads->topology, arc / 2),
                       rounds = load ? (load + weight - 1) / weight : 0, shared = (both + of_both - 1) / of_both;
        most = rounds > most ? rounds : most;
        most = shared > most ? shared : most;
    }
    return most;
}

gfab_status gfab_out_share_loads(const gfab_topology *topology, gfab_out_balance how, gfab_out_supply supply,
                                 uint32_t *period, const gfab_out_growth *growth, gfab_out_forest *forest)
{
    const uint32_t least = *period;
    GFAB_AT_END(gfab_out_loads_release) gfab_out_loads loads = {0};
    gfab_status status = gfab_out_loads_create(topology, how.half, least, growth->random, &loads);
    *forest = (gfab_out_forest){.nodes = loads.n, .cells = loads.n};
    for (uint32_t v = 0; v < loads.n; v++)
        for (uint32_t i = 0; i < supply[v] && status == GFAB_OK; i++)
            status = gfab_out_forest_add(forest, v, 1);
    for (uint32_t pass = 0; pass < PASSES && status == GFAB_OK; pass++) {
        loads.flat = how.even ? pass : 0;
        for (uint32_t t = 0; t < forest->count && status == GFAB_OK; t++) {
            if (pass)
                gfab_out_loads_take(&loads, &forest->trees[t]);
            gfab_out_loads_grow(&loads, &forest->trees[t], false);
            *growth->work += loads.arcs;
            status = gfab_solver_report(growth->options, "trees", (uint64_t)pass * forest->count + t,
                                        (uint64_t)PASSES * forest->count);
        }
        const uint32_t rounds = gfab_out_loads_rounds(&loads);
        *period = rounds > least ? rounds : least;
        if (*period <= least + least / NEAR_PART)
            break;
    }
    return status;
}
