/* SPDX-License-Identifier: MIT */
/* What readers of XML share (GraphML, NCCL's machines): Expat is started, stopped at the first error, and asked for
 * the line. A document type is passed over, but one that declares entities is refused before anything is done with
 * them: they can make a gigabyte of a kilobyte. What an external one may declare is never fetched. */
#include "graphs/graph_xml.h"

#include <string.h>

void gfab_graph_xml_fail(gfab_graph_xml *x, gfab_status status)
{
    x->status = status;
    XML_StopParser(x->expat, XML_FALSE);
}

bool gfab_graph_xml_here(gfab_graph_xml *x)
{
    if (x->status == GFAB_OK)
        x->t->line = (uint32_t)XML_GetCurrentLineNumber(x->expat);
    return x->status == GFAB_OK;
}

const char *gfab_graph_xml_local(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

static void refuse_entity(gfab_graph_xml *x, const char *name)
{
    if (gfab_graph_xml_here(x))
        gfab_graph_xml_fail(x, FAIL(x->t, GFAB_ERR_UNSUPPORTED, "the entity \"%.40s\": entities are not read", name));
}

static void XMLCALL declared(void *data, const char *name, int parameter, const char *value, int length,
                             const char *base, const char *system, const char *public, const char *notation)
{
    (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    refuse_entity(data, name);
}

static void XMLCALL skipped(void *data, const char *name, int parameter)
{
    (void)parameter;
    refuse_entity(data, name);
}

static gfab_status parse(gfab_graph_xml *x)
{
    const size_t length = strlen(x->t->bytes); /* below 2^30 */
    if (XML_Parse(x->expat, x->t->bytes, (int)length, 1) == XML_STATUS_OK || !gfab_graph_xml_here(x))
        return x->status;
    const enum XML_Error error = XML_GetErrorCode(x->expat);
    if (error == XML_ERROR_NO_MEMORY)
        return gfab_fail(x->t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    return FAIL(x->t, GFAB_ERR_PARSE, "not XML: %s", XML_ErrorString(error));
}

gfab_status gfab_graph_xml_read(gfab_graph_xml *x, XML_StartElementHandler start, XML_EndElementHandler end,
                                XML_CharacterDataHandler text)
{
    x->expat = XML_ParserCreate(NULL);
    GFAB_NEED_TOLD(x->expat, x->t->diag);
    XML_SetUserData(x->expat, x);
    XML_SetElementHandler(x->expat, start, end);
    XML_SetCharacterDataHandler(x->expat, text);
    XML_SetEntityDeclHandler(x->expat, declared);
    XML_SetSkippedEntityHandler(x->expat, skipped);
    const gfab_status status = parse(x);
    XML_ParserFree(x->expat);
    return status;
}
