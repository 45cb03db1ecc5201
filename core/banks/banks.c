/* SPDX-License-Identifier: MIT */
/* Wide programs: what they hold. */
#include "banks_internal.h"

#include "base/tells.h"

#define MAX_ADDRESS_BITS 24u

gfab_banks_use gfab_banks_use_of(const gfab_goal *goal, uint32_t address_bits)
{
    return (gfab_banks_use){.programs = 1, .goals = {*goal}, .address_bits = address_bits};
}

uint32_t gfab_banks_count(const gfab_layout *layout, const gfab_goal *goal, size_t node,
                          uint32_t (*count)(const gfab_goal *, size_t, uint32_t))
{
    const gfab_topology *topology = gfab_layout_topology(layout);
    return count(goal, gfab_topology_member_count(topology), gfab_topology_rank(topology, (uint32_t)node));
}

uint32_t gfab_banks_block(const gfab_layout *layout, const gfab_goal *goal, size_t node, uint32_t index,
                          uint32_t (*at)(const gfab_goal *, size_t, uint32_t, uint32_t))
{
    const gfab_topology *topology = gfab_layout_topology(layout);
    return at(goal, gfab_topology_member_count(topology), gfab_topology_rank(topology, (uint32_t)node), index);
}

/* Entries of a table: the most that gfab_goal_held_count, or gfab_goal_wanted_count, is of any node in any program, for
 * each program. */
static uint32_t entries_of(const gfab_banks *b, uint32_t (*count)(const gfab_goal *, size_t, uint32_t))
{
    const size_t members = gfab_topology_member_count(gfab_layout_topology(b->layout));
    uint32_t most = 0, entries = 1;
    for (size_t program = 0; program < b->use.programs; program++) {
        const uint32_t here = gfab_goal_most(&b->use.goals[program], members, count);
        most = here > most ? here : most;
    }
    if (b->use.programs == 1)
        return most;
    while (entries < most)
        entries *= 2;
    return entries * (uint32_t)b->use.programs;
}

static gfab_status check_programs(uint32_t blocks, uint32_t round_bits, const gfab_banks_use *use, gfab_diag *diag)
{
    uint32_t most = 0;
    if (use->programs == 0 || use->programs > GFAB_MAX_PROGRAMS)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%zu programs: 1 to %u", use->programs, GFAB_MAX_PROGRAMS);
    for (size_t i = 0; i < use->programs; i++) {
        most = use->goals[i].blocks > most ? use->goals[i].blocks : most;
        if (use->first_rounds[i] >> round_bits || (i > 0 && use->first_rounds[i] <= use->first_rounds[i - 1]))
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "program %zu begins in round %u: rising, below 2^%u", i,
                             (unsigned)use->first_rounds[i], (unsigned)round_bits);
    }
    if (most == blocks)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "programs for %u blocks, the layout has %u", (unsigned)most,
                     (unsigned)blocks);
}

static gfab_status check_use(const gfab_layout *layout, uint32_t round_bits, const gfab_banks_use *use, gfab_diag *diag)
{
    const uint32_t address_bits = use ? use->address_bits : round_bits, blocks = gfab_layout_blocks(layout);
    if (round_bits > MAX_ADDRESS_BITS || address_bits > MAX_ADDRESS_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u %s bits: at most %u",
                         (unsigned)(round_bits > MAX_ADDRESS_BITS ? round_bits : address_bits),
                         round_bits > MAX_ADDRESS_BITS ? "round" : "address", MAX_ADDRESS_BITS);
    if (address_bits < round_bits)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u address bits: no fewer than the %u round bits",
                         (unsigned)address_bits, (unsigned)round_bits);
    if (use)
        return check_programs(blocks, round_bits, use, diag);
    return blocks == 0
               ? GFAB_OK
               : gfab_fail(diag, 0, GFAB_ERR_INVALID, "programs for 0 blocks, the layout has %u", (unsigned)blocks);
}

/* The programs, all idle. */
static bool allocate(gfab_banks *b)
{
    const size_t rounds = (size_t)1 << b->round_bits, rows = word_array_product(b->nodes, rounds);
    const size_t by_bank = word_array_product(rows, b->crossbar.banks);
    const size_t by_lane = word_array_product(rows, b->crossbar.lanes);
    if (word_array_product(by_bank, sizeof(uint32_t)) == SIZE_MAX)
        return false;
    b->reads = word_array_create(by_bank, b->use.address_bits);
    b->stores = word_array_create(by_bank, b->crossbar.lanes < UINT16_MAX ? 16 : 32);
    b->sends = gfab_arena_zeroed(&b->arena, by_lane, 1);
    b->gaps = gfab_arena_zeroed(&b->arena, rounds, sizeof *b->gaps);
    b->bank = gfab_arena_zeroed2(&b->arena, b->nodes, b->places, 1);
    b->address = gfab_arena_zeroed2(&b->arena, b->nodes, b->places, sizeof *b->address);
    b->load_bank = gfab_arena_zeroed2(&b->arena, b->nodes, b->loads, 1);
    b->load_address = gfab_arena_zeroed2(&b->arena, b->nodes, b->loads, sizeof *b->load_address);
    if (gfab_layout_combines(b->layout))
        GFAB_ARRAYS(&b->arena, by_bank, b->lanes, b->olds);
    return b->reads.at.data && b->stores.at.data && !b->arena.failed;
}

gfab_status gfab_banks_create(const gfab_layout *layout, const gfab_crossbar *crossbar, uint32_t round_bits,
                              const gfab_banks_use *use, gfab_banks **banks, gfab_diag *diag)
{
    GFAB_TRY(check_use(layout, round_bits, use, diag));
    if (crossbar->banks > GFAB_MAX_BANKS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u banks a node: at most %u", (unsigned)crossbar->banks,
                         GFAB_MAX_BANKS);
    if (gfab_layout_combines(layout) && crossbar->lanes > GFAB_MAX_COMBINING_LANES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "nodes of %u links: at most %u where wide nodes combine",
                         (unsigned)crossbar->lanes, GFAB_MAX_COMBINING_LANES);
    gfab_banks *b = calloc(1, sizeof *b);
    GFAB_NEED_TOLD(b, diag);
    b->layout = layout;
    b->crossbar = *crossbar;
    b->round_bits = round_bits;
    b->nodes = gfab_topology_node_count(gfab_layout_topology(layout));
    const gfab_goal tokens = gfab_goal_default(b->nodes);
    b->use = use ? *use : gfab_banks_use_of(&tokens, round_bits);
    b->loads = use ? entries_of(b, gfab_goal_held_count) : 0;
    b->places = use ? entries_of(b, gfab_goal_wanted_count) : (uint32_t)b->nodes;
    if (!allocate(b)) {
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
    GFAB_FREE(banks->reads.at.data, banks->stores.at.data);
    gfab_arena_release(&banks->arena);
    free(banks);
}

GFAB_TELLS(const gfab_layout *, gfab_banks_layout, gfab_banks, layout)

const gfab_crossbar *gfab_banks_crossbar(const gfab_banks *banks)
{
    return &banks->crossbar;
}

GFAB_TELLS(uint32_t, gfab_banks_round_bits, gfab_banks, round_bits)
GFAB_TELLS(uint32_t, gfab_banks_address_bits, gfab_banks, use.address_bits)
GFAB_TELLS(size_t, gfab_banks_program_count, gfab_banks, use.programs)

gfab_goal gfab_banks_goal(const gfab_banks *banks, size_t program)
{
    assert(program < banks->use.programs);
    return banks->use.goals[program];
}

uint32_t gfab_banks_first_round(const gfab_banks *banks, size_t program)
{
    assert(program < banks->use.programs);
    return banks->use.first_rounds[program];
}

GFAB_TELLS(uint32_t, gfab_banks_load_count, gfab_banks, loads)
GFAB_TELLS(uint32_t, gfab_banks_place_count, gfab_banks, places)

uint32_t gfab_banks_first_load(const gfab_banks *banks, size_t program)
{
    assert(program < banks->use.programs);
    return banks->loads / (uint32_t)banks->use.programs * (uint32_t)program;
}

uint32_t gfab_banks_first_place(const gfab_banks *banks, size_t program)
{
    assert(program < banks->use.programs);
    return banks->places / (uint32_t)banks->use.programs * (uint32_t)program;
}

uint32_t gfab_banks_halt(const gfab_banks *banks, size_t program)
{
    assert(program < banks->use.programs);
    return banks->halts[program];
}

void gfab_banks_set_halt(gfab_banks *banks, size_t program, uint32_t round)
{
    assert(program < banks->use.programs && round >> banks->round_bits <= 1);
    banks->halts[program] = round;
}

uint32_t gfab_banks_gap(const gfab_banks *banks, uint32_t round)
{
    assert(round >= 1 && (round - 1) >> banks->round_bits == 0);
    return banks->gaps[round - 1];
}

void gfab_banks_set_gap(gfab_banks *banks, uint32_t round, uint32_t cycles)
{
    assert(round >= 1 && (round - 1) >> banks->round_bits == 0);
    banks->gaps[round - 1] = cycles;
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
    assert(bank < banks->crossbar.banks && address >> banks->use.address_bits == 0);
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

static size_t bank_row(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank)
{
    assert(bank < banks->crossbar.banks);
    return row(banks, node, round) * banks->crossbar.banks + bank;
}

uint32_t gfab_banks_lanes(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank)
{
    return banks->lanes[bank_row(banks, node, round, bank)];
}

uint32_t gfab_banks_old(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank)
{
    return banks->olds[bank_row(banks, node, round, bank)] - 1u;
}

void gfab_banks_set_lanes(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t lanes)
{
    assert((uint64_t)lanes >> banks->crossbar.lanes == 0);
    banks->lanes[bank_row(banks, node, round, bank)] = lanes;
}

void gfab_banks_set_old(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t address)
{
    assert(address == GFAB_NO_ADDRESS || address >> banks->use.address_bits == 0);
    banks->olds[bank_row(banks, node, round, bank)] = address + 1;
}

uint32_t gfab_banks_bank(const gfab_banks *banks, size_t node, uint32_t slot)
{
    return banks->bank[node * banks->places + slot];
}

uint32_t gfab_banks_address(const gfab_banks *banks, size_t node, uint32_t slot)
{
    return banks->address[node * banks->places + slot];
}

void gfab_banks_set_place(gfab_banks *banks, size_t node, uint32_t slot, uint32_t bank, uint32_t address)
{
    assert(node < banks->nodes && slot < banks->places && bank < banks->crossbar.banks);
    assert(address >> banks->use.address_bits == 0);
    banks->bank[node * banks->places + slot] = (uint8_t)bank;
    banks->address[node * banks->places + slot] = address;
}

uint32_t gfab_banks_load_bank(const gfab_banks *banks, size_t node, uint32_t index)
{
    return banks->load_bank[node * banks->loads + index];
}

uint32_t gfab_banks_load_address(const gfab_banks *banks, size_t node, uint32_t index)
{
    return banks->load_address[node * banks->loads + index];
}

void gfab_banks_set_load(gfab_banks *banks, size_t node, uint32_t index, uint32_t bank, uint32_t address)
{
    assert(node < banks->nodes && index < banks->loads && bank < banks->crossbar.banks);
    assert(address >> banks->use.address_bits == 0);
    banks->load_bank[node * banks->loads + index] = (uint8_t)bank;
    banks->load_address[node * banks->loads + index] = address;
}

gfab_op gfab_banks_op(const gfab_image *image, size_t node, uint32_t round, size_t lane, gfab_op_kind kind)
{
    const gfab_op idle = {GFAB_OP_IDLE, 0};
    const uint32_t half =
        kind == GFAB_OP_RECV || kind == GFAB_OP_COMBINE ? gfab_layout_halves(gfab_image_layout(image)) - 1 : 0;
    const gfab_op op = gfab_image_op(image, node, round, lane, half);
    return op.kind == kind ? op : idle;
}
