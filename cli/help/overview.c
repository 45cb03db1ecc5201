/* SPDX-License-Identifier: MIT */
/* The command as a whole: its verbs, and what is said of all of them. */
#include "help/help.h"

#include <stdio.h>
#include <string.h>

static const cli_verb *known;

void cli_help_of(const cli_verb *verbs)
{
    known = verbs;
}

const cli_verb *cli_help_verbs(void)
{
    return known;
}

/* Runs the verb with one option, which explains it, and a value for that or NULL. */
static int explain_by(const cli_verb *verb, const char *option, const char *value)
{
    char name[16], how[16], what[16] = "";
    snprintf(name, sizeof name, "%s", verb->name);
    snprintf(how, sizeof how, "%s", option);
    snprintf(what, sizeof what, "%s", value ? value : "");
    char *argv[] = {name, how, value ? what : NULL, NULL};
    return verb->run(value ? 3 : 2, argv);
}

int cli_explain(const cli_verb *verb, void (*print)(const cli_command *command))
{
    if (print)
        cli_help_as(print);
    return explain_by(verb, "--help", NULL);
}

int cli_explain_all(const cli_verb *verb)
{
    return explain_by(verb, "--help-all", NULL);
}

int cli_explain_topic(const cli_topic *topic)
{
    const cli_verb *verb = known;
    while (strcmp(verb->name, topic->verb) != 0)
        verb++;
    return explain_by(verb, "--help-topic", topic->name);
}

const cli_verb *cli_find_verb(const char *asker, const char *name)
{
    enum { MOST_VERBS = 32 };
    const char *names[MOST_VERBS];
    size_t count = 0;
    for (const cli_verb *verb = known; verb->name && count < MOST_VERBS; verb++) {
        if (strcmp(verb->name, name) == 0)
            return verb;
        names[count++] = verb->name;
    }
    const char *close = cli_suggest(name, names, count);
    if (cli_names_family(name) && strchr(name, ':'))
        cli_error(asker, "a command comes first: %s schedule %s", cli_program, name);
    else if (close)
        cli_error(asker, "unknown command '%s'; did you mean '%s'?", name, close);
    else
        cli_error(asker, "unknown command '%s'; %s --help lists them", name, cli_program);
    return NULL;
}

const char *const cli_help_introduction =
    "In a gossip each of N nodes starts with one token and all must end with all N; a schedule says, round\n"
    "by round, which link carries which token. gossipfab computes such schedules, proves them good, and turns\n"
    "them into small routers that need no arbitration, no headers and no flow control.\n";
const char *const cli_help_first_steps =
    "  gossipfab demo\n"
    "  gossipfab schedule mesh:4x4\n"
    "  gossipfab simulate mesh:4x4 --token-bits 32 --link-bits 2\n"
    "  gossipfab generate mesh:4x4 --token-bits 32 --link-bits 2 --board hx8k -o out\n";
const char *const cli_help_exit_status =
    "0 good, 1 a check failed, 2 wrong usage or input; 128 + N after signal N: 130 after Ctrl-C.\n"
    "Ctrl-C, TERM and HUP stop the work in a second and leave no file behind; a second Ctrl-C ends it at once.\n"
    "FILE - is standard input, or standard output; what is printed then is on standard error.\n";
const char *const cli_help_files =
    "File formats and timing: schedule-format.md, rom-format.md and fabric-timing.md in docs/reference/ of the\n"
    "sources, installed in share/doc/gossipfab/docs/reference/.\n";

void cli_print_help(void)
{
    printf("gossipfab makes hardware in which every node of a network gets the data of every other node.\n"
           "\n%s\nStart here:\n%s",
           cli_help_introduction, cli_help_first_steps);
    for (const cli_verb *verb = known; verb->name; verb++) {
        if (verb == known || strcmp(verb->group, verb[-1].group) != 0)
            printf("\n%s:\n", verb->group);
        printf("  %-10s %s\n", verb->name, verb->summary);
    }
    printf("\n"
           "gossipfab help <command> explains a command and its usual options, with --all all of them;\n"
           "gossipfab help <topic> explains those of a topic:\n ");
    const cli_topic *topic;
    for (size_t i = 0; (topic = cli_topic_at(i)); i++)
        printf("%s %s", i > 0 ? "," : "", topic->name);
    printf(".\ngossipfab --version names the version.\n"
           "Exit status: %s%s",
           cli_help_exit_status, cli_help_files);
}
