/* SPDX-License-Identifier: MIT */
/* Tables 1, 2 and 3 of Sibeyn, Juurlink & Rao: a gossip's cost on rings, and on square and cubic tori, at several
 * startups. All figures are the solvers' formulas; the tests hold those against schedules. */
#include "cli_source.h"
#include "papers.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LIST 16
#define MAX_ROWS 7
#define PARAMETERS 48
/* A scan over b ends when so many in a row were no better. */
#define PATIENCE 24

typedef enum row_kind {
    ROW_FIXED,    /* parameters as they stand */
    ROW_CHEAPEST, /* the cheapest of the parameter lists, which are separated by blanks */
    ROW_A_B,      /* the cheapest a=A,b=B, A dividing n */
    ROW_BOUND
} row_kind;

typedef struct row_plan {
    const char *name, *solver;
    row_kind kind;
    const char *parameters; /* NULL: none */
} row_plan;

typedef struct table_plan {
    const char *name, *title;
    size_t dimensions;
    const char *sides, *startups; /* where the user gives none */
    row_plan rows[MAX_ROWS];      /* name NULL ends them */
    size_t own, others;           /* rows[own] is never above rows[0 .. others - 1]; others 0: no such claim */
} table_plan;

static const table_plan plans[] = {
    {"circgo",
     "Rings of n nodes (Table 1)",
     1,
     "27,81,243,729",
     "2,10,50,250",
     {{"approach 1", "approach1", ROW_FIXED, NULL},
      {"approach 2", "approach2", ROW_FIXED, NULL},
      {"CircGo(a, b)", "circgo", ROW_A_B, NULL},
      {"CircGo", "circgo", ROW_FIXED, NULL},
      {"lower bound", NULL, ROW_BOUND, NULL}},
     3,
     2},
    {"torgo",
     "Tori of n x n nodes (Table 2)",
     2,
     "27,81,243",
     "10,50,200,500",
     {{"approach 11'", "highdimgo", ROW_FIXED, "phases=1:1"},
      {"approach 21'", "highdimgo", ROW_FIXED, "phases=2:1"},
      {"approach 22'", "highdimgo", ROW_FIXED, "phases=2:2"},
      {"HighDimGo'", "highdimgo", ROW_FIXED, "phases=circgo"},
      {"TorGo(a, b)", "torgo", ROW_A_B, NULL},
      {"TorGo", "torgo", ROW_FIXED, NULL},
      {"lower bound", NULL, ROW_BOUND, NULL}},
     0,
     0},
    {"cubgo",
     "Tori of n x n x n nodes (Table 3)",
     3,
     "9,27,81",
     "10,100,1000,10000",
     {{"HighDimGo' 1, 2", "highdimgo", ROW_CHEAPEST,
       "phases=1:1:1 phases=2:1:1 phases=2:2:1 phases=2:2:2 phases=1:2:1 phases=1:1:2 phases=1:2:2 phases=2:1:2"},
      {"HighDimGo'", "highdimgo", ROW_FIXED, "phases=circgo"},
      {"CubGo'(a, b)", "cubgo", ROW_A_B, NULL},
      {"CubGo'", "cubgo", ROW_FIXED, NULL},
      {"lower bound", NULL, ROW_BOUND, NULL}},
     0,
     0},
};

typedef struct cell {
    gfab_ratio cost;
    char parameters[PARAMETERS]; /* of the kinds that choose some; "" otherwise */
} cell;

typedef struct table {
    const table_plan *plan;
    uint32_t sides[MAX_LIST];
    gfab_ratio startups[MAX_LIST];
    size_t side_count, startup_count, row_count;
    cell cells[MAX_LIST][MAX_LIST][MAX_ROWS]; /* [side][startup][row] */
} table;

static cell *cell_at(table *t, size_t side, size_t startup, size_t row)
{
    return &t->cells[side][startup][row];
}

/* ---- figures ---- */

static const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ALL, UINT32_MAX, 1, GFAB_ROUTING_CIRCUIT};

/* UNSUPPORTED and INVALID leave the cell as it is: nothing fits these parameters. */
static gfab_status try_cost(const gfab_topology *topology, const gfab_solver *solver, const char *parameters,
                            gfab_ratio startup, bool *found, cell *best, gfab_diag *diag)
{
    gfab_solver_options options = gfab_solver_options_default();
    gfab_cost cost;
    gfab_ratio total;
    options.linear = true;
    options.startup = startup;
    options.parameters = parameters;
    gfab_status status = solver->cost(topology, &model, &options, &cost, diag);
    if (status == GFAB_OK)
        status = gfab_cost_total(&cost, startup, &total);
    if (status == GFAB_OK && (!*found || gfab_ratio_compare(total, best->cost) < 0)) {
        *found = true;
        best->cost = total;
        snprintf(best->parameters, sizeof best->parameters, "%s", parameters ? parameters : "");
    }
    return status == GFAB_ERR_UNSUPPORTED || status == GFAB_ERR_INVALID ? GFAB_OK : status;
}

/* One a and one b for all levels. With fewer than floor(a / 2) rounds a level does not end. */
static gfab_status try_a_b(const gfab_topology *topology, const gfab_solver *solver, gfab_ratio startup, bool *found,
                           cell *best, gfab_diag *diag)
{
    const uint32_t n = gfab_topology_side(topology, 0);
    gfab_status status = GFAB_OK;
    for (uint32_t a = 2; a <= n && status == GFAB_OK; a++) {
        unsigned idle = 0;
        for (uint32_t b = a > 3 ? a / 2 : 1; n % a == 0 && idle < PATIENCE && status == GFAB_OK; b++) {
            char parameters[PARAMETERS];
            const cell before = *best;
            const bool had = *found;
            snprintf(parameters, sizeof parameters, "a=%u,b=%u", a, b);
            status = try_cost(topology, solver, parameters, startup, found, best, diag);
            idle = *found && (!had || gfab_ratio_compare(best->cost, before.cost) < 0) ? 0 : idle + 1;
        }
    }
    return status;
}

static gfab_status try_list(const gfab_topology *topology, const gfab_solver *solver, const char *list,
                            gfab_ratio startup, bool *found, cell *best, gfab_diag *diag)
{
    gfab_status status = GFAB_OK;
    for (const char *at = list; *at != '\0' && status == GFAB_OK;) {
        char parameters[PARAMETERS];
        const size_t length = strcspn(at, " ");
        snprintf(parameters, sizeof parameters, "%.*s", (int)length, at);
        status = try_cost(topology, solver, parameters, startup, found, best, diag);
        at += length + (at[length] == ' ');
    }
    return status;
}

static int fill(const table_plan *plan, const row_plan *row, const gfab_topology *topology, gfab_ratio startup, cell *c)
{
    gfab_diag diag = {0, ""};
    gfab_status status;
    bool found = false;
    if (row->kind == ROW_BOUND) {
        gfab_cost_bound bound;
        const gfab_progress progress = cli_progress(plan->name);
        status = gfab_bound_cost_best(topology, &model, startup, &progress, &bound);
        found = status == GFAB_OK;
        c->cost = bound.cost;
    } else {
        const gfab_solver *solver = gfab_solver_find(row->solver);
        if (row->kind == ROW_A_B) {
            status = try_a_b(topology, solver, startup, &found, c, &diag);
        } else if (row->kind == ROW_CHEAPEST) {
            status = try_list(topology, solver, row->parameters, startup, &found, c, &diag);
        } else {
            status = try_cost(topology, solver, row->parameters, startup, &found, c, &diag);
            c->parameters[0] = '\0';
        }
    }
    if (status != GFAB_OK || !found)
        return cli_fail(plan->name, status != GFAB_OK ? status : GFAB_ERR_UNSUPPORTED, NULL, &diag);
    return CLI_GO_ON;
}

/* ---- lists ---- */

static int read_lists(const paper_request *request, table *t)
{
    const char *texts[2] = {request->sides ? request->sides : t->plan->sides,
                            request->startups ? request->startups : t->plan->startups};
    for (int which = 0; which < 2; which++) {
        size_t count = 0;
        for (const char *at = texts[which]; *at != '\0'; count++) {
            char word[40];
            gfab_diag diag = {0, ""};
            gfab_ratio value;
            const size_t length = strcspn(at, ",");
            const char *option = which == 0 ? "--sides" : "--startups";
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            if (count == MAX_LIST)
                return cli_error(t->plan->name, "%s: more than %d numbers", option, MAX_LIST);
            const gfab_status status = gfab_ratio_parse(word, &value, &diag);
            if (status != GFAB_OK)
                return cli_fail(t->plan->name, status, option, &diag);
            if (which == 0 && (value.denominator != 1 || value.numerator < 3 || value.numerator > 4096))
                return cli_error(t->plan->name, "--sides: '%s' is not a whole number from 3 to 4096", word);
            if (which == 0)
                t->sides[count] = (uint32_t)value.numerator;
            else
                t->startups[count] = value;
            at += length + (at[length] == ',');
        }
        *(which == 0 ? &t->side_count : &t->startup_count) = count;
    }
    return CLI_GO_ON;
}

/* ---- reports ---- */

static const char *cost_text(gfab_ratio cost, char *text, size_t size)
{
    snprintf(text, size, "%s", cost.denominator == 1 ? cli_ratio(cost).text : cli_decimal(cost, 1).text);
    return text;
}

/* "a=9,b=5" as " (9, 5)"; "phases=2:1:1" as " (2:1:1)". */
static const char *parameters_text(const char *parameters, char *text, size_t size)
{
    unsigned a, b;
    char phases[PARAMETERS];
    if (sscanf(parameters, "a=%u,b=%u", &a, &b) == 2)
        snprintf(text, size, "(%u, %u)", a, b);
    else if (sscanf(parameters, "phases=%47s", phases) == 1)
        snprintf(text, size, "(%s)", phases);
    else
        text[0] = '\0';
    return text;
}

static void print_head(const table *t)
{
    char text[64];
    printf("%s: cost of a gossip, r + s for a round of s tokens; full duplex, all ports, circuit.\n"
           "Sibeyn, Juurlink & Rao's layout; behind a cost the settings that it is for. All by formula.\n\n"
           "    n  %-15s",
           t->plan->title, "");
    for (size_t s = 0; s < t->startup_count; s++) {
        snprintf(text, sizeof text, "r = %s", cli_ratio(t->startups[s]).text);
        printf(" %10s%s", text, s + 1 < t->startup_count ? "          " : "\n");
    }
}

/* The rows of one side. */
static void print_side(table *t, size_t i)
{
    char text[64];
    for (size_t row = 0; row < t->row_count; row++) {
        snprintf(text, sizeof text, "%5u", t->sides[i]);
        printf("%5s  %-15s", row == 0 ? text : "", t->plan->rows[row].name);
        for (size_t s = 0; s < t->startup_count; s++) {
            const cell *c = cell_at(t, i, s, row);
            printf(" %10s", cost_text(c->cost, text, sizeof text));
            parameters_text(c->parameters, text, sizeof text);
            if (s + 1 < t->startup_count)
                printf(" %-9s", text);
            else
                printf("%s%s\n", text[0] != '\0' ? " " : "", text);
        }
    }
}

static void print_csv_side(table *t, size_t i)
{
    for (size_t s = 0; s < t->startup_count; s++) {
        for (size_t row = 0; row < t->row_count; row++) {
            const row_plan *plan = &t->plan->rows[row];
            const cell *c = cell_at(t, i, s, row);
            printf("%u,%s,\"%s\",%s,\"%s\",%s\n", t->sides[i], cli_ratio(t->startups[s]).text, plan->name,
                   plan->solver ? plan->solver : "",
                   c->parameters[0] != '\0' || !plan->parameters ? c->parameters : plan->parameters,
                   cli_ratio(c->cost).text);
        }
    }
}

/* Side by side: what is done is printed. */
static int measure(table *t, const paper_request *request)
{
    int status = CLI_GO_ON;
    for (size_t i = 0; i < t->side_count && status == CLI_GO_ON; i++) {
        uint32_t sides[3] = {t->sides[i], t->sides[i], t->sides[i]};
        gfab_diag diag = {0, ""};
        gfab_topology *topology = NULL;
        const gfab_status made =
            gfab_topology_create_grid(GFAB_TOPOLOGY_TORUS, t->plan->dimensions, sides, &topology, &diag);
        if (made != GFAB_OK)
            return cli_fail(t->plan->name, made, NULL, &diag);
        for (size_t s = 0; s < t->startup_count && status == CLI_GO_ON; s++) {
            for (size_t row = 0; row < t->row_count && status == CLI_GO_ON; row++) {
                status = cli_was_interrupted()
                             ? cli_fail(t->plan->name, GFAB_ERR_INTERRUPTED, NULL, NULL)
                             : fill(t->plan, &t->plan->rows[row], topology, t->startups[s], cell_at(t, i, s, row));
            }
        }
        gfab_topology_destroy(topology);
        if (status != CLI_GO_ON)
            continue;
        if (i == 0 && request->csv)
            puts("n,startup,algorithm,solver,parameters,cost");
        else if (i == 0)
            print_head(t);
        (request->csv ? print_csv_side : print_side)(t, i);
        fflush(stdout); /* what is done stays, whatever comes */
    }
    return status;
}

/* The row that must not lose is the plan's own. */
static int check(table *t)
{
    for (size_t i = 0; i < t->side_count; i++) {
        for (size_t s = 0; s < t->startup_count; s++) {
            for (size_t row = 0; row < t->plan->others; row++) {
                if (gfab_ratio_compare(cell_at(t, i, s, t->plan->own)->cost, cell_at(t, i, s, row)->cost) > 0) {
                    cli_error(t->plan->name, "n = %u, r = %s: %s costs more than %s", t->sides[i],
                              cli_ratio(t->startups[s]).text, t->plan->rows[t->plan->own].name,
                              t->plan->rows[row].name);
                    return CLI_FAULTY;
                }
            }
        }
    }
    return CLI_GOOD;
}

int paper_startup(const paper_request *request)
{
    table *t = calloc(1, sizeof *t);
    if (!t)
        return cli_fail(request->table, GFAB_ERR_NO_MEMORY, NULL, NULL);
    for (size_t i = 0; !t->plan; i++)
        t->plan = strcmp(plans[i].name, request->table) == 0 ? &plans[i] : NULL;
    while (t->row_count < MAX_ROWS && t->plan->rows[t->row_count].name)
        t->row_count++;
    int status = read_lists(request, t);
    CLI_THEN(status, measure(t, request));
    CLI_THEN(status, check(t));
    free(t);
    return status;
}
