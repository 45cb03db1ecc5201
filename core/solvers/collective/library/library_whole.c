/* SPDX-License-Identifier: MIT */
/* Algorithms that hand whole vectors on, from a root or between ranks that exchange them.
 * docs/theory/library-algorithms.md has the source of each. */
#include "library_plan.h"

/* ---- from a root ---- */

static gfab_status send_whole(gfab_library_plan *plan, const gfab_goal *goal, uint32_t from, uint32_t to)
{
    gfab_status status = gfab_library_send(plan, from, to);
    for (uint32_t block = 0; block < goal->blocks && status == GFAB_OK; block++)
        status = gfab_library_carry(plan, block);
    return status;
}

/* Ranks are counted from the root. Of n ranks the multiples of 2 d send to those d further. */
gfab_status gfab_library_plan_binomial(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                       gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    gfab_status status = GFAB_OK;
    (void)diag;
    for (uint32_t k = gfab_library_log_of(n); k-- > 0 && status == GFAB_OK;) {
        const uint32_t d = (uint32_t)1 << k;
        for (uint32_t i = 0; i + d < n && status == GFAB_OK; i += 2 * d)
            status = send_whole(plan, goal, (i + goal->root) % n, (i + d + goal->root) % n);
        GFAB_THEN(status, gfab_library_end_step(plan));
    }
    return status;
}

/* Block after block along the ranks, from the root on. */
gfab_status gfab_library_plan_chain(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                    gfab_diag *diag)
{
    const uint32_t n = at->ranks;
    gfab_status status = GFAB_OK;
    (void)diag;
    for (uint32_t t = 0; n > 1 && t < goal->blocks + n - 2 && status == GFAB_OK; t++) {
        for (uint32_t i = 0; i + 1 < n && i <= t && status == GFAB_OK; i++) {
            if (t - i >= goal->blocks)
                continue;
            status = gfab_library_send(plan, (i + goal->root) % n, (i + 1 + goal->root) % n);
            GFAB_THEN(status, gfab_library_carry(plan, t - i));
        }
        GFAB_THEN(status, gfab_library_end_step(plan));
    }
    return status;
}

/* ---- whole vectors that are combined ---- */

static gfab_status exchange_steps(const gfab_library_ranks *at, const gfab_goal *goal, bool swing, uint32_t core,
                                  gfab_library_plan *plan)
{
    const uint32_t steps = gfab_library_log_of(core);
    gfab_status status = GFAB_OK;
    for (uint32_t k = 0; k < steps && status == GFAB_OK; k++) {
        for (uint32_t r = 0; r < core && status == GFAB_OK; r++)
            status = send_whole(plan, goal, r, swing ? gfab_library_swing_peer(at, 0, k, r) : r ^ (uint32_t)1 << k);
        GFAB_THEN(status, gfab_library_end_step(plan));
    }
    return status;
}

gfab_status gfab_library_plan_swing_whole(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                          gfab_diag *diag)
{
    const gfab_status status = gfab_library_check_powers(at, "swing-whole", diag);
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    plan->out = SIZE_MAX;
    return status == GFAB_OK ? exchange_steps(at, goal, true, at->ranks, plan) : status;
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
    gfab_status status = GFAB_OK;
    if (!goal->idempotent)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "dissemination is for operators that are idempotent");
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    plan->out = SIZE_MAX;
    for (uint32_t distance = 1; distance < n && status == GFAB_OK; distance *= 2) {
        for (uint32_t r = 0; r < n && status == GFAB_OK; r++)
            status = send_whole(plan, goal, r, (r + distance) % n);
        GFAB_THEN(status, gfab_library_end_step(plan));
    }
    return status;
}
