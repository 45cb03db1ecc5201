/* SPDX-License-Identifier: MIT */
/* Graphs from files (docs/reference/graph-files.md): opened, and taken as options say. forms.c finds the form. */
#include "graphs/readers.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

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

static gfab_status read_option(option o, const char *value, size_t length, gfab_graph_reading *how, gfab_diag *diag)
{
    if (o == RELAY_ATTRIBUTE || o == WEIGHT_ATTRIBUTE)
        return read_attribute(value, length, o == RELAY_ATTRIBUTE ? how->relay : how->weight, diag);
    if (o == LINKS && gfab_is_name(value, length, "both"))
        how->both_ways = true;
    else if (o == LOOPS && gfab_is_name(value, length, "drop"))
        how->no_loops = true;
    else if (o == PARALLEL && gfab_is_name(value, length, "add"))
        how->parallel = GFAB_PARALLEL_ADDED;
    else if (o == PARALLEL && gfab_is_name(value, length, "one"))
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

/* What a terminal was told, and a file kept: ESC [ 4 m and the like. */
static void drop_colours(char *text)
{
    char *to = strchr(text, '\033');
    for (const char *at = to; at && *at; at++)
        if (at[0] == '\033' && at[1] == '[') {
            at += 2 + strspn(at + 2, "0123456789;?");
            at -= !*at;
        } else
            *to++ = *at;
    if (to)
        *to = '\0';
}

/* Where the first line ends by a carriage return alone, as on the first Macintoshes, all do. */
static void end_lines(char *text)
{
    char *at = text + strcspn(text, "\r\n");
    for (at = *at == '\r' && at[1] != '\n' ? at : NULL; at; at = strchr(at, '\r'))
        *at = '\n';
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
    if (status == GFAB_OK) {
        drop_colours(t.bytes);
        end_lines(t.bytes);
    }
    GFAB_THEN(status, gfab_graph_read_any(&t, g));
    if (status == GFAB_OK && g->nodes == 0 && !g->edges.failed)
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "the file has no link");
    GFAB_THEN(status, gfab_graph_links_make(g, NULL, topology, diag));
    if (status == GFAB_OK)
        gfab_topology_call(*topology, "file:", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    gfab_graph_links_release(g);
    free(t.bytes);
    return status;
}

gfab_status gfab_graph_file_read(const char *path, gfab_topology **topology, gfab_diag *diag)
{
    gfab_graph_links g = {.nodes = 0};
    const size_t size = strlen(path) + 1;
    GFAB_FREED char *name = malloc(size);
    GFAB_NEED_TOLD(name, diag);
    memcpy(name, path, size);
    GFAB_TRY(read_options(name, &g.how, diag));
    return read_file(name, &g, topology, diag);
}
