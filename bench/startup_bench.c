/* SPDX-License-Identifier: MIT */
/* Startup costs on meshes and tori, by formula: cubgo against highdimgo, where startup times go from 1/10 to 10^6 in
 * steps of 2 %. One line a topology: the largest gain over highdimgo with the best plan in every phase, over highdimgo
 * with CircGoS(n, a, b) in every phase (the best a and b of each; tori with equal sides, in steps of 20 %), and over
 * approaches 1 and 2 alone, each with its startup time; then the smallest ratio to highdimgo, and its startup time.
 *
 * startup_bench [TOPOLOGY...]; without arguments those of docs/theory/startup-cost-tori.md. */
#include <gossipfab/gossipfab.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct question {
    const gfab_topology *topology;
    gfab_ratio startup;
} question;

/* The price in tokens' transfers; HUGE where the solver refuses. */
#define HUGE_PRICE 1e300

static double price(const question *q, const char *solver, const char *settings)
{
    gfab_model model = gfab_model_default();
    model.link_mode = GFAB_LINK_FULL;
    model.routing = GFAB_ROUTING_CIRCUIT;
    model.packet_tokens = UINT32_MAX;
    gfab_solver_options options = gfab_solver_options_default();
    options.linear = true;
    options.startup = q->startup;
    options.parameters = settings;
    gfab_cost cost;
    if (gfab_solver_find(solver)->cost(q->topology, &model, &options, &cost, NULL) != GFAB_OK)
        return HUGE_PRICE;
    return (double)cost.startups * (double)q->startup.numerator / (double)q->startup.denominator +
           (double)cost.transfers / cost.parts;
}

static double lower(double a, double b)
{
    return a < b ? a : b;
}

static double approaches(const question *q)
{
    double best = price(q, "highdimgo", "phases=1");
    best = lower(best, price(q, "highdimgo", "phases=2:1"));
    best = lower(best, price(q, "highdimgo", "phases=2:2:1"));
    return lower(best, price(q, "highdimgo", "phases=2"));
}

/* Phases add up: each has its best a and b while the others stand at a = n. */
static double circgo(const question *q, uint32_t n, size_t dimensions)
{
    const double others = price(q, "highdimgo", "shares=colours,cut=1,phases=1");
    double sum = others;
    for (size_t phase = 0; phase < dimensions; phase++) {
        double best = others;
        for (uint32_t a = 2; a < n; a++) {
            double least = HUGE_PRICE;
            unsigned worse = 0;
            for (uint32_t b = 1; worse < 8 && b < 2 * n; b++) {
                char settings[160];
                size_t used =
                    (size_t)snprintf(settings, sizeof settings, "shares=colours,cut=1,phases=circgo,b=%u,a=", b);
                for (size_t i = 0; i < dimensions; i++)
                    used += (size_t)snprintf(settings + used, sizeof settings - used, "%s%u", i ? ":" : "",
                                             i == phase ? a : n);
                const double here = price(q, "highdimgo", settings);
                worse = here < least || here >= HUGE_PRICE ? 0 : worse + 1;
                least = lower(least, here);
            }
            best = lower(best, least);
        }
        sum += best - others;
    }
    return sum;
}

typedef struct extreme {
    double ratio, startup;
} extreme;

static void keep_larger(extreme *most, double ratio, const question *q)
{
    if (ratio > most->ratio)
        *most = (extreme){ratio, (double)q->startup.numerator / (double)q->startup.denominator};
}

static void run(const char *spec)
{
    gfab_topology *topology;
    gfab_diag diag;
    if (gfab_topology_parse(spec, &topology, &diag) != GFAB_OK) {
        fprintf(stderr, "startup_bench: %s\n", diag.message);
        exit(1);
    }
    const size_t dimensions = gfab_topology_dimensions(topology);
    const uint32_t side = gfab_topology_side(topology, 0);
    bool cube = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS;
    for (size_t i = 1; i < dimensions; i++)
        cube = cube && gfab_topology_side(topology, i) == side;
    extreme lines = {0, 0}, paper = {0, 0}, simple = {0, 0}, loss = {0, 0};
    unsigned step = 0;
    for (uint64_t thousandths = 100; thousandths <= 1000000000; thousandths += thousandths / 50, step++) {
        const question q = {topology, {thousandths, 1000}};
        const double cubgo = price(&q, "cubgo", "lines=0"), highdimgo = price(&q, "highdimgo", NULL);
        keep_larger(&lines, highdimgo / cubgo, &q);
        keep_larger(&loss, cubgo / highdimgo, &q);
        keep_larger(&simple, approaches(&q) / cubgo, &q);
        if (cube && step % 10 == 0)
            keep_larger(&paper, circgo(&q, side, dimensions) / cubgo, &q);
    }
    printf("%-17s %5.3f at r = %-8.3g", spec, lines.ratio, lines.startup);
    if (cube)
        printf(" %5.3f at r = %-8.3g", paper.ratio, paper.startup);
    else
        printf(" %-20s", "-");
    printf(" %5.3f at r = %-8.3g %5.3f at r = %.3g\n", simple.ratio, simple.startup, 1 / loss.ratio, loss.startup);
    gfab_topology_destroy(topology);
}

int main(int argc, char **argv)
{
    static const char *const listed[] = {"torus:27x27",    "torus:81x81",    "torus:243x243", "torus:9x9x9",
                                         "torus:27x27x27", "torus:81x81x81", "torus:8x8",     "torus:36x36",
                                         "torus:64x64",    "mesh:27x27",     "mesh:64x64"};
    for (size_t i = 0; i < sizeof listed / sizeof *listed && argc < 2; i++)
        run(listed[i]);
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    return 0;
}
