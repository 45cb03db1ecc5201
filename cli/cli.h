/* SPDX-License-Identifier: MIT */
/* What the subcommands share: options, sources of schedules, reports, files. Everything
 * here may print; the library never does. */
#ifndef GOSSIPFAB_CLI_H
#define GOSSIPFAB_CLI_H

#include <gossipfab/gossipfab.h>
#include <jansson.h>
#include <stdio.h>

/* Exit statuses. */
enum { CLI_GOOD = 0, CLI_FAULTY = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };
/* What a step of a command gives when the command is to go on; every other value is the exit status. */
enum { CLI_GO_ON = -1 };

/* ---- commands and options: cli_options.c, cli_help.c ---- */

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
    const char *help;
} cli_option;

#define CLI_OPTIONS_END                                                \
    {                                                                  \
        NULL, '\0', CLI_FLAG, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL \
    }

typedef struct cli_command {
    const char *verb;
    const char *usage; /* what follows the verb */
    const char *text;  /* the explanation */
    const char *example;
    const cli_option *options;
    size_t max_arguments; /* arguments that are not options */
} cli_command;

#define CLI_MAX_ARGUMENTS 2

/* Parses argv (argv[0] is the verb) into the options' values; arguments that are not
 * options go to arguments[CLI_MAX_ARGUMENTS], NULL where absent. CLI_GO_ON, CLI_GOOD after --help, or CLI_USAGE
 * after an error line. Values point into memory that lives as long as argv. */
int cli_parse(const cli_command *command, int argc, char **argv, const char **arguments);

/* A verb in the table of main.c. */
typedef struct cli_verb {
    const char *name;
    const char *group;
    const char *summary;
    int (*run)(int argc, char **argv);
} cli_verb;

void cli_print_help(const cli_verb *verbs);
/* Prints a command's help from its table. */
void cli_print_command_help(const cli_command *command);
/* The name in names[0..count-1] that text is most likely a slip of, or NULL. */
const char *cli_suggest(const char *text, const char *const *names, size_t count);

/* ---- errors and progress: cli_report.c ---- */

/* Prints "gossipfab: verb: ..." as one line on stderr and returns CLI_USAGE. verb may be NULL. */
int cli_error(const char *verb, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* The same for a failed call of the library: where (may be NULL) is put before the diagnostic.
 * Returns the exit status for the code. */
int cli_fail(const char *verb, gfab_status status, const char *where, const gfab_diag *diag);

/* A progress function for the library: writes to stderr where that is a terminal,
 * and stops the work after SIGINT or SIGTERM. context is the verb. */
gfab_progress cli_progress(const char *verb);
/* Wipes the progress line. */
void cli_progress_end(void);
/* From now on SIGINT and SIGTERM ask long work to stop. */
void cli_catch_interrupt(void);
bool cli_was_interrupted(void);

/* ---- JSON: cli_report.c. Running out of memory ends the process with CLI_USAGE. ---- */

json_t *cli_json_object(void);
json_t *cli_json_array(void);
/* Sets key to value, whose reference is taken. */
void cli_json_set(json_t *object, const char *key, json_t *value);
void cli_json_int(json_t *object, const char *key, uint64_t value);
void cli_json_text(json_t *object, const char *key, const char *value); /* null where value is NULL */
void cli_json_bool(json_t *object, const char *key, bool value);
void cli_json_append(json_t *array, json_t *value);
/* Prints object with stable order and lets it go. */
void cli_json_print(json_t *object, FILE *file);

/* ---- files: cli_file.c ---- */

/* A file that appears under its name only when it is complete. */
typedef struct cli_output {
    FILE *file;
    char *target;
    char *temporary; /* NULL where the target is written in place: a device or a pipe */
} cli_output;

/* CLI_GO_ON or an exit status, after an error line. */
int cli_output_open(const char *verb, const char *path, cli_output *output);
int cli_output_commit(const char *verb, cli_output *output);
/* Lets an open output go without a trace; nothing to do for one that was committed or never opened. */
void cli_output_discard(cli_output *output);

/* ---- sources of schedules: cli_source.c ---- */

typedef struct cli_source {
    const char *topology_spec;
    const char *solver_name;
    const char *schedule_path; /* "-" for stdin */
    uint64_t solver_seed;
    uint32_t effort, rounds; /* as in gfab_solver_options */
    gfab_ratio startup;
    bool linear; /* startup is given */
    const char *parameters;
    const char *load_text;
    const char *broadcast_text; /* NULL with broadcast: node 0 */
    uint32_t broadcast_from;    /* once the schedule is made */
    bool broadcast;
    uint32_t *load;
    gfab_model model;
    bool link_mode_given, port_mode_given, packet_tokens_given, hop_rounds_given, routing_given;
    bool solver_given, seed_given;

    gfab_topology *topology;
    gfab_schedule *schedule;
    gfab_bound bound;
    gfab_verify_report report;
    gfab_ratio cost;            /* with linear: at startup */
    gfab_cost_bound cost_bound; /* likewise; no name where nodes do not start with one token each */
} cli_source;

cli_source cli_source_default(void);
void cli_source_release(cli_source *source);

#define CLI_TOPOLOGY_OPTION(s)                                                      \
    {                                                                               \
        "topology", 't', CLI_TEXT, &(s).topology_spec, NULL, "T", NULL, 0, 0, NULL, \
            "the graph, such as mesh:4x4 (see: gossipfab list topologies)"          \
    }
#define CLI_SOLVER_OPTIONS(s)                                                                              \
    {"solver",                                                                                             \
     's',                                                                                                  \
     CLI_TEXT,                                                                                             \
     &(s).solver_name,                                                                                     \
     &(s).solver_given,                                                                                    \
     "S",                                                                                                  \
     "auto",                                                                                               \
     0,                                                                                                    \
     0,                                                                                                    \
     NULL,                                                                                                 \
     "what makes the schedule (see: gossipfab list solvers)"},                                             \
        {"solver-seed",                                                                                    \
         '\0',                                                                                             \
         CLI_U64,                                                                                          \
         &(s).solver_seed,                                                                                 \
         &(s).seed_given,                                                                                  \
         "N",                                                                                              \
         "1",                                                                                              \
         0,                                                                                                \
         INT64_MAX,                                                                                        \
         NULL,                                                                                             \
         "seed of solvers that choose at random"},                                                         \
        {"solver-options",           '\0', CLI_TEXT, &(s).parameters, NULL, "K=V,...", NULL, 0, 0, NULL,   \
         "the solver's own settings"},                                                                     \
    {                                                                                                      \
        "startup", '\0', CLI_RATIO, &(s).startup, &(s).linear, "R", NULL, 0, 0, NULL,                      \
            "a round with s tokens in its longest packet costs R + s: make the cost small, not the rounds" \
    }
/* What each node starts with. */
#define CLI_LOAD_OPTIONS(s)                                                                                         \
    {"broadcast-from",                                                                                              \
     '\0',                                                                                                          \
     CLI_TEXT,                                                                                                      \
     &(s).broadcast_text,                                                                                           \
     &(s).broadcast,                                                                                                \
     "V",                                                                                                           \
     NULL,                                                                                                          \
     0,                                                                                                             \
     0,                                                                                                             \
     NULL,                                                                                                          \
     "broadcast: one token, at node V; worst: at the node from where it takes longest; all: from each, a summary"}, \
    {                                                                                                               \
        "load", '\0', CLI_TEXT, &(s).load_text, NULL, "H0,H1,...", "1 each", 0, 0, NULL,                            \
            "tokens that each node starts with"                                                                     \
    }
/* How hard solvers that search try, and for what. */
#define CLI_SEARCH_OPTIONS(s)                                                                                \
    {"effort",                                                                                               \
     '\0',                                                                                                   \
     CLI_U32,                                                                                                \
     &(s).effort,                                                                                            \
     NULL,                                                                                                   \
     "N",                                                                                                    \
     "the solver's own",                                                                                     \
     1,                                                                                                      \
     1000000,                                                                                                \
     "tries",                                                                                                \
     "tries of a solver that searches, at each number of rounds"},                                           \
    {                                                                                                        \
        "rounds", '\0', CLI_U32, &(s).rounds, NULL, "R", "as few as it finds", 1, GFAB_MAX_ROUNDS, "rounds", \
            "a schedule of at most R rounds, or none"                                                        \
    }
#define CLI_SCHEDULE_OPTION(s)                                                          \
    {                                                                                   \
        "schedule", '\0', CLI_TEXT, &(s).schedule_path, NULL, "FILE", NULL, 0, 0, NULL, \
            "take this schedule instead of solving; - is standard input"                \
    }
#define CLI_MODEL_OPTIONS(s)                                                                                  \
    {"link-mode",                                                                                             \
     '\0',                                                                                                    \
     CLI_LINK_MODE,                                                                                           \
     &(s).model.link_mode,                                                                                    \
     &(s).link_mode_given,                                                                                    \
     "half|full",                                                                                             \
     "half",                                                                                                  \
     0,                                                                                                       \
     0,                                                                                                       \
     NULL,                                                                                                    \
     "a link carries a packet one way in a round, or one each way"},                                          \
        {"port-mode",                                                                                         \
         '\0',                                                                                                \
         CLI_PORT_MODE,                                                                                       \
         &(s).model.port_mode,                                                                                \
         &(s).port_mode_given,                                                                                \
         "all|one",                                                                                           \
         "all",                                                                                               \
         0,                                                                                                   \
         0,                                                                                                   \
         NULL,                                                                                                \
         "a node uses all its links in a round, or one of them"},                                             \
        {"packet-tokens",                                                                                     \
         '\0',                                                                                                \
         CLI_U32,                                                                                             \
         &(s).model.packet_tokens,                                                                            \
         &(s).packet_tokens_given,                                                                            \
         "P",                                                                                                 \
         "1",                                                                                                 \
         1,                                                                                                   \
         GFAB_MAX_NODES,                                                                                      \
         "tokens",                                                                                            \
         "most tokens in a packet"},                                                                          \
        {"routing",                                                                                           \
         '\0',                                                                                                \
         CLI_ROUTING,                                                                                         \
         &(s).model.routing,                                                                                  \
         &(s).routing_given,                                                                                  \
         "R",                                                                                                 \
         "store-and-forward",                                                                                 \
         0,                                                                                                   \
         0,                                                                                                   \
         NULL,                                                                                                \
         "store-and-forward: a packet crosses one link in a round; wormhole: a path"},                        \
    {                                                                                                         \
        "hop-rounds", '\0', CLI_U32, &(s).model.hop_rounds, &(s).hop_rounds_given, "LAMBDA", "1", 1, 1000000, \
            "rounds", "a token received in round t may leave from round t + LAMBDA on"                        \
    }
#define CLI_JSON_OPTION(flag)                                                                                    \
    {                                                                                                            \
        "json", '\0', CLI_FLAG, &(flag), NULL, NULL, NULL, 0, 0, NULL, "the report as JSON, with a schema field" \
    }

/* The steps, in this order; each gives CLI_GO_ON or an exit status after an error line.
 * open: the topology, from --topology or, with the schedule, from --schedule. */
int cli_source_open(const char *verb, cli_source *source);
/* A topology alone. */
int cli_source_open_topology(const char *verb, cli_source *source);
/* Rounds of a broadcast from each node, and a node with most; *rounds is to be freed. The topology is open. */
int cli_source_survey(const char *verb, cli_source *source, uint32_t **rounds, uint32_t *worst);
/* The schedule, where open has not read it. */
int cli_source_solve(const char *verb, cli_source *source);
/* The lower bound, and the verifier's report. */
int cli_source_judge(const char *verb, cli_source *source);
/* All three; a faulty schedule gives an error line and CLI_FAULTY. */
int cli_source_load(const char *verb, cli_source *source);
int cli_source_fault(const char *verb, const cli_source *source);

/* The solver that made the schedule: NULL where it is unknown. Borrowed. */
const gfab_solver *cli_source_solver(const cli_source *source);
/* True where that solver, run just now, has ruled fewer rounds out. */
bool cli_source_exact(const cli_source *source);
/* The closed formula of that solver; false where there is none. */
bool cli_source_formula(const cli_source *source, uint64_t *rounds);
/* Uses in a thousand of what the links could carry in the schedule's rounds. */
uint32_t cli_source_link_use_permille(const cli_source *source);

void cli_print_topology(FILE *file, const gfab_topology *topology);
void cli_print_model(FILE *file, const gfab_model *model);
/* rounds, lower bound, distance to it. */
void cli_print_rounds(FILE *file, const cli_source *source);
json_t *cli_json_topology(const gfab_topology *topology);
json_t *cli_json_model(const gfab_model *model);
json_t *cli_json_bound(const gfab_bound *bound);
json_t *cli_json_cost_bound(const gfab_cost_bound *bound);
/* A ratio as text: whole, decimal where that takes at most four places, else a fraction. */
typedef struct cli_ratio_text {
    char text[48];
} cli_ratio_text;
cli_ratio_text cli_ratio(gfab_ratio ratio);
/* As text: JSON has no fractions. */
void cli_json_ratio(json_t *object, const char *key, gfab_ratio ratio);
/* transfers / parts in lowest terms. */
gfab_ratio cli_transfers(uint64_t transfers, uint32_t parts);
/* With --startup: cost, lower bound, how far above. */
void cli_print_cost(FILE *file, const cli_source *source);
/* Sets topology, model, solver, rounds, bound and use: what every report on a schedule starts with. */
void cli_json_schedule(json_t *object, const cli_source *source);

/* ---- broadcasts from all nodes: cli_broadcasts.c ---- */

/* schedule --broadcast-from all: opens the topology, and prints how many rounds broadcasts take. The exit status. */
int cli_broadcasts(const char *verb, cli_source *source, bool json);

/* ---- records too large for a schedule: cli_sequence.c ---- */

/* The record that is a string and would be the schedule asked for, were it not for its nodes; NULL if there is none.
 * The topology is open. */
const char *cli_sequence_record(const cli_source *source);
/* Replays it for every token and prints the summary. The exit status. */
int cli_sequence_print(const char *verb, cli_source *source, const char *text, bool json);

/* ---- certificates: cli_prove.c ---- */

typedef struct cli_prove {
    bool asked;
    const char *proof_path, *cnf_path;
    bool needed;     /* the schedule is above its bound, so that there was something to ask */
    uint32_t rounds; /* what was asked last */
    gfab_prove_report report;
    cli_output proof, cnf;
} cli_prove;

#define CLI_PROVE_OPTIONS(p)                                                                    \
    {"prove",                                                                                   \
     '\0',                                                                                      \
     CLI_FLAG,                                                                                  \
     &(p).asked,                                                                                \
     NULL,                                                                                      \
     NULL,                                                                                      \
     NULL,                                                                                      \
     0,                                                                                         \
     0,                                                                                         \
     NULL,                                                                                      \
     "small graphs: show by SAT that one round less is impossible, or find a better schedule; " \
     "up to --effort (1) million conflicts"},                                                   \
        {"proof",                                                                               \
         '\0',                                                                                  \
         CLI_TEXT,                                                                              \
         &(p).proof_path,                                                                       \
         NULL,                                                                                  \
         "FILE",                                                                                \
         NULL,                                                                                  \
         0,                                                                                     \
         0,                                                                                     \
         NULL,                                                                                  \
         "with --prove: "                                                                       \
         "the proof, as DRAT"},                                                                 \
    {                                                                                           \
        "cnf", '\0', CLI_TEXT, &(p).cnf_path, NULL, "FILE", NULL, 0, 0, NULL,                   \
            "with --prove: the formula that the proof refutes, as DIMACS"                       \
    }

/* CLI_GO_ON, or CLI_USAGE after an error line. */
int cli_prove_check(const char *verb, const cli_prove *prove);
/* Takes a loaded source, gives it the best schedule that SAT finds, and asks whether one round less is possible.
 * CLI_GO_ON or an exit status. The files are open then, and neither committed nor discarded. */
int cli_prove_run(const char *verb, cli_prove *prove, cli_source *source);
int cli_prove_commit(const char *verb, cli_prove *prove);
void cli_prove_discard(cli_prove *prove);
void cli_prove_print(FILE *file, const cli_prove *prove, const cli_source *source);
/* Sets "proof", and "optimal" where that is now known. */
void cli_prove_json(json_t *report, const cli_prove *prove);

/* ---- from a schedule to a machine: cli_machine.c ---- */

typedef struct cli_machine {
    gfab_machine_options options;
    const char *frame, *store; /* as given: "auto", or a gfab_frame_name or gfab_store_name */
    gfab_machine *machine;     /* once it is built */
} cli_machine;

cli_machine cli_machine_default(void);
void cli_machine_release(cli_machine *machine);

#define CLI_FABRIC_OPTIONS(m)                                                                                          \
    {"frame",                                                                                                          \
     '\0',                                                                                                             \
     CLI_TEXT,                                                                                                         \
     &(m).frame,                                                                                                       \
     NULL,                                                                                                             \
     "auto|absolute|relative|rotated",                                                                                 \
     "auto",                                                                                                           \
     0,                                                                                                                \
     0,                                                                                                                \
     NULL,                                                                                                             \
     "how stores number tokens: by origin; on a torus, by origin - node; on a square mesh, turned with the node; "     \
     "auto takes what needs fewer programs"},                                                                          \
        {"store",                                                                                                      \
         '\0',                                                                                                         \
         CLI_TEXT,                                                                                                     \
         &(m).store,                                                                                                   \
         NULL,                                                                                                         \
         "auto|narrow|wide",                                                                                           \
         "auto",                                                                                                       \
         0,                                                                                                            \
         0,                                                                                                            \
         NULL,                                                                                                         \
         "a node's store: narrow, one RAM that its K ports share by turns, F at least 2K; wide, a RAM for each token " \
         "in a "                                                                                                       \
         "cycle, F = W/L; auto takes narrow where W/L is at least 2K"},                                                \
        {"token-bits", '\0', CLI_U32, &(m).options.token_bits, NULL, "W", "32", 1, 4096, "bits", "width of a token"},  \
        {"link-latency",                                                                                               \
         '\0',                                                                                                         \
         CLI_U32,                                                                                                      \
         &(m).options.latency_cycles,                                                                                  \
         NULL,                                                                                                         \
         "C",                                                                                                          \
         "0",                                                                                                          \
         0,                                                                                                            \
         GFAB_MAX_LATENCY,                                                                                             \
         "cycles",                                                                                                     \
         "registers on every link"},                                                                                   \
        {"gap",                                                                                                        \
         '\0',                                                                                                         \
         CLI_U64,                                                                                                      \
         &(m).options.gap_cycles,                                                                                      \
         NULL,                                                                                                         \
         "G",                                                                                                          \
         "0",                                                                                                          \
         0,                                                                                                            \
         (1u << GFAB_MAX_GAP_BITS) - 1,                                                                                \
         "cycles",                                                                                                     \
         "gap after every round: the time it takes to start messages"},                                                \
    {                                                                                                                  \
        "link-bits", '\0', CLI_U32, &(m).options.link_bits, NULL, "L", "2", 1, 1024, "bits",                           \
            "width of a link; divides W"                                                                               \
    }

/* Loads source and compiles it. The widths are checked before anything is solved. */
int cli_machine_build(const char *verb, cli_source *source, cli_machine *machine);
/* "tokens", "round" and "cycles": what generate and simulate print alike. */
void cli_print_timing(FILE *file, const gfab_machine *machine);
json_t *cli_json_timing(const gfab_machine *machine);

/* ---- pieces of one command that have files of their own ---- */

/* show_svg.c: the papers' dot-wire diagrams; line: NULL for all, "row:I" or "column:J".
 * show_svg_rounds.c: a drawing of the network for each round. Paths, cycles, and meshes and tori of two dimensions;
 * CLI_GO_ON or an exit status after an error line. */
int show_svg_dot_wire(const gfab_schedule *schedule, const char *line, const char *path);
int show_svg_rounds(const gfab_schedule *schedule, const char *path);
/* Shape of the topology as rows and columns; CLI_GO_ON, or CLI_USAGE after an error line. */
int show_svg_shape(const gfab_topology *topology, uint32_t *rows, uint32_t *columns);
/* What both start with: size, background, styles, and a title that says what the schedule is. */
void show_svg_begin(FILE *file, const gfab_schedule *schedule, uint32_t width, uint32_t height);
void show_svg_end(FILE *file);

/* simulate_vcd.c: a value change dump of the links, which have one set of wires each or two. create gives NULL when out
 * of memory. */
typedef struct simulate_vcd simulate_vcd;
simulate_vcd *simulate_vcd_create(FILE *file, const gfab_topology *topology, uint32_t link_bits, uint32_t wires);
void simulate_vcd_destroy(simulate_vcd *vcd);
/* One cycle, after the clock edge that began it. */
void simulate_vcd_cycle(simulate_vcd *vcd, const gfab_cmodel *cmodel, uint64_t cycle);

/* cmd_table.c: what its tables share. A figure that does not exist is TABLE_NONE. */
#define TABLE_NONE UINT64_MAX
#define TABLE_MAX_SIDE 64
#define TABLE_SPEC_SIZE 32
/* The largest k of table telephone 4 and 5 where --max-n is not given. */
#define TABLE_TELEPHONE_K 12

typedef struct table_request {
    uint32_t max_n; /* sides 2..max_n, at most TABLE_MAX_SIDE; table telephone: the largest k */
    const char *solver;
    bool mesh, torus, csv, json;
    const char *name;             /* of the table */
    const char *sides, *startups; /* lists "27,81"; NULL: the table's own */
    const char *number;           /* of a paper's table; NULL: none given */
} table_request;

typedef struct table_result {
    uint64_t rounds, bound, milliseconds; /* of solving */
    const gfab_solver *solver;            /* that made the schedule; NULL where rounds is TABLE_NONE */
} table_result;

/* "mesh:4x4" */
void table_spec(gfab_topology_kind kind, uint32_t n, char spec[TABLE_SPEC_SIZE]);
/* Makes and verifies a schedule for n x n; rounds and bound are TABLE_NONE where the solver does not take it. CLI_GO_ON
 * or an exit status after an error line. */
int table_measure(gfab_topology_kind kind, uint32_t n, const char *solver, table_result *result);
/* For the seconds of a table. */
uint64_t table_milliseconds(void);
/* value in text, which is returned, or none. */
const char *table_figure(uint64_t value, char *text, size_t size, const char *none);
void table_json_figure(json_t *object, const char *key, uint64_t value);

/* A run in the telephone model (F1, packets of any size). table_run.c */
typedef struct table_task {
    const char *spec, *solver;
    const char *settings;  /* NULL: the solver's own choice */
    const char *tau;       /* of the linear cost 1 + tau s of a round; NULL: fewest rounds */
    uint32_t effort, seed; /* effort 0: the solver's own */
    bool broadcast;        /* from node 0; else gossip */
} table_task;

typedef struct table_outcome {
    uint64_t nodes, links, rounds;
    uint64_t steps;        /* sum over the rounds of the longest packet's tokens */
    uint64_t milliseconds; /* of solving */
} table_outcome;

/* Runs the solver, and verifies the schedule. CLI_GO_ON or an exit status after an error line. */
int table_run_solver(const table_task *task, table_outcome *outcome);

/* The tables, each in its file; they give the exit status. */
int table_lau_zhang(const table_request *request);
int table_optimal(const table_request *request);
int table_startup(const table_request *request); /* circgo, torgo, cubgo */
int table_telephone(const table_request *request);
/* Its numbers 1 to 4. */
int table_heuristic(const table_request *request);

/* ---- the commands: cmd_<verb>.c ---- */

int cmd_list(int argc, char **argv);
int cmd_bound(int argc, char **argv);
int cmd_advise(int argc, char **argv);
int cmd_schedule(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_table(int argc, char **argv);

#endif
