/* SPDX-License-Identifier: MIT */
/* What generate and reroute share beside the machine: cli_fabric.c. */
#ifndef GOSSIPFAB_CLI_FABRIC_H
#define GOSSIPFAB_CLI_FABRIC_H

#include "cli_machine.h"

typedef struct cli_fabric {
    gfab_fabric_options options;
    const char *board, *host, *registers, *on_a_chip, *clocks, *rom, *ports, *axi; /* as given */
    gfab_board *own_board; /* read from the folder that --board names */
    uint32_t *chips;
    uint32_t host_words; /* with --stream, of a beat; */
    char settings[24];   /* the solver's, of which there are several */
    char *hosted;        /* with --stream: the topology, with hosts */
} cli_fabric;

cli_fabric cli_fabric_default(void);
void cli_fabric_release(cli_fabric *fabric);

#define CLI_FOLDER_OPTIONS(f, m)                                                                                       \
    CLI_OPTION(.name = "protect", .kind = CLI_TEXT, .value = &(m).protect, .word = "none|detect", .initial = "none",   \
               .help = "notice flipped bits; detect: of stores, links, programs and the sequencer, by o_error"),       \
        CLI_OPTION(.name = "board", .letter = 'b', .kind = CLI_TEXT, .value = &(f).board, .word = "B",                 \
                   .initial = "none",                                                                                  \
                   .help = "also a top and pins for a board (gossipfab list boards); for one of your own: its "        \
                           "folder, with board.json and pins"),                                                        \
        CLI_OPTION(.name = "name", .kind = CLI_TEXT, .value = &(f).options.name, .word = "NAME",                       \
                   .initial = GFAB_FABRIC_NAME,                                                                        \
                   .help =                                                                                             \
                       "the fabric's module; the names of its files begin with it, too, so that fabrics with names "   \
                       "of their own fit into one design"),                                                            \
        CLI_OPTION(.name = "ports", .kind = CLI_TEXT, .value = &(f).ports, .word = "flat|node|node-tkeep",             \
                   .initial = "flat",                                                                                  \
                   .help = "how ports are grouped; node: also tops with ports of their own for each node "             \
                           "(s00_axis_tvalid ..), tdata padded to bytes; node-tkeep: with tkeep, too"),                \
        CLI_OPTION(.name = "axi", .kind = CLI_TEXT, .value = &(f).axi, .word = "turns|overlap", .initial = "turns",    \
                   .help = "whether the AXI4-Stream top loads during a run; turns: load, run, unload, one after the "  \
                           "other; overlap: a second store in each node, so that all three go on at once"),            \
        CLI_OPTION(.name = "host", .kind = CLI_TEXT, .value = &(f).host, .word = "self-test|uart",                     \
                   .initial = "self-test",                                                                             \
                   .help = "what drives the fabric on a board; self-test: without end; uart: a computer over the "     \
                           "serial line (gossipfab board)"),                                                           \
        CLI_OPTION(.name = "registers", .kind = CLI_TEXT, .value = &(f).registers, .word = "BUS", .initial = "none",   \
                   .help = "also a top with registers on a bus, axi-lite or wishbone; by them a processor on the "     \
                           "chip starts and watches the AXI4-Streams"),                                                \
        CLI_OPTION(.name = "chips", .kind = CLI_TEXT, .value = &(f).on_a_chip, .word = "AxB|N", .initial = "one chip", \
                   .help = "cut the fabric into several chips; AxB: that part of a mesh or torus on each; N: N nodes " \
                           "in their order. Links between chips go through pads, with --link-latency of 2 or more; "   \
                           "half duplex these are tri-state and need a --gap of twice that"),                          \
        CLI_OPTION(.name = "clocks", .kind = CLI_TEXT, .value = &(f).clocks, .word = "one|own", .initial = "one",      \
                   .help = "whether chips share a clock; own: each has an oscillator of its own, within 100 ppm, and " \
                           "one chip starts and resets all; full duplex, with a longer --link-latency"),               \
        CLI_OPTION(.name = "token-seed", .kind = CLI_U64, .value = &(f).options.token_seed, .word = "N",               \
                   .initial = "1", .most = INT64_MAX,                                                                  \
                   .help = "seed of the tokens in the test benches and the board top"),                                \
        CLI_OPTION(.name = "rom-rounds", .kind = CLI_U32, .value = &(m).options.rom_rounds, .word = "N",               \
                   .initial = "the fewest", .least = 2, .most = 1u << 24, .unit = "rounds",                            \
                   .help =                                                                                             \
                       "room in the ROMs for longer programs, in rounds; the halt counts; rounded up to a power of "   \
                       "two. gossipfab reroute needs it after a link died"),                                           \
        CLI_OPTION(.name = "relay-slots", .kind = CLI_U32, .value = &(m).options.relay_slots, .word = "N",             \
                   .initial = "the fewest", .least = 1, .most = INT32_MAX, .unit = "slots",                            \
                   .help =                                                                                             \
                       "room in each relay's store, in blocks; for programs around what died; at most all blocks"),    \
        CLI_OPTION(.name = "rom", .kind = CLI_TEXT, .value = &(f).rom, .word = "logic|block|inline",                   \
                   .initial = "logic",                                                                                 \
                   .help = "where the programs are; logic: in LUTs; block: in block RAMs, which they fill (wide "      \
                           "nodes' with --rom-rounds 256), so that icebram can replace them in a finished bitstream "  \
                           "(gossipfab reroute); inline: in LUTs, and their words in the Verilog, so that no tool "    \
                           "needs a file")

#define CLI_STREAM_OPTIONS(m, f)                                                                                      \
    CLI_OPTION(.name = "stream", .kind = CLI_FLAG, .value = &(m).options.stream,                                      \
               .help =                                                                                                \
                   "vectors of any length, by an AXI4-Stream at every node; for broadcast, reduce and all-reduce, "   \
                   "full duplex; with --store wide, or links of a whole token, a word a cycle, and all-gather, too"), \
        CLI_OPTION(.name = "host-words", .kind = CLI_U32, .value = &(f).host_words, .word = "N", .initial = "1",      \
                   .least = 1, .most = 4,                                                                             \
                   .help = "words in a beat of each stream; with --stream --store wide, for broadcast and reduce: "   \
                           "each word of a beat goes along a tree of its own")
/* What --stream says of all else. Before the source is opened; CLI_GO_ON, or an exit status after an error line. */
int cli_fabric_stream(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric);

/* The library's board of that name, or what a folder has, *own then, to be freed. CLI_GO_ON, or CLI_USAGE after an
 * error line. */
int cli_find_board(const char *verb, const char *name, const gfab_board **board, gfab_board **own);
gfab_board_top cli_fabric_top(const gfab_fabric_options *options);
/* Loads source, compiles it, and checks that it fits the board. */
int cli_fabric_build(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric);

/* The player of what is written: the schedules that the programs were made of. */
typedef struct cli_player {
    gfab_player player;
    const gfab_schedule *schedules[GFAB_MAX_PROGRAMS];
    uint64_t bounds[GFAB_MAX_PROGRAMS];
} cli_player;

/* Adds it to options, which keep pointing into player; leaves them alone where the schedules are too large for it. */
void cli_fabric_add_player(const cli_source *source, const cli_machine *machine, cli_player *player,
                           gfab_fabric_options *options);
/* The same of one that is filled in. */
void cli_fabric_set_player(const gfab_player *player, gfab_fabric_options *options);

/* ---- ring fabrics: commands/generate_ring.c, commands/simulate_ring.c ---- */

/* Opens the source and plans what --store ring is of it; *ring is to be released. CLI_GO_ON, or an exit status. */
int cli_ring_plan(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric,
                  gfab_ring_fabric *ring);
/* generate --store ring: plans, writes and reports a ring fabric. The exit status. */
int cli_ring_generate(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric, bool json);
/* What it is and takes, in lines; or an object with that schema, and the directory unless NULL. */
void cli_ring_print(const gfab_ring_fabric *ring);
json_t *cli_ring_json(const gfab_ring_fabric *ring, const char *schema, const char *directory);

typedef struct cli_ring_play {
    const gfab_ring_fabric *ring;
    uint64_t seed;   /* of the first run's tokens; the next one's is one more */
    uint32_t repeat; /* runs */
    /* what came of it */
    uint32_t gossips;
    uint64_t cycles;                 /* of the last run */
    bool cycles_equal;               /* all took what the plan says */
    uint64_t wrong_cycles;           /* of the first that did not */
    uint64_t all, wrong;             /* tokens in nodes, or totals */
    uint32_t wrong_node, wrong_item; /* of the first */
} cli_ring_play;
/* Plays the C model. What is wrong is counted, and no error: NO_MEMORY; INTERRUPTED. */
gfab_status cli_ring_play_runs(cli_ring_play *play, const gfab_progress *progress, gfab_diag *diag);
/* simulate --store ring; of play seed and repeat are given. The exit status. */
int cli_ring_simulate(cli_source *source, cli_machine *machine, cli_fabric *fabric, cli_ring_play *play, bool json);

/* What a run of a ring fabric of the same wires would take, where it does the same; else 0. CLI_GO_ON, or an exit
 * status after an error line. */
int cli_ring_beside(const char *verb, const cli_source *source, const cli_machine *machine, uint64_t *cycles);

/* Writes the folder, or nothing. CLI_GO_ON or an exit status, after an error line. */
int cli_fabric_write(const char *verb, const gfab_machine *machine, gfab_fabric_options *options);

/* ---- what boards hold: commands/cli_boards.c ---- */

enum { CLI_BOARD_MESH, CLI_BOARD_TORUS, CLI_BOARD_KINDS, CLI_BOARD_WIDTHS = 3, CLI_BOARD_MOST = 32 };
extern const uint32_t cli_board_widths[CLI_BOARD_WIDTHS]; /* of links */
typedef struct cli_board_size {
    uint32_t rows, columns; /* 0: not even 2x2 */
} cli_board_size;
/* The largest that plays all-gather of 32-bit tokens: with a self-test and with a host port, by kind and width. */
typedef struct cli_board_largest {
    cli_board_size size[2][CLI_BOARD_KINDS][CLI_BOARD_WIDTHS];
    bool by_ram_alone; /* cells are not known of its family */
} cli_board_largest;
/* Of every board, in their order. NO_MEMORY; INTERRUPTED. */
gfab_status cli_boards_survey(cli_board_largest largest[CLI_BOARD_MOST], gfab_diag *diag);

#endif
