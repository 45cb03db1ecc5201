/* SPDX-License-Identifier: MIT */
/* The ROM word: what one lane of one node does in one round. docs/reference/rom-format.md.
 * rtl/common/gfab_op.vh is generated from the tables here and is all that C and RTL share. */
#ifndef GOSSIPFAB_OP_H
#define GOSSIPFAB_OP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, value, meaning) */
#define GFAB_OP_KINDS(X)                                             \
    X(IDLE, 0, "neither drive the link nor store what is on it")     \
    X(SEND, 1, "drive the link with the token in store slot `slot`") \
    X(RECV, 2, "store the token on the link in store slot `slot`")   \
    X(HALT, 3, "the gossip is over; only in lane 0, after the last round")

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

typedef struct gfab_op {
    gfab_op_kind kind;
    uint32_t slot; /* 0 for IDLE and HALT */
} gfab_op;

uint32_t gfab_op_encode(gfab_op op);
gfab_op gfab_op_decode(uint32_t word);
/* "idle", "send", "recv", "halt". Static. */
const char *gfab_op_kind_name(gfab_op_kind kind);

#ifdef __cplusplus
}
#endif
#endif
