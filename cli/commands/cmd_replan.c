/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli_source.h"

#include <stdlib.h>
#include <string.h>

/* The old schedule, and the new one on what is left. */
typedef struct replan_request {
    cli_source before, after;
    const char *changes, *output_path;
    bool json;
    gfab_replan_report report;
} replan_request;

static int find_left(replan_request *r)
{
    const char *whole = gfab_topology_spec(r->before.topology);
    const size_t size = strlen(whole) + strlen(r->changes) + 1;
    char *spec = malloc(size);
    gfab_diag diag = {0, ""};
    if (!spec)
        return cli_fail("replan", GFAB_ERR_NO_MEMORY, NULL, NULL);
    snprintf(spec, size, "%s%s", whole, r->changes);
    const gfab_status status = gfab_topology_parse(spec, &r->after.topology, &diag);
    free(spec);
    return status == GFAB_OK ? CLI_GO_ON : cli_fail("replan", status, r->changes, &diag);
}

/* The new schedule, verified. */
static int replan(replan_request *r)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress("replan");
    const gfab_status status =
        gfab_replan(r->before.schedule, r->after.topology, &progress, &r->after.schedule, &r->report, &diag);
    cli_progress_end();
    if (status != GFAB_OK)
        return cli_fail("replan", status, NULL, &diag);
    const int judged = cli_source_judge("replan", &r->after);
    if (judged == CLI_GO_ON && r->after.report.fault != GFAB_FAULT_NONE)
        return cli_source_fault("replan", &r->after);
    return judged;
}

static void print_text(FILE *file, const replan_request *r)
{
    const gfab_goal goal = gfab_schedule_goal(r->after.schedule);
    cli_print_topology(file, r->after.topology);
    cli_print_model(file, gfab_schedule_model(r->after.schedule));
    cli_goal_print(file, r->after.schedule);
    fprintf(file, "before       %u rounds%s\n", gfab_schedule_rounds(r->before.schedule),
            gfab_schedule_any_length(r->before.schedule) ? " for a group" : "");
    cli_print_rounds(file, &r->after);
    fprintf(file, "kept         %llu of %llu moves%s\n", (unsigned long long)r->report.kept,
            (unsigned long long)r->report.moves, gfab_schedule_period(r->before.schedule) ? " of a group" : "");
    fprintf(file, "verified     %s\n", cli_goal_result(&goal, r->after.topology));
}

static void print_json(FILE *file, const replan_request *r)
{
    json_t *report = cli_json_object();
    cli_json_text(report, "schema", "gossipfab.replan/1");
    cli_json_text(report, "changes", r->changes);
    cli_json_int(report, "rounds_before", gfab_schedule_rounds(r->before.schedule));
    cli_json_int(report, "moves_before", r->report.moves);
    cli_json_int(report, "moves_kept", r->report.kept);
    cli_json_schedule(report, &r->after);
    cli_json_bool(report, "verified", true);
    cli_json_print(report, file);
}

static int produce(replan_request *r)
{
    cli_output output = {NULL, NULL, NULL};
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress("replan");
    FILE *report = cli_report_file(r->output_path, NULL);
    int status = cli_source_open("replan", &r->before);
    if (status == CLI_GO_ON)
        status = find_left(r);
    if (status == CLI_GO_ON && r->output_path)
        status = cli_output_open("replan", r->output_path, &output);
    if (status == CLI_GO_ON)
        status = replan(r);
    if (status == CLI_GO_ON && r->output_path) {
        const gfab_status written = gfab_schedule_write(r->after.schedule, output.file,
                                                        cli_is_standard(r->output_path) ? NULL : &progress, &diag);
        status = written == GFAB_OK ? cli_output_commit("replan", &output)
                                    : cli_fail("replan", written, r->output_path, &diag);
    }
    cli_output_discard(&output);
    if (status != CLI_GO_ON)
        return status;
    (r->json ? print_json : print_text)(report, r);
    return CLI_GOOD;
}

int cmd_replan(int argc, char **argv)
{
    replan_request r = {.before = cli_source_default(), .after = cli_source_default()};
    const cli_option options[] = {CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &r.output_path,
                                             .word = "FILE", .help = "write the new schedule to FILE"),
                                  CLI_JSON_OPTION(r.json), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "replan",
        .usage = "s.gfs +drop-link=U-V|+weight=U-V:W...  [-o FILE] [--json]",
        .text =
            "Makes another schedule of s.gfs where links U-V have died, or now carry W packets a round. What still\n"
            "works of the old schedule is kept, so that it takes less than a second on 1000 nodes; the new one\n"
            "has the same collective, and repeats where the old one does. It is verified before it is written.\n"
            "Several changes follow each other. For fabrics there is reroute, which makes their programs.",
        .example = "  gossipfab schedule torus:8x8 --link-mode full -c all-reduce --blocks any -o s.gfs\n"
                   "  gossipfab replan s.gfs +drop-link=3-4 -o t.gfs",
        .options = options,
        .max_arguments = 2};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    if (!arguments[0] || !arguments[1])
        return cli_error("replan", "give the schedule and what has changed, such as s.gfs +drop-link=3-7");
    if (strncmp(arguments[1], "+drop-link=", strlen("+drop-link=")) != 0 &&
        strncmp(arguments[1], "+weight=", strlen("+weight=")) != 0)
        return cli_error("replan", "'%.40s': what has changed is +drop-link=U-V or +weight=U-V:W", arguments[1]);
    r.before.schedule_path = arguments[0];
    r.changes = arguments[1];
    status = produce(&r);
    cli_source_release(&r.after);
    cli_source_release(&r.before);
    return status;
}
