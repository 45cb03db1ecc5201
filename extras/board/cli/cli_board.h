/* SPDX-License-Identifier: MIT */
/* A fabric on a board as its user sees it: nodes, and the tokens or blocks that a program begins and ends with. */
#ifndef GOSSIPFAB_CLI_BOARD_H
#define GOSSIPFAB_CLI_BOARD_H

#include "cli.h"

typedef struct cli_board {
    gfab_host_options options; /* as given */
    const char *folder, *operator_text;
    uint32_t program;

    gfab_host *host;
    gfab_host_shape shape;
    gfab_goal goal;           /* of the program */
    gfab_topology *topology;  /* NULL where no folder says it; then all nodes are members */
    bool counted;             /* slots number what a node holds, or wants, and not blocks */
    bool protected;           /* what nobody wrote is a fault to read */
    gfab_operator op, fabric; /* what combines, in this run; what the fabric has */
    uint64_t cycles;          /* that the program takes; 0 where that is not known */
    uint8_t *slots;           /* room for all that is read from a node */
} cli_board;

cli_board cli_board_default(void);
/* CLI_GO_ON or an exit status after an error line, as all of these. */
int cli_board_open(cli_board *board);
void cli_board_close(cli_board *board);

size_t cli_board_token_bytes(const cli_board *board);
/* Does the node hold the block before the program, or want it after? A relay neither. */
bool cli_board_holds(const cli_board *board, uint32_t node, uint32_t block);
bool cli_board_wants(const cli_board *board, uint32_t node, uint32_t block);
/* Loads zeros where a protected fabric would be read and no program writes: before what is loaded and read. */
int cli_board_fill(cli_board *board);
/* Loads a block that the node holds before the program, bit 0 of byte 0 its lowest bit. */
int cli_board_load(cli_board *board, uint32_t node, uint32_t block, const uint8_t *token);
int cli_board_run(cli_board *board, uint64_t *cycles);
/* Has the fabric noticed a fault by now, of a collective or of what was read? */
int cli_board_check(cli_board *board);
/* Reads what the program leaves the node: blocks[b], token_bytes each, for every block b that it wants. */
int cli_board_read(cli_board *board, uint32_t node, uint8_t *blocks);

#endif
