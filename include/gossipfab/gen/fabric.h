/* SPDX-License-Identifier: MIT */
/* What the generator writes: a self-contained folder for one fabric. */
#ifndef GOSSIPFAB_FABRIC_H
#define GOSSIPFAB_FABRIC_H

#include <gossipfab/gen/board.h>
#include <gossipfab/gen/registers.h>
#include <stdio.h>

GFAB_C_BEGIN

/* What chips with clocks of their own take: docs/reference/own-clocks.md. Cycles are those of a chip's own clock. */
typedef struct gfab_chip_clocks {
    uint32_t cables;       /* pairs of chips that links join; all of them go in one cable */
    uint32_t hops;         /* from chip 0 to the farthest, over cables between chips */
    uint32_t entries;      /* flits of the buffer at the end of a cable */
    uint32_t tail_cycles;  /* behind a gossip, in which chips may still hear of a fault */
    uint32_t rest_cycles;  /* of chip 0 behind these, until all chips are ready for the next start */
    uint32_t slack_cycles; /* of chip 0, from the end of its gossip to o_done */
    uint64_t cycles;       /* of chip 0, from the edge that samples i_start to the one that samples o_done = 1 */
} gfab_chip_clocks;

/* For a machine that is cut into chips, chips[node] < chip_count; chip 0 starts. Where parents is not NULL, it gets of
 * each chip which neighbour its reset comes from, of chip 0 itself. UNSUPPORTED unless nodes are narrow and links full
 * duplex; INVALID where the links' latency is too short, or a chip cannot be reached; LIMIT where clocks drift so far
 * apart in a gossip that no latency is enough; NO_MEMORY. */
gfab_status gfab_chip_clocks_compute(const gfab_machine *machine, const uint32_t *chips, uint32_t chip_count,
                                     gfab_chip_clocks *clocks, uint32_t *parents, gfab_diag *diag);

#define GFAB_FABRIC_NAME "gossip_fabric" /* the fabric's module, unless it is given a name */
#define GFAB_FABRIC_NAME_MAX 40          /* characters */

/* Can a fabric be called so? INVALID unless it is an identifier of Verilog, of at most GFAB_FABRIC_NAME_MAX characters,
 * without two _ in a row or one at the end, no name of a module that every fabric has, and no word that Verilog,
 * SystemVerilog, VHDL, C++, Verilator or Windows keeps for itself. */
gfab_status gfab_fabric_check_name(const char *name, gfab_diag *diag);

/* Tops beside those whose ports are vectors over all nodes. */
typedef enum gfab_ports {
    GFAB_PORTS_FLAT,      /* none */
    GFAB_PORTS_NODE,      /* with ports of their own for each node: <name>_nodes, <name>_axis_nodes */
    GFAB_PORTS_NODE_TKEEP /* and with tkeep */
} gfab_ports;

typedef struct gfab_fabric_options {
    const char *directory; /* to be made; its parent must exist */
    const char *name;      /* of its module, and what the names of its files begin with; NULL: GFAB_FABRIC_NAME */
    gfab_ports ports;
    const char *operator_file; /* with operator USER: Verilog that has the module <name>_operator; else NULL */
    bool overlap;              /* <name>_axis gives a gossip's tokens while the next is loaded and played */
    const gfab_board *board;   /* NULL: no board top, no constraints */
    bool uart_host;     /* its top is driven over the serial line, gossipfab/board/host.h; else it tests itself */
    gfab_bus registers; /* of a top with registers beside its AXI4-Streams; NONE: no such top */
    bool force;         /* replace an existing directory that gossipfab generated, but for its build/ */
    bool programs;      /* replace in it what says which programs there are, and nothing else */
    bool block_roms;    /* the programs are in block RAMs, so that they can be replaced in a bitstream */
    bool inline_roms;   /* the programs are in the Verilog itself, so that there is no file to find; not with block */
    const char *solver; /* for the manifest; "" if unknown */
    uint32_t schedule_rounds; /* for the README, 0 if unknown; programs may have more, one for each token of a packet */
    uint64_t bound_rounds;    /* for the manifest and the README, 0 if unknown */
    uint64_t token_seed;      /* for the bench and the board top */
    const uint32_t *chips;    /* of each node the chip that it is on; NULL: all are on one */
    uint32_t chip_count;      /* 2 or more, each with a node; only with chips */
    bool own_clocks;          /* each chip has a clock of its own; only with chips */
    const char *dropped;      /* "+drop-link=3-7", what the programs go round; NULL: nothing */
    const bool *alive;        /* of each node, whether it takes part; NULL: all do */
    /* Writes player.html, which shows the programs in a browser (gossipfab/draw/player.h); NULL: there is none. */
    gfab_status (*write_player)(const void *player, FILE *file, gfab_diag *diag);
    const void *player;            /* for write_player */
    const gfab_progress *progress; /* INTERRUPTED where it says so, and nothing is written; may be NULL */
} gfab_fabric_options;

/* Flat ports, no board, all on one chip, token seed 1; directory is to be set. */
gfab_fabric_options gfab_fabric_options_default(void);

/* Sets an option by the words of the command gossipfab: "axi" is turns or overlap; "clocks" one or own; "host"
 * self-test or uart; "ports" flat, node or node-tkeep; "registers" none, axi-lite or wishbone; "rom" logic, block
 * or inline.
 * INVALID, with the words that there are, for another one, and for another option. */
gfab_status gfab_fabric_choose(gfab_fabric_options *options, const char *option, const char *word, gfab_diag *diag);

/* Writes the folder to a temporary name beside it and renames. Same inputs, same bytes. The machine is checked as
 * gfab_machine_check does. IO with the operating system's reason; INVALID where machine, options or their directory is
 * NULL, the machine has no image, gfab_fabric_check_name says so of name, operator_file is missing, not wanted, without
 * its module or with one called as gossipfab's are, or the directory exists; with force, where it holds a file that its
 * manifest does not list or that is not as it was written; with programs, where it is not the folder of this very
 * hardware, or the programs are not as written. UNSUPPORTED for block_roms that hold fewer words than a RAM block has,
 * of wide nodes, and with paths or gaps, whose ROMs are in LUTs. With chips a top for each, the links between chips
 * through pads: tri-state ones, or full duplex pads for each way. Also INVALID where the fabric is wide, links have a
 * latency below 2, the options name a board, or, half duplex, such a link has fewer than 2 l dead cycles between the
 * one end sending and the other (docs/reference/fabric-timing.md, "Links between chips"). With own_clocks the errors of
 * gfab_chip_clocks_compute, too. */
gfab_status gfab_fabric_write(const gfab_machine *machine, const gfab_fabric_options *options, gfab_diag *diag);

GFAB_C_END
#endif
