// SPDX-License-Identifier: MIT
//
// Where a node's store has what the host loads or reads: from a block's number for the host to its place, a slot of a
// narrow node, or a bank and an address of a wide one (docs/reference/rom-format.md, "Places"). No latency.
//
// PROTECT: each place has a check bit above it, so that it has an odd number of ones. o_fault is 1, in the cycle in
// which the store gives the word, where it has not. With 2 places have none: there is a second table, and o_fault says
// where they differ.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_rom.vh"

module gfab_places #(
    parameter COUNT      = 16, // of blocks, 1 or more
    parameter PLACE_BITS = 5,  // without the check bit
    parameter PROTECT    = 0,
    parameter FILE       = "", // $readmemh text, a place for each
    parameter IMAGE_BITS = 0, // of IMAGE, which gfab_rom.vh explains; 0: the words are in FILE
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] IMAGE = 0
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_host_reads, // with PROTECT: what is read counts
    input  wire [`GFAB_BITS(COUNT)-1:0] i_block, // 0 .. COUNT - 1
    output wire [PLACE_BITS-1:0]        o_place,
    output wire                         o_fault
);
    localparam STORED_BITS = PLACE_BITS + (PROTECT == 1 ? 1 : 0);

    reg [STORED_BITS-1:0] places [0:COUNT-1];
    `GFAB_ROM_WORDS(places, STORED_BITS, COUNT)
    wire [STORED_BITS-1:0] place = places[i_block];
    assign o_place = place[PLACE_BITS-1:0];

    generate
        if (PROTECT != 0) begin : gen_check
            wire wrong;
            reg  hosts_q, wrong_q;
            always @(posedge i_clk) begin
                hosts_q <= i_host_reads & ~i_rst;
                wrong_q <= wrong;
            end
            assign o_fault = hosts_q & wrong_q;
            if (PROTECT == 2) begin : gen_twin
                reg [PLACE_BITS-1:0] twin [0:COUNT-1];
                `GFAB_ROM_WORDS(twin, PLACE_BITS, COUNT)
                // The second table is asked by wires of its own, so that synthesis does not take it for the first.
                wire [`GFAB_BITS(COUNT)-1:0] block;
                gfab_apart #(
                    .BITS(`GFAB_BITS(COUNT))
                ) u_apart (
                    .i_wires(i_block), .o_wires(block)
                );
                assign wrong = (place != twin[block]);
            end else begin : gen_bit
                // The words are tested before one of them is chosen: where synthesis has them in LUTs each verdict is a
                // constant to it, and it leaves out all that hangs on them.
                wire [(1<<`GFAB_BITS(COUNT))-1:0] odd; // 0 of what is none
                genvar b;
                for (b = 0; b < (1 << `GFAB_BITS(COUNT)); b = b + 1) begin : gen_odd
                    if (b < COUNT) begin : gen_word
                        assign odd[b] = ^places[b];
                    end else begin : gen_none
                        assign odd[b] = 1'b0;
                    end
                end
                assign wrong = ~odd[i_block];
            end
        end else begin : gen_no_check
            assign o_fault = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
