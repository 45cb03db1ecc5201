/* SPDX-License-Identifier: MIT */
/* A heavy matching of a small graph, quickly. A beam search asks for some hundred thousand of them, of graphs of a few
 * dozen links with weights that are drawn; the heaviest one, by LEMON, is not worth its price there. Here each node in
 * turn leaves its mate and takes the alternating path that gains most: at worst it gets its mate back. Paths are found
 * by correcting labels, as shortest ones are (Bellman 1958, Ford 1956). Of two mates only the one that is come to first
 * is passed on from, and few nodes are in all: a path may be missed so, and that is what makes it quick. Example: on
 * path:4 with links of weights 2, 3 and 2 node 0 takes 1. Node 1 leaves it and takes 2, as 3 is more than 2. Node 2
 * leaves 1 and takes it again, as the last link is no heavier. Node 3 gains 2 - 3 + 2 by taking 2, from which node 1
 * goes back to 0: 4, the heaviest. */
#include "beam.h"

#include "flow/lemon_matching.h"

#define PASSES 2u
#define STEPS 8u /* nodes that a search for a path goes on from */

/* Is a node on the path that comes to another one? */
static bool is_behind(const gfab_beam *b, uint32_t start, uint32_t node, uint32_t x)
{
    while (x != start && x != node)
        x = b->path[x].from;
    return x == node;
}

/* Changes mates along the path from its end, which gets a new one or none, back to its start. */
static void flip(gfab_beam *b, uint32_t start, uint32_t end, uint32_t partner, int64_t weight)
{
    for (uint32_t x = end;; x = b->path[x].from) {
        const uint32_t before = b->mate[x];
        const int64_t next = b->path[x].weight;
        b->mate[x] = partner;
        b->paired[x] = weight;
        if (partner != GFAB_NO_MATE) {
            b->mate[partner] = x;
            b->paired[partner] = weight;
        }
        if (x == start)
            return;
        partner = before;
        weight = next;
    }
}

/* The path from a node without a mate that gains most; none where none gains anything. */
static void improve(gfab_beam *b, uint32_t start)
{
    uint32_t head = 0, tail = 0, end = start, partner = GFAB_NO_MATE;
    uint64_t waits = 0;
    int64_t best = 0, last = 0;
    for (uint32_t v = 0; v < b->nodes; v++)
        b->path[v].gain = INT64_MIN;
    b->path[start].gain = 0;
    b->queue[tail++] = start;
    for (uint32_t steps = 0; head != tail && steps < STEPS; steps++) {
        const uint32_t x = b->queue[head++ % GFAB_BEAM_NODES];
        waits &= ~((uint64_t)1 << x);
        for (uint32_t i = b->first[x]; i < b->first[x + 1]; i++) {
            const int64_t weight = (int64_t)b->heavy[b->leaving[i] / 2];
            const uint32_t y = b->ends[b->leaving[i] ^ 1], z = b->mate[y];
            if (weight == 0 || b->path[y].gain > INT64_MIN)
                continue;
            const bool is_free = z == GFAB_NO_MATE;
            const int64_t gain = b->path[x].gain + weight - (is_free ? 0 : b->paired[y]);
            if (gain <= (is_free ? best : b->path[z].gain) || (!is_free && is_behind(b, start, z, x)))
                continue;
            if (gain > best) {
                best = gain;
                end = is_free ? x : z;
                partner = is_free ? y : GFAB_NO_MATE;
                last = is_free ? weight : 0;
            }
            if (is_free)
                continue;
            b->path[z] = (gfab_beam_path){gain, weight, x};
            if (!(waits >> z & 1))
                b->queue[tail++ % GFAB_BEAM_NODES] = z;
            waits |= (uint64_t)1 << z;
        }
    }
    if (best > 0)
        flip(b, start, end, partner, last);
}

void gfab_beam_match(gfab_beam *b)
{
    bool changed = true;
    for (uint32_t v = 0; v < b->nodes; v++)
        b->mate[v] = GFAB_NO_MATE;
    for (uint32_t pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        for (uint32_t v = 0; v < b->nodes; v++) {
            const uint32_t mate = b->mate[v];
            if (mate != GFAB_NO_MATE)
                b->mate[v] = b->mate[mate] = GFAB_NO_MATE;
            improve(b, v);
            changed = changed || b->mate[v] != mate;
        }
    }
}
