/* SPDX-License-Identifier: MIT */
/* Where matchings come from: the graph's definition, an edge colouring, a file. */
#define _POSIX_C_SOURCE 200809L
#include "matchings_internal.h"

#include <gossipfab/base/text.h>

#include "base/number.h"
#include "topology/edge_colouring.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gfab_status colour(gfab_matchings *m, gfab_diag *diag)
{
    const size_t links = gfab_topology_link_count(m->topology);
    GFAB_AT_END(gfab_edge_colouring_release) gfab_edge_colouring coloured = {0};
    gfab_status status = gfab_edge_colour(m->topology, &coloured);
    const uint32_t *colours = coloured.colour;
    size_t count = 0;
    for (size_t l = 0; l < links && status == GFAB_OK; l++)
        if (colours[l] >= count)
            count = colours[l] + (size_t)1;
    if (status == GFAB_OK && count > GFAB_MAX_MATCHINGS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "an edge colouring of %s has %zu colours; at most %d are supported",
                           gfab_topology_name(m->topology), count, GFAB_MAX_MATCHINGS);
    else if (status != GFAB_OK || (status = gfab_matchings_reserve(m, count)) != GFAB_OK)
        gfab_fail(diag, 0, status, "out of memory");
    for (size_t l = 0; l < links && status == GFAB_OK; l++) {
        const gfab_link link = gfab_topology_link(m->topology, l);
        gfab_matchings_put(m, colours[l], link.node[0], link.node[1]);
    }
    for (size_t c = 0; c < m->count && status == GFAB_OK; c++)
        gfab_matchings_complete(m, c);
    return status;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* The links of one line. */
static gfab_status read_line(gfab_matchings *m, const char *text, size_t line, gfab_diag *diag)
{
    uint32_t *partner = m->partner + (m->count - 1) * m->nodes;
    for (text = skip_blanks(text); *text && *text != '#'; text = skip_blanks(text)) {
        const char *start = text;
        uint64_t node[2] = {0, 0};
        gfab_arc arc;
        bool good = gfab_number_read(&text, UINT32_MAX, &node[0]) == GFAB_NUMBER_OK && *text == '-';
        if (good) {
            text++;
            good = gfab_number_read(&text, UINT32_MAX, &node[1]) == GFAB_NUMBER_OK;
        }
        if (!good || (*text && !strchr(" \t\r\n#", *text)))
            return gfab_fail(diag, line, GFAB_ERR_PARSE, "a link U-V is expected at \"%.*s\"",
                             (int)strcspn(start, " \t\r\n"), start);
        if (node[0] >= m->nodes || node[1] >= m->nodes ||
            !gfab_topology_find_arc(m->topology, (uint32_t)node[0], (uint32_t)node[1], &arc))
            return gfab_fail(diag, line, GFAB_ERR_INVALID, "%s has no link %" PRIu64 "-%" PRIu64,
                             gfab_topology_name(m->topology), node[0], node[1]);
        for (int end = 0; end < 2; end++)
            if (partner[node[end]] != node[end])
                return gfab_fail(diag, line, GFAB_ERR_INVALID, "node %" PRIu64 " has two links in this matching",
                                 node[end]);
        gfab_matchings_put(m, m->count - 1, (size_t)node[0], (size_t)node[1]);
    }
    return GFAB_OK;
}

static gfab_status read_file(gfab_matchings *m, FILE *file, gfab_diag *diag)
{
    gfab_text text;
    size_t line = 1;
    gfab_status status = gfab_text_read(file, &text, diag);
    for (char *at = text.bytes, *next; status == GFAB_OK && *at; at = next, line++) {
        next = at + strcspn(at, "\n");
        if (*next)
            *next++ = '\0';
        at += strspn(at, " \t\r");
        if (*at == '\0' || *at == '#')
            continue;
        if (m->count == GFAB_MAX_MATCHINGS)
            status = gfab_fail(diag, line, GFAB_ERR_LIMIT, "more than %d matchings", GFAB_MAX_MATCHINGS);
        else if ((status = gfab_matchings_reserve(m, m->count + 1)) != GFAB_OK)
            gfab_fail(diag, 0, status, "out of memory");
        else
            status = read_line(m, at, line, diag);
    }
    free(text.bytes);
    if (status == GFAB_OK && m->count == 0)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "the file has no matching; a line has the links U-V of one");
    return status;
}

static gfab_status open_file(gfab_matchings *m, const char *path, gfab_diag *diag)
{
    FILE *file;
    gfab_diag reason;
    gfab_status status = gfab_text_open(path, &file, &reason);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "cannot read '%.200s': %s", path, reason.message);
    status = read_file(m, file, diag);
    gfab_text_close(file);
    return status;
}

gfab_status gfab_matchings_create(const gfab_topology *topology, const char *from, gfab_matchings **matchings,
                                  gfab_diag *diag)
{
    static const char file_word[] = "file:";
    gfab_matchings *m = calloc(1, sizeof *m);
    *matchings = NULL;
    GFAB_NEED_TOLD(m, diag);
    m->topology = topology;
    m->nodes = gfab_topology_node_count(topology);
    gfab_status status;
    if (!from || !strcmp(from, "natural")) {
        status = gfab_matchings_natural(m, diag);
        if (status == GFAB_ERR_UNSUPPORTED)
            status = colour(m, diag);
    } else if (!strcmp(from, "symbols"))
        status = gfab_matchings_symbols(m, diag);
    else if (!strcmp(from, "edges"))
        status = colour(m, diag);
    else if (!strncmp(from, file_word, sizeof file_word - 1))
        status = open_file(m, from + sizeof file_word - 1, diag);
    else
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID,
                           "unknown matchings '%.40s'; give natural, symbols, edges or file:PATH", from);
    return GFAB_HAND_OVER(status, m, gfab_matchings_destroy, matchings);
}
