/* SPDX-License-Identifier: MIT */
/* The messages of a round are coloured, greedily: no two with one colour have an end in common. Colour after colour is
 * an order of all of them, so that ranks that keep to it never wait in a circle, and those of one colour go at once. */
#include "c_plan.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

#define MOST UINT16_MAX /* blocks, nodes: numbers of a step */

typedef struct painter {
    uint64_t *taken; /* [node * words]: a bit a colour, of this round */
    size_t words, size;
} painter;

static gfab_status create_painter(const gfab_topology *topology, painter *p)
{
    /* A message meets fewer than 2 deg others at each of its ends. */
    p->words = gfab_topology_max_degree(topology) * 4 / 64 + 1;
    p->size = gfab_topology_node_count(topology) * p->words * sizeof *p->taken;
    p->taken = malloc(p->size);
    return p->taken ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static uint32_t paint(painter *p, uint32_t from, uint32_t to)
{
    uint64_t *a = &p->taken[from * p->words], *b = &p->taken[to * p->words];
    size_t word = 0;
    while ((a[word] | b[word]) == UINT64_MAX)
        word++;
    const uint64_t bit = ~(a[word] | b[word]) & ((a[word] | b[word]) + 1);
    a[word] |= bit;
    b[word] |= bit;
    return (uint32_t)(64 * word) + gfab_count_bits(bit - 1);
}

static int compare(const void *a, const void *b)
{
    const gfab_act *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Both ends of each move. */
static void list(const gfab_topology *topology, const gfab_moves *moves, painter *p, gfab_acts *acts)
{
    uint32_t colour = 0, place = 0;
    for (size_t i = 0; i < moves->count; i++) {
        const gfab_move *m = &moves->at[i];
        const bool opens = i == 0 || m[-1].round != m->round;
        gfab_arc arc = 0;
        if (opens)
            memset(p->taken, 0, p->size);
        if (opens || m[-1].from != m->from || m[-1].to != m->to) {
            colour = paint(p, m->from, m->to);
            place = 0;
        }
        gfab_topology_find_arc(topology, m->from, m->to, &arc);
        const gfab_act act = {.rank = m->to,
                              .round = m->round,
                              .colour = colour,
                              .place = place++,
                              .block = m->block,
                              .peer = m->from,
                              .direction = gfab_topology_arrival(topology, arc),
                              .combine = m->combine};
        acts->at[acts->count++] = act;
        acts->at[acts->count] = act;
        acts->at[acts->count].rank = m->from;
        acts->at[acts->count].peer = m->to;
        acts->at[acts->count++].sends = true;
    }
    if (acts->count)
        qsort(acts->at, acts->count, sizeof *acts->at, compare);
}

static gfab_status check_size(const gfab_schedule *schedule, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(schedule));
    const uint32_t blocks = gfab_schedule_group(schedule);
    if (nodes > MOST || blocks > MOST)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%zu nodes, %u blocks: plans in C have at most %d of each", nodes,
                         blocks, MOST);
    return GFAB_OK;
}

gfab_status gfab_acts_of(const gfab_schedule *schedule, gfab_acts *acts, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    GFAB_AT_END(gfab_moves_release) gfab_moves moves = {0};
    painter p = {0};
    *acts = (gfab_acts){0};
    gfab_status status = check_size(schedule, diag);
    GFAB_THEN(status,
              gfab_format_check_marks(gfab_schedule_topology(schedule), GFAB_MARKS_STORED, "a plan in C", diag));
    GFAB_THEN(status, gfab_moves_of_group(schedule, &moves, diag));
    if (status == GFAB_OK) {
        acts->at = malloc((2 * moves.count + 1) * sizeof *acts->at);
        status = acts->at ? create_painter(topology, &p) : GFAB_ERR_NO_MEMORY;
        if (status != GFAB_OK)
            gfab_format_no_memory(diag);
    }
    if (status == GFAB_OK)
        list(topology, &moves, &p, acts);
    free(p.taken);
    return status;
}
