/* SPDX-License-Identifier: MIT */
/* Rings of products of cycles. The product of two cycles splits into two Hamiltonian cycles (Kotzig 1973), that of a
 * cycle and two that share no edge into three (Foregger 1978; Aubert & Schneider 1982). So a product of d cycles splits
 * into d: take the first half of the axes, and the second one, split both, and join each cycle of the one with one of
 * the other. The squares by which two are joined, and their proof, are ours: docs/theory/rings.md. Where the number of
 * axes is odd a cycle is left over, whose copies are joined by switches. */
#include "rings_internal.h"

#include <stdlib.h>

#define MAX_AXES 32
#define WORK ((uint64_t)1 << 25) /* to join copies: a hundredth is enough up to 1024 nodes */

/* Two factors of the product of a cycle of m nodes and one of n >= m, those of the rows' edges and of the columns'.
 * Node (x, y) is x * n + y. */
typedef struct pair {
    uint32_t m, n;
    uint32_t *next[2]; /* [2 * node]: the two nodes that are next to it */
} pair;

static void replace(uint32_t *next, uint32_t at, uint32_t old, uint32_t now)
{
    next[2 * at + (next[2 * at] != old)] = now;
}

/* The edges of a square change factors: those of rows x and x + 1 from column y on, and those of the two columns. */
static void turn_square(pair *p, uint32_t x, uint32_t y)
{
    const uint32_t below = (x + 1) % p->m, right = (y + 1) % p->n;
    const uint32_t a = x * p->n + y, b = x * p->n + right, c = below * p->n + y, d = below * p->n + right;
    replace(p->next[0], a, b, c);
    replace(p->next[0], b, a, d);
    replace(p->next[0], c, d, a);
    replace(p->next[0], d, c, b);
    replace(p->next[1], a, c, b);
    replace(p->next[1], c, a, d);
    replace(p->next[1], b, d, a);
    replace(p->next[1], d, b, c);
}

/* A square a column: by turns between rows 0 and 1 and rows 1 and 2, then a stair down to the last row. The columns
 * become one cycle, as each is joined with the next; rows too, as the squares between rows 0 and 1 alternate with those
 * between rows 1 and 2. What the parity of the sides is short of, one more square brings whose two sides are gone along
 * the same way, so that it joins nothing and parts nothing. */
static void join(pair *p)
{
    const uint32_t m = p->m, n = p->n, odd = (n - m) % 2;
    const uint32_t squares = odd && m % 2 == 0 ? n : n - 1;
    const uint32_t stair = m - 3, turns = squares - stair - (odd && m % 2);
    for (uint32_t x = 0; x < m; x++)
        for (uint32_t y = 0; y < n; y++) {
            const size_t at = 2 * ((size_t)x * n + y);
            p->next[0][at] = x * n + (y + 1) % n;
            p->next[0][at + 1] = x * n + (y + n - 1) % n;
            p->next[1][at] = (x + 1) % m * n + y;
            p->next[1][at + 1] = (x + m - 1) % m * n + y;
        }
    for (uint32_t y = 0; y < squares; y++)
        turn_square(p, y < turns ? y % 2 : y < turns + stair ? 2 + y - turns : m - 1, y);
}

/* Of a square torus by formula: along a row, but down where row and column add up to the side less 1; and the same with
 * rows and columns exchanged. So a node's place on one ring is its place on the other with a digit for another. */
static void fill_square(uint32_t side, const uint32_t *row, const uint32_t *column, uint32_t *node)
{
    const uint32_t nodes = side * side;
    for (uint32_t k = 0; k < nodes; k++) {
        const uint32_t x = k / side, y = (k % side + side - x) % side;
        node[k] = row[x] * side + column[y];
        node[nodes + k] = row[y] * side + column[x];
    }
}

/* Two rings of the product of ring a of `first` and ring b of `second`, as those of numbers `ring` on. */
static gfab_status join_rings(const gfab_rings *first, uint32_t a, const gfab_rings *second, uint32_t b, uint32_t ring,
                              gfab_rings *rings)
{
    const bool swapped = first->nodes > second->nodes;
    const gfab_rings *rows = swapped ? second : first, *columns = swapped ? first : second;
    const uint32_t *row = rows->node + (size_t)(swapped ? b : a) * rows->nodes;
    const uint32_t *column = columns->node + (size_t)(swapped ? a : b) * columns->nodes;
    pair p = {.m = rows->nodes, .n = columns->nodes};
    if (p.m == p.n) {
        fill_square(p.m, row, column, rings->node + (size_t)ring * rings->nodes);
        return GFAB_OK;
    }
    GFAB_FREED uint32_t *next = malloc(4 * (size_t)rings->nodes * sizeof *next);
    GFAB_NEED(next);
    p.next[0] = next;
    p.next[1] = next + 2 * (size_t)rings->nodes;
    join(&p);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t *node = rings->node + (size_t)(ring + i) * rings->nodes;
        uint32_t at = 0, before = p.next[i][0];
        for (uint32_t k = 0; k < rings->nodes; k++) {
            const uint32_t x = row[at / p.n], y = column[at % p.n];
            node[k] = swapped ? y * second->nodes + x : x * second->nodes + y;
            const uint32_t on = p.next[i][2 * (size_t)at + (p.next[i][2 * (size_t)at] == before)];
            before = at;
            at = on;
        }
    }
    return GFAB_OK;
}

/* The edges of a cycle, or of its copies: of one node in `nodes[0..count-1]` for each, scaled and shifted. */
static uint32_t *put_cycle(uint32_t *end, const uint32_t *nodes, uint32_t count, uint32_t scale, uint32_t shift)
{
    for (uint32_t i = 0; i < count; i++) {
        *end++ = nodes[i] * scale + shift;
        *end++ = nodes[(i + 1) % count] * scale + shift;
    }
    return end;
}

/* rings has all but its last ring, which is to be of the copies of the last ring of `first`, one for each node of
 * `second`. Without it where the copies are not joined in time. */
static gfab_status join_copies(const gfab_rings *first, const gfab_rings *second, const gfab_rings_options *options,
                               gfab_rings *rings)
{
    const uint32_t nodes = rings->nodes, count = rings->count;
    uint32_t *end = malloc(2 * (size_t)count * nodes * sizeof *end), *at = end;
    gfab_rings all;
    GFAB_NEED(end);
    for (uint32_t i = 0; i + 1 < count; i++)
        at = put_cycle(at, rings->node + (size_t)i * nodes, nodes, 1, 0);
    for (uint32_t copy = 0; copy < second->nodes; copy++)
        at = put_cycle(at, first->node + (size_t)(first->count - 1) * first->nodes, first->nodes, second->nodes, copy);
    const gfab_status status = gfab_rings_of_factors(nodes, count, end, WORK, options, &all);
    if (all.count > 0) {
        gfab_rings_release(rings);
        *rings = all;
    } else {
        rings->count--;
    }
    return status;
}

gfab_status gfab_rings_product(const uint32_t *sides, size_t axes, const gfab_rings_options *options, gfab_rings *rings)
{
    const size_t half = (axes + 1) / 2;
    uint32_t nodes = 1;
    for (size_t i = 0; i < axes; i++)
        nodes *= sides[i];
    GFAB_TRY(gfab_rings_create((uint32_t)axes, nodes, rings));
    if (axes == 1) {
        for (uint32_t v = 0; v < nodes; v++)
            rings->node[v] = v;
        return GFAB_OK;
    }
    GFAB_AT_END(gfab_rings_release) gfab_rings first = {0}, second = {0};
    gfab_status status = gfab_rings_product(sides, half, options, &first);
    GFAB_THEN(status, gfab_rings_product(sides + half, axes - half, options, &second));
    for (uint32_t i = 0; status == GFAB_OK && i < second.count; i++)
        status = join_rings(&first, i, &second, i, 2 * i, rings);
    if (status == GFAB_OK && first.count > second.count)
        status = join_copies(&first, &second, options, rings);
    if (status != GFAB_OK)
        gfab_rings_release(rings);
    return status;
}

gfab_status gfab_rings_twisted(uint32_t rows, uint32_t columns, uint32_t twist, const gfab_rings_options *options,
                               gfab_rings *rings)
{
    const uint32_t nodes = rows * columns;
    uint32_t *end = malloc(4 * (size_t)nodes * sizeof *end);
    GFAB_NEED(end);
    for (uint32_t v = 0; v < nodes; v++) {
        const uint32_t row = v / columns, column = v % columns;
        end[2 * v] = end[2 * (nodes + v)] = v;
        end[2 * v + 1] = row * columns + (column + 1) % columns;
        end[2 * (nodes + v) + 1] = row + 1 < rows ? v + columns : (column + twist) % columns;
    }
    const gfab_status status = gfab_rings_of_factors(nodes, 2, end, WORK, options, rings);
    rings->how = "rows and columns of a twisted torus";
    return status;
}

/* A step that has no divisor in common with the nodes is one cycle; the cycles of others are joined (that there always
 * are two for two steps: Bermond, Favaron and Maheo 1989). */
gfab_status gfab_rings_circulant(uint32_t nodes, const uint32_t *steps, uint32_t count,
                                 const gfab_rings_options *options, gfab_rings *rings)
{
    uint32_t *end = malloc(2 * (size_t)count * nodes * sizeof *end);
    GFAB_NEED(end);
    for (uint32_t at = 0; at < count * nodes; at++) {
        end[2 * at] = at % nodes;
        end[2 * at + 1] = (at % nodes + steps[at / nodes]) % nodes;
    }
    const gfab_status status = gfab_rings_of_factors(nodes, count, end, WORK, options, rings);
    rings->how = "the steps of a circulant";
    return status;
}

/* ---- tori ---- */

/* Of a product that stands for a torus: one of its axes, or two of side 2. */
typedef struct cycle {
    uint32_t side;
    size_t axis, other; /* other: MAX_AXES where there is none */
} cycle;

/* Puts a cycle in, the longest first: of an odd number of cycles the last ones, of which there are copies, have few
 * nodes then. */
static void insert(cycle *cycles, size_t count, cycle new_one)
{
    size_t i = count;
    for (; i > 0 && cycles[i - 1].side < new_one.side; i--)
        cycles[i] = cycles[i - 1];
    cycles[i] = new_one;
}

/* The torus's number of node p of the product. What is left of p is the place on the axis `last`, unless that is
 * MAX_AXES. */
static uint32_t number_of(const uint32_t *sides, size_t axes, const cycle *cycles, size_t count, size_t last,
                          uint32_t p)
{
    uint32_t place[MAX_AXES + 1] = {0}, at = 0;
    for (size_t i = count; i-- > 0; p /= cycles[i].side) {
        const uint32_t digit = p % cycles[i].side, gray = digit ^ digit >> 1;
        const bool two = cycles[i].other < MAX_AXES;
        place[cycles[i].axis] = two ? gray >> 1 : digit;
        place[cycles[i].other] = two ? gray & 1 : 0; /* or none's */
    }
    place[last] = p;
    for (size_t i = 0; i < axes; i++)
        at = at * sides[i] + place[i];
    return at;
}

/* Rings of two copies of a graph whose nodes are linked with their copies: a ring leaves out the link between two nodes
 * that are next to each other, in both copies, and crosses over at both. These are different nodes for each ring. */
static gfab_status double_rings(const gfab_rings *once, gfab_rings *rings)
{
    const uint32_t nodes = once->nodes;
    GFAB_FREED bool *crossed = calloc(nodes, sizeof *crossed);
    GFAB_NEED(crossed);
    GFAB_TRY(gfab_rings_create(once->count, 2 * nodes, rings));
    for (uint32_t i = 0; i < once->count; i++) {
        const uint32_t *node = once->node + (size_t)i * nodes;
        uint32_t *to = rings->node + (size_t)i * 2 * nodes, at = 0;
        while (crossed[node[at]] || crossed[node[(at + 1) % nodes]])
            at++;
        crossed[node[at]] = crossed[node[(at + 1) % nodes]] = true;
        for (uint32_t k = 0; k < nodes; k++) {
            to[k] = node[(at + 1 + k) % nodes];
            to[2 * nodes - 1 - k] = to[k] + nodes;
        }
    }
    return GFAB_OK;
}

gfab_status gfab_rings_torus(const uint32_t *sides, size_t axes, const gfab_rings_options *options, gfab_rings *rings)
{
    cycle cycles[MAX_AXES];
    uint32_t long_sides[MAX_AXES] = {0};
    size_t count = 0, two = MAX_AXES;
    for (size_t i = 0; i < axes; i++) {
        if (sides[i] > 2 || (sides[i] == 2 && two < MAX_AXES)) {
            insert(cycles, count++, (cycle){sides[i] > 2 ? sides[i] : 4, i, sides[i] > 2 ? MAX_AXES : two});
            two = sides[i] > 2 ? two : MAX_AXES;
        } else if (sides[i] == 2) {
            two = i;
        }
    }
    for (size_t i = 0; i < count; i++)
        long_sides[i] = cycles[i].side;
    gfab_rings once = {0};
    gfab_status status = gfab_rings_product(long_sides, count, options, &once);
    if (status == GFAB_OK && two < MAX_AXES) {
        status = double_rings(&once, rings);
        gfab_rings_release(&once);
    } else {
        *rings = once;
    }
    for (size_t i = 0; status == GFAB_OK && i < (size_t)rings->count * rings->nodes; i++)
        rings->node[i] = number_of(sides, axes, cycles, count, two, rings->node[i]);
    rings->how = "a product of cycles";
    if (status != GFAB_OK)
        gfab_rings_release(rings);
    return status;
}
