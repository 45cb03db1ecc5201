/* SPDX-License-Identifier: MIT */
/* The algorithms: docs/theory/library-algorithms.md has the source of each. All but the last few spread pieces: piece o
 * is what rank o starts with, in an all-gather, or is its share of the vector, in a broadcast that scatters first. Read
 * backwards they collect. */
#include "library_plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- pieces: who has which ---- */

/* The blocks of piece o: B / N of them, of which those of way k of `ways` are the k-th, the (k + ways)-th .. */
typedef struct pieces {
    const gfab_goal *goal;
    uint32_t ranks, ways;
    size_t words;
    uint64_t *has, *next; /* [way][rank][words]: which pieces it has before and after the step */
} pieces;

static gfab_status pieces_init(pieces *p, uint32_t ranks, const gfab_goal *goal, uint32_t ways)
{
    const uint32_t each = goal->blocks / ranks;
    *p = (pieces){.goal = goal, .ranks = ranks, .ways = ways < each ? ways : each, .words = (ranks + 63) / 64};
    p->has = calloc(p->ways * (size_t)ranks * p->words, sizeof *p->has);
    p->next = calloc(p->ways * (size_t)ranks * p->words, sizeof *p->next);
    return p->has && p->next ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static void pieces_free(pieces *p)
{
    GFAB_FREE(p->has, p->next);
}

static uint64_t *set_of(const pieces *p, uint64_t *sets, uint32_t way, uint32_t rank)
{
    return sets + ((size_t)way * p->ranks + rank) * p->words;
}

static bool has_piece(const pieces *p, uint32_t way, uint32_t rank, uint32_t piece)
{
    return set_of(p, p->has, way, rank)[piece / 64] >> piece % 64 & 1;
}

static void give_piece(const pieces *p, uint64_t *sets, uint32_t way, uint32_t rank, uint32_t piece)
{
    set_of(p, sets, way, rank)[piece / 64] |= (uint64_t)1 << piece % 64;
}

/* Everybody has its own. */
static void own_pieces(pieces *p)
{
    for (uint32_t way = 0; way < p->ways; way++)
        for (uint32_t r = 0; r < p->ranks; r++) {
            give_piece(p, p->has, way, r, r);
            give_piece(p, p->next, way, r, r);
        }
}

/* A piece for the message that is open, unless the receiver has it, or gets it in this step. */
static gfab_status carry_piece(pieces *p, gfab_library_plan *plan, uint32_t way, uint32_t piece)
{
    const gfab_library_message *m = &plan->messages[plan->message_count - 1];
    const uint32_t each = p->goal->blocks / p->ranks;
    if (!has_piece(p, way, m->from, piece) || set_of(p, p->next, way, m->to)[piece / 64] >> piece % 64 & 1)
        return GFAB_OK;
    give_piece(p, p->next, way, m->to, piece);
    for (uint32_t i = way; i < each; i += p->ways)
        GFAB_TRY(gfab_library_carry(plan, piece * each + i));
    return GFAB_OK;
}

/* A message of all that the sender has and the receiver lacks. */
static gfab_status send_all(pieces *p, gfab_library_plan *plan, uint32_t way, uint32_t from, uint32_t to)
{
    GFAB_TRY(gfab_library_send(plan, from, to));
    for (uint32_t piece = 0; piece < p->ranks; piece++)
        GFAB_TRY(carry_piece(p, plan, way, piece));
    return GFAB_OK;
}

static gfab_status end_step(pieces *p, gfab_library_plan *plan)
{
    memcpy(p->has, p->next, p->ways * (size_t)p->ranks * p->words * sizeof *p->has);
    return gfab_library_end_step(plan);
}

static gfab_status check_complete(const pieces *p, const char *name, gfab_diag *diag)
{
    for (uint32_t way = 0; way < p->ways; way++)
        for (uint32_t r = 0; r < p->ranks; r++)
            for (uint32_t piece = 0; piece < p->ranks; piece++)
                if (!has_piece(p, way, r, piece))
                    return GFAB_REFUSE(diag, "%s does not reach every rank of %u", name, p->ranks);
    return GFAB_OK;
}

static gfab_status finish(pieces *p, gfab_status status, const char *name, gfab_diag *diag)
{
    GFAB_THEN(status, check_complete(p, name, diag));
    pieces_free(p);
    return status;
}

/* ---- peers: doubling, Rabenseifner, Swing ---- */

static uint32_t steps_of(const gfab_library_ranks *at)
{
    uint32_t steps = 0;
    for (uint32_t axis = 0; axis < at->axes; axis++)
        steps += gfab_library_log_of(at->side[axis]);
    return steps;
}

/* The last step's peers first: so the long messages go to the nearest. */
static gfab_status plan_swing(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                              gfab_diag *diag)
{
    pieces p;
    GFAB_TRY(gfab_library_check_powers(at, "swing", diag));
    gfab_status status = pieces_init(&p, at->ranks, goal, 2 * at->axes);
    if (status == GFAB_OK)
        own_pieces(&p);
    for (uint32_t k = steps_of(at); k-- > 0 && status == GFAB_OK;) {
        for (uint32_t way = 0; way < p.ways && status == GFAB_OK; way++)
            for (uint32_t r = 0; r < at->ranks && status == GFAB_OK; r++)
                status = send_all(&p, plan, way, r, gfab_library_swing_peer(at, way, k, r));
        GFAB_THEN(status, end_step(&p, plan));
    }
    return finish(&p, status, "swing", diag);
}

static gfab_status plan_bits(const gfab_library_ranks *at, const gfab_goal *goal, bool rising, const char *name,
                             gfab_library_plan *plan, gfab_diag *diag)
{
    pieces p;
    const uint32_t steps = gfab_library_log_of(at->ranks);
    if (!gfab_library_is_power_of_two(at->ranks))
        return GFAB_REFUSE(diag, "%s is for powers of two, not for %u ranks", name, at->ranks);
    gfab_status status = pieces_init(&p, at->ranks, goal, 1);
    if (status == GFAB_OK)
        own_pieces(&p);
    for (uint32_t k = 0; k < steps && status == GFAB_OK; k++) {
        const uint32_t bit = (uint32_t)1 << (rising ? k : steps - 1 - k);
        for (uint32_t r = 0; r < at->ranks && status == GFAB_OK; r++)
            status = send_all(&p, plan, 0, r, r ^ bit);
        GFAB_THEN(status, end_step(&p, plan));
    }
    return finish(&p, status, name, diag);
}

static gfab_status plan_halving(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                gfab_diag *diag)
{
    return plan_bits(at, goal, true, "halving-doubling", plan, diag);
}

static gfab_status plan_rabenseifner(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                     gfab_diag *diag)
{
    return plan_bits(at, goal, false, "rabenseifner", plan, diag);
}

/* ---- rings ---- */

/* Along an axis, all lines at once: what a rank had when the axis began goes once round. Way 2 a + d begins with axis a
 * and goes up or, for d = 1, down. */
static gfab_status go_round(const gfab_library_ranks *at, uint32_t turn, pieces *p, gfab_library_plan *plan)
{
    uint32_t longest = 0;
    const size_t size = p->ways * (size_t)p->ranks * p->words * sizeof *p->has;
    GFAB_FREED uint64_t *begun = malloc(size);
    GFAB_NEED(begun);
    if (begun)
        memcpy(begun, p->has, size);
    for (uint32_t axis = 0; axis < at->axes; axis++)
        longest = at->side[axis] > longest ? at->side[axis] : longest;
    for (uint32_t t = 1; t < longest; t++) {
        for (uint32_t way = 0; way < p->ways; way++) {
            const uint32_t axis = (way / 2 + turn) % at->axes, side = at->side[axis], stride = at->stride[axis];
            for (uint32_t r = 0; r < p->ranks && t < side; r++) {
                const uint32_t c = r / stride % side, line = r - c * stride;
                const uint32_t to = way % 2 ? (c + side - 1) % side : (c + 1) % side;
                const uint32_t source = way % 2 ? (c + t - 1) % side : (c + side - (t - 1)) % side;
                const uint64_t *of = set_of(p, begun, way, line + source * stride);
                GFAB_TRY(gfab_library_send(plan, r, line + to * stride));
                for (uint32_t piece = 0; piece < p->ranks; piece++)
                    if (of[piece / 64] >> piece % 64 & 1)
                        GFAB_TRY(carry_piece(p, plan, way, piece));
            }
        }
        GFAB_TRY(end_step(p, plan));
    }
    return GFAB_OK;
}

static gfab_status plan_bucket(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                               gfab_diag *diag)
{
    pieces p;
    gfab_status status = pieces_init(&p, at->ranks, goal, 2 * at->axes);
    if (status == GFAB_OK)
        own_pieces(&p);
    for (uint32_t turn = 0; turn < at->axes && status == GFAB_OK; turn++)
        status = go_round(at, turn, &p, plan);
    return finish(&p, status, "bucket", diag);
}

static gfab_status plan_ring(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                             gfab_diag *diag)
{
    const gfab_library_ranks line = {.ranks = at->ranks, .axes = 1, .side = {at->ranks}, .stride = {1}};
    pieces p;
    gfab_status status = pieces_init(&p, at->ranks, goal, 2);
    if (status == GFAB_OK)
        own_pieces(&p);
    GFAB_THEN(status, go_round(&line, 0, &p, plan));
    return finish(&p, status, "ring", diag);
}

/* ---- Bruck ---- */

static gfab_status plan_bruck(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                              gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    pieces p;
    gfab_status status = pieces_init(&p, n, goal, 2);
    if (status == GFAB_OK)
        own_pieces(&p);
    for (uint32_t distance = 1; distance < n && status == GFAB_OK; distance *= 2) {
        for (uint32_t way = 0; way < p.ways; way++)
            for (uint32_t r = 0; r < n && status == GFAB_OK; r++)
                status = send_all(&p, plan, way, r, way ? (r + distance) % n : (r + n - distance) % n);
        GFAB_THEN(status, end_step(&p, plan));
    }
    return finish(&p, status, "bruck", diag);
}

/* Block u N + v, v at distance d from u, goes 2^j ranks on in step j where d has that bit. */
static gfab_status plan_bruck_pairs(const gfab_library_ranks *at, gfab_library_plan *plan)
{
    const uint32_t n = at->ranks;
    plan->kind = GFAB_LIBRARY_MOVE;
    for (uint32_t bit = 1; bit < n; bit *= 2) {
        for (uint32_t r = 0; r < n; r++) {
            GFAB_TRY(gfab_library_send(plan, r, (r + bit) % n));
            for (uint32_t d = 1; d < n; d++) {
                const uint32_t u = (r + n - d % bit) % n;
                if (d & bit)
                    GFAB_TRY(gfab_library_carry(plan, u * n + (u + d) % n));
            }
        }
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}

static gfab_status plan_bruck_any(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                  gfab_diag *diag)
{
    return goal->collective == GFAB_ALL_TO_ALL ? plan_bruck_pairs(at, plan) : plan_bruck(at, goal, plan, diag);
}

static gfab_status plan_pairwise(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                 gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    (void)goal;
    (void)diag;
    plan->kind = GFAB_LIBRARY_MOVE;
    for (uint32_t d = 1; d < n; d++) {
        for (uint32_t r = 0; r < n; r++) {
            GFAB_TRY(gfab_library_send(plan, r, (r + d) % n));
            GFAB_TRY(gfab_library_carry(plan, r * n + (r + d) % n));
        }
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}

/* ---- below switches: everybody to everybody, by levels ---- */

/* What a piece has before it at a place: how many of its digits, its places in the groups, are others than where it
 * began, and the lowest of these; levels: none. */
static uint32_t compare_places(const gfab_library_ranks *at, uint32_t levels, uint32_t a, uint32_t b, uint32_t *lowest)
{
    uint32_t others = 0;
    *lowest = levels;
    for (uint32_t level = 0; level < levels; level++) {
        const uint32_t side = levels == 1 ? at->ranks : at->within[level];
        if (a % side != b % side) {
            *lowest = others ? *lowest : level;
            others++;
        }
        a /= side;
        b /= side;
    }
    return others;
}

/* A message, or as many as the blocks need, of the pieces that came to a place in the step before, and have levels
 * below before them: the highest level where it came from another group is gone over first. */
static gfab_status send_on(const gfab_library_ranks *at, uint32_t levels, uint32_t step, uint32_t level, uint32_t place,
                           uint32_t to, pieces *p, gfab_library_plan *plan)
{
    const uint32_t each = p->goal->blocks / p->ranks;
    uint32_t left = 0, lowest;
    const uint32_t first = step ? 0 : place, end = step ? p->ranks : place + 1; /* at first one's own alone */
    for (uint32_t origin = first; origin < end; origin++) {
        if (compare_places(at, levels, origin, place, &lowest) != step || lowest <= level)
            continue;
        give_piece(p, p->next, 0, at->rank[to], at->rank[origin]);
        for (uint32_t i = 0; i < each; i++) {
            if (left == 0)
                GFAB_TRY(gfab_library_send(plan, at->rank[place], at->rank[to]));
            GFAB_TRY(gfab_library_carry(plan, at->rank[origin] * each + i));
            left = (left ? left : at->tokens) - 1;
        }
    }
    return GFAB_OK;
}

/* Everybody sends what is new to it to all others of its groups, at all levels at once: first to the next one of all,
 * so that what goes at once comes from and to different ranks. The highest levels first, whose links are few. */
static gfab_status spread_levels(const gfab_library_ranks *at, uint32_t levels, pieces *p, gfab_library_plan *plan)
{
    for (uint32_t step = 0; step < levels; step++) {
        uint32_t stride = at->ranks;
        for (uint32_t level = levels; level-- > 0;) {
            const uint32_t side = levels == 1 ? at->ranks : at->within[level];
            stride /= side;
            for (uint32_t d = 1; d < side; d++)
                for (uint32_t place = 0; place < at->ranks; place++) {
                    const uint32_t c = place / stride % side;
                    GFAB_TRY(
                        send_on(at, levels, step, level, place, place - c * stride + (c + d) % side * stride, p, plan));
                }
        }
        GFAB_TRY(end_step(p, plan));
    }
    return GFAB_OK;
}

/* The rank at a place of a ring: through the lowest groups one after the other, from a place to the one before it, that
 * of the ring's number. So each ring leaves the groups by another rank, and its links. */
static uint32_t rank_in_ring(const gfab_library_ranks *at, uint32_t ring, uint32_t place)
{
    const uint32_t side = at->within[0];
    return at->rank[place / side * side + (ring + 1 + place % side) % side];
}

static gfab_status plan_rings(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                              gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    pieces p;
    if (at->levels < 2)
        return GFAB_REFUSE(diag, "rings is for ranks in groups of equal size");
    gfab_status status = pieces_init(&p, n, goal, at->within[0]);
    if (status == GFAB_OK)
        own_pieces(&p);
    for (uint32_t t = 0; t + 1 < n && status == GFAB_OK; t++) {
        for (uint32_t way = 0; way < p.ways; way++)
            for (uint32_t i = 0; i < n && status == GFAB_OK; i++) {
                status = gfab_library_send(plan, rank_in_ring(at, way, i), rank_in_ring(at, way, (i + 1) % n));
                GFAB_THEN(status, carry_piece(&p, plan, way, rank_in_ring(at, way, (i + n - t) % n)));
            }
        GFAB_THEN(status, end_step(&p, plan));
    }
    return finish(&p, status, "rings", diag);
}

/* Block u N + v from u to v, all in one step. */
static gfab_status direct_pairs(const gfab_library_ranks *at, gfab_library_plan *plan)
{
    const uint32_t n = at->ranks;
    gfab_status status = GFAB_OK;
    plan->kind = GFAB_LIBRARY_MOVE;
    for (uint32_t d = 1; d < n; d++)
        for (uint32_t place = 0; place < n && status == GFAB_OK; place++) {
            const uint32_t from = at->rank[place], to = at->rank[(place + d) % n];
            status = gfab_library_send(plan, from, to);
            GFAB_THEN(status, gfab_library_carry(plan, from * n + to));
        }
    return status == GFAB_OK ? gfab_library_end_step(plan) : status;
}

static gfab_status plan_direct(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                               gfab_diag *diag)
{
    pieces p;
    if (goal->collective == GFAB_ALL_TO_ALL)
        return direct_pairs(at, plan);
    gfab_status status = pieces_init(&p, at->ranks, goal, 1);
    if (status == GFAB_OK)
        own_pieces(&p);
    GFAB_THEN(status, spread_levels(at, 1, &p, plan));
    return finish(&p, status, "direct", diag);
}

static gfab_status plan_levels(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                               gfab_diag *diag)
{
    pieces p;
    if (at->levels < 2)
        return GFAB_REFUSE(diag, "hierarchical is for ranks in groups of equal size");
    gfab_status status = pieces_init(&p, at->ranks, goal, 1);
    if (status == GFAB_OK)
        own_pieces(&p);
    GFAB_THEN(status, spread_levels(at, at->levels, &p, plan));
    return finish(&p, status, "hierarchical", diag);
}

/* ---- from a root ---- */

/* Barnett et al.: a binomial tree hands out pieces, a ring brings all of them to everyone. */
static gfab_status plan_scatter(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    const gfab_library_ranks line = {.ranks = n, .axes = 1, .side = {n}, .stride = {1}};
    pieces p;
    gfab_status status = pieces_init(&p, n, goal, 2);
    for (uint32_t way = 0; status == GFAB_OK && way < p.ways; way++)
        for (uint32_t piece = 0; piece < n; piece++) {
            give_piece(&p, p.has, way, goal->root, piece);
            give_piece(&p, p.next, way, goal->root, piece);
        }
    for (uint32_t k = gfab_library_log_of(n); k-- > 0 && status == GFAB_OK;) {
        const uint32_t d = (uint32_t)1 << k;
        for (uint32_t way = 0; way < p.ways; way++)
            for (uint32_t i = 0; i + d < n && status == GFAB_OK; i += 2 * d) {
                status = gfab_library_send(plan, (i + goal->root) % n, (i + d + goal->root) % n);
                for (uint32_t j = i + d; j < i + 2 * d && j < n && status == GFAB_OK; j++)
                    status = carry_piece(&p, plan, way, (j + goal->root) % n);
            }
        GFAB_THEN(status, end_step(&p, plan));
    }
    /* What the ring passes on is a rank's own piece; what was on its way through a rank is not sent again. */
    if (status == GFAB_OK) {
        pieces ring;
        status = pieces_init(&ring, n, goal, 2);
        if (status == GFAB_OK) {
            own_pieces(&ring);
            memcpy(ring.next, p.has, p.ways * (size_t)n * p.words * sizeof *ring.next);
            status = go_round(&line, 0, &ring, plan);
        }
        if (status == GFAB_OK)
            memcpy(p.has, ring.has, p.ways * (size_t)n * p.words * sizeof *p.has);
        pieces_free(&ring);
    }
    return finish(&p, status, "scatter-ring", diag);
}

/* ---- the table ---- */

#define OWNED (GFAB_MAKES(GFAB_ALL_GATHER) | GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE))
#define ROOTED (GFAB_MAKES(GFAB_BROADCAST) | GFAB_MAKES(GFAB_REDUCE))
#define TOTAL (GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_BARRIER))

#define NAMED(name) name, "algorithm=" name

static const gfab_library_algorithm table[] = {
    {NAMED("ring"), OWNED, false, false, false, true, 0, plan_ring},
    {NAMED("bucket"), OWNED, false, false, false, true, 0, plan_bucket},
    {NAMED("halving-doubling"), OWNED, false, false, false, false, 0, plan_halving},
    {NAMED("rabenseifner"), OWNED, false, false, false, false, 0, plan_rabenseifner},
    {NAMED("swing"), OWNED, false, false, false, false, 0, plan_swing},
    {NAMED("bruck"), OWNED | GFAB_MAKES(GFAB_ALL_TO_ALL), false, false, false, false, 0, plan_bruck_any},
    {NAMED("pairwise"), GFAB_MAKES(GFAB_ALL_TO_ALL), false, false, false, true, 0, plan_pairwise},
    {NAMED("recursive-doubling"), TOTAL, true, false, false, false, 0, gfab_library_plan_doubling},
    {NAMED("swing-whole"), TOTAL, true, false, false, false, 0, gfab_library_plan_swing_whole},
    {NAMED("dissemination"), TOTAL, true, false, false, false, 0, gfab_library_plan_dissemination},
    {NAMED("binomial"), ROOTED | TOTAL, true, false, false, false, 0, gfab_library_plan_binomial},
    {NAMED("chain"), ROOTED | GFAB_MAKES(GFAB_ALL_REDUCE), true, false, false, true, 0, gfab_library_plan_chain},
    {NAMED("scatter-ring"), ROOTED, false, false, false, true, 0, plan_scatter},
    {NAMED("direct"), OWNED | GFAB_MAKES(GFAB_ALL_TO_ALL), false, true, false, true, 0, plan_direct},
    {NAMED("hierarchical"), OWNED, false, true, false, false, 0, plan_levels},
    {NAMED("rings"), OWNED, false, true, true, true, 0, plan_rings},
    {NAMED("hierarchical-doubling"), GFAB_MAKES(GFAB_ALL_REDUCE), true, true, false, false, 0,
     gfab_library_plan_across},
    {NAMED("recursive-exchange"), OWNED, false, true, false, false, 0, gfab_library_plan_exchange},
    {NAMED("recursive-multiplying"), TOTAL, true, true, false, false, 0, gfab_library_plan_multiplying},
    {NAMED("k-nomial"), ROOTED, true, true, false, false, 0, gfab_library_plan_knomial},
    {NAMED("pipelined-2"), OWNED, false, true, true, false, 2, gfab_library_plan_pipelined},
    {NAMED("pipelined-3"), OWNED, false, true, true, false, 3, gfab_library_plan_pipelined},
    {NAMED("pipelined-5"), OWNED, false, true, true, false, 5, gfab_library_plan_pipelined},
    {NAMED("pipelined-9"), OWNED, false, true, true, false, 9, gfab_library_plan_pipelined},
    {NAMED("scatter-exchange"), ROOTED, true, true, false, false, 0, gfab_library_plan_scatter_exchange},
    {NAMED("rarest-first"), ROOTED, true, true, true, false, 0, gfab_library_plan_rarest},
    {NAMED("circulant"), ROOTED, true, true, true, false, 0, gfab_library_plan_circulant},
};

const gfab_library_algorithm *gfab_library_at(size_t index)
{
    return index < sizeof table / sizeof *table ? &table[index] : NULL;
}
