/* SPDX-License-Identifier: MIT */
/* Options by libpopt: the tables of cli_option are turned into popt's, popt splits the
 * command line, and the values are read here, strictly. */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <popt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_OPTIONS 64
enum { HELP_VALUE = MAX_OPTIONS + 1, HELP_ALL_VALUE, HELP_TOPIC_VALUE };

static int unknown_option(const cli_command *command, const char *text)
{
    const char *names[MAX_OPTIONS + 2];
    size_t count = 0;
    for (const cli_option *o = command->options; o->name; o++)
        names[count++] = o->name;
    names[count++] = "help";
    names[count++] = "help-all";
    char plain[64];
    snprintf(plain, sizeof plain, "%s", text + strspn(text, "-"));
    plain[strcspn(plain, "=")] = '\0';
    const char *close = cli_suggest(plain, names, count);
    if (close)
        return cli_error(command->verb, "unknown option '%s'; did you mean '--%s'?", text, close);
    return cli_error(command->verb, "unknown option '%s'; %s %s --help-all lists them", text, cli_program,
                     command->verb);
}

static int set_number(const cli_command *command, const cli_option *option, const char *text)
{
    uint64_t number;
    if (option->any && strcmp(text, "any") == 0) {
        *option->any = true;
        return CLI_GO_ON;
    }
    const bool bytes = option->unit && strcmp(option->unit, "bytes") == 0;
    const char *end = text;
    const bool read = cli_read_size(&end, bytes, &number) && *end == '\0';
    if (option->node && !read) {
        *option->node = text;
        return CLI_GO_ON;
    }
    if (!read || number < option->least || number > option->most) {
        return cli_error(command->verb, "--%s: '%s' is not a whole number from %llu to %llu%s%s%s%s", option->name,
                         text, (unsigned long long)option->least, (unsigned long long)option->most,
                         option->unit ? " " : "", option->unit ? option->unit : "",
                         bytes ? ", such as 4096, 1MB or 64KiB" : "", option->any ? ", nor \"any\"" : "");
    }
    if (option->kind == CLI_U32)
        *(uint32_t *)option->value = (uint32_t)number;
    else
        *(uint64_t *)option->value = number;
    return CLI_GO_ON;
}

/* popt gives copies; the same text stands in argv, at the end of one of its words, and needs no freeing. */
static const char *find_in_argv(char **argv, const char *copy)
{
    const char *found = NULL;
    size_t length = strlen(copy);
    for (char **word = argv; *word && !found; word++) {
        size_t word_length = strlen(*word);
        if (word_length >= length && strcmp(*word + word_length - length, copy) == 0)
            found = *word + word_length - length;
    }
    return found;
}

static int set_value(const cli_command *command, const cli_option *option, const char *text)
{
    gfab_diag diag = {0, ""};
    gfab_status status = GFAB_OK;
    char where[48];
    if (option->given)
        *option->given = true;
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)option->value = true;
        break;
    case CLI_TEXT:
        if (*text == '\0')
            return cli_error(command->verb, "--%s: its %s is empty", option->name, option->word);
        *(const char **)option->value = text;
        break;
    case CLI_U32:
    case CLI_U64:
        return set_number(command, option, text);
    case CLI_LINK_MODE:
        status = gfab_link_mode_parse(text, option->value, &diag);
        break;
    case CLI_PORT_MODE:
        status = gfab_port_mode_parse(text, option->value, &diag);
        break;
    case CLI_ROUTING:
        status = gfab_routing_parse(text, option->value, &diag);
        break;
    case CLI_RATIO:
        status = gfab_ratio_parse(text, option->value, &diag);
        break;
    }
    if (status != GFAB_OK) {
        snprintf(where, sizeof where, "--%s", option->name);
        return cli_fail(command->verb, status, where, &diag);
    }
    return CLI_GO_ON;
}

static int take_option(const cli_command *command, size_t at, bool seen[MAX_OPTIONS], const char *text)
{
    if (seen[at])
        return cli_error(command->verb, "--%s is given twice; give it once", command->options[at].name);
    seen[at] = true;
    return set_value(command, &command->options[at], text);
}

static size_t find_option(const cli_command *command, const char *name)
{
    size_t at = 0;
    while (command->options[at].name && strcmp(command->options[at].name, name) != 0)
        at++;
    return at;
}

/* The option that an argument without one is meant for: --topology where it begins with a family's name or is a file
 * with a graph, or where the command takes no other arguments; --schedule where it is no such name but has a dot or a
 * slash, as files have, or is standard input. The end of the table where it is meant for none. */
static size_t option_of_argument(const cli_command *command, const char *text)
{
    const size_t topology = find_option(command, "topology"), schedule = find_option(command, "schedule");
    if (!command->options[topology].name || cli_names_family(text) || cli_names_graph_file(text))
        return topology;
    if (command->options[schedule].name && !strchr(text, ':') && (strpbrk(text, "./") || cli_is_standard(text)))
        return schedule;
    return command->max_arguments > 0 ? find_option(command, "") : topology;
}

/* text is NULL where memory ran out. */
static int take_argument(const cli_command *command, bool seen[MAX_OPTIONS], const char **arguments, size_t *count,
                         const char *text)
{
    CLI_NEED(command->verb, text);
    const size_t at = option_of_argument(command, text);
    if (command->options[at].name && !seen[at])
        return take_option(command, at, seen, text);
    if (*count == command->max_arguments)
        return cli_error(command->verb, "unexpected argument '%s'; usage: %s %s %s", text, cli_program, command->verb,
                         command->usage);
    arguments[(*count)++] = text;
    return CLI_GO_ON;
}

/* Arguments come one by one, as options do: libpopt's list of them is not there where memory ran out. */
static int parse_with(poptContext context, const cli_command *command, char **argv, const char **arguments)
{
    bool seen[MAX_OPTIONS] = {false};
    size_t count = 0;
    int value;
    while ((value = poptGetNextOpt(context)) >= 0) {
        if (value == HELP_VALUE) {
            cli_print_command_help(command);
            return CLI_GOOD;
        }
        if (value == HELP_ALL_VALUE) {
            cli_print_command_help_all(command);
            return CLI_GOOD;
        }
        char *copy = poptGetOptArg(context);
        const char *text = copy ? find_in_argv(argv, copy) : NULL;
        free(copy);
        if (value == HELP_TOPIC_VALUE) {
            cli_print_command_help_topic(command, text ? text : "");
            return CLI_GOOD;
        }
        CLI_TRY(value > 0 ? take_option(command, (size_t)value - 1, seen, text ? text : "")
                          : take_argument(command, seen, arguments, &count, text));
    }
    const char *bad = poptBadOption(context, POPT_BADOPTION_NOALIAS);
    if (value == POPT_ERROR_BADOPT)
        return unknown_option(command, bad);
    if (value == POPT_ERROR_NOARG)
        return cli_error(command->verb, "option '%s' needs a value; see %s %s --help", bad, cli_program, command->verb);
    if (value < -1)
        return cli_error(command->verb, "option '%s': %s", bad, poptStrerror(value));
    return cli_rules_check(command, seen);
}

/* Where memory runs out libpopt says so and ends the process with 1, which here is what a faulty schedule gives. */
static bool popt_works;

static void end_with_popt(void)
{
    if (popt_works)
        _exit(CLI_USAGE);
}

int cli_parse(const cli_command *command, int argc, char **argv, const char **arguments)
{
    /* The last is for `help`, and is shown nowhere. */
    static const struct poptOption help[] = {
        {.longName = "help", .shortName = 'h', .val = HELP_VALUE},
        {.longName = "help-all", .val = HELP_ALL_VALUE},
        {.longName = "help-topic", .argInfo = POPT_ARG_STRING, .val = HELP_TOPIC_VALUE}};
    struct poptOption table[MAX_OPTIONS + sizeof help / sizeof *help + 1];
    size_t count = 0;
    memset(table, 0, sizeof table);
    for (; command->options[count].name && count < MAX_OPTIONS; count++) {
        const cli_option *option = &command->options[count];
        table[count].longName = option->name;
        table[count].shortName = option->letter;
        table[count].argInfo = option->kind == CLI_FLAG ? POPT_ARG_NONE : POPT_ARG_STRING;
        table[count].val = (int)count + 1;
    }
    assert(!command->options[count].name); /* there is room for all */
    memcpy(table + count, help, sizeof help);
    for (size_t i = 0; i < CLI_MAX_ARGUMENTS; i++)
        arguments[i] = NULL;
    if (atexit(end_with_popt) != 0)
        return cli_error(command->verb, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
    popt_works = true;
    poptContext context = poptGetContext(NULL, argc, (const char **)argv, table, POPT_CONTEXT_ARG_OPTS);
    popt_works = context;
    if (!context)
        return cli_error(command->verb, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
    int status = parse_with(context, command, argv, arguments);
    poptFreeContext(context);
    popt_works = false;
    return status;
}

bool cli_read_number(const char **text, uint64_t least, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = **text >= '0' && **text <= '9' ? strtoull(*text, &end, 10) : 0;
    if (!end || errno != 0 || *number < least || *number > most)
        return false;
    *text = end;
    return true;
}

int cli_shard_read(const char *verb, const char *text, uint32_t *shard, uint32_t *shards)
{
    const char *at = text;
    uint64_t index = 1, count = 1;
    bool good = !text || (cli_read_number(&at, 1, GFAB_ITEMS_MAX, &index) && *at++ == '/');
    good = good && (!text || (cli_read_number(&at, index, GFAB_ITEMS_MAX, &count) && *at == '\0'));
    if (!good)
        return cli_error(verb, "--shard: '%.40s' is not I/K, shard I of K, from 1/K to K/K", text);
    *shard = (uint32_t)index;
    *shards = (uint32_t)count;
    return CLI_GO_ON;
}
