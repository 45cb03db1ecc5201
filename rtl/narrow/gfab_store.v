// SPDX-License-Identifier: MIT
//
// The tokens of one node: a simple dual-port RAM, one synchronous read port and
// one write port, without reset and without enables, so that synthesis maps it to
// block RAM as it stands. Reading a word in the cycle in which it is written gives the old word.
//
// Latency: o_read_data belongs to the i_read_address of the cycle before.
`default_nettype none

module gfab_store #(
    parameter ADDRESS_BITS = 6, // 1 .. 24
    parameter WORD_BITS    = 8  // 1 or more
) (
    input  wire                    i_clk,
    input  wire [ADDRESS_BITS-1:0] i_read_address,
    output wire [WORD_BITS-1:0]    o_read_data,
    input  wire                    i_write_enable,
    input  wire [ADDRESS_BITS-1:0] i_write_address,
    input  wire [WORD_BITS-1:0]    i_write_data
);
    (* no_rw_check *)
    reg [WORD_BITS-1:0] store [0:(1 << ADDRESS_BITS)-1];
    reg [WORD_BITS-1:0] read_data_q;

    always @(posedge i_clk) begin
        read_data_q <= store[i_read_address];
        if (i_write_enable)
            store[i_write_address] <= i_write_data;
    end

    assign o_read_data = read_data_q;
endmodule

`default_nettype wire
