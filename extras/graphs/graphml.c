/* SPDX-License-Identifier: MIT */
/* Graphs in GraphML: nodes and edges of one graph, and which nodes are relays and how many packets a link carries; not
 * what is known of them besides. */
#include "graphs/graph_xml.h"

#include "base/xml.h"

#include <string.h>

#define KEY_BYTES 64
#define VALUE_BYTES 256

typedef enum key { KEY_RELAY, KEY_PACKETS, KEY_WEIGHT, KEY_BANDWIDTH, KEY_LABEL, KEY_NONE } key;

static const char *const key_words[KEY_NONE] = {"relay", "packets", "weight", "bandwidth", "label"};

typedef struct reader {
    gfab_graph_xml xml;
    gfab_graph_links *g;
    gfab_graph_names names;
    unsigned depth; /* elements that are open */
    unsigned graphs;
    bool directed;                       /* edges that do not say otherwise */
    char keys[KEY_NONE][KEY_BYTES];      /* their ids in the file; "": not declared */
    const char *names_of_keys[KEY_NONE]; /* what they are called */
    key in_key;                          /* whose <key> is open */
    bool in_default;                     /* and its <default> */
    uint8_t relay;                       /* that default: of nodes, of edges */
    gfab_graph_load load;
    key open;                /* of the <data> that is open */
    char value[VALUE_BYTES]; /* what it has so far */
    size_t length;
    size_t node, edge; /* that is open, or GFAB_NO_NAME */
    uint8_t its_relay; /* what the node that is open does */
} reader;

/* The number of the node that an attribute names; GFAB_NO_NAME after an error. */
static size_t node_of(reader *r, const char **attributes, const char *element, const char *name)
{
    const char *id = gfab_xml_attribute(attributes, name);
    size_t node = GFAB_NO_NAME;
    gfab_status status = GFAB_OK;
    if (!id || !*id)
        STOP(r, GFAB_ERR_PARSE, "<%s> without %s=\"...\"", element, name);
    else if ((status = gfab_graph_names_number(&r->names, r->xml.t, id, strlen(id), &node)) != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
    return r->xml.status == GFAB_OK ? node : GFAB_NO_NAME;
}

static void read_graph(reader *r, const char **attributes)
{
    const char *direction = gfab_xml_attribute(attributes, "edgedefault");
    if (r->graphs++)
        STOP(r, GFAB_ERR_UNSUPPORTED, "a second <graph>; one is read, and none within a node");
    else if (!direction || (strcmp(direction, "undirected") != 0 && strcmp(direction, "directed") != 0))
        STOP(r, GFAB_ERR_PARSE, "<graph> without edgedefault=\"undirected\" or \"directed\"");
    else
        r->directed = strcmp(direction, "directed") == 0;
}

static void read_edge(reader *r, const char **attributes)
{
    const char *directed = gfab_xml_attribute(attributes, "directed");
    const bool one_way = directed ? strcmp(directed, "true") == 0 : r->directed;
    if (directed && !one_way && strcmp(directed, "false") != 0)
        STOP(r, GFAB_ERR_PARSE, "directed=\"%.40s\"; true or false is expected", directed);
    const size_t from = node_of(r, attributes, "edge", "source");
    const size_t to = from == GFAB_NO_NAME ? from : node_of(r, attributes, "edge", "target");
    if (to == GFAB_NO_NAME)
        return;
    gfab_status status = gfab_graph_text_link(r->xml.t, r->g, from, to, one_way, 1, gfab_graph_name(&r->names, from));
    GFAB_THEN(status, gfab_graph_load_link(r->g, r->xml.t, r->g->edges.count - 1, &r->load));
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
}

/* Which key an attribute of nodes or edges is; KEY_NONE after an error, or where it has no meaning. */
static key find_key(reader *r, const char *name, bool of_link, const char **known)
{
    int k = KEY_RELAY;
    if (!of_link && strcmp(name, "label") == 0) {
        *known = name;
        return KEY_LABEL;
    }
    const gfab_status status = gfab_graph_attribute(r->g, r->xml.t, name, strlen(name), of_link, known);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
    if (status != GFAB_OK || !*known)
        return KEY_NONE;
    for (k = of_link ? KEY_PACKETS : KEY_LABEL; k < KEY_LABEL && strcmp(*known, key_words[k]) != 0; k++)
        continue;
    return !of_link ? KEY_RELAY : k < KEY_LABEL ? (key)k : KEY_PACKETS; /* the last: it has a name of the user's */
}

/* <key>: is it one that is read, of nodes or of edges? */
static void read_key(reader *r, const char **attributes)
{
    const char *id = gfab_xml_attribute(attributes, "id"), *name = gfab_xml_attribute(attributes, "attr.name");
    const char *whose = gfab_xml_attribute(attributes, "for"), *known = NULL;
    const bool all = !whose || strcmp(whose, "all") == 0, edges = whose && strcmp(whose, "edge") == 0;
    if (!id || !name || !(all || edges || strcmp(whose, "node") == 0))
        return;
    key k = find_key(r, name, edges, &known);
    if (all && k == KEY_NONE && r->xml.status == GFAB_OK) {
        r->g->passed_count--; /* counted once */
        k = find_key(r, name, true, &known);
    }
    if (k == KEY_NONE)
        return;
    if (strlen(id) >= KEY_BYTES)
        STOP(r, GFAB_ERR_LIMIT, "the key of %s has an id of %d bytes or more", name, KEY_BYTES);
    else
        memcpy(r->keys[k], id, strlen(id) + 1);
    r->names_of_keys[k] = k == KEY_LABEL ? key_words[k] : known;
    r->in_key = k;
}

static void open_data(reader *r, const char **attributes)
{
    const char *id = gfab_xml_attribute(attributes, "key");
    for (int k = 0; k < KEY_NONE; k++)
        if (id && *id && strcmp(id, r->keys[k]) == 0)
            r->open = (key)k;
    r->length = 0;
}

static void XMLCALL text(void *data, const char *bytes, int count)
{
    reader *r = data;
    for (int i = 0; (r->open != KEY_NONE || r->in_default) && i < count; i++)
        if ((r->open == KEY_LABEL || !strchr(" \t\r\n", bytes[i])) && r->length < VALUE_BYTES)
            r->value[r->length++] = bytes[i];
}

/* What stands in <data> or <default>. */
static void read_value(reader *r, key k, uint8_t *relay, gfab_graph_load *load)
{
    const char *name = r->names_of_keys[k];
    gfab_status status = GFAB_OK;
    if (k == KEY_RELAY)
        status = gfab_graph_text_relay(r->xml.t, name, r->value, r->length, relay);
    else if (k != KEY_LABEL)
        status = gfab_graph_text_load(r->xml.t, r->g, name, r->value, r->length, load);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
}

static void close_data(reader *r)
{
    gfab_graph_load load = {0, 0};
    gfab_status status = GFAB_OK;
    const key k = r->open;
    const bool of_node = k == KEY_RELAY || k == KEY_LABEL;
    r->open = KEY_NONE;
    if (k == KEY_LABEL && r->node == GFAB_NO_NAME) /* of a key for all */
        return;
    if (of_node && r->node == GFAB_NO_NAME)
        STOP(r, GFAB_ERR_INVALID, "%s belongs to a node", r->names_of_keys[k]);
    else if (!of_node && r->edge == GFAB_NO_NAME)
        STOP(r, GFAB_ERR_INVALID, "%s belongs to an edge", r->names_of_keys[k]);
    else
        read_value(r, k, &r->its_relay, &load);
    if (r->xml.status == GFAB_OK && k == KEY_LABEL)
        status = gfab_graph_call(r->g, r->xml.t, r->node, r->value, r->length);
    else if (r->xml.status == GFAB_OK && !of_node)
        status = gfab_graph_load_link(r->g, r->xml.t, r->edge, &load);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
}

static void close_node(reader *r)
{
    if (r->its_relay && r->node != GFAB_NO_NAME)
        gfab_edges_push(&r->g->relays, r->node, r->its_relay, r->xml.t->line);
    r->node = GFAB_NO_NAME;
}

static void XMLCALL start(void *data, const char *name, const char **attributes)
{
    reader *r = data;
    name = gfab_graph_xml_local(name);
    if (!gfab_graph_xml_here(&r->xml))
        return;
    if (r->depth++ == 0) {
        if (strcmp(name, "graphml") != 0)
            STOP(r, GFAB_ERR_PARSE, "<%.40s>: GraphML starts with <graphml>", name);
    } else if (strcmp(name, "graph") == 0) {
        read_graph(r, attributes);
    } else if (strcmp(name, "node") == 0) {
        r->node = node_of(r, attributes, "node", "id");
        r->its_relay = r->relay;
    } else if (strcmp(name, "edge") == 0) {
        read_edge(r, attributes);
        r->edge = r->xml.status == GFAB_OK && !r->g->edges.failed ? r->g->edges.count - 1 : GFAB_NO_NAME;
    } else if (strcmp(name, "key") == 0) {
        read_key(r, attributes);
    } else if (strcmp(name, "default") == 0 && r->in_key != KEY_NONE) {
        r->in_default = true;
        r->length = 0;
    } else if (strcmp(name, "data") == 0) {
        open_data(r, attributes);
    } else if (strcmp(name, "hyperedge") == 0) {
        STOP(r, GFAB_ERR_UNSUPPORTED, "<hyperedge>: links have two ends");
    }
}

static void XMLCALL end(void *data, const char *name)
{
    reader *r = data;
    name = gfab_graph_xml_local(name);
    if (!gfab_graph_xml_here(&r->xml))
        return;
    if (strcmp(name, "data") == 0 && r->open != KEY_NONE)
        close_data(r);
    if (strcmp(name, "default") == 0 && r->in_default) {
        read_value(r, r->in_key, &r->relay, &r->load);
        r->in_default = false;
    }
    if (strcmp(name, "key") == 0)
        r->in_key = KEY_NONE;
    if (strcmp(name, "node") == 0)
        close_node(r);
    if (strcmp(name, "edge") == 0)
        r->edge = GFAB_NO_NAME;
    r->depth--;
}

gfab_status gfab_graph_read_graphml(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {
        .xml = {.t = t}, .g = g, .in_key = KEY_NONE, .open = KEY_NONE, .node = GFAB_NO_NAME, .edge = GFAB_NO_NAME};
    gfab_status status = gfab_graph_xml_read(&r.xml, start, end, text);
    GFAB_THEN(status, gfab_graph_names_apply(&r.names, g, t));
    gfab_graph_names_release(&r.names);
    return status;
}
