/* SPDX-License-Identifier: MIT */
/* Which fabric for a collective among N nodes on one chip, where links are free: advise --chip, generate --nodes. */
#ifndef GOSSIPFAB_CLI_CHIP_H
#define GOSSIPFAB_CLI_CHIP_H

#include "cli_machine.h"

enum { CLI_CHIP_ROWS = 7, CLI_CHIP_LEAST = 3, CLI_CHIP_MOST = 256, CLI_CHIP_MOST_BITS = 256 };

#define CLI_CHIP_PART "hx8k" /* on which nodes were measured */

/* A fabric that does it. Cycles are exact; figures a node are measured, or those of the nearest that were. */
typedef struct cli_chip_row {
    const char *name;
    char topology[100]; /* "" of what is written by hand */
    bool ring, full_duplex;
    uint32_t link_bits;
    uint64_t load_cycles, run_cycles, read_cycles;
    uint32_t rams;      /* a node */
    double luts, cells; /* a node: SB_LUT4, logic cells */
    double mhz;
    double ns[3], total; /* load, run and read, one after the other */
    bool measured;       /* this very one */
    bool fits;           /* all nodes into the part */
} cli_chip_row;

/* Ranked: what fits first, then by the least of ns in all, then of LUTs. */
typedef struct cli_chip {
    uint32_t nodes, token_bits;
    gfab_collective collective;
    const char *part; /* a board's name */
    cli_chip_row rows[CLI_CHIP_ROWS];
    size_t count;
} cli_chip;

/* nodes, token_bits, collective and part are given. CLI_GO_ON, or an exit status after an error line. */
int cli_chip_rank(const char *verb, cli_chip *chip);
/* generate's options of a row; "" of what is written by hand. */
typedef struct cli_chip_text {
    char text[240];
} cli_chip_text;
cli_chip_text cli_chip_options(const cli_chip *chip, const cli_chip_row *row);
/* generate --nodes: what the first row that can be generated says, to source and machine, which borrow *chip. */
int cli_chip_choose(const char *verb, cli_chip *chip, cli_source *source, cli_machine *machine);

#endif
