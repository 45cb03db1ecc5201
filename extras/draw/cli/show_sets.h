/* SPDX-License-Identifier: MIT */
/* What nodes have, round by round: of a block the contributions that are in it. Where nothing is combined there is one
 * of a block, which is there or not. */
#ifndef GOSSIPFAB_CLI_SHOW_SETS_H
#define GOSSIPFAB_CLI_SHOW_SETS_H

#include "cli.h"

typedef struct show_sets {
    const gfab_schedule *schedule;
    gfab_goal goal;
    bool combines;
    uint32_t full;          /* contributions of a total */
    size_t nodes, words;    /* words of a set */
    uint64_t *now, *before; /* [(node * blocks + block) * words] */
} show_sets;

/* Before the first round. CLI_GO_ON, or an exit status after an error line. Released in any case. */
int show_sets_begin(show_sets *sets, const gfab_schedule *schedule);
void show_sets_release(show_sets *sets);
/* The packets of a round; the rounds before it have been played. */
void show_sets_play(show_sets *sets, uint32_t round);
/* How many contributions the node has of the block. */
uint32_t show_sets_amount(const show_sets *sets, uint32_t node, uint32_t block);

#endif
