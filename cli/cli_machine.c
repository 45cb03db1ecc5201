/* SPDX-License-Identifier: MIT */
/* From a schedule to checked ROM images: what generate, simulate and show --rom need. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

cli_machine cli_machine_default(void)
{
    cli_machine machine;
    memset(&machine, 0, sizeof machine);
    machine.token_bits = 32;
    machine.link_bits = 2;
    machine.frame = "auto";
    return machine;
}

void cli_machine_release(cli_machine *machine)
{
    gfab_sharing_destroy(machine->sharing);
    gfab_image_destroy(machine->image);
    gfab_program_destroy(machine->program);
    gfab_slots_destroy(machine->slots);
    machine->sharing = NULL;
    machine->image = NULL;
    machine->program = NULL;
    machine->slots = NULL;
}

static int assemble(const char *verb, const cli_source *source, gfab_frame frame, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    gfab_sharing_destroy(machine->sharing);
    gfab_image_destroy(machine->image);
    gfab_program_destroy(machine->program);
    machine->sharing = NULL;
    machine->image = NULL;
    machine->program = NULL;
    gfab_status status = gfab_slots_set_frame(machine->slots, frame, &diag);
    if (status != GFAB_OK) {
        return cli_fail(verb, status, "--frame", &diag);
    }
    status = gfab_program_lower_timed(source->schedule, machine->slots, &machine->timing, machine->gap_cycles,
                                      &machine->program, &diag);
    if (status != GFAB_OK) {
        return cli_fail(verb, status, "the hardware cannot play this schedule", &diag);
    }
    const uint32_t rounds = gfab_program_rounds(machine->program);
    uint32_t round_bits = 0;
    if (machine->rom_rounds != 0) {
        if (machine->rom_rounds < (uint64_t)rounds + 1) {
            return cli_error(verb, "--rom-rounds %u is too few: the schedule's %u rounds and the halt take %llu",
                             machine->rom_rounds, rounds, (unsigned long long)rounds + 1);
        }
        while (((uint64_t)1 << round_bits) < machine->rom_rounds) {
            round_bits++;
        }
    }
    status = gfab_program_assemble(machine->program, round_bits, &machine->image, &diag);
    if (status != GFAB_OK) {
        return cli_fail(verb, status, "ROM images", &diag);
    }
    status = gfab_image_check(machine->image, &machine->timing, &machine->rounds, &diag);
    if (status != GFAB_OK) {
        return cli_fail(verb, status, "ROM images", &diag);
    }
    status = gfab_sharing_create(machine->image, &machine->sharing);
    return status == GFAB_OK ? CLI_GO_ON : cli_fail(verb, status, NULL, NULL);
}

/* Assembles in the frame asked for. "auto" is that of the topology's kind where it lets nodes share ROMs, absolute
 * elsewhere. */
static int assemble_framed(const char *verb, const cli_source *source, cli_machine *machine)
{
    static const gfab_frame frames[] = {GFAB_FRAME_RELATIVE, GFAB_FRAME_ROTATED};
    const size_t nodes = gfab_topology_node_count(source->topology);
    const bool automatic = strcmp(machine->frame, "auto") == 0;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        const bool named = strcmp(machine->frame, gfab_frame_name(frames[i])) == 0;
        if (gfab_slots_paths(machine->slots)) {
            if (named) {
                return cli_error(verb, "--frame %s: with paths every node has a program of its own; give absolute",
                                 machine->frame);
            }
            continue;
        }
        if (!named && !(automatic && gfab_slots_set_frame(machine->slots, frames[i], NULL) == GFAB_OK)) {
            continue;
        }
        const int status = assemble(verb, source, frames[i], machine);
        if (status != CLI_GO_ON || named || machine->sharing->roms < nodes) {
            return status;
        }
    }
    if (!automatic && strcmp(machine->frame, gfab_frame_name(GFAB_FRAME_ABSOLUTE)) != 0) {
        return cli_error(verb, "--frame: unknown frame '%s'; give auto, absolute, relative or rotated", machine->frame);
    }
    return assemble(verb, source, GFAB_FRAME_ABSOLUTE, machine);
}

/* The widths, for the slots as they are. */
static int compute_timing(const char *verb, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    const gfab_status result = gfab_timing_compute_latency(machine->slots, machine->token_bits, machine->link_bits,
                                                           machine->latency_cycles, &machine->timing, &diag);
    if (result == GFAB_OK) {
        return CLI_GO_ON;
    }
    char where[80];
    snprintf(where, sizeof where, "--token-bits %u --link-bits %u", machine->token_bits, machine->link_bits);
    return cli_fail(verb, result, where, &diag);
}

/* Paths are built where the schedule has some: without them a fabric is smaller and its rounds need no drain. */
int cli_machine_build(const char *verb, cli_source *source, cli_machine *machine)
{
    int status = source->topology == NULL ? cli_source_open(verb, source) : CLI_GO_ON;
    if (status != CLI_GO_ON) {
        return status;
    }
    gfab_status result = gfab_slots_create(source->topology, &machine->slots);
    if (result != GFAB_OK) {
        return cli_fail(verb, result, NULL, NULL);
    }
    status = compute_timing(verb, machine);
    if (status == CLI_GO_ON) {
        status = cli_source_load(verb, source);
    }
    if (status == CLI_GO_ON) {
        const gfab_model *model = gfab_schedule_model(source->schedule);
        gfab_slots_set_full_duplex(machine->slots, model->link_mode == GFAB_LINK_FULL);
        gfab_slots_set_paths(machine->slots, source->report.path_links > source->report.startups);
        status = compute_timing(verb, machine);
    }
    return status == CLI_GO_ON ? assemble_framed(verb, source, machine) : status;
}

uint64_t cli_machine_store_bits(const cli_machine *machine)
{
    const gfab_timing *timing = &machine->timing;
    return (uint64_t)gfab_topology_node_count(gfab_slots_topology(machine->slots)) * timing->words * timing->word_bits;
}

uint64_t cli_machine_rom_bits(const cli_machine *machine)
{
    return (uint64_t)gfab_image_word_count(machine->image) * gfab_image_op_bits(machine->image);
}

uint64_t cli_machine_program_bits(const cli_machine *machine)
{
    return machine->sharing->programs * cli_machine_rom_bits(machine);
}

void cli_print_timing(FILE *file, const cli_machine *machine)
{
    const gfab_timing *timing = &machine->timing;
    fprintf(file, "tokens       W = %u bits over links of L = %u bits: W/L = %u flits\n", timing->token_bits,
            timing->link_bits, timing->token_flits);
    fprintf(file, "round        F = %u cycles: %u flits and %u cycles of padding (K = %u lanes a node)\n",
            timing->cycles_per_round, timing->token_flits, timing->cycles_per_round - timing->token_flits,
            timing->lanes);
    if (timing->latency_cycles != 0) {
        fprintf(file, "links        l = %u cycles of latency\n", timing->latency_cycles);
    }
    const uint64_t pauses = gfab_image_pause_cycles(machine->image);
    fprintf(file, "cycles       R x F + c%s = %u x %u + %u", pauses != 0 ? " + pauses" : "", machine->rounds,
            timing->cycles_per_round, timing->overhead_cycles);
    if (pauses != 0) {
        fprintf(file, " + %llu", (unsigned long long)pauses);
    }
    fprintf(file, " = %llu\n",
            (unsigned long long)gfab_image_gossip_cycles(machine->image, timing, machine->rounds));
}

json_t *cli_json_timing(const cli_machine *machine)
{
    const gfab_timing *timing = &machine->timing;
    json_t *object = cli_json_object();
    cli_json_int(object, "token_bits", timing->token_bits);
    cli_json_int(object, "link_bits", timing->link_bits);
    cli_json_int(object, "lanes", timing->lanes);
    cli_json_int(object, "token_flits", timing->token_flits);
    cli_json_int(object, "padding_cycles", timing->cycles_per_round - timing->token_flits);
    cli_json_int(object, "cycles_per_round", timing->cycles_per_round);
    cli_json_int(object, "words", timing->words);
    cli_json_int(object, "word_bits", timing->word_bits);
    cli_json_int(object, "overhead_cycles", timing->overhead_cycles);
    cli_json_int(object, "latency_cycles", timing->latency_cycles);
    cli_json_int(object, "program_rounds", machine->rounds);
    cli_json_int(object, "pause_cycles", gfab_image_pause_cycles(machine->image));
    cli_json_int(object, "formula_cycles", gfab_image_gossip_cycles(machine->image, timing, machine->rounds));
    return object;
}
