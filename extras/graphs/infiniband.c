/* SPDX-License-Identifier: MIT */
/* What ibnetdiscover prints of a fabric: a block for each switch and channel adapter, `Switch 36 "S-..." # "name" ..`
 * or `Ca 1 "H-..." # "name" ..`, with a line for each port, `[1] "H-..."[1](..) # .. 4xEDR`. Hosts (Ca, Rt) are the
 * members, in the order of their blocks; switches are switches. A cable stands at both ends and is taken once; several
 * between the same two add up. A link weighs its width times its speed, in the greatest rate that all are multiples of.
 */
#include "graphs/readers.h"

#include <stdlib.h>
#include <string.h>

/* Rates of a lane in Gbit/s as they are sold. */
static const struct {
    const char *name;
    uint32_t rate;
} speeds[] = {{"SDR", 2},  {"DDR", 5},  {"QDR", 10},  {"FDR10", 10}, {"FDR", 14},
              {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_graph_names names; /* the GUIDs in quotes */
    uint8_t *kinds;         /* [name]: 'S', 'H', 0 where no block was seen */
    const char **called;    /* [name]: behind # " */
    size_t room;
    size_t here; /* whose block this is */
} reader;

static gfab_status find(reader *r, const gfab_graph_word *guid, size_t *node)
{
    gfab_status status = gfab_graph_names_number(&r->names, r->t, guid->at, guid->length, node);
    if (status != GFAB_OK || *node < r->room)
        return status;
    const size_t room = 2 * *node + 64;
    uint8_t *kinds = realloc(r->kinds, room * sizeof *kinds);
    r->kinds = kinds ? kinds : r->kinds;
    const char **called = realloc(r->called, room * sizeof *called);
    r->called = called ? called : r->called;
    GFAB_NEED_TOLD(kinds && called, r->t->diag);
    memset(kinds + r->room, 0, (room - r->room) * sizeof *kinds);
    for (; r->room < room; r->room++)
        r->called[r->room] = NULL;
    return GFAB_OK;
}

/* The text in quotes at or behind `at` in this line; false where there is none. */
static bool quoted(const char *at, gfab_graph_word *text)
{
    const char *open = at + strcspn(at, "\"\n");
    const char *close = *open == '"' ? open + 1 + strcspn(open + 1, "\"\n") : open;
    *text = (gfab_graph_word){open + 1, *open == '"' ? (size_t)(close - open - 1) : 0};
    return *open == '"' && *close == '"' && text->length > 0;
}

/* Switch 36 "S-..." # "name" */
static gfab_status open_block(reader *r, bool is_switch)
{
    gfab_graph_word guid, name;
    if (!quoted(r->t->at, &guid))
        return FAIL(r->t, GFAB_ERR_PARSE, "a switch or an adapter without its GUID in quotes");
    GFAB_TRY(find(r, &guid, &r->here));
    r->kinds[r->here] = is_switch ? 'S' : 'H';
    if (quoted(guid.at + guid.length + 1, &name))
        r->called[r->here] = name.at;
    return GFAB_OK;
}

/* 4xEDR at the end of the line; 0 where it says nothing. */
static uint32_t rate_of(const char *at)
{
    const size_t length = strcspn(at, "\r\n");
    for (size_t i = length; i > 1; i--) {
        if (at[i - 1] != 'x' || !gfab_is_digit(at[i - 2]))
            continue;
        const char *speed = at + i;
        uint32_t lanes = (uint32_t)(at[i - 2] - '0') + (i > 2 && at[i - 3] == '1' ? 10 : 0);
        for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++)
            if (strncmp(speed, speeds[s].name, strlen(speeds[s].name)) == 0 &&
                !gfab_is_letter(speed[strlen(speeds[s].name)]) && !gfab_is_digit(speed[strlen(speeds[s].name)]))
                return lanes * speeds[s].rate;
    }
    return 0;
}

/* [1](guid) "H-..."[1](..) # .. : taken at the end whose GUID was seen first, so that it is once. */
static gfab_status read_port(reader *r)
{
    gfab_graph_word guid;
    size_t peer = 0;
    if (r->here == GFAB_NO_NAME || !quoted(r->t->at, &guid))
        return FAIL(r->t, GFAB_ERR_PARSE, "a port without the GUID of what it is linked with, in quotes");
    const uint64_t rate = (uint64_t)rate_of(r->t->at) * 1000000000;
    const gfab_status status = find(r, &guid, &peer);
    if (status != GFAB_OK || (r->kinds[peer] && peer != r->here)) /* its block has come before */
        return status;
    if (peer == r->here)
        return GFAB_OK; /* a cable back to the switch itself */
    const gfab_graph_load load = {0, rate};
    const gfab_status made = gfab_graph_text_link(r->t, r->g, r->here, peer, false, 1, NULL);
    return made == GFAB_OK ? gfab_graph_load_link(r->g, r->t, r->g->edges.count - 1, &load) : made;
}

/* Hosts first, then switches. One that has no block is an adapter, by the first letter of its GUID, or a switch. */
static gfab_status number_names(reader *r)
{
    uint32_t *number = calloc(r->names.count + 1, sizeof *number), next = 0;
    gfab_status status = number ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, r->t->diag);
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < r->names.count && status == GFAB_OK; i++) {
            const char *guid = gfab_graph_name(&r->names, i), *called = r->called[i] ? r->called[i] : guid;
            const bool is_switch = r->kinds[i] ? r->kinds[i] == 'S' : *guid == 'S';
            if (is_switch != kind)
                continue;
            const size_t before = r->g->called.count;
            status = gfab_graph_call(r->g, r->t, next, called, strcspn(called, "\"\n"));
            if (status == GFAB_OK && r->g->called.count == before) /* two adapters of one host */
                status = gfab_graph_call(r->g, r->t, next, guid, strlen(guid));
            if (is_switch)
                gfab_edges_push(&r->g->relays, next, GFAB_SWITCH, 0);
            number[i] = next++;
        }
    for (size_t i = 0; status == GFAB_OK && i < r->g->edges.count; i++)
        for (int end = 0; end < 2; end++)
            r->g->edges.at[i].node[end] = number[r->g->edges.at[i].node[end]];
    r->g->nodes = next;
    free(number);
    return status;
}

gfab_status gfab_graph_read_infiniband(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.t = t, .g = g, .here = GFAB_NO_NAME};
    gfab_status status = GFAB_OK;
    do {
        gfab_graph_text_skip_blanks(t);
        const bool is_switch = strncmp(t->at, "Switch", 6) == 0;
        if (is_switch || strncmp(t->at, "Ca\t", 3) == 0 || strncmp(t->at, "Ca ", 3) == 0 ||
            strncmp(t->at, "Rt", 2) == 0)
            status = open_block(&r, is_switch);
        else if (*t->at == '[')
            status = read_port(&r);
    } while (status == GFAB_OK && gfab_graph_text_next_line(t));
    if (status == GFAB_OK && g->edges.failed)
        status = gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    GFAB_THEN(status, number_names(&r));
    g->has_unit = true;
    g->how.parallel = GFAB_PARALLEL_ADDED;
    gfab_graph_names_release(&r.names);
    GFAB_FREE(r.kinds, r.called);
    return status;
}
