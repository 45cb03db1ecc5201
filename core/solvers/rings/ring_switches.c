/* SPDX-License-Identifier: MIT */
/* Factors become single cycles by switches: a closed trail whose edges are of two colours by turns changes both, and
 * every node keeps two edges of each. One that leaves no more cycles than there were stays, and now and then one that
 * leaves one more. A square whose opposite sides are of one colour is the shortest such trail: on products of cycles
 * there are many, and what one does is seen at a glance, so that most that are tried are no longer. Trails are drawn at
 * random, and so is the colour that is exchanged for one that has several cycles; edges that no factor has are a
 * colour, too. Such exchanges are Kempe's (1879) for edge colourings. */
#include "rings_internal.h"

#include "base/progress.h"
#include "base/random.h"

#define NONE GFAB_RINGS_NONE
#define MAX_TRAIL 256u
#define SQUARE 4u
#define LONGER 8u /* of so many trails one may be longer than a square */
#define AS_MANY 4u
#define ONE_MORE 16u /* of so many trails that leave a cycle more one stays */
#define REPORT 1024u

typedef struct trail {
    uint32_t edges, starts;
    uint32_t edge[MAX_TRAIL];
    uint32_t spot[MAX_TRAIL + 1]; /* [i]: where edge i starts */
} trail;

static bool used(const trail *t, uint32_t edge)
{
    for (uint32_t i = 0; i < t->edges; i++)
        if (t->edge[i] == edge)
            return true;
    return false;
}

/* An edge of the colour at the spot that the trail has not, at random; NONE. */
static uint32_t draw_edge(const gfab_ring_factors *f, const trail *t, uint32_t spot, uint32_t colour, uint64_t *random)
{
    const bool spare = colour == f->count;
    const uint32_t *from = spare ? f->around + f->first[spot] : f->at + 2 * ((size_t)colour * f->spots + spot);
    const uint32_t count = spare ? f->first[spot + 1] - f->first[spot] : f->directed ? 1 : 2;
    const uint32_t shift = gfab_random_below(random, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t edge = from[(i + shift) % count];
        if (edge != NONE && f->colour[edge] == colour && !used(t, edge))
            return edge;
    }
    return NONE;
}

/* Draws a trail of edges of two colours by turns until it comes to a spot that it had come to, an even number of
 * edges before: from there on it is closed. False where it does not. */
static bool draw_trail(const gfab_ring_factors *f, uint32_t one, uint32_t two, uint64_t *random, trail *t)
{
    const uint32_t longest = gfab_random_below(random, LONGER) ? SQUARE : MAX_TRAIL;
    uint32_t spot = gfab_random_below(random, f->spots);
    t->edges = 0;
    while (t->edges < longest) {
        const uint32_t edge = draw_edge(f, t, spot, t->edges % 2 ? two : one, random);
        if (edge == NONE)
            return false;
        t->spot[t->edges] = spot;
        t->edge[t->edges++] = edge;
        spot = f->end[2 * edge + (f->end[2 * edge] == spot)];
        for (uint32_t i = t->edges % 2; i < t->edges; i += 2)
            if (t->spot[i] == spot) {
                t->starts = i;
                return true;
            }
    }
    return false;
}

/* The edges of the closed trail change colours. */
static void turn(gfab_ring_factors *f, const trail *t, uint32_t one, uint32_t two)
{
    uint32_t now[MAX_TRAIL];
    for (uint32_t i = t->starts; i < t->edges; i++) {
        now[i] = f->colour[t->edge[i]] == one ? two : one;
        gfab_ring_factors_paint(f, t->edge[i], f->count);
    }
    for (uint32_t i = t->starts; i < t->edges; i++)
        gfab_ring_factors_paint(f, t->edge[i], now[i]);
}

static void count_both(gfab_ring_factors *f, uint32_t one, uint32_t two)
{
    gfab_ring_factors_count(f, one);
    if (two < f->count)
        gfab_ring_factors_count(f, two);
}

static uint32_t cycles_of(const gfab_ring_factors *f, uint32_t one, uint32_t two)
{
    return f->cycles[one] + (two < f->count ? f->cycles[two] : 0);
}

/* Does the colour's cycle, as it was counted, go along its edge from this node to that one? */
static bool goes(const gfab_ring_factors *f, uint32_t colour, uint32_t from, uint32_t to)
{
    const uint32_t *place = f->place + (size_t)colour * f->nodes;
    return place[to] == place[from] + 1 || (place[to] == 0 && place[from] > 1);
}

/* How many cycles more a colour has when it gives up the edges a b and c d of a square for b c and d a. Two cycles
 * become one; one becomes two where it goes along both edges the same way round the square, as directed it does. */
static int more_cycles(const gfab_ring_factors *f, uint32_t colour, const uint32_t *spot, uint32_t a)
{
    const uint32_t *cycle = f->cycle + (size_t)colour * f->nodes;
    uint32_t node[4];
    if (colour == f->count)
        return 0;
    for (uint32_t i = 0; i < 4; i++)
        node[i] = spot[(a + i) % 4] % f->nodes;
    if (cycle[node[0]] != cycle[node[2]])
        return -1;
    return f->directed || goes(f, colour, node[0], node[1]) == goes(f, colour, node[2], node[3]);
}

/* Of trails that leave as many cycles undirected a part is enough: each costs a walk along them. */
static bool is_good(const gfab_ring_factors *f, int more, uint64_t *random)
{
    const uint32_t rare = f->directed ? 1 : AS_MANY;
    return more < 0 || (more <= 1 && gfab_random_below(random, more == 0 ? rare : rare * ONE_MORE) == 0);
}

/* The closed trail changes colours, if that is good: of a square this is seen beforehand. */
static void try_trail(gfab_ring_factors *f, const trail *t, uint32_t one, uint32_t two, uint64_t *random)
{
    const bool square = t->edges - t->starts == SQUARE;
    const uint32_t *spot = t->spot + t->starts, before = cycles_of(f, one, two);
    const uint32_t first = t->starts % 2 ? two : one, second = t->starts % 2 ? one : two;
    if (square && !is_good(f, more_cycles(f, first, spot, 0) + more_cycles(f, second, spot, 1), random))
        return;
    turn(f, t, one, two);
    count_both(f, one, two);
    if (square || is_good(f, (int)cycles_of(f, one, two) - (int)before, random))
        return;
    turn(f, t, one, two);
    count_both(f, one, two);
}

/* A colour of several cycles; NONE where there is none. */
static uint32_t draw_colour(const gfab_ring_factors *f, uint64_t *random)
{
    const uint32_t shift = gfab_random_below(random, f->count);
    for (uint32_t i = 0; i < f->count; i++)
        if (f->cycles[(i + shift) % f->count] > 1)
            return (i + shift) % f->count;
    return NONE;
}

gfab_status gfab_ring_switches(gfab_ring_factors *f, uint64_t most_work, const gfab_rings_options *options, bool *all)
{
    uint64_t random = options->seed;
    const uint64_t end = most_work < UINT64_MAX - f->work ? f->work + most_work : UINT64_MAX;
    const uint32_t others = f->count + (2 * f->edges > f->count * f->spots * (f->directed ? 1 : 2));
    trail t;
    *all = false;
    for (uint64_t tries = 0; f->work < end; tries++) {
        const uint32_t one = draw_colour(f, &random);
        *all = one == NONE;
        if (*all || others == 1)
            return GFAB_OK;
        uint32_t two = gfab_random_below(&random, others - 1);
        two += two >= one;
        f->work++;
        if (draw_trail(f, one, two, &random, &t))
            try_trail(f, &t, one, two, &random);
        GFAB_TRY(tries % REPORT ? GFAB_OK : gfab_progress_report(options->progress, "switches", f->work, end));
    }
    return GFAB_OK;
}

gfab_status gfab_rings_of_factors(uint32_t nodes, uint32_t count, uint32_t *end, uint64_t most_work,
                                  const gfab_rings_options *options, gfab_rings *rings)
{
    GFAB_AT_END(gfab_ring_factors_release) gfab_ring_factors f = {0};
    bool all = false;
    gfab_status status = gfab_ring_factors_create(nodes, count, false, end, count * nodes, &f);
    for (uint32_t edge = 0; edge < count * nodes && status == GFAB_OK; edge++)
        gfab_ring_factors_paint(&f, edge, edge / nodes);
    for (uint32_t i = 0; i < count && status == GFAB_OK; i++)
        gfab_ring_factors_count(&f, i);
    GFAB_THEN(status, gfab_ring_switches(&f, most_work, options, &all));
    *rings = (gfab_rings){0};
    if (all)
        status = gfab_ring_factors_rings(&f, rings);
    return status;
}
