/* SPDX-License-Identifier: MIT */
/* Plans a ring fabric: which rings, how nodes are numbered, what a token's words are, how long a run takes.
 *
 * If every node numbers what it has by its distance along a ring, all nodes do the same in every cycle, so that one
 * counter serves them all (Patarasuk & Yuan 2009 have the way of the blocks). What is ours: nodes are numbered along
 * ring 0, so that a host's token is found by one subtraction; the parts of all rings stand side by side in one word.
 * Where blocks are combined they go around whole, since a sum must not be cut; a block's home on an all-reduce's ring
 * is a place, which needs no table. */
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
    GFAB_FREED uint32_t *number = malloc(fabric->nodes * sizeof *number);
    const bool good = fabric->order && fabric->from && fabric->place && number;
    if (good)
        wire(fabric, rings, number);
    return good ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static uint32_t part_bits(uint32_t count)
{
    return count > 1 ? gfab_bits_for(count) : 0;
}

/* Words, hops and cycles of an all-gather. */
static void measure_gather(gfab_ring_fabric *fabric)
{
    const uint32_t rings = fabric->rings, length = fabric->nodes / fabric->abreast;
    fabric->words = (fabric->flits + rings - 1) / rings;
    fabric->padding = rings * fabric->words - fabric->flits;
    fabric->shifts = fabric->words == 1 && !fabric->protect;
    fabric->registered = fabric->words > 2 || fabric->protect;
    fabric->hop_cycles = fabric->shifts ? 1 : fabric->registered ? 3 : 2;
    fabric->overhead_cycles = fabric->registered ? 3 : 2;
    fabric->step_cycles = fabric->words > fabric->hop_cycles ? fabric->words : fabric->hop_cycles;
    fabric->read_wait = 2 + fabric->protect;
    if (fabric->protect) { /* one for 4 bits, as far as there is room: RAMs are 16 bits wide */
        const uint32_t bits = rings * fabric->flit_width, room = 16 - bits % 16, wanted = (bits + 3) / 4;
        fabric->check_bits = wanted < room ? wanted : room;
    }
    fabric->steps = length - 1;
    fabric->step_bits = gfab_bits_for(length);
    fabric->run_cycles = (uint64_t)fabric->steps * fabric->step_cycles + fabric->overhead_cycles;
    fabric->load_cycles = fabric->words;
    fabric->read_cycles = (uint64_t)fabric->nodes * fabric->flits;
    const uint32_t word = part_bits(fabric->words);
    fabric->number_bits = word + fabric->ring_bits ? word + fabric->ring_bits : 1;
    fabric->address_bits = fabric->step_bits + word;
}

/* Rounds, pieces and cycles where blocks are combined. */
static void measure_reduce(gfab_ring_fabric *fabric)
{
    const uint32_t nodes = fabric->nodes, rings = fabric->rings, turn = nodes * rings;
    const bool all = fabric->collective == GFAB_ALL_REDUCE;
    if (fabric->blocks == 0)
        fabric->blocks = turn;
    fabric->words = fabric->flits;
    fabric->rounds = fabric->blocks / turn + (fabric->blocks % turn != 0);
    fabric->padding_blocks = fabric->rounds * turn - fabric->blocks;
    fabric->steps = all ? 2 * nodes : nodes + 1;
    const bool whole = fabric->flits > 1 || fabric->combines != GFAB_OPERATOR_SUM;
    fabric->part_bits = whole ? fabric->link_bits : GFAB_RING_PART_BITS;
    fabric->pieces = whole ? 1 : (fabric->link_bits + GFAB_RING_PIECE_BITS - 1) / GFAB_RING_PIECE_BITS;
    fabric->hop_cycles = fabric->flits;
    fabric->read_wait = 2;
    fabric->overhead_cycles = 2 + fabric->pieces;
    fabric->run_cycles = (uint64_t)fabric->rounds * fabric->steps * fabric->flits + fabric->overhead_cycles;
    fabric->load_cycles = (uint64_t)fabric->blocks * fabric->flits;
    fabric->read_cycles = all ? fabric->load_cycles : fabric->load_cycles / nodes;
    fabric->round_bits = part_bits(fabric->rounds);
    fabric->flit_bits = part_bits(fabric->flits);
    fabric->number_bits = gfab_bits_for(fabric->flits);
    fabric->block_bits = fabric->place_bits + fabric->round_bits + fabric->ring_bits;
    fabric->address_bits = fabric->place_bits + fabric->round_bits + fabric->flit_bits;
}

static void measure(gfab_ring_fabric *fabric)
{
    fabric->flit_width = fabric->link_bits / fabric->abreast;
    fabric->flits = fabric->token_bits / fabric->flit_width;
    fabric->place_bits = gfab_bits_for(fabric->nodes);
    fabric->ring_bits = part_bits(fabric->rings);
    if (fabric->collective == GFAB_ALL_GATHER)
        measure_gather(fabric);
    else
        measure_reduce(fabric);
    fabric->word_bits = gfab_bits_for(fabric->words);
}

static gfab_status check_widths(const gfab_ring_options *options, gfab_diag *diag)
{
    if (options->token_bits == 0 || options->link_bits == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "tokens and links have 1 bit or more");
    if (options->link_bits > options->token_bits && options->link_bits % options->token_bits == 0 &&
        options->collective == GFAB_ALL_GATHER)
        return GFAB_OK;
    if (options->token_bits % options->link_bits != 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link width of %u bits does not divide the token width of %u",
                         options->link_bits, options->token_bits);
    return GFAB_OK;
}

/* What is combined, where anything is. */
static gfab_status check_operator(const gfab_ring_options *options, gfab_diag *diag)
{
    const uint32_t flits = options->token_bits / options->link_bits;
    const char *name = gfab_operator_name(options->combines);
    if (options->collective == GFAB_ALL_GATHER)
        return GFAB_OK;
    if (options->collective != GFAB_ALL_REDUCE && options->collective != GFAB_REDUCE_SCATTER)
        return gfab_fail(
            diag, 0, GFAB_ERR_UNSUPPORTED,
            "%s: a ring fabric does an all-gather, an all-reduce or a reduce-scatter; give one of these, or "
            "another --store",
            gfab_collective_name(options->collective));
    if (options->combines < GFAB_OPERATOR_SUM || options->combines > GFAB_OPERATOR_UMAX)
        return GFAB_REFUSE(diag,
                           "operator %s: a ring fabric combines in one cycle; give sum, and, or, xor, min, max, umin "
                           "or umax, or another --store",
                           name);
    if (options->combines >= GFAB_OPERATOR_MIN && flits > 1)
        return GFAB_REFUSE(diag, "operator %s: a ring fabric compares whole blocks; give --link-bits %u", name,
                           options->token_bits);
    if ((options->combines != GFAB_OPERATOR_SUM || flits > 1) && options->link_bits > 64)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "a ring fabric combines flits of at most 64 bits, or sums of whole blocks; not %u",
                         options->link_bits);
    return GFAB_OK;
}

/* The chords of tokens side by side: along the nodes in their order, from each to those j N / K on. */
static bool has_chords(const gfab_ring_fabric *fabric)
{
    const uint32_t nodes = fabric->nodes, length = nodes / fabric->abreast;
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t step = 0; step < nodes; step += length) {
            gfab_arc arc;
            if (!gfab_topology_find_arc(fabric->topology, v, (v + (step ? step : 1)) % nodes, &arc))
                return false;
        }
    return true;
}

/* The ring of tokens side by side. */
static gfab_status find_flows(const gfab_ring_fabric *fabric, gfab_rings *rings, gfab_diag *diag)
{
    const uint32_t nodes = fabric->nodes, many = fabric->abreast;
    if (nodes < 3 || nodes % many != 0 || nodes == many)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "links of %u bits carry %u tokens of %u side by side, and a ring of %u nodes has no %u parts "
                         "of 2 or more nodes; give --link-bits %u, or a part of it",
                         fabric->link_bits, many, fabric->token_bits, nodes, many, fabric->token_bits);
    if (!fabric->full_duplex)
        return GFAB_REFUSE(diag, "%u tokens side by side start over chords, which go both ways; give --link-mode full",
                           many);
    if (fabric->protect)
        return GFAB_REFUSE(diag,
                           "%u tokens side by side have no check bits; give --link-bits %u, or leave --protect out",
                           many, fabric->token_bits);
    if (!has_chords(fabric))
        return GFAB_REFUSE(diag,
                           "%u tokens side by side need links between nodes 1 and every multiple of %u apart, as "
                           "circulant:%u,1,%u%s has them; or give --link-bits %u",
                           many, nodes / many, nodes, nodes / many, many > 3 ? ",.." : "", fabric->token_bits);
    *rings = (gfab_rings){.count = 1, .nodes = nodes, .how = "the nodes in their order"};
    rings->node = malloc(nodes * sizeof *rings->node);
    if (!rings->node)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the ring of %u nodes", nodes);
    for (uint32_t v = 0; v < nodes; v++)
        rings->node[v] = v;
    return GFAB_OK;
}

static gfab_status check_size(const gfab_ring_fabric *fabric, gfab_diag *diag)
{
    if (fabric->collective == GFAB_REDUCE_SCATTER && fabric->blocks % fabric->nodes != 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u blocks are no multiple of the %u nodes", fabric->blocks,
                         fabric->nodes);
    if (fabric->address_bits <= MOST_ADDRESS_BITS)
        return GFAB_OK;
    if (fabric->blocks)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a store of %u blocks of %u flits is too large", fabric->blocks,
                         fabric->flits);
    return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a store of %u nodes' tokens of %u words is too large", fabric->nodes,
                     fabric->words);
}

gfab_status gfab_ring_fabric_plan(const gfab_topology *topology, const gfab_ring_options *options,
                                  gfab_ring_fabric *fabric, gfab_diag *diag)
{
    GFAB_AT_END(gfab_rings_release) gfab_rings rings = {0};
    const gfab_rings_options finding = {.one_way = !options->full_duplex, .progress = options->progress};
    const gfab_features asked = GFAB_HAS(RING) | options->others | GFAB_HAS_IF(HALF_DUPLEX, !options->full_duplex) |
                                GFAB_HAS_IF(PROTECTION, options->protect) |
                                GFAB_HAS_IF(RING_COMBINING, options->collective != GFAB_ALL_GATHER) |
                                GFAB_HAS_IF(RELAYS, gfab_topology_has_relays(topology)) |
                                GFAB_HAS_IF(WEIGHTS, gfab_topology_has_weights(topology));
    *fabric = (gfab_ring_fabric){.topology = topology,
                                 .nodes = (uint32_t)gfab_topology_node_count(topology),
                                 .token_bits = options->token_bits,
                                 .link_bits = options->link_bits,
                                 .full_duplex = options->full_duplex,
                                 .collective = options->collective,
                                 .combines = options->combines,
                                 .protect = options->protect,
                                 .blocks = options->collective == GFAB_ALL_GATHER ? 0 : options->blocks};
    gfab_status status = gfab_features_check(asked, diag);
    GFAB_THEN(status, check_widths(options, diag));
    fabric->abreast =
        !status && options->link_bits > options->token_bits ? options->link_bits / options->token_bits : 1;
    GFAB_THEN(status, check_operator(options, diag));
    if (!status && gfab_topology_node_count(topology) > MOST_NODES)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a ring fabric has at most %u nodes, not %zu", MOST_NODES,
                           gfab_topology_node_count(topology));
    if (!status && fabric->abreast > 1)
        status = find_flows(fabric, &rings, diag);
    else if (!status)
        status = gfab_rings_find(topology, &finding, &rings, diag);
    if (status)
        return status;
    status = gfab_rings_check(topology, &rings, finding.one_way, diag);
    if (!status && (status = take_rings(fabric, &rings)))
        gfab_fail(diag, 0, status, "out of memory for the rings of %u nodes", fabric->nodes);
    if (!status) {
        measure(fabric);
        status = check_size(fabric, diag);
    }
    if (status)
        gfab_ring_fabric_release(fabric);
    return status;
}

void gfab_ring_fabric_release(gfab_ring_fabric *fabric)
{
    GFAB_FREE(fabric->order, fabric->from, fabric->place);
    fabric->order = fabric->from = fabric->place = NULL;
}
