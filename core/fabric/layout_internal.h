/* SPDX-License-Identifier: MIT */
/* Private: how a layout is kept. */
#ifndef GOSSIPFAB_LAYOUT_INTERNAL_H
#define GOSSIPFAB_LAYOUT_INTERNAL_H

#include <gossipfab/base/arena.h>
#include <gossipfab/fabric/layout.h>

struct gfab_layout {
    const gfab_topology *topology;
    size_t lanes;
    uint32_t *lane; /* node * lanes + port */
    uint32_t *port; /* node * lanes + lane */
    uint32_t *skew; /* by node */
    bool any_skew;
    uint32_t *kind;      /* by node; NULL where each is a kind of its own */
    uint32_t *kind_node; /* by kind */
    size_t kinds;
    gfab_layout_options options;
    gfab_goal goal; /* of places */
    uint32_t slots, loads, place_count;
    uint32_t *places;      /* node * place_count + index; NULL where it has none */
    uint32_t *relay_slots; /* by node; 0: as many as the others have */
    gfab_arena arena;
};

/* What the options of a layout ask for on this topology, as features. */
gfab_features gfab_layout_options_features(const gfab_topology *topology, const gfab_layout_options *options);

#endif
