/* SPDX-License-Identifier: MIT */
/* Private: a formula in conjunctive normal form, and the solver that it is given to. */
#ifndef GOSSIPFAB_CNF_H
#define GOSSIPFAB_CNF_H

#include <gossipfab/schedule/prove.h>

#include "cadical_guard.h"

/* All zero at first. Where failed is set it is out of memory, or of variables, and what follows does nothing. */
typedef struct gfab_cnf {
    int *literals; /* the clauses, each ended by 0; to be freed */
    size_t length, room;
    uint64_t clauses;
    int variables; /* 1 .. variables */
    bool failed;
    char comment[192]; /* of its text */
} gfab_cnf;

int gfab_cnf_variable(gfab_cnf *f);
/* Adds a literal to the clause being made; 0 ends it. */
void gfab_cnf_add(gfab_cnf *f, int literal);
/* A clause of up to three literals; those that are 0 are left out. */
void gfab_cnf_clause(gfab_cnf *f, int a, int b, int c);
/* At most `most` of the literals are true: Sinz's sequential counter (2005, LT-SEQ), or all pairs where they are
 * few. */
void gfab_cnf_at_most(gfab_cnf *f, const int *literals, size_t count, size_t most);

/* DIMACS, with the comment. IO. */
gfab_status gfab_cnf_write(const gfab_cnf *f, FILE *file, gfab_diag *diag);
/* Cubes of up to depth decisions on these variables, in their order; those that follow are passed over. NO_MEMORY. */
gfab_status gfab_cnf_split(const gfab_cnf *f, const int *variables, size_t count, uint32_t depth, gfab_cubes *cubes);

/* Reads what the solver found. */
typedef gfab_status (*gfab_cnf_model)(void *context, gfab_cadical *solver);
/* Answers whether f can be true: writes it as DIMACS where options wants it, then solves it, with what
 * options says of conflicts, progress and proof. read is called where it is POSSIBLE. Fills report. IO. */
gfab_status gfab_cnf_answer(const gfab_cnf *f, const gfab_prove_options *options, gfab_prove_report *report,
                            gfab_cnf_model read, void *context, gfab_diag *diag);

/* Is the formula for these weights? UNSUPPORTED where links have some and packets may have more than one token. */
gfab_status gfab_prove_check_weights(const gfab_topology *topology, const gfab_model *model, uint32_t max_transfers,
                                     gfab_diag *diag);

#endif
