/* SPDX-License-Identifier: MIT */
/* Games of two players in a table; private to core/. */
#ifndef GOSSIPFAB_GAME_H
#define GOSSIPFAB_GAME_H

#include <gossipfab/base/status.h>

#include <stddef.h>

/* payoff[row * columns + column] >= 0 goes from who chooses rows to who chooses columns; every row has one above 0.
 * Each chooses by chance: row[] and column[] get the shares that are best against the other's best, *value what is paid
 * on average, up to rounding. NO_MEMORY. */
gfab_status gfab_game_solve(size_t rows, size_t columns, const double *payoff, double *row, double *column,
                            double *value);

#endif
