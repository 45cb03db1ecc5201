/* SPDX-License-Identifier: MIT */
/* What attributes say of nodes and links, in whatever form they stand: relay of nodes; packets, weight or bandwidth of
 * links. One that is nearly such a name is a slip, and refused; the others are counted, so that a report can say what
 * had no meaning. Bandwidths become weights: multiples of the greatest rate that all are multiples of. */
#include "graph_text.h"

#include "base/divisor.h"
#include "base/grow.h"
#include "base/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const node_names[] = {"relay", NULL};
static const char *const link_names[] = {"packets", "weight", "bandwidth", NULL};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

/* The same but for capitals, one letter too many, too few, or another, or two exchanged; the first is right: "delay" is
 * no slip of "relay", nor "height" of "weight". */
static bool is_nearly(const char *name, size_t length, const char *known)
{
    const size_t wanted = strlen(known);
    size_t same = 0, tail = 0;
    if (length + 1 < wanted || length > wanted + 1 || length == 0 || lower(*name) != *known)
        return false;
    while (same < length && same < wanted && lower(name[same]) == known[same])
        same++;
    const size_t left = length - same, due = wanted - same;
    while (tail < left && tail < due && lower(name[length - 1 - tail]) == known[wanted - 1 - tail])
        tail++;
    const bool swapped =
        left == due && left - tail == 2 && lower(name[same]) == known[same + 1] && lower(name[same + 1]) == known[same];
    return swapped || (left - tail <= 1 && due - tail <= 1);
}

/* The name itself where an option chose it. */
static const char *known_name(const gfab_graph_links *g, const char *name, size_t length, bool of_link)
{
    const char *chosen = of_link ? g->how.weight : g->how.relay;
    if (*chosen)
        return gfab_is_name(name, length, chosen) ? chosen : NULL;
    for (const char *const *known = of_link ? link_names : node_names; *known; known++)
        if (gfab_is_name(name, length, *known))
            return *known;
    return NULL;
}

gfab_status gfab_graph_attribute(gfab_graph_links *g, gfab_graph_text *t, const char *name, size_t length, bool of_link,
                                 const char **known)
{
    size_t number;
    *known = known_name(g, name, length, of_link);
    if (*known)
        return GFAB_OK;
    for (const char *const *near = of_link ? link_names : node_names;
         *near && !*(of_link ? g->how.weight : g->how.relay); near++)
        if (is_nearly(name, length, *near))
            return FAIL(t, GFAB_ERR_PARSE, "%.*s= is not known; %s=", (int)length, name, *near);
    g->passed_count++;
    return gfab_graph_names_number(&g->passed, t, name, length > GFAB_ATTRIBUTE_BYTES ? GFAB_ATTRIBUTE_BYTES : length,
                                   &number);
}

/* ---- what a link carries ---- */

/* A number and its unit as bits a second; a number alone in millionths. */
static bool read_rate(const char *at, size_t length, uint64_t *rate, bool *unit)
{
    static const struct {
        const char *text;
        uint64_t bits;
    } prefixes[] = {{"", 1},      {"K", 1000},     {"M", 1000000},     {"G", 1000000000},    {"T", 1000000000000},
                    {"Ki", 1024}, {"Mi", 1048576}, {"Gi", 1073741824}, {"Ti", 1099511627776}};
    static const struct {
        const char *text;
        uint64_t bits;
    } kinds[] = {{"bps", 1}, {"b/s", 1}, {"bit/s", 1}, {"bits/s", 1}, {"Bps", 8}, {"B/s", 8}};
    char text[48];
    if (length == 0 || length >= sizeof text || !gfab_is_digit(*at))
        return false;
    memcpy(text, at, length);
    text[length] = '\0';
    char *end;
    const double number = strtod(text, &end);
    end += strspn(end, " ");
    double scale = 0;
    *unit = *end;
    if (*end == 'k')
        *end = 'K';
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes && *end; p++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strncmp(end, prefixes[p].text, strlen(prefixes[p].text)) == 0 &&
                strcmp(end + strlen(prefixes[p].text), kinds[k].text) == 0)
                scale = (double)(prefixes[p].bits * kinds[k].bits);
    scale = *unit ? scale : 1e6;
    if (!(number > 0) || scale == 0 || number * scale > 1e18 || number * scale < 1)
        return false;
    *rate = (uint64_t)(number * scale + 0.5);
    return true;
}

void gfab_graph_text_weigh(gfab_edge *link, uint32_t weight)
{
    for (int way = 0; way < 2; way++)
        link->weight[way] = link->weight[way] ? weight : 0;
}

gfab_status gfab_graph_text_weight(gfab_graph_text *t, const char *name, const char *value, size_t length,
                                   uint32_t *weight)
{
    uint64_t number = 0;
    size_t i = 0, zeros = 0;
    for (; i < length && gfab_is_digit(value[i]); i++)
        number = number > GFAB_MAX_WEIGHT ? number : 10 * number + (uint64_t)(value[i] - '0');
    if (i > 0 && i < length && value[i] == '.')
        for (i++; i < length && value[i] == '0'; i++)
            zeros++;
    if (i == 0 || i < length || (value[i - 1] == '.' && zeros == 0))
        return FAIL(t, GFAB_ERR_PARSE, "%s is \"%.*s\"; a whole number is expected", name,
                    length > 40 ? 40 : (int)length, value);
    if (number > GFAB_MAX_WEIGHT)
        return FAIL(t, GFAB_ERR_LIMIT, "a link of more than %u packets a round", GFAB_MAX_WEIGHT);
    if (number == 0)
        return FAIL(t, GFAB_ERR_INVALID, "a link of no packets a round; at least 1");
    *weight = (uint32_t)number;
    return GFAB_OK;
}

gfab_status gfab_graph_text_load(gfab_graph_text *t, gfab_graph_links *g, const char *name, const char *value,
                                 size_t length, gfab_graph_load *load)
{
    bool unit = false;
    if (g->weighed_by && strcmp(g->weighed_by, name) != 0)
        return FAIL(t, GFAB_ERR_INVALID, "%s here, and %s before: one says what a link carries; +weight-attribute=%s",
                    name, g->weighed_by, g->weighed_by);
    g->weighed_by = name;
    if (strcmp(name, "bandwidth") != 0) {
        const gfab_status status = gfab_graph_text_weight(t, name, value, length, &load->packets);
        if (status == GFAB_ERR_PARSE && !*g->how.weight)
            return FAIL(t, status, "%s is \"%.*s\"; a whole number is expected, or +weight-attribute=none", name,
                        length > 40 ? 40 : (int)length, value);
        return status;
    }
    if (!read_rate(value, length, &load->rate, &unit))
        return FAIL(t, GFAB_ERR_PARSE, "%s is \"%.*s\"; a rate such as 400Gbps or 50 GB/s is expected", name,
                    length > 40 ? 40 : (int)length, value);
    if (g->has_rate && unit != g->has_unit)
        return FAIL(t, GFAB_ERR_INVALID, "a bandwidth with a unit, and one without; all or none");
    g->has_rate = true;
    g->has_unit = unit;
    return GFAB_OK;
}

gfab_status gfab_graph_load_link(gfab_graph_links *g, gfab_graph_text *t, size_t link, const gfab_graph_load *load)
{
    if (g->edges.failed || link >= g->edges.count)
        return GFAB_OK;
    if (load->packets)
        gfab_graph_text_weigh(&g->edges.at[link], load->packets);
    if (!load->rate)
        return GFAB_OK;
    if (link >= g->rate_room) {
        const size_t room = g->edges.capacity;
        uint64_t *rates = realloc(g->rates, room * sizeof *rates);
        GFAB_NEED_TOLD(rates, t->diag);
        memset(rates + g->rate_room, 0, (room - g->rate_room) * sizeof *rates);
        g->rates = rates;
        g->rate_room = room;
    }
    g->rates[link] = load->rate;
    return GFAB_OK;
}

gfab_status gfab_graph_weigh_rates(gfab_graph_links *g, gfab_diag *diag)
{
    uint64_t unit = 0;
    for (size_t i = 0; g->rates && i < g->edges.count; i++) {
        const uint64_t rate = i < g->rate_room ? g->rates[i] : 0;
        if (!rate)
            return gfab_fail(diag, g->edges.at[i].line, GFAB_ERR_INVALID, "a link without a bandwidth, as others have");
        unit = gfab_common_divisor(unit, rate);
    }
    for (size_t i = 0; g->rates && i < g->edges.count; i++) {
        if (g->rates[i] / unit > GFAB_MAX_WEIGHT)
            return gfab_fail(diag, g->edges.at[i].line, GFAB_ERR_LIMIT,
                             "bandwidths so far apart, or so uneven, that a link would weigh %" PRIu64 "; at most %u",
                             g->rates[i] / unit, GFAB_MAX_WEIGHT);
        gfab_graph_text_weigh(&g->edges.at[i], (uint32_t)(g->rates[i] / unit));
    }
    if (g->rates && g->has_unit)
        g->rate_unit = unit;
    return GFAB_OK;
}

/* ---- what a report says of them ---- */

gfab_status gfab_graph_note(const gfab_graph_links *g, char **note, gfab_diag *diag)
{
    enum { BYTES = 512, SHOWN = 5 };
    size_t at = 0;
    *note = NULL;
    if (!g->passed_count && !g->rate_unit && !g->dealt)
        return GFAB_OK;
    char *text = malloc(BYTES);
    GFAB_NEED_TOLD(text, diag);
    if (g->rate_unit)
        at += (size_t)snprintf(text, BYTES, "a link of weight 1 carries %.9g Gbit/s, which is %.9g GB/s",
                               (double)g->rate_unit / 1e9, (double)g->rate_unit / 8e9);
    if (g->dealt)
        at += (size_t)snprintf(text + at, BYTES - at,
                               "%sof %zu link%s the file names the meshes, and not the chips: dealt to these in turn",
                               at ? "; " : "", g->dealt, g->dealt == 1 ? "" : "s");
    if (g->passed_count)
        at += (size_t)snprintf(text + at, BYTES - at, "%s%zu attribute%s passed over: ", at ? "; " : "",
                               g->passed_count, g->passed_count == 1 ? "" : "s");
    for (size_t i = 0; i < g->passed.count && i < SHOWN; i++)
        at += (size_t)snprintf(text + at, BYTES - at, "%s%s", i ? ", " : "", gfab_graph_name(&g->passed, i));
    if (g->passed.count > SHOWN)
        snprintf(text + at, BYTES - at, ", ..");
    for (char *c = text; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    *note = text;
    return GFAB_OK;
}
