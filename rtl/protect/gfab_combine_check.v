// SPDX-License-Identifier: MIT
//
// What a protected node that combines needs beside its two gfab_combine, which must agree: the parity of all that came
// in and of what it was combined with, flit by flit, for the node's balance; and the parity of each lane's result, of
// which the check bit in the store is made. So whatever flips in a flit on its way, before and after it is combined, is
// noticed.
//
// A lane's strobe is in the cycle before the first flit of its word, and in that of the last flit of the word before.
// A skewed lane 0 receives a period after its turn.
`default_nettype none
`include "gfab_bits.vh"

module gfab_combine_check #(
    parameter LANES     = 4, // as in gfab_lane_store
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}},
    parameter SKEW      = 0,
    parameter GAPS      = 0,
    parameter LINK_BITS = 2
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire [LANES-1:0]             i_strobe,
    input  wire [LANES-1:0]             i_close,   // with GAPS
    input  wire                         i_receive, // of the lane that has its strobe
    input  wire                         i_combine, // likewise: with what the node has
    input  wire [LANES*LINK_BITS-1:0]   i_new,     // what arrives
    input  wire [LANES*LINK_BITS-1:0]   i_own,     // what the node has
    input  wire [LANES*LINK_BITS-1:0]   i_result,
    input  wire [LANES*LINK_BITS-1:0]   i_twin,    // the other's
    input  wire [`GFAB_BITS(LANES)-1:0] i_ready_lane,
    output wire                         o_odd,        // of all flits that are taken in this cycle
    output wire                         o_result_odd, // of the word that is complete in i_ready_lane
    output wire                         o_differ      // the two do not agree
);
    wire [LANES-1:0] odds, result_odds, differs;
    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            if (LANE_MASK[c]) begin : gen_present
                wire [LINK_BITS-1:0] twin = i_twin[c*LINK_BITS+:LINK_BITS];
                wire [1:0] due;           // {combine, receive}
                wire       begins, ends; // the word, where nothing else begins
                if (SKEW != 0 && c == 0 && GAPS != 0) begin : gen_late_behind_gap
                    gfab_delay #(
                        .BITS(4), .CYCLES(LANES), .RESET(1)
                    ) u_late (
                        .i_clk(i_clk), .i_rst(i_rst), .i_data({i_close[c], i_strobe[c], i_combine, i_receive}),
                        .o_data({ends, begins, due}), .o_taps()
                    );
                end else if (SKEW != 0 && c == 0) begin : gen_late
                    assign {ends, begins} = {1'b0, i_strobe[c]};
                    reg [1:0] due_q;
                    always @(posedge i_clk)
                        if (i_rst)
                            due_q <= 2'b00;
                        else if (i_strobe[c])
                            due_q <= {i_combine, i_receive};
                    assign due = due_q;
                end else begin : gen_in_time
                    assign {ends, begins} = {i_close[c], i_strobe[c]};
                    assign due = {i_combine, i_receive};
                end

                reg [1:0] takes_q;
                reg       result_odd_q;
                always @(posedge i_clk) begin
                    if (i_rst)
                        takes_q <= 2'b00;
                    else if (begins)
                        takes_q <= due;
                    else if (ends)
                        takes_q <= 2'b00;
                    result_odd_q <= ~begins & result_odds[c];
                end
                assign result_odds[c] = result_odd_q ^ (^twin);
                assign odds[c]    = (takes_q[0] & (^i_new[c*LINK_BITS+:LINK_BITS])) ^
                                    (takes_q[1] & (^i_own[c*LINK_BITS+:LINK_BITS]));
                assign differs[c] = takes_q[0] & (i_result[c*LINK_BITS+:LINK_BITS] != twin);
            end else begin : gen_absent
                assign result_odds[c] = 1'b0;
                assign odds[c]        = 1'b0;
                assign differs[c]     = 1'b0;
            end
        end
    endgenerate

    assign o_odd        = ^odds;
    assign o_result_odd = result_odds[i_ready_lane];
    assign o_differ     = |differs;
endmodule

`default_nettype wire
