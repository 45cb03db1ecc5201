/* SPDX-License-Identifier: MIT */
/* Lau & Zhang 2002, section 3: gossip on a path and on a square mesh. Of a mesh all rows and columns work at once. In
 * phase 1 (figure 1) a token of an even node spreads along its row, that of an odd node along its column, without ever
 * waiting. In phase 2 (figure 3) what a line has brought to a node is spread along the crossing line, towards the
 * line's centre first. The two phases overlap: a link does phase 2 in each round in which phase 1 leaves it free. A
 * path is one line that has phase 2 alone. The 3 x 3 mesh has rules of its own (section 3.5). */
#include "lau_zhang.h"
#include "solvers/place/fifo.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>

enum { RIGHT = 0, LEFT = 1, BOTH = 2, IDLE = 3 };

/* A row, a column or a path: positions 0 .. side - 1, link k between k and k + 1. */
typedef struct line {
    gfab_arc *arcs;    /* [2 * k + direction] */
    gfab_fifo *queues; /* [2 * position + direction]: figure 3's R and L */
} line;

typedef struct move {
    uint32_t token;
    uint8_t direction;
    bool phase1;
} move;

/* The lines of a mesh: rows 0 .. side - 1, then columns side .. 2 side - 1; of a path: itself. */
typedef struct line_set {
    const gfab_lau_zhang_line *plan;
    size_t count;
    size_t links; /* in a line */
    line *lines;
    gfab_arc *arcs;
    gfab_fifo *queues;
    move *moves; /* of the round at hand, [line * links + link] */
    gfab_arena arena;
} line_set;

static bool is_column(const line_set *set, size_t l)
{
    return l >= set->plan->side;
}

static uint32_t node_at(const line_set *set, size_t l, size_t position)
{
    const size_t side = set->plan->side;
    return (uint32_t)(is_column(set, l) ? position * side + (l - side) : l * side + position);
}

static void line_set_free(line_set *set)
{
    for (size_t i = 0; set->queues && i < set->count * set->plan->side * 2; i++)
        free(set->queues[i].items);
    gfab_arena_release(&set->arena);
}

static gfab_status line_set_init(line_set *set, const gfab_topology *topology, const gfab_lau_zhang_line *plan)
{
    const size_t side = plan->side, count = plan->grid ? 2 * side : 1, links = side - 1;
    *set = (line_set){.plan = plan, .count = count, .links = links};
    set->lines = gfab_arena_zeroed(&set->arena, count, sizeof *set->lines);
    set->arcs = gfab_arena_zeroed(&set->arena, count * links * 2, sizeof *set->arcs);
    set->queues = gfab_arena_zeroed(&set->arena, count * side * 2, sizeof *set->queues);
    set->moves = gfab_arena_zeroed2(&set->arena, count, links, sizeof *set->moves);
    GFAB_NEED(!set->arena.failed);
    for (size_t l = 0; l < count; l++) {
        set->lines[l] = (line){set->arcs + l * links * 2, set->queues + l * side * 2};
        for (size_t k = 0; k < links; k++) {
            const uint32_t a = node_at(set, l, k), b = node_at(set, l, k + 1);
            if (!gfab_topology_find_arc(topology, a, b, &set->lines[l].arcs[2 * k + RIGHT]) ||
                !gfab_topology_find_arc(topology, b, a, &set->lines[l].arcs[2 * k + LEFT]))
                return GFAB_ERR_INVALID;
        }
    }
    return GFAB_OK;
}

/* Queues a token at a position for one direction or BOTH; not where the line ends. */
static gfab_status queue_token(const line_set *set, size_t l, size_t position, uint32_t token, uint8_t direction)
{
    gfab_fifo *queues = set->lines[l].queues + 2 * position;
    if (direction != LEFT && position + 1 < set->plan->side)
        GFAB_TRY(gfab_fifo_push(&queues[RIGHT], token));
    return direction != RIGHT && position > 0 ? gfab_fifo_push(&queues[LEFT], token) : GFAB_OK;
}

/* A token that one line has brought to a node is phase 2's to spread along the crossing line. */
static gfab_status queue_crossing(const line_set *set, size_t l, size_t position, uint32_t token)
{
    const size_t side = set->plan->side;
    return is_column(set, l) ? queue_token(set, position, l - side, token, BOTH)
                             : queue_token(set, side + position, l, token, BOTH);
}

/* Phase 1 (figure 1): even nodes along their row, odd nodes along their column, at one link a round, never blocked:
 * two tokens that meet at a link would come from positions k + 1 - t and k + t, one of which is not a source. */
static bool phase1_move(const line_set *set, size_t l, size_t k, uint32_t round, move *out)
{
    const size_t side = set->plan->side;
    const size_t parity = is_column(set, l) ? (l - side + 1) & 1 : l & 1;
    if (round <= k + 1 && ((k + 1 - round) & 1) == parity)
        *out = (move){node_at(set, l, k + 1 - round), RIGHT, true};
    else if (k + round < side && ((k + round) & 1) == parity)
        *out = (move){node_at(set, l, k + round), LEFT, true};
    else
        return false;
    return true;
}

/* Phase 2 (figure 3): towards the centre first, outwards when there is nothing to send that way. */
static bool phase2_move(const line_set *set, size_t l, size_t k, move *out)
{
    gfab_fifo *right = &set->lines[l].queues[2 * k + RIGHT];
    gfab_fifo *left = &set->lines[l].queues[2 * (k + 1) + LEFT];
    const bool inward_right = k < set->plan->centre;
    if (right->count && (inward_right || !left->count))
        *out = (move){gfab_fifo_pop(right), RIGHT, false};
    else if (left->count)
        *out = (move){gfab_fifo_pop(left), LEFT, false};
    else
        return false;
    return true;
}

/* Section 3.5: the plain algorithm needs 7 rounds on 3 x 3, because the middle column has 7 tokens to carry and the
 * middle row 5. So tokens 2 and 8 stay out of the middle column's gossip; nodes 5 and 3, which get them from the
 * outer columns, pass them to node 4, and it to nodes 7 and 1. One rule per arrival that is handled otherwise. */
typedef struct repair_rule {
    uint8_t line, position, token; /* the arrival: lines 0..2 are rows, 3..5 columns */
    bool as_usual;                 /* what the plain algorithm does with it happens, too */
    bool queue;                    /* it is queued at: */
    uint8_t to_line, to_position, direction;
} repair_rule;

static const repair_rule repair_rules[] = {
    {0, 1, 2, false, false, 0, 0, 0},  {2, 1, 8, false, false, 0, 0, 0},   {3, 1, 8, true, true, 1, 0, RIGHT},
    {5, 1, 2, true, true, 1, 2, LEFT}, {1, 1, 8, false, true, 4, 1, LEFT}, {1, 1, 2, false, true, 4, 1, RIGHT},
};

static gfab_status repair(const line_set *set, size_t l, size_t position, uint32_t token, bool *as_usual)
{
    for (size_t i = 0; i < sizeof repair_rules / sizeof *repair_rules; i++) {
        const repair_rule *rule = &repair_rules[i];
        if (rule->line != l || rule->position != position || rule->token != token)
            continue;
        *as_usual = rule->as_usual;
        return rule->queue ? queue_token(set, rule->to_line, rule->to_position, token, rule->direction) : GFAB_OK;
    }
    return GFAB_OK;
}

/* Chooses the moves of a round from what nodes held before it. */
static gfab_status choose_moves(const line_set *set, uint32_t round, gfab_schedule *schedule, bool *moved)
{
    *moved = false;
    for (size_t l = 0; l < set->count; l++) {
        for (size_t k = 0; k < set->links; k++) {
            move *m = &set->moves[l * set->links + k];
            m->direction = IDLE;
            if (!(set->plan->grid && phase1_move(set, l, k, round, m)) &&
                !(round >= set->plan->phase2_round && phase2_move(set, l, k, m)))
                continue;
            *moved = true;
            GFAB_TRY(gfab_schedule_append(schedule, round, set->lines[l].arcs[2 * k + m->direction], m->token));
        }
    }
    return GFAB_OK;
}

/* Queues what arrived in the round. */
static gfab_status apply_moves(const line_set *set)
{
    const bool repairs = set->plan->grid && set->plan->side == 3 && set->plan->phase2_round == 1;
    for (size_t l = 0; l < set->count; l++) {
        for (size_t k = 0; k < set->links; k++) {
            const move *m = &set->moves[l * set->links + k];
            if (m->direction == IDLE)
                continue;
            const size_t position = m->direction == RIGHT ? k + 1 : k;
            bool as_usual = true;
            gfab_status status = repairs ? repair(set, l, position, m->token, &as_usual) : GFAB_OK;
            if (status == GFAB_OK && as_usual)
                status = m->phase1 ? queue_crossing(set, l, position, m->token)
                                   : queue_token(set, l, position, m->token, m->direction);
            if (status != GFAB_OK)
                return status;
        }
    }
    return GFAB_OK;
}

/* Before round 1: an even node's token belongs to its column's phase 2, an odd node's to its row's. */
static gfab_status queue_own_tokens(const line_set *set)
{
    const size_t side = set->plan->side, rows = set->plan->grid ? side : 1;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < side; j++) {
            const bool in_column = set->plan->grid && (i + j) % 2 == 0;
            GFAB_TRY(in_column ? queue_token(set, side + j, i, (uint32_t)(i * side + j), BOTH)
                               : queue_token(set, i, j, (uint32_t)(i * side + j), BOTH));
        }
    }
    return GFAB_OK;
}

gfab_status gfab_lau_zhang_line_gossip(const gfab_topology *topology, const gfab_lau_zhang_line *plan,
                                       const gfab_solver_options *options, gfab_schedule *schedule)
{
    GFAB_AT_END(line_set_free) line_set set = {0};
    GFAB_TRY(line_set_init(&set, topology, plan));
    GFAB_TRY(queue_own_tokens(&set));
    bool moved = true;
    for (uint32_t round = 1; moved; round++) {
        GFAB_TRY(choose_moves(&set, round, schedule, &moved));
        if (moved)
            GFAB_TRY(apply_moves(&set));
        if (moved)
            GFAB_TRY(gfab_solver_report(options, "rounds", round, plan->rounds));
    }
    return GFAB_OK;
}
