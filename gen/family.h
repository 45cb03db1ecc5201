/* SPDX-License-Identifier: MIT */
/* Private to gen/: families of parts. What Yosys, nextpnr and the packer of one are called with is in
 * tb/folder/make/<family>.mk; here is what has to be counted or worked out. */
#ifndef GFAB_FAMILY_H
#define GFAB_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

/* A RAM block's shapes: it holds 2^address_bits words of width bits, or, step by step, twice as many of half as many
 * bits, down to least_width. Yosys puts a memory of up to logic_bits a block into flip-flops instead. */
typedef struct gfab_ram {
    uint32_t address_bits, width, least_width, logic_bits;
} gfab_ram;

/* What the PLL can do, frequencies in kHz. The oscillator runs at clock / divide * multiply, and what is made at that
 * over output; where the output's divider is in the loop, at output times as much. */
typedef struct gfab_pll_limits {
    uint32_t reference_least, reference_most; /* clock / divide, what phases are compared at */
    uint32_t oscillator_least, oscillator_most;
    uint32_t divide_most, multiply_most, output_most;
    bool powers;  /* output is 2, 4, 8 .. */
    bool in_loop; /* the output's divider is */
} gfab_pll_limits;

/* Cells of what gfab_board_count counts, in hundredths: bench/board_figures.py packed --fit works them out. All 0: they
 * are not known. */
typedef struct gfab_cells {
    uint32_t self_test, host; /* board tops without their fabric */
    uint32_t lane_bit;        /* a wire at one end of a link, with its share of the node */
    uint32_t skewed_bit;      /* what it takes more where lanes at the ends of links differ */
    uint32_t combining;       /* what a lane takes more that adds up */
    uint32_t op_bit;          /* of what a ROM gives in a cycle */
    uint32_t rom_bit;         /* of a ROM, up to its last halt */
} gfab_cells;

typedef struct gfab_family {
    const char *name;
    const char *pins; /* what the name of a file of pins ends with */
    gfab_ram ram;
    gfab_cells cells;
    gfab_pll_limits pll; /* divide_most 0: no PLL is made use of */
    bool places;         /* there is an open place and route for it */
    bool replaces_roms;  /* its tools put other ROMs into a finished bitstream */
} gfab_family;

const gfab_family *gfab_family_find(const char *name); /* NULL: none */

/* hz = clock_hz / divide * multiply / output; without the last where the output's divider is in the loop. */
typedef struct gfab_pll {
    uint32_t divide, multiply, output;
} gfab_pll;
/* Settings for exactly hz, of those with an oscillator nearest to the middle of its range; false: there are none. */
bool gfab_pll_find(const gfab_family *family, uint32_t clock_hz, uint32_t hz, gfab_pll *pll);

#endif
