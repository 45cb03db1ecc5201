/* SPDX-License-Identifier: MIT */
/* Graphs in DOT: the part of the language that is a list of links. */
#include "graph_text.h"

#include <string.h>

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
    if (k->kind == TOKEN_END)
        return FAIL(t, GFAB_ERR_PARSE, "the file ends where %s is expected", expected);
    return FAIL(t, GFAB_ERR_PARSE, "\"%.*s\" where %s is expected", k->length > 40 ? 40 : (int)k->length, k->text,
                expected);
}

static bool is_exactly(const token *k, const char *word)
{
    return k->kind == TOKEN_NAME && k->length == strlen(word) && memcmp(k->text, word, k->length) == 0;
}

/* What a statement's attributes say of relays and links; the others are passed over. */
typedef struct attributes {
    bool given; /* one of these two */
    bool relay;
    uint32_t weight; /* 0: not given */
} attributes;

/* After the name "relay" or "packets": "=" and its value; k becomes that. */
static gfab_status read_attribute(gfab_graph_text *t, token *k, attributes *a)
{
    const bool relay = is_exactly(k, "relay");
    gfab_status status = next_token(t, k);
    if (status == GFAB_OK && is_sign(k, '='))
        status = next_token(t, k);
    if (status == GFAB_OK && k->kind != TOKEN_NAME)
        return unexpected(t, k, relay ? "relay=true or relay=false" : "packets=W");
    a->given = true;
    if (status == GFAB_OK)
        status = relay ? gfab_graph_text_relay(t, k->text, k->length, &a->relay)
                       : gfab_graph_text_weight(t, k->text, k->length, &a->weight);
    return status;
}

/* Past [ ... ], any number of them; k is the token before and the one after. */
static gfab_status read_attributes(gfab_graph_text *t, token *k, attributes *a)
{
    gfab_status status = GFAB_OK;
    *a = (attributes){.given = false};
    while (status == GFAB_OK && is_sign(k, '[')) {
        bool value = false; /* what follows a "=" is no name of an attribute */
        do {
            status = next_token(t, k);
            if (status == GFAB_OK && !value && (is_exactly(k, "relay") || is_exactly(k, "packets")))
                status = read_attribute(t, k, a);
            value = is_sign(k, '=');
        } while (status == GFAB_OK && k->kind != TOKEN_END && !is_sign(k, ']'));
        if (status == GFAB_OK && k->kind == TOKEN_END)
            return FAIL(t, GFAB_ERR_PARSE, "the file ends where ] is expected");
        if (status == GFAB_OK)
            status = next_token(t, k);
    }
    return status;
}

/* Attributes of nodes or links that were just read: links from the first_link-th on, or the node. */
static gfab_status apply_attributes(gfab_graph_text *t, gfab_graph_links *g, const attributes *a, size_t first_link,
                                    size_t node)
{
    const bool links = g->edges.count > first_link;
    if (!a->given)
        return GFAB_OK;
    if (node == GFAB_NO_NAME)
        return FAIL(t, GFAB_ERR_UNSUPPORTED, "relay and packets are read at nodes and links, not as defaults for all");
    if (a->weight ? !links : links)
        return FAIL(t, GFAB_ERR_INVALID, a->weight ? "packets belongs to a link" : "relay belongs to a node");
    for (size_t i = first_link; a->weight && i < g->edges.count; i++)
        gfab_graph_text_weigh(&g->edges.at[i], a->weight);
    if (a->relay)
        gfab_edges_push(&g->relays, node, node, t->line);
    return GFAB_OK;
}

/* What a graph's links are written as. */
static token_kind link_of(bool directed)
{
    return directed ? TOKEN_ARROW : TOKEN_LINK;
}

/* NAME -- NAME -- ...; k is the first name and the token after; *last the last name. */
static gfab_status read_dot_chain(gfab_graph_text *t, gfab_graph_links *g, gfab_graph_names *n, bool directed, token *k,
                                  size_t *last)
{
    gfab_status status = GFAB_OK;
    size_t before = GFAB_NO_NAME;
    bool more = true;
    while (status == GFAB_OK && more) {
        if (k->kind != TOKEN_NAME)
            return unexpected(t, k, "a node's name");
        if (is_word(k, "subgraph") || is_word(k, "graph") || is_word(k, "node") || is_word(k, "edge"))
            return FAIL(t, GFAB_ERR_UNSUPPORTED, "\"%.*s\" is no node's name", (int)k->length, k->text);
        const uint32_t line = t->line;
        const size_t node = gfab_graph_names_number(n, k->text, k->length);
        if (node == GFAB_NO_NAME)
            return gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
        if (node >= GFAB_MAX_NODES)
            return FAIL(t, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
        if (before == node)
            return FAIL(t, GFAB_ERR_INVALID, "a link from node %.40s to itself", gfab_graph_name(n, node));
        if (before != GFAB_NO_NAME)
            status = gfab_graph_text_link(t, g, before, node, directed);
        if (status == GFAB_OK)
            status = next_token(t, k);
        if (status == GFAB_OK && is_sign(k, ':')) {
            t->line = line;
            return FAIL(t, GFAB_ERR_UNSUPPORTED, "ports of nodes (name:port) are not read");
        }
        *last = before = node;
        if (status == GFAB_OK && k->kind == link_of(!directed))
            return FAIL(t, GFAB_ERR_PARSE,
                        directed ? "\"--\" in a digraph; write ->, or graph"
                                 : "\"->\" in a graph; write --, or digraph");
        more = status == GFAB_OK && k->kind == link_of(directed);
        if (more)
            status = next_token(t, k);
    }
    return status;
}

/* A statement; k is its first token and the first after it. */
static gfab_status read_statement(gfab_graph_text *t, gfab_graph_links *g, gfab_graph_names *n, bool directed, token *k)
{
    gfab_status status = GFAB_OK;
    attributes a = {.given = false};
    const size_t first_link = g->edges.count;
    size_t node = GFAB_NO_NAME;
    const char *next = t->at + strspn(t->at, " \t\r\n");
    if (is_word(k, "subgraph") || is_sign(k, '{'))
        return FAIL(t, GFAB_ERR_UNSUPPORTED, "subgraphs are not read; write each link as a %s b",
                    directed ? "->" : "--");
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
        status = read_dot_chain(t, g, n, directed, k, &node);
    if (status == GFAB_OK)
        status = read_attributes(t, k, &a);
    if (status == GFAB_OK)
        status = apply_attributes(t, g, &a, first_link, node);
    if (status == GFAB_OK && is_sign(k, ';'))
        status = next_token(t, k);
    return status;
}

static gfab_status read_dot_text(gfab_graph_text *t, gfab_graph_links *g, gfab_graph_names *n)
{
    token k;
    gfab_status status = next_token(t, &k);
    if (status == GFAB_OK && is_word(&k, "strict"))
        status = next_token(t, &k);
    const bool directed = is_word(&k, "digraph");
    if (status == GFAB_OK && !directed && !is_word(&k, "graph"))
        return unexpected(t, &k, "graph or digraph");
    if (status == GFAB_OK)
        status = next_token(t, &k);
    if (status == GFAB_OK && k.kind == TOKEN_NAME)
        status = next_token(t, &k);
    if (status == GFAB_OK && !is_sign(&k, '{'))
        return unexpected(t, &k, "{");
    if (status == GFAB_OK)
        status = next_token(t, &k);
    while (status == GFAB_OK && !is_sign(&k, '}'))
        status = k.kind == TOKEN_END ? unexpected(t, &k, "}") : read_statement(t, g, n, directed, &k);
    if (status == GFAB_OK)
        status = next_token(t, &k);
    return status == GFAB_OK && k.kind != TOKEN_END ? unexpected(t, &k, "the end of the file") : status;
}

gfab_status gfab_graph_read_dot(gfab_graph_text *t, gfab_graph_links *g)
{
    gfab_graph_names n = {0};
    gfab_status status = read_dot_text(t, g, &n);
    if (status == GFAB_OK)
        status = gfab_graph_names_apply(&n, g, t->diag);
    gfab_graph_names_release(&n);
    return status;
}
