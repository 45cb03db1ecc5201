// SPDX-License-Identifier: MIT
#include <gossipfab/fabric/op.h>
#include <gtest/gtest.h>

TEST(Op, WordsAreThoseOfTheRomFormat)
{
    EXPECT_EQ(gfab_op_encode({GFAB_OP_IDLE, 0}, false), 0u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_SEND, 0}, false), 1u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_SEND, 5}, false), 21u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_RECV, 5}, false), 22u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_HALT, 0}, false), 3u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_IDLE, 0}, true), 0u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_SEND, 5}, true), 21u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_RECV, 5}, true), 22u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_COMBINE, 5}, true), 23u);
    EXPECT_EQ(gfab_op_encode({GFAB_OP_HALT, 0}, true), 4u);
}

TEST(Op, DecodeUndoesEncode)
{
    const gfab_op_kind kinds[] = {GFAB_OP_IDLE, GFAB_OP_SEND, GFAB_OP_RECV, GFAB_OP_HALT};
    for (const gfab_op_kind kind : kinds)
        for (const uint32_t slot : {0u, 1u, 2u, 4095u, (1u << 24) - 1}) {
            const gfab_op op = gfab_op_decode(gfab_op_encode({kind, slot}, false), false);
            EXPECT_EQ(op.kind, kind);
            EXPECT_EQ(op.slot, slot);
        }
    for (const gfab_op_kind kind : {GFAB_OP_IDLE, GFAB_OP_SEND, GFAB_OP_RECV, GFAB_OP_COMBINE, GFAB_OP_HALT})
        for (const uint32_t slot : {0u, 1u, 2u, 4095u, (1u << 24) - 1}) {
            if (kind == GFAB_OP_HALT && slot > 1) // only 0 and 1 are legal
                continue;
            if (kind == GFAB_OP_IDLE && slot % 2 == 1) // a halt; legal is 0 alone
                continue;
            const gfab_op op = gfab_op_decode(gfab_op_encode({kind, slot}, true), true);
            EXPECT_EQ(op.kind, kind);
            EXPECT_EQ(op.slot, slot);
        }
}

TEST(Op, KindsHaveNames)
{
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_IDLE), "idle");
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_SEND), "send");
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_RECV), "recv");
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_HALT), "halt");
    EXPECT_STREQ(gfab_op_kind_name(GFAB_OP_COMBINE), "combine");
}
