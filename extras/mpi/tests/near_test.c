/* SPDX-License-Identifier: MIT */
/* Short messages through shared memory: between any two of the ranks at once, of all lengths; broadcasts whose ends do
 * not agree on the length; sums by a schedule that repeats, some of whose messages go by MPI. near_test [mutant]: then
 * a byte is changed on its way, which has to be seen. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <gossipfab/gossipfab.h>
#include <gossipfab_mpi.h>
#include <mpi/near.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_RANKS 16
#define MESSAGES 5000 /* to each rank */

static int rank, ranks, faults, mutant;

#define CHECK(condition)                                                                              \
    do {                                                                                              \
        if (!(condition) && faults++ < 10)                                                            \
            fprintf(stderr, "near_test: rank %d, line %d: not so: %s\n", rank, __LINE__, #condition); \
    } while (0)

/* What message `number` of a rank to another is: log-uniform lengths, empty ones among them. */
static uint32_t mix(uint32_t from, uint32_t to, uint32_t number)
{
    uint32_t x = ((from * 31 + to) * 1000003 + number) * 2654435761u;
    x ^= x >> 15;
    return x * 2246822519u;
}

static size_t length_of(uint32_t key, size_t room)
{
    const size_t most = (size_t)1 << (key % 18);
    const size_t length = key >> 8 & 7 ? (key >> 12) % most : most;
    return length < room ? length : room - (key >> 20 & 1);
}

static void put_bytes(unsigned char *data, uint32_t key, size_t length)
{
    for (size_t i = 0; i < length; i++)
        data[i] = (unsigned char)(key + i * 7);
}

static bool is_right(const unsigned char *data, uint32_t key, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (data[i] != (unsigned char)(key + i * 7))
            return false;
    return true;
}

/* One message from a rank, if it is there. */
static bool take_one(gfab_mpi_near *near, int from, uint32_t *number, unsigned char *data)
{
    const uint32_t key = mix((uint32_t)from, (uint32_t)rank, *number);
    const size_t room = near_room(near), length = length_of(key, room);
    const size_t shorter = key % 16 ? room : length / 2; /* what is longer than expected is cut */
    CHECK(near_take(near, from, *number + 1, data, room) < 0);
    data[shorter] = 0x5a;
    const long bytes = near_take(near, from, *number, data, shorter);
    if (bytes < 0)
        return false;
    CHECK((size_t)bytes == length);
    CHECK(is_right(data, key, length < shorter ? length : shorter) && data[shorter] == 0x5a);
    ++*number;
    return true;
}

static void exchange(gfab_mpi_near *near)
{
    uint32_t sent[MOST_RANKS] = {0}, taken[MOST_RANKS] = {0};
    unsigned char *data = malloc(near_room(near) + 1);
    int left = 2 * (ranks - 1) * MESSAGES;
    for (unsigned looks = 0; data && left; near_rest(near, looks)) {
        bool moved = false;
        for (int v = 0; v < ranks; v++) {
            if (v == rank)
                continue;
            const uint32_t key = mix((uint32_t)rank, (uint32_t)v, sent[v]);
            const size_t length = length_of(key, near_room(near));
            put_bytes(data, key, length);
            data[0] ^= mutant && sent[v] == MESSAGES / 2 && length;
            const bool put = sent[v] < MESSAGES && near_put(near, v, sent[v], data, length);
            sent[v] += put;
            const bool got = taken[v] < MESSAGES && take_one(near, v, &taken[v], data);
            left -= put + got;
            moved = moved || put || got;
        }
        looks = moved ? 0 : looks + 1;
    }
    free(data);
    for (int v = 0; v < ranks; v++) /* the plans' numbers go on from here */
        for (uint32_t i = 0; i < MESSAGES && v != rank; i++)
            CHECK(near_next_to(near, v) == i && near_next_from(near, v) == i);
}

static gfab_mpi_plan *make_plan(const char *form, const char *solver, gfab_collective collective, bool any_length,
                                MPI_Comm comm, gfab_mpi_near *near)
{
    char name[32];
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_mpi_plan *plan = NULL;
    gfab_goal goal;
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ALL, any_length ? 1 : MOST_RANKS, 1,
                              any_length ? GFAB_ROUTING_STORE_AND_FORWARD : GFAB_ROUTING_CIRCUIT};
    gfab_solver_options options = gfab_solver_options_default();
    (void)snprintf(name, sizeof name, form, ranks);
    options.goal = &goal;
    options.any_length = any_length;
    if (gfab_topology_parse(name, &topology, NULL) != GFAB_OK ||
        gfab_goal_of(collective, (size_t)ranks, &goal, NULL) != GFAB_OK ||
        gfab_solve(gfab_solver_find(solver), topology, &model, &options, &schedule, NULL, NULL) != GFAB_OK ||
        gfab_mpi_plan_borrow(schedule, comm, &plan, NULL) != GFAB_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    gfab_mpi_plan_use_near(plan, near);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    return plan;
}

/* A schedule that repeats: in a round several messages of one link, some of them long. */
static void repeat(MPI_Comm comm, gfab_mpi_near *near)
{
    gfab_mpi_plan *plan = make_plan("path:%d+weight=0-1:3", "auto", GFAB_ALL_REDUCE, true, comm, near);
    const int most = 100000;
    int32_t *given = malloc((size_t)most * sizeof *given), *got = malloc((size_t)most * sizeof *got);
    for (uint32_t i = 0; given && got && i < 60; i++) {
        const uint32_t key = mix(7, 7, i);
        const int count = 1 + (int)(key % (uint32_t)most);
        const uint32_t granule = 1 + (uint32_t)count / (1 + (key >> 8) % 50);
        for (int e = 0; e < count; e++)
            given[e] = (int32_t)(mix((uint32_t)rank, i, (uint32_t)e) >> 8);
        gfab_mpi_plan_set_granule(plan, granule);
        CHECK(gfab_mpi_allreduce(plan, given, got, count, MPI_INT32_T, MPI_SUM, NULL) == GFAB_OK);
        int wrong = 0;
        for (int e = 0; e < count; e++) {
            int32_t sum = 0;
            for (int v = 0; v < ranks; v++)
                sum += (int32_t)(mix((uint32_t)v, i, (uint32_t)e) >> 8);
            wrong += got[e] != sum;
        }
        CHECK(wrong == 0);
    }
    free(given);
    free(got);
    gfab_mpi_plan_destroy(plan);
}

/* Of two ranks one expects more than the root gives, and gets that, or less, and has MPI's error. Both ways
 * of a message are taken against each other, and the next message is the next. */
static void disagree(MPI_Comm comm, gfab_mpi_near *near)
{
    gfab_mpi_plan *plan = make_plan("complete:%d", "library", GFAB_BROADCAST, false, comm, near);
    const size_t most = 3 * near_room(near);
    unsigned char *data = malloc(most + 1);
    for (uint32_t i = 0; data && i < 1000; i++) {
        const uint32_t key = mix(99, 99, i), own = mix(99, (uint32_t)rank, i);
        const size_t length = length_of(key, most);
        const size_t mine = rank ? length_of(own, most) : length;
        memset(data, 0x5a, most + 1);
        if (rank == 0)
            put_bytes(data, key, length);
        const gfab_status status = gfab_mpi_broadcast(plan, data, (int)mine, MPI_BYTE, NULL);
        int class = MPI_SUCCESS;
        if (status == GFAB_ERR_IO)
            MPI_Error_class(gfab_mpi_plan_error(plan), &class);
        CHECK(mine >= length ? status == GFAB_OK : class == MPI_ERR_TRUNCATE);
        CHECK(mine < length || (is_right(data, key, length) && data[length] == 0x5a));
        /* Of one that is too long, and goes by MPI, Open MPI 4.1.4 writes more than there is room for. */
        CHECK(mine >= length || length > near_room(near) || data[mine] == 0x5a);
    }
    free(data);
    gfab_mpi_plan_destroy(plan);
}

/* Memory of another's under the name that would be taken, as of a process in another container: there is none of ours
 * then, and the other's stays. */
static void leave_others(MPI_Comm comm)
{
    char name[64];
    (void)snprintf(name, sizeof name, "/gossipfab-%ld-0", (long)getpid());
    const int file = rank == 0 ? shm_open(name, O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR) : -1;
    gfab_mpi_near *near = gfab_mpi_near_create(comm);
    CHECK(!near);
    gfab_mpi_near_destroy(near);
    CHECK(rank != 0 || (file >= 0 && shm_unlink(name) == 0));
    if (file >= 0)
        (void)close(file);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int all = 0;
    MPI_Init(&argc, &argv);
    mutant = argc > 1 && strcmp(argv[1], "mutant") == 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    leave_others(comm);
    gfab_mpi_near *near = gfab_mpi_near_create(comm);
    CHECK(near);
    if (near) {
        exchange(near);
        if (ranks == 2)
            disagree(comm, near);
        repeat(comm, near);
    }
    MPI_Allreduce(&faults, &all, 1, MPI_INT, MPI_SUM, comm);
    gfab_mpi_near_destroy(near);
    MPI_Comm_free(&comm);
    if (rank == 0 && !all)
        puts("near_test: good");
    MPI_Finalize();
    return all != 0;
}
