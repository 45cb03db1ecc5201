/* SPDX-License-Identifier: MIT */
/* What the generator writes: a self-contained folder for one fabric. */
#ifndef GOSSIPFAB_FABRIC_H
#define GOSSIPFAB_FABRIC_H

#include <gossipfab/gen/board.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gfab_fabric_options {
    const char *directory;    /* to be made; its parent must exist */
    const gfab_board *board;  /* NULL: no board top, no constraints */
    bool uart_host;           /* its top is driven over the serial line, gossipfab/board/host.h; else it tests itself */
    bool force;               /* replace an existing directory that gossipfab generated, but for its build/ */
    bool programs;            /* replace in it what says which programs there are, and nothing else */
    bool block_roms;          /* the programs are in block RAMs, so that they can be replaced in a bitstream */
    const char *solver;       /* for the manifest; "" if unknown */
    uint32_t schedule_rounds; /* for the README, 0 if unknown; programs may have more, one for each token of a packet */
    uint64_t bound_rounds;    /* for the manifest and the README, 0 if unknown */
    uint64_t token_seed;      /* for the bench and the board top */
    const uint32_t *chips;    /* of each node the chip that it is on; NULL: all are on one */
    uint32_t chip_count;      /* 2 or more, each with a node; only with chips */
    const char *dropped;      /* "+drop-link=3-7", what the programs go round; NULL: nothing */
    const bool *alive;        /* of each node, whether it takes part; NULL: all do */
    const gfab_progress *progress; /* INTERRUPTED where it says so, and nothing is written; may be NULL */
} gfab_fabric_options;

/* Writes the folder to a temporary name beside it and renames. Same inputs, same bytes.
 * The machine is checked as gfab_machine_check does. IO with the operating system's reason; INVALID where it has no
 * image, or the directory exists; with force, where it holds a file that is not in its manifest's list; with programs,
 * where it is not the folder of this very hardware. UNSUPPORTED for block_roms that hold fewer words than a RAM block
 * has, of wide nodes, and with paths or gaps, whose ROMs are in LUTs. With chips a top for each, the links between
 * chips through pads: tri-state ones, or full duplex pads for each way. Also INVALID where the fabric is wide, links
 * have a latency below 2, the options name a board, or, half duplex, such a link has fewer than 2 l dead cycles between
 * the one end sending and the other (docs/reference/fabric-timing.md, "Links between chips"). */
gfab_status gfab_fabric_write(const gfab_machine *machine, const gfab_fabric_options *options, gfab_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
