/* SPDX-License-Identifier: MIT */
/* Beier & Sibeyn, A powerful heuristic for telephone gossiping, Tables 1 to 4: their matching heuristic's figures
 * beside those of the solver matching, and of others where they find less. */
#include "papers.h"

#include <math.h>
#include <string.h>

/* What is run, and what the paper has; 0 where it has nothing. Members as in paper_task. */
typedef struct heuristic_case {
    const char *name, *spec, *tau, *settings;
    uint32_t effort, seed;
    uint32_t bound, upper, rounds, steps, seconds; /* the paper's */
    const char *solver;                            /* NULL: matching */
} heuristic_case;

typedef struct heuristic_row {
    heuristic_case of;
    char spec[2 * TABLE_SPEC_SIZE];
    uint32_t newer; /* rounds published since the paper; 0: none below its own */
    paper_outcome ours;
} heuristic_row;

#define MAX_ROWS 64

typedef struct heuristic_rows {
    heuristic_row at[MAX_ROWS];
    size_t count;
    void (*finished)(const heuristic_row *row, size_t index); /* prints it */
} heuristic_rows;

static const heuristic_case table_1[] = {
    {"Mesh80x80", "mesh:80x80", NULL, NULL, 1, 1, 158, 158, 158, 0, 22800, NULL},
    {"Hypercube13", "hypercube:13", NULL, NULL, 1, 1, 13, 13, 13, 0, 8839, NULL},
    {"Knoedel13,8192", "knoedel:13", NULL, NULL, 1, 1, 13, 13, 15, 0, 10571, NULL},
    {"Butterfly10", "butterfly:10", NULL, "dist-exp=2", 1, 1, 16, 25, 24, 0, 11021, NULL},
    {"DeBruijn13", "debruijn:13", NULL, NULL, 1, 1, 18, 41, 25, 0, 9144, NULL},
    {"Pancake7", "pancake:7", NULL, NULL, 0, 1, 13, 17, 16, 0, 2688, "colouring"},
    {"Random10000,80000", "random:n=10000,m=80000,seed=1", NULL, NULL, 1, 1, 14, 0, 17, 0, 35393, NULL},
};

/* tau 2, 0.5 and 0.1; settings where the solver's own search takes long to get there. */
#define OF_DEBRUIJN "weights=bfs,dist-exp=0.25,num-exp=1,need-exp=16,haste=25,packets=all,noise=0,class-noise=0"
#define OF_SHUFFLE "weights=bfs,dist-exp=2.5:1,num-exp=1,need-exp=0,haste=60,packets=all,noise=0,class-noise=0"
static const heuristic_case table_3[] = {
    {"Mesh20x20", "mesh:20x20", "2", NULL, 8, 1, 0, 0, 62, 497, 0, NULL},
    {"Mesh20x20", "mesh:20x20", "0.5", NULL, 8, 1, 0, 0, 49, 517, 0, NULL},
    {"Mesh20x20", "mesh:20x20", "0.1", NULL, 8, 1, 0, 0, 40, 612, 0, NULL},
    {"Mesh20x20", "mesh:20x20", NULL, NULL, 8, 1, 0, 0, 38, 2713, 0, NULL},
    {"Torus21x21", "torus:21x21", "2", NULL, 48, 1, 0, 0, 34, 488, 0, NULL},
    {"Torus21x21", "torus:21x21", "0.5", NULL, 48, 1, 0, 0, 30, 486, 0, NULL},
    {"Torus21x21", "torus:21x21", "0.1", NULL, 16, 1, 0, 0, 28, 528, 0, NULL},
    {"Torus21x21", "torus:21x21", NULL, NULL, 48, 1, 0, 0, 23, 1023, 0, "mesh-telephone"},
    {"CCC7", "ccc:7", "2", NULL, 16, 1, 0, 0, 24, 902, 0, NULL},
    {"CCC7", "ccc:7", "0.5", NULL, 16, 2, 0, 0, 22, 904, 0, NULL},
    {"CCC7", "ccc:7", "0.1", NULL, 16, 1, 0, 0, 23, 943, 0, NULL},
    {"CCC7", "ccc:7", NULL, NULL, 0, 1, 0, 0, 20, 1139, 0, "record"},
    {"SE10", "shuffle-exchange:10", "2", NULL, 16, 1, 0, 0, 63, 2047, 0, NULL},
    {"SE10", "shuffle-exchange:10", "0.5", NULL, 16, 1, 0, 0, 50, 2051, 0, NULL},
    {"SE10", "shuffle-exchange:10", "0.1", OF_SHUFFLE, 32, 1, 0, 0, 37, 2073, 0, NULL},
    {"SE10", "shuffle-exchange:10", NULL, NULL, 16, 1, 0, 0, 23, 3933, 0, NULL},
    {"Butterfly7", "butterfly:7", "2", NULL, 16, 1, 0, 0, 39, 1044, 0, NULL},
    {"Butterfly7", "butterfly:7", "0.5", NULL, 16, 1, 0, 0, 33, 1107, 0, NULL},
    {"Butterfly7", "butterfly:7", "0.1", NULL, 16, 1, 0, 0, 22, 1110, 0, NULL},
    {"Butterfly7", "butterfly:7", NULL, NULL, 16, 1, 0, 0, 17, 1229, 0, NULL},
    {"DeBruijn10", "debruijn:10", "2", OF_DEBRUIJN, 16, 1, 0, 0, 46, 1221, 0, NULL},
    {"DeBruijn10", "debruijn:10", "0.5", NULL, 16, 2, 0, 0, 39, 1270, 0, NULL},
    {"DeBruijn10", "debruijn:10", "0.1", NULL, 16, 1, 0, 0, 31, 1513, 0, NULL},
    {"DeBruijn10", "debruijn:10", NULL, NULL, 16, 1, 0, 0, 18, 2733, 0, NULL},
    {"Random1000,8000", "random:n=1000,m=8000,seed=1", "2", NULL, 4, 1, 0, 0, 19, 1009, 0, NULL},
    {"Random1000,8000", "random:n=1000,m=8000,seed=1", "0.5", NULL, 4, 1, 0, 0, 18, 1014, 0, NULL},
    {"Random1000,8000", "random:n=1000,m=8000,seed=1", "0.1", NULL, 4, 1, 0, 0, 16, 1028, 0, NULL},
    {"Random1000,8000", "random:n=1000,m=8000,seed=1", NULL, NULL, 4, 1, 0, 0, 13, 1281, 0, NULL},
};

/* A class of Table 2: its alpha in 10^-10 s and beta in 10^-8 s, the share of the time for matchings in percent, and a
 * graph of ours. */
typedef struct heuristic_class {
    heuristic_case graph;
    uint32_t alpha, beta, share[2];
} heuristic_class;

static const heuristic_class table_2[] = {
    {{"Mesh n x n", "mesh:40x40", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 122, 226, {30, 47}},
    {{"Torus n x n", "torus:40x40", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 513, 235, {32, 50}},
    {{"Hypercube", "hypercube:11", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 939, 254, {17, 21}},
    {{"CCC", "ccc:8", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 1092, 188, {19, 31}},
    {{"Shuffle-Exch.", "shuffle-exchange:11", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 1371, 123, {28, 43}},
    {{"Butterfly", "butterfly:8", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 1188, 174, {17, 27}},
    {{"De Bruijn", "debruijn:11", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 1370, 136, {33, 45}},
    {{"Star", "star:7", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 494, 197, {17, 22}},
    {{"Pancake", "pancake:7", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 586, 211, {14, 18}},
    {{"Random", "random:n=2000,m=16000,seed=1", NULL, NULL, 1, 1, 0, 0, 0, 0, 0, NULL}, 669, 233, {34, 82}},
};

/* Table 4: lower bound, or optimum, former upper bound and HR, for k = 3, 4, ...; and what has been published since
 * where that is less (Majithiya 2015; de Sousa et al. 2020), else 0. */
static const struct {
    const char *name, *family;
    uint32_t figures[12][4];
} table_4[] = {
    {"CCC",
     "ccc",
     {{6, 6, 6},
      {9, 9, 9},
      {11, 11, 11},
      {13, 13, 13},
      {16, 16, 16},
      {18, 18, 18},
      {21, 21, 21},
      {23, 23, 23},
      {26, 26, 26},
      {28, 28, 28},
      {31, 31, 31},
      {33, 33, 33}}},
    {"SE",
     "shuffle-exchange",
     {{5, 5, 5},
      {7, 7, 7},
      {9, 9, 9},
      {11, 11, 11},
      {13, 13, 13},
      {15, 15, 15},
      {17, 17, 17},
      {19, 19, 19},
      {21, 21, 21},
      {23, 23, 24},
      {25, 25, 26},
      {27, 27, 28}}},
    {"Butterfly",
     "butterfly",
     {{5, 5, 5},
      {7, 7, 7},
      {8, 9, 9},
      {10, 11, 10},
      {11, 13, 12},
      {13, 15, 14},
      {15, 17, 16},
      {16, 19, 17},
      {18, 21, 19},
      {19, 23, 22},
      {21, 25, 23},
      {23, 27, 24}}},
    {"DeBruijn",
     "debruijn",
     {{4, 6, 4},
      {5, 8, 5},
      {6, 8, 6},
      {8, 11, 8},
      {10, 12, 9},
      {11, 14, 11, 10},
      {12, 15, 12},
      {13, 17, 14},
      {15, 18, 15},
      {16, 20, 17, 16},
      {18, 21, 18},
      {19, 23, 20, 19}}},
};

static const char *solver_of(const heuristic_case *of)
{
    return of->solver ? of->solver : "matching";
}

/* A new row, printed when it is there: a table may take long, and what it has is not to be lost. */
static int measure(const heuristic_case *what, bool broadcast, uint32_t newer, heuristic_rows *rows)
{
    heuristic_row *row = &rows->at[rows->count];
    *row = (heuristic_row){.of = *what, .newer = newer};
    snprintf(row->spec, sizeof row->spec, "%s", what->spec);
    row->of.spec = row->spec;
    const paper_task task = {row->spec,    solver_of(what), what->settings, what->tau,
                             what->effort, what->seed,      broadcast};
    const int status = paper_run(&task, &row->ours);
    if (status != CLI_GO_ON)
        return status;
    rows->count++;
    rows->finished(row, rows->count - 1);
    fflush(stdout);
    return status;
}

/* R + tau S in hundredths. */
static uint64_t cost_hundredths(const char *tau, uint64_t rounds, uint64_t steps)
{
    gfab_ratio ratio = {0, 1};
    if (tau)
        (void)gfab_ratio_parse(tau, &ratio, NULL);
    return 100 * rounds + (100 * steps * ratio.numerator + ratio.denominator / 2) / ratio.denominator;
}

static int judge(const heuristic_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const heuristic_row *row = &rows->at[i];
        const char *tau = row->of.tau;
        if (row->of.rounds != 0 && cost_hundredths(tau, row->ours.rounds, row->ours.steps) >
                                       cost_hundredths(tau, row->of.rounds, row->of.steps)) {
            cli_error("telephone", "%s%s%s: %llu rounds and %llu steps, the paper has %u and %u", row->spec,
                      tau ? ", tau " : "", tau ? tau : "", (unsigned long long)row->ours.rounds,
                      (unsigned long long)row->ours.steps, row->of.rounds, row->of.steps);
            return CLI_FAULTY;
        }
        if (row->newer != 0 && row->ours.rounds > row->newer) {
            cli_error("telephone", "%s: %llu rounds, %u are published", row->spec, (unsigned long long)row->ours.rounds,
                      row->newer);
            return CLI_FAULTY;
        }
    }
    return CLI_GOOD;
}

static void print_seconds(const heuristic_row *row)
{
    printf("%9llu.%03u", (unsigned long long)(row->ours.milliseconds / 1000),
           (unsigned)(row->ours.milliseconds % 1000));
}

static void begin_rounds(bool broadcast)
{
    printf("%s in the telephone model (F1, packets of any size), fewest rounds.\n\n"
           "                                     paper                  since       ours\n"
           "graph                 n       m   bound  former    HR  seconds           R       seconds  by\n",
           broadcast ? "Broadcast from node 0" : "Gossip");
}

static void print_rounds(const heuristic_row *row, size_t index)
{
    char upper[24], seconds[24], newer[24];
    (void)index;
    printf("%-17s%7llu%8llu%8u%8s%6u%9s%7s%9llu ", row->of.name, (unsigned long long)row->ours.nodes,
           (unsigned long long)row->ours.links, row->of.bound,
           table_figure(row->of.upper != 0 ? row->of.upper : TABLE_NONE, upper, sizeof upper, "-"), row->of.rounds,
           table_figure(row->of.seconds != 0 ? row->of.seconds : TABLE_NONE, seconds, sizeof seconds, "-"),
           table_figure(row->newer != 0 ? row->newer : TABLE_NONE, newer, sizeof newer, "-"),
           (unsigned long long)row->ours.rounds);
    print_seconds(row);
    printf("  %s\n", solver_of(&row->of));
}

static void begin_costs(void)
{
    puts("Gossip in the telephone model at the linear cost T = R + tau S; tau 0: fewest rounds.\n\n"
         "                                   paper                     ours\n"
         "graph              tau       R       S         T       R       S         T       seconds  by");
}

static void print_costs(const heuristic_row *row, size_t index)
{
    const uint64_t theirs = cost_hundredths(row->of.tau, row->of.rounds, row->of.steps);
    const uint64_t ours = cost_hundredths(row->of.tau, row->ours.rounds, row->ours.steps);
    (void)index;
    printf("%-17s%5s%8u%8u%7llu.%02u%8llu%8llu%7llu.%02u ", row->of.name, row->of.tau ? row->of.tau : "0",
           row->of.rounds, row->of.steps, (unsigned long long)(theirs / 100), (unsigned)(theirs % 100),
           (unsigned long long)row->ours.rounds, (unsigned long long)row->ours.steps, (unsigned long long)(ours / 100),
           (unsigned)(ours % 100));
    print_seconds(row);
    printf("  %s\n", solver_of(&row->of));
}

static void begin_times(void)
{
    puts("Seconds of a gossip schedule. paper: alpha R n m log n + beta R n^2 of Table 2, log to base e, for our R, "
         "and\n"
         "with the matchings' least share of the whole added. ours: all of it, on all cores.\n\n"
         "class           graph                                 R   alpha    beta  share    paper         ours  by");
}

static void print_times(const heuristic_row *row, size_t index)
{
    const heuristic_class *class = &table_2[index];
    const double n = (double)row->ours.nodes, work = (double)row->ours.rounds * n;
    const double rest = class->alpha * 1e-10 * work * (double)row->ours.links * log(n) + class->beta * 1e-8 * work * n;
    printf("%-16s%-33s%6llu%8u%8u%6u%%%9.0f", row->of.name, row->spec, (unsigned long long)row->ours.rounds,
           class->alpha, class->beta, class->share[0], rest / (1 - class->share[0] / 100.0));
    print_seconds(row);
    printf("  %s\n", solver_of(&row->of));
}

static void begin_csv(void)
{
    puts("graph,topology,tau,by,paper_bound,paper_rounds,newer_rounds,paper_steps,rounds,steps");
}

static void print_csv(const heuristic_row *row, size_t index)
{
    char newer[24];
    (void)index;
    printf("\"%s\",\"%s\",%s,%s,%u,%u,%s,%u,%llu,%llu\n", row->of.name, row->spec, row->of.tau ? row->of.tau : "0",
           solver_of(&row->of), row->of.bound, row->of.rounds,
           table_figure(row->newer != 0 ? row->newer : TABLE_NONE, newer, sizeof newer, ""), row->of.steps,
           (unsigned long long)row->ours.rounds, (unsigned long long)row->ours.steps);
}

static int measure_broadcasts(uint32_t max_k, heuristic_rows *rows)
{
    int status = CLI_GO_ON;
    for (size_t f = 0; f < sizeof table_4 / sizeof *table_4; f++) {
        for (uint32_t k = 3; k <= max_k && k < 15 && status == CLI_GO_ON; k++) {
            char spec[TABLE_SPEC_SIZE];
            const uint32_t *figures = table_4[f].figures[k - 3];
            snprintf(spec, sizeof spec, "%s:%u", table_4[f].family, k);
            const heuristic_case what = {.name = table_4[f].name,
                                         .spec = spec,
                                         .seed = 1,
                                         .solver = "broadcast",
                                         .bound = figures[0],
                                         .upper = figures[1],
                                         .rounds = figures[2]};
            status = measure(&what, true, figures[3], rows);
        }
    }
    return status;
}

/* The line above the rows, and what prints them. */
static void begin(const paper_request *request, heuristic_rows *rows)
{
    const char number = request->number[0];
    if (request->csv) {
        begin_csv();
        rows->finished = print_csv;
    } else if (number == '2') {
        begin_times();
        rows->finished = print_times;
    } else if (number == '3') {
        begin_costs();
        rows->finished = print_costs;
    } else {
        begin_rounds(number == '4');
        rows->finished = print_rounds;
    }
    fflush(stdout);
}

int paper_heuristic(const paper_request *request)
{
    heuristic_rows rows = {.count = 0};
    const char number = request->number[0];
    int status = CLI_GO_ON;
    begin(request, &rows);
    for (size_t i = 0; number == '1' && status == CLI_GO_ON && i < sizeof table_1 / sizeof *table_1; i++)
        status = measure(&table_1[i], false, 0, &rows);
    for (size_t i = 0; number == '2' && status == CLI_GO_ON && i < sizeof table_2 / sizeof *table_2; i++)
        status = measure(&table_2[i].graph, false, 0, &rows);
    for (size_t i = 0; number == '3' && status == CLI_GO_ON && i < sizeof table_3 / sizeof *table_3; i++)
        status = measure(&table_3[i], false, 0, &rows);
    if (number == '4')
        status = measure_broadcasts(request->max_n, &rows);
    if (status != CLI_GO_ON)
        return status;
    if (!request->csv && number == '2')
        puts("\nalpha in 10^-10 s, beta in 10^-8 s");
    else if (!request->csv && number != '3')
        puts("\nbound    lower bound, or optimum; former: the best known before; both as the paper prints them\n"
             "since    less, published since the paper");
    return judge(&rows);
}
