/* SPDX-License-Identifier: MIT */
#include "cli.h"
#include <string.h>

#define MAX_SIDE 64
#define NONE UINT64_MAX

/* A topology's part of a row. NONE where there is no such figure. */
typedef struct table_part {
    uint64_t bound;
    uint64_t formula;          /* the paper's Table 1 */
    uint64_t rounds;           /* measured */
    uint64_t baseline_formula; /* Fujita & Yamashita */
    uint64_t baseline_rounds;
} table_part;

typedef struct table_row {
    table_part mesh, torus;
} table_row;

/* Lau & Zhang 2002, Table 1. A torus of side 2 is a cycle of four nodes and is not in the table. */
static uint64_t paper_formula(gfab_topology_kind kind, uint64_t n)
{
    if (kind == GFAB_TOPOLOGY_MESH) {
        if (n <= 3) {
            return n == 2 ? 3 : 6;
        }
        return n % 2 == 0 ? n * n / 2 + n - 1 : (n * n - 1) / 2 + n;
    }
    if (n == 2) {
        return NONE;
    }
    return n % 2 == 0 ? n * n / 2 : (n * n + 3) / 2;
}

/* n^2/2 + 2n - 3 and n^2/2 + 2n - 5/2, as Table 1 quotes them; it gives none for n = 2 and 3. */
static uint64_t baseline_formula(gfab_topology_kind kind, uint64_t n)
{
    if (kind != GFAB_TOPOLOGY_MESH || n <= 3) {
        return NONE;
    }
    return n % 2 == 0 ? n * n / 2 + 2 * n - 3 : (n * n - 5) / 2 + 2 * n;
}

/* Makes and verifies a schedule; *rounds is NONE where the solver does not take the topology. */
static int measure(const char *spec, const char *solver, uint64_t *rounds, uint64_t *bound)
{
    cli_source source = cli_source_default();
    gfab_diag diag = {0, ""};
    source.topology_spec = spec;
    source.solver_name = solver;
    int status = cli_source_open_topology("table", &source);
    const gfab_solver *entry = gfab_solver_find(solver);
    *rounds = NONE;
    if (status == CLI_GO_ON && entry != NULL &&
        entry->applies(source.topology, &source.model, &diag) != GFAB_ERR_UNSUPPORTED) {
        status = cli_source_load("table", &source);
        if (status == CLI_GO_ON) {
            *rounds = source.report.rounds;
            *bound = source.bound.rounds;
        }
    }
    cli_source_release(&source);
    return status;
}

static int measure_part(gfab_topology_kind kind, uint32_t n, table_part *part)
{
    char spec[32];
    snprintf(spec, sizeof spec, "%s:%ux%u", kind == GFAB_TOPOLOGY_MESH ? "mesh" : "torus", n, n);
    part->bound = NONE;
    part->formula = paper_formula(kind, n);
    part->baseline_formula = baseline_formula(kind, n);
    part->baseline_rounds = NONE;
    int status = measure(spec, "lau-zhang", &part->rounds, &part->bound);
    if (status == CLI_GO_ON && kind == GFAB_TOPOLOGY_MESH) {
        status = measure(spec, "fujita-yamashita", &part->baseline_rounds, &part->bound);
    }
    return status;
}

static bool part_agrees(const table_part *part)
{
    return (part->formula == NONE || part->formula == part->rounds) &&
           (part->baseline_formula == NONE || part->baseline_formula == part->baseline_rounds);
}

static const char *figure(uint64_t value, char *text, size_t size, const char *none)
{
    if (value == NONE) {
        return none;
    }
    snprintf(text, size, "%llu", (unsigned long long)value);
    return text;
}

static void row_figures(const table_row *row, uint64_t figures[8])
{
    const uint64_t values[8] = {row->mesh.bound,           row->mesh.formula,         row->mesh.rounds,
                                row->mesh.baseline_formula, row->mesh.baseline_rounds, row->torus.bound,
                                row->torus.formula,        row->torus.rounds};
    memcpy(figures, values, sizeof values);
}

static void print_text(const table_row *rows, uint32_t max_n)
{
    puts("Rounds of a gossip on n x n nodes, half-duplex links, all ports, one token a packet (H*, p = 1).\n"
         "Lau & Zhang 2002, Table 1: its formulas, and what our schedules take, each one verified.\n\n"
         "         mesh                                                     torus\n"
         "         lower    Lau & Zhang          Fujita & Yamashita         lower    Lau & Zhang\n"
         "    n    bound    formula  measured    formula  measured          bound    formula  measured");
    for (uint32_t n = 2; n <= max_n; n++) {
        static const int widths[8] = {9, 11, 10, 11, 10, 15, 11, 10};
        uint64_t figures[8];
        char text[24];
        row_figures(&rows[n], figures);
        printf("%5u", n);
        for (size_t i = 0; i < 8; i++) {
            printf("%*s", widths[i], figure(figures[i], text, sizeof text, "-"));
        }
        putchar('\n');
    }
    puts("\nmesh   lower bound n(n+1)/2; Lau & Zhang n^2/2 + n - 1 (n even), n^2/2 + n - 1/2 (n odd), 6 for n = 3;\n"
         "       Fujita & Yamashita n^2/2 + 2n - 3 (n even), n^2/2 + 2n - 5/2 (n odd)\n"
         "torus  lower bound (n^2-1)/2 rounded up; Lau & Zhang n^2/2 (n even), n^2/2 + 3/2 (n odd)\n"
         "       torus:2x2 has single links and is a cycle of four nodes, which the paper's table leaves out");
}

static void print_csv(const table_row *rows, uint32_t max_n)
{
    puts("n,mesh_bound,mesh_formula,mesh_rounds,mesh_fy_formula,mesh_fy_rounds,torus_bound,torus_formula,"
         "torus_rounds");
    for (uint32_t n = 2; n <= max_n; n++) {
        uint64_t figures[8];
        char text[24];
        row_figures(&rows[n], figures);
        printf("%u", n);
        for (size_t i = 0; i < 8; i++) {
            printf(",%s", figure(figures[i], text, sizeof text, ""));
        }
        putchar('\n');
    }
}

static void json_figure(json_t *object, const char *key, uint64_t value)
{
    cli_json_set(object, key, value == NONE ? json_null() : json_integer((json_int_t)value));
}

static json_t *json_part(const table_part *part, bool baseline)
{
    json_t *object = cli_json_object();
    json_figure(object, "bound", part->bound);
    json_figure(object, "formula", part->formula);
    json_figure(object, "rounds", part->rounds);
    if (baseline) {
        json_figure(object, "fujita_yamashita_formula", part->baseline_formula);
        json_figure(object, "fujita_yamashita_rounds", part->baseline_rounds);
    }
    return object;
}

static void print_json(const table_row *rows, uint32_t max_n)
{
    json_t *report = cli_json_object(), *array = cli_json_array();
    cli_json_text(report, "schema", "gossipfab.table/1");
    cli_json_text(report, "table", "lau-zhang");
    for (uint32_t n = 2; n <= max_n; n++) {
        json_t *row = cli_json_object();
        cli_json_int(row, "n", n);
        cli_json_set(row, "mesh", json_part(&rows[n].mesh, true));
        cli_json_set(row, "torus", json_part(&rows[n].torus, false));
        cli_json_append(array, row);
    }
    cli_json_set(report, "rows", array);
    cli_json_print(report, stdout);
}

int cmd_table(int argc, char **argv)
{
    uint32_t max_n = 16;
    const char *format = "text";
    bool json = false;
    const cli_option options[] = {
        {"max-n", 'n', CLI_U32, &max_n, NULL, "N", "16", 2, MAX_SIDE, NULL, "the largest side"},
        {"format", 'f', CLI_TEXT, &format, NULL, "text|csv", "text", 0, 0, NULL, "form of the table"},
        CLI_JSON_OPTION(json),
        CLI_OPTIONS_END};
    const cli_command command = {
        "table", "lau-zhang [--max-n N] [--format text|csv] [--json]",
        "Prints the table of results of Lau & Zhang's paper beside the rounds that our schedules take.\n"
        "Every schedule is made and verified anew; exit status 1 where one does not meet its formula.",
        "  gossipfab table lau-zhang --max-n 8", options, 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    table_row rows[MAX_SIDE + 1];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON) {
        return status;
    }
    if (arguments[0] == NULL || strcmp(arguments[0], "lau-zhang") != 0) {
        return cli_error("table", "%s%s%s; there is one table: gossipfab table lau-zhang",
                         arguments[0] != NULL ? "unknown table '" : "no table named",
                         arguments[0] != NULL ? arguments[0] : "", arguments[0] != NULL ? "'" : "");
    }
    if (strcmp(format, "text") != 0 && strcmp(format, "csv") != 0) {
        return cli_error("table", "--format: unknown format '%s'; give text or csv", format);
    }
    uint32_t wrong = 0;
    for (uint32_t n = 2; n <= max_n && status == CLI_GO_ON; n++) {
        status = measure_part(GFAB_TOPOLOGY_MESH, n, &rows[n].mesh);
        if (status == CLI_GO_ON) {
            status = measure_part(GFAB_TOPOLOGY_TORUS, n, &rows[n].torus);
        }
        if (status == CLI_GO_ON && wrong == 0 && !(part_agrees(&rows[n].mesh) && part_agrees(&rows[n].torus))) {
            wrong = n;
        }
    }
    if (status != CLI_GO_ON) {
        return status;
    }
    if (json) {
        print_json(rows, max_n);
    } else {
        (strcmp(format, "csv") == 0 ? print_csv : print_text)(rows, max_n);
    }
    if (wrong != 0) {
        cli_error("table", "n = %u: the measured rounds are not the formula's", wrong);
        return CLI_FAULTY;
    }
    return CLI_GOOD;
}
