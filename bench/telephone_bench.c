/* SPDX-License-Identifier: MIT */
/* The solver matching on the graphs of Beier & Sibeyn's Table 1, a hypercube with its nodes numbered at random, and
 * CCC7: one try each, on all cores, each case in a process of its own. One line a case: topology, rounds, the rounds
 * that are asked for, seconds of solving (and processor seconds), of verifying, peak resident memory of both. The bench
 * fails where a schedule is faulty or too long. telephone_bench [NAME...]: those alone. */
#define _POSIX_C_SOURCE 200809L
#include <gossipfab/gossipfab.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct bench_case {
    const char *name, *spec;
    const char *parameters;
    uint32_t rounds; /* at most */
    bool renumbered;
} bench_case;

static const bench_case cases[] = {
    {"CCC7", "ccc:7", NULL, 24, false},
    {"Mesh80x80", "mesh:80x80", NULL, 158, false},
    {"DeBruijn13", "debruijn:13", NULL, 25, false},
    {"Random10000,80000", "random:n=10000,m=80000,seed=1", NULL, 17, false},
    {"Hypercube13", "hypercube:13", NULL, 13, false},
    {"Hypercube13-renumbered", "hypercube:13", NULL, 13, true},
    {"Knoedel13", "knoedel:13", NULL, 15, false},
    {"Butterfly10", "butterfly:10", "dist-exp=2", 24, false},
    {"Pancake7", "pancake:7", "dist-exp=12", 17, false},
};

static void require(bool holds, const char *what, const char *reason)
{
    if (holds)
        return;
    fprintf(stderr, "telephone_bench: %s: %s\n", what, reason);
    exit(1);
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
}

/* graph:N:U-V,... with the nodes of a topology shuffled. */
static char *renumber(const gfab_topology *topology)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    uint32_t *number = malloc(nodes * sizeof *number);
    char *text = malloc(32 + links * 20);
    require(number && text, "renumber", "out of memory");
    uint64_t random = 1;
    for (size_t i = 0; i < nodes; i++)
        number[i] = (uint32_t)i;
    for (size_t i = nodes; i > 1; i--) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const size_t j = (size_t)(random >> 33) % i;
        const uint32_t kept = number[i - 1];
        number[i - 1] = number[j];
        number[j] = kept;
    }
    size_t at = (size_t)sprintf(text, "graph:%zu:", nodes);
    for (size_t l = 0; l < links; l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        at += (size_t)sprintf(text + at, "%s%u-%u", l > 0 ? "," : "", number[link.node[0]], number[link.node[1]]);
    }
    free(number);
    return text;
}

static gfab_topology *open_case(const bench_case *c)
{
    gfab_diag diag = {0, ""};
    gfab_topology *topology = NULL;
    require(gfab_topology_parse(c->spec, &topology, &diag) == GFAB_OK, c->name, diag.message);
    if (c->renumbered) {
        char *text = renumber(topology);
        gfab_topology_destroy(topology);
        require(gfab_topology_parse(text, &topology, &diag) == GFAB_OK, c->name, diag.message);
        free(text);
    }
    return topology;
}

static void run_case(const bench_case *c)
{
    gfab_diag diag = {0, ""};
    gfab_topology *topology = open_case(c);
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ONE, GFAB_MAX_NODES, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *schedule = NULL;
    gfab_verify_report report;
    options.effort = 1;
    options.parameters = c->parameters;
    const double start = now_seconds(), busy = processor_seconds();
    const gfab_status status = gfab_solver_find("matching")->solve(topology, &model, &options, &schedule, &diag);
    require(status == GFAB_OK, c->name, diag.message);
    const double solved = now_seconds(), worked = processor_seconds() - busy;
    require(gfab_verify(topology, &model, schedule, NULL, &report) == GFAB_OK, c->name, report.message);
    const double verified = now_seconds();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("matching %s rounds %u asked %u solved %.1f s (%.1f s of processors) verified %.1f s peak %ld MiB\n",
           c->name, report.rounds, c->rounds, solved - start, worked, verified - solved, usage.ru_maxrss / 1024);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    require(report.rounds <= c->rounds, c->name, "more rounds than asked for");
}

static bool is_wanted(const bench_case *c, int argc, char **argv)
{
    bool wanted = argc == 1;
    for (int i = 1; i < argc; i++)
        wanted = wanted || strcmp(argv[i], c->name) == 0;
    return wanted;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!is_wanted(&cases[i], argc, argv))
            continue;
        fflush(stdout);
        const pid_t child = fork();
        require(child >= 0, cases[i].name, "no new process");
        if (child == 0) {
            run_case(&cases[i]);
            return 0;
        }
        int status = 0;
        waitpid(child, &status, 0);
        good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return good ? 0 : 1;
}
