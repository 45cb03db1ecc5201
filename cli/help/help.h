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

/* A subject that options of several commands are about: its name, a command that has its options, a title, what it is
 * for, the options. */
typedef struct cli_topic {
    const char *name, *verb, *title, *text, *options;
} cli_topic;
/* NULL behind the last; of that name, or NULL. */
const cli_topic *cli_topic_at(size_t index);
const cli_topic *cli_topic_find(const char *name);
/* What a command's option is about; NULL: nothing in particular. *first: the command's help shows it at first. */
const cli_topic *cli_topic_of(const char *verb, const char *option, bool *first);

/* Room for what is said of an option, with its range, unit and default. */
#define CLI_OPTION_TEXT 640
void cli_option_text(const cli_option *option, char text[CLI_OPTION_TEXT]);

/* What --help prints of a command from now on, in place of its help. */
void cli_help_as(void (*print)(const cli_command *command));
/* Runs the verb with --help, which then prints so; NULL: its help. Returns the exit status. */
int cli_explain(const cli_verb *verb, void (*print)(const cli_command *command));
/* The help of a verb, with all options; of a topic. */
int cli_explain_all(const cli_verb *verb);
int cli_explain_topic(const cli_topic *topic);

/* All commands' help; manual page gossipfab(1). */
void cli_print_help(void);
void cli_print_manual(void);
/* Manual page gossipfab-<verb>(1). */
void cli_print_command_manual(const cli_command *command);

/* A script that completes command lines, for "bash" or "zsh". CLI_GOOD, or an exit status after an error line. */
int cli_print_completion(const char *shell);

#endif
