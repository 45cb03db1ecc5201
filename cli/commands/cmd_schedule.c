/* SPDX-License-Identifier: MIT */
/* Command `schedule`: makes a schedule, verifies it, and writes it as a file, as CSV or in another tool's format. What
 * is wrong with the options, or with the file after -o, is found before a solver starts, because some solvers run for
 * minutes. A schedule of the solver `colouring` is also printed as a string with a digit for each round, the number of
 * the matching that is used. */
#define _POSIX_C_SOURCE 200809L
#include "cli_source.h"

#include <stdlib.h>
#include <string.h>

/* The matching that has all links of a round; false if none has. */
static bool find_matching(const gfab_schedule *schedule, uint32_t round, const gfab_matchings *matchings,
                          uint8_t *found)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    for (size_t index = 0; index < gfab_matchings_count(matchings); index++) {
        const uint32_t *partner = gfab_matchings_partners(matchings, index);
        gfab_packet_iter packets = gfab_schedule_round(schedule, round);
        gfab_packet packet;
        bool all = true;
        while (all && gfab_packet_next(&packets, &packet)) {
            all = partner[gfab_topology_arc_from(topology, packet.arcs[0])] ==
                  gfab_topology_arc_to(topology, packet.arcs[0]);
        }
        if (all) {
            *found = (uint8_t)index;
            return true;
        }
    }
    return false;
}

/* A schedule by the solver colouring as a string, to be freed: a digit a round. *text is NULL for any other schedule.
 * CLI_GO_ON or an exit status. */
static int find_sequence(const cli_source *source, char **text)
{
    const uint32_t rounds = source->report.rounds;
    size_t length;
    gfab_diag diag = {0, ""};
    *text = NULL;
    /* A family's matchings are those of its own numbers. */
    if (strcmp(gfab_schedule_solver(source->schedule), "colouring") != 0 || rounds > GFAB_MAX_SEQUENCE || source->like)
        return CLI_GO_ON;
    const char *from = gfab_parameter(source->parameters, "matchings", &length);
    GFAB_FREED gfab_sequence *sequence = malloc(sizeof *sequence);
    char *digits = malloc((size_t)rounds + 1), *copy = from ? strndup(from, length) : NULL;
    gfab_matchings *matchings = NULL;
    gfab_status status = sequence && digits && (copy || !from) ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_matchings_create(source->topology, copy, &matchings, &diag));
    bool good = status == GFAB_OK;
    for (uint32_t round = 1; good && round <= rounds; round++)
        good = find_matching(source->schedule, round, matchings, &sequence->at[round - 1]);
    if (good) {
        sequence->length = rounds;
        gfab_sequence_write(sequence, digits);
        *text = digits;
    } else {
        free(digits);
    }
    gfab_matchings_destroy(matchings);
    free(copy);
    return cli_told("schedule", status, NULL, &diag);
}

/* Half duplex, does no link ever turn round, though there is no root that all flows from or to? Then its pads may be
 * fixed: an input at one end, an output at the other. */
static int find_turns(cli_source *source)
{
    const gfab_schedule *schedule = source->schedule;
    const size_t links = gfab_topology_link_count(gfab_schedule_topology(schedule));
    if (gfab_schedule_model(schedule)->link_mode != GFAB_LINK_HALF || gfab_schedule_translated(schedule) ||
        gfab_collective_has_root(gfab_schedule_goal(schedule).collective))
        return CLI_GO_ON;
    GFAB_FREED unsigned char *ways = calloc(links, sizeof *ways);
    CLI_NEED("schedule", ways);
    source->one_way = true;
    for (uint32_t round = 1; source->one_way && round <= gfab_schedule_kept_rounds(schedule); round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(schedule, round);
        for (gfab_packet packet; source->one_way && gfab_packet_next(&packets, &packet);)
            for (size_t i = 0; i < packet.arc_count; i++) {
                ways[packet.arcs[i] / 2] |= (unsigned char)(1 << packet.arcs[i] % 2);
                source->one_way = source->one_way && ways[packet.arcs[i] / 2] != 3;
            }
    }
    return CLI_GO_ON;
}

static void print_text(FILE *file, const cli_source *source, const cli_prove *prove, const char *sequence)
{
    const gfab_verify_report *report = &source->report;
    const char *solver = gfab_schedule_solver(source->schedule);
    const gfab_goal goal = gfab_schedule_goal(source->schedule);
    uint32_t use = cli_source_link_use_permille(source);
    cli_print_topology(file, source->topology);
    cli_print_recognised(file, source);
    cli_print_model(file, gfab_schedule_model(source->schedule));
    cli_goal_print(file, source->schedule);
    if (strcmp(solver, source->solver_name) != 0)
        fprintf(file, "solver       %s, chosen by %s\n", solver, source->solver_name);
    else
        fprintf(file, "solver       %s\n", solver);
    if (source->broadcast)
        fprintf(file, "broadcast    from node %u\n", source->broadcast_from);
    cli_print_rounds(file, source);
    cli_print_cost(file, source);
    cli_prove_print(file, prove, source);
    if (sequence)
        fprintf(file, "sequence     %s\n", sequence);
    if (source->promised != 0) {
        fprintf(file, "formula      %llu rounds, as %s promises for these sides\n",
                (unsigned long long)source->promised, solver);
    }
    fprintf(file, "moves        %llu, %llu of them redundant\n", (unsigned long long)report->moves,
            (unsigned long long)report->redundant);
    fprintf(file, "link use     %u.%u %% of the link rounds; busiest link %llu moves, idlest %llu\n", use / 10,
            use % 10, (unsigned long long)report->max_link_moves, (unsigned long long)report->min_link_moves);
    if (source->one_way)
        fputs("             every link goes one way, and never turns round\n", file);
    fprintf(file, "verified     %s\n", cli_goal_result(&goal, source->topology));
}

static void print_json(FILE *file, const cli_source *source, const cli_prove *prove, const char *sequence)
{
    json_t *report = cli_json_report("gossipfab.schedule/1");
    CLI_JSON(report, CLI_KEY("solver_asked", source->solver_name), CLI_KEY("solver_seed", source->solver_seed));
    cli_json_schedule(report, source);
    CLI_JSON(report, CLI_KEY_IF(source->broadcast, "broadcast_from", source->broadcast_from),
             CLI_KEY("verified", (bool)true));
    cli_prove_json(report, prove);
    CLI_JSON(report, CLI_KEY_IF(sequence, "sequence", sequence));
    cli_json_print(report, file);
}

/* CSV cannot say everything: found out before the first byte is written. */
static int check_artifact(const cli_source *source, const gfab_format *what)
{
    const gfab_model *model = gfab_schedule_model(source->schedule);
    if (!what || strcmp(what->name, "csv") != 0)
        return CLI_GO_ON;
    if (cli_source_check_listed("schedule", source) != CLI_GO_ON)
        return CLI_USAGE;
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(source->schedule); round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(source->schedule, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
            if (packet.arc_count != 1 || packet.token_count != 1) {
                return cli_error("schedule",
                                 "--format csv: round %u has a packet of %zu tokens over %zu links (%s, packets of up "
                                 "to %u tokens); CSV takes one token over one link, use --format gfs",
                                 round, packet.token_count, packet.arc_count, gfab_model_symbol(model),
                                 model->packet_tokens);
            }
        }
    }
    return CLI_GO_ON;
}

static int write_artifact(const cli_source *source, const gfab_format *what, FILE *file, const char *name)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress("schedule");
    /* Of what goes to standard output none may be missing. */
    const gfab_progress *polled = file == stdout ? NULL : &progress;
    if (cli_was_interrupted())
        return cli_fail("schedule", GFAB_ERR_INTERRUPTED, NULL, NULL);
    return cli_told("schedule", what->write(source->schedule, file, polled, &diag), name, &diag);
}

/* Where -o is wrong, nothing is solved. */
static int produce(cli_source *source, cli_prove *prove, const gfab_format *what, const char *path, bool json)
{
    cli_output output = {NULL, NULL, NULL};
    int status = cli_source_open_topology("schedule", source);
    const char *record = status == CLI_GO_ON ? cli_sequence_record(source) : NULL;
    GFAB_FREED char *sequence = NULL;
    if (record && !what && !prove->asked)
        return cli_sequence_print("schedule", source, record, json);
    if (status == CLI_GO_ON && path)
        status = cli_output_open("schedule", path, &output);
    CLI_THEN(status, cli_source_load("schedule", source));
    if (status == CLI_GO_ON && prove->asked)
        status = cli_prove_run("schedule", prove, source);
    CLI_THEN(status, check_artifact(source, what));
    CLI_THEN(status, find_sequence(source, &sequence));
    CLI_THEN(status, find_turns(source));
    if (status == CLI_GO_ON && what)
        status = write_artifact(source, what, path ? output.file : stdout, path);
    if (status == CLI_GO_ON && path)
        status = cli_output_commit("schedule", &output);
    CLI_THEN(status, cli_prove_commit("schedule", prove));
    if (status == CLI_GO_ON) {
        (json ? print_json : print_text)(what && !path ? stderr : stdout, source, prove, sequence);
        status = CLI_GOOD;
    }
    cli_output_discard(&output);
    cli_prove_discard(prove);
    return status;
}

/* No two outputs may be one file. */
static int check_outputs(const cli_prove *prove, const char *path)
{
    CLI_TRY(cli_prove_check("schedule", prove));
    CLI_TRY(cli_check_outputs("schedule", "output", path, "proof", prove->proof_path));
    CLI_TRY(cli_check_outputs("schedule", "output", path, "cnf", prove->cnf_path));
    return cli_check_outputs("schedule", "proof", prove->proof_path, "cnf", prove->cnf_path);
}

int cmd_schedule(int argc, char **argv)
{
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    cli_prove prove = {.asked = false};
    const char *format = NULL, *path = NULL;
    bool json = false;
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(source),
        CLI_SOLVER_OPTIONS(source),
        CLI_GOAL_OPTIONS(source),
        CLI_LOAD_OPTIONS(source),
        CLI_SEARCH_OPTIONS(source),
        CLI_PROVE_OPTIONS(prove),
        CLI_MODEL_OPTIONS(source),
        CLI_OPTION(.name = "format", .letter = 'f', .kind = CLI_TEXT, .value = &format, .word = "F",
                   .initial = "none, with -o gfs",
                   .help = "the form of the schedule, such as csv; of gossipfab list formats, on standard "
                           "output, or in -o's file"),
        CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &path, .word = "FILE",
                   .help = "write the schedule to FILE"),
        CLI_JSON_OPTION(json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "schedule",
        .usage = "T [--collective C] [--solver S] [--effort N] [--rounds R] [--prove] [model options] "
                 "[--format F] [-o FILE] "
                 "[--json]",
        .text =
            "Makes a schedule with a solver, verifies it and prints a summary beside the best lower bound.\n"
            "The summary is on standard output, or on standard error where --format puts the schedule itself there.",
        .example = "  gossipfab schedule mesh:4x4 --solver lau-zhang -o s.gfs\n"
                   "  gossipfab schedule mesh:4x4 --collective all-reduce --link-mode full",
        .options = options};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    const gfab_format *what = path ? gfab_format_find("gfs") : NULL;
    if (format && strcmp(format, "none") == 0) {
        if (path)
            return cli_error("schedule", "--format none leaves nothing for -o '%s'; give gfs or csv", path);
    } else if (format && !(what = cli_format_find("schedule", "--format", format)))
        return CLI_USAGE;
    if (prove.asked && source.any_blocks)
        return cli_error("schedule", "--prove is for a number of blocks; give one in the place of --blocks any");
    if (what && !what->write)
        return cli_error("schedule", "--format: %s is for %s; gossipfab convert writes it", what->name,
                         what->folder ? "folders" : "graphs alone");
    if (cli_is_standard(path))
        path = NULL;
    CLI_TRY(check_outputs(&prove, path));
    if (!source.broadcast || strcmp(source.broadcast_text, "all") != 0)
        return produce(&source, &prove, what, path, json);
    if (what || prove.asked)
        return cli_error("schedule",
                         "--broadcast-from all makes no schedule, so that --%s does not go with it; give a node or "
                         "worst",
                         prove.asked ? "prove"
                         : path      ? "output"
                                     : "format");
    return cli_broadcasts("schedule", &source, json);
}
