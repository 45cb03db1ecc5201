/* SPDX-License-Identifier: MIT */
/* A replay that keeps, for each node and token, the round in which the token
 * arrived. A packet of round t may carry what arrived at its sender in round
 * t - hop_rounds or before; as hop_rounds is at least 1, deliveries of round t
 * can be entered at once without disturbing the rest of the round.
 *
 * Of a schedule kept as one tree token 0 is replayed alone: translations are symmetries of the graph, which is checked,
 * and bring the schedule's packets onto each other, so that a rule is broken at some token where it is at token 0. What
 * a link or a node carries comes from all tokens; it is enough to look at one node and its links, again by symmetry,
 * and of each packet two translates meet node 0: the one that it sends and the one that it receives. */
#include "base/divisor.h"
#include "schedule/merged.h"
#include "topology/translate.h"
#include "verify_internal.h"

#include <gossipfab/base/arena.h>
#include <inttypes.h>
#include <string.h>

#define NEVER UINT32_MAX
#define NONE GFAB_VERIFY_NONE
#define PACKETS_AHEAD 16u
#define LARGE_REPLAY ((uint64_t)1 << 18) /* nodes times tokens: more than a processor's near memory */
#define PACKETS_A_POLL 4096
#define MOST_PARTS 4096u /* of a token, in link_transfers */

typedef struct replay {
    const gfab_topology *topology;
    gfab_model model;
    gfab_goal goal;
    bool combines;
    bool translated; /* token 0 alone stands for all */
    bool shared;     /* there are switches: links carry tokens, not packets */
    bool helping;    /* and some copy or combine: a token may count once for several packets */
    gfab_merged merged;
    const uint32_t *load; /* helping: of the next packet's arcs, the tokens that count there */
    size_t node_count;
    size_t token_count;   /* that are replayed */
    uint32_t *arrival;    /* [node * token_count + token]: round; 0 for a node's own token, NEVER */
    uint32_t *before;     /* the same, of the arrival before the last; where some relay does not copy */
    uint32_t *gone;       /* the same, of the last round in which it left a relay that does not copy; 0: never */
    uint32_t *arc_round;  /* last round in which the arc was used */
    uint64_t *arc_uses;   /* by so many packets in that round, or tokens where links are shared */
    uint64_t *arc_tokens; /* tokens over it in that round */
    uint64_t busiest[2];  /* the most tokens over a link in this round for its weight, and that weight */
    uint32_t *link_moves; /* uses of a link so far */
    uint32_t *node_round; /* last round in which the node used a link; circuit: started a packet */
    uint32_t *node_link;  /* and which */
    uint32_t *take_round; /* circuit: last round in which the node took a packet */
    uint64_t *mark;       /* [node or token]: the last path or packet that had it */
    uint64_t marks;
    size_t longest;                /* tokens of this round's longest packet */
    size_t farthest;               /* links of its longest path */
    const gfab_progress *progress; /* may be NULL */
    uint64_t packets;              /* replayed so far */
    gfab_verify_report *report;
    gfab_arena arena;
} replay;

/* A packet of several links. */
static gfab_status check_path(replay *r, const gfab_packet *packet, uint32_t round)
{
    const gfab_topology *t = r->topology;
    const uint32_t token = packet->token_count ? packet->tokens[0] & ~GFAB_COMBINE : NONE;
    uint32_t node = gfab_topology_arc_from(t, packet->arcs[0]);
    r->mark[node] = ++r->marks;
    for (size_t i = 0; i < packet->arc_count; i++) {
        const gfab_arc arc = packet->arcs[i];
        const uint32_t from = gfab_topology_arc_from(t, arc);
        if (from != node)
            return gfab_verify_fault(r->report, GFAB_FAULT_PATH_BROKEN, round, arc / 2, node, token,
                                     "round %u: a packet's path reaches node %u and goes on from node %u", round, node,
                                     from);
        node = gfab_topology_arc_to(t, arc);
        if (r->mark[node] == r->marks)
            return gfab_verify_fault(r->report, GFAB_FAULT_PATH_BROKEN, round, arc / 2, node, token,
                                     "round %u: a packet's path visits node %u twice", round, node);
        r->mark[node] = r->marks;
    }
    for (size_t i = 1; i < packet->arc_count && r->model.routing != GFAB_ROUTING_CIRCUIT; i++) {
        node = gfab_topology_arc_from(t, packet->arcs[i]);
        if (!gfab_topology_is_switch(t, node))
            return gfab_verify_fault(r->report, GFAB_FAULT_PATH_TOO_LONG, round, packet->arcs[i] / 2, node, token,
                                     "round %u: a packet follows a path of %zu links; a store-and-forward model allows "
                                     "one, and more past switches alone",
                                     round, packet->arc_count);
    }
    return GFAB_OK;
}

/* Switches store nothing, so that nothing begins or ends there. */
static gfab_status check_ends(replay *r, const gfab_packet *packet, uint32_t from, uint32_t to, uint32_t round)
{
    const bool first = gfab_topology_is_switch(r->topology, from);
    if (!first && !gfab_topology_is_switch(r->topology, to))
        return GFAB_OK;
    return gfab_verify_fault(r->report, GFAB_FAULT_SWITCH_END, round,
                             packet->arcs[first ? 0 : packet->arc_count - 1] / 2, first ? from : to,
                             packet->token_count ? packet->tokens[0] & ~GFAB_COMBINE : NONE,
                             "round %u: a packet %s at node %u, which is a switch; it passes switches, from member to "
                             "member",
                             round, first ? "begins" : "ends", first ? from : to);
}

static gfab_status check_size(replay *r, const gfab_packet *packet, uint32_t round)
{
    const gfab_arc arc = packet->arcs[0];
    const uint32_t from = gfab_topology_arc_from(r->topology, arc);
    const uint32_t to = gfab_topology_arc_to(r->topology, arc);
    if (packet->token_count == 0)
        return gfab_verify_fault(r->report, GFAB_FAULT_PACKET_SIZE, round, arc / 2, from, NONE,
                                 "round %u, link %u, node %u to %u: a packet without a token", round, arc / 2, from,
                                 to);
    if (packet->token_count > r->model.packet_tokens)
        return gfab_verify_fault(r->report, GFAB_FAULT_PACKET_SIZE, round, arc / 2, from,
                                 packet->tokens[r->model.packet_tokens] & ~GFAB_COMBINE,
                                 "round %u, link %u, node %u to %u: a packet of %zu tokens; the model allows %u", round,
                                 arc / 2, from, to, packet->token_count, r->model.packet_tokens);
    r->marks++;
    for (size_t i = 0; i < packet->token_count; i++) {
        const uint32_t token = packet->tokens[i] & ~GFAB_COMBINE;
        if (r->mark[token] == r->marks)
            return gfab_verify_fault(r->report, GFAB_FAULT_PACKET_SIZE, round, arc / 2, from, token,
                                     "round %u, link %u, node %u to %u: a packet with token %u twice", round, arc / 2,
                                     from, to, token);
        r->mark[token] = r->marks;
    }
    return GFAB_OK;
}

static gfab_status check_port(replay *r, uint32_t node, uint32_t link, uint32_t round)
{
    if (r->node_round[node] == round && r->node_link[node] != link)
        return gfab_verify_fault(r->report, GFAB_FAULT_PORT_BUSY, round, link, node, NONE,
                                 "round %u, node %u: uses link %u besides link %u; the model allows one link", round,
                                 node, link, r->node_link[node]);
    r->node_round[node] = round;
    r->node_link[node] = link;
    return GFAB_OK;
}

/* Circuit: *round is the last one in which the node did this. */
static gfab_status check_end(replay *r, uint32_t *last, uint32_t node, uint32_t link, uint32_t round, const char *what)
{
    if (*last == round)
        return gfab_verify_fault(r->report, GFAB_FAULT_PORT_BUSY, round, link, node, NONE,
                                 "round %u, node %u: %s a packet besides another; the model allows one port", round,
                                 node, what);
    *last = round;
    return GFAB_OK;
}

static gfab_status check_ports(replay *r, uint32_t from, uint32_t to, const gfab_packet *packet, uint32_t round)
{
    const uint32_t first = packet->arcs[0] / 2;
    const uint32_t last = packet->arcs[packet->arc_count - 1] / 2;
    const bool half = r->model.link_mode == GFAB_LINK_HALF;
    gfab_status status;
    if (r->model.port_mode == GFAB_PORT_ALL)
        return GFAB_OK;
    if (r->model.routing == GFAB_ROUTING_CIRCUIT) {
        status = check_end(r, &r->node_round[from], from, first, round, "starts");
        return status != GFAB_OK
                   ? status
                   : check_end(r, half ? &r->node_round[to] : &r->take_round[to], to, last, round, "takes");
    }
    status = check_port(r, from, first, round);
    return status != GFAB_OK ? status : check_port(r, to, last, round);
}

static uint64_t uses_of(const replay *r, gfab_arc arc, uint32_t round)
{
    return r->arc_round[arc] == round ? r->arc_uses[arc] : 0;
}

/* The tokens of a round over a link: are there more for its weight than over any other? */
static void count_tokens(replay *r, gfab_arc arc, uint64_t tokens, uint32_t round)
{
    const bool half = r->model.link_mode == GFAB_LINK_HALF;
    const uint64_t weight =
        half ? gfab_topology_weight(r->topology, arc / 2) : gfab_topology_arc_weight(r->topology, arc);
    r->arc_tokens[arc] = (r->arc_round[arc] == round ? r->arc_tokens[arc] : 0) + tokens;
    const uint64_t all = r->arc_tokens[arc] + (half && r->arc_round[arc ^ 1] == round ? r->arc_tokens[arc ^ 1] : 0);
    if (all * r->busiest[1] > r->busiest[0] * weight) {
        r->busiest[0] = all;
        r->busiest[1] = weight;
    }
}

/* An arc carries as much as its own weight; half duplex, both of a link together as much as the greater of theirs. */
static gfab_status check_links(replay *r, const gfab_packet *packet, uint32_t round)
{
    const bool half = r->model.link_mode == GFAB_LINK_HALF;
    for (size_t i = 0; i < packet->arc_count; i++) {
        const gfab_arc arc = packet->arcs[i];
        const uint32_t link = arc / 2, weight = gfab_topology_arc_weight(r->topology, arc);
        const uint64_t tokens = r->helping ? r->load[i] : packet->token_count;
        const uint64_t more = r->shared ? tokens : 1, size = r->shared ? r->longest : 1;
        const uint64_t uses = uses_of(r, arc, round) + more, both = half ? uses + uses_of(r, arc ^ 1, round) : 0;
        if (uses > weight * size || both > gfab_topology_weight(r->topology, link) * size) {
            const uint32_t from = gfab_topology_arc_from(r->topology, arc);
            return gfab_verify_fault(r->report, weight ? GFAB_FAULT_LINK_BUSY : GFAB_FAULT_WRONG_WAY, round, link, from,
                                     packet->tokens[0] & ~GFAB_COMBINE,
                                     weight ? "round %u, link %u, node %u to %u: the link %salready carries %s"
                                            : "round %u, link %u, node %u to %u: the link does not go this way",
                                     round, link, from, gfab_topology_arc_to(r->topology, arc),
                                     half ? "" : "in this direction ",
                                     size > 1     ? "its weight times the tokens of the round's longest packet"
                                     : weight > 1 ? "as many packets as its weight"
                                                  : "a packet");
        }
        count_tokens(r, arc, tokens, round);
        r->arc_uses[arc] = uses;
        r->arc_round[arc] = round;
        r->link_moves[link] += tokens > 0;
    }
    r->load += r->helping ? packet->arc_count : 0;
    return GFAB_OK;
}

static gfab_status token_fault(replay *r, const gfab_packet *packet, uint32_t round, uint32_t token, uint32_t arrived)
{
    const uint32_t link = packet->arcs[0] / 2, from = gfab_topology_arc_from(r->topology, packet->arcs[0]);
    const uint32_t to = gfab_topology_arc_to(r->topology, packet->arcs[packet->arc_count - 1]);
    if (arrived >= round)
        return gfab_verify_fault(r->report, GFAB_FAULT_TOKEN_MISSING, round, link, from, token,
                                 "round %u, link %u, node %u to %u: the sender does not have token %u", round, link,
                                 from, to, token);
    return gfab_verify_fault(
        r->report, GFAB_FAULT_TOKEN_TOO_NEW, round, link, from, token,
        "round %u, link %u, node %u to %u: token %u came to the sender in round %u and may leave from round "
        "%" PRIu64 " on",
        round, link, from, to, token, arrived, (uint64_t)arrived + r->model.hop_rounds);
}

/* When what the sender has of a token now came to it: NEVER where it has nothing, as a relay that does not copy once it
 * has sent it on. */
static uint32_t arrival_at(const replay *r, uint32_t from, uint32_t token, uint32_t round)
{
    const size_t cell = (size_t)from * r->token_count + token;
    if (gfab_topology_copies(r->topology, from))
        return r->arrival[cell];
    const uint32_t arrived = r->arrival[cell] == round ? r->before[cell] : r->arrival[cell];
    return arrived != NEVER && r->gone[cell] > arrived ? NEVER : arrived;
}

/* A token comes to a node that may have it already: of no use, but to a relay that has sent it away. */
static void arrive(replay *r, uint32_t to, uint32_t token, uint32_t round)
{
    const size_t cell = (size_t)to * r->token_count + token;
    const bool copies = gfab_topology_copies(r->topology, to);
    if (r->arrival[cell] != NEVER && (copies || r->arrival[cell] >= r->gone[cell]))
        r->report->redundant++;
    if (r->arrival[cell] == NEVER || !copies) {
        if (!copies && r->arrival[cell] != round)
            r->before[cell] = r->arrival[cell];
        r->arrival[cell] = round;
    }
}

/* What a packet carries, where tokens are stored as they are. */
static gfab_status move_tokens(replay *r, const gfab_packet *packet, uint32_t round, uint32_t from, uint32_t to)
{
    const uint32_t link = packet->arcs[0] / 2;
    for (size_t i = 0; i < packet->token_count; i++) {
        const uint32_t token = packet->tokens[i] & ~GFAB_COMBINE;
        const uint32_t arrived = arrival_at(r, from, token, round);
        if (token != packet->tokens[i])
            return gfab_verify_fault(r->report, GFAB_FAULT_WRONG_COMBINE, round, link, to, token,
                                     "round %u, link %u, node %u to %u: token %u is to be combined; what moves in %s "
                                     "is stored",
                                     round, link, from, to, token, gfab_collective_name(r->goal.collective));
        if (arrived >= round || (arrived > 0 && round - arrived < r->model.hop_rounds))
            return token_fault(r, packet, round, token, arrived);
        if (!gfab_topology_copies(r->topology, from))
            r->gone[(size_t)from * r->token_count + token] = round;
        arrive(r, to, token, round);
    }
    return GFAB_OK;
}

/* The rules of links and ports for what a packet's translates do at node 0. */
static gfab_status check_translates(replay *r, const gfab_packet *packet, uint32_t round)
{
    const gfab_topology *t = r->topology;
    const uint32_t from = gfab_topology_arc_from(t, packet->arcs[0]), to = gfab_topology_arc_to(t, packet->arcs[0]);
    const uint32_t senders[2] = {0, gfab_translate_minus(t, from, to)};
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < 2 && status == GFAB_OK; i++) {
        const gfab_arc arc = gfab_translate_arc(t, packet->arcs[0], senders[i]);
        const uint32_t token = gfab_translate_minus(t, senders[i], from);
        const gfab_packet translate = {&arc, 1, &token, 1};
        if ((status = check_links(r, &translate, round)) == GFAB_OK)
            status = check_ports(r, senders[i], gfab_topology_arc_to(t, arc), &translate, round);
    }
    return status;
}

static gfab_status replay_packet(replay *r, const gfab_packet *packet, uint32_t round)
{
    gfab_status status;
    if (packet->arc_count != 1 && (status = check_path(r, packet, round)) != GFAB_OK)
        return status;
    if (packet->token_count != 1 && (status = check_size(r, packet, round)) != GFAB_OK)
        return status;
    const gfab_arc arc = packet->arcs[0];
    const uint32_t from = gfab_topology_arc_from(r->topology, arc);
    const uint32_t to = gfab_topology_arc_to(r->topology, packet->arcs[packet->arc_count - 1]);
    status = r->shared ? check_ends(r, packet, from, to, round) : GFAB_OK;
    GFAB_THEN(status, r->translated ? check_translates(r, packet, round) : check_links(r, packet, round));
    if (status == GFAB_OK && !r->translated)
        status = check_ports(r, from, to, packet, round);
    if (status != GFAB_OK)
        return status;
    if (packet->arc_count > r->farthest)
        r->farthest = packet->arc_count;
    return r->combines ? GFAB_OK : move_tokens(r, packet, round, from, to);
}

static gfab_status check_complete(replay *r, uint32_t rounds)
{
    gfab_verify_report *report = r->report;
    uint32_t node = NONE;
    uint32_t token = NONE;
    for (size_t v = 0; v < r->node_count; v++)
        for (size_t t = 0; t < r->token_count; t++)
            if (r->arrival[v * r->token_count + t] == NEVER &&
                gfab_goal_node_wants(&r->goal, r->topology, (uint32_t)v, (uint32_t)t) && report->missing++ == 0) {
                node = (uint32_t)v;
                token = (uint32_t)t;
            }
    if (report->missing == 0)
        return GFAB_OK;
    report->missing *= r->translated ? r->node_count : 1;
    return gfab_verify_fault(report, GFAB_FAULT_INCOMPLETE, rounds, NONE, node, token,
                             "after round %u: %" PRIu64 " deliver%s missing; the first: node %u lacks token %u", rounds,
                             report->missing, report->missing == 1 ? "y is" : "ies are", node, token);
}

/* Now and then: may the work go on? */
static gfab_status poll(replay *r, uint32_t round, uint32_t rounds)
{
    const gfab_progress *p = r->progress;
    if (++r->packets % PACKETS_A_POLL != 0 || !p || p->report(p->context, "verified rounds", round, rounds))
        return GFAB_OK;
    return GFAB_ERR_INTERRUPTED;
}

/* The tokens of the longest packet, or what the model allows where that is less. */
static size_t longest_of(const replay *r, gfab_packet_iter it)
{
    size_t longest = 0;
    for (gfab_packet packet; gfab_packet_next(&it, &packet);)
        longest = packet.token_count > longest ? packet.token_count : longest;
    return longest < r->model.packet_tokens ? longest : r->model.packet_tokens;
}

/* A number that all weights divide, if it is no more than 4,096; else that. */
static uint32_t find_parts(const gfab_topology *topology)
{
    const size_t arcs = gfab_topology_has_weights(topology) ? 2 * gfab_topology_link_count(topology) : 0;
    uint64_t parts = 1;
    for (gfab_arc arc = 0; arc < arcs; arc++) {
        const uint64_t weight = gfab_topology_arc_weight(topology, arc);
        parts = weight ? parts / gfab_common_divisor(parts, weight) * weight : parts;
        if (parts > MOST_PARTS)
            return MOST_PARTS;
    }
    return (uint32_t)parts;
}

/* Asks for the memory that a packet further on will need: where there are millions of moves, waiting for it is most of
 * the time. */
static void ask_ahead(const replay *r, gfab_packet_iter *ahead)
{
    gfab_packet packet;
    if (!gfab_packet_next(ahead, &packet))
        return;
    const uint32_t from = gfab_topology_arc_from(r->topology, packet.arcs[0]);
    const uint32_t to = gfab_topology_arc_to(r->topology, packet.arcs[packet.arc_count - 1]);
    const size_t token = packet.tokens[0] & ~GFAB_COMBINE;
    __builtin_prefetch(&r->arrival[from * (size_t)r->token_count + token]);
    __builtin_prefetch(&r->arrival[to * (size_t)r->token_count + token]);
}

static gfab_status run(replay *r, const gfab_schedule *schedule)
{
    const bool asks = !r->combines && !r->translated && (uint64_t)r->node_count * r->token_count >= LARGE_REPLAY;
    const uint32_t rounds = gfab_schedule_rounds(schedule);
    gfab_status status = GFAB_OK;
    for (uint32_t round = 1; round <= rounds && status == GFAB_OK; round++) {
        gfab_packet_iter it = gfab_schedule_kept_round(schedule, round), ahead = it;
        gfab_packet packet;
        for (uint32_t i = 0; i < PACKETS_AHEAD && asks; i++)
            ask_ahead(r, &ahead);
        r->longest = longest_of(r, it);
        r->busiest[0] = 0;
        r->busiest[1] = 1;
        r->farthest = 0;
        status = r->helping ? gfab_merged_count(&r->merged, r->topology, it) : GFAB_OK;
        r->load = r->merged.load;
        while (status == GFAB_OK && gfab_packet_next(&it, &packet)) {
            if (asks)
                ask_ahead(r, &ahead);
            if ((status = replay_packet(r, &packet, round)) == GFAB_OK)
                status = poll(r, round, rounds);
        }
        r->report->startups += r->longest > 0;
        r->report->transfers += r->longest;
        r->report->link_transfers += (r->busiest[0] * r->report->link_parts + r->busiest[1] - 1) / r->busiest[1];
        r->report->path_links += r->farthest;
    }
    r->report->min_link_moves = UINT64_MAX;
    r->report->moves = r->helping ? 0 : r->report->moves;
    for (size_t l = 0; l < gfab_topology_link_count(r->topology); l++) {
        const gfab_link link = gfab_topology_link(r->topology, l);
        if (r->translated && link.node[0] != 0 && link.node[1] != 0)
            continue;
        r->report->moves += r->helping ? r->link_moves[l] : 0;
        if (r->link_moves[l] > r->report->max_link_moves)
            r->report->max_link_moves = r->link_moves[l];
        if (r->link_moves[l] < r->report->min_link_moves)
            r->report->min_link_moves = r->link_moves[l];
    }
    r->report->redundant *= r->translated ? r->node_count : 1;
    return status == GFAB_OK && !r->combines ? check_complete(r, rounds) : status;
}

/* Where contributions are combined the rest of the rules, in the rounds that kept those of links and ports. */
static gfab_status run_contributions(replay *r, const gfab_schedule *schedule, gfab_status status)
{
    if (!r->combines || (status != GFAB_OK && status != GFAB_ERR_FAULT))
        return status;
    const uint32_t last = status == GFAB_OK ? gfab_schedule_rounds(schedule) : r->report->round - 1;
    const gfab_status deep = gfab_verify_contributions(r->topology, &r->model, schedule, last, r->progress, r->report);
    return deep == GFAB_OK ? status : deep;
}

/* What each node has before round 1. */
static void set_arrivals(replay *r, const gfab_schedule *schedule)
{
    memset(r->arrival, 0xff, r->node_count * r->token_count * sizeof *r->arrival);
    for (uint32_t t = 0; t < r->token_count; t++)
        r->arrival[gfab_schedule_origin(schedule, t) * r->token_count + t] = 0;
}

gfab_status gfab_verify_listed(const gfab_topology *topology, const gfab_model *model, const gfab_schedule *schedule,
                               const gfab_progress *progress, gfab_verify_report *report)
{
    memset(report, 0, sizeof *report);
    report->link = report->node = report->token = report->source = NONE;
    report->rounds = gfab_schedule_rounds(schedule);
    report->moves = gfab_schedule_move_count(schedule);
    const gfab_topology *other = gfab_schedule_topology(schedule);
    if (!gfab_topology_equal(topology, other))
        return gfab_verify_fault(report, GFAB_FAULT_WRONG_TOPOLOGY, 0, NONE, NONE, NONE,
                                 "the schedule is for %s, not for %s", gfab_topology_name(other),
                                 gfab_topology_name(topology));

    const size_t nodes = gfab_topology_node_count(topology);
    const size_t links = gfab_topology_link_count(topology);
    const bool translated = gfab_schedule_translated(schedule);
    if (translated) /* the same links, and it knows its axes */
        topology = other;
    const size_t tokens = translated ? 1 : gfab_schedule_token_count(schedule);
    const size_t marks = nodes > tokens ? nodes : tokens;
    if (tokens > SIZE_MAX / sizeof(uint32_t) / nodes)
        return GFAB_ERR_NO_MEMORY;
    replay r = {.topology = topology,
                .model = *model,
                .goal = gfab_schedule_goal(schedule),
                .translated = translated,
                .shared = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES,
                .helping = gfab_topology_marks(topology) & GFAB_MARK_HELPING,
                .node_count = nodes,
                .token_count = tokens,
                .progress = progress,
                .report = report};
    r.combines = gfab_collective_combines(r.goal.collective);
    r.arrival = gfab_arena_zeroed(&r.arena, r.combines ? 1 : nodes * tokens, sizeof *r.arrival);
    const bool limited = !r.combines && gfab_topology_marks(topology) & GFAB_MARK_LIMITED;
    GFAB_ARRAYS(&r.arena, limited ? nodes * tokens : 1, r.before, r.gone);
    GFAB_ARRAYS(&r.arena, 2 * links, r.arc_round, r.arc_uses, r.arc_tokens);
    r.link_moves = gfab_arena_zeroed(&r.arena, links, sizeof *r.link_moves);
    GFAB_ARRAYS(&r.arena, nodes, r.node_round, r.node_link, r.take_round);
    r.mark = gfab_arena_zeroed(&r.arena, marks, sizeof *r.mark);
    gfab_status status = GFAB_ERR_NO_MEMORY;
    if (!r.arena.failed) {
        if (!r.combines)
            set_arrivals(&r, schedule);
        report->parts = gfab_schedule_parts(schedule);
        report->link_parts = find_parts(topology);
        status = r.translated ? gfab_verify_translations(topology, report) : GFAB_OK;
        GFAB_THEN(status, run_contributions(&r, schedule, run(&r, schedule)));
    }
    gfab_merged_release(&r.merged);
    gfab_arena_release(&r.arena);
    return status;
}
