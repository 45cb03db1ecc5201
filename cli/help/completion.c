/* SPDX-License-Identifier: MIT */
/* Scripts with which shells complete command lines, from the tables that the help is printed from. What an option takes
 * is told by the word that stands for it in the help: half|full are its values, FILE is a file, DIR a folder; options
 * named after a list take what `gossipfab list` says at that time. */
#include "help/help.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *option, *list;
} lists[] = {{"topology", "topologies"}, {"collective", "collectives"}, {"solver", "solvers"}, {"board", "boards"}};

static const char *list_of(const cli_option *option)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(option->name, lists[i].option) == 0)
            return lists[i].list;
    return NULL;
}

/* Characters of text, behind a bracket, that are values, such as half|full; 0 where they are not: values are words of
 * small letters. */
static size_t values_in(const char *text)
{
    const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz-|");
    const bool ends = text[length] == '\0' || text[length] == ' ' || text[length] == ']';
    return ends && memchr(text, '|', length) ? length : 0;
}

static void put_values(const char *text)
{
    for (size_t i = 0; i < values_in(text); i++)
        putchar(text[i] == '|' ? ' ' : text[i]);
}

/* The values that a command takes without an option. */
static const char *arguments_of(const cli_command *command)
{
    return command->usage + strspn(command->usage, "[");
}

/* Is a graph without an option all that it takes without one? */
static bool takes_graph(const cli_command *command)
{
    if (command->max_arguments > 0)
        return false;
    for (const cli_option *option = command->options; option->name; option++)
        if (strcmp(option->name, "topology") == 0)
            return true;
    return false;
}

/* ---- bash ---- */

static void print_bash_option(const cli_option *option)
{
    if (!option->word)
        return;
    printf("            --%s", option->name);
    if (option->letter != '\0')
        printf(" | -%c", option->letter);
    fputs(") ", stdout);
    if (list_of(option)) {
        printf("_gossipfab_words \"$(_gossipfab_list %s)\"", list_of(option));
    } else if (values_in(option->word) > 0) {
        fputs("_gossipfab_words '", stdout);
        put_values(option->word);
        putchar('\'');
    } else if (strcmp(option->word, "FILE") == 0 || strcmp(option->word, "PORT") == 0) {
        fputs("_gossipfab_files -f", stdout);
    } else if (strcmp(option->word, "DIR") == 0) {
        fputs("_gossipfab_files -d", stdout);
    } else {
        putchar(':');
    }
    puts("; return ;;");
}

static void print_bash_command(const cli_command *command)
{
    printf("    %s)\n        case $previous in\n", command->verb);
    for (const cli_option *option = command->options; option->name; option++)
        print_bash_option(option);
    fputs("        esac\n        words='", stdout);
    put_values(arguments_of(command));
    printf("'\n%s        options='--help\n            --help-all\n",
           takes_graph(command) ? "        graphs=yes\n" : "");
    for (const cli_option *option = command->options; option->name; option++)
        printf("            --%s\n", option->name);
    puts("        ' ;;");
}

/* The exit status of the first that says why it does not explain itself, or CLI_GOOD. A command that the build is
 * without has no options. */
static int for_each_command(void (*print)(const cli_command *))
{
    int status = CLI_GOOD;
    cli_pass_over_absent();
    for (const cli_verb *verb = cli_help_verbs(); verb->name && status == CLI_GOOD; verb++)
        status = cli_explain(verb, print);
    return status;
}

static int print_bash(void)
{
    puts("# Completes gossipfab's command lines in bash: made by gossipfab help --completion bash.\n"
         "_gossipfab_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\"); }\n"
         "_gossipfab_files()\n"
         "{\n"
         "    compopt -o filenames 2> /dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$current\")\n"
         "}\n"
         "_gossipfab_list() { gossipfab list \"$1\" 2> /dev/null | sed -n 's/^  \\([a-z][a-z0-9-]*\\).*/\\1/p'; }\n"
         "_gossipfab()\n"
         "{\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local words='' options='' graphs=''\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "        _gossipfab_words '--help --version");
    for (const cli_verb *verb = cli_help_verbs(); verb->name; verb++)
        printf("            %s\n", verb->name);
    puts("        '\n"
         "        return\n"
         "    fi\n"
         "    case ${COMP_WORDS[1]} in");
    const int status = for_each_command(print_bash_command);
    if (status != CLI_GOOD)
        return status;
    puts("    esac\n"
         "    case $current in\n"
         "    -*) _gossipfab_words \"$options\" ;;\n"
         "    *)\n"
         "        if [ -n \"$words\" ]; then _gossipfab_words \"$words\"; return; fi\n"
         "        [ -z \"$graphs\" ] || _gossipfab_words \"$(_gossipfab_list topologies)\"\n"
         "        [ ${#COMPREPLY[@]} -gt 0 ] || _gossipfab_files -f ;;\n"
         "    esac\n"
         "}\n"
         "complete -F _gossipfab gossipfab");
    return CLI_GOOD;
}

/* ---- zsh ---- */

/* Text of a [description] between single quotes. */
static void put_zsh(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr("[]:\\", *text))
            putchar('\\');
        putchar(*text);
    }
}

static void print_zsh_option(const cli_option *option)
{
    if (option->letter != '\0')
        printf("            '(-%c --%s)'{-%c,--%s}'[", option->letter, option->name, option->letter, option->name);
    else
        printf("            '--%s[", option->name);
    put_zsh(option->help);
    putchar(']');
    if (option->word) {
        putchar(':');
        put_zsh(option->word);
        putchar(':');
        if (list_of(option)) {
            printf("(${(f)\"$(_gossipfab_list %s)\"})", list_of(option));
        } else if (values_in(option->word) > 0) {
            putchar('(');
            put_values(option->word);
            putchar(')');
        } else if (strcmp(option->word, "FILE") == 0 || strcmp(option->word, "PORT") == 0) {
            fputs("_files", stdout);
        } else if (strcmp(option->word, "DIR") == 0) {
            fputs("_directories", stdout);
        }
    }
    puts("' \\");
}

static void print_zsh_command(const cli_command *command)
{
    printf("    %s)\n        _arguments \\\n", command->verb);
    for (const cli_option *option = command->options; option->name; option++)
        print_zsh_option(option);
    fputs("            '(-h --help)'{-h,--help}'[print the help]' \\\n            '--help-all[print all of it]' \\\n   "
          "         '*:argument:",
          stdout);
    if (values_in(arguments_of(command)) > 0) {
        putchar('(');
        put_values(arguments_of(command));
        putchar(')');
    } else {
        fputs(takes_graph(command) ? "_gossipfab_graphs" : "_files", stdout);
    }
    puts("' ;;");
}

static int print_zsh(void)
{
    puts("#compdef gossipfab\n"
         "# Completes gossipfab's command lines in zsh: made by gossipfab help --completion zsh.\n"
         "_gossipfab_list() { gossipfab list \"$1\" 2> /dev/null | sed -n 's/^  \\([a-z][a-z0-9-]*\\).*/\\1/p' }\n"
         "_gossipfab_graphs()\n"
         "{\n"
         "    _alternative 'graphs:graph:compadd -S \"\" -- ${(f)\"$(_gossipfab_list topologies)\"}' "
         "'files:file:_files'\n"
         "}\n"
         "_gossipfab()\n"
         "{\n"
         "    local -a commands=(");
    for (const cli_verb *verb = cli_help_verbs(); verb->name; verb++) {
        printf("        '%s:", verb->name);
        put_zsh(verb->summary);
        puts("'");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe command commands\n"
         "        _arguments '(-h --help)'{-h,--help}'[print the help]' '(-V --version)'{-V,--version}'[print the "
         "version]'\n"
         "        return\n"
         "    fi\n"
         "    local command=$words[2]\n"
         "    shift words\n"
         "    (( CURRENT-- ))\n"
         "    case $command in");
    const int status = for_each_command(print_zsh_command);
    if (status != CLI_GOOD)
        return status;
    puts("    esac\n"
         "}\n"
         "_gossipfab \"$@\"");
    return CLI_GOOD;
}

/* ---- fish ---- */

/* Text between single quotes. */
static void put_fish(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void print_fish_option(const cli_command *command, const cli_option *option)
{
    printf("complete -c gossipfab -n '__fish_seen_subcommand_from %s' -l %s", command->verb, option->name);
    if (option->letter != '\0')
        printf(" -s %c", option->letter);
    fputs(" -d '", stdout);
    put_fish(option->help);
    putchar('\'');
    if (option->word && list_of(option)) {
        printf(" -x -a '(__gossipfab_list %s)'", list_of(option));
    } else if (option->word && values_in(option->word) > 0) {
        fputs(" -x -a '", stdout);
        put_values(option->word);
        putchar('\'');
    } else if (option->word && (strcmp(option->word, "FILE") == 0 || strcmp(option->word, "PORT") == 0)) {
        fputs(" -r -F", stdout);
    } else if (option->word && strcmp(option->word, "DIR") == 0) {
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
    } else if (option->word) {
        fputs(" -x", stdout);
    }
    putchar('\n');
}

static void print_fish_command(const cli_command *command)
{
    for (const cli_option *option = command->options; option->name; option++)
        print_fish_option(command, option);
    printf("complete -c gossipfab -n '__fish_seen_subcommand_from %s' -l help-all -d 'print all of it'\n",
           command->verb);
    printf("complete -c gossipfab -n '__fish_seen_subcommand_from %s' -s h -l help -d 'print the help'\n",
           command->verb);
    if (values_in(arguments_of(command)) > 0) {
        printf("complete -c gossipfab -n '__fish_seen_subcommand_from %s' -f -a '", command->verb);
        put_values(arguments_of(command));
        puts("'");
    } else if (takes_graph(command)) {
        printf("complete -c gossipfab -n '__fish_seen_subcommand_from %s' -a '(__gossipfab_list topologies)'\n",
               command->verb);
    }
}

static int print_fish(void)
{
    puts("# Completes gossipfab's command lines in fish: made by gossipfab help --completion fish.\n"
         "function __gossipfab_list\n"
         "    gossipfab list $argv[1] 2> /dev/null | sed -n 's/^  \\([a-z][a-z0-9-]*\\).*/\\1/p'\n"
         "end\n"
         "complete -c gossipfab -n __fish_use_subcommand -f -s h -l help -d 'print the help'\n"
         "complete -c gossipfab -n __fish_use_subcommand -f -s V -l version -d 'print the version'");
    for (const cli_verb *verb = cli_help_verbs(); verb->name; verb++) {
        printf("complete -c gossipfab -n __fish_use_subcommand -f -a %s -d '", verb->name);
        put_fish(verb->summary);
        puts("'");
    }
    return for_each_command(print_fish_command);
}

int cli_print_completion(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        return print_bash();
    if (strcmp(shell, "zsh") == 0)
        return print_zsh();
    if (strcmp(shell, "fish") == 0)
        return print_fish();
    return cli_error("help", "--completion: unknown shell '%s'; there are bash, zsh and fish", shell);
}
