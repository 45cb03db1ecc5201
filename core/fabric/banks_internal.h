/* SPDX-License-Identifier: MIT */
/* Private: how wide programs are kept. */
#ifndef GOSSIPFAB_BANKS_INTERNAL_H
#define GOSSIPFAB_BANKS_INTERNAL_H

#include <gossipfab/fabric/banks.h>

#include "base/word_array.h"

struct gfab_banks {
    const gfab_layout *layout;
    gfab_crossbar crossbar;
    uint32_t round_bits;
    uint32_t halt;
    size_t nodes;
    word_array reads;  /* (round * nodes + node) * banks + bank, rounds from 0 */
    uint8_t *sends;    /* (round * nodes + node) * lanes + lane: bank + 1, or 0 */
    word_array stores; /* (round * nodes + node) * banks + bank: lane + 1, or 0 */
    uint8_t *bank;     /* node * nodes + slot */
    uint32_t *address; /* node * nodes + slot */
};

/* Bits that number count things from 0, at least 1. */
uint32_t gfab_banks_bits_for(uint32_t count);

/* Colours the vertices of a graph so that no edge joins two alike. neighbours of v are edges[first[v]] ..
 * edges[first[v + 1] - 1], each edge in both. scratch has room for count * (colours + 1) numbers. False where no such
 * colouring is found. */
bool gfab_banks_colour(size_t count, const size_t *first, const uint32_t *edges, uint32_t colours, uint32_t *colour,
                       uint32_t *scratch);

#endif
