// SPDX-License-Identifier: MIT
//
// What a bank of a wide node stores where the operator is a module of its own: MERGES of these, one behind the other.
// The first has the bank's old word and that of the lowest lane that is taken, the second what this makes and the word
// of the next lane, and so on: ((old + first) + second). A word that has nothing left to meet goes on as it is, and
// takes as long.
//
// The operators are elsewhere, in the fabric's top, which alone knows their name: what the k-th of them combines goes
// out in slice k of o_lefts and o_rights, and its result comes in in slice k of i_results LATENCY cycles later.
//
// Latency: what comes in at the write stage is at o_word MERGES * LATENCY cycles later, with o_write.
`default_nettype none
`include "gfab_assert.vh"

module gfab_wide_chain #(
    parameter LANES     = 4,  // 1 or more
    parameter LINK_BITS = 32, // of a flit, 1 or more
    parameter MERGES    = 1,  // 1 .. LANES: most lanes that are combined at once
    parameter LATENCY   = 2   // cycles, of an operator, 0 or more
) (
    input  wire                       i_clk,
    input  wire                       i_rst,
    input  wire                       i_combines, // 1: with i_old; 0: one lane at most is taken, and stored as it is
    input  wire [LINK_BITS-1:0]       i_old,
    input  wire [LANES-1:0]           i_taken,
    input  wire [LANES*LINK_BITS-1:0] i_words,
    output wire                       o_write,
    output wire [LINK_BITS-1:0]       o_word, // 0 unless o_write
    output wire [MERGES*LINK_BITS-1:0] o_lefts,
    output wire [MERGES*LINK_BITS-1:0] o_rights,
    input  wire [MERGES*LINK_BITS-1:0] i_results
);
    localparam DELAY = MERGES * LATENCY;

    genvar c, k;
    generate
        // Lanes taken before each one, one-hot: bit k says that there are k of them.
        for (c = 0; c < LANES; c = c + 1) begin : gen_rank
            wire [MERGES-1:0] rank;
            if (c == 0) begin : gen_first
                assign rank = 1;
            end else begin : gen_next
                assign rank = gen_rank[c-1].rank << i_taken[c-1];
            end
        end

        for (k = 0; k < MERGES; k = k + 1) begin : gen_stage
            // The k-th word that is taken.
            reg  [LINK_BITS-1:0] word;
            reg                  any;
            wire [LANES-1:0]     mine;
            integer              lane;
            for (c = 0; c < LANES; c = c + 1) begin : gen_mine
                assign mine[c] = i_taken[c] & gen_rank[c].rank[k];
            end
            always @* begin
                word = {LINK_BITS{1'b0}};
                any  = 1'b0;
                for (lane = 0; lane < LANES; lane = lane + 1) begin
                    word = word | (i_words[lane*LINK_BITS+:LINK_BITS] & {LINK_BITS{mine[lane]}});
                    any  = any | mine[lane];
                end
            end

            // As late as what it meets.
            wire [LINK_BITS-1:0] met;
            wire                 meets;
            gfab_delay #(
                .BITS(LINK_BITS + 1), .CYCLES(k * LATENCY)
            ) u_met (
                .i_clk(i_clk), .i_rst(1'b0), .i_data({any & i_combines, word}), .o_data({meets, met}), .o_taps()
            );

            wire [LINK_BITS-1:0] so_far, passed, next;
            wire                 made_counts;
            if (k == 0) begin : gen_old
                assign so_far = i_combines ? i_old : word;
            end else begin : gen_before
                assign so_far = gen_stage[k-1].next;
            end
            gfab_delay #(
                .BITS(LINK_BITS + 1), .CYCLES(LATENCY)
            ) u_passed (
                .i_clk(i_clk), .i_rst(1'b0), .i_data({meets, so_far}), .o_data({made_counts, passed}), .o_taps()
            );
            assign o_lefts[k*LINK_BITS+:LINK_BITS]  = so_far;
            assign o_rights[k*LINK_BITS+:LINK_BITS] = met;
            assign next = made_counts ? i_results[k*LINK_BITS+:LINK_BITS] : passed;
        end
    endgenerate
    gfab_delay #(
        .BITS(1), .CYCLES(DELAY), .RESET(1)
    ) u_write (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(|i_taken), .o_data(o_write), .o_taps()
    );
    assign o_word = gen_stage[MERGES-1].next & {LINK_BITS{o_write}};

    // What the program promises.
    `GFAB_AFTER_RESET(after_reset)
    always @(posedge i_clk)
        if (after_reset && !i_rst) begin
            `GFAB_ASSUME(i_combines | ((i_taken & (i_taken - 1'b1)) == 0), "lanes are combined with nothing")
        end
endmodule

`default_nettype wire
