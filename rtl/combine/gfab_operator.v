// SPDX-License-Identifier: MIT
//
// What is combined in one lane: two tokens that come flit by flit, one that the node has and one that arrives, and the
// result in the same cycle. i_open comes in the cycle before a token's first flits; i_combine, then: whether the token
// that arrives is combined, or is the result itself.
//
// Sum (modulo 2^n) wants the least significant flit first, and keeps a carry from one flit to the next. i_clear, in the
// cycle before a token's first flits and in that of its last ones, drops it, so that the padding stays 0: minimum and
// maximum begin with that. Minimum and
// maximum want the most significant one first: up to the first flits that differ nothing is picked, and from then on it
// is known which token is the result. They compare without sign; the top bit of tokens with a sign is turned over
// before (gfab_lane_store).
//
// With all operators the result is always a sum of the new token and a part of the old one, some of whose bits are then
// turned over, so that a bit takes three LUTs of four inputs and a carry chain:
//
//   operator                   added to the new one    turned over
//   sum                        old                     none
//   or                         old & ~new              none
//   xor                        none                    old
//   and                        none                    new & ~old
//   min, max, the old one      none                    old ^ new
//   the new one, or no other   none                    none
`default_nettype none
`include "gfab_op.vh"

module gfab_operator #(
    parameter LINK_BITS = 2, // 1 or more
    parameter OPERATOR  = `GFAB_OPERATOR_SUM // GFAB_OPERATOR_ALL: as i_operator says
) (
    input  wire                 i_clk,
    input  wire                 i_open,
    input  wire                 i_clear,
    input  wire [2:0]           i_operator,
    input  wire                 i_combine,
    input  wire [LINK_BITS-1:0] i_old,
    input  wire [LINK_BITS-1:0] i_new,
    output wire [LINK_BITS-1:0] o_flit
);
    localparam ALL  = (OPERATOR == `GFAB_OPERATOR_ALL);
    localparam [3:0] FIXED = OPERATOR - `GFAB_OPERATOR_FIRST;

    wire [2:0] operator = ALL ? i_operator : FIXED[2:0];

    wire [LINK_BITS-1:0] added; // to i_new
    wire [LINK_BITS-1:0] sum;
    generate
        if (ALL || OPERATOR == `GFAB_OPERATOR_SUM) begin : gen_sum
            reg                carry_q;
            wire [LINK_BITS:0] total = {1'b0, added} + {1'b0, i_new} + {{LINK_BITS{1'b0}}, carry_q};
            always @(posedge i_clk)
                carry_q <= ~i_clear & total[LINK_BITS];
            assign sum = total[LINK_BITS-1:0];
        end else begin : gen_no_carry
            assign sum = i_new;
        end

        if (OPERATOR < `GFAB_OPERATOR_MIN) begin : gen_one
            reg combine_q;
            always @(posedge i_clk)
                if (i_open)
                    combine_q <= i_combine;
            assign added  = i_old;
            wire [LINK_BITS-1:0] result = (operator == 3'd0) ? sum : (operator == 3'd1) ? i_old & i_new
                                        : (operator == 3'd2) ? i_old | i_new : i_old ^ i_new;
            assign o_flit = combine_q ? result : i_new;
        end else begin : gen_pick
            reg  add_q;     // sum, or
            reg  bitwise_q; // and, xor
            reg  open_q;    // min, max: nothing is picked yet
            reg  new_q;     // the new token is, if one is; xor, not and
            wire pick = open_q ? (i_new > i_old) ^ ~operator[0] : new_q;
            always @(posedge i_clk) begin
                if (i_open) begin
                    add_q     <= ALL & i_combine & ~operator[2] & ~operator[0];
                    bitwise_q <= ALL & i_combine & ~operator[2] & operator[0];
                end
                open_q <= i_open ? i_combine & operator[2] : open_q & (i_new == i_old);
                new_q  <= i_open ? ~i_combine | operator[1] | ~operator[0] : pick;
            end
            assign added = {LINK_BITS{add_q}} & i_old & ~({LINK_BITS{operator[1]}} & i_new);
            wire [LINK_BITS-1:0] turned = bitwise_q ? (pick ? i_old : i_new & ~i_old)
                                                    : (pick ? {LINK_BITS{1'b0}} : i_old ^ i_new);
            assign o_flit = sum ^ turned;
        end
    endgenerate
endmodule

`default_nettype wire
