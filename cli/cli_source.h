/* SPDX-License-Identifier: MIT */
/* Where a command takes its schedule from, what is said of it, and what goes with it: broadcasts, records, proofs. */
#ifndef GOSSIPFAB_CLI_SOURCE_H
#define GOSSIPFAB_CLI_SOURCE_H

#include "cli.h"

/* ---- sources of schedules: cli_source.c ---- */

typedef struct cli_source {
    const char *topology_spec;
    char *file_spec; /* that, where it is a file without "file:"; else NULL */
    const char *solver_name;
    const char *schedule_path; /* "-" for stdin */
    cli_input input;           /* that, once it is open */
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
    gfab_goal goal;  /* once the topology is open, with goal_given */
    bool goal_given; /* --collective other than all-gather, or --blocks */
    bool one_way;    /* half duplex, no link ever turns round */
    const char *collective_text;
    uint32_t blocks, root;
    const char *root_name;                                 /* NULL: root is its rank */
    bool blocks_given, any_blocks, root_given, idempotent; /* any_blocks: --blocks any */
    gfab_model model;
    bool link_mode_given, port_mode_given, packet_tokens_given, hop_rounds_given, routing_given;
    bool solver_given, seed_given, recognise_given;
    const char *recognise_text;
    bool one_bracket;
    const char *bracket_text; /* a name, or a file */
    char *bracket_settings;   /* the solver's own, made of that */

    gfab_topology *topology;
    gfab_recognition recognition; /* once something is solved */
    const gfab_likeness *like;    /* what the schedule was made for; NULL: the topology as it is numbered */
    gfab_schedule *schedule;
    gfab_bound bound;
    gfab_verify_report report;
    uint64_t promised;          /* rounds, by the closed formula of the schedule's solver; 0 where it has none here */
    gfab_ratio cost;            /* with linear: at startup */
    gfab_cost_bound cost_bound; /* likewise; no name where nodes do not start with one token each */
    gfab_ratio rate, best_rate; /* rounds a block, of a schedule that repeats; 0: it does not, or no bound is known */
} cli_source;

cli_source cli_source_default(void);
void cli_source_release(cli_source *source);

#define CLI_TOPOLOGY_OPTION(s)                                                                                \
    CLI_OPTION(.name = "topology", .letter = 't', .kind = CLI_TEXT, .value = &(s).topology_spec, .word = "T", \
               .help = "the graph, such as mesh:4x4 or own.dot; T alone is enough (see: gossipfab list topologies)")
#define CLI_RECOGNISE_OPTION(s)                                                                                       \
    CLI_OPTION(.name = "recognise", .kind = CLI_TEXT, .value = &(s).recognise_text, .given = &(s).recognise_given,    \
               .word = "yes|no", .initial = "yes",                                                                    \
               .help = "look whether your graph is a torus, a hypercube .. whose nodes have other numbers; then the " \
                       "schedule is made for that, which is shorter or found faster")
#define CLI_SOLVER_OPTIONS(s)                                                                                        \
    CLI_OPTION(.name = "solver", .letter = 's', .kind = CLI_TEXT, .value = &(s).solver_name,                         \
               .given = &(s).solver_given, .word = "S", .initial = "auto",                                           \
               .help = "what makes the schedule (see: gossipfab list solvers)"),                                     \
        CLI_OPTION(.name = "solver-seed", .kind = CLI_U64, .value = &(s).solver_seed, .given = &(s).seed_given,      \
                   .word = "N", .initial = "1", .most = INT64_MAX, .help = "seed of solvers that choose at random"), \
        CLI_OPTION(.name = "solver-options", .kind = CLI_TEXT, .value = &(s).parameters, .word = "K=V,...",          \
                   .help = "the solver's own settings"),                                                             \
        CLI_OPTION(.name = "startup", .kind = CLI_RATIO, .value = &(s).startup, .given = &(s).linear, .word = "R",   \
                   .help = "make the cost small, not the rounds; a round with s tokens in its longest packet costs " \
                           "R + s"),                                                                                 \
        CLI_OPTION(.name = "one-bracket", .kind = CLI_FLAG, .value = &(s).one_bracket,                               \
                   .help = "add up every block in the same order, so that sums have the same bits"),                 \
        CLI_OPTION(.name = "bracket", .kind = CLI_TEXT, .value = &(s).bracket_text, .word = "B",                     \
                   .help = "add up in this order: binary, linear, or FILE's, such as ((n0+n1)+n2)"),                 \
        CLI_RECOGNISE_OPTION(s)
/* What each node starts with. */
#define CLI_LOAD_OPTIONS(s)                                                                                          \
    CLI_OPTION(.name = "broadcast-from", .kind = CLI_TEXT, .value = &(s).broadcast_text, .given = &(s).broadcast,    \
               .word = "V",                                                                                          \
               .help = "only node V has a token; worst: the node from where it takes longest; all: from each node, " \
                       "and a summary"),                                                                             \
        CLI_OPTION(.name = "load", .kind = CLI_TEXT, .value = &(s).load_text, .word = "H0,H1,...",                   \
                   .initial = "1 each", .help = "tokens that each node starts with")
/* What the schedule is for. */
#define CLI_GOAL_OPTIONS(s)                                                                                       \
    CLI_OPTION(.name = "collective", .letter = 'c', .kind = CLI_TEXT, .value = &(s).collective_text, .word = "C", \
               .initial = "all-gather",                                                                           \
               .help = "what the nodes do together, such as all-reduce; one of all-gather, reduce-scatter, "      \
                       "all-reduce, broadcast, reduce, barrier and all-to-all. generate and simulate also take "  \
                       "several, in one fabric, with their blocks: all-gather:32,all-reduce:1"),                  \
        CLI_OPTION(.name = "blocks", .kind = CLI_U32, .value = &(s).blocks, .given = &(s).blocks_given,           \
                   .word = "B|any", .initial = "what the collective needs", .least = 1, .most = INT32_MAX,        \
                   .unit = "blocks", .any = &(s).any_blocks,                                                      \
                   .help = "blocks of the vector; any: a schedule that repeats, for vectors of any length"),      \
        CLI_OPTION(.name = "root", .kind = CLI_U32, .value = &(s).root, .given = &(s).root_given,                 \
                   .node = &(s).root_name, .word = "V", .initial = "0", .most = GFAB_MAX_NODES,                   \
                   .help = "root of a broadcast or a reduce: a rank or a name"),                                  \
        CLI_OPTION(.name = "idempotent", .kind = CLI_FLAG, .value = &(s).idempotent,                              \
                   .help = "a contribution may count more than once; for and, or, min, max: often fewer rounds")
/* How hard solvers that search try, and for what. */
#define CLI_SEARCH_OPTIONS(s)                                                                                       \
    CLI_OPTION(.name = "effort", .kind = CLI_U32, .value = &(s).effort, .word = "N", .initial = "the solver's own", \
               .least = 1, .most = 1000000, .unit = "tries",                                                        \
               .help = "tries of a solver that searches, at each number of rounds"),                                \
        CLI_OPTION(.name = "rounds", .kind = CLI_U32, .value = &(s).rounds, .word = "R",                            \
                   .initial = "as few as it finds", .least = 1, .most = GFAB_MAX_ROUNDS, .unit = "rounds",          \
                   .help = "a schedule of at most R rounds, or none")
#define CLI_SCHEDULE_OPTION(s)                                                                    \
    CLI_OPTION(.name = "schedule", .kind = CLI_TEXT, .value = &(s).schedule_path, .word = "FILE", \
               .help =                                                                            \
                   "a schedule that is there, in place of a topology; FILE.gfs alone is enough; - is standard input")
#define CLI_MODEL_OPTIONS(s)                                                                                           \
    CLI_OPTION(.name = "link-mode", .kind = CLI_LINK_MODE, .value = &(s).model.link_mode,                              \
               .given = &(s).link_mode_given, .word = "half|full", .initial = "half",                                  \
               .help = "whether links carry packets both ways in a round; half: one packet, one way or the other; "    \
                       "full: one each way"),                                                                          \
        CLI_OPTION(.name = "port-mode", .kind = CLI_PORT_MODE, .value = &(s).model.port_mode,                          \
                   .given = &(s).port_mode_given, .word = "all|one", .initial = "all",                                 \
                   .help = "a node uses all its links in a round, or one of them"),                                    \
        CLI_OPTION(.name = "packet-tokens", .kind = CLI_U32, .value = &(s).model.packet_tokens,                        \
                   .given = &(s).packet_tokens_given, .word = "P", .initial = "1", .least = 1, .most = GFAB_MAX_NODES, \
                   .unit = "tokens", .help = "most tokens in a packet"),                                               \
        CLI_OPTION(.name = "routing", .kind = CLI_ROUTING, .value = &(s).model.routing, .given = &(s).routing_given,   \
                   .word = "R", .initial = "store-and-forward",                                                        \
                   .help = "store-and-forward: a packet crosses one link in a round; circuit: a path"),                \
        CLI_OPTION(.name = "hop-rounds", .kind = CLI_U32, .value = &(s).model.hop_rounds,                              \
                   .given = &(s).hop_rounds_given, .word = "LAMBDA", .initial = "1", .least = 1, .most = 1000000,      \
                   .unit = "rounds",                                                                                   \
                   .help =                                                                                             \
                       "rounds from a token's arrival in a node to its leaving; 1: it may leave in the next round")
#define CLI_JSON_OPTION(flag) \
    CLI_OPTION(.name = "json", .kind = CLI_FLAG, .value = &(flag), .help = "the report as JSON, with a schema field")

/* The steps, in this order; each gives CLI_GO_ON or an exit status after an error line.
 * input: opens what --schedule names, for what may not be a schedule.
 * open: the topology, from --topology or, with the schedule, from --schedule. */
int cli_source_input(const char *verb, cli_source *source);
int cli_source_open(const char *verb, cli_source *source);
/* A topology alone. */
int cli_source_open_topology(const char *verb, cli_source *source);
/* The format of a name; NULL after an error line. */
const gfab_format *cli_format_find(const char *verb, const char *option, const char *name);
/* A folder of Chakra's traces, cli_chakra.c: is it one; its schedule; a new one, with messages of so many bytes. */
bool cli_chakra_is_folder(const char *path);
int cli_chakra_read(const char *verb, const char *path, gfab_topology **topology, gfab_schedule **schedule);
int cli_chakra_write(const cli_source *source, const char *path, uint64_t block_bytes);
/* Where PREFIX.0.et is there: checks traces that may be another tool's, of a vector of so many bytes, or 0, and prints
 * what was found. CLI_GO_ON where it is not, else the exit status. */
int cli_chakra_verify(const char *verb, const cli_source *source, uint64_t bytes, bool json);
/* Says that option names no solver, and which one is meant: the successor of a name of earlier versions, or a similar
 * one. Returns the exit status. */
int cli_unknown_solver(const char *verb, const char *option, const char *name);
/* Rounds of a broadcast from each node, and a node with most; *rounds is to be freed. The topology is open. */
int cli_source_survey(const char *verb, cli_source *source, uint32_t **rounds, uint32_t *worst);
/* What the open topology is, unless --recognise is no. */
int cli_source_recognise(const char *verb, cli_source *source);
/* The schedule, where open has not read it. */
int cli_source_solve(const char *verb, cli_source *source);
/* The lower bound, the verifier's report, and what the schedule's solver promises. */
int cli_source_judge(const char *verb, cli_source *source);
/* All three; a faulty schedule gives an error line and CLI_FAULTY. */
int cli_source_load(const char *verb, cli_source *source);
/* For what goes through all packets: a line and CLI_USAGE where a schedule kept as one tree has too many of them. */
int cli_source_check_listed(const char *verb, const cli_source *source);
int cli_source_fault(const char *verb, const cli_source *source);

/* The solver that made the schedule: NULL where it is unknown. Borrowed. */
const gfab_solver *cli_source_solver(const cli_source *source);
/* True where that solver, run just now, has ruled fewer rounds out. */
bool cli_source_exact(const cli_source *source);
/* Uses in a thousand of what the links could carry in the schedule's rounds. */
uint32_t cli_source_link_use_permille(const cli_source *source);

/* The node of this name, for an option. CLI_GO_ON or an exit status. */
int cli_find_node(const char *verb, const char *option, const gfab_topology *topology, const char *text,
                  uint32_t *node);
/* Its name, or else its number. */
typedef struct cli_node_text {
    char text[256];
} cli_node_text;
cli_node_text cli_node(const gfab_topology *topology, uint32_t node);
void cli_print_topology(FILE *file, const gfab_topology *topology);
/* What the source's topology was recognised as, if it was. */
void cli_print_recognised(FILE *file, const cli_source *source);
void cli_print_model(FILE *file, const gfab_model *model);
/* rounds, lower bound, distance to it; where the schedule repeats, its rate beside the best. */
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
/* With so many decimal places, rounded. */
cli_ratio_text cli_decimal(gfab_ratio ratio, unsigned places);
/* transfers / parts in lowest terms. */
gfab_ratio cli_transfers(uint64_t transfers, uint32_t parts);
/* What the schedule costs, as it was verified: longest packets, or where links are shared the busiest of them. */
gfab_cost cli_cost(const cli_source *source);
/* With --startup: cost, lower bound, how far above. */
void cli_print_cost(FILE *file, const cli_source *source);
/* Sets topology, model, solver, rounds, bound and use: what every report on a schedule starts with. */
void cli_json_schedule(json_t *object, const cli_source *source);

/* ---- what the schedule is for: cli_goal.c ---- */

/* The options as source->goal; the topology is open. */
int cli_goal_read(const char *verb, cli_source *source);
/* A schedule from a .gfs file says its own goal: options may repeat it, not change it, but for the blocks of a schedule
 * that repeats, which it then gets. */
int cli_goal_check(const char *verb, const cli_source *source, const char *name);
/* What a good schedule brings about, as a clause. Static. */
const char *cli_goal_result(const gfab_goal *goal, const gfab_topology *topology);
/* ", root R" where the collective has one: by its name, else by its rank, with the node's number where that is another.
 */
void cli_goal_print_root(FILE *file, const gfab_goal *goal, const gfab_topology *topology);
/* A line for what is not an all-gather of one block a node, and one for how it repeats. */
void cli_goal_print(FILE *file, const gfab_schedule *schedule);
json_t *cli_goal_json(const gfab_goal *goal);
/* Of a repeating schedule: its rounds for n whole groups, "9 n + 22". */
typedef struct cli_formula {
    char text[48];
} cli_formula;
cli_formula cli_repeat_formula(const gfab_schedule *schedule);
json_t *cli_repeat_json(const gfab_schedule *schedule);

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
    bool asked, translations;
    const char *proof_path, *cnf_path;
    bool needed;     /* the schedule is above its bound, so that there was something to ask */
    uint32_t rounds; /* what was asked last */
    gfab_prove_report report;
    cli_output proof, cnf;
} cli_prove;

#define CLI_PROVE_OPTIONS(p)                                                                                  \
    CLI_OPTION(.name = "prove", .kind = CLI_FLAG, .value = &(p).asked,                                        \
               .help = "show by SAT that one round less is impossible, or find a better schedule; for small " \
                       "graphs, up to --effort (1) million conflicts"),                                       \
        CLI_OPTION(.name = "translations", .kind = CLI_FLAG, .value = &(p).translations,                      \
                   .help = "with --prove, on tori: ask for schedules alone in which all nodes do the same"),  \
        CLI_OPTION(.name = "proof", .kind = CLI_TEXT, .value = &(p).proof_path, .word = "FILE",               \
                   .help = "with --prove: "                                                                   \
                           "the proof, as DRAT"),                                                             \
        CLI_OPTION(.name = "cnf", .kind = CLI_TEXT, .value = &(p).cnf_path, .word = "FILE",                   \
                   .help = "with --prove: the formula that the proof refutes, as DIMACS")

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

#endif
