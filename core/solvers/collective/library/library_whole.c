/* SPDX-License-Identifier: MIT */
/* Algorithms that hand whole vectors on, from a root or between ranks that exchange them.
 * docs/theory/library-algorithms.md has the source of each. */
#include "library_plan.h"

#include <stdlib.h>
#include <string.h>

/* Ranks times blocks squared: what choosing takes; a second at most. */
#define MOST_WORK ((uint64_t)1 << 28)

/* ---- from a root ---- */

static gfab_status send_whole(gfab_library_plan *plan, const gfab_goal *goal, uint32_t from, uint32_t to)
{
    GFAB_TRY(gfab_library_send(plan, from, to));
    for (uint32_t block = 0; block < goal->blocks; block++)
        GFAB_TRY(gfab_library_carry(plan, block));
    return GFAB_OK;
}

/* Ranks are counted from the root. Of n ranks the multiples of 2 d send to those d further. */
gfab_status gfab_library_plan_binomial(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                       gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    (void)diag;
    for (uint32_t k = gfab_library_log_of(n); k-- > 0;) {
        const uint32_t d = (uint32_t)1 << k;
        for (uint32_t i = 0; i + d < n; i += 2 * d)
            GFAB_TRY(send_whole(plan, goal, (i + goal->root) % n, (i + d + goal->root) % n));
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}

/* Block after block along the ranks, from the root on. */
gfab_status gfab_library_plan_chain(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                    gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    (void)diag;
    for (uint32_t t = 0; n > 1 && t < goal->blocks + n - 2; t++) {
        for (uint32_t i = 0; i + 1 < n && i <= t; i++) {
            if (t - i >= goal->blocks)
                continue;
            GFAB_TRY(gfab_library_send(plan, (i + goal->root) % n, (i + 1 + goal->root) % n));
            GFAB_TRY(gfab_library_carry(plan, t - i));
        }
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}

/* Who has which block: [place * blocks]. */
enum { LACKS, HAS, COMES };
typedef struct spread {
    const gfab_library_ranks *at;
    uint32_t blocks, root;
    uint8_t *has;
    uint64_t left; /* blocks that places lack */
} spread;

/* Every place sends to the one that is so far on the newest block that this one lacks; the root a new one, while it has
 * any. What comes counts from the next step on. */
static gfab_status send_step(spread *s, uint32_t further, uint32_t step, gfab_library_plan *plan)
{
    const uint32_t n = s->at->ranks, sent = step + 1 < s->blocks ? step + 1 : s->blocks;
    gfab_status status = GFAB_OK;
    for (uint32_t v = 0; v < n && status == GFAB_OK; v++) {
        const uint32_t to = (v + further) % n;
        const uint8_t *from = s->has + (size_t)v * s->blocks;
        uint8_t *there = s->has + (size_t)to * s->blocks;
        uint32_t b = to == s->root ? 0 : sent;
        while (b > 0 && (from[b - 1] != HAS || there[b - 1] != LACKS))
            b--;
        if (b == 0)
            continue;
        there[b - 1] = COMES;
        s->left--;
        status = gfab_library_send(plan, s->at->rank[v], s->at->rank[to]);
        GFAB_THEN(status, gfab_library_carry(plan, b - 1));
    }
    for (size_t i = 0; i < (size_t)n * s->blocks; i++)
        s->has[i] = s->has[i] == LACKS ? LACKS : HAS;
    GFAB_THEN(status, gfab_library_end_step(plan));
    return status;
}

/* Every rank sends a block and gets one in every step, all of them to the rank that is as far on: half of all ranks,
 * then half of that, rounded up, down to 1, and again from the first. So much is Träff's (arXiv:2407.18004), who has
 * schedules of blocks - 1 + log2(ranks) steps, rounded up, the fewest; which block is sent is simpler here. It takes as
 * many steps for powers of two, and for the others up to 139 at most 3 more. */
gfab_status gfab_library_plan_circulant(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                        gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    spread s = {.at = at, .blocks = goal->blocks, .left = (uint64_t)(n - 1) * goal->blocks};
    uint32_t further = n;
    if ((uint64_t)n * goal->blocks > MOST_WORK / goal->blocks)
        return GFAB_REFUSE(diag, "%s chooses among %u blocks for %u ranks; fewer, please", plan->name, goal->blocks, n);
    while (at->rank[s.root] != goal->root)
        s.root++;
    s.has = calloc((size_t)n * s.blocks, sizeof *s.has);
    gfab_status status = s.has ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    if (s.has)
        memset(s.has + (size_t)s.root * s.blocks, HAS, s.blocks);
    for (uint32_t step = 0; s.left > 0 && status == GFAB_OK; step++) {
        further = further > 1 ? (further + 1) / 2 : (n + 1) / 2;
        status = send_step(&s, further, step, plan);
    }
    free(s.has);
    return status;
}

/* ---- whole vectors that are combined ---- */

static gfab_status exchange_steps(const gfab_library_ranks *at, const gfab_goal *goal, bool swing, uint32_t core,
                                  gfab_library_plan *plan)
{
    const uint32_t steps = gfab_library_log_of(core);
    for (uint32_t k = 0; k < steps; k++) {
        for (uint32_t r = 0; r < core; r++)
            GFAB_TRY(send_whole(plan, goal, r, swing ? gfab_library_swing_peer(at, 0, k, r) : r ^ (uint32_t)1 << k));
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}

gfab_status gfab_library_plan_swing_whole(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                          gfab_diag *diag)
{
    GFAB_TRY(gfab_library_check_powers(at, "swing-whole", diag));
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    plan->out = SIZE_MAX;
    return exchange_steps(at, goal, true, at->ranks, plan);
}

/* Ranks above the greatest power of two give their vector away first, and get the total in the end. */
gfab_status gfab_library_plan_doubling(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                       gfab_diag *diag)
{
    uint32_t core = 1;
    gfab_status status = GFAB_OK;
    (void)diag;
    while (core <= at->ranks / 2)
        core *= 2;
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    for (uint32_t r = core; r < at->ranks && status == GFAB_OK; r++)
        status = send_whole(plan, goal, r, r - core);
    GFAB_THEN(status, gfab_library_end_step(plan));
    GFAB_THEN(status, exchange_steps(at, goal, false, core, plan));
    plan->out = plan->step_count;
    for (uint32_t r = core; r < at->ranks && status == GFAB_OK; r++)
        status = send_whole(plan, goal, r - core, r);
    return status == GFAB_OK ? gfab_library_end_step(plan) : status;
}

/* Hensgen, Finkel & Manber: in step j every rank tells the one 2^j further. */
gfab_status gfab_library_plan_dissemination(const gfab_library_ranks *at, const gfab_goal *goal,
                                            gfab_library_plan *plan, gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    if (!goal->idempotent)
        return GFAB_REFUSE(diag, "dissemination is for operators that are idempotent");
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    plan->out = SIZE_MAX;
    for (uint32_t distance = 1; distance < n; distance *= 2) {
        for (uint32_t r = 0; r < n; r++)
            GFAB_TRY(send_whole(plan, goal, r, (r + distance) % n));
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}
