/* SPDX-License-Identifier: MIT */
#include "cli.h"

const cli_verb cli_verbs[] = {
    {"help", "Find out", "this text; a command's; manual pages; completion in shells", cmd_help},
    {"list", "Find out", "topologies, collectives, solvers and boards", cmd_list},
    {"bound", "Find out", "lower bounds on the rounds, each with its argument", cmd_bound},
    {"advise", "Find out", "which solver is fastest where starting a message costs", cmd_advise},
    {"table", "Find out", "rounds, and costs, beside the lower bound and the papers'", cmd_table},
    {"schedule", "Schedules", "make a schedule", cmd_schedule},
    {"verify", "Schedules", "check a schedule from a file", cmd_verify},
    {"show", "Schedules", "who sends what and when; ROMs disassembled; pictures", cmd_show},
    {"simulate", "Hardware", "run the fabric's C model, cycle for cycle", cmd_simulate},
    {"generate", "Hardware", "write a fabric: RTL, ROMs, test benches, constraints", cmd_generate},
    {"reroute", "Hardware", "new programs for a fabric with dead links or nodes", cmd_reroute},
    {"board", "Hardware", "load, run, read and test a fabric on a board", cmd_board},
    {NULL, NULL, NULL, NULL},
};

int cli_unknown_verb(const char *verb, const char *name)
{
    enum { VERB_COUNT = sizeof cli_verbs / sizeof *cli_verbs - 1 };
    const char *names[VERB_COUNT];
    for (size_t i = 0; i < VERB_COUNT; i++)
        names[i] = cli_verbs[i].name;
    const char *close = cli_suggest(name, names, VERB_COUNT);
    if (close)
        return cli_error(verb, "unknown command '%s'; did you mean '%s'?", name, close);
    return cli_error(verb, "unknown command '%s'; gossipfab --help lists them", name);
}
