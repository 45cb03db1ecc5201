/* SPDX-License-Identifier: MIT */
/* Tenstorrent's descriptors. Of a cluster (tt-umd, YAML): ethernet_connections, pairs of {chip, chan}; chips that have
 * one are the nodes, and several links between two chips add up. Of a mesh (tt-metal, YAML or protobuf's text):
 * device_topology, a mesh of so many rows and columns, whose links weigh the channels. What else they say -
 * coordinates, boards, hosts - is passed over. */
#include "graphs/readers.h"

#include <stdlib.h>
#include <string.h>

/* ---- clusters ---- */

/* The next `chip:` of the list, or its end: a line that begins with a letter, or another document. NULL: the end. */
static const char *next_chip(gfab_graph_text *t)
{
    for (; *t->at; t->at++) {
        if (*t->at == '#')
            gfab_graph_text_skip_line(t);
        if (*t->at == '\n') {
            t->line++;
            if (gfab_is_letter(t->at[1]))
                return NULL;
        }
        if (strncmp(t->at, "chip:", 5) == 0 && !gfab_is_letter(t->at[-1]))
            return t->at += 5;
        if (!*t->at)
            break;
    }
    return NULL;
}

static gfab_status read_chip(gfab_graph_text *t, gfab_graph_names *names, size_t *node)
{
    gfab_graph_text_skip_blanks(t);
    const size_t length = strspn(t->at, "0123456789");
    if (length == 0)
        return gfab_graph_text_unexpected(t, t->at, strcspn(t->at, ",}\r\n"), "the number of a chip");
    return gfab_graph_names_number(names, t, t->at, length, node);
}

gfab_status gfab_graph_read_tenstorrent(gfab_graph_text *t, gfab_graph_links *g)
{
    gfab_graph_names names = {.count = 0};
    const char *list = strstr(t->bytes, "ethernet_connections:");
    gfab_status status = GFAB_OK;
    for (; t->at < list; t->at++)
        t->line += *t->at == '\n';
    t->at += strlen("ethernet_connections:");
    while (status == GFAB_OK && next_chip(t)) {
        size_t node[2] = {0, 0};
        status = read_chip(t, &names, &node[0]);
        if (status == GFAB_OK && !next_chip(t))
            status = FAIL(t, GFAB_ERR_PARSE, "ethernet_connections: pairs of {chip: N, chan: C} are expected");
        GFAB_THEN(status, read_chip(t, &names, &node[1]));
        GFAB_THEN(status, gfab_graph_text_link(t, g, node[0], node[1], false, 1, gfab_graph_name(&names, node[0])));
    }
    if (status == GFAB_OK && g->edges.count == 0 && !g->edges.failed)
        status = gfab_fail(t->diag, 0, GFAB_ERR_INVALID,
                           "ethernet_connections is empty: no two chips are connected, and a gossip needs two");
    GFAB_THEN(status, gfab_graph_names_apply(&names, g, t));
    g->how.parallel = GFAB_PARALLEL_ADDED;
    gfab_graph_names_release(&names);
    return status;
}

/* ---- meshes ---- */

/* The next place of a word that is no comment; NULL: none. */
static const char *find_word(const char *at, const char *word)
{
    for (; at && *at; at++) {
        if (*at == '#')
            at += strcspn(at, "\n");
        if (strncmp(at, word, strlen(word)) == 0)
            return at;
        if (!*at)
            break;
    }
    return NULL;
}

static size_t count_words(const char *at, const char *word)
{
    size_t count = 0;
    for (at = find_word(at, word); at; at = find_word(at + 1, word))
        count++;
    return count;
}

/* The two numbers in brackets, from `at` on. */
static bool read_sides(const char *at, uint64_t sides[2])
{
    at = at ? strchr(at, '[') : NULL;
    for (int i = 0; at && i < 2; i++) {
        char *end;
        at += 1 + strspn(at + 1, " \t\r\n");
        sides[i] = gfab_is_digit(*at) ? strtoull(at, &end, 10) : 0;
        at = sides[i] ? end + strspn(end, " \t\r\n") : NULL;
        if (at && *at != (i ? ']' : ','))
            return false;
    }
    return at && sides[0] <= GFAB_MAX_NODES && sides[1] <= GFAB_MAX_NODES && sides[0] * sides[1] <= GFAB_MAX_NODES;
}

/* Which sides are closed: dim_types: [ RING, LINE ]. */
static void read_rings(const char *at, bool ring[2])
{
    const char *types = find_word(at, "dim_types"), *end = types ? strchr(types, ']') : NULL;
    const char *second = types ? strchr(types, ',') : NULL;
    for (int i = 0; i < 2 && end && second; i++) {
        const char *found = strstr(i ? second : types, "RING");
        ring[i] = found && found < (i ? end : second);
    }
}

static gfab_status link_mesh(gfab_graph_text *t, gfab_graph_links *g, const uint64_t sides[2], const bool ring[2],
                             uint32_t weight)
{
    for (uint64_t v = 0; v < g->nodes; v++) {
        const uint64_t at[2] = {v / sides[1], v % sides[1]}, step[2] = {sides[1], 1};
        for (int i = 0; i < 2; i++) {
            const bool last = at[i] + 1 == sides[i];
            if (!last || (ring[i] && sides[i] > 2))
                GFAB_TRY(gfab_graph_text_link(t, g, v, last ? v - at[i] * step[i] : v + step[i], false, weight, NULL));
        }
    }
    return GFAB_OK;
}

gfab_status gfab_graph_read_tenstorrent_mesh(gfab_graph_text *t, gfab_graph_links *g)
{
    uint64_t sides[2] = {0, 0};
    bool ring[2] = {false, false};
    const char *first = find_word(t->bytes, "device_topology"), *count = find_word(t->bytes, "channels");
    t->line = 0;
    if (!read_sides(first, sides))
        return gfab_fail(t->diag, 0, GFAB_ERR_PARSE, "device_topology: two sides such as [ 2, 4 ] are expected");
    if (count_words(t->bytes, "device_topology") > 1 || count_words(t->bytes, "instances") > 1)
        return gfab_fail(t->diag, 0, GFAB_ERR_UNSUPPORTED,
                         "a mesh graph descriptor of several meshes does not say which of their chips are linked; a "
                         "cluster descriptor (ethernet_connections) does");
    read_rings(first, ring);
    count = count ? find_word(count, "count:") : find_word(t->bytes, " E:");
    count = count ? count + strcspn(count, "0123456789\n") : "1";
    const unsigned long weight = gfab_is_digit(*count) ? strtoul(count, NULL, 10) : 1;
    g->nodes = (size_t)(sides[0] * sides[1]);
    if (weight == 0 || weight > GFAB_MAX_WEIGHT)
        return gfab_fail(t->diag, 0, GFAB_ERR_LIMIT, "channels: 1 to %u are expected", GFAB_MAX_WEIGHT);
    return link_mesh(t, g, sides, ring, (uint32_t)weight);
}
