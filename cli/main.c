/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <errno.h>
#include <string.h>

#define VERB_COUNT 12

static const cli_verb verbs[VERB_COUNT + 1] = {
    {"list", "Find out", "topologies, collectives, solvers and boards", cmd_list},
    {"bound", "Find out", "lower bounds on the rounds, each with its argument", cmd_bound},
    {"advise", "Find out", "which solver is fastest where starting a message costs", cmd_advise},
    {"table", "Find out", "rounds, and costs, beside the lower bound and the papers'", cmd_table},
    {"schedule", "Schedules", "make a schedule", cmd_schedule},
    {"verify", "Schedules", "check a schedule from a file", cmd_verify},
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
    if (strcmp(argv[1], "--version") == 0) {
        printf("gossipfab %s\n", gfab_version());
        return CLI_GOOD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (strcmp(argv[1], "help") == 0 && argc == 2)) {
        cli_print_help(verbs);
        return CLI_GOOD;
    }
    const char *names[VERB_COUNT];
    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[i] = verbs[i].name;
        if (strcmp(argv[1], verbs[i].name) == 0)
            return verbs[i].run(argc - 1, argv + 1);
    }
    const char *close = cli_suggest(argv[1], names, VERB_COUNT);
    if (close)
        return cli_error(NULL, "unknown command '%s'; did you mean '%s'?", argv[1], close);
    return cli_error(NULL, "unknown command '%s'; gossipfab --help lists them", argv[1]);
}

int main(int argc, char **argv)
{
    cli_catch_interrupt(cli_output_unlink_all);
    int status = run(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_error(NULL, "cannot write standard output: %s", errno != 0 ? strerror(errno) : "write error");
    return status;
}
