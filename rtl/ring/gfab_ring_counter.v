// SPDX-License-Identifier: MIT
//
// Time for a ring fabric: one counter for all nodes. They number what they have by its distance along each ring, so
// that in every cycle all read the same address and write the same address.
//
// A step moves every word of a token one arc on: word f of distance d is read at {d, f}, and the next node of the ring
// writes it at {d + 1, f}. There are i_last_place + 1 steps of STEP cycles each. From the edge that samples i_start to
// the edge that samples o_done = 1 there are steps * STEP + c cycles, with c = 2; with REGISTERED c = 3; with SHIFTS
// c = 1. What is loaded in the cycle of i_start is there when it is read. i_start starts when the fabric is idle or in
// the cycle in which o_done rises; else it is ignored. o_done stays until the next start or reset; o_busy falls one
// cycle after o_done rises. i_last_place is an input, and no parameter, so that a proof is for every length.
//
// Stages: 0 the counter, o_read; 1 nodes have its address in a register of their own; 2 o_write: the word is on its
// arc, and written at the end of the cycle, or with REGISTERED one later. With SHIFTS there is no stage 1.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_counter #(
    parameter PLACE_BITS = 4,  // of a distance
    parameter WORDS      = 8,  // of a token, 1 or more
    // Cycles of a step: 2 or more without SHIFTS, 3 or more with REGISTERED; behind the first WORDS nobody reads.
    parameter STEP       = WORDS,
    parameter REGISTERED = 1,  // 1: what is written waits a cycle in a register of the node
    // 1: i_rst clears place and word at once. 0: a cycle later, as it has ended the run, which is a shorter way.
    parameter PROMPT     = 1,
    parameter SHIFTS     = 0   // 1: words go around from register to register, and stores are written alone
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    input  wire [PLACE_BITS-1:0]        i_last_place, // constant: nodes - 2, or with SHIFTS nodes - 1
    output wire                         o_busy,
    output wire                         o_done,
    output wire                         o_read, // stores are to be read for the ring
    output wire [PLACE_BITS-1:0]        o_read_place, // 0 where no run goes on, behind i_rst with PROMPT alone
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,  // likewise
    output wire                         o_write, // words are on the arcs, two cycles later; one with SHIFTS
    output wire [PLACE_BITS-1:0]        o_write_place, // where they go; 0 where no run goes on
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word
);
    localparam WORD_BITS  = `GFAB_BITS(WORDS);
    localparam CYCLE_BITS = `GFAB_BITS(STEP);
    localparam LAST_WORD  = STEP - 1;
    localparam FIRST_REST = WORDS;

    localparam DELAY      = SHIFTS ? 0 : REGISTERED ? 2 : 1; // cycles from the last read to that before o_done
    localparam [PLACE_BITS-1:0] AHEAD = SHIFTS ? 0 : 1; // where a word goes

    reg                  busy_q;
    reg                  done_q;
    reg                  run_q;
    reg [PLACE_BITS-1:0] place_q;
    reg [CYCLE_BITS-1:0] word_q; // from WORDS on none
    reg                  next_q; // stage 1
    reg [PLACE_BITS-1:0] next_place_q;
    reg [WORD_BITS-1:0]  next_word_q;
    reg [1:0]            last_q;

    wire       start  = i_start & (~busy_q | done_q);
    wire       ends   = (STEP == 1) | (word_q == LAST_WORD[CYCLE_BITS-1:0]); // a step
    wire       reads; // in this cycle of it
    wire       last   = run_q & ends & (place_q == i_last_place);
    wire [2:0] lasts  = {last_q, last};
    wire       finish = lasts[DELAY]; // o_done comes next

    always @(posedge i_clk) begin
        if (i_rst) begin
            busy_q <= 1'b0;
            done_q <= 1'b0;
            run_q  <= 1'b0;
            next_q <= 1'b0;
            last_q <= 2'd0;
        end else begin
            busy_q <= start | (busy_q & ~done_q);
            done_q <= finish | (done_q & ~start);
            run_q  <= start | (run_q & ~last);
            next_q <= reads;
            last_q <= lasts[1:0];
        end
        if (((PROMPT != 0) & i_rst) | ~run_q | last) begin
            place_q <= {PLACE_BITS{1'b0}};
            word_q  <= {CYCLE_BITS{1'b0}};
        end else begin
            place_q <= ends ? place_q + 1'b1 : place_q;
            word_q  <= ends ? {CYCLE_BITS{1'b0}} : word_q + 1'b1;
        end
        next_place_q <= (i_rst | ~run_q) ? {PLACE_BITS{1'b0}} : place_q + AHEAD;
        next_word_q  <= (i_rst | ((PROMPT == 0) & ~run_q)) ? {WORD_BITS{1'b0}} : word_q[WORD_BITS-1:0];
    end

    generate
        if (STEP > WORDS) begin : gen_rests
            assign reads = run_q & (word_q < FIRST_REST[CYCLE_BITS-1:0]);
        end else begin : gen_whole
            assign reads = run_q;
        end
        if (SHIFTS != 0) begin : gen_shifts
            assign o_write       = next_q;
            assign o_write_place = next_place_q;
            assign o_write_word  = next_word_q;
        end else begin : gen_stores
            reg                  write_q;
            reg [PLACE_BITS-1:0] write_place_q;
            reg [WORD_BITS-1:0]  write_word_q;
            always @(posedge i_clk) begin
                write_q       <= next_q & ~i_rst;
                write_place_q <= i_rst ? {PLACE_BITS{1'b0}} : next_place_q;
                write_word_q  <= i_rst ? {WORD_BITS{1'b0}} : next_word_q;
            end
            assign o_write       = write_q;
            assign o_write_place = write_place_q;
            assign o_write_word  = write_word_q;
        end
    endgenerate

    assign o_busy       = busy_q;
    assign o_done       = done_q;
    assign o_read       = reads;
    assign o_read_place = place_q;
    assign o_read_word  = word_q[WORD_BITS-1:0];
endmodule

`default_nettype wire
