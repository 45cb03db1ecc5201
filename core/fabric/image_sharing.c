/* SPDX-License-Identifier: MIT */
/* Which nodes have the same program. */
#include "image_internal.h"

#include <string.h>

/* A node's ROM, to be sorted by content, then by node. In the rotated frame the content is that of its lanes in rising
 * order of theirs, so that it is the same for nodes that differ in the order of lanes alone. */
typedef struct rom {
    const gfab_image *image;
    uint32_t node;
    const uint32_t *order; /* [rank]: lane */
} rom;

/* Compares `count` lanes of a node with as many of another, round by round. */
static int compare_lanes(const gfab_image *image, uint32_t a, const uint32_t *a_lanes, uint32_t b,
                         const uint32_t *b_lanes, size_t count)
{
    for (size_t round = 0; round >> image->round_bits == 0; round++)
        for (size_t i = 0; i < count; i++) {
            const uint64_t x = gfab_image_word(image, a, (round << image->stride_bits) + a_lanes[i]);
            const uint64_t y = gfab_image_word(image, b, (round << image->stride_bits) + b_lanes[i]);
            if (x != y)
                return x < y ? -1 : 1;
        }
    return 0;
}

static int compare_content(const rom *a, const rom *b)
{
    return compare_lanes(a->image, a->node, a->order, b->node, b->order, gfab_layout_lane_count(a->image->layout));
}

static int compare_roms(const void *left, const void *right)
{
    const rom *a = left;
    const rom *b = right;
    const int order = compare_content(a, b);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

/* A node's lanes, in the rotated frame sorted by content, then by number: by insertion, they are few. Not on a torus:
 * programs with their lanes in order have more logic in common than a lane map saves (docs/reference/rom-format.md). */
static void order_lanes(const gfab_image *image, uint32_t node, uint32_t *order)
{
    const bool rotated = gfab_layout_frame(image->layout) == GFAB_FRAME_ROTATED;
    for (size_t lane = 0; lane < gfab_layout_lane_count(image->layout); lane++) {
        const uint32_t own = (uint32_t)lane;
        size_t at = lane;
        for (; rotated && at > 0 && compare_lanes(image, node, &own, node, &order[at - 1], 1) < 0; at--)
            order[at] = order[at - 1];
        order[at] = own;
    }
}

/* Fills program and lanes of the nodes in the sorted ROMs. */
static void share_programs(gfab_sharing *sharing, const rom *roms, size_t count, size_t lane_count)
{
    const uint32_t *first_order = NULL;
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = roms[i].node;
        const bool same = i > 0 && compare_content(&roms[i], &roms[i - 1]) == 0;
        sharing->program[node] = same ? sharing->program[roms[i - 1].node] : node;
        sharing->programs += !same;
        if (!same)
            first_order = roms[i].order;
        for (size_t rank = 0; rank < lane_count; rank++)
            sharing->lanes[node * lane_count + roms[i].order[rank]] = first_order[rank];
    }
}

/* What is known of the first node of each kind holds for all of the kind. */
static void share_kinds(gfab_sharing *sharing, const gfab_layout *layout, size_t nodes, size_t lane_count)
{
    for (size_t node = 0; node < nodes; node++) {
        const size_t first = gfab_layout_kind_node(layout, gfab_layout_kind(layout, node));
        if (first == node)
            continue;
        sharing->program[node] = sharing->program[first];
        memcpy(sharing->lanes + node * lane_count, sharing->lanes + first * lane_count,
               lane_count * sizeof *sharing->lanes);
    }
}

static void share_roms(gfab_sharing *sharing, size_t nodes, size_t lane_count)
{
    const uint32_t *lanes = sharing->lanes;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t other = sharing->program[node];
        while (sharing->program[other] != sharing->program[node] ||
               memcmp(lanes + other * lane_count, lanes + node * lane_count, lane_count * sizeof *lanes) != 0)
            other++;
        sharing->rom[node] = other;
        sharing->roms += other == node;
    }
}

static void share_nothing(gfab_sharing *sharing, size_t nodes, size_t lane_count)
{
    for (uint32_t node = 0; node < nodes; node++) {
        sharing->program[node] = sharing->rom[node] = node;
        for (size_t lane = 0; lane < lane_count; lane++)
            sharing->lanes[node * lane_count + lane] = (uint32_t)lane;
    }
    sharing->programs = sharing->roms = nodes;
}

static gfab_status share(const gfab_image *image, gfab_sharing *sharing)
{
    const size_t lane_count = gfab_layout_lane_count(image->layout);
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(image->layout));
    GFAB_FREED rom *roms = malloc(word_array_product(image->kinds, sizeof *roms));
    GFAB_FREED uint32_t *orders = malloc(word_array_product(image->kinds, lane_count * sizeof *orders));
    if (roms && orders) {
        for (size_t kind = 0; kind < image->kinds; kind++) {
            const uint32_t node = (uint32_t)gfab_layout_kind_node(image->layout, kind);
            order_lanes(image, node, orders + kind * lane_count);
            roms[kind] = (rom){image, node, orders + kind * lane_count};
        }
        qsort(roms, image->kinds, sizeof *roms, compare_roms);
        share_programs(sharing, roms, image->kinds, lane_count);
        share_kinds(sharing, image->layout, nodes, lane_count);
        share_roms(sharing, nodes, lane_count);
    }
    const bool ok = roms && orders;
    return ok ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_sharing_create(const gfab_image *image, gfab_sharing **sharing)
{
    const size_t lane_count = gfab_layout_lane_count(image->layout);
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(image->layout));
    gfab_sharing *result = calloc(1, sizeof *result);
    gfab_status status = GFAB_ERR_NO_MEMORY;
    if (result) {
        result->program = malloc(word_array_product(nodes, sizeof *result->program));
        result->rom = malloc(word_array_product(nodes, sizeof *result->rom));
        result->lanes = malloc(word_array_product(nodes, lane_count * sizeof *result->lanes));
    }
    if (result && result->program && result->rom && result->lanes) {
        status = GFAB_OK;
        if (gfab_layout_frame(image->layout) == GFAB_FRAME_ABSOLUTE)
            share_nothing(result, nodes, lane_count);
        else
            status = share(image, result);
    }
    return GFAB_HAND_OVER(status, result, gfab_sharing_destroy, sharing);
}

void gfab_sharing_destroy(gfab_sharing *sharing)
{
    if (!sharing)
        return;
    GFAB_FREE(sharing->program, sharing->lanes, sharing->rom, sharing);
}
