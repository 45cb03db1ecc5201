/* SPDX-License-Identifier: MIT */
/* From how many bytes on a vector is cut in blocks: measured, where GOSSIPFAB_SWITCH says so. The two schedules have
 * the same bracketing, so that no bit depends on it. */
#include "pmpi.h"

#include <pthread.h>
#include <stdlib.h>

#define MOST (4 << 20)
#define TIMES 5
#define PATIENCE 0.5 /* s, for a collective */

/* What was chosen, for the report. */
typedef struct chosen {
    int ranks;
    gfab_collective collective;
    long bytes;
    bool found;
    struct chosen *next;
} chosen;

static chosen *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void carry(gfab_mpi_plan *plan, gfab_collective collective, int ranks, char *given, char *got, int bytes)
{
    if (collective == GFAB_ALL_REDUCE)
        (void)gfab_mpi_allreduce(plan, given, got, bytes / (int)sizeof(float), MPI_FLOAT, MPI_SUM, NULL);
    else if (collective == GFAB_ALL_GATHER)
        (void)gfab_mpi_allgather(plan, given, got, bytes / ranks, MPI_BYTE, NULL);
    else if (collective == GFAB_ALL_TO_ALL)
        (void)gfab_mpi_alltoall(plan, given, got, bytes / ranks, MPI_BYTE, NULL);
    else
        (void)gfab_mpi_broadcast(plan, got, bytes, MPI_BYTE, NULL);
}

/* The least of some runs, of the slowest rank. */
static double seconds(MPI_Comm comm, gfab_mpi_plan *plan, gfab_collective collective, char *buffers, int bytes)
{
    double least = 1e9, slowest;
    int ranks;
    PMPI_Comm_size(comm, &ranks);
    for (int i = 0; i < TIMES; i++) {
        PMPI_Barrier(comm);
        const double start = MPI_Wtime();
        carry(plan, collective, ranks, buffers, buffers + MOST, bytes);
        const double mine = MPI_Wtime() - start;
        least = i > 0 && mine < least ? mine : least; /* the first finds memory that was never used */
    }
    PMPI_Allreduce(&least, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return slowest;
}

/* The shortest length from which on blocks are faster at every length that was tried. */
static long measure(MPI_Comm comm, gfab_mpi_plan *const plans[2], gfab_collective collective)
{
    GFAB_FREED char *buffers = calloc(2, MOST);
    int mine = buffers ? 1 : 0, everywhere = 0;
    long bytes = 2L * MOST;
    PMPI_Allreduce(&mine, &everywhere, 1, MPI_INT, MPI_MIN, comm);
    const double start = MPI_Wtime();
    for (int length = MOST, go_on = everywhere; go_on && length >= PMPI_SHORT; length /= 2) {
        const bool faster =
            seconds(comm, plans[1], collective, buffers, length) < seconds(comm, plans[0], collective, buffers, length);
        bytes = faster ? length : bytes;
        go_on = faster && MPI_Wtime() - start < PATIENCE;
        PMPI_Bcast(&go_on, 1, MPI_INT, 0, comm);
    }
    return bytes;
}

static void keep(int ranks, gfab_collective collective, long bytes, bool found)
{
    chosen *one = malloc(sizeof *one);
    if (!one)
        return;
    (void)pthread_mutex_lock(&lock);
    *one = (chosen){ranks, collective, bytes, found, all};
    all = one;
    (void)pthread_mutex_unlock(&lock);
}

long pmpi_measure(MPI_Comm comm, gfab_mpi_plan *const plans[2], gfab_collective collective)
{
    int ranks, rank;
    long bytes = -1;
    PMPI_Comm_size(comm, &ranks);
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        bytes = pmpi_cache_find(ranks, collective);
    PMPI_Bcast(&bytes, 1, MPI_LONG, 0, comm);
    const bool found = bytes >= 0;
    if (!found) {
        bytes = measure(comm, plans, collective);
        if (rank == 0)
            pmpi_cache_store(ranks, collective, bytes);
    }
    keep(ranks, collective, bytes, found);
    return bytes;
}

void pmpi_measure_list(FILE *file)
{
    (void)pthread_mutex_lock(&lock);
    for (const chosen *one = all; one; one = one->next)
        fprintf(file, "  %s of %d ranks: in blocks from %ld bytes on (%s)\n", gfab_collective_name(one->collective),
                one->ranks, one->bytes, one->found ? "measured earlier" : "measured");
    (void)pthread_mutex_unlock(&lock);
}
