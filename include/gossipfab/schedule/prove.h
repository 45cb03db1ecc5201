/* SPDX-License-Identifier: MIT */
/* Certificates: whether a gossip of some number of rounds exists at all, by SAT. For small graphs.
 * docs/theory/certificates.md has the formula and says why it is sound. */
#ifndef GOSSIPFAB_PROVE_H
#define GOSSIPFAB_PROVE_H

#include <gossipfab/schedule/refute.h>
#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* The most "has" and "moves" variables a formula may have: (nodes + arcs) x nodes x rounds. */
#define GFAB_PROVE_MAX_VARIABLES 1000000
/* The most decisions of a cube: up to 2^20 cubes. */
#define GFAB_PROVE_MAX_DEPTH 20

typedef enum gfab_prove_answer {
    GFAB_PROVE_UNKNOWN,   /* the limit on conflicts was reached */
    GFAB_PROVE_POSSIBLE,  /* there is a schedule of at most that many rounds */
    GFAB_PROVE_IMPOSSIBLE /* there is none */
} gfab_prove_answer;

typedef struct gfab_prove_options {
    uint32_t max_conflicts; /* give up after about so many; 0: never */
    uint32_t max_transfers; /* most transfers in all: the sum over the rounds of the tokens of the longest packet;
                                    * 0: any number */
    bool translations;      /* gfab_prove_goal, tori: only schedules that stay the same when all nodes are moved along,
                                    * each block seen from its owner. IMPOSSIBLE then says nothing of others */
    const int *cube;        /* literals that are taken as true, of gfab_prove_cubes; NULL: none. IMPOSSIBLE then says
                         * nothing of other schedules, and the proof is of the formula in the cube */
    size_t cube_length;     /* of cube */
    const gfab_progress *progress; /* may be NULL */
    FILE *cnf;                     /* where the formula goes, as DIMACS; may be NULL */
    FILE *proof;                   /* where the solver's proof goes, as text DRAT (additions alone, each by unit
                                    * propagation); ends with the empty clause if IMPOSSIBLE; may be NULL */
} gfab_prove_options;

typedef struct gfab_prove_report {
    gfab_prove_answer answer;
    uint64_t variables; /* of the formula */
    uint64_t clauses;
    uint64_t conflicts; /* clauses that the solver learned, one a conflict */
} gfab_prove_report;

gfab_prove_options gfab_prove_options_default(void);

/* Answers for gossip on topology under model in at most so many rounds and transfers. schedule (may be NULL) gets,
 * where POSSIBLE, a schedule, owned by the caller; else NULL. Deterministic. Errors: LIMIT above
 * GFAB_PROVE_MAX_VARIABLES (nothing was written then); IO; INTERRUPTED; NO_MEMORY. */
gfab_status gfab_prove_rounds(const gfab_topology *topology, const gfab_model *model, uint32_t rounds,
                              const gfab_prove_options *options, gfab_prove_report *report, gfab_schedule **schedule,
                              gfab_diag *diag);

/* The cubes in which that formula (without a limit on transfers) can be refuted piece by piece, each of up to `depth`
 * decisions: whether an arc carries a token, in the first rounds first, left out where it follows from those before.
 * gfab_cubes_cover holds for them. cnf (may be NULL) gets the formula as DIMACS. cubes is to be released.
 * Deterministic. Errors: INVALID above a depth of GFAB_PROVE_MAX_DEPTH; those of gfab_prove_rounds. */
gfab_status gfab_prove_cubes(const gfab_topology *topology, const gfab_model *model, uint32_t rounds, uint32_t depth,
                             FILE *cnf, gfab_cubes *cubes, gfab_diag *diag);

/* gfab_prove_rounds for any goal whose blocks are combined, and for gossip; all ports, store-and-forward. Variables:
 * blocks x (nodes + 1) x (nodes + arcs) x rounds. Errors also UNSUPPORTED, and those of gfab_goal_check. */
gfab_status gfab_prove_goal(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                            uint32_t rounds, const gfab_prove_options *options, gfab_prove_report *report,
                            gfab_schedule **schedule, gfab_diag *diag);

GFAB_C_END
#endif
