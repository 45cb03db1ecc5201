// SPDX-License-Identifier: MIT
//
// Words in the order in which they came. The first of them is at o_data, whatever i_pop is; it may be taken in the same
// cycle. Who pushes keeps the number at DEPTH or below, and who pops looks at o_valid.
//
// Latency: a word that is pushed into an empty one is at o_data two cycles later.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"

module gfab_stream_fifo #(
    parameter DEPTH     = 16, // words, 2 or more
    parameter WORD_BITS = 8
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire                 i_push,
    input  wire [WORD_BITS-1:0] i_data,
    input  wire                 i_pop,
    output wire                 o_valid,
    output wire [WORD_BITS-1:0] o_data
);
    localparam ADDRESS_BITS = `GFAB_BITS(DEPTH); // of the RAM
    localparam COUNT_BITS   = `GFAB_BITS(DEPTH + 1);
    reg [ADDRESS_BITS-1:0] write_q, read_q;
    reg [COUNT_BITS-1:0]   count_q; // of words that can be read
    reg                    pushed_q;

    wire [ADDRESS_BITS-1:0] read_next = i_pop ? read_q + 1'b1 : read_q;

    always @(posedge i_clk)
        if (i_rst) begin
            write_q  <= {ADDRESS_BITS{1'b0}};
            read_q   <= {ADDRESS_BITS{1'b0}};
            count_q  <= {COUNT_BITS{1'b0}};
            pushed_q <= 1'b0;
        end else begin
            if (i_push)
                write_q <= write_q + 1'b1;
            read_q   <= read_next;
            pushed_q <= i_push;
            if (pushed_q & ~i_pop)
                count_q <= count_q + 1'b1;
            else if (~pushed_q & i_pop)
                count_q <= count_q - 1'b1;
        end

    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(WORD_BITS)
    ) u_words (
        .i_clk(i_clk), .i_read_address(read_next), .o_read_data(o_data), .i_write_enable(i_push),
        .i_write_address(write_q), .i_write_data(i_data)
    );

    assign o_valid = (count_q != {COUNT_BITS{1'b0}});

    `GFAB_AFTER_RESET(was_reset)
    always @(posedge i_clk)
        if (was_reset && !i_rst) begin
            `GFAB_ASSERT(!i_pop || o_valid, "a word is taken that is not there")
            `GFAB_ASSERT(!i_push || count_q != DEPTH[COUNT_BITS-1:0], "a word is pushed that there is no room for")
        end
endmodule

`default_nettype wire
