// SPDX-License-Identifier: MIT
//
// A node of a protected ring fabric: as gfab_ring_node, with check bits beside each word in the store, each of some
// bits, odd parity. They are made as the word is written, and tested as the host reads it. They do not go over the
// arcs, which would be wires wider. Instead each node gives in every cycle the parity of the check bits of what it
// sent, and that of what it writes: over all nodes these add up to 0, as each flit is sent once and written once. So a
// bit that flips in a store before it goes out, or on its way, is noticed by all nodes together.
//
// What the store gives waits in a register, with its check bits, and goes from there to the next nodes and to the host.
// A hop is 3 cycles. What the host loads, and the addresses of a run, are in no register of the node's own, where they
// could flip. What i_distance, i_host_word and i_ring name waits a cycle in one, with check bits of its own, so that
// the way from the host's numbers ends there; it is at o_read_data three cycles later.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_checked #(
    parameter PLACE_BITS = 4,
    parameter WORDS      = 8,
    parameter RINGS      = 2,
    parameter LINK_BITS  = 2,
    parameter CHECKS     = 1, // check bits of a word, 1 .. RINGS LINK_BITS
    parameter TURNS      = 1, // i_distance is turned over where i_ring goes forwards
    parameter BOTH       = 1  // odd rings go backwards
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
    input  wire [PLACE_BITS-1:0]        i_distance, // of gfab_ring_distance with EARLY
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
    output wire [1:0]                       o_checks, // of what was sent and written in the cycle before
    output wire                             o_fault   // of what is at o_read_data
);
    localparam RING_BITS    = `GFAB_BITS(RINGS);
    localparam INDEX_BITS   = `GFAB_BITS(WORDS);
    localparam ADDRESS_BITS = PLACE_BITS + INDEX_BITS;
    localparam BITS         = RINGS * LINK_BITS;

    assign o_write_enable  = i_write | i_load_valid;
    assign o_write_address = {i_write_place, i_write ? i_write_word : i_load_word};
    assign o_write_data    = i_write ? i_link : i_load_data;

    // What the host names: how far away, and which word of which ring, each with a check bit, odd.
    wire [PLACE_BITS:0]           far = {~^i_distance, i_distance};
    wire [INDEX_BITS+RING_BITS:0] part = {~^{i_host_word, i_ring}, i_host_word, i_ring};
    reg  [PLACE_BITS:0]           far1_q;
    reg  [1:0]                    far2_q, far3_q; // of the distance its check bit and its parity are left
    reg  [INDEX_BITS+RING_BITS:0] part1_q, part2_q, part3_q;
    wire                          turn = (TURNS != 0) & ~((BOTH != 0) & part1_q[0]);
    wire [ADDRESS_BITS-1:0]       named = {far1_q[PLACE_BITS-1:0] ^ {PLACE_BITS{turn}}, part1_q[RING_BITS+:INDEX_BITS]};
    wire [RING_BITS-1:0]          ring = part3_q[RING_BITS-1:0];

    reg [CHECKS-1:0] check; // of every CHECKS-th bit
    integer          k;
    always @* begin
        check = {CHECKS{1'b1}};
        for (k = 0; k < BITS; k = k + 1)
            check[k%CHECKS] = check[k%CHECKS] ^ o_write_data[k];
    end
    wire [BITS+CHECKS-1:0] stored;
    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(BITS + CHECKS)
    ) u_store (
        .i_clk(i_clk), .i_read_address(i_read ? {i_read_place, i_read_word} : named),
        .o_read_data(stored), .i_write_enable(o_write_enable), .i_write_address(o_write_address),
        .i_write_data({check, o_write_data})
    );

    reg [BITS+CHECKS-1:0] word_q;
    reg [1:0]             checks_q;
    reg [1:0]             tested_q; // where a word is read as it is loaded it may be anything
    always @(posedge i_clk) begin
        far1_q   <= far;
        far2_q   <= {far1_q[PLACE_BITS], ^far1_q[PLACE_BITS-1:0]};
        far3_q   <= far2_q;
        part1_q  <= part;
        part2_q  <= part1_q;
        part3_q  <= part2_q;
        word_q   <= stored;
        checks_q <= {^word_q[BITS+:CHECKS], ^check};
        tested_q <= i_rst ? 2'b00 : {tested_q[0], i_over & ~i_load_valid};
    end
    assign o_link      = word_q[BITS-1:0];
    assign o_checks    = checks_q;
    assign o_read_data = word_q[ring*LINK_BITS+:LINK_BITS];
    // Not one parity of all: a word that nobody wrote may be even, and would hide that another one was named.
    (* keep *) wire odd; // as it stands: Yosys finds more LUTs than these
    assign odd         = ^word_q[BITS+CHECKS-2:0];
    assign o_fault     = tested_q[1] & ((odd ^ word_q[BITS+CHECKS-1] ^ (CHECKS % 2 == 1)) | (^{far3_q, part3_q}));
endmodule

`default_nettype wire
