/* SPDX-License-Identifier: MIT */
/* Command `verify`: is a schedule from a file right? The check is the library's (core/schedule/verify.c); here the
 * answer becomes text or JSON and an exit status: 0 for a good schedule, 1 for a fault, which a line names with its
 * round. The same command takes plans for GPUs and programs of MSCCL, which are known by what they begin with; these
 * are checked for every order in which a GPU may run them. Traces of Chakra that another tool wrote are only asked
 * whether the collective can come about by them. */
#include "cli_source.h"
#include "formats/cli/cli_msccl.h"
#include "gpu-plans/cli/cli_plan.h"

static void print_text(const cli_source *source)
{
    const gfab_verify_report *report = &source->report;
    cli_print_topology(stdout, source->topology);
    const gfab_goal goal = gfab_schedule_goal(source->schedule);
    cli_print_model(stdout, gfab_schedule_model(source->schedule));
    cli_goal_print(stdout, source->schedule);
    cli_print_rounds(stdout, source);
    cli_print_cost(stdout, source);
    printf("moves        %llu, %llu of them redundant\n", (unsigned long long)report->moves,
           (unsigned long long)report->redundant);
    printf("good         %s\n", cli_goal_result(&goal, source->topology));
    if (gfab_schedule_period(source->schedule))
        printf("length       any: the first %u blocks alone are right, and no two groups of %u meet in a round "
               "(docs/theory/long-vectors/periodic.md)\n",
               gfab_schedule_group(source->schedule), gfab_schedule_group(source->schedule));
}

static void json_place(json_t *object, const char *key, uint32_t value)
{
    if (value == UINT32_MAX)
        cli_json_set(object, key, json_null());
    else
        CLI_JSON(object, CLI_KEY(key, value));
}

static void print_json(const cli_source *source)
{
    const gfab_verify_report *report = &source->report;
    json_t *object = cli_json_report("gossipfab.verify/1");
    CLI_JSON(object, CLI_KEY("good", (bool)(report->fault == GFAB_FAULT_NONE)));
    if (report->fault == GFAB_FAULT_NONE) {
        cli_json_set(object, "fault", json_null());
    } else {
        json_t *fault = cli_json_object();
        CLI_JSON(fault, CLI_KEY("name", gfab_fault_name(report->fault)), CLI_KEY("message", report->message),
                 CLI_KEY("round", report->round));
        json_place(fault, "link", report->link);
        json_place(fault, "node", report->node);
        json_place(fault, "token", report->token);
        json_place(fault, "source", report->source);
        CLI_JSON(fault, CLI_KEY("missing", report->missing));
        cli_json_set(object, "fault", fault);
    }
    cli_json_schedule(object, source);
    cli_json_print(object, stdout);
}

/* Where every block has to be added up alike: a good schedule may be one that does not. */
static int check_brackets(const cli_source *source)
{
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_expression_check_one(source->schedule, &diag);
    return status == GFAB_OK ? CLI_GOOD : cli_fail("verify", status, NULL, &diag);
}

/* What was found; the exit status. */
static int say(const cli_source *source, const cli_msccl *program, bool json, bool one_bracket)
{
    const bool good = source->report.fault == GFAB_FAULT_NONE;
    if (good && program->status != GFAB_OK)
        return cli_fail("verify", program->status, source->input.name, &program->diag);
    const int status = good && one_bracket ? check_brackets(source) : CLI_GOOD;
    if (status != CLI_GOOD)
        return status;
    if (json)
        print_json(source);
    else if (good) {
        cli_msccl_print(program, false);
        print_text(source);
    }
    return good ? CLI_GOOD : cli_source_fault("verify", source);
}

int cmd_verify(int argc, char **argv)
{
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    const char *page = NULL;
    bool json = false, one_bracket = false;
    uint64_t bytes = 0;
    gfab_gpu_plan_options plan_options = {0};
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(source),
        CLI_OPTION(.name = "startup", .kind = CLI_RATIO, .value = &source.startup, .given = &source.linear, .word = "R",
                   .help = "also the cost: a round with s tokens in its longest packet costs R + s"),
        CLI_OPTION(.name = "one-bracket", .kind = CLI_FLAG, .value = &one_bracket,
                   .help = "also: is every block added up in the same bracketing, at every node?"),
        CLI_OPTION(.name = "chunk-bytes", .kind = CLI_U64, .value = &plan_options.chunk_bytes, .word = "N", .least = 16,
                   .most = INT32_MAX, .unit = "bytes", .initial = "the plan's least",
                   .help = "of a plan for GPUs: the length of a chunk"),
        CLI_OPTION(.name = "bytes", .kind = CLI_U64, .value = &bytes, .word = "N", .least = 1,
                   .most = (uint64_t)1 << 50, .unit = "bytes", .help = "of Chakra's traces: the length of the vector"),
        CLI_OPTION(.name = "html", .kind = CLI_TEXT, .value = &page, .word = "FILE",
                   .help = "of a plan for GPUs: a page that plays the steps to its fault"),
        CLI_GOAL_OPTIONS(source),
        CLI_MODEL_OPTIONS(source),
        CLI_JSON_OPTION(json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "verify",
        .usage = "[T] [--startup R] [--one-bracket] [model options] [--json] FILE|-",
        .text =
            "Replays a schedule from a file under its model and says at the first fault which round, link, node and "
            "token.\n"
            "A .gfs file says its own topology, model and collective; CSV needs --topology, and the options for the "
            "others\n"
            "where they are not the defaults. A plan for GPUs, MSCCL++'s JSON, is checked for every order in which "
            "its\n"
            "thread blocks may go on, as is a program of MSCCL's XML. PREFIX of Chakra's traces PREFIX.<rank>.et of\n"
            "another tool: whether --collective can come about by them. Exit status: 0 good, 1 faulty, 2 unreadable.",
        .example = "  gossipfab verify mesh:4x4 s.csv",
        .options = options,
        .max_arguments = 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    source.schedule_path = arguments[0];
    if (!source.schedule_path)
        return cli_error("verify", "no schedule file given; usage: gossipfab verify %s", command.usage);
    cli_msccl program = {0};
    int status = cli_chakra_verify("verify", &source, bytes, json);
    if (status == CLI_GO_ON && bytes > 0)
        status = cli_error("verify", "--bytes is of Chakra's traces, and there is no %s.0.et", source.schedule_path);
    CLI_THEN(status, cli_source_input("verify", &source));
    CLI_THEN(status, cli_plan_verify("verify", &source.input, &plan_options, page, json));
    if (status == CLI_GO_ON && plan_options.chunk_bytes > 0)
        status = cli_error("verify", "--chunk-bytes is of a plan for GPUs, MSCCL++'s JSON, which %s is not",
                           source.schedule_path);
    if (status == CLI_GO_ON && page)
        status = cli_error(
            "verify",
            "--html plays the fault of a plan for GPUs, MSCCL++'s JSON; 'gossipfab show --html' plays a schedule");
    CLI_THEN(status, cli_msccl_find("verify", &source.input, json, &program));
    CLI_THEN(status, cli_source_open("verify", &source));
    CLI_THEN(status, cli_source_judge("verify", &source));
    CLI_THEN(status, say(&source, &program, json, one_bracket));
    return status;
}
