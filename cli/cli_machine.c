/* SPDX-License-Identifier: MIT */
/* From a schedule to checked ROM images: what generate, simulate and show --rom need. */
#include "cli_machine.h"

#include <stdlib.h>
#include <string.h>

cli_machine cli_machine_default(void)
{
    cli_machine machine;
    memset(&machine, 0, sizeof machine);
    machine.token_bits = 32;
    machine.link_bits = 2;
    machine.frame = "auto";
    machine.store = "auto";
    return machine;
}

void cli_machine_release(cli_machine *machine)
{
    gfab_banks_destroy(machine->banks);
    gfab_sharing_destroy(machine->sharing);
    gfab_image_destroy(machine->image);
    gfab_program_destroy(machine->program);
    gfab_layout_destroy(machine->slots);
    machine->banks = NULL;
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
    gfab_status status = gfab_layout_set_frame(machine->slots, frame, &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, "--frame", &diag);
    status = gfab_program_lower_timed(source->schedule, machine->slots, &machine->timing, machine->gap_cycles,
                                      &machine->program, &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, "the hardware cannot play this schedule", &diag);
    const uint32_t rounds = gfab_program_rounds(machine->program);
    uint32_t round_bits = 0;
    if (machine->rom_rounds != 0) {
        if (machine->rom_rounds < (uint64_t)rounds + 1) {
            return cli_error(verb, "--rom-rounds %u is too few: the schedule's %u rounds and the halt take %llu",
                             machine->rom_rounds, rounds, (unsigned long long)rounds + 1);
        }
        while (((uint64_t)1 << round_bits) < machine->rom_rounds)
            round_bits++;
    }
    status = gfab_program_assemble(machine->program, round_bits, &machine->image, &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, "ROM images", &diag);
    status = gfab_image_check(machine->image, &machine->timing, &machine->rounds, &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, "ROM images", &diag);
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
        const bool wide = gfab_layout_wide(machine->slots) && frames[i] == GFAB_FRAME_ROTATED;
        if (wide || gfab_layout_paths(machine->slots)) {
            if (named) {
                return cli_error(verb,
                                 wide ? "--frame %s: wide nodes have their lanes in one order; give auto or absolute"
                                      : "--frame %s: with paths every node has a program of its own; give absolute",
                                 machine->frame);
            }
            continue;
        }
        if (!named && !(automatic && gfab_layout_set_frame(machine->slots, frames[i], NULL) == GFAB_OK))
            continue;
        const int status = assemble(verb, source, frames[i], machine);
        if (status != CLI_GO_ON || named || machine->sharing->roms < nodes)
            return status;
    }
    if (!automatic && strcmp(machine->frame, gfab_frame_name(GFAB_FRAME_ABSOLUTE)) != 0)
        return cli_error(verb, "--frame: unknown frame '%s'; give auto, absolute, relative or rotated", machine->frame);
    return assemble(verb, source, GFAB_FRAME_ABSOLUTE, machine);
}

/* The model of the schedule, made or to be made, and whether its hop_rounds are settled. */
static gfab_model known_model(const cli_source *source, bool *hop_known)
{
    *hop_known = source->schedule || source->hop_rounds_given;
    return source->schedule ? *gfab_schedule_model(source->schedule) : source->model;
}

/* Narrow where the token has the flits for it, or the schedule is one for shorter hops than wide nodes have, or cuts
 * tokens. */
static bool is_wide(const cli_source *source, const cli_machine *machine)
{
    bool hop_known;
    const gfab_model model = known_model(source, &hop_known);
    const uint64_t flits = machine->token_bits / machine->link_bits;
    if (strcmp(machine->store, "auto") != 0)
        return strcmp(machine->store, "wide") == 0;
    return flits < 2 * gfab_topology_max_degree(source->topology) && machine->gap_cycles == 0 &&
           model.packet_tokens == 1 && model.routing == GFAB_ROUTING_STORE_AND_FORWARD &&
           (!source->schedule || gfab_schedule_parts(source->schedule) == 1) &&
           (!hop_known || model.hop_rounds * flits >= 2 + (uint64_t)machine->latency_cycles);
}

static int make_slots(const char *verb, cli_source *source, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    bool hop_known;
    const gfab_model model = known_model(source, &hop_known);
    const bool wide = is_wide(source, machine);
    gfab_status result = (wide ? gfab_layout_create_wide : gfab_layout_create)(source->topology, &machine->slots);
    if (result != GFAB_OK)
        return cli_fail(verb, result, NULL, NULL);
    gfab_layout_set_full_duplex(machine->slots, model.link_mode == GFAB_LINK_FULL);
    gfab_layout_set_paths(machine->slots, model.routing == GFAB_ROUTING_WORMHOLE);
    if (wide && model.routing == GFAB_ROUTING_WORMHOLE)
        return cli_error(verb, "--store wide does not pass flits on; give --store narrow with --routing wormhole");
    if (wide && machine->gap_cycles != 0)
        return cli_error(verb, "--store wide has no gaps; leave --gap out or give --store narrow");
    if (wide) {
        result =
            gfab_timing_compute_wide(machine->slots, machine->token_bits, machine->link_bits, machine->latency_cycles,
                                     hop_known ? model.hop_rounds : 0, &machine->timing, &diag);
    } else {
        result = gfab_timing_compute_latency(machine->slots, machine->token_bits, machine->link_bits,
                                             machine->latency_cycles, &machine->timing, &diag);
    }
    if (result != GFAB_OK) {
        char where[80];
        snprintf(where, sizeof where, "--token-bits %u --link-bits %u", machine->token_bits, machine->link_bits);
        return cli_fail(verb, result, where, &diag);
    }
    if (!hop_known)
        source->model.hop_rounds = machine->timing.hop_rounds;
    return CLI_GO_ON;
}

/* Once the schedule is there, which says what narrow nodes must do. Paths are built where it has some: without them a
 * fabric is smaller and its rounds need no drain. */
static int finish_slots(const char *verb, const cli_source *source, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    const uint32_t parts = gfab_schedule_parts(source->schedule);
    if (machine->timing.wide && parts > 1)
        return cli_error(verb, "--store wide: the schedule cuts tokens in %u parts; give --store narrow", parts);
    if (machine->timing.wide)
        return CLI_GO_ON;
    if (gfab_layout_set_parts(machine->slots, parts, &diag) != GFAB_OK)
        return cli_fail(verb, GFAB_ERR_LIMIT, NULL, &diag);
    if (machine->any_width)
        machine->token_bits -= machine->token_bits % parts;
    const bool full = gfab_schedule_model(source->schedule)->link_mode == GFAB_LINK_FULL;
    gfab_layout_set_paths(machine->slots, false);
    gfab_layout_set_full_duplex(machine->slots, full);
    gfab_layout_set_paths(machine->slots, source->report.path_links > source->report.startups);
    const gfab_status result = gfab_timing_compute_latency(machine->slots, machine->token_bits, machine->link_bits,
                                                           machine->latency_cycles, &machine->timing, &diag);
    return result == GFAB_OK ? CLI_GO_ON : cli_fail(verb, result, "the hardware cannot play this schedule", &diag);
}

/* Where any solver will do, one whose schedules need few banks. */
static void choose_solver(cli_source *source, const cli_machine *machine)
{
    if (machine->timing.wide && strcmp(source->solver_name, "auto") == 0 &&
        gfab_solver_find("torus-bank")->applies(source->topology, &source->model, NULL) == GFAB_OK)
        source->solver_name = "torus-bank";
}

static int assign_banks(const char *verb, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    gfab_status status = gfab_banks_fit(machine->image, &machine->banks, &diag);
    if (status == GFAB_OK)
        status = gfab_banks_check(machine->banks, &machine->timing, NULL, &diag);
    return status == GFAB_OK ? CLI_GO_ON : cli_fail(verb, status, "--store wide", &diag);
}

int cli_machine_build(const char *verb, cli_source *source, cli_machine *machine)
{
    static const char *const stores[] = {"auto", "narrow", "wide"};
    size_t store = 0;
    while (store < 3 && strcmp(machine->store, stores[store]) != 0)
        store++;
    if (store == 3)
        return cli_error(verb, "--store: unknown store '%s'; give auto, narrow or wide", machine->store);
    int status = !source->topology ? cli_source_open(verb, source) : CLI_GO_ON;
    if (status == CLI_GO_ON)
        status = make_slots(verb, source, machine);
    if (status == CLI_GO_ON) {
        choose_solver(source, machine);
        status = cli_source_load(verb, source);
    }
    if (status == CLI_GO_ON)
        status = finish_slots(verb, source, machine);
    if (status == CLI_GO_ON)
        status = assemble_framed(verb, source, machine);
    return status == CLI_GO_ON && machine->timing.wide ? assign_banks(verb, machine) : status;
}

uint64_t cli_machine_store_bits(const cli_machine *machine)
{
    const gfab_timing *timing = &machine->timing;
    if (machine->banks) {
        return ((uint64_t)gfab_banks_crossbar(machine->banks)->banks << gfab_banks_round_bits(machine->banks)) *
               timing->words * timing->word_bits;
    }
    return (uint64_t)gfab_layout_slot_count(machine->slots) * timing->words * timing->word_bits;
}

uint64_t cli_machine_rom_bits(const cli_machine *machine)
{
    if (machine->banks)
        return (uint64_t)gfab_banks_word_bits(machine->banks) << gfab_banks_round_bits(machine->banks);
    return (uint64_t)gfab_image_word_count(machine->image) * gfab_image_op_bits(machine->image);
}

uint64_t cli_machine_program_bits(const cli_machine *machine)
{
    return machine->sharing->programs * cli_machine_rom_bits(machine);
}

void cli_print_timing(FILE *file, const cli_machine *machine)
{
    const gfab_timing *timing = &machine->timing;
    if (timing->parts > 1) {
        fprintf(file, "tokens       W = %u bits in P = %u parts over links of L = %u bits: W/(PL) = %u flits\n",
                timing->token_bits, timing->parts, timing->link_bits, timing->token_flits);
    } else {
        fprintf(file, "tokens       W = %u bits over links of L = %u bits: W/L = %u flits\n", timing->token_bits,
                timing->link_bits, timing->token_flits);
    }
    fprintf(file, "round        F = %u cycles: %u flits and %u cycles of padding (K = %u lanes a node)\n",
            timing->cycles_per_round, timing->token_flits, timing->cycles_per_round - timing->token_flits,
            timing->lanes);
    if (machine->banks) {
        const gfab_crossbar *crossbar = gfab_banks_crossbar(machine->banks);
        fprintf(file, "hop          %u cycles%s, so that a token waits %u round%s\n",
                3 - timing->direct + timing->latency_cycles,
                timing->direct ? "" : ", one of them for a register before the link", timing->hop_rounds,
                timing->hop_rounds == 1 ? "" : "s");
        fprintf(file, "nodes        wide, %s: %u bank%s, crossbar %s\n",
                timing->token_flits < 2 * timing->lanes ? "as W/L is less than 2K" : "as asked", crossbar->banks,
                crossbar->banks == 1 ? "" : "s", gfab_crossbar_name(crossbar->kind));
    }
    if (timing->latency_cycles != 0)
        fprintf(file, "links        l = %u cycles of latency\n", timing->latency_cycles);
    const uint64_t gaps = gfab_image_gap_cycles(machine->image);
    fprintf(file, "cycles       R x F + c%s = %u x %u + %u", gaps != 0 ? " + gaps" : "", machine->rounds,
            timing->cycles_per_round, timing->overhead_cycles);
    if (gaps != 0)
        fprintf(file, " + %llu", (unsigned long long)gaps);
    fprintf(file, " = %llu\n", (unsigned long long)gfab_image_gossip_cycles(machine->image, timing, machine->rounds));
}

json_t *cli_json_timing(const cli_machine *machine)
{
    const gfab_timing *timing = &machine->timing;
    json_t *object = cli_json_object();
    cli_json_int(object, "token_bits", timing->token_bits);
    cli_json_int(object, "parts", timing->parts);
    cli_json_int(object, "link_bits", timing->link_bits);
    cli_json_int(object, "lanes", timing->lanes);
    cli_json_int(object, "token_flits", timing->token_flits);
    cli_json_int(object, "padding_cycles", timing->cycles_per_round - timing->token_flits);
    cli_json_int(object, "cycles_per_round", timing->cycles_per_round);
    cli_json_int(object, "words", timing->words);
    cli_json_int(object, "word_bits", timing->word_bits);
    cli_json_text(object, "store", timing->wide ? "wide" : "narrow");
    if (machine->banks) {
        cli_json_int(object, "banks", gfab_banks_crossbar(machine->banks)->banks);
        cli_json_text(object, "crossbar", gfab_crossbar_name(gfab_banks_crossbar(machine->banks)->kind));
    }
    cli_json_int(object, "hop_rounds", timing->hop_rounds);
    cli_json_int(object, "overhead_cycles", timing->overhead_cycles);
    cli_json_int(object, "latency_cycles", timing->latency_cycles);
    cli_json_int(object, "program_rounds", machine->rounds);
    cli_json_int(object, "gap_cycles", gfab_image_gap_cycles(machine->image));
    cli_json_int(object, "formula_cycles", gfab_image_gossip_cycles(machine->image, timing, machine->rounds));
    return object;
}
