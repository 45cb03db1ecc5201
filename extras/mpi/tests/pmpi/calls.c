/* SPDX-License-Identifier: MIT */
/* Every collective that libgossipfab_pmpi takes, and some that it leaves to MPI, in all forms, with results that are
 * known: it knows MPI alone, and must be right without the library, too. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int faults;

#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            int me;                                                                             \
            MPI_Comm_rank(MPI_COMM_WORLD, &me);                                                 \
            fprintf(stderr, "calls: rank %d, line %d: not so: %s\n", me, __LINE__, #condition); \
            faults++;                                                                           \
        }                                                                                       \
    } while (0)

#define MOST 20000
#define MOST_RANKS 16

static int given[MOST_RANKS * MOST * 2], got[MOST_RANKS * MOST * 2];
static int rank, ranks;
static MPI_Comm comm;

static int value(int who, int i)
{
    return 1000 * (who + 1) + 7 * i * (who + 2);
}

static int total(int i)
{
    int sum = 0;
    for (int v = 0; v < ranks; v++)
        sum += value(v, i);
    return sum;
}

/* got[i * stride] for i below count, and nothing else. */
static void spoil(void)
{
    memset(got, 0xa5, sizeof got);
}

static int untouched(int i)
{
    return got[i] == (int)0xa5a5a5a5;
}

/* ---- sums ---- */

static void test_sums(int count)
{
    for (int i = 0; i < count; i++)
        given[i] = value(rank, i);
    spoil();
    CHECK(MPI_Allreduce(given, got, count, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    for (int i = 0; i < count; i++)
        CHECK(got[i] == total(i));
    CHECK(untouched(count));
    memcpy(got, given, (size_t)count * sizeof *got);
    CHECK(MPI_Allreduce(MPI_IN_PLACE, got, count, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    for (int i = 0; i < count; i++)
        CHECK(got[i] == total(i));
    for (int root = 0; root < ranks; root++)
        for (int in_place = 0; in_place < 2; in_place++) {
            spoil();
            if (in_place)
                memcpy(got, given, (size_t)count * sizeof *got);
            CHECK(MPI_Reduce(in_place && rank == root ? MPI_IN_PLACE : given, rank == root ? got : NULL, count, MPI_INT,
                             MPI_SUM, root, comm) == MPI_SUCCESS);
            for (int i = 0; i < count && rank == root; i++)
                CHECK(got[i] == total(i));
        }
}

static void test_scatter(int count)
{
    int counts[MOST_RANKS], all = 0, start = 0;
    for (int v = 0; v < ranks; v++) {
        counts[v] = v % 3 == 1 ? 0 : count + v;
        start += v < rank ? counts[v] : 0;
        all += counts[v];
    }
    for (int i = 0; i < all || i < count * ranks; i++)
        given[i] = value(rank, i);
    for (int in_place = 0; in_place < 2; in_place++) {
        spoil();
        if (in_place)
            memcpy(got, given, (size_t)all * sizeof *got);
        MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : given, got, counts, MPI_INT, MPI_SUM, comm);
        for (int i = 0; i < counts[rank]; i++)
            CHECK(got[i] == total(start + i));
        spoil();
        if (in_place)
            memcpy(got, given, (size_t)(count * ranks) * sizeof *got);
        MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : given, got, count, MPI_INT, MPI_SUM, comm);
        for (int i = 0; i < count; i++)
            CHECK(got[i] == total(rank * count + i));
    }
}

/* ---- operators ---- */

/* 2 x 2 matrices modulo a prime: their product does not commute. */
static void multiply(void *in, void *into, int *count, MPI_Datatype *type)
{
    const int *a = in;
    int *b = into;
    (void)type;
    for (int i = 0; i < *count; i++, a += 4, b += 4) {
        const int c[4] = {(a[0] * b[0] + a[1] * b[2]) % 9973, (a[0] * b[1] + a[1] * b[3]) % 9973,
                          (a[2] * b[0] + a[3] * b[2]) % 9973, (a[2] * b[1] + a[3] * b[3]) % 9973};
        memcpy(b, c, sizeof c);
    }
}

static void matrix(int who, int i, int m[4])
{
    for (int k = 0; k < 4; k++)
        m[k] = (value(who, i) + 13 * k * (who + 1)) % 9973;
}

static void product(int i, int m[4])
{
    int one = 1;
    matrix(ranks - 1, i, m);
    for (int v = ranks - 2; v >= 0; v--) {
        int left[4];
        matrix(v, i, left);
        multiply(left, m, &one, NULL);
    }
}

static void test_order(int count)
{
    MPI_Datatype four;
    MPI_Op op;
    int want[4];
    count /= 4;
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_commit(&four);
    MPI_Op_create(multiply, 0, &op);
    for (int i = 0; i < count * ranks; i++)
        matrix(rank, i, given + 4 * i);
    MPI_Allreduce(given, got, count, four, op, comm);
    for (int i = 0; i < count; i++) {
        product(i, want);
        CHECK(memcmp(want, got + 4 * i, sizeof want) == 0);
    }
    MPI_Reduce(given, got, count, four, op, ranks - 1, comm);
    for (int i = 0; i < count && rank == ranks - 1; i++) {
        product(i, want);
        CHECK(memcmp(want, got + 4 * i, sizeof want) == 0);
    }
    MPI_Reduce_scatter_block(given, got, count, four, op, comm);
    for (int i = 0; i < count; i++) {
        product(rank * count + i, want);
        CHECK(memcmp(want, got + 4 * i, sizeof want) == 0);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&four);
}

/* A pair with a gap in it, and one of ours: two ints of three; what is between them stays. */
static void add_two(void *in, void *into, int *count, MPI_Datatype *type)
{
    const int *a = in;
    int *b = into;
    (void)type;
    for (int i = 0; i < *count; i++) {
        b[3 * i] += a[3 * i];
        b[3 * i + 2] += a[3 * i + 2];
    }
}

static void test_gaps(int count)
{
    struct {
        double x;
        int who;
    } mine[3], least[3];
    MPI_Datatype two;
    MPI_Op op;
    memset(mine, 0, sizeof mine);
    for (int i = 0; i < 3; i++) {
        mine[i].x = (rank + i) % ranks;
        mine[i].who = rank;
    }
    MPI_Allreduce(mine, least, 3, MPI_DOUBLE_INT, MPI_MINLOC, comm);
    for (int i = 0; i < 3; i++)
        CHECK(least[i].x == 0 && least[i].who == (ranks - i % ranks) % ranks);
    count /= 3;
    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Op_create(add_two, 1, &op);
    for (int i = 0; i < 3 * count; i++)
        given[i] = value(rank, i);
    spoil();
    MPI_Allreduce(given, got, count, two, op, comm);
    for (int i = 0; i < 3 * count; i++)
        CHECK(i % 3 == 1 ? untouched(i) : got[i] == total(i));
    CHECK(untouched(3 * count));
    MPI_Op_free(&op);
    spoil();
    if (rank == 0)
        memcpy(got, given, (size_t)(3 * count) * sizeof *got);
    if (rank == 0) /* one side has gaps, the others have not */
        MPI_Bcast(got, count, two, 0, comm);
    else
        MPI_Bcast(got, 2 * count, MPI_INT, 0, comm);
    for (int i = 0; i < 2 * count && rank != 0; i++)
        CHECK(got[i] == value(0, i / 2 * 3 + i % 2 * 2));
    MPI_Type_free(&two);
}

/* ---- what is moved ---- */

static void test_gather(int count)
{
    int counts[MOST_RANKS], starts[MOST_RANKS], at = ranks > 1; /* MPICH 4.0.2 has one rank's at 0 in any case */
    for (int v = ranks - 1; v >= 0; v--) {                      /* from behind, with an int between them */
        counts[v] = v % 4 == 2 ? 0 : count + v;
        starts[v] = at;
        at += counts[v] + 1;
    }
    for (int in_place = 0; in_place < 2; in_place++) {
        spoil();
        for (int i = 0; i < count; i++)
            (in_place ? got + rank * count : given)[i] = value(rank, i);
        MPI_Allgather(in_place ? MPI_IN_PLACE : given, count, MPI_INT, got, count, MPI_INT, comm);
        for (int i = 0; i < count * ranks; i++)
            CHECK(got[i] == value(i / count, i % count));
        CHECK(untouched(count * ranks));
        spoil();
        for (int i = 0; i < counts[rank]; i++)
            (in_place ? got + starts[rank] : given)[i] = value(rank, i);
        MPI_Allgatherv(in_place ? MPI_IN_PLACE : given, counts[rank], MPI_INT, got, counts, starts, MPI_INT, comm);
        for (int v = 0; v < ranks; v++) {
            for (int i = 0; i < counts[v]; i++)
                CHECK(got[starts[v] + i] == value(v, i));
            CHECK(untouched(starts[v] + counts[v]));
        }
        CHECK(ranks == 1 || untouched(0));
    }
}

static void test_transpose(int count)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        spoil();
        for (int i = 0; i < count * ranks; i++)
            (in_place ? got : given)[i] = value(rank, i);
        MPI_Alltoall(in_place ? MPI_IN_PLACE : given, count, MPI_INT, got, count, MPI_INT, comm);
        for (int i = 0; i < count * ranks; i++)
            CHECK(got[i] == value(i / count, rank * count + i % count));
        CHECK(untouched(count * ranks));
    }
}

static void test_broadcast(int count)
{
    for (int root = 0; root < ranks; root++) {
        spoil();
        for (int i = 0; i < count && rank == root; i++)
            got[i] = value(root, i);
        MPI_Bcast(got, count, MPI_INT, root, comm);
        for (int i = 0; i < count; i++)
            CHECK(got[i] == value(root, i));
        CHECK(untouched(count));
    }
}

/* The same for all processes of a machine, which MPI_Wtime need not be. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first rank is late; the others know by when it came. */
static void test_barrier(void)
{
    double came, left, latest, earliest;
    MPI_Barrier(comm);
    const double start = now();
    while (rank == 0 && now() - start < 0.01)
        ;
    came = now();
    MPI_Barrier(comm);
    left = now();
    MPI_Allreduce(&came, &latest, 1, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(&left, &earliest, 1, MPI_DOUBLE, MPI_MIN, comm);
    CHECK(earliest >= latest);
}

/* ---- what is MPI's own ---- */

/* A rank may wait for another between the call and the wait. */
static void test_nonblocking(void)
{
    int mine = rank + 1, sum = 0, word = rank == 0 ? 5 : 0, heard = -1;
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
        MPI_Ibcast(&word, 1, MPI_INT, 0, comm, &requests[1]);
        for (int v = 1; v < ranks; v++)
            MPI_Send(&mine, 1, MPI_INT, v, 3, comm);
    } else {
        MPI_Recv(&heard, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
        MPI_Ibcast(&word, 1, MPI_INT, 0, comm, &requests[1]);
    }
    for (int i = 0; i < 2; i++) /* MPI_Waitall without statuses is a warning of GCC's where MPI is MPICH */
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    CHECK(sum == ranks * (ranks + 1) / 2 && word == 5);
}

static void test_intercommunicator(void)
{
    MPI_Comm half, inter;
    int mine = rank + 1, sum = 0, want = 0;
    if (ranks < 2)
        return;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 9, &inter);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter);
    for (int v = 0; v < ranks; v++)
        want += v % 2 == rank % 2 ? 0 : v + 1;
    CHECK(sum == want);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

/* MPI's own errors, at the communicator whose handler returns them, and nobody waits. MPICH is mostly built without a
 * look at arguments: a negative count is the end of the program. */
static void test_errors(void)
{
    MPI_Comm quiet;
    int data[4] = {1, 2, 3, 4}, sums[4] = {0};
    MPI_Comm_dup(comm, &quiet);
    MPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Allreduce(data, sums, -1, MPI_INT, MPI_SUM, quiet)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Allreduce(data, sums, 1, MPI_INT, MPI_OP_NULL, quiet)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Allreduce(data, sums, 1, MPI_FLOAT, MPI_BAND, quiet)) == MPI_ERR_OP);
    CHECK(MPI_Allreduce(data, sums, 1, MPI_DATATYPE_NULL, MPI_SUM, quiet) != MPI_SUCCESS);
    CHECK(class_of(MPI_Bcast(data, 1, MPI_INT, ranks, quiet)) == MPI_ERR_ROOT);
    CHECK(class_of(MPI_Bcast(data, -1, MPI_INT, 0, quiet)) == MPI_ERR_COUNT);
    const int code = MPI_Bcast(data, rank == 0 ? 4 : 2, MPI_INT, 0, quiet);
    CHECK(ranks != 2 || rank == 0 || class_of(code) == MPI_ERR_TRUNCATE);
    MPI_Barrier(quiet);
    MPI_Allreduce(data, sums, 1, MPI_INT, MPI_SUM, quiet); /* and on it goes */
    CHECK(sums[0] == ranks);
    MPI_Comm_free(&quiet);
}

static void add_one(void *in, void *into, int *count, MPI_Datatype *type)
{
    (void)count;
    (void)type;
    *(int *)into += *(const int *)in;
}

/* An int in an extent of 2^31 bytes and more: from there on a call is MPI's own. */
static void test_long(void)
{
    MPI_Datatype wide;
    MPI_Op op;
    int mine = rank + 1, sum = -1;
    MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)1 << 32, &wide);
    MPI_Type_commit(&wide);
    MPI_Op_create(add_one, 1, &op);
    MPI_Allreduce(&mine, &sum, 1, wide, op, comm);
    CHECK(sum == ranks * (ranks + 1) / 2);
    MPI_Op_free(&op);
    MPI_Type_free(&wide);
}

static void test_all(void)
{
    const int counts[] = {1, 3, 40, 1000, MOST};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        test_sums(counts[i]);
        test_scatter(counts[i]);
        test_order(counts[i]);
        test_gaps(counts[i]);
        test_gather(counts[i]);
        test_transpose(counts[i]);
        test_broadcast(counts[i]);
    }
    test_sums(0);
    test_broadcast(0);
    test_long();
    test_barrier();
    test_nonblocking();
    test_intercommunicator();
#ifdef OPEN_MPI
    test_errors();
#else
    (void)test_errors;
#endif
}

int main(int argc, char **argv)
{
    int world, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    comm = MPI_COMM_WORLD;
    test_all();
    MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &comm); /* of other sizes, the ranks turned round */
    test_all();
    MPI_Comm_free(&comm);
    for (int i = 0; i < 200; i++) { /* what hangs on a communicator goes with it */
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
    MPI_Allreduce(&faults, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world == 0 && all == 0)
        puts("calls: good");
    MPI_Finalize();
    return all != 0;
}
