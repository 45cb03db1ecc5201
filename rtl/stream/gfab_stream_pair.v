// SPDX-License-Identifier: MIT
//
// Of two words one, in a register: what the operator makes of them. With NONE it is the first. Vectors end with the
// word in which any of them does.
//
// With SPLIT, of SUM, what is above the lower half, {the vector ends, upper half}, comes and goes a cycle behind it, so
// that no carry goes through the whole word.
`default_nettype none
`include "gfab_op.vh"

module gfab_stream_pair #(
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_SUM,
    parameter SPLIT     = 0 // the lower half's bits, LINK_BITS at most; 0: none
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

    wire [LINK_BITS-1:0] made;
    generate
        if (OPERATOR == `GFAB_OPERATOR_SUM && SPLIT > 0 && SPLIT < LINK_BITS) begin : gen_halves
            reg  carry_q;
            wire carry;
            assign {carry, made[SPLIT-1:0]} = {1'b0, a[SPLIT-1:0]} + {1'b0, b[SPLIT-1:0]};
            assign made[LINK_BITS-1:SPLIT]  = a[LINK_BITS-1:SPLIT] + b[LINK_BITS-1:SPLIT]
                                            + {{LINK_BITS-SPLIT-1{1'b0}}, carry_q};
            always @(posedge i_clk)
                if (i_enable)
                    carry_q <= carry;
        end else begin : gen_whole
            assign made = OPERATOR == `GFAB_OPERATOR_NONE ? a
                        : OPERATOR == `GFAB_OPERATOR_SUM ? a + b
                        : OPERATOR == `GFAB_OPERATOR_AND ? a & b
                        : OPERATOR == `GFAB_OPERATOR_OR  ? a | b
                        : OPERATOR == `GFAB_OPERATOR_XOR ? a ^ b
                        : less == LEAST               ? a : b;
        end
    endgenerate
    always @(posedge i_clk)
        if (i_enable)
            o_word <= {ends, made};
endmodule

`default_nettype wire
