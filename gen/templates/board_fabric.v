@# SPDX-License-Identifier: MIT
@# What the two board tops join the fabric to alike: what they do not look at, and what they play.
@FILL FAULT@
        .@NAME@(),
@END@
@FILL ERROR@
        .@NAME@(@WIRE@),
@END@
@FILL REPORT@
        .@NAME@(),
@END@
@FILL CHOICE@
        .@NAME@(@WIRE@),
@END@
        .i_clk(clk), .i_rst(fabric_rst), .i_start(start), .o_busy(led[5]), .o_done(done),
@FILL UNSEEN@
        .@NAME@(),
@END@
@FILL SECOND@
        .@NAME@(),
@END@
