/* SPDX-License-Identifier: MIT */
/* mpi-sum TOPOLOGY: an all-reduce among as many MPI ranks as the topology has nodes. docs/guide/mpi.md. */
#include <gossipfab/gossipfab.h>
#include <gossipfab_mpi.h>

static int say(const gfab_diag *diag)
{
    fprintf(stderr, "mpi-sum: %s\n", diag->message);
    return 2;
}

/* The same at every rank: a solver makes the same schedule of the same topology everywhere. */
static gfab_status make_schedule(const gfab_topology *topology, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_model model = gfab_model_default();
    gfab_solver_options options = gfab_solver_options_default();
    gfab_goal goal;
    const gfab_status status = gfab_goal_of(GFAB_ALL_REDUCE, gfab_topology_node_count(topology), &goal, diag);
    options.goal = &goal;
    return status != GFAB_OK ? status : gfab_solver_find("auto")->solve(topology, &model, &options, schedule, diag);
}

static int sum(const char *spec, int rank)
{
    gfab_diag diag = {0, ""};
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_mpi_plan *plan = NULL;
    double values[1000];
    for (int i = 0; i < 1000; i++)
        values[i] = rank + 0.001 * i;
    gfab_status status = gfab_topology_parse(spec, &topology, &diag);
    if (status == GFAB_OK)
        status = make_schedule(topology, &schedule, &diag);
    if (status == GFAB_OK)
        status = gfab_mpi_plan_create(schedule, MPI_COMM_WORLD, &plan, &diag);
    for (int run = 0; run < 2 && status == GFAB_OK; run++)
        status = gfab_mpi_allreduce(plan, MPI_IN_PLACE, values, 1000, MPI_DOUBLE, MPI_SUM, &diag);
    gfab_mpi_plan_destroy(plan);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    if (status != GFAB_OK)
        return rank == 0 ? say(&diag) : 2;
    if (rank == 0)
        printf("%.3f %.3f\n", values[0], values[999]);
    return 0;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int status = sum(argc > 1 ? argv[1] : "cycle:4", rank);
    MPI_Finalize();
    return status;
}
