// SPDX-License-Identifier: MIT
//
// Where the vectors of a gfab_stream_port end: a few entries, one for each block that no group has yet, in registers,
// since the first is wanted at once.
`default_nettype none

module gfab_stream_ends #(
    parameter ENTRY_BITS = 2, // 2^ENTRY_BITS entries
    parameter BITS       = 5
) (
    input  wire            i_clk,
    input  wire            i_rst,
    input  wire            i_push,
    input  wire [BITS-1:0] i_data,
    input  wire            i_pop,
    output wire [BITS-1:0] o_data
);
    reg [BITS-1:0]       entries [0:(1 << ENTRY_BITS)-1];
    reg [ENTRY_BITS-1:0] write_q, read_q;
    always @(posedge i_clk)
        if (i_rst) begin
            write_q <= {ENTRY_BITS{1'b0}};
            read_q  <= {ENTRY_BITS{1'b0}};
        end else begin
            write_q <= write_q + {{(ENTRY_BITS-1){1'b0}}, i_push};
            read_q  <= read_q + {{(ENTRY_BITS-1){1'b0}}, i_pop};
        end
    always @(posedge i_clk)
        if (i_push)
            entries[write_q] <= i_data;
    assign o_data = entries[read_q];
endmodule

`default_nettype wire
