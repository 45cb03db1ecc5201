/* SPDX-License-Identifier: MIT */
/* Graphs in GraphML: nodes and edges of one graph, without regard to what is known of them besides. */
#include "graph_text.h"

#include "base/xml.h"

#include <expat.h>
#include <string.h>

typedef struct reader {
    XML_Parser expat;
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_graph_names names;
    unsigned depth; /* elements that are open */
    unsigned graphs;
    gfab_status status;
} reader;

/* The first error is kept, and the rest of the file left. */
#define STOP(r, code, ...)                                   \
    do {                                                     \
        if ((r)->status == GFAB_OK)                          \
            (r)->status = FAIL((r)->t, (code), __VA_ARGS__); \
        XML_StopParser((r)->expat, XML_FALSE);               \
    } while (0)

/* The number of the node that an attribute names; GFAB_NO_NAME after an error. */
static size_t node_of(reader *r, const char **attributes, const char *element, const char *name)
{
    const char *id = gfab_xml_attribute(attributes, name);
    size_t node = GFAB_NO_NAME;
    if (!id || !*id)
        STOP(r, GFAB_ERR_PARSE, "<%s> without %s=\"...\"", element, name);
    else if ((node = gfab_graph_names_number(&r->names, id, strlen(id))) == GFAB_NO_NAME)
        STOP(r, GFAB_ERR_NO_MEMORY, "out of memory");
    else if (node >= GFAB_MAX_NODES)
        STOP(r, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
    return r->status == GFAB_OK ? node : GFAB_NO_NAME;
}

static void read_graph(reader *r, const char **attributes)
{
    const char *direction = gfab_xml_attribute(attributes, "edgedefault");
    if (r->graphs++)
        STOP(r, GFAB_ERR_UNSUPPORTED, "a second <graph>; one is read, and none within a node");
    else if (!direction || strcmp(direction, "undirected") != 0)
        STOP(r, GFAB_ERR_UNSUPPORTED, "links have no direction; write edgedefault=\"undirected\"");
}

static void read_edge(reader *r, const char **attributes)
{
    const char *directed = gfab_xml_attribute(attributes, "directed");
    if (directed && strcmp(directed, "false") != 0)
        STOP(r, GFAB_ERR_UNSUPPORTED, "directed=\"%.40s\": links have no direction", directed);
    const size_t from = node_of(r, attributes, "edge", "source");
    const size_t to = from == GFAB_NO_NAME ? from : node_of(r, attributes, "edge", "target");
    if (to == GFAB_NO_NAME)
        return;
    if (from == to)
        STOP(r, GFAB_ERR_INVALID, "a link from node %.40s to itself", gfab_graph_name(&r->names, from));
    else if ((r->status = gfab_graph_text_link(r->t, r->g, from, to)) != GFAB_OK)
        XML_StopParser(r->expat, XML_FALSE);
}

static void XMLCALL start(void *data, const char *name, const char **attributes)
{
    reader *r = data;
    if (r->status != GFAB_OK)
        return;
    r->t->line = (uint32_t)XML_GetCurrentLineNumber(r->expat);
    if (r->depth++ == 0) {
        if (strcmp(name, "graphml") != 0)
            STOP(r, GFAB_ERR_PARSE, "<%.40s>: GraphML starts with <graphml>", name);
    } else if (strcmp(name, "graph") == 0) {
        read_graph(r, attributes);
    } else if (strcmp(name, "node") == 0) {
        node_of(r, attributes, "node", "id");
    } else if (strcmp(name, "edge") == 0) {
        read_edge(r, attributes);
    } else if (strcmp(name, "hyperedge") == 0) {
        STOP(r, GFAB_ERR_UNSUPPORTED, "<hyperedge>: links have two ends");
    }
}

static void XMLCALL end(void *data, const char *name)
{
    reader *r = data;
    (void)name;
    r->depth--;
}

/* Entities and the like are for documents, not for this. */
static void XMLCALL doctype(void *data, const char *name, const char *system, const char *public, int internal)
{
    reader *r = data;
    (void)name, (void)system, (void)public, (void)internal;
    r->t->line = (uint32_t)XML_GetCurrentLineNumber(r->expat);
    STOP(r, GFAB_ERR_UNSUPPORTED, "a document type is not read");
}

static gfab_status read_text(reader *r)
{
    const size_t length = strlen(r->t->bytes); /* below 2^30 */
    XML_SetUserData(r->expat, r);
    XML_SetElementHandler(r->expat, start, end);
    XML_SetStartDoctypeDeclHandler(r->expat, doctype);
    if (XML_Parse(r->expat, r->t->bytes, (int)length, 1) == XML_STATUS_OK || r->status != GFAB_OK)
        return r->status;
    const enum XML_Error error = XML_GetErrorCode(r->expat);
    r->t->line = (uint32_t)XML_GetCurrentLineNumber(r->expat);
    if (error == XML_ERROR_NO_MEMORY)
        return gfab_fail(r->t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    return FAIL(r->t, GFAB_ERR_PARSE, "not XML: %s", XML_ErrorString(error));
}

gfab_status gfab_graph_read_graphml(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.expat = XML_ParserCreate(NULL), .t = t, .g = g};
    if (!r.expat)
        return gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    gfab_status status = read_text(&r);
    if (status == GFAB_OK)
        status = gfab_graph_names_apply(&r.names, g, t->diag);
    gfab_graph_names_release(&r.names);
    XML_ParserFree(r.expat);
    return status;
}
