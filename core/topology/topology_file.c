/* SPDX-License-Identifier: MIT */
/* Graphs from files: edge lists, DOT, METIS (docs/reference/graph-files.md). */
#include "topology_internal.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES ((size_t)1 << 30)
#define NONE SIZE_MAX

/* A file's text, and where in it the reader stands. */
typedef struct text {
    char *bytes; /* ends in NUL, and has no other one */
    const char *at;
    uint32_t line;
    gfab_diag *diag;
} text;

#define FAIL(t, status, ...) gfab_fail((t)->diag, (t)->line, (status), __VA_ARGS__)

/* What a graph is read into. */
typedef struct graph {
    gfab_edges edges;
    size_t nodes;
} graph;

static gfab_status read_bytes(FILE *file, text *t)
{
    size_t size = 0, room = 0;
    do {
        if (size + 1 >= room) {
            room = room ? 2 * room : 4096;
            char *grown = realloc(t->bytes, room);
            if (!grown)
                return gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
            t->bytes = grown;
        }
        errno = 0;
        size += fread(t->bytes + size, 1, room - size - 1, file);
        if (ferror(file))
            return gfab_fail(t->diag, 0, GFAB_ERR_IO, "cannot read the file: %s", strerror(errno ? errno : EIO));
        if (size > MAX_FILE_BYTES)
            return gfab_fail(t->diag, 0, GFAB_ERR_LIMIT, "the file is larger than %zu bytes", MAX_FILE_BYTES);
    } while (!feof(file));
    t->bytes[size] = '\0';
    t->at = t->bytes;
    t->line = 1;
    const size_t length = strlen(t->bytes);
    for (size_t i = 0; length != size && i < length; i++)
        t->line += t->bytes[i] == '\n';
    return length == size ? GFAB_OK : FAIL(t, GFAB_ERR_PARSE, "a NUL byte");
}

static void skip_blanks(text *t)
{
    while (*t->at == ' ' || *t->at == '\t' || *t->at == '\r')
        t->at++;
}

static void skip_line(text *t)
{
    t->at += strcspn(t->at, "\n");
}

/* Past the end of this line; false at the end of the file. */
static bool next_line(text *t)
{
    skip_line(t);
    if (!*t->at)
        return false;
    t->at++;
    t->line++;
    return true;
}

static gfab_status read_number(text *t, uint64_t maximum, const char *what, uint64_t *number)
{
    const char *start = t->at;
    const gfab_number_status status = gfab_number_read(&t->at, maximum, number);
    if (status == GFAB_NUMBER_OVERFLOW)
        return FAIL(t, GFAB_ERR_LIMIT, "\"%.*s\" is too large; at most %" PRIu64 " is supported (%s)",
                    (int)strcspn(start, " \t\r\n") > 40 ? 40 : (int)strcspn(start, " \t\r\n"), start, maximum, what);
    if (status != GFAB_NUMBER_OK || !strchr(" \t\r\n#", *t->at)) {
        const int length = (int)strcspn(start, "\r\n");
        if (length == 0)
            return FAIL(t, GFAB_ERR_PARSE, "the line ends where a number is expected (%s)", what);
        return FAIL(t, GFAB_ERR_PARSE, "\"%.*s\": a number is expected (%s)", length > 40 ? 40 : length, start, what);
    }
    return GFAB_OK;
}

static gfab_status add_edge(text *t, graph *g, uint64_t from, uint64_t to)
{
    if (from == to)
        return FAIL(t, GFAB_ERR_INVALID, "a link from node %" PRIu64 " to itself", from);
    if (g->edges.count >= 2 * GFAB_MAX_GRAPH_LINKS)
        return FAIL(t, GFAB_ERR_LIMIT, "too many links; at most %zu are supported", GFAB_MAX_GRAPH_LINKS);
    gfab_edges_push(&g->edges, (size_t)from, (size_t)to, t->line);
    return GFAB_OK;
}

/* ---- edge lists ---- */

static gfab_status read_edge_list(text *t, graph *g)
{
    do {
        skip_blanks(t);
        if (*t->at == '\0' || *t->at == '\n' || *t->at == '#')
            continue;
        uint64_t node[2] = {0, 0};
        for (int end = 0; end < 2; end++) {
            skip_blanks(t);
            const gfab_status status = read_number(t, GFAB_MAX_NODES - 1, "a line is two node numbers", &node[end]);
            if (status != GFAB_OK)
                return status;
            if (node[end] >= g->nodes)
                g->nodes = (size_t)node[end] + 1;
        }
        skip_blanks(t);
        if (*t->at != '\0' && *t->at != '\n' && *t->at != '#') {
            const int length = (int)strcspn(t->at, "\r\n");
            return FAIL(t, GFAB_ERR_PARSE, "unexpected \"%.*s\" after two node numbers", length > 40 ? 40 : length,
                        t->at);
        }
        const gfab_status status = add_edge(t, g, node[0], node[1]);
        if (status != GFAB_OK)
            return status;
    } while (next_line(t));
    return GFAB_OK;
}

/* ---- METIS ---- */

/* Past lines of comments, which start with %. */
static void skip_comments(text *t)
{
    while (*t->at == '%' && next_line(t))
        continue;
}

static gfab_status read_metis_header(text *t, uint64_t *nodes, uint64_t *links)
{
    skip_comments(t);
    skip_blanks(t);
    gfab_status status = read_number(t, GFAB_MAX_NODES, "line 1 of METIS has the nodes, then the links", nodes);
    skip_blanks(t);
    if (status == GFAB_OK)
        status = read_number(t, GFAB_MAX_GRAPH_LINKS, "line 1 of METIS has the nodes, then the links", links);
    skip_blanks(t);
    if (status == GFAB_OK && *t->at != '\n' && *t->at != '\0') {
        const char *format = t->at;
        t->at += strspn(t->at, "0");
        skip_blanks(t);
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
static gfab_status check_both_ends(text *t, graph *g)
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
        const gfab_edge back = {{one.node[1], one.node[0]}, 0};
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

static gfab_status read_metis(text *t, graph *g)
{
    uint64_t nodes = 0, links = 0;
    gfab_status status = read_metis_header(t, &nodes, &links);
    for (uint64_t node = 0; node < nodes && status == GFAB_OK; node++) {
        const bool found = next_line(t);
        skip_comments(t);
        if (!found || (!*t->at && node + 1 < nodes))
            return FAIL(t, GFAB_ERR_PARSE, "the file ends at node %" PRIu64 " of %" PRIu64, node + 1, nodes);
        for (skip_blanks(t); *t->at != '\n' && *t->at != '\0' && status == GFAB_OK; skip_blanks(t)) {
            uint64_t other = 0;
            status = read_number(t, GFAB_MAX_NODES, "a line has the node's neighbours", &other);
            if (status == GFAB_OK && (other == 0 || other > nodes))
                status =
                    FAIL(t, GFAB_ERR_PARSE, "node %" PRIu64 " does not exist; nodes are 1 to %" PRIu64, other, nodes);
            if (status == GFAB_OK && other == node + 1)
                status = FAIL(t, GFAB_ERR_INVALID, "a link from node %" PRIu64 " to itself; nodes count from 1", other);
            if (status == GFAB_OK)
                status = add_edge(t, g, node, other - 1);
        }
    }
    if (status != GFAB_OK)
        return status;
    while (next_line(t)) {
        skip_comments(t);
        skip_blanks(t);
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

/* ---- DOT ---- */

/* The names of the nodes, numbered as they appear. Found by hashing; no order comes from the hash. */
typedef struct names {
    size_t *table; /* number of a name + 1, 0: free */
    size_t table_size;
    size_t *start; /* of name i in pool */
    size_t count, capacity;
    char *pool;
    size_t pool_size, pool_capacity;
} names;

typedef enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_LINK, TOKEN_SIGN } token_kind;

typedef struct token {
    token_kind kind;
    char sign;        /* TOKEN_SIGN */
    bool quoted;      /* TOKEN_NAME */
    const char *text; /* TOKEN_NAME: without quotes */
    size_t length;
} token;

static size_t hash_of(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

static const char *name_at(const names *n, size_t index)
{
    return n->pool + n->start[index];
}

static bool grow_table(names *n)
{
    const size_t size = n->table_size ? 2 * n->table_size : 64;
    size_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < n->count; i++) {
        size_t place = hash_of(name_at(n, i), strlen(name_at(n, i))) & (size - 1);
        while (table[place])
            place = (place + 1) & (size - 1);
        table[place] = i + 1;
    }
    free(n->table);
    n->table = table;
    n->table_size = size;
    return true;
}

/* The number of a name, a new one if it is new; NONE without memory. */
static size_t number_of(names *n, const char *name, size_t length)
{
    if (2 * n->count >= n->table_size && !grow_table(n))
        return NONE;
    size_t place = hash_of(name, length) & (n->table_size - 1);
    for (; n->table[place]; place = (place + 1) & (n->table_size - 1)) {
        const char *known = name_at(n, n->table[place] - 1);
        if (strncmp(known, name, length) == 0 && !known[length])
            return n->table[place] - 1;
    }
    if (n->count == n->capacity) {
        const size_t capacity = n->capacity ? 2 * n->capacity : 64;
        size_t *start = realloc(n->start, capacity * sizeof *start);
        if (!start)
            return NONE;
        n->start = start;
        n->capacity = capacity;
    }
    if (n->pool_capacity - n->pool_size < length + 1) {
        const size_t capacity = 2 * n->pool_capacity + length + 256;
        char *pool = realloc(n->pool, capacity);
        if (!pool)
            return NONE;
        n->pool = pool;
        n->pool_capacity = capacity;
    }
    memcpy(n->pool + n->pool_size, name, length);
    n->pool[n->pool_size + length] = '\0';
    n->start[n->count] = n->pool_size;
    n->pool_size += length + 1;
    n->table[place] = n->count + 1;
    return n->count++;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Blanks, line ends, comments; false where a comment does not end. */
static bool skip_space(text *t)
{
    for (;; t->at++) {
        if (*t->at == '\n') {
            t->line++;
        } else if ((t->at[0] == '/' && t->at[1] == '/') ||
                   (*t->at == '#' && (t->at == t->bytes || t->at[-1] == '\n'))) {
            skip_line(t);
            t->at--;
        } else if (t->at[0] == '/' && t->at[1] == '*') {
            const char *end = strstr(t->at + 2, "*/");
            if (!end)
                return false;
            for (; t->at < end + 1; t->at++)
                t->line += *t->at == '\n';
        } else if (*t->at != ' ' && *t->at != '\t' && *t->at != '\r')
            return true;
    }
}

static gfab_status next_token(text *t, token *k)
{
    *k = (token){.kind = TOKEN_END};
    if (!skip_space(t))
        return FAIL(t, GFAB_ERR_PARSE, "a comment without an end");
    k->text = t->at;
    if (!*t->at)
        return GFAB_OK;
    k->kind = TOKEN_NAME;
    if (is_letter(*t->at)) {
        while (is_letter(*t->at) || is_digit(*t->at))
            t->at++;
    } else if (is_digit(*t->at) || *t->at == '.' || (*t->at == '-' && (is_digit(t->at[1]) || t->at[1] == '.'))) {
        do
            t->at++;
        while (is_digit(*t->at) || *t->at == '.');
    } else if (*t->at == '"') {
        const uint32_t line = t->line;
        for (t->at++; *t->at && *t->at != '"'; t->at++) {
            if (t->at[0] == '\\' && t->at[1])
                t->at++;
            t->line += *t->at == '\n';
        }
        if (!*t->at) {
            t->line = line;
            return FAIL(t, GFAB_ERR_PARSE, "a quoted name without an end");
        }
        k->quoted = true;
        k->length = (size_t)(t->at++ - ++k->text);
        return GFAB_OK;
    } else if (t->at[0] == '-' && t->at[1] == '-') {
        k->kind = TOKEN_LINK;
        t->at += 2;
    } else if (t->at[0] == '-' && t->at[1] == '>')
        return FAIL(t, GFAB_ERR_UNSUPPORTED, "\"->\": links have no direction; write --");
    else {
        k->kind = TOKEN_SIGN;
        k->sign = *t->at++;
    }
    k->length = (size_t)(t->at - k->text);
    return GFAB_OK;
}

static bool is_sign(const token *k, char sign)
{
    return k->kind == TOKEN_SIGN && k->sign == sign;
}

/* Keywords are written in any case. */
static bool is_word(const token *k, const char *word)
{
    if (k->kind != TOKEN_NAME || k->quoted || k->length != strlen(word))
        return false;
    for (size_t i = 0; i < k->length; i++)
        if ((k->text[i] | 32) != word[i])
            return false;
    return true;
}

static gfab_status unexpected(text *t, const token *k, const char *expected)
{
    if (k->kind == TOKEN_END)
        return FAIL(t, GFAB_ERR_PARSE, "the file ends where %s is expected", expected);
    return FAIL(t, GFAB_ERR_PARSE, "\"%.*s\" where %s is expected", k->length > 40 ? 40 : (int)k->length, k->text,
                expected);
}

/* Past [ ... ], any number of them; k is the token before and the one after. */
static gfab_status skip_attributes(text *t, token *k)
{
    gfab_status status = GFAB_OK;
    while (status == GFAB_OK && is_sign(k, '[')) {
        do
            status = next_token(t, k);
        while (status == GFAB_OK && k->kind != TOKEN_END && !is_sign(k, ']'));
        if (status == GFAB_OK && k->kind == TOKEN_END)
            return FAIL(t, GFAB_ERR_PARSE, "the file ends where ] is expected");
        if (status == GFAB_OK)
            status = next_token(t, k);
    }
    return status;
}

/* NAME -- NAME -- ...; k is the first name and the token after. */
static gfab_status read_dot_chain(text *t, graph *g, names *n, token *k)
{
    gfab_status status = GFAB_OK;
    size_t before = NONE;
    bool more = true;
    while (status == GFAB_OK && more) {
        if (k->kind != TOKEN_NAME)
            return unexpected(t, k, "a node's name");
        if (is_word(k, "subgraph") || is_word(k, "graph") || is_word(k, "node") || is_word(k, "edge"))
            return FAIL(t, GFAB_ERR_UNSUPPORTED, "\"%.*s\" is no node's name", (int)k->length, k->text);
        const uint32_t line = t->line;
        const size_t node = number_of(n, k->text, k->length);
        if (node == NONE)
            return gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
        if (node >= GFAB_MAX_NODES)
            return FAIL(t, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
        if (before == node)
            return FAIL(t, GFAB_ERR_INVALID, "a link from node %.40s to itself", name_at(n, node));
        if (before != NONE)
            status = add_edge(t, g, before, node);
        if (status == GFAB_OK)
            status = next_token(t, k);
        if (status == GFAB_OK && is_sign(k, ':')) {
            t->line = line;
            return FAIL(t, GFAB_ERR_UNSUPPORTED, "ports of nodes (name:port) are not read");
        }
        before = node;
        more = status == GFAB_OK && k->kind == TOKEN_LINK;
        if (more)
            status = next_token(t, k);
    }
    return status;
}

/* A statement; k is its first token and the first after it. */
static gfab_status read_statement(text *t, graph *g, names *n, token *k)
{
    gfab_status status = GFAB_OK;
    const char *next = t->at + strspn(t->at, " \t\r\n");
    if (is_word(k, "subgraph") || is_sign(k, '{'))
        return FAIL(t, GFAB_ERR_UNSUPPORTED, "subgraphs are not read; write each link as a -- b");
    if (is_word(k, "graph") || is_word(k, "node") || is_word(k, "edge")) {
        status = next_token(t, k);
        if (status == GFAB_OK && !is_sign(k, '['))
            return unexpected(t, k, "[");
    } else if (k->kind == TOKEN_NAME && *next == '=') {
        status = next_token(t, k);
        if (status == GFAB_OK)
            status = next_token(t, k);
        if (status == GFAB_OK && k->kind != TOKEN_NAME)
            return unexpected(t, k, "an attribute's value");
        if (status == GFAB_OK)
            status = next_token(t, k);
    } else
        status = read_dot_chain(t, g, n, k);
    if (status == GFAB_OK)
        status = skip_attributes(t, k);
    if (status == GFAB_OK && is_sign(k, ';'))
        status = next_token(t, k);
    return status;
}

/* Where all names are numbers they are the nodes' numbers. */
static void number_nodes(graph *g, const names *n, uint32_t *numbers)
{
    g->nodes = n->count;
    size_t highest = 0;
    for (size_t i = 0; i < n->count; i++) {
        const char *at = name_at(n, i);
        uint64_t number = 0;
        if (gfab_number_read(&at, GFAB_MAX_NODES - 1, &number) != GFAB_NUMBER_OK || *at)
            return;
        numbers[i] = (uint32_t)number;
        if (number > highest)
            highest = (size_t)number;
    }
    if (n->count)
        g->nodes = highest + 1;
    for (size_t i = 0; i < g->edges.count; i++)
        for (int end = 0; end < 2; end++)
            g->edges.at[i].node[end] = numbers[g->edges.at[i].node[end]];
}

static gfab_status read_dot_text(text *t, graph *g, names *n)
{
    token k;
    gfab_status status = next_token(t, &k);
    if (status == GFAB_OK && is_word(&k, "strict"))
        status = next_token(t, &k);
    if (status == GFAB_OK && is_word(&k, "digraph"))
        return FAIL(t, GFAB_ERR_UNSUPPORTED, "digraph: links have no direction; write graph");
    if (status == GFAB_OK && !is_word(&k, "graph"))
        return unexpected(t, &k, "graph");
    if (status == GFAB_OK)
        status = next_token(t, &k);
    if (status == GFAB_OK && k.kind == TOKEN_NAME)
        status = next_token(t, &k);
    if (status == GFAB_OK && !is_sign(&k, '{'))
        return unexpected(t, &k, "{");
    if (status == GFAB_OK)
        status = next_token(t, &k);
    while (status == GFAB_OK && !is_sign(&k, '}'))
        status = k.kind == TOKEN_END ? unexpected(t, &k, "}") : read_statement(t, g, n, &k);
    if (status == GFAB_OK)
        status = next_token(t, &k);
    return status == GFAB_OK && k.kind != TOKEN_END ? unexpected(t, &k, "the end of the file") : status;
}

static gfab_status read_dot(text *t, graph *g)
{
    names n = {0};
    gfab_status status = read_dot_text(t, g, &n);
    uint32_t *numbers = status == GFAB_OK ? malloc((n.count + 1) * sizeof *numbers) : NULL;
    if (numbers)
        number_nodes(g, &n, numbers);
    else if (status == GFAB_OK)
        status = gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    free(numbers);
    free(n.table);
    free(n.start);
    free(n.pool);
    return status;
}

/* ---- all ---- */

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

/* METIS by its extension, as its first line looks like an edge; DOT by extension, or as it starts with a letter or a C
 * comment; else an edge list. */
static gfab_status read_text(text *t, const char *path, graph *g)
{
    if (ends_in(path, ".metis") || ends_in(path, ".graph"))
        return read_metis(t, g);
    const char *first = t->bytes;
    while (*first == '#' || strchr(" \t\r\n", *first)) {
        if (!*first)
            break;
        first += *first == '#' ? strcspn(first, "\n") : 1;
    }
    if (ends_in(path, ".dot") || ends_in(path, ".gv") || is_letter(*first) || *first == '/')
        return read_dot(t, g);
    return read_edge_list(t, g);
}

/* file:NAME, with _ for characters that would need quotes somewhere. */
static void name_after(gfab_topology *topology, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(topology->name, sizeof topology->name, "file:%.55s", slash ? slash + 1 : path);
    for (char *c = topology->name; *c; c++)
        if (!(is_letter(*c) && (unsigned char)*c < 128) && !is_digit(*c) && !strchr(":,=+-._", *c))
            *c = '_';
}

gfab_status gfab_graph_file_read(const char *path, gfab_topology **topology, gfab_diag *diag)
{
    graph g = {.nodes = 0};
    text t = {.diag = diag};
    if (!*path)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "the name of a file is missing; write file:PATH");
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot read the file: %s", strerror(errno));
    gfab_status status = read_bytes(file, &t);
    fclose(file);
    if (status == GFAB_OK)
        status = read_text(&t, path, &g);
    if (status == GFAB_OK && g.edges.failed)
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    if (status == GFAB_OK && g.nodes == 0)
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "the file has no link");
    if (status == GFAB_OK && gfab_edges_sort(&g.edges, g.nodes) != GFAB_OK)
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    if (status == GFAB_OK)
        status = gfab_edges_check_simple(&g.edges, diag);
    for (size_t i = 0; i < g.edges.count && status == GFAB_OK; i++) {
        gfab_edge *edge = &g.edges.at[i];
        const bool falls = edge->node[0] > edge->node[1];
        *edge = (gfab_edge){{edge->node[falls], edge->node[!falls]}, edge->line};
    }
    if (status == GFAB_OK)
        status = gfab_graph_create(g.nodes, &g.edges, NULL, topology, diag);
    if (status == GFAB_OK)
        name_after(*topology, path);
    free(g.edges.at);
    free(t.bytes);
    return status;
}
