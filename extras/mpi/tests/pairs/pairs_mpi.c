/* SPDX-License-Identifier: MIT */
/* gfab_mpi_pairs [--exact] [--plain] [--threads T] LENGTH..: pairs of calls by MPI's own names; it knows MPI alone. A
 * renewal frees the communicator, the types and the operators, and makes others: the ranks in the other order, wider
 * gaps. --threads: so many threads, each with a communicator of its own, at once. --plain: without types of
 * negative extent, in which Open MPI 4.1.4 by itself frees memory that it did not get. */
#include "pairs.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 8
#define MOST_LENGTHS 16

typedef struct caller {
    MPI_Comm parent, comm;
    MPI_Datatype gaps, backwards;
    MPI_Op product, add;
    pairs_run run;
    int plain;
    pthread_t thread;
} caller;

static void multiply(void *in, void *into, int *count, MPI_Datatype *type)
{
    const long *a = in;
    long *b = into;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = pairs_product(a[i], b[i]);
}

static void add_with_gaps(void *in, void *into, int *count, MPI_Datatype *type)
{
    const long *a = in;
    long *b = into;
    MPI_Aint low, extent;
    MPI_Type_get_extent(*type, &low, &extent);
    const long stride = (long)(extent / (MPI_Aint)sizeof(long));
    for (int i = 0; i < *count; i++)
        b[i * stride] += a[i * stride];
}

static MPI_Datatype type_with_extent(MPI_Aint longs)
{
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_LONG, 0, longs * (MPI_Aint)sizeof(long), &type);
    MPI_Type_commit(&type);
    return type;
}

static int make(caller *own, unsigned renewal)
{
    int rank;
    MPI_Comm_rank(own->parent, &rank);
    MPI_Comm_split(own->parent, 0, renewal % 2 ? -rank : rank, &own->comm);
    MPI_Comm_rank(own->comm, &rank);
    own->gaps = type_with_extent(2 + renewal % 2);
    own->backwards = type_with_extent(-1);
    MPI_Op_create(multiply, 0, &own->product);
    MPI_Op_create(add_with_gaps, 1, &own->add);
    return rank;
}

static void release(caller *own)
{
    MPI_Type_free(&own->gaps);
    MPI_Type_free(&own->backwards);
    MPI_Op_free(&own->product);
    MPI_Op_free(&own->add);
    MPI_Comm_free(&own->comm);
}

static MPI_Datatype type_of(const caller *own, const pairs_call *c, int stride)
{
    return c->form->type == PAIRS_BYTES ? MPI_BYTE : stride == 1 ? MPI_LONG : stride < 0 ? own->backwards : own->gaps;
}

static int reduce(const caller *own, const pairs_call *c, const void *send, MPI_Datatype type)
{
    const MPI_Op op = c->form->flags & PAIRS_PRODUCT ? own->product : c->stride == 1 ? MPI_SUM : own->add;
    switch (c->form->kind) {
    case PAIRS_REDUCE_SCATTER:
        return MPI_Reduce_scatter_block(send, c->receive, c->length, type, op, own->comm);
    case PAIRS_REDUCE_SCATTER_V:
        return MPI_Reduce_scatter(send, c->receive, c->counts, type, op, own->comm);
    case PAIRS_ALL_REDUCE:
        return MPI_Allreduce(send, c->receive, c->length, type, op, own->comm);
    default:
        return MPI_Reduce(send, c->receive, c->length, type, op, c->root, own->comm);
    }
}

static int takes(void *self, const pairs_form *form)
{
    const caller *own = self;
    return !own->plain || form->type != PAIRS_BACKWARDS;
}

static int carry(void *self, pairs_call *c)
{
    caller *own = self;
    const MPI_Datatype type = type_of(own, c, c->stride), send_type = type_of(own, c, c->send_stride);
    const void *send = c->send ? c->send : MPI_IN_PLACE;
    const int unit = c->form->type == PAIRS_BYTES ? (int)sizeof(long) : 1, length = c->length * unit;
    int counts[PAIRS_MOST_RANKS], starts[PAIRS_MOST_RANKS];
    for (int r = 0; r < c->ranks; r++) {
        counts[r] = c->counts[r] * unit;
        starts[r] = c->starts[r] * unit;
    }
    switch (c->form->kind) {
    case PAIRS_ALL_GATHER:
        return MPI_Allgather(send, length, send_type, c->receive, length, type, own->comm);
    case PAIRS_ALL_GATHER_V:
        return MPI_Allgatherv(send, counts[c->rank], send_type, c->receive, counts, starts, type, own->comm);
    case PAIRS_BROADCAST:
        return MPI_Bcast(c->receive, length, type, c->root, own->comm);
    case PAIRS_ALL_TO_ALL:
        return MPI_Alltoall(send, length, send_type, c->receive, length, type, own->comm);
    case PAIRS_BARRIER:
        return MPI_Barrier(own->comm);
    case PAIRS_RENEWAL:
        release(own);
        c->rank = make(own, c->renewal);
        return 0;
    default:
        return reduce(own, c, send, type);
    }
}

static void *play(void *argument)
{
    const pairs_carrier carrier = {.name = "MPI", .takes = takes, .carry = carry, .mixes = 1};
    caller *own = argument;
    own->run.rank = make(own, 0);
    MPI_Comm_size(own->comm, &own->run.ranks);
    pairs_play(&carrier, own, &own->run);
    release(own);
    return NULL;
}

int main(int argc, char **argv)
{
    caller callers[MOST_THREADS];
    int provided, rank, ranks, threads = 1, exact = 0, plain = 0, lengths[MOST_LENGTHS], count = 0;
    long wrong = 0, calls = 0, all;
    for (int i = 1; i < argc && count < MOST_LENGTHS; i++) {
        if (strcmp(argv[i], "--exact") == 0)
            exact = 1;
        else if (strcmp(argv[i], "--plain") == 0)
            plain = 1;
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            threads = atoi(argv[++i]);
        else
            lengths[count++] = atoi(argv[i]);
    }
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (ranks > PAIRS_MOST_RANKS || threads > MOST_THREADS || threads < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    threads = provided == MPI_THREAD_MULTIPLE ? threads : 1;
    for (int t = 0; t < threads; t++) {
        callers[t] = (caller){.run = {.lengths = lengths, .length_count = count, .exact = exact}, .plain = plain};
        MPI_Comm_dup(MPI_COMM_WORLD, &callers[t].parent);
    }
    for (int t = 1; t < threads; t++)
        if (pthread_create(&callers[t].thread, NULL, play, &callers[t]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    play(&callers[0]);
    for (int t = 0; t < threads; t++) {
        if (t > 0)
            pthread_join(callers[t].thread, NULL);
        wrong += callers[t].run.wrong;
        calls += callers[t].run.calls;
        MPI_Comm_free(&callers[t].parent);
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("pairs: MPI: %d ranks, %d threads: %ld pairs, %ld wrong\n", ranks, threads, calls - threads, all);
    MPI_Finalize();
    return all != 0;
}
