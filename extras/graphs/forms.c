/* SPDX-License-Identifier: MIT */
/* Which form a file has: found by what is in it, and not by its name. A row of the table says what a form is called,
 * what a file of it has, and who reads it; the first row that fits is taken, so that a reader whose form a file has not
 * is never asked, and has no words for it. Where none fits, the line lists the forms. */
#include "graphs/readers.h"

#include <stdlib.h>
#include <string.h>

/* The first word, or NUL, behind lines that start with # and blanks. */
static const char *find_first(const char *at)
{
    while (*at && (*at == '#' || strchr(" \t\r\n", *at)))
        at += *at == '#' ? strcspn(at, "\n") : 1;
    return at;
}

/* Does it start with the word, and one of these characters behind it and blanks? */
static bool starts_with(const char *at, const char *word, const char *behind)
{
    if (strncmp(at, word, strlen(word)) != 0)
        return false;
    at += strlen(word);
    at += strspn(at, " \t\r\n");
    return *at && strchr(behind, *at);
}

/* Does some line start so, behind blanks? */
static const char *find_line(const char *at, const char *word)
{
    for (; at; at = strchr(at, '\n')) {
        at += strspn(at, " \t\r\n");
        if (strncmp(at, word, strlen(word)) == 0)
            return at;
    }
    return NULL;
}

/* Are so many numbers in this line? */
static bool starts_with_numbers(const char *at, int count)
{
    for (; count > 0 && gfab_is_digit(*at); count--) {
        at += strspn(at, "0123456789");
        at += strspn(at, " \t");
    }
    return count == 0;
}

/* ---- XML ---- */

/* Past a declaration, a comment or a document type; NULL: it does not end. */
static const char *skip_heading(const char *at)
{
    const char *end = at[1] == '?' ? strstr(at, "?>") : strncmp(at, "<!--", 4) == 0 ? strstr(at, "-->") : NULL;
    if (end)
        return end + (at[1] == '?' ? 2 : 3);
    if (strncmp(at, "<!DOCTYPE", 9) != 0)
        return NULL;
    at += strcspn(at, "[>");
    if (*at == '[')
        at = strstr(at, "]");
    at = at ? strchr(at, '>') : NULL;
    return at ? at + 1 : NULL;
}

/* Is it XML whose first element, past its declaration and comments, is of this name, whatever its prefix? */
static bool is_element(const char *at, const char *name)
{
    while (at && at[0] == '<' && (at[1] == '?' || at[1] == '!')) {
        at = skip_heading(at);
        if (at)
            at += strspn(at, " \t\r\n");
    }
    if (!at || *at != '<')
        return false;
    const size_t length = strcspn(++at, " \t\r\n/>"), colon = strcspn(at, ": \t\r\n/>");
    at += colon < length ? colon + 1 : 0;
    return strncmp(at, name, strlen(name)) == 0 && strchr(" \t\r\n/>", at[strlen(name)]);
}

static bool is_nccl(const char *first)
{
    return is_element(first, "system");
}

static bool is_graphml(const char *first)
{
    return is_element(first, "graphml");
}

static bool is_hwloc(const char *first)
{
    return is_element(first, "topology");
}

static bool is_simgrid(const char *first)
{
    return is_element(first, "platform");
}

/* ---- words ---- */

static bool is_json(const char *first)
{
    return *first == '{';
}

static bool is_anynet(const char *first)
{
    return starts_with(first, "router", "0123456789") || starts_with(first, "node", "0123456789");
}

/* Keys with values, up to a list or the end. */
static bool is_gml(const char *at)
{
    bool found = false;
    for (; gfab_is_letter(*at); at = find_first(at)) {
        while (gfab_is_letter(*at) || gfab_is_digit(*at))
            at++;
        at += strspn(at, " \t\r\n");
        if (*at == '[')
            return true;
        const bool text = *at == '"';
        if (!text && !gfab_is_digit(*at) && *at != '-' && *at != '+')
            return false;
        at += text ? 1 + strcspn(at + 1, "\"") : strcspn(at, " \t\r\n");
        at += text && *at;
        found = true;
    }
    return found && !*at;
}

static bool is_dot(const char *at)
{
    static const char *const words[] = {"strict", "graph", "digraph"};
    while (*at == '/' && (at[1] == '/' || at[1] == '*')) {
        const char *end = at[1] == '/' ? strchr(at, '\n') : strstr(at + 2, "*/");
        if (!end)
            return at[1] == '*';
        at = find_first(end + (at[1] == '/' ? 1 : 2));
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t c = 0;
        while (words[i][c] && (at[c] | 32) == words[i][c])
            c++;
        if (!words[i][c] && (!at[c] || strchr(" \t\r\n{\"/", at[c])))
            return at[c + strspn(at + c, " \t\r\n")] != '['; /* of GML */
    }
    return false;
}

static bool is_matrix(const char *first)
{
    return gfab_graph_find_matrix(first);
}

static bool is_rocm(const char *first)
{
    return strstr(first, "Link Type between two GPUs");
}

static bool is_analytical(const char *first)
{
    return starts_with(first, "topology:", "[") || starts_with(first, "npus_count:", "[");
}

static bool is_ns3(const char *first)
{
    return starts_with_numbers(first, 3) && strstr(first, "bps");
}

static bool is_slurm(const char *first)
{
    return find_line(first, "SwitchName=") || find_line(first, "switchname=");
}

static bool is_infiniband(const char *first)
{
    return (find_line(first, "Switch\t") || find_line(first, "Switch ")) && strstr(first, "vendid=");
}

static bool is_tenstorrent(const char *first)
{
    return find_line(first, "ethernet_connections:");
}

static bool is_tenstorrent_mesh(const char *first)
{
    return (strstr(first, "mesh_descriptors") && strstr(first, "device_topology")) ||
           (find_line(first, "ChipSpec:") && find_line(first, "Mesh:"));
}

static bool is_pajek(const char *first)
{
    return *first == '*' || (*first == '%' && find_line(first, "*") && !strstr(first, "%%MatrixMarket"));
}

static bool is_matrix_market(const char *first)
{
    return strncmp(first, "%%MatrixMarket", 14) == 0;
}

/* ---- numbers ---- */

/* The words of a line. */
static size_t count_words(const char *at)
{
    size_t count = 0;
    for (at += strspn(at, " \t\r"); *at && *at != '\n'; at += strspn(at, " \t\r"), count++)
        at += strcspn(at, " \t\r\n");
    return count;
}

/* METIS: a line for each node behind a first one, and not an edge list. In that all lines have as many numbers. So has
 * METIS where each node has two neighbours, but then its first line says as many links as nodes: an edge list would
 * begin with a link from a node to itself. A graph without links has empty lines. % begins a comment, # one of an edge
 * list. */
static bool is_metis(const char *at)
{
    while (*at == '%')
        at = find_first(at + strcspn(at, "\n"));
    char *end;
    const unsigned long long nodes = strtoull(at, &end, 10), links = strtoull(end, &end, 10);
    const size_t words = count_words(at);
    size_t lines = 0;
    bool alike = true, empty = true;
    if (!gfab_is_digit(*at) || words < 2 || nodes == 0 || strpbrk(at, "#,;{>\"'"))
        return false;
    if (at[strspn(at, "0123456789 \t\r")] != '\n')
        return false;
    for (at = strchr(at, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        const size_t here = at[1] == '%' ? 0 : count_words(at + 1);
        lines += at[1] != '%';
        empty = empty && here == 0;
        alike = alike && (here == 0 || here == words);
    }
    return !alike || (nodes == links && words == 2) || (links == 0 && empty && lines == nodes);
}

static const struct form {
    const char *name;
    bool (*is)(const char *first); /* the first word, behind # and blanks */
    gfab_status (*read)(gfab_graph_text *t, gfab_graph_links *g);
} forms[] = {{"NCCL's XML", is_nccl, gfab_graph_read_nccl},
             {"GraphML", is_graphml, gfab_graph_read_graphml},
             {"JSON (node-link, SMI, TACCL, TE-CCL)", is_json, gfab_graph_read_json},
             {"hwloc's XML", is_hwloc, gfab_graph_read_hwloc},
             {"SimGrid's platforms", is_simgrid, gfab_graph_read_simgrid},
             {"anynet", is_anynet, gfab_graph_read_anynet},
             {"DOT", is_dot, gfab_graph_read_dot},
             {"GML", is_gml, gfab_graph_read_gml},
             {"rocm-smi --showtopo", is_rocm, gfab_graph_read_rocm},
             {"nvidia-smi topo -m", is_matrix, gfab_graph_read_matrix},
             {"ASTRA-sim's YAML", is_analytical, gfab_graph_read_analytical},
             {"ns-3", is_ns3, gfab_graph_read_ns3},
             {"Slurm's topology.conf", is_slurm, gfab_graph_read_slurm},
             {"ibnetdiscover", is_infiniband, gfab_graph_read_infiniband},
             {"Tenstorrent's cluster descriptors", is_tenstorrent, gfab_graph_read_tenstorrent},
             {"Tenstorrent's mesh descriptors", is_tenstorrent_mesh, gfab_graph_read_tenstorrent_mesh},
             {"Matrix Market", is_matrix_market, gfab_graph_read_matrix_market},
             {"Pajek", is_pajek, gfab_graph_read_pajek},
             {"METIS", is_metis, gfab_graph_read_metis},
             {"edge lists", gfab_graph_is_edge_list, gfab_graph_read_edge_list}};

enum { FORMS = sizeof forms / sizeof *forms };

gfab_status gfab_graph_read_any(gfab_graph_text *t, gfab_graph_links *g)
{
    const char *first = find_first(t->bytes);
    char known[400];
    size_t at = 0;
    for (size_t i = 0; i < FORMS; i++)
        if (forms[i].is(first))
            return forms[i].read(t, g);
    if (!*first)
        return gfab_fail(t->diag, 0, GFAB_ERR_INVALID, "the file has no link");
    for (size_t i = 0; i < FORMS && at < sizeof known; i++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "", forms[i].name);
    return gfab_fail(t->diag, 0, GFAB_ERR_PARSE,
                     "no form of a graph that is known: %s; what networkx reads it writes as GraphML", known);
}
