/* SPDX-License-Identifier: MIT */
/* Command `replan`: a schedule for what is left of a graph where links are dead or slow. The library does it
 * (core/solvers/collective/replan/); here are the steps around it: read the old schedule, change the graph as
 * +drop-link=3-4 says, verify the new schedule, and report how much of the old one could stay. A change that leaves
 * the graph as it was also leaves it its name, so that solvers for meshes still see a mesh. */
#define _POSIX_C_SOURCE 200809L
#include "cli_source.h"

#include <stdlib.h>
#include <string.h>

/* The old schedule, and the new one on what is left. */
typedef struct replan_request {
    cli_source before, after;
    const char *changes, *output_path;
    uint32_t *nodes; /* of what is left: the number that each had */
    bool json;
    gfab_replan_report report;
} replan_request;

/* Changes that leave the graph what it was leave it its name, too. */
static int find_left(replan_request *r)
{
    gfab_diag diag = {0, ""};
    gfab_status status = gfab_topology_change(r->before.topology, r->changes, &r->after.topology, &r->nodes, &diag);
    if (status == GFAB_OK && gfab_topology_equal(r->before.topology, r->after.topology)) {
        gfab_topology_destroy(r->after.topology);
        r->after.topology = NULL;
        status = gfab_topology_parse(gfab_topology_spec(r->before.topology), &r->after.topology, &diag);
    }
    return cli_told("replan", status, r->changes, &diag);
}

/* The new schedule, verified. */
static int replan(replan_request *r)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress("replan");
    const gfab_status status =
        gfab_replan(r->before.schedule, r->after.topology, r->nodes, &progress, &r->after.schedule, &r->report, &diag);
    cli_progress_end();
    if (status != GFAB_OK)
        return cli_fail("replan", status, NULL, &diag);
    const int judged = cli_source_judge("replan", &r->after);
    if (judged == CLI_GO_ON && r->after.report.fault != GFAB_FAULT_NONE)
        return cli_source_fault("replan", &r->after);
    return judged;
}

static const char *const how_names[] = {
    [GFAB_REPLAN_STAYS] = "stays", [GFAB_REPLAN_MENDED] = "mended", [GFAB_REPLAN_ANEW] = "anew"};

static const char *how_text(const replan_request *r)
{
    static const char *const texts[] = {[GFAB_REPLAN_STAYS] = "as it was: what it uses has not changed",
                                        [GFAB_REPLAN_MENDED] = "mended: what still works is as it was",
                                        [GFAB_REPLAN_ANEW] = "made anew by the solver "};
    return texts[r->report.how];
}

static void print_text(FILE *file, const replan_request *r)
{
    const gfab_goal goal = gfab_schedule_goal(r->after.schedule);
    cli_print_topology(file, r->after.topology);
    cli_print_model(file, gfab_schedule_model(r->after.schedule));
    cli_goal_print(file, r->after.schedule);
    fprintf(file, "before       %u rounds%s\n", gfab_schedule_rounds(r->before.schedule),
            gfab_schedule_any_length(r->before.schedule) ? " for a group" : "");
    fprintf(file, "plan         %s%s\n", how_text(r),
            r->report.how == GFAB_REPLAN_ANEW ? gfab_schedule_solver(r->after.schedule) : "");
    cli_print_rounds(file, &r->after);
    fprintf(file, "kept         %llu of %llu moves%s\n", (unsigned long long)r->report.kept,
            (unsigned long long)r->report.moves, gfab_schedule_period(r->before.schedule) ? " of a group" : "");
    fprintf(file, "verified     %s\n", cli_goal_result(&goal, r->after.topology));
}

static void print_json(FILE *file, const replan_request *r)
{
    json_t *report = cli_json_report("gossipfab.replan/1");
    CLI_JSON(report, CLI_KEY("changes", r->changes), CLI_KEY("rounds_before", gfab_schedule_rounds(r->before.schedule)),
             CLI_KEY("how", how_names[r->report.how]), CLI_KEY("moves_before", r->report.moves),
             CLI_KEY("moves_kept", r->report.kept));
    cli_json_schedule(report, &r->after);
    CLI_JSON(report, CLI_KEY("verified", (bool)true));
    cli_json_print(report, file);
}

static int produce(replan_request *r)
{
    cli_output output = {NULL, NULL, NULL};
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress("replan");
    FILE *report = cli_report_file(r->output_path, NULL);
    int status = cli_source_open("replan", &r->before);
    CLI_THEN(status, find_left(r));
    if (status == CLI_GO_ON && r->output_path)
        status = cli_output_open("replan", r->output_path, &output);
    CLI_THEN(status, replan(r));
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
        .usage = "s.gfs +drop-link=U-V|+drop-node=V|+weight=U-V:W...  [-o FILE] [--json]",
        .text =
            "Makes another schedule of s.gfs where links U-V or nodes V have died, or links now carry W packets a\n"
            "round. Where that changes nothing that s.gfs uses, it stays as it is. Else what still works of it is\n"
            "kept. Where a solver makes a shorter one, and the graph is small enough for that to be quick, it is\n"
            "taken. The new schedule has the same collective, repeats where the old one does, and is verified before\n"
            "it is written.\n"
            "Several changes follow each other. For fabrics there is reroute, which makes their programs.",
        .example = "  gossipfab schedule torus:8x8 --link-mode full -c all-reduce --blocks any -o s.gfs\n"
                   "  gossipfab replan s.gfs +drop-link=3-4 -o t.gfs",
        .options = options,
        .max_arguments = 2};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    if (!arguments[0] || !arguments[1])
        return cli_error("replan", "give the schedule and what has changed, such as s.gfs +drop-link=3-7");
    for (const char *at = arguments[1]; at; at = strchr(at + 1, '+'))
        if (strncmp(at, "+drop-", strlen("+drop-")) != 0 && strncmp(at, "+weight=", strlen("+weight=")) != 0)
            return cli_error("replan", "'%.40s': what has changed is +drop-link=U-V, +drop-node=V or +weight=U-V:W",
                             at);
    r.before.schedule_path = arguments[0];
    r.changes = arguments[1];
    int status = produce(&r);
    free(r.nodes);
    cli_source_release(&r.after);
    cli_source_release(&r.before);
    return status;
}
