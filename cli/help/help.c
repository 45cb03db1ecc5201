/* SPDX-License-Identifier: MIT */
/* What --help says of a command. */
#include "help/help.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

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
    printf("usage: gossipfab %s %s\n\n%s\n\noptions:\n", command->verb, command->usage, command->text);
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
