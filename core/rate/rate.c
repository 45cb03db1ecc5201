/* SPDX-License-Identifier: MIT */
/* The best rates, docs/theory/long-vectors/rates.md. Full duplex: cuts, found by flows; but an all-reduce, and
 * everything in half duplex: partitions, by the strength of the graph; with directed links what says more. */
#include "flow/flow.h"
#include "strength.h"

#include <gossipfab/schedule/rate.h>

#include <stdlib.h>

typedef struct job {
    const gfab_topology *topology;
    const gfab_progress *progress;
    uint32_t nodes, members, links;
    gfab_certificate *c;
    bool reversed; /* flows go against the links: what is gathered is reduced */
    gfab_flow flow;
    gfab_flow near; /* of the links alone: how much flows from one member to the next */
} job;

static gfab_status report(const job *j, uint64_t done)
{
    const bool go_on = !j->progress || j->progress->report(j->progress->context, "cuts", done, j->members);
    return go_on ? GFAB_OK : GFAB_ERR_INTERRUPTED;
}

/* ---- cuts ---- */

/* Links of `scale` times their weights, and where a source is wanted an arc from it to each member. */
static gfab_status open_flow(const job *j, uint64_t scale, uint64_t supply, gfab_flow *flow)
{
    gfab_flow_release(flow);
    GFAB_TRY(gfab_flow_create((size_t)j->nodes + 1, (size_t)j->links + j->members, flow));
    for (uint32_t l = 0; l < j->links; l++) {
        const gfab_link link = gfab_topology_link(j->topology, l);
        const uint64_t forward = scale * gfab_topology_arc_weight(j->topology, 2 * l);
        const uint64_t back = scale * gfab_topology_arc_weight(j->topology, 2 * l + 1);
        gfab_flow_add(flow, link.node[j->reversed], link.node[!j->reversed], forward, back);
    }
    for (uint32_t i = 0; i < j->members && supply; i++)
        gfab_flow_add(flow, j->nodes, gfab_topology_member(j->topology, i), supply, 0);
    gfab_flow_clear(flow);
    return GFAB_OK;
}

/* The side of the last flow's least cut on which its source is: part 0, or where flows go backwards part 1. */
static void keep_cut(job *j)
{
    for (uint32_t v = 0; v < j->nodes; v++)
        j->c->part[v] = gfab_flow_on_source_side(&j->flow, v) == j->reversed;
}

/* The least cut between the root and another member. What is known to flow to a member is turned to the next one. */
static gfab_status cut_root(job *j, uint32_t root)
{
    const uint32_t from = gfab_topology_member(j->topology, root);
    uint64_t least = GFAB_FLOW_MOST;
    uint32_t last = from;
    GFAB_TRY(open_flow(j, 1, 0, &j->flow));
    for (uint32_t i = 0; i < j->members; i++) {
        const uint32_t to = gfab_topology_member(j->topology, i);
        if (i == root)
            continue;
        if (last == from || gfab_flow_push(&j->flow, last, to, least) < least) {
            const uint64_t flow = gfab_flow_run(&j->flow, from, to, least);
            if (flow < least)
                keep_cut(j);
            least = flow;
        }
        last = to;
        GFAB_TRY(report(j, i));
    }
    return GFAB_OK;
}

/* Does all that members supply, p each, flow to one of them over links of q times their weights? If it does, the arcs
 * from the source are closed: what is supplied stays as it is. */
static gfab_status flow_all(job *j, uint64_t p, uint64_t q, uint32_t sink, bool *enough)
{
    const uint64_t all = p * j->members;
    const gfab_status status = open_flow(j, q, p, &j->flow);
    *enough = status == GFAB_OK && gfab_flow_run(&j->flow, j->nodes, sink, all) == all;
    for (uint32_t i = 0; i < j->members && *enough; i++)
        gfab_flow_hold(&j->flow, 2 * (j->links + i), 0, 0);
    return status;
}

/* Has every set that one member is in and another is not a ratio of p / q or more? Not all members are in it, so that
 * this holds where p / q of all members but one flows from the one to the other. */
static bool are_near(job *j, uint64_t p, uint64_t q, uint32_t from, uint32_t to)
{
    const uint64_t needed = (p * (j->members - 1) + q - 1) / q, sent = gfab_flow_push(&j->near, from, to, needed);
    (void)gfab_flow_take_back(&j->near, from, to, sent);
    return sent == needed;
}

/* The ratio of the last flow's cut, which is kept. */
static void lower_ratio(job *j, uint64_t *p, uint64_t *q)
{
    keep_cut(j);
    *p = *q = 0;
    for (uint32_t v = 0; v < j->nodes; v++)
        *q += gfab_flow_on_source_side(&j->flow, v) && !gfab_topology_is_relay(j->topology, v);
    for (gfab_arc arc = 0; arc < 2 * j->links; arc++)
        if (j->c->part[gfab_topology_arc_from(j->topology, arc)] == 0 &&
            j->c->part[gfab_topology_arc_to(j->topology, arc)] == 1)
            *p += gfab_topology_arc_weight(j->topology, arc);
}

/* The set S of nodes, not all members in it, with the least (weights out of S) / (members of S), by discrete Newton
 * steps (ForestColl finds the same by bisection): with p / q the least so far, members that each supply p must send N p
 * to every member over links of q times their weights; where they do not, the cut is a set with a lower ratio. Of the
 * sets that a member is not in, those without the member before it are known by then, and often what flows from that
 * one to it, a few links around them, is enough for the others. Where it is not, all that flows to an earlier member is
 * turned to this one; and where that fails, and at first, all flows anew. */
static gfab_status cut_shares(job *j)
{
    uint64_t p = 1, q = 1;
    for (uint32_t l = 0; l < j->links; l++)
        p += gfab_topology_weight(j->topology, l); /* more than any ratio */
    gfab_status status = p < GFAB_FLOW_MOST / 2 / j->members ? open_flow(j, 1, 0, &j->near) : GFAB_ERR_LIMIT;
    for (uint32_t i = 0, last = 0, flows = 0; i < j->members && status == GFAB_OK; i++) {
        const uint32_t sink = gfab_topology_member(j->topology, i);
        const uint64_t all = p * j->members;
        bool enough = i > 0 && are_near(j, p, q, last, sink);
        last = sink;
        if (!enough) {
            enough = i > 0 && gfab_flow_push(&j->flow, flows, sink, all) == all;
            flows = sink;
        }
        while (!enough && (status = flow_all(j, p, q, sink, &enough)) == GFAB_OK)
            if (!enough)
                lower_ratio(j, &p, &q);
        GFAB_THEN(status, report(j, i));
    }
    gfab_flow_release(&j->near);
    return status;
}

/* ---- partitions ---- */

/* Every relay goes to a member's side: that of the neighbour with which it shares most, from the members on. */
static void assign_relays(const job *j, uint32_t *owner)
{
    for (uint32_t v = 0; v < j->nodes; v++)
        owner[v] = gfab_topology_rank(j->topology, v);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < j->nodes; v++) {
            uint32_t best = 0;
            if (owner[v] != GFAB_NO_RANK)
                continue;
            GFAB_EACH_PORT(port, j->topology, v) {
                const uint32_t weight = gfab_topology_weight(j->topology, port->link);
                if (owner[port->peer] != GFAB_NO_RANK && weight > best) {
                    best = weight;
                    owner[v] = owner[port->peer];
                    changed = true;
                }
            }
        }
    }
}

/* Are there relays, and all of them switches that neither copy nor combine? These may be in no part. Others do in a
 * round what relays that store do in several, over the same links, so that what holds for these holds for them. */
static bool has_switches_alone(const gfab_topology *topology)
{
    bool alone = gfab_topology_has_relays(topology);
    for (size_t v = 0; v < gfab_topology_node_count(topology) && alone; v++)
        alone = !gfab_topology_is_relay(topology, v) || gfab_topology_is_passive(topology, v);
    return alone;
}

/* What an arc carries, of a partition. */
static uint32_t share_of(const job *j, gfab_arc arc)
{
    return j->c->link_mode == GFAB_LINK_HALF ? gfab_topology_weight(j->topology, arc / 2)
                                             : gfab_topology_arc_weight(j->topology, arc);
}

/* The number of each node: members by their ranks, switches behind them; of other relays that of a member. */
static void number_nodes(const job *j, bool switches, uint32_t *number)
{
    uint32_t next = j->members;
    for (uint32_t v = 0; v < j->nodes; v++)
        number[v] = gfab_topology_is_relay(j->topology, v) ? next++ : gfab_topology_rank(j->topology, v);
    if (!switches)
        assign_relays(j, number);
}

/* The strongest partition; with relays that store one of those in which each is in the part of a member. What comes to
 * the parts counts as well as what leaves them, so that arcs may be turned round. */
static gfab_status part_all(job *j, bool turned)
{
    const bool switches = has_switches_alone(j->topology);
    GFAB_FREED gfab_edge *edges = malloc(j->links * sizeof *edges);
    GFAB_FREED uint32_t *number = malloc(j->nodes * sizeof *number), *part = malloc(j->nodes * sizeof *part);
    gfab_parts parts = {.part = part};
    GFAB_NEED(edges && number && part);
    number_nodes(j, switches, number);
    for (uint32_t l = 0; l < j->links; l++) {
        const gfab_link link = gfab_topology_link(j->topology, l);
        edges[l] = (gfab_edge){{number[link.node[0]], number[link.node[1]]},
                               {share_of(j, 2 * l + turned), share_of(j, 2 * l + !turned)}};
    }
    GFAB_TRY(gfab_strength(j->members, switches ? j->nodes : j->members, edges, j->links, j->progress, &parts));
    for (uint32_t v = 0; v < j->nodes; v++)
        j->c->part[v] = part[number[v]];
    j->c->parts = parts.count;
    return GFAB_OK;
}

/* ---- both ---- */

static gfab_status count(job *j)
{
    return gfab_certificate_count(j->topology, j->c, &j->c->demand, &j->c->capacity);
}

typedef enum another { LEAST_CUT, SHARES, TURNED_PARTS } another;

/* What may say more than the partition found: a partition in two, by the least cut between members; of a cut what goes
 * one way; the partition of the links turned round. */
static gfab_status try_other(job *j, bool cut, another which)
{
    gfab_certificate best = *j->c;
    uint32_t *part = malloc(j->nodes * sizeof *part);
    GFAB_NEED(part);
    j->c->part = part;
    j->c->parts = 2;
    j->c->cut = cut;
    gfab_status status = which == SHARES      ? cut_shares(j)
                         : which == LEAST_CUT ? cut_root(j, j->c->goal.root)
                                              : part_all(j, true);
    GFAB_THEN(status, count(j));
    if (status != GFAB_OK || j->c->demand * best.capacity <= best.demand * j->c->capacity) {
        *j->c = best;
        best.part = part;
    }
    free(best.part);
    return status;
}

/* With relays, or directed links, in half duplex or for an all-reduce, once a partition has been found. */
static gfab_status try_others(job *j, bool shares)
{
    gfab_status status = GFAB_OK;
    if (gfab_topology_has_relays(j->topology))
        status = try_other(j, false, LEAST_CUT);
    if (status != GFAB_OK || !gfab_topology_is_directed(j->topology))
        return status;
    if (has_switches_alone(j->topology))
        status = try_other(j, false, TURNED_PARTS);
    if (status != GFAB_OK || j->c->goal.collective != GFAB_ALL_REDUCE)
        return status == GFAB_OK ? try_other(j, true, shares ? SHARES : LEAST_CUT) : status;
    for (int way = 0; way < 2 && status == GFAB_OK; way++) { /* every block leaves and enters any set of members */
        j->reversed = way;
        status = try_other(j, true, LEAST_CUT);
    }
    return status;
}

/* Does every relay send as much as it takes in? */
static bool is_balanced(const gfab_topology *topology)
{
    for (uint32_t v = 0; gfab_topology_is_directed(topology) && v < gfab_topology_node_count(topology); v++) {
        uint64_t out = 0, in = 0;
        GFAB_EACH_PORT(port, topology, v) {
            const gfab_arc arc = 2 * port->link + port->end;
            out += gfab_topology_arc_weight(topology, arc);
            in += gfab_topology_arc_weight(topology, arc ^ 1);
        }
        if (gfab_topology_is_relay(topology, v) && out != in)
            return false;
    }
    return true;
}

gfab_status gfab_rate(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal,
                      const gfab_progress *progress, gfab_certificate *certificate, bool *tight)
{
    const bool relays = gfab_topology_has_relays(topology), directed = gfab_topology_is_directed(topology);
    const bool shares = goal->collective == GFAB_ALL_GATHER || goal->collective == GFAB_REDUCE_SCATTER;
    *certificate = (gfab_certificate){.goal = *goal, .link_mode = link_mode, .parts = 2};
    if (goal->collective == GFAB_ALL_TO_ALL || goal->collective == GFAB_BARRIER)
        return GFAB_ERR_UNSUPPORTED;
    job j = {.topology = topology,
             .progress = progress,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .members = (uint32_t)gfab_topology_member_count(topology),
             .links = (uint32_t)gfab_topology_link_count(topology),
             .c = certificate,
             .reversed = goal->collective == GFAB_REDUCE || goal->collective == GFAB_REDUCE_SCATTER};
    certificate->goal.blocks = shares ? j.members : 1;
    certificate->goal.idempotent = false;
    certificate->cut = link_mode == GFAB_LINK_FULL && goal->collective != GFAB_ALL_REDUCE;
    certificate->part = calloc(j.nodes, sizeof *certificate->part);
    *tight = certificate->cut ? is_balanced(topology) : !relays && !directed;
    gfab_status status = !certificate->part  ? GFAB_ERR_NO_MEMORY
                         : !certificate->cut ? part_all(&j, false)
                         : shares            ? cut_shares(&j)
                                             : cut_root(&j, goal->root);
    GFAB_THEN(status, count(&j));
    if (status == GFAB_OK && !certificate->cut)
        status = try_others(&j, shares);
    gfab_flow_release(&j.flow);
    if (status != GFAB_OK)
        gfab_certificate_release(certificate);
    return status;
}

gfab_status gfab_certificate_rate(const gfab_certificate *c, uint32_t packet_tokens, gfab_ratio *rounds)
{
    uint64_t a = c->demand, b = c->capacity;
    if (b > UINT64_MAX / packet_tokens / c->goal.blocks)
        return GFAB_ERR_LIMIT;
    b *= (uint64_t)packet_tokens * c->goal.blocks;
    *rounds = (gfab_ratio){a, b};
    while (a) {
        const uint64_t rest = b % a;
        b = a;
        a = rest;
    }
    rounds->numerator /= b;
    rounds->denominator /= b;
    return GFAB_OK;
}
