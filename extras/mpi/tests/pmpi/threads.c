/* SPDX-License-Identifier: MIT */
/* Three threads, each with a communicator of its own, sum at the same time, by MPI_THREAD_MULTIPLE: all results are
 * right, plans and schedules are made in between, and nobody waits for ever. It knows MPI alone. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define CALLS 60

typedef struct worker {
    MPI_Comm comm;
    int number, faults;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    int rank, ranks;
    MPI_Comm_rank(w->comm, &rank);
    MPI_Comm_size(w->comm, &ranks);
    for (int i = 0; i < CALLS; i++) {
        const int count = 1 + i * (w->number + 1) * 97 % 20000;
        int *given = malloc((size_t)count * sizeof *given), *got = malloc((size_t)count * sizeof *got);
        MPI_Comm other;
        if (!given || !got)
            abort();
        for (int k = 0; k < count; k++)
            given[k] = (rank + 1) * (k + w->number);
        MPI_Allreduce(given, got, count, MPI_INT, MPI_SUM, w->comm);
        for (int k = 0; k < count; k++)
            w->faults += got[k] != ranks * (ranks + 1) / 2 * (k + w->number);
        MPI_Bcast(given, count, MPI_INT, i % ranks, w->comm);
        w->faults += given[count - 1] != (i % ranks + 1) * (count - 1 + w->number);
        MPI_Comm_dup(w->comm, &other);
        MPI_Barrier(other);
        MPI_Comm_free(&other);
        free(given);
        free(got);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    worker workers[THREADS];
    pthread_t threads[THREADS];
    int provided, rank, faults = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int t = 0; t < THREADS; t++) {
        workers[t] = (worker){.number = t};
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[t].comm);
    }
    for (int t = 0; t < THREADS && provided == MPI_THREAD_MULTIPLE; t++)
        if (pthread_create(&threads[t], NULL, work, &workers[t]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int t = 0; t < THREADS && provided == MPI_THREAD_MULTIPLE; t++) {
        pthread_join(threads[t], NULL);
        faults += workers[t].faults;
    }
    MPI_Allreduce(&faults, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        puts(provided == MPI_THREAD_MULTIPLE ? "threads: good" : "threads: good, as this MPI allows none");
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_free(&workers[t].comm);
    MPI_Finalize();
    return all != 0;
}
