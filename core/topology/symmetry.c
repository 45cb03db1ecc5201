/* SPDX-License-Identifier: MIT */
/* Groups of symmetries by their names, and the orbits of nodes and links under them. Each family has a function that
 * maps a node under a generator, such as "complement" of debruijn:K: node v goes to 2^K - 1 - v. Orbits are found with
 * disjoint sets: a generator joins each node with its image, and each link with its image. A map that is no symmetry
 * of the graph would be a mistake in this file, so the images of links are looked up in the graph and not computed. */
#include "symmetry.h"

#include "base/names.h"
#include "base/number.h"
#include "base/permutation.h"
#include "base/sets.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A family that has named symmetries. map gives the image of node v under generator i of the name; false where the
 * name, or i, is none of it. */
typedef struct family {
    const char *name;
    const char *symmetries; /* for messages */
    bool (*map)(const char *name, size_t length, uint32_t k, uint32_t i, uint32_t v, uint32_t *image);
} family;

static uint32_t rotate(uint32_t bits, uint32_t k)
{
    return (bits << 1 | bits >> (k - 1)) & (((uint32_t)1 << k) - 1);
}

static uint32_t reverse(uint32_t bits, uint32_t k)
{
    uint32_t other = 0;
    for (uint32_t i = 0; i < k; i++)
        other |= (bits >> i & 1) << (k - 1 - i);
    return other;
}

static bool map_debruijn(const char *name, size_t length, uint32_t k, uint32_t i, uint32_t v, uint32_t *image)
{
    const uint32_t mask = ((uint32_t)1 << k) - 1;
    const bool reversal = gfab_is_name(name, length, "complement-reversal");
    *image = mask ^ (reversal ? reverse(v, k) : v);
    return i == 0 && (reversal || gfab_is_name(name, length, "complement"));
}

/* A reversal moves the last bit, which exchanges flip; a rotation brings it back. */
static bool map_shuffle_exchange(const char *name, size_t length, uint32_t k, uint32_t i, uint32_t v, uint32_t *image)
{
    const uint32_t mask = ((uint32_t)1 << k) - 1;
    const bool reversal = gfab_is_name(name, length, "complement-reversal");
    *image = mask ^ (reversal ? rotate(reverse(v, k), k) : v);
    return i == 0 && (reversal || gfab_is_name(name, length, "complement"));
}

/* Nodes (x, j) of ccc and butterfly, at x * k + j. */
static bool map_cycles(const char *name, size_t length, uint32_t k, uint32_t i, uint32_t v, uint32_t *image)
{
    const uint32_t x = v / k, j = v % k;
    if (gfab_is_name(name, length, "translations")) {
        *image = (x ^ (uint32_t)1 << i) * k + j;
        return i < k;
    }
    if (gfab_is_name(name, length, "even-translations")) {
        *image = (x ^ ((uint32_t)2 << i | 1)) * k + j;
        return i < k - 1;
    }
    *image = rotate(x, k) * k + (j + 1) % k;
    return i == 0 && gfab_is_name(name, length, "rotation");
}

/* Permutation number rank, in lexicographic order, of k symbols. */
static void unrank(uint32_t rank, uint32_t k, uint8_t *symbols)
{
    for (uint32_t i = k; i-- > 0;) {
        symbols[i] = (uint8_t)(rank % (k - i));
        rank /= k - i;
        for (uint32_t j = i + 1; j < k; j++)
            symbols[j] += symbols[j] >= symbols[i];
    }
}

/* relabel-DIGITS: symbol s becomes digit s, wherever it stands. */
static bool map_permutations(const char *name, size_t length, uint32_t k, uint32_t i, uint32_t v, uint32_t *image)
{
    static const char prefix[] = "relabel-";
    const size_t skip = sizeof prefix - 1;
    uint8_t symbols[GFAB_MAX_SYMBOLS];
    uint32_t seen = 0;
    if (i > 0 || k > GFAB_MAX_SYMBOLS || length != skip + k || memcmp(name, prefix, skip) != 0)
        return false;
    for (uint32_t s = 0; s < k; s++) {
        const uint32_t digit = (uint32_t)(name[skip + s] - '0');
        if (digit >= k || seen >> digit & 1)
            return false;
        seen |= (uint32_t)1 << digit;
    }
    unrank(v, k, symbols);
    for (uint32_t s = 0; s < k; s++)
        symbols[s] = (uint8_t)(name[skip + symbols[s]] - '0');
    *image = (uint32_t)gfab_permutation_rank(symbols, k);
    return true;
}

static const char of_bits[] = "complement or complement-reversal",
                  of_cycles[] = "translations, even-translations or rotation",
                  of_symbols[] = "relabel- and the symbols' new digits";
static const family families[] = {
    {"debruijn", of_bits, map_debruijn},    {"shuffle-exchange", of_bits, map_shuffle_exchange},
    {"ccc", of_cycles, map_cycles},         {"butterfly", of_cycles, map_cycles},
    {"star", of_symbols, map_permutations}, {"pancake", of_symbols, map_permutations}};

/* The family of "name:K", with nothing dropped; NULL if it has no symmetries here. */
static const family *family_of(const gfab_topology *topology, uint32_t *k)
{
    const char *spec = gfab_topology_spec(topology), *colon = strchr(spec, ':'), *at = colon ? colon + 1 : spec;
    uint64_t number = 0;
    if (!colon || gfab_number_read(&at, 32, &number) != GFAB_NUMBER_OK || *at)
        return NULL;
    *k = (uint32_t)number;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (gfab_is_name(spec, (size_t)(colon - spec), families[i].name))
            return &families[i];
    return NULL;
}

const char *gfab_symmetry_default(const gfab_topology *topology)
{
    uint32_t k = 0;
    const family *f = family_of(topology, &k);
    if (!f || f->map == map_permutations)
        return "none";
    if (f->map != map_cycles)
        return "complement";
    return strcmp(f->name, "butterfly") == 0 && k % 2 ? "even-translations" : "translations";
}

void gfab_symmetry_all(const gfab_topology *topology, char text[GFAB_SYMMETRY_ALL_SIZE])
{
    uint32_t k = 0;
    const family *f = family_of(topology, &k);
    const char *of_family = !f || f->map == map_permutations ? "none"
                            : f->map == map_cycles           ? "translations+rotation"
                                                             : "complement+complement-reversal";
    (void)snprintf(text, GFAB_SYMMETRY_ALL_SIZE, "%s", of_family);
    if (f && f->map == map_permutations &&
        k <= GFAB_MAX_SYMBOLS) /* two symbols exchanged, and all of them in a cycle */
        (void)snprintf(text, GFAB_SYMMETRY_ALL_SIZE, "relabel-10%.*s+relabel-%.*s0", (int)k - 2, "23456789", (int)k - 1,
                       "123456789");
}

/* Adds one generator, image[] of the nodes, to the sets of nodes and links. */
static void add_generator(gfab_symmetry *s, const uint32_t *image)
{
    for (uint32_t v = 0; v < s->nodes; v++)
        gfab_sets_join(s->node_orbit, v, image[v]);
    for (uint32_t l = 0; l < s->links; l++) {
        const gfab_link link = gfab_topology_link(s->topology, l);
        gfab_arc arc = 0;
        const bool there = gfab_topology_find_arc(s->topology, image[link.node[0]], image[link.node[1]], &arc);
        assert(there);
        (void)there;
        gfab_sets_join(s->link_orbit, l, arc / 2);
    }
}

/* All generators of one name. */
static gfab_status add_name(gfab_symmetry *s, const char *name, size_t length, uint32_t *image, gfab_diag *diag)
{
    uint32_t k = 0;
    const family *f = family_of(s->topology, &k);
    const int shown = length < 40 ? (int)length : 40;
    if (!f || !f->map(name, length, k, 0, 0, &image[0]))
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "no symmetry \"%.*s\" of %s is known; there is none%s%s", shown, name,
                         gfab_topology_name(s->topology), f ? ", " : "", f ? f->symmetries : "");
    for (uint32_t i = 0; f->map(name, length, k, i, 0, &image[0]); i++) {
        for (uint32_t v = 1; v < s->nodes; v++)
            f->map(name, length, k, i, v, &image[v]);
        add_generator(s, image);
    }
    return GFAB_OK;
}

/* Sets into orbits, numbered by their lowest member. */
static uint32_t number_orbits(uint32_t *sets, uint32_t count)
{
    uint32_t orbits = 0;
    for (uint32_t i = 0; i < count; i++)
        sets[i] = gfab_set_of(sets, i);
    for (uint32_t i = 0; i < count; i++) /* a leader comes before its members, and has its number by then */
        sets[i] = sets[i] == i ? orbits++ : sets[sets[i]];
    return orbits;
}

static gfab_status list_orbits(gfab_symmetry *s, uint32_t *touched)
{
    GFAB_ARRAYS(&s->arena, s->node_orbits, s->first_node, s->node_count);
    s->link_list = gfab_arena_zeroed(&s->arena, s->links, sizeof *s->link_list);
    s->link_start = gfab_arena_zeroed(&s->arena, (size_t)s->link_orbits + 1, sizeof *s->link_start);
    s->usable = gfab_arena_zeroed(&s->arena, s->link_orbits, sizeof *s->usable);
    GFAB_NEED(!s->arena.failed);
    for (uint32_t v = 0; v < s->nodes; v++)
        if (s->node_count[s->node_orbit[v]]++ == 0)
            s->first_node[s->node_orbit[v]] = v;
    for (uint32_t l = 0; l < s->links; l++)
        s->link_start[s->link_orbit[l] + 1]++;
    for (uint32_t o = 0; o < s->link_orbits; o++)
        s->link_start[o + 1] += s->link_start[o];
    for (uint32_t l = 0; l < s->links; l++)
        s->link_list[s->link_start[s->link_orbit[l]]++] = l;
    for (uint32_t o = s->link_orbits; o > 0; o--)
        s->link_start[o] = s->link_start[o - 1];
    s->link_start[0] = 0;
    memset(touched, 0xff, s->nodes * sizeof *touched);
    for (uint32_t o = 0; o < s->link_orbits; o++) {
        s->usable[o] = true;
        for (uint32_t i = s->link_start[o]; i < s->link_start[o + 1]; i++)
            for (size_t end = 0; end < 2; end++) {
                uint32_t *last = &touched[gfab_topology_link(s->topology, s->link_list[i]).node[end]];
                s->usable[o] = s->usable[o] && *last != o;
                *last = o;
            }
    }
    return GFAB_OK;
}

gfab_status gfab_symmetry_create(const gfab_topology *topology, const char *text, size_t length,
                                 gfab_symmetry *symmetry, gfab_diag *diag)
{
    gfab_symmetry s = {.topology = topology,
                       .nodes = (uint32_t)gfab_topology_node_count(topology),
                       .links = (uint32_t)gfab_topology_link_count(topology)};
    GFAB_FREED uint32_t *image = malloc(s.nodes * sizeof *image);
    s.node_orbit = gfab_arena_zeroed(&s.arena, s.nodes, sizeof *s.node_orbit);
    s.link_orbit = gfab_arena_zeroed(&s.arena, s.links, sizeof *s.link_orbit);
    gfab_status status = image && !s.arena.failed ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; status == GFAB_OK && v < s.nodes; v++)
        s.node_orbit[v] = v;
    for (uint32_t l = 0; status == GFAB_OK && l < s.links; l++)
        s.link_orbit[l] = l;
    for (size_t at = 0; status == GFAB_OK && !gfab_is_name(text, length, "none") && at <= length;) {
        const char *plus = memchr(text + at, '+', length - at);
        const size_t size = plus ? (size_t)(plus - text) - at : length - at;
        status = add_name(&s, text + at, size, image, diag);
        at += size + 1;
    }
    if (status == GFAB_OK) {
        s.node_orbits = number_orbits(s.node_orbit, s.nodes);
        s.link_orbits = number_orbits(s.link_orbit, s.links);
        status = list_orbits(&s, image);
    }
    if (status == GFAB_OK)
        *symmetry = s;
    else
        gfab_symmetry_release(&s);
    return status;
}

void gfab_symmetry_release(gfab_symmetry *symmetry)
{
    gfab_arena_release(&symmetry->arena);
    memset(symmetry, 0, sizeof *symmetry);
}

gfab_status gfab_symmetry_is_connected(const gfab_symmetry *symmetry, bool *connected)
{
    GFAB_FREED uint32_t *sets = malloc(symmetry->nodes * sizeof *sets);
    uint32_t parts = symmetry->nodes;
    GFAB_NEED(sets);
    for (uint32_t v = 0; v < symmetry->nodes; v++)
        sets[v] = v;
    for (uint32_t l = 0; l < symmetry->links; l++) {
        const gfab_link link = gfab_topology_link(symmetry->topology, l);
        if (!symmetry->usable[symmetry->link_orbit[l]] ||
            gfab_set_of(sets, link.node[0]) == gfab_set_of(sets, link.node[1]))
            continue;
        gfab_sets_join(sets, link.node[0], link.node[1]);
        parts--;
    }
    *connected = parts == 1;
    return GFAB_OK;
}
