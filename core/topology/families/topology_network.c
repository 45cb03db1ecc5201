/* SPDX-License-Identifier: MIT */
/* Networks of several numbers, and machines by name. Fat-trees: Al-Fares, Loukissas and Vahdat (2008). Dragonflies:
 * Kim, Dally, Scott and Abts (2008). Twisted tori: Camara et al., Twisted torus topologies for enhanced interconnection
 * networks (2010). Kautz graphs: W. H. Kautz (1968). Circulants: Boesch and Tindell, Circulants and their
 * connectivities (1984). */
#include "topology_network.h"

#include "base/number.h"
#include "machine_texts.h"
#include "topology/dot/graph_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 16 };

#define REPEATS '*'

/* What a network is made from, and into. */
typedef struct network {
    uint64_t number[MOST_NUMBERS + 1]; /* those that are given, then 0 */
    gfab_graph_links links;
    uint64_t members; /* 0: all; else the nodes from this one on are relays */
} network;

typedef struct family {
    gfab_topology_family text;
    const char *signs; /* before the numbers: ":", "x", ","; REPEATS at the end: more, with the sign before it */
    uint64_t least;    /* of each number */
    /* NULL, or what is wrong with the numbers. */
    const char *(*check)(const uint64_t *n);
    void (*count)(const uint64_t *n, uint64_t *nodes, uint64_t *links); /* or more of them than the limits */
    void (*make)(network *t);
} family;

static void push(network *t, uint64_t from, uint64_t to)
{
    gfab_edges_push(&t->links.edges, (size_t)from, (size_t)to, 0);
}

/* ---- twisted tori ---- */

static const char *check_twisted(const uint64_t *n)
{
    return n[0] < 3 || n[1] < 3 ? "a twisted torus has sides of at least 3"
           : n[2] >= n[1]       ? "a twist is below B"
                                : NULL;
}

static void count_twisted(const uint64_t *n, uint64_t *nodes, uint64_t *links)
{
    *nodes = n[0] * n[1];
    *links = 2 * *nodes;
}

static void make_twisted(network *t)
{
    const uint64_t rows = t->number[0], columns = t->number[1], twist = t->number[2];
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t column = 0; column < columns; column++) {
            const uint64_t below = row + 1 < rows ? column : (column + twist) % columns;
            push(t, row * columns + column, row * columns + (column + 1) % columns);
            push(t, row * columns + column, (row + 1) % rows * columns + below);
        }
}

/* ---- fat-trees: hosts, then the switches at the edge, pod by pod, then those above them, then the core ---- */

static const char *check_fat_tree(const uint64_t *n)
{
    return n[0] % 2 ? "the ports of a fat-tree's switches are an even number" : NULL;
}

static void count_fat_tree(const uint64_t *n, uint64_t *nodes, uint64_t *links)
{
    const uint64_t half = n[0] / 2;
    *nodes = n[0] * half * half + 2 * n[0] * half + half * half;
    *links = 3 * n[0] * half * half;
}

static void make_fat_tree(network *t)
{
    const uint64_t pods = t->number[0], half = pods / 2, hosts = pods * half * half;
    const uint64_t edge = hosts, above = edge + pods * half, core = above + pods * half;
    t->members = hosts;
    for (uint64_t host = 0; host < hosts; host++)
        push(t, host, edge + host / half);
    for (uint64_t pod = 0; pod < pods; pod++)
        for (uint64_t i = 0; i < half; i++)
            for (uint64_t j = 0; j < half; j++) {
                push(t, edge + pod * half + i, above + pod * half + j);
                push(t, above + pod * half + i, core + i * half + j);
            }
}

/* ---- dragonflies: terminals, then routers, group by group. Global link l of group g, of router l / H, goes to group
 * g + 1 + l, and is link G - 2 - l there ---- */

static void count_dragonfly(const uint64_t *n, uint64_t *nodes, uint64_t *links)
{
    const uint64_t groups = n[1] * n[2] + 1, routers = groups * n[1];
    *nodes = routers * (n[0] + 1);
    *links = routers * n[0] + groups * n[1] * (n[1] - 1) / 2 + groups * (groups - 1) / 2;
}

static void make_dragonfly(network *t)
{
    const uint64_t terminals = t->number[0], routers = t->number[1], each = t->number[2], groups = routers * each + 1;
    const uint64_t first = groups * routers * terminals;
    t->members = first;
    for (uint64_t v = 0; v < first; v++)
        push(t, v, first + v / terminals);
    for (uint64_t g = 0; g < groups; g++) {
        for (uint64_t a = 0; a < routers; a++)
            for (uint64_t b = a + 1; b < routers; b++)
                push(t, first + g * routers + a, first + g * routers + b);
        for (uint64_t l = 0; g + 1 + l < groups; l++)
            push(t, first + g * routers + l / each, first + (g + 1 + l) * routers + (groups - 2 - l) / each);
    }
}

/* ---- Kautz graphs: words of K letters out of D + 1, no two neighbours alike, a letter as its rank among those that
 * are not the one before. Arcs from w to the words that begin with what follows w's first letter ---- */

static void count_kautz(const uint64_t *n, uint64_t *nodes, uint64_t *links)
{
    *nodes = n[0] + 1;
    for (uint64_t i = 1; i < n[1] && *nodes <= GFAB_MAX_NODES; i++)
        *nodes *= n[0];
    *links = *nodes * n[0];
}

static void make_kautz(network *t)
{
    const uint64_t d = t->number[0], length = t->number[1];
    uint64_t words = d + 1, rest = 1; /* words; those of length - 1 letters after a first one */
    for (uint64_t i = 1; i < length; i++) {
        words *= d;
        rest *= d;
    }
    for (uint64_t word = 0; word < words; word++) {
        /* The letters after the first: the second as itself, the others as ranks, as they are in word. */
        const uint64_t first = word / rest, second = length > 1 ? word % rest / (rest / d) : 0;
        const uint64_t letter = second + (second >= first);
        const uint64_t tail = length > 1 ? (letter * (rest / d) + word % (rest / d)) * d : 0;
        for (uint64_t next = 0; next < d; next++) {
            const uint64_t to = length > 1 ? tail + next : next + (next >= first);
            push(t, word, to);
            if (!t->links.edges.failed)
                t->links.edges.at[t->links.edges.count - 1].weight[1] = 0;
        }
    }
}

/* ---- circulants: behind the nodes come the steps from each to its neighbours ---- */

static const char *check_circulant(const uint64_t *n)
{
    bool rises = n[0] >= 3;
    for (size_t i = 1; n[i]; i++)
        rises = rises && n[i] <= n[0] / 2 && (i == 1 || n[i] > n[i - 1]);
    return rises ? NULL : "the steps of a circulant of 3 nodes or more rise, from 1 at least to N / 2 at most";
}

static void count_circulant(const uint64_t *n, uint64_t *nodes, uint64_t *links)
{
    *nodes = n[0];
    *links = 0;
    for (size_t i = 1; n[i]; i++)
        *links += 2 * n[i] == n[0] ? n[i] : n[0];
}

static void make_circulant(network *t)
{
    const uint64_t nodes = t->number[0];
    for (size_t i = 1; t->number[i]; i++)
        for (uint64_t v = 0; v < (2 * t->number[i] == nodes ? nodes / 2 : nodes); v++)
            push(t, v, (v + t->number[i]) % nodes);
}

static const family families[] = {
    {{"twisted-torus", "twisted-torus:AxB,S", "a torus of A rows by B columns whose columns close S columns farther"},
     ":x,",
     0,
     check_twisted,
     count_twisted,
     make_twisted},
    {{"fat-tree", "fat-tree:K", "K^3 / 4 hosts below switches of K ports, which are relays; K even"},
     ":",
     2,
     check_fat_tree,
     count_fat_tree,
     make_fat_tree},
    {{"dragonfly", "dragonfly:P,A,H",
      "A H + 1 groups of A routers, which are relays, each with P hosts and H far links"},
     ":,,",
     1,
     NULL,
     count_dragonfly,
     make_dragonfly},
    {{"kautz", "kautz:D,K", "the directed Kautz graph: words of K letters out of D + 1, no two neighbours alike"},
     ":,",
     1,
     NULL,
     count_kautz,
     make_kautz},
    {{"circulant", "circulant:N,A,B,..",
      "N nodes in a ring, each linked with those A, B, .. steps on; rising, up to N / 2"},
     ":,*",
     1,
     check_circulant,
     count_circulant,
     make_circulant},
};

static const gfab_topology_family machine = {"machine", "machine:NAME", "a machine by its name, with its switches"};

const gfab_topology_family *gfab_network_at(size_t index)
{
    const size_t count = sizeof families / sizeof *families;
    return index < count ? &families[index].text : index == count ? &machine : NULL;
}

/* ---- machines ---- */

/* "machine:" and a name; the names that there are go into known. */
static const char *find_machine(const char *name, char *known, size_t room)
{
    size_t at = 0;
    *known = '\0';
    for (size_t i = 0; i < gfab_machine_count; i++) {
        if (strcmp(name, gfab_machines[i].name) == 0)
            return gfab_machines[i].text;
        if (at < room)
            at += (size_t)snprintf(known + at, room - at, "%s%s", i ? ", " : "", gfab_machines[i].name);
    }
    return NULL;
}

static gfab_status parse_machine(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    char known[128];
    const char *text = find_machine(strchr(spec, ':') + 1, known, sizeof known);
    if (!text)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "no such machine; known are %s, and file:PATH reads any other",
                         known);
    GFAB_AT_END(gfab_graph_links_release) gfab_graph_links g = {.nodes = 0};
    gfab_graph_text t = {.bytes = (char *)(uintptr_t)text, .at = text, .line = 1, .diag = diag};
    GFAB_TRY(gfab_graph_read_dot(&t, &g));
    return gfab_graph_links_make(&g, spec, topology, diag);
}

/* ---- all ---- */

static gfab_status read_numbers(const family *f, const char *spec, network *t, gfab_diag *diag)
{
    const char *at = spec + strlen(f->text.name);
    const size_t given = strlen(f->signs);
    const bool repeats = f->signs[given - 1] == REPEATS;
    for (size_t i = 0; i < MOST_NUMBERS && (i < given - repeats || (repeats && *at)); i++) {
        const char sign = f->signs[i < given - repeats ? i : given - 2];
        const gfab_number_status status =
            *at == sign ? (at++, gfab_number_read(&at, GFAB_MAX_NODES, &t->number[i])) : GFAB_NUMBER_NONE;
        if (status == GFAB_NUMBER_OVERFLOW)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
        if (status != GFAB_NUMBER_OK)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number is expected at \"%.20s\"; write %s", at,
                             f->text.grammar);
        if (t->number[i] < f->least)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the numbers of %s are at least %" PRIu64, f->text.grammar,
                             f->least);
    }
    return *at ? gfab_fail(diag, 0, GFAB_ERR_PARSE, "unexpected \"%.20s\"; write %s", at, f->text.grammar) : GFAB_OK;
}

/* More than 2^24 in any number, and the products stay below 2^64 but for three of them. */
static gfab_status check(const family *f, const network *t, gfab_diag *diag)
{
    const char *wrong = f->check ? f->check(t->number) : NULL;
    uint64_t nodes, links, product = 1;
    if (wrong)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s; write %s", wrong, f->text.grammar);
    for (size_t i = 0; t->number[i] && (f->make == make_fat_tree || f->make == make_dragonfly); i++)
        product *= t->number[i] < 1 << 20 ? t->number[i] : 1 << 20;
    f->count(t->number, &nodes, &links);
    if (product > 1 << 24 || nodes > GFAB_MAX_NODES || links > GFAB_MAX_GRAPH_LINKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too large; at most %zu nodes and %zu links are supported",
                         GFAB_MAX_NODES, GFAB_MAX_GRAPH_LINKS);
    return GFAB_OK;
}

gfab_status gfab_network_parse(size_t index, const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    if (index >= sizeof families / sizeof *families)
        return parse_machine(spec, topology, diag);
    const family *f = &families[index];
    network t = {.members = 0};
    gfab_status status = read_numbers(f, spec, &t, diag);
    GFAB_THEN(status, check(f, &t, diag));
    if (status == GFAB_OK) {
        uint64_t nodes, links;
        f->count(t.number, &nodes, &links);
        f->make(&t);
        t.links.nodes = (size_t)nodes;
        for (uint64_t v = t.members; t.members && v < nodes; v++)
            gfab_edges_push(&t.links.relays, (size_t)v, GFAB_RELAY_DOES_ALL, 0);
        status = gfab_graph_links_make(&t.links, spec, topology, diag);
    }
    gfab_graph_links_release(&t.links);
    return status;
}
