/* SPDX-License-Identifier: MIT */
/* libgossipfab_mpi by three ranks, on schedules of a path that are written here by hand. */
#define _POSIX_C_SOURCE 200809L
#include <gossipfab/gossipfab.h>
#include <gossipfab_mpi.h>
#include <limits.h>
#include <mpi/plan.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank;
static int faults;

#define CHECK(condition)                                                                              \
    do {                                                                                              \
        if (!(condition)) {                                                                           \
            fprintf(stderr, "plan_test: rank %d, line %d: not so: %s\n", rank, __LINE__, #condition); \
            faults++;                                                                                 \
        }                                                                                             \
    } while (0)

/* A move: round, from, to, block, with GFAB_COMBINE where it is combined. */
typedef struct move {
    uint32_t round, from, to, token;
} move;

static gfab_topology *path;

/* For any number of blocks; group 0: it does not repeat, and has as few blocks as the collective needs. */
static gfab_schedule *make_repeating(gfab_collective collective, uint32_t root, const move *moves, size_t count,
                                     uint32_t period, uint32_t group)
{
    const gfab_model model = gfab_model_default();
    gfab_goal goal;
    gfab_schedule *schedule = NULL;
    if (gfab_goal_of(collective, 3, &goal, NULL) != GFAB_OK)
        abort();
    goal.root = root;
    goal.blocks = group ? group : goal.blocks;
    if (gfab_schedule_create(path, &model, &schedule) != GFAB_OK ||
        gfab_schedule_set_goal(schedule, &goal, NULL) != GFAB_OK ||
        (group && gfab_schedule_set_period(schedule, period, group) != GFAB_OK) ||
        (group && gfab_schedule_set_any_length(schedule) != GFAB_OK))
        abort();
    for (size_t i = 0; i < count; i++) {
        gfab_arc arc;
        if (!gfab_topology_find_arc(path, moves[i].from, moves[i].to, &arc) ||
            gfab_schedule_append(schedule, moves[i].round, arc, moves[i].token) != GFAB_OK)
            abort();
    }
    return schedule;
}

static gfab_schedule *make(gfab_collective collective, uint32_t root, const move *moves, size_t count)
{
    return make_repeating(collective, root, moves, count, 0, 0);
}

static gfab_mpi_plan *plan_of(const gfab_schedule *schedule)
{
    gfab_mpi_plan *plan = NULL;
    gfab_diag diag = {0, ""};
    CHECK(gfab_mpi_plan_create(schedule, MPI_COMM_WORLD, &plan, &diag) == GFAB_OK);
    if (!plan)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return plan;
}

static gfab_schedule *make_reduce(void)
{
    const move moves[] = {{1, 0, 1, GFAB_COMBINE}, {1, 2, 1, GFAB_COMBINE}};
    return make(GFAB_REDUCE, 1, moves, 2);
}

/* ((2^53 + 1) - 2^53) is 0, as 2^53 + 1 is no double; in the other order it is 1. The message that comes in from the
 * next node is late, and has to be first in the sum all the same. */
static void test_order(void)
{
    gfab_schedule *schedule = make_reduce();
    gfab_mpi_plan *plan = plan_of(schedule);
    const double mine[] = {-9007199254740992.0, 9007199254740992.0, 1};
    const struct timespec late = {0, 100000000};
    for (int run = 0; run < 2; run++) {
        double sum = -1;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == (run == 0 ? 0 : 2))
            nanosleep(&late, NULL);
        CHECK(gfab_mpi_reduce(plan, &mine[rank], &sum, 1, MPI_DOUBLE, MPI_SUM, NULL) == GFAB_OK);
        CHECK(sum == (rank == 1 ? 0 : -1));
    }
    gfab_mpi_plan_destroy(plan);
    gfab_schedule_destroy(schedule);
}

static const move gossip[] = {{1, 0, 1, 0}, {1, 2, 1, 2}, {2, 1, 0, 1}, {2, 1, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}};

/* The caller's data at its place in the receive buffer, a type of three ints, and no data at all. */
static void test_all_gather(void)
{
    gfab_schedule *schedule = make(GFAB_ALL_GATHER, 0, gossip, 6);
    gfab_mpi_plan *plan = plan_of(schedule);
    MPI_Datatype three;
    int all[18], mine[6];
    gfab_schedule_destroy(schedule); /* the plan does not need it any more */
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    for (int i = 0; i < 18; i++)
        all[i] = i / 6 == rank ? 100 + i : -1;
    memcpy(mine, &all[6 * rank], sizeof mine);
    CHECK(gfab_mpi_allgather(plan, MPI_IN_PLACE, all, 6, MPI_INT, NULL) == GFAB_OK);
    for (int i = 0; i < 18; i++)
        CHECK(all[i] == 100 + i);
    memset(all, 0, sizeof all);
    CHECK(gfab_mpi_allgather(plan, mine, all, 2, three, NULL) == GFAB_OK);
    for (int i = 0; i < 18; i++)
        CHECK(all[i] == 100 + i);
    CHECK(gfab_mpi_allgather(plan, mine, all, 0, MPI_INT, NULL) == GFAB_OK);
    CHECK(gfab_mpi_send_count(plan, 2, 7) == 7 && gfab_mpi_receive_count(plan, 2, 7) == 21);
    MPI_Type_free(&three);
    gfab_mpi_plan_destroy(plan);
}

static void test_all_reduce(void)
{
    const move moves[] = {{1, 0, 1, GFAB_COMBINE}, {1, 2, 1, GFAB_COMBINE}, {2, 1, 0, 0}, {2, 1, 2, 0}};
    gfab_goal goal;
    gfab_schedule *schedule = make(GFAB_BARRIER, 0, moves, 4);
    gfab_mpi_plan *plan = plan_of(schedule);
    int value = 1 << rank;
    CHECK(gfab_goal_of(GFAB_BARRIER, 3, &goal, NULL) == GFAB_OK && goal.blocks == 1);
    CHECK(gfab_mpi_allreduce(plan, MPI_IN_PLACE, &value, 1, MPI_INT, MPI_BOR, NULL) == GFAB_OK);
    CHECK(value == 7);
    CHECK(gfab_mpi_barrier(plan, NULL) == GFAB_OK);
    /* In a barrier a contribution may come more than once, which here it does not; who knows. */
    const MPI_Op counting[] = {MPI_SUM, MPI_PROD, MPI_LXOR, MPI_BXOR};
    for (int i = 0; i < 4; i++)
        CHECK(gfab_mpi_allreduce(plan, MPI_IN_PLACE, &value, 1, MPI_INT, counting[i], NULL) == GFAB_ERR_UNSUPPORTED);
    CHECK(value == 7);
    gfab_mpi_plan_destroy(plan);
    gfab_schedule_destroy(schedule);
}

/* The same for all processes of a machine, which MPI_Wtime need not be. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Nobody leaves the barrier before the last has come. */
static void test_barrier(void)
{
    const move moves[] = {{1, 0, 1, GFAB_COMBINE}, {1, 2, 1, GFAB_COMBINE}, {2, 1, 0, 0}, {2, 1, 2, 0}};
    gfab_schedule *schedule = make(GFAB_BARRIER, 0, moves, 4);
    gfab_mpi_plan *plan = plan_of(schedule);
    const struct timespec late = {0, 50000000};
    for (int last = 0; last < 3; last++) {
        double came, left, latest, earliest;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == last)
            nanosleep(&late, NULL);
        came = now();
        CHECK(gfab_mpi_barrier(plan, NULL) == GFAB_OK);
        left = now();
        MPI_Allreduce(&came, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(&left, &earliest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        CHECK(earliest >= latest);
    }
    gfab_mpi_plan_destroy(plan);
    gfab_schedule_destroy(schedule);
}

/* Three tokens: two of one node, one of the next. */
static gfab_schedule *make_loaded(uint32_t first)
{
    const gfab_model model = gfab_model_default();
    uint32_t load[4] = {0, 0, 0, 0};
    gfab_schedule *schedule = NULL;
    load[first] = 2;
    load[first + 1] = 1;
    if (gfab_schedule_create(path, &model, &schedule) != GFAB_OK ||
        gfab_schedule_set_load(schedule, load, 1) != GFAB_OK)
        abort();
    return schedule;
}

/* The same refusal at every rank, and no rank waits for another. */
static void test_refusals(void)
{
    gfab_diag diag = {0, ""};
    gfab_schedule *schedule = make(GFAB_ALL_GATHER, 0, gossip, rank == 2 ? 5 : 6);
    gfab_mpi_plan *plan = NULL;
    MPI_Comm pair;
    MPI_Datatype gaps;
    int data[18] = {0};
    CHECK(gfab_mpi_plan_create(schedule, MPI_COMM_WORLD, &plan, &diag) == GFAB_ERR_INVALID);
    CHECK(!plan && strstr(diag.message, "the same schedule"));
    gfab_schedule_destroy(schedule);

    schedule = make_loaded(rank == 2 ? 1 : 0);
    CHECK(gfab_mpi_plan_create(schedule, MPI_COMM_WORLD, &plan, &diag) == GFAB_ERR_INVALID);
    CHECK(!plan && strstr(diag.message, "the same schedule"));
    gfab_schedule_destroy(schedule);

    schedule = make(GFAB_ALL_GATHER, 0, gossip, 6);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &pair);
    CHECK(gfab_mpi_plan_create(schedule, pair, &plan, &diag) == GFAB_ERR_INVALID);
    CHECK(!plan && strstr(diag.message, "start 3"));
    MPI_Comm_free(&pair);

    plan = plan_of(schedule);
    CHECK(gfab_mpi_barrier(plan, &diag) == GFAB_ERR_INVALID && strstr(diag.message, "another collective"));
    CHECK(gfab_mpi_allgather(plan, data, data, -1, MPI_INT, NULL) == GFAB_ERR_INVALID);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    CHECK(gfab_mpi_allgather(plan, data, data, 1, gaps, NULL) == GFAB_ERR_UNSUPPORTED);
    MPI_Type_free(&gaps);
    CHECK(gfab_mpi_allgather(plan, data, data, INT_MAX, MPI_INT, NULL) == GFAB_ERR_LIMIT);
    gfab_mpi_plan_destroy(plan);
    gfab_mpi_plan_destroy(NULL);
    gfab_schedule_destroy(schedule);
}

/* What lies before its element or runs into the next is refused, with gaps allowed and without; so are elements from
 * behind. Nothing is written. */
static void test_types(void)
{
    gfab_schedule *schedule = make(GFAB_ALL_GATHER, 0, gossip, 6);
    gfab_mpi_plan *plan = plan_of(schedule);
    const int ones[] = {1, 1}, before[] = {-1, 0}, beyond[] = {0, 2};
    MPI_Datatype types[4];
    int data[18], all[18];
    gfab_diag diag = {0, ""};
    MPI_Type_create_resized(MPI_INT, 0, -(MPI_Aint)sizeof(int), &types[0]);
    MPI_Type_indexed(2, ones, before, MPI_INT, &types[1]);
    MPI_Type_create_resized(types[1], 0, 2 * sizeof(int), &types[2]);
    MPI_Type_free(&types[1]);
    MPI_Type_indexed(2, ones, beyond, MPI_INT, &types[1]);
    MPI_Type_create_resized(types[1], 0, 2 * sizeof(int), &types[3]);
    MPI_Type_commit(&types[1]); /* as it is: a gap, and nothing behind it */
    memset(data, 0, sizeof data);
    for (int gaps = 0; gaps < 2; gaps++) {
        memset(all, 0xa5, sizeof all);
        for (int i = 0; i < 4; i++) {
            MPI_Type_commit(&types[i]);
            const bool taken = gaps && i == 1;
            const gfab_status status = gfab_mpi_allgather(plan, data + 4, all + (i ? 0 : 8), 1, types[i], &diag);
            CHECK(status == (taken ? GFAB_OK : GFAB_ERR_UNSUPPORTED));
            CHECK(taken || strstr(diag.message, "with gaps, or whose elements overlap or go backwards"));
            for (int k = 0; k < 18 && !taken; k++)
                CHECK(all[k] == (int)0xa5a5a5a5 || (gaps && i > 1));
        }
        gfab_mpi_plan_take_gaps(plan);
    }
    for (int i = 0; i < 4; i++)
        MPI_Type_free(&types[i]);
    gfab_mpi_plan_destroy(plan);
    gfab_schedule_destroy(schedule);
}

/* Groups on the path, full duplex, each collective's with several blocks under way at a time. */
typedef struct repeating {
    gfab_collective collective;
    uint32_t root, period, group;
    size_t count;
    move moves[10];
} repeating;

#define PLUS GFAB_COMBINE

static const repeating groups[] = {
    {GFAB_BROADCAST, 0, 1, 1, 2, {{1, 0, 1, 0}, {2, 1, 2, 0}}},
    {GFAB_BROADCAST, 1, 2, 3, 6, {{1, 1, 0, 1}, {1, 1, 2, 0}, {2, 1, 0, 0}, {2, 1, 2, 2}, {3, 1, 2, 1}, {4, 1, 0, 2}}},
    {GFAB_REDUCE, 2, 1, 1, 2, {{1, 0, 1, PLUS}, {2, 1, 2, PLUS}}},
    {GFAB_ALL_REDUCE,
     0,
     2,
     2,
     8,
     {{1, 0, 1, PLUS},
      {1, 2, 1, PLUS | 1},
      {2, 2, 1, PLUS},
      {2, 0, 1, PLUS | 1},
      {3, 1, 0, 0},
      {3, 1, 2, 1},
      {4, 1, 2, 0},
      {4, 1, 0, 1}}},
    {GFAB_ALL_GATHER, 0, 2, 3, 6, {{1, 0, 1, 0}, {1, 1, 0, 1}, {1, 1, 2, 1}, {1, 2, 1, 2}, {2, 1, 2, 0}, {2, 1, 0, 2}}},
    {GFAB_REDUCE_SCATTER,
     0,
     2,
     3,
     6,
     {{1, 2, 1, PLUS},
      {1, 0, 1, PLUS | 2},
      {2, 1, 0, PLUS},
      {2, 1, 2, PLUS | 2},
      {2, 0, 1, PLUS | 1},
      {2, 2, 1, PLUS | 1}}},
};

#define MOST 300

/* What a rank gives as element i, and the total. */
static int given(int v, int i)
{
    return 1000000 * (v + 1) + 7 * i * (v + 2);
}

static int total(int i)
{
    return given(0, i) + given(1, i) + given(2, i);
}

static void carry_group(gfab_mpi_plan *plan, const repeating *g, int count)
{
    int send[3 * MOST] = {0}, got[3 * MOST] = {0};
    gfab_diag diag = {0, ""};
    gfab_status status = GFAB_ERR_INVALID;
    for (int i = 0; i < 3 * count; i++) {
        send[i] = given(rank, i);
        got[i] = g->collective == GFAB_BROADCAST && rank == (int)g->root ? send[i] : -1;
    }
    switch (g->collective) {
    case GFAB_BROADCAST:
        status = gfab_mpi_broadcast(plan, got, count, MPI_INT, &diag);
        for (int i = 0; i < count; i++)
            CHECK(got[i] == given((int)g->root, i));
        break;
    case GFAB_REDUCE:
        status = gfab_mpi_reduce(plan, send, got, count, MPI_INT, MPI_SUM, &diag);
        for (int i = 0; i < count; i++)
            CHECK(got[i] == (rank == (int)g->root ? total(i) : -1));
        break;
    case GFAB_ALL_REDUCE:
        status = gfab_mpi_allreduce(plan, send, got, count, MPI_INT, MPI_SUM, &diag);
        for (int i = 0; i < count; i++)
            CHECK(got[i] == total(i));
        break;
    case GFAB_ALL_GATHER:
        status = gfab_mpi_allgather(plan, send, got, count, MPI_INT, &diag);
        for (int i = 0; i < 3 * count; i++)
            CHECK(got[i] == given(i / count, i % count));
        break;
    default:
        status = gfab_mpi_reduce_scatter(plan, send, got, count, MPI_INT, MPI_SUM, &diag);
        for (int i = 0; i < count; i++)
            CHECK(got[i] == total(rank * count + i));
    }
    CHECK(status == GFAB_OK);
    for (int i = g->collective == GFAB_ALL_GATHER ? 3 * count : count; i < 3 * count; i++)
        CHECK(got[i] == -1 || g->collective == GFAB_BROADCAST);
}

/* Every length by the granule, the same plan for all; and numbers of blocks that cut a vector evenly. */
static void test_repeating(void)
{
    const int counts[] = {0, 1, 2, 3, 5, 7, 16, 33, 100, MOST};
    const uint32_t granules[] = {1, 2, 3, 5, 40, 1000};
    for (const repeating *g = groups; g < groups + sizeof groups / sizeof *groups; g++) {
        gfab_schedule *schedule = make_repeating(g->collective, g->root, g->moves, g->count, g->period, g->group);
        gfab_mpi_plan *plan = plan_of(schedule);
        int nothing[3];
        gfab_diag diag = {0, ""};
        for (size_t k = 0; k < sizeof granules / sizeof *granules; k++) {
            gfab_mpi_plan_set_granule(plan, granules[k]);
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                carry_group(plan, g, counts[i]);
        }
        if (g->collective == GFAB_ALL_REDUCE) {
            gfab_mpi_plan_set_granule(plan, 0);
            CHECK(gfab_mpi_allreduce(plan, nothing, nothing, 1, MPI_INT, MPI_SUM, &diag) == GFAB_ERR_INVALID);
            CHECK(strstr(diag.message, "say how many elements a block has"));
        }
        const uint32_t places = plan->place_count;
        const size_t rounds = plan->round_count;
        gfab_mpi_plan_destroy(plan);
        for (uint32_t blocks = 3; blocks <= 30000000; blocks *= 10) {
            CHECK(gfab_schedule_set_blocks(schedule, blocks) == GFAB_OK);
            plan = plan_of(schedule);
            for (size_t i = 0; blocks < 1000 && i < sizeof counts / sizeof *counts; i++)
                carry_group(plan, g, counts[i]);
            CHECK(plan->place_count == places && plan->round_count == rounds);
            gfab_mpi_plan_destroy(plan);
        }
        gfab_schedule_destroy(schedule);
    }
}

/* A schedule that does not repeat takes a granule for as many elements as its blocks have room for. */
static void test_granule(void)
{
    gfab_schedule *schedule = make(GFAB_ALL_GATHER, 0, gossip, 6);
    gfab_mpi_plan *plan = plan_of(schedule);
    gfab_diag diag = {0, ""};
    const repeating g = {.collective = GFAB_ALL_GATHER};
    int data[18];
    gfab_mpi_plan_set_granule(plan, 5);
    carry_group(plan, &g, 5);
    carry_group(plan, &g, 3);
    CHECK(gfab_mpi_allgather(plan, data, data, 6, MPI_INT, &diag) == GFAB_ERR_INVALID);
    CHECK(strstr(diag.message, "6 elements are 2 blocks of 5; the schedule has 1"));
    gfab_mpi_plan_destroy(plan);
    gfab_schedule_destroy(schedule);
}

int main(int argc, char **argv)
{
    int ranks, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 3 || gfab_topology_parse("path:3", &path, NULL) != GFAB_OK) {
        fputs("plan_test: start three ranks\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    test_order();
    test_all_gather();
    test_all_reduce();
    test_barrier();
    test_refusals();
    test_types();
    test_repeating();
    test_granule();
    gfab_topology_destroy(path);
    MPI_Allreduce(&faults, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        puts("plan_test: good");
    MPI_Finalize();
    return all != 0;
}
