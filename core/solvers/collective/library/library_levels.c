/* SPDX-License-Identifier: MIT */
/* Algorithms that go by groups one level a step, to as many at once as links allow: recursive doubling with other
 * factors than 2 (recursive multiplying, Ruefenacht, Bull & Booth 2017), all-gathers in the same steps (Bruck et al.
 * 1997 for k ports), k-nomial trees, and a scatter before the all-gather (Barnett et al. 1994). A rank that sends to k
 * others in a step has its message in k + 1 places after it: 72 ranks on a switch, links of weight 18, take two steps
 * of 8 and 9 ranks.
 *
 * Ours: the factors come from the links. A level of the graph (library_groups.c) that has more ranks than fit at once
 * is cut in levels of factors that do, as few as can be, and of these the ones that are most alike. */
#include "library_plan.h"

#define MOST_LEVELS 32u

/* Ranks by mixed numbers: digit l of a place is place / stride[l] % side[l]. */
typedef struct digits {
    uint32_t levels, lowest; /* of them, and those that the lowest groups are made of */
    uint32_t side[MOST_LEVELS], stride[MOST_LEVELS + 1];
    const gfab_library_ranks *at;
    const gfab_goal *goal;
    gfab_library_plan *plan; /* that is made */
} digits;

/* The side as so many factors, none above `most`: the greatest of them least. False where there are none. */
static bool factor(uint32_t side, uint32_t most, uint32_t count, uint32_t *factors)
{
    if (count == 1) {
        factors[0] = side;
        return side <= most;
    }
    for (uint32_t f = 2; f <= most && f <= side; f++) {
        uint64_t power = 1;
        for (uint32_t i = 0; i < count && power < side; i++)
            power *= f;
        factors[0] = f;
        if (power >= side && side % f == 0 && factor(side / f, f, count - 1, factors + 1))
            return true;
    }
    return false;
}

static void cut_level(uint32_t side, uint32_t ports, digits *d)
{
    uint32_t factors[MOST_LEVELS], count = 1;
    while (count < MOST_LEVELS - d->levels && !factor(side, ports + 1, count, factors) && (uint64_t)1 << count <= side)
        count++;
    if (count == MOST_LEVELS - d->levels || !factor(side, ports + 1, count, factors)) {
        count = 1; /* a step of several rounds */
        factors[0] = side;
    }
    for (uint32_t i = 0; i < count; i++) {
        d->side[d->levels] = factors[i];
        d->stride[d->levels + 1] = d->stride[d->levels] * factors[i];
        d->levels++;
    }
}

static digits cut_levels(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan)
{
    digits d = {.at = at, .goal = goal, .plan = plan, .stride = {1}};
    for (uint32_t level = 0; level < at->levels; level++) {
        cut_level(at->within[level], at->ports[level], &d);
        d.lowest = level == 0 ? d.levels : d.lowest;
    }
    return d;
}

static uint32_t digit_of(const digits *d, uint32_t level, uint32_t place)
{
    return place / d->stride[level] % d->side[level];
}

/* The place whose digit of a level is `by` further. */
static uint32_t turned(const digits *d, uint32_t level, uint32_t place, uint32_t by)
{
    const uint32_t c = digit_of(d, level, place);
    return place - c * d->stride[level] + (c + by) % d->side[level] * d->stride[level];
}

/* Have two places the same digits of all levels up to this one? */
static bool alike_up_to(const digits *d, uint32_t level, uint32_t a, uint32_t b)
{
    return a % d->stride[level + 1] == b % d->stride[level + 1];
}

/* A message of the blocks whose number modulo `of` is first .. first + count - 1. */
static gfab_status send_blocks(const digits *d, uint32_t from, uint32_t to, uint32_t of, uint32_t first, uint32_t count)
{
    GFAB_TRY(gfab_library_send(d->plan, d->at->rank[from], d->at->rank[to]));
    for (uint32_t block = 0; block < d->goal->blocks; block += of)
        for (uint32_t i = first; i < first + count && block + i < d->goal->blocks; i++)
            GFAB_TRY(gfab_library_carry(d->plan, block + i));
    return GFAB_OK;
}

/* Everybody's share of `of`, added up so far, to all that differ from it in a digit, level by level from one on. */
static gfab_status multiply(const digits *d, uint32_t first, uint32_t of)
{
    for (uint32_t level = first; level < d->levels; level++) {
        for (uint32_t by = 1; by < d->side[level]; by++)
            for (uint32_t place = 0; place < d->at->ranks; place++)
                GFAB_TRY(send_blocks(d, place, turned(d, level, place, by), of, place % of, 1));
        GFAB_TRY(gfab_library_end_step(d->plan));
    }
    return GFAB_OK;
}

/* ---- an all-gather ---- */

/* What the places have that are like this one but for the levels above. */
static gfab_status send_pieces(const digits *d, uint32_t level, uint32_t from, uint32_t to)
{
    const uint32_t each = d->goal->blocks / d->at->ranks;
    GFAB_TRY(gfab_library_send(d->plan, d->at->rank[from], d->at->rank[to]));
    for (uint32_t origin = from % d->stride[level + 1]; origin < d->at->ranks; origin += d->stride[level + 1])
        for (uint32_t i = 0; i < each; i++)
            GFAB_TRY(gfab_library_carry(d->plan, d->at->rank[origin] * each + i));
    return GFAB_OK;
}

/* The highest level first, whose links are few and its messages short. */
gfab_status gfab_library_plan_exchange(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                       gfab_diag *diag)
{
    const digits d = cut_levels(at, goal, plan);
    (void)diag;
    for (uint32_t level = d.levels; level-- > 0;) {
        for (uint32_t by = 1; by < d.side[level]; by++)
            for (uint32_t place = 0; place < at->ranks; place++)
                GFAB_TRY(send_pieces(&d, level, place, turned(&d, level, place, by)));
        GFAB_TRY(gfab_library_end_step(plan));
    }
    return GFAB_OK;
}

/* ---- an all-reduce ---- */

gfab_status gfab_library_plan_multiplying(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                          gfab_diag *diag)
{
    const digits d = cut_levels(at, goal, plan);
    (void)diag;
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    plan->out = SIZE_MAX;
    plan->together = true;
    return multiply(&d, 0, 1);
}

/* Within the lowest groups everybody to everybody; totals of a share, when `back`. */
static gfab_status exchange_shares(const digits *d, bool back)
{
    const uint32_t side = d->at->within[0];
    gfab_status status = GFAB_OK;
    for (uint32_t by = 1; by < side; by++)
        for (uint32_t place = 0; place < d->at->ranks && status == GFAB_OK; place++) {
            const uint32_t c = place % side, to = place - c + (c + by) % side;
            status = send_blocks(d, place, to, side, back ? c : to % side, 1);
        }
    return status == GFAB_OK ? gfab_library_end_step(d->plan) : status;
}

/* In a step less than by levels where there are two groups: each share is added up in its group, then by recursive
 * multiplying across the groups, then handed round in the group. */
gfab_status gfab_library_plan_across(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                     gfab_diag *diag)
{
    const digits d = cut_levels(at, goal, plan);
    if (at->levels < 2)
        return GFAB_REFUSE(diag, "hierarchical-doubling is for ranks in groups of equal size");
    plan->kind = GFAB_LIBRARY_EXCHANGE;
    for (uint32_t level = d.lowest; level < d.levels; level++)
        plan->together = plan->together || d.side[level] > 2;
    GFAB_TRY(exchange_shares(&d, false));
    GFAB_TRY(multiply(&d, d.lowest, at->within[0]));
    plan->out = plan->step_count;
    return exchange_shares(&d, true);
}

/* ---- from a root ---- */

static uint32_t place_of(const gfab_library_ranks *at, uint32_t rank)
{
    uint32_t place = 0;
    while (at->rank[place] != rank)
        place++;
    return place;
}

/* From a level down to another one: whoever has its share of `of` sends it to all that differ from it in the digit. */
static gfab_status spread(const digits *d, uint32_t lowest, uint32_t of)
{
    const uint32_t root = place_of(d->at, d->goal->root);
    for (uint32_t level = d->levels; level-- > lowest;) {
        for (uint32_t by = 1; by < d->side[level]; by++)
            for (uint32_t place = 0; place < d->at->ranks; place++)
                if (alike_up_to(d, level, place - place % of, root - root % of))
                    GFAB_TRY(send_blocks(d, place, turned(d, level, place, by), of, place % of, 1));
        GFAB_TRY(gfab_library_end_step(d->plan));
    }
    return GFAB_OK;
}

gfab_status gfab_library_plan_knomial(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                      gfab_diag *diag)
{
    const digits d = cut_levels(at, goal, plan);
    (void)diag;
    return spread(&d, 0, 1);
}

/* The root's group: from the root on, to each the shares of the places that are to get theirs from it. */
static gfab_status scatter(const digits *d)
{
    const uint32_t root = place_of(d->at, d->goal->root), group = d->stride[d->lowest], first = root - root % group;
    for (uint32_t level = d->lowest; level-- > 0;) {
        const uint32_t below = d->stride[level];
        for (uint32_t by = 1; by < d->side[level]; by++)
            for (uint32_t place = first; place < first + group; place++) {
                const uint32_t to = turned(d, level, place, by);
                if (alike_up_to(d, level, place, root))
                    GFAB_TRY(send_blocks(d, place, to, group, to % group / below * below, below));
            }
        GFAB_TRY(gfab_library_end_step(d->plan));
    }
    return GFAB_OK;
}

/* All groups: everybody's share to everybody, the lowest level first. Who has passed shares on has these. */
static gfab_status collect(const digits *d)
{
    const uint32_t root = place_of(d->at, d->goal->root), group = d->stride[d->lowest];
    for (uint32_t level = 0; level < d->lowest; level++) {
        const uint32_t below = d->stride[level];
        for (uint32_t by = 1; by < d->side[level]; by++)
            for (uint32_t place = 0; place < d->at->ranks; place++) {
                const uint32_t to = turned(d, level, place, by);
                bool has = to / group == root / group;
                for (uint32_t l = 0; l <= level && has; l++)
                    has = digit_of(d, l, to) == digit_of(d, l, root);
                if (!has)
                    GFAB_TRY(send_blocks(d, place, to, group, place % group / below * below, below));
            }
        GFAB_TRY(gfab_library_end_step(d->plan));
    }
    return GFAB_OK;
}

gfab_status gfab_library_plan_scatter_exchange(const gfab_library_ranks *at, const gfab_goal *goal,
                                               gfab_library_plan *plan, gfab_diag *diag)
{
    const digits d = cut_levels(at, goal, plan);
    (void)diag;
    GFAB_TRY(scatter(&d));
    GFAB_TRY(spread(&d, d.lowest, d.stride[d.lowest]));
    return collect(&d);
}
