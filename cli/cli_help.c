/* SPDX-License-Identifier: MIT */
#include "cli.h"
#include <string.h>

void cli_print_help(const cli_verb *verbs)
{
    fputs("gossipfab makes hardware in which every node of a network gets the data of every other node.\n"
          "\n"
          "In a gossip each of N nodes starts with one token and all must end with all N; a schedule says, round\n"
          "by round, which link carries which token. gossipfab computes such schedules, proves them good, and turns\n"
          "them into small routers that need no arbitration, no headers and no flow control.\n"
          "\n"
          "Start here:\n"
          "  gossipfab schedule --topology mesh:4x4\n"
          "  gossipfab simulate --topology mesh:4x4 --token-bits 32 --link-bits 2\n"
          "  gossipfab generate --topology mesh:4x4 --token-bits 32 --link-bits 2 --board hx8k -o out\n",
          stdout);
    for (const cli_verb *verb = verbs; verb->name != NULL; verb++) {
        if (verb == verbs || strcmp(verb->group, verb[-1].group) != 0) {
            printf("\n%s:\n", verb->group);
        }
        printf("  %-10s %s\n", verb->name, verb->summary);
    }
    fputs("\n"
          "gossipfab <command> --help explains a command and its options; gossipfab --version names the version.\n"
          "Exit status: 0 good, 1 a check failed, 2 wrong usage or input.\n"
          "File formats and timing: docs/schedule-format.md, docs/rom-format.md and docs/fabric-timing.md of the\n"
          "sources, installed in share/doc/gossipfab.\n",
          stdout);
}

void cli_print_command_help(const cli_command *command)
{
    printf("usage: gossipfab %s %s\n\n%s\n\noptions:\n", command->verb, command->usage, command->text);
    for (const cli_option *o = command->options; o->name != NULL; o++) {
        char left[80], letter[8] = "    ";
        if (o->letter != '\0') {
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        }
        snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->word != NULL ? " " : "",
                 o->word != NULL ? o->word : "");
        printf("%-30s %s", left, o->help);
        if (o->kind == CLI_U32 && o->most != UINT32_MAX) {
            printf("; %llu to %llu", (unsigned long long)o->least, (unsigned long long)o->most);
        }
        if (o->unit != NULL) {
            printf(" %s", o->unit);
        }
        if (o->initial != NULL) {
            printf(" (default %s)", o->initial);
        }
        putchar('\n');
    }
    printf("%-30s this text\n\nexample:\n%s\n", "  -h, --help", command->example);
}
