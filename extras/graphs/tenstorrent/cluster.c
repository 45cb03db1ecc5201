/* SPDX-License-Identifier: MIT */
/* Tenstorrent's descriptors of clusters (tt-umd, YAML): ethernet_connections, pairs of {chip, chan}; chips that have
 * one are the nodes, and several links between two chips add up. What else they say - coordinates, boards, hosts - is
 * passed over. Those of meshes: descriptor.c. */
#include "graphs/readers.h"

#include <string.h>

/* The next `chip:` of the list, or its end: a line that begins with a letter, or another document. NULL: the end. */
static const char *next_chip(gfab_graph_text *t)
{
    for (; *t->at; t->at++) {
        if (*t->at == '#')
            gfab_graph_text_skip_line(t);
        if (*t->at == '\n') {
            t->line++;
            if (gfab_is_letter(t->at[1]))
                return NULL;
        }
        if (strncmp(t->at, "chip:", 5) == 0 && !gfab_is_letter(t->at[-1]))
            return t->at += 5;
        if (!*t->at)
            break;
    }
    return NULL;
}

static gfab_status read_chip(gfab_graph_text *t, gfab_graph_names *names, size_t *node)
{
    gfab_graph_text_skip_blanks(t);
    const size_t length = strspn(t->at, "0123456789");
    if (length == 0)
        return gfab_graph_text_unexpected(t, t->at, strcspn(t->at, ",}\r\n"), "the number of a chip");
    return gfab_graph_names_number(names, t, t->at, length, node);
}

gfab_status gfab_graph_read_tenstorrent(gfab_graph_text *t, gfab_graph_links *g)
{
    gfab_graph_names names = {.count = 0};
    const char *list = strstr(t->bytes, "ethernet_connections:");
    gfab_status status = GFAB_OK;
    for (; t->at < list; t->at++)
        t->line += *t->at == '\n';
    t->at += strlen("ethernet_connections:");
    while (status == GFAB_OK && next_chip(t)) {
        size_t node[2] = {0, 0};
        status = read_chip(t, &names, &node[0]);
        if (status == GFAB_OK && !next_chip(t))
            status = FAIL(t, GFAB_ERR_PARSE, "ethernet_connections: pairs of {chip: N, chan: C} are expected");
        GFAB_THEN(status, read_chip(t, &names, &node[1]));
        GFAB_THEN(status, gfab_graph_text_link(t, g, node[0], node[1], false, 1, gfab_graph_name(&names, node[0])));
    }
    if (status == GFAB_OK && g->edges.count == 0 && !g->edges.failed)
        status = gfab_fail(t->diag, 0, GFAB_ERR_INVALID,
                           "ethernet_connections is empty: no two chips are connected, and a gossip needs two");
    GFAB_THEN(status, gfab_graph_names_apply(&names, g, t));
    g->how.parallel = GFAB_PARALLEL_ADDED;
    gfab_graph_names_release(&names);
    return status;
}
