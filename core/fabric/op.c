/* SPDX-License-Identifier: MIT */
/* A ROM word's fields, packed and unpacked, and what is known of each operator. Positions and widths come from the
 * table GFAB_OP_FIELDS in op.h, of which op_header.c also makes the Verilog header, so that a field moves in one
 * place. */
#include <gossipfab/fabric/op.h>

#include "base/names.h"

enum {
#define FIELD(name, lsb, width, meaning) name##_LSB = (lsb), name##_WIDTH = (width),
    GFAB_OP_FIELDS(FIELD)
#undef FIELD
};

uint32_t gfab_op_encode(gfab_op op)
{
    return (uint32_t)op.kind << KIND_LSB | op.slot << SLOT_LSB;
}

gfab_op gfab_op_decode(uint32_t word)
{
    return (gfab_op){(gfab_op_kind)(word >> KIND_LSB & ((1u << KIND_WIDTH) - 1)), word >> SLOT_LSB};
}

const char *gfab_op_kind_name(gfab_op_kind kind)
{
    switch (kind) {
    case GFAB_OP_IDLE:
        return "idle";
    case GFAB_OP_SEND:
        return "send";
    case GFAB_OP_RECV:
        return "recv";
    case GFAB_OP_COMBINE:
        return "combine";
    }
    return "unknown";
}

const char *gfab_operator_name(gfab_operator op)
{
    static const char *const names[] = {
#define NAME(name, value, text, meaning) [value] = (text),
        GFAB_OPERATORS(NAME)
#undef NAME
    };
    return GFAB_NAME_OF(names, op);
}

bool gfab_operator_is_chained(gfab_operator op)
{
    return op == GFAB_OPERATOR_BFLOAT16 || op == GFAB_OPERATOR_USER || op == GFAB_OPERATOR_FLOAT32 ||
           op == GFAB_OPERATOR_SATURATED;
}

bool gfab_operator_is_of_words(gfab_operator op)
{
    return op >= GFAB_OPERATOR_GATHER;
}

uint32_t gfab_operator_number_bits(gfab_operator op)
{
    return op == GFAB_OPERATOR_BFLOAT16 ? 16 : op == GFAB_OPERATOR_FLOAT32 ? 32 : 1;
}

bool gfab_operator_compares(gfab_operator op)
{
    return op >= GFAB_OPERATOR_MIN && op <= GFAB_OPERATOR_UMAX;
}

bool gfab_operator_is_idempotent(gfab_operator op)
{
    return op == GFAB_OPERATOR_AND || op == GFAB_OPERATOR_OR || gfab_operator_compares(op);
}
