/* SPDX-License-Identifier: MIT */
/* granule CASES SEED [--off] SCHEDULE.gfs..: schedules for any number of blocks, carried out with a granule. Has an
 * element the same bits in a vector of any length, in a segment of it, with the ranks in other places?
 *
 * A vector is summed once. Each case sums a part of it, which begins where a group begins, or anywhere where the
 * schedule has one bracketing; how long it is does not matter, nor where it lies in memory, nor which process has which
 * rank. --off: the part begins one block too late, so that other bits are to be seen. */
#include "vectors.h"

#include <gossipfab/gossipfab.h>
#include <gossipfab_mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CASES_A_VECTOR 40
#define PLACES 2

static int rank, ranks, off;
static uint64_t state; /* the same at all ranks */

typedef struct played {
    gfab_mpi_plan *plans[PLACES];
    int ranks[PLACES]; /* of this process */
    gfab_collective collective;
    size_t share; /* blocks of a vector, or of what a rank gets, in a group */
    int one;      /* bracketing */
    size_t granule, most;
    char *send, *receive, *base; /* base: the sum of all of the vector */
} played;

/* Elements first .. first + count - 1, of a reduce-scatter those of every rank; in place; so many bytes behind the
 * start of the buffers. */
typedef struct part {
    size_t first, count;
    int place, in_place;
    size_t shift;
} part;

static void stop(const char *what, const gfab_diag *diag)
{
    fprintf(stderr, "granule: %s: %s\n", what, diag->message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_schedule(const char *path, const MPI_Comm comms[PLACES], played *p)
{
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, "no such file"};
    FILE *file = fopen(path, "r");
    if (!file || gfab_schedule_read(file, NULL, &topology, &schedule, &diag) != GFAB_OK)
        stop(path, &diag);
    fclose(file);
    p->collective = gfab_schedule_goal(schedule).collective;
    p->share = gfab_schedule_group(schedule) / (p->collective == GFAB_REDUCE_SCATTER ? (uint32_t)ranks : 1);
    p->one = gfab_expression_check_one(schedule, NULL) == GFAB_OK;
    for (int i = 0; i < PLACES; i++) {
        if (gfab_mpi_plan_create(schedule, comms[i], &p->plans[i], &diag) != GFAB_OK)
            stop(path, &diag);
        MPI_Comm_rank(comms[i], &p->ranks[i]);
    }
    p->most = p->collective == GFAB_REDUCE_SCATTER ? LONGEST / (size_t)ranks : LONGEST;
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
}

/* Sums a part; what this process gets are so many elements from *start on of the base. */
static size_t sum(const played *p, part at, const kind *k, uint64_t vector, size_t *start)
{
    const int scatter = p->collective == GFAB_REDUCE_SCATTER, who = p->ranks[at.place];
    const size_t parts = scatter ? (size_t)ranks : 1, first = at.first, count = at.count;
    char *send = p->send + at.shift, *receive = p->receive + at.shift;
    gfab_mpi_plan *plan = p->plans[at.place];
    gfab_diag diag = {0, ""};
    gfab_status status;
    for (size_t n = 0; n < parts; n++)
        for (size_t i = 0; i < count; i++)
            give(k, vector, who, n * p->most + first + i, send + (n * count + i) * k->size);
    gfab_mpi_plan_set_granule(plan, (uint32_t)p->granule);
    const int root = p->collective != GFAB_REDUCE || who == 0;
    const void *from = at.in_place && root && !scatter ? MPI_IN_PLACE : send;
    if (from != send)
        memcpy(receive, send, count * k->size);
    if (scatter)
        status = gfab_mpi_reduce_scatter(plan, send, receive, (int)count, k->type, k->op, &diag);
    else if (p->collective == GFAB_REDUCE)
        status = gfab_mpi_reduce(plan, from, receive, (int)count, k->type, k->op, &diag);
    else
        status = gfab_mpi_allreduce(plan, from, receive, (int)count, k->type, k->op, &diag);
    if (status != GFAB_OK)
        stop("a sum", &diag);
    *start = (scatter ? (size_t)who * p->most : 0) + first;
    return root ? count : 0;
}

/* All of a vector, at every rank. */
static void first_call(const played *p, const kind *k, uint64_t vector)
{
    char *receive = p->receive, *base = p->base;
    size_t start;
    const size_t got = sum(p, (part){.count = p->most}, k, vector, &start);
    if (p->collective == GFAB_REDUCE_SCATTER)
        MPI_Allgather(receive, (int)(got * k->size), MPI_BYTE, base, (int)(got * k->size), MPI_BYTE, MPI_COMM_WORLD);
    else
        memcpy(base, receive, got * k->size);
    MPI_Bcast(base, (int)(LONGEST * k->size), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static unsigned long run_case(const played *p, const kind *k, uint64_t vector, unsigned long *elements)
{
    const size_t count = draw_length(&state, p->most), step = p->one ? 1 : p->granule * p->share;
    part at = {.first = draw(&state, (p->most - count) / step + 1) * step, .count = count};
    size_t start;
    at.first += off && at.first + count + p->granule <= p->most ? p->granule : 0;
    at.shift = draw(&state, 8) * k->size;
    at.in_place = (int)draw(&state, 2);
    at.place = (int)draw(&state, PLACES);
    const size_t got = sum(p, at, k, vector, &start);
    unsigned long other = 0;
    for (size_t i = 0; i < got; i++)
        other += memcmp(p->receive + at.shift + i * k->size, p->base + (start + i) * k->size, k->size) != 0;
    *elements += count;
    return other;
}

static void run(played *p, const char *name, unsigned long cases)
{
    p->send = malloc((LONGEST + 8) * 8);
    p->receive = malloc((LONGEST + 8) * 8);
    p->base = calloc(LONGEST, 8);
    unsigned long other[KINDS] = {0}, total[KINDS], elements = 0;
    kind kinds[KINDS];
    if (!p->send || !p->receive || !p->base)
        MPI_Abort(MPI_COMM_WORLD, 1);
    make_kinds(kinds);
    for (unsigned long i = 0; i < cases; i++) {
        const size_t which = i / CASES_A_VECTOR % KINDS;
        const uint64_t vector = i / CASES_A_VECTOR;
        if (i % CASES_A_VECTOR == 0) {
            p->granule = (size_t)400 << draw(&state, 4);
            first_call(p, &kinds[which], vector);
        }
        other[which] += run_case(p, &kinds[which], vector, &elements);
    }
    MPI_Reduce(other, total, KINDS, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("granule: %d ranks, %s, %s%s, %zu blocks a group, %lu cases, %lu elements: with other bits at some rank "
               "float %lu, double %lu, bfloat16 %lu\n",
               ranks, name, gfab_collective_name(p->collective), p->one ? ", one bracketing" : "", p->share, cases,
               elements, total[0], total[1], total[2]);
    fflush(stdout);
    free_kinds(kinds);
    free(p->send);
    free(p->receive);
    free(p->base);
}

int main(int argc, char **argv)
{
    MPI_Comm comms[PLACES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    off = argc > 3 && strcmp(argv[3], "--off") == 0;
    const int schedules = argc - 3 - off;
    if (schedules < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const unsigned long cases = strtoul(argv[1], NULL, 10) / (unsigned long)schedules;
    state = strtoul(argv[2], NULL, 10);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank * 3 + 1) % ranks * ranks + ranks - rank, &comms[1]);
    for (int i = 0; i < schedules; i++) {
        played p = {0};
        const char *path = argv[3 + off + i], *slash = strrchr(path, '/');
        read_schedule(path, comms, &p);
        run(&p, slash ? slash + 1 : path, cases);
        for (int place = 0; place < PLACES; place++)
            gfab_mpi_plan_destroy(p.plans[place]);
    }
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
