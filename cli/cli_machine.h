/* SPDX-License-Identifier: MIT */
/* From a schedule to a machine: cli_machine.c. */
#ifndef GOSSIPFAB_CLI_MACHINE_H
#define GOSSIPFAB_CLI_MACHINE_H

#include "cli_source.h"

typedef struct cli_machine {
    gfab_machine_options options;
    const char *operator_text; /* as given, "" if not */
    bool operator_latency_given, token_bits_given, link_bits_given;
    const char *frame, *store, *protect; /* as given: "auto", or the name of a gfab_frame, gfab_store, gfab_protect */
    const char *operator_file;           /* of operator_text "user:FILE" */
    const char *fabric;                  /* the name of what is written; NULL: no folder is */
    cli_source *more;                    /* several collectives in one fabric: those after the first */
    size_t more_count;
    bool fills_rams;       /* programs of narrow nodes fill block RAMs */
    char *names;           /* of all of them, or of their files, each ended by a 0 */
    gfab_topology *split;  /* once it is built, where links have weights: what it is planned for */
    gfab_machine *machine; /* once it is built */
} cli_machine;

cli_machine cli_machine_default(void);
void cli_machine_release(cli_machine *machine);

#define CLI_FABRIC_OPTIONS(m)                                                                                          \
    CLI_OPTION(.name = "token-bits", .kind = CLI_U32, .value = &(m).options.token_bits,                                \
               .given = &(m).token_bits_given, .word = "W", .initial = "32", .least = 1, .most = 4096, .unit = "bits", \
               .help = "width of a token"),                                                                            \
        CLI_OPTION(.name = "link-bits", .kind = CLI_U32, .value = &(m).options.link_bits,                              \
                   .given = &(m).link_bits_given, .word = "L", .initial = "2", .least = 1, .most = 1024,               \
                   .unit = "bits", .help = "width of a link; it divides W"),                                           \
        CLI_OPTION(.name = "store", .kind = CLI_TEXT, .value = &(m).store, .word = "auto|narrow|wide|ring",            \
                   .initial = "auto",                                                                                  \
                   .help = "how a node keeps its tokens; narrow: in one RAM, which its K ports use by turns, for W/L " \
                           "of 2 K or more; wide: in several RAMs, one access each in every cycle; ring: tokens "      \
                           "go along rings, and one counter serves all nodes; auto: narrow where that "                \
                           "is possible, else wide"),                                                                  \
        CLI_OPTION(.name = "operator", .kind = CLI_TEXT, .value = &(m).operator_text, .word = "OP",                    \
                   .initial = "sum, and for what is idempotent",                                                       \
                   .help = "how contributions are combined; sum, and, or, xor, min, max, umin, umax (u: without "      \
                           "sign), or all, with the choice at start, in narrow nodes; in wide nodes also bfloat16 "    \
                           "(sums of bfloat16 numbers), or user:FILE, the module NAME_operator of your Verilog FILE; " \
                           "in streams of a word a cycle sum to umax, bfloat16, float32, saturated (sums, or the "     \
                           "nearest number that there is), or gather (words one behind another)"),                     \
        CLI_OPTION(.name = "operator-latency", .kind = CLI_U32, .value = &(m).options.operator_cycles, .word = "D",    \
                   .initial = "2", .most = GFAB_MAX_OPERATOR_CYCLES, .unit = "cycles",                                 \
                   .given = &(m).operator_latency_given,                                                               \
                   .help = "latency of bfloat16, float32, saturated, or your module"),                                 \
        CLI_OPTION(.name = "link-latency", .kind = CLI_U32, .value = &(m).options.latency_cycles, .word = "C",         \
                   .initial = "0", .most = GFAB_MAX_LATENCY, .unit = "cycles", .help = "registers on every link"),     \
        CLI_OPTION(.name = "gap", .kind = CLI_U64, .value = &(m).options.gap_cycles, .word = "G", .initial = "0",      \
                   .most = (1u << GFAB_MAX_GAP_BITS) - 1,                                                              \
                   .help = "idle cycles after every round; for links that need time to start a message"),              \
        CLI_OPTION(.name = "frame", .kind = CLI_TEXT, .value = &(m).frame, .word = "auto|absolute|relative|rotated",   \
                   .initial = "auto",                                                                                  \
                   .help = "by which number a store finds a token; nodes whose programs are alike then share one "     \
                           "ROM. absolute: the number of the node that it started at; relative, on a torus: how far "  \
                           "away that node is; rotated, on a square mesh: as if the mesh were turned to the node; "    \
                           "auto: what needs the fewest ROMs")

/* A list behind --collective or --schedule: source becomes the first of it, the others are more. Before the source is
 * opened; cli_machine_build does it where it is not done. */
int cli_machine_split(const char *verb, cli_source *source, cli_machine *machine);
/* What program `index` is made of. */
const cli_source *cli_machine_source(const cli_source *source, const cli_machine *machine, size_t index);
/* Loads source, and more, and compiles it. The widths are checked before anything is solved. */
int cli_machine_build(const char *verb, cli_source *source, cli_machine *machine);
/* The operator of its name, GFAB_OPERATOR_NONE without one. CLI_GO_ON, or CLI_USAGE after an error line. */
int cli_machine_operator(const char *verb, cli_machine *machine);
/* The rounds of every program; of several also which it is, and what for. */
void cli_print_programs(FILE *file, const cli_source *source, const cli_machine *machine);
/* Of several programs an entry each. */
void cli_json_programs(json_t *report, const cli_source *source, const cli_machine *machine);
/* "tokens", "round" and "cycles": what generate and simulate print alike. */
void cli_print_timing(FILE *file, const gfab_machine *machine);
json_t *cli_json_timing(const gfab_machine *machine);
/* "gossips": how many one behind the other, and the seeds of their tokens. */
void cli_print_gossips(FILE *file, uint32_t gossips, uint64_t seed);
/* Bits from_bit to from_bit + count - 1 of one text of bits become to_bit .. of another; bit 0 is a byte's lowest. */
void cli_copy_bits(uint8_t *to, size_t to_bit, const uint8_t *from, size_t from_bit, size_t count);

#endif
