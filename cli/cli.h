/* SPDX-License-Identifier: MIT */
/* What the subcommands share: options, reports, files; cli_source.h and cli_machine.h have the rest. Everything
 * here may print; the library never does. */
#ifndef GOSSIPFAB_CLI_H
#define GOSSIPFAB_CLI_H

#include <gossipfab/gossipfab.h>
#include <jansson.h>
#include <stdio.h>

/* Exit statuses. */
enum { CLI_GOOD = 0, CLI_FAULTY = 1, CLI_USAGE = 2, CLI_SIGNAL_BASE = 128 }; /* after a signal: 128 + its number */
/* What a step of a command gives when the command is to go on; every other value is the exit status. */
enum { CLI_GO_ON = -1 };
/* A step behind others: it is made where they gave CLI_GO_ON, and status is what it gives. */
#define CLI_THEN(status, step)     \
    do {                           \
        if ((status) == CLI_GO_ON) \
            (status) = (step);     \
    } while (0)
/* A step of a function that holds nothing yet: an exit status is what the function gives, at once. */
#define CLI_TRY(step)                 \
    do {                              \
        const int cli_tried = (step); \
        if (cli_tried != CLI_GO_ON)   \
            return cli_tried;         \
    } while (0)
/* Memory such a function cannot do without, as a condition that is false where there is none. */
#define CLI_NEED(verb, there) CLI_TRY((there) ? CLI_GO_ON : cli_fail(verb, GFAB_ERR_NO_MEMORY, NULL, NULL))

/* ---- commands and options: cli_options.c, help/ ---- */

typedef enum cli_kind {
    CLI_FLAG,      /* value: bool * */
    CLI_TEXT,      /* value: const char ** */
    CLI_U32,       /* value: uint32_t *, least..most */
    CLI_U64,       /* value: uint64_t *, least..most */
    CLI_LINK_MODE, /* value: gfab_link_mode * */
    CLI_PORT_MODE, /* value: gfab_port_mode * */
    CLI_ROUTING,   /* value: gfab_routing * */
    CLI_RATIO      /* value: gfab_ratio * */
} cli_kind;

/* A row of a command's option table. */
typedef struct cli_option {
    const char *name; /* without the dashes; NULL ends the table */
    char letter;      /* '\0' for none */
    cli_kind kind;
    void *value;
    bool *given;         /* set to true where the option was given; may be NULL */
    const char *word;    /* what stands for the argument in the help; NULL for flags */
    const char *initial; /* the default as the help words it; NULL for none */
    uint64_t least, most;
    const char *unit; /* "bits", or NULL */
    bool *any;        /* CLI_U32: set to true where the word "any" is given in the place of a number; NULL: not taken */
    const char **node; /* CLI_U32: set to a text that is no number, the name of a node; NULL: not taken */
    const char *help;
} cli_option;

/* A row of such a table, its fields by name: CLI_OPTION(.name = "json", ...). What is left out is 0 or NULL. */
#define CLI_OPTION(...) \
    {                   \
        __VA_ARGS__     \
    }
#define CLI_OPTIONS_END CLI_OPTION(.name = NULL)

/* What goes with what: a row of a command's rules, in cli_rules.c those of all. Lists are names of options, separated
 * by spaces; "sweep=length" stands for --sweep with that value. */
typedef struct cli_rule {
    const char *options; /* where one of these is given, the row holds; NULL ends the table */
    const char *need;    /* one of these is to be given, too; or NULL */
    const char *exclude; /* none of these may be given, too; or NULL */
    const char *says;    /* the line, with %s for the name of the option; NULL: one of the two that all share */
} cli_rule;
#define CLI_RULES_END \
    {                 \
        NULL          \
    }
#define CLI_RULE_NAME 80 /* bytes that the names of a list take at most */

typedef struct cli_command {
    const char *verb;
    const char *usage; /* what follows the verb */
    const char *text;  /* the explanation */
    const char *example;
    const cli_option *options;
    const cli_rule *rules; /* or NULL */
    size_t max_arguments;  /* arguments that are not options */
} cli_command;

#define CLI_MAX_ARGUMENTS 2

/* Parses argv (argv[0] is the verb) into the options' values. An argument that begins with a family's name is what
 * --topology takes, where the command has that option; other arguments that are not options go to
 * arguments[CLI_MAX_ARGUMENTS], NULL where absent. CLI_GO_ON, CLI_GOOD after --help, or CLI_USAGE
 * after an error line. Values point into memory that lives as long as argv. */
int cli_parse(const cli_command *command, int argc, char **argv, const char **arguments);

/* Options that do not go together, or lack others, by the command's rules and those of all commands; seen[i]: option i
 * is given. CLI_GO_ON, or CLI_USAGE after an error line. */
int cli_rules_check(const cli_command *command, const bool *seen);

/* A verb in the table of main.c. */
typedef struct cli_verb {
    const char *name;
    const char *group;
    const char *summary;
    int (*run)(int argc, char **argv);
} cli_verb;

/* The program's name, which its messages begin with: "gossipfab" or "gossipfab-mpi". */
extern const char *const cli_program;

/* A number without sign at *text, which moves on behind it; false where none from least to most is there. */
bool cli_read_number(const char **text, uint64_t least, uint64_t most, uint64_t *number);
/* Likewise a number as people write it: 4096, 1e6, and of bytes with a unit, too: 64KiB, 1.5MB. It is whole; one that
 * is too large is UINT64_MAX. */
bool cli_read_size(const char **text, bool bytes, uint64_t *number);
/* "I/K", both from 1 on; NULL: 1/1. CLI_GO_ON or an exit status. */
int cli_shard_read(const char *verb, const char *text, uint32_t *shard, uint32_t *shards);

/* Prints a command's help, from its table; help/help.h has what else may be printed in its place. */
void cli_print_command_help(const cli_command *command);
/* The same with all options, and all that is said of them; the options of a topic alone. */
void cli_print_command_help_all(const cli_command *command);
void cli_print_command_help_topic(const cli_command *command, const char *name);

/* ---- what a name that is not known may have meant: cli_names.c ---- */

/* Is the text before a colon or a plus the name of a family of topologies? */
bool cli_names_family(const char *text);
/* Is the text, or what stands before its first plus, a file that can be read, whose name says that it has a graph? */
bool cli_names_graph_file(const char *text);
/* The name in names[0..count-1] that text is most likely a slip of, or NULL: capitals, - and _ do not count. */
const char *cli_suggest(const char *text, const char *const *names, size_t count);
/* A topology as it was given. Where it is a file, *file_spec becomes what the library takes for it, to be freed; else
 * NULL. Where it is no family, and something similar is one, an error line says which. CLI_GO_ON or CLI_USAGE. */
int cli_topology_name(const char *verb, const char *spec, char **file_spec);
/* The collective of that name; CLI_GO_ON, or CLI_USAGE after an error line. */
int cli_collective_name(const char *verb, const char *text, gfab_collective *collective);

/* ---- errors and progress: cli_report.c ---- */

/* Prints "PROGRAM: verb: ..." as one line on stderr and returns CLI_USAGE. verb may be NULL. */
int cli_error(const char *verb, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* The same for a failed call of the library: where (may be NULL) is put before the diagnostic.
 * Returns the exit status for the code. */
int cli_fail(const char *verb, gfab_status status, const char *where, const gfab_diag *diag);
/* The same of a call that may have gone well: CLI_GO_ON then. */
int cli_told(const char *verb, gfab_status status, const char *where, const gfab_diag *diag);

/* For what belongs to an extra that this build is without: a line that says so; CLI_USAGE. */
int cli_without(const char *verb, const char *extra);
/* From now on cli_without says nothing, and is CLI_GOOD: for what goes through all commands. */
void cli_pass_over_absent(void);
/* "interrupted", for work that leaves something behind; returns the exit status. */
int cli_interrupted(const char *verb);

/* A progress function for the library: writes to stderr where that is a terminal,
 * and stops the work after a signal that asks for it. context is the verb. */
gfab_progress cli_progress(const char *verb);
/* Wipes the progress line. */
void cli_progress_end(void);
/* From now on SIGINT, SIGTERM and SIGHUP ask long work to stop; the second such signal ends the process, after
 * clean_up, which does only what a signal handler may do. */
void cli_catch_interrupt(void (*clean_up)(void));
/* And where the work takes no notice of the first signal for half a second, since it waits for a pipe or computes
 * where it does not ask, the process ends: after clean_up and a line, with the exit status that it would have had. */
void cli_end_interrupted(const char *verb);
/* From hold = true to hold = false no such end: the work leaves something behind that clean_up does not know of, and
 * asks often enough. */
void cli_hold_interrupt(bool hold);
/* Who asks is told once and for all: he stops the work. */
bool cli_was_interrupted(void);

/* ---- JSON: cli_report.c. Running out of memory ends the process with CLI_USAGE. ---- */

json_t *cli_json_object(void);
/* One with "schema": what a command prints. */
json_t *cli_json_report(const char *schema);
json_t *cli_json_array(void);
/* Sets key to value, whose reference is taken. */
void cli_json_set(json_t *object, const char *key, json_t *value);
void cli_json_append(json_t *array, json_t *value);
/* Prints object with stable order and lets it go. */
void cli_json_print(json_t *object, FILE *file);

/* Sets keys: CLI_JSON(report, CLI_KEY("rounds", rounds), CLI_KEY("name", name)). A value is a text (NULL becomes null),
 * a whole number without sign, a bool, a ratio, or a json_t, whose reference is taken. An int is none of these: a
 * comparison is a bool by a cast. */
#define CLI_JSON(object, ...) cli_json_set_all(object, (const cli_member[]){__VA_ARGS__, {NULL, NULL}})
#define CLI_KEY(key, value) ((cli_member){key, CLI_JSON_OF(value)})
/* The same where a condition holds; the value is made in any case. */
#define CLI_KEY_IF(there, key, value) ((cli_member){(there) ? (key) : "", CLI_JSON_OF(value)})
typedef struct cli_member {
    const char *key;
    json_t *value;
} cli_member;
json_t *cli_json_set_all(json_t *object, const cli_member *members); /* object */
/* clang-format off */
#define CLI_JSON_OF(value)                                                                       \
    _Generic((value), bool: cli_json_of_bool, gfab_ratio: cli_json_of_ratio, json_t *: cli_json_itself, \
        char *: cli_json_of_text, const char *: cli_json_of_text,                                       \
        unsigned char: cli_json_of_number, unsigned short: cli_json_of_number, unsigned: cli_json_of_number, \
        unsigned long: cli_json_of_number, unsigned long long: cli_json_of_number)(value)
/* clang-format on */
json_t *cli_json_of_bool(bool value);
json_t *cli_json_of_text(const char *value);
json_t *cli_json_of_number(uint64_t value);
json_t *cli_json_of_ratio(gfab_ratio value); /* as text: JSON has no fractions */
json_t *cli_json_itself(json_t *value);
/* The number, or null where there is none. */
json_t *cli_json_number_if(bool there, uint64_t value);

/* ---- files that are read: files/cli_input.c ---- */

/* Opens a file; "-" is standard input. To be closed by gfab_text_close. CLI_GO_ON or an exit status, after an error
 * line. */
int cli_file_open(const char *verb, const char *path, FILE **file);
/* The same, and reads all of it; text->bytes is to be freed. */
int cli_text_read(const char *verb, const char *path, gfab_text *text);
/* What messages call a file that is read: its path, or "standard input". */
const char *cli_file_name(const char *path);

/* What a command reads that may be of several kinds: it is read once, and its bytes alone say what it is, so that a
 * file, standard input and a pipe are taken alike. All zero: not open. */
typedef struct cli_input {
    const char *name; /* in messages */
    int first;        /* the first byte behind blanks; EOF: there is none */
    gfab_text text;   /* all of it, of XML and JSON, whose first byte is < or {; bytes NULL: file is all there is */
    FILE *file;       /* at its start; of a text it may be read again, after rewind(). NULL: it is empty */
} cli_input;

/* CLI_GO_ON or an exit status, after an error line. To be closed, also then. */
int cli_input_open(const char *verb, const char *path, cli_input *input);
void cli_input_close(cli_input *input);

/* ---- files that are written: files/cli_output.c ---- */

/* A file that appears under its name only when it is complete. */
typedef struct cli_output {
    FILE *file;
    char *target;
    char *temporary; /* NULL where the target is written in place: a device, a pipe, standard output */
} cli_output;

/* "-"; NULL is not. */
bool cli_is_standard(const char *path);
/* Where a command prints beside what it writes to path and other (either may be NULL): standard error where one of them
 * is standard output. */
FILE *cli_report_file(const char *path, const char *other);
/* Two outputs of one command, either of which may be NULL: CLI_GO_ON, or CLI_USAGE after an error line where they are
 * one file. */
int cli_check_outputs(const char *verb, const char *option, const char *path, const char *other_option,
                      const char *other_path);
/* "-" is standard output. CLI_GO_ON or an exit status, after an error line. */
int cli_output_open(const char *verb, const char *path, cli_output *output);
int cli_output_commit(const char *verb, cli_output *output);
/* The exit status of a command that ends with `status`, once standard output is flushed: where that fails, and the
 * command itself has not failed, an error line. */
int cli_output_end(int status);
/* Lets an open output go without a trace; nothing to do for one that was committed or never opened. */
void cli_output_discard(cli_output *output);
/* A whole file at once: what `write` writes of `what`. CLI_GO_ON or an exit status, after an error line. */
typedef gfab_status cli_writer(const void *what, FILE *file, gfab_diag *diag);
int cli_output_write(const char *verb, const char *path, cli_writer *write, const void *what);
/* The same of a schedule, as .gfs. */
int cli_write_schedule(const char *verb, const char *path, const gfab_schedule *schedule);
/* Removes the temporary files of all outputs, for a signal handler that ends the process. */
void cli_output_unlink_all(void);

/* ---- the commands: cmd_<verb>.c ---- */

int cmd_help(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_bound(int argc, char **argv);
int cmd_advise(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_schedule(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_search(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_prove(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_reroute(int argc, char **argv);
int cmd_replan(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_board(int argc, char **argv);
int cmd_table(int argc, char **argv);

#endif
