/* SPDX-License-Identifier: MIT */
/* Wide nodes and their links: rtl/wide/gfab_wide_node.v, gfab_banks.v. A period is one cycle, in which all lanes have
 * their turn. */
#include "cmodel_state.h"

#include <string.h>

/* What a lane sent in a period. */
static uint8_t *sent_word(const gfab_cmodel *cmodel, size_t period, size_t node, size_t lane)
{
    return cmodel->sent + ((period * cmodel->nodes + node) * cmodel->timing.lanes + lane) * cmodel->word_bytes;
}

static uint8_t *bank_word(const gfab_cmodel *cmodel, size_t node, uint32_t bank, uint32_t address, uint32_t word)
{
    const size_t bank_index = node * gfab_banks_crossbar(cmodel->banks)->banks + bank;
    const size_t token = (bank_index << gfab_banks_address_bits(cmodel->banks)) + address;
    return cmodel->store + (token * cmodel->timing.words + word) * cmodel->word_bytes;
}

uint8_t *gfab_cmodel_wide_store_word(const gfab_cmodel *cmodel, size_t node, uint32_t slot, uint32_t word)
{
    return bank_word(cmodel, node, gfab_banks_bank(cmodel->banks, node, slot),
                     gfab_banks_address(cmodel->banks, node, slot), word);
}

uint8_t *gfab_cmodel_wide_load_word(const gfab_cmodel *cmodel, size_t node, uint32_t word)
{
    const uint32_t index = word / cmodel->timing.words;
    return bank_word(cmodel, node, gfab_banks_load_bank(cmodel->banks, node, index),
                     gfab_banks_load_address(cmodel->banks, node, index), word % cmodel->timing.words);
}

void gfab_cmodel_wide_load(gfab_cmodel *cmodel, size_t node, uint32_t word, const uint8_t *data)
{
    const gfab_crossbar *crossbar = gfab_banks_crossbar(cmodel->banks);
    if (gfab_layout_blocks(cmodel->layout)) {
        memcpy(gfab_cmodel_wide_load_word(cmodel, node, word), data, cmodel->word_bytes);
        return;
    }
    for (uint32_t bank = 0; bank < crossbar->banks; bank++)
        if (gfab_crossbar_holds_own(crossbar, bank))
            memcpy(bank_word(cmodel, node, bank, 0, word), data, cmodel->word_bytes);
}

/* The round of a period, from 1. */
static uint32_t round_of(const gfab_cmodel *cmodel, size_t period)
{
    return cmodel->period_round[period] + 1;
}

static uint32_t bank_sent(const gfab_cmodel *cmodel, size_t period, size_t node, uint32_t lane)
{
    return gfab_banks_send(cmodel->banks, node, round_of(cmodel, period), lane);
}

static void read_banks(gfab_cmodel *cmodel, size_t period)
{
    const uint32_t round = round_of(cmodel, period);
    for (size_t node = 0; node < cmodel->nodes; node++)
        for (uint32_t lane = 0; lane < cmodel->timing.lanes; lane++) {
            const lane_peer *peer = &cmodel->peers[node * cmodel->timing.lanes + lane];
            const uint32_t bank = bank_sent(cmodel, period, node, lane);
            if (bank == GFAB_NO_BANK || !peer->present)
                continue;
            const uint32_t address = gfab_banks_read(cmodel->banks, node, round, bank);
            memcpy(sent_word(cmodel, period, node, lane),
                   bank_word(cmodel, node, bank, address, gfab_cmodel_word_of(cmodel, period)), cmodel->word_bytes);
            cmodel->use_cycles[peer->arc]++;
        }
}

/* What a lane receives in a period: what the other end sends; NULL if that is nothing. */
static const uint8_t *received(const gfab_cmodel *cmodel, size_t period, size_t node, uint32_t lane)
{
    const lane_peer *peer = &cmodel->peers[node * cmodel->timing.lanes + lane];
    if (!peer->present || bank_sent(cmodel, period, peer->node, peer->lane) == GFAB_NO_BANK)
        return NULL;
    return sent_word(cmodel, period, peer->node, peer->lane);
}

/* result OP= more, of a flit. */
static void combine_flit(const gfab_cmodel *cmodel, size_t period, uint8_t *result, const uint8_t *more,
                         combining *state)
{
    if (gfab_operator_is_chained(cmodel->combines))
        cmodel->user_operator(cmodel->user_context, cmodel->timing.link_bits, result, more);
    else
        gfab_cmodel_combine_word(cmodel, period, result, more, state);
}

/* What a bank stores of what it has and what arrives in a period, at `combined`; NULL where it stores nothing. Each
 * operand has a state of its own, as if one were combined after the other; the bank combines all at once. */
static const uint8_t *combined_flit(const gfab_cmodel *cmodel, size_t period, size_t node, uint32_t bank,
                                    combining *states)
{
    const uint32_t round = round_of(cmodel, period), word = gfab_cmodel_word_of(cmodel, period);
    const uint32_t lanes = gfab_banks_lanes(cmodel->banks, node, round, bank);
    const uint32_t old = gfab_banks_old(cmodel->banks, node, round, bank);
    bool begun = old != GFAB_NO_ADDRESS;
    if (lanes == 0)
        return NULL;
    if (begun)
        memcpy(cmodel->combined, bank_word(cmodel, node, bank, old, word), cmodel->word_bytes);
    for (uint32_t lane = 0; lane < cmodel->timing.lanes; lane++) {
        const uint8_t *flit = lanes >> lane & 1 ? received(cmodel, period, node, lane) : NULL;
        if (flit && begun)
            combine_flit(cmodel, period, cmodel->combined, flit, &states[lane]);
        else if (flit)
            memcpy(cmodel->combined, flit, cmodel->word_bytes);
        begun = begun || flit;
    }
    return begun ? cmodel->combined : NULL;
}

static combining *states_of(const gfab_cmodel *cmodel, size_t node, uint32_t bank)
{
    return cmodel->combining + (node * gfab_banks_crossbar(cmodel->banks)->banks + bank) * cmodel->timing.lanes;
}

static void write_banks(gfab_cmodel *cmodel, size_t period)
{
    const uint32_t round = round_of(cmodel, period);
    for (size_t node = 0; node < cmodel->nodes; node++)
        for (uint32_t bank = 0; bank < gfab_banks_crossbar(cmodel->banks)->banks; bank++) {
            const uint8_t *word;
            if (cmodel->combines) {
                word = combined_flit(cmodel, period, node, bank, states_of(cmodel, node, bank));
            } else {
                const uint32_t lane = gfab_banks_store(cmodel->banks, node, round, bank);
                word = lane != GFAB_NO_LANE ? received(cmodel, period, node, lane) : NULL;
            }
            if (word)
                memcpy(bank_word(cmodel, node, bank, round, gfab_cmodel_word_of(cmodel, period)), word,
                       cmodel->word_bytes);
        }
}

/* Reads come first, as in narrow nodes. */
void gfab_cmodel_wide_access(gfab_cmodel *cmodel)
{
    const turn *reading = gfab_cmodel_turn_before(cmodel, 0);
    if (reading)
        read_banks(cmodel, reading->period);
    const turn *writing = gfab_cmodel_turn_before(cmodel, cmodel->write_delay);
    if (writing)
        write_banks(cmodel, writing->period);
}

/* The turn whose flit an end puts out now; NULL if none. */
static const turn *sending(const gfab_cmodel *cmodel, size_t link, uint32_t end, uint32_t cycles_ago)
{
    const turn *then = gfab_cmodel_turn_before(cmodel, cycles_ago);
    const size_t node = gfab_topology_link(gfab_layout_topology(cmodel->layout), link).node[end];
    if (!then || bank_sent(cmodel, then->period, node, cmodel->end_lane[2 * link + end]) == GFAB_NO_BANK)
        return NULL;
    return then;
}

bool gfab_cmodel_wide_drive(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    return sending(cmodel, link, end, cmodel->out_delay);
}

void gfab_cmodel_wide_or_end(const gfab_cmodel *cmodel, size_t link, uint32_t end, uint8_t *wires)
{
    const turn *then = sending(cmodel, link, end, cmodel->out_delay);
    const size_t node = gfab_topology_link(gfab_layout_topology(cmodel->layout), link).node[end];
    if (then)
        gfab_cmodel_or_bits(wires, 0, sent_word(cmodel, then->period, node, cmodel->end_lane[2 * link + end]), 0,
                            cmodel->timing.link_bits);
}

/* Cycles in which the end is going to drive for what has been read. */
uint64_t gfab_cmodel_wide_use_left(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    uint64_t left = 0;
    for (uint32_t ago = 1; ago <= cmodel->out_delay; ago++)
        left += !!sending(cmodel, link, end, ago);
    return left;
}

bool gfab_cmodel_bank_write(const gfab_cmodel *cmodel, size_t node, uint32_t bank, uint32_t *round, uint32_t *word,
                            const uint8_t **data)
{
    const turn *then = gfab_cmodel_turn_before(cmodel, cmodel->write_delay);
    if (!then)
        return false;
    *round = round_of(cmodel, then->period);
    *word = gfab_cmodel_word_of(cmodel, then->period);
    if (cmodel->combines) {
        combining states[GFAB_MAX_COMBINING_LANES]; /* those of the model stay as they are */
        memcpy(states, states_of(cmodel, node, bank), cmodel->timing.lanes * sizeof *states);
        *data = combined_flit(cmodel, then->period, node, bank, states);
        return *data;
    }
    const uint32_t lane = gfab_banks_store(cmodel->banks, node, *round, bank);
    *data = lane != GFAB_NO_LANE ? received(cmodel, then->period, node, lane) : NULL;
    return *data;
}
