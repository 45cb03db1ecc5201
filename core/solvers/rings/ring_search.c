/* SPDX-License-Identifier: MIT */
/* Rings of any graph. Links are given directions, along trails that leave each node as often as they enter it, give or
 * take one; factors are perfect matchings of the nodes as they are left and as they are entered (Petersen 1891); and
 * switches make each factor one cycle. Directed, both ways of a link are arcs of their own. A switch of two directed
 * factors changes the parity of both permutations. So where no arc is spare it never changes that of their product, and
 * factors whose product has the wrong one are drawn anew. No three factors of hypercube:3 that were drawn have had the
 * right one. */
#include "rings_internal.h"

#include "base/progress.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_RINGS_NONE
#define DRAWS 16u
#define TRIES 4u                 /* of draws whose parity fits */
#define WORK ((uint64_t)1 << 20) /* nodes counted in a try */
#define MANY 16u                 /* factors: more of them take longer */
#define MAX_ARCS ((uint64_t)1 << 20)

typedef struct search {
    const gfab_topology *topology;
    const gfab_rings_options *options;
    uint32_t nodes, count;
    bool directed;
    uint64_t random;
    gfab_ring_factors f; /* of the graph, or of its arcs */
    uint32_t *out, *in;  /* [nodes]: edges of the colour that leave it, that enter it */
    uint32_t *came;      /* [nodes]: by which edge it is entered on a way, */
    uint32_t *back;      /* and by which one gone back to */
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
    GFAB_FREED bool *gone = calloc(f->edges, sizeof *gone);
    GFAB_NEED(gone);
    for (uint32_t v = 0; v < s->nodes; v++) { /* trails with an end first */
        const uint32_t degree = f->first[v + 1] - f->first[v];
        if (degree % 2)
            go_along(s, v, f->around[f->first[v + 1] - 1], gone);
    }
    for (uint32_t e = 0; e < f->edges; e++)
        go_along(s, f->end[2 * e], e, gone);
    return GFAB_OK;
}

/* ---- matchings ---- */

/* The node that the edge leaves, and the one that it enters. */
static uint32_t leaves(const search *s, uint32_t edge)
{
    return s->f.end[2 * edge + (!s->directed && s->turned[edge])];
}

static uint32_t enters(const search *s, uint32_t edge)
{
    return s->f.end[2 * edge + !(!s->directed && s->turned[edge])] - (s->directed ? s->nodes : 0);
}

/* A way has been found that enters this node: its edges change colours by turns. Those that lose the new one first, so
 * that there is always room for it. */
static void repaint(search *s, uint32_t start, uint32_t end, uint32_t from, uint32_t to)
{
    for (uint32_t entered = end, left; (left = leaves(s, s->came[entered])) != start;) {
        const uint32_t back = s->back[left];
        gfab_ring_factors_paint(&s->f, back, from);
        entered = enters(s, back);
    }
    for (uint32_t entered = end;;) {
        const uint32_t edge = s->came[entered], left = leaves(s, edge);
        gfab_ring_factors_paint(&s->f, edge, to);
        if (left == start)
            break;
        entered = enters(s, s->back[left]);
    }
    s->out[start]++;
    s->in[end]++;
}

/* One edge more of colour `to` that leaves this node, of those of colour `from`, by the shortest way on which edges
 * gain and lose the colour by turns; every node may be entered by so many. */
static bool augment(search *s, uint32_t start, uint32_t most, uint32_t from, uint32_t to)
{
    const gfab_ring_factors *f = &s->f;
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < s->nodes; v++)
        s->came[v] = s->back[v] = NONE;
    s->queue[tail++] = start;
    while (head < tail) {
        const uint32_t node = s->queue[head++];
        for (uint32_t i = f->first[node]; i < f->first[node + 1]; i++) {
            const uint32_t edge = f->around[i], entered = enters(s, edge);
            if (f->colour[edge] != from || leaves(s, edge) != node || s->came[entered] != NONE)
                continue;
            s->came[entered] = edge;
            if (s->in[entered] < most) {
                repaint(s, start, entered, from, to);
                return true;
            }
            const uint32_t spot = entered + (s->directed ? s->nodes : 0);
            for (uint32_t k = f->first[spot]; k < f->first[spot + 1]; k++) {
                const uint32_t other = f->around[k], left = leaves(s, other);
                if (f->colour[other] != to || enters(s, other) != entered || left == start || s->back[left] != NONE)
                    continue;
                s->back[left] = other;
                s->queue[tail++] = left;
            }
        }
    }
    return false;
}

/* So many edges of colour `to` out of and into every node, of those of colour `from`, if there are. */
static bool choose(search *s, uint32_t each, uint32_t from, uint32_t to)
{
    memset(s->out, 0, 2 * (size_t)s->nodes * sizeof *s->out); /* and in, behind it */
    for (uint32_t v = 0; v < s->nodes; v++)
        for (uint32_t i = 0; i < each; i++)
            if (!augment(s, v, each, from, to))
                return false;
    return true;
}

/* Factors; *found says whether there are so many: edges for all of them, which can then always be shared out (Koenig
 * 1916). */
static gfab_status draw_factors(search *s, bool *found)
{
    gfab_ring_factors *f = &s->f;
    const uint32_t chosen = s->count + 1;
    for (uint32_t e = 0; e < f->edges; e++)
        gfab_ring_factors_paint(f, e, s->count);
    for (uint32_t v = 0; v < f->spots; v++)
        shuffle(f->around + f->first[v], f->first[v + 1] - f->first[v], &s->random);
    if (!s->directed)
        GFAB_TRY(give_directions(s));
    *found = choose(s, s->count, s->count, chosen);
    for (uint32_t c = 0; c < s->count && *found; c++) {
        *found = choose(s, 1, chosen, c);
        if (*found)
            gfab_ring_factors_count(f, c);
    }
    return GFAB_OK;
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
    GFAB_NEED(end);
    for (uint32_t e = 0; e < edges; e++) {
        const gfab_arc arc = s->directed ? e : 2 * e;
        end[2 * e] = gfab_topology_arc_from(s->topology, arc);
        end[2 * e + 1] = gfab_topology_arc_to(s->topology, arc) + (s->directed ? s->nodes : 0);
    }
    s->out = malloc(5 * (size_t)s->nodes * sizeof *s->out);
    s->turned = calloc((size_t)edges + 1, sizeof *s->turned);
    const gfab_status status = gfab_ring_factors_create(s->nodes, s->count, s->directed, end, edges, &s->f);
    GFAB_NEED(s->out && s->turned);
    s->in = s->out + s->nodes;
    s->came = s->in + s->nodes;
    s->back = s->came + s->nodes;
    s->queue = s->back + s->nodes;
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
    const uint64_t work = WORK * (1 + count / MANY) * (options->effort ? options->effort : 1);
    uint32_t tries = 0;
    for (uint32_t i = 0; i < DRAWS && tries < TRIES && status == GFAB_OK && !all; i++) {
        gfab_rings_options again = *options;
        again.seed = gfab_random(&s.random);
        bool found;
        status = draw_factors(&s, &found);
        const bool fits = status == GFAB_OK && found && parity_fits(&s);
        tries += fits;
        if (fits)
            status = gfab_ring_switches(&s.f, work, &again, &all);
        GFAB_THEN(status, gfab_progress_report(options->progress, "draws of rings", i, DRAWS));
    }
    if (all)
        status = gfab_ring_factors_rings(&s.f, rings);
    rings->how = "a search";
    gfab_ring_factors_release(&s.f);
    GFAB_FREE(s.out, s.turned);
    return status;
}
