/* SPDX-License-Identifier: MIT */
/* A host is a process of MPI, which carry out FABRIC, a schedule, by libgossipfab_mpi. */
#include "train.h"
#include <gossipfab/gossipfab.h>
#include <gossipfab_mpi.h>
#include <stdio.h>

static gfab_mpi_plan *plan;
static MPI_Datatype number;
static MPI_Op add;

static void check(gfab_status status, const gfab_diag *diag)
{
    if (status == GFAB_OK)
        return;
    fprintf(stderr, "ranks: %s: %s\n", gfab_status_string(status), diag->message);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void add_numbers(void *in, void *into, int *count, MPI_Datatype *type)
{
    const uint16_t *a = in;
    uint16_t *b = into;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = gfab_bfloat16_sum(b[i], a[i]);
}

void fabric_open(int *argc, char ***argv, int *first, int *count)
{
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, "a schedule, please"};
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, first);
    *count = 1;
    FILE *file = *argc > 1 ? fopen((*argv)[1], "r") : NULL;
    check(file ? gfab_schedule_read(file, NULL, &topology, &schedule, &diag) : GFAB_ERR_INVALID, &diag);
    fclose(file);
    check(gfab_mpi_plan_create(schedule, MPI_COMM_WORLD, &plan, &diag), &diag);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    MPI_Type_contiguous(sizeof(uint16_t), MPI_BYTE, &number);
    MPI_Type_commit(&number);
    MPI_Op_create(add_numbers, 1, &add);
}

/* A run at a time, so that blocks are those of the fabric. */
uint64_t fabric_sum(uint16_t vectors[][LENGTH])
{
    gfab_diag diag = {0, ""};
    for (int run = 0; run < LENGTH; run += RUN)
        check(gfab_mpi_allreduce(plan, MPI_IN_PLACE, vectors[0] + run, RUN, number, add, &diag), &diag);
    return 0;
}

int fabric_agree(uint32_t own)
{
    uint32_t least = 0, most = 0;
    MPI_Allreduce(&own, &least, 1, MPI_UINT32_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &most, 1, MPI_UINT32_T, MPI_MAX, MPI_COMM_WORLD);
    return least == most;
}

void fabric_close(void)
{
    gfab_mpi_plan_destroy(plan);
    MPI_Op_free(&add);
    MPI_Type_free(&number);
    MPI_Finalize();
}
