/* SPDX-License-Identifier: MIT */
/* Bracketings: by name, as text, of a tree; which nodes can have which term. */
#include "bracket.h"

#include "base/names.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static gfab_status start(gfab_bracket *b, uint32_t leaves)
{
    *b = (gfab_bracket){.leaves = leaves};
    GFAB_ARRAYS(&b->arena, leaves, b->pairs, b->order, b->place);
    GFAB_ARRAYS(&b->arena, 2 * (size_t)leaves, b->height, b->first, b->end);
    return b->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

/* Heights, and the leaves from left to right: a term's are handed on to its two, from the whole down. */
static void finish(gfab_bracket *b)
{
    const uint32_t n = b->leaves;
    for (uint32_t t = 0; t < n; t++)
        b->end[t] = 1; /* so many leaves, at first */
    for (uint32_t t = n; t < 2 * n - 1; t++) {
        const uint32_t *pair = b->pairs[t - n];
        const uint32_t left = b->height[pair[0]], right = b->height[pair[1]];
        b->height[t] = 1 + (left > right ? left : right);
        b->end[t] = b->end[pair[0]] + b->end[pair[1]];
    }
    b->first[2 * n - 2] = 0;
    for (uint32_t t = 2 * n - 2; t >= n; t--) {
        const uint32_t *pair = b->pairs[t - n];
        b->first[pair[0]] = b->first[t];
        b->first[pair[1]] = b->first[t] + b->end[pair[0]];
        b->end[t] += b->first[t];
    }
    for (uint32_t t = 0; t < n; t++) {
        b->place[t] = b->first[t];
        b->order[b->first[t]] = t;
        b->end[t] = b->first[t] + 1;
    }
}

/* ---- by name ---- */

/* A range is cut in the middle; of an odd number the first half has one more. */
static uint32_t halve(gfab_bracket *b, uint32_t first, uint32_t end, uint32_t *made)
{
    if (end - first == 1)
        return first;
    const uint32_t middle = end - (end - first) / 2;
    const uint32_t left = halve(b, first, middle, made), right = halve(b, middle, end, made);
    b->pairs[*made][0] = left;
    b->pairs[*made][1] = right;
    return b->leaves + (*made)++;
}

static void chain(gfab_bracket *b)
{
    for (uint32_t i = 0; i + 1 < b->leaves; i++) {
        b->pairs[i][0] = i == 0 ? 0 : b->leaves + i - 1;
        b->pairs[i][1] = i + 1;
    }
}

/* ---- as text ---- */

typedef struct reader {
    const char *start, *at, *end;
    uint32_t *stack; /* terms that wait, and OPEN and PLUS */
    size_t depth;
    uint32_t made;
    bool *seen;
} reader;

enum { OPEN = UINT32_MAX, PLUS = UINT32_MAX - 1 };

static gfab_status wrong(const reader *r, const char *what, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_PARSE, "bracketing: character %zu: %s; one of three ranks is ((n0+n1)+n2)",
                     (size_t)(r->at - r->start) + 1, what);
}

static gfab_status read_leaf(reader *r, const gfab_bracket *b, gfab_diag *diag)
{
    uint64_t leaf = 0;
    const char *at = r->at + 1;
    if (gfab_number_read(&at, UINT32_MAX, &leaf) != GFAB_NUMBER_OK)
        return wrong(r, "a rank is n and a number", diag);
    if (leaf >= b->leaves)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "bracketing: there is no n%u among %u ranks", (unsigned)leaf,
                         b->leaves);
    if (r->seen[leaf])
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "bracketing: n%u is there twice", (unsigned)leaf);
    r->seen[leaf] = true;
    r->stack[r->depth++] = (uint32_t)leaf;
    r->at = at;
    return GFAB_OK;
}

/* On ")" the stack ends in ( L + R. */
static gfab_status close_term(reader *r, gfab_bracket *b, gfab_diag *diag)
{
    const uint32_t *top = r->stack + r->depth;
    if (r->depth < 4 || top[-1] >= PLUS || top[-2] != PLUS || top[-3] >= PLUS || top[-4] != OPEN)
        return wrong(r, "a closing bracket that ends no sum of two", diag);
    b->pairs[r->made][0] = top[-3];
    b->pairs[r->made][1] = top[-1];
    r->depth -= 3;
    r->stack[r->depth - 1] = b->leaves + r->made++;
    r->at++;
    return GFAB_OK;
}

static gfab_status read_terms(reader *r, gfab_bracket *b, gfab_diag *diag)
{
    gfab_status status = GFAB_OK;
    while (r->at < r->end && status == GFAB_OK) {
        const char c = *r->at;
        if (r->depth + 1 >= 4 * (size_t)b->leaves)
            return wrong(r, "more brackets than ranks", diag);
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            r->at++;
        } else if (c == '(' || c == '+') {
            r->stack[r->depth++] = c == '(' ? OPEN : PLUS;
            r->at++;
        } else if (c == 'n') {
            status = read_leaf(r, b, diag);
        } else if (c == ')') {
            status = close_term(r, b, diag);
        } else {
            status = wrong(r, "neither a rank, such as n0, nor one of ( + )", diag);
        }
    }
    for (uint32_t v = 0; v < b->leaves && status == GFAB_OK; v++)
        if (!r->seen[v])
            status = gfab_fail(diag, 0, GFAB_ERR_PARSE, "bracketing: n%u is missing", v);
    if (status == GFAB_OK && (r->depth != 1 || r->made != b->leaves - 1))
        status = wrong(r, "the text ends before the sum", diag);
    return status;
}

static gfab_status read_text(const char *text, size_t length, gfab_bracket *b, gfab_diag *diag)
{
    GFAB_FREED uint32_t *stack = malloc(4 * (size_t)b->leaves * sizeof *stack);
    GFAB_FREED bool *seen = calloc(b->leaves, sizeof *seen);
    GFAB_NEED(stack && seen);
    reader r = {.start = text, .at = text, .end = text + length, .stack = stack, .seen = seen};
    return read_terms(&r, b, diag);
}

gfab_status gfab_bracket_parse(const char *text, size_t length, uint32_t leaves, gfab_bracket *bracket, gfab_diag *diag)
{
    uint32_t made = 0;
    gfab_status status = start(bracket, leaves);
    if (status == GFAB_OK && gfab_is_name(text, length, "binary"))
        (void)halve(bracket, 0, leaves, &made);
    else if (status == GFAB_OK && gfab_is_name(text, length, "linear"))
        chain(bracket);
    else if (status == GFAB_OK)
        status = read_text(text, length, bracket, diag);
    if (status == GFAB_OK)
        finish(bracket);
    else
        gfab_bracket_release(bracket);
    return status;
}

/* ---- of a tree ---- */

/* Nodes from the farthest to the root: each is added to its parent. A parent's children come in the order of their
 * heights where those of one height are taken before the next; so passes over the heights. */
static void add_up(gfab_bracket *b, const uint32_t *parent, const uint32_t *height, uint32_t *term)
{
    const uint32_t n = b->leaves;
    uint32_t made = 0;
    for (uint32_t v = 0; v < n; v++)
        term[v] = v;
    for (uint32_t h = 0; made + 1 < n; h++)
        for (uint32_t v = 0; v < n; v++)
            if (height[v] == h && parent[v] != v) {
                b->pairs[made][0] = term[parent[v]];
                b->pairs[made][1] = term[v];
                term[parent[v]] = n + made++;
            }
}

gfab_status gfab_bracket_of_tree(const gfab_topology *topology, uint32_t root, gfab_bracket *bracket)
{
    const uint32_t n = (uint32_t)gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *work = calloc(5 * (size_t)n, sizeof *work);
    *bracket = (gfab_bracket){0};
    if (!work || start(bracket, n) != GFAB_OK) {
        gfab_bracket_release(bracket);
        return GFAB_ERR_NO_MEMORY;
    }
    uint32_t *distance = work, *order = work + n, *parent = work + 2 * (size_t)n, *height = work + 3 * (size_t)n;
    gfab_topology_distances(topology, root, distance, order);
    for (uint32_t v = 0; v < n; v++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, v, &count);
        parent[v] = v;
        for (size_t i = 0; i < count && parent[v] == v; i++)
            if (distance[ports[i].peer] + 1 == distance[v])
                parent[v] = ports[i].peer;
    }
    for (uint32_t i = n; i-- > 1;) /* the farthest first */
        if (height[parent[order[i]]] <= height[order[i]])
            height[parent[order[i]]] = height[order[i]] + 1;
    add_up(bracket, parent, height, work + 4 * (size_t)n);
    finish(bracket);
    return GFAB_OK;
}

/* ---- who can have what ---- */

void gfab_bracket_hosts_release(gfab_bracket_hosts *hosts)
{
    GFAB_FREE(hosts->start, hosts->can);
    *hosts = (gfab_bracket_hosts){NULL, NULL};
}

/* "n0+n1+..", the leaves of a term. */
static void name_term(const gfab_bracket *b, uint32_t term, char text[64])
{
    size_t used = 0;
    const uint32_t count = b->end[term] - b->first[term];
    for (uint32_t i = 0; i < count && i < 3; i++) {
        const int wrote = snprintf(text + used, 64 - used, "%sn%u", i ? "+" : "", b->order[b->first[term] + i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (count > 3)
        (void)snprintf(text + used, 64 - used, "+.. (%u)", count);
}

/* From whom each node that can have one part could get the other. */
static bool mark_side(const gfab_topology *topology, const gfab_bracket *b, gfab_bracket_hosts *hosts, uint32_t term,
                      uint32_t kept, uint32_t got)
{
    bool any = false;
    for (uint32_t i = b->first[kept]; i < b->end[kept]; i++) {
        const uint32_t node = b->order[i];
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, node, &count);
        bool can = false;
        for (size_t p = 0; p < count && !can && gfab_bracket_can(b, hosts, kept, node); p++)
            can = gfab_bracket_can(b, hosts, got, ports[p].peer);
        hosts->can[hosts->start[term] + i - b->first[term]] = can;
        any = any || can;
    }
    return any;
}

gfab_status gfab_bracket_find_hosts(const gfab_topology *topology, const gfab_bracket *b, gfab_bracket_hosts *hosts,
                                    gfab_diag *diag)
{
    const uint32_t terms = 2 * b->leaves - 1;
    size_t total = 0;
    *hosts = (gfab_bracket_hosts){.start = malloc(terms * sizeof *hosts->start)};
    for (uint32_t t = 0; t < terms && hosts->start; t++) {
        hosts->start[t] = total;
        total += b->end[t] - b->first[t];
    }
    hosts->can = hosts->start ? calloc(total, sizeof *hosts->can) : NULL;
    gfab_status status = hosts->can ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t t = 0; t < terms && status == GFAB_OK; t++) {
        if (t < b->leaves) {
            hosts->can[hosts->start[t]] = true;
            continue;
        }
        const uint32_t *pair = b->pairs[t - b->leaves];
        const bool left = mark_side(topology, b, hosts, t, pair[0], pair[1]);
        const bool right = mark_side(topology, b, hosts, t, pair[1], pair[0]);
        if (!left && !right) {
            char a[64], c[64];
            name_term(b, pair[0], a);
            name_term(b, pair[1], c);
            status = GFAB_REFUSE(diag,
                                 "the bracketing adds %s and %s: no link joins nodes that can have them; --routing "
                                 "circuit goes over several links",
                                 a, c);
        }
    }
    if (status != GFAB_OK)
        gfab_bracket_hosts_release(hosts);
    return status;
}
