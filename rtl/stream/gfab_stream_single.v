// SPDX-License-Identifier: MIT
//
// As gfab_stream_skid, but one word, in a register: one goes through in every second cycle. Latency: a cycle.
`default_nettype none

module gfab_stream_single #(
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
    reg            valid_q; // the word is there
    reg [BITS-1:0] word_q;
    assign o_ready = ~valid_q;
    assign o_valid = valid_q;
    assign o_word  = word_q;

    always @(posedge i_clk)
        if (i_rst)
            valid_q <= 1'b0;
        else
            valid_q <= valid_q ? ~i_ready : i_valid;

    // What is not pushed is written over by what is.
    always @(posedge i_clk)
        if (~valid_q)
            word_q <= i_word;
endmodule

`default_nettype wire
