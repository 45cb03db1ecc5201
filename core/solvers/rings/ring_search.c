/* SPDX-License-Identifier: MIT */
/* Rings of any graph. Links are given directions, along trails that leave each node as often as they enter it, give or
 * take one; factors are perfect matchings of the nodes as they are left and as they are entered (Petersen 1891); and
 * switches make each factor one cycle. Directed, both ways of a link are arcs of their own. A switch of two directed
 * factors changes the parity of both permutations. So where no arc is spare it never changes that of their product, and
 * factors whose product has the wrong one are drawn anew: as is told of hypercube:3, whose three factors never have the
 * right one. */
#include "rings_internal.h"

#include "base/progress.h"
#include "base/random.h"

#include <stdlib.h>

#define NONE GFAB_RINGS_NONE
#define DRAWS 16u
#define TRIES 3u                 /* of draws whose parity fits */
#define WORK ((uint64_t)1 << 20) /* nodes counted in a try */
#define MAX_ARCS ((uint64_t)1 << 20)

typedef struct search {
    const gfab_topology *topology;
    const gfab_rings_options *options;
    uint32_t nodes, count;
    bool directed;
    uint64_t random;
    gfab_ring_factors f; /* of the graph, or of its arcs */
    uint32_t *match;     /* [2 * nodes]: the edge of the matching at a node as it is left; as it is entered */
    uint32_t *came;      /* [nodes]: by which edge it is entered on a way */
    uint32_t *queue;     /* [nodes] */
    bool *turned;        /* [edges]: it leaves its other end */
} search;

static void shuffle(uint32_t *items, uint32_t count, uint64_t *random)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = gfab_random_below(random, i), item = items[j];
        items[j] = items[i - 1];
        items[i - 1] = item;
    }
}

/* ---- directions ---- */

/* The edge behind this one on the trail through the node: edges at a node are taken two by two. */
static uint32_t partner(const gfab_ring_factors *f, uint32_t node, uint32_t edge)
{
    uint32_t i = f->first[node];
    while (f->around[i] != edge)
        i++;
    const uint32_t at = (i - f->first[node]) ^ 1;
    return f->first[node] + at < f->first[node + 1] ? f->around[f->first[node] + at] : NONE;
}

/* All edges of the trail that goes on from the node by the edge, until one that has been gone. */
static void go_along(search *s, uint32_t node, uint32_t edge, bool *gone)
{
    while (edge != NONE && !gone[edge]) {
        gone[edge] = true;
        s->turned[edge] = s->f.end[2 * edge] != node;
        node = s->f.end[2 * edge + (s->f.end[2 * edge] == node)];
        edge = partner(&s->f, node, edge);
    }
}

static gfab_status give_directions(search *s)
{
    const gfab_ring_factors *f = &s->f;
    bool *gone = calloc(f->edges, sizeof *gone);
    if (!gone)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; v < s->nodes; v++) { /* trails with an end first */
        const uint32_t degree = f->first[v + 1] - f->first[v];
        if (degree % 2)
            go_along(s, v, f->around[f->first[v + 1] - 1], gone);
    }
    for (uint32_t e = 0; e < f->edges; e++)
        go_along(s, f->end[2 * e], e, gone);
    free(gone);
    return GFAB_OK;
}

/* ---- matchings ---- */

/* The node that the edge enters, where it leaves this one and no factor has it; else NONE. */
static uint32_t enters(const search *s, uint32_t node, uint32_t edge)
{
    const uint32_t *end = s->f.end + 2 * edge;
    if (s->f.colour[edge] != s->count || end[!s->directed && s->turned[edge]] != node)
        return NONE;
    return s->directed ? end[1] - s->nodes : end[!s->turned[edge]];
}

/* One edge more, from this node on: a way on which edges are new and matched by turns, the shortest. */
static bool augment(search *s, uint32_t start)
{
    const gfab_ring_factors *f = &s->f;
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < s->nodes; v++)
        s->came[v] = NONE;
    s->queue[tail++] = start;
    while (head < tail) {
        const uint32_t node = s->queue[head++];
        for (uint32_t i = f->first[node]; i < f->first[node + 1]; i++) {
            const uint32_t edge = f->around[i], to = enters(s, node, edge);
            if (to == NONE || s->came[to] != NONE)
                continue;
            s->came[to] = edge;
            const uint32_t matched = s->match[s->nodes + to];
            if (matched != NONE) {
                s->queue[tail++] = f->end[2 * matched + (!s->directed && s->turned[matched])];
                continue;
            }
            for (uint32_t entered = to, next; entered != NONE; entered = next) {
                const uint32_t by = s->came[entered], from = f->end[2 * by + (!s->directed && s->turned[by])];
                const uint32_t old = s->match[from];
                next = old == NONE ? NONE : enters(s, from, old);
                s->match[from] = s->match[s->nodes + entered] = by;
            }
            return true;
        }
    }
    return false;
}

/* Factors, one after the other; *found says whether there were so many. */
static gfab_status draw_factors(search *s, bool *found)
{
    gfab_ring_factors *f = &s->f;
    gfab_status status = GFAB_OK;
    for (uint32_t e = 0; e < f->edges; e++)
        gfab_ring_factors_paint(f, e, s->count);
    for (uint32_t v = 0; v < f->vertices; v++)
        shuffle(f->around + f->first[v], f->first[v + 1] - f->first[v], &s->random);
    if (!s->directed)
        status = give_directions(s);
    *found = status == GFAB_OK;
    for (uint32_t c = 0; c < s->count && *found; c++) {
        for (uint32_t i = 0; i < 2 * s->nodes; i++)
            s->match[i] = NONE;
        for (uint32_t v = 0; v < s->nodes && *found; v++)
            *found = augment(s, v);
        for (uint32_t v = 0; v < s->nodes && *found; v++)
            gfab_ring_factors_paint(f, s->match[v], c);
        if (*found)
            gfab_ring_factors_count(f, c);
    }
    return status;
}

/* Can switches make all of these permutations single cycles, as far as parity tells? */
static bool parity_fits(const search *s)
{
    uint32_t odd = 0;
    for (uint32_t c = 0; c < s->count; c++)
        odd += s->f.cycles[c] - 1;
    return !s->directed || s->count * s->nodes < s->f.edges || odd % 2 == 0;
}

/* ---- the search ---- */

static gfab_status create(search *s)
{
    const uint32_t links = (uint32_t)gfab_topology_link_count(s->topology), edges = s->directed ? 2 * links : links;
    uint32_t *end = malloc(2 * ((size_t)edges + 1) * sizeof *end);
    if (!end)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t e = 0; e < edges; e++) {
        const gfab_arc arc = s->directed ? e : 2 * e;
        end[2 * e] = gfab_topology_arc_from(s->topology, arc);
        end[2 * e + 1] = gfab_topology_arc_to(s->topology, arc) + (s->directed ? s->nodes : 0);
    }
    s->match = malloc(4 * (size_t)s->nodes * sizeof *s->match);
    s->turned = calloc((size_t)edges + 1, sizeof *s->turned);
    const gfab_status status = gfab_ring_factors_create(s->nodes, s->count, s->directed, end, edges, &s->f);
    if (!s->match || !s->turned)
        return GFAB_ERR_NO_MEMORY;
    s->came = s->match + 2 * (size_t)s->nodes;
    s->queue = s->came + s->nodes;
    return status;
}

gfab_status gfab_rings_search(const gfab_topology *topology, uint32_t count, bool directed,
                              const gfab_rings_options *options, gfab_rings *rings)
{
    search s = {.topology = topology,
                .options = options,
                .nodes = (uint32_t)gfab_topology_node_count(topology),
                .count = count,
                .directed = directed,
                .random = options->seed};
    *rings = (gfab_rings){0};
    if (gfab_topology_link_count(topology) * 2 * count > MAX_ARCS)
        return GFAB_OK;
    gfab_status status = create(&s);
    bool all = false;
    uint32_t tries = 0;
    for (uint32_t i = 0; i < DRAWS && tries < TRIES && status == GFAB_OK && !all; i++) {
        gfab_rings_options again = *options;
        again.seed = gfab_random(&s.random);
        bool found;
        status = draw_factors(&s, &found);
        const bool fits = status == GFAB_OK && found && parity_fits(&s);
        tries += fits;
        if (fits)
            status = gfab_ring_switches(&s.f, WORK * (options->effort ? options->effort : 1), &again, &all);
        if (status == GFAB_OK)
            status = gfab_progress_report(options->progress, "draws of rings", i, DRAWS);
    }
    if (all)
        status = gfab_ring_factors_rings(&s.f, rings);
    rings->how = "a search";
    gfab_ring_factors_release(&s.f);
    free(s.match);
    free(s.turned);
    return status;
}
