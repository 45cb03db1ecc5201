/* SPDX-License-Identifier: MIT */
#include <gossipfab/fabric/layout.h>

#include "topology/edge_colouring.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX
#define MAX_TOKEN_BITS 4096u
#define MAX_LINK_BITS 1024u

struct gfab_layout {
    const gfab_topology *topology;
    size_t lanes;
    uint32_t *lane; /* node * lanes + port */
    uint32_t *port; /* node * lanes + lane */
    uint32_t *skew; /* by node */
    bool any_skew;
    bool full_duplex;
    bool wide;
    bool paths;
    uint32_t parts; /* of a token */
    gfab_frame frame;
};

/* A colouring of the links, colours 0 .. lanes, no two alike at a node. at[node * (lanes + 1) + colour] is the node's
 * link of that colour, or NONE. */
typedef struct colouring {
    const gfab_topology *topology;
    uint32_t lanes;
    uint32_t *at;
    uint32_t *colour; /* by link */
} colouring;

static uint32_t *link_at(const colouring *c, uint32_t node, uint32_t colour)
{
    return &c->at[(size_t)node * (c->lanes + 1) + colour];
}

static bool is_free(const colouring *c, uint32_t node, uint32_t colour)
{
    return *link_at(c, node, colour) == NONE;
}

static uint32_t other_end(const colouring *c, uint32_t link, uint32_t node)
{
    const gfab_link ends = gfab_topology_link(c->topology, link);
    return ends.node[ends.node[0] == node];
}

static void index_links(colouring *c)
{
    const size_t nodes = gfab_topology_node_count(c->topology);
    const size_t links = gfab_topology_link_count(c->topology);
    for (size_t i = 0; i < nodes * (c->lanes + 1); i++)
        c->at[i] = NONE;
    for (uint32_t link = 0; link < links; link++)
        for (size_t end = 0; end < 2; end++)
            *link_at(c, gfab_topology_link(c->topology, link).node[end], c->colour[link]) = link;
}

/* The merge of colour `lanes` with another one, which becomes lane 0: docs/reference/fabric-timing.md, "Every graph has
 * such lanes". The other one is that which makes the fewest skewed links: one for each node that has both. */
typedef struct merge {
    colouring *c;
    uint32_t *end_lane; /* 2 * link + end */
    uint32_t *skew;
    uint32_t partner;
} merge;

static uint32_t colour_to_lane(const merge *m, uint32_t colour)
{
    if (colour == m->partner || colour == m->c->lanes)
        return 0;
    return colour == 0 ? m->partner : colour;
}

static void choose_partner(merge *m)
{
    const colouring *c = m->c;
    const size_t nodes = gfab_topology_node_count(c->topology);
    size_t best = SIZE_MAX;
    for (uint32_t colour = 0; colour < c->lanes; colour++) {
        size_t both = 0;
        for (uint32_t node = 0; node < nodes; node++)
            both += !is_free(c, node, colour) && !is_free(c, node, c->lanes);
        if (both < best) {
            best = both;
            m->partner = colour;
        }
    }
}

static uint32_t *lane_of_end(const merge *m, uint32_t node, uint32_t link)
{
    return &m->end_lane[2 * (size_t)link + (gfab_topology_link(m->c->topology, link).node[1] == node)];
}

/* Follows the merged links from node's link of `colour`: lane 0 at the start of each, and at its end a free lane
 * if the path goes on there. */
static void merge_path(merge *m, uint32_t node, uint32_t colour)
{
    const colouring *c = m->c;
    for (uint32_t link; (link = *link_at(c, node, colour)) != NONE && *lane_of_end(m, node, link) == NONE;) {
        *lane_of_end(m, node, link) = 0;
        const uint32_t next = other_end(c, link, node);
        colour = m->partner + c->lanes - colour;
        uint32_t lane = 0;
        if (!is_free(c, next, colour)) {
            for (lane = 1; !is_free(c, next, lane == m->partner ? 0 : lane);)
                lane++;
            assert(lane < c->lanes);
            m->skew[node] = lane;
        }
        *lane_of_end(m, next, link) = lane;
        node = next;
    }
}

static void merge_all(merge *m)
{
    const colouring *c = m->c;
    const size_t nodes = gfab_topology_node_count(c->topology);
    const size_t links = gfab_topology_link_count(c->topology);
    bool extra = false;
    for (uint32_t link = 0; link < links; link++) {
        m->end_lane[2 * (size_t)link] = m->end_lane[2 * (size_t)link + 1] = NONE;
        extra = extra || c->colour[link] == c->lanes;
    }
    m->partner = 0;
    if (extra)
        choose_partner(m);
    for (uint32_t node = 0; node < nodes; node++) { /* paths, from their lower end */
        const bool partner = !is_free(c, node, m->partner);
        if (partner != !is_free(c, node, c->lanes))
            merge_path(m, node, partner ? m->partner : c->lanes);
    }
    for (uint32_t node = 0; node < nodes; node++) /* cycles are left */
        if (!is_free(c, node, c->lanes))
            merge_path(m, node, c->lanes);
    for (uint32_t link = 0; link < links; link++)
        for (size_t end = 0; end < 2; end++)
            if (m->end_lane[2 * (size_t)link + end] == NONE)
                m->end_lane[2 * (size_t)link + end] = colour_to_lane(m, c->colour[link]);
}

static void fill_tables(gfab_layout *slots, const uint32_t *end_lane)
{
    const size_t nodes = gfab_topology_node_count(slots->topology);
    for (size_t i = 0; i < nodes * slots->lanes; i++)
        slots->port[i] = GFAB_NO_PORT;
    for (size_t node = 0; node < nodes; node++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(slots->topology, node, &count);
        for (uint32_t p = 0; p < count; p++) {
            const uint32_t lane = end_lane[2 * (size_t)ports[p].link + ports[p].end];
            slots->lane[node * slots->lanes + p] = lane;
            assert(slots->port[node * slots->lanes + lane] == GFAB_NO_PORT);
            slots->port[node * slots->lanes + lane] = p;
        }
        slots->any_skew = slots->any_skew || slots->skew[node] != 0;
    }
}

/* Where lanes need no turns they are directions, so that all nodes of a torus have the same ones: crossbar.h. Ports of
 * other graphs are numbered as the topology has them. */
static void fill_directions(gfab_layout *slots, uint32_t *end_lane)
{
    const gfab_topology *topology = slots->topology;
    const bool grid = gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_GRAPH;
    const bool torus = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS;
    for (uint32_t node = 0; node < gfab_topology_node_count(topology); node++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, node, &count);
        for (uint32_t p = 0; p < count; p++) {
            uint32_t lane = grid ? 0 : p;
            uint32_t here = node, there = ports[p].peer;
            uint32_t stride = 1;
            for (size_t axis = gfab_topology_dimensions(topology); grid && axis-- > 0;) {
                const uint32_t side = gfab_topology_side(topology, axis);
                const uint32_t from = here / stride % side, to = there / stride % side;
                if (from != to && side > 2)
                    lane += torus ? to != (from + 1) % side : to < from;
                if (from == to)
                    stride *= side;
                else {
                    for (size_t before = 0; before < axis; before++)
                        lane +=
                            gfab_topology_side(topology, before) > 2 ? 2 : gfab_topology_side(topology, before) == 2;
                    break;
                }
            }
            end_lane[2 * (size_t)ports[p].link + ports[p].end] = lane;
        }
    }
}

gfab_status gfab_layout_create_wide(const gfab_topology *topology, gfab_layout **slots)
{
    const size_t nodes = gfab_topology_node_count(topology);
    const size_t links = gfab_topology_link_count(topology);
    const size_t lanes = gfab_topology_max_degree(topology);
    gfab_layout *s = calloc(1, sizeof *s);
    uint32_t *end_lane = calloc(2 * links, sizeof *end_lane);
    if (s && nodes <= SIZE_MAX / (lanes + 1) / sizeof *s->lane) {
        s->topology = topology;
        s->lanes = lanes;
        s->parts = 1;
        s->wide = true;
        s->lane = calloc(nodes * lanes, sizeof *s->lane);
        s->port = calloc(nodes * lanes, sizeof *s->port);
        s->skew = calloc(nodes, sizeof *s->skew);
    }
    const bool ok = s && s->lane && s->port && s->skew && end_lane;
    if (ok) {
        fill_directions(s, end_lane);
        fill_tables(s, end_lane);
        *slots = s;
    } else
        gfab_layout_destroy(s);
    free(end_lane);
    return ok ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_layout_create(const gfab_topology *topology, gfab_layout **slots)
{
    const size_t nodes = gfab_topology_node_count(topology);
    const size_t links = gfab_topology_link_count(topology);
    const size_t lanes = gfab_topology_max_degree(topology);
    gfab_layout *s = calloc(1, sizeof *s);
    colouring c = {.topology = topology, .lanes = (uint32_t)lanes};
    merge m = {.c = &c};
    if (s && nodes <= SIZE_MAX / (lanes + 1) / sizeof *c.at) {
        s->topology = topology;
        s->lanes = lanes;
        s->parts = 1;
        s->lane = calloc(nodes * lanes, sizeof *s->lane);
        s->port = calloc(nodes * lanes, sizeof *s->port);
        s->skew = calloc(nodes, sizeof *s->skew);
        c.at = malloc(nodes * (lanes + 1) * sizeof *c.at);
        c.colour = malloc(links * sizeof *c.colour);
        m.end_lane = calloc(2 * links, sizeof *m.end_lane);
    }
    const bool ok = s && s->lane && s->port && s->skew && c.at && c.colour && m.end_lane &&
                    gfab_edge_colour(topology, c.colour) == GFAB_OK;
    if (ok) {
        m.skew = s->skew;
        index_links(&c);
        merge_all(&m);
        fill_tables(s, m.end_lane);
        *slots = s;
    } else
        gfab_layout_destroy(s);
    free(c.at);
    free(c.colour);
    free(m.end_lane);
    return ok ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

void gfab_layout_destroy(gfab_layout *slots)
{
    if (!slots)
        return;
    free(slots->lane);
    free(slots->port);
    free(slots->skew);
    free(slots);
}

const gfab_topology *gfab_layout_topology(const gfab_layout *slots)
{
    return slots->topology;
}

size_t gfab_layout_lane_count(const gfab_layout *slots)
{
    return slots->lanes;
}

uint32_t gfab_layout_lane(const gfab_layout *slots, size_t node, size_t port)
{
    return slots->lane[node * slots->lanes + port];
}

uint32_t gfab_layout_port(const gfab_layout *slots, size_t node, size_t lane)
{
    return slots->port[node * slots->lanes + lane];
}

uint32_t gfab_layout_skew(const gfab_layout *slots, size_t node)
{
    return slots->skew[node];
}

bool gfab_layout_any_skew(const gfab_layout *slots)
{
    return slots->any_skew;
}

bool gfab_layout_wide(const gfab_layout *slots)
{
    return slots->wide;
}

void gfab_layout_set_full_duplex(gfab_layout *slots, bool full_duplex)
{
    slots->full_duplex = full_duplex;
}

bool gfab_layout_full_duplex(const gfab_layout *slots)
{
    return slots->full_duplex;
}

void gfab_layout_set_paths(gfab_layout *slots, bool paths)
{
    slots->paths = paths;
    slots->full_duplex = slots->full_duplex || paths;
}

bool gfab_layout_paths(const gfab_layout *slots)
{
    return slots->paths;
}

uint32_t gfab_layout_halves(const gfab_layout *slots)
{
    return slots->full_duplex ? 2 : 1;
}

gfab_status gfab_layout_set_parts(gfab_layout *slots, uint32_t parts, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(slots->topology);
    if (parts == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "parts must be at least 1");
    if (parts > 1 && slots->wide)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "parts %u: wide nodes do not cut tokens", (unsigned)parts);
    if (parts > INT32_MAX / nodes)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "parts %u of %zu tokens: at most %u in all", (unsigned)parts, nodes,
                         (unsigned)INT32_MAX);
    slots->parts = parts;
    return GFAB_OK;
}

uint32_t gfab_layout_parts(const gfab_layout *slots)
{
    return slots->parts;
}

size_t gfab_layout_slot_count(const gfab_layout *slots)
{
    return gfab_topology_node_count(slots->topology) * slots->parts;
}

gfab_status gfab_timing_compute(const gfab_layout *slots, uint32_t token_bits, uint32_t link_bits, gfab_timing *timing,
                                gfab_diag *diag)
{
    return gfab_timing_compute_latency(slots, token_bits, link_bits, 0, timing, diag);
}

gfab_status gfab_timing_compute_latency(const gfab_layout *slots, uint32_t token_bits, uint32_t link_bits,
                                        uint32_t latency_cycles, gfab_timing *timing, gfab_diag *diag)
{
    if (latency_cycles > GFAB_MAX_LATENCY)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "link latency %u: at most %u cycles", (unsigned)latency_cycles,
                         GFAB_MAX_LATENCY);
    if (token_bits == 0 || link_bits == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s bits must be at least 1", token_bits ? "link" : "token");
    if (token_bits > MAX_TOKEN_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "token bits %u: at most %u", (unsigned)token_bits, MAX_TOKEN_BITS);
    if (link_bits > MAX_LINK_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "link bits %u: at most %u", (unsigned)link_bits, MAX_LINK_BITS);
    if (token_bits % slots->parts)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "token bits %u cannot be cut in %u equal parts",
                         (unsigned)token_bits, (unsigned)slots->parts);
    const uint32_t part_bits = token_bits / slots->parts;
    if (part_bits % link_bits && slots->parts > 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "token bits %u in %u parts: %u bits are not a multiple of link bits %u", (unsigned)token_bits,
                         (unsigned)slots->parts, (unsigned)part_bits, (unsigned)link_bits);
    if (part_bits % link_bits)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "token bits %u are not a multiple of link bits %u",
                         (unsigned)token_bits, (unsigned)link_bits);
    if (slots->paths && slots->lanes < 2)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "paths: no node of %s has a link to pass anything on to",
                         gfab_topology_name(slots->topology));
    gfab_timing t = {.lanes = (uint32_t)slots->lanes,
                     .token_bits = token_bits,
                     .parts = slots->parts,
                     .part_bits = part_bits,
                     .link_bits = link_bits,
                     .token_flits = part_bits / link_bits};
    t.words = (t.token_flits + t.lanes - 1) / t.lanes;
    if (t.words < 2)
        t.words = 2;
    t.paths = slots->paths;
    t.skewed = slots->any_skew && !slots->paths;
    /* A word is written up to 2 K + l + skewed cycles after its turn in the round, and is read F - (K - 1) after its
     * lane's turn or later: docs/reference/fabric-timing.md, "Links with latency". */
    const uint32_t least = latency_cycles ? 2 * t.lanes + 1 + latency_cycles + t.skewed : 0;
    if (t.words < (least + t.lanes - 1) / t.lanes)
        t.words = (least + t.lanes - 1) / t.lanes;
    t.word_bits = t.lanes * link_bits;
    t.cycles_per_round = t.words * t.lanes;
    t.direct = t.words == 2;
    t.latency_cycles = latency_cycles;
    t.wires = slots->full_duplex || latency_cycles ? 2 : 1;
    t.overhead_cycles = t.lanes + (1 - t.direct) + t.skewed + latency_cycles;
    if (t.overhead_cycles < 2)
        t.overhead_cycles = 2;
    t.hop_rounds = 1;
    *timing = t;
    return GFAB_OK;
}

gfab_status gfab_timing_compute_wide(const gfab_layout *slots, uint32_t token_bits, uint32_t link_bits,
                                     uint32_t latency_cycles, uint32_t hop_rounds, gfab_timing *timing, gfab_diag *diag)
{
    gfab_status status = gfab_timing_compute_latency(slots, token_bits, link_bits, latency_cycles, timing, diag);
    if (status != GFAB_OK)
        return status;
    const uint32_t flits = timing->token_flits, hop = 2 + latency_cycles;
    const uint32_t least = (hop + flits - 1) / flits, registered = (hop + flits) / flits;
    if (hop_rounds == 0)
        hop_rounds = timing->wires == 1 ? registered : least;
    if (hop_rounds < least)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "hop-rounds %u: a hop takes at least %u cycles, and so %u rounds of %u cycle%s",
                         (unsigned)hop_rounds, (unsigned)hop, (unsigned)least, (unsigned)flits, flits == 1 ? "" : "s");
    timing->wide = 1;
    timing->direct = hop_rounds < registered;
    timing->hop_rounds = timing->direct ? least : registered;
    timing->words = flits;
    timing->word_bits = link_bits;
    timing->cycles_per_round = flits;
    timing->skewed = 0;
    timing->overhead_cycles = 2 - timing->direct + latency_cycles;
    if (timing->overhead_cycles < 2)
        timing->overhead_cycles = 2;
    return GFAB_OK;
}

uint64_t gfab_timing_drain_cycles(const gfab_timing *timing, size_t links)
{
    return 2 * (uint64_t)timing->lanes - 3 + (1 - timing->direct) + links * (1 + (uint64_t)timing->latency_cycles);
}

gfab_path gfab_path_over(const gfab_timing *timing, uint32_t from, uint32_t to, size_t links)
{
    const uint64_t lanes = timing->lanes;
    const uint64_t behind = from + (uint64_t)(links - 1) * (1 + timing->latency_cycles); /* complete, from a lane 0's */
    const gfab_path path = {.source = 0,
                            .tap = (uint32_t)((to + lanes - behind % lanes) % lanes),
                            .wait = behind <= to ? 0 : (uint32_t)((behind - to + lanes - 1) / lanes)};
    return path;
}

uint64_t gfab_timing_gossip_cycles(const gfab_timing *timing, uint32_t rounds)
{
    return (uint64_t)rounds * timing->cycles_per_round + timing->overhead_cycles;
}

const char *gfab_frame_name(gfab_frame frame)
{
    static const char *const names[] = {"absolute", "relative", "rotated"};
    return names[frame];
}

gfab_status gfab_layout_set_frame(gfab_layout *slots, gfab_frame frame, gfab_diag *diag)
{
    if (frame == GFAB_FRAME_RELATIVE && gfab_topology_get_kind(slots->topology) != GFAB_TOPOLOGY_TORUS)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "frame relative: %s is not a torus",
                         gfab_topology_name(slots->topology));
    const gfab_topology *topology = slots->topology;
    if (frame == GFAB_FRAME_ROTATED &&
        (gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_MESH || gfab_topology_dimensions(topology) != 2 ||
         gfab_topology_side(topology, 0) != gfab_topology_side(topology, 1)))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "frame rotated: %s is not a square mesh",
                         gfab_topology_name(topology));
    slots->frame = frame;
    return GFAB_OK;
}

gfab_frame gfab_layout_frame(const gfab_layout *slots)
{
    return slots->frame;
}

/* a + b or a - b, coordinate by coordinate, from the last one on. */
static uint32_t translate(const gfab_layout *slots, uint32_t a, uint32_t b, bool minus)
{
    uint32_t sum = 0;
    uint32_t stride = 1;
    for (size_t i = gfab_topology_dimensions(slots->topology); i-- > 0;) {
        const uint32_t side = gfab_topology_side(slots->topology, i);
        const uint32_t step = minus ? side - b % side : b % side;
        sum += (a % side + step) % side * stride;
        a /= side;
        b /= side;
        stride *= side;
    }
    return sum;
}

/* Where quarter turns, clockwise, bring a node of a square mesh; other topologies have no turns. */
static uint32_t turn(const gfab_layout *slots, uint32_t node, uint32_t turns)
{
    if (turns == 0)
        return node;
    const uint32_t side = gfab_topology_side(slots->topology, 0);
    for (; turns > 0; turns--)
        node = node % side * side + (side - 1 - node / side);
    return node;
}

uint32_t gfab_layout_turns(const gfab_layout *slots, size_t node)
{
    uint32_t turns = 0;
    if (slots->frame != GFAB_FRAME_ROTATED)
        return 0;
    const uint32_t side = gfab_topology_side(slots->topology, 0);
    for (uint32_t at = (uint32_t)node; turns < 4 && !(at / side < side / 2 && at % side < (side + 1) / 2); turns++)
        at = turn(slots, at, 1);
    return turns % 4; /* 4 for the centre */
}

uint32_t gfab_layout_slot(const gfab_layout *slots, size_t node, uint32_t token)
{
    const uint32_t origin = token / slots->parts, part = token % slots->parts;
    const uint32_t whole = slots->frame == GFAB_FRAME_RELATIVE ? translate(slots, origin, (uint32_t)node, true)
                                                               : turn(slots, origin, gfab_layout_turns(slots, node));
    return whole * slots->parts + part;
}

uint32_t gfab_layout_token(const gfab_layout *slots, size_t node, uint32_t slot)
{
    const uint32_t whole = slot / slots->parts, part = slot % slots->parts;
    const uint32_t origin = slots->frame == GFAB_FRAME_RELATIVE
                                ? translate(slots, whole, (uint32_t)node, false)
                                : turn(slots, whole, (4 - gfab_layout_turns(slots, node)) % 4);
    return origin * slots->parts + part;
}
