// SPDX-License-Identifier: MIT
//
// A half-duplex link on the chip: the gated outputs of its two ends joined by OR,
// seen by both. No latency. The ends must never drive in the same cycle: that is what a
// schedule promises, what the lanes keep, and what is asserted here.
`default_nettype none
`include "gfab_assert.vh"

module gfab_link #(
    parameter LINK_BITS = 2 // 1 or more
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire [LINK_BITS-1:0] i_end0, // 0 unless i_drive0
    input  wire                 i_drive0,
    input  wire [LINK_BITS-1:0] i_end1, // 0 unless i_drive1
    input  wire                 i_drive1,
    output wire [LINK_BITS-1:0] o_link
);
    assign o_link = i_end0 | i_end1;

    `GFAB_AFTER_RESET(after_reset)
    always @(posedge i_clk)
        if (after_reset && !i_rst) begin
            `GFAB_ASSERT(!(i_drive0 && i_drive1), "both ends of a link drive")
        end
endmodule

`default_nettype wire
