/* SPDX-License-Identifier: MIT */
/* A machine keeps together what one fabric consists of - layout, images, wide programs, timing - and counts what it
 * takes: cycles, bits of stores, bits of ROMs. Parts are borrowed, or its own where the compiler or a reader made them
 * for it. The C model and the generator get a machine and nothing else: the rounds of each program are counted from
 * its halt in the ROM, as the hardware finds them, and not taken from a schedule. */
#include "machine_internal.h"

#include "base/tells.h"

#include <assert.h>
#include <stdlib.h>

/* Rounds of a program before its halt; all that the ROM holds where there is none. */
static uint32_t count_rounds(const gfab_machine *machine, size_t program)
{
    if (machine->banks && gfab_banks_halt(machine->banks, program))
        return gfab_banks_halt(machine->banks, program) - gfab_banks_first_round(machine->banks, program) - 1;
    return machine->image ? gfab_image_rounds(machine->image, program)
                          : (uint32_t)1 << gfab_machine_round_bits(machine);
}

/* Idle cycles behind the rounds of a program. */
static uint64_t count_gap_cycles(const gfab_machine *machine, size_t program)
{
    if (!machine->banks)
        return gfab_image_gap_cycles(machine->image, program);
    const uint32_t first = gfab_banks_first_round(machine->banks, program);
    uint64_t cycles = 0;
    for (uint32_t round = first + 1; round <= first + count_rounds(machine, program); round++)
        cycles += gfab_banks_gap(machine->banks, round);
    return cycles;
}

/* What is known of it before gfab_machine_set_goal. */
static gfab_goal default_goal(const gfab_machine *machine, size_t program)
{
    gfab_goal goal = gfab_goal_default(gfab_topology_member_count(gfab_machine_topology(machine)));
    if (gfab_layout_blocks(machine->layout))
        goal.blocks = 0;
    return machine->banks && gfab_layout_blocks(machine->layout) ? gfab_banks_goal(machine->banks, program) : goal;
}

static void list_programs(gfab_machine *machine)
{
    machine->program_count =
        machine->banks ? gfab_banks_program_count(machine->banks) : gfab_image_program_count(machine->image);
    for (size_t i = 0; i < machine->program_count; i++) {
        const uint32_t rounds = count_rounds(machine, i);
        machine->programs[i] = (gfab_machine_program){
            .goal = default_goal(machine, i),
            .first_round =
                machine->banks ? gfab_banks_first_round(machine->banks, i) : gfab_image_first_round(machine->image, i),
            .rounds = rounds,
            .cycles = gfab_timing_gossip_cycles(&machine->timing, rounds) + count_gap_cycles(machine, i),
        };
    }
}

static bool fits(const gfab_layout *layout, const gfab_timing *timing)
{
    return timing->lanes == gfab_layout_lane_count(layout) && (timing->wide != 0) == gfab_layout_wide(layout) &&
           (timing->paths != 0) == gfab_layout_paths(layout) && timing->parts == gfab_layout_parts(layout);
}

gfab_status gfab_machine_create(const gfab_image *image, const gfab_banks *banks, const gfab_timing *timing,
                                gfab_machine **machine)
{
    if (!image && !banks)
        return GFAB_ERR_INVALID;
    const gfab_layout *layout = image ? gfab_image_layout(image) : gfab_banks_layout(banks);
    if (!fits(layout, timing) || !banks == (timing->wide != 0))
        return GFAB_ERR_INVALID;
    if (image && banks && gfab_image_program_count(image) != gfab_banks_program_count(banks))
        return GFAB_ERR_INVALID;
    gfab_machine *made = calloc(1, sizeof *made);
    GFAB_NEED(made);
    made->timing = *timing;
    made->layout = layout;
    made->image = image;
    made->banks = banks;
    const gfab_status status = image ? gfab_sharing_create(image, &made->sharing) : GFAB_OK;
    if (status != GFAB_OK) {
        gfab_machine_destroy(made);
        return status;
    }
    list_programs(made);
    *machine = made;
    return GFAB_OK;
}

void gfab_machine_own(gfab_machine *machine, gfab_layout *layout, gfab_image *image, gfab_banks *banks)
{
    machine->own_layout = layout;
    machine->own_image = image;
    machine->own_banks = banks;
}

void gfab_machine_own_messages(gfab_machine *machine, size_t program, gfab_message *messages, size_t count)
{
    machine->messages[program] = messages;
    machine->message_count[program] = count;
}

const gfab_message *gfab_machine_messages(const gfab_machine *machine, size_t program, size_t *count)
{
    assert(program < machine->program_count);
    *count = machine->message_count[program];
    return machine->messages[program];
}

void gfab_machine_destroy(gfab_machine *machine)
{
    if (!machine)
        return;
    for (size_t i = 0; i < GFAB_MAX_PROGRAMS; i++)
        free(machine->messages[i]);
    gfab_sharing_destroy(machine->sharing);
    gfab_banks_destroy(machine->own_banks);
    gfab_image_destroy(machine->own_image);
    gfab_layout_destroy(machine->own_layout);
    free(machine);
}

gfab_status gfab_machine_check(const gfab_machine *machine, gfab_diag *diag)
{
    if (machine->image)
        GFAB_TRY(gfab_image_check(machine->image, &machine->timing, NULL, NULL, diag));
    return machine->banks ? gfab_banks_check(machine->banks, &machine->timing, NULL, diag) : GFAB_OK;
}

const gfab_topology *gfab_machine_topology(const gfab_machine *machine)
{
    return gfab_layout_topology(machine->layout);
}

GFAB_TELLS(const gfab_layout *, gfab_machine_layout, gfab_machine, layout)

const gfab_timing *gfab_machine_timing(const gfab_machine *machine)
{
    return &machine->timing;
}

GFAB_TELLS(const gfab_image *, gfab_machine_image, gfab_machine, image)
GFAB_TELLS(const gfab_sharing *, gfab_machine_sharing, gfab_machine, sharing)
GFAB_TELLS(const gfab_banks *, gfab_machine_banks, gfab_machine, banks)

void gfab_machine_set_goal(gfab_machine *machine, size_t program, const gfab_goal *goal)
{
    assert(program < machine->program_count);
    machine->programs[program].goal = *goal;
}

GFAB_TELLS(size_t, gfab_machine_program_count, gfab_machine, program_count)

const gfab_machine_program *gfab_machine_program_at(const gfab_machine *machine, size_t program)
{
    assert(program < machine->program_count);
    return &machine->programs[program];
}

uint32_t gfab_machine_rounds(const gfab_machine *machine)
{
    return machine->programs[0].rounds;
}

uint32_t gfab_machine_round_bits(const gfab_machine *machine)
{
    return machine->banks ? gfab_banks_round_bits(machine->banks) : gfab_image_round_bits(machine->image);
}

uint64_t gfab_machine_gap_cycles(const gfab_machine *machine)
{
    return count_gap_cycles(machine, 0);
}

uint64_t gfab_machine_cycles(const gfab_machine *machine)
{
    return machine->programs[0].cycles;
}

static uint64_t bits_of_slots(const gfab_machine *machine, uint64_t slots)
{
    const gfab_timing *timing = &machine->timing;
    const uint32_t check_bits = gfab_layout_has_checks(machine->layout); /* of a word */
    return slots * timing->words * (timing->word_bits + check_bits);
}

uint64_t gfab_machine_store_bits(const gfab_machine *machine)
{
    return bits_of_slots(machine, machine->banks ? (uint64_t)gfab_banks_crossbar(machine->banks)->banks
                                                       << gfab_banks_address_bits(machine->banks)
                                                 : gfab_layout_slot_count(machine->layout));
}

uint64_t gfab_machine_relay_store_bits(const gfab_machine *machine)
{
    const gfab_topology *topology = gfab_machine_topology(machine);
    uint64_t slots = 0;
    for (size_t node = 0; node < gfab_topology_node_count(topology); node++)
        if (gfab_topology_is_relay(topology, node))
            slots += gfab_layout_node_slots(machine->layout, node);
    return bits_of_slots(machine, slots);
}

size_t gfab_machine_word_count(const gfab_machine *machine)
{
    return machine->banks ? (size_t)1 << gfab_banks_round_bits(machine->banks) : gfab_image_word_count(machine->image);
}

uint32_t gfab_machine_word_bits(const gfab_machine *machine)
{
    return machine->banks ? gfab_banks_word_bits(machine->banks) : gfab_image_op_bits(machine->image);
}

uint64_t gfab_machine_rom_bits(const gfab_machine *machine)
{
    return (uint64_t)gfab_machine_word_count(machine) * gfab_machine_word_bits(machine);
}

uint64_t gfab_machine_program_bits(const gfab_machine *machine)
{
    const size_t programs =
        machine->sharing ? machine->sharing->programs : gfab_topology_node_count(gfab_machine_topology(machine));
    return programs * gfab_machine_rom_bits(machine);
}
