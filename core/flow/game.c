/* SPDX-License-Identifier: MIT */
/* A game of two players as a linear program (von Neumann 1928; Dantzig 1951), by the simplex method on a table that has
 * a column for each variable that is 0: who chooses rows takes the most u, in all, of which no column pays more than 1.
 * The shares are u over its sum, and the value is 1 over it; the other player's are the prices of the columns. All
 * limits are 1, so that many steps would gain nothing: which one is taken is decided by limits that are shifted a
 * little, each by another number (Charnes 1952), and where even that does not help by order (Bland 1977). The numbers
 * are rounded, so that nothing is proved by them: who uses the shares counts with what they are. */
#include "game.h"

#include "base/random.h"

#include <gossipfab/base/arena.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SMALL 1e-9
#define FIRM 1e-7 /* what is divided by */
#define PATIENCE 64u
#define SHIFT 0x1p-40 /* times numbers below 2^24 */

typedef struct table {
    size_t height, width; /* of constraints and variables; one more of each for the sums */
    double *at;         /* [(height + 1) * (width + 2)]: what is left of each limit comes last, as it is and shifted */
    size_t *left, *top; /* [height], [width]: variables, rows first, then what columns have left */
} table;

static double *cell(const table *t, size_t line, size_t column)
{
    return &t->at[line * (t->width + 2) + column];
}

static void pivot(table *t, size_t line, size_t column)
{
    const double by = *cell(t, line, column);
    const size_t swap = t->left[line];
    for (size_t j = 0; j <= t->width + 1; j++)
        *cell(t, line, j) /= by;
    for (size_t i = 0; i <= t->height; i++) {
        const double times = *cell(t, i, column);
        if (i == line || times == 0)
            continue;
        for (size_t j = 0; j <= t->width + 1; j++)
            *cell(t, i, j) -= times * *cell(t, line, j);
        *cell(t, i, column) = -times / by;
    }
    *cell(t, line, column) = 1 / by;
    t->left[line] = t->top[column];
    t->top[column] = swap;
}

/* The variable that gains most, or the first that gains. width: none does. */
static size_t find_column(const table *t, bool first)
{
    size_t best = t->width;
    for (size_t j = 0; j < t->width; j++) {
        const double gain = -*cell(t, t->height, j);
        if (gain > SMALL &&
            (best == t->width || (first ? t->top[j] < t->top[best] : gain > -*cell(t, t->height, best))))
            best = j;
    }
    return best;
}

/* Of the lines that leave least room, or as good as that, the one with the greatest number to divide by (Harris 1973);
 * or the first. height: there is no limit. */
static size_t find_line(const table *t, size_t column, bool first)
{
    size_t best = t->height;
    double least = INFINITY;
    for (size_t i = 0; i < t->height; i++) {
        const double by = *cell(t, i, column);
        if (by > FIRM)
            least = fmin(least, fmax(*cell(t, i, t->width + 1), 0) / by);
    }
    for (size_t i = 0; i < t->height; i++) {
        const double by = *cell(t, i, column);
        if (by <= FIRM || fmax(*cell(t, i, t->width + 1), 0) / by > least + SMALL)
            continue;
        if (best == t->height || (first ? t->left[i] < t->left[best] : by > *cell(t, best, column)))
            best = i;
    }
    return best;
}

static void run(table *t)
{
    const size_t most = 50 * (t->height + t->width) + 1000;
    double before = 0;
    for (size_t steps = 0, idle = 0; steps < most; steps++) {
        const size_t column = find_column(t, idle > PATIENCE);
        if (column == t->width)
            return;
        const size_t line = find_line(t, column, idle > PATIENCE);
        if (line == t->height)
            return;
        pivot(t, line, column);
        const double now = *cell(t, t->height, t->width + 1);
        idle = now > before + SMALL ? 0 : idle + 1;
        before = now;
    }
}

gfab_status gfab_game_solve(size_t rows, size_t columns, const double *payoff, double *row, double *column,
                            double *value)
{
    uint64_t random = rows;
    table t = {.height = columns, .width = rows};
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    t.at = gfab_arena_zeroed2(&arena, columns + 1, rows + 2, sizeof *t.at);
    t.left = gfab_arena_zeroed(&arena, columns, sizeof *t.left);
    t.top = gfab_arena_zeroed(&arena, rows, sizeof *t.top);
    GFAB_NEED(!arena.failed);
    double most = 0; /* numbers from 0 to 1 */
    for (size_t i = 0; i < rows * columns; i++)
        most = fmax(most, payoff[i]);
    for (size_t j = 0; j < rows; j++) {
        t.top[j] = j;
        *cell(&t, columns, j) = -1;
    }
    for (size_t i = 0; i < columns; i++) {
        t.left[i] = rows + i;
        *cell(&t, i, rows) = 1;
        *cell(&t, i, rows + 1) = 1 + (double)(gfab_random(&random) >> 40) * SHIFT;
        for (size_t j = 0; j < rows; j++)
            *cell(&t, i, j) = payoff[j * columns + i] / most;
    }
    run(&t);
    const double sum = *cell(&t, columns, rows);
    *value = most / sum;
    memset(row, 0, rows * sizeof *row);
    memset(column, 0, columns * sizeof *column);
    for (size_t i = 0; i < columns; i++)
        if (t.left[i]<rows && * cell(&t, i, rows)> 0)
            row[t.left[i]] = *cell(&t, i, rows) / sum;
    for (size_t j = 0; j < rows; j++)
        if (t.top[j] >= rows && *cell(&t, columns, j) > 0)
            column[t.top[j] - rows] = *cell(&t, columns, j) / sum;
    return GFAB_OK;
}
