// SPDX-License-Identifier: MIT
//
// As gfab_stream_skid, but up to 2^ADDRESS_BITS - 1 words, in a RAM: where a host has several words a beat, each along
// a tree of its own, those of the shorter way wait here for the others. Latency: two cycles.
`default_nettype none

module gfab_stream_queue #(
    parameter BITS         = 33,
    parameter ADDRESS_BITS = 5
) (
    input  wire            i_clk,
    input  wire            i_rst,
    input  wire            i_valid,
    output wire            o_ready,
    input  wire [BITS-1:0] i_word,
    output wire            o_valid,
    input  wire            i_ready,
    output wire [BITS-1:0] o_word,
    output wire            o_busy // words are here
);
    reg [ADDRESS_BITS-1:0] count_q; // words
    reg                    full_q;

    wire push = i_valid & ~full_q;
    wire pop  = i_ready & o_valid;
    wire [ADDRESS_BITS-1:0] count = count_q + {{ADDRESS_BITS-1{1'b0}}, push} - {{ADDRESS_BITS-1{1'b0}}, pop};
    assign o_ready = ~full_q;
    assign o_busy  = |count_q;

    always @(posedge i_clk)
        if (i_rst) begin
            count_q <= {ADDRESS_BITS{1'b0}};
            full_q  <= 1'b0;
        end else begin
            count_q <= count;
            full_q  <= &count;
        end

    gfab_stream_fifo #(
        .DEPTH((1 << ADDRESS_BITS) - 1), .WORD_BITS(BITS)
    ) u_words (
        .i_clk(i_clk), .i_rst(i_rst), .i_push(push), .i_data(i_word), .i_pop(pop), .o_valid(o_valid), .o_data(o_word)
    );
endmodule

`default_nettype wire
