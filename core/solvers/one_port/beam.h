/* SPDX-License-Identifier: MIT */
/* The states of a beam search, and what follows them; private to core/solvers/one_port. */
#ifndef GOSSIPFAB_SOLVERS_BEAM_H
#define GOSSIPFAB_SOLVERS_BEAM_H

#include "solvers/collective/group_moves.h"

#include <gossipfab/schedule/certificate.h>

#define GFAB_BEAM_EACH 3u   /* states that follow one */
#define GFAB_BEAM_NODES 64u /* who has a block is a word */

typedef struct gfab_beam_move {
    uint32_t block;
    gfab_arc arc;
} gfab_beam_move;

/* What nodes have after a round. */
typedef struct gfab_beam_state {
    double score;         /* the higher the better; -INFINITY: too late */
    double weight;        /* of the certificate's messages, that were sent */
    uint64_t left;        /* blocks that nodes lack, in all */
    uint64_t *has;        /* [nodes * words]: bits of blocks */
    uint64_t *holders;    /* [blocks]: bits of nodes */
    uint64_t *level;      /* [nodes * words]: bits of blocks that one node has, two nodes have .. */
    uint8_t *copies;      /* [blocks]: nodes that have it */
    uint32_t *missing;    /* [nodes] */
    gfab_beam_move *move; /* [nodes]: of the round */
    double *credit;       /* [links]: calls that it should have had by its share, less those that it had */
    uint32_t moves, from, number;
} gfab_beam_state;

/* What an arc may carry. */
typedef struct gfab_beam_arc {
    bool open;                 /* there is something */
    double counts, lead, rare; /* by the certificate; how much; how few have the rarest block: 0 to 1 */
} gfab_beam_arc;

/* An alternating path to a node: what it gains if the node is left without a mate, the weight of the link that is taken
 * last, and the node before. */
typedef struct gfab_beam_path {
    int64_t gain, weight;
    uint32_t from;
} gfab_beam_path;

typedef struct gfab_beam_kept {
    uint32_t from, count;
} gfab_beam_kept;

typedef struct gfab_beam {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_progress *progress;
    uint32_t nodes, links, blocks, words, root;
    bool owned, full;
    uint32_t most; /* rounds; one more than it has is too many */
    uint64_t random, work;
    double likes_variety, likes_even; /* what these are worth beside the rounds that are left */
    double likes_shares;              /* what a link's credit weighs at most */
    /* Of the certificate: */
    uint32_t terms;
    uint64_t *part; /* [terms * nodes]: the part that a message into the node enters; 0: one that counts none */
    double *factor; /* [terms] */
    double capacity, demand, greatest;
    double *share;     /* [links]: of all rounds */
    uint32_t *ends;    /* [2 * links] */
    uint32_t *mate;    /* [nodes] */
    uint64_t *news;    /* [words] */
    uint64_t *heavy;   /* [links] */
    uint32_t *first;   /* [nodes + 1]: the arcs that leave a node are leaving[first[v]] .. */
    gfab_arc *leaving; /* [2 * links] */
    gfab_beam_path path[GFAB_BEAM_NODES];
    uint32_t queue[GFAB_BEAM_NODES];
    int64_t paired[GFAB_BEAM_NODES]; /* the weight of a node's link with its mate */
    double *worth;                   /* [2 * links] */
    gfab_beam_arc *arcs;             /* [2 * links]: of the state that was looked at */
    gfab_beam_state *now;            /* [width], of them kept */
    gfab_beam_state *after;          /* [GFAB_BEAM_EACH * width] */
    gfab_beam_state **order;
    gfab_beam_kept *steps; /* [(most + 1) * width] */
    gfab_beam_move *past;  /* [that * nodes] */
    uint32_t kept;
    gfab_group_move *best; /* malloc */
    size_t count;
    gfab_arena arena;
} gfab_beam;

/* Takes memory for a search of blocks that start at a root, or at their owners; best is there already, or not. */
gfab_status gfab_beam_open(gfab_beam *b, uint32_t most, uint32_t width);
void gfab_beam_close(gfab_beam *b);
/* The state before round 1, as now[0]. */
void gfab_beam_begin(gfab_beam *b);
void gfab_beam_copy(const gfab_beam *b, const gfab_beam_state *from, gfab_beam_state *to);
/* Looks at a state, before steps from it. */
void gfab_beam_look(gfab_beam *b, const gfab_beam_state *s);
/* mate[] of a heavy matching by the links' weights heavy[], not always of the heaviest; GFAB_NO_MATE: none. */
void gfab_beam_match(gfab_beam *b);
/* What may come out in a round, by weights that are drawn. */
void gfab_beam_step(gfab_beam *b, const gfab_beam_state *before, uint32_t round, gfab_beam_state *after);

#endif
