/* SPDX-License-Identifier: MIT */
/* Graphs in DOT: links between nodes and sets of nodes, with ports, defaults and strict. */
#include "graph_text.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

typedef enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_LINK, TOKEN_ARROW, TOKEN_SIGN } token_kind;

typedef struct token {
    token_kind kind;
    char sign;        /* TOKEN_SIGN */
    bool quoted;      /* TOKEN_NAME */
    const char *text; /* TOKEN_NAME: without quotes */
    size_t length;
} token;

/* Blanks, line ends, comments; false where a comment does not end. */
static bool skip_space(gfab_graph_text *t)
{
    for (;; t->at++) {
        if (*t->at == '\n') {
            t->line++;
        } else if ((t->at[0] == '/' && t->at[1] == '/') ||
                   (*t->at == '#' && (t->at == t->bytes || t->at[-1] == '\n'))) {
            gfab_graph_text_skip_line(t);
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

static gfab_status next_token(gfab_graph_text *t, token *k)
{
    *k = (token){.kind = TOKEN_END};
    if (!skip_space(t))
        return FAIL(t, GFAB_ERR_PARSE, "a comment without an end");
    k->text = t->at;
    if (!*t->at)
        return GFAB_OK;
    k->kind = TOKEN_NAME;
    if (gfab_is_letter(*t->at)) {
        while (gfab_is_letter(*t->at) || gfab_is_digit(*t->at))
            t->at++;
    } else if (gfab_is_digit(*t->at) || *t->at == '.' ||
               (*t->at == '-' && (gfab_is_digit(t->at[1]) || t->at[1] == '.'))) {
        do
            t->at++;
        while (gfab_is_digit(*t->at) || *t->at == '.');
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
    } else if (t->at[0] == '-' && (t->at[1] == '-' || t->at[1] == '>')) {
        k->kind = t->at[1] == '-' ? TOKEN_LINK : TOKEN_ARROW;
        t->at += 2;
    } else {
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

static gfab_status unexpected(gfab_graph_text *t, const token *k, const char *expected)
{
    return gfab_graph_text_unexpected(t, k->kind == TOKEN_END ? NULL : k->text, k->length, expected);
}

/* What attributes say of relays and links; the others are passed over. As defaults: of what follows. */
typedef struct attributes {
    bool has_relay;
    uint8_t relay;
    const char *weighed_by; /* NULL: load is not given */
    gfab_graph_load load;
} attributes;

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_graph_names names;
    bool directed;
    unsigned depth; /* of subgraphs that are open */
    uint32_t line;  /* of the last node or subgraph */
    token k;        /* that is looked at */
    size_t *set;    /* the nodes that were named, in this order: those of the last subgraph, name or chain at its end */
    size_t set_count, set_capacity;
    uint8_t *relay; /* [name] */
    bool *seen;     /* [name] */
    size_t name_capacity;
} reader;

static gfab_status next(reader *r)
{
    return next_token(r->t, &r->k);
}

/* After the known name of an attribute: "=" and its value; k becomes that. */
static gfab_status read_attribute(reader *r, const char *name, bool relay, attributes *a)
{
    GFAB_TRY(next(r));
    if (is_sign(&r->k, '='))
        GFAB_TRY(next(r));
    if (r->k.kind != TOKEN_NAME)
        return unexpected(r->t, &r->k, relay ? "true or false" : "a whole number");
    a->has_relay = a->has_relay || relay;
    a->weighed_by = relay ? a->weighed_by : name;
    return relay ? gfab_graph_text_relay(r->t, name, r->k.text, r->k.length, &a->relay)
                 : gfab_graph_text_load(r->t, r->g, name, r->k.text, r->k.length, &a->load);
}

/* What an attribute's name in brackets means. Those of a graph have no meaning; of nodes and links both, as in
 * defaults, either may be read: what it does not belong to is found when it is applied. */
static gfab_status read_name(reader *r, bool of_link, attributes *a)
{
    const char *known, *other = NULL;
    const token name = r->k;
    gfab_status status = gfab_graph_attribute(r->g, r->t, name.text, name.length, of_link, &known);
    if (status == GFAB_OK && !known) { /* relay= at a link, packets= at a node: known, and said where it belongs */
        r->g->passed_count--;
        status = gfab_graph_attribute(r->g, r->t, name.text, name.length, !of_link, &other);
        const bool none = other && !of_link && strcmp(other, "packets") != 0; /* a node may weigh something */
        of_link = other ? !of_link : of_link;
        known = none ? NULL : other;
    }
    return status == GFAB_OK && known ? read_attribute(r, known, !of_link, a) : status;
}

/* Past [ ... ], any number of them; k is the token before and the one after. */
static gfab_status read_attributes(reader *r, bool of_link, attributes *a)
{
    while (is_sign(&r->k, '[')) {
        bool value = false; /* what follows a "=" is no name of an attribute */
        do {
            GFAB_TRY(next(r));
            if (!value && r->k.kind == TOKEN_NAME)
                GFAB_TRY(read_name(r, of_link, a));
            value = is_sign(&r->k, '=');
        } while (r->k.kind != TOKEN_END && !is_sign(&r->k, ']'));
        if (r->k.kind == TOKEN_END)
            return FAIL(r->t, GFAB_ERR_PARSE, "the file ends where ] is expected");
        GFAB_TRY(next(r));
    }
    return GFAB_OK;
}

/* ---- nodes and sets of them ---- */

static bool grow(reader *r, size_t node)
{
    size_t *set = gfab_grown(r->set, r->set_count, &r->set_capacity, sizeof *set);
    if (!set)
        return false;
    r->set = set;
    if (node < r->name_capacity)
        return true;
    const size_t capacity = 2 * node + 64;
    uint8_t *relay = realloc(r->relay, capacity * sizeof *relay);
    r->relay = relay ? relay : r->relay;
    bool *seen = realloc(r->seen, capacity * sizeof *seen);
    r->seen = seen ? seen : r->seen;
    if (!relay || !seen)
        return false;
    memset(r->relay + r->name_capacity, 0, (capacity - r->name_capacity) * sizeof *relay);
    memset(r->seen + r->name_capacity, 0, (capacity - r->name_capacity) * sizeof *seen);
    r->name_capacity = capacity;
    return true;
}

/* NAME, NAME:PORT, NAME:PORT:SIDE. A node that is new is what the defaults say. */
static gfab_status read_node(reader *r, const attributes *defaults)
{
    const token *k = &r->k;
    const size_t before = r->names.count;
    if (is_word(k, "graph") || is_word(k, "node") || is_word(k, "edge") || is_word(k, "strict"))
        return FAIL(r->t, GFAB_ERR_UNSUPPORTED, "\"%.*s\" is no node's name", (int)k->length, k->text);
    size_t node;
    GFAB_TRY(gfab_graph_names_number(&r->names, r->t, k->text, k->length, &node));
    GFAB_NEED_TOLD(grow(r, node), r->t->diag);
    if (r->names.count > before)
        r->relay[node] = defaults->relay;
    r->set[r->set_count++] = node;
    r->line = r->t->line;
    GFAB_TRY(next(r));
    for (int i = 0; i < 2 && is_sign(k, ':'); i++) {
        GFAB_TRY(next(r));
        if (k->kind != TOKEN_NAME)
            return unexpected(r->t, k, "a port's name");
        GFAB_TRY(next(r));
    }
    return GFAB_OK;
}

/* Leaves each node of the set from `first` on once. */
static void make_set(reader *r, size_t first)
{
    size_t count = first;
    for (size_t i = first; i < r->set_count; i++)
        if (!r->seen[r->set[i]]) {
            r->seen[r->set[i]] = true;
            r->set[count++] = r->set[i];
        }
    for (size_t i = first; i < count; i++)
        r->seen[r->set[i]] = false;
    r->set_count = count;
}

static gfab_status read_statement(reader *r, attributes *node, attributes *edge);

/* Statements up to a closing brace, and past it. Their defaults end there. */
static gfab_status read_body(reader *r, attributes node, attributes edge)
{
    gfab_status status = next(r);
    while (status == GFAB_OK && !is_sign(&r->k, '}'))
        status = r->k.kind == TOKEN_END ? unexpected(r->t, &r->k, "}") : read_statement(r, &node, &edge);
    r->line = r->t->line;
    return status == GFAB_OK ? next(r) : status;
}

/* subgraph NAME { ... }, without NAME, without both words: all nodes in it are a set. */
static gfab_status read_subgraph(reader *r, const attributes *node, const attributes *edge)
{
    const size_t first = r->set_count;
    if (is_word(&r->k, "subgraph")) {
        GFAB_TRY(next(r));
        if (r->k.kind == TOKEN_NAME)
            GFAB_TRY(next(r));
    }
    if (!is_sign(&r->k, '{'))
        return unexpected(r->t, &r->k, "{");
    if (r->depth == MAX_DEPTH)
        return FAIL(r->t, GFAB_ERR_LIMIT, "more than %d subgraphs, each in the one before", MAX_DEPTH);
    r->depth++;
    GFAB_TRY(read_body(r, *node, *edge));
    r->depth--;
    make_set(r, first);
    return GFAB_OK;
}

/* ---- statements ---- */

/* What a graph's links are written as. */
static token_kind link_of(bool directed)
{
    return directed ? TOKEN_ARROW : TOKEN_LINK;
}

/* From each node of one set to each of the next, which ends the sets. */
static gfab_status link_sets(reader *r, size_t from, size_t to, const gfab_graph_load *load)
{
    const uint32_t line = r->t->line;
    r->t->line = r->line;
    for (size_t a = from; a < to; a++)
        for (size_t b = to; b < r->set_count; b++) {
            const size_t node = r->set[a];
            GFAB_TRY(
                gfab_graph_text_link(r->t, r->g, node, r->set[b], r->directed, 1, gfab_graph_name(&r->names, node)));
            GFAB_TRY(gfab_graph_load_link(r->g, r->t, r->g->edges.count - 1, load));
        }
    r->t->line = line;
    return GFAB_OK;
}

/* SET -- SET -- ..., where a set is a node or a subgraph; k is its first token and the token after. *alone: the node,
 * where the chain is one. */
static gfab_status read_chain(reader *r, const attributes *node, const attributes *edge, size_t *alone)
{
    size_t before = r->set_count;
    *alone = GFAB_NO_NAME;
    for (bool more = true, linked = false; more; linked = true) {
        const size_t here = r->set_count;
        const bool subgraph = is_word(&r->k, "subgraph") || is_sign(&r->k, '{');
        if (!subgraph && r->k.kind != TOKEN_NAME)
            return unexpected(r->t, &r->k, "a node's name");
        GFAB_TRY(subgraph ? read_subgraph(r, node, edge) : read_node(r, node));
        if (linked)
            GFAB_TRY(link_sets(r, before, here, &edge->load));
        if (r->k.kind == link_of(!r->directed))
            return FAIL(r->t, GFAB_ERR_PARSE,
                        r->directed ? "\"--\" in a digraph; write ->, or graph"
                                    : "\"->\" in a graph; write --, or digraph");
        more = r->k.kind == link_of(r->directed);
        *alone = !linked && !more && !subgraph ? r->set[here] : GFAB_NO_NAME;
        before = here;
        if (more)
            GFAB_TRY(next(r));
    }
    return GFAB_OK;
}

/* Of nodes or links that were just read: links from the first_link-th on, or the node. */
static gfab_status apply_attributes(reader *r, const attributes *a, size_t first_link, size_t node)
{
    const bool links = r->g->edges.count > first_link;
    if (a->weighed_by && !links)
        return gfab_fail(r->t->diag, r->line, GFAB_ERR_INVALID, "%s belongs to a link", a->weighed_by);
    if (a->has_relay && node == GFAB_NO_NAME)
        return gfab_fail(r->t->diag, r->line, GFAB_ERR_INVALID, "%s belongs to a node",
                         gfab_graph_relay_attribute(r->g));
    for (size_t i = first_link; a->weighed_by && i < r->g->edges.count; i++)
        GFAB_TRY(gfab_graph_load_link(r->g, r->t, i, &a->load));
    if (a->has_relay)
        r->relay[node] = a->relay;
    return GFAB_OK;
}

/* A statement; k is its first token and the first after it. */
static gfab_status read_statement(reader *r, attributes *node, attributes *edge)
{
    attributes own = {.weighed_by = NULL}, graph = {.weighed_by = NULL};
    const size_t first_link = r->g->edges.count;
    size_t alone = GFAB_NO_NAME;
    const char *after = r->t->at + strspn(r->t->at, " \t\r\n");
    if (is_word(&r->k, "graph") || is_word(&r->k, "node") || is_word(&r->k, "edge")) {
        const bool of_link = is_word(&r->k, "edge");
        attributes *defaults = is_word(&r->k, "node") ? node : of_link ? edge : &graph;
        GFAB_TRY(next(r));
        if (!is_sign(&r->k, '['))
            return unexpected(r->t, &r->k, "[");
        GFAB_TRY(read_attributes(r, of_link, defaults));
    } else if (r->k.kind == TOKEN_NAME && *after == '=') {
        GFAB_TRY(next(r));
        GFAB_TRY(next(r));
        if (r->k.kind != TOKEN_NAME)
            return unexpected(r->t, &r->k, "an attribute's value");
        GFAB_TRY(next(r));
    } else {
        GFAB_TRY(read_chain(r, node, edge, &alone));
        GFAB_TRY(read_attributes(r, r->g->edges.count > first_link, &own));
        GFAB_TRY(apply_attributes(r, &own, first_link, alone));
    }
    return is_sign(&r->k, ';') ? next(r) : GFAB_OK;
}

static gfab_status read_text(reader *r)
{
    const attributes none = {.weighed_by = NULL};
    gfab_status status = next(r);
    if (status == GFAB_OK && is_word(&r->k, "strict")) {
        if (r->g->how.parallel == GFAB_PARALLEL_REFUSED)
            r->g->how.parallel = GFAB_PARALLEL_ONE;
        status = next(r);
    }
    r->directed = is_word(&r->k, "digraph");
    if (status == GFAB_OK && !r->directed && !is_word(&r->k, "graph"))
        return unexpected(r->t, &r->k, "graph or digraph");
    GFAB_THEN(status, next(r));
    if (status == GFAB_OK && r->k.kind == TOKEN_NAME)
        status = next(r);
    if (status == GFAB_OK && !is_sign(&r->k, '{'))
        return unexpected(r->t, &r->k, "{");
    GFAB_THEN(status, read_body(r, none, none));
    return status == GFAB_OK && r->k.kind != TOKEN_END ? unexpected(r->t, &r->k, "the end of the file") : status;
}

gfab_status gfab_graph_read_dot(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.t = t, .g = g};
    gfab_status status = read_text(&r);
    for (size_t i = 0; i < r.names.count && status == GFAB_OK; i++)
        if (r.relay[i])
            gfab_edges_push(&g->relays, i, r.relay[i], t->line);
    GFAB_THEN(status, gfab_graph_names_apply(&r.names, g, t));
    gfab_graph_names_release(&r.names);
    GFAB_FREE(r.set, r.relay, r.seen);
    return status;
}
