/* SPDX-License-Identifier: MIT */
/* The library's way from a schedule to a machine, with the command line's options: what generate, simulate and show
 * --rom need. */
#define _POSIX_C_SOURCE 200809L
#include "cli_machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    gfab_topology_destroy(machine->split);
    machine->machine = NULL;
    machine->split = NULL;
    for (size_t i = 0; i < machine->more_count; i++)
        cli_source_release(&machine->more[i]);
    GFAB_FREE(machine->more, machine->names);
    machine->more = NULL;
    machine->names = NULL;
    machine->more_count = 0;
}

const cli_source *cli_machine_source(const cli_source *source, const cli_machine *machine, size_t index)
{
    return index ? &machine->more[index - 1] : source;
}

/* One of a list: of the options that go with collectives those that this one can have. */
static int fit_goal(const char *verb, cli_source *source, bool own_blocks, bool *blocks_used, bool *root_used)
{
    gfab_collective collective;
    CLI_TRY(cli_collective_name(verb, source->collective_text, &collective));
    const bool takes_blocks =
        collective == GFAB_ALL_REDUCE || collective == GFAB_BROADCAST || collective == GFAB_REDUCE;
    source->blocks_given = source->blocks_given && (own_blocks || takes_blocks);
    source->root_given = source->root_given && gfab_collective_has_root(collective);
    source->idempotent = source->idempotent && gfab_collective_combines(collective);
    *blocks_used = *blocks_used || (source->blocks_given && !own_blocks);
    *root_used = *root_used || source->root_given;
    return CLI_GO_ON;
}

/* "all-gather:32" is one of 32 blocks: text, with its colon, is this source's own. */
static int take_blocks(const char *verb, cli_source *source, char *text, char *colon)
{
    char *end;
    const unsigned long blocks = strtoul(colon + 1, &end, 10);
    if (colon[1] < '0' || colon[1] > '9' || *end || blocks < 1 || blocks > INT32_MAX)
        return cli_error(verb, "--collective: '%s': blocks are a whole number from 1 to %d", text, INT32_MAX);
    *colon = '\0';
    source->blocks = (uint32_t)blocks;
    source->blocks_given = true;
    return CLI_GO_ON;
}

/* Is it a list of files, and not one whose name has a comma? */
static bool is_list(const char *path)
{
    struct stat about;
    return path && strchr(path, ',') && stat(path, &about) != 0;
}

/* A source like the one there is for each further name of a list. */
static int copy_sources(const char *verb, const cli_source *source, cli_machine *machine, const char *option,
                        const char *list)
{
    size_t count = 1;
    for (const char *at = list; *at; at++)
        count += *at == ',';
    if (count > GFAB_MAX_PROGRAMS)
        return cli_error(verb, "--%s: %zu of them; at most %u in one fabric", option, count, GFAB_MAX_PROGRAMS);
    machine->names = strdup(list);
    machine->more = calloc(count - 1, sizeof *machine->more);
    CLI_NEED(verb, machine->names && machine->more);
    machine->more_count = count - 1;
    for (size_t i = 0; i < count - 1; i++)
        machine->more[i] = *source;
    return CLI_GO_ON;
}

int cli_machine_split(const char *verb, cli_source *source, cli_machine *machine)
{
    const bool files = is_list(source->schedule_path);
    const char *list = files ? source->schedule_path : source->collective_text;
    if (machine->names || !list || !strchr(list, ',') || (source->schedule_path && !files))
        return CLI_GO_ON;
    CLI_TRY(copy_sources(verb, source, machine, files ? "schedule" : "collective", list));
    const size_t count = machine->more_count + 1;
    const bool blocks_given = source->blocks_given, root_given = source->root_given;
    bool blocks_used = false, root_used = false;
    char *name = machine->names;
    for (size_t i = 0; i < count; i++) {
        cli_source *one = i ? &machine->more[i - 1] : source;
        char *end = name + strcspn(name, ",");
        *end = '\0';
        *(files ? &one->schedule_path : &one->collective_text) = name;
        char *colon = files ? NULL : strchr(name, ':');
        if (colon)
            CLI_TRY(take_blocks(verb, one, name, colon));
        if (!files)
            CLI_TRY(fit_goal(verb, one, !!colon, &blocks_used, &root_used));
        name = end + 1;
    }
    if (!files && ((blocks_given && !blocks_used) || (root_given && !root_used)))
        return cli_error(verb, "--%s: none of these collectives takes it; leave it out",
                         blocks_given && !blocks_used ? "blocks" : "root");
    return CLI_GO_ON;
}

/* "user:FILE" is operator user, of this file, where a folder is written that it goes into. */
static int read_operator(const char *verb, cli_machine *machine)
{
    const bool user = strncmp(machine->operator_text, "user", strlen("user")) == 0;
    const char *file = machine->operator_text + (user ? strlen("user") : 0);
    if (!user || (*file && *file != ':'))
        return CLI_GO_ON;
    if (!machine->fabric && *file)
        return cli_error(verb, "--operator user:FILE: the module goes into a generated folder; here give user alone");
    if (machine->fabric && strlen(file) < 2)
        return cli_error(verb, "--operator user: which one? give user:FILE, Verilog with the module %s_operator",
                         machine->fabric);
    machine->operator_file = *file ? file + 1 : NULL;
    machine->operator_text = "user";
    return CLI_GO_ON;
}

int cli_machine_operator(const char *verb, cli_machine *machine)
{
    gfab_machine_options *options = &machine->options;
    options->combines = GFAB_OPERATOR_NONE;
    while (*machine->operator_text && options->combines < GFAB_OPERATOR_LAST &&
           (options->combines == GFAB_OPERATOR_NONE ||
            strcmp(machine->operator_text, gfab_operator_name(options->combines)) != 0))
        options->combines++;
    if (*machine->operator_text && strcmp(machine->operator_text, gfab_operator_name(options->combines)) != 0)
        return cli_error(verb,
                         "--operator: unknown operator '%s'; give sum, and, or, xor, min, max, umin, umax, all, "
                         "bfloat16, user, gather, float32 or saturated",
                         machine->operator_text);
    return CLI_GO_ON;
}

static int read_names(const char *verb, cli_machine *machine)
{
    gfab_machine_options *options = &machine->options;
    CLI_TRY(read_operator(verb, machine));
    if (strcmp(machine->store, "ring") == 0)
        return cli_error(verb, "--store ring: a ring fabric has no programs; generate makes one, simulate plays it");
    options->store = GFAB_STORE_AUTO;
    while (options->store < GFAB_STORE_WIDE && strcmp(machine->store, gfab_store_name(options->store)) != 0)
        options->store++;
    if (strcmp(machine->store, gfab_store_name(options->store)) != 0)
        return cli_error(verb, "--store: unknown store '%s'; give auto, narrow, wide or ring", machine->store);
    options->frame = GFAB_FRAME_ABSOLUTE;
    while (options->frame < GFAB_FRAME_AUTO && strcmp(machine->frame, gfab_frame_name(options->frame)) != 0)
        options->frame++;
    if (strcmp(machine->frame, gfab_frame_name(options->frame)) != 0)
        return cli_error(verb, "--frame: unknown frame '%s'; give auto, absolute, relative or rotated", machine->frame);
    CLI_TRY(cli_machine_operator(verb, machine));
    if (machine->operator_latency_given && !gfab_operator_is_chained(options->combines))
        return cli_error(verb, "--operator-latency: only operators bfloat16, float32, saturated and user have one");
    options->protect = GFAB_PROTECT_NONE;
    while (options->protect < GFAB_PROTECT_DETECT && strcmp(machine->protect, gfab_protect_name(options->protect)) != 0)
        options->protect++;
    if (strcmp(machine->protect, gfab_protect_name(options->protect)) != 0)
        return cli_error(verb, "--protect: unknown protection '%s'; give none or detect", machine->protect);
    return CLI_GO_ON;
}

/* The topology of each; a schedule from a file says its own. */
static int open_all(const char *verb, cli_source *source, cli_machine *machine)
{
    CLI_TRY(source->topology ? CLI_GO_ON : cli_source_open(verb, source));
    for (size_t i = 0; i < machine->more_count; i++) {
        cli_source *one = &machine->more[i];
        CLI_TRY(cli_source_open(verb, one));
        if (!gfab_topology_equal(source->topology, one->topology))
            return cli_error(verb, "--schedule: %s is for topology %s, %s for %s; one fabric has one",
                             source->schedule_path, gfab_topology_name(source->topology), one->schedule_path,
                             gfab_topology_name(one->topology));
    }
    return CLI_GO_ON;
}

/* A barrier that shares its nodes with sums is made for sums, too. */
static void fit_barriers(cli_source *source, cli_machine *machine)
{
    const gfab_operator asked = machine->options.combines;
    bool sums = asked != GFAB_OPERATOR_NONE && !gfab_operator_is_idempotent(asked);
    for (size_t i = 0; i <= machine->more_count && asked == GFAB_OPERATOR_NONE; i++) {
        const gfab_goal *goal = &cli_machine_source(source, machine, i)->goal;
        sums = sums || (gfab_collective_combines(goal->collective) && !goal->idempotent);
    }
    for (size_t i = 0; i <= machine->more_count && machine->more_count; i++) {
        cli_source *one = i ? &machine->more[i - 1] : source;
        if (sums && !one->schedule && one->goal_given && one->goal.collective == GFAB_BARRIER)
            one->goal.idempotent = false;
    }
}

/* The largest number of blocks; 0 for an all-gather alone. */
static uint32_t most_blocks(const cli_source *source, const cli_machine *machine)
{
    uint32_t blocks = machine->more_count ? (uint32_t)gfab_topology_node_count(source->topology) : 0;
    for (size_t i = 0; i <= machine->more_count; i++) {
        const cli_source *one = cli_machine_source(source, machine, i);
        if (one->goal_given && (machine->more_count || one->goal.collective != GFAB_ALL_GATHER) &&
            one->goal.blocks > blocks)
            blocks = one->goal.blocks;
    }
    return blocks;
}

/* What hardware has in the place of weighted links: parallel ones. Streams go over each link once. */
static int make_split(const char *verb, const gfab_topology *topology, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    if (machine->options.stream || !gfab_topology_has_weights(topology))
        return CLI_GO_ON;
    return cli_told(verb, gfab_topology_split(topology, &machine->split, &diag), NULL, &diag);
}

/* A schedule over parallel links, verified too, in the place of that over weighted ones. */
static int use_split(const char *verb, cli_source *source)
{
    gfab_diag diag = {0, ""};
    gfab_topology *parallel = NULL;
    gfab_schedule *made = NULL;
    gfab_verify_report report;
    gfab_status status = gfab_topology_split(source->topology, &parallel, &diag);
    GFAB_THEN(status, gfab_schedule_split(source->schedule, parallel, &made, &diag));
    if (status == GFAB_OK &&
        (status = gfab_verify(parallel, gfab_schedule_model(made), made, NULL, &report)) != GFAB_OK)
        gfab_fail(&diag, 0, status, "parallel links: %s", report.message);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(made);
        gfab_topology_destroy(parallel);
        return cli_fail(verb, status, NULL, &diag);
    }
    gfab_schedule_destroy(source->schedule);
    gfab_topology_destroy(source->topology);
    source->schedule = made;
    source->topology = parallel;
    return CLI_GO_ON;
}

/* Is a gossip asked for, in no more rounds than any, and nothing else of its schedule? In narrow nodes it is then to be
 * one by which nodes share ROMs, unless each is to have its own: so that programs can be replaced, too. A machine of
 * any width shows a schedule, which is to be the one that `schedule` makes. */
static bool any_solver(const cli_source *source, const cli_machine *machine, const gfab_plan *plan)
{
    if (source->goal_given || strcmp(source->solver_name, "auto") != 0)
        return false;
    return plan->timing.wide || (!machine->options.any_width && machine->options.frame == GFAB_FRAME_AUTO &&
                                 machine->options.rom_rounds == 0 && !machine->options.stream && !machine->more_count &&
                                 !source->linear && !source->load_text && !source->broadcast && !source->rounds &&
                                 !source->effort && !source->parameters && !source->seed_given);
}

/* What is to be solved for, where there is no schedule yet: --hop-rounds left open are the timing's, and any solver is
 * one whose schedules make a small fabric. */
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
        options.blocks = most_blocks(source, machine);
        status = gfab_machine_plan(machine->split ? machine->split : source->topology, &model, &options, plan, &diag);
    }
    if (status != GFAB_OK)
        return cli_fail(verb, status, NULL, &diag);
    if (source->schedule)
        return CLI_GO_ON;
    source->model = plan->model;
    for (size_t i = 0; i < machine->more_count; i++)
        machine->more[i].model = plan->model;
    if (!any_solver(source, machine, plan))
        return CLI_GO_ON;
    const gfab_solver *solver;
    status = gfab_solver_for_fabric(source->topology, &source->model, plan->timing.wide, &solver);
    if (status != GFAB_OK)
        return cli_fail(verb, status, NULL, NULL);
    if (solver)
        source->solver_name = solver->name;
    return CLI_GO_ON;
}

/* All schedules. */
static int load_all(const char *verb, cli_source *source, cli_machine *machine)
{
    for (size_t i = 0; i <= machine->more_count; i++) {
        cli_source *one = i ? &machine->more[i - 1] : source;
        CLI_TRY(cli_source_load(verb, one));
        if (machine->split)
            CLI_TRY(use_split(verb, one));
    }
    return CLI_GO_ON;
}

/* Programs in block RAMs fill them: any smaller would leave the rest of the RAM unused. In wide nodes a round more is a
 * word of every store, too, so that --rom-rounds alone says how many there are. */
static void fill_rams(const cli_machine *machine, gfab_plan *plan)
{
    uint32_t stride = 1;
    if (!machine->fills_rams || plan->timing.wide)
        return;
    while (stride < gfab_topology_max_degree(plan->topology))
        stride *= 2;
    if (plan->options.rom_rounds < GFAB_RAM_WORDS / stride)
        plan->options.rom_rounds = GFAB_RAM_WORDS / stride;
}

int cli_machine_build(const char *verb, cli_source *source, cli_machine *machine)
{
    gfab_diag diag = {0, ""};
    gfab_plan plan;
    const gfab_schedule *schedules[GFAB_MAX_PROGRAMS];
    const gfab_progress progress = cli_progress(verb);
    CLI_TRY(read_names(verb, machine));
    CLI_TRY(cli_machine_split(verb, source, machine));
    CLI_TRY(open_all(verb, source, machine));
    fit_barriers(source, machine);
    int status = make_split(verb, source->topology, machine);
    const bool first = machine->split && source->schedule; /* what is planned for is the schedule that is played */
    if (status == CLI_GO_ON && first)
        status = load_all(verb, source, machine);
    CLI_THEN(status, make_plan(verb, source, machine, &plan));
    if (status == CLI_GO_ON && !first)
        status = load_all(verb, source, machine);
    if (status != CLI_GO_ON)
        return status;
    for (size_t i = 0; i <= machine->more_count; i++)
        schedules[i] = cli_machine_source(source, machine, i)->schedule;
    plan.options.progress = &progress;
    fill_rams(machine, &plan);
    const gfab_status result =
        gfab_machine_compile_all(&plan, schedules, machine->more_count + 1, &machine->machine, &diag);
    cli_progress_end();
    return cli_told(verb, result, NULL, &diag);
}

void cli_print_programs(FILE *file, const cli_source *source, const cli_machine *machine)
{
    for (size_t i = 0; i <= machine->more_count; i++) {
        const cli_source *one = cli_machine_source(source, machine, i);
        if (machine->more_count) {
            const gfab_machine_program *program = gfab_machine_program_at(machine->machine, i);
            fprintf(file, "program %-4zu %s of %u block%s, from round %u of the ROM\n", i,
                    gfab_collective_name(program->goal.collective), program->goal.blocks,
                    program->goal.blocks == 1 ? "" : "s", program->first_round);
        }
        cli_print_rounds(file, one);
        cli_print_cost(file, one);
    }
}

void cli_json_programs(json_t *report, const cli_source *source, const cli_machine *machine)
{
    json_t *programs = cli_json_array();
    for (size_t i = 0; i <= machine->more_count; i++) {
        const gfab_machine_program *program = gfab_machine_program_at(machine->machine, i);
        json_t *entry = cli_json_object();
        cli_json_schedule(entry, cli_machine_source(source, machine, i));
        CLI_JSON(entry, CLI_KEY("first_round", program->first_round), CLI_KEY("formula_cycles", program->cycles));
        cli_json_append(programs, entry);
    }
    cli_json_set(report, "collectives", programs);
}

/* The round of other tokens, or other links, of the same fabric: its cycles, or 0 where there is none. */
static uint32_t round_of(const gfab_machine *machine, uint32_t token_bits, uint32_t link_bits)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_timing_options other = {token_bits,
                                       link_bits,
                                       timing->latency_cycles,
                                       timing->wide ? timing->hop_rounds : 0,
                                       timing->merges,
                                       timing->operator_cycles};
    gfab_timing made;
    const bool fits = !gfab_timing_compute(gfab_machine_layout(machine), &other, &made, NULL);
    return fits && made.hop_rounds == timing->hop_rounds ? made.cycles_per_round : 0;
}

/* What cycles of padding could carry, and which links would do without them. */
static void print_padding(FILE *file, const gfab_machine *machine)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    const uint32_t cycles = timing->cycles_per_round;
    const uint64_t most_bits = (uint64_t)cycles * timing->link_bits * timing->parts;
    uint32_t link_bits = 1;
    while (link_bits < timing->link_bits &&
           (timing->part_bits % link_bits != 0 || round_of(machine, timing->token_bits, link_bits) != cycles))
        link_bits++;
    const bool longer = most_bits <= INT32_MAX && round_of(machine, (uint32_t)most_bits, timing->link_bits) == cycles;
    if (cycles == timing->token_flits || (!longer && link_bits == timing->link_bits))
        return;
    fputs("padding      in as many cycles", file);
    if (longer)
        fprintf(file, " tokens of %llu bits move", (unsigned long long)most_bits);
    if (link_bits < timing->link_bits)
        fprintf(file, "%s these over links of %u bit%s", longer ? ", or" : "", (unsigned)link_bits,
                link_bits == 1 ? "" : "s");
    fputs("\n", file);
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
    print_padding(file, machine);
    if (gfab_machine_banks(machine)) {
        const gfab_crossbar *crossbar = gfab_banks_crossbar(gfab_machine_banks(machine));
        fprintf(file, "hop          %u cycles%s, so that a token waits %u round%s\n",
                3 - timing->direct + timing->registered + timing->latency_cycles + gfab_timing_combine_cycles(timing),
                timing->registered ? ", one of them for a register before the operator"
                : timing->direct   ? ""
                                   : ", one of them for a register before the link",
                timing->hop_rounds, timing->hop_rounds == 1 ? "" : "s");
        if (timing->merges)
            fprintf(file, "chains       A = %u operator%s of D = %u cycle%s one behind the other\n", timing->merges,
                    timing->merges == 1 ? "" : "s", timing->operator_cycles, timing->operator_cycles == 1 ? "" : "s");
        fprintf(file, "nodes        wide, %s: %u bank%s, crossbar %s\n",
                timing->merges                            ? "as the operator needs them"
                : timing->token_flits < 2 * timing->lanes ? "as W/L is less than 2K"
                : gfab_topology_marks(gfab_machine_topology(machine)) & GFAB_MARK_PARALLEL
                    ? "as weighted links need them"
                    : "as asked",
                crossbar->banks, crossbar->banks == 1 ? "" : "s", gfab_crossbar_name(crossbar->kind));
    }
    if (timing->latency_cycles != 0)
        fprintf(file, "links        l = %u cycles of latency\n", timing->latency_cycles);
    const size_t programs = gfab_machine_program_count(machine);
    for (size_t i = 0; i < programs; i++) {
        const gfab_machine_program *program = gfab_machine_program_at(machine, i);
        const uint64_t gaps = program->cycles - gfab_timing_gossip_cycles(timing, program->rounds);
        fprintf(file, "cycles       R x F + c%s = %u x %u + %u", gaps != 0 ? " + gaps" : "", program->rounds,
                timing->cycles_per_round, timing->overhead_cycles);
        if (gaps != 0)
            fprintf(file, " + %llu", (unsigned long long)gaps);
        fprintf(file, " = %llu", (unsigned long long)program->cycles);
        if (programs > 1)
            fprintf(file, ", program %zu", i);
        fputc('\n', file);
    }
}

json_t *cli_json_timing(const gfab_machine *machine)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    json_t *object = cli_json_object();
    CLI_JSON(object, CLI_KEY("token_bits", timing->token_bits), CLI_KEY("parts", timing->parts),
             CLI_KEY("link_bits", timing->link_bits), CLI_KEY("lanes", timing->lanes),
             CLI_KEY("token_flits", timing->token_flits),
             CLI_KEY("padding_cycles", timing->cycles_per_round - timing->token_flits),
             CLI_KEY("cycles_per_round", timing->cycles_per_round), CLI_KEY("words", timing->words),
             CLI_KEY("word_bits", timing->word_bits), CLI_KEY("store", timing->wide ? "wide" : "narrow"));
    if (gfab_machine_banks(machine)) {
        CLI_JSON(object, CLI_KEY("banks", gfab_banks_crossbar(gfab_machine_banks(machine))->banks),
                 CLI_KEY("crossbar", gfab_crossbar_name(gfab_banks_crossbar(gfab_machine_banks(machine))->kind)));
    }
    CLI_JSON(object, CLI_KEY("hop_rounds", timing->hop_rounds), CLI_KEY("overhead_cycles", timing->overhead_cycles),
             CLI_KEY("latency_cycles", timing->latency_cycles), CLI_KEY("program_rounds", gfab_machine_rounds(machine)),
             CLI_KEY("gap_cycles", gfab_machine_gap_cycles(machine)),
             CLI_KEY("formula_cycles", gfab_machine_cycles(machine)));
    return object;
}

void cli_print_gossips(FILE *file, uint32_t gossips, uint64_t seed)
{
    fprintf(file, "gossips      %u in a row, token seed%s %llu", gossips, gossips == 1 ? "" : "s",
            (unsigned long long)seed);
    if (gossips > 1)
        fprintf(file, " to %llu", (unsigned long long)(seed + gossips - 1));
    fputc('\n', file);
}

void cli_copy_bits(uint8_t *to, size_t to_bit, const uint8_t *from, size_t from_bit, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned bit = from[(from_bit + i) / 8] >> (from_bit + i) % 8 & 1u;
        uint8_t *byte = &to[(to_bit + i) / 8];
        *byte = (uint8_t)((*byte & ~(1u << (to_bit + i) % 8)) | bit << (to_bit + i) % 8);
    }
}
