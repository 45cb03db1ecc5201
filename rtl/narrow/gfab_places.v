// SPDX-License-Identifier: MIT
//
// Where the store of a narrow node has what the host reads, in a fabric whose slots are handed out anew
// (docs/reference/rom-format.md, "Places"): from a block's number among those that the node wants to its slot. No
// latency.
//
// PROTECT: each place has a check bit above it, so that it has an odd number of ones. o_fault is 1, in the cycle in
// which the store gives the word, where it has not.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"

module gfab_places #(
    parameter READS     = 16, // 1 or more
    parameter SLOT_BITS = 5,
    parameter PROTECT   = 0,
    parameter FILE      = ""  // $readmemh text, a place for each
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_host_reads, // with PROTECT: what is read counts
    input  wire [`GFAB_BITS(READS)-1:0] i_token, // 0 .. READS - 1
    output wire [SLOT_BITS-1:0]         o_slot,
    output wire                         o_fault
);
    localparam PLACE_BITS = SLOT_BITS + (PROTECT ? 1 : 0);

    reg [PLACE_BITS-1:0] places [0:READS-1];
    initial
        if (|FILE) begin
            $readmemh(FILE, places);
            `GFAB_FOUND(FILE, places[0])
        end
    wire [PLACE_BITS-1:0] place = places[i_token];
    assign o_slot = place[SLOT_BITS-1:0];

    generate
        if (PROTECT) begin : gen_check
            reg hosts_q, even_q;
            always @(posedge i_clk) begin
                hosts_q <= i_host_reads & ~i_rst;
                even_q  <= ~^place;
            end
            assign o_fault = hosts_q & even_q;
        end else begin : gen_no_check
            assign o_fault = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
