/* SPDX-License-Identifier: MIT */
/* Private: what a search's items are made of. */
#ifndef GOSSIPFAB_ITEMS_INTERNAL_H
#define GOSSIPFAB_ITEMS_INTERNAL_H

#include <gossipfab/solvers/items.h>

struct gfab_items {
    const gfab_topology *topology;
    gfab_recognition recognition;
    gfab_items_question question; /* its parameters are owned */
    char *parameters;
    gfab_bound bound;
    gfab_schedule *empty; /* has the model and the goal */
    gfab_schedule *best;  /* NULL: none */
    uint64_t best_item;
    uint64_t *settled; /* a bit an item; none above the limit */
};

static inline bool gfab_items_is_settled(const gfab_items *items, uint64_t item)
{
    const uint64_t at = item - items->question.first;
    return items->settled[at / 64] >> at % 64 & 1;
}

#endif
