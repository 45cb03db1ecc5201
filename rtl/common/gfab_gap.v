// SPDX-License-Identifier: MIT
//
// The gaps of a fabric: a ROM with a word a round, the cycles that the next one is to wait
// (docs/reference/rom-format.md). One serves all nodes, beside the sequencer.
//
// Latency: o_gap belongs to the i_round of the cycle before.
`default_nettype none
`include "gfab_assert.vh"

module gfab_gap #(
    parameter ROUND_BITS = 4, // the ROM holds 2^ROUND_BITS rounds
    parameter GAP_BITS = 3, // bits of a word, 1 or more
    parameter FILE       = "" // $readmemh text, found in the working directory
) (
    input  wire                  i_clk,
    input  wire [ROUND_BITS-1:0] i_round,
    output wire [GAP_BITS-1:0] o_gap
);
    (* rom_style = "logic", ram_style = "logic" *)
    reg [GAP_BITS-1:0] rom [0:(1 << ROUND_BITS)-1];
    reg [GAP_BITS-1:0] gap_q;

    initial
        if (|FILE) begin
            $readmemh(FILE, rom);
            `GFAB_FOUND(FILE, rom[0])
        end

    always @(posedge i_clk)
        gap_q <= rom[i_round];

    assign o_gap = gap_q;
endmodule

`default_nettype wire
