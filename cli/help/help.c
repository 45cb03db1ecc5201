/* SPDX-License-Identifier: MIT */
#include "help/help.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *const cli_help_introduction =
    "In a gossip each of N nodes starts with one token and all must end with all N; a schedule says, round\n"
    "by round, which link carries which token. gossipfab computes such schedules, proves them good, and turns\n"
    "them into small routers that need no arbitration, no headers and no flow control.\n";
const char *const cli_help_first_steps =
    "  gossipfab schedule --topology mesh:4x4\n"
    "  gossipfab simulate --topology mesh:4x4 --token-bits 32 --link-bits 2\n"
    "  gossipfab generate --topology mesh:4x4 --token-bits 32 --link-bits 2 --board hx8k -o out\n";
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
    for (const cli_verb *verb = cli_verbs; verb->name; verb++) {
        if (verb == cli_verbs || strcmp(verb->group, verb[-1].group) != 0)
            printf("\n%s:\n", verb->group);
        printf("  %-10s %s\n", verb->name, verb->summary);
    }
    printf("\n"
           "gossipfab help <command> explains a command and its options; gossipfab --version names the version.\n"
           "Exit status: %s%s",
           cli_help_exit_status, cli_help_files);
}

#define HELP_INDENT 31
#define HELP_COLUMNS 110

/* The words of text behind `column` characters of a line; those that find no room stand below each other. */
static void print_wrapped(const char *text, size_t column)
{
    while (*text != '\0') {
        const size_t word = strcspn(text, " ");
        if (column > HELP_INDENT && column + 1 + word > HELP_COLUMNS) {
            printf("\n%*s", HELP_INDENT, "");
            column = HELP_INDENT;
        } else if (column > HELP_INDENT) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += word;
        text += word + strspn(text + word, " ");
    }
    putchar('\n');
}

/* "  -t, --topology T" and its text beside it, or below where there is no room. */
static void print_option(const char *left, const char *text)
{
    if (strlen(left) < HELP_INDENT)
        printf("%-*s", HELP_INDENT, left);
    else
        printf("%s\n%*s", left, HELP_INDENT, "");
    print_wrapped(text, HELP_INDENT);
}

void cli_option_text(const cli_option *option, char text[CLI_OPTION_TEXT])
{
    char range[64] = "";
    if (option->kind == CLI_U32 && option->most != UINT32_MAX)
        (void)snprintf(range, sizeof range, "; %llu to %llu", (unsigned long long)option->least,
                       (unsigned long long)option->most);
    const int length = snprintf(text, CLI_OPTION_TEXT, "%s%s%s%s%s%s%s", option->help, range, option->unit ? " " : "",
                                option->unit ? option->unit : "", option->initial ? " (default " : "",
                                option->initial ? option->initial : "", option->initial ? ")" : "");
    assert(length > 0 && length < CLI_OPTION_TEXT);
    (void)length;
}

static void print_command_help(const cli_command *command)
{
    printf("usage: %s %s %s\n\n%s\n\noptions:\n", cli_program, command->verb, command->usage, command->text);
    for (const cli_option *o = command->options; o->name; o++) {
        char left[80], text[CLI_OPTION_TEXT], letter[8] = "    ";
        if (o->letter != '\0')
            (void)snprintf(letter, sizeof letter, "-%c, ", o->letter);
        (void)snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->word ? " " : "", o->word ? o->word : "");
        cli_option_text(o, text);
        print_option(left, text);
    }
    print_option("  -h, --help", "this text");
    printf("\nexample:\n%s\n", command->example);
}

static void (*printer)(const cli_command *command) = print_command_help;

void cli_help_as(void (*print)(const cli_command *command))
{
    printer = print;
}

void cli_print_command_help(const cli_command *command)
{
    printer(command);
}
