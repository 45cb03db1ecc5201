// SPDX-License-Identifier: MIT
//
// Stands in for gfab_program in the proof of a node: any ROM. `rom` has no driver here; the proof's
// top drives it, by its name in the flattened design.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_program #(
    parameter LANES      = 4,
    parameter SLOT_BITS  = 4,
    parameter ROUND_BITS = 4,
    parameter FILE       = ""
) (
    input  wire                           i_clk,
    input  wire [ROUND_BITS-1:0]          i_round,
    input  wire [`GFAB_BITS(LANES)-1:0]   i_lane,
    output wire [`GFAB_OP_KIND_WIDTH-1:0] o_kind,
    output wire [SLOT_BITS-1:0]           o_slot
);
    localparam OP_BITS = SLOT_BITS + `GFAB_OP_SLOT_LSB;
    (* keep *) wire [(OP_BITS<<ROUND_BITS)*LANES-1:0] rom; // op of (round, lane) at (round * LANES + lane) * OP_BITS
    reg [OP_BITS-1:0] op_q;
    always @(posedge i_clk)
        op_q <= rom[(i_round * LANES + i_lane)*OP_BITS+:OP_BITS];
    assign o_kind = op_q[`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH];
    assign o_slot = op_q[`GFAB_OP_SLOT_LSB+:SLOT_BITS];
endmodule

`default_nettype wire
