/* SPDX-License-Identifier: MIT */
/* Solves a dense system A x = b by Jacobi's method on a fabric, three times: in doubles, in fixed point as one plain
 * loop, and in the same fixed point node by node on the C model of the fabric. The last two must agree in every bit of
 * every iteration, and be as near to the first as the bound says.
 *
 *     jacobi TOPOLOGY ROWS          a line of figures
 *     jacobi TOPOLOGY ROWS FOLDER   and in FOLDER what jacobi.v needs and what its bench expects
 *     jacobi TOPOLOGY ROWS --unknowns   how many there are
 *     jacobi TOPOLOGY ROWS --port PORT  also on a board that has jacobi_board.v, or is simulated, for several c
 *
 * README.md walks through it. */
#include <errno.h>
#include <gossipfab/gossipfab.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { X_POINT = 20, R_POINT = 15, MOST = 500 }; /* bits after the point, of 32 and of 16; iterations */
enum { RUN_LIMIT_MS = 10000 };                   /* of a solution on a board */
#define TOLERANCE 64u                            /* sum of the changes of all entries, in units of 2^-X_POINT */

/* x <- c - R x, of n unknowns. */
typedef struct jacobi_system {
    size_t n;
    double *r, *c;    /* what is meant */
    int16_t *r_fixed; /* rounded */
    int32_t *c_fixed;
} jacobi_system;

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "jacobi: %s: %s\n", what, why);
    exit(2);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        fail("system", "not enough memory");
    return memory;
}

/* Off the diagonal A has numbers from -1 to 0; on it 1.25 times what makes a row's sum 0; so |R| has rows of 0.8. */
static jacobi_system create_system(size_t n)
{
    jacobi_system s = {n, allocate(n * n, sizeof(double)), allocate(n, sizeof(double)),
                       allocate(n * n, sizeof(int16_t)), allocate(n, sizeof(int32_t))};
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            s.r[i * n + j] = i == j ? 0 : -((double)(random >> 40) + 1) / (1 << 24);
            sum -= s.r[i * n + j];
        }
        const double diagonal = 1.25 * sum, b = (double)((i * 37) % 101) / 10 - 5;
        for (size_t j = 0; j < n; j++) {
            s.r[i * n + j] /= diagonal;
            s.r_fixed[i * n + j] = (int16_t)lround(ldexp(s.r[i * n + j], R_POINT));
        }
        s.c[i] = b / diagonal * 16;
        s.c_fixed[i] = (int32_t)lround(ldexp(s.c[i], X_POINT));
    }
    return s;
}

/* One row, as jacobi_pe.v has it. */
static int32_t multiply_row(const jacobi_system *s, size_t row, const int32_t *x)
{
    int64_t sum = 0;
    for (size_t j = 0; j < s->n; j++)
        sum += (int64_t)s->r_fixed[row * s->n + j] * x[j];
    const int64_t rounded = sum >= 0 ? sum >> R_POINT : ~(~sum >> R_POINT); /* down */
    return (int32_t)(s->c_fixed[row] - rounded);
}

static uint32_t change_of(int32_t new_x, int32_t old_x)
{
    return new_x > old_x ? (uint32_t)new_x - (uint32_t)old_x : (uint32_t)old_x - (uint32_t)new_x;
}

/* One iteration as a plain loop; the change. */
static uint32_t iterate(const jacobi_system *s, int32_t *x, int32_t *old_x)
{
    uint32_t change = 0;
    memcpy(old_x, x, s->n * sizeof *x);
    for (size_t i = 0; i < s->n; i++) {
        x[i] = multiply_row(s, i, old_x);
        change += change_of(x[i], old_x[i]);
    }
    return change;
}

/* From x = 0 on, as a plain loop; how many iterations, and the last change. */
static unsigned iterate_until_solved(const jacobi_system *s, int32_t *x, int32_t *scratch, uint32_t *change)
{
    unsigned iterations = 0;
    memset(x, 0, s->n * sizeof *x);
    do
        *change = iterate(s, x, scratch);
    while (++iterations < MOST && *change > TOLERANCE);
    return iterations;
}

/* How far a fixed-point x at which the iteration stops may be from the solution, in the largest entry. With rho the
 * largest row sum of |R|, rounded: the change of one more iteration and the rounding of one, over 1 - rho, and what
 * rounding R and c does to the solution. */
static double error_bound(const jacobi_system *s, const double *solution, double last_change)
{
    double rho = 0, largest_x = 0, r_error = 0, c_error = 0;
    for (size_t i = 0; i < s->n; i++) {
        double row = 0, row_error = 0;
        for (size_t j = 0; j < s->n; j++) {
            row += fabs(ldexp(s->r_fixed[i * s->n + j], -R_POINT));
            row_error += fabs(ldexp(s->r_fixed[i * s->n + j], -R_POINT) - s->r[i * s->n + j]);
        }
        rho = fmax(rho, row);
        r_error = fmax(r_error, row_error);
        c_error = fmax(c_error, fabs(ldexp(s->c_fixed[i], -X_POINT) - s->c[i]));
        largest_x = fmax(largest_x, fabs(solution[i]));
    }
    return (rho * last_change + ldexp(1, -X_POINT) + r_error * largest_x + c_error) / (1 - rho);
}

/* The same in doubles, until nothing changes that a double shows; how many iterations. */
static unsigned solve_doubles(const jacobi_system *s, double *x)
{
    double *old_x = allocate(s->n, sizeof *old_x), change = 1;
    unsigned iterations = 0;
    for (; change > 1e-13 && iterations < MOST; iterations++) {
        change = 0;
        memcpy(old_x, x, s->n * sizeof *x);
        for (size_t i = 0; i < s->n; i++) {
            x[i] = s->c[i];
            for (size_t j = 0; j < s->n; j++)
                x[i] -= s->r[i * s->n + j] * old_x[j];
            change = fmax(change, fabs(x[i] - old_x[i]));
        }
    }
    free(old_x);
    return iterations;
}

/* A fabric of two programs, and its model. */
typedef struct fabric {
    gfab_topology *topology;
    gfab_machine *machine;
    gfab_cmodel *model;
} fabric;

enum { ALL_GATHER, ALL_REDUCE, PROGRAMS };

static void check(gfab_status status, const gfab_diag *diag)
{
    if (status != GFAB_OK)
        fail(gfab_status_string(status), diag->message);
}

static void create_fabric(fabric *f, const char *name, uint32_t rows)
{
    gfab_diag diag = {0, ""};
    gfab_plan plan;
    gfab_schedule *schedules[PROGRAMS];
    const gfab_model model = gfab_model_default();
    check(gfab_topology_parse(name, &f->topology, &diag), &diag);
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(f->topology);
    gfab_machine_options options = gfab_machine_options_default(); /* tokens of 32 bits, links of 2 */
    options.blocks = nodes * rows;
    options.combines = GFAB_OPERATOR_SUM;
    check(gfab_machine_plan(f->topology, &model, &options, &plan, &diag), &diag);
    const gfab_goal goals[PROGRAMS] = {{.collective = GFAB_ALL_GATHER, .blocks = nodes * rows},
                                       {.collective = GFAB_ALL_REDUCE, .blocks = 1}};
    for (int program = 0; program < PROGRAMS; program++) {
        gfab_solver_options search = gfab_solver_options_default();
        search.goal = &goals[program];
        check(gfab_solver_find("auto")->solve(f->topology, &plan.model, &search, &schedules[program], &diag), &diag);
    }
    check(gfab_machine_compile_all(&plan, (const gfab_schedule *const *)schedules, PROGRAMS, &f->machine, &diag),
          &diag);
    check(gfab_cmodel_create(f->machine, NULL, &f->model), &diag);
    for (int program = 0; program < PROGRAMS; program++)
        gfab_schedule_destroy(schedules[program]);
}

/* A number as a token. */
static void put(uint8_t token[4], int32_t value)
{
    for (int i = 0; i < 4; i++)
        token[i] = (uint8_t)((uint32_t)value >> 8 * i);
}

static int32_t get(const uint8_t token[4])
{
    return (int32_t)(token[0] | (uint32_t)token[1] << 8 | (uint32_t)token[2] << 16 | (uint32_t)token[3] << 24);
}

static void load(fabric *f, size_t node, uint32_t block, int32_t value)
{
    const gfab_diag diag = {0, "cannot load"};
    uint8_t token[4];
    put(token, value);
    check(gfab_cmodel_load_block(f->model, node, block, token), &diag);
}

static int32_t read_block(const fabric *f, size_t node, uint32_t block)
{
    uint8_t token[4];
    gfab_cmodel_read_token(f->model, node, block, token);
    return get(token);
}

static void run(fabric *f, int program)
{
    const gfab_diag diag = {0, "the collective does not end"};
    uint64_t cycles;
    gfab_cmodel_set_program(f->model, (size_t)program);
    check(gfab_cmodel_run(f->model, UINT32_MAX, NULL, &cycles), &diag);
    if (cycles != gfab_machine_program_at(f->machine, (size_t)program)->cycles)
        fail("fabric", "a collective took other than its cycles");
}

/* One iteration on the fabric; each node knows its own rows and what is in its own store, and nothing else. */
static uint32_t iterate_on_fabric(fabric *f, const jacobi_system *s, size_t rows, int32_t *x, int32_t *gathered)
{
    const size_t nodes = s->n / rows;
    for (size_t i = 0; i < s->n; i++)
        load(f, i / rows, (uint32_t)i, x[i]);
    run(f, ALL_GATHER);
    for (size_t node = 0; node < nodes; node++) {
        uint32_t change = 0;
        for (size_t j = 0; j < s->n; j++)
            gathered[j] = read_block(f, node, (uint32_t)j);
        for (size_t i = node * rows; i < (node + 1) * rows; i++) {
            x[i] = multiply_row(s, i, gathered);
            change += change_of(x[i], gathered[i]);
        }
        load(f, node, 0, (int32_t)change);
    }
    run(f, ALL_REDUCE);
    for (size_t node = 1; node < nodes; node++)
        if (read_block(f, node, 0) != read_block(f, 0, 0))
            fail("all-reduce", "two nodes have different sums");
    return (uint32_t)read_block(f, 0, 0);
}

/* The cycles that jacobi.v takes to solve: of multiplying, and of moving data. */
static void count_cycles(const fabric *f, size_t rows, unsigned iterations, uint64_t cycles[2])
{
    const uint64_t words = gfab_machine_timing(f->machine)->words;
    const uint64_t unknowns = gfab_topology_node_count(f->topology) * rows;
    /* The one beside each collective's is that in which its end is seen. */
    const uint64_t gather = rows * words + gfab_machine_program_at(f->machine, ALL_GATHER)->cycles + 1;
    const uint64_t reduce = words + gfab_machine_program_at(f->machine, ALL_REDUCE)->cycles + 1 + words + 2;
    cycles[0] = iterations * rows * (words * unknowns + 3);
    cycles[1] = iterations * (gather + reduce) + gather;
}

static FILE *open_file(const char *folder, const char *name)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
        fail(folder, "path too long");
    FILE *file = fopen(path, "w");
    if (!file)
        fail(path, strerror(errno));
    return file;
}

/* What the processing elements are made with, and what the bench expects. */
static void write_data(const char *folder, const jacobi_system *s, size_t rows, const int32_t *x, unsigned iterations,
                       uint32_t change, const uint64_t cycles[2])
{
    char name[32];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        fail(folder, strerror(errno));
    for (size_t node = 0; node < s->n / rows; node++) {
        snprintf(name, sizeof name, "r_%02zu.hex", node);
        FILE *r = open_file(folder, name);
        snprintf(name, sizeof name, "c_%02zu.hex", node);
        FILE *c = open_file(folder, name);
        for (size_t i = node * rows; i < (node + 1) * rows; i++) {
            fprintf(c, "%08x\n", (unsigned)s->c_fixed[i]);
            for (size_t j = 0; j < s->n; j++)
                fprintf(r, "%04x%c", (unsigned)(uint16_t)s->r_fixed[i * s->n + j], j + 1 < s->n ? ' ' : '\n');
        }
        if (fclose(r) != 0 || fclose(c) != 0)
            fail(folder, strerror(errno));
    }
    FILE *solution = open_file(folder, "x.hex");
    for (size_t i = 0; i < s->n; i++)
        fprintf(solution, "%08x\n", (unsigned)x[i]);
    FILE *parameters = open_file(folder, "jacobi_parameters.vh");
    fprintf(parameters,
            "`define JACOBI_ROWS %zu\n`define JACOBI_TOLERANCE 32'd%u\n`define JACOBI_MOST 16'd%d\n"
            "`define JACOBI_ITERATIONS %u\n"
            "`define JACOBI_CHANGE %u\n`define JACOBI_MULTIPLY %llu\n`define JACOBI_MOVE %llu\n",
            rows, TOLERANCE, MOST, iterations, (unsigned)change, (unsigned long long)cycles[0],
            (unsigned long long)cycles[1]);
    if (fclose(solution) != 0 || fclose(parameters) != 0)
        fail(folder, strerror(errno));
}

/* One solution on a board: c goes into the nodes that have its rows, and every node has x in the end. */
static void solve_on_board(gfab_host *host, const jacobi_system *s, size_t rows, const int32_t *x, uint64_t cycles)
{
    gfab_diag diag = {0, ""};
    const size_t bytes = gfab_host_slot_bytes(host);
    uint8_t *slots = allocate(s->n, bytes);
    uint64_t taken;
    for (size_t i = 0; i < s->n; i++) {
        put(slots, s->c_fixed[i]);
        check(gfab_host_load(host, (uint32_t)(i / rows), (uint32_t)i, slots, &diag), &diag);
    }
    check(gfab_host_run(host, 0, 0, RUN_LIMIT_MS, &taken, &diag), &diag);
    if (taken != cycles + 1) /* up to the edge that samples o_done */
        fail("board", "the solution took other than its cycles");
    for (size_t node = 0; node < s->n / rows; node++) {
        check(gfab_host_read(host, (uint32_t)node, 0, (uint32_t)s->n, slots, &diag), &diag);
        for (size_t i = 0; i < s->n; i++)
            if (get(slots + i * bytes) != x[i])
                fail("board", "its x differs from that in C");
    }
    free(slots);
}

/* Turns c round for each solution but the first. */
static void solve_all_on_board(const char *port, const fabric *f, const jacobi_system *s, size_t rows)
{
    enum { SOLUTIONS = 3 };
    gfab_host_options options = gfab_host_options_default();
    options.port = port;
    gfab_diag diag = {0, ""};
    gfab_host *host;
    int32_t *x = allocate(s->n, sizeof *x), *scratch = allocate(s->n, sizeof *scratch);
    check(gfab_host_open(&options, &host, &diag), &diag);
    const gfab_host_shape *shape = gfab_host_shape_of(host);
    if (shape->nodes != s->n / rows || shape->token_bits != 32 || shape->loads != s->n || shape->reads != s->n)
        fail(port, "has another solver, or none");
    for (int solution = 0; solution < SOLUTIONS; solution++) {
        uint64_t cycles[2];
        uint32_t change;
        const unsigned iterations = iterate_until_solved(s, x, scratch, &change);
        count_cycles(f, rows, iterations, cycles);
        solve_on_board(host, s, rows, x, cycles[0] + cycles[1]);
        printf("on the board, c %d: %u iterations, %llu cycles, x in every node as in C\n", solution, iterations,
               (unsigned long long)(cycles[0] + cycles[1]));
        const int32_t first = s->c_fixed[0];
        memmove(s->c_fixed, s->c_fixed + 1, (s->n - 1) * sizeof *s->c_fixed);
        s->c_fixed[s->n - 1] = first;
    }
    gfab_host_close(host);
    free(x);
    free(scratch);
}

/* N times the rows, for the generator. */
static void print_unknowns(const char *name, size_t rows)
{
    gfab_diag diag = {0, ""};
    gfab_topology *topology;
    check(gfab_topology_parse(name, &topology, &diag), &diag);
    printf("%zu\n", gfab_topology_node_count(topology) * rows);
    gfab_topology_destroy(topology);
}

int main(int argc, char **argv)
{
    const unsigned long rows = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    const char *port = argc == 5 && strcmp(argv[3], "--port") == 0 ? argv[4] : NULL;
    if (argc < 3 || (argc > 4 && !port) || rows < 1 || rows > 64)
        fail("usage", "jacobi TOPOLOGY ROWS [FOLDER], or --port PORT, with 1 to 64 rows a node");
    fabric f = {0};
    if (argc > 3 && strcmp(argv[3], "--unknowns") == 0) {
        print_unknowns(argv[1], rows);
        return 0;
    }
    create_fabric(&f, argv[1], (uint32_t)rows);
    const jacobi_system s = create_system(gfab_topology_node_count(f.topology) * rows);
    int32_t *x = allocate(s.n, sizeof *x), *y = allocate(s.n, sizeof *y), *scratch = allocate(s.n, sizeof *scratch);
    double *solution = allocate(s.n, sizeof *solution);
    const unsigned in_doubles = solve_doubles(&s, solution);

    unsigned iterations = 0;
    uint32_t change;
    do {
        change = iterate(&s, x, scratch);
        if (iterate_on_fabric(&f, &s, rows, y, scratch) != change || memcmp(x, y, s.n * sizeof *x) != 0)
            fail("fabric", "differs from the plain loop");
    } while (++iterations < MOST && change > TOLERANCE);

    double error = 0;
    for (size_t i = 0; i < s.n; i++)
        error = fmax(error, fabs(ldexp(x[i], -X_POINT) - solution[i]));
    const double bound = error_bound(&s, solution, ldexp(change, -X_POINT));
    uint64_t cycles[2];
    count_cycles(&f, rows, iterations, cycles);
    printf("%s, %zu unknowns: %u iterations (doubles, to 1e-13: %u), error %.1e (bound %.1e); "
           "%llu cycles of multiplying, %llu of moving data\n",
           argv[1], s.n, iterations, in_doubles, error, bound, (unsigned long long)cycles[0],
           (unsigned long long)cycles[1]);
    if (change > TOLERANCE || error > bound)
        fail("result", change > TOLERANCE ? "no solution" : "further from the solution than the bound");
    if (port)
        solve_all_on_board(port, &f, &s, rows);
    else if (argc > 3)
        write_data(argv[3], &s, rows, x, iterations, change, cycles);
    return 0;
}
