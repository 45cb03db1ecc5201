/* SPDX-License-Identifier: MIT */
/* Every bound holds for all schedules of its model, so a bound proved for a model
 * with more freedom may be used for one with less: half duplex is a restriction
 * of full, one-port of all-port, a higher hop latency of a lower one.
 * p is packet_tokens, lambda hop_rounds. Nodes < 2^25, links < 2^28, p and lambda
 * < 2^32 keep all products below 2^63. */
#include "bound_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* What the bounds need to know of the topology. */
typedef struct shape {
    uint64_t nodes;
    uint64_t links;
    uint64_t min_degree;
    uint64_t max_degree;
    uint64_t diameter;
    uint64_t long_side; /* of a mesh: the longest side; 0 where the graph is no mesh */
    uint64_t lines;     /* of a mesh: lines along that side */
    bool square;        /* a mesh of two equal sides, sides of 1 left out */
} shape;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void gfab_bound_add(gfab_bound_list *list, const char *name, uint64_t rounds, const char *source, const char *format,
                    ...)
{
    size_t at = list->count++;
    for (; at > 0 && list->bounds[at - 1].rounds < rounds; at--)
        list->bounds[at] = list->bounds[at - 1];
    gfab_bound *bound = &list->bounds[at];
    bound->name = name;
    bound->rounds = rounds;
    bound->source = source;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(bound->argument, sizeof bound->argument, format, arguments);
    va_end(arguments);
}

static gfab_status shape_of(const gfab_topology *topology, const gfab_progress *progress, shape *s)
{
    uint32_t diameter;
    GFAB_TRY(gfab_topology_diameter(topology, progress, &diameter));
    *s = (shape){.nodes = gfab_topology_node_count(topology),
                 .links = gfab_topology_link_count(topology),
                 .min_degree = gfab_topology_min_degree(topology),
                 .max_degree = gfab_topology_max_degree(topology),
                 .diameter = diameter};
    /* A torus with no side above 2 has no wrap-around link: it is a mesh. */
    bool mesh = gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_GRAPH;
    size_t wide = 0;
    uint64_t longest = 1;
    for (size_t d = 0; d < gfab_topology_dimensions(topology); d++) {
        const uint32_t side = gfab_topology_side(topology, d);
        if (side >= 3 && gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS)
            mesh = false;
        wide += side > 1;
        if (side > longest)
            longest = side;
    }
    if (mesh) {
        s->long_side = longest;
        s->lines = s->nodes / longest;
        s->square = wide == 2 && s->lines == longest;
    }
    return GFAB_OK;
}

/* All deliveries over all that a round can deliver. In the first lambda rounds a
 * node has only its own token to send, so a packet carries one, and an arc is of use once. */
static void add_count(gfab_bound_list *list, const shape *s, const gfab_model *model)
{
    const bool full = model->link_mode == GFAB_LINK_FULL;
    const bool one = model->port_mode == GFAB_PORT_ONE;
    const uint64_t deliveries = s->nodes * (s->nodes - 1);
    const uint64_t used = one ? s->nodes / 2 : s->links;
    const uint64_t packets = full ? 2 * used : used;
    const uint64_t early_rounds = model->hop_rounds;
    const uint64_t early = smaller(early_rounds * packets, 2 * s->links);
    const char *why = one ? (full ? "links in use, two ways each, as a node uses one link"
                                  : "links in use, one way each, as a node uses one link")
                          : (full ? "links, two ways each" : "links, one way each");
    /* deliveries <= early only where all are neighbours and own tokens alone have to move. */
    if ((model->packet_tokens == 1 && early_rounds == 1) || deliveries <= early) {
        gfab_bound_add(list, "count", gfab_divide_up(deliveries, packets), "folklore; Lau & Zhang 2002, Lemmas 1 and 2",
                       "%" PRIu64 " nodes need %" PRIu64 " deliveries, and a round makes at most %" PRIu64 " (%" PRIu64
                       " %s).",
                       s->nodes, deliveries, packets, used, why);
        return;
    }
    const uint64_t later = packets * model->packet_tokens;
    gfab_bound_add(list, "count", early_rounds + gfab_divide_up(deliveries - early, later), "folklore",
                   "%" PRIu64 " nodes need %" PRIu64 " deliveries. Until round %" PRIu64
                   " only own tokens can leave, which makes %" PRIu64 " at most. A later round makes at most %" PRIu64
                   " (%" PRIu64 " %s, %u token%s a packet).",
                   s->nodes, deliveries, early_rounds, early, later, used, why, model->packet_tokens,
                   gfab_plural(model->packet_tokens));
}

static void add_diameter(gfab_bound_list *list, const shape *s, const gfab_model *model)
{
    const uint64_t lambda = model->hop_rounds;
    if (lambda == 1)
        gfab_bound_add(list, "diameter", s->diameter, "folklore",
                       "Some token has %" PRIu64 " link%s to cross, one a round.", s->diameter,
                       gfab_plural(s->diameter));
    else
        gfab_bound_add(list, "diameter", 1 + lambda * (s->diameter - 1), "folklore",
                       "Some token has %" PRIu64 " link%s to cross, each %" PRIu64 " rounds after the one before.",
                       s->diameter, gfab_plural(s->diameter), lambda);
}

/* What a node of the lowest degree must receive over its links, of which it uses
 * `width` a round. In half duplex its own token takes one use away from receiving,
 * cheapest in the first lambda rounds, when each link brings one token, and that once. */
static void add_degree(gfab_bound_list *list, const shape *s, const gfab_model *model)
{
    const bool full = model->link_mode == GFAB_LINK_FULL;
    const uint64_t lambda = model->hop_rounds;
    const uint64_t degree = s->min_degree;
    const uint64_t width = model->port_mode == GFAB_PORT_ONE ? 1 : degree;
    const uint64_t need = s->nodes - 1;
    const uint64_t uses = full ? lambda * width : lambda * width - 1;
    const uint64_t early = smaller(uses, degree);
    const char *send = full ? "" : " One use must send its own token.";
    uint64_t rounds;
    if (need <= early) /* its neighbours are all the others, their own tokens all it needs */
        rounds = gfab_divide_up(full ? need : need + 1, width);
    else
        rounds = lambda + gfab_divide_up(need - early, width * model->packet_tokens);
    gfab_bound_add(list, "degree", rounds, "folklore",
                   "A node with %" PRIu64 " link%s must receive %" PRIu64 " tokens, over %" PRIu64
                   " link%s a round, at most %u in a packet. Its neighbours can send it only their own until round "
                   "%" PRIu64 ".%s",
                   degree, gfab_plural(degree), need, width, gfab_plural(width), model->packet_tokens, lambda, send);
}

/* One-port: the most that any node holds can at most double in a round, and grow
 * by p. Whoever does not receive in the last round is complete before it: in half
 * duplex every sender, in full duplex the odd node out (Knoedel 1975). */
static void add_growth(gfab_bound_list *list, const shape *s, const gfab_model *model)
{
    if (model->port_mode != GFAB_PORT_ONE)
        return;
    uint64_t held = 1;
    uint64_t rounds = 0;
    while (held < s->nodes && held < model->packet_tokens) {
        held *= 2;
        rounds++;
    }
    if (held < s->nodes)
        rounds += gfab_divide_up(s->nodes - held, model->packet_tokens);
    const bool half = model->link_mode == GFAB_LINK_HALF;
    const bool extra = half || s->nodes % 2 == 1;
    gfab_bound_add(list, "growth", rounds + extra, "folklore; Knoedel 1975 for an odd number of nodes",
                   "What the best informed node holds at most doubles in a round and grows by at most %u, so %" PRIu64
                   " tokens take %" PRIu64 " round%s%s.",
                   model->packet_tokens, s->nodes, rounds, gfab_plural(rounds),
                   !extra ? ""
                   : half ? ", and a sender of the last round is complete a round earlier"
                          : ", and the node left over in the last round is complete a round earlier");
}

/* Where it says more than the diameter. */
static gfab_status add_spread(gfab_bound_list *list, const gfab_topology *topology, const shape *s,
                              const gfab_model *model)
{
    if (model->port_mode != GFAB_PORT_ONE)
        return GFAB_OK;
    gfab_spread spread;
    GFAB_TRY(gfab_bound_spread(topology, model->hop_rounds, &spread));
    if (spread.rounds > 1 + model->hop_rounds * (s->diameter - 1)) {
        gfab_bound bound;
        gfab_bound_of_spread(&spread, &bound);
        gfab_bound_add(list, bound.name, bound.rounds, bound.source, "%s", bound.argument);
    }
    return GFAB_OK;
}

/* One-port, trees. B is the fewest rounds of a broadcast, t the first round after which a node x knows all, the last of
 * it from y. Read backwards, the way to x is a broadcast from x: t >= B. Something from y's side reaches x in round t,
 * and so x's side of link xy after round t, from x. Something from x's side crosses the link in round t, if y has then
 * all too, or later: y's side gets it after round t. So both ends (full duplex), or x (half duplex), make a broadcast
 * to their sides from round t + 1 on, which takes B - 1 rounds at least from two neighbours and B from one node. */
static gfab_status add_tree(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model)
{
    if (model->port_mode != GFAB_PORT_ONE || !gfab_bound_is_tree(topology))
        return GFAB_OK;
    uint32_t broadcast;
    GFAB_TRY(gfab_bound_tree_broadcast(topology, &broadcast));
    const bool full = model->link_mode == GFAB_LINK_FULL;
    gfab_bound_add(list, "tree", 2 * (uint64_t)broadcast - full,
                   "Slater, Cockayne & Hedetniemi 1981; docs/theory/telephone-bounds.md",
                   "No node of this tree can tell all others in fewer than %" PRIu32
                   " round%s, so none knows all tokens sooner; the first that does%s then to tell the rest.",
                   broadcast, gfab_plural(broadcast), full ? ", and the neighbour that told it last, have" : " has");
    return GFAB_OK;
}

/* Meshes, half duplex, one token a packet: a cut across the middle of the longest
 * side n. All N tokens cross its N / n links, so one crosses for the first time in
 * a round L >= n. Path (one link): that token has floor(n/2) - 1 further to go.
 * Otherwise: if L > n, likewise. If L = n, all slots of the cut until then were
 * first crossings, so the token crossed on one line alone; the far end of another
 * line is floor(n/2) steps from there, or it crosses there again, in round n + 1 or later. */
static void add_cut(gfab_bound_list *list, const shape *s, const gfab_model *model)
{
    if (s->long_side == 0 || model->link_mode != GFAB_LINK_HALF || model->packet_tokens != 1)
        return;
    const uint64_t n = s->long_side;
    const uint64_t hops = n / 2 - 1;
    const uint64_t lambda = model->hop_rounds;
    if (s->lines == 1)
        gfab_bound_add(list, "path", n + lambda * hops, "this project: proof in core/schedule/bound/bound.c",
                       "All %" PRIu64 " tokens cross the middle link. The last one does so in round %" PRIu64
                       " or later, and has %" PRIu64 " more link%s to cross.",
                       n, n, hops, gfab_plural(hops));
    else
        gfab_bound_add(list, "cut", n + 1 + lambda * hops, "this project: proof in core/schedule/bound/bound.c",
                       "All %" PRIu64 " tokens cross the middle's %" PRIu64
                       " links. The last one does so in round %" PRIu64 " or later, and has %" PRIu64
                       " more link%s to cross. In round %" PRIu64
                       " it can be only where no token has crossed twice; that costs one round more.",
                       s->nodes, s->lines, n, hops, gfab_plural(hops), n);
}

/* Square mesh, H*, p = 2, lambda = 1, n = 2 mod 4: the count bound 1 + (n(n+1)/2 - 1)/2
 * has no slack: every link brings one new token in round 1 and two in every later
 * round. A node needs N - 1 tokens, an odd number, so an odd number comes in round 1:
 * a corner gets one, from u say, and u, which has at most two other links, one as
 * well. In round 2 neither end of that link has two tokens that are new to the other. */
static void add_parity(gfab_bound_list *list, const shape *s, const gfab_model *model)
{
    const uint64_t n = s->long_side;
    if (!s->square || n % 4 != 2 || model->link_mode != GFAB_LINK_HALF || model->port_mode != GFAB_PORT_ALL ||
        model->packet_tokens != 2 || model->hop_rounds != 1)
        return;
    const uint64_t count = 1 + (n * (n + 1) / 2 - 1) / 2;
    gfab_bound_add(list, "parity", count + 1, "this project: proof in core/schedule/bound/bound.c",
                   "In %" PRIu64
                   " rounds every link would have to bring a new token in round 1 and two in every later round, "
                   "but in round 2 neither end of a corner's incoming link has two for the other.",
                   count);
}

/* Circuit: a packet may come from anywhere, but each takes a link into its receiver and a port of it, or in full
 * duplex one port's one direction. Ports are those of a packet's ends alone, so one-port full duplex lets every node
 * take a packet in a round. */
static void add_circuit(gfab_bound_list *list, const shape *s, const gfab_model *model)
{
    const bool full = model->link_mode == GFAB_LINK_FULL;
    const bool one = model->port_mode == GFAB_PORT_ONE;
    const uint64_t p = model->packet_tokens;
    const uint64_t links = full ? 2 * s->links : s->links;
    const uint64_t packets = !one ? links : smaller(links, full ? s->nodes : s->nodes / 2);
    const uint64_t deliveries = s->nodes * (s->nodes - 1);
    gfab_bound_add(list, "count", gfab_divide_up(gfab_divide_up(deliveries, packets), p), "folklore",
                   "%" PRIu64 " nodes need %" PRIu64 " deliveries, and a round has at most %" PRIu64
                   " packets of %" PRIu64 " token%s.",
                   s->nodes, deliveries, packets, p, gfab_plural(p));
    const uint64_t least = one ? 1 : s->min_degree;
    gfab_bound_add(list, "degree", gfab_divide_up(gfab_divide_up(s->nodes - 1, least), p),
                   "Sibeyn, Juurlink & Rao, Lemma 1",
                   "A node that takes at most %" PRIu64 " packet%s of %" PRIu64 " token%s in a round must take %" PRIu64
                   " tokens.",
                   least, gfab_plural(least), p, gfab_plural(p), s->nodes - 1);
    const uint64_t most = one ? 1 : s->max_degree;
    uint64_t held = 1;
    uint64_t rounds = 0;
    for (; held < s->nodes && held < p; rounds++)
        held += most * held;
    if (held < s->nodes)
        rounds += gfab_divide_up(gfab_divide_up(s->nodes - held, most), p);
    gfab_bound_add(list, "growth", rounds, "Sibeyn, Juurlink & Rao, Lemma 1",
                   "What the best informed node holds grows in a round by at most %" PRIu64
                   " packet%s of what another holds, so %" PRIu64 " tokens take %" PRIu64 " round%s.",
                   most, gfab_plural(most), s->nodes, rounds, gfab_plural(rounds));
}

gfab_status gfab_bound_gossip(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                              gfab_bound *bounds, size_t *count)
{
    shape s;
    GFAB_TRY(gfab_model_check(model, NULL));
    GFAB_TRY(shape_of(topology, progress, &s));
    gfab_bound_list list = {bounds, 0};
    if (model->routing == GFAB_ROUTING_CIRCUIT) {
        add_circuit(&list, &s, model);
        *count = list.count;
        return GFAB_OK;
    }
    add_count(&list, &s, model);
    add_cut(&list, &s, model);
    add_parity(&list, &s, model);
    add_diameter(&list, &s, model);
    add_degree(&list, &s, model);
    add_growth(&list, &s, model);
    GFAB_TRY(add_spread(&list, topology, &s, model));
    GFAB_TRY(add_tree(&list, topology, model));
    *count = list.count;
    return GFAB_OK;
}
