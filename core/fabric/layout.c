/* SPDX-License-Identifier: MIT */
/* Which lane of a node each port is, and which slot of its store each token has. Lanes take turns at the store, so the
 * two ends of a link should have the same lane, and no two links of a node may: this is an edge colouring. With K
 * links at the busiest node a graph needs K colours or K + 1 (Vizing 1964; core/topology/edge_colouring.c).
 *
 * What is ours is the case of K + 1, as on torus:3x3. The last colour and another one form paths and cycles; along
 * them both become lane 0 at one end and some free lane at the other. A few registers align such links, and the store
 * keeps K turns. Proofs: docs/reference/fabric-timing.md. Slots of blocks that are reused are in layout_places.c. */
#include "base/names.h"
#include "base/tells.h"
#include "layout_internal.h"
#include "topology/edge_colouring.h"
#include "topology/translate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The merge of colour `lanes` with another one, which becomes lane 0: docs/reference/fabric-timing.md, "Every graph has
 * such lanes". The other one is that which makes the fewest skewed links: one for each node that has both. */
typedef struct merge {
    gfab_edge_colouring *c;
    uint32_t *end_lane; /* 2 * link + end */
    uint32_t *skew;
    uint32_t partner;
} merge;

static uint32_t colour_to_lane(const merge *m, uint32_t colour)
{
    if (colour == m->partner || colour == m->c->degree)
        return 0;
    return colour == 0 ? m->partner : colour;
}

static void choose_partner(merge *m)
{
    const gfab_edge_colouring *c = m->c;
    const size_t nodes = gfab_topology_node_count(c->topology);
    size_t best = SIZE_MAX;
    for (uint32_t colour = 0; colour < c->degree; colour++) {
        size_t both = 0;
        for (uint32_t node = 0; node < nodes; node++)
            both += !gfab_edge_is_free(c, node, colour) && !gfab_edge_is_free(c, node, c->degree);
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
    const gfab_edge_colouring *c = m->c;
    for (uint32_t link; (link = *gfab_edge_at(c, node, colour)) != NONE && *lane_of_end(m, node, link) == NONE;) {
        *lane_of_end(m, node, link) = 0;
        const uint32_t next = gfab_edge_end(c, link, node);
        colour = m->partner + c->degree - colour;
        uint32_t lane = 0;
        if (!gfab_edge_is_free(c, next, colour)) {
            for (lane = 1; !gfab_edge_is_free(c, next, lane == m->partner ? 0 : lane);)
                lane++;
            assert(lane < c->degree);
            m->skew[node] = lane;
        }
        *lane_of_end(m, next, link) = lane;
        node = next;
    }
}

static void merge_all(merge *m)
{
    const gfab_edge_colouring *c = m->c;
    const size_t nodes = gfab_topology_node_count(c->topology);
    const size_t links = gfab_topology_link_count(c->topology);
    bool extra = false;
    for (uint32_t link = 0; link < links; link++) {
        m->end_lane[2 * (size_t)link] = m->end_lane[2 * (size_t)link + 1] = NONE;
        extra = extra || c->colour[link] == c->degree;
    }
    m->partner = 0;
    if (extra)
        choose_partner(m);
    for (uint32_t node = 0; node < nodes; node++) { /* paths, from their lower end */
        const bool partner = !gfab_edge_is_free(c, node, m->partner);
        if (partner != !gfab_edge_is_free(c, node, c->degree))
            merge_path(m, node, partner ? m->partner : c->degree);
    }
    for (uint32_t node = 0; node < nodes; node++) /* cycles are left */
        if (!gfab_edge_is_free(c, node, c->degree))
            merge_path(m, node, c->degree);
    for (uint32_t link = 0; link < links; link++)
        for (size_t end = 0; end < 2; end++)
            if (m->end_lane[2 * (size_t)link + end] == NONE)
                m->end_lane[2 * (size_t)link + end] = colour_to_lane(m, c->colour[link]);
}

static void fill_tables(gfab_layout *layout, const uint32_t *end_lane)
{
    const size_t nodes = gfab_topology_node_count(layout->topology);
    for (size_t i = 0; i < nodes * layout->lanes; i++)
        layout->port[i] = GFAB_NO_PORT;
    for (size_t node = 0; node < nodes; node++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(layout->topology, node, &count);
        for (uint32_t p = 0; p < count; p++) {
            const uint32_t lane = end_lane[2 * (size_t)ports[p].link + ports[p].end];
            layout->lane[node * layout->lanes + p] = lane;
            assert(layout->port[node * layout->lanes + lane] == GFAB_NO_PORT);
            layout->port[node * layout->lanes + lane] = p;
        }
        layout->any_skew = layout->any_skew || layout->skew[node] != 0;
    }
}

/* Where lanes need no turns they are directions, so that all nodes of a torus have the same ones. */
static void fill_directions(gfab_layout *layout, uint32_t *end_lane)
{
    const gfab_topology *topology = layout->topology;
    for (uint32_t node = 0; node < gfab_topology_node_count(topology); node++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, node, &count);
        for (uint32_t p = 0; p < count; p++)
            end_lane[2 * (size_t)ports[p].link + ports[p].end] = gfab_topology_direction(topology, node, p);
    }
}

/* Lanes that take turns: a proper colouring of the links, the last colour merged with another. */
static gfab_status fill_turns(gfab_layout *layout, uint32_t *end_lane)
{
    GFAB_AT_END(gfab_edge_colouring_release) gfab_edge_colouring c = {0};
    merge m = {.c = &c, .end_lane = end_lane, .skew = layout->skew};
    GFAB_TRY(gfab_edge_colour(layout->topology, &c));
    merge_all(&m);
    return GFAB_OK;
}

/* Which way each lane of each node of a torus goes, ways[node * lanes + lane]. */
static void fill_ways(const gfab_layout *layout, uint32_t *ways)
{
    for (uint32_t node = 0; node < gfab_topology_node_count(layout->topology); node++) {
        size_t count;
        (void)gfab_topology_ports(layout->topology, node, &count);
        for (uint32_t p = 0; p < count; p++)
            ways[node * layout->lanes + gfab_layout_lane(layout, node, p)] =
                gfab_topology_direction(layout->topology, node, p);
    }
}

/* A node's kind is that of the first node with the same ways and skew. */
static bool find_kinds(gfab_layout *layout)
{
    const size_t nodes = gfab_topology_node_count(layout->topology), lanes = layout->lanes;
    GFAB_FREED uint32_t *ways = calloc(nodes * lanes + 1, sizeof *ways);
    GFAB_ARRAYS(&layout->arena, nodes, layout->kind, layout->kind_node);
    const bool ok = ways && !layout->arena.failed;
    if (ok)
        fill_ways(layout, ways);
    for (uint32_t node = 0; ok && node < nodes; node++) {
        uint32_t kind = 0;
        while (kind < layout->kinds &&
               (layout->skew[layout->kind_node[kind]] != layout->skew[node] ||
                memcmp(ways + layout->kind_node[kind] * lanes, ways + node * lanes, lanes * sizeof *ways) != 0))
            kind++;
        if (kind == layout->kinds)
            layout->kind_node[layout->kinds++] = node;
        layout->kind[node] = kind;
    }
    return ok;
}

gfab_features gfab_layout_options_features(const gfab_topology *topology, const gfab_layout_options *options)
{
    const bool combines = options->combines != GFAB_OPERATOR_NONE;
    const bool chained = gfab_operator_is_chained(options->combines), all = options->combines == GFAB_OPERATOR_ALL;
    const bool words = options->word_streams, narrow = !options->wide && !words;
    return GFAB_HAS_IF(WIDE, options->wide) | GFAB_HAS_IF(NARROW, narrow) | GFAB_HAS_IF(WORD_STREAMS, words) |
           GFAB_HAS_IF(HALF_DUPLEX, !options->full_duplex && !options->paths) | GFAB_HAS_IF(PATHS, options->paths) |
           GFAB_HAS_IF(PARTS, options->parts > 1) | GFAB_HAS_IF(PROTECTION, options->protect != GFAB_PROTECT_NONE) |
           GFAB_HAS_IF(BLOCKS, options->blocks) | GFAB_HAS_IF(COMBINING, combines) |
           GFAB_HAS_IF(COMPARING, gfab_operator_compares(options->combines) || all) | GFAB_HAS_IF(CHOICE, all) |
           GFAB_HAS_IF(CHAINED, chained) | GFAB_HAS_IF(SHARED, options->frame != GFAB_FRAME_ABSOLUTE) |
           GFAB_HAS_IF(ROTATED, options->frame == GFAB_FRAME_ROTATED) |
           GFAB_HAS_IF(RELAYS, gfab_topology_has_relays(topology)) |
           GFAB_HAS_IF(SWITCHES, gfab_topology_marks(topology) & GFAB_MARK_SWITCHES) |
           GFAB_HAS_IF(WEIGHTS, gfab_topology_marks(topology) & (GFAB_MARK_WEIGHTS | GFAB_MARK_PARALLEL)) |
           GFAB_HAS_IF(STREAMS, options->streams && !words) | GFAB_HAS_IF(NARROW_COMBINING, narrow && combines) |
           GFAB_HAS_IF(WIDE_BLOCKS, options->wide && options->blocks);
}

gfab_features gfab_layout_features(const gfab_layout *layout)
{
    return gfab_layout_options_features(layout->topology, &layout->options);
}

static gfab_status check_blocks(const gfab_layout_options *options, gfab_diag *diag)
{
    if (gfab_operator_is_of_words(options->combines) && !options->word_streams)
        return GFAB_REFUSE(diag,
                           "operator %s: nodes of streams of a word a cycle alone have it; give --stream --store wide",
                           gfab_operator_name(options->combines));
    if (options->word_streams && !options->full_duplex)
        return gfab_fail(
            diag, 0, GFAB_ERR_UNSUPPORTED,
            "streams of a word a cycle: a host gives and takes over its link at once, so that the schedule "
            "is one for full duplex");
    if (options->combines == GFAB_OPERATOR_USER && options->word_streams)
        return gfab_fail(
            diag, 0, GFAB_ERR_UNSUPPORTED,
            "operator user: what is on its way through a module of yours could not stand still, as it does "
            "in streams of a word a cycle; leave --stream out");
    if (options->combines != GFAB_OPERATOR_NONE && options->blocks == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "operator %s: an all-gather combines nothing",
                         gfab_operator_name(options->combines));
    if (options->blocks > INT32_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u blocks: at most %u", (unsigned)options->blocks,
                         (unsigned)INT32_MAX);
    return GFAB_OK;
}

static gfab_status check_options(const gfab_topology *topology, const gfab_layout_options *options, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_TRY(gfab_features_check(gfab_layout_options_features(topology, options), diag));
    if (gfab_topology_has_weights(topology))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a fabric has links of weight 1: those of gfab_topology_split");
    if (gfab_topology_has_relays(topology) && !options->blocks)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a fabric with relays has slots for blocks, not 0");
    if (options->alike && (options->frame != GFAB_FRAME_RELATIVE || options->paths))
        return GFAB_REFUSE(diag, "alike: for frame relative without paths");
    if (options->parts == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "parts must be at least 1");
    if (options->parts > INT32_MAX / nodes)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "parts %u of %zu tokens: at most %u in all", (unsigned)options->parts,
                         nodes, (unsigned)INT32_MAX);
    GFAB_TRY(check_blocks(options, diag));
    return gfab_frame_check(options->frame, topology, diag);
}

gfab_layout_options gfab_layout_options_default(void)
{
    return (gfab_layout_options){.parts = 1, .frame = GFAB_FRAME_ABSOLUTE};
}

gfab_status gfab_layout_create(const gfab_topology *topology, const gfab_layout_options *options, gfab_layout **layout,
                               gfab_diag *diag)
{
    const gfab_layout_options defaults = gfab_layout_options_default();
    const gfab_layout_options *o = options ? options : &defaults;
    GFAB_TRY(check_options(topology, o, diag));
    const size_t nodes = gfab_topology_node_count(topology);
    const size_t lanes = gfab_topology_max_degree(topology);
    gfab_layout *s = calloc(1, sizeof *s);
    GFAB_FREED uint32_t *end_lane = calloc(2 * gfab_topology_link_count(topology), sizeof *end_lane);
    if (s && nodes <= SIZE_MAX / (lanes + 1) / sizeof *s->lane) {
        s->topology = topology;
        s->options = *o;
        s->options.full_duplex = o->full_duplex || o->paths;
        s->lanes = lanes;
        s->lane = gfab_arena_zeroed2(&s->arena, nodes, lanes, sizeof *s->lane);
        s->port = gfab_arena_zeroed2(&s->arena, nodes, lanes, sizeof *s->port);
        s->skew = calloc(nodes, sizeof *s->skew);
        s->relay_slots = gfab_arena_zeroed(&s->arena, nodes, sizeof *s->relay_slots);
    }
    bool ok = s && !s->arena.failed && s->skew && end_lane;
    if (ok && (o->wide || o->word_streams))
        fill_directions(s, end_lane);
    else if (ok)
        ok = fill_turns(s, end_lane) == GFAB_OK;
    if (ok)
        fill_tables(s, end_lane);
    if (ok && o->alike)
        ok = find_kinds(s);
    if (ok)
        *layout = s;
    else
        gfab_layout_destroy(s);
    return ok ? GFAB_OK : gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
}

void gfab_layout_destroy(gfab_layout *layout)
{
    if (!layout)
        return;
    gfab_arena_release(&layout->arena);
    GFAB_FREE(layout->skew, layout);
}

GFAB_TELLS(const gfab_topology *, gfab_layout_topology, gfab_layout, topology)
GFAB_TELLS(size_t, gfab_layout_lane_count, gfab_layout, lanes)

uint32_t gfab_layout_lane(const gfab_layout *layout, size_t node, size_t port)
{
    return layout->lane[node * layout->lanes + port];
}

uint32_t gfab_layout_port(const gfab_layout *layout, size_t node, size_t lane)
{
    return layout->port[node * layout->lanes + lane];
}

uint32_t gfab_layout_skew(const gfab_layout *layout, size_t node)
{
    return layout->skew[node];
}

GFAB_TELLS(bool, gfab_layout_any_skew, gfab_layout, any_skew)

size_t gfab_layout_kind_count(const gfab_layout *layout)
{
    return layout->kind ? layout->kinds : gfab_topology_node_count(layout->topology);
}

size_t gfab_layout_kind(const gfab_layout *layout, size_t node)
{
    return layout->kind ? layout->kind[node] : node;
}

size_t gfab_layout_kind_node(const gfab_layout *layout, size_t kind)
{
    return layout->kind ? layout->kind_node[kind] : kind;
}

GFAB_TELLS(bool, gfab_layout_alike, gfab_layout, kind)
GFAB_TELLS(bool, gfab_layout_wide, gfab_layout, options.wide)
GFAB_TELLS(bool, gfab_layout_full_duplex, gfab_layout, options.full_duplex)
GFAB_TELLS(bool, gfab_layout_paths, gfab_layout, options.paths)

uint32_t gfab_layout_halves(const gfab_layout *layout)
{
    return layout->options.full_duplex ? 2 : 1;
}

GFAB_TELLS(uint32_t, gfab_layout_parts, gfab_layout, options.parts)
GFAB_TELLS(uint32_t, gfab_layout_blocks, gfab_layout, options.blocks)
GFAB_TELLS(bool, gfab_layout_streams, gfab_layout, options.streams)
GFAB_TELLS(bool, gfab_layout_word_streams, gfab_layout, options.word_streams)
GFAB_TELLS(bool, gfab_layout_alternates, gfab_layout, options.alternates)
GFAB_TELLS(gfab_operator, gfab_layout_operator, gfab_layout, options.combines)

bool gfab_layout_combines(const gfab_layout *layout)
{
    return layout->options.combines != GFAB_OPERATOR_NONE;
}

size_t gfab_layout_slot_count(const gfab_layout *layout)
{
    if (layout->places)
        return layout->slots;
    if (layout->options.blocks)
        return layout->options.blocks;
    return gfab_topology_node_count(layout->topology) * layout->options.parts;
}

const char *gfab_frame_name(gfab_frame frame)
{
    static const char *const names[] = {"absolute", "relative", "rotated", "auto"};
    return GFAB_NAME_OF(names, frame);
}

gfab_status gfab_frame_check(gfab_frame frame, const gfab_topology *topology, gfab_diag *diag)
{
    if (frame == GFAB_FRAME_AUTO)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "frame auto: a layout has one of the frames");
    if (frame == GFAB_FRAME_RELATIVE && gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_TORUS)
        return GFAB_REFUSE(diag, "frame relative: %s is not a torus", gfab_topology_name(topology));
    if (frame == GFAB_FRAME_ROTATED &&
        (gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_MESH || gfab_topology_dimensions(topology) != 2 ||
         gfab_topology_side(topology, 0) != gfab_topology_side(topology, 1)))
        return GFAB_REFUSE(diag, "frame rotated: %s is not a square mesh", gfab_topology_name(topology));
    return GFAB_OK;
}

GFAB_TELLS(gfab_frame, gfab_layout_frame, gfab_layout, options.frame)

const char *gfab_protect_name(gfab_protect protect)
{
    static const char *const names[] = {"none", "detect"};
    return GFAB_NAME_OF(names, protect);
}

GFAB_TELLS(gfab_protect, gfab_layout_protect, gfab_layout, options.protect)

bool gfab_layout_has_checks(const gfab_layout *layout)
{
    return layout->options.protect != GFAB_PROTECT_NONE && !gfab_layout_has_twins(layout);
}

bool gfab_layout_has_twins(const gfab_layout *layout)
{
    const gfab_layout_options *options = &layout->options;
    return options->protect != GFAB_PROTECT_NONE && (options->streams || (options->wide && options->blocks));
}

/* Where quarter turns, clockwise, bring a node of a square mesh; other topologies have no turns. */
static uint32_t turn(const gfab_layout *layout, uint32_t node, uint32_t turns)
{
    if (turns == 0)
        return node;
    const uint32_t side = gfab_topology_side(layout->topology, 0);
    for (; turns > 0; turns--)
        node = node % side * side + (side - 1 - node / side);
    return node;
}

uint32_t gfab_layout_turns(const gfab_layout *layout, size_t node)
{
    uint32_t turns = 0;
    if (layout->options.frame != GFAB_FRAME_ROTATED)
        return 0;
    const uint32_t side = gfab_topology_side(layout->topology, 0);
    for (uint32_t at = (uint32_t)node; turns < 4 && !(at / side < side / 2 && at % side < (side + 1) / 2); turns++)
        at = turn(layout, at, 1);
    return turns % 4; /* 4 for the centre */
}

uint32_t gfab_layout_slot(const gfab_layout *layout, size_t node, uint32_t token)
{
    const uint32_t origin = token / layout->options.parts, part = token % layout->options.parts;
    const uint32_t whole = layout->options.frame == GFAB_FRAME_RELATIVE
                               ? gfab_translate_minus(layout->topology, origin, (uint32_t)node)
                               : turn(layout, origin, gfab_layout_turns(layout, node));
    return whole * layout->options.parts + part;
}

uint32_t gfab_layout_token(const gfab_layout *layout, size_t node, uint32_t slot)
{
    const uint32_t whole = slot / layout->options.parts, part = slot % layout->options.parts;
    const uint32_t origin = layout->options.frame == GFAB_FRAME_RELATIVE
                                ? gfab_translate_plus(layout->topology, whole, (uint32_t)node)
                                : turn(layout, whole, (4 - gfab_layout_turns(layout, node)) % 4);
    return origin * layout->options.parts + part;
}
