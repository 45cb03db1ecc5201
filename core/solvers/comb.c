/* SPDX-License-Identifier: MIT */
/* Gossip on a square mesh in n(n+1)/2 rounds, the count bound: no link idles in any round and no token comes twice.
 * docs/optimal-gossip.md has the construction and its proof; the names here are its names.
 *
 * Source (a, b), row and column. If a + b is even, its trunk is row a, its spines are columns; else its trunk is column
 * b, its spines are rows: the lines of parity q that cross the trunk. What is left gets the token by one tooth move
 * along the trunk's axis, from a spine next to it. */
#include "solvers.h"

#include <assert.h>
#include <stdlib.h>

enum { UP = 0, DOWN = 1 }; /* to the next position of a line, to the previous one: the direction bit of an arc */

/* Lines: rows 0 .. n - 1, then columns. Link k of a line is between positions k and k + 1. Spots are positions of
 * lines, line * n + position: each node has two, one in its row and one in its column. */
typedef struct comb {
    uint32_t n;
    gfab_fifo *spine; /* [2 * spot + direction]: spine tokens to send on */
    uint16_t *known;  /* [spot * known_limit ...]: tokens that the spot's neighbours in its line may lack */
    size_t known_limit;
    uint16_t *known_count; /* [spot] */
    uint16_t *next;        /* [2 * spot + direction]: the first of known that may be sent that way */
    uint16_t *quota;       /* [2 * spot + direction]: teeth the spot still sends that way */
    uint64_t *toothed;     /* [node * words ...]: a bit set of the tokens that came as teeth */
    size_t words;
    gfab_solver_move *moves; /* of the round at hand, a link at a time */
    uint8_t *is_tooth;       /* [link] */
} comb;

static bool is_column(const comb *c, uint32_t line)
{
    return line >= c->n;
}

static uint32_t node_at(const comb *c, uint32_t line, uint32_t position)
{
    return is_column(c, line) ? position * c->n + (line - c->n) : line * c->n + position;
}

/* The spot of the same node in the line that crosses this one. */
static size_t crossing_spot(const comb *c, uint32_t line, uint32_t position)
{
    const size_t n = c->n;
    return is_column(c, line) ? position * n + (line - n) : (n + position) * n + line;
}

/* Parity of the lines that are the spines of token (a, b). With these cases what a line has to carry of trunks and
 * spines leaves room, on every link, for just the teeth of tooth_quotas. */
static uint32_t spine_parity(uint32_t n, uint32_t a, uint32_t b)
{
    if ((a + b) % 2 == 1)
        return a % 2;
    return n % 2 == 1 && b > 0 ? 1 - b % 2 : b % 2;
}

/* How many teeth come to a position from below (the table's Lo) and from above (Hi). */
static void tooth_quotas(const comb *c, uint32_t line, uint32_t position, uint32_t *from_below, uint32_t *from_above)
{
    const uint32_t m = c->n / 2, r = position / 2, o = position % 2;
    const bool column = is_column(c, line), odd = (column ? line - c->n : line) % 2 == 1;
    if (c->n % 2 == 0) {
        *from_below = odd == column ? r * m : (r + o) * m;
        *from_above = odd == column ? m * (m - r - o) : m * (m - 1 - r);
    } else if (!odd) {
        *from_below = (r + o) * m;
        *from_above = m * (m - r);
    } else if (column) {
        *from_below = r * (m + 1);
        *from_above = (m + 1) * (m - r - o);
    } else {
        *from_below = r * (m + 1) + o;
        *from_above = o ? m * m - r * (m + 1) : (m + 1) * (m - r);
    }
}

static void comb_free(comb *c)
{
    for (size_t i = 0; c->spine && i < 4 * (size_t)c->n * c->n; i++)
        free(c->spine[i].items);
    free(c->spine);
    free(c->known);
    free(c->known_count);
    free(c->next);
    free(c->quota);
    free(c->toothed);
    free(c->moves);
    free(c->is_tooth);
}

static gfab_status comb_init(comb *c, uint32_t n)
{
    const size_t nodes = (size_t)n * n, spots = 2 * nodes, links = 2 * (size_t)n * (n - 1), half = n / 2 + 1;
    assert(nodes <= GFAB_SOLVER_MAX_NODES);
    *c = (comb){.n = n, .known_limit = half * half, .words = (nodes + 63) / 64};
    c->spine = calloc(2 * spots, sizeof *c->spine);
    c->known = malloc(spots * c->known_limit * sizeof *c->known);
    c->known_count = calloc(spots, sizeof *c->known_count);
    c->next = calloc(2 * spots, sizeof *c->next);
    c->quota = calloc(2 * spots, sizeof *c->quota);
    c->toothed = calloc(nodes * c->words, sizeof *c->toothed);
    c->moves = malloc(links * sizeof *c->moves);
    c->is_tooth = calloc(links, sizeof *c->is_tooth);
    if (!c->spine || !c->known || !c->known_count || !c->next || !c->quota || !c->toothed || !c->moves || !c->is_tooth)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t line = 0; line < 2 * n; line++)
        for (uint32_t position = 0; position < n; position++) {
            const size_t spot = (size_t)line * n + position;
            uint32_t below, above;
            tooth_quotas(c, line, position, &below, &above);
            assert(position > 0 || below == 0);
            assert(position + 1 < n || above == 0);
            if (position > 0)
                c->quota[2 * (spot - 1) + UP] = (uint16_t)below;
            if (position + 1 < n)
                c->quota[2 * (spot + 1) + DOWN] = (uint16_t)above;
        }
    return GFAB_OK;
}

static gfab_status queue_spine(comb *c, size_t spot, uint32_t token, bool up, bool down)
{
    const size_t position = spot % c->n;
    gfab_status status = GFAB_OK;
    if (up && position + 1 < c->n)
        status = gfab_fifo_push(&c->spine[2 * spot + UP], token);
    if (status == GFAB_OK && down && position > 0)
        status = gfab_fifo_push(&c->spine[2 * spot + DOWN], token);
    return status;
}

/* A source that lies on one of its own spines. */
static gfab_status queue_sources(comb *c)
{
    gfab_status status = GFAB_OK;
    for (uint32_t a = 0; a < c->n; a++)
        for (uint32_t b = 0; b < c->n && status == GFAB_OK; b++) {
            const bool row_trunk = (a + b) % 2 == 0;
            if ((row_trunk ? b : a) % 2 == spine_parity(c->n, a, b))
                status = queue_spine(c, crossing_spot(c, row_trunk ? a : c->n + b, row_trunk ? b : a), a * c->n + b,
                                     true, true);
        }
    return status;
}

/* Trunk tokens of a line start at positions of one parity, all in round 1, and move a link a round: over link k they
 * come from k + 1 - round and from k + round, which have different parities. */
static bool trunk_move(const comb *c, uint32_t line, uint32_t k, uint32_t round, gfab_solver_move *move)
{
    const uint32_t parity = (is_column(c, line) ? line - c->n + 1 : line) % 2;
    if (round <= k + 1 && (k + 1 - round) % 2 == parity)
        *move = (gfab_solver_move){UP, node_at(c, line, k + 1 - round)};
    else if (k + round < c->n && (k + round) % 2 == parity)
        *move = (gfab_solver_move){DOWN, node_at(c, line, k + round)};
    else
        return false;
    return true;
}

static bool spine_move(const comb *c, size_t spot, uint32_t k, gfab_solver_move *move)
{
    gfab_fifo *up = &c->spine[2 * spot + UP], *down = &c->spine[2 * (spot + 1) + DOWN];
    const bool inward_up = 2 * (k + 1) <= c->n;
    if (up->count && (inward_up || !down->count))
        *move = (gfab_solver_move){UP, gfab_fifo_pop(up)};
    else if (down->count)
        *move = (gfab_solver_move){DOWN, gfab_fifo_pop(down)};
    else
        return false;
    return true;
}

/* The first token that a spot knows and the receiver lacks; what the receiver has is passed over for good. */
static bool find_tooth(const comb *c, size_t spot, uint32_t direction, uint32_t receiver, uint32_t *token)
{
    const size_t way = 2 * spot + direction;
    const uint64_t *has = c->toothed + receiver * c->words;
    if (c->quota[way] == 0)
        return false;
    for (; c->next[way] < c->known_count[spot]; c->next[way]++) {
        *token = c->known[spot * c->known_limit + c->next[way]];
        if (!(has[*token / 64] >> (*token % 64) & 1))
            return true;
    }
    return false;
}

/* Of two directions that both have a tooth to send, the one with more of them left. */
static bool tooth_move(const comb *c, uint32_t line, uint32_t k, size_t spot, gfab_solver_move *move)
{
    const uint32_t nodes[2] = {node_at(c, line, k), node_at(c, line, k + 1)};
    uint32_t tokens[2];
    const bool up = find_tooth(c, spot, UP, nodes[1], &tokens[UP]);
    const bool down = find_tooth(c, spot + 1, DOWN, nodes[0], &tokens[DOWN]);
    if (!up && !down)
        return false;
    const uint32_t direction = up && (!down || c->quota[2 * spot + UP] >= c->quota[2 * (spot + 1) + DOWN]) ? UP : DOWN;
    const uint32_t token = tokens[direction];
    c->quota[2 * (spot + direction) + direction]--;
    c->toothed[nodes[1 - direction] * c->words + token / 64] |= (uint64_t)1 << (token % 64);
    *move = (gfab_solver_move){direction, token};
    return true;
}

/* Chooses a move for every link, from what nodes held before the round. */
static gfab_status choose_moves(comb *c, uint32_t round, gfab_diag *diag)
{
    size_t link = 0; /* as topology.h numbers them: row by row, then column by column */
    for (uint32_t line = 0; line < 2 * c->n; line++)
        for (uint32_t k = 0; k + 1 < c->n; k++, link++) {
            const size_t spot = (size_t)line * c->n + k;
            gfab_solver_move *move = &c->moves[link];
            c->is_tooth[link] = false;
            if (trunk_move(c, line, k, round, move) || spine_move(c, spot, k, move))
                continue;
            c->is_tooth[link] = true;
            if (!tooth_move(c, line, k, spot, move))
                return gfab_fail(diag, 0, GFAB_ERR_FAULT, "link %zu has nothing to send in round %u", link, round);
        }
    return GFAB_OK;
}

/* What arrived in the round: a trunk token enters the spine, if there is one; a spine token goes on, and is there for
 * the teeth beside it. Turns the moves' directions into arcs. */
static gfab_status apply_moves(comb *c)
{
    gfab_status status = GFAB_OK;
    size_t link = 0;
    for (uint32_t line = 0; line < 2 * c->n; line++)
        for (uint32_t k = 0; k + 1 < c->n && status == GFAB_OK; k++, link++) {
            gfab_solver_move *move = &c->moves[link];
            const uint32_t token = move->token, direction = move->arc;
            const uint32_t position = k + 1 - direction;
            move->arc = 2 * (gfab_arc)link + direction;
            if (c->is_tooth[link])
                continue;
            const size_t crossing = crossing_spot(c, line, position);
            const uint32_t a = token / c->n, b = token % c->n;
            if (((a + b) % 2 == 0) == !is_column(c, line)) {
                if (position % 2 == spine_parity(c->n, a, b))
                    status = queue_spine(c, crossing, token, true, true);
            } else {
                assert(c->known_count[crossing] < c->known_limit);
                c->known[crossing * c->known_limit + c->known_count[crossing]++] = (uint16_t)token;
                status = queue_spine(c, (size_t)line * c->n + position, token, direction == UP, direction == DOWN);
            }
        }
    return status;
}

static uint64_t rounds_of(uint64_t n)
{
    return n * (n + 1) / 2;
}

static bool formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    const gfab_shape shape = gfab_solver_shape(topology);
    if (!gfab_solver_is_h_star(model) || shape.kind != GFAB_SHAPE_SQUARE_MESH)
        return false;
    *rounds = rounds_of(shape.side);
    return true;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const gfab_status status = gfab_solver_check_h_star(topology, model, "comb", diag);
    if (status != GFAB_OK)
        return status;
    if (gfab_solver_shape(topology).kind != GFAB_SHAPE_SQUARE_MESH)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "comb is for square meshes, not for %s",
                         gfab_topology_name(topology));
    return GFAB_OK;
}

static gfab_status run(uint32_t n, const gfab_solver_options *options, const gfab_solver_sink *sink, gfab_diag *diag)
{
    const uint32_t rounds = (uint32_t)rounds_of(n);
    comb c;
    gfab_status status = comb_init(&c, n);
    if (status == GFAB_OK)
        status = queue_sources(&c);
    for (uint32_t round = 1; status == GFAB_OK && round <= rounds; round++) {
        status = choose_moves(&c, round, diag);
        if (status == GFAB_OK)
            status = apply_moves(&c);
        if (status == GFAB_OK)
            status = sink->round(sink->context, round, c.moves, 2 * (size_t)n * (n - 1));
        if (status == GFAB_OK)
            status = gfab_solver_report(options, "rounds", round, rounds);
    }
    comb_free(&c);
    return status;
}

static gfab_status stream(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                          const gfab_solver_sink *sink, gfab_diag *diag)
{
    gfab_status status = applies(topology, model, diag);
    if (status != GFAB_OK)
        return status;
    const uint32_t n = gfab_solver_shape(topology).side;
    if (options->rounds && rounds_of(n) > options->rounds)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "comb makes %u rounds here, more than the %u asked for",
                         (unsigned)rounds_of(n), options->rounds);
    gfab_diag reason = {0, ""};
    status = run(n, options, sink, &reason);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "comb: %s", reason.message[0] ? reason.message : gfab_status_string(status));
    return GFAB_OK;
}

static gfab_status append_round(void *schedule, uint32_t round, const gfab_solver_move *moves, size_t count)
{
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < count && status == GFAB_OK; i++)
        status = gfab_schedule_append(schedule, round, moves[i].arc, moves[i].token);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    (void)model;
    return run(gfab_solver_shape(topology).side, options, &(gfab_solver_sink){append_round, schedule}, diag);
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_comb, build, topology, model, options, schedule, diag);
}

const gfab_solver gfab_solver_comb = {
    .name = "comb",
    .summary = "square meshes at the count bound, n(n+1)/2 rounds, no link ever idle (half, all, p = 1)",
    .source = "gossipfab, docs/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .stream = stream,
};
