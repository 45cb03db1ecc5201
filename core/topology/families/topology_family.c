/* SPDX-License-Identifier: MIT */
/* The families of interconnection networks of Beier and Sibeyn, A powerful heuristic for telephone gossiping. */
#include "topology/topology_internal.h"

#include "base/number.h"
#include "base/permutation.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A family with one number. make appends the links, loops and doubled ones among them, and returns the nodes. */
typedef struct family {
    gfab_topology_family text;
    uint32_t least, most; /* of the number; most: what the limits of nodes and links allow */
    gfab_diameter_rule diameter_rule;
    uint64_t (*nodes)(uint32_t k);
    size_t (*make)(uint32_t k, gfab_edges *edges);
} family;

static uint64_t same(uint32_t k)
{
    return k;
}

static uint64_t power_of_two(uint32_t k)
{
    return UINT64_C(1) << k;
}

static uint64_t powers_of_two(uint32_t k)
{
    return (uint64_t)k << k;
}

static uint64_t factorial(uint32_t k)
{
    return k < 2 ? 1 : k * factorial(k - 1);
}

static size_t make_complete(uint32_t n, gfab_edges *edges)
{
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            gfab_edges_push(edges, a, b, 0);
    return n;
}

static size_t make_hypercube(uint32_t k, gfab_edges *edges)
{
    const size_t n = (size_t)1 << k;
    for (size_t v = 0; v < n; v++)
        for (uint32_t bit = 0; bit < k; bit++)
            if (!(v >> bit & 1))
                gfab_edges_push(edges, v, v | (size_t)1 << bit, 0);
    return n;
}

/* W(degree, n): nodes (side, j), links from (0, j) to (1, j + 2^i - 1 mod n / 2) for i below degree. */
static size_t make_knoedel_of(uint32_t degree, size_t n, gfab_edges *edges)
{
    const size_t half = n / 2;
    for (size_t j = 0; j < half; j++)
        for (uint32_t i = 0; i < degree; i++)
            gfab_edges_push(edges, j, half + (j + ((size_t)1 << i) - 1) % half, 0);
    return n;
}

static size_t make_knoedel(uint32_t k, gfab_edges *edges)
{
    return make_knoedel_of(k, (size_t)1 << k, edges);
}

/* Cycle links (i, j) to (i, j + 1); cross links (i, j) to (i xor 2^j, j). */
static size_t make_ccc(uint32_t k, gfab_edges *edges)
{
    const size_t n = (size_t)k << k;
    for (size_t v = 0; v < n; v++) {
        const size_t i = v / k, j = v % k;
        gfab_edges_push(edges, v, i * k + (j + 1) % k, 0);
        if (!(i >> j & 1))
            gfab_edges_push(edges, v, (i | (size_t)1 << j) * k + j, 0);
    }
    return n;
}

/* Cycle links as above; cross links (i, j) to (i xor 2^j, j + 1), which wrap around. */
static size_t make_butterfly(uint32_t k, gfab_edges *edges)
{
    const size_t n = (size_t)k << k;
    for (size_t v = 0; v < n; v++) {
        const size_t i = v / k, j = v % k;
        gfab_edges_push(edges, v, i * k + (j + 1) % k, 0);
        gfab_edges_push(edges, v, (i ^ (size_t)1 << j) * k + (j + 1) % k, 0);
    }
    return n;
}

static size_t make_debruijn(uint32_t k, gfab_edges *edges)
{
    const size_t n = (size_t)1 << k;
    for (size_t v = 0; v < n; v++)
        for (size_t bit = 0; bit < 2; bit++)
            gfab_edges_push(edges, v, (2 * v + bit) % n, 0);
    return n;
}

static size_t make_shuffle_exchange(uint32_t k, gfab_edges *edges)
{
    const size_t n = (size_t)1 << k;
    for (size_t v = 0; v < n; v++) {
        gfab_edges_push(edges, v, v ^ 1, 0);
        gfab_edges_push(edges, v, (2 * v + (v >> (k - 1))) % n, 0);
    }
    return n;
}

/* Links along each generator of the star or pancake graph. */
static size_t make_permutations(uint32_t k, bool pancake, gfab_edges *edges)
{
    uint8_t symbols[GFAB_MAX_SYMBOLS];
    for (uint32_t i = 0; i < k; i++)
        symbols[i] = (uint8_t)i;
    size_t node = 0;
    do {
        for (uint32_t c = 1; c < k; c++) {
            const size_t rank = gfab_permutation_neighbour(symbols, k, c, pancake);
            if (rank > node)
                gfab_edges_push(edges, node, rank, 0);
        }
        node++;
    } while (gfab_permutation_next(symbols, k));
    return node;
}

static size_t make_star(uint32_t k, gfab_edges *edges)
{
    return make_permutations(k, false, edges);
}

static size_t make_pancake(uint32_t k, gfab_edges *edges)
{
    return make_permutations(k, true, edges);
}

static const family families[] = {
    {{"complete", "complete:N", "every node linked with every other"},
     2,
     8192,
     GFAB_DIAMETER_SAME,
     same,
     make_complete},
    {{"hypercube", "hypercube:K", "2^K nodes, linked where their numbers differ in one bit"},
     1,
     21,
     GFAB_DIAMETER_SAME,
     power_of_two,
     make_hypercube},
    {{"knoedel", "knoedel:K", "the Knoedel graph of 2^K nodes; knoedel:D,N of N nodes, each with D links"},
     1,
     21,
     GFAB_DIAMETER_SAME,
     power_of_two,
     make_knoedel},
    {{"ccc", "ccc:K", "cube-connected cycles, K * 2^K nodes, K at least 3"},
     3,
     19,
     GFAB_DIAMETER_SAME,
     powers_of_two,
     make_ccc},
    {{"butterfly", "butterfly:K", "the wrapped butterfly, K * 2^K nodes, K at least 3"},
     3,
     19,
     GFAB_DIAMETER_SAME,
     powers_of_two,
     make_butterfly},
    {{"debruijn", "debruijn:K", "the undirected binary de Bruijn graph of 2^K nodes"},
     1,
     24,
     GFAB_DIAMETER_KNOWN,
     power_of_two,
     make_debruijn},
    {{"shuffle-exchange", "shuffle-exchange:K", "2^K nodes, linked by a rotation and by the last bit"},
     1,
     24,
     GFAB_DIAMETER_KNOWN,
     power_of_two,
     make_shuffle_exchange},
    {{"star", "star:K", "the permutations of K, two linked by an exchange with the first symbol"},
     2,
     GFAB_MAX_SYMBOLS,
     GFAB_DIAMETER_SAME,
     factorial,
     make_star},
    {{"pancake", "pancake:K", "the permutations of K, two linked by a reversal of first symbols"},
     2,
     GFAB_MAX_SYMBOLS,
     GFAB_DIAMETER_SAME,
     factorial,
     make_pancake},
    {{"random", "random:n=N,m=M,seed=S", "N nodes and M links drawn at random, the same for the same seed"},
     0,
     0,
     GFAB_DIAMETER_SEARCH,
     NULL,
     NULL},
};

const gfab_topology_family *gfab_graph_family_at(size_t index)
{
    return index < sizeof families / sizeof families[0] ? &families[index].text : NULL;
}

bool gfab_graph_family_number(size_t index, size_t nodes, uint32_t *k)
{
    const family *f = &families[index];
    if (!f->nodes)
        return false;
    for (*k = f->least; *k < f->most && f->nodes(*k) < nodes;)
        ++*k;
    return f->nodes(*k) == nodes;
}

/* Lower nodes first, without loops, each link once. */
static gfab_status simplify(gfab_edges *edges, size_t nodes)
{
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const gfab_edge edge = edges->at[i];
        const bool falls = edge.node[0] > edge.node[1];
        if (edge.node[0] != edge.node[1])
            edges->at[count++] = (gfab_edge){{edge.node[falls], edge.node[!falls]}, 0, {1, 1}};
    }
    edges->count = count;
    GFAB_TRY(gfab_edges_sort(edges, nodes));
    count = 0;
    for (size_t i = 0; i < edges->count; i++)
        if (i == 0 || memcmp(edges->at[i].node, edges->at[count - 1].node, sizeof edges->at[i].node) != 0)
            edges->at[count++] = edges->at[i];
    edges->count = count;
    return GFAB_OK;
}

static gfab_status finish(gfab_edges *edges, size_t nodes, const char *name, gfab_topology **topology, gfab_diag *diag)
{
    gfab_status status = simplify(edges, nodes);
    if (status != GFAB_OK)
        status = gfab_fail(diag, 0, status, "out of memory for a topology of %zu nodes", nodes);
    else
        status = gfab_graph_create(nodes, edges, name, topology, diag);
    free(edges->at);
    return status;
}

/* Evenly from 0 to bound - 1. */
static uint64_t draw(uint64_t *state, uint64_t bound)
{
    const uint64_t surplus = (UINT64_MAX % bound + 1) % bound;
    uint64_t bits;
    do
        bits = gfab_random(state);
    while (bits > UINT64_MAX - surplus);
    return bits % bound;
}

/* Adds a number to a set of 2^log_size places; false if it is there. */
static bool set_add(uint64_t *set, unsigned log_size, uint64_t number)
{
    size_t at = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - log_size));
    for (; set[at]; at = (at + 1) & (((size_t)1 << log_size) - 1))
        if (set[at] == number + 1)
            return false;
    set[at] = number + 1;
    return true;
}

/* Pair p of a < b, counted by b, then a. */
static void push_pair(gfab_edges *edges, uint64_t n, uint64_t p)
{
    uint64_t low = 1, high = n - 1; /* the largest b with b (b - 1) / 2 <= p */
    while (low < high) {
        const uint64_t middle = (low + high + 1) / 2;
        if (middle * (middle - 1) / 2 <= p)
            low = middle;
        else
            high = middle - 1;
    }
    gfab_edges_push(edges, (size_t)(p - low * (low - 1) / 2), (size_t)low, 0);
}

/* G(n, m): every set of m links is as likely as any other (Floyd's sampling). */
static gfab_status make_random(uint64_t n, uint64_t m, uint64_t seed, gfab_edges *edges)
{
    const uint64_t pairs = n * (n - 1) / 2;
    unsigned log_size = 1;
    while ((uint64_t)1 << log_size < 2 * m)
        log_size++;
    GFAB_FREED uint64_t *set = calloc((size_t)1 << log_size, sizeof *set);
    GFAB_NEED(set);
    for (uint64_t last = pairs - m; last < pairs; last++) {
        uint64_t pick = draw(&seed, last + 1);
        if (!set_add(set, log_size, pick)) {
            pick = last;
            set_add(set, log_size, pick);
        }
        push_pair(edges, n, pick);
    }
    return GFAB_OK;
}

static bool read_value(const char **at, const char *key, uint64_t maximum, uint64_t *value)
{
    const size_t length = strlen(key);
    if (strncmp(*at, key, length) != 0)
        return false;
    *at += length;
    return gfab_number_read(at, maximum, value) == GFAB_NUMBER_OK;
}

static gfab_status parse_random(const char *at, gfab_topology **topology, gfab_diag *diag)
{
    uint64_t n = 0, m = 0, seed = 0;
    if (!read_value(&at, "n=", UINT64_MAX, &n) || !read_value(&at, ",m=", UINT64_MAX, &m) ||
        !read_value(&at, ",seed=", UINT64_MAX, &seed) || *at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "three numbers are expected; write random:n=N,m=M,seed=S");
    if (n < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s; a gossip needs at least 2",
                         n ? "one node in all" : "no nodes");
    if (n > GFAB_MAX_NODES || m > GFAB_MAX_GRAPH_LINKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "at most %zu nodes and %zu links are supported", GFAB_MAX_NODES,
                         GFAB_MAX_GRAPH_LINKS);
    if (m < n - 1 || m > n * (n - 1) / 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "%" PRIu64 " nodes are connected by %" PRIu64 " to %" PRIu64 " links, not by %" PRIu64, n,
                         n - 1, n * (n - 1) / 2, m);
    gfab_edges edges = {0};
    char name[96];
    snprintf(name, sizeof name, "random:n=%" PRIu64 ",m=%" PRIu64 ",seed=%" PRIu64, n, m, seed);
    if (make_random(n, m, seed, &edges) != GFAB_OK)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    gfab_diag inner = {0, ""};
    const gfab_status status = finish(&edges, (size_t)n, name, topology, &inner);
    if (status == GFAB_ERR_INVALID)
        return gfab_fail(diag, 0, status, "%.200s; take another seed, or more links", inner.message);
    return status == GFAB_OK ? GFAB_OK : gfab_fail(diag, 0, status, "%s", inner.message);
}

static gfab_status parse_knoedel(uint64_t degree, const char *at, gfab_topology **topology, gfab_diag *diag)
{
    uint64_t n = 0;
    if (gfab_number_read(&at, UINT32_MAX, &n) != GFAB_NUMBER_OK || *at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "two numbers are expected; write knoedel:D,N");
    if (n > GFAB_MAX_NODES || (degree <= 24 && degree * n / 2 > GFAB_MAX_GRAPH_LINKS))
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "at most %zu nodes and %zu links are supported", GFAB_MAX_NODES,
                         GFAB_MAX_GRAPH_LINKS);
    if (n % 2 != 0 || degree < 1 || degree > 24 || n >> degree == 0 || (degree == 1 && n > 2))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "a Knoedel graph has an even number N of nodes and D from 2 to log2(N) links a node");
    gfab_edges edges = {0};
    char name[64];
    make_knoedel_of((uint32_t)degree, (size_t)n, &edges);
    snprintf(name, sizeof name, "knoedel:%" PRIu64 ",%" PRIu64, degree, n);
    GFAB_TRY(finish(&edges, (size_t)n, name, topology, diag));
    (*topology)->diameter_rule = GFAB_DIAMETER_SAME;
    return GFAB_OK;
}

gfab_status gfab_graph_family_parse(size_t index, const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    const family *f = &families[index];
    const char *at = strchr(spec, ':') + 1;
    if (!f->make)
        return parse_random(at, topology, diag);
    uint64_t k = 0;
    switch (gfab_number_read(&at, UINT32_MAX, &k)) {
    case GFAB_NUMBER_OK:
        break;
    case GFAB_NUMBER_NONE:
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number is expected at \"%.20s\"; write %s", at, f->text.grammar);
    case GFAB_NUMBER_ZERO:
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number has a leading zero");
    case GFAB_NUMBER_OVERFLOW:
        k = UINT64_MAX;
        break;
    }
    if (f->make == make_knoedel && *at == ',')
        return parse_knoedel(k, at + 1, topology, diag);
    if (*at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unexpected \"%.20s\"; write %s", at, f->text.grammar);
    if (k < f->least)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the number of %s is at least %" PRIu32, f->text.grammar, f->least);
    if (k > f->most)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the number of %s is at most %" PRIu32, f->text.grammar, f->most);
    gfab_edges edges = {0};
    char name[64];
    const size_t nodes = f->make((uint32_t)k, &edges);
    snprintf(name, sizeof name, "%s:%" PRIu64, f->text.name, k);
    GFAB_TRY(finish(&edges, nodes, name, topology, diag));
    (*topology)->diameter_rule = f->diameter_rule;
    /* De Bruijn: K shifts bring any number in. Shuffle-exchange: 0...0 to 1...1 is K exchanges, K - 1 rotations. */
    (*topology)->diameter = f->make == make_debruijn ? (uint32_t)k : 2 * (uint32_t)k - 1;
    return GFAB_OK;
}
