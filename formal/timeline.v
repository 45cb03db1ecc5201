// SPDX-License-Identifier: MIT
//
// docs/reference/fabric-timing.md as counters, independent of the RTL: where a gossip stands in
// each cycle, given the starts, the resets, the number of rounds and the gaps. The proofs compare
// the modules with it.
`default_nettype none
`include "gfab_bits.vh"

module timeline #(
    parameter LANES      = 2,
    parameter WORDS      = 2,
    parameter ROUND_BITS = 2,
    parameter SKEWED     = 0,
    parameter GAP_BITS = 0,
    parameter LATENCY    = 0,
    parameter REGISTERED = 0,
    parameter LOOPS      = 0,
    parameter DIRECT     = (WORDS == 2)
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    input  wire [ROUND_BITS-1:0]        i_rounds,
    input  wire [((GAP_BITS > 0 ? GAP_BITS : 1)<<ROUND_BITS)-1:0] i_gaps, // after each round
    input  wire                         i_again, // with LOOPS: round 0 follows, in a round's last cycle
    output reg                          o_reset, // a reset has been seen: from here on everything is promised
    output reg                          o_busy,
    output reg                          o_done,
    // Cycle t = 0 .. R F - 1 of the gossip: its round (from 0), word and lane.
    output wire                         o_run,
    output reg  [ROUND_BITS-1:0]        o_round,
    output reg  [`GFAB_BITS(WORDS)-1:0] o_word,
    output reg  [`GFAB_BITS(LANES)-1:0] o_lane,
    output wire                         o_held, // in a gap, before the round
    // The cycles after all that: their number from 0.
    output wire                         o_tail,
    output reg  [3:0]                   o_tail_cycle
);
    localparam X      = DIRECT ? 0 : 1;
    localparam LONG   = LANES + X + SKEWED + LATENCY + REGISTERED;
    localparam RAISED = LONG > 2 ? LONG - 1 : 1; // cycles from the last round's or gap's end to o_done
    localparam PB     = GAP_BITS > 0 ? GAP_BITS : 1;

    reg  [PB-1:0] hold; // cycles left of the gap
    wire [PB-1:0] gap = GAP_BITS > 0 ? i_gaps[o_round*PB+:PB] : {PB{1'b0}};
    wire start = i_start & (~o_busy | o_done);
    assign o_held = o_busy & hold != 0;
    assign o_tail = o_busy & hold == 0 & o_round == i_rounds;
    assign o_run  = o_busy & hold == 0 & ~o_tail;

    initial o_reset = 1'b0;
    always @(posedge i_clk) begin
        o_reset <= o_reset | i_rst;
        if (i_rst) begin
            o_busy <= 1'b0;
            o_done <= 1'b0;
        end else if (start) begin
            o_busy       <= 1'b1;
            o_done       <= 1'b0;
            o_round      <= 0;
            o_word       <= 0;
            o_lane       <= 0;
            o_tail_cycle <= 0;
            hold         <= 0;
        end else if (o_held) begin
            hold <= hold - 1'b1;
        end else if (o_tail) begin
            o_tail_cycle <= o_tail_cycle + 1'b1;
            o_busy       <= o_tail_cycle != RAISED;
            o_done       <= o_tail_cycle >= RAISED - 1;
        end else if (o_run) begin
            o_lane <= o_lane == LANES - 1 ? 0 : o_lane + 1'b1;
            if (o_lane == LANES - 1) begin
                o_word <= o_word == WORDS - 1 ? 0 : o_word + 1'b1;
                if (o_word == WORDS - 1) begin
                    o_round <= LOOPS != 0 && i_again ? 0 : o_round + 1'b1;
                    hold    <= gap;
                end
            end
        end
        assume (o_reset | i_rst); // the first cycle of all is one of reset, from any state
        // What induction needs to know of this counter.
        if (o_reset & o_busy) begin
            assert (o_round <= i_rounds && o_word < WORDS && o_lane < LANES);
            assert (o_tail ? o_tail_cycle <= RAISED && o_word == 0 && o_lane == 0 : o_tail_cycle == 0 && !o_done);
            assert (!o_tail || o_done == (o_tail_cycle >= RAISED));
            assert (!o_held || o_word == 0 && o_lane == 0 && o_round != 0 && hold <= i_gaps[(o_round-1)*PB+:PB]);
            assert (GAP_BITS > 0 || !o_held);
        end
    end
endmodule

// The sequencer goes by the timeline: stage 1, and stage 0 a cycle ahead of it. The ROM is
// addressed at (0, 0) wherever a gossip may start.
module timeline_check #(
    parameter LANES      = 2,
    parameter WORDS      = 2,
    parameter ROUND_BITS = 2,
    parameter LOOPS      = 0
) (
    input wire                         i_clk,
    input wire                         i_again, // as in the timeline
    input wire                         i_due, // o_reset of the timeline, and the rest of it
    input wire                         i_due_busy,
    input wire                         i_due_done,
    input wire                         i_due_run,
    input wire [ROUND_BITS-1:0]        i_t_round,
    input wire [`GFAB_BITS(WORDS)-1:0] i_t_word,
    input wire [`GFAB_BITS(LANES)-1:0] i_t_lane,
    input wire                         i_due_held,
    input wire                         i_due_tail,
    input wire [3:0]                   i_t_tail,
    input wire                         i_busy, // of the sequencer
    input wire                         i_done,
    input wire                         i_run,
    input wire [ROUND_BITS-1:0]        i_round,
    input wire [`GFAB_BITS(LANES)-1:0] i_lane,
    input wire [`GFAB_BITS(WORDS)-1:0] i_read_word
);
    wire last_lane = i_t_lane == LANES - 1;
    wire last_word = i_t_word == WORDS - 1;
    always @(posedge i_clk)
        if (i_due) begin
            // From start to done R F + c cycles and the gaps, and busy one more.
            assert (i_busy == i_due_busy);
            assert (i_done == i_due_done);
            assert (i_run == (i_due_run | i_due_tail & i_t_tail == 0));
            assert (i_lane < LANES);
            if (i_due_run) begin
                assert (i_read_word == i_t_word);
                assert (i_lane == (last_lane ? 0 : i_t_lane + 1));
                assert (i_round == (!last_lane || !last_word ? i_t_round
                                    : LOOPS != 0 && i_again ? {ROUND_BITS{1'b0}} : i_t_round + 1'b1));
            end
            if (i_due_held)
                assert (i_lane == 0 && i_round == i_t_round);
            if (!i_due_busy || i_due_done)
                assert (i_round == 0 && i_lane == 0);
        end
endmodule

// A value and whether it counts, CYCLES later; a reset makes it not count.
module later #(
    parameter CYCLES = 1, // 0 or more
    parameter BITS   = 1
) (
    input  wire            i_clk,
    input  wire            i_rst,
    input  wire            i_valid,
    input  wire [BITS-1:0] i_value,
    output wire            o_valid,
    output wire [BITS-1:0] o_value
);
    reg  [CYCLES:0]          valid_q;
    reg  [CYCLES*BITS+BITS-1:0] value_q;
    wire [CYCLES+1:0]        valid = {valid_q, i_valid};
    wire [CYCLES*BITS+2*BITS-1:0] value = {value_q, i_value};
    always @(posedge i_clk) begin
        valid_q <= i_rst ? 0 : valid;
        value_q <= value;
    end
    assign o_valid = valid[CYCLES];
    assign o_value = value[CYCLES*BITS+:BITS];
endmodule

`default_nettype wire
