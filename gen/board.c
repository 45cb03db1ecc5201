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

static const gfab_ram *board_ram(const gfab_board *board)
{
    return &gfab_family_find((board ? board : gfab_board_find(USUAL))->family)->ram;
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

/* A node's stores, where it has so many of them with so many slots (rounds, in wide nodes) of the machine's words. */
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

static uint64_t count_rom_blocks(const gfab_ram *ram, const gfab_image *image)
{
    uint32_t address_bits = 0;
    while ((size_t)1 << address_bits < gfab_image_word_count(image))
        address_bits++;
    return count_blocks(ram, address_bits, (gfab_image_op_bits(image) + 3) / 4 * 4);
}

/* RAMs of a node. What is combined, if not in place of what is sent, is read from a copy. */
static uint64_t stores_of(const gfab_machine *machine)
{
    const gfab_banks *banks = gfab_machine_banks(machine);
    const gfab_layout *layout = gfab_machine_layout(machine);
    const uint64_t copies = gfab_layout_combines(layout) && (banks || gfab_layout_full_duplex(layout)) ? 2 : 1;
    return copies * (banks ? gfab_banks_crossbar(banks)->banks : 1);
}

gfab_board_use gfab_board_count(const gfab_machine *machine, bool block_roms, const gfab_board *board)
{
    const gfab_ram *ram = board_ram(board);
    const gfab_banks *banks = gfab_machine_banks(machine);
    const uint64_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    gfab_board_use use = count_stores(ram, gfab_machine_timing(machine), nodes * stores_of(machine),
                                      banks ? (size_t)1 << gfab_machine_round_bits(machine)
                                            : gfab_layout_slot_count(gfab_machine_layout(machine)));
    use.rom_blocks = block_roms ? nodes * count_rom_blocks(ram, gfab_machine_image(machine)) : 0;
    return use;
}

uint64_t gfab_board_fit(const gfab_machine *machine, bool block_roms, const gfab_board *board)
{
    const gfab_ram *ram = board_ram(board);
    const gfab_timing *timing = gfab_machine_timing(machine);
    const uint64_t stores = stores_of(machine);
    uint64_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    for (; nodes > 0; nodes--) {
        const gfab_board_use use = count_stores(ram, timing, nodes * stores, nodes * timing->parts);
        const uint64_t roms = block_roms ? nodes * count_rom_blocks(ram, gfab_machine_image(machine)) : 0;
        if (use.store_blocks + roms <= board->ram_blocks && use.flip_flops <= board->logic_cells)
            break;
    }
    return nodes;
}
