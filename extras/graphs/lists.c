/* SPDX-License-Identifier: MIT */
/* Graphs as plain lists: edge lists, and METIS. */
#include "graphs/readers.h"

#include <inttypes.h>
#include <string.h>

/* ---- edge lists ---- */

/* U V, or U -> V. */
gfab_status gfab_graph_read_edge_list(gfab_graph_text *t, gfab_graph_links *g)
{
    do {
        bool one_way = false;
        gfab_graph_text_skip_blanks(t);
        if (*t->at == '\0' || *t->at == '\n' || *t->at == '#')
            continue;
        uint64_t node[2] = {0, 0};
        for (int end = 0; end < 2; end++) {
            gfab_graph_text_skip_blanks(t);
            one_way = end == 1 && strncmp(t->at, "->", 2) == 0;
            t->at += one_way ? 2 : 0;
            gfab_graph_text_skip_blanks(t);
            const gfab_status status =
                gfab_graph_text_number(t, GFAB_MAX_NODES - 1, "a line is two node numbers", &node[end]);
            if (status != GFAB_OK)
                return status;
            if (node[end] >= g->nodes)
                g->nodes = (size_t)node[end] + 1;
        }
        gfab_graph_text_skip_blanks(t);
        if (*t->at != '\0' && *t->at != '\n' && *t->at != '#') {
            const int length = (int)strcspn(t->at, "\r\n");
            return FAIL(t, GFAB_ERR_PARSE, "unexpected \"%.*s\" after two node numbers", length > 40 ? 40 : length,
                        t->at);
        }
        const gfab_status status = gfab_graph_text_link(t, g, node[0], node[1], one_way, 1, NULL);
        if (status != GFAB_OK)
            return status;
    } while (gfab_graph_text_next_line(t));
    return GFAB_OK;
}

/* ---- METIS ---- */

/* Past lines of comments, which start with %. */
static void skip_comments(gfab_graph_text *t)
{
    while (*t->at == '%' && gfab_graph_text_next_line(t))
        continue;
}

/* What the third number of the first line says: a digit each for sizes of nodes, weights of nodes, weights of links. */
typedef struct metis {
    uint64_t nodes, links;
    uint64_t before;  /* numbers of a node before its neighbours: its size, its weights */
    bool edge_weight; /* a number behind each neighbour */
} metis;

static gfab_status read_metis_format(gfab_graph_text *t, metis *m)
{
    const char *format = t->at;
    const size_t length = strcspn(format, " \t\r\n");
    char digits[4] = "000";
    uint64_t weights = 1;
    if (length == 0 || length > 3 || strspn(format, "01") < length)
        return FAIL(t, GFAB_ERR_PARSE, "format \"%.*s\": up to three digits, 0 or 1, are expected",
                    length > 40 ? 40 : (int)length, format);
    memcpy(digits + 3 - length, format, length);
    t->at += length;
    gfab_graph_text_skip_blanks(t);
    gfab_status status = GFAB_OK;
    if (*t->at != '\n' && *t->at != '\0')
        status = gfab_graph_text_number(t, 64, "how many weights a node has", &weights);
    gfab_graph_text_skip_blanks(t);
    if (status == GFAB_OK && *t->at != '\n' && *t->at != '\0')
        return FAIL(t, GFAB_ERR_PARSE, "more than four numbers in line 1 of METIS");
    m->before = (uint64_t)(digits[0] == '1') + (digits[1] == '1' ? weights : 0);
    m->edge_weight = digits[2] == '1';
    return status;
}

static gfab_status read_metis_header(gfab_graph_text *t, metis *m)
{
    skip_comments(t);
    gfab_graph_text_skip_blanks(t);
    gfab_status status =
        gfab_graph_text_number(t, GFAB_MAX_NODES, "line 1 of METIS has the nodes, then the links", &m->nodes);
    gfab_graph_text_skip_blanks(t);
    GFAB_THEN(status, gfab_graph_text_number(t, GFAB_MAX_GRAPH_LINKS, "line 1 of METIS has the nodes, then the links",
                                             &m->links));
    gfab_graph_text_skip_blanks(t);
    if (status == GFAB_OK && *t->at != '\n' && *t->at != '\0')
        status = read_metis_format(t, m);
    return status;
}

static bool same_way(const gfab_edge *a, const gfab_edge *b)
{
    return a->node[0] == b->node[0] && a->node[1] == b->node[1];
}

/* Every link stands once at either end. Keeps the one at the lower end, which comes first. */
static gfab_status check_both_ends(gfab_graph_text *t, gfab_graph_links *g)
{
    gfab_edges *edges = &g->edges;
    if (gfab_edges_sort(edges, g->nodes) != GFAB_OK)
        return gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    for (size_t i = 1; i < edges->count; i++)
        if (same_way(&edges->at[i - 1], &edges->at[i])) {
            t->line = edges->at[i].line;
            return FAIL(t, GFAB_ERR_INVALID, "node %" PRIu32 " stands twice at node %" PRIu32 "; nodes count from 1",
                        edges->at[i].node[1] + 1, edges->at[i].node[0] + 1);
        }
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i += 2) {
        const gfab_edge one = edges->at[i];
        const gfab_edge back = {{one.node[1], one.node[0]}, 0, {1, 1}};
        t->line = one.line;
        if (i + 1 == edges->count || !same_way(&edges->at[i + 1], &back))
            return FAIL(t, GFAB_ERR_PARSE,
                        "node %" PRIu32 " stands at node %" PRIu32 ", but not the other way round; nodes count from 1",
                        one.node[1] + 1, one.node[0] + 1);
        if (one.weight[0] != edges->at[i + 1].weight[0])
            return FAIL(t, GFAB_ERR_INVALID,
                        "the link from node %" PRIu32 " to node %" PRIu32 " weighs %" PRIu32 ", and %" PRIu32
                        " in line %" PRIu32,
                        one.node[0] + 1, one.node[1] + 1, one.weight[0], edges->at[i + 1].weight[0],
                        edges->at[i + 1].line);
        edges->at[count++] = one;
    }
    edges->count = count;
    return GFAB_OK;
}

/* One neighbour of a node, which counts from 0, and its weight. */
static gfab_status read_neighbour(gfab_graph_text *t, gfab_graph_links *g, const metis *m, uint64_t node)
{
    uint64_t other = 0, weight = 1;
    gfab_status status = gfab_graph_text_number(t, GFAB_MAX_NODES, "a line has the node's neighbours", &other);
    if (status == GFAB_OK && (other == 0 || other > m->nodes))
        status = FAIL(t, GFAB_ERR_PARSE, "node %" PRIu64 " does not exist; nodes are 1 to %" PRIu64, other, m->nodes);
    if (status == GFAB_OK && other == node + 1)
        status = FAIL(t, GFAB_ERR_INVALID, "a link from node %" PRIu64 " to itself; nodes count from 1", other);
    if (status == GFAB_OK && m->edge_weight) {
        gfab_graph_text_skip_blanks(t);
        status = gfab_graph_text_number(t, GFAB_MAX_WEIGHT, "a neighbour is followed by the link's weight", &weight);
        if (status == GFAB_OK && weight == 0)
            status = FAIL(t, GFAB_ERR_INVALID, "a link of no packets a round; at least 1");
    }
    GFAB_THEN(status, gfab_graph_text_link(t, g, node, other - 1, false, (uint32_t)weight, NULL));
    return status;
}

/* A line: the node's size and weights, which are passed over, then its neighbours. */
static gfab_status read_neighbours(gfab_graph_text *t, gfab_graph_links *g, const metis *m, uint64_t node)
{
    gfab_status status = GFAB_OK;
    uint64_t ignored, before = m->before;
    for (gfab_graph_text_skip_blanks(t); *t->at != '\n' && *t->at != '\0' && status == GFAB_OK;
         gfab_graph_text_skip_blanks(t)) {
        if (before > 0)
            status = gfab_graph_text_number(t, UINT32_MAX, "a node's size and weights", &ignored);
        else
            status = read_neighbour(t, g, m, node);
        before -= before > 0;
    }
    if (status == GFAB_OK && before > 0)
        return FAIL(t, GFAB_ERR_PARSE, "the line ends before the node's size and weights");
    return status;
}

gfab_status gfab_graph_read_metis(gfab_graph_text *t, gfab_graph_links *g)
{
    metis m = {.nodes = 0};
    gfab_status status = read_metis_header(t, &m);
    for (uint64_t node = 0; node < m.nodes && status == GFAB_OK; node++) {
        const bool found = gfab_graph_text_next_line(t);
        skip_comments(t);
        if (!found || (!*t->at && node + 1 < m.nodes))
            return FAIL(t, GFAB_ERR_PARSE, "the file ends at node %" PRIu64 " of %" PRIu64, node + 1, m.nodes);
        status = read_neighbours(t, g, &m, node);
    }
    if (status != GFAB_OK)
        return status;
    while (gfab_graph_text_next_line(t)) {
        skip_comments(t);
        gfab_graph_text_skip_blanks(t);
        if (*t->at != '\n' && *t->at != '\0')
            return FAIL(t, GFAB_ERR_PARSE, "a line after the last of %" PRIu64 " nodes", m.nodes);
    }
    g->nodes = (size_t)m.nodes;
    status = check_both_ends(t, g);
    if (status == GFAB_OK && g->edges.count != m.links) {
        t->line = 1;
        return gfab_fail(t->diag, 0, GFAB_ERR_PARSE, "%zu links; the first line says %" PRIu64, g->edges.count,
                         m.links);
    }
    return status;
}
