// SPDX-License-Identifier: MIT
//
// Of two words one, in a register: what the operator makes of them. With NONE it is the first. Vectors end with the
// word in which any of them does.
`default_nettype none
`include "gfab_op.vh"

module gfab_stream_pair #(
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_SUM
) (
    input  wire               i_clk,
    input  wire               i_enable,
    input  wire [LINK_BITS:0] i_first, // {the vector ends, word}
    input  wire [LINK_BITS:0] i_second,
    output reg  [LINK_BITS:0] o_word
);
    localparam SIGNED = (OPERATOR == `GFAB_OPERATOR_MIN) | (OPERATOR == `GFAB_OPERATOR_MAX);
    localparam LEAST  = (OPERATOR == `GFAB_OPERATOR_MIN) | (OPERATOR == `GFAB_OPERATOR_UMIN);

    wire [LINK_BITS-1:0] a = i_first[LINK_BITS-1:0];
    wire [LINK_BITS-1:0] b = i_second[LINK_BITS-1:0];
    wire [LINK_BITS-1:0] sign = {LINK_BITS{SIGNED}} & ~({LINK_BITS{1'b1}} >> 1);
    wire                 less = (a ^ sign) < (b ^ sign);
    wire                 ends = i_first[LINK_BITS] | ((OPERATOR != `GFAB_OPERATOR_NONE) & i_second[LINK_BITS]);

    always @(posedge i_clk)
        if (i_enable)
            o_word <= {ends, OPERATOR == `GFAB_OPERATOR_NONE ? a
                           : OPERATOR == `GFAB_OPERATOR_SUM ? a + b
                           : OPERATOR == `GFAB_OPERATOR_AND ? a & b
                           : OPERATOR == `GFAB_OPERATOR_OR  ? a | b
                           : OPERATOR == `GFAB_OPERATOR_XOR ? a ^ b
                           : less == LEAST               ? a : b};
endmodule

`default_nettype wire
