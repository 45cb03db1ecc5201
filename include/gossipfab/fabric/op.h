/* SPDX-License-Identifier: MIT */
/* The words of the ROMs: what one lane of one node does in one round, and what follows a round.
 * docs/reference/rom-format.md. rtl/common/gfab_op.vh is generated from the tables here and is all that C and RTL
 * share. */
#ifndef GOSSIPFAB_OP_H
#define GOSSIPFAB_OP_H

#include <gossipfab/base/linkage.h>
#include <stdbool.h>
#include <stdint.h>

GFAB_C_BEGIN

/* X(NAME, value, meaning) */
#define GFAB_OP_KINDS(X)                                             \
    X(IDLE, 0, "neither drive the link nor store what is on it")     \
    X(SEND, 1, "drive the link with the token in store slot `slot`") \
    X(RECV, 2, "store the token on the link in store slot `slot`")   \
    X(COMBINE, 3, "where the fabric combines: what slot `slot` has with the token on the link")

/* The sequence's word, one a round for the whole fabric. X(NAME, bit, meaning) */
#define GFAB_SEQUENCE_BITS(X)                                                          \
    X(HALT, 0, "the gossip is over: this is no round, but what follows the last one")  \
    X(LOOP, 1, "with streams: a group begins with this round")                         \
    X(AGAIN, 2, "with streams: the program's last round; its first one follows again") \
    X(CHECK, 3, "with protection: what makes the number of ones odd, else 0")          \
    X(GAP, 4, "and above: cycles between this round and the next")

/* What tokens are combined with. X(NAME, value, name, meaning); a choice at start is value - GFAB_OPERATOR_FIRST. */
#define GFAB_OPERATORS(X)                                                                                      \
    X(NONE, 0, "none", "nothing is combined")                                                                  \
    X(SUM, 1, "sum", "modulo 2^W")                                                                             \
    X(AND, 2, "and", "bit by bit")                                                                             \
    X(OR, 3, "or", "bit by bit")                                                                               \
    X(XOR, 4, "xor", "bit by bit")                                                                             \
    X(MIN, 5, "min", "the less of two numbers with a sign, two's complement")                                  \
    X(MAX, 6, "max", "the greater of two numbers with a sign")                                                 \
    X(UMIN, 7, "umin", "the less of two numbers without a sign")                                               \
    X(UMAX, 8, "umax", "the greater of two numbers without a sign")                                            \
    X(ALL, 9, "all", "any of these, chosen at start")                                                          \
    X(BFLOAT16, 10, "bfloat16", "sum of bfloat16 numbers; wide nodes, streams")                                \
    X(USER, 11, "user", "a module of the user's, <name>_operator; wide nodes")                                 \
    X(GATHER, 12, "gather", "words one behind another, by the node that gave them; streams of a word a cycle") \
    X(FLOAT32, 13, "float32", "sum of float32 numbers; streams of a word a cycle")                             \
    X(SATURATED, 14, "saturated", "sum of numbers with a sign, or the nearest that there is; streams of a word a cycle")

/* X(NAME, least significant bit, width in bits, meaning); a width of 0 stands for the
 * fabric's slot bits, max(1, ceil(log2 N P)). */
#define GFAB_OP_FIELDS(X)       \
    X(KIND, 0, 2, "kind of op") \
    X(SLOT, 2, 0, "store slot of the token; docs/reference/rom-format.md")

typedef enum gfab_op_kind {
#define GFAB_X(name, value, meaning) GFAB_OP_##name = (value),
    GFAB_OP_KINDS(GFAB_X)
#undef GFAB_X
} gfab_op_kind;

enum {
#define GFAB_X(name, bit, meaning) GFAB_SEQUENCE_##name = (bit),
    GFAB_SEQUENCE_BITS(GFAB_X)
#undef GFAB_X
};

typedef enum gfab_operator {
#define GFAB_X(name, value, text, meaning) GFAB_OPERATOR_##name = (value),
    GFAB_OPERATORS(GFAB_X)
#undef GFAB_X
        GFAB_OPERATOR_FIRST = GFAB_OPERATOR_SUM,
    GFAB_OPERATOR_LAST = GFAB_OPERATOR_SATURATED
} gfab_operator;

typedef struct gfab_op {
    gfab_op_kind kind;
    uint32_t slot; /* 0 for IDLE */
} gfab_op;

uint32_t gfab_op_encode(gfab_op op);
gfab_op gfab_op_decode(uint32_t word);
/* "idle", "send", "recv", "combine". "unknown" for a value that has no name. Static. */
const char *gfab_op_kind_name(gfab_op_kind kind);

/* "none", "sum", ... "unknown" for a value that has no name. Static. */
const char *gfab_operator_name(gfab_operator op);
/* Does a contribution that counts twice leave the result as it is? Not where the choice may fall on one of which that
 * is not true. */
bool gfab_operator_is_idempotent(gfab_operator op);
/* Is it MIN, MAX, UMIN or UMAX, which are known from the most significant flits on? */
bool gfab_operator_compares(gfab_operator op);
/* Is it one whose result depends on the order, so that what arrives at once passes through a chain of modules, each of
 * a fixed latency? BFLOAT16, FLOAT32, SATURATED and USER: docs/reference/wide-links.md, "An operator of your own". */
bool gfab_operator_is_chained(gfab_operator op);
/* Do nodes of streams of a word a cycle alone have it? GATHER, FLOAT32, SATURATED. */
bool gfab_operator_is_of_words(gfab_operator op);
/* Bits of its numbers, of which a flit has one or more: 16 of BFLOAT16, 32 of FLOAT32, else 1. */
uint32_t gfab_operator_number_bits(gfab_operator op);

GFAB_C_END
#endif
