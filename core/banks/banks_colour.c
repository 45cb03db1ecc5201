/* SPDX-License-Identifier: MIT */
/* A colouring of a graph with so many colours: tokens that meet are in different banks. */
#include "banks_internal.h"

#include "base/random.h"

#include <string.h>

#define NONE UINT32_MAX

/* The colour of each vertex that most of its edges' other ends have least: greedy by falling degree, then min-conflicts
 * moves with a tabu list (Hertz & de Werra, Using tabu search techniques for graph coloring, 1987). */
typedef struct tabu {
    gfab_banks_graph graph;
    uint32_t *colour;
    uint32_t *alike; /* [v * colours + c]: neighbours of v with colour c */
    uint32_t *until; /* [v]: no move before */
} tabu;

static bool may_have(const tabu *t, size_t v, uint32_t colour)
{
    return !t->graph.allowed || t->graph.allowed[v] >> colour & 1;
}

static void paint(tabu *t, size_t v, uint32_t colour)
{
    for (size_t e = t->graph.first[v]; e < t->graph.first[v + 1]; e++) {
        uint32_t *alike = &t->alike[(size_t)t->graph.edges[e] * t->graph.colours];
        if (t->colour[v] != NONE)
            alike[t->colour[v]]--;
        alike[colour]++;
    }
    t->colour[v] = colour;
}

static uint32_t least_alike(const tabu *t, size_t v)
{
    uint32_t best = NONE;
    for (uint32_t c = 0; c < t->graph.colours; c++)
        if (may_have(t, v, c) &&
            (best == NONE || t->alike[v * t->graph.colours + c] < t->alike[v * t->graph.colours + best]))
            best = c;
    return best;
}

/* The move that leaves fewest conflicts; false where none is allowed. */
static bool find_move(const tabu *t, uint64_t *random, uint32_t step, size_t *vertex, uint32_t *colour, bool *clean)
{
    int64_t best = INT64_MAX;
    uint32_t ties = 0;
    *clean = true;
    for (size_t v = 0; v < t->graph.count; v++) {
        const uint32_t *alike = &t->alike[v * t->graph.colours];
        if (alike[t->colour[v]] == 0)
            continue;
        *clean = false;
        for (uint32_t c = 0; c < t->graph.colours && t->until[v] <= step; c++) {
            const int64_t change = (int64_t)alike[c] - alike[t->colour[v]];
            if (c == t->colour[v] || change > best || !may_have(t, v, c))
                continue;
            ties = change < best ? 1 : ties + 1;
            best = change;
            if (ties == 1 || gfab_random_below(random, ties) == 0) {
                *vertex = v;
                *colour = c;
            }
        }
    }
    return best != INT64_MAX;
}

bool gfab_banks_colour(const gfab_banks_graph *graph, uint32_t *colour, uint32_t *scratch)
{
    const size_t count = graph->count, *first = graph->first;
    tabu t = {*graph, colour, scratch, scratch + count * graph->colours};
    uint64_t random = 1;
    memset(scratch, 0, count * (graph->colours + 1) * sizeof *scratch);
    for (size_t v = 0; v < count; v++)
        colour[v] = NONE;
    for (size_t left = count; left > 0; left--) { /* the most edges first */
        size_t next = count;
        for (size_t v = 0; v < count; v++)
            if (colour[v] == NONE && (next == count || first[v + 1] - first[v] > first[next + 1] - first[next]))
                next = v;
        paint(&t, next, least_alike(&t, next));
    }
    for (uint32_t step = 0; step < 50 * count + 1000; step++) {
        size_t v;
        uint32_t c;
        bool clean;
        const bool found = find_move(&t, &random, step, &v, &c, &clean);
        if (clean)
            return true;
        if (!found)
            continue;
        t.until[v] = step + 5 + gfab_random_below(&random, 8);
        paint(&t, v, c);
    }
    return false;
}
