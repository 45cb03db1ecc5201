/* SPDX-License-Identifier: MIT */
/* Are wide programs legal? Tokens, or blocks, are followed through the banks, round by round. */
#include "banks_internal.h"

#include <string.h>

/* Where the layout combines a token is one of these: whose contributions to a block it has, a bit a node. */
typedef struct partials {
    size_t count, room, words; /* words of 64 nodes */
    uint32_t *block;
    uint64_t *who;
} partials;

typedef struct follow {
    const gfab_banks *banks;
    const gfab_timing *timing;
    size_t program; /* that is followed */
    const gfab_goal *goal;
    uint32_t halt;
    bool combines;
    partials partial;
    word_array token; /* (node * 2^address bits + address) * banks + bank: token + 1, or 0 */
    uint8_t *own;     /* likewise: what is there was loaded */
    gfab_diag *diag;
} follow;

static size_t cell(const follow *f, size_t node, uint32_t address, uint32_t bank)
{
    return ((node << f->banks->use.address_bits) + address) * f->banks->crossbar.banks + bank;
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
        if (round >= f->halt)
            return fault(f, node, round, "lane %u sends, but the gossip halts in round %u", lane, f->halt);
        used |= (uint64_t)1 << bank;
        const uint32_t address = gfab_banks_read(f->banks, node, round, bank);
        if (!f->own[cell(f, node, address, bank)] && (uint64_t)address + f->timing->hop_rounds > round)
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

static bool stores_from(const follow *f, size_t node, uint32_t round, uint32_t bank, uint32_t lane)
{
    return f->combines ? gfab_banks_lanes(f->banks, node, round, bank) >> lane & 1
                       : gfab_banks_store(f->banks, node, round, bank) == lane;
}

static gfab_status check_stores(const follow *f, size_t node, uint32_t round)
{
    const gfab_crossbar *crossbar = &f->banks->crossbar;
    const bool half = !gfab_layout_full_duplex(f->banks->layout);
    for (uint32_t lane = 0; lane < crossbar->lanes; lane++) {
        bool stored = false;
        for (uint32_t bank = 0; bank < crossbar->banks; bank++) {
            if (!stores_from(f, node, round, bank, lane))
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
    for (uint32_t bank = 0; bank < crossbar->banks && f->combines; bank++)
        if (gfab_banks_old(f->banks, node, round, bank) != GFAB_NO_ADDRESS && round >= f->halt)
            return fault(f, node, round, "bank %u combines, but the gossip halts in round %u", bank, f->halt);
    for (uint32_t bank = 0; bank < crossbar->banks && !f->combines; bank++) {
        const uint32_t lane = gfab_banks_store(f->banks, node, round, bank);
        if (lane != GFAB_NO_LANE && lane >= crossbar->lanes)
            return fault(f, node, round, "bank %u stores from lane %u, which there is not", bank, lane);
    }
    return GFAB_OK;
}

/* The block that a token, counted from 1, is of. */
static uint32_t block_of(const follow *f, uint32_t token)
{
    return f->combines ? f->partial.block[token - 1] : token - 1;
}

static uint64_t *who_of(const follow *f, uint32_t token)
{
    return f->partial.who + (token - 1) * f->partial.words;
}

/* A new token, counted from 1, with no contribution as yet; 0 where memory ran out. */
static uint32_t add_partial(follow *f, uint32_t block)
{
    partials *p = &f->partial;
    if (p->count == p->room) {
        const size_t room = p->room ? 2 * p->room : 1024;
        uint32_t *blocks = realloc(p->block, room * sizeof *blocks);
        p->block = blocks ? blocks : p->block;
        uint64_t *who = realloc(p->who, word_array_product(room, p->words * sizeof *who));
        p->who = who ? who : p->who;
        if (!blocks || !who)
            return 0;
        p->room = room;
    }
    p->block[p->count] = block;
    memset(p->who + p->count * p->words, 0, p->words * sizeof *p->who);
    return (uint32_t)++p->count;
}

static gfab_status no_memory(const follow *f)
{
    return gfab_fail(f->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory to follow contributions");
}

/* Adds the contributions of one token to another. */
static gfab_status add_contributions(const follow *f, size_t node, uint32_t round, uint32_t from, uint32_t to)
{
    const bool again = gfab_operator_is_idempotent(gfab_layout_operator(f->banks->layout));
    uint64_t *sum = who_of(f, to);
    const uint64_t *more = who_of(f, from);
    if (block_of(f, from) != block_of(f, to))
        return fault(f, node, round, "block %u is combined with block %u", block_of(f, from), block_of(f, to));
    for (size_t i = 0; i < f->partial.words; i++) {
        if (!again && sum[i] & more[i]) {
            uint32_t who = 0;
            while (!(sum[i] & more[i] & (uint64_t)1 << who))
                who++;
            return fault(f, node, round, "the contribution of node %u to block %u counts twice",
                         (uint32_t)(64 * i) + who, block_of(f, to));
        }
        sum[i] |= more[i];
    }
    return GFAB_OK;
}

/* What the bank stores of what it has and what arrives: a token, counted from 1, or 0 for nothing. */
static gfab_status combine(follow *f, size_t node, uint32_t round, uint32_t bank, uint32_t *token)
{
    const uint32_t lanes = gfab_banks_lanes(f->banks, node, round, bank);
    const uint32_t address = gfab_banks_old(f->banks, node, round, bank);
    const uint32_t old = address == GFAB_NO_ADDRESS ? 0 : word_array_get(&f->token, cell(f, node, address, bank));
    *token = 0;
    if (address != GFAB_NO_ADDRESS && (old == 0 || lanes == 0))
        return fault(f, node, round,
                     old ? "bank %u combines address %u with nothing that arrives"
                         : "bank %u combines what arrives with address %u, where nothing is",
                     bank, address);
    uint32_t merges = 0;
    for (uint32_t lane = 0; lane < f->banks->crossbar.lanes; lane++)
        merges += lanes >> lane & 1;
    if (old != 0 && gfab_operator_is_chained(gfab_layout_operator(f->banks->layout)) && merges > f->timing->merges)
        return fault(f, node, round, "a bank combines what %u lanes receive, and its chain is for %u", merges,
                     f->timing->merges);
    if (old == 0 && (lanes & (lanes - 1)) != 0)
        return fault(f, node, round, "bank %u stores what several lanes receive, lanes %#x", bank, lanes);
    if (old != 0) {
        *token = add_partial(f, block_of(f, old));
        if (*token == 0)
            return no_memory(f);
        GFAB_TRY(add_contributions(f, node, round, old, *token));
    }
    for (uint32_t lane = 0; lane < f->banks->crossbar.lanes; lane++) {
        const uint32_t arrived = lanes >> lane & 1 ? arriving(f, node, round, lane) : 0;
        if (arrived && old)
            GFAB_TRY(add_contributions(f, node, round, arrived, *token));
        else if (arrived)
            *token = arrived;
    }
    return GFAB_OK;
}

/* Nothing is written over what is there: a token, once it has arrived, stays, and what was loaded is there for the next
 * start, too. */
static gfab_status take_stores(follow *f, size_t node, uint32_t round)
{
    for (uint32_t bank = 0; bank < f->banks->crossbar.banks; bank++) {
        uint32_t token = 0;
        if (f->combines)
            GFAB_TRY(combine(f, node, round, bank, &token));
        else if (gfab_banks_store(f->banks, node, round, bank) != GFAB_NO_LANE)
            token = arriving(f, node, round, gfab_banks_store(f->banks, node, round, bank));
        const size_t at = cell(f, node, round, bank);
        if (token != 0 && word_array_get(&f->token, at) != 0)
            return fault(f, node, round, "bank %u stores over block %u, which was loaded", bank,
                         block_of(f, word_array_get(&f->token, at)));
        if (token != 0)
            word_array_set(&f->token, at, token);
    }
    return GFAB_OK;
}

static gfab_status load_block(follow *f, size_t node, uint32_t index)
{
    const uint32_t entry = gfab_banks_first_load(f->banks, f->program) + index;
    const uint32_t bank = gfab_banks_load_bank(f->banks, node, entry);
    const uint32_t address = gfab_banks_load_address(f->banks, node, entry);
    const uint32_t block = gfab_banks_block(f->banks->layout, f->goal, node, index, gfab_goal_held);
    const size_t at = cell(f, node, address, bank);
    if (f->own[at])
        return gfab_fail(
            f->diag, 0, GFAB_ERR_FAULT, "node %zu: blocks %u and %u are both loaded to bank %u, address %u", node,
            (unsigned)block_of(f, word_array_get(&f->token, at)), (unsigned)block, (unsigned)bank, (unsigned)address);
    uint32_t token = block + 1;
    if (f->combines) {
        token = add_partial(f, block);
        if (token == 0)
            return no_memory(f);
        who_of(f, token)[node / 64] |= (uint64_t)1 << node % 64;
    }
    f->own[at] = 1;
    word_array_set(&f->token, at, token);
    return GFAB_OK;
}

/* What nodes start with. */
static gfab_status load_all(follow *f)
{
    const gfab_banks *banks = f->banks;
    for (size_t node = 0; node < banks->nodes; node++) {
        if (gfab_layout_blocks(banks->layout)) {
            const uint32_t count = gfab_banks_count(banks->layout, f->goal, node, gfab_goal_held_count);
            for (uint32_t i = 0; i < count; i++)
                GFAB_TRY(load_block(f, node, i));
            continue;
        }
        for (uint32_t bank = 0; bank < banks->crossbar.banks; bank++) {
            f->own[cell(f, node, 0, bank)] = 1;
            if (gfab_crossbar_holds_own(&banks->crossbar, bank))
                word_array_set(&f->token, cell(f, node, 0, bank), (uint32_t)node + 1);
        }
    }
    return GFAB_OK;
}

static gfab_status check_place(const follow *f, size_t node, uint32_t slot, uint32_t token)
{
    const gfab_topology *topology = gfab_layout_topology(f->banks->layout);
    const uint32_t bank = gfab_banks_bank(f->banks, node, slot);
    const uint32_t address = gfab_banks_address(f->banks, node, slot);
    const uint32_t found =
        bank < f->banks->crossbar.banks ? word_array_get(&f->token, cell(f, node, address, bank)) : 0;
    if (found && block_of(f, found) == token) {
        const bool totals = f->combines && gfab_collective_combines(f->goal->collective);
        size_t who = 0;
        while (totals && who < f->banks->nodes &&
               (gfab_topology_is_relay(topology, who) || who_of(f, found)[who / 64] >> who % 64 & 1))
            who++;
        if (!totals || who == f->banks->nodes)
            return GFAB_OK;
        return gfab_fail(f->diag, 0, GFAB_ERR_FAULT, "node %zu: block %u lacks the contribution of node %zu", node,
                         (unsigned)token, who);
    }
    return gfab_fail(f->diag, 0, GFAB_ERR_FAULT, "node %zu: %s %u is not in bank %u at address %u", node,
                     gfab_layout_blocks(f->banks->layout) ? "block" : "slot",
                     (unsigned)(gfab_layout_blocks(f->banks->layout) ? token : slot), (unsigned)bank,
                     (unsigned)address);
}

static gfab_status check_places(const follow *f)
{
    const gfab_banks *banks = f->banks;
    for (size_t node = 0; node < banks->nodes; node++) {
        const bool blocks = gfab_layout_blocks(banks->layout);
        const uint32_t first = gfab_banks_first_place(banks, f->program);
        const uint32_t count =
            blocks ? gfab_banks_count(banks->layout, f->goal, node, gfab_goal_wanted_count) : banks->places;
        for (uint32_t i = 0; i < count; i++)
            GFAB_TRY(check_place(f, node, first + i,
                                 blocks ? gfab_banks_block(banks->layout, f->goal, node, i, gfab_goal_wanted)
                                        : gfab_layout_token(banks->layout, node, i)));
    }
    return GFAB_OK;
}

/* From the program's first round to the one before the next program's, or to the ROM's last. */
static gfab_status check_rounds(follow *f)
{
    const gfab_banks *banks = f->banks;
    const bool is_last = f->program + 1 == banks->use.programs;
    const uint32_t first = banks->use.first_rounds[f->program];
    const uint32_t end = is_last ? (uint32_t)1 << banks->round_bits : banks->use.first_rounds[f->program + 1];
    GFAB_TRY(load_all(f));
    for (uint32_t round = first + 1; round <= end; round++) {
        for (size_t node = 0; node < banks->nodes; node++)
            GFAB_TRY(check_sends(f, node, round));
        for (size_t node = 0; node < banks->nodes; node++)
            GFAB_TRY(check_stores(f, node, round));
        for (size_t node = 0; node < banks->nodes && round < f->halt; node++)
            GFAB_TRY(take_stores(f, node, round));
    }
    return check_places(f);
}

static gfab_status check_program(follow *f, size_t program, size_t cells)
{
    const gfab_banks_use *use = &f->banks->use;
    f->program = program;
    f->goal = &use->goals[program];
    f->halt = f->banks->halts[program];
    if (f->halt == 0 && use->programs == 1)
        return gfab_fail(f->diag, 0, GFAB_ERR_FAULT, "node 0: no halt in any round");
    if (f->halt <= use->first_rounds[program] ||
        (program + 1 < use->programs && f->halt > use->first_rounds[program + 1]))
        return gfab_fail(f->diag, 0, GFAB_ERR_FAULT, "node 0: program %zu has no halt of its own from round %u on",
                         program, (unsigned)use->first_rounds[program] + 1);
    for (size_t i = 0; i < cells; i++)
        word_array_set(&f->token, i, 0);
    memset(f->own, 0, cells);
    f->partial.count = 0;
    const gfab_status status = check_rounds(f);
    if (status == GFAB_OK || use->programs == 1 || !f->diag)
        return status;
    const gfab_diag reason = *f->diag;
    return gfab_fail(f->diag, 0, status, "program %zu: %.200s", program, reason.message);
}

gfab_status gfab_banks_check(const gfab_banks *banks, const gfab_timing *timing, uint32_t *rounds, gfab_diag *diag)
{
    follow f = {.banks = banks,
                .timing = timing,
                .combines = gfab_layout_combines(banks->layout),
                .partial.words = (banks->nodes + 63) / 64,
                .diag = diag};
    const size_t cells = word_array_product(banks->nodes << banks->use.address_bits, banks->crossbar.banks);
    const size_t tokens = gfab_layout_slot_count(banks->layout);
    if (word_array_product(cells, sizeof(uint32_t)) != SIZE_MAX) {
        f.token = word_array_create(cells, tokens < UINT16_MAX && !f.combines ? 16 : 32);
        f.own = calloc(cells, 1);
    }
    gfab_status status = f.token.at.data && f.own ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    if (status != GFAB_OK)
        gfab_fail(diag, 0, status, "out of memory to follow %zu tokens", tokens);
    for (size_t program = 0; program < banks->use.programs && status == GFAB_OK; program++)
        status = check_program(&f, program, cells);
    GFAB_FREE(f.token.at.data, f.own, f.partial.block, f.partial.who);
    if (status == GFAB_OK && rounds)
        *rounds = banks->halts[0] - 1;
    return status;
}
