// SPDX-License-Identifier: MIT
//
// A node of a fabric through which streams go a word a cycle: of at most two flows, in an all-reduce the way in and the
// way out. Of each lane words of one flow come in, and of one go out.
`default_nettype none
`include "gfab_op.vh"

module gfab_stream_node #(
    parameter LANES     = 5,
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_SUM,
    // of a flow: the lanes that come in, those that go out; 0: there is none
    parameter [LANES-1:0] IN_A  = 1,
    parameter [LANES-1:0] OUT_A = 2,
    parameter [LANES-1:0] IN_B  = 0,
    parameter [LANES-1:0] OUT_B = 0
) (
    input  wire                           i_clk,
    input  wire                           i_rst,
    input  wire [LANES-1:0]               i_valid,
    output wire [LANES-1:0]               o_ready,
    input  wire [LANES*(LINK_BITS+1)-1:0] i_word, // {the vector ends, word}
    output wire [LANES-1:0]               o_valid,
    input  wire [LANES-1:0]               i_ready,
    output wire [LANES*(LINK_BITS+1)-1:0] o_word,
    // these as gfab_stream_flow
    input  wire [LANES-1:0]               i_wants,
    output wire [LANES-1:0]               o_wants,
    output wire                           o_busy,
    output wire                           o_uneven
);
    localparam [2*LANES-1:0] IN  = {IN_B, IN_A};
    localparam [2*LANES-1:0] OUT = {OUT_B, OUT_A};

    wire [2*LANES-1:0]         ready, valid, wants;
    wire [2*(LINK_BITS+1)-1:0] words;
    wire [1:0]                 busy, uneven;
    genvar f, c;
    generate
        for (f = 0; f < 2; f = f + 1) begin : gen_flow
            if (|IN[f*LANES+:LANES] && |OUT[f*LANES+:LANES]) begin : gen_words
                gfab_stream_flow #(
                    .LANES(LANES), .LINK_BITS(LINK_BITS), .OPERATOR(OPERATOR), .IN(IN[f*LANES+:LANES]),
                    .OUT(OUT[f*LANES+:LANES])
                ) u_flow (
                    .i_clk(i_clk), .i_rst(i_rst), .i_valid(i_valid), .o_ready(ready[f*LANES+:LANES]),
                    .i_word(i_word), .o_valid(valid[f*LANES+:LANES]), .i_ready(i_ready | ~OUT[f*LANES+:LANES]),
                    .o_word(words[f*(LINK_BITS+1)+:LINK_BITS+1]), .i_wants(i_wants), .o_wants(wants[f*LANES+:LANES]),
                    .o_busy(busy[f]), .o_uneven(uneven[f])
                );
            end else begin : gen_none
                assign ready[f*LANES+:LANES] = {LANES{1'b0}};
                assign valid[f*LANES+:LANES] = {LANES{1'b0}};
                assign wants[f*LANES+:LANES] = {LANES{1'b0}};
                assign words[f*(LINK_BITS+1)+:LINK_BITS+1] = {LINK_BITS+1{1'b0}};
                assign {busy[f], uneven[f]} = 2'b00;
            end
        end
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            assign o_word[c*(LINK_BITS+1)+:LINK_BITS+1] = words[(OUT_B[c]?LINK_BITS+1:0)+:LINK_BITS+1];
        end
    endgenerate
    assign o_ready  = ready[LANES-1:0] | ready[2*LANES-1:LANES];
    assign o_valid  = valid[LANES-1:0] | valid[2*LANES-1:LANES];
    assign o_wants  = wants[LANES-1:0] | wants[2*LANES-1:LANES];
    assign o_busy   = |busy;
    assign o_uneven = |uneven;
endmodule

`default_nettype wire
