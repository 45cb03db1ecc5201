/* SPDX-License-Identifier: MIT */
/* A fabric on several chips: which nodes and links are on one, and whether the links between them can be turned round.
 * docs/reference/fabric-timing.md, "Links between chips". */
#include "gen.h"

#include <inttypes.h>

#define LEAST_LATENCY 2u /* of a link between chips: a register in each pad */

bool gfab_gen_has_node(const gfab_gen *gen, size_t node)
{
    return gen->chip == GFAB_GEN_WHOLE || gen->options->chips[node] == gen->chip;
}

void gfab_gen_link_lanes(const gfab_gen *gen, size_t link, uint32_t lane[2])
{
    const gfab_link ends = gfab_topology_link(gen->topology, link);
    for (int end = 0; end < 2; end++)
        lane[end] =
            gfab_layout_lane(gen->layout, ends.node[end], gfab_topology_port_of(gen->topology, ends.node[end], link));
}

/* Counts the cycles from each round in which one end sends to the next in which the other does: idle rounds and gaps.
 * Twice through the program, as the next gossip may start as soon as one is done: then c cycles more lie between. */
static gfab_status check_turns(const gfab_gen *gen, size_t link, gfab_diag *diag)
{
    const gfab_link ends = gfab_topology_link(gen->topology, link);
    const uint64_t needed = 2 * (uint64_t)gen->timing->latency_cycles;
    uint64_t dead = 0;
    uint32_t lane[2], last = 2; /* the end that sent; 2: none yet */
    gfab_gen_link_lanes(gen, link, lane);
    for (int gossip = 0; gossip < 2; gossip++) {
        for (uint32_t round = 1; round <= gen->rounds; round++) {
            uint32_t sender = 2;
            for (uint32_t end = 0; end < 2; end++)
                if (gfab_image_op(gen->image, ends.node[end], round, lane[end], 0).kind == GFAB_OP_SEND)
                    sender = end;
            if (sender != 2 && last != 2 && sender != last && dead < needed)
                return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                                 "round %" PRIu32 ": the link of nodes %" PRIu32 " and %" PRIu32
                                 ", which are on different chips, is turned round after %" PRIu64
                                 " dead cycles, not 2 x %" PRIu32 " or more; a gap of %" PRIu64 " cycles will do",
                                 round, ends.node[0], ends.node[1], dead, gen->timing->latency_cycles, needed);
            if (sender != 2) {
                last = sender;
                dead = 0;
            } else {
                dead += gen->timing->cycles_per_round;
            }
            dead += gfab_image_gap(gen->image, round);
        }
        dead += gen->timing->overhead_cycles;
    }
    return GFAB_OK;
}

gfab_status gfab_gen_check_chips(const gfab_gen *gen, gfab_diag *diag)
{
    const gfab_fabric_options *options = gen->options;
    if (gen->timing->latency_cycles < LEAST_LATENCY && !options->own_clocks)
        return gfab_fail(
            diag, 0, GFAB_ERR_INVALID,
            "links between chips have a register in each pad: a latency of %u cycles or more, not %" PRIu32,
            LEAST_LATENCY, gen->timing->latency_cycles);
    if (options->chip_count < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "chips: two or more, not %" PRIu32, options->chip_count);
    for (size_t node = 0; node < gen->nodes; node++)
        if (options->chips[node] >= options->chip_count)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %zu is on chip %" PRIu32 ", and there are %" PRIu32, node,
                             options->chips[node], options->chip_count);
    for (uint32_t chip = 0; chip < options->chip_count; chip++) {
        size_t node = 0;
        while (node < gen->nodes && options->chips[node] != chip)
            node++;
        if (node == gen->nodes)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "chip %" PRIu32 " has no nodes", chip);
    }
    const bool turns = !gen->full && !options->own_clocks; /* with pads for each way nothing is turned round */
    for (size_t link = 0; link < gen->links && turns; link++) {
        const gfab_link ends = gfab_topology_link(gen->topology, link);
        const gfab_status status =
            options->chips[ends.node[0]] != options->chips[ends.node[1]] ? check_turns(gen, link, diag) : GFAB_OK;
        if (status)
            return status;
    }
    return GFAB_OK;
}

/* Links between chips, of the whole fabric. */
static bool is_between(const gfab_gen *gen, size_t link)
{
    const gfab_link ends = gfab_topology_link(gen->topology, link);
    return gen->options->chips && gen->options->chips[ends.node[0]] != gen->options->chips[ends.node[1]];
}

size_t gfab_gen_count_between(const gfab_gen *gen)
{
    size_t count = 0;
    for (size_t link = 0; link < gen->links; link++)
        count += is_between(gen, link);
    return count;
}

static size_t nth_between(const gfab_gen *gen, size_t item)
{
    size_t link = 0;
    while (!is_between(gen, link) || item-- > 0)
        link++;
    return link;
}

static void write_between(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%zu", nth_between(gen, item));
}

static void write_between_node0(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gfab_topology_link(gen->topology, nth_between(gen, item)).node[0]);
}

static void write_between_node1(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gfab_topology_link(gen->topology, nth_between(gen, item)).node[1]);
}

const gfab_gen_field gfab_gen_between_fields[] = {
    {"LINK", write_between}, {"NODE0", write_between_node0}, {"NODE1", write_between_node1}, {NULL, NULL}};
