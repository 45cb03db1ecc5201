/* SPDX-License-Identifier: MIT */
/* Manual pages, from the tables that the help is printed from. */
#include "help/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Text that roff prints as it is. */
static void put_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool starts_line = i == 0 || text[i - 1] == '\n';
        if (starts_line && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", stdout);
        if (text[i] == '-')
            fputs("\\-", stdout);
        else if (text[i] == '\\')
            fputs("\\e", stdout);
        else
            putchar(text[i]);
    }
}

static void put_string(const char *text)
{
    put_text(text, strlen(text));
}

static void put_header(const char *verb, const char *summary)
{
    char title[64];
    const int length = snprintf(title, sizeof title, "GOSSIPFAB%s%s", verb ? "-" : "", verb ? verb : "");
    for (int i = 0; i < length; i++)
        title[i] = (char)toupper((unsigned char)title[i]);
    printf(".TH %s 1 \"\" \"gossipfab %s\" \"gossipfab\"\n.SH NAME\ngossipfab%s%s \\- ", title, gfab_version(),
           verb ? "\\-" : "", verb ? verb : "");
    put_string(summary);
    putchar('\n');
}

/* What a line of a command's explanation says of a word of its own, which two blanks end: "load  loads blocks"; or
 * where the line goes on below one that does. NULL in other lines. */
static const char *find_item(const char *line, size_t length)
{
    const char *gap = line;
    while ((size_t)(gap - line) + 1 < length && !(gap[0] == ' ' && gap[1] == ' '))
        gap++;
    if ((size_t)(gap - line) + 1 >= length)
        return NULL;
    return gap + strspn(gap, " ");
}

static void put_explanation(const char *text)
{
    bool in_list = false;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        const char *item = find_item(text, length);
        if (item && *text != ' ')
            printf(".TP\n.B ");
        else if (!item && in_list)
            puts(".PP");
        if (item && *text != ' ') {
            put_text(text, strcspn(text, " "));
            putchar('\n');
        }
        put_text(item ? item : text, item ? length - (size_t)(item - text) : length);
        putchar('\n');
        in_list = item;
        text += length + (text[length] == '\n');
    }
}

static void put_example(const char *example)
{
    puts(".SH EXAMPLES\n.nf");
    put_string(example);
    puts("\n.fi");
}

static void put_option(const cli_option *option)
{
    char text[CLI_OPTION_TEXT];
    puts(".TP");
    if (option->letter != '\0')
        printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    put_string(option->name);
    fputs("\\fR", stdout);
    if (option->word) {
        fputs(" \\fI", stdout);
        put_string(option->word);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    cli_option_text(option, text);
    put_string(text);
    putchar('\n');
}

static void put_exit_status(void)
{
    puts(".SH EXIT STATUS");
    put_string(cli_help_exit_status);
}

void cli_print_command_manual(const cli_command *command)
{
    const cli_verb *verb = cli_help_verbs();
    while (strcmp(verb->name, command->verb) != 0)
        verb++;
    put_header(command->verb, verb->summary);
    printf(".SH SYNOPSIS\n.B gossipfab %s\n", command->verb);
    put_string(command->usage);
    puts("\n.SH DESCRIPTION");
    put_explanation(command->text);
    puts(".SH OPTIONS");
    for (const cli_option *option = command->options; option->name; option++)
        put_option(option);
    puts(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the options that most people need\n"
         ".TP\n\\fB\\-\\-help\\-all\\fR\nprint all options");
    put_exit_status();
    put_example(command->example);
    puts(".SH SEE ALSO\n.BR gossipfab (1)");
}

void cli_print_manual(void)
{
    put_header(NULL, "networks in which every node gets the data of every other node");
    puts(".SH SYNOPSIS\n.B gossipfab\n\\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.SH DESCRIPTION");
    put_string(cli_help_introduction);
    for (const cli_verb *verb = cli_help_verbs(); verb->name; verb++) {
        if (verb == cli_help_verbs() || strcmp(verb->group, verb[-1].group) != 0)
            printf(".SS %s\n", verb->group);
        printf(".TP\n.BR gossipfab\\-%s (1)\n", verb->name);
        put_string(verb->summary);
        putchar('\n');
    }
    puts(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the help\n"
         ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nprint the version");
    put_exit_status();
    put_example(cli_help_first_steps);
    puts(".SH FILES");
    put_string(cli_help_files);
}
