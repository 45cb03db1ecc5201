/* SPDX-License-Identifier: MIT */
/* Which tree each token of a comb takes, and how many teeth each link brings. For squares both are tables; other meshes
 * start from the same chequerboard, and tokens change their trees one by one until every line can carry its load. What
 * a line has to carry depends on how many trees of each kind there are and start in it, not on where, so that it is a
 * matter of few sums. */
#include "comb_plan.h"

#include <assert.h>

gfab_status gfab_comb_plan_init(gfab_comb_plan *plan, uint32_t rows, uint32_t columns)
{
    assert(rows >= 2 && columns >= 2 && (size_t)rows * columns <= GFAB_SOLVER_MAX_NODES);
    *plan = (gfab_comb_plan){.rows = rows, .columns = columns};
    plan->tree = gfab_arena_zeroed2(&plan->arena, rows, columns, sizeof *plan->tree);
    plan->own = gfab_arena_zeroed(&plan->arena, 2 * ((size_t)rows + columns), sizeof *plan->own);
    plan->change = gfab_arena_zeroed(&plan->arena, (size_t)rows + columns, sizeof *plan->change);
    return plan->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

void gfab_comb_plan_free(gfab_comb_plan *plan)
{
    gfab_arena_release(&plan->arena);
}

static uint32_t trunk_line(const gfab_comb_plan *plan, uint32_t token, bool column)
{
    return column ? plan->rows + token % plan->columns : token / plan->columns;
}

static void count_trees(gfab_comb_plan *plan)
{
    for (uint32_t i = 0; i < 2 * (plan->rows + plan->columns); i++)
        plan->own[i] = 0;
    for (uint32_t i = 0; i < 4; i++)
        plan->total[i / 2][i % 2] = 0;
    for (uint32_t token = 0; token < plan->rows * plan->columns; token++) {
        const uint32_t column = gfab_comb_trunk_is_column(plan, token), parity = gfab_comb_spine_parity(plan, token);
        plan->own[2 * trunk_line(plan, token, column) + parity]++;
        plan->total[column][parity]++;
    }
}

/* With these cases what a line has to carry of trunks and spines leaves room, on every link, for just the teeth of
 * square_quotas. */
static uint32_t square_parity(uint32_t n, uint32_t a, uint32_t b)
{
    if ((a + b) % 2 == 1)
        return a % 2;
    return n % 2 == 1 && b > 0 ? 1 - b % 2 : b % 2;
}

void gfab_comb_plan_square(gfab_comb_plan *plan)
{
    const uint32_t n = plan->rows;
    assert(n == plan->columns);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            plan->tree[a * n + b] = (uint8_t)(2 * ((a + b) % 2) + square_parity(n, a, b));
    count_trees(plan);
}

/* Trees to start from. The bits of start: the chequerboard's other colour; the other parity of the spines across the
 * short sides, across the long sides; no mixing of parities. Unless they are mixed, all trees of one line have spines
 * of one parity, and the links at a line's ends would have to carry about (long side - short side) / 4 tokens too many
 * on every second line. */
static void plan_start(gfab_comb_plan *plan, uint32_t start)
{
    const bool tall = plan->rows > plan->columns;
    const uint32_t length = tall ? plan->rows : plan->columns, width = tall ? plan->columns : plan->rows;
    const uint32_t share = length - width, whole = 2 * length;
    for (uint32_t token = 0; token < plan->rows * plan->columns; token++) {
        const uint32_t row = token / plan->columns, column = token % plan->columns;
        const uint32_t across = tall ? column : row, along = tall ? row : column, pair = along / 2;
        const bool crosswise = (across + along + start) % 2 == 1; /* the trunk is a short line */
        uint32_t parity;
        if (crosswise) {
            parity = (across + (start >> 1)) % 2;
        } else {
            parity = (along + (start >> 2) + (length % 2 == 1 && along > 0)) % 2;
            if (!(start >> 3 & 1) && (pair + 1) * share / whole != pair * share / whole)
                parity = 1 - parity;
        }
        plan->tree[token] = (uint8_t)(2 * (crosswise != tall) + parity);
    }
    count_trees(plan);
}

/* By how much a line exceeds what its links carry in so many rounds, as a sum of squares: all its links together, and
 * the links at its ends, which have to bring all teeth of the end positions. own holds the line's own tokens. */
static uint64_t excess(const gfab_comb_plan *plan, uint32_t line, const uint32_t own[2], uint64_t rounds)
{
    const uint32_t column = gfab_comb_is_column(plan, line), *total = plan->total[column];
    const uint64_t n = gfab_comb_length(plan, line);
    const uint64_t teeth[2] = {total[1] - own[1], total[0] - own[0]}; /* for an even, an odd position */
    const uint64_t path = (uint64_t)own[0] + own[1] + plan->total[!column][gfab_comb_number(plan, line) % 2];
    const uint64_t loads[3] = {path * (n - 1) + teeth[0] * ((n + 1) / 2) + teeth[1] * (n / 2),
                               (path + teeth[0]) * (n - 1), (path + teeth[(n - 1) % 2]) * (n - 1)};
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++)
        if (loads[i] > rounds * (n - 1))
            sum += (loads[i] - rounds * (n - 1)) * (loads[i] - rounds * (n - 1));
    return sum;
}

/* What a change of one tree into another means to each line that the token's trunk is, or will be: change[line] is to
 * be added to the excess of all lines, which is returned. */
static uint64_t weigh_change(gfab_comb_plan *plan, uint8_t before, uint8_t after, uint64_t rounds)
{
    uint64_t sum = 0;
    plan->total[before / 2][before % 2]--;
    plan->total[after / 2][after % 2]++;
    for (uint32_t line = 0; line < plan->rows + plan->columns; line++) {
        const uint32_t kind = gfab_comb_is_column(plan, line), *own = plan->own + 2 * line;
        const uint64_t others = excess(plan, line, own, rounds);
        uint32_t changed[2] = {own[0], own[1]};
        if (kind == before / 2 && changed[before % 2] > 0)
            changed[before % 2]--;
        if (kind == after / 2)
            changed[after % 2]++;
        plan->change[line] = (int64_t)excess(plan, line, changed, rounds) - (int64_t)others;
        sum += others;
    }
    plan->total[before / 2][before % 2]++;
    plan->total[after / 2][after % 2]--;
    return sum;
}

/* Makes the change of one tree that leaves the least excess, the first of several; false if none leaves less than
 * *least. */
static bool change_best(gfab_comb_plan *plan, bool trunks_stay, uint64_t rounds, uint64_t *least)
{
    const uint32_t tokens = plan->rows * plan->columns;
    uint32_t best = tokens;
    uint8_t to = 0;
    for (uint8_t before = 0; before < 4; before++)
        for (uint8_t after = 0; after < 4; after++) {
            if (before == after || (trunks_stay && before / 2 != after / 2) || !plan->total[before / 2][before % 2])
                continue;
            const uint64_t others = weigh_change(plan, before, after, rounds);
            for (uint32_t token = 0; token < tokens; token++) {
                const uint64_t left = others + (uint64_t)plan->change[trunk_line(plan, token, false)] +
                                      (uint64_t)plan->change[trunk_line(plan, token, true)];
                if (plan->tree[token] == before && left < *least) {
                    *least = left;
                    best = token;
                    to = after;
                }
            }
        }
    if (best == tokens)
        return false;
    plan->tree[best] = to;
    count_trees(plan);
    return true;
}

bool gfab_comb_plan_balance(gfab_comb_plan *plan, uint32_t start, uint64_t rounds)
{
    plan_start(plan, start % (GFAB_COMB_STARTS / 2));
    uint64_t left = 0;
    for (uint32_t line = 0; line < plan->rows + plan->columns; line++)
        left += excess(plan, line, plan->own + 2 * line, rounds);
    while (left > 0 && change_best(plan, start < GFAB_COMB_STARTS / 2, rounds, &left))
        continue;
    return left == 0;
}

/* The table of section 2. */
static void square_quotas(const gfab_comb_plan *plan, uint32_t line, uint32_t *from_below, uint32_t *from_above)
{
    const uint32_t n = plan->rows, m = n / 2;
    const bool column = gfab_comb_is_column(plan, line), odd = gfab_comb_number(plan, line) % 2 == 1;
    for (uint32_t position = 0; position < n; position++) {
        const uint32_t r = position / 2, o = position % 2;
        uint32_t *below = from_below + position, *above = from_above + position;
        if (n % 2 == 0) {
            *below = odd == column ? r * m : (r + o) * m;
            *above = odd == column ? m * (m - r - o) : m * (m - 1 - r);
        } else if (!odd) {
            *below = (r + o) * m;
            *above = m * (m - r);
        } else if (column) {
            *below = r * (m + 1);
            *above = (m + 1) * (m - r - o);
        } else {
            *below = r * (m + 1) + o;
            *above = o ? m * m - r * (m + 1) : (m + 1) * (m - r);
        }
    }
}

/* All links of a line get the same number of teeth, or one more or less, as far as that goes. */
static void even_quotas(const gfab_comb_plan *plan, uint32_t line, uint32_t *from_below, uint32_t *from_above)
{
    const uint32_t *total = plan->total[gfab_comb_is_column(plan, line)], *own = plan->own + 2 * line;
    const uint32_t teeth[2] = {total[1] - own[1], total[0] - own[0]}, n = gfab_comb_length(plan, line);
    const uint64_t all = (uint64_t)teeth[0] * ((n + 1) / 2) + (uint64_t)teeth[1] * (n / 2);
    uint64_t used = 0;
    from_below[0] = 0;
    for (uint32_t k = 1; k < n; k++) {
        const uint32_t down = teeth[(k - 1) % 2] - from_below[k - 1], need = teeth[k % 2];
        const uint64_t target = all * k / (n - 1);
        const uint64_t room = target > used + down ? target - used - down : 0;
        const uint32_t up = k + 1 == n || room > need ? need : (uint32_t)room;
        from_above[k - 1] = down;
        from_below[k] = up;
        used += (uint64_t)down + up;
    }
    from_above[n - 1] = 0;
}

void gfab_comb_plan_quotas(const gfab_comb_plan *plan, uint32_t line, uint32_t *from_below, uint32_t *from_above)
{
    if (plan->rows == plan->columns)
        square_quotas(plan, line, from_below, from_above);
    else
        even_quotas(plan, line, from_below, from_above);
}
