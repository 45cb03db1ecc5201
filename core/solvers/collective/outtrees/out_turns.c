/* SPDX-License-Identifier: MIT */
/* Rounds that take turns: which of them each path past switches is in. One path after the other takes a turn in which
 * all its arcs have room. Where there is none it takes any one, and those in its way give up theirs and wait again
 * (Minton et al. 1992, repair by the least conflicts). Past one switch there always is a way: the turns colour a graph
 * of arcs in and arcs out (Koenig 1916). */
#include "base/random.h"
#include "out_members.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>

#define NONE GFAB_OUT_NONE
#define PATIENCE 256u /* times the paths */

typedef struct sharing {
    const gfab_topology *topology;
    gfab_out_members *m;
    size_t arcs, count;
    uint32_t *load;  /* [turns * arcs] */
    uint32_t *queue; /* [paths]: a circle of those that wait */
    size_t head, waiting;
    uint64_t random;
    gfab_arena arena;
} sharing;
GFAB_HOLDS_ARENA(sharing)

static bool is_full(const sharing *s, const gfab_out_path *path, uint32_t i, uint32_t turn)
{
    const gfab_arc arc = s->m->arcs[path->first + i];
    return s->load[turn * s->arcs + arc] >= gfab_topology_arc_weight(s->topology, arc);
}

static void count_path(const sharing *s, const gfab_out_path *path, uint32_t turn, uint32_t more)
{
    for (uint32_t i = 0; i < path->length; i++)
        s->load[turn * s->arcs + s->m->arcs[path->first + i]] += more;
}

/* The first turn with room on all arcs, from any one on. NONE: there is none. */
static uint32_t find_turn(sharing *s, const gfab_out_path *path)
{
    const uint32_t turns = s->m->turns.count, shift = gfab_random_below(&s->random, turns);
    for (uint32_t t = 0; t < turns; t++) {
        const uint32_t turn = (t + shift) % turns;
        uint32_t i = 0;
        while (i < path->length && !is_full(s, path, i, turn))
            i++;
        if (i == path->length)
            return turn;
    }
    return NONE;
}

/* Of each of its full arcs one path of this turn waits again. */
static void make_place(sharing *s, const gfab_out_path *path, uint32_t turn)
{
    const size_t shift = gfab_random_below(&s->random, (uint32_t)s->count);
    for (uint32_t i = 0; i < path->length; i++)
        for (size_t k = 0; k < s->count && is_full(s, path, i, turn); k++) {
            const size_t other = (k + shift) % s->count;
            gfab_out_path *rival = &s->m->paths[other];
            uint32_t at = 0;
            while (at < rival->length && s->m->arcs[rival->first + at] != s->m->arcs[path->first + i])
                at++;
            if (rival->turn != turn || at == rival->length)
                continue;
            count_path(s, rival, turn, UINT32_MAX);
            rival->turn = NONE;
            s->queue[(s->head + s->waiting++) % s->count] = (uint32_t)other;
        }
}

/* What the arcs of the members' graph carry in each turn. */
gfab_status gfab_out_weigh_turns(gfab_out_members *m)
{
    const size_t arcs = 2 * gfab_topology_link_count(m->topology);
    m->turns.weight = gfab_arena_zeroed2(&m->arena, m->turns.count, arcs, sizeof *m->turns.weight);
    if (!m->turns.weight)
        return GFAB_ERR_NO_MEMORY;
    for (size_t arc = 0; arc < arcs; arc++)
        for (size_t i = m->first[arc]; i < m->first[arc + 1]; i++)
            m->turns.weight[m->paths[i].turn * arcs + arc]++;
    return GFAB_OK;
}

gfab_status gfab_out_take_turns(const gfab_topology *topology, gfab_out_members *m)
{
    GFAB_AT_END(sharing_release)
    sharing s = {.topology = topology, .m = m, .arcs = 2 * gfab_topology_link_count(topology)};
    s.count = s.waiting = m->first[2 * gfab_topology_link_count(m->topology)];
    s.load = gfab_arena_zeroed2(&s.arena, m->turns.count, s.arcs, sizeof *s.load);
    s.queue = gfab_arena_zeroed(&s.arena, s.count + 1, sizeof *s.queue);
    GFAB_TRY(s.arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK);
    for (size_t i = 0; i < s.count; i++)
        s.queue[i] = (uint32_t)i;
    for (size_t steps = 0; s.waiting > 0; steps++) {
        gfab_out_path *path = &m->paths[s.queue[s.head]];
        s.head = (s.head + 1) % s.count;
        s.waiting--;
        uint32_t turn = find_turn(&s, path);
        if (turn == NONE) {
            turn = gfab_random_below(&s.random, m->turns.count);
            make_place(&s, path, turn);
        }
        count_path(&s, path, turn, 1);
        path->turn = turn;
        GFAB_TRY(steps > PATIENCE * s.count ? GFAB_ERR_FAULT : GFAB_OK);
    }
    return gfab_out_weigh_turns(m);
}
