/* SPDX-License-Identifier: MIT */
/* The fabric's numbers for the benches, for templates and for the manifest: one table. */
#include "gen.h"

#include <gossipfab/fabric/flows.h>
#include <string.h>

#define BURST_BITS 512u
#define RESET_MICROSECONDS 6 /* the iCE40's RAM may be read 3 after configuration */

enum { MEANT = 51, OF_STREAMS = 9, OF_BOARD = 16 };
enum { FOR_TEMPLATES = GFAB_GEN_NUMBERS - MEANT - OF_STREAMS - OF_BOARD };

static uint64_t count_survivors(const gfab_gen *gen)
{
    uint64_t count = 0;
    for (size_t node = 0; node < gen->nodes; node++)
        count += !gen->options->alive || gen->options->alive[node];
    return count;
}

/* No program that the ROMs can hold takes more cycles. As much as a parameter of a Verilog module can be. */
static uint64_t count_longest(const gfab_gen *gen)
{
    const uint64_t rounds = (uint64_t)1 << gen->round_bits, most = INT32_MAX;
    const uint64_t gap = ((uint64_t)1 << gen->gap_bits) - 1;
    const uint64_t cycles = rounds * (gen->timing->cycles_per_round + gap) + gen->timing->overhead_cycles;
    return cycles < most ? cycles : most;
}

/* The time limit of streams that is not given: long for hosts, and longer than a word's way. */
static uint64_t count_limit(const gfab_gen *gen)
{
    uint64_t limit = 65536;
    while (limit < 2 * gen->way)
        limit *= 2;
    return limit;
}

/* Slots that an answer of gfab_board_host has: a power of two, of BURST_BITS together unless one alone is longer. */
static uint32_t count_burst(const gfab_gen *gen)
{
    uint32_t burst = 1;
    while (2 * burst * gen->timing->words * gen->word_bits <= BURST_BITS)
        burst *= 2;
    return burst;
}

/* Bits of a RAM that has so many slots: of a narrow node's store, or of a bank. */
static uint64_t count_ram_bits(const gfab_gen *gen, uint32_t slot_bits)
{
    const uint32_t address_bits = slot_bits + (gen->timing->words > 1 ? gen->index_bits : 0);
    return (uint64_t)(gen->word_bits + gen->checked) << address_bits;
}

static uint64_t count_relay_bits(const gfab_gen *gen)
{
    uint64_t bits = 0;
    for (size_t node = 0; node < gen->nodes; node++)
        if (gfab_topology_is_relay(gen->topology, node))
            bits += count_ram_bits(gen, gfab_gen_bits_for(gfab_layout_node_slots(gen->layout, node)));
    return bits;
}

static uint64_t count_store_bits(const gfab_gen *gen)
{
    return gen->write_ports * count_ram_bits(gen, gen->banks ? gen->cell_bits : gen->store_slot_bits);
}

static void collect_meant(const gfab_gen *gen, gfab_gen_number table[MEANT])
{
    const gfab_timing *timing = gen->timing;
    const gfab_gen_number values[MEANT] = {
        {"NODES", gen->nodes, "N"},
        {"LINKS", gen->links, "M"},
        {"LANES", gen->lanes, "K, ports of the largest node"},
        {"LINK_BITS", gen->link_bits, "L"},
        {"TOKEN_BITS", timing->token_bits, "W"},
        {"PARTS", timing->parts, "P, equal parts of a token; what is below of words and flits is about one part"},
        {"PART_BITS", timing->part_bits, "W / P"},
        {"SLOTS", gen->blocks ? gen->reads : gfab_layout_slot_count(gen->layout),
         "N P, parts in a node's store at the end; READS where there are blocks"},
        {"STORE_SLOTS", gen->banks ? 0 : gfab_layout_slot_count(gen->layout),
         "slots of a narrow node's store, of a member's where there are relays"},
        {"COUNTED", gen->counted,
         "1: blocks are loaded and read by their number among those that a node holds, or wants, in a program"},
        {"BLOCKS", gen->blocks, "B, of a collective; 0: all-gather, whose blocks are the tokens"},
        {"OPERATOR", gen->combines, "what combines, a GFAB_OPERATOR of gfab_op.vh; 0: nothing"},
        {"MERGES", timing->merges, "A, operators of a bank's chain; 0: no chains"},
        {"OPERATOR_CYCLES", timing->operator_cycles, "D, latency of each of them"},
        {"WIDE", timing->wide, "1: wide nodes"},
        {"BANKS", gen->write_ports, "RAMs of a node's store"},
        {"COLLECTIVE", gen->goal.collective,
         "of program 0: 0 .. 6: all-gather, reduce-scatter, all-reduce, broadcast, reduce, barrier, all-to-all"},
        {"ROOT", gen->goal.root, "likewise, of a broadcast or a reduce"},
        {"LOADS", gen->loads, "tokens, or blocks, that a node is loaded with at most; where counted in all programs"},
        {"READS", gen->reads, "tokens, or blocks, that are read from a node at most; where counted in all programs"},
        {"CELL_BITS", gen->cell_bits, "wide: of a token's address in its bank"},
        {"WORDS", timing->words, "store words of a part"},
        {"WORD_BITS", gen->word_bits, "K L; wide: L"},
        {"SLOT_BITS", gen->slot_bits, "bits of the number of a part, or block, that is read"},
        {"INDEX_BITS", gen->index_bits, "bits of a word's number"},
        {"LOAD_BITS", gen->load_bits, "bits of {part, word}, or {block, word}"},
        {"ROUND_BITS", gen->round_bits, "the ROMs hold 2^ROUND_BITS rounds"},
        {"ROUNDS", gen->rounds, "R, of program 0"},
        {"CYCLES_PER_ROUND", timing->cycles_per_round, "F"},
        {"HOP_ROUNDS", timing->hop_rounds, "a token received in round t can be sent from round t + HOP_ROUNDS on"},
        {"OVERHEAD_CYCLES", timing->overhead_cycles, "c"},
        {"TOKEN_FLITS", timing->token_flits, "W / (P L), flits of a part that carry payload"},
        {"PADDING_FLITS", timing->cycles_per_round - timing->token_flits, "F - W / (P L), flits of a part that do not"},
        {"CYCLES", gen->cycles, "likewise: R F + c and the gaps"},
        {"GAP_CYCLES", gfab_image_gap_cycles(gen->image, 0), "of program 0"},
        {"GAP_BITS", gen->gap_bits, "of a gap; 0: none"},
        {"LATENCY_CYCLES", timing->latency_cycles, "l, registers on every link"},
        {"WIRES", gen->wires, "sets of a link: 2 where each direction has its own"},
        {"FULL_DUPLEX", gen->full, "1: ports send and receive at once"},
        {"PATHS", gen->paths, "1: nodes pass flits on"},
        {"PATH_BITS", gfab_image_path_bits(gen->image), "of a path word; 0 without paths"},
        {"WAIT_BITS", gfab_image_wait_bits(gen->image), "of a path word's wait"},
        {"OP_BITS", gfab_machine_word_bits(gen->machine), "of a ROM's word"},
        {"STORE_BITS", count_store_bits(gen), "of a node's store, likewise"},
        {"RELAY_STORE_BITS", count_relay_bits(gen), "of all relays' stores"},
        {"ROM_BITS", gfab_machine_rom_bits(gen->machine), "of a node's ROM"},
        {"PROGRAMS", gen->programs, "collectives, of which i_program chooses one"},
        {"PROGRAM_BITS", gfab_gen_bits_for(gen->programs), "of i_program, where there is more than one"},
        {"PROGRAM_FILES", gen->sharing->programs, "different ones in rom/"},
        {"PROTECT", gen->protect, "1: faults are noticed, o_error"},
        {"SKEWED", timing->skewed, "1: some links have different lanes at their ends"},
    };
    memcpy(table, values, sizeof values);
}

/* Likewise: of streams, and of what benches play. */
static void collect_of_streams(const gfab_gen *gen, gfab_gen_number table[OF_STREAMS])
{
    const gfab_gen_number values[OF_STREAMS] = {
        {"STREAMS", gen->streams, "hosts that give and take streams, the last nodes; 0: nodes are loaded and read"},
        {"HOP_CYCLES", gen->hop_cycles, "h, of a word over a node and a link, of streams of a word a cycle; else 0"},
        {"HOST_WORDS", gen->host_words, "words of a host's beat, of such streams"},
        {"ALTERNATES", gen->alternates, "1: links of such streams are half duplex, a word goes each way by turns"},
        {"AGES", gen->ages, "groups on their way at most, of such a fabric"},
        {"PERIOD", gen->period, "rounds from a group to the next, likewise"},
        {"WAY", gen->way, "cycles that a word is on its way at most, of such a fabric; LIMIT is that or more, or 0"},
        {"SURVIVORS", count_survivors(gen), "nodes that take part; N where none has died"},
        {"TOKEN_SEED", gen->options->token_seed, "seed of the benches' tokens"},
    };
    memcpy(table, values, sizeof values);
}

uint32_t gfab_gen_numbers_before(const gfab_gen *gen, size_t program, bool reads)
{
    if (!gen->banks)
        return 0;
    return reads ? gfab_banks_first_place(gen->banks, program) : gfab_banks_first_load(gen->banks, program);
}

static uint32_t bytes_for(uint32_t bits)
{
    return (bits + 7) / 8;
}

static void collect_for_templates(const gfab_gen *gen, gfab_gen_number table[FOR_TEMPLATES])
{
    const gfab_gen_top *top = gen->top;
    const uint32_t command_bits = 3 + gfab_gen_bits_for(gen->programs); /* {operator, program} */
    const uint64_t op_bits = gfab_machine_word_bits(gen->machine);
    const gfab_gen_number values[FOR_TEMPLATES] = {
        {"HERE", top->node_count, NULL},
        {"JOINED_LINKS", top->joined_count, NULL},
        {"CUTS", top->cut_count, NULL},
        {"CHAINED_OPERATORS", gen->nodes * gen->write_ports * gen->timing->merges * (gen->twins ? 2 : 1), NULL},
        {"ROMS", top->rom_count, NULL},
        {"TRACE_ADDRESS_BITS", gen->trace_address_bits, NULL},
        {"NAME_BITS", 8 * (uint32_t)gen->node_digits, NULL},
        {"NODE_BITS", gfab_gen_bits_for(top->node_count), NULL},
        {"LANE_BITS", gfab_gen_bits_for(gen->lanes), NULL},
        {"NARROW", !gen->banks && !gen->paths, NULL},
        {"OP_SLOTS", gen->banks ? 2 : gfab_layout_slot_count(gen->layout), NULL},
        {"PLACED", !gen->banks && gfab_gen_has_places(gen), NULL},
        {"PLACE_COUNT", gfab_gen_has_frame(gen) ? gfab_layout_slot_count(gen->layout) : gen->reads, NULL},
        {"WIDE_LOADS", gen->banks && gen->blocks ? gen->loads : 0, NULL},
        {"ANY_SLOT", gen->blocks != 0, NULL},
        {"FLIT_BITS", gen->link_bits + (gen->checked && gen->banks), NULL},
        {"CHECKED", gen->checked, NULL},
        {"TWINS", gen->twins, NULL},
        {"DIRECT", gen->timing->direct, NULL},
        {"AXIS_BLOCK_BITS", gfab_gen_axis_block_bits(gen), NULL},
        {"AXIS_PROTECT", gen->twins ? 2 : gen->protect, NULL},
        {"REGISTERED", gen->timing->registered, NULL},
        {"TDATA_BITS", 8 * bytes_for(gen->timing->token_bits), NULL},
        {"TDATA_BYTES", bytes_for(gen->timing->token_bits), NULL},
        {"TDATA_PADDING", 8 * bytes_for(gen->timing->token_bits) - gen->timing->token_bits, NULL},
        {"COMMAND_BITS", command_bits, NULL},
        {"SELFTEST_BITS", gfab_gen_selftest_bits(gen), NULL},
        {"MEMBERS", gen->members, NULL},
        {"COMMAND_TDATA_BITS", 8 * bytes_for(command_bits), NULL},
        {"TOPOLOGY_LENGTH", strlen(gfab_topology_name(gen->topology)), NULL},
        {"ADDRESS_BITS", gfab_register_address_bits(gen->nodes), NULL},
        {"OPERATORS", gen->combines == GFAB_OPERATOR_ALL ? GFAB_OPERATOR_ALL - GFAB_OPERATOR_FIRST : 1, NULL},
        {"TOP_BIT", (gen->timing->token_bits - 1) % gen->word_bits, NULL},
        {"IMAGE_BITS", 4 * gen->image_digits, NULL},
        {"CHIPS", gen->options->chips ? gen->options->chip_count : 0, NULL},
        {"OWN_CLOCKS", gen->options->own_clocks, NULL},
        {"CABLES", gfab_gen_cable_count(gen), NULL},
        {"CROSSINGS", gen->options->own_clocks ? gfab_gen_cable_count(gen) : top->cut_count, NULL},
        {"ENTRIES", gen->clocks.entries, NULL},
        {"ENTRY_BITS", gfab_gen_bits_for(gen->clocks.entries), NULL},
        {"TAIL_CYCLES", gen->clocks.tail_cycles, NULL},
        {"REST_CYCLES", gen->chip == 0 ? gen->clocks.rest_cycles : 0, NULL},
        {"SLACK_CYCLES", gen->clocks.slack_cycles, NULL},
        {"HOPS", gen->clocks.hops, NULL},
        {"CHIP_CYCLES", gen->clocks.cycles, NULL},
        {"DEAD_CYCLES", 2 * gen->timing->latency_cycles, NULL},
        {"FLITS_OF_WORD", gen->word_bits / gen->link_bits, NULL},
        {"ROM_WORDS", gfab_machine_word_count(gen->machine), NULL},
        {"ROM_FILE_BITS", (op_bits + 3) / 4 * 4 + GFAB_SEQUENCE_GAP + (gen->gap_bits + 3) / 4 * 4, NULL},
        {"LONGEST_CYCLES", count_longest(gen), NULL},
        {"BURST_SLOTS", count_burst(gen), NULL},
        {"LEADER", gen->leader, NULL},
        {"LIMIT", count_limit(gen), NULL},
        {"CYCLE_BITS", gfab_gen_bits_for(count_longest(gen) + 1), NULL},
        {"BEAT_BITS", gen->link_bits * gen->host_words, NULL},
        {"WORD_LINKS", gen->links + (gen->host_words - 1) * (size_t)gen->streams, NULL},
        {"FLOW_COUNT", gen->flows, NULL},
        {"TURNS", gen->digits, NULL},
        {"QUEUE_BITS", gfab_gen_has_word_streams(gen) ? gfab_image_queue_bits(gen->image, gen->timing) : 1, NULL},
    };
    memcpy(table, values, sizeof values);
}

static void collect_of_board(const gfab_gen *gen, gfab_gen_number table[OF_BOARD])
{
    const gfab_board *board = gfab_gen_target(gen);
    gfab_pll pll = {0, 0, 0};
    if (board->fabric_hz != board->clock_hz)
        gfab_pll_find(gfab_gen_family(gen), board->clock_hz, board->fabric_hz, &pll);
    const gfab_board_top top = {board, gen->options->block_roms, gen->options->uart_host};
    const gfab_board_use use = gfab_board_count(gen->machine, &top);
    const gfab_gen_number values[OF_BOARD] = {
        {"CLOCKS_PER_BIT", (board->fabric_hz + board->baud / 2) / board->baud, NULL},
        {"BAUD", board->baud, NULL},
        {"STORE_BLOCKS", use.store_blocks, NULL},
        {"PROGRAM_BLOCKS", use.rom_blocks, NULL},
        {"FREE_BLOCKS", board->ram_blocks - (use.store_blocks + use.rom_blocks), NULL},
        {"RAM_BLOCKS", board->ram_blocks, NULL},
        {"CELLS", use.cells, NULL},
        {"LOGIC_CELLS", board->logic_cells, NULL},
        {"LEDS", board->leds, NULL},
        {"LEDS_ACTIVE_LOW", board->leds_active_low, NULL},
        {"PLL", pll.divide, NULL},
        {"PLL_MULTIPLY", pll.multiply, NULL},
        {"PLL_OUTPUT", pll.output, NULL},
        {"RESET_CYCLES", (uint64_t)board->fabric_hz * RESET_MICROSECONDS / 1000000, NULL},
        {"BLOCK_ROMS", gen->options->block_roms, NULL},
        {"EXPECTED_CYCLES", gen->options->block_roms ? 0 : gen->cycles, NULL},
    };
    memcpy(table, values, sizeof values);
}

void gfab_gen_numbers(const gfab_gen *gen, gfab_gen_number numbers[GFAB_GEN_NUMBERS])
{
    collect_meant(gen, numbers);
    collect_of_streams(gen, numbers + MEANT);
    collect_of_board(gen, numbers + MEANT + OF_STREAMS);
    collect_for_templates(gen, numbers + MEANT + OF_STREAMS + OF_BOARD);
}
