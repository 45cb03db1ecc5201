/* SPDX-License-Identifier: MIT */
#include "cli_source.h"
#include "mpi_command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_request {
    cli_source source; /* rank 0 fills it */
    const char *type_text;
    mpi_type type;
    uint32_t bytes, runs;
    bool bytes_given, unverified;
    gfab_topology *topology; /* the same at all ranks */
    gfab_schedule *schedule;
    mpi_collective collective;
    mpi_data *data;
    double *ours, *native; /* [run]: seconds of the slowest rank; rank 0 */
} run_request;

/* ---- before ---- */

static int check(run_request *request)
{
    if (!mpi_type_parse(request->type_text, &request->type))
        return cli_error("run", "--type: '%s' is not int32, int64, float or double", request->type_text);
    if (request->bytes % mpi_type_size(request->type) != 0)
        return cli_error("run", "--bytes %u: an %s has %zu bytes; give a multiple of that", request->bytes,
                         request->type_text, mpi_type_size(request->type));
    return CLI_GO_ON;
}

/* Rank 0: the schedule, checked unless that is not wanted. */
static int load(run_request *request)
{
    cli_source *source = &request->source;
    int status = request->unverified ? cli_source_open("run", source) : cli_source_load("run", source);
    if (status == CLI_GO_ON && request->unverified)
        status = cli_source_solve("run", source);
    if (status != CLI_GO_ON)
        return status;
    if (gfab_schedule_goal(source->schedule).collective == GFAB_BARRIER && request->bytes_given)
        return cli_error("run", "a barrier moves no data; leave --bytes out");
    return CLI_GO_ON;
}

static int prepare(run_request *request)
{
    const bool first = mpi_rank() == 0;
    int status = first ? check(request) : CLI_GO_ON;
    if (status == CLI_GO_ON && first)
        status = load(request);
    status = mpi_share("run", status, first && status == CLI_GO_ON ? request->source.schedule : NULL,
                       &request->topology, &request->schedule);
    if (status != CLI_GO_ON)
        return status;
    mpi_collective *c = &request->collective;
    const gfab_goal goal = gfab_schedule_goal(request->schedule);
    mpi_type_parse(request->type_text, &request->type);
    c->type = mpi_type_of(request->type);
    c->size = mpi_type_size(request->type);
    c->op = goal.idempotent ? MPI_MAX : MPI_SUM;
    /* A barrier is checked as a reduction of an element for each rank. */
    c->count = goal.collective == GFAB_BARRIER ? mpi_ranks() : (int)(request->bytes / c->size);
    if ((status = mpi_collective_open("run", request->schedule, c)) != CLI_GO_ON)
        return status;
    request->data = mpi_data_create(request->schedule, c, request->type);
    request->ours = malloc(request->runs * sizeof *request->ours);
    request->native = malloc(request->runs * sizeof *request->native);
    if (!request->data || !request->ours || !request->native)
        mpi_abort("run", GFAB_ERR_NO_MEMORY, NULL);
    return CLI_GO_ON;
}

/* ---- runs ---- */

/* The first run that went wrong here. */
typedef struct run_fault {
    bool found;
    char text[320];
} run_fault;

static void check_bytes(const run_request *request, uint32_t run, const char *of, run_fault *fault)
{
    char text[256];
    if (mpi_data_check(request->data, &request->collective, run, text) || fault->found)
        return;
    fault->found = true;
    snprintf(fault->text, sizeof fault->text, "rank %d, %srun %u: %s", mpi_rank(), of, run, text);
}

static void carry(const run_request *request, bool timed)
{
    const mpi_collective *c = &request->collective;
    gfab_diag diag = {0, ""};
    const gfab_status status =
        timed && c->goal.collective == GFAB_BARRIER ? gfab_mpi_barrier(c->plan, &diag) : mpi_collective_run(c, &diag);
    if (status != GFAB_OK)
        mpi_abort("run", status, &diag);
}

static void carry_native(const run_request *request, bool timed)
{
    if (timed && request->collective.goal.collective == GFAB_BARRIER)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        mpi_collective_native(&request->collective);
}

/* Seconds of the slowest rank, at rank 0. */
static double time_of(const run_request *request, void (*act)(const run_request *request, bool timed))
{
    double slowest = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    act(request, true);
    const double seconds = MPI_Wtime() - start;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

/* Run 0 is not counted: connections are made and memory is touched in it. What MPI computes is checked by the same
 * numbers where it must be the same, so that they are not our word alone. */
static void run_all(run_request *request, run_fault *fault)
{
    const bool barrier = request->collective.goal.collective == GFAB_BARRIER;
    for (uint32_t run = 0; run <= request->runs; run++) {
        mpi_data_fill(request->data, &request->collective, run);
        double seconds = time_of(request, carry);
        if (barrier)
            carry(request, false);
        check_bytes(request, run, "", fault);
        if (run > 0)
            request->ours[run - 1] = seconds;
        mpi_data_fill(request->data, &request->collective, run);
        seconds = time_of(request, carry_native);
        if (barrier)
            carry_native(request, false);
        if (mpi_data_is_exact(request->data))
            check_bytes(request, run, "MPI's own, ", fault);
        if (run > 0)
            request->native[run - 1] = seconds;
    }
}

/* CLI_GO_ON, or CLI_FAULTY where some rank has a fault: rank 0 says that of the lowest. */
static int judge(const run_fault *fault)
{
    const int mine = fault->found ? mpi_rank() : INT_MAX;
    int lowest;
    char text[sizeof fault->text];
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (lowest == INT_MAX)
        return CLI_GO_ON;
    memcpy(text, fault->text, sizeof text);
    MPI_Bcast(text, sizeof text, MPI_CHAR, lowest, MPI_COMM_WORLD);
    if (mpi_rank() == 0)
        cli_error("run", "wrong data: %s", text);
    return CLI_FAULTY;
}

/* ---- the report ---- */

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *name, double *seconds, uint32_t runs)
{
    qsort(seconds, runs, sizeof *seconds, compare_seconds);
    const double median = (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2;
    printf("  %-24s %12.1f %12.1f %12.1f\n", name, seconds[0] * 1e6, median * 1e6, seconds[runs - 1] * 1e6);
}

static const char *whose_bytes(gfab_collective collective)
{
    return collective == GFAB_ALL_GATHER       ? "from each rank"
           : collective == GFAB_REDUCE_SCATTER ? "to each rank"
           : collective == GFAB_ALL_TO_ALL     ? "from each rank to each"
                                               : "in all";
}

static void report(const run_request *request)
{
    const mpi_collective *c = &request->collective;
    const char *solver = gfab_schedule_solver(request->schedule);
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    mpi_library(library);
    cli_print_topology(stdout, request->topology);
    cli_print_model(stdout, gfab_schedule_model(request->schedule));
    printf("schedule     %s, %u blocks, in %u rounds%s%s\n", gfab_collective_name(c->goal.collective), c->goal.blocks,
           gfab_schedule_rounds(request->schedule), solver[0] != '\0' ? "; solver " : "", solver);
    printf("ranks        %d, %s\n", mpi_ranks(), library);
    if (c->goal.collective != GFAB_BARRIER)
        printf("data         %u bytes, %s, %s\n", request->bytes, request->type_text, whose_bytes(c->goal.collective));
    printf("checked      every byte right, at every rank, in %u runs\n", request->runs + 1);
    puts("\nmicroseconds of the slowest rank\n                                minimum       median      maximum");
    print_times("this schedule", request->ours, request->runs);
    print_times(mpi_collective_native_name(c), request->native, request->runs);
}

static int run(run_request *request)
{
    run_fault fault = {false, ""};
    int status = prepare(request);
    if (status != CLI_GO_ON)
        return status;
    run_all(request, &fault);
    status = judge(&fault);
    if (status != CLI_GO_ON)
        return status;
    if (mpi_rank() == 0)
        report(request);
    return CLI_GOOD;
}

int cmd_run(int argc, char **argv)
{
    run_request request = {.source = cli_source_default(), .type_text = "int32", .bytes = 65536, .runs = 20};
    const cli_option options[] = {
        CLI_SCHEDULE_OPTION(request.source),
        CLI_TOPOLOGY_OPTION(request.source),
        CLI_OPTION(.name = "bytes", .kind = CLI_U32, .value = &request.bytes, .given = &request.bytes_given,
                   .word = "N", .initial = "65536", .most = INT_MAX, .unit = "bytes",
                   .help =
                       "data, as MPI's call counts it: what a rank gives (all-gather), gets (reduce-scatter), gives "
                       "to each rank (all-to-all), or the whole vector"),
        CLI_OPTION(.name = "type", .kind = CLI_TEXT, .value = &request.type_text, .word = "TYPE", .initial = "int32",
                   .help = "of an element: int32, int64, float or double"),
        CLI_OPTION(.name = "runs", .kind = CLI_U32, .value = &request.runs, .word = "N", .initial = "20", .least = 1,
                   .most = 1000000, .unit = "runs", .help = "runs that are timed, after one that is not"),
        CLI_OPTION(.name = "unverified", .kind = CLI_FLAG, .value = &request.unverified,
                   .help = "carry a schedule out without asking the checker; the bytes then tell"),
        CLI_GOAL_OPTIONS(request.source),
        CLI_LOAD_OPTIONS(request.source),
        CLI_MODEL_OPTIONS(request.source),
        CLI_SOLVER_OPTIONS(request.source),
        CLI_SEARCH_OPTIONS(request.source),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "run",
        .usage = "--schedule FILE | --topology T [--collective C] [--solver S]  [--bytes N] [--type TYPE] [--runs N]",
        .text = "Carries a schedule out among the ranks of mpirun, as many as it has nodes, checks every byte that "
                "arrives,\n"
                "and prints the time beside that of MPI's own call. Sums of float and double have the bits that\n"
                "`gossipfab show --expression` says, in every run; contributions that may count twice are combined by\n"
                "maximum, all others by sum.",
        .example = "  gossipfab schedule --topology mesh:4x4 --collective all-reduce -o s.gfs\n"
                   "  mpirun -n 16 gossipfab-mpi run --schedule s.gfs --bytes 65536 --type double",
        .options = options};
    int status = mpi_parse(&command, argc, argv);
    if (status == CLI_GO_ON)
        status = run(&request);
    mpi_data_destroy(request.data);
    mpi_collective_close(&request.collective);
    free(request.ours);
    free(request.native);
    gfab_schedule_destroy(request.schedule);
    gfab_topology_destroy(request.topology);
    cli_source_release(&request.source);
    return status;
}
