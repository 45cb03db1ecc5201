/* SPDX-License-Identifier: MIT */
/* The all-gathers that message-passing libraries use - ring, recursive doubling, Bruck, neighbour exchange - as
 * schedules of meshes and tori, to be compared with. Ranks are the nodes in their order; a message takes the
 * dimension-ordered path (last axis first), on a cycle of an axis the shorter way, up where both are as long. Where
 * paths of a round overlap, the round is split in as many as that takes, each with a startup of its own:
 * docs/theory/startup-cost.md. */
#include "solvers/solvers.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>

/* The rounds of an algorithm before any is split. In a round every rank that sends sends as many blocks as the
 * others. */
typedef struct algorithm {
    uint32_t (*rounds)(uint32_t ranks);
    /* Rounds with the same number have the same senders and receivers. */
    uint32_t (*pattern)(uint32_t round);
    uint32_t (*target)(uint32_t ranks, uint32_t pattern, uint32_t rank);
    /* Blocks *first .. of rank in the round, modulo ranks; the number of them. */
    uint32_t (*blocks)(uint32_t ranks, uint32_t round, uint32_t rank, uint32_t *first);
    uint32_t divisor; /* 1; 2: an even number of ranks; 0: a power of two */
    const gfab_solver *solver;
} algorithm;

static uint32_t ring_rounds(uint32_t n)
{
    return n - 1;
}

static uint32_t ring_pattern(uint32_t round)
{
    (void)round;
    return 0;
}

static uint32_t ring_target(uint32_t n, uint32_t pattern, uint32_t rank)
{
    (void)pattern;
    return rank + 1 < n ? rank + 1 : 0;
}

static uint32_t ring_blocks(uint32_t n, uint32_t round, uint32_t rank, uint32_t *first)
{
    *first = (rank + n - (round - 1)) % n;
    return 1;
}

static const algorithm ring = {ring_rounds, ring_pattern, ring_target, ring_blocks, 1, &gfab_solver_ring};

static uint32_t log_rounds(uint32_t n)
{
    uint32_t rounds = 0;
    while (((uint64_t)1 << rounds) < n)
        rounds++;
    return rounds;
}

static uint32_t log_pattern(uint32_t round)
{
    return round - 1;
}

static uint32_t doubling_target(uint32_t n, uint32_t pattern, uint32_t rank)
{
    (void)n;
    return rank ^ (uint32_t)1 << pattern;
}

static uint32_t doubling_blocks(uint32_t n, uint32_t round, uint32_t rank, uint32_t *first)
{
    (void)n;
    const uint32_t count = (uint32_t)1 << (round - 1);
    *first = rank / count * count;
    return count;
}

static const algorithm doubling = {log_rounds, log_pattern, doubling_target, doubling_blocks, 0, &gfab_solver_doubling};

static uint32_t bruck_target(uint32_t n, uint32_t pattern, uint32_t rank)
{
    const uint32_t distance = (uint32_t)1 << pattern;
    return rank >= distance ? rank - distance : rank + n - distance;
}

static uint32_t bruck_blocks(uint32_t n, uint32_t round, uint32_t rank, uint32_t *first)
{
    const uint32_t count = (uint32_t)1 << (round - 1);
    *first = rank;
    return count < n - count ? count : n - count;
}

static const algorithm bruck = {log_rounds, log_pattern, bruck_target, bruck_blocks, 1, &gfab_solver_bruck};

/* Chen, Sun & Yuan 2005: ranks 2i and 2i + 1 exchange their blocks; then everyone exchanges with its two neighbours in
 * turn the pair of blocks that came last. */
static uint32_t neighbour_rounds(uint32_t n)
{
    return n / 2;
}

static uint32_t neighbour_pattern(uint32_t round)
{
    return (round - 1) % 2;
}

static uint32_t neighbour_target(uint32_t n, uint32_t pattern, uint32_t rank)
{
    if (rank % 2 == pattern)
        return rank + 1 < n ? rank + 1 : 0;
    return rank ? rank - 1 : n - 1;
}

static uint32_t neighbour_blocks(uint32_t n, uint32_t round, uint32_t rank, uint32_t *first)
{
    *first = rank;
    if (round == 1)
        return 1;
    /* An even rank got pairs from the left in even rounds, 1, 2, .. pairs away, from the right in odd ones. */
    const uint32_t away = round % 2 ? (round - 1) / 2 : (round - 2) / 2, pairs = n / 2, own = rank / 2;
    const bool left = (round % 2 == 1) == (rank % 2 == 0);
    *first = 2 * (left ? (own + pairs - away) % pairs : (own + away) % pairs);
    return 2;
}

static const algorithm neighbour = {neighbour_rounds,      neighbour_pattern, neighbour_target, neighbour_blocks, 2,
                                    &gfab_solver_neighbour};

/* The links, and how the rounds of a pattern are split. */
typedef struct grid {
    uint32_t ranks;
    size_t axes;
    uint32_t side[GFAB_MAX_DIMENSIONS], stride[GFAB_MAX_DIMENSIONS];
    bool torus;
    gfab_arc *arcs; /* [(2 * axis + down) * ranks + node] */
    size_t arc_count;
    uint32_t *part[2];   /* of the last pattern of each parity: which of the rounds it is split in, for each rank */
    uint32_t parts[2];   /* how many there are */
    uint32_t pattern[2]; /* UINT32_MAX: none yet */
    gfab_arc *path;
    gfab_arena arena;
} grid;
GFAB_HOLDS_ARENA(grid)

static gfab_status grid_init(grid *g, const gfab_topology *topology)
{
    *g = (grid){.ranks = (uint32_t)gfab_topology_node_count(topology),
                .axes = gfab_topology_dimensions(topology),
                .torus = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS,
                .arc_count = 2 * gfab_topology_link_count(topology),
                .pattern = {UINT32_MAX, UINT32_MAX}};
    const size_t n = g->ranks;
    g->arcs = gfab_arena_zeroed(&g->arena, 2 * g->axes * n, sizeof *g->arcs);
    GFAB_ARRAYS(&g->arena, n, g->part[0], g->part[1], g->path);
    GFAB_NEED(!g->arena.failed);
    uint32_t stride = 1;
    for (size_t axis = g->axes; axis-- > 0; stride *= g->side[axis]) {
        const uint32_t side = g->side[axis] = gfab_topology_side(topology, axis);
        g->stride[axis] = stride;
        for (uint32_t v = 0; v < n; v++) {
            const uint32_t c = v / stride % side, up = c + 1 < side ? v + stride : v - c * stride;
            if (c + 1 == side && (!g->torus || side < 3))
                continue;
            const gfab_arc *row = g->arcs + 2 * axis * n;
            if (!gfab_topology_find_arc(topology, v, up, &g->arcs[row - g->arcs + v]) ||
                !gfab_topology_find_arc(topology, up, v, &g->arcs[row - g->arcs + n + up]))
                return GFAB_ERR_INVALID;
        }
    }
    return GFAB_OK;
}

/* The path into g->path; its length. */
static size_t find_path(const grid *g, uint32_t from, uint32_t to)
{
    size_t length = 0;
    uint32_t at = from;
    for (size_t axis = g->axes; axis-- > 0;) {
        const uint32_t side = g->side[axis], stride = g->stride[axis];
        const uint32_t a = at / stride % side, b = to / stride % side, ahead = (b + side - a) % side;
        const bool down = g->torus && side > 2 ? ahead > side - ahead : b < a;
        const uint32_t steps = down ? side - ahead : ahead;
        for (uint32_t i = 0, c = a; i < (ahead ? steps : 0); i++) {
            g->path[length++] = g->arcs[(2 * axis + down) * g->ranks + at];
            const uint32_t next = down ? (c ? c - 1 : side - 1) : (c + 1 < side ? c + 1 : 0);
            at = at - c * stride + next * stride;
            c = next;
        }
    }
    return length;
}

/* On a cycle all ranks send `distance` up or all down: q = floor(n / distance) of them at once, so ceil(n / q)
 * rounds are needed, and enough: cut in q stretches as long as each other, or one longer, the cycle has one sender
 * at most in the same place of each. */
static uint32_t split_shift(uint32_t n, uint32_t distance, uint32_t *part)
{
    const uint32_t q = n / distance;
    for (uint32_t i = 0; i < q; i++) {
        const uint32_t begin = (uint32_t)((uint64_t)i * n / q), end = (uint32_t)((uint64_t)(i + 1) * n / q);
        for (uint32_t v = begin; v < end; v++)
            part[v] = v - begin;
    }
    return (n + q - 1) / q;
}

/* Ranks one after the other take the first round whose paths leave theirs free. */
static gfab_status split_first_fit(const grid *g, const algorithm *a, uint32_t pattern, uint32_t *part, uint32_t *parts)
{
    for (size_t words = 1;; words *= 2) {
        uint64_t *used = calloc(g->arc_count * words, sizeof *used);
        GFAB_NEED(used);
        bool fits = true;
        *parts = 0;
        for (uint32_t v = 0; v < g->ranks && fits; v++) {
            const size_t length = find_path(g, v, a->target(g->ranks, pattern, v));
            fits = false;
            for (size_t w = 0; w < words && !fits; w++) {
                uint64_t taken = 0;
                for (size_t i = 0; i < length; i++)
                    taken |= used[g->path[i] * words + w];
                if (taken == UINT64_MAX)
                    continue;
                uint32_t bit = 0;
                while (taken >> bit & 1)
                    bit++;
                for (size_t i = 0; i < length; i++)
                    used[g->path[i] * words + w] |= (uint64_t)1 << bit;
                part[v] = (uint32_t)(64 * w) + bit;
                *parts = part[v] < *parts ? *parts : part[v] + 1;
                fits = true;
            }
        }
        free(used);
        if (fits)
            return GFAB_OK;
    }
}

/* On one axis Bruck and recursive doubling have paths of many links, all alike: their split is known. */
static gfab_status split(grid *g, const algorithm *a, uint32_t pattern)
{
    const size_t at = pattern % 2;
    const uint32_t n = g->ranks;
    if (g->pattern[at] == pattern)
        return GFAB_OK;
    g->pattern[at] = pattern;
    size_t axes = 0;
    for (size_t i = 0; i < g->axes; i++)
        axes += g->side[i] > 1;
    uint32_t *part = g->part[at];
    const uint32_t distance = pattern < 31 ? (uint32_t)1 << pattern : 0;
    if (axes > 1 || (a != &bruck && a != &doubling))
        return split_first_fit(g, a, pattern, part, &g->parts[at]);
    const uint32_t shorter = distance < n - distance ? distance : n - distance;
    if (a == &bruck && g->torus && n > 2) {
        g->parts[at] = split_shift(n, shorter, part);
        return GFAB_OK;
    }
    /* Of doubling the lower half of a stretch of 2 * distance ranks, all of it at once, crosses its middle. On a path
     * Bruck's ranks go down `distance`, those below it up n - distance. */
    for (uint32_t v = 0; v < n; v++)
        part[v] = a == &doubling ? v % distance : v < distance ? v % shorter : (v - distance) % shorter;
    g->parts[at] = shorter;
    return GFAB_OK;
}

static gfab_status library_applies(const algorithm *a, const gfab_topology *topology, const gfab_model *model,
                                   gfab_diag *diag)
{
    const char *name = a->solver->name;
    const uint32_t n = (uint32_t)gfab_topology_node_count(topology);
    if (gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH)
        return GFAB_REFUSE(diag, "%s is for meshes and tori, not for %s", name, gfab_topology_name(topology));
    if (a->divisor == 0 ? (n & (n - 1)) != 0 : n % a->divisor != 0)
        return GFAB_REFUSE(diag, "%s is for %s of nodes, not for %u", name,
                           a->divisor ? "an even number" : "a power of two", n);
    for (uint32_t round = 1; round <= a->rounds(n); round++) {
        uint32_t first;
        const uint32_t blocks = a->blocks(n, round, 0, &first);
        if (blocks > model->packet_tokens)
            return GFAB_REFUSE(diag, "%s sends packets of %u tokens here, more than the %u allowed", name, blocks,
                               model->packet_tokens);
    }
    return GFAB_OK;
}

static gfab_status library_cost(const algorithm *a, const gfab_topology *topology, const gfab_model *model,
                                const gfab_solver_options *options, gfab_cost *cost, gfab_diag *diag)
{
    GFAB_AT_END(grid_release) grid g = {0};
    GFAB_TRY(gfab_solver_applies(a->solver, topology, model, diag));
    GFAB_TRY(gfab_solver_check_options(a->solver, options, diag));
    gfab_status status = grid_init(&g, topology);
    *cost = (gfab_cost){.parts = 1};
    for (uint32_t round = 1; round <= a->rounds(g.ranks) && status == GFAB_OK; round++) {
        const uint32_t pattern = a->pattern(round);
        uint32_t first;
        status = split(&g, a, pattern);
        cost->startups += g.parts[pattern % 2];
        cost->transfers += (uint64_t)g.parts[pattern % 2] * a->blocks(g.ranks, round, 0, &first);
    }
    return status == GFAB_OK ? status
                             : gfab_fail(diag, 0, status, "%s: %s", a->solver->name, gfab_status_string(status));
}

/* One round of the algorithm, in as many rounds of the schedule as it is split in. */
static gfab_status append_round(const grid *g, const algorithm *a, uint32_t round, uint32_t *last, uint32_t *tokens,
                                gfab_schedule *schedule)
{
    const uint32_t pattern = a->pattern(round), *part = g->part[pattern % 2], parts = g->parts[pattern % 2];
    for (uint32_t p = 0; p < parts; p++) {
        ++*last;
        for (uint32_t v = 0; v < g->ranks; v++) {
            if (part[v] != p)
                continue;
            uint32_t first;
            const uint32_t count = a->blocks(g->ranks, round, v, &first);
            for (uint32_t i = 0; i < count; i++)
                tokens[i] = (first + i) % g->ranks;
            const size_t length = find_path(g, v, a->target(g->ranks, pattern, v));
            GFAB_TRY(gfab_schedule_append_packet(schedule, *last, g->path, length, tokens, count));
        }
    }
    return GFAB_OK;
}

static gfab_status library_build(const algorithm *a, const gfab_topology *topology, const gfab_solver_options *options,
                                 gfab_schedule *schedule)
{
    GFAB_AT_END(grid_release) grid g = {0};
    GFAB_TRY(grid_init(&g, topology));
    GFAB_FREED uint32_t *tokens = malloc((size_t)g.ranks * sizeof *tokens);
    uint32_t last = 0;
    GFAB_NEED(tokens);
    for (uint32_t round = 1; round <= a->rounds(g.ranks); round++) {
        GFAB_TRY(split(&g, a, a->pattern(round)));
        GFAB_TRY(append_round(&g, a, round, &last, tokens, schedule));
        GFAB_TRY(gfab_solver_report(options, "rounds", round, a->rounds(g.ranks)));
    }
    return GFAB_OK;
}

/* title, says, by: the row's name, summary and source. */
#define LIBRARY_SOLVER(id, title, says, by)                                                                     \
    static gfab_status id##_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)    \
    {                                                                                                           \
        return library_applies(&id, topology, model, diag);                                                     \
    }                                                                                                           \
    static gfab_status id##_build(const gfab_topology *topology, const gfab_model *model,                       \
                                  const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag) \
    {                                                                                                           \
        (void)model;                                                                                            \
        (void)diag;                                                                                             \
        return library_build(&id, topology, options, schedule);                                                 \
    }                                                                                                           \
    GFAB_SOLVE(id##_solve, id, id##_build)                                                                      \
    static gfab_status id##_cost(const gfab_topology *topology, const gfab_model *model,                        \
                                 const gfab_solver_options *options, gfab_cost *cost, gfab_diag *diag)          \
    {                                                                                                           \
        return library_cost(&id, topology, model, options, cost, diag);                                         \
    }                                                                                                           \
    const gfab_solver gfab_solver_##id = {                                                                      \
        .name = title,                                                                                          \
        .summary = says,                                                                                        \
        .source = by,                                                                                           \
        .applies = id##_applies,                                                                                \
        .solve = id##_solve,                                                                                    \
        .cost = id##_cost,                                                                                      \
        .only = GFAB_ONLY_FULL | GFAB_ONLY_CIRCUIT | GFAB_ONLY_ONE_ROUND,                                       \
    };

LIBRARY_SOLVER(ring, "ring", "libraries' ring: each node passes on, to the next one, what came last", "folklore")
LIBRARY_SOLVER(doubling, "recursive-doubling",
               "libraries' recursive doubling, powers of two; overlapping paths one after the other", "folklore")
LIBRARY_SOLVER(bruck, "bruck", "libraries' Bruck all-gather; overlapping paths one after the other",
               "Bruck, Ho, Kipnis, Upfal & Weathersby 1997")
LIBRARY_SOLVER(neighbour, "neighbour-exchange",
               "libraries' neighbour exchange, even numbers of nodes: pairs of blocks, left and right in turn",
               "Chen, Sun & Yuan 2005")
