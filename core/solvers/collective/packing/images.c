/* SPDX-License-Identifier: MIT */
/* Groups that a few renumberings generate, which all commute: coordinates shifted along an axis, bits of the numbers
 * turned over, numbers shifted, axes turned round. Each is checked link by link before it counts. */
#include "images.h"

#include <string.h>

#define MAX_GENERATORS 32u
#define MAX_ENTRIES ((uint64_t)1 << 22)
#define NONE UINT32_MAX

typedef enum kind { SIDES, BITS, NUMBERS, MIRRORS, KINDS } kind;

/* Of a number v the part v / stride % side goes `by` on, and from the last one to the first; with by 0 it is counted
 * from the other end. */
typedef struct generator {
    uint32_t stride, side, by, order;
} generator;

typedef struct group {
    generator generators[MAX_GENERATORS];
    uint32_t count;
    bool even; /* those elements alone that make an even number of steps along generators of order 2 */
} group;

static uint32_t step(generator g, uint32_t v, uint32_t steps)
{
    const uint32_t at = v / g.stride % g.side;
    const uint32_t to = g.by ? (at + steps * g.by) % g.side : steps % 2 ? g.side - 1 - at : at;
    return v - at * g.stride + to * g.stride;
}

static bool is_symmetry(const gfab_topology *topology, generator g)
{
    for (uint32_t v = 0; v < gfab_topology_node_count(topology); v++)
        if (gfab_topology_is_relay(topology, v) != gfab_topology_is_relay(topology, step(g, v, 1)))
            return false;
    for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology); arc++) {
        const uint32_t from = gfab_topology_arc_from(topology, arc), to = gfab_topology_arc_to(topology, arc);
        gfab_arc other;
        if (!gfab_topology_find_arc(topology, step(g, from, 1), step(g, to, 1), &other) ||
            gfab_topology_arc_weight(topology, arc) != gfab_topology_arc_weight(topology, other))
            return false;
    }
    return true;
}

static void add_generator(const gfab_topology *topology, group *into, uint32_t stride, uint32_t side, bool mirror)
{
    const generator g = {stride, side, mirror ? 0 : 1, mirror ? 2 : side};
    if (side > 1 && into->count < MAX_GENERATORS && is_symmetry(topology, g))
        into->generators[into->count++] = g;
}

static void find_group(const gfab_topology *topology, kind which, group *found)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    uint32_t stride = nodes;
    *found = (group){.count = 0};
    if (which == NUMBERS)
        add_generator(topology, found, 1, nodes, false);
    for (uint32_t bit = 1; bit < nodes && which == BITS && (nodes & (nodes - 1)) == 0; bit *= 2)
        add_generator(topology, found, bit, 2, false);
    for (size_t d = 0; d < gfab_topology_dimensions(topology) && (which == SIDES || which == MIRRORS); d++) {
        stride /= gfab_topology_side(topology, d);
        add_generator(topology, found, stride, gfab_topology_side(topology, d), which == MIRRORS);
    }
}

static uint64_t count_elements(const group *g)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < g->count; i++)
        count *= g->generators[i].order;
    return count;
}

/* Leaves out some: of the generator of the highest order only each p-th step remains, p its least divisor. */
static void lessen(group *g)
{
    generator *highest = &g->generators[0];
    uint32_t divisor = 2;
    for (uint32_t i = 1; i < g->count; i++)
        highest = g->generators[i].order > highest->order ? &g->generators[i] : highest;
    while (highest->order % divisor)
        divisor++;
    highest->order /= divisor;
    highest->by *= divisor;
    if (highest->order == 1)
        *highest = g->generators[--g->count];
}

/* How many there will be; 0 where "even" leaves out none. */
static uint64_t count_images(const group *g)
{
    bool some = false;
    for (uint32_t i = 0; i < g->count; i++)
        some = some || g->generators[i].order == 2;
    return !g->even ? count_elements(g) : some ? count_elements(g) / 2 : 0;
}

/* Fills in the images: count_images and a spare row. */
static void list_elements(const group *g, gfab_images *images)
{
    const uint64_t all = count_elements(g);
    images->count = 0;
    for (uint64_t element = 0; element < all; element++) {
        uint32_t *row = images->node + (size_t)images->count * images->nodes, odd = 0;
        uint64_t left = element;
        for (uint32_t v = 0; v < images->nodes; v++)
            row[v] = v;
        for (uint32_t i = 0; i < g->count; i++) {
            const uint32_t steps = (uint32_t)(left % g->generators[i].order);
            left /= g->generators[i].order;
            odd += g->generators[i].order == 2 ? steps : 0;
            for (uint32_t v = 0; v < images->nodes && steps; v++)
                row[v] = step(g->generators[i], row[v], steps);
        }
        images->count += !g->even || odd % 2 == 0;
    }
}

gfab_arc gfab_images_arc(const gfab_images *images, uint32_t symmetry, gfab_arc arc)
{
    const uint32_t *row = images->node + (size_t)symmetry * images->nodes;
    gfab_arc image = arc;
    gfab_topology_find_arc(images->topology, row[gfab_topology_arc_from(images->topology, arc)],
                           row[gfab_topology_arc_to(images->topology, arc)], &image);
    return image;
}

/* Classes of links and arcs. False where two symmetries take a resource to the same one. */
static bool find_classes(gfab_images *images, bool full)
{
    bool good = true;
    memset(images->link_class, 0xff, images->links * sizeof *images->link_class);
    memset(images->arc_class, 0xff, 2 * (size_t)images->links * sizeof *images->arc_class);
    images->link_classes = images->arc_classes = 0;
    for (gfab_arc arc = 0; arc < 2 * images->links; arc++) {
        uint32_t arcs = 0, links = 0;
        if (images->arc_class[arc] != NONE)
            continue;
        const bool fresh = images->link_class[arc / 2] == NONE;
        for (uint32_t h = 0; h < images->count; h++) {
            const gfab_arc image = gfab_images_arc(images, h, arc);
            arcs += images->arc_class[image] == NONE;
            links += images->link_class[image / 2] == NONE;
            images->arc_class[image] = images->arc_classes;
            if (fresh)
                images->link_class[image / 2] = images->link_classes;
        }
        images->arc_classes++;
        images->link_classes += fresh;
        good = good && arcs == images->count && (full || !fresh || links == images->count);
    }
    return good;
}

static void list_classes(gfab_images *images)
{
    memset(images->from, 0, ((size_t)images->link_classes + 1) * sizeof *images->from);
    for (uint32_t l = 0; l < images->links; l++)
        images->from[images->link_class[l]]++;
    for (uint32_t c = 1; c <= images->link_classes; c++)
        images->from[c] += images->from[c - 1];
    for (uint32_t l = images->links; l-- > 0;)
        images->list[--images->from[images->link_class[l]]] = l;
}

/* The largest of a kind; best is replaced where it is larger. */
static void try_kind(gfab_images *images, kind which, bool even, bool full, uint32_t most, group *best)
{
    group g;
    find_group(images->topology, which, &g);
    for (g.even = even; g.count > 0; lessen(&g)) {
        const uint64_t count = count_images(&g);
        if (count > most || count * images->nodes > MAX_ENTRIES || count <= count_images(best))
            continue;
        list_elements(&g, images);
        if (find_classes(images, full))
            *best = g;
    }
}

gfab_status gfab_images_create(const gfab_topology *topology, bool full, uint32_t most, gfab_images *images)
{
    gfab_images *m = images;
    group best = {.count = 0};
    *m = (gfab_images){.topology = topology,
                       .nodes = (uint32_t)gfab_topology_node_count(topology),
                       .links = (uint32_t)gfab_topology_link_count(topology)};
    const uint32_t widest = (uint32_t)(MAX_ENTRIES / m->nodes);
    GFAB_ARRAYS(&m->arena, m->links, m->link_class, m->list);
    m->arc_class = gfab_arena_zeroed(&m->arena, 2 * (size_t)m->links, sizeof *m->arc_class);
    m->from = gfab_arena_zeroed(&m->arena, ((size_t)m->links + 1), sizeof *m->from);
    m->node = gfab_arena_zeroed(&m->arena, ((size_t)(most < widest ? most : widest) + 1) * m->nodes, sizeof *m->node);
    GFAB_NEED(!m->arena.failed);
    for (uint32_t i = 0; i < 2 * KINDS && most > 1; i++)
        try_kind(m, (kind)(i / 2), i % 2, full, most, &best);
    list_elements(&best, m);
    find_classes(m, full);
    list_classes(m);
    return GFAB_OK;
}
