/* SPDX-License-Identifier: MIT */
/* A ring fabric: an all-gather, an all-reduce or a reduce-scatter along directed Hamiltonian cycles of a graph, with
 * one counter for all nodes and no programs. What it is wired as, and what it takes. docs/guide/ring-fabrics.md. */
#ifndef GOSSIPFAB_RING_H
#define GOSSIPFAB_RING_H

#include <gossipfab/fabric/features.h>
#include <gossipfab/fabric/op.h>
#include <gossipfab/schedule/goal.h>
#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

typedef struct gfab_ring_options {
    uint32_t token_bits;           /* W */
    uint32_t link_bits;            /* L, divides W; of an all-gather also K W: K tokens side by side, with chords */
    bool full_duplex;              /* links have wires each way; else each goes one way for ever */
    gfab_features others;          /* what else is asked for: refused where it does not go with a ring fabric */
    const gfab_progress *progress; /* may be NULL */
    gfab_collective collective;    /* an all-gather, an all-reduce, a reduce-scatter */
    uint32_t blocks;               /* where it combines; 0: as many as fill the rings, N R */
    gfab_operator combines;        /* likewise; up to GFAB_OPERATOR_UMAX */
    bool protect;                  /* of an all-gather: a bit that flips is noticed */
} gfab_ring_options;

/* Bits through which a sum carries in a hop, and in a cycle as a total settles. */
enum { GFAB_RING_PART_BITS = 8, GFAB_RING_PIECE_BITS = 32 };

/* Nodes are numbered along ring 0: node k of the fabric is node order[k] of the topology. A distance is that of the
 * node that a flit comes from, along the ring that it goes around. Flit i of a token goes around ring i % rings, in
 * word i / rings. */
typedef struct gfab_ring_fabric {
    const gfab_topology *topology; /* borrowed */
    uint32_t nodes;
    uint32_t rings;      /* R */
    uint32_t cycles;     /* rings that are one another backwards are one cycle */
    bool both;           /* all are: rings 2 c and 2 c + 1 are cycle c forwards and backwards */
    const char *how;     /* where the rings come from; static */
    uint32_t token_bits; /* W */
    uint32_t link_bits;  /* L */
    /* K, L / W where links are wider than tokens, else 1. One ring, the nodes in their order, and K tokens side by side
     * on each of its arcs: flow j starts with what the node j N / K before has, over a chord, and goes N / K - 1 steps
     * on. */
    uint32_t abreast;
    uint32_t flit_width;  /* bits of a flit, L / K */
    bool full_duplex;     /* links have wires each way */
    uint32_t flits;       /* of a token, W / L */
    uint32_t words;       /* of a token, of a flit for each ring: ceil(W / (R L)) */
    uint32_t padding;     /* flits of them that carry nothing: R words - W / L */
    bool shifts;          /* words go from register to register: where a token is one word */
    bool registered;      /* else a store is in the loop; with a register before it where there are 3 words and more */
    bool protect;         /* then as well, and for tokens of one word, too */
    uint32_t check_bits;  /* of a word; 0 where nothing is protected */
    uint32_t step_cycles; /* of an all-gather: words, or hop_cycles where these are more */
    uint32_t hop_cycles;  /* 1, 2, 3: never more than step_cycles */
    uint32_t read_wait;   /* cycles from a read to its flit */
    uint32_t overhead_cycles; /* c */
    /* From the edge that samples i_start to that which samples o_done = 1: steps step_cycles + c; where it combines,
     * rounds steps words + c. */
    uint64_t run_cycles;
    uint64_t load_cycles;  /* a word in each; where it combines a flit */
    uint64_t read_cycles;  /* a flit in each, all tokens */
    uint32_t place_bits;   /* of a node's number, and of a distance */
    uint32_t step_bits;    /* of a distance in a store: below N / K */
    uint32_t word_bits;    /* of a word's number, 1 at least */
    uint32_t number_bits;  /* of a flit's, {word, ring}, 1 at least */
    uint32_t address_bits; /* of a store: {distance, word}, or {distance, round, flit} */
    gfab_collective collective;
    /* Where it combines. A token is a block then, which goes whole around one ring: words are its flits. A block's
     * number is {home, round, ring}, each but home with no bits where there is one: home, the node in which it becomes
     * a total first, is a place along the ring's cycle in an all-reduce, else the node's number. */
    gfab_operator combines;
    uint32_t blocks;         /* B; 0 where it does not combine */
    uint32_t rounds;         /* blocks of each node and ring: ceil(B / (N R)) */
    uint32_t padding_blocks; /* N R rounds - B */
    uint32_t steps;          /* of a round: 2 N, N + 1 in a reduce-scatter; of an all-gather N / K - 1 */
    uint32_t pieces;         /* cycles in which a total settles before it is stored, each of a piece of it */
    uint32_t part_bits;      /* through which a sum carries in a hop; all of the flit's where nothing is beside it */
    uint32_t round_bits, ring_bits, flit_bits; /* of a part of a number or address, 0 where there is one */
    uint32_t block_bits;                       /* of a block's number */
    uint32_t *order;
    uint32_t *from;  /* [ring * nodes + node]: the node whose flits come in */
    uint32_t *place; /* [cycle * nodes + node]: its place along the cycle, of cycle 0 its number */
} gfab_ring_fabric;

/* Finds the rings and plans the fabric. On GFAB_OK *fabric is the caller's, to be released; topology must outlive it.
 * UNSUPPORTED for features that do not go with a ring fabric, and where no ring goes through all nodes; INVALID for
 * widths of 0, where L does not divide W and for operators that rings do not have; LIMIT for stores of more than 24
 * address bits; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_ring_fabric_plan(const gfab_topology *topology, const gfab_ring_options *options,
                                  gfab_ring_fabric *fabric, gfab_diag *diag);
void gfab_ring_fabric_release(gfab_ring_fabric *fabric);

GFAB_C_END
#endif
