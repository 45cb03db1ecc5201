/* SPDX-License-Identifier: MIT */
/* Slurm's topology.conf (topology/tree): a line a switch, SwitchName=s0 Nodes=n[0-3,7] Switches=s[1-2] LinkSpeed=..
 * Nodes are the members, in the order in which they appear; switches are switches, behind them. All links weigh 1, and
 * where two lines name the same link, it is one. Names with brackets stand for all that the brackets list. */
#include "graphs/readers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 256

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_graph_names names;
    gfab_edges switches; /* node[0] of each: a name that is a switch's */
    size_t parent;       /* the switch of this line */
    bool of_switches;    /* the list that is read */
} reader;

/* What is done with each name of a list. */
static gfab_status take(reader *r, const char *name, size_t length)
{
    size_t node = 0;
    gfab_status status = gfab_graph_names_number(&r->names, r->t, name, length, &node);
    if (status != GFAB_OK || r->parent == GFAB_NO_NAME) {
        r->parent = node;
        gfab_edges_push(&r->switches, node, 0, 0);
        return status;
    }
    if (r->of_switches)
        gfab_edges_push(&r->switches, node, 0, 0);
    return gfab_graph_text_link(r->t, r->g, r->parent, node, false, 1, gfab_graph_name(&r->names, node));
}

/* A number of brackets, with its zeros in front. */
static bool read_end(const char **at, uint64_t *number, int *digits)
{
    const char *start = *at;
    for (*number = 0; gfab_is_digit(**at) && *at - start < 9; ++*at)
        *number = 10 * *number + (uint64_t)(**at - '0');
    *digits = (int)(*at - start);
    return *digits > 0 && !gfab_is_digit(**at);
}

/* head[list]tail, where a list is numbers and ranges of them; the tail may have brackets, too. */
static gfab_status expand(reader *r, const char *head, size_t length, const char *rest, size_t left, int depth)
{
    const char *open = memchr(rest, '[', left), *close = open ? memchr(open, ']', left - (size_t)(open - rest)) : NULL;
    char name[NAME_BYTES];
    const size_t before = open ? (size_t)(open - rest) : left;
    if (length + before + 10 >= NAME_BYTES || depth > 4)
        return FAIL(r->t, GFAB_ERR_LIMIT, "a name of more than %d bytes, or with more than 4 brackets",
                    NAME_BYTES - 10);
    memcpy(name, head, length);
    memcpy(name + length, rest, before);
    if (!open)
        return take(r, name, length + before);
    const char *at = open + 1;
    GFAB_TRY(close ? GFAB_OK : FAIL(r->t, GFAB_ERR_PARSE, "a [ without its ]"));
    for (bool more = true; more; at += more) {
        uint64_t first = 0, last = 0;
        int digits = 0, other = 0;
        bool good = read_end(&at, &first, &digits);
        last = first;
        if (good && *at == '-')
            good = (at++, read_end(&at, &last, &other)) && last >= first;
        if (!good || (*at != ',' && at != close) || last - first > GFAB_MAX_NODES)
            return FAIL(r->t, GFAB_ERR_PARSE, "\"%.*s\": numbers such as [0-3,7] are expected", (int)(close + 1 - open),
                        open);
        for (uint64_t i = first; i <= last; i++) {
            const int bytes = snprintf(name + length + before, 12, "%0*" PRIu64, digits, i);
            GFAB_TRY(expand(r, name, length + before + (size_t)bytes, close + 1, left - (size_t)(close + 1 - rest),
                            depth + 1));
        }
        more = *at == ',';
    }
    return GFAB_OK;
}

/* The names of a list: commas outside of brackets are between them. */
static gfab_status read_list(reader *r, const char *at, size_t length)
{
    const char *end = at + length;
    while (at < end) {
        const char *stop = at;
        for (bool inside = false; stop < end && (inside || *stop != ','); stop++)
            inside = *stop == '[' || (inside && *stop != ']');
        if (stop > at)
            GFAB_TRY(expand(r, "", 0, at, (size_t)(stop - at), 0));
        at = stop + 1;
    }
    return GFAB_OK;
}

static bool is_key(const gfab_graph_word *word, const char *key, size_t *value)
{
    size_t c = 0;
    while (key[c] && c < word->length && (word->at[c] | 32) == (key[c] | 32))
        c++;
    *value = c;
    return !key[c];
}

static gfab_status read_line(reader *r)
{
    gfab_graph_word words[16];
    const size_t count = gfab_graph_words(r->t, "", words, 16);
    r->parent = GFAB_NO_NAME;
    for (size_t i = 0; i < count && *words[i].at != '#'; i++) {
        size_t value;
        const char *known; /* Slurm gives LinkSpeed no unit and no use: it is counted as passed over */
        const bool name = is_key(&words[i], "SwitchName=", &value),
                   nodes = !name && is_key(&words[i], "Nodes=", &value),
                   switches = !name && !nodes && is_key(&words[i], "Switches=", &value);
        if (name == (r->parent != GFAB_NO_NAME))
            return FAIL(r->t, GFAB_ERR_PARSE, "\"%.*s\": a line is SwitchName=, then Nodes= or Switches=",
                        words[i].length > 40 ? 40 : (int)words[i].length, words[i].at);
        r->of_switches = switches;
        if (name || nodes || switches)
            GFAB_TRY(read_list(r, words[i].at + value, words[i].length - value));
        else if (is_key(&words[i], "LinkSpeed=", &value))
            GFAB_TRY(gfab_graph_attribute(r->g, r->t, "LinkSpeed", strlen("LinkSpeed"), true, &known));
        else
            return FAIL(r->t, GFAB_ERR_PARSE, "\"%.*s\": SwitchName=, Nodes=, Switches= and LinkSpeed= are known",
                        words[i].length > 40 ? 40 : (int)words[i].length, words[i].at);
    }
    return GFAB_OK;
}

/* Members first, then switches, each in their order. */
static gfab_status number_names(reader *r)
{
    const size_t names = r->names.count;
    GFAB_FREED uint32_t *number = calloc(names + 1, sizeof *number);
    uint32_t next = 0;
    gfab_status status = number ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, r->t->diag);
    for (size_t i = 0; number && i < r->switches.count; i++)
        number[r->switches.at[i].node[0]] = 1;
    for (uint32_t kind = 0; kind < 2 && status == GFAB_OK; kind++)
        for (size_t i = 0; i < names && status == GFAB_OK; i++) {
            if (number[i] != kind)
                continue;
            status =
                gfab_graph_call(r->g, r->t, next, gfab_graph_name(&r->names, i), strlen(gfab_graph_name(&r->names, i)));
            if (kind)
                gfab_edges_push(&r->g->relays, next, GFAB_SWITCH, 0);
            number[i] = 2 + next++;
        }
    for (size_t i = 0; status == GFAB_OK && i < r->g->edges.count; i++)
        for (int end = 0; end < 2; end++)
            r->g->edges.at[i].node[end] = number[r->g->edges.at[i].node[end]] - 2;
    r->g->nodes = next;
    return status;
}

gfab_status gfab_graph_read_slurm(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.t = t, .g = g};
    gfab_status status = GFAB_OK;
    do
        status = read_line(&r);
    while (status == GFAB_OK && gfab_graph_text_next_line(t));
    if (status == GFAB_OK && (r.switches.failed || g->edges.failed))
        status = gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    GFAB_THEN(status, number_names(&r));
    if (g->how.parallel == GFAB_PARALLEL_REFUSED)
        g->how.parallel = GFAB_PARALLEL_ONE;
    gfab_graph_names_release(&r.names);
    free(r.switches.at);
    return status;
}
