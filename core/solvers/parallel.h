/* SPDX-License-Identifier: MIT */
/* Loops over all cores, private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_PARALLEL_H
#define GOSSIPFAB_SOLVERS_PARALLEL_H

#include <stddef.h>

#define GFAB_MAX_WORKERS 64u

/* Processors to use: at least 1, at most GFAB_MAX_WORKERS. */
unsigned gfab_parallel_workers(void);

/* Calls body(context, worker, index) once for each index below count, from at most workers threads at a time, the
 * caller's among them; worker < workers tells which. Where threads cannot be had, fewer do the work. What body leaves
 * behind must not depend on worker or on the order of the calls. */
void gfab_parallel_for(unsigned workers, size_t count, void (*body)(void *context, unsigned worker, size_t index),
                       void *context);

#endif
