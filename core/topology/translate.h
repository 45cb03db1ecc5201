/* SPDX-License-Identifier: MIT */
/* Translations of a torus: coordinates are added and subtracted, each modulo its side. Private to the library. */
#ifndef GOSSIPFAB_TRANSLATE_H
#define GOSSIPFAB_TRANSLATE_H

#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

/* The nodes a + b and a - b of a mesh or torus, coordinate by coordinate. */
uint32_t gfab_translate_plus(const gfab_topology *topology, uint32_t a, uint32_t b);
uint32_t gfab_translate_minus(const gfab_topology *topology, uint32_t a, uint32_t b);
/* The arc of a torus that starts at node `from` and goes the way of another. */
gfab_arc gfab_translate_arc(const gfab_topology *topology, gfab_arc arc, uint32_t from);

GFAB_C_END
#endif
