// SPDX-License-Identifier: MIT
//
// Two words between one who gives and one who takes: both of its handshakes end in registers, so that a word goes
// through in every cycle and no wire goes through all of a fabric.
//
// A word goes over where valid and ready are both 1. Latency: a cycle.
`default_nettype none
`include "gfab_assert.vh"

module gfab_stream_skid #(
    parameter BITS = 33
) (
    input  wire            i_clk,
    input  wire            i_rst,
    input  wire            i_valid,
    output wire            o_ready,
    input  wire [BITS-1:0] i_word,
    output wire            o_valid,
    input  wire            i_ready,
    output wire [BITS-1:0] o_word
);
    reg            valid_q; // a word is there,
    reg            full_q;  // two are
    reg            write_q; // where the next one goes,
    reg            read_q;  // where the first one is
    reg [BITS-1:0] even_q;
    reg [BITS-1:0] odd_q;

    wire push = i_valid & ~full_q;
    wire pop  = i_ready & valid_q;
    assign o_ready = ~full_q;
    assign o_valid = valid_q;
    assign o_word  = read_q ? odd_q : even_q;

    always @(posedge i_clk)
        if (i_rst) begin
            valid_q <= 1'b0;
            full_q  <= 1'b0;
            write_q <= 1'b0;
            read_q  <= 1'b0;
        end else begin
            valid_q <= full_q | push | (valid_q & ~pop);
            full_q  <= ~pop & (full_q | (valid_q & push));
            write_q <= write_q ^ push;
            read_q  <= read_q ^ pop;
        end

    // What is not pushed is written over by what is.
    always @(posedge i_clk) begin
        if (~full_q & ~write_q)
            even_q <= i_word;
        if (~full_q & write_q)
            odd_q <= i_word;
    end

    `GFAB_AFTER_RESET(was_reset)
    always @(posedge i_clk)
        if (was_reset && !i_rst) begin
            `GFAB_ASSERT(!full_q || valid_q, "a second word without a first")
        end
endmodule

`default_nettype wire
