/* SPDX-License-Identifier: MIT */
/* Graphs as lists behind a line that says how many nodes there are: Matrix Market's coordinates (Boisvert, Pozo,
 * Remington, The Matrix Market exchange formats, 1996) and Pajek's *Vertices, *Edges and *Arcs. Nodes count from 1 in
 * both. A matrix that is symmetric has each link once; in a general one an entry is an arc. */
#include "graphs/readers.h"

#include <inttypes.h>
#include <string.h>

enum { WORDS = 4 };

/* A number of a word from 1 to most; 0: it is none. */
static uint64_t number_of(const gfab_graph_word *word, uint64_t most)
{
    uint64_t number = 0;
    for (size_t i = 0; i < word->length; i++) {
        if (!gfab_is_digit(word->at[i]) || number > most)
            return 0;
        number = 10 * number + (uint64_t)(word->at[i] - '0');
    }
    return number <= most ? number : 0;
}

/* Two nodes, and what the third word says of the link. */
static gfab_status read_link(gfab_graph_text *t, gfab_graph_links *g, const gfab_graph_word *words, size_t count,
                             bool one_way, uint64_t nodes)
{
    const uint64_t from = count > 0 ? number_of(&words[0], nodes) : 0, to = count > 1 ? number_of(&words[1], nodes) : 0;
    const char *known = NULL;
    gfab_graph_load load = {0, 0};
    if (!from || !to)
        return FAIL(t, GFAB_ERR_PARSE, "two nodes from 1 to %" PRIu64 " are expected", nodes);
    GFAB_TRY(gfab_graph_text_link(t, g, from - 1, to - 1, one_way, 1, NULL));
    if (count > 2)
        GFAB_TRY(gfab_graph_attribute(g, t, "weight", 6, true, &known));
    if (known)
        GFAB_TRY(gfab_graph_text_load(t, g, known, words[2].at, words[2].length, &load));
    return gfab_graph_load_link(g, t, g->edges.count - 1, &load);
}

/* ---- Matrix Market ---- */

/* %%MatrixMarket matrix coordinate pattern|integer|real general|symmetric */
static gfab_status read_banner(gfab_graph_text *t, bool *general, bool *pattern)
{
    gfab_graph_word words[6];
    const size_t count = gfab_graph_words(t, "", words, 6);
    if (count < 5 || !gfab_graph_word_is(&words[1], "matrix") || !gfab_graph_word_is(&words[2], "coordinate"))
        return FAIL(
            t, GFAB_ERR_UNSUPPORTED,
            "Matrix Market: \"matrix coordinate pattern\" (or integer, real) \"symmetric\" (or general) is read");
    *pattern = gfab_graph_word_is(&words[3], "pattern");
    *general = gfab_graph_word_is(&words[4], "general");
    if (!*general && !gfab_graph_word_is(&words[4], "symmetric") && !gfab_graph_word_is(&words[4], "skew-symmetric"))
        return FAIL(t, GFAB_ERR_UNSUPPORTED,
                    "Matrix Market: general, symmetric or skew-symmetric is expected, not \"%.*s\"",
                    words[4].length > 40 ? 40 : (int)words[4].length, words[4].at);
    if (!*pattern && !gfab_graph_word_is(&words[3], "integer") && !gfab_graph_word_is(&words[3], "real"))
        return FAIL(t, GFAB_ERR_UNSUPPORTED, "Matrix Market: pattern, integer or real is expected, not \"%.*s\"",
                    words[3].length > 40 ? 40 : (int)words[3].length, words[3].at);
    return GFAB_OK;
}

/* The words of the next line that has some, past comments; 0 at the end. */
static size_t next_words(gfab_graph_text *t, gfab_graph_word words[WORDS])
{
    size_t count = 0;
    while (count == 0 && gfab_graph_text_next_line(t))
        count = *t->at == '%' ? 0 : gfab_graph_words(t, "", words, WORDS);
    return count;
}

gfab_status gfab_graph_read_matrix_market(gfab_graph_text *t, gfab_graph_links *g)
{
    gfab_graph_word words[WORDS];
    bool general = false, pattern = false;
    uint64_t entries = 0, found = 0;
    gfab_status status = read_banner(t, &general, &pattern);
    if (status != GFAB_OK)
        return status;
    size_t count = next_words(t, words);
    const uint64_t rows = count == 3 ? number_of(&words[0], GFAB_MAX_NODES) : 0;
    entries = count == 3 ? number_of(&words[2], UINT32_MAX) : 0;
    if (!rows || number_of(&words[1], GFAB_MAX_NODES) != rows)
        return FAIL(t, GFAB_ERR_PARSE, "Matrix Market: rows, as many columns, and entries are expected");
    g->nodes = (size_t)rows;
    while (status == GFAB_OK && (count = next_words(t, words)) > 0) {
        if (count != (pattern ? 2 : 3))
            status = FAIL(t, GFAB_ERR_PARSE, "Matrix Market: a line has two nodes%s", pattern ? "" : " and a value");
        GFAB_THEN(status, read_link(t, g, words, count, general, rows));
        found++;
    }
    if (status == GFAB_OK && found != entries)
        status = gfab_fail(t->diag, 0, GFAB_ERR_PARSE, "Matrix Market: %" PRIu64 " entries; its heading says %" PRIu64,
                           found, entries);
    return status;
}

/* ---- Pajek ---- */

typedef enum part { NO_PART, VERTICES, EDGES, ARCS, EDGE_LISTS, ARC_LISTS, OTHER } part;

/* A line that begins with *. */
static gfab_status read_part(gfab_graph_text *t, gfab_graph_links *g, part *p, uint64_t *nodes)
{
    static const struct {
        const char *name;
        part part;
    } parts[] = {{"*vertices", VERTICES}, {"*edgeslist", EDGE_LISTS}, {"*arcslist", ARC_LISTS}, {"*edges", EDGES},
                 {"*arcs", ARCS},         {"*network", NO_PART}};
    gfab_graph_word words[2];
    const size_t count = gfab_graph_words(t, "", words, 2);
    *p = OTHER;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && *p == OTHER; i++) {
        size_t c = 0;
        while (c < words[0].length && (words[0].at[c] | 32) == (parts[i].name[c] | 32))
            c++;
        if (c == words[0].length && !parts[i].name[c])
            *p = parts[i].part;
    }
    if (*p == OTHER)
        return FAIL(t, GFAB_ERR_UNSUPPORTED,
                    "Pajek: \"%.*s\"; *Vertices, *Edges, *Arcs, *Edgeslist and *Arcslist are read",
                    words[0].length > 40 ? 40 : (int)words[0].length, words[0].at);
    if (*p != VERTICES)
        return GFAB_OK;
    if (*nodes)
        return FAIL(t, GFAB_ERR_UNSUPPORTED, "Pajek: a second *Vertices; one network is read");
    *nodes = count > 1 ? number_of(&words[1], GFAB_MAX_NODES) : 0;
    g->nodes = (size_t)*nodes;
    return *nodes ? GFAB_OK : FAIL(t, GFAB_ERR_PARSE, "Pajek: *Vertices and how many are expected");
}

/* A node and its neighbours, as many as there are. */
static gfab_status read_neighbours(gfab_graph_text *t, gfab_graph_links *g, bool one_way, uint64_t nodes)
{
    gfab_graph_word words[2];
    const char *end = t->at + strcspn(t->at, "\n");
    gfab_status status = GFAB_OK;
    for (size_t i = 0; status == GFAB_OK; i++) {
        gfab_graph_text_skip_blanks(t);
        if (t->at >= end)
            break;
        words[i > 0] = (gfab_graph_word){t->at, strcspn(t->at, " \t\r\n")};
        t->at += words[i > 0].length;
        if (i > 0)
            status = read_link(t, g, words, 2, one_way, nodes);
    }
    return status;
}

static gfab_status read_line(gfab_graph_text *t, gfab_graph_links *g, part p, uint64_t nodes)
{
    gfab_graph_word words[WORDS];
    if (nodes == 0)
        return FAIL(t, GFAB_ERR_PARSE, "Pajek: *Vertices is expected first");
    if (p == EDGE_LISTS || p == ARC_LISTS)
        return read_neighbours(t, g, p == ARC_LISTS, nodes);
    const size_t count = gfab_graph_words(t, "", words, WORDS);
    if (p != VERTICES)
        return read_link(t, g, words, count, p == ARCS, nodes);
    const uint64_t node = number_of(&words[0], nodes);
    if (!node)
        return FAIL(t, GFAB_ERR_PARSE, "Pajek: a vertex from 1 to %" PRIu64 " is expected", nodes);
    return count > 1 ? gfab_graph_call(g, t, (size_t)node - 1, words[1].at, words[1].length) : GFAB_OK;
}

gfab_status gfab_graph_read_pajek(gfab_graph_text *t, gfab_graph_links *g)
{
    part p = NO_PART;
    uint64_t nodes = 0;
    do {
        gfab_graph_text_skip_blanks(t);
        if (*t->at == '*')
            GFAB_TRY(read_part(t, g, &p, &nodes));
        else if (*t->at && *t->at != '\n' && *t->at != '%' && p != NO_PART)
            GFAB_TRY(read_line(t, g, p, nodes));
    } while (gfab_graph_text_next_line(t));
    return GFAB_OK;
}
