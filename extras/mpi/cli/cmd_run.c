/* SPDX-License-Identifier: MIT */
/* Command `gossipfab-mpi run`: carries a schedule out among MPI's ranks, checks every byte, and times it beside MPI's
 * own call. Rank 0 reads and prints; the others get the schedule as text, so that nothing has to be on a disk that all
 * share. The first run is not counted, since MPI makes its connections in it. */
#include "cli_source.h"
#include "mpi_command.h"

#include <limits.h>
#include <stdlib.h>

typedef struct run_request {
    cli_source source; /* rank 0 fills it */
    const char *type_text;
    mpi_type type;
    uint32_t bytes, runs, granule;
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

/* A schedule that repeats gets as many blocks as the granule makes of the data. */
static int fit_blocks(run_request *request)
{
    gfab_schedule *schedule = request->schedule;
    mpi_collective *c = &request->collective;
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const uint32_t members = (uint32_t)gfab_topology_member_count(request->topology);
    const bool shared = goal.collective == GFAB_ALL_GATHER || goal.collective == GFAB_REDUCE_SCATTER;
    const uint32_t owners = shared ? members : 1;
    if (gfab_schedule_any_length(schedule) && c->granule == 0)
        return cli_error("run", "the schedule is for any number of blocks; say how many elements one has, --granule G");
    if (c->granule == 0)
        return CLI_GO_ON;
    const uint64_t blocks = ((uint64_t)c->count + c->granule - 1) / c->granule * owners;
    if (!gfab_schedule_period(schedule) && blocks > goal.blocks)
        return cli_error("run", "--granule %u: the data is %llu blocks; the schedule has %u, and does not repeat",
                         c->granule, (unsigned long long)blocks, goal.blocks);
    if (!gfab_schedule_period(schedule) || blocks == 0)
        return CLI_GO_ON;
    return cli_told("run", blocks > INT32_MAX ? GFAB_ERR_LIMIT : gfab_schedule_set_blocks(schedule, (uint32_t)blocks),
                    "--granule", NULL);
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
    c->granule = request->granule;
    c->type = mpi_type_of(request->type);
    c->size = mpi_type_size(request->type);
    c->op = goal.idempotent ? MPI_MAX : MPI_SUM;
    /* A barrier is checked as a reduction of an element for each rank. */
    c->count = goal.collective == GFAB_BARRIER ? mpi_ranks() : (int)(request->bytes / c->size);
    status = mpi_agree(first ? fit_blocks(request) : CLI_GO_ON);
    if (status == CLI_GO_ON && !first)
        status = fit_blocks(request);
    if (status != CLI_GO_ON || (status = mpi_collective_open("run", request->schedule, c)) != CLI_GO_ON)
        return status;
    request->data = mpi_data_create(request->schedule, c, request->type);
    request->ours = malloc(request->runs * sizeof *request->ours);
    request->native = malloc(request->runs * sizeof *request->native);
    if (!request->data || !request->ours || !request->native)
        mpi_abort("run", GFAB_ERR_NO_MEMORY, NULL);
    return CLI_GO_ON;
}

/* ---- runs ---- */

/* Run 0 is not counted: connections are made and memory is touched in it. What MPI computes is checked by the same
 * numbers where it must be the same, so that they are not our word alone. The first fault of this rank goes to text. */
static void run_all(run_request *request, char text[MPI_FAULT_TEXT])
{
    mpi_collective *c = &request->collective;
    for (uint32_t run = 0; run <= request->runs; run++) {
        for (int native = 0; native < 2; native++) {
            mpi_data_fill(request->data, c, run);
            const double seconds = mpi_collective_time("run", c, native);
            if (!native || mpi_data_is_exact(request->data))
                mpi_data_check(request->data, c, run, native ? mpi_collective_native_name(c) : "", text);
            if (run > 0)
                (native ? request->native : request->ours)[run - 1] = seconds;
        }
    }
}

/* ---- the report ---- */

static void print_times(const char *name, double *seconds, uint32_t runs)
{
    const mpi_spread spread = mpi_spread_of(seconds, runs);
    printf("  %-24s %12.1f %12.1f %12.1f\n", name, spread.least * 1e6, spread.median * 1e6, spread.most * 1e6);
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
    char text[MPI_FAULT_TEXT] = "";
    CLI_TRY(prepare(request));
    run_all(request, text);
    CLI_TRY(mpi_judge("run", text));
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
        CLI_OPTION(.name = "granule", .kind = CLI_U32, .value = &request.granule, .word = "G",
                   .initial = "the data in even blocks", .least = 1, .most = INT_MAX, .unit = "elements",
                   .help = "of a block: a schedule that repeats is played for as many as the data has"),
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
        .usage = "FILE.gfs | T  [--collective C] [--solver S]  [--bytes N] [--type TYPE] [--granule G] "
                 "[--runs N]",
        .text = "Carries a schedule out among the ranks of mpirun, as many as it has nodes, checks every byte that "
                "arrives,\n"
                "and prints the time beside that of MPI's own call. Sums of float and double have the bits that\n"
                "`gossipfab show --expression` says, in every run; contributions that may count twice are combined by\n"
                "maximum, all others by sum.",
        .example = "  gossipfab schedule mesh:4x4 --collective all-reduce -o s.gfs\n"
                   "  mpirun -n 16 gossipfab-mpi run --schedule s.gfs --bytes 65536 --type double",
        .options = options};
    int status = mpi_parse(&command, argc, argv);
    CLI_THEN(status, run(&request));
    mpi_data_destroy(request.data);
    mpi_collective_close(&request.collective);
    GFAB_FREE(request.ours, request.native);
    gfab_schedule_destroy(request.schedule);
    gfab_topology_destroy(request.topology);
    cli_source_release(&request.source);
    return status;
}
