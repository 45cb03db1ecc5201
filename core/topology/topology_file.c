/* SPDX-License-Identifier: MIT */
/* Graphs from files (docs/reference/graph-files.md): edge lists and METIS here, the others in files of their own. */
#include "graph_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- edge lists ---- */

/* U V, or U -> V. */
static gfab_status read_edge_list(gfab_graph_text *t, gfab_graph_links *g)
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
        const gfab_status status = gfab_graph_text_link(t, g, node[0], node[1], one_way);
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

static gfab_status read_metis_header(gfab_graph_text *t, uint64_t *nodes, uint64_t *links)
{
    skip_comments(t);
    gfab_graph_text_skip_blanks(t);
    gfab_status status =
        gfab_graph_text_number(t, GFAB_MAX_NODES, "line 1 of METIS has the nodes, then the links", nodes);
    gfab_graph_text_skip_blanks(t);
    if (status == GFAB_OK)
        status =
            gfab_graph_text_number(t, GFAB_MAX_GRAPH_LINKS, "line 1 of METIS has the nodes, then the links", links);
    gfab_graph_text_skip_blanks(t);
    if (status == GFAB_OK && *t->at != '\n' && *t->at != '\0') {
        const char *format = t->at;
        t->at += strspn(t->at, "0");
        gfab_graph_text_skip_blanks(t);
        if (*t->at != '\n' && *t->at != '\0')
            return FAIL(t, GFAB_ERR_UNSUPPORTED, "format \"%.*s\": only graphs without weights are read",
                        (int)strcspn(format, " \t\r\n") > 40 ? 40 : (int)strcspn(format, " \t\r\n"), format);
    }
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
        edges->at[count++] = one;
    }
    edges->count = count;
    return GFAB_OK;
}

static gfab_status read_metis(gfab_graph_text *t, gfab_graph_links *g)
{
    uint64_t nodes = 0, links = 0;
    gfab_status status = read_metis_header(t, &nodes, &links);
    for (uint64_t node = 0; node < nodes && status == GFAB_OK; node++) {
        const bool found = gfab_graph_text_next_line(t);
        skip_comments(t);
        if (!found || (!*t->at && node + 1 < nodes))
            return FAIL(t, GFAB_ERR_PARSE, "the file ends at node %" PRIu64 " of %" PRIu64, node + 1, nodes);
        for (gfab_graph_text_skip_blanks(t); *t->at != '\n' && *t->at != '\0' && status == GFAB_OK;
             gfab_graph_text_skip_blanks(t)) {
            uint64_t other = 0;
            status = gfab_graph_text_number(t, GFAB_MAX_NODES, "a line has the node's neighbours", &other);
            if (status == GFAB_OK && (other == 0 || other > nodes))
                status =
                    FAIL(t, GFAB_ERR_PARSE, "node %" PRIu64 " does not exist; nodes are 1 to %" PRIu64, other, nodes);
            if (status == GFAB_OK && other == node + 1)
                status = FAIL(t, GFAB_ERR_INVALID, "a link from node %" PRIu64 " to itself; nodes count from 1", other);
            if (status == GFAB_OK)
                status = gfab_graph_text_link(t, g, node, other - 1, false);
        }
    }
    if (status != GFAB_OK)
        return status;
    while (gfab_graph_text_next_line(t)) {
        skip_comments(t);
        gfab_graph_text_skip_blanks(t);
        if (*t->at != '\n' && *t->at != '\0')
            return FAIL(t, GFAB_ERR_PARSE, "a line after the last of %" PRIu64 " nodes", nodes);
    }
    g->nodes = (size_t)nodes;
    status = check_both_ends(t, g);
    if (status == GFAB_OK && g->edges.count != links) {
        t->line = 1;
        return gfab_fail(t->diag, 0, GFAB_ERR_PARSE, "%zu links; the first line says %" PRIu64, g->edges.count, links);
    }
    return status;
}

/* ---- all ---- */

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

/* METIS by its extension, as its first line looks like an edge; XML and JSON by how they start; DOT by extension, or as
 * it starts with a letter or a C comment; else an edge list. */
static gfab_status read_text(gfab_graph_text *t, const char *path, gfab_graph_links *g)
{
    if (ends_in(path, ".metis") || ends_in(path, ".graph"))
        return read_metis(t, g);
    const char *first = t->bytes;
    while (*first == '#' || strchr(" \t\r\n", *first)) {
        if (!*first)
            break;
        first += *first == '#' ? strcspn(first, "\n") : 1;
    }
    if (*first == '<')
        return gfab_graph_read_graphml(t, g);
    if (*first == '{')
        return gfab_graph_read_smi(t, g);
    if (ends_in(path, ".dot") || ends_in(path, ".gv") || gfab_is_letter(*first) || *first == '/')
        return gfab_graph_read_dot(t, g);
    return read_edge_list(t, g);
}

/* file:NAME, with _ for characters that would need quotes somewhere. */
static void name_after(gfab_topology *topology, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(topology->name, sizeof topology->name, "file:%.55s", slash ? slash + 1 : path);
    for (char *c = topology->name; *c; c++)
        if (!(gfab_is_letter(*c) && (unsigned char)*c < 128) && !gfab_is_digit(*c) && !strchr(":,=+-._", *c))
            *c = '_';
}

gfab_status gfab_graph_file_read(const char *path, gfab_topology **topology, gfab_diag *diag)
{
    gfab_graph_links g = {.nodes = 0};
    gfab_graph_text t = {.diag = diag};
    if (!*path)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "the name of a file is missing; write file:PATH");
    errno = 0;
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot read the file: %s", strerror(errno ? errno : EIO));
    gfab_status status = gfab_graph_text_read(file, &t);
    if (!standard)
        fclose(file);
    if (status == GFAB_OK && strncmp(t.bytes, "\xef\xbb\xbf", 3) == 0)
        status = gfab_fail(diag, 1, GFAB_ERR_PARSE, "a byte order mark; save the file without one");
    if (status == GFAB_OK)
        status = read_text(&t, path, &g);
    if (status == GFAB_OK && g.nodes == 0 && !g.edges.failed)
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "the file has no link");
    if (status == GFAB_OK)
        status = gfab_graph_links_make(&g, NULL, topology, diag);
    if (status == GFAB_OK)
        name_after(*topology, path);
    gfab_graph_links_release(&g);
    free(t.bytes);
    return status;
}
