// SPDX-License-Identifier: MIT
//
// Between what a node's lanes receive and gfab_flits_in, which makes words of it: where the op says so, each flit that
// arrives is combined with the flit of the node's own word that gfab_flits_out gives the lane in the same cycle. So a
// result takes the place of the flit, and nothing takes longer.
//
// Where several lanes combine into one slot in a round, each but the first takes the result of the one before it in
// place of the node's word, which does not have it yet. Lane c is d cycles behind lane c - d, so a delay line of d
// flits brings it: o_in of lane c - d, as it was. i_near is that d, 0 where the lane is the first. A skewed lane 0 is a
// period late, and so the last one, K - c behind lane c; its own word waits for K cycles more.
//
// REGISTERED: a result goes on one cycle later, so that what comes after that is no part of the way from
// a link through an operator. It costs no flip-flop where there is a delay line.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_combine #(
    parameter LANES     = 4, // K, 1 or more
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}}, // bit c: the node has a port in lane c
    parameter SKEW      = 0, // as in gfab_lane_store
    parameter LINK_BITS = 2, // 1 or more
    parameter REGISTERED = 0,
    parameter OPERATOR  = `GFAB_OPERATOR_SUM
) (
    input  wire                         i_clk,
    input  wire [LANES-1:0]             i_open, // the strobe of a lane's first word of a token
    input  wire [LANES-1:0]             i_clear, // as in gfab_operator
    input  wire [2:0]                   i_operator,
    input  wire                         i_combine, // of the lane that has its strobe
    input  wire [`GFAB_BITS(LANES)-1:0] i_near,    // likewise
    input  wire [LANES*LINK_BITS-1:0]   i_old, // what leaves the lanes' registers
    input  wire [LANES*LINK_BITS-1:0]   i_new, // what arrives
    output wire [LANES*LINK_BITS-1:0]   o_result, // of these two
    output wire [LANES*LINK_BITS-1:0]   o_in,  // what goes into the registers
    output wire [LANES*LINK_BITS-1:0]   o_own  // what of i_old goes with i_new
);
    localparam NEAR_BITS = `GFAB_BITS(LANES);

    genvar c, d;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            localparam LATE  = (SKEW != 0 && c == 0);
            // The lanes that may come before this one, and how many cycles behind it the last may be.
            localparam CHAIN = LATE ? LANES - 1 : (SKEW != 0 && c > 0) ? c - 1 : c;
            localparam LATER = LATE ? 0 : (SKEW != 0) ? LANES - c : LANES - 1 - c;
            localparam TAPS  = (REGISTERED != 0 && LATER == 0) ? 1 : LATER;

            wire [LINK_BITS-1:0] result;
            wire [(TAPS > 0 ? TAPS : 1)*LINK_BITS-1:0] taps; // flit d - 1: the result d cycles ago
            if (TAPS > 0) begin : gen_taps
                wire [(TAPS+1)*LINK_BITS-1:0] chain;
                gfab_delay #(
                    .BITS(LINK_BITS), .CYCLES(TAPS), .RESET(0)
                ) u_taps (
                    .i_clk(i_clk), .i_rst(1'b0), .i_data(result), .o_data(), .o_taps(chain)
                );
                assign taps = chain[LINK_BITS+:TAPS*LINK_BITS];
            end else begin : gen_no_taps
                assign taps = {LINK_BITS{1'b0}};
            end

            if (LANE_MASK[c]) begin : gen_present
                wire [LINK_BITS-1:0] own;
                assign o_own[c*LINK_BITS+:LINK_BITS] = own;
                gfab_delay #(
                    .BITS(LINK_BITS), .CYCLES(LATE ? LANES : 0), .RESET(0)
                ) u_own (
                    .i_clk(i_clk), .i_rst(1'b0), .i_data(i_old[c*LINK_BITS+:LINK_BITS]), .o_data(own), .o_taps()
                );

                wire [LINK_BITS-1:0] old;
                if (CHAIN > 0) begin : gen_chain
                    reg [NEAR_BITS-1:0] near_q;
                    always @(posedge i_clk)
                        if (i_open[c])
                            near_q <= i_near;
                    // By near_q: the node's own word, or the result of the lane so many before.
                    wire [(CHAIN+1)*LINK_BITS-1:0] olds;
                    assign olds[LINK_BITS-1:0] = own;
                    for (d = 1; d <= CHAIN; d = d + 1) begin : gen_before
                        localparam FROM = LATE ? LANES - d : c - d;
                        assign olds[d*LINK_BITS+:LINK_BITS] = gen_lane[FROM].taps[(d-1)*LINK_BITS+:LINK_BITS];
                    end
                    assign old = olds[near_q*LINK_BITS+:LINK_BITS];
                end else begin : gen_own
                    assign old = own;
                end

                gfab_operator #(
                    .LINK_BITS(LINK_BITS), .OPERATOR(OPERATOR)
                ) u_operator (
                    .i_clk(i_clk), .i_open(i_open[c]), .i_clear(i_clear[c]), .i_operator(i_operator),
                    .i_combine(i_combine), .i_old(old), .i_new(i_new[c*LINK_BITS+:LINK_BITS]), .o_flit(result)
                );
            end else begin : gen_absent
                assign result = {LINK_BITS{1'b0}};
                assign o_own[c*LINK_BITS+:LINK_BITS] = {LINK_BITS{1'b0}};
            end
            assign o_result[c*LINK_BITS+:LINK_BITS] = result;
            assign o_in[c*LINK_BITS+:LINK_BITS]     = REGISTERED ? taps[LINK_BITS-1:0] : result;
        end
    endgenerate
endmodule

`default_nettype wire
