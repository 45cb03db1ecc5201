// SPDX-License-Identifier: MIT
//
// Of two words one, in a register: what the operator makes of them. With NONE it is the first. Vectors end with the
// word in which any of them does.
//
// With SPLIT, of SUM, what is above the lower part, {the vector ends, upper part}, comes and goes a cycle behind it, so
// that no carry goes through the whole word. The carry between the parts is not kept, as it would have to leave its
// chain on an iCE40, which takes as long as 12 bits of it. It is known again of the highest bits of the lower parts, a
// and b, and of the sum's, s, which is a ^ b ^ the carry into them: what goes on is the majority of a, b and ~s.
`default_nettype none
`include "gfab_op.vh"

module gfab_stream_pair #(
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_SUM,
    parameter SPLIT     = 0 // the lower part's bits, 2 .. LINK_BITS - 1; 0: none
) (
    input  wire               i_clk,
    input  wire               i_enable,
    input  wire [LINK_BITS:0] i_first, // {the vector ends, word}
    input  wire [LINK_BITS:0] i_second,
    output wire [LINK_BITS:0] o_word
);
    localparam SIGNED = (OPERATOR == `GFAB_OPERATOR_MIN) | (OPERATOR == `GFAB_OPERATOR_MAX);
    localparam LEAST  = (OPERATOR == `GFAB_OPERATOR_MIN) | (OPERATOR == `GFAB_OPERATOR_UMIN);

    wire [LINK_BITS-1:0] a = i_first[LINK_BITS-1:0];
    wire [LINK_BITS-1:0] b = i_second[LINK_BITS-1:0];
    wire [LINK_BITS-1:0] sign = {LINK_BITS{SIGNED}} & ~({LINK_BITS{1'b1}} >> 1);
    wire                 less = (a ^ sign) < (b ^ sign);
    wire                 ends = i_first[LINK_BITS] | ((OPERATOR != `GFAB_OPERATOR_NONE) & i_second[LINK_BITS]);

    localparam PARTS = OPERATOR == `GFAB_OPERATOR_SUM && SPLIT > 0;
    localparam [LINK_BITS:0] ONE  = 1;
    localparam [LINK_BITS:0] TURN = PARTS ? ONE << (SPLIT - 1) : {LINK_BITS+1{1'b0}}; // ~s is kept

    wire [LINK_BITS-1:0] made;
    reg  [LINK_BITS:0]   word_q;
    generate
        if (PARTS) begin : gen_parts
            reg                        first_q, second_q; // a and b
            wire [LINK_BITS-SPLIT+1:0] upper = {a[LINK_BITS-1:SPLIT], first_q, word_q[SPLIT-1]}
                                               + {b[LINK_BITS-1:SPLIT], second_q, 1'b1};
            assign made = {upper[LINK_BITS-SPLIT+1:2], a[SPLIT-1:0] + b[SPLIT-1:0]};
            always @(posedge i_clk)
                if (i_enable)
                    {first_q, second_q} <= {a[SPLIT-1], b[SPLIT-1]};
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
            word_q <= {ends, made} ^ TURN;
    assign o_word = word_q ^ TURN;
endmodule

`default_nettype wire
