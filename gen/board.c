/* SPDX-License-Identifier: MIT */
/* The table of boards. A board needs an entry here and constraints/<name>.pcf. */
#include <gossipfab/gen/fabric.h>
#include <string.h>

/* Yosys 0.23 takes a RAM block to be worth so many bits of flip-flops (ice40/brams.txt, cost 64; memory_libmap). */
#define LOGIC_BITS_A_BLOCK 64u

static const gfab_board boards[] = {
    {"hx8k", "Lattice iCE40-HX8K breakout board", "ice40hx8k-ct256", 12000000, 32, 7680},
};

const gfab_board *gfab_board_at(size_t index)
{
    return index < sizeof boards / sizeof boards[0] ? &boards[index] : NULL;
}

const gfab_board *gfab_board_find(const char *name)
{
    for (size_t i = 0; gfab_board_at(i); i++)
        if (strcmp(boards[i].name, name) == 0)
            return &boards[i];
    return NULL;
}

/* Blocks for a RAM of 2^address_bits words: in the shape that takes the fewest. */
static uint64_t count_blocks(uint32_t address_bits, uint64_t width)
{
    uint64_t fewest = UINT64_MAX;
    for (uint32_t shape = 0; shape < 4; shape++) { /* 256 x 16 to 2048 x 2 */
        const uint32_t held_bits = 8 + shape, held_width = 16u >> shape;
        const uint64_t rows = address_bits > held_bits ? (uint64_t)1 << (address_bits - held_bits) : 1;
        const uint64_t blocks = rows * ((width + held_width - 1) / held_width);
        fewest = blocks < fewest ? blocks : fewest;
    }
    return fewest;
}

/* A node's stores, where it has so many of them with so many slots (rounds, in wide nodes) of the machine's words. */
static gfab_board_use count_stores(const gfab_timing *timing, uint64_t stores, size_t slots)
{
    uint32_t address_bits = 1;
    while ((size_t)1 << address_bits < slots)
        address_bits++;
    for (uint32_t words = 1; words < timing->words; words *= 2)
        address_bits++;
    const uint64_t bits = (uint64_t)timing->word_bits << address_bits;
    const uint64_t blocks = count_blocks(address_bits, timing->word_bits);
    if (bits <= blocks * LOGIC_BITS_A_BLOCK)
        return (gfab_board_use){.flip_flops = stores * bits};
    return (gfab_board_use){.store_blocks = stores * blocks};
}

static uint64_t count_rom_blocks(const gfab_image *image)
{
    uint32_t address_bits = 0;
    while ((size_t)1 << address_bits < gfab_image_word_count(image))
        address_bits++;
    return count_blocks(address_bits, (gfab_image_op_bits(image) + 3) / 4 * 4);
}

gfab_board_use gfab_board_count(const gfab_machine *machine, bool block_roms)
{
    const gfab_banks *banks = gfab_machine_banks(machine);
    const uint64_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    gfab_board_use use = count_stores(
        gfab_machine_timing(machine), nodes * (banks ? gfab_banks_crossbar(banks)->banks : 1),
        banks ? (size_t)1 << gfab_machine_round_bits(machine) : gfab_layout_slot_count(gfab_machine_layout(machine)));
    use.rom_blocks = block_roms ? nodes * count_rom_blocks(gfab_machine_image(machine)) : 0;
    return use;
}

uint64_t gfab_board_fit(const gfab_machine *machine, bool block_roms, const gfab_board *board)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_banks *banks = gfab_machine_banks(machine);
    const uint64_t stores = banks ? gfab_banks_crossbar(banks)->banks : 1;
    uint64_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    for (; nodes > 0; nodes--) {
        const gfab_board_use use = count_stores(timing, nodes * stores, nodes * timing->parts);
        const uint64_t roms = block_roms ? nodes * count_rom_blocks(gfab_machine_image(machine)) : 0;
        if (use.store_blocks + roms <= board->ram_blocks && use.flip_flops <= board->logic_cells)
            break;
    }
    return nodes;
}
