// SPDX-License-Identifier: MIT
//
// Time for a whole fabric: counts lanes, words and rounds, and tells every node
// what is due in each stage of the pipeline. docs/reference/fabric-timing.md has the picture.
//
// i_start starts a gossip when the fabric is idle or in the cycle in which o_done rises; it
// is ignored while a gossip runs. i_next[0] says that the round in stage 1 is none, but the halt;
// it counts only in lane 0 of a running gossip. A gossip of R rounds takes R * LANES * WORDS + c cycles
// from the edge that samples i_start to the edge that samples o_done. o_done stays until the next
// start or reset; o_busy falls one cycle after o_done rises.
//
// A gossip begins in the round that i_first_round was in the cycle before i_start's, the last in which it is looked at.
//
// Stages: 0 the ROM is addressed; 1 the op register holds the op and the store is read;
// 2 the store's word is out. The write stage is LANES (+ 1 unless DIRECT, + REGISTERED) cycles after stage 1.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"

module gfab_sequencer #(
    parameter LANES      = 4, // K, 1 or more
    parameter WORDS      = 4, // words of a token, 2 or more, or 1 with one lane; a round is LANES * WORDS cycles
    parameter ROUND_BITS = 4, // of the ROM's address, 1 or more
    parameter SKEWED     = 0, // 1: some link of the fabric is skewed
    parameter GAP_BITS   = 0, // of a gap; 0: there are none
    parameter LATENCY    = 0, // cycles, of every link, 0 .. 15
    parameter DIRECT     = (WORDS == 2), // 1: no register between the stores and the links
    parameter REGISTERED = 0, // 1: a word waits a cycle between the cycle in which it is complete and the write stage
    parameter LOOPS      = 0, // 1: a round may be followed by the first one
    parameter PROTECT    = 0  // 1: a reset clears the pipeline, too, so that two of them agree from then on
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    input  wire [ROUND_BITS-1:0]        i_first_round,
    input  wire [GAP_BITS:0]            i_next, // {gap, halt}: what follows the round
    input  wire                         i_again, // with LOOPS: the first round follows; counts in a round's last cycle
    output wire                         o_busy,
    output wire                         o_done,
    // stage 0
    output wire [ROUND_BITS-1:0]        o_round,
    output wire [`GFAB_BITS(LANES)-1:0] o_lane,
    // stage 1
    output wire                         o_run,  // the op in the op register counts
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,
    output wire                         o_opens,      // with LOOPS: the first turn of a round, or of the halt
    output wire                         o_begin,      // lane 0's turn in the first round of all, or behind a gap
    output wire [ROUND_BITS:0]          o_last_round, // the last one that a gap followed; above, whether there is one
    // lane strobes, one-hot
    output wire [LANES-1:0]             o_strobe, // takes over send: stage 1 where DIRECT, else stage 2
    output wire [LANES-1:0]             o_close,  // LANES cycles after a round's last o_strobe of the lane
    // of each lane, which flit of its word it takes over; from stage 2 on
    output wire [LANES*`GFAB_BITS(LANES)-1:0] o_out_flit,
    // of each flit of a word, the lane that it comes over; with REGISTERED above also that whose word is to be written
    output wire [`GFAB_BITS(LANES)*(LANES+(REGISTERED ? 1 : 0))-1:0] o_in_lane,
    // write stage
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word,
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word_late, // for a skewed lane 0: LANES cycles later
    output wire [ROUND_BITS-1:0]        o_write_round // from 1
);
    localparam LANE_BITS   = `GFAB_BITS(LANES);
    localparam WORD_BITS   = `GFAB_BITS(WORDS);
    localparam ARRIVAL     = LATENCY + (DIRECT ? 0 : 1); // cycles from stage 2 to where a word's first flit arrives
    localparam WRITE_DELAY = LANES + ARRIVAL + (REGISTERED ? 1 : 0); // from stage 1 to the write stage
    localparam DRAIN       = WRITE_DELAY + (SKEWED ? 1 : 0) - 1;  // cycles from the halt in stage 1 to o_done, or 1
    localparam LAST_LANE   = LANES - 1;
    localparam LAST_WORD   = WORDS - 1;

    // Stage 0. The counters rest at 0, that of rounds at i_first_round, so that the op register holds the first op
    // before a gossip starts.
    reg [LANE_BITS-1:0]  lane_q;
    reg [WORD_BITS-1:0]  word_q;
    reg [ROUND_BITS-1:0] round_q;
    wire held; // stage 0 rests
    // Stage 1.
    reg                  run_q;
    reg [LANE_BITS-1:0]  lane1_q;
    reg [LANES-1:0]      strobe1_q;
    reg [WORD_BITS-1:0]  word1_q;
    // Stage 2.
    reg [LANE_BITS-1:0]  lane2_q;
    reg [LANES-1:0]      strobe2_q;

    reg                  busy_q;
    reg                  done_q;

    // Busy and not yet done: what the two say together, in one register, for counters hang on it.
    reg                  active_q;

    wire start  = i_start & ~active_q;
    wire halt   = run_q & i_next[0] & strobe1_q[0];
    wire finish; // o_done comes next
    wire count  = start | (active_q & ~finish);

    always @(posedge i_clk)
        if (i_rst) begin
            run_q  <= 1'b0;
            busy_q <= 1'b0;
            done_q <= 1'b0;
            active_q <= 1'b0;
        end else begin
            run_q  <= start | (run_q & ~halt);
            busy_q <= start | (busy_q & ~done_q);
            done_q <= finish | (done_q & ~start);
            active_q <= count;
        end

    wire clear = (PROTECT != 0) & i_rst;

    generate
        if (DRAIN <= 1) begin : gen_at_once
            assign finish = halt;
        end else begin : gen_drain
            gfab_delay #(
                .BITS(1), .CYCLES(DRAIN - 1), .RESET(1)
            ) u_halt (
                .i_clk(i_clk), .i_rst(i_rst), .i_data(halt), .o_data(finish), .o_taps()
            );
        end
    endgenerate

    // Added, not enabled: an enable would be one gate more behind count.
    wire next_word  = (lane_q == LAST_LANE[LANE_BITS-1:0]) & ~held;
    wire next_round = (word_q == LAST_WORD[WORD_BITS-1:0]) & next_word;
    always @(posedge i_clk)
        if (i_rst | ~count) begin
            lane_q  <= {LANE_BITS{1'b0}};
            word_q  <= {WORD_BITS{1'b0}};
            round_q <= i_first_round;
        end else begin
            lane_q  <= next_word ? {LANE_BITS{1'b0}} : lane_q + {{LANE_BITS-1{1'b0}}, ~held};
            word_q  <= next_round ? {WORD_BITS{1'b0}} : word_q + {{WORD_BITS-1{1'b0}}, next_word};
            round_q <= (LOOPS != 0 && i_again && next_round) ? i_first_round
                                                             : round_q + {{ROUND_BITS-1{1'b0}}, next_round};
        end

    always @(posedge i_clk)
        if (clear) begin
            lane1_q   <= {LANE_BITS{1'b0}};
            word1_q   <= {WORD_BITS{1'b0}};
            strobe1_q <= {LANES{1'b0}};
            lane2_q   <= {LANE_BITS{1'b0}};
            strobe2_q <= {LANES{1'b0}};
        end else begin
            lane1_q   <= lane_q;
            word1_q   <= word_q;
            strobe1_q <= {{(LANES-1){1'b0}}, ~held} << lane_q;
            lane2_q   <= lane1_q;
            strobe2_q <= strobe1_q;
        end

    generate
        if (GAP_BITS > 0) begin : gen_gap
            // The strobes of a round's last period go on for one more, so that lanes stop where no round follows.
            reg [GAP_BITS-1:0] hold_q; // cycles left of the gap
            reg                  held1_q;
            reg                  last1_q;
            reg [LANES-1:0]      close1_q;
            reg [LANES-1:0]      close2_q;
            reg                  begin1_q;
            reg [ROUND_BITS:0]   last_round_q;
            wire last = (lane_q == LAST_LANE[LANE_BITS-1:0]) & (word_q == LAST_WORD[WORD_BITS-1:0]);
            // A round of one cycle is in stage 1 once its gap is known: what waits is the next one, from that cycle on.
            localparam SHORT = (LANES * WORDS == 1);
            wire [LANES:0]       walk = {close1_q, SHORT ? o_run & ~halt : last1_q};
            wire opens = SHORT & o_run & (|i_next[GAP_BITS:1]);
            always @(posedge i_clk) begin
                if (i_rst | ~count)
                    hold_q <= {GAP_BITS{1'b0}};
                else if (SHORT ? opens : last & ~held)
                    hold_q <= SHORT ? i_next[GAP_BITS:1] - 1'b1 : i_next[GAP_BITS:1];
                else if (held)
                    hold_q <= hold_q - 1'b1;
                if (i_rst)
                    last_round_q <= {(ROUND_BITS+1){1'b0}};
                else if (last & ~held & (|i_next[GAP_BITS:1]))
                    last_round_q <= {1'b1, round_q};
                held1_q  <= held & ~clear;
                begin1_q <= (start | (held1_q & ~held & count)) & ~i_rst;
                last1_q  <= last & count & ~i_rst;
                close1_q <= i_rst ? {LANES{1'b0}} : walk[LANES-1:0];
                close2_q <= i_rst ? {LANES{1'b0}} : close1_q;
            end
            assign held    = (|hold_q) | opens;
            assign o_run   = run_q & ~held1_q;
            assign o_close = DIRECT ? close1_q : close2_q;
            assign o_begin = begin1_q & run_q & ~halt;
            assign o_last_round = last_round_q;
        end else begin : gen_no_gap
            assign held    = 1'b0;
            assign o_run   = run_q;
            assign o_close = {LANES{1'b0}};
            assign o_begin = 1'b0;
            assign o_last_round = {(ROUND_BITS+1){1'b0}};
        end
    endgenerate

    // The word's number on its way to the write stage; a skewed lane 0 is LANES cycles behind.
    gfab_delay #(
        .BITS(WORD_BITS), .CYCLES(WRITE_DELAY), .RESET(1)
    ) u_word (
        .i_clk(i_clk), .i_rst(clear), .i_data(word1_q), .o_data(o_write_word), .o_taps()
    );
    gfab_delay #(
        .BITS(WORD_BITS), .CYCLES(SKEWED ? LANES : 0), .RESET(1)
    ) u_word_late (
        .i_clk(i_clk), .i_rst(clear), .i_data(o_write_word), .o_data(o_write_word_late), .o_taps()
    );

    // The round likewise.
    gfab_delay #(
        .BITS(ROUND_BITS), .CYCLES(WRITE_DELAY + 1), .RESET(1)
    ) u_round (
        .i_clk(i_clk), .i_rst(clear), .i_data(round_q + 1'b1), .o_data(o_write_round), .o_taps()
    );

    // The lane likewise, from stage 2 on. Lanes take turns: lane c is c cycles behind lane 0, flit p of a word p cycles
    // behind flit 0. So the lane of c cycles ago is the flit that lane c takes over, and the lane of p cycles ago,
    // ARRIVAL later, is that whose flit p comes in.
    wire [WRITE_DELAY*LANE_BITS-1:0] lanes; // bits [t*LANE_BITS+:LANE_BITS]: t cycles ago
    gfab_delay #(
        .BITS(LANE_BITS), .CYCLES(WRITE_DELAY - 1), .RESET(1)
    ) u_lane (
        .i_clk(i_clk), .i_rst(clear), .i_data(lane2_q), .o_data(), .o_taps(lanes)
    );
    assign o_out_flit = lanes[LANES*LANE_BITS-1:0];
    assign o_in_lane  = lanes[WRITE_DELAY*LANE_BITS-1:ARRIVAL*LANE_BITS];

    assign o_opens      = (LOOPS != 0) & run_q & strobe1_q[0] & (word1_q == {WORD_BITS{1'b0}});
    assign o_busy       = busy_q;
    assign o_done       = done_q;
    assign o_round      = round_q;
    assign o_lane       = lane_q;
    assign o_read_word  = word1_q;
    assign o_strobe     = DIRECT ? strobe1_q : strobe2_q;
endmodule

`default_nettype wire
