/* SPDX-License-Identifier: MIT */
/* Plans a ring fabric: which rings, how nodes are numbered, what a token's words are, how long a run takes.
 *
 * If every node numbers what it has by its distance along a ring, all nodes do the same in every cycle, so that one
 * counter serves them all (Patarasuk & Yuan 2009 have the way of the blocks). What is ours: nodes are numbered along
 * ring 0, so that a host's token is found by one subtraction; the parts of all rings stand side by side in one word. */
#include "base/bits.h"

#include <gossipfab/fabric/ring.h>
#include <gossipfab/topology/rings.h>

#include <stdlib.h>
#include <string.h>

#define MOST_ADDRESS_BITS 24 /* of rtl/narrow/gfab_store.v */
#define MOST_NODES 65535u    /* a row of the RTL's tables has 16 bits */

/* Is every odd ring the one before it, backwards? */
static bool come_in_pairs(const gfab_rings *rings)
{
    const uint32_t nodes = rings->nodes;
    for (uint32_t ring = 1; ring < rings->count; ring += 2) {
        const uint32_t *there = rings->node + (size_t)(ring - 1) * nodes, *back = there + nodes;
        for (uint32_t k = 0; k < nodes; k++)
            if (back[k] != there[(nodes - k) % nodes])
                return false;
    }
    return rings->count % 2 == 0;
}

/* The tables. `number` is room for one a node. */
static void wire(gfab_ring_fabric *fabric, const gfab_rings *rings, uint32_t *number)
{
    const uint32_t nodes = fabric->nodes;
    memcpy(fabric->order, rings->node, nodes * sizeof *fabric->order);
    for (uint32_t k = 0; k < nodes; k++)
        number[fabric->order[k]] = k;
    for (uint32_t ring = 0; ring < rings->count; ring++) {
        const uint32_t *node = rings->node + (size_t)ring * nodes;
        for (uint32_t k = 0; k < nodes; k++) {
            fabric->from[(size_t)ring * nodes + number[node[(k + 1) % nodes]]] = number[node[k]];
            if (!fabric->both)
                fabric->place[(size_t)ring * nodes + number[node[k]]] = k;
            else if (ring % 2 == 0)
                fabric->place[(size_t)(ring / 2) * nodes + number[node[k]]] = k;
        }
    }
}

static gfab_status take_rings(gfab_ring_fabric *fabric, const gfab_rings *rings)
{
    fabric->rings = rings->count;
    fabric->both = come_in_pairs(rings);
    fabric->cycles = fabric->both ? rings->count / 2 : rings->count;
    fabric->how = rings->how;
    fabric->order = malloc(fabric->nodes * sizeof *fabric->order);
    fabric->from = malloc((size_t)fabric->rings * fabric->nodes * sizeof *fabric->from);
    fabric->place = malloc((size_t)fabric->cycles * fabric->nodes * sizeof *fabric->place);
    uint32_t *number = malloc(fabric->nodes * sizeof *number);
    const bool good = fabric->order && fabric->from && fabric->place && number;
    if (good)
        wire(fabric, rings, number);
    free(number);
    return good ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* Words, hops and cycles. */
static void measure(gfab_ring_fabric *fabric)
{
    const uint32_t nodes = fabric->nodes, rings = fabric->rings;
    fabric->flits = fabric->token_bits / fabric->link_bits;
    fabric->words = (fabric->flits + rings - 1) / rings;
    fabric->padding = rings * fabric->words - fabric->flits;
    fabric->shifts = fabric->words == 1;
    fabric->registered = fabric->words > 2;
    fabric->hop_cycles = fabric->shifts ? 1 : fabric->registered ? 3 : 2;
    fabric->overhead_cycles = fabric->registered ? 3 : 2;
    fabric->run_cycles = (uint64_t)(nodes - 1) * fabric->words + fabric->overhead_cycles;
    fabric->load_cycles = fabric->words;
    fabric->read_cycles = (uint64_t)nodes * fabric->flits;
    fabric->place_bits = gfab_bits_for(nodes);
    fabric->word_bits = gfab_bits_for(fabric->words);
    const uint32_t word = fabric->words > 1 ? fabric->word_bits : 0, ring = rings > 1 ? gfab_bits_for(rings) : 0;
    fabric->number_bits = word + ring ? word + ring : 1;
    fabric->address_bits = fabric->place_bits + word;
}

static gfab_status check_widths(const gfab_ring_options *options, gfab_diag *diag)
{
    if (options->token_bits == 0 || options->link_bits == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "tokens and links have 1 bit or more");
    if (options->token_bits % options->link_bits != 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link width of %u bits does not divide the token width of %u",
                         options->link_bits, options->token_bits);
    return GFAB_OK;
}

gfab_status gfab_ring_fabric_plan(const gfab_topology *topology, const gfab_ring_options *options,
                                  gfab_ring_fabric *fabric, gfab_diag *diag)
{
    gfab_rings rings;
    const gfab_rings_options finding = {.one_way = !options->full_duplex, .progress = options->progress};
    const gfab_features asked = GFAB_HAS(RING) | options->others | GFAB_HAS_IF(HALF_DUPLEX, !options->full_duplex) |
                                GFAB_HAS_IF(RELAYS, gfab_topology_has_relays(topology)) |
                                GFAB_HAS_IF(WEIGHTS, gfab_topology_has_weights(topology));
    *fabric = (gfab_ring_fabric){.topology = topology,
                                 .nodes = (uint32_t)gfab_topology_node_count(topology),
                                 .token_bits = options->token_bits,
                                 .link_bits = options->link_bits,
                                 .full_duplex = options->full_duplex};
    gfab_status status = gfab_features_check(asked, diag);
    if (!status)
        status = check_widths(options, diag);
    if (!status && gfab_topology_node_count(topology) > MOST_NODES)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a ring fabric has at most %u nodes, not %zu", MOST_NODES,
                           gfab_topology_node_count(topology));
    if (!status)
        status = gfab_rings_find(topology, &finding, &rings, diag);
    if (status)
        return status;
    status = gfab_rings_check(topology, &rings, finding.one_way, diag);
    if (!status && (status = take_rings(fabric, &rings)))
        gfab_fail(diag, 0, status, "out of memory for the rings of %u nodes", fabric->nodes);
    gfab_rings_release(&rings);
    if (!status)
        measure(fabric);
    if (!status && fabric->address_bits > MOST_ADDRESS_BITS)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a store of %u nodes' tokens of %u words is too large",
                           fabric->nodes, fabric->words);
    if (status)
        gfab_ring_fabric_release(fabric);
    return status;
}

void gfab_ring_fabric_release(gfab_ring_fabric *fabric)
{
    free(fabric->order);
    free(fabric->from);
    free(fabric->place);
    fabric->order = fabric->from = fabric->place = NULL;
}
