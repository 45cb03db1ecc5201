/* SPDX-License-Identifier: MIT */
/* What all readers of graph files share: where in the text they stand, numbers and links with their line for messages,
 * and the end of every reader. There links are sorted, loops and parallel links are treated as the options say, and
 * the topology is made and checked. The folder is named for DOT, the form that the library itself reads; the other
 * forms (extras/graphs/) end here, too. */
#include "graph_text.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

gfab_status gfab_graph_text_read(FILE *file, gfab_graph_text *t)
{
    gfab_text text;
    GFAB_TRY(gfab_text_read(file, &text, t->diag));
    t->at = t->bytes = text.bytes;
    t->line = 1;
    return GFAB_OK;
}

void gfab_graph_text_skip_blanks(gfab_graph_text *t)
{
    while (*t->at == ' ' || *t->at == '\t' || *t->at == '\r')
        t->at++;
}

void gfab_graph_text_skip_line(gfab_graph_text *t)
{
    t->at += strcspn(t->at, "\n");
}

bool gfab_graph_text_next_line(gfab_graph_text *t)
{
    gfab_graph_text_skip_line(t);
    if (!*t->at)
        return false;
    t->at++;
    t->line++;
    return true;
}

gfab_status gfab_graph_text_number(gfab_graph_text *t, uint64_t maximum, const char *what, uint64_t *number)
{
    const char *start = t->at;
    const gfab_number_status status = gfab_number_read(&t->at, maximum, number);
    if (status == GFAB_NUMBER_OVERFLOW)
        return FAIL(t, GFAB_ERR_LIMIT, "\"%.*s\" is too large; at most %" PRIu64 " is supported (%s)",
                    (int)strcspn(start, " \t\r\n") > 40 ? 40 : (int)strcspn(start, " \t\r\n"), start, maximum, what);
    if (status != GFAB_NUMBER_OK || !strchr(" \t\r\n#", *t->at)) {
        const int length = (int)strcspn(start, "\r\n");
        if (length == 0)
            return FAIL(t, GFAB_ERR_PARSE, "the line ends where a number is expected (%s)", what);
        return FAIL(t, GFAB_ERR_PARSE, "\"%.*s\": a number is expected (%s)", length > 40 ? 40 : length, start, what);
    }
    return GFAB_OK;
}

gfab_status gfab_graph_text_link(gfab_graph_text *t, gfab_graph_links *g, uint64_t from, uint64_t to, bool one_way,
                                 uint32_t weight, const char *name)
{
    if (from == to && !g->how.no_loops && name)
        return FAIL(t, GFAB_ERR_INVALID, "a link from node %.40s to itself", name);
    if (from == to && !g->how.no_loops)
        return FAIL(t, GFAB_ERR_INVALID, "a link from node %" PRIu64 " to itself", from);
    if (g->edges.count >= 2 * GFAB_MAX_GRAPH_LINKS)
        return FAIL(t, GFAB_ERR_LIMIT, "too many links; at most %zu are supported", GFAB_MAX_GRAPH_LINKS);
    gfab_edges_push(&g->edges, (size_t)from, (size_t)to, t->line);
    if (!g->edges.failed) {
        uint32_t *ways = g->edges.at[g->edges.count - 1].weight;
        ways[0] = weight;
        ways[1] = one_way ? 0 : weight;
    }
    return GFAB_OK;
}

gfab_status gfab_graph_text_unexpected(gfab_graph_text *t, const char *at, size_t length, const char *expected)
{
    if (!at)
        return FAIL(t, GFAB_ERR_PARSE, "the file ends where %s is expected", expected);
    return FAIL(t, GFAB_ERR_PARSE, "\"%.*s\" where %s is expected", length > 40 ? 40 : (int)length, at, expected);
}

gfab_status gfab_graph_text_relay(gfab_graph_text *t, const char *name, const char *value, size_t length,
                                  uint8_t *relay)
{
    static const gfab_relay_kind more[] = {
        {"True", GFAB_RELAY_DOES_ALL}, {"1", GFAB_RELAY_DOES_ALL}, {"false", 0}, {"False", 0}, {"0", 0}};
    const size_t others = sizeof more / sizeof *more;
    const gfab_relay_kind *kind = more;
    for (size_t k = 0; kind; k++) {
        kind = k < others ? &more[k] : gfab_relay_kind_at(k - others);
        if (kind && strlen(kind->word) == length && memcmp(value, kind->word, length) == 0) {
            *relay = (uint8_t)kind->relay;
            return GFAB_OK;
        }
    }
    return FAIL(t, GFAB_ERR_PARSE,
                "%s is \"%.*s\"; true, copy, combine, forward, switch, switch:copy, switch:combine, "
                "switch:copy-combine or false is expected",
                name, length > 40 ? 40 : (int)length, value);
}

/* What was read of nodes and links besides the graph. */
static gfab_status mark(const gfab_graph_links *g, gfab_topology *topology, gfab_diag *diag)
{
    GFAB_FREED uint8_t *relay = calloc(g->nodes, sizeof *relay);
    GFAB_FREED uint32_t *weight = malloc(2 * (g->edges.count + 1) * sizeof *weight);
    gfab_status status = GFAB_ERR_NO_MEMORY;
    if (relay && weight) {
        for (size_t i = 0; i < g->relays.count; i++)
            relay[g->relays.at[i].node[0]] = (uint8_t)g->relays.at[i].node[1];
        for (size_t i = 0; i < g->edges.count; i++)
            memcpy(&weight[2 * i], g->edges.at[i].weight, 2 * sizeof *weight);
        status = gfab_topology_mark(topology, relay, weight, diag);
    } else
        gfab_fail(diag, 0, status, "out of memory");
    return status;
}

static gfab_status call_nodes(const gfab_graph_links *g, gfab_topology *topology, gfab_diag *diag)
{
    GFAB_FREED const char **names = calloc(g->nodes, sizeof *names);
    GFAB_NEED_TOLD(names, diag);
    for (size_t i = 0; i < g->called.count; i++)
        names[g->called.at[i].node[0]] = gfab_graph_name(&g->names, g->called.at[i].node[1]);
    return gfab_topology_name_nodes(topology, names, diag);
}

/* The weight that a link has one way, with another one there. */
static uint32_t add_weights(gfab_graph_parallel parallel, uint32_t a, uint32_t b)
{
    if (parallel == GFAB_PARALLEL_ONE)
        return a > b ? a : b;
    return a + b > GFAB_MAX_WEIGHT ? GFAB_MAX_WEIGHT + 1 : a + b;
}

/* Of sorted edges: loops go, parallel links become one as is asked for, ways back come. */
static gfab_status merge(gfab_graph_links *g, gfab_diag *diag)
{
    gfab_edge *at = g->edges.at;
    size_t count = 0;
    for (size_t i = 0; i < g->edges.count; i++) {
        gfab_edge e = at[i];
        if (e.node[0] > e.node[1])
            e = (gfab_edge){{e.node[1], e.node[0]}, e.line, {e.weight[1], e.weight[0]}};
        gfab_edge *last = count ? &at[count - 1] : NULL;
        if (e.node[0] == e.node[1])
            continue;
        if (g->how.parallel == GFAB_PARALLEL_REFUSED || !last || last->node[0] != e.node[0] ||
            last->node[1] != e.node[1]) {
            at[count++] = e;
            continue;
        }
        for (int way = 0; way < 2; way++)
            last->weight[way] = add_weights(g->how.parallel, last->weight[way], e.weight[way]);
        if (last->weight[0] > GFAB_MAX_WEIGHT || last->weight[1] > GFAB_MAX_WEIGHT)
            return gfab_fail(diag, e.line, GFAB_ERR_LIMIT, "a link of more than %u packets a round", GFAB_MAX_WEIGHT);
    }
    g->edges.count = count;
    return GFAB_OK;
}

static void go_both_ways(gfab_graph_links *g)
{
    for (size_t i = 0; i < g->edges.count; i++) {
        uint32_t *weight = g->edges.at[i].weight;
        weight[0] = weight[0] ? weight[0] : weight[1];
        weight[1] = weight[1] ? weight[1] : weight[0];
    }
}

gfab_status gfab_graph_links_make(gfab_graph_links *g, const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    GFAB_TRY(gfab_graph_weigh_rates(g, diag));
    GFAB_NEED_TOLD(!g->edges.failed && !g->relays.failed && !g->called.failed, diag);
    GFAB_NEED_TOLD(gfab_edges_sort(&g->edges, g->nodes) == GFAB_OK, diag);
    GFAB_TRY(merge(g, diag));
    GFAB_TRY(gfab_edges_simplify(&g->edges, diag));
    if (g->how.both_ways)
        go_both_ways(g);
    GFAB_TRY(gfab_graph_create(g->nodes, &g->edges, spec, topology, diag));
    gfab_status status = mark(g, *topology, diag);
    if (g->called.count > 0)
        GFAB_THEN(status, call_nodes(g, *topology, diag));
    (*topology)->rate_unit = g->rate_unit;
    GFAB_THEN(status, gfab_graph_note(g, &(*topology)->note, diag));
    return GFAB_LEAVE(status, gfab_topology_destroy, topology);
}

void gfab_graph_links_release(gfab_graph_links *g)
{
    GFAB_FREE(g->edges.at, g->relays.at, g->called.at, g->rates);
    gfab_graph_names_release(&g->names);
    gfab_graph_names_release(&g->passed);
}
