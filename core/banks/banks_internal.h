/* SPDX-License-Identifier: MIT */
/* Private: how wide programs are kept. */
#ifndef GOSSIPFAB_BANKS_INTERNAL_H
#define GOSSIPFAB_BANKS_INTERNAL_H

#include <gossipfab/base/arena.h>
#include <gossipfab/fabric/banks.h>

#include "base/bits.h"
#include "base/word_array.h"

struct gfab_banks {
    gfab_arena arena; /* what has no word_array */
    const gfab_layout *layout;
    gfab_crossbar crossbar;
    uint32_t round_bits;
    size_t nodes;
    gfab_banks_use use; /* one program, and round bits, where the layout has no blocks */
    uint32_t halts[GFAB_MAX_PROGRAMS];
    uint32_t *gaps;     /* behind each round, from 0 */
    uint32_t loads;     /* entries of a node's table; 0 where it has none */
    uint32_t places;    /* likewise */
    word_array reads;   /* (round * nodes + node) * banks + bank, rounds from 0 */
    uint8_t *sends;     /* (round * nodes + node) * lanes + lane: bank + 1, or 0 */
    word_array stores;  /* (round * nodes + node) * banks + bank: lane + 1, or 0 */
    uint32_t *lanes;    /* as stores, where the layout combines, a bit a lane; else NULL */
    uint32_t *olds;     /* likewise: address + 1, or 0 */
    uint8_t *bank;      /* node * places + slot */
    uint32_t *address;  /* node * places + slot */
    uint8_t *load_bank; /* node * loads + index */
    uint32_t *load_address;
};

GFAB_ENDS_BY(gfab_banks_destroy, gfab_banks)

/* Of gfab_goal_held_count, or gfab_goal_wanted_count, what it is of a node; 0 of a relay. And which block is the
 * index-th, by gfab_goal_held or gfab_goal_wanted. */
uint32_t gfab_banks_count(const gfab_layout *layout, const gfab_goal *goal, size_t node,
                          uint32_t (*count)(const gfab_goal *, size_t, uint32_t));
uint32_t gfab_banks_block(const gfab_layout *layout, const gfab_goal *goal, size_t node, uint32_t index,
                          uint32_t (*at)(const gfab_goal *, size_t, uint32_t, uint32_t));
/* What a lane sends, or receives, in a round; IDLE for neither. */
gfab_op gfab_banks_op(const gfab_image *image, size_t node, uint32_t round, size_t lane, gfab_op_kind kind);
/* A graph to be coloured: neighbours of v are edges[first[v]] .. edges[first[v + 1] - 1], each edge in both. */
typedef struct gfab_banks_graph {
    size_t count;
    const size_t *first;
    const uint32_t *edges;
    uint32_t colours;
    const uint64_t *allowed; /* [v]: a bit for each colour that v may have, one at least; NULL: any */
} gfab_banks_graph;

/* Colours its nodes so that no edge joins two alike. scratch has room for count * (colours + 1) numbers. False where no
 * such colouring is found. */
bool gfab_banks_colour(const gfab_banks_graph *graph, uint32_t *colour, uint32_t *scratch);

/* gfab_banks_assign where the layout has blocks. */
gfab_status gfab_banks_assign_blocks(const gfab_image *image, const gfab_goal *goals, const gfab_crossbar *crossbar,
                                     gfab_banks **banks, gfab_diag *diag);

#endif
