/* SPDX-License-Identifier: MIT */
/* Graphs as plain lists: edge lists, and METIS. */
#include "graphs/readers.h"

#include <inttypes.h>
#include <string.h>

/* ---- words of a line ---- */

size_t gfab_graph_words(gfab_graph_text *t, const char *separators, gfab_graph_word *words, size_t room)
{
    size_t count = 0;
    for (gfab_graph_text_skip_blanks(t); *t->at && *t->at != '\n'; gfab_graph_text_skip_blanks(t)) {
        const char *start = t->at;
        const char close = *start == '"' || *start == '\'' ? *start : *start == '{' ? '}' : '\0';
        const size_t inner = close ? 1 + strcspn(start + 1, close == '"' ? "\"\n" : close == '}' ? "}\n" : "'\n") : 0;
        const bool closed = close && start[inner] == close;
        size_t plain = 0; /* not strcspn() to a separator: there may be none up to the end of the file */
        while (!strchr(" \t\r\n", start[plain]) && !strchr(separators, start[plain]))
            plain++;
        const size_t length = closed ? inner + 1 : plain;
        if (count < room)
            words[count] =
                closed && close != '}' ? (gfab_graph_word){start + 1, inner - 1} : (gfab_graph_word){start, length};
        count++;
        t->at += length;
        gfab_graph_text_skip_blanks(t);
        t->at += *t->at && *t->at != '\n' && strchr(separators, *t->at);
    }
    return count < room ? count : room;
}

bool gfab_graph_word_is(const gfab_graph_word *word, const char *text)
{
    return strlen(text) == word->length && memcmp(word->at, text, word->length) == 0;
}

/* ---- edge lists ---- */

/* U V, U V W, U -> V, U V {'weight': W}; between them blanks, commas or semicolons. What stands behind # is a comment,
 * and so are lines that begin with % or //. The first line may name the columns. Names are those of nodes: numbers from
 * 0 on without gaps are theirs. */
enum { EDGE_WORDS = 5 };

static const char separators[] = ",;";

static const char *const columns[2][9] = {{"source", "from", "src", "node1", "u", "start", "fromnodeid", "id1", NULL},
                                          {"target", "to", "dst", "node2", "v", "end", "tonodeid", "id2", NULL}};

/* The words of an edge's line, without what is a comment. */
static size_t edge_words(gfab_graph_text *t, gfab_graph_word words[EDGE_WORDS])
{
    gfab_graph_text_skip_blanks(t);
    const bool comment = *t->at == '%' || (t->at[0] == '/' && t->at[1] == '/');
    size_t count = comment ? 0 : gfab_graph_words(t, separators, words, EDGE_WORDS), kept = 0;
    gfab_graph_text_skip_line(t);
    while (kept < count && *words[kept].at != '#')
        kept++;
    return kept;
}

static bool is_arrow(const gfab_graph_word *word)
{
    return gfab_graph_word_is(word, "->") || gfab_graph_word_is(word, "--");
}

static bool is_number(const gfab_graph_word *word)
{
    size_t i = word->length > 1 && strchr("+-", *word->at) ? 1 : 0;
    while (i < word->length && strchr("0123456789.eE+-", word->at[i]))
        i++;
    return word->length > 0 && i == word->length && strpbrk(word->at, "0123456789") < word->at + word->length;
}

static bool is_heading(const gfab_graph_word *words, size_t count)
{
    int found = 0;
    for (size_t end = 0; end < 2 && count >= 2; end++)
        for (const char *const *name = columns[end]; *name; name++) {
            size_t c = 0;
            while (c < words[end].length && (words[end].at[c] | 32) == (*name)[c])
                c++;
            found += !(*name)[c] && c == words[end].length;
        }
    return found == 2;
}

static bool is_edge(const gfab_graph_word *words, size_t count)
{
    const size_t ends = count >= 3 && is_arrow(&words[1]) ? 3 : 2;
    return count == ends || (count == ends + 1 && (is_number(&words[ends]) || *words[ends].at == '{'));
}

/* A node's number, as those of files without names are: digits. */
static bool is_node_number(const gfab_graph_word *word)
{
    size_t digits = 0;
    while (digits < word->length && gfab_is_digit(word->at[digits]))
        digits++;
    return digits > 0 && digits == word->length && (digits == 1 || *word->at != '0');
}

/* All of its first lines are edges; where they begin with a number, and then another or an arrow, the first alone. */
bool gfab_graph_is_edge_list(const char *first)
{
    enum { LINES = 100 };
    gfab_graph_text t = {.at = first};
    gfab_graph_word words[EDGE_WORDS];
    bool some = false;
    for (size_t line = 0; line < LINES; line++) {
        const size_t count = edge_words(&t, words);
        if (!some && is_heading(words, count))
            return true;
        if (!some && count >= 2 && is_number(&words[0]) && (is_number(&words[1]) || is_arrow(&words[1])))
            return true;
        if (count > 0 && !is_edge(words, count))
            return false;
        some = some || count > 0;
        if (!gfab_graph_text_next_line(&t))
            break;
    }
    return some;
}

/* 3, or what {'weight': 3} has. */
static gfab_status read_weight(gfab_graph_text *t, gfab_graph_links *g, const char *name, const gfab_graph_word *word)
{
    gfab_graph_load load = {0, 0};
    const char *known = NULL, *at = word->at, *end = word->at + word->length;
    gfab_status status = GFAB_OK;
    if (*at != '{') {
        status = gfab_graph_attribute(g, t, name, strlen(name), true, &known);
        if (status == GFAB_OK && known)
            status = gfab_graph_text_load(t, g, known, word->at, word->length, &load);
    }
    while (*at == '{' || *at == ',') {
        at += 1 + strspn(at + 1, " '\"");
        const size_t length = strcspn(at, "'\":}");
        const char *value = at + length + strspn(at + length, " '\":");
        const size_t bytes = strcspn(value, ",'\" }");
        if (length == 0 || value >= end)
            break;
        status = gfab_graph_attribute(g, t, at, length, true, &known);
        if (status == GFAB_OK && known)
            status = gfab_graph_text_load(t, g, known, value, bytes, &load);
        if (status != GFAB_OK)
            return status;
        at = value + bytes + strspn(value + bytes, "'\" ");
    }
    GFAB_THEN(status, gfab_graph_load_link(g, t, g->edges.count - 1, &load));
    return status;
}

/* What a heading calls the third column. */
static void read_heading(const gfab_graph_word *words, size_t count, char third[GFAB_ATTRIBUTE_BYTES])
{
    if (count < 3 || words[2].length >= GFAB_ATTRIBUTE_BYTES)
        return;
    memcpy(third, words[2].at, words[2].length);
    third[words[2].length] = '\0';
}

/* Where the first edge is of numbers all are: a word among them is a slip. */
static gfab_status check_ends(gfab_graph_text *t, const gfab_graph_names *names, const gfab_graph_word ends[2])
{
    const char *first = names->count > 0 ? gfab_graph_name(names, 0) : NULL;
    const gfab_graph_word before = {first, first ? strlen(first) : 0};
    for (int end = 0; first && is_node_number(&before) && end < 2; end++)
        if (!is_node_number(&ends[end]))
            return FAIL(t, GFAB_ERR_PARSE, "\"%.*s\" is no number, and the nodes before are",
                        ends[end].length > 40 ? 40 : (int)ends[end].length, ends[end].at);
    return GFAB_OK;
}

static gfab_status read_edge(gfab_graph_text *t, gfab_graph_links *g, gfab_graph_names *names, const char *third,
                             const gfab_graph_word *words, size_t count)
{
    const bool arrow = count >= 3 && is_arrow(&words[1]), one_way = arrow && words[1].at[1] == '>';
    const gfab_graph_word ends[2] = {words[0], words[arrow ? 2 : 1]};
    const size_t used = arrow ? 3 : 2;
    size_t node[2] = {0, 0};
    if (count < used || ends[0].length == 0 || ends[1].length == 0 || is_arrow(&ends[0]) || is_arrow(&ends[1]))
        return FAIL(t, GFAB_ERR_PARSE, "one node; a line of an edge list has two, and perhaps a weight");
    if (count > used + 1 || (count > used && !is_number(&words[used]) && *words[used].at != '{'))
        return FAIL(t, GFAB_ERR_PARSE, "unexpected \"%.*s\" after two nodes",
                    words[used].length > 40 ? 40 : (int)words[used].length, words[used].at);
    GFAB_TRY(check_ends(t, names, ends));
    GFAB_TRY(gfab_graph_names_number(names, t, ends[0].at, ends[0].length, &node[0]));
    GFAB_TRY(gfab_graph_names_number(names, t, ends[1].at, ends[1].length, &node[1]));
    GFAB_TRY(gfab_graph_text_link(t, g, node[0], node[1], one_way, 1, gfab_graph_name(names, node[0])));
    if (count > used && !g->edges.failed)
        GFAB_TRY(read_weight(t, g, third, &words[used]));
    return GFAB_OK;
}

gfab_status gfab_graph_read_edge_list(gfab_graph_text *t, gfab_graph_links *g)
{
    gfab_graph_names names = {.count = 0};
    gfab_graph_word words[EDGE_WORDS];
    char third[GFAB_ATTRIBUTE_BYTES] = "weight";
    bool begun = false;
    gfab_status status = GFAB_OK;
    do {
        const size_t count = edge_words(t, words);
        const bool heading = !begun && is_heading(words, count);
        begun = begun || count > 0;
        if (heading)
            read_heading(words, count, third);
        else if (count > 0)
            status = read_edge(t, g, &names, third, words, count);
    } while (status == GFAB_OK && gfab_graph_text_next_line(t));
    GFAB_THEN(status, gfab_graph_names_apply(&names, g, t));
    gfab_graph_names_release(&names);
    return status;
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
    GFAB_TRY(gfab_graph_text_number(t, GFAB_MAX_NODES, "a line has the node's neighbours", &other));
    if (other == 0 || other > m->nodes)
        return FAIL(t, GFAB_ERR_PARSE, "node %" PRIu64 " does not exist; nodes are 1 to %" PRIu64, other, m->nodes);
    if (other == node + 1)
        return FAIL(t, GFAB_ERR_INVALID, "a link from node %" PRIu64 " to itself; nodes count from 1", other);
    if (m->edge_weight) {
        gfab_graph_text_skip_blanks(t);
        GFAB_TRY(gfab_graph_text_number(t, GFAB_MAX_WEIGHT, "a neighbour is followed by the link's weight", &weight));
        if (weight == 0)
            return FAIL(t, GFAB_ERR_INVALID, "a link of no packets a round; at least 1");
    }
    return gfab_graph_text_link(t, g, node, other - 1, false, (uint32_t)weight, NULL);
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
