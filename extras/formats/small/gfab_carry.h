/* SPDX-License-Identifier: MIT */
/* Carries out one rank's share of a collective schedule, over three callbacks. Nothing is allocated, nothing recurses,
 * and no library is asked for anything: for microcontrollers, boards without an operating system, rings of small
 * computers. A plan is a constant table, which `gossipfab convert --to c-plan` writes. */
#ifndef GFAB_CARRY_H
#define GFAB_CARRY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gfab_carry_kind {
    GFAB_CARRY_SEND,
    GFAB_CARRY_RECEIVE,
    GFAB_CARRY_COMBINE, /* with what stands in another slot of the scratch memory */
    GFAB_CARRY_STORE    /* what stands there */
} gfab_carry_kind;

/* The memory in which a step's block is. */
typedef enum gfab_carry_area { GFAB_CARRY_INPUT, GFAB_CARRY_OUTPUT, GFAB_CARRY_SCRATCH } gfab_carry_area;

typedef struct gfab_carry_step {
    uint8_t kind, area;
    uint16_t other; /* the rank at the link's other end; of combine and store the slot that is read */
    uint16_t block; /* which one, counted in its area: how long it is, and outside scratch memory where */
    uint16_t slot;  /* where in scratch memory */
} gfab_carry_step;

typedef struct gfab_carry_plan {
    const gfab_carry_step *steps;
    const uint32_t *rounds; /* where the steps of each round begin, and the end; NULL where the plan does not repeat */
    uint32_t step_count, round_count;
    uint32_t period;                     /* rounds from a group of blocks to the next; 0: the plan does not repeat */
    uint16_t pieces;                     /* blocks that `count` elements are cut in; 0: that takes a granule */
    uint16_t share;                      /* the same, where the plan repeats of one group */
    uint16_t copied, copy_from, copy_to; /* so many blocks of the input start at this block of the output */
    uint16_t slots, stages;              /* of scratch memory: of each group under way, and of all together */
    uint16_t rank, ranks;
    uint8_t takes_input; /* blocks that are no part of the output are in the input, and there they are worked on */
    uint8_t whole;       /* ranks give different numbers of blocks: count has to be a multiple of share */
} gfab_carry_plan;

typedef struct gfab_carry_call {
    /* To or from the rank at the other end of a link. A send may wait until the other end receives; it returns when the
     * data may change. 0: done; any other number ends the call, and is what gfab_carry returns. */
    int (*send)(void *context, unsigned to, const void *data, size_t bytes);
    int (*receive)(void *context, unsigned from, void *data, size_t bytes);
    /* into[i] = into[i] + from[i], whatever + is; it has to commute. */
    void (*combine)(void *context, void *into, const void *from, size_t elements);
    void *context;
    void *input;    /* NULL: what the rank gives is in the output, in its place; not where takes_input is set */
    void *output;   /* may be the input where both are of one length */
    void *scratch;  /* gfab_carry_scratch bytes, aligned for an element; may be NULL for 0 */
    size_t count;   /* elements, as below */
    size_t size;    /* bytes of an element */
    size_t granule; /* elements of a block, for plans that repeat; 0: count is cut evenly */
} gfab_carry_call;

/* What no plan can do: a granule that lacks, or is one too many; a count that is not `whole`; no input. A barrier takes
 * a count of 1: of 0 elements nothing is sent. */
#define GFAB_CARRY_BAD (-1)

/* With N ranks that are no relays, count is
 *   all-gather           what a rank gives;         input: count, output: N count
 *   reduce-scatter       what a rank gets;          input: N count, output: count
 *   all-reduce, barrier  the vector;                input and output: count
 *   broadcast            the vector;                input: count at the root; output: count
 *   reduce               the vector;                input: count; output: count at the root
 *   all-to-all           what a rank gives to each; input and output: N count
 * Where ranks of an all-gather give different numbers of blocks, count is `share` blocks. What is in the input behind
 * a call is not said. Every rank makes the same calls in the same order. */
int gfab_carry(const gfab_carry_plan *plan, const gfab_carry_call *call);

/* Bytes of scratch memory that a call with this count, size and granule takes. */
size_t gfab_carry_scratch(const gfab_carry_plan *plan, size_t count, size_t size, size_t granule);

#ifdef __cplusplus
}
#endif
#endif
