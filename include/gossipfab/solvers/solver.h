/* SPDX-License-Identifier: MIT */
/* The table of solvers. docs/guide/adding-a-solver.md says how to add one. */
#ifndef GOSSIPFAB_SOLVER_H
#define GOSSIPFAB_SOLVER_H

#include <gossipfab/schedule/cost.h>
#include <gossipfab/schedule/schedule.h>
#include <gossipfab/topology/recognise.h>

GFAB_C_BEGIN

typedef struct gfab_solver_options {
    uint64_t seed;                 /* for solvers that choose at random; same seed, same schedule */
    const gfab_progress *progress; /* may be NULL */
    uint32_t effort;               /* tries at each number of rounds of solvers that search; 0: their own */
    uint32_t rounds;               /* most rounds allowed, UNSUPPORTED if the solver finds no such schedule; 0: any */
    gfab_ratio startup;            /* r of gossipfab/schedule/cost.h, for solvers that minimise the linear cost */
    bool linear;                   /* startup counts: minimise the cost; else the rounds */
    const char *parameters;        /* the solver's own settings, "a=3,b=1"; NULL: it chooses them. A solver without
                                    * settings refuses any (INVALID). */
    const uint32_t *load;          /* as gfab_schedule_set_load, of N entries; NULL: one token a node. Solvers without
                                    * takes_load refuse it (UNSUPPORTED) */
    const gfab_goal *goal;         /* what the schedule is for; NULL: an all-gather of load. Not with a load. Solvers
                                    * without its collective refuse it (UNSUPPORTED) */
    bool
        any_length; /* gfab_solve: a schedule that repeats, for any number of blocks whatever goal->blocks says. Solvers
                      * without `repeats` refuse it (UNSUPPORTED); to others the goal is one of many blocks */
    const gfab_recognition *recognition; /* what the topology is, for gfab_solve; NULL: it is taken as numbered */
    gfab_diag *faulty; /* gets the first solver that auto passed over since its schedule was faulty, and why; unchanged
                        * where there is none. May be NULL */
    /* Of solvers whose work can take seconds: about so many milliseconds each; 0: their own. They count what they do
     * and read no clock, so that the schedule is the same everywhere. */
    uint32_t most_ms;
} gfab_solver_options;

/* Value of key in a text "key=value,key=value"; *length 0 and NULL where it is not there. */
const char *gfab_parameter(const char *parameters, const char *key, size_t *length);

/* Of gfab_solver.collectives. */
#define GFAB_MAKES(collective) ((uint32_t)1 << (collective))
#define GFAB_MAKES_ALL (GFAB_MAKES(GFAB_COLLECTIVES) - 1)

/* Of gfab_solver.only: the models that it is for, a sum. */
#define GFAB_ONLY_FULL 1u /* full-duplex links */
#define GFAB_ONLY_HALF 2u /* half-duplex links */
#define GFAB_ONLY_ALL_PORTS 4u
#define GFAB_ONLY_ONE_PORT 8u
#define GFAB_ONLY_SINGLE 16u    /* 1 token a packet */
#define GFAB_ONLY_ONE_ROUND 32u /* 1 round a hop */
#define GFAB_ONLY_STORED 64u    /* store-and-forward routing */
#define GFAB_ONLY_CIRCUIT 128u  /* circuit routing */
#define GFAB_ONLY_H_STAR (GFAB_ONLY_HALF | GFAB_ONLY_ALL_PORTS | GFAB_ONLY_SINGLE | GFAB_ONLY_ONE_ROUND)
#define GFAB_ONLY_TELEPHONE (GFAB_ONLY_FULL | GFAB_ONLY_ONE_PORT | GFAB_ONLY_ONE_ROUND | GFAB_ONLY_STORED)

/* About how long solve takes: ns * N^nodes * B^blocks nanoseconds, of N nodes and B blocks. */
typedef struct gfab_solver_work {
    uint64_t ns; /* 0: no time worth counting, or a time that has a limit of its own */
    uint8_t nodes, blocks;
} gfab_solver_work;

typedef struct gfab_solver {
    const char *name;    /* "lau-zhang" */
    const char *summary; /* one line */
    const char *source;  /* paper and section */
    /* What the row does not say, for gfab_solver_applies: OK if solve works here, for gossip or a load that it takes;
     * UNSUPPORTED with the reason in diag if not. NULL: the row says all. */
    gfab_status (*applies)(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag);
    /* A schedule under exactly this model; owned by the caller; its solver name is set. */
    gfab_status (*solve)(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag);
    /* The closed formula for its rounds: OK, or UNSUPPORTED and the like where it promises none, or NO_MEMORY. May be
     * NULL. */
    gfab_status (*formula)(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds);
    /* The cost of what solve makes for these options, by formula, without making it; UNSUPPORTED where it has none.
     * May be NULL. */
    gfab_status (*cost)(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                        gfab_cost *cost, gfab_diag *diag);
    /* Does it make schedules of no more rounds than any, by which nodes of a narrow fabric share ROMs? NULL: no. */
    bool (*few_programs)(const gfab_topology *topology);
    uint32_t collectives;  /* GFAB_MAKES(...) of each collective that it makes; 0: all-gather alone */
    bool takes_load;       /* solve honours options->load */
    bool broadcasts;       /* it makes nothing else: options->load has to be one token at one node */
    bool minds_startup;    /* solve looks at options->linear and startup: another startup, another schedule */
    bool few_banks;        /* tokens that leave a node together came apart, so that wide nodes need few banks */
    bool on_request;       /* can take minutes: auto does not run it to see what it makes */
    bool repeats;          /* it can make schedules that repeat, where there are many blocks */
    bool exact;            /* where rounds count, no gossip has fewer rounds than what solve makes */
    uint32_t knows;        /* GFAB_MARK_.. that a graph may have; 0: plain graphs alone */
    uint32_t only;         /* GFAB_ONLY_.. of models; 0: any */
    size_t most_nodes;     /* 0: 2^14, the most that any solver lists the moves of */
    gfab_solver_work work; /* once it has a schedule, auto passes over what would take seconds */
    uint32_t long_from;    /* blocks a node from which on it is of use, where other solvers are: auto asks it for
                                    * fewer only on graphs with marks, or for owned blocks */
    /* solve where a schedule is there, and options->rounds fewer than it has: it gives up sooner. NULL: solve does not
     * look at these. */
    gfab_status (*improve)(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           gfab_schedule **schedule, gfab_diag *diag);
    const char *const *parameters; /* keys of options->parameters, ending in NULL; NULL: none */
} gfab_solver;

/* Does the solver take such a graph and model, by its row, then by `applies`? OK; UNSUPPORTED or LIMIT with the reason
 * in diag; INVALID for a model that gfab_model_check refuses; NO_MEMORY. */
gfab_status gfab_solver_applies(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                                gfab_diag *diag);

/* Are options ones that the solver takes: its parameters' keys, a load? INVALID or UNSUPPORTED. */
gfab_status gfab_solver_check_options(const gfab_solver *solver, const gfab_solver_options *options, gfab_diag *diag);

/* solver->solve, where options have no recognition. Where they have one of this topology, the solver makes its schedule
 * for each of the families' graphs that it is, until one has as few rounds as the bound, and the best is brought to the
 * topology's own numbers: load, root, owners of blocks and ports are right under these. options->parameters mean the
 * family's numbers. Where the solver takes none of them, it gets the topology as it is. *like, unless NULL, is what
 * the schedule was made for: one of the recognition's, or NULL. Errors: the solver's; FAULT where a likeness is
 * none. With options->any_length the schedule is one of any length (gfab_schedule_any_length), and UNSUPPORTED says
 * that the solver makes none that repeats here. */
gfab_status gfab_solve(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                       const gfab_solver_options *options, gfab_schedule **schedule, const gfab_likeness **like,
                       gfab_diag *diag);

/* Entries in order; NULL past the end. Static. */
const gfab_solver *gfab_solver_at(size_t index);
/* By name; NULL if there is none. "auto" is an entry: it takes the best that applies. */
const gfab_solver *gfab_solver_find(const char *name);
/* Where any solver will do, the first that applies and whose schedules make a small fabric: with wide nodes one with
 * few_banks, else one with few_programs. *solver is NULL if there is none. NO_MEMORY where one had none to tell. */
gfab_status gfab_solver_for_fabric(const gfab_topology *topology, const gfab_model *model, bool wide,
                                   const gfab_solver **solver);
/* The name of the solver to take in place of one that an earlier version had; NULL for any other name. Static. */
const char *gfab_solver_successor(const char *name);
gfab_solver_options gfab_solver_options_default(void);

/* Broadcasts from every node by a solver that takes a load: rounds[node_count] gets the rounds of each, *worst a node
 * with most of them. Nodes that proven symmetries of the graph turn into each other are solved once. options has no
 * load; where its effort is 0 each node is solved with effort 1, then those with most rounds with the solver's own,
 * until the worst has been: *worst is then a node with most rounds by the solver's own effort, if more effort never
 * takes more rounds. Runs on all cores; progress counts sources. With a recognition the first of its likenesses is
 * what is solved. Errors: the solver's. */
gfab_status gfab_broadcast_survey(const gfab_topology *topology, const gfab_model *model, const gfab_solver *solver,
                                  const gfab_solver_options *options, uint32_t *rounds, uint32_t *worst,
                                  gfab_diag *diag);

GFAB_C_END
#endif
