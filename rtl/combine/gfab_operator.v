// SPDX-License-Identifier: MIT
//
// What is combined in one lane: two tokens that come flit by flit, one that the node has and one that arrives, and the
// result in the same cycle. i_open comes in the cycle before a token's first flits; i_combine, then: whether the token
// that arrives is combined, or is the result itself.
//
// Sum (modulo 2^n) wants the least significant flit first, and keeps a carry from one flit to the next. Minimum and
// maximum want the most significant one first: up to the first flits that differ nothing is picked, and from then on it
// is known which token is the result. They compare without sign; the top bit of tokens with a sign is turned over
// before (gfab_lane_store).
//
// With all operators and, or pick, too, and what a bit picks is the old one's: x & y is x ? y : x.
`default_nettype none
`include "gfab_op.vh"

module gfab_operator #(
    parameter LINK_BITS = 2, // 1 or more
    parameter OPERATOR  = `GFAB_OPERATOR_SUM // GFAB_OPERATOR_ALL: as i_operator says
) (
    input  wire                 i_clk,
    input  wire                 i_open,
    input  wire [2:0]           i_operator,
    input  wire                 i_combine,
    input  wire [LINK_BITS-1:0] i_old,
    input  wire [LINK_BITS-1:0] i_new,
    output wire [LINK_BITS-1:0] o_flit
);
    localparam ALL  = (OPERATOR == `GFAB_OPERATOR_ALL);
    localparam SUMS = (ALL || OPERATOR == `GFAB_OPERATOR_SUM);
    localparam [3:0] FIXED = OPERATOR - `GFAB_OPERATOR_FIRST;

    wire [2:0] operator = ALL ? i_operator : FIXED[2:0];
    wire       bitwise  = ~operator[2] & (operator[1] ^ operator[0]); // and, or

    wire [LINK_BITS-1:0] sum; // or xor
    generate
        if (SUMS) begin : gen_sum
            reg                carry_q;
            wire [LINK_BITS:0] all = {1'b0, i_old} + {1'b0, i_new} + {{LINK_BITS{1'b0}}, carry_q};
            always @(posedge i_clk)
                carry_q <= ~i_open & all[LINK_BITS];
            assign sum = operator[0] ? i_old ^ i_new : all[LINK_BITS-1:0];
        end else begin : gen_no_carry
            assign sum = i_old ^ i_new;
        end

        if (OPERATOR < `GFAB_OPERATOR_MIN) begin : gen_result
            reg combine_q;
            always @(posedge i_clk)
                if (i_open)
                    combine_q <= i_combine;
            wire [LINK_BITS-1:0] result = !bitwise ? sum : operator[0] ? i_old & i_new : i_old | i_new;
            assign o_flit = combine_q ? result : i_new;
        end else begin : gen_pick
            reg  sum_q;     // the result is `sum`
            reg  bitwise_q; // or each bit picks
            reg  open_q;    // or nothing is picked yet
            reg  new_q;     // or the new token is
            wire pick = open_q ? (i_new > i_old) ^ ~operator[0] : new_q;
            always @(posedge i_clk) begin
                if (i_open) begin
                    sum_q     <= i_combine & ~operator[2] & ~bitwise;
                    bitwise_q <= i_combine & bitwise;
                end
                open_q <= i_open ? i_combine & operator[2] : open_q & (i_new == i_old);
                new_q  <= i_open ? ~i_combine | operator[1] : pick; // or begins with 1, and with 0
            end
            wire [LINK_BITS-1:0] picks = {LINK_BITS{pick}} ^ ({LINK_BITS{bitwise_q}} & i_old);
            assign o_flit = sum_q ? sum : (picks & i_new) | (~picks & i_old);
        end
    endgenerate
endmodule

`default_nettype wire
