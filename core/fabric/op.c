/* SPDX-License-Identifier: MIT */
#include <gossipfab/fabric/op.h>

#include <stddef.h>

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
    const gfab_op op = {(gfab_op_kind)(word >> KIND_LSB & ((1u << KIND_WIDTH) - 1)), word >> SLOT_LSB};
    return op;
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
    case GFAB_OP_HALT:
        return "halt";
    }
    return "unknown";
}
