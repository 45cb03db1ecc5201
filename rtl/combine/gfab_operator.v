// SPDX-License-Identifier: MIT
//
// What is combined in one lane: two tokens that come flit by flit, one that the node has and one that arrives, and the
// result in the same cycle. i_open comes in the cycle before a token's first flits.
//
// Sum (modulo 2^n), and, or, xor want the least significant flit first, and keep a carry from one flit to the next.
// Minimum and maximum want the most significant one first: up to the first flits that differ the tokens are equal, and
// from then on it is known which of the two the result is. They compare without sign; the top bit of tokens with a sign
// is turned over before (gfab_lane_store).
`default_nettype none
`include "gfab_op.vh"

module gfab_operator #(
    parameter LINK_BITS = 2, // 1 or more
    parameter OPERATOR  = `GFAB_OPERATOR_SUM // GFAB_OPERATOR_ALL: as i_operator says
) (
    input  wire                 i_clk,
    input  wire                 i_open,
    input  wire [2:0]           i_operator,
    input  wire                 i_combine, // 0: the result is what arrives
    input  wire [LINK_BITS-1:0] i_old,
    input  wire [LINK_BITS-1:0] i_new,
    output wire [LINK_BITS-1:0] o_flit
);
    localparam [3:0] FIXED = OPERATOR - `GFAB_OPERATOR_FIRST;
    localparam ALL      = (OPERATOR == `GFAB_OPERATOR_ALL);
    localparam ADDS     = ALL || OPERATOR == `GFAB_OPERATOR_SUM;
    localparam COMPARES = ALL || OPERATOR >= `GFAB_OPERATOR_MIN;

    wire [2:0] operator = ALL ? i_operator : FIXED[2:0];

    wire [LINK_BITS-1:0] sum, chosen;
    generate
        if (ADDS) begin : gen_adder
            reg carry_q;
            wire [LINK_BITS:0] all = {1'b0, i_old} + {1'b0, i_new} + {{LINK_BITS{1'b0}}, carry_q};
            always @(posedge i_clk)
                carry_q <= ~i_open & all[LINK_BITS];
            assign sum = all[LINK_BITS-1:0];
        end else begin : gen_no_adder
            assign sum = {LINK_BITS{1'b0}};
        end
        if (COMPARES) begin : gen_comparison
            reg  equal_q; // so far
            reg  new_q;   // the result is the new token
            wire better = operator[0] ? i_new > i_old : i_new < i_old;
            wire is_new = equal_q ? better : new_q;
            always @(posedge i_clk) begin
                equal_q <= i_open | (equal_q & (i_new == i_old));
                new_q   <= is_new;
            end
            assign chosen = is_new ? i_new : i_old;
        end else begin : gen_no_comparison
            assign chosen = {LINK_BITS{1'b0}};
        end
    endgenerate

    wire [LINK_BITS-1:0] result = operator[2] ? chosen : operator[1:0] == 2'd0 ? sum
                                : operator[1:0] == 2'd1 ? i_old & i_new
                                : operator[1:0] == 2'd2 ? i_old | i_new : i_old ^ i_new;
    assign o_flit = i_combine ? result : i_new;
endmodule

`default_nettype wire
