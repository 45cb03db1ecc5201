// SPDX-License-Identifier: MIT
//
// A whole fabric through which streams go a word a cycle. Nodes have neither programs nor stores: what a node does is
// the same in every cycle, and tables say it. Words wait where they are until all that they need is there.
//
// Node v is gen_node[v], link l gen_link[l], of row v and l of the tables; row 0 is the lowest. The last HOSTS nodes
// are hosts, each with one link of WORDS words: what a host gives goes into a gfab_stream_skid of its node's for each
// of them, what it takes comes out of as many here; where there are several these are queues, and so is what it gives.
// Word w, 1 or more, of host h has link LINKS + (w - 1) HOSTS + h and lane LANES - 1 + w of its node.
//
// With HALF a link between nodes is half duplex: {ready, valid, the vector ends, word} are the same wires for both
// ways, the OR of what its ends have for them, as gfab_stream_node says.
//
// 18 parameters: all that kinds of such fabrics differ in, and the tables of all nodes and links.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_stream_tree #(
    parameter NODES     = 4, // hosts included
    parameter HOSTS     = 2,
    parameter LINKS     = 3,
    parameter LANES     = 2, // K, ports of the largest node
    parameter LINK_BITS = 32, // L
    parameter WORDS     = 1, // of a host's beat
    parameter QUEUE_BITS = 1, // ADDRESS_BITS of such queues
    parameter FLOWS     = 1, // of the node that has most
    parameter OPERATOR  = `GFAB_OPERATOR_NONE,
    parameter OPERATOR_CYCLES = 0, // of an operator of a chain
    parameter HALF      = 0, // of an all-reduce, or all-gather: of a node the way in is the first flow
    parameter LIMIT     = 65536, // as in gfab_stream_limit
    parameter WAY       = 0, // likewise
    // of each node, a bit a lane: OUT and IN of each flow, the first one lowest, and which lanes have a link;
    // of a host's, which give and take, as the first flow's
    parameter [NODES*(2*FLOWS+1)*(LANES+WORDS-1)-1:0] NODE = {
        6'b00_01_01, 6'b01_00_01, 6'b10_01_11, 6'b01_10_11 // a broadcast over path:2
    },
    // of each node: TURNS of gfab_stream_turns, or lanes of chains, 0: none, and at which digit of DIGITS its order
    // begins
    parameter [NODES*32-1:0] TURNS = {NODES{32'd0}},
    parameter DIGITS = 1,
    parameter [DIGITS*4-1:0] ORDER = {DIGITS{4'd0}},
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
    input  wire [HOSTS*WORDS*LINK_BITS-1:0] i_give_data,
    input  wire [HOSTS-1:0]           i_give_last,
    output wire [HOSTS-1:0]           o_take_valid,
    input  wire [HOSTS-1:0]           i_take_ready,
    output wire [HOSTS*WORDS*LINK_BITS-1:0] o_take_data,
    output wire [HOSTS-1:0]           o_take_last,
    // what is wrong, until the reset
    output wire                       o_error, // a time limit is over: then
    output wire [HOSTS-1:0]           o_late,  // hosts that are waited for
    output wire                       o_uneven, // of one operation a vector is shorter than another
    // for test benches; bit 2 link + end: of what that end puts out
    output wire [2*(LINKS+(WORDS-1)*HOSTS)*LINK_BITS-1:0] o_trace_link,
    output wire [2*(LINKS+(WORDS-1)*HOSTS)-1:0] o_trace_drive, // it is there
    output wire [2*(LINKS+(WORDS-1)*HOSTS)-1:0] o_trace_ready  // it is taken if it is there
);
    localparam BITS      = LINK_BITS + 1; // of a word: {the vector ends, word}
    localparam RELAYS    = NODES - HOSTS;
    localparam WIRES     = LANES + WORDS - 1; // lanes, and those of hosts' further words
    localparam ROW       = (2 * FLOWS + 1) * WIRES; // of NODE
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

    // The link that has this host at an end.
    function integer link_of(input [NODE_BITS-1:0] host);
        integer m;
        begin
            link_of = 0;
            for (m = 0; m < LINKS; m = m + 1)
                if (LINK[m*2*END_ROW+END_ROW+LANE_BITS+:NODE_BITS] == host ||
                    LINK[m*2*END_ROW+LANE_BITS+:NODE_BITS] == host)
                    link_of = m;
        end
    endfunction

    // Those of flows, every second mask from the first on.
    function [FLOWS*WIRES-1:0] masks(input [ROW-1:0] row, input integer first);
        integer f;
        for (f = 0; f < FLOWS; f = f + 1)
            masks[f*WIRES+:WIRES] = row[(2*f+first)*WIRES+:WIRES];
    endfunction

    genvar v, c, l;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_node
            localparam [ROW-1:0] TABLE = NODE[v*ROW+:ROW];
            wire [WIRES-1:0]      in_valid, in_ready, out_valid, out_ready, wants, wanted;
            wire [WIRES*BITS-1:0] in_word, out_word;
            for (c = 0; c < WIRES; c = c + 1) begin : gen_lane
                if (!TABLE[c]) begin : gen_absent
                    assign in_valid[c]  = 1'b0;
                    assign out_ready[c] = 1'b1;
                    assign wanted[c]    = 1'b0;
                    assign in_word[c*BITS+:BITS] = {BITS{1'b0}};
                end
            end
            if (v < RELAYS) begin : gen_relay
                localparam [15:0] DIGIT = TURNS[v*32+:16];
                localparam COUNT = TURNS[v*32+16+:16] > 1 ? TURNS[v*32+16+:16] : 1;
                gfab_stream_node #(
                    .LANES(WIRES), .LINK_BITS(LINK_BITS), .OPERATOR(OPERATOR), .FLOWS(FLOWS),
                    .OPERATOR_CYCLES(OPERATOR_CYCLES), .HALF(HALF), .IN(masks(TABLE, 1)), .OUT(masks(TABLE, 2)),
                    .TURNS(COUNT), .LANE_BITS(4), .ORDER(ORDER[DIGIT*4+:COUNT*4]), .ENDS(COUNT == HOSTS)
                ) u_node (
                    .i_clk(i_clk), .i_rst(i_rst), .i_valid(in_valid), .o_ready(in_ready), .i_word(in_word),
                    .o_valid(out_valid), .i_ready(out_ready), .o_word(out_word), .i_wants(wanted), .o_wants(wants),
                    .o_busy(busy[v]), .o_uneven(uneven[v])
                );
            end else begin : gen_host
                localparam H = v - RELAYS;
                localparam GIVES = |TABLE[2*WIRES+:WIRES];
                localparam TAKES = |TABLE[WIRES+:WIRES];
                wire [WORDS-1:0] room, comes, lasts, holds; // by word
                wire             gives = i_give_valid[H] & (&room); // where there are several words all go at once
                wire             takes = i_take_ready[H] & (&comes);
                for (c = 0; c < WIRES; c = c + 1) begin : gen_lane
                    localparam W  = c < LANES ? 0 : c - LANES + 1;
                    localparam AT = (H * WORDS + W) * LINK_BITS;
                    wire [BITS-1:0] given = {i_give_last[H], i_give_data[AT+:LINK_BITS]};
                    if (!TABLE[c]) begin : gen_absent
                        assign out_word[c*BITS+:BITS] = {BITS{1'b0}};
                        assign out_valid[c] = 1'b0;
                        assign in_ready[c]  = 1'b0;
                    end else if (WORDS == 1) begin : gen_word
                        assign out_word[c*BITS+:BITS] = given;
                        assign out_valid[c] = i_give_valid[H];
                        assign room[W]      = out_ready[c];
                        assign holds[W]     = comes[W];
                        gfab_stream_skid #(
                            .BITS(BITS)
                        ) u_take (
                            .i_clk(i_clk), .i_rst(i_rst), .i_valid(in_valid[c]), .o_ready(in_ready[c]),
                            .i_word(in_word[c*BITS+:BITS]), .o_valid(comes[W]), .i_ready(takes),
                            .o_word({lasts[W], o_take_data[AT+:LINK_BITS]})
                        );
                    end else begin : gen_words
                        wire here, there;
                        assign holds[W] = here | there;
                        if (GIVES) begin : gen_give
                            gfab_stream_queue #(
                                .BITS(BITS), .ADDRESS_BITS(QUEUE_BITS)
                            ) u_give (
                                .i_clk(i_clk), .i_rst(i_rst), .i_valid(gives), .o_ready(room[W]), .i_word(given),
                                .o_valid(out_valid[c]), .i_ready(out_ready[c]), .o_word(out_word[c*BITS+:BITS]),
                                .o_busy(here)
                            );
                        end else begin : gen_no_give
                            assign {room[W], out_valid[c], here} = 3'b000;
                            assign out_word[c*BITS+:BITS] = {BITS{1'b0}};
                        end
                        if (TAKES) begin : gen_take
                            gfab_stream_queue #(
                                .BITS(BITS), .ADDRESS_BITS(QUEUE_BITS)
                            ) u_take (
                                .i_clk(i_clk), .i_rst(i_rst), .i_valid(in_valid[c]), .o_ready(in_ready[c]),
                                .i_word(in_word[c*BITS+:BITS]), .o_valid(comes[W]), .i_ready(takes),
                                .o_word({lasts[W], o_take_data[AT+:LINK_BITS]}), .o_busy(there)
                            );
                        end else begin : gen_no_take
                            assign {in_ready[c], comes[W], lasts[W], there} = 4'b1000;
                            assign o_take_data[AT+:LINK_BITS] = {LINK_BITS{1'b0}};
                        end
                    end
                end
                assign o_give_ready[H] = &room;
                assign o_take_valid[H] = &comes;
                assign o_take_last[H]  = lasts[0];
                assign lacks[H]        = |wanted;
                assign wants     = {WIRES{1'b0}};
                assign busy[v]   = |holds;
                reg uneven_here_q;
                always @(posedge i_clk)
                    uneven_here_q <= ~i_rst & (&comes) & (|lasts) & ~(&lasts);
                assign uneven[v] = uneven_here_q;
            end
        end

        for (l = 0; l < LINKS + (WORDS - 1) * HOSTS; l = l + 1) begin : gen_link
            // Of a further word the link of its host, with lanes of its own.
            localparam H = l < LINKS ? 0 : (l - LINKS) % HOSTS;
            localparam W = l < LINKS ? 0 : (l - LINKS) / HOSTS + 1;
            localparam M = l < LINKS ? l : link_of(H[NODE_BITS-1:0] + RELAYS[NODE_BITS-1:0]);
            localparam [2*END_ROW-1:0] ENDS  = LINK[M*2*END_ROW+:2*END_ROW];
            localparam [NODE_BITS-1:0] NODE0 = ENDS[END_ROW+LANE_BITS+:NODE_BITS];
            localparam [NODE_BITS-1:0] NODE1 = ENDS[LANE_BITS+:NODE_BITS];
            localparam LANE0 = W == 0 ? {{32-LANE_BITS{1'b0}}, ENDS[END_ROW+:LANE_BITS]} : LANES - 1 + W;
            localparam LANE1 = W == 0 ? {{32-LANE_BITS{1'b0}}, ENDS[0+:LANE_BITS]} : LANES - 1 + W;
            localparam SHARED = HALF != 0 && {{32-NODE_BITS{1'b0}}, NODE0} < RELAYS &&
                                {{32-NODE_BITS{1'b0}}, NODE1} < RELAYS;
            wire            valid0 = gen_node[NODE0].out_valid[LANE0];
            wire            valid1 = gen_node[NODE1].out_valid[LANE1];
            wire [BITS-1:0] word0  = gen_node[NODE0].out_word[LANE0*BITS+:BITS] & {BITS{!SHARED | valid0}};
            wire [BITS-1:0] word1  = gen_node[NODE1].out_word[LANE1*BITS+:BITS] & {BITS{!SHARED | valid1}};
            wire            ready0 = gen_node[NODE0].in_ready[LANE0];
            wire            ready1 = gen_node[NODE1].in_ready[LANE1];
            wire [BITS:0]   from0  = {valid0, word0}, from1 = {valid1, word1};
            assign gen_node[NODE0].out_ready[LANE0] = ready1 | (ready0 & SHARED);
            assign gen_node[NODE1].out_ready[LANE1] = ready0 | (ready1 & SHARED);
            assign {gen_node[NODE0].in_valid[LANE0], gen_node[NODE0].in_word[LANE0*BITS+:BITS]} =
                from1 | (from0 & {BITS+1{SHARED}});
            assign {gen_node[NODE1].in_valid[LANE1], gen_node[NODE1].in_word[LANE1*BITS+:BITS]} =
                from0 | (from1 & {BITS+1{SHARED}});
            assign gen_node[NODE1].wanted[LANE1]    = gen_node[NODE0].wants[LANE0];
            assign gen_node[NODE0].wanted[LANE0]    = gen_node[NODE1].wants[LANE1];
            assign o_trace_drive[2*l+:2] = {valid1, valid0};
            assign o_trace_ready[2*l+:2] = {ready0, ready1};
            assign o_trace_link[2*l*LINK_BITS+:2*LINK_BITS] =
                {word1[LINK_BITS-1:0] & {LINK_BITS{valid1}}, word0[LINK_BITS-1:0] & {LINK_BITS{valid0}}};
        end
    endgenerate

    gfab_stream_limit #(
        .HOSTS(HOSTS), .LIMIT(LIMIT), .WAY(WAY)
    ) u_limit (
        .i_clk(i_clk), .i_rst(i_rst), .i_waits(busy_q),
        .i_moves((i_give_valid & o_give_ready) | (o_take_valid & i_take_ready)), .i_untaken(o_take_valid),
        .i_lacks(lacks), .o_error(o_error), .o_late(o_late)
    );
endmodule

`default_nettype wire
