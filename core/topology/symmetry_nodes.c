/* SPDX-License-Identifier: MIT */
/* Which nodes are alike. Renumberings that may be symmetries come from the family, from the sides of a mesh or torus,
 * and from the nodes' numbers as such; each is checked link by link before it counts. */
#include "symmetry.h"

#include "base/sets.h"

#include <stdlib.h>
#include <string.h>

typedef struct nodes {
    const gfab_topology *topology;
    uint32_t count;
    uint32_t *image;
    uint32_t *orbit; /* sets of alike nodes as trees; a root is the lowest node of its set */
    bool *hit;
} nodes;

/* Joins each node with its image, if image is a permutation and every link's image is a link. */
static void try_image(nodes *n)
{
    memset(n->hit, 0, n->count * sizeof *n->hit);
    for (uint32_t v = 0; v < n->count; v++) {
        if (n->image[v] >= n->count || n->hit[n->image[v]])
            return;
        n->hit[n->image[v]] = true;
    }
    for (size_t l = 0; l < gfab_topology_link_count(n->topology); l++) {
        const gfab_link link = gfab_topology_link(n->topology, l);
        gfab_arc arc;
        if (!gfab_topology_find_arc(n->topology, n->image[link.node[0]], n->image[link.node[1]], &arc))
            return;
    }
    for (uint32_t v = 0; v < n->count; v++)
        gfab_sets_join(n->orbit, v, n->image[v]);
}

/* Coordinate d shifted by one, and turned round; equal sides d and d + 1 exchanged. */
static void try_sides(nodes *n)
{
    const size_t dimensions = gfab_topology_dimensions(n->topology);
    uint32_t stride = n->count;
    for (size_t d = 0; d < dimensions; d++) {
        const uint32_t side = gfab_topology_side(n->topology, d);
        stride /= side;
        for (uint32_t v = 0; v < n->count; v++)
            n->image[v] = v / stride % side + 1 < side ? v + stride : v - (side - 1) * stride;
        try_image(n);
        for (uint32_t v = 0; v < n->count; v++)
            n->image[v] = v + (side - 1) * stride - 2 * (v / stride % side) * stride;
        try_image(n);
        if (d + 1 == dimensions || gfab_topology_side(n->topology, d + 1) != side)
            continue;
        const uint32_t low = stride / side;
        for (uint32_t v = 0; v < n->count; v++) {
            const uint32_t a = v / stride % side, b = v / low % side;
            n->image[v] = v - a * stride - b * low + b * stride + a * low;
        }
        try_image(n);
    }
}

/* One bit of the number turned over, the number shifted by one in all or in each half, and turned round. */
static void try_numbers(nodes *n)
{
    const uint32_t half = n->count / 2;
    for (uint32_t bit = 1; bit < n->count && (n->count & (n->count - 1)) == 0; bit *= 2) {
        for (uint32_t v = 0; v < n->count; v++)
            n->image[v] = v ^ bit;
        try_image(n);
    }
    for (uint32_t v = 0; v < n->count; v++)
        n->image[v] = (v + 1) % n->count;
    try_image(n);
    for (uint32_t v = 0; v < n->count; v++)
        n->image[v] = n->count - 1 - v;
    try_image(n);
    for (uint32_t v = 0; v < n->count && n->count % 2 == 0; v++)
        n->image[v] = v / half * half + (v % half + 1) % half;
    if (n->count % 2 == 0)
        try_image(n);
}

/* What the family's named symmetries give. */
static gfab_status add_family(nodes *n)
{
    char text[GFAB_SYMMETRY_ALL_SIZE];
    GFAB_AT_END(gfab_symmetry_release) gfab_symmetry symmetry = {0};
    gfab_symmetry_all(n->topology, text);
    GFAB_TRY(gfab_symmetry_create(n->topology, text, strlen(text), &symmetry, NULL));
    for (uint32_t v = 0; v < n->count; v++)
        gfab_sets_join(n->orbit, v, symmetry.first_node[symmetry.node_orbit[v]]);
    return GFAB_OK;
}

gfab_status gfab_symmetry_node_orbits(const gfab_topology *topology, uint32_t *orbit)
{
    nodes n = {.topology = topology, .count = (uint32_t)gfab_topology_node_count(topology), .orbit = orbit};
    GFAB_FREED uint32_t *image = malloc(n.count * sizeof *image);
    GFAB_FREED bool *hit = malloc(n.count * sizeof *hit);
    for (uint32_t v = 0; v < n.count; v++)
        orbit[v] = v;
    GFAB_NEED(image && hit);
    n.image = image;
    n.hit = hit;
    try_sides(&n);
    try_numbers(&n);
    const gfab_status status = add_family(&n);
    for (uint32_t v = 0; v < n.count; v++)
        orbit[v] = gfab_set_of(orbit, v);
    return status;
}
