/* SPDX-License-Identifier: MIT */
/* Lau & Zhang 2002, section 4: gossip on a square torus. As on the mesh (lau_zhang_line.c) rows and columns work at
 * once, tokens of even nodes go along rows first and those of odd nodes along columns. On a cycle no end is in the
 * way, so that phase 2 is one rule: every node sends to the right what it has, first in, first out. In phase 1 an odd
 * cycle is taken as an even one with one more node, whose part another node plays, the delayer: 5 nodes go through the
 * steps of 6. */
#include "lau_zhang.h"

#include <stdlib.h>

/* Rows (axis 0) and columns (axis 1) of an n x n torus run at the same time. Link k of a line is between positions
 * k and k + 1 mod n, arcs[((axis * n + line) * n + k) * 2 + direction]. */
typedef struct torus {
    uint32_t n;
    gfab_arc *arcs;
    gfab_schedule *schedule;
    uint32_t round; /* that is filled */
} torus;

enum { RIGHT = 0, LEFT = 1 };

static uint32_t node_at(const torus *t, uint32_t axis, uint32_t line, uint32_t position)
{
    return axis ? position * t->n + line : line * t->n + position;
}

static gfab_status send(const torus *t, uint32_t axis, uint32_t line, uint32_t link, int direction, uint32_t token)
{
    const size_t index = (((size_t)axis * t->n + line) * t->n + link) * 2 + (size_t)direction;
    return gfab_schedule_append(t->schedule, t->round, t->arcs[index], token);
}

/* Phase 1 of sections 4.1 and 4.2, one round of one line. An even cycle has a source at every other position, each
 * token goes m/2 to the right and m/2 - 1 to the left, and no two meet. An odd cycle becomes an even one, m = n + 1,
 * by a node between n - 1 and 0 that is not there: the delayer n - 1 plays its part, so that of its two links the
 * one to n - 1 costs a round and no move, and the one to 0 is the wrap-around link. A token whose way ends at the
 * missing node does not take that link. */
static gfab_status phase1_round(const torus *t, uint32_t axis, uint32_t line)
{
    const uint32_t round = t->round;
    const uint32_t n = t->n, m = n + n % 2, parity = (line + axis) % 2;
    for (uint32_t k = 0; k < m; k++) {
        const uint32_t right_source = (k + 1 + m - round) % m, left_source = (k + round) % m;
        const int direction = right_source % 2 == parity ? RIGHT : LEFT;
        const uint32_t source = direction == RIGHT ? right_source : left_source;
        const uint32_t reach = direction == RIGHT ? m / 2 : m / 2 - 1;
        if (source >= n || round > reach)
            continue;
        if (m > n && (k == n - 1 || (k == n && direction == LEFT && round == reach)))
            continue;
        GFAB_TRY(send(t, axis, line, k == n ? n - 1 : k, direction, node_at(t, axis, line, source)));
    }
    return GFAB_OK;
}

/* The i-th of the tokens that phase 1 brought along the crossing line to a position, or UINT32_MAX past the last:
 * a row gets the odd nodes' tokens, a column the even ones'. */
static uint32_t collected(const torus *t, uint32_t axis, uint32_t position, uint32_t i)
{
    const uint32_t across = (position + (axis ? 0 : 1)) % 2 + 2 * i;
    return across < t->n ? node_at(t, axis, across, position) : UINT32_MAX;
}

/* Where a position's sending has got to: the i-th token collected at the node this far to its left. */
typedef struct cursor {
    uint32_t distance;
    uint32_t i;
} cursor;

/* Phase 2: every node sends its queue to the right, first in first out: its own tokens, then its left neighbour's,
 * and so on round the cycle but for those of its right neighbour. Every node starts with at least one token, so a
 * token is always there in time. The rows all do the same with the same tokens, and so do the columns. */
static gfab_status phase2_round(const torus *t, uint32_t axis, cursor *cursors, bool *moved)
{
    const uint32_t n = t->n;
    for (uint32_t k = 0; k < n; k++) {
        cursor *c = &cursors[k];
        uint32_t token = UINT32_MAX;
        while (c->distance < n - 1 && (token = collected(t, axis, (k + n - c->distance) % n, c->i++)) == UINT32_MAX)
            *c = (cursor){c->distance + 1, 0};
        if (token == UINT32_MAX)
            continue;
        *moved = true;
        for (uint32_t line = 0; line < n; line++)
            GFAB_TRY(send(t, axis, line, k, RIGHT, token));
    }
    return GFAB_OK;
}

static gfab_status find_arcs(const torus *t, const gfab_topology *topology)
{
    gfab_arc *arc = t->arcs;
    for (uint32_t axis = 0; axis < 2; axis++)
        for (uint32_t line = 0; line < t->n; line++)
            for (uint32_t k = 0; k < t->n; k++, arc += 2) {
                const uint32_t a = node_at(t, axis, line, k), b = node_at(t, axis, line, (k + 1) % t->n);
                if (!gfab_topology_find_arc(topology, a, b, &arc[RIGHT]) ||
                    !gfab_topology_find_arc(topology, b, a, &arc[LEFT]))
                    return GFAB_ERR_INVALID;
            }
    return GFAB_OK;
}

gfab_status gfab_lau_zhang_torus(const gfab_topology *topology, uint32_t side, uint64_t rounds,
                                 const gfab_solver_options *options, gfab_schedule *schedule)
{
    GFAB_FREED gfab_arc *arcs = calloc((size_t)side * side * 4, sizeof *arcs);
    GFAB_FREED cursor *cursors = calloc((size_t)side * 2, sizeof *cursors);
    GFAB_NEED(arcs && cursors);
    torus t = {side, arcs, schedule, 0};
    GFAB_TRY(find_arcs(&t, topology));
    const uint32_t phase1_rounds = (side + 1) / 2;
    bool moved = true;
    for (uint32_t round = 1; moved; round++) {
        moved = round <= phase1_rounds;
        t.round = round;
        for (uint32_t axis = 0; axis < 2; axis++) {
            if (round > phase1_rounds)
                GFAB_TRY(phase2_round(&t, axis, cursors + (size_t)axis * side, &moved));
            for (uint32_t line = 0; round <= phase1_rounds && line < side; line++)
                GFAB_TRY(phase1_round(&t, axis, line));
        }
        if (moved)
            GFAB_TRY(gfab_solver_report(options, "rounds", round, rounds));
    }
    return GFAB_OK;
}
