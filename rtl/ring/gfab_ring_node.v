// SPDX-License-Identifier: MIT
//
// A node of a ring fabric whose store is in the loop: a RAM, and the choice of what is written, what the rings bring or
// what the host loads. The parts of all rings stand side by side in one word of the RAM, at the address {distance,
// word} of gfab_ring_counter.
//
// The address is in a register, so that the way from the host's numbers ends there. A hop is 2 cycles: the RAM gives
// the word in the cycle behind the one in which it is addressed, and the next node writes it at the end of that one.
// With REGISTERED it waits there for one more, 3 cycles: the way from RAM to RAM is then cut behind the choice. A
// host's word is written at the end of the cycle of i_load_valid, or one later. o_link is the word that the addresses
// of two cycles before name.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_node #(
    parameter PLACE_BITS = 4,
    parameter WORDS      = 8, // 2 or more
    parameter RINGS      = 2,
    parameter LINK_BITS  = 2,
    parameter REGISTERED = 1
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // of all nodes
    input  wire                         i_read,
    input  wire [PLACE_BITS-1:0]        i_read_place,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    input  wire                         i_write,
    input  wire [PLACE_BITS-1:0]        i_write_place,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    // host
    input  wire                         i_load_valid,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_load_word,
    input  wire [RINGS*LINK_BITS-1:0]   i_load_data,
    input  wire [PLACE_BITS-1:0]        i_distance,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_host_word,
    // arcs, a part for each ring
    input  wire [RINGS*LINK_BITS-1:0]   i_link,
    output wire [RINGS*LINK_BITS-1:0]   o_link, // what the RAM gives, for the host, too
    // what is written
    output wire                             o_write_enable,
    output wire [PLACE_BITS+`GFAB_BITS(WORDS)-1:0] o_write_address,
    output wire [RINGS*LINK_BITS-1:0]       o_write_data
);
    localparam INDEX_BITS   = `GFAB_BITS(WORDS);
    localparam ADDRESS_BITS = PLACE_BITS + INDEX_BITS;
    localparam BITS         = RINGS * LINK_BITS;

    wire                    write = i_write | i_load_valid;
    wire [INDEX_BITS-1:0]   word  = i_write ? i_write_word : i_load_word;
    wire [BITS-1:0]         data  = i_write ? i_link : i_load_data;

    generate
        if (REGISTERED != 0) begin : gen_registered
            reg                    write_q;
            reg [ADDRESS_BITS-1:0] address_q;
            reg [BITS-1:0]         data_q;
            always @(posedge i_clk) begin
                write_q   <= write & ~i_rst;
                address_q <= {i_write_place, word};
                data_q    <= data;
            end
            assign o_write_enable  = write_q;
            assign o_write_address = address_q;
            assign o_write_data    = data_q;
        end else begin : gen_direct
            assign o_write_enable  = write;
            assign o_write_address = {i_write_place, word};
            assign o_write_data    = data;
        end
    endgenerate

    reg [ADDRESS_BITS-1:0] read_address_q;
    always @(posedge i_clk)
        read_address_q <= i_read ? {i_read_place, i_read_word} : {i_distance, i_host_word};

    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(BITS)
    ) u_store (
        .i_clk(i_clk), .i_read_address(read_address_q), .o_read_data(o_link),
        .i_write_enable(o_write_enable), .i_write_address(o_write_address), .i_write_data(o_write_data)
    );
endmodule

`default_nettype wire
