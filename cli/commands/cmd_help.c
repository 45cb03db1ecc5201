/* SPDX-License-Identifier: MIT */
/* Command `help`: chooses among what cli/help/ prints: the list of commands, one command's options, a manual page, or
 * a shell's completion. All four are made from the tables by which commands and options are parsed, so that the help
 * cannot name an option that does not exist. */
#include "help/help.h"

int cmd_help(int argc, char **argv)
{
    bool manual = false, all = false;
    const char *shell = NULL;
    const cli_option options[] = {
        CLI_OPTION(.name = "all", .kind = CLI_FLAG, .value = &all, .help = "all options of a command, by topics"),
        CLI_OPTION(.name = "man", .kind = CLI_FLAG, .value = &manual, .help = "as a manual page, for man -l -"),
        CLI_OPTION(.name = "completion", .kind = CLI_TEXT, .value = &shell, .word = "bash|zsh|fish",
                   .help = "a script that completes command lines in that shell"),
        CLI_OPTIONS_END};
    const cli_command command = {.verb = "help",
                                 .usage = "[COMMAND [--all] | TOPIC] [--man] | --completion SHELL",
                                 .text = "Explains gossipfab, one of its commands, or a topic that options are about.",
                                 .example = "  gossipfab help schedule\n"
                                            "  gossipfab help generate --all\n"
                                            "  gossipfab help model\n"
                                            "  gossipfab help generate --man | man -l -\n"
                                            "  source <(gossipfab help --completion bash)",
                                 .options = options,
                                 .max_arguments = 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    if (all && (manual || !arguments[0] || cli_topic_find(arguments[0])))
        return cli_error("help", "--all is for the help of a command; give one, such as gossipfab help generate --all");
    if (shell && (manual || arguments[0]))
        return cli_error("help", "--completion is for all commands, and no manual page; give it alone");
    if (shell)
        return cli_print_completion(shell);
    const cli_topic *topic = arguments[0] ? cli_topic_find(arguments[0]) : NULL;
    if (topic && !manual)
        return cli_explain_topic(topic);
    if (arguments[0]) {
        const cli_verb *verb = cli_find_verb("help", arguments[0]);
        if (!verb)
            return CLI_USAGE;
        return all ? cli_explain_all(verb) : cli_explain(verb, manual ? cli_print_command_manual : NULL);
    }
    (manual ? cli_print_manual : cli_print_help)();
    return CLI_GOOD;
}
