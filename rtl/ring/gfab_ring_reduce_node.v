// SPDX-License-Identifier: MIT
//
// A node of a ring fabric that combines: a lane a ring, with a RAM each, all with the same addresses but for what the
// host loads, which is for one of them. Of blocks of one flit that are wider than PIECE bits a lane has several pieces,
// each a cycle behind the one below, so that a carry goes through PIECE bits a cycle. What the host loads goes the same
// way; what it reads waits for the last piece.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_ring_reduce_node #(
    parameter ADDRESS_BITS = 4,
    parameter RINGS        = 4,
    parameter LINK_BITS    = 32,
    parameter FLITS        = 1,
    parameter OPERATOR     = `GFAB_OPERATOR_SUM,
    parameter PIECE        = 16 // bits of a piece; LINK_BITS or more: there is one
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
    output wire [LINK_BITS-1:0]         o_host_data, // 1 + pieces cycles later
    // arcs, a flit for each ring
    input  wire [RINGS*LINK_BITS-1:0]   i_link,
    output wire [RINGS*LINK_BITS-1:0]   o_link,
    // what is written, of each ring; the upper pieces a cycle behind those below
    output wire [RINGS-1:0]             o_write_enable,
    output wire [ADDRESS_BITS-1:0]      o_write_address,
    output wire [RINGS*LINK_BITS-1:0]   o_write_data
);
    localparam PIECES    = (LINK_BITS + PIECE - 1) / PIECE;
    localparam RING_BITS = `GFAB_BITS(RINGS);

    // For each piece, the lowest last.
    wire [PIECES*ADDRESS_BITS-1:0] read_address;
    wire [PIECES*ADDRESS_BITS-1:0] write_address;
    wire [PIECES*RINGS-1:0]        write_enable;
    wire [PIECES-1:0]              pass, clear, load;

    reg [ADDRESS_BITS-1:0] read_address_q;
    reg [ADDRESS_BITS-1:0] write_address_q;
    reg [RINGS-1:0]        write_q;
    wire [RINGS-1:0]       loaded = {{(RINGS-1){1'b0}}, i_load_valid} << i_load_ring;
    always @(posedge i_clk) begin
        read_address_q  <= i_read ? i_read_address : i_host_address;
        write_address_q <= i_write ? i_write_address : i_load_address;
        write_q         <= ({RINGS{i_write}} | loaded) & {RINGS{~i_rst}};
    end
    assign read_address[0+:ADDRESS_BITS]  = read_address_q;
    assign write_address[0+:ADDRESS_BITS] = write_address_q;
    assign write_enable[0+:RINGS]         = write_q;
    assign pass[0]                        = i_pass;
    assign clear[0]                       = i_clear;
    assign load[0]                        = i_load_valid;

    wire [LINK_BITS-1:0]             load_data; // each piece in its time
    wire [RINGS*LINK_BITS-1:0]       stored;
    wire [RINGS*(PIECES+1)-1:0]      carry;
    genvar j, p;
    generate
        if (PIECES > 1) begin : gen_later
            reg [(PIECES-1)*ADDRESS_BITS-1:0] read_addresses_q, write_addresses_q;
            reg [(PIECES-1)*RINGS-1:0]        writes_q;
            reg [PIECES-2:0]                  passes_q, clears_q, loads_q;
            always @(posedge i_clk) begin
                read_addresses_q  <= read_address[0+:(PIECES-1)*ADDRESS_BITS];
                write_addresses_q <= write_address[0+:(PIECES-1)*ADDRESS_BITS];
                writes_q          <= write_enable[0+:(PIECES-1)*RINGS] & {(PIECES-1)*RINGS{~i_rst}};
                passes_q          <= pass[PIECES-2:0] & {(PIECES-1){~i_rst}};
                clears_q          <= clear[PIECES-2:0] | {(PIECES-1){i_rst}};
                loads_q           <= load[PIECES-2:0];
            end
            assign read_address[ADDRESS_BITS+:(PIECES-1)*ADDRESS_BITS]  = read_addresses_q;
            assign write_address[ADDRESS_BITS+:(PIECES-1)*ADDRESS_BITS] = write_addresses_q;
            assign write_enable[RINGS+:(PIECES-1)*RINGS]                = writes_q;
            assign pass[PIECES-1:1]                                     = passes_q;
            assign clear[PIECES-1:1]                                    = clears_q;
            assign load[PIECES-1:1]                                     = loads_q;
        end

        for (p = 0; p < PIECES; p = p + 1) begin : gen_piece
            localparam FIRST = p * PIECE;
            localparam BITS  = (LINK_BITS - FIRST < PIECE) ? LINK_BITS - FIRST : PIECE;
            gfab_delay #(
                .BITS(BITS), .CYCLES(p)
            ) u_load (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(i_load_data[FIRST+:BITS]), .o_data(load_data[FIRST+:BITS]),
                .o_taps()
            );
            for (j = 0; j < RINGS; j = j + 1) begin : gen_ring
                gfab_ring_reduce_lane #(
                    .ADDRESS_BITS(ADDRESS_BITS), .BITS(BITS), .FLITS(FLITS), .OPERATOR(OPERATOR), .WAITS(PIECES - 1 - p)
                ) u_lane (
                    .i_clk(i_clk), .i_rst(i_rst), .i_read_address(read_address[p*ADDRESS_BITS+:ADDRESS_BITS]),
                    .o_stored(stored[j*LINK_BITS+FIRST+:BITS]), .i_pass(pass[p]), .i_first(i_first),
                    .i_clear(clear[p]), .i_load(load[p]), .i_load_data(load_data[FIRST+:BITS]),
                    .i_write_enable(write_enable[p*RINGS+j]),
                    .i_write_address(write_address[p*ADDRESS_BITS+:ADDRESS_BITS]),
                    .o_write_data(o_write_data[j*LINK_BITS+FIRST+:BITS]),
                    .i_carry(carry[p*RINGS+j]), .o_carry(carry[(p+1)*RINGS+j]),
                    .i_link(i_link[j*LINK_BITS+FIRST+:BITS]), .o_link(o_link[j*LINK_BITS+FIRST+:BITS])
                );
            end
        end

        if (RINGS > 1) begin : gen_pick
            wire [RING_BITS-1:0] ring;
            gfab_delay #(
                .BITS(RING_BITS), .CYCLES(1 + PIECES)
            ) u_ring (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(i_host_ring), .o_data(ring), .o_taps()
            );
            assign o_host_data = stored[ring*LINK_BITS+:LINK_BITS];
        end else begin : gen_whole
            assign o_host_data = stored;
        end
    endgenerate
    assign carry[0+:RINGS] = {RINGS{1'b0}};
    assign o_write_enable  = write_q;
    assign o_write_address = write_address_q;
endmodule

`default_nettype wire
