/* SPDX-License-Identifier: MIT */
/* Command `help`: chooses among what cli/help/ prints: the list of commands, one command's options, a manual page, or
 * a shell's completion. All four are made from the tables by which commands and options are parsed, so that the help
 * cannot name an option that does not exist. */
#include "help/help.h"

int cmd_help(int argc, char **argv)
{
    bool manual = false;
    const char *shell = NULL;
    const cli_option options[] = {
        CLI_OPTION(.name = "man", .kind = CLI_FLAG, .value = &manual, .help = "as a manual page, for man -l -"),
        CLI_OPTION(.name = "completion", .kind = CLI_TEXT, .value = &shell, .word = "bash|zsh|fish",
                   .help = "a script that completes command lines in that shell"),
        CLI_OPTIONS_END};
    const cli_command command = {.verb = "help",
                                 .usage = "[COMMAND] [--man] | --completion SHELL",
                                 .text = "Explains gossipfab, or one of its commands.",
                                 .example = "  gossipfab help schedule\n"
                                            "  gossipfab help generate --man | man -l -\n"
                                            "  source <(gossipfab help --completion bash)",
                                 .options = options,
                                 .max_arguments = 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    const int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    if (shell && (manual || arguments[0]))
        return cli_error("help", "--completion is for all commands, and no manual page; give it alone");
    if (shell)
        return cli_print_completion(shell);
    if (arguments[0]) {
        const cli_verb *verb = cli_find_verb("help", arguments[0]);
        return verb ? cli_explain(verb, manual ? cli_print_command_manual : NULL) : CLI_USAGE;
    }
    (manual ? cli_print_manual : cli_print_help)();
    return CLI_GOOD;
}
