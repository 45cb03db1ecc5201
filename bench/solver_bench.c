/* SPDX-License-Identifier: MIT */
/* Time and memory of solvers, each case in a process of its own. One line a case: who made the schedule, topology,
 * rounds a hop where not 1, rounds, lower bound, seconds of solving and of verifying, peak resident memory of both.
 * Where hops take lambda > 1 rounds there is also the bound for lambda = 1 plus (lambda - 1) (diameter - 1), which the
 * rounds may not exceed; elsewhere they may not exceed the bound. */
#define _POSIX_C_SOURCE 200809L
#include <gossipfab/gossipfab.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct bench_case {
    const char *solver;
    const char *spec;
    uint32_t hop_rounds;
} bench_case;

static const bench_case cases[] = {
    {"comb", "mesh:16x16", 1},   {"comb", "mesh:32x32", 1},   {"comb", "mesh:64x64", 1}, {"search", "mesh:16x16", 1},
    {"search", "mesh:32x32", 1}, {"search", "mesh:16x32", 1}, {"auto", "mesh:8x8", 2},   {"auto", "mesh:8x8", 4},
    {"auto", "mesh:8x8", 8},     {"auto", "torus:8x8", 2},    {"auto", "torus:8x8", 4},  {"auto", "torus:8x8", 8},
};

typedef struct bench_result {
    const char *name;
    uint32_t rounds;
    double solve_seconds, verify_seconds;
} bench_result;

static void require(bool holds, const char *what, const char *reason)
{
    if (holds)
        return;
    fprintf(stderr, "solver_bench: %s: %s\n", what, reason);
    exit(1);
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bench_result run_solver(const char *name, const gfab_topology *topology, const gfab_model *model)
{
    gfab_diag diag = {0, ""};
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *schedule;
    gfab_verify_report report;
    const double start = now_seconds();
    const gfab_status status = gfab_solver_find(name)->solve(topology, model, &options, &schedule, &diag);
    require(status == GFAB_OK, gfab_topology_name(topology), diag.message);
    const double solved = now_seconds();
    require(gfab_verify(topology, model, schedule, NULL, &report) == GFAB_OK, gfab_topology_name(topology),
            report.message);
    const double verified = now_seconds();
    const bench_result result = {gfab_solver_find(gfab_schedule_solver(schedule))->name, report.rounds, solved - start,
                                 verified - solved};
    gfab_schedule_destroy(schedule);
    return result;
}

static void measure(const bench_case *which)
{
    gfab_diag diag = {0, ""};
    gfab_topology *topology;
    require(gfab_topology_parse(which->spec, &topology, &diag) == GFAB_OK, which->spec, diag.message);
    gfab_model model = gfab_model_default();
    gfab_bound base, bound;
    uint32_t diameter;
    require(gfab_bound_best(topology, &model, NULL, &base) == GFAB_OK &&
                gfab_topology_diameter(topology, NULL, &diameter) == GFAB_OK,
            which->spec, "no bound");
    model.hop_rounds = which->hop_rounds;
    require(gfab_bound_best(topology, &model, NULL, &bound) == GFAB_OK, which->spec, "no bound");
    const uint64_t allowed = base.rounds + (uint64_t)(which->hop_rounds - 1) * (diameter - 1);
    const bench_result result = run_solver(which->solver, topology, &model);
    require(result.rounds <= allowed, which->spec, "more rounds than allowed");
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s %s", result.name, which->spec);
    if (which->hop_rounds > 1)
        printf(" lambda %u", (unsigned)which->hop_rounds);
    printf(" rounds %u bound %llu", (unsigned)result.rounds, (unsigned long long)bound.rounds);
    if (which->hop_rounds > 1)
        printf(" allowed %llu", (unsigned long long)allowed);
    printf(" solved %.3f s verified %.3f s peak %ld MiB\n", result.solve_seconds, result.verify_seconds,
           usage.ru_maxrss / 1024);
    gfab_topology_destroy(topology);
}

/* A process of its own, so that its peak of memory is its own. */
static void measure_apart(const bench_case *which)
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    require(child >= 0, which->spec, "cannot fork");
    if (child == 0) {
        measure(which);
        exit(0);
    }
    require(waitpid(child, &status, 0) == child, which->spec, "lost its process");
    if (status != 0)
        exit(1);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        measure_apart(&cases[i]);
    return 0;
}
