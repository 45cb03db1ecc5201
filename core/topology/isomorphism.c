/* SPDX-License-Identifier: MIT */
/* Both graphs, side by side as one, are partitioned by colour refinement: nodes share a cell until they are known to
 * differ, in how many neighbours they have in some cell. Where a cell has more nodes of one graph than of the other,
 * they are different graphs. Where refinement ends with more than one node of each in a cell, one of them is taken to
 * be the other's, and refinement goes on: McKay, Practical graph isomorphism (1981). The families have so much symmetry
 * that the first try is mostly right, and one that is wrong at the first node is so at all where nodes are alike. */
#include "isomorphism.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/topology/recognise.h>

#include "base/ascending.h"
#include "base/progress.h"
#include "topology_internal.h"

#include <stdlib.h>
#include <string.h>

/* Deeper than in any family but complete graphs, which need no search: hypercubes take their dimension. */
#define MAX_DEPTH 64

/* Cells are runs of order[], named by where they start. A cell has as many nodes of either graph. */
typedef struct partition {
    uint32_t *order; /* nodes, those of `to` counted on from those of `from` */
    uint32_t *place; /* of a node in order */
    uint32_t *cell;  /* of a node */
    uint32_t *size;  /* of a cell, at its start */
} partition;

typedef struct search {
    const gfab_topology *graph[2];
    const gfab_progress *progress;
    uint32_t nodes; /* of one graph */
    bool all_alike;
    unsigned done;
    partition now;
    uint32_t *waiting, waiting_count; /* cells that others are to be split by */
    bool *waits;                      /* by cell */
    uint32_t *touched;                /* neighbours of the cell in hand, and how many each has in it */
    uint32_t *count;
    uint64_t *keys; /* touched ones by cell, then count */
    uint32_t *image;
    gfab_arena arena;
} search;
GFAB_HOLDS_ARENA(search)

static const gfab_port *ports_of(const search *s, uint32_t node, size_t *count, uint32_t *base)
{
    const bool second = node >= s->nodes;
    *base = second ? s->nodes : 0;
    return gfab_topology_ports(s->graph[second], node - *base, count);
}

static void await(search *s, uint32_t cell)
{
    if (s->waits[cell])
        return;
    s->waits[cell] = true;
    s->waiting[s->waiting_count++] = cell;
}

/* Makes order[start .. end - 1] a cell. False where the graphs' shares in it differ. */
static bool cut(search *s, uint32_t start, uint32_t end)
{
    partition *p = &s->now;
    uint32_t first = 0;
    p->size[start] = end - start;
    for (uint32_t i = start; i < end; i++) {
        p->cell[p->order[i]] = start;
        first += p->order[i] < s->nodes;
    }
    return 2 * first == end - start;
}

static void move_to(partition *p, uint32_t node, uint32_t place)
{
    const uint32_t other = p->order[place], from = p->place[node];
    p->order[place] = node;
    p->place[node] = place;
    p->order[from] = other;
    p->place[other] = from;
}

/* Splits a cell by the counts of its touched nodes, whose keys are in rising order. All parts wait to split others, or
 * all but a largest one where the cell itself does not wait: its part in any count is then the others' complement. */
static bool split(search *s, uint32_t start, const uint64_t *keys, uint32_t touched)
{
    partition *p = &s->now;
    const uint32_t end = start + p->size[start], untouched = p->size[start] - touched;
    const bool waited = s->waits[start];
    uint32_t largest = start;
    bool balanced = true;
    if (untouched == 0 && keys[0] >> 20 == keys[touched - 1] >> 20)
        return true;
    for (uint32_t i = 0; i < touched; i++)
        move_to(p, s->touched[keys[i] & 0xfffff], start + untouched + i);
    for (uint32_t at = start, next; at < end && balanced; at = next) {
        next = at + 1;
        if (at < start + untouched)
            next = start + untouched;
        else
            while (next < end && keys[next - start - untouched] >> 20 == keys[at - start - untouched] >> 20)
                next++;
        balanced = cut(s, at, next);
        if (p->size[at] > p->size[largest])
            largest = at;
    }
    for (uint32_t at = start; balanced && at < end; at += p->size[at])
        if (waited || at != largest)
            await(s, at);
    return balanced;
}

/* Splits all cells by their nodes' neighbours in one cell. */
static bool split_by(search *s, uint32_t cell)
{
    const partition *p = &s->now;
    uint32_t touched = 0;
    for (uint32_t i = cell; i < cell + p->size[cell]; i++) {
        size_t ports;
        uint32_t base;
        const gfab_port *port = ports_of(s, p->order[i], &ports, &base);
        for (size_t j = 0; j < ports; j++) {
            const uint32_t peer = base + port[j].peer;
            if (s->count[peer]++ == 0)
                s->touched[touched++] = peer;
        }
    }
    for (uint32_t i = 0; i < touched; i++) {
        const uint32_t node = s->touched[i];
        s->keys[i] = (uint64_t)p->cell[node] << 40 | (uint64_t)s->count[node] << 20 | i;
        s->count[node] = 0;
    }
    qsort(s->keys, touched, sizeof *s->keys, gfab_ascending);
    bool balanced = true;
    for (uint32_t i = 0, next; i < touched && balanced; i = next) {
        const uint32_t start = (uint32_t)(s->keys[i] >> 40);
        for (next = i + 1; next < touched && s->keys[next] >> 40 == start;)
            next++;
        balanced = split(s, start, s->keys + i, next - i);
    }
    return balanced;
}

/* Until no cell splits another. False where the graphs turn out to differ. */
static bool refine(search *s)
{
    bool balanced = true;
    while (s->waiting_count) {
        const uint32_t cell = s->waiting[--s->waiting_count];
        s->waits[cell] = false;
        balanced = balanced && split_by(s, cell);
    }
    return balanced;
}

/* Takes node and its twin, of the two graphs and one cell, for each other. */
static bool pair_off(search *s, uint32_t node, uint32_t twin)
{
    partition *p = &s->now;
    const uint32_t start = p->cell[node], end = start + p->size[start];
    move_to(p, node, end - 1);
    move_to(p, twin, end - 2);
    (void)cut(s, start, end - 2);
    (void)cut(s, end - 2, end);
    await(s, end - 2);
    return refine(s);
}

/* The smallest cell in which it is open who is whose twin; UINT32_MAX if there is none. */
static uint32_t open_cell(const search *s)
{
    const partition *p = &s->now;
    uint32_t found = UINT32_MAX;
    for (uint32_t at = 0; at < 2 * s->nodes; at += p->size[at])
        if (p->size[at] > 2 && (found == UINT32_MAX || p->size[at] < p->size[found]))
            found = at;
    return found;
}

gfab_status gfab_topology_is_image(const gfab_topology *from, const gfab_topology *to, const uint32_t *image,
                                   bool *is_image)
{
    const size_t nodes = from->node_count;
    *is_image = nodes == to->node_count && from->link_count == to->link_count;
    if (!*is_image)
        return GFAB_OK;
    GFAB_FREED size_t *mark = calloc(2 * nodes, sizeof *mark);
    GFAB_NEED(mark);
    size_t *taken = mark + nodes;
    for (size_t v = 0; v < nodes && *is_image; v++) {
        *is_image = image[v] < nodes && taken[image[v]]++ == 0;
        size_t count, image_count = 0;
        const gfab_port *ports = *is_image ? gfab_topology_ports(to, image[v], &image_count) : NULL;
        for (size_t i = 0; i < image_count; i++)
            mark[ports[i].peer] = v + 1;
        ports = gfab_topology_ports(from, v, &count);
        *is_image = *is_image && count == image_count;
        for (size_t i = 0; i < count && *is_image; i++)
            *is_image = image[ports[i].peer] < nodes && mark[image[ports[i].peer]] == v + 1;
    }
    return GFAB_OK;
}

static gfab_status conclude(search *s, gfab_isomorphism *result)
{
    for (uint32_t at = 0; at < 2 * s->nodes; at += 2) {
        const uint32_t a = s->now.order[at], b = s->now.order[at + 1];
        s->image[a < b ? a : b] = (a < b ? b : a) - s->nodes;
    }
    bool is_image;
    GFAB_TRY(gfab_topology_is_image(s->graph[0], s->graph[1], s->image, &is_image));
    *result = is_image ? GFAB_ISOMORPHISM_FOUND : GFAB_ISOMORPHISM_NONE;
    return GFAB_OK;
}

/* The four arrays lie one behind the other. */
static void copy_partition(const search *s, uint32_t *to, const uint32_t *from)
{
    memcpy(to, from, (size_t)8 * s->nodes * sizeof *to);
}

/* Tries every twin in `to` for one node of `from` in the smallest open cell, and goes on from there. Where the nodes of
 * `to` are alike, one twin does for the first of all. */
static gfab_status extend(search *s, unsigned depth, gfab_isomorphism *result)
{
    const uint32_t cell = open_cell(s);
    if (cell == UINT32_MAX)
        return conclude(s, result);
    *result = GFAB_ISOMORPHISM_OPEN;
    if (depth == MAX_DEPTH)
        return GFAB_OK;
    GFAB_FREED uint32_t *before = malloc((size_t)8 * s->nodes * sizeof *before);
    GFAB_NEED(before);
    copy_partition(s, before, s->now.order);
    const uint32_t *order = before + cell, size = s->now.size[cell];
    uint32_t node = 0;
    while (order[node] >= s->nodes)
        node++;
    gfab_status status = GFAB_OK;
    *result = GFAB_ISOMORPHISM_NONE;
    for (uint32_t i = 0; i < size && status == GFAB_OK && *result == GFAB_ISOMORPHISM_NONE; i++) {
        if (order[i] < s->nodes)
            continue;
        status = gfab_progress_report(s->progress, "renumberings", s->done, GFAB_RECOGNISE_MAX_TRIES);
        if (status == GFAB_OK && s->done++ == GFAB_RECOGNISE_MAX_TRIES)
            *result = GFAB_ISOMORPHISM_OPEN;
        else if (status == GFAB_OK && pair_off(s, order[node], order[i]))
            status = extend(s, depth + 1, result);
        copy_partition(s, s->now.order, before);
        if (depth == 0 && s->all_alike)
            break;
    }
    return status;
}

static gfab_status allocate(search *s)
{
    const size_t both = (size_t)2 * s->nodes;
    s->now.order = gfab_arena_zeroed(&s->arena, 4 * both, sizeof *s->now.order);
    GFAB_ARRAYS(&s->arena, both, s->waiting, s->waits, s->touched, s->count, s->keys);
    GFAB_NEED(!s->arena.failed);
    s->now.place = s->now.order + both;
    s->now.cell = s->now.place + both;
    s->now.size = s->now.cell + both;
    return GFAB_OK;
}

gfab_status gfab_isomorphism_find(const gfab_topology *from, const gfab_topology *to, bool all_alike,
                                  const gfab_progress *progress, uint32_t *image, gfab_isomorphism *result)
{
    GFAB_AT_END(search_release)
    search s = {.graph = {from, to},
                .progress = progress,
                .nodes = (uint32_t)gfab_topology_node_count(from),
                .all_alike = all_alike,
                .image = image};
    gfab_status status = allocate(&s);
    *result = GFAB_ISOMORPHISM_NONE;
    if (status == GFAB_OK) {
        for (uint32_t v = 0; v < 2 * s.nodes; v++)
            s.now.order[v] = s.now.place[v] = v;
        (void)cut(&s, 0, 2 * s.nodes);
        await(&s, 0);
        if (refine(&s))
            status = extend(&s, 0, result);
    }
    return status;
}
