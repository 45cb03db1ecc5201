// SPDX-License-Identifier: MIT
//
// A node's share of a stream in which words are put one behind another: each lane of IN has words of some hosts, and a
// group has one of each host, in the order of their numbers. ORDER says over which lane the next one comes. A group
// begins where a word of every lane is there, so that a host that gives none keeps all others back, too.
//
// Ports as gfab_stream_flow's. In the node where all hosts' words meet, ENDS, a vector ends with the last word of a
// group of which one ends its host's vector; elsewhere each word says so of its host. Latency: 2 cycles; with HALF,
// which is as gfab_stream_flow's, 3 where lanes of IN are of OUT, too.
`default_nettype none

module gfab_stream_turns #(
    parameter LANES     = 5,
    parameter LINK_BITS = 32, // L
    parameter [LANES-1:0] IN  = 3, // two lanes or more
    parameter [LANES-1:0] OUT = 4, // not 0
    parameter TURNS     = 2, // words of a group, 2 or more
    parameter LANE_BITS = 3,
    parameter [TURNS*LANE_BITS-1:0] ORDER = 6'o10, // lanes, the first one lowest
    parameter ENDS      = 1,
    parameter HALF      = 0
) (
    input  wire                           i_clk,
    input  wire                           i_rst,
    input  wire                           i_comes,
    input  wire                           i_goes,
    input  wire [LANES-1:0]               i_valid,
    output wire [LANES-1:0]               o_ready,
    input  wire [LANES*(LINK_BITS+1)-1:0] i_word,
    output wire [LANES-1:0]               o_valid,
    input  wire [LANES-1:0]               i_ready,
    output wire [LINK_BITS:0]             o_word,
    input  wire [LANES-1:0]               i_wants,
    output reg  [LANES-1:0]               o_wants,
    output wire                           o_busy,
    output wire                           o_uneven
);
    localparam BITS      = LINK_BITS + 1;
    localparam TURN_BITS = $clog2(TURNS);
    localparam [LANE_BITS-1:0] FIRST = ORDER[LANE_BITS-1:0];

    reg  [TURN_BITS-1:0] turn_q; // of the next word
    reg                  begins_q; // it is a group's first,
    reg                  last_q;   // or its last
    reg  [LANES-1:0]     lane_q;   // over which it comes
    reg                  pending_q; // a word is in o_word
    reg  [BITS-1:0]      word_q;
    reg                  end_q;    // what the first word of this group says of its vector's end,
    reg                  ends_q;   // and whether some word did

    wire [TURN_BITS-1:0] next = last_q ? {TURN_BITS{1'b0}} : turn_q + 1'b1;
    wire [LANE_BITS-1:0] next_lane = ORDER[next*LANE_BITS+:LANE_BITS];
    wire [LANES-1:0]     holds;
    wire [LANES-1:0]     ready;
    wire                 room    = ((OUT & ~i_ready) == {LANES{1'b0}});
    wire                 leaves  = pending_q & room & i_goes;
    wire                 advance = HALF ? ~pending_q | leaves : room;
    wire                 joins   = (begins_q ? (holds & IN) == IN : |(holds & lane_q)) & ~(HALF != 0 & i_comes);
    wire                 fires   = advance & joins;
    wire                 there;   // a word is in front of o_word
    wire [LANES*BITS-1:0] words;  // of lanes
    reg  [BITS-1:0]       chosen; // that of lane_q
    wire                  is_end = chosen[LINK_BITS];
    integer               i;
    always @* begin
        chosen = {BITS{1'b0}};
        for (i = 0; i < LANES; i = i + 1)
            chosen = chosen | (words[i*BITS+:BITS] & {BITS{lane_q[i]}});
    end

    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            if (IN[c] && !HALF) begin : gen_in
                gfab_stream_skid #(
                    .BITS(BITS)
                ) u_skid (
                    .i_clk(i_clk), .i_rst(i_rst), .i_valid(i_valid[c]), .o_ready(ready[c]),
                    .i_word(i_word[c*BITS+:BITS]), .o_valid(holds[c]), .i_ready(fires & lane_q[c]),
                    .o_word(words[c*BITS+:BITS])
                );
            end else if (IN[c]) begin : gen_half
                gfab_stream_single #(
                    .BITS(BITS)
                ) u_word (
                    .i_clk(i_clk), .i_rst(i_rst), .i_valid(i_valid[c] & i_comes), .o_ready(ready[c]),
                    .i_word(i_word[c*BITS+:BITS]), .o_valid(holds[c]), .i_ready(fires & lane_q[c]),
                    .o_word(words[c*BITS+:BITS])
                );
            end else begin : gen_none
                assign ready[c]    = 1'b0;
                assign holds[c]    = 1'b0;
                assign words[c*BITS+:BITS] = {BITS{1'b0}};
            end
        end
        if (HALF && (IN & OUT) != 0) begin : gen_spare
            reg there_q;
            always @(posedge i_clk)
                if (i_rst)
                    there_q <= 1'b0;
                else if (advance)
                    there_q <= joins;
            assign there = there_q;
            gfab_held_delay #(
                .BITS(BITS), .CYCLES(1)
            ) u_spare (
                .i_clk(i_clk), .i_enable(advance), .i_data(word_q), .o_data(o_word)
            );
        end else begin : gen_no_spare
            assign there  = joins;
            assign o_word = word_q;
        end
    endgenerate

    always @(posedge i_clk)
        if (i_rst) begin
            turn_q    <= {TURN_BITS{1'b0}};
            begins_q  <= 1'b1;
            last_q    <= 1'b0;
            lane_q    <= {{LANES-1{1'b0}}, 1'b1} << FIRST;
            pending_q <= 1'b0;
            end_q     <= 1'b0;
            ends_q    <= 1'b0;
        end else begin
            pending_q <= advance ? there : pending_q;
            if (fires) begin
                turn_q   <= next;
                begins_q <= last_q;
                last_q   <= (next == TURNS[TURN_BITS-1:0] - 1'b1);
                lane_q   <= {{LANES-1{1'b0}}, 1'b1} << next_lane;
                end_q    <= begins_q ? is_end : end_q;
                ends_q   <= is_end | (ends_q & ~begins_q);
            end
        end
    always @(posedge i_clk)
        if (advance)
            word_q <= {ENDS ? last_q & (is_end | ends_q) : is_end, chosen[LINK_BITS-1:0]};

    assign o_ready  = ready & {LANES{i_comes}};
    assign o_valid  = OUT & {LANES{leaves}};
    assign o_busy   = (|holds) | pending_q | (HALF != 0 & there);
    assign o_uneven = fires & ~begins_q & (ENDS != 0) & (is_end ^ end_q);

    // Where a group has begun the next word alone is waited for: what lanes hold may be the rest of it.
    always @(posedge i_clk)
        o_wants <= begins_q ? IN & ~holds & {LANES{(|holds) | ((|(i_wants & OUT)) & ~o_busy)}} : lane_q & ~holds;
endmodule

`default_nettype wire
