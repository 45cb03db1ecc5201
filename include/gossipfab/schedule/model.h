/* SPDX-License-Identifier: MIT */
/* The communication model a schedule is made for and checked under.
 * Source: Krumme et al.'s F*, F1, H*, H1 as used by Lau & Zhang 2002, section 1. */
#ifndef GOSSIPFAB_MODEL_H
#define GOSSIPFAB_MODEL_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stdint.h>

GFAB_C_BEGIN

typedef enum gfab_link_mode {
    GFAB_LINK_HALF, /* in a round a link carries a packet in one direction */
    GFAB_LINK_FULL  /* one in each direction */
} gfab_link_mode;

typedef enum gfab_port_mode {
    GFAB_PORT_ALL, /* a node may use all its links in a round */
    GFAB_PORT_ONE  /* a node may use one link in a round (both directions of it where links are full duplex) */
} gfab_port_mode;

typedef enum gfab_routing {
    GFAB_ROUTING_STORE_AND_FORWARD, /* a packet crosses one link in a round */
    GFAB_ROUTING_CIRCUIT            /* it follows a path of any length; paths of one round share no link (half duplex)
                                     * or no direction of one (full duplex). Ports are then those of a path's two ends:
                                     * one-port means that in a round a node starts at most one packet and takes at most
                                     * one (full duplex), or does one of the two (half duplex); what passes is free.
                                     * Sibeyn, Juurlink & Rao, sections 2 and 7 */
} gfab_routing;

typedef struct gfab_model {
    gfab_link_mode link_mode;
    gfab_port_mode port_mode;
    uint32_t packet_tokens; /* p: most tokens in a packet, >= 1 */
    uint32_t hop_rounds;    /* lambda: a token received in round t may leave from round t + lambda on, >= 1 */
    gfab_routing routing;
} gfab_model;

/* Half duplex, all-port, one token a packet, one round a hop: the papers' H*, p = 1. */
gfab_model gfab_model_default(void);
bool gfab_model_equal(const gfab_model *a, const gfab_model *b);
/* INVALID unless packet_tokens and hop_rounds are at least 1 and the modes are known. */
gfab_status gfab_model_check(const gfab_model *model, gfab_diag *diag);

/* "half"/"full", "all"/"one" and "store-and-forward"/"circuit". Names are static; parsing gives GFAB_ERR_PARSE. */
const char *gfab_link_mode_name(gfab_link_mode mode);
const char *gfab_port_mode_name(gfab_port_mode mode);
const char *gfab_routing_name(gfab_routing routing);
gfab_status gfab_link_mode_parse(const char *text, gfab_link_mode *mode, gfab_diag *diag);
gfab_status gfab_port_mode_parse(const char *text, gfab_port_mode *mode, gfab_diag *diag);
gfab_status gfab_routing_parse(const char *text, gfab_routing *routing, gfab_diag *diag);
/* The literature's name: "H*", "H1", "F*" or "F1". Static. */
const char *gfab_model_symbol(const gfab_model *model);

GFAB_C_END
#endif
