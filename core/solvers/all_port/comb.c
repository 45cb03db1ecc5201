/* SPDX-License-Identifier: MIT */
/* Gossip on a mesh of two sides. On a square it takes n(n+1)/2 rounds, the count bound: no link idles in any round and
 * no token comes twice. Elsewhere it takes as many or few more. docs/theory/optimal-gossip.md has the construction and,
 * for squares, its proof; the names here are its names.
 *
 * The trunk of a token is its row or its column; its spines are the lines of one parity that cross the trunk
 * (comb_plan.c says which). What is left gets the token by one tooth move along the trunk's axis, from a spine next to
 * it. */
#include "comb.h"
#include "comb_plan.h"
#include "solvers/place/fifo.h"

#include <assert.h>
#include <gossipfab/base/arena.h>
#include <stdlib.h>

/* Plans of a mesh that is no square are run in advance until they have made so many moves. */
#define TRIED_MOVES ((uint64_t)1 << 28)

enum { UP = 0, DOWN = 1 }; /* to the next position of a line, to the previous one: the direction bit of an arc */
enum { REST, TRUNK, SPINE, TOOTH };

/* Link k of a line is between positions k and k + 1. Spots are positions of lines, line by line: each node has two, one
 * in its row and one in its column. */
typedef struct comb {
    const gfab_comb_plan *plan;
    size_t nodes, links;
    gfab_fifo *trunk;   /* [2 * spot + direction]: trunk tokens to send on */
    size_t trunk_moves; /* still to come; soon none */
    gfab_fifo *spine;   /* [2 * spot + direction]: spine tokens to send on */
    uint16_t *known;    /* [spot * known_limit ...]: tokens that the spot's neighbours in its line may lack */
    size_t known_limit;
    uint16_t *known_count; /* [spot] */
    uint16_t *next;        /* [2 * spot + direction]: the first of known that may be sent that way */
    uint16_t *quota;       /* [2 * spot + direction]: teeth the spot still sends that way */
    uint64_t *toothed;     /* [node * words ...]: a bit set of the tokens that came as teeth */
    size_t words;
    gfab_comb_move *moves; /* of the round at hand, a link at a time */
    uint8_t *kind;         /* [link]: of its move */
    gfab_arena arena;
} comb;

static uint32_t line_count(const comb *c)
{
    return c->plan->rows + c->plan->columns;
}

static size_t spot_at(const comb *c, uint32_t line, uint32_t position)
{
    const gfab_comb_plan *plan = c->plan;
    return gfab_comb_is_column(plan, line) ? c->nodes + (size_t)(line - plan->rows) * plan->rows + position
                                           : (size_t)line * plan->columns + position;
}

static uint32_t node_at(const comb *c, uint32_t line, uint32_t position)
{
    const gfab_comb_plan *plan = c->plan;
    return gfab_comb_is_column(plan, line) ? position * plan->columns + (line - plan->rows)
                                           : line * plan->columns + position;
}

/* The line that crosses this one. Its position there is the line's number. */
static uint32_t crossing_line(const comb *c, uint32_t line, uint32_t position)
{
    return gfab_comb_is_column(c->plan, line) ? position : c->plan->rows + position;
}

static void comb_free(comb *c)
{
    for (size_t i = 0; i < 4 * c->nodes; i++) {
        if (c->trunk)
            free(c->trunk[i].items);
        if (c->spine)
            free(c->spine[i].items);
    }
    gfab_arena_release(&c->arena);
}

static gfab_status set_quotas(comb *c)
{
    const gfab_comb_plan *plan = c->plan;
    const size_t longest = plan->rows > plan->columns ? plan->rows : plan->columns;
    GFAB_FREED uint32_t *below = calloc(2 * longest, sizeof *below);
    GFAB_NEED(below);
    uint32_t *above = below + longest;
    for (uint32_t line = 0; line < line_count(c); line++) {
        const uint32_t n = gfab_comb_length(plan, line);
        gfab_comb_plan_quotas(plan, line, below, above);
        assert(below[0] == 0 && above[n - 1] == 0);
        for (uint32_t k = 0; k + 1 < n; k++) {
            c->quota[2 * spot_at(c, line, k) + UP] = (uint16_t)below[k + 1];
            c->quota[2 * spot_at(c, line, k + 1) + DOWN] = (uint16_t)above[k];
        }
    }
    return GFAB_OK;
}

/* A token waits at a position of its line to go on up or down, unless the line ends there. */
static gfab_status queue(comb *c, gfab_fifo *fifos, uint32_t line, uint32_t position, uint32_t direction,
                         uint32_t token)
{
    const bool ends = direction == UP ? position + 1 >= gfab_comb_length(c->plan, line) : position == 0;
    return ends ? GFAB_OK : gfab_fifo_push(&fifos[2 * spot_at(c, line, position) + direction], token);
}

static gfab_status queue_both(comb *c, gfab_fifo *fifos, uint32_t line, uint32_t position, uint32_t token)
{
    GFAB_TRY(queue(c, fifos, line, position, UP, token));
    return queue(c, fifos, line, position, DOWN, token);
}

/* A token at a position of its trunk enters the spine there, if there is one. */
static gfab_status enter_spine(comb *c, uint32_t line, uint32_t position, uint32_t token)
{
    if (position % 2 != gfab_comb_spine_parity(c->plan, token))
        return GFAB_OK;
    return queue_both(c, c->spine, crossing_line(c, line, position), gfab_comb_number(c->plan, line), token);
}

static gfab_status queue_sources(comb *c)
{
    for (uint32_t token = 0; token < c->nodes; token++) {
        const uint32_t row = token / c->plan->columns, column = token % c->plan->columns;
        const bool is_column = gfab_comb_trunk_is_column(c->plan, token);
        const uint32_t line = is_column ? c->plan->rows + column : row, position = is_column ? row : column;
        GFAB_TRY(queue_both(c, c->trunk, line, position, token));
        c->trunk_moves += gfab_comb_length(c->plan, line) - 1;
        GFAB_TRY(enter_spine(c, line, position, token));
    }
    return GFAB_OK;
}

static gfab_status comb_init(comb *c, const gfab_comb_plan *plan)
{
    const size_t nodes = (size_t)plan->rows * plan->columns, spots = 2 * nodes;
    *c = (comb){.plan = plan,
                .nodes = nodes,
                .links = spots - plan->rows - plan->columns,
                .known_limit = 1,
                .words = (nodes + 63) / 64};
    for (int i = 0; i < 4; i++)
        if (plan->total[i / 2][i % 2] > c->known_limit)
            c->known_limit = plan->total[i / 2][i % 2];
    c->trunk = gfab_arena_zeroed2(&c->arena, 2, spots, sizeof *c->trunk);
    c->spine = gfab_arena_zeroed2(&c->arena, 2, spots, sizeof *c->spine);
    c->known = gfab_arena_zeroed2(&c->arena, spots, c->known_limit, sizeof *c->known);
    c->known_count = gfab_arena_zeroed(&c->arena, spots, sizeof *c->known_count);
    c->next = gfab_arena_zeroed2(&c->arena, 2, spots, sizeof *c->next);
    c->quota = gfab_arena_zeroed2(&c->arena, 2, spots, sizeof *c->quota);
    c->toothed = gfab_arena_zeroed2(&c->arena, nodes, c->words, sizeof *c->toothed);
    GFAB_ARRAYS(&c->arena, c->links, c->moves, c->kind);
    GFAB_NEED(!c->arena.failed);
    GFAB_TRY(set_quotas(c));
    return queue_sources(c);
}

/* Of two tokens that meet, the one that goes towards the middle. */
static bool path_move(gfab_fifo *fifos, size_t spot, bool inward_up, gfab_comb_move *move)
{
    gfab_fifo *up = &fifos[2 * spot + UP], *down = &fifos[2 * (spot + 1) + DOWN];
    if (up->count && (inward_up || !down->count))
        *move = (gfab_comb_move){UP, gfab_fifo_pop(up)};
    else if (down->count)
        *move = (gfab_comb_move){DOWN, gfab_fifo_pop(down)};
    else
        return false;
    return true;
}

/* The first token that a spot knows and the receiver lacks; what the receiver has is passed over for good. */
static bool find_tooth(const comb *c, size_t spot, uint32_t direction, uint32_t receiver, uint32_t *token)
{
    const size_t way = 2 * spot + direction;
    const uint64_t *has = c->toothed + receiver * c->words;
    for (; c->next[way] < c->known_count[spot]; c->next[way]++) {
        *token = c->known[spot * c->known_limit + c->next[way]];
        if (!(has[*token / 64] >> (*token % 64) & 1))
            return true;
    }
    return false;
}

/* Of two directions that both have a tooth to send within their quotas, the one with more of them left. Rather than
 * rest, a link brings a tooth that is in the quota of the receiver's other link (never on a square, by theorem 2). */
static bool tooth_move(const comb *c, uint32_t line, uint32_t k, size_t spot, gfab_comb_move *move)
{
    const uint32_t nodes[2] = {node_at(c, line, k), node_at(c, line, k + 1)};
    uint16_t *const quotas[2] = {&c->quota[2 * spot + UP], &c->quota[2 * (spot + 1) + DOWN]};
    uint32_t tokens[2];
    bool found[2], borrowed = false;
    for (uint32_t d = UP; d <= DOWN; d++)
        found[d] = *quotas[d] > 0 && find_tooth(c, spot + d, d, nodes[1 - d], &tokens[d]);
    if (!found[UP] && !found[DOWN]) {
        borrowed = true;
        for (uint32_t d = UP; d <= DOWN; d++)
            found[d] = *quotas[d] == 0 && find_tooth(c, spot + d, d, nodes[1 - d], &tokens[d]);
        if (!found[UP] && !found[DOWN])
            return false;
    }
    const uint32_t direction = found[UP] && (!found[DOWN] || *quotas[UP] >= *quotas[DOWN]) ? UP : DOWN;
    const uint32_t token = tokens[direction];
    /* What is left of a receiver's two quotas is what it lacks. */
    uint16_t *quota =
        borrowed ? &c->quota[2 * (direction == UP ? spot + 2 : spot - 1) + 1 - direction] : quotas[direction];
    assert(*quota > 0);
    --*quota;
    c->toothed[nodes[1 - direction] * c->words + token / 64] |= (uint64_t)1 << (token % 64);
    *move = (gfab_comb_move){direction, token};
    return true;
}

/* Chooses a move for every link, from what nodes held before the round. */
static void choose_moves(comb *c)
{
    size_t link = 0; /* as topology.h numbers them: row by row, then column by column */
    for (uint32_t line = 0; line < line_count(c); line++) {
        const uint32_t n = gfab_comb_length(c->plan, line);
        for (uint32_t k = 0; k + 1 < n; k++, link++) {
            const size_t spot = spot_at(c, line, k);
            const bool inward_up = 2 * (k + 1) <= n;
            gfab_comb_move *move = &c->moves[link];
            uint8_t kind = REST;
            if (c->trunk_moves > 0 && path_move(c->trunk, spot, inward_up, move))
                kind = TRUNK;
            else if (path_move(c->spine, spot, inward_up, move))
                kind = SPINE;
            else if (tooth_move(c, line, k, spot, move))
                kind = TOOTH;
            c->kind[link] = kind;
            c->trunk_moves -= kind == TRUNK;
        }
    }
}

/* What arrived: a trunk token goes on, and enters the spine if there is one; a spine token goes on, and is there for
 * the teeth beside it. */
static gfab_status arrive(comb *c, uint32_t line, uint32_t position, uint8_t kind, const gfab_comb_move *move)
{
    if (kind == TOOTH)
        return GFAB_OK;
    if (kind == SPINE) {
        const size_t crossing = spot_at(c, crossing_line(c, line, position), gfab_comb_number(c->plan, line));
        assert(c->known_count[crossing] < c->known_limit);
        c->known[crossing * c->known_limit + c->known_count[crossing]++] = (uint16_t)move->token;
    }
    GFAB_TRY(queue(c, kind == TRUNK ? c->trunk : c->spine, line, position, move->arc, move->token));
    return kind == TRUNK ? enter_spine(c, line, position, move->token) : GFAB_OK;
}

/* Turns the moves' directions into arcs, and leaves out the links that rest. */
static gfab_status apply_moves(comb *c, size_t *count)
{
    size_t link = 0;
    *count = 0;
    for (uint32_t line = 0; line < line_count(c); line++) {
        const uint32_t n = gfab_comb_length(c->plan, line);
        for (uint32_t k = 0; k + 1 < n; k++, link++) {
            if (c->kind[link] == REST)
                continue;
            const gfab_comb_move move = c->moves[link];
            GFAB_TRY(arrive(c, line, k + 1 - move.arc, c->kind[link], &move));
            c->moves[(*count)++] = (gfab_comb_move){2 * (gfab_arc)link + move.arc, move.token};
        }
    }
    return GFAB_OK;
}

/* Runs a plan, of which rounds are expected, to its end or until it has made `last` rounds. sink may be NULL. *made is
 * the number of rounds, UINT32_MAX if it is cut off. */
static gfab_status run(const gfab_comb_plan *plan, uint32_t rounds, uint32_t last, const gfab_solver_options *options,
                       const gfab_comb_sink *sink, uint32_t *made)
{
    GFAB_AT_END(comb_free) comb c = {0};
    gfab_status status = comb_init(&c, plan);
    uint64_t missing = (uint64_t)c.nodes * (c.nodes - 1);
    uint32_t round = 0;
    while (status == GFAB_OK && missing > 0 && round < last) {
        size_t count = 0;
        round++;
        choose_moves(&c);
        status = apply_moves(&c, &count);
        missing -= count;
        if (status == GFAB_OK && count == 0)
            status = GFAB_ERR_FAULT;
        if (status == GFAB_OK && sink)
            status = sink->round(sink->context, round, c.moves, count);
        GFAB_THEN(status, gfab_solver_report(options, "rounds", round, rounds));
    }
    *made = missing > 0 ? UINT32_MAX : round;
    return status;
}

static uint64_t rounds_of(uint64_t n)
{
    return n * (n + 1) / 2;
}

/* Of the starts that balance at the smallest number of rounds, from the count bound on, the one that takes fewest:
 * balanced lines may still idle. *made is its rounds. */
static gfab_status balance(gfab_comb_plan *plan, const gfab_solver_options *options, uint32_t *made)
{
    const uint64_t nodes = (uint64_t)plan->rows * plan->columns, moves = nodes * (nodes - 1);
    const uint64_t links = 2 * nodes - plan->rows - plan->columns, bound = (moves + links - 1) / links;
    uint64_t best_target = 0, tried = 0;
    uint32_t best_start = 0;
    *made = UINT32_MAX;
    for (uint64_t target = bound; *made > target && tried < TRIED_MOVES; target++)
        for (uint32_t start = 0; start<GFAB_COMB_STARTS && * made> target && tried < TRIED_MOVES; start++) {
            if (!gfab_comb_plan_balance(plan, start, target))
                continue;
            uint32_t rounds;
            GFAB_TRY(run(plan, (uint32_t)target, *made - 1, options, NULL, &rounds));
            tried += moves;
            if (rounds < *made) {
                *made = rounds;
                best_start = start;
                best_target = target;
            }
        }
    return gfab_comb_plan_balance(plan, best_start, best_target) ? GFAB_OK : GFAB_ERR_FAULT;
}

static gfab_status make_plan(gfab_comb_plan *plan, const gfab_solver_options *options, uint32_t *rounds)
{
    if (plan->rows != plan->columns)
        return balance(plan, options, rounds);
    gfab_comb_plan_square(plan);
    *rounds = (uint32_t)rounds_of(plan->rows);
    return GFAB_OK;
}

static gfab_status build_comb(const gfab_topology *topology, const gfab_solver_options *options,
                              const gfab_comb_sink *sink, gfab_diag *diag)
{
    const gfab_shape shape = gfab_solver_shape(topology);
    GFAB_AT_END(gfab_comb_plan_free) gfab_comb_plan plan = {0};
    uint32_t rounds = 0, made = 0;
    GFAB_TRY(gfab_comb_plan_init(&plan, shape.lines, shape.side));
    GFAB_TRY(make_plan(&plan, options, &rounds));
    if (options->rounds && rounds > options->rounds)
        return GFAB_REFUSE(diag, "comb makes %u rounds here, more than the %u asked for", (unsigned)rounds,
                           options->rounds);
    GFAB_TRY(run(&plan, rounds, rounds, options, sink, &made));
    if (made != rounds)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "%u rounds are not enough", (unsigned)rounds);
    return GFAB_OK;
}

static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    const gfab_shape shape = gfab_solver_shape(topology);
    if (!gfab_solver_is_for(GFAB_ONLY_H_STAR, model) || shape.kind != GFAB_SHAPE_SQUARE_MESH)
        return GFAB_ERR_UNSUPPORTED;
    *rounds = rounds_of(shape.side);
    return GFAB_OK;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    const gfab_shape shape = gfab_solver_shape(topology);
    if (shape.kind != GFAB_SHAPE_SQUARE_MESH && (shape.kind != GFAB_SHAPE_MESH || shape.lines < 3 || shape.side < 3))
        return GFAB_REFUSE(diag, "comb is for 2x2 and meshes of two sides >= 3, not for %s",
                           gfab_topology_name(topology));
    return GFAB_OK;
}

gfab_status gfab_comb_stream(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             const gfab_comb_sink *sink, gfab_diag *diag)
{
    GFAB_TRY(gfab_solver_applies(&gfab_solver_comb, topology, model, diag));
    gfab_diag reason = {0, ""};
    gfab_status status = build_comb(topology, options, sink, &reason);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "comb: %s", reason.message[0] ? reason.message : gfab_status_string(status));
    return GFAB_OK;
}

static gfab_status append_round(void *schedule, uint32_t round, const gfab_comb_move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++)
        GFAB_TRY(gfab_schedule_append(schedule, round, moves[i].arc, moves[i].token));
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    (void)model;
    return build_comb(topology, options, &(gfab_comb_sink){append_round, schedule}, diag);
}

GFAB_SOLVE(solve, comb, build)

const gfab_solver gfab_solver_comb = {
    .name = "comb",
    .summary = "square meshes in n(n+1)/2 rounds, the count bound; other m x n at it or few above (half, all, p = 1)",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .only = GFAB_ONLY_H_STAR,
};
