/* SPDX-License-Identifier: MIT */
/* Which solver is fastest where starting a message has a price: all that apply, each with the linear cost of its
 * schedule (gossipfab/schedule/cost.h) and the cycles that the fabric then takes, ranked. docs/guide/advise.md. */
#ifndef GOSSIPFAB_ADVISE_H
#define GOSSIPFAB_ADVISE_H

#include <gossipfab/fabric/compile.h>
#include <gossipfab/solvers/solver.h>

GFAB_C_BEGIN

typedef struct gfab_adviser_options {
    const gfab_solver *const *solvers; /* NULL: all of the library but auto, which only chooses among them */
    size_t solver_count;
    const char *const *parameters; /* of each of solvers, as gfab_solver_options has them; NULL: none, as is an entry */
    const gfab_model *models;      /* each solver is asked about each model, in this order */
    size_t model_count;
    gfab_solver_options solver; /* seed, effort and progress, and recognition, of which the first likeness is taken for
                                 * the topology; the others are not looked at */
    size_t run_nodes; /* up to so many nodes a solver is run and verified where its formula does not say all */
    const gfab_machine_options
        *machine; /* of a narrow fabric: its widths, latency, and gap, which is the startup; NULL:
                                          * no fabric, no cycles */
} gfab_adviser_options;

/* All solvers, run on up to 256 nodes, no fabric; models are to be set. */
gfab_adviser_options gfab_adviser_options_default(void);

typedef enum gfab_advice_source {
    GFAB_ADVICE_FORMULA,  /* the solver's cost hook */
    GFAB_ADVICE_VERIFIED, /* its schedule, made and verified */
    GFAB_ADVICE_NONE      /* not known */
} gfab_advice_source;

typedef struct gfab_advice {
    const gfab_solver *solver;
    const char *parameters; /* as given */
    gfab_model model;
    gfab_advice_source source;
    gfab_cost cost;      /* of its schedule for the startup asked; all below only where it is known */
    gfab_ratio total;    /* in units of one token's transfer */
    uint64_t path_links; /* sum over the rounds of the longest path's links; 0 where it is not known */
    uint64_t cycles;     /* of the fabric; 0 where there is none for this schedule, or its paths are not known */
    char reason[200];    /* NONE: why; cycles 0: why */
} gfab_advice;

typedef struct gfab_adviser gfab_adviser;

/* topology, and what options points to, are borrowed and must outlive the adviser. INVALID for a bad model or bad
 * widths, LIMIT, NO_MEMORY. */
gfab_status gfab_adviser_create(const gfab_topology *topology, const gfab_adviser_options *options,
                                gfab_adviser **adviser, gfab_diag *diag);
void gfab_adviser_destroy(gfab_adviser *adviser);

/* All solvers that apply, for this startup, best first: by cycles where both have them, those with cycles before
 * those without, by total otherwise, what is not known last; of equals the solver that comes first, then the model. A
 * model is left out where an earlier one of the same links and ports gives the solver the same cost, and for solvers
 * without a formula also a circuit model whose store-and-forward twin is listed. The list is the adviser's and holds
 * until the next call. A solver without a formula is run once a model, or, where it minds the startup, once a call;
 * one that is on_request only where options name it. What a solver's run gives other than a schedule is in its
 * reason; INTERRUPTED, NO_MEMORY, and FAULT where a schedule is faulty or does not cost what its solver's formula
 * says (diag has it), end the call. */
gfab_status gfab_adviser_rank(gfab_adviser *adviser, gfab_ratio startup, const gfab_advice **list, size_t *count,
                              gfab_diag *diag);

GFAB_C_END
#endif
