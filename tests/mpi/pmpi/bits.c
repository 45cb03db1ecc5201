/* SPDX-License-Identifier: MIT */
/* Do sums have the same bits however they are asked for? It knows MPI alone: by itself it counts what MPI's own sums
 * do, with libgossipfab_pmpi before it what ours do.
 *
 * A vector is added up once, in one call. Each case then takes some of its elements, as many as it likes, and adds them
 * up again: alone or in the midst of others, at another place in memory, in place or not, in one call or in two, in a
 * communicator that is another one or has the ranks in other places (who has which contribution goes with the rank), by
 * MPI_Allreduce, MPI_Reduce or MPI_Reduce_scatter. Every rank compares every bit with what the first call gave. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 100000
#define REST 64 /* more elements than that around them */
#define CASES_A_VECTOR 40

typedef struct kind {
    const char *name;
    size_t size;
    MPI_Datatype type;
    MPI_Op op;
} kind;

static int rank, ranks;
static uint64_t state; /* the same at all ranks */

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t draw(uint64_t below)
{
    state = mix(state);
    return state % below;
}

/* ---- bfloat16 ---- */

static float widen(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* To the nearest, of two the even one. */
static uint16_t narrow(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void add_bfloat16(void *in, void *into, int *count, MPI_Datatype *type)
{
    const uint16_t *a = in;
    uint16_t *b = into;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = narrow(widen(a[i]) + widen(b[i]));
}

/* ---- data ---- */

/* What a rank gives as element i of a vector: between -1 and 1, of many sizes. */
static void give(const kind *k, uint64_t vector, int who, size_t i, void *to)
{
    const uint64_t x = mix(vector * 1000003 + (uint64_t)who * 7919 + i * 104729);
    const double value = ((double)(x >> 11) * 0x1p-53 * 2 - 1) * (double)(1 << (x & 15));
    if (k->size == 8)
        memcpy(to, &value, 8);
    const float single = (float)value;
    if (k->size == 4)
        memcpy(to, &single, 4);
    const uint16_t half = narrow(single);
    if (k->size == 2)
        memcpy(to, &half, 2);
}

/* ---- one case ---- */

typedef struct place {
    MPI_Comm comm; /* world, a duplicate, or with the ranks turned round */
    int rank;
} place;

/* count elements from `first` on of the vector, with `before` and `after` others of no meaning around them. */
typedef struct request {
    const kind *k;
    uint64_t vector;
    size_t first, count, before, after;
    size_t shift; /* of memory, in elements */
    int in_place, cut, call;
} request;

static void fill(const request *r, int who, char *to)
{
    const size_t all = r->before + r->count + r->after;
    for (size_t i = 0; i < all; i++) {
        const int own = i >= r->before && i < r->before + r->count;
        give(r->k, own ? r->vector : r->vector + 17, who, own ? r->first + i - r->before : i, to + i * r->k->size);
    }
}

static void call(const request *r, const place *at, void *send, void *receive, size_t count)
{
    const void *from = r->in_place && (r->call != 1 || at->rank == 0) ? MPI_IN_PLACE : send;
    if (r->in_place && (r->call != 1 || at->rank == 0))
        memcpy(receive, send, count * r->k->size);
    if (r->call == 0)
        MPI_Allreduce(from, receive, (int)count, r->k->type, r->k->op, at->comm);
    else
        MPI_Reduce(from, receive, (int)count, r->k->type, r->k->op, 0, at->comm);
}

/* The elements with other bits than in the base; those that this rank gets. */
static size_t run(const request *r, const place *at, const char *base, char *memory, char *result)
{
    const size_t size = r->k->size, all = r->before + r->count + r->after;
    char *send = memory + r->shift * size, *receive = result + r->shift * size;
    size_t start = 0, got = all, other = 0;
    fill(r, at->rank, send);
    if (r->call == 2) {
        int counts[1024];
        for (int v = 0; v < ranks; v++)
            counts[v] = (int)(all * (size_t)(v + 1) / (size_t)ranks - all * (size_t)v / (size_t)ranks);
        start = all * (size_t)at->rank / (size_t)ranks;
        got = (size_t)counts[at->rank];
        MPI_Reduce_scatter(send, receive, counts, r->k->type, r->k->op, at->comm);
    } else {
        const size_t first = r->cut ? all / 3 : 0;
        if (first)
            call(r, at, send, receive, first);
        call(r, at, send + first * size, receive + first * size, all - first);
        got = r->call == 1 && at->rank != 0 ? 0 : all;
    }
    for (size_t i = 0; i < r->count; i++) {
        const size_t slot = r->before + i;
        if (slot >= start && slot < start + got)
            other += memcmp(receive + (slot - start) * size, base + (r->first + i) * size, size) != 0;
    }
    return other;
}

static void first_call(const kind *k, uint64_t vector, char *memory, char *base)
{
    for (size_t i = 0; i < LONGEST; i++)
        give(k, vector, rank, i, memory + i * k->size);
    MPI_Allreduce(memory, base, LONGEST, k->type, k->op, MPI_COMM_WORLD);
}

static request choose(const kind *k, uint64_t vector)
{
    request r = {.k = k, .vector = vector};
    r.count = (size_t)exp((double)draw(1u << 20) / (1u << 20) * log(LONGEST + 0.5));
    r.count = r.count < 1 ? 1 : r.count;
    r.first = draw(LONGEST - r.count + 1);
    r.before = draw(2) ? draw(REST) : 0;
    r.after = draw(2) ? draw(REST) : 0;
    r.shift = draw(8);
    r.in_place = (int)draw(2);
    r.cut = (int)draw(2);
    r.call = draw(2) ? 0 : (int)draw(3);
    return r;
}

static void list_places(place places[3])
{
    places[0] = (place){MPI_COMM_WORLD, rank};
    MPI_Comm_dup(MPI_COMM_WORLD, &places[1].comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank * 3 + 1) % ranks * ranks + ranks - rank, &places[2].comm);
    for (int i = 1; i < 3; i++)
        MPI_Comm_rank(places[i].comm, &places[i].rank);
}

int main(int argc, char **argv)
{
    const unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 10) : 300;
    unsigned long other[3] = {0}, total[3], elements = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    kind kinds[] = {{"float", 4, MPI_FLOAT, MPI_SUM}, {"double", 8, MPI_DOUBLE, MPI_SUM}, {"bfloat16", 2, 0, 0}};
    MPI_Type_contiguous(2, MPI_BYTE, &kinds[2].type);
    MPI_Type_commit(&kinds[2].type);
    MPI_Op_create(add_bfloat16, 1, &kinds[2].op);
    char *base = malloc(LONGEST * 8), *memory = malloc((LONGEST + 2 * REST + 8) * 8);
    char *result = malloc((LONGEST + 2 * REST + 8) * 8);
    place places[3];
    list_places(places);
    for (unsigned long i = 0; base && memory && result && i < cases; i++) {
        const size_t which = i / CASES_A_VECTOR % 3;
        const uint64_t vector = i / CASES_A_VECTOR;
        if (i % CASES_A_VECTOR == 0)
            first_call(&kinds[which], vector, memory, base);
        const request r = choose(&kinds[which], vector);
        other[which] += run(&r, &places[draw(3)], base, memory, result);
        elements += r.count;
    }
    MPI_Reduce(other, total, 3, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("bits: %d ranks, %lu cases, %lu elements: with other bits at some rank float %lu, double %lu, "
               "bfloat16 %lu\n",
               ranks, cases, elements, total[0], total[1], total[2]);
    MPI_Type_free(&kinds[2].type);
    MPI_Op_free(&kinds[2].op);
    MPI_Comm_free(&places[1].comm);
    MPI_Comm_free(&places[2].comm);
    free(base);
    free(memory);
    free(result);
    MPI_Finalize();
    return 0;
}
