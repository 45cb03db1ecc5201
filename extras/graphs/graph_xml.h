/* SPDX-License-Identifier: MIT */
/* Private to the readers of graph files in XML: what they have in common. */
#ifndef GOSSIPFAB_GRAPH_XML_H
#define GOSSIPFAB_GRAPH_XML_H

#include "graphs/readers.h"

#include <expat.h>

/* The first member of a reader, which Expat's handlers get. t is set by the reader. */
typedef struct gfab_graph_xml {
    gfab_graph_text *t; /* its line is that of the element or text that is handled */
    XML_Parser expat;
    gfab_status status; /* of the first error, with which the rest of the file is left */
} gfab_graph_xml;

#define STOP(r, code, ...)                                           \
    do {                                                             \
        if ((r)->xml.status == GFAB_OK)                              \
            (r)->xml.status = FAIL((r)->xml.t, (code), __VA_ARGS__); \
        XML_StopParser((r)->xml.expat, XML_FALSE);                   \
    } while (0)

/* Ends with the status that something else failed with, which has said so. */
void gfab_graph_xml_fail(gfab_graph_xml *x, gfab_status status);

/* Is all well so far? The line is set, then. What a handler asks first. */
bool gfab_graph_xml_here(gfab_graph_xml *x);

/* An element's name without its prefix: g:node is node. */
const char *gfab_graph_xml_local(const char *name);

/* Reads the text by handlers, text may be NULL, and gives the status. PARSE where it is no XML; UNSUPPORTED where it
 * has entities, which are for documents. */
gfab_status gfab_graph_xml_read(gfab_graph_xml *x, XML_StartElementHandler start, XML_EndElementHandler end,
                                XML_CharacterDataHandler text);

#endif
