/* SPDX-License-Identifier: MIT */
/* The matchings that come with the definition of a family of graphs: Beier & Sibeyn, A powerful heuristic for
 * telephone gossiping, section 8. Nodes are numbered as in topology_family.c. */
#include "matchings_internal.h"

#include "base/number.h"
#include "base/permutation.h"

#include <string.h>

/* Reads "NAME:K", or "NAME:K,SECOND" where second is given; false where the name is another. */
static bool read_name(const char *text, const char *name, uint64_t *k, uint64_t *second)
{
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != ':')
        return false;
    text += length + 1;
    if (gfab_number_read(&text, UINT32_MAX, k) != GFAB_NUMBER_OK)
        return false;
    if (second && *text == ',') {
        text++;
        if (gfab_number_read(&text, UINT32_MAX, second) != GFAB_NUMBER_OK)
            return false;
    }
    return *text == '\0';
}

/* Dimension c. */
static void put_hypercube(gfab_matchings *m)
{
    for (size_t c = 0; c < m->count; c++)
        for (size_t v = 0; v < m->nodes; v++)
            gfab_matchings_put(m, c, v, v ^ (size_t)1 << c);
}

/* (0, j) with (1, j + 2^c - 1). */
static void put_knoedel(gfab_matchings *m)
{
    const size_t half = m->nodes / 2;
    for (size_t c = 0; c < m->count; c++)
        for (size_t j = 0; j < half; j++)
            gfab_matchings_put(m, c, j, half + (j + ((size_t)1 << c) - 1) % half);
}

/* Node (i, j) of cube-connected cycles and butterflies, j modulo k. */
static size_t at(size_t i, size_t j, size_t k)
{
    return i * k + j % k;
}

/* Even k: M0 has the cycle links from even j to j + 1, M1 those from odd j, M2 all cross links. Odd k: the node that
 * M0, M1 leave out, k - 1 and 0, has its cross link there; M2 has the other cross links and the cycle link between the
 * two. */
static void put_ccc(gfab_matchings *m, size_t k)
{
    for (size_t i = 0; i < (size_t)1 << k; i++) {
        for (size_t j = 0; j + k % 2 < k; j++)
            gfab_matchings_put(m, j % 2, at(i, j, k), at(i, j + 1, k));
        for (size_t j = 0; j < k; j++) {
            const size_t index = k % 2 == 0 ? 2 : j == k - 1 ? 0 : j == 0 ? 1 : 2;
            gfab_matchings_put(m, index, at(i, j, k), at(i ^ (size_t)1 << j, j, k));
        }
        if (k % 2 == 1)
            gfab_matchings_put(m, 2, at(i, 0, k), at(i, k - 1, k));
    }
}

/* Even k: M0, M1 as in the cube-connected cycles; M2 has the cross links from even j, M3 those from odd j. Odd k: M0
 * has the cycle links from even j where the top bit of i is 0, from odd j where it is 1, and the cross links of that
 * bit which are then left; M1 the same for the bit turned over. M2, M3 have the other cross links, likewise by the
 * second bit, and the cycle links between k - 1 and 0. */
static void put_butterfly(gfab_matchings *m, size_t k)
{
    for (size_t i = 0; i < (size_t)1 << k; i++) {
        const size_t top = i >> (k - 1) & 1, second = i >> (k - 2) & 1;
        for (size_t j = 0; j < k; j++) {
            const size_t node = at(i, j, k), straight = at(i, j + 1, k), cross = at(i ^ (size_t)1 << j, j + 1, k);
            if (k % 2 == 0) {
                gfab_matchings_put(m, j % 2, node, straight);
                gfab_matchings_put(m, 2 + j % 2, node, cross);
            } else if (j == k - 1) {
                gfab_matchings_put(m, 2 + (second ^ 1), node, straight);
                gfab_matchings_put(m, top, node, cross);
            } else {
                gfab_matchings_put(m, (j + top) % 2, node, straight);
                gfab_matchings_put(m, 2 + (j + second) % 2, node, cross);
            }
        }
    }
}

static void put_permutations(gfab_matchings *m, uint32_t k, bool pancake)
{
    uint8_t symbols[GFAB_MAX_SYMBOLS];
    for (uint32_t i = 0; i < k; i++)
        symbols[i] = (uint8_t)i;
    size_t node = 0;
    do {
        for (uint32_t c = 1; c < k; c++)
            gfab_matchings_put(m, c - 1, node, gfab_permutation_neighbour(symbols, k, c, pancake));
        node++;
    } while (gfab_permutation_next(symbols, k));
}

/* The cycles of v -> rotation of v, its last bit turned over if flip: their links go in turn to matchings first and
 * first + 1, and the last one of an odd cycle to `odd`. */
static void put_cycles(gfab_matchings *m, uint32_t k, size_t flip, size_t first, size_t odd)
{
    for (size_t start = 0; start < m->nodes; start++) {
        size_t length = 0, v = start;
        do { /* a cycle is taken from its lowest node */
            v = ((2 * v + (v >> (k - 1))) & (m->nodes - 1)) ^ flip;
            length++;
        } while (v > start);
        if (v != start || length == 1)
            continue;
        for (size_t i = 0; i < length - (length == 2); i++) {
            const size_t next = ((2 * v + (v >> (k - 1))) & (m->nodes - 1)) ^ flip;
            gfab_matchings_put(m, length % 2 == 1 && i == length - 1 ? odd : first + i % 2, v, next);
            v = next;
        }
    }
}

/* M0 has the exchange links, M1, M2 the rotations' cycles, M3 what is left of the odd ones; completed. */
static void put_shuffle_exchange(gfab_matchings *m, uint32_t k)
{
    for (size_t v = 0; v < m->nodes; v++)
        gfab_matchings_put(m, 0, v, v ^ 1);
    put_cycles(m, k, 0, 1, 3);
}

/* M0, M1 have the cycles of the shift that brings in the bit that goes out, M2 and M3 those of the shift that brings in
 * the other bit, M4 and M5 what is left of odd ones; completed. */
static void put_debruijn(gfab_matchings *m, uint32_t k)
{
    put_cycles(m, k, 0, 0, 4);
    put_cycles(m, k, 1, 2, 5);
}

gfab_status gfab_matchings_natural(gfab_matchings *m, gfab_diag *diag)
{
    static const char *const names[] = {"hypercube", "knoedel",          "ccc",     "butterfly", "star",
                                        "pancake",   "shuffle-exchange", "debruijn"};
    enum { HYPERCUBE, KNOEDEL, CCC, BUTTERFLY, STAR, PANCAKE, SHUFFLE_EXCHANGE, DEBRUIJN, FAMILIES };
    const char *name = gfab_topology_name(m->topology);
    uint64_t k = 0, second = 0;
    size_t family = 0;
    while (family < FAMILIES && !read_name(name, names[family], &k, family == KNOEDEL ? &second : NULL))
        family++;
    if (family == FAMILIES)
        return GFAB_ERR_UNSUPPORTED;
    const size_t counts[] = {k, k, 3, 4, k - 1, k - 1, 4, 6};
    gfab_status status = gfab_matchings_reserve(m, counts[family]);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory");
    switch (family) {
    case HYPERCUBE:
        put_hypercube(m);
        break;
    case KNOEDEL:
        put_knoedel(m);
        break;
    case CCC:
        put_ccc(m, (size_t)k);
        break;
    case BUTTERFLY:
        put_butterfly(m, (size_t)k);
        break;
    case STAR:
        put_permutations(m, (uint32_t)k, false);
        break;
    case PANCAKE:
        put_permutations(m, (uint32_t)k, true);
        break;
    case SHUFFLE_EXCHANGE:
        put_shuffle_exchange(m, (uint32_t)k);
        break;
    default:
        put_debruijn(m, (uint32_t)k);
        break;
    }
    if (family >= SHUFFLE_EXCHANGE)
        for (size_t c = 0; c < m->count; c++)
            gfab_matchings_complete(m, c);
    return GFAB_OK;
}

static bool is_even(const uint8_t *symbols, uint32_t k)
{
    bool even = true;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = i + 1; j < k; j++)
            even ^= symbols[j] < symbols[i];
    return even;
}

/* Behind the generators' matchings those that spread what stands first. Nodes with the same last symbol are a star
 * graph of k - 1 symbols; count the other symbols round from the last one. An even node brings to the front the symbol
 * d places on from its first one, an odd node that d places back, d = 1, 3, 7, .., at most k - 2. If nodes know what
 * belongs to their first symbol, an even one then knows it of the symbols 0 and 1, 0 to 3, 0 to 7 places on, and so
 * on, as an odd one does of those back: 0 to h and d - h to d together. */
static void put_symbols(gfab_matchings *m, uint32_t k)
{
    uint8_t symbols[GFAB_MAX_SYMBOLS];
    for (uint32_t i = 0; i < k; i++)
        symbols[i] = (uint8_t)i;
    put_permutations(m, k, false);
    size_t node = 0;
    do {
        const uint32_t others = k - 1, last = symbols[others];
        const uint32_t first = (symbols[0] + others - last) % k;
        for (size_t c = others; c < m->count && is_even(symbols, k); c++) {
            const uint32_t doubled = (2u << (c - others)) - 1;
            const uint32_t place = (first + (doubled < others ? doubled : others - 1)) % others;
            uint32_t at = 1;
            while (symbols[at] != (place + last + 1) % k)
                at++;
            gfab_matchings_put(m, c, node, gfab_permutation_neighbour(symbols, k, at, false));
        }
        node++;
    } while (gfab_permutation_next(symbols, k));
}

gfab_status gfab_matchings_symbols(gfab_matchings *m, gfab_diag *diag)
{
    uint64_t k = 0;
    if (!read_name(gfab_topology_name(m->topology), "star", &k, NULL) || k < 3)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "matchings=symbols is for star graphs of 3 symbols or more, not for %s",
                         gfab_topology_name(m->topology));
    size_t more = 0;
    while ((uint64_t)1 << more < k - 1)
        more++;
    const gfab_status status = gfab_matchings_reserve(m, k - 1 + more);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory");
    put_symbols(m, (uint32_t)k);
    return GFAB_OK;
}
