/* SPDX-License-Identifier: MIT */
/* Networks as ASTRA-sim has them. Analytical backends: YAML, for each dimension a Ring, all pairs (FullyConnected) or a
 * Switch, which is a switch here; the first dimension's coordinate is the fastest of a number. ns-3: a line with how
 * many nodes, switches and links there are, one that lists the switches, and a line a link. Of what they say a link's
 * rate counts, as its weight: a multiple of the greatest rate that all are multiples of. */
#include "graphs/readers.h"

#include "base/divisor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIMENSIONS 8u
#define MILLION 1000000u
#define MOST_NUMBER 16777216u /* so that so many Gbps are a number of bps */

typedef enum block { RING, ALL_PAIRS, SWITCH, BLOCKS } block;

static const char *const block_names[BLOCKS] = {"Ring", "FullyConnected", "Switch"};

typedef enum key { TOPOLOGY, SIZES, RATES, KEYS } key;

static const char *const key_names[KEYS] = {"topology", "npus_count", "bandwidth"};

typedef struct network {
    uint64_t values[KEYS][MOST_DIMENSIONS]; /* a block; a size and a rate in millionths */
    uint32_t counts[KEYS];                  /* 0: not there */
} network;

/* A number such as 50 or 12.5, in millionths, so many characters. */
static gfab_status read_decimal(gfab_graph_text *t, const char *what, uint64_t *millionths)
{
    const char *start = t->at;
    uint64_t whole = 0, part = 0, unit = MILLION;
    for (; gfab_is_digit(*t->at) && whole <= MOST_NUMBER; t->at++)
        whole = 10 * whole + (uint64_t)(*t->at - '0');
    const bool good = t->at > start;
    if (good && *t->at == '.')
        for (t->at++; gfab_is_digit(*t->at); t->at++) {
            unit /= 10;
            part += unit * (uint64_t)(*t->at - '0');
        }
    *millionths = whole * MILLION + part;
    if (!good)
        return gfab_graph_text_unexpected(t, start, strcspn(start, " ,]\t\r\n"), what);
    if (whole > MOST_NUMBER)
        return FAIL(t, GFAB_ERR_LIMIT, "%s of more than %u", what, MOST_NUMBER);
    return *millionths ? GFAB_OK : FAIL(t, GFAB_ERR_INVALID, "%s of 0", what);
}

/* Rates become weights. */
static gfab_status weigh(gfab_graph_text *t, uint64_t *rates, size_t count)
{
    uint64_t unit = 0;
    for (size_t i = 0; i < count; i++)
        unit = gfab_common_divisor(unit, rates[i]);
    for (size_t i = 0; i < count; i++) {
        rates[i] /= unit;
        if (rates[i] > GFAB_MAX_WEIGHT)
            return gfab_fail(t->diag, 0, GFAB_ERR_LIMIT,
                             "rates so far apart, or so uneven, that a link would weigh %" PRIu64, rates[i]);
    }
    return GFAB_OK;
}

/* ---- analytical ---- */

static gfab_status read_value(gfab_graph_text *t, key k, uint64_t *value)
{
    const size_t length = strcspn(t->at, " ,]\t\r\n");
    if (k != TOPOLOGY)
        return read_decimal(t, k == SIZES ? "a number of npus" : "a bandwidth", value);
    for (int b = 0; b < BLOCKS; b++)
        if (strlen(block_names[b]) == length && memcmp(t->at, block_names[b], length) == 0) {
            t->at += length;
            *value = (uint64_t)b;
            return GFAB_OK;
        }
    return gfab_graph_text_unexpected(t, t->at, length, "Ring, FullyConnected or Switch");
}

/* [ A, B ] */
static gfab_status read_values(gfab_graph_text *t, key k, network *n)
{
    gfab_graph_text_skip_blanks(t);
    if (*t->at != '[')
        return gfab_graph_text_unexpected(t, t->at, strcspn(t->at, "\r\n"), "[, and a value for each dimension");
    if (n->counts[k])
        return FAIL(t, GFAB_ERR_INVALID, "%s stands twice", key_names[k]);
    do {
        t->at++;
        gfab_graph_text_skip_blanks(t);
        if (n->counts[k] == MOST_DIMENSIONS)
            return FAIL(t, GFAB_ERR_LIMIT, "more than %u dimensions", MOST_DIMENSIONS);
        GFAB_TRY(read_value(t, k, &n->values[k][n->counts[k]++]));
        gfab_graph_text_skip_blanks(t);
    } while (*t->at == ',');
    if (*t->at != ']')
        return gfab_graph_text_unexpected(t, t->at, strcspn(t->at, "\r\n"), ", or ]");
    return GFAB_OK;
}

static gfab_status read_network(gfab_graph_text *t, network *n)
{
    do {
        int k = 0;
        gfab_graph_text_skip_blanks(t);
        while (k < KEYS &&
               (strncmp(t->at, key_names[k], strlen(key_names[k])) != 0 || t->at[strlen(key_names[k])] != ':'))
            k++;
        if (k == KEYS)
            continue;
        t->at += strlen(key_names[k]) + 1;
        GFAB_TRY(read_values(t, (key)k, n));
        gfab_graph_text_skip_line(t);
    } while (gfab_graph_text_next_line(t));
    for (int k = 0; k < KEYS; k++)
        if (n->counts[k] == 0 || n->counts[k] != n->counts[TOPOLOGY])
            return gfab_fail(t->diag, 0, GFAB_ERR_INVALID, "%s has %u values; topology has %u dimensions", key_names[k],
                             n->counts[k], n->counts[TOPOLOGY]);
    return GFAB_OK;
}

/* The nodes first, first + stride, .., of which there are `size`. */
typedef struct line {
    size_t first, stride, size;
} line;

static gfab_status link_line(gfab_graph_text *t, gfab_graph_links *g, block b, line l, uint32_t weight)
{
    const size_t first = l.first, stride = l.stride, size = l.size;
    const size_t hub = g->nodes;
    if (b == SWITCH) {
        gfab_edges_push(&g->relays, hub, GFAB_SWITCH, 0);
        g->nodes++;
    }
    for (size_t i = 0; i < size; i++) {
        const size_t node = first + i * stride, next = first + (i + 1) % size * stride;
        if (b == SWITCH)
            GFAB_TRY(gfab_graph_text_link(t, g, node, hub, false, weight, NULL));
        if (b == RING && (i + 1 < size || size > 2))
            GFAB_TRY(gfab_graph_text_link(t, g, node, next, false, weight, NULL));
        for (size_t j = i + 1; b == ALL_PAIRS && j < size; j++)
            GFAB_TRY(gfab_graph_text_link(t, g, node, first + j * stride, false, weight, NULL));
    }
    return GFAB_OK;
}

static gfab_status link_all(gfab_graph_text *t, gfab_graph_links *g, network *n)
{
    const uint32_t dimensions = n->counts[TOPOLOGY];
    uint64_t nodes = 1, stride = 1;
    for (uint32_t d = 0; d < dimensions; d++) {
        uint64_t *size = &n->values[SIZES][d];
        if (*size % MILLION != 0 || (*size /= MILLION) * nodes > GFAB_MAX_NODES)
            return gfab_fail(t->diag, 0, GFAB_ERR_LIMIT, "npus_count: whole numbers, up to %zu in all, are expected",
                             GFAB_MAX_NODES);
        nodes *= *size;
    }
    gfab_status status = weigh(t, n->values[RATES], dimensions);
    g->nodes = (size_t)nodes;
    for (uint32_t d = 0; d < dimensions && status == GFAB_OK; d++) {
        const uint64_t size = n->values[SIZES][d];
        for (uint64_t v = 0; v < nodes && status == GFAB_OK && size > 1; v++)
            if (v / stride % size == 0)
                status = link_line(t, g, (block)n->values[TOPOLOGY][d], (line){(size_t)v, (size_t)stride, (size_t)size},
                                   (uint32_t)n->values[RATES][d]);
        stride *= size;
    }
    if (status == GFAB_OK && g->nodes > GFAB_MAX_NODES)
        return gfab_fail(t->diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
    return status;
}

gfab_status gfab_graph_read_analytical(gfab_graph_text *t, gfab_graph_links *g)
{
    network n = {.counts = {0}};
    const gfab_status status = read_network(t, &n);
    return status == GFAB_OK ? link_all(t, g, &n) : status;
}

/* ---- ns-3 ---- */

/* The next number, perhaps in another line. */
static gfab_status read_number(gfab_graph_text *t, uint64_t below, const char *what, uint64_t *number)
{
    gfab_graph_text_skip_blanks(t);
    while ((*t->at == '\n' || *t->at == '#') && gfab_graph_text_next_line(t))
        gfab_graph_text_skip_blanks(t);
    if (below == 0)
        return FAIL(t, GFAB_ERR_INVALID, "%s, but there are no nodes", what);
    return gfab_graph_text_number(t, below - 1, what, number);
}

/* Such as 400Gbps, in bits a second: below 2^63. */
static gfab_status read_rate(gfab_graph_text *t, uint64_t *rate)
{
    static const struct {
        const char *name;
        uint32_t thousandths; /* of 1000 bits a second */
    } units[] = {{"bps", 1}, {"kbps", 1000}, {"Kbps", 1000}, {"Mbps", MILLION}, {"Gbps", 1000 * MILLION}};
    uint64_t millionths;
    gfab_graph_text_skip_blanks(t);
    const gfab_status status = read_decimal(t, "a rate", &millionths);
    const size_t length = strcspn(t->at, " \t\r\n");
    for (size_t i = 0; i < sizeof units / sizeof units[0] && status == GFAB_OK; i++)
        if (strlen(units[i].name) == length && memcmp(t->at, units[i].name, length) == 0) {
            *rate = millionths / 1000 * units[i].thousandths / 1000;
            return *rate ? GFAB_OK : FAIL(t, GFAB_ERR_INVALID, "a rate of less than 1 bps");
        }
    return status == GFAB_OK ? gfab_graph_text_unexpected(t, t->at, length, "bps, Kbps, Mbps or Gbps") : status;
}

/* A link a line: from, to, rate, and what else there is. */
static gfab_status read_link(gfab_graph_text *t, gfab_graph_links *g, uint64_t *rate)
{
    uint64_t node[2] = {0, 0};
    GFAB_TRY(read_number(t, g->nodes, "a link's first node", &node[0]));
    GFAB_TRY(read_number(t, g->nodes, "a link's other node", &node[1]));
    GFAB_TRY(read_rate(t, rate));
    GFAB_TRY(gfab_graph_text_link(t, g, node[0], node[1], false, 1, NULL));
    gfab_graph_text_skip_line(t);
    return GFAB_OK;
}

gfab_status gfab_graph_read_ns3(gfab_graph_text *t, gfab_graph_links *g)
{
    static const char *const whats[] = {"how many nodes there are", "how many switches there are",
                                        "how many links there are"};
    uint64_t counts[3] = {0, 0, 0}, relay;
    gfab_status status = GFAB_OK;
    for (int i = 0; i < 3 && status == GFAB_OK; i++)
        status = read_number(t, (i == 2 ? GFAB_MAX_GRAPH_LINKS : GFAB_MAX_NODES) + 1, whats[i], &counts[i]);
    g->nodes = (size_t)counts[0];
    for (uint64_t i = 0; i < counts[1] && status == GFAB_OK; i++) {
        status = read_number(t, g->nodes, "a switch", &relay);
        if (status == GFAB_OK)
            gfab_edges_push(&g->relays, (size_t)relay, GFAB_SWITCH, t->line);
    }
    GFAB_FREED uint64_t *rates = malloc((size_t)(counts[2] + 1) * sizeof *rates);
    if (!rates && status == GFAB_OK)
        status = gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    const size_t first = g->edges.count;
    for (uint64_t i = 0; i < counts[2] && status == GFAB_OK; i++)
        status = read_link(t, g, &rates[i]);
    GFAB_THEN(status, weigh(t, rates, (size_t)counts[2]));
    for (uint64_t i = 0; i < counts[2] && status == GFAB_OK && !g->edges.failed; i++)
        gfab_graph_text_weigh(&g->edges.at[first + i], (uint32_t)rates[i]);
    return status;
}
