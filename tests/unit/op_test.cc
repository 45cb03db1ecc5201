// SPDX-License-Identifier: MIT
#include <gossipfab/fabric/op.h>
#include <gtest/gtest.h>

TEST(Op, WordsAreThoseOfTheRomFormat)
{
    EXPECT_EQ(gfab_op_encode({GFAB_OP_IDLE, 0}), 0u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_SEND, 0}), 1u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_SEND, 5}), 21u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_RECV, 5}), 22u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_COMBINE, 5}), 23u);
}

TEST(Op, DecodeUndoesEncode)
{
    const gfab_op_kind kinds[] = {GFAB_OP_IDLE, GFAB_OP_SEND, GFAB_OP_RECV, GFAB_OP_COMBINE};
    for (const gfab_op_kind kind : kinds)
        for (const uint32_t slot : {0u, 1u, 2u, 4095u, (1u << 24) - 1}) {
            const gfab_op op = gfab_op_decode(gfab_op_encode({kind, slot}));
            EXPECT_EQ(op.kind, kind);
            EXPECT_EQ(op.slot, slot);
        }
}

TEST(Op, KindsHaveNames)
{
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_IDLE), "idle");
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_SEND), "send");
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_RECV), "recv");
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_COMBINE), "combine");
}
