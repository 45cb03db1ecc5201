/* SPDX-License-Identifier: MIT */
/* Graphs from files (docs/reference/graph-files.md): which form a file has, and how it is to be taken. */
#include "graphs/readers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- all ---- */

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

/* Are so many numbers in this line? */
static bool starts_with_numbers(const char *at, int count)
{
    for (; count > 0 && gfab_is_digit(*at); count--) {
        at += strspn(at, "0123456789");
        at += strspn(at, " \t");
    }
    return count == 0;
}

/* Is it XML whose first element, past its declaration and comments, is of this name? */
static bool is_element(const char *at, const char *name)
{
    for (; *at == '<' && (at[1] == '?' || at[1] == '!'); at += strspn(at, " \t\r\n")) {
        const char *end = strstr(at, at[1] == '?' ? "?>" : "-->");
        if (!end)
            return false;
        at = end + (at[1] == '?' ? 2 : 3);
    }
    return *at == '<' && strncmp(at + 1, name, strlen(name)) == 0;
}

/* Is it GML: keys with values, up to a list or the end? */
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

/* The words of a line. */
static size_t count_words(const char *at)
{
    size_t count = 0;
    for (at += strspn(at, " \t\r"); *at && *at != '\n'; at += strspn(at, " \t\r"), count++)
        at += strcspn(at, " \t\r\n");
    return count;
}

/* Is a list of numbers METIS: a line for each node behind a first one, and not an edge list? In that all lines have as
 * many numbers. So has METIS where each node has two neighbours, but then its first line says as many links as nodes:
 * an edge list would begin with a link from a node to itself. A graph without links has empty lines. % begins a comment
 * of METIS, # one of an edge list. */
static bool is_metis(const char *at)
{
    if (*at == '%')
        return true;
    char *end;
    const unsigned long long nodes = strtoull(at, &end, 10), links = strtoull(end, &end, 10);
    const size_t words = count_words(at);
    size_t lines = 0;
    bool alike = true, empty = true;
    if (!gfab_is_digit(*at) || words < 2 || nodes == 0 || strchr(at, '#') || strstr(at, "->"))
        return false;
    for (at = strchr(at, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        const size_t here = count_words(at + 1);
        lines++;
        empty = empty && here == 0;
        alike = alike && (here == 0 || here == words);
    }
    return !alike || (nodes == links && words == 2) || (links == 0 && empty && lines == nodes);
}

/* XML and JSON by how they start, and words that only one form has; DOT as it starts with a letter or a C comment; else
 * numbers. */
static gfab_status read_text(gfab_graph_text *t, gfab_graph_links *g)
{
    const char *first = find_first(t->bytes);
    if (is_element(first, "system"))
        return gfab_graph_read_nccl(t, g);
    if (*first == '<')
        return gfab_graph_read_graphml(t, g);
    if (*first == '{')
        return gfab_graph_read_json(t, g);
    if (starts_with(first, "router", "0123456789") || starts_with(first, "node", "0123456789"))
        return gfab_graph_read_anynet(t, g);
    if (is_gml(first))
        return gfab_graph_read_gml(t, g);
    if (starts_with(first, "GPU0", "GX"))
        return gfab_graph_read_matrix(t, g);
    if (starts_with(first, "topology:", "[") || starts_with(first, "npus_count:", "["))
        return gfab_graph_read_analytical(t, g);
    if (starts_with_numbers(first, 3) && strstr(first, "bps"))
        return gfab_graph_read_ns3(t, g);
    if (gfab_is_letter(*first) || *first == '/')
        return gfab_graph_read_dot(t, g);
    return is_metis(first) ? gfab_graph_read_metis(t, g) : gfab_graph_read_edge_list(t, g);
}

/* ---- how it is to be taken ---- */

static gfab_status read_attribute(const char *value, size_t length, char name[GFAB_ATTRIBUTE_BYTES], gfab_diag *diag)
{
    if (length == 0 || length >= GFAB_ATTRIBUTE_BYTES)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "the name of an attribute has 1 to %d bytes",
                         GFAB_ATTRIBUTE_BYTES - 1);
    memcpy(name, value, length);
    name[length] = '\0';
    return GFAB_OK;
}

typedef enum option { LINKS, PARALLEL, LOOPS, RELAY_ATTRIBUTE, WEIGHT_ATTRIBUTE, OPTIONS } option;

static const char *const option_words[OPTIONS] = {
    "+links=", "+parallel=", "+loops=", "+relay-attribute=", "+weight-attribute="};

static bool is(const char *value, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(value, word, length) == 0;
}

static gfab_status read_option(option o, const char *value, size_t length, gfab_graph_reading *how, gfab_diag *diag)
{
    if (o == RELAY_ATTRIBUTE || o == WEIGHT_ATTRIBUTE)
        return read_attribute(value, length, o == RELAY_ATTRIBUTE ? how->relay : how->weight, diag);
    if (o == LINKS && is(value, length, "both"))
        how->both_ways = true;
    else if (o == LOOPS && is(value, length, "drop"))
        how->no_loops = true;
    else if (o == PARALLEL && is(value, length, "add"))
        how->parallel = GFAB_PARALLEL_ADDED;
    else if (o == PARALLEL && is(value, length, "one"))
        how->parallel = GFAB_PARALLEL_ONE;
    else
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "%s%.*s: %s is expected", option_words[o] + 1,
                         length > 40 ? 40 : (int)length, value,
                         o == LINKS   ? "links=both"
                         : o == LOOPS ? "loops=drop"
                                      : "parallel=add or parallel=one");
    return GFAB_OK;
}

/* The option that starts here; OPTIONS: none. */
static option option_at(const char *at)
{
    int o = 0;
    while (o < OPTIONS && strncmp(at, option_words[o], strlen(option_words[o])) != 0)
        o++;
    return (option)o;
}

/* Takes options off the end of a path, which is the caller's. */
static gfab_status read_options(char *path, gfab_graph_reading *how, gfab_diag *diag)
{
    char *at = strchr(path, '+');
    while (at && option_at(at) == OPTIONS)
        at = strchr(at + 1, '+');
    char *end = at;
    gfab_status status = GFAB_OK;
    while (at && *at && status == GFAB_OK) {
        const option o = option_at(at);
        if (o == OPTIONS)
            return gfab_fail(
                diag, 0, GFAB_ERR_PARSE,
                "unexpected \"%.40s\" behind a file's name; +links=both, +parallel=add or one, +loops=drop, "
                "+relay-attribute= and +weight-attribute= can stand there",
                at);
        at += strlen(option_words[o]);
        const size_t length = strcspn(at, "+");
        status = read_option(o, at, length, how, diag);
        at += length;
    }
    if (end)
        *end = '\0';
    return status;
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

static gfab_status read_file(const char *path, gfab_graph_links *g, gfab_topology **topology, gfab_diag *diag)
{
    gfab_graph_text t = {.diag = diag};
    if (!*path)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "the name of a file is missing; write file:PATH");
    FILE *file;
    gfab_diag reason;
    gfab_status status = gfab_text_open(path, &file, &reason);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "cannot read the file: %s", reason.message);
    status = gfab_graph_text_read(file, &t);
    gfab_text_close(file);
    GFAB_THEN(status, read_text(&t, g));
    if (status == GFAB_OK && g->nodes == 0 && !g->edges.failed)
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "the file has no link");
    GFAB_THEN(status, gfab_graph_links_make(g, NULL, topology, diag));
    if (status == GFAB_OK)
        name_after(*topology, path);
    gfab_graph_links_release(g);
    free(t.bytes);
    return status;
}

gfab_status gfab_graph_file_read(const char *path, gfab_topology **topology, gfab_diag *diag)
{
    gfab_graph_links g = {.nodes = 0};
    const size_t size = strlen(path) + 1;
    char *name = malloc(size);
    if (!name)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    memcpy(name, path, size);
    gfab_status status = read_options(name, &g.how, diag);
    GFAB_THEN(status, read_file(name, &g, topology, diag));
    free(name);
    return status;
}
