/* SPDX-License-Identifier: MIT */
/* Prices, and the search over them. Every price is a formula; docs/theory/startup-cost-tori.md, sections 4 to 6, has
 * the derivations. */
#include "cubgo_plan.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* A diagonal of this side is possible: it divides the sides of all axes that are rings, and is no longer than the
 * others. */
static bool cell_fits(const gfab_grid *grid, uint32_t cell)
{
    for (size_t i = 0; i < grid->axes; i++)
        if (cell < 1 || cell > grid->side[i] || (gfab_grid_ring(grid, i) && grid->side[i] % cell != 0))
            return false;
    return true;
}

bool gfab_cubgo_phase_at(const gfab_grid *grid, const gfab_cubgo_recipe *recipe, size_t index, gfab_cubgo_phase *phase)
{
    *phase = (gfab_cubgo_phase){.kind = GFAB_CUBGO_GATHER, .cell = recipe->cell, .factor = 1};
    if (index == 0)
        return true;
    phase->turn = (index - 1) % grid->axes;
    const size_t level = (index - 1) / grid->axes;
    if (level > recipe->level_count)
        return false;
    phase->kind = phase->turn ? GFAB_CUBGO_COLUMN : GFAB_CUBGO_SPREAD;
    if (level == 0)
        return true;
    phase->kind = phase->turn ? GFAB_CUBGO_REFILL : GFAB_CUBGO_FILL;
    for (size_t i = 0; i + 1 < level; i++)
        phase->cell /= recipe->levels[i].factor;
    phase->factor = recipe->levels[level - 1].factor;
    phase->rounds = recipe->levels[level - 1].rounds;
    return true;
}

uint64_t gfab_cubgo_messages(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share)
{
    const uint64_t b = phase->rounds, a = phase->factor;
    const uint64_t sent = gfab_cubgo_two_sided(grid, gfab_grid_axis(grid, share, 0)) ? 2 * b : b;
    return sent + 2 > a ? sent + 2 - a : 0;
}

/* The number of the first long message. */
static uint64_t first_long(uint64_t total, uint64_t messages, bool two_sided)
{
    return two_sided ? (messages - total % messages) / 2 + 1 : 1;
}

uint64_t gfab_cubgo_message_begin(uint64_t total, uint64_t messages, bool two_sided, uint64_t i)
{
    const uint64_t first = first_long(total, messages, two_sided), more = total % messages;
    const uint64_t before = i < first ? 0 : i - first < more ? i - first : more;
    return (i - 1) * (total / messages) + before;
}

/* The most that a bridgehead holds of a share when side is `cell` and the first `turns` of the other axes have been
 * refilled to cell / factor. */
static uint64_t held(const gfab_grid *grid, size_t share, uint32_t cell, uint32_t factor, size_t turns)
{
    uint64_t pieces = (uint64_t)grid->items * grid->side[gfab_grid_axis(grid, share, 0)];
    for (size_t i = 1; i < grid->axes; i++)
        pieces *= divide_up(grid->side[gfab_grid_axis(grid, share, i)], i <= turns ? cell / factor : cell);
    return pieces;
}

/* Among the first so many axes alone. */
static uint64_t held_below(const gfab_grid *grid, size_t share, uint32_t cell, size_t turn)
{
    uint64_t pieces = (uint64_t)grid->items * grid->side[gfab_grid_axis(grid, share, 0)];
    for (size_t i = 1; i < turn; i++)
        pieces *= divide_up(grid->side[gfab_grid_axis(grid, share, i)], cell);
    return pieces;
}

static void gather_runs(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share, gfab_grid_runs *runs)
{
    const bool centred = gfab_cubgo_two_sided(grid, gfab_grid_axis(grid, share, 0));
    uint64_t arm = centred ? phase->cell / 2 : phase->cell - 1;
    for (uint64_t size = 1; arm > 0; size *= grid->one_port ? 2 : 3) {
        const uint64_t taken = arm < size ? arm : size;
        gfab_grid_runs_add(runs, 1, taken * grid->items);
        arm -= taken;
    }
}

/* Items of a size go round among `count` bridgeheads of a line. */
static void circulate(const gfab_grid *grid, size_t axis, uint64_t count, uint64_t size, gfab_grid_runs *runs)
{
    if (!gfab_cubgo_two_sided(grid, axis)) {
        gfab_grid_runs_add(runs, count - 1, size);
        return;
    }
    gfab_grid_runs_add(runs, (count - 1) / 2, size);
    if (count % 2 == 0)
        gfab_grid_runs_add(runs, 1, divide_up(size, 2));
}

static void spread_runs(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share, gfab_grid_runs *runs)
{
    const size_t axis = gfab_grid_axis(grid, share, 0);
    const uint64_t g = phase->cell, cells = grid->side[axis] / g, rest = grid->side[axis] % g;
    if (rest == 0) {
        circulate(grid, axis, cells, g * grid->items, runs);
        return;
    }
    /* A path on which some lines have a bridgehead in the short cell at the end, others join it to the one before. */
    gfab_grid_runs_add(runs, cells - 1, (g + rest) * grid->items);
    gfab_grid_runs_add(runs, 1, g * grid->items);
}

static void fill_runs(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share, gfab_grid_runs *runs)
{
    const uint64_t a = phase->factor, b = phase->rounds, k = gfab_cubgo_messages(grid, phase, share);
    const bool two_sided = gfab_cubgo_two_sided(grid, gfab_grid_axis(grid, share, 0));
    const uint64_t total = held(grid, share, phase->cell, 1, 0), size = total / k, more = total % k;
    if (more == 0) {
        gfab_grid_runs_add(runs, b, size);
        return;
    }
    const uint64_t first = first_long(total, k, two_sided);
    uint64_t last = two_sided ? k - first + a - 1 : more + a - 2;
    last = last < b ? last : b;
    gfab_grid_runs_add(runs, first - 1, size);
    gfab_grid_runs_add(runs, last - first + 1, size + 1);
    gfab_grid_runs_add(runs, b - last, size);
}

/* The most coordinates with one residue modulo `cell` that bridgeheads of a path, `cell / factor` apart, get from over
 * `distance` of them, where half the factor is not beyond that: from the ends inwards, that is, residues number
 * distance, .., factor - 1 on the line. Lines have `positions` bridgeheads. */
static uint64_t late_class(uint64_t positions, uint64_t factor, uint64_t distance)
{
    const uint64_t rest = positions % factor;
    return positions / factor + (distance < rest);
}

static void refill_runs(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share, gfab_grid_runs *runs)
{
    const size_t axis = gfab_grid_axis(grid, share, phase->turn);
    const uint64_t a = phase->factor, next = phase->cell / a, n = grid->side[axis];
    const uint64_t size = held(grid, share, phase->cell, phase->factor, phase->turn - 1);
    if (gfab_grid_ring(grid, axis)) {
        circulate(grid, axis, a, size, runs);
        return;
    }
    const uint64_t most = divide_up(n, phase->cell), each = size / most;
    const uint64_t early = (a - 1) / 2;
    gfab_grid_runs_add(runs, early, size);
    for (uint64_t t = early + 1; t < a;) {
        /* The size falls once at most for each of the two counts of positions. */
        const uint64_t many = divide_up(n, next), few = n / next;
        const uint64_t x = late_class(many, a, t), y = late_class(few, a, t);
        uint64_t until = a;
        if (t < many % a && many % a < until)
            until = many % a;
        if (t < few % a && few % a < until)
            until = few % a;
        gfab_grid_runs_add(runs, until - t, each * (x > y ? x : y));
        t = until;
    }
}

void gfab_cubgo_phase_runs(const gfab_grid *grid, const gfab_cubgo_phase *phase, size_t share, gfab_grid_runs *runs)
{
    const size_t axis = gfab_grid_axis(grid, share, phase->turn);
    runs->count = 0;
    switch (phase->kind) {
    case GFAB_CUBGO_GATHER:
        gather_runs(grid, phase, share, runs);
        return;
    case GFAB_CUBGO_SPREAD:
        spread_runs(grid, phase, share, runs);
        return;
    case GFAB_CUBGO_COLUMN:
        circulate(grid, axis, divide_up(grid->side[axis], phase->cell),
                  held_below(grid, share, phase->cell, phase->turn), runs);
        return;
    case GFAB_CUBGO_FILL:
        fill_runs(grid, phase, share, runs);
        return;
    case GFAB_CUBGO_REFILL:
        refill_runs(grid, phase, share, runs);
        return;
    }
}

/* Adds a phase's price to cost. */
static void price_phase(const gfab_grid *grid, const gfab_cubgo_phase *phase, gfab_cost *cost, uint64_t *longest)
{
    gfab_grid_runs runs[GFAB_MAX_DIMENSIONS];
    const size_t shares = gfab_grid_priced_shares(grid);
    for (size_t s = 0; s < shares; s++)
        gfab_cubgo_phase_runs(grid, phase, s, &runs[s]);
    gfab_grid_runs_price(runs, shares, cost, longest);
}

/* Every share sends a message at least, and none without a piece. */
static bool fill_fits(const gfab_grid *grid, const gfab_cubgo_phase *phase)
{
    for (size_t s = 0; s < gfab_grid_priced_shares(grid); s++) {
        const uint64_t k = gfab_cubgo_messages(grid, phase, s);
        if (k < 1 || k > held(grid, s, phase->cell, 1, 0))
            return false;
    }
    return true;
}

static gfab_status check(const gfab_grid *grid, const gfab_cubgo_recipe *recipe, gfab_diag *diag)
{
    if (!cell_fits(grid, recipe->cell))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "bridgeheads %u apart do not fit: on a ring the distance divides the side, on a path it is no "
                         "longer than that",
                         recipe->cell);
    uint32_t cell = recipe->cell;
    for (uint32_t i = 0; i < recipe->level_count; i++) {
        const gfab_cubgo_level level = recipe->levels[i];
        if (level.factor < 2 || cell % level.factor != 0)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "level %u: factor %u does not divide the distance %u", i + 1,
                             level.factor, cell);
        const gfab_cubgo_phase fill = {GFAB_CUBGO_FILL, 0, cell, level.factor, level.rounds};
        if (!fill_fits(grid, &fill))
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "level %u: b = %u is too %s for factor %u", i + 1, level.rounds,
                             gfab_cubgo_messages(grid, &fill, 0) > 1 ? "high" : "low", level.factor);
        cell /= level.factor;
    }
    if (cell != 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "after the last level bridgeheads are still %u apart", cell);
    return GFAB_OK;
}

gfab_status gfab_cubgo_cost(const gfab_grid *grid, const gfab_cubgo_recipe *recipe, gfab_cost *cost, gfab_diag *diag)
{
    GFAB_TRY(check(grid, recipe, diag));
    *cost = gfab_grid_opening_cost(grid);
    uint64_t longest = 1;
    gfab_cubgo_phase phase;
    for (size_t i = 0; gfab_cubgo_phase_at(grid, recipe, i, &phase); i++)
        price_phase(grid, &phase, cost, &longest);
    if (longest > grid->longest)
        return GFAB_REFUSE(diag, "a packet has %llu tokens here, more than the %u of the model",
                           (unsigned long long)longest, grid->longest);
    return GFAB_OK;
}

/* Prices as one number: startup * denominator * parts a round, denominator a piece. */
typedef struct scale {
    uint64_t round, piece;
} scale;

#define NOT_POSSIBLE (~(u128)0)

static u128 scaled(const scale *by, const gfab_cost *cost)
{
    return (u128)cost->startups * by->round + (u128)cost->transfers * by->piece;
}

/* NOT_POSSIBLE where a packet is too long. */
static u128 phase_price(const gfab_grid *grid, const gfab_cubgo_phase *phase, const scale *by)
{
    gfab_cost cost = {0, 0, 1};
    uint64_t longest = 1;
    price_phase(grid, phase, &cost, &longest);
    return longest > grid->longest ? NOT_POSSIBLE : scaled(by, &cost);
}

static u128 sum(u128 a, u128 b)
{
    return a == NOT_POSSIBLE || b == NOT_POSSIBLE ? NOT_POSSIBLE : a + b;
}

/* Below the price of a fill by b rounds whatever the rounding: b m / k transfers of every share. It is convex in b. */
static u128 fill_bound(const gfab_grid *grid, const gfab_cubgo_phase *fill, const scale *by)
{
    uint64_t most = 0;
    for (size_t s = 0; s < gfab_grid_priced_shares(grid); s++) {
        const uint64_t m = held(grid, s, fill->cell, 1, 0);
        const uint64_t sent = (uint64_t)((u128)m * fill->rounds / gfab_cubgo_messages(grid, fill, s));
        most = sent > most ? sent : most;
    }
    return (u128)fill->rounds * by->round + (u128)most * by->piece;
}

/* The best b: from the least bound outwards, both ways, as long as the bound is not above the best price. */
static u128 best_fill(const gfab_grid *grid, gfab_cubgo_phase *fill, const scale *by)
{
    uint32_t low = 1, high = UINT32_MAX / 4;
    for (size_t s = 0; s < gfab_grid_priced_shares(grid); s++) {
        const bool two_sided = gfab_cubgo_two_sided(grid, gfab_grid_axis(grid, s, 0));
        const uint64_t m = held(grid, s, fill->cell, 1, 0), a = fill->factor;
        const uint64_t least = two_sided ? a / 2 : a - 1, most = two_sided ? (m + a - 2) / 2 : m + a - 2;
        low = least > low ? (uint32_t)least : low;
        high = most < high ? (uint32_t)most : high;
    }
    if (high < low)
        return NOT_POSSIBLE;
    uint32_t from = low, to = high;
    while (from < to) {
        fill->rounds = from + (to - from) / 2;
        const u128 here = fill_bound(grid, fill, by);
        fill->rounds++;
        if (fill_bound(grid, fill, by) < here)
            from = fill->rounds;
        else
            to = fill->rounds - 1;
    }
    u128 best = NOT_POSSIBLE;
    uint32_t best_rounds = from;
    for (uint32_t b = from; b <= high; b++) {
        fill->rounds = b;
        if (best != NOT_POSSIBLE && fill_bound(grid, fill, by) > best)
            break;
        const u128 price = phase_price(grid, fill, by);
        if (price < best) {
            best = price;
            best_rounds = b;
        }
    }
    for (uint32_t b = from; b-- > low;) {
        fill->rounds = b;
        if (best != NOT_POSSIBLE && fill_bound(grid, fill, by) > best)
            break;
        const u128 price = phase_price(grid, fill, by);
        if (price <= best && price != NOT_POSSIBLE) {
            best = price;
            best_rounds = b;
        }
    }
    fill->rounds = best_rounds;
    return best;
}

/* A level's price with its best b, or the b given (not 0). */
static u128 level_price(const gfab_grid *grid, uint32_t cell, gfab_cubgo_level *level, const scale *by)
{
    gfab_cubgo_phase phase = {GFAB_CUBGO_FILL, 0, cell, level->factor, level->rounds};
    u128 price;
    if (!level->rounds)
        price = best_fill(grid, &phase, by);
    else
        price = fill_fits(grid, &phase) ? phase_price(grid, &phase, by) : NOT_POSSIBLE;
    level->rounds = phase.rounds;
    phase.kind = GFAB_CUBGO_REFILL;
    for (phase.turn = 1; phase.turn < grid->axes && price != NOT_POSSIBLE; phase.turn++)
        price = sum(price, phase_price(grid, &phase, by));
    return price;
}

static u128 start_price(const gfab_grid *grid, uint32_t cell, const scale *by)
{
    const gfab_cubgo_recipe recipe = {.cell = cell};
    u128 price = 0;
    gfab_cubgo_phase phase;
    for (size_t i = 0; gfab_cubgo_phase_at(grid, &recipe, i, &phase) && price != NOT_POSSIBLE; i++)
        price = sum(price, phase_price(grid, &phase, by));
    return price;
}

static gfab_status too_long(const gfab_grid *grid, gfab_diag *diag)
{
    return GFAB_REFUSE(diag, "no parameters here keep packets within the %u tokens of the model", grid->longest);
}

/* The factors are given: only b is free. */
static gfab_status given_factors(const gfab_grid *grid, const gfab_cubgo_wish *wish, const scale *by,
                                 gfab_cubgo_recipe *recipe, gfab_diag *diag)
{
    uint64_t cell = 1;
    for (uint32_t i = 0; i < wish->factor_count; i++) {
        cell *= wish->factors[i];
        if (cell > UINT32_MAX / 2 || cell == 0)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the factors' product is no distance between bridgeheads");
    }
    if (wish->cell && wish->cell != cell)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the factors' product is %llu, not %u", (unsigned long long)cell,
                         wish->cell);
    *recipe = (gfab_cubgo_recipe){.cell = (uint32_t)cell, .level_count = wish->factor_count};
    bool fits = cell_fits(grid, recipe->cell), possible = true;
    for (uint32_t i = 0; i < wish->factor_count && fits; i++) {
        gfab_cubgo_level *level = &recipe->levels[i];
        const uint32_t last = wish->rounds_count < i + 1 ? wish->rounds_count : i + 1;
        *level = (gfab_cubgo_level){wish->factors[i], last ? wish->rounds[last - 1] : 0};
        fits = level->factor >= 2;
        if (fits && !level->rounds)
            possible = level_price(grid, (uint32_t)cell, level, by) != NOT_POSSIBLE && possible;
        cell /= fits ? level->factor : 1;
    }
    gfab_cost cost;
    if (!possible)
        return too_long(grid, diag);
    return gfab_cubgo_cost(grid, recipe, &cost, diag);
}

/* What finishes cheapest from each distance between bridgeheads: the level to take there. */
typedef struct step {
    u128 price;
    gfab_cubgo_level level;
} step;

/* Prices add up over the levels, and a level's depend on its g and a alone: so the best chain from g on is the best
 * first level and the best chain from there. */
static void best_steps(const gfab_grid *grid, uint32_t most, uint32_t rounds, const scale *by, step *steps)
{
    for (uint32_t cell = 2; cell <= most; cell++) {
        steps[cell] = (step){.price = NOT_POSSIBLE};
        if (!cell_fits(grid, cell))
            continue;
        for (uint32_t a = 2; a <= cell; a++) {
            if (cell % a != 0 || steps[cell / a].price >= steps[cell].price)
                continue;
            gfab_cubgo_level level = {a, rounds};
            const u128 price = sum(level_price(grid, cell, &level, by), steps[cell / a].price);
            if (price < steps[cell].price)
                steps[cell] = (step){price, level};
        }
    }
}

gfab_status gfab_cubgo_best(const gfab_grid *grid, const gfab_cubgo_wish *wish, gfab_ratio startup,
                            gfab_cubgo_recipe *recipe, gfab_diag *diag)
{
    const scale by = {startup.numerator * grid->parts, startup.denominator};
    if (wish->factors_given)
        return given_factors(grid, wish, &by, recipe, diag);
    uint32_t most = wish->cell ? wish->cell : UINT32_MAX;
    for (size_t i = 0; i < grid->axes && !wish->cell; i++)
        most = grid->side[i] < most ? grid->side[i] : most;
    if (!cell_fits(grid, most) && wish->cell) {
        *recipe = (gfab_cubgo_recipe){.cell = most};
        return check(grid, recipe, diag);
    }
    GFAB_FREED step *steps = calloc((size_t)most + 1, sizeof *steps);
    GFAB_NEED(steps);
    best_steps(grid, most, wish->rounds_count ? wish->rounds[0] : 0, &by, steps);
    u128 best = NOT_POSSIBLE;
    *recipe = (gfab_cubgo_recipe){.cell = 0};
    for (uint32_t cell = wish->cell ? wish->cell : 1; cell <= most; cell++) {
        if (!cell_fits(grid, cell) || steps[cell].price == NOT_POSSIBLE)
            continue;
        const u128 price = sum(start_price(grid, cell, &by), steps[cell].price);
        if (price < best) {
            best = price;
            recipe->cell = cell;
        }
    }
    for (uint32_t cell = recipe->cell; cell > 1; cell /= steps[cell].level.factor)
        recipe->levels[recipe->level_count++] = steps[cell].level;
    if (best != NOT_POSSIBLE)
        return GFAB_OK;
    if (wish->rounds_count)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "no factors fit b = %u and packets of %u tokens", wish->rounds[0],
                         grid->longest);
    return too_long(grid, diag);
}
