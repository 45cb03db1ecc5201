/* SPDX-License-Identifier: MIT */
/* Which schedule of a collective takes the least time for a message of a length, and in how many blocks. A round that
 * has a packet takes a startup, the latency of a message, and the transfer of the blocks over the link that has most of
 * them for its weight:
 *
 *     time = startups x latency + transfers x block bytes / bandwidth
 *
 * with startups and transfers as the checker counts them (gossipfab/schedule/verify.h), and block bytes = ceil(bytes /
 * blocks). docs/guide/advise.md. */
#ifndef GOSSIPFAB_LENGTHS_H
#define GOSSIPFAB_LENGTHS_H

#include <gossipfab/solvers/solver.h>

GFAB_C_BEGIN

typedef struct gfab_length_options {
    gfab_goal goal;                    /* its collective, root and operator; its blocks where fixed_blocks */
    bool fixed_blocks;                 /* cut in goal.blocks; else in as many as take the least time */
    const gfab_solver *const *solvers; /* NULL: all of the library but those that take minutes */
    size_t solver_count;
    const char *const *parameters; /* of each of solvers, as gfab_solver_options has them; NULL: none, as is an entry */
    const gfab_model *models;      /* each solver is asked about each model, in this order */
    size_t model_count;
    gfab_solver_options solver; /* seed, effort, progress and recognition; the others are not looked at */
} gfab_length_options;

/* All solvers but those that take minutes, in any number of blocks; goal and models are to be set. */
gfab_length_options gfab_length_options_default(void);

/* The best schedule of one solver, under the model and in the blocks that serve it best. */
typedef struct gfab_length_advice {
    const char *solver;     /* its name; where auto was asked that of the solver it chose */
    const char *parameters; /* as given, or NULL */
    gfab_model model;
    uint32_t blocks;
    uint64_t block_bytes; /* of the longest block */
    gfab_cost cost;       /* startups, transfers of blocks, parts; as the checker counts them */
    bool repeats;         /* it is one group that repeats: docs/theory/long-vectors/periodic.md */
    gfab_ratio total;     /* in transfers of a byte: startups x startup + transfers x block_bytes / parts */
} gfab_length_advice;

typedef struct gfab_lengths gfab_lengths;

/* Has every solver make its schedules, of a few numbers of blocks and of any number, and verifies each. topology, and
 * what options points to, are borrowed and must outlive it. Errors: those of gfab_model_check and gfab_goal_check;
 * FAULT where a schedule is faulty, with the solver in diag; UNSUPPORTED where no solver makes one, with a reason;
 * LIMIT, NO_MEMORY, INTERRUPTED. */
gfab_status gfab_lengths_create(const gfab_topology *topology, const gfab_length_options *options,
                                gfab_lengths **lengths, gfab_diag *diag);
void gfab_lengths_destroy(gfab_lengths *lengths);

/* The solvers by the time that they take for so many bytes, best first: those of all blocks together, of an all-gather,
 * a reduce-scatter and an all-to-all all nodes' together. startup is the latency in transfers of a byte. No block is
 * shorter than a byte, so that what takes more blocks than there are bytes is left out; a barrier has no bytes; none
 * count. The number of blocks of a schedule that repeats is searched for, and the schedule verified once more with it.
 * The list is that of lengths and holds until the next call. INVALID for 0 bytes but of a barrier; LIMIT where a time
 * does not fit; FAULT, NO_MEMORY, INTERRUPTED. */
gfab_status gfab_lengths_rank(gfab_lengths *lengths, uint64_t bytes, gfab_ratio startup,
                              const gfab_length_advice **list, size_t *count, gfab_diag *diag);

/* Makes the schedule of an advice of the last list again, by its place there, in its blocks, and verifies it; on
 * GFAB_OK it is the caller's. Errors of gfab_solve, FAULT. */
gfab_status gfab_lengths_make(const gfab_lengths *lengths, size_t index, gfab_schedule **schedule, gfab_diag *diag);

/* latency microseconds over a link of bandwidth GB/s, 10^9 bytes, in transfers of a byte: 1000 latency x bandwidth.
 * LIMIT where it does not fit. */
gfab_status gfab_length_startup(gfab_ratio latency, gfab_ratio bandwidth, gfab_ratio *startup);

GFAB_C_END
#endif
