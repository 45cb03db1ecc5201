/* SPDX-License-Identifier: MIT */
/* Do sums have the same bits however they are asked for? It knows MPI alone: by itself it counts what MPI's own sums
 * do, with libgossipfab_pmpi before it what ours do.
 *
 * A vector is added up once, in one call. Each case then takes some of its elements, as many as it likes, and adds them
 * up again: alone or in the midst of others, at another place in memory, in place or not, in one call or in two, in a
 * communicator that is another one or has the ranks in other places (who has which contribution goes with the rank), by
 * MPI_Allreduce, MPI_Reduce or MPI_Reduce_scatter. Every rank compares every bit with what the first call gave.
 *
 * Of the first call's elements some are added up by hand, in the bracketing `binary`, and all make a digest: where two
 * runs add up alike, by other topologies, other MPIs, other forced algorithms, they print the same one. */
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>

#define REST 64 /* more elements than that around them */
#define CASES_A_VECTOR 40
#define SAMPLES 100 /* of a vector, added up here by hand */

static int rank, ranks;
static uint64_t state; /* the same at all ranks */

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

typedef struct tally {
    unsigned long other[KINDS], elements, bracketed; /* with other bits; of how many; otherwise than by hand */
    uint64_t digest;
} tally;

static void first_call(const kind *k, uint64_t vector, char *memory, char *base, tally *t)
{
    for (size_t i = 0; i < LONGEST; i++)
        give(k, vector, rank, i, memory + i * k->size);
    MPI_Allreduce(memory, base, LONGEST, k->type, k->op, MPI_COMM_WORLD);
    for (size_t at = 0; at < LONGEST * k->size && rank == 0; at += 8) {
        uint64_t word = 0;
        memcpy(&word, base + at, 8);
        t->digest = mix(t->digest ^ word);
    }
    for (size_t i = 0; i < SAMPLES && rank == 0; i++) {
        char by_hand[8];
        const size_t at = mix(vector + i) % LONGEST;
        add_binary(k, vector, 0, ranks, at, by_hand);
        t->bracketed += memcmp(base + at * k->size, by_hand, k->size) != 0;
    }
}

static request choose(const kind *k, uint64_t vector)
{
    request r = {.k = k, .vector = vector};
    r.count = draw_length(&state, LONGEST);
    r.first = draw(&state, LONGEST - r.count + 1);
    r.before = draw(&state, 2) ? draw(&state, REST) : 0;
    r.after = draw(&state, 2) ? draw(&state, REST) : 0;
    r.shift = draw(&state, 8);
    r.in_place = (int)draw(&state, 2);
    r.cut = (int)draw(&state, 2);
    r.call = draw(&state, 2) ? 0 : (int)draw(&state, 3);
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

static void run_cases(unsigned long cases, const place places[3], char *base, char *memory, char *result, tally *t)
{
    kind kinds[KINDS];
    make_kinds(kinds);
    for (unsigned long i = 0; i < cases; i++) {
        const size_t which = i / CASES_A_VECTOR % KINDS;
        const uint64_t vector = i / CASES_A_VECTOR;
        if (i % CASES_A_VECTOR == 0)
            first_call(&kinds[which], vector, memory, base, t);
        const request r = choose(&kinds[which], vector);
        t->other[which] += run(&r, &places[draw(&state, 3)], base, memory, result);
        t->elements += r.count;
    }
    free_kinds(kinds);
}

int main(int argc, char **argv)
{
    const unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 10) : 300;
    unsigned long total[KINDS];
    tally t = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    char *base = malloc(LONGEST * 8), *memory = malloc((LONGEST + 2 * REST + 8) * 8);
    char *result = malloc((LONGEST + 2 * REST + 8) * 8);
    if (!base || !memory || !result)
        MPI_Abort(MPI_COMM_WORLD, 1);
    place places[3];
    list_places(places);
    run_cases(cases, places, base, memory, result, &t);
    MPI_Reduce(t.other, total, KINDS, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("bits: %d ranks, %lu cases, %lu elements: with other bits at some rank float %lu, double %lu, "
               "bfloat16 %lu; otherwise than by hand %lu of %lu; digest %016llx\n",
               ranks, cases, t.elements, total[0], total[1], total[2], t.bracketed,
               (cases + CASES_A_VECTOR - 1) / CASES_A_VECTOR * SAMPLES, (unsigned long long)t.digest);
    MPI_Comm_free(&places[1].comm);
    MPI_Comm_free(&places[2].comm);
    free(base);
    free(memory);
    free(result);
    MPI_Finalize();
    return 0;
}
