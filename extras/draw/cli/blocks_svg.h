/* SPDX-License-Identifier: MIT */
/* Rounds over numbers of blocks: rows of gossipfab table collectives, and their picture. */
#ifndef GOSSIPFAB_CLI_BLOCKS_SVG_H
#define GOSSIPFAB_CLI_BLOCKS_SVG_H

#include "cli.h"

typedef struct blocks_row {
    char spec[64]; /* the topology */
    gfab_link_mode link_mode;
    gfab_collective collective;
    uint32_t blocks;
    uint64_t rounds, bound, milliseconds; /* of solving */
    const char *bound_name, *solver;
} blocks_row;

/* A curve for each link mode: rounds / bound over blocks. CLI_GO_ON or an exit status after an error line. */
int blocks_svg(const blocks_row *rows, size_t count, const char *path);

#endif
