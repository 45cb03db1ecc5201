/* SPDX-License-Identifier: MIT */
/* Boards that a fabric can be generated for, and how much of it fits them. */
#ifndef GOSSIPFAB_BOARD_H
#define GOSSIPFAB_BOARD_H

#include <gossipfab/fabric/machine.h>

GFAB_C_BEGIN

/* A board is a folder constraints/<name>/: its board.json, which says what is here, and its pins. Those of the sources
 * become part of the library when that is built; docs/guide/adding-a-board.md has the meaning of each. */
typedef struct gfab_board {
    const char *name;     /* of its folder: "hx8k" */
    const char *summary;  /* "Lattice iCE40-HX8K breakout board" */
    const char *family;   /* "ice40", "ecp5", "gowin" or "xc7": what synthesises, places and packs for it */
    const char *part;     /* "ice40hx8k-ct256" */
    const char *device;   /* as place and route calls the die: "hx8k" */
    const char *package;  /* "ct256" */
    uint32_t clock_hz;    /* of the oscillator */
    uint32_t fabric_hz;   /* of the fabric; where it is another, a PLL makes exactly this one */
    uint32_t logic_cells; /* each with a LUT */
    uint32_t ram_blocks;
    uint32_t leds;                        /* up to 8: the first so many of the board top's */
    bool leds_active_low;                 /* an LED is on where its pin is 0 */
    uint32_t baud;                        /* of the serial port, in bits a second */
    const char *fusesoc, *openfpgaloader; /* what these call the board */
    const char *pins; /* the text of its file of pins; NULL: the library has it, of a board of its own */
} gfab_board;

/* Boards in the order of their names; NULL past the end, or where there is no such one. Static. */
const gfab_board *gfab_board_at(size_t index);
const gfab_board *gfab_board_find(const char *name);

/* A board of the caller's: a folder such as those of constraints/, whose name is the board's. *board is to be freed by
 * gfab_board_free after the fabric; NULL after an error. IO: a file is missing or cannot be read; PARSE, INVALID,
 * LIMIT, UNSUPPORTED (a clock that no PLL makes), with a message that does not name the folder; NO_MEMORY. */
gfab_status gfab_board_read(const char *folder, gfab_board **board, gfab_diag *diag);
void gfab_board_free(gfab_board *board); /* may be NULL */

/* What a fabric takes on a board. Its memories as Yosys maps them: stores in RAM blocks, or in flip-flops where they
 * are tiny; program ROMs in RAM blocks, or else in LUTs. Cells (a LUT, or a flip-flop alone in one's place) are an
 * estimate, the board top's included, for narrow half-duplex nodes without latency, gaps, paths, protection and parts,
 * that combine nothing but sums: at most GFAB_CELLS_PERCENT from what nextpnr packs. Of others they are 0. */
typedef struct gfab_board_use {
    uint64_t store_blocks, rom_blocks; /* of RAM */
    uint64_t flip_flops;               /* of stores */
    uint64_t cells;
} gfab_board_use;
#define GFAB_CELLS_PERCENT 10u
#define GFAB_RAM_WORDS 256u /* of the iCE40's RAM block at its widest; a ROM in RAM blocks holds a multiple of them */

/* How it is put on a board. */
typedef struct gfab_board_top {
    const gfab_board *board; /* NULL: the HX8K's memories, and no cells */
    bool block_roms;         /* the programs are in block RAMs */
    bool uart_host;          /* driven over the serial line; else it tests itself */
} gfab_board_top;
gfab_board_use gfab_board_count(const gfab_machine *machine, const gfab_board_top *top);
/* Does a board with so many cells and RAM blocks hold it? Cells count as `percent` of the estimate. */
bool gfab_board_holds(const gfab_board *board, const gfab_board_use *use, uint32_t percent);
/* The widest link, narrower than the machine's, over which nodes have one RAM each that fits, with all others', in the
 * board's RAM blocks: *blocks of them. 0: there is none. */
uint32_t gfab_board_narrower(const gfab_machine *machine, const gfab_board_top *top, uint64_t *blocks);
/* The most nodes that fit, with stores for the tokens of as many, and as many banks, as many cells each and as large
 * ROMs as the machine's. */
uint64_t gfab_board_fit(const gfab_machine *machine, const gfab_board_top *top);

GFAB_C_END
#endif
