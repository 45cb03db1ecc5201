/* SPDX-License-Identifier: MIT */
/* Refutations in pieces: a formula, cubes that cover all assignments, and for each cube a proof that the formula has no
 * model in it. The checker here knows neither what the formula says nor what found the proofs.
 * docs/theory/certificates.md. */
#ifndef GOSSIPFAB_REFUTE_H
#define GOSSIPFAB_REFUTE_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

GFAB_C_BEGIN

/* The most literals of a cube that is read. */
#define GFAB_CUBES_MAX_LENGTH 64

/* Cubes: each a few literals, variables with a sign, that are taken as true. All zero: none. */
typedef struct gfab_cubes {
    int *literals;
    size_t *end; /* cube i has literals[end[i - 1]] .. literals[end[i] - 1], cube 0 from 0 on */
    size_t count;
} gfab_cubes;

/* Leaves it empty. */
void gfab_cubes_release(gfab_cubes *cubes);
/* The literals of a cube, from 0; borrowed. */
const int *gfab_cubes_at(const gfab_cubes *cubes, size_t index, size_t *length);
/* Adds a cube behind the others. NO_MEMORY. */
gfab_status gfab_cubes_add(gfab_cubes *cubes, const int *literals, size_t length);

/* A line "a LITERALS 0" a cube, as in iCNF. IO. */
gfab_status gfab_cubes_write(const gfab_cubes *cubes, FILE *file, gfab_diag *diag);
/* PARSE and LIMIT with the line; IO; NO_MEMORY. On GFAB_OK to be released. */
gfab_status gfab_cubes_read(FILE *file, gfab_cubes *cubes, gfab_diag *diag);
/* Is every assignment in a cube? OK where the cubes are the leaves of a tree of decisions, in its order: they begin
 * with the same variable, first all that have it true, then all that have it false, and so on below both. FAULT for any
 * other cubes, covering or not, with the first that is out of place. */
gfab_status gfab_cubes_cover(const gfab_cubes *cubes, gfab_diag *diag);

/* A formula in conjunctive normal form. */
typedef struct gfab_formula gfab_formula;

/* Reads DIMACS. PARSE with the line; LIMIT; IO; NO_MEMORY. */
gfab_status gfab_formula_read(FILE *file, gfab_formula **formula, gfab_diag *diag);
void gfab_formula_destroy(gfab_formula *formula);
/* Does the proof show that the formula has no model in the cube? Each of its clauses must follow from the formula, the
 * cube and the clauses before it by unit propagation, up to the empty clause: DRAT whose additions are all RUP;
 * deletions are passed over, which is sound. A proof of no clause is one where the empty clause follows at once. FAULT
 * with the line of the first clause that does not follow, or at the end; PARSE with the line; INTERRUPTED by progress,
 * which may be NULL; IO; NO_MEMORY. *clauses (may be NULL) gets the clauses checked. */
gfab_status gfab_formula_refuted(const gfab_formula *formula, const int *cube, size_t length, FILE *proof,
                                 const gfab_progress *progress, size_t *clauses, gfab_diag *diag);

GFAB_C_END
#endif
