/* SPDX-License-Identifier: MIT */
/* Which boards there are, and what of a fabric fits one. */
#include "gen.h"

#include <string.h>

#define USUAL "hx8k" /* what is counted and measured for where no board is named */

const gfab_board *gfab_board_at(size_t index)
{
    for (const gfab_board *board = gfab_boards; board->name; board++)
        if (index-- == 0)
            return board;
    return NULL;
}

const gfab_board *gfab_board_find(const char *name)
{
    for (const gfab_board *board = gfab_boards; board->name; board++)
        if (strcmp(board->name, name) == 0)
            return board;
    return NULL;
}

const gfab_board *gfab_gen_target(const gfab_gen *gen)
{
    return gen->options->board ? gen->options->board : gfab_board_find(USUAL);
}

const gfab_family *gfab_gen_family(const gfab_gen *gen)
{
    return gfab_family_find(gfab_gen_target(gen)->family);
}

static const gfab_family *family_of(const gfab_board_top *top)
{
    return gfab_family_find((top->board ? top->board : gfab_board_find(USUAL))->family);
}

/* Blocks for a RAM of 2^address_bits words: in the shape that takes the fewest. */
static uint64_t count_blocks(const gfab_ram *ram, uint32_t address_bits, uint64_t width)
{
    uint64_t fewest = UINT64_MAX;
    uint32_t held_bits = ram->address_bits;
    for (uint32_t held_width = ram->width; held_width >= ram->least_width; held_width /= 2, held_bits++) {
        const uint64_t rows = address_bits > held_bits ? (uint64_t)1 << (address_bits - held_bits) : 1;
        const uint64_t blocks = rows * ((width + held_width - 1) / held_width);
        fewest = blocks < fewest ? blocks : fewest;
    }
    return fewest;
}

/* Stores, so many of them with so many slots (rounds, in wide nodes) of the machine's words. */
static gfab_board_use count_stores(const gfab_ram *ram, const gfab_timing *timing, uint64_t stores, size_t slots)
{
    uint32_t address_bits = 1;
    while ((size_t)1 << address_bits < slots)
        address_bits++;
    for (uint32_t words = 1; words < timing->words; words *= 2)
        address_bits++;
    const uint64_t bits = (uint64_t)timing->word_bits << address_bits;
    const uint64_t blocks = count_blocks(ram, address_bits, timing->word_bits);
    if (bits <= blocks * ram->logic_bits)
        return (gfab_board_use){.flip_flops = stores * bits};
    return (gfab_board_use){.store_blocks = stores * blocks};
}

/* With twins all is there twice. */
static uint64_t fabrics_of(const gfab_machine *machine)
{
    return gfab_layout_has_twins(gfab_machine_layout(machine)) ? 2 : 1;
}

/* So many ROMs of programs; in the first the fabric's sequence is read, too, from the others ops alone. Nodes with
 * paths have a copy each, of which they read what they receive. */
static uint64_t count_roms(const gfab_ram *ram, const gfab_machine *machine, uint64_t roms, uint64_t nodes)
{
    const gfab_image *image = gfab_machine_image(machine);
    const uint32_t op_bits = gfab_machine_word_bits(machine);
    uint32_t address_bits = 0;
    while ((size_t)1 << address_bits < gfab_machine_word_count(machine))
        address_bits++;
    const uint64_t copies = gfab_machine_timing(machine)->paths ? nodes : 0;
    return fabrics_of(machine) *
           (copies * count_blocks(ram, address_bits, op_bits / 2) +
            (roms - 1) * count_blocks(ram, address_bits, op_bits) +
            count_blocks(ram, address_bits, op_bits + GFAB_SEQUENCE_GAP + gfab_image_gap_bits(image)));
}

/* RAMs of a node. What is combined, if not in place of what is sent, is read from a copy. */
static uint64_t stores_of(const gfab_machine *machine)
{
    const gfab_banks *banks = gfab_machine_banks(machine);
    const gfab_layout *layout = gfab_machine_layout(machine);
    const uint64_t copies = gfab_layout_combines(layout) && (banks || gfab_layout_full_duplex(layout)) ? 2 : 1;
    return fabrics_of(machine) * copies * (banks ? gfab_banks_crossbar(banks)->banks : 1);
}

/* Slots of a node's store, or addresses of a wide node's banks. */
static size_t slots_of(const gfab_machine *machine, size_t node)
{
    return gfab_machine_banks(machine) ? (size_t)1 << gfab_banks_address_bits(gfab_machine_banks(machine))
                                       : gfab_layout_node_slots(gfab_machine_layout(machine), node);
}

/* Is it one of those that cells are known of? */
static bool has_known_cells(const gfab_machine *machine, const gfab_board_top *top)
{
    const gfab_layout *layout = gfab_machine_layout(machine);
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_image *image = gfab_machine_image(machine);
    const bool blocks_tested = gfab_layout_blocks(layout) && !top->uart_host;
    return !blocks_tested && top->board && family_of(top)->cells.lane_bit > 0 && !timing->wide &&
           gfab_layout_protect(layout) == GFAB_PROTECT_NONE && timing->parts == 1 && timing->latency_cycles == 0 &&
           !gfab_layout_full_duplex(layout) && !gfab_layout_paths(layout) && gfab_image_gap_bits(image) == 0 &&
           gfab_layout_operator(layout) <= GFAB_OPERATOR_SUM;
}

/* Those of the board top, and of the fabric. */
static void count_cells(const gfab_machine *machine, const gfab_board_top *top, uint64_t cells[2])
{
    const gfab_cells *cost = &family_of(top)->cells;
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_image *image = gfab_machine_image(machine);
    const uint64_t lanes = 2 * gfab_topology_link_count(gfab_machine_topology(machine));
    const uint64_t op_bits = gfab_machine_sharing(machine)->roms * gfab_image_op_bits(image);
    uint64_t rounds = 0;
    for (size_t program = 0; program < gfab_machine_program_count(machine); program++)
        rounds += gfab_machine_program_at(machine, program)->rounds + 1;
    uint64_t hundredths = op_bits * cost->op_bit;
    hundredths += lanes * timing->link_bits * (cost->lane_bit + (timing->skewed ? cost->skewed_bit : 0));
    if (gfab_layout_combines(gfab_machine_layout(machine)))
        hundredths += lanes * cost->combining;
    if (!top->block_roms)
        hundredths += op_bits * rounds * timing->lanes * cost->rom_bit;
    cells[0] = (top->uart_host ? cost->host : cost->self_test) / 100;
    cells[1] = hundredths / 100;
}

gfab_board_use gfab_board_count(const gfab_machine *machine, const gfab_board_top *top)
{
    const gfab_ram *ram = &family_of(top)->ram;
    const uint64_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    gfab_board_use use = {0};
    for (size_t node = 0; node < nodes; node++) {
        const gfab_board_use one =
            count_stores(ram, gfab_machine_timing(machine), stores_of(machine), slots_of(machine, node));
        use.store_blocks += one.store_blocks;
        use.flip_flops += one.flip_flops;
    }
    use.rom_blocks = top->block_roms ? count_roms(ram, machine, gfab_machine_sharing(machine)->roms, nodes) : 0;
    if (has_known_cells(machine, top)) {
        uint64_t cells[2];
        count_cells(machine, top, cells);
        use.cells = cells[0] + cells[1];
    }
    return use;
}

uint32_t gfab_board_narrower(const gfab_machine *machine, const gfab_board_top *top, uint64_t *blocks)
{
    const gfab_layout *layout = gfab_machine_layout(machine);
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_ram *ram = &family_of(top)->ram;
    const size_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    const size_t slots = gfab_layout_blocks(layout) ? gfab_layout_blocks(layout) : nodes * timing->parts;
    const uint64_t copies = gfab_layout_combines(layout) && gfab_layout_full_duplex(layout) ? 2 : 1;
    if (timing->merges > 0 || gfab_topology_marks(gfab_machine_topology(machine)) & GFAB_MARK_PARALLEL)
        return 0; /* these are of wide nodes alone */
    for (uint32_t link_bits = timing->link_bits - 1; link_bits > 0; link_bits--) {
        const uint32_t flits = timing->part_bits / link_bits;
        if (timing->part_bits % link_bits != 0 || flits < 2 * timing->lanes)
            continue;
        const gfab_timing narrow = {.words = (flits + timing->lanes - 1) / timing->lanes,
                                    .word_bits = timing->lanes * link_bits};
        const gfab_board_use use = count_stores(ram, &narrow, nodes * fabrics_of(machine) * copies, slots);
        *blocks = use.store_blocks;
        if (gfab_board_holds(top->board, &use, 100))
            return link_bits;
    }
    return 0;
}

bool gfab_board_holds(const gfab_board *board, const gfab_board_use *use, uint32_t percent)
{
    return use->store_blocks + use->rom_blocks <= board->ram_blocks && use->flip_flops <= board->logic_cells &&
           use->cells * percent <= (uint64_t)board->logic_cells * 100;
}

uint64_t gfab_board_fit(const gfab_machine *machine, const gfab_board_top *top)
{
    const gfab_ram *ram = &family_of(top)->ram;
    const gfab_timing *timing = gfab_machine_timing(machine);
    const uint64_t stores = stores_of(machine);
    const uint64_t all = gfab_topology_node_count(gfab_machine_topology(machine));
    uint64_t cells[2] = {0, 0};
    if (has_known_cells(machine, top))
        count_cells(machine, top, cells);
    const uint64_t roms = gfab_machine_sharing(machine)->roms;
    uint64_t nodes = all;
    for (; nodes > 0; nodes--) {
        gfab_board_use use = count_stores(ram, timing, nodes * stores, nodes * timing->parts);
        use.rom_blocks = top->block_roms ? count_roms(ram, machine, (roms * nodes + all - 1) / all, nodes) : 0;
        use.cells = cells[0] + cells[1] * nodes / all;
        if (gfab_board_holds(top->board, &use, 100))
            break;
    }
    return nodes;
}
