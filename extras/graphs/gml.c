/* SPDX-License-Identifier: MIT */
/* Graphs in GML (Himsolt, GML: a portable graph file format, 1997): keys with numbers, texts or lists in brackets. */
#include "graphs/readers.h"

#include <string.h>

#define MAX_DEPTH 64

typedef enum token_kind { TOKEN_END, TOKEN_KEY, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_OPEN, TOKEN_CLOSE } token_kind;

typedef struct token {
    token_kind kind;
    const char *text; /* without quotes */
    size_t length;
} token;

/* The values of a node or an edge; text NULL: not given. */
typedef struct entry {
    token id, source, target, label, relay;
    gfab_graph_load load;
} entry;

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_graph_names names; /* of ids */
    bool directed, found;
} reader;

static gfab_status next(gfab_graph_text *t, token *k)
{
    for (; *t->at == '#' || (*t->at && strchr(" \t\r\n", *t->at)); t->at++) {
        if (*t->at == '#')
            gfab_graph_text_skip_line(t);
        t->line += *t->at == '\n';
        if (!*t->at)
            break;
    }
    *k = (token){TOKEN_END, t->at, 0};
    if (!*t->at)
        return GFAB_OK;
    if (*t->at == '[' || *t->at == ']') {
        k->kind = *t->at++ == '[' ? TOKEN_OPEN : TOKEN_CLOSE;
    } else if (*t->at == '"') {
        const uint32_t line = t->line;
        k->kind = TOKEN_TEXT;
        for (k->text = ++t->at; *t->at && *t->at != '"'; t->at++)
            t->line += *t->at == '\n';
        k->length = (size_t)(t->at - k->text);
        if (*t->at++)
            return GFAB_OK;
        t->at--;
        t->line = line;
        return FAIL(t, GFAB_ERR_PARSE, "a text without an end");
    } else {
        k->kind = gfab_is_letter(*t->at) ? TOKEN_KEY : TOKEN_NUMBER;
        t->at += strcspn(t->at, " \t\r\n[]\"#");
        if (t->at == k->text)
            t->at++;
    }
    k->length = (size_t)(t->at - k->text);
    return GFAB_OK;
}

static bool is_key(const token *k, const char *name)
{
    return k->kind == TOKEN_KEY && k->length == strlen(name) && memcmp(k->text, name, k->length) == 0;
}

static gfab_status unexpected(gfab_graph_text *t, const token *k, const char *expected)
{
    return gfab_graph_text_unexpected(t, k->kind == TOKEN_END ? NULL : k->text, k->length, expected);
}

/* Past a list that was opened. */
static gfab_status skip_list(gfab_graph_text *t)
{
    token k;
    for (size_t depth = 1; depth > 0;) {
        GFAB_TRY(next(t, &k));
        if (k.kind == TOKEN_END)
            return unexpected(t, &k, "]");
        depth = k.kind == TOKEN_OPEN ? depth + 1 : k.kind == TOKEN_CLOSE ? depth - 1 : depth;
        if (depth > MAX_DEPTH)
            return FAIL(t, GFAB_ERR_LIMIT, "more than %d lists, each in the one before", MAX_DEPTH);
    }
    return GFAB_OK;
}

/* The value behind a key; a list is passed over, and its kind is TOKEN_OPEN. */
static gfab_status read_value(gfab_graph_text *t, token *value)
{
    GFAB_TRY(next(t, value));
    if (value->kind == TOKEN_OPEN)
        return skip_list(t);
    if (value->kind == TOKEN_KEY && (is_key(value, "NAN") || is_key(value, "INF")))
        value->kind = TOKEN_NUMBER; /* as networkx writes them */
    if (value->kind != TOKEN_NUMBER && value->kind != TOKEN_TEXT)
        return unexpected(t, value, "a value");
    return GFAB_OK;
}

/* A value of a node or an edge: one that all have, or an attribute. */
static gfab_status take_value(reader *r, const token *key, const token *value, bool of_link, entry *e)
{
    const char *known = NULL;
    token *place = is_key(key, "id")       ? &e->id
                   : is_key(key, "source") ? &e->source
                   : is_key(key, "target") ? &e->target
                   : is_key(key, "label")  ? &e->label
                                           : NULL;
    if (place) {
        *place = value->kind == TOKEN_OPEN ? *place : *value;
        return GFAB_OK;
    }
    const gfab_status status = gfab_graph_attribute(r->g, r->t, key->text, key->length, of_link, &known);
    if (status != GFAB_OK || !known || value->kind == TOKEN_OPEN)
        return status;
    if (of_link)
        return gfab_graph_text_load(r->t, r->g, known, value->text, value->length, &e->load);
    e->relay = *value;
    return GFAB_OK;
}

/* node [ ... ] or edge [ ... ], past what is not known. */
static gfab_status read_entry(reader *r, bool of_link, entry *e)
{
    token key, value;
    *e = (entry){.id = {.text = NULL}};
    gfab_status status = next(r->t, &key);
    if (status == GFAB_OK && key.kind != TOKEN_OPEN)
        return unexpected(r->t, &key, "[");
    while (status == GFAB_OK && (status = next(r->t, &key)) == GFAB_OK && key.kind != TOKEN_CLOSE) {
        if (key.kind != TOKEN_KEY)
            return unexpected(r->t, &key, "a key or ]");
        status = read_value(r->t, &value);
        GFAB_THEN(status, take_value(r, &key, &value, of_link, e));
    }
    return status;
}

/* The number of the node with this id. */
static gfab_status find_node(reader *r, const token *id, const char *what, size_t *node)
{
    if (!id->text || id->length == 0)
        return FAIL(r->t, GFAB_ERR_PARSE, "%s is missing", what);
    return gfab_graph_names_number(&r->names, r->t, id->text, id->length, node);
}

static gfab_status read_node(reader *r)
{
    entry e;
    size_t node = 0;
    uint8_t relay = 0;
    GFAB_TRY(read_entry(r, false, &e));
    GFAB_TRY(find_node(r, &e.id, "the id of a node", &node));
    if (e.relay.text)
        GFAB_TRY(gfab_graph_text_relay(r->t, gfab_graph_relay_attribute(r->g), e.relay.text, e.relay.length, &relay));
    if (relay)
        gfab_edges_push(&r->g->relays, node, relay, r->t->line);
    if (e.label.text)
        GFAB_TRY(gfab_graph_call(r->g, r->t, node, e.label.text, e.label.length));
    return GFAB_OK;
}

static gfab_status read_edge(reader *r)
{
    entry e;
    size_t from = 0, to = 0;
    GFAB_TRY(read_entry(r, true, &e));
    GFAB_TRY(find_node(r, &e.source, "the source of an edge", &from));
    GFAB_TRY(find_node(r, &e.target, "the target of an edge", &to));
    GFAB_TRY(gfab_graph_text_link(r->t, r->g, from, to, r->directed, 1, gfab_graph_name(&r->names, from)));
    return gfab_graph_load_link(r->g, r->t, r->g->edges.count - 1, &e.load);
}

/* graph [ ... ]; "directed" stands before edges. */
static gfab_status read_graph(reader *r)
{
    token key, value;
    gfab_status status = next(r->t, &key);
    if (r->found)
        return FAIL(r->t, GFAB_ERR_UNSUPPORTED, "a second graph; one is read");
    r->found = true;
    if (status == GFAB_OK && key.kind != TOKEN_OPEN)
        return unexpected(r->t, &key, "[");
    while (status == GFAB_OK && (status = next(r->t, &key)) == GFAB_OK && key.kind != TOKEN_CLOSE) {
        if (key.kind != TOKEN_KEY)
            return unexpected(r->t, &key, "a key or ]");
        if (is_key(&key, "node") || is_key(&key, "edge")) {
            status = is_key(&key, "node") ? read_node(r) : read_edge(r);
            continue;
        }
        status = read_value(r->t, &value);
        if (status == GFAB_OK && is_key(&key, "directed"))
            r->directed = value.length == 1 && *value.text == '1';
    }
    return status;
}

static gfab_status read_text(reader *r)
{
    token key, value;
    gfab_status status;
    while ((status = next(r->t, &key)) == GFAB_OK && key.kind != TOKEN_END) {
        if (key.kind != TOKEN_KEY)
            return unexpected(r->t, &key, "a key");
        status = is_key(&key, "graph") ? read_graph(r) : read_value(r->t, &value);
        if (status != GFAB_OK)
            return status;
    }
    return status;
}

gfab_status gfab_graph_read_gml(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.t = t, .g = g};
    gfab_status status = read_text(&r);
    if (status == GFAB_OK && !r.found)
        status = gfab_fail(t->diag, 0, GFAB_ERR_PARSE, "no graph [ ... ]");
    GFAB_THEN(status, gfab_graph_names_apply(&r.names, g, t));
    gfab_graph_names_release(&r.names);
    return status;
}
