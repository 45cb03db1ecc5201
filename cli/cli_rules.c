/* SPDX-License-Identifier: MIT */
/* What goes with what on a command line: a row says what an option needs beside it, or what it can't have there, and
 * the line that says so. The rows below hold for all commands; a command has more of its own. They are looked at as
 * soon as all options have been read, before any file is. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const cli_rule common[] = {
    {.options = "solver solver-seed solver-options bracket one-bracket recognise",
     .exclude = "schedule",
     .says = "--%s does not go with a schedule from a file; give one or the other"},
    {.options = "load", .exclude = "broadcast-from"},
    {.options = "collective blocks root idempotent", .exclude = "load broadcast-from"},
    {.options = "translations proof cnf", .need = "prove"},
    {.options = "resume", .need = "checkpoint"},
    {.options = "host-words", .need = "stream", .exclude = "solver-options schedule"},
    CLI_RULES_END,
};

/* The next name of a list, and its length; NULL at the end. */
static const char *next_name(const char **list, size_t *length)
{
    const char *name = *list + strspn(*list, " ");
    *length = strcspn(name, " ");
    *list = name + *length;
    return *length > 0 ? name : NULL;
}

/* Is an option of the list given? "sweep=length": with that value. As the list has it, it goes to found. */
static bool is_given(const cli_command *command, const bool *seen, const char *list, char found[static CLI_RULE_NAME])
{
    size_t length;
    for (const char *name; list && (name = next_name(&list, &length));) {
        const size_t word = strcspn(name, " =");
        for (size_t i = 0; command->options[i].name; i++) {
            const cli_option *option = &command->options[i];
            if (!seen[i] || strlen(option->name) != word || memcmp(option->name, name, word) != 0)
                continue;
            const char *value = word < length ? *(const char *const *)option->value : NULL;
            if (value && (strlen(value) != length - word - 1 || memcmp(value, name + word + 1, strlen(value)) != 0))
                continue;
            snprintf(found, CLI_RULE_NAME, "%.*s", (int)length, name);
            return true;
        }
    }
    return false;
}

/* "--a", "--a or --b", "--a, --b or --c" */
static void join(const char *list, char text[static CLI_RULE_NAME])
{
    size_t length, at = 0;
    for (const char *name = next_name(&list, &length); name && at < CLI_RULE_NAME;) {
        const char *last = name;
        const int size = (int)length;
        name = next_name(&list, &length);
        const int put = snprintf(text + at, CLI_RULE_NAME - at, "%s--%.*s",
                                 at == 0 ? ""
                                 : name  ? ", "
                                         : " or ",
                                 size, last);
        at += put > 0 ? (size_t)put : 0;
    }
}

static int check(const cli_command *command, const bool *seen, const cli_rule *rules)
{
    char given[CLI_RULE_NAME], other[CLI_RULE_NAME] = "";
    for (const cli_rule *rule = rules; rule->options; rule++) {
        if (!is_given(command, seen, rule->options, given))
            continue;
        const bool lacks = rule->need && !is_given(command, seen, rule->need, other);
        if (!lacks && !is_given(command, seen, rule->exclude, other))
            continue;
        if (rule->says)
            return cli_error(command->verb, rule->says, given);
        if (!lacks)
            return cli_error(command->verb, "--%s does not go with --%s; give one of them", given, other);
        join(rule->need, other);
        return cli_error(command->verb, "--%s needs %s, too", given, other);
    }
    return CLI_GO_ON;
}

int cli_rules_check(const cli_command *command, const bool *seen)
{
    const int status = check(command, seen, common);
    return status == CLI_GO_ON && command->rules ? check(command, seen, command->rules) : status;
}
