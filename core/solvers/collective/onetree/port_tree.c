/* SPDX-License-Identifier: MIT */
/* The colours and rounds of one spanning tree in which each node uses one link at a time. Each edge has one round of
 * the period, its colour, and edges at a node differ: as a tree is bipartite, as many colours do as its busiest node
 * has edges (Konig 1916). A block goes over an edge in the first round of that edge's colour in which it can, and the
 * next block does the same a period later, so that P (B - 1) + L rounds carry B blocks, L being the last round of the
 * first.
 *
 * The colours decide L. A search changes them by exchanging two colours along the edges that have them (Kempe's
 * chains); this file makes the changes and counts L, the search is one_tree.c's. docs/theory/long-vectors/one-tree.md.
 */
#include "port_tree.h"

#include "base/random.h"

#define NONE GFAB_PORT_TREE_NONE

gfab_status gfab_port_tree_create(const gfab_topology *topology, const gfab_model *model, gfab_collective collective,
                                  uint64_t seed, gfab_port_tree *t)
{
    const bool full = model->link_mode == GFAB_LINK_FULL;
    *t = (gfab_port_tree){.topology = topology,
                          .nodes = (uint32_t)gfab_topology_node_count(topology),
                          .links = (uint32_t)gfab_topology_link_count(topology),
                          .hop = model->hop_rounds,
                          .up = collective != GFAB_BROADCAST,
                          .down = collective != GFAB_REDUCE,
                          .most = (uint32_t)gfab_topology_max_degree(topology),
                          .random = seed};
    t->exchanges = full && t->up && t->down;
    t->slots = t->up && t->down && !full ? 2 : 1;
    const size_t n = t->nodes;
    GFAB_ARRAYS(&t->arena, n, t->link, t->degree);
    t->at = gfab_arena_zeroed2(&t->arena, n, t->most, sizeof *t->at);
    t->colour = gfab_arena_zeroed2(&t->arena, 2, n, sizeof *t->colour);
    t->slot = gfab_arena_zeroed(&t->arena, n * 2 * t->most, sizeof *t->slot);
    GFAB_ARRAYS(&t->arena, n, t->order, t->parent, t->rise, t->fall);
    t->chain = gfab_arena_zeroed2(&t->arena, 2, n, sizeof *t->chain);
    t->part = gfab_arena_zeroed(&t->arena, n, sizeof *t->part);
    const bool all = !t->arena.failed;
    return all ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

void gfab_port_tree_hang(gfab_port_tree *t, uint32_t root)
{
    uint32_t count = 1;
    t->root = t->order[0] = root;
    t->parent[root] = NONE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = t->order[i];
        for (uint32_t k = 0; k < t->degree[v]; k++) {
            const uint32_t edge = t->at[(size_t)v * t->most + k];
            if (edge == t->parent[v])
                continue;
            const uint32_t child = gfab_port_tree_other(t, edge, v);
            t->parent[child] = edge;
            t->order[count++] = child;
        }
    }
}

/* ---- colours ---- */

static void give(gfab_port_tree *t, uint32_t slot, uint32_t colour)
{
    const gfab_link ends = gfab_topology_link(t->topology, t->link[slot / 2]);
    t->colour[slot] = colour;
    for (int i = 0; i < 2; i++)
        t->slot[(size_t)ends.node[i] * t->period + colour] = slot;
}

/* From the root outwards: a node's slots but for those towards the root are the first ones of the nodes beyond, so that
 * any colours that the node has left will do. */
void gfab_port_tree_paint(gfab_port_tree *t, uint32_t period)
{
    t->period = period;
    t->shift = 0;
    for (size_t i = 0; i < (size_t)t->nodes * period; i++)
        t->slot[i] = NONE;
    for (uint32_t i = 0; i < t->nodes; i++) {
        const uint32_t v = t->order[i];
        uint32_t colour = gfab_random_below(&t->random, period);
        for (uint32_t k = 0; k < t->degree[v] * t->slots; k++) {
            const uint32_t edge = t->at[(size_t)v * t->most + k / t->slots];
            if (edge == t->parent[v])
                continue;
            while (t->slot[(size_t)v * period + colour] != NONE)
                colour = (colour + 1) % period;
            give(t, 2 * edge + k % t->slots, colour);
        }
    }
}

/* The slots from a node on that have one of two colours by turns, the first one first; they end before that node. */
static uint32_t follow(gfab_port_tree *t, uint32_t node, uint32_t first, uint32_t second, uint32_t count)
{
    const uint32_t start = node, from = count;
    for (uint32_t i = 0;; i++) {
        const uint32_t slot = t->slot[(size_t)node * t->period + (i % 2 ? second : first)];
        if (slot == NONE || (count > from && node == start && i % 2 == 0))
            return count;
        t->chain[count++] = slot;
        node = gfab_port_tree_other(t, slot / 2, node);
        if (node == start)
            return count;
    }
}

void gfab_port_tree_swap(gfab_port_tree *t, uint32_t node, uint32_t a, uint32_t b)
{
    const uint32_t there = follow(t, node, a, b, 0);
    const bool circle = there > 1 && t->chain[there - 1] == t->slot[(size_t)node * t->period + b];
    const uint32_t count = circle ? there : follow(t, node, b, a, there);
    for (uint32_t i = 0; i < count; i++) {
        const gfab_link ends = gfab_topology_link(t->topology, t->link[t->chain[i] / 2]);
        for (int k = 0; k < 2; k++)
            t->slot[(size_t)ends.node[k] * t->period + t->colour[t->chain[i]]] = NONE;
    }
    for (uint32_t i = 0; i < count; i++)
        give(t, t->chain[i], t->colour[t->chain[i]] == a ? b : a);
}

/* ---- rounds ---- */

/* The first round from `ready` on that is the slot's. */
static uint32_t next_of(const gfab_port_tree *t, uint32_t slot, uint32_t ready)
{
    const uint32_t round = 1 + t->colour[slot] + t->shift; /* of the first two periods */
    const uint32_t late = (ready + 2 * t->period - round % t->period) % t->period;
    return late ? ready + t->period - late : ready;
}

/* Upwards. Returns the round from which the root has the total; *late gets the child of the root that comes last, and
 * *others when all but this one have come. */
static uint32_t climb(gfab_port_tree *t, uint32_t *late, uint32_t *others)
{
    uint32_t *ready = t->part;
    *late = NONE;
    *others = 1;
    for (uint32_t v = 0; v < t->nodes; v++)
        ready[v] = 1;
    for (uint32_t i = t->nodes; i-- > 1;) {
        const uint32_t v = t->order[i], above = gfab_port_tree_other(t, t->parent[v], v);
        t->rise[v] = next_of(t, 2 * t->parent[v], ready[v]);
        const uint32_t come = t->rise[v] + t->hop;
        if (above == t->root && come > ready[above]) {
            *others = ready[above];
            *late = v;
        } else if (above == t->root && come > *others) {
            *others = come;
        }
        ready[above] = come > ready[above] ? come : ready[above];
    }
    return ready[t->root];
}

/* Where what the other children bring is there in time the root gives it to the last one in the round in which that
 * one sends. */
uint32_t gfab_port_tree_rounds(gfab_port_tree *t, uint64_t *sum)
{
    uint32_t late = NONE, others = 1, last = 0;
    const uint32_t total = t->up ? climb(t, &late, &others) : 1;
    *sum = 0;
    for (uint32_t i = 1; i < t->nodes; i++) {
        const uint32_t v = t->order[i], above = gfab_port_tree_other(t, t->parent[v], v);
        if (t->down && t->exchanges && v == late && others <= t->rise[v])
            t->fall[v] = t->rise[v];
        else if (t->down)
            t->fall[v] =
                next_of(t, 2 * t->parent[v] + t->slots - 1, above == t->root ? total : t->fall[above] + t->hop);
        else
            t->fall[v] = t->rise[v];
        last = t->fall[v] > last ? t->fall[v] : last;
        *sum += t->fall[v];
    }
    return last;
}

size_t gfab_port_tree_moves(const gfab_port_tree *t, gfab_group_move *moves)
{
    size_t count = 0;
    for (uint32_t i = 1; i < t->nodes; i++) {
        const uint32_t v = t->order[i], link = t->link[t->parent[v]];
        const gfab_arc down = 2 * link + (gfab_topology_arc_to(t->topology, 2 * link) != v);
        if (t->up)
            moves[count++] = (gfab_group_move){t->rise[v], 0 | GFAB_COMBINE, down ^ 1u};
        if (t->down)
            moves[count++] =
                (gfab_group_move){t->fall[v], t->up && t->rise[v] == t->fall[v] ? 0 | GFAB_COMBINE : 0, down};
    }
    return count;
}
