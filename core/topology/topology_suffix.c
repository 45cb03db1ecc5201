/* SPDX-License-Identifier: MIT */
/* What follows a spec: +drop-link=U-V and +drop-node=V take away, +relay=, +members= and +weight= say of nodes and
 * links what they are, +hosts gives each member a host, +split makes links of weights, +names= says what nodes are
 * called. Nodes are numbers or names; the canonical form has numbers. */
#include "topology_internal.h"

#include "base/number.h"

#include <gossipfab/base/arena.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the suffixes take out of a topology, and say of its nodes and links. */
typedef struct change {
    const gfab_topology *base;
    char *text; /* the end of the suffixes in their canonical form */
    bool *nodes;
    bool *links;
    uint8_t *relays;   /* [node]: what the relay does */
    bool *named;       /* those of +relay= */
    bool *members;     /* those of +members=; */
    bool has_members;  /* whether there was any */
    bool hosts;        /* members become relays that have a host each */
    bool split;        /* a link of weight w becomes w links */
    uint32_t *weights; /* [arc] */
    char **names;      /* those of +names= */
    gfab_arena arena;
} change;

/* What nodes are called by now. */
static const char *const *names_of(const change *d)
{
    return (const char *const *)(d->names ? d->names : d->base->names);
}

static gfab_status drop_link(uint32_t link, change *d, gfab_diag *diag)
{
    if (d->links[link])
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link %" PRIu32 "-%" PRIu32 " is dropped twice",
                         d->base->links[link].node[0], d->base->links[link].node[1]);
    d->links[link] = true;
    return GFAB_OK;
}

/* "+drop-link=U-V"; writes it, lower node first, to the text. */
static gfab_status read_dropped_link(const char **at, change *d, gfab_diag *diag)
{
    const gfab_topology *base = d->base;
    uint32_t pair[2] = {0, 0};
    gfab_arc arc = 0;
    GFAB_TRY(gfab_graph_read_pair(names_of(d), base->node_count, at, pair, diag));
    if (!gfab_topology_find_arc(base, pair[0], pair[1], &arc))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "there is no link %" PRIu32 "-%" PRIu32 " to drop", pair[0],
                         pair[1]);
    const bool falls = pair[0] > pair[1];
    d->text += sprintf(d->text, "%" PRIu32 "-%" PRIu32, pair[falls], pair[!falls]);
    return drop_link(arc / 2, d, diag);
}

/* "+drop-node=V": the node and all its links. */
static gfab_status read_dropped_node(const char **at, change *d, gfab_diag *diag)
{
    const gfab_topology *base = d->base;
    uint32_t node = 0;
    GFAB_TRY(gfab_topology_read_node(names_of(d), base->node_count, at, &node, diag));
    if (d->nodes[node])
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %" PRIu32 " is dropped twice", node);
    d->nodes[node] = true;
    d->text += sprintf(d->text, "%" PRIu32, node);
    GFAB_EACH_PORT(port, base, node)
        if (!d->nodes[port->peer]) /* else the link went with that node */
            GFAB_TRY(drop_link(port->link, d, diag));
    return GFAB_OK;
}

/* "LIST": nodes V and ranges V-W of them, with commas between; writes numbers to the text. Marks them; which says in
 * messages what they are. */
static gfab_status read_nodes(const char **at, change *d, bool *marks, const char *which, gfab_diag *diag)
{
    const char *start = *at;
    for (bool more = true; more; *at += more) {
        uint32_t ends[2] = {0, 0};
        bool range = false;
        const gfab_status status = gfab_topology_read_range(names_of(d), d->base->node_count, at, ends, &range, diag);
        if (status == GFAB_ERR_PARSE)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "nodes such as 3,5-7 are expected at \"%.20s\"", start);
        if (status != GFAB_OK)
            return status;
        d->text += sprintf(d->text, range ? "%" PRIu32 "-%" PRIu32 : "%" PRIu32, ends[0], ends[1]);
        for (uint32_t v = ends[0]; v <= ends[1]; v++) {
            if (marks[v])
                return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %" PRIu32 " is named as a %s twice", v, which);
            marks[v] = true;
        }
        more = **at == ',';
        if (more)
            d->text += sprintf(d->text, ",");
    }
    return GFAB_OK;
}

/* The longest word for what a relay does that is there, "copy", "switch:copy" ..; its length, 0 where there is none. */
static size_t read_relay_word(const char *at, uint32_t *relay)
{
    const gfab_relay_kind *kind;
    size_t longest = 0;
    for (size_t k = 0; (kind = gfab_relay_kind_at(k)); k++) {
        const size_t length = strlen(kind->word);
        if (length < longest || strncmp(at, kind->word, length) != 0)
            continue;
        longest = length;
        *relay = kind->relay;
    }
    return longest;
}

static gfab_status read_relays(const char **at, change *d, gfab_diag *diag)
{
    const gfab_topology *base = d->base;
    uint32_t relay = GFAB_RELAY_DOES_ALL;
    GFAB_FREED bool *named = calloc(base->node_count, sizeof *named);
    GFAB_NEED(named);
    GFAB_TRY(read_nodes(at, d, named, "relay", diag));
    if (**at == ':') {
        const size_t length = read_relay_word(*at + 1, &relay);
        if (length == 0 || relay == GFAB_RELAY_DOES_ALL)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                             "what relays do is :copy, :combine, :forward, :switch, :switch:copy, :switch:combine or "
                             ":switch:copy-combine, not \"%.20s\"",
                             *at);
        *at += 1 + length;
        d->text += sprintf(d->text, ":%s", gfab_topology_relay_name(relay));
    }
    for (size_t v = 0; v < base->node_count; v++) {
        if (named[v] && d->named[v])
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %zu is named as a relay twice", v);
        d->named[v] = d->named[v] || named[v];
        d->relays[v] = named[v] ? (uint8_t)relay : d->relays[v];
    }
    return GFAB_OK;
}

/* "+relays=KIND": all relays that the base has; +relay= in the canonical form. */
static gfab_status read_all_relays(const char **at, change *d, gfab_diag *diag)
{
    const gfab_topology *base = d->base;
    uint32_t relay = 0;
    const size_t length = read_relay_word(*at, &relay);
    const char *separator = "";
    if (length == 0)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                         "what all relays do is +relays=true, copy, combine, forward, switch, switch:copy, "
                         "switch:combine or switch:copy-combine, not \"%.20s\"",
                         *at);
    if (!gfab_topology_has_relays(base))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "+relays= where there are no relays; +relay=LIST makes some");
    *at += length;
    d->text -= strlen("s=");
    d->text += sprintf(d->text, "=");
    for (uint32_t v = 0, last; v < base->node_count; v = last + 1) {
        last = v;
        if (!gfab_topology_is_relay(base, v))
            continue;
        for (; last < base->node_count && gfab_topology_is_relay(base, last); last++) {
            if (d->named[last])
                return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %" PRIu32 " is named as a relay twice", last);
            d->named[last] = true;
            d->relays[last] = (uint8_t)relay;
        }
        last--;
        d->text += sprintf(d->text, last > v ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, separator, v, last);
        separator = ",";
    }
    if (relay != GFAB_RELAY_DOES_ALL)
        d->text += sprintf(d->text, ":%s", gfab_topology_relay_name(relay));
    return GFAB_OK;
}

static gfab_status read_members(const char **at, change *d, gfab_diag *diag)
{
    d->has_members = true;
    return read_nodes(at, d, d->members, "member", diag);
}

/* A weight; stays where there is none. */
static gfab_number_status read_number(const char **at, char sign, uint64_t *weight)
{
    if (**at != sign)
        return GFAB_NUMBER_NONE;
    ++*at;
    return gfab_number_read(at, GFAB_MAX_WEIGHT, weight);
}

/* "+weight=U-V:W", or "+weight=U-V:W/X": X is the way back. */
static gfab_status read_weight(const char **at, change *d, gfab_diag *diag)
{
    const gfab_topology *base = d->base;
    const char *start = *at, *numbers;
    uint32_t pair[2] = {0, 0};
    uint64_t weight[2] = {0, 0};
    gfab_arc arc = 0;
    GFAB_TRY(gfab_graph_read_pair(names_of(d), base->node_count, at, pair, diag));
    if (!gfab_topology_find_arc(base, pair[0], pair[1], &arc))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "there is no link %" PRIu32 "-%" PRIu32 " to give a weight",
                         pair[0], pair[1]);
    numbers = *at;
    gfab_number_status number = read_number(at, ':', &weight[0]);
    weight[1] = weight[0];
    if (number == GFAB_NUMBER_OK && **at == '/')
        number = read_number(at, '/', &weight[1]);
    if (number == GFAB_NUMBER_OVERFLOW)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a weight above %u in \"%.20s\"", GFAB_MAX_WEIGHT, start);
    if (number != GFAB_NUMBER_OK)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link and its weight, U-V:W or U-V:W/X, are expected at \"%.20s\"",
                         start);
    if (!weight[0] && !weight[1])
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link %" PRIu32 "-%" PRIu32 " has a weight of 0; at least 1",
                         pair[0], pair[1]);
    d->weights[arc] = (uint32_t)weight[0];
    d->weights[arc ^ 1] = (uint32_t)weight[1];
    d->text += sprintf(d->text, "%" PRIu32 "-%" PRIu32 "%.*s", pair[0], pair[1], (int)(*at - numbers), numbers);
    return GFAB_OK;
}

/* "+names=A,B,..": one for each node, none between two commas. */
static gfab_status read_names(const char **at, change *d, gfab_diag *diag)
{
    const gfab_topology *base = d->base;
    const char *start = *at;
    if (d->names)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "+names= is there twice");
    GFAB_TRY(gfab_topology_read_names(at, base->node_count, &d->names, diag));
    memcpy(d->text, start, (size_t)(*at - start)); /* sprintf() counts in int */
    d->text += *at - start;
    *d->text = '\0';
    return GFAB_OK;
}

/* "+hosts". */
static gfab_status read_hosts(const char **at, change *d, gfab_diag *diag)
{
    (void)at;
    if (d->hosts)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "+hosts is there twice");
    d->hosts = true;
    return GFAB_OK;
}

/* "+split". */
static gfab_status read_split(const char **at, change *d, gfab_diag *diag)
{
    (void)at;
    if (d->split)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "+split is there twice");
    d->split = true;
    return GFAB_OK;
}

static const struct suffix {
    const char *word;
    gfab_status (*read)(const char **at, change *d, gfab_diag *diag);
} suffix_table[] = {{"+drop-link=", read_dropped_link},
                    {"+drop-node=", read_dropped_node},
                    {"+relay=", read_relays},
                    {"+relays=", read_all_relays},
                    {"+members=", read_members},
                    {"+weight=", read_weight},
                    {"+hosts", read_hosts},
                    {"+split", read_split},
                    {"+names=", read_names}};

#define SUFFIXES (sizeof suffix_table / sizeof suffix_table[0])

const char *gfab_graph_suffixes(const char *spec)
{
    const char *first = strstr(spec, "+drop-");
    for (size_t i = 0; i < SUFFIXES; i++) {
        const char *at = strstr(spec, suffix_table[i].word);
        if (at && (!first || at < first))
            first = at;
    }
    return first;
}

/* Marks what the suffixes name; writes them in their canonical form to text. */
static gfab_status mark_changes(const char *at, change *d, gfab_diag *diag)
{
    while (*at) {
        size_t i = 0;
        while (i < SUFFIXES && strncmp(at, suffix_table[i].word, strlen(suffix_table[i].word)) != 0)
            i++;
        if (i == SUFFIXES)
            return gfab_fail(
                diag, 0, GFAB_ERR_PARSE,
                "unexpected \"%.20s\"; only +drop-link=U-V, +drop-node=V, +relay=LIST[:KIND], "
                "+relays=KIND, +members=LIST, +weight=U-V:W[/X], +names=A,B,.., +hosts and +split can follow",
                at);
        at += strlen(suffix_table[i].word);
        d->text += sprintf(d->text, "%s", suffix_table[i].word);
        GFAB_TRY(suffix_table[i].read(&at, d, diag));
    }
    return GFAB_OK;
}

static bool is_member(const change *d, size_t v)
{
    return !d->nodes[v] && (!d->has_members || d->members[v]) && !d->relays[v];
}

/* A link that is left, between its nodes' new numbers: with its weights, or as many as its greater one. */
static void push_link(const change *d, size_t l, const uint32_t *number, gfab_edges *edges)
{
    const uint32_t *weight = &d->weights[2 * l];
    const uint32_t links = !d->split ? 1 : weight[0] > weight[1] ? weight[0] : weight[1];
    for (uint32_t i = 0; i < links && edges->count <= GFAB_MAX_GRAPH_LINKS; i++) {
        gfab_edges_push(edges, number[d->base->links[l].node[0]], number[d->base->links[l].node[1]], 0);
        for (size_t way = 0; way < 2 && !edges->failed; way++)
            edges->at[edges->count - 1].weight[way] = d->split ? i < weight[way] : weight[way];
    }
}

/* The links that are left, with their weights, between nodes numbered anew in their order, and behind them those to
 * hosts; the number of nodes that are left, with hosts. Where links are listed they stay in order. */
static size_t push_left(const change *d, uint32_t *number, gfab_edges *edges)
{
    uint32_t left = 0;
    for (size_t v = 0; v < d->base->node_count; v++) {
        number[v] = left;
        left += !d->nodes[v];
    }
    for (size_t l = 0; l < d->base->link_count; l++)
        if (!d->links[l])
            push_link(d, l, number, edges);
    for (size_t v = 0; d->hosts && v < d->base->node_count; v++)
        if (is_member(d, v))
            gfab_edges_push(edges, number[v], left++, 0);
    if (d->hosts && d->base->listed && gfab_edges_sort(edges, left) != GFAB_OK)
        edges->failed = true;
    return left;
}

/* Marks of the nodes and links that are left. number[v] is v's new number. */
static gfab_status mark_left(const change *d, const uint32_t *number, const gfab_edges *edges, gfab_topology *t,
                             gfab_diag *diag)
{
    GFAB_FREED uint8_t *relays = calloc(t->node_count, sizeof *relays);
    GFAB_FREED uint32_t *weights = calloc(2 * edges->count, sizeof *weights);
    GFAB_NEED(relays && weights);
    for (size_t v = 0; v < d->base->node_count; v++)
        if (!d->nodes[v])
            relays[number[v]] = d->relays[v] ? d->relays[v] : d->hosts || !is_member(d, v) ? GFAB_RELAY_DOES_ALL : 0;
    for (size_t i = 0; i < 2 * edges->count; i++)
        weights[i] = edges->at[i / 2].weight[i % 2];
    return gfab_topology_mark(t, relays, weights, diag);
}

/* Names of the nodes that are left. */
static gfab_status name_left(const change *d, const uint32_t *number, gfab_topology *t, gfab_diag *diag)
{
    const char *const *names = names_of(d);
    GFAB_FREED const char **left = names ? calloc(t->node_count, sizeof *left) : NULL;
    gfab_status status = names && !left ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    for (size_t v = 0; left && v < d->base->node_count; v++)
        if (!d->nodes[v])
            left[number[v]] = names[v];
    if (left)
        status = gfab_topology_name_nodes(t, left, diag);
    return status;
}

/* What the base says of its nodes and links holds until a suffix says otherwise. */
static gfab_status open_change(const gfab_topology *base, change *d)
{
    *d = (change){.base = base};
    GFAB_ARRAYS(&d->arena, base->node_count, d->nodes, d->relays, d->named, d->members);
    d->links = gfab_arena_zeroed(&d->arena, base->link_count, sizeof *d->links);
    d->weights = gfab_arena_zeroed(&d->arena, 2 * base->link_count, sizeof *d->weights);
    GFAB_NEED(!d->arena.failed);
    for (size_t v = 0; v < base->node_count; v++)
        d->relays[v] = (uint8_t)gfab_topology_relay(base, v);
    for (size_t arc = 0; arc < 2 * base->link_count; arc++)
        d->weights[arc] = gfab_topology_arc_weight(base, (gfab_arc)arc);
    return GFAB_OK;
}

/* Links of the same two nodes are neighbours. */
static bool has_parallel(const gfab_topology *t)
{
    for (size_t l = 1; l < t->link_count; l++)
        if (memcmp(&t->links[l - 1], &t->links[l], sizeof *t->links) == 0)
            return true;
    return false;
}

gfab_status gfab_topology_split(const gfab_topology *topology, gfab_topology **parallel, gfab_diag *diag)
{
    return gfab_graph_change(topology, "+split", parallel, NULL, diag);
}

/* Room for a text in its canonical form. Where nodes have names, a number there may be longer than the name. */
static size_t canonical_bytes(const gfab_topology *base, const char *suffixes)
{
    enum { LONGEST = 9 };
    const char *named = base->names ? suffixes : strstr(suffixes, "+names=");
    const size_t relays = strstr(suffixes, "+relays=") ? base->node_count - gfab_topology_member_count(base) : 0;
    return strlen(suffixes) + 1 + (named ? LONGEST * strlen(named) : 0) + (2 * LONGEST + 2) * relays;
}

static void close_change(change *d)
{
    gfab_arena_release(&d->arena);
    free(d->names);
}

/* What is left of the base, with all that was said of it; the canonical suffixes go behind the base's text in spec. */
static gfab_status make_left(change *d, const char *suffixes, char *spec, gfab_topology **made, gfab_diag *diag)
{
    const gfab_topology *base = d->base;
    GFAB_AT_END(gfab_edges_release) gfab_edges edges = {0};
    GFAB_FREED uint32_t *number = malloc(base->node_count * sizeof *number);
    GFAB_NEED(number);
    GFAB_TRY(mark_changes(suffixes, d, diag));
    const size_t nodes = push_left(d, number, &edges);
    GFAB_NEED(!edges.failed);
    GFAB_TRY(gfab_graph_create(nodes, &edges, base->listed && !d->split ? NULL : spec, made, diag));
    gfab_topology *t = *made;
    t->parallel = has_parallel(t);
    t->rate_unit = base->rate_unit;
    GFAB_TRY(mark_left(d, number, &edges, t, diag));
    GFAB_TRY(name_left(d, number, t, diag));
    GFAB_NEED(!base->note || (t->note = gfab_topology_copy_text(base->note)));
    return GFAB_OK;
}

gfab_status gfab_graph_change(const gfab_topology *base, const char *suffixes, gfab_topology **topology,
                              char **canonical, gfab_diag *diag)
{
    const char *base_spec = gfab_topology_spec(base);
    const size_t base_length = strlen(base_spec);
    GFAB_AT_END(close_change) change d;
    gfab_status status = open_change(base, &d);
    GFAB_FREED char *spec = malloc(base_length + canonical_bytes(base, suffixes));
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *t = NULL;
    *topology = NULL;
    if (status == GFAB_OK && spec) {
        memcpy(spec, base_spec, base_length + 1);
        d.text = spec + base_length;
        status = make_left(&d, suffixes, spec, &t, diag);
    }
    if (!spec || status == GFAB_ERR_NO_MEMORY)
        return gfab_told(GFAB_ERR_NO_MEMORY, diag);
    GFAB_TRY(status);
    if (base->listed)
        snprintf(t->name, sizeof t->name, "%.63s%.60s", base->name, spec + base_length);
    if (canonical) {
        memmove(spec, spec + base_length, strlen(spec + base_length) + 1);
        *canonical = gfab_take_at(&spec);
    }
    *topology = gfab_take_at(&t);
    return GFAB_OK;
}
