/* SPDX-License-Identifier: MIT */
/* Beier & Sibeyn, A powerful heuristic for telephone gossiping, Tables 5 and 6 beside ours. */
#include "papers.h"

#include <stdlib.h>
#include <string.h>

/* Of one family: the schedules of Table 6, for k = 3, 4, ...; NULL past the last. */
typedef struct printed_family {
    const char *name;
    const char *schedules[11];
} printed_family;

static const printed_family table_6[] = {
    {"ccc",
     {"0120120", "012021202", "2020120120210", "01202120212020", "2012010201202120210", "012120212021201212",
      "01212021202120212021210", "01202012021202120210202", "01201201201202120212021202121",
      "0121202120212021202120212101"}},
    {"butterfly",
     {"012320", "0123023", "02103231023", "012030230123", "0123012321032310", "01230123103230123",
      "012301231012321032031", "0123012301230123013210", "01230132012310231203210321", "012301230123012301230132103"}},
    {"star", {"010", "012010", "012310320", "0123402413203", "012345024153012540", "0123456031526402143506"}},
    {"pancake", {"010", "02102", "01230130", "02102432104", "012345021025012", "01234560245602456043"}},
};

/* How a schedule is made that is no string: the solver, its settings and tries. */
typedef struct printed_way {
    const char *solver, *settings;
    uint32_t effort;
} printed_way;

/* Table 5: lower bound, former upper bound and HR, for k = 3, 4, ...; 0: not printed, and left out. Our schedules come
 * from `ways`, for k = 3, 4, ..., or, where it is NULL, from sequences of matchings, on graphs of any size. */
typedef struct printed_column {
    const char *name;
    const printed_way *ways;
    uint32_t figures[12][3];
} printed_column;

#define BEST            \
    {                   \
        "auto", NULL, 0 \
    }
#define MATCHING(settings, tries)   \
    {                               \
        "matching", settings, tries \
    }
static const printed_way shuffle_ways[12] = {BEST,
                                             BEST,
                                             BEST,
                                             BEST,
                                             BEST,
                                             BEST,
                                             MATCHING("dist-exp=12,noise=100", 32),
                                             MATCHING(NULL, 16),
                                             MATCHING(NULL, 12),
                                             MATCHING("dist-exp=16,noise=100", 12),
                                             MATCHING("dist-exp=16,noise=100", 4),
                                             MATCHING("dist-exp=16,noise=100", 1)};
static const printed_way debruijn_ways[12] = {BEST,
                                              BEST,
                                              BEST,
                                              BEST,
                                              BEST,
                                              BEST,
                                              MATCHING(NULL, 16),
                                              MATCHING(NULL, 16),
                                              MATCHING("dist-exp=4,num-exp=1,noise=200,class-noise=0", 24),
                                              MATCHING("dist-exp=12,noise=100", 4),
                                              MATCHING("dist-exp=12,noise=100", 1),
                                              MATCHING("dist-exp=12,noise=100", 1)};
static const printed_column table_5[] = {
    {"ccc",
     NULL,
     {{7, 10, 7},
      {9, 10, 9},
      {11, 15, 13},
      {13, 15, 14},
      {16, 20, 19},
      {18, 20, 18},
      {21, 25, 23},
      {23, 25, 23},
      {26, 30, 29},
      {28, 30, 28},
      {31, 35, 0},
      {33, 35, 0}}},
    {"shuffle-exchange",
     shuffle_ways,
     {{5, 9, 5},
      {7, 13, 7},
      {9, 17, 10},
      {11, 21, 12},
      {13, 25, 15},
      {15, 29, 17},
      {17, 33, 20},
      {19, 37, 23},
      {21, 41, 26},
      {23, 45, 28},
      {25, 49, 31},
      {27, 53, 35}}},
    {"butterfly",
     NULL,
     {{6, 10, 6},
      {7, 10, 7},
      {8, 15, 11},
      {10, 15, 12},
      {11, 20, 16},
      {13, 20, 17},
      {15, 25, 21},
      {16, 25, 22},
      {18, 30, 26},
      {19, 30, 27},
      {21, 35, 0},
      {23, 35, 0}}},
    {"debruijn",
     debruijn_ways,
     {{4, 11, 4},
      {6, 14, 6},
      {7, 17, 8},
      {8, 20, 10},
      {10, 23, 12},
      {11, 26, 14},
      {12, 29, 16},
      {13, 32, 18},
      {15, 35, 20},
      {16, 38, 23},
      {18, 41, 25},
      {19, 44, 28}}},
};

/* What a row of either table has; figures that it lacks are TABLE_NONE, texts NULL. */
typedef struct telephone_row {
    const char *family, *paper_schedule;
    char *schedule; /* owned */
    uint32_t k;
    uint64_t nodes, paper_bound, paper_rounds, paper_steps, rounds, steps, milliseconds;
} telephone_row;

typedef struct telephone_rows {
    telephone_row at[64];
    size_t count;
    void (*finished)(const telephone_row *row); /* prints it */
} telephone_rows;

/* R and S of a sequence, which has to be a gossip. */
static int replay(const gfab_matchings *matchings, const gfab_sequence *sequence, const char *spec, const char *whose,
                  uint64_t *steps)
{
    gfab_sequence_report report;
    const gfab_progress progress = cli_progress("telephone");
    const gfab_status status = gfab_sequence_replay(matchings, sequence, &progress, &report);
    cli_progress_end();
    if (status != GFAB_OK)
        return cli_fail("telephone", status, spec, NULL);
    if (report.missing != 0) {
        cli_error("telephone", "%s: %s schedule is no gossip: %llu deliveries are missing", spec, whose,
                  (unsigned long long)report.missing);
        return CLI_FAULTY;
    }
    *steps = report.steps;
    return CLI_GO_ON;
}

static int find(const gfab_topology *topology, const gfab_matchings *matchings, gfab_sequence *sequence,
                const char *spec, telephone_row *row)
{
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ONE, (uint32_t)row->nodes, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    const gfab_progress progress = cli_progress("telephone");
    gfab_colouring_options options = gfab_colouring_options_default();
    gfab_bound bound;
    gfab_diag diag = {0, ""};
    const uint64_t start = table_milliseconds();
    options.progress = &progress;
    gfab_status status = gfab_bound_best(topology, &model, &progress, &bound);
    if (status == GFAB_OK) {
        options.enough_rounds = (uint32_t)bound.rounds;
        status = gfab_colouring_find(matchings, &options, sequence, &diag);
    }
    cli_progress_end();
    if (status != GFAB_OK)
        return cli_fail("telephone", status, spec, &diag);
    row->milliseconds = table_milliseconds() - start;
    row->rounds = sequence->length;
    row->schedule = malloc(sequence->length + 1);
    if (!row->schedule)
        return cli_fail("telephone", GFAB_ERR_NO_MEMORY, spec, NULL);
    gfab_sequence_write(sequence, row->schedule);
    return replay(matchings, sequence, spec, "our", &row->steps);
}

/* By sequences of matchings; the paper's is replayed, too, where there is one. */
static int measure_sequence(const gfab_topology *topology, const char *spec, telephone_row *row)
{
    gfab_matchings *matchings = NULL;
    gfab_diag diag = {0, ""};
    gfab_sequence *sequence = malloc(sizeof *sequence);
    gfab_status made = sequence ? gfab_matchings_create(topology, NULL, &matchings, &diag) : GFAB_ERR_NO_MEMORY;
    int status = made == GFAB_OK ? CLI_GO_ON : cli_fail("telephone", made, spec, &diag);
    if (status == CLI_GO_ON && row->paper_schedule) {
        made = gfab_sequence_read(matchings, row->paper_schedule, sequence, &diag);
        status = made == GFAB_OK ? replay(matchings, sequence, spec, "the paper's", &row->paper_steps)
                                 : cli_fail("telephone", made, spec, &diag);
    }
    CLI_THEN(status, find(topology, matchings, sequence, spec, row));
    gfab_matchings_destroy(matchings);
    free(sequence);
    return status;
}

/* By a solver; the schedule is verified. */
static int measure_schedule(const char *spec, const printed_way *way, telephone_row *row)
{
    const paper_task task = {
        .spec = spec, .solver = way->solver, .settings = way->settings, .effort = way->effort, .seed = 1};
    paper_outcome outcome;
    const int status = paper_run(&task, &outcome);
    if (status == CLI_GO_ON) {
        row->rounds = outcome.rounds;
        row->steps = outcome.steps;
        row->milliseconds = outcome.milliseconds;
    }
    return status;
}

/* The last row of rows, which is then printed: a table may take long, and what it has is not to be lost. */
static int measure(const printed_way *way, telephone_rows *rows)
{
    telephone_row *row = &rows->at[rows->count - 1];
    char spec[TABLE_SPEC_SIZE];
    gfab_topology *topology = NULL;
    gfab_diag diag = {0, ""};
    snprintf(spec, sizeof spec, "%s:%u", row->family, row->k);
    const gfab_status parsed = gfab_topology_parse(spec, &topology, &diag);
    if (parsed != GFAB_OK)
        return cli_fail("telephone", parsed, spec, &diag);
    row->nodes = gfab_topology_node_count(topology);
    const int status = way ? measure_schedule(spec, way, row) : measure_sequence(topology, spec, row);
    gfab_topology_destroy(topology);
    if (status == CLI_GO_ON) {
        rows->finished(row);
        fflush(stdout);
    }
    return status;
}

static telephone_row *new_row(telephone_rows *rows, const char *family, uint32_t k)
{
    telephone_row *row = &rows->at[rows->count++];
    *row = (telephone_row){.family = family,
                           .k = k,
                           .paper_bound = TABLE_NONE,
                           .paper_rounds = TABLE_NONE,
                           .paper_steps = TABLE_NONE,
                           .rounds = TABLE_NONE,
                           .steps = TABLE_NONE};
    return row;
}

static int measure_table_5(uint32_t max_k, telephone_rows *rows)
{
    int status = CLI_GO_ON;
    for (size_t f = 0; f < sizeof table_5 / sizeof *table_5; f++) {
        for (uint32_t k = 3; k <= max_k && k < 15 && table_5[f].figures[k - 3][2] != 0 && status == CLI_GO_ON; k++) {
            telephone_row *row = new_row(rows, table_5[f].name, k);
            row->paper_bound = table_5[f].figures[k - 3][0];
            row->paper_rounds = table_5[f].figures[k - 3][2];
            status = measure(table_5[f].ways ? &table_5[f].ways[k - 3] : NULL, rows);
        }
    }
    return status;
}

static int measure_table_6(uint32_t max_k, telephone_rows *rows)
{
    int status = CLI_GO_ON;
    for (size_t f = 0; f < sizeof table_6 / sizeof *table_6; f++) {
        for (uint32_t k = 3; k <= max_k && table_6[f].schedules[k - 3] && status == CLI_GO_ON; k++) {
            telephone_row *row = new_row(rows, table_6[f].name, k);
            row->paper_schedule = table_6[f].schedules[k - 3];
            row->paper_rounds = strlen(row->paper_schedule);
            status = measure(NULL, rows);
        }
    }
    return status;
}

static void begin_text(const char *number)
{
    printf("Gossip in the telephone model (F1, packets of any size): Beier & Sibeyn, Table %s, and ours, each\n"
           "schedule replayed for every token.\n\n"
           "                               paper                   ours\n"
           "family             k   nodes   bound      R       S       R       S   seconds  schedule\n",
           number);
}

static void print_text(const telephone_row *row)
{
    char bound[24], rounds[24], steps[24];
    printf("%-16s%4u%8llu%8s%7s%8s%8llu%8llu%6llu.%03u  %s\n", row->family, row->k, (unsigned long long)row->nodes,
           table_figure(row->paper_bound, bound, sizeof bound, "-"),
           table_figure(row->paper_rounds, rounds, sizeof rounds, "-"),
           table_figure(row->paper_steps, steps, sizeof steps, "-"), (unsigned long long)row->rounds,
           (unsigned long long)row->steps, (unsigned long long)(row->milliseconds / 1000),
           (unsigned)(row->milliseconds % 1000), row->schedule ? row->schedule : "-");
}

static void end_text(void)
{
    puts("\nR        rounds; S: sum over the rounds of the longest packet's tokens\n"
         "seconds  of making ours, verification left out\n"
         "schedule a digit a round, as in the paper's section 8; - where rounds are no matchings of a few");
}

static void begin_csv(void)
{
    puts("family,k,nodes,paper_bound,paper_rounds,paper_steps,rounds,steps,schedule");
}

static void print_csv(const telephone_row *row)
{
    char bound[24], rounds[24], steps[24];
    printf("%s,%u,%llu,%s,%s,%s,%llu,%llu,%s\n", row->family, row->k, (unsigned long long)row->nodes,
           table_figure(row->paper_bound, bound, sizeof bound, ""),
           table_figure(row->paper_rounds, rounds, sizeof rounds, ""),
           table_figure(row->paper_steps, steps, sizeof steps, ""), (unsigned long long)row->rounds,
           (unsigned long long)row->steps, row->schedule ? row->schedule : "");
}

static int judge(const telephone_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const telephone_row *row = &rows->at[i];
        if (row->rounds > row->paper_rounds) {
            cli_error("telephone", "%s:%u: %llu rounds, the paper has %llu", row->family, row->k,
                      (unsigned long long)row->rounds, (unsigned long long)row->paper_rounds);
            return CLI_FAULTY;
        }
    }
    return CLI_GOOD;
}

int paper_telephone(const paper_request *request)
{
    telephone_rows rows = {.count = 0, .finished = request->csv ? print_csv : print_text};
    if (request->csv)
        begin_csv();
    else
        begin_text(request->number);
    fflush(stdout);
    int status = (request->number[0] == '5' ? measure_table_5 : measure_table_6)(request->max_n, &rows);
    if (status == CLI_GO_ON) {
        if (!request->csv)
            end_text();
        status = judge(&rows);
    }
    for (size_t i = 0; i < rows.count; i++)
        free(rows.at[i].schedule);
    return status;
}
