// SPDX-License-Identifier: MIT
//
// A node of a ring fabric whose tokens are one word: what goes around goes from register to register, a node in every
// cycle, and the store is only written. A hop is 1 cycle, which a RAM in the loop could not do.
//
// The node's own token is in a register of its own. While i_write is 0 it stands ready to go; while it is 1 the
// register takes what the rings bring. o_stored is the word that i_distance of two cycles before names.
`default_nettype none

module gfab_ring_shift #(
    parameter PLACE_BITS = 4,
    parameter RINGS      = 1,
    parameter LINK_BITS  = 32
) (
    input  wire                       i_clk,
    // of all nodes
    input  wire                       i_write,
    input  wire [PLACE_BITS-1:0]      i_write_place,
    // host
    input  wire                       i_load_valid,
    input  wire [RINGS*LINK_BITS-1:0] i_load_data,
    input  wire [PLACE_BITS-1:0]      i_distance,
    output wire [RINGS*LINK_BITS-1:0] o_stored,
    // arcs, a part for each ring
    input  wire [RINGS*LINK_BITS-1:0] i_link,
    output wire [RINGS*LINK_BITS-1:0] o_link // also what is written
);
    reg [RINGS*LINK_BITS-1:0] own_q;
    reg [RINGS*LINK_BITS-1:0] word_q;
    always @(posedge i_clk) begin
        if (i_load_valid)
            own_q <= i_load_data;
        word_q <= i_write ? i_link : own_q;
    end
    assign o_link = word_q;

    reg [PLACE_BITS-1:0] read_address_q;
    always @(posedge i_clk)
        read_address_q <= i_distance;

    gfab_store #(
        .ADDRESS_BITS(PLACE_BITS), .WORD_BITS(RINGS * LINK_BITS)
    ) u_store (
        .i_clk(i_clk), .i_read_address(read_address_q), .o_read_data(o_stored),
        .i_write_enable(i_write), .i_write_address(i_write_place), .i_write_data(word_q)
    );
endmodule

`default_nettype wire
