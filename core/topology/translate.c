/* SPDX-License-Identifier: MIT */
#include "translate.h"

/* From the last coordinate on. */
static uint32_t translate(const gfab_topology *topology, uint32_t a, uint32_t b, bool minus)
{
    uint32_t sum = 0;
    uint32_t stride = 1;
    for (size_t i = gfab_topology_dimensions(topology); i-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, i);
        const uint32_t step = minus ? side - b % side : b % side;
        sum += (a % side + step) % side * stride;
        a /= side;
        b /= side;
        stride *= side;
    }
    return sum;
}

uint32_t gfab_translate_plus(const gfab_topology *topology, uint32_t a, uint32_t b)
{
    return translate(topology, a, b, false);
}

uint32_t gfab_translate_minus(const gfab_topology *topology, uint32_t a, uint32_t b)
{
    return translate(topology, a, b, true);
}

gfab_arc gfab_translate_arc(const gfab_topology *topology, gfab_arc arc, uint32_t from)
{
    const uint32_t by = translate(topology, from, gfab_topology_arc_from(topology, arc), true);
    gfab_arc moved = 0; /* the link is there: a torus looks the same from all nodes */
    (void)gfab_topology_find_arc(topology, from, translate(topology, gfab_topology_arc_to(topology, arc), by, false),
                                 &moved);
    return moved;
}
