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
#define HELP_VALUE (MAX_OPTIONS + 1)

/* Edit distance with adjacent swaps (optimal string alignment), over the short words of a command line. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t rows[3][LONGEST + 1];
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LONGEST || length_b > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[length_a % 3][length_b];
}

const char *cli_suggest(const char *text, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = 3;
    size_t length = strlen(text);
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(text, names[i]);
        if (length >= 2 && strncmp(text, names[i], length) == 0)
            distance = 1;
        if (distance < best_distance && distance < strlen(names[i])) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}

static int unknown_option(const cli_command *command, const char *text)
{
    const char *names[MAX_OPTIONS + 1];
    size_t count = 0;
    for (const cli_option *o = command->options; o->name; o++)
        names[count++] = o->name;
    names[count++] = "help";
    char plain[64];
    snprintf(plain, sizeof plain, "%s", text + strspn(text, "-"));
    plain[strcspn(plain, "=")] = '\0';
    const char *close = cli_suggest(plain, names, count);
    if (close)
        return cli_error(command->verb, "unknown option '%s'; did you mean '--%s'?", text, close);
    return cli_error(command->verb, "unknown option '%s'; %s %s --help lists them", text, cli_program, command->verb);
}

/* Decimal digits only, no sign. */
static bool parse_number(const char *text, uint64_t *number)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

static int set_number(const cli_command *command, const cli_option *option, const char *text)
{
    uint64_t number;
    if (option->any && strcmp(text, "any") == 0) {
        *option->any = true;
        return CLI_GO_ON;
    }
    if (option->node && !parse_number(text, &number)) {
        *option->node = text;
        return CLI_GO_ON;
    }
    if (!parse_number(text, &number) || number < option->least || number > option->most) {
        return cli_error(command->verb, "--%s: '%s' is not a whole number from %llu to %llu%s%s%s", option->name, text,
                         (unsigned long long)option->least, (unsigned long long)option->most, option->unit ? " " : "",
                         option->unit ? option->unit : "", option->any ? ", nor \"any\"" : "");
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

bool cli_names_family(const char *text)
{
    const size_t length = strcspn(text, ":+");
    const gfab_topology_family *family;
    for (size_t i = 0; (family = gfab_topology_family_at(i)); i++)
        if (strlen(family->name) == length && memcmp(family->name, text, length) == 0)
            return true;
    return false;
}

static size_t find_option(const cli_command *command, const char *name)
{
    size_t at = 0;
    while (command->options[at].name && strcmp(command->options[at].name, name) != 0)
        at++;
    return at;
}

/* The option that an argument without one is meant for: --topology where it begins with a family's name, or where the
 * command takes no other arguments; --schedule where it is no such name but has a dot or a slash, as files have, or is
 * standard input. The end of the table where it is meant for none. */
static size_t option_of_argument(const cli_command *command, const char *text)
{
    const size_t topology = find_option(command, "topology"), schedule = find_option(command, "schedule");
    const bool family = cli_names_family(text);
    if (!command->options[topology].name || family)
        return topology;
    if (command->options[schedule].name && !strchr(text, ':') && (strpbrk(text, "./") || cli_is_standard(text)))
        return schedule;
    return command->max_arguments > 0 ? find_option(command, "") : topology;
}

/* text is NULL where memory ran out. */
static int take_argument(const cli_command *command, bool seen[MAX_OPTIONS], const char **arguments, size_t *count,
                         const char *text)
{
    if (!text)
        return cli_fail(command->verb, GFAB_ERR_NO_MEMORY, NULL, NULL);
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
        char *copy = poptGetOptArg(context);
        const char *text = copy ? find_in_argv(argv, copy) : NULL;
        free(copy);
        int status = value > 0 ? take_option(command, (size_t)value - 1, seen, text ? text : "")
                               : take_argument(command, seen, arguments, &count, text);
        if (status != CLI_GO_ON)
            return status;
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
    struct poptOption table[MAX_OPTIONS + 2];
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
    table[count].longName = "help";
    table[count].shortName = 'h';
    table[count].argInfo = POPT_ARG_NONE;
    table[count].val = HELP_VALUE;
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
