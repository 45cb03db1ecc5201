/* SPDX-License-Identifier: MIT */
/* gfab_mpi_pairs_plans [--exact] [--far] GRANULE LENGTHS SCHEDULE.gfs..: pairs of calls by plans of libgossipfab_mpi,
 * one of each schedule; LENGTHS with commas between them. A renewal changes how a vector is cut, from the granule to
 * twice as much, or where it is 0 from even blocks to one that is long enough for all; and the type with gaps. --far:
 * no memory is shared. */
#include "pairs.h"

#include <gossipfab/gossipfab.h>
#include <gossipfab_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LENGTHS 16

typedef struct carrier {
    gfab_mpi_plan *plans[GFAB_COLLECTIVES][2]; /* [][the last rank is the root] */
    bool repeats, alone[GFAB_COLLECTIVES][2];  /* alone: ranks are not added up in their order */
    gfab_mpi_near *near;
    MPI_Comm comm;
    MPI_Datatype gaps;
    MPI_Op product, add;
    uint32_t granule;
} carrier;

static const gfab_collective collectives[] = {
    [PAIRS_ALL_GATHER] = GFAB_ALL_GATHER,
    [PAIRS_ALL_GATHER_V] = GFAB_ALL_GATHER,
    [PAIRS_REDUCE_SCATTER] = GFAB_REDUCE_SCATTER,
    [PAIRS_REDUCE_SCATTER_V] = GFAB_REDUCE_SCATTER,
    [PAIRS_ALL_REDUCE] = GFAB_ALL_REDUCE,
    [PAIRS_REDUCE] = GFAB_REDUCE,
    [PAIRS_BROADCAST] = GFAB_BROADCAST,
    [PAIRS_ALL_TO_ALL] = GFAB_ALL_TO_ALL,
    [PAIRS_BARRIER] = GFAB_BARRIER,
};

static void stop(const char *what, const gfab_diag *diag)
{
    fprintf(stderr, "pairs: %s: %s\n", what, diag->message);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void multiply(void *in, void *into, int *count, MPI_Datatype *type)
{
    const long *a = in;
    long *b = into;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = pairs_product(a[i], b[i]);
}

static void add_with_gaps(void *in, void *into, int *count, MPI_Datatype *type)
{
    const long *a = in;
    long *b = into;
    MPI_Aint low, extent;
    MPI_Type_get_extent(*type, &low, &extent);
    const long stride = (long)(extent / (MPI_Aint)sizeof(long));
    for (int i = 0; i < *count; i++)
        b[i * stride] += a[i * stride];
}

static gfab_mpi_plan *plan_of(const carrier *own, const pairs_form *form, bool *alone)
{
    const gfab_collective collective = collectives[form->kind];
    const bool last = gfab_collective_has_root(collective) && form->flags & PAIRS_LAST;
    *alone = own->alone[collective][last];
    return own->plans[collective][last];
}

static int takes(void *self, const pairs_form *form)
{
    const carrier *own = self;
    const bool v = form->kind == PAIRS_ALL_GATHER_V || form->kind == PAIRS_REDUCE_SCATTER_V;
    bool alone;
    if (form->kind == PAIRS_RENEWAL)
        return 1;
    if (!plan_of(own, form, &alone) || form->type == PAIRS_BACKWARDS || form->flags & PAIRS_APART ||
        (v && own->repeats) || (alone && form->flags & PAIRS_PRODUCT))
        return 0;
    return !(form->flags & PAIRS_IN_PLACE) || (form->kind != PAIRS_REDUCE_SCATTER &&
                                               form->kind != PAIRS_REDUCE_SCATTER_V && form->kind != PAIRS_ALL_TO_ALL);
}

static void renew(carrier *own, pairs_call *c)
{
    const uint32_t odd = c->renewal % 2;
    for (int collective = 0; collective < GFAB_COLLECTIVES; collective++)
        for (int last = 0; last < 2; last++)
            if (own->plans[collective][last])
                gfab_mpi_plan_set_granule(own->plans[collective][last],
                                          own->granule ? own->granule << odd : odd * 1000000);
    if (own->gaps != MPI_DATATYPE_NULL)
        MPI_Type_free(&own->gaps);
    MPI_Type_create_resized(MPI_LONG, 0, (MPI_Aint)((2 + odd) * sizeof(long)), &own->gaps);
    MPI_Type_commit(&own->gaps);
}

static gfab_status reduce(const carrier *own, gfab_mpi_plan *plan, const pairs_call *c, const void *send,
                          gfab_diag *diag)
{
    const MPI_Op op = c->form->flags & PAIRS_PRODUCT ? own->product : c->stride == 1 ? MPI_SUM : own->add;
    const MPI_Datatype type = c->stride == 1 ? MPI_LONG : own->gaps;
    switch (c->form->kind) {
    case PAIRS_REDUCE_SCATTER:
        return gfab_mpi_reduce_scatter(plan, send, c->receive, c->length, type, op, diag);
    case PAIRS_REDUCE_SCATTER_V:
        return gfab_mpi_reduce_scatterv(plan, send, c->receive, c->counts, type, op, diag);
    case PAIRS_ALL_REDUCE:
        return gfab_mpi_allreduce(plan, send, c->receive, c->length, type, op, diag);
    default:
        return gfab_mpi_reduce(plan, send, c->receive, c->length, type, op, diag);
    }
}

static int carry(void *self, pairs_call *c)
{
    carrier *own = self;
    const void *send = c->send ? c->send : MPI_IN_PLACE;
    const int unit = c->form->type == PAIRS_BYTES ? (int)sizeof(long) : 1, length = c->length * unit;
    const MPI_Datatype type = c->form->type == PAIRS_BYTES ? MPI_BYTE : c->stride == 1 ? MPI_LONG : own->gaps;
    gfab_diag diag = {0, ""};
    gfab_status status = GFAB_OK;
    int counts[PAIRS_MOST_RANKS];
    bool alone;
    if (c->form->kind == PAIRS_RENEWAL) {
        renew(own, c);
        return 0;
    }
    gfab_mpi_plan *plan = plan_of(own, c->form, &alone);
    for (int r = 0; r < c->ranks; r++)
        counts[r] = c->counts[r] * unit;
    if (c->form->kind == PAIRS_ALL_GATHER)
        status = gfab_mpi_allgather(plan, send, c->receive, length, type, &diag);
    else if (c->form->kind == PAIRS_ALL_GATHER_V)
        status = gfab_mpi_allgatherv(plan, send, c->receive, counts, type, &diag);
    else if (c->form->kind == PAIRS_BROADCAST)
        status = gfab_mpi_broadcast(plan, c->receive, length, type, &diag);
    else if (c->form->kind == PAIRS_ALL_TO_ALL)
        status = gfab_mpi_alltoall(plan, send, c->receive, length, type, &diag);
    else if (c->form->kind == PAIRS_BARRIER)
        status = gfab_mpi_barrier(plan, &diag);
    else
        status = reduce(own, plan, c, send, &diag);
    if (status != GFAB_OK)
        fprintf(stderr, "pairs: %s: %s\n", c->form->name, diag.message);
    return status != GFAB_OK;
}

static void read_schedule(carrier *own, const char *path, int ranks)
{
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, "no such file"};
    FILE *file = fopen(path, "r");
    if (!file || gfab_schedule_read(file, NULL, &topology, &schedule, &diag) != GFAB_OK)
        stop(path, &diag);
    fclose(file);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool last = gfab_collective_has_root(goal.collective) && goal.root == (uint32_t)ranks - 1;
    gfab_mpi_plan **plan = &own->plans[goal.collective][last];
    if (*plan || gfab_mpi_plan_borrow(schedule, own->comm, plan, &diag) != GFAB_OK)
        stop(path, &diag);
    own->repeats = own->repeats || gfab_schedule_period(schedule);
    own->alone[goal.collective][last] = !gfab_mpi_plan_is_ordered(*plan);
    gfab_mpi_plan_take_gaps(*plan);
    if (own->near)
        gfab_mpi_plan_use_near(*plan, own->near);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
}

static void release(carrier *own)
{
    for (int collective = 0; collective < GFAB_COLLECTIVES; collective++)
        for (int last = 0; last < 2; last++)
            gfab_mpi_plan_destroy(own->plans[collective][last]);
    gfab_mpi_near_destroy(own->near);
    MPI_Type_free(&own->gaps);
    MPI_Op_free(&own->product);
    MPI_Op_free(&own->add);
    MPI_Comm_free(&own->comm);
}

int main(int argc, char **argv)
{
    const pairs_carrier plans = {.name = "plans", .takes = takes, .carry = carry, .fills = 1};
    carrier own = {.gaps = MPI_DATATYPE_NULL};
    pairs_run run = {0};
    pairs_call first = {.renewal = 0};
    int at = 1, lengths[MOST_LENGTHS];
    long all;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own.comm);
    MPI_Comm_size(own.comm, &run.ranks);
    MPI_Comm_rank(own.comm, &run.rank);
    run.exact = at < argc && strcmp(argv[at], "--exact") == 0;
    at += run.exact;
    const bool far = at < argc && strcmp(argv[at], "--far") == 0;
    at += far;
    if (argc < at + 3 || run.ranks > PAIRS_MOST_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    own.near = far ? NULL : gfab_mpi_near_create(own.comm);
    own.granule = (uint32_t)atoi(argv[at++]);
    for (char *next = argv[at++]; *next && run.length_count < MOST_LENGTHS; next += *next == ',')
        lengths[run.length_count++] = (int)strtol(next, &next, 10);
    run.lengths = lengths;
    for (; at < argc; at++)
        read_schedule(&own, argv[at], run.ranks);
    MPI_Op_create(multiply, 0, &own.product);
    MPI_Op_create(add_with_gaps, 1, &own.add);
    renew(&own, &first);
    pairs_play(&plans, &own, &run);
    release(&own);
    MPI_Allreduce(&run.wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (run.rank == 0)
        printf("pairs: plans: %d ranks: %ld pairs, %ld wrong\n", run.ranks, run.calls - 1, all);
    MPI_Finalize();
    return all != 0;
}
