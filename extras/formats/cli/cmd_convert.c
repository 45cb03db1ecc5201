/* SPDX-License-Identifier: MIT */
/* Command `convert`: a schedule into another tool's format, or out of one. Readers and writers are rows of a table
 * (formats.c); here are the options, the check, and the report. A schedule that is read is verified before it is
 * written again, because a reader that misunderstood a file would otherwise pass its mistake on. Plans for GPUs have
 * no rounds and can only be written as plans. */
#include "cli_source.h"
#include "formats/cli/cli_folder.h"
#include "formats/cli/cli_msccl.h"
#include "gpu-plans/cli/cli_plan.h"

#include <string.h>

typedef struct conversion {
    cli_source source;
    const gfab_format *format;
    const char *path;       /* NULL: standard output */
    uint64_t bytes;         /* of a block of chakra's */
    uint32_t thread_blocks; /* that share a chunk of a plan for GPUs; 0 of other formats */
    bool multicast, json;
} conversion;

static void print_written(FILE *file, const char *format, const char *path)
{
    fprintf(file, "written      %s%s%s\n", path ? path : "", path ? ", " : "", format);
}

/* The exit status; so below. */
static int print_steps(FILE *file, const gfab_format *format, const gfab_schedule *schedule)
{
    uint32_t steps = 0;
    gfab_diag diag = {0, ""};
    CLI_TRY(cli_told("convert", cli_msccl_steps(format, schedule, &steps, &diag), "msccl", &diag));
    fprintf(file, "steps        %u at most of a thread block: the executor takes ", steps);
    if (steps <= GFAB_MSCCL_STEPS_SHIPPED)
        fputs("64 as shipped, 256 if built so\n", file);
    else
        fprintf(file, "64 as shipped, of at most %u blocks; for all it is built with MSCCL_MAX_NUM_STEPS=256\n",
                gfab_msccl_fitting(steps, GFAB_MSCCL_STEPS_SHIPPED, gfab_schedule_token_count(schedule)));
    return CLI_GOOD;
}

static int print_text(FILE *file, const cli_source *source, const gfab_format *format, const char *path)
{
    cli_print_topology(file, source->topology);
    if (!source->schedule) {
        print_written(file, format->name, path);
        return CLI_GOOD;
    }
    cli_print_model(file, gfab_schedule_model(source->schedule));
    cli_goal_print(file, source->schedule);
    cli_print_rounds(file, source);
    fprintf(file, "moves        %llu\n", (unsigned long long)source->report.moves);
    int status = CLI_GOOD;
    if (cli_msccl_is(format))
        status = print_steps(file, format, source->schedule);
    if (status == CLI_GOOD)
        print_written(file, format->name, path);
    return status;
}

static int print_json(FILE *file, const cli_source *source, const gfab_format *format, const char *path)
{
    json_t *report = cli_json_report("gossipfab.convert/1");
    CLI_JSON(report, CLI_KEY("format", format->name), CLI_KEY("output", path));
    if (source->schedule)
        cli_json_schedule(report, source);
    else
        cli_json_set(report, "topology", cli_json_topology(source->topology));
    cli_json_print(report, file);
    return CLI_GOOD;
}

static int write_to(FILE *file, const conversion *c)
{
    const cli_source *source = &c->source;
    const gfab_format *format = c->format;
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress("convert");
    gfab_status status;
    if (format->write_graph)
        status = format->write_graph(source->topology, file, &diag);
    else if (c->thread_blocks)
        status = gfab_mscclpp_write_shared(source->schedule, strcmp(format->name, "mscclpp") == 0, c->thread_blocks,
                                           c->multicast, file, &diag);
    else
        status = format->write(source->schedule, file, &progress, &diag);
    const char *where = status == GFAB_ERR_IO ? c->path : format->name; /* what is to blame */
    return cli_told("convert", status, where, &diag);
}

/* What is read is verified before anything is written. */
static int convert(conversion *c)
{
    cli_source *source = &c->source;
    const char *path = c->path;
    cli_output output = {NULL, NULL, NULL};
    int status =
        source->schedule_path ? cli_source_load("convert", source) : cli_source_open_topology("convert", source);
    if (status == CLI_GO_ON && path && !c->format->folder)
        status = cli_output_open("convert", path, &output);
    CLI_THEN(status, c->bytes            ? cli_chakra_write(source, path, c->bytes)
                     : c->format->folder ? cli_c_plan_write(source, path)
                                         : write_to(path ? output.file : stdout, c));
    if (status == CLI_GO_ON && output.file)
        status = cli_output_commit("convert", &output);
    CLI_THEN(status, (c->json ? print_json : print_text)(path ? stdout : stderr, source, c->format, path));
    cli_output_discard(&output);
    return status;
}

static gfab_status write_plan(const void *plan, FILE *file, gfab_diag *diag)
{
    return gfab_gpu_plan_write(plan, file, diag);
}

/* A plan for GPUs is written as it was read: it has no rounds that another format could take. */
static int convert_plan(const gfab_gpu_plan *plan, const gfab_format *format, const char *path)
{
    if (strcmp(format->name, "mscclpp") != 0)
        return cli_error("convert", "a plan for GPUs has no rounds: it is written --to mscclpp alone");
    const int status = cli_output_write("convert", path ? path : "-", write_plan, plan);
    return status == CLI_GO_ON ? CLI_GOOD : status;
}

static const cli_rule rules[] = {
    {.options = "bytes", .need = "to=chakra"}, /* the length of a block */
    {.options = "to=chakra", .need = "bytes"},
    {.options = "thread-blocks multicast", .need = "to=mscclpp to=mscclpp-apart"},
    CLI_RULES_END,
};

int cmd_convert(int argc, char **argv)
{
    conversion c = {.source = cli_source_default()};
    const char *to = "gfs";
    const cli_option options[] = {
        CLI_OPTION(.name = "to", .kind = CLI_TEXT, .value = &to, .word = "FORMAT", .initial = "gfs",
                   .help = "see: gossipfab list formats"),
        CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &c.path, .word = "FILE",
                   .initial = "standard output", .help = "where it is written"),
        CLI_OPTION(.name = "bytes", .kind = CLI_U64, .value = &c.bytes, .word = "N", .least = 1, .most = INT64_MAX,
                   .unit = "bytes", .help = "of chakra: the length of a block"),
        CLI_OPTION(.name = "thread-blocks", .kind = CLI_U32, .value = &c.thread_blocks, .word = "N", .least = 1,
                   .most = GFAB_MSCCLPP_SHARED, .initial = "1",
                   .help = "of mscclpp, mscclpp-apart: so many share each block, for long messages"),
        CLI_OPTION(.name = "multicast", .kind = CLI_FLAG, .value = &c.multicast,
                   .help = "of these: a relay that sends to all its GPUs in a round does so by one store, gstore"),
        CLI_TOPOLOGY_OPTION(c.source),
        CLI_GOAL_OPTIONS(c.source),
        CLI_MODEL_OPTIONS(c.source),
        CLI_JSON_OPTION(c.json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "convert",
        .usage = "[FILE|-] [--to FORMAT] [-o FILE] [T] [model options] [--json]",
        .text =
            "Reads a schedule in any format that gossipfab list formats has, verifies it, and writes it in another.\n"
            "A file that gossipfab wrote says its own topology, model and rounds. What another tool's file does not\n"
            "say is taken from the options; moves without rounds get them as early as what they wait for, the links\n"
            "and the model allow. Formats of graphs take a --topology, or a schedule's. The report is on standard\n"
            "output. Without -o the schedule is there, and the report on standard error.",
        .example = "  gossipfab convert s.gfs --to msccl -o s.xml\n"
                   "  gossipfab convert ring.xml -o ring.gfs",
        .options = options,
        .rules = rules,
        .max_arguments = 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    c.source.schedule_path = arguments[0];
    c.format = cli_format_find("convert", "--to", to);
    if (!c.format)
        return CLI_USAGE;
    if (!c.source.schedule_path && !c.format->write_graph)
        return cli_error("convert", "no schedule file given; usage: gossipfab convert %s", command.usage);
    if (cli_is_standard(c.path))
        c.path = NULL;
    if (c.format->folder && !c.path)
        return cli_error("convert", "--to %s makes a folder; give its name, -o DIR", c.format->name);
    if (c.multicast && !c.thread_blocks)
        c.thread_blocks = 1;
    gfab_gpu_plan *plan = NULL;
    int status = cli_source_input("convert", &c.source);
    CLI_THEN(status, cli_plan_find("convert", &c.source.input, &plan));
    if (plan)
        status = convert_plan(plan, c.format, c.path);
    else if (status == CLI_GO_ON)
        status = convert(&c);
    gfab_gpu_plan_destroy(plan);
    cli_source_release(&c.source);
    return status;
}
