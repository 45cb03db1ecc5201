// SPDX-License-Identifier: MIT
//
// Two sequencers that check each other: what the first says goes to the fabric, and o_fault says that the second says
// otherwise, in the very cycle. The second is told of the halt by other bits (i_twin_next), so that neither a halt that
// is lost nor one too many goes unseen.
//
// OPERATOR: each has a gfab_combine_timer behind it, and these are compared, too.
//
// 27 ports: those of gfab_sequencer, two halts and three verdicts.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_sequencer_pair #(
    parameter LANES      = 4, // as in gfab_sequencer
    parameter WORDS      = 4,
    parameter ROUND_BITS = 4,
    parameter SKEWED     = 0,
    parameter LATENCY    = 0,
    parameter DIRECT     = (WORDS == 2),
    parameter REGISTERED = 0,
    parameter WIDE       = 0, // 1: nodes are wide, and have no lanes, but write by rounds
    parameter GAP_BITS   = 0, // of a gap, the same for both; 0: there are none
    parameter OPERATOR   = `GFAB_OPERATOR_NONE,
    parameter FLITS      = 16, // as in gfab_combine_timer
    parameter PATHS      = 0  // 1: nodes pass flits on
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    input  wire [ROUND_BITS-1:0]        i_first_round,
    input  wire [2:0]                   i_operator,  // with OPERATOR
    input  wire                         i_next,      // halt
    input  wire                         i_twin_next, // the same, by other bits
    input  wire [(GAP_BITS>0?GAP_BITS:1)-1:0] i_gap,  // with GAP_BITS
    output wire                         o_fault,
    output wire                         o_halt,      // both have it
    output wire                         o_last,      // stage 1: a round's last word, whichever that is
    // as those of gfab_sequencer
    output wire                         o_busy,
    output wire                         o_done,
    output wire [ROUND_BITS-1:0]        o_round,
    output wire [`GFAB_BITS(LANES)-1:0] o_lane,
    output wire                         o_run,
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,
    output wire [LANES-1:0]             o_strobe,
    output wire [LANES-1:0]             o_close,
    output wire [LANES*`GFAB_BITS(LANES)-1:0] o_out_flit,
    output wire [`GFAB_BITS(LANES)*(LANES+(REGISTERED ? 1 : 0))-1:0] o_in_lane,
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word,
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word_late, // 0 unless SKEWED
    output wire [ROUND_BITS-1:0]        o_write_round,     // 0 unless WIDE
    output wire                         o_begin,           // 0 unless PATHS
    output wire [ROUND_BITS:0]          o_last_round,      // likewise
    output wire [2*`GFAB_COMBINING_BITS(LANES)-1:0] o_combining // with OPERATOR {the second's, the first's}
);
    localparam LANE_BITS = `GFAB_BITS(LANES);
    localparam WORD_BITS = `GFAB_BITS(WORDS);
    localparam LAST_WORD = WORDS - 1;
    localparam COMBINES  = (OPERATOR != `GFAB_OPERATOR_NONE);
    localparam COMBINING_BITS = `GFAB_COMBINING_BITS(LANES);
    localparam FLIT_BITS = LANES * LANE_BITS; // of o_out_flit
    localparam IN_BITS   = FLIT_BITS + (REGISTERED ? LANE_BITS : 0); // of o_in_lane
    localparam [IN_BITS-1:0] USED_LANES = {IN_BITS{!PATHS}} >> (SKEWED || COMBINES ? 0 : IN_BITS - FLIT_BITS);
    localparam TURN_BITS = LANE_BITS + FLIT_BITS + IN_BITS + 2 * LANES; // what is about lanes
    localparam OUT_BITS  = 5 + 3 * ROUND_BITS + 3 * WORD_BITS + TURN_BITS;

    wire [2*OUT_BITS-1:0] out;
    wire [2*COMBINING_BITS-1:0] combining;
    wire [1:0]            next, last;

    genvar s;
    generate
        for (s = 0; s < 2; s = s + 1) begin : gen_sequencer
            wire                  busy, done, run;
            wire [ROUND_BITS-1:0] round, write_round;
            wire                  begins; // with PATHS
            wire [ROUND_BITS:0]   last_round;
            wire [LANE_BITS-1:0]  lane;
            wire [FLIT_BITS-1:0]  out_flit;
            wire [IN_BITS-1:0]    in_lane;
            wire [WORD_BITS-1:0]  next_read_word, next_write_word, next_write_word_late;
            wire [WORD_BITS-1:0]  read_word, write_word, write_word_late;
            wire [LANES-1:0]      strobe, close;
            wire [GAP_BITS:0]     follows; // the round
            if (GAP_BITS > 0) begin : gen_gap
                assign follows = {i_gap, next[s]};
            end else begin : gen_no_gap
                assign follows = next[s];
            end
            gfab_sequencer #(
                .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .LATENCY(LATENCY),
                .GAP_BITS(GAP_BITS), .DIRECT(DIRECT), .REGISTERED(REGISTERED), .PROTECT(1)
            ) u_sequencer (
                .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round(i_first_round),
                .i_next(follows), .i_again(1'b0), .o_opens(),
                .o_busy(busy), .o_done(done), .o_round(round), .o_lane(lane), .o_run(run),
                .o_read_word(next_read_word), .o_begin(begins), .o_last_round(last_round), .o_strobe(strobe),
                .o_close(close),
                .o_out_flit(out_flit), .o_in_lane(in_lane), .o_write_word(next_write_word),
                .o_write_word_late(next_write_word_late), .o_write_round(write_round)
            );
            if (COMBINES) begin : gen_timer
                gfab_combine_timer #(
                    .LANES(LANES), .WORDS(WORDS), .OPERATOR(OPERATOR), .FLITS(FLITS), .LATENCY(LATENCY),
                    .PROTECT(1)
                ) u_combine_timer (
                    .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_busy(busy), .i_done(done),
                    .i_operator(i_operator),
                    .i_lane(lane), .i_strobe(strobe), .i_close(close), .i_read_word(next_read_word),
                    .i_write_word(next_write_word),
                    .i_write_word_late(next_write_word_late), .o_read_word(read_word), .o_write_word(write_word),
                    .o_write_word_late(write_word_late), .o_combining(combining[s*COMBINING_BITS+:COMBINING_BITS])
                );
            end else begin : gen_no_timer
                assign read_word       = next_read_word;
                assign write_word      = next_write_word;
                assign write_word_late = next_write_word_late;
                assign combining[s*COMBINING_BITS+:COMBINING_BITS] = {COMBINING_BITS{1'b0}};
            end
            assign last[s] = (next_read_word == LAST_WORD[WORD_BITS-1:0]);
            // What the fabric does not use is left out, for it need not be made.
            assign out[s*OUT_BITS+:OUT_BITS] = {
                busy, done, run, round, read_word, write_word,
                SKEWED ? write_word_late : {WORD_BITS{1'b0}},
                WIDE ? write_round : {ROUND_BITS{1'b0}},
                PATHS ? {begins, last_round} : {ROUND_BITS+2{1'b0}},
                WIDE ? {TURN_BITS{1'b0}} : {lane, out_flit, in_lane & USED_LANES, strobe, close}
            };
        end
    endgenerate

    assign next    = {i_twin_next, i_next};
    assign o_halt  = &next;
    assign o_last  = last[0];
    assign o_fault = (out[0+:OUT_BITS] != out[OUT_BITS+:OUT_BITS]) |
                     (combining[0+:COMBINING_BITS] != combining[COMBINING_BITS+:COMBINING_BITS]);
    assign o_combining = combining;
    assign {o_busy, o_done, o_run, o_round, o_read_word, o_write_word, o_write_word_late, o_write_round,
            o_begin, o_last_round, o_lane, o_out_flit, o_in_lane, o_strobe, o_close} = out[0+:OUT_BITS];
endmodule

`default_nettype wire
