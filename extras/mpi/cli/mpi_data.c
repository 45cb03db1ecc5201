/* SPDX-License-Identifier: MIT */
/* What ranks give, and what must come out. Element i of rank v in run n is a mix of these three numbers (splitmix64's
 * finalizer), so that every rank knows what every other one gave, and nothing is sent to check. Sums of floats depend
 * on the order of adding; the expected bits are those of the schedule's expressions. The expressions are themselves
 * held against sums of whole numbers, or else the check would believe the schedule that it checks. */
#include "mpi_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {"int32", "int64", "float", "double"};

struct mpi_data {
    mpi_type type;
    uint32_t rank;
    uint32_t members, member;      /* the goal's N; which of them the rank is, or GFAB_NO_RANK */
    const gfab_topology *topology; /* the schedule's */
    const gfab_schedule *schedule;
    uint32_t blocks;               /* of the schedule, or of a group that repeats */
    gfab_expression **expressions; /* [block]: of sums of float or double; else NULL */
    double *terms;
    char unsound[160]; /* a block whose expression is no sum of all; "" as it should be */
};

bool mpi_type_parse(const char *text, mpi_type *type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (strcmp(text, type_names[i]) == 0) {
            *type = (mpi_type)i;
            return true;
        }
    return false;
}

MPI_Datatype mpi_type_of(mpi_type type)
{
    return type == MPI_DATA_INT32   ? MPI_INT32_T
           : type == MPI_DATA_INT64 ? MPI_INT64_T
           : type == MPI_DATA_FLOAT ? MPI_FLOAT
                                    : MPI_DOUBLE;
}

size_t mpi_type_size(mpi_type type)
{
    return type == MPI_DATA_INT32 || type == MPI_DATA_FLOAT ? 4 : 8;
}

/* ---- numbers ---- */

typedef union number {
    int32_t int32;
    int64_t int64;
    float single;
    double real;
    unsigned char bytes[8];
} number;

/* splitmix64's finalizer. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t bits_of(uint32_t run, uint32_t node, size_t index)
{
    return mix(mix(((uint64_t)run << 32) + node) + index);
}

/* Numbers of many magnitudes: then a sum in another order has other bits. */
static double real_of(mpi_type type, uint64_t bits)
{
    const double whole = type == MPI_DATA_FLOAT ? (double)(float)(int32_t)(bits >> 32) : (double)(int64_t)bits;
    return ldexp(whole, -(int)(bits & 15));
}

static number number_of(mpi_type type, uint64_t bits)
{
    number n = {.int64 = 0};
    switch (type) {
    case MPI_DATA_INT32:
        n.int32 = (int32_t)(uint32_t)bits;
        break;
    case MPI_DATA_INT64:
        n.int64 = (int64_t)bits;
        break;
    case MPI_DATA_FLOAT:
        n.single = (float)real_of(type, bits);
        break;
    case MPI_DATA_DOUBLE:
        n.real = real_of(type, bits);
        break;
    }
    return n;
}

/* Under an idempotent operator, a maximum: the ranks take turns at having the largest number, so that every one of them
 * is missed where its contribution is. */
static number turn_number(const mpi_data *d, uint32_t run, uint32_t node, size_t index)
{
    const int64_t small = (int64_t)(bits_of(run, node, index) & 0xffffff);
    const int64_t value = small + (((uint64_t)index + run) % d->members == node ? 1 << 24 : 0);
    number n = {.int64 = 0};
    switch (d->type) {
    case MPI_DATA_INT32:
        n.int32 = (int32_t)value;
        break;
    case MPI_DATA_INT64:
        n.int64 = value;
        break;
    case MPI_DATA_FLOAT:
        n.single = (float)value;
        break;
    case MPI_DATA_DOUBLE:
        n.real = (double)value;
        break;
    }
    return n;
}

/* Element `index` of what a node gives. */
static number given(const mpi_data *d, const mpi_collective *c, uint32_t run, uint32_t node, size_t index)
{
    return c->goal.idempotent ? turn_number(d, run, node, index) : number_of(d->type, bits_of(run, node, index));
}

/* ---- expressions ---- */

static bool sums_reals(const mpi_collective *c, mpi_type type)
{
    return gfab_collective_combines(c->goal.collective) && !c->goal.idempotent &&
           (type == MPI_DATA_FLOAT || type == MPI_DATA_DOUBLE);
}

bool mpi_data_is_exact(const mpi_data *data)
{
    return !data->expressions;
}

/* An expression over random whole numbers, against their sum in any order: each contribution is in it once. */
static bool is_sum_of_all(const mpi_data *d, const gfab_expression *expression, uint64_t *terms)
{
    uint64_t sum = 0;
    uint32_t left, right;
    for (uint32_t t = 0; t < gfab_expression_term_count(expression); t++) {
        const bool made = gfab_expression_term(expression, t, &left, &right);
        terms[t] = made ? terms[left] + terms[right] : bits_of(0, t, 0);
        sum += made || gfab_topology_is_relay(d->topology, t) ? 0 : terms[t];
    }
    return terms[gfab_expression_result(expression, d->rank)] == sum;
}

static bool create_expressions(mpi_data *d, const gfab_schedule *schedule, const gfab_goal *goal)
{
    size_t most = 0;
    d->expressions = calloc(d->blocks, sizeof *d->expressions);
    for (uint32_t block = 0; block < d->blocks; block++) {
        const uint32_t first = gfab_schedule_block_in(schedule, 0, block); /* or there is none */
        if (!d->expressions || (first != UINT32_MAX && gfab_goal_wants(goal, d->members, d->member, first) &&
                                gfab_expression_create(schedule, first, &d->expressions[block], NULL) != GFAB_OK))
            return false;
        const size_t count = d->expressions[block] ? gfab_expression_term_count(d->expressions[block]) : 0;
        most = count > most ? count : most;
    }
    d->terms = malloc((most + 1) * sizeof *d->terms);
    GFAB_FREED uint64_t *whole = malloc((most + 1) * sizeof *whole);
    for (uint32_t block = 0; whole && block < d->blocks; block++)
        if (d->expressions[block] && !is_sum_of_all(d, d->expressions[block], whole))
            snprintf(d->unsound, sizeof d->unsound, "the schedule's sum of block %u has not each contribution once",
                     block);
    return d->terms && whole;
}

mpi_data *mpi_data_create(const gfab_schedule *schedule, const mpi_collective *c, mpi_type type)
{
    mpi_data *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->type = type;
    d->rank = (uint32_t)mpi_rank();
    d->members = c->members;
    d->member = c->member;
    d->topology = gfab_schedule_topology(schedule);
    d->schedule = schedule;
    d->blocks = gfab_schedule_group(schedule);
    if (sums_reals(c, type) && !create_expressions(d, schedule, &c->goal)) {
        mpi_data_destroy(d);
        return NULL;
    }
    return d;
}

void mpi_data_destroy(mpi_data *data)
{
    if (!data)
        return;
    for (uint32_t block = 0; data->expressions && block < data->blocks; block++)
        gfab_expression_destroy(data->expressions[block]);
    GFAB_FREE(data->expressions, data->terms, data);
}

/* ---- what must come ---- */

/* The block that an element of the vector is in. Its blocks, of all or of one rank, have a granule's elements each, or
 * are parts of it, even but for one element. */
static uint32_t block_of(const mpi_collective *c, uint32_t nodes, size_t element)
{
    const bool scattered = c->goal.collective == GFAB_REDUCE_SCATTER;
    const uint64_t pieces = scattered ? c->goal.blocks / nodes : c->goal.blocks, count = (uint64_t)c->count;
    const uint64_t within = scattered ? element % count : element;
    /* The last piece that starts at the element or before it. */
    const uint64_t piece = c->granule ? within / c->granule : ((within + 1) * pieces - 1) / count;
    return (uint32_t)((scattered ? element / count * pieces : 0) + piece);
}

static number total(const mpi_data *d, const mpi_collective *c, uint32_t run, size_t element)
{
    number all = {.int64 = 0};
    uint64_t sum = 0;
    if (d->expressions) {
        const uint32_t block = gfab_schedule_kept_block(d->schedule, block_of(c, d->members, element));
        const gfab_expression *e = d->expressions[block];
        uint32_t left, right;
        for (uint32_t t = 0; t < gfab_expression_term_count(e); t++) {
            const double value = gfab_expression_term(e, t, &left, &right)
                                     ? d->terms[left] + d->terms[right]
                                     : real_of(d->type, bits_of(run, gfab_topology_rank(d->topology, t), element));
            /* A sum of two floats in double, rounded, is their sum in float. */
            d->terms[t] = d->type == MPI_DATA_FLOAT ? (double)(float)value : value;
        }
        all.real = d->terms[gfab_expression_result(e, d->rank)];
        if (d->type == MPI_DATA_FLOAT)
            all = (number){.single = (float)all.real};
        return all;
    }
    if (c->goal.idempotent)
        return given(d, c, run, (uint32_t)(((uint64_t)element + run) % d->members), element);
    for (uint32_t v = 0; v < d->members; v++)
        sum += bits_of(run, v, element);
    return number_of(d->type, sum);
}

/* Element `index` of what this rank gets; `at` and `start` walk along with it over the ranks of an all-gather. */
static number expected(const mpi_data *d, const mpi_collective *c, uint32_t run, size_t index, uint32_t *at,
                       size_t *start)
{
    const size_t count = (size_t)c->count;
    switch (c->goal.collective) {
    case GFAB_ALL_GATHER:
        while (index - *start >= (size_t)c->counts[*at])
            *start += (size_t)c->counts[(*at)++];
        return given(d, c, run, *at, index - *start);
    case GFAB_ALL_TO_ALL:
        return given(d, c, run, (uint32_t)(index / count), d->member * count + index % count);
    case GFAB_BROADCAST:
        return given(d, c, run, c->goal.root, index);
    case GFAB_REDUCE_SCATTER:
        return total(d, c, run, d->member * count + index);
    default:
        return total(d, c, run, index);
    }
}

void mpi_data_fill(const mpi_data *data, const mpi_collective *c, uint32_t run)
{
    memset(c->receive, (int)(0xa5 ^ (run & 0xff)), c->receive_count * c->size);
    char *to = c->goal.collective == GFAB_BROADCAST ? c->receive : c->send; /* MPI_Bcast has one buffer */
    for (size_t i = 0; i < c->send_count; i++) {
        const number n = given(data, c, run, data->member, i);
        memcpy(to + i * c->size, n.bytes, c->size);
    }
}

static void write_bytes(char text[24], const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

void mpi_data_check(const mpi_data *data, const mpi_collective *c, uint32_t run, const char *by,
                    char text[MPI_FAULT_TEXT])
{
    char is[24], must[24];
    uint32_t at = 0;
    size_t start = 0;
    if (text[0] == '\0' && data->unsound[0] != '\0')
        snprintf(text, MPI_FAULT_TEXT, "rank %u: %s", data->rank, data->unsound);
    for (size_t i = 0; i < c->receive_count && text[0] == '\0'; i++) {
        const number n = expected(data, c, run, i, &at, &start);
        const unsigned char *got = (const unsigned char *)c->receive + i * c->size;
        if (memcmp(got, n.bytes, c->size) == 0)
            continue;
        write_bytes(is, got, c->size);
        write_bytes(must, n.bytes, c->size);
        snprintf(text, MPI_FAULT_TEXT, "rank %u, run %u%s%s: element %zu has the bytes %s; %s are right", data->rank,
                 run, by[0] != '\0' ? ", by " : "", by, i, is, must);
    }
}
