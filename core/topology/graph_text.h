/* SPDX-License-Identifier: MIT */
/* Private to the readers of graph files: a file's text, where in it a reader stands, and the links it has read. */
#ifndef GOSSIPFAB_GRAPH_TEXT_H
#define GOSSIPFAB_GRAPH_TEXT_H

#include "topology_internal.h"

#include <stdio.h>

typedef struct gfab_graph_text {
    char *bytes; /* ends in NUL, and has no other one */
    const char *at;
    uint32_t line;
    gfab_diag *diag;
} gfab_graph_text;

/* What a graph is read into. */
typedef struct gfab_graph_links {
    gfab_edges edges;
    size_t nodes;
} gfab_graph_links;

/* A failure in the line where the reader stands. */
#define FAIL(t, status, ...) gfab_fail((t)->diag, (t)->line, (status), __VA_ARGS__)

/* The whole file into text, whose diag is set; bytes is the caller's to free, also where this fails. */
gfab_status gfab_graph_text_read(FILE *file, gfab_graph_text *t);
void gfab_graph_text_skip_blanks(gfab_graph_text *t);
/* Up to the end of this line. */
void gfab_graph_text_skip_line(gfab_graph_text *t);
/* Past the end of this line; false at the end of the file. */
bool gfab_graph_text_next_line(gfab_graph_text *t);
/* A number up to maximum; what says in messages what it is for. */
gfab_status gfab_graph_text_number(gfab_graph_text *t, uint64_t maximum, const char *what, uint64_t *number);
/* Appends a link that stands in this line. */
gfab_status gfab_graph_text_link(gfab_graph_text *t, gfab_graph_links *g, uint64_t from, uint64_t to);

static inline bool gfab_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static inline bool gfab_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* topology_dot.c */
gfab_status gfab_graph_read_dot(gfab_graph_text *t, gfab_graph_links *g);

#endif
