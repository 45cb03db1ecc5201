/* SPDX-License-Identifier: MIT */
/* Lower bounds on T r + S, T the rounds that start messages and S the sum of their longest packets: a lower bound on
 * T and one on S may be added, as they are about the same schedule. All of them hold for tokens that are cut in
 * parts, as S is then counted in fractions of a token, and each part by itself must reach every node. */
#include <gossipfab/schedule/bound.h>

#include "base/divisor.h"
#include "base/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Above it the sums of the label bound do not fit. */
#define MAX_LINE_NODES ((uint64_t)1 << 16)

typedef struct cost_list {
    gfab_cost_bound *bounds;
    size_t count;
    gfab_ratio startup;
    gfab_status status;
} cost_list;

/* What the bounds need to know, all of one schedule's two sums. */
typedef struct floors {
    uint64_t nodes;
    uint64_t arcs;     /* packets that the links carry in a round, at most */
    gfab_bound rounds; /* the best bound on T */
    gfab_ratio data;   /* the best bound on S */
    bool data_of_node; /* it is that of one node */
} floors;

/* Keeps the list sorted, highest first, earlier first among equals. T = startups, S = transfers. */
#ifdef __GNUC__
__attribute__((format(printf, 6, 7)))
#endif
static void
add(cost_list *list, const char *name, uint64_t startups, gfab_ratio transfers, const char *source, const char *format,
    ...)
{
    gfab_cost_bound bound = {.name = name, .startups = startups, .transfers = transfers, .source = source};
    const gfab_cost cost = {startups, transfers.numerator, (uint32_t)transfers.denominator};
    if (list->status == GFAB_OK)
        list->status = gfab_cost_total(&cost, list->startup, &bound.cost);
    if (list->status != GFAB_OK)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(bound.argument, sizeof bound.argument, format, arguments);
    va_end(arguments);
    size_t at = list->count++;
    for (; at > 0 && gfab_ratio_compare(list->bounds[at - 1].cost, bound.cost) < 0; at--)
        list->bounds[at] = list->bounds[at - 1];
    list->bounds[at] = bound;
}

/* A ratio as words have it: "7" or "7/2". */
typedef struct ratio_text {
    char text[48];
} ratio_text;

static ratio_text text_of(gfab_ratio ratio)
{
    ratio_text t;
    if (ratio.denominator == 1)
        (void)snprintf(t.text, sizeof t.text, "%" PRIu64, ratio.numerator);
    else
        (void)snprintf(t.text, sizeof t.text, "%" PRIu64 "/%" PRIu64, ratio.numerator, ratio.denominator);
    return t;
}

static gfab_ratio fraction(uint64_t numerator, uint64_t denominator)
{
    const uint64_t divisor = gfab_common_divisor(numerator, denominator);
    return (gfab_ratio){numerator / divisor, denominator / divisor};
}

/* The volume that some node must take, or all nodes together, over what a round of length s moves, divided by s. In
 * half duplex a node's own token goes out over its links, too, once at least. */
static void find_data(const gfab_topology *topology, const gfab_model *model, floors *f)
{
    const bool full = model->link_mode == GFAB_LINK_FULL;
    const bool one = model->port_mode == GFAB_PORT_ONE;
    const bool circuit = model->routing == GFAB_ROUTING_CIRCUIT;
    const uint64_t n = f->nodes;
    const uint64_t pairs = n / 2;
    const uint64_t ends = full ? (circuit ? n : 2 * pairs) : pairs; /* packets of a round where nodes use one port */
    const uint64_t packets = one && ends < f->arcs ? ends : f->arcs;
    const gfab_ratio node = fraction(full ? n - 1 : n, one ? 1 : gfab_topology_min_degree(topology));
    const gfab_ratio all = fraction(n * (n - 1), packets);
    const bool whole = gfab_ratio_compare(all, node) > 0;
    f->data = whole ? all : node;
    f->data_of_node = !whole;
}

static void add_data(cost_list *list, const gfab_topology *topology, const gfab_model *model, const floors *f)
{
    const bool half = model->link_mode == GFAB_LINK_HALF;
    const uint64_t degree = model->port_mode == GFAB_PORT_ONE ? 1 : gfab_topology_min_degree(topology);
    if (f->data_of_node)
        add(list, "data", 0, f->data, "Sibeyn, Juurlink & Rao, Lemma 1",
            "A node that uses %" PRIu64 " link%s at a time takes %" PRIu64 " tokens%s: %s transfers.", degree,
            degree == 1 ? "" : "s", f->nodes - 1, half ? " and sends its own" : "", text_of(f->data).text);
    else
        add(list, "data", 0, f->data, "folklore",
            "%" PRIu64 " nodes take %" PRIu64
            " tokens each, over all the links that are in use at a time: %s transfers.",
            f->nodes, f->nodes - 1, text_of(f->data).text);
}

/* The labels of docs/theory/cost-bounds.md, cheapest first: a class has those of cost c, C(T, c) 2^c of them on a ring,
 * half as many of an end stretch of an array. */
typedef struct label_class {
    uint64_t rounds; /* T */
    uint64_t cost;   /* c */
    uint64_t size;   /* saturated at MAX_LINE_NODES * 4 */
} label_class;

#define ENOUGH (4 * MAX_LINE_NODES)

/* C(T, c) 2^c from C(T, c - 1) 2^(c - 1). Both saturate: above ENOUGH it stays there while c <= T / 2, and what
 * comes after as many as that is never asked for. */
static void next_class(label_class *at)
{
    at->cost++;
    if (at->cost > at->rounds)
        at->size = 0;
    else if (at->size < ENOUGH)
        at->size = at->size * 2 * (at->rounds - at->cost + 1) / at->cost;
    if (at->size > ENOUGH)
        at->size = ENOUGH;
}

/* Links crossed by all tokens of a ring together: n times the n cheapest of its labels. UINT64_MAX where there are
 * fewer than n. */
static uint64_t ring_crossings(uint64_t n, uint64_t rounds)
{
    label_class at = {rounds, 0, 1};
    uint64_t sum = 0;
    for (uint64_t left = n; left > 0; next_class(&at)) {
        if (at.size == 0)
            return UINT64_MAX;
        const uint64_t taken = at.size < left ? at.size : left;
        sum += taken * at.cost;
        left -= taken;
    }
    return n * sum;
}

/* The same for a linear array: twice the sum over m = 1 .. n - 1 of the m cheapest of an end gap's labels: over all
 * origins, both sides of each. UINT64_MAX where there are fewer than n - 1. */
static uint64_t path_crossings(uint64_t n, uint64_t rounds)
{
    label_class at = {rounds, 0, 1};
    uint64_t sum = 0;
    uint64_t taken = 0;
    for (next_class(&at); taken < n - 1; next_class(&at)) {
        if (at.size == 0)
            return UINT64_MAX;
        const uint64_t half = at.size / 2;
        const uint64_t more = half < n - 1 - taken ? half : n - 1 - taken;
        /* The k-th cheapest label is in the sum of every m >= k, n - k of them. */
        sum += at.cost * (more * (n - taken - 1 + n - taken - more) / 2);
        taken += more;
    }
    return 2 * sum;
}

/* Rings and linear arrays: for each T what S must be at least; the best T. More rounds than make every link be
 * crossed once cost more and save nothing. */
static void add_mixed(cost_list *list, const gfab_topology *topology, const floors *f, const gfab_progress *progress)
{
    const uint64_t n = f->nodes;
    const bool ring = gfab_topology_link_count(topology) == n;
    if (gfab_topology_max_degree(topology) > 2 || n > MAX_LINE_NODES)
        return;
    uint64_t best_rounds = 0;
    gfab_ratio best_transfers = {0, 1};
    gfab_ratio best = {UINT64_MAX, 1};
    uint64_t crossings = UINT64_MAX;
    for (uint64_t rounds = f->rounds.rounds; crossings > n * (n - 1); rounds++) {
        if ((list->status = gfab_progress_report(progress, "bounds", rounds, 0)) != GFAB_OK)
            return;
        crossings = ring ? ring_crossings(n, rounds) : path_crossings(n, rounds);
        if (crossings == UINT64_MAX)
            continue;
        gfab_ratio transfers = fraction(crossings, f->arcs);
        if (gfab_ratio_compare(transfers, f->data) < 0)
            transfers = f->data;
        const gfab_cost cost = {rounds, transfers.numerator, (uint32_t)transfers.denominator};
        gfab_ratio total;
        if ((list->status = gfab_cost_total(&cost, list->startup, &total)) != GFAB_OK)
            return;
        if (gfab_ratio_compare(total, best) < 0) {
            best = total;
            best_rounds = rounds;
            best_transfers = transfers;
        }
    }
    if (best_rounds == f->rounds.rounds && gfab_ratio_compare(best_transfers, f->data) == 0)
        return; /* no more than startups and data */
    add(list, "mixed", best_rounds, best_transfers, "Sibeyn, Juurlink & Rao, Theorem 1; docs/theory/cost-bounds.md",
        "The fewer the rounds, the more often a token is sent over the same link; least for %" PRIu64
        " rounds, which need %s transfers.",
        best_rounds, text_of(best_transfers).text);
}

gfab_status gfab_bound_cost_all(const gfab_topology *topology, const gfab_model *model, gfab_ratio startup,
                                const gfab_progress *progress, gfab_cost_bound *bounds, size_t *count)
{
    if (!gfab_topology_is_plain(topology))
        return GFAB_ERR_UNSUPPORTED;
    /* Rounds without a packet cost nothing. Left out of a schedule they leave one of a round a hop. */
    gfab_model packed = *model;
    if (packed.hop_rounds > 1)
        packed.hop_rounds = 1;
    floors f = {.nodes = gfab_topology_node_count(topology), .arcs = gfab_topology_link_count(topology)};
    if (model->link_mode == GFAB_LINK_FULL)
        f.arcs *= 2;
    GFAB_TRY(gfab_bound_best(topology, &packed, progress, &f.rounds));
    find_data(topology, model, &f);
    cost_list list = {bounds, 0, startup, GFAB_OK};
    add_mixed(&list, topology, &f, progress);
    add(&list, "startups and data", f.rounds.rounds, f.data, "Sibeyn, Juurlink & Rao, Lemma 1",
        "A schedule has at least %" PRIu64 " startup%s, and at least %s transfers.", f.rounds.rounds,
        f.rounds.rounds == 1 ? "" : "s", text_of(f.data).text);
    add(&list, "startups", f.rounds.rounds, (gfab_ratio){0, 1}, f.rounds.source, "%s", f.rounds.argument);
    add_data(&list, topology, model, &f);
    *count = list.count;
    return list.status;
}

gfab_status gfab_bound_cost_best(const gfab_topology *topology, const gfab_model *model, gfab_ratio startup,
                                 const gfab_progress *progress, gfab_cost_bound *bound)
{
    gfab_cost_bound bounds[GFAB_MAX_COST_BOUNDS];
    size_t count;
    GFAB_TRY(gfab_bound_cost_all(topology, model, startup, progress, bounds, &count));
    *bound = bounds[0];
    return GFAB_OK;
}
