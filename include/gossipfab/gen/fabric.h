/* SPDX-License-Identifier: MIT */
/* What the generator writes: a self-contained folder for one fabric. */
#ifndef GOSSIPFAB_FABRIC_H
#define GOSSIPFAB_FABRIC_H

#include <gossipfab/fabric/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gfab_board {
    const char *name;    /* "hx8k" */
    const char *summary; /* "Lattice iCE40-HX8K breakout board" */
    const char *part;    /* "ice40hx8k-ct256" */
    uint32_t clock_hz;
    uint64_t memory_bits; /* RAM and flip-flops together */
} gfab_board;

/* Boards in order; NULL past the end. Static. */
const gfab_board *gfab_board_at(size_t index);
const gfab_board *gfab_board_find(const char *name);

typedef struct gfab_fabric_options {
    const char *directory;    /* to be made; its parent must exist */
    const gfab_board *board;  /* NULL: no board top, no constraints */
    bool force;               /* replace an existing directory that gossipfab generated */
    const char *solver;       /* for the manifest; "" if unknown */
    uint32_t schedule_rounds; /* for the README, 0 if unknown; programs may have more, one for each token of a packet */
    uint64_t bound_rounds;    /* for the manifest and the README, 0 if unknown */
    uint64_t token_seed;      /* for the bench and the board top */
    const uint32_t *chips;    /* of each node the chip that it is on; NULL: all are on one */
    uint32_t chip_count;      /* 2 or more, each with a node; only with chips */
    const gfab_progress *progress; /* INTERRUPTED where it says so, and nothing is written; may be NULL */
} gfab_fabric_options;

/* Writes the folder to a temporary name beside it and renames. Same inputs, same bytes.
 * The machine is checked as gfab_machine_check does. IO with the operating system's reason; INVALID where it has no
 * image, or the directory exists. With chips a top for each, the links between chips through pads: tri-state ones, or
 * full duplex pads for each way. Also INVALID where the fabric is wide, links have a latency below 2, the options name
 * a board, or, half duplex, such a link has fewer than 2 l dead cycles between the one end sending and the other
 * (docs/reference/fabric-timing.md, "Links between chips"). */
gfab_status gfab_fabric_write(const gfab_machine *machine, const gfab_fabric_options *options, gfab_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
