// SPDX-License-Identifier: MIT
//
// A node of a fabric through which streams go a word a cycle: of a few flows, in an all-reduce the way in and the way
// out, else one for each word of a host's beat. Of each lane words of one flow come in, and of one go out.
//
// With HALF links to other nodes are half duplex: in every second cycle, beginning with the first behind the reset,
// words go inwards, by the first flow, in the others outwards, by the second. A node with one flow, into and out of the
// same lanes, is where all meet. In a cycle in which words do not come over a lane it is not ready, and where they do
// not go none is valid, so that what is on a link's wires may be the node's own.
`default_nettype none
`include "gfab_op.vh"

module gfab_stream_node #(
    parameter LANES     = 5,
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_SUM,
    parameter FLOWS     = 2,
    // of each flow, the first one lowest: the lanes that come in, those that go out; 0: there is none
    parameter [FLOWS*LANES-1:0] IN  = 1,
    parameter [FLOWS*LANES-1:0] OUT = 2,
    parameter HALF      = 0,
    parameter OPERATOR_CYCLES = 0, // as gfab_stream_flow
    // with GATHER, of the one flow that several lanes come into: as gfab_stream_turns; of a chain as gfab_stream_flow,
    // for all flows
    parameter TURNS     = 2,
    parameter LANE_BITS = 3,
    parameter [TURNS*LANE_BITS-1:0] ORDER = 6'o10,
    parameter ENDS      = 1
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
    output wire                           o_uneven // a cycle later
);
    localparam BITS = LINK_BITS + 1;

    wire [FLOWS-1:0] busy, uneven;
    wire             inwards;
    genvar f, c;
    generate
        if (HALF) begin : gen_half
            reg inwards_q;
            always @(posedge i_clk)
                inwards_q <= i_rst | ~inwards_q;
            assign inwards = inwards_q;
        end else begin : gen_full
            assign inwards = 1'b1;
        end
        for (f = 0; f <= FLOWS; f = f + 1) begin : gen_flow
            wire [LANES-1:0]      ready, valid, wants; // of this flow and those below,
            wire [LANES*BITS-1:0] words;               // and what goes out
            if (f == 0) begin : gen_first
                assign {ready, valid, wants} = {3*LANES{1'b0}};
                assign words = {LANES*BITS{1'b0}};
            end else begin : gen_next
                localparam [LANES-1:0] COMES = IN[(f-1)*LANES+:LANES];
                localparam [LANES-1:0] GOES  = OUT[(f-1)*LANES+:LANES];
                wire [LANES-1:0] own_ready, own_valid, own_wants;
                wire [BITS-1:0]  word;
                wire             comes = HALF == 0 | (inwards == (f == 1));
                wire             goes  = HALF == 0 | (comes ^ ((COMES & GOES) != 0));
                if (!(|COMES) || !(|GOES)) begin : gen_none
                    assign {own_ready, own_valid, own_wants} = {3*LANES{1'b0}};
                    assign word = {BITS{1'b0}};
                    assign {busy[f-1], uneven[f-1]} = 2'b00;
                end else if (OPERATOR == `GFAB_OPERATOR_GATHER && (COMES & (COMES - 1'b1)) != 0) begin : gen_turns
                    gfab_stream_turns #(
                        .LANES(LANES), .LINK_BITS(LINK_BITS), .IN(COMES), .OUT(GOES), .TURNS(TURNS),
                        .LANE_BITS(LANE_BITS), .ORDER(ORDER), .ENDS(ENDS), .HALF(HALF)
                    ) u_turns (
                        .i_clk(i_clk), .i_rst(i_rst), .i_comes(comes), .i_goes(goes), .i_valid(i_valid),
                        .o_ready(own_ready), .i_word(i_word), .o_valid(own_valid), .i_ready(i_ready | ~GOES),
                        .o_word(word), .i_wants(i_wants), .o_wants(own_wants), .o_busy(busy[f-1]),
                        .o_uneven(uneven[f-1])
                    );
                end else begin : gen_words
                    gfab_stream_flow #(
                        .LANES(LANES), .LINK_BITS(LINK_BITS), .OPERATOR(OPERATOR), .HALF(HALF), .IN(COMES),
                        .OUT(GOES), .OPERATOR_CYCLES(OPERATOR_CYCLES), .DIGITS(TURNS), .LANE_BITS(LANE_BITS),
                        .ORDER(ORDER)
                    ) u_flow (
                        .i_clk(i_clk), .i_rst(i_rst), .i_comes(comes), .i_goes(goes), .i_valid(i_valid),
                        .o_ready(own_ready), .i_word(i_word), .o_valid(own_valid), .i_ready(i_ready | ~GOES),
                        .o_word(word), .i_wants(i_wants), .o_wants(own_wants), .o_busy(busy[f-1]),
                        .o_uneven(uneven[f-1])
                    );
                end
                assign ready = gen_flow[f-1].ready | own_ready;
                assign valid = gen_flow[f-1].valid | own_valid;
                assign wants = gen_flow[f-1].wants | own_wants;
                for (c = 0; c < LANES; c = c + 1) begin : gen_lane
                    assign words[c*BITS+:BITS] = GOES[c] ? word : gen_flow[f-1].words[c*BITS+:BITS];
                end
            end
        end
    endgenerate
    assign o_ready  = gen_flow[FLOWS].ready;
    assign o_valid  = gen_flow[FLOWS].valid;
    assign o_wants  = gen_flow[FLOWS].wants;
    assign o_word   = gen_flow[FLOWS].words;
    assign o_busy   = |busy;
    reg uneven_q;
    always @(posedge i_clk)
        uneven_q <= ~i_rst & (|uneven);
    assign o_uneven = uneven_q;
endmodule

`default_nettype wire
