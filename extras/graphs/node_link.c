/* SPDX-License-Identifier: MIT */
/* JSON with a list of nodes and a list of links, "links" or "edges", each with source and target: networkx's node-link
 * data, d3's examples, and Cytoscape's, whose lists stand in "elements" and whose members stand in "data". An id names
 * its node; where nodes have none, source and target count them from 0. */
#include "graphs/readers.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_graph_names names;
    bool counted; /* nodes have no ids */
    bool one_way;
} reader;

#define BAD(r, ...) gfab_fail((r)->t->diag, 0, GFAB_ERR_PARSE, __VA_ARGS__)

/* A value as text: a name as it is, a number in digits, else as JSON. To be freed; NULL without memory. */
static char *text_of(const json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (text && json_is_string(value)) {
        const char *name = json_string_value(value);
        char *plain = malloc(strlen(name) + 1);
        if (plain)
            memcpy(plain, name, strlen(name) + 1);
        free(text);
        return plain;
    }
    return text;
}

/* A member of a node or a link, or of its "data". */
static const json_t *member(const json_t *entry, const char *key)
{
    const json_t *data = json_object_get(entry, "data"), *value = json_object_get(entry, key);
    return value ? value : json_object_get(data, key);
}

static gfab_status number_of(reader *r, const json_t *value, const char *what, size_t *node)
{
    if (!value || json_is_null(value))
        return BAD(r, "%s is missing", what);
    if (r->counted) {
        const json_int_t number = json_integer_value(value);
        if (!json_is_integer(value) || number < 0 || (size_t)number >= r->names.count)
            return BAD(r, "%s: the nodes have no ids, and so a number from 0 to %zu is expected", what,
                       r->names.count - 1);
        *node = (size_t)number;
        return GFAB_OK;
    }
    GFAB_FREED char *text = text_of(value);
    const size_t before = r->names.count;
    GFAB_TRY(text ? gfab_graph_names_number(&r->names, r->t, text, strlen(text), node)
                  : gfab_fail(r->t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory"));
    if (r->names.count > before && before > 0 && strcmp(what, "the id of a node") != 0)
        return BAD(r, "%s \"%.40s\" is no node's id", what, text);
    return GFAB_OK;
}

/* What attributes say of a node or a link: "data" has Cytoscape's. */
static gfab_status read_attributes(reader *r, const json_t *entry, bool of_link, size_t index)
{
    static const char *const own[] = {"id", "source", "target", "data", "key", "name", "label"};
    const json_t *data = json_object_get(entry, "data");
    gfab_graph_load load = {0, 0};
    gfab_status status = GFAB_OK;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)(data ? data : entry), key, value)
    {
        const char *known = NULL;
        uint8_t relay = 0;
        bool skip = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            skip = skip || strcmp(key, own[i]) == 0;
        if (skip || status != GFAB_OK)
            continue;
        status = gfab_graph_attribute(r->g, r->t, key, strlen(key), of_link, &known);
        char *text = status == GFAB_OK && known ? text_of(value) : NULL;
        if (known && !text)
            status = gfab_fail(r->t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
        if (text && of_link)
            status = gfab_graph_text_load(r->t, r->g, known, text, strlen(text), &load);
        else if (text)
            status = gfab_graph_text_relay(r->t, known, text, strlen(text), &relay);
        if (relay)
            gfab_edges_push(&r->g->relays, index, relay, 0);
        free(text);
    }
    if (status == GFAB_OK && of_link)
        status = gfab_graph_load_link(r->g, r->t, index, &load);
    return status;
}

static gfab_status read_nodes(reader *r, const json_t *nodes)
{
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i), *id = member(node, "id");
        const json_t *name = member(node, "name") ? member(node, "name") : member(node, "label");
        size_t number = i;
        char place[24];
        snprintf(place, sizeof place, "%zu", i);
        if (!json_is_object(node))
            return BAD(r, "\"nodes\": objects are expected");
        r->counted = r->counted || (i == 0 && !id);
        GFAB_TRY(r->counted ? gfab_graph_names_number(&r->names, r->t, place, strlen(place), &number)
                            : number_of(r, id, "the id of a node", &number));
        if (number != i)
            return BAD(r, "two nodes have the same id");
        if (json_is_string(name))
            GFAB_TRY(gfab_graph_call(r->g, r->t, i, json_string_value(name), strlen(json_string_value(name))));
        GFAB_TRY(read_attributes(r, node, false, i));
    }
    return GFAB_OK;
}

static gfab_status read_links(reader *r, const json_t *links)
{
    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *link = json_array_get(links, i);
        size_t from = 0, to = 0;
        GFAB_TRY(number_of(r, member(link, "source"), "the source of a link", &from));
        GFAB_TRY(number_of(r, member(link, "target"), "the target of a link", &to));
        GFAB_TRY(gfab_graph_text_link(r->t, r->g, from, to, r->one_way, 1, gfab_graph_name(&r->names, from)));
        GFAB_TRY(read_attributes(r, link, true, r->g->edges.count - 1));
    }
    return GFAB_OK;
}

gfab_status gfab_graph_read_node_link(gfab_graph_text *t, gfab_graph_links *g, const json_t *root)
{
    reader r = {.t = t, .g = g, .one_way = json_is_true(json_object_get(root, "directed"))};
    const json_t *elements = json_object_get(root, "elements"), *lists = elements ? elements : root;
    const json_t *links =
        json_object_get(lists, "links") ? json_object_get(lists, "links") : json_object_get(lists, "edges");
    gfab_status status = GFAB_OK;
    if (!json_is_array(json_object_get(lists, "nodes")) || !json_is_array(links))
        status = BAD(&r, "node-link JSON: \"nodes\" and \"links\" (or \"edges\") are lists");
    GFAB_THEN(status, read_nodes(&r, json_object_get(lists, "nodes")));
    GFAB_THEN(status, read_links(&r, links));
    GFAB_THEN(status, gfab_graph_names_apply(&r.names, g, t));
    gfab_graph_names_release(&r.names);
    return status;
}
