// SPDX-License-Identifier: MIT
//
// A node of a ring fabric that combines: a lane a ring, with a RAM each, all with the same addresses but for what the
// host loads, which is for one of them. Where a block is wider than PIECE bits its total is stored later, for it
// settles first (gfab_ring_reduce_lane).
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_ring_reduce_node #(
    parameter ADDRESS_BITS = 4,
    parameter RINGS        = 4,
    parameter LINK_BITS    = 32,
    parameter FLITS        = 1,
    parameter OPERATOR     = `GFAB_OPERATOR_SUM,
    parameter PART         = 8,  // bits through which a sum carries in a hop
    parameter PIECE        = 32, // and as it settles, in a cycle
    parameter ARC_BITS     = LINK_BITS + (LINK_BITS + PART - 1) / PART - 1 // of a flit: {carries, bits}
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // of all nodes
    input  wire                         i_read,
    input  wire [ADDRESS_BITS-1:0]      i_read_address,
    input  wire                         i_pass,
    input  wire                         i_first,
    input  wire                         i_clear,
    input  wire                         i_write,
    input  wire [ADDRESS_BITS-1:0]      i_write_address,
    // host
    input  wire                         i_load_valid,
    input  wire [`GFAB_BITS(RINGS)-1:0] i_load_ring,
    input  wire [ADDRESS_BITS-1:0]      i_load_address,
    input  wire [LINK_BITS-1:0]         i_load_data,
    input  wire [ADDRESS_BITS-1:0]      i_host_address,
    input  wire [`GFAB_BITS(RINGS)-1:0] i_host_ring,
    output wire [LINK_BITS-1:0]         o_host_data, // 2 cycles later
    // arcs, a flit for each ring
    input  wire [RINGS*ARC_BITS-1:0]    i_link,
    output wire [RINGS*ARC_BITS-1:0]    o_link,
    // what is written, of each ring
    output wire [RINGS-1:0]             o_write_enable,
    output wire [ADDRESS_BITS-1:0]      o_write_address,
    output wire [RINGS*LINK_BITS-1:0]   o_write_data
);
    localparam PIECES    = (LINK_BITS + PIECE - 1) / PIECE;
    localparam RING_BITS = `GFAB_BITS(RINGS);

    // A total settles in the last of PIECES cycles as what is loaded comes.
    wire                    settled;
    wire [ADDRESS_BITS-1:0] settled_address;
    gfab_delay #(
        .BITS(1), .CYCLES(PIECES - 1), .RESET(1)
    ) u_settled (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(i_write), .o_data(settled), .o_taps()
    );
    gfab_delay #(
        .BITS(ADDRESS_BITS), .CYCLES(PIECES - 1)
    ) u_settled_address (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(i_write_address), .o_data(settled_address), .o_taps()
    );

    reg  [ADDRESS_BITS-1:0] read_address_q;
    reg  [ADDRESS_BITS-1:0] write_address_q;
    reg  [RINGS-1:0]        rests_q; // inverted, as the RAM of an iCE40 wants it: a wire to each bit, and no LUT
    wire [RINGS-1:0]        loaded = {{(RINGS-1){1'b0}}, i_load_valid} << i_load_ring;
    always @(posedge i_clk) begin
        read_address_q  <= i_read ? i_read_address : i_host_address;
        write_address_q <= settled ? settled_address : i_load_address;
        rests_q         <= ~({RINGS{settled}} | loaded) | {RINGS{i_rst}};
    end
    assign o_write_enable  = ~rests_q;
    assign o_write_address = write_address_q;

    wire [RINGS*LINK_BITS-1:0] stored;
    genvar j;
    generate
        for (j = 0; j < RINGS; j = j + 1) begin : gen_ring
            gfab_ring_reduce_lane #(
                .ADDRESS_BITS(ADDRESS_BITS), .BITS(LINK_BITS), .PART(PART), .PIECE(PIECE), .FLITS(FLITS),
                .OPERATOR(OPERATOR)
            ) u_lane (
                .i_clk(i_clk), .i_rst(i_rst), .i_read_address(read_address_q),
                .o_stored(stored[j*LINK_BITS+:LINK_BITS]), .i_pass(i_pass), .i_first(i_first), .i_clear(i_clear),
                .i_load(i_load_valid), .i_load_data(i_load_data), .i_write_enable(o_write_enable[j]),
                .i_write_address(o_write_address), .o_write_data(o_write_data[j*LINK_BITS+:LINK_BITS]),
                .i_link(i_link[j*ARC_BITS+:ARC_BITS]), .o_link(o_link[j*ARC_BITS+:ARC_BITS])
            );
        end

        if (RINGS > 1) begin : gen_pick
            wire [RING_BITS-1:0] ring;
            gfab_delay #(
                .BITS(RING_BITS), .CYCLES(2)
            ) u_ring (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(i_host_ring), .o_data(ring), .o_taps()
            );
            assign o_host_data = stored[ring*LINK_BITS+:LINK_BITS];
        end else begin : gen_whole
            assign o_host_data = stored;
        end
    endgenerate
endmodule

`default_nettype wire
