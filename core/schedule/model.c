/* SPDX-License-Identifier: MIT */
/* The communication model by its words - half, full, all, one - and by the literature's symbols H*, F*, H1, F1
 * (Krumme, Cybenko & Venkataraman 1992). Names are parsed and printed here alone, so that options, files and reports
 * agree. */
#include <gossipfab/schedule/model.h>

#include <string.h>

gfab_model gfab_model_default(void)
{
    return (gfab_model){GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
}

bool gfab_model_equal(const gfab_model *a, const gfab_model *b)
{
    return a->link_mode == b->link_mode && a->port_mode == b->port_mode && a->packet_tokens == b->packet_tokens &&
           a->hop_rounds == b->hop_rounds && a->routing == b->routing;
}

gfab_status gfab_model_check(const gfab_model *model, gfab_diag *diag)
{
    if (model->link_mode != GFAB_LINK_HALF && model->link_mode != GFAB_LINK_FULL)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "unknown link mode %d", (int)model->link_mode);
    if (model->port_mode != GFAB_PORT_ALL && model->port_mode != GFAB_PORT_ONE)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "unknown port mode %d", (int)model->port_mode);
    if (model->routing != GFAB_ROUTING_STORE_AND_FORWARD && model->routing != GFAB_ROUTING_CIRCUIT)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "unknown routing %d", (int)model->routing);
    if (model->packet_tokens < 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "tokens per packet must be at least 1");
    if (model->hop_rounds < 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "rounds per hop must be at least 1");
    return GFAB_OK;
}

const char *gfab_link_mode_name(gfab_link_mode mode)
{
    return mode == GFAB_LINK_HALF ? "half" : "full";
}

const char *gfab_port_mode_name(gfab_port_mode mode)
{
    return mode == GFAB_PORT_ALL ? "all" : "one";
}

const char *gfab_routing_name(gfab_routing routing)
{
    return routing == GFAB_ROUTING_CIRCUIT ? "circuit" : "store-and-forward";
}

gfab_status gfab_link_mode_parse(const char *text, gfab_link_mode *mode, gfab_diag *diag)
{
    if (strcmp(text, "half") == 0)
        *mode = GFAB_LINK_HALF;
    else if (strcmp(text, "full") == 0)
        *mode = GFAB_LINK_FULL;
    else
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unknown link mode \"%s\": half or full", text);
    return GFAB_OK;
}

gfab_status gfab_port_mode_parse(const char *text, gfab_port_mode *mode, gfab_diag *diag)
{
    if (strcmp(text, "all") == 0)
        *mode = GFAB_PORT_ALL;
    else if (strcmp(text, "one") == 0)
        *mode = GFAB_PORT_ONE;
    else
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unknown port mode \"%s\": all or one", text);
    return GFAB_OK;
}

gfab_status gfab_routing_parse(const char *text, gfab_routing *routing, gfab_diag *diag)
{
    if (strcmp(text, "store-and-forward") == 0)
        *routing = GFAB_ROUTING_STORE_AND_FORWARD;
    else if (strcmp(text, "circuit") == 0)
        *routing = GFAB_ROUTING_CIRCUIT;
    else if (strcmp(text, "wormhole") == 0)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "routing \"wormhole\" is called circuit now");
    else
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unknown routing \"%s\": store-and-forward or circuit", text);
    return GFAB_OK;
}

const char *gfab_model_symbol(const gfab_model *model)
{
    if (model->link_mode == GFAB_LINK_HALF)
        return model->port_mode == GFAB_PORT_ALL ? "H*" : "H1";
    return model->port_mode == GFAB_PORT_ALL ? "F*" : "F1";
}
