/* SPDX-License-Identifier: MIT */
/* Microseconds of MPI's collectives, in the manner of the OSU micro-benchmarks: each length by MPI_.. and by PMPI_.. in
 * turns. With libgossipfab_pmpi before it the first is ours and the second MPI's own; without it both are MPI's own,
 * and the ratio is the noise. Of the slowest rank the least of many runs counts. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 8
#define MOST (16 << 20)

static char *given, *got;

static void all_reduce(int own, int bytes)
{
    (own ? PMPI_Allreduce : MPI_Allreduce)(given, got, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce(int own, int bytes)
{
    (own ? PMPI_Reduce : MPI_Reduce)(given, got, bytes / 4, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void broadcast(int own, int bytes)
{
    (own ? PMPI_Bcast : MPI_Bcast)(got, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* bytes in all. */
static void all_gather(int own, int bytes)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    (own ? PMPI_Allgather : MPI_Allgather)(given, bytes / ranks, MPI_BYTE, got, bytes / ranks, MPI_BYTE,
                                           MPI_COMM_WORLD);
}

static void all_to_all(int own, int bytes)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    (own ? PMPI_Alltoall : MPI_Alltoall)(given, bytes / ranks, MPI_BYTE, got, bytes / ranks, MPI_BYTE, MPI_COMM_WORLD);
}

static void barrier(int own, int bytes)
{
    (void)bytes;
    (own ? PMPI_Barrier : MPI_Barrier)(MPI_COMM_WORLD);
}

typedef struct benched {
    const char *name;
    void (*run)(int own, int bytes);
    int most;
} benched;

static const benched calls[] = {{"MPI_Allreduce", all_reduce, MOST}, {"MPI_Reduce", reduce, MOST},
                                {"MPI_Bcast", broadcast, MOST},      {"MPI_Allgather", all_gather, MOST},
                                {"MPI_Alltoall", all_to_all, MOST},  {"MPI_Barrier", barrier, LEAST}};

/* Of short vectors several in a row, as the clock's steps are long. */
static double seconds(const benched *call, int own, int bytes)
{
    const int times = bytes <= 4096 ? 20 : 1;
    double slowest;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < times; i++)
        call->run(own, bytes);
    const double mine = (MPI_Wtime() - start) / times;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

/* For so many seconds, both in turns; the ratio of the least. */
static double compare(const benched *call, int bytes, double patience, int rank)
{
    double least[2] = {1e9, 1e9}, start = MPI_Wtime();
    int runs = 0, go_on = 1;
    for (; go_on; runs++) {
        for (int own = 0; own < 2; own++) {
            const double now = seconds(call, own ^ (runs & 1), bytes);
            double *at = &least[own ^ (runs & 1)];
            *at = runs > 0 && now < *at ? now : *at;
        }
        go_on = runs < 10 || MPI_Wtime() - start < patience;
        PMPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%-14s %10d %12.2f %12.2f %8.2f %8d\n", call->name, bytes, least[0] * 1e6, least[1] * 1e6,
               least[0] / least[1], runs);
    return least[0] / least[1];
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double patience = argc > 1 ? atof(argv[1]) : 0.5;
    const char *only = argc > 2 ? argv[2] : "";
    given = calloc(MOST, 1);
    got = calloc(MOST, 1);
    if (!given || !got)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        printf("%d ranks\ncall                bytes     us, ours  us, MPI own    ratio     runs\n", ranks);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        double sum = 0;
        int count = 0;
        if (*only && strcmp(only, calls[c].name) != 0)
            continue;
        for (int bytes = LEAST; bytes <= calls[c].most; bytes *= 4, count++)
            sum += log(compare(&calls[c], bytes < 4 * ranks && c > 2 ? 4 * ranks : bytes, patience, rank));
        if (rank == 0)
            printf("%-14s geometric mean of the ratios %.3f\n", calls[c].name, exp(sum / count));
        fflush(stdout);
    }
    free(given);
    free(got);
    MPI_Finalize();
    return 0;
}
