/* SPDX-License-Identifier: MIT */
/* One collective in two ways, by the plan and by MPI's own call, with the same buffers, so that times and results can
 * be compared. A time starts at a barrier of all and is that of the slowest rank. Relays are ranks of which MPI's
 * collective knows nothing: its communicator has the members alone. */
#include "mpi_command.h"

#include <limits.h>
#include <stdlib.h>

/* What MPI_Allgatherv takes. */
static bool list_counts(mpi_collective *c, const gfab_topology *topology)
{
    size_t start = 0;
    c->counts = malloc(c->members * sizeof *c->counts);
    c->starts = malloc(c->members * sizeof *c->starts);
    for (uint32_t v = 0; c->counts && c->starts && v < c->members; v++) {
        c->counts[v] = (int)gfab_mpi_send_count(c->plan, gfab_topology_member(topology, v), c->count);
        c->starts[v] = (int)start;
        start += (size_t)c->counts[v];
    }
    return c->counts && c->starts;
}

int mpi_collective_open(const char *verb, const gfab_schedule *schedule, mpi_collective *c)
{
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_mpi_plan_create(schedule, MPI_COMM_WORLD, &c->plan, &diag);
    if (status != GFAB_OK)
        return mpi_agree(mpi_rank() == 0 ? cli_fail(verb, status, NULL, &diag) : 0);
    gfab_mpi_plan_set_granule(c->plan, c->granule);
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    c->goal = gfab_schedule_goal(schedule);
    c->members = (uint32_t)gfab_topology_member_count(topology);
    c->member = gfab_topology_rank(topology, (uint32_t)mpi_rank());
    MPI_Comm_split(MPI_COMM_WORLD, c->member == GFAB_NO_RANK ? MPI_UNDEFINED : 0, mpi_rank(), &c->comm);
    c->send_count = gfab_mpi_send_count(c->plan, (uint32_t)mpi_rank(), c->count);
    c->receive_count = gfab_mpi_receive_count(c->plan, (uint32_t)mpi_rank(), c->count);
    if (c->goal.collective == GFAB_ALL_GATHER && c->receive_count > INT_MAX)
        return mpi_agree(mpi_rank() == 0 ? cli_error(verb,
                                                     "%zu elements in all; 2^31 - 1 are the most: take fewer "
                                                     "--bytes",
                                                     c->receive_count)
                                         : 0);
    c->send = malloc(c->send_count * c->size + 1);
    c->receive = malloc(c->receive_count * c->size + 1);
    if (!c->send || !c->receive || !list_counts(c, topology))
        mpi_abort(verb, GFAB_ERR_NO_MEMORY, NULL);
    c->even = true;
    for (uint32_t v = 1; v < c->members; v++)
        c->even = c->even && (c->goal.collective != GFAB_ALL_GATHER || c->counts[v] == c->counts[0]);
    return CLI_GO_ON;
}

void mpi_collective_close(mpi_collective *c)
{
    if (c->plan && c->comm != MPI_COMM_NULL)
        MPI_Comm_free(&c->comm);
    gfab_mpi_plan_destroy(c->plan);
    GFAB_FREE(c->send, c->receive, c->counts, c->starts);
}

static gfab_status carry(const mpi_collective *c, gfab_diag *diag)
{
    switch (c->goal.collective) {
    case GFAB_ALL_GATHER:
        return gfab_mpi_allgather(c->plan, c->send, c->receive, c->count, c->type, diag);
    case GFAB_REDUCE_SCATTER:
        return gfab_mpi_reduce_scatter(c->plan, c->send, c->receive, c->count, c->type, c->op, diag);
    case GFAB_ALL_REDUCE:
    case GFAB_BARRIER:
        return gfab_mpi_allreduce(c->plan, c->send, c->receive, c->count, c->type, c->op, diag);
    case GFAB_BROADCAST:
        return gfab_mpi_broadcast(c->plan, c->receive, c->count, c->type, diag);
    case GFAB_REDUCE:
        return gfab_mpi_reduce(c->plan, c->send, c->receive, c->count, c->type, c->op, diag);
    case GFAB_ALL_TO_ALL:
        return gfab_mpi_alltoall(c->plan, c->send, c->receive, c->count, c->type, diag);
    }
    return GFAB_ERR_INVALID;
}

static void carry_native(const mpi_collective *c)
{
    const MPI_Comm comm = c->comm;
    const int root = (int)c->goal.root;
    switch (c->goal.collective) {
    case GFAB_ALL_GATHER:
        if (c->even)
            MPI_Allgather(c->send, (int)c->send_count, c->type, c->receive, (int)c->send_count, c->type, comm);
        else
            MPI_Allgatherv(c->send, (int)c->send_count, c->type, c->receive, c->counts, c->starts, c->type, comm);
        break;
    case GFAB_REDUCE_SCATTER:
        MPI_Reduce_scatter_block(c->send, c->receive, c->count, c->type, c->op, comm);
        break;
    case GFAB_ALL_REDUCE:
    case GFAB_BARRIER:
        MPI_Allreduce(c->send, c->receive, c->count, c->type, c->op, comm);
        break;
    case GFAB_BROADCAST:
        MPI_Bcast(c->receive, c->count, c->type, root, comm);
        break;
    case GFAB_REDUCE:
        MPI_Reduce(c->send, c->receive, c->count, c->type, c->op, root, comm);
        break;
    case GFAB_ALL_TO_ALL:
        MPI_Alltoall(c->send, c->count, c->type, c->receive, c->count, c->type, comm);
        break;
    }
}

/* A barrier without data, which is what is timed of it. */
static gfab_status act(const mpi_collective *c, bool native, bool timed, gfab_diag *diag)
{
    const bool barrier = timed && c->goal.collective == GFAB_BARRIER;
    if (!native)
        return barrier ? gfab_mpi_barrier(c->plan, diag) : carry(c, diag);
    if (c->comm == MPI_COMM_NULL) /* a relay, of which MPI knows nothing */
        return GFAB_OK;
    if (barrier)
        MPI_Barrier(c->comm);
    else
        carry_native(c);
    return GFAB_OK;
}

double mpi_collective_time(const char *verb, const mpi_collective *c, bool native)
{
    gfab_diag diag = {0, ""};
    double slowest = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    gfab_status status = act(c, native, true, &diag);
    const double seconds = MPI_Wtime() - start;
    if (status == GFAB_OK && c->goal.collective == GFAB_BARRIER)
        status = act(c, native, false, &diag);
    if (status != GFAB_OK)
        mpi_abort(verb, status, &diag);
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

const char *mpi_collective_native_name(const mpi_collective *c)
{
    static const char *const names[GFAB_COLLECTIVES] = {
        "MPI_Allgather", "MPI_Reduce_scatter_block", "MPI_Allreduce", "MPI_Bcast", "MPI_Reduce", "MPI_Barrier",
        "MPI_Alltoall"};
    return c->even ? names[c->goal.collective] : "MPI_Allgatherv";
}
