/* SPDX-License-Identifier: MIT */
/* Square meshes and tori: our rounds beside the lower bound and the papers'. */
#include "cli_source.h"
#include "tables/table.h"

#include <stdlib.h>
#include <string.h>

typedef struct optimal_row {
    char spec[TABLE_SPEC_SIZE];
    uint32_t n;
    table_result ours;
    uint64_t lau_zhang, fujita_yamashita; /* rounds, TABLE_NONE where there are none */
} optimal_row;

#define MAX_ROWS (2 * TABLE_MAX_SIDE)

static int measure_row(gfab_topology_kind kind, uint32_t n, const char *solver, optimal_row *row)
{
    table_result paper, baseline;
    table_spec(kind, n, row->spec);
    row->n = n;
    CLI_TRY(table_measure("table", kind, n, solver, &row->ours));
    CLI_TRY(table_measure("table", kind, n, "lau-zhang", &paper));
    CLI_TRY(table_measure("table", kind, n, "fujita-yamashita", &baseline));
    row->lau_zhang = paper.rounds;
    /* It is a mesh's algorithm: torus:2x2 is a mesh by another name. */
    row->fujita_yamashita = kind == GFAB_TOPOLOGY_MESH ? baseline.rounds : TABLE_NONE;
    return CLI_GO_ON;
}

/* Ours in a hundred of Lau & Zhang's, to the nearest. */
static uint64_t ratio_percent(const optimal_row *row)
{
    return row->lau_zhang == TABLE_NONE ? TABLE_NONE : (200 * row->ours.rounds + row->lau_zhang) / (2 * row->lau_zhang);
}

static const char *ratio_text(const optimal_row *row, char *text, size_t size, const char *none)
{
    uint64_t percent = ratio_percent(row);
    if (percent == TABLE_NONE)
        return none;
    snprintf(text, size, "%llu.%02u", (unsigned long long)(percent / 100), (unsigned)(percent % 100));
    return text;
}

static const char *saved_text(const optimal_row *row, char *text, size_t size, const char *none)
{
    if (row->lau_zhang == TABLE_NONE)
        return none;
    snprintf(text, size, "%lld", (long long)row->lau_zhang - (long long)row->ours.rounds);
    return text;
}

static void print_head(void)
{
    puts("Rounds of a gossip on n x n nodes, half-duplex links, all ports, one token a packet (H*, p = 1).\n"
         "Each figure is that of a schedule, made and verified.");
}

/* The first row of a kind has a head above it. */
static void print_row(const optimal_row *row, bool first)
{
    char paper[24], baseline[24], ratio[24], saved[24];
    if (first) {
        printf("\n%.*s\n"
               "         lower             Lau &   Fujita &\n"
               "    n    bound    ours     Zhang  Yamashita   ratio   saved   seconds  by\n",
               (int)strcspn(row->spec, ":"), row->spec);
    }
    printf("%5u%9llu%8llu%10s%11s%8s%8s%6llu.%03u  %s\n", row->n, (unsigned long long)row->ours.bound,
           (unsigned long long)row->ours.rounds, table_figure(row->lau_zhang, paper, sizeof paper, "-"),
           table_figure(row->fujita_yamashita, baseline, sizeof baseline, "-"),
           ratio_text(row, ratio, sizeof ratio, "-"), saved_text(row, saved, sizeof saved, "-"),
           (unsigned long long)(row->ours.milliseconds / 1000), (unsigned)(row->ours.milliseconds % 1000),
           row->ours.solver->name);
}

static void print_foot(const char *solver)
{
    printf("\nours     solver %s; by: who made the schedule, as the solver may choose another\n"
           "ratio    ours / Lau & Zhang; saved: rounds less than theirs\n"
           "seconds  of making ours, verification left out\n",
           solver);
}

static void print_csv_head(void)
{
    puts("topology,n,bound,ours,by,lau_zhang,fujita_yamashita,ratio,saved");
}

static void print_csv_row(const optimal_row *row)
{
    char paper[24], baseline[24], ratio[24], saved[24];
    printf("%s,%u,%llu,%llu,%s,%s,%s,%s,%s\n", row->spec, row->n, (unsigned long long)row->ours.bound,
           (unsigned long long)row->ours.rounds, row->ours.solver->name,
           table_figure(row->lau_zhang, paper, sizeof paper, ""),
           table_figure(row->fujita_yamashita, baseline, sizeof baseline, ""), ratio_text(row, ratio, sizeof ratio, ""),
           saved_text(row, saved, sizeof saved, ""));
}

static void json_figure(json_t *object, const char *key, uint64_t value)
{
    cli_json_set(object, key, value == TABLE_NONE ? json_null() : json_integer((json_int_t)value));
}

static void print_json(const optimal_row *rows, size_t count, const char *solver)
{
    json_t *report = cli_json_report("gossipfab.table/1"), *array = cli_json_array();
    CLI_JSON(report, CLI_KEY("table", "optimal"), CLI_KEY("solver", solver));
    for (size_t i = 0; i < count; i++) {
        json_t *row = cli_json_object();
        CLI_JSON(row, CLI_KEY("topology", rows[i].spec), CLI_KEY("n", rows[i].n));
        json_figure(row, "bound", rows[i].ours.bound);
        json_figure(row, "ours", rows[i].ours.rounds);
        CLI_JSON(row, CLI_KEY("by", rows[i].ours.solver->name));
        json_figure(row, "lau_zhang", rows[i].lau_zhang);
        json_figure(row, "fujita_yamashita", rows[i].fujita_yamashita);
        json_figure(row, "ratio_percent", ratio_percent(&rows[i]));
        cli_json_append(array, row);
    }
    cli_json_set(report, "rows", array);
    cli_json_print(report, stdout);
}

/* Those of --sides, or 2 .. max_n. CLI_GO_ON, or CLI_USAGE after an error line. */
static int choose_sides(const table_request *request, uint32_t sides[TABLE_MAX_SIDE], size_t *count)
{
    *count = 0;
    if (!request->sides)
        for (uint32_t n = 2; n <= request->max_n; n++)
            sides[(*count)++] = n;
    const char *at = request->sides;
    while (at) {
        char *end = NULL;
        const unsigned long n = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (n < (*count ? sides[*count - 1] + 1 : 2) || n > TABLE_MAX_SIDE || (*end != ',' && *end != '\0'))
            return cli_error("table",
                             "--sides: '%s' is not a list of whole numbers from 2 to %u that rise, such as 4,5,8",
                             request->sides, TABLE_MAX_SIDE);
        sides[(*count)++] = (uint32_t)n;
        at = *end == ',' ? end + 1 : NULL;
    }
    return CLI_GO_ON;
}

/* Is the solver for n x n? CLI_GO_ON, or an exit status after an error line. */
static int check_solver(gfab_topology_kind kind, uint32_t n, const char *solver)
{
    char spec[TABLE_SPEC_SIZE];
    table_spec(kind, n, spec);
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    source.topology_spec = spec;
    int status = cli_source_open_topology("table", &source);
    const gfab_solver *entry = gfab_solver_find(solver);
    if (status == CLI_GO_ON && !entry)
        status = cli_unknown_solver("table", "--solver", solver);
    if (status == CLI_GO_ON) {
        const gfab_status applies = gfab_solver_applies(entry, source.topology, &source.model, NULL);
        if (applies == GFAB_ERR_UNSUPPORTED)
            status = cli_error("table", "solver %s is not for %s", solver, spec);
        else if (applies != GFAB_OK)
            status = cli_fail("table", applies, NULL, NULL);
    }
    return status;
}

/* Before the first row is printed. */
static int check_rows(const table_request *request, const uint32_t *sides, size_t side_count)
{
    for (size_t i = 0; i < side_count; i++) {
        if (request->mesh)
            CLI_TRY(check_solver(GFAB_TOPOLOGY_MESH, sides[i], request->solver));
        if (request->torus)
            CLI_TRY(check_solver(GFAB_TOPOLOGY_TORUS, sides[i], request->solver));
    }
    return CLI_GO_ON;
}

int table_optimal(const table_request *request)
{
    optimal_row rows[MAX_ROWS];
    uint32_t sides[TABLE_MAX_SIDE];
    size_t count = 0, side_count;
    int status = choose_sides(request, sides, &side_count);
    CLI_THEN(status, check_rows(request, sides, side_count));
    const optimal_row *wrong = NULL;
    for (int pass = 0; pass < 2; pass++) {
        const gfab_topology_kind kind = pass == 0 ? GFAB_TOPOLOGY_MESH : GFAB_TOPOLOGY_TORUS;
        const bool wanted = pass == 0 ? request->mesh : request->torus;
        for (size_t i = 0; wanted && i < side_count && status == CLI_GO_ON; i++) {
            optimal_row *row = &rows[count];
            status = measure_row(kind, sides[i], request->solver, row);
            if (status == CLI_GO_ON) {
                count++;
                if (!wrong && row->ours.rounds > row->ours.bound)
                    wrong = row;
                if (request->json)
                    continue;
                if (count == 1)
                    (request->csv ? print_csv_head : print_head)();
                if (request->csv)
                    print_csv_row(row);
                else
                    print_row(row, i == 0);
                fflush(stdout); /* what is done stays, whatever comes */
            }
        }
    }
    if (status != CLI_GO_ON)
        return status;
    if (request->json)
        print_json(rows, count, request->solver);
    else if (!request->csv)
        print_foot(request->solver);
    if (wrong) {
        cli_error("table", "%s: %llu rounds are above the lower bound of %llu", wrong->spec,
                  (unsigned long long)wrong->ours.rounds, (unsigned long long)wrong->ours.bound);
        return CLI_FAULTY;
    }
    return CLI_GOOD;
}
