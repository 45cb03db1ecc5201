/* SPDX-License-Identifier: MIT */
/* Command `gossipfab-mpi measure`: what starting a message costs on this machine, and whether advise's ranking is
 * right here. Times of messages of 1 to 4^11 bytes are fitted by alpha + beta m; alpha / (beta times a block) is the
 * startup r that `advise` takes. Its best candidates are then run, and their times printed beside the prediction. The
 * fit minimises relative errors: by absolute ones the longest message alone would decide, and alpha is found in the
 * short ones. */
#include "cli_source.h"
#include "mpi_command.h"

#include <stdlib.h>
#include <string.h>

#define SIZES 12 /* of messages: 1, 4, 16, .. 4^11 bytes */
#define MOST_TRIED 64

typedef struct measure_request {
    cli_source source; /* its topology, and the model that is asked about; rank 0 opens it */
    uint32_t bytes, runs, candidates;
    double seconds[SIZES]; /* one way, the least of all runs; rank 0 */
    double alpha, beta;    /* seconds, seconds a byte; rank 0 */
    gfab_ratio startup;    /* alpha in transfers of `bytes` bytes */
    gfab_adviser *adviser;
    const gfab_advice *list; /* rank 0 */
    size_t count;
    double predicted[MOST_TRIED]; /* seconds; rank 0 */
    mpi_spread measured[MOST_TRIED];
} measure_request;

/* ---- messages ---- */

static size_t size_at(size_t index)
{
    return (size_t)1 << (2 * index);
}

/* Seconds of a message one way, between the first rank and the last: on a cluster they are on two machines. */
static double ping_pong(char *buffer, size_t size)
{
    const int last = mpi_ranks() - 1;
    const double start = MPI_Wtime();
    if (mpi_rank() == 0) {
        MPI_Send(buffer, (int)size, MPI_CHAR, last, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, (int)size, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (mpi_rank() == last) {
        MPI_Recv(buffer, (int)size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(buffer, (int)size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / 2;
}

/* The least of all times: what comes on top is the work of others. */
static void time_messages(measure_request *request)
{
    GFAB_FREED char *buffer = calloc(size_at(SIZES - 1), 1);
    if (!buffer)
        mpi_abort("measure", GFAB_ERR_NO_MEMORY, NULL);
    for (size_t i = 0; i < SIZES; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        request->seconds[i] = ping_pong(buffer, size_at(i)); /* the first touches memory and makes connections */
        for (uint32_t run = 0; run < request->runs; run++) {
            const double seconds = ping_pong(buffer, size_at(i));
            request->seconds[i] = run == 0 || seconds < request->seconds[i] ? seconds : request->seconds[i];
        }
    }
}

/* Least squares of the relative errors, (alpha + beta m) / t - 1, so that short messages count as long ones do. */
static void fit(measure_request *request)
{
    double a = 0, b = 0, c = 0, u = 0, v = 0; /* [a b; b c] (alpha, beta) = (u, v) */
    for (size_t i = 0; i < SIZES; i++) {
        const double m = (double)size_at(i), t = request->seconds[i];
        a += 1 / (t * t);
        b += m / (t * t);
        c += m * m / (t * t);
        u += 1 / t;
        v += m / t;
    }
    request->alpha = (u * c - v * b) / (a * c - b * b);
    request->beta = (v * a - u * b) / (a * c - b * b);
}

/* As advise takes it: with three places. CLI_GO_ON or an exit status. */
static int find_startup(measure_request *request)
{
    gfab_diag diag = {0, ""};
    char text[64];
    if (request->alpha <= 0 || request->beta <= 0)
        return cli_error("measure", "no line fits these times; take more --runs, or a machine that does nothing else");
    snprintf(text, sizeof text, "%.3f", request->alpha / (request->beta * request->bytes));
    if (strlen(text) > 9)
        text[strcspn(text, ".")] = '\0';
    return cli_told("measure", gfab_ratio_parse(text, &request->startup, &diag), text, &diag);
}

static void print_messages(const measure_request *request)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    mpi_library(library);
    printf("ranks        %d, %s; messages between rank 0 and rank %d\n\n", mpi_ranks(), library, mpi_ranks() - 1);
    puts("       bytes  microseconds   alpha + beta m");
    for (size_t i = 0; i < SIZES; i++)
        printf("%12zu %13.3f %16.3f\n", size_at(i), request->seconds[i] * 1e6,
               (request->alpha + request->beta * (double)size_at(i)) * 1e6);
    printf("\nalpha        %.3f microseconds: starting a message\n", request->alpha * 1e6);
    printf("beta         %.4f nanoseconds a byte\n", request->beta * 1e9);
    printf("startup      r = %s transfers of %u bytes: --startup %s\n", cli_ratio(request->startup).text,
           request->bytes, cli_ratio(request->startup).text);
}

/* ---- schedules ---- */

/* Any rank can send to any other at once both ways; how many tokens a message has is the solver's choice. */
static int ask(measure_request *request)
{
    gfab_diag diag = {0, ""};
    gfab_model models[3];
    for (size_t i = 0; i < 3; i++) {
        models[i] = request->source.model;
        models[i].link_mode = GFAB_LINK_FULL;
        models[i].packet_tokens = i == 0 ? 1 : GFAB_MAX_NODES;
        models[i].routing = i == 2 ? GFAB_ROUTING_CIRCUIT : GFAB_ROUTING_STORE_AND_FORWARD;
    }
    gfab_adviser_options options = gfab_adviser_options_default();
    options.models = models;
    options.model_count = 3;
    gfab_status status = gfab_adviser_create(request->source.topology, &options, &request->adviser, &diag);
    GFAB_THEN(status, gfab_adviser_rank(request->adviser, request->startup, &request->list, &request->count, &diag));
    return cli_told("measure", status, NULL, &diag);
}

/* Rank 0: what is to be tried, best first. */
static int list_candidates(measure_request *request)
{
    int status = cli_source_open_topology("measure", &request->source);
    if (status == CLI_GO_ON && gfab_topology_node_count(request->source.topology) != (size_t)mpi_ranks())
        return cli_error("measure", "--topology has %zu nodes, but there are %d ranks: start %zu",
                         gfab_topology_node_count(request->source.topology), mpi_ranks(),
                         gfab_topology_node_count(request->source.topology));
    CLI_THEN(status, ask(request));
    if (status != CLI_GO_ON)
        return status;
    while (request->count > 0 && request->list[request->count - 1].source == GFAB_ADVICE_NONE)
        request->count--;
    if (request->count == 0)
        return cli_error("measure", "no solver's cost is known for this topology; take another");
    request->count = request->count < request->candidates ? request->count : request->candidates;
    for (size_t i = 0; i < request->count; i++) {
        const gfab_ratio total = request->list[i].total;
        request->predicted[i] = (double)total.numerator / (double)total.denominator * request->beta * request->bytes;
    }
    return CLI_GO_ON;
}

/* Rank 0: the schedule that the advice is of. */
static int make(const measure_request *request, const gfab_advice *advice, gfab_schedule **schedule)
{
    gfab_diag diag = {0, ""};
    gfab_solver_options options = gfab_solver_options_default();
    options.startup = request->startup;
    options.linear = true;
    options.parameters = advice->parameters;
    return cli_told("measure",
                    advice->solver->solve(request->source.topology, &advice->model, &options, schedule, &diag),
                    advice->solver->name, &diag);
}

/* All ranks: runs it, and checks its bytes. */
static int carry(const measure_request *request, const gfab_schedule *schedule, mpi_spread *spread)
{
    char text[MPI_FAULT_TEXT] = "";
    GFAB_AT_END(mpi_collective_close)
    mpi_collective c = {.count = (int)request->bytes / 4, .type = MPI_INT32_T, .size = 4, .op = MPI_SUM};
    GFAB_FREED double *seconds = malloc((request->runs + 1) * sizeof *seconds);
    int status = mpi_collective_open("measure", schedule, &c);
    mpi_data *data = status == CLI_GO_ON ? mpi_data_create(schedule, &c, MPI_DATA_INT32) : NULL;
    if (!seconds || (status == CLI_GO_ON && !data))
        mpi_abort("measure", GFAB_ERR_NO_MEMORY, NULL);
    if (status == CLI_GO_ON) {
        for (uint32_t run = 0; run <= request->runs; run++) {
            mpi_data_fill(data, &c, run);
            seconds[run] = mpi_collective_time("measure", &c, false);
            mpi_data_check(data, &c, run, "", text);
        }
        *spread = mpi_spread_of(seconds + 1, request->runs);
        status = mpi_judge("measure", text);
    }
    mpi_data_destroy(data);
    return status;
}

static int try_candidate(measure_request *request, size_t index)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *made = NULL, *schedule = NULL;
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    int status = mpi_rank() == 0 ? make(request, &request->list[index], &made) : CLI_GO_ON;
    status = mpi_share("measure", status, made, &topology, &schedule);
    CLI_THEN(status, carry(request, schedule, &request->measured[index]));
    return status;
}

static void print_candidates(const measure_request *request)
{
    size_t best = 0;
    cli_print_topology(stdout, request->source.topology);
    printf("\nall-gather of %u bytes a rank, microseconds, %u runs, every byte right\n"
           "   predicted      minimum       median  solver                 startups    transfers  routing\n",
           request->bytes, request->runs);
    for (size_t i = 0; i < request->count; i++) {
        const gfab_advice *a = &request->list[i];
        printf("%12.1f %12.1f %12.1f  %-20s %10llu %12s  %s\n", request->predicted[i] * 1e6,
               request->measured[i].least * 1e6, request->measured[i].median * 1e6, a->solver->name,
               (unsigned long long)a->cost.startups, cli_ratio(cli_transfers(a->cost.transfers, a->cost.parts)).text,
               gfab_routing_name(a->model.routing));
        best = request->measured[i].least < request->measured[best].least ? i : best;
    }
    printf("\nadvised      %s: %.1f at its best\nfastest      %s: %.1f at its best; the advised one takes %.2f times "
           "that\n",
           request->list[0].solver->name, request->measured[0].least * 1e6, request->list[best].solver->name,
           request->measured[best].least * 1e6, request->measured[0].least / request->measured[best].least);
}

static int measure(measure_request *request)
{
    const bool first = mpi_rank() == 0;
    int status = CLI_GO_ON;
    if (mpi_ranks() < 2)
        return cli_error("measure", "one rank has nobody to send to; start two or more");
    if (first && request->bytes % 4 != 0)
        status = cli_error("measure", "--bytes %u: give a multiple of 4", request->bytes);
    if ((status = mpi_agree(status)) != CLI_GO_ON)
        return status;
    time_messages(request);
    if (first) {
        fit(request);
        status = find_startup(request);
    }
    if (first && status == CLI_GO_ON)
        print_messages(request);
    if (first && status == CLI_GO_ON && request->source.topology_spec)
        status = list_candidates(request);
    if ((status = mpi_agree(status)) != CLI_GO_ON || !request->source.topology_spec)
        return status == CLI_GO_ON ? CLI_GOOD : status;
    unsigned long count = request->count;
    MPI_Bcast(&count, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < count; i++)
        if ((status = try_candidate(request, i)) != CLI_GO_ON)
            return status;
    if (first)
        print_candidates(request);
    return CLI_GOOD;
}

int cmd_measure(int argc, char **argv)
{
    measure_request request = {.source = cli_source_default(), .bytes = 4096, .runs = 50, .candidates = 8};
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(request.source),
        CLI_OPTION(.name = "bytes", .kind = CLI_U32, .value = &request.bytes, .word = "N", .initial = "4096",
                   .least = 4, .most = 1 << 30, .unit = "bytes", .help = "a token: what a rank gives"),
        CLI_OPTION(.name = "runs", .kind = CLI_U32, .value = &request.runs, .word = "N", .initial = "50", .least = 1,
                   .most = 1000000, .unit = "runs", .help = "runs of each message and of each schedule"),
        CLI_OPTION(.name = "candidates", .kind = CLI_U32, .value = &request.candidates, .word = "N", .initial = "8",
                   .least = 1, .most = MOST_TRIED, .unit = "schedules",
                   .help = "with --topology: the best that are run"),
        CLI_OPTION(.name = "port-mode", .kind = CLI_PORT_MODE, .value = &request.source.model.port_mode,
                   .word = "all|one", .initial = "all",
                   .help = "with --topology: schedules in which a node uses all its links in a round, or one"),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "measure",
        .usage = "[T] [--bytes N] [--runs N] [--candidates N] [--port-mode all|one]",
        .text =
            "Measures what a message of m bytes takes here, as alpha + beta m, by messages to and fro between two "
            "ranks,\n"
            "and says what `gossipfab advise` is to be given as its startup. With --topology it asks advise itself, "
            "runs\n"
            "the schedules that should be fastest, checks their bytes, and prints how long each took.",
        .example = "  mpirun -n 16 gossipfab-mpi measure --bytes 1024\n"
                   "  mpirun -n 16 gossipfab-mpi measure torus:4x4 --bytes 1024",
        .options = options};
    int status = mpi_parse(&command, argc, argv);
    CLI_THEN(status, measure(&request));
    gfab_adviser_destroy(request.adviser);
    cli_source_release(&request.source);
    return status;
}
