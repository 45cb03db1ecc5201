/* SPDX-License-Identifier: MIT */
/* Factors of a graph: edges in colours, of which every node has two. */
#include "rings_internal.h"

#include <stdlib.h>

#define NONE GFAB_RINGS_NONE

gfab_status gfab_rings_create(uint32_t count, uint32_t nodes, gfab_rings *rings)
{
    *rings = (gfab_rings){.count = count, .nodes = nodes};
    rings->node = malloc((size_t)count * nodes * sizeof *rings->node);
    return rings->node ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

void gfab_rings_release(gfab_rings *rings)
{
    free(rings->node);
    *rings = (gfab_rings){0};
}

gfab_status gfab_ring_factors_create(uint32_t nodes, uint32_t count, bool directed, uint32_t *end, uint32_t edges,
                                     gfab_ring_factors *f)
{
    const uint32_t spots = directed ? 2 * nodes : nodes;
    *f = (gfab_ring_factors){
        .nodes = nodes, .spots = spots, .count = count, .edges = edges, .directed = directed, .end = end};
    f->colour = gfab_arena_zeroed(&f->arena, ((size_t)edges + 1), sizeof *f->colour);
    f->at = gfab_arena_zeroed(&f->arena, 2 * ((size_t)count * spots + 1), sizeof *f->at);
    f->first = gfab_arena_zeroed(&f->arena, (size_t)spots + 2, sizeof *f->first);
    f->around = gfab_arena_zeroed(&f->arena, 2 * ((size_t)edges + 1), sizeof *f->around);
    f->cycles = gfab_arena_zeroed(&f->arena, (size_t)count + 1, sizeof *f->cycles);
    GFAB_ARRAYS(&f->arena, ((size_t)count * nodes + 1), f->cycle, f->place);
    GFAB_NEED(!f->arena.failed);
    for (uint32_t e = 0; e < edges; e++)
        f->colour[e] = count;
    for (size_t i = 0; i < 2 * (size_t)count * spots; i++)
        f->at[i] = NONE;
    for (uint32_t i = 0; i < 2 * edges; i++)
        f->first[end[i] + 2]++;
    for (uint32_t v = 0; v < spots; v++)
        f->first[v + 2] += f->first[v + 1];
    for (uint32_t i = 0; i < 2 * edges; i++)
        f->around[f->first[end[i] + 1]++] = i / 2;
    return GFAB_OK;
}

void gfab_ring_factors_release(gfab_ring_factors *f)
{
    free(f->end);
    gfab_arena_release(&f->arena);
    *f = (gfab_ring_factors){0};
}

static uint32_t *slots(const gfab_ring_factors *f, uint32_t colour, uint32_t spot)
{
    return f->at + 2 * ((size_t)colour * f->spots + spot);
}

void gfab_ring_factors_paint(gfab_ring_factors *f, uint32_t edge, uint32_t colour)
{
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t spot = f->end[2 * edge + i], old = f->colour[edge];
        if (old < f->count) {
            uint32_t *s = slots(f, old, spot);
            s[0] = s[0] == edge ? s[1] : s[0];
            s[1] = NONE;
        }
        if (colour < f->count) {
            uint32_t *s = slots(f, colour, spot);
            s[s[0] != NONE] = edge;
        }
    }
    f->colour[edge] = colour;
}

/* Along the edge, from the node that it is entered from; undirected it may be gone along either way. */
static uint32_t other_end(const gfab_ring_factors *f, uint32_t edge, uint32_t from)
{
    const uint32_t to = f->end[2 * edge + (f->end[2 * edge] == from)];
    return f->directed ? to - f->nodes : to;
}

/* The edge of the cycle behind this one. */
static uint32_t next_edge(const gfab_ring_factors *f, uint32_t colour, uint32_t edge, uint32_t node)
{
    const uint32_t *s = slots(f, colour, node);
    return s[!f->directed && s[0] == edge];
}

void gfab_ring_factors_count(gfab_ring_factors *f, uint32_t colour)
{
    uint32_t *cycle = f->cycle + (size_t)colour * f->nodes, *place = f->place + (size_t)colour * f->nodes;
    f->work += f->nodes;
    f->cycles[colour] = 0;
    for (uint32_t v = 0; v < f->nodes; v++)
        cycle[v] = NONE;
    for (uint32_t start = 0; start < f->nodes; start++) {
        if (cycle[start] != NONE)
            continue;
        f->cycles[colour]++;
        uint32_t node = start, edge = slots(f, colour, start)[0], count = 0;
        do {
            cycle[node] = start;
            place[node] = count++;
            node = other_end(f, edge, node);
            edge = next_edge(f, colour, edge, node);
        } while (node != start);
    }
}

gfab_status gfab_ring_factors_rings(const gfab_ring_factors *f, gfab_rings *rings)
{
    GFAB_TRY(gfab_rings_create(f->count, f->nodes, rings));
    for (uint32_t c = 0; c < f->count; c++) {
        uint32_t node = 0, edge = slots(f, c, 0)[0];
        for (uint32_t i = 0; i < f->nodes; i++) {
            rings->node[(size_t)c * f->nodes + i] = node;
            node = other_end(f, edge, node);
            edge = next_edge(f, c, edge, node);
        }
    }
    return GFAB_OK;
}
