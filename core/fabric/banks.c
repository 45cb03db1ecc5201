/* SPDX-License-Identifier: MIT */
/* Wide programs: what they hold, and whether they are legal. */
#include "banks_internal.h"

uint32_t gfab_banks_bits_for(uint32_t count)
{
    uint32_t bits = 1;
    while ((uint64_t)1 << bits < count)
        bits++;
    return bits;
}

gfab_status gfab_banks_create(const gfab_layout *layout, const gfab_crossbar *crossbar, uint32_t round_bits,
                              gfab_banks **banks, gfab_diag *diag)
{
    if (round_bits > 24)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u round bits: at most 24", (unsigned)round_bits);
    if (crossbar->banks > GFAB_MAX_BANKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u banks a node: at most %u", (unsigned)crossbar->banks,
                         GFAB_MAX_BANKS);
    gfab_banks *b = calloc(1, sizeof *b);
    if (!b)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    b->layout = layout;
    b->crossbar = *crossbar;
    b->round_bits = round_bits;
    b->nodes = gfab_topology_node_count(gfab_layout_topology(layout));
    const size_t rows = word_array_product(b->nodes, (size_t)1 << round_bits);
    const size_t by_bank = word_array_product(rows, crossbar->banks),
                 by_lane = word_array_product(rows, crossbar->lanes);
    const size_t places = word_array_product(b->nodes, b->nodes);
    if (word_array_product(by_bank, sizeof(uint32_t)) != SIZE_MAX && by_lane != SIZE_MAX &&
        word_array_product(places, sizeof(uint32_t)) != SIZE_MAX) {
        b->reads = word_array_create(by_bank, round_bits);
        b->stores = word_array_create(by_bank, crossbar->lanes < UINT16_MAX ? 16 : 32);
        b->sends = calloc(by_lane, 1);
        b->bank = calloc(places, 1);
        b->address = calloc(places, sizeof *b->address);
    }
    if (!b->reads.at.data || !b->stores.at.data || !b->sends || !b->bank || !b->address) {
        gfab_banks_destroy(b);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for wide programs of %zu rounds",
                         (size_t)1 << round_bits);
    }
    *banks = b;
    return GFAB_OK;
}

void gfab_banks_destroy(gfab_banks *banks)
{
    if (!banks)
        return;
    free(banks->reads.at.data);
    free(banks->stores.at.data);
    free(banks->sends);
    free(banks->bank);
    free(banks->address);
    free(banks);
}

const gfab_layout *gfab_banks_layout(const gfab_banks *banks)
{
    return banks->layout;
}

const gfab_crossbar *gfab_banks_crossbar(const gfab_banks *banks)
{
    return &banks->crossbar;
}

uint32_t gfab_banks_round_bits(const gfab_banks *banks)
{
    return banks->round_bits;
}

uint32_t gfab_banks_halt(const gfab_banks *banks)
{
    return banks->halt;
}

void gfab_banks_set_halt(gfab_banks *banks, uint32_t round)
{
    assert(round >> banks->round_bits <= 1);
    banks->halt = round;
}

static size_t row(const gfab_banks *banks, size_t node, uint32_t round)
{
    assert(node < banks->nodes && round >= 1 && (round - 1) >> banks->round_bits == 0);
    return (size_t)(round - 1) * banks->nodes + node;
}

uint32_t gfab_banks_read(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank)
{
    return word_array_get(&banks->reads, row(banks, node, round) * banks->crossbar.banks + bank);
}

void gfab_banks_set_read(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t address)
{
    assert(bank < banks->crossbar.banks && address >> banks->round_bits == 0);
    word_array_set(&banks->reads, row(banks, node, round) * banks->crossbar.banks + bank, address);
}

uint32_t gfab_banks_send(const gfab_banks *banks, size_t node, uint32_t round, uint32_t lane)
{
    return banks->sends[row(banks, node, round) * banks->crossbar.lanes + lane] - 1u;
}

void gfab_banks_set_send(gfab_banks *banks, size_t node, uint32_t round, uint32_t lane, uint32_t bank)
{
    assert(lane < banks->crossbar.lanes && (bank == GFAB_NO_BANK || bank < banks->crossbar.banks));
    banks->sends[row(banks, node, round) * banks->crossbar.lanes + lane] = (uint8_t)(bank + 1);
}

uint32_t gfab_banks_store(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank)
{
    return word_array_get(&banks->stores, row(banks, node, round) * banks->crossbar.banks + bank) - 1u;
}

void gfab_banks_set_store(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t lane)
{
    assert(bank < banks->crossbar.banks && (lane == GFAB_NO_LANE || lane < banks->crossbar.lanes));
    word_array_set(&banks->stores, row(banks, node, round) * banks->crossbar.banks + bank, lane + 1);
}

uint32_t gfab_banks_bank(const gfab_banks *banks, size_t node, uint32_t slot)
{
    return banks->bank[node * banks->nodes + slot];
}

uint32_t gfab_banks_address(const gfab_banks *banks, size_t node, uint32_t slot)
{
    return banks->address[node * banks->nodes + slot];
}

void gfab_banks_set_place(gfab_banks *banks, size_t node, uint32_t slot, uint32_t bank, uint32_t address)
{
    assert(node < banks->nodes && slot < banks->nodes && bank < banks->crossbar.banks);
    assert(address >> banks->round_bits == 0);
    banks->bank[node * banks->nodes + slot] = (uint8_t)bank;
    banks->address[node * banks->nodes + slot] = address;
}

/* The check: tokens followed through the banks. */
typedef struct follow {
    const gfab_banks *banks;
    const gfab_timing *timing;
    word_array token; /* (node * 2^round bits + address) * banks + bank: token + 1, or 0 */
    gfab_diag *diag;
} follow;

static size_t cell(const follow *f, size_t node, uint32_t address, uint32_t bank)
{
    return ((node << f->banks->round_bits) + address) * f->banks->crossbar.banks + bank;
}

static gfab_status fault(const follow *f, size_t node, uint32_t round, const char *text, uint32_t a, uint32_t b)
{
    char what[160];
    snprintf(what, sizeof what, text, (unsigned)a, (unsigned)b);
    return gfab_fail(f->diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: %s", node, (unsigned)round, what);
}

/* What a lane sends in a legal round: token + 1, or 0. */
static uint32_t sent(const follow *f, size_t node, uint32_t round, uint32_t lane)
{
    const uint32_t bank = gfab_banks_send(f->banks, node, round, lane);
    if (bank == GFAB_NO_BANK)
        return 0;
    return word_array_get(&f->token, cell(f, node, gfab_banks_read(f->banks, node, round, bank), bank));
}

static gfab_status check_sends(const follow *f, size_t node, uint32_t round)
{
    const gfab_crossbar *crossbar = &f->banks->crossbar;
    uint64_t used = 0;
    for (uint32_t lane = 0; lane < crossbar->lanes; lane++) {
        const uint32_t bank = gfab_banks_send(f->banks, node, round, lane);
        if (bank == GFAB_NO_BANK)
            continue;
        if (bank >= crossbar->banks || !gfab_crossbar_gives(crossbar, lane, bank))
            return fault(f, node, round, "bank %u does not give to lane %u", bank, lane);
        if (gfab_layout_port(f->banks->layout, node, lane) == GFAB_NO_PORT)
            return fault(f, node, round, "bank %u is sent by lane %u, which the node does not have", bank, lane);
        if (round >= f->banks->halt)
            return fault(f, node, round, "lane %u sends, but the gossip halts in round %u", lane, f->banks->halt);
        used |= (uint64_t)1 << bank;
        const uint32_t address = gfab_banks_read(f->banks, node, round, bank);
        if (address != 0 && (uint64_t)address + f->timing->hop_rounds > round)
            return fault(f, node, round, "bank %u gives what is not there before round %u", bank,
                         address + f->timing->hop_rounds);
        if (sent(f, node, round, lane) == 0)
            return fault(f, node, round, "bank %u gives address %u, which nothing was written to", bank, address);
    }
    for (uint32_t bank = 0; bank < crossbar->banks; bank++)
        if (!(used >> bank & 1) && gfab_banks_read(f->banks, node, round, bank) != 0)
            return fault(f, node, round, "bank %u is read at %u for no lane", bank,
                         gfab_banks_read(f->banks, node, round, bank));
    return GFAB_OK;
}

/* What arrives at a lane: token + 1, or 0. */
static uint32_t arriving(const follow *f, size_t node, uint32_t round, uint32_t lane)
{
    const uint32_t index = gfab_layout_port(f->banks->layout, node, lane);
    size_t count;
    if (index == GFAB_NO_PORT)
        return 0;
    const gfab_port *port = &gfab_topology_ports(gfab_layout_topology(f->banks->layout), node, &count)[index];
    return sent(f, port->peer, round, gfab_layout_lane(f->banks->layout, port->peer, port->peer_port));
}

static gfab_status check_stores(const follow *f, size_t node, uint32_t round)
{
    const gfab_crossbar *crossbar = &f->banks->crossbar;
    const bool half = !gfab_layout_full_duplex(f->banks->layout);
    for (uint32_t lane = 0; lane < crossbar->lanes; lane++) {
        bool stored = false;
        for (uint32_t bank = 0; bank < crossbar->banks; bank++) {
            if (gfab_banks_store(f->banks, node, round, bank) != lane)
                continue;
            if (stored)
                return fault(f, node, round, "banks up to %u store what lane %u receives twice", bank, lane);
            if (!gfab_crossbar_takes(crossbar, lane, bank))
                return fault(f, node, round, "bank %u does not take from lane %u", bank, lane);
            stored = true;
        }
        const bool arrives = arriving(f, node, round, lane) != 0;
        if (arrives != stored)
            return fault(f, node, round,
                         arrives ? "lane %u receives a token that no bank of %u stores"
                                 : "lane %u receives no token, but one of %u banks stores it",
                         lane, crossbar->banks);
        if (half && arrives && gfab_banks_send(f->banks, node, round, lane) != GFAB_NO_BANK)
            return fault(f, node, round, "both ends of the link of lane %u send in round %u", lane, round);
    }
    for (uint32_t bank = 0; bank < crossbar->banks; bank++) {
        const uint32_t lane = gfab_banks_store(f->banks, node, round, bank);
        if (lane != GFAB_NO_LANE && lane >= crossbar->lanes)
            return fault(f, node, round, "bank %u stores from lane %u, which there is not", bank, lane);
    }
    return GFAB_OK;
}

static void take_stores(follow *f, size_t node, uint32_t round)
{
    for (uint32_t bank = 0; bank < f->banks->crossbar.banks; bank++) {
        const uint32_t lane = gfab_banks_store(f->banks, node, round, bank);
        if (lane != GFAB_NO_LANE)
            word_array_set(&f->token, cell(f, node, round, bank), arriving(f, node, round, lane));
    }
}

static gfab_status check_places(const follow *f)
{
    for (size_t node = 0; node < f->banks->nodes; node++)
        for (uint32_t slot = 0; slot < f->banks->nodes; slot++) {
            const uint32_t bank = gfab_banks_bank(f->banks, node, slot);
            const uint32_t address = gfab_banks_address(f->banks, node, slot);
            const uint32_t token = gfab_layout_token(f->banks->layout, node, slot);
            if (bank >= f->banks->crossbar.banks ||
                word_array_get(&f->token, cell(f, node, address, bank)) != token + 1)
                return gfab_fail(f->diag, 0, GFAB_ERR_FAULT, "node %zu: slot %u is not in bank %u at address %u", node,
                                 (unsigned)slot, (unsigned)bank, (unsigned)address);
        }
    return GFAB_OK;
}

static gfab_status check_all(follow *f)
{
    const gfab_banks *banks = f->banks;
    gfab_status status = GFAB_OK;
    for (size_t node = 0; node < banks->nodes; node++)
        for (uint32_t bank = 0; bank < banks->crossbar.banks; bank++)
            if (gfab_crossbar_holds_own(&banks->crossbar, bank))
                word_array_set(&f->token, cell(f, node, 0, bank), (uint32_t)node + 1);
    for (uint32_t round = 1; (round - 1) >> banks->round_bits == 0 && status == GFAB_OK; round++) {
        for (size_t node = 0; node < banks->nodes && status == GFAB_OK; node++)
            status = check_sends(f, node, round);
        for (size_t node = 0; node < banks->nodes && status == GFAB_OK; node++)
            status = check_stores(f, node, round);
        for (size_t node = 0; node < banks->nodes && status == GFAB_OK && round < banks->halt; node++)
            take_stores(f, node, round);
    }
    return status == GFAB_OK ? check_places(f) : status;
}

gfab_status gfab_banks_check(const gfab_banks *banks, const gfab_timing *timing, uint32_t *rounds, gfab_diag *diag)
{
    if (banks->halt == 0)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node 0: no halt in any round");
    follow f = {.banks = banks, .timing = timing, .diag = diag};
    const size_t cells = word_array_product(banks->nodes << banks->round_bits, banks->crossbar.banks);
    if (word_array_product(cells, sizeof(uint32_t)) != SIZE_MAX)
        f.token = word_array_create(cells, banks->nodes < UINT16_MAX ? 16 : 32);
    if (!f.token.at.data)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory to follow %zu tokens", banks->nodes);
    const gfab_status status = check_all(&f);
    free(f.token.at.data);
    if (status == GFAB_OK && rounds)
        *rounds = banks->halt - 1;
    return status;
}
