// SPDX-License-Identifier: MIT
//
// A whole fabric through which streams go a word a cycle. Nodes have neither programs nor stores: what a node does is
// the same in every cycle, and tables say it. Words wait where they are until all that they need is there.
//
// Node v is gen_node[v], link l gen_link[l], of row v and l of the tables; row 0 is the lowest. The last HOSTS nodes
// are hosts, each with one link: what a host gives goes into a gfab_stream_skid of its node's, what it takes comes out
// of one here.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_stream_tree #(
    parameter NODES     = 4, // hosts included
    parameter HOSTS     = 2,
    parameter LINKS     = 3,
    parameter LANES     = 2, // K, ports of the largest node
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_NONE,
    parameter LIMIT     = 65536, // as in gfab_stream_limit
    // of each node, a bit a lane: OUT_B, IN_B, OUT_A and IN_A of gfab_stream_node, and which lanes have a link
    parameter [NODES*5*LANES-1:0] NODE = {
        {2{10'b00_00_00_00_01}}, 10'b00_00_10_01_11, 10'b00_00_01_10_11 // a broadcast over path:2
    },
    // of each link: node and lane of end 0, node and lane of end 1
    parameter [LINKS*2*(`GFAB_BITS(NODES)+`GFAB_BITS(LANES))-1:0] LINK = {
        6'b01_1_11_0, 6'b00_1_10_0, 6'b00_0_01_0
    }
) (
    input  wire                       i_clk,
    input  wire                       i_rst,
    output wire                       o_busy, // words are on their way
    // hosts, a word a beat
    input  wire [HOSTS-1:0]           i_give_valid,
    output wire [HOSTS-1:0]           o_give_ready, // 0 of one that gives nothing
    input  wire [HOSTS*LINK_BITS-1:0] i_give_data,
    input  wire [HOSTS-1:0]           i_give_last,
    output wire [HOSTS-1:0]           o_take_valid,
    input  wire [HOSTS-1:0]           i_take_ready,
    output wire [HOSTS*LINK_BITS-1:0] o_take_data,
    output wire [HOSTS-1:0]           o_take_last,
    // what is wrong, until the reset
    output wire                       o_error, // a time limit is over: then
    output wire [HOSTS-1:0]           o_late,  // hosts that are waited for
    output wire                       o_uneven, // of one operation a vector is shorter than another
    // for test benches; bit 2 link + end: of what that end puts out
    output wire [2*LINKS*LINK_BITS-1:0] o_trace_link,
    output wire [2*LINKS-1:0]         o_trace_drive, // it is there
    output wire [2*LINKS-1:0]         o_trace_ready  // it is taken if it is there
);
    localparam BITS      = LINK_BITS + 1; // of a word: {the vector ends, word}
    localparam RELAYS    = NODES - HOSTS;
    localparam ROW       = 5 * LANES; // of NODE
    localparam NODE_BITS = `GFAB_BITS(NODES);
    localparam LANE_BITS = `GFAB_BITS(LANES);
    localparam END_ROW   = NODE_BITS + LANE_BITS; // half of one of LINK

    wire [NODES-1:0] busy;
    wire [NODES-1:0] uneven;
    wire [HOSTS-1:0] lacks; // of the host a word is waited for
    reg              busy_q;
    reg              uneven_q;
    always @(posedge i_clk)
        if (i_rst) begin
            busy_q   <= 1'b0;
            uneven_q <= 1'b0;
        end else begin
            busy_q   <= (|busy) | (|(i_give_valid & o_give_ready));
            uneven_q <= uneven_q | (|uneven);
        end
    assign o_busy   = busy_q;
    assign o_uneven = uneven_q;

    genvar v, c, l;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_node
            localparam [ROW-1:0] TABLE = NODE[v*ROW+:ROW];
            wire [LANES-1:0]      in_valid, in_ready, out_valid, out_ready, wants, wanted;
            wire [LANES*BITS-1:0] in_word, out_word;
            for (c = 0; c < LANES; c = c + 1) begin : gen_lane
                if (!TABLE[c]) begin : gen_absent
                    assign in_valid[c]  = 1'b0;
                    assign out_ready[c] = 1'b1;
                    assign wanted[c]    = 1'b0;
                    assign in_word[c*BITS+:BITS] = {BITS{1'b0}};
                end
            end
            if (v < RELAYS) begin : gen_relay
                gfab_stream_node #(
                    .LANES(LANES), .LINK_BITS(LINK_BITS), .OPERATOR(OPERATOR), .IN_A(TABLE[LANES+:LANES]),
                    .OUT_A(TABLE[2*LANES+:LANES]), .IN_B(TABLE[3*LANES+:LANES]), .OUT_B(TABLE[4*LANES+:LANES])
                ) u_node (
                    .i_clk(i_clk), .i_rst(i_rst), .i_valid(in_valid), .o_ready(in_ready), .i_word(in_word),
                    .o_valid(out_valid), .i_ready(out_ready), .o_word(out_word), .i_wants(wanted), .o_wants(wants),
                    .o_busy(busy[v]), .o_uneven(uneven[v])
                );
            end else begin : gen_host
                localparam H = v - RELAYS;
                for (c = 0; c < LANES; c = c + 1) begin : gen_lane
                    assign out_word[c*BITS+:BITS] = {i_give_last[H], i_give_data[H*LINK_BITS+:LINK_BITS]};
                    assign out_valid[c] = TABLE[c] & i_give_valid[H];
                    if (TABLE[c]) begin : gen_link
                        gfab_stream_skid #(
                            .BITS(BITS)
                        ) u_take (
                            .i_clk(i_clk), .i_rst(i_rst), .i_valid(in_valid[c]), .o_ready(in_ready[c]),
                            .i_word(in_word[c*BITS+:BITS]), .o_valid(o_take_valid[H]), .i_ready(i_take_ready[H]),
                            .o_word({o_take_last[H], o_take_data[H*LINK_BITS+:LINK_BITS]})
                        );
                        assign o_give_ready[H] = out_ready[c];
                        assign lacks[H]        = wanted[c];
                    end else begin : gen_absent
                        assign in_ready[c] = 1'b0;
                    end
                end
                assign wants     = {LANES{1'b0}};
                assign busy[v]   = o_take_valid[H];
                assign uneven[v] = 1'b0;
            end
        end

        for (l = 0; l < LINKS; l = l + 1) begin : gen_link
            localparam [2*END_ROW-1:0] ENDS  = LINK[l*2*END_ROW+:2*END_ROW];
            localparam [NODE_BITS-1:0] NODE0 = ENDS[END_ROW+LANE_BITS+:NODE_BITS];
            localparam [LANE_BITS-1:0] LANE0 = ENDS[END_ROW+:LANE_BITS];
            localparam [NODE_BITS-1:0] NODE1 = ENDS[LANE_BITS+:NODE_BITS];
            localparam [LANE_BITS-1:0] LANE1 = ENDS[0+:LANE_BITS];
            assign gen_node[NODE1].in_valid[LANE1]  = gen_node[NODE0].out_valid[LANE0];
            assign gen_node[NODE0].in_valid[LANE0]  = gen_node[NODE1].out_valid[LANE1];
            assign gen_node[NODE1].out_ready[LANE1] = gen_node[NODE0].in_ready[LANE0];
            assign gen_node[NODE0].out_ready[LANE0] = gen_node[NODE1].in_ready[LANE1];
            assign gen_node[NODE1].wanted[LANE1]    = gen_node[NODE0].wants[LANE0];
            assign gen_node[NODE0].wanted[LANE0]    = gen_node[NODE1].wants[LANE1];
            assign gen_node[NODE1].in_word[LANE1*BITS+:BITS] = gen_node[NODE0].out_word[LANE0*BITS+:BITS];
            assign gen_node[NODE0].in_word[LANE0*BITS+:BITS] = gen_node[NODE1].out_word[LANE1*BITS+:BITS];
            assign o_trace_drive[2*l+:2] = {gen_node[NODE1].out_valid[LANE1], gen_node[NODE0].out_valid[LANE0]};
            assign o_trace_ready[2*l+:2] = {gen_node[NODE0].in_ready[LANE0], gen_node[NODE1].in_ready[LANE1]};
            assign o_trace_link[2*l*LINK_BITS+:2*LINK_BITS] =
                {gen_node[NODE1].out_word[LANE1*BITS+:LINK_BITS] & {LINK_BITS{o_trace_drive[2*l+1]}},
                 gen_node[NODE0].out_word[LANE0*BITS+:LINK_BITS] & {LINK_BITS{o_trace_drive[2*l]}}};
        end
    endgenerate

    gfab_stream_limit #(
        .HOSTS(HOSTS), .LIMIT(LIMIT)
    ) u_limit (
        .i_clk(i_clk), .i_rst(i_rst), .i_waits(busy_q),
        .i_moves((i_give_valid & o_give_ready) | (o_take_valid & i_take_ready)), .i_untaken(o_take_valid),
        .i_lacks(lacks), .o_error(o_error), .o_late(o_late)
    );
endmodule

`default_nettype wire
