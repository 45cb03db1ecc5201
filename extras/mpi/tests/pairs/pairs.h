/* SPDX-License-Identifier: MIT */
/* Does a call depend on the call before it? Collectives, each in many forms and lengths, are made in an order in which
 * every one of them follows every one, itself too: (forms x lengths)^2 ordered pairs in as many calls. All that a call
 * may write is compared with arithmetic, and what it must leave alone. What carries them out is given by the program:
 * MPI, libgossipfab_mpi's plans, a plan in C.
 *
 * The order is the cyclic word in which each pair of k letters stands once, as Fredricksen and Maiorana, *Necklaces of
 * beads in k colors and k-ary de Bruijn sequences*, 1978, make it: letter i, then i and each later letter in turns. */
#ifndef GFAB_PAIRS_H
#define GFAB_PAIRS_H

#define PAIRS_MOST_RANKS 16

typedef enum pairs_kind {
    PAIRS_ALL_GATHER,
    PAIRS_ALL_GATHER_V,
    PAIRS_REDUCE_SCATTER, /* of blocks of one length */
    PAIRS_REDUCE_SCATTER_V,
    PAIRS_ALL_REDUCE,
    PAIRS_REDUCE,
    PAIRS_BROADCAST,
    PAIRS_ALL_TO_ALL,
    PAIRS_BARRIER,
    PAIRS_RENEWAL /* no call: what the caller has is given back and made again, its handles perhaps the same ones */
} pairs_kind;

typedef enum pairs_type {
    PAIRS_LONGS,
    PAIRS_BYTES,    /* the longs' bytes */
    PAIRS_GAPS,     /* a long in two or three, which a renewal changes */
    PAIRS_BACKWARDS /* longs from the last place to the first: an extent of -1 long */
} pairs_type;

enum {
    PAIRS_UNEVEN = 1,   /* counts from 0 up to the length */
    PAIRS_IN_PLACE = 2, /* the caller's data is in the receive buffer */
    PAIRS_LAST = 4,     /* the last rank is the root, else the first */
    PAIRS_APART = 8,    /* places from behind, with room between them */
    PAIRS_PRODUCT = 16  /* an operator that does not commute */
};

typedef struct pairs_form {
    const char *name;
    pairs_kind kind;
    pairs_type type;
    unsigned flags;
} pairs_form;

typedef struct pairs_call {
    const pairs_form *form;
    int rank, ranks, root;
    int length; /* the greatest count */
    int counts[PAIRS_MOST_RANKS], starts[PAIRS_MOST_RANKS];
    int stride;       /* longs from an element to the next in the receive buffer */
    int send_stride;  /* the same; not that of the receive buffer where a rank gives its elements without gaps */
    long *send;       /* its element 0; NULL: in place */
    long *receive;    /* its element 0 */
    unsigned renewal; /* how many there were */
} pairs_call;

typedef struct pairs_carrier {
    const char *name;
    int (*takes)(void *self, const pairs_form *form); /* NULL: all */
    /* 0: it was carried out. A renewal sets the call's rank. */
    int (*carry)(void *self, pairs_call *call);
    int mixes;  /* ranks may give elements without gaps to those that take them with gaps */
    int fills;  /* what is in gaps may be overwritten */
    int spends; /* a send buffer may be overwritten */
    int works;  /* of a reduction every rank has the receive buffer, and what is in it then means nothing */
} pairs_carrier;

typedef struct pairs_run {
    int rank, ranks;
    const int *lengths;
    int length_count;
    int exact; /* buffers end where the data ends, for AddressSanitizer; else in words that nobody may write */
    long calls, wrong;
} pairs_run;

/* The operator that does not commute: affine maps modulo 2^16, packed; first a, then b. */
long pairs_product(long a, long b);

/* Makes all calls; the first that are wrong are said on standard error. Collective; all ranks' lengths are the same. */
void pairs_play(const pairs_carrier *carrier, void *self, pairs_run *run);

#endif
