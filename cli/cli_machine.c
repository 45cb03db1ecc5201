/* SPDX-License-Identifier: MIT */
/* The library's way from a schedule to a machine, with the command line's options: what generate, simulate and show
 * --rom need. */
#include "cli_machine.h"

#include <string.h>

cli_machine cli_machine_default(void)
{
    return (cli_machine){.options = gfab_machine_options_default(),
                         .frame = "auto",
                         .store = "auto",
                         .protect = "none",
                         .operator_text = ""};
}

void cli_machine_release(cli_machine *machine)
{
    gfab_machine_destroy(machine->machine);
    machine->machine = NULL;
}

static int read_names(const char *verb, cli_machine *machine)
{
    gfab_machine_options *options = &machine->options;
    options->store = GFAB_STORE_AUTO;
    while (options->store < GFAB_STORE_WIDE && strcmp(machine->store, gfab_store_name(options->store)) != 0)
        options->store++;
    if (strcmp(machine->store, gfab_store_name(options->store)) != 0)
        return cli_error(verb, "--store: unknown store '%s'; give auto, narrow or wide", machine->store);
    options->frame = GFAB_FRAME_ABSOLUTE;
    while (options->frame < GFAB_FRAME_AUTO && strcmp(machine->frame, gfab_frame_name(options->frame)) != 0)
        options->frame++;
    if (strcmp(machine->frame, gfab_frame_name(options->frame)) != 0)
        return cli_error(verb, "--frame: unknown frame '%s'; give auto, absolute, relative or rotated", machine->frame);
    options->combines = GFAB_OPERATOR_NONE;
    while (*machine->operator_text && options->combines < GFAB_OPERATOR_ALL &&
           (options->combines == GFAB_OPERATOR_NONE ||
            strcmp(machine->operator_text, gfab_operator_name(options->combines)) != 0))
        options->combines++;
    if (*machine->operator_text && strcmp(machine->operator_text, gfab_operator_name(options->combines)) != 0)
        return cli_error(verb, "--operator: unknown operator '%s'; give sum, and, or, xor, min, max, umin, umax or all",
                         machine->operator_text);
    options->protect = GFAB_PROTECT_NONE;
    while (options->protect < GFAB_PROTECT_DETECT && strcmp(machine->protect, gfab_protect_name(options->protect)) != 0)
        options->protect++;
    if (strcmp(machine->protect, gfab_protect_name(options->protect)) != 0)
        return cli_error(verb, "--protect: unknown protection '%s'; give none or detect", machine->protect);
    return CLI_GO_ON;
}

/* What is to be solved for, where there is no schedule yet: --hop-rounds left open are the timing's, and for wide nodes
 * any solver is one whose schedules need few banks. */
static int make_plan(const char *verb, cli_source *source, const cli_machine *machine, gfab_plan *plan)
{
    gfab_diag diag = {0, ""};
    gfab_status status;
    if (source->schedule) {
        status = gfab_machine_plan_schedule(source->schedule, &machine->options, plan, &diag);
    } else {
        gfab_model model = source->model;
        if (!source->hop_rounds_given)
            model.hop_rounds = 0;
        gfab_machine_options options = machine->options;
        if (source->goal_given && source->goal.collective != GFAB_ALL_GATHER)
            options.blocks = source->goal.blocks;
        status = gfab_machine_plan(source->topology, &model, &options, plan, &diag);
    }
    if (status != GFAB_OK)
        return cli_fail(verb, status, NULL, &diag);
    if (source->schedule)
        return CLI_GO_ON;
    source->model = plan->model;
    if (plan->timing.wide && !source->goal_given && strcmp(source->solver_name, "auto") == 0) {
        const gfab_solver *solver;
        status = gfab_solver_for_banks(source->topology, &source->model, &solver);
        if (status != GFAB_OK)
            return cli_fail(verb, status, NULL, NULL);
        if (solver)
            source->solver_name = solver->name;
    }
    return CLI_GO_ON;
}

int cli_machine_build(const char *verb, cli_source *source, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    gfab_plan plan;
    const gfab_progress progress = cli_progress(verb);
    int status = read_names(verb, machine);
    if (status == CLI_GO_ON && !source->topology)
        status = cli_source_open(verb, source);
    if (status == CLI_GO_ON)
        status = make_plan(verb, source, machine, &plan);
    if (status == CLI_GO_ON)
        status = cli_source_load(verb, source);
    if (status != CLI_GO_ON)
        return status;
    plan.options.progress = &progress;
    const gfab_status result = gfab_machine_compile(&plan, source->schedule, &machine->machine, &diag);
    cli_progress_end();
    return result == GFAB_OK ? CLI_GO_ON : cli_fail(verb, result, NULL, &diag);
}

void cli_print_timing(FILE *file, const gfab_machine *machine)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
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
    if (gfab_machine_banks(machine)) {
        const gfab_crossbar *crossbar = gfab_banks_crossbar(gfab_machine_banks(machine));
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
    const uint64_t gaps = gfab_machine_gap_cycles(machine);
    fprintf(file, "cycles       R x F + c%s = %u x %u + %u", gaps != 0 ? " + gaps" : "", gfab_machine_rounds(machine),
            timing->cycles_per_round, timing->overhead_cycles);
    if (gaps != 0)
        fprintf(file, " + %llu", (unsigned long long)gaps);
    fprintf(file, " = %llu\n", (unsigned long long)gfab_machine_cycles(machine));
}

json_t *cli_json_timing(const gfab_machine *machine)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
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
    if (gfab_machine_banks(machine)) {
        cli_json_int(object, "banks", gfab_banks_crossbar(gfab_machine_banks(machine))->banks);
        cli_json_text(object, "crossbar", gfab_crossbar_name(gfab_banks_crossbar(gfab_machine_banks(machine))->kind));
    }
    cli_json_int(object, "hop_rounds", timing->hop_rounds);
    cli_json_int(object, "overhead_cycles", timing->overhead_cycles);
    cli_json_int(object, "latency_cycles", timing->latency_cycles);
    cli_json_int(object, "program_rounds", gfab_machine_rounds(machine));
    cli_json_int(object, "gap_cycles", gfab_machine_gap_cycles(machine));
    cli_json_int(object, "formula_cycles", gfab_machine_cycles(machine));
    return object;
}
