/* SPDX-License-Identifier: MIT */
/* Nodes and links: rtl/narrow/gfab_node.v, gfab_lane.v, gfab_store.v. */
#include "cmodel_stream.h"

#include <string.h>

/* Where the word comes from that a lane receives in a round. */
static size_t source_index(const gfab_cmodel *cmodel, uint32_t round, const lane_peer *peer)
{
    if (peer->present && gfab_cmodel_op(cmodel, round, peer->node, peer->lane).kind == GFAB_OP_SEND)
        return gfab_cmodel_sent_index(cmodel, peer->node, peer->lane);
    return gfab_cmodel_zero_index(cmodel);
}

/* The word that a lane receives in a period: what the other end sends, or zeros. */
static const uint8_t *received(const gfab_cmodel *cmodel, size_t period, size_t node, size_t lane)
{
    const lane_peer *peer = &cmodel->peers[node * cmodel->timing.lanes + lane];
    return gfab_cmodel_sent_at(cmodel, period, source_index(cmodel, cmodel->period_round[period], peer));
}

void gfab_cmodel_plan_round(gfab_cmodel *cmodel, uint32_t round)
{
    const uint32_t lanes = cmodel->timing.lanes;
    const size_t token_words = cmodel->timing.words;
    cmodel->plan ^= 1;
    round_plan *plan = &cmodel->plans[cmodel->plan];
    plan->round = round;
    plan->start_cycle = cmodel->cycle;
    memset(plan->send_count, 0, lanes * sizeof *plan->send_count);
    memset(plan->receive_count, 0, (lanes + 1) * sizeof *plan->receive_count);
    for (size_t node = 0; node < cmodel->nodes; node++)
        for (uint32_t lane = 0; lane < lanes; lane++) {
            const gfab_op out = gfab_cmodel_op(cmodel, round, node, lane);
            const gfab_op in = gfab_cmodel_receive_op(cmodel, round, node, lane);
            const lane_peer *peer = &cmodel->peers[node * lanes + lane];
            const size_t slots = node * cmodel->slot_count;
            if (out.kind == GFAB_OP_SEND && peer->present) {
                const access send = {(slots + gfab_cmodel_slot(cmodel, node, out.slot)) * token_words,
                                     gfab_cmodel_sent_index(cmodel, node, lane)};
                plan->sends[lane * cmodel->nodes + plan->send_count[lane]++] = send;
                if (!cmodel->paths)
                    cmodel->use_cycles[peer->arc] += cmodel->timing.cycles_per_round;
            }
            if (in.kind == GFAB_OP_RECV && !cmodel->paths && !cmodel->combines) {
                const access receive = {(slots + gfab_cmodel_slot(cmodel, node, in.slot)) * token_words,
                                        source_index(cmodel, round, peer)};
                const size_t list = peer->skewed ? lanes : lane;
                plan->receives[list * cmodel->nodes + plan->receive_count[list]++] = receive;
            }
        }
}

/* bytes is a constant where it is inlined, so that copying a word is one move. */
static inline void read_stores(const uint8_t *store, uint8_t *sent, const access *list, size_t count, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(sent + list[i].word * bytes, store + list[i].at * bytes, bytes);
}

static inline void write_stores(uint8_t *store, const uint8_t *sent, const access *list, size_t count, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(store + list[i].at * bytes, sent + list[i].word * bytes, bytes);
}

static void read_list(gfab_cmodel *cmodel, size_t period, uint32_t lane)
{
    const round_plan *plan = &cmodel->plans[cmodel->period_plan[period]];
    const access *list = plan->sends + lane * cmodel->nodes;
    const size_t count = plan->send_count[lane];
    const uint8_t *store = cmodel->store + gfab_cmodel_word_of(cmodel, period) * cmodel->word_bytes;
    uint8_t *sent = gfab_cmodel_sent_at(cmodel, period, 0);
    switch (cmodel->word_bytes) {
    case 1:
        read_stores(store, sent, list, count, 1);
        break;
    case 2:
        read_stores(store, sent, list, count, 2);
        break;
    case 4:
        read_stores(store, sent, list, count, 4);
        break;
    case 8:
        read_stores(store, sent, list, count, 8);
        break;
    default:
        read_stores(store, sent, list, count, cmodel->word_bytes);
    }
}

static void write_list(gfab_cmodel *cmodel, size_t period, uint32_t lane)
{
    const round_plan *plan = &cmodel->plans[cmodel->period_plan[period]];
    const access *list = plan->receives + lane * cmodel->nodes;
    const size_t count = plan->receive_count[lane];
    uint8_t *store = cmodel->store + cmodel->period_word[period] * cmodel->word_bytes;
    const uint8_t *sent = gfab_cmodel_sent_at(cmodel, period, 0);
    switch (cmodel->word_bytes) {
    case 1:
        write_stores(store, sent, list, count, 1);
        break;
    case 2:
        write_stores(store, sent, list, count, 2);
        break;
    case 4:
        write_stores(store, sent, list, count, 4);
        break;
    case 8:
        write_stores(store, sent, list, count, 8);
        break;
    default:
        write_stores(store, sent, list, count, cmodel->word_bytes);
    }
}

/* What the word that arrived in the lane of the turn becomes, and what the lane keeps; borrowed until the next of these
 * calls. */
static const uint8_t *combine(const gfab_cmodel *cmodel, size_t node, const turn *then, uint32_t slot,
                              const uint8_t *arrived, combining *state)
{
    const uint32_t word = gfab_cmodel_word_of(cmodel, then->period);
    memcpy(cmodel->combined, gfab_cmodel_store_word(cmodel, node, slot, word), cmodel->word_bytes);
    gfab_cmodel_combine_word(cmodel, then->period, cmodel->combined, arrived, state);
    return cmodel->combined;
}

/* As write_list in a fabric that combines; late: in the nodes whose lane 0 is skewed, else in the others. */
static void write_lane(gfab_cmodel *cmodel, const turn *then, bool late)
{
    const uint32_t round = cmodel->period_round[then->period], word = gfab_cmodel_word_of(cmodel, then->period);
    for (size_t node = 0; node < cmodel->nodes; node++) {
        const size_t index = node * cmodel->timing.lanes + then->lane;
        const gfab_op op = gfab_cmodel_receive_op(cmodel, round, node, then->lane);
        if (cmodel->peers[index].skewed != late || (op.kind != GFAB_OP_RECV && op.kind != GFAB_OP_COMBINE))
            continue;
        const uint8_t *data = received(cmodel, then->period, node, then->lane);
        if (op.kind == GFAB_OP_COMBINE)
            data = combine(cmodel, node, then, op.slot, data, &cmodel->combining[index]);
        memcpy(gfab_cmodel_store_word(cmodel, node, op.slot, word), data, cmodel->word_bytes);
    }
}

/* No word is read in the cycle in which it is written, of those that are looked at: the RAM may give anything for it.
 * The check of images and the proofs of nodes hold programs to that. */
void gfab_cmodel_access_stores(gfab_cmodel *cmodel)
{
    const uint32_t lanes = cmodel->timing.lanes;
    const turn *reading = gfab_cmodel_turn_before(cmodel, 0);
    if (reading)
        read_list(cmodel, reading->period, reading->lane);
    if (cmodel->paths) {
        gfab_cmodel_write_received(cmodel);
        return;
    }
    const turn *writing = gfab_cmodel_turn_before(cmodel, cmodel->write_delay);
    if (writing && cmodel->combines)
        write_lane(cmodel, writing, false);
    else if (writing)
        write_list(cmodel, writing->period, writing->lane);
    const turn *late = cmodel->timing.skewed ? gfab_cmodel_turn_before(cmodel, cmodel->write_delay + lanes) : NULL;
    if (late && late->lane == 0 && cmodel->combines)
        write_lane(cmodel, late, true);
    else if (late && late->lane == 0)
        write_list(cmodel, late->period, lanes);
}

/* The turn whose word an end of the link puts out in this cycle, if it sends, and which flit of it: the window is that
 * of the higher lane. NULL if nothing is. */
static const turn *window(const gfab_cmodel *cmodel, size_t link, uint32_t end, size_t *node, uint32_t *from_lane,
                          uint32_t *flit)
{
    const uint32_t *end_lane = &cmodel->end_lane[2 * link];
    const uint32_t lane = end_lane[0] > end_lane[1] ? end_lane[0] : end_lane[1];
    *node = gfab_topology_link(gfab_layout_topology(cmodel->layout), link).node[end];
    *from_lane = end_lane[end];
    if (cmodel->paths)
        return gfab_cmodel_put_out(cmodel, node, from_lane, flit);
    for (*flit = 0; *flit < cmodel->timing.lanes; ++*flit) {
        const turn *then = gfab_cmodel_turn_before(cmodel, cmodel->out_delay + *flit);
        if (then && then->lane == lane) {
            const gfab_op op = gfab_cmodel_op(cmodel, cmodel->period_round[then->period], *node, *from_lane);
            return op.kind == GFAB_OP_SEND && gfab_cmodel_streams_sends(cmodel, *node, then->period) ? then : NULL;
        }
    }
    return NULL;
}

bool gfab_cmodel_link_drive(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    size_t node;
    uint32_t lane, flit;
    if (cmodel->words)
        return gfab_cmodel_words_end(cmodel, link, end);
    if (cmodel->banks)
        return gfab_cmodel_wide_drive(cmodel, link, end);
    return window(cmodel, link, end, &node, &lane, &flit);
}

void gfab_cmodel_count_uses(gfab_cmodel *cmodel)
{
    for (size_t link = 0; link < cmodel->links; link++)
        for (uint32_t end = 0; end < 2; end++)
            cmodel->use_cycles[2 * link + end] += gfab_cmodel_link_drive(cmodel, link, end);
}

/* Sets in wires what the end puts out. */
static void or_end(const gfab_cmodel *cmodel, size_t link, uint32_t end, uint8_t *wires)
{
    const uint32_t bits = cmodel->timing.link_bits;
    size_t node;
    uint32_t lane, flit;
    if (cmodel->words) {
        const uint8_t *word = gfab_cmodel_words_end(cmodel, link, end);
        if (word)
            memcpy(wires, word, cmodel->flit_bytes);
        return;
    }
    if (cmodel->banks) {
        gfab_cmodel_wide_or_end(cmodel, link, end, wires);
        return;
    }
    const turn *then = window(cmodel, link, end, &node, &lane, &flit);
    if (!then)
        return;
    if (cmodel->combines && gfab_cmodel_sends_top_first(cmodel))
        flit = cmodel->timing.lanes - 1 - flit;
    gfab_cmodel_or_bits(wires, 0, gfab_cmodel_sent_word(cmodel, then->period, node, lane), (size_t)flit * bits, bits);
    const uint32_t top =
        cmodel->combines ? gfab_cmodel_top_bit(cmodel, gfab_cmodel_word_of(cmodel, then->period)) : UINT32_MAX;
    if (top != UINT32_MAX && top / bits == flit)
        wires[top % bits / 8] ^= (uint8_t)(1u << top % bits % 8);
}

const uint8_t *gfab_cmodel_end_data(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    const size_t wire = 2 * (link % cmodel->links) + end; /* hosts' further words have links behind these */
    uint8_t *wires = cmodel->wires + wire * cmodel->flit_bytes;
    memset(wires, 0, cmodel->flit_bytes);
    or_end(cmodel, link, end, wires);
    return wires;
}

const uint8_t *gfab_cmodel_link_data(const gfab_cmodel *cmodel, size_t link)
{
    uint8_t *wires = cmodel->wires + (2 * cmodel->links + link) * cmodel->flit_bytes;
    memset(wires, 0, cmodel->flit_bytes);
    for (uint32_t end = 0; end < 2; end++)
        or_end(cmodel, link, end, wires);
    return wires;
}

bool gfab_cmodel_write(const gfab_cmodel *cmodel, size_t node, uint32_t *slot, uint32_t *word, const uint8_t **data)
{
    const uint32_t lanes = cmodel->timing.lanes;
    if (cmodel->paths)
        return gfab_cmodel_received_over_path(cmodel, node, slot, word, data);
    if (cmodel->streams && !gfab_topology_is_relay(gfab_layout_topology(cmodel->layout), node))
        return false; /* a host keeps nothing */
    const bool skewed = cmodel->peers[node * lanes].skewed;
    for (int late = 0; late <= (int)skewed; late++) {
        const turn *then = gfab_cmodel_turn_before(cmodel, cmodel->write_delay + (late ? lanes : 0));
        if (!then || (skewed && (then->lane == 0) != late))
            continue;
        const gfab_op op = gfab_cmodel_receive_op(cmodel, cmodel->period_round[then->period], node, then->lane);
        if (op.kind != GFAB_OP_RECV && op.kind != GFAB_OP_COMBINE)
            continue;
        *slot = op.slot;
        *word = gfab_cmodel_word_of(cmodel, then->period);
        *data = received(cmodel, then->period, node, then->lane);
        if (op.kind == GFAB_OP_COMBINE) {
            combining state = cmodel->combining[node * lanes + then->lane];
            *data = combine(cmodel, node, then, op.slot, *data, &state);
        }
        return true;
    }
    return false;
}
