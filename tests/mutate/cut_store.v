// SPDX-License-Identifier: MIT
//
// For proofs that two netlists do the same (techmap): a store is taken out, and what it is asked is compared instead;
// address and data of a write only where there is one. ROMs stay.

(* techmap_celltype = "$mem_v2" *)
module cut_store (
    RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA
);
    parameter MEMID = "";
    parameter SIZE = 0;
    parameter OFFSET = 0;
    parameter ABITS = 1;
    parameter WIDTH = 1;
    parameter INIT = 0;
    parameter RD_PORTS = 1;
    parameter RD_CLK_ENABLE = 0;
    parameter RD_CLK_POLARITY = 0;
    parameter RD_TRANSPARENCY_MASK = 0;
    parameter RD_COLLISION_X_MASK = 0;
    parameter RD_WIDE_CONTINUATION = 0;
    parameter RD_CE_OVER_SRST = 0;
    parameter RD_ARST_VALUE = 0;
    parameter RD_SRST_VALUE = 0;
    parameter RD_INIT_VALUE = 0;
    parameter WR_PORTS = 1;
    parameter WR_CLK_ENABLE = 0;
    parameter WR_CLK_POLARITY = 0;
    parameter WR_PRIORITY_MASK = 0;
    parameter WR_WIDE_CONTINUATION = 0;

    input  [RD_PORTS-1:0]       RD_CLK, RD_EN, RD_ARST, RD_SRST;
    input  [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input  [WR_PORTS-1:0]       WR_CLK;
    input  [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
    input  [WR_PORTS*ABITS-1:0] WR_ADDR;

    wire _TECHMAP_FAIL_ = WR_PORTS != 1 || RD_PORTS != 1 || RD_CLK_ENABLE;

    store_outside #(
        .ABITS(ABITS), .WIDTH(WIDTH)
    ) _TECHMAP_REPLACE_ (
        .i_read_address(RD_ADDR),
        .o_read_data(RD_DATA),
        .i_write_enable(WR_EN),
        .i_write_address(WR_ADDR & {ABITS{|WR_EN}}),
        .i_write_data(WR_DATA & WR_EN)
    );
endmodule
