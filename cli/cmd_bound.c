/* SPDX-License-Identifier: MIT */
#include "cli.h"

static void print_json(const cli_source *source, const gfab_bound *bounds, size_t count)
{
    json_t *report = cli_json_object();
    json_t *array = cli_json_array();
    cli_json_text(report, "schema", "gossipfab.bound/1");
    cli_json_set(report, "topology", cli_json_topology(source->topology));
    cli_json_set(report, "model", cli_json_model(&source->model));
    cli_json_set(report, "best", cli_json_bound(&bounds[0]));
    for (size_t i = 0; i < count; i++) {
        cli_json_append(array, cli_json_bound(&bounds[i]));
    }
    cli_json_set(report, "bounds", array);
    cli_json_print(report, stdout);
}

static void print_text(const cli_source *source, const gfab_bound *bounds, size_t count)
{
    cli_print_topology(stdout, source->topology);
    cli_print_model(stdout, &source->model);
    puts("lower bounds on the rounds of a gossip, * the best:");
    for (size_t i = 0; i < count; i++) {
        printf("%c %7llu  %-10s %s\n%21ssource: %s\n", i == 0 ? '*' : ' ', (unsigned long long)bounds[i].rounds,
               bounds[i].name, bounds[i].argument, "", bounds[i].source);
    }
}

int cmd_bound(int argc, char **argv)
{
    cli_source source = cli_source_default();
    bool json = false;
    const cli_option options[] = {CLI_TOPOLOGY_OPTION(source), CLI_MODEL_OPTIONS(source), CLI_JSON_OPTION(json),
                                  CLI_OPTIONS_END};
    const cli_command command = {
        "bound", "--topology T [model options] [--json]",
        "Prints every lower bound that is known for a gossip on a topology, with the argument it rests on.\n"
        "No schedule, whatever makes it, can have fewer rounds than the best of them.",
        "  gossipfab bound --topology mesh:4x4", options, 0};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status == CLI_GO_ON) {
        status = cli_source_open_topology("bound", &source);
    }
    if (status == CLI_GO_ON) {
        gfab_bound bounds[GFAB_MAX_BOUNDS];
        size_t count = 0;
        gfab_status result = gfab_bound_all(source.topology, &source.model, bounds, &count);
        if (result != GFAB_OK) {
            status = cli_fail("bound", result, NULL, NULL);
        } else {
            (json ? print_json : print_text)(&source, bounds, count);
            status = CLI_GOOD;
        }
    }
    cli_source_release(&source);
    return status;
}
