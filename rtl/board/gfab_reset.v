// SPDX-License-Identifier: MIT
//
// Power-on reset for parts whose flip-flops start with the value they are given, as those of the iCE40, ECP5, Gowin and
// Xilinx 7 do: o_rst is 1 until i_locked, of a PLL, has been 1 for CYCLES cycles after configuration, then 0 for good.
// iCE40 block RAM may not be read in the first 3 us after configuration.
`default_nettype none
`include "gfab_bits.vh"

module gfab_reset #(
    parameter CYCLES = 72 // 1 or more
) (
    input  wire i_clk,
    input  wire i_locked, // of any clock; 1 where there is no PLL
    output wire o_rst
);
    localparam COUNT_BITS = `GFAB_BITS(CYCLES);
    localparam LAST       = CYCLES - 1;

    reg [1:0]            locked_q; // a synchroniser
    reg [COUNT_BITS-1:0] count_q;
    reg                  rst_q;
    initial begin
        locked_q = 2'b0;
        count_q  = {COUNT_BITS{1'b0}};
        rst_q    = 1'b1;
    end

    always @(posedge i_clk) begin
        locked_q <= {locked_q[0], i_locked};
        if (rst_q) begin
            count_q <= locked_q[1] ? count_q + 1'b1 : {COUNT_BITS{1'b0}};
            rst_q   <= ~locked_q[1] | (count_q != LAST[COUNT_BITS-1:0]);
        end
    end

    assign o_rst = rst_q;
endmodule

`default_nettype wire
