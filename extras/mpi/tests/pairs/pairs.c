/* SPDX-License-Identifier: MIT */
/* Plays calls in an order in which every kind follows every kind, and checks what each wrote and what it left alone.
 * This file knows collectives and arithmetic; it does not know MPI, so that the same calls can be carried out by MPI,
 * by libgossipfab_mpi's plans and by a plan in C. The expected result of a call is counted from its number, never from
 * what came before, since what a call leaves behind for the next is the fault that is looked for. The order is in the
 * header. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>

#define SPOILT ((long)0x5a5a5a5a5a5a5a5a)
#define GUARD 8 /* longs before and behind a buffer */
#define SAID 8  /* wrong calls of a run */

static const pairs_form forms[] = {
    {"all-gather", PAIRS_ALL_GATHER, PAIRS_LONGS, 0},
    {"all-gather in place", PAIRS_ALL_GATHER, PAIRS_LONGS, PAIRS_IN_PLACE},
    {"all-gather of bytes", PAIRS_ALL_GATHER, PAIRS_BYTES, 0},
    {"all-gather with gaps", PAIRS_ALL_GATHER, PAIRS_GAPS, 0},
    {"all-gather backwards", PAIRS_ALL_GATHER, PAIRS_BACKWARDS, 0},
    {"all-gather backwards in place", PAIRS_ALL_GATHER, PAIRS_BACKWARDS, PAIRS_IN_PLACE},
    {"all-gather-v of one length", PAIRS_ALL_GATHER_V, PAIRS_LONGS, 0},
    {"all-gather-v", PAIRS_ALL_GATHER_V, PAIRS_LONGS, PAIRS_UNEVEN},
    {"all-gather-v in place", PAIRS_ALL_GATHER_V, PAIRS_LONGS, PAIRS_UNEVEN | PAIRS_IN_PLACE},
    {"all-gather-v of bytes", PAIRS_ALL_GATHER_V, PAIRS_BYTES, PAIRS_UNEVEN},
    {"all-gather-v apart", PAIRS_ALL_GATHER_V, PAIRS_LONGS, PAIRS_UNEVEN | PAIRS_APART},
    {"all-gather-v apart, with gaps", PAIRS_ALL_GATHER_V, PAIRS_GAPS, PAIRS_UNEVEN | PAIRS_APART},
    {"all-gather-v backwards", PAIRS_ALL_GATHER_V, PAIRS_BACKWARDS, PAIRS_UNEVEN | PAIRS_APART | PAIRS_IN_PLACE},
    {"reduce-scatter", PAIRS_REDUCE_SCATTER, PAIRS_LONGS, 0},
    {"reduce-scatter in place", PAIRS_REDUCE_SCATTER, PAIRS_LONGS, PAIRS_IN_PLACE},
    {"reduce-scatter-v of one length", PAIRS_REDUCE_SCATTER_V, PAIRS_LONGS, 0},
    {"reduce-scatter-v", PAIRS_REDUCE_SCATTER_V, PAIRS_LONGS, PAIRS_UNEVEN},
    {"reduce-scatter-v in place", PAIRS_REDUCE_SCATTER_V, PAIRS_LONGS, PAIRS_UNEVEN | PAIRS_IN_PLACE},
    {"reduce-scatter-v with gaps", PAIRS_REDUCE_SCATTER_V, PAIRS_GAPS, PAIRS_UNEVEN},
    {"reduce-scatter-v, a product", PAIRS_REDUCE_SCATTER_V, PAIRS_LONGS, PAIRS_UNEVEN | PAIRS_PRODUCT},
    {"all-reduce", PAIRS_ALL_REDUCE, PAIRS_LONGS, 0},
    {"all-reduce in place", PAIRS_ALL_REDUCE, PAIRS_LONGS, PAIRS_IN_PLACE},
    {"all-reduce with gaps", PAIRS_ALL_REDUCE, PAIRS_GAPS, PAIRS_IN_PLACE},
    {"all-reduce, a product", PAIRS_ALL_REDUCE, PAIRS_LONGS, PAIRS_PRODUCT},
    {"reduce to the first", PAIRS_REDUCE, PAIRS_LONGS, PAIRS_IN_PLACE},
    {"reduce to the last", PAIRS_REDUCE, PAIRS_LONGS, PAIRS_LAST},
    {"reduce to the last, a product", PAIRS_REDUCE, PAIRS_LONGS, PAIRS_LAST | PAIRS_PRODUCT},
    {"broadcast from the first", PAIRS_BROADCAST, PAIRS_LONGS, 0},
    {"broadcast from the last", PAIRS_BROADCAST, PAIRS_BYTES, PAIRS_LAST},
    {"broadcast with gaps", PAIRS_BROADCAST, PAIRS_GAPS, PAIRS_LAST},
    {"broadcast backwards", PAIRS_BROADCAST, PAIRS_BACKWARDS, 0},
    {"all-to-all", PAIRS_ALL_TO_ALL, PAIRS_LONGS, 0},
    {"all-to-all in place", PAIRS_ALL_TO_ALL, PAIRS_LONGS, PAIRS_IN_PLACE},
    {"all-to-all with gaps", PAIRS_ALL_TO_ALL, PAIRS_GAPS, 0},
    {"all-to-all backwards", PAIRS_ALL_TO_ALL, PAIRS_BACKWARDS, 0},
    {"barrier", PAIRS_BARRIER, PAIRS_LONGS, 0},
    {"renewal", PAIRS_RENEWAL, PAIRS_LONGS, 0},
};

typedef struct letter {
    const pairs_form *form;
    int length;
} letter;

typedef struct player {
    const pairs_carrier *carrier;
    void *self;
    pairs_run *run;
    unsigned renewal;
    long number; /* of calls */
    letter before;
} player;

/* A buffer of `longs`; in `want` what has to be in it after the call, where `any` does not say that all will do. */
typedef struct buffer {
    long *memory, *want;
    char *any;
    size_t longs;
    long *zero; /* element 0 */
    int stride;
} buffer;

long pairs_product(long a, long b)
{
    const unsigned long p = (unsigned long)a, q = (unsigned long)b;
    const unsigned long factor = (p & 0xffff) * (q & 0xffff), sum = (q & 0xffff) * (p >> 16) + (q >> 16);
    return (long)((factor & 0xffff) | (sum & 0xffff) << 16);
}

/* What a rank gives as element i; of no two calls the same. */
static long given(const pairs_call *c, long number, int rank, int i)
{
    const long value = (rank + 1) * 1000003L + i * 7919L + number * 104729L;
    return c->form->flags & PAIRS_PRODUCT ? (value & 0xffffffff) | 1 : value;
}

static long total(const pairs_call *c, long number, int i)
{
    long result = given(c, number, 0, i);
    for (int r = 1; r < c->ranks; r++) {
        const long next = given(c, number, r, i);
        result = c->form->flags & PAIRS_PRODUCT ? pairs_product(result, next) : result + next;
    }
    return result;
}

static void set_counts(pairs_call *c)
{
    int at = 0;
    for (int r = 0; r < c->ranks; r++)
        c->counts[r] = !(c->form->flags & PAIRS_UNEVEN) || r == c->ranks - 1 ? c->length : r * c->length / c->ranks;
    for (int k = 0; k < c->ranks; k++) {
        const int apart = c->form->flags & PAIRS_APART, r = apart ? c->ranks - 1 - k : k;
        c->starts[r] = at + (apart != 0);
        at = c->starts[r] + c->counts[r];
    }
}

/* Elements before the rank's own, and of all. */
static int before(const pairs_call *c, int rank)
{
    int sum = 0;
    for (int r = 0; r < rank; r++)
        sum += c->counts[r];
    return sum;
}

static buffer open_buffer(const player *p, int elements, int stride)
{
    const int guard = p->run->exact ? 0 : GUARD, step = stride < 0 ? -stride : stride;
    const size_t longs = 2 * (size_t)guard + (size_t)elements * (size_t)step;
    buffer b = {malloc(longs * sizeof(long)), malloc(longs * sizeof(long)), calloc(longs + 1, 1), longs, NULL, stride};
    if ((longs && (!b.memory || !b.want)) || !b.any)
        abort();
    b.zero = b.memory + guard + (stride < 0 && elements ? elements - 1 : 0);
    for (size_t i = 0; i < longs; i++)
        b.memory[i] = b.want[i] = SPOILT;
    return b;
}

static void close_buffer(buffer *b)
{
    free(b->memory);
    free(b->want);
    free(b->any);
}

static size_t place(const buffer *b, int element)
{
    return (size_t)(b->zero - b->memory + (long)element * b->stride);
}

/* The data of the caller, which stays as it is. */
static void give(buffer *b, int element, long value)
{
    b->memory[place(b, element)] = b->want[place(b, element)] = value;
}

static void expect(buffer *b, int element, long value)
{
    b->want[place(b, element)] = value;
}

static int is_right(const player *p, const buffer *b)
{
    const int gaps = p->carrier->fills && b->stride > 1;
    const long first = (long)place(b, 0);
    for (size_t i = 0; i < b->longs; i++) {
        const long at = (long)i - first;
        const int gap = gaps && at > 0 && at < (long)b->longs - 2 * first && at % b->stride != 0;
        if (b->memory[i] != b->want[i] && !b->any[i] && !gap)
            return 0;
    }
    return 1;
}

/* ---- what goes in, and what has to come out ---- */

/* Elements of the two buffers. */
static void measure(const pairs_call *c, int *sent, int *received)
{
    const int all = before(c, c->ranks);
    *sent = *received = c->length;
    switch (c->form->kind) {
    case PAIRS_ALL_GATHER:
        *received = c->ranks * c->length;
        break;
    case PAIRS_ALL_GATHER_V:
        *sent = c->counts[c->rank];
        *received = all + (c->form->flags & PAIRS_APART ? c->ranks : 0);
        break;
    case PAIRS_REDUCE_SCATTER:
    case PAIRS_REDUCE_SCATTER_V:
        *sent = all;
        *received = c->form->flags & PAIRS_IN_PLACE ? all : c->counts[c->rank];
        break;
    case PAIRS_ALL_TO_ALL:
        *sent = *received = c->ranks * c->length;
        break;
    default:
        break;
    }
}

/* Where a rank's own data is in the receive buffer, in place. */
static int own_start(const pairs_call *c)
{
    return c->form->kind == PAIRS_ALL_GATHER     ? c->rank * c->length
           : c->form->kind == PAIRS_ALL_GATHER_V ? c->starts[c->rank]
                                                 : 0;
}

static int has_result(const pairs_call *c)
{
    return c->form->kind != PAIRS_REDUCE || c->rank == c->root;
}

static void fill(const pairs_call *c, long number, int sent, buffer *send, buffer *receive)
{
    const int in_place = !c->send && has_result(c);
    for (int i = 0; i < sent && c->form->kind != PAIRS_BROADCAST; i++)
        give(in_place ? receive : send, in_place ? own_start(c) + i : i, given(c, number, c->rank, i));
    for (int i = 0; i < sent && c->form->kind == PAIRS_BROADCAST && c->rank == c->root; i++)
        give(receive, i, given(c, number, c->rank, i));
}

static void want(const player *p, const pairs_call *c, long number, buffer *receive)
{
    const int own = before(c, c->rank);
    switch (c->form->kind) {
    case PAIRS_ALL_GATHER:
    case PAIRS_ALL_GATHER_V:
        for (int r = 0; r < c->ranks; r++)
            for (int i = 0; i < c->counts[r]; i++)
                expect(receive, (c->form->kind == PAIRS_ALL_GATHER ? r * c->length : c->starts[r]) + i,
                       given(c, number, r, i));
        break;
    case PAIRS_REDUCE_SCATTER:
    case PAIRS_REDUCE_SCATTER_V:
        for (int i = 0; i < before(c, c->ranks) && !c->send; i++)
            receive->any[place(receive, i)] = i >= c->counts[c->rank];
        for (int i = 0; i < c->counts[c->rank]; i++)
            expect(receive, i, total(c, number, own + i));
        break;
    case PAIRS_ALL_REDUCE:
    case PAIRS_REDUCE:
        for (int i = 0; i < c->length; i++) {
            receive->any[place(receive, i)] = !has_result(c) && p->carrier->works;
            if (has_result(c))
                expect(receive, i, total(c, number, i));
        }
        break;
    case PAIRS_BROADCAST:
        for (int i = 0; i < c->length; i++)
            expect(receive, i, given(c, number, c->root, i));
        break;
    case PAIRS_ALL_TO_ALL:
        for (int r = 0; r < c->ranks; r++)
            for (int i = 0; i < c->length; i++)
                expect(receive, r * c->length + i, given(c, number, r, c->rank * c->length + i));
        break;
    default:
        break;
    }
}

/* ---- calls ---- */

static int make_call(const player *p, pairs_call *c)
{
    const long number = p->number;
    int sent, received;
    set_counts(c);
    measure(c, &sent, &received);
    c->stride = c->form->type == PAIRS_BACKWARDS ? -1 : c->form->type == PAIRS_GAPS ? 2 + (int)(p->renewal % 2) : 1;
    c->send_stride = p->carrier->mixes && (c->rank + number) % 2 ? 1 : c->stride;
    if (c->form->kind != PAIRS_ALL_GATHER && c->form->kind != PAIRS_ALL_GATHER_V && c->form->kind != PAIRS_ALL_TO_ALL)
        c->send_stride = c->stride;
    buffer send = open_buffer(p, sent, c->send_stride), receive = open_buffer(p, received, c->stride);
    c->send = c->form->flags & PAIRS_IN_PLACE && has_result(c) ? NULL : send.zero;
    c->receive = receive.zero;
    fill(c, number, sent, &send, &receive);
    want(p, c, number, &receive);
    const int good =
        p->carrier->carry(p->self, c) == 0 && is_right(p, &receive) && (p->carrier->spends || is_right(p, &send));
    close_buffer(&send);
    close_buffer(&receive);
    return good;
}

static void play(player *p, const letter *l)
{
    pairs_run *run = p->run;
    pairs_call c = {.form = l->form, .rank = run->rank, .ranks = run->ranks, .length = l->length};
    c.root = l->form->flags & PAIRS_LAST ? run->ranks - 1 : 0;
    c.renewal = p->renewal;
    p->number++;
    run->calls++;
    if (l->form->kind == PAIRS_RENEWAL) {
        c.renewal = ++p->renewal;
        run->wrong += p->carrier->carry(p->self, &c) != 0;
        run->rank = c.rank;
    } else if (!make_call(p, &c) && run->wrong++ < SAID)
        fprintf(stderr, "pairs: %s: rank %d of %d: %s of %d is wrong after %s of %d\n", p->carrier->name, run->rank,
                run->ranks, l->form->name, l->length, p->before.form ? p->before.form->name : "nothing",
                p->before.length);
    p->before = *l;
}

void pairs_play(const pairs_carrier *carrier, void *self, pairs_run *run)
{
    const int most = (int)(sizeof forms / sizeof *forms) * run->length_count;
    letter *letters = malloc((size_t)most * sizeof *letters);
    player p = {.carrier = carrier, .self = self, .run = run};
    int count = 0;
    if (!letters)
        abort();
    for (const pairs_form *f = forms; f < forms + sizeof forms / sizeof *forms; f++)
        for (int i = 0; i < run->length_count && (!carrier->takes || carrier->takes(self, f)); i++)
            if (i == 0 || f->kind < PAIRS_BARRIER)
                letters[count++] = (letter){f, f->kind < PAIRS_BARRIER ? run->lengths[i] : 0};
    for (int i = 0; i < count; i++) {
        play(&p, &letters[i]);
        for (int j = i + 1; j < count; j++) {
            play(&p, &letters[i]);
            play(&p, &letters[j]);
        }
    }
    if (count)
        play(&p, &letters[0]); /* the word is a circle */
    free(letters);
}
