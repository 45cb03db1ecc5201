/* SPDX-License-Identifier: MIT */
/* The program gossipfab: the table of its commands, and what happens around every one of them. Before a command
 * signals are caught; behind it standard output is flushed, and a full disk becomes an error line and exit status 2
 * instead of a result that is cut off. A new command is one row of the table and one file cmd_<verb>.c. */
#include "help/help.h"

#include <string.h>

static const cli_verb verbs[] = {
    {"help", "Find out", "this text; a command's; manual pages; completion in shells", cmd_help},
    {"demo", "Find out", "from a graph to a bitstream, step by step", cmd_demo},
    {"list", "Find out", "topologies, collectives, solvers and boards", cmd_list},
    {"bound", "Find out", "lower bounds on the rounds, each with its argument", cmd_bound},
    {"advise", "Find out", "which solver is fastest where starting a message costs", cmd_advise},
    {"table", "Find out", "rounds, and costs, beside the lower bound and the papers'", cmd_table},
    {"schedule", "Schedules", "make a schedule", cmd_schedule},
    {"search", "Schedules", "look for a short schedule in numbered pieces, on many machines", cmd_search},
    {"merge", "Schedules", "join what shards of a search have found", cmd_merge},
    {"prove", "Schedules", "that some number of rounds is impossible, in pieces; check such proofs", cmd_prove},
    {"replan", "Schedules", "a schedule for what is left where a link is dead or slow", cmd_replan},
    {"verify", "Schedules", "check a schedule from a file", cmd_verify},
    {"run", "Schedules", "run a plan for GPUs on the processor, with data", cmd_run},
    {"convert", "Schedules", "a schedule in the format of another tool, or from one", cmd_convert},
    {"show", "Schedules", "who sends what and when; ROMs disassembled; pictures", cmd_show},
    {"simulate", "Hardware", "run the fabric's C model, cycle for cycle", cmd_simulate},
    {"generate", "Hardware", "write a fabric: RTL, ROMs, test benches, constraints", cmd_generate},
    {"reroute", "Hardware", "new programs for a fabric with dead links or nodes", cmd_reroute},
    {"board", "Hardware", "load, run, read and test a fabric on a board", cmd_board},
    {NULL, NULL, NULL, NULL},
};

static int run(int argc, char **argv)
{
    if (argc < 2)
        return cli_error(NULL, "no command given; try: gossipfab --help");
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("gossipfab %s\n", gfab_version());
        return CLI_GOOD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_print_help();
        return CLI_GOOD;
    }
    const cli_verb *verb = cli_find_verb(NULL, argv[1]);
    if (!verb)
        return CLI_USAGE;
    cli_end_interrupted(verb->name);
    return verb->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    cli_catch_interrupt(cli_output_unlink_all);
    cli_help_of(verbs);
    return cli_output_end(run(argc, argv));
}
