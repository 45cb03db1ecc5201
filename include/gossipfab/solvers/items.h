/* SPDX-License-Identifier: MIT */
/* A search that is cut in numbered work items, for many machines: item k is what gfab_solve makes with seed k, and
 * nothing else. Which items are settled, and the best schedule so far, are a value with a text form; two of them about
 * the same question merge. The end is the same whoever did which item in which order. docs/guide/search.md. */
#ifndef GOSSIPFAB_ITEMS_H
#define GOSSIPFAB_ITEMS_H

#include <gossipfab/schedule/bound.h>
#include <gossipfab/solvers/solver.h>

GFAB_C_BEGIN

/* The most items of one search; they are numbered from 1 to GFAB_ITEMS_LAST at most. */
#define GFAB_ITEMS_MAX 1000000
#define GFAB_ITEMS_LAST 1000000000000

typedef struct gfab_items gfab_items;

/* What is searched for. Of the schedules that the items have the one with the fewest rounds is best; with `rounds` any
 * of so many will do, so that the lowest item that has one is best. */
typedef struct gfab_items_question {
    const gfab_solver *solver; /* one that draws at random, by its seed */
    const char *parameters;    /* as gfab_solver_options.parameters; NULL: none */
    uint32_t effort;           /* tries of an item, at each number of rounds; at least 1 */
    uint32_t rounds;           /* what is enough, and the most an item may have; 0: as few as are found */
    uint64_t first, last;      /* the items */
} gfab_items_question;

/* None is settled. topology is borrowed and must outlive the items; texts are copied. goal may be NULL: an all-gather
 * of one token a node. A graph that is one of a family under other numbers is solved as that. Errors: INVALID where the
 * question is out of range, or has parameters that the solver has not; UNSUPPORTED where the solver does not take the
 * graph, model or goal, or the rounds are below the lower bound; LIMIT above GFAB_ITEMS_MAX; INTERRUPTED by progress,
 * which may be NULL; NO_MEMORY. */
gfab_status gfab_items_create(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                              const gfab_items_question *question, const gfab_progress *progress, gfab_items **items,
                              gfab_diag *diag);
void gfab_items_destroy(gfab_items *items);

/* Its texts and topology are borrowed. */
gfab_items_question gfab_items_asked(const gfab_items *items);
const gfab_topology *gfab_items_topology(const gfab_items *items);
/* No schedule has fewer rounds. Borrowed. */
const gfab_bound *gfab_items_bound(const gfab_items *items);

/* The lowest item from `from` on that is not settled and can still win; 0 if there is none. An item can't win above one
 * whose rounds are enough: those asked for, or as few as the bound. */
uint64_t gfab_items_next(const gfab_items *items, uint64_t from);
/* The highest item that can still win, settled or not. */
uint64_t gfab_items_limit(const gfab_items *items);
/* How many items are settled, of those up to the limit. */
uint64_t gfab_items_settled(const gfab_items *items);

/* Does one item, which leaves items as they are: *schedule, the caller's, is what it has, or NULL where it has none,
 * diag (may be NULL) then says why. Errors: the solver's, UNSUPPORTED aside; INVALID where there is no such item. */
gfab_status gfab_items_run(const gfab_items *items, uint64_t item, const gfab_progress *progress,
                           gfab_schedule **schedule, gfab_diag *diag);
/* Notes that an item has been done, with what it has, or NULL. The schedule is verified, and kept as a copy where it is
 * the best. FAULT with the checker's words; INVALID where it is of another question; NO_MEMORY. */
gfab_status gfab_items_settle(gfab_items *items, uint64_t item, const gfab_schedule *schedule, gfab_diag *diag);
/* The best so far, verified, and its item; NULL and 0 where there is none. Borrowed until items change. */
const gfab_schedule *gfab_items_best(const gfab_items *items, uint64_t *item);

/* Adds what `from` has settled to `into`. INVALID where they are not about the same question, which diag names, or have
 * the same item with different rounds; NO_MEMORY. `into` is unchanged then. */
gfab_status gfab_items_merge(gfab_items *into, const gfab_items *from, gfab_diag *diag);

/* The text form, docs/guide/search.md: a function of the question, of the items settled and of the best. IO. */
gfab_status gfab_items_write(const gfab_items *items, FILE *file, gfab_diag *diag);
/* Reads it. On GFAB_OK both results are the caller's; destroy the items first. Errors: PARSE with the line; FAULT where
 * the schedule in it is faulty; LIMIT; IO; those of gfab_items_create. progress may be NULL. */
gfab_status gfab_items_read(FILE *file, const gfab_progress *progress, gfab_topology **topology, gfab_items **items,
                            gfab_diag *diag);

GFAB_C_END
#endif
