// SPDX-License-Identifier: MIT
//
// Power-on reset for parts whose flip-flops start with the value they are given, as
// those of the iCE40 do: o_rst is 1 for CYCLES cycles after configuration, then 0 for good. iCE40 block
// RAM may not be read in the first 3 us after configuration; 64 cycles of 12 MHz are more than that.
`default_nettype none
`include "gfab_bits.vh"

module gfab_reset #(
    parameter CYCLES = 64 // 1 or more
) (
    input  wire i_clk,
    output wire o_rst
);
    localparam COUNT_BITS = `GFAB_BITS(CYCLES);
    localparam LAST       = CYCLES - 1;

    reg [COUNT_BITS-1:0] count_q = {COUNT_BITS{1'b0}};
    reg                  rst_q   = 1'b1;

    always @(posedge i_clk)
        if (rst_q) begin
            count_q <= count_q + 1'b1;
            rst_q   <= (count_q != LAST[COUNT_BITS-1:0]);
        end

    assign o_rst = rst_q;
endmodule

`default_nettype wire
