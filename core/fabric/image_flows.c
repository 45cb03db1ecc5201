/* SPDX-License-Identifier: MIT */
/* For streams of a word a cycle a program becomes wiring: which lanes a node takes words from, and which it gives them
 * to. Groups use the slots of a store by turns; all uses of one slot are one flow. */
#include "image_internal.h"

#include <gossipfab/fabric/flows.h>

static uint32_t period_of(const gfab_image *image)
{
    uint32_t period = 1;
    while (period < gfab_image_rounds(image, 0) && !gfab_image_begins(image, period + 1))
        period++;
    return period;
}

/* Does a host send, or receive, in a round over its one lane? */
static bool is_turn(const gfab_image *image, size_t host, size_t round, uint32_t half)
{
    const gfab_op op = gfab_image_op(image, host, round, gfab_layout_lane(gfab_image_layout(image), host, 0), half);
    return half == 0 ? op.kind == GFAB_OP_SEND : op.kind == GFAB_OP_RECV || op.kind == GFAB_OP_COMBINE;
}

/* The round of a host's op as its group counts: op.slot is its age. */
static size_t own_round(const gfab_image *image, size_t host, size_t round, uint32_t half, uint32_t period)
{
    const gfab_op op = gfab_image_op(image, host, round, gfab_layout_lane(gfab_image_layout(image), host, 0), half);
    return (round - 1) % period + (size_t)op.slot * period;
}

/* Which word of its group a host sends, or receives, in a round. */
static uint32_t word_at(const gfab_image *image, size_t host, size_t round, uint32_t half)
{
    const uint32_t period = period_of(image);
    const size_t own = own_round(image, host, round, half, period);
    uint32_t word = 0;
    for (size_t other = 1; other <= period; other++)
        word += is_turn(image, host, other, half) && own_round(image, host, other, half, period) < own;
    return word;
}

uint32_t gfab_image_host_words(const gfab_image *image)
{
    const gfab_topology *topology = gfab_layout_topology(gfab_image_layout(image));
    const uint32_t period = period_of(image);
    uint32_t most = 1;
    for (size_t node = 0; node < gfab_topology_node_count(topology); node++) {
        uint32_t words = 0;
        for (size_t round = 1; round <= period && !gfab_topology_is_relay(topology, (uint32_t)node); round++)
            words += is_turn(image, node, round, 0);
        most = words > most ? words : most;
    }
    return most;
}

/* The lane as flows count them, of what goes out (half 0) or comes in over one of a relay's. */
static size_t flow_lane(const gfab_image *image, size_t node, size_t lane, size_t round, bool comes)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const gfab_topology *topology = gfab_layout_topology(layout);
    size_t count;
    const gfab_port *ports = gfab_topology_ports(topology, node, &count);
    const size_t peer = ports[gfab_layout_port(layout, node, lane)].peer;
    if (gfab_topology_is_relay(topology, (uint32_t)peer))
        return lane;
    const uint32_t word = word_at(image, peer, round, comes ? 0 : gfab_layout_halves(layout) - 1);
    return word == 0 ? lane : gfab_layout_lane_count(layout) - 1 + word;
}

/* What comes into a slot, and goes out of it, in any round. */
static gfab_stream_flow of_slot(const gfab_image *image, size_t node, uint32_t slot)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const uint32_t receives = gfab_layout_halves(layout) - 1;
    gfab_stream_flow flow = {0, 0};
    for (size_t round = 1; round <= gfab_image_rounds(image, 0); round++)
        for (size_t lane = 0; lane < gfab_layout_lane_count(layout); lane++) {
            const gfab_op out = gfab_image_op(image, node, round, lane, 0);
            const gfab_op in = gfab_image_op(image, node, round, lane, receives);
            const bool comes = in.kind == GFAB_OP_RECV || in.kind == GFAB_OP_COMBINE;
            if (out.kind == GFAB_OP_SEND && out.slot == slot)
                flow.out |= UINT64_C(1) << flow_lane(image, node, lane, round, false);
            if (comes && in.slot == slot)
                flow.in |= UINT64_C(1) << flow_lane(image, node, lane, round, true);
        }
    return flow;
}

/* In the order of slots. */
static gfab_status read_flows(const gfab_image *image, size_t node, gfab_stream_flow flows[GFAB_MAX_FLOWS],
                              gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const size_t lanes = gfab_layout_lane_count(layout) + gfab_image_host_words(image) - 1;
    size_t count = 0;
    for (size_t i = 0; i < GFAB_MAX_FLOWS; i++)
        flows[i] = (gfab_stream_flow){0, 0};
    if (lanes > GFAB_MAX_FLOW_LANES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "streams of a word a cycle: nodes of %zu links, at most %u", lanes,
                         GFAB_MAX_FLOW_LANES);
    for (uint32_t slot = 0; slot < gfab_layout_node_slots(layout, node); slot++) {
        const gfab_stream_flow flow = of_slot(image, node, slot);
        bool known = flow.in == 0 && flow.out == 0, clear = true;
        for (size_t i = 0; i < count; i++) {
            known = known || (flow.in == flows[i].in && flow.out == flows[i].out);
            clear = clear && !(flow.in & flows[i].in) && !(flow.out & flows[i].out);
        }
        if (known)
            continue;
        if (!clear || count == GFAB_MAX_FLOWS || !flow.in || !flow.out)
            return GFAB_REFUSE(diag, "streams of a word a cycle: what node %zu does is not the same for every block",
                               node);
        flows[count++] = flow;
    }
    return GFAB_OK;
}

/* No word is longer on its way than a group is in its rounds, each a hop. */
uint32_t gfab_image_queue_bits(const gfab_image *image, const gfab_timing *timing)
{
    const gfab_topology *topology = gfab_layout_topology(gfab_image_layout(image));
    uint32_t hop = 2, bits = 1;
    for (size_t node = 0; node < gfab_topology_node_count(topology); node++) {
        gfab_stream_flow flows[GFAB_MAX_FLOWS] = {{0, 0}};
        if (gfab_topology_is_relay(topology, (uint32_t)node))
            (void)gfab_image_flows(image, node, flows, NULL);
        for (size_t i = 0; i < GFAB_MAX_FLOWS; i++) {
            const uint32_t cycles = gfab_stream_flow_cycles(gfab_image_layout(image), &flows[i], timing);
            hop = cycles > hop ? cycles : hop;
        }
    }
    while (UINT64_C(1) << bits <= (uint64_t)hop * gfab_image_ages(image) * period_of(image))
        bits++;
    return bits;
}

/* The flow of a relay into which a lane comes; NULL: none. */
static const gfab_stream_flow *flow_of(const gfab_image *image, size_t node, size_t lane,
                                       gfab_stream_flow flows[GFAB_MAX_FLOWS])
{
    (void)read_flows(image, node, flows, NULL);
    for (size_t i = 0; i < GFAB_MAX_FLOWS; i++)
        if (flows[i].in >> lane & 1)
            return &flows[i];
    return NULL;
}

/* A host's words on their way, relay by relay, as long as they go over one lane. */
typedef struct way {
    size_t node;
    size_t lane;           /* over which they come into it */
    gfab_stream_flow flow; /* in 0: there is none */
    size_t steps;
} way;

static void arrive(const gfab_image *image, way *w, const gfab_port *port)
{
    gfab_stream_flow flows[GFAB_MAX_FLOWS];
    w->node = port->peer;
    w->lane = gfab_layout_lane(gfab_image_layout(image), port->peer, port->peer_port);
    const gfab_stream_flow *flow = flow_of(image, w->node, w->lane, flows);
    w->flow = flow ? *flow : (gfab_stream_flow){0, 0};
}

static way way_of(const gfab_image *image, uint32_t rank)
{
    const gfab_topology *topology = gfab_layout_topology(gfab_image_layout(image));
    size_t ports;
    way w = {0};
    arrive(image, &w, &gfab_topology_ports(topology, gfab_topology_member(topology, rank), &ports)[0]);
    return w;
}

static bool go_on(const gfab_image *image, way *w)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const gfab_topology *topology = gfab_layout_topology(layout);
    size_t to = 0, ports;
    if (!w->flow.out || w->flow.out & (w->flow.out - 1) || ++w->steps >= gfab_topology_node_count(topology))
        return false;
    while (!(w->flow.out >> to & 1))
        to++;
    const gfab_port *port = &gfab_topology_ports(topology, w->node, &ports)[gfab_layout_port(layout, w->node, to)];
    if (!gfab_topology_is_relay(topology, port->peer))
        return false;
    arrive(image, w, port);
    return w->flow.in != 0;
}

/* From host to host: along the one lane of each flow to the next relay. */
void gfab_image_turns(const gfab_image *image, size_t node, uint32_t *lanes, size_t *count)
{
    const gfab_topology *topology = gfab_layout_topology(gfab_image_layout(image));
    *count = 0;
    for (uint32_t rank = 0; rank < gfab_topology_member_count(topology); rank++) {
        way w = way_of(image, rank);
        bool goes = w.flow.in != 0;
        while (goes && !(w.node == node && w.flow.in & (w.flow.in - 1)))
            goes = go_on(image, &w);
        if (goes)
            lanes[(*count)++] = (uint32_t)w.lane;
    }
}

/* The flow whose words are on their way to where all meet, over one lane from relay to relay, comes first. */
gfab_status gfab_image_flows(const gfab_image *image, size_t node, gfab_stream_flow flows[GFAB_MAX_FLOWS],
                             gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    GFAB_TRY(read_flows(image, node, flows, diag));
    if (!gfab_layout_alternates(layout) || !flows[1].in)
        return GFAB_OK;
    for (size_t i = 1; i < GFAB_MAX_FLOWS; i++) {
        way w = {.node = node, .flow = flows[i]};
        while (!(w.flow.in & w.flow.out) && go_on(image, &w))
            continue;
        if (w.flow.in & w.flow.out) {
            const gfab_stream_flow inwards = flows[i];
            flows[i] = flows[0];
            flows[0] = inwards;
        }
    }
    return GFAB_OK;
}

static gfab_status check_alternates(const gfab_image *image, uint32_t node, gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const gfab_topology *topology = gfab_layout_topology(layout);
    size_t count;
    const gfab_port *ports = gfab_topology_ports(topology, node, &count);
    gfab_stream_flow flows[GFAB_MAX_FLOWS], next[GFAB_MAX_FLOWS];
    GFAB_TRY(gfab_image_flows(image, node, flows, diag));
    for (size_t port = 0; port < count; port++) {
        const uint32_t lane = gfab_layout_lane(layout, node, port);
        const uint32_t lane_there = gfab_layout_lane(layout, ports[port].peer, ports[port].peer_port);
        size_t from = 0, to = 0;
        while (from < GFAB_MAX_FLOWS && !(flows[from].out >> lane & 1))
            from++;
        if (from == GFAB_MAX_FLOWS || !gfab_topology_is_relay(topology, ports[port].peer))
            continue;
        GFAB_TRY(gfab_image_flows(image, ports[port].peer, next, diag));
        while (to < GFAB_MAX_FLOWS && !(next[to].in >> lane_there & 1))
            to++;
        const bool inwards = from == 0 && !(flows[0].in & flows[0].out);
        if (inwards != (to == 0))
            return GFAB_REFUSE(diag,
                               "half-duplex links: not with streams of a word a cycle in which words go both ways but "
                               "to one node and back, as between nodes %u and %u; give --link-mode full",
                               (unsigned)node, (unsigned)ports[port].peer);
    }
    return GFAB_OK;
}

gfab_status gfab_image_check_alternates(const gfab_image *image, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(gfab_image_layout(image));
    for (uint32_t node = 0; node < gfab_topology_node_count(topology); node++)
        if (gfab_topology_is_relay(topology, node))
            GFAB_TRY(check_alternates(image, node, diag));
    return GFAB_OK;
}

/* Is what comes over a lane, as flows count them, stored, and not combined with what is there? */
static bool is_stored(const gfab_image *image, size_t node, uint32_t lane)
{
    const gfab_layout *layout = gfab_image_layout(image);
    for (size_t round = 1; round <= gfab_image_rounds(image, 0); round++)
        for (size_t at = 0; at < gfab_layout_lane_count(layout); at++) {
            const gfab_op op = gfab_image_op(image, node, round, at, gfab_layout_halves(layout) - 1);
            if (op.kind == GFAB_OP_RECV && flow_lane(image, node, at, round, true) == lane)
                return true;
        }
    return false;
}

void gfab_image_operands(const gfab_image *image, size_t node, uint32_t *lanes, size_t *count)
{
    gfab_stream_flow flows[GFAB_MAX_FLOWS];
    *count = 0;
    (void)gfab_image_flows(image, node, flows, NULL);
    for (size_t i = 0; i < GFAB_MAX_FLOWS; i++)
        for (uint32_t combined = 0; combined < 2; combined++)
            for (uint32_t lane = 0; lane < GFAB_MAX_FLOW_LANES; lane++)
                if (flows[i].in >> lane & 1 && is_stored(image, node, lane) == !combined)
                    lanes[(*count)++] = lane;
}

uint32_t gfab_stream_flow_cycles(const gfab_layout *layout, const gfab_stream_flow *flow, const gfab_timing *timing)
{
    const gfab_operator op = gfab_layout_operator(layout);
    const bool gathers = op == GFAB_OPERATOR_GATHER, meets = flow->in & flow->out;
    uint32_t inputs = 0, work = 0;
    for (uint64_t in = flow->in; in; in &= in - 1)
        inputs++;
    if (gfab_operator_is_chained(op) && inputs > 0)
        work = (inputs - 1) * timing->operator_cycles;
    while (!gathers && !gfab_operator_is_chained(op) && (UINT32_C(1) << work) < inputs)
        work++;
    if (op == GFAB_OPERATOR_SUM && inputs > 1 && timing->link_bits > GFAB_STREAM_WHOLE_BITS)
        work++;
    if (!gfab_layout_alternates(layout))
        return 2 + work;
    /* Words go out in the cycles in which they come in, or where all meet in the others. */
    return meets ? (work ? 1 + work + work % 2 : 3) : 1 + work + (1 - work % 2);
}
