/* SPDX-License-Identifier: MIT */
/* Table 1 of Lau & Zhang's paper: its formulas beside the rounds that their schedules take here. */
#include "papers.h"

#include <string.h>

/* A topology's part of a row. TABLE_NONE where there is no such figure. */
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
        if (n <= 3)
            return n == 2 ? 3 : 6;
        return n % 2 == 0 ? n * n / 2 + n - 1 : (n * n - 1) / 2 + n;
    }
    if (n == 2)
        return TABLE_NONE;
    return n % 2 == 0 ? n * n / 2 : (n * n + 3) / 2;
}

/* n^2/2 + 2n - 3 and n^2/2 + 2n - 5/2, as Table 1 quotes them; it gives none for n = 2 and 3. */
static uint64_t baseline_formula(gfab_topology_kind kind, uint64_t n)
{
    if (kind != GFAB_TOPOLOGY_MESH || n <= 3)
        return TABLE_NONE;
    return n % 2 == 0 ? n * n / 2 + 2 * n - 3 : (n * n - 5) / 2 + 2 * n;
}

static int measure_part(gfab_topology_kind kind, uint32_t n, table_part *part)
{
    table_result paper, baseline = {.rounds = TABLE_NONE};
    int status = table_measure("lau-zhang", kind, n, "lau-zhang", &paper);
    if (status == CLI_GO_ON && kind == GFAB_TOPOLOGY_MESH)
        status = table_measure("lau-zhang", kind, n, "fujita-yamashita", &baseline);
    if (status == CLI_GO_ON) {
        *part =
            (table_part){paper.bound, paper_formula(kind, n), paper.rounds, baseline_formula(kind, n), baseline.rounds};
    }
    return status;
}

static bool part_agrees(const table_part *part)
{
    return (part->formula == TABLE_NONE || part->formula == part->rounds) &&
           (part->baseline_formula == TABLE_NONE || part->baseline_formula == part->baseline_rounds);
}

static void row_figures(const table_row *row, uint64_t figures[8])
{
    const uint64_t values[8] = {
        row->mesh.bound,           row->mesh.formula, row->mesh.rounds,   row->mesh.baseline_formula,
        row->mesh.baseline_rounds, row->torus.bound,  row->torus.formula, row->torus.rounds};
    memcpy(figures, values, sizeof values);
}

static void print_head(void)
{
    puts("Rounds of a gossip on n x n nodes, half-duplex links, all ports, one token a packet (H*, p = 1).\n"
         "Lau & Zhang 2002, Table 1: its formulas, and what our schedules take, each one verified.\n\n"
         "         mesh                                                     torus\n"
         "         lower    Lau & Zhang          Fujita & Yamashita         lower    Lau & Zhang\n"
         "    n    bound    formula  measured    formula  measured          bound    formula  measured");
}

static void print_row(const table_row *row, uint32_t n)
{
    static const int widths[8] = {9, 11, 10, 11, 10, 15, 11, 10};
    uint64_t figures[8];
    char text[24];
    row_figures(row, figures);
    printf("%5u", n);
    for (size_t i = 0; i < 8; i++)
        printf("%*s", widths[i], table_figure(figures[i], text, sizeof text, "-"));
    putchar('\n');
}

static void print_foot(void)
{
    puts("\nmesh   lower bound n(n+1)/2; Lau & Zhang n^2/2 + n - 1 (n even), n^2/2 + n - 1/2 (n odd), 6 for n = 3;\n"
         "       Fujita & Yamashita n^2/2 + 2n - 3 (n even), n^2/2 + 2n - 5/2 (n odd)\n"
         "torus  lower bound (n^2-1)/2 rounded up; Lau & Zhang n^2/2 (n even), n^2/2 + 3/2 (n odd)\n"
         "       torus:2x2 has single links and is a cycle of four nodes, which the paper's table leaves out");
}

static void print_csv_head(void)
{
    puts("n,mesh_bound,mesh_formula,mesh_rounds,mesh_fy_formula,mesh_fy_rounds,torus_bound,torus_formula,"
         "torus_rounds");
}

static void print_csv_row(const table_row *row, uint32_t n)
{
    uint64_t figures[8];
    char text[24];
    row_figures(row, figures);
    printf("%u", n);
    for (size_t i = 0; i < 8; i++)
        printf(",%s", table_figure(figures[i], text, sizeof text, ""));
    putchar('\n');
}

int paper_lau_zhang(const paper_request *request)
{
    uint32_t wrong = 0;
    for (uint32_t n = 2; n <= request->max_n; n++) {
        table_row row;
        int status = measure_part(GFAB_TOPOLOGY_MESH, n, &row.mesh);
        CLI_THEN(status, measure_part(GFAB_TOPOLOGY_TORUS, n, &row.torus));
        if (status != CLI_GO_ON)
            return status;
        if (wrong == 0 && !(part_agrees(&row.mesh) && part_agrees(&row.torus)))
            wrong = n;
        if (n == 2)
            (request->csv ? print_csv_head : print_head)();
        (request->csv ? print_csv_row : print_row)(&row, n);
        fflush(stdout); /* what is done stays, whatever comes */
    }
    if (!request->csv)
        print_foot();
    if (wrong != 0) {
        cli_error("lau-zhang", "n = %u: the measured rounds are not the formula's", wrong);
        return CLI_FAULTY;
    }
    return CLI_GOOD;
}
