/* SPDX-License-Identifier: MIT */
/* Command `simulate`: plays a fabric's C model with random data, and checks all that comes out of it. What is expected
 * is computed apart from the model: of a token what its origin was loaded with, of a sum what the schedule's expression
 * makes of it. Each end of a link must drive for as many cycles as scheduled, so that a token sent twice is found. */
#define _POSIX_C_SOURCE 200809L
#include "commands/simulate_stream.h"
#include "commands/simulate_vcd.h"
#include "draw/cli/heat.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct simulation {
    cli_source source;
    cli_machine machine;
    simulate_stream stream;
    uint64_t token_seed;
    uint32_t repeat;
    bool links, rounds, json, speed;
    const char *trace_path, *vcd_path, *heat_path;

    gfab_cmodel *cmodel;
    cli_output trace, vcd_output;
    simulate_vcd *vcd;
    const gfab_machine_program *program; /* that is played */
    gfab_goal goal;                      /* its */
    uint8_t *tokens;      /* the tokens of one gossip, one after the other; of blocks, node * blocks + block */
    uint32_t *arc_uses;   /* tokens by arc, from the schedules of all programs */
    uint32_t *round_uses; /* by round, of all programs one after the other */
    uint64_t cycle;       /* cycles since the first start, over all gossips */

    uint32_t gossips;
    uint64_t cycles[GFAB_MAX_PROGRAMS];  /* of each program's last gossip */
    bool cycles_equal;                   /* in every gossip */
    uint64_t wrong_cycles, right_cycles; /* of the first in which they are not */
    uint64_t all_tokens, wrong_tokens;   /* in all gossips */
    uint32_t wrong_node, wrong_token;
    uint64_t wrong_uses; /* ends of links that drove for more or fewer cycles than the schedule says */
} simulation;

static const gfab_timing *timing_of(const simulation *sim)
{
    return gfab_machine_timing(sim->machine.machine);
}

static const gfab_layout *layout_of(const simulation *sim)
{
    return gfab_machine_layout(sim->machine.machine);
}

static size_t token_bytes(const simulation *sim)
{
    return (timing_of(sim)->token_bits + 7) / 8;
}

static int out_of_memory(void)
{
    return cli_fail("simulate", GFAB_ERR_NO_MEMORY, NULL, NULL);
}

static size_t program_count(const simulation *sim)
{
    return sim->machine.more_count + 1;
}

static const cli_source *source_of(const simulation *sim, size_t program)
{
    return cli_machine_source(&sim->source, &sim->machine, program);
}

static uint32_t rounds_of(const simulation *sim, size_t program)
{
    return source_of(sim, program)->report.rounds;
}

/* What the links should do, from the schedules. */
static int count_uses(simulation *sim)
{
    size_t rounds = 0, at = 0;
    for (size_t i = 0; i < program_count(sim); i++)
        rounds += rounds_of(sim, i);
    sim->arc_uses = calloc(2 * gfab_topology_link_count(sim->source.topology), sizeof *sim->arc_uses);
    sim->round_uses = calloc(rounds + 1, sizeof *sim->round_uses);
    if (!sim->arc_uses || !sim->round_uses)
        return out_of_memory();
    for (size_t p = 0; p < program_count(sim); p++) {
        CLI_TRY(cli_source_check_listed("simulate", source_of(sim, p)));
        for (uint32_t round = 1; round <= rounds_of(sim, p); round++, at++) {
            gfab_packet_iter packets = gfab_schedule_round(source_of(sim, p)->schedule, round);
            for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
                for (size_t i = 0; i < packet.arc_count; i++) {
                    sim->arc_uses[packet.arcs[i]] += (uint32_t)packet.token_count;
                    sim->round_uses[at]++;
                }
            }
        }
    }
    return CLI_GO_ON;
}

/* The blocks of a collective; where a slot is a block's, those that a node does not hold are there, too, and wrong. */
static int load_blocks(simulation *sim, uint64_t seed)
{
    const uint32_t bits = timing_of(sim)->token_bits;
    const gfab_layout *layout = layout_of(sim);
    const gfab_operator op =
        (gfab_operator)(GFAB_OPERATOR_FIRST + sim->gossips / program_count(sim) % (GFAB_OPERATOR_ALL - 1));
    gfab_cmodel_set_operator(sim->cmodel, op);
    for (size_t i = 0; i < gfab_topology_node_count(sim->source.topology) * sim->goal.blocks; i++) {
        uint8_t *token = sim->tokens + i * token_bytes(sim);
        const uint32_t node = (uint32_t)(i / sim->goal.blocks), block = (uint32_t)(i % sim->goal.blocks);
        gfab_token_pattern(seed, (uint32_t)i, bits, token);
        if ((gfab_machine_banks(sim->machine.machine) || gfab_layout_reuses_slots(layout, node)) &&
            !gfab_goal_node_holds(&sim->goal, sim->source.topology, node, block))
            continue;
        CLI_TRY(cli_told("simulate", gfab_cmodel_load_block(sim->cmodel, node, block, token), "loading blocks", NULL));
    }
    return CLI_GO_ON;
}

static int load_tokens(simulation *sim, uint64_t seed)
{
    if (gfab_layout_blocks(layout_of(sim)) != 0)
        return load_blocks(sim, seed);
    for (size_t node = 0; node < gfab_topology_node_count(sim->source.topology); node++) {
        uint8_t *token = sim->tokens + node * token_bytes(sim);
        gfab_token_pattern(seed, (uint32_t)node, timing_of(sim)->token_bits, token);
        CLI_TRY(cli_told("simulate", gfab_cmodel_load_token(sim->cmodel, node, token), "loading tokens", NULL));
    }
    return CLI_GO_ON;
}

/* One line for each link that is driven. */
static void trace_cycle(const simulation *sim)
{
    size_t bytes = (timing_of(sim)->link_bits + 7) / 8;
    uint32_t digits = (timing_of(sim)->link_bits + 3) / 4;
    for (size_t i = 0; i < gfab_topology_link_count(sim->source.topology); i++) {
        for (uint32_t end = 0; end < 2; end++) {
            if (!gfab_cmodel_link_drive(sim->cmodel, i, end))
                continue;
            gfab_link link = gfab_topology_link(sim->source.topology, i);
            const uint8_t *data = gfab_cmodel_end_data(sim->cmodel, i, end);
            fprintf(sim->trace.file, "%llu,%zu,%u,%u,", (unsigned long long)sim->cycle, i, link.node[end],
                    link.node[1 - end]);
            for (size_t byte = bytes; byte-- > 0;)
                if (byte == bytes - 1 && digits % 2 == 1)
                    fprintf(sim->trace.file, "%x", data[byte] & 0xf);
                else
                    fprintf(sim->trace.file, "%02x", data[byte]);
            putc('\n', sim->trace.file);
        }
    }
}

static void step_watched(void *context)
{
    simulation *sim = context;
    gfab_cmodel_step(sim->cmodel);
    if (sim->trace.file)
        trace_cycle(sim);
    if (sim->vcd)
        simulate_vcd_cycle(sim->vcd, sim->cmodel, sim->cycle);
    sim->cycle++;
}

/* The same as gfab_cmodel_run, looking at every cycle: cycle 0 is the one after the edge that samples start. */
static gfab_status run_watched(simulation *sim, uint64_t limit_cycles, const gfab_progress *progress, uint64_t *cycles)
{
    if (program_count(sim) > 1) /* it is chosen a cycle before the start */
        step_watched(sim);
    gfab_cmodel_set_start(sim->cmodel, true);
    for (uint64_t at = 0; at < limit_cycles; at++) {
        step_watched(sim);
        if (at != 0 && gfab_cmodel_done(sim->cmodel)) {
            step_watched(sim);
            *cycles = at + 1;
            return GFAB_OK;
        }
        if (at % 64 == 0 && progress->report(progress->context, "cycles", at, sim->program->cycles) == 0)
            return GFAB_ERR_INTERRUPTED;
    }
    return GFAB_ERR_FAULT;
}

/* What a block is in the end where it is wanted: what all nodes that hold it had at the start. */
static void add_up(const simulation *sim, uint32_t block, uint8_t *total)
{
    const gfab_topology *topology = sim->source.topology;
    const size_t nodes = gfab_topology_node_count(topology), bytes = token_bytes(sim);
    const gfab_operator fixed = gfab_layout_operator(layout_of(sim));
    const gfab_operator op =
        fixed != GFAB_OPERATOR_ALL
            ? fixed
            : (gfab_operator)(GFAB_OPERATOR_FIRST + (sim->gossips - 1) / program_count(sim) % (GFAB_OPERATOR_ALL - 1));
    bool first = true;
    for (uint32_t node = 0; node < nodes; node++) {
        const uint8_t *token = sim->tokens + (node * (size_t)sim->goal.blocks + block) * bytes;
        if (!gfab_goal_node_holds(&sim->goal, topology, node, block))
            continue;
        if (first)
            memcpy(total, token, bytes);
        else
            gfab_token_combine(op, timing_of(sim)->token_bits, total, token);
        first = false;
    }
}

static bool is_chained(const simulation *sim)
{
    return gfab_operator_is_chained(gfab_layout_operator(layout_of(sim)));
}

static void compare_block(simulation *sim, uint32_t node, uint32_t block, const uint8_t *total)
{
    uint8_t token[512];
    sim->all_tokens++;
    gfab_cmodel_read_token(sim->cmodel, node, block, token);
    if (memcmp(token, total, token_bytes(sim)) != 0 && sim->wrong_tokens++ == 0) {
        sim->wrong_node = node;
        sim->wrong_token = block;
    }
}

/* Where the result depends on the order: what the expression of the block, of the schedule of the program that is
 * played, makes of the nodes' own. */
static gfab_status check_expression(simulation *sim, uint32_t block)
{
    const size_t nodes = gfab_topology_node_count(sim->source.topology), bytes = token_bytes(sim);
    const gfab_operator op = gfab_layout_operator(layout_of(sim));
    gfab_expression *e = NULL;
    gfab_status status =
        gfab_expression_create(source_of(sim, (sim->gossips - 1) % program_count(sim))->schedule, block, &e, NULL);
    const size_t terms = status == GFAB_OK ? gfab_expression_term_count(e) : 0;
    GFAB_FREED uint8_t *values = calloc(terms + 1, bytes);
    if (status == GFAB_OK && !values)
        status = GFAB_ERR_NO_MEMORY;
    for (uint32_t term = 0; status == GFAB_OK && term < terms; term++) {
        uint32_t left, right;
        uint8_t *value = values + term * bytes;
        const bool sum = gfab_expression_term(e, term, &left, &right);
        memcpy(value, sum ? values + left * bytes : sim->tokens + (term * (size_t)sim->goal.blocks + block) * bytes,
               bytes);
        if (sum)
            gfab_token_combine(op, timing_of(sim)->token_bits, value, values + right * bytes);
    }
    for (uint32_t node = 0; status == GFAB_OK && node < nodes; node++)
        if (gfab_goal_node_wants(&sim->goal, sim->source.topology, node, block))
            compare_block(sim, node, block, values + gfab_expression_result(e, node) * bytes);
    gfab_expression_destroy(e);
    return status;
}

static gfab_status check_blocks(simulation *sim, const gfab_progress *progress)
{
    const gfab_topology *topology = sim->source.topology;
    const size_t nodes = gfab_topology_node_count(topology);
    const bool chained = is_chained(sim) && gfab_collective_combines(sim->goal.collective);
    uint8_t total[512];
    for (uint32_t block = 0; block < sim->goal.blocks; block++) {
        if (progress->report(progress->context, "blocks compared", block, sim->goal.blocks) == 0)
            return GFAB_ERR_INTERRUPTED;
        if (!chained)
            add_up(sim, block, total);
        for (uint32_t node = 0; node < nodes && !chained; node++)
            if (gfab_goal_node_wants(&sim->goal, topology, node, block))
                compare_block(sim, node, block, total);
        GFAB_TRY(chained ? check_expression(sim, block) : GFAB_OK);
    }
    return GFAB_OK;
}

static gfab_status check_tokens(simulation *sim, const gfab_progress *progress)
{
    if (gfab_layout_blocks(layout_of(sim)) != 0)
        return check_blocks(sim, progress);
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(sim->source.topology);
    for (uint32_t node = 0; node < nodes; node++) {
        if (progress->report(progress->context, "stores compared", node, nodes) == 0)
            return GFAB_ERR_INTERRUPTED;
        for (uint32_t origin = 0; origin < nodes; origin++)
            compare_block(sim, node, origin, sim->tokens + origin * token_bytes(sim));
    }
    return GFAB_OK;
}

static void check_uses(simulation *sim)
{
    for (size_t end = 0; end < 2 * gfab_topology_link_count(sim->source.topology); end++) {
        uint64_t expected =
            (uint64_t)sim->arc_uses[end] * timing_of(sim)->cycles_per_round * (sim->gossips / program_count(sim));
        sim->wrong_uses += gfab_cmodel_link_use_cycles(sim->cmodel, end / 2, end % 2) != expected;
    }
}

static int play_gossip(simulation *sim)
{
    gfab_progress progress = cli_progress("simulate");
    const size_t number = sim->gossips % program_count(sim);
    sim->program = gfab_machine_program_at(sim->machine.machine, number);
    sim->goal = sim->program->goal;
    const uint64_t limit_cycles = 2 * sim->program->cycles + 1000;
    gfab_cmodel_set_program(sim->cmodel, number);
    CLI_TRY(load_tokens(sim, sim->token_seed + sim->gossips));
    gfab_status result = sim->trace.file || sim->vcd
                             ? run_watched(sim, limit_cycles, &progress, &sim->cycles[number])
                             : gfab_cmodel_run(sim->cmodel, limit_cycles, &progress, &sim->cycles[number]);
    cli_progress_end();
    if (result == GFAB_ERR_FAULT) {
        cli_error("simulate", "gossip %u: not done after %llu cycles; %llu expected", sim->gossips + 1,
                  (unsigned long long)limit_cycles, (unsigned long long)sim->program->cycles);
        return CLI_FAULTY;
    }
    if (result != GFAB_OK)
        return cli_fail("simulate", result, NULL, NULL);
    if (sim->cycles_equal && sim->cycles[number] != sim->program->cycles) {
        sim->cycles_equal = false;
        sim->wrong_cycles = sim->cycles[number];
        sim->right_cycles = sim->program->cycles;
    }
    sim->gossips++;
    result = check_tokens(sim, &progress);
    cli_progress_end();
    return cli_told("simulate", result, NULL, NULL);
}

static int prepare(simulation *sim)
{
    size_t nodes = gfab_topology_node_count(sim->source.topology);
    CLI_TRY(sim->machine.options.stream ? CLI_GO_ON : count_uses(sim));
    const size_t blocks = gfab_layout_blocks(layout_of(sim));
    if (nodes * (blocks != 0 ? blocks : 1) > UINT32_MAX)
        return cli_error("simulate", "%zu blocks in %zu nodes: at most 2^32 in all", blocks, nodes);
    sim->tokens = calloc(nodes * (blocks != 0 ? blocks : 1), token_bytes(sim));
    if (!sim->tokens)
        return out_of_memory();
    const gfab_progress progress = cli_progress("simulate");
    gfab_status result = gfab_cmodel_create(sim->machine.machine, &progress, &sim->cmodel);
    cli_progress_end();
    if (result != GFAB_OK)
        return cli_fail("simulate", result, "C model", NULL);
    sim->cycles_equal = true;
    if (sim->trace.file)
        fputs("cycle,link,from,to,data\n", sim->trace.file);
    if (sim->vcd_output.file) {
        sim->vcd = simulate_vcd_create(sim->vcd_output.file, sim->source.topology, timing_of(sim)->link_bits,
                                       timing_of(sim)->wires);
        if (!sim->vcd)
            return out_of_memory();
    }
    return CLI_GO_ON;
}

static void print_speed(const simulation *sim, const struct timespec *from, const struct timespec *to)
{
    int64_t microseconds = ((int64_t)to->tv_sec - from->tv_sec) * 1000000 + (to->tv_nsec - from->tv_nsec) / 1000;
    uint64_t cycles = 0;
    for (size_t i = 0; i < program_count(sim); i++)
        cycles += gfab_machine_program_at(sim->machine.machine, i)->cycles;
    uint64_t work = cycles * sim->gossips / program_count(sim) * gfab_topology_node_count(sim->source.topology);
    if (microseconds > 0)
        fprintf(stderr, "speed        %llu thousand router-cycles per second, checks included\n",
                (unsigned long long)(work * 1000 / (uint64_t)microseconds));
}

static void print_text(FILE *file, const simulation *sim)
{
    cli_print_topology(file, sim->source.topology);
    cli_print_recognised(file, &sim->source);
    cli_print_programs(file, &sim->source, &sim->machine);
    cli_print_timing(file, sim->machine.machine);
    fputs("measured     ", file);
    for (size_t i = 0; i < program_count(sim); i++)
        fprintf(file, "%s%llu", i ? ", " : "", (unsigned long long)sim->cycles[i]);
    fprintf(file, " cycles, %s\n", sim->cycles_equal ? "as the formula says" : "NOT what the formula says");
    if (program_count(sim) == 1)
        cli_goal_print(file, sim->source.schedule);
    if (gfab_layout_combines(layout_of(sim)))
        fprintf(file, "operator     %s\n", gfab_operator_name(gfab_layout_operator(layout_of(sim))));
    cli_print_gossips(file, sim->gossips, sim->token_seed);
    fprintf(file, "tokens       %llu of %llu right in the nodes' stores\n",
            (unsigned long long)(sim->all_tokens - sim->wrong_tokens), (unsigned long long)sim->all_tokens);
    fputs("link use     ", file);
    for (size_t i = 0; i < program_count(sim); i++) {
        uint32_t use = cli_source_link_use_permille(source_of(sim, i));
        fprintf(file, "%s%u.%u", i ? ", " : "", use / 10, use % 10);
    }
    fprintf(file, " %% of the link rounds, %s\n",
            sim->wrong_uses == 0 ? "every link driven as scheduled" : "NOT as scheduled");
    if (sim->links) {
        fputs("link  from    to  rounds from->to  rounds to->from\n", file);
        for (size_t i = 0; i < gfab_topology_link_count(sim->source.topology); i++) {
            gfab_link link = gfab_topology_link(sim->source.topology, i);
            fprintf(file, "%4zu %5u %5u %16u %16u\n", i, link.node[0], link.node[1], sim->arc_uses[2 * i],
                    sim->arc_uses[2 * i + 1]);
        }
    }
    if (sim->rounds) {
        const uint32_t *uses = sim->round_uses;
        for (size_t i = 0; i < program_count(sim); i++) {
            fputs("round  links in use\n", file);
            for (uint32_t round = 1; round <= rounds_of(sim, i); round++)
                fprintf(file, "%5u %13u\n", round, *uses++);
        }
    }
}

static void print_json(FILE *file, const simulation *sim)
{
    json_t *report = cli_json_report("gossipfab.simulate/1"), *links = cli_json_array(), *rounds = cli_json_array();
    CLI_JSON(report, CLI_KEY("token_seed", sim->token_seed), CLI_KEY("gossips", sim->gossips));
    cli_json_schedule(report, &sim->source);
    CLI_JSON(report, CLI_KEY("timing", cli_json_timing(sim->machine.machine)), CLI_KEY("cycles", sim->cycles[0]));
    if (program_count(sim) > 1)
        cli_json_programs(report, &sim->source, &sim->machine);
    CLI_JSON(report, CLI_KEY("cycles_equal_formula", sim->cycles_equal), CLI_KEY("tokens_checked", sim->all_tokens),
             CLI_KEY("tokens_wrong", sim->wrong_tokens), CLI_KEY("links_as_scheduled", (bool)(sim->wrong_uses == 0)));
    for (size_t i = 0; i < gfab_topology_link_count(sim->source.topology); i++) {
        gfab_link link = gfab_topology_link(sim->source.topology, i);
        json_t *entry = cli_json_object(), *ends = cli_json_array(), *uses = cli_json_array();
        for (uint32_t end = 0; end < 2; end++) {
            cli_json_append(ends, json_integer(link.node[end]));
            cli_json_append(uses, json_integer((json_int_t)gfab_cmodel_link_use_cycles(sim->cmodel, i, end)));
        }
        CLI_JSON(entry, CLI_KEY("nodes", ends), CLI_KEY("drive_cycles", uses));
        cli_json_append(links, entry);
    }
    const uint32_t *use = sim->round_uses;
    for (size_t i = 0; i < program_count(sim); i++)
        for (uint32_t round = 1; round <= rounds_of(sim, i); round++)
            cli_json_append(rounds, json_integer(*use++));
    CLI_JSON(report, CLI_KEY("links", links), CLI_KEY("links_in_use_by_round", rounds));
    cli_json_print(report, file);
}

/* The cycles for which either end of a link has driven it, in all gossips. */
static int write_heat(const simulation *sim)
{
    const size_t ends = 2 * gfab_topology_link_count(sim->source.topology);
    GFAB_FREED uint64_t *uses = calloc(ends, sizeof *uses);
    if (!uses)
        return out_of_memory();
    for (size_t end = 0; end < ends; end++)
        uses[end] = gfab_cmodel_link_use_cycles(sim->cmodel, end / 2, end % 2);
    const heat_map heat = {sim->source.topology, uses, "Cycles that links are driven", "cycles"};
    return heat_write("simulate", &heat, sim->heat_path);
}

/* The files are kept where a check fails: they show why. */
static int commit(simulation *sim)
{
    CLI_TRY(sim->trace.file ? cli_output_commit("simulate", &sim->trace) : CLI_GO_ON);
    CLI_TRY(sim->vcd_output.file ? cli_output_commit("simulate", &sim->vcd_output) : CLI_GO_ON);
    return sim->heat_path ? write_heat(sim) : CLI_GO_ON;
}

static int play_stream(simulation *sim)
{
    simulate_stream *stream = &sim->stream;
    stream->seed = sim->token_seed;
    stream->vectors = sim->repeat;
    stream->source = &sim->source;
    stream->made = &sim->machine;
    stream->cmodel = sim->cmodel;
    stream->step = step_watched;
    stream->context = sim;
    CLI_TRY(simulate_stream_play(stream));
    CLI_TRY(commit(sim));
    return simulate_stream_report(stream, cli_report_file(sim->trace_path, sim->vcd_path), sim->json);
}

static int finish(simulation *sim)
{
    check_uses(sim);
    CLI_TRY(commit(sim));
    (sim->json ? print_json : print_text)(cli_report_file(sim->trace_path, sim->vcd_path), sim);
    if (sim->wrong_tokens != 0) {
        cli_error("simulate", "%llu tokens are wrong at the end, the first one in node %u: token %u",
                  (unsigned long long)sim->wrong_tokens, sim->wrong_node, sim->wrong_token);
    } else if (!sim->cycles_equal) {
        cli_error("simulate", "the gossip took %llu cycles, the formula says %llu",
                  (unsigned long long)sim->wrong_cycles, (unsigned long long)sim->right_cycles);
    } else if (sim->wrong_uses != 0) {
        cli_error("simulate", "%llu ends of links were not driven as scheduled", (unsigned long long)sim->wrong_uses);
    } else {
        return CLI_GOOD;
    }
    return CLI_FAULTY;
}

static int simulate(simulation *sim)
{
    struct timespec from, to;
    if (strcmp(sim->machine.store, "ring") == 0)
        return cli_ring_simulate(&sim->source, &sim->machine, &sim->stream.fabric,
                                 &(cli_ring_play){.seed = sim->token_seed, .repeat = sim->repeat}, sim->json);
    int status = cli_check_outputs("simulate", "trace", sim->trace_path, "vcd", sim->vcd_path);
    CLI_THEN(status, cli_check_outputs("simulate", "trace", sim->trace_path, "heat", sim->heat_path));
    CLI_THEN(status, cli_check_outputs("simulate", "vcd", sim->vcd_path, "heat", sim->heat_path));
    CLI_THEN(status, heat_check("simulate", "heat", sim->heat_path));
    CLI_THEN(status, cli_fabric_stream("simulate", &sim->source, &sim->machine, &sim->stream.fabric));
    CLI_THEN(status, cli_machine_build("simulate", &sim->source, &sim->machine));
    if (status == CLI_GO_ON && gfab_layout_operator(layout_of(sim)) == GFAB_OPERATOR_USER)
        return cli_error("simulate", "--operator user: only you know what it does; from C the model is told by "
                                     "gfab_cmodel_set_user_operator");
    CLI_THEN(status, sim->trace_path ? cli_output_open("simulate", sim->trace_path, &sim->trace) : CLI_GO_ON);
    CLI_THEN(status, sim->vcd_path ? cli_output_open("simulate", sim->vcd_path, &sim->vcd_output) : CLI_GO_ON);
    CLI_THEN(status, prepare(sim));
    CLI_THEN(status, sim->machine.options.stream ? play_stream(sim) : CLI_GO_ON);
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (uint64_t i = 0; i < sim->repeat * (uint64_t)program_count(sim) && status == CLI_GO_ON; i++)
        status = play_gossip(sim);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (status == CLI_GO_ON) {
        status = finish(sim);
        if (sim->speed)
            print_speed(sim, &from, &to);
    }
    return status;
}

int cmd_simulate(int argc, char **argv)
{
    simulation sim = {.source = cli_source_default(),
                      .machine = cli_machine_default(),
                      .stream = simulate_stream_default(),
                      .token_seed = 1,
                      .repeat = 1};
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(sim.source),
        CLI_SOLVER_OPTIONS(sim.source),
        CLI_SCHEDULE_OPTION(sim.source),
        CLI_GOAL_OPTIONS(sim.source),
        CLI_MODEL_OPTIONS(sim.source),
        CLI_FABRIC_OPTIONS(sim.machine),
        CLI_STREAM_OPTIONS(sim.machine, sim.stream.fabric),
        SIMULATE_STREAM_OPTIONS(sim.stream),
        CLI_OPTION(.name = "token-seed", .kind = CLI_U64, .value = &sim.token_seed, .word = "N", .initial = "1",
                   .most = INT64_MAX, .help = "seed of the tokens; a repeated gossip takes the next seed"),
        CLI_OPTION(.name = "repeat", .kind = CLI_U32, .value = &sim.repeat, .word = "N", .initial = "1", .least = 1,
                   .most = 1000000, .unit = "gossips", .help = "in a row, without reset"),
        CLI_OPTION(.name = "links", .kind = CLI_FLAG, .value = &sim.links, .help = "also the use of each link"),
        CLI_OPTION(.name = "rounds", .kind = CLI_FLAG, .value = &sim.rounds,
                   .help = "also the links in use in each round"),
        CLI_OPTION(.name = "trace", .kind = CLI_TEXT, .value = &sim.trace_path, .word = "FILE",
                   .help = "CSV, a line for each driven link and cycle: cycle,link,from,to,data (data in hex)"),
        CLI_OPTION(.name = "vcd", .kind = CLI_TEXT, .value = &sim.vcd_path, .word = "FILE",
                   .help = "waves of all links for GTKWave; wires, and which end drives; 10 ns a cycle"),
        CLI_OPTION(.name = "heat", .kind = CLI_TEXT, .value = &sim.heat_path, .word = "FILE",
                   .help = "for how many cycles each link is driven: a heat map, FILE.svg, or a table, FILE.csv"),
        CLI_OPTION(.name = "speed", .kind = CLI_FLAG, .value = &sim.speed,
                   .help = "also router-cycles per second, on standard error"),
        CLI_JSON_OPTION(sim.json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "simulate",
        .usage = "T | FILE.gfs  [--solver S]  [--token-bits W --link-bits L] [--json]",
        .text =
            "Runs the fabric's C model, which is equal to the RTL in every cycle, on the ROM images of a schedule.\n"
            "Every token in every node is compared, and the cycles with the formula; exit status 1 where they differ.\n"
            "With --stream hosts give --repeat vectors of --beats, and every beat that comes is compared.\n"
            "Cycle 0 of --trace and --vcd is the one after the clock edge that samples start.",
        .example = "  gossipfab simulate mesh:8x8 --token-bits 32 --link-bits 2 --vcd gossip.vcd",
        .options = options,
        .rules = simulate_stream_rules};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, simulate(&sim));
    simulate_vcd_destroy(sim.vcd);
    cli_output_discard(&sim.trace);
    cli_output_discard(&sim.vcd_output);
    simulate_stream_release(&sim.stream);
    gfab_cmodel_destroy(sim.cmodel);
    GFAB_FREE(sim.tokens, sim.arc_uses, sim.round_uses);
    cli_machine_release(&sim.machine);
    cli_source_release(&sim.source);
    return status;
}
