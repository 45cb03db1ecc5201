// SPDX-License-Identifier: MIT
//
// A node of a protected ring fabric: as gfab_ring_node, with a check bit beside each word in the store, odd parity. It
// is made as the word is written, and tested as the host reads it. It does not go over the arcs, which would be a wire
// wider. Instead each node says in every cycle whether the check bit of what it sent and that of what it writes differ:
// over all nodes that is an even number of times, as each flit is sent once and written once. So a bit that flips in a
// store before it goes out, or on its way, is noticed by all nodes together.
//
// What the store gives waits in a register, with its check bit, and goes from there to the next nodes and to the host.
// Neither what the host loads nor an address is in a register of the node's own, where it could flip: what is loaded
// is written at the end of the cycle, and what i_distance and i_host_word name is at o_read_data two cycles later. A
// hop is 3 cycles.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_checked #(
    parameter PLACE_BITS = 4,
    parameter WORDS      = 8,
    parameter RINGS      = 2,
    parameter LINK_BITS  = 2
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // of all nodes, from gfab_ring_pair
    input  wire                         i_read,
    input  wire [PLACE_BITS-1:0]        i_read_place,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    input  wire                         i_write,
    input  wire [PLACE_BITS-1:0]        i_write_place,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    input  wire                         i_over, // a run is over: every word that there is was written
    // host
    input  wire                         i_load_valid,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_load_word,
    input  wire [RINGS*LINK_BITS-1:0]   i_load_data,
    input  wire [PLACE_BITS-1:0]        i_distance,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_host_word,
    input  wire [`GFAB_BITS(RINGS)-1:0] i_ring,
    output wire [LINK_BITS-1:0]         o_read_data,
    // arcs, a part for each ring
    input  wire [RINGS*LINK_BITS-1:0]   i_link,
    output wire [RINGS*LINK_BITS-1:0]   o_link,
    // what is written
    output wire                             o_write_enable,
    output wire [PLACE_BITS+`GFAB_BITS(WORDS)-1:0] o_write_address,
    output wire [RINGS*LINK_BITS-1:0]       o_write_data,
    output wire                             o_differ, // of what was on the arcs in the cycle before
    output wire                             o_fault   // of what is at o_read_data
);
    localparam RING_BITS = `GFAB_BITS(RINGS);
    localparam BITS      = RINGS * LINK_BITS;

    assign o_write_enable  = i_write | i_load_valid;
    assign o_write_address = {i_write_place, i_write ? i_write_word : i_load_word};
    assign o_write_data    = i_write ? i_link : i_load_data;

    wire check = ~^o_write_data;
    wire [BITS:0] stored;
    gfab_store #(
        .ADDRESS_BITS(PLACE_BITS + `GFAB_BITS(WORDS)), .WORD_BITS(BITS + 1)
    ) u_store (
        .i_clk(i_clk), .i_read_address(i_read ? {i_read_place, i_read_word} : {i_distance, i_host_word}),
        .o_read_data(stored), .i_write_enable(o_write_enable), .i_write_address(o_write_address),
        .i_write_data({check, o_write_data})
    );

    reg [BITS:0] word_q;
    reg          differ_q;
    always @(posedge i_clk) begin
        word_q   <= stored;
        differ_q <= word_q[BITS] ^ check;
    end
    assign o_link   = word_q[BITS-1:0];
    assign o_differ = differ_q;

    // Where a word is read as it is loaded it may be anything.
    reg [1:0]           tested_q;
    reg [RING_BITS:0]   ring1_q; // odd
    reg [RING_BITS:0]   ring2_q;
    always @(posedge i_clk) begin
        tested_q <= i_rst ? 2'b00 : {tested_q[0], i_over & ~i_load_valid};
        ring1_q  <= {~^i_ring, i_ring};
        ring2_q  <= ring1_q;
    end
    assign o_read_data = word_q[ring2_q[RING_BITS-1:0]*LINK_BITS+:LINK_BITS];
    assign o_fault     = tested_q[1] & (^{word_q, ring2_q}); // two that should be odd
endmodule

`default_nettype wire
