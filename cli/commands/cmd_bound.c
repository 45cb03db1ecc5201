/* SPDX-License-Identifier: MIT */
/* Command `bound`: what no schedule can beat. For mesh:4x4 it prints 10 rounds: 16 nodes need 240 deliveries, and a
 * round makes at most 24. The bounds come from the library; here they are printed, best first, each with its argument
 * and its source, as text or JSON. The best rate of long vectors, which `bound` also prints, is in rate.c. */
#include "rate.h"

/* The lists of bounds: on the rounds, and with --startup on the cost. */
typedef struct bound_lists {
    gfab_bound rounds[GFAB_MAX_BOUNDS];
    size_t rounds_count;
    gfab_cost_bound cost[GFAB_MAX_COST_BOUNDS];
    size_t cost_count;
    cli_rate rate;
} bound_lists;

static gfab_goal goal_of(const cli_source *source)
{
    return source->goal_given ? source->goal : gfab_goal_default(gfab_topology_member_count(source->topology));
}

static void print_json(const cli_source *source, const bound_lists *lists)
{
    json_t *report = cli_json_report("gossipfab.bound/1");
    json_t *array = cli_json_array();
    CLI_JSON(report, CLI_KEY("topology", cli_json_topology(source->topology)),
             CLI_KEY("model", cli_json_model(&source->model)));
    const gfab_goal goal = goal_of(source);
    CLI_JSON(report, CLI_KEY("goal", cli_goal_json(&goal)), CLI_KEY("best", cli_json_bound(&lists->rounds[0])));
    for (size_t i = 0; i < lists->rounds_count; i++)
        cli_json_append(array, cli_json_bound(&lists->rounds[i]));
    CLI_JSON(report, CLI_KEY("bounds", array), CLI_KEY("rate", cli_rate_json(&lists->rate)));
    if (source->linear) {
        json_t *costs = cli_json_array();
        CLI_JSON(report, CLI_KEY("startup", source->startup));
        for (size_t i = 0; i < lists->cost_count; i++)
            cli_json_append(costs, cli_json_cost_bound(&lists->cost[i]));
        cli_json_set(report, "cost_bounds", costs);
    }
    cli_json_print(report, stdout);
}

static void print_text(const cli_source *source, const bound_lists *lists)
{
    cli_print_topology(stdout, source->topology);
    cli_print_model(stdout, &source->model);
    const gfab_goal goal = goal_of(source);
    printf("lower bounds on the rounds of %s of %u blocks, * the best:\n", gfab_collective_name(goal.collective),
           goal.blocks);
    for (size_t i = 0; i < lists->rounds_count; i++) {
        const gfab_bound *bound = &lists->rounds[i];
        printf("%c %7llu  %-10s %s\n%21ssource: %s\n", i == 0 ? '*' : ' ', (unsigned long long)bound->rounds,
               bound->name, bound->argument, "", bound->source);
    }
    if (lists->rate.found)
        cli_rate_print(&lists->rate.certificate, &lists->rate);
    if (source->linear) {
        printf("lower bounds on its cost, a round of s tokens costing %s + s, * the best:\n",
               cli_ratio(source->startup).text);
        for (size_t i = 0; i < lists->cost_count; i++) {
            const gfab_cost_bound *bound = &lists->cost[i];
            printf("%c %11s  %-18s %s\n%33ssource: %s\n", i == 0 ? '*' : ' ', cli_ratio(bound->cost).text, bound->name,
                   bound->argument, "", bound->source);
        }
    }
}

static int bound(const cli_source *source, bool json, bound_lists *lists)
{
    const gfab_progress progress = cli_progress("bound");
    const gfab_goal goal = goal_of(source);
    gfab_status status =
        gfab_bound_goal(source->topology, &source->model, &goal, &progress, lists->rounds, &lists->rounds_count);
    if (status == GFAB_OK && source->linear)
        status = gfab_bound_cost_all(source->topology, &source->model, source->startup, &progress, lists->cost,
                                     &lists->cost_count);
    cli_progress_end();
    if (status != GFAB_OK)
        return cli_fail("bound", status, NULL, NULL);
    CLI_TRY(cli_rate_find("bound", source, &goal, &lists->rate));
    (json ? print_json : print_text)(source, lists);
    return CLI_GOOD;
}

int cmd_bound(int argc, char **argv)
{
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    bound_lists lists = {.rounds_count = 0};
    cli_rate *rate = &lists.rate;
    bool json = false;
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(source),
        CLI_OPTION(.name = "startup", .kind = CLI_RATIO, .value = &source.startup, .given = &source.linear, .word = "R",
                   .help = "also bounds on the cost: a round with s tokens in its longest packet costs R + s"),
        CLI_OPTION(.name = "bytes", .kind = CLI_U64, .value = &rate->bytes, .given = &rate->bytes_given, .word = "B",
                   .least = 1, .most = (uint64_t)1 << 50, .unit = "bytes",
                   .help = "also the least time of a vector of so many bytes; of an all-gather all nodes' together"),
        CLI_OPTION(.name = "bandwidth", .kind = CLI_RATIO, .value = &rate->bandwidth, .given = &rate->bandwidth_given,
                   .word = "G", .help = "with --bytes: GB/s (10^9 bytes) of a link of weight 1, full duplex each way"),
        CLI_OPTION(.name = "latency", .kind = CLI_RATIO, .value = &rate->latency, .given = &rate->latency_given,
                   .word = "L", .help = "with --bytes: microseconds that a message takes over a link at least"),
        CLI_OPTION(.name = "certificate", .kind = CLI_TEXT, .value = &rate->path, .word = "FILE",
                   .help = "write what proves the best rate"),
        CLI_OPTION(.name = "check", .kind = CLI_TEXT, .value = &rate->check_path, .word = "FILE",
                   .help = "read such a file and count its numbers again; no --topology then"),
        CLI_GOAL_OPTIONS(source),
        CLI_MODEL_OPTIONS(source),
        CLI_JSON_OPTION(json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "bound",
        .usage = "T [--collective C] [--startup R] [--certificate FILE] [model options] [--json]",
        .text =
            "Prints the lower bounds for a collective on a topology, with the argument each rests on, and the best\n"
            "rate of long vectors. No schedule, whatever makes it, can have fewer rounds than the best, or cost less.",
        .example = "  gossipfab bound mesh:4x4\n"
                   "  gossipfab bound mesh:8x8 --collective all-reduce --certificate a.txt\n"
                   "  gossipfab bound --check a.txt\n"
                   "  gossipfab bound cycle:729 --link-mode full --routing circuit --packet-tokens 729 "
                   "--startup 50",
        .options = options};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status == CLI_GO_ON && rate->check_path)
        return cli_rate_check("bound", rate->check_path, json);
    CLI_THEN(status, cli_rate_check_options("bound", rate));
    if (status == CLI_GO_ON && source.any_blocks)
        status = cli_error("bound", "--blocks any: bounds are of a number of blocks; give one");
    CLI_THEN(status, cli_source_open_topology("bound", &source));
    CLI_THEN(status, bound(&source, json, &lists));
    cli_rate_release(rate);
    return status;
}
