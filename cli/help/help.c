/* SPDX-License-Identifier: MIT */
/* What --help says of a command. At first come the options that most people need, a line each: what an option is for,
 * which is its help up to the first semicolon. --help-all has all options and all that is said of them, by topics. */
#include "help/help.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_INDENT = 36, ALL_INDENT = 31, HELP_COLUMNS = 110 };

/* The words of text behind `column` characters of a line; those that find no room stand below each other. */
static void print_wrapped(const char *text, size_t column, size_t indent)
{
    while (*text != '\0') {
        const size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > HELP_COLUMNS) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
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
static void print_option(const char *left, const char *text, size_t indent)
{
    if (strlen(left) < indent)
        printf("%-*s", (int)indent, left);
    else
        printf("%s\n%*s", left, (int)indent, "");
    print_wrapped(text, indent, indent);
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

/* What it is for alone, and the default. */
static void purpose(const cli_option *option, char text[CLI_OPTION_TEXT])
{
    (void)snprintf(text, CLI_OPTION_TEXT, "%.*s%s%s%s", (int)strcspn(option->help, ";"), option->help,
                   option->initial ? " (default " : "", option->initial ? option->initial : "",
                   option->initial ? ")" : "");
}

static void print_row(const cli_option *option, bool all)
{
    char left[80], text[CLI_OPTION_TEXT], letter[8] = "    ";
    if (option->letter != '\0')
        (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
    (void)snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name, option->word ? " " : "",
                   option->word ? option->word : "");
    (all ? cli_option_text : purpose)(option, text);
    print_option(left, text, all ? ALL_INDENT : FIRST_INDENT);
}

/* The options of a topic, NULL: those of none. The count. */
static size_t print_topic_rows(const cli_command *command, const cli_topic *topic)
{
    size_t count = 0;
    bool first;
    for (const cli_option *o = command->options; o->name; o++)
        if (cli_topic_of(command->verb, o->name, &first) == topic) {
            if (count++ == 0 && topic)
                printf("\n%s:\n", topic->title);
            print_row(o, true);
        }
    return count;
}

static void print_head(const cli_command *command)
{
    printf("usage: %s %s %s\n\n%s\n\noptions:\n", cli_program, command->verb, command->usage, command->text);
}

/* Which topics the options are about that are not shown, and how to see them. */
static void print_more(const cli_command *command, size_t hidden)
{
    const char *behind = "";
    bool first;
    printf("\n%zu more options: %s %s --help-all", hidden, cli_program, command->verb);
    const cli_topic *topic;
    for (size_t i = 0; (topic = cli_topic_at(i)); i++)
        for (const cli_option *o = command->options; o->name; o++)
            if (cli_topic_of(command->verb, o->name, &first) == topic && !first) {
                printf("%s%s", *behind ? behind : "\nby topic: gossipfab help ", topic->name);
                behind = ", ";
                break;
            }
    putchar('\n');
}

static void print_command_help(const cli_command *command)
{
    size_t hidden = 0;
    bool first;
    print_head(command);
    for (const cli_option *o = command->options; o->name; o++) {
        (void)cli_topic_of(command->verb, o->name, &first);
        if (first)
            print_row(o, false);
        hidden += !first;
    }
    print_option("  -h, --help", "this text", FIRST_INDENT);
    if (hidden > 0)
        print_more(command, hidden);
    printf("\nexample:\n%s\n", command->example);
}

void cli_print_command_help_all(const cli_command *command)
{
    const cli_topic *topic;
    print_head(command);
    (void)print_topic_rows(command, NULL);
    print_option("  -h, --help", "the options that most people need", ALL_INDENT);
    print_option("      --help-all", "this text", ALL_INDENT);
    for (size_t i = 0; (topic = cli_topic_at(i)); i++)
        (void)print_topic_rows(command, topic);
    printf("\nexample:\n%s\n", command->example);
}

void cli_print_command_help_topic(const cli_command *command, const char *name)
{
    const cli_topic *topic = cli_topic_find(name);
    if (!topic)
        return;
    printf("%s\n", topic->text);
    (void)print_topic_rows(command, topic);
    printf("\nThese are options of %s %s, and of other commands.\n", cli_program, command->verb);
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
