// SPDX-License-Identifier: MIT
//
// Time for a ring fabric: one counter for all nodes. They number what they have by its distance along each ring, so
// that in every cycle all read the same address and write the same address.
//
// A step moves every word of a token one arc on: word f of distance d is read at {d, f}, and the next node of the ring
// writes it at {d + 1, f}. Steps are STEPS, a step WORDS cycles. From the edge that samples i_start to the edge that
// samples o_done = 1 that is STEPS * WORDS + c cycles, with c = 1; with REGISTERED c = 3: a cycle for the register before
// the store, and one at the start, so that what is loaded in the cycle of i_start is there; with SHIFTS c = 2.
// i_start starts when the fabric is idle or in the cycle in which o_done rises; else it is ignored. o_done stays until
// the next start or reset; o_busy falls one cycle after o_done rises.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_counter #(
    parameter STEPS      = 15, // 1 or more: nodes - 1, or with SHIFTS nodes
    parameter PLACE_BITS = 4,  // of a distance
    parameter WORDS      = 8,  // of a token, 1 or more; 2 or more without SHIFTS, 3 or more with REGISTERED
    parameter REGISTERED = 1,  // 1: what is written waits a cycle in a register of the node
    parameter SHIFTS     = 0   // 1: words go around from register to register, and stores are written alone
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    output wire                         o_busy,
    output wire                         o_done,
    output wire                         o_read, // stores are read for the ring; with SHIFTS: nodes give their own words
    output wire [PLACE_BITS-1:0]        o_read_place, // 0 where o_read is 0
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,  // likewise
    output wire                         o_write, // words are on the arcs, one cycle after they were read
    output wire [PLACE_BITS-1:0]        o_write_place, // where they go; 0 where o_write is 0
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word
);
    localparam WORD_BITS  = `GFAB_BITS(WORDS);
    localparam LAST_PLACE = STEPS - 1;
    localparam LAST_WORD  = WORDS - 1;

    reg                  busy_q;
    reg                  done_q;
    reg                  run_q;
    reg                  write_q;
    reg [PLACE_BITS-1:0] place_q;
    reg [WORD_BITS-1:0]  word_q;
    reg [PLACE_BITS-1:0] write_place_q;
    reg [WORD_BITS-1:0]  write_word_q;

    wire start = i_start & (~busy_q | done_q);
    wire ends  = (WORDS == 1) | (word_q == LAST_WORD[WORD_BITS-1:0]); // a step
    wire last  = run_q & ends & (place_q == LAST_PLACE[PLACE_BITS-1:0]);
    wire opens;
    wire finish; // o_done comes next

    generate
        if (REGISTERED != 0) begin : gen_registered
            reg start_q, last_q;
            always @(posedge i_clk) begin
                start_q <= start & ~i_rst;
                last_q  <= last & ~i_rst;
            end
            assign opens  = start_q;
            assign finish = last_q;
        end else begin : gen_direct
            assign opens  = start;
            assign finish = last;
        end
    endgenerate

    always @(posedge i_clk) begin
        if (i_rst) begin
            busy_q  <= 1'b0;
            done_q  <= 1'b0;
            run_q   <= 1'b0;
            write_q <= 1'b0;
        end else begin
            busy_q  <= start | (busy_q & ~done_q);
            done_q  <= finish | (done_q & ~start);
            run_q   <= opens | (run_q & ~last);
            write_q <= run_q;
        end
        if (i_rst | ~run_q | last) begin
            place_q <= {PLACE_BITS{1'b0}};
            word_q  <= {WORD_BITS{1'b0}};
        end else begin
            place_q <= ends ? place_q + 1'b1 : place_q;
            word_q  <= ends ? {WORD_BITS{1'b0}} : word_q + 1'b1;
        end
        write_place_q <= (i_rst | ~run_q) ? {PLACE_BITS{1'b0}} : place_q + (SHIFTS == 0);
        write_word_q  <= word_q;
    end

    assign o_busy        = busy_q;
    assign o_done        = done_q;
    assign o_read        = run_q;
    assign o_read_place  = place_q;
    assign o_read_word   = word_q;
    assign o_write       = write_q;
    assign o_write_place = write_place_q;
    assign o_write_word  = write_word_q;
endmodule

`default_nettype wire
