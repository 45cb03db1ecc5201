/* SPDX-License-Identifier: MIT */
/* What is said of the command itself, in its help, its manual pages and the completions of shells. All of it comes from
 * the tables of options and the table of verbs. */
#ifndef GOSSIPFAB_HELP_H
#define GOSSIPFAB_HELP_H

#include "cli.h"

/* Tells the rest which verbs there are; a row without a name ends the table, which is borrowed. */
void cli_help_of(const cli_verb *verbs);
const cli_verb *cli_help_verbs(void);
/* The verb of that name; NULL after an error line, which says who asked (may be NULL) and which name was meant. */
const cli_verb *cli_find_verb(const char *asker, const char *name);

/* Paragraphs, each with its last newline. */
extern const char *const cli_help_introduction, *const cli_help_first_steps, *const cli_help_exit_status,
                                                                                 *const cli_help_files;

/* Room for what is said of an option, with its range, unit and default. */
#define CLI_OPTION_TEXT 640
void cli_option_text(const cli_option *option, char text[CLI_OPTION_TEXT]);

/* What --help prints of a command from now on, in place of its help. */
void cli_help_as(void (*print)(const cli_command *command));
/* Runs the verb with --help, which then prints so; NULL: its help. Returns the exit status. */
int cli_explain(const cli_verb *verb, void (*print)(const cli_command *command));

/* All commands' help; manual page gossipfab(1). */
void cli_print_help(void);
void cli_print_manual(void);
/* Manual page gossipfab-<verb>(1). */
void cli_print_command_manual(const cli_command *command);

/* A script that completes command lines, for "bash" or "zsh". CLI_GOOD, or an exit status after an error line. */
int cli_print_completion(const char *shell);

#endif
