// SPDX-License-Identifier: MIT
//
// What a fabric that combines needs beside its gfab_sequencer: when a token begins in each lane and when its last flit
// passes there, which word each stage works on, and the operator. o_combining goes to all nodes.
//
// Minimum and maximum want a token's most significant word first, all else the least significant one. With
// GFAB_OPERATOR_ALL the operator is i_operator as it was in the cycle of i_start.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_combine_timer #(
    parameter LANES    = 4, // K, 1 or more
    parameter WORDS    = 4, // of a token, 2 or more; 3 or more with skewed links
    parameter OPERATOR = `GFAB_OPERATOR_SUM,
    parameter FLITS    = 16, // of a token, 1 .. LANES * WORDS; above these is padding
    parameter LATENCY  = 0, // cycles, of every link: so much later a token's flits arrive
    parameter PROTECT  = 0  // 1: a reset clears all of it, so that two of them agree from then on
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    input  wire                         i_busy,
    input  wire                         i_done,
    input  wire [2:0]                   i_operator, // GFAB_OPERATOR_... - GFAB_OPERATOR_FIRST
    // from the sequencer
    input  wire [`GFAB_BITS(LANES)-1:0] i_lane,      // stage 0
    input  wire [LANES-1:0]             i_strobe,
    input  wire [LANES-1:0]             i_close,     // as the strobes, or 0 without gaps
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word, // stage 1
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word_late,
    // to the nodes, in its place
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word,
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word_late,
    // From its top bit down, K being LANES; "skewed" is for lane 0 of skewed links:
    //   clear (skewed 1, lanes K)  i_clear of gfab_operator
    //   operator (3)
    //   flip (3)                   turn over the top bit of: a late word, a word to be written, the word out
    //   stage 1 (2)                of lane 0, of the last lane; or a reset
    //   open (skewed 1, lanes K)   strobes of a token's first word
    output wire [`GFAB_COMBINING_BITS(LANES)-1:0] o_combining
);
    localparam LANE_BITS = `GFAB_BITS(LANES);
    localparam WORD_BITS = `GFAB_BITS(WORDS);
    localparam DIRECT    = (WORDS == 2);
    localparam LAST_LANE = LANES - 1;
    localparam LAST_WORD = WORDS - 1;
    localparam TOP_WORD  = (FLITS - 1) / LANES; // the word that has a token's top bit
    localparam [3:0] FIXED = OPERATOR - `GFAB_OPERATOR_FIRST;

    wire clear = (PROTECT != 0) & i_rst;

    wire [2:0] operator;
    generate
        if (OPERATOR == `GFAB_OPERATOR_ALL) begin : gen_all
            reg [2:0] operator_q;
            always @(posedge i_clk)
                if (clear)
                    operator_q <= 3'd0;
                else if (i_start & (~i_busy | i_done))
                    operator_q <= i_operator;
            assign operator = operator_q;
        end else begin : gen_fixed
            assign operator = FIXED[2:0];
        end
    endgenerate

    // Words in the order in which they are sent.
    wire down = operator[2];
    assign o_read_word       = down ? LAST_WORD[WORD_BITS-1:0] - i_read_word : i_read_word;
    assign o_write_word      = down ? LAST_WORD[WORD_BITS-1:0] - i_write_word : i_write_word;
    assign o_write_word_late = down ? LAST_WORD[WORD_BITS-1:0] - i_write_word_late : i_write_word_late;

    // Of numbers with a sign the top bit is turned over, in the word at the store's output and in that to be written.
    wire has_sign = operator[2] & ~operator[1];
    reg  flip_read_q;
    always @(posedge i_clk)
        flip_read_q <= ~clear & has_sign & (o_read_word == TOP_WORD[WORD_BITS-1:0]);
    wire flip_write      = has_sign & (o_write_word == TOP_WORD[WORD_BITS-1:0]);
    wire flip_write_late = has_sign & (o_write_word_late == TOP_WORD[WORD_BITS-1:0]);

    // Where the strobes are: stage 1 if DIRECT, else stage 2.
    wire first1  = (i_read_word == {WORD_BITS{1'b0}});
    wire second1 = (i_read_word == {{(WORD_BITS-1){1'b0}}, 1'b1});
    reg  first_q, second_q;
    reg  last_q, zero_q; // stage 1: the turn of the last lane, of lane 0
    always @(posedge i_clk) begin
        first_q  <= ~clear & first1;
        second_q <= ~clear & second1;
        last_q   <= ~clear & (i_lane == LAST_LANE[LANE_BITS-1:0]);
        zero_q   <= ~clear & (i_lane == {LANE_BITS{1'b0}});
    end
    wire [LANES-1:0] open      = i_strobe & {LANES{DIRECT ? first1 : first_q}};
    wire             open_late = i_strobe[0] & (DIRECT ? second1 : second_q); // of a skewed lane 0

    // A token's last flit passes lane c FLITS cycles after its strobe, in that of lane c + FLITS mod LANES.
    wire [LANES-1:0] clear_at;
    wire             clear_late; // of a skewed lane 0
    genvar           c;
    generate
        if (FLITS < LANES * WORDS) begin : gen_padded
            localparam LATER     = FLITS % LANES;
            localparam END_WORD  = FLITS / LANES;
            localparam NEXT_WORD = (END_WORD + 1) % WORDS;
            wire end1  = (i_read_word == END_WORD[WORD_BITS-1:0]);
            wire next1 = (i_read_word == NEXT_WORD[WORD_BITS-1:0]);
            reg  end_q, next_q;
            always @(posedge i_clk) begin
                end_q  <= ~clear & end1;
                next_q <= ~clear & next1;
            end
            wire ends = DIRECT ? end1 : end_q;
            wire next = DIRECT ? next1 : next_q;
            // A round's last flits may pass in the first cycles of a gap, behind the last turns of their lanes. A gap
            // that is shorter than a period ends before all lanes have: nothing of a round's first word ends then.
            wire [LANES-1:0] turns = i_strobe | i_close;
            for (c = 0; c < LANES; c = c + 1) begin : gen_lane
                localparam TURN = (c + LATER) % LANES;
                assign clear_at[c] = open[c] | (c + LATER < LANES ? i_strobe[TURN] & ends : turns[TURN] & next);
            end
            assign clear_late = open_late | (turns[LATER] & next);
        end else begin : gen_whole
            assign clear_at   = open;
            assign clear_late = open_late;
        end
    endgenerate

    // What is about flits that arrive.
    localparam ARRIVING = 2 * LANES + 2;
    wire [ARRIVING-1:0] arriving;
    gfab_delay #(
        .BITS(ARRIVING), .CYCLES(LATENCY), .RESET(1)
    ) u_wait (
        .i_clk(i_clk), .i_rst(i_rst), .i_data({clear_late, clear_at, open_late, open}), .o_data(arriving), .o_taps()
    );
    assign o_combining = {arriving[ARRIVING-1:LANES+1], operator, flip_write_late, flip_write, flip_read_q,
                          zero_q | i_rst, last_q | i_rst, arriving[LANES:0]};
endmodule

`default_nettype wire
