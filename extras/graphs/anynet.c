/* SPDX-License-Identifier: MIT */
/* Graphs as BookSim's anynet has them: a line is a router or a node (a terminal), and what it is linked with, each with
 * a latency behind it or without one, which is passed over. Where no router has two terminals, a router and its
 * terminal are one node, of the terminal's number; else the terminals are the members and routers are switches. Routers
 * follow in the order of their numbers. */
#include "graphs/readers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct end {
    bool router;
    uint64_t number;
} end;

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_edges links, terminals; /* of two routers; of a terminal and its router */
    uint64_t routers, nodes;     /* their numbers are below */
} reader;

static bool ends_line(const gfab_graph_text *t)
{
    return *t->at == '\0' || *t->at == '\n' || *t->at == '#' || (t->at[0] == '/' && t->at[1] == '/');
}

/* "router N" or "node N". */
static gfab_status read_end(reader *r, end *e)
{
    gfab_graph_text *t = r->t;
    e->router = strncmp(t->at, "router", 6) == 0;
    const size_t length = e->router ? 6 : strncmp(t->at, "node", 4) == 0 ? 4 : 0;
    if (length == 0 || !strchr(" \t", t->at[length]))
        return gfab_graph_text_unexpected(t, t->at, strcspn(t->at, " \t\r\n"), "router or node");
    t->at += length;
    gfab_graph_text_skip_blanks(t);
    const gfab_status status = gfab_graph_text_number(t, GFAB_MAX_NODES - 1, "its number", &e->number);
    uint64_t *count = e->router ? &r->routers : &r->nodes;
    if (status == GFAB_OK && e->number >= *count)
        *count = e->number + 1;
    gfab_graph_text_skip_blanks(t);
    return status;
}

static gfab_status read_line(reader *r)
{
    gfab_graph_text *t = r->t;
    end head, body;
    uint64_t latency;
    gfab_status status = read_end(r, &head);
    while (status == GFAB_OK && !ends_line(t)) {
        status = read_end(r, &body);
        if (status == GFAB_OK && gfab_is_digit(*t->at))
            status = gfab_graph_text_number(t, UINT32_MAX, "a latency", &latency);
        gfab_graph_text_skip_blanks(t);
        if (status != GFAB_OK)
            return status;
        if (!head.router && !body.router)
            return FAIL(t, GFAB_ERR_INVALID, "node %" PRIu64 " is linked with a node; it belongs to a router",
                        head.number);
        if (head.router && body.router && head.number == body.number)
            return FAIL(t, GFAB_ERR_INVALID, "a link from router %" PRIu64 " to itself", head.number);
        if (head.router && body.router)
            gfab_edges_push(&r->links, (size_t)head.number, (size_t)body.number, t->line);
        else
            gfab_edges_push(&r->terminals, (size_t)(head.router ? body.number : head.number),
                            (size_t)(head.router ? head.number : body.number), t->line);
    }
    return status;
}

/* router[terminal], NONE where there is none; terminals[router]: how many it has. */
static gfab_status attach(reader *r, uint32_t *router, uint32_t *terminals)
{
    for (uint64_t i = 0; i < r->nodes; i++)
        router[i] = NONE;
    for (size_t i = 0; i < r->terminals.count; i++) {
        const gfab_edge *e = &r->terminals.at[i];
        if (router[e->node[0]] == e->node[1])
            continue;
        r->t->line = e->line;
        if (router[e->node[0]] != NONE)
            return FAIL(r->t, GFAB_ERR_INVALID, "node %" PRIu32 " belongs to router %" PRIu32 " already", e->node[0],
                        router[e->node[0]]);
        router[e->node[0]] = e->node[1];
        terminals[e->node[1]]++;
    }
    for (uint64_t i = 0; i < r->nodes; i++)
        if (router[i] == NONE)
            return gfab_fail(r->t->diag, 0, GFAB_ERR_INVALID,
                             "node %" PRIu64 " belongs to no router; nodes are 0 to %" PRIu64, i, r->nodes - 1);
    return GFAB_OK;
}

/* Numbers for the routers that there are, and the links of all. */
static void number(reader *r, const uint32_t *router, const uint32_t *terminals, uint32_t *numbers)
{
    gfab_graph_links *g = r->g;
    bool several = false;
    for (uint64_t i = 0; i < r->routers; i++) {
        several = several || terminals[i] > 1;
        numbers[i] = NONE;
    }
    for (uint64_t i = 0; i < r->nodes && !several; i++)
        numbers[router[i]] = (uint32_t)i;
    g->nodes = (size_t)r->nodes;
    for (size_t i = 0; i < r->links.count; i++) /* a router that is named is one */
        for (int side = 0; side < 2; side++)
            if (numbers[r->links.at[i].node[side]] == NONE)
                numbers[r->links.at[i].node[side]] = NONE - 1;
    for (uint64_t i = 0; i < r->routers; i++) {
        if (numbers[i] != NONE - 1 && !(several && terminals[i] > 0))
            continue;
        numbers[i] = (uint32_t)g->nodes++;
        gfab_edges_push(&g->relays, numbers[i], GFAB_SWITCH, 0);
    }
    for (size_t i = 0; i < r->links.count; i++)
        gfab_edges_push(&g->edges, numbers[r->links.at[i].node[0]], numbers[r->links.at[i].node[1]],
                        r->links.at[i].line);
    for (uint64_t i = 0; i < r->nodes && several; i++)
        gfab_edges_push(&g->edges, (size_t)i, numbers[router[i]], 0);
}

/* A link may stand at both of its ends, and is one. */
static gfab_status make(reader *r)
{
    GFAB_FREED uint32_t *router = malloc((size_t)(r->nodes + 1) * sizeof *router);
    GFAB_FREED uint32_t *terminals = calloc((size_t)r->routers + 1, sizeof *terminals);
    GFAB_FREED uint32_t *numbers = malloc((size_t)(r->routers + 1) * sizeof *numbers);
    gfab_status status = GFAB_OK;
    if (!router || !terminals || !numbers || r->links.failed || r->terminals.failed)
        status = gfab_fail(r->t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    else
        status = attach(r, router, terminals);
    if (status == GFAB_OK && r->nodes + r->routers > GFAB_MAX_NODES)
        status = gfab_fail(r->t->diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
    if (status == GFAB_OK)
        number(r, router, terminals, numbers);
    r->g->how.parallel = GFAB_PARALLEL_ONE;
    return status;
}

gfab_status gfab_graph_read_anynet(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.t = t, .g = g};
    gfab_status status = GFAB_OK;
    do {
        gfab_graph_text_skip_blanks(t);
        if (!ends_line(t))
            status = read_line(&r);
    } while (status == GFAB_OK && gfab_graph_text_next_line(t));
    GFAB_THEN(status, make(&r));
    GFAB_FREE(r.links.at, r.terminals.at);
    return status;
}
